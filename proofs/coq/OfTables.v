(** The definitions of the theorems are those of tables, as certificates have them.

    PartialKnowledge.v spells out the definitions for one model, a table, with a function that decides each. Here: for a model whose records are protected, np, cdp and
    ppkdp there are [np], [cdp] and [ppkdp] of Notions.v for the family of the model's distributions. So every theorem
    applies to every such model, and whether its hypotheses hold of one is decided by computing: Examples.v. *)

From PK Require Import PartialKnowledge Laws Notions ActivePassive PostProcessing.
Import ListNotations.
Open Scope Q_scope.

(** Table worlds as a law on databases and knowledge; the distributions of a model as a family. *)
Definition law_of (ws : list PartialKnowledge.world) : distribution nat nat := map (fun w => ((base w, known w), weight w)) ws.
Definition family_of (m : model) : family nat nat := fun theta => exists ws, In ws (thetas m) /\ theta = law_of ws.

(** Each record is protected, its values are those of T, and each distribution is a law on databases of T^n. *)
Definition of_records (m : model) : Prop :=
  targets m = map Record_ (seq 0 (size m)) /\ domain m = values m /\
  forall ws, In ws (thetas m) -> mass ws == 1 /\
    forall w, In w ws -> 0 <= weight w /\ length (base w) = size m /\ forall x, In x (base w) -> In x (values m).
Definition of_records_dec (m : model) : bool :=
  (if list_eq_dec (fun x y : target => ltac:(decide equality; apply Nat.eq_dec)) (targets m) (map Record_ (seq 0 (size m))) then true else false) &&
  (if list_eq_dec Nat.eq_dec (domain m) (values m) then true else false) &&
  forallb (fun ws => Qeq_bool (mass ws) 1 && forallb (fun w => Qle_bool 0 (weight w) && (length (base w) =? size m)%nat &&
    forallb (inside (values m)) (base w)) ws) (thetas m).

Lemma inside_in l x : inside l x = true -> In x l.
Proof. unfold inside. intros e. apply existsb_exists in e as [y [I e]]. apply Nat.eqb_eq in e. now subst y. Qed.
Lemma of_records_decided m : of_records_dec m = true -> of_records m.
Proof.
  unfold of_records_dec. intros e. apply andb_prop in e as [e W]. apply andb_prop in e as [t d].
  destruct (list_eq_dec _ (targets m) _) as [t'|]; [|discriminate]. destruct (list_eq_dec _ (domain m) _) as [d'|]; [|discriminate].
  split; [exact t'|]. split; [exact d'|]. intros ws I. rewrite forallb_forall in W. specialize (W ws I).
  apply andb_prop in W as [s W]. split; [now apply Qeq_bool_iff|]. intros w J. rewrite forallb_forall in W. specialize (W w J).
  apply andb_prop in W as [W v]. apply andb_prop in W as [p l]. rewrite forallb_forall in v. repeat split.
  - now apply Qle_bool_iff.
  - now apply Nat.eqb_eq.
  - intros x X. now apply inside_in, v.
Qed.

Lemma mean_law_of ws f : mean (law_of ws) f == sum (map (fun w => weight w * f (base w, known w)) ws).
Proof. unfold mean, law_of. rewrite map_map. reflexivity. Qed.

Lemma set_put i b D : set i b D = put i b D.
Proof. reflexivity. Qed.

