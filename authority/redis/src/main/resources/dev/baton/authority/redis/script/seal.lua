-- Stands in front of every script. TCP's own checksum lets some changed bytes through, and a proxy or a bad cable adds
-- more: the call's last argument is the digest of everything before it, and each answer begins with the digest of the call
-- and of the answer's head (of a single word, with the call's alone). What was changed on the way is neither done nor
-- believed, and no answer is taken for another call's. Entries in an answer are not digested here: each carries a hash of
-- its own.
local SEAL = ARGV[#ARGV]
local HEAD = 14 -- the parts of the longest answer, entries aside: what it is, a sight and a tip

local function sealed(answer)
    if answer.err then
        return answer
    end
    local seal = SEAL
    if #answer > 1 then
        seal = redis.sha1hex(SEAL .. table.concat(answer, ' ', 1, math.min(#answer, HEAD)))
    end
    table.insert(answer, 1, seal)
    return answer
end

if SEAL ~= redis.sha1hex(table.concat(KEYS) .. table.concat(ARGV, '', 1, #ARGV - 1)) then
    return sealed({'GARBLED'})
end

local function answer()
