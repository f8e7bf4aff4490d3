-- ARGV[5..]: hashes
local moved, changes = {}, {}
for i = 5, #ARGV do
    local hash = ARGV[i]
    if redis.call('HGET', TX .. hash, 's') == 'G' then
        redis.call('HSET', TX .. hash, 's', 'A')
        push(moved, hash)
        push(changes, 'A' .. hash)
    end
end
if #moved > 0 then
    remove(CLAIMS, moved)
    emit(changes)
end
return moved
