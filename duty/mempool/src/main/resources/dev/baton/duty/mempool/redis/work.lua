-- Stands behind the prelude of the watcher's scripts.
-- ARGV[5..12]: cluster, seat, era, epoch, finalize after, drop after, most finalized, deepest rollback

-- INV-17: whoever shows a lower term than the highest that was here changes nothing.
local function refuse()
    local stored = redis.call('HMGET', STATE, 'wcluster', 'wseat', 'wera', 'wepoch')
    if stored[1] then
        if stored[1] ~= ARGV[5] or stored[2] ~= ARGV[6] then
            return {'OTHER', stored[1], stored[2], stored[3], stored[4]}
        end
        local era, epoch = tonumber(stored[3]), tonumber(stored[4])
        if tonumber(ARGV[7]) < era or (tonumber(ARGV[7]) == era and tonumber(ARGV[8]) < epoch) then
            redis.call('HINCRBY', STATE, 'fenced', 1)
            return {'FENCED', stored[1], stored[2], stored[3], stored[4]}
        end
        if stored[3] == ARGV[7] and stored[4] == ARGV[8] then
            return
        end
    end
    redis.call('HSET', STATE, 'wcluster', ARGV[5], 'wseat', ARGV[6], 'wera', ARGV[7], 'wepoch', ARGV[8])
end

