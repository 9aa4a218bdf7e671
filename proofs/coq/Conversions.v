(** Conversions that no model enters: multipliers, and groups of records.

    Every exchange rate of `pkdp exchange` rests on the first theorem: a bound on two laws of databases follows from other
    such bounds, for all mechanisms at once, by non-negative multipliers. The second one says when a mechanism refutes it. *)

From PK Require Import PartialKnowledge Laws Notions.
Import ListNotations.
Open Scope Q_scope.

Section Multipliers.
  Context {T O : Type} `{Label T}.
  Notation database := (list T).

  (** A row: the laws p and q on databases, and the factor E, of "P[M(D) in S, D from p] <= E*P[M(D) in S, D from q]". *)
  Record row := Row { upper : measure database; lower : measure database; factor : Q }.
  Definition keeps (M : mechanism T O) (r : row) : Prop := within (factor r) 0 (bind (upper r) M) (bind (lower r) M).
  (** The difference of a row in one database. *)
  Definition gap (r : row) (D : database) : Q := at_ same (upper r) D - factor r * at_ same (lower r) D.

  Definition databases_of (rows : list row) : list database :=
    nodup same (flat_map (fun r => map fst (upper r ++ lower r)) rows).

  Lemma row_gap r (X : list database) M S : NoDup X -> incl (map fst (upper r ++ lower r)) X ->
    Pr (bind (upper r) M) S - factor r * Pr (bind (lower r) M) S == sum (map (fun D => gap r D * Pr (M D : measure O) S) X).
  Proof.
    intros N I. rewrite map_app in I.
    rewrite !Pr_bind, (mean_by_outcome (upper r) _ X N), (mean_by_outcome (lower r) _ X N).
    - rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros D _. unfold gap. ring.
    - intros D J. apply I, in_or_app. now right.
    - intros D J. apply I, in_or_app. now left.
  Qed.

  (** Multipliers imply: if in each database p - y*q <= sum of lambda_j*(a_j - E_j*b_j), with lambda_j >= 0, then every
      mechanism that keeps the rows (a_j, b_j, E_j) keeps (p, q, y). *)
  Theorem multipliers_imply (r : row) (assumed : list (Q * row)) (M : mechanism T O) :
    (forall D, nonnegative (M D)) -> (forall l a, In (l, a) assumed -> 0 <= l /\ keeps M a) ->
    (forall D, gap r D <= sum (map (fun la => fst la * gap (snd la) D) assumed)) -> keeps M r.
  Proof.
    intros N K le S. set (X := databases_of (r :: map snd assumed)).
    assert (NX : NoDup X) by apply NoDup_nodup.
    assert (inX : forall a, In a (r :: map snd assumed) -> incl (map fst (upper a ++ lower a)) X).
    { intros a J D J'. apply nodup_In, in_flat_map. now exists a. }
    assert (bound : sum (map (fun D => gap r D * Pr (M D) S) X) <=
      sum (map (fun la => fst la * sum (map (fun D => gap (snd la) D * Pr (M D) S) X)) assumed)).
    { assert (swap : sum (map (fun la => fst la * sum (map (fun D => gap (snd la) D * Pr (M D) S) X)) assumed) ==
        sum (map (fun D => sum (map (fun la => fst la * gap (snd la) D) assumed) * Pr (M D) S) X)).
      { clearbody X. clear - X. induction assumed as [|[l a] rest IH].
        - cbn [map]. symmetry. apply sum_zero. intros D _. cbn [sum]. ring.
        - cbn [map fst snd]. rewrite sum_cons, IH, <- sum_scale, <- sum_plus. apply sum_ext. intros D _. rewrite sum_cons. ring. }
      rewrite swap. apply sum_le. intros D _. apply Qmult_le_compat_r; [apply le|]. now apply Pr_nonnegative. }
    rewrite <- (row_gap r X M S NX (inX r (or_introl eq_refl))) in bound.
    assert (no_more : sum (map (fun la => fst la * sum (map (fun D => gap (snd la) D * Pr (M D) S) X)) assumed) <= 0).
    { rewrite <- (sum_zero (fun _ : Q * row => 0) assumed) by reflexivity. apply sum_le. intros [l a] J. cbn [fst snd].
      destruct (K l a J) as [l0 k]. specialize (k S).
      rewrite <- (row_gap a X M S NX) by (apply inX; right; apply in_map_iff; now exists (l, a)). nra. }
    lra.
  Qed.

  (** The extreme mechanism refutes: one that keeps the assumed rows, and for some event exceeds y, shows that y is too
      small. *)
  Theorem extreme_refutes (r : row) (assumed : list row) (M : mechanism T O) S :
    (forall a, In a assumed -> keeps M a) -> factor r * Pr (bind (lower r) M) S < Pr (bind (upper r) M) S ->
    ~ (forall M' : mechanism T O, (forall a, In a assumed -> keeps M' a) -> keeps M' r).
  Proof. intros K more V. specialize (V M K S). lra. Qed.
End Multipliers.

(** * Groups of records *)

Section Groups.
  Context {T O : Type} (n : nat) (M : mechanism T O).

  (** D' comes from D by g changes of one record each. *)
  Fixpoint apart (g : nat) (D D' : list T) : Prop :=
    match g with 0%nat => D = D' | S r => exists D1, neighbours n D D1 /\ apart r D1 D' end.
  (** 1 + E + ... + E^(g - 1). *)
  Fixpoint series (E : Q) (g : nat) : Q := match g with 0%nat => 0 | S r => 1 + E * series E r end.

  (** Group privacy: (epsilon, delta)-DP bounds g changed records by g*epsilon and delta*(1 + e^epsilon + ... +
      e^((g-1)*epsilon)). *)
  Theorem group_privacy E d g D D' : 0 <= E -> total_on n M -> length D = n -> dp n E d M -> apart g D D' ->
    within (power E g) (d * series E g) (M D) (M D').
  Proof.
    intros e L l V. revert D l. induction g as [|g IH]; intros D l A.
    - cbn in A. subst D'. intros S. cbn [power series]. lra.
    - destruct A as (D1 & N & A). assert (l1 : length D1 = n).
      { destruct N as [_ (i & b & _ & ->)]. now rewrite put_length. }
      intros S. destruct (V D D1 N) as [F _].
      assert (W := within_trans E (power E g) d (d * series E g) (M D) (M D1) (M D') e F (IH D1 l1 A) S).
      cbn [series]. unfold power; fold power. cbn [power]. rewrite Qred_correct. lra.
  Qed.
End Groups.
