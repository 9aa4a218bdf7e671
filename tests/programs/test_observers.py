"""Who sees some draws beside the output: `seen_by` in all readings of a program, and what is refused.

Every draw of a random program, or each by a coin, is seen by one who asks. The interpreter of the text, the Python
function run path by path, and the checker's own reader have then one law of the pairs of output and what was seen.
"""

from __future__ import annotations

import ast
import itertools
import json
import linecache
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from random_programs import random_program

import verifier as pk
from verifier.checker import numbers, program_laws, programs
from verifier.cli.main import run
from verifier.model.parameters import Family
from verifier.model.read import observed_family, read_any
from verifier.programs import Interpreter, Source
from verifier.programs.runner import exact_output, outcomes
from verifier.tables import label
from verifier.wings.families.decide import decide_family

DATABASES = ((0, 1, 2), (1, 1, 0))
A_BLOCK = 5
INSIDER = 'seen_by="insider"'
HALF = f"""
def m(db, rng):
    told = rng.flip(1/2, {INSIDER})
    return db[0] if told else rng.randint(0, 1)
"""
MODEL = f"size = 1\nvalues = [0, 1]\n[mechanism]\nprogram = '''{HALF}'''\n"
Law = dict[str, Fraction]


def watched(text: str, seed: int) -> str:
    """A program in which an insider sees some of the draws, at least one; and a server others."""
    tree, pick = ast.parse(text), random.Random(seed)  # noqa: S311 - a test
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "rng"
    ]
    for number, call in enumerate(calls):
        if number == 0 or pick.random() < 0.5:
            names = pick.choice(["insider", ["server", "insider"]]) if number else "insider"
            call.keywords.append(ast.keyword("seen_by", ast.parse(repr(names), mode="eval").body))
        elif pick.random() < 0.5:
            call.keywords.append(ast.keyword("seen_by", ast.Constant("server")))
    return ast.unparse(tree)


def interpreted(text: str, database: Any) -> Law:
    law: Counter[str] = Counter()
    for output, p in Interpreter(Source(text, "program", observer="insider")).law(database):
        law[label(output).text] += p  # type: ignore[assignment]
    return dict(law)  # type: ignore[arg-type]


def python(text: str, database: Any) -> Law:
    name = f"<watched {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"F": Fraction}
    try:
        exec(compile(text, name, "exec"), space)  # noqa: S102 - a program of these tests
        function = pk.program(next(value for value in reversed(space.values()) if callable(value))).exactly()

        def pair(rng: Any) -> str:
            output = exact_output(function(tuple(database), rng))
            return label([output, exact_output(rng.seen_by("insider"))]).text

        law: Counter[str] = Counter()
        for output, p in outcomes(pair):
            law[output] += p  # type: ignore[assignment]
        return dict(law)  # type: ignore[arg-type]
    finally:
        linecache.clearcache()


def checked(text: str, database: Any) -> Law:
    law: Counter[str] = Counter()
    for key, p in programs.Program(text, observer="insider").law(tuple(database)).items():
        law[program_laws.labelled(programs.Reader().read(key))] += p  # type: ignore[assignment]
    return {output: p for output, p in law.items() if p}  # type: ignore[misc]


def answer(reading: Callable[[str, Any], Law], text: str, database: Any) -> Law | None:
    """The law; None where it is refused, or too much work."""
    try:
        return reading(text, database)
    except (pk.PkdpError, numbers.BeyondLimits, TypeError, IndexError, KeyError, ValueError, ZeroDivisionError):
        return None


@pytest.mark.sweep(20)
@pytest.mark.parametrize("block", range(80))
def test_an_observer_sees_the_same_in_all_readings(block: int) -> None:
    known = together = seen = 0
    for seed, database in itertools.product(range(block * A_BLOCK, (block + 1) * A_BLOCK), DATABASES):
        text = random_program(seed)
        if "rng." not in text:
            continue
        text = watched(text, seed)
        laws = [answer(reading, text, database) for reading in (interpreted, python, checked)]
        found = [law for law in laws if law is not None]
        assert all(law == found[0] for law in found), f"seed {seed} on {database}\n{text}"
        assert all(sum(law.values()) == 1 for law in found)
        known, together = known + bool(found), together + (len(found) == 3)
        seen += any(not output.endswith(",[]]") for law in found for output in law)
    assert known >= A_BLOCK
    assert together >= A_BLOCK, "the readings are hardly compared"
    assert seen >= A_BLOCK, "hardly anything is seen"


