(** Hiding in a crowd of a sample (LQS12, Theorem 3.9).

    A strongly safe k-anonymization recodes by a fixed g, and releases how many tuples have each recoded value, where they
    are k or more. After sampling at rate b, a tuple more changes the number of its own crowd alone: n trials become n + 1.
    At j copies the ratio of both laws is (n + 1)(1 - b)/(n + 1 - j), so that only j > gamma*(n + 1) costs anything. *)

From PK Require Import PartialKnowledge Laws Sampling BinomialTail.
Import ListNotations.
Open Scope Q_scope.

(** * One trial more *)

Section Trials.
  Context (b : Q) (b0 : 0 <= b) (b1 : b < 1).

  (** (n + 1 - j)*C(n + 1, j) = (n + 1)*C(n, j). *)
  Lemma choose_more n j : ((S n - j) * choose (S n) j = S n * choose n j)%nat.
  Proof.
    revert j. induction n as [|n IH]; intros j; [destruct j as [|[|j]]; reflexivity|]. destruct j as [|j]; [reflexivity|].
    change (choose (S (S n)) (S j)) with (choose (S n) j + choose (S n) (S j))%nat.
    change (choose (S n) (S j)) with (choose n j + choose n (S j))%nat at 2.
    assert (u := IH j). assert (v := IH (S j)). assert (w := choose_step n j).
    change (choose (S n) (S j)) with (choose n j + choose n (S j))%nat in *.
    destruct (Nat.le_gt_cases j n) as [l|g].
    - replace (S (S n) - S j)%nat with (S n - j)%nat by lia. replace (S n - S j)%nat with (n - j)%nat in v by lia. nia.
    - rewrite !(choose_zero n j), !(choose_zero n (S j)) by lia. destruct (Nat.eq_dec j (S n)) as [->|D].
      + replace (S (S n) - S (S n))%nat with 0%nat by lia. lia.
      + rewrite (choose_zero (S n) j) by lia. lia.
  Qed.
  Lemma trial_more n j : (j <= n)%nat -> natQ (S n - j) * binomial (S n) b j == natQ (S n) * (1 - b) * binomial n b j.
  Proof.
    intros l. unfold binomial. assert (s : PartialKnowledge.power (1 - b) (S n - j) == (1 - b) * PartialKnowledge.power (1 - b) (n - j)).
    { replace (S n - j)%nat with (S (n - j)) by lia. apply power_step. }
    rewrite s.
    assert (c := choose_more n j). assert (c' : natQ (S n - j) * natQ (choose (S n) j) == natQ (S n) * natQ (choose n j)) by (rewrite <- !natQ_mult; now rewrite c).
    transitivity (natQ (S n - j) * natQ (choose (S n) j) * PartialKnowledge.power b j * ((1 - b) * PartialKnowledge.power (1 - b) (n - j))); [ring|]. rewrite c'. ring.
  Qed.
  Lemma mean_successes n u : mean (successes (S n) b) u == b * mean (successes n b) (fun j => u (S j)) + (1 - b) * mean (successes n b) u.
  Proof.
    cbn [successes]. rewrite mean_bind. unfold trial. rewrite !mean_cons, mean_nil, !mean_image.
    change (fun x => u (1 + x)%nat) with (fun x => u (S x)). change (fun x => u (0 + x)%nat) with u. ring.
  Qed.
  Lemma mean_terms n m u : (n <= m)%nat -> mean (successes n b) u == sum (map (fun j => binomial n b j * u j) (seq 0 (S m))).
  Proof.
    intros l. rewrite (mean_by_outcome (successes n b) u (seq 0 (S m)) (seq_NoDup _ _)).
    - apply sum_ext. intros j _. now rewrite (successes_at b n j).
    - intros x J. apply in_map_iff in J as [[y q] [<- J]]. apply successes_range in J. apply in_seq. cbn [fst]. lia.
  Qed.
  (** What rises has a larger mean after one trial more. *)
  Lemma more_trials n u : (forall j, u j <= u (S j)) -> mean (successes n b) u <= mean (successes (S n) b) u.
  Proof.
    intros up. rewrite mean_successes. assert (l : mean (successes n b) u <= mean (successes n b) (fun j => u (S j))).
    { apply mean_le; [now apply successes_law|]. intros; apply up. }
    nra.
  Qed.

  Context (k : nat) (E : Q) (enough : 1 <= E * (1 - b)).
  (** The number of a crowd as it is released; j > gamma*n. *)
  Definition released (j : nat) : nat := if (k <=? j)%nat then j else 0%nat.
  Definition gamma : Q := (E - 1 + b) / E.
  Definition above (n j : nat) : bool := negb (Qle_bool (natQ j) (gamma * natQ n)).
  Definition bad (n j : nat) : bool := (k <=? j)%nat && above n j.

  Lemma E_one : 1 <= E.
  Proof. nra. Qed.
  Lemma times_gamma x : E * (gamma * x) == (E - 1 + b) * x.
  Proof. unfold gamma. assert (e := E_one). field. lra. Qed.
  Lemma below_gamma x y : x <= gamma * y <-> E * x <= (E - 1 + b) * y.
  Proof. rewrite <- times_gamma. assert (e := E_one). symmetry. apply Qmult_le_l. lra. Qed.
  Lemma good_ratio n j : above (S n) j = false -> binomial (S n) b j <= E * binomial n b j.
  Proof.
    intros g. unfold above in g. apply negb_false_iff, Qle_bool_iff, below_gamma in g. assert (e := E_one).
    assert (p := binomial_nonneg b b0 b1 n j). assert (p' := binomial_nonneg b b0 b1 (S n) j).
    assert (n0 : 0 < natQ (S n)) by (apply (natQ_lt 0); lia).
    destruct (Nat.le_gt_cases j n) as [l|h].
    - assert (t := trial_more n j l). assert (s : natQ (S n) == natQ (S n - j) + natQ j) by (rewrite <- natQ_plus; now replace (S n - j + j)%nat with (S n) by lia).
      assert (r : 0 < natQ (S n - j)) by (apply (natQ_lt 0); lia). apply (Qmult_le_l _ _ _ r). rewrite t.
      assert (c : natQ (S n) * (1 - b) <= E * natQ (S n - j)) by nra.
      apply (Qmult_le_compat_r _ _ (binomial n b j)) in c; [|exact p]. lra.
    - exfalso. assert (s : natQ (S n) <= natQ j) by (apply natQ_le; lia). nra.
  Qed.

  (** The law of a released number, with n + 1 and with n trials. *)
  Lemma released_within n (u : nat -> Q) : (forall x, 0 <= u x <= 1) ->
    mean (successes (S n) b) (fun j => u (released j)) <= E * mean (successes n b) (fun j => u (released j)) + Pr (successes (S n) b) (bad (S n)).
  Proof.
    intros r. assert (e := E_one).
    assert (split : forall m, mean (successes m b) (fun j => u (released j)) ==
      mean (successes m b) (fun j => if (k <=? j)%nat then u j else 0) + u 0%nat * mean (successes m b) (fun j => if (k <=? j)%nat then 0 else 1)).
    { intros m. rewrite <- mean_scale, <- mean_plus. apply mean_ext. intros j. unfold released. destruct (k <=? j)%nat; ring. }
    rewrite !split. clear split.
    assert (hidden : mean (successes (S n) b) (fun j => if (k <=? j)%nat then 0 else 1) <= mean (successes n b) (fun j => if (k <=? j)%nat then 0 else 1)).
    { assert (m := more_trials n (fun j => if (k <=? j)%nat then 1 else 0)).
      assert (c : forall i, mean (successes i b) (fun j => if (k <=? j)%nat then 0 else 1) == 1 - mean (successes i b) (fun j => if (k <=? j)%nat then 1 else 0)).
      { intros i. rewrite <- (mean_constant (successes i b) 1) at 1 by now apply successes_law. rewrite <- mean_minus. apply mean_ext.
        intros j. destruct (k <=? j)%nat; ring. }
      rewrite !c. assert (mean (successes n b) (fun j => if (k <=? j)%nat then 1 else 0) <= mean (successes (S n) b) (fun j => if (k <=? j)%nat then 1 else 0)); [|lra].
      apply m. intros j. destruct (Nat.leb_spec k j), (Nat.leb_spec k (S j)); lia || lra. }
    assert (h0 : 0 <= mean (successes n b) (fun j => if (k <=? j)%nat then 0 else 1)).
    { apply mean_nonnegative; [now apply successes_law|]. intros j p _. destruct (k <=? j)%nat; lra. }
    assert (shown : mean (successes (S n) b) (fun j => if (k <=? j)%nat then u j else 0) <=
      E * mean (successes n b) (fun j => if (k <=? j)%nat then u j else 0) + Pr (successes (S n) b) (bad (S n))).
    { rewrite Pr_mean, !(mean_terms _ (S n)) by lia. rewrite <- sum_scale, <- sum_plus. apply sum_le. intros j _.
      assert (p := binomial_nonneg b b0 b1 n j). assert (p' := binomial_nonneg b b0 b1 (S n) j). destruct (r j) as [r0 r1].
      unfold chi, bad. destruct (k <=? j)%nat; cbn [andb]; [|lra]. destruct (above (S n) j) eqn:g.
      - assert (x : 0 <= E * (binomial n b j * u j)) by (apply Qmult_le_0_compat; [lra|now apply Qmult_le_0_compat]). nra.
      - assert (q := Qmult_le_compat_r _ _ (u j) (good_ratio n j g) r0). lra. }
    destruct (r 0%nat) as [r0 _]. set (H' := mean (successes (S n) b) (fun j => if (k <=? j)%nat then 0 else 1)) in *.
    set (H := mean (successes n b) (fun j => if (k <=? j)%nat then 0 else 1)) in *.
    assert (x : u 0%nat * H' <= u 0%nat * H) by (rewrite !(Qmult_comm (u 0%nat)); now apply Qmult_le_compat_r).
    assert (y : 0 <= u 0%nat * H) by now apply Qmult_le_0_compat.
    assert (z : 0 <= (E - 1) * (u 0%nat * H)) by (apply Qmult_le_0_compat; [lra|exact y]). lra.
  Qed.
  Lemma released_back n (u : nat -> Q) : (forall x, 0 <= u x <= 1) ->
    mean (successes n b) (fun j => u (released j)) <= E * mean (successes (S n) b) (fun j => u (released j)).
  Proof.
    intros r. assert (N : forall g : nat -> Q, (forall j, 0 <= g j) -> 0 <= mean (successes n b) g).
    { intros g h. apply mean_nonnegative; [now apply successes_law|]. intros; apply h. }
    rewrite mean_successes. assert (x := N (fun j => u (released (S j))) (fun j => proj1 (r _))). assert (y := N (fun j => u (released j)) (fun j => proj1 (r _))).
    assert (e := E_one). set (X := mean (successes n b) (fun j => u (released (S j)))) in *. set (Y := mean (successes n b) (fun j => u (released j))) in *.
    assert (p : 0 <= E * (b * X)) by (apply Qmult_le_0_compat; [lra|now apply Qmult_le_0_compat]).
    assert (q : 0 <= (E * (1 - b) - 1) * Y) by (apply Qmult_le_0_compat; [lra|exact y]). lra.
  Qed.

  (** The tail of the paper's d: n0 is any number with gamma*n0 < k, such as its ceil(k/gamma - 1). *)
  Lemma smallest_crowd n0 d : gamma * natQ n0 < natQ k -> (forall n, (n0 <= n)%nat -> Pr (successes n b) (above n) <= d) ->
    forall n, Pr (successes n b) (bad n) <= d.
  Proof.
    intros first t n. destruct (Nat.le_gt_cases n0 n) as [l|g].
    - eapply Qle_trans; [|exact (t n l)]. apply Pr_le; [now apply successes_law|]. intros j h. now apply andb_prop in h.
    - eapply Qle_trans; [|exact (t n0 (Nat.le_refl _))].
      eapply Qle_trans; [apply (Pr_le _ _ (fun j => k <=? j)%nat); [now apply successes_law|intros j h; now apply andb_prop in h]|].
      apply Qle_trans with (Pr (successes n0 b) (fun j => k <=? j)%nat).
      + assert (m : forall i, Pr (successes n b) (fun j => k <=? j)%nat <= Pr (successes (i + n) b) (fun j => k <=? j)%nat).
        { intros i. induction i as [|i IH]; [apply Qle_refl|]. eapply Qle_trans; [exact IH|]. rewrite !Pr_mean. apply (more_trials (i + n)).
          intros j. unfold chi. destruct (Nat.leb_spec k j), (Nat.leb_spec k (S j)); lia || lra. }
        specialize (m (n0 - n)%nat). now replace (n0 - n + n)%nat with n0 in m by lia.
      + apply Pr_le; [now apply successes_law|]. intros j h. apply Nat.leb_le in h. unfold above. apply negb_true_iff.
        destruct (Qle_bool (natQ j) (gamma * natQ n0)) eqn:f; [|reflexivity]. exfalso. apply Qle_bool_iff in f.
        assert (m : natQ k <= natQ j) by now apply natQ_le. lra.
  Qed.
End Trials.

(** * Strongly safe k-anonymization *)

Section Safe.
  Context {T C : Type} `{Label C} (g : T -> C) (k : nat) (cells : list C).
  Implicit Types D : list T.

  Definition crowd (c : C) D : nat := length (filter (fun x => eqb c (g x)) D).
  (** The numbers of all recoded values of a list, those below k as 0; g does not depend on the data. *)
  Definition anonymized D : list nat := map (fun c => released k (crowd c D)) cells.
  Definition anonymization D : measure (list nat) := [(anonymized D, 1)].

  (** The tuples outside a crowd. *)
  Definition outside (c : C) D : list T := filter (fun x => negb (eqb c (g x))) D.
  Definition assembled (c : C) (j : nat) (r : list T) : list nat :=
    map (fun c' => if eqb c c' then j else released k (crowd c' r)) cells.
  Lemma assembled_is c D : anonymized D = assembled c (released k (crowd c D)) (outside c D).
  Proof.
    unfold anonymized, assembled. apply map_ext. intros c'. destruct (eqb c c') eqn:e; [now apply eqb_eq in e; subst c'|].
    f_equal. unfold crowd, outside. induction D as [|x D IH]; [reflexivity|]. cbn [filter].
    destruct (eqb c (g x)) eqn:f; cbn [negb filter]; [|now destruct (eqb c' (g x)); cbn [length]; rewrite IH].
    apply eqb_eq in f. rewrite <- f. rewrite eqb_sym in e. rewrite e. exact IH.
  Qed.
  (** A crowd and the others are sampled independently. *)
  Lemma mean_crowd b c D (f : nat -> list T -> Q) : mean (sample b D) (fun s => f (crowd c s) (outside c s)) ==
    mean (sample b (outside c D)) (fun r => mean (successes (crowd c D) b) (fun j => f j r)).
  Proof.
    revert f. induction D as [|x D IH]; intros f.
    - cbn [outside crowd filter length successes]. rewrite !mean_empty, mean_cons, mean_nil. cbn [crowd outside filter length]. ring.
    - rewrite mean_sample. unfold crowd, outside in *. cbn [filter]. destruct (eqb c (g x)) eqn:e; cbn [negb length].
      + rewrite (IH f), (IH (fun j => f (S j))), <- !mean_scale, <- mean_plus. apply mean_ext. intros r. symmetry. apply mean_successes.
      + rewrite (IH f), (IH (fun j r => f j (x :: r))), mean_sample. reflexivity.
  Qed.

  Theorem safe_sampling b E d n0 : 0 <= b -> b < 1 -> 1 <= E * (1 - b) -> 0 <= d -> gamma b E * natQ n0 < natQ k ->
    (forall n, (n0 <= n)%nat -> Pr (successes n b) (above b E n) <= d) -> under_sampling b E d anonymization.
  Proof.
    intros b0 b1 e d0 first tails D D' (l & x & r & -> & ->). assert (small := smallest_crowd b b0 b1 k E n0 d first tails).
    set (c := g x). assert (L : forall X : list T, law (sample b X)) by (intros; apply sample_law; lra).
    assert (P : forall X S, Pr (sampled b anonymization X) S ==
      mean (sample b (outside c X)) (fun r => mean (successes (crowd c X) b) (fun j => chi S (assembled c (released k j) r)))).
    { intros X S. unfold sampled. rewrite Pr_bind, <- (mean_crowd b c X (fun j r => chi S (assembled c (released k j) r))).
      apply mean_ext. intros s. unfold anonymization. rewrite Pr_mean, mean_cons, mean_nil, (assembled_is c s). ring. }
    assert (o : outside c (l ++ x :: r) = outside c (l ++ r)).
    { unfold outside. rewrite !filter_app. cbn [filter]. unfold c at 2. now rewrite eqb_same. }
    assert (n : crowd c (l ++ x :: r) = S (crowd c (l ++ r))).
    { unfold crowd. rewrite !filter_app, !app_length. cbn [filter]. unfold c at 2. rewrite eqb_same. cbn [length]. lia. }
    split; intros S; rewrite !P, o, n; set (m := crowd c (l ++ r)); set (W := sample b (outside c (l ++ r)));
      rewrite <- (mean_constant W d (L _)) at 1; rewrite <- mean_scale, <- mean_plus; apply mean_le; try apply L; intros q w _.
    - assert (z := released_back b b0 b1 k E e m (fun y => chi S (assembled c y q)) (fun y => chi_range _ _)). cbn beta in z. lra.
    - assert (z := released_within b b0 b1 k E e m (fun y => chi S (assembled c y q)) (fun y => chi_range _ _)). cbn beta in z.
      specialize (small (Datatypes.S m)). lra.
  Qed.
End Safe.
