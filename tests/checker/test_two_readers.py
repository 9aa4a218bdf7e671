"""The program and the independent checker accept the same model files, and read the same models in them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from documents import blocks
from mutated import mutants, slips, tables_of

from verifier.checker import Rejected, reading
from verifier.checker.model.file import File
from verifier.checker.model.file_agreement import compare
from verifier.checker.model.labels import Uncovered
from verifier.engine import Engine
from verifier.errors import InexactError, InputError, PkdpError
from verifier.evidence import schemes
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


def of_program(text: str) -> Model | str | None:
    """The model that the program reads; why not; None where a limit, or a family, leaves that open."""
    try:
        return loads(text, "m.toml")
    except (InputError, InexactError) as error:
        return str(error)
    except PkdpError:
        return None


def of_checker(text: str, model: Model | str) -> str:
    """Why the checker refuses the file, or finds another model in it; nothing where it does neither."""
    try:
        with reading("the file cannot be read"):
            File(text.encode(), None).whole()
        if isinstance(model, Model) and few(model):
            compare(schemes.tables(Engine(model)), text.encode(), None)
    except Rejected as reason:
        return str(reason)
    except (Uncovered, PkdpError):
        pass
    return ""


def few(model: Model) -> bool:
    """Whether all tables of a model can be compared in a moment."""
    last = model.size if model.sizes is None else model.sizes[1]
    worlds = sum(theta.count() for theta in model.thetas)
    return last <= 12 and len(model.values) ** last <= 1 << 7 and worlds <= 1 << 10


def difference(text: str) -> str:
    """What one reader refuses and the other does not; nothing where they agree."""
    model = of_program(text)
    if model is None:
        return ""
    refused = of_checker(text, model)
    if isinstance(model, Model) == (not refused):
        return ""
    return f"program: {'accepted' if isinstance(model, Model) else model}; checker: {refused or 'accepted'}\n{text}"


@pytest.mark.sweep(16)
@pytest.mark.parametrize("name", FILES)
def test_both_readers_accept_the_same_files(name: str) -> None:
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


@pytest.mark.parametrize("epsilon", ["ln(2) x", "ln(2)*", "ln(2)*ln(3)", "1/2*ln(2)/0", "-ln(2)", "ln(0)", "", "x"])
def test_both_readers_refuse_an_expected_epsilon_that_is_none(epsilon: str) -> None:
    start = (
        'size = 1\nvalues = [0, 1]\n[mechanism]\nkind = "identity"\n[[expect]]\ndefinition = "dp"\nverdict = "fails"\n'
    )
    for text, accepted in (("1/2*ln(2)", True), (epsilon, False)):
        found = of_program(written := f'{start}epsilon = "{text}"\n')
        assert found is not None
        assert isinstance(found, Model) == accepted
        assert (not of_checker(written, found)) == accepted


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
def test_two_rows_for_one_thing_are_refused_by_both(policy: str) -> None:
    """The program used to take one of them, and said nothing."""
    text = f'size = 1\nvalues = ["a", "b"]\n[mechanism]\nkind = "identity"\n[policy]\n{policy}\n'
    model = of_program(text)
    assert "two rows for one thing" in str(model) or "has two distances" in str(model)
    assert of_checker(text, "") != ""
