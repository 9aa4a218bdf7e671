"""What `pkdp claims --bound` can be asked: an option for each parameter of a bound, and one for its reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast

import typer

from verifier.wings.papers.bounds.parameters import PARAMETERS

READING = "reading"
"""The option that chooses one reading of a bound; the other options are its parameters."""
METAVARS = {"epsilon": "ε", "delta": "δ", READING: "NAME"}
"""What the help shows for the values of options that are no number."""
Typed = TypeVar("Typed", bound=type)


def _field(name: str) -> str:
    return f"bound_{name.replace('-', '_')}"


def with_bound_options(typed: Typed) -> Typed:
    """Return what can be typed, with an option for each parameter of a bound and for its reading."""
    annotations = {
        _field(name): Annotated[
            str | None,
            typer.Option(f"--{name}", metavar=METAVARS.get(name.partition("-")[0], "NUMBER"), help=text),
        ]
        for name, text in {**PARAMETERS, READING: "name of one reading; default: all"}.items()
    }
    # Not `make_dataclass`, which from Python 3.12 on puts the class into this module: the annotations of its bases are
    # texts that only their own module can read.
    namespace = {"__doc__": typed.__doc__, "__module__": typed.__module__, "__annotations__": annotations}
    groups = {"Options": "", "With --bound": " ".join(annotations)}
    made = type(typed.__name__, (typed,), {**namespace, "GROUPS": groups, **dict.fromkeys(annotations)})
    return cast(Typed, dataclass(frozen=True)(made))


def given_of(typed: Any) -> Mapping[str, str]:
    """The texts of the parameters, and of the reading, that were typed, by their names."""
    texts = {name: getattr(typed, _field(name)) for name in (*PARAMETERS, READING)}
    return {name: text for name, text in texts.items() if text is not None}
