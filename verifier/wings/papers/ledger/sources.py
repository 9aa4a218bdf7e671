"""The sources of the numbers in a reading's sentences: its evidence, its inputs and the paper's text.

Evidence is what was recorded (answers, steps of derivations, certificates, a written proof); inputs are a model file,
the arguments of a search or of a bound, and the constants of a derivation; the text is what the paper states.
"""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from verifier.model.library import models_folder, proofs_folder
from verifier.wings.papers.ledger import laws
from verifier.wings.papers.ledger.entry import (
    ClaimReading,
    Entry,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfSearch,
    OfTheorem,
)
from verifier.wings.papers.ledger.evidence_hashes import BoundReading, certificate_path, certificates_in
from verifier.wings.papers.ledger.numerals import Numeral, numerals
from verifier.wings.papers.ledger.proof_pages import section
from verifier.wings.papers.theorems import statement

PROSE = ("title", "source", "notes", "expect")
"""Keys of a model file that are no inputs: prose, and expected answers that the entry did not ask for."""
ANSWERS = ("question", "answer", "answers", "scope", "models", "orbits", "optimum")
"""Keys of a certificate that hold its question and its answer."""


class Sources:
    """The numbers that a reading may state; certificates are read only where nothing before them has the number."""

    def __init__(self, entry: Entry, reading: ClaimReading, record: BoundReading) -> None:
        """Collect the numbers of the recorded lines, of the inputs, and of the paper's text."""
        self.record = record
        texts = [entry.statement, entry.place, entry.claim, reading.part, reading.reading]
        recorded = [line for lines in record.said for line in lines]
        self.numbers = [number for text in (*texts, *recorded) for number in numerals(text)]
        for evidence in reading.evidence:
            self.numbers += inputs(evidence)
        self.values = {number.value for number in self.numbers}

    def stated(self, text: str) -> Iterator[Numeral]:
        """The numbers of a sentence that need a source: all but the constants 0 and 1 of formulas."""
        return (number for number in numerals(text) if not number.is_constant)

    def has(self, number: Numeral) -> bool:
        """Whether one of the sources has this number, or one that rounds to it."""
        if number.value in self.values or _met(number, self.numbers):
            return True
        return any(_met(number, _in_certificate(name)) for name in certificates_in(self.record))

    def add(self, text: str) -> None:
        """Add the numbers of a checked sentence as sources of the later sentences."""
        self.numbers += numerals(text)
        self.values = {number.value for number in self.numbers}


def _met(number: Numeral, sources: Iterable[Numeral]) -> bool:
    return any(number.is_met_by(recorded) for recorded in sources)


def inputs(evidence: Evidence) -> tuple[Numeral, ...]:
    """The numbers in the inputs of a piece of evidence, such as its model file, its questions or its constants."""
    match evidence:
        case OfModel():
            questions = [dict(expectation.question) for expectation in evidence.asks]
            return (*_in_model(models_folder() / f"{evidence.model}.toml"), *_in_data(questions))
        case OfSearch():
            return _in_data([dict(evidence.search), evidence.models])
        case OfBound():
            return _in_data([{key: list(texts) for key, texts in evidence.given.items()}, evidence.rows])
        case OfDerivation():
            path = proofs_folder() / evidence.paper / f"{evidence.module}.py"
            return constants(path.read_text(encoding="utf-8"), evidence.function)
        case OfTheorem():
            return tuple(numerals(statement(evidence.file, evidence.name)))
        case OfProof():
            return tuple(numerals(section(evidence)))


def _in_data(data: Any) -> tuple[Numeral, ...]:
    return tuple(numerals(json.dumps(data, ensure_ascii=False, default=str)))


@cache
def _in_model(path: Path) -> tuple[Numeral, ...]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return _in_data({key: value for key, value in data.items() if key not in PROSE})


@cache
def _in_certificate(name: str) -> tuple[Numeral, ...]:
    path = certificate_path(name)
    content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return _in_data([content.get(key) for key in ANSWERS])


@cache
def constants(source: str, function: str) -> tuple[Numeral, ...]:
    r"""The numbers written in a function and in the module's names that it uses, without docstrings.

    >>> source = "HALF = Fraction(1, 2)\ndef f():\n    'By 7.'\n    return HALF + 3"
    >>> [number.text for number in constants(source, "f")]
    ['3', '1/2']
    """
    module = ast.parse(source)
    named = dict(_definitions(module)) | _constants_of_laws(module)
    texts, visited, left = list[str](), set[str](), [function]
    while left:
        name = left.pop()
        if name in visited or name not in named:
            continue
        visited.add(name)
        left += [node.id for node in ast.walk(named[name]) if isinstance(node, ast.Name)]
        texts += _stated(named[name])
    return tuple(number for text in texts for number in numerals(text))


def _definitions(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """The definitions of a module by name; functions without their docstrings."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if ast.get_docstring(node):
                node.body = node.body[1:]
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for node_of_target in ast.walk(target):
                    if isinstance(node_of_target, ast.Name):
                        yield node_of_target.id, node.value


def _constants_of_laws(module: ast.Module) -> dict[str, ast.AST]:
    """The constants that a module imports of the laws that derivations share, by name: 1/2 is written there as HALF."""
    names = {alias.name for node in module.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    return {name: value for name, value in _laws().items() if name in names}


@cache
def _laws() -> dict[str, ast.expr]:
    tree = ast.parse(Path(laws.__file__).read_text(encoding="utf-8"))
    return {
        name.id: value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Tuple)
        for name, value in zip(node.targets[0].elts, node.value.elts, strict=True)
        if isinstance(name, ast.Name)
    }


def _stated(node: ast.AST) -> Iterator[str]:
    """The numbers of a program: integers, texts that are numbers, fractions and powers as one number each."""
    match node:
        case ast.Call(
            func=ast.Name(id="Fraction" | "Rational"),
            args=[ast.Constant(value=int(above)), ast.Constant(value=int(below))],
        ):
            yield f"{above}/{below}"
        case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Pow(), right=ast.Constant(value=int(power))):
            yield f"{base}^{power}"
        case ast.Constant(value=str(text)) if any(number.text == text for number in numerals(text)):
            yield text
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield str(value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _stated(child)
