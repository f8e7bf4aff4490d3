-- Takes transactions one after the other, as if each came alone; what they share is paid for once.
--
-- KEYS: state, pending, events, conflicts
-- ARGV: what every key begins with, most pending, steps of events kept; then for each transaction its hash,
--       its record, and its conflict keys, each after a byte with its length
-- Answers three values for each: a word, and what belongs to it.
local P, TX, most = ARGV[1], ARGV[1] .. 'tx:', tonumber(ARGV[2])
local pending = redis.call('ZCARD', KEYS[2])
local number = tonumber(redis.call('HGET', KEYS[1], 'seq') or '0')
local first = number + 1
local answer, arrivals, changes = {}, {}, {}

-- As in the prelude, for one that is here; one that came with this call is not in a set yet.
local function stageOf(hash)
    if redis.call('ZSCORE', P .. 'confirmed', hash) then
        return 'C'
    end
    if redis.call('ZSCORE', P .. 'waiting', hash) then
        return redis.call('ZSCORE', P .. 'claims', hash) and 'G' or 'A'
    end
    return 'P'
end

-- Answers the key that another one has, and who that is; or takes them all.
local function takeConflictKeys(packed, hash)
    local at, mine = 1, {}
    while at <= #packed do
        local size = string.byte(packed, at)
        local key = string.sub(packed, at + 1, at + size)
        local holder = redis.call('HGET', KEYS[4], key)
        if holder then
            return key, holder
        end
        mine[#mine + 1] = key
        mine[#mine + 1] = hash
        at = at + size + 1
    end
    redis.call('HSET', KEYS[4], unpack(mine))
end

for i = 4, #ARGV, 3 do
    local hash, packed = ARGV[i], ARGV[i + 2]
    local key = TX .. hash
    local word, one, two
    -- Nearly always it is new, has no conflict keys, and there is room: then one command tells and writes.
    local plain = packed == '' and pending < most
    local known
    if plain then
        known = redis.call('HSETNX', key, 'r', ARGV[i + 1]) == 0
    else
        known = redis.call('EXISTS', key) == 1
    end
    if known then
        word, one, two = 'DUPLICATE', stageOf(hash), ''
    elseif pending >= most then
        word, one, two = 'FULL', pending, ''
    else
        if packed ~= '' then
            one, two = takeConflictKeys(packed, hash)
        end
        if one then
            word = 'CONFLICT'
        else
            number = number + 1
            pending = pending + 1
            local arrival = string.format('%.0f', number)
            if not plain then
                redis.call('HSET', key, 'r', ARGV[i + 1], 'k', packed)
            end
            arrivals[#arrivals + 1] = arrival
            arrivals[#arrivals + 1] = hash
            changes[#changes + 1] = 'P'
            changes[#changes + 1] = hash
            word, one, two = 'ACCEPTED', arrival, ''
        end
    end
    answer[#answer + 1] = word
    answer[#answer + 1] = one
    answer[#answer + 1] = two
end
if number >= first then
    redis.call('HINCRBY', KEYS[1], 'seq', number - first + 1)
    redis.call('ZADD', KEYS[2], unpack(arrivals))
    redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[3], string.format('%.0f-0', first), 'e', table.concat(changes))
end
return answer
