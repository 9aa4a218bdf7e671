(** Finite laws over Q: means, conditioning, channels, and indistinguishability (DMKB20, Definition 1).

    A measure is a list of outcomes with rational weights, as in PartialKnowledge.v, whose sums and probabilities are used
    here; outcomes may repeat. A law is a measure with weights >= 0 that sum to 1. All that follows is about laws of any
    size; [E] stands for e^epsilon, a rational.

    The two steps on which the theorems rest: [functions_too] (what holds of all events holds of all functions with values
    from 0 to 1, which is post-processing), and [mean_by] (a mean is the sum of its parts, the law of total probability). *)

Require Export QArith Qminmax List Bool Arith Lia Lqa.
From PK Require Import PartialKnowledge.
Import ListNotations.
Open Scope Q_scope.

(** Labels can be told apart: values, knowledge and outputs. *)
Class Label (A : Type) := same : forall x y : A, {x = y} + {x <> y}.
#[global] Instance label_nat : Label nat := Nat.eq_dec.
#[global] Instance label_bool : Label bool := Bool.bool_dec.
#[global] Instance label_unit : Label unit. Proof. intros [] []. now left. Defined.
#[global] Instance label_pair {A C} `{Label A} `{Label C} : Label (A * C).
Proof. intros [x y] [z t]. destruct (same x z), (same y t); try (right; congruence). left; congruence. Defined.
#[global] Instance label_list {A} `{Label A} : Label (list A) := list_eq_dec same.
#[global] Instance label_option {A} `{Label A} : Label (option A).
Proof. intros [x|] [y|]; try (right; congruence); [destruct (same x y); [left|right]; congruence|now left]. Defined.

