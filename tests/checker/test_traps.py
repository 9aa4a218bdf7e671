"""What the checker must not stumble over: each of these was a trap for a checker before."""

from __future__ import annotations

import ast
from fractions import Fraction
from itertools import repeat
from pathlib import Path

import drawn_models
import pytest
from examined import at_least_one

import verifier as pk
import verifier.checker
from verifier.checker import laws, numbers, sums
from verifier.checker.answers import checked
from verifier.checker.comparisons import Asked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.judge import Decision
from verifier.checker.laws import Grouped
from verifier.checker.models import Model
from verifier.checker.number_text import decimal_fits, epsilon_of
from verifier.checker.numbers import (
    BeyondLimits,
    Law,
    Log,
    Number,
    Power,
    Unsupported,
    Wrong,
    afford_product,
    covers,
    exp_bounds,
    label,
    law_of,
    ln,
    log_bounds,
)
from verifier.checker.statements import Case, verdict
from verifier.errors import InputError

ROOM = Path(verifier.checker.__file__).parent
HALF = Fraction(1, 2)


def decided(text: str, key: str, epsilon: str | None = None, delta: Fraction | int = 0) -> Decision:
    return Decision(
        Asked(Model(text)), DEFINITIONS[key], None if epsilon is None else epsilon_of(epsilon), Fraction(delta)
    )


def response(values: int) -> str:
    return f'size = 1\nvalues = {list(range(values))}\n[mechanism]\nkind = "randomized-response"\nkeep = "9/10"\n'


def test_numbers_of_a_comparison_are_found_once_and_without_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand people have groups whose fractions take longer than all else; the ε and δ of a curve need none."""
    monkeypatch.setattr(Grouped, "groups", None)
    d = decided(response(4), "dp", "ln(2)")
    for c in d.comparisons:
        assert d.smallest(c) is d.smallest(c)
    assert 0 < len(d.needs) <= len(d.comparisons)


def test_it_imports_nothing_of_other_rooms() -> None:
    for path in at_least_one(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert not (node.module or "").startswith(("verifier", "pkdp")), path
            if isinstance(node, ast.Import):
                assert not any(name.name.startswith(("verifier", "pkdp")) for name in node.names), path
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), path


@pytest.mark.parametrize("counts", [{"a": 1, "b": 1}, {"a": 4, "b": -1}, {}])
def test_a_law_sums_to_one(counts: dict[str, int]) -> None:
    with pytest.raises(Wrong, match="sum"):
        Law(counts, 3)


def test_chances_that_do_not_sum_to_one() -> None:
    with pytest.raises(Wrong):
        law_of({"a": HALF, "b": Fraction(1, 3)})


@pytest.mark.parametrize(
    ("event", "outcome", "inside"),
    [("> 7", "8", True), ("> 7", "7", False), ("> 7", "> 9", True), ("> 7", "> 6", False), ("< 0", "-1", True),
     ("> 7", "⊥", False), ('["> 1",0]', "[2,0]", True), ('["> 1",0]', "[2,1]", False), ("[1", "[1", True)],
)  # fmt: skip
def test_half_lines_are_sets(event: str, outcome: str, inside: bool) -> None:  # noqa: FBT001
    assert covers(event, outcome) is inside


def test_labels_are_texts() -> None:
    assert label([1, "1", True, "01"]) == '[1,1,true,"01"]' == label('[1, "1", "true", "01"]')
    assert label("[1.5]") == "[1.5]"


def test_a_comparison_with_e_to_the_epsilon_ends() -> None:
    assert Power(epsilon_of("1/2*ln(9/4)")).sign(3, 2) == 0
    assert Power(epsilon_of("1/2*ln(3)")).sign(17320508, 10**7) == -1
    assert Power(epsilon_of("1/10")).sign(11051709181, 10**10) == 1
    assert (ln(4) + ln(2, -2)).sign() == 0 == (ln(6) + ln(2, -1) + ln(3, -1)).sign()
    assert ln(12, Fraction(1, 3)).compared(ln(18, Fraction(1, 3)) + Log(0)) == -1


@pytest.mark.parametrize("x", [Fraction(1, 10), Fraction(7, 3), Fraction(40), Fraction(-5, 2), Fraction(1, 10**9)])
def test_bounds_of_exp_and_ln_are_inverse(x: Fraction) -> None:
    low, high = exp_bounds(x, x, 96)
    assert low <= high
    assert log_bounds(low, 96)[0] <= x <= log_bounds(high, 96)[1]
    assert log_bounds(high, 96)[1] - log_bounds(low, 96)[0] < Fraction(1, 2**80)


def test_each_ratio_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """65 values give 4,160 pairs of databases and three ratios."""
    asked: list[Number] = []
    compared = Log.compared

    def noted(self: Log, other: Number) -> int:
        asked.append(other)
        return compared(self, other)

    monkeypatch.setattr(Log, "compared", noted)
    decided(response(65), "dp", "7")
    assert 0 < len(asked) < 20


def test_only_unusual_outputs_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way and the plain one give the same groups."""
    texts = [response(17), *(drawn_models.model(seed) for seed in range(30))]

    def all_groups() -> list[object]:
        out: list[object] = []
        for text in texts:
            decision = decided(text, "dp-any")
            for c in decision.laws.distinct(decision.comparisons, by_ratios=False):
                out += [sorted((str(g.ratio), g.p, g.q) for g in t.groups) for t in decision.laws.resolve(c)]
        return out

    short = all_groups()
    monkeypatch.setattr(laws.Laws, "_usual", lambda _: (0, {}))
    assert all_groups() == short


