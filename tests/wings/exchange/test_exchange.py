"""Exchange rates, their δ and their functions: never beaten, attained, equal to each other, proved to the checker."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from examined import at_least_one
from families import mixtures
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rates import COIN, NOTHING_TO_COMPARE, TWINS, agreeing, family, rate_at, three_values
from scripts import script
from strategies import Case, cases
from strategies_policy import PolicyModel

import verifier as pk
from verifier.cli.reading import read_source
from verifier.definitions import find
from verifier.definitions.atlas import atlas
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import INFINITY, ZERO, log_epsilon
from verifier.wings.exchange import program
from verifier.wings.exchange.answer import COMPUTED
from verifier.wings.exchange.curve import program as curve_program
from verifier.wings.exchange.curve.answer import Curve
from verifier.wings.exchange.curve.decide import convert_curve
from verifier.wings.exchange.delta import program as delta_program
from verifier.wings.exchange.delta.decide import convert_delta
from verifier.wings.exchange.program import Cone, Rate
from verifier.wings.exchange.rate import convert
from verifier.wings.exchange.rows import LinearRow, linear_rows
from verifier.wings.families.points import bracket
from verifier.wings.implications.parts import decided, passport_key

ONE = Fraction(1)
HOCKEY = ("dp", "np", "apkdp", "cdp")
KINDS = ("lists", "gaps", "multisets")
MANY = 1 << 14
PAIRS = [("np", "cdp"), ("cdp", "dp"), ("dp", "np"), ("np", "dp"), ("cdp", "np"), ("anpr", "np"), ("np", "infpr"),
         ("flpr", "dp"), ("dp", "flpr")]  # fmt: skip
rates_of_pairs = script("docs/matrix/pair_rates.py")
pair_rates, rows_by_definition = rates_of_pairs.pair_rates, rates_of_pairs.rows_by_definition
MAJORITY: Family = read_source("majority-and-coin")  # type: ignore[assignment]
AGREE: Family = read_source("two-bits-that-agree")  # type: ignore[assignment]
ASKED: dict[str, tuple[Any, dict[str, Any]]] = {
    "rate": (convert, {"epsilon": "ln(2)"}),
    "delta": (convert_delta, {"epsilon": "ln(2)", "delta": "1/10"}),
    "curve": (convert_curve, {}),
}
names = st.sampled_from(HOCKEY)
factors = st.sampled_from((Fraction(2), Fraction(3, 2), Fraction(5)))
deltas = st.sampled_from((Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(7, 8), ONE))


def of_records(definition: str, case: Case) -> bool:
    return case.plain.secrets is not None or definition not in {"dp", "cdp"}


def few(case: Case) -> bool:
    databases: int = len(case.plain.values) ** case.plain.size
    return databases <= 4


# --- against mechanisms, and against each other -----------------------------------------------------------------------


@pytest.mark.sweep(3)
@given(case=cases(max_size=3), source=st.sampled_from((*HOCKEY, "ppkdp")), target=st.sampled_from((*HOCKEY, "ppkdp")))
@settings(max_examples=20)
def test_no_mechanism_does_worse(case: Case, source: str, target: str) -> None:
    """The rate at the smallest ε of the model's own mechanism is at least what this mechanism needs."""
    assume(of_records(source, case) and of_records(target, case) and (source != "dp" or case.plain.size < 3))
    model = pk.build(**case.keys)
    needed = pk.check(model, source).tight_epsilon
    assume(needed is not None and needed != ZERO and not needed.is_infinite)
    answer = convert(model, source, target, epsilon=needed)
    most = pk.check(model, target).tight_epsilon
    assert answer.tight_epsilon is not None
    assert most is not None
    assert not answer.tight_epsilon < most


