-- ARGV[5..]: after, limit
local found = redis.call('ZRANGEBYSCORE', INFLIGHT, '(' .. ARGV[5], '+inf', 'LIMIT', 0, tonumber(ARGV[6]) + 1)
local height, arrived, pointAt = blocks()
local answer = {#found, height, arrived}
for i = 1, math.min(#found, tonumber(ARGV[6])) do
    local record = redis.call('HMGET', TX .. found[i], 's', 'n', 'r', 'o', 'b')
    push(answer, found[i], record[1], record[2], record[3], record[4] or '', record[5],
        record[1] == 'C' and pointAt(record[5]) or '')
end
return answer
