------------------------------- MODULE NodeSet ------------------------------
(***************************************************************************)
(* The Redis authority while its set of nodes changes.  The set is ledger  *)
(* content: an entry may install a new one, which governs from the next    *)
(* height on.  Growing, shrinking and replacing a lost member are the same *)
(* thing.                                                                  *)
(*                                                                         *)
(* What Ledger.tla says of seats, of lost replies and of crashes holds     *)
(* here as well.  A member that lost its data never answers again under    *)
(* its id, so it is a member that takes no further step; its machine comes *)
(* back under a fresh id, by admission.                                    *)
(*                                                                         *)
(*   RULE A  A candidate is elected by grants from a quorum of the set     *)
(*           that governs its best tip, and of the set which that tip      *)
(*           itself would install.                                         *)
(*   RULE B  A leader proposes a new set only if its standing has a quorum *)
(*           of it: members that granted its election, that took an entry  *)
(*           of its ballot as their tip, or that it admitted itself.       *)
(*                                                                         *)
(* Flaw is "none" for our protocol, otherwise the rule that is broken.     *)
(***************************************************************************)
EXTENDS Logs

CONSTANTS Members,     \* all ids that ever occur
          First,       \* the set that governs height 1
          Changes,     \* the sets that a leader may propose
          Candidates,  \* one term each
          MaxEpoch, MaxHeight,
          Ranked,      \* all epochs differ; narrows a search
          MayLose,     \* members that may lose their data; matters only where a flaw lets them answer again
          Flaw

VARIABLES admitted,    \* members that hold an admission record
          blank,       \* members that lost their data
          promised,    \* member -> the greatest epoch it promised
          log,         \* member -> its log
          first,       \* member -> the set that governs where its log begins, from its admission record
          epoch,       \* candidate -> the epoch it proposes
          grants,      \* candidate -> (member that granted -> what it returned with the grant)
          chain,       \* candidate -> the chain it leads, the last entry in flight; empty until it is elected
          standing,    \* candidate -> members that can no longer surprise it
          acks,        \* candidate -> members that acknowledged the entry in flight
          committed    \* height -> entries that some leader saw committed

vars == <<admitted, blank, promised, log, first, epoch, grants, chain, standing, acks, committed>>

(* An entry carries, besides ballot and author, the set that governs it and the set that governs what follows it. *)
Heights == 1..MaxHeight
Leads(c) == chain[c] # <<>>
InFlight(c) == Len(chain[c])
Offered(c, h) == [chain[c][h] EXCEPT !.ballot = epoch[c]]
\* The greatest height that this leader knows to be committed.
LastCommitted(c) == LET h == InFlight(c) IN IF Offered(c, h) \in committed[h] THEN h ELSE h - 1
Votes(m) == m \in admitted /\ (m \notin blank \/ Flaw = "blank-votes")

\* The sets a leader may write into its next entry, where S governs: the same again, or a change that Rule B allows.
NextSets(S, known) == {S} \cup {T \in Changes \ {S} : Quorum(known, T) \/ Flaw = "rule-b-off"}
Own(c, S, T) == [ballot |-> epoch[c], author |-> c, under |-> S, after |-> T]

Init == /\ admitted = First /\ blank = {}
        /\ promised = [m \in Members |-> 0]
        /\ log = [m \in Members |-> <<>>]
        /\ first = [m \in Members |-> IF m \in First THEN First ELSE {}]
        /\ epoch \in IF Ranked THEN {AllDifferent(Candidates)} ELSE {e \in [Candidates -> 1..MaxEpoch] : Gapless(e)}
        /\ grants = [c \in Candidates |-> <<>>]
        /\ chain = [c \in Candidates |-> <<>>]
        /\ standing = [c \in Candidates |-> {}]
        /\ acks = [c \in Candidates |-> {}]
        /\ committed = [h \in Heights |-> {}]

-----------------------------------------------------------------------------
(* promote *)

Promote(c, m) ==
  /\ Votes(m) /\ epoch[c] > promised[m]
  /\ promised' = [promised EXCEPT ![m] = epoch[c]]
  /\ grants' = IF Leads(c) THEN grants ELSE [grants EXCEPT ![c] = (m :> [log |-> log[m], first |-> first[m]]) @@ @]
  /\ UNCHANGED <<admitted, blank, log, first, epoch, chain, standing, acks, committed>>

