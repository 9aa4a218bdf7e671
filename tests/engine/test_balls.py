"""Enclosures contain the exact numbers, wherever both can be had, and are as narrow as was asked."""

from collections import Counter
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.definitions import DEFINITIONS
from verifier.engine import Engine
from verifier.engine.balls import Balls, pairs_of
from verifier.engine.poisson_binomial import SumOfBinomials
from verifier.engine.tails import Binomial, Spectrum, first_fall, last_rise
from verifier.numbers import Delta, Enclosure, Epsilon, Order, epsilon, refined

CHANCES = [Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]


def contains(found: Enclosure, exact: Delta) -> bool:
    """low ≤ A - B·e^ε ≤ high."""
    low, high = found.low.value, found.high.value
    return exact.order(low) is not Order.LESS and exact.order(high) is not Order.GREATER


@st.composite
def counts(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(1, 7))
    chances = draw(st.lists(st.sampled_from(CHANCES), min_size=size, max_size=size))
    same = draw(st.booleans())
    size = draw(st.integers(8, 12)) if same else size
    laws = [{0: 1 - p, 1: p} for p in (chances[:1] * size if same else chances)]
    known = draw(st.lists(st.integers(0, size - 1), unique=True, max_size=size))
    known = draw(st.sampled_from([known, list(range(size - 2))])) if same and size > 2 else known
    mechanism: dict[str, Any] = {"kind": "count", "value": 1}
    if draw(st.booleans()):
        mechanism = {"kind": "threshold-count", "value": 1, "above": draw(st.integers(0, size))}
    distribution: dict[str, Any] = {"iid": laws[0]} if same else {"independent": laws}
    if same and size > 1 and draw(st.booleans()):
        distribution = {"groups": [{"size": size - 1, "iid": laws[0]}, {"iid": {0: "1/5", 1: "4/5"}}]}
    keys = {"size": size, "values": [0, 1], "distribution": distribution, "mechanism": mechanism}
    return {**keys, "knowledge": {"records": known}} if known else keys


def both(model: pk.Model, definition: str, way: str, digits: int = 12, **question: Any) -> tuple[pk.Verdict, ...]:
    """The exact answer of a source, and an enclosed one that contains its numbers and is as narrow as was asked."""
    exact, found = (
        pk.check(model, definition, engine=Engine(model, force=force), replay=False, digits=digits, **question)
        for force in (way, "ball")
    )
    assert (found.verdict, found.empty) == (exact.verdict, exact.empty)
    if exact.verdict == "vacuous":
        return exact, found
    assert found.method == "enclosure"
    if exact.tight_delta is not None:
        assert isinstance(found.tight_delta, Enclosure)
        assert isinstance(exact.tight_delta, Delta)
        assert contains(found.tight_delta, exact.tight_delta)
        assert found.tight_delta.sharp(digits)
    if isinstance(found.tight_epsilon, Enclosure):
        low, high = (end.value for end in (found.tight_epsilon.low, found.tight_epsilon.high))
        assert Epsilon("rational", low) <= exact.tight_epsilon <= Epsilon("rational", high)
    else:
        assert found.tight_epsilon == exact.tight_epsilon
    return exact, found


def voters(size: int, p: str, above: int | None = None, known: int = 0, **more: Any) -> pk.Model:
    """Records that are 1 with probability p, of which the first are known; their count, or whether it is large."""
    kind = {"kind": "count"} if above is None else {"kind": "threshold-count", "above": above}
    told = {"knowledge": {"records": {"from": 0, "to": known - 1}}} if known else {}
    law = {"iid": {0: 1 - Fraction(p), 1: p}}
    return pk.build(size=size, values=[0, 1], distribution=law, mechanism={**kind, "value": 1}, **{**told, **more})


