(** Theorems of DMKB20, each stated with all that it assumes, to be read beside the paper's. Not here: the
    closed form of Theorem 3 and Corollary 1, which need bounds on e^x, and Theorem 5, whose records have more than two values.

    Laws are finite, with rational weights, over any number of outcomes; E is e^epsilon, a rational >= 0 or >= 1 as said,
    so that an epsilon with irrational e^epsilon, or laws with infinitely many outcomes, are not covered; d is delta. What
    the words mean is in Notions.v: [of_size n Theta] (Theta is any set of laws of worlds, pairs of a database of n
    records and of what the attacker knows), [total_on n M] (M gives a law for each database of n records), [possible
    theta i a k] (knowledge k is compatible with D(i) = a), and the definitions. T, B and O (values, knowledge, outputs)
    are any types whose elements can be told apart.

    [theta] ranges over Theta, [k] over what may be known, [i] over records, [a] and [b] over values. Definitions hold
    where they compare nothing. What is not compared: a B that excludes a or b; in PPKDP a B that excludes b adds 0.
    Section 3 of the paper assumes that there is none; where a theorem needs that, it says so. The proofs are in the files
    that are named. *)

From PK Require Import PartialKnowledge Laws Notions.
From PK Require ActivePassive PostProcessing Causal Posteriors Dependency MoreKnowledge BinomialTail MostLikelyCount Blanket Threshold
  Reducible.
Import ListNotations.
Open Scope Q_scope.