@given(
    case=cases(max_size=3), source=names, target=names, x=st.one_of(st.just(ONE), factors), delta=deltas,
    y=st.fractions(1, 12, max_denominator=30),
)  # fmt: skip
@settings(max_examples=20, deadline=None)
def test_the_curve_is_the_worst_mechanism_at_each_point(
    case: Case, source: str, target: str, x: Fraction, delta: Fraction, y: Fraction
) -> None:
    """`pk.worst` has another linear program, with M(d)(o) as variables and any number of outputs."""
    assume(of_records(source, case) and of_records(target, case) and ("dp" not in {source, target} or few(case)))
    model = pk.build(**case.keys)
    answer = convert_delta(model, source, target, epsilon=log_epsilon(x), delta=delta)
    assert answer.replayed
    assuming = f"{source}({log_epsilon(x)}, {delta})"
    for at in {y, *(piece.start for piece in answer.pieces)}:
        most = pk.worst(model, assuming=assuming, maximise=f"{target} delta at {log_epsilon(at)}").optimum
        assert answer.delta(log_epsilon(at)) == most


@given(case=cases(max_size=2).filter(few), source=names, target=names, x=factors)
@settings(max_examples=15, deadline=None)
def test_without_delta_it_reaches_zero_at_the_rate(case: Case, source: str, target: str, x: Fraction) -> None:
    """The smallest ε′ at which (ε, 0)-A gives δ′ = 0 is the exchange rate, which another program over a cone gives."""
    assume(of_records(source, case) and of_records(target, case))
    model = pk.build(**case.keys)
    answer = convert_delta(model, source, target, epsilon=log_epsilon(x))
    assert answer.profile.epsilon(0) == convert(model, source, target, epsilon=log_epsilon(x)).tight_epsilon


@pytest.mark.parametrize("source", ["ppkdp", "tail-apkdp", "advpr"])
def test_what_is_linear_without_delta_is_assumed_without_delta(source: str) -> None:
    answer = convert_delta(TWINS, source, "np", epsilon="ln(2)")
    assert (answer.verdict, answer.replayed) == (COMPUTED, True)
    assert answer.profile.epsilon(0) == convert(TWINS, source, "np", epsilon="ln(2)").tight_epsilon


def near_ends(curve: Curve) -> list[Fraction]:
    """Rational values on both sides of each end of a piece, and at the rational ends."""
    values = []
    for cell in curve.pieces:
        for end in (cell.where.low, cell.where.high):
            if end is not None:
                low, high = bracket(end, 40)
                values += [low - Fraction(1, 10**9), low, high, high + Fraction(1, 10**9)]
    return [value for value in dict.fromkeys(values) if any(cell.where.has(value) for cell in curve.cells)]


