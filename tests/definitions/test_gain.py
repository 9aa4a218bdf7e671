"""What an attacker gains: the twin from the definition alone, both engines, values by hand, and forged answers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from naive import Law, Plain
from rechecked import checker_word
from strategies import Case, cases

import verifier as pk
from verifier.definitions.answer import json_of
from verifier.definitions.gain import Gain, gains
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model.library import models_folder
from verifier.model.write import toml_text

RATES = (Fraction(0), Fraction(1, 100), Fraction(1, 3), Fraction(1))
FEW = 6
"""Up to so many outputs, all tests are looked at."""


def joint(plain: Plain, name: str, record: int | None) -> dict[str, dict[str, Law]]:
    """P[B, S, O], world by world."""
    cells: dict[str, dict[str, Law]] = defaultdict(lambda: defaultdict(lambda: defaultdict(Fraction)))
    for row in plain.worlds[name]:
        value = row.sensitive if record is None else row.database[record]
        assert value is not None
        for output, chance in plain.mechanism(row.database).items():
            if row.p * chance:
                cells[row.knowledge][value][output] += row.p * chance
    return cells


def roc(p: Law, q: Law) -> list[tuple[Fraction, Fraction]]:
    """The rates (false positives, true positives) of every test that flips no coin."""
    outputs = [*{**p, **q}]
    tests = [t for k in range(len(outputs) + 1) for t in combinations(outputs, k)]
    return [(chance(q, test), chance(p, test)) for test in tests]


def chance(law: Law, outputs: Iterable[str]) -> Fraction:
    """The probability of a set of outputs."""
    return sum((law.get(output, Fraction(0)) for output in outputs), Fraction(0))


def given_(law: Law) -> Law:
    """The law of the output given what is known and the value."""
    total = sum(law.values())
    return {output: cell / total for output, cell in law.items()}


def best_at(points: list[tuple[Fraction, Fraction]], rate: Fraction) -> Fraction:
    """The largest rate of true positives of a coin between two tests."""
    below, above = ([point for point in points if (point[0] <= rate) is kept] for kept in (True, False))
    found = max(y for _, y in below)
    for (x0, y0), (x1, y1) in product(below, above):
        found = max(found, y0 + (y1 - y0) * (rate - x0) / (x1 - x0))
    return found


@settings(max_examples=60)
@given(cases())
def test_gains_are_those_of_the_definition(case: Case) -> None:
    found = gains(Engine(pk.build(**case.keys)), RATES)
    assert found
    for gain in found:
        cells = joint(case.plain, gain.distribution, gain.record)
        prior = sum((max(sum(law.values(), Fraction(0)) for law in of.values()) for of in cells.values()), Fraction(0))
        outputs = {known: {o for law in of.values() for o in law} for known, of in cells.items()}
        success = sum(
            (max(law.get(o, Fraction(0)) for law in of.values()) for k, of in cells.items() for o in outputs[k]),
            Fraction(0),
        )
        assert (gain.prior_success, gain.success) == (prior, success)
        assert str(gain.min_entropy_leakage) == str(pk.epsilon(f"ln({success / prior})"))
        assert gain.posteriors is not None
        seen = {(one.knowledge.text, one.output.text) for one in gain.posteriors}
        assert len(seen) == len(gain.posteriors)
        assert sum(one.members for one in gain.posteriors) == sum(map(len, outputs.values()))
        assert sum(one.probability for one in gain.posteriors) == 1
        for one in gain.posteriors:
            assert sum(one.prior.values()) == sum(one.posterior.values()) == 1
        assert success == sum(one.probability * max(one.posterior.values()) for one in gain.posteriors)
        if max(map(len, outputs.values())) <= FEW:
            laws = [[given_(law) for law in of.values()] for of in cells.values()]
            curves = [roc(p, q) for of in laws for p, q in permutations(of, 2)]
            assert gain.advantage == max((y - x for points in curves for x, y in points), default=0)
            for rate in RATES:
                assert gain.true_positive_rates[rate] == max((best_at(c, rate) for c in curves), default=rate)


BOTH = {"table": [{"database": [0, 0], "probability": "2/5"}, {"database": [1, 1], "probability": "3/5"}]}
COINS = {"table": [{"database": [a, b], "probability": "1/4"} for a, b in product([0, 1], repeat=2)]}
SUMS: list[dict[str, Any]] = [
    {"distribution": {"iid": {0: "3/4", 1: "1/4"}}, "knowledge": {"records": [0, 1]}},
    {"distribution": {"iid": {0: "2/3", 1: "1/3"}}, "sensitive": {"records": [3]}},
    {
        "distribution": {"groups": [{"size": 2, **BOTH}, {"size": 2, **COINS}]},
        "knowledge": {"records": [0]},
    },
    {
        "distribution": {
            "mixture": [{"weight": "1/3", "iid": {0: "1/4", 1: "3/4"}}, {"weight": "2/3", "iid": {0: "5/6", 1: "1/6"}}]
        },
        "knowledge": {"records": [1]},
    },
]


@pytest.mark.parametrize("keys", SUMS)
def test_sums_and_tables_agree(keys: dict[str, Any]) -> None:
    model = pk.build(size=4, values=[0, 1], mechanism={"kind": "sum"}, **keys)
    by_sums, by_table = (gains(Engine(model, force=force)) for force in ("sum", "table"))
    of_record = {(gain.distribution, gain.record): numbers(gain) for gain in by_table}
    assert {key: of_record[key] for key in of_record if key in {(g.distribution, g.record) for g in by_sums}} == {
        (gain.distribution, gain.record): numbers(gain) for gain in by_sums
    }
    assert sum(gain.members for gain in by_sums) == len(by_table)


def numbers(gain: Gain) -> tuple[object, ...]:
    """The numbers that do not depend on which knowledge values are lumped."""
    return gain.prior_success, gain.success, gain.advantage, gain.true_positive_rates


COIN = {"size": 1, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}}


def test_randomized_response_by_hand() -> None:
    """Half, three quarters, ln(3/2); a test at 1 % is right three times as often; the belief is 3/4."""
    model = pk.build(**COIN, mechanism={"kind": "randomized-response", "truth": "3/4"})
    (gain,) = pk.check(model, "apkdp").gain
    assert (gain.prior_success, gain.success, gain.advantage) == (Fraction(1, 2), Fraction(3, 4), Fraction(1, 2))
    assert str(gain.min_entropy_leakage) == "ln(3/2)"
    assert gain.true_positive_rates == {Fraction(1, 100): Fraction(3, 100)}
    assert gain.posteriors is not None
    assert {max(one.posterior.values()) for one in gain.posteriors} == {Fraction(3, 4)}
    assert gain.advantage == pk.check(model, "apkdp", epsilon=0).tight_delta


def channel(rows: dict[str, dict[str, str]], prior: dict[str, str]) -> Gain:
    """The gain about the one record of a table."""
    mechanism = {"table": [{"database": [value], "outputs": law} for value, law in rows.items()]}
    model = pk.build(size=1, values=list(rows), distribution={"iid": prior}, mechanism=mechanism)
    (gain,) = gains(Engine(model))
    return gain


def test_crowds_and_channels_of_other_tools() -> None:
    """Three honest members of crowds, and a channel of libqif, each from a uniform prior; response from 1/100."""
    others = {"a": ("b", "c"), "b": ("a", "c"), "c": ("a", "b")}
    crowds = {v: {v: "5/14", x: "3/28", y: "3/28", "none": "3/7"} for v, (x, y) in others.items()}
    third = dict.fromkeys("abc", "1/3")
    gain = channel(crowds, third)
    assert gain.posteriors is not None
    assert (gain.success, max(max(one.posterior.values()) for one in gain.posteriors)) == (
        Fraction(1, 2),
        Fraction(5, 8),
    )
    rows = {"a": {"x": "9/10", "y": "1/10"}, "b": {"x": "1/10", "y": "7/10", "z": "1/5"}}
    gain = channel({**rows, "c": {"x": "1/10", "y": "1/2", "z": "2/5"}}, third)
    assert (gain.success, str(gain.min_entropy_leakage)) == (Fraction(2, 3), "ln(2)")
    response = {"0": {"0": "3/4", "1": "1/4"}, "1": {"0": "1/4", "1": "3/4"}}
    gain = channel(response, {"0": "99/100", "1": "1/100"})
    assert gain.posteriors is not None
    assert Fraction(1, 34) in {p for one in gain.posteriors for p in one.posterior.values()}
    assert gain.true_positive_rates == {Fraction(1, 100): Fraction(3, 100)}


def test_a_secret_that_is_known_gains_nothing() -> None:
    model = pk.build(**COIN, mechanism={"kind": "identity"}, knowledge={"records": [0]})
    (gain,) = gains(Engine(model))
    assert [gain.success, gain.prior_success, gain.advantage] == [1, 1, 0]
    assert gain.true_positive_rates == {Fraction(1, 100): Fraction(1, 100)}


def test_models_without_a_gain_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="a gain"):
        gains(Engine(pk.build(size=1, values=[0, 1], mechanism={"kind": "sum"})))
    with pytest.raises(LimitError, match="bits in all"):
        gains(Engine(pk.read(models_folder() / "DMKB20" / "example-7-thousand-voters.toml")))
    with pytest.raises(UnsupportedError, match="enclosed"):
        gains(Engine(pk.read(models_folder() / "referendum" / "ten-million.toml")))


KEYS = {
    "size": 2,
    "values": [0, 1],
    "distribution": [{"iid": {0: "3/4", 1: "1/4"}}],
    "mechanism": {"kind": "sum", "then": [{"kind": "geometric-noise", "p": "1/2"}]},
}


def document(**keys: Any) -> tuple[dict[str, Any], str]:
    """The gain of a model as JSON, and the text of the model; `keys` replace some of its own."""
    model = pk.build(**{**KEYS, **keys})
    texts = {**KEYS, **keys, "distribution": [{"iid": {"0": "3/4", "1": "1/4"}}]}
    return json.loads(json.dumps({"gain": json_of(gains(Engine(model)))})), toml_text(texts)


def test_the_checker_confirms_a_gain() -> None:
    assert checker_word(*document()).word == "confirmed"


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (["prior_success"], "2/3", "prior_success"),
        (["success"], "4/5", "success"),
        (["advantage"], "1/3", "advantage"),
        (["min_entropy_leakage"], "ln(2)", "min_entropy_leakage"),
        (["tpr", "1/100"], "1/51", "tpr"),
        (["members"], 2, "records"),
        (["record"], 5, "record 5"),
        (["distribution"], "other", "no gain"),
        (["posteriors", 0, "probability"], "1/7", "beliefs"),
        (["posteriors", 0, "members"], 2, "beliefs"),
        (["posteriors", 0, "posterior", "0"], "1/7", "beliefs"),
        (["posteriors", 0, "prior", "0"], "1/7", "beliefs"),
    ],
)
def test_forged_gains_are_refused(path: list[Any], value: object, why: str) -> None:
    answer, text = document()
    place = answer["gain"][0]
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != value
    place[path[-1]] = value
    word = checker_word(answer, text)
    assert word.word == "rejected"
    assert why in word.why


def test_a_belief_that_is_left_out_or_stands_twice_is_refused() -> None:
    answer, text = document()
    beliefs = answer["gain"][0]["posteriors"]
    for forged in (beliefs[1:], [*beliefs, beliefs[0]]):
        answer["gain"][0]["posteriors"] = forged
        assert checker_word(answer, text).word == "rejected"


NOISY = {
    "a number beside the noise": """
