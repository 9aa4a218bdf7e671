(** Theorems 1, 2, 2.4 and 3.9 of LQS12, each stated with all that it assumes, to be read beside the paper's. Laws are finite and
    rational. Not here: Proposition 1; and Theorem 3.11, which is false as printed, and whose repair needs a recoding that is
    chosen at random on the sample.

    A dataset is a list of tuples of any length. [added D D']: D' has one tuple more (LQS12, A.1: D' = D and a tuple t);
    [private added E d A] compares each such pair in both orders. [sample b D] keeps each tuple with probability b,
    independently; [under_sampling b E d A] is (b, epsilon, delta)-differential privacy under sampling (Definition 3),
    with E = e^epsilon. The condition b > delta of Definition 3 is left out: in Theorem 1 delta2/b2 = delta1/b1, so
    that it holds at b2 > 0 where it holds at b1; Theorems 2 and 2.4 change neither; in Theorem 3.9 it can fail, and is then
    not claimed. Proofs: Sampling.v, PostProcessing.v, Crowds.v. *)

From PK Require Import PartialKnowledge Laws Sampling.
From PK Require PostProcessing BinomialTail Crowds.
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

  (** Theorem 1 at b1 = 1, section 2.4's amplification effect: from (epsilon, delta)-DP itself. *)
  Theorem amplification_by_sampling : forall b E d A, 0 <= b <= 1 -> 1 <= E -> 0 <= d -> (forall D, law (A D)) ->
    private added E d A -> under_sampling b (1 + b * (E - 1)) (b * d) A.
  Proof. exact amplification. Qed.

  (** Theorem 2 (as printed): a further step that sees the output alone keeps (b, epsilon, delta)-DPS. *)
  Theorem theorem_2 : forall (O' : Type) (l : Label O) b E d A (K : O -> measure O'),
    (forall o, law (K o)) -> under_sampling b E d A -> under_sampling b E d (fun D => bind (A D) K).
  Proof.
    intros O' l b E d A K L P D D' a. unfold sampled.
    eapply indistinguishable_alike; [apply PostProcessing.bind_bind|apply PostProcessing.bind_bind|].
    apply PostProcessing.indistinguishable_bind; [exact L|exact (P D D' a)].
  Qed.

  (** Theorem 2.4 (as printed): what runs either of two (b, epsilon, delta)-DPS algorithms, the first with probability p, is
      (b, epsilon, delta)-DPS. *)
  Theorem theorem_2_4 : forall b E d p A A', 0 <= p <= 1 ->
    under_sampling b E d A -> under_sampling b E d A' -> under_sampling b E d (fun D => mix p (A D) (A' D)).
  Proof.
    intros b E d p A A' r P P' D D' a. unfold sampled.
    eapply indistinguishable_alike; [apply PostProcessing.bind_mix|apply PostProcessing.bind_mix|].
    apply PostProcessing.indistinguishable_mix; [exact r|exact (P D D' a)|exact (P' D D' a)].
  Qed.
End Statements.

(** Theorem 3.9 (as printed, but for Definition 3's b > delta, which need not hold: never for k = 1): a strongly safe
    k-anonymization recodes by a fixed g, and releases for each recoded value (the list [cells], any) how many tuples have
    it, or 0 where these are fewer than k. After sampling at rate b < 1 it is (epsilon, delta)-DP, for
    epsilon >= -ln(1 - b) and delta at least P[X > gamma*n] for all n >= n0, X binomial with n trials and rate b, where
    gamma = (e^epsilon - 1 + b)/e^epsilon; n0 is any number with gamma*n0 < k, so the paper's ceil(k/gamma - 1). *)
Theorem theorem_3_9 : forall (T C : Type) (lC : Label C) (g : T -> C) (k : nat) (cells : list C) b E d n0,
  0 <= b -> b < 1 -> 1 <= E * (1 - b) -> 0 <= d -> (E - 1 + b) / E * BinomialTail.natQ n0 < BinomialTail.natQ k ->
  (forall n, (n0 <= n)%nat -> Pr (BinomialTail.successes n b)
    (fun j => negb (Qle_bool (BinomialTail.natQ j) ((E - 1 + b) / E * BinomialTail.natQ n))) <= d) ->
  under_sampling b E d (Crowds.anonymization g k cells).
Proof. intros T C lC. exact Crowds.safe_sampling. Qed.