def test_joined_outputs_change_nothing() -> None:
    for seed in range(40):
        text = drawn_models.model(seed)
        for key in ("dp", "np", "klpr", "prodp"):
            definition = DEFINITIONS[key]
            answers: list[object] = []
            for plain in (False, True):
                try:
                    d = Decision(
                        Asked(Model(text)), definition._replace(plain=plain), epsilon_of("1/2"), Fraction(1, 10)
                    )
                    answers.append((d.verdict, str(d.tight_epsilon) if key != "klpr" else None, str(d.tight_delta)))
                except (Unsupported, Wrong):
                    answers.append(None)
            assert answers[0] == answers[1], (seed, key)


SCALED = """
size = 1
values = ["a", "b", "c"]
[mechanism]
table = [ { database = ["a"], outputs = { x = "1/2", y = "1/2" } },
          { database = ["b"], outputs = { x = "1/3", y = "2/3" } },
          { database = ["c"], outputs = { x = "1/16", y = "15/16" } } ]
[policy]
scale = [ [["a", "c"], "3"], [["b", "c"], "3"], [["a", "b"], "inf"] ]
"""


def test_scaled_comparisons_have_their_own_epsilon() -> None:
    """The ratio 8 of a and c is allowed 3·ε; a and b may differ at will."""
    assert str(decided(SCALED, "iddp").tight_epsilon) == "1/3*ln(8)"
    assert decided(SCALED, "iddp", "ln(2)").verdict == "holds"
    assert decided(SCALED, "iddp", "ln(3/2)").verdict == "fails"


LIST = """
size = {size}
values = ["-", "t", "u"]
[mechanism]
kind = "count"
value = "t"
then = [ {{ kind = "geometric-noise", p = "1/3" }} ]
[policy]
absent = "-"
{policy}
"""


@pytest.mark.parametrize("which", ["change", "add-remove", "any"])
@pytest.mark.parametrize(
    "key",
    ["dp-any", "adp", "klpr", "prodp", "rbpr", "grdp", "samdp", "ubodp", "flpr", "ddpr", "consdp", "individual-dp"],
)
def test_the_same_people_as_a_list_and_as_a_multiset(key: str, which: str) -> None:
    """No oracle is needed: who is absent from a list is not in the multiset."""
    policy = f'neighbours = "{which}"\ngroup = 2\nrate = "1/2"\ndistance = "hamming"\nat-most = 1\n'
    as_list = LIST.format(size=2, policy=policy + 'fixed = ["t", "-"]')
    as_multiset = (
        LIST.format(size="[0, 2]", policy=policy + 'fixed = ["t"]').replace('"-", ', "").replace('absent = "-"', "")
    )
    for epsilon in (None, "ln(2)"):
        one, other = decided(as_list, key, epsilon), decided(as_multiset, key, epsilon)
        assert (one.verdict, one.tight_epsilon) == (other.verdict, other.tight_epsilon)
        assert one.tight_delta == other.tight_delta


SHAPES = [
    'iid = { 0 = "2/3", 1 = "1/3" }',
    """independent = [ { 0 = "1/2", 1 = "1/2" }, { 0 = 1 },
                       { 0 = "1/4", 1 = "3/4" }, { 1 = 1 } ]""",
    """groups = [ { times = 2, size = 1, iid = { 0 = "1/5", 1 = "4/5" } }, { size = 2, table = [
                  { database = [0, 0], probability = "1/2" }, { database = [1, 0], probability = "1/4" },
                  { database = [1, 1], probability = "1/4" } ] } ]""",
]
SUM = """
size = 4
values = [0, 1]
[[distribution]]
{shape}
[knowledge]
records = [0]
[mechanism]
{mechanism}
"""


