-- ARGV[5..]: after, limit
returnClaims(nowMillis())
local found = redis.call('ZRANGEBYSCORE', PENDING, '(' .. ARGV[5], '+inf', 'LIMIT', 0, tonumber(ARGV[6]) + 1)
local answer = {#found}
for i = 1, math.min(#found, tonumber(ARGV[6])) do
    local record = redis.call('HMGET', TX .. found[i], 'n', 'r')
    push(answer, found[i], record[1], record[2])
end
return answer