-----------------------------------------------------------------------------
(* recovery.  Grants of members outside of the two sets do not count towards a quorum; whether their tips are looked *)
(* at is left open, so both ways are checked.                                                                        *)

Tips(c, G) == {grants[c][m].log : m \in G}
Governs(grant) == IF grant.log = <<>> THEN grant.first ELSE grant.log[Len(grant.log)].under
Follows(grant) == IF grant.log = <<>> THEN grant.first ELSE grant.log[Len(grant.log)].after

AlreadyCommitted(c, G, grant) ==
  /\ grant.log # <<>>
  /\ LET h == Len(grant.log)
         same == {m \in G : Len(grants[c][m].log) = h /\ grants[c][m].log[h] = grant.log[h]}
     IN Quorum(same, Governs(grant))

Elect(c) == \E G \in SUBSET DOMAIN grants[c] : \E m \in G :
  LET grant == grants[c][m]
      best == grant.log
      h == Len(best)
      again == [best EXCEPT ![h].ballot = epoch[c]]
      S == Follows(grant)
  IN
  /\ ~Leads(c)
  /\ \A other \in Tips(c, G) : AtLeastAsGood(best, other)
  /\ Quorum(G, Governs(grant))
  /\ Quorum(G, S) \/ Flaw = "rule-a-off"
  /\ \/ /\ best = <<>>
        /\ \E T \in NextSets(S, G) : chain' = [chain EXCEPT ![c] = <<Own(c, S, T)>>]
        /\ UNCHANGED committed
     \/ /\ best # <<>>
        /\ chain' = [chain EXCEPT ![c] = again]
        /\ UNCHANGED committed
     \/ /\ AlreadyCommitted(c, G, grant)
        /\ committed' = [committed EXCEPT ![h] = @ \cup {best[h]}]
        /\ IF h < MaxHeight THEN \E T \in NextSets(S, G) : chain' = [chain EXCEPT ![c] = Append(best, Own(c, S, T))]
           ELSE chain' = [chain EXCEPT ![c] = again]
  /\ grants' = [grants EXCEPT ![c] = <<>>]
  /\ standing' = [standing EXCEPT ![c] = G]
  /\ acks' = [acks EXCEPT ![c] = {}]
  /\ UNCHANGED <<admitted, blank, promised, log, first, epoch>>

-----------------------------------------------------------------------------
(* append, with backfill below the entry in flight; rebase; commit *)

WriteTo(c, m, h) == LET entry == Offered(c, h) IN
  /\ Leads(c) /\ Votes(m) /\ h \in 1..InFlight(c) /\ chain[c][h].ballot # 0
  /\ epoch[c] >= promised[m]
  /\ \/ /\ Takes(log[m], chain[c], h, entry)
        /\ promised' = [promised EXCEPT ![m] = epoch[c]]
        /\ log' = [log EXCEPT ![m] = Put(@, h, entry)]
        /\ standing' = [standing EXCEPT ![c] = @ \cup {m}]
     \/ /\ Len(log[m]) > h /\ SameEntry(log[m][h], entry)
        /\ UNCHANGED <<promised, log, standing>>
  /\ acks' = IF h = InFlight(c) THEN [acks EXCEPT ![c] = @ \cup {m}] ELSE acks
  /\ UNCHANGED <<admitted, blank, first, epoch, grants, chain, committed>>

Rebase(c, m, h) ==
  /\ Leads(c) /\ Votes(m) /\ h \in 1..InFlight(c) - 1 /\ chain[c][h].ballot # 0
  /\ epoch[c] >= promised[m] /\ Len(log[m]) < h
  /\ promised' = [promised EXCEPT ![m] = epoch[c]]
  /\ log' = [log EXCEPT ![m] = BasedOn(h, Offered(c, h))]
  /\ standing' = [standing EXCEPT ![c] = @ \cup {m}]
  /\ UNCHANGED <<admitted, blank, first, epoch, grants, chain, acks, committed>>

Commit(c) == LET h == InFlight(c)
                 S == chain[c][h].after IN
  /\ Leads(c) /\ Quorum(acks[c], chain[c][h].under)
  /\ Offered(c, h) \notin committed[h] \/ h < MaxHeight
  /\ committed' = [committed EXCEPT ![h] = @ \cup {Offered(c, h)}]
  /\ IF h < MaxHeight
     THEN /\ \E T \in NextSets(S, standing[c]) : chain' = [chain EXCEPT ![c] = Append(@, Own(c, S, T))]
          /\ acks' = [acks EXCEPT ![c] = {}]
     ELSE UNCHANGED <<chain, acks>>
  /\ UNCHANGED <<admitted, blank, promised, log, first, epoch, grants, standing>>

