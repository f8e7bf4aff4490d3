--------------------------- MODULE LeasedTokens ---------------------------
(***************************************************************************)
(* Leased tokens over several terms, with time: INV-12 (no token twice),   *)
(* INV-15 (leased tokens in order) and the revision in every reply, which  *)
(* never decreases.                                                        *)
(*                                                                         *)
(* The ledger itself is taken for granted (Ledger.tla): only the highest   *)
(* term commits.  But a replaced holder does not know that it is replaced  *)
(* until its lease has run out on its own clock, and goes on handing out   *)
(* what it reserved before.  A seat may change hands at any moment, by     *)
(* evidence, whatever is left of the lease.                                *)
(*                                                                         *)
(* A term settles by a committed record: from then on its replies carry a  *)
(* revision of its own and it may hand out leased tokens.  It settles at   *)
(* once if nobody before it can still hand out any, else when the longest  *)
(* lease is over that can have begun before it was elected.                *)
(*                                                                         *)
(* Flaw is "none", or one of: "no-wait" (settles at once, always);         *)
(* "any-resignation" (a predecessor that resigned counts as stopped even   *)
(* if it had not settled, and so says nothing of the one before);          *)
(* "unsettled" (strict replies carry the own revision at once);            *)
(* "from-memory" (a new term goes on where the last token was handed out,  *)
(* not above what was reserved).                                           *)
(*                                                                         *)
(* Clocks is "kept", or "broken": then a lease may end at any time after   *)
(* it should have.  Uniqueness must hold even so.                          *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS MaxTerm, MaxTime, Lease, Ahead, MaxToken, Clocks, Flaw

VARIABLES now,
          term,        \* the highest term; 0 before the first
          electedAt,   \* term -> when it was elected
          resigned,    \* the terms whose holders stopped and said so
          deadline,    \* term -> until when its holder believes to hold the seat
          range,       \* term -> what it has reserved and not handed out, as [from, below]
          next,        \* the ledger: the next token that no range covers
          settled,     \* the ledger: the last term that settled; its number stands for the revision
          leased,      \* the ledger: whether that term reserved a range
          given,       \* tokens handed out
          high,        \* the highest of them
          seen,        \* the highest revision that a reply carried
          disorder     \* what a caller saw that must never be: a set of words

vars == <<now, term, electedAt, resigned, deadline, range, next, settled, leased, given, high, seen, disorder>>

Terms == 1..MaxTerm
Nothing == [from |-> 0, below |-> 0]

Init == /\ now = 0 /\ term = 0
        /\ electedAt = [t \in Terms |-> 0]
        /\ resigned = {}
        /\ deadline = [t \in Terms |-> 0]
        /\ range = [t \in Terms |-> Nothing]
        /\ next = 1 /\ settled = 0 /\ leased = FALSE
        /\ given = {} /\ high = 0 /\ seen = 0 /\ disorder = {}

-----------------------------------------------------------------------------
Tick == /\ now < MaxTime
        /\ now' = now + 1
        /\ UNCHANGED <<term, electedAt, resigned, deadline, range, next, settled, leased, given, high, seen, disorder>>

\* Whoever asks may get the seat, also while the holder's lease runs.
Elect == /\ term < MaxTerm
         /\ term' = term + 1
         /\ electedAt' = [electedAt EXCEPT ![term + 1] = now]
         /\ deadline' = [deadline EXCEPT ![term + 1] = now + Lease]
         /\ UNCHANGED <<now, resigned, range, next, settled, leased, given, high, seen, disorder>>

\* Stops, then says so.
Resign == /\ term > 0 /\ now < deadline[term]
          /\ resigned' = resigned \cup {term}
          /\ deadline' = [deadline EXCEPT ![term] = now]
          /\ UNCHANGED <<now, term, electedAt, range, next, settled, leased, given, high, seen, disorder>>

Stopped == \/ settled = term - 1 /\ settled \in resigned
           \/ Flaw = "any-resignation" /\ term - 1 \in resigned

MaySettle == \/ ~leased
             \/ Stopped
             \/ now >= electedAt[term] + Lease
             \/ Flaw = "no-wait"

Renewed == deadline' = [deadline EXCEPT ![term] = now + Lease]

Settle == /\ term > 0 /\ now < deadline[term] /\ settled < term /\ MaySettle
          /\ settled' = term /\ leased' = FALSE /\ Renewed
          /\ UNCHANGED <<now, term, electedAt, resigned, range, next, given, high, seen, disorder>>

Reserve == /\ term > 0 /\ now < deadline[term] /\ settled = term /\ next + Ahead <= MaxToken + 1
           /\ range[term].from = range[term].below
           /\ LET from == IF Flaw = "from-memory" THEN high + 1 ELSE next
              IN  /\ range' = [range EXCEPT ![term] = [from |-> from, below |-> from + Ahead]]
                  /\ next' = from + Ahead
           /\ leased' = TRUE /\ Renewed
           /\ UNCHANGED <<now, term, electedAt, resigned, settled, given, high, seen, disorder>>

Seen(revision) == /\ seen' = IF revision > seen THEN revision ELSE seen
                  /\ disorder' = disorder
                       \cup (IF revision < seen THEN {"revision"} ELSE {})

\* By any term, replaced or not, that believes to hold the seat.
HandOut(t) == /\ now < deadline[t] \/ (Clocks = "broken" /\ t \notin resigned)
              /\ range[t].from < range[t].below
              /\ LET token == range[t].from
                 IN  /\ given' = given \cup {token}
                     /\ high' = IF token > high THEN token ELSE high
                     /\ seen' = IF t > seen THEN t ELSE seen
                     /\ disorder' = disorder
                          \cup (IF t < seen THEN {"revision"} ELSE {})
                          \cup (IF token \in given THEN {"twice"} ELSE {})
                          \cup (IF token < high THEN {"order"} ELSE {})
              /\ range' = [range EXCEPT ![t].from = @ + 1]
              /\ UNCHANGED <<now, term, electedAt, resigned, deadline, next, settled, leased>>

\* A strict reply is a commit, so only the highest term gives one; it carries the revision that the ledger has.
Strict == /\ term > 0 /\ now < deadline[term]
          /\ Seen(IF Flaw = "unsettled" THEN term ELSE settled)
          /\ Renewed
          /\ UNCHANGED <<now, term, electedAt, resigned, range, next, settled, leased, given, high>>

Next == Tick \/ Elect \/ Resign \/ Settle \/ Reserve \/ Strict \/ \E t \in Terms : HandOut(t)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
NoTokenTwice == "twice" \notin disorder
InOrder == "order" \notin disorder
RevisionNeverDecreases == "revision" \notin disorder
=============================================================================
