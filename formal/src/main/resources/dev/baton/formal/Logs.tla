-------------------------------- MODULE Logs --------------------------------
(***************************************************************************)
(* What can be said about one node's log, without saying whose it is.      *)
(*                                                                         *)
(* A log is a sequence: position h holds the entry at height h.  An entry  *)
(* is a record with at least                                               *)
(*   ballot   the epoch under which the node accepted it,                  *)
(*   author   the candidate that first proposed it.                        *)
(* A term offers one entry at a height (INV-5), so height and author stand *)
(* for the hash: two entries at one height are the same entry exactly if   *)
(* their authors are.  The ballot is outside of the hash; a later leader   *)
(* carries an entry over unchanged and only the ballot grows.              *)
(*                                                                         *)
(* A log that was rebased begins above height 1.  What is below is filled  *)
(* with Trimmed, which is no entry: it matches nothing.                    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences, TLC

Trimmed == [ballot |-> 0, author |-> "trimmed"]

Quorum(members, set) == 2 * Cardinality(members \cap set) > Cardinality(set)

SameEntry(x, y) == x.author = y.author /\ x # Trimmed

TipBallot(log) == IF log = <<>> THEN 0 ELSE log[Len(log)].ballot

\* Recovery's order: the greater height, and there the greater ballot.  Never by count, never by age.
AtLeastAsGood(x, y) == \/ Len(x) > Len(y)
                       \/ Len(x) = Len(y) /\ TipBallot(x) >= TipBallot(y)

\* Is the parent of height h on this log the one that the chain has?  Of a rebased log's first entry the node knows
\* only what that entry itself says of its parent; the model is generous there and lets every parent pass.
ParentMatches(log, chain, h) == IF h = 1 THEN TRUE
                                ELSE log[h - 1] = Trimmed \/ SameEntry(log[h - 1], chain[h - 1])

\* The rule by which a node takes an entry into its log (INV-4): at the next height, or in place of its tip if the
\* tip was accepted at a lower ballot; the parent matches either way.  The same entry again is well, too.
Takes(log, chain, h, entry) ==
  CASE Len(log) = h - 1 -> ParentMatches(log, chain, h)
    [] Len(log) = h     -> log[h] = entry \/ (log[h].ballot < entry.ballot /\ ParentMatches(log, chain, h))
    [] OTHER            -> FALSE

Put(log, h, entry) == SubSeq(log, 1, h - 1) \o <<entry>>

\* A log that begins at this entry.
BasedOn(h, entry) == [i \in 1..h |-> IF i = h THEN entry ELSE Trimmed]

\* Epochs are chosen freely and two candidates may choose the same one.  Only their order matters, so it is enough to
\* look at choices that leave no epoch out.
AllDifferent(candidates) == CHOOSE e \in [candidates -> 1..Cardinality(candidates)] : \A c, d \in candidates : c # d => e[c] # e[d]
Gapless(epochs) == LET used == {epochs[c] : c \in DOMAIN epochs} IN used = 1..Cardinality(used)
=============================================================================
