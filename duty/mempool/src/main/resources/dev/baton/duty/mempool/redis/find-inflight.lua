-- ARGV[5]: hash
local found = redis.call('HMGET', TX .. ARGV[5], 's', 'n', 'r', 'o', 'b')
if not found[1] or found[1] == 'P' then
    return {}
end
local height, arrived, pointAt = blocks()
return {height, arrived, ARGV[5], found[1], found[2], found[3], found[4] or '', found[5],
    found[1] == 'C' and pointAt(found[5]) or ''}
