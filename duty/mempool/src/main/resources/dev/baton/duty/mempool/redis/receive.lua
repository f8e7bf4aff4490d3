-- KEYS: state, transaction, pending, events, conflicts
-- ARGV: hash, record, most pending, steps of events kept, conflict keys, each after a byte with its length
local stage = redis.call('HGET', KEYS[2], 's')
if stage then
    return {'DUPLICATE', stage}
end
local pending = redis.call('ZCARD', KEYS[3])
if pending >= tonumber(ARGV[3]) then
    return {'FULL', pending}
end
local packed = ARGV[5]
if packed ~= '' then
    local at, mine = 1, {}
    while at <= #packed do
        local size = string.byte(packed, at)
        local key = string.sub(packed, at + 1, at + size)
        local holder = redis.call('HGET', KEYS[5], key)
        if holder then
            return {'CONFLICT', key, holder}
        end
        mine[#mine + 1] = key
        mine[#mine + 1] = ARGV[1]
        at = at + size + 1
    end
    redis.call('HSET', KEYS[5], unpack(mine))
    redis.call('HSET', KEYS[2], 'k', packed)
end
local number = redis.call('HINCRBY', KEYS[1], 'seq', 1)
redis.call('HSET', KEYS[2], 's', 'P', 'n', number, 'r', ARGV[2])
redis.call('ZADD', KEYS[3], number, ARGV[1])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[4], string.format('%.0f-0', number), 'e', 'P' .. ARGV[1])
return {'ACCEPTED', number}
