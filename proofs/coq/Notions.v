(** The definitions of DMKB20 for finite laws of any size, any number of records and any family of distributions.

    T is the set of values and B that of the attacker's knowledge; both are any types whose elements can be told apart. A
    database is a list of records. A distribution theta is a law of worlds, pairs of a database and of what the attacker
    knows; a family Theta is any set of them. A mechanism gives a law of outputs for each database.

    [E] is e^epsilon, a rational; [d] is delta. Each definition is spelled out as in models/FORMAT.md and the texts. What
    is not compared: knowledge that excludes a or b. Where nothing is compared, a definition holds; none of the theorems
    needs that something is.

    At the end: what the attacker's loss counts ([apk], DMKB20's Definition 12) is the largest P(S) - E*Q(S)
    ([apk_within], [apkdp_np]); and records can be replaced ([put]). *)

From PK Require Export Laws.
From PK Require Import PartialKnowledge Laws.
Import ListNotations.
Open Scope Q_scope.

(** * Databases *)

Section Databases.
  Context {T : Type}.

  (** Record i of a database, if it has one; the database with record i set to b; the other records. *)
  Definition record (i : nat) (D : list T) : option T := nth_error D i.
  Fixpoint put (i : nat) (b : T) (D : list T) : list T :=
    match D, i with
    | [], _ => []
    | _ :: r, O => b :: r
    | x :: r, S j => x :: put j b r
    end.
  Fixpoint others (i : nat) (D : list T) : list T :=
    match D, i with
    | [], _ => []
    | _ :: r, O => r
    | x :: r, S j => x :: others j r
    end.
  (** The database with the other records r and b as record i. *)
  Fixpoint insert (i : nat) (b : T) (r : list T) : list T :=
    match i, r with
    | O, _ => b :: r
    | S j, x :: r' => x :: insert j b r'
    | S _, [] => [b]
    end.

  Lemma put_length i b D : length (put i b D) = length D.
  Proof. revert i. induction D as [|x D IH]; intros [|i]; cbn; auto. Qed.
  Lemma put_same i a D : record i D = Some a -> put i a D = D.
  Proof.
    revert i. induction D as [|x D IH]; intros [|i] e; cbn in *; try congruence. now rewrite IH.
  Qed.
  Lemma put_put i a b D : put i a (put i b D) = put i a D.
  Proof. revert i. induction D as [|x D IH]; intros [|i]; cbn; try reflexivity. now rewrite IH. Qed.
  Lemma record_put i b D : (i < length D)%nat -> record i (put i b D) = Some b.
  Proof. revert i. induction D as [|x D IH]; intros [|i] l; cbn in *; try lia; [reflexivity|]. apply IH. lia. Qed.
  Lemma record_some i a D : record i D = Some a -> (i < length D)%nat.
  Proof. intros e. apply nth_error_Some. unfold record in e. congruence. Qed.
  Lemma others_put i b D : others i (put i b D) = others i D.
  Proof. revert i. induction D as [|x D IH]; intros [|i]; cbn; try reflexivity. now rewrite IH. Qed.
  Lemma put_others i a b D : record i D = Some a -> put i b D = insert i b (others i D).
  Proof.
    revert i. induction D as [|x D IH]; intros [|i] e; cbn in *; try congruence. now rewrite <- IH.
  Qed.
  Lemma insert_others i a D : record i D = Some a -> insert i a (others i D) = D.
  Proof. intros e. rewrite <- (put_others i a a D e). now apply put_same. Qed.

  (** D and D' differ in the data of one record alone (both orders are pairs of neighbours). *)
  Definition neighbours (n : nat) (D D' : list T) : Prop :=
    length D = n /\ exists i b, (i < n)%nat /\ D' = put i b D.
  Lemma neighbours_sym n D D' : neighbours n D D' -> neighbours n D' D.
  Proof.
    intros [l (i & b & k & ->)]. split; [now rewrite put_length|].
    destruct (record i D) as [a|] eqn:e.
    - exists i, a. split; [exact k|]. rewrite put_put. symmetry. now apply put_same.
    - apply nth_error_None in e. lia.
  Qed.
End Databases.

(** * The definitions *)

Section Notions.
  Context {T B : Type} `{Label T} `{Label B}.

  Definition world : Type := list T * B.
  Definition distribution : Type := measure world.
  Definition family : Type := distribution -> Prop.

  (** Theta is a family of laws on databases of n records and on knowledge. *)
  Definition of_size (n : nat) (Theta : family) : Prop :=
    forall theta, Theta theta -> law theta /\ forall w p, In (w, p) theta -> length (fst w) = n.

  (** The events D(i) = a, B = k, and both. *)
  Definition holds_record (i : nat) (a : T) (w : world) : bool := eqb (Some a) (record i (fst w)).
  Definition knows (k : B) (w : world) : bool := eqb k (snd w).
  Definition having (i : nat) (a : T) (k : B) (w : world) : bool := knows k w && holds_record i a w.
  (** Knowledge k is compatible with D(i) = a. *)
  Definition possible (theta : distribution) (i : nat) (a : T) (k : B) : Prop := 0 < Pr theta (having i a k).
  Definition excludes (theta : distribution) (i : nat) (a : T) (k : B) : bool := Qle_bool (Pr theta (having i a k)) 0.

  Section OfMechanism.
    Context {O : Type}.
    Definition mechanism : Type := list T -> measure O.
    (** M gives a law for each database of n records, whatever its probability. *)
    Definition total_on (n : nat) (M : mechanism) : Prop := forall D, length D = n -> law (M D).

    (** The law of M(D) given an event C, and of M(D with record i set to b) given C. *)
    Definition output (theta : distribution) (C : world -> bool) (M : mechanism) : measure O :=
      bind (given theta C) (fun w => M (fst w)).
    Definition causing (theta : distribution) (C : world -> bool) (i : nat) (b : T) (M : mechanism) : measure O :=
      bind (given theta C) (fun w => M (put i b (fst w))).

    (** Differential privacy (Definition 2): all databases of T^n, possible or not, that differ in one record. *)
    Definition dp (n : nat) (E d : Q) (M : mechanism) : Prop :=
      forall D D', neighbours n D D' -> indistinguishable E d (M D) (M D').

    (** Noiseless privacy (Definition 3), with delta: for all theta, knowledge k, record i, and a, b possible given k. *)
    Definition np (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall k i a b, possible theta i a k -> possible theta i b k ->
      indistinguishable E d (output theta (having i a k) M) (output theta (having i b k) M).

    (** Causal differential privacy (Definition 5): for all theta, k, i, and a, b possible given k, the law of M(D)
        against that of M(D with record i set to b), both given k and D(i) = a. *)
    Definition cdp (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall k i a b, possible theta i a k -> possible theta i b k ->
      indistinguishable E d (output theta (having i a k) M) (causing theta (having i a k) i b M).
    (** The reading in which b is any value of T. *)
    Definition cdp_all (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall k i a b, possible theta i a k ->
      indistinguishable E d (output theta (having i a k) M) (causing theta (having i a k) i b M).

    (** Distributional differential privacy (Definition 4): one simulator for all theta, k, i and a that are possible
        together; it is told i and the other records, neither k nor theta. *)
    Definition simulated (theta : distribution) (C : world -> bool) (i : nat) (Sim : nat -> mechanism) : measure O :=
      bind (given theta C) (fun w => Sim i (others i (fst w))).
    Definition ddp (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      exists Sim : nat -> mechanism, (forall i r, law (Sim i r)) /\
      forall theta, Theta theta -> forall k i a, possible theta i a k ->
      indistinguishable E d (output theta (having i a k) M) (simulated theta (having i a k) i Sim).

    Context `{Label O}.
    Notation at_ := (at_ same).

    (** The amount by which an output of probability p > 0 against q exceeds a loss: max(0, 1 - e^(epsilon - L)) with
        L = ln(p/q), so that e^(epsilon - L) = E*q/p; 1 where q = 0, as x/0 is infinite (Definition 11). *)
    Definition excess (E p q : Q) : Q := Qmax 0 (1 - E * q / p).

    (** What active partial knowledge bounds (Definition 12): the mean of the excess over M(D) given D(i) = a and k. *)
    Definition apk (theta : distribution) (E : Q) (M : mechanism) (i : nat) (a b : T) (k : B) : Q :=
      let P := output theta (having i a k) M in
      let P' := output theta (having i b k) M in
      mean P (fun o => excess E (at_ P o) (at_ P' o)).
    Definition apkdp (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall i a b k, possible theta i a k -> possible theta i b k ->
      apk theta E M i a b k <= d.

    (** What passive partial knowledge bounds (Definition 13): the mean of the same excess over D, B and M(D) given
        D(i) = a alone. Knowledge that excludes b adds 0 (DKM19, Definition 5). *)
    Definition ppk (theta : distribution) (E : Q) (M : mechanism) (i : nat) (a b : T) : Q :=
      mean (given theta (holds_record i a)) (fun w => mean (M (fst w)) (fun o =>
        if excludes theta i b (snd w) then 0
        else excess E (at_ (output theta (having i a (snd w)) M) o) (at_ (output theta (having i b (snd w)) M) o))).
    Definition ppkdp (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall i a b,
      0 < Pr theta (holds_record i a) -> 0 < Pr theta (holds_record i b) -> ppk theta E M i a b <= d.

    (** Inference-based causal differential privacy (Definition 6): for all theta, k, i, outputs t, and values b, possible
        or not; the posterior of D(i) after M(D) = t against that after M(D with record i set to b) = t, where k and t
        are possible together on both sides. [seen] is the joint law of the world and the output. *)
    Definition seen (theta : distribution) (M : world -> measure O) : measure (world * O) :=
      bind theta (fun w => image (pair w) (M w)).
    Definition saw (k : B) (t : O) (x : world * O) : bool := knows k (fst x) && eqb t (snd x).
    Definition posterior (theta : distribution) (M : world -> measure O) (i : nat) (k : B) (t : O) : measure (option T) :=
      image (fun x => record i (fst (fst x))) (given (seen theta M) (saw k t)).
    Definition plain (M : mechanism) (w : world) : measure O := M (fst w).
    Definition replaced (M : mechanism) (i : nat) (b : T) (w : world) : measure O := M (put i b (fst w)).
    Definition can_answer (theta : distribution) (M : world -> measure O) (k : B) (t : O) : Prop :=
      0 < Pr (seen theta M) (saw k t).
    Definition ibcdp (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall k i b t,
      can_answer theta (plain M) k t -> can_answer theta (replaced M i b) k t ->
      indistinguishable E d (posterior theta (plain M) i k t) (posterior theta (replaced M i b) i k t).
    (** The reading in which b is possible given k, as in Definition 5. *)
    Definition ibcdp_possible (Theta : family) (E d : Q) (M : mechanism) : Prop :=
      forall theta, Theta theta -> forall k i b t, possible theta i b k ->
      can_answer theta (plain M) k t -> can_answer theta (replaced M i b) k t ->
      indistinguishable E d (posterior theta (plain M) i k t) (posterior theta (replaced M i b) i k t).
  End OfMechanism.

  (** * Their laws *)

  Lemma having_record i a k w : having i a k w = true -> record i (fst w) = Some a.
  Proof. intros e. apply andb_prop in e as [_ e]. apply eqb_eq in e. now symmetry. Qed.
  Lemma having_knows i a k w : having i a k w = true -> snd w = k.
  Proof. intros e. apply andb_prop in e as [e _]. apply eqb_eq in e. now symmetry. Qed.
  Lemma having_intro i a w : record i (fst w) = Some a -> having i a (snd w) w = true.
  Proof. intros e. unfold having, knows, holds_record. rewrite e, !eqb_same. reflexivity. Qed.
  Lemma excludes_false theta i a k : excludes theta i a k = false <-> possible theta i a k.
  Proof.
    unfold excludes, possible. rewrite <- not_true_iff_false, Qle_bool_iff. split; [apply Qnot_le_lt|apply Qlt_not_le].
  Qed.
  Lemma excludes_true theta i a k : nonnegative theta -> excludes theta i a k = true <-> Pr theta (having i a k) == 0.
  Proof.
    intros N. unfold excludes. rewrite Qle_bool_iff. assert (p := Pr_nonnegative theta (having i a k) N).
    split; intros; lra.
  Qed.

  Section Facts.
    Context {O : Type} (n : nat) (Theta : family) (M : mechanism (O := O)).
    Context (sized : of_size n Theta) (total_M : total_on n M).

    Lemma given_in (theta : distribution) C w p : In (w, p) (given theta C) -> C w = true /\ exists q, In (w, q) theta.
    Proof.
      intros I. apply in_map_iff in I as [[x q] [e I]]. cbn in e. injection e as <- _.
      apply filter_In in I as [I e]. split; [exact e|now exists q].
    Qed.
    Lemma possible_index theta i a k : Theta theta -> possible theta i a k -> (i < n)%nat.
    Proof.
      intros I P. destruct (Nat.lt_ge_cases i n) as [l|g]; [exact l|]. exfalso. apply (Qlt_not_le _ _ P).
      rewrite Pr_mean, mean_zero; [lra|]. intros w p J. unfold chi. destruct (having i a k w) eqn:h; [|reflexivity].
      apply having_record, record_some in h. rewrite (proj2 (sized theta I) w p J) in h. lia.
    Qed.
    Lemma possible_knows theta i a k : Theta theta -> possible theta i a k -> 0 < Pr theta (knows k).
    Proof.
      intros I P. eapply Qlt_le_trans; [exact P|]. apply Pr_le; [apply (sized theta I)|]. intros w h.
      now apply andb_prop in h.
    Qed.
    Lemma law_output (theta : distribution) C : Theta theta -> 0 < Pr theta C -> law (output theta C M).
    Proof.
      intros I P. destruct (sized theta I) as [[N _] L]. apply law_bind; [now apply law_given|].
      intros w p J. apply given_in in J as [_ [q J]]. apply total_M. exact (L w q J).
    Qed.
    Lemma law_causing (theta : distribution) C i b : Theta theta -> 0 < Pr theta C -> law (causing theta C i b M).
    Proof.
      intros I P. destruct (sized theta I) as [[N _] L]. apply law_bind; [now apply law_given|].
      intros w p J. apply given_in in J as [_ [q J]]. apply total_M. rewrite put_length. exact (L w q J).
    Qed.
    Lemma Pr_output (theta : distribution) C S : Pr (output theta C M) S ==
      mean theta (fun w => if C w then Pr (M (fst w)) S else 0) / Pr theta C.
    Proof. unfold output. now rewrite Pr_bind, mean_given. Qed.
    Lemma Pr_causing (theta : distribution) C i b S : Pr (causing theta C i b M) S ==
      mean theta (fun w => if C w then Pr (M (put i b (fst w))) S else 0) / Pr theta C.
    Proof. unfold causing. now rewrite Pr_bind, mean_given. Qed.
  End Facts.

  (** * The loss of two laws *)

  Section Loss.
    Context {O : Type} `{Label O}.
    Implicit Types P : measure O.
    Notation at_ := (at_ same).

    Lemma excess_weighted (E p q : Q) : 0 <= E -> 0 <= p -> 0 <= q -> p * excess E p q == Qmax 0 (p - E * q).
    Proof.
      intros e P N. unfold excess. destruct (Qlt_le_dec 0 p) as [p0|p0].
      - destruct (Qlt_le_dec (E * q) p) as [l|l].
        + rewrite !Q.max_r; [field; lra|lra|]. assert (E * q / p <= 1) by (apply div_le; lra). lra.
        + rewrite !Q.max_l; [ring|lra|]. assert (1 <= E * q / p) by (apply le_div; lra). lra.
      - assert (z : p == 0) by lra. assert (0 <= E * q) by now apply Qmult_le_0_compat.
        rewrite (Q.max_l 0 (p - E * q)) by lra. rewrite z. ring.
    Qed.

    (** The mean of the excess is the sum of positive parts. *)
    Lemma loss_hockey E P (P' : measure O) : 0 <= E -> nonnegative P -> nonnegative P' ->
      mean P (fun o => excess E (at_ P o) (at_ P' o)) == hockey same E P P'.
    Proof.
      intros e N N'. rewrite (mean_by_outcome P _ (outcomes same P P')) by (apply NoDup_nodup || apply outcomes_left).
      apply sum_ext. intros x _. apply excess_weighted; [exact e|now apply Pr_nonnegative..].
    Qed.
    (** Hence it is the largest P(S) - E*P'(S) (DMKB20, Lemma 1). *)
    Theorem loss_within (E d : Q) P (P' : measure O) : 0 <= E -> nonnegative P -> nonnegative P' ->
      (mean P (fun o => excess E (at_ P o) (at_ P' o)) <= d <-> within E d P P').
    Proof. intros e N N'. unfold within. now rewrite (hockey_stick same), loss_hockey. Qed.
    Lemma loss_nonnegative (E : Q) P (P' : measure O) : nonnegative P -> 0 <= mean P (fun o => excess E (at_ P o) (at_ P' o)).
    Proof. intros N. apply mean_nonnegative; [exact N|]. intros. apply Q.le_max_l. Qed.
  End Loss.

  Section Reformulated.
    Context {O : Type} `{Label O} (n : nat) (Theta : family) (M : mechanism (O := O)).
    Context (sized : of_size n Theta) (total_M : total_on n M).

    Theorem apk_within theta E d i a b k : Theta theta -> 0 <= E -> possible theta i a k -> possible theta i b k ->
      (apk theta E M i a b k <= d <-> within E d (output theta (having i a k) M) (output theta (having i b k) M)).
    Proof.
      intros I e P P'. apply loss_within; [exact e|now apply (law_output n Theta M sized total_M)..].
    Qed.

    (** DMKB20, Definition 12, "or, equivalently": the two forms of (epsilon, delta)-APKDP are one, and it is noiseless
        privacy with delta. As printed. *)
    Theorem apkdp_np E d : 0 <= E -> apkdp Theta E d M <-> np Theta E d M.
    Proof.
      intros e. split.
      - intros G theta I k i a b P P'. split; apply apk_within; auto.
      - intros G theta I i a b k P P'. apply apk_within; auto. now apply G.
    Qed.
  End Reformulated.
End Notions.

#[global] Arguments world : clear implicits.
#[global] Arguments distribution : clear implicits.
#[global] Arguments family : clear implicits.
#[global] Arguments mechanism : clear implicits.
