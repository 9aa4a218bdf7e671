(** Composition and bounded dependency: DMKB20, Theorem 6 and its corollary, and Proposition 9.

    The rational forms of Definitions 11, 17 and 18: for two laws P and P' (given D(i) = a, and given D(i) = b) of a pair of
    outputs, e^L = P(o1, o2)/P'(o1, o2), e^L1 and e^L2 are the same of its two parts, and e^Dep = e^(L2 given o1)/e^L2.

    Where Dep is infinity - infinity, or o1 excludes b, Definition 17's convention would count 1. All that is proved of
    composition holds for whatever is counted there: [c] is any number >= 0 for each pair of outputs. *)

From PK Require Import PartialKnowledge Laws Notions PostProcessing.
Import ListNotations.
Open Scope Q_scope.

Section Losses.
  Context {O1 O2 : Type} `{Label O1} `{Label O2}.
  Implicit Types P : measure (O1 * O2).

  Definition both_at P o1 o2 : Q := at_ same P (o1, o2).
  Definition first_at P o1 : Q := at_ same (image fst P) o1.
  Definition second_at P o2 : Q := at_ same (image snd P) o2.
  (** P[o2 given o1]. *)
  Definition second_given P o1 o2 : Q := both_at P o1 o2 / first_at P o1.

  (** e^Dep(o1, o2), where all losses are finite (Definition 17). *)
  Definition dependency P P' o1 o2 : Q :=
    (second_given P o1 o2 / second_given P' o1 o2) / (second_at P o2 / second_at P' o2).
  (** max(0, 1 - e^(mu - Dep)) for P(o1, o2) > 0, with m = e^mu (Definition 18); c stands for what is counted where b
      excludes o1, or b excludes o2, so that both losses are infinite. Where b excludes the pair alone, Dep is infinite,
      and 1 is counted. *)
  Definition dependency_excess (c : O1 -> O2 -> Q) (m : Q) P P' o1 o2 : Q :=
    if Qle_bool (first_at P' o1) 0 then c o1 o2 else if Qle_bool (second_at P' o2) 0 then c o1 o2
    else Qmax 0 (1 - m * (second_given P' o1 o2 / second_given P o1 o2) / (second_at P' o2 / second_at P o2)).

  Lemma first_ge P o1 o2 : nonnegative P -> both_at P o1 o2 <= first_at P o1.
  Proof.
    intros N. unfold first_at, both_at, at_. rewrite Pr_image. apply Pr_le; [exact N|]. intros [x y] e.
    unfold is in *. destruct (same (o1, o2) (x, y)) as [E|]; [|discriminate]. injection E as -> ->. cbn.
    destruct (same x x); congruence.
  Qed.
  Lemma second_ge P o1 o2 : nonnegative P -> both_at P o1 o2 <= second_at P o2.
  Proof.
    intros N. unfold second_at, both_at, at_. rewrite Pr_image. apply Pr_le; [exact N|]. intros [x y] e.
    unfold is in *. destruct (same (o1, o2) (x, y)) as [E|]; [|discriminate]. injection E as -> ->. cbn.
    destruct (same y y); congruence.
  Qed.

  (** DMKB20, Theorem 6, corrected: L = Dep + L1 + L2, with Dep once, where all are finite. *)
  Theorem theorem_6_identity P P' o1 o2 : nonnegative P -> nonnegative P' -> 0 < both_at P o1 o2 -> 0 < both_at P' o1 o2 ->
    both_at P o1 o2 / both_at P' o1 o2 ==
    dependency P P' o1 o2 * (first_at P o1 / first_at P' o1) * (second_at P o2 / second_at P' o2).
  Proof.
    intros N N' p p'. assert (f := first_ge P o1 o2 N). assert (f' := first_ge P' o1 o2 N').
    assert (s := second_ge P o1 o2 N). assert (s' := second_ge P' o1 o2 N').
    unfold dependency, second_given. field. repeat split; lra.
  Qed.

  Lemma subadditive x y : 0 <= x -> 0 <= y -> Qmax 0 (1 - x * y) <= Qmax 0 (1 - x) + Qmax 0 (1 - y).
  Proof.
    intros px py. assert (a := Q.le_max_l 0 (1 - x)). assert (b := Q.le_max_r 0 (1 - x)).
    assert (c := Q.le_max_l 0 (1 - y)). assert (d := Q.le_max_r 0 (1 - y)).
    apply Q.max_lub; [lra|]. destruct (Qlt_le_dec x 1), (Qlt_le_dec y 1); nra.
  Qed.
  Lemma excess_le_one E p q : 0 <= E -> 0 < p -> 0 <= q -> excess E p q <= 1.
  Proof.
    intros e P N. unfold excess. apply Q.max_lub; [lra|]. assert (0 <= E * q / p); [|lra].
    apply div_pos; [exact P|]. now apply Qmult_le_0_compat.
  Qed.
  Lemma excess_zero E p q : q == 0 -> 1 <= excess E p q.
  Proof.
    intros z. unfold excess. eapply Qle_trans; [|apply Q.le_max_r]. rewrite z. unfold Qdiv. rewrite Qmult_0_r, Qmult_0_l. lra.
  Qed.
  Lemma excess_nonnegative E p q : 0 <= excess E p q.
  Proof. apply Q.le_max_l. Qed.

  (** Dep is the same with the two outputs exchanged. *)
  Theorem dependency_symmetric P P' o1 o2 : nonnegative P -> nonnegative P' -> 0 < both_at P o1 o2 -> 0 < both_at P' o1 o2 ->
    dependency P P' o1 o2 ==
    ((both_at P o1 o2 / second_at P o2) / (both_at P' o1 o2 / second_at P' o2)) / (first_at P o1 / first_at P' o1).
  Proof.
    intros N N' p p'. assert (f := first_ge P o1 o2 N). assert (f' := first_ge P' o1 o2 N').
    assert (s := second_ge P o1 o2 N). assert (s' := second_ge P' o1 o2 N').
    unfold dependency, second_given. field. repeat split; lra.
  Qed.

  (** The proof of Theorem 6, "f(a + b + c) <= f(a) + f(b) + f(c)": output by output, the excess of both is at most the sum
      of the three, infinite losses included. *)
  Theorem composed_excess c m E1 E2 P P' o1 o2 : nonnegative P -> nonnegative P' -> 0 <= m -> 0 <= E1 -> 0 <= E2 ->
    (forall x y, 0 <= c x y) -> 0 < both_at P o1 o2 ->
    excess (m * E1 * E2) (both_at P o1 o2) (both_at P' o1 o2) <=
    excess E1 (first_at P o1) (first_at P' o1) + excess E2 (second_at P o2) (second_at P' o2)
    + dependency_excess c m P P' o1 o2.
  Proof.
    intros N N' m0 e1 e2 C p. assert (f := first_ge P o1 o2 N). assert (s := second_ge P o1 o2 N).
    assert (f' := first_ge P' o1 o2 N'). assert (s' := second_ge P' o1 o2 N').
    assert (p' : 0 <= both_at P' o1 o2) by now apply Pr_nonnegative.
    assert (E0 : 0 <= m * E1 * E2) by (repeat apply Qmult_le_0_compat; assumption).
    assert (L := excess_le_one _ (both_at P o1 o2) (both_at P' o1 o2) E0 p p').
    assert (X := excess_nonnegative E1 (first_at P o1) (first_at P' o1)).
    assert (Y := excess_nonnegative E2 (second_at P o2) (second_at P' o2)).
    unfold dependency_excess. destruct (Qle_bool (first_at P' o1) 0) eqn:z1.
    - apply Qle_bool_iff in z1. assert (z : first_at P' o1 == 0) by lra.
      assert (one := excess_zero E1 (first_at P o1) _ z). specialize (C o1 o2). lra.
    - assert (f0 : 0 < first_at P' o1) by (apply Qnot_le_lt; intro b; apply Qle_bool_iff in b; congruence).
      destruct (Qle_bool (second_at P' o2) 0) eqn:z2.
      + apply Qle_bool_iff in z2. assert (z : second_at P' o2 == 0) by lra.
        assert (one := excess_zero E2 (second_at P o2) _ z). specialize (C o1 o2). lra.
      + assert (s0 : 0 < second_at P' o2) by (apply Qnot_le_lt; intro b; apply Qle_bool_iff in b; congruence).
        clear L X Y. unfold second_given, excess.
        set (x := E1 * first_at P' o1 / first_at P o1). set (y := E2 * second_at P' o2 / second_at P o2).
        set (z := m * _ / _).
        assert (e : m * E1 * E2 * both_at P' o1 o2 / both_at P o1 o2 == x * y * z).
        { unfold x, y, z. field. repeat split; lra. }
        rewrite e.
        assert (x0 : 0 <= x) by (apply div_pos; [lra|apply Qmult_le_0_compat; lra]).
        assert (y0 : 0 <= y) by (apply div_pos; [lra|apply Qmult_le_0_compat; lra]).
        assert (z0 : 0 <= z).
        { unfold z, Qdiv. repeat apply Qmult_le_0_compat; try lra; apply Qinv_le_0_compat; try lra;
            apply Qmult_le_0_compat; try lra; apply Qinv_le_0_compat; lra. }
        assert (xy0 : 0 <= x * y) by now apply Qmult_le_0_compat.
        assert (u := subadditive (x * y) z xy0 z0). assert (v := subadditive x y x0 y0). lra.
  Qed.
End Losses.

Section Dependency.
  Context {T B O1 O2 : Type} `{Label T} `{Label B} `{Label O1} `{Label O2} (n : nat) (Theta : family T B).
  Context (sized : of_size n Theta).

  (** Two mechanisms on one database, with coins of their own. *)
  Definition both (M1 : mechanism T O1) (M2 : mechanism T O2) : mechanism T (O1 * O2) :=
    fun D => bind (M1 D) (fun o => image (pair o) (M2 D)).

  (** (mu, nu)-bounded dependency (Definition 18) of the two parts of a mechanism that puts out pairs, m = e^mu: for all
      theta, i, a, b and all B compatible with a and b. *)
  Definition bounded_dependent (c : O1 -> O2 -> Q) (m nu : Q) (M : mechanism T (O1 * O2)) : Prop :=
    forall theta, Theta theta -> forall i a b k, possible theta i a k -> possible theta i b k ->
    let P := output theta (having i a k) M in
    let P' := output theta (having i b k) M in
    mean P (fun x => dependency_excess c m P P' (fst x) (snd x)) <= nu.

  Lemma law_both M1 M2 : total_on n M1 -> total_on n M2 -> total_on n (both M1 M2).
  Proof. intros L1 L2 D l. apply law_bind; [now apply L1|]. intros o p _. now apply law_image, L2. Qed.
  Lemma both_first M1 M2 D : law (M2 D) -> alike (M1 D) (image fst (both M1 M2 D)).
  Proof.
    intros L S. unfold both. rewrite Pr_image, Pr_bind, Pr_mean. apply mean_ext. intros o. rewrite Pr_image. cbn [fst].
    unfold chi. destruct (S o); symmetry; [now apply Pr_all|]. rewrite Pr_mean. now apply mean_zero.
  Qed.
  Lemma both_second M1 M2 D : law (M1 D) -> alike (M2 D) (image snd (both M1 M2 D)).
  Proof.
    intros L S. unfold both. rewrite Pr_image, Pr_bind. symmetry. rewrite <- (mean_constant (M1 D) (Pr (M2 D) S) L).
    apply mean_ext. intros o. rewrite Pr_image. reflexivity.
  Qed.

  Lemma image_bind {A C} (f : (O1 * O2) -> C) (mu : measure A) (K : A -> measure (O1 * O2)) :
    alike (bind mu (fun x => image f (K x))) (image f (bind mu K)).
  Proof. intros S. rewrite Pr_image, !Pr_bind. apply mean_ext. intros x. now rewrite Pr_image. Qed.

  (** What APKDP of one part says of the joint laws. *)
  Lemma apk_part {C} `{Label C} (f : (O1 * O2) -> C) (M : mechanism T (O1 * O2)) theta E d i a b k :
    total_on n M -> Theta theta -> 0 <= E -> possible theta i a k -> possible theta i b k ->
    apk theta E (fun D => image f (M D)) i a b k <= d ->
    let P := output theta (having i a k) M in
    let P' := output theta (having i b k) M in
    mean P (fun x => excess E (at_ same (image f P) (f x)) (at_ same (image f P') (f x))) <= d.
  Proof.
    intros L I e A A' V P P'. apply (apk_within n Theta) in V; try assumption.
    2:{ intros D l. now apply law_image, L. }
    rewrite <- (mean_image f P (fun y => excess E (at_ same (image f P) y) (at_ same (image f P') y))).
    apply loss_within; [exact e|apply nonnegative_image, (law_output n Theta M sized L theta); assumption..|].
    eapply within_alike; [| |exact V]; unfold output, P, P'; apply image_bind.
  Qed.

  (** DMKB20, Theorem 6, corollary, corrected to mu once (any real mu, and every reading of the infinite cases), for any
      mechanism that puts out pairs: if its parts are (epsilon1, delta1)- and (epsilon2, delta2)-APKDP and (mu, nu)-bounded
      dependent, it is (mu + epsilon1 + epsilon2, delta1 + delta2 + nu)-APKDP. *)
  Theorem theorem_6_pairs c m nu E1 d1 E2 d2 (M : mechanism T (O1 * O2)) : total_on n M ->
    (forall x y, 0 <= c x y) -> 0 <= m -> 0 <= E1 -> 0 <= E2 ->
    apkdp Theta E1 d1 (fun D => image fst (M D)) -> apkdp Theta E2 d2 (fun D => image snd (M D)) ->
    bounded_dependent c m nu M ->
    apkdp Theta (m * E1 * E2) (d1 + d2 + nu) M.
  Proof.
    intros L C m0 e1 e2 V1 V2 V3 theta I i a b k A A'.
    assert (W1 := apk_part fst M theta E1 d1 i a b k L I e1 A A' (V1 theta I i a b k A A')).
    assert (W2 := apk_part snd M theta E2 d2 i a b k L I e2 A A' (V2 theta I i a b k A A')).
    assert (W3 := V3 theta I i a b k A A'). cbv zeta in W1, W2, W3. unfold apk. cbv zeta.
    assert (N : nonnegative (output theta (having i a k) M)) by now apply (law_output n Theta M sized L theta).
    assert (N' : nonnegative (output theta (having i b k) M)) by now apply (law_output n Theta M sized L theta).
    set (P := output theta (having i a k) M) in *. set (P' := output theta (having i b k) M) in *.
    eapply Qle_trans; [|apply (Qplus_le_compat _ _ _ _ (Qplus_le_compat _ _ _ _ W1 W2) W3)].
    rewrite <- !mean_plus. unfold mean. apply sum_le. intros [[o1 o2] p] J. cbn [fst snd].
    assert (p0 := N (o1, o2) p J). destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; lra].
    assert (pos : 0 < both_at P o1 o2).
    { eapply Qlt_le_trans; [exact p1|]. apply (Pr_member P _ (o1, o2) p N J). unfold is. now destruct (same (o1, o2) (o1, o2)). }
    assert (le := composed_excess c m E1 E2 P P' o1 o2 N N' m0 e1 e2 C pos).
    unfold both_at, first_at, second_at in le. nra.
  Qed.

  (** The same for two mechanisms with coins of their own, as the paper has it. *)
  Theorem theorem_6_corollary c m nu E1 d1 E2 d2 (M1 : mechanism T O1) (M2 : mechanism T O2) :
    total_on n M1 -> total_on n M2 -> (forall x y, 0 <= c x y) -> 0 <= m -> 0 <= E1 -> 0 <= E2 ->
    apkdp Theta E1 d1 M1 -> apkdp Theta E2 d2 M2 -> bounded_dependent c m nu (both M1 M2) ->
    apkdp Theta (m * E1 * E2) (d1 + d2 + nu) (both M1 M2).
  Proof.
    intros L1 L2 C m0 e1 e2 V1 V2 V3. assert (L := law_both M1 M2 L1 L2).
    apply (theorem_6_pairs c m nu); try assumption.
    - refine (by_law (apkdp_definition n Theta E1 d1 sized e1) M1 _ L1 _ _ V1).
      + intros D l. now apply law_image, L.
      + intros D l. apply both_first. now apply L2.
    - refine (by_law (apkdp_definition n Theta E2 d2 sized e2) M2 _ L2 _ _ V2).
      + intros D l. now apply law_image, L.
      + intros D l. apply both_second. now apply L1.
  Qed.

  (** DMKB20, Theorem 6, corollary as printed, with 2*mu, for mu >= 0. *)
  Theorem theorem_6_printed c m nu E1 d1 E2 d2 (M1 : mechanism T O1) (M2 : mechanism T O2) :
    total_on n M1 -> total_on n M2 -> (forall x y, 0 <= c x y) -> 1 <= m -> 0 <= E1 -> 0 <= E2 ->
    apkdp Theta E1 d1 M1 -> apkdp Theta E2 d2 M2 -> bounded_dependent c m nu (both M1 M2) ->
    apkdp Theta (m * m * E1 * E2) (d1 + d2 + nu) (both M1 M2).
  Proof.
    intros L1 L2 C m1 e1 e2 V1 V2 V3. assert (L := law_both M1 M2 L1 L2).
    assert (E0 : 0 <= m * E1 * E2) by (repeat apply Qmult_le_0_compat; lra).
    assert (E0' : 0 <= m * m * E1 * E2) by (repeat apply Qmult_le_0_compat; lra).
    assert (V := theorem_6_corollary c m nu E1 d1 E2 d2 M1 M2 L1 L2 C ltac:(lra) e1 e2 V1 V2 V3).
    apply (apkdp_np n Theta (both M1 M2) sized L); [exact E0'|].
    apply (apkdp_np n Theta (both M1 M2) sized L) in V; [|exact E0]. intros theta I k i a b P P'.
    apply (indistinguishable_more (m * E1 * E2) _ (d1 + d2 + nu)); [| | |apply Qle_refl|exact (V theta I k i a b P P')].
    - now apply (law_output n Theta _ sized L theta).
    - now apply (law_output n Theta _ sized L theta).
    - assert (0 <= E1 * E2) by now apply Qmult_le_0_compat. nra.
  Qed.

  (** M1(D) and M2(D) are independent given k and D(i) = a. *)
  Definition outputs_independent (M : mechanism T (O1 * O2)) : Prop :=
    forall theta, Theta theta -> forall i a k, possible theta i a k -> forall o1 o2,
    let P := output theta (having i a k) M in both_at P o1 o2 == first_at P o1 * second_at P o2.

  (** DMKB20, Proposition 9, corrected: if M1(D) and M2(D) are independent given B and D(i) = a, for all theta, B, i and a,
      they are (0, 0)-bounded dependent, where infinity - infinity is 0 and an o1 that excludes b is not compared. *)
  Theorem proposition_9 (M : mechanism T (O1 * O2)) : total_on n M -> outputs_independent M ->
    bounded_dependent (fun _ _ => 0) 1 0 M.
  Proof.
    intros L X theta I i a b k A A'. cbv zeta. assert (XP := X theta I i a k A). assert (XP' := X theta I i b k A').
    cbv zeta in XP, XP'.
    assert (N : nonnegative (output theta (having i a k) M)) by now apply (law_output n Theta M sized L theta).
    set (P := output theta (having i a k) M) in *. set (P' := output theta (having i b k) M) in *.
    assert (z : mean P (fun x => dependency_excess (fun _ _ => 0) 1 P P' (fst x) (snd x)) == 0); [|rewrite z; lra].
    unfold mean. apply sum_zero. intros [[o1 o2] p] J. cbn [fst snd].
    assert (p0 := N (o1, o2) p J). destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; ring].
    assert (pos : 0 < both_at P o1 o2).
    { eapply Qlt_le_trans; [exact p1|]. apply (Pr_member P _ (o1, o2) p N J). unfold is. now destruct (same (o1, o2) (o1, o2)). }
    assert (f := first_ge P o1 o2 N). assert (s := second_ge P o1 o2 N).
    unfold dependency_excess. destruct (Qle_bool (first_at P' o1) 0) eqn:z1; [ring|].
    destruct (Qle_bool (second_at P' o2) 0) eqn:z2; [ring|].
    assert (f0 : 0 < first_at P' o1) by (apply Qnot_le_lt; intro u; apply Qle_bool_iff in u; congruence).
    assert (s0 : 0 < second_at P' o2) by (apply Qnot_le_lt; intro u; apply Qle_bool_iff in u; congruence).
    unfold second_given. rewrite XP, XP'.
    assert (e : 1 * (first_at P' o1 * second_at P' o2 / first_at P' o1 / (first_at P o1 * second_at P o2 / first_at P o1))
      / (second_at P' o2 / second_at P o2) == 1) by (field; repeat split; lra).
    rewrite e, Q.max_l; [ring|lra].
  Qed.
End Dependency.
