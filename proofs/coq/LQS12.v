(** The theorems of LQS12 in full: each statement with all that it assumes, to be read beside the paper's.

    A dataset is a list of tuples of any length. [added D D']: D' has one tuple more (LQS12, A.1: D' = D and a tuple t);
    [private added E d A] compares each such pair in both orders. [sample b D] keeps each tuple with probability b,
    independently; [under_sampling b E d A] is (b, epsilon, delta)-differential privacy under sampling (Definition 3),
    with E = e^epsilon. The condition b > delta of Definition 3 plays no part. Proofs: Sampling.v, PostProcessing.v. *)

From PK Require Import PartialKnowledge Laws Sampling.
Import ListNotations.
Open Scope Q_scope.

Section Statements.
  Context {T O : Type}.
  Implicit Types A : list T -> measure O.

  (** Theorem 1, for 0 < b2 <= b1 <= 1 (as printed, but for the rate b2 = 0): (b1, epsilon1, delta1)-DPS implies
      (b2, epsilon2, delta2)-DPS with epsilon2 = ln(1 + (b2/b1)(e^epsilon1 - 1)) and delta2 = (b2/b1) delta1. *)
  Theorem theorem_1 : forall b1 b2 E d A, 0 < b2 -> b2 <= b1 -> b1 <= 1 -> 1 <= E -> 0 <= d -> (forall D, law (A D)) ->
    under_sampling b1 E d A -> under_sampling b2 (1 + b2 / b1 * (E - 1)) (b2 / b1 * d) A.
  Proof. exact lqs12_theorem_1. Qed.

  (** Theorem 1 at b1 = 1, what the field calls amplification by sampling: from (epsilon, delta)-DP itself. *)
  Theorem amplification_by_sampling : forall b E d A, 0 <= b <= 1 -> 1 <= E -> 0 <= d -> (forall D, law (A D)) ->
    private added E d A -> under_sampling b (1 + b * (E - 1)) (b * d) A.
  Proof. exact amplification. Qed.
End Statements.
