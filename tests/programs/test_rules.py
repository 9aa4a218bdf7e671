"""What a program means: directed programs with their laws by hand, and the claims of reviewers, decided as they stand.

The rules stand in `rules.toml`, one or more programs for each. The claims stand in `claims.toml`: bug reports of
libraries and exercises of courses as programs, with the exact answer that was derived by hand.
"""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.programs import Interpreter, Source
from verifier.recheck import text_of
from verifier.tables import label

HERE = Path(__file__).parent
RULES = tomllib.loads((HERE / "rules.toml").read_text(encoding="utf-8"))["rule"]
CLAIMS = tomllib.loads((HERE / "claims.toml").read_text(encoding="utf-8"))["claim"]


def law_of(text: str, database: list[Any]) -> dict[str, Fraction]:
    """The law of a program on a database, by the texts of the outputs."""
    law: dict[str, Fraction] = {}
    for output, chance in Interpreter(Source(text, "program")).law(database):
        name = label(output).text
        law[name] = law.get(name, Fraction(0)) + chance
    return law


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["name"])
def test_a_program_means_what_its_rule_says(rule: dict[str, Any]) -> None:
    law = law_of(rule["program"], rule.get("on", [0]))
    assert law == {output: Fraction(chance) for output, chance in rule["law"].items()}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["name"])
def test_a_claim_is_decided_as_it_stands(
    claim: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line, on a model file with the program of the claim."""
    file = tmp_path / "model.toml"
    policy = f'[policy]\nneighbours = "{claim["neighbours"]}"\n' if "neighbours" in claim else ""
    if "iid" in claim:
        law = ", ".join(f'{value} = "{chance}"' for value, chance in claim["iid"].items())
        policy += f"[[distribution]]\niid = {{ {law} }}\n"
    head = f"size = {claim['size']}\nvalues = {json.dumps(claim['values'])}\n"
    file.write_text(f"{head}[mechanism]\nprogram = '''\n{claim['program']}'''\n{policy}", encoding="utf-8")
    for asked, expected in (("delta", "epsilon"), ("epsilon", "delta")):
        arguments = ["check", str(file), "--definition", claim["definition"], f"--{asked}", claim[asked], "--json"]
        with pytest.raises(SystemExit):
            run(arguments)
        answer = json.loads(capsys.readouterr().out)
        assert answer[f"tight_{expected}"] == claim[f"smallest_{expected}"], asked


BY_SIZE = """
def m(db, rng):
    size = rng.binomial(3, "1/2")
    return sum(rng.sample(db, size))
"""
BY_RECORD = """
def m(db, rng):
    return sum(x for x in db if rng.flip("1/2"))
"""


def test_a_sample_by_records_and_one_by_its_size_are_one_mechanism() -> None:
    """The claim poisson-by-size: two programs have one law on each of eight databases, and so has the checker's."""
    models = [pk.build(size=3, values=[0, 1], mechanism={"program": text}) for text in (BY_SIZE, BY_RECORD)]
    one, other = ([model.mechanism.law(d) for d in product((0, 1), repeat=3)] for model in models)
    assert one == other
    answers = [pk.check(model, "dp", epsilon="ln(2)") for model in models]
    assert [answer.replayed for answer in answers] == [True, True]
    assert answers[0].tight_delta == answers[1].tight_delta


def test_many_records_are_merged_into_few_states() -> None:
    """Sixty coins have 2^60 paths; the sum of a fold, a counter and a sorted list have at most 61 states."""
    counter = "def m(db, rng):\n    n = 0\n    for x in db:\n        n += rng.flip(1/2)\n    return n\n"
    fold = "def m(db, rng):\n    return sum(rng.flip(1/2) for x in db)\n"
    ordered = (
        "def m(db, rng):\n    xs = []\n    for x in db:\n        xs = sorted(xs + [rng.flip(1/2)])\n"
        "    return sum(xs)\n"
    )
    helper = (
        "def coin(x, rng):\n    y = rng.flip(1/2)\n    return y\n\n\n"
        "def m(db, rng):\n    n = 0\n    for x in db:\n        n += coin(x, rng)\n    return n\n"
    )
    laws = [law_of(text, [0] * 20) for text in (counter, fold, ordered, helper)]
    assert laws[0]["0"] == Fraction(1, 2**20)
    assert all(law == laws[0] for law in laws)
    assert len(law_of(counter, [0] * 60)) == 61


def test_variables_that_nobody_reads_again_are_no_states() -> None:
    text = "def m(db, rng):\n" + "".join(f"    x{k} = rng.flip(1/2)\n" for k in range(40)) + "    return x39\n"
    assert law_of(text, [0]) == {"true": Fraction(1, 2), "false": Fraction(1, 2)}


def test_the_text_of_a_program_is_kept() -> None:
    """In Python, in the tables of the model, and in the file that is written of it."""
    text = 'def m(db, rng):\n    """Says "yes" or \\\\."""\n    return "yes" if rng.flip(1/3) else db[0]\n'
    model = pk.build(size=1, values=["no"], mechanism={"program": text})
    again = pk.loads(text_of(model)[0])
    assert tomllib.loads(again.text)["mechanism"]["program"] == text
    assert again.mechanism.law((0,)) == model.mechanism.law((0,))
    assert model.mechanism.title == "program m"