Definition eqb {A} `{Label A} (x y : A) : bool := if same x y then true else false.
Lemma eqb_true {A} `{Label A} (x y : A) : eqb x y = true <-> x = y.
Proof. unfold eqb. destruct (same x y); split; congruence. Qed.
Lemma eqb_eq {A} `{Label A} (x y : A) : eqb x y = true -> x = y.
Proof. apply eqb_true. Qed.
Lemma eqb_same {A} `{Label A} (x : A) : eqb x x = true.
Proof. now apply eqb_true. Qed.
Lemma eqb_sym {A} `{Label A} (x y : A) : eqb x y = eqb y x.
Proof. unfold eqb. destruct (same x y), (same y x); congruence. Qed.

(** * Arithmetic *)

Lemma div_pos x y : 0 < y -> 0 <= x -> 0 <= x / y.
Proof. intros P N. unfold Qdiv. apply Qmult_le_0_compat; [exact N|]. now apply Qlt_le_weak, Qinv_lt_0_compat. Qed.
Lemma div_le x y z : 0 < z -> x <= y * z -> x / z <= y.
Proof. intros P N. now apply Qle_shift_div_r. Qed.
Lemma le_div x y z : 0 < z -> x * z <= y -> x <= y / z.
Proof. intros P N. now apply Qle_shift_div_l. Qed.
Lemma div_mono x y z : 0 < z -> x <= y -> x / z <= y / z.
Proof. intros P N. unfold Qdiv. apply Qmult_le_compat_r; [exact N|]. now apply Qlt_le_weak, Qinv_lt_0_compat. Qed.

(** * Measures and means *)

Section Means.
  Context {A : Type}.
  Implicit Types (mu nu : measure A) (f g : A -> Q) (S : A -> bool).

  (** The mean of f, or its integral: the sum of weight times value. *)
  Definition mean mu f : Q := sum (map (fun xp => snd xp * f (fst xp)) mu).
  Definition nonnegative mu : Prop := forall x p, In (x, p) mu -> 0 <= p.
  Definition law mu : Prop := nonnegative mu /\ sum (map snd mu) == 1.
  (** The indicator of an event. *)
  Definition chi S x : Q := if S x then 1 else 0.

  Lemma chi_range S x : 0 <= chi S x <= 1.
  Proof. unfold chi. destruct (S x); lra. Qed.
  Lemma mean_nil f : mean [] f == 0.
  Proof. reflexivity. Qed.
  Lemma mean_cons x p mu f : mean ((x, p) :: mu) f == p * f x + mean mu f.
  Proof. unfold mean. cbn [map fst snd]. apply sum_cons. Qed.
  Lemma mean_app mu nu f : mean (mu ++ nu) f == mean mu f + mean nu f.
  Proof.
    induction mu as [|[x p] mu IH]; [cbn [app]; rewrite mean_nil; ring|]. cbn [app]. rewrite !mean_cons, IH. ring.
  Qed.
  Lemma mean_in mu f g : (forall x p, In (x, p) mu -> f x == g x) -> mean mu f == mean mu g.
  Proof. intros H. apply sum_ext. intros [x p] I. cbn [fst snd]. now rewrite (H x p I). Qed.
  Lemma mean_ext mu f g : (forall x, f x == g x) -> mean mu f == mean mu g.
  Proof. intros H. apply mean_in. auto. Qed.
  Lemma mean_plus mu f g : mean mu (fun x => f x + g x) == mean mu f + mean mu g.
  Proof. unfold mean. rewrite <- sum_plus. apply sum_ext. intros. ring. Qed.
  Lemma mean_minus mu f g : mean mu (fun x => f x - g x) == mean mu f - mean mu g.
  Proof. unfold mean. rewrite <- sum_minus. apply sum_ext. intros. ring. Qed.
  Lemma mean_scale mu c f : mean mu (fun x => c * f x) == c * mean mu f.
  Proof. unfold mean. rewrite <- sum_scale. apply sum_ext. intros. ring. Qed.
  Lemma mean_div mu c f : mean mu (fun x => f x / c) == mean mu f / c.
  Proof.
    rewrite (mean_ext _ _ (fun x => / c * f x)) by (intros; unfold Qdiv; ring). rewrite mean_scale. unfold Qdiv. ring.
  Qed.
  Lemma mean_zero mu f : (forall x p, In (x, p) mu -> f x == 0) -> mean mu f == 0.
  Proof. intros H. apply sum_zero. intros [x p] I. cbn [fst snd]. rewrite (H x p I). ring. Qed.
  Lemma mean_le mu f g : nonnegative mu -> (forall x p, In (x, p) mu -> f x <= g x) -> mean mu f <= mean mu g.
  Proof. intros N H. apply sum_le. intros [x p] I. cbn [fst snd]. specialize (N x p I). specialize (H x p I). nra. Qed.
  Lemma mean_nonnegative mu f : nonnegative mu -> (forall x p, In (x, p) mu -> 0 <= f x) -> 0 <= mean mu f.
  Proof. intros N H. rewrite <- (mean_zero mu (fun _ => 0)) by reflexivity. now apply mean_le. Qed.
  Lemma mean_sum {C} (f : A -> C -> Q) mu (X : list C) :
    mean mu (fun x => sum (map (f x) X)) == sum (map (fun c => mean mu (fun x => f x c)) X).
  Proof.
    induction X as [|c X IH]; [now apply mean_zero|]. cbn [map]. rewrite sum_cons, <- IH, <- mean_plus.
    apply mean_ext. intros x. apply sum_cons.
  Qed.

  Lemma Pr_mean mu S : Pr mu S == mean mu (chi S).
  Proof.
    induction mu as [|[x p] mu IH]; [reflexivity|]. rewrite Pr_cons, mean_cons, IH. unfold chi. destruct (S x); ring.
  Qed.
  Lemma Pr_ext mu S S' : (forall x, S x = S' x) -> Pr mu S == Pr mu S'.
  Proof. intros H. rewrite !Pr_mean. apply mean_ext. intros x. unfold chi. now rewrite H. Qed.
  Lemma Pr_nonnegative mu S : nonnegative mu -> 0 <= Pr mu S.
  Proof. intros N. rewrite Pr_mean. apply mean_nonnegative; [exact N|]. intros. apply chi_range. Qed.
  Lemma Pr_le mu S S' : nonnegative mu -> (forall x, S x = true -> S' x = true) -> Pr mu S <= Pr mu S'.
  Proof.
    intros N H. rewrite !Pr_mean. apply mean_le; [exact N|]. intros x p _. unfold chi. specialize (H x).
    destruct (S x); [rewrite H by reflexivity; lra|destruct (S' x); lra].
  Qed.
  Lemma Pr_member mu S x p : nonnegative mu -> In (x, p) mu -> S x = true -> p <= Pr mu S.
  Proof.
    induction mu as [|[y q] mu IH]; intros N I e; [destruct I|]. rewrite Pr_cons.
    assert (N' : nonnegative mu) by (intros z r J; apply (N z r); now right).
    assert (P := Pr_nonnegative mu S N'). assert (q0 := N y q (or_introl eq_refl)).
    destruct I as [I|I]; [injection I as -> ->; rewrite e; lra|]. specialize (IH N' I e). destruct (S y); lra.
  Qed.
  Lemma Pr_all mu : law mu -> Pr mu (fun _ => true) == 1.
  Proof.
    intros [_ T]. rewrite <- T. unfold Pr. clear T. induction mu as [|xp mu IH]; [reflexivity|]. cbn [filter map].
    now rewrite !sum_cons, IH.
  Qed.
  Lemma mean_constant mu c : law mu -> mean mu (fun _ => c) == c.
  Proof.
    intros L. rewrite (mean_ext _ _ (fun x => c * chi (fun _ => true) x)) by (intros; unfold chi; ring).
    rewrite mean_scale, <- Pr_mean, Pr_all by exact L. ring.
  Qed.
  (** What has no probability adds nothing. *)
  Lemma mean_null mu S f : nonnegative mu -> Pr mu S == 0 -> mean mu (fun x => if S x then f x else 0) == 0.
  Proof.
    induction mu as [|[x p] mu IH]; intros N Z; [reflexivity|]. rewrite Pr_cons in Z.
    assert (N' : nonnegative mu) by (intros y q I; apply (N y q); now right).
    assert (P := Pr_nonnegative mu S N'). assert (p0 := N x p (or_introl eq_refl)).
    rewrite mean_cons, (IH N') by (destruct (S x); lra). destruct (S x); [|ring].
    assert (e : p == 0) by lra. rewrite e. ring.
  Qed.
End Means.

Lemma mean_swap {A C} (mu : measure A) (nu : measure C) f :
  mean mu (fun x => mean nu (f x)) == mean nu (fun y => mean mu (fun x => f x y)).
Proof.
  unfold mean at 2. rewrite mean_sum. apply sum_ext. intros [y q] _. cbn [fst snd]. apply mean_scale.
Qed.

(** * Channels, conditioning, mixtures *)

Section Building.
  Context {A C : Type}.
  Implicit Types (mu : measure A) (K : A -> measure C).

  (** The law of what a channel K makes of an outcome of mu. *)
  Definition bind mu K : measure C :=
    flat_map (fun xp => map (fun yq => (fst yq, snd xp * snd yq)) (K (fst xp))) mu.
  Definition image (f : A -> C) mu : measure C := map (fun xp => (f (fst xp), snd xp)) mu.
  (** mu given an event. *)
  Definition given mu (S : A -> bool) : measure A :=
    map (fun xp => (fst xp, snd xp / Pr mu S)) (filter (fun xp => S (fst xp)) mu).
  (** mu with probability p, else nu. *)
  Definition mix (p : Q) (mu nu : measure A) : measure A :=
    map (fun xp => (fst xp, p * snd xp)) mu ++ map (fun xp => (fst xp, (1 - p) * snd xp)) nu.

  Lemma mean_bind mu K f : mean (bind mu K) f == mean mu (fun x => mean (K x) f).
  Proof.
    induction mu as [|[x p] mu IH]; [reflexivity|]. unfold bind. cbn [flat_map]. rewrite mean_app.
    fold (bind mu K). rewrite IH, mean_cons. cbn [fst snd].
    assert (e : mean (map (fun yq => (fst yq, p * snd yq)) (K x)) f == p * mean (K x) f).
    { unfold mean. rewrite map_map, <- sum_scale. apply sum_ext. intros. cbn [fst snd]. ring. }
    rewrite e. reflexivity.
  Qed.
  Lemma Pr_bind mu K S : Pr (bind mu K) S == mean mu (fun x => Pr (K x) S).
  Proof. rewrite Pr_mean, mean_bind. apply mean_ext. intros. symmetry. apply Pr_mean. Qed.
  Lemma mean_image (g : A -> C) mu f : mean (image g mu) f == mean mu (fun x => f (g x)).
  Proof. unfold mean, image. rewrite map_map. reflexivity. Qed.
  Lemma Pr_image (g : A -> C) mu S : Pr (image g mu) S == Pr mu (fun x => S (g x)).
  Proof. rewrite !Pr_mean, mean_image. reflexivity. Qed.
  Lemma mean_given mu S f : mean (given mu S) f == mean mu (fun x => if S x then f x else 0) / Pr mu S.
  Proof.
    unfold given. set (P := Pr mu S). clearbody P.
    induction mu as [|[x p] mu IH]; [unfold mean, Qdiv; cbn; ring|]. cbn [filter fst]. rewrite mean_cons.
    destruct (S x); cbn [map fst snd]; rewrite ?mean_cons, IH; unfold Qdiv; ring.
  Qed.
  Lemma Pr_given mu S S' : Pr (given mu S) S' == Pr mu (fun x => S x && S' x) / Pr mu S.
  Proof.
    rewrite !Pr_mean, mean_given, Pr_mean. rewrite (mean_ext _ (fun x => if S x then chi S' x else 0)
      (chi (fun x => S x && S' x))); [reflexivity|]. intros x. unfold chi. now destruct (S x).
  Qed.
  Lemma mean_mix p mu nu f : mean (mix p mu nu) f == p * mean mu f + (1 - p) * mean nu f.
  Proof.
    unfold mix. rewrite mean_app. unfold mean. rewrite !map_map, <- !sum_scale.
    apply Qplus_comp; apply sum_ext; intros; cbn [fst snd]; ring.
  Qed.
  Lemma Pr_mix p mu nu S : Pr (mix p mu nu) S == p * Pr mu S + (1 - p) * Pr nu S.
  Proof. rewrite !Pr_mean. apply mean_mix. Qed.

  Lemma nonnegative_given mu S : nonnegative mu -> 0 < Pr mu S -> nonnegative (given mu S).
  Proof.
    intros N P x p I. apply in_map_iff in I as [[y q] [e I]]. injection e as <- <-. apply filter_In in I as [I _].
    apply div_pos; [exact P|]. exact (N y q I).
  Qed.
  Lemma law_given mu S : nonnegative mu -> 0 < Pr mu S -> law (given mu S).
  Proof.
    intros N P. split; [now apply nonnegative_given|].
    assert (e : sum (map snd (given mu S)) == mean (given mu S) (fun _ => 1)).
    { unfold mean. apply sum_ext. intros. ring. }
    rewrite e, mean_given, Pr_mean. rewrite Pr_mean in P. unfold chi in *. field. lra.
  Qed.
  Lemma nonnegative_image (g : A -> C) mu : nonnegative mu -> nonnegative (image g mu).
  Proof. intros N y q I. apply in_map_iff in I as [[x p] [e I]]. injection e as _ <-. exact (N x p I). Qed.
  Lemma law_image (g : A -> C) mu : law mu -> law (image g mu).
  Proof. intros [N T]. split; [now apply nonnegative_image|]. unfold image. now rewrite map_map. Qed.
  Lemma nonnegative_bind mu K : nonnegative mu -> (forall x p, In (x, p) mu -> nonnegative (K x)) ->
    nonnegative (bind mu K).
  Proof.
    intros N H y r I. apply in_flat_map in I as [[x p] [I J]]. apply in_map_iff in J as [[z q] [e J]].
    injection e as _ <-. cbn [snd]. apply Qmult_le_0_compat; [exact (N x p I)|exact (H x p I z q J)].
  Qed.
  Lemma total mu : sum (map snd mu) == Pr mu (fun _ => true).
  Proof.
    unfold Pr. induction mu as [|xp mu IH]; [reflexivity|]. cbn [filter map]. now rewrite !sum_cons, IH.
  Qed.
End Building.

Lemma law_bind {A C} (mu : measure A) (K : A -> measure C) :
  law mu -> (forall x p, In (x, p) mu -> law (K x)) -> law (bind mu K).
Proof.
  intros L H. split; [apply nonnegative_bind; [apply L|intros x p I; apply (H x p I)]|].
  rewrite total, Pr_bind, (mean_in _ _ (fun _ => 1)); [now apply mean_constant|].
  intros x p I. now apply Pr_all, (H x p).
Qed.
Lemma law_mix {A} p (mu nu : measure A) : 0 <= p <= 1 -> law mu -> law nu -> law (mix p mu nu).
Proof.
  intros [p0 p1] L L'. split.
  - intros x q I. apply in_app_or in I as [I|I]; apply in_map_iff in I as [[y r] [e I]]; injection e as <- <-; cbn [snd];
      (apply Qmult_le_0_compat; [lra|]); [apply (proj1 L y r I)|apply (proj1 L' y r I)].
  - rewrite total, Pr_mix, !Pr_all by assumption. ring.
Qed.

Lemma fst_in {A} (mu : measure A) x p : In (x, p) mu -> In x (map fst mu).
Proof. intros I. apply in_map_iff. now exists (x, p). Qed.

(** * Total probability *)

Section Parts.
  Context {A C : Type} `{Label C}.
  Implicit Types (mu : measure A).

  (** A mean is the sum of its parts, by the value of g. *)
  Lemma mean_by (g : A -> C) mu f X : NoDup X -> (forall x p, In (x, p) mu -> In (g x) X) ->
    mean mu f == sum (map (fun c => mean mu (fun x => if eqb c (g x) then f x else 0)) X).
  Proof.
    intros N I. rewrite <- (mean_sum (fun x c => if eqb c (g x) then f x else 0)). apply mean_in. intros x p J.
    symmetry. exact (sum_single same (fun _ => true) (g x) (f x) X N (I x p J)).
  Qed.
  Definition range (g : A -> C) mu : list C := nodup same (map (fun xp => g (fst xp)) mu).
  Lemma range_nodup g mu : NoDup (range g mu).
  Proof. apply NoDup_nodup. Qed.
  Lemma range_in g mu x p : In (x, p) mu -> In (g x) (range g mu).
  Proof. intros I. apply nodup_In. apply in_map_iff. now exists (x, p). Qed.
