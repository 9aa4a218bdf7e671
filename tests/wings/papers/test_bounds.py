"""What theorems claim, beside the truth: laws by enumeration of databases, and what is false."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import hypothesis.strategies as st
from hypothesis import given

from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.bernoulli import (
    blanket,
    count_delta,
    count_profile,
    ratio_tail,
    worst_count,
)
from verifier.wings.papers.bounds.claim import BoundRow
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.bounds.sampling import bad_outcome, sampled_group
from verifier.wings.papers.bounds.thresholding import histogram_delta

F = Fraction
ZERO, ONE = F(0), F(1)
Law = dict[object, Fraction]
few = st.sampled_from([ZERO, F(1, 20), F(1, 4), F(1, 3), F(1, 2), F(9, 10), ONE])
factors = st.sampled_from([ONE, F(10, 9), F(3, 2), F(2), F(7), F(1000)])


def divergence(p: Law, q: Law, factor: Fraction) -> Fraction:
    return sum((max(ZERO, w - factor * q.get(o, ZERO)) for o, w in p.items()), ZERO)


def laws_of(chances: Sequence[Fraction], target: int, threshold: int, known: int = 0) -> tuple[Law, Law]:
    """The laws of the known records and the shown count given D(target) = 0 and 1, from all databases."""
    laws: tuple[Law, Law] = ({}, {})
    for database in product((0, 1), repeat=len(chances)):
        weight = prod(p if x else 1 - p for i, (p, x) in enumerate(zip(chances, database, strict=True)) if i != target)
        shown = sum(database)
        output = (database[:known], shown if shown > threshold else None)
        laws[database[target]][output] = laws[database[target]].get(output, ZERO) + weight
    return laws


def both_ways(laws: Sequence[Law], factor: Fraction) -> Fraction:
    p, q = laws
    return max(divergence(p, q, factor), divergence(q, p, factor))


def naive(chances: Sequence[Fraction], factor: Fraction, threshold: int = -1, known: int = 0) -> Fraction:
    """PPKDP from all databases."""
    return max(both_ways(laws_of(chances, i, threshold, known), factor) for i in range(known, len(chances)))


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
    return max(divergence(p, q, factor) for p in laws for q in laws)


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
        assert both_ways(laws, factor) == sampled_group(n, k, rate, factor) <= claimed


# --- what is false: proofs/bounds.md ---------------------------------------------------------------------------


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
    assert divergence(with_t, without, F(3)) == divergence(with_t, without, F(10**9)) == exactly(row.model) == F(7, 24)
