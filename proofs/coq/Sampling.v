(** Neighbours by one record more, sampling, groups and runs, for databases of any size (LQS12; DP22, sections 2 and 4).

    A database is a list of records. [added x D D']: D' is D with one more record x, somewhere. [changed D D']: D' is D
    with the value of one record replaced. [sample b D] keeps each record with probability b, independently.

    E is e^epsilon, a rational; d is delta. *)

From PK Require Export Laws.
From PK Require Import PartialKnowledge Laws.
Import ListNotations.
Open Scope Q_scope.

Section Databases.
  Context {T : Type}.

  Definition added (D D' : list T) : Prop := exists l x r, D = l ++ r /\ D' = l ++ x :: r.
  Definition changed (D D' : list T) : Prop := exists l x y r, D = l ++ x :: r /\ D' = l ++ y :: r.
  (** A size from m to n. *)
  Definition sized (m n : nat) (D : list T) : Prop := (m <= length D <= n)%nat.

  Section OfMechanism.
    Context {O : Type}.
    Implicit Types M : list T -> measure O.

    (** Unbounded differential privacy (DP22, Definition 14; LQS12, Definition 2): for all databases of m to n records,
        possible or not, of which one has one record more, in both orders. *)
    Definition unbounded (m n : nat) (E d : Q) M : Prop :=
      forall D D', sized m n D -> sized m n D' -> added D D' -> indistinguishable E d (M D) (M D').
    (** Bounded differential privacy (DP22, Definition 14): one record is replaced. *)
    Definition bounded (m n : nat) (E d : Q) M : Prop :=
      forall D D', sized m n D -> changed D D' -> indistinguishable E d (M D) (M D').

    (** DP22, section 4.1, after Definition 14 (as printed, with delta, and for databases of m to n records, m < n; the print
        has all sizes: m = 0, and n the size at hand): unbounded DP at epsilon gives bounded DP at 2 epsilon, with delta
        (1 + e^epsilon). Where all have one size, m = n, unbounded DP compares nothing and gives nothing. *)
    Theorem unbounded_gives_bounded m n E d M : 0 <= E -> (m < n)%nat ->
      unbounded m n E d M -> bounded m n (E * E) (d + E * d) M.
    Proof.
      intros e mn U D D' s (l & x & y & r & -> & ->). unfold sized in s. rewrite app_length in s. cbn [length] in s.
      assert (step : exists Z, indistinguishable E d (M (l ++ x :: r)) (M Z) /\ indistinguishable E d (M Z) (M (l ++ y :: r))).
      { destruct (Nat.eq_dec (length (l ++ x :: r)) m) as [k|k]; rewrite app_length in k; cbn [length] in k.
        - exists (l ++ x :: y :: r). split.
          + apply U; unfold sized; rewrite ?app_length; cbn [length]; try lia. exists (l ++ [x]), y, r.
            split; rewrite <- app_assoc; reflexivity.
          + apply indistinguishable_sym. apply U; unfold sized; rewrite ?app_length; cbn [length]; try lia.
            exists l, x, (y :: r). now split.
        - exists (l ++ r). split; [apply indistinguishable_sym|]; (apply U; unfold sized; rewrite ?app_length; cbn [length];
            try lia); [exists l, x, r|exists l, y, r]; now split. }
      destruct step as [Z [[F F'] [G G']]]. split; eapply within_trans; eassumption.
    Qed.

    (** Group privacy: k records more cost k epsilon, and delta times 1 + e^epsilon + ... + e^((k - 1) epsilon). *)
    Fixpoint power (E : Q) (k : nat) : Q := match k with 0%nat => 1 | S j => E * power E j end.
    Fixpoint series (E : Q) (k : nat) : Q := match k with 0%nat => 0 | S j => 1 + E * series E j end.
    (** A path of k steps, each between two databases that R relates. *)
    Inductive path (R : list T -> list T -> Prop) : nat -> list T -> list T -> Prop :=
      | stay D : path R 0 D D
      | step k D D' D'' : R D D' -> path R k D' D'' -> path R (S k) D D''.
    Theorem group_privacy (R : list T -> list T -> Prop) E d M : 0 <= E ->
      (forall D D', R D D' -> within E d (M D) (M D')) ->
      forall k D D', path R k D D' -> within (power E k) (d * series E k) (M D) (M D').
    Proof.
      intros e W k. induction k as [|k IH]; intros D D' p; inversion p; subst.
      - intros S. cbn. lra.
      - cbn [power series]. assert (t : within (E * power E k) (d + E * (d * series E k)) (M D) (M D')).
        { eapply within_trans; [lra|apply W; eassumption|apply IH; assumption]. }
        intros S. specialize (t S). lra.
    Qed.
  End OfMechanism.
End Databases.

(** * Several runs *)

Section Runs.
  Context {X A C : Type} `{Label A}.

  (** The two answers together: K is told the first answer and the database. *)
  Definition runs (M : X -> measure A) (K : A -> X -> measure C) (D : X) : measure (A * C) :=
    bind (M D) (fun a => image (pair a) (K a D)).

  Lemma Pr_runs M K D (S : A * C -> bool) :
    Pr (runs M K D) S == mean (M D) (fun a => Pr (K a D) (fun c => S (a, c))).
  Proof. unfold runs. rewrite Pr_bind. apply mean_ext. intros a. apply Pr_image. Qed.

  (** One line of sequential composition: D and D' are any two databases that are compared. *)
  Lemma runs_within E E' d d' M K D D' : 0 <= E -> 0 <= E' -> 0 <= d' ->
    law (M D) -> law (M D') -> (forall a, law (K a D)) -> (forall a, law (K a D')) ->
    within E d (M D) (M D') -> (forall a, within E' d' (K a D) (K a D')) ->
    within (E * E') (d + d') (runs M K D) (runs M K D').
  Proof.
    intros e e' n L L' N N' W V S. rewrite !Pr_runs.
    set (p := fun a => Pr (K a D) (fun c => S (a, c))). set (q := fun a => Pr (K a D') (fun c => S (a, c))).
    assert (pr : forall a, 0 <= p a <= 1).
    { intros a. unfold p. split; [apply Pr_nonnegative, N|]. rewrite <- (Pr_all (K a D) (N a)). apply Pr_le; [apply N|auto]. }
    assert (qr : forall a, 0 <= q a) by (intros a; apply Pr_nonnegative, N').
    set (g := fun a => Qmax 0 (p a - d')).
    assert (gr : forall a, 0 <= g a <= 1).
    { intros a. specialize (pr a). unfold g. destruct (Q.max_spec 0 (p a - d')) as [[h ->]|[h ->]]; lra. }
    assert (pg : mean (M D) p <= mean (M D) g + d').
    { assert (h : mean (M D) p <= mean (M D) (fun a => g a + d')).
      { apply mean_le; [apply L|]. intros a w _. unfold g. assert (m := Q.le_max_r 0 (p a - d')). lra. }
      now rewrite mean_plus, mean_constant in h. }
    assert (gq : mean (M D') g <= E' * mean (M D') q).
    { rewrite <- mean_scale. apply mean_le; [apply L'|]. intros a w _. specialize (V a (fun c => S (a, c))).
      fold (p a) in V. fold (q a) in V. specialize (pr a). specialize (qr a). unfold g.
      destruct (Q.max_spec 0 (p a - d')) as [[_ ->]|[h ->]]; [lra|]. now apply Qmult_le_0_compat. }
    assert (f := functions_too E d (M D) (M D') g gr W).
    assert (E * mean (M D') g <= E * (E' * mean (M D') q)) by nra. lra.
  Qed.

  (** DP22, section 2.3 (theorem on sequential composition), and with delta: two runs, the second of which may depend on
      the first answer, each with its own coins. R is any relation of neighbours. As printed, and more. *)
  Definition private {O} (R : X -> X -> Prop) (E d : Q) (M : X -> measure O) : Prop :=
    forall D D', R D D' -> indistinguishable E d (M D) (M D').
  Theorem sequential_composition (R : X -> X -> Prop) E E' d d' M K : 0 <= E -> 0 <= E' -> 0 <= d' ->
    (forall D, law (M D)) -> (forall a D, law (K a D)) ->
    private R E d M -> (forall a, private R E' d' (K a)) -> private R (E * E') (d + d') (runs M K).
  Proof.
    intros e e' n L N P P' D D' r. destruct (P D D' r) as [W W'].
    split; apply runs_within; auto; intros a; [exact (proj1 (P' a D D' r))|exact (proj2 (P' a D D' r))].
  Qed.
End Runs.

(** * Sampling *)

Section Sampling.
  Context {T O : Type}.
  Implicit Types (M : list T -> measure O) (b : Q) (D : list T).

  (** Each record is kept with probability b, independently. *)
  Fixpoint sample b D : measure (list T) :=
    match D with [] => [([], 1)] | x :: r => mix b (image (cons x) (sample b r)) (sample b r) end.
  Definition sampled b M D : measure O := bind (sample b D) M.

  Lemma sample_law b D : 0 <= b <= 1 -> law (sample b D).
  Proof.
    intros r. induction D as [|x D IH]; cbn [sample].
    - split; [intros y p [[= <- <-]|[]]; lra|reflexivity].
    - apply law_mix; [exact r|now apply law_image|exact IH].
  Qed.
  Lemma mean_sample b x D f :
    mean (sample b (x :: D)) f == b * mean (sample b D) (fun r => f (x :: r)) + (1 - b) * mean (sample b D) f.
  Proof. cbn [sample]. now rewrite mean_mix, mean_image. Qed.
  Lemma mean_empty b f : mean (sample b []) f == f [].
  Proof. cbn [sample]. rewrite mean_cons, mean_nil. ring. Qed.
  (** A record in the middle. *)
  Lemma mean_sample_inside b l x r f : mean (sample b (l ++ x :: r)) f ==
    b * mean (sample b l) (fun u => mean (sample b r) (fun v => f (u ++ x :: v)))
    + (1 - b) * mean (sample b l) (fun u => mean (sample b r) (fun v => f (u ++ v))).
  Proof.
    revert f. induction l as [|y l IH]; intros f; cbn [app].
    - rewrite mean_sample, !mean_empty. reflexivity.
    - rewrite mean_sample, !IH, !mean_sample. cbn [app]. ring.
  Qed.
  Lemma mean_sample_app b l r f :
    mean (sample b (l ++ r)) f == mean (sample b l) (fun u => mean (sample b r) (fun v => f (u ++ v))).
  Proof.
    revert f. induction l as [|y l IH]; intros f; cbn [app].
    - now rewrite mean_empty.
    - now rewrite !mean_sample, !IH.
  Qed.
  Lemma mean_rate b b' D f : b == b' -> mean (sample b D) f == mean (sample b' D) f.
  Proof.
    intros e. revert f. induction D as [|x D IH]; intros f; [now rewrite !mean_empty|].
    now rewrite !mean_sample, !IH, e.
  Qed.
  (** A sample of a sample is a sample at the product of the rates. *)
  Lemma sample_twice a b D f : mean (sample a D) (fun r => mean (sample b r) f) == mean (sample (a * b) D) f.
  Proof.
    revert f. induction D as [|x D IH]; intros f.
    - now rewrite mean_empty.
    - rewrite !mean_sample, !IH.
      rewrite (mean_ext (sample a D) _ (fun r => b * mean (sample b r) (fun s => f (x :: s)) + (1 - b) * mean (sample b r) f))
        by (intros r; apply mean_sample).
      rewrite mean_plus, !mean_scale, !IH. ring.
  Qed.

  Lemma sampled_law b M D : 0 <= b <= 1 -> (forall D', law (M D')) -> law (sampled b M D).
  Proof. intros r L. apply law_bind; [now apply sample_law|auto]. Qed.
  Lemma sampled_twice a b M D : alike (sampled a (sampled b M) D) (sampled (a * b) M D).
  Proof.
    intros S. unfold sampled. rewrite !Pr_bind.
    rewrite (mean_ext _ _ (fun r => mean (sample b r) (fun s => Pr (M s) S))) by (intros r; apply Pr_bind).
    apply sample_twice.
  Qed.

  (** A sample makes a guarantee better: e^epsilon - 1 and delta times the rate. [added] in both orders, all sizes. *)
  Theorem amplification b E d M : 0 <= b <= 1 -> 1 <= E -> 0 <= d -> (forall D, law (M D)) ->
    private added E d M -> private added (1 + b * (E - 1)) (b * d) (sampled b M).
  Proof.
    intros [b0 b1] e n L P D D' (l & x & r & -> & ->).
    (* Z: without the record; X: the record is in the sample. Both are means over the same samples of the others. *)
    set (Z := fun S => mean (sample b l) (fun u => mean (sample b r) (fun v => Pr (M (u ++ v)) S))).
    set (X := fun S => mean (sample b l) (fun u => mean (sample b r) (fun v => Pr (M (u ++ x :: v)) S))).
    assert (N : forall D, law (sample b D)) by (intros; apply sample_law; lra).
    assert (without : forall S, Pr (sampled b M (l ++ r)) S == Z S).
    { intros S. unfold sampled. rewrite Pr_bind. apply mean_sample_app. }
    assert (with_x : forall S, Pr (sampled b M (l ++ x :: r)) S == b * X S + (1 - b) * Z S).
    { intros S. unfold sampled. rewrite Pr_bind. apply mean_sample_inside. }
    assert (means : forall f g : list T -> list T -> Q, (forall u v, f u v <= E * g u v + d) ->
      mean (sample b l) (fun u => mean (sample b r) (f u)) <= E * mean (sample b l) (fun u => mean (sample b r) (g u)) + d).
    { intros f g h. rewrite <- (mean_constant (sample b l) d (N l)) at 1. rewrite <- mean_scale, <- mean_plus.
      apply mean_le; [apply (N l)|]. intros u p _. rewrite <- (mean_constant (sample b r) d (N r)) at 1.
      rewrite <- mean_scale, <- mean_plus. apply mean_le; [apply (N r)|]. intros v q _. apply h. }
    assert (XZ : forall S, X S <= E * Z S + d).
    { intros S. apply means. intros u v. apply (P (u ++ v) (u ++ x :: v)). exists u, x, v. now split. }
    assert (ZX : forall S, Z S <= E * X S + d).
    { intros S. apply means. intros u v. apply (P (u ++ v) (u ++ x :: v)). exists u, x, v. now split. }
    assert (z0 : forall S, 0 <= Z S).
    { intros S. apply mean_nonnegative; [apply (N l)|]. intros u p _. apply mean_nonnegative; [apply (N r)|].
      intros v q _. apply Pr_nonnegative, L. }
    split; intros S; rewrite without, with_x; specialize (XZ S); specialize (ZX S); specialize (z0 S).
    - (* Z <= (1 + b(E - 1))(bX + (1 - b)Z) + bd, where X >= (Z - d)/E *)
      set (c := 1 + b * (E - 1)). assert (c1 : 1 <= c) by (unfold c; nra). assert (cE : c <= E) by (unfold c; nra).
      assert (k : c * (b * (Z S - d) + (1 - b) * E * Z S) <= c * E * (b * X S + (1 - b) * Z S)).
      { assert (b * (Z S - d) <= b * (E * X S)) by (nra). nra. }
      assert (g : E * Z S <= c * (b + (1 - b) * E) * Z S).
      { assert (E <= c * (b + (1 - b) * E)).
        { unfold c. assert (0 <= b * (1 - b) * ((E - 1) * (E - 1))) by (apply Qmult_le_0_compat; nra). nra. }
        nra. }
      assert (h : c * b * d <= E * b * d) by (apply Qmult_le_compat_r; [apply Qmult_le_compat_r|]; lra).
      apply (Qmult_le_l _ _ E); [lra|]. nra.
    - nra.
  Qed.

  (** LQS12, Theorem 1, for 0 < b2 <= b1 <= 1 (as printed, but for the rate 0): (b1, epsilon, delta)-DP under sampling
      gives (b2, epsilon2, delta2) with e^epsilon2 = 1 + (b2/b1)(e^epsilon - 1) and delta2 = (b2/b1) delta. *)
  Definition under_sampling b E d M : Prop := private added E d (sampled b M).
  Theorem lqs12_theorem_1 b1 b2 E d M : 0 < b2 -> b2 <= b1 -> b1 <= 1 -> 1 <= E -> 0 <= d -> (forall D, law (M D)) ->
    under_sampling b1 E d M -> under_sampling b2 (1 + b2 / b1 * (E - 1)) (b2 / b1 * d) M.
  Proof.
    intros p l u e n L P D D' a.
    assert (r : 0 <= b2 / b1 <= 1) by (split; [apply div_pos|apply div_le]; lra).
    assert (f : b2 / b1 * b1 == b2) by (field; lra).
    assert (t : forall D, alike (sampled (b2 / b1) (sampled b1 M) D) (sampled b2 M D)).
    { intros D0. eapply alike_trans; [apply sampled_twice|]. intros S. unfold sampled. rewrite !Pr_bind.
      apply mean_rate. exact f. }
    eapply indistinguishable_alike; [apply t|apply t|].
    apply (amplification (b2 / b1) E d (sampled b1 M)); auto.
    intros D0. apply sampled_law; [lra|exact L].
  Qed.
End Sampling.
