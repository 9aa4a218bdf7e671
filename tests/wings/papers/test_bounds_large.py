"""Laws of many records against small twins: divergences, bounds, inverses, noise, groups."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import hypothesis.strategies as st
import pytest
from flint import ctx
from hypothesis import given

from verifier.numbers import arb_of, ball_ends
from verifier.wings.papers.bounds.bernoulli import BernoulliSum, blanket, count_delta, count_profile, ratio_tail
from verifier.wings.papers.bounds.large import (
    large_binomial,
    large_blanket,
    large_sum,
    least_factor,
    ratio_reached,
    stick,
    with_noise,
)
from verifier.wings.papers.bounds.levels import (
    Tail,
    binomial_law,
    blanket_tail,
    epsilon_at,
    least_level,
    printed_tail,
    repaired_tail,
)
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.bounds.sampling import bad_outcome, upper_tail
from verifier.wings.papers.figures.noise import least_with_noise
from verifier.wings.papers.figures.sampling import groups

F = Fraction
chances = st.lists(st.sampled_from([F(1, 20), F(1, 4), F(1, 3), F(1, 2), F(9, 10)]), min_size=1, max_size=9)
factors = st.sampled_from([F(1), F(10, 9), F(3, 2), F(2), F(7)])
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


@given(chances)
def test_a_large_law_is_the_exact_one(found: list[Fraction]) -> None:
    law, wanted = large_sum(found, BITS), BernoulliSum.of(found)
    assert (law.start, law.stop, law.least, law.most) == (0, len(found) + 1, 0, len(found))
    for ball, weight in zip(law.weights, wanted.weights, strict=True):
        holds(ball, F(int(weight), wanted.denominator))


def test_what_is_left_out_is_bounded() -> None:
    """With few bits most of the law is left out; with the bound it still adds up to 1."""
    for n, p, bits in product((50, 300), (F(1, 20), F(1, 2), F(19, 20)), (3, 8, 40)):
        for law in (large_binomial(n, p, bits), large_sum([p] * (n // 2) + [1 - p] * (n // 2), bits)):
            kept = sum(law.weights, arb_of(F(0)))
            assert kept <= 1
            assert 1 - kept <= law.lost
            assert len(law.weights) < n


@given(chances, factors, st.integers(-1, 9))
def test_divergences_of_large_laws(found: list[Fraction], factor: Fraction, threshold: int) -> None:
    law = large_sum(found[1:], BITS)
    wanted = count_delta([found[0], *found[1:]], factor, threshold=threshold) if len(set(found)) == 1 else None
    if wanted is None:  # the target is the first record alone
        wanted = _target(found, factor, threshold)
    holds(stick(law, arb_of(factor), threshold if threshold >= 0 else None), wanted)


def _target(found: list[Fraction], factor: Fraction, threshold: int) -> Fraction:
    """From all databases, for the first record."""
    laws: list[dict[int, Fraction]] = [{}, {}]
    for others in product((0, 1), repeat=len(found) - 1):
        weight = F(1)
        for x, p in zip(others, found[1:], strict=True):
            weight *= p if x else 1 - p
        for a, law in enumerate(laws):
            count = a + sum(others)
            output = count if count > threshold else -1
            law[output] = law.get(output, F(0)) + weight
    return max(sum((max(F(0), w - factor * q.get(o, F(0))) for o, w in p.items()), F(0)) for p, q in (laws, laws[::-1]))


@given(st.integers(1, 8), st.sampled_from([F(1, 20), F(1, 2), F(2, 3)]), st.sampled_from([F(1, 100), F(1, 7), F(2, 5)]))
def test_the_least_factor_is_that_of_the_profile(n: int, p: Fraction, delta: Fraction) -> None:
    found = least_factor(large_binomial(n - 1, p, BITS), delta)
    wanted = [profile.epsilon(delta).exp for profile in count_profile([p] * n)]
    if None in wanted:
        assert found is None
        assert epsilon_at(binomial_law(n - 1, p), delta) == "inf"
    else:
        holds(found, max(e for e in wanted if e is not None))


@given(st.integers(1, 9), shares, factors)
def test_ratios_and_blankets(n: int, share: Fraction, factor: Fraction) -> None:
    law = large_binomial(n - 1, 2 * share, BITS)
    holds(ratio_reached(law, factor), ratio_tail(n, 2 * share, factor))
    holds(ratio_reached(law, factor, plus=1), ratio_tail(n, 2 * share, factor, plus=1))
    for tail in (False, True):
        holds(large_blanket(n, share, factor, BITS, tail=tail), blanket(n, share, factor, tail=tail))


@pytest.mark.parametrize("n", [60, 400])
def test_blankets_of_many_records(n: int) -> None:
    for factor, tail in product((F(11, 10), F(2), F(9)), (False, True)):
        holds(large_blanket(n, F(1, 20), factor, BITS, tail=tail), blanket(n, F(1, 20), factor, tail=tail))


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
    tail = Tail(lambda level, _: arb_of(F(1) if level < factor else F(1, 10)), 1 << 31)
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
    last = tail.at(F(tail.last), BITS)
    assert all(tail.at(tail.last + more, BITS).overlaps(last) for more in (F(1, 3), F(n), F(1 << 20)))


@given(st.integers(0, 5), st.sampled_from([F(1, 3), F(1, 2), F(3, 4)]))
def test_noise_by_its_sum(n: int, p: Fraction) -> None:
    law, plain = with_noise(large_binomial(n, F(1, 3), BITS), p, BITS), BernoulliSum.of([F(1, 3)] * n)
    for k in (-30, -1, 0, 2, n + 7):
        weight = sum(
            (F(int(w), plain.denominator) * (1 - p) / (1 + p) * p ** abs(k - j) for j, w in enumerate(plain.weights)),
            F(0),
        )
        holds(law.weights[k - law.start], weight)


def test_noise_alone() -> None:
    """δ = max(0, (1 - e^ε·p)/(1 + p)) for geometric noise, 1 - e^((ε - 1/2)/2) for Laplace noise of scale 2."""
    law = with_noise(large_binomial(0, F(1, 2), BITS), F(1, 2), BITS)
    holds(stick(law, arb_of(F(3, 2))), F(1, 6))
    found = least_with_noise(binomial_law(0, F(1, 2)), F(2), F(1, 10))
    assert found.decimal(10) == Real.between(lambda _: _ends(F(1, 2) + 2 * _log(F(9, 10)))).decimal(10)


def _log(value: Fraction) -> Fraction:
    from verifier.wings.papers.bounds.real import logarithm

    return logarithm(value).bracket(200)[0]


def _ends(value: Fraction) -> tuple[Fraction, Fraction]:
    return value - F(1, 10**40), value + F(1, 10**40)


@pytest.mark.parametrize("delta", [F(1, 100), F(1, 10)])
def test_laplace_noise_on_a_grid(delta: Fraction) -> None:
    """At the smallest ε no half-line exceeds δ, and one of a fine grid nearly does."""
    n, p = 6, F(3, 10)
    exp = arb_of(least_with_noise(binomial_law(n, p), F(2), delta).bracket(96)[1]).exp()
    law = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]

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
