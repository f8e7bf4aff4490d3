------------------------------- MODULE Ledger -------------------------------
(***************************************************************************)
(* The Redis authority with one fixed set of nodes: Paxos over independent *)
(* nodes, several heights, one of them in flight per leader.               *)
(*                                                                         *)
(* There is no seat, no TTL and no clock here.  Any candidate may try at   *)
(* any time, so whatever a TTL, a handoff or evidence makes candidates do, *)
(* it is among these behaviours: the epoch alone must be safe.             *)
(*                                                                         *)
(* What is not said is lost.  A grant that a candidate does not use to get *)
(* elected, an acknowledgement that a leader never counts: both stand for  *)
(* a reply that was lost after the node had changed its state.  A node or  *)
(* a candidate that takes no further step has crashed.                     *)
(*                                                                         *)
(* Flaw is "none" for our protocol.  Every other value breaks one rule, to *)
(* show what the rule is for; the flaws are collected at the end of the    *)
(* action that they break.                                                 *)
(***************************************************************************)
EXTENDS Logs

CONSTANTS Nodes,       \* the members
          Candidates,  \* one term each: a process that tries again is another candidate (INV-2)
          MaxEpoch,    \* epochs are 1..MaxEpoch
          MaxHeight,   \* heights are 1..MaxHeight
          Ranked,      \* all epochs differ; narrows a search
          MayLose,     \* nodes that may lose their data
          Flaw         \* the rule that is broken, or "none"

VARIABLES promised,    \* node -> the greatest epoch it promised
          log,         \* node -> its log
          blank,       \* nodes that lost their data; they answer BLANK
          epoch,       \* candidate -> the epoch it proposes
          grants,      \* candidate -> (node that granted -> the log it returned with the grant)
          chain,       \* candidate -> the chain it leads; empty until it is elected.  The last entry is in flight
          acks,        \* candidate -> nodes that acknowledged the entry in flight
          committed    \* height -> entries that some leader saw committed

vars == <<promised, log, blank, epoch, grants, chain, acks, committed>>

Heights == 1..MaxHeight
Leads(c) == chain[c] # <<>>
InFlight(c) == Len(chain[c])
Own(c) == [ballot |-> epoch[c], author |-> c]
Offered(c, h) == [ballot |-> epoch[c], author |-> chain[c][h].author]
\* The greatest height that this leader knows to be committed.
LastCommitted(c) == LET h == InFlight(c) IN IF Offered(c, h) \in committed[h] THEN h ELSE h - 1
Answers(n) == n \notin blank \/ Flaw = "blank-votes"

Init == /\ promised = [n \in Nodes |-> 0]
        /\ log = [n \in Nodes |-> <<>>]
        /\ blank = {}
        /\ IF Flaw = "incr" THEN epoch = [c \in Candidates |-> 0]
           ELSE epoch \in IF Ranked THEN {AllDifferent(Candidates)} ELSE {e \in [Candidates -> 1..MaxEpoch] : Gapless(e)}
        /\ grants = [c \in Candidates |-> <<>>]
        /\ chain = [c \in Candidates |-> <<>>]
        /\ acks = [c \in Candidates |-> {}]
        /\ committed = [h \in Heights |-> {}]

-----------------------------------------------------------------------------
(* promote: a node grants an epoch once, only above everything that it promised, and returns its tip in the same step. *)

Grant(c, n, e) == /\ promised' = [promised EXCEPT ![n] = e]
                  /\ grants' = IF Leads(c) /\ Flaw # "second-pick" THEN grants \* too late to matter; the promise is made all the same
                               ELSE [grants EXCEPT ![c] = (n :> log[n]) @@ @]
                  /\ UNCHANGED <<log, blank, chain, acks, committed>>

