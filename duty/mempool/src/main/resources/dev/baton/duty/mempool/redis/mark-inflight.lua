-- ARGV[5..]: owner, lease in ms, hashes
local now = nowMillis()
returnClaims(now)
local arrived = redis.call('HGET', STATE, 'arrived') or '0'
local ends = text(tonumber(now) + tonumber(ARGV[6]))
local moved, changes, inflight, waiting, claims = {}, {}, {}, {}, {}
for i = 7, #ARGV do
    local hash = ARGV[i]
    local found = redis.call('HMGET', TX .. hash, 's', 'n')
    if found[1] == 'P' then
        redis.call('HSET', TX .. hash, 's', 'G', 'b', arrived, 'o', ARGV[5])
        local i = #moved + 1
        moved[i] = hash
        changes[i] = 'G' .. hash
        inflight[2 * i - 1], inflight[2 * i] = found[2], hash
        waiting[2 * i - 1], waiting[2 * i] = arrived, hash
        claims[2 * i - 1], claims[2 * i] = ends, hash
    end
end
if #moved > 0 then
    remove(PENDING, moved)
    add(INFLIGHT, inflight)
    add(WAITING, waiting)
    add(CLAIMS, claims)
    emit(changes)
end
return moved
