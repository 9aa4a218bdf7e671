"""The card of a definition of DP22: its formula, its choices on each axis, and the model that separates it from others.

A card also has the lines of `[policy]` that the definition needs, to copy; they are those of a bundled model.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from verifier.definitions import Definition, conventions_of
from verifier.definitions.atlas import DIMENSIONS, atlas
from verifier.definitions.registry import ALIASES
from verifier.definitions.separations import Apart, Separation, told_apart
from verifier.model import Model
from verifier.model.bundled import bundled, short_name
from verifier.model.policy import CONSTANT, FIELDS
from verifier.model.write import toml_text
from verifier.show.axis_words import AXES, Choices, choices_of
from verifier.show.display import box, items
from verifier.show.mathml import definition_formula
from verifier.show.parts import absence_of, finite
from verifier.show.sheet import ITEMS, Sheet

TOURS = {
    "same": "atlas/tour",
    "missing": "atlas/tour-missing",
    "absent": "atlas/tour-missing",
    "sampled": "atlas/tour-sizes",
}
"""The bundled model from which fields of `[policy]` are copied, by whether records may be missing."""

RECORDS = {
    "missing": "databases of several sizes, or `absent` in [policy]",
    "absent": "`absent` in [policy]",
    "sampled": "size = [0, n]",
}
"""What a file needs where records may be missing, in words."""

MOST_COPIED = 600
"""Most characters of first values for `[policy]`; longer ones give way to the values of a bundled model."""


def key_of(definition: Definition) -> str:
    """DP22's key of a definition: its own, or the one under which the atlas has it.

    >>> from verifier.definitions import find
    >>> key_of(find("cdp"))
    'causdp'
    """
    if definition.key in atlas:
        return definition.key
    return next((key for key in atlas if atlas[key].key == definition.key), definition.key)


def source_of(definition: Definition) -> str:
    """The number of a definition in DP22 with its citation, before that in the paper that it was decided for.

    >>> from verifier.definitions import find
    >>> source_of(find("np"))
    'DP22, Definition 27 (Dua09, BBG+11); DMKB20, Definition 3'
    """
    alias = ALIASES.get(key_of(definition))
    return definition.source if alias is None else f"DP22, {alias.place}; {definition.source}"


def named_readings(definition: Definition) -> dict[str, str]:
    """The readings that have a name, with their meanings; the default one, where it has one, is the first.

    >>> from verifier.definitions.atlas import atlas
    >>> list(named_readings(atlas["zkpr"]))
    ['multiset, the default', 'in-place']
    """
    readings, name = definition.readings, definition.default_reading
    default = readings.pop("default").removeprefix(f"{name}: ")
    return {**({f"{name}, the default": default} if name else {}), **readings}


def dimension_words(letters: str) -> str:
    """The dimensions with these letters, in words.

    >>> dimension_words("QV")
    'Q, quantification of privacy loss; V, variation of privacy loss'
    """
    return "; ".join(f"{letter}, {DIMENSIONS[letter]}" for letter in letters) or "none: the definition that others vary"


def in_dimension(letters: str) -> list[Definition]:
    """The definitions of DP22 that change every dimension in `letters`, in the order of the atlas."""
    return [atlas[key] for key in atlas.changing(letters)]


def dimension_sheet(letters: str) -> Sheet:
    """A table of the definitions of DP22 that change every dimension in `letters`, one a row."""
    rows = tuple(
        (key_of(definition), atlas.dimensions(key_of(definition)), definition.title, source_of(definition))
        for definition in in_dimension(letters)
    )
    title = f"Definitions of DP22 that change {dimension_words(letters)}"
    return Sheet(title, ("key", "dimensions", "definition", "source"), rows, ("pkdp definitions KEY prints its card.",))


def example_of(field: str) -> str:
    """A field of `[policy]` as a bundled model writes it, its name alone where its value depends on the model.

    >>> example_of("order"), example_of("statistic")
    ('order = 2', 'statistic')
    """
    if field not in CONSTANT:
        return field
    value = _policy_of(TOURS["sampled" if field == "rate" else "same"])[field]
    return toml_text({"policy": {field: value}}).strip().removeprefix("[policy]\n")


@cache
def _policy_of(name: str) -> Mapping[str, Any]:
    """The `[policy]` of a bundled model, as it is written."""
    policy: dict[str, Any] = tomllib.loads(bundled()[name].read_text(encoding="utf-8"))["policy"]
    return policy


def snippet(choices: Choices) -> str:
    """The lines of a model file that the choices ask for, from a bundled model; empty where they ask for none.

    >>> from verifier.definitions.atlas import atlas
    >>> print(snippet(choices_of(atlas["renyidp"])))
    [policy]
    order = 2
    """
    policy = _policy_of(TOURS[choices.records])
    fields = (*choices.fields, *(("absent",) if choices.records in {"missing", "absent"} else ()))
    named = {field: policy[field] for field in fields if field in policy}
    return toml_text({"policy": named}).strip() if named else ""


def template(model: Model, definition: Definition, fields: Sequence[str]) -> str:
    """Lines of `[policy]` for the fields that a file misses: first values for this very model, to be changed.

    A field of which this model has no short example stands as a bundled model writes it; a last line says which.
    """
    examples = {field: FIELDS[field].example(model) for field in fields}
    lines = toml_text({"policy": examples}).strip() if None not in examples.values() else ""
    if lines and len(lines) <= MOST_COPIED:
        return f"{lines}\nThese are first values for this model: change them to what you mean."
    choices = choices_of(definition)
    if choices is None or not snippet(choices):
        return f"pkdp examples --guide format says what {', '.join(fields)} may be."
    return f"{snippet(choices)}\nThese lines are of the model {short_name(TOURS[choices.records])}."


def apart_words(row: Separation) -> str:
    """A separation as a sentence: the model, the neighbour, and both answers.

    >>> apart_words(told_apart()["renyidp"].separations[0])
    'The model one-coin separates it from klpr: its smallest ε is ln(64/15), that of klpr 1/2*ln(64/15).'
    """
    first, second = row.answers
    return (
        f"The model {short_name(row.model)} separates it from {row.neighbour}: its {row.question} is {first}, "
        f"that of {row.neighbour} {second}."
    )


def card_rows(definition: Definition) -> Iterator[tuple[str, str]]:
    """Yield the lines of a card as pairs of name and text; of an item of several lines the first has the name."""
    for name, text in card_items(definition):
        for number, line in enumerate(text.split("\n")):
            yield "" if number else name, line


def card_items(definition: Definition) -> Iterator[tuple[str, str]]:
    """Yield the items of a card as pairs of name and text; an item without a name continues the one before it."""
    key, choices = key_of(definition), choices_of(definition)
    alias = "" if key == definition.key else f" (in the atlas {key})"
    yield "definition", f"{definition.key}: {definition.title}{alias}"
    if definition.plainly:
        yield "in words", definition.plainly
    yield "source", source_of(definition)
    if key in atlas:
        yield "dimension", dimension_words(atlas.dimensions(key))
    yield "formula", definition.formula
    if definition.undecided:
        yield "undecided", definition.undecided
    if choices:
        yield from ((label, getattr(choices, axis)) for axis, label in AXES.items())
    if definition.open:
        yield "left open", definition.open
    if text := finite(definition):
        yield "made finite", text
    for name, meaning in named_readings(definition).items():
        yield f"reading {name}", meaning
    if definition.note:
        yield "note", definition.note
    if absent := absence_of(definition):
        yield "absence", absent
    if choices:
        yield from _needed(choices)
    yield from _apart(told_apart().get(key, Apart()))
    if stated := conventions_of(definition.key):
        yield "conventions", "\n".join(f"{one.key}: {one.question} {one.choice}" for one in stated)


def _needed(choices: Choices) -> Iterator[tuple[str, str]]:
    needs = ["[[distribution]]"] if choices.needs_theta else []
    needs += [RECORDS[choices.records]] if choices.records in RECORDS else []
    needs += [f"`{field}` in [policy]" for field in choices.fields]
    if needs:
        yield "needs", f"The file must give {'; '.join(needs)}."
    if choices.optional:
        yield "may be given", f"[policy] may also give {', '.join(f'`{field}`' for field in choices.optional)}."
    if lines := snippet(choices):
        tour = short_name(TOURS[choices.records])
        yield "to copy", lines
        yield (
            "",
            f"These lines are of the model {tour}: pkdp examples --copy {tour}",
        )


def _apart(apart: Apart) -> Iterator[tuple[str, str]]:
    if apart.same_as:
        yield "the same as", f"By its choices here it is {apart.same_as}: the two are equal on every model."
    if apart.separations:
        yield "separated", "\n".join(apart_words(row) for row in apart.separations)


def card_sheet(definition: Definition, more: Sequence[tuple[str, str]] = ()) -> Sheet:
    """The card as a table of items, with `more` items at its end."""
    return Sheet("", ITEMS, (*card_rows(definition), *more), keys=(("key", key_of(definition)),))


def card_text(definition: Definition) -> str:
    """The card as lines of text.

    >>> from verifier.definitions.atlas import atlas
    >>> print(card_text(atlas["osdp"]).splitlines()[0])
    definition     osdp: one-sided differential privacy
    """
    rows = list(card_rows(definition))
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(f"{name:<{width}}{line}" for name, line in rows)


def card_html(definition: Definition) -> str:
    """The card for a notebook: the formula typeset, then the other items."""
    rows = [row for row in card_rows(definition) if row[0] not in {"definition", "formula"}]
    title = f"{key_of(definition)}: {definition.title}"
    return box(f"<p>{definition_formula(definition)}</p>", items(title, rows))


def card_json(definition: Definition) -> dict[str, Any]:
    """The fields that `pkdp definitions KEY --json` prints."""
    key, choices = key_of(definition), choices_of(definition)
    apart = told_apart().get(key, Apart())
    card: dict[str, Any] = {
        "key": key,
        "definition": definition.key,
        "title": definition.title,
        "source": source_of(definition),
        "dimensions": atlas.dimensions(key) if key in atlas else None,
        "plainly": definition.plainly or None,
        "formula": definition.formula,
        "latex": definition.latex or None,
        "undecided": definition.undecided or None,
        "open": definition.open or None,
        "finite": finite(definition) or None,
        "readings": named_readings(definition),
        "note": definition.note or None,
        "conventions": {one.key: one.choice for one in conventions_of(definition.key)},
    }
    if choices:
        card["choices"] = {axis: getattr(choices, axis) for axis in AXES}
        card["needs_distribution"] = choices.needs_theta
        card["records"] = choices.records
        card["policy"] = {"fields": choices.fields, "optional": choices.optional, "toml": snippet(choices) or None}
    card["same_as"] = apart.same_as or None
    card["told_apart"] = [
        {
            "neighbour": row.neighbour,
            "model": row.model,
            "epsilon": row.epsilon,
            "delta": row.delta,
            "answers": row.answers,
        }
        for row in apart.separations
    ]
    return card