Promote(c, n) ==
  /\ Answers(n)
  /\ CASE Flaw = "incr" ->          \* as published: each node counts up by itself, the candidate takes the maximum
            /\ ~Leads(c) /\ n \notin DOMAIN grants[c] /\ promised[n] < MaxEpoch
            /\ Grant(c, n, promised[n] + 1)
            /\ epoch' = [epoch EXCEPT ![c] = IF @ > promised[n] THEN @ ELSE promised[n] + 1]
       [] Flaw = "grant-twice" ->   \* an epoch that is promised already is granted again, to somebody else
            /\ epoch[c] >= promised[n] /\ n \notin DOMAIN grants[c]
            /\ Grant(c, n, epoch[c]) /\ UNCHANGED epoch
       [] Flaw = "early-read" ->    \* the candidate uses what it read before it asked
            /\ epoch[c] > promised[n] /\ n \in DOMAIN grants[c]
            /\ promised' = [promised EXCEPT ![n] = epoch[c]]
            /\ UNCHANGED <<log, blank, epoch, grants, chain, acks, committed>>
       [] Flaw = "late-read" ->     \* the grant returns no tip; acks remembers who granted until the election
            /\ epoch[c] > promised[n] /\ ~Leads(c)
            /\ promised' = [promised EXCEPT ![n] = epoch[c]]
            /\ acks' = [acks EXCEPT ![c] = @ \cup {n}]
            /\ UNCHANGED <<log, blank, epoch, grants, chain, committed>>
       [] OTHER ->
            /\ epoch[c] > promised[n]
            /\ Grant(c, n, epoch[c]) /\ UNCHANGED epoch

\* Only in broken protocols: the candidate reads a log apart from the grant.
Read(c, n) ==
  /\ Answers(n) /\ ~Leads(c)
  /\ \/ Flaw = "early-read" /\ n \notin DOMAIN grants[c] /\ promised[n] < epoch[c]
     \/ Flaw = "late-read" /\ Quorum(acks[c], Nodes) \* some time after the promotion, from whoever answers
  /\ grants' = [grants EXCEPT ![c] = (n :> log[n]) @@ @]
  /\ UNCHANGED <<promised, log, blank, epoch, chain, acks, committed>>

-----------------------------------------------------------------------------
(* recovery: once per epoch, from the grants that elected. *)

Tips(c, G) == {grants[c][n] : n \in G}

Best(c, G) == {best \in Tips(c, G) :
                 \/ \A other \in Tips(c, G) : AtLeastAsGood(best, other)
                 \/ Flaw = "pick-any" /\ \A other \in Tips(c, G) : Len(best) >= Len(other)}

\* All who elected show the same tip at the same ballot: it is committed already.
AlreadyCommitted(c, G, best) ==
  /\ best # <<>>
  /\ LET h == Len(best) IN
     \A other \in Tips(c, G) : /\ Len(other) = h /\ SameEntry(other[h], best[h])
                               /\ other[h].ballot = best[h].ballot \/ Flaw = "ballot-blind"

MayBeElected(c, G) ==
  /\ Quorum(G, Nodes)
  /\ Flaw = "early-read" => \A n \in G : promised[n] >= epoch[c] \* a stand-in for "n granted"
  /\ ~Leads(c) \/ (Flaw = "second-pick" /\ DOMAIN grants[c] = Nodes) \* broken: picks again once all grants have come

Elect(c) == \E G \in SUBSET DOMAIN grants[c] : \E best \in Best(c, G) :
  /\ MayBeElected(c, G)
  /\ LET h == Len(best)
         again == [best EXCEPT ![h].ballot = epoch[c]] IN
     \/ /\ best = <<>>                            \* nothing there: height 1 is ours to propose
        /\ chain' = [chain EXCEPT ![c] = <<Own(c)>>]
        /\ UNCHANGED committed
     \/ /\ best # <<>>                            \* append the tip again, unchanged, under the new ballot
        /\ chain' = [chain EXCEPT ![c] = again]
        /\ UNCHANGED committed
     \/ /\ AlreadyCommitted(c, G, best)           \* or go on at once
        /\ committed' = [committed EXCEPT ![h] = @ \cup {best[h]}]
        /\ chain' = [chain EXCEPT ![c] = IF h < MaxHeight THEN Append(best, Own(c)) ELSE again]
  /\ grants' = IF Flaw = "second-pick" THEN grants ELSE [grants EXCEPT ![c] = <<>>] \* never looked at again
  /\ acks' = [acks EXCEPT ![c] = {}]
  /\ UNCHANGED <<promised, log, blank, epoch>>

