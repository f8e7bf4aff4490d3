local refusal = refuse()
if refusal then
    return refusal
end
local work = redis.call('HMGET', STATE, 'kind', 'point')
return {'WATCHING', cursor(), (work[1] and work[1] ~= '') and work[2] or ''}
