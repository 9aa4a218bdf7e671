"""Rules under which counts are published, in words: `hide 0 to 9, then round to base 5`, or by the key of a known rule.

A rule is a list of steps, as `then` has them in a model file. `FORMS` has the words of each; the rules that offices
publish under, with their sources, are in rules.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import add
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.model.keys import closest, meant
from verifier.numbers import shorten

LIST = Path(__file__).with_name("rules.toml")
JOINT = ", then "
TIES = r"(?: halves (?P<ties>up|down|even))?"
COUNT = "[0-9]{1,18}"
BAND = rf"{COUNT}(?:-{COUNT}|\+):{COUNT}"
LETTER = r"\b[ABKT]\b"
"""The place of a number in the words that are shown to people."""
SYNONYMS = {"suppress": "hide", "mask": "hide", "redact": "hide"}
"""Words that others use for the first word of a step."""
LONGEST = 2000
"""Characters of the longest rule that is read."""

Step = dict[str, Any]


@dataclass(frozen=True)
class WordForm:
    """The words of one kind of step: `shown` to people, and a pattern whose groups are keys of the step."""

    kind: str
    shown: str
    pattern: str

    def read(self, words: str) -> Step | None:
        """The step that words say, whatever their case; None where they do not fit."""
        found = re.fullmatch(self.pattern, words, re.IGNORECASE)
        if found is None:
            return None
        fields = {name.replace("_", "-"): text for name, text in found.groupdict().items() if text}
        if "below" in fields:
            fields.setdefault("zero", "hidden")  # what is not said to be shown is below K
        return {"kind": self.kind, **{name: _value(name, text) for name, text in fields.items()}}


def _value(name: str, text: str) -> Any:
    """The value of a key as a file has it."""
    if name == "bands":
        bands = [re.split("[-+:]+", band) for band in text.split()]
        return [{"from": int(b[0]), **({"to": int(b[1])} if len(b) > 2 else {}), "base": int(b[-1])} for b in bands]
    return int(text) if text.isdecimal() else text if name in {"table", "p", "base"} else text.lower()


FORMS = (
    WordForm("hide", "hide A to B", rf"hide (?P<from>{COUNT}) to (?P<to>{COUNT})"),
    WordForm(
        "hide",
        "hide below K with zero shown|hidden",
        rf"hide below (?P<below>{COUNT})(?:,? (?:with )?zero (?P<zero>shown|hidden))?",
    ),
    WordForm(
        "round",
        "round to base B halves up|down|even",
        rf"round to base (?P<base>{COUNT}(?:/{COUNT})?){TIES}",
    ),
    WordForm("midpoint", "midpoint B", rf"midpoint (?P<base>{COUNT})"),
    WordForm("random-round", "random rounding to base B", rf"random rounding to base (?P<base>{COUNT})"),
    WordForm(
        "cell-key",
        "cell keys FILE.csv",
        rf"cell keys (?P<table>\S.*?\.(?:csv|json))(?: rows reused from (?P<rows_reused_from>{COUNT}))?",
    ),
    WordForm("top-code", "top-code at T", rf"top-code at (?P<at>{COUNT})"),
    WordForm(
        "bands",
        "bands 1-49:5 50-249:25 250+:50 halves up|down|even",
        rf"bands (?P<bands>{BAND}(?: {BAND})*){TIES}",
    ),
    WordForm("geometric-noise", "geometric noise R", rf"geometric noise (?P<p>{COUNT}/{COUNT}|0\.[0-9]{{1,300}})"),
)
"""The words of steps; a kind may have two forms, of different keys."""


@dataclass(frozen=True)
class Source:
    """Who publishes under a rule, where that can be read, and how: its code, a document, a part of it, or its name."""

    who: str
    where: str
    read: str


@dataclass(frozen=True)
class NamedRule:
    """A rule that somebody publishes under, as rules.toml has it."""

    key: str
    number: int
    title: str
    sources: tuple[Source, ...]
    words: str | None = None
    write: str = ""
    table: Mapping[str, Any] | None = None
    noise: str = ""
    note: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Rule:
    """Steps for each count, keys of each table that belong to the rule, and `noise` where it says how it is drawn."""

    steps: tuple[Step, ...]
    table: Mapping[str, Any]
    noise: str = ""


@cache
def named_rules() -> Mapping[str, NamedRule]:
    """The known rules by their keys, in the order of their numbers."""
    tables = tomllib.loads(LIST.read_text(encoding="utf-8"))["rule"]
    rules = [NamedRule(**{**one, "sources": tuple(Source(**source) for source in one["sources"])}) for one in tables]
    return {rule.key: rule for rule in rules}


def rule_of(text: str, where: str = "") -> Rule:
    """The rule that words or a key name.

    >>> rule_of("hide 0 to 9, then round to base 5").steps
    ({'kind': 'hide', 'from': 0, 'to': 9}, {'kind': 'round', 'base': 5})
    >>> rule_of("ons-10-5") == rule_of("hide 0 to 9, then round to base 5")
    True

    Raises:
        InputError: for a rule that is misspelt or incomplete, with what to write; for one that has no exact rule.

    """
    if len(text) > LONGEST:
        raise InputError(f"the rule has {len(text):,} characters", where=where, wanted=f"at most {LONGEST:,}")
    known = named_rules().get(text.strip())
    if known is None:
        return Rule(tuple(_step(part, where) for part in text.strip().split(JOINT)), {})
    if known.refused:
        raise InputError(
            f"the rule {known.key} ({known.title}) is not decided: {known.refused}", where=where, wanted="another rule"
        )
    if known.words is None:
        raise InputError(
            f"the rule {known.key} has no parameters of its own",
            where=where,
            wanted=f'its words, such as "{known.write}"',
        )
    steps = rule_of(known.words, where).steps if known.words else ()
    return Rule(steps, known.table or {}, known.noise)


def _step(part: str, where: str) -> Step:
    """The step that one part of a rule says in words."""
    words = " ".join(part.split())
    step = next((step for form in FORMS if (step := form.read(words)) is not None), None)
    if step is not None:
        return step
    raise InputError(
        f"{shorten(words)} is not a step of a rule",
        where=where,
        wanted="steps such as `hide 0 to 9, then round to base 5`, or the key of a rule",
        tip=_to_write(words),
    )


def _to_write(words: str) -> str:
    """What to write in place of words that are no step: the form that begins alike, a key, or all forms."""
    if " then " in f" {words} ":
        return "join two steps by `, then `"
    first = words.lower().split(" ", maxsplit=1)[0]
    begun = {form.shown.split()[0] for form in FORMS}
    near = SYNONYMS.get(first, first)
    near = near if near in begun else closest(near, begun)
    fitting = _with_numbers([form.shown for form in FORMS if form.shown.split()[0] == near], words)
    forms = "write " + " or ".join(f"`{form}`" for form in fitting) if near else ""
    if forms and {"kept", "fresh"} & set(words.lower().split()):
        forms += ", and say beside the rule how noise is drawn (--noise kept)"
    key = meant(words, named_rules())
    tip = forms or key if " " in words else key or forms
    return tip or "one of: " + "; ".join(form.shown for form in FORMS)


def _with_numbers(shown: Sequence[str], words: str) -> list[str]:
    """The forms with the numbers of the words in the places of their letters; all forms, where no number of them fits.

    >>> _with_numbers(["hide A to B", "hide below K with zero shown|hidden"], "hide 1-9 and show zero")
    ['hide 1 to 9']
    """
    numbers = re.findall(COUNT, words)
    parts = [re.split(LETTER, form) for form in shown]
    fitting = [part for part in parts if numbers and len(part) == len(numbers) + 1]
    return ["".join(map(add, part, [*numbers, ""])) for part in fitting] or list(shown)