-----------------------------------------------------------------------------
(* append: checks the epoch, never the seat.  Height InFlight(c) is the write in flight, everything below is backfill. *)

\* The node holds something above this height.  Its answer says whether it holds the same entry here.
Ahead(n, h) == Len(log[n]) > h
Holds(n, h, entry) == Len(log[n]) >= h /\ SameEntry(log[n][h], entry)

Accept(c, n, h, entry) ==
  /\ promised' = [promised EXCEPT ![n] = epoch[c]]
  /\ log' = [log EXCEPT ![n] = Put(@, h, entry)]

WriteTo(c, n, h) == LET entry == Offered(c, h) IN
  /\ Leads(c) /\ Answers(n) /\ h \in 1..InFlight(c) /\ chain[c][h] # Trimmed
  /\ epoch[c] >= promised[n]
  /\ \/ /\ IF Flaw = "no-parent-check" THEN Len(log[n]) >= h - 1 /\ ~Ahead(n, h) ELSE Takes(log[n], chain[c], h, entry)
        /\ Flaw \in {"never-replace", "height-exists"} => (Len(log[n]) = h => Holds(n, h, entry))
        /\ Accept(c, n, h, entry)
     \/ /\ Ahead(n, h) /\ Holds(n, h, entry)
        /\ UNCHANGED <<promised, log>>
     \/ /\ Flaw = "height-exists" /\ Len(log[n]) >= h      \* as published: whatever is there counts as this entry
        /\ UNCHANGED <<promised, log>>
     \/ /\ Flaw = "ahead-blind" /\ Ahead(n, h)             \* a node that is ahead counts, whatever it holds at this height
        /\ UNCHANGED <<promised, log>>
  /\ acks' = IF h = InFlight(c) \/ Flaw = "any-ack" THEN [acks EXCEPT ![c] = @ \cup {n}] ELSE acks
  /\ UNCHANGED <<blank, epoch, grants, chain, committed>>

\* A node far behind begins anew at an entry that this leader knows to be committed.  Its promise is kept.
Rebase(c, n, h) ==
  /\ Leads(c) /\ Answers(n) /\ h \in 1..InFlight(c) - 1 /\ chain[c][h] # Trimmed
  /\ epoch[c] >= promised[n] /\ Len(log[n]) < h
  /\ promised' = [promised EXCEPT ![n] = epoch[c]]
  /\ log' = [log EXCEPT ![n] = BasedOn(h, Offered(c, h))]
  /\ UNCHANGED <<blank, epoch, grants, chain, acks, committed>>

\* A quorum acknowledged the same (height, ballot, hash).  The leader goes on at the next height.
Commit(c) == LET h == InFlight(c) IN
  /\ Leads(c) /\ Quorum(acks[c], Nodes)
  /\ Offered(c, h) \notin committed[h] \/ h < MaxHeight
  /\ committed' = [committed EXCEPT ![h] = @ \cup {Offered(c, h)}]
  /\ IF h < MaxHeight
     THEN /\ chain' = [chain EXCEPT ![c] = Append(@, Own(c))]
          /\ acks' = [acks EXCEPT ![c] = {}]
     ELSE UNCHANGED <<chain, acks>>
  /\ UNCHANGED <<promised, log, blank, epoch, grants>>

-----------------------------------------------------------------------------
(* A node loses its data.  It answers BLANK from then on: to the protocol it has crashed. *)

