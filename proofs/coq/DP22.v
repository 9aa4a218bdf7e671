(** The theorems of DP22 in full: each statement with all that it assumes, to be read beside the survey's.

    E is e^epsilon, a rational; d is delta. Databases are lists of records; [added D D'] adds one record, [changed D D']
    replaces one, [sized m n D] has m to n records. Proofs: Sampling.v, Beliefs.v, Divergences.v. *)

From PK Require Import PartialKnowledge Laws Notions.
From PK Require Sampling Beliefs Divergences.
Import ListNotations.
Open Scope Q_scope.

Section Databases.
  Context {T O : Type}.
  Implicit Types M : list T -> measure O.

  (** Section 4.1, after Definition 14, corrected: unbounded epsilon-DP implies bounded 2*epsilon-DP, with delta
      d*(1 + e^epsilon), on databases of m to n records where m < n. Where all have one size, unbounded DP compares
      nothing and implies nothing. *)
  Theorem unbounded_gives_bounded : forall (m n : nat) E d M, 0 <= E -> (m < n)%nat ->
    Sampling.unbounded m n E d M -> Sampling.bounded m n (E * E) (d + E * d) M.
  Proof. exact Sampling.unbounded_gives_bounded. Qed.

  (** Group privacy (section 4.1, as usual): databases that k steps of a relation R join are within k*epsilon, with
      delta d*(1 + e^epsilon + ... + e^((k - 1)*epsilon)). *)
  Theorem group_privacy : forall (R : list T -> list T -> Prop) E d M, 1 <= E ->
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
End Composition.

Section Beliefs.
  Context {T B O : Type} `{Label T} `{Label B} `{Label O}.

  (** Section 7.2, ANPr and NPr: noiseless privacy at epsilon implies a-priori noiseless privacy at epsilon; conversely at
      2*epsilon. For all theta, knowledge k, records and possible outputs. *)
  Theorem npr_gives_anpr : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 1 <= E ->
    np Theta E 0 M -> Beliefs.anpr Theta M E.
  Proof. intros n Theta M E sized total e. now apply (Beliefs.np_gives_anpr n). Qed.
  Theorem anpr_gives_npr : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    Beliefs.anpr Theta M E -> np Theta (E * E) 0 M.
  Proof. intros n Theta M E sized total e. now apply (Beliefs.anpr_gives_np n). Qed.

  (** Section 7.2, InfPr: inferential privacy at epsilon implies ANPr at epsilon, hence NPr at 2*epsilon; and any two
      databases that are possible with one k are within 2*epsilon, neighbours or not. *)
  Theorem infpr_gives_anpr : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    Beliefs.infpr Theta M E -> Beliefs.anpr Theta M E.
  Proof. intros n Theta M E sized total e. now apply (Beliefs.infpr_gives_anpr n). Qed.
  Theorem infpr_gives_dp : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 0 <= E ->
    Beliefs.infpr Theta M E -> forall theta, Theta theta -> forall k D D',
    0 < Pr theta (fun w => knows k w && eqb D (fst w)) -> 0 < Pr theta (fun w => knows k w && eqb D' (fst w)) ->
    within (E * E) 0 (M D) (M D').
  Proof. intros n Theta M E sized total e F. exact (Beliefs.infpr_gives_dp n Theta M sized total E e F). Qed.

  (** Definition 41, "gives DP", corrected: (Agg, epsilon)-zero-knowledge privacy implies bounded 2*epsilon-DP; of records
      that are added or removed it implies nothing. With delta it is d*(1 + e^epsilon). *)
  Theorem zkpr_gives_bounded : forall (C : Type) n (Agg : (list T -> C) -> Prop) E d (M : mechanism T O), 0 <= E ->
    Beliefs.zkpr n Agg E d M -> dp n (E * E) (d + E * d) M.
  Proof. intros C n Agg E d M. exact (Beliefs.zkpr_gives_bounded n Agg E d M). Qed.
End Beliefs.

Section Axioms.
  (** f: convex on [0, infinity), with rational values; s its slope at infinity, or [bounded_slope = false] where that is
      infinite. Functions with irrational values (Kullback-Leibler, Renyi) are not covered. *)
  Context (f : Q -> Q) (s : Q) (bounded_slope : bool).
  Context (f_proper : forall x y, x == y -> f x == f y).
  Context (convex : forall w x y, 0 <= w <= 1 -> 0 <= x -> 0 <= y -> f (w * x + (1 - w) * y) <= w * f x + (1 - w) * f y).
  Context (slope : bounded_slope = true -> forall t u, 0 <= t -> 0 <= u -> f (t + u) <= f t + s * u).
  Context {X A C : Type} `{Label A} `{Label C}.

  (** Propositions 1 and 3, corrected (the mean is under the second law): divergence privacy is closed under
      post-processing and convex. The bound e is of each pair of databases, None where a pair is not compared: a constant on
      neighbours for DivDP, a multiple of the distance for EDivDP. *)
  Theorem propositions_1_and_3_post_processing : forall e (M : X -> measure A) (K : A -> measure C),
    (forall D, law (M D)) -> (forall x, law (K x)) ->
    Divergences.divdp f s bounded_slope e M -> Divergences.divdp f s bounded_slope e (fun D => bind (M D) K).
  Proof. exact (Divergences.divdp_post_processing f s bounded_slope f_proper convex slope). Qed.
  Theorem propositions_1_and_3_convexity : forall e w (M M' : X -> measure A), 0 <= w <= 1 ->
    (forall D, law (M D)) -> (forall D, law (M' D)) ->
    Divergences.divdp f s bounded_slope e M -> Divergences.divdp f s bounded_slope e M' ->
    Divergences.divdp f s bounded_slope e (fun D => mix w (M D) (M' D)).
  Proof. exact (Divergences.divdp_convexity f s bounded_slope f_proper convex slope). Qed.

  (** Proposition 3, d-privacy (as printed): the bound [e D D'] is e^(epsilon*distance), None where it is infinite. *)
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