@settings(max_examples=24)
@given(counts(), st.sampled_from(["apkdp", "ppkdp", "cdp"]), st.sampled_from(["ln(3/2)", "1/10", "inf", "0", "2"]))
def test_balls_contain_the_exact_answers(keys: dict[str, Any], definition: str, at: str) -> None:
    both(pk.build(**keys), definition, "rows", epsilon=at, delta="1/50")


@settings(max_examples=30)
@given(counts(), st.sampled_from(["ln(3/2)", "1/10", "inf", "0", "2"]), st.booleans())
def test_each_order_of_each_record(keys: dict[str, Any], at: str, average: bool) -> None:  # noqa: FBT001
    """Not only the worst of all: every target, every a and b."""
    model = pk.build(**keys)
    table, e, theta = Engine(model, force="rows"), epsilon(at), model.thetas[0]
    exact: dict[tuple[int | None, str, str], Delta] = {}
    sets = DEFINITIONS["ppkdp" if average else "apkdp"].sets
    compared = [one for each in sets(table, "default") for one in each.comparisons]
    assume(compared)
    for one in at_least_one(compared):
        assert one.a is not None
        assert one.b is not None
        key = one.record, one.a.text, one.b.text
        new = one.delta(e)
        exact[key] = max(new, exact[key]) if key in exact else new
    balls = Balls(model, theta)
    for target in balls.targets:
        if target.known:
            continue
        made = balls.counted_of(target)
        for a, b, counted in pairs_of(balls, target.values, one_order=False):
            find = made.average if average else made.worst
            assert counted is not None
            found = refined(lambda find=find, counted=counted: find(e, counted=counted), lambda x: x.sharp(12), 12)  # type: ignore[misc]
            assert contains(found, exact[target.secret.record, model.values[a].text, model.values[b].text])


@given(counts(), st.sampled_from(["apkdp", "cdp"]))
def test_the_event_of_a_witness_has_its_masses(keys: dict[str, Any], definition: str) -> None:
    model = pk.build(**keys)
    found = pk.check(model, definition, epsilon="ln(3/2)", engine=Engine(model, force="ball"))
    witness = found.witness or found.tightest
    if witness is None or witness.probability_a is None or witness.probability_b is None:
        return
    assert isinstance(witness.probability_a, Enclosure)
    assert isinstance(witness.probability_b, Enclosure)
    assert isinstance(witness.value, Enclosure)
    if witness.epsilon == "ln(3/2)":
        p, q = witness.probability_a, witness.probability_b
        low = p.low.value - Fraction(3, 2) * q.high.value
        high = p.high.value - Fraction(3, 2) * q.low.value
        assert low <= witness.value.high.value
        assert witness.value.low.value <= max(high, Fraction(0))


@pytest.mark.sweep(0)
@pytest.mark.parametrize("at", ["1/100", "1/2*ln(3)"])
def test_a_thousand_voters_by_both_engines(at: str) -> None:
    """The same model, exactly and enclosed: thirty digits."""
    for above, p, definition in product((None, 120), ("1/10", "1/3"), ("apkdp", "ppkdp")):
        both(voters(1000, p, above, 100), definition, "sum", 30, epsilon=at)


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("size", "known", "above"), [(12, 9, 7), (60, 50, 2), (60, 2, 59), (200, 180, 5)])
@pytest.mark.parametrize("p", ["1/100", "1/2", "24/25"])
def test_few_unknown_and_many_known(size: int, known: int, above: int, p: str) -> None:
    """The average runs over numbers of known yes votes that leave the law of the unknown behind."""
    for definition, at in product(("apkdp", "ppkdp"), ("1/10", "ln(3)")):
        both(voters(size, p, above, known), definition, "sum", epsilon=at)


