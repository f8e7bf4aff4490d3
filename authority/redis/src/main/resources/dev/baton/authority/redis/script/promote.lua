-- ARGV[5..]: epoch, holder (node and incarnation), address, lease in ms, the term to replace or '', height and hash of
-- the only head at which the seat may be given, or ''
local refusal = loadWithTipAs(ARGV[4])
if refusal then
    return refusal
end
local seat, left = seated()
refusal = strangeSeat(seat, left)
if refusal then
    return refusal
end

local epoch, holder, insteadOf = tonumber(ARGV[5]), ARGV[6], ARGV[9]
local term = ARGV[5] .. ' ' .. holder
local promised = tonumber(now.promised)
local renewal = seat ~= '' and termOf(seat) == term and epoch == promised and epoch > tonumber(now.over)

-- INV-9: a ticket is good only while its term and its head are the newest.
local function fits()
    if ARGV[10] == '' then
        return true
    end
    local replaced = tonumber(string.match(insteadOf, '^%d+') or -1)
    local headHash = now.hash
    if tonumber(now.height) == 0 then
        headHash = string.rep('0', 64)
    end
    return tonumber(ARGV[10]) == tonumber(now.height) and ARGV[11] == headHash and replaced == promised
end

if not renewal then
    if seat ~= '' and termOf(seat) ~= insteadOf then
        return {'HELD', seat, left, now.promised}
    end
    if epoch <= promised then
        return {'STALE', now.promised}
    end
    if not fits() then
        return withTip({'ELSEWHERE'})
    end
end

local granted = withSight({'GRANTED'}, seat, left)
granted[#granted + 1] = tipEntry
if renewal then
    redis.call('HSET', STATE, 'promisedTo', holder)
else
    redis.call('HSET', STATE, 'promised', ARGV[5], 'promisedTo', holder, 'open', ARGV[5], 'openBefore', now.open)
end
redis.call('SET', SEAT, term .. ' ' .. ARGV[7], 'PX', ARGV[8])
return granted
