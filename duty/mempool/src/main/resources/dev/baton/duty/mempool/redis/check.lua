-- Looks at the keys before anything relies on them, and marks a new pool with the form of its records.
for key, kind in pairs({[STATE] = 'hash', [PENDING] = 'zset', [INFLIGHT] = 'zset', [WAITING] = 'zset',
    [CONFIRMED] = 'zset', [CLAIMS] = 'zset', [CONFLICTS] = 'hash', [OWNERS] = 'hash', [EVENTS] = 'stream', [POINTS] = 'list',
    [FINALIZED] = 'zset', [FINAL] = 'hash', [SEEN] = 'string', [UNSEEN] = 'string'}) do
    local found = redis.call('TYPE', key).ok
    if found ~= 'none' and found ~= kind then
        return {'BROKEN', key, 'a ' .. found, 'a ' .. kind .. ' of ours: move the other program\'s key away'}
    end
end
local form = redis.call('HGET', STATE, 'form')
if not form then
    redis.call('HSET', STATE, 'form', '2')
elseif form ~= '2' then
    return {'BROKEN', STATE .. ' form', form, '2: another version of the program has written this pool'}
end
return {'OK'}
