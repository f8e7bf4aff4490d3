-- Stands in front of every script but receive. The rules are those of PoolRules.java; a test holds the two side by side.
-- Refusals come first: no script writes before everything it relies on has been checked.
--
-- KEYS: the pool's state
-- ARGV: what every key begins with, now in ms or '' for this server's clock, transactions per slice, steps of events kept;
--       then what the operation itself carries, from ARGV[5] on
local P, STATE = ARGV[1], KEYS[1]
local PENDING, INFLIGHT, WAITING, CONFIRMED = P .. 'pending', P .. 'inflight', P .. 'waiting', P .. 'confirmed'
local CLAIMS, CONFLICTS, EVENTS, POINTS = P .. 'claims', P .. 'conflicts', P .. 'events', P .. 'points'
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

-- INV-18: claims whose lease ended go back to where they were.
local function returnClaims(now)
    local lapsed = redis.call('ZRANGEBYSCORE', CLAIMS, '-inf', now, 'LIMIT', 0, SLICE)
    if #lapsed == 0 then
        return
    end
    local changes, back = {}, {}
    for _, hash in ipairs(lapsed) do
        push(changes, 'P' .. hash)
        push(back, redis.call('HGET', TX .. hash, 'n'), hash)
        redis.call('HSET', TX .. hash, 's', 'P', 'o', '')
    end
    add(PENDING, back)
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
