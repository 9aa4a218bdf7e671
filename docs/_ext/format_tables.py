"""The tables of models/FORMAT.md, from the declarations of the fields: `format_page` puts them between their marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial

from verifier.definitions.atlas import atlas
from verifier.definitions.conventions import CHOSEN_HERE
from verifier.definitions.registry import CONVENTIONS, Convention
from verifier.model import Model, build
from verifier.model.forms import Key, Kind
from verifier.model.library import guide
from verifier.model.people import TABLE
from verifier.model.policy import FIELDS
from verifier.model.read_mechanism import KINDS
from verifier.model.rules import NamedRule, named_rules
from verifier.model.steps import STEPS
from verifier.model.write import inline
from verifier.programs import DRAWS
from verifier.programs.draws import OLDER
from verifier.programs.operations import BUILTINS, METHODS
from verifier.programs.syntax import LANGUAGE
from verifier.show.axis_words import fields_read, meaning_of

SEEN = 'With `seen_by="insider"` in a draw, `--observer insider` sees its result'
MOST_NAMED = 9
"""Most definitions that a row names."""


@cache
def _model() -> Model:
    """The model for which the examples are written: two records, two values, two outputs, two distributions."""
    return build(
        size=2,
        values=["a", "b"],
        distribution=[{"name": name, "iid": {"a": "1/2", "b": "1/2"}} for name in ("up", "down")],
        mechanism={"table": [{"database": ["a", "a"], "output": "no"}], "otherwise": "yes"},
    )


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def policy_table() -> str:
    """A row for each field of `[policy]`: its meaning, an example, and the definitions that read it."""
    readers: dict[str, dict[bool, list[str]]] = {name: {True: [], False: []} for name in FIELDS}
    for key in atlas:
        for name, needed in fields_read(atlas[key]).items():
            readers[name][needed].append(f"`{key}`")

    def read_by(name: str) -> str:
        needed, optional = (sorted(readers[name][must]) for must in (True, False))
        if len(needed) + len(optional) > MOST_NAMED:
            return f"{len(needed) + len(optional)} definitions"
        may = f"if given: {', '.join(optional)}" if optional else ""
        return "; ".join(filter(None, [", ".join(needed), may]))

    return _rows(
        ("field", "meaning", "example", "definitions that need it"),
        (
            (f"`{name}`", meaning_of(name), f"`{inline(one.example(_model()))}`", read_by(name))
            for name, one in FIELDS.items()
        ),
    )


def _key(key: Key) -> str:
    """A key in a row: its name and meaning, those of other ways to give it, and its default."""
    ways = " · or ".join(f"`{way.name}`: {way.meaning}" for way in key.ways)
    return ways if key.required or key.default is None else f"{ways} (default `{inline(key.default)}`)"


def kinds_table(kinds: Mapping[str, Kind], noun: str, *, sampled: bool = False) -> str:
    """A row for each kind of mechanism or step: its keys, output and example; with `sampled` whether any size does."""

    def row(kind: Kind) -> tuple[str, ...]:
        output = re.sub(r"\{(\w+)\}", r"`\1`", kind.output)
        example = inline({"kind": kind.name, **kind.example([0, 1], 2)})
        keys = " · ".join(map(_key, kind.keys)) or "–"
        return f"`{kind.name}`", keys, output, f"`{example}`", *(["yes" if kind.any_size else ""] if sampled else [])

    heads = (noun, "keys", "output", "example", *(["any size"] if sampled else []))
    return _rows(heads, map(row, kinds.values()))


def choices_table() -> str:
    """A row for each convention that no text decides: its question, what is chosen, and for which definitions."""
    chosen = (one for one in CONVENTIONS if CHOSEN_HERE in one.source)

    def about(convention: Convention) -> str:
        named = [f"`{name}`" if " " not in name else name for name in dict.fromkeys(convention.applies)]
        return ", ".join(sorted(named))

    return _rows(("question", "choice", "definitions"), ((one.question, one.choice, about(one)) for one in chosen))


def programs_table() -> str:
    """What a program may contain: statements, functions, methods and draws."""
    older = ", ".join(f"`{name}` is `{now}`" for name, now in OLDER.items())
    draws = dict.fromkeys(f"`rng.{draw.usage}`" for draw in DRAWS.values())
    rows = (
        ("statements", f"{_names(LANGUAGE)}, a text on a line, comments"),
        ("values", "integers, rationals, texts, booleans, `None`, tuples, lists, dicts, sets"),
        ("functions", f"{_names(BUILTINS)}; `key=lambda x: …` in `sorted`, `min`, `max`"),
        ("methods", _names(f".{name}" for name in METHODS)),
        ("draws", f"{', '.join(draws)}. {older}. {SEEN}"),
    )
    return _rows(("part", "what there is"), rows)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def keys_table(keys: Iterable[Key]) -> str:
    """A row for each key of a table: its meaning, and its default."""
    return _rows(("key", "meaning"), ((f"`{key.name}`", _key(key).partition(": ")[2]) for key in keys))


def rules_table() -> str:
    """A row for each known rule: its words, and who publishes under it, with how that was read."""

    def words(rule: NamedRule) -> str:
        if rule.words is None:
            return f"none: {rule.refused}" if rule.refused else f"your own, such as `{rule.write}`"
        keys = {**(rule.table or {}), **({"noise": rule.noise} if rule.noise else {})}
        parts = [rule.words, *(f"{key} = {inline(value)}" for key, value in keys.items())]
        return ", ".join(f"`{part}`" for part in parts if part)

    def sources(rule: NamedRule) -> str:
        return " · ".join(f"{one.who}: {one.where} ({one.read})" for one in rule.sources)

    rows = ((f"`{rule.key}`", words(rule), sources(rule)) for rule in named_rules().values())
    return _rows(("rule", "words", "who publishes under it, and how that was read"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "kinds": partial(kinds_table, KINDS, "kind", sampled=True),
    "programs": programs_table,
    "steps": partial(kinds_table, STEPS, "step"),
    "tables": partial(keys_table, TABLE),
    "rules": rules_table,
    "policy": policy_table,
    "choices": choices_table,
}
"""The tables by the names of their marks."""


def format_page() -> str:
    """The page models/FORMAT.md: its prose, which is written by hand, with each table made anew between its marks."""
    page = guide("format")
    for name, make in TABLES.items():
        start, end = f"<!-- {name}: made by `make generated` -->", f"<!-- end of {name} -->"
        before, _, below = page.partition(start)
        page = f"{before}{start}\n{make()}\n{end}{below.partition(end)[2]}"
    return page
