(** Theorems of DP22, each stated with all that it assumes, to be read beside the survey's. Laws are finite and rational.
    Not here: parallel composition (section 2.3), Propositions 2, 4 to 6 and 8.

    E is e^epsilon, a rational; d is delta. Databases are lists of records; [added D D'] adds one record, [changed D D']
    replaces one, [sized m n D] has m to n records. Proofs: Sampling.v, Beliefs.v, Divergences.v. *)

From PK Require Import PartialKnowledge Laws Notions.
From PK Require Sampling Beliefs Divergences.
Import ListNotations.
Open Scope Q_scope.

Section Databases.
  Context {T O : Type}.
  Implicit Types M : list T -> measure O.

  (** Section 4.1, after Definition 14 (as printed, with delta, and for databases of m to n records, m < n; the print has all
      sizes: m = 0, and n the size at hand): unbounded epsilon-DP implies bounded 2*epsilon-DP, with delta
      d*(1 + e^epsilon). Where all have one size, m = n, unbounded DP compares nothing and implies nothing. *)
  Theorem unbounded_gives_bounded : forall (m n : nat) E d M, 0 <= E -> (m < n)%nat ->
    Sampling.unbounded m n E d M -> Sampling.bounded m n (E * E) (d + E * d) M.
  Proof. exact Sampling.unbounded_gives_bounded. Qed.
  (** Section 4.1, after Definition 14 (as printed, and with delta): unbounded epsilon-DP implies bounded 2*epsilon-DP, for
      databases of all sizes. *)
  Theorem unbounded_gives_bounded_all : forall E d M, 0 <= E ->
    Sampling.private Sampling.added E d M -> Sampling.private Sampling.changed (E * E) (d + E * d) M.
  Proof.
    intros E d M e P D D' c. assert (s : (0 < length D)%nat).
    { destruct c as (l & x & y & r & -> & _). rewrite app_length. cbn. lia. }
    refine (Sampling.unbounded_gives_bounded 0 (length D) E d M e s _ D D' _ c).
    - intros X X' _ _ a. now apply P.
    - unfold Sampling.sized. lia.
  Qed.

  (** Group privacy (defined in section 4.1; Table 3: equivalent to DP; the constants are the usual ones, not printed): two
      databases that k steps of a relation R join are within k*epsilon, in the order of the steps (both orders where R is
      symmetric), with delta d*(1 + e^epsilon + ... + e^((k - 1)*epsilon)). *)
  Theorem group_privacy : forall (R : list T -> list T -> Prop) E d M, 0 <= E ->
    (forall D D', R D D' -> within E d (M D) (M D')) ->
    forall k D D', Sampling.path R k D D' -> within (Sampling.power E k) (d * Sampling.series E k) (M D) (M D').
  Proof. exact Sampling.group_privacy. Qed.
End Databases.

Section Composition.
  Context {X A C : Type} `{Label A}.

  (** Section 2.3, sequential composition (as printed, also adaptive, and with delta): M, and a second mechanism K that is
      told M's answer; each draws coins of its own. R is any relation of neighbours. *)
  Theorem sequential_composition : forall (R : X -> X -> Prop) E E' d d' (M : X -> measure A) (K : A -> X -> measure C),
    0 <= E -> 0 <= E' -> 0 <= d' -> (forall D, law (M D)) -> (forall a D, law (K a D)) ->
    Sampling.private R E d M -> (forall a, Sampling.private R E' d' (K a)) ->
    Sampling.private R (E * E') (d + d') (Sampling.runs M K).
  Proof. exact Sampling.sequential_composition. Qed.

  (** Proposition 7 (as printed, also adaptive): d-privacy composes, the bounds of each pair of databases multiply. None is a
      pair that is not compared. *)
  Theorem proposition_7 : forall (e e' : X -> X -> option Q) (M : X -> measure A) (K : A -> X -> measure C),
    (forall D, law (M D)) -> (forall a D, law (K a D)) ->
    (forall D D' b, e D D' = Some b -> within b 0 (M D) (M D')) ->
    (forall a D D' b, e' D D' = Some b -> within b 0 (K a D) (K a D')) ->
    forall D D' b b', e D D' = Some b -> e' D D' = Some b' -> 0 <= b -> 0 <= b' ->
    within (b * b') 0 (Sampling.runs M K D) (Sampling.runs M K D').
  Proof.
    intros e e' M K L N P P' D D' b b' q q' h h'.
    assert (W := Sampling.runs_within b b' 0 0 M K D D' h h' (Qle_refl 0) (L D) (L D') (fun a => N a D) (fun a => N a D')
      (P D D' b q) (fun a => P' a D D' b' q')).
    intros S. specialize (W S). lra.
  Qed.
End Composition.

Section Beliefs.
  Context {T B O : Type} `{Label T} `{Label B} `{Label O}.

  (** Aposteriori noiseless privacy (Definition 36) and noiseless privacy (Definition 27), which Table 3 calls equivalent:
      noiseless privacy at epsilon implies it at epsilon; conversely at 2*epsilon. For all theta, knowledge k (printed: none),
      records and outputs that are possible; single outputs and values are enough, as delta = 0. *)
  Theorem npr_gives_anpr : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 1 <= E ->
    np Theta E 0 M -> Beliefs.anpr Theta M E.
  Proof. intros n Theta M E sized total e. now apply (Beliefs.np_gives_anpr n). Qed.
  Theorem anpr_gives_npr : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    Beliefs.anpr Theta M E -> np Theta (E * E) 0 M.
  Proof. intros n Theta M E sized total e. now apply (Beliefs.anpr_gives_np n). Qed.

  (** Information privacy (Definition 39, section 7.4): at epsilon it implies aposteriori noiseless privacy at epsilon (so, by
      [anpr_gives_npr], noiseless privacy at 2*epsilon). *)
  Theorem infpr_gives_anpr : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    Beliefs.infpr Theta M E -> Beliefs.anpr Theta M E.
  Proof. intros n Theta M E sized total e. now apply (Beliefs.infpr_gives_anpr n). Qed.
  (** Information privacy at epsilon: any two databases that are possible with one k are within 2*epsilon, neighbours or
      not. *)
  Theorem infpr_gives_dp : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    Beliefs.infpr Theta M E -> forall theta, Theta theta -> forall k D D',
    0 < Pr theta (fun w => knows k w && eqb D (fst w)) -> 0 < Pr theta (fun w => knows k w && eqb D' (fst w)) ->
    within (E * E) 0 (M D) (M D').
  Proof. intros n Theta M E sized total e F. exact (Beliefs.infpr_gives_dp n Theta M sized total E e F). Qed.
  (** After Definition 39 (as printed, but for databases of one size): where all databases of n records are possible under
      some theta, information privacy at epsilon implies bounded 2*epsilon-DP. *)
  Theorem infpr_gives_bounded : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    (exists theta k, Theta theta /\ forall D, length D = n -> 0 < Pr theta (fun w => knows k w && eqb D (fst w))) ->
    Beliefs.infpr Theta M E -> dp n (E * E) 0 M.
  Proof.
    intros n Theta M E sized L e (theta & k & I & S) F D D' N. assert (N' := neighbours_sym n D D' N).
    split; apply (infpr_gives_dp n Theta M E sized L e F theta I k); apply S; (apply N || apply N').
  Qed.

  (** Section 8.2, after Definition 41, corrected: (Agg, epsilon)-zero-knowledge privacy implies bounded 2*epsilon-DP, for any
      Agg; of records that are added or removed it implies nothing. With delta it is d*(1 + e^epsilon). A randomized agg is
      one with values in C = measure C'; Sim may be any function of that law, so that nothing is lost. *)
  Theorem zkpr_gives_bounded : forall (C : Type) n (Agg : (list T -> C) -> Prop) E d (M : mechanism T O), 0 <= E ->
    Beliefs.zkpr n Agg E d M -> dp n (E * E) (d + E * d) M.
  Proof. intros C n Agg E d M. exact (Beliefs.zkpr_gives_bounded n Agg E d M). Qed.
End Beliefs.

Section Axioms.
  (** f: convex on [0, infinity), rational and finite at each rational, 0 included; s its slope at infinity, rational (or above
      it), or [bounded_slope = false] where that is infinite. Approximate DP is f(t) = max(0, t - e^epsilon) with bound delta;
      Renyi DP of integer order a > 1 is f(t) = t^a with bound e^((a - 1)*epsilon). Kullback-Leibler, other orders, and so
      zCoDP, are not covered. *)
  Context (f : Q -> Q) (s : Q) (bounded_slope : bool).
  Context (f_proper : forall x y, x == y -> f x == f y).
  Context (convex : forall w x y, 0 <= w <= 1 -> 0 <= x -> 0 <= y -> f (w * x + (1 - w) * y) <= w * f x + (1 - w) * f y).
  Context (slope : bounded_slope = true -> forall t u, 0 <= t -> 0 <= u -> f (t + u) <= f t + s * u).
  Context {X A C : Type} `{Label A} `{Label C}.

  (** Propositions 1 and 3 (of EDivDP), corrected (Definition 13 prints the mean under M(D1); it is under M(D2)): divergence
      privacy is closed under post-processing, and convex. The bound e is of each pair of databases, None where a pair is not
      compared: a constant on neighbours for DivDP; for EDivDP section 5.3 gives no formula, and a multiple of the distance is
      one reading. *)
  Theorem propositions_1_and_3_post_processing : forall e (M : X -> measure A) (K : A -> measure C),
    (forall D, law (M D)) -> (forall x, law (K x)) ->
    Divergences.divdp f s bounded_slope e M -> Divergences.divdp f s bounded_slope e (fun D => bind (M D) K).
  Proof. exact (Divergences.divdp_post_processing f s bounded_slope f_proper convex slope). Qed.
  Theorem propositions_1_and_3_convexity : forall e w (M M' : X -> measure A), 0 <= w <= 1 ->
    (forall D, law (M D)) -> (forall D, law (M' D)) ->
    Divergences.divdp f s bounded_slope e M -> Divergences.divdp f s bounded_slope e M' ->
    Divergences.divdp f s bounded_slope e (fun D => mix w (M D) (M' D)).
  Proof. exact (Divergences.divdp_convexity f s bounded_slope f_proper convex slope). Qed.

  (** Proposition 3, d-privacy (as printed): the bound [e D D'] is e^(d(D, D')) (Definition 24), None where it is infinite. *)
  Definition distance_private {O} (e : X -> X -> option Q) (M : X -> measure O) : Prop :=
    forall D D' b, e D D' = Some b -> within b 0 (M D) (M D').
  Theorem proposition_3_distances : forall e (M M' : X -> measure A) (K : A -> measure C) w, 0 <= w <= 1 ->
    (forall x, law (K x)) -> distance_private e M -> distance_private e M' ->
    distance_private e (fun D => bind (M D) K) /\ distance_private e (fun D => mix w (M D) (M' D)).
  Proof.
    intros e M M' K w r L P P'. split; intros D D' b q.
    - apply within_bind; [exact L|exact (P D D' b q)].
    - apply within_mix; [exact r|exact (P D D' b q)|exact (P' D D' b q)].
  Qed.
End Axioms.
