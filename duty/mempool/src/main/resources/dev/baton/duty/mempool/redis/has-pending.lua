returnClaims(nowMillis())
return {redis.call('ZCARD', PENDING)}
