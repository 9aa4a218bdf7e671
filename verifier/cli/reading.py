"""Read the models that a command's arguments name: a file, a bundled model, standard input, or Python code.

Every command reads its models here and nowhere else. What a certificate or a folder names is never read here, so that
neither can lead to Python code that is run.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from verifier.cli.common import Several, about
from verifier.cli.waiting import notice
from verifier.errors import InputError
from verifier.model import Model, loads
from verifier.model.bundled import bundled_file, bundled_names
from verifier.model.parameters import Family, substituted
from verifier.model.read import MAX_FILE_BYTES, SHORTER, STANDARD_INPUT, file_text, loads_any, named, tables_of
from verifier.numbers import rational, shorten
from verifier.numbers.expression import read_expression

DASH = "-"
"""The argument that stands for standard input."""
PYTHON = re.compile(r"(?P<file>.+\.py)(:(?P<name>[^:/\\]+))?", re.DOTALL)
"""An argument that names Python code: FILE.py, or FILE.py:NAME."""
CLAIMS = re.compile(r"\s*(#.*\n\s*)*\[\[claim\]\]")
"""The first lines of a file of claims."""
NO_MECHANISM = '\n[mechanism]\nkind = "constant"\noutput = 0\n'
"""The lines that stand for a missing mechanism, where the answer is about all mechanisms."""


Source = TypeVar("Source", Model, Model | Family)


def is_python(argument: str) -> bool:
    """Whether an argument names a Python file: FILE.py, or FILE.py:NAME.

    >>> is_python("own.py"), is_python("own.py:vote"), is_python("own.toml"), is_python("py")
    (True, True, False, False)
    """
    return PYTHON.fullmatch(argument) is not None


def own_model(argument: str) -> Model:
    """Run the Python file that an argument names, and return the model that it makes."""
    from verifier.cli import own_code

    return own_code.own_model(argument)


def read_model(argument: str, *, needs_mechanism: bool = True) -> Model:
    """Return the model that an argument names: a file, a bundled model, standard input, or a Python file.

    Raises:
        InputError: where there is no such file, or it is no model.
        UnsupportedError: for a family.
        LimitError: where the model is larger than the stated limits.

    """
    return _read(argument, loads, needs_mechanism=needs_mechanism)


def read_source(argument: str, *, needs_mechanism: bool = False) -> Model | Family:
    """Return the model that an argument names, or the family, where it has `[parameters]`; errors as `read_model`."""
    return _read(argument, loads_any, needs_mechanism=needs_mechanism)


def _read(argument: str, read: Callable[[str, str], Source], *, needs_mechanism: bool) -> Source:
    """Return what `read` makes of the text that an argument names.

    Where the answer is about all mechanisms, one of no information stands for a missing one. The hash is that of the
    file's own text, and a certificate names no file without a mechanism.
    """
    if is_python(argument):
        return own_model(argument)
    text, path = model_text(argument)
    if CLAIMS.match(text):
        tip = f"pkdp check --claims {argument}"
        raise InputError("the file has claims, and is not a model", where=path, wanted="a model file", tip=tip)
    if needs_mechanism or "mechanism" in tables_of(text, path):
        return read(text, path)
    source, digest = read(text + NO_MECHANISM, path), hashlib.sha256(text.encode()).hexdigest()
    if isinstance(source, Model):
        return replace(source, sha256=digest, text="")
    make = source.make
    return replace(source, sha256=digest, make=lambda tables: replace(make(tables), sha256=digest))


def model_text(argument: str) -> tuple[str, str]:
    """Return the text of a model file, of a bundled model or of standard input, and the path that messages name."""
    if argument == DASH:
        return _standard_input(), STANDARD_INPUT
    path = located(argument)
    return file_text(path), path


def file_of(argument: str) -> str | int:
    """The file that an argument names: its path, which need not be there, or 0 for standard input."""
    if argument == DASH:
        return 0
    if python := PYTHON.fullmatch(argument):
        return python["file"]
    try:
        return located(argument)
    except InputError:
        return argument


def _standard_input() -> str:
    """Return the text of standard input, within the limits of a model file."""
    wanted = "the text of a model file"
    if sys.stdin is None:
        raise InputError("it is closed", where=STANDARD_INPUT, wanted=wanted)
    if sys.stdin.isatty():
        notice("reading a model from the terminal; Ctrl-D on an empty line ends it")
    try:
        content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            wanted = f"at most {MAX_FILE_BYTES:,}"
            raise InputError(
                f"it has more than {MAX_FILE_BYTES:,} bytes", where=STANDARD_INPUT, wanted=wanted, tip=SHORTER
            )
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where=STANDARD_INPUT, wanted=wanted) from None
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=STANDARD_INPUT, wanted=wanted) from None


def refuse_twice(arguments: Sequence[str]) -> None:
    """Refuse a command that names standard input more than once: it can be read only once."""
    if arguments.count(DASH) > 1:
        raise InputError("- is given more than once", where=STANDARD_INPUT, wanted="- once: it can be read only once")


def read_set(path: str, sets: Sequence[str]) -> Model | Family:
    """Return the model or family in a file, with the parameters that `--set` names fixed.

    Raises:
        InputError: for an assignment that is no `name=value`, and for a value outside the range.

    """
    return fixed(read_source(path, needs_mechanism=True), sets)


def fixed(source: Model | Family, sets: Sequence[str]) -> Model | Family:
    """Return a model or family with the parameters that `--set` names fixed; errors as `read_set`."""
    values = dict(assigned(assignment) for assignment in sets)
    if isinstance(source, Model):
        for assignment in sets:
            raise InputError(
                f"--set {assignment} has no parameter to set", where=source.path, wanted="a model with [parameters]"
            )
        return source
    if len(values) < len(sets):
        raise InputError("a parameter is given twice", where="--set", wanted="one value for each")
    if values.keys() == set(source.names):
        setting = ", ".join(f"{name} = {values[name]}" for name in source.names)
        return named(source.at(values), setting)
    if not values:
        return source
    family = source.fixed(values)
    return replace(family, title=f"{family.title} ({', '.join(f'{name} = {value}' for name, value in values.items())})")


def assigned(assignment: str) -> tuple[str, Fraction]:
    """The name and the value of an assignment `p=1/7`."""
    name, equals, text = assignment.partition("=")
    if not equals or not name.strip():
        raise InputError(
            f"{shorten(assignment)} is not an assignment", where="--set", wanted="a name and a value, such as p=1/7"
        )
    return name.strip(), rational(text.strip(), "--set", f"a value for {name.strip()}")


def with_values(text: str, sets: Sequence[str], where: str) -> str:
    """Return an ε or a δ with the values of `--set` in place of the parameters that it names.

    >>> with_values("4*ln(1/z)", ["z=1/2"], ""), with_values("1 - z", ["z=1/3"], ""), with_values("ln(2)", ["z=1"], "")
    ('4*ln(2)', '2/3', 'ln(2)')

    Raises:
        InputError: for an expression that is none, and for one that divides by 0 there.

    """
    values = dict(assigned(assignment) for assignment in sets)
    if not values.keys() & set(WORD.findall(text)):
        return text
    logarithm = LOGARITHM.fullmatch(text)
    before, inner, after = logarithm.groups() if logarithm else ("", text, "")
    expression = read_expression(inner, where)
    with about(where):
        return f"{before}{substituted(expression, values).text}{after}"


WORD = re.compile(r"[^\W\d]\w*")
LOGARITHM = re.compile(r"(.*?\bln\s*\()(.*)(\)[^()]*)")
"""What stands before, in and after the brackets of `4*ln(1/z)`."""


def read_files(paths: Sequence[str], sets: Sequence[str], several: Several | None) -> tuple[list[Family], list[Model]]:
    """Return the families and the models in the files; one of the two lists is empty. Each file is read once.

    Raises:
        InputError: for models and families in one question, and for a wrong file, where `several` does not report it.

    """
    if len({assigned(assignment)[0] for assignment in sets}) < len(sets):
        raise InputError("a parameter is given twice", where="--set", wanted="one value for each")
    refuse_twice(paths)
    sources = []
    for path in paths:
        location = STANDARD_INPUT if path == DASH else path
        with several.file(location) if several else about(location):
            sources.append(read_set(path, sets))
    families = [source for source in sources if isinstance(source, Family)]
    if families and len(families) < len(sources):
        raise InputError("models and families are given together", wanted="files with [parameters], or files without")
    return families, [source for source in sources if isinstance(source, Model)]


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,199}")
"""The form that the name of a bundled model has."""


SUFFIXES = frozenset({".toml", ".py", ".json"})
"""The suffixes of files that commands read; a text with one of them is never the name of a bundled model."""


def located(place: str) -> str:
    """Return the path of a model file: the given one where there is a file, else the bundled model of that name.

    Raises:
        InputError: for a name that stands for no bundled model, or for several.

    """
    if os.path.lexists(place) or not NAME.fullmatch(place):
        return place
    if Path(place).suffix not in SUFFIXES:
        return _from_here(bundled_file(place))
    name = place.removesuffix(".toml").removeprefix("models/")
    if place.endswith(".toml") and bundled_names(name):
        tip = f"{name}, without .toml, is a model that comes with the program"
        raise InputError("there is no such file", where=place, wanted="a model file", tip=tip)
    return place


def _from_here(path: Path) -> str:
    """A path as it is typed from the current folder, where it lies below that."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