@pytest.mark.parametrize("seed", range(4))
def test_functions_of_epsilon_are_the_rates_at_each(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    weights = [random.randint(0, 4) for _ in range(4)]
    weights[seed % 4] += 1
    table = [
        {"database": [a, b], "probability": str(Fraction(weights[2 * a + b], sum(weights)))}
        for a in (0, 1)
        for b in (0, 1)
    ]
    model = pk.build(size=2, values=[0, 1], distribution={"table": table}, mechanism={"kind": "sum"})
    for source, target in at_least_one(random.sample(PAIRS, 3)):
        curve = convert_curve(model, source, target)
        assert curve.replayed
        for x in [*(1 + Fraction(random.randint(1, 60), random.randint(1, 20)) for _ in range(3)), *near_ends(curve)]:
            assert rate_at(curve, x) == convert(model, source, target, epsilon=log_epsilon(x)).tight_epsilon


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_functions_of_a_parameter_are_the_rates_at_each(source: str, target: str) -> None:
    curve = convert_curve(AGREE, source, target, epsilon="ln(2)")
    assert curve.replayed
    for value in [*(Fraction(k, 13) for k in (1, 5, 8, 12)), *near_ends(curve)]:
        if 0 < value < 1:
            model = AGREE.at({"agree": value})
            assert rate_at(curve, value) == convert(model, source, target, epsilon="ln(2)").tight_epsilon


@given(of=mixtures(), pair=st.sampled_from([(x, y) for x in ("np", "cdp", "dp-any") for y in ("np", "cdp", "anpr")]))
@settings(max_examples=12, deadline=None)
def test_parts_of_a_mixture_that_lead_to_one_world_are_one_world(of: Family, pair: tuple[str, str]) -> None:
    """At closed ends and kinks too, where a model of its own stands for the family;"""
    curve = convert_curve(of, *pair, epsilon="ln(2)")
    assert curve.replayed
    for value in {Fraction(3, 8), *near_ends(curve)}:
        if all(condition.met({"p": value}) for condition in of.conditions):
            assert rate_at(curve, value) == convert(of.at({"p": value}), *pair, epsilon="ln(2)").tight_epsilon


# --- every definition of the atlas ------------------------------------------------------------------------------------


def supported(model: pk.Model) -> list[str]:
    listed = []
    for key in [*atlas, "tail-dp", "tail-cdp", "tail-ppkdp"]:
        try:
            linear_rows(model, find(key), MANY)
        except UnsupportedError:
            continue
        listed.append(key)
    return listed


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", [0, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_rates_of_all_pairs_are_those_of_each_pair_alone(kind: str, seed: int) -> None:
    """The checker lists the same rows as the finder, and the multipliers add up."""
    model = pk.loads(PolicyModel(Random(f"pairs {kind} {seed}"), kind).text)  # noqa: S311
    rows = rows_by_definition(model, dict.fromkeys(map(passport_key, decided())))
    assert len(rows) > 8
    rates = {(source, target): rate for source, target, rate in pair_rates(rows, "ln(4)", rows)}
    assert list(rates) == list(permutations(rows, 2))
    for source, target in Random(seed).sample(sorted(rates), 8):  # noqa: S311
        answer = convert(model, source, target, epsilon="ln(4)")
        assert answer.tight_epsilon == rates[source, target]
        assert answer.replayed or "not rational" in str(answer.reason)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_the_atlas_with_delta(seed: int) -> None:
    """Ratio definitions may be assumed at δ = 0; the checker lists the same rows."""
    random = Random(seed)  # noqa: S311
    model = pk.loads(PolicyModel(random, KINDS[seed % 3]).text)
    rows = set(supported(model))
    with_delta, without = (
        [key for key in keys.split() if key in rows]
        for keys in ("dp np apkdp cdp adp psdp dnpr pbdp", "dp-any grdp osdp flpr pfpr anpr mpr cordp ppkdp")
    )
    assert with_delta
    for source, target in product(random.sample(with_delta + without, 2), random.sample(with_delta, 1)):
        answer = convert_delta(model, source, target, epsilon="ln(4)", delta=f"{int(source in with_delta)}/8")
        assert answer.replayed or any(why in str(answer.reason) for why in ("not rational", "·ε′ and"))


def test_all_linear_definitions_are_taken() -> None:
    taken = set().union(*(supported(pk.loads(PolicyModel(Random(seed), KINDS[seed % 3]).text)) for seed in (1, 3)))  # noqa: S311
    refused = {
        "absdp", "azcodp", "bcodp", "bldp", "cbdp", "cwpr", "czkpr", "ddnpr", "distdp", "divdp", "dlpr-rot", "eddnpr",
        "edivdp", "fdp", "gaussdp", "gcdp-kl", "ibcdp", "ibcwpr", "ibddp", "avgklpr", "kdivdp", "klpr",
        "mcodp", "ocdp", "randp", "rbpr", "reldp", "renyidp", "rldp", "sempr", "sfdp", "subdp", "tcodp-bdrs",
        "tcodp-col", "typst", "wfdp", "zcodp", "zkpr",
    }  # fmt: skip
    assert set(atlas) - taken == refused


def test_each_pair_of_laws_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """dp, adp and prodp have the same rows at δ = 0: one cone serves them. Its eight rows are two up to renaming."""
    looked = []
    plain = Cone.rate

    def counted(cone: Cone, row: LinearRow) -> Rate:
        looked.append(row.key)
        return plain(cone, row)

    two = pk.build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    monkeypatch.setattr(Cone, "rate", counted)
    rows = rows_by_definition(two, ["dp", "adp", "prodp"])
    rates = list(pair_rates(rows, "ln(2)", rows))
    assert {str(rate) for *_, rate in rates} == {"ln(2)"}
    assert len(rows["dp"]) == 8
    assert len(looked) == len(set(looked)) == 2
    monkeypatch.setattr(Cone, "most_cells", 3)
    rows = rows_by_definition(two, ["dp", "np"])
    assert [rate for *_, rate in pair_rates(rows, "ln(2)", rows)] == [None, None]


# --- known rates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("c", ["1/2", "2/3", "99/100"])
@pytest.mark.parametrize("x", [Fraction(2), Fraction(3), Fraction(3, 2)])
def test_two_bits_that_agree(c: str, x: Fraction) -> None:
    """With k = c/(1 - c) ≥ 1: NP gives CDP at x·k, DP gives NP at x·(1 + x·k)/(x + k), CDP gives DP at (xk-1)/(k-x)."""
    model, k, epsilon = agreeing(c), Fraction(c) / (1 - Fraction(c)), log_epsilon(x)
    assert convert(model, "np", "cdp", epsilon=epsilon).tight_epsilon == log_epsilon(x * k)
    assert convert(model, "dp", "np", epsilon=epsilon).tight_epsilon == log_epsilon(x * (1 + x * k) / (x + k))
    back = convert(model, "cdp", "dp", epsilon=epsilon).tight_epsilon
    assert back == (log_epsilon((x * k - 1) / (k - x)) if k > x else INFINITY)


def text(curve: Curve) -> list[tuple[str, str]]:
    return [(cell.where.text(curve.name), cell.text(curve.name)) for cell in curve.pieces]


def test_closed_forms() -> None:
    """With k = c/(1 - c) = 3: x·k, x·(1 + x·k)/(x + k), and (x·k - 1)/(k - x) where x < k."""
    model = agreeing("3/4")
    assert text(convert_curve(model, "np", "cdp")) == [("1 < x", "ln(3*x)")]
    assert text(convert_curve(model, "dp", "np")) == [("1 < x", "ln(x*(1 + 3*x)/(3 + x))")]
    assert text(convert_curve(TWINS, "np", "dp")) == [("1 < x", "inf")]
    curve = convert_curve(model, "cdp", "dp", range_of_epsilon=("ln(2)", "ln(4)"))
    assert text(curve) == [("2 <= x < 3", "ln((-1 + 3*x)/(3 - x))"), ("3 <= x <= 4", "inf")]
    assert curve.replayed
    with pytest.raises(InputError, match="a value in the range"):
        rate_at(curve, Fraction(5))


def test_groups_free_lunch_and_posteriors() -> None:
    """At NP x the posterior of a value of a fair bit is at most 2x/(1 + x) times the prior, by Bayes."""
    model = pk.build(size=3, values=[0, 1], mechanism={"kind": "sum"}, policy={"group": 2, "distance": "hamming"})
    rates = {("dp", "flpr"): "ln(8)", ("dp", "grdp"): "ln(4)", ("dp", "ddpr"): "ln(2)", ("flpr", "ddpr"): "ln(2)"}
    assert {pair: str(convert(model, *pair, epsilon="ln(2)").tight_epsilon) for pair in rates} == rates
    for x in (Fraction(2), Fraction(7, 3)):
        rate = convert(COIN, "np", "pmpr", epsilon=log_epsilon(x)).tight_epsilon
        assert rate == log_epsilon(max(2 * x / (1 + x), (1 + x) / 2))


@pytest.mark.parametrize("x", [ONE, Fraction(2), Fraction(7, 3)])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(2, 3)])
def test_group_privacy(x: Fraction, delta: Fraction) -> None:
    """Two records at once: an event of chance t has at most f(t) after one record, f(f(t)) after two.

    f(t) = min(1, x·t + δ, 1 - (1 - δ - t)/x), the trade-off of (ε, δ)-DP. The field's bound, (1 + e^ε)·δ at 2·ε, is
    the exact one only where δ is small.
    """

    def after(t: Fraction) -> Fraction:
        return min(ONE, x * t + delta, 1 - (1 - delta - t) / x)

    bend = (1 - delta) / (1 + x)
    before = [(bend - delta) / x, 1 - delta - x * (1 - bend), 1 - delta - x * delta]
    chances = [t for t in (Fraction(0), ONE, bend, 1 - delta, *before) if 0 <= t <= 1]
    answer = convert_delta(TWINS, "dp", "np", epsilon=log_epsilon(x), delta=delta)
    for y in (ONE, Fraction(5, 4), Fraction(3, 2), x, x * x, x * x + 1):
        assert answer.delta(log_epsilon(y)) == max(after(after(t)) - y * t for t in chances)
    assert answer.delta("inf") == after(after(Fraction(0)))
    assert not min(ONE, (1 + x) * delta) < answer.delta(log_epsilon(x * x))


