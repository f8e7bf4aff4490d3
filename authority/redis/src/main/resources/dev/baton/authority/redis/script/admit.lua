-- ARGV[4]: the new member. ARGV[5..]: the member it replaces or '', fsync, the run id that is meant, epoch or 0, holder
-- or '', governing set, then the base: height or 0, hash, parent, installed set or '', payload size, entry
-- An admission that arrives once more after a restart must not bring back a member that has forgotten its promise.
if ARGV[7] ~= runId() then
    return {'OTHER_RUN'}
end
local refusal = wrongType(KEYS[4], 'set') or load()
if refusal and refusal[1] ~= 'BLANK' then
    return refusal
end
if not refusal and not forgetful() then
    local founding, history = ARGV[8] == '0', now.promised ~= '0' or now.height ~= '0'
    if now.member ~= ARGV[5] or (founding and history) then
        return {'OTHER', now.member}
    end
    -- Whoever was replaced does not know who belongs to the set now.
    if not founding and isOver(tonumber(ARGV[8])) then
        return {'FENCED', now.promised}
    end
end

local oldest = ARGV[11]
if oldest == '0' then
    oldest = '1'
end
redis.call('HSET', STATE, 'cluster', ARGV[1], 'seat', ARGV[2], 'era', ARGV[3], 'member', ARGV[4], 'run', runId(),
    'fsync', ARGV[6], 'promised', ARGV[8], 'promisedTo', ARGV[9], 'open', ARGV[8], 'openBefore', '0', 'ended', '0',
    'over', '0', 'governing', ARGV[10], 'oldest', oldest, 'height', ARGV[11], 'ballot', ARGV[8], 'hash', ARGV[12],
    'parent', ARGV[13], 'installs', ARGV[14])
redis.call('UNLINK', SEAT, LEDGER)
if ARGV[11] ~= '0' then
    add(ARGV[11], ARGV[8], ARGV[16], ARGV[12], ARGV[15])
end
redis.call('SADD', KEYS[4], ARGV[1] .. '/' .. ARGV[2] .. '/' .. ARGV[3])
return {'DONE'}
