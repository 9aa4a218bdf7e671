(** A count of independent bits of which none is nearly certain: the common blanket (DMKB20, Theorem 3, numerical form).

    Each chance is between lam and 1 - lam. So a bit is a 1 of the blanket with probability lam, a 0 of the blanket with
    probability lam, and else some bit of its own. Of the bits beside the target, X are ones and Y zeros of the blanket, and
    R are other ones, so that the count is X + R. A one and a zero of the blanket are equally likely, which is [exchange]:
    the mean of Y*f(X, Y, R) is that of X*f(X - 1, Y + 1, R). Hence X + R + 1 is at most E times as likely as X + R where
    X + 1 < E*Y, and the probability of the rest is delta. *)

From PK Require Import PartialKnowledge Laws Notions BinomialTail MostLikelyCount.
Import ListNotations.
Open Scope Q_scope.

(** * The blanket *)

(** X and Y, after n bits: independent trials with the outcomes (1, 0) and (0, 1), of probability lam each, and (0, 0). *)
Definition shared (lam : Q) : measure (nat * nat) := [((1, 0)%nat, lam); ((0, 1)%nat, lam); ((0, 0)%nat, 1 - 2 * lam)].
Definition plus2 (z z' : nat * nat) : nat * nat := (fst z + fst z', snd z + snd z')%nat.
Fixpoint blanket (n : nat) (lam : Q) : measure (nat * nat) :=
  match n with O => [((0, 0)%nat, 1)] | S m => bind (shared lam) (fun z => image (plus2 z) (blanket m lam)) end.

Section Means.
  Context (lam : Q).
  Implicit Types (f g : nat -> nat -> nat -> Q) (h : nat -> nat -> Q).

  Lemma mean_blanket n (h : nat * nat -> Q) : mean (blanket (S n) lam) h ==
    lam * mean (blanket n lam) (fun z => h (S (fst z), snd z)) + lam * mean (blanket n lam) (fun z => h (fst z, S (snd z)))
    + (1 - 2 * lam) * mean (blanket n lam) h.
  Proof.
    cbn [blanket]. rewrite mean_bind. unfold shared. rewrite !mean_cons, mean_nil, !mean_image. unfold plus2. cbn [fst snd].
    rewrite (mean_ext _ (fun x => h ((1 + fst x)%nat, (0 + snd x)%nat)) (fun z => h (S (fst z), snd z))) by reflexivity.
    rewrite (mean_ext _ (fun x => h ((0 + fst x)%nat, (1 + snd x)%nat)) (fun z => h (fst z, S (snd z)))) by reflexivity.
    rewrite (mean_ext _ (fun x => h ((0 + fst x)%nat, (0 + snd x)%nat)) h) by (intros [x y]; reflexivity). ring.
  Qed.
  (** X and Y are alike. *)
  Lemma mean_turned n h : mean (blanket n lam) (fun z => h (fst z) (snd z)) == mean (blanket n lam) (fun z => h (snd z) (fst z)).
  Proof.
    revert h. induction n as [|n IH]; intros h; [unfold mean; reflexivity|]. rewrite !mean_blanket. cbn [fst snd].
    rewrite (IH (fun x y => h (S x) y)), (IH (fun x y => h x (S y))), (IH h). ring.
  Qed.

  (** The mean of f(X, Y, R). *)
  Fixpoint triple ps f : Q := match ps with
    | [] => f O O O
    | p :: ps' => lam * triple ps' (fun x y r => f (S x) y r) + lam * triple ps' (fun x y r => f x (S y) r)
        + (p - lam) * triple ps' (fun x y r => f x y (S r)) + (1 - p - lam) * triple ps' f
    end.

  Lemma triple_ext ps f g : (forall x y r, f x y r == g x y r) -> triple ps f == triple ps g.
  Proof.
    revert f g. induction ps as [|p ps IH]; intros f g e; cbn [triple]; [apply e|].
    rewrite (IH f g e), (IH (fun x y r => f (S x) y r) (fun x y r => g (S x) y r)),
      (IH (fun x y r => f x (S y) r) (fun x y r => g x (S y) r)), (IH (fun x y r => f x y (S r)) (fun x y r => g x y (S r)))
      by auto. reflexivity.
  Qed.
  Lemma triple_plus ps f g : triple ps (fun x y r => f x y r + g x y r) == triple ps f + triple ps g.
  Proof.
    revert f g. induction ps as [|p ps IH]; intros f g; cbn [triple]; [reflexivity|].
    rewrite (IH f g), (IH (fun x y r => f (S x) y r) (fun x y r => g (S x) y r)),
      (IH (fun x y r => f x (S y) r) (fun x y r => g x (S y) r)), (IH (fun x y r => f x y (S r)) (fun x y r => g x y (S r))). ring.
  Qed.
  Lemma triple_scale ps c f : triple ps (fun x y r => c * f x y r) == c * triple ps f.
  Proof.
    revert f. induction ps as [|p ps IH]; intros f; cbn [triple]; [reflexivity|].
    rewrite (IH f), (IH (fun x y r => f (S x) y r)), (IH (fun x y r => f x (S y) r)), (IH (fun x y r => f x y (S r))). ring.
  Qed.
  Lemma triple_le ps f g : 0 <= lam -> Forall (fun p => lam <= p <= 1 - lam) ps -> (forall x y r, f x y r <= g x y r) ->
    triple ps f <= triple ps g.
  Proof.
    intros l C. revert f g. induction C as [|p ps [p0 p1] C IH]; intros f g e; cbn [triple]; [apply e|].
    assert (a := IH f g e). assert (b := IH (fun x y r => f (S x) y r) (fun x y r => g (S x) y r) (fun x y r => e (S x) y r)).
    assert (c := IH (fun x y r => f x (S y) r) (fun x y r => g x (S y) r) (fun x y r => e x (S y) r)).
    assert (d := IH (fun x y r => f x y (S r)) (fun x y r => g x y (S r)) (fun x y r => e x y (S r))).
    apply (scale_le lam) in b, c; [|exact l..]. apply (scale_le (p - lam)) in d; [|lra].
    apply (scale_le (1 - p - lam)) in a; [|lra]. lra.
  Qed.
  (** It is the mean over the bits of a function of the count, and the mean over the blanket of a function of X and Y. *)
  Lemma triple_count ps (u : nat -> Q) : triple ps (fun x _ r => u (x + r)%nat) == mean (bits ps) (fun D => u (ones D)).
  Proof.
    revert u. induction ps as [|p ps IH]; intros u; [cbn [triple bits]; rewrite mean_cons, mean_nil; change (ones []) with O; change (0 + 0)%nat with O; ring|]. rewrite mean_bits. cbn [triple].
    change (fun D => u (ones (true :: D))) with (fun D => u (S (ones D))). change (fun D => u (ones (false :: D))) with (fun D => u (ones D)).
    rewrite <- (IH u), <- (IH (fun k => u (S k))).
    rewrite (triple_ext ps (fun x _ r => u (x + S r)%nat) (fun x _ r => u (S (x + r)))) by (intros; now rewrite Nat.add_succ_r).
    change (fun x y r : nat => u (S x + r)%nat) with (fun x y r : nat => u (S (x + r))). ring.
  Qed.
  Lemma triple_blanket ps h : triple ps (fun x y _ => h x y) == mean (blanket (length ps) lam) (fun z => h (fst z) (snd z)).
  Proof.
    revert h. induction ps as [|p ps IH]; intros h; [cbn [triple blanket length]; rewrite mean_cons, mean_nil; cbn [fst snd]; ring|]. cbn [triple length].
    rewrite mean_blanket. cbn [fst snd]. rewrite (IH h), (IH (fun x y => h (S x) y)), (IH (fun x y => h x (S y))). ring.
  Qed.

  (** A zero of the blanket in place of a one. *)
  Theorem exchange ps f : triple ps (fun x y r => natQ y * f x y r) == triple ps (fun x y r => natQ x * f (pred x) (S y) r).
  Proof.
    revert f. induction ps as [|p ps IH]; intros f; [cbn [triple]; change (natQ 0) with 0; ring|]. cbn [triple Nat.pred].
    assert (a := IH (fun x y r => f (S x) y r)). cbn beta in a.
    rewrite (triple_ext ps (fun x y r => natQ x * f (S (pred x)) (S y) r) (fun x y r => natQ x * f x (S y) r)) in a.
    2:{ intros [|x] y r; [change (natQ 0) with 0; ring|reflexivity]. }
    assert (b := IH (fun x y r => f x (S y) r)). assert (c := IH (fun x y r => f x y (S r))). assert (d := IH f). cbn beta in b, c, d.
    rewrite (triple_ext ps (fun x y r => natQ (S y) * f x (S y) r) (fun x y r => natQ y * f x (S y) r + f x (S y) r)) by
      (intros; rewrite natQ_succ; ring).
    rewrite (triple_ext ps (fun x y r => natQ (S x) * f x (S y) r) (fun x y r => natQ x * f x (S y) r + f x (S y) r)) by
      (intros; rewrite natQ_succ; ring).
    rewrite !triple_plus, a, b, c, d. ring.
  Qed.

  (** * One more *)

  Section Bound.
    Context (ps : list Q) (E : Q) (e0 : 0 <= E) (l0 : 0 <= lam) (C : Forall (fun p => lam <= p <= 1 - lam) ps).
    (** (x + 1)/y >= E. *)
    Definition large (x y : nat) : bool := Qle_bool (E * natQ y) (natQ (S x)).
    Definition excess_chance : Q := Pr (blanket (length ps) lam) (fun z => large (fst z) (snd z)).

    Lemma natQ_one m : 0 < natQ (S m).
    Proof. apply (natQ_lt 0). lia. Qed.
    Lemma chi_pos (A : nat -> bool) k : 0 <= chi A k <= 1.
    Proof. apply chi_range. Qed.
    Lemma over c m : natQ (S m) * (c / natQ (S m)) == c.
    Proof. assert (p := natQ_one m). field. lra. Qed.
    Lemma covered x y c : 0 <= c <= 1 -> c <= (if large x y then 1 else 0) + E * (natQ y * (if large x y then 0 else c / natQ (S x))).
    Proof.
      intros r. unfold large. destruct (Qle_bool (E * natQ y) (natQ (S x))) eqn:b; [lra|].
      assert (g : natQ (S x) < E * natQ y) by (apply Qnot_le_lt; intros g; apply Qle_bool_iff in g; congruence).
      assert (p := natQ_one x). rewrite Qplus_0_l, Qmult_assoc.
      setoid_replace (E * natQ y * (c / natQ (S x))) with (c * (E * natQ y) / natQ (S x)) by (field; lra).
      apply le_div; [exact p|]. nra.
    Qed.
    Lemma used x y c : 0 <= c -> natQ (S x) * (if large x y then 0 else c / natQ (S x)) <= c.
    Proof. intros r. destruct (large x y); [lra|]. rewrite over. lra. Qed.

    Lemma excess_triple : triple ps (fun x y _ => if large x y then 1 else 0) == excess_chance.
    Proof. unfold excess_chance. rewrite Pr_mean. exact (triple_blanket ps (fun x y => if large x y then 1 else 0)). Qed.
    Lemma excess_turned : triple ps (fun x y _ => if large y x then 1 else 0) == excess_chance.
    Proof.
      rewrite <- excess_triple, (triple_blanket ps (fun x y => if large y x then 1 else 0)),
        (triple_blanket ps (fun x y => if large x y then 1 else 0)).
      symmetry. exact (mean_turned (length ps) (fun x y => if large x y then 1 else 0)).
    Qed.

    Lemma one_more_at (A : nat -> bool) : triple ps (fun x _ r => chi A (S (x + r))) <= E * triple ps (fun x _ r => chi A (x + r)%nat) + excess_chance.
    Proof.
      set (f := fun x y r : nat => if large x y then 0 else chi A (S (x + r)) / natQ (S x)).
      eapply Qle_trans; [apply (triple_le ps _ (fun x y r => (if large x y then 1 else 0) + E * (natQ y * f x y r)) l0 C)|].
      { intros x y r. apply covered, chi_pos. }
      rewrite triple_plus, triple_scale, excess_triple, exchange.
      assert (k : triple ps (fun x y r => natQ x * f (pred x) (S y) r) <= triple ps (fun x _ r => chi A (x + r)%nat)).
      { apply (triple_le ps _ _ l0 C). intros [|x] y r; [assert (c := chi_pos A (0 + r)); change (natQ 0) with 0; lra|].
        apply used, chi_pos. }
      assert (k' := scale_le E _ _ e0 k). lra.
    Qed.
    Lemma one_less_at (A : nat -> bool) : triple ps (fun x _ r => chi A (x + r)%nat) <= E * triple ps (fun x _ r => chi A (S (x + r))) + excess_chance.
    Proof.
      set (f := fun x y r : nat => if large y x then 0 else chi A (x + r)%nat / natQ (S y)).
      eapply Qle_trans; [apply (triple_le ps _ (fun x y r => (if large y x then 1 else 0) + E * (natQ x * f x y r)) l0 C)|].
      { intros x y r. apply covered, chi_pos. }
      rewrite triple_plus, triple_scale, excess_turned.
      rewrite (triple_ext ps (fun x y r => natQ x * f x y r) (fun x y r => natQ x * (fun x y r => f (S x) (pred y) r) (pred x) (S y) r)).
      2:{ intros [|x] y r; [change (natQ 0) with 0; ring|reflexivity]. }
      rewrite <- (exchange ps (fun x y r => f (S x) (pred y) r)).
      assert (k : triple ps (fun x y r => natQ y * f (S x) (pred y) r) <= triple ps (fun x _ r => chi A (S (x + r)))).
      { apply (triple_le ps _ _ l0 C). intros x [|y] r; [assert (c := chi_pos A (S (x + r))); change (natQ 0) with 0; lra|].
        apply (used y (S x)), chi_pos. }
      assert (k' := scale_le E _ _ e0 k). lra.
    Qed.

    Lemma counted_triple j (A : nat -> bool) : Pr (counted ps j) A == triple ps (fun x _ r => chi A (j + (x + r))%nat).
    Proof. unfold counted. rewrite Pr_image, Pr_mean. symmetry. exact (triple_count ps (fun k => chi A (j + k)%nat)). Qed.
    (** S and S + 1 are within E, up to the chance that (X + 1)/Y is E or more. *)
    Theorem blanket_bound : indistinguishable E excess_chance (counted ps 1) (counted ps 0).
    Proof. split; intros A; rewrite !counted_triple; [apply one_more_at|apply one_less_at]. Qed.
  End Bound.
End Means.

(** Every count of n such bits is private. *)
Theorem count_by_blanket n (Theta : family bool unit) lam E d : 0 <= lam -> 1 <= E ->
  of_bits n (Forall (fun p => lam <= p <= 1 - lam)) Theta ->
  Pr (blanket (n - 1) lam) (fun z => Qle_bool (E * natQ (snd z)) (natQ (S (fst z)))) <= d -> apkdp Theta E d count.
Proof.
  intros l e X b. assert (sized := of_bits_sized n _ Theta X).
  apply (apkdp_np n Theta count sized (count_total n)); [lra|]. intros theta I k i a c P P'.
  assert (L := law_output n Theta count sized (count_total n) theta _ I P).
  assert (L' := law_output n Theta count sized (count_total n) theta _ I P').
  destruct (X theta I) as (ps & m & C & K & ->). destruct (possible_record ps C i a k P) as (p & r & A).
  destruct (possible_record ps C i c k P') as (p' & r' & A'). rewrite r in r'. injection r' as <-.
  assert (i_n := record_some i p ps r).
  assert (O : Forall (fun p => lam <= p <= 1 - lam) (others i ps)).
  { clear - K. revert i. induction K as [|q qs Cq K IH]; intros [|i]; cbn [others]; auto. }
  assert (s : length (others i ps) = (n - 1)%nat).
  { rewrite <- m. clear - i_n. revert i i_n. induction ps as [|q qs IH]; intros [|i] g; cbn [others length] in *; try lia.
    rewrite IH by lia. lia. }
  assert (V := blanket_bound lam (others i ps) E ltac:(lra) l O). unfold excess_chance, large in V. rewrite s in V.
  set (x := Pr (blanket (n - 1) lam) (fun z => Qle_bool (E * natQ (snd z)) (natQ (S (fst z))))) in *.
  assert (x0 : 0 <= x).
  { destruct V as [V _]. specialize (V (fun _ => false)). rewrite !Pr_mean, !mean_zero in V by reflexivity. lra. }
  assert (F := output_count ps C i p a k r A). assert (G := output_count ps C i p c k r A').
  destruct (Bool.bool_dec a c) as [->|D]; [apply indistinguishable_same; [exact e|lra|apply L|intros S; reflexivity]|].
  apply (indistinguishable_more E E x d); [apply L|apply L'|lra|exact b|].
  destruct a, c; try congruence; cbn [one] in *.
  - exact (indistinguishable_alike _ _ _ _ _ _ F G V).
  - apply (indistinguishable_alike _ _ _ _ _ _ F G). now apply indistinguishable_sym.
Qed.
