"""`compare`: a channel is found, or a decision refutes that there is one; orders are those of the curves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import verifier as pk
from verifier.checker import compared as checker
from verifier.checker import models
from verifier.checker.numbers import Rejected
from verifier.cli.main import run
from verifier.recheck import text_of
from verifier.wings.compare import post_processing as module
from verifier.wings.compare.post_processing import gain_of_output, most_gain, post_processing
from verifier.wings.compare.sheets import comparison_plot

Law = dict[str, Fraction]
HALF, ONE = Fraction(1, 2), Fraction(1)
PEOPLE = {"size": 4, "values": [0, 1], "distribution": {"iid": {0: "9/10", 1: "1/10"}}}
NOISE = {"kind": "geometric-noise", "p": "1/2"}
NOISY = pk.build(title="noisy", mechanism={"kind": "count", "value": 1, "then": [NOISE]}, **PEOPLE)
SHOWN = pk.build(title="shown", mechanism={"kind": "threshold-count", "value": 1, "above": 1}, **PEOPLE)
EXACT = pk.build(title="exact", mechanism={"kind": "count", "value": 1}, **PEOPLE)


def drawn_law(random: Random, outputs: int) -> Law:
    weights = [random.randint(0, 3) for _ in range(outputs)]
    weights[random.randrange(outputs)] += 1
    return {str(o): Fraction(weight, sum(weights)) for o, weight in enumerate(weights) if weight}


def pushed(law: Law, channel: Mapping[str, Law]) -> Law:
    made: Law = {}
    for o, p in law.items():
        for b, share in channel[o].items():
            made[b] = made.get(b, Fraction(0)) + p * share
    return made


def model_of(laws: Sequence[Law]) -> pk.Model:
    table = [{"database": [k], "outputs": law} for k, law in enumerate(laws)]
    values = list(range(len(laws)))
    return pk.build(
        size=1, values=values, distribution={"iid": "uniform"}, mechanism={"table": table}, title=f"m{len(laws)}"
    )


def rows(laws: Sequence[Law]) -> list[list[Any]]:
    return [[k] for k in range(len(laws))]


# --- the linear program -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_a_post_processing_by_construction_is_one(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    source = [drawn_law(random, 4) for _ in range(3)]
    channel = {str(o): drawn_law(random, 3) for o in range(4)}
    image = [pushed(law, channel) for law in source]
    found = post_processing(source, image, rows(source))
    assert found
    assert found.channel is not None
    assert [pushed(law, found.channel) for law in source] == image
    answer = pk.compare(model_of(source), model_of(image), ["dp", "np"])
    assert {one.order for one in answer.definitions.values()} <= {"equal", "second"}
    assert answer.replayed


def solutions(equations: list[list[Fraction]]) -> Iterator[list[Fraction]]:
    """The basic solutions of equations (coefficients, then the bound): every one with independent columns."""
    width = len(equations[0]) - 1
    for chosen in (c for size in range(width + 1) for c in combinations(range(width), size)):
        left = [[row[j] for j in chosen] + [row[-1]] for row in equations]
        for at in range(len(chosen)):
            pivot = next((k for k in range(at, len(left)) if left[k][at]), None)
            if pivot is None:
                break
            left[at], left[pivot] = left[pivot], left[at]
            left[at] = [x / left[at][at] for x in left[at]]
            for k in range(len(left)):
                if k != at:
                    left[k] = [x - left[k][at] * y for x, y in zip(left[k], left[at], strict=True)]
        else:
            if all(row[-1] == 0 for row in left[len(chosen) :]):
                yield [row[-1] for row in left[: len(chosen)]]


def has_channel(source: Sequence[Law], image: Sequence[Law]) -> bool:
    """The plain twin: whether some vertex of the polyhedron of channels has no negative entry."""
    ours, theirs = (sorted({o for law in laws for o in law}) for laws in (source, image))
    places = {(o, b): k for k, (o, b) in enumerate((o, b) for o in ours for b in theirs)}
    equations = []
    for o in ours:
        row = [Fraction(0)] * len(places) + [ONE]
        for b in theirs:
            row[places[o, b]] = ONE
        equations.append(row)
    for law, out in zip(source, image, strict=True):
        for b in theirs:
            row = [Fraction(0)] * len(places) + [out.get(b, Fraction(0))]
            for o, p in law.items():
                row[places[o, b]] = p
            equations.append(row)
    return any(min(x, default=ONE) >= 0 for x in solutions(equations))


def test_the_program_agrees_with_the_enumeration_of_vertices() -> None:
    random, words = Random(7), set()  # noqa: S311
    for number in range(60):
        source = [drawn_law(random, 2 + number % 2) for _ in range(2 + number % 2)]
        channel = {str(o): drawn_law(random, 2) for o in range(3)}
        image = [drawn_law(random, 2) for _ in source] if number % 3 else [pushed(law, channel) for law in source]
        found = post_processing(source, image, rows(source))
        assert found.holds is has_channel(source, image)
        words.add(found.holds)
        if not found:
            decision = found.decision
            assert decision is not None
            kept = [database[0] for database in decision.databases]
            better = gain_of_output([image[k] for k in kept], decision.gains)
            other = most_gain([source[k] for k in kept], decision.gains)
            assert (better / len(kept), other / len(kept)) == (decision.gained, decision.other)
            assert better > other
    assert words == {True, False}


def test_elimination_finds_what_the_program_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    random, words = Random(5), []  # noqa: S311
    for number in range(40):
        source = [drawn_law(random, 3) for _ in range(3 + number % 3)]
        channel = {str(o): drawn_law(random, 3) for o in range(3)}
        image = [pushed(law, channel) for law in source] if number % 2 else [drawn_law(random, 3) for _ in source]
        monkeypatch.setattr(module, "MOST_STEPS", 1 << 22)
        found = post_processing(source, image, rows(source))
        monkeypatch.setattr(module, "MOST_STEPS", 0)
        plain = post_processing(source, image, rows(source))
        assert found.holds is plain.holds
        assert not found or [pushed(law, found.channel or {}) for law in source] == image
        words.append(found.holds)
        if found and len(source) == 3 and rank(source) == 3:  # then there is one channel
            assert found.channel == plain.channel
    assert {True, False} <= set(words)


def rank(laws: Sequence[Law]) -> int:
    """The rank of a matrix of three laws of three outputs: 3 where its determinant is not 0."""
    (a, b, c), (d, e, f), (g, h, i) = ([law.get(str(o), Fraction(0)) for o in range(3)] for law in laws)
    return 3 if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) else 2


TWO_AND_A_MIXTURE = [{"1": ONE}, {"0": ONE}, {"0": HALF, "1": HALF}]
NOT_A_MIXTURE = [{"1": ONE}, {"0": HALF, "1": HALF}, {"0": HALF, "1": HALF}]
"""A channel for the first two databases makes another law of the third, and each two of them have a channel."""


def test_each_pair_has_a_channel_and_all_together_have_none() -> None:
    first, second = model_of(TWO_AND_A_MIXTURE), model_of(NOT_A_MIXTURE)
    for i, j in permutations(range(3), 2):
        ours, theirs = ([laws[k] for k in (i, j)] for laws in (TWO_AND_A_MIXTURE, NOT_A_MIXTURE))
        assert post_processing(ours, theirs, [[i], [j]])
        profiles = [pk.pair(*laws).p_against_q.profile for laws in (ours, theirs)]
        assert profiles[1] <= profiles[0]
    answer = pk.compare(first, second, "dp")
    assert answer.definitions["dp"].order == "equal" or answer.definitions["dp"].order == "second"
    assert answer.second_of_first.holds is False
    assert answer.first_of_second.holds is False
    assert answer.replayed


def test_too_large_a_program_is_refused_before_it_is_solved() -> None:
    random = Random(3)  # noqa: S311
    laws = [{str(o): Fraction(1 + (o * k + random.randint(0, 9)) % 97, 1) for o in range(60)} for k in range(40)]
    source = [{o: p / sum(law.values()) for o, p in law.items()} for law in laws]
    with pytest.raises(pk.LimitError, match="3,600 variables and 2,460 constraints"):
        post_processing(source, source[::-1], rows(source))


# --- the same law -----------------------------------------------------------------------------------------------------


def test_equal_curves_are_not_the_same_law() -> None:
    turned = [{"a": Fraction(1, 4), "b": Fraction(3, 4)}, {"a": Fraction(3, 4), "b": Fraction(1, 4)}]
    answer = pk.compare(model_of(turned), model_of(turned[::-1]))
    assert answer.same_law is False
    assert answer.apart is not None
    assert answer.apart.database == [0]
    assert {one.order for one in answer.definitions.values()} == {"equal"}
    assert answer.second_of_first.channel == {"a": {"b": ONE}, "b": {"a": ONE}}


def test_tails_that_are_lumped_elsewhere_are_not_other_laws() -> None:
    """The noise is the same, and its tails begin beyond the values, of which one is never taken by the one."""
    rows_ = [{"database": [v], "output": v} for v in (0, 1)]
    one = pk.build(size=1, values=[0, 1], mechanism={"table": rows_, "then": [NOISE]})
    far = {"rows": [{"input": 0, "output": 0}, {"input": 1, "output": 1}], "otherwise": 5}
    other = pk.build(size=1, values=[0, 1], mechanism={"table": rows_, "otherwise": 5, "then": [far, NOISE]})
    assert pk.compare(one, one).same_law is True
    answer = pk.compare(one, other, "dp")
    assert answer.same_law in {True, None}
    assert answer.second_of_first
    assert answer.first_of_second
    noisier = pk.build(size=1, values=[0, 1], mechanism={"table": rows_, "then": [{**NOISE, "p": "1/3"}]})
    assert pk.compare(one, noisier, "dp").same_law is False


def test_a_count_and_what_is_made_of_it() -> None:
    answer = pk.compare(EXACT, SHOWN)
    assert (answer.same_law, answer.second_of_first.holds, answer.first_of_second.holds) == (False, True, False)
    assert answer.second_of_first.channel is not None
    assert answer.second_of_first.channel["1"] == {"⊥": 1}
    assert {"np", "ddp", "dp"} <= set(answer.second_of_first.closed)
    assert not {"ibcdp", "tail-dp", "semantic"} & set(answer.second_of_first.closed)
    assert answer.databases == 5  # of 16: up to the order of the records
    noisy = pk.compare(EXACT, NOISY)
    assert (noisy.definitions["ddp"].order, noisy.definitions["ddp"].by) == ("second", "closure")
    assert pk.compare(NOISY, NOISY).definitions["ddp"].order == "equal"


# --- orders and crossings ---------------------------------------------------------------------------------------------


def test_a_noisy_and_a_thresholded_count() -> None:
    answer = pk.compare(NOISY, SHOWN)
    assert (answer.same_law, answer.second_of_first.holds, answer.first_of_second.holds) == (False, False, False)
    assert answer.definitions["dp"].order == "first"
    found = answer.definitions["np"]
    assert found.order == "incomparable"
    first, second = (pk.check(model, "np") for model in (NOISY, SHOWN))
    (crossing,) = found.crossings
    assert first.delta_at(crossing) == second.delta_at(crossing)
    assert first.profile.delta("0") > second.profile.delta("0")
    assert first.profile.delta("inf") < second.profile.delta("inf")
    assert answer.replayed
    assert not answer.unchecked
    drawing = comparison_plot(answer).drawing.svg
    assert "first: noisy" in drawing
    assert "second: shown" in drawing
    assert answer.plot("np").curves[0][1] == first.profile
    with pytest.raises(pk.InputError, match='plot: "npp" has not two curves here'):
        answer.plot("npp")
    unordered = pk.compare(NOISY, SHOWN, [])
    with pytest.raises(pk.InputError, match="plot: no definition has two curves"):
        unordered.plot()


@pytest.mark.parametrize("seed", range(4))
def test_orders_of_drawn_mechanisms_are_decided_again(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    one, two = (model_of([drawn_law(random, 3) for _ in range(3)]) for _ in range(2))
    answer = pk.compare(one, two)
    assert answer.replayed
    turned = pk.compare(two, one, replay=False)
    other = {"first": "second", "second": "first"}
    for key, found in answer.definitions.items():
        assert turned.definitions[key].order == other.get(found.order, found.order)
        assert turned.definitions[key].crossings == found.crossings


def test_a_number_has_an_order_and_no_crossings() -> None:
    policy = {"order": "2"}
    first, second = (
        pk.build(size=1, values=[0, 1], mechanism={"kind": "randomized-response", "keep": keep}, policy=policy)
        for keep in ("1/2", "1/3")
    )
    answer = pk.compare(first, second, ["renyidp", "dp"])
    assert (answer.definitions["renyidp"].order, answer.definitions["renyidp"].crossings) == ("second", ())
    assert answer.definitions["dp"].crossings == (pk.epsilon("ln(3)"),)
    assert answer.replayed


# --- what is refused, and what is not decided -------------------------------------------------------------------------


OTHER_VALUES = pk.build(size=4, values=[0, 2], mechanism={"kind": "sum"})
OTHER_SIZE = pk.build(size=3, values=[0, 1], mechanism={"kind": "sum"})
OTHER_THETA = pk.build(mechanism={"kind": "sum"}, **{**PEOPLE, "distribution": {"iid": "uniform"}})
KNOWN = pk.build(mechanism={"kind": "sum"}, knowledge={"records": [0]}, **PEOPLE)
OTHER_SECRETS = pk.build(mechanism={"kind": "sum"}, sensitive={"records": [1]}, **PEOPLE)
PARTIAL = pk.build(size=1, values=[0, 1], mechanism={"table": [{"database": [0], "output": 0}]})
WHOLE = pk.build(size=1, values=[0, 1], mechanism={"kind": "sum"})


@pytest.mark.parametrize(
    ("other", "definition", "said"),
    [
        (OTHER_VALUES, "dp", r"different values: \[0, 1\] and \[0, 2\]"),
        (OTHER_SIZE, "dp", "different sizes: 4 and 3"),
        (OTHER_THETA, "np", "np compares no models with different distributions"),
        (KNOWN, "np", "different knowledge"),
        (OTHER_SECRETS, "np", "different sensitive values"),
    ],
)
def test_other_models_are_refused_with_what_differs(other: pk.Model, definition: str, said: str) -> None:
    with pytest.raises(pk.InputError, match=said):
        pk.compare(EXACT, other, definition)


def test_a_definition_without_a_distribution_takes_other_distributions() -> None:
    answer = pk.compare(EXACT, OTHER_THETA)
    assert answer.same_law is True
    assert answer.definitions["dp"].order == "equal"
    assert answer.definitions["np"].order == "unsupported"
    assert "different distributions" in answer.definitions["np"].reason


def test_a_law_that_only_one_of_them_has() -> None:
    with pytest.raises(pk.InputError, match=r"the first mechanism has no law on \[1\]"):
        pk.compare(PARTIAL, WHOLE)


def test_an_undecided_post_processing_is_no_truth_value() -> None:
    first, second = (
        pk.build(size=16, values=[0, 1], mechanism={"kind": "linear", "weights": [2**k * times for k in range(16)]})
        for times in (1, 3)
    )
    answer = pk.compare(first, second, ())
    assert answer.same_law is None
    assert answer.exit_status == 3
    with pytest.raises(pk.PkdpError, match="undecided"):
        bool(answer.second_of_first)
    with pytest.raises(pk.ClaimUndecided):
        pk.claim_same(first, second)


# --- claims, the checker, the command ---------------------------------------------------------------------------------


def test_claims_raise_what_a_test_shows() -> None:
    def one(db: Any, rng: Any) -> Any:
        return db[0] if rng.flip("3/4") else 1 - db[0]

    def other(db: Any, rng: Any) -> Any:
        return db[0] if rng.flip("2/3") else 1 - db[0]

    assert pk.claim_order(other, one, "dp", values=[0, 1]).definitions["dp"].order == "first"
    assert pk.claim_same(one, one, values=[0, 1]).same_law
    with pytest.raises(pk.ClaimViolated, match=r"truth     second, crossing at ε = ln\(3\)"):
        pk.claim_order(one, other, "dp", values=[0, 1])
    with pytest.raises(AssertionError, match=r"on \[0\]: \{0: 3/4, 1: 1/4\} and \{0: 2/3, 1: 1/3\}"):
        pk.claim_same(one, other, values=[0, 1])


FORGERIES: dict[str, tuple[list[Any], Any, str]] = {
    "the same law": (["same_law"], True, "the laws are the same is False"),
    "no channel": (["post_processing", "second_of_first"], False, "NoneType"),
    "another channel": (["proofs", "second_of_first", "channel", "1"], {"2": "1"}, "makes another law"),
    "no law": (["proofs", "second_of_first", "channel", "1"], {"⊥": "1/2"}, "is no law"),
    "a channel that is none": (["post_processing", "first_of_second"], True, "NoneType"),
    "another gain": (["proofs", "first_of_second", "decision", "other"], "0", "other is"),
    "no decision": (
        ["proofs", "first_of_second", "decision", "gains", 0, "gain"],
        dict.fromkeys("01234", "0"),
        "served",
    ),
    "another order": (["definitions", "np", "order"], "first", "np: the order is"),
    "another crossing": (["definitions", "np", "crossings"], ["ln(7)"], "np: the curves cross"),
    "another ε": (["definitions", "np", "tight_epsilon"], ["ln(2)", "ln(2)"], "tight_epsilon"),
    "vacuous": (["definitions", "np", "order"], "vacuous", "np is not vacuous"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_the_checker_rejects_a_forged_comparison(name: str) -> None:
    path, value, said = FORGERIES[name]
    answer = json.loads(json.dumps(pk.compare(EXACT, SHOWN).to_json(10**9)))
    both = [models.Model(text_of(model)[0]) for model in (EXACT, SHOWN)]
    assert checker.verify(answer, both) is not None
    at = answer
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises((Rejected, TypeError, AttributeError), match=said):
        checker.verify(answer, both)


COUNT = """
size   = 3
values = [0, 1]

