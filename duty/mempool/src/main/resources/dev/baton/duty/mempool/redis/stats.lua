local state = redis.call('HMGET', STATE, 'returned', 'fenced', 'seq', 'wcluster', 'wseat', 'wera', 'wepoch')
local oldest = redis.call('ZRANGE', PENDING, 0, 0)[1]
return {redis.call('ZCARD', PENDING), redis.call('ZCARD', INFLIGHT), redis.call('ZCARD', CLAIMS),
    redis.call('ZCARD', CONFIRMED), redis.call('ZCARD', FINALIZED), oldest and redis.call('HGET', TX .. oldest, 'r') or '',
    state[1] or '0', state[2] or '0', state[3] or '0', cursor(), state[4] or '', state[5] or '', state[6] or '',
    state[7] or ''}
