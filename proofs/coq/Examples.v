(** Each theorem on one small model: its hypotheses can be met where something is compared, and its conclusion is a number.

    Models: two fair bits, of which the first is known ([fair_known]), or nothing is ([fair]); a mechanism that tells one
    of them right with 3/4; the count. At the end a table as the certificates have it. Everything is decided by computing. *)

From PK Require Import PartialKnowledge Laws Notions ActivePassive PostProcessing Causal Posteriors Dependency MoreKnowledge
  BinomialTail MostLikelyCount OfTables Conversions.
From PK Require DMKB20 Blanket Threshold Reducible.
Import ListNotations.
Open Scope Q_scope.

Definition only {T B} (theta : distribution T B) : family T B := fun x => x = theta.

(** * Two fair bits *)

Definition fair_known : distribution bool bool :=
  flat_map (fun x => map (fun y => (([x; y], x), 1 # 4)) [true; false]) [true; false].
Definition fair : distribution bool unit :=
  flat_map (fun x => map (fun y => (([x; y], tt), 1 # 4)) [true; false]) [true; false].

Ltac worlds J := repeat (destruct J as [J|J]; [injection J as <- <-|]); [..|destruct J].
Lemma fair_known_sized : of_size 2 (only fair_known).
Proof.
  intros theta ->. split; [split|].
  - intros w p J. worlds J; discriminate.
  - reflexivity.
  - intros w p J. worlds J; reflexivity.
Qed.
Lemma fair_sized : of_size 2 (only fair).
Proof.
  intros theta ->. split; [split|].
  - intros w p J. worlds J; discriminate.
  - reflexivity.
  - intros w p J. worlds J; reflexivity.
Qed.

(** Told right with probability 3/4. *)
Definition heard (b : bool) : measure bool := [(b, 3 # 4); (negb b, 1 # 4)].
Definition tell_second : mechanism bool bool := fun D => match D with [_; y] => heard y | _ => heard true end.
Definition tell_first : mechanism bool bool := fun D => match D with [x; _] => heard x | _ => heard true end.
Lemma heard_law b : law (heard b).
Proof. split; [intros x p J; destruct J as [J|[J|[]]]; injection J as _ <-; discriminate|destruct b; reflexivity]. Qed.
Lemma tell_second_total : total_on 2 tell_second.
Proof. intros [|x [|y [|z D]]] l; try discriminate. apply heard_law. Qed.
Lemma tell_first_total : total_on 2 tell_first.
Proof. intros [|x [|y [|z D]]] l; try discriminate. apply heard_law. Qed.

(** Something is compared: both values of the second record are possible whatever is known. *)
Example something_is_compared : possible fair_known 1 true true /\ possible fair_known 1 false true /\ possible fair 1 true tt.
Proof. repeat split; reflexivity. Qed.

(** Decide for all indices, values and knowledge: [index] proves i < 2, [no] refutes what is impossible. *)
Ltac no P := exfalso; vm_compute in P; discriminate P.
Ltac within_by_sum := refine (proj2 (hockey_stick same _ _ _ _) _); vm_compute; discriminate.

Lemma second_apkdp : apkdp (only fair_known) 3 0 tell_second.
Proof.
  intros theta -> i a b k P P'. assert (l := possible_index 2 _ fair_known_sized fair_known i a k eq_refl P).
  destruct i as [|[|i]]; [| |lia]; destruct k, a, b; try (no P); try (no P'); vm_compute; discriminate.
Qed.
(** It is tight: with e^epsilon = 2 what is left is 1/4. *)
Example second_loss : apk fair_known 2 tell_second 1 true false true == 1 # 4.
Proof. reflexivity. Qed.
Lemma second_np : np (only fair_known) 3 0 tell_second.
Proof. apply (apkdp_np 2 _ _ fair_known_sized tell_second_total); [discriminate|exact second_apkdp]. Qed.
Lemma second_dp : dp 2 3 0 tell_second.
Proof.
  intros D D' [l (i & b & k & ->)]. destruct D as [|x [|y [|z D]]]; try discriminate.
  destruct i as [|[|i]]; [| |lia]; destruct x, y, b; split; within_by_sum.
Qed.

(** * The theorems on them *)

(** Theorem 1. *)
Example of_theorem_1 : ppkdp (only fair_known) 3 0 tell_second.
Proof. apply (theorem_1_implies 2 _ _ fair_known_sized); [discriminate|exact second_apkdp]. Qed.
Example of_theorem_1_mean : ppk fair_known 2 tell_second 1 true false == 1 # 4.
Proof. reflexivity. Qed.
Example of_theorem_1_one_notion : apkdp (only fair_known) 3 0 tell_second.
Proof. apply (theorem_1_one_notion 2 _ _ fair_known_sized tell_second_total). exact of_theorem_1. Qed.

(** Theorem 2: the count where the first record is known; between its outputs given 0 and given 1 there is a shift. *)
Definition shift (k1 k2 : bool) (o : nat) : nat :=
  match k1, k2 with
  | false, true => match o with 0 => 1 | 1 => 2 | 2 => 0 | _ => o end
  | true, false => match o with 0 => 2 | 1 => 0 | 2 => 1 | _ => o end
  | _, _ => o
  end%nat.
Lemma shift_back k1 k2 o : shift k2 k1 (shift k1 k2 o) = o.
Proof. destruct k1, k2, o as [|[|[|o]]]; reflexivity. Qed.
Lemma count_reducible : reducible count fair_known 1.
Proof.
  intros k1 k2 _ _. exists (shift k1 k2), (shift k2 k1). split; [intros; apply shift_back|]. split; [intros; apply shift_back|].
  intros a _ o. destruct k1, k2, a, o as [|[|[|o]]]; vm_compute; reflexivity.
Qed.
Lemma count_compatible : compatible fair_known 1.
Proof. intros k a _ _. destruct k, a; reflexivity. Qed.
Example of_theorem_2 : (forall a b k, possible fair_known 1 a k -> possible fair_known 1 b k -> apk fair_known 1 count 1 a b k <= 1) <->
  (forall a b, 0 < Pr fair_known (holds_record 1 a) -> 0 < Pr fair_known (holds_record 1 b) -> ppk fair_known 1 count 1 a b <= 1).
Proof.
  apply (theorem_2_at 2 _ _ fair_known_sized (count_total 2)); try discriminate;
    [reflexivity|exact count_compatible|exact count_reducible].
Qed.
Example of_theorem_2_number : apk fair_known 1 count 1 true false true == 1 /\ ppk fair_known 1 count 1 true false == 1.
Proof. split; reflexivity. Qed.

(** Proposition 5: of what is told, a function; a second coin; and a choice. *)
Example of_proposition_5_channel : ppkdp (only fair_known) 3 0 (fun D => bind (tell_second D) heard).
Proof.
  apply (proposition_5_ppkdp_channel 2 _ 3 0 fair_known_sized); [discriminate|exact tell_second_total|exact heard_law|exact of_theorem_1].
Qed.
Example of_proposition_5_function : ppkdp (only fair_known) 3 0 (fun D => image negb (tell_second D)).
Proof. apply (proposition_5_ppkdp_function 2 _ 3 0 fair_known_sized); [discriminate|exact tell_second_total|exact of_theorem_1]. Qed.
Example of_proposition_5_convex : ppkdp (only fair_known) 3 0 (fun D => mix (1 # 2) (tell_second D) (image negb (tell_second D))).
Proof.
  apply (proposition_5_ppkdp_convex 2 _ 3 0 fair_known_sized); try exact of_theorem_1; try exact tell_second_total; try discriminate.
  - split; discriminate.
  - intros D l. now apply law_image, tell_second_total.
  - exact of_proposition_5_function.
Qed.
Example of_proposition_5_apkdp : apkdp (only fair_known) 3 0 (fun D => bind (tell_second D) heard).
Proof.
  apply (proposition_5_apkdp_channel 2 _ 3 0 fair_known_sized); [discriminate|exact tell_second_total|exact heard_law|exact second_apkdp].
Qed.
Example of_proposition_5_number : apk fair_known (3 # 2) (fun D => bind (tell_second D) heard) 1 true false true == 1 # 16.
Proof. reflexivity. Qed.

(** DP gives CDP; CDP for all b gives DDP. *)
Example of_dp_gives_cdp : cdp_all (only fair_known) 3 0 tell_second /\ ddp (only fair_known) 3 0 tell_second.
Proof.
  assert (V := dp_gives_cdp_all 2 _ tell_second fair_known_sized 3 0 second_dp).
  split; [exact V|]. exact (cdp_all_gives_ddp 2 _ tell_second fair_known_sized 3 0 true tell_second_total V).
Qed.

(** Propositions 2 and 4: the bits are mutually independent given the first one, and given nothing. *)
Lemma fair_known_mutual : forall k, mutually_independent 2 fair_known k.
Proof. intros k [|x [|y [|z D]]] l; try discriminate. destruct k, x, y; reflexivity. Qed.
Example of_proposition_2 : cdp (only fair_known) 3 0 tell_second.
Proof.
  refine (proj1 (proposition_2 2 _ tell_second fair_known_sized 3 0 _) second_np). intros theta -> k _. apply fair_known_mutual.
Qed.
Lemma fair_independent : forall theta, only fair theta -> forall i k, 0 < Pr theta (knows k) -> independent theta i k.
Proof.
  intros theta -> i k P. apply (mutual_independent 2 (only fair) fair_sized fair i k eq_refl P).
  intros [|x [|y [|z D]]] l; try discriminate. destruct k, x, y; reflexivity.
Qed.
Example of_proposition_4 : np (only fair) 3 0 tell_second <-> cdp (only fair) 3 0 tell_second.
Proof. exact (proposition_4 2 _ tell_second fair_sized 3 0 fair_independent). Qed.

Example of_ddp_gives_np : np (only fair) (3 * 3) (0 + 3 * 0) tell_second.
Proof.
  apply (ddp_gives_np 2 _ tell_second fair_sized); [discriminate|exact fair_independent|].
  apply (cdp_all_gives_ddp 2 _ tell_second fair_sized 3 0 true tell_second_total).
  exact (dp_gives_cdp_all 2 _ tell_second fair_sized 3 0 second_dp).
Qed.

(** Proposition 1, both ways. *)
Lemma second_cdp : cdp (only fair) 3 0 tell_second.
Proof. exact (dp_gives_cdp 2 _ tell_second fair_sized 3 0 second_dp). Qed.
Lemma fair_full : every_value_possible 2 (only fair).
Proof. intros theta -> [] _ [|[|i]] l a; [| |lia]; destruct a; reflexivity. Qed.
Example of_proposition_1 : ibcdp (only fair) (3 * 3) 0 tell_second.
Proof.
  apply (proposition_1_full 2 _ _ fair_sized tell_second_total); [discriminate|exact fair_full|exact second_cdp].
Qed.
Example of_proposition_1_independent : ibcdp_possible (only fair) 3 0 tell_second.
Proof.
  apply (proposition_1_independent 2 _ _ fair_sized); [discriminate|exact fair_independent|exact second_cdp].
Qed.
Lemma second_same_outputs : forall theta, only fair theta -> forall i k, 0 < Pr theta (knows k) ->
  same_outputs tell_second theta i k /\ no_new_outputs tell_second theta i k.
Proof.
  intros theta -> i [] _. split.
  - intros a b c P P' P'' t _. assert (l := possible_index 2 _ fair_sized fair i a tt eq_refl P).
    destruct i as [|[|i]]; [| |lia]; destruct a, b, c, t; split; reflexivity.
  - intros a b P P' t _. assert (l := possible_index 2 _ fair_sized fair i a tt eq_refl P).
    destruct i as [|[|i]]; [| |lia]; destruct a, b, t; reflexivity.
Qed.
Example of_proposition_1_back : cdp (only fair) (3 * 3) 0 tell_second.
Proof.
  apply (proposition_1_back 2 _ _ fair_sized tell_second_total); [discriminate|exact second_same_outputs|].
  exact of_proposition_1_independent.
Qed.
Example of_proposition_1_independent_back : cdp (only fair) (3 * 3) 0 tell_second.
Proof.
  apply (proposition_1_independent_back 2 _ _ fair_sized tell_second_total); [discriminate|exact fair_independent|].
  exact of_proposition_1_independent.
Qed.

(** IBCDP is no definition: two equal bits, and an output 2 that only a changed record gives. With epsilon = 0 it holds; once
    2 is shown as 0, it holds for no epsilon. *)
Definition copies : distribution bool unit := [(([true; true], tt), 1 # 2); (([false; false], tt), 1 # 2)].
Definition tell_copy : mechanism bool nat := fun D =>
  match D with [true; true] => [(0%nat, 1)] | [false; false] => [(1%nat, 1)] | _ => [(2%nat, 1)] end.
Definition merge (o : nat) : nat := match o with 2 => 0 | _ => o end%nat.
Example copies_ibcdp : ibcdp (only copies) 1 0 tell_copy.
Proof.
  intros theta -> [] i b t C C'. destruct i as [|[|i]].
  3:{ assert (e : posterior copies (replaced tell_copy (S (S i)) b) (S (S i)) tt t = posterior copies (plain tell_copy) (S (S i)) tt t) by (destruct i; reflexivity).
      rewrite e. split; intros S; lra. }
  all: destruct b, t as [|[|[|t]]]; try (no C); try (no C'); split; within_by_sum.
Qed.
Example ibcdp_is_no_definition E d : d < 1 # 2 -> ~ ibcdp (only copies) E d (fun D => image merge (tell_copy D)).
Proof.
  intros l V. set (M := fun D => image merge (tell_copy D)) in V.
  destruct (V copies eq_refl tt 0%nat true 0%nat) as [_ W]; [reflexivity|reflexivity|].
  assert (x : Pr (posterior copies (replaced M 0 true) 0 tt 0%nat) (eqb (Some false)) == 1 # 2) by reflexivity.
  assert (y : Pr (posterior copies (plain M) 0 tt 0%nat) (eqb (Some false)) == 0) by reflexivity.
  specialize (W (eqb (Some false))). rewrite x, y in W. lra.
Qed.

(** Theorem 6 and Proposition 9: the two bits, each told right with 3/4. *)
Lemma told_independent : outputs_independent (only fair) (both tell_first tell_second).
Proof.
  intros theta -> i a k P o1 o2. assert (l := possible_index 2 _ fair_sized fair i a k eq_refl P).
  destruct i as [|[|i]]; [| |lia]; destruct k, a, o1, o2; vm_compute; reflexivity.
Qed.
Lemma told_bounded : bounded_dependent (only fair) (fun _ _ => 0) 1 0 (both tell_first tell_second).
Proof.
  apply (proposition_9 2 _ fair_sized); [|exact told_independent]. exact (law_both 2 _ _ tell_first_total tell_second_total).
Qed.
Lemma told_apkdp : apkdp (only fair) 3 0 tell_first /\ apkdp (only fair) 3 0 tell_second.
Proof.
  split; intros theta -> i a b k P P'; assert (l := possible_index 2 _ fair_sized fair i a k eq_refl P);
    destruct i as [|[|i]]; try lia; destruct k, a, b; vm_compute; discriminate.
Qed.
Example of_theorem_6 : apkdp (only fair) (1 * 3 * 3) (0 + 0 + 0) (both tell_first tell_second).
Proof.
  apply (theorem_6_corollary 2 _ fair_sized (fun _ _ => 0)); try discriminate; try apply told_apkdp; try exact told_bounded.
  - exact tell_first_total.
  - exact tell_second_total.
Qed.
(** The bit and its noisy copy depend on each other: e^Dep = 3/2 where both are 1 and the noisy one is heard right. *)
Example of_theorem_6_identity :
  let P := output fair (having 1 true tt) (both tell_second tell_second) in
  let P' := output fair (having 1 false tt) (both tell_second tell_second) in
  both_at P true true / both_at P' true true == 9 /\ dependency P P' true true == 1.
Proof. split; reflexivity. Qed.

(** Proposition 3: the stronger attacker knows whether the two bits agree, the other one nothing. Parameters at a record:
    its bit, and whether they agree. *)
Definition fair_agree : distribution bool bool :=
  flat_map (fun x => map (fun y => (([x; y], Bool.eqb x y), 1 # 4)) [true; false]) [true; false].
Lemma fair_agree_sized : of_size 2 (only fair_agree).
Proof. intros theta ->. split; [split|]; [intros w p J; worlds J; discriminate|reflexivity|intros w p J; worlds J; reflexivity]. Qed.
Definition coin : measure bool := [(true, 1 # 2); (false, 1 # 2)].
Lemma coin_law phi : In phi [coin; coin] -> law phi.
Proof.
  intros [<-|[<-|[]]]; (split; [intros x p J; destruct J as [J|[J|[]]]; injection J as _ <-; discriminate|reflexivity]).
Qed.
Lemma occurring v : occurs [coin; coin] v -> exists x c, v = [x; c].
Proof. intros (p & J & _). cbn in J. repeat (destruct J as [J|J]; [injection J as <- _; eauto|]). destruct J. Qed.
(** The database of a bit x at record i and of whether the other one agrees with it. *)
Definition built (i : nat) (v : list bool) : list bool :=
  match v with [x; c] => let y := Bool.eqb x c in if (i =? 0)%nat then [x; y] else [y; x] | _ => [] end.
Definition agreed (s : list (option bool)) : bool := match s with [_; Some c] => c | _ => true end.
Definition told (v : list bool) : bool := match v with [_; c] => c | _ => true end.
Lemma built_one i v v' : occurs [coin; coin] v -> occurs [coin; coin] v' -> built i v = built i v' -> v = v'.
Proof.
  intros o o' e. destruct (occurring v o) as (x & c & ->). destruct (occurring v' o') as (x' & c' & ->).
  unfold built in e. destruct (i =? 0)%nat, x, c, x', c'; cbn in e; congruence.
Qed.
Lemma built_record i x r : (i < 2)%nat -> occurs [coin; coin] (x :: r) -> record i (built i (x :: r)) = Some x.
Proof.
  intros l o. destruct (occurring _ o) as (y & c & e). injection e as -> ->. destruct i as [|[|i]]; [reflexivity|reflexivity|lia].
Qed.
Lemma stronger_attacker : stronger_family 2 (V := bool) (only fair_agree) (only fair).
Proof.
  intros theta2 ->. exists fair_agree. split; [reflexivity|]. intros i l.
  exists coin, [coin], (fun v => (built i v, told v)), (fun v => (built i v, tt)), (fun x => Some x), (fun j => (j =? 1)%nat),
    (fun _ => false), agreed, (fun _ => tt).
  split; [|split; [|split]].
  - split; [exact coin_law|]. split; [|split; [|split; [|split; [|split]]]].
    + apply alike_at. intros w. destruct i as [|[|i]]; [| |lia]; unfold at_, Pr; cbn;
        repeat match goal with |- context [is same w ?v] => destruct (is same w v) end; reflexivity.
    + intros v v' o o' e. injection e as e _. now apply (built_one i).
    + intros x r o. now apply built_record.
    + reflexivity.
    + intros v o. destruct (occurring v o) as (x & c & ->). reflexivity.
    + intros v v' o o' e. destruct (occurring v o) as (x & c & ->). destruct (occurring v' o') as (x' & c' & ->). cbn in *. congruence.
  - split; [exact coin_law|]. split; [|split; [|split; [|split; [|split]]]].
    + apply alike_at. intros w. destruct i as [|[|i]]; [| |lia]; unfold at_, Pr; cbn;
        repeat match goal with |- context [is same w ?v] => destruct (is same w v) end; reflexivity.
    + intros v v' o o' e. injection e as e. now apply (built_one i).
    + intros x r o. now apply built_record.
    + reflexivity.
    + reflexivity.
    + intros v v' o o' _. destruct (occurring v o) as (x & c & ->). destruct (occurring v' o') as (x' & c' & ->). reflexivity.
  - reflexivity.
  - discriminate.
Qed.
Lemma agree_apkdp : apkdp (only fair_agree) 3 0 tell_second.
Proof.
  intros theta -> i a b k P P'. assert (l := possible_index 2 _ fair_agree_sized fair_agree i a k eq_refl P).
  destruct i as [|[|i]]; [| |lia]; destruct k, a, b; vm_compute; discriminate.
Qed.
Example of_proposition_3 : np (only fair) 3 0 tell_second.
Proof.
  apply (proposition_3 2 tell_second (V := bool) _ _ 3 0 fair_agree_sized fair_sized stronger_attacker).
  refine (proj1 (apkdp_np 2 _ _ fair_agree_sized tell_second_total 3 0 _) agree_apkdp). discriminate.
Qed.
Example of_proposition_3_passive : ppkdp (only fair) 3 0 tell_second.
Proof.
  apply (proposition_3_printed_passive 2 tell_second (V := bool) _ _ 3 0 fair_agree_sized fair_sized tell_second_total);
    [discriminate|exact stronger_attacker|]. apply (theorem_1_implies 2 _ _ fair_agree_sized); [discriminate|exact agree_apkdp].
Qed.
(** The stronger attacker does need it: knowing whether they agree, the second bit tells the first one. *)
Example agree_loss : apk fair_agree 2 tell_second 0 true false true == 1 # 4 /\ apk fair 2 tell_second 0 true false tt == 0.
Proof. split; reflexivity. Qed.

(** Lemma 2: three trials of 1/4, at least two successes; where nothing can succeed both sides are 0. *)
Example of_lemma_2 : Pr (successes 3 (1 # 4)) (fun x => 2 <=? x)%nat == 5 # 32 /\
  binomial 3 (1 # 4) 2 / (1 - ratio (1 # 4) 3 2) == 9 # 32 /\ (1 # 4) * natQ 3 / (1 - (1 # 4)) < natQ 2.
Proof. repeat split; reflexivity. Qed.
Example of_lemma_2_strict : Pr (successes 3 (1 # 4)) (fun x => 2 <=? x)%nat < binomial 3 (1 # 4) 2 / (1 - ratio (1 # 4) 3 2).
Proof. apply lemma_2_strict; try reflexivity; try discriminate. lia. Qed.
Example of_lemma_2_edge : Pr (successes 3 0) (fun x => 2 <=? x)%nat == binomial 3 0 2 / (1 - ratio 0 3 2).
Proof. reflexivity. Qed.

(** Groups: two changes of the bit that is told. *)
Example of_group_privacy : within (power 3 2) (0 * series 3 2) (tell_second [true; true]) (tell_second [true; false]).
Proof.
  apply (group_privacy 2 tell_second 3 0 2); [discriminate|exact tell_second_total|reflexivity|exact second_dp|].
  exists [true; false]. split; [split; [reflexivity|exists 1%nat, false; split; [lia|reflexivity]]|].
  exists [true; false]. split; [split; [reflexivity|exists 1%nat, false; split; [lia|reflexivity]]|reflexivity].
Qed.
(** Multipliers: two rows of factor 3 give one of factor 9, with the multipliers 1 and 3. *)
Definition point (x y : bool) : measure (list bool) := [([x; y], 1)].
Definition first_step : row := Row (point true true) (point true false) 3.
Definition second_step : row := Row (point true false) (point false false) 3.
Definition both_steps : row := Row (point true true) (point false false) 9.
Example of_multipliers (M : mechanism bool bool) : (forall D, nonnegative (M D)) -> keeps M first_step -> keeps M second_step ->
  keeps M both_steps.
Proof.
  intros N K K'. apply (multipliers_imply both_steps [(1, first_step); (3, second_step)]); [exact N| |].
  - intros l a [e|[e|[]]]; injection e as <- <-; split; try discriminate; assumption.
  - intros D. unfold gap, at_, Pr. cbn. destruct (is same D [true; true]), (is same D [true; false]), (is same D [false; false]);
      vm_compute; discriminate.
Qed.
(** Proposition 7: the count of bits with the chances 1/2, 1/4, 1/2, 1, 3/4, 1/2. The others of each bit that is open have
    a variance v of at least 7/8, and 2v*(4/5)^2 >= 1; the exact delta of the first bit at epsilon = 0 is 13/32. *)
Definition some_chances : list Q := [1 # 2; 1 # 4; 1 # 2; 1; 3 # 4; 1 # 2].
Lemma some_chances_are : Forall (fun p => 0 <= p <= 1) some_chances.
Proof. repeat constructor; discriminate. Qed.
Example of_proposition_7_variance : apkdp (only (independent_bits some_chances)) 1 (4 # 5) count.
Proof.
  apply DMKB20.proposition_7_variance; [exact some_chances_are|discriminate|discriminate|].
  intros i p r o. do 6 (destruct i as [|i]; [injection r as <-; vm_compute; (discriminate || (destruct o; discriminate))|]).
  destruct i; discriminate.
Qed.
Example something_is_counted : possible (independent_bits some_chances) 0 true tt /\ possible (independent_bits some_chances) 0 false tt.
Proof. split; reflexivity. Qed.
Example of_proposition_7_number : apk (independent_bits some_chances) 1 count 0 true false tt == 13 # 32 /\
  map (fun k => Qred (count_law (others 0 some_chances) k)) [1; 2; 3; 4; 5]%Z = [3 # 64; 1 # 4; 13 # 32; 1 # 4; 3 # 64].
Proof. split; vm_compute; reflexivity. Qed.
(** Sixteen fair bits, e^epsilon = 5/4, delta2 = 1/10: the corrected bound is 63/100 + 1/10; 3/4 is above it. *)
Example of_proposition_7 : apkdp (only (independent_bits (repeat (1 # 2) 16))) (5 # 4) (3 # 4) count.
Proof.
  apply (DMKB20.proposition_7 _ _ (1 # 10)); [repeat constructor; discriminate|discriminate..|vm_compute; discriminate].
Qed.


(** Two records of chance 1/3, e^epsilon = 2: delta = 2/3, which no smaller one can replace. *)
Definition thirds : list Q := [1 # 3; 1 # 3].
Example of_theorem_3 : apkdp (only (independent_bits thirds)) 2 (2 # 3) count.
Proof.
  apply (DMKB20.theorem_3 2 _ (1 # 3)); [discriminate|discriminate| |vm_compute; discriminate].
  intros theta ->. exists thirds. repeat split; repeat constructor; discriminate.
Qed.
Example of_theorem_3_exactly : apk (independent_bits thirds) 2 count 0 false true tt == 2 # 3.
Proof. vm_compute. reflexivity. Qed.
(** Two records of chance 1/4, T = 1: delta = p(1 - p)/(1 - 2p) = 3/8, and 1/4 is the exact one. *)
Definition quarters : list Q := [1 # 4; 1 # 4].
Example of_theorem_4 : apkdp (only (independent_bits quarters)) 1 (3 # 8) (Threshold.thresholding 1).
Proof.
  assert (V := DMKB20.theorem_4 2 (only (independent_bits quarters)) 1 (1 # 4) 1).
  assert (e : BinomialTail.binomial (2 - 1) (1 # 4) 1 / (1 - (1 # 4) * natQ (2 - 1) / ((1 - (1 # 4)) * natQ 1)) == 3 # 8) by reflexivity.
  intros theta I i a b k P P'. rewrite <- e. revert theta I i a b k P P'. apply V; try discriminate; try reflexivity.
  intros theta ->. exists quarters. repeat split; repeat constructor; discriminate.
Qed.
Example of_theorem_4_exactly : apk (independent_bits quarters) 1 (Threshold.thresholding 1) 0 true false tt == 1 # 4.
Proof. vm_compute. reflexivity. Qed.
(** One known record of chance 1/8 beside these two, T = 2, b_max = 1: delta = 3/8 + 3/8, and 1/32 is the exact one. *)
Example of_theorem_4_with_knowledge :
  ppkdp (only (Threshold.known_first [1 # 8] quarters)) 1
    (Threshold.lemma_2_bound 1 1 (1 # 4) + Threshold.lemma_2_bound 1 1 (1 # 4)) (Threshold.thresholding 2).
Proof.
  apply (DMKB20.theorem_4_with_knowledge [1 # 8] quarters 2 1 (1 # 4) 1); try discriminate; try reflexivity;
    repeat constructor; discriminate.
Qed.
Example of_theorem_4_with_knowledge_number : Threshold.lemma_2_bound 1 1 (1 # 4) + Threshold.lemma_2_bound 1 1 (1 # 4) == 3 # 4 /\
  ppk (Threshold.known_first [1 # 8] quarters) 1 (Threshold.thresholding 2) 1 true false == 1 # 32.
Proof. split; vm_compute; reflexivity. Qed.
(** With the known record M_2 is as private as M_1 is of the two others. *)
Example of_proposition_8 E d : 1 <= E -> 0 <= d ->
  (apkdp (only (Threshold.known_first [1 # 8] quarters)) E d (Threshold.thresholding 2) <->
   ppkdp (only (independent_bits quarters)) E d (Threshold.thresholding 1)).
Proof. apply (DMKB20.proposition_8 [1 # 8] quarters 2); [repeat constructor; discriminate..|cbn; lia]. Qed.
Example of_proposition_8_numbers : apk (Threshold.known_first [1 # 8] quarters) 1 (Threshold.thresholding 2) 1 true false [true] == 1 # 4 /\
  ppk (independent_bits quarters) 1 (Threshold.thresholding 1) 0 true false == 1 # 4.
Proof. split; vm_compute; reflexivity. Qed.
(** The sum of three bits of chance 1/4, of which the first is known: what a 1 adds is a bijection of the integers. *)
Definition term (_ : nat) (x : bool) : Z := if x then 1%Z else 0%Z.
Example of_proposition_6 : reducible (Reducible.sum_query Z.add 0%Z term) (Reducible.known_part (bits [1 # 4]) (bits quarters)) 1.
Proof.
  apply (DMKB20.proposition_6_integers bool _ term 1 _ _); [now apply bits_law; repeat constructor; discriminate..|].
  intros D p I. exact (bits_length [1 # 4] D p I).
Qed.
Example of_proposition_6_numbers :
  let P k := output (Reducible.known_part (bits [1 # 4]) (bits quarters)) (having 1 true [k]) (Reducible.sum_query Z.add 0%Z term) in
  map (fun o => Qred (at_ same (P false) o)) [1; 2; 3]%Z = map (fun o => Qred (at_ same (P true) (o + 1)%Z)) [1; 2; 3]%Z /\
  map (fun o => Qred (at_ same (P false) o)) [1; 2; 3]%Z = [3 # 4; 1 # 4; 0].
Proof. split; vm_compute; reflexivity. Qed.

(** * A table, as certificates have it *)

(** Two fair bits, the first one known, a noisy count. *)
Definition table : model := Model 2 [0; 1]%nat [0; 1]%nat [Record_ 0; Record_ 1]
  [[World [0; 0] 0 0 (1 # 4); World [0; 1] 0 0 (1 # 4); World [1; 0] 1 0 (1 # 4); World [1; 1] 1 0 (1 # 4)]]%nat
  [([0; 0], [(0, 1%Q)]); ([0; 1], [(1, 3 # 4); (0, 1 # 4)]); ([1; 0], [(1, 3 # 4); (2, 1 # 4)]); ([1; 1], [(2, 3 # 4); (1, 1 # 4)])]%nat.
Lemma table_records : of_records table.
Proof. now apply of_records_decided. Qed.
Lemma table_weights D : nonnegative (M table D).
Proof.
  unfold M. assert (W : forall row, In row (PartialKnowledge.mechanism table) -> nonnegative (snd row)).
  { intros row J. repeat (destruct J as [<-|J]; [intros o p K; repeat (destruct K as [K|K]; [injection K as _ <-; discriminate|]); destruct K|]). destruct J. }
  revert W. generalize (PartialKnowledge.mechanism table) as rows. induction rows as [|[D' mu] rows IH]; intros W; [intros o p []|].
  cbn [lookup]. destruct (list_eq_dec Nat.eq_dec D D'); [exact (W _ (or_introl eq_refl))|]. apply IH. intros row J. apply W. now right.
Qed.
(** What a certificate decides is a hypothesis of the theorems, and what they conclude is what it would decide. *)
Example of_np : Notions.np (family_of table) 4 (1 # 8) (M table) <-> PartialKnowledge.np Default (Within 4 (1 # 8)) table.
Proof. apply np_of_table; [exact table_records|discriminate|discriminate|exact table_weights]. Qed.
Example table_np : Notions.np (family_of table) 4 (3 # 4) (M table) /\ ~ Notions.np (family_of table) 4 (1 # 2) (M table).
Proof.
  assert (one : forall d, 0 <= d -> Notions.np (family_of table) 4 d (M table) <-> PartialKnowledge.np Default (Within 4 d) table).
  { intros d d0. apply np_of_table; [exact table_records|discriminate|exact d0|exact table_weights]. }
  split.
  - apply one; [discriminate|]. exact (yes _ _ (np_reflect Default (Within 4 (3 # 4)) table) eq_refl).
  - intros V. apply one in V; [|discriminate]. revert V. exact (no _ _ (np_reflect Default (Within 4 (1 # 2)) table) eq_refl).
Qed.
Example table_ppkdp : PartialKnowledge.ppkdp Default (Within 4 (3 # 4)) table.
Proof.
  apply ppkdp_of_table; [exact table_records|discriminate|discriminate|exact table_weights|].
  apply (theorem_1_implies 2 _ _ (family_sized table table_records)); [discriminate|].
  intros theta F i a b k P P'. destruct (proj1 table_np theta F k i a b P P') as [W _].
  destruct F as (ws & I & ->). assert (l := possible_index 2 _ (family_sized table table_records) _ i a k (ex_intro _ ws (conj I eq_refl)) P).
  apply loss_within; [discriminate|now apply (table_nonnegative table table_records ws i a k (fun d => d) table_weights I l P)|
    now apply (table_nonnegative table table_records ws i b k (fun d => d) table_weights I l P')|exact W].
Qed.
Example table_cdp : Notions.cdp (family_of table) 4 (3 # 4) (M table).
Proof.
  refine (proj2 (cdp_of_table table table_records 4 (3 # 4) _ _ table_weights) _); [discriminate|discriminate|].
  exact (yes _ _ (cdp_reflect Default (Within 4 (3 # 4)) table) eq_refl).
Qed.
