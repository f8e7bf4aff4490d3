-- Stands in front of every script. The rules are those of Acceptor.java; a test holds the two side by side.
-- Refusals come first: no script writes before everything it relies on has been checked.
--
-- KEYS: seat, state, ledger (and the list of seats, for admit)
-- ARGV: cluster, seat, era, member, then what the ask itself carries, from ARGV[5] on
local SEAT, STATE, LEDGER = KEYS[1], KEYS[2], KEYS[3]
local MOST = 9007199254740991 -- the greatest whole number that a double tells from its neighbours

local FIELDS = {'cluster', 'seat', 'era', 'member', 'run', 'fsync', 'promised', 'promisedTo', 'open', 'openBefore',
    'ended', 'over', 'governing', 'oldest', 'height', 'ballot', 'hash', 'parent', 'installs'}
local NUMBERS = {'promised', 'open', 'openBefore', 'ended', 'over', 'oldest', 'height', 'ballot'}
local NEVER_ADMITTED = 'never admitted, or its data is lost'
local RESTARTED = 'restarted without appendfsync always, so it may have forgotten a promise'

local now = {} -- the state as it was found; changed only by the scripts' own writes
local tipEntry = '' -- the encoded entry at the tip

local function broken(key, found, expected)
    return {'BROKEN', key .. ': ' .. found .. ' (expected: ' .. expected .. ')'}
end

local function wrongType(key, expected)
    local found = redis.call('TYPE', key).ok
    if found ~= 'none' and found ~= expected then
        return broken(key, 'a ' .. found, 'a ' .. expected .. ' of ours')
    end
end

local function runId()
    local info = redis.call('INFO', 'server')
    local at = string.find(info, 'run_id:', 1, true)
    return string.sub(info, at + 7, at + 46)
end

local function damaged()
    for _, field in ipairs(NUMBERS) do
        if not string.match(now[field], '^%d+$') or tonumber(now[field]) > MOST then
            return broken(STATE .. ' ' .. field, now[field], 'a number of ours')
        end
    end
    if now.fsync ~= 'ALWAYS' and now.fsync ~= 'LATER' then
        return broken(STATE .. ' fsync', now.fsync, 'ALWAYS or LATER')
    end
    if now.governing == '' then
        return broken(STATE .. ' governing', 'nothing', 'a node set')
    end
end

-- Reads the state into `now`. Answers a refusal if it is absent, foreign or damaged.
local function load()
    local refusal = wrongType(SEAT, 'string') or wrongType(STATE, 'hash') or wrongType(LEDGER, 'stream')
    if refusal then
        return refusal
    end
    if redis.call('EXISTS', STATE) == 0 then
        return {'BLANK', NEVER_ADMITTED}
    end
    local values = redis.call('HMGET', STATE, unpack(FIELDS))
    for i, field in ipairs(FIELDS) do
        if not values[i] then
            return broken(STATE .. ' ' .. field, 'missing', 'the fields of a seat')
        end
        now[field] = values[i]
    end
    local kept = now.cluster .. '/' .. now.seat .. '/' .. now.era
    local asked = ARGV[1] .. '/' .. ARGV[2] .. '/' .. ARGV[3]
    if kept ~= asked then
        return broken(STATE, 'the state of ' .. kept, asked)
    end
    return damaged()
end

local function forgetful()
    return now.run ~= runId() and now.fsync ~= 'ALWAYS'
end

-- The last entry of the stream must be what the state says: both are written in one step, always.
local function tornTip()
    local last = redis.call('XREVRANGE', LEDGER, '+', '-', 'COUNT', '1')[1]
    if tonumber(now.height) == 0 then
        return last and broken(LEDGER, 'entry ' .. last[1], 'no entry, as ' .. STATE .. ' says')
    end
    local expected = now.height .. '-' .. now.ballot
    if not last or last[1] ~= expected then
        return broken(LEDGER, 'last entry ' .. (last and last[1] or 'missing'), expected .. ', as ' .. STATE .. ' says')
    end
    local fields = last[2]
    if fields[1] ~= 'e' or fields[3] ~= 'h' or fields[5] ~= 's' then
        return broken(LEDGER .. ' ' .. last[1], 'other fields', 'the fields e, h and s')
    end
    if fields[4] ~= now.hash then
        return broken(LEDGER .. ' ' .. last[1], 'hash ' .. fields[4], now.hash .. ', as ' .. STATE .. ' says')
    end
    tipEntry = fields[2]
end

-- Reads the state, and answers a refusal if this node does not speak as the member that is meant.
local function loadAs(member)
    local refusal = load()
    if refusal then
        return refusal
    end
    if now.member ~= member then
        return {'OTHER', now.member}
    end
    if now.run ~= runId() then
        if now.fsync ~= 'ALWAYS' then
            return {'BLANK', RESTARTED}
        end
        return {'UNRECOGNISED'}
    end
end

local function loadWithTipAs(member)
    return loadAs(member) or tornTip()
end

-- The seat's term and address as one text, and how many milliseconds are left; or empty and 0.
local function seated()
    local text = redis.call('GET', SEAT)
    if not text then
        return '', '0'
    end
    return text, string.format('%d', redis.call('PTTL', SEAT))
end

-- The term in a seat's text: epoch, node and incarnation. What follows is the address.
local function termOf(text)
    return string.match(text, '^(%d+ [^ ]+ %x+) ')
end

local function strangeSeat(text, left)
    if text ~= '' and not termOf(text) then
        return broken(SEAT, text, 'epoch, node, incarnation and address')
    end
    if tonumber(left) < 0 then
        return broken(SEAT, 'no time to live', 'a lease')
    end
end

local function withTip(answer)
    for _, field in ipairs({'height', 'ballot', 'hash', 'parent', 'installs'}) do
        answer[#answer + 1] = now[field]
    end
    return answer
end

local function withSight(answer, seat, left)
    for _, value in ipairs({now.member, now.promised, now.open, now.ended, seat, left, now.governing, now.oldest}) do
        answer[#answer + 1] = value
    end
    return withTip(answer)
end

-- INV-1: whether this epoch is refused from now on.
local function isOver(epoch)
    return tonumber(now.promised) > epoch or epoch <= tonumber(now.over)
end

local function hashAt(height)
    local found = redis.call('XRANGE', LEDGER, height .. '-0', height .. '-18446744073709551615', 'COUNT', '1')[1]
    return found and found[2][4]
end

-- Adds an entry to the stream. A refused id means that somebody else has written there.
local function add(height, ballot, entry, hash, size)
    local id = height .. '-' .. ballot
    local added = redis.pcall('XADD', LEDGER, id, 'e', entry, 'h', hash, 's', size)
    if type(added) == 'table' and added.err then
        if string.find(added.err, 'ID specified in XADD', 1, true) then
            return broken(LEDGER, 'refuses ' .. id .. ' as too low', 'nobody else to write there')
        end
        return added
    end
end