local function part(key, done, most)
    local hashes = {}
    if most > 0 then
        local found = redis.call('GETRANGE', key, done * DIGITS, (done + most) * DIGITS - 1)
        for at = 1, #found, DIGITS do
            hashes[#hashes + 1] = string.sub(found, at, at + DIGITS - 1)
        end
    end
    return hashes
end

-- The height comes as text: turning a number into one again and again is what would take longest.
local function seen(hashes, height)
    if #hashes == 0 then
        return
    end
    local changes, confirmed, moved, taken = {}, {}, {}, {}
    local notPending, inflight = {}, {}
    local waiting = redis.call('ZMSCORE', WAITING, unpack(hashes))
    local pending = redis.call('ZMSCORE', PENDING, unpack(hashes))
    for i, hash in ipairs(hashes) do
        -- A block may name a transaction twice.
        if (waiting[i] or pending[i]) and not taken[hash] then
            taken[hash] = true
            changes[#changes + 1] = 'C' .. hash
            confirmed[#confirmed + 1] = height
            confirmed[#confirmed + 1] = hash
            if pending[i] then
                notPending[#notPending + 1] = hash
                push(inflight, pending[i], hash)
            else
                moved[#moved + 1] = hash
            end
        end
    end
    if #changes > 0 then
        remove(PENDING, notPending)
        remove(WAITING, moved)
        remove(CLAIMS, moved)
        add(INFLIGHT, inflight)
        add(CONFIRMED, confirmed)
        emit(changes)
    end
end

-- Pending again, behind everything that is.
local function toTail(hashes)
    if #hashes == 0 then
        return
    end
    local changes, moved, taken = {}, {}, {}
    for i, arrival in ipairs(redis.call('ZMSCORE', INFLIGHT, unpack(hashes))) do
        local hash = hashes[i]
        if arrival and not taken[hash] then
            taken[hash] = true
            changes[#changes + 1] = 'R' .. hash
            moved[#moved + 1] = hash
        end
    end
    if #moved > 0 then
        local first, pending = emit(changes), {}
        for i, hash in ipairs(moved) do
            pending[2 * i - 1], pending[2 * i] = text(first + i - 1), hash
        end
        remove(INFLIGHT, moved)
        remove(WAITING, moved)
        remove(CONFIRMED, moved)
        remove(CLAIMS, moved)
        redis.call('HDEL', OWNERS, unpack(moved))
        add(PENDING, pending)
    end
end

local function freeConflicts(packed)
    local at, keys = 1, {}
    while at <= #packed do
        local size = string.byte(packed, at)
        keys[#keys + 1] = string.sub(packed, at + 1, at + size)
        at = at + size + 1
    end
    redis.call('HDEL', CONFLICTS, unpack(keys))
end

-- The record goes, and with it the payload; what is left is a line that says how it ended.
local function finish(letter, hashes, bases, height, point)
    if #hashes == 0 then
        return
    end
    local changes, keys, records, numbered, lines = {}, {}, {}, {}, {}
    local _, _, pointAt = blocks()
    local hasConflicts = redis.call('EXISTS', CONFLICTS) == 1
    for i, hash in ipairs(hashes) do
        local key, base = TX .. hash, bases[i]
        if hasConflicts then
            local packed = redis.call('HGET', key, 'k')
            if packed then
                freeConflicts(packed)
            end
        end
        if not lines[base] then
            local at = letter == 'F' and pointAt(base) or ''
            local confirmations = letter == 'F' and text(height - tonumber(base) + 1) or '0'
            lines[base] = letter .. ' ' .. confirmations .. ' ' .. (at == '' and ORIGIN or at) .. ' ' .. point
        end
        changes[i] = letter .. hash
        keys[i] = key
        records[2 * i - 1], records[2 * i] = hash, lines[base]
    end
    local first = emit(changes)
    for i, hash in ipairs(hashes) do
        numbered[2 * i - 1], numbered[2 * i] = text(first + i - 1), hash
    end
    redis.call('UNLINK', unpack(keys))
    remove(INFLIGHT, hashes)
    redis.call('HDEL', OWNERS, unpack(hashes))
    -- They are the first ones of their set: that is how they were found.
    if letter == 'F' then
        redis.call('ZREMRANGEBYRANK', CONFIRMED, 0, #hashes - 1)
    else
        redis.call('ZREMRANGEBYRANK', WAITING, 0, #hashes - 1)
        remove(CLAIMS, hashes)
    end
    add(FINALIZED, numbered)
    redis.call('HSET', FINAL, unpack(records))
    local excess = math.min(redis.call('ZCARD', FINALIZED) - tonumber(ARGV[11]), 2000)
    if excess > 0 then
        local forgotten = {}
        for i, value in ipairs(redis.call('ZPOPMIN', FINALIZED, excess)) do
            if i % 2 == 1 then
                push(forgotten, value)
            end
        end
        redis.call('HDEL', FINAL, unpack(forgotten))
    end
end

local function due(key, upTo, most)
    local hashes, scores = {}, {}
    if most > 0 then
        local found = redis.call('ZRANGEBYSCORE', key, '-inf', upTo, 'WITHSCORES', 'LIMIT', 0, most)
        for i = 1, #found, 2 do
            hashes[#hashes + 1] = found[i]
            scores[#scores + 1] = found[i + 1]
        end
    end
    return hashes, scores
end

local function apply(work)
    local point, height, arrived = work[2], tonumber(work[5]), tonumber(work[6])
    local budget = SLICE
    local hashes = part(SEEN, tonumber(work[3]), budget)
    seen(hashes, work[5])
    budget = budget - #hashes
    local back = part(UNSEEN, tonumber(work[4]), budget)
    toTail(back)
    budget = budget - #back
    redis.call('HSET', STATE, 'seenDone', tonumber(work[3]) + #hashes, 'unseenDone', tonumber(work[4]) + #back)
    local final, bases = due(CONFIRMED, height - tonumber(ARGV[9]) + 1, budget)
    finish('F', final, bases, height, point)
    budget = budget - #final
    local dropped, since = due(WAITING, arrived - tonumber(ARGV[10]), budget)
    finish('D', dropped, since, height, point)
    budget = budget - #dropped
    if budget == 0 then
        return {'APPLYING', point}
    end
    -- INV-16: the cursor moves in the same step that ends the work, so the block cannot be begun again.
    redis.call('RPUSH', POINTS, point)
    redis.call('LTRIM', POINTS, -(tonumber(ARGV[12]) + 1), -1)
    redis.call('UNLINK', SEEN, UNSEEN)
    redis.call('HSET', STATE, 'kind', '')
    return {'APPLIED', point}
end

local function takeBack(work)
    local height = tonumber(work[5])
    local hashes = redis.call('ZRANGEBYSCORE', CONFIRMED, height, '+inf', 'LIMIT', 0, SLICE)
    toTail(hashes)
    if #hashes == SLICE then
        return {'APPLYING', work[2]}
    end
    redis.call('RPOP', POINTS)
    redis.call('HSET', STATE, 'kind', '', 'height', height - 1)
    return {'APPLIED', cursor()}
end

local function advance()
    local work = redis.call('HMGET', STATE, 'kind', 'point', 'seenDone', 'unseenDone', 'height', 'arrived')
    if not work[1] or work[1] == '' then
        return {'APPLIED', cursor()}
    end
    if work[1] == 'U' then
        return takeBack(work)
    end
    return apply(work)
end

-- What was begun goes on if it is the same, and has to be finished first if it is not.
local function goingOn(kind, point)
    local work = redis.call('HMGET', STATE, 'kind', 'point')
    if work[1] and work[1] ~= '' then
        if work[1] == kind and work[2] == point then
            return advance()
        end
        return {'UNFINISHED', work[2]}
    end
end
