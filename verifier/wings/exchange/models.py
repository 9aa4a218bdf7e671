"""The models of an exchange rate, which need no mechanism: one for each value of a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

from verifier.cli.reading import assigned, fixed, read_source
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family

MOST_MODELS = 1_024
"""Largest number of models of one question."""


def read_models(argument: str, sets: Sequence[str]) -> list[tuple[dict[str, str], Model]]:
    """Return the models of a question, each with its values of the parameters that have several.

    `sets` are assignments `p=1/7`; one name given several times makes one model for each value, in the order given.

    Raises:
        InputError: for an invalid assignment.
        UnsupportedError: for a parameter without a value.
        LimitError: for more than `MOST_MODELS` models.

    """
    source = read_source(argument)
    choices: dict[str, list[str]] = {}
    for assignment in sets:
        choices.setdefault(assignment.partition("=")[0].strip(), []).append(assignment)
    number = prod(map(len, choices.values()))
    if number > MOST_MODELS:
        raise LimitError(f"--set names {number:,} models", wanted=f"at most {MOST_MODELS:,}")
    several = [name for name, assignments in choices.items() if len(assignments) > 1]
    models = []
    for chosen in product(*choices.values()):
        model = fixed(source, chosen)
        if isinstance(model, Family):
            raise UnsupportedError(
                f"the file is a family of models: {', '.join(model.names)} {'have' if len(model.names) > 1 else 'has'} "
                "no value",
                wanted="one model",
                tip=f"--set {model.names[0]}=1/7, again for one row each",
            )
        values = dict(zip(choices, (assignment.partition("=")[2].strip() for assignment in chosen), strict=True))
        if isinstance(source, Family):
            alike = ", ".join(
                assignment for name, assignment in zip(choices, chosen, strict=True) if name not in several
            )
            title = model.title if not several else f"{source.title} ({alike})" if alike else source.title
            model = replace(model, title=title, text="")  # the file is no model: a certificate names none
        models.append(({name: values[name] for name in several}, model))
    return models


def one_model(argument: str, sets: Sequence[str], asked: str) -> Model:
    """Return the model of a question that takes one; `asked` says of which question, as in `for a curve`.

    Raises:
        InputError: for several values of a parameter.

    """
    (_, model), *others = read_models(argument, sets)
    if others:
        wanted = f"one value of each parameter {asked}"
        raise InputError(f"there are {1 + len(others)} models", where="--set", wanted=wanted)
    return model


def set_values(sets: Sequence[str]) -> dict[str, str]:
    """The values of the parameters, exactly, as a certificate names them; each name is given once."""
    return {name: str(value) for name, value in map(assigned, sets)}