def m(db, rng):
    return [7, db[0] + rng.geometric_noise("1/2")]
""",
    "two noises": """
def m(db, rng):
    return [2 * db[1] + rng.geometric_noise("1/3"), db[0] + rng.geometric_noise("1/2")]
""",
    "two forms": """
def m(db, rng):
    if db[0] == 0:
        return ["low", db[1] + rng.geometric_noise("1/2")]
    return ["high", 3 + db[1] + rng.geometric_noise("1/2")]
""",
    "noise on one side": """
def m(db, rng):
    return [5 * db[0], max(0, db[1] + rng.geometric_noise("1/2"))]
""",
}


@pytest.mark.parametrize("knowledge", [{}, {"knowledge": {"records": [1]}}], ids=["nothing", "a record"])
@pytest.mark.parametrize("program", NOISY.values(), ids=NOISY)
def test_beliefs_after_tails_that_the_checker_cuts_elsewhere_are_confirmed(
    program: str, knowledge: dict[str, Any]
) -> None:
    word = checker_word(*document(mechanism={"program": program}, **knowledge))
    assert (word.word, word.why) == ("confirmed", "gain")


def cut(*places: tuple[str, str]) -> str:
    """The checker's word on beliefs about a program whose last numbers have other names; "" leaves one out.

    Outputs with one name become one, with the beliefs of the first and all their probability.
    """
    answer, text = document(size=1, mechanism={"program": NOISY["a number beside the noise"]})
    names, (gain,) = dict(places), answer["gain"]
    beliefs: dict[str, dict[str, Any]] = {}
    for one in gain["posteriors"]:
        name = names.get(str(one["output"][1]), str(one["output"][1]))
        if name and name in beliefs:
            together = Fraction(beliefs[name]["probability"]) + Fraction(one["probability"])
            beliefs[name]["probability"] = str(together)
        elif name:
            beliefs[name] = {**one, "output": [7, name if name[0] in "<>" else int(name)]}
    gain["posteriors"] = list(beliefs.values())
    return checker_word(answer, text).word


def test_outputs_of_equal_beliefs_may_stand_together_and_others_may_not() -> None:
    """The likelihood ratio is 2 up to 0, and 1/2 from 1 on."""
    assert cut() == "confirmed"
    assert cut(("1", "> 0"), ("> 1", "> 0")) == "confirmed"
    assert cut(("0", "< 1"), ("< 0", "< 1")) == "confirmed"
    wrong = [
        [("0", "> -1"), ("1", "> -1"), ("> 1", "> -1")],
        [("0", "< 2"), ("1", "< 2"), ("< 0", "< 2")],
        [("1", "> 0")],
        [("> 1", "> 0")],
        [("> 1", "> 2")],
        [("> 1", "< 0")],
        [("> 1", "")],
        [("> 1", "9")],
        [("1", "2")],
    ]
    assert [cut(*places) for places in wrong] == ["rejected"] * len(wrong)


@pytest.mark.parametrize("last", [3, 12], ids=["within the checker's numbers", "beyond them"])
def test_a_tail_may_be_cut_further_out_and_its_parts_have_their_own_probabilities(last: int) -> None:
    answer, text = document(size=1, mechanism={"program": NOISY["a number beside the noise"]})
    beliefs = answer["gain"][0]["posteriors"]
    (tail,) = (one for one in beliefs if one["output"] == [7, "> 1"])
    beliefs.remove(tail)
    whole = Fraction(tail["probability"])
    for k in range(2, last + 1):
        beliefs.append({**tail, "output": [7, k], "probability": str(whole / 2 ** (k - 1))})
    beliefs.append({**tail, "output": [7, f"> {last}"], "probability": str(whole / 2 ** (last - 1))})
    assert checker_word(answer, text).word == "confirmed"
    two, three = (one for one in beliefs if one["output"] in ([7, 2], [7, 3]))
    two["probability"], three["probability"] = three["probability"], two["probability"]
    assert checker_word(answer, text).word == "rejected"
    two["probability"], three["probability"] = three["probability"], two["probability"]
    beliefs.append({**tail, "probability": "0"})
    assert checker_word(answer, text).word == "rejected"


@pytest.mark.parametrize("first", [0, 1])
def test_two_beliefs_do_not_stand_together_where_another_attacker_has_both_the_other_way(first: int) -> None:
    """A noisy exclusive or: after 0 who knows 0 believes what who knows 1 believes after 1."""
    program = """
