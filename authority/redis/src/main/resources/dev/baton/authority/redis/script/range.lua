-- ARGV[5..]: from this height on, at most so many entries, at most so many bytes of payload (but one entry always)
local refusal = loadWithTipAs(ARGV[4])
if refusal then
    return refusal
end
local seat, left = seated()
refusal = strangeSeat(seat, left)
if refusal then
    return refusal
end
local answer = withSight({'ENTRIES'}, seat, left)
if tonumber(ARGV[5]) < tonumber(now.oldest) then
    return answer
end

-- A few at a time: what lies beyond the limits is hardly touched.
local FEW = 4
local most, mostBytes = tonumber(ARGV[6]), tonumber(ARGV[7])
local count, bytes, from = 0, 0, ARGV[5] .. '-0'
while true do
    local page = redis.call('XRANGE', LEDGER, from, '+', 'COUNT', FEW)
    for _, item in ipairs(page) do
        local fields = item[2]
        if fields[1] ~= 'e' or fields[3] ~= 'h' or fields[5] ~= 's' or not string.match(fields[6], '^%d+$') then
            return broken(LEDGER .. ' ' .. item[1], 'other fields', 'the fields e, h and s')
        end
        bytes = bytes + tonumber(fields[6])
        if count == most or (bytes > mostBytes and count > 0) then
            return answer
        end
        answer[#answer + 1] = fields[2]
        answer[#answer + 1] = fields[4]
        count = count + 1
        from = '(' .. item[1]
    end
    if #page < FEW then
        return answer
    end
end
