-- ARGV[5..]: owner, lease in ms, hashes
local now = nowMillis()
returnClaims(now)
if #ARGV < 7 then
    return {}
end
local hashes = {unpack(ARGV, 7)}
local arrived = redis.call('HGET', STATE, 'arrived') or '0'
local ends = text(tonumber(now) + tonumber(ARGV[6]))
local moved, changes, inflight, waiting, claims, owners, taken = {}, {}, {}, {}, {}, {}, {}
for i, arrival in ipairs(redis.call('ZMSCORE', PENDING, unpack(hashes))) do
    local hash = hashes[i]
    if arrival and not taken[hash] then
        taken[hash] = true
        local at = #moved + 1
        moved[at] = hash
        changes[at] = 'G' .. hash
        inflight[2 * at - 1], inflight[2 * at] = arrival, hash
        waiting[2 * at - 1], waiting[2 * at] = arrived, hash
        claims[2 * at - 1], claims[2 * at] = ends, hash
        owners[2 * at - 1], owners[2 * at] = hash, ARGV[5]
    end
end
if #moved > 0 then
    remove(PENDING, moved)
    add(INFLIGHT, inflight)
    add(WAITING, waiting)
    add(CLAIMS, claims)
    redis.call('HSET', OWNERS, unpack(owners))
    emit(changes)
end
return moved
