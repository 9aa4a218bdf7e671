(** Causal privacy by outputs and by inference: DMKB20, Proposition 1, corrected, both ways.

    [joint] is P[B = k, D(i) in S, M = t]: both definitions are about quotients of it. An output that only one side can
    produce is compared by CDP and not by IBCDP; a value b that is not possible is asked by IBCDP and not by CDP. *)

From PK Require Import PartialKnowledge Laws Notions PostProcessing Causal.
Import ListNotations.
Open Scope Q_scope.

Section Posteriors.
  Context {T B O : Type} `{Label T} `{Label B} `{Label O} (n : nat) (Theta : family T B) (M : mechanism T O).
  Context (sized : of_size n Theta) (total_M : total_on n M).
  Notation at_ := (at_ same).

  Definition joint (theta : distribution T B) (W : world T B -> measure O) (i : nat) (k : B) (t : O)
    (S : option T -> bool) : Q :=
    mean theta (fun w => if knows k w && S (record i (fst w)) then at_ (W w) t else 0).
  Definition anything (c : option T) : bool := true.

  Lemma Pr_seen theta (W : world T B -> measure O) i k t S :
    Pr (seen theta W) (fun x => saw k t x && S (record i (fst (fst x)))) == joint theta W i k t S.
  Proof.
    unfold seen. rewrite Pr_bind. apply mean_ext. intros w. rewrite Pr_image.
    destruct (knows k w && S (record i (fst w))) eqn:e; unfold at_; rewrite !Pr_mean.
    - apply mean_ext. intros o. unfold chi, saw. cbn [fst snd]. apply andb_prop in e as [e e']. rewrite e, e'.
      unfold eqb, is. cbn [andb]. now destruct (same t o).
    - apply mean_zero. intros o p _. unfold chi, saw. cbn [fst snd].
      destruct (knows k w), (S (record i (fst w))); try discriminate; rewrite ?andb_false_r; reflexivity.
  Qed.
  Lemma seen_saw theta (W : world T B -> measure O) i k t : Pr (seen theta W) (saw k t) == joint theta W i k t anything.
  Proof. rewrite <- Pr_seen. apply Pr_ext. intros x. unfold anything. now rewrite andb_true_r. Qed.
  Lemma Pr_posterior theta W i k t S :
    Pr (posterior theta W i k t) S == joint theta W i k t S / joint theta W i k t anything.
  Proof. unfold posterior. now rewrite Pr_image, Pr_given, Pr_seen, (seen_saw _ _ i). Qed.

  (** Given one value of D(i), the joint is P[B = k, D(i) = a] times the likelihood of t. *)
  Lemma joint_output theta i a k t : possible theta i a k ->
    joint theta (plain M) i k t (eqb (Some a)) == Pr theta (having i a k) * at_ (output theta (having i a k) M) t.
  Proof.
    intros P. unfold possible in P. unfold at_ at 1. rewrite Pr_output. unfold joint, plain, having, holds_record, at_.
    field. unfold having, holds_record in P. lra.
  Qed.
  Lemma joint_causing theta i a b k t : possible theta i a k ->
    joint theta (replaced M i b) i k t (eqb (Some a)) ==
    Pr theta (having i a k) * at_ (causing theta (having i a k) i b M) t.
  Proof.
    intros P. unfold possible in P. unfold at_ at 1. rewrite Pr_causing. unfold joint, replaced, having, holds_record, at_.
    field. unfold having, holds_record in P. lra.
  Qed.
  (** Where D(i) = b, the database with record i set to b is the database. *)
  Lemma joint_own theta i b k t :
    joint theta (replaced M i b) i k t (eqb (Some b)) == joint theta (plain M) i k t (eqb (Some b)).
  Proof.
    apply mean_ext. intros w. destruct (knows k w); [|reflexivity]. cbn [andb].
    destruct (eqb (Some b) (record i (fst w))) eqn:e; [|reflexivity]. apply eqb_eq in e. unfold replaced, plain.
    now rewrite put_same.
  Qed.

  Lemma joint_sum theta W i k t S :
    joint theta W i k t S == sum (map (fun c => if S c then joint theta W i k t (eqb c) else 0)
      (range (fun w : world T B => record i (fst w)) theta)).
  Proof.
    unfold joint at 1. rewrite (mean_by (fun w : world T B => record i (fst w)) theta _ _ (range_nodup _ theta) (range_in _ theta)).
    apply sum_ext. intros c _. destruct (S c) eqn:s.
    - apply mean_ext. intros w. destruct (eqb c (record i (fst w))) eqn:e.
      + apply eqb_eq in e. subst c. rewrite s. reflexivity.
      + now rewrite andb_false_r.
    - apply mean_zero. intros w p _. destruct (eqb c (record i (fst w))) eqn:e; [|reflexivity]. apply eqb_eq in e.
      rewrite <- e, s. now rewrite andb_false_r.
  Qed.
  (** A bound for each value of D(i) is a bound for each set of values. *)
  Lemma joint_le theta W W' i k t E S :
    (forall c, joint theta W i k t (eqb c) <= E * joint theta W' i k t (eqb c)) ->
    joint theta W i k t S <= E * joint theta W' i k t S.
  Proof.
    intros h. rewrite (joint_sum theta W), (joint_sum theta W'), <- sum_scale. apply sum_le. intros c _.
    destruct (S c); [apply h|lra].
  Qed.

  Lemma at_nonnegative_in theta W w p t : Theta theta -> In (w, p) theta -> (W = plain M \/ exists i b, W = replaced M i b) ->
    0 <= at_ (W w) t.
  Proof.
    intros I J e. apply Pr_nonnegative. assert (l := proj2 (sized theta I) w p J).
    destruct e as [->|(i & b & ->)]; apply total_M; [exact l|now rewrite put_length].
  Qed.
  Lemma joint_nonnegative theta W i k t S : Theta theta -> (W = plain M \/ exists i b, W = replaced M i b) ->
    0 <= joint theta W i k t S.
  Proof.
    intros I e. apply mean_nonnegative; [apply (sized theta I)|]. intros w p J.
    destruct (knows k w && S (record i (fst w))); [now apply (at_nonnegative_in theta W w p)|lra].
  Qed.
  Lemma joint_more theta W i k t S : Theta theta -> (W = plain M \/ exists i b, W = replaced M i b) ->
    joint theta W i k t S <= joint theta W i k t anything.
  Proof.
    intros I e. apply mean_le; [apply (sized theta I)|]. intros w p J. unfold anything. rewrite andb_true_r.
    assert (0 <= at_ (W w) t) by now apply (at_nonnegative_in theta W w p).
    destruct (knows k w), (S (record i (fst w))); cbn [andb]; lra.
  Qed.
  Lemma impossible_joint theta W i a k t : Theta theta -> ~ possible theta i a k -> joint theta W i k t (eqb (Some a)) == 0.
  Proof.
    intros I P. apply (mean_null theta (having i a k) (fun w => at_ (W w) t)); [apply (sized theta I)|].
    assert (p := Pr_nonnegative theta (having i a k) (proj1 (proj1 (sized theta I)))).
    apply Qle_antisym; [|exact p]. now apply Qnot_lt_le.
  Qed.
  (** Where the database has no record i, nothing is replaced. *)
  Lemma joint_none theta i b k t : joint theta (replaced M i b) i k t (eqb None) == joint theta (plain M) i k t (eqb None).
  Proof.
    apply mean_ext. intros w. destruct (knows k w); [|reflexivity]. cbn [andb].
    destruct (eqb None (record i (fst w))) eqn:e; [|reflexivity]. apply eqb_eq in e. unfold replaced, plain.
    assert (s : put i b (fst w) = fst w); [|now rewrite s]. symmetry in e. apply nth_error_None in e. revert e. generalize (fst w).
    clear. intros D. revert i. induction D as [|x D IH]; intros [|i] l; cbn in *; try reflexivity; try lia. rewrite IH by lia. reflexivity.
  Qed.

  (** * From outputs to beliefs *)

  Lemma cdp_step E theta i k b : Theta theta -> 1 <= E ->
    (forall a, possible theta i a k ->
      indistinguishable E 0 (output theta (having i a k) M) (causing theta (having i a k) i b M)) ->
    forall t, can_answer theta (plain M) k t -> can_answer theta (replaced M i b) k t ->
    indistinguishable (E * E) 0 (posterior theta (plain M) i k t) (posterior theta (replaced M i b) i k t).
  Proof.
    intros I e V t C C'.
    assert (values : forall c, joint theta (plain M) i k t (eqb c) <= E * joint theta (replaced M i b) i k t (eqb c) /\
      joint theta (replaced M i b) i k t (eqb c) <= E * joint theta (plain M) i k t (eqb c)).
    { intros [a|].
      - destruct (Qlt_le_dec 0 (Pr theta (having i a k))) as [P|P].
        + destruct (V a P) as [F G]. specialize (F (is same t)). specialize (G (is same t)).
          rewrite joint_output, joint_causing by exact P. unfold at_. nra.
        + assert (P' : ~ possible theta i a k) by (intros Q; apply Qlt_not_le in Q; contradiction).
          rewrite !impossible_joint by assumption. lra.
      - rewrite joint_none. assert (0 <= joint theta (plain M) i k t (eqb None)) by (apply joint_nonnegative; auto). nra. }
    unfold can_answer in C, C'. rewrite (seen_saw _ _ i) in C. rewrite (seen_saw _ _ i) in C'.
    set (J := joint theta (plain M) i k t) in *. set (J' := joint theta (replaced M i b) i k t) in *.
    assert (le : forall S, J S <= E * J' S) by (intros S; apply joint_le; apply values).
    assert (ge : forall S, J' S <= E * J S) by (intros S; apply joint_le; apply values).
    assert (N : forall S, 0 <= J S) by (intros S; apply joint_nonnegative; auto).
    assert (N' : forall S, 0 <= J' S) by (intros S; apply joint_nonnegative; eauto).
    split; intros S; rewrite !Pr_posterior; fold J J'; rewrite Qplus_0_r.
    - apply div_le; [exact C|]. assert (x := le S). assert (y := ge anything). assert (z := N' S).
      assert (q : J' S <= J' S / J' anything * (E * J anything)).
      { unfold Qdiv. rewrite <- Qmult_assoc. rewrite <- (Qmult_1_r (J' S)) at 1. rewrite <- (Qmult_inv_r (J' anything)) by lra.
        rewrite (Qmult_comm (J' S) (_ * _)), (Qmult_comm (J' S) (/ _ * _)). apply Qmult_le_compat_r; [|exact z].
        rewrite Qmult_comm. apply Qmult_le_l; [now apply Qinv_lt_0_compat|exact y]. }
      nra.
    - apply div_le; [exact C'|]. assert (x := ge S). assert (y := le anything). assert (z := N S).
      assert (q : J S <= J S / J anything * (E * J' anything)).
      { unfold Qdiv. rewrite <- Qmult_assoc. rewrite <- (Qmult_1_r (J S)) at 1. rewrite <- (Qmult_inv_r (J anything)) by lra.
        rewrite (Qmult_comm (J S) (_ * _)), (Qmult_comm (J S) (/ _ * _)). apply Qmult_le_compat_r; [|exact z].
        rewrite Qmult_comm. apply Qmult_le_l; [now apply Qinv_lt_0_compat|exact y]. }
      nra.
  Qed.

  (** DMKB20, Proposition 1, "CDP gives IBCDP", corrected: both are asked for the values b that are possible given B. *)
  Theorem proposition_1_possible E : 1 <= E -> cdp Theta E 0 M -> ibcdp_possible Theta (E * E) 0 M.
  Proof. intros e V theta I k i b t P. apply cdp_step; try assumption. intros a A. now apply V. Qed.
  (** The same where both are asked for all b of T. *)
  Theorem proposition_1_all E : 1 <= E -> cdp_all Theta E 0 M -> ibcdp Theta (E * E) 0 M.
  Proof. intros e V theta I k i b t. apply cdp_step; try assumption. intros a A. now apply V. Qed.
  (** The same where each B that occurs leaves every value of T possible at every record (so that the definitions are as
      printed, all b of T in IBCDP, possible b in CDP). *)
  Definition every_value_possible : Prop :=
    forall theta, Theta theta -> forall k, 0 < Pr theta (knows k) -> forall i, (i < n)%nat -> forall a, possible theta i a k.
  Theorem proposition_1_full E : 1 <= E -> every_value_possible -> cdp Theta E 0 M -> ibcdp Theta (E * E) 0 M.
  Proof.
    intros e F V theta I k i b t C C'. apply cdp_step; try assumption. intros a A. apply V; [exact I|exact A|].
    apply F; [exact I|now apply (possible_knows n Theta sized theta i a)|now apply (possible_index n Theta sized theta i a k)].
  Qed.

  (** * From beliefs to outputs *)

  (** Given k, what M(D) can produce for one value of D(i), and what M(D with record i set to b) can, are the same outputs
      for all possible values. *)
  Definition same_outputs (theta : distribution T B) (i : nat) (k : B) : Prop :=
    forall a b c, possible theta i a k -> possible theta i b k -> possible theta i c k -> forall t,
    0 < at_ (output theta (having i a k) M) t ->
    0 < at_ (output theta (having i c k) M) t /\ 0 < at_ (causing theta (having i a k) i b M) t.

  (** And what M(D with record i set to b) can produce, M(D) can. *)
  Definition no_new_outputs (theta : distribution T B) (i : nat) (k : B) : Prop :=
    forall a b, possible theta i a k -> possible theta i b k -> forall t,
    0 < at_ (causing theta (having i a k) i b M) t -> 0 < at_ (output theta (having i a k) M) t.

  Lemma quotient x y u v E : 0 < u -> 0 < v -> x / u <= E * (y / v) + 0 -> x * v <= E * y * u.
  Proof.
    intros U V h. assert (a : x == x / u * u) by (field; lra). assert (b : y == y / v * v) by (field; lra).
    rewrite a. assert (z : E * y * u == E * (y / v) * (v * u)) by (field; lra). rewrite z.
    assert (p : 0 < v * u) by now apply Qmult_lt_0_compat.
    assert (q : x / u * u * v == x / u * (v * u)) by ring. rewrite q. apply Qmult_le_compat_r; [lra|now apply Qlt_le_weak].
  Qed.

  (** DMKB20, Proposition 1, "IBCDP gives CDP", corrected: where the outputs are the same for all values, IBCDP with
      epsilon (asked for possible b alone, or for all of T) gives CDP with 2*epsilon, at delta = 0. *)
  Theorem proposition_1_back E : 1 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> same_outputs theta i k /\ no_new_outputs theta i k) ->
    ibcdp_possible Theta E 0 M -> cdp Theta (E * E) 0 M.
  Proof.
    intros e X V theta I k i a b A A'.
    assert (K := possible_knows n Theta sized theta i a k I A). destruct (X theta I i k K) as [SO NO].
    assert (LP : law (output theta (having i a k) M)) by now apply (law_output n Theta M sized total_M theta).
    assert (LC : law (causing theta (having i a k) i b M)) by now apply (law_causing n Theta M sized total_M theta).
    assert (each : forall t, at_ (output theta (having i a k) M) t <= E * E * at_ (causing theta (having i a k) i b M) t /\
      at_ (causing theta (having i a k) i b M) t <= E * E * at_ (output theta (having i a k) M) t).
    { intros t. set (u := at_ (output theta (having i a k) M) t). set (v := at_ (causing theta (having i a k) i b M) t).
      assert (u0 : 0 <= u) by (apply Pr_nonnegative, LP). assert (v0 : 0 <= v) by (apply Pr_nonnegative, LC).
      destruct (Qlt_le_dec 0 u) as [up|un].
      2:{ destruct (Qlt_le_dec 0 v) as [vp|vn]; [|nra]. specialize (NO a b A A' t vp). fold u in NO. lra. }
      destruct (SO a b b A A' A' t up) as [ub vp]. fold v in vp.
      set (p := Pr theta (having i a k)) in *. unfold possible in A. fold p in A.
      assert (ea : joint theta (plain M) i k t (eqb (Some a)) == p * u) by now apply joint_output.
      assert (ea' : joint theta (replaced M i b) i k t (eqb (Some a)) == p * v) by now apply joint_causing.
      assert (eb := joint_output theta i b k t A'). assert (own := joint_own theta i b k t).
      assert (C : 0 < joint theta (plain M) i k t anything).
      { eapply Qlt_le_trans; [|apply (joint_more theta _ i k t (eqb (Some a))); auto]. rewrite ea. now apply Qmult_lt_0_compat. }
      assert (C' : 0 < joint theta (replaced M i b) i k t anything).
      { eapply Qlt_le_trans; [|apply (joint_more theta _ i k t (eqb (Some a))); eauto]. rewrite ea'. now apply Qmult_lt_0_compat. }
      assert (B0 : 0 < joint theta (plain M) i k t (eqb (Some b))) by (rewrite eb; now apply Qmult_lt_0_compat).
      assert (W : indistinguishable E 0 (posterior theta (plain M) i k t) (posterior theta (replaced M i b) i k t)).
      { apply V; [exact I|exact A'|unfold can_answer; rewrite (seen_saw _ _ i); exact C|unfold can_answer; rewrite (seen_saw _ _ i); exact C']. }
      destruct W as [F G].
      assert (Fa := F (eqb (Some a))). assert (Ga := G (eqb (Some a))).
      assert (Fb := F (eqb (Some b))). assert (Gb := G (eqb (Some b))). clear F G.
      rewrite !Pr_posterior in Fa, Ga, Fb, Gb. rewrite own in Fb, Gb. rewrite ea, ea' in Fa, Ga.
      set (U := joint theta (plain M) i k t anything) in *. set (V' := joint theta (replaced M i b) i k t anything) in *.
      set (y := joint theta (plain M) i k t (eqb (Some b))) in *.
      apply quotient in Fa; [|assumption..]. apply quotient in Ga; [|assumption..].
      apply quotient in Fb; [|assumption..]. apply quotient in Gb; [|assumption..].
      assert (UV : V' <= E * U).
      { apply (Qmult_le_l _ _ y B0). lra. }
      assert (VU : U <= E * V').
      { apply (Qmult_le_l _ _ y B0). lra. }
      assert (pu : u * V' <= E * v * U) by (apply (Qmult_le_l _ _ p A); lra).
      assert (pv : v * U <= E * u * V') by (apply (Qmult_le_l _ _ p A); lra).
      clear - pu pv UV VU C C' u0 v0 e. split.
      - apply (Qmult_le_l _ _ V' C'). assert (E * v * U <= E * v * (E * V')); [|lra].
        rewrite !(Qmult_comm (E * v)). apply Qmult_le_compat_r; [exact VU|]. apply Qmult_le_0_compat; lra.
      - apply (Qmult_le_l _ _ U C). assert (E * u * V' <= E * u * (E * U)); [|lra].
        rewrite !(Qmult_comm (E * u)). apply Qmult_le_compat_r; [exact UV|]. apply Qmult_le_0_compat; lra. }
    split; apply within_at; intros t; apply each.
  Qed.

  (** * Where D(i) and the other records are independent given the knowledge *)

  (** P[B = k, D(i) in S], as a joint with a mechanism that always says t. *)
  Definition always (t : O) (w : world T B) : measure O := [(t, 1)].
  Lemma always_at t w : at_ (always t w) t == 1.
  Proof. unfold at_. rewrite Pr_mean. unfold always. rewrite mean_cons, mean_nil. unfold chi, is. destruct (same t t); [ring|congruence]. Qed.
  Lemma joint_always theta i a k t : joint theta (always t) i k t (eqb (Some a)) == Pr theta (having i a k).
  Proof.
    rewrite Pr_mean. apply mean_ext. intros w. unfold chi, having, holds_record.
    destruct (knows k w && eqb (Some a) (record i (fst w))); [apply always_at|reflexivity].
  Qed.
  Lemma always_more theta i a k t : Theta theta ->
    Pr theta (having i a k) <= joint theta (always t) i k t anything.
  Proof.
    intros I. rewrite <- (joint_always theta i a k t). apply mean_le; [apply (sized theta I)|]. intros w p _.
    unfold anything. rewrite andb_true_r. assert (x := always_at t w). destruct (knows k w), (eqb (Some a) (record i (fst w))); cbn [andb]; lra.
  Qed.
  (** Where a value of record i is possible, every database has a record i. *)
  Lemma none_null theta W i a k t : Theta theta -> possible theta i a k -> joint theta W i k t (eqb None) == 0.
  Proof.
    intros I P. destruct (sized theta I) as [_ sz]. apply mean_zero. intros w p J.
    destruct (eqb None (record i (fst w))) eqn:e; [|now rewrite andb_false_r]. apply eqb_eq in e. exfalso.
    symmetry in e. apply nth_error_None in e. rewrite (sz w p J) in e.
    assert (l := possible_index n Theta sized theta i a k I P). lia.
  Qed.

  Section Independent.
    Context (theta : distribution T B) (i : nat) (k : B) (I : Theta theta) (X : independent theta i k).
    Notation W a t := (at_ (output theta (having i a k) M) t).
    Notation prior t := (joint theta (always t) i k t).
    Notation J t := (joint theta (plain M) i k t).

    Lemma W_nonnegative a t : possible theta i a k -> 0 <= W a t.
    Proof. intros P. apply Pr_nonnegative. now apply (law_output n Theta M sized total_M theta). Qed.
    (** The posterior after M(D with record i set to b) = t is the prior. *)
    Lemma replaced_prior b t S : possible theta i b k ->
      joint theta (replaced M i b) i k t S == W b t * prior t S.
    Proof.
      intros P. rewrite (joint_sum theta (replaced M i b)), (joint_sum theta (always t)), <- sum_scale.
      apply sum_ext. intros [a|] _.
      - destruct (S (Some a)); [|ring]. destruct (Qlt_le_dec 0 (Pr theta (having i a k))) as [A|A].
        + rewrite joint_causing, joint_always by exact A. unfold at_.
          rewrite <- (same_laws n Theta M sized theta i k a b I X A P (is same t)). ring.
        + assert (A' : ~ possible theta i a k) by (intros Q; apply Qlt_not_le in Q; contradiction).
          rewrite !impossible_joint by assumption. ring.
      - destruct (S None); [|ring]. rewrite !(none_null theta _ i b k t I P). ring.
    Qed.
    (** The joint lies between multiples of the prior where each likelihood does. *)
    Lemma between_above c b t S : possible theta i b k -> (forall a, possible theta i a k -> W a t <= c) ->
      J t S <= c * prior t S.
    Proof.
      intros P h. apply joint_le. intros [a|].
      - destruct (Qlt_le_dec 0 (Pr theta (having i a k))) as [A|A].
        + rewrite joint_output, joint_always by exact A. specialize (h a A). nra.
        + assert (A' : ~ possible theta i a k) by (intros Q; apply Qlt_not_le in Q; contradiction).
          rewrite !impossible_joint by assumption. lra.
      - rewrite !(none_null theta _ i b k t I P). lra.
    Qed.
    Lemma between_below c b t S : possible theta i b k -> 0 <= c -> (forall a, possible theta i a k -> 1 <= c * W a t) ->
      prior t S <= c * J t S.
    Proof.
      intros P c0 h. apply joint_le. intros [a|].
      - destruct (Qlt_le_dec 0 (Pr theta (having i a k))) as [A|A].
        + rewrite joint_output, joint_always by exact A. specialize (h a A). nra.
        + assert (A' : ~ possible theta i a k) by (intros Q; apply Qlt_not_le in Q; contradiction).
          rewrite !impossible_joint by assumption. lra.
      - rewrite !(none_null theta _ i b k t I P). lra.
    Qed.
    Lemma prior_pos b t : possible theta i b k -> 0 < prior t anything.
    Proof. intros P. eapply Qlt_le_trans; [exact P|]. now apply always_more. Qed.

    Lemma replaced_posterior b t S : possible theta i b k -> 0 < W b t ->
      Pr (posterior theta (replaced M i b) i k t) S == prior t S / prior t anything.
    Proof.
      intros P w. rewrite Pr_posterior, !replaced_prior by exact P. assert (p := prior_pos b t P). field. split; lra.
    Qed.
  End Independent.

  (** DMKB20, Proposition 1, "CDP gives IBCDP", corrected, with epsilon in place of 2*epsilon: where D(i) and the other
      records are independent given each B that occurs (b possible given B in both). *)
  Theorem proposition_1_independent E : 1 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> independent theta i k) ->
    cdp Theta E 0 M -> ibcdp_possible Theta E 0 M.
  Proof.
    intros e X V theta I k i b t P C C'.
    specialize (X theta I i k (possible_knows n Theta sized theta i b k I P)).
    assert (near : forall a c, possible theta i a k -> possible theta i c k ->
      at_ (output theta (having i a k) M) t <= E * at_ (output theta (having i c k) M) t).
    { intros a c A A'. destruct (V theta I k i a c A A') as [F _]. specialize (F (is same t)). unfold at_.
      rewrite (same_laws n Theta M sized theta i k a c I X A A' (is same t)). lra. }
    unfold can_answer in C, C'. rewrite (seen_saw _ _ i) in C. rewrite (seen_saw _ _ i) in C'.
    rewrite (replaced_prior theta i k I X b t anything P) in C'.
    assert (p := prior_pos theta i k I b t P). set (w := at_ (output theta (having i b k) M) t) in *.
    assert (w0 : 0 < w) by (destruct (Qlt_le_dec 0 w) as [l|l]; [exact l|exfalso; nra]).
    set (J := joint theta (plain M) i k t) in *. set (prior := joint theta (always t) i k t) in *.
    (* each likelihood is near the average one *)
    set (m := J anything / prior anything).
    assert (mp : m * prior anything == J anything) by (unfold m; field; lra).
    assert (m0 : 0 < m) by (apply Qlt_shift_div_l; lra).
    assert (above : forall a, possible theta i a k -> at_ (output theta (having i a k) M) t <= E * m).
    { intros a A. set (wa := at_ (output theta (having i a k) M) t).
      assert (wa0 : 0 < wa). { assert (z := near b a P A). fold w wa in z. destruct (Qlt_le_dec 0 wa); [assumption|exfalso; nra]. }
      assert (u : prior anything <= E / wa * J anything).
      { apply (between_below theta i k I (E / wa) b t anything P); [apply div_pos; lra|]. intros c A'.
        assert (z := near a c A A'). fold wa in z. assert (q : E / wa * at_ (output theta (having i c k) M) t == E * at_ (output theta (having i c k) M) t / wa) by (field; lra).
        rewrite q. apply le_div; lra. }
      rewrite <- mp in u. assert (u' : 1 * prior anything <= E / wa * m * prior anything) by lra.
      apply Qmult_le_r in u'; [|exact p]. assert (q : E * m == E / wa * m * wa) by (field; lra). rewrite q. nra. }
    assert (below : forall a, possible theta i a k -> m <= E * at_ (output theta (having i a k) M) t).
    { intros a A. assert (u := between_above theta i k I (E * at_ (output theta (having i a k) M) t) b t anything P
        (fun c A' => near c a A' A)). fold J prior in u. rewrite <- mp in u. now apply Qmult_le_r in u. }
    split; intros S; rewrite (replaced_posterior theta i k I X b t S P w0), Pr_posterior; fold J prior; rewrite Qplus_0_r.
    - assert (u := between_above theta i k I (E * m) b t S P above). fold J prior in u.
      apply div_le; [exact C|]. rewrite <- mp. assert (q : E * (prior S / prior anything) * (m * prior anything) == E * m * prior S) by (field; lra).
      rewrite q. exact u.
    - assert (u : prior S <= E / m * J S).
      { apply (between_below theta i k I (E / m) b t S P); [apply div_pos; lra|]. intros a A. specialize (below a A).
        assert (q : E / m * at_ (output theta (having i a k) M) t == E * at_ (output theta (having i a k) M) t / m) by (field; lra).
        rewrite q. apply le_div; lra. }
      apply div_le; [exact p|]. assert (q : E * (J S / J anything) * prior anything == E / m * J S) by (rewrite <- mp; field; split; lra).
      rewrite q. exact u.
  Qed.

  (** DMKB20, Proposition 1, "IBCDP gives CDP", corrected: it does so too, with 2*epsilon, where D(i) and the other
      records are independent given each B that occurs; no condition on the outputs is needed then. *)
  Theorem proposition_1_independent_back E : 1 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> independent theta i k) ->
    ibcdp_possible Theta E 0 M -> cdp Theta (E * E) 0 M.
  Proof.
    intros e X V theta I k i.
    assert (near : forall a c t, possible theta i a k -> possible theta i c k ->
      at_ (output theta (having i a k) M) t <= E * E * at_ (output theta (having i c k) M) t).
    { intros a c t A A'. specialize (X theta I i k (possible_knows n Theta sized theta i a k I A)).
      assert (c0 := W_nonnegative theta i k I c t A'). set (wa := at_ (output theta (having i a k) M) t).
      destruct (Qlt_le_dec 0 wa) as [w0|w0]; [|nra].
      assert (p := prior_pos theta i k I a t A). unfold possible in A, A'.
      assert (ja := joint_output theta i a k t A). fold wa in ja.
      assert (C : 0 < joint theta (plain M) i k t anything).
      { eapply Qlt_le_trans; [|apply (joint_more theta _ i k t (eqb (Some a))); auto]. rewrite ja. now apply Qmult_lt_0_compat. }
      assert (C' : 0 < joint theta (replaced M i a) i k t anything).
      { rewrite (replaced_prior theta i k I X a t anything A). now apply Qmult_lt_0_compat. }
      assert (Z : indistinguishable E 0 (posterior theta (plain M) i k t) (posterior theta (replaced M i a) i k t)).
      { apply V; [exact I|exact A|unfold can_answer; rewrite (seen_saw _ _ i); exact C|unfold can_answer; rewrite (seen_saw _ _ i); exact C']. }
      destruct Z as [F G]. specialize (F (eqb (Some a))). specialize (G (eqb (Some c))).
      rewrite (replaced_posterior theta i k I X a t _ A w0), Pr_posterior in F.
      rewrite (replaced_posterior theta i k I X a t _ A w0), Pr_posterior in G.
      apply quotient in F; [|assumption..]. apply quotient in G; [|assumption..].
      rewrite joint_always, ja in F. rewrite joint_always, (joint_output theta i c k t A') in G.
      set (U := joint theta (plain M) i k t anything) in *. set (R := joint theta (always t) i k t anything) in *.
      set (wc := at_ (output theta (having i c k) M) t) in *.
      assert (u : wa * R <= E * U) by (apply (Qmult_le_l _ _ _ A); lra).
      assert (v : U <= E * wc * R) by (apply (Qmult_le_l _ _ _ A'); lra).
      apply (Qmult_le_r _ _ R p). nra. }
    intros a b A A'. specialize (X theta I i k (possible_knows n Theta sized theta i a k I A)). assert (eq := same_laws n Theta M sized theta i k a b I X A A').
    apply (indistinguishable_alike _ _ (output theta (having i a k) M) _ (output theta (having i b k) M)); [intros S; reflexivity|exact eq|].
    split; apply within_at; intros t; now apply near.
  Qed.
End Posteriors.
