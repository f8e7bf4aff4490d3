-- ARGV[5..]: after, limit
local found = redis.call('ZRANGEBYSCORE', INFLIGHT, '(' .. ARGV[5], '+inf', 'LIMIT', 0, tonumber(ARGV[6]) + 1)
local blocks = redis.call('HMGET', STATE, 'height', 'arrived')
local answer = {#found, blocks[1] or '0', blocks[2] or '0'}
for i = 1, math.min(#found, tonumber(ARGV[6])) do
    local record = redis.call('HMGET', TX .. found[i], 's', 'n', 'r', 'o', 'b', 'p')
    push(answer, found[i], record[1], record[2], record[3], record[4] or '', record[5] or '0', record[6] or '')
end
return answer
