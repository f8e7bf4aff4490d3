local refusal = loadWithTipAs(ARGV[4])
if refusal then
    return refusal
end
local seat, left = seated()
return strangeSeat(seat, left) or withSight({'SEEN'}, seat, left)
