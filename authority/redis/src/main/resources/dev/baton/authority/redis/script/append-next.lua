-- The way of nearly every append, in front of everything else: the next entry of the term that wrote the last one. It
-- looks only at what it needs; whatever is not exactly that goes on below, where every refusal has its name.
-- The rules are the same: member (drawn for one admission, so it stands for cluster, seat and era), run id, epoch, parent.
-- The run id (ARGV[15]) is the one that the caller read on this connection, which does not outlive the server's process.
-- The seal (ARGV[16]) is computed without a table, which halves its cost.
-- A stream that is gone or has a higher entry refuses the id. Where promise and tip are this term's already, everything
-- else that an append would write there is written.
do
    local v = redis.pcall('HMGET', KEYS[2], 'height', 'hash', 'ballot', 'promised', 'over', 'installs', 'member', 'run',
        'promisedTo')
    local tip, over = tonumber(v[1] or ''), tonumber(v[5] or '')
    if tip and over and tonumber(ARGV[9]) == tip + 1 and v[2] == ARGV[11] and v[3] == ARGV[5] and v[4] == ARGV[5]
        and tonumber(ARGV[5]) > over and v[6] == '' and ARGV[12] == '' and v[7] == ARGV[4] and v[8] == ARGV[15] and v[9] == ARGV[6]
        and ARGV[16] == redis.sha1hex(KEYS[1] .. KEYS[2] .. KEYS[3] .. ARGV[1] .. ARGV[2] .. ARGV[3] .. ARGV[4] .. ARGV[5]
            .. ARGV[6] .. ARGV[7] .. ARGV[8] .. ARGV[9] .. ARGV[10] .. ARGV[11] .. ARGV[12] .. ARGV[13] .. ARGV[14]
            .. ARGV[15]) then
        local seat = redis.pcall('GET', KEYS[1])
        if type(seat) ~= 'table' then
            local added = redis.pcall('XADD', KEYS[3], 'NOMKSTREAM', ARGV[9] .. '-' .. ARGV[5], 'e', ARGV[14], 'h', ARGV[10],
                's', ARGV[13])
            if type(added) == 'string' then
                redis.call('HSET', KEYS[2], 'height', ARGV[9], 'hash', ARGV[10], 'parent', ARGV[11])
                local term = ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7]
                if ARGV[8] == '0' then
                    return {ARGV[16], 'ACCEPTED'}
                elseif seat == term then
                    redis.call('PEXPIRE', KEYS[1], ARGV[8])
                else
                    redis.call('SET', KEYS[1], term, 'PX', ARGV[8])
                end
                return {ARGV[16], 'ACCEPTED'}
            end
        end
    end
end
