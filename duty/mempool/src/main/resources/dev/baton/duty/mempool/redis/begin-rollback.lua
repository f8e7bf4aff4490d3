-- ARGV[13]: the block to take back
local refusal = refuse() or goingOn('U', ARGV[13])
if refusal then
    return refusal
end
local last = cursor()
if last ~= ARGV[13] then
    return {'NOT_NEXT', last}
end
local known = redis.call('LLEN', POINTS)
if known == 0 or (known == 1 and tonumber(redis.call('HGET', STATE, 'height')) > 1) then
    return {'TOO_DEEP', last}
end
redis.call('HSET', STATE, 'kind', 'U', 'point', ARGV[13], 'seenDone', 0, 'unseenDone', 0)
return advance()
