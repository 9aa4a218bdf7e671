(** The theorems of LQS12 and DP22 on small models: their hypotheses can be met where something is compared, and their
    conclusions are numbers. "Is there a yes?" is answered right with 3/4; chi-squared is the divergence. *)

From PK Require Import PartialKnowledge Laws Notions Sampling Beliefs Divergences LQS12 DP22 Examples.
From PK Require BinomialTail Crowds.
Import ListNotations.
Open Scope Q_scope.

(** * Sampling, groups, runs *)

Definition any_yes (D : list bool) : measure bool := heard (existsb (fun x => x) D).
Lemma any_yes_law D : law (any_yes D).
Proof. apply heard_law. Qed.
Lemma heard_close b b' : within 3 0 (heard b) (heard b').
Proof. destruct b, b'; within_by_sum. Qed.
Lemma any_yes_private : private added 3 0 any_yes.
Proof. intros D D' _. split; apply heard_close. Qed.

(** Half of the tuples are drawn: e^epsilon falls from 3 to 2, and 2 is attained. *)
Example half_of_the_tuples : under_sampling (1 # 2) (1 + (1 # 2) * (3 - 1)) ((1 # 2) * 0) any_yes.
Proof.
  apply amplification_by_sampling; try discriminate; [split; discriminate|exact any_yes_law|exact any_yes_private].
Qed.
Example half_is_attained : Pr (sampled (1 # 2) any_yes [true]) (fun x => x) == 2 * Pr (sampled (1 # 2) any_yes []) (fun x => x).
Proof. vm_compute. reflexivity. Qed.
Example half_of_half : under_sampling (1 # 4) (1 + (1 # 4) / (1 # 2) * (2 - 1)) ((1 # 4) / (1 # 2) * 0) any_yes.
Proof.
  apply LQS12.theorem_1; try reflexivity; try discriminate; [exact any_yes_law|].
  intros D D' a. destruct (half_of_the_tuples D D' a) as [W W']. split; intros S; [specialize (W S)|specialize (W' S)]; lra.
Qed.

(** Crowds of two or more of a sample at rate 1/2, e^epsilon = 2: gamma = 3/4, and delta = 1/4 is the paper's d, by Chebyshev's
    inequality from n = 16 on. *)
Lemma spread n : mean (BinomialTail.successes n (1 # 2))
  (fun j => (BinomialTail.natQ j - (1 # 2) * BinomialTail.natQ n) * (BinomialTail.natQ j - (1 # 2) * BinomialTail.natQ n)) ==
  (1 # 4) * BinomialTail.natQ n.
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite Crowds.mean_successes, <- !mean_scale, <- mean_plus.
  rewrite (mean_ext _ _ (fun j => (BinomialTail.natQ j - (1 # 2) * BinomialTail.natQ n) * (BinomialTail.natQ j - (1 # 2) * BinomialTail.natQ n)
    + (1 # 4))) by (intros; rewrite !MostLikelyCount.natQ_succ; ring).
  rewrite mean_plus, IH, mean_constant by (apply BinomialTail.successes_law; lra). rewrite MostLikelyCount.natQ_succ. ring.
Qed.
Example of_theorem_3_9 : under_sampling (1 # 2) 2 (1 # 4) (Crowds.anonymization (fun x : bool => x) 2 [true; false]).
Proof.
  apply (LQS12.theorem_3_9 _ _ _ _ _ _ _ _ _ 2); [discriminate|reflexivity|discriminate|discriminate|reflexivity|]. intros n l.
  destruct (Nat.le_gt_cases 16 n) as [g|s].
  2:{ rewrite Pr_mean, (Crowds.mean_terms (1 # 2) n n) by lia.
      do 16 (destruct n as [|n]; [try lia; vm_compute; discriminate|]). lia. }
  assert (n1 : 16 <= BinomialTail.natQ n) by (apply (BinomialTail.natQ_le 16); exact g). assert (m := spread n).
  set (x := BinomialTail.natQ n) in *.
  set (over := fun j => negb (Qle_bool (BinomialTail.natQ j) ((2 - 1 + (1 # 2)) / 2 * x))).
  assert (chebyshev : mean (BinomialTail.successes n (1 # 2)) (fun j => x * x / 16 * chi over j) <= (1 # 4) * x).
  { rewrite <- m. apply mean_le; [apply BinomialTail.successes_law; lra|]. intros j p _. unfold chi, over.
    destruct (Qle_bool (BinomialTail.natQ j) ((2 - 1 + (1 # 2)) / 2 * x)) eqn:e; cbn [negb].
    - assert (q := MostLikelyCount.square_pos (BinomialTail.natQ j - (1 # 2) * x)). lra.
    - assert (h : (2 - 1 + (1 # 2)) / 2 * x < BinomialTail.natQ j).
      { apply Qnot_le_lt. intros c. apply Qle_bool_iff in c. congruence. }
      setoid_replace ((2 - 1 + (1 # 2)) / 2) with (3 # 4) in h by reflexivity.
      setoid_replace (x * x / 16) with ((1 # 4) * x * ((1 # 4) * x)) by field. nra. }
  rewrite mean_scale, <- Pr_mean in chebyshev. fold over. apply (Qmult_le_l _ _ (x * x / 16)).
  - apply Qlt_shift_div_l; [reflexivity|]. nra.
  - eapply Qle_trans; [exact chebyshev|]. setoid_replace (x * x / 16 * (1 # 4)) with ((1 # 4) * x * (x / 16)) by field.
    assert (1 <= x / 16) by (apply le_div; [reflexivity|lra]). nra.
Qed.
(** Two equal tuples in the sample, with 1/4, are what the other database cannot release. *)
Example of_theorem_3_9_number :
  let P D := sampled (1 # 2) (Crowds.anonymization (fun x : bool => x) 2 [true; false]) D in
  at_ same (P [true; true]) [2; 0]%nat - 2 * at_ same (P [true]) [2; 0]%nat == 1 # 4.
Proof. vm_compute. reflexivity. Qed.

(** One record replaced costs at most twice one that is added; sizes 0 and 1. *)
Example replaced : bounded 0 1 (3 * 3) (0 + 3 * 0) any_yes.
Proof.
  apply DP22.unbounded_gives_bounded; [discriminate|auto|]. intros D D' _ _ a. exact (any_yes_private D D' a).
Qed.
(** Where all databases have one record, nothing is compared, and the replaced record is told. *)
Example one_size_alone : unbounded 1 1 1 0 (fun D : list bool => [(D, 1)]) /\ ~ bounded 1 1 1 0 (fun D : list bool => [(D, 1)]).
Proof.
  split.
  - intros D D' [l u] [l' u'] (x & y & r & -> & ->). exfalso. rewrite !app_length in *. cbn in *. lia.
  - intros P. destruct (P [true] [false]) as [W _]; [split; cbn; lia|now exists [], true, false, []|].
    specialize (W (eqb [true])). vm_compute in W. now apply W.
Qed.
Example two_runs : private added (3 * 3) (0 + 0) (runs any_yes (fun _ => any_yes)).
Proof.
  apply DP22.sequential_composition; try discriminate; auto using any_yes_law, any_yes_private.
Qed.
Example two_runs_attained : Pr (runs any_yes (fun _ => any_yes) [true]) (eqb (true, true)) ==
  9 * Pr (runs any_yes (fun _ => any_yes) []) (eqb (true, true)).
Proof. vm_compute. reflexivity. Qed.
Example three_steps : path added 3 [] [true; true; true].
Proof.
  apply step with [true]; [now exists [], true, []|]. apply step with [true; true]; [now exists [true], true, []|].
  apply step with [true; true; true]; [now exists [true; true], true, []|]. apply stay.
Qed.

(** * Beliefs *)

(** [tell_second] is noiseless private at e^epsilon = 3, so that no belief changes by more than the factor 3; it goes from
    1/2 to 3/4. *)
Lemma second_anpr : anpr (only fair_known) tell_second 3.
Proof. apply (DP22.npr_gives_anpr 2); [exact fair_known_sized|exact tell_second_total|discriminate|exact second_np]. Qed.
Example second_belief : answers tell_second fair_known true true /\
  believes tell_second fair_known true true (holds_record 1 true) == 3 # 4 /\
  believed fair_known true (holds_record 1 true) == 1 # 2.
Proof. repeat split; reflexivity. Qed.
Example back_to_np : np (only fair_known) (3 * 3) 0 tell_second.
Proof. apply (DP22.anpr_gives_npr 2); [exact fair_known_sized|exact tell_second_total|discriminate|exact second_anpr]. Qed.

(** A fair coin that depends on nothing: no belief changes, so that all is at epsilon = 0. *)
Definition coin (D : list bool) : measure bool := [(true, 1 # 2); (false, 1 # 2)].
Lemma coin_law D : law (coin D).
Proof. split; [intros x p J; destruct J as [J|[J|[]]]; injection J as _ <-; discriminate|reflexivity]. Qed.
Lemma coin_infpr : infpr (only fair_known) coin 1.
Proof.
  intros theta -> k t w D. assert (t' := w). apply answers_weight in t'.
  (* the law of the output is that of every world *)
  assert (e : believes coin fair_known k t (is_database D) == believed fair_known k (is_database D)).
  { rewrite believes_weight, believed_mass. unfold weight, mass in *.
    assert (c : forall A, mean fair_known (fun u => if knows k u && A u then at_ same (coin (fst u)) t else 0) ==
      (1 # 2) * Pr fair_known (fun u => knows k u && A u)).
    { intros A. rewrite Pr_mean, <- mean_scale. apply mean_ext. intros u. unfold chi.
      destruct (knows k u && A u); [|ring]. destruct t; reflexivity. }
    rewrite !c in *. assert (0 < Pr fair_known (fun u => knows k u && every u)) by lra. field. lra. }
  rewrite e. split; lra.
Qed.
Example coin_within : within (1 * 1) 0 (coin [true; true]) (coin [true; false]).
Proof.
  apply (DP22.infpr_gives_dp 2 (only fair_known) coin 1) with (theta := fair_known) (k := true);
    [exact fair_known_sized|intros D _; apply coin_law|discriminate|exact coin_infpr|reflexivity|reflexivity|reflexivity].
Qed.
(** The second record told with noise: half a belief becomes a quarter, and that is the most. *)
Lemma second_infpr : infpr (only fair_known) tell_second 2.
Proof.
  intros theta -> k t _ D. destruct D as [|x [|y [|z D]]]; try destruct x; try destruct y; destruct k, t; split; vm_compute; discriminate.
Qed.
Example infpr_anpr : anpr (only fair_known) tell_second 2.
Proof. apply (DP22.infpr_gives_anpr 2); [exact fair_known_sized|exact tell_second_total|discriminate|exact second_infpr]. Qed.

(** The number of records, where Sim sees all records but one: epsilon = 0, and with it bounded DP. Another size is seen. *)
Definition number (D : list bool) : measure nat := [(length D, 1)].
Lemma number_zkpr : zkpr (C := nat) 2 (fun _ => True) 1 0 number.
Proof.
  exists (@length bool), (fun m => [(S m, 1)]). split; [exact I|]. intros [|x [|y [|z D]]] l [|[|i]] j; try discriminate; try lia;
    split; intros S; unfold number; cbn [length others]; lra.
Qed.
Example number_bounded : dp 2 (1 * 1) (0 + 1 * 0) number.
Proof. apply (DP22.zkpr_gives_bounded nat 2 (fun _ => True)); [discriminate|exact number_zkpr]. Qed.
Example number_is_seen : ~ within 9 0 (number [true; true]) (number [true]).
Proof. intros W. specialize (W (eqb 2%nat)). vm_compute in W. now apply W. Qed.

(** * Chi-squared *)

Definition square (t : Q) : Q := (t - 1) * (t - 1).
Lemma square_proper x y : x == y -> square x == square y.
Proof. intros e. unfold square. now rewrite e. Qed.
Lemma square_convex w x y : 0 <= w <= 1 -> 0 <= x -> 0 <= y ->
  square (w * x + (1 - w) * y) <= w * square x + (1 - w) * square y.
Proof.
  intros [a b] _ _.
  assert (e : w * square x + (1 - w) * square y == square (w * x + (1 - w) * y) + w * (1 - w) * ((x - y) * (x - y)))
    by (unfold square; ring).
  assert (n : 0 <= (x - y) * (x - y)).
  { destruct (Qlt_le_dec (x - y) 0); [setoid_replace ((x - y) * (x - y)) with ((y - x) * (y - x)) by ring|];
      apply Qmult_le_0_compat; lra. }
  assert (m : 0 <= w * (1 - w) * ((x - y) * (x - y))) by (apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra|exact n]).
  rewrite e. lra.
Qed.
(** The bound 4/3 for all pairs of two records; it is what "heard" attains. *)
Definition close_pairs (D D' : list bool) : option Q := Some (4 # 3).
Lemma second_divdp : divdp square 0 false close_pairs any_yes.
Proof.
  intros D D' b e. injection e as <-. unfold any_yes. split.
  - intros o _ z. destruct (existsb (fun x => x) D'), o; vm_compute in z; discriminate z.
  - destruct (existsb (fun x => x) D), (existsb (fun x => x) D'); vm_compute; discriminate.
Qed.
Example chi_squared : divergence square 0 (heard true) (heard false) == 4 # 3.
Proof. reflexivity. Qed.
Example second_coin_divdp : divdp square 0 false close_pairs (fun D => bind (any_yes D) heard).
Proof.
  refine (DP22.propositions_1_and_3_post_processing square 0 false square_proper square_convex _ close_pairs any_yes heard
    any_yes_law heard_law second_divdp). discriminate.
Qed.
Example choice_divdp : divdp square 0 false close_pairs (fun D => mix (1 # 3) (any_yes D) (any_yes D)).
Proof.
  refine (DP22.propositions_1_and_3_convexity square 0 false square_proper square_convex _ close_pairs (1 # 3) any_yes any_yes
    _ any_yes_law any_yes_law second_divdp second_divdp); [discriminate|split; discriminate].
Qed.
