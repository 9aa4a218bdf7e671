"""What the program reads the checker reads alike: each file, and mutants of it that are models still."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from documents import blocks
from mutated import mutants, slips, tables_of
from twin_laws import joined

from verifier.checker.models import Model as Read
from verifier.checker.numbers import BeyondLimits, Unsupported, Wrong
from verifier.checker.reading import MALFORMED
from verifier.errors import InputError, PkdpError
from verifier.model import Model, loads

MODELS = Path(__file__).parents[2] / "models"
PLAIN = {
    str(path.relative_to(MODELS)): text
    for path in sorted(MODELS.rglob("*.toml"))
    if "[parameters]" not in (text := path.read_text(encoding="utf-8")) and len(text) < 20_000
}
EXAMPLES = {
    f"FORMAT.md, block {k}": text
    for k, text in enumerate(blocks("models/FORMAT.md", "toml"), start=1)
    if "[mechanism]" in text
}
FILES = PLAIN | EXAMPLES
LABELS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("models/*.toml"))}
"""Labels that are lists, in several spellings and places, and groups of records."""
MUTANTS, SLIPS, FEW = 16, 4, 2
"""Mutants and slips of a file; fewer of a file of many records."""


def of_program(text: str) -> Model | None:
    """The model that the program reads, if it does."""
    try:
        return loads(text, "m.toml")
    except PkdpError:
        return None


def of_checker(text: str, model: Model) -> str:
    """Why the checker refuses the file, or finds other laws in it; nothing where it does neither."""
    try:
        read = Read(text)
        if read.raw.get("distribution") and few(model):
            assert all(sum(row.probability for row in theta.rows) == 1 for theta in read.thetas())
        return other_laws(read, model) if few(model) else ""
    except (Wrong, *MALFORMED) as reason:
        return str(reason) or "malformed"
    except (BeyondLimits, Unsupported, PkdpError):
        return ""


def other_laws(read: Read, model: Model) -> str:
    """Where the laws of the mechanism differ; nothing where they are the same."""
    values = [value.text for value in model.values]
    first, last = (model.size, model.size) if model.sizes is None else model.sizes
    for row in (row for size in range(first, last + 1) for row in product(range(len(values)), repeat=size)):
        if model.sizes is None or list(row) == sorted(row):
            made = model.mechanism.law(row)
            law = {o.text: Fraction(w, made.denominator) for o, w in made.items() if w}
            if joined(read.mechanism.law(tuple(values[k] for k in row)).chances(), law) != law:
                return f"another law on {row}"
    return ""


def few(model: Model) -> bool:
    """Whether all tables of a model can be compared in a moment."""
    last = model.size if model.sizes is None else model.sizes[1]
    worlds = sum(theta.count() for theta in model.thetas)
    return last <= 12 and len(model.values) ** last <= 1 << 7 and worlds <= 1 << 10


def difference(text: str) -> str:
    """Why the checker reads no such model, or another one; nothing where it does, or the program reads none."""
    model = of_program(text)
    refused = "" if model is None else of_checker(text, model)
    return f"{refused}\n{text}" if refused else ""


@pytest.mark.sweep(16)
@pytest.mark.parametrize("name", FILES)
def test_the_checker_reads_what_the_program_reads(name: str) -> None:
    text, random = FILES[name], Random(name)  # noqa: S311
    tables = tables_of(text)
    many = isinstance(size := tables.get("size"), int) and size > 50
    number, share = (FEW, 1) if many or isinstance(size, list) else (MUTANTS, SLIPS)
    texts = [text, *mutants(tables, random, number), *slips(text, random, share)]
    assert [found for found in map(difference, texts) if found] == []


@pytest.mark.parametrize("name", LABELS)
def test_lists_and_groups_are_read_alike(name: str) -> None:
    """Both readers find the same model, with more than one output."""
    model = of_program(LABELS[name])
    assert isinstance(model, Model)
    assert few(model)
    assert difference(LABELS[name]) == ""
    rows = product(range(len(model.values)), repeat=model.size)
    outputs = {output for row in rows for output, weight in model.mechanism.law(row).items() if weight}
    assert len(outputs) > 1 or name in {"lists-generalized", "lists-recoded"}


@pytest.mark.parametrize("key", ["distribution", "normalization", "expect"])
def test_single_brackets_are_refused_with_a_hint(key: str) -> None:
    text = f'size = 1\nvalues = [0, 1]\n[mechanism]\nkind = "sum"\n[{key}]\niid = {{ 0 = 1 }}\n'
    with pytest.raises(InputError, match=rf"one table.*write \[\[{key}\]\] in double brackets"):
        loads(text)


@pytest.mark.parametrize("key", ["mechanism", "sensitive", "policy", "parameters"])
def test_double_brackets_are_refused_with_a_hint(key: str) -> None:
    with pytest.raises(InputError, match=rf"a list of tables.*write \[{key}\] in single brackets"):
        loads(f'size = 1\nvalues = [0, 1]\n[[{key}]]\nkind = "sum"\n')


@pytest.mark.parametrize(
    "policy",
    [
        'scale = [[["a", "b"], "2"], [["b", "a"], "3"]]',
        'tailored = [["a", ["a"], "2"], ["a", ["a"], "2"]]',
        'statistic = [[["a"], "1"], [["a"], "2"]]',
        'distance = [[["a"], ["b"], "1"], [["b"], ["a"], "2"]]',
    ],
)
def test_two_rows_for_one_thing_are_refused(policy: str) -> None:
    """The program used to take one of them, and said nothing."""
    text = f'size = 1\nvalues = ["a", "b"]\n[mechanism]\nkind = "identity"\n[policy]\n{policy}\n'
    with pytest.raises(InputError, match=r"two rows for one thing|has two distances"):
        loads(text)
