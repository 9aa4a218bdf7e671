"""Derivations: where they are found, what they share, and what makes them stale."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import z3
from examined import at_least_one

from verifier.errors import InputError
from verifier.model.library import proofs_folder
from verifier.wings.papers.ledger import build, decide, evidence_hashes, read, table
from verifier.wings.papers.ledger.entry import OfDerivation
from verifier.wings.papers.ledger.steps import Step, Underived, assumed, unsatisfiable

ENTRY = """claim = "Theorem 1"
place = "section 1"
statement = "It holds."
[[reading]]
reading = "as printed"
means = "for all"
found = "so"
verdict = "proved"
cases = "one is enough"
[[reading.evidence]]
shows = "claim"
derivation = "{}"
"""


def _written(folder: Path, derivation: str) -> Path:
    path = folder / "DMKB20" / "theorem-1.toml"
    path.write_text(ENTRY.format(derivation))
    return path


def test_a_derivation_of_another_paper_is_named_with_its_folder(folder: Path) -> None:
    (folder / "DKM19" / "sums.py").write_text(
        "from verifier.wings.papers.ledger.steps import equal\ndef right(): return (equal(1 + 1, 2, 'sum'),)\n"
    )
    (evidence,) = read.read_entry(_written(folder, "DKM19/sums.right")).readings[0].evidence
    assert evidence == OfDerivation("claim", "DKM19", "sums", "right")
    assert decide.decide(evidence) == ("sum: 2",)
    assert list(evidence_hashes.Files().contents(evidence)) == ["proofs/DKM19/sums.py", "ledger/steps.py"]
    with pytest.raises(InputError, match=r'elsewhere/sums\.right is not a function\. Expected "module\.function"'):
        read.read_entry(_written(folder, "elsewhere/sums.right"))


def test_a_changed_helper_makes_its_derivations_stale(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The hash of a derivation covers the helpers that it imports, directly or through one of them, and no others."""
    package = "verifier.wings.papers.ledger"
    (folder / "DMKB20" / "two.py").write_text(
        f"from {package}.plain import surely\nfrom {package}.steps import equal\n"
        "def sums(): return (equal(surely(sum)((1, 1)), {2: 1}, 'sum'),)\n"
    )
    _written(folder, "two.sums")
    helpers = tmp_path / "ledger"
    helpers.mkdir()
    for name in ("laws", "plain", "steps", "table"):
        (helpers / f"{name}.py").write_bytes((Path(evidence_hashes.__file__).parent / f"{name}.py").read_bytes())
    monkeypatch.setattr(evidence_hashes, "HELPERS", helpers)
    assert build.main([]) == 0
    record = json.loads((folder / "DMKB20" / "evidence.json").read_text())["entries"]["theorem-1"]["as printed"]
    assert list(record["rests_on"]) == ["ledger/laws.py", "ledger/plain.py", "ledger/steps.py", "proofs/DMKB20/two.py"]
    for name, fresh in (("table", True), ("steps", False), ("laws", False)):
        helper = helpers / f"{name}.py"
        genuine = helper.read_text()
        helper.write_text(genuine + "\n")
        assert [row.fresh for row in table.rows()] == [fresh], name
        helper.write_text(genuine)
        assert [row.fresh for row in table.rows()] == [True], name