Section Statements.
  Context {T B O : Type} `{Label T} `{Label B} `{Label O}.

  (** Lemma 1 (as printed): (epsilon, delta)-DP is that the mean of the excess loss of two neighbours is at most delta. *)
  Theorem lemma_1 : forall n (M : mechanism T O) E d, total_on n M -> 0 <= E ->
    (dp n E d M <-> forall D D', neighbours n D D' ->
      mean (M D) (fun o => excess E (at_ same (M D) o) (at_ same (M D') o)) <= d).
  Proof.
    intros n M E d L e. split.
    - intros V D D' N. assert (N' := neighbours_sym n D D' N). apply loss_within; [exact e|apply L, N|apply L, N'|now apply V].
    - intros V D D' N. assert (N' := neighbours_sym n D D' N).
      split; (apply loss_within; [exact e|apply L; (apply N || apply N')|apply L; (apply N || apply N')|now apply V]).
  Qed.

  (** Definition 12, "or, equivalently" (as printed, for the B that are compatible with a and with b, which under section
      3's assumption are all): (epsilon, delta)-APKDP by the mean of the excess loss is (epsilon, delta)-indistinguishability
      of the same two laws, which is noiseless privacy with delta. *)
  Theorem definition_12 : forall n (Theta : family T B) (M : mechanism T O) E d,
    of_size n Theta -> total_on n M -> 0 <= E ->
    (apkdp Theta E d M <-> np Theta E d M).
  Proof. intros n Theta M E d sized total. exact (apkdp_np n Theta M sized total E d). Qed.

  (** Proposition 5, post-processing of PPKDP (as printed): if M is (Theta, epsilon, delta)-PPKDP, then so is f(M(D)), for
      any function f, and for any random one (a channel K on the output). *)
  Theorem proposition_5_function : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta -> total_on n M -> 0 <= E ->
    forall (O' : Type) (l : Label O') (f : O -> O'), ppkdp Theta E d M -> ppkdp Theta E d (fun D => image f (M D)).
  Proof.
    intros n Theta M E d sized total e O' l f.
    exact (PostProcessing.proposition_5_ppkdp_function n Theta E d sized e f M total).
  Qed.
  Theorem proposition_5_channel : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta -> total_on n M -> 0 <= E ->
    forall (O' : Type) (l : Label O') (K : O -> measure O'), (forall o, law (K o)) ->
    ppkdp Theta E d M -> ppkdp Theta E d (fun D => bind (M D) K).
  Proof.
    intros n Theta M E d sized total e O' l K.
    exact (PostProcessing.proposition_5_ppkdp_channel n Theta E d sized e K M total).
  Qed.
  (** Proposition 5, convexity of PPKDP (as printed): M with probability p, else M', is PPKDP where both are; also where
      it is shown which one was used. *)
  Theorem proposition_5_convexity : forall n (Theta : family T B) (M M' : mechanism T O) E d p,
    of_size n Theta -> total_on n M -> total_on n M' -> 0 <= E -> 0 <= p <= 1 ->
    ppkdp Theta E d M -> ppkdp Theta E d M' ->
    ppkdp Theta E d (fun D => mix p (M D) (M' D)) /\
    ppkdp Theta E d (fun D => mix p (image (pair true) (M D)) (image (pair false) (M' D))).
  Proof.
    intros n Theta M M' E d p sized L L' e r V V'. split.
    - exact (PostProcessing.proposition_5_ppkdp_convex n Theta E d sized e p M M' r L L' V V').
    - exact (PostProcessing.shown_choice (PostProcessing.ppkdp_definition n Theta E d sized e) p M M' r L L' V V').
  Qed.
  (** Proposition 5, both axioms for APKDP (as printed). *)
  Theorem proposition_5_apkdp : forall n (Theta : family T B) (M M' : mechanism T O) E d,
    of_size n Theta -> total_on n M -> total_on n M' -> 0 <= E -> apkdp Theta E d M ->
    (forall (O' : Type) (l : Label O') (K : O -> measure O'), (forall o, law (K o)) -> apkdp Theta E d (fun D => bind (M D) K)) /\
    (forall p, 0 <= p <= 1 -> apkdp Theta E d M' -> apkdp Theta E d (fun D => mix p (M D) (M' D))).
  Proof.
    intros n Theta M M' E d sized L L' e V. split.
    - intros O' l K LK. exact (PostProcessing.proposition_5_apkdp_channel n Theta E d sized e K M L LK V).
    - intros p r V'. exact (PostProcessing.proposition_5_apkdp_convex n Theta E d sized e p M M' r L L' V V').
  Qed.

  (** Theorem 1, first part (as printed; where a B excludes b it adds 0, and under section 3's assumption none does): what
      PPKDP bounds is the mean, over B given D(i) = a, of what APKDP bounds. *)
  Theorem theorem_1_mean : forall n (Theta : family T B) (M : mechanism T O), of_size n Theta ->
    forall theta E i a b, Theta theta ->
    ppk theta E M i a b == mean (given theta (holds_record i a)) (fun w =>
      if excludes theta i b (snd w) then 0 else apk theta E M i a b (snd w)).
  Proof. exact ActivePassive.theorem_1_mean. Qed.
  (** Theorem 1, second part (as printed): (Theta, epsilon, delta)-APKDP implies (Theta, epsilon, delta)-PPKDP. *)
  Theorem theorem_1_implies : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta -> 0 <= d ->
    apkdp Theta E d M -> ppkdp Theta E d M.
  Proof. intros n Theta M E d sized. exact (ActivePassive.theorem_1_implies n Theta M sized E d). Qed.
  (** Theorem 1, last part (as printed): at delta = 0 they are one. *)
  Theorem theorem_1_one_notion : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M ->
    (ppkdp Theta E 0 M <-> apkdp Theta E 0 M).
  Proof. intros n Theta M E sized total. exact (ActivePassive.theorem_1_one_notion n Theta M sized total E). Qed.

  (** Theorem 2 (as printed, under section 3's assumption that each B that occurs is compatible with every value that the
      record can take): for a Theta-reducible mechanism (Definition 14; one bijection of the outputs for each theta, record,
      B1 and B2) APKDP and PPKDP are equivalent. *)
  Theorem theorem_2 : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta -> total_on n M -> 0 <= E -> 0 <= d ->
    (forall theta, Theta theta -> forall i, ActivePassive.compatible theta i /\ ActivePassive.reducible M theta i) ->
    (apkdp Theta E d M <-> ppkdp Theta E d M).
  Proof. intros n Theta M E d sized total. exact (ActivePassive.theorem_2 n Theta M sized total E d). Qed.

  (** DP implies CDP, with delta, for every Theta and every knowledge; b any value of T. DMKB20 does not print it (section
      2.2 has only that CDP captures DP's intuition); DP22, Table 3, does: causal DP is a weaker extension of DP. *)
  Theorem dp_gives_cdp : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta ->
    dp n E d M -> cdp_all Theta E d M /\ cdp Theta E d M.
  Proof.
    intros n Theta M E d sized V. split.
    - exact (Causal.dp_gives_cdp_all n Theta M sized E d V).
    - exact (Causal.dp_gives_cdp n Theta M sized E d V).
  Qed.
  (** Section 2.2, after Definition 5, CDP implies DDP, corrected; one of several corrections: where CDP is asked for all b of
      T (and T is not empty). *)
  Theorem cdp_gives_ddp : forall n (Theta : family T B) (M : mechanism T O) E d (b : T), of_size n Theta -> total_on n M ->
    cdp_all Theta E d M -> ddp Theta E d M.
  Proof. intros n Theta M E d b sized. exact (Causal.cdp_all_gives_ddp n Theta M sized E d b). Qed.

  (** Section 2.2 and Figure 1, corrected: where D(i) and the other records are independent given each B that occurs, DDP
      with (epsilon, delta) gives NP with (2*epsilon, delta + e^epsilon*delta). *)
  Theorem ddp_gives_np : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta -> 0 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> Causal.independent theta i k) ->
    ddp Theta E d M -> np Theta (E * E) (d + E * d) M.
  Proof. intros n Theta M E d sized. exact (Causal.ddp_gives_np n Theta M sized E d). Qed.

  (** Proposition 2 (as printed, and with delta): if, for all theta and each B that occurs, the records are mutually
      independent given B, then NP and CDP are equivalent. *)
  Theorem proposition_2 : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta ->
    (forall theta, Theta theta -> forall k, 0 < Pr theta (knows k) -> Causal.mutually_independent n theta k) ->
    (np Theta E d M <-> cdp Theta E d M).
  Proof. intros n Theta M E d sized. exact (Causal.proposition_2 n Theta M sized E d). Qed.
  (** Proposition 4, corrected: in place of acceptability, D(i) and the other records are independent given each B that
      occurs, for each record i. *)
  Theorem proposition_4 : forall n (Theta : family T B) (M : mechanism T O) E d, of_size n Theta ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> Causal.independent theta i k) ->
    (np Theta E d M <-> cdp Theta E d M).
  Proof. intros n Theta M E d sized. exact (Causal.proposition_4 n Theta M sized E d). Qed.
  (** Proposition 4, corrected, at one record i. *)
  Theorem proposition_4_at : forall n (Theta : family T B) (M : mechanism T O) E d i, of_size n Theta ->
    (forall theta, Theta theta -> forall k, 0 < Pr theta (knows k) -> Causal.independent theta i k) ->
    ((forall theta, Theta theta -> forall k a b, possible theta i a k -> possible theta i b k ->
        indistinguishable E d (output theta (having i a k) M) (output theta (having i b k) M)) <->
     (forall theta, Theta theta -> forall k a b, possible theta i a k -> possible theta i b k ->
        indistinguishable E d (output theta (having i a k) M) (causing theta (having i a k) i b M))).
  Proof. intros n Theta M E d i sized. exact (Causal.proposition_4_at n Theta M sized E d i). Qed.

  (** Proposition 1, first half, corrected: CDP with epsilon implies IBCDP with 2*epsilon, at delta = 0, where both are
      asked for the values b that are possible given B; where both are asked for all b of T; and, as they are printed,
      where each B that occurs leaves every value of T possible. *)
  Theorem proposition_1_to_beliefs : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 1 <= E ->
    (cdp Theta E 0 M -> ibcdp_possible Theta (E * E) 0 M) /\
    (cdp_all Theta E 0 M -> ibcdp Theta (E * E) 0 M) /\
    (Posteriors.every_value_possible n Theta -> cdp Theta E 0 M -> ibcdp Theta (E * E) 0 M).
  Proof.
    intros n Theta M E sized total e. split; [|split].
    - exact (Posteriors.proposition_1_possible n Theta M sized total E e).
    - exact (Posteriors.proposition_1_all n Theta M sized total E e).
    - exact (Posteriors.proposition_1_full n Theta M sized total E e).
  Qed.
  (** Proposition 1, second half, corrected: IBCDP with epsilon (for possible b, hence also for all of T) implies CDP with
      2*epsilon, at delta = 0, where, given each B that occurs, the outputs that M(D), and M(D with record i set to b), can
      produce given D(i) = a are the same for all a and b that are possible given B (that all of T is possible is not
      needed). *)
  Theorem proposition_1_to_outputs : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 1 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) ->
       Posteriors.same_outputs M theta i k /\ Posteriors.no_new_outputs M theta i k) ->
    (ibcdp_possible Theta E 0 M -> cdp Theta (E * E) 0 M) /\ (ibcdp Theta E 0 M -> cdp Theta (E * E) 0 M).
  Proof.
    intros n Theta M E sized total e X.
    assert (V := Posteriors.proposition_1_back n Theta M sized total E e X). split; [exact V|].
    intros W. apply V. intros theta I k i b t _. now apply W.
  Qed.
  (** Proposition 1, corrected, where D(i) and the other records are independent given each B that occurs: CDP gives IBCDP
      with epsilon itself, asked for the values b that are possible given B; and IBCDP, so asked (hence also for all b of T),
      gives CDP with 2*epsilon, with no condition on the outputs. *)
  Theorem proposition_1_independent : forall n (Theta : family T B) (M : mechanism T O) E, of_size n Theta -> total_on n M -> 1 <= E ->
    (forall theta, Theta theta -> forall i k, 0 < Pr theta (knows k) -> Causal.independent theta i k) ->
    (cdp Theta E 0 M -> ibcdp_possible Theta E 0 M) /\ (ibcdp_possible Theta E 0 M -> cdp Theta (E * E) 0 M).
  Proof.
    intros n Theta M E sized total e X. split.
    - exact (Posteriors.proposition_1_independent n Theta M sized E e X).
    - exact (Posteriors.proposition_1_independent_back n Theta M sized total E e X).
  Qed.

  (** Proposition 3 (as printed, and with delta; Definition 9 restored: the two laws share the parameters and the databases,
      and each has a generating function of its own, since with one function, as printed, both would be one law): if Theta1
      has more background knowledge than Theta2, a mechanism in (Theta1, epsilon, delta)-NP is in (Theta2, epsilon,
      delta)-NP. *)
  Theorem proposition_3 : forall (B2 V : Type) (l : Label B2) n (Theta1 : family T B) (Theta2 : family T B2) (M : mechanism T O) E d,
    of_size n Theta1 -> of_size n Theta2 -> MoreKnowledge.stronger_family n (V := V) Theta1 Theta2 ->
    np Theta1 E d M -> np Theta2 E d M.
  Proof. intros B2 V l n Theta1 Theta2 M E d. exact (MoreKnowledge.proposition_3 n M (V := V) Theta1 Theta2 E d). Qed.
  (** Proposition 3 for passive attackers: the same of PPKDP. *)
  Theorem proposition_3_passive : forall (B2 V : Type) (l : Label B2) n (Theta1 : family T B) (Theta2 : family T B2) (M : mechanism T O) E d,
    of_size n Theta1 -> of_size n Theta2 -> total_on n M -> 0 <= E -> MoreKnowledge.stronger_family n (V := V) Theta1 Theta2 ->
    ppkdp Theta1 E d M -> ppkdp Theta2 E d M.
  Proof. intros B2 V l n Theta1 Theta2 M E d. exact (MoreKnowledge.proposition_3_printed_passive n M (V := V) Theta1 Theta2 E d). Qed.
  (** Proposition 3 without normalizations: it is enough that, at each record, Theta2's law is that of (D, h(B1)) for a
      theta1 of Theta1 and some h, and that D(i) is independent of B1 under theta1. *)
  Theorem proposition_3_independent : forall (B2 : Type) (l : Label B2) n (Theta1 : family T B) (Theta2 : family T B2) (M : mechanism T O) E d,
    of_size n Theta1 -> of_size n Theta2 -> total_on n M -> 0 <= E -> MoreKnowledge.more_knowledge n Theta1 Theta2 ->
    (np Theta1 E d M -> np Theta2 E d M) /\ (ppkdp Theta1 E d M -> ppkdp Theta2 E d M).
  Proof.
    intros B2 l n Theta1 Theta2 M E d s1 s2 L e R. split.
    - exact (MoreKnowledge.proposition_3_independent n M Theta1 Theta2 E d s1 s2 R).
    - exact (MoreKnowledge.proposition_3_passive n M Theta1 Theta2 E d s1 s2 L e R).
  Qed.
End Statements.

Section Composition.
  Context {T B O1 O2 : Type} `{Label T} `{Label B} `{Label O1} `{Label O2}.
  Notation both := Dependency.both.
  Notation bounded_dependent := Dependency.bounded_dependent.

  (** Theorem 6, identity, corrected: e^L = e^Dep * e^L1 * e^L2, with Dep once, where all are finite; P and P' are the laws
      of both outputs given D(i) = a and given D(i) = b (and a B). *)
  Theorem theorem_6_identity : forall (P P' : measure (O1 * O2)) o1 o2, nonnegative P -> nonnegative P' ->
    0 < Dependency.both_at P o1 o2 -> 0 < Dependency.both_at P' o1 o2 ->
    Dependency.both_at P o1 o2 / Dependency.both_at P' o1 o2 ==
    Dependency.dependency P P' o1 o2 * (Dependency.first_at P o1 / Dependency.first_at P' o1)
      * (Dependency.second_at P o2 / Dependency.second_at P' o2).
  Proof. exact Dependency.theorem_6_identity. Qed.
  (** Theorem 6, corollary, corrected to mu once: if M1 and M2 are (epsilon1, delta1)- and (epsilon2, delta2)-APKDP and
      (mu, nu)-bounded dependent, both together are (mu + epsilon1 + epsilon2, delta1 + delta2 + nu)-APKDP, for every
      mu, negative ones too (m = e^mu, a rational), and whatever c >= 0 is counted where Dep is infinity - infinity or o1
      excludes b (Definition 17's convention would count 1). *)
  Theorem theorem_6_corollary : forall n (Theta : family T B), of_size n Theta ->
    forall (c : O1 -> O2 -> Q) m nu E1 d1 E2 d2 (M1 : mechanism T O1) (M2 : mechanism T O2),
    total_on n M1 -> total_on n M2 -> (forall x y, 0 <= c x y) -> 0 <= m -> 0 <= E1 -> 0 <= E2 ->
    apkdp Theta E1 d1 M1 -> apkdp Theta E2 d2 M2 -> bounded_dependent Theta c m nu (both M1 M2) ->
    apkdp Theta (m * E1 * E2) (d1 + d2 + nu) (both M1 M2).
  Proof. exact Dependency.theorem_6_corollary. Qed.
  (** Theorem 6, corollary (as printed, with 2*mu), for mu >= 0. *)
  Theorem theorem_6_printed : forall n (Theta : family T B), of_size n Theta ->
    forall (c : O1 -> O2 -> Q) m nu E1 d1 E2 d2 (M1 : mechanism T O1) (M2 : mechanism T O2),
    total_on n M1 -> total_on n M2 -> (forall x y, 0 <= c x y) -> 1 <= m -> 0 <= E1 -> 0 <= E2 ->
    apkdp Theta E1 d1 M1 -> apkdp Theta E2 d2 M2 -> bounded_dependent Theta c m nu (both M1 M2) ->
    apkdp Theta (m * m * E1 * E2) (d1 + d2 + nu) (both M1 M2).
  Proof. exact Dependency.theorem_6_printed. Qed.
  (** Proposition 9, corrected: if the two outputs of M are independent given B and D(i) = a, for all theta, B, i and a,
      they are (0, 0)-bounded dependent, where infinity - infinity is 0 and an o1 that excludes b is not compared. *)
  Theorem proposition_9 : forall n (Theta : family T B), of_size n Theta -> forall M : mechanism T (O1 * O2), total_on n M ->
    Dependency.outputs_independent Theta M -> bounded_dependent Theta (fun _ _ => 0) 1 0 M.
  Proof. exact Dependency.proposition_9. Qed.
End Composition.

(** Lemma 2, corrected to <= : for 0 <= p < 1 and m > pn/(1 - p), P[X >= m] <= f(m, n, p)/(1 - pn/((1 - p)m)), X the
    number of successes in n independent trials of p; f(m, n, p) = C(n, m)*p^m*(1 - p)^(n - m) = P[X = m]. *)
Theorem lemma_2 : forall p n m, 0 <= p -> p < 1 -> p * BinomialTail.natQ n / (1 - p) < BinomialTail.natQ m ->
  Pr (BinomialTail.successes n p) (fun x => m <=? x)%nat <=
  BinomialTail.binomial n p m / (1 - p * BinomialTail.natQ n / ((1 - p) * BinomialTail.natQ m)).
Proof. intros p n m p0 p1. exact (BinomialTail.lemma_2 p p0 p1 n m). Qed.
(** Lemma 2 with < as printed, for 0 < p and m <= n. *)
Theorem lemma_2_strict : forall p n m, 0 < p -> p < 1 -> (m <= n)%nat ->
  p * BinomialTail.natQ n / (1 - p) < BinomialTail.natQ m ->
  Pr (BinomialTail.successes n p) (fun x => m <=? x)%nat <
  BinomialTail.binomial n p m / (1 - p * BinomialTail.natQ n / ((1 - p) * BinomialTail.natQ m)).
Proof. intros p n m p0 p1 l above. exact (BinomialTail.lemma_2_strict p (Qlt_le_weak _ _ p0) p1 n m above p0 l). Qed.
(** The closed form of Lemma 2's f(m, n, p) is the law of X, the number of successes. *)
Theorem binomial_law : forall p n m, at_ same (BinomialTail.successes n p) m == BinomialTail.binomial n p m.
Proof. intros p n m. exact (BinomialTail.successes_at p n m). Qed.

(** Proposition 7: "Let theta be a distribution that generates n records, where D(i) is the result of an independent
    Bernoulli trial of probability p_i, and let M be defined by M(D) = sum_i D(i). Let mu2 = (1/n)*sum_i p_i(1 - p_i) and
    mu3 = (1/n)*sum_i p_i(1 - p_i)|1 - 2p_i| be respectively the average second moment and average absolute third moment of
    the D(i). Then for any delta2 >= 1.25*e^(-n*mu2/2), M is (theta, epsilon, delta)-APKDP, with epsilon =
    sqrt(2*ln(1.25/delta2)/(n*mu2)) and delta = 1.12*mu3/(sqrt(n)*mu2^3)*(1 + e^epsilon) + delta2."

    Corrected: mu3 is the mean of p_i(1 - p_i)(p_i^2 + (1 - p_i)^2), the absolute third moment that the words name. With it
    M is (theta, 0, delta)-APKDP, and so for every epsilon >= 0 and every delta2 >= 0, also with mu2^(3/2) in place of
    mu2^3; d is any rational that is at least the bound, which is said by the squares of both sides:
    (1.12*mu3*(1 + E))^2 <= (d - delta2)^2*n*mu2^3. Chances 0 and 1 are allowed, and nothing is known. *)
Theorem proposition_7 : forall ps E d2 d, Forall (fun p => 0 <= p <= 1) ps -> 1 <= E -> 0 <= d2 -> d2 <= d ->
  let n := BinomialTail.natQ (length ps) in
  let mu2 := MostLikelyCount.variance ps / n in
  let mu3 := MostLikelyCount.third ps / n in
  ((28 # 25) * mu3 * (1 + E)) * ((28 # 25) * mu3 * (1 + E)) <= (d - d2) * (d - d2) * (n * (mu2 * mu2 * mu2)) ->
  apkdp (fun theta => theta = MostLikelyCount.independent_bits ps) 1 d MostLikelyCount.count /\
  apkdp (fun theta => theta = MostLikelyCount.independent_bits ps) E d MostLikelyCount.count.
Proof.
  intros ps E d2 d C e d20 l n mu2 mu3 b.
  assert (V := MostLikelyCount.proposition_7 (length ps) (fun theta => theta = MostLikelyCount.independent_bits ps) E d2 d e d20 l).
  split; apply V; intros theta ->; exists ps; auto.
Qed.
(** Proposition 7, corrected in mu3 alone, with mu2^3 as printed: (1.12*mu3*(1 + E))^2 <= (d - delta2)^2*n*mu2^6. *)
Theorem proposition_7_printed_power : forall ps E d2 d, Forall (fun p => 0 <= p <= 1) ps -> 1 <= E -> 0 <= d2 -> d2 <= d ->
  let n := BinomialTail.natQ (length ps) in
  let mu2 := MostLikelyCount.variance ps / n in
  let mu3 := MostLikelyCount.third ps / n in
  ((28 # 25) * mu3 * (1 + E)) * ((28 # 25) * mu3 * (1 + E)) <=
    (d - d2) * (d - d2) * (n * ((mu2 * mu2 * mu2) * (mu2 * mu2 * mu2))) ->
  apkdp (fun theta => theta = MostLikelyCount.independent_bits ps) 1 d MostLikelyCount.count /\
  apkdp (fun theta => theta = MostLikelyCount.independent_bits ps) E d MostLikelyCount.count.
Proof.
  intros ps E d2 d C e d20 l n mu2 mu3 b. apply (proposition_7 ps E d2 d C e d20 l).
  exact (MostLikelyCount.power_three ps E (d - d2) C b).
Qed.
(** What the proof of this rests on, in place of GK17: the count is (theta, epsilon, delta)-APKDP, for every epsilon >= 0,
    where 2v*delta^2 >= 1 for the variance v of the others of each record that is not certain. *)
Theorem proposition_7_variance : forall ps E d, Forall (fun p => 0 <= p <= 1) ps -> 1 <= E -> 0 <= d ->
  (forall i p, record i ps = Some p -> 0 < p < 1 -> 1 <= 2 * MostLikelyCount.variance (others i ps) * (d * d)) ->
  apkdp (fun theta => theta = MostLikelyCount.independent_bits ps) E d MostLikelyCount.count.
Proof.
  intros ps E d C e d0 m. apply (MostLikelyCount.count_by_variance (length ps) _ E d e d0).
  intros theta ->. exists ps. auto.
Qed.

(** Theorem 3, numerical form, corrected: the count of n independent bits with lambda <= p_i <= 1 - lambda, nothing known, is
    (Theta, epsilon, delta)-APKDP for every epsilon >= 0 and delta >= P[(X + 1)/Y >= e^epsilon], where X and Y count two
    outcomes of probability lambda each in n - 1 independent trials: they are multinomial. Printed: P[X/Y >= epsilon], with X
    and Y independent and binomial with 2*lambda. *)
Theorem theorem_3 : forall n (Theta : family bool unit) lambda E d, 0 <= lambda -> 1 <= E ->
  MostLikelyCount.of_bits n (Forall (fun p => lambda <= p <= 1 - lambda)) Theta ->
  Pr (Blanket.blanket (n - 1) lambda)
    (fun xy => Qle_bool (E * BinomialTail.natQ (snd xy)) (BinomialTail.natQ (S (fst xy)))) <= d ->
  apkdp Theta E d MostLikelyCount.count.
Proof. exact Blanket.count_by_blanket. Qed.

(** Theorem 4 without known records, restored (r = p(n - 1)/((1 - p)*T), a product): if T >= 1, r < 1 and all p_i <= p, M_T
    is (Theta, epsilon, delta)-APKDP with delta = f(T, n - 1, p)/(1 - r), for every epsilon >= 0; so for the printed
    epsilon = -ln(1 - delta), where that is defined. *)
Theorem theorem_4 : forall n (Theta : family bool unit) t p E, 0 <= p -> p < 1 -> 1 <= E ->
  MostLikelyCount.of_bits n (Forall (fun q => q <= p)) Theta ->
  p * BinomialTail.natQ (n - 1) / (1 - p) < BinomialTail.natQ t ->
  apkdp Theta E
    (BinomialTail.binomial (n - 1) p t / (1 - p * BinomialTail.natQ (n - 1) / ((1 - p) * BinomialTail.natQ t)))
    (Threshold.thresholding t).
Proof. exact Threshold.thresholding_private. Qed.
(** Theorem 4 with known records, corrected: 1 <= b_max < T is asked for too. The last two hypotheses say it with r_b < 1 and
    r' < 1: they are multiplied out, and T - b_max is 0 where b_max >= T. With the records of qs known and those of ps not,
    all independent and of chance at most p, M_T is (epsilon, delta)-PPKDP with delta = f(b_max, |B|, p)/(1 - r_b) +
    f(T - b_max, n - |B| - 1, p)/(1 - r'), for every epsilon >= 0, so for the printed one, where it is defined. The known
    records come first, which for a count is no restriction. *)
Theorem theorem_4_with_knowledge : forall qs ps t b_max p E, 0 <= p -> p < 1 -> 1 <= E ->
  Forall (fun q => 0 <= q <= p) qs -> Forall (fun q => 0 <= q <= p) ps ->
  p * BinomialTail.natQ (length qs) / (1 - p) < BinomialTail.natQ b_max ->
  p * BinomialTail.natQ (length ps - 1) / (1 - p) < BinomialTail.natQ (t - b_max) ->
  ppkdp (fun theta => theta = Threshold.known_first qs ps) E
    (Threshold.lemma_2_bound b_max (length qs) p + Threshold.lemma_2_bound (t - b_max) (length ps - 1) p)
    (Threshold.thresholding t).
Proof. exact Threshold.thresholding_passive. Qed.

(** Proposition 8, for known records that may be 1 (as printed but for an edge case: p_i > 0 for the known ones): with the
    |B| <= T records of qs known and those of ps not, all independent, M_T is (epsilon, delta)-APKDP iff M_(T - |B|) of the
    records of ps, nothing known, is (epsilon, delta)-PPKDP, for all epsilon >= 0 and delta >= 0. *)
Theorem proposition_8 : forall qs ps t E d, Forall (fun q => 0 < q <= 1) qs -> Forall (fun p => 0 <= p <= 1) ps ->
  (length qs <= t)%nat -> 1 <= E -> 0 <= d ->
  (apkdp (fun theta => theta = Threshold.known_first qs ps) E d (Threshold.thresholding t) <->
   ppkdp (fun theta => theta = MostLikelyCount.independent_bits ps) E d (Threshold.thresholding (t - length qs))).
Proof. intros qs ps t E d Q P l e d0. exact (Threshold.fewer_records qs ps Q P t l E d e d0). Qed.

(** Proposition 6, for records that are not known (as printed but for an edge case), with finitely many databases: a sum of
    terms f j (D(j)), in any group, is Theta-reducible at each record that is not known, where the known records (b of them,
    which come first; kappa is their law) are independent of the others (nu). In a commutative group it is no restriction
    that they come first. The outputs are all elements of the group: the integers for counting and integer linear queries.
    Means are one-to-one functions of sums of x, 1/x and x^2, or of products, and these stay reducible
    (Reducible.one_to_one). *)
Theorem proposition_6 : forall (T G : Type) (lT : Label T) (lG : Label G) (op : G -> G -> G) (unit_ : G) (inv : G -> G),
  (forall x y z, op x (op y z) = op (op x y) z) -> (forall x, op unit_ x = x) ->
  (forall x, op (inv x) x = unit_) -> (forall x, op x (inv x) = unit_) ->
  forall (f : nat -> T -> G) b (kappa nu : measure (list T)), law kappa -> law nu -> Reducible.all_have_length b kappa ->
  forall j, ActivePassive.reducible (Reducible.sum_query op unit_ f) (Reducible.known_part kappa nu) (b + j).
Proof. intros T G lT lG op unit_ inv. exact (Reducible.sums_are_reducible op unit_ inv). Qed.
(** Proposition 6 in the integers: linear queries, and counting queries, where the terms are 0 and 1. *)
Theorem proposition_6_integers : forall (T : Type) (lT : Label T) (f : nat -> T -> Z) b (kappa nu : measure (list T)),
  law kappa -> law nu -> Reducible.all_have_length b kappa ->
  forall j, ActivePassive.reducible (Reducible.sum_query Z.add 0%Z f) (Reducible.known_part kappa nu) (b + j).
Proof. intros T lT. exact Reducible.integer_queries. Qed.
