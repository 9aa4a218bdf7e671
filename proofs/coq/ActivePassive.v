(** Active and passive partial knowledge: DMKB20, Theorems 1 and 2.

    [ppk] is defined as the texts define it, as a mean over worlds, knowledge and outputs given D(i) = a. Theorem 1 says
    that it is the mean of [apk] over the knowledge; all else follows from that. *)

From PK Require Import PartialKnowledge Laws Notions.
Import ListNotations.
Open Scope Q_scope.

Section ActivePassive.
  Context {T B O : Type} `{Label T} `{Label B} `{Label O} (n : nat) (Theta : family T B) (M : mechanism T O).
  Context (sized : of_size n Theta) (total_M : total_on n M).
  Notation at_ := (at_ same).

  (** Given D(i) = a: the mean of f, which sees the knowledge and the world, is the mean of its means given the knowledge. *)
  Lemma tower (theta : distribution T B) i a (f : B -> world T B -> Q) : nonnegative theta ->
    mean (given theta (holds_record i a)) (fun w => f (snd w) w) ==
    mean (given theta (holds_record i a)) (fun w => mean (given theta (having i a (snd w))) (f (snd w))).
  Proof.
    intros N. rewrite !mean_given. apply Qdiv_comp; [|reflexivity].
    rewrite !(mean_by snd theta _ (range snd theta) (range_nodup snd theta) (range_in snd theta)).
    apply sum_ext. intros k _.
    rewrite (mean_ext theta _ (fun w => if having i a k w then f k w else 0)).
    2:{ intros w. unfold having, knows. destruct (eqb k (snd w)) eqn:e; [|reflexivity]. apply eqb_eq in e. now subst k. }
    rewrite (mean_ext theta (fun w => if eqb k (snd w) then _ else 0)
      (fun w => mean (given theta (having i a k)) (f k) * chi (having i a k) w)).
    2:{ intros w. unfold having, knows, chi. destruct (eqb k (snd w)) eqn:e; cbn [andb]; [|ring].
        apply eqb_eq in e. subst k. destruct (holds_record i a w); ring. }
    rewrite mean_scale, <- Pr_mean, mean_given. destruct (Qlt_le_dec 0 (Pr theta (having i a k))) as [P|P].
    - field. lra.
    - assert (z : Pr theta (having i a k) == 0) by (assert (p := Pr_nonnegative theta (having i a k) N); lra).
      rewrite (mean_null theta _ (f k) N z), z. unfold Qdiv. ring.
  Qed.

  (** DMKB20, Theorem 1, "PPK is the mean of APK" (as printed; knowledge that excludes b adds 0, and under section 3's
      assumption there is none): PPK(i, a, b) is the mean over B, given D(i) = a, of APK(i, a, b, B). *)
  Theorem theorem_1_mean theta E i a b : Theta theta ->
    ppk theta E M i a b ==
    mean (given theta (holds_record i a)) (fun w =>
      if excludes theta i b (snd w) then 0 else apk theta E M i a b (snd w)).
  Proof.
    intros I. destruct (sized theta I) as [[N _] _]. unfold ppk.
    rewrite (tower theta i a (fun k w => mean (M (fst w)) (fun o => if excludes theta i b k then 0
      else excess E (at_ (output theta (having i a k) M) o) (at_ (output theta (having i b k) M) o))) N).
    apply mean_ext. intros w. set (k := snd w). unfold apk. cbv zeta.
    rewrite <- (mean_bind (given theta (having i a k)) (fun w => M (fst w))).
    fold (output theta (having i a k) M). destruct (excludes theta i b k); [|reflexivity]. now apply mean_zero.
  Qed.

  (** The same as a sum over the knowledge: the weights are P[B = k | D(i) = a]. *)
  Lemma ppk_sum theta E i a b : Theta theta ->
    ppk theta E M i a b == sum (map (fun k => (if excludes theta i b k then 0 else apk theta E M i a b k) *
      (Pr theta (having i a k) / Pr theta (holds_record i a))) (range snd theta)).
  Proof.
    intros I. rewrite theorem_1_mean by exact I. rewrite mean_given.
    rewrite (mean_by snd theta _ (range snd theta) (range_nodup snd theta) (range_in snd theta)).
    unfold Qdiv at 1. rewrite Qmult_comm, <- sum_scale. apply sum_ext. intros k _.
    rewrite (mean_ext theta _ (fun w => (if excludes theta i b k then 0 else apk theta E M i a b k) * chi (having i a k) w)).
    - rewrite mean_scale, <- Pr_mean. unfold Qdiv. ring.
    - intros w. unfold chi, having, knows. destruct (eqb k (snd w)) eqn:e; cbn [andb]; [|ring]. apply eqb_eq in e. rewrite <- e.
      destruct (holds_record i a w); ring.
  Qed.

  Lemma apk_nonnegative theta E i a b k : Theta theta -> possible theta i a k -> 0 <= apk theta E M i a b k.
  Proof. intros I P. apply loss_nonnegative, (law_output n Theta M sized total_M theta); assumption. Qed.

  (** A world that is possible given D(i) = a has knowledge that is compatible with a. *)
  Lemma possible_in theta i a w p : Theta theta -> 0 < Pr theta (holds_record i a) ->
    In (w, p) (given theta (holds_record i a)) -> 0 < p -> possible theta i a (snd w).
  Proof.
    intros I P J p0. destruct (sized theta I) as [[N _] _]. unfold possible.
    apply in_map_iff in J as [[x q] [e J]]. cbn [fst snd] in e. injection e as <- <-.
    apply filter_In in J as [J e]. cbn [fst] in e.
    assert (q0 : 0 < q).
    { assert (m := N x q J). destruct (Qlt_le_dec 0 q) as [l|l]; [exact l|]. assert (z : q == 0) by lra.
      rewrite z in p0. unfold Qdiv in p0. rewrite Qmult_0_l in p0. now apply Qlt_irrefl in p0. }
    eapply Qlt_le_trans; [exact q0|]. apply (Pr_member theta _ x q N J). unfold having, knows.
    now rewrite eqb_same.
  Qed.

  (** DMKB20, Theorem 1, "APKDP implies PPKDP" (as printed): (Theta, epsilon, delta)-APKDP gives (Theta, epsilon,
      delta)-PPKDP, for every Theta, every knowledge, epsilon and delta >= 0. *)
  Theorem theorem_1_implies E d : 0 <= d -> apkdp Theta E d M -> ppkdp Theta E d M.
  Proof.
    intros d0 A theta I i a b P _. rewrite theorem_1_mean by exact I.
    destruct (sized theta I) as [[N _] _]. assert (L := law_given theta (holds_record i a) N P).
    rewrite <- (mean_constant _ d L). unfold mean. apply sum_le. intros [w p] J. cbn [fst snd].
    assert (p0 := proj1 L w p J). destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; lra].
    assert (le : (if excludes theta i b (snd w) then 0 else apk theta E M i a b (snd w)) <= d); [|nra].
    destruct (excludes theta i b (snd w)) eqn:e; [exact d0|]. apply excludes_false in e.
    apply A; [exact I| |exact e]. now apply (possible_in theta i a w p).
  Qed.

  (** What has mean 0 and is nowhere negative is 0 wherever there is probability. *)
  Lemma mean_part {A} (mu : measure A) S f c : nonnegative mu -> (forall x, 0 <= f x) -> (forall x, S x = true -> f x == c) ->
    c * Pr mu S <= mean mu f.
  Proof.
    intros N P e. rewrite Pr_mean, <- mean_scale. apply mean_le; [exact N|]. intros x p _. unfold chi.
    specialize (P x). specialize (e x). destruct (S x); [rewrite e by reflexivity; lra|lra].
  Qed.

  (** The share of one knowledge in the mean of Theorem 1. *)
  Lemma share theta E i a b k : Theta theta -> 0 < Pr theta (holds_record i a) -> possible theta i a k ->
    possible theta i b k ->
    apk theta E M i a b k * (Pr theta (having i a k) / Pr theta (holds_record i a)) <= ppk theta E M i a b.
  Proof.
    intros I P K K'. rewrite theorem_1_mean by exact I. destruct (sized theta I) as [[N _] _].
    set (g := fun w => if holds_record i a w then if excludes theta i b (snd w) then 0 else apk theta E M i a b (snd w) else 0).
    assert (e : mean (given theta (holds_record i a)) (fun w =>
      if excludes theta i b (snd w) then 0 else apk theta E M i a b (snd w)) ==
      mean theta g / Pr theta (holds_record i a)) by apply mean_given.
    rewrite e. unfold Qdiv. rewrite Qmult_assoc. apply Qmult_le_compat_r; [|now apply Qlt_le_weak, Qinv_lt_0_compat].
    unfold mean. rewrite Pr_mean. unfold mean. rewrite <- sum_scale. apply sum_le. intros [w p] J. cbn [fst snd].
    assert (p0 := N w p J). unfold chi, g. destruct (having i a k w) eqn:h.
    - assert (s := having_knows i a k w h). unfold having in h. apply andb_prop in h as [_ h]. rewrite h, s.
      rewrite (proj2 (excludes_false theta i b k) K'). lra.
    - destruct (holds_record i a w) eqn:r; [|lra]. destruct (excludes theta i b (snd w)); [lra|].
      destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; lra].
      assert (0 <= apk theta E M i a b (snd w)); [|nra]. apply apk_nonnegative; [exact I|].
      apply (possible_in theta i a w (p / Pr theta (holds_record i a)) I P); [|now apply Qlt_shift_div_l; lra].
      apply in_map_iff. exists (w, p). split; [reflexivity|]. now apply filter_In.
  Qed.

  Lemma possible_record theta i a k : Theta theta -> possible theta i a k -> 0 < Pr theta (holds_record i a).
  Proof.
    intros I P. destruct (sized theta I) as [[N _] _]. eapply Qlt_le_trans; [exact P|]. apply Pr_le; [exact N|].
    intros w e. now apply andb_prop in e.
  Qed.

  (** DMKB20, Theorem 1, "delta = 0" (as printed): (Theta, epsilon)-PPKDP and (Theta, epsilon)-APKDP are one. *)
  Theorem theorem_1_one_notion E : ppkdp Theta E 0 M <-> apkdp Theta E 0 M.
  Proof.
    split; [|apply theorem_1_implies; lra]. intros A theta I i a b k P P'.
    assert (R := possible_record theta i a k I P). assert (R' := possible_record theta i b k I P').
    specialize (A theta I i a b R R'). assert (s := share theta E i a b k I R P P'). unfold possible in P.
    assert (0 < Pr theta (having i a k) / Pr theta (holds_record i a)) by (apply Qlt_shift_div_l; lra). nra.
  Qed.

  (** * Reducible mechanisms *)

  (** The standing assumption of DMKB20's section 3: knowledge that occurs is compatible with every value that record i
      can take. *)
  Definition compatible (theta : distribution T B) (i : nat) : Prop :=
    forall k a, 0 < Pr theta (knows k) -> 0 < Pr theta (holds_record i a) -> possible theta i a k.

  (** Theta-reducibility (Definition 14) at record i: between the laws of the outputs under any two B1 and B2 that occur
      there is a bijection of outputs, the same for all values a. *)
  Definition reducible (theta : distribution T B) (i : nat) : Prop :=
    forall k1 k2, 0 < Pr theta (knows k1) -> 0 < Pr theta (knows k2) -> exists phi psi : O -> O,
      (forall o, psi (phi o) = o) /\ (forall o, phi (psi o) = o) /\
      forall a, 0 < Pr theta (holds_record i a) -> forall o,
      at_ (output theta (having i a k1) M) o == at_ (output theta (having i a k2) M) (phi o).

  (** A bijection of the outputs re-orders sums over them: two laws that it carries over are one up to names, so that every
      function of the output, the loss among them, has the same mean. *)
  Theorem renamed (mu nu : measure O) phi psi : (forall o, psi (phi o) = o) -> (forall o, phi (psi o) = o) ->
    (forall o, at_ mu o == at_ nu (phi o)) -> alike mu (image psi nu).
  Proof.
    intros r l e. apply alike_at. intros o. rewrite e. unfold at_. rewrite Pr_image. apply Pr_ext. intros x.
    unfold is. destruct (same (phi o) x) as [<-|D]; destruct (same o (psi _)) as [D'|D']; try reflexivity.
    - now rewrite r in D'.
    - exfalso. apply D. now rewrite D', l.
  Qed.

  Lemma reducible_le theta E i a b k1 k2 : Theta theta -> 0 <= E -> reducible theta i ->
    possible theta i a k1 -> possible theta i b k1 -> possible theta i a k2 -> possible theta i b k2 ->
    apk theta E M i a b k1 <= apk theta E M i a b k2.
  Proof.
    intros I e R A1 B1 A2 B2. apply (apk_within n Theta M sized total_M theta); try assumption.
    assert (W := proj1 (apk_within n Theta M sized total_M theta E _ i a b k2 I e A2 B2) (Qle_refl _)).
    destruct (R k1 k2) as (phi & psi & r & l & eq); [now apply (possible_knows n Theta sized theta i a)..|].
    assert (same_a := renamed _ _ phi psi r l (eq a (possible_record theta i a k1 I A1))).
    assert (same_b := renamed _ _ phi psi r l (eq b (possible_record theta i b k1 I B1))).
    apply (within_alike _ _ _ _ _ _ (alike_sym _ _ same_a) (alike_sym _ _ same_b)).
    now apply within_image.
  Qed.

  (** Theorem 2 at one record: what APKDP and PPKDP bound there is the same. *)
  Theorem theorem_2_at theta E d i : Theta theta -> 0 <= E -> 0 <= d -> compatible theta i -> reducible theta i ->
    (forall a b k, possible theta i a k -> possible theta i b k -> apk theta E M i a b k <= d) <->
    (forall a b, 0 < Pr theta (holds_record i a) -> 0 < Pr theta (holds_record i b) -> ppk theta E M i a b <= d).
  Proof.
    intros I e d0 C R. destruct (sized theta I) as [[N _] _]. split; intros V.
    - intros a b P _. rewrite theorem_1_mean by exact I. assert (L := law_given theta (holds_record i a) N P).
      rewrite <- (mean_constant _ d L). unfold mean. apply sum_le. intros [w p] J. cbn [fst snd].
      assert (p0 := proj1 L w p J). destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; lra].
      assert (le : (if excludes theta i b (snd w) then 0 else apk theta E M i a b (snd w)) <= d); [|nra].
      destruct (excludes theta i b (snd w)) eqn:x; [exact d0|]. apply excludes_false in x.
      apply V; [|exact x]. now apply (possible_in theta i a w p).
    - intros a b k P P'. assert (Q := possible_record theta i a k I P). assert (Q' := possible_record theta i b k I P').
      eapply Qle_trans; [|exact (V a b Q Q')]. rewrite theorem_1_mean by exact I.
      assert (L := law_given theta (holds_record i a) N Q).
      rewrite <- (mean_constant _ (apk theta E M i a b k) L) at 1. unfold mean. apply sum_le. intros [w p] J. cbn [fst snd].
      assert (p0 := proj1 L w p J). destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; lra].
      assert (A := possible_in theta i a w p I Q J p1).
      assert (B' := C (snd w) b (possible_knows n Theta sized theta i a (snd w) I A) Q').
      rewrite (proj2 (excludes_false theta i b (snd w)) B').
      assert (le := reducible_le theta E i a b k (snd w) I e R P P' A B'). nra.
  Qed.

  (** DMKB20, Theorem 2 (as printed, under section 3's assumption): for a Theta-reducible mechanism APKDP and PPKDP are
      equivalent, for all epsilon and delta. *)
  Theorem theorem_2 E d : 0 <= E -> 0 <= d ->
    (forall theta, Theta theta -> forall i, compatible theta i /\ reducible theta i) ->
    apkdp Theta E d M <-> ppkdp Theta E d M.
  Proof.
    intros e d0 R. split; intros V theta I i; destruct (R theta I i) as [C D];
      apply (theorem_2_at theta E d i I e d0 C D); intros a b; now apply V.
  Qed.
End ActivePassive.
