(** Attackers with more knowledge: DMKB20, Definitions 7 to 9 and Proposition 3.

    First with what the proof uses: under theta1, D(i) is independent of the knowledge B1, and theta2 is the law of
    (D, h(B1)). Then as printed, with Definition 9 restored (each law has a generating function of its own): both have an acceptable normalization at i with common parameters phi_0, ..., phi_k, the
    knowledge of theta1 being those in I1, of theta2 those in I2, a part of I1. *)

From PK Require Import PartialKnowledge Laws Notions ActivePassive PostProcessing.
Import ListNotations.
Open Scope Q_scope.

Section MoreKnowledge.
  Context {T B1 B2 O : Type} `{Label T} `{Label B1} `{Label B2} `{Label O} (n : nat) (M : mechanism T O).

  (** At record i: theta2 is the law of (D, h(B1)), and D(i) is independent of B1. *)
  Definition coarser (h : B1 -> B2) (theta1 : distribution T B1) (theta2 : distribution T B2) : Prop :=
    alike theta2 (image (fun w => (fst w, h (snd w))) theta1).
  Definition unrelated (theta1 : distribution T B1) (i : nat) : Prop :=
    forall a k, Pr theta1 (having i a k) == Pr theta1 (holds_record i a) * Pr theta1 (knows k).
  Definition more_knowledge (Theta1 : family T B1) (Theta2 : family T B2) : Prop :=
    forall theta2, Theta2 theta2 -> forall i, (i < n)%nat -> exists theta1 h, Theta1 theta1 /\ coarser h theta1 theta2 /\ unrelated theta1 i.

  (** Sums over the knowledge of theta2 are sums over that of theta1. *)
  Lemma by_finer h (theta1 : distribution T B1) theta2 i a k2 (g : list T -> Q) : coarser h theta1 theta2 ->
    mean theta2 (fun w => if having i a k2 w then g (fst w) else 0) ==
    sum (map (fun k1 => if eqb k2 (h k1) then mean theta1 (fun w => if having i a k1 w then g (fst w) else 0) else 0)
      (range snd theta1)).
  Proof.
    intros C. rewrite (mean_alike _ _ _ C), mean_image.
    rewrite (mean_by snd theta1 _ (range snd theta1) (range_nodup snd theta1) (range_in snd theta1)).
    apply sum_ext. intros k1 _. destruct (eqb k2 (h k1)) eqn:e.
    - apply mean_ext. intros w. unfold having, knows, holds_record. cbn [fst snd]. destruct (eqb k1 (snd w)) eqn:e'; [|reflexivity].
      apply eqb_eq in e'. rewrite <- e', e. reflexivity.
    - apply mean_zero. intros w p _. unfold having, knows, holds_record. cbn [fst snd]. destruct (eqb k1 (snd w)) eqn:e'; [|reflexivity].
      apply eqb_eq in e'. rewrite <- e', e. reflexivity.
  Qed.

  (** The probability of k2 is that of the k1 that tell it. *)
  Lemma coarser_knows h (theta1 : distribution T B1) theta2 k2 : coarser h theta1 theta2 ->
    Pr theta2 (knows k2) == sum (map (fun k1 => if eqb k2 (h k1) then Pr theta1 (knows k1) else 0) (range snd theta1)).
  Proof.
    intros C. rewrite Pr_mean, (mean_alike _ _ _ C), mean_image.
    rewrite (mean_by snd theta1 _ (range snd theta1) (range_nodup snd theta1) (range_in snd theta1)). apply sum_ext. intros k1 _.
    destruct (eqb k2 (h k1)) eqn:e; [rewrite Pr_mean; apply mean_ext; intros w|apply mean_zero; intros w p _];
      unfold chi, knows; cbn [snd]; destruct (eqb k1 (snd w)) eqn:e'; try reflexivity; apply eqb_eq in e'; now rewrite <- e', e.
  Qed.

  (** The weights of k1 in k2 do not depend on D(i): a bound c(k1) for each k1 is a bound for k2 with the mean of c. *)
  Lemma finer_within h (theta1 : distribution T B1) theta2 i a b k2 E (c : B1 -> Q) : nonnegative theta1 ->
    coarser h theta1 theta2 -> unrelated theta1 i -> possible theta2 i a k2 -> possible theta2 i b k2 ->
    (forall k1, possible theta1 i a k1 -> possible theta1 i b k1 ->
      within E (c k1) (output theta1 (having i a k1) M) (output theta1 (having i b k1) M)) ->
    within E (sum (map (fun k1 => if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0) (range snd theta1)) / Pr theta2 (knows k2))
      (output theta2 (having i a k2) M) (output theta2 (having i b k2) M).
  Proof.
    intros N C U P P' V S. rewrite !Pr_output. unfold possible in P, P'.
    set (pa := Pr theta2 (having i a k2)) in *. set (pb := Pr theta2 (having i b k2)) in *.
    set (qa := Pr theta1 (holds_record i a)). set (qb := Pr theta1 (holds_record i b)).
    set (Q2 := sum (map (fun k1 => if eqb k2 (h k1) then Pr theta1 (knows k1) else 0) (range snd theta1))).
    assert (eQ : Pr theta2 (knows k2) == Q2) by now apply coarser_knows.
    set (m := sum (map (fun k1 => if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0) (range snd theta1))).
    assert (weight : forall x, Pr theta2 (having i x k2) == Pr theta1 (holds_record i x) * Q2).
    { intros x. rewrite Pr_mean. rewrite (mean_ext theta2 (chi (having i x k2)) (fun w => if having i x k2 w then 1 else 0)) by reflexivity.
      rewrite (by_finer h theta1 theta2 i x k2 (fun _ => 1) C). unfold Q2. rewrite <- sum_scale. apply sum_ext. intros k1 _.
      destruct (eqb k2 (h k1)); [|ring]. rewrite <- (U x k1), Pr_mean. reflexivity. }
    assert (ea : pa == qa * Q2) by apply weight. assert (eb : pb == qb * Q2) by apply weight.
    assert (qa0 : 0 <= qa) by now apply Pr_nonnegative. assert (qb0 : 0 <= qb) by now apply Pr_nonnegative.
    assert (Q20 : 0 <= Q2) by (apply sum_nonneg; intros k1 _; destruct (eqb k2 (h k1)); [now apply Pr_nonnegative|lra]).
    assert (qap : 0 < qa) by nra. assert (qbp : 0 < qb) by nra. assert (Q2p : 0 < Q2) by nra.
    rewrite (by_finer h theta1 theta2 i a k2 (fun D => Pr (M D) S) C), (by_finer h theta1 theta2 i b k2 (fun D => Pr (M D) S) C).
    set (na := sum (map (fun k1 => if eqb k2 (h k1) then mean theta1 (fun w => if having i a k1 w then _ else 0) else 0) _)).
    set (nb := sum (map (fun k1 => if eqb k2 (h k1) then mean theta1 (fun w => if having i b k1 w then _ else 0) else 0) _)).
    assert (key : qb * na <= E * (qa * nb) + qa * qb * m).
    { assert (key' : qb * na <= sum (map (fun k1 => E * (qa * (if eqb k2 (h k1) then
        mean theta1 (fun w => if having i b k1 w then Pr (M (fst w)) S else 0) else 0)) + qa * qb *
        (if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0)) (range snd theta1))).
      - unfold na. rewrite <- sum_scale. apply sum_le. intros k1 _. destruct (eqb k2 (h k1)); [|lra].
        assert (u := U a k1). assert (v := U b k1). fold qa in u. fold qb in v. set (q := Pr theta1 (knows k1)) in *.
        assert (q0 : 0 <= q) by now apply Pr_nonnegative.
        destruct (Qlt_le_dec 0 q) as [qp|qn].
        + assert (A : possible theta1 i a k1) by (unfold possible; rewrite u; now apply Qmult_lt_0_compat).
          assert (B : possible theta1 i b k1) by (unfold possible; rewrite v; now apply Qmult_lt_0_compat).
          assert (W := V k1 A B S). rewrite !Pr_output, u, v in W.
          set (x := mean theta1 (fun w => if having i a k1 w then _ else 0)) in *.
          set (y := mean theta1 (fun w => if having i b k1 w then _ else 0)) in *.
          assert (w0 : 0 < qa * qb * q) by (repeat apply Qmult_lt_0_compat; assumption).
          assert (e1 : qb * x == x / (qa * q) * (qa * qb * q)) by (field; split; lra).
          assert (e2 : E * (qa * y) + qa * qb * (c k1 * q) == (E * (y / (qb * q)) + c k1) * (qa * qb * q)) by (field; split; lra).
          rewrite e1, e2. apply Qmult_le_compat_r; [exact W|now apply Qlt_le_weak].
        + assert (z : q == 0) by lra. rewrite z in u, v. rewrite Qmult_0_r in u, v.
          rewrite (mean_null theta1 (having i a k1) (fun w => Pr (M (fst w)) S) N u).
          rewrite (mean_null theta1 (having i b k1) (fun w => Pr (M (fst w)) S) N v). rewrite z. lra.
      - eapply Qle_trans; [exact key'|]. rewrite sum_plus, !sum_scale. apply Qle_refl. }
    rewrite ea, eb, eQ. apply div_le; [now apply Qmult_lt_0_compat|].
    assert (e1 : (E * (nb / (qb * Q2)) + m / Q2) * (qa * Q2) == (E * (qa * nb) + qa * qb * m) * / qb) by (field; split; lra).
    rewrite e1. assert (e2 : na == qb * na * / qb) by (field; lra). rewrite e2. apply Qmult_le_compat_r; [exact key|].
    now apply Qlt_le_weak, Qinv_lt_0_compat.
  Qed.
  (** DMKB20, Proposition 3, in the reading "B1 independent of D(i), B2 a function of B1", for every delta: what is
      (Theta1, epsilon, delta)-NP is (Theta2, epsilon, delta)-NP. *)
  Theorem proposition_3_independent (Theta1 : family T B1) (Theta2 : family T B2) E d : of_size n Theta1 -> of_size n Theta2 ->
    more_knowledge Theta1 Theta2 -> np Theta1 E d M -> np Theta2 E d M.
  Proof.
    intros sized1 sized2 R V theta2 I2 k2 i.
    assert (line : forall a b, possible theta2 i a k2 -> possible theta2 i b k2 ->
      within E d (output theta2 (having i a k2) M) (output theta2 (having i b k2) M)).
    2:{ intros a b P P'. split; now apply line. }
    intros a b P P'. assert (l := possible_index n Theta2 sized2 theta2 i a k2 I2 P).
    assert (K := possible_knows n Theta2 sized2 theta2 i a k2 I2 P).
    destruct (R theta2 I2 i l) as (theta1 & h & I1 & C & U). destruct (sized1 theta1 I1) as [[N _] _].
    assert (W := finer_within h theta1 theta2 i a b k2 E (fun _ => d) N C U P P' (fun k1 A B => proj1 (V theta1 I1 k1 i a b A B))).
    assert (e : sum (map (fun k1 => if eqb k2 (h k1) then d * Pr theta1 (knows k1) else 0) (range snd theta1)) / Pr theta2 (knows k2) == d).
    { rewrite (sum_ext _ (fun k1 => d * (if eqb k2 (h k1) then Pr theta1 (knows k1) else 0))) by (intros k1 _; destruct (eqb k2 (h k1)); ring).
      rewrite sum_scale, <- (coarser_knows h theta1 theta2 k2 C). field. lra. }
    intros S. specialize (W S). rewrite e in W. exact W.
  Qed.

  (** The same for passive attackers: PPKDP. *)
  Theorem proposition_3_passive (Theta1 : family T B1) (Theta2 : family T B2) E d : of_size n Theta1 -> of_size n Theta2 ->
    total_on n M -> 0 <= E -> more_knowledge Theta1 Theta2 -> ppkdp Theta1 E d M -> ppkdp Theta2 E d M.
  Proof.
    intros sized1 sized2 L E0 R V theta2 I2 i a b P P'.
    assert (l : (i < n)%nat).
    { destruct (Nat.lt_ge_cases i n) as [l|g]; [exact l|]. exfalso. apply (Qlt_not_le _ _ P). rewrite Pr_mean, mean_zero; [lra|].
      intros w p J. unfold chi. destruct (holds_record i a w) eqn:e; [|reflexivity]. unfold holds_record in e. apply eqb_eq in e.
      symmetry in e. apply record_some in e. rewrite (proj2 (sized2 theta2 I2) w p J) in e. lia. }
    destruct (R theta2 I2 i l) as (theta1 & h & I1 & C & U). destruct (sized1 theta1 I1) as [[N1 T1] _]. destruct (sized2 theta2 I2) as [[N2 _] _].
    assert (same_record : forall x, Pr theta2 (holds_record i x) == Pr theta1 (holds_record i x)).
    { intros x. rewrite !Pr_mean, (mean_alike _ _ _ C), mean_image. reflexivity. }
    assert (Pa : 0 < Pr theta1 (holds_record i a)) by now rewrite <- same_record.
    assert (Pb : 0 < Pr theta1 (holds_record i b)) by now rewrite <- same_record.
    eapply Qle_trans; [|exact (V theta1 I1 i a b Pa Pb)].
    rewrite (ppk_sum n Theta2 M sized2 theta2 E i a b I2), (ppk_sum n Theta1 M sized1 theta1 E i a b I1).
    set (c := fun k1 => if excludes theta1 i b k1 then 0 else apk theta1 E M i a b k1).
    assert (c0 : forall k1, 0 <= c k1 * Pr theta1 (knows k1)).
    { intros k1. unfold c. destruct (excludes theta1 i b k1) eqn:e; [lra|]. apply excludes_false in e.
      assert (q := possible_knows n Theta1 sized1 theta1 i b k1 I1 e).
      apply Qmult_le_0_compat; [|lra]. apply (apk_nonnegative n Theta1 M sized1 L); [exact I1|]. unfold possible. rewrite (U a k1).
      now apply Qmult_lt_0_compat. }
    (* each k2 is bounded by the k1 that tell it *)
    assert (each : forall k2, (if excludes theta2 i b k2 then 0 else apk theta2 E M i a b k2) *
      (Pr theta2 (having i a k2) / Pr theta2 (holds_record i a)) <=
      sum (map (fun k1 => if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0) (range snd theta1))).
    { intros k2. set (m := sum (map (fun k1 => if eqb k2 (h k1) then _ else 0) _)).
      assert (m0 : 0 <= m) by (apply sum_nonneg; intros k1 _; destruct (eqb k2 (h k1)); [apply c0|lra]).
      destruct (excludes theta2 i b k2) eqn:e; [lra|]. apply excludes_false in e.
      assert (weight : forall x, Pr theta2 (having i x k2) == Pr theta2 (holds_record i x) * Pr theta2 (knows k2)).
      { intros x. rewrite Pr_mean. rewrite (mean_ext theta2 (chi (having i x k2)) (fun w => if having i x k2 w then 1 else 0)) by reflexivity.
        rewrite (by_finer h theta1 theta2 i x k2 (fun _ => 1) C), (coarser_knows h theta1 theta2 k2 C), same_record, <- sum_scale.
        apply sum_ext. intros k1 _. destruct (eqb k2 (h k1)); [|ring]. rewrite <- (U x k1), Pr_mean. reflexivity. }
      assert (K := possible_knows n Theta2 sized2 theta2 i b k2 I2 e).
      assert (A : possible theta2 i a k2) by (unfold possible; rewrite weight; now apply Qmult_lt_0_compat).
      assert (W := finer_within h theta1 theta2 i a b k2 E c N1 C U A e).
      assert (le : apk theta2 E M i a b k2 <= m / Pr theta2 (knows k2)).
      { apply (apk_within n Theta2 M sized2 L); try assumption. apply W. intros k1 A1 B1'. unfold c.
        rewrite (proj2 (excludes_false theta1 i b k1) B1').
        apply (apk_within n Theta1 M sized1 L theta1 E _ i a b k1 I1 E0 A1 B1'). apply Qle_refl. }
      rewrite weight. assert (e1 : Pr theta2 (holds_record i a) * Pr theta2 (knows k2) / Pr theta2 (holds_record i a) == Pr theta2 (knows k2)) by (field; lra).
      rewrite e1. assert (e2 : m == m / Pr theta2 (knows k2) * Pr theta2 (knows k2)) by (field; lra). rewrite e2.
      apply Qmult_le_compat_r; [exact le|lra]. }
    eapply Qle_trans; [apply sum_le; intros k2 _; apply each|].
    (* and each k1 tells one k2 *)
    assert (swap : sum (map (fun k2 => sum (map (fun k1 => if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0) (range snd theta1))) (range snd theta2)) ==
      sum (map (fun k1 => sum (map (fun k2 => if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0) (range snd theta2))) (range snd theta1))).
    { generalize (range snd theta2) as X2, (range snd theta1) as X1. clear. intros X2 X1. induction X2 as [|k2 X2 IH].
      - cbn [map]. symmetry. apply sum_zero. reflexivity.
      - cbn [map]. rewrite sum_cons, IH, <- sum_plus. apply sum_ext. intros k1 _. now rewrite sum_cons. }
    rewrite swap. apply sum_le. intros k1 _.
    assert (one : sum (map (fun k2 => if eqb k2 (h k1) then c k1 * Pr theta1 (knows k1) else 0) (range snd theta2)) <= c k1 * Pr theta1 (knows k1)).
    { destruct (in_dec same (h k1) (range snd theta2)) as [J|J].
      - apply Qle_lteq. right. exact (sum_single same (fun _ => true) (h k1) (c k1 * Pr theta1 (knows k1)) _ (range_nodup snd theta2) J).
      - rewrite sum_zero; [apply c0|]. intros k2 J2. destruct (eqb k2 (h k1)) eqn:e; [|reflexivity]. apply eqb_eq in e. subst k2. contradiction. }
    eapply Qle_trans; [exact one|]. rewrite (U a k1). fold (c k1).
    assert (e : c k1 * (Pr theta1 (holds_record i a) * Pr theta1 (knows k1) / Pr theta1 (holds_record i a)) == c k1 * Pr theta1 (knows k1)) by (field; lra).
    rewrite e. apply Qle_refl.
  Qed.

  (** * As printed, Definition 9 restored: acceptable normalizations *)

  Context {V : Type} `{Label V}.

  (** The law of independent parameters phi_0, ..., phi_k. *)
  Fixpoint product (phis : list (measure V)) : measure (list V) :=
    match phis with
    | [] => [([], 1)]
    | phi :: rest => bind phi (fun x => image (cons x) (product rest))
    end.
  (** What an attacker sees who knows the parameters in I. *)
  Fixpoint chosen (I : nat -> bool) (v : list V) : list (option V) :=
    match v with [] => [] | x :: r => (if I 0%nat then Some x else None) :: chosen (fun j => I (S j)) r end.
  Definition occurs (phis : list (measure V)) (v : list V) : Prop := exists p, In (v, p) (product phis) /\ 0 < p.

  (** Definitions 7 and 8: theta is the law of gen(phi_0, ..., phi_k), gen injective on what occurs; phi_0 determines
      D(i) (f); the parameters in I, without phi_0, and the knowledge determine each other (g, injective). *)
  Definition acceptable_normalization {B} `{Label B} (theta : distribution T B) (i : nat) (phi0 : measure V)
    (phis : list (measure V)) (gen : list V -> world T B) (f : V -> option T) (I : nat -> bool) (g : list (option V) -> B) : Prop :=
    (forall phi, In phi (phi0 :: phis) -> law phi) /\
    alike theta (image gen (product (phi0 :: phis))) /\
    (forall v v', occurs (phi0 :: phis) v -> occurs (phi0 :: phis) v' -> gen v = gen v' -> v = v') /\
    (forall x r, occurs (phi0 :: phis) (x :: r) -> record i (fst (gen (x :: r))) = f x) /\
    I 0%nat = false /\
    (forall v, occurs (phi0 :: phis) v -> snd (gen v) = g (chosen I v)) /\
    (forall v v', occurs (phi0 :: phis) v -> occurs (phi0 :: phis) v' -> g (chosen I v) = g (chosen I v') -> chosen I v = chosen I v').

  (** Definition 9: theta1 has more background knowledge than theta2: at each record both have an acceptable normalization
      with the same parameters and the same databases, and I1 contains I2. *)
  Definition stronger (theta1 : distribution T B1) (theta2 : distribution T B2) : Prop :=
    forall i, (i < n)%nat -> exists phi0 phis gen1 gen2 f I1 I2 g1 g2,
      acceptable_normalization theta1 i phi0 phis gen1 f I1 g1 /\
      acceptable_normalization theta2 i phi0 phis gen2 f I2 g2 /\
      (forall v, occurs (phi0 :: phis) v -> fst (gen1 v) = fst (gen2 v)) /\
      (forall j, I2 j = true -> I1 j = true).
  Definition stronger_family (Theta1 : family T B1) (Theta2 : family T B2) : Prop :=
    forall theta2, Theta2 theta2 -> exists theta1, Theta1 theta1 /\ stronger theta1 theta2.

  Lemma chosen_less I1 I2 v : (forall j, I2 j = true -> I1 j = true) -> forall v', chosen I1 v = chosen I1 v' -> chosen I2 v = chosen I2 v'.
  Proof.
    revert I1 I2. induction v as [|x v IH]; intros I1 I2 le [|x' v'] e; cbn in *; try congruence. injection e as e e'.
    f_equal; [|exact (IH _ _ (fun j => le (S j)) v' e')]. specialize (le 0%nat).
    destruct (I2 0%nat); [|reflexivity]. now rewrite (le eq_refl) in e.
  Qed.

  Lemma product_law phis : (forall phi, In phi phis -> law phi) -> law (product phis).
  Proof.
    induction phis as [|phi phis IH]; intros L.
    - split; [intros v p [e|[]]; injection e as _ <-; lra|reflexivity].
    - apply law_bind; [apply L; now left|]. intros x p _. apply law_image, IH. intros psi J. apply L. now right.
  Qed.
  (** phi_0 is independent of the others. *)
  Lemma product_independent phi0 phis (F : V -> bool) (G : list V -> bool) (S : list V -> bool) :
    (forall x r, S (x :: r) = F x && G r) ->
    Pr (product (phi0 :: phis)) S == Pr phi0 F * Pr (product phis) G.
  Proof.
    intros e. cbn [product]. rewrite Pr_bind, Pr_mean. rewrite (Qmult_comm (mean _ _)), <- mean_scale. apply mean_ext. intros x.
    rewrite Pr_image. unfold chi. destruct (F x) eqn:fx.
    - rewrite Qmult_1_r. apply Pr_ext. intros r. now rewrite e, fx.
    - rewrite Qmult_0_r, Pr_mean. apply mean_zero. intros r p _. unfold chi. now rewrite e, fx.
  Qed.
  Lemma Pr_occurring {A} (mu : measure A) S S' : nonnegative mu -> (forall x p, In (x, p) mu -> 0 < p -> S x = S' x) -> Pr mu S == Pr mu S'.
  Proof.
    intros N e. rewrite !Pr_mean. unfold mean. apply sum_ext. intros [x p] J. cbn [fst snd].
    assert (p0 := N x p J). destruct (Qlt_le_dec 0 p) as [l|l]; [unfold chi; now rewrite (e x p J l)|].
    assert (z : p == 0) by lra. rewrite z. ring.
  Qed.

  Lemma acceptable_unrelated (theta1 : distribution T B1) i phi0 phis gen f I g :
    acceptable_normalization theta1 i phi0 phis gen f I g -> unrelated theta1 i.
  Proof.
    intros (L & law_of & _ & sens & I0 & known & _) a k. assert (LP := product_law _ L).
    assert (split : forall F G : bool, Pr theta1 (fun w => (F || knows k w) && (G || holds_record i a w)) ==
      Pr phi0 (fun x => G || eqb (Some a) (f x)) *
      Pr (product phis) (fun r => F || eqb k (g (None :: chosen (fun j => I (S j)) r)))).
    { intros F G. rewrite (law_of _), Pr_image.
      rewrite (Pr_occurring _ _ (fun v => match v with [] => false | x :: r =>
        (G || eqb (Some a) (f x)) && (F || eqb k (g (None :: chosen (fun j => I (S j)) r))) end) (proj1 LP)).
      - apply product_independent. reflexivity.
      - intros v p J p0. assert (o : occurs (phi0 :: phis) v) by (exists p; now split).
        destruct v as [|x r].
        { exfalso. cbn [product] in J. apply in_flat_map in J as [[y q] [_ J]]. apply in_map_iff in J as [[z s] [J' J]].
          apply in_map_iff in J as [[z' s'] [J'' _]]. cbn in J', J''. congruence. }
        unfold knows, holds_record. rewrite (sens x r o), (known _ o). cbn [chosen]. rewrite I0. apply andb_comm. }
    assert (all0 : Pr phi0 (fun x => true || eqb (Some a) (f x)) == 1) by (apply Pr_all, L; now left).
    assert (all1 : Pr (product phis) (fun r => true || eqb k (g (None :: chosen (fun j => I (S j)) r))) == 1).
    { apply Pr_all, product_law. intros phi J. apply L. now right. }
    assert (x := split false false). assert (y := split true false). assert (z := split false true).
    rewrite all0 in z. rewrite all1 in y. rewrite Qmult_1_r in y. rewrite Qmult_1_l in z. rewrite <- y, <- z in x.
    etransitivity; [exact x|]. apply Qmult_comp; apply Pr_ext; intros w; cbn; now rewrite ?andb_true_r.
  Qed.

  Lemma stronger_coarser (theta1 : distribution T B1) (theta2 : distribution T B2) i phi0 phis gen1 gen2 f I1 I2 g1 g2 :
    acceptable_normalization theta1 i phi0 phis gen1 f I1 g1 ->
    acceptable_normalization theta2 i phi0 phis gen2 f I2 g2 ->
    (forall v, occurs (phi0 :: phis) v -> fst (gen1 v) = fst (gen2 v)) -> (forall j, I2 j = true -> I1 j = true) ->
    exists h, coarser h theta1 theta2.
  Proof.
    intros (L & law1 & _ & _ & _ & known1 & inj1) (_ & law2 & _ & _ & _ & known2 & _) same_D le.
    assert (LP := product_law _ L). set (P := product (phi0 :: phis)) in *.
    pose (like := fun k1 (vp : list V * Q) => negb (Qle_bool (snd vp) 0) && eqb k1 (g1 (chosen I1 (fst vp)))).
    pose (h := fun k1 => match find (like k1) P with Some vp => g2 (chosen I2 (fst vp)) | None => g2 [] end).
    exists h. intros S. rewrite (law2 S), !Pr_image, (law1 _), Pr_image. apply Pr_occurring; [apply LP|].
    intros v p J p0. assert (o : occurs (phi0 :: phis) v) by (exists p; now split). cbv beta. f_equal.
    rewrite (same_D v o), (known1 v o), (surjective_pairing (gen2 v)). cbn [fst snd]. rewrite (known2 v o). f_equal.
    unfold h. destruct (find (like (g1 (chosen I1 v))) P) as [[v' p']|] eqn:e.
    - apply find_some in e as [J' e]. unfold like in e. cbn [fst snd] in e. apply andb_prop in e as [e0 e].
      apply eqb_eq in e. assert (o' : occurs (phi0 :: phis) v').
      { exists p'. split; [exact J'|]. apply Qnot_le_lt. intros b. apply Qle_bool_iff in b. now rewrite b in e0. }
      cbn [fst]. apply (f_equal g2). apply (chosen_less I1 I2 v le). now apply inj1.
    - exfalso. assert (n0 := find_none _ _ e (v, p) J). unfold like in n0. cbn [fst snd] in n0. rewrite eqb_same, andb_true_r in n0.
      apply negb_false_iff, Qle_bool_iff in n0. lra.
  Qed.

  Lemma stronger_more (Theta1 : family T B1) (Theta2 : family T B2) : stronger_family Theta1 Theta2 -> more_knowledge Theta1 Theta2.
  Proof.
    intros R theta2 I2 i l.
    destruct (R theta2 I2) as (theta1 & I1 & X). destruct (X i l) as (phi0 & phis & gen1 & gen2 & f & J1 & J2 & g1 & g2 & A1 & A2 & D & le).
    destruct (stronger_coarser theta1 theta2 i phi0 phis gen1 gen2 f J1 J2 g1 g2 A1 A2 D le) as [h C].
    exists theta1, h. split; [exact I1|]. split; [exact C|]. exact (acceptable_unrelated theta1 i phi0 phis gen1 f J1 g1 A1).
  Qed.

  (** DMKB20, Proposition 3 (as printed, and for every delta; printed: delta = 0): if Theta1 has more background knowledge
      than Theta2 (Definition 9), a mechanism in (Theta1, epsilon, delta)-NP is in (Theta2, epsilon, delta)-NP. *)
  Theorem proposition_3 (Theta1 : family T B1) (Theta2 : family T B2) E d : of_size n Theta1 -> of_size n Theta2 ->
    stronger_family Theta1 Theta2 -> np Theta1 E d M -> np Theta2 E d M.
  Proof.
    intros sized1 sized2 R. apply proposition_3_independent; try assumption. intros theta2 I2 i l.
    now apply (stronger_more Theta1 Theta2 R).
  Qed.
  (** The same for passive attackers: PPKDP. *)
  Theorem proposition_3_printed_passive (Theta1 : family T B1) (Theta2 : family T B2) E d : of_size n Theta1 -> of_size n Theta2 ->
    total_on n M -> 0 <= E -> stronger_family Theta1 Theta2 -> ppkdp Theta1 E d M -> ppkdp Theta2 E d M.
  Proof. intros sized1 sized2 L e R. apply proposition_3_passive; try assumption. now apply stronger_more. Qed.
End MoreKnowledge.
