-- ARGV[5..]: epoch, holder, height, hash, parent, installed set or '', payload size, entry, governing set
local refusal = loadWithTipAs(ARGV[4])
if refusal then
    return refusal
end
local epoch = tonumber(ARGV[5])
if isOver(epoch) then
    return {'FENCED', now.promised}
end
local tip = tonumber(now.height)
if tip > 0 and tip >= tonumber(ARGV[7]) then
    return withTip({'AHEAD', hashAt(ARGV[7]) == ARGV[8] and '1' or '0'})
end

redis.call('HSET', STATE, 'promised', ARGV[5], 'promisedTo', ARGV[6], 'governing', ARGV[13], 'oldest', ARGV[7],
    'height', ARGV[7], 'ballot', ARGV[5], 'hash', ARGV[8], 'parent', ARGV[9], 'installs', ARGV[10])
if epoch > tonumber(now.open) then
    redis.call('HSET', STATE, 'open', ARGV[5])
end
redis.call('UNLINK', LEDGER)
add(ARGV[7], ARGV[5], ARGV[12], ARGV[8], ARGV[11])
return {'ACCEPTED'}
