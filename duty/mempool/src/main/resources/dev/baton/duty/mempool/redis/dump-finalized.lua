-- ARGV[5..]: after, limit
local found = redis.call('ZRANGEBYSCORE', FINALIZED, '(' .. ARGV[5], '+inf', 'WITHSCORES', 'LIMIT', 0,
    tonumber(ARGV[6]) + 1)
local answer = {#found / 2}
for i = 1, math.min(#found / 2, tonumber(ARGV[6])) do
    local hash = found[2 * i - 1]
    push(answer, hash, found[2 * i], redis.call('HGET', FINAL, hash))
end
return answer
