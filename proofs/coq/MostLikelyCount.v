(** The most likely count of independent bits, and what it means for privacy (DMKB20, Proposition 7).

    The chances ps of the bits are any rationals from 0 to 1. [count_law ps k] is the probability that k of them are 1, for
    any integer k, and [variance ps] the sum of p*(1 - p). First 2 * variance * P[S = k]^2 <= 1 for each k: a bit with
    chance p is a fair coin with probability q = 2*min(p, 1 - p), else certain, and of N fair coins each number of heads has
    a probability whose square is at most 1/(N + 1). Then the law of S is log-concave, so that it rises to one peak, and S
    and S + 1 differ by at most the peak in each event. Hence the guarantee of a count, with epsilon = 0. *)

From PK Require Import PartialKnowledge Laws Notions BinomialTail.
Import ListNotations.
Open Scope Q_scope.

Definition chance (p : Q) : Prop := 0 <= p <= 1.

(** * The law of the count *)

Implicit Types (p q : Q) (ps : list Q) (r : Z -> Q).

(** One bit more, with chance p; all of them. *)
Definition add p r (k : Z) : Q := (1 - p) * r k + p * r (k - 1)%Z.
Definition none (k : Z) : Q := if (k =? 0)%Z then 1 else 0.
Fixpoint adds ps r : Z -> Q := match ps with [] => r | p :: ps' => add p (adds ps' r) end.
Definition count_law ps : Z -> Q := adds ps none.
Fixpoint variance ps : Q := match ps with [] => 0 | p :: ps' => p * (1 - p) + variance ps' end.

Lemma variance_pos ps : Forall chance ps -> 0 <= variance ps.
Proof. intros C. induction C as [|p ps [p0 p1] _ IH]; cbn [variance]; [lra|]. assert (0 <= p * (1 - p)) by nra. lra. Qed.
Lemma adds_add ps p r k : adds ps (add p r) k == add p (adds ps r) k.
Proof.
  revert k. induction ps as [|x ps IH]; intros k; [reflexivity|]. cbn [adds]. unfold add in *. rewrite !IH. ring.
Qed.

(** * The most likely count of fair coins *)