@given(st.lists(st.sampled_from(CHANCES[1:-1]), min_size=1, max_size=9), st.sampled_from(["0", "1/10", "ln(2)", "2"]))
def test_tails_and_edges_by_hand(chances: list[Fraction], at: str) -> None:
    law = [Fraction(1)]
    for p in chances:
        law = [(1 - p) * x + p * y for x, y in zip([*law, Fraction(0)], [Fraction(0), *law], strict=True)]
    laws: list[Any] = [Spectrum([(p, 1) for p in chances])]
    grouped = Counter(chances)
    laws.append(SumOfBinomials(tuple(Binomial(times, p) for p, times in grouped.items())))
    if len(grouped) == 1:
        laws.append(Binomial(len(chances), chances[0]))
    for found in at_least_one(laws):
        for k in range(-1, len(law) + 1):
            term = law[k] if 0 <= k < len(law) else Fraction(0)
            for ball, exact in (
                (found.term(k), term),
                (found.below(k), sum(law[: max(k + 1, 0)], Fraction(0))),
                (found.above(k), sum(law[max(k, 0) :], Fraction(0))),
            ):
                ends = Enclosure.of(ball)
                assert ends.low.value <= exact <= ends.high.value
        e = epsilon(at)
        if at == "1/10":  # else the ratio may be e^ε exactly, which balls cannot tell
            value = Fraction(110517091807564762481170782649, 10**29)
            rises = [k for k in range(len(law)) if law[k] > value * (law[k - 1] if k else 0)]
            falls = [k for k in range(1, len(law) + 1) if law[k - 1] > value * (law[k] if k < len(law) else 0)]
            assert (last_rise(found, e)[0], first_fall(found, e)[0]) == (max(rises), min(falls))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("precision", [64, 200])
def test_windows_of_two_and_three_towns(precision: int) -> None:
    """Windows that leave most of the law out enclose its exact terms and tails, in the middle and far out."""
    from flint import ctx, fmpz_poly

    for towns in (((900, 1, 3), (600, 1, 10)), ((500, 9, 10), (700, 1, 2), (800, 1, 100))):
        exact = fmpz_poly([1])
        for number, p, q in towns:
            exact *= fmpz_poly([q - p, p]) ** number
        weights = [int(w) for w in exact.coeffs()]
        whole, size = sum(weights), len(weights) - 1
        below = list(accumulate(weights))
        with ctx.workprec(precision):
            law = SumOfBinomials(tuple(Binomial(number, Fraction(p, q)) for number, p, q in towns))
            mean = round(sum(Fraction(number * p, q) for number, p, q in towns))
            for k in (
                0,
                1,
                7,
                mean // 2,
                mean - 40,
                mean - 1,
                mean,
                mean + 1,
                mean + 35,
                (mean + size) // 2,
                size - 1,
                size,
            ):
                for ball, number in (
                    (law.term(k), weights[k]),
                    (law.below(k), below[k]),
                    (law.above(k), whole - below[k] + weights[k]),
                ):
                    ends, wanted = Enclosure.of(ball), Fraction(number, whole)
                    assert ends.low.value <= wanted <= ends.high.value
                    assert ends.high.value - ends.low.value < wanted / 10**6
            made = [one for windows in law._windows.values() for one in windows]
            assert min(len(one.terms) for one in made) < size // 2
            for at in ("1/100", "ln(2)", "3"):
                e = epsilon(at)
                spectrum = Spectrum([(Fraction(p, q), number) for number, p, q in towns])
                assert last_rise(law, e)[0] == last_rise(spectrum, e)[0]
                assert first_fall(law, e)[0] == first_fall(spectrum, e)[0]


def test_ten_million_voters() -> None:
    model = voters(10**7, "3/10", 3000000, 9900000)
    answers = {d: pk.check(model, d, epsilon="1/10", digits=30) for d in ("apkdp", "ppkdp")}
    for answer in answers.values():
        found = answer.method, answer.verdict, answer.empty, answer.multiplicity
        assert found == ("enclosure", "fails", 9900000, None)
    # 80 digits of the incomplete beta function, by another library
    assert answers["apkdp"].tight_delta is not None
    assert answers["apkdp"].tight_delta.decimal(20) == "[6.2243117359814943698e-50, 6.2243117359814943699e-50]"
    assert pk.check(model, "dp").verdict == "unsupported"