End Parts.

(** * Indistinguishability *)

Section Close.
  Context {A : Type}.
  Implicit Types (mu nu : measure A).

  (** One line of DMKB20, Definition 1, and both of them. *)
  Definition within (E d : Q) mu nu : Prop := forall S, Pr mu S <= E * Pr nu S + d.
  Definition indistinguishable (E d : Q) mu nu : Prop := within E d mu nu /\ within E d nu mu.
  (** One law under two descriptions. *)
  Definition alike mu nu : Prop := forall S, Pr mu S == Pr nu S.

  Lemma within_alike E d mu mu' nu nu' : alike mu mu' -> alike nu nu' -> within E d mu nu -> within E d mu' nu'.
  Proof. intros F G H S. rewrite <- (F S), <- (G S). apply H. Qed.
  Lemma indistinguishable_alike E d mu mu' nu nu' : alike mu mu' -> alike nu nu' ->
    indistinguishable E d mu nu -> indistinguishable E d mu' nu'.
  Proof. intros F G [H H']. split; eapply within_alike; eassumption. Qed.
  Lemma alike_sym mu nu : alike mu nu -> alike nu mu.
  Proof. intros H S. symmetry. apply H. Qed.
  Lemma alike_trans mu nu rho : alike mu nu -> alike nu rho -> alike mu rho.
  Proof. intros H G S. now rewrite (H S). Qed.
  Lemma indistinguishable_sym E d mu nu : indistinguishable E d mu nu -> indistinguishable E d nu mu.
  Proof. intros [H G]. now split. Qed.
  (** A law is indistinguishable from itself. *)
  Lemma indistinguishable_same E d mu nu : 1 <= E -> 0 <= d -> nonnegative mu -> alike mu nu ->
    indistinguishable E d mu nu.
  Proof.
    intros e e' N H. split; intros S; rewrite <- (H S); assert (p := Pr_nonnegative mu S N); nra.
  Qed.
  Lemma indistinguishable_more E E' d d' mu nu : nonnegative mu -> nonnegative nu -> E <= E' -> d <= d' ->
    indistinguishable E d mu nu -> indistinguishable E' d' mu nu.
  Proof.
    intros N N' e e' [H G]. split; intros S; [specialize (H S); assert (p := Pr_nonnegative nu S N')|
      specialize (G S); assert (p := Pr_nonnegative mu S N)]; nra.
  Qed.
  (** Steps add up at d = 0; with d the second one is paid for E times. *)
  Theorem within_trans E E' d d' mu nu rho : 0 <= E -> within E d mu nu -> within E' d' nu rho ->
    within (E * E') (d + E * d') mu rho.
  Proof. intros e H G S. specialize (H S). specialize (G S). nra. Qed.

  Context `{Label A}.

  Lemma mean_by_outcome mu f X : NoDup X -> incl (map fst mu) X ->
    mean mu f == sum (map (fun x => at_ same mu x * f x) X).
  Proof.
    intros N I. rewrite (mean_by (fun x => x) mu f X N) by (intros x p J; apply I; eapply fst_in; eassumption).
    apply sum_ext. intros x _. unfold at_. rewrite Pr_mean, Qmult_comm, <- mean_scale. apply mean_ext. intros y.
    unfold chi, is, eqb. destruct (same x y) as [->|]; ring.
  Qed.

  (** What holds of events holds of functions with values from 0 to 1. *)
  Theorem functions_too E d mu nu g : (forall x, 0 <= g x <= 1) -> within E d mu nu ->
    mean mu g <= E * mean nu g + d.
  Proof.
    intros R W. assert (h := proj1 (hockey_stick same E d mu nu) W).
    assert (N : NoDup (outcomes same mu nu)) by apply NoDup_nodup.
    assert (e : mean mu g - E * mean nu g <= hockey same E mu nu).
    { rewrite (mean_by_outcome mu g _ N) by apply outcomes_left.
      rewrite (mean_by_outcome nu g _ N) by apply outcomes_right.
      rewrite <- sum_scale, <- sum_minus. apply sum_le. intros x _. destruct (R x).
      assert (l := Q.le_max_l 0 (at_ same mu x - E * at_ same nu x)).
      assert (r := Q.le_max_r 0 (at_ same mu x - E * at_ same nu x)). nra. }
    lra.
  Qed.

  (** The largest mu(S) - E*nu(S) is attained. *)
  Lemma attained E mu nu : exists S, Pr mu S - E * Pr nu S == hockey same E mu nu.
  Proof.
    exists (fun x => less 0 (at_ same mu x - E * at_ same nu x)).
    assert (N : NoDup (outcomes same mu nu)) by apply NoDup_nodup.
    rewrite (Pr_by_outcome same mu _ _ N) by apply outcomes_left.
    rewrite (Pr_by_outcome same nu _ _ N) by apply outcomes_right.
    rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros x _. unfold less.
    destruct (Qle_bool (at_ same mu x - E * at_ same nu x) 0) eqn:b; cbn [negb].
    - apply Qle_bool_iff in b. rewrite Q.max_l by exact b. ring.
    - rewrite Q.max_r; [ring|]. apply Qlt_le_weak, Qnot_le_lt. intros c. apply Qle_bool_iff in c. congruence.
  Qed.
  (** Laws with the same probability for each outcome are one law. *)
  Lemma alike_at mu nu : (forall x, at_ same mu x == at_ same nu x) -> alike mu nu.
  Proof.
    intros e S. assert (N : NoDup (outcomes same mu nu)) by apply NoDup_nodup.
    rewrite (Pr_by_outcome same mu S _ N) by apply outcomes_left.
    rewrite (Pr_by_outcome same nu S _ N) by apply outcomes_right.
    apply sum_ext. intros x _. destruct (S x); [apply e|reflexivity].
  Qed.
  (** Equal laws have equal means. *)
  Lemma mean_alike mu nu f : alike mu nu -> mean mu f == mean nu f.
  Proof.
    intros e. assert (N : NoDup (outcomes same mu nu)) by apply NoDup_nodup.
    rewrite (mean_by_outcome mu f _ N) by apply outcomes_left.
    rewrite (mean_by_outcome nu f _ N) by apply outcomes_right.
    apply sum_ext. intros x _. unfold at_. now rewrite (e (is same x)).
  Qed.
  (** At d = 0 single outcomes are enough. *)
  Lemma within_at E mu nu : (forall x, at_ same mu x <= E * at_ same nu x) <-> within E 0 mu nu.
  Proof.
    split; intros H0.
    - intros S. assert (N : NoDup (outcomes same mu nu)) by apply NoDup_nodup.
      rewrite (Pr_by_outcome same mu S _ N) by apply outcomes_left.
      rewrite (Pr_by_outcome same nu S _ N) by apply outcomes_right.
      rewrite <- sum_scale. rewrite Qplus_0_r. apply sum_le. intros x _. destruct (S x); [apply H0|lra].
    - intros x. specialize (H0 (is same x)). unfold at_. lra.
  Qed.
End Close.

(** Post-processing, deterministic and random, of two laws. *)
Theorem within_bind {A C} `{Label A} E d (mu nu : measure A) (K : A -> measure C) : (forall x, law (K x)) ->
  within E d mu nu -> within E d (bind mu K) (bind nu K).
Proof.
  intros L W S. rewrite !Pr_bind. apply functions_too; [|exact W]. intros x. split.
  - apply Pr_nonnegative, L.
  - rewrite <- (Pr_all (K x) (L x)). apply Pr_le; [apply L|auto].
Qed.
Theorem within_image {A C} E d (mu nu : measure A) (f : A -> C) : within E d mu nu ->
  within E d (image f mu) (image f nu).
Proof. intros W S. rewrite !Pr_image. apply W. Qed.
(** Mixtures with the same weights: [mu] given an outcome of a common draw, [nu] given the same. *)
Theorem within_average {A C} E d (w : measure C) (mu nu : C -> measure A) : law w ->
  (forall c p, In (c, p) w -> within E d (mu c) (nu c)) -> within E d (bind w mu) (bind w nu).
Proof.
  intros L H S. rewrite !Pr_bind. rewrite <- (mean_constant w d L) at 1. rewrite <- mean_scale, <- mean_plus.
  apply mean_le; [apply L|]. intros c p I. now apply (H c p I).
Qed.
Theorem within_mix {A} E d p (mu mu' nu nu' : measure A) : 0 <= p <= 1 -> within E d mu nu -> within E d mu' nu' ->
  within E d (mix p mu mu') (mix p nu nu').
Proof. intros P H G S. rewrite !Pr_mix. specialize (H S). specialize (G S). nra. Qed.
