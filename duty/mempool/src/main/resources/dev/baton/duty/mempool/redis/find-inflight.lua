-- ARGV[5]: hash
local found = redis.call('HMGET', TX .. ARGV[5], 's', 'n', 'r', 'o', 'b', 'p')
if not found[1] or found[1] == 'P' then
    return {}
end
local blocks = redis.call('HMGET', STATE, 'height', 'arrived')
return {blocks[1] or '0', blocks[2] or '0', ARGV[5], found[1], found[2], found[3], found[4] or '', found[5] or '0',
    found[6] or ''}
