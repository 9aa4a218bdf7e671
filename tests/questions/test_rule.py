"""What attackers learn under rules of publication: known values, all databases, and the model's own answers."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import prod
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.errors import InputError, LimitError
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.rule import Learned, RuleAnswer, laws_of, read_rule
from verifier.recheck import text_of

VALUES = tomllib.loads(Path(__file__).with_name("published_rules.toml").read_text(encoding="utf-8"))["rule"]
LN2 = "ln(2)"
P_TABLE = [
    {"i": i, "j": i + d, "p": p}
    for i, noise in ((0, {0: "1"}), (1, {-1: "1/2", 1: "1/2"}), (2, {-1: "1/4", 0: "1/2", 1: "1/4"}))
    for d, p in noise.items()
]


def number_of(delta: Any) -> Fraction:
    """A δ that is rational."""
    assert delta is not None
    return Fraction(delta)


def asked(value: dict[str, Any], **question: Any) -> RuleAnswer:
    """The answer about one rule of the data."""
    steps = {"": [], "A": [{"kind": "cell-key", "table": P_TABLE}]}.get(value["rule"], value["rule"])
    return pk.rule(steps, noise=value.get("noise"), **question)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value["name"])
def test_values_that_were_computed_elsewhere(value: dict[str, Any]) -> None:
    answer = asked(value, people=12, known=3, probability="1/2", epsilon=LN2, delta="1/100")
    two = answer.two_tables
    assert two is not None
    found = [answer.one_table.passive, answer.one_table.active, two.passive, two.active]
    exact = [Fraction(text) for text in value["exact"]]
    assert [one.tight_delta for one in found] == exact[:2] + exact[3:]
    assert found[0].tight_epsilon == read_epsilon(f"ln({exact[2]})")
    assert found[3].tight_epsilon.is_infinite == (found[3].certain > Fraction(1, 100))
    large = asked(value, people=100, known=10, probability="1/20", epsilon=LN2)
    two = large.two_tables
    assert two is not None
    deltas = [one.tight_delta for one in (large.one_table.passive, large.one_table.active, two.passive, two.active)]
    for delta, digits in zip(deltas, value["digits"], strict=True):
        assert round(number_of(delta), 12) == Fraction(Decimal(digits))


def test_a_thousand_people() -> None:
    answer = pk.rule("ons-10-5", people=1000, known=100, probability="1/20", epsilon=LN2, delta="1/100")
    one, two = answer.one_table, answer.two_tables
    assert two is not None
    assert [round(number_of(who.tight_delta), 9) for who in (one.passive, one.active)] == [
        Fraction("0.000004732"),
        Fraction("0.000007327"),
    ]
    assert round(one.passive.tight_epsilon.argument, 9) == Fraction("1.206107625")
    assert {round(number_of(who.tight_delta), 9) for who in (two.passive, two.active)} == {Fraction(1, 5)}


def test_known_people_change_what_is_learned() -> None:
    known = [0, 10, 25, 50, 90, 99]
    answers = [pk.rule("hide 0 to 9", people=100, known=m, probability="1/20", overlap=0) for m in known]
    passive = [round(number_of(answer.one_table.passive.tight_delta), 4) for answer in answers]
    active = [round(number_of(answer.one_table.active.tight_delta), 4) for answer in answers]
    assert passive == [Fraction(text) for text in ("0.0069", "0.0079", "0.0092", "0.0120", "0.0252", "0.0599")]
    assert active == [Fraction(text) for text in ("0.0069", "0.0537", "0.0650", "0.1279", "0.6302", "1")]


@pytest.mark.parametrize(
    ("group", "inside", "known", "delta"),
    [(1, 0, 10, "0.2015"), (2, 0, 10, "0.1611"), (5, 0, 10, "0.0404"), (10, 0, 10, "0.0066"), (5, 4, 14, "0.0921")],
)
def test_groups_that_are_left_out(group: int, inside: int, known: int, delta: str) -> None:
    """The "10-5" rule, n = 100, p = 1/5, 10 others known: harder to use where more people differ."""
    question = {"people": 100, "known": known, "probability": "1/5", "overlap": group, "known_in_overlap": inside}
    two = pk.rule("ons-10-5", **question).two_tables
    assert two is not None
    assert round(number_of(two.passive.tight_delta), 4) == Fraction(delta)


# --- all databases ---------------------------------------------------------------------------------------------------

Law = dict[Any, Fraction]
Masses = defaultdict[Any, Fraction]


def brute(
    people: int, known: list[int], p: Fraction, publish: Callable[[tuple[int, ...]], Law], t: Fraction | None
) -> tuple[Fraction, Fraction]:
    """δ at e^ε = t (None: infinite) for both attackers, from all databases; she is the last."""
    laws: dict[tuple[int, ...], tuple[Masses, Masses]] = {}
    share: Masses = defaultdict(Fraction)
    for database in product((0, 1), repeat=people):
        weight = prod((p if one else 1 - p for one in database[:-1]), start=Fraction(1))
        what = tuple(database[i] for i in known)
        if database[-1]:
            share[what] += weight
        for output, chance in publish(database).items():
            laws.setdefault(what, (defaultdict(Fraction), defaultdict(Fraction)))[database[-1]][output] += (
                weight * chance
            )

    def gap(first: Masses, second: Masses) -> Fraction:
        if t is None:
            return sum((mass for output, mass in first.items() if not second.get(output)), Fraction(0))
        return sum((max(Fraction(0), mass - t * second.get(o, Fraction(0))) for o, mass in first.items()), Fraction(0))

    ways = [(0, 1), (1, 0)]
    passive = max(sum((gap(pair[a], pair[b]) for pair in laws.values()), Fraction(0)) for a, b in ways)
    active = max(gap(pair[a], pair[b]) / share[what] for what, pair in laws.items() for a, b in ways)
    return passive, active


def parity(count: int) -> str:
    """A function of the count, whose outputs come from counts that are not neighbours."""
    return "even" if count % 2 == 0 else "odd"


RULES: list[Any] = [
    parity,
    "hide 0 to 2",
    "hide 1 to 2",
    "hide 1 to 2, then round to base 3",
    "midpoint 3",
    "random rounding to base 3",
    "random rounding to base 2, then hide 1 to 2",
    "top-code at 3",
    "round to base 2 halves even",
    "bands 1-3:2 4+:3 halves up",
]


def questions() -> Iterator[tuple[Any, dict[str, Any]]]:
    """Random questions about few people: with every rule, groups of one to three, and both ways of noise."""
    draw = Random(39)  # noqa: S311  # questions to try
    for number in range(36):
        people = draw.randint(2, 6)
        group = draw.randint(1, min(3, people - 1))
        inside = draw.randint(0, group - 1)
        known = inside + draw.randint(0, people - group)
        chance = draw.choice(["1/2", "1/3", "2/7", "9/10"])
        question = {"people": people, "known": known, "probability": chance, "overlap": group}
        words = RULES[number % len(RULES)]
        kept = {"noise": draw.choice(["kept", "fresh"])} if isinstance(words, str) and "random" in words else {}
        yield words, {**question, "known_in_overlap": inside, **kept}


@pytest.mark.parametrize(("words", "question"), list(questions()))
def test_all_databases(words: Any, question: dict[str, Any]) -> None:
    people, group, inside = question["people"], question["overlap"], question["known_in_overlap"]
    p, outside = Fraction(question["probability"]), question["known"] - inside
    laws = [
        {output.text: Fraction(weight, law.denominator) for output, weight in law.items()}
        for law in laws_of(read_rule(words, {}).steps, people)
    ]

    def both(database: tuple[int, ...]) -> Law:
        large, small = sum(database), sum(database[: people - group])
        if question.get("noise") == "kept" and large == small:
            return {(output, output): chance for output, chance in laws[large].items()}
        return {(x, y): v * w for x, v in laws[large].items() for y, w in laws[small].items()}

    answer = pk.rule(words, **question, epsilon="ln(3/2)", delta="1/50")
    two = answer.two_tables
    assert two is not None
    known = [*range(question["known"])]
    for t, name in ((Fraction(3, 2), "tight_delta"), (None, "certain")):
        number = attrgetter(name)
        expected = brute(people, known, p, lambda database: laws[sum(database)], t)
        assert (number(answer.one_table.passive), number(answer.one_table.active)) == expected
        apart = [*range(outside), *range(people - group, people - group + inside)]
        assert (number(two.passive), number(two.active)) == brute(people, apart, p, both, t)


LARGE = {"people": 40, "known": 9, "probability": "1/7", "overlap": 3, "known_in_overlap": 1}


# --- the independent checker -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "question"), [*list(questions())[1::3], ("ons-10-5", LARGE)])
@pytest.mark.parametrize("at", [{"epsilon": "ln(3/2)", "delta": "1/50"}, {"delta": "1/50"}, {}])
def test_every_number_is_decided_again(words: str, question: dict[str, Any], at: dict[str, str]) -> None:
    answer = pk.rule(words, **question, **at)
    again = answer.rechecked()
    made = "the mechanism was made in Python: its table was decided again, not what made it" if callable(words) else ""
    assert (answer.replayed, again.replayed, again.unchecked) == (None, True, made)
    assert again == answer
    assert (answer.to_json()["replayed"], again.to_json()["replayed"]) == (None, True)


@pytest.mark.parametrize("release", ["one_table", "two_tables"])
@pytest.mark.parametrize("who", ["passive", "active"])
@pytest.mark.parametrize("number", ["tight_delta", "tight_epsilon", "certain"])
def test_a_wrong_number_is_rejected(release: str, who: str, number: str) -> None:
    """Each number, replaced by that of another question, is rejected: none is taken over."""
    first, other = (
        pk.rule("random rounding to base 3", people=9, known=2, probability=p, noise="fresh", epsilon=LN2, delta="1/9")
        for p in ("1/3", "1/4")
    )
    learned = getattr(getattr(first, release), who)
    wrong = replace(learned, **{number: getattr(getattr(getattr(other, release), who), number)})
    assert wrong != learned
    forged = replace(first, **{release: replace(getattr(first, release), **{who: wrong})})
    with pytest.raises(pk.RejectedError):
        forged.rechecked()


def test_areas_and_functions_are_decided_again() -> None:
    assert pk.rule("hide 1 to 2", secondary="smallest", **NOBODY_KNOWN).rechecked().replayed
    answer = pk.rule(lambda count: count // 2, people=5, known=1, probability="1/3").rechecked()
    assert answer.replayed
    assert "made in Python" in answer.unchecked


def test_what_is_too_large_for_the_checker_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.questions.rule.confirm_numbers", None)
    answer = pk.rule("random rounding to base 3", people=1000, known=100, probability="1/20").rechecked()
    assert (answer.replayed, answer.unchecked) == (None, "it is too large for the checker")
    table = [{"pcv": c, "ckey": k, "pvalue": k % 2} for c in range(1, 42) for k in range(100)]
    answer = pk.rule([{"kind": "cell-key", "table": table}], people=9, probability="1/20").rechecked()
    assert (answer.replayed, answer.unchecked) == (None, "it is too large for the checker")


# --- the model -------------------------------------------------------------------------------------------------------


def checked(model: pk.Model, key: str, answer: RuleAnswer) -> Learned:
    """What the answers about the model say of one attacker."""
    found = pk.check(model, key, epsilon=answer.epsilon, delta=answer.delta, replay=False)
    certain = pk.check(model, key, epsilon="inf", replay=False)
    return Learned(found.tight_delta, found.tight_epsilon, certain.tight_delta)  # type: ignore[arg-type]


def uneven(count: int) -> dict[str, Fraction]:
    """A column of four counts with weights that fall and rise, again every four counts."""
    shown = Fraction((9, 1, 8, 0)[count % 4], 9)
    return {f"about {count // 4}": shown, "none": 1 - shown}


@pytest.mark.parametrize(
    ("known", "epsilon", "delta"),
    [
        (0, "ln(2)", "0"),
        (1, "1/3", "1/50"),
        (3, "1/2*ln(5)", "0"),
        (3, None, "1/50"),
        (3, None, "0"),
        (8, "ln(2)", "0"),
    ],
)
@pytest.mark.parametrize("rule", [*RULES, uneven])
def test_the_columns_give_what_the_counts_model_gives(rule: Any, known: int, epsilon: str | None, delta: str) -> None:
    """Also where columns that are shifts of one pattern lie further apart than the known people reach."""
    question = {"people": 11, "known": known, "probability": "2/5", "epsilon": epsilon, "delta": delta}
    answer = pk.rule(rule, **question, overlap=0)
    model = pk.build(
        size=11,
        values=["no", "yes"],
        distribution={"iid": {"yes": "2/5", "no": "3/5"}},
        **({"knowledge": {"records": [*range(known)]}} if known else {}),
        sensitive={"records": [10]},
        mechanism={"kind": "count", "value": "yes", "then": answer.steps},
    )
    for key, learned in (("ppkdp", answer.one_table.passive), ("apkdp", answer.one_table.active)):
        assert learned == checked(model, key, answer)


@pytest.mark.parametrize(
    ("words", "question"),
    [*list(questions())[::2], ("ons-10-5", LARGE), ("cells", {**LARGE, "people": 12, "noise": "kept"})],
)
def test_the_written_model_has_the_same_numbers(words: str, question: dict[str, Any]) -> None:
    """The model of two tables, as `--model` writes it, is decided by the engine of sums."""
    rule: Any = [{"kind": "cell-key", "table": P_TABLE}] if words == "cells" else words
    answer = pk.rule(rule, **question, epsilon="ln(3/2)", delta="1/50")
    assert answer.two_tables is not None
    written = pk.loads(text_of(answer.model)[0])
    assert checked(written, "ppkdp", answer) == answer.two_tables.passive
    assert checked(written, "apkdp", answer) == answer.two_tables.active


def test_much_noise_is_left_to_the_engine_of_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"people": 8, "known": 2, "probability": "1/4", "epsilon": "ln(3/2)"}
    for words in ("geometric noise 1/2", "geometric noise 1/2, then hide below 5 with zero hidden"):
        by_columns = pk.rule(words, **question)
        with monkeypatch.context() as patched:
            patched.setattr("verifier.questions.rule.MOST_PAIRS", 0)
            by_check = pk.rule(words, **question, overlap=0).one_table
            with pytest.raises(LimitError, match="pairs of numbers"):
                pk.rule(words, **question)
        assert (by_check.passive, by_check.active) == (by_columns.one_table.passive, by_columns.one_table.active)
    assert by_columns.one_table.passive.tight_delta == Fraction(66869, 1572864)
    assert by_columns.one_table.active.tight_delta == Fraction(1643, 24576)
    assert by_columns.two_tables is not None
    assert by_columns.two_tables.passive.tight_delta == Fraction(407795, 9437184)


AREAS = [
    ((4, 4), {}, "27/64", "9/16"),
    ((4, 4), {"total": True}, "4365/8192", "9/16"),
    ((4, 4), {"total": True, "secondary": "smallest"}, "4239/16384", "333/1024"),
    ((3, 4, 3), {}, "9/16", "3/4"),
    ((3, 4, 3), {"total": True}, "90393/131072", "3/4"),
    ((3, 4, 3), {"total": True, "secondary": "smallest"}, "129501/262144", "2811/4096"),
]
NOBODY_KNOWN = {"people": (4, 4), "probability": "1/4", "total": True}


@pytest.mark.parametrize(("people", "keys", "passive", "active"), AREAS)
def test_areas(people: tuple[int, ...], keys: dict[str, Any], passive: str, active: str) -> None:
    answer = pk.rule("hide 1 to 2", people=people, known=[1] * len(people), probability="1/4", epsilon=LN2, **keys)
    found = answer.one_table
    assert found.passive.tight_delta == Fraction(passive)
    assert found.active.tight_delta == Fraction(active)
    assert "two_tables" not in answer.to_json()
    assert answer.to_json()["people"] == list(people)


P_CSV = "i,j,p\n" + "".join(f"{row['i']},{row['j']},{row['p']}\n" for row in P_TABLE)
COUNTS_CSV = "count,output,probability\n0,0,1\n1,few,1\n2,few,1/2\n2,2,1/2\n3,3,1\n"


def test_files_of_tables_drawings_and_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A p-table is known by its columns, and its noise is kept; a table of counts is a step of rows."""
    for name, text in (("keys.csv", P_CSV), ("counts.csv", COUNTS_CSV)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    by_rows = {"rows": [{"input": 0, "output": 0}, {"input": 1, "output": "few"}, {"input": 3, "output": 3},
                        {"input": 2, "outputs": {"few": "1/2", 2: "1/2"}}]}  # fmt: skip
    question = ["--people", "3", "--known", "1", "--probability", "1/3"]
    for name, step in (("keys.csv", {"kind": "cell-key", "table": P_TABLE}), ("counts.csv", by_rows)):
        files = ["--model", str(tmp_path / "m.toml"), "--plot", str(tmp_path / "d.svg")]
        with pytest.raises(SystemExit) as stop:
            run(["rule", "--table", str(tmp_path / name), *question, *files, "--json", "--quiet"])
        assert stop.value.code == 0
        found = json.loads(capsys.readouterr().out)
        answer = pk.rule([step], people=3, known=1, probability="1/3")
        expected = answer.rechecked().to_json()
        assert {**found, "rule": None} == {**expected, "rule": None}
        assert found["replayed"] is True
        assert found["noise"] == ("kept" if name == "keys.csv" else "fresh")
        assert pk.check(pk.read(tmp_path / "m.toml"), "ppkdp", epsilon=LN2, replay=False).tight_delta == (
            answer.two_tables and answer.two_tables.passive.tight_delta
        )
        assert (tmp_path / "d.svg").read_text(encoding="utf-8").count("class='gap'") == 4


def test_an_answer_prints_itself() -> None:
    answer = pk.rule("ons-10-5", people=30, known=2, probability="1/2")
    assert str(answer).startswith("0 to 9 are hidden, 10 to 12 become 10")
    assert "fails" not in str(answer)
    html = answer._repr_html_()  # type: ignore[attr-defined]
    assert "two tables, one without the target" in html
    assert "A hidden count (*) leaves the counts 0 to 9." in html


def test_nobody_is_known() -> None:
    """Without known people both attackers are one, in areas too, and the sentence has one number."""
    answer = pk.rule("hide 1 to 2", **NOBODY_KNOWN)
    assert answer == pk.rule("hide 1 to 2", known=[0, 0], **NOBODY_KNOWN)
    assert answer.one_table.passive == answer.one_table.active
    assert "for an attacker who knows none of the people." in answer.sentences[0]
    assert answer.sentences[1].startswith("One table: they prove whether the target is counted with probability")


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("hide 1 to 9", "1"),
        ("hide 0 to 2, then round to base 5", "1/5"),
        ("midpoint 6", "1/6"),
        ("round to base 4 halves even, then hide 1 to 8", "1/4"),
        ("round to base 5/2", None),
        ("round to base 2 halves up, then round to base 3", None),
        ("top-code at 3", None),
        ("random rounding to base 3", None),
    ],
)
def test_what_many_people_do_not_change(words: str, limit: str | None) -> None:
    answer = pk.rule(words, people=200, known=3, probability="1/2")
    assert answer.limit == (limit and Fraction(limit))
    assert any("this nears" in sentence for sentence in answer.sentences) == (limit is not None)
    if answer.limit is not None and answer.two_tables is not None:
        for learned in (answer.two_tables.passive, answer.two_tables.active):
            assert abs(number_of(learned.certain) - answer.limit) < Fraction(1, 100)


