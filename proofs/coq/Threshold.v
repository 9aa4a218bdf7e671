(** Counts that are shown only above a threshold (DMKB20, section 4.2: Definition 15, Theorem 4, Proposition 8).

    Independent bits. Of the known ones, which come first, the attacker sees each; [known_first] is their law. Whether a
    record is 1 or 0 matters to M_T only where at least T of the others are 1, so that the tail of their number is a delta
    with epsilon = 0, and Lemma 2 bounds it. Given that c known records are 1, M_T is M_(T - c) of the other records, moved
    by c; and M_(T - c) is a function of M_(T - b) where b known records are the most. *)

From PK Require Import PartialKnowledge Laws Notions BinomialTail MostLikelyCount.
From PK Require ActivePassive.
Import ListNotations.
Open Scope Q_scope.

(** Definition 15: None stands for the count that is not shown. *)
Definition shown (t k : nat) : option nat := if (k <=? t)%nat then None else Some k.
Definition thresholding (t : nat) : mechanism bool (option nat) := fun D => [(shown t (ones D), 1)].
Definition is_shown (o : option nat) : bool := match o with None => false | Some _ => true end.

(** A function of the count, as a mechanism. *)
Definition of_count {O} (g : nat -> O) : mechanism bool O := fun D => [(g (ones D), 1)].
Lemma total_of_count {O} (g : nat -> O) n : total_on n (of_count g).
Proof. intros D _. split; [intros x p [e|[]]; injection e as _ <-; discriminate|reflexivity]. Qed.
Lemma ones_app K U : ones (K ++ U) = (ones K + ones U)%nat.
Proof. unfold ones. now rewrite filter_app, app_length. Qed.

(** * Knowing some records *)

Definition known_first (qs ps : list Q) : distribution bool (list bool) :=
  bind (bits qs) (fun K => image (fun U => (K ++ U, K)) (bits ps)).

