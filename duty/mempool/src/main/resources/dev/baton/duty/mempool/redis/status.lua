-- ARGV[5]: hash
local found = redis.call('HMGET', TX .. ARGV[5], 's', 'b')
if not found[1] then
    return {redis.call('HGET', FINAL, ARGV[5]) or ''}
end
local height, arrived, pointAt = blocks()
return {found[1], found[2] or '0', found[1] == 'C' and pointAt(found[2]) or '', height, arrived}