def test_derivations_and_their_helpers_share_nothing_with_the_engine() -> None:
    """What derivations import of the package are the helpers, which import nothing of it but each other."""
    allowed = {evidence_hashes.HELPERS / f"{name}.py" for name in ("laws", "plain", "steps")}
    for path in at_least_one([*sorted(proofs_folder().glob("*/*.py")), *allowed]):
        named = re.findall(r"^\s*(?:from|import) (verifier\S*)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(named) == len(evidence_hashes.IMPORTED.findall(path.read_text(encoding="utf-8"))), path
        assert set(evidence_hashes.helpers_of(path)) <= allowed, path


# --- steps that check nothing ----------------------------------------------------------------------------------------


P, Q, R, E = z3.Reals("P Q R E")
CONSTANTS = {"ZERO", "ONE", "HALF", "QUARTER", "THIRD", "TENTH", "TWO", "THREE"}
PROOFS = [path for path in sorted(proofs_folder().glob("*/*.py")) if path.name != "__init__.py"]


@pytest.mark.parametrize(
    ("hypotheses", "negated"),
    [
        ([P <= E * Q], P > Q * E),
        ([P <= E * Q], E * Q < P),
        ([P <= E * Q], z3.Not(P <= E * Q)),
        ([z3.Not(P > Q)], P > Q),
        ([z3.And(P <= Q, Q <= R)], z3.Or(P > Q, R < Q)),
        ([P <= Q, Q <= R], z3.Not(z3.And(P <= Q, Q <= R))),
        ([P + Q == R], R != Q + P),
        ([P > 0], P - Q != P - Q),
        ([P > 0], P * Q > Q * P),
    ],
)
def test_a_conclusion_that_is_assumed_is_refused(hypotheses: list[z3.BoolRef], negated: z3.BoolRef) -> None:
    assert assumed(hypotheses, negated)
    with pytest.raises(Underived, match="the conclusion is one of the hypotheses"):
        unsatisfiable([*hypotheses, negated], "nothing")


@pytest.mark.parametrize(
    ("hypotheses", "negated"),
    [
        ([P <= Q, Q <= R], P > R),
        ([P <= Q], P - Q > 0),
        ([P < Q], P >= Q + 0),
        ([P <= Q, Q <= P], z3.Or(P != Q, P > Q)),
        ([P == 0], P * Q != 0),
    ],
)
def test_what_follows_is_a_step(hypotheses: list[z3.BoolRef], negated: z3.BoolRef) -> None:
    assert not assumed(hypotheses, negated)
    assert isinstance(unsatisfiable([*hypotheses, negated], "it follows"), Step)


def test_hypotheses_that_contradict_each_other_prove_nothing() -> None:
    with pytest.raises(Underived, match="the hypotheses contradict each other"):
        unsatisfiable([P > 0, Q > P, Q < 0, P * R != Q], "anything")


def test_planted_defects_are_found() -> None:
    """From P over Q to R the bound is E²·R; a smaller bound, a missing hypothesis and a wrong sign are found."""
    hypotheses = [E >= 1, Q >= 0, R >= 0, P <= E * Q, Q <= E * R]
    assert unsatisfiable([*hypotheses, P > E * E * R], "two steps") == "two steps: the negation has no real solution"
    for planted in ([*hypotheses, P > E * R], [*hypotheses[:-1], P > E * E * R], [*hypotheses, P <= E * E * R]):
        with pytest.raises(Underived, match="z3 says sat"):
            unsatisfiable(planted, "two steps")


@pytest.mark.parametrize("path", PROOFS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_step_compares_numbers_that_are_written_down(path: Path) -> None:
    """A step of `equal`, `less`, `at_most` or `identity` computes one of its sides, and both are not one text."""
    assert list(_written_down(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "call",
    [
        'at_most(0, 0, "")',
        'less(Fraction(7, 3), Fraction(91, 32), "")',
        'equal((ZERO, 1), [HALF, 2], "")',
        'equal(f(x), f(x), "")',
        'identity(p / q, p / q, "")',
    ],
)
def test_numbers_that_are_written_down_are_seen(call: str) -> None:
    assert list(_written_down(f"def f(): return ({call},)")) == [call.replace('""', "''")]


def _written_down(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="equal" | "less" | "at_most" | "identity"), args=[left, right, _]):
                if ast.dump(left) == ast.dump(right) or (_is_bare(left) and _is_bare(right)):
                    yield ast.unparse(node)


def _is_bare(node: ast.expr) -> bool:
    """Whether an expression is a number, a list of numbers, or a name of one: nothing is computed."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in CONSTANTS
        case ast.UnaryOp(operand=operand):
            return _is_bare(operand)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(map(_is_bare, parts))
        case ast.Call(func=ast.Name(id="Fraction" | "Integer" | "Rational"), args=parts):
            return all(map(_is_bare, parts))
    return False


def test_a_text_of_its_own_is_no_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "DMKB20").mkdir()
    (tmp_path / "DMKB20" / "words.py").write_text(
        "from verifier.wings.papers.ledger.steps import equal\n"
        'def said(): return (equal(1 + 1, 2, "sum"), "and so for every n")\n'
    )
    monkeypatch.setattr(decide, "proofs_folder", lambda: tmp_path)
    with pytest.raises(InputError, match="and so for every n"):
        decide.decide(OfDerivation("claim", "DMKB20", "words", "said"))
