----------------------------- MODULE Published ------------------------------
(***************************************************************************)
(* The design that ours grew from, as it was published, for one height.    *)
(* Each node has a seat with a TTL, a counter for epochs and the entry.    *)
(*                                                                         *)
(*   promote  takes the seat if it is free and counts the node's epoch up; *)
(*            the candidate's epoch is the greatest that it was given      *)
(*   read     some time after a quorum of seats: looks at a quorum of logs *)
(*            and proposes the newest entry found there, or its own        *)
(*   write    to nodes whose seat it still holds.  A node that has an      *)
(*            entry answers HEIGHT_EXISTS                                  *)
(*                                                                         *)
(* Rules = "published": an entry is never overwritten, and the repair      *)
(* counts HEIGHT_EXISTS as "has it".                                       *)
(* Rules = "naive-fix": an entry of a lower epoch is overwritten, only     *)
(* real writes count, and only nodes that granted are read.  Epochs are    *)
(* still counted per node, and still read after the grant.                 *)
(*                                                                         *)
(* The quorum is a majority; the published ceil(N/2)+1 is three of three,  *)
(* which hides the fork and stops with the first dead node.                *)
(***************************************************************************)
EXTENDS Logs

CONSTANTS Nodes, Candidates, Rules

None == "none"
Empty == [epoch |-> 0, author |-> None]

VARIABLES seat,        \* node -> the holder, until the TTL ends
          counter,     \* node -> its epoch
          entry,       \* node -> its entry at the one height
          epoch,       \* candidate -> the greatest epoch it was given
          grants,      \* candidate -> nodes whose seat it was given
          value,       \* candidate -> what it proposes; None until it has read
          acks,        \* candidate -> nodes that it believes to have it
          committed

vars == <<seat, counter, entry, epoch, grants, value, acks, committed>>

Init == /\ seat = [n \in Nodes |-> None]
        /\ counter = [n \in Nodes |-> 0]
        /\ entry = [n \in Nodes |-> Empty]
        /\ epoch = [c \in Candidates |-> 0]
        /\ grants = [c \in Candidates |-> {}]
        /\ value = [c \in Candidates |-> None]
        /\ acks = [c \in Candidates |-> {}]
        /\ committed = {}

Expire(n) == /\ seat[n] # None
             /\ seat' = [seat EXCEPT ![n] = None]
             /\ UNCHANGED <<counter, entry, epoch, grants, value, acks, committed>>

Promote(c, n) ==
  /\ value[c] = None /\ seat[n] = None /\ n \notin grants[c]
  /\ seat' = [seat EXCEPT ![n] = c]
  /\ counter' = [counter EXCEPT ![n] = @ + 1]
  /\ epoch' = [epoch EXCEPT ![c] = IF @ > counter[n] THEN @ ELSE counter[n] + 1]
  /\ grants' = [grants EXCEPT ![c] = @ \cup {n}]
  /\ UNCHANGED <<entry, value, acks, committed>>

Newest(found) == {e \in found : \A other \in found : e.epoch >= other.epoch}

Read(c, R) ==
  /\ value[c] = None /\ Quorum(grants[c], Nodes) /\ Quorum(R, Nodes)
  /\ Rules = "naive-fix" => R \subseteq grants[c]
  /\ LET found == {entry[n] : n \in R} \ {Empty} IN
     \E v \in IF found = {} THEN {c} ELSE {e.author : e \in Newest(found)} : value' = [value EXCEPT ![c] = v]
  /\ UNCHANGED <<seat, counter, entry, epoch, grants, acks, committed>>

Write(c, n) ==
  /\ value[c] # None /\ seat[n] = c /\ epoch[c] >= counter[n]
  /\ counter' = [counter EXCEPT ![n] = epoch[c]]
  /\ LET overwrites == Rules = "naive-fix" /\ entry[n].epoch <= epoch[c] IN
     entry' = IF entry[n] = Empty \/ overwrites THEN [entry EXCEPT ![n] = [epoch |-> epoch[c], author |-> value[c]]]
              ELSE entry                                   \* HEIGHT_EXISTS
  /\ acks' = [acks EXCEPT ![c] = @ \cup {n}]
  /\ UNCHANGED <<seat, epoch, grants, value, committed>>

Commit(c) == /\ value[c] # None /\ Quorum(acks[c], Nodes)
             /\ committed' = committed \cup {value[c]}
             /\ UNCHANGED <<seat, counter, entry, epoch, grants, value, acks>>

Next == \/ \E n \in Nodes : Expire(n)
        \/ \E c \in Candidates : Commit(c) \/ \E R \in SUBSET Nodes : Read(c, R)
        \/ \E c \in Candidates, n \in Nodes : Promote(c, n) \/ Write(c, n)

Spec == Init /\ [][Next]_vars

NoFork == Cardinality(committed) <= 1                                                                   \* INV-3

Symmetric == Permutations(Nodes) \cup Permutations(Candidates)
=============================================================================
