"""A program has two readings, and they agree: its text interpreted, and the Python function run path by path.

Three sources of programs: random ones, which return all their variables, the directed ones of `rules.toml`, one for
each rule of what equal states are, and the claims of reviewers of `claims.toml`.
"""

from __future__ import annotations

import itertools
import linecache
import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from random_programs import random_program

import verifier as pk
from verifier.programs import Interpreter, Source
from verifier.tables import label

HERE = Path(__file__).parent
RULES = tomllib.loads((HERE / "rules.toml").read_text(encoding="utf-8"))["rule"]
CLAIMS = tomllib.loads((HERE / "claims.toml").read_text(encoding="utf-8"))["claim"]
DATABASES = ((0, 1, 2), (1, 1, 0))
A_BLOCK = 10
"""Programs of one case; the sweep has 160 cases."""
BY_TEXT_ALONE = "infinitely many results|a path has more than|draws have more than|paths have more than"
"""What Python functions cannot do: noise without ends, and loops that are left by chance."""
Law = dict[str, Fraction]


def interpreted(text: str, database: Any) -> Law:
    law: Law = {}
    for output, p in Interpreter(Source(text, "program")).law(database):
        name = label(output).text
        law[name] = law.get(name, Fraction(0)) + p
    return law


def python(text: str) -> Callable[..., object]:
    """The last function of a text as Python has it, with its source where a module's would be."""
    name = f"<program {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"F": Fraction, "Fraction": Fraction}
    exec(compile(text, name, "exec"), space)  # noqa: S102 - a program of these tests
    return next(value for value in reversed(space.values()) if callable(value))  # type: ignore[no-any-return]


def run(text: str, database: Any) -> Law:
    try:
        return pk.program(python(text)).law(database)
    finally:
        linecache.clearcache()


def answer(reading: Callable[[str, Any], Law], text: str, database: Any) -> Law | str:
    """The law, or the kind of refusal: an error of the program itself is one in both readings."""
    try:
        return reading(text, database)
    except pk.LimitError:
        return "too large"
    except (pk.PkdpError, TypeError, IndexError, KeyError, ValueError, ZeroDivisionError):
        return "refused"


@pytest.mark.sweep(100)
@pytest.mark.parametrize("block", range(160))
def test_random_programs_have_one_law_in_both_readings(block: int) -> None:
    """Python takes no fraction as an index, also where it is a whole number; the interpreter does."""
    laws, refused = [], 0
    for seed, database in itertools.product(range(block * A_BLOCK, (block + 1) * A_BLOCK), DATABASES):
        text = random_program(seed)
        one, other = answer(interpreted, text, database), answer(run, text, database)
        if isinstance(other, str):
            refused += 1
        assert one == other or (other == "refused" and isinstance(one, dict)), f"seed {seed} on {database}\n{text}"
        if isinstance(one, dict):
            assert sum(one.values()) == 1
            laws.append(tuple(sorted(one.items())))
    assert refused <= A_BLOCK
    assert len(set(laws)) > A_BLOCK, "the programs are too much alike"


def test_random_programs_are_many_and_have_many_outputs() -> None:
    """What the generator makes: 200 programs, of which few are refused, few have one output, and few share a law."""
    laws = [answer(interpreted, random_program(seed), DATABASES[0]) for seed in range(200)]
    known = [law for law in laws if isinstance(law, dict)]
    assert len(known) >= 190
    assert len({tuple(sorted(law.items())) for law in known}) >= 180
    assert sum(len(law) > 1 for law in known) >= 100
    words = ("break", "continue", "else:", "while ", "lambda", "h0(", ".append(", "rng.permutation", "in sorted(s)")
    texts = [random_program(seed) for seed in range(200)]
    assert all(sum(word in text for text in texts) >= 10 for word in words)


@contextmanager
def left_to_the_text(text: str) -> Iterator[None]:
    """A program that is left by chance, or has noise without ends, may be refused as such; no other one may."""
    without_ends = any("," not in call for call in re.findall(r"\.geometric(?:_noise)?\(([^)]*)\)", text))
    try:
        yield
    except pk.PkdpError as error:
        if not ("while" in text or without_ends) or not re.search(BY_TEXT_ALONE, str(error)):
            raise


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["name"])
def test_directed_programs_have_one_law_in_both_readings(rule: dict[str, Any]) -> None:
    with left_to_the_text(rule["program"]):
        law = run(rule["program"], rule.get("on", [0]))
        assert law == {output: Fraction(p) for output, p in rule["law"].items()}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["name"])
def test_claims_of_reviewers_hold_of_the_functions_too(claim: dict[str, Any]) -> None:
    policy: dict[str, Any] = {"policy": {"neighbours": claim["neighbours"]}} if "neighbours" in claim else {}
    policy |= {"distribution": {"iid": claim["iid"]}} if "iid" in claim else {}
    with left_to_the_text(claim["program"]):
        model = pk.build(size=claim["size"], values=claim["values"], mechanism=python(claim["program"]), **policy)
        epsilon = pk.check(model, claim["definition"], delta=claim["delta"]).tight_epsilon
        delta = pk.check(model, claim["definition"], epsilon=claim["epsilon"]).tight_delta
        assert (str(epsilon), str(delta)) == (claim["smallest_epsilon"], claim["smallest_delta"])
