(** Privacy definitions with partial knowledge over finite rational tables (DMKB20, Definitions 1 to 6, 12 and 13).

    A finite measure is a list of outcomes with rational weights. [close] is indistinguishability in its usual form:
    for every event S, Pr mu S <= E * Pr nu S + d, with E for e^epsilon. The definitions quantify over the worlds of
    each distribution, the knowledge of the attacker, the record and its values. Every definition has a decision
    function, and a proof that the function answers [true] exactly where the definition holds; so a theorem about a
    table is proved by computing. The key step is [hockey_stick]: "for every event" is one sum of positive parts.

    Checked with Coq 8.16. Nothing is assumed: see the end of the file. *)

Require Import QArith Qreduction Qminmax List Bool Arith Lia Lqa.
Import ListNotations.
Open Scope Q_scope.

(** * Measures *)

(** [Qred] keeps fractions in lowest terms; it changes no value. *)
Fixpoint sum (l : list Q) : Q := match l with [] => 0 | x :: r => Qred (x + sum r) end.

Definition measure (A : Type) := list (A * Q).
Definition Pr {A} (mu : measure A) (S : A -> bool) : Q := sum (map snd (filter (fun xp => S (fst xp)) mu)).

Definition positive (q : Q) : bool := negb (Qle_bool q 0).
Definition less (p q : Q) : bool := negb (Qle_bool q p).

(** How close two measures are: [Within E d] is (epsilon, delta)-indistinguishability with E = e^epsilon; [Limit d]
    asks it for epsilon = infinity, where only what nu cannot produce counts; [Tail E d] counts the outcomes whose loss
    is above epsilon with their whole probability. *)
Inductive closeness := Within (E d : Q) | Limit (d : Q) | Tail (E d : Q).

