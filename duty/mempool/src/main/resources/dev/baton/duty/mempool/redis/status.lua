-- ARGV[5]: hash
local stage, base = whereIs(ARGV[5])
if not stage then
    return {redis.call('HGET', FINAL, ARGV[5]) or ''}
end
local height, arrived, pointAt = blocks()
return {stage, base, stage == 'C' and pointAt(base) or '', height, arrived}
