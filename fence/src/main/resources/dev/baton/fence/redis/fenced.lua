-- Checks a fence, raises the stored one, and runs the writes, with nothing in between.
-- KEYS: the fence, then the key of each write.
-- ARGV: cluster, seat, era, epoch, then for each write: command, number of arguments after the key, those arguments.
-- Answers: the verdict (1 admitted, 0 refused), the stored fence, then what each write answered.
local stored = redis.call('HMGET', KEYS[1], 'cluster', 'seat', 'era', 'epoch')
local cluster, seat, era, epoch = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local raise = false
if not stored[1] and not stored[2] and not stored[3] and not stored[4] then
  raise = true
elseif not (stored[1] and stored[2] and tonumber(stored[3]) and tonumber(stored[4])) then
  return redis.error_reply('FENCE ' .. KEYS[1] .. ' is damaged (expected: cluster, seat, era and epoch; restore it)')
elseif stored[1] ~= cluster or stored[2] ~= seat then
  return {0, stored[1], stored[2], stored[3], stored[4]}
else
  -- Numbers here are doubles: exact, because eras and epochs stay below 2^53.
  local by_era = tonumber(era) - tonumber(stored[3])
  local order = by_era ~= 0 and by_era or tonumber(epoch) - tonumber(stored[4])
  if order < 0 then
    return {0, stored[1], stored[2], stored[3], stored[4]}
  end
  raise = order > 0
end
if raise then
  -- The texts as they came: Lua would write a large number with an exponent.
  redis.call('HSET', KEYS[1], 'cluster', cluster, 'seat', seat, 'era', era, 'epoch', epoch)
end
local answer = {1, cluster, seat, era, epoch}
local at = 5
for i = 2, #KEYS do
  local count = tonumber(ARGV[at + 1])
  answer[#answer + 1] = redis.call(ARGV[at], KEYS[i], unpack(ARGV, at + 2, at + 1 + count))
  at = at + 2 + count
end
return answer