def test_another_kind_of_epsilon() -> None:
    """ε′ may be any number: δ′ is a formula in e^ε′ where this is irrational."""
    answer = convert_delta(TWINS, "dp", "np", epsilon="ln(2)", delta="1/10")
    assert str(answer.delta("1/2")) == "7/10 - 1/10*exp(1/2)"
    assert str(answer.delta("2")) == "3/10"


# --- multiples of ε, and no difference --------------------------------------------------------------------------------


def test_scaled_rows() -> None:
    """Rows at ε/2 and 2ε: e^(c·ε) must be rational of what is assumed, not of what is asked.

    As a function, the variable is e^(ε/2) of A; of B each row's rate is ln(y)/c.
    """
    model = three_values(scale=[[[0, 1], "1/2"], [[1, 2], "2"]])
    rates = {("iddp", "dp"): "ln(8)", ("dp", "iddp"): "ln(16)"}
    assert {pair: str(convert(model, *pair, epsilon="ln(4)").tight_epsilon) for pair in rates} == rates
    refused = convert(model, "iddp", "dp", epsilon="ln(2)")
    assert refused.verdict == "unsupported"
    assert "e^(1/2·ε)" in str(refused.reason)
    curve, back = convert_curve(model, "iddp", "dp"), convert_curve(model, "dp", "iddp")
    assert (curve.variable, curve.replayed) == ("t = e^(ε/2)", True)
    for t in (Fraction(3, 2), Fraction(2), Fraction(9, 4)):
        assert rate_at(curve, t) == convert(model, "iddp", "dp", epsilon=log_epsilon(t**2)).tight_epsilon
        assert rate_at(back, t) == convert(model, "dp", "iddp", epsilon=log_epsilon(t)).tight_epsilon


