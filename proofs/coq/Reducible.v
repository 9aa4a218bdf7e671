(** Sums of which some terms are known are reducible (DMKB20, Proposition 6).

    The known records come first, and are independent of the others; among themselves both may depend. The output is the
    sum, in any commutative or other group, of terms of the records: a counting or linear query in the integers, and up to
    a one-to-one function of the output a mean (arithmetic: the sum; geometric: the product; harmonic: the sum of 1/x;
    quadratic: the sum of x^2). Other known values move the sum, and that is a bijection of the group. *)

From PK Require Import PartialKnowledge Laws Notions.
From PK Require ActivePassive.
Require Import ZArith.
Import ListNotations.
Open Scope Q_scope.

#[global] Instance label_Z : Label Z := Z.eq_dec.

(** The law of known and unknown records, independent of each other, of which the first are known. *)
Definition known_part {T} (kappa nu : measure (list T)) : distribution T (list T) :=
  bind kappa (fun K => image (fun U => (K ++ U, K)) nu).
Definition all_have_length {T} (m : nat) (mu : measure (list T)) : Prop := forall D p, In (D, p) mu -> length D = m.

Section Sums.
  Context {T G : Type} `{Label T} `{Label G} (op : G -> G -> G) (unit_ : G) (inv : G -> G).
  Context (assoc : forall x y z, op x (op y z) = op (op x y) z) (left_unit : forall x, op unit_ x = x).
  Context (left_inv : forall x, op (inv x) x = unit_) (right_inv : forall x, op x (inv x) = unit_).
  Context (f : nat -> T -> G).

  (** The sum of f j (D j), from index j on. *)
  Fixpoint total (j : nat) (D : list T) : G := match D with [] => unit_ | x :: D' => op (f j x) (total (S j) D') end.
  Definition sum_query : mechanism T G := fun D => [(total 0 D, 1)].

  Lemma total_app j K U : total j (K ++ U) = op (total j K) (total (j + length K) U).
  Proof.
    revert j. induction K as [|x K IH]; intros j; cbn [app total length]; [now rewrite left_unit, Nat.add_0_r|].
    rewrite IH, assoc. now rewrite Nat.add_succ_r.
  Qed.

  Context (b : nat) (kappa nu : measure (list T)) (Lk : law kappa) (Ln : law nu) (length_k : all_have_length b kappa).
  Notation theta := (known_part kappa nu).

  Lemma mean_part g : mean theta g == mean kappa (fun K => mean nu (fun U => g (K ++ U, K))).
  Proof. unfold known_part. rewrite mean_bind. apply mean_ext. intros K. apply mean_image. Qed.
  Lemma mean_at j a K g : mean theta (fun w => if having (b + j) a K w then g (fst w) else 0) ==
    Pr kappa (eqb K) * mean nu (fun U => if eqb (Some a) (record j U) then g (K ++ U) else 0).
  Proof.
    rewrite mean_part, Pr_mean, (Qmult_comm (mean _ _)), <- mean_scale. apply mean_in. intros K' q I. unfold chi.
    assert (l := length_k K' q I). cbn [fst]. destruct (eqb K K') eqn:e.
    - apply eqb_eq in e. subst K'. rewrite Qmult_1_r. apply mean_ext. intros U. unfold having, knows, holds_record, record.
      cbn [fst snd]. rewrite eqb_same, nth_error_app2 by lia. now replace (b + j - length K)%nat with j by lia.
    - rewrite Qmult_0_r. apply mean_zero. intros U r _. unfold having, knows. cbn [snd]. now rewrite e.
  Qed.
  Lemma Pr_at j a K : Pr theta (having (b + j) a K) == Pr kappa (eqb K) * Pr nu (fun U => eqb (Some a) (record j U)).
  Proof. rewrite !(Pr_mean theta), (Pr_mean nu). exact (mean_at j a K (fun _ => 1)). Qed.
  Lemma Pr_value j a : Pr theta (holds_record (b + j) a) == Pr nu (fun U => eqb (Some a) (record j U)).
  Proof.
    rewrite Pr_mean, mean_part. rewrite (mean_in kappa _ (fun _ => Pr nu (fun U => eqb (Some a) (record j U)))).
    - now apply mean_constant.
    - intros K q I. rewrite Pr_mean. apply mean_ext. intros U. unfold chi, holds_record, record. cbn [fst].
      rewrite nth_error_app2 by (rewrite (length_k K q I); lia). now replace (b + j - length K)%nat with j by (rewrite (length_k K q I); lia).
  Qed.
  Lemma Pr_knowledge K : Pr theta (knows K) == Pr kappa (eqb K).
  Proof.
    rewrite !Pr_mean, mean_part. apply mean_ext. intros K'. unfold chi, knows. cbn [snd].
    destruct (eqb K K'); [now apply mean_constant|now apply mean_zero].
  Qed.

  Lemma sum_at j a K o : 0 < Pr kappa (eqb K) -> 0 < Pr nu (fun U => eqb (Some a) (record j U)) ->
    at_ same (output theta (having (b + j) a K) sum_query) o ==
    mean nu (fun U => if eqb (Some a) (record j U) then chi (is same o) (total 0 (K ++ U)) else 0)
      / Pr nu (fun U => eqb (Some a) (record j U)).
  Proof.
    intros P P'. unfold at_. rewrite Pr_output, Pr_at.
    rewrite (mean_ext theta _ (fun w => if having (b + j) a K w then chi (is same o) (total 0 (fst w)) else 0)).
    2:{ intros w. destruct (having (b + j) a K w); [|reflexivity]. unfold sum_query. rewrite Pr_mean, mean_cons, mean_nil. ring. }
    rewrite (mean_at j a K (fun D => chi (is same o) (total 0 D))). field. split; lra.
  Qed.

  (** Proposition 6, at each record that is not known. *)
  Theorem sums_are_reducible j : ActivePassive.reducible sum_query theta (b + j).
  Proof.
    intros k1 k2 P1 P2. rewrite Pr_knowledge in P1, P2.
    assert (len : forall K, 0 < Pr kappa (eqb K) -> length K = b).
    { intros K P. destruct (Nat.eq_dec (length K) b) as [e|D]; [exact e|]. exfalso. apply (Qlt_not_le _ _ P).
      rewrite Pr_mean, mean_zero; [lra|]. intros K' q I. unfold chi. destruct (eqb K K') eqn:h; [|reflexivity].
      apply eqb_eq in h. subst K'. now apply length_k in I. }
    exists (fun o => op (total 0 k2) (op (inv (total 0 k1)) o)), (fun o => op (total 0 k1) (op (inv (total 0 k2)) o)).
    assert (back : forall x y o, op x (op (inv y) (op y (op (inv x) o))) = o).
    { intros x y o. now rewrite (assoc (inv y)), left_inv, left_unit, assoc, right_inv, left_unit. }
    split; [|split]; [intros o; apply back..|]. intros a P o. rewrite Pr_value in P. rewrite !sum_at by assumption.
    apply Qdiv_comp; [|reflexivity]. apply mean_ext. intros U. destruct (eqb (Some a) (record j U)); [|reflexivity].
    rewrite !total_app, (len k1 P1), (len k2 P2). set (u := total (0 + b) U). unfold chi, is.
    assert (cancel : forall x y, op (inv x) (op x y) = y) by (intros; now rewrite assoc, left_inv, left_unit).
    destruct (same o (op (total 0 k1) u)) as [e|D], (same (op (total 0 k2) (op (inv (total 0 k1)) o)) (op (total 0 k2) u)) as [D'|D'];
      try reflexivity; exfalso.
    - apply D'. now rewrite e, cancel.
    - apply D. apply (f_equal (op (inv (total 0 k2)))) in D'. rewrite !cancel in D'. rewrite <- D', assoc, right_inv. now rewrite left_unit.
  Qed.
End Sums.

(** A one-to-one function h of the output (r undoes it, where it can be undone) leaves a mechanism reducible. *)
Lemma one_to_one {T B O O' : Type} `{Label T} `{Label B} `{Label O} `{Label O'} (M : mechanism T O) (theta : distribution T B) i
  (h : O -> O') (r : O' -> option O) : (forall o o', r o' = Some o <-> h o = o') ->
  ActivePassive.reducible M theta i -> ActivePassive.reducible (fun D => image h (M D)) theta i.
Proof.
  intros u R k1 k2 P1 P2. destruct (R k1 k2 P1 P2) as (phi & psi & back & forth & e).
  set (lift := fun f : O -> O => fun o' => match r o' with Some o => h (f o) | None => o' end).
  assert (rh : forall o, r (h o) = Some o) by (intros; now apply u).
  assert (inverse : forall f g : O -> O, (forall o, g (f o) = o) -> forall o', lift g (lift f o') = o').
  { intros f g c o'. unfold lift. destruct (r o') as [o|] eqn:v; [|now rewrite v]. rewrite rh, c. now apply u. }
  exists (lift phi), (lift psi). split; [now apply inverse|]. split; [now apply inverse|]. intros a A o'.
  assert (at_image : forall C x, at_ same (output theta C (fun D => image h (M D))) x ==
    match r x with Some o => at_ same (output theta C M) o | None => 0 end).
  { intros C x. unfold at_, output. rewrite Pr_bind. destruct (r x) as [o|] eqn:v.
    - rewrite Pr_bind. apply mean_ext. intros w. rewrite Pr_image. apply Pr_ext. intros y. unfold is.
      apply u in v. subst x. destruct (same (h o) (h y)) as [q|D], (same o y) as [q'|D']; try reflexivity; exfalso.
      + apply D'. assert (c := rh y). rewrite <- q, rh in c. congruence.
      + apply D. now f_equal.
    - apply mean_zero. intros w p _. rewrite Pr_image, Pr_mean. apply mean_zero. intros y q _. unfold chi, is.
      destruct (same x (h y)) as [d|]; [|reflexivity]. symmetry in d. apply u in d. congruence. }
  rewrite !at_image. unfold lift. destruct (r o') as [o|] eqn:v; [rewrite rh; now apply e|]. now rewrite v.
Qed.

(** Linear and counting queries with integer terms. *)
Theorem integer_queries {T} `{Label T} (f : nat -> T -> Z) b (kappa nu : measure (list T)) : law kappa -> law nu ->
  all_have_length b kappa ->
  forall j, ActivePassive.reducible (sum_query Z.add 0%Z f) (known_part kappa nu) (b + j).
Proof.
  intros Lk Ln lk. apply (sums_are_reducible Z.add 0%Z Z.opp); auto; intros; ring.
Qed.
