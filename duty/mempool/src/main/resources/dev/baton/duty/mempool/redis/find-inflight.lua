-- ARGV[5]: hash
local hash = ARGV[5]
local stage, base = whereIs(hash)
if not stage or stage == 'P' then
    return {}
end
local height, arrived, pointAt = blocks()
return {height, arrived, hash, stage, redis.call('ZSCORE', INFLIGHT, hash), redis.call('HGET', TX .. hash, 'r'),
    redis.call('HGET', OWNERS, hash) or '', base, stage == 'C' and pointAt(base) or ''}