def test_rows_that_allow_no_difference() -> None:
    """A distance of 0 allows no difference at all: it is a row whose reverse follows."""
    model = three_values(distance=[[[0], [1], "0"], [[0], [2], "1"], [[1], [2], "1"]])
    for pair, rate in ((("ddpr", "dp"), "ln(2)"), (("dp", "ddpr"), "inf"), (("ddpr", "ddpr"), "ln(2)")):
        answer, curve = convert(model, *pair, epsilon="ln(2)"), convert_curve(model, *pair)
        assert (str(answer.tight_epsilon), answer.replayed, curve.replayed) == (rate, True, True)
        for x in (Fraction(5, 4), Fraction(3)):
            assert rate_at(curve, x) == convert(model, *pair, epsilon=log_epsilon(x)).tight_epsilon


def at_distance(first: str, second: str) -> pk.Model:
    return three_values(distance=[[[0], [1], first], [[1], [2], second], [[0], [2], first]])


@pytest.mark.parametrize("c", ["1", "2", "1/2"])
def test_a_multiple_of_epsilon(c: str) -> None:
    """One multiple c of ε′ is a change of the variable: δ′ at ε′ is that of `dp`, which has the same pairs, at c·ε′."""
    model = at_distance(c, c)
    scaled = convert_delta(model, "dp", "psdp", epsilon="ln(4)", delta="1/10")
    plain = convert_delta(model, "dp", "dp", epsilon="ln(4)", delta="1/10")
    assert scaled.replayed
    assert [piece.start for piece in scaled.pieces] == [piece.start for piece in plain.pieces]
    for y in (Fraction(4), Fraction(9, 4), Fraction(16)):
        assert scaled.delta(log_epsilon(y, 1 / Fraction(c))) == plain.delta(log_epsilon(y))
    back = convert_delta(model, "psdp", "dp", epsilon=log_epsilon(Fraction(4), 1 / Fraction(c)), delta="1/10")
    assert back.verdict == ("unsupported" if c == "2" and back.epsilon.exp is None else COMPUTED)
    if back.verdict == COMPUTED:
        assert back.profile == plain.profile