# --- what was seen stays as it was: lists that change, helpers, folds, loops -----------------------------------------

DIRECTED = tomllib.loads("""
[[rule]]
name = "a list that was seen is changed later"
program = '''
def m(db, rng):
    xs = rng.sample([1, 2], 1, seen_by="insider")
    xs.append(0)
    return len(xs)
'''
law = { "[2,[[1]]]" = "1/2", "[2,[[2]]]" = "1/2" }

[[rule]]
name = "a helper's draws come in their order"
program = '''
def coin(p, rng):
    return rng.flip(p, seen_by="insider")

def m(db, rng):
    a = rng.randint(7, 7, seen_by="insider")
    return coin(1/3, rng) or coin(1/4, rng)
'''
law = { "[true,[7,true]]" = "1/3", "[true,[7,false,true]]" = "1/6", "[false,[7,false,false]]" = "1/2" }

[[rule]]
name = "a fold is not merged where it is seen"
program = '''
def m(db, rng):
    return sum(rng.randint(0, 1, seen_by="insider") for x in range(2))
'''
law = { "[0,[0,0]]" = "1/4", "[1,[0,1]]" = "1/4", "[1,[1,0]]" = "1/4", "[2,[1,1]]" = "1/4" }

[[rule]]
name = "nothing is seen on some paths"
program = '''
def m(db, rng):
    return rng.flip(1/2, seen_by="insider") if rng.flip(1/2) else 0
'''
law = { "[0,[]]" = "1/2", "[true,[true]]" = "1/4", "[false,[false]]" = "1/4" }

[[rule]]
name = "a test, and what a loop goes through"
program = '''
def m(db, rng):
    n = 0
    for x in range(rng.randint(1, 2, seen_by="insider")):
        if rng.flip(1/2, seen_by=["insider", "other"]):
            n = 1
            break
    return n
'''
[rule.law]
"[1,[1,true]]" = "1/4"
"[0,[1,false]]" = "1/4"
"[1,[2,true]]" = "1/4"
"[1,[2,false,true]]" = "1/8"
"[0,[2,false,false]]" = "1/8"
""")["rule"]


@pytest.mark.parametrize("reading", [interpreted, python, checked])
@pytest.mark.parametrize("rule", DIRECTED, ids=lambda rule: rule["name"])
def test_what_was_seen_is_as_it_was_drawn(rule: dict[str, Any], reading: Callable[[str, Any], Law]) -> None:
    assert reading(rule["program"], (0,)) == {output: Fraction(p) for output, p in rule["law"].items()}


def test_noise_without_ends_that_is_seen() -> None:
    """The output is hidden by noise of one's own, and one who sees that noise knows the bit."""
    text = f"def m(db, rng):\n    return db[0] + rng.geometric_noise(1/2, {INSIDER}) >= 1\n"
    model = pk.build(size=1, values=[0, 1], mechanism={"program": text})
    assert str(pk.check(model, "dp").tight_epsilon) == "ln(2)"
    seen = pk.check(model, "dp", observer="insider")
    assert (str(seen.tight_epsilon), seen.replayed) == ("inf", True)


# --- asking --------------------------------------------------------------------------------------------------------


def function(db: Any, rng: Any) -> Any:
    told = rng.flip("1/2", seen_by="insider")
    return db[0] if told else rng.randint(0, 1)


@pytest.mark.parametrize("mechanism", [{"program": HALF}, function], ids=["text", "function"])
def test_without_an_observer_a_draw_is_as_any_other(mechanism: Any) -> None:
    model = pk.build(size=1, values=[0, 1], mechanism=mechanism)
    plain = pk.check(model, "dp", epsilon="ln(2)")
    seen = pk.check(model, "dp", epsilon="ln(2)", observer="insider")
    assert ("observer" in plain.to_json(), seen.to_json()["observer"]) == (False, "insider")
    assert (str(plain.tight_epsilon), str(seen.tight_epsilon)) == ("ln(3)", "inf")
    assert seen.witness is not None
    assert seen.to_json()["witness"]["event"] == [[0, [True]]]
    assert (plain.replayed, seen.replayed) == (True, True)
    assert ("seen by insider" in str(seen), "seen by" in str(plain)) == (True, False)
    assert [one.to_json().get("observer") for one in pk.overview(model, observer="insider")][:1] == ["insider"]


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    return int(str(ended.value.code)), capsys.readouterr().out


