-- ARGV[5..]: after, limit
returnClaims(nowMillis())
local found = redis.call('ZRANGEBYSCORE', PENDING, '(' .. ARGV[5], '+inf', 'WITHSCORES', 'LIMIT', 0,
    tonumber(ARGV[6]) + 1)
local answer = {#found / 2}
for i = 1, math.min(#found / 2, tonumber(ARGV[6])) do
    local hash = found[2 * i - 1]
    push(answer, hash, found[2 * i], redis.call('HGET', TX .. hash, 'r'))
end
return answer
