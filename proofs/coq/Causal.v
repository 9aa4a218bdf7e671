(** Noiseless and causal privacy: what DP gives, and where NP and CDP are one (DMKB20, Propositions 2 and 4).

    Acceptability plays no part here: what the proofs use is that, given the knowledge, D(i) is independent of the other
    records. Proposition 2 asks for mutual independence of all records, of which that follows. *)

From PK Require Import PartialKnowledge Laws Notions PostProcessing.
Import ListNotations.
Open Scope Q_scope.

Section Causal.
  Context {T B O : Type} `{Label T} `{Label B} (n : nat) (Theta : family T B) (M : mechanism T O).
  Context (sized : of_size n Theta).

  Lemma law_of_given theta i a k : Theta theta -> possible theta i a k -> law (given theta (having i a k)).
  Proof. intros I P. now apply law_given, P; apply (sized theta I). Qed.

  (** DP22, Table 3 (causal DP is a weaker extension of DP), with delta: (epsilon, delta)-DP gives (epsilon, delta)-CDP for
      every Theta and every knowledge; also where b is any value of T. DMKB20 does not print it: its section 2.2 has only
      that CDP captures DP's intuition. *)
  Theorem dp_gives_cdp_all E d : dp n E d M -> cdp_all Theta E d M.
  Proof.
    intros V theta I k i a b P. assert (L := law_of_given theta i a k I P).
    assert (step : forall w p, In (w, p) (given theta (having i a k)) ->
      indistinguishable E d (M (fst w)) (M (put i b (fst w)))).
    { intros w p J. apply given_in in J as [h [q J]]. apply V. assert (l := proj2 (sized theta I) w q J).
      split; [exact l|]. exists i, b. split; [|reflexivity]. rewrite <- l. apply (record_some i a).
      now apply having_record with (k := k). }
    split; apply within_average; try exact L; intros w p J; apply (step w p J).
  Qed.
  Theorem dp_gives_cdp E d : dp n E d M -> cdp Theta E d M.
  Proof. intros V theta I k i a b P _. now apply dp_gives_cdp_all. Qed.

  (** DMKB20, section 2.2, after Definition 5, CDP gives DDP (in the reading of CDP in which b is any value of T): the simulator puts a
      fixed value in the place of the missing record. *)
  Theorem cdp_all_gives_ddp E d (b : T) : total_on n M -> cdp_all Theta E d M -> ddp Theta E d M.
  Proof.
    intros L V. exists (fun i r => if (length (insert i b r) =? n)%nat then M (insert i b r) else M (repeat b n)). split.
    - intros i r. destruct (Nat.eqb_spec (length (insert i b r)) n) as [e|_]; apply L; [exact e|apply repeat_length].
    - intros theta I k i a P. eapply indistinguishable_alike; [intros S; reflexivity| |exact (V theta I k i a b P)].
      apply bind_alike. intros w p J S. apply given_in in J as [h [q J]]. apply having_record in h.
      rewrite <- (put_others i a b (fst w) h), put_length, (proj2 (sized theta I) w q J), Nat.eqb_refl. reflexivity.
  Qed.

  (** D(i) and the other records are independent given k: for each value and each list of others. *)
  Definition independent (theta : distribution T B) (i : nat) (k : B) : Prop :=
    forall a r, Pr theta (fun w => having i a k w && eqb r (others i (fst w))) * Pr theta (knows k) ==
    Pr theta (having i a k) * Pr theta (fun w => knows k w && eqb r (others i (fst w))).

  (** Then what depends on the others has the same mean, whatever D(i) is. *)
  Lemma independent_mean theta i k a (F : list T -> Q) : independent theta i k ->
    mean theta (fun w => if having i a k w then F (others i (fst w)) else 0) * Pr theta (knows k) ==
    Pr theta (having i a k) * mean theta (fun w => if knows k w then F (others i (fst w)) else 0).
  Proof.
    intros X. set (g := fun w : world T B => others i (fst w)).
    assert (by_r : forall C : world T B -> bool, mean theta (fun w => if C w then F (g w) else 0) ==
      sum (map (fun r => F r * Pr theta (fun w => C w && eqb r (g w))) (range g theta))).
    { intros C. rewrite (mean_by g theta _ (range g theta) (range_nodup g theta) (range_in g theta)).
      apply sum_ext. intros r _. rewrite Pr_mean, <- mean_scale. apply mean_ext. intros w. unfold chi.
      destruct (eqb r (g w)) eqn:e; [apply eqb_eq in e; rewrite <- e|]; destruct (C w); cbn [andb]; ring. }
    unfold g in by_r. rewrite !by_r. rewrite (Qmult_comm (sum _)), <- !sum_scale. apply sum_ext. intros r _.
    rewrite (Qmult_comm (Pr theta (knows k))), <- Qmult_assoc, (X a r). ring.
  Qed.

  (** The proof of Proposition 2, "the other records": given k they have one law, whether D(i) is a or b. *)
  Theorem independent_given theta i k a b (F : list T -> Q) : Theta theta -> independent theta i k ->
    possible theta i a k -> possible theta i b k ->
    mean (given theta (having i a k)) (fun w => F (others i (fst w))) ==
    mean (given theta (having i b k)) (fun w => F (others i (fst w))).
  Proof.
    intros I X P P'. destruct (sized theta I) as [[N _] _]. rewrite !mean_given. unfold possible in *.
    assert (K := possible_knows n Theta sized theta i a k I P).
    assert (u := independent_mean theta i k a F X). assert (v := independent_mean theta i k b F X).
    set (m := mean theta (fun w => if knows k w then _ else 0)) in *.
    assert (u' : mean theta (fun w => if having i a k w then F (others i (fst w)) else 0) == Pr theta (having i a k) * m / Pr theta (knows k)).
    { rewrite <- u. field. lra. }
    assert (v' : mean theta (fun w => if having i b k w then F (others i (fst w)) else 0) == Pr theta (having i b k) * m / Pr theta (knows k)).
    { rewrite <- v. field. lra. }
    rewrite u', v'. field. repeat split; lra.
  Qed.

  (** The proof of Proposition 2: M(D) given k and D(i) = b has the law of M(D with i set to b) given k and D(i) = a. *)
  Theorem same_laws theta i k a b : Theta theta -> independent theta i k -> possible theta i a k -> possible theta i b k ->
    alike (output theta (having i b k) M) (causing theta (having i a k) i b M).
  Proof.
    intros I X P P' S. unfold output, causing. rewrite !Pr_bind.
    set (F := fun r => Pr (M (insert i b r)) S).
    rewrite (mean_in (given theta (having i b k)) (fun w => Pr (M (fst w)) S) (fun w => F (others i (fst w)))).
    2:{ intros w p J. apply given_in in J as [h _]. apply having_record in h. unfold F. now rewrite insert_others. }
    rewrite (mean_in (given theta (having i a k)) (fun w => Pr (M (put i b (fst w))) S) (fun w => F (others i (fst w)))).
    2:{ intros w p J. apply given_in in J as [h _]. apply having_record in h. unfold F. now rewrite (put_others i a). }
    now apply independent_given.
  Qed.

  (** DMKB20, Proposition 4, corrected, at one record i: where D(i) and the other records are independent given each
      B that occurs, (epsilon, delta)-NP at i and (epsilon, delta)-CDP at i are one, for every epsilon and delta. *)
  Theorem proposition_4_at E d i :
    (forall theta, Theta theta -> forall k, 0 < Pr theta (knows k) -> independent theta i k) ->
    (forall theta, Theta theta -> forall k a b, possible theta i a k -> possible theta i b k ->
       indistinguishable E d (output theta (having i a k) M) (output theta (having i b k) M)) <->
    (forall theta, Theta theta -> forall k a b, possible theta i a k -> possible theta i b k ->
       indistinguishable E d (output theta (having i a k) M) (causing theta (having i a k) i b M)).
  Proof.
    intros X. assert (eq : forall theta, Theta theta -> forall k a b, possible theta i a k -> possible theta i b k ->
      alike (output theta (having i b k) M) (causing theta (having i a k) i b M)).
    { intros theta I k a b P P'. apply same_laws; try assumption. apply X; [exact I|]. exact (possible_knows n Theta sized theta i a k I P). }
    split; intros V theta I k a b P P'.
    - eapply indistinguishable_alike; [intros S; reflexivity| |exact (V theta I k a b P P')]. now apply eq.
    - eapply indistinguishable_alike; [intros S; reflexivity| |exact (V theta I k a b P P')]. now apply alike_sym, eq.
  Qed.

  (** DMKB20, Proposition 4, corrected: independence as above for each record in the place of acceptability. *)
  Theorem proposition_4 E d :
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> independent theta i k) ->
    np Theta E d M <-> cdp Theta E d M.
  Proof.
    intros X. split; intros V theta I k i; apply (proposition_4_at E d i); try exact I;
      try (intros theta' I' k'; now apply X); intros theta' I' k' a b; now apply V.
  Qed.

  (** DMKB20, section 2.2 and Figure 1, corrected: where D(i) and the other records are independent given each B that
      occurs, DDP with (epsilon, delta) gives NP with (2*epsilon, delta + e^epsilon*delta): the simulator has one law for
      all values of D(i). *)
  Theorem ddp_gives_np E d : 0 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> independent theta i k) ->
    ddp Theta E d M -> np Theta (E * E) (d + E * d) M.
  Proof.
    intros e X (Sim & _ & V) theta I k i.
    assert (line : forall a b, possible theta i a k -> possible theta i b k ->
      within (E * E) (d + E * d) (output theta (having i a k) M) (output theta (having i b k) M)).
    2:{ intros a b P P'. split; now apply line. }
    intros a b P P'. destruct (V theta I k i a P) as [F _]. destruct (V theta I k i b P') as [_ G].
    apply (within_trans E E d d _ (simulated theta (having i a k) i Sim)); [exact e|exact F|].
    eapply within_alike; [| |exact G]; [|intros S; reflexivity]. intros S. unfold simulated. rewrite !Pr_bind.
    apply (independent_given theta i k b a (fun r => Pr (Sim i r) S) I); try assumption.
    apply X; [exact I|exact (possible_knows n Theta sized theta i a k I P)].
  Qed.

  (** * Mutual independence *)

  (** The product of the chances of the entries of a database, from record j on. *)
  Fixpoint chances (nu : distribution T B) (j : nat) (D : list T) : Q :=
    match D with [] => 1 | a :: r => Pr nu (holds_record j a) * chances nu (S j) r end.
  (** D(0), ..., D(n-1) are mutually independent given k: each database has the product of its entries' chances. *)
  Definition mutually_independent (theta : distribution T B) (k : B) : Prop :=
    forall D, length D = n -> Pr (given theta (knows k)) (fun w => eqb D (fst w)) == chances (given theta (knows k)) 0 D.

  Fixpoint remaining (nu : distribution T B) (j i : nat) (r : list T) : Q :=
    match i, r with
    | 0%nat, _ => chances nu (S j) r
    | S i', x :: r' => Pr nu (holds_record j x) * remaining nu (S j) i' r'
    | S _, [] => 1
    end.
  Lemma chances_insert nu a i : forall j r, (i <= length r)%nat ->
    chances nu j (insert i a r) == Pr nu (holds_record (j + i) a) * remaining nu j i r.
  Proof.
    induction i as [|i IH]; intros j r l.
    - cbn. now rewrite Nat.add_0_r.
    - destruct r as [|x r]; [cbn in l; lia|]. cbn [insert chances remaining]. rewrite IH by (cbn in l; lia).
      replace (S j + i)%nat with (j + S i)%nat by lia. ring.
  Qed.
  Lemma others_length i (D : list T) : (i < length D)%nat -> S (length (others i D)) = length D.
  Proof. revert i. induction D as [|x D IH]; intros [|i] l; cbn in *; try lia. rewrite IH; lia. Qed.
  Lemma insert_length i a (r : list T) : length (insert i a r) = S (length r).
  Proof. revert r. induction i as [|i IH]; intros [|x r]; cbn; auto. Qed.
  Lemma record_insert i a (r : list T) : (i <= length r)%nat -> record i (insert i a r) = Some a.
  Proof. revert r. induction i as [|i IH]; intros [|x r] l; cbn in *; try lia; auto. apply IH. lia. Qed.
  Lemma others_insert i a (r : list T) : (i <= length r)%nat -> others i (insert i a r) = r.
  Proof. revert r. induction i as [|i IH]; intros [|x r] l; cbn in *; try lia; auto. rewrite IH by lia. reflexivity. Qed.

  Lemma mutual_independent theta i k : Theta theta -> 0 < Pr theta (knows k) -> mutually_independent theta k ->
    independent theta i k.
  Proof.
    intros I P X a r. destruct (sized theta I) as [L sz]. set (nu := given theta (knows k)).
    assert (Lnu : law nu) by (apply law_given; [apply L|exact P]).
    assert (sn : forall w p, In (w, p) nu -> length (fst w) = n) by (intros w p J; apply given_in in J as [_ [q J]]; exact (sz w q J)).
    destruct (Nat.lt_ge_cases i n) as [l|g].
    2:{ assert (none : forall C : world T B -> bool, Pr theta (fun w => having i a k w && C w) == 0).
        { intros C. rewrite Pr_mean. apply mean_zero. intros w p J. unfold chi.
          destruct (having i a k w && C w) eqn:h; [|reflexivity]. apply andb_prop in h as [h _].
          apply having_record, record_some in h. rewrite (sz w p J) in h. lia. }
        rewrite none. rewrite (Pr_ext theta (having i a k) (fun w => having i a k w && true)), none; [ring|].
        intros w. now rewrite andb_true_r. }
    (* in the conditional law *)
    assert (joint : Pr nu (fun w => holds_record i a w && eqb r (others i (fst w))) ==
      Pr nu (holds_record i a) * Pr nu (fun w => eqb r (others i (fst w)))).
    { destruct (Nat.eq_dec (S (length r)) n) as [len|len].
      2:{ rewrite !Pr_mean. assert (z : forall w p, In (w, p) nu -> eqb r (others i (fst w)) = false).
          { intros w p J. destruct (eqb r (others i (fst w))) eqn:e; [|reflexivity]. apply eqb_eq in e. exfalso. apply len.
            rewrite e, others_length; rewrite (sn w p J); auto. }
          rewrite (mean_zero nu), (mean_zero nu (chi (fun w => eqb r (others i (fst w))))); [ring| |];
            intros w p J; unfold chi; rewrite (z w p J), ?andb_false_r; reflexivity. }
      assert (each : forall c, Pr nu (fun w => holds_record i c w && eqb r (others i (fst w))) ==
        Pr nu (holds_record i c) * remaining nu 0 i r).
      { intros c. etransitivity; [|exact (chances_insert nu c i 0 r ltac:(lia))].
        etransitivity; [|exact (X (insert i c r) (eq_trans (insert_length i c r) len))].
        fold nu. rewrite !Pr_mean. apply mean_in. intros w p J. unfold chi.
        assert (e : holds_record i c w && eqb r (others i (fst w)) = eqb (insert i c r) (fst w)); [|now rewrite e].
        apply eq_true_iff_eq. rewrite andb_true_iff, eqb_true. unfold holds_record. rewrite !eqb_true. split.
        - intros [e e']. subst r. apply insert_others. now symmetry.
        - intros <-. rewrite record_insert, others_insert by lia. now split. }
      rewrite each. apply Qmult_comp; [reflexivity|]. symmetry.
      rewrite Pr_mean. rewrite (mean_by (fun w : world T B => record i (fst w)) nu _ _ (range_nodup _ nu) (range_in _ nu)).
      rewrite (sum_ext _ (fun c => remaining nu 0 i r * mean nu (fun w => if eqb c (record i (fst w)) then 1 else 0))).
      - rewrite sum_scale. rewrite <- (mean_by (fun w : world T B => record i (fst w)) nu (fun _ => 1) _ (range_nodup _ nu) (range_in _ nu)).
        rewrite mean_constant by exact Lnu. ring.
      - intros [c|] _.
        + assert (e := each c). rewrite !Pr_mean in e. rewrite (Qmult_comm (remaining nu 0 i r)).
          etransitivity; [|etransitivity; [exact e|]]; [apply mean_ext|apply Qmult_comp; [apply mean_ext|reflexivity]];
            intros w; unfold chi, holds_record; destruct (eqb (Some c) (record i (fst w))); reflexivity.
        + rewrite !(mean_zero nu); [ring| |]; intros w p J; destruct (eqb None (record i (fst w))) eqn:e; try reflexivity;
            apply eqb_eq in e; symmetry in e; apply nth_error_None in e; rewrite (sn w p J) in e; lia. }
    unfold nu in joint. rewrite !Pr_given in joint.
    set (x := Pr theta (fun w => knows k w && (holds_record i a w && _))) in joint.
    set (y := Pr theta (fun w => knows k w && holds_record i a w)) in joint.
    set (z := Pr theta (fun w => knows k w && eqb r _)) in joint.
    assert (ex : Pr theta (fun w => having i a k w && eqb r (others i (fst w))) == x).
    { apply Pr_ext. intros w. unfold having. symmetry. apply andb_assoc. }
    assert (ey : Pr theta (having i a k) == y) by reflexivity.
    rewrite ex, ey. fold z. clear - joint P.
    assert (e : x == y * z / Pr theta (knows k)).
    { transitivity (x / Pr theta (knows k) * Pr theta (knows k)); [field; lra|]. rewrite joint. field. lra. }
    rewrite e. field. lra.
  Qed.

  (** DMKB20, Proposition 2 (as printed): if, for all theta and each B that occurs, the records are mutually independent
      given B, then NP and CDP are one; with the same epsilon, and for every delta (printed: delta = 0). *)
  Theorem proposition_2 E d :
    (forall theta, Theta theta -> forall k, 0 < Pr theta (knows k) -> mutually_independent theta k) ->
    np Theta E d M <-> cdp Theta E d M.
  Proof.
    intros X. apply proposition_4. intros theta I i k P. apply mutual_independent; [exact I|exact P|now apply X].
  Qed.
End Causal.