Section Known.
  Context (qs ps : list Q) (Cq : Forall chance qs) (Cp : Forall chance ps).
  Notation theta := (known_first qs ps).
  Notation b := (length qs).
  Implicit Types (K U D : list bool) (a c : bool).

  Lemma mean_known f : mean theta f == mean (bits qs) (fun K => mean (bits ps) (fun U => f (K ++ U, K))).
  Proof. unfold known_first. rewrite mean_bind. apply mean_ext. intros K. apply mean_image. Qed.
  Lemma known_law : law theta.
  Proof. apply law_bind; [now apply bits_law|]. intros. now apply law_image, bits_law. Qed.
  Lemma known_sized : of_size (b + length ps) (fun nu => nu = theta).
  Proof.
    intros nu ->. split; [apply known_law|]. intros w p I. apply in_flat_map in I as [[K q] [I J]].
    apply in_map_iff in J as [[z r] [[= <- _] J]]. apply in_map_iff in J as [[U s] [[= <- _] J]]. cbn [fst].
    now rewrite app_length, (bits_length qs K q I), (bits_length ps U s J).
  Qed.

  Lemma record_app K U j : length K = b -> record (b + j) (K ++ U) = record j U.
  Proof. intros l. unfold record. rewrite nth_error_app2 by lia. f_equal. lia. Qed.
  Lemma mean_having j a K f : mean theta (fun w => if having (b + j) a K w then f (fst w) else 0) ==
    Pr (bits qs) (eqb K) * mean (bits ps) (fun U => if eqb (Some a) (record j U) then f (K ++ U) else 0).
  Proof.
    rewrite mean_known, Pr_mean, (Qmult_comm (mean _ _)), <- mean_scale. apply mean_in. intros K' q I. unfold chi.
    assert (l := bits_length qs K' q I). cbn [fst]. destruct (eqb K K') eqn:e.
    - apply eqb_eq in e. subst K'. rewrite Qmult_1_r. apply mean_ext. intros U. unfold having, knows, holds_record.
      cbn [fst snd]. rewrite eqb_same, record_app by exact l. reflexivity.
    - rewrite Qmult_0_r. apply mean_zero. intros U r _. unfold having, knows. cbn [snd]. now rewrite e.
  Qed.
  Lemma Pr_known j a K p : record j ps = Some p -> Pr theta (having (b + j) a K) == Pr (bits qs) (eqb K) * chance_of p a.
  Proof.
    intros e. rewrite Pr_mean. rewrite (mean_ext theta _ (fun w => if having (b + j) a K w then 1 else 0)) by reflexivity.
    rewrite (mean_having j a K (fun _ => 1)), (mean_record ps j p a (fun _ => 1) e), mean_constant.
    - ring.
    - now apply bits_law, others_chance.
  Qed.
  Lemma known_positive K : 0 <= Pr (bits qs) (eqb K).
  Proof. apply Pr_nonnegative. now apply bits_law. Qed.
  (** A known record has the value that is known; an unknown one has some chance. *)
  Lemma known_value i a K : (i < b)%nat -> possible theta i a K -> record i K = Some a.
  Proof.
    intros l P. destruct (eqb (Some a) (record i K)) eqn:e; [now apply eqb_eq in e|]. exfalso. apply (Qlt_not_le _ _ P).
    rewrite Pr_mean, mean_known, mean_zero; [lra|]. intros K' q I. apply mean_zero. intros U r _. unfold chi, having, knows, holds_record.
    cbn [fst snd]. destruct (eqb K K') eqn:e'; [|reflexivity]. apply eqb_eq in e'. subst K'. cbn [andb].
    unfold record in *. rewrite nth_error_app1 by (rewrite (bits_length qs K q I); exact l). now rewrite e.
  Qed.
  Lemma unknown_value j a K : possible theta (b + j) a K ->
    exists p, record j ps = Some p /\ 0 < chance_of p a /\ 0 < Pr (bits qs) (eqb K).
  Proof.
    intros P. destruct (record j ps) as [p|] eqn:e.
    - exists p. split; [reflexivity|]. unfold possible in P. rewrite (Pr_known j a K p e) in P. assert (k := known_positive K).
      assert (c : 0 <= chance_of p a).
      { clear - Cp e. revert j e. induction ps as [|q l IH]; intros [|j] e; try discriminate; inversion_clear Cp as [|? ? Cq C']; [|exact (IH C' j e)].
        injection e as ->. destruct Cq. unfold chance_of. destruct a; lra. }
      split; [destruct (Qlt_le_dec 0 (chance_of p a)); [assumption|nra]|destruct (Qlt_le_dec 0 (Pr (bits qs) (eqb K))); [assumption|nra]].
    - exfalso. apply (Qlt_not_le _ _ P). rewrite Pr_mean.
      rewrite (mean_ext theta _ (fun w => if having (b + j) a K w then 1 else 0)) by reflexivity.
      rewrite (mean_having j a K (fun _ => 1)), mean_zero; [lra|]. intros U q I. destruct (eqb (Some a) (record j U)) eqn:h; [|reflexivity].
      apply eqb_eq in h. symmetry in h. apply record_some in h. apply nth_error_None in e. rewrite (bits_length ps U q I) in h. lia.
  Qed.

  (** The law of a function g of the count, given the known records K and bit j of the others: that of g(c + k), c the number of
      ones of K, and k the count of the unknown records given that bit. *)
  Theorem output_known {O} (g : nat -> O) j a K p : record j ps = Some p -> 0 < chance_of p a -> 0 < Pr (bits qs) (eqb K) ->
    alike (image (fun k => g (ones K + k)%nat) (counted (others j ps) (one a))) (output theta (having (b + j) a K) (of_count g)).
  Proof.
    intros e P P' S. rewrite Pr_output, (Pr_known j a K p e).
    rewrite (mean_ext theta _ (fun w => if having (b + j) a K w then chi S (g (ones (fst w))) else 0)).
    2:{ intros w. destruct (having (b + j) a K w); [|reflexivity]. unfold of_count. rewrite Pr_mean, mean_cons, mean_nil. ring. }
    rewrite (mean_having j a K (fun D => chi S (g (ones D)))), (mean_record ps j p a (fun U => chi S (g (ones (K ++ U)))) e).
    unfold counted. rewrite !Pr_image, Pr_mean.
    rewrite (mean_ext _ (fun R => chi S (g (ones (K ++ insert j a R)))) (chi (fun R => S (g (ones K + (one a + ones R))%nat)))).
    2:{ intros R. rewrite ones_app, ones_insert. reflexivity. }
    field. lra.
  Qed.
End Known.

(** The same where nothing is known. *)
Lemma output_of_count {O} (g : nat -> O) ps i a p k : Forall chance ps -> record i ps = Some p -> 0 < chance_of p a ->
  alike (image g (counted (others i ps) (one a))) (output (independent_bits ps) (having i a k) (of_count g)).
Proof.
  intros C e P S. rewrite Pr_image. rewrite (output_count ps C i p a k e P (fun x => S (g x))). unfold output.
  rewrite !Pr_bind. apply mean_ext. intros w. unfold count, of_count. now rewrite !Pr_mean, !mean_cons, !mean_nil.
Qed.

(** Without knowledge there is one kind of attacker. *)
Lemma no_knowledge {T O} `{Label T} `{Label O} n (Theta : family T unit) (M : mechanism T O) E d : of_size n Theta ->
  (ppkdp Theta E d M <-> apkdp Theta E d M).
