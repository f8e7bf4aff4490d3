-- ARGV[5..]: epoch, holder, 1 if the term was elected
local refusal = loadAs(ARGV[4])
if refusal then
    return refusal
end
-- Only the promise's own holder ends it: a namesake, or a term that was replaced, changes nothing.
if tonumber(ARGV[5]) == tonumber(now.promised) and ARGV[6] == now.promisedTo then
    -- DEL first: a Redis that is out of memory refuses a script whose first write would add something.
    local seat = seated()
    if seat ~= '' and termOf(seat) == ARGV[5] .. ' ' .. ARGV[6] then
        redis.call('DEL', SEAT)
    end
    redis.call('HSET', STATE, 'over', now.promised)
    if ARGV[7] == '1' then
        redis.call('HSET', STATE, 'ended', now.promised)
    elseif tonumber(now.open) == tonumber(now.promised) then
        redis.call('HSET', STATE, 'open', now.openBefore)
    end
end
return {'DONE'}