def test_no_difference_and_several_multiples() -> None:
    """A distance of 0 compares at ε′ = 0, whatever ε′ is: the curve falls to no less than that."""
    model, (_, asked) = at_distance("0", "2"), ASKED["delta"]
    answer = convert_delta(model, "dp", "psdp", **asked)
    assert answer.replayed
    assert answer.delta("inf") == answer.delta(0) == convert_delta(model, "dp", "dp", **asked).delta(0)
    assert answer.delta(0) == Fraction(2, 5)
    several = at_distance("1", "2")
    assert "1·ε′ and 2·ε′" in str(convert_delta(several, "dp", "psdp", **asked).reason)
    assert convert_delta(several, "psdp", "dp", **asked).replayed


def test_what_is_not_linear_is_left_out_and_what_is_not_rational_has_no_rate() -> None:
    model = three_values(scale=[[[0, 1], "1/2"]], order=2)
    rows = rows_by_definition(model, ["dp", "iddp", "renyidp"])
    assert list(rows) == ["dp", "iddp"]
    rates = {(source, target): str(rate) for source, target, rate in pair_rates(rows, "ln(2)", rows)}
    assert rates == {("dp", "iddp"): "ln(4)", ("iddp", "dp"): "None"}


# --- where worlds become impossible -----------------------------------------------------------------------------------


def test_the_ends_of_a_range_where_worlds_become_impossible() -> None:
    curve = convert_curve(MAJORITY, "cdp", "np", epsilon="ln(2)")
    assert [rate_at(curve, Fraction(k)) for k in (0, 1)] == [INFINITY, INFINITY]
    assert curve.pieces[0].where.text("coin") == "coin = 0"


def test_an_irrational_point_where_worlds_become_impossible_is_undecided() -> None:
    vanishing = """
size = 2
values = [0, 1]
[parameters]
p = { from = "0", to = "1" }
[[distribution]]
table = [
  { database = [0, 0], probability = "(2*p^2 - 1)^2/2" },
  { database = [1, 1], probability = "1 - (2*p^2 - 1)^2/2" },
]
"""
    curve = convert_curve(family(vanishing), "np", "anpr", epsilon="ln(2)")
    assert (curve.exit_status, curve.replayed) == (3, True)
    assert [cell.text("p") for cell in curve.pieces if cell.where.point is not None] == ["undecided"]


# --- no answer, and limits --------------------------------------------------------------------------------------------

UNSUPPORTED = {
    "rate": {
        "ibcdp": "posteriors with posteriors", "ddp": "not a list of pairs of distributions", "klpr": "the measure kl",
        "randp": "leaves out a share", "bldp": "outputs of one mechanism", "ocdp": "without a formula",
        "pfpr": "needs `secrets`", "ubodp": "adds and removes records",
    },
    "delta": {
        "ibcdp": "posteriors with posteriors", "klpr": "the measure kl", "dp-any": "dp-any has no δ",
        "ppkdp": "bounds an average", "tail-apkdp": "no hockey-stick divergence", "advpr": "a probability of a belief",
    },
    "curve": {"ibcdp": "posteriors with posteriors"},
}  # fmt: skip


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, keys in UNSUPPORTED.items() for key in keys])
def test_unsupported_says_why(kind: str, key: str) -> None:
    ask, question = ASKED[kind]
    for pair in ((key, "np"), ("np", key)):
        answer = ask(TWINS, *pair, **question)
        assert (answer.verdict, answer.exit_status) == ("unsupported", 3)
        assert UNSUPPORTED[kind][key] in str(answer.reason)
        if kind == "delta":
            with pytest.raises(UnsupportedError, match="no curve"):
                answer.delta("ln(2)")


def test_a_definition_of_ones_own_and_an_irrational_factor_are_unsupported() -> None:
    own = replace(find("np"), key="mine", aliases=(), own=True)
    assert "your own" in str(convert(TWINS, own, "np", epsilon="ln(2)").reason)
    for kind, (ask, _) in ASKED.items():
        model = AGREE if kind == "curve" else TWINS
        assert "not rational" in str(ask(model, "np", "cdp", epsilon="1/2").reason)


