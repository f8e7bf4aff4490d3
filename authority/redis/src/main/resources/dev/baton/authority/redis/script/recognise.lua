-- ARGV[5]: the fsync policy in force now
local refusal = load()
if refusal then
    return refusal
end
if forgetful() then
    return {'BLANK', RESTARTED}
end
local seat, left = seated()
refusal = tornTip() or strangeSeat(seat, left)
if refusal then
    return refusal
end
redis.call('HSET', STATE, 'run', runId(), 'fsync', ARGV[5])
return withSight({'SEEN'}, seat, left)