@pytest.mark.parametrize("key", ["dp", "np", "ppkdp", "tail-ppkdp", "cdp", "adp", "klpr"])
@pytest.mark.parametrize(
    "mechanism",
    ['kind = "count"\nvalue = 1', 'kind = "threshold-count"\nvalue = 1\nabove = 2', 'kind = "parity"\nvalue = 1',
     'kind = "linear"\nweights = ["1", "2", "1", "1/2"]', 'kind = "histogram"',
     'kind = "count"\nvalue = 1\nthen = [ { kind = "geometric-noise", p = "1/2" } ]',
     'kind = "all"\nof = [ { kind = "count", value = 1 }, { kind = "linear", weights = [1, 1, 1, 0] } ]'],
)  # fmt: skip
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_are_the_table(key: str, mechanism: str, shape: str) -> None:
    """Without a table of worlds: the same verdict, ε and δ."""
    text = SUM.format(shape=shape, mechanism=mechanism)
    definition = DEFINITIONS[key]
    by_sum = definition._replace(listing=sums.SUMS[definition.listing])
    for epsilon, delta in ((None, 0), ("ln(2)", 0), ("1/3", Fraction(1, 10)), ("ln(root of x^2 - x - 1 in [1, 2])", 0)):
        e = None if epsilon is None else epsilon_of(epsilon)
        one, other = (Decision(Asked(Model(text)), d, e, Fraction(delta)) for d in (definition, by_sum))
        assert one.verdict == other.verdict
        assert one.tight_epsilon == other.tight_epsilon
        assert (one.tight_delta is None) == (other.tight_delta is None)
        assert one.tight_delta is None or str(one.tight_delta) == str(other.tight_delta)


def test_work_is_counted_before_it_is_done() -> None:
    many = 'size = 60\nvalues = [0, 1]\n[[distribution]]\niid = "uniform"\n[mechanism]\nkind = "identity"\n'
    for key in ("dp", "np", "flpr", "baydp-ysn", "infpr"):
        with pytest.raises(BeyondLimits):
            decided(many, key)


def test_a_product_is_refused_before_it_is_multiplied_out() -> None:
    """Ten million people have 2^10000000 databases."""
    factors = repeat(2, 1000)
    with pytest.raises(BeyondLimits, match="2\\^64"):
        afford_product(factors, "worlds")
    assert next(factors) == 2


def test_the_outputs_of_all_sums_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "MOST_WORK", 2000)
    noisy = 'size = 16\nvalues = [0, 1]\n[[distribution]]\niid = "uniform"\n[knowledge]\nrecords = [0, 1, 2, 3]\n'
    noisy += '[mechanism]\nkind = "count"\nvalue = 1\nthen = [{ kind = "geometric-noise", p = "1/2" }]\n'
    with pytest.raises(BeyondLimits, match="the outputs of all sums"):
        decided(noisy, "np")
    monkeypatch.setattr(numbers, "MOST_WORK", 20_000)
    assert decided(noisy, "np").summed


NOISY = """
size = 1
values = ["-"]
[mechanism]
kind = "count"
then = [ { kind = "geometric-noise", p = "1/2" } ]
[policy]
error = "1/10"
absent = "-"
"""


@pytest.mark.parametrize("key", ["reldp", "sempr"])
def test_a_tail_is_refused_before_it_is_seen_that_nothing_is_compared(key: str) -> None:
    with pytest.raises(Unsupported, match="tail of noise"):
        decided(NOISY, key)
    assert (
        decided(NOISY.replace('kind = "geometric-noise", p = "1/2"', "rows = [], otherwise = 0"), key).verdict
        == "vacuous"
    )


ONE_BIT = """
size = 1
values = [0, 1]
[[distribution]]
iid = "uniform"
[mechanism]
kind = "{kind}"
{more}
"""


@pytest.mark.parametrize("key", ["anpr", "infpr", "mpr", "ibcdp", "np", "dp"])
def test_a_statement_is_about_the_laws_that_a_case_has_now(key: str) -> None:
    """A search keeps θ, and puts one mechanism after the other in its place."""
    case = Case(Model(ONE_BIT.format(kind="constant", more="output = 0")))
    assert verdict(case, f"{key}(ln(3/2))") == "holds"
    case.laws = Case(Model(ONE_BIT.format(kind="identity", more=""))).laws
    assert verdict(case, f"{key}(ln(3/2))") == "fails"


def test_decimals() -> None:
    assert decimal_fits("0.333333333333", lambda _: (Fraction(1, 3), Fraction(1, 3)))
    assert not decimal_fits("0.333333333334", lambda _: (Fraction(1, 3), Fraction(1, 3)))


@pytest.mark.parametrize("k", ["0", "-1", "true", '"2"', "1.5"])
def test_k_is_an_integer_from_1_on(k: str) -> None:
    text = f"""
size = 1
values = [0, 1]
[mechanism]
kind = "k-anonymous-histogram"
k = {k}
"""
    with pytest.raises(Wrong):
        checked({"definition": "dp", "epsilon": None, "delta": "0", "verdict": "holds"}, Model(text))
    with pytest.raises(InputError):
        pk.loads(text)
