(** What protects: post-processing and convexity (DMKB20, Proposition 5; LQS12, section 2.5).

    A predicate on mechanisms counts as a definition of privacy only where it comes with this: [definition] holds the
    predicate and the proofs that it speaks of laws alone, that no channel on the output breaks it, and that a choice
    between two mechanisms, made without a look at the database, keeps it. Each definition below is an instance; IBCDP
    (Definition 6) is none: functions of the output can break it. *)

From PK Require Import PartialKnowledge Laws Notions ActivePassive.
Import ListNotations.
Open Scope Q_scope.

Record definition (T : Type) (n : nat) := Definition_ {
  private : forall O : Type, Label O -> mechanism T O -> Prop;
  by_law : forall O (l : Label O) (M M' : mechanism T O), total_on n M -> total_on n M' ->
    (forall D, length D = n -> alike (M D) (M' D)) -> private O l M -> private O l M';
  post_processing : forall O (l : Label O) O' (l' : Label O') (M : mechanism T O) (K : O -> measure O'),
    total_on n M -> (forall o, law (K o)) -> private O l M -> private O' l' (fun D => bind (M D) K);
  convexity : forall O (l : Label O) (M M' : mechanism T O) p, 0 <= p <= 1 -> total_on n M -> total_on n M' ->
    private O l M -> private O l M' -> private O l (fun D => mix p (M D) (M' D))
}.
Arguments private {T n} _ {O l} _.
Arguments by_law {T n} _ {O l} _ _ _ _ _ _.
Arguments post_processing {T n} _ {O l O' l'} _ _ _ _ _.
Arguments convexity {T n} _ {O l} _ _ _ _ _ _ _ _.

(** * What follows for every definition *)

Section Every.
  Context {T : Type} {n : nat} (P : definition T n) {O O' : Type} `{Label O} `{Label O'}.

  Definition surely (f : O -> O') (o : O) : measure O' := [(f o, 1)].
  Lemma law_surely f o : law (surely f o).
  Proof. split; [intros x p [e|[]]; injection e as _ <-; lra|reflexivity]. Qed.
  Lemma Pr_surely f o S : Pr (surely f o) S == chi S (f o).
  Proof. rewrite Pr_mean. unfold surely. rewrite mean_cons, mean_nil. ring. Qed.

  (** Post-processing by a function (DMKB20, Proposition 5, as printed). *)
  Theorem function_of_output (f : O -> O') (M : mechanism T O) : total_on n M -> private P M ->
    private P (fun D => image f (M D)).
  Proof.
    intros L V. refine (by_law P (fun D => bind (M D) (surely f)) _ _ _ _ _).
    - intros D l. apply law_bind; [now apply L|]. intros. apply law_surely.
    - intros D l. now apply law_image, L.
    - intros D _ S. rewrite Pr_bind, Pr_image, Pr_mean. apply mean_ext. intros o. now rewrite Pr_surely.
    - refine (post_processing P M (surely f) L _ V). intros. apply law_surely.
  Qed.
End Every.

(** Convexity where it is shown which mechanism was used (LQS12, section 2.5: the choice is part of the output). *)
Theorem shown_choice {T n} (P : definition T n) {O} `{Label O} p (M M' : mechanism T O) : 0 <= p <= 1 ->
  total_on n M -> total_on n M' -> private P M -> private P M' ->
  private P (fun D => mix p (image (pair true) (M D)) (image (pair false) (M' D))).
Proof.
  intros R L L' V V'.
  refine (convexity P (fun D => image (pair true) (M D)) (fun D => image (pair false) (M' D)) p _ _ _ _ _).
  - exact R.
  - intros D l. now apply law_image, L.
  - intros D l. now apply law_image, L'.
  - exact (function_of_output P (pair true) M L V).
  - exact (function_of_output P (pair false) M' L' V').
Qed.

(** * The laws of M(D) after post-processing and of a choice *)

Section Steps.
  Context {T B O : Type} `{Label T} `{Label B} (theta : distribution T B) (C : world T B -> bool).
  Implicit Type M : mechanism T O.

  Lemma bind_bind {A} (mu : measure A) (M : A -> measure O) {O'} (K : O -> measure O') :
    alike (bind (bind mu M) K) (bind mu (fun x => bind (M x) K)).
  Proof. intros S. rewrite !Pr_bind, mean_bind. apply mean_ext. intros. now rewrite Pr_bind. Qed.
  Lemma bind_mix {A} (mu : measure A) (F G : A -> measure O) p :
    alike (mix p (bind mu F) (bind mu G)) (bind mu (fun x => mix p (F x) (G x))).
  Proof.
    intros S. rewrite Pr_mix, !Pr_bind, <- !mean_scale, <- mean_plus. apply mean_ext. intros. now rewrite Pr_mix.
  Qed.
  Lemma bind_alike {A} (mu : measure A) (F G : A -> measure O) : (forall x p, In (x, p) mu -> alike (F x) (G x)) ->
    alike (bind mu F) (bind mu G).
  Proof. intros e S. rewrite !Pr_bind. apply mean_in. intros x p I. exact (e x p I S). Qed.
End Steps.

Lemma indistinguishable_bind {A C} `{Label A} E d (mu nu : measure A) (K : A -> measure C) : (forall x, law (K x)) ->
  indistinguishable E d mu nu -> indistinguishable E d (bind mu K) (bind nu K).
Proof. intros L [F G]. split; now apply within_bind. Qed.
Lemma indistinguishable_mix {A} E d p (mu mu' nu nu' : measure A) : 0 <= p <= 1 -> indistinguishable E d mu nu ->
  indistinguishable E d mu' nu' -> indistinguishable E d (mix p mu mu') (mix p nu nu').
Proof. intros R [F G] [F' G']. split; now apply within_mix. Qed.

(** * The instances *)

Section Instances.
  Context {T B : Type} `{Label T} `{Label B} (n : nat) (Theta : family T B) (E d : Q).

  (** Differential privacy (Definition 2). *)
  Definition dp_definition : definition T n.
  Proof.
    refine (Definition_ T n (fun O l M => dp n E d M) _ _ _).
    - intros O l M M' _ _ e V D D' N. apply (indistinguishable_alike E d (M D) _ (M D')); [now apply e, N| |now apply V].
      apply e. now apply (neighbours_sym n D D' N).
    - intros O l O' l' M K _ L V D D' N. now apply indistinguishable_bind, V.
    - intros O l M M' p R _ _ V V' D D' N. apply indistinguishable_mix; [exact R|now apply V|now apply V'].
  Defined.

  Context (sized : of_size n Theta).

  Lemma size_in theta C w p : Theta theta -> In (w, p) (given theta C) -> length (fst w) = n.
  Proof. intros I J. apply given_in in J as [_ [q J]]. now apply (sized theta I) in J. Qed.

  (** Noiseless privacy (Definition 3) with delta. *)
  Definition np_definition : definition T n.
  Proof.
    refine (Definition_ T n (fun O l M => np Theta E d M) _ _ _).
    - intros O l M M' _ _ e V theta I k i a b P P'. unfold output.
      eapply indistinguishable_alike; [| |exact (V theta I k i a b P P')]; apply bind_alike; intros w p J;
        apply e; now apply (size_in theta _ w p I J).
    - intros O l O' l' M K _ L V theta I k i a b P P'. unfold output.
      eapply indistinguishable_alike; [apply bind_bind|apply bind_bind|].
      apply indistinguishable_bind; [exact L|exact (V theta I k i a b P P')].
    - intros O l M M' p R _ _ V V' theta I k i a b P P'. unfold output.
      eapply indistinguishable_alike; [apply bind_mix|apply bind_mix|].
      apply indistinguishable_mix; [exact R|exact (V theta I k i a b P P')|exact (V' theta I k i a b P P')].
  Defined.

  (** Causal differential privacy (Definition 5). *)
  Definition cdp_definition : definition T n.
  Proof.
    refine (Definition_ T n (fun O l M => cdp Theta E d M) _ _ _).
    - intros O l M M' _ _ e V theta I k i a b P P'. unfold output, causing.
      eapply indistinguishable_alike; [| |exact (V theta I k i a b P P')]; apply bind_alike; intros w p J;
        apply e; rewrite ?put_length; now apply (size_in theta _ w p I J).
    - intros O l O' l' M K _ L V theta I k i a b P P'. unfold output, causing.
      eapply indistinguishable_alike; [apply bind_bind|apply bind_bind|].
      apply indistinguishable_bind; [exact L|exact (V theta I k i a b P P')].
    - intros O l M M' p R _ _ V V' theta I k i a b P P'. unfold output, causing.
      eapply indistinguishable_alike; [apply bind_mix|apply bind_mix|].
      apply indistinguishable_mix; [exact R|exact (V theta I k i a b P P')|exact (V' theta I k i a b P P')].
  Defined.

  (** Distributional differential privacy (Definition 4): the simulator is processed, or mixed, too. *)
  Definition ddp_definition : definition T n.
  Proof.
    refine (Definition_ T n (fun O l M => ddp Theta E d M) _ _ _).
    - intros O l M M' _ _ e (Sim & L & V). exists Sim. split; [exact L|]. intros theta I k i a P.
      eapply indistinguishable_alike; [|intros S; reflexivity|exact (V theta I k i a P)]. apply bind_alike.
      intros w p J. apply e. now apply (size_in theta _ w p I J).
    - intros O l O' l' M K _ L (Sim & L' & V). exists (fun i r => bind (Sim i r) K). split.
      + intros i r. apply law_bind; [apply L'|]. intros. apply L.
      + intros theta I k i a P. unfold output, simulated.
        eapply indistinguishable_alike; [apply bind_bind|apply bind_bind|].
        apply indistinguishable_bind; [exact L|exact (V theta I k i a P)].
    - intros O l M M' p R _ _ (Sim & L & V) (Sim' & L' & V'). exists (fun i r => mix p (Sim i r) (Sim' i r)). split.
      + intros i r. apply law_mix; [exact R|apply L|apply L'].
      + intros theta I k i a P. unfold output, simulated.
        eapply indistinguishable_alike; [apply bind_mix|apply bind_mix|].
        apply indistinguishable_mix; [exact R|exact (V theta I k i a P)|exact (V' theta I k i a P)].
  Defined.

  Context (E0 : 0 <= E).

  (** Active partial knowledge (DMKB20, Proposition 5, "APKDP also satisfies these axioms"; as printed). *)
  Definition apkdp_definition : definition T n.
  Proof.
    refine (Definition_ T n (fun O l M => apkdp Theta E d M) _ _ _).
    - intros O l M M' L L' e V. apply (apkdp_np n); try assumption.
      apply (by_law np_definition M M' L L' e). now apply (apkdp_np n).
    - intros O l O' l' M K L LK V. apply (apkdp_np n); try assumption.
      + intros D s. apply law_bind; [now apply L|]. intros. apply LK.
      + apply (post_processing np_definition M K L LK). now apply (apkdp_np n).
    - intros O l M M' p R L L' V V'. apply (apkdp_np n); try assumption.
      + intros D s. apply law_mix; [exact R|now apply L|now apply L'].
      + apply (convexity np_definition M M' p R L L'); now apply (apkdp_np n).
  Defined.

  (** * Passive partial knowledge: the same steps under the mean of Theorem 1 *)

  Lemma mean_apk_le {O O'} `{Label O} `{Label O'} (M : mechanism T O) (M' : mechanism T O') theta i a b :
    total_on n M -> total_on n M' -> Theta theta -> 0 < Pr theta (holds_record i a) ->
    (forall k, possible theta i a k -> possible theta i b k -> apk theta E M' i a b k <= apk theta E M i a b k) ->
    ppk theta E M' i a b <= ppk theta E M i a b.
  Proof.
    intros L L' I P le. rewrite !(theorem_1_mean n Theta _ sized) by exact I.
    destruct (sized theta I) as [[N _] _]. unfold mean. apply sum_le. intros [w p] J. cbn [fst snd].
    assert (p0 := nonnegative_given theta _ N P w p J).
    destruct (Qlt_le_dec 0 p) as [p1|p1]; [|assert (z : p == 0) by lra; rewrite z; lra].
    assert (A := possible_in n Theta sized theta i a w p I P J p1).
    destruct (excludes theta i b (snd w)) eqn:e; [lra|]. apply excludes_false in e. specialize (le (snd w) A e). nra.
  Qed.

  Lemma apk_post {O O'} `{Label O} `{Label O'} (M : mechanism T O) (K : O -> measure O') theta i a b k :
    total_on n M -> (forall o, law (K o)) -> Theta theta -> possible theta i a k -> possible theta i b k ->
    apk theta E (fun D => bind (M D) K) i a b k <= apk theta E M i a b k.
  Proof.
    intros L LK I P P'. apply (apk_within n Theta); try assumption.
    - intros D s. apply law_bind; [now apply L|]. intros. apply LK.
    - unfold output. eapply within_alike; [apply bind_bind|apply bind_bind|]. apply within_bind; [exact LK|].
      apply (apk_within n Theta M sized L theta E _ i a b k I E0 P P'). apply Qle_refl.
  Qed.

  Lemma apk_mix {O} `{Label O} (M M' : mechanism T O) p theta i a b k : 0 <= p <= 1 ->
    total_on n M -> total_on n M' -> Theta theta -> possible theta i a k -> possible theta i b k ->
    apk theta E (fun D => mix p (M D) (M' D)) i a b k <= p * apk theta E M i a b k + (1 - p) * apk theta E M' i a b k.
  Proof.
    intros R L L' I P P'. apply (apk_within n Theta); try assumption.
    - intros D s. apply law_mix; [exact R|now apply L|now apply L'].
    - unfold output. eapply within_alike; [apply bind_mix|apply bind_mix|]. intros S. rewrite !Pr_mix.
      assert (F := proj1 (apk_within n Theta M sized L theta E _ i a b k I E0 P P') (Qle_refl _) S).
      assert (G := proj1 (apk_within n Theta M' sized L' theta E _ i a b k I E0 P P') (Qle_refl _) S).
      unfold output in F, G. nra.
  Qed.

  (** Passive partial knowledge (DMKB20, Proposition 5, as printed): (Theta, epsilon, delta)-PPKDP is kept by every
      channel on the output, and by every choice between two mechanisms. *)
  Definition ppkdp_definition : definition T n.
  Proof.
    refine (Definition_ T n (fun O l M => ppkdp Theta E d M) _ _ _).
    - intros O l M M' L L' e V theta I i a b P P'. eapply Qle_trans; [|exact (V theta I i a b P P')].
      apply mean_apk_le; try assumption. intros k K K'. apply (apk_within n Theta M' sized L' theta); try assumption.
      assert (W := proj1 (apk_within n Theta M sized L theta E _ i a b k I E0 K K') (Qle_refl _)).
      eapply within_alike; [| |exact W]; unfold output; apply bind_alike; intros w p J;
        apply e; now apply (size_in theta _ w p I J).
    - intros O l O' l' M K L LK V theta I i a b P P'. eapply Qle_trans; [|exact (V theta I i a b P P')].
      apply mean_apk_le; try assumption; [intros D s; apply law_bind; [now apply L|intros; apply LK]|].
      intros k Q1 Q2. now apply apk_post.
    - intros O l M M' p R L L' V V' theta I i a b P P'.
      assert (LM : total_on n (fun D => mix p (M D) (M' D))) by (intros D s; apply law_mix; auto).
      specialize (V theta I i a b P P'). specialize (V' theta I i a b P P').
      assert (le : ppk theta E (fun D => mix p (M D) (M' D)) i a b <= p * ppk theta E M i a b + (1 - p) * ppk theta E M' i a b).
      { rewrite !(theorem_1_mean n Theta _ sized) by exact I. rewrite <- !mean_scale, <- mean_plus.
        destruct (sized theta I) as [[N _] _]. unfold mean. apply sum_le. intros [w q] J. cbn [fst snd].
        assert (p0 := nonnegative_given theta _ N P w q J).
        destruct (Qlt_le_dec 0 q) as [p1|p1]; [|assert (z : q == 0) by lra; rewrite z; lra].
        assert (A := possible_in n Theta sized theta i a w q I P J p1).
        destruct (excludes theta i b (snd w)) eqn:e; [lra|]. apply excludes_false in e.
        assert (le := apk_mix M M' p theta i a b (snd w) R L L' I A e). nra. }
      nra.
  Defined.
End Instances.

(** * Proposition 5 in the words of the paper *)

Section Proposition5.
  Context {T B O O' : Type} `{Label T} `{Label B} `{Label O} `{Label O'} (n : nat) (Theta : family T B) (E d : Q).
  Context (sized : of_size n Theta) (E0 : 0 <= E).

  (** Post-processing of PPKDP (as printed): f(M(D)) is (Theta, epsilon, delta)-PPKDP where M is, for any function f. *)
  Theorem proposition_5_ppkdp_function (f : O -> O') (M : mechanism T O) : total_on n M ->
    ppkdp Theta E d M -> ppkdp Theta E d (fun D => image f (M D)).
  Proof. exact (function_of_output (ppkdp_definition n Theta E d sized E0) f M). Qed.
  (** The same for a random function, that is, a channel that looks at neither D nor B. *)
  Theorem proposition_5_ppkdp_channel (K : O -> measure O') (M : mechanism T O) : total_on n M -> (forall o, law (K o)) ->
    ppkdp Theta E d M -> ppkdp Theta E d (fun D => bind (M D) K).
  Proof. exact (post_processing (ppkdp_definition n Theta E d sized E0) M K). Qed.
  (** Convexity of PPKDP (as printed): M with probability p, else M'. *)
  Theorem proposition_5_ppkdp_convex p (M M' : mechanism T O) : 0 <= p <= 1 -> total_on n M -> total_on n M' ->
    ppkdp Theta E d M -> ppkdp Theta E d M' -> ppkdp Theta E d (fun D => mix p (M D) (M' D)).
  Proof. exact (convexity (ppkdp_definition n Theta E d sized E0) M M' p). Qed.
  (** Both axioms for APKDP (as printed). *)
  Theorem proposition_5_apkdp_channel (K : O -> measure O') (M : mechanism T O) : total_on n M -> (forall o, law (K o)) ->
    apkdp Theta E d M -> apkdp Theta E d (fun D => bind (M D) K).
  Proof. exact (post_processing (apkdp_definition n Theta E d sized E0) M K). Qed.
  Theorem proposition_5_apkdp_convex p (M M' : mechanism T O) : 0 <= p <= 1 -> total_on n M -> total_on n M' ->
    apkdp Theta E d M -> apkdp Theta E d M' -> apkdp Theta E d (fun D => mix p (M D) (M' D)).
  Proof. exact (convexity (apkdp_definition n Theta E d sized E0) M M' p). Qed.
End Proposition5.
