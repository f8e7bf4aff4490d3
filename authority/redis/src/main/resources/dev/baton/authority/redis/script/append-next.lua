-- The way of nearly every append, in front of everything else: the next entry of the term that wrote the last one. It
-- looks only at what it needs; whatever is not exactly that goes on below, where every refusal has its name.
-- The rules are the same: identity, run id, epoch, parent. A stream that is gone or has a higher entry refuses the id.
do
    local v = redis.pcall('HMGET', KEYS[2], 'member', 'run', 'promised', 'promisedTo', 'open', 'over', 'height', 'ballot',
        'hash', 'installs', 'cluster', 'seat', 'era')
    local epoch, tip = tonumber(ARGV[5]), tonumber(v[7] or '')
    local promised, open, over = tonumber(v[3] or ''), tonumber(v[5] or ''), tonumber(v[6] or '')
    if tip and promised and open and over and tip > 0 and tonumber(ARGV[9]) == tip + 1 and v[9] == ARGV[11]
        and epoch >= promised and epoch > over and v[1] == ARGV[4] and v[10] == '' and ARGV[12] == ''
        and v[11] == ARGV[1] and v[12] == ARGV[2] and v[13] == ARGV[3] then
        local info = redis.call('INFO', 'server')
        local run = string.find(info, 'run_id:', 1, true)
        if v[2] == string.sub(info, run + 7, run + 46) and type(redis.pcall('GET', KEYS[1])) ~= 'table' then
            local added = redis.pcall('XADD', KEYS[3], 'NOMKSTREAM', ARGV[9] .. '-' .. ARGV[5], 'e', ARGV[14], 'h', ARGV[10],
                's', ARGV[13])
            if type(added) == 'string' then
                if v[3] == ARGV[5] and v[4] == ARGV[6] and v[8] == ARGV[5] and open >= epoch then
                    redis.call('HSET', KEYS[2], 'height', ARGV[9], 'hash', ARGV[10], 'parent', ARGV[11])
                else
                    redis.call('HSET', KEYS[2], 'height', ARGV[9], 'hash', ARGV[10], 'parent', ARGV[11], 'ballot', ARGV[5],
                        'promised', ARGV[5], 'promisedTo', ARGV[6], 'open', open < epoch and ARGV[5] or v[5])
                end
                if ARGV[8] ~= '0' then
                    redis.call('SET', KEYS[1], ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7], 'PX', ARGV[8])
                end
                return {'ACCEPTED'}
            end
        end
    end
end