Section Table.
  Context (m : model) (R : of_records m).

  Lemma family_sized : of_size (size m) (family_of m).
  Proof.
    intros theta (ws & I & ->). destruct R as (_ & _ & W). destruct (W ws I) as [s W']. split; [split|].
    - intros w p J. apply in_map_iff in J as [x [e J]]. injection e as _ <-. apply (W' x J).
    - unfold law_of. rewrite map_map. exact s.
    - intros w p J. apply in_map_iff in J as [x [e J]]. injection e as <- _. apply (W' x J).
  Qed.

  (** Sums over the worlds with B = k and D(i) = a. *)
  Lemma table_sum ws i a k (F : list nat -> Q) : In ws (thetas m) -> (i < size m)%nat ->
    sum (map (fun w => weight w * F (base w)) (PartialKnowledge.given ws (Record_ i) k a)) ==
    mean (law_of ws) (fun x => if Notions.having i a k x then F (fst x) else 0).
  Proof.
    intros I l. rewrite mean_law_of. destruct R as (_ & _ & W). destruct (W ws I) as [_ W']. clear W I.
    induction ws as [|w ws IH]; [reflexivity|]. cbn [map]. rewrite sum_cons, <- IH by (intros x J; apply W'; now right).
    unfold PartialKnowledge.given, PartialKnowledge.having, hearing. cbn [filter].
    assert (len : (i < length (base w))%nat) by (destruct (W' w (or_introl eq_refl)) as (_ & -> & _); exact l).
    assert (e : Notions.having i a k (base w, known w) = ((known w =? k)%nat && (value (Record_ i) w =? a)%nat)).
    { unfold Notions.having, knows, holds_record. cbn [fst snd value]. f_equal.
      - apply eq_true_iff_eq. rewrite eqb_true, Nat.eqb_eq. split; congruence.
      - apply eq_true_iff_eq. rewrite eqb_true, Nat.eqb_eq. unfold record. rewrite (nth_error_nth' (base w) 0%nat len).
        split; congruence. }
    rewrite e. destruct (known w =? k)%nat; cbn [filter andb]; [|ring].
    destruct (value (Record_ i) w =? a)%nat; cbn [map]; [rewrite sum_cons; cbn [fst]|]; ring.
  Qed.
  Lemma table_mass ws i a k : In ws (thetas m) -> (i < size m)%nat ->
    mass (PartialKnowledge.given ws (Record_ i) k a) == Pr (law_of ws) (Notions.having i a k).
  Proof.
    intros I l. rewrite Pr_mean, <- (table_sum ws i a k (fun _ => 1) I l). unfold mass.
    rewrite (sum_ext (fun w => weight w * 1) weight) by (intros; ring). reflexivity.
  Qed.
  Lemma Pr_table f ws S : Pr (PartialKnowledge.output m f ws) S ==
    sum (map (fun w => weight w * Pr (M m (f (base w))) S) ws) / mass ws.
  Proof.
    unfold PartialKnowledge.output. cbv zeta. set (all := mass ws). clearbody all.
    induction ws as [|w ws IH]; [unfold Pr, Qdiv; cbn; ring|]. cbn [flat_map map].
    rewrite Pr_app, Pr_scaled, IH, sum_cons. unfold Qdiv. ring.
  Qed.
  Lemma table_output ws i a k : In ws (thetas m) -> (i < size m)%nat ->
    alike (PartialKnowledge.output m (fun d => d) (PartialKnowledge.given ws (Record_ i) k a))
      (output (law_of ws) (Notions.having i a k) (M m)).
  Proof. intros I l S. now rewrite Pr_table, (table_sum ws i a k (fun d => Pr (M m d) S) I l), (table_mass ws i a k I l), Pr_output. Qed.
  Lemma table_causing ws i a b k : In ws (thetas m) -> (i < size m)%nat ->
    alike (PartialKnowledge.output m (replace (Record_ i) b) (PartialKnowledge.given ws (Record_ i) k a))
      (causing (law_of ws) (Notions.having i a k) i b (M m)).
  Proof.
    intros I l S. rewrite Pr_table, Pr_causing, <- (table_mass ws i a k I l). apply Qdiv_comp; [|reflexivity]. cbn [replace].
    rewrite <- (table_sum ws i a k (fun d => Pr (M m (put i b d)) S) I l). apply sum_ext. intros w _. now rewrite set_put.
  Qed.

  (** What is possible is met by the quantifiers of the table. *)
  Lemma table_possible ws i a k : In ws (thetas m) -> possible (law_of ws) i a k ->
    In (Record_ i) (targets m) /\ (i < size m)%nat /\ In k (knowledge ws) /\ In a (domain m) /\
    PartialKnowledge.positive (mass (PartialKnowledge.given ws (Record_ i) k a)) = true.
  Proof.
    intros I P. assert (F : family_of m (law_of ws)) by (now exists ws).
    assert (l := possible_index (size m) (family_of m) family_sized _ i a k F P).
    destruct R as (t & d & W). destruct (W ws I) as [_ W'].
    assert (some : exists w, In w ws /\ Notions.having i a k (base w, known w) = true).
    { clear - P. unfold possible in P. rewrite Pr_mean, mean_law_of in P. induction ws as [|w ws IH].
      - cbn in P. now apply Qlt_irrefl in P.
      - cbn [map] in P. rewrite sum_cons in P. destruct (Notions.having i a k (base w, known w)) eqn:e.
        + exists w. split; [now left|exact e].
        + destruct IH as (x & J & h); [|exists x; split; [now right|exact h]].
          unfold chi at 1 in P. rewrite e in P. lra. }
    destruct some as (w & J & h). assert (hk := having_knows i a k _ h). assert (hr := having_record i a k _ h). cbn [fst snd] in hk, hr.
    repeat split.
    - rewrite t. apply in_map, in_seq. lia.
    - exact l.
    - apply nodup_In, in_map_iff. now exists w.
    - rewrite d. apply (W' w J). now apply (nth_error_In _ i).
    - apply positive_iff. rewrite (table_mass ws i a k I l). exact P.
  Qed.

  Lemma table_target i : In (Record_ i) (targets m) -> (i < size m)%nat.
  Proof. destruct R as (t & _). rewrite t. intros J. apply in_map_iff in J as [j [e J]]. injection e as ->. apply in_seq in J. lia. Qed.
  Lemma only_records t : In t (targets m) -> exists i, t = Record_ i.
  Proof. destruct R as (e & _). rewrite e. intros J. apply in_map_iff in J as [j [e' J]]. now exists j. Qed.

  Lemma table_nonnegative ws i a k f : (forall d, nonnegative (M m d)) -> In ws (thetas m) -> (i < size m)%nat ->
    possible (law_of ws) i a k -> nonnegative (bind (Laws.given (law_of ws) (Notions.having i a k)) (fun w => M m (f (fst w)))).
  Proof.
    intros N I l P. apply nonnegative_bind; [|intros; apply N]. apply nonnegative_given; [|exact P].
    destruct (family_sized (law_of ws)) as [[NN _] _]; [now exists ws|exact NN].
  Qed.

  (** Noiseless privacy: one definition. *)
  Theorem np_of_table E d : 1 <= E -> 0 <= d -> (forall D, nonnegative (M m D)) ->
    Notions.np (family_of m) E d (M m) <-> PartialKnowledge.np Default (Within E d) m.
  Proof.
    intros e d0 N. split.
    - intros V ws I t J k _ a _ b _ ab pos. destruct (only_records t J) as [i ->]. assert (l := table_target i J).
      apply andb_prop in pos as [pa pb]. apply positive_iff in pa. apply positive_iff in pb.
      rewrite (table_mass ws i a k I l) in pa. rewrite (table_mass ws i b k I l) in pb.
      destruct (V (law_of ws) (ex_intro _ ws (conj I eq_refl)) k i a b pa pb) as [F _].
      intros S. rewrite (table_output ws i a k I l S), (table_output ws i b k I l S). apply F.
    - intros V theta (ws & I & ->) k i a b P P'.
      destruct (table_possible ws i a k I P) as (J & l & K & A & pa).
      destruct (table_possible ws i b k I P') as (_ & _ & _ & A' & pb).
      destruct (Nat.eq_dec a b) as [<-|ne].
      + apply indistinguishable_same; try assumption; [|intros S; reflexivity].
        now apply (table_nonnegative ws i a k (fun d => d)).
      + assert (ab : asked Default a b = true) by (unfold asked; apply Nat.eqb_neq in ne; rewrite ne; reflexivity).
        assert (ba : asked Default b a = true) by (unfold asked; apply Nat.eqb_neq in ne; rewrite Nat.eqb_sym, ne; reflexivity).
        assert (W := V ws I (Record_ i) J k K a A b A' ab). assert (W' := V ws I (Record_ i) J k K b A' a A ba).
        rewrite pa, pb in W, W'. specialize (W eq_refl). specialize (W' eq_refl). split; intros S.
        * rewrite <- (table_output ws i a k I l S), <- (table_output ws i b k I l S). apply W.
        * rewrite <- (table_output ws i a k I l S), <- (table_output ws i b k I l S). apply W'.
  Qed.

  (** Causal privacy: one definition. *)
  Theorem cdp_of_table E d : 1 <= E -> 0 <= d -> (forall D, nonnegative (M m D)) ->
    Notions.cdp (family_of m) E d (M m) <-> PartialKnowledge.cdp Default (Within E d) m.
  Proof.
    intros e d0 N. split.
    - intros V ws I t J k _ a _ b _ ab pos. destruct (only_records t J) as [i ->]. assert (l := table_target i J).
      apply andb_prop in pos as [pa pb]. cbn [any_value orb] in pb. apply positive_iff in pa. apply positive_iff in pb.
      rewrite (table_mass ws i a k I l) in pa. rewrite (table_mass ws i b k I l) in pb.
      destruct (V (law_of ws) (ex_intro _ ws (conj I eq_refl)) k i a b pa pb) as [F G].
      split; [|intros _]; intros S; rewrite (table_output ws i a k I l S), (table_causing ws i a b k I l S); [apply F|apply G].
    - intros V theta (ws & I & ->) k i a b P P'.
      destruct (table_possible ws i a k I P) as (J & l & K & A & pa).
      destruct (table_possible ws i b k I P') as (_ & _ & _ & A' & pb).
      destruct (Nat.eq_dec a b) as [<-|ne].
      + apply indistinguishable_same; try assumption; [now apply (table_nonnegative ws i a k (fun d => d))|].
        apply bind_alike. intros w p W S. apply given_in in W as [h _]. apply having_record in h. now rewrite put_same.
      + assert (ab : negb (a =? b)%nat = true) by (apply Nat.eqb_neq in ne; now rewrite ne).
        assert (W := V ws I (Record_ i) J k K a A b A' ab). rewrite pa, pb in W. destruct (W eq_refl) as [F G].
        specialize (G eq_refl). split; intros S; rewrite <- (table_output ws i a k I l S), <- (table_causing ws i a b k I l S); [apply F|apply G].
  Qed.

  (** * Passive partial knowledge *)

  Lemma table_having ws i a : In ws (thetas m) -> (i < size m)%nat ->
    mass (PartialKnowledge.having (Record_ i) a ws) == Pr (law_of ws) (holds_record i a).
  Proof.
    intros I l. rewrite Pr_mean, mean_law_of. destruct R as (_ & _ & W). destruct (W ws I) as [_ W']. clear W I. unfold mass.
    induction ws as [|w ws IH]; [reflexivity|]. cbn [map]. rewrite sum_cons, <- IH by (intros x J; apply W'; now right).
    unfold PartialKnowledge.having. cbn [filter].
    assert (len : (i < length (base w))%nat) by (destruct (W' w (or_introl eq_refl)) as (_ & -> & _); exact l).
    assert (e : holds_record i a (base w, known w) = (value (Record_ i) w =? a)%nat).
    { unfold holds_record. cbn [fst value]. apply eq_true_iff_eq. rewrite eqb_true, Nat.eqb_eq. unfold record.
      rewrite (nth_error_nth' (base w) 0%nat len). split; congruence. }
    unfold chi at 1. rewrite e. destruct (value (Record_ i) w =? a)%nat; cbn [map]; [rewrite sum_cons|]; ring.
  Qed.
  Notation both_possible ws i a b k := (PartialKnowledge.positive (mass (PartialKnowledge.given ws (Record_ i) k a)) &&
    PartialKnowledge.positive (mass (PartialKnowledge.given ws (Record_ i) k b))).
  Notation part ws i a k := (Pr (law_of ws) (Notions.having i a k) / Pr (law_of ws) (holds_record i a)).

  (** The pairs of knowledge and output, given D(i) = a, knowledge by knowledge. *)
  Lemma table_pairs ws i a b other S : In ws (thetas m) -> (i < size m)%nat ->
    Pr (pairs Default m ws (Record_ i) a b other) S ==
    sum (map (fun k => if both_possible ws i a b k then
      part ws i a k * Pr (output (law_of ws) (Notions.having i (if other then b else a) k) (M m)) (fun o => S (k, o)) else 0)
      (knowledge ws)).
  Proof.
    intros I l. unfold pairs. cbn [infinite orb]. induction (knowledge ws) as [|k ks IH]; [reflexivity|].
    cbn [flat_map map]. rewrite Pr_app, IH, sum_cons. apply Qplus_comp; [|reflexivity].
    destruct (both_possible ws i a b k); [|reflexivity]. cbv zeta.
    rewrite <- (table_output ws i (if other then b else a) k I l (fun o => S (k, o))), <- (table_mass ws i a k I l), <- (table_having ws i a I l).
    set (s := mass _ / mass _). generalize (PartialKnowledge.output m (fun d => d) (PartialKnowledge.given ws (Record_ i) k (if other then b else a))).
    clear. intros mu. induction mu as [|[o p] mu IH]; [unfold Pr; cbn; ring|]. cbn [map fst snd]. rewrite !Pr_cons, IH.
    destruct (S (k, o)); [rewrite Qred_correct|]; ring.
  Qed.
  Lemma both_iff ws i a b k : In ws (thetas m) -> (i < size m)%nat ->
    both_possible ws i a b k = true <-> possible (law_of ws) i a k /\ possible (law_of ws) i b k.
  Proof.
    intros I l. rewrite andb_true_iff, !positive_iff. unfold possible. now rewrite !(table_mass ws i _ k I l).
  Qed.

  (** Theorem 1's mean, as a sum over the knowledge of the table. *)
  Lemma table_ppk ws i a b E : In ws (thetas m) -> (i < size m)%nat ->
    ppk (law_of ws) E (M m) i a b ==
    sum (map (fun k => if both_possible ws i a b k then part ws i a k * apk (law_of ws) E (M m) i a b k else 0) (knowledge ws)).
  Proof.
    intros I l. rewrite (theorem_1_mean (size m) (family_of m) (M m) family_sized) by (now exists ws).
    assert (N : nonnegative (law_of ws)) by (destruct (family_sized (law_of ws)) as [[NN _] _]; [now exists ws|exact NN]).
    rewrite mean_given.
    rewrite (mean_by snd (law_of ws) _ (knowledge ws) (NoDup_nodup _ _)).
    2:{ intros w p J. apply in_map_iff in J as [x [e J]]. injection e as <- _. cbn [snd]. apply nodup_In, in_map_iff. now exists x. }
    unfold Qdiv at 1. rewrite Qmult_comm, <- sum_scale. apply sum_ext. intros k _.
    rewrite (mean_ext (law_of ws) _ (fun w => (if excludes (law_of ws) i b k then 0 else apk (law_of ws) E (M m) i a b k) * chi (Notions.having i a k) w)).
    2:{ intros w. unfold chi, Notions.having, knows. destruct (eqb k (snd w)) eqn:e; cbn [andb]; [|ring]. apply eqb_eq in e. rewrite <- e.
        destruct (holds_record i a w); ring. }
    rewrite mean_scale, <- Pr_mean.
    destruct (both_possible ws i a b k) eqn:e.
    - apply (both_iff ws i a b k I l) in e as [P P']. rewrite (proj2 (excludes_false (law_of ws) i b k) P'). unfold Qdiv. ring.
    - destruct (excludes (law_of ws) i b k) eqn:x; [ring|]. apply excludes_false in x.
      assert (z : Pr (law_of ws) (Notions.having i a k) == 0); [|rewrite z; ring].
      assert (p := Pr_nonnegative (law_of ws) (Notions.having i a k) N).
      destruct (Qlt_le_dec 0 (Pr (law_of ws) (Notions.having i a k))) as [q|q]; [|lra]. exfalso.
      assert (t := proj2 (both_iff ws i a b k I l) (conj q x)). congruence.
  Qed.

  Lemma event_by_knowledge (ks : list nat) (Qs : nat -> (nat -> bool) -> Prop) :
    (forall k, In k ks -> exists S, Qs k S) -> exists S : nat * nat -> bool, forall k, In k ks -> exists S', Qs k S' /\ forall o, S (k, o) = S' o.
  Proof.
    clear. induction ks as [|k ks IH]; intros h; [exists (fun _ => true); intros k []|].
    destruct IH as [S s]; [intros j J; apply h; now right|]. destruct (h k (or_introl eq_refl)) as [S0 s0].
    exists (fun x => if Nat.eq_dec (fst x) k then S0 (snd x) else S x). intros j J. cbn [fst snd].
    destruct (Nat.eq_dec j k) as [->|ne]; [exists S0; now split|]. apply s. destruct J as [e|J]; [congruence|exact J].
  Qed.

  (** Passive partial knowledge: one definition. *)
  Theorem ppkdp_of_table E d : 1 <= E -> 0 <= d -> (forall D, nonnegative (M m D)) ->
    Notions.ppkdp (family_of m) E d (M m) <-> PartialKnowledge.ppkdp Default (Within E d) m.
  Proof.
    intros e d0 N.
    assert (nonneg : forall ws i a k, In ws (thetas m) -> (i < size m)%nat -> possible (law_of ws) i a k ->
      nonnegative (output (law_of ws) (Notions.having i a k) (M m))).
    { intros ws i a k I l P. now apply (table_nonnegative ws i a k (fun d => d)). }
    assert (hock : forall ws i a b k, In ws (thetas m) -> (i < size m)%nat -> possible (law_of ws) i a k -> possible (law_of ws) i b k ->
      apk (law_of ws) E (M m) i a b k == hockey same E (output (law_of ws) (Notions.having i a k) (M m)) (output (law_of ws) (Notions.having i b k) (M m))).
    { intros ws i a b k I l P P'. apply loss_hockey; [lra|now apply nonneg..]. }
    assert (pos_part : forall ws i a k, In ws (thetas m) -> (i < size m)%nat -> 0 < Pr (law_of ws) (holds_record i a) -> 0 <= part ws i a k).
    { intros ws i a k I l P. apply div_pos; [exact P|]. apply Pr_nonnegative.
      destruct (family_sized (law_of ws)) as [[NN _] _]; [now exists ws|exact NN]. }
    assert (records : forall ws i a k, In ws (thetas m) -> possible (law_of ws) i a k -> 0 < Pr (law_of ws) (holds_record i a)).
    { intros ws i a k I P. eapply Qlt_le_trans; [exact P|]. apply Pr_le.
      - destruct (family_sized (law_of ws)) as [[NN _] _]; [now exists ws|exact NN].
      - intros w h. now apply andb_prop in h. }
    (* for one theta, i, a, b: the bound on the mean is the bound on all events of pairs *)
    assert (key : forall ws i a b, In ws (thetas m) -> (i < size m)%nat -> 0 < Pr (law_of ws) (holds_record i a) ->
      (ppk (law_of ws) E (M m) i a b <= d <-> forall S, Pr (pairs Default m ws (Record_ i) a b false) S <=
        E * Pr (pairs Default m ws (Record_ i) a b true) S + d)).
    { intros ws i a b I l P. rewrite (table_ppk ws i a b E I l). split.
      - intros h S. rewrite !(table_pairs ws i a b _ S I l). set (x := sum _). set (y := sum _) at 1.
        assert (q : x <= E * y + sum (map (fun k => if both_possible ws i a b k then part ws i a k * apk (law_of ws) E (M m) i a b k else 0) (knowledge ws))); [|lra].
        unfold x, y. rewrite <- sum_scale, <- sum_plus. apply sum_le. intros k _.
        destruct (both_possible ws i a b k) eqn:t; [|lra]. apply (both_iff ws i a b k I l) in t as [A A'].
        assert (v := proj2 (hockey_stick same E _ (output (law_of ws) (Notions.having i a k) (M m)) (output (law_of ws) (Notions.having i b k) (M m))) (Qle_refl _) (fun o => S (k, o))).
        rewrite (hock ws i a b k I l A A'). assert (pp := pos_part ws i a k I l P). cbv beta iota. nra.
      - intros h.
        destruct (event_by_knowledge (knowledge ws) (fun k S => both_possible ws i a b k = true ->
          Pr (output (law_of ws) (Notions.having i a k) (M m)) S - E * Pr (output (law_of ws) (Notions.having i b k) (M m)) S == apk (law_of ws) E (M m) i a b k)) as [S s].
        { intros k _. destruct (both_possible ws i a b k) eqn:t; [|exists (fun _ => true); discriminate].
          apply (both_iff ws i a b k I l) in t as [A A'].
          destruct (attained E (output (law_of ws) (Notions.having i a k) (M m)) (output (law_of ws) (Notions.having i b k) (M m))) as [S v].
          exists S. intros _. rewrite v. symmetry. now apply hock. }
        specialize (h S). rewrite !(table_pairs ws i a b _ S I l) in h.
        rewrite <- sum_scale in h.
        assert (q : sum (map (fun k => if both_possible ws i a b k then part ws i a k * apk (law_of ws) E (M m) i a b k else 0) (knowledge ws)) ==
          sum (map (fun k => if both_possible ws i a b k then part ws i a k * Pr (output (law_of ws) (Notions.having i a k) (M m)) (fun o => S (k, o)) else 0) (knowledge ws)) -
          sum (map (fun k => E * (if both_possible ws i a b k then part ws i a k * Pr (output (law_of ws) (Notions.having i b k) (M m)) (fun o => S (k, o)) else 0)) (knowledge ws))).
        { rewrite <- sum_minus. apply sum_ext. intros k J. destruct (s k J) as (S' & v & same_S).
          destruct (both_possible ws i a b k) eqn:t; [|ring]. rewrite <- (v eq_refl), !(Pr_ext _ (fun o => S (k, o)) S' same_S). ring. }
        cbv beta iota in h. lra. }
    split.
    - intros V ws I t J a _ b _ ab met. destruct (only_records t J) as [i ->]. assert (l := table_target i J).
      unfold PartialKnowledge.met in met. cbn [infinite] in met. apply existsb_exists in met as [k [_ t]].
      apply (both_iff ws i a b k I l) in t as [A A']. refine (proj1 (key ws i a b I l (records ws i a k I A)) _).
      apply (V (law_of ws)); [now exists ws|now apply (records ws i a k)|now apply (records ws i b k)].
    - intros V theta (ws & I & ->) i a b P P'.
      destruct (existsb (fun k => both_possible ws i a b k) (knowledge ws)) eqn:t.
      + assert (t' := t). apply existsb_exists in t as [k [_ t]].
        assert (l : (i < size m)%nat).
        { destruct (Nat.lt_ge_cases i (size m)) as [l|g]; [exact l|]. exfalso. apply (Qlt_not_le _ _ P).
          rewrite Pr_mean, mean_zero; [lra|]. intros w p J. unfold chi. destruct (holds_record i a w) eqn:h; [|reflexivity].
          unfold holds_record in h. apply eqb_eq in h. symmetry in h. apply record_some in h.
          assert (F : family_of m (law_of ws)) by (now exists ws). rewrite (proj2 (family_sized _ F) w p J) in h. lia. }
        assert (t2 := t). apply (both_iff ws i a b k I l) in t2 as [A A'].
        destruct (table_possible ws i a k I A) as (J & _ & _ & da & _). destruct (table_possible ws i b k I A') as (_ & _ & _ & db & _).
        apply (proj2 (key ws i a b I l P)). destruct (Nat.eq_dec a b) as [<-|ne].
        * intros S. assert (u : Pr (pairs Default m ws (Record_ i) a a true) S == Pr (pairs Default m ws (Record_ i) a a false) S).
          { rewrite !(table_pairs ws i a a _ S I l). reflexivity. }
          rewrite u. assert (0 <= Pr (pairs Default m ws (Record_ i) a a false) S); [|nra].
          rewrite (table_pairs ws i a a _ S I l). apply sum_nonneg. intros k' _. destruct (both_possible ws i a a k') eqn:t3; [|lra].
          apply (both_iff ws i a a k' I l) in t3 as [A3 _]. apply Qmult_le_0_compat; [now apply pos_part|]. apply Pr_nonnegative. now apply nonneg.
        * apply (V ws I (Record_ i) J a da b db).
          -- unfold asked. apply Nat.eqb_neq in ne. now rewrite ne.
          -- exact t'.
      + destruct (Nat.lt_ge_cases i (size m)) as [l|g].
        * rewrite (table_ppk ws i a b E I l). rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero by reflexivity; exact d0|].
          intros k K. destruct (both_possible ws i a b k) eqn:t2; [|reflexivity]. exfalso.
          assert (x : existsb (fun k => both_possible ws i a b k) (knowledge ws) = true) by (apply existsb_exists; now exists k). congruence.
        * exfalso. apply (Qlt_not_le _ _ P). rewrite Pr_mean, mean_zero; [lra|]. intros w p J. unfold chi.
          destruct (holds_record i a w) eqn:h; [|reflexivity]. unfold holds_record in h. apply eqb_eq in h. symmetry in h. apply record_some in h.
          assert (F : family_of m (law_of ws)) by (now exists ws). rewrite (proj2 (family_sized _ F) w p J) in h. lia.
  Qed.
End Table.
