-- ARGV[5..]: after, limit
local found = redis.call('ZRANGEBYSCORE', INFLIGHT, '(' .. ARGV[5], '+inf', 'WITHSCORES', 'LIMIT', 0,
    tonumber(ARGV[6]) + 1)
local height, arrived, pointAt = blocks()
local answer = {#found / 2, height, arrived}
for i = 1, math.min(#found / 2, tonumber(ARGV[6])) do
    local hash = found[2 * i - 1]
    local stage, base = whereIs(hash)
    push(answer, hash, stage, found[2 * i], redis.call('HGET', TX .. hash, 'r'), redis.call('HGET', OWNERS, hash) or '',
        base, stage == 'C' and pointAt(base) or '')
end
return answer
