"""The Python reference by task: every name of `verifier.__all__` once, from its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import verifier
from verifier.definitions import DEFINITIONS, ON_REQUEST, Definition

ENTRIES = [*DEFINITIONS, *ON_REQUEST]
TASKS: tuple[tuple[str, str, str, str], ...] = (
    (
        "build",
        "Build a model",
        "build program symmetric exact sampler loads read examples Model",
        "From keyword arguments, from text, or from a file; the keys are those of a [model file](../models/FORMAT.md).",
    ),
    (
        "compose",
        "Put mechanisms together",
        "compose adaptive choose on_records post_process with_mechanism",
        "Mechanisms are data, and can be combined before they are asked about.",
    ),
    (
        "ask",
        "Ask",
        (
            "check overview check_all atlas epsilon DEFINITIONS Definition Verdict Epsilon Delta"
            f" {' '.join(sorted({*verifier.__all__} & {*ENTRIES}))} CONVENTIONS"
        ),
        (
            "One question, or every definition at once. A verdict is one of five words: holds, fails, vacuous,"
            " undecided, unsupported."
        ),
    ),
    (
        "claims",
        "Claims in tests",
        "claim claim_same claim_order ClaimViolated ClaimUndecided",
        "A sentence about a mechanism, which passes, or fails with an attack; [how](../claims-in-tests.md).",
    ),
    (
        "profiles",
        "Profiles",
        "Profile profile_of pair loss_mass compare worlds",
        "δ as a function of ε, exactly: one curve with rational breakpoints in e^ε.",
    ),
    (
        "rules",
        "Rules of publication",
        "rule design_table",
        "What published counts tell about one person; [the five facts](../for-disclosure-control.md).",
    ),
    (
        "losses",
        "Privacy losses",
        "loss Loss",
        "The conditional output distributions and their losses, for each value of the attacker's knowledge.",
    ),
    (
        "properties",
        "Properties",
        "acceptable reducible check_bijection stronger k_anonymity strongly_safe PROPERTIES Property",
        "What has a verdict but neither ε nor δ.",
    ),
    (
        "search",
        "Search",
        "search statement Scope",
        "The smallest model that separates two statements; [the language](../smallest-model.md).",
    ),
    (
        "worst",
        "The worst mechanism, and the best",
        "worst implied_for best best_curve",
        "Over all mechanisms at once, with a proof; [how](../worst.md).",
    ),
    (
        "convert",
        "What follows, conversions, and several runs",
        "relations implication_graph convert convert_curve convert_delta compose_runs all_runs",
        (
            "What a guarantee implies [in another definition](../relations.md), [with which ε](../exchange.md), and"
            " [in several runs](../compose.md)."
        ),
    ),
    (
        "laws",
        "Axioms",
        "keeps_post_processing keeps_convexity keeps_sequential keeps_parallel LawTest",
        "Post-processing, convexity and composition, tested on one model.",
    ),
    (
        "errors",
        "Errors",
        "PkdpError InputError InexactError UnsupportedError LimitError RejectedError",
        "The text of each is the place, the problem, what is expected (`wanted`), and a hint (`tip`).",
    ),
)
"""A page, its title, its names in their order, and a sentence."""

INDEX = """\
# Python API

`import verifier as pk`; [the tutorial](../python.md) shows how the parts go together. Numbers are `Fraction`, `int` or
`str`, never `float`. Every example below is run by the tests.

| task | names |
|---|---|
{rows}

```{{toctree}}
:hidden:

{tree}
```
"""


def pages() -> Iterator[tuple[str, str]]:
    """The index, and a page for each task."""
    named = [name for _, _, names, _ in TASKS for name in names.split()]
    if sorted(named) != sorted(verifier.__all__):
        raise SystemExit(f"api_pages.TASKS and verifier.__all__ differ: {sorted(set(named) ^ set(verifier.__all__))}")
    rows = "\n".join(
        f"| [{title}]({key}.md) | {', '.join(f'`{name}`' for name in names.split())} |"
        for key, title, names, _ in TASKS
    )
    yield "api/index.md", INDEX.format(rows=rows, tree="\n".join(key for key, *_ in TASKS))
    for key, title, names, words in TASKS:
        parts = [f"# {title}", words]
        held = [name for name in names.split() if isinstance(getattr(verifier, name), Definition)]
        for name in names.split():
            if name not in held:
                parts.append("```{eval-rst}\n" + "\n".join(directive(name)) + "\n```")
            elif name == held[0]:
                parts.append(definitions(held))
        yield f"api/{key}.md", "\n\n".join(parts) + "\n"


def definitions(names: list[str]) -> str:
    """The definitions that have a name in the package."""
    rows = "\n".join(f"| `pk.{name}` | [{getattr(verifier, name).title}](../definitions/{name}.md) |" for name in names)
    return (
        'Definitions by name; every other one is asked for by its key, as in `pk.check(model, "ddp")`.\n\n'
        f"| name | definition |\n|---|---|\n{rows}"
    )


def directive(name: str) -> list[str]:
    """How Sphinx is asked to document a name."""
    thing: Any = getattr(verifier, name)
    if name == "search":  # a room that can be called
        return [".. autofunction:: verifier.wings.search.api.search"]
    if inspect.isclass(thing):
        exception = issubclass(thing, Exception)
        lines = [f".. auto{'exception' if exception else 'class'}:: verifier.{name}", "   :members:"]
        return lines if exception else [*lines, "   :member-order: bysource"]
    if inspect.isfunction(thing):
        return [f".. autofunction:: verifier.{name}"]
    home = verifier._HOME[name]  # noqa: SLF001
    kind = f"{type(thing).__name__} of {len(thing)}"
    words = {
        "CONVENTIONS": "Every convention that can change a verdict, with its source.",
        "DEFINITIONS": "Every definition of an overview, by its key.",
        "atlas": "The definitions of DP22, by their keys.",
        "PROPERTIES": "Every property that statements of a search may name, by its key.",
    }
    return [f".. py:data:: verifier.{name}", f"   :type: {kind}", "", f"   {words[name]} Its home is ``{home}``."]