def test_the_command_names_the_observer_and_its_answer_is_decided_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Gains too; an answer that names another observer, or none, is about something else."""
    file, answers = tmp_path / "m.toml", tmp_path / "answers.json"
    file.write_text(MODEL + '[[distribution]]\niid = { 0 = "1/2", 1 = "1/2" }\n', encoding="utf-8")
    for more in ([], ["--definition", "dp"]):
        _, text = asked(capsys, "check", str(file), "--observer", "insider", "--gain", "--json", *more)
        assert json.loads(text)["observer"] == "insider"
        answers.write_text(text, encoding="utf-8")
        assert asked(capsys, "verify", str(answers))[0] in (0, 3)
        for other in ('"observer": "insider", ', '"observer": "nobody", '):
            changed = text.replace('"observer": "insider",', "" if "insider" in other else other)
            answers.write_text(changed, encoding="utf-8")
            assert asked(capsys, "verify", str(answers))[0] in (1, 2)


def test_the_sampler_takes_who_sees_a_draw() -> None:
    one, other = pk.sampler(3), pk.sampler(3)
    law: list[tuple[str, list[Any]]] = [
        ("flip", ["1/3"]),
        ("choice", [{1: "1/2", 2: "1/2"}]),
        ("uniform", ["abc"]),
        ("randint", [0, 9]),
    ]
    law += [("binomial", [5, "1/3"]), ("permutation", ["abc"]), ("sample", ["abc", 2]), ("shuffle", ["abc"])]
    law += [("geometric_noise", ["1/2"]), ("exponential_mechanism", [[0, 1], 2])]
    for name, arguments in law:
        given = getattr(one, name)(*arguments, seen_by="insider")
        assert given == getattr(other, name)(*arguments)
    with pytest.raises(pk.PkdpError, match="is not a name"):
        one.flip("1/2", seen_by=3)


# --- families ---------------------------------------------------------------------------------------------------------

FAMILY = """size = 1
values = [0, 1]
[parameters]
p = { from = "0", to = "1" }
q = { from = "0", to = "1" }
[mechanism]
program = '''
def m(db, rng):
    first = rng.flip(p, seen_by="server")
    second = rng.flip(q, seen_by=["insider", "server"])
    return (db[0] + int(first) + int(second)) % 2
'''
"""


@pytest.mark.parametrize(("observer", "holds"), [("insider", "1/4 <= p <= 3/4"), ("server", "no p")])
def test_a_family_is_seen_as_each_of_its_models_is(tmp_path: Path, observer: str, holds: str) -> None:
    """The first flip hides the bit from the insider; the server sees both flips, and nothing is hidden."""
    file = tmp_path / "flips.toml"
    file.write_text(FAMILY, encoding="utf-8")
    family = read_any(str(file))
    assert isinstance(family, Family)
    seen = observed_family(family, observer).fixed({"q": Fraction(1, 3)})
    found = decide_family(seen, "dp", epsilon="ln(3)")
    assert found.text("holds") == holds
    assert found.question_text.endswith(f", seen by {observer}")
    assert found.fields()["observer"] == observer
    for p in map(Fraction, ("0", "1/5", "1/4", "1/2", "3/4", "4/5", "1")):
        model = family.at({"p": p, "q": Fraction(1, 3)})
        alone = pk.check(model, "dp", epsilon="ln(3)", observer=observer)
        assert alone.replayed
        inside = [verdict for verdict, where in found.where.items() if any(one.has(p) for one in where)]
        assert inside == [alone.verdict]


def test_a_family_that_is_fixed_keeps_who_sees_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "flips.toml"
    file.write_text(FAMILY, encoding="utf-8")
    asked = ["check", str(file), "--definition", "dp", "--epsilon", "ln(3)", "--observer", "insider", "--json"]
    found = []
    for sets, status in ((["p=1/5"], 1), (["p=1/4"], 0), (["p=1/5", "q=1/2"], 1)):
        with pytest.raises(SystemExit, match=str(status)):
            run([*asked, *(part for text in sets for part in ("--set", text))])
        found.append(json.loads(capsys.readouterr().out))
    assert [one["observer"] for one in found] == ["insider"] * 3
    assert found[0]["where"]["fails"] == ["0 <= q <= 1"]
    assert found[0]["witness"]["answer"]["observer"] == "insider"
    assert found[0]["tight_epsilon"] == [{"where": "0 <= q <= 1", "value": "ln(4)"}]
    assert found[2]["tight_epsilon"] == "ln(4)"
    assert found[2]["replayed"]
