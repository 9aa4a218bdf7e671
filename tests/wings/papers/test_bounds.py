"""What theorems claim, beside the truth: laws by enumeration of databases, laws of many records, what is false."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import hypothesis.strategies as st
import pytest
from flint import ctx
from hypothesis import given

from verifier.engine.poisson_binomial import TermWindow
from verifier.numbers import arb_of, ball_ends
from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.bernoulli import (
    BernoulliSum,
    blanket,
    count_delta,
    count_profile,
    ratio_tail,
    worst_count,
)
from verifier.wings.papers.bounds.claim import BoundRow
from verifier.wings.papers.bounds.levels import (
    Tail,
    binomial_law,
    blanket_tail,
    delta_at,
    epsilon_at,
    least_level,
    printed_tail,
    repaired_tail,
    sum_law,
)
from verifier.wings.papers.bounds.real import Real, logarithm
from verifier.wings.papers.bounds.sampling import bad_outcome, sampled_group, upper_tail
from verifier.wings.papers.bounds.thresholding import histogram_delta
from verifier.wings.papers.figures.noise import delta_with_noise, least_with_noise
from verifier.wings.papers.figures.sampling import groups

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


# --- laws of many records, against those of few ------------------------------------------------------------------

sums = st.lists(few.filter(lambda p: 0 < p < 1), min_size=1, max_size=8)
shares = st.sampled_from([F(1, 20), F(1, 4), F(2, 5)])
BITS = 192


@pytest.fixture(autouse=True)
def _precise() -> object:
    with ctx.workprec(BITS + 64):
        yield


def holds(value: object, exact: Fraction) -> None:
    low, high = ball_ends(value)
    assert low <= exact <= high
    assert high - low <= F(1, 10**30) * (1 + abs(exact))


@given(sums)
def test_a_large_law_is_the_exact_one(found: list[Fraction]) -> None:
    law, wanted = sum_law(found)(), BernoulliSum.of(found)
    assert (law.low, law.high, law.size, law.outside.is_zero()) == (0, len(found), len(found), True)
    for ball, weight in zip(law.terms, wanted.weights, strict=True):
        holds(ball, F(int(weight), wanted.denominator))


@pytest.mark.parametrize("number", [400, 2400])
@pytest.mark.parametrize("kinds", [2, 40])
def test_what_is_left_out_is_bounded(number: int, kinds: int) -> None:
    """The mass outside of a window is at most what it says, and each term holds the exact one."""
    found = [F(1 + k % kinds, kinds + 1) for k in range(number)]
    wanted, make = BernoulliSum.of(found), sum_law(found)
    for bits in (64, 128):
        with ctx.workprec(bits):
            law = make()
            bound = ball_ends(law.outside)[1]
        kept = sum(int(w) for w in wanted.weights[law.low : law.high + 1])
        assert 0 < 1 - F(kept, wanted.denominator) <= bound < F(1, 1 << (bits - 12))
        for k in range(law.low, law.high + 1, 7):
            low, high = ball_ends(law.at(k))
            assert low <= F(int(wanted.weights[k]), wanted.denominator) <= high


@given(sums, st.sampled_from([F(0), F(1, 9), F(3, 2)]), st.integers(-1, 8))
def test_divergences_of_large_laws(found: list[Fraction], level: Fraction, threshold: int) -> None:
    """The target is the first record."""
    if len(found) < 2:
        return
    value = delta_at(sum_law(found[1:]), level, threshold if threshold >= 0 else None)
    laws = laws_of(found, 0, threshold)
    ends = ball_ends(arb_of(level).exp())
    below, above = (both_ways(laws, factor) for factor in reversed(ends))
    low, high = value.bracket(BITS)
    assert low <= above
    assert below <= high
    assert high - low <= F(1, 10**30)


@given(st.integers(2, 8), st.sampled_from([F(1, 20), F(1, 2), F(2, 3)]), st.sampled_from([F(1, 100), F(1, 7), F(2, 5)]))
def test_the_least_epsilon_is_that_of_the_profile(n: int, p: Fraction, delta: Fraction) -> None:
    found = epsilon_at(binomial_law(n - 1, p), delta)
    wanted = [profile.epsilon(delta).exp for profile in count_profile([p] * n)]
    if None in wanted:
        assert found == "inf"
    else:
        assert isinstance(found, Real)
        exact = logarithm(max(e for e in wanted if e is not None))
        assert found.decimal(30) == exact.decimal(30)


@pytest.mark.parametrize("reach", [7, 8])
@pytest.mark.parametrize("delta", [F(1, 20), F(1, 9)])
def test_a_window_that_leaves_out_much_still_encloses(reach: int, delta: Fraction) -> None:
    n, p, level = 40, F(2, 5), F(1, 8)
    whole, middle = binomial_law(n, p)(), 16
    window = TermWindow(middle - reach, whole.terms[middle - reach : middle + reach + 1], n)
    wanted = [count_delta([p] * (n + 1), factor) for factor in reversed(ball_ends(arb_of(level).exp()))]
    low, high = delta_at(lambda: window, level).bracket(96)
    assert low <= wanted[1]
    assert wanted[0] <= high
    assert high - low > F(1, 1000)
    noisy, plain = (delta_with_noise(law, F(1, 2), level).bracket(96) for law in (lambda: window, binomial_law(n, p)))
    assert noisy[0] <= plain[0] <= plain[1] <= noisy[1]
    exact = max(profile.epsilon(delta).exp or ZERO for profile in count_profile([p] * (n + 1)))
    found = epsilon_at(lambda: window, delta)
    assert isinstance(found, Real)
    low, high = found.bracket(96)
    assert low <= logarithm(exact).bracket(96)[1]
    assert logarithm(exact).bracket(96)[0] <= high
    assert high - low > F(1, 1000)


@given(st.integers(2, 9), shares, factors)
def test_ratios_and_blankets(n: int, share: Fraction, factor: Fraction) -> None:
    holds(printed_tail(n, share).at(factor), ratio_tail(n, 2 * share, factor))
    holds(repaired_tail(n, share).at(factor), blanket(n, share, factor, tail=True))
    holds(blanket_tail(n, share).at(factor), blanket(n, share, factor))


@pytest.mark.parametrize("n", [60, 400])
def test_bounds_of_many_records(n: int) -> None:
    for factor in (F(11, 10), F(2), F(9)):
        holds(printed_tail(n, F(1, 20)).at(factor), ratio_tail(n, F(1, 10), factor))
        for make, tail in ((repaired_tail, True), (blanket_tail, False)):
            holds(make(n, F(1, 20)).at(factor), blanket(n, F(1, 20), factor, tail=tail))


@given(
    st.integers(2, 7), shares, st.sampled_from([F(1, 50), F(1, 5), F(3, 5)]), st.sampled_from(["printed", "repaired"])
)
def test_the_least_level_is_a_jump(n: int, share: Fraction, delta: Fraction, which: str) -> None:
    """Both tails fall only at ratios of whole numbers: the smallest level is such a ratio, or 1, or there is none."""
    tail = printed_tail(n, share) if which == "printed" else repaired_tail(n, share)

    def exactly(level: Fraction) -> Fraction:
        return ratio_tail(n, 2 * share, level) if which == "printed" else blanket(n, share, level, tail=True)

    jumps = sorted({F(x, y) for x in range(1, n + 1) for y in range(1, n + 1) if x >= y})
    if delta in {exactly(jump + e) for jump in jumps for e in (F(0), F(1, 1000))}:
        return
    wanted = next((jump for jump in jumps if exactly(jump + F(1, 1000)) <= delta), None)
    found = least_level(tail, delta)
    if wanted is None:
        assert found == "inf"
        return
    assert isinstance(found, Real)
    low, high = found.bracket(96)
    at = arb_of(wanted).log()
    assert not at < arb_of(low)
    assert not at > arb_of(high)


@pytest.mark.parametrize("factor", [F(3, 2), F(1 << 20), F((1 << 30) + 1, 3)])
def test_a_large_level_is_finite(factor: Fraction) -> None:
    """A bound that falls late has its true level, also above 20·ln(2) nats; one that stays above δ has none."""
    tail = Tail(lambda level: arb_of(F(1) if level < factor else F(1, 10)), 1 << 31)
    found = least_level(tail, F(1, 5))
    assert isinstance(found, Real)
    low, high = found.bracket(96)
    assert low < high
    assert not arb_of(factor).log() < arb_of(low)
    assert not arb_of(factor).log() > arb_of(high)
    assert least_level(tail, F(1, 20)) == "inf"


@given(st.integers(1, 9), shares, st.sampled_from([printed_tail, repaired_tail, blanket_tail]))
def test_a_bound_is_constant_from_its_last_level_on(
    n: int, share: Fraction, make: Callable[[int, Fraction], Tail]
) -> None:
    tail = make(n, share)
    last = tail.at(F(tail.last))
    assert all(tail.at(tail.last + more).overlaps(last) for more in (F(1, 3), F(n), F(1 << 20)))


@pytest.mark.parametrize("p", [F(1, 3), F(1, 2), F(3, 4)])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_noise_by_its_sum(n: int, p: Fraction) -> None:
    """δ of a noisy count at ε = ln(6/5) from the probabilities of its sums, as far as they matter."""
    plain, reach = BernoulliSum.of([F(1, 3)] * n), 300
    noise = {k: (1 - p) / (1 + p) * p ** abs(k) for k in range(-reach, reach + 1)}
    chances = [F(int(w), plain.denominator) for w in plain.weights]
    law: Law = {}
    for k in range(-reach, reach + n):
        law[k] = sum((c * noise.get(k - j, F(0)) for j, c in enumerate(chances)), F(0))
    after: Law = {k: law.get(k - 1, F(0)) for k in range(-reach + 1, reach + n + 1)}
    level = logarithm(F(6, 5)).bracket(200)[0]
    wanted = both_ways((law, after), F(6, 5))
    found = delta_with_noise(binomial_law(n, F(1, 3)), p, level).bracket(BITS)
    assert abs(found[0] - wanted) < F(1, 10**30)
    assert found[1] - found[0] < F(1, 10**30)


def test_noise_alone() -> None:
    """δ = max(0, (1 - e^ε·p)/(1 + p)) for geometric noise, 1 - e^((ε - 1/2)/2) for Laplace noise of scale 2."""
    level = logarithm(F(3, 2)).bracket(200)[0]
    assert delta_with_noise(binomial_law(0, F(1, 2)), F(1, 2), level).decimal(30) == Real.of(F(1, 6)).decimal(30)
    found = least_with_noise(binomial_law(0, F(1, 2)), F(2), F(1, 10))
    assert found.decimal(10) == Real.between(lambda _: _ends(F(1, 2) + 2 * _log(F(9, 10)))).decimal(10)


def _log(value: Fraction) -> Fraction:
    return logarithm(value).bracket(200)[0]


def _ends(value: Fraction) -> tuple[Fraction, Fraction]:
    return value - F(1, 10**40), value + F(1, 10**40)


@pytest.mark.parametrize("delta", [F(1, 100), F(1, 10)])
def test_laplace_noise_on_a_grid(delta: Fraction) -> None:
    """At the smallest ε no half-line exceeds δ, and one of a fine grid nearly does."""
    n, p = 6, F(3, 10)
    exp = arb_of(least_with_noise(binomial_law(n, p), F(2), delta).bracket(96)[1]).exp()
    law = [mass(n, k, p) for k in range(n + 1)]

    def below(t: Fraction) -> object:
        parts = (
            arb_of(w) * (1 - (arb_of((k - t) / 2)).exp() / 2 if t >= k else (arb_of((t - k) / 2)).exp() / 2)
            for k, w in enumerate(law)
        )
        return sum(parts, arb_of(F(0)))

    grid = [F(k, 40) for k in range(-400, 640)]
    found = [below(t) - exp * below(t - 1) for t in grid]
    found += [(1 - below(t - 1)) - exp * (1 - below(t)) for t in grid]  # type: ignore[operator]
    assert all(one < arb_of(delta + F(1, 10**20)) for one in found)
    assert any(one > arb_of(delta * F(999, 1000)) for one in found)


@pytest.mark.parametrize(("rate", "delta"), [(F(1, 5), F(1, 1000)), (F(1, 10), F(1, 1000)), (F(2, 5), F(1, 50))])
def test_groups_the_other_way_round(rate: Fraction, delta: Fraction) -> None:
    found = groups(rate, delta, 12)
    for k in range(1, 13):
        gamma, least = found.gammas[k - 1], 1 / (1 - rate)
        if gamma is None:
            assert rate**k > delta
            continue
        factor = (1 - rate) / (1 - gamma)
        assert bad_outcome(k, rate, factor) <= delta
        if factor > least:
            assert bad_outcome(k, rate, factor - F(1, 10**9)) > delta
        wanted = least
        for n in range(1, 60):
            for j in range(k, n + 1):
                above = upper_tail(n, rate, j)
                if above > delta:
                    wanted = max(wanted, (above - delta) / upper_tail(n - 1, rate, j))
        holds(arb_of(found.factors[k - 1]) if isinstance(found.factors[k - 1], F) else found.factors[k - 1], wanted)
    assert found.gammas[11] is not None