def test_what_is_left() -> None:
    left = pk.rule("ons-10-5", people=30, probability="1/2").left
    assert [(one.published.shown, one.first, one.last) for one in left[:3]] == [("*", 0, 9), (10, 10, 12), (15, 13, 17)]
    apart = pk.rule(parity, people=3, probability="1/2").left
    assert [(one.published.text, one.first) for one in apart] == [("even", 0), ("odd", 1), ("even", 2), ("odd", 3)]


@pytest.mark.parametrize(
    ("rule", "question", "words"),
    [
        ("hide 0 to 9", {"people": 9, "known": 9}, "at most 8, since the target is not known"),
        ("hide 0 to 9", {"people": 9, "probability": 1}, "nothing is unknown"),
        ("hide 0 to 9", {"people": 9, "probability": "0"}, "nothing is unknown"),
        ("round to base 10", {"people": 20}, "`halves up`"),
        ("round to bse 5", {"people": 20}, "`round to base 5 halves"),
        ("hide 0 to 9", {"people": 9, "noise": "kept"}, "the rule draws nothing at random"),
        ("random rounding to base 3", {"people": 9, "noise": "kept", "overlap": 0}, "there is no second table"),
        ("hide 0 to 9", {"people": 9, "overlap": 9}, "at most 8"),
        ("hide 0 to 9", {"people": 9, "known": 4, "overlap": 3, "known_in_overlap": 3}, "at most 2"),
        ("hide 0 to 9", {"people": 9, "known": 8, "overlap": 3, "known_in_overlap": 0}, "at least 2"),
        ("hide 0 to 9", {"people": [4, 4], "known": 1}, "one number for each area"),
        ("hide 0 to 9", {"people": 9, "total": True}, "there is one area"),
        ("bands 1-4:2 halves up", {"people": 9}, "the count 5 is in no band"),
        ("controlled-round", {"people": 9}, "is not decided"),
        (3, {"people": 9}, "is not a rule"),
    ],
)
def test_refusals(rule: Any, question: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        pk.rule(rule, **{"probability": "1/2", **question})
    assert words in str(refused.value)


def test_too_many_people_are_refused_before_the_work() -> None:
    with pytest.raises(LimitError, match="bits"):
        pk.rule("hide 0 to 9", people=10**7, probability="1/2")


@pytest.mark.parametrize("question", [{"overlap": 0}, {}])
def test_wide_noise_is_refused_before_the_work(question: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.questions.rule.AskedRule.laws", None)
    with pytest.raises(LimitError, match="has 1,003 published values"):
        pk.rule("geometric noise 1/2", people=1000, known=100, probability="1/20", **question)
