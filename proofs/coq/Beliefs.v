(** What an attacker believes after an output against what she believed before, and simulators (DP22, sections 7 and 8).

    By Bayes, P[A | t]/P[A] = P(t | A)/P(t): a bound on beliefs is one on laws of outputs, output by output. All at
    delta = 0, as DP22 prints these definitions; [zkpr] has delta too. E is e^epsilon, a rational. *)

From PK Require Export Notions.
From PK Require Import PartialKnowledge Laws Notions.
Import ListNotations.
Open Scope Q_scope.

Section Beliefs.
  Context {T B O : Type} `{Label T} `{Label B} `{Label O}.
  Implicit Types (theta : distribution T B) (k : B) (t : O) (A : world T B -> bool).
  Notation at_ := (at_ same).

  Section OfMechanism.
    Context (n : nat) (Theta : family T B) (M : mechanism T O).
    Context (sized : of_size n Theta) (total_M : total_on n M).

    (** The event A of worlds after output t, and before, both given k. *)
    Definition believed theta k A : Q := Pr (given theta (knows k)) A.
    Definition believes theta k t A : Q := Pr (given (seen theta (plain M)) (saw k t)) (fun x => A (fst x)).
    (** t can be the output where k is known. *)
    Definition answers theta k t : Prop := can_answer theta (plain M) k t.

    (** Aposteriori noiseless privacy (DP22, Definition 36): for all theta, k and possible outputs t, the belief about the
        value of each record. (One value of a record is enough, since delta = 0: see [within_at].) *)
    Definition anpr (E : Q) : Prop := forall theta, Theta theta -> forall k t, answers theta k t -> forall i a,
      believes theta k t (holds_record i a) <= E * believed theta k (holds_record i a) /\
      believed theta k (holds_record i a) <= E * believes theta k t (holds_record i a).
    (** Information privacy (DP22, Definition 39): the belief about the whole database. *)
    Definition is_database (D : list T) (w : world T B) : bool := eqb D (fst w).
    Definition infpr (E : Q) : Prop := forall theta, Theta theta -> forall k t, answers theta k t -> forall D,
      believes theta k t (is_database D) <= E * believed theta k (is_database D) /\
      believed theta k (is_database D) <= E * believes theta k t (is_database D).

    (** P[k, A, t] and P[k, A]. *)
    Definition weight theta k t A : Q := mean theta (fun w => if knows k w && A w then at_ (M (fst w)) t else 0).
    Definition mass theta k A : Q := Pr theta (fun w => knows k w && A w).
    Definition every (w : world T B) : bool := true.

    Lemma at_eqb mu t : at_ mu t == Pr mu (eqb t).
    Proof. apply Pr_ext. intros x. reflexivity. Qed.
    Lemma Pr_seen theta k t A :
      Pr (seen theta (plain M)) (fun x => saw k t x && A (fst x)) == weight theta k t A.
    Proof.
      unfold seen, weight. rewrite Pr_bind. apply mean_ext. intros w. rewrite Pr_image. unfold saw, plain. cbn [fst snd].
      destruct (knows k w); cbn [andb].
      - destruct (A w).
        + rewrite at_eqb. apply Pr_ext. intros o. apply andb_true_r.
        + rewrite Pr_mean. apply mean_zero. intros o p _. unfold chi. now rewrite andb_false_r.
      - rewrite Pr_mean. apply mean_zero. intros o p _. reflexivity.
    Qed.
    Lemma answers_weight theta k t : answers theta k t <-> 0 < weight theta k t every.
    Proof.
      unfold answers, can_answer. rewrite <- (Pr_seen theta k t every).
      rewrite (Pr_ext _ (saw k t) (fun x => saw k t x && every (fst x))); [reflexivity|].
      intros x. symmetry. apply andb_true_r.
    Qed.
    Lemma believes_weight theta k t A : believes theta k t A == weight theta k t A / weight theta k t every.
    Proof.
      unfold believes. rewrite Pr_given, Pr_seen. rewrite <- (Pr_seen theta k t every).
      rewrite (Pr_ext _ (saw k t) (fun x => saw k t x && every (fst x))); [reflexivity|].
      intros x. symmetry. apply andb_true_r.
    Qed.
    Lemma believed_mass theta k A : believed theta k A == mass theta k A / mass theta k every.
    Proof.
      unfold believed, mass. rewrite Pr_given.
      rewrite (Pr_ext _ (knows k) (fun w => knows k w && every w)); [reflexivity|]. intros w. symmetry. apply andb_true_r.
    Qed.

    Section OfOne.
      Context (theta : distribution T B) (I : Theta theta).
      Let N : nonnegative theta := proj1 (proj1 (sized theta I)).

      Lemma output_nonnegative w p t : In (w, p) theta -> 0 <= at_ (M (fst w)) t.
      Proof. intros J. apply Pr_nonnegative. apply total_M. now apply (sized theta I) with p. Qed.
      Lemma weight_nonnegative k t A : 0 <= weight theta k t A.
      Proof.
        apply mean_nonnegative; [exact N|]. intros w p J.
        destruct (knows k w && A w); [now apply output_nonnegative with p|lra].
      Qed.
      Lemma mass_nonnegative k A : 0 <= mass theta k A.
      Proof. now apply Pr_nonnegative. Qed.
      Lemma weight_of_more k t A A' : (forall w, A w = true -> A' w = true) -> weight theta k t A <= weight theta k t A'.
      Proof.
        intros h. apply mean_le; [exact N|]. intros w p J. assert (q := output_nonnegative w p t J).
        specialize (h w). destruct (knows k w), (A w); cbn [andb]; [rewrite h by reflexivity; lra|destruct (A' w); lra|lra|lra].
      Qed.
      Lemma mass_of_more k A A' : (forall w, A w = true -> A' w = true) -> mass theta k A <= mass theta k A'.
      Proof.
        intros h. apply Pr_le; [exact N|]. intros w e. apply andb_prop in e as [-> e]. now rewrite (h w e).
      Qed.
      (** The law of the output given k and A has these weights over that mass. *)
      Lemma output_weight k A t : at_ (output theta (fun w => knows k w && A w) M) t == weight theta k t A / mass theta k A.
      Proof. unfold at_. rewrite Pr_output. reflexivity. Qed.
      (** An output has a part of its weight in an event only if it has weight, and an event without mass has none. *)
      Lemma weight_null k t A : mass theta k A == 0 -> weight theta k t A == 0.
      Proof. intros z. now apply mean_null. Qed.
    End OfOne.

    (** Beliefs about A within E, in both directions, for all outputs: the law of the output given A is within E of
        that given k alone, and conversely. *)
    Definition believable (E : Q) theta k A : Prop := forall t, answers theta k t ->
      believes theta k t A <= E * believed theta k A /\ believed theta k A <= E * believes theta k t A.
    Lemma bayes E theta k A : Theta theta -> 0 < mass theta k A -> believable E theta k A <->
      forall t, weight theta k t A * mass theta k every <= E * (mass theta k A * weight theta k t every) /\
                mass theta k A * weight theta k t every <= E * (weight theta k t A * mass theta k every).
    Proof.
      intros I P. assert (P' : 0 < mass theta k every).
      { assert (l := mass_of_more theta I k A every (fun _ _ => eq_refl)). lra. }
      assert (two : forall t, 0 < weight theta k t every ->
        (believes theta k t A <= E * believed theta k A <->
          weight theta k t A * mass theta k every <= E * (mass theta k A * weight theta k t every)) /\
        (believed theta k A <= E * believes theta k t A <->
          mass theta k A * weight theta k t every <= E * (weight theta k t A * mass theta k every))).
      { intros t w. rewrite believes_weight, believed_mass.
        set (a := weight theta k t A). set (v := weight theta k t every) in *. set (c := mass theta k A) in *.
        set (m := mass theta k every) in *.
        assert (e1 : a / v == a * m * / (v * m)) by (field; lra). assert (e2 : c / m == c * v * / (v * m)) by (field; lra).
        assert (i : 0 < / (v * m)) by (apply Qinv_lt_0_compat; nra). rewrite e1, e2.
        split; split; intros h.
        - apply (Qmult_le_r _ _ (/ (v * m))); [exact i|]. lra.
        - assert (a * m * / (v * m) <= E * (c * v) * / (v * m)) by (apply Qmult_le_compat_r; lra). lra.
        - apply (Qmult_le_r _ _ (/ (v * m))); [exact i|]. lra.
        - assert (c * v * / (v * m) <= E * (a * m) * / (v * m)) by (apply Qmult_le_compat_r; lra). lra. }
      split.
      - intros h t. destruct (Qlt_le_dec 0 (weight theta k t every)) as [w|w].
        + destruct (two t w) as [f g]. destruct (h t) as [x y]; [now apply answers_weight|]. now split; [apply f|apply g].
        + assert (z := weight_nonnegative theta I k t every). assert (e : weight theta k t every == 0) by lra.
          assert (l := weight_of_more theta I k t A every (fun _ _ => eq_refl)).
          assert (z' := weight_nonnegative theta I k t A). assert (e' : weight theta k t A == 0) by lra.
          rewrite e, e'. split; ring_simplify; lra.
      - intros h t w. apply answers_weight in w. destruct (two t w) as [f g]. destruct (h t) as [x y].
        now split; [apply f|apply g].
    Qed.

    (** * Two events, each with its beliefs within E *)

    (** Two laws that are within E of one, without a division: a/c and a'/c' against v/m. *)
    Lemma two_of_one E theta k A A' : 0 <= E -> Theta theta -> 0 < mass theta k A -> 0 < mass theta k A' ->
      believable E theta k A -> believable E theta k A' ->
      within (E * E) 0 (output theta (fun w => knows k w && A w) M) (output theta (fun w => knows k w && A' w) M).
    Proof.
      intros e I P P' F F'. apply within_at. intros t. rewrite !(output_weight theta).
      apply (bayes E theta k A I P) with (t := t) in F. apply (bayes E theta k A' I P') with (t := t) in F'.
      destruct F as [F _], F' as [_ F'].
      assert (Pm : 0 < mass theta k every).
      { assert (l := mass_of_more theta I k A every (fun _ _ => eq_refl)). lra. }
      set (a := weight theta k t A) in *. set (a' := weight theta k t A') in *. set (v := weight theta k t every) in *.
      set (c := mass theta k A) in *. set (c' := mass theta k A') in *. set (m := mass theta k every) in *.
      apply div_le; [exact P|]. assert (q : E * E * (a' / c') * c == E * E * a' * c / c') by (field; lra). rewrite q.
      apply le_div; [exact P'|]. apply (Qmult_le_l _ _ m); [exact Pm|].
      assert (x : a * m * c' <= E * (c * v) * c') by (apply Qmult_le_compat_r; lra).
      assert (y : c * (c' * v) <= c * (E * (a' * m))) by (rewrite !(Qmult_comm c); apply Qmult_le_compat_r; lra).
      assert (z : E * (c * (c' * v)) <= E * (c * (E * (a' * m)))) by (rewrite !(Qmult_comm E _); apply Qmult_le_compat_r; lra).
      lra.
    Qed.

    (** DP22, ANPr and NPr: aposteriori noiseless privacy at epsilon gives noiseless privacy at 2 epsilon. *)
    Theorem anpr_gives_np E : 0 <= E -> anpr E -> np Theta (E * E) 0 M.
    Proof.
      intros e F theta I k i a b P P'.
      assert (G : forall a, believable E theta k (holds_record i a)) by (intros c t w; exact (F theta I k t w i c)).
      split; apply (two_of_one E theta k (holds_record i _) (holds_record i _)); auto.
    Qed.

    (** The parts of an event by the value of g. *)
    Definition part {C} `{Label C} (g : world T B -> C) A (c : C) (w : world T B) : bool := A w && eqb c (g w).
    Lemma weight_parts {C} `{Label C} (g : world T B -> C) theta k t A :
      weight theta k t A == sum (map (fun c => weight theta k t (part g A c)) (range g theta)).
    Proof.
      unfold weight. rewrite (mean_by g theta _ (range g theta) (range_nodup g theta) (range_in g theta)).
      apply sum_ext. intros c _. apply mean_ext. intros w. unfold part.
      destruct (knows k w), (A w), (eqb c (g w)); reflexivity.
    Qed.
    Lemma mass_parts {C} `{Label C} (g : world T B -> C) theta k A :
      mass theta k A == sum (map (fun c => mass theta k (part g A c)) (range g theta)).
    Proof.
      unfold mass. rewrite Pr_mean, (mean_by g theta _ (range g theta) (range_nodup g theta) (range_in g theta)).
      apply sum_ext. intros c _. rewrite Pr_mean. apply mean_ext. intros w. unfold chi, part.
      destruct (knows k w), (A w), (eqb c (g w)); reflexivity.
    Qed.
    (** What holds of each part of two events, weight against mass, holds of the events. *)
    Lemma mixed {C C'} `{Label C} `{Label C'} (g : world T B -> C) (g' : world T B -> C') E theta k t A A' :
      (forall c c', weight theta k t (part g A c) * mass theta k (part g' A' c') <=
        E * (mass theta k (part g A c) * weight theta k t (part g' A' c'))) ->
      weight theta k t A * mass theta k A' <= E * (mass theta k A * weight theta k t A').
    Proof.
      intros h. rewrite (weight_parts g theta k t A), (mass_parts g theta k A), (weight_parts g' theta k t A'), (mass_parts g' theta k A').
      set (X := range g theta). set (X' := range g' theta). clearbody X X'.
      assert (each : forall c, weight theta k t (part g A c) * sum (map (fun c' => mass theta k (part g' A' c')) X') <=
        E * (mass theta k (part g A c) * sum (map (fun c' => weight theta k t (part g' A' c')) X'))).
      { intros c. rewrite <- !sum_scale. apply sum_le. intros c' _. apply h. }
      clear h. induction X as [|c X IH]; cbn [map].
      - change (0 * sum (map (fun c' => mass theta k (part g' A' c')) X') <=
          E * (0 * sum (map (fun c' => weight theta k t (part g' A' c')) X'))). lra.
      - rewrite !sum_cons. specialize (each c). lra.
    Qed.

    (** Two values of one record within E give each value within E of all together: noiseless privacy at epsilon gives
        aposteriori noiseless privacy at the same epsilon. *)
    Theorem np_gives_anpr E : 1 <= E -> np Theta E 0 M -> anpr E.
    Proof.
      intros e F theta I k t w i a. revert t w.
      change (believable E theta k (holds_record i a)).
      destruct (Qlt_le_dec 0 (mass theta k (holds_record i a))) as [P|P].
      2: { assert (z : mass theta k (holds_record i a) == 0).
           { assert (l := mass_nonnegative theta I k (holds_record i a)). lra. }
           assert (z' : forall t, weight theta k t (holds_record i a) == 0).
           { intros t. now apply weight_null. }
           intros t _. rewrite believes_weight, believed_mass, z, z'. unfold Qdiv. split; ring_simplify; lra. }
      apply bayes; [exact I|exact P|]. intros t.
      (* the parts of all worlds, by the value of record i; the parts of one value are one *)
      assert (line : forall c c' : option T,
        (c = Some a \/ c' = Some a) ->
        weight theta k t (part (fun w => record i (fst w)) every c) * mass theta k (part (fun w => record i (fst w)) every c') <=
        E * (mass theta k (part (fun w => record i (fst w)) every c) * weight theta k t (part (fun w => record i (fst w)) every c'))).
      { intros c c' one.
        assert (null : forall c, mass theta k (part (fun w => record i (fst w)) every c) == 0 \/
          0 < mass theta k (part (fun w => record i (fst w)) every c)).
        { intros c0. assert (l := mass_nonnegative theta I k (part (fun w => record i (fst w)) every c0)).
          destruct (Qlt_le_dec 0 (mass theta k (part (fun w => record i (fst w)) every c0))); [now right|left; lra]. }
        assert (value : forall c, 0 < mass theta k (part (fun w => record i (fst w)) every c) -> exists v, c = Some v).
        { intros [v|] Q; [now exists v|exfalso].
          assert (J : (i < n)%nat).
          { assert (R : exists u p, In (u, p) theta /\ holds_record i a u = true).
            { revert P. unfold mass. clear - theta. induction theta as [|[u p] th IH]; intros P.
              - exfalso. unfold Pr in P. cbn in P. lra.
              - rewrite Pr_cons in P. destruct (holds_record i a u) eqn:r.
                + exists u, p. split; [now left|exact r].
                + rewrite andb_false_r in P. destruct IH as (u' & p' & J & r'); [lra|]. exists u', p'. split; [now right|exact r']. }
            destruct R as (u & p & J & r). apply eqb_eq in r. rewrite <- (proj2 (sized theta I) u p J).
            apply record_some with a. now symmetry. }
          assert (none : mass theta k (part (fun w => record i (fst w)) every None) == 0).
          { unfold mass. rewrite Pr_mean. apply mean_zero. intros u p K. unfold chi, part.
            destruct (record i (fst u)) as [v|] eqn:r; [now rewrite andb_false_r|].
            apply nth_error_None in r. rewrite (proj2 (sized theta I) u p K) in r. lia. }
          lra. }
        destruct (null c) as [z|Pc].
        { rewrite (weight_null theta I k t _ z), z. lra. }
        destruct (null c') as [z|Pc'].
        { rewrite (weight_null theta I k t _ z), z. lra. }
        destruct (value c Pc) as [v ->], (value c' Pc') as [v' ->].
        destruct (F theta I k i v v' Pc Pc') as [W _]. apply within_at with (x := t) in W.
        assert (q : forall u, at_ (output theta (having i u k) M) t ==
          weight theta k t (holds_record i u) / mass theta k (holds_record i u)).
        { intros u. exact (output_weight theta k (holds_record i u) t). }
        rewrite (q v), (q v') in W. clear q.
        change (part (fun w => record i (fst w)) every (Some v)) with (holds_record (T := T) (B := B) i v) in *.
        change (part (fun w => record i (fst w)) every (Some v')) with (holds_record (T := T) (B := B) i v') in *.
        set (x := weight theta k t (holds_record i v)) in *. set (x' := weight theta k t (holds_record i v')) in *.
        set (y := mass theta k (holds_record i v)) in *. set (y' := mass theta k (holds_record i v')) in *.
        assert (W' : x / y * (y * y') <= E * (x' / y') * (y * y')) by (apply Qmult_le_compat_r; [exact W|nra]).
        assert (e1 : x / y * (y * y') == x * y') by (field; lra).
        assert (e2 : E * (x' / y') * (y * y') == E * (y * x')) by (field; lra).
        rewrite e1, e2 in W'. exact W'. }
      assert (whole : forall w, part (fun w => record i (fst w)) every (Some a) w = holds_record i a w) by reflexivity.
      split.
      - apply (mixed (fun _ => tt) (fun w => record i (fst w))). intros [] c'. specialize (line (Some a) c' (or_introl eq_refl)).
        unfold weight, mass, part in *. cbn [eqb same] in *.
        rewrite (Pr_ext theta (fun w => knows k w && (holds_record i a w && eqb tt tt)) (fun w => knows k w && (every w && eqb (Some a) (record i (fst w)))))
          by (intros u; unfold holds_record; rewrite (eqb_same tt), andb_true_r; reflexivity).
        rewrite (mean_ext theta (fun w => if knows k w && (holds_record i a w && eqb tt tt) then at_ (M (fst w)) t else 0)
          (fun w => if knows k w && (every w && eqb (Some a) (record i (fst w))) then at_ (M (fst w)) t else 0))
          by (intros u; unfold holds_record; rewrite (eqb_same tt), andb_true_r; reflexivity).
        exact line.
      - rewrite (Qmult_comm (mass theta k (holds_record i a))), (Qmult_comm (weight theta k t (holds_record i a))).
        apply (mixed (fun w => record i (fst w)) (fun _ => tt)). intros c []. specialize (line c (Some a) (or_intror eq_refl)).
        unfold weight, mass, part in *. cbn [eqb same] in *.
        rewrite (Pr_ext theta (fun w => knows k w && (holds_record i a w && eqb tt tt)) (fun w => knows k w && (every w && eqb (Some a) (record i (fst w)))))
          by (intros u; unfold holds_record; rewrite (eqb_same tt), andb_true_r; reflexivity).
        rewrite (mean_ext theta (fun w => if knows k w && (holds_record i a w && eqb tt tt) then at_ (M (fst w)) t else 0)
          (fun w => if knows k w && (every w && eqb (Some a) (record i (fst w))) then at_ (M (fst w)) t else 0))
          by (intros u; unfold holds_record; rewrite (eqb_same tt), andb_true_r; reflexivity).
        exact line.
    Qed.

    (** * Beliefs about the whole database *)

    Lemma output_of_database theta k D : 0 < mass theta k (is_database D) ->
      alike (output theta (fun w => knows k w && is_database D w) M) (M D).
    Proof.
      intros P. apply alike_at. intros t. rewrite (output_weight theta).
      assert (e : weight theta k t (is_database D) == at_ (M D) t * mass theta k (is_database D)).
      { unfold weight, mass. rewrite Pr_mean, <- mean_scale. apply mean_ext. intros w. unfold chi.
        destruct (knows k w && is_database D w) eqn:b; [|ring].
        apply andb_prop in b as [_ b]. apply eqb_eq in b. subst D. ring. }
      rewrite e. field. lra.
    Qed.

    (** DP22, InfPr: information privacy at epsilon keeps any two databases that are possible together within 2 epsilon,
        whether they are neighbours or not. *)
    Theorem infpr_gives_dp E : 0 <= E -> infpr E -> forall theta, Theta theta -> forall k D D',
      0 < mass theta k (is_database D) -> 0 < mass theta k (is_database D') -> within (E * E) 0 (M D) (M D').
    Proof.
      intros e F theta I k D D' P P'.
      assert (G : forall D, believable E theta k (is_database D)) by (intros D0 t w; exact (F theta I k t w D0)).
      apply (within_alike (E * E) 0 _ (M D) _ (M D') (output_of_database theta k D P) (output_of_database theta k D' P')).
      now apply two_of_one.
    Qed.

    (** Beliefs about each database within E give beliefs about each record within E. *)
    Theorem infpr_gives_anpr E : 0 <= E -> infpr E -> anpr E.
    Proof.
      intros e F theta I k t w i a. revert t w. change (believable E theta k (holds_record i a)).
      destruct (Qlt_le_dec 0 (mass theta k (holds_record i a))) as [P|P].
      2: { assert (z : mass theta k (holds_record i a) == 0).
           { assert (l := mass_nonnegative theta I k (holds_record i a)). lra. }
           assert (z' : forall t, weight theta k t (holds_record i a) == 0).
           { intros t. now apply weight_null. }
           intros t _. rewrite believes_weight, believed_mass, z, z'. unfold Qdiv. split; ring_simplify; lra. }
      apply bayes; [exact I|exact P|]. intros t.
      assert (line : forall D, let A := part fst (holds_record i a) D in
        weight theta k t A * mass theta k every <= E * (mass theta k A * weight theta k t every) /\
        mass theta k A * weight theta k t every <= E * (weight theta k t A * mass theta k every)).
      { intros D A. subst A. assert (l := mass_nonnegative theta I k (part fst (holds_record i a) D)).
        destruct (Qlt_le_dec 0 (mass theta k (part fst (holds_record i a) D))) as [Q|Q].
        2: { assert (z : mass theta k (part fst (holds_record i a) D) == 0) by lra.
             rewrite (weight_null theta I k t _ z), z. split; ring_simplify; lra. }
        assert (s : forall u, part fst (holds_record i a) D u = is_database D u).
        { assert (r : record i D = Some a).
          { destruct (eqb (Some a) (record i D)) eqn:b; [apply eqb_eq in b; now symmetry|exfalso].
            assert (z : mass theta k (part fst (holds_record i a) D) == 0).
            { unfold mass. rewrite Pr_mean. apply mean_zero. intros u p _. unfold chi, part, holds_record.
              destruct (eqb D (fst u)) eqn:c; [|now rewrite !andb_false_r].
              apply eqb_eq in c. rewrite <- c, b. now rewrite andb_false_r. }
            lra. }
          intros u. unfold part, is_database, holds_record. destruct (eqb D (fst u)) eqn:c; [|apply andb_false_r].
          apply eqb_eq in c. rewrite <- c, r, eqb_same. reflexivity. }
        assert (m : mass theta k (part fst (holds_record i a) D) == mass theta k (is_database D)).
        { unfold mass. apply Pr_ext. intros u. now rewrite s. }
        assert (v : weight theta k t (part fst (holds_record i a) D) == weight theta k t (is_database D)).
        { unfold weight. apply mean_ext. intros u. now rewrite s. }
        rewrite m in Q |- *. rewrite v. clear s m v l.
        assert (G : believable E theta k (is_database D)) by (intros t0 w0; exact (F theta I k t0 w0 D)).
        exact (proj1 (bayes E theta k (is_database D) I Q) G t). }
      split.
      - apply (mixed (fun w => fst w) (fun _ => tt)). intros D []. exact (proj1 (line D)).
      - rewrite (Qmult_comm (mass theta k (holds_record i a))), (Qmult_comm (weight theta k t (holds_record i a))).
        apply (mixed (fun _ => tt) (fun w => fst w)). intros [] D. destruct (line D) as [_ y].
        assert (y' : weight theta k t every * mass theta k (part fst (holds_record i a) D) <=
          E * (mass theta k every * weight theta k t (part fst (holds_record i a) D))) by lra.
        exact y'.
    Qed.
  End OfMechanism.

  (** * A simulator that is not told a record *)

  (** Zero-knowledge privacy (DP22, Definition 41), as printed, with delta: some agg of Agg and some simulator of it
      answer, for all databases of n records and each i, like M, though they are given the other records alone. *)
  Definition zkpr {C : Type} (n : nat) (Agg : (list T -> C) -> Prop) (E d : Q) (M : mechanism T O) : Prop :=
    exists agg (Sim : C -> measure O), Agg agg /\
    forall D, length D = n -> forall i, (i < n)%nat -> indistinguishable E d (M D) (Sim (agg (others i D))).

  (** DP22, after Definition 41, corrected: it gives bounded DP at 2 epsilon, and nothing about databases of another
      size. The print says DP, which also adds and removes a record. *)
  Theorem zkpr_gives_bounded {C : Type} n (Agg : (list T -> C) -> Prop) E d (M : mechanism T O) : 0 <= E ->
    zkpr n Agg E d M -> dp n (E * E) (d + E * d) M.
  Proof.
    intros e (agg & Sim & _ & F) D D' [l (i & b & k & ->)].
    destruct (F D l i k) as [W W']. assert (l' : length (put i b D) = n) by now rewrite put_length.
    destruct (F _ l' i k) as [V V']. rewrite others_put in V, V'. split; eapply within_trans; eassumption.
  Qed.
End Beliefs.
