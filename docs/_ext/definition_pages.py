"""A page for each definition, from the registry: formula, conventions, readings, where it is vacuous, relations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from verifier.definitions import DEFINITIONS, ON_REQUEST, Definition
from verifier.definitions.compared_kinds import Unlisted
from verifier.definitions.registry import CONVENTIONS, conventions_of
from verifier.show.answers import conventions_sheet
from verifier.show.mathml import definition_formula
from verifier.show.parts import finite
from verifier.wings.implications.facts import ARROWS, COMPARED
from verifier.wings.implications.table import Relations, relations

NP_OR_CDP = """\
NP compares what can happen, CDP what would happen.

Two friends always vote alike, and the parity of their two votes is published. The parity is always even.

- **NP** (`np`) compares the outputs of the people who can exist: two who voted no, and two who voted yes. Both give
  "even", so the attacker learns nothing: `np` holds with ε = 0.
- **CDP** (`cdp`) compares what is published with what would have been published if somebody had changed one vote and
  nothing else. A single changed vote turns "even" into "odd", so `cdp` fails for every ε.

If records are independent, NP and CDP agree. Choose `np` to ask what an attacker can learn about a record, also through
the records that go with it. Choose `cdp` to ask what the mechanism itself does with that record."""
"""The section *NP or CDP?* of the pages about definitions; the model is `DMKB20/example-4-repaired`."""
HEAD = """\
# Definitions

pkdp decides {count} definitions. Each is put together from three parts: **which output distributions are compared**,
**how the difference is measured**, and **how the knowledge values are combined** (the worst one, or on average); `ddp`
and `ibddp` require a simulator instead. The names are DMKB20's; pkdp accepts names of other papers too.

