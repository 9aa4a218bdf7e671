"""What theorems claim, beside the truth: laws by enumeration of databases, readings, refusals, and what is false."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial

import hypothesis.strategies as st
import pytest
from hypothesis import given

import verifier as pk
from verifier.engine import Engine
from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.bernoulli import blanket, count_delta, count_profile, ratio_tail, worst_count
from verifier.wings.papers.bounds.claim import BoundRow
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.bounds.sampling import bad_outcome, sampled_group
from verifier.wings.papers.bounds.thresholding import histogram_delta

F = Fraction
ZERO, ONE = F(0), F(1)
Law = dict[object, Fraction]
few = st.sampled_from([ZERO, F(1, 20), F(1, 4), F(1, 3), F(1, 2), F(9, 10), ONE])
factors = st.sampled_from([ONE, F(10, 9), F(3, 2), F(2), F(7), F(1000)])


def stick(p: Law, q: Law, factor: Fraction) -> Fraction:
    return sum((max(ZERO, w - factor * q.get(o, ZERO)) for o, w in p.items()), ZERO)


def databases(chances: Sequence[Fraction], target: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    for database in product((0, 1), repeat=len(chances)):
        weight = ONE
        for i, x in enumerate(database):
            if i != target:
                weight *= chances[i] if x else 1 - chances[i]
        yield database, weight


def naive(chances: Sequence[Fraction], factor: Fraction, threshold: int = -1, known: int = 0) -> Fraction:
    """PPKDP from all databases."""
    best = ZERO
    for i in range(known, len(chances)):
        laws: tuple[Law, Law] = ({}, {})
        for database, weight in databases(chances, i):
            shown = sum(database)
            output = (database[:known], shown if shown > threshold else None)
            laws[database[i]][output] = laws[database[i]].get(output, ZERO) + weight
        best = max(best, stick(*laws, factor), stick(laws[1], laws[0], factor))
    return best


def only(claim: str, reading: str, **texts: str) -> BoundRow:
    (row,) = assess(claim, {name.replace("_", "-"): text for name, text in texts.items()}, reading)
    return row


def exactly(value: Real | None) -> Fraction:
    assert value is not None
    assert value.exact is not None
    return value.exact


@given(st.lists(few, min_size=1, max_size=5), factors, st.integers(-1, 5), st.data())
def test_the_truth_is_that_of_all_databases(
    chances: list[Fraction], factor: Fraction, threshold: int, data: st.DataObject
) -> None:
    known = data.draw(st.integers(0, len(chances) - 1))
    wanted = naive(chances, factor, threshold, known)
    assert count_delta(chances, factor, threshold=threshold, known=known) == wanted
    profiles = count_profile(chances, threshold=threshold, known=known)
    assert max(one.delta(f"ln({factor})").rational or ZERO for one in profiles) == wanted


@pytest.mark.parametrize(("known", "threshold"), [(0, -1), (0, 2), (2, 2), (3, 1)])
def test_the_truth_is_that_of_the_engine(known: int, threshold: int) -> None:
    chances = [F(1, 3), F(1, 4), F(1, 5), F(2, 3), F(1, 2)]
    kind = (
        {"kind": "threshold-count", "value": 1, "above": threshold} if threshold >= 0 else {"kind": "count", "value": 1}
    )
    model = pk.build(
        size=5,
        values=[0, 1],
        distribution={"independent": [{0: str(1 - p), 1: str(p)} for p in chances]},
        knowledge={"records": list(range(known))},
        sensitive={"records": list(range(known, 5))},
        mechanism=kind,
    )
    for text, factor in (("0", ONE), ("ln(3/2)", F(3, 2)), ("ln(4)", F(4))):
        for definition in ("ppkdp",) if known else ("ppkdp", "apkdp"):
            answer = pk.check(model, definition, epsilon=text, engine=Engine(model, force="sum"), replay=False)
            assert answer.tight_delta == count_delta(chances, factor, threshold=threshold, known=known)


@given(
    st.sampled_from([(F(1, 5), F(4, 5)), (ZERO, F(1, 4)), (F(1, 3), F(1, 2))]),
    st.integers(1, 5),
    factors,
    st.integers(-1, 3),
    st.data(),
)
def test_no_point_of_the_box_is_worse_than_the_vertices(
    ends: tuple[Fraction, Fraction], n: int, factor: Fraction, threshold: int, data: st.DataObject
) -> None:
    low, high = ends
    known = data.draw(st.integers(0, n - 1))
    value, where = worst_count(n, low, high, factor, threshold=threshold, known=known)
    inside = st.integers(0, 6).map(lambda k: low + (high - low) * k / 6)
    chances = data.draw(st.lists(inside, min_size=n, max_size=n))
    assert naive(chances, factor, threshold, known) <= value
    vertices = (naive(vertex, factor, threshold, known) for vertex in product(ends, repeat=n))
    assert value == max(vertices)
    assert str(low) in where or str(high) in where


@given(st.integers(1, 6), st.sampled_from([F(1, 10), F(1, 4), F(2, 5)]), factors)
def test_blanket_and_ratios_by_enumeration(n: int, share: Fraction, factor: Fraction) -> None:
    cells = list(product(range(n), repeat=2))
    both = [(x, y, multinomial(n - 1, x, y, share)) for x, y in cells if x + y < n]
    mean = sum((w * max(ZERO, 1 - factor * F(y, x + 1)) for x, y, w in both), ZERO)
    assert blanket(n, share, factor) == mean
    assert blanket(n, share, factor, tail=True) == sum((w for x, y, w in both if x + 1 >= factor * y), ZERO)
    assert mean >= worst_count(n, share, 1 - share, factor)[0]
    for plus, zero_over_zero in ((0, True), (0, False), (1, True)):
        wanted = sum(
            (
                mass(n - 1, x, share) * mass(n - 1, y, share)
                for x, y in cells
                if (x + plus >= factor * y if y else x + plus > 0 or zero_over_zero)
            ),
            ZERO,
        )
        assert ratio_tail(n, share, factor, plus=plus, zero_over_zero=zero_over_zero) == wanted


def mass(n: int, k: int, p: Fraction) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def multinomial(n: int, x: int, y: int, share: Fraction) -> Fraction:
    return comb(n, x) * comb(n - x, y) * share ** (x + y) * (1 - 2 * share) ** (n - x - y)


def histograms(rest: Sequence[Fraction], n: int, factor: Fraction, shown: int, silent: int | None) -> Fraction:
    cells = range(len(rest))
    laws: list[Law] = [{} for _ in cells]
    for others in product(cells, repeat=n - 1):
        weight = ONE
        for value in others:
            weight *= rest[value]
        for value, law in enumerate(laws):
            counts = [(*others, value).count(cell) for cell in cells]
            output = tuple(c if c >= shown and k != silent else None for k, c in enumerate(counts))
            law[output] = law.get(output, ZERO) + weight
    return max(stick(p, q, factor) for p in laws for q in laws)


@given(st.integers(1, 5), st.integers(1, 3), factors)
def test_histograms_by_enumeration(n: int, shown: int, factor: Fraction) -> None:
    law = [F(1, 6), F(1, 3), F(1, 2)]
    assert histogram_delta(n - 1, law, factor, shown, silent=2) == histograms(law, n, factor, shown, 2)
    share = F(1, 6)  # for three values the blanket bound is attained
    assert histogram_delta(n - 1, [share, share, 1 - 2 * share], factor, 0) >= blanket(n, share, factor)


# --- what is true ----------------------------------------------------------------------------------------------


@given(st.sampled_from([F(1, 10), F(1, 3), F(1, 2)]), st.integers(1, 4), st.sampled_from([F(2), F(3), F(9)]))
def test_sampled_groups_by_enumeration(rate: Fraction, k: int, factor: Fraction) -> None:
    claimed = bad_outcome(k, rate, factor)
    gamma = (factor - 1 + rate) / factor
    tails = [
        sum((mass(n, j, rate) for j in range(n + 1) if j > gamma * n), ZERO)
        for n in range(1, 40)
        if gamma * (n + 1) >= k
    ]
    assert claimed == max(tails)
    for n in range(1, 12):
        laws: list[Law] = []
        for size in (n, n - 1):
            law: Law = {}
            for j in range(size + 1):
                output = j if j >= k else None
                law[output] = law.get(output, ZERO) + mass(size, j, rate)
            laws.append(law)
        truth = max(stick(laws[0], laws[1], factor), stick(laws[1], laws[0], factor))
        assert truth == sampled_group(n, k, rate, factor) <= claimed


# --- what is false: proofs/bounds.md ---------------------------------------------------------------------------


@pytest.mark.parametrize("share", ["1/20", "1/4", "2/5"])
def test_theorem_3_fails_with_success_2_lambda(share: str) -> None:
    for n in (2, 3, 6):
        claimed = (1 - 2 * F(share)) ** (n - 1)
        for reading in ("printed", "exponential"):
            row = only("theorem-3", reading, n=str(n), epsilon=str(n), **{"lambda": share})
            assert (row.covers, exactly(row.claimed.delta)) == ("no", claimed)
            assert count_delta([F(share)] * n, F(3) ** n) == (1 - F(share)) ** (n - 1) > claimed
    assert only("theorem-3", "blanket", n="3", epsilon="ln(11/10)", **{"lambda": "1/8"}).covers == "no"
    assert naive([F(1, 8), F(1, 8), F(7, 8)], F(11, 10)) == F(493, 640) > F(1575, 2048)


def test_the_closed_form_does_not_follow_from_the_printed_level() -> None:
    """ε ≤ 1 makes P[X/Y ≥ ε] at least P[X ≥ Y] ≥ 1/2, and the closed form allows δ = 1/6."""
    row = only("theorem-3-closed", "printed", n="57", delta="1/6", **{"lambda": "49/100"})
    assert row.claimed.met is True
    assert ratio_tail(57, F(49, 50), ONE) > F(1, 2) > F(1, 6)


def test_proposition_7_fails_for_fair_coins() -> None:
    row = only("proposition-7", "printed", n="555", p="1/2", epsilon="1")
    assert (row.covers, row.claimed.met) == ("no", True)
    assert only("proposition-7", "printed", n="554", p="1/2", epsilon="1").covers == "yes"
    for reading in ("absolute-moment", "printed-absolute-moment"):
        assert only("proposition-7", reading, n="555", p="1/2", epsilon="1").covers == "yes"
    # again, in integers: δ > 1.25·exp(-555/8) iff δ^8·e^555 > 1.25^8
    low = sum((F(1, factorial(k)) for k in range(60)), ZERO)
    high = low + F(2, factorial(60))
    law = [comb(554, k) for k in range(555)]
    delta = sum((max(ZERO, law[o] - high * (law[o - 1] if o else 0)) for o in range(555)), ZERO) / 2**554
    assert delta**8 * low**555 > F(5, 4) ** 8


def test_theorem_4_needs_b_max_below_the_threshold() -> None:
    row = only("theorem-4", "literal", n="3", p="1/4", threshold="0", known="1", b_max="2")
    assert (exactly(row.claimed.delta), exactly(row.claimed.exp), row.covers) == (ZERO, ONE, "no")
    assert exactly(row.model) == naive([F(1, 4)] * 3, ONE, 0, 1) == F(3, 4)


def test_theorem_5_fails_for_two_records() -> None:
    rare = {"n": "2", "k": "1", "lambda": "1/20", "delta": "9/10"}
    for reading, p in (("printed", "1/20"), ("exponential", "1/20"), ("above-printed", "19/20")):
        row = only("theorem-5", reading, p=p, **rare)
        assert (row.covers, row.claimed.met, exactly(row.model)) == ("no", True, F(19, 20))
    assert histograms([F(19, 20), F(1, 20)], 2, F(100), 2, 1) == F(19, 20)
    assert histograms([F(1, 20), F(19, 20)], 2, F(100), 1, 1) == F(19, 20)


def test_theorem_3_11_of_lqs_fails() -> None:
    """All subsets of {t, 1, 2}; the recoding of t with 1 is chosen with 1/3, 1/2 or 2/3."""
    row = only("lqs-theorem-3.11", "printed", k="2", beta="1/2", epsilon_1="ln(3/2)")
    assert (exactly(row.claimed.delta), exactly(row.claimed.exp), row.covers) == (F(1, 4), F(3), "no")

    def choice(sample: frozenset[str]) -> Fraction:
        weights = [2 if one in sample else 1 for one in "12"]
        return F(weights[0], sum(weights))

    subsets = [frozenset(c for c, x in zip("t12", bits, strict=True) if x) for bits in product((0, 1), repeat=3)]
    for sample in subsets:  # the choice is ln(3/2)-DP
        for one in "t12":
            for mine, its in (
                (choice(sample), choice(sample ^ {one})),
                (1 - choice(sample), 1 - choice(sample ^ {one})),
            ):
                assert mine <= F(3, 2) * its
    with_t: Law = {}
    without: Law = {}
    for law, data in ((with_t, subsets), (without, [s for s in subsets if "t" not in s])):
        for sample in data:
            for chosen, weight in (("1", choice(sample)), ("2", 1 - choice(sample))):
                crowd = sample & {"t", chosen}
                output = chosen if len(crowd) == 2 else None
                law[output] = law.get(output, ZERO) + weight / len(data)
    assert stick(with_t, without, F(3)) == stick(with_t, without, F(10**9)) == exactly(row.model) == F(7, 24)


def test_k_1_never_meets_definition_3_of_lqs() -> None:
    for rate, factor in product((F(1, 40), F(1, 4), F(1, 2)), (F(2), F(8), F(1000))):
        assert bad_outcome(1, rate, factor) >= rate
