(** Divergences of two laws, for every convex function with rational values (DP22, Definition 13, Propositions 1 and 3).

    D_f(P, Q) = sum over outputs o of g(P(o), Q(o)), where g(p, q) = q * f(p/q) for q > 0, and g(p, 0) = p * s with s
    the slope of f at infinity. Where the slope is infinite, D_f is infinite unless Q(o) = 0 implies P(o) = 0; then s
    plays no part. All that is used of g is that it is homogeneous and subadditive; for f convex it is both
    ([perspective_scale], [perspective_plus]). Functions with irrational values, such as t * ln t, are not covered. *)

From PK Require Export Laws.
From PK Require Import PartialKnowledge Laws.
Import ListNotations.
Open Scope Q_scope.

(** * The perspective of a convex function *)

Section Perspective.
  Context (f : Q -> Q) (s : Q) (bounded_slope : bool).
  Context (f_proper : forall x y, x == y -> f x == f y).
  (** f is convex on [0, infinity), *)
  Context (convex : forall w x y, 0 <= w <= 1 -> 0 <= x -> 0 <= y -> f (w * x + (1 - w) * y) <= w * f x + (1 - w) * f y).
  (** where its slope at infinity is finite, it is s: no chord is steeper. (That f(1) = 0 is not needed.) *)

  Context (slope : bounded_slope = true -> forall t u, 0 <= t -> 0 <= u -> f (t + u) <= f t + s * u).

  Definition perspective (p q : Q) : Q := if Qlt_le_dec 0 q then q * f (p / q) else p * s.
  (** Where the slope is infinite, what Q cannot produce must be impossible under P. *)
  Definition finite (p q : Q) : Prop := bounded_slope = false -> q == 0 -> p == 0.

  Lemma finite_plus p q p' q' : 0 <= q -> 0 <= q' -> finite p q -> finite p' q' -> finite (p + p') (q + q').
  Proof.
    intros n n' F F' b e. assert (z : q == 0) by lra. assert (z' : q' == 0) by lra.
    rewrite (F b z), (F' b z'). ring.
  Qed.
  Lemma finite_scale c p q : 0 < c -> 0 <= q -> finite p q -> finite (c * p) (c * q).
  Proof.
    intros n m F b e. assert (z : q == 0). { destruct (Qmult_integral c q e) as [z|z]; lra. }
    rewrite (F b z). ring.
  Qed.

  Lemma perspective_proper p p' q q' : p == p' -> q == q' -> perspective p q == perspective p' q'.
  Proof.
    intros e e'. unfold perspective. destruct (Qlt_le_dec 0 q), (Qlt_le_dec 0 q'); try lra.
    - assert (h : p / q == p' / q') by now rewrite e, e'. now rewrite (f_proper _ _ h), e'.
    - now rewrite e.
  Qed.
  Lemma perspective_zero p q : p == 0 -> q == 0 -> perspective p q == 0.
  Proof. intros e e'. unfold perspective. destruct (Qlt_le_dec 0 q); [lra|]. rewrite e. ring. Qed.
  Lemma perspective_scale c p q : 0 <= c -> 0 <= q -> perspective (c * p) (c * q) == c * perspective p q.
  Proof.
    intros n m. unfold perspective. destruct (Qlt_le_dec 0 (c * q)) as [l|l], (Qlt_le_dec 0 q) as [k|k].
    - assert (0 < c) by nra. rewrite (f_proper (c * p / (c * q)) (p / q)) by (field; lra). ring.
    - assert (q == 0) by lra. nra.
    - assert (z : c == 0) by nra. rewrite z. ring.
    - ring.
  Qed.
  Lemma perspective_beside p q p' q' : 0 <= p -> 0 < q -> 0 <= p' -> q' == 0 -> finite p' q' ->
    (q + q') * f ((p + p') / (q + q')) <= q * f (p / q) + p' * s.
  Proof.
    intros a b a' z F. assert (h : (p + p') / (q + q') == p / q + p' / q) by (rewrite z; field; lra).
    rewrite (f_proper _ _ h). assert (e0 : q + q' == q) by lra. rewrite e0. clear h e0. destruct bounded_slope eqn:bs.
    - assert (h := slope eq_refl (p / q) (p' / q) (div_pos _ _ b a) (div_pos _ _ b a')).
      assert (q * f (p / q + p' / q) <= q * (f (p / q) + s * (p' / q))) by (apply Qmult_le_l; assumption).
      assert (e : q * (f (p / q) + s * (p' / q)) == q * f (p / q) + p' * s) by (field; lra). lra.
    - assert (e : p' == 0) by (apply F; [exact bs|exact z]).
      assert (h : p / q + p' / q == p / q) by (rewrite e; field; lra). rewrite (f_proper _ _ h), e. lra.
  Qed.
  Lemma perspective_plus p q p' q' : 0 <= p -> 0 <= q -> 0 <= p' -> 0 <= q' -> finite p q -> finite p' q' ->
    perspective (p + p') (q + q') <= perspective p q + perspective p' q'.
  Proof.
    intros a b a' b' F F'. assert (one := perspective_beside).
    unfold perspective. destruct (Qlt_le_dec 0 (q + q')) as [l|l], (Qlt_le_dec 0 q) as [k|k], (Qlt_le_dec 0 q') as [m|m]; try lra.
    - assert (h := convex (q / (q + q')) (p / q) (p' / q')). 
      assert (e : (p + p') / (q + q') == q / (q + q') * (p / q) + (1 - q / (q + q')) * (p' / q')) by (field; lra).
      rewrite (f_proper _ _ e). assert (r : 0 <= q / (q + q') <= 1) by (split; [apply div_pos|apply div_le]; lra).
      specialize (h r (div_pos _ _ k a) (div_pos _ _ m a')).
      assert (g : (q + q') * f (q / (q + q') * (p / q) + (1 - q / (q + q')) * (p' / q')) <=
        (q + q') * (q / (q + q') * f (p / q) + (1 - q / (q + q')) * f (p' / q'))) by (apply Qmult_le_l; assumption).
      assert (e' : (q + q') * (q / (q + q') * f (p / q) + (1 - q / (q + q')) * f (p' / q')) == q * f (p / q) + q' * f (p' / q'))
        by (field; lra). lra.
    - apply one; auto. lra.
    - assert (h := one p' q' p q a' m a ltac:(lra) F).
      assert (e : (q + q') * f ((p + p') / (q + q')) == (q' + q) * f ((p' + p) / (q' + q))).
      { assert (u : (p + p') / (q + q') == (p' + p) / (q' + q)) by now rewrite (Qplus_comm p), (Qplus_comm q).
        rewrite (f_proper _ _ u). ring. }
      lra.
  Qed.

  (** * The divergence *)

  Section Divergence.
    Context {A : Type} `{Label A}.
    Implicit Types mu nu : measure A.
    Notation at_ := (at_ same).

    Definition divergence mu nu : Q := sum (map (fun o => perspective (at_ mu o) (at_ nu o)) (outcomes same mu nu)).
    Definition dominated mu nu : Prop := forall o, finite (at_ mu o) (at_ nu o).
    (** D_f(mu, nu) is finite, and at most e. *)
    Definition diverges_at_most (e : Q) mu nu : Prop := dominated mu nu /\ divergence mu nu <= e.

    (** What neither can produce adds nothing, so that any list of outputs that has all of them will do. *)
    Lemma at_outside mu o : ~ In o (map fst mu) -> at_ mu o == 0.
    Proof.
      induction mu as [|[x p] mu IH]; intros n; [reflexivity|]. unfold PartialKnowledge.at_. rewrite Pr_cons.
      cbn in n. unfold is at 1. destruct (same o x) as [e|_]; [exfalso; apply n; left; now symmetry|].
      assert (z : Pr mu (is same o) == 0) by (apply IH; intros i; apply n; now right). rewrite z. ring.
    Qed.
    Lemma sum_inside (h : A -> Q) (Y X : list A) : NoDup Y -> NoDup X -> incl Y X ->
      sum (map h Y) == sum (map (fun x => if in_dec same x Y then h x else 0) X).
    Proof.
      intros N M I. induction N as [|y Y n N IH].
      - cbn [map]. symmetry. now apply sum_zero.
      - cbn [map]. rewrite sum_cons, IH by (intros z k; apply I; now right).
        assert (e := sum_single same (fun _ => true) y (h y) X M (I y (or_introl eq_refl))). cbn in e.
        assert (r : forall x, (if in_dec same x (y :: Y) then h x else 0) ==
          (if is same x y then h y else 0) + (if in_dec same x Y then h x else 0)).
        { intros x. unfold is. destruct (same x y) as [q|d].
          - subst x. destruct (in_dec same y Y) as [i|_]; [contradiction|].
            destruct (in_dec same y (y :: Y)) as [_|k]; [ring|exfalso; apply k; now left].
          - destruct (in_dec same x Y) as [i|i], (in_dec same x (y :: Y)) as [k|k]; try ring; exfalso.
            + apply k. now right.
            + destruct k as [k|k]; [congruence|contradiction]. }
        rewrite (sum_ext _ _ X (fun x _ => r x)), sum_plus, e. reflexivity.
    Qed.
    Lemma divergence_over mu nu X : NoDup X -> incl (map fst (mu ++ nu)) X ->
      divergence mu nu == sum (map (fun o => perspective (at_ mu o) (at_ nu o)) X).
    Proof.
      intros N I. unfold divergence. rewrite (sum_inside _ _ X); [|apply NoDup_nodup|exact N|].
      - apply sum_ext. intros o _. destruct (in_dec same o (outcomes same mu nu)) as [i|n]; [reflexivity|].
        symmetry. apply perspective_zero; apply at_outside; intros i; apply n; unfold outcomes; apply nodup_In;
          rewrite map_app; apply in_or_app; [now left|now right].
      - intros o i. apply I. now apply nodup_In in i.
    Qed.

    Lemma at_nonnegative mu o : nonnegative mu -> 0 <= at_ mu o.
    Proof. intros N. now apply Pr_nonnegative. Qed.
    Lemma sum_nonnegative {I} (u : I -> Q) X : (forall x, 0 <= u x) -> 0 <= sum (map u X).
    Proof. intros n. induction X as [|x X IH]; cbn [map]; [cbn; lra|]. rewrite sum_cons. specialize (n x). lra. Qed.
    Lemma perspective_sum {I} (u v : I -> Q) X : (forall x, 0 <= u x) -> (forall x, 0 <= v x) ->
      (forall x, finite (u x) (v x)) ->
      finite (sum (map u X)) (sum (map v X)) /\
      perspective (sum (map u X)) (sum (map v X)) <= sum (map (fun x => perspective (u x) (v x)) X).
    Proof.
      intros n m F. induction X as [|x X [IH IH']]; cbn [map].
      - split; [intros _ _; reflexivity|]. rewrite (perspective_zero (sum []) (sum [])) by reflexivity. cbn. lra.
      - assert (a := sum_nonnegative u X n). assert (b := sum_nonnegative v X m).
        assert (g := finite_plus (u x) (v x) _ _ (m x) b (F x) IH).
        assert (h := perspective_plus (u x) (v x) _ _ (n x) (m x) a b (F x) IH).
        split.
        + intros c z. rewrite !sum_cons in *. now apply g.
        + rewrite (perspective_proper _ (u x + sum (map u X)) _ (v x + sum (map v X))) by apply sum_cons.
          rewrite sum_cons. lra.
    Qed.
    Lemma finite_proper p p' q q' : p == p' -> q == q' -> finite p q -> finite p' q'.
    Proof. intros e e' F b z. rewrite <- e. apply F; [exact b|]. now rewrite e'. Qed.

    (** A mixture of two pairs of laws diverges at most as the mean of their divergences. *)
    Theorem divergence_mix w mu mu' nu nu' : 0 <= w <= 1 -> nonnegative mu -> nonnegative mu' -> nonnegative nu ->
      nonnegative nu' -> dominated mu nu -> dominated mu' nu' ->
      diverges_at_most (w * divergence mu nu + (1 - w) * divergence mu' nu') (mix w mu mu') (mix w nu nu').
    Proof.
      intros [w0 w1] n n' m m' F F'.
      assert (a : forall rho rho' o, at_ (mix w rho rho') o == w * at_ rho o + (1 - w) * at_ rho' o).
      { intros. unfold PartialKnowledge.at_. apply Pr_mix. }
      assert (scaled : forall c p q, 0 <= c -> 0 <= q -> finite p q -> finite (c * p) (c * q)).
      { intros c p q c0 q0 G b z. destruct (Qlt_le_dec 0 c) as [l|l]; [now apply (finite_scale c p q)|].
        assert (e : c == 0) by lra. rewrite e. ring. }
      assert (v := fun o => scaled w _ _ w0 (at_nonnegative nu o m) (F o)).
      assert (v' := fun o => scaled (1 - w) _ _ ltac:(lra) (at_nonnegative nu' o m') (F' o)).
      assert (p0 := fun o => at_nonnegative mu o n). assert (p0' := fun o => at_nonnegative mu' o n').
      assert (q0 := fun o => at_nonnegative nu o m). assert (q0' := fun o => at_nonnegative nu' o m').
      split.
      - intros o. eapply finite_proper; [symmetry; apply a|symmetry; apply a|]. apply finite_plus; auto;
          apply Qmult_le_0_compat; auto; lra.
      - set (X := nodup same (map fst (mu ++ nu) ++ map fst (mu' ++ nu'))).
        assert (N : NoDup X) by apply NoDup_nodup.
        rewrite (divergence_over mu nu X), (divergence_over mu' nu' X), (divergence_over _ _ X); try exact N.
        + rewrite <- !sum_scale, <- sum_plus. apply sum_le. intros o _.
          rewrite (perspective_proper _ _ _ _ (a mu mu' o) (a nu nu' o)).
          assert (h := perspective_plus (w * at_ mu o) (w * at_ nu o) ((1 - w) * at_ mu' o) ((1 - w) * at_ nu' o)).
          rewrite (perspective_scale w), (perspective_scale (1 - w)) in h by (auto; lra).
          apply h; auto; apply Qmult_le_0_compat; auto; lra.
        + intros o i. apply nodup_In, in_or_app. unfold mix in i. rewrite !map_app, !map_map in i. cbn [fst] in i.
          rewrite !map_app. rewrite !in_app_iff in *. tauto.
        + intros o i. apply nodup_In, in_or_app. now right.
        + intros o i. apply nodup_In, in_or_app. now left.
    Qed.
  End Divergence.

  (** Post-processing, deterministic or random, does not make two laws more different. *)
  Theorem divergence_bind {A C} `{Label A} `{Label C} e (mu nu : measure A) (K : A -> measure C) :
    (forall x, law (K x)) -> nonnegative mu -> nonnegative nu ->
    diverges_at_most e mu nu -> diverges_at_most e (bind mu K) (bind nu K).
  Proof.
    intros L n m [F D].
    set (X := outcomes same mu nu). assert (N : NoDup X) by apply NoDup_nodup.
    assert (a : forall rho, incl (map fst rho) X -> forall y,
      at_ same (bind rho K) y == sum (map (fun x => at_ same rho x * at_ same (K x) y) X)).
    { intros rho I y. unfold at_ at 1. rewrite Pr_bind. rewrite (mean_by_outcome rho _ X N I). reflexivity. }
    assert (am := a mu (outcomes_left same mu nu)). assert (an := a nu (outcomes_right same mu nu)).
    assert (k0 : forall x y, 0 <= at_ same (K x) y) by (intros x y; apply at_nonnegative, L).
    assert (u0 : forall y x, 0 <= at_ same mu x * at_ same (K x) y).
    { intros y x. apply Qmult_le_0_compat; [now apply at_nonnegative|apply k0]. }
    assert (v0 : forall y x, 0 <= at_ same nu x * at_ same (K x) y).
    { intros y x. apply Qmult_le_0_compat; [now apply at_nonnegative|apply k0]. }
    assert (G : forall y x, finite (at_ same mu x * at_ same (K x) y) (at_ same nu x * at_ same (K x) y)).
    { intros y x b z. destruct (Qmult_integral _ _ z) as [q|q]; [rewrite (F x b q)|rewrite q]; ring. }
    split.
    - intros y. eapply finite_proper; [symmetry; apply am|symmetry; apply an|].
      now apply (perspective_sum (fun x => at_ same mu x * at_ same (K x) y) (fun x => at_ same nu x * at_ same (K x) y) X).
    - eapply Qle_trans; [|exact D]. set (Y := outcomes same (bind mu K) (bind nu K)).
      assert (M : NoDup Y) by apply NoDup_nodup.
      assert (step : divergence (bind mu K) (bind nu K) <=
        sum (map (fun y => sum (map (fun x => at_ same (K x) y * perspective (at_ same mu x) (at_ same nu x)) X)) Y)).
      { unfold divergence. fold Y. apply sum_le. intros y _. rewrite (perspective_proper _ _ _ _ (am y) (an y)).
        destruct (perspective_sum (fun x => at_ same mu x * at_ same (K x) y) (fun x => at_ same nu x * at_ same (K x) y) X
          (u0 y) (v0 y) (G y)) as [_ h].
        eapply Qle_trans; [exact h|]. apply sum_le. intros x _.
        rewrite (perspective_proper _ (at_ same (K x) y * at_ same mu x) _ (at_ same (K x) y * at_ same nu x)) by ring.
        rewrite perspective_scale; [lra|apply k0|now apply at_nonnegative]. }
      eapply Qle_trans; [exact step|].
      assert (swap : forall (h : C -> A -> Q) (V : list C) (U : list A),
        sum (map (fun y => sum (map (h y) U)) V) == sum (map (fun x => sum (map (fun y => h y x) V)) U)).
      { intros h V U. induction V as [|y V IH]; cbn [map].
        - symmetry. now apply sum_zero.
        - rewrite sum_cons, IH, <- sum_plus. apply sum_ext. intros x _. symmetry. apply sum_cons. }
      rewrite swap. unfold divergence. fold X. apply sum_le. intros x i.
      rewrite (sum_ext _ (fun y => perspective (at_ same mu x) (at_ same nu x) * at_ same (K x) y)) by (intros; ring).
      rewrite sum_scale.
      assert (one : sum (map (at_ same (K x)) Y) == 1).
      { rewrite <- (Pr_all (K x) (L x)). rewrite (Pr_by_outcome same (K x) (fun _ => true) Y M); [reflexivity|].
        intros y j. unfold Y. apply nodup_In. rewrite map_app. apply in_or_app.
        apply nodup_In in i. rewrite map_app in i. apply in_app_or in i as [i|i]; [left|right];
          apply in_map_iff in i as [[z p] [q i]]; cbn in q; subst z; apply in_map_iff in j as [[z r] [q j]]; cbn in q; subst z;
          (apply in_map_iff; exists (y, p * r); split; [reflexivity|]; apply in_flat_map; exists (x, p); split; [exact i|];
           apply in_map_iff; exists (y, r); split; [reflexivity|exact j]). }
      rewrite one. lra.
  Qed.
End Perspective.

(** * DP22, Propositions 1 and 3 *)

Section Definitions.
  Context (f : Q -> Q) (s : Q) (bounded_slope : bool).
  Context (f_proper : forall x y, x == y -> f x == f y).
  Context (convex : forall w x y, 0 <= w <= 1 -> 0 <= x -> 0 <= y -> f (w * x + (1 - w) * y) <= w * f x + (1 - w) * f y).
  Context (slope : bounded_slope = true -> forall t u, 0 <= t -> 0 <= u -> f (t + u) <= f t + s * u).
  Context {X A C : Type} `{Label A} `{Label C}.

  (** (f, e)-divergence differential privacy with the mean under the second law (Definition 13, corrected), where the
      bound of a pair of databases is [e D D'], infinite (None) for a pair that is not compared. A constant e on
      neighbours is DivDP; e times a distance is EDivDP (section 5.3). *)
  Definition divdp {O} `{Label O} (e : X -> X -> option Q) (M : X -> measure O) : Prop :=
    forall D D' b, e D D' = Some b -> diverges_at_most f s bounded_slope b (M D) (M D').

  (** The first axiom: post-processing by any channel whose coins are its own. *)
  Theorem divdp_post_processing e (M : X -> measure A) (K : A -> measure C) : (forall D, law (M D)) ->
    (forall x, law (K x)) -> divdp e M -> divdp e (fun D => bind (M D) K).
  Proof.
    intros L L' P D D' b q. apply (divergence_bind f s bounded_slope f_proper convex slope b (M D) (M D') K L');
      [apply L|apply L|]. exact (P D D' b q).
  Qed.
  (** The second axiom: M with probability w, else M'. *)
  Theorem divdp_convexity e w (M M' : X -> measure A) : 0 <= w <= 1 -> (forall D, law (M D)) -> (forall D, law (M' D)) ->
    divdp e M -> divdp e M' -> divdp e (fun D => mix w (M D) (M' D)).
  Proof.
    intros r L L' P P' D D' b q. destruct (P D D' b q) as [F d], (P' D D' b q) as [F' d'].
    destruct (divergence_mix f s bounded_slope f_proper convex slope w (M D) (M' D) (M D') (M' D') r) as [G g];
      try (apply L || apply L'); try assumption.
    split; [exact G|]. eapply Qle_trans; [exact g|]. destruct r as [w0 w1].
    assert (w * divergence f s (M D) (M D') <= w * b) by (rewrite !(Qmult_comm w); apply Qmult_le_compat_r; assumption).
    assert ((1 - w) * divergence f s (M' D) (M' D') <= (1 - w) * b)
      by (rewrite !(Qmult_comm (1 - w)); apply Qmult_le_compat_r; [assumption|lra]).
    lra.
  Qed.
End Definitions.