[NP or CDP?](#np-or-cdp)

{groups}

## NP or CDP?

{np_or_cdp}

## More

[Every convention](conventions.md) that can change a verdict is named, with its source and the other readings.
[The atlas](../atlas.md) has the definitions of a survey, by what they change, and explains the counts of definitions.
[How they relate](../relations.md): what implies what, and the model that shows that something does not follow.

```{{toctree}}
:hidden:

{pages}
conventions
```
"""


def every() -> dict[str, Definition]:
    """What is decided, by its key."""
    return {**DEFINITIONS, **ON_REQUEST}


def grouped() -> dict[str, list[str]]:
    """The keys of the definitions of the texts, by the group that the entry names; those of overviews first."""
    groups: dict[str, list[str]] = {}
    for key, definition in chain(DEFINITIONS.items(), ON_REQUEST.items()):
        if not definition.own:
            groups.setdefault(definition.group, []).append(key)
    return groups


def pages() -> Iterator[tuple[str, str]]:
    """The page of all, a page for each, and the conventions."""
    known = {key: one for key, one in every().items() if not one.own}
    listed = [key for keys in grouped().values() for key in keys]
    groups = "\n\n".join(
        f"**{title}**\n\n| key | definition | source |\n|---|---|---|\n"
        + "\n".join(f"| [`{key}`]({key}.md) | {known[key].title} | {known[key].source} |" for key in keys)
        for title, keys in grouped().items()
    )
    yield (
        "definitions/index.md",
        HEAD.format(
            count=len(known), groups=groups, np_or_cdp=NP_OR_CDP, pages="\n".join(f"{key} <{key}>" for key in listed)
        ),
    )
    found = relations()
    for key in listed:
        yield f"definitions/{key}.md", page(known[key], found)
    table = conventions_sheet(CONVENTIONS).markdown().replace("**Conventions**\n\n", "")
    yield "definitions/conventions.md", f"# Conventions\n\n{CONVENTIONS_WORDS}\n\n{table}\n"


CONVENTIONS_WORDS = (
    "Every choice that the papers leave open, or that two papers make differently. Each verdict names those that it "
    "rests on; another reading is asked for by its name: `--reading infinite-loss`, or `reading=` in Python."
)


def page(one: Definition, found: Relations) -> str:
    """One definition."""
    names = f" It is also understood as {listing(one.aliases)}." if one.aliases else ""
    parts = [f"# `{one.key}`: {one.title}", f"{{.lead}}\n{one.plainly}"]
    parts += ["[NP or CDP?](index.md#np-or-cdp)"] if one.key in {"np", "cdp"} else []
    parts += [f"{one.source}.{names}", formula(one)]
    parts += [f"Note: {one.note}."] if one.note else []
    asked = f'pkdp check MODEL --definition {one.key} --epsilon "ln(2)" --delta 1/100'
    parts.append(f"```\n{asked}\n```")
    if one.key in ON_REQUEST:
        parts.append("It is decided where it is asked for by name, and is in no overview.")
    parts.append("## What is compared\n\n" + composition(one))
    parts.append(f"## When it is vacuous\n\n{vacuous(one)}")
    if one.open:
        parts.append(f"## What the paper leaves open\n\n{sentence(one.open)}")
    parts.append(f"## What pkdp merges, leaves out and makes finite\n\n{finite(one)} [The proofs](../proofs/tails.md).")
    readings = [f"- `{name}`: {meaning}" for name, meaning in one.readings.items() if name != "default"]
    if readings:
        parts.append("## Other readings\n\nAsked for with `--reading NAME`.\n\n" + "\n".join(readings))
    chosen = conventions_of(one.key)
    if chosen:
        rows = "\n".join(f"| {cell(c.question)} | {cell(c.choice)} | {cell(c.source)} |" for c in chosen)
        parts.append(
            f"## Conventions\n\nWhat a verdict on `{one.key}` rests on.\n\n"
            f"| question | choice | source |\n|---|---|---|\n{rows}"
        )
    parts += list(related(one, found))
    return "\n\n".join(parts) + "\n"


def formula(one: Definition) -> str:
    """The formula as mathematics, and as the program prints it."""
    typeset = definition_formula(one)
    shown = f'```{{raw}} html\n<p class="formula">{typeset}</p>\n```'
    plain = f"```{{code-block}} text\n:class: formula-text\n\n{one.formula}\n```"
    return f"{shown}\n\nAs `pkdp definitions` prints it:\n\n{plain}"


def composition(one: Definition) -> str:
    """Its three parts, or what its procedure compares."""
    if isinstance(one.comparisons, Unlisted):
        return one.comparisons.procedure
    parts = f"| {one.kind} | {cell(one.measure.formula)} | {cell(one.aggregation.formula)} |"
    return f"| compares | measures | combined by |\n|---|---|---|\n{parts}"


def vacuous(one: Definition) -> str:
    """When nothing is compared."""
    if one.vacuous.startswith("never"):
        return f"N{one.vacuous[1:]}."
    return (
        f"Where {one.vacuous}. Then nothing is compared, and the verdict is `vacuous`, which is not `holds`: the "
        "mechanism was not tested. Both tightest values are 0 there."
    )


def related(one: Definition, found: Relations) -> Iterator[str]:
    """What it implies, what implies it, and what does not follow."""
    if one.key not in COMPARED:
        return
    arrows = [arrow for arrow in ARROWS if one.key in {arrow.source, arrow.target}]
    rows = "\n".join(
        f"| {cell(arrow.text)} | [{arrow.proof.split(', ')[1]}](../proofs/relations.md) | {arrow.in_texts or '–'} |"
        for arrow in sorted(arrows, key=lambda arrow: arrow.source != one.key)
    )
    yield f"## Relation to the others\n\n| what is proved | proof | in the papers |\n|---|---|---|\n{rows}"
    rows = "\n".join(
        f"| [`{other}`]({other}.md) | {follows(found, one.key, other)} | {follows(found, other, one.key)} |"
        for other in COMPARED
        if other != one.key
    )
    yield (
        "Without any condition, at δ = 0: does some ε of the one follow from an ε of the other? Where it does not, a "
        f"model shows it.\n\n| other | `{one.key}` gives it | it gives `{one.key}` |\n|---|---|---|\n{rows}"
    )


def follows(found: Relations, source: str, target: str) -> str:
    """One cell: yes with the factor of ε, or no with the model."""
    one = found.pure[source, target]
    if one.fact is not None:
        return f"no: [{one.fact.model.title}](#{model_anchor(one.fact.path)})"
    if not one.arrows:
        return "open"
    return "yes" if one.factor == 1 else f"yes, with {one.factor}ε"


def model_anchor(path: str) -> str:
    """The place of a model file in the site."""
    return "model-" + path.removesuffix(".toml").replace("/", "-").replace(".", "-").lower()


def cell(text: str) -> str:
    """A text in a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def sentence(text: str) -> str:
    """A note as a sentence."""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def listing(names: tuple[str, ...]) -> str:
    """Names in a sentence."""
    marked = [f"`{name}`" for name in names]
    return " or ".join([", ".join(marked[:-1]), marked[-1]] if len(marked) > 1 else marked)
