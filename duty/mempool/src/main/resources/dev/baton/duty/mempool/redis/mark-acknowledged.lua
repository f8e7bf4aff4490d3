-- ARGV[5..]: hashes
if #ARGV < 5 then
    return {}
end
local hashes = {unpack(ARGV, 5)}
local moved, changes, taken = {}, {}, {}
for i, claim in ipairs(redis.call('ZMSCORE', CLAIMS, unpack(hashes))) do
    local hash = hashes[i]
    if claim and not taken[hash] then
        taken[hash] = true
        push(moved, hash)
        push(changes, 'A' .. hash)
    end
end
if #moved > 0 then
    remove(CLAIMS, moved)
    emit(changes)
end
return moved