Proof.
  intros sized.
  assert (same_event : forall i (a : T) (k : unit) w, having i a k w = holds_record i a w).
  { intros i a [] [D []]. unfold having, knows. now rewrite eqb_same. }
  assert (mass : forall (theta : distribution T unit) i a k, Pr theta (having i a k) == Pr theta (holds_record i a)).
  { intros. apply Pr_ext. intros. apply same_event. }
  assert (mean_is : forall theta i a b, Theta theta -> 0 < Pr theta (holds_record i a) -> 0 < Pr theta (holds_record i b) ->
    ppk theta E M i a b == apk theta E M i a b tt).
  { intros theta i a b I P P'. rewrite (ActivePassive.theorem_1_mean n Theta M sized theta E i a b I).
    rewrite (mean_ext _ _ (fun _ => apk theta E M i a b tt)).
    - apply mean_constant, law_given; [apply (sized theta I)|exact P].
    - intros [D []]. cbn [snd]. destruct (excludes theta i b tt) eqn:e; [|reflexivity]. exfalso.
      apply Qle_bool_iff in e. change (Pr theta (having i b tt) <= 0) in e. assert (q := mass theta i b tt). lra. }
  split.
  - intros V theta I i a b [] P P'. unfold possible in *. rewrite mass in P, P'. rewrite <- mean_is by assumption. now apply V.
  - intros V theta I i a b P P'. rewrite mean_is by assumption. apply V; unfold possible; rewrite ?mass; assumption.
Qed.

(** * Seldom shown *)

