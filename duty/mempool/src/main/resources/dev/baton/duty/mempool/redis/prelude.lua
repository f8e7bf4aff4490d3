-- Stands in front of every script but receive. The rules are those of PoolRules.java; a test holds the two side by side.
-- Refusals come first: no script writes before everything it relies on has been checked.
-- A transaction's record is written when it comes and goes when it ends. Where it is in between is told by the sets it is
-- in, because a set takes many members in one command and a record does not: that is what makes a slice short.
--
-- KEYS: the pool's state
-- ARGV: what every key begins with, now in ms or '' for this server's clock, transactions per slice, steps of events kept;
--       then what the operation itself carries, from ARGV[5] on
local P, STATE = ARGV[1], KEYS[1]
local PENDING, INFLIGHT, WAITING, CONFIRMED = P .. 'pending', P .. 'inflight', P .. 'waiting', P .. 'confirmed'
local CLAIMS, CONFLICTS, EVENTS, POINTS = P .. 'claims', P .. 'conflicts', P .. 'events', P .. 'points'
local OWNERS = P .. 'owners'
local FINALIZED, FINAL, SEEN, UNSEEN, TX = P .. 'finalized', P .. 'final', P .. 'seen', P .. 'unseen', P .. 'tx:'
local ORIGIN = '0.' .. string.rep('0', 64)
local SLICE = tonumber(ARGV[3])
local DIGITS = 64 -- of a hash

local function text(number)
    return string.format('%.0f', number)
end

local function nowMillis()
    if ARGV[2] ~= '' then
        return ARGV[2]
    end
    local time = redis.call('TIME')
    return text(tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
end

-- Numbers these changes, each a letter and a hash, and writes them as one step. Answers the first number.
local function emit(changes)
    local last = redis.call('HINCRBY', STATE, 'seq', #changes)
    local first = last - #changes + 1
    redis.call('XADD', EVENTS, 'MAXLEN', '~', ARGV[4], text(first) .. '-0', 'e', table.concat(changes))
    return first
end

local function remove(key, members)
    if #members > 0 then
        redis.call('ZREM', key, unpack(members))
    end
end

local function add(key, scoresAndMembers)
    if #scoresAndMembers > 0 then
        redis.call('ZADD', key, unpack(scoresAndMembers))
    end
end

local function push(list, ...)
    for _, value in ipairs({...}) do
        list[#list + 1] = value
    end
end

-- The letter of its stage and the block it is counted from; nothing if it is not here, or not any more.
local function whereIs(hash)
    local height = redis.call('ZSCORE', CONFIRMED, hash)
    if height then
        return 'C', height
    end
    local arrived = redis.call('ZSCORE', WAITING, hash)
    if arrived then
        return redis.call('ZSCORE', CLAIMS, hash) and 'G' or 'A', arrived
    end
    if redis.call('ZSCORE', PENDING, hash) then
        return 'P', '0'
    end
end

-- INV-18: claims whose lease ended go back to where they were.
local function returnClaims(now)
    local lapsed = redis.call('ZRANGEBYSCORE', CLAIMS, '-inf', now, 'LIMIT', 0, SLICE)
    if #lapsed == 0 then
        return
    end
    local changes, back = {}, {}
    for i, arrival in ipairs(redis.call('ZMSCORE', INFLIGHT, unpack(lapsed))) do
        changes[i] = 'P' .. lapsed[i]
        push(back, arrival, lapsed[i])
    end
    add(PENDING, back)
    redis.call('HDEL', OWNERS, unpack(lapsed))
    remove(INFLIGHT, lapsed)
    remove(WAITING, lapsed)
    remove(CLAIMS, lapsed)
    redis.call('HINCRBY', STATE, 'returned', #lapsed)
    emit(changes)
end

-- The number of blocks, of arrivals, and the block at each height as far back as the pool remembers.
local function blocks()
    local state = redis.call('HMGET', STATE, 'height', 'arrived', 'kind', 'point')
    local height = tonumber(state[1] or '0')
    local known = {}
    return state[1] or '0', state[2] or '0', function(at)
        if not known[at] then
            -- A block that is being applied is not in the list yet.
            local behind = tonumber(at) - height
            local applying = state[3] == 'B'
            if applying and behind == 0 then
                known[at] = state[4]
            else
                known[at] = redis.call('LINDEX', POINTS, applying and behind or behind - 1) or ''
            end
        end
        return known[at]
    end
end

local function cursor()
    return redis.call('LINDEX', POINTS, -1) or ORIGIN
end
