-- ARGV[4]: the new member. ARGV[5..]: the member it replaces or '', fsync, epoch or 0, holder or '', governing set,
-- then the base: height or 0, hash, parent, installed set or '', payload size, entry
local refusal = wrongType(KEYS[4], 'set') or load()
if refusal and refusal[1] ~= 'BLANK' then
    return refusal
end
if not refusal and not forgetful() and now.member ~= ARGV[5] then
    return {'OTHER', now.member}
end

local oldest = ARGV[10]
if oldest == '0' then
    oldest = '1'
end
redis.call('HSET', STATE, 'cluster', ARGV[1], 'seat', ARGV[2], 'era', ARGV[3], 'member', ARGV[4], 'run', runId(),
    'fsync', ARGV[6], 'promised', ARGV[7], 'promisedTo', ARGV[8], 'open', ARGV[7], 'openBefore', '0', 'ended', '0',
    'over', '0', 'governing', ARGV[9], 'oldest', oldest, 'height', ARGV[10], 'ballot', ARGV[7], 'hash', ARGV[11],
    'parent', ARGV[12], 'installs', ARGV[13])
redis.call('UNLINK', SEAT, LEDGER)
if ARGV[10] ~= '0' then
    add(ARGV[10], ARGV[7], ARGV[15], ARGV[11], ARGV[14])
end
redis.call('SADD', KEYS[4], ARGV[1] .. '/' .. ARGV[2] .. '/' .. ARGV[3])
return {'DONE'}
