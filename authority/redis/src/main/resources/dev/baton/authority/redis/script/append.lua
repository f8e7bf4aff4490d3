-- ARGV[5..]: epoch, holder, address, lease in ms or 0, height, hash, parent, installed set or '', payload size, entry
local refusal = loadWithTipAs(ARGV[4])
if refusal then
    return refusal
end
local epoch = tonumber(ARGV[5])
if isOver(epoch) then
    return {'FENCED', now.promised}
end

local height, hash, parent = tonumber(ARGV[9]), ARGV[10], ARGV[11]
local tip = tonumber(now.height)
local answer = {'ACCEPTED'}
local adds, replaces = false, false

if tip == 0 then
    if height ~= 1 or parent ~= string.rep('0', 64) then
        return withTip({'BEHIND'})
    end
    adds = true
elseif height > tip then
    if height ~= tip + 1 or parent ~= now.hash then
        return withTip({'BEHIND'})
    end
    adds = true
elseif height < tip then
    if hashAt(ARGV[9]) ~= hash then
        return withTip({'AHEAD', '0'})
    end
    answer = withTip({'AHEAD', '1'})
elseif hash == now.hash then
    replaces = epoch ~= tonumber(now.ballot)
else
    -- INV-3: an accepted entry gives way only to one of a higher ballot.
    if epoch <= tonumber(now.ballot) then
        return withTip({'AHEAD', '0'})
    end
    if parent ~= now.parent then
        return withTip({'BEHIND'})
    end
    replaces = true
end

local changes = {'promised', ARGV[5], 'promisedTo', ARGV[6]}
local function change(field, value)
    changes[#changes + 1] = field
    changes[#changes + 1] = value
end

if adds or replaces then
    refusal = add(ARGV[9], ARGV[5], ARGV[14], hash, ARGV[13])
    if refusal then
        return refusal
    end
    if replaces then
        redis.call('XDEL', LEDGER, now.height .. '-' .. now.ballot)
    end
    if adds and now.installs ~= '' then
        change('governing', now.installs)
    end
    change('height', ARGV[9])
    change('ballot', ARGV[5])
    change('hash', hash)
    change('parent', parent)
    if now.installs ~= ARGV[12] then
        change('installs', ARGV[12])
    end
end
if epoch > tonumber(now.open) then
    change('open', ARGV[5])
end
redis.call('HSET', STATE, unpack(changes))
if ARGV[8] ~= '0' then
    redis.call('SET', SEAT, ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7], 'PX', ARGV[8])
end
return answer