def test_a_bound_inside_every_ball_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a guess: where the enclosure straddles δ at the limit of precision, the answer says so."""
    from verifier.numbers import order

    model = voters(3, "1/2")
    monkeypatch.setattr(order, "MAX_BALL_PRECISION", 64)
    exact = pk.check(model, "np", epsilon="1/10", engine=Engine(model, force="rows")).tight_delta
    assert isinstance(exact, Delta)
    near = Fraction(exact.decimal(60))
    for delta, verdict in ((near, ("undecided", 3)), (near + Fraction(1, 10**9), ("holds", 0))):
        answer = pk.check(model, "np", epsilon="1/10", delta=delta, engine=Engine(model, force="ball"))
        assert (answer.verdict, answer.exit_status) == verdict


@pytest.mark.parametrize(
    ("size", "p", "above", "delta"),
    [
        (33, "1/11", 32, Fraction(1, 10**60)),
        (100, "1/10", 50, Fraction(1, 10**40)),
        (200, "1/10", 80, Fraction(1, 10**60)),
    ],
)
def test_a_smallest_epsilon_far_below_the_precision(size: int, p: str, above: int, delta: Fraction) -> None:
    """A ball around 0 says nothing about the sign."""
    _, found = both(voters(size, p, above), "apkdp", "sum", delta=delta, reading="one-order")
    assert isinstance(found.tight_epsilon, Enclosure)


@pytest.mark.parametrize("above", [None, 3])
@pytest.mark.parametrize("definition", ["apkdp", "ppkdp", "cdp"])
def test_without_delta_no_finite_epsilon_is_enough_where_an_output_is_impossible(
    definition: str, above: int | None
) -> None:
    """A count of 5 says that a record is 1: as the table says, and certain."""
    for answer in both(voters(5, "1/4", above), definition, "rows"):
        assert (answer.verdict, str(answer.tight_epsilon)) == ("fails", "inf")


def test_three_hundred_digits_of_the_smallest_epsilon() -> None:
    """They are about 1,000 bits, which halving alone would not reach in the steps that are made."""
    _, enclosed = both(voters(5, "1/2"), "apkdp", "sum", delta="1/10", digits=300)
    assert isinstance(enclosed.tight_epsilon, Enclosure)
    assert enclosed.tight_epsilon.sharp(300)


def test_everything_lumped_has_mass_one() -> None:
    model = voters(2, "1/2", 2)
    found = pk.check(model, "np", epsilon="inf", engine=Engine(model, force="ball")).tightest
    assert found is not None
    assert isinstance(found.probability_a, Enclosure)
    assert found.probability_a.low.value <= 1 <= found.probability_a.high.value
    assert pk.check(model, "np", delta=1, engine=Engine(model, force="ball")).tight_epsilon == 0


@pytest.mark.parametrize("definition", ["apkdp", "ppkdp", "cdp"])
@pytest.mark.parametrize("reading", ["default", "one-order"])
@pytest.mark.parametrize("chance", ["1/5", "4/5"])
def test_the_comparisons_of_sums_are_counted_and_named(definition: str, reading: str, chance: str) -> None:
    """One record for all that are like it, one B̂ for all that say the same of the sum; the worst one is the same."""
    model = voters(5, chance, known=1)
    exact, enclosed = both(model, definition, "sum", epsilon="ln(2)", delta="1/10", reading=reading)
    assert enclosed.comparisons == exact.comparisons
    shown, wanted = enclosed.witness or enclosed.tightest, exact.witness or exact.tightest
    assert shown is not None
    assert wanted is not None
    assert (shown.a, shown.b, shown.direction) == (wanted.a, wanted.b, wanted.direction)
    assert (shown.scale, shown.event is None) == (wanted.scale, definition == "ppkdp")