(** The law of j fair coins. *)
Fixpoint coins (j : nat) : Z -> Q := match j with O => none | S i => add (1 # 2) (coins i) end.
Fixpoint two (j : nat) : Q := match j with O => 1 | S i => 2 * two i end.
Lemma two_pos j : 0 < two j.
Proof. induction j as [|j IH]; cbn [two]; lra. Qed.

Lemma coins_negative j k : (k < 0)%Z -> coins j k == 0.
Proof.
  revert k. induction j as [|j IH]; intros k l; cbn [coins].
  - unfold none. destruct (Z.eqb_spec k 0); [lia|reflexivity].
  - unfold add. rewrite !IH by lia. ring.
Qed.
Lemma coins_choose j m : two j * coins j (Z.of_nat m) == natQ (choose j m).
Proof.
  revert m. induction j as [|j IH]; intros m; cbn [coins two].
  - unfold none. destruct m as [|m]; [reflexivity|]. destruct (Z.eqb_spec (Z.of_nat (S m)) 0); [lia|reflexivity].
  - unfold add. destruct m as [|m].
    + rewrite (coins_negative j (Z.of_nat 0 - 1)) by lia.
      assert (e := IH 0%nat). assert (c : choose (S j) 0 = choose j 0) by (destruct j; reflexivity). rewrite c, <- e. ring.
    + replace (Z.of_nat (S m) - 1)%Z with (Z.of_nat m) by lia. cbn [choose].
      rewrite natQ_plus, <- !IH. ring.
Qed.

(** C(n, k) rises up to the middle and falls from there. *)
Lemma choose_rises n a d : (2 * (a + d) <= n + 1)%nat -> (choose n a <= choose n (a + d))%nat.
Proof.
  induction d as [|d IH]; intros l; [now rewrite Nat.add_0_r|]. eapply Nat.le_trans; [apply IH; lia|].
  rewrite Nat.add_succ_r. assert (e := choose_step n (a + d)). nia.
Qed.
Lemma choose_falls n a d : (n <= 2 * a + 1)%nat -> (choose n (a + d) <= choose n a)%nat.
Proof.
  intros l. induction d as [|d IH]; [now rewrite Nat.add_0_r|]. eapply Nat.le_trans; [|exact IH].
  rewrite Nat.add_succ_r. assert (e := choose_step n (a + d)). nia.
Qed.
Lemma choose_middle n h k : (2 * h <= n + 1)%nat -> (n <= 2 * h + 1)%nat -> (choose n k <= choose n h)%nat.
Proof.
  intros l g. destruct (Nat.le_ge_cases k h).
  - replace h with (k + (h - k))%nat by lia. apply choose_rises. lia.
  - replace k with (h + (k - h))%nat by lia. now apply choose_falls.
Qed.
(** C(2m + 2, m + 1) = 2*C(2m + 1, m + 1), and (m + 1)*C(2m + 1, m + 1) = (2m + 1)*C(2m, m). *)
Lemma middle_even m : choose (S (S (2 * m))) (S m) = (2 * choose (S (2 * m)) (S m))%nat.
Proof.
  change (choose (S (S (2 * m))) (S m)) with (choose (S (2 * m)) m + choose (S (2 * m)) (S m))%nat.
  assert (e := choose_step (S (2 * m)) m). replace (S (2 * m) - m)%nat with (S m) in e by lia. nia.
Qed.
Lemma middle_odd m : (S m * choose (S (2 * m)) (S m) = S (2 * m) * choose (2 * m) m)%nat.
Proof.
  change (choose (S (2 * m)) (S m)) with (choose (2 * m) m + choose (2 * m) (S m))%nat.
  assert (e := choose_step (2 * m) m). replace (2 * m - m)%nat with m in e by lia. nia.
Qed.

Lemma scale_le c x y : 0 <= c -> x <= y -> c * x <= c * y.
Proof. intros. rewrite !(Qmult_comm c). now apply Qmult_le_compat_r. Qed.
Lemma square_pos x : 0 <= x * x.
Proof. destruct (Qlt_le_dec x 0); nra. Qed.

(** (N + 1)*C(N, k)^2 <= 4^N, for N = 2m, for N = 2m + 1, and for all N. *)
Lemma natQ_succ m : natQ (S m) == natQ m + 1.
Proof. unfold natQ. rewrite Nat2Z.inj_succ. unfold Z.succ. now rewrite inject_Z_plus. Qed.
Lemma even_coins m : (2 * natQ m + 1) * (natQ (choose (2 * m) m) * natQ (choose (2 * m) m)) <= two (2 * m) * two (2 * m).
Proof.
  induction m as [|m IH]; [discriminate|]. replace (2 * S m)%nat with (S (S (2 * m))) by lia. cbn [two].
  assert (e : natQ (S m) * natQ (choose (S (S (2 * m))) (S m)) == 2 * ((2 * natQ m + 1) * natQ (choose (2 * m) m))).
  { rewrite middle_even, natQ_mult. assert (o := f_equal natQ (middle_odd m)).
    assert (o' : natQ (S m) * natQ (choose (S (2 * m)) (S m)) == natQ (S (2 * m)) * natQ (choose (2 * m) m)) by (now rewrite <- !natQ_mult, o).
    rewrite (natQ_succ (2 * m)), (natQ_mult 2) in o'. change (natQ 2) with 2 in *.
    transitivity (2 * (natQ (S m) * natQ (choose (S (2 * m)) (S m)))); [ring|]. rewrite o'. ring. }
  rewrite natQ_succ in *. set (x := natQ m) in *. set (c := natQ (choose (2 * m) m)) in *.
  set (c' := natQ (choose (S (S (2 * m))) (S m))) in *. set (t := two (2 * m)) in *.
  assert (x0 : 0 <= x) by apply natQ_pos. assert (D : 0 < (x + 1) * (x + 1)) by nra.
  apply (Qmult_le_l _ _ _ D).
  setoid_replace ((x + 1) * (x + 1) * ((2 * (x + 1) + 1) * (c' * c'))) with
    ((2 * x + 3) * (((x + 1) * c') * ((x + 1) * c'))) by ring.
  rewrite e. setoid_replace ((2 * x + 3) * (2 * ((2 * x + 1) * c) * (2 * ((2 * x + 1) * c)))) with
    (4 * ((2 * x + 1) * (2 * x + 3)) * ((2 * x + 1) * (c * c))) by ring.
  setoid_replace ((x + 1) * (x + 1) * (2 * (2 * t) * (2 * (2 * t)))) with (16 * ((x + 1) * (x + 1)) * (t * t)) by ring.
  assert (f : 0 <= 4 * ((2 * x + 1) * (2 * x + 3))) by nra.
  assert (g : 4 * ((2 * x + 1) * (2 * x + 3)) <= 16 * ((x + 1) * (x + 1))) by nra.
  assert (t0 : 0 <= t * t) by nra.
  eapply Qle_trans; [apply (scale_le _ _ _ f IH)|]. now apply Qmult_le_compat_r.
Qed.
Lemma odd_coins m : (2 * natQ m + 2) * (natQ (choose (S (2 * m)) (S m)) * natQ (choose (S (2 * m)) (S m))) <=
  two (S (2 * m)) * two (S (2 * m)).
Proof.
  assert (e := even_coins (S m)). replace (2 * S m)%nat with (S (S (2 * m))) in e by lia.
  rewrite middle_even, natQ_mult, natQ_succ in e. change (natQ 2) with 2 in e. cbn [two] in *.
  set (x := natQ m) in *. set (c := natQ (choose (S (2 * m)) (S m))) in *. set (t := two (2 * m)) in *.
  assert (c0 : 0 <= c * c) by (assert (0 <= c) by apply natQ_pos; nra). nra.
Qed.
Theorem most_likely_coins j k : (natQ j + 1) * (coins j k * coins j k) <= 1.
Proof.
  destruct (Z_lt_le_dec k 0) as [l|l]; [rewrite coins_negative by exact l; assert (j0 := natQ_pos j); lra|].
  rewrite <- (Z2Nat.id k l). set (i := Z.to_nat k). assert (T := two_pos j). assert (e := coins_choose j i).
  assert (D : 0 < two j * two j) by now apply Qmult_lt_0_compat. apply (Qmult_le_l _ _ _ D).
  setoid_replace (two j * two j * ((natQ j + 1) * (coins j (Z.of_nat i) * coins j (Z.of_nat i)))) with
    ((natQ j + 1) * ((two j * coins j (Z.of_nat i)) * (two j * coins j (Z.of_nat i)))) by ring.
  rewrite e, Qmult_1_r. clear e. assert (j0 := natQ_pos j).
  assert (middle : forall h, (choose j i <= choose j h)%nat ->
    (natQ j + 1) * (natQ (choose j i) * natQ (choose j i)) <= (natQ j + 1) * (natQ (choose j h) * natQ (choose j h))).
  { intros h m. apply natQ_le in m. assert (z := natQ_pos (choose j i)). apply scale_le; [lra|]. nra. }
  destruct (Nat.Even_or_Odd j) as [[m ->]|[m ->]].
  - eapply Qle_trans; [apply (middle m), choose_middle; lia|]. assert (b := even_coins m).
    rewrite natQ_mult. change (natQ 2) with 2. exact b.
  - rewrite Nat.add_1_r in *. eapply Qle_trans; [apply (middle (S m)), choose_middle; lia|]. assert (b := odd_coins m).
    rewrite natQ_succ, natQ_mult. change (natQ 2) with 2.
    setoid_replace (2 * natQ m + 1 + 1) with (2 * natQ m + 2) by ring. exact b.
Qed.

(** * The most likely count of any bits *)

(** The chance q that a bit with chance p is a fair coin; else it is its likelier value. *)
Definition coin_chance p : Q := if Qlt_le_dec p (1 # 2) then 2 * p else 2 * (1 - p).
(** The mean of g(N), N the number of bits that are fair coins. *)
Fixpoint thrown ps (g : nat -> Q) : Q :=
  match ps with [] => g O | p :: ps' => coin_chance p * thrown ps' (fun n => g (S n)) + (1 - coin_chance p) * thrown ps' g end.

Lemma coin_range p : chance p -> 0 <= coin_chance p <= 1.
Proof. unfold chance, coin_chance. destruct (Qlt_le_dec p (1 # 2)); lra. Qed.
Lemma thrown_ext ps g h : (forall n, g n == h n) -> thrown ps g == thrown ps h.
Proof.
  revert g h. induction ps as [|p ps IH]; intros g h e; cbn [thrown]; [apply e|].
  rewrite (IH g h e), (IH (fun n => g (S n)) (fun n => h (S n))) by (intros; apply e). reflexivity.
Qed.
Lemma thrown_plus ps g h : thrown ps (fun n => g n + h n) == thrown ps g + thrown ps h.
Proof.
  revert g h. induction ps as [|p ps IH]; intros g h; cbn [thrown]; [reflexivity|].
  rewrite (IH g h), (IH (fun n => g (S n)) (fun n => h (S n))). ring.
Qed.
Lemma thrown_le ps g h : Forall chance ps -> (forall n, g n <= h n) -> thrown ps g <= thrown ps h.
Proof.
  intros C. revert g h. induction C as [|p ps Cp C IH]; intros g h l; cbn [thrown]; [apply l|].
  assert (q := coin_range p Cp). assert (a := IH g h l). assert (b := IH (fun n => g (S n)) (fun n => h (S n)) (fun n => l (S n))).
  apply Qplus_le_compat; apply scale_le; lra.
Qed.
Lemma thrown_one ps : thrown ps (fun _ => 1) == 1.
Proof. induction ps as [|p ps IH]; cbn [thrown]; [reflexivity|]. rewrite IH. ring. Qed.

(** The square of a mean is at most the mean of the squares: P[S = k]^2 is at most the mean of 1/(N + 1), where S counts
    the bits and j fair coins more. *)
Lemma square_of_mean q x y : 0 <= q <= 1 -> (q * x + (1 - q) * y) * (q * x + (1 - q) * y) <= q * (x * x) + (1 - q) * (y * y).
Proof.
  intros [q0 q1]. assert (0 <= q * (1 - q) * ((x - y) * (x - y))).
  { apply Qmult_le_0_compat; [nra|apply square_pos]. }
  lra.
Qed.
Lemma squares ps : Forall chance ps -> forall j k,
  adds ps (coins j) k * adds ps (coins j) k <= thrown ps (fun n => 1 / (natQ (n + j) + 1)).
Proof.
  intros C. induction C as [|p ps Cp C IH]; intros j k.
  - cbn [adds thrown Nat.add]. assert (m := most_likely_coins j k). assert (j0 := natQ_pos j). apply le_div; lra.
  - cbn [adds thrown]. set (L := adds ps (coins j)) in *. assert (q := coin_range p Cp).
    assert (half : add (1 # 2) L k * add (1 # 2) L k <= thrown ps (fun n => 1 / (natQ (S n + j) + 1))).
    { unfold L. rewrite <- adds_add. change (add (1 # 2) (coins j)) with (coins (S j)).
      rewrite (thrown_ext _ _ (fun n => 1 / (natQ (n + S j) + 1))); [apply IH|]. intros n.
      replace (S n + j)%nat with (n + S j)%nat by lia. reflexivity. }
    assert (certain : exists c, add p L k == coin_chance p * add (1 # 2) L k + (1 - coin_chance p) * L c).
    { unfold add, coin_chance. destruct (Qlt_le_dec p (1 # 2)); [exists k|exists (k - 1)%Z]; ring. }
    destruct certain as [c e]. rewrite e. eapply Qle_trans; [apply square_of_mean; exact q|].
    apply Qplus_le_compat; apply scale_le; try lra. apply IH.
Qed.

(** For g that falls from 1 on, the mean of N*g(N) is at least the mean of N times that of g(N + 1). *)
Fixpoint coin_chances ps : Q := match ps with [] => 0 | p :: ps' => coin_chance p + coin_chances ps' end.
Lemma coins_share ps : Forall chance ps -> forall g, (forall n, g (S (S n)) <= g (S n)) ->
  coin_chances ps * thrown ps (fun n => g (S n)) <= thrown ps (fun n => natQ n * g n).
Proof.
  intros C. induction C as [|p ps Cp C IH]; intros g falls; cbn [coin_chances thrown].
  - change (natQ 0) with 0. lra.
  - assert (q := coin_range p Cp). set (a := thrown ps (fun n => g (S n))) in *.
    assert (e : thrown ps (fun n => natQ (S n) * g (S n)) == thrown ps (fun n => natQ n * g (S n)) + a).
    { unfold a. rewrite <- thrown_plus. apply thrown_ext. intros n. rewrite natQ_succ. ring. }
    rewrite e. assert (one := IH g falls). assert (next := IH (fun n => g (S n)) (fun n => falls (S n))).
    fold a in one. cbn beta in next. set (b := thrown ps (fun n => g (S (S n)))) in *.
    assert (ba : b <= a) by (apply thrown_le; [exact C|exact falls]).
    set (u := thrown ps (fun n => natQ n * g (S n))) in *. set (v := thrown ps (fun n => natQ n * g n)) in *.
    assert (x := scale_le (coin_chance p) _ _ (proj1 q) next). assert (y := scale_le (1 - coin_chance p) _ _ ltac:(lra) one).
    assert (z : 0 <= coin_chance p * coin_chance p * (a - b)) by (apply Qmult_le_0_compat; nra). nra.
Qed.
Lemma coins_variance ps : Forall chance ps -> 2 * variance ps <= coin_chances ps.
Proof.
  intros C. induction C as [|p ps [p0 p1] C IH]; cbn [coin_chances variance]; [lra|].
  assert (2 * (p * (1 - p)) <= coin_chance p) by (unfold coin_chance; destruct (Qlt_le_dec p (1 # 2)); nra). lra.
Qed.

(** 2v * P[S = k]^2 <= 1, v the variance of S, for any number of independent bits and any chances. *)
Theorem most_likely_count ps k : Forall chance ps -> 2 * variance ps * (count_law ps k * count_law ps k) <= 1.
Proof.
  intros C. assert (s := squares ps C 0%nat k). change (adds ps (coins 0) k) with (count_law ps k) in s.
  set (P := count_law ps k) in *. assert (v0 := variance_pos ps C). assert (f := coins_variance ps C).
  set (g := fun n => 1 / natQ n). assert (positive : forall n, 0 < natQ (S n)) by (intros; apply (natQ_lt 0); lia).
  assert (share := coins_share ps C g). rewrite (thrown_ext ps _ (fun n => g (S n))) in s.
  2:{ intros n. unfold g. rewrite Nat.add_0_r, natQ_succ. reflexivity. }
  set (w := thrown ps (fun n => g (S n))) in *.
  assert (all : thrown ps (fun n => natQ n * g n) <= 1).
  { eapply Qle_trans; [|apply Qle_lteq; right; exact (thrown_one ps)]. apply thrown_le; [exact C|]. intros [|n]; unfold g; [discriminate|].
    specialize (positive n). apply Qle_lteq. right. field. lra. }
  assert (falls : forall n, g (S (S n)) <= g (S n)).
  { intros n. unfold g. assert (a := positive n). assert (b := positive (S n)). apply div_le; [exact b|].
    assert (natQ (S n) <= natQ (S (S n))) by (apply natQ_le; lia).
    setoid_replace (1 / natQ (S n) * natQ (S (S n))) with (natQ (S (S n)) / natQ (S n)) by (field; lra). apply le_div; lra. }
  specialize (share falls). assert (P0 := square_pos P).
  assert (w0 : 0 <= w) by lra. assert (2 * variance ps * (P * P) <= 2 * variance ps * w) by (apply scale_le; lra).
  assert (2 * variance ps * w <= coin_chances ps * w) by (apply Qmult_le_compat_r; lra). lra.
Qed.

(** * One peak *)

(** Log-concave, without gaps: r(i)*r(j + 1) <= r(i + 1)*r(j) for i <= j. *)
Definition log_concave r : Prop := forall i j, (i <= j)%Z -> r i * r (j + 1)%Z <= r (i + 1)%Z * r j.
Lemma log_concave_none : log_concave none.
Proof. intros i j l. unfold none. destruct (Z.eqb_spec i 0), (Z.eqb_spec (j + 1) 0), (Z.eqb_spec (i + 1) 0), (Z.eqb_spec j 0); lia || lra. Qed.
Lemma log_concave_add p r : chance p -> log_concave r -> log_concave (add p r).
Proof.
  intros [p0 p1] L i j l. unfold add. replace (j + 1 - 1)%Z with j by lia. replace (i + 1 - 1)%Z with i by lia.
  assert (a := L i j l). assert (b := L (i - 1)%Z (j - 1)%Z ltac:(lia)).
  replace (i - 1 + 1)%Z with i in b by lia. replace (j - 1 + 1)%Z with j in b by lia.
  assert (c : r (i - 1)%Z * r (j + 1)%Z <= r (i + 1)%Z * r (j - 1)%Z).
  { destruct (Z.eq_dec i j) as [->|d]; [lra|]. assert (x := L (i - 1)%Z j ltac:(lia)). assert (y := L i (j - 1)%Z ltac:(lia)).
    replace (i - 1 + 1)%Z with i in x by lia. replace (j - 1 + 1)%Z with j in y by lia. lra. }
  assert (a' := scale_le ((1 - p) * (1 - p)) _ _ ltac:(nra) a). assert (b' := scale_le (p * p) _ _ ltac:(nra) b).
  assert (c' := scale_le (p * (1 - p)) _ _ ltac:(nra) c). lra.
Qed.
Lemma count_law_pos ps k : Forall chance ps -> 0 <= count_law ps k.
Proof.
  intros C. revert k. induction C as [|p ps [p0 p1] C IH]; intros k; unfold count_law; cbn [adds].
  - unfold none. destruct (k =? 0)%Z; lra.
  - fold (count_law ps). unfold add. apply (Qplus_le_compat 0 _ 0); apply Qmult_le_0_compat; try apply IH; lra.
Qed.
Theorem count_log_concave ps : Forall chance ps -> log_concave (count_law ps).
Proof.
  intros C. induction C as [|p ps Cp C IH]; [exact log_concave_none|]. exact (log_concave_add p _ Cp IH).
Qed.

(** Once it falls, it never rises again; so its rises add up to its peak at most, and those in any event A. *)
Lemma never_again r i j : (forall k, 0 <= r k) -> log_concave r -> r (i + 1)%Z < r i -> (i <= j)%Z -> r (j + 1)%Z <= r j.
Proof.
  intros N L f l. assert (a := L i j l). assert (b := N j). assert (c := N (j + 1)%Z). assert (d := N (i + 1)%Z).
  apply (Qmult_le_l _ _ (r i)); [lra|]. nra.
Qed.
Lemma rises r (A : nat -> bool) d n i : (forall k, 0 <= r k) -> log_concave r -> (forall k, r k <= d) ->
  sum (map (fun k => if A k then r (Z.of_nat k) - r (Z.of_nat k - 1)%Z else 0) (seq i n)) <= d - r (Z.of_nat i - 1)%Z.
Proof.
  intros N L m. revert i. induction n as [|n IH]; intros i; [cbn [seq map sum]; specialize (m (Z.of_nat i - 1)%Z); lra|].
  destruct (Qlt_le_dec (r (Z.of_nat i)) (r (Z.of_nat i - 1)%Z)) as [f|g].
  - apply Qle_trans with (sum (map (fun _ : nat => 0) (seq i (S n)))).
    + apply sum_le. intros k I. apply in_seq in I. destruct (A k); [|lra].
      assert (s := never_again r (Z.of_nat i - 1) (Z.of_nat k - 1) N L).
      replace (Z.of_nat i - 1 + 1)%Z with (Z.of_nat i) in s by lia.
      replace (Z.of_nat k - 1 + 1)%Z with (Z.of_nat k) in s by lia. specialize (s f ltac:(lia)). lra.
    + rewrite sum_zero by reflexivity. specialize (m (Z.of_nat i - 1)%Z). lra.
  - cbn [seq map]. rewrite sum_cons. specialize (IH (S i)). replace (Z.of_nat (S i) - 1)%Z with (Z.of_nat i) in IH by lia.
    destruct (A i); lra.
Qed.

(** * Independent bits, of which nothing is known *)

(** A database of independent bits: bit i is 1 with chance p_i. *)
Fixpoint bits ps : measure (list bool) :=
  match ps with [] => [([], 1)] | p :: ps' => mix p (image (cons true) (bits ps')) (image (cons false) (bits ps')) end.
Definition independent_bits ps : distribution bool unit := image (fun D => (D, tt)) (bits ps).
Definition ones (D : list bool) : nat := length (filter (fun x => x) D).
Definition count : mechanism bool nat := fun D => [(ones D, 1)].

Lemma count_total n : total_on n count.
Proof. intros D _. split; [intros x p [e|[]]; injection e as _ <-; discriminate|reflexivity]. Qed.
Lemma bits_law ps : Forall chance ps -> law (bits ps).
Proof.
  intros C. induction C as [|p ps Cp C IH]; cbn [bits].
  - split; [intros x p [e|[]]; injection e as _ <-; discriminate|reflexivity].
  - apply law_mix; [exact Cp|now apply law_image..].
Qed.
Lemma mean_bits p ps f : mean (bits (p :: ps)) f ==
  p * mean (bits ps) (fun D => f (true :: D)) + (1 - p) * mean (bits ps) (fun D => f (false :: D)).
Proof. cbn [bits]. now rewrite mean_mix, !mean_image. Qed.
Lemma bits_length ps D p : In (D, p) (bits ps) -> length D = length ps.
Proof.
  revert D p. induction ps as [|x ps IH]; intros D p I; cbn [bits] in I; [destruct I as [[= <- _]|[]]; reflexivity|].
  apply in_app_or in I as [I|I]; apply in_map_iff in I as [[E q] [[= <- _] I]]; apply in_map_iff in I as [[F q'] [[= <- _] I]];
    cbn [length fst]; now rewrite (IH F q' I).
Qed.
Lemma ones_le D : (ones D <= length D)%nat.
Proof. unfold ones. induction D as [|[] D IH]; cbn; lia. Qed.

(** [count_law] is the law of the number of ones. *)
Lemma count_bits ps k : mean (bits ps) (fun D => if (Z.of_nat (ones D) =? k)%Z then 1 else 0) == count_law ps k.
Proof.
  revert k. induction ps as [|p ps IH]; intros k.
  - cbn [bits]. rewrite mean_cons, mean_nil. unfold count_law, none. cbn [adds ones filter length Z.of_nat].
    rewrite (Z.eqb_sym k 0). destruct (0 =? k)%Z; ring.
  - rewrite mean_bits. change (count_law (p :: ps) k) with ((1 - p) * count_law ps k + p * count_law ps (k - 1)%Z).
    rewrite <- !IH. rewrite (mean_ext (bits ps) (fun D => if (Z.of_nat (ones (true :: D)) =? k)%Z then 1 else 0)
      (fun D => if (Z.of_nat (ones D) =? k - 1)%Z then 1 else 0)).
    2:{ intros D. change (ones (true :: D)) with (S (ones D)).
        destruct (Z.eqb_spec (Z.of_nat (S (ones D))) k), (Z.eqb_spec (Z.of_nat (ones D)) (k - 1)); lia || reflexivity. }
    change (fun D => if (Z.of_nat (ones (false :: D)) =? k)%Z then 1 else 0) with
      (fun D => if (Z.of_nat (ones D) =? k)%Z then 1 else 0). ring.
Qed.

(** The count, with j added. *)
Definition counted ps (j : nat) : measure nat := image (fun D => (j + ones D)%nat) (bits ps).
Lemma counted_at ps j k : at_ same (counted ps j) k == count_law ps (Z.of_nat k - Z.of_nat j)%Z.
Proof.
  unfold at_, counted. rewrite Pr_image, Pr_mean, <- count_bits. apply mean_ext. intros D. unfold chi, is.
  destruct (same k (j + ones D)%nat), (Z.eqb_spec (Z.of_nat (ones D)) (Z.of_nat k - Z.of_nat j)); lia || reflexivity.
Qed.
Lemma counted_events ps j A : (j <= 1)%nat -> Pr (counted ps j) A ==
  sum (map (fun k => if A k then count_law ps (Z.of_nat k - Z.of_nat j)%Z else 0) (seq 0 (2 + length ps))).
Proof.
  intros j1. rewrite (Pr_by_outcome same _ A (seq 0 (2 + length ps)) (seq_NoDup _ _)).
  - apply sum_ext. intros k _. destruct (A k); [apply counted_at|reflexivity].
  - intros x I. apply in_map_iff in I as [[y q] [e I]]. cbn in e. subst y. apply in_map_iff in I as [[D r] [[= <- _] I]].
    apply bits_length in I. assert (o := ones_le D). cbn [fst]. apply in_seq. lia.
Qed.
(** S and S + 1 differ by at most the largest P[S = k] in each event, and by as much in one. *)
Theorem one_more ps d : Forall chance ps -> (forall k, count_law ps k <= d) <->
  indistinguishable 1 d (counted ps 0) (counted ps 1).
Proof.
  intros C. assert (N := fun k => count_law_pos ps k C). assert (L := bits_law ps C).
  split.
  - intros m. assert (one : within 1 d (counted ps 0) (counted ps 1)).
    { intros A. rewrite !counted_events by lia. assert (R := rises (count_law ps) A d (2 + length ps) 0 N (count_log_concave ps C) m).
      rewrite (sum_ext _ (fun k => (if A k then count_law ps (Z.of_nat k - Z.of_nat 0)%Z else 0)
        - (if A k then count_law ps (Z.of_nat k - Z.of_nat 1)%Z else 0))) in R.
      2:{ intros k _. replace (Z.of_nat k - Z.of_nat 0)%Z with (Z.of_nat k) by lia. destruct (A k); [reflexivity|ring]. }
      rewrite sum_minus in R. specialize (N (Z.of_nat 0 - 1)%Z). lra. }
    split; [exact one|]. intros A. specialize (one (fun x => negb (A x))).
    assert (not : forall j, Pr (counted ps j) (fun x => negb (A x)) == 1 - Pr (counted ps j) A).
    { intros j. rewrite <- (mean_constant (counted ps j) 1) by now apply law_image. rewrite !Pr_mean, <- mean_minus.
      apply mean_ext. intros x. unfold chi. destruct (A x); reflexivity. }
    rewrite !not in one. lra.
  - intros [W _] k. destruct (Z_lt_le_dec k 0) as [l|l].
    + assert (z : count_law ps k == 0).
      { rewrite <- count_bits. apply mean_zero. intros D p _. destruct (Z.eqb_spec (Z.of_nat (ones D)) k); [lia|reflexivity]. }
      specialize (W (fun _ => false)). rewrite !Pr_mean, !mean_zero in W by reflexivity. lra.
    + specialize (W (fun x => Z.of_nat x <=? k)%Z).
      assert (e : Pr (counted ps 0) (fun x => Z.of_nat x <=? k)%Z - Pr (counted ps 1) (fun x => Z.of_nat x <=? k)%Z == count_law ps k).
      { unfold counted. rewrite !Pr_image, !Pr_mean, <- mean_minus, <- count_bits. apply mean_ext. intros D. unfold chi.
        destruct (Z.leb_spec (Z.of_nat (0 + ones D)) k), (Z.leb_spec (Z.of_nat (1 + ones D)) k),
          (Z.eqb_spec (Z.of_nat (ones D)) k); lia || reflexivity. }
      lra.
Qed.

(** * The count as a mechanism *)

Definition one (a : bool) : nat := if a then 1%nat else 0%nat.
Definition chance_of p (a : bool) : Q := if a then p else 1 - p.

Lemma ones_insert i a R : ones (insert i a R) = (one a + ones R)%nat.
Proof.
  unfold ones. revert i. induction R as [|x R IH]; intros [|i]; cbn [insert filter]; [destruct a; reflexivity..|].
  destruct x; cbn [length]; rewrite IH; lia.
Qed.
(** Bit i is independent of the others. *)
Lemma mean_record ps i p a f : record i ps = Some p ->
  mean (bits ps) (fun D => if eqb (Some a) (record i D) then f D else 0) ==
  chance_of p a * mean (bits (others i ps)) (fun R => f (insert i a R)).
Proof.
  revert i f. induction ps as [|x ps IH]; intros [|i] f e; try discriminate; rewrite mean_bits.
  - injection e as ->. cbn [record nth_error others insert]. unfold record. cbn [nth_error].
    assert (z : mean (bits ps) (fun _ => 0) == 0) by (apply mean_zero; reflexivity).
    destruct a; unfold chance_of; [change (eqb (Some true) (Some true)) with true; change (eqb (Some true) (Some false)) with false|
      change (eqb (Some false) (Some true)) with false; change (eqb (Some false) (Some false)) with true]; cbn iota; rewrite z; ring.
  - change (record (S i) (x :: ps)) with (record i ps) in e. cbn [others]. rewrite mean_bits.
    change (fun D => if eqb (Some a) (record (S i) (true :: D)) then f (true :: D) else 0) with
      (fun D => if eqb (Some a) (record i D) then f (true :: D) else 0).
    change (fun D => if eqb (Some a) (record (S i) (false :: D)) then f (false :: D) else 0) with
      (fun D => if eqb (Some a) (record i D) then f (false :: D) else 0).
    rewrite (IH i (fun D => f (true :: D)) e), (IH i (fun D => f (false :: D)) e). cbn [insert]. ring.
Qed.

Section OfBits.
  Context (ps : list Q) (C : Forall chance ps).
  Notation theta := (independent_bits ps).

  Lemma others_chance i : Forall chance (others i ps).
  Proof.
    clear - C. revert i. induction C as [|p l Cp C' IH]; intros [|i]; cbn [others]; auto.
  Qed.
  Lemma others_variance i p : record i ps = Some p -> variance ps == p * (1 - p) + variance (others i ps).
  Proof.
    clear C. revert i. induction ps as [|x l IH]; intros [|i] e; try discriminate; cbn [variance others].
    - injection e as ->. reflexivity.
    - rewrite (IH i e). ring.
  Qed.
  Lemma bits_world w q : In (w, q) theta -> length (fst w) = length ps.
  Proof. intros I. apply in_map_iff in I as [[D r] [[= <- _] I]]. exact (bits_length ps D r I). Qed.
  Lemma Pr_having i p a k : record i ps = Some p -> Pr theta (having i a k) == chance_of p a.
  Proof.
    intros e. destruct k. unfold independent_bits. rewrite Pr_image, Pr_mean.
    rewrite (mean_ext _ _ (fun D => if eqb (Some a) (record i D) then 1 else 0)) by reflexivity.
    rewrite (mean_record ps i p a (fun _ => 1) e), mean_constant by apply bits_law, others_chance. ring.
  Qed.
  Lemma possible_record i a k : possible theta i a k -> exists p, record i ps = Some p /\ 0 < chance_of p a.
  Proof.
    intros P. destruct (record i ps) as [p|] eqn:e.
    - exists p. split; [reflexivity|]. now rewrite <- (Pr_having i p a k e).
    - exfalso. apply (Qlt_not_le _ _ P). rewrite Pr_mean, mean_zero; [lra|]. intros w q I. unfold chi.
      destruct (having i a k w) eqn:h; [|reflexivity]. apply having_record, record_some in h.
      apply nth_error_None in e. rewrite (bits_world w q I) in h. lia.
  Qed.
  (** The law of the count, given bit i. *)
  Lemma output_count i p a k : record i ps = Some p -> 0 < chance_of p a ->
    alike (counted (others i ps) (one a)) (output theta (having i a k) count).
  Proof.
    intros e P S. rewrite Pr_output, (Pr_having i p a k e). destruct k. unfold independent_bits. rewrite mean_image.
    rewrite (mean_ext _ _ (fun D => if eqb (Some a) (record i D) then chi S (ones D) else 0)).
    2:{ intros D. change (having i a tt (D, tt)) with (eqb (Some a) (record i D)). cbn [fst].
        destruct (eqb (Some a) (record i D)); [|reflexivity]. unfold count. rewrite Pr_mean, mean_cons, mean_nil. ring. }
    rewrite (mean_record ps i p a (fun D => chi S (ones D)) e). unfold counted. rewrite Pr_image, Pr_mean.
    rewrite (mean_ext _ (fun R => chi S (ones (insert i a R))) (chi (fun D => S (one a + ones D)%nat))).
    2:{ intros R. rewrite ones_insert. reflexivity. }
    field. lra.
  Qed.

  (** What epsilon = 0 costs a count is the largest P[S = k], S the sum of the others, over the records that are open. *)
  Theorem count_exactly d k i a b : a <> b -> possible theta i a k -> possible theta i b k ->
    (indistinguishable 1 d (output theta (having i a k) count) (output theta (having i b k) count) <->
     forall j, count_law (others i ps) j <= d).
  Proof.
    intros D P P'. destruct (possible_record i a k P) as (p & e & A). destruct (possible_record i b k P') as (p' & e' & A').
    rewrite e in e'. injection e' as <-. rewrite (one_more (others i ps) d (others_chance i)).
    assert (F := output_count i p a k e A). assert (G := output_count i p b k e A').
    assert (F' := alike_sym _ _ F). assert (G' := alike_sym _ _ G).
    destruct a, b; try congruence; cbn [one] in *; split; intros V.
    - apply indistinguishable_sym. exact (indistinguishable_alike _ _ _ _ _ _ F' G' V).
    - apply (indistinguishable_alike _ _ _ _ _ _ F G). now apply indistinguishable_sym.
    - exact (indistinguishable_alike _ _ _ _ _ _ F' G' V).
    - exact (indistinguishable_alike _ _ _ _ _ _ F G V).
  Qed.
End OfBits.

(** Any set of laws of n independent bits, whose chances meet a condition, and of which nothing is known. *)
Definition of_bits (n : nat) (met : list Q -> Prop) (Theta : family bool unit) : Prop :=
  forall theta, Theta theta -> exists ps, length ps = n /\ Forall chance ps /\ met ps /\ theta = independent_bits ps.
Lemma of_bits_sized n met Theta : of_bits n met Theta -> of_size n Theta.
Proof.
  intros X theta I. destruct (X theta I) as (ps & <- & C & _ & ->). split; [now apply law_image, bits_law|]. apply bits_world.
Qed.
Lemma of_bits_weaker n (met met' : list Q -> Prop) Theta : (forall ps, Forall chance ps -> met ps -> met' ps) ->
  of_bits n met Theta -> of_bits n met' Theta.
Proof.
  intros h X theta I. destruct (X theta I) as (ps & l & C & m & e). exists ps. auto.
Qed.

(** The records that are open: neither value is certain. *)
Definition each_open ps (claim : list Q -> Prop) : Prop :=
  forall i p, record i ps = Some p -> 0 < p < 1 -> claim (others i ps).

(** The count is (0, d)-APKDP where d is at least each P[S = k], S the sum of the others of a record that is open; and so
    for each epsilon. *)
Theorem count_private n Theta E d : 1 <= E -> 0 <= d ->
  of_bits n (fun ps => each_open ps (fun rest => forall k, count_law rest k <= d)) Theta ->
  np Theta E d count /\ apkdp Theta E d count.
Proof.
  intros e d0 X. assert (sized := of_bits_sized n _ Theta X).
  assert (V : np Theta E d count); [|split; [exact V|now apply (apkdp_np n Theta count sized (count_total n) E d ltac:(lra))]].
  intros theta I k i a b P P'. assert (l := law_output n Theta count sized (count_total n) theta _ I P).
  assert (l' := law_output n Theta count sized (count_total n) theta _ I P').
  destruct (Bool.bool_dec a b) as [->|D].
  - apply indistinguishable_same; [exact e|exact d0|apply l|]. intros S. reflexivity.
  - destruct (X theta I) as (ps & _ & C & m & ->). apply (indistinguishable_more 1 E d d); [apply l|apply l'|exact e|lra|].
    apply (count_exactly ps C d k i a b D P P'). destruct (possible_record ps C i a k P) as (p & r & A).
    destruct (possible_record ps C i b k P') as (p' & r' & A'). rewrite r in r'. injection r' as <-.
    apply (m i p r). unfold chance_of in *. destruct a, b; try congruence; lra.
Qed.
(** With the variance of the others: 2v*d^2 >= 1. *)
Theorem count_by_variance n Theta E d : 1 <= E -> 0 <= d ->
  of_bits n (fun ps => each_open ps (fun rest => 1 <= 2 * variance rest * (d * d))) Theta ->
  np Theta E d count /\ apkdp Theta E d count.
Proof.
  intros e d0 X. apply (count_private n); auto. revert X. apply of_bits_weaker. intros ps C m i p r o k. specialize (m i p r o). cbn beta in m.
  assert (O := others_chance ps C i). assert (b := most_likely_count (others i ps) k O).
  assert (v := variance_pos _ O). assert (P := count_law_pos (others i ps) k O).
  destruct (Qlt_le_dec d (count_law (others i ps) k)) as [l|l]; [exfalso|exact l].
  set (x := count_law (others i ps) k) in *. set (w := variance (others i ps)) in *.
  assert (w0 : 0 < w) by (destruct (Qlt_le_dec 0 w); [assumption|assert (z : w == 0) by lra; rewrite z in m; lra]).
  assert (d * d < x * x) by nra. nra.
Qed.

(** * The printed bound *)

(** The sum of the absolute third moments: E|D(i) - p|^3 = p(1 - p)(p^2 + (1 - p)^2). *)
Fixpoint third ps : Q := match ps with [] => 0 | p :: ps' => p * (1 - p) * (p * p + (1 - p) * (1 - p)) + third ps' end.
Lemma third_variance ps : Forall chance ps -> variance ps <= 2 * third ps.
Proof.
  intros C. induction C as [|p ps [p0 p1] C IH]; cbn [third variance]; [lra|].
  assert (0 <= p * (1 - p)) by nra. assert (1 <= 2 * (p * p + (1 - p) * (1 - p))) by (assert (h := square_pos (2 * p - 1)); lra).
  nra.
Qed.
Lemma count_law_one ps k : Forall chance ps -> count_law ps k <= 1.
Proof.
  intros C. rewrite <- count_bits, <- (mean_constant (bits ps) 1 (bits_law ps C)). apply mean_le; [apply bits_law, C|].
  intros D p _. destruct (Z.of_nat (ones D) =? k)%Z; lra.
Qed.

(** The means of the second and of the absolute third moments, over all n bits. *)
Definition mu2 ps : Q := variance ps / natQ (length ps).
Definition mu3 ps : Q := third ps / natQ (length ps).
(** e >= 1.12*mu3*(1 + E)/(sqrt(n)*power), power >= 0, by the squares of both sides; e >= 0. *)
Definition error_below ps (E e square_of_power : Q) : Prop :=
  let x := (28 # 25) * mu3 ps * (1 + E) in x * x <= e * e * (natQ (length ps) * square_of_power).
Definition cube x : Q := x * x * x.

(** The most likely count of the others is at most the error term. *)
Lemma printed_enough ps E d2 d i p k : Forall chance ps -> record i ps = Some p -> 0 < p < 1 -> 1 <= E -> 0 <= d2 ->
  d2 <= d -> error_below ps E (d - d2) (cube (mu2 ps)) -> count_law (others i ps) k <= d.
Proof.
  intros C r o e d20 l b. unfold error_below, cube, mu2, mu3 in b. assert (O := others_chance ps C i). assert (v := variance_pos _ O).
  assert (m := most_likely_count (others i ps) k O). assert (P0 := count_law_pos (others i ps) k O).
  assert (P1 := count_law_one (others i ps) k O). assert (s := others_variance ps i p r).
  assert (t := third_variance ps C). assert (quarter : p * (1 - p) <= 1 # 4).
  { assert (h := square_pos (2 * p - 1)). lra. }
  assert (open : 0 < p * (1 - p)) by nra.
  assert (n0 : 0 < natQ (length ps)) by (apply (natQ_lt 0); assert (h := record_some i p ps r); lia).
  set (x := count_law (others i ps) k) in *. set (w := variance (others i ps)) in *.
  set (S := variance ps) in *. set (T := third ps) in *. set (n := natQ (length ps)) in *.
  assert (S0 : 0 < S) by lra.
  (* times n^2, the bound is 1.12^2*T^2*(1 + E)^2 <= (d - d2)^2*S^3 *)
  assert (b' : (28 # 25) * T * (1 + E) * ((28 # 25) * T * (1 + E)) <= (d - d2) * (d - d2) * (S * S * S)).
  { assert (N : 0 < n * n) by nra. apply (scale_le (n * n)) in b; [|lra].
    setoid_replace (n * n * ((28 # 25) * (T / n) * (1 + E) * ((28 # 25) * (T / n) * (1 + E)))) with
      ((28 # 25) * T * (1 + E) * ((28 # 25) * T * (1 + E))) in b by (field; lra).
    setoid_replace (n * n * ((d - d2) * (d - d2) * (n * (S / n * (S / n) * (S / n))))) with
      ((d - d2) * (d - d2) * (S * S * S)) in b by (field; lra). exact b. }
  assert (TE : S <= T * (1 + E)) by nra.
  assert (b2 : S * S * ((28 # 25) * (28 # 25)) <= S * S * ((d - d2) * (d - d2) * S)).
  { assert (S * S <= T * (1 + E) * (T * (1 + E))) by nra. lra. }
  assert (SS : 0 < S * S) by nra. apply (proj1 (Qmult_le_l _ _ _ SS)) in b2.
  (* and P^2*S <= P^2*v + P^2/4 <= 3/4 *)
  destruct (Qlt_le_dec d x) as [f|f]; [exfalso|exact f].
  assert (xx : x * x <= 1) by nra. assert (y : x * x * S <= 3 # 4) by nra.
  assert ((d - d2) * (d - d2) <= x * x) by nra. assert ((d - d2) * (d - d2) * S <= x * x * S) by nra. lra.
Qed.
(** mu2 <= 1, so that mu2^3 is at most mu2^(3/2). *)
Lemma power_three ps E e : Forall chance ps -> error_below ps E e (cube (mu2 ps) * cube (mu2 ps)) -> error_below ps E e (cube (mu2 ps)).
Proof.
  intros C b. unfold error_below in *. eapply Qle_trans; [exact b|]. apply scale_le; [apply square_pos|].
  apply scale_le; [apply natQ_pos|]. assert (v := variance_pos ps C).
  assert (m : 0 <= mu2 ps <= 1).
  { unfold mu2. destruct ps as [|p ps']; [split; discriminate|]. assert (n0 : 0 < natQ (length (p :: ps'))) by (apply (natQ_lt 0); cbn; lia).
    split; [now apply div_pos|]. apply div_le; [exact n0|]. rewrite Qmult_1_l. clear - C.
    induction C as [|x l [x0 x1] C IH]; [discriminate|]. cbn [variance length]. rewrite natQ_succ. nra. }
  unfold cube. set (x := mu2 ps) in *. assert (0 <= x * x * x <= 1) by (assert (0 <= x * x <= 1) by nra; nra). nra.
Qed.

(** DMKB20, Proposition 7, corrected: at epsilon = 0, and so at each epsilon. *)
Theorem proposition_7 n Theta E d2 d : 1 <= E -> 0 <= d2 -> d2 <= d ->
  of_bits n (fun ps => error_below ps E (d - d2) (cube (mu2 ps))) Theta ->
  (np Theta 1 d count /\ apkdp Theta 1 d count) /\ (np Theta E d count /\ apkdp Theta E d count).
Proof.
  intros e d20 l X. split; (apply (count_private n); [lra|lra|]); revert X; apply of_bits_weaker;
    intros ps C b i p r o k; exact (printed_enough ps E d2 d i p k C r o e d20 l b).
Qed.
