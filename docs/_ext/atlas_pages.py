"""The atlas of DP22: its definitions by dimension, as DP22's Table 2 orders the dimensions, and a card for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from definition_pages import cell, every, model_anchor, sentence

from verifier.definitions.atlas import DIMENSIONS, atlas
from verifier.definitions.separations import Apart, Separation, told_apart
from verifier.show.axis_words import AXES, Choices, choices_of
from verifier.show.cards import RECORDS, TOURS, dimension_words, key_of, snippet, source_of
from verifier.show.mathml import definition_formula
from verifier.show.parts import finite
from verifier.wings import axioms_of

PAGE = "docs/atlas.md"
MARK = "<!-- the definitions by dimension -->"
"""Where docs/atlas.md wants them."""
QUESTIONS = {
    "Q": ("how the loss is quantified across outputs", "averaging risk, better composition"),
    "N": ("which properties are protected", "protecting certain values, or several people"),
    "V": ("whether the loss varies across inputs", "users with different requirements"),
    "B": ("how much the attacker knows before", "mechanisms that add less noise, or none"),
    "F": ("in which formalism knowledge gain is described", "other intuitive notions of privacy"),
    "R": ("relative to what the gain is measured", "privacy for correlated data"),
    "C": ("how much the attacker can compute", "cryptography with differential privacy"),
}
"""What each dimension is about, and why it is changed (DP22, Table 2)."""
_KEY = re.compile(r"`([a-z][a-z0-9-]*)`")


def filled(name: str, page: str) -> str:
    """The page of the atlas with links to the cards, and with the definitions by dimension in their place."""
    if name != PAGE:
        return page
    parts = re.split(r"(^```.*?^```$)", page, flags=re.DOTALL | re.MULTILINE)
    linked = "".join(part if part.startswith("```") else _KEY.sub(_link, part) for part in parts)
    return linked.replace(MARK, by_dimension())


def _link(found: re.Match[str]) -> str:
    return f"[{found[0]}](atlas/{found[1]}.md)" if found[1] in atlas else found[0]


def by_dimension() -> str:
    """A table for each dimension, in which a definition stands under the first that it changes."""
    parts = ["## All definitions by dimension", "DP22's Table 2, with the definitions that change each dimension."]
    parts.append(table(key for key in atlas if not atlas.dimensions(key)))
    for letter, (question, motive) in QUESTIONS.items():
        parts.append(f"### {letter}: {DIMENSIONS[letter]}")
        parts.append(f"It says {question}; changed for {motive}.")
        parts.append(table(key for key in atlas if atlas.dimensions(key)[:1] == letter))
    listed = "\n".join(f"{key} <atlas/{key}>" for key in atlas)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{listed}\n```")
    return "\n\n".join(parts)


def table(keys: Iterator[str]) -> str:
    """Rows of definitions with their dimensions, sources, and whether they are decided."""
    rows = "\n".join(
        f"| [`{key}`](atlas/{key}.md) | {atlas.dimensions(key) or '–'} | {atlas[key].title} "
        f"| {source_of(atlas[key])} | {'yes' if choices_of(atlas[key]) else 'no'} |"
        for key in keys
    )
    return f"| key | dimensions | definition | source | decided |\n|---|---|---|---|---|\n{rows}"


def pages() -> Iterator[tuple[str, str]]:
    """A card for each."""
    for key in atlas:
        yield f"atlas/{key}.md", card(key)


def card(key: str) -> str:
    """The page of one definition."""
    definition, choices = atlas[key], choices_of(atlas[key])
    shown = f'```{{raw}} html\n<p class="formula">{definition_formula(definition)}</p>\n```'
    dimensions = f"Dimension: {dimension_words(atlas.dimensions(key))}."
    parts = [f"# `{key}`: {definition.title}", f"{{.lead}}\n{definition.plainly}"]
    parts += ["[NP or CDP?](../definitions/index.md#np-or-cdp)"] if definition.key in {"np", "cdp"} else []
    parts += [f"{source_of(definition)}. {dimensions}", shown]
    parts.append(f"```{{code-block}} text\n:class: formula-text\n\n{definition.formula}\n```")
    if definition.key in every():
        parts.append(
            f"It is [`{definition.key}`](../definitions/{definition.key}.md) here, which has a page of its own."
        )
    if choices is None:
        parts.append(f"## Why it is not decided\n\n{sentence(definition.undecided)}")
    else:
        rows = "\n".join(f"| {label} | {cell(getattr(choices, axis))} |" for axis, label in AXES.items())
        parts.append(f"## The choice on each axis\n\n| | choice |\n|---|---|\n{rows}")
    if definition.open:
        parts.append(f"## What the paper leaves open\n\n{sentence(definition.open)}")
    if text := finite(definition):
        parts.append(f"## What pkdp merges, leaves out and makes finite\n\n{text} [The proofs](../proofs/tails.md).")
    readings = [f"- `{name}`: {meaning}" for name, meaning in definition.own_readings]
    if readings:
        parts.append("## Other readings\n\nAsked for with `--reading NAME`.\n\n" + "\n".join(readings))
    if choices is not None:
        parts.append("## What a file must say\n\n" + "\n\n".join(needed(key_of(definition), choices)))
    if axioms := axioms_of(key):
        rows = "\n".join(f"| {axiom} | {cell(words)} |" for axiom, words in axioms)
        parts.append(f"## Axioms\n\n[Derived from its parts](../axioms.md).\n\n| axiom | verdict |\n|---|---|\n{rows}")
    parts += list(apart(told_apart().get(key, Apart())))
    return "\n\n".join(parts) + "\n"


def needed(key: str, choices: Choices) -> Iterator[str]:
    """What a model needs, the lines to copy, and how to ask."""
    needs = ["a `[[distribution]]`"] if choices.needs_theta else []
    needs += [RECORDS[choices.records]] if choices.records in RECORDS else []
    needs += [f"`{field}` in `[policy]`" for field in choices.fields]
    optional = f" It also reads {', '.join(f'`{field}`' for field in choices.optional)}." if choices.optional else ""
    yield f"{'It needs ' + '; '.join(needs) if needs else 'It needs nothing beside a mechanism'}.{optional}"
    if lines := snippet(choices):
        tour = TOURS[choices.records]
        yield f"```toml\n{lines}\n```"
        yield f"The lines are those of [{tour}.toml](#{model_anchor(tour + '.toml')})."
    yield f"```\npkdp check MODEL --definition {key}\n```"


def apart(known: Apart) -> Iterator[str]:
    """The models that separate it from its neighbours."""
    if known.same_as:
        yield (
            f"## The same as another\n\nBy its choices here it is [`{known.same_as}`]({known.same_as}.md), "
            "on every model; the paper has it for another purpose."
        )
    if known.separations:
        rows = "\n".join(map(_row, known.separations))
        yield (
            "## Separated from its neighbours\n\n| neighbour | model | question | its answer | the neighbour's |\n"
            f"|---|---|---|---|---|\n{rows}"
        )


def _row(row: Separation) -> str:
    model = f"[{row.model}.toml](#{model_anchor(row.model + '.toml')})"
    first, second = row.answers
    return f"| [`{row.neighbour}`]({row.neighbour}.md) | {model} | {row.question} | {first} | {second} |"