def test_sides_without_rows() -> None:
    known = NOTHING_TO_COMPARE
    to_nothing, from_nothing = (
        {kind: ask(known, *pair, **question) for kind, (ask, question) in ASKED.items()}
        for pair in (("dp", "np"), ("np", "dp"))
    )
    curve = to_nothing.pop("curve")
    assert (text(curve), curve.pieces[0].verdict, curve.replayed) == ([("1 < x", "0")], "vacuous", True)
    assert all((a.verdict, a.exit_status, a.replayed) == ("vacuous", 0, True) for a in to_nothing.values())
    assert (to_nothing["rate"].tight_epsilon, to_nothing["delta"].delta("ln(2)")) == (ZERO, 0)
    curve = from_nothing.pop("curve")
    assert (text(curve), curve.replayed) == ([("1 < x", "inf")], True)
    assert all(a.verdict == COMPUTED and "every mechanism" in str(a.reason) for a in from_nothing.values())
    assert (from_nothing["rate"].tight_epsilon, from_nothing["delta"].delta("inf")) == (INFINITY, ONE)
    assert convert(known, "np", "cdp", epsilon="ln(2)").verdict == "vacuous"


@pytest.mark.parametrize(
    ("kind", "asked", "why"),
    [
        *(("rate", {"epsilon": epsilon}, "a finite ε above 0") for epsilon in ("0", "inf", "ln(1)")),
        ("delta", {"epsilon": "inf"}, "a finite ε"),
        *(("delta", {"delta": delta}, "delta") for delta in ("-1/10", "11/10")),
        ("curve", {"epsilon": "ln(2)"}, "no ε"),
        *(
            ("curve", {"range_of_epsilon": ends}, "--curve: ")
            for ends in (("ln(4)", "ln(2)"), ("0", "ln(2)"), ("1/2", "ln(2)"), ("ln(2)", "inf"))
        ),
    ],
)
def test_what_is_no_question(kind: str, asked: dict[str, Any], why: str) -> None:
    ask, question = ASKED[kind]
    with pytest.raises(InputError, match=why):
        ask(TWINS, "np", "cdp", **{**question, **asked})


def test_a_family_is_asked_at_one_epsilon_and_delta_also_at_0() -> None:
    with pytest.raises(InputError, match="one ε"):
        convert_curve(AGREE, "np", "cdp")
    assert convert_delta(TWINS, "np", "dp", epsilon=0, delta="1/10").verdict == COMPUTED


def records(size: int) -> pk.Model:
    return pk.build(size=size, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})


def test_limits_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a rate stand in tests/refuse."""

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(program, "LinearProgram", never)
    monkeypatch.setattr(curve_program, "LinearProgram", never)
    nine = records(9)
    for pair, most, words in (
        (("np", "dp"), MANY, "rows"),
        (("dp", "np"), MANY, "512 data"),
        (PAIRS[0], 100, "worlds"),
    ):
        with pytest.raises(LimitError, match=words):
            convert_delta(nine, *pair, epsilon="ln(2)", delta="1/10", max_rows=most)
    with pytest.raises(LimitError, match="with a parameter has 64 databases"):
        convert_curve(records(6), "dp", "np")
    with pytest.raises(LimitError, match="powers of degree 13"):
        convert_curve(three_values(scale=[[[0, 1], "1"], [[1, 2], "13"]]), "iddp", "dp")


def test_what_bends_too_often_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delta_program, "MAX_POINTS", 2)
    monkeypatch.setattr(curve_program, "MAX_PIECES", 1)
    with pytest.raises(LimitError, match="more than 2"):
        convert_delta(agreeing("3/4"), "cdp", "np", epsilon="ln(2)", delta="1/20")
    with pytest.raises(LimitError, match="more than 1 pieces"):
        convert_curve(agreeing("3/4"), "cdp", "dp")


def test_a_sparse_distribution_may_have_many_records() -> None:
    """Only the databases that rows name are variables; the checker, which lists all, leaves such a model out."""
    table = [{"database": [v] * 12, "probability": "1/2"} for v in (0, 1)]
    model = pk.build(size=12, values=[0, 1], distribution={"table": table}, mechanism={"kind": "sum"})
    answer = convert(model, "np", "anpr", epsilon="ln(2)")
    assert answer.tight_epsilon == log_epsilon(Fraction(3, 2))
    assert not answer.replayed


@pytest.mark.parametrize("kind", ["rate", "delta"])
def test_an_answer_is_no_truth_value(kind: str) -> None:
    ask, question = ASKED[kind]
    with pytest.raises(TypeError):
        bool(ask(TWINS, "dp", "np", **question))
