"""`pkdp claims --bound`: what a theorem claims, beside the exact truth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from verifier.cli.common import Reply
from verifier.errors import InputError
from verifier.numbers import NO_VALUE, exact_text
from verifier.show.sheet import Sheet
from verifier.wings.papers.bounds.assess import CLAIMS, assess, find_claim
from verifier.wings.papers.bounds.options import READING


def bound(names: list[str], given: Mapping[str, str]) -> Reply:
    """Set the (ε, δ) that a theorem claims beside the exact one, as printed and by each reading; or list the theorems.

    `names` is the key of one theorem, or empty; `given` has its parameters and the reading, as texts.
    Exit status: 1 where a reading's claim does not cover the truth; else 3 where one is undecided, or the conditions of
    none are met; else 0.

    Raises:
        InputError: for several claims, and as `assess`.

    """
    if len(names) > 1:
        raise InputError(f"{', '.join(names)} are several claims", where="--bound", wanted="one claim, or none to list")
    texts = {name: text for name, text in given.items() if name != READING}
    if not names and given:
        raise InputError(f"--{next(iter(given))} is given without a claim", wanted="the key of one", tip=LISTS)
    return _assess(names[0], texts, given.get(READING)) if names else _list()


LISTS = "pkdp claims --bound lists them"


def _list() -> Reply:
    columns = ("claim", "place", "statement", "must be given", "can be given", "readings")
    rows = tuple(
        (
            claim.key,
            f"{claim.paper}, {claim.number}",
            claim.statement,
            ", ".join(f"--{name}" for name in claim.wants),
            ", ".join(f"--{name}" for name in claim.may),
            ", ".join(claim.readings),
        )
        for claim in CLAIMS.values()
    )
    return Reply(
        lambda: [dict(zip(columns, row, strict=True)) for row in rows], lambda: [Sheet("Claims", columns, rows)]
    )


def _assess(name: str, texts: dict[str, str], reading: str | None) -> Reply:
    claim = find_claim(name)
    rows = assess(claim, texts, reading)
    coverages = {row.covers for row in rows}
    header = {"claim": claim.key, "paper": claim.paper, "number": claim.number, "given": texts}
    return Reply(
        lambda: {**header, "statement": claim.statement, "family": claim.family, "readings": _json(rows)},
        lambda: [_sheet(claim, texts, rows)],
        1 if "no" in coverages else 3 if "undecided" in coverages or "yes" not in coverages else 0,
    )


def _sheet(claim: Any, texts: dict[str, str], rows: Any) -> Sheet:
    """The table with a row for each reading."""
    columns = (
        "reading", "conditions", "claimed ε", "claimed δ", "exact δ (model)", "exact δ (worst)",
        "claimed/exact", "covers", "smallest ε at claimed δ (model)",
    )  # fmt: skip
    options_text = " ".join(f"--{key} {text}" for key, text in texts.items())
    notes = [f"{row.reading}: {claim.readings[row.reading]}" for row in rows]
    notes += [
        f"{row.reading}: not met: {condition}" for row in rows for condition, met in row.claimed.conditions if not met
    ]
    notes += [smallest] if (smallest := _smallest_deltas(rows)) else []
    notes += sorted({f"worst: {row.where}; over {claim.family}" for row in rows if row.where})
    if claim.worst is None:
        notes.append(f"worst: {claim.family}")
    cells = tuple(tuple(_cells(row)) for row in rows)
    return Sheet(f"{claim.paper}, {claim.number}: {options_text}", columns, cells, notes=tuple(notes))


def _smallest_deltas(rows: Any) -> str:
    """The smallest δ that each reading promises, and one that all of them do; empty where δ is no parameter."""
    readings: dict[str, list[str]] = {}
    below_one = []
    for row in rows:
        least = row.claimed.least
        if least is not None:
            useful = least.exact < 1
            below_one += [least.exact] if useful else []
            readings.setdefault(least.decimal() if useful else "none below 1", []).append(row.reading)
    if not readings:
        return ""
    listed = "; ".join(f"{delta} ({', '.join(names)})" for delta, names in readings.items())
    tip = f" To try one: --delta {exact_text(rounded_up(max(below_one)))}." if below_one else ""
    return f"The smallest δ that is promised: {listed}.{tip}"


def rounded_up(delta: Fraction) -> Fraction:
    """The smallest fraction with three decimal digits that is at least δ, 0 < δ < 1.

    >>> rounded_up(Fraction(80995, 10**6)), rounded_up(Fraction(9999, 10**4))
    (Fraction(81, 1000), Fraction(9999, 10000))
    """
    scale = 1
    while delta * scale < 100:
        scale *= 10
    rounded = Fraction(ceil(delta * scale), scale)
    return rounded if rounded < 1 else delta


def _cells(row: Any) -> list[str]:
    claimed = row.claimed
    met = {True: "met", False: "not met", None: "undecided"}[claimed.met]
    numbers = (claimed.epsilon, claimed.delta, row.model, row.worst)
    decimals = [NO_VALUE if number is None else number.decimal() for number in numbers]
    ratio = NO_VALUE if row.ratio is None else row.ratio.decimal(6)
    tight = row.tight if isinstance(row.tight, str) else NO_VALUE if row.tight is None else row.tight.decimal()
    return [row.reading, met, *decimals, ratio, row.covers, tight]


def _json(rows: Any) -> list[dict[str, Any]]:
    def number(value: Any) -> Any:
        if value is None or isinstance(value, str):
            return value
        exact = None if value.exact is None else exact_text(value.exact, 2000)
        return {"decimal": value.decimal(), "exact": exact}

    return [
        {
            "reading": row.reading,
            "conditions": [{"condition": text, "met": met} for text, met in row.claimed.conditions],
            "epsilon": number(row.claimed.epsilon),
            "exp_epsilon": number(row.claimed.exp),
            "delta": number(row.claimed.delta),
            "model_delta": number(row.model),
            "worst_delta": number(row.worst),
            "worst": row.where,
            "least_delta": number(row.claimed.least),
            "ratio": number(row.ratio),
            "covers": row.covers,
            "model_epsilon": number(row.tight),
        }
        for row in rows
    ]