-----------------------------------------------------------------------------
(* admission: a fresh id receives the leader's epoch as its promise, the governing set, and the last committed entry. *)

Admit(c, m) ==
  /\ Leads(c)
  /\ m \notin admitted \/ (Flaw = "readmit" /\ m \in blank)
  /\ admitted' = admitted \cup {m}
  /\ blank' = blank \ {m}
  /\ promised' = [promised EXCEPT ![m] = IF Flaw = "admit-without-promise" THEN 0 ELSE epoch[c]]
  /\ LET h == LastCommitted(c) IN
     /\ h > 0 => chain[c][h].ballot # 0
     /\ first' = [first EXCEPT ![m] = IF h = 0 THEN chain[c][1].under ELSE chain[c][h].after]
     /\ log' = [log EXCEPT ![m] = IF h = 0 \/ Flaw = "admit-without-tip" THEN <<>> ELSE BasedOn(h, Offered(c, h))]
  /\ standing' = [standing EXCEPT ![c] = @ \cup {m}]
  /\ UNCHANGED <<epoch, grants, chain, acks, committed>>

Lose(m) == /\ m \in MayLose /\ m \in admitted /\ m \notin blank
           /\ blank' = blank \cup {m}
           /\ promised' = [promised EXCEPT ![m] = 0]
           /\ log' = [log EXCEPT ![m] = <<>>]
           /\ UNCHANGED <<admitted, first, epoch, grants, chain, standing, acks, committed>>

Next == \/ \E c \in Candidates : Elect(c) \/ Commit(c)
        \/ \E c \in Candidates, m \in Members :
             \/ Promote(c, m) \/ Admit(c, m)
             \/ \E h \in Heights : WriteTo(c, m, h) \/ Rebase(c, m, h)
        \/ \E m \in Members : Lose(m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold: the same as in Ledger.tla. *)

NoFork == \A h \in Heights : \A x, y \in committed[h] : x.author = y.author                           \* INV-3

LeaderChainHasCommitted ==                                                                              \* INV-3
  \A c \in Candidates, h \in Heights : \A x \in committed[h] :
    Leads(c) /\ epoch[c] > x.ballot =>
      Len(chain[c]) >= h /\ (chain[c][h].ballot = 0 \/ chain[c][h].author = x.author)

BelowTipCommitted ==
  \A m \in Members : \A h \in 1..Len(log[m]) - 1 :
    log[m][h].ballot = 0 \/ \E x \in committed[h] : SameEntry(x, log[m][h])

EpochsGrow ==                                                                                           \* INV-1
  /\ \A m \in Members : TipBallot(log[m]) <= promised[m]
  /\ \A h \in 1..MaxHeight - 1 : \A x \in committed[h], y \in committed[h + 1] :
       x.author = y.author \/ epoch[x.author] < epoch[y.author]

\* INV-3 once more: the sets that the chain names are those that decided, at each height the set after the last.
SetsFollow == \A h \in 1..MaxHeight - 1 : \A x \in committed[h], y \in committed[h + 1] : y.under = x.after

\* Members may be exchanged if that leaves the first set and the changes as they are.
Image(p, S) == {p[m] : m \in S}
SymmetricMembers == {p \in Permutations(Members) : Image(p, First) = First /\ {Image(p, S) : S \in Changes} = Changes}
Symmetric == SymmetricMembers \cup Permutations(Candidates)

(* A promise that serves nobody only forbids: whatever can happen after it can happen without it.  So a search may leave *)
(* out grants that come too late or are not used, and loses no fork.  Ledger.tla is checked with them.                  *)
EveryGrantServes ==
  /\ promised' # promised => grants' # grants \/ log' # log \/ admitted' # admitted \/ blank' # blank
  /\ \A c \in Candidates : chain[c] = <<>> /\ chain'[c] # <<>> => standing'[c] = DOMAIN grants[c]

(* A leader at the last height proposes nothing any more: its standing does not matter. *)
WhatMatters == <<admitted, blank, promised, log, first, epoch, grants, chain, acks, committed,
                 [c \in Candidates |-> IF Len(chain[c]) = MaxHeight THEN {} ELSE standing[c]]>>
=============================================================================
