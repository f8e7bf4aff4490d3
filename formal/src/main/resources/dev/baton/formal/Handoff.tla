------------------------------- MODULE Handoff ------------------------------
(***************************************************************************)
(* The seat on top of the ledger: its TTL, a takeover by evidence, and a   *)
(* handoff by ticket (INV-9).  Ledger.tla shows that none of this can fork *)
(* the ledger; here it is checked that a ticket means what it says.        *)
(*                                                                         *)
(* The issuer leads.  At some head it quiesces and issues a ticket for     *)
(* that head.  From then on it may go on only by committing an abort,      *)
(* never by its own clock.  The target may use the ticket as long as term  *)
(* and head are the ticket's.  Others try when a TTL ends, or at once, by  *)
(* evidence that may be wrong.                                             *)
(*                                                                         *)
(* Flaw is "none", or "head-unchecked": the target is content with the     *)
(* term and does not compare the head.                                     *)
(***************************************************************************)
EXTENDS Logs

CONSTANTS Nodes, Issuer, Target, Others, MaxEpoch, MaxHeight, Flaw

Terms == {Issuer, Target} \cup Others
None == "none"

VARIABLES seat,        \* node -> the term that holds it, until the TTL ends
          promised, log, epoch, grants, chain, acks, committed,   \* as in Ledger.tla
          settled,     \* terms whose last entry is committed: nothing is in flight
          ticket,      \* the head that the ticket names; 0 while there is none, and again after an abort
          used         \* the head at which the target was elected by the ticket, or 0

vars == <<seat, promised, log, epoch, grants, chain, acks, committed, settled, ticket, used>>
ledger == <<promised, log, epoch, grants, chain, acks, committed, settled>>

Heights == 1..MaxHeight
Leads(c) == chain[c] # <<>>
InFlight(c) == Len(chain[c])
Offered(c, h) == [ballot |-> epoch[c], author |-> chain[c][h].author]
Own(c) == [ballot |-> epoch[c], author |-> c]

Init == /\ seat = [n \in Nodes |-> Issuer]
        /\ promised = [n \in Nodes |-> 1]
        /\ log = [n \in Nodes |-> <<>>]
        /\ epoch \in {e \in [Terms -> 1..MaxEpoch] : e[Issuer] = 1 /\ (\A c \in Terms \ {Issuer} : e[c] > 1) /\ Gapless(e)}
        /\ grants = [c \in Terms |-> <<>>]
        /\ chain = [c \in Terms |-> IF c = Issuer THEN <<[ballot |-> 1, author |-> Issuer]>> ELSE <<>>]
        /\ acks = [c \in Terms |-> {}]
        /\ committed = [h \in Heights |-> {}]
        /\ settled = {} /\ ticket = 0 /\ used = 0

-----------------------------------------------------------------------------
Expire(n) == /\ seat[n] # None
             /\ seat' = [seat EXCEPT ![n] = None]
             /\ UNCHANGED <<ledger, ticket, used>>

\* By a ticket a seat is taken from the term that the ticket names, by evidence from whoever holds it.
MayTake(c, n) == CASE c = Target -> ticket > 0 /\ seat[n] \in {Issuer, None} /\ (Len(log[n]) <= ticket \/ Flaw = "head-unchecked")
                   [] OTHER      -> TRUE

Promote(c, n) ==
  /\ c # Issuer /\ ~Leads(c) /\ MayTake(c, n) /\ epoch[c] > promised[n]
  /\ seat' = [seat EXCEPT ![n] = c]
  /\ promised' = [promised EXCEPT ![n] = epoch[c]]
  /\ grants' = [grants EXCEPT ![c] = (n :> log[n]) @@ @]
  /\ UNCHANGED <<log, epoch, chain, acks, committed, settled, ticket, used>>

Elect(c) == LET G == DOMAIN grants[c]
                Tips == {grants[c][n] : n \in G} IN
  \E best \in Tips :
    /\ ~Leads(c) /\ Quorum(G, Nodes)
    /\ \A other \in Tips : AtLeastAsGood(best, other)
    /\ c = Target => (Len(best) = ticket /\ best[ticket].author = Issuer) \/ Flaw = "head-unchecked"
    /\ chain' = [chain EXCEPT ![c] = IF best = <<>> THEN <<Own(c)>> ELSE [best EXCEPT ![Len(best)].ballot = epoch[c]]]
    /\ used' = IF c = Target THEN ticket ELSE used
    /\ grants' = [grants EXCEPT ![c] = <<>>]
    /\ UNCHANGED <<seat, promised, log, epoch, acks, committed, settled, ticket>>

WriteTo(c, n, h) ==
  /\ Leads(c) /\ h \in 1..InFlight(c) /\ epoch[c] >= promised[n]
  /\ Takes(log[n], chain[c], h, Offered(c, h))
  /\ seat' = [seat EXCEPT ![n] = c]
  /\ promised' = [promised EXCEPT ![n] = epoch[c]]
  /\ log' = [log EXCEPT ![n] = Put(@, h, Offered(c, h))]
  /\ acks' = IF h = InFlight(c) /\ c \notin settled THEN [acks EXCEPT ![c] = @ \cup {n}] ELSE acks
  /\ UNCHANGED <<epoch, grants, chain, committed, settled, ticket, used>>

\* Above the ticket's head the issuer writes nothing but its abort; once that is committed, the ticket is void.
Commit(c) == LET h == InFlight(c) IN
  /\ Leads(c) /\ c \notin settled /\ Quorum(acks[c], Nodes)
  /\ committed' = [committed EXCEPT ![h] = @ \cup {Offered(c, h)}]
  /\ settled' = settled \cup {c}
  /\ ticket' = IF c = Issuer /\ ticket > 0 /\ h > ticket THEN 0 ELSE ticket
  /\ UNCHANGED <<seat, promised, log, epoch, grants, chain, acks, used>>

\* The next entry; while a ticket is out, the issuer's next entry is an abort.
Propose(c) ==
  /\ c \in settled /\ InFlight(c) < MaxHeight
  /\ chain' = [chain EXCEPT ![c] = Append(@, Own(c))]
  /\ acks' = [acks EXCEPT ![c] = {}]
  /\ settled' = settled \ {c}
  /\ UNCHANGED <<seat, promised, log, epoch, grants, committed, ticket, used>>

Issue == /\ Issuer \in settled /\ ticket = 0 /\ used = 0
         /\ ticket' = InFlight(Issuer)
         /\ UNCHANGED <<seat, ledger, used>>

Next == \/ Issue
        \/ \E n \in Nodes : Expire(n)
        \/ \E c \in Terms : Elect(c) \/ Commit(c) \/ Propose(c)
        \/ \E c \in Terms, n \in Nodes : Promote(c, n) \/ \E h \in Heights : WriteTo(c, n, h)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
NoFork == \A h \in Heights : \A x, y \in committed[h] : x.author = y.author                           \* INV-3

\* INV-9: what the target commits by the ticket follows directly on the ticket's head; no abort lies between.
\* (More cannot be asked: a target that has committed nothing yet may be overtaken by somebody who finds the issuer's
\* abort on one node and carries it over.  The abort is then committed though the ticket was used.  Neither issuer nor
\* target can commit any more, so nothing is lost, but the issuer must not take that abort for its own success.)
TicketOnlyAtItsHead ==
  \A h \in Heights : (\E x \in committed[h] : x.author = Target) =>
    h > used /\ \A k \in used + 1..h : \A x \in committed[k] : x.author = Target

\* The seat names a term whose epoch the node promised, or none: it never outlives the promise.
SeatFollowsPromise == \A n \in Nodes : seat[n] = None \/ epoch[seat[n]] = promised[n]

Symmetric == Permutations(Nodes)
=============================================================================