(** Two laws that are one outcome, but for events of probability at most x. *)
Lemma mostly_one {O} (mu nu : measure O) (o : O) (S0 : O -> bool) x : law mu -> law nu ->
  (forall o', S0 o' = false -> o' = o) -> Pr mu S0 <= x -> Pr nu S0 <= x -> within 1 x mu nu.
Proof.
  intros L L' u m m' S. assert (n := Pr_nonnegative nu S (proj1 L')). destruct (S o) eqn:e.
  - assert (t : Pr mu S <= 1) by (rewrite <- (Pr_all mu L); apply Pr_le; [apply L|auto]).
    assert (s : 1 <= Pr nu S + Pr nu S0).
    { rewrite <- (Pr_all nu L'), !Pr_mean, <- mean_plus. apply mean_le; [apply L'|]. intros y p _. unfold chi.
      destruct (S0 y) eqn:f; [destruct (S y); lra|]. rewrite (u y f), e. lra. }
    lra.
  - assert (t : Pr mu S <= Pr mu S0).
    { apply Pr_le; [apply L|]. intros y f. destruct (S0 y) eqn:g; [reflexivity|]. rewrite (u y g) in f. congruence. }
    lra.
Qed.

(** Larger chances, larger counts: the mean of what does not fall in the count of bits of chances at most p is at most its mean
    over the successes in as many trials of p. *)
Theorem larger_chances ps p (u : nat -> Q) : Forall (fun q => 0 <= q <= p) ps -> p < 1 -> (forall k, u k <= u (S k)) ->
  mean (bits ps) (fun D => u (ones D)) <= mean (successes (length ps) p) u.
Proof.
  intros C. revert u. induction C as [|q ps [q0 q1] C IH]; intros u p1 up.
  - cbn [bits length successes]. rewrite !mean_cons, !mean_nil. change (ones []) with O. lra.
  - rewrite mean_bits. cbn [length successes]. rewrite mean_bind. unfold trial. rewrite !mean_cons, mean_nil, !mean_image.
    change (fun D => u (ones (true :: D))) with (fun D => u (S (ones D))). change (fun D => u (ones (false :: D))) with (fun D => u (ones D)).
    change (fun x => u (1 + x)%nat) with (fun x => u (S x)). change (fun x => u (0 + x)%nat) with u.
    assert (a := IH u p1 up). assert (b := IH (fun k => u (S k)) p1 (fun k => up (S k))).
    assert (c : mean (successes (length ps) p) u <= mean (successes (length ps) p) (fun k => u (S k))).
    { apply mean_le; [|intros; apply up]. apply (successes_law p); lra. }
    apply (scale_le q) in b; [|exact q0]. apply (scale_le (1 - q)) in a; [|lra]. apply (scale_le (p - q)) in c; [|lra]. lra.
Qed.

(** * Theorem 4 *)

Definition tail (ps : list Q) (m : nat) : Q := Pr (counted ps 0) (fun x => m <=? x)%nat.
Lemma tail_mean ps m : tail ps m == mean (bits ps) (fun D => if (m <=? ones D)%nat then 1 else 0).
Proof. unfold tail, counted. rewrite Pr_image, Pr_mean. reflexivity. Qed.
Lemma tail_smaller ps m m' : Forall chance ps -> (m <= m')%nat -> tail ps m' <= tail ps m.
Proof.
  intros C l. apply Pr_le; [now apply law_image, bits_law|]. intros x h. apply Nat.leb_le in h. apply Nat.leb_le. lia.
Qed.
(** Lemma 2, for different chances. *)
Lemma tail_bound ps p m : Forall (fun q => 0 <= q <= p) ps -> 0 <= p -> p < 1 -> p * natQ (length ps) / (1 - p) < natQ m ->
  tail ps m <= binomial (length ps) p m / (1 - p * natQ (length ps) / ((1 - p) * natQ m)).
Proof.
  intros C p0 p1 l. rewrite tail_mean. eapply Qle_trans; [apply (larger_chances ps p (fun k => if (m <=? k)%nat then 1 else 0) C p1)|].
  - intros k. destruct (Nat.leb_spec m k), (Nat.leb_spec m (S k)); lia || lra.
  - assert (L := lemma_2 p p0 p1 (length ps) m l). rewrite Pr_mean in L. exact L.
Qed.

(** With c known records that are 1, whether a further one is 1 or 0 matters where at least T - c of the others are 1. *)
Lemma seldom_shown ps t c : Forall chance ps ->
  indistinguishable 1 (tail ps (t - c)) (image (fun k => shown t (c + k)) (counted ps 1)) (image (fun k => shown t (c + k)) (counted ps 0)).
Proof.
  intros C. assert (L := bits_law ps C).
  assert (m : forall j, (j <= 1)%nat -> Pr (image (fun k => shown t (c + k)) (counted ps j)) is_shown <= tail ps (t - c)).
  { intros j l. unfold tail, counted. rewrite !Pr_image. apply Pr_le; [apply L|]. intros D h. apply Nat.leb_le. unfold shown in h.
    destruct (Nat.leb_spec (c + (j + ones D)) t) as [g|g]; [discriminate h|]. lia. }
  assert (u : forall o, is_shown o = false -> o = None) by (intros [k|]; [discriminate|reflexivity]).
  split; apply (mostly_one _ _ None is_shown); auto; now apply law_image, law_image.
Qed.

Lemma at_most p ps : Forall (fun q => 0 <= q <= p) ps -> p < 1 -> Forall chance ps.
Proof. intros C l. induction C as [|q qs Cq C IH]; constructor; [split; lra|exact IH]. Qed.
Lemma at_most_others p ps i : Forall (fun q => 0 <= q <= p) ps -> Forall (fun q => 0 <= q <= p) (others i ps).
Proof. intros C. revert i. induction C as [|q qs Cq C IH]; intros [|i]; cbn [others]; auto. Qed.
Lemma length_others {A} (l : list A) i x : record i l = Some x -> length (others i l) = (length l - 1)%nat.
Proof.
  intros e. apply record_some in e. revert i e. induction l as [|q l IH]; intros [|i] g; cbn [others length] in *; try lia.
  rewrite IH by lia. lia.
Qed.

(** The bound of Lemma 2 on P[X >= m], X the number of successes in n trials of p. *)
Definition lemma_2_bound (m n : nat) (p : Q) : Q := binomial n p m / (1 - p * natQ n / ((1 - p) * natQ m)).

(** Without knowledge: every epsilon >= 0 is enough. *)
Theorem thresholding_private n (Theta : family bool unit) t p E : 0 <= p -> p < 1 -> 1 <= E ->
  of_bits n (Forall (fun q => q <= p)) Theta -> p * natQ (n - 1) / (1 - p) < natQ t ->
  apkdp Theta E (lemma_2_bound t (n - 1) p) (thresholding t).
Proof.
  intros p0 p1 e X l. assert (sized := of_bits_sized n _ Theta X).
  assert (total := total_of_count (shown t) n). change (of_count (shown t)) with (thresholding t) in total.
  apply (apkdp_np n Theta (thresholding t) sized total); [lra|]. intros theta I k i a c P P'.
  assert (L := law_output n Theta (thresholding t) sized total theta _ I P).
  assert (L' := law_output n Theta (thresholding t) sized total theta _ I P').
  destruct (X theta I) as (ps & m & C & K & ->). destruct (possible_record ps C i a k P) as (q & r & A).
  destruct (possible_record ps C i c k P') as (q' & r' & A'). rewrite r in r'. injection r' as <-.
  assert (between : Forall (fun q => 0 <= q <= p) ps).
  { clear - C K. induction C as [|q qs Cq C IH]; [constructor|]. inversion_clear K. constructor; [destruct Cq; split; assumption|now apply IH]. }
  assert (b := tail_bound (others i ps) p t (at_most_others p ps i between) p0 p1).
  rewrite (length_others ps i q r), m in b. specialize (b l). fold (lemma_2_bound t (n - 1) p) in b.
  assert (x0 : 0 <= tail (others i ps) t) by (apply Pr_nonnegative, law_image, bits_law, others_chance, C).
  assert (V := seldom_shown (others i ps) t 0 (others_chance ps C i)). rewrite Nat.sub_0_r in V.
  change (fun k => shown t (0 + k)) with (shown t) in V.
  assert (F := output_of_count (shown t) ps i a q k C r A). assert (G := output_of_count (shown t) ps i c q k C r A').
  destruct (Bool.bool_dec a c) as [->|D]; [apply indistinguishable_same; [exact e|lra|apply L|intros S; reflexivity]|].
  apply (indistinguishable_more 1 E (tail (others i ps) t)); [apply L|apply L'|exact e|exact b|].
  destruct a, c; try congruence; cbn [one] in *.
  - exact (indistinguishable_alike _ _ _ _ _ _ F G V).
  - apply (indistinguishable_alike _ _ _ _ _ _ F G). now apply indistinguishable_sym.
Qed.

(** * With knowledge *)

(** What has no probability need not be compared. *)
Lemma mean_le_in {A} (mu : measure A) f g : nonnegative mu -> (forall x p, In (x, p) mu -> 0 < p -> f x <= g x) -> mean mu f <= mean mu g.
Proof.
  intros N l. apply sum_le. intros [x p] I. cbn [fst snd]. assert (n := N x p I). destruct (Qlt_le_dec 0 p) as [p0|p0].
  - apply (scale_le p); [exact n|exact (l x p I p0)].
  - assert (z : p == 0) by lra. rewrite z. lra.
Qed.

Section WithKnowledge.
  Context (qs ps : list Q) (Cq : Forall chance qs) (Cp : Forall chance ps).
  Notation theta := (known_first qs ps).
  Notation b := (length qs).
  Notation Theta := (fun nu => nu = theta).
  Implicit Types (K : list bool) (a c : bool).

  (** The laws of M_T given D(i) = a and given D(i) = c, where K leaves both possible. *)
  Lemma thresholding_given t i a c K : possible theta i a K -> possible theta i c K -> a <> c ->
    exists j, i = (b + j)%nat /\ indistinguishable 1 (tail (others j ps) (t - ones K))
      (output theta (having i a K) (thresholding t)) (output theta (having i c K) (thresholding t)).
  Proof.
    intros P P' D. destruct (Nat.lt_ge_cases i b) as [l|g].
    { exfalso. apply (known_value qs ps i a K l) in P. apply (known_value qs ps i c K l) in P'. congruence. }
    exists (i - b)%nat. assert (e : i = (b + (i - b))%nat) by lia. split; [exact e|]. set (j := (i - b)%nat) in *.
    rewrite e in *. destruct (unknown_value qs ps Cq Cp j a K P) as (p & r & A & k).
    destruct (unknown_value qs ps Cq Cp j c K P') as (p' & r' & A' & _). rewrite r in r'. injection r' as <-.
    assert (V := seldom_shown (others j ps) t (ones K) (others_chance ps Cp j)).
    assert (F := output_known qs ps Cp (shown t) j a K p r A k). assert (G := output_known qs ps Cp (shown t) j c K p r A' k).
    destruct a, c; try congruence; cbn [one] in *.
    - exact (indistinguishable_alike _ _ _ _ _ _ F G V).
    - apply (indistinguishable_alike _ _ _ _ _ _ F G). now apply indistinguishable_sym.
  Qed.

  Lemma Pr_record j a p : record j ps = Some p -> Pr theta (holds_record (b + j) a) == chance_of p a.
  Proof.
    intros e. rewrite Pr_mean, mean_known. rewrite (mean_in (bits qs) _ (fun _ => chance_of p a)).
    - now apply mean_constant, bits_law.
    - intros K q I. rewrite (mean_ext (bits ps) _ (fun U => if eqb (Some a) (record j U) then 1 else 0)).
      + rewrite (mean_record ps j p a (fun _ => 1) e), mean_constant by (apply bits_law, others_chance, Cp). ring.
      + intros U. unfold chi, holds_record. cbn [fst]. now rewrite record_app by exact (bits_length qs K q I).
  Qed.
  (** What is known is independent of the others. *)
  Lemma mean_known_given j a p (h : list bool -> Q) : record j ps = Some p -> 0 < chance_of p a ->
    mean (given theta (holds_record (b + j) a)) (fun w => h (snd w)) == mean (bits qs) h.
  Proof.
    intros e P. rewrite mean_given, (Pr_record j a p e), mean_known.
    rewrite (mean_in (bits qs) _ (fun K => chance_of p a * h K)).
    - rewrite mean_scale. field. lra.
    - intros K q I. rewrite (mean_ext (bits ps) _ (fun U => if eqb (Some a) (record j U) then h K else 0)).
      + rewrite (mean_record ps j p a (fun _ => h K) e), mean_constant by (apply bits_law, others_chance, Cp). reflexivity.
      + intros U. unfold holds_record. cbn [fst snd]. now rewrite record_app by exact (bits_length qs K q I).
  Qed.

  (** Theorem 4 with knowledge, by tails: b_max or more known records are 1, or T - b_max or more of the others are. *)
  Theorem passive_bound t m E d x : 1 <= E -> tail qs m <= d -> (forall j p, record j ps = Some p -> tail (others j ps) (t - m) <= x) ->
    0 <= x -> ppkdp Theta E (d + x) (thresholding t).
  Proof.
    intros e td tx x0 nu -> i a c P P'. assert (sized := known_sized qs ps Cq Cp).
    assert (total := total_of_count (shown t) (b + length ps)). change (of_count (shown t)) with (thresholding t) in total.
    assert (d0 : 0 <= d) by (eapply Qle_trans; [|exact td]; apply Pr_nonnegative, law_image, bits_law, Cq).
    assert (N := proj1 (proj1 (sized theta eq_refl))).
    rewrite (ActivePassive.theorem_1_mean _ Theta (thresholding t) sized theta E i a c eq_refl).
    assert (each : forall w p, In (w, p) (given theta (holds_record i a)) -> 0 < p ->
      (if excludes theta i c (snd w) then 0 else apk theta E (thresholding t) i a c (snd w)) <=
      if Bool.bool_dec a c then 0 else if (i <? b)%nat then 0 else (if (m <=? ones (snd w))%nat then 1 else 0) + x).
    { intros w p I p0. assert (V := ActivePassive.possible_in _ Theta sized theta i a w p eq_refl P I p0).
      destruct (excludes theta i c (snd w)) eqn:ex.
      { destruct (Bool.bool_dec a c), (i <? b)%nat, (m <=? ones (snd w))%nat; lra. }
      apply excludes_false in ex. set (K := snd w) in *.
      assert (L := law_output _ Theta (thresholding t) sized total theta _ eq_refl V).
      assert (L' := law_output _ Theta (thresholding t) sized total theta _ eq_refl ex).
      destruct (Bool.bool_dec a c) as [->|D].
      { apply (apk_within _ Theta (thresholding t) sized total theta E 0 i c c K eq_refl); try assumption; [lra|].
        apply indistinguishable_same; [exact e|lra|apply L|intros S; reflexivity]. }
      destruct (thresholding_given t i a c K V ex D) as (j & -> & W).
      destruct (Nat.ltb_spec (b + j) b) as [l|_]; [lia|].
      apply (apk_within _ Theta (thresholding t) sized total theta E _ (b + j) a c K eq_refl); try assumption; [lra|].
      destruct (Nat.leb_spec m (ones K)) as [g|l].
      - intros S. assert (n1 : Pr (output theta (having (b + j) a K) (thresholding t)) S <= 1).
        { rewrite <- (Pr_all _ L). apply Pr_le; [apply L|auto]. }
        assert (n0 := Pr_nonnegative _ S (proj1 L')). nra.
      - destruct (unknown_value qs ps Cq Cp j a K V) as (q & r & _ & _).
        assert (y : tail (others j ps) (t - ones K) <= x).
        { eapply Qle_trans; [apply (tail_smaller _ (t - m))|exact (tx j q r)]; [apply others_chance, Cp|lia]. }
        refine (proj1 (indistinguishable_more 1 E (tail (others j ps) (t - ones K)) _ _ _ _ _ _ _ W)); [apply L|apply L'|exact e|lra]. }
    eapply Qle_trans; [apply (mean_le_in (given theta (holds_record i a)) _ (fun w => if Bool.bool_dec a c then 0
      else if (i <? b)%nat then 0 else (if (m <=? ones (snd w))%nat then 1 else 0) + x))|].
    - now apply nonnegative_given.
    - exact each.
    - destruct (Bool.bool_dec a c) as [_|D]; [rewrite mean_zero by reflexivity; lra|].
      destruct (Nat.ltb_spec i b) as [_|g]; [rewrite mean_zero by reflexivity; lra|].
      rewrite mean_plus, mean_constant by (apply law_given; [exact N|exact P]).
      destruct (Qlt_le_dec 0 (Pr theta (holds_record i a))) as [pos|]; [|lra].
      replace i with (b + (i - b))%nat in * by lia. set (j := (i - b)%nat) in *.
      destruct (record j ps) as [p|] eqn:r.
      + rewrite (Pr_record j a p r) in pos.
        rewrite (mean_known_given j a p (fun K => if (m <=? ones K)%nat then 1 else 0) r pos), <- tail_mean. lra.
      + exfalso. apply (Qlt_not_le _ _ pos). rewrite Pr_mean, mean_known, mean_zero; [lra|]. intros K q I. apply mean_zero.
        intros U s J. unfold chi, holds_record. cbn [fst]. rewrite record_app by exact (bits_length qs K q I).
        destruct (eqb (Some a) (record j U)) eqn:h; [|reflexivity]. apply eqb_eq in h. symmetry in h. apply record_some in h.
        apply nth_error_None in r. rewrite (bits_length ps U s J) in h. lia.
  Qed.
End WithKnowledge.

(** Theorem 4 with knowledge. *)
Theorem thresholding_passive qs ps t m p E : 0 <= p -> p < 1 -> 1 <= E ->
  Forall (fun q => 0 <= q <= p) qs -> Forall (fun q => 0 <= q <= p) ps ->
  p * natQ (length qs) / (1 - p) < natQ m -> p * natQ (length ps - 1) / (1 - p) < natQ (t - m) ->
  ppkdp (fun nu => nu = known_first qs ps) E (lemma_2_bound m (length qs) p + lemma_2_bound (t - m) (length ps - 1) p) (thresholding t).
Proof.
  intros p0 p1 e Q P l l'. assert (Cq := at_most p qs Q p1). assert (Cp := at_most p ps P p1).
  apply (passive_bound qs ps Cq Cp t m E); [exact e| | |].
  - exact (tail_bound qs p m Q p0 p1 l).
  - intros j q r. assert (b := tail_bound (others j ps) p (t - m) (at_most_others p ps j P) p0 p1).
    rewrite (length_others ps j q r) in b. exact (b l').
  - unfold lemma_2_bound. apply div_pos; [|now apply binomial_nonneg].
    assert (R := ratio_range p p0 p1 (length ps - 1) (t - m) l'). unfold ratio in R. lra.
Qed.

(** * Proposition 8 *)

Section Fewer.
  Context (qs ps : list Q) (Cq : Forall (fun q => 0 < q <= 1) qs) (Cp : Forall chance ps) (t : nat) (few : (length qs <= t)%nat).
  Notation b := (length qs).
  Notation theta := (known_first qs ps).

  Lemma all_chances : Forall chance qs.
  Proof. refine (Forall_impl _ _ Cq). intros q [q0 q1]. split; lra. Qed.
  Lemma all_ones : 0 < Pr (bits qs) (eqb (repeat true b)).
  Proof.
    clear - Cq. induction Cq as [|q l [q0 q1] Cl IH]; [now vm_compute|]. cbn [length repeat]. rewrite Pr_mean, mean_bits.
    rewrite (mean_ext _ (fun D => chi (eqb (true :: repeat true (length l))) (true :: D)) (chi (eqb (repeat true (length l))))).
    2:{ intros D. unfold chi, eqb. destruct (same (true :: repeat true (length l)) (true :: D)), (same (repeat true (length l)) D);
        try reflexivity; congruence. }
    rewrite (mean_ext _ (fun D => chi (eqb (true :: repeat true (length l))) (false :: D)) (fun _ => 0)).
    2:{ intros D. unfold chi, eqb. now destruct (same (true :: repeat true (length l)) (false :: D)). }
    assert (z : mean (bits l) (fun _ => 0) == 0) by (apply mean_zero; reflexivity). rewrite <- Pr_mean, z.
    assert (m := Qmult_lt_0_compat _ _ q0 (IH Cl)). lra.
  Qed.
  Lemma ones_all m : ones (repeat true m) = m.
  Proof. unfold ones. induction m as [|m IH]; [reflexivity|]. cbn [repeat filter length]. now rewrite IH. Qed.

  (** What M_T shows given c known ones, from what M_(T - b) shows of the others; and back, where all b are 1. *)
  Definition raised (c : nat) (o : option nat) : option nat := match o with None => None | Some k => shown t (c + k) end.
  Lemma raised_shown c k : (c <= b)%nat -> raised c (shown (t - b) k) = shown t (c + k).
  Proof.
    intros l. unfold shown. destruct (Nat.leb_spec k (t - b)) as [h|h]; cbn [raised]; [|reflexivity].
    destruct (Nat.leb_spec (c + k) t); [reflexivity|lia].
  Qed.
  Definition lowered (o : option nat) : option nat := match o with None => None | Some k => Some (k - b)%nat end.
  Lemma lowered_shown k : lowered (shown t (b + k)) = shown (t - b) k.
  Proof.
    unfold shown. destruct (Nat.leb_spec (b + k) t), (Nat.leb_spec k (t - b)); cbn [lowered]; try lia; [reflexivity|].
    f_equal. lia.
  Qed.

  (** Knowing b records that may all be 1, against M_T, is knowing nothing, against M_(T - b) of the others. *)
  Theorem fewer_records E d : 1 <= E -> 0 <= d ->
    (apkdp (fun nu => nu = theta) E d (thresholding t) <->
     ppkdp (fun nu => nu = independent_bits ps) E d (thresholding (t - b))).
  Proof.
    intros e d0. assert (C := all_chances). assert (e0 : 0 <= E) by lra.
    assert (sized := known_sized qs ps C Cp).
    assert (sized' : of_size (length ps) (fun nu => nu = independent_bits ps)).
    { apply (of_bits_sized _ (fun _ => True)). intros nu ->. exists ps. auto. }
    assert (total : forall s n, total_on n (thresholding s)) by (intros s n; exact (total_of_count (shown s) n)).
    rewrite (no_knowledge _ _ (thresholding (t - b)) E d sized').
    rewrite (apkdp_np _ _ (thresholding t) sized (total t _) E d e0), (apkdp_np _ _ (thresholding (t - b)) sized' (total _ _) E d e0).
    split.
    - intros V nu -> [] i a c P P'. destruct (possible_record ps Cp i a tt P) as (p & r & A).
      destruct (possible_record ps Cp i c tt P') as (p' & r' & A'). rewrite r in r'. injection r' as <-. set (K := repeat true b).
      assert (pos := all_ones). fold K in pos.
      assert (Pk : forall x, 0 < chance_of p x -> possible theta (b + i) x K).
      { intros x X. unfold possible. rewrite (Pr_known qs ps Cp i x K p r). now apply Qmult_lt_0_compat. }
      assert (W := V theta eq_refl K (b + i)%nat a c (Pk a A) (Pk c A')).
      assert (F : forall x, 0 < chance_of p x -> alike (image lowered (output theta (having (b + i) x K) (thresholding t)))
        (output (independent_bits ps) (having i x tt) (thresholding (t - b)))).
      { intros x X S. rewrite Pr_image, <- (output_known qs ps Cp (shown t) i x K p r X pos (fun o => S (lowered o))).
        rewrite <- (output_of_count (shown (t - b)) ps i x p tt Cp r X S), !Pr_image. apply Pr_ext. intros D.
        unfold K. rewrite ones_all. now rewrite lowered_shown. }
      apply (indistinguishable_alike _ _ _ _ _ _ (F a A) (F c A')). split; apply within_image; apply W.
    - intros V nu -> K i a c P P'.
      assert (L := law_output _ _ (thresholding t) sized (total t _) theta _ eq_refl P).
      destruct (Nat.lt_ge_cases i b) as [l|g].
      { apply (known_value qs ps i a K l) in P. apply (known_value qs ps i c K l) in P'. assert (q : a = c) by congruence. subst c.
        apply indistinguishable_same; [exact e|exact d0|apply L|intros S; reflexivity]. }
      replace i with (b + (i - b))%nat in * by lia. set (j := (i - b)%nat) in *.
      destruct (unknown_value qs ps C Cp j a K P) as (p & r & A & k).
      destruct (unknown_value qs ps C Cp j c K P') as (p' & r' & A' & _). rewrite r in r'. injection r' as <-.
      assert (Pk : forall x, 0 < chance_of p x -> possible (independent_bits ps) j x tt).
      { intros x X. unfold possible. now rewrite (Pr_having ps Cp j p x tt r). }
      assert (W := V _ eq_refl tt j a c (Pk a A) (Pk c A')).
      assert (few_ones : (ones K <= b)%nat).
      { destruct (Nat.eq_dec (length K) b) as [<-|D]; [apply ones_le|]. exfalso. apply (Qlt_not_le _ _ k).
        rewrite Pr_mean, mean_zero; [lra|]. intros D' q I. unfold chi. destruct (eqb K D') eqn:h; [|reflexivity].
        apply eqb_eq in h. subst D'. apply bits_length in I. congruence. }
      assert (F : forall x, 0 < chance_of p x -> alike (image (raised (ones K)) (output (independent_bits ps) (having j x tt) (thresholding (t - b))))
        (output theta (having (b + j) x K) (thresholding t))).
      { intros x X S. rewrite Pr_image, <- (output_of_count (shown (t - b)) ps j x p tt Cp r X (fun o => S (raised (ones K) o))).
        rewrite <- (output_known qs ps Cp (shown t) j x K p r X k S), !Pr_image. apply Pr_ext. intros D. now rewrite raised_shown. }
      apply (indistinguishable_alike _ _ _ _ _ _ (F a A) (F c A')). split; apply within_image; apply W.
  Qed.
End Fewer.
