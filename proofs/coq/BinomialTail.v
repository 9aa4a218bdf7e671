(** The upper tail of a binomial law: DMKB20, Lemma 2.

    [successes n p] is the law of the number of successes in n independent trials; [binomial n p m] is the closed form of
    its probabilities, the paper's f(m, n, p). *)

From PK Require Import PartialKnowledge Laws.
Import ListNotations.
Open Scope Q_scope.

Definition natQ (m : nat) : Q := inject_Z (Z.of_nat m).
Lemma natQ_plus a b : natQ (a + b) == natQ a + natQ b.
Proof. unfold natQ. now rewrite Nat2Z.inj_add, inject_Z_plus. Qed.
Lemma natQ_mult a b : natQ (a * b) == natQ a * natQ b.
Proof. unfold natQ. now rewrite Nat2Z.inj_mul, inject_Z_mult. Qed.
Lemma natQ_le a b : (a <= b)%nat -> natQ a <= natQ b.
Proof. intros h. unfold natQ. rewrite <- Zle_Qle. lia. Qed.
Lemma natQ_lt a b : (a < b)%nat -> natQ a < natQ b.
Proof. intros h. unfold natQ. rewrite <- Zlt_Qlt. lia. Qed.
Lemma natQ_pos a : 0 <= natQ a.
Proof. apply (natQ_le 0). lia. Qed.

Lemma choose_zero n m : (n < m)%nat -> choose n m = 0%nat.
Proof. revert m. induction n as [|n IH]; intros [|m] h; cbn; try lia. rewrite !IH by lia. reflexivity. Qed.
(** (m + 1)*C(n, m + 1) = (n - m)*C(n, m). *)
Lemma choose_step n m : (S m * choose n (S m) = (n - m) * choose n m)%nat.
Proof.
  revert m. induction n as [|n IH]; intros m; [cbn; lia|]. destruct m as [|m].
  - specialize (IH 0%nat). cbn [choose] in *. destruct n; cbn [choose] in *; lia.
  - cbn [choose]. assert (a := IH m). assert (b := IH (S m)). destruct (Nat.lt_ge_cases m n) as [l|g].
    + replace (n - S m)%nat with (n - m - 1)%nat in b by lia. replace (S n - S m)%nat with (n - m)%nat by lia. nia.
    + rewrite (choose_zero n (S m)), (choose_zero n (S (S m))) by lia. replace (S n - S m)%nat with 0%nat by lia. lia.
Qed.

Lemma power_step q n : power q (S n) == q * power q n.
Proof. apply Qred_correct. Qed.
Lemma power_nonneg q n : 0 <= q -> 0 <= power q n.
Proof. intros h. induction n as [|n IH]; [cbn; lra|]. rewrite power_step. now apply Qmult_le_0_compat. Qed.
Lemma power_pos q n : 0 < q -> 0 < power q n.
Proof. intros h. induction n as [|n IH]; [cbn; lra|]. rewrite power_step. now apply Qmult_lt_0_compat. Qed.

(** f(m, n, p) = C(n, m)*p^m*(1 - p)^(n - m). *)
Definition binomial (n : nat) (p : Q) (m : nat) : Q := natQ (choose n m) * power p m * power (1 - p) (n - m).

Definition trial (p : Q) : measure nat := [(1%nat, p); (0%nat, 1 - p)].
Fixpoint successes (n : nat) (p : Q) : measure nat :=
  match n with O => [(0%nat, 1)] | S r => bind (trial p) (fun x => image (Nat.add x) (successes r p)) end.

Section Tail.
  Context (p : Q) (p0 : 0 <= p) (p1 : p < 1).
  Notation f := (fun n m => binomial n p m).

  Lemma binomial_pascal n m : binomial (S n) p (S m) == p * binomial n p m + (1 - p) * binomial n p (S m).
  Proof.
    unfold binomial. cbn [choose]. rewrite natQ_plus, power_step. replace (S n - S m)%nat with (n - m)%nat by lia.
    destruct (Nat.lt_ge_cases m n) as [l|g].
    - replace (n - m)%nat with (S (n - S m)) by lia. rewrite power_step. ring.
    - rewrite (choose_zero n (S m)) by lia. change (natQ 0) with 0. ring.
  Qed.
  Lemma binomial_none n : binomial (S n) p 0 == (1 - p) * binomial n p 0.
  Proof.
    unfold binomial. destruct n; cbn [choose Nat.sub]; rewrite ?power_step; cbn [power]; change (natQ 1) with 1; ring.
  Qed.

  Lemma successes_law n : law (successes n p).
  Proof.
    induction n as [|n IH]; [split; [intros x q [e|[]]; injection e as _ <-; lra|reflexivity]|].
    apply law_bind; [|intros; now apply law_image]. split.
    - intros x q [e|[e|[]]]; injection e as _ <-; lra.
    - unfold trial. cbn [map snd]. rewrite !sum_cons. cbn [sum]. ring.
  Qed.
  (** The closed form is the law of the number of successes. *)
  Theorem successes_at n m : at_ same (successes n p) m == binomial n p m.
  Proof.
    revert m. induction n as [|n IH]; intros m.
    - unfold at_. rewrite Pr_mean. cbn [successes]. rewrite mean_cons, mean_nil. unfold chi, is, binomial.
      destruct (same m 0%nat) as [->|D]; [cbn; reflexivity|]. destruct m; [congruence|]. cbn [choose]. change (natQ 0) with 0. ring.
    - cbn [successes]. unfold at_. rewrite Pr_bind. unfold trial. rewrite !mean_cons, mean_nil, !Pr_image.
      destruct m as [|m].
      + rewrite binomial_none, <- IH. unfold at_.
        rewrite (Pr_ext _ (fun x => is same 0%nat (1 + x)%nat) (fun _ => false)) by (intros x; unfold is; now destruct (same 0%nat (1 + x)%nat)).
        rewrite (Pr_ext _ (fun x => is same 0%nat (0 + x)%nat) (is same 0%nat)) by reflexivity.
        rewrite (Pr_mean _ (fun _ => false)), mean_zero by reflexivity. ring.
      + rewrite binomial_pascal, <- !IH. unfold at_.
        rewrite (Pr_ext _ (fun x => is same (S m) (1 + x)%nat) (is same m)).
        2:{ intros x. unfold is. destruct (same (S m) (1 + x)%nat), (same m x); try reflexivity; cbn in *; congruence. }
        rewrite (Pr_ext _ (fun x => is same (S m) (0 + x)%nat) (is same (S m))) by reflexivity. ring.
  Qed.
  Lemma successes_range n x q : In (x, q) (successes n p) -> (x <= n)%nat.
  Proof.
    revert x q. induction n as [|n IH]; intros x q J.
    - destruct J as [e|[]]. injection e as <- _. lia.
    - apply in_flat_map in J as [[y r] [J K]]. apply in_map_iff in K as [[z s] [e K]]. injection e as <- _.
      cbn [fst snd] in K. apply in_map_iff in K as [[u v] [e K]]. injection e as <- _. apply IH in K. cbn [fst].
      destruct J as [e|[e|[]]]; injection e as <- _; lia.
  Qed.

  Lemma binomial_nonneg n m : 0 <= binomial n p m.
  Proof.
    unfold binomial. apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; [apply natQ_pos|now apply power_nonneg|apply power_nonneg; lra].
  Qed.
  (** The proof of Lemma 2, neighbouring terms: (m + 1)*(1 - p)*f(m + 1) = (n - m)*p*f(m). *)
  Theorem binomial_step n m : natQ (S m) * (1 - p) * binomial n p (S m) == natQ (n - m) * p * binomial n p m.
  Proof.
    unfold binomial. assert (c := choose_step n m).
    assert (c' : natQ (S m) * natQ (choose n (S m)) == natQ (n - m) * natQ (choose n m)) by (rewrite <- !natQ_mult; now rewrite c).
    destruct (Nat.lt_ge_cases m n) as [l|g].
    - replace (n - m)%nat with (S (n - S m)) at 2 by lia. rewrite !power_step.
      transitivity (natQ (S m) * natQ (choose n (S m)) * p * power p m * (1 - p) * power (1 - p) (n - S m)); [ring|].
      rewrite c'. ring.
    - rewrite (choose_zero n (S m)) by lia. replace (n - m)%nat with 0%nat by lia. change (natQ 0) with 0. ring.
  Qed.

  (** pn/((1 - p)m), the quotient of the geometric series. *)
  Definition ratio (n m : nat) : Q := p * natQ n / ((1 - p) * natQ m).

  Section Bound.
    Context (n m : nat) (above : p * natQ n / (1 - p) < natQ m).

    Lemma m_pos : 0 < natQ m.
    Proof. eapply Qle_lt_trans; [|exact above]. apply div_pos; [lra|]. apply Qmult_le_0_compat; [exact p0|apply natQ_pos]. Qed.
    Lemma ratio_range : 0 <= ratio n m < 1.
    Proof.
      assert (M := m_pos). assert (N := natQ_pos n). unfold ratio. assert (D : 0 < (1 - p) * natQ m) by (apply Qmult_lt_0_compat; lra).
      split; [apply div_pos; [exact D|now apply Qmult_le_0_compat]|]. apply Qlt_shift_div_r; [exact D|].
      assert (e : p * natQ n == p * natQ n / (1 - p) * (1 - p)) by (field; lra). rewrite e.
      rewrite Qmult_1_l, (Qmult_comm (1 - p)). apply Qmult_lt_r; [lra|exact above].
    Qed.
    (** The proof of Lemma 2: f(j + 1) <= f(j)*pn/((1 - p)m) for j >= m. *)
    Theorem term_step j : (m <= j)%nat -> binomial n p (S j) <= ratio n m * binomial n p j.
    Proof.
      intros l. assert (M := m_pos). assert (e := binomial_step n j). assert (b := binomial_nonneg n j).
      assert (mj : natQ m <= natQ (S j)) by (apply natQ_le; lia). assert (nj : natQ (n - j) <= natQ n) by (apply natQ_le; lia).
      assert (D : 0 < natQ m * (1 - p)) by (apply Qmult_lt_0_compat; lra). assert (s := binomial_nonneg n (S j)).
      apply (Qmult_le_l _ _ _ D). unfold ratio.
      assert (r : natQ m * (1 - p) * (p * natQ n / ((1 - p) * natQ m) * binomial n p j) == natQ n * p * binomial n p j) by (field; lra).
      rewrite r. eapply Qle_trans; [|apply (Qmult_le_compat_r (natQ (n - j) * p) (natQ n * p)); [|exact b]].
      - rewrite <- e. apply Qmult_le_compat_r; [|exact s]. apply Qmult_le_compat_r; [exact mj|lra].
      - now apply Qmult_le_compat_r.
    Qed.
    Lemma terms K : forall j, (m <= j)%nat -> sum (map (binomial n p) (seq j K)) <= binomial n p j / (1 - ratio n m).
    Proof.
      assert (R := ratio_range). induction K as [|K IH]; intros j l.
      - cbn [seq map sum]. apply div_pos; [lra|apply binomial_nonneg].
      - cbn [seq map]. rewrite sum_cons. specialize (IH (S j) ltac:(lia)). assert (t := term_step j l).
        assert (x : binomial n p (S j) / (1 - ratio n m) <= ratio n m * binomial n p j / (1 - ratio n m)) by (apply div_mono; [lra|exact t]).
        assert (y : binomial n p j / (1 - ratio n m) == binomial n p j + ratio n m * binomial n p j / (1 - ratio n m)) by (field; lra).
        lra.
    Qed.
    (** P[X >= m] is the sum of the terms from m on. *)
    Lemma tail_sum : Pr (successes n p) (fun x => m <=? x)%nat == sum (map (binomial n p) (seq m (S n - m))).
    Proof.
      rewrite (Pr_by_outcome same _ _ (seq 0 (S n)) (seq_NoDup _ _)).
      2:{ intros x J. apply in_map_iff in J as [[y q] [e J]]. cbn in e. subst y. apply successes_range in J. apply in_seq. lia. }
      destruct (Nat.lt_ge_cases n m) as [g|l].
      - replace (S n - m)%nat with 0%nat by lia. change (sum (map (binomial n p) (seq m 0))) with 0. apply sum_zero. intros x J. apply in_seq in J.
        destruct (Nat.leb_spec m x); [lia|reflexivity].
      - replace (S n) with (m + (S n - m))%nat at 1 by lia. rewrite seq_app, map_app.
        assert (split : forall a b, sum (a ++ b) == sum a + sum b).
        { intros a b. induction a as [|x a IH]; [cbn [app sum]; ring|]. cbn [app]. rewrite !sum_cons, IH. ring. }
        rewrite split, sum_zero.
        + rewrite Qplus_0_l. apply sum_ext. intros x J. apply in_seq in J. cbn in J.
          destruct (Nat.leb_spec m x); [apply successes_at|lia].
        + intros x J. apply in_seq in J. destruct (Nat.leb_spec m x); [lia|reflexivity].
    Qed.

    (** DMKB20, Lemma 2, corrected to <= : for any n, any p with 0 <= p < 1, and m > pn/(1 - p), P[X >= m] is at most
        f(m, n, p)/(1 - pn/((1 - p)m)), X binomial. *)
    Theorem lemma_2 : Pr (successes n p) (fun x => m <=? x)%nat <= binomial n p m / (1 - ratio n m).
    Proof. rewrite tail_sum. apply terms. lia. Qed.

    (** DMKB20, Lemma 2, with < as printed, for 0 < p and m <= n: elsewhere both sides are 0. *)
    Theorem lemma_2_strict : 0 < p -> (m <= n)%nat ->
      Pr (successes n p) (fun x => m <=? x)%nat < binomial n p m / (1 - ratio n m).
    Proof.
      intros pp l. assert (R := ratio_range). assert (M := m_pos).
      assert (bp : 0 < binomial n p m).
      { unfold binomial. apply Qmult_lt_0_compat; [apply Qmult_lt_0_compat|]; [|now apply power_pos|apply power_pos; lra].
        apply (natQ_lt 0). clear - l. revert m l. induction n as [|k IH]; intros [|j] l; cbn [choose]; try lia.
        assert (x := IH j ltac:(lia)). lia. }
      rewrite tail_sum. replace (S n - m)%nat with (S (n - m)) by lia. cbn [seq map]. rewrite sum_cons.
      assert (t := terms (n - m) (S m) ltac:(lia)).
      assert (s : binomial n p (S m) < ratio n m * binomial n p m).
      { assert (e := binomial_step n m). assert (D : 0 < natQ (S m) * (1 - p)) by (apply Qmult_lt_0_compat; [apply (natQ_lt 0); lia|lra]).
        apply (Qmult_lt_l _ _ _ D). rewrite e. unfold ratio.
        assert (r : natQ (S m) * (1 - p) * (p * natQ n / ((1 - p) * natQ m) * binomial n p m) == natQ (S m) * natQ n / natQ m * p * binomial n p m) by (field; lra).
        rewrite r. apply Qmult_lt_r; [exact bp|]. apply Qmult_lt_r; [exact pp|]. apply Qlt_shift_div_l; [exact M|].
        rewrite <- !natQ_mult. apply natQ_lt. assert (0 < m)%nat by (destruct m; [change (natQ 0) with 0 in M; lra|lia]). nia. }
      assert (x : binomial n p (S m) / (1 - ratio n m) < ratio n m * binomial n p m / (1 - ratio n m)).
      { unfold Qdiv. apply Qmult_lt_r; [apply Qinv_lt_0_compat; lra|exact s]. }
      assert (y : binomial n p m / (1 - ratio n m) == binomial n p m + ratio n m * binomial n p m / (1 - ratio n m)) by (field; lra).
      lra.
    Qed.
  End Bound.
End Tail.
