"""`[question]`: what a lecturer asks about a model, and which parts of it a student may change.

Its statements stay texts here; the language of statements, which knows definitions, reads them.
What is asked is no part of the model: no verdict depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.errors import InputError
from verifier.model.keys import Keys, Location, chosen, integer, listed, string
from verifier.numbers import shorten

KINDS = ("goal", "number", "choices")
"""What is asked: change the model until a statement is true, type a number, or choose."""
PARTS = ("verdict", "overview", "profile", "losses", "picture")
"""The parts of an answer that `hide` keeps folded."""
LIMITS = ("outputs", "records", "values")
"""What `limit` bounds in a model that a student has changed."""
MOST_TEXT, MOST_STATEMENT, MOST_PATH, MOST_NAME = 4_000, 1_000, 200, 100
"""Most characters of the text or of a hint, of a statement, of a path, and of a choice's name."""
MOST_PATHS, MOST_STEPS, MOST_HINTS, MOST_CHOICES, MOST_VARIANTS = 20, 12, 10, 12, 100
EXAMPLE = "mechanism.then.0.rows"
MODEL = "a part of this model"


@dataclass(frozen=True)
class StudentQuestion:
    """A question about a model: one of `goal`, `number` and `choices` is given, the others are empty.

    `change` are the paths of the parts that may be changed, such as `mechanism.then.0.rows`; each student has one of
    the replacements of `vary`, from paths to what stands there.
    """

    text: str
    goal: str = ""
    number: str = ""
    choices: Mapping[str, str] | None = None
    change: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    limit: Mapping[str, int] | None = None
    vary: tuple[Mapping[str, Any], ...] = ()

    @property
    def kind(self) -> str:
        """What is asked: `goal`, `number` or `choices`."""
        return "goal" if self.goal else "number" if self.number else "choices"


def read_student_question(raw: object, tables: Mapping[str, Any], location: Location) -> StudentQuestion:
    """Read the table `[question]` of a file with these tables.

    Raises:
        InputError: for an unknown key, a text that is too long, and a path that leads nowhere in the file.

    """
    keys = Keys(raw, location, "a table such as { text, goal, change }")
    text = keys.read("text", _text, "what is asked", MOST_TEXT, lines=True)
    kind = keys.one_of(KINDS, 'goal = "np(0) and not cdp"')
    asked = keys.read(kind, _choices if kind == "choices" else _text, "a statement", MOST_STATEMENT)
    at = location.at("change")
    change = tuple(_path(path, tables, at) for path in _entries(keys.take("change", []), at, MOST_PATHS))
    if bool(change) != (kind == "goal"):
        problem = "nothing may be changed" if kind == "goal" else f"`change` is given beside `{kind}`"
        wanted = f'`change = ["{EXAMPLE}"]`' if kind == "goal" else "a `goal`, or no `change`"
        raise InputError(problem, where=str(at), wanted=wanted, tip="a goal is reached by a change of the model")
    if twice := next((path for path in change if change.count(path) > 1 or _inside(path, change)), ""):
        raise InputError(f"{shorten(twice)} is named twice", where=str(at), wanted="each part once")
    at = location.at("hide")
    hide = tuple(chosen(part, at, PARTS) for part in _entries(keys.take("hide", []), at, len(PARTS)))
    at = location.at("hints")
    hints = tuple(_text(hint, at, "a hint", MOST_TEXT) for hint in _entries(keys.take("hints", []), at, MOST_HINTS))
    at = location.at("vary")
    vary = tuple(_variant(one, tables, at) for one in _entries(keys.take("vary", []), at, MOST_VARIANTS))
    limit = keys.read("limit", _limit, default={})
    keys.done()
    named: dict[str, Any] = {kind: asked}
    return StudentQuestion(text, **named, change=change, hide=hide, hints=hints, limit=limit, vary=vary)


def _text(raw: object, location: Location, noun: str, most: int, *, lines: bool = False) -> str:
    text = string(raw, location, noun, lines=lines)
    if not text.strip() or len(text) > most:
        problem = f"the text has {len(text):,} characters" if text.strip() else "the text is empty"
        raise InputError(problem, where=str(location), wanted=f"{noun}, at most {most:,} characters")
    return text


def _entries(raw: object, location: Location, most: int) -> list[Any]:
    entries = listed(raw, location, f"a list of at most {most} entries")
    if len(entries) > most:
        raise InputError(f"the list has {len(entries):,} entries", where=str(location), wanted=f"at most {most}")
    return entries


def _choices(raw: object, location: Location, noun: str, most: int) -> dict[str, str]:
    names = Keys(raw, location, 'a table such as { "nobody" = "np(0) and cdp(0)" }').left
    if not 2 <= len(names) <= MOST_CHOICES:
        problem = f"the table has {len(names):,} choices"
        raise InputError(problem, where=str(location), wanted=f"2 to {MOST_CHOICES} choices")
    return {
        _text(name, location, "a choice", MOST_NAME): _text(statement, location.at(name[:MOST_NAME]), noun, most)
        for name, statement in names.items()
    }


def _limit(raw: object, location: Location) -> dict[str, int]:
    keys = Keys(raw, location, "a table such as { outputs = 3 }")
    limit = {name: keys.read(name, integer, f"the most {name}", 1) for name in LIMITS if keys.has(name)}
    keys.done()
    return limit


def _variant(raw: object, tables: Mapping[str, Any], location: Location) -> dict[str, Any]:
    replacements = Keys(raw, location, 'a table such as { "distribution.0.iid" = "uniform" }').left
    return {_path(path, tables, location): part for path, part in replacements.items()}


def _path(raw: object, tables: Mapping[str, Any], location: Location) -> str:
    path = _text(raw, location, "a path", MOST_PATH)
    if path.count(".") >= MOST_STEPS or steps_of(tables, path) is None or path.partition(".")[0] == "question":
        raise InputError(f"{shorten(path)} is not {MODEL}", where=str(location), wanted=f"a path such as {EXAMPLE}")
    return path


def _inside(path: str, others: Sequence[str]) -> bool:
    return any(path.startswith(f"{other}.") for other in others)


def steps_of(tables: Any, path: str) -> list[str | int] | None:
    """The keys and positions along a path; None for a path that leads nowhere in these tables.

    >>> steps_of({"mechanism": {"then": [{"rows": []}]}}, "mechanism.then.0.rows")
    ['mechanism', 'then', 0, 'rows']
    """
    steps: list[str | int] = []
    for word in path.split("."):
        if isinstance(tables, Mapping) and word in tables:
            steps.append(word)
        elif isinstance(tables, list | tuple) and word in map(str, range(len(tables))):
            steps.append(int(word))
        else:
            return None
        tables = tables[steps[-1]]
    return steps


def put_at(tables: Any, path: str, part: Any) -> None:
    """Put a part at a path that the tables have, in place of the one that is there."""
    steps = steps_of(tables, path) or []
    for step in steps[:-1]:
        tables = tables[step]
    tables[steps[-1]] = part
