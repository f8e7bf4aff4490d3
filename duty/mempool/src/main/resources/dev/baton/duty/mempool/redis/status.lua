-- ARGV[5]: hash
local found = redis.call('HMGET', TX .. ARGV[5], 's', 'b', 'p')
if not found[1] then
    return {redis.call('HGET', FINAL, ARGV[5]) or ''}
end
local blocks = redis.call('HMGET', STATE, 'height', 'arrived')
return {found[1], found[2] or '0', found[3] or '', blocks[1] or '0', blocks[2] or '0'}
