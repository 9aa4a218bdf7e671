"""Reading the model files that a command is given, with the parameters that `--set` fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.cli.common import Several, about
from verifier.errors import InputError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.model.read_family import named, read_any
from verifier.numbers import rational, shorten


def read_set(path: str, sets: Sequence[str]) -> Model | Family:
    """What a file holds, with the parameters that `--set` names fixed.

    Raises:
        InputError: for what is no `name=value`, and a value outside the range.

    """
    found = read_any(path)
    values = dict(_value(one) for one in sets)
    if isinstance(found, Model):
        for one in sets:
            raise InputError(f"given --set {one}", where=path, wanted="a model with [parameters]")
        return found
    if len(values) < len(sets):
        raise InputError("given a parameter twice", where="--set", wanted="one value for each")
    if values.keys() == set(found.names):
        shown = ", ".join(f"{name} = {values[name]}" for name in found.names)
        return named(found.at(values), shown)
    if not values:
        return found
    left = found.fixed(values)
    return replace(left, title=f"{left.title} ({', '.join(f'{name} = {value}' for name, value in values.items())})")


def _value(given: str) -> tuple[str, Fraction]:
    name, equals, text = given.partition("=")
    if not equals or not name.strip():
        raise InputError(f"given {shorten(given)}", where="--set", wanted="a name and a value, such as p=1/7")
    return name.strip(), rational(text.strip(), "--set", f"a value for {name.strip()}")


def given_files(
    paths: Sequence[str], sets: Sequence[str], several: Several | None = None
) -> tuple[list[Family], list[Model]]:
    """What the files hold, each read once: families or models, never both.

    Raises:
        InputError: for models and families in one question, and for a wrong file, where `several` does not say it.

    """
    if len({_value(one)[0] for one in sets}) < len(sets):
        raise InputError("given a parameter twice", where="--set", wanted="one value for each")
    found = []
    for path in paths:
        with several.file(path) if several else about(path):
            found.append(read_set(path, sets))
    families = [one for one in found if isinstance(one, Family)]
    if families and len(families) < len(found):
        raise InputError("given models and families", wanted="files with [parameters], or files without")
    return families, [one for one in found if isinstance(one, Model)]


def refuse_options(families: Sequence[Family], given: Mapping[str, bool]) -> None:
    """Refuse options that say nothing about a family.

    Raises:
        InputError: with the option.

    """
    for option, used in given.items():
        if used:
            raise InputError(
                f"given {option}",
                where=str(families[0].place),
                wanted="one model",
                tip=f"fix each parameter: --set {families[0].names[0]}=1/7",
            )
