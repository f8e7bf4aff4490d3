-- ARGV[5..]: the number that is wanted next, how many steps at most
local first = redis.call('XRANGE', EVENTS, '-', '+', 'COUNT', 1)[1]
if not first then
    return {'NONE'}
end
local oldest = tonumber(string.match(first[1], '^(%d+)'))
if oldest > tonumber(ARGV[5]) then
    return {'BEHIND', text(oldest)}
end
-- A step can hold many numbers; the wanted one is in the last step that does not begin after it.
local from = redis.call('XREVRANGE', EVENTS, ARGV[5] .. '-0', '-', 'COUNT', 1)[1]
local answer = {'EVENTS'}
for _, step in ipairs(redis.call('XRANGE', EVENTS, from[1], '+', 'COUNT', ARGV[6])) do
    push(answer, string.match(step[1], '^(%d+)'), step[2][2])
end
return answer