Lose(n) == /\ n \in MayLose /\ n \notin blank
           /\ blank' = blank \cup {n}
           /\ promised' = [promised EXCEPT ![n] = 0]
           /\ log' = [log EXCEPT ![n] = <<>>]
           /\ UNCHANGED <<epoch, grants, chain, acks, committed>>

\* Only in a broken protocol: a leader takes a blank node back as the member that it was, with its own epoch as the
\* promise and its last committed entry as the tip.
Readmit(c, n) ==
  /\ Flaw = "readmit" /\ n \in blank /\ Leads(c)
  /\ blank' = blank \ {n}
  /\ promised' = [promised EXCEPT ![n] = epoch[c]]
  /\ LET h == LastCommitted(c) IN log' = [log EXCEPT ![n] = IF h = 0 THEN <<>> ELSE BasedOn(h, Offered(c, h))]
  /\ UNCHANGED <<epoch, grants, chain, acks, committed>>

Next == \/ \E c \in Candidates : Elect(c) \/ Commit(c)
        \/ \E c \in Candidates, n \in Nodes :
             \/ Promote(c, n) \/ Read(c, n) \/ Readmit(c, n)
             \/ \E h \in Heights : WriteTo(c, n, h) \/ Rebase(c, n, h)
        \/ \E n \in Nodes : Lose(n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

\* INV-3: at most one entry is ever committed at a height.
NoFork == \A h \in Heights : \A x, y \in committed[h] : x.author = y.author

\* INV-3: what was committed is never lost.  Whoever leads at a higher epoch has it in its chain.
LeaderChainHasCommitted ==
  \A c \in Candidates, h \in Heights : \A x \in committed[h] :
    Leads(c) /\ epoch[c] > x.ballot =>
      Len(chain[c]) >= h /\ (chain[c][h] = Trimmed \/ chain[c][h].author = x.author)

\* Why a reader may trust an entry that has a successor on the same node.
BelowTipCommitted ==
  \A n \in Nodes : \A h \in 1..Len(log[n]) - 1 :
    log[n][h] = Trimmed \/ \E x \in committed[h] : SameEntry(x, log[n][h])

\* INV-1: a node never accepted above what it promised, and along the committed chain epochs only grow: a higher entry
\* is by the same term or by one with a greater epoch, never by another term of an equal one.
EpochsGrow ==
  /\ \A n \in Nodes : TipBallot(log[n]) <= promised[n]
  /\ \A h \in 1..MaxHeight - 1 : \A x \in committed[h], y \in committed[h + 1] :
       x.author = y.author \/ epoch[x.author] < epoch[y.author]

\* For the stall: is there an entry that a quorum holds or could still take at height 1, if nothing is ever replaced?
SomethingCanBeChosen ==
  \E c \in Candidates : Quorum({n \in Nodes : log[n] = <<>> \/ log[n][1].author = c}, Nodes)

SymmetricNodes == Permutations(Nodes)
Symmetric == SymmetricNodes \cup Permutations(Candidates)

\* Narrows a search for a counterexample, and so never used where we claim that there is none: candidates act one after
\* the other in the order of their epochs, each is elected, asks no more nodes than that takes, and writes only to nodes
\* that granted.
OneAfterTheOther ==
  /\ \A c, d \in Candidates : epoch[c] < epoch[d] =>
       IF \E n \in Nodes : promised[n] >= epoch[d]
       THEN grants'[c] = grants[c] /\ chain'[c] = chain[c] /\ acks'[c] = acks[c]
       ELSE DOMAIN grants'[d] # {} => Leads(c)
  /\ \A c \in Candidates : ~Leads(c) => 2 * (Cardinality(DOMAIN grants'[c]) - 1) <= Cardinality(Nodes)
  /\ promised' # promised => grants' # grants

NothingIsChosen == \A c \in Candidates : ~Quorum({n \in Nodes : log[n] # <<>> /\ log[n][1].author = c}, Nodes)
=============================================================================
