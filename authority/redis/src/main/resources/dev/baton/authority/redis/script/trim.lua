-- ARGV[5..]: epoch, the height below which to forget
local refusal = loadWithTipAs(ARGV[4])
if refusal then
    return refusal
end
if isOver(tonumber(ARGV[5])) then
    return {'FENCED', now.promised}
end
-- Never the tip.
local below = ARGV[6]
if tonumber(below) > tonumber(now.height) then
    below = now.height
end
if tonumber(below) > tonumber(now.oldest) then
    -- XTRIM first: a Redis that is out of memory refuses a script whose first write would add something.
    redis.call('XTRIM', LEDGER, 'MINID', '=', below .. '-0')
    redis.call('HSET', STATE, 'oldest', below)
    now.oldest = below
end
return {'TRIMMED', now.oldest}