[mechanism]
kind  = "{kind}"
value = 1
"""


def test_the_command_its_json_and_its_re_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(COUNT.format(kind="count"), encoding="utf-8")
    Path("b.toml").write_text(COUNT.format(kind="parity"), encoding="utf-8")

    def said(*arguments: str, status: int = 0) -> str:
        with pytest.raises(SystemExit) as stop:
            run(list(arguments))
        assert stop.value.code == status
        return capsys.readouterr().out

    answer = json.loads(said("compare", "a.toml", "b.toml", "--json", "--plot", "both.svg"))
    assert answer["post_processing"] == {"second_of_first": True, "first_of_second": False}
    assert answer["same_law"] is False
    assert answer["definitions"]["dp"]["order"] == "equal"
    assert answer["replayed"] is True
    assert "first:" in Path("both.svg").read_text(encoding="utf-8")
    Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")
    assert "accepted answer.json" in said("verify", "answer.json")
    answer["post_processing"]["second_of_first"] = False
    Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")
    said("verify", "answer.json", status=2)
    assert "Re-checked: yes." in said("compare", "a.toml", "b.toml")
    assert said("compare", "a.toml", "b.toml", "--definition", "np", status=3)
    assert said("compare", "a.toml", "b.toml", "--plot", "both.txt", status=2) == ""


def test_two_models_of_one_python_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `check` takes `FILE.py:NAME`."""
    own = tmp_path / "own.py"
    own.write_text(
        "import verifier as pk\n"
        'PEOPLE = {"size": 1, "values": [0, 1]}\n'
        'first = pk.build(title="first", mechanism={"kind": "identity"}, **PEOPLE)\n'
        'second = pk.build(title="second", mechanism=lambda db, rng: rng.randint(0, 1), **PEOPLE)\n',
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as stop:
        run(["compare", f"{own}:first", f"{own}:second", "--json", "--no-replay"])
    found = json.loads(capsys.readouterr().out)
    assert stop.value.code == 0
    assert found["post_processing"]["second_of_first"] is True
