"""The models of an exchange rate, which need no mechanism: one for each value of a parameter."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from verifier.cli.own_code import is_python, own_model
from verifier.cli.reading import fixed, model_text
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.model.read import tables_of
from verifier.model.read_family import loads_any

NO_MECHANISM = '\n[mechanism]\nkind = "constant"\noutput = 0\n'
"""The lines that stand for a missing mechanism: the answer is about all mechanisms."""
MOST_MODELS = 1_024
"""Largest number of models of one question."""


def read_source(argument: str) -> Model | Family:
    """Return the model or family that an argument names; its mechanism plays no part and may be absent.

    Raises:
        InputError, LimitError: as for other commands.

    """
    if is_python(argument):
        return own_model(argument)
    text, path = model_text(argument)
    if "mechanism" in tables_of(text, path):
        return loads_any(text, path)
    source = loads_any(text + NO_MECHANISM, path)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if isinstance(source, Model):
        return replace(source, sha256=digest, text="")
    make = source.make
    return replace(source, sha256=digest, make=lambda tables: replace(make(tables), sha256=digest))


def read_models(argument: str, sets: Sequence[str]) -> list[tuple[dict[str, str], Model]]:
    """Return the models of a question, each with its values of the parameters that have several.

    `sets` are assignments `p=1/7`; one name given several times makes one model for each value, in the order given.

    Raises:
        InputError: for an invalid assignment.
        UnsupportedError: for a parameter without a value.
        LimitError: for more than `MOST_MODELS` models.

    """
    from verifier.errors import LimitError

    source = read_source(argument)
    choices: dict[str, list[str]] = {}
    for assignment in sets:
        choices.setdefault(assignment.partition("=")[0].strip(), []).append(assignment)
    number = 1
    for assignments in choices.values():
        number *= len(assignments)
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
                assignment for assignment in chosen if assignment.partition("=")[0].strip() not in several
            )
            title = model.title if not several else f"{source.title} ({alike})" if alike else source.title
            model = replace(model, title=title, text="")  # the file is no model: a certificate names none
        models.append(({name: values[name] for name in several}, model))
    return models
