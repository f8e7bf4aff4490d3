-- ARGV[13..]: point, parent, seen hashes, unseen hashes
local refusal = refuse() or goingOn('B', ARGV[13])
if refusal then
    return refusal
end
local last = cursor()
if last == ARGV[13] then
    return {'ALREADY', last}
end
if last ~= ARGV[14] then
    return {'NOT_NEXT', last}
end
returnClaims(nowMillis())
redis.call('HINCRBY', STATE, 'height', 1)
redis.call('HINCRBY', STATE, 'arrived', 1)
redis.call('SET', SEEN, ARGV[15])
redis.call('SET', UNSEEN, ARGV[16])
redis.call('HSET', STATE, 'kind', 'B', 'point', ARGV[13], 'seenDone', 0, 'unseenDone', 0)
return advance()