def m(db, rng):
    return (db[0] + db[1] + rng.binomial(1, "1/4")) % 2
"""
    answer, text = document(mechanism={"program": program}, knowledge={"records": [1]})
    gain = next(one for one in answer["gain"] if one["record"] == 0)
    at = {(one["knowledge"][0], one["output"]): one for one in gain["posteriors"]}
    forged = []
    for known, output in ((0, first), (1, first)):
        one, twin = at[known, output], at[1 - known, 1 - output]
        assert one["posterior"] == twin["posterior"]
        together = Fraction(one["probability"]) + Fraction(twin["probability"])
        forged.append({**one, "output": "> -1", "probability": str(together)})
    assert checker_word(answer, text).word == "confirmed"
    gain["posteriors"] = forged
    assert checker_word(answer, text).word == "rejected"


def test_equal_beliefs_after_two_known_values_have_their_own_probabilities() -> None:
    """The output tells nothing about record 0, and is more probable where record 1 is the same."""
    program = """
def m(db, rng):
    return (db[1] + rng.binomial(1, "1/4")) % 2
"""
    answer, text = document(mechanism={"program": program}, knowledge={"records": [1]})
    assert checker_word(answer, text).word == "confirmed"
    gain = next(one for one in answer["gain"] if one["record"] == 0)
    one, other = (each for each in gain["posteriors"] if each["output"] == 0)
    assert (one["posterior"], one["members"]) == (other["posterior"], other["members"])
    one["probability"], other["probability"] = other["probability"], one["probability"]
    assert checker_word(answer, text).word == "rejected"
