"""`pkdp relations --axioms AXIOM MODEL --with FILE`: whether a definition keeps an axiom on one model, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.cli.common import about
from verifier.cli.reading import read_model
from verifier.definitions import find
from verifier.errors import InputError
from verifier.machine.files import text_of
from verifier.model.keys import Keys, Location, listed
from verifier.model.read import tables_of
from verifier.questions.laws import (
    LawTest,
    keeps_convexity,
    keeps_parallel,
    keeps_post_processing,
    keeps_sequential,
)

WANTED = {
    "post-processing": ("then", "then = [ content, … ]"),
    "convexity": ("mechanism", "[mechanism]; another model file has one"),
    "sequential": ("mechanism", "[mechanism]; another model file has one"),
    "parallel": ("parts", "parts = [ { records = [0, 1], of = { … } }, … ]"),
}
"""For each axiom: the key that the second file must have, and how it is written."""


def tested(
    names: Sequence[str],
    beside: str | None,
    definition: str | None,
    epsilons: Sequence[str],
    weight: str | None,
    reading: str,
) -> LawTest:
    """Return the test of an axiom on a model; `names` are those of the two, `beside` is the second file.

    Raises:
        InputError: for another number of names, for a name of no axiom, and for arguments that the axiom does not have.

    """
    if len(names) != 2 or beside is None or definition is None:
        wanted = "AXIOM MODEL --with FILE --definition KEY"
        raise InputError("an axiom is tested on a model, with a second file", where="--axioms", wanted=wanted)
    name, file = names
    if name not in WANTED:
        raise InputError(f"{name} is unknown", where="AXIOM", wanted=f"one of {', '.join(WANTED)}")
    with about("--definition"):
        find(definition)
    if weight is not None and name != "convexity":
        raise InputError(f"{name} has no weight", where="--weight", wanted="convexity")
    if len(epsilons) not in ({0, 2} if name == "sequential" else {0, 1}):
        wanted = "none, or two" if name == "sequential" else "none, or one"
        raise InputError(f"the number of ε is {len(epsilons)}", where="--epsilon", wanted=wanted)
    model = read_model(file)
    key, written = WANTED[name]
    tables = tables_of(text_of(beside, "a TOML file"), beside)
    if key not in tables:
        raise InputError(f"the key `{key}` is missing", where=beside, wanted=written)
    content = tables[key]
    with about(f"{model.path} with {beside}"):
        if name == "sequential":
            pair = (epsilons[0], epsilons[1]) if epsilons else None
            return keeps_sequential(model, definition, content, epsilons=pair, reading=reading)
        epsilon = epsilons[0] if epsilons else None
        if name == "convexity":
            return keeps_convexity(model, definition, content, weight=weight or "1/2", epsilon=epsilon, reading=reading)
        location = Location("", (key,))
        if name == "post-processing":
            steps = listed(content, location, "a list of steps")
            return keeps_post_processing(model, definition, *steps, epsilon=epsilon, reading=reading)
        parts = [
            _part(part, Location("", (f"part {number}",)))
            for number, part in enumerate(listed(content, location, "a list of parts"), start=1)
        ]
        return keeps_parallel(model, definition, parts, epsilon=epsilon, reading=reading)


def _part(table: Any, location: Location) -> tuple[Any, Any]:
    """The records of a part, and the mechanism on them."""
    keys = Keys(table, location, "a part such as { records = [0, 1], of = { … } }")
    part = keys.take("records"), keys.take("of")
    keys.done()
    return part