Section Measures.
  Context {A : Type} (eq_dec : forall x y : A, {x = y} + {x <> y}).
  Implicit Types mu nu : measure A.

  Definition is (x y : A) : bool := if eq_dec x y then true else false.
  Definition at_ mu (x : A) : Q := Pr mu (is x).

  Definition close (c : closeness) mu nu : Prop :=
    match c with
    | Within E d => forall S, Pr mu S <= E * Pr nu S + d
    | Limit d => forall S, (forall x, S x = true -> at_ nu x == 0) -> Pr mu S <= d
    | Tail E d => Pr mu (fun x => less (E * at_ nu x) (at_ mu x)) <= d
    end.

  Lemma sum_cons x l : sum (x :: l) == x + sum l.
  Proof. apply Qred_correct. Qed.

  Lemma sum_ext {B} (f g : B -> Q) l : (forall x, In x l -> f x == g x) -> sum (map f l) == sum (map g l).
  Proof.
    induction l as [|x l IH]; intros H; [reflexivity|]. cbn [map]. rewrite !sum_cons.
    rewrite (H x (or_introl eq_refl)), IH; [reflexivity|]. intros y Hy. apply H. now right.
  Qed.

  Lemma sum_le {B} (f g : B -> Q) l : (forall x, In x l -> f x <= g x) -> sum (map f l) <= sum (map g l).
  Proof.
    induction l as [|x l IH]; intros H; [apply Qle_refl|]. cbn [map]. rewrite !sum_cons.
    apply Qplus_le_compat; [apply H; now left|]. apply IH. intros y Hy. apply H. now right.
  Qed.

  Lemma sum_plus {B} (f g : B -> Q) l : sum (map (fun x => f x + g x) l) == sum (map f l) + sum (map g l).
  Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map]. rewrite !sum_cons, IH. ring. Qed.

  Lemma sum_minus {B} (f g : B -> Q) l : sum (map (fun x => f x - g x) l) == sum (map f l) - sum (map g l).
  Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map]. rewrite !sum_cons, IH. ring. Qed.

  Lemma sum_scale {B} (f : B -> Q) c l : sum (map (fun x => c * f x) l) == c * sum (map f l).
  Proof. induction l as [|x l IH]; [cbn; ring|]. cbn [map]. rewrite !sum_cons, IH. ring. Qed.

  Lemma sum_zero {B} (f : B -> Q) l : (forall x, In x l -> f x == 0) -> sum (map f l) == 0.
  Proof.
    induction l as [|x l IH]; intros H; [reflexivity|]. cbn [map]. rewrite sum_cons.
    rewrite (H x (or_introl eq_refl)), IH; [ring|]. intros y Hy. apply H. now right.
  Qed.

  Lemma Pr_cons x p mu S : Pr ((x, p) :: mu) S == (if S x then p else 0) + Pr mu S.
  Proof. unfold Pr. cbn [filter fst]. destruct (S x); cbn [map snd]; [now rewrite sum_cons|ring]. Qed.

  Lemma sum_single (S : A -> bool) y p X : NoDup X -> In y X ->
    sum (map (fun x => if S x then (if is x y then p else 0) else 0) X) == (if S y then p else 0).
  Proof.
    induction X as [|x X IH]; intros N I; [destruct I|]. inversion N as [|? ? H N']; subst. cbn [map].
    rewrite sum_cons. unfold is at 1. destruct (eq_dec x y) as [->|D].
    - rewrite sum_zero; [destruct (S y); ring|]. intros z Hz. unfold is.
      destruct (eq_dec z y) as [->|]; [contradiction|]. now destruct (S z).
    - destruct I as [->|I]; [now destruct D|]. rewrite (IH N' I). destruct (S x); ring.
  Qed.

  (** An event has the sum of its outcomes. *)
  Lemma Pr_by_outcome mu S X : NoDup X -> incl (map fst mu) X ->
    Pr mu S == sum (map (fun x => if S x then at_ mu x else 0) X).
  Proof.
    intros N. induction mu as [|[y p] mu IH]; intros I.
    - symmetry. apply sum_zero. intros x _. now destruct (S x).
    - rewrite Pr_cons, IH by (intros z Hz; apply I; now right).
      rewrite <- (sum_single S y p X N) by (apply I; now left).
      rewrite <- sum_plus. apply sum_ext. intros x _. unfold at_. destruct (S x); [|ring].
      rewrite Pr_cons. reflexivity.
  Qed.

  Definition outcomes mu nu : list A := nodup eq_dec (map fst (mu ++ nu)).

  Lemma outcomes_left mu nu : incl (map fst mu) (outcomes mu nu).
  Proof. intros x H. apply nodup_In. rewrite map_app. apply in_or_app. now left. Qed.
  Lemma outcomes_right mu nu : incl (map fst nu) (outcomes mu nu).
  Proof. intros x H. apply nodup_In. rewrite map_app. apply in_or_app. now right. Qed.

  Definition hockey (E : Q) mu nu : Q := sum (map (fun x => Qmax 0 (at_ mu x - E * at_ nu x)) (outcomes mu nu)).

  (** The hockey-stick lemma: indistinguishable for all events iff the positive parts sum to at most d. *)
  Theorem hockey_stick E d mu nu : (forall S, Pr mu S <= E * Pr nu S + d) <-> hockey E mu nu <= d.
  Proof.
    assert (split : forall S, Pr mu S - E * Pr nu S ==
      sum (map (fun x => if S x then at_ mu x - E * at_ nu x else 0) (outcomes mu nu))).
    { intros S.
      rewrite (Pr_by_outcome mu S (outcomes mu nu)) by (apply NoDup_nodup || apply outcomes_left).
      rewrite (Pr_by_outcome nu S (outcomes mu nu)) by (apply NoDup_nodup || apply outcomes_right).
      rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros x _. destruct (S x); ring. }
    split.
    - intros H. pose (S := fun x => less 0 (at_ mu x - E * at_ nu x)). specialize (H S).
      assert (e : hockey E mu nu == Pr mu S - E * Pr nu S).
      { rewrite split. apply sum_ext. intros x _. unfold S, less.
        destruct (Qle_bool (at_ mu x - E * at_ nu x) 0) eqn:b; cbn.
        - apply Qle_bool_iff in b. now rewrite Q.max_l.
        - rewrite Q.max_r; [reflexivity|]. apply Qlt_le_weak, Qnot_le_lt. intro c.
          apply Qle_bool_iff in c. congruence. }
      lra.
    - intros H S. specialize (split S).
      assert (le : Pr mu S - E * Pr nu S <= hockey E mu nu).
      { rewrite split. apply sum_le. intros x _. destruct (S x); [apply Q.le_max_r|apply Q.le_max_l]. }
      lra.
  Qed.

  (** What nu cannot produce, as one sum. *)
  Definition unanswered mu nu : Q :=
    sum (map (fun x => if Qeq_bool (at_ nu x) 0 then Qmax 0 (at_ mu x) else 0) (outcomes mu nu)).

  Theorem limit_sum d mu nu :
    (forall S, (forall x, S x = true -> at_ nu x == 0) -> Pr mu S <= d) <-> unanswered mu nu <= d.
  Proof.
    assert (split := fun S => Pr_by_outcome mu S (outcomes mu nu) (NoDup_nodup eq_dec _) (outcomes_left mu nu)).
    split.
    - intros H. pose (S := fun x => Qeq_bool (at_ nu x) 0 && less 0 (at_ mu x)).
      assert (e : unanswered mu nu == Pr mu S).
      { rewrite split. apply sum_ext. intros x _. unfold S, less.
        destruct (Qeq_bool (at_ nu x) 0); [|reflexivity]. cbn.
        destruct (Qle_bool (at_ mu x) 0) eqn:b; cbn.
        - apply Qle_bool_iff in b. now rewrite Q.max_l.
        - rewrite Q.max_r; [reflexivity|]. apply Qlt_le_weak, Qnot_le_lt. intro c.
          apply Qle_bool_iff in c. congruence. }
      rewrite e. apply H. intros x Hx. unfold S in Hx. apply andb_prop in Hx. now apply Qeq_bool_iff.
    - intros H S HS. rewrite split. eapply Qle_trans; [|exact H]. apply sum_le. intros x _.
      destruct (S x) eqn:s.
      + rewrite (proj2 (Qeq_bool_iff _ _) (HS x s)). apply Q.le_max_r.
      + destruct (Qeq_bool (at_ nu x) 0); [apply Q.le_max_l|apply Qle_refl].
  Qed.

  Definition close_dec (c : closeness) mu nu : bool :=
    match c with
    | Within E d => Qle_bool (hockey E mu nu) d
    | Limit d => Qle_bool (unanswered mu nu) d
    | Tail E d => Qle_bool (Pr mu (fun x => less (E * at_ nu x) (at_ mu x))) d
    end.

  Lemma close_reflect c mu nu : reflect (close c mu nu) (close_dec c mu nu).
  Proof.
    apply iff_reflect. destruct c as [E d|d|E d]; cbn [close close_dec]; rewrite Qle_bool_iff.
    - apply hockey_stick.
    - apply limit_sum.
    - reflexivity.
  Qed.

  (** What holds within some finite factor holds in the limit. *)
  Lemma within_limit E d mu nu : close (Within E d) mu nu -> close (Limit d) mu nu.
  Proof.
    cbn. intros H S HS. specialize (H S).
    assert (z : Pr nu S == 0).
    { rewrite (Pr_by_outcome nu S (outcomes mu nu)) by (apply NoDup_nodup || apply outcomes_right).
      apply sum_zero. intros x _. destruct (S x) eqn:s; [now apply HS|reflexivity]. }
    rewrite z in H. lra.
  Qed.

  (** A larger factor and a larger delta allow more. *)
  Lemma within_more E E' d d' mu nu : (forall S, 0 <= Pr nu S) -> E <= E' -> d <= d' ->
    close (Within E d) mu nu -> close (Within E' d') mu nu.
  Proof. cbn. intros p e f H S. specialize (H S). specialize (p S). nra. Qed.
End Measures.

(** * Models *)

(** One world: a database, what the attacker knows, a sensitive value (where it is no record), a probability. *)
Record world := World { base : list nat; known : nat; column : nat; weight : Q }.

(** What is protected: a record, or the column of sensitive values. *)
Inductive target := Record_ (i : nat) | Column.

Record model := Model {
  size : nat;                               (* records *)
  values : list nat;                        (* T *)
  domain : list nat;                        (* what the protected thing can be *)
  targets : list target;
  thetas : list (list world);
  mechanism : list (list nat * measure nat) (* the law of the output on each database *)
}.

Fixpoint lookup (d : list nat) (table : list (list nat * measure nat)) : measure nat :=
  match table with
  | [] => []
  | (e, mu) :: rest => if list_eq_dec Nat.eq_dec d e then mu else lookup d rest
  end.

Definition M (m : model) (d : list nat) : measure nat := lookup d (mechanism m).

(** The database with record i set to b. *)
Fixpoint set (i b : nat) (d : list nat) : list nat :=
  match d, i with
  | [], _ => []
  | _ :: r, O => b :: r
  | x :: r, S j => x :: set j b r
  end.

Definition value (t : target) (w : world) : nat := match t with Record_ i => nth i (base w) O | Column => column w end.
Definition replace (t : target) (b : nat) (d : list nat) : list nat :=
  match t with Record_ i => set i b d | Column => d end.

Definition mass (ws : list world) : Q := sum (map weight ws).
Definition knowledge (ws : list world) : list nat := nodup Nat.eq_dec (map known ws).

(** The worlds with knowledge k, and of these the ones where the target is a. *)
Definition hearing (k : nat) (ws : list world) := filter (fun w => known w =? k)%nat ws.
Definition having (t : target) (a : nat) (ws : list world) := filter (fun w => value t w =? a)%nat ws.
Definition given ws t k a := having t a (hearing k ws).

(** The law of M(f(D)) for D drawn from some worlds. *)
Definition output (m : model) (f : list nat -> list nat) (ws : list world) : measure nat :=
  let all := mass ws in
  flat_map (fun w => map (fun op => (fst op, Qred (weight w * snd op / all))) (M m (f (base w)))) ws.

(** The belief about the target after M(f(D)) = o, for D drawn from some worlds; and the probability of o. *)
Definition seen (m : model) (f : list nat -> list nat) (o : nat) (w : world) : Q :=
  Qred (weight w * at_ Nat.eq_dec (M m (f (base w))) o).
Definition chance m f o ws : Q := sum (map (seen m f o) ws).
Definition belief (m : model) (t : target) f (o : nat) (ws : list world) : measure nat :=
  let all := chance m f o ws in map (fun w => (value t w, Qred (seen m f o w / all))) ws.

Definition outputs (m : model) : list nat := nodup Nat.eq_dec (flat_map (fun row => map fst (snd row)) (mechanism m)).

(** All databases of so many records. *)
Fixpoint tuples (n : nat) (T : list nat) : list (list nat) :=
  match n with O => [[]] | S p => flat_map (fun x => map (cons x) (tuples p T)) T end.

(** * Decidable statements *)

Lemma all_reflect {A} (P : A -> Prop) p l : (forall x, reflect (P x) (p x)) ->
  reflect (forall x, In x l -> P x) (forallb p l).
Proof.
  intros H. apply iff_reflect. rewrite forallb_forall. split; intros G x I.
  - destruct (H x) as [|N]; [reflexivity|]. exfalso. exact (N (G x I)).
  - specialize (G x I). now destruct (H x).
Qed.

Lemma implies_reflect P p (b : bool) : reflect P p -> reflect (b = true -> P) (implb b p).
Proof.
  intros H. destruct b; cbn.
  - destruct H; constructor; auto.
  - constructor. discriminate.
Qed.

Lemma both_reflect P p Q q : reflect P p -> reflect Q q -> reflect (P /\ Q) (p && q).
Proof. intros H G; destruct H, G; constructor; tauto. Qed.

Ltac reflected := repeat first
  [ apply close_reflect | apply both_reflect | apply implies_reflect | apply all_reflect; intros ].

(** * The definitions *)

(** The readings that the certificates name. *)
Inductive reading := Default | OneOrder | AllValues | PossibleValues | InfiniteLoss.

Definition asked (r : reading) (a b : nat) : bool :=
  negb (a =? b)%nat && match r with OneOrder => (a <? b)%nat | _ => true end.
Definition backwards (r : reading) : bool := match r with OneOrder => false | _ => true end.
Definition any_value (r : reading) : bool := match r with AllValues => true | _ => false end.
Definition infinite (r : reading) : bool := match r with InfiniteLoss => true | _ => false end.
Definition only_possible (r : reading) : bool := match r with PossibleValues => true | _ => false end.

Section Definitions.
  Context (r : reading) (c : closeness) (m : model).
  Notation alike := (close Nat.eq_dec).
  Notation same := (fun d => d).

  (** Differential privacy (Definition 2): databases of T^n that differ in one record. *)
  Definition dp : Prop :=
    forall i, In i (targets m) -> forall d, In d (tuples (size m) (values m)) -> forall b, In b (values m) ->
    asked r (value i (World d 0 0 1)) b = true -> alike c (M m d) (M m (replace i b d)).

  (** Noiseless privacy (Definition 3), with delta: active partial knowledge (Definition 12). *)
  Definition np : Prop :=
    forall ws, In ws (thetas m) -> forall i, In i (targets m) -> forall k, In k (knowledge ws) ->
    forall a, In a (domain m) -> forall b, In b (domain m) -> asked r a b = true ->
    positive (mass (given ws i k a)) && positive (mass (given ws i k b)) = true ->
    alike c (output m same (given ws i k a)) (output m same (given ws i k b)).
  Definition apkdp := np.

  (** Passive partial knowledge (Definition 13): the attacker's knowledge and the output together, given that the
      target is a; the second measure has the outputs of b under the same knowledge. Knowledge that excludes b adds
      nothing, or with [InfiniteLoss] its whole mass. *)
  Definition pairs (ws : list world) (i : target) (a b : nat) (other : bool) : measure (nat * nat) :=
    flat_map (fun k =>
      if positive (mass (given ws i k a)) && (infinite r || positive (mass (given ws i k b))) then
        let share := mass (given ws i k a) / mass (having i a ws) in
        map (fun op => ((k, fst op), Qred (share * snd op)))
          (output m same (given ws i k (if other then b else a)))
      else []) (knowledge ws).
  Definition met (ws : list world) (i : target) (a b : nat) : bool :=
    if infinite r then positive (mass (having i a ws)) && positive (mass (having i b ws))
    else existsb (fun k => positive (mass (given ws i k a)) && positive (mass (given ws i k b))) (knowledge ws).
  Definition pair_dec (x y : nat * nat) : {x = y} + {x <> y}.
  Proof. decide equality; apply Nat.eq_dec. Defined.
  Definition ppkdp : Prop :=
    forall ws, In ws (thetas m) -> forall i, In i (targets m) ->
    forall a, In a (domain m) -> forall b, In b (domain m) -> asked r a b = true ->
    met ws i a b = true ->
    close pair_dec c (pairs ws i a b false) (pairs ws i a b true).

  (** Causal differential privacy (Definition 5): against the database with the record set to b afterwards. *)
  Definition cdp : Prop :=
    forall ws, In ws (thetas m) -> forall i, In i (targets m) -> forall k, In k (knowledge ws) ->
    forall a, In a (domain m) -> forall b, In b (domain m) -> negb (a =? b)%nat = true ->
    positive (mass (given ws i k a)) && (any_value r || positive (mass (given ws i k b))) = true ->
    let fact := output m same (given ws i k a) in
    let changed := output m (replace i b) (given ws i k a) in
    alike c fact changed /\ (backwards r = true -> alike c changed fact).

  (** Inference-based causal differential privacy (Definition 6): beliefs after an output that both can produce. *)
  Definition ibcdp : Prop :=
    forall ws, In ws (thetas m) -> forall i, In i (targets m) -> forall k, In k (knowledge ws) ->
    forall b, In b (domain m) -> forall o, In o (outputs m) ->
    positive (chance m same o (hearing k ws)) && positive (chance m (replace i b) o (hearing k ws))
      && (negb (only_possible r) || positive (mass (given ws i k b))) = true ->
    let fact := belief m i same o (hearing k ws) in
    let changed := belief m i (replace i b) o (hearing k ws) in
    alike c fact changed /\ (backwards r = true -> alike c changed fact).
End Definitions.

(** * Deciding them *)

Section Deciding.
  Context (r : reading) (c : closeness) (m : model).
  Notation alike := (close_dec Nat.eq_dec).
  Notation same := (fun d => d).

  Definition dp_dec : bool :=
    forallb (fun i => forallb (fun d => forallb (fun b => implb (asked r (value i (World d 0 0 1)) b)
      (alike c (M m d) (M m (replace i b d)))) (values m)) (tuples (size m) (values m))) (targets m).
  Theorem dp_reflect : reflect (dp r c m) dp_dec.
  Proof. unfold dp, dp_dec. cbv zeta. reflected. Qed.

  Definition np_dec : bool :=
    forallb (fun ws => forallb (fun i => forallb (fun k => forallb (fun a => forallb (fun b => implb (asked r a b)
      (implb (positive (mass (given ws i k a)) && positive (mass (given ws i k b)))
        (alike c (output m same (given ws i k a)) (output m same (given ws i k b)))))
      (domain m)) (domain m)) (knowledge ws)) (targets m)) (thetas m).
  Theorem np_reflect : reflect (np r c m) np_dec.
  Proof. unfold np, np_dec. cbv zeta. reflected. Qed.

  Definition ppkdp_dec : bool :=
    forallb (fun ws => forallb (fun i => forallb (fun a => forallb (fun b => implb (asked r a b)
      (implb (met r ws i a b)
        (close_dec pair_dec c (pairs r m ws i a b false) (pairs r m ws i a b true))))
      (domain m)) (domain m)) (targets m)) (thetas m).
  Theorem ppkdp_reflect : reflect (ppkdp r c m) ppkdp_dec.
  Proof. unfold ppkdp, ppkdp_dec. cbv zeta. reflected. Qed.

  Definition cdp_dec : bool :=
    forallb (fun ws => forallb (fun i => forallb (fun k => forallb (fun a => forallb (fun b => implb (negb (a =? b)%nat)
      (implb (positive (mass (given ws i k a)) && (any_value r || positive (mass (given ws i k b))))
        (let fact := output m same (given ws i k a) in
         let changed := output m (replace i b) (given ws i k a) in
         alike c fact changed && implb (backwards r) (alike c changed fact))))
      (domain m)) (domain m)) (knowledge ws)) (targets m)) (thetas m).
  Theorem cdp_reflect : reflect (cdp r c m) cdp_dec.
  Proof. unfold cdp, cdp_dec. cbv zeta. reflected. Qed.

  Definition ibcdp_dec : bool :=
    forallb (fun ws => forallb (fun i => forallb (fun k => forallb (fun b => forallb (fun o =>
      implb (positive (chance m same o (hearing k ws)) && positive (chance m (replace i b) o (hearing k ws))
          && (negb (only_possible r) || positive (mass (given ws i k b))))
        (let fact := belief m i same o (hearing k ws) in
         let changed := belief m i (replace i b) o (hearing k ws) in
         alike c fact changed && implb (backwards r) (alike c changed fact)))
      (outputs m)) (domain m)) (knowledge ws)) (targets m)) (thetas m).
  Theorem ibcdp_reflect : reflect (ibcdp r c m) ibcdp_dec.
  Proof. unfold ibcdp, ibcdp_dec. cbv zeta. reflected. Qed.
End Deciding.

(** Reading a decision: what computes to [true] holds, what computes to [false] fails. *)
Lemma yes P b : reflect P b -> b = true -> P.
Proof. intros H ->. now inversion H. Qed.
Lemma no P b : reflect P b -> b = false -> ~ P.
Proof. intros H ->. now inversion H. Qed.

(** * Some finite epsilon *)

Section SomeFinite.
  Context (r : reading) (m : model).
  Lemma np_limit E d : np r (Within E d) m -> np r (Limit d) m.
  Proof. unfold np. intros H. intros. eapply within_limit, H; eassumption. Qed.
  Lemma dp_limit E d : dp r (Within E d) m -> dp r (Limit d) m.
  Proof. unfold dp. intros H. intros. eapply within_limit, H; eassumption. Qed.
  Lemma ppkdp_limit E d : ppkdp r (Within E d) m -> ppkdp r (Limit d) m.
  Proof. unfold ppkdp. intros H. intros. eapply within_limit, H; eassumption. Qed.
  Lemma cdp_limit E d : cdp r (Within E d) m -> cdp r (Limit d) m.
  Proof.
    unfold cdp. intros H ws W i I k K a A b B ne p.
    destruct (H ws W i I k K a A b B ne p) as [F G]. split; [|intros o; specialize (G o)]; eapply within_limit; eassumption.
  Qed.
  Lemma ibcdp_limit E d : ibcdp r (Within E d) m -> ibcdp r (Limit d) m.
  Proof.
    unfold ibcdp. intros H ws W i I k K b B o O p.
    destruct (H ws W i I k K b B o O p) as [F G]. split; [|intros q; specialize (G q)]; eapply within_limit; eassumption.
  Qed.
End SomeFinite.

(** What fails in the limit fails within every finite factor. *)
Lemma never (P : closeness -> Prop) d :
  (forall E, P (Within E d) -> P (Limit d)) -> ~ P (Limit d) -> forall E, ~ P (Within E d).
Proof. firstorder. Qed.

(** Something is compared iff not even this bound holds: 0 <= 0 * 0 - 1 fails for the empty event. *)
Definition nothing : closeness := Within 0 (-(1)).

(** * Tables that are laws *)

Definition law_dec {A} (mu : measure A) : bool :=
  forallb (fun xp => Qle_bool 0 (snd xp)) mu && Qeq_bool (sum (map snd mu)) 1.
Definition inside (l : list nat) (x : nat) : bool := existsb (Nat.eqb x) l.

(** Each distribution sums to 1, its databases have the right size and values, and the mechanism has a law on each of
    them, on each that a replaced record leads to ([changed]), or on all of T^n ([all]). *)
Definition well_formed (changed all : bool) (m : model) : bool :=
  forallb (fun ws => Qeq_bool (mass ws) 1 && forallb (fun w =>
      Qle_bool 0 (weight w) && (length (base w) =? size m)%nat && forallb (inside (values m)) (base w) &&
      law_dec (M m (base w)) &&
      forallb (fun i => inside (domain m) (value i w) && (negb changed ||
        forallb (fun b => law_dec (M m (replace i b (base w)))) (values m))) (targets m)) ws) (thetas m)
  && (negb all || forallb (fun d => law_dec (M m d)) (tuples (size m) (values m))).

(** * Simulators (Definition 4) *)

(** What the simulator is told: the record and the other values; not which record; also the distribution; also the
    attacker's knowledge. *)
Inductive told := Indexed | IndexFree | PerDistribution | PerKnowledge.
Definition context := (option nat * list nat * option nat * option nat)%type.
Definition context_dec (x y : context) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.

Fixpoint without (i : nat) (d : list nat) : list nat :=
  match d, i with
  | [], _ => []
  | _ :: r, O => r
  | x :: r, S j => x :: without j r
  end.

(** A simulator that is not told which record is missing is told a multiset: the other values in increasing order. *)
Fixpoint put (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: r => if (x <=? y)%nat then x :: y :: r else y :: put x r end.

Definition sees (q : told) (t i : nat) (w : world) : context :=
  (match q with IndexFree => None | _ => Some i end,
   match q with IndexFree => fold_right put [] (without i (base w)) | _ => without i (base w) end,
   match q with PerDistribution => Some t | _ => None end, match q with PerKnowledge => Some (known w) | _ => None end).

(** What is imitated: M(D) given a distribution, a record, the knowledge and a value that are possible together. *)
Record row := Row { theta_ : nat; record_ : nat; heard_ : nat; value_ : nat }.
Definition row_dec (x y : row) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.
Definition worlds_of (m : model) (r : row) : list world :=
  given (nth (theta_ r) (thetas m) []) (Record_ (record_ r)) (heard_ r) (value_ r).
Definition records (m : model) : list nat :=
  flat_map (fun t => match t with Record_ i => [i] | Column => [] end) (targets m).
Definition rows (m : model) : list row :=
  filter (fun r => positive (mass (worlds_of m r)))
    (flat_map (fun t => flat_map (fun i => flat_map (fun k => map (Row t i k) (domain m))
      (knowledge (nth t (thetas m) []))) (records m)) (seq 0 (length (thetas m)))).

Definition is_law (mu : measure nat) : Prop := (forall x p, In (x, p) mu -> 0 <= p) /\ sum (map snd mu) == 1.

Section Simulators.
  Context (q : told) (m : model).
  Definition real_ (r : row) : measure nat := output m (fun d => d) (worlds_of m r).
  Definition answer (Sim : context -> measure nat) (r : row) : measure nat :=
    let all := mass (worlds_of m r) in
    flat_map (fun w => map (fun op => (fst op, Qred (weight w * snd op / all)))
      (Sim (sees q (theta_ r) (record_ r) w))) (worlds_of m r).

  (** Distributional differential privacy: one simulator for all rows, alike in both directions. *)
  Definition ddp (c : closeness) : Prop :=
    exists Sim : context -> measure nat, (forall x, is_law (Sim x)) /\
    forall r, In r (rows m) -> close Nat.eq_dec c (real_ r) (answer Sim r) /\ close Nat.eq_dec c (answer Sim r) (real_ r).

  Lemma ddp_limit E d : ddp (Within E d) -> ddp (Limit d).
  Proof.
    intros (Sim & L & H). exists Sim. split; [exact L|]. intros r I. destruct (H r I).
    split; eapply within_limit; eassumption.
  Qed.

  (** It holds: a table of answers is enough. *)
  Fixpoint find (x : context) (table : list (context * measure nat)) : measure nat :=
    match table with
    | [] => [(O, 1)]
    | (y, mu) :: rest => if context_dec x y then mu else find x rest
    end.
  Definition enough (c : closeness) (table : list (context * measure nat)) : bool :=
    let Sim x := find x table in
    forallb (fun row => law_dec (snd row)) table &&
    forallb (fun r => close_dec Nat.eq_dec c (real_ r) (answer Sim r) && close_dec Nat.eq_dec c (answer Sim r) (real_ r))
      (rows m).

  Lemma law_dec_is (mu : measure nat) : law_dec mu = true -> is_law mu.
  Proof.
    unfold law_dec, is_law. intros H. apply andb_prop in H as [H G]. split.
    - intros x p I. rewrite forallb_forall in H. apply Qle_bool_iff. exact (H (x, p) I).
    - now apply Qeq_bool_iff.
  Qed.

  Theorem by_simulator c table : enough c table = true -> ddp c.
  Proof.
    unfold enough. intros H. apply andb_prop in H as [L H]. exists (fun x => find x table). split.
    - intros x. rewrite forallb_forall in L. clear H. induction table as [|[y mu] rest IH]; cbn.
      + split; [|reflexivity]. intros z p [e|[]]. inversion e. discriminate.
      + destruct (context_dec x y); [apply law_dec_is, (L (y, mu)); now left|].
        apply IH. intros z I. apply L. now right.
    - intros r I. rewrite forallb_forall in H. specialize (H r I). apply andb_prop in H as [F G].
      split; [now destruct (close_reflect Nat.eq_dec c (real_ r) (answer (fun x => find x table) r))
             |now destruct (close_reflect Nat.eq_dec c (answer (fun x => find x table) r) (real_ r))].
  Qed.

  (** It fails: tests, each an event of one row with a weight, that no simulator passes together. *)
  Record test := Test { about : row; forward : bool; outside : bool; those : list nat; times : Q }.
  Definition event (s : test) (o : nat) : bool := xorb (outside s) (inside (those s) o).

  Lemma Pr_app {A} (mu nu : measure A) S : Pr (mu ++ nu) S == Pr mu S + Pr nu S.
  Proof.
    induction mu as [|[x p] mu IH]; [unfold Pr at 2; cbn [app filter map sum]; ring|].
    cbn [app]. rewrite !Pr_cons, IH. ring.
  Qed.

  Lemma Pr_scaled (w all : Q) (mu : measure nat) S :
    Pr (map (fun op => (fst op, Qred (w * snd op / all))) mu) S == w / all * Pr mu S.
  Proof.
    induction mu as [|[x p] mu IH]; [unfold Pr, Qdiv; cbn [filter map sum]; ring|].
    cbn [map fst snd]. rewrite !Pr_cons, IH.
    destruct (S x); [rewrite Qred_correct|]; unfold Qdiv; ring.
  Qed.

  Lemma Pr_answer Sim r S : Pr (answer Sim r) S ==
    sum (map (fun w => weight w / mass (worlds_of m r) * Pr (Sim (sees q (theta_ r) (record_ r) w)) S) (worlds_of m r)).
  Proof.
    unfold answer. cbv zeta. set (all := mass (worlds_of m r)). clearbody all.
    induction (worlds_of m r) as [|w ws IH]; [reflexivity|]. cbn [flat_map map].
    rewrite Pr_app, Pr_scaled, IH, sum_cons. reflexivity.
  Qed.

  (** A sum over contexts, each with a factor and an event of its answer. *)
  Definition term := (context * (Q * (nat -> bool)))%type.
  Definition worth (Sim : context -> measure nat) (l : list term) : Q :=
    sum (map (fun s : term => fst (snd s) * Pr (Sim (fst s)) (snd (snd s))) l).
  Definition offer (l : list term) (c : context) (o : nat) : Q :=
    sum (map (fun s : term => if context_dec c (fst s) then (if snd (snd s) o then fst (snd s) else 0) else 0) l).
  Definition least (f : nat -> Q) (n : nat) : Q := fold_right (fun o rest => Qmin (f o) rest) (f n) (seq 0 n).
  Definition best (l : list term) (n : nat) : Q :=
    sum (map (fun c => least (offer l c) n) (nodup context_dec (map fst l))).

  Lemma least_le f n o : (o <= n)%nat -> least f n <= f o.
  Proof.
    intros H. unfold least. destruct (Nat.eq_dec o n) as [->|D].
    - induction (seq 0 n) as [|x l IH]; cbn; [apply Qle_refl|]. eapply Qle_trans; [apply Q.le_min_r|exact IH].
    - assert (I : In o (seq 0 n)) by (apply in_seq; lia). clear H D. induction (seq 0 n) as [|x l IH]; [destruct I|].
      cbn. destruct I as [->|I]; [apply Q.le_min_l|]. eapply Qle_trans; [apply Q.le_min_r|now apply IH].
  Qed.

  Lemma worth_by_context Sim l C : NoDup C -> incl (map fst l) C ->
    worth Sim l == sum (map (fun c => sum (map (fun s : term => if context_dec c (fst s) then
      fst (snd s) * Pr (Sim c) (snd (snd s)) else 0) l)) C).
  Proof.
    intros N. induction l as [|[y [k S]] l IH]; intros I.
    - unfold worth. cbn. symmetry. apply sum_zero. reflexivity.
    - unfold worth in *. cbn [map fst snd]. rewrite sum_cons, IH by (intros z Hz; apply I; now right).
      rewrite <- (sum_single context_dec (fun _ => true) y (k * Pr (Sim y) S) C N) by (apply I; now left).
      rewrite <- sum_plus. apply sum_ext. intros c _. cbn [map fst snd]. rewrite sum_cons. unfold is.
      destruct (context_dec c y) as [->|]; reflexivity.
  Qed.

  Lemma worth_of_context (mu : measure nat) l c :
    sum (map (fun s : term => if context_dec c (fst s) then fst (snd s) * Pr mu (snd (snd s)) else 0) l)
    == sum (map (fun xp => snd xp * offer l c (fst xp)) mu).
  Proof.
    induction mu as [|[x p] mu IH].
    - cbn. apply sum_zero. intros s _. destruct (context_dec c (fst s)); [cbn; ring|reflexivity].
    - cbn [map fst snd]. rewrite sum_cons, <- IH. unfold offer. rewrite <- sum_scale, <- sum_plus.
      apply sum_ext. intros s _. destruct (context_dec c (fst s)); [|ring]. rewrite Pr_cons.
      destruct (snd (snd s) x); ring.
  Qed.

  Lemma best_le Sim l n : (forall x, is_law (Sim x)) ->
    (forall s o, In s l -> (n <= o)%nat -> snd (snd s) o = snd (snd s) n) -> best l n <= worth Sim l.
  Proof.
    intros L F. rewrite (worth_by_context Sim l (nodup context_dec (map fst l)));
      [|apply NoDup_nodup|intros x Hx; now apply nodup_In].
    apply sum_le. intros c _. rewrite worth_of_context. destruct (L c) as [P T].
    assert (e : least (offer l c) n == sum (map (fun xp : nat * Q => snd xp * least (offer l c) n) (Sim c))).
    { rewrite (sum_ext _ (fun xp => least (offer l c) n * snd xp)) by (intros; ring).
      rewrite sum_scale, T. ring. }
    rewrite e. apply sum_le. intros [x p] I. cbn [fst snd]. specialize (P x p I).
    assert (le : least (offer l c) n <= offer l c x).
    { destruct (le_lt_dec x n) as [H|H]; [now apply least_le|].
      eapply Qle_trans; [apply (least_le _ _ n); lia|]. unfold offer. apply sum_le. intros s J.
      rewrite (F s x J) by lia. apply Qle_refl. }
    nra.
  Qed.

  Section Tests.
    Context (c : closeness).
    Definition factor_ : Q := match c with Within E _ => E | _ => 0 end.
    Definition delta_ : Q := match c with Within _ d => d | Limit d => d | Tail _ d => d end.

    (** A test of every factor ([Limit]) is about what the row cannot produce. *)
    Definition fair (s : test) : bool :=
      (if in_dec row_dec (about s) (rows m) then true else false) && Qle_bool 0 (times s) &&
      match c with
      | Within _ _ => true
      | Limit _ => negb (forward s) &&
          forallb (fun xp => negb (event s (fst xp)) || Qeq_bool (at_ Nat.eq_dec (real_ (about s)) (fst xp)) 0)
            (real_ (about s))
      | Tail _ _ => false
      end.

    Definition certain (s : test) : Q :=
      let p := Pr (real_ (about s)) (event s) in
      Qred (times s * (if forward s then p - delta_ else - (factor_ * p) - delta_)).
    Definition sign_ (s : test) : Q := if forward s then - factor_ else 1.
    Definition terms (s : test) : list term :=
      map (fun w => (sees q (theta_ (about s)) (record_ (about s)) w,
        (Qred (times s * sign_ s * (weight w / mass (worlds_of m (about s)))), event s))) (worlds_of m (about s)).

    Lemma worth_terms Sim s : worth Sim (terms s) == times s * sign_ s * Pr (answer Sim (about s)) (event s).
    Proof.
      rewrite Pr_answer, <- sum_scale. unfold worth, terms. rewrite map_map. apply sum_ext. intros w _. cbn [fst snd].
      rewrite Qred_correct. ring.
    Qed.

    Lemma worth_all Sim tests : worth Sim (flat_map terms tests) == sum (map (fun s => worth Sim (terms s)) tests).
    Proof.
      induction tests as [|s tests IH]; [reflexivity|]. cbn [flat_map map]. rewrite sum_cons, <- IH.
      generalize (terms s) as l. induction l as [|x l IHl].
      - unfold worth at 2. cbn [app map sum]. ring.
      - unfold worth in *. cbn [app map]. rewrite !sum_cons, IHl. ring.
    Qed.

    Lemma passed Sim s : fair s = true ->
      (forall r, In r (rows m) ->
        close Nat.eq_dec c (real_ r) (answer Sim r) /\ close Nat.eq_dec c (answer Sim r) (real_ r)) ->
      certain s + worth Sim (terms s) <= 0.
    Proof.
      intros F H. rewrite worth_terms. unfold certain, sign_. cbv zeta. rewrite Qred_correct.
      unfold fair in F. apply andb_prop in F as [F G]. apply andb_prop in F as [F T].
      destruct (in_dec row_dec (about s) (rows m)) as [I|]; [|discriminate]. apply Qle_bool_iff in T.
      destruct (H _ I) as [A B]. set (P := real_ (about s)) in *. set (S := event s) in *.
      set (Q := answer Sim (about s)) in *. unfold factor_, delta_. destruct c as [E d|d|E d]; [| |discriminate].
      - specialize (A S). specialize (B S). destruct (forward s); nra.
      - apply andb_prop in G as [W G]. destruct (forward s); [discriminate|]. rewrite forallb_forall in G.
        assert (Z : forall x, S x = true -> at_ Nat.eq_dec P x == 0).
        { intros x Hx. destruct (in_dec Nat.eq_dec x (map fst P)) as [J|J].
          - apply in_map_iff in J as [[y p] [e J]]. cbn in e. subst y. specialize (G (x, p) J). cbn [fst] in G.
            fold S in G. rewrite Hx in G. cbn in G. now apply Qeq_bool_iff.
          - unfold at_. clear - J. induction P as [|[y p] rest IH]; [reflexivity|]. rewrite Pr_cons, IH.
            + unfold is. destruct (Nat.eq_dec x y) as [->|]; [|ring]. destruct J. now left.
            + intro K. apply J. now right. }
        specialize (B S Z). nra.
    Qed.

    Definition fails_by (tests : list test) : bool :=
      forallb fair tests &&
      less 0 (sum (map certain tests) + best (flat_map terms tests) (S (list_max (flat_map those tests)))).

    Theorem by_tests tests : fails_by tests = true -> ~ ddp c.
    Proof.
      intros H (Sim & L & A). unfold fails_by in H. apply andb_prop in H as [F G]. rewrite forallb_forall in F.
      assert (U : sum (map certain tests) + worth Sim (flat_map terms tests) <= 0).
      { rewrite worth_all, <- sum_plus. clear G. induction tests as [|s tests IH]; [apply Qle_refl|].
        cbn [map]. rewrite sum_cons. assert (p := passed Sim s (F s (or_introl eq_refl)) A).
        assert (r := IH (fun x I => F x (or_intror I))). lra. }
      assert (V : best (flat_map terms tests) (S (list_max (flat_map those tests))) <= worth Sim (flat_map terms tests)).
      { apply best_le; [exact L|]. intros x o I ge. apply in_flat_map in I as [s [J I]].
        unfold terms in I. apply in_map_iff in I as [w [<- _]]. cbn [fst snd]. unfold event. f_equal.
        assert (out : forall z, (S (list_max (flat_map those tests)) <= z)%nat -> inside (those s) z = false).
        { intros z K. unfold inside. apply not_true_is_false. intro B. apply existsb_exists in B as [y [Y e]].
          apply Nat.eqb_eq in e. subst y.
          assert (M := proj1 (list_max_le (flat_map those tests) _) (Nat.le_refl _)). rewrite Forall_forall in M.
          assert (le : (z <= list_max (flat_map those tests))%nat) by (apply M, in_flat_map; now exists s). lia. }
        now rewrite (out o ge), (out _ (Nat.le_refl _)). }
      unfold less in G. apply negb_true_iff in G. rewrite <- not_true_iff_false, Qle_bool_iff in G. apply G. lra.
    Qed.
  End Tests.

  (** It fails at delta = 0: an output that no context of a row may answer, since each belongs to a row, too, that cannot
      produce it. *)
  Definition may_not (rs : list row) (c : context) (o : nat) : bool :=
    existsb (fun r => Qeq_bool (at_ Nat.eq_dec (real_ r) o) 0 && forallb (fun w => Qle_bool 0 (weight w)) (worlds_of m r)
      && existsb (fun w => (if context_dec c (sees q (theta_ r) (record_ r) w) then true else false)
           && positive (weight w)) (worlds_of m r)) rs.
  Definition silent : bool :=
    let rs := rows m in
    existsb (fun r => existsb (fun o => positive (at_ Nat.eq_dec (real_ r) o) &&
      forallb (fun w => may_not rs (sees q (theta_ r) (record_ r) w) o) (worlds_of m r)) (outputs m)) rs.

  Lemma sum_nonneg {B} (f : B -> Q) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum (map f l).
  Proof.
    intros H. rewrite <- (sum_zero (fun _ : B => 0) l) by reflexivity. now apply sum_le.
  Qed.
  Lemma sum_member {B} (f : B -> Q) l x : (forall y, In y l -> 0 <= f y) -> In x l -> f x <= sum (map f l).
  Proof.
    induction l as [|y l IH]; intros H I; [destruct I|]. cbn [map]. rewrite sum_cons.
    assert (n := sum_nonneg f l (fun z J => H z (or_intror J))). assert (p := H y (or_introl eq_refl)).
    destruct I as [->|I]; [lra|]. specialize (IH (fun z J => H z (or_intror J)) I). lra.
  Qed.
  Lemma Pr_nonneg mu S : is_law mu -> 0 <= Pr mu S.
  Proof.
    intros [P _]. unfold Pr. apply sum_nonneg. intros [x p] I. apply filter_In in I as [I _]. exact (P x p I).
  Qed.
  Lemma positive_iff x : positive x = true <-> 0 < x.
  Proof.
    unfold positive. rewrite negb_true_iff, <- not_true_iff_false, Qle_bool_iff. split; [apply Qnot_le_lt|apply Qlt_not_le].
  Qed.

  Lemma may_not_zero Sim c o : (forall x, is_law (Sim x)) ->
    (forall r, In r (rows m) -> close Nat.eq_dec (Limit 0) (answer Sim r) (real_ r)) ->
    may_not (rows m) c o = true -> Pr (Sim c) (is Nat.eq_dec o) == 0.
  Proof.
    intros L H B. unfold may_not in B. apply existsb_exists in B as [r [I B]]. apply andb_prop in B as [B W].
    apply andb_prop in B as [Z N]. rewrite forallb_forall in N. apply existsb_exists in W as [w [J W]].
    apply andb_prop in W as [e W]. destruct (context_dec c _) as [->|]; [|discriminate]. clear e.
    apply positive_iff in W. specialize (H r I (is Nat.eq_dec o)). rewrite Pr_answer in H.
    assert (A : 0 < mass (worlds_of m r)) by (apply filter_In in I as [_ I]; now apply positive_iff).
    set (f := fun w => weight w / mass (worlds_of m r) * Pr (Sim (sees q (theta_ r) (record_ r) w)) (is Nat.eq_dec o)) in H.
    assert (inverse : 0 < / mass (worlds_of m r)) by now apply Qinv_lt_0_compat.
    assert (P : forall x, In x (worlds_of m r) -> 0 <= f x).
    { intros x X. unfold f, Qdiv. specialize (N x X). apply Qle_bool_iff in N.
      apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra|now apply Pr_nonneg]. }
    assert (le := sum_member f _ w P J).
    assert (none : sum (map f (worlds_of m r)) <= 0).
    { apply H. intros x Hx. unfold is in Hx. destruct (Nat.eq_dec o x) as [<-|]; [|discriminate].
      now apply Qeq_bool_iff. }
    assert (fw : f w <= 0) by lra. clear le none P H N. unfold f, Qdiv in fw. assert (n := Pr_nonneg (Sim (sees q (theta_ r) (record_ r) w)) (is Nat.eq_dec o) (L _)).
    assert (share : 0 < weight w * / mass (worlds_of m r)) by (apply Qmult_lt_0_compat; assumption).
    apply Qle_antisym; [|exact n]. apply Qnot_lt_le. intro more. assert (x := Qmult_lt_0_compat _ _ share more). lra.
  Qed.

  Theorem by_silence : silent = true -> ~ ddp (Limit 0).
  Proof.
    intros B (Sim & L & H). unfold silent in B. cbv zeta in B. apply existsb_exists in B as [r [I B]].
    apply existsb_exists in B as [o [_ B]]. apply andb_prop in B as [p B]. rewrite forallb_forall in B.
    apply positive_iff in p. destruct (H r I) as [F _]. specialize (F (is Nat.eq_dec o)).
    assert (le : Pr (real_ r) (is Nat.eq_dec o) <= 0).
    { apply F. intros x Hx. unfold is in Hx. destruct (Nat.eq_dec o x) as [<-|]; [|discriminate].
      unfold at_. rewrite Pr_answer. apply sum_zero. intros w W.
      rewrite (may_not_zero Sim _ o L (fun r J => proj2 (H r J)) (B w W)). ring. }
    unfold at_ in p. lra.
  Qed.

  (** No finite epsilon is enough. *)
  Definition hopeless (d : Q) (tests : list test) : bool := if Qeq_bool d 0 && silent then true else fails_by (Limit d) tests.
  Theorem by_limit d tests : hopeless d tests = true -> ~ ddp (Limit d).
  Proof.
    intros H. unfold hopeless in H. destruct (Qeq_bool d 0 && silent) eqn:b; [|now apply (by_tests _ tests)]. clear H.
    apply andb_prop in b as [e H]. apply Qeq_bool_iff in e. intros (Sim & L & A). apply (by_silence H).
    exists Sim. split; [exact L|]. intros r I. destruct (A r I) as [F G].
    split; intros S HS; [specialize (F S HS)|specialize (G S HS)]; lra.
  Qed.
End Simulators.

(** * Databases of several sizes (LQS12, Definitions 1 to 3 and 3.10) *)

(** A database is a multiset: how often each value appears. [plain] has the law on each, without the sample. *)
Record sized := Sized {
  kinds : nat;                                    (* values *)
  first : nat;
  last : nat;                                     (* sizes *)
  rate : Q;                                       (* each tuple is kept with this probability *)
  plain : list (list nat * measure nat)
}.

Fixpoint choose (n k : nat) : nat :=
  match n, k with
  | _, O => 1
  | O, S _ => 0
  | S p, S q => choose p q + choose p (S q)
  end.
Fixpoint power (q : Q) (n : nat) : Q := match n with O => 1 | S p => Qred (q * power q p) end.

(** The parts of a multiset, with the probability that the sample is this part. *)
Fixpoint samples (beta : Q) (d : list nat) : list (list nat * Q) :=
  match d with
  | [] => [([], 1)]
  | n :: r =>
      let rest := samples beta r in
      flat_map (fun j =>
        let here := inject_Z (Z.of_nat (choose n j)) * power beta j * power (1 - beta) (n - j) in
        map (fun sp => (j :: fst sp, Qred (here * snd sp))) rest) (seq 0 (S n))
  end.
Definition sampled (m : sized) (d : list nat) : measure nat :=
  flat_map (fun sp => map (fun op => (fst op, Qred (snd sp * snd op))) (lookup (fst sp) (plain m))) (samples (rate m) d).

Fixpoint more (v : nat) (d : list nat) : list nat :=
  match d, v with
  | [], _ => []
  | n :: r, O => S n :: r
  | n :: r, S p => n :: more p r
  end.
Definition fits (m : sized) (d : list nat) : bool := (first m <=? list_sum d)%nat && (list_sum d <=? last m)%nat.
Definition databases (m : sized) : list (list nat) := filter (fits m) (tuples (kinds m) (seq 0 (S (last m)))).

(** The sampled mechanism on D and on D with one tuple more, both ways. (epsilon, delta)-DPS asks for rate > delta, too. *)
Definition sized_dp (r : reading) (c : closeness) (m : sized) : Prop :=
  forall d, In d (databases m) -> forall v, In v (seq 0 (kinds m)) -> fits m (more v d) = true ->
  close Nat.eq_dec c (sampled m (more v d)) (sampled m d) /\ close Nat.eq_dec c (sampled m d) (sampled m (more v d)).
Definition sized_dp_dec (r : reading) (c : closeness) (m : sized) : bool :=
  forallb (fun d => forallb (fun v => implb (fits m (more v d))
    (close_dec Nat.eq_dec c (sampled m (more v d)) (sampled m d) &&
     close_dec Nat.eq_dec c (sampled m d) (sampled m (more v d)))) (seq 0 (kinds m))) (databases m).
Theorem sized_dp_reflect r c m : reflect (sized_dp r c m) (sized_dp_dec r c m).
Proof. unfold sized_dp, sized_dp_dec. reflected. Qed.
Lemma sized_dp_limit r m E d : sized_dp r (Within E d) m -> sized_dp r (Limit d) m.
Proof.
  unfold sized_dp. intros H D I v J f. destruct (H D I v J f) as [F G]. split; eapply within_limit; eassumption.
Qed.
(** The law of the sample is a law, on every database. *)
Definition well_formed_sized (m : sized) : bool := forallb (fun d => law_dec (sampled m d)) (databases m).

(** Nothing is assumed: each line says "Closed under the global context". *)
Print Assumptions np_reflect.
Print Assumptions ppkdp_reflect.
Print Assumptions cdp_reflect.
Print Assumptions ibcdp_reflect.
Print Assumptions dp_reflect.
Print Assumptions ibcdp_limit.
Print Assumptions by_simulator.
Print Assumptions by_tests.
Print Assumptions by_limit.
Print Assumptions ddp_limit.
Print Assumptions sized_dp_reflect.
Print Assumptions sized_dp_limit.
