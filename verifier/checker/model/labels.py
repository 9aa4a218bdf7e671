"""What stands in a model file: labels, numbers, laws, and the forms of tables (models/FORMAT.md), read strictly.

An outcome is an integer, a boolean, a text or a tuple of these. Two are equal where their texts are, however they are
spelled: `text` is the only thing to compare. A law is a list of outcomes with exact probabilities.

What the format does not allow is refused, as a reader of its own does: a file that is read in two ways has no answer.
Messages name what was given and what is wanted. Where this reader does not go so far it raises `Uncovered`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.checker import Rejected
from verifier.checker.numbers import ONE, rational_root

Raw: TypeAlias = list[tuple[Any, Fraction]]
"""Outcomes with their probabilities."""
NO_ANSWER = "⊥"
NOTHING = "\x00"
"""The text of B̂ of an attacker who knows nothing."""
MOST_RECORDS = 10_000_000
"""Most records of a database (models/FORMAT.md)."""
MOST = 1 << 17
"""Most sums, databases or outcomes that are listed for one mechanism."""
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,4000}")
BARE = re.compile(r"true|false|0|-?[1-9][0-9]*")
"""The texts that stand in a list without quotes."""
DEEPEST = 100
"""Most lists inside each other."""
NUMBER = re.compile(r"(-?[0-9]{1,4000})(?:/0*([1-9][0-9]{0,3999}))?")
_DECIMAL = re.compile(r"([-+]?)([0-9]{1,5000})(?:\.([0-9]{1,5000}))?(?:[eE]([+-]?[0-9]{1,4}))?")
_RATIO = re.compile(r"([-+]?[0-9]{1,4300})/([0-9]{1,4300})")


class Decimal(str):
    """A decimal of a model file, by its literal text: a number, and no label."""

    __slots__ = ()


class Uncovered(Exception):  # noqa: N818 - it names the outcome
    """The reader does not go so far; nothing is compared, and the message says why."""


def exact(value: object) -> Fraction:
    """A number of a model file: an integer, a text `p/q`, or a decimal, read exactly."""
    if type(value) is int:
        return Fraction(value)
    text = str(value).strip() if isinstance(value, str) else ""
    text = text.replace("_", "") if isinstance(value, Decimal) else text
    if (match := _RATIO.fullmatch(text)) and int(match[2]):
        return Fraction(int(match[1]), int(match[2]))
    if match := _DECIMAL.fullmatch(text):
        places = match[3] or ""
        size = int(match[2] + places) * Fraction(10) ** (int(match[4] or "0") - len(places))
        return -size if match[1] == "-" else size
    raise Rejected(f"the model file has {str(value)[:40]!r} where a number stands")


def chance(value: object) -> Fraction:
    """A number of a model file from 0 to 1."""
    if not 0 <= (p := exact(value)) <= 1:
        raise Rejected(f"the model file has {str(value)[:40]!r} where a probability stands")
    return p


_FACTOR = re.compile(r"\s*(?:([*/])\s*)?(?:ln\s*\(([^()]*)\)|([0-9][0-9.]*(?:[eE][+-]?[0-9]+)?))\s*")
MOST_BITS = 1 << 20
"""Most bits of e^ε, where a mechanism has it."""


def epsilon(value: Any) -> tuple[Fraction | None, Fraction | None]:
    """An ε ≥ 0 in any spelling, as (factor, argument): a product of numbers and at most one logarithm.

    The argument is None where there is no logarithm; for infinity and the logarithm of a root both are None.
    """
    if not isinstance(value, str):
        return Fraction(integer(value, 0)), None
    written = value.strip()
    if written in {"inf", "∞", "oo"} or (written.startswith("ln(root of ") and written.endswith(")")):
        return None, None
    factor, argument, at = Fraction(1), Fraction(1), int(written.startswith("-"))
    sign, logarithms = -1 if at else 1, 0
    while match := _FACTOR.match(written, at):
        if (match[1] is None) != (at == written.startswith("-")) or (match[2] is not None and match[1] == "/"):
            break
        logarithms += match[2] is not None
        number = exact(match[3] if match[2] is None else match[2])
        if match[2] is not None:
            argument = number
        elif match[1] != "/" or number:
            factor = factor / number if match[1] == "/" else factor * number
        else:
            break
        at = match.end()
    negative = sign * factor * (argument - 1 if logarithms else 1) < 0
    if at < len(written) or not written or logarithms > 1 or argument <= 0 or negative:
        raise refused(value, "an ε such as ln(2)")
    return sign * factor, argument if logarithms else None


def power(value: Any) -> Fraction:
    """e^ε, which must be rational: x^f for ε = f·ln(x), where x has the root that f asks for; 1 for ε = 0."""
    factor, argument = epsilon(value)
    if factor is None and "root" in value:
        raise Uncovered("the ε of a mechanism as the logarithm of a root")
    if factor == 0 or argument == 1:
        return ONE
    if factor is None or argument is None:
        raise refused(value, "an ε with a rational e^ε")
    x, f = (argument, factor) if argument > 1 else (1 / argument, -factor)
    base = rational_root(x, f.denominator)
    if base is None:
        raise refused(value, "an ε with a rational e^ε")
    if f.numerator * (base.numerator.bit_length() + base.denominator.bit_length()) > MOST_BITS:
        raise Uncovered("a very large e^ε")
    return base**f.numerator


def outcome(value: Any, depth: int = 0) -> Any:
    """The outcome of a label in a model file: a rational as an integer or a text, a list, also in JSON, as a tuple."""
    if depth > DEEPEST:
        raise Rejected(f"the model file has a label with more than {DEEPEST} lists inside each other")
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, list | tuple):
        return tuple(outcome(entry, depth + 1) for entry in value)
    if isinstance(value, str) and not isinstance(value, Decimal) and value.isprintable():
        listed = _listed(value)
        return value if listed is None else outcome(listed, depth)
    if isinstance(value, bool | int):
        return value
    raise Rejected(f"the model file has {str(value)[:40]!r} where a label stands")


def _listed(label: str) -> list[Any] | None:
    """The list that a text spells in JSON; None where it spells none, or one with an entry that is no label."""
    if not label.lstrip(" ").startswith("["):
        return None
    try:
        listed = json.loads(label)
    except RecursionError:
        raise Rejected(f"the label {label[:40]!r} is nested too deeply") from None
    except ValueError:
        return None
    return listed if _are_labels(listed) else None


def _are_labels(entries: list[Any]) -> bool:
    return all(
        _are_labels(entry)
        if isinstance(entry, list)
        else entry.isprintable()
        if isinstance(entry, str)
        else isinstance(entry, bool | int)
        for entry in entries
    )


def text(value: Any) -> str:
    """The text by which an outcome is compared: booleans as in TOML, lists as compact JSON of their entries."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{','.join(map(_entry, value))}]"
    return str(value)


def _entry(value: Any) -> str:
    """How an outcome stands in a list: by its text alone, in quotes unless that is an integer, a truth or a list."""
    written = text(value)
    bare = isinstance(value, tuple | int) or BARE.fullmatch(written)
    return written if bare else json.dumps(written, ensure_ascii=False)


def entries(label: str) -> list[str] | None:
    """The texts of the entries of a list, from its own text; None where it is no list, or not in its one spelling."""
    value = outcome(label) if label.isprintable() else label
    return [text(entry) for entry in value] if isinstance(value, tuple) and text(value) == label else None


def gathered(raw: Iterable[tuple[Any, Fraction]]) -> Raw:
    """The law with one entry for each text, and without outcomes of probability 0."""
    law: dict[str, tuple[Any, Fraction]] = {}
    for value, p in raw:
        if p:
            key = text(value)
            law[key] = (law[key][0], law[key][1] + p) if key in law else (value, p)
    if len(law) > MOST:
        raise Uncovered("a law has too many outcomes")
    return list(law.values())


def in_order(value: Any) -> tuple[Any, ...]:
    """The key by which outcomes are sorted: numbers by size, then lists, then texts."""
    if isinstance(value, tuple):
        return 1, tuple(map(in_order, value)), text(value)
    if match := NUMBER.fullmatch("" if isinstance(value, bool) else str(value)):
        return 0, Fraction(int(match[1]), int(match[2] or 1)), text(value)
    return 2, text(value), text(value)


def published(counts: Mapping[str, int], classes: Sequence[Any], k: int) -> tuple[Any, ...]:
    """The published table: the classes that appear at least k times, each as often as it appears, sorted."""
    return tuple(c for c in sorted(classes, key=in_order) for _ in range(counts[text(c)]) if counts[text(c)] >= k)


HALF_LINE = re.compile(rf"[<>] ({INTEGER.pattern})")
"""The text of a half-line: all integers below, or above, a number are one outcome of geometric noise."""


def is_part(label: str, tail: str) -> bool:
    """Whether the text of a half-line is that of a part of another one: `"> 9"` of `"> 7"`."""
    if label[:2] != tail[:2] or not HALF_LINE.fullmatch(label):
        return False
    inner, outer = int(label[2:]), int(tail[2:])
    return inner > outer if tail.startswith(">") else inner < outer


def leaves(value: Any) -> list[Any]:
    """The parts of an outcome that are no lists."""
    return [leaf for entry in value for leaf in leaves(entry)] if isinstance(value, tuple) else [value]


def inputs_of(step: Mapping[str, Any]) -> list[Any]:
    """The outputs that the rows of a step name."""
    return [outcome(row["input"]) for row in step.get("rows", step.get("table", []))]


def entry_of(named: Iterable[Any], k: int, length: int) -> tuple[Any, ...]:
    """The k-th entries of the outcomes that are lists of this length."""
    return tuple(value[k] for value in named if isinstance(value, tuple) and len(value) == length)


def geometric(at: int, p: Fraction, low: int, high: int) -> Raw:
    """The law of at + X with P[X = k] = (1 - p)/(1 + p)·p^|k|; all below `low`, all above `high` is one outcome."""
    share = (1 - p) * Fraction(1, 1 + p)
    law: Raw = [(k, share * p ** abs(k - at)) for k in range(low, high + 1)]
    tail = Fraction(1, 1 + p)  # of p^d·(1 + p + p² + …)·share
    return [*law, (f"< {low}", tail * p ** (at - low + 1)), (f"> {high}", tail * p ** (high - at + 1))]


def root(value: Fraction, degree: int) -> Any:
    """The degree-th root of a rational ≥ 0: a number, `sqrt(5/2)` or `root(5/2, 3)`, the degree as small as it gets."""
    for step in range(degree, 0, -1):
        if degree % step == 0 and (inside := rational_root(value, step)) is not None:
            degree_left = degree // step
            if degree_left == 1:
                return outcome(inside)
            return f"sqrt({inside})" if degree_left == 2 else f"root({inside}, {degree_left})"
    raise Rejected("every number is its own first root")


def connected(records: Iterable[int], families: Iterable[Collection[int]]) -> dict[int, int]:
    """Of each record the smallest one that it is connected to, where each family connects its records."""
    first = {record: record for record in records}
    for family in families:
        joined = {first[record] for record in family}
        first = {record: min(joined) if label in joined else label for record, label in first.items()}
    return first


# --- forms ------------------------------------------------------------------------------------------------------------

BREAKS = "\x85\u2028\u2029"
"""What ends a line in some places and not in others."""


def refused(given: Any, wanted: str) -> Rejected:
    """The refusal of a part of a model file."""
    return Rejected(f"the model file has {str(given)[:60]!r}. Expected {wanted}")


def keyed(value: Any, needed: Iterable[str] = (), allowed: Iterable[str] = (), *, one_of: Iterable[str] = ()) -> Any:
    """A table with all keys that are needed, exactly one of `one_of` (if any), and no others but those allowed."""
    needed, one_of = list(needed), list(one_of)
    if not isinstance(value, dict):
        raise refused(value, f"a table with {', '.join([*needed, *one_of])}")
    if missing := set(needed) - set(value):
        raise Rejected(f"the model file has a table without {sorted(missing)}: {list(value)[:6]}")
    if unknown := set(value) - {*needed, *one_of, *allowed}:
        raise Rejected(f"the model file has an unknown key: {min(unknown)[:40]!r}")
    if one_of and len(set(one_of) & set(value)) != 1:
        raise refused(list(value), f"exactly one of {', '.join(one_of)}")
    return value


def listing(value: Any, length: int | None = None) -> list[Any]:
    """A list, of a length where one is wanted."""
    if not isinstance(value, list) or length not in (None, len(value)):
        raise refused(value, "a list" if length is None else f"a list of {length}")
    return value


def listed_rows(spec: Mapping[str, Any]) -> list[Any]:
    """The rows of a table, which stand under `rows` or `table`."""
    return listing(spec["rows"] if "rows" in spec else spec["table"])


def integer(value: Any, least: int | None = None) -> int:
    """An integer, no truth value, and not less than the least."""
    if type(value) is not int or (least is not None and value < least):
        raise refused(value, "an integer" if least is None else f"an integer from {least}")
    return value


def chosen(value: Any, options: Iterable[Any]) -> Any:
    """One of a few values."""
    if not any(type(value) is type(option) and value == option for option in options):
        raise refused(value, f"one of {list(options)}")
    return value


def name(value: Any, *, lines: bool = False) -> str:
    """A text of printable characters and spaces, with `lines` on several lines."""
    if type(value) is not str:
        raise refused(value, "a text")
    for c in value:
        space = c.isspace() and c > "\x7f" and c not in BREAKS
        if not (c.isprintable() or space or (lines and c in "\n\t")):
            raise refused(value, "a text of printable characters")
    return value


def distinct(values: Iterable[Any], wanted: str) -> list[Any]:
    """Values of which no two are equal, in their order; at least one."""
    values = list(values)
    if not values or len(set(values)) < len(values):
        raise refused(values, wanted)
    return values


def record(value: Any, size: int) -> int:
    """The index of a record."""
    if integer(value, 0) >= size:
        raise refused(value, f"a record from 0 to {size - 1}")
    return int(value)


def indices(value: Any, size: int) -> Sequence[int]:
    """Indices of records: a list without repetition, or the table `{from, to}` of a range with both ends."""
    if isinstance(value, dict):
        keyed(value, ("from", "to"))
        first, last = record(value["from"], size), record(value["to"], size)
        if last < first:
            raise refused(value, "from ≤ to")
        return range(first, last + 1)
    return distinct((record(i, size) for i in value), "records, each once") if listing(value) else []


def labelled(table: Any) -> dict[str, tuple[Any, Any]]:
    """A table by the texts of its labels: each key's label and its entry; no two keys are one label."""
    if not isinstance(table, dict):
        raise refused(table, "a table")
    by_text = {text(label): (label, entry) for label, entry in ((outcome(key), entry) for key, entry in table.items())}
    if len(by_text) < len(table):
        raise Rejected(f"the model file has a table with two keys that are one label: {list(table)[:6]}")
    return by_text


def sizes_of(size: Any) -> tuple[int, int] | None:
    """The smallest and the largest size of multisets; None where all databases have one size."""
    if any(type(end) is int and end > MOST_RECORDS for end in (size if isinstance(size, list) else [size])):
        raise refused(size, f"at most {MOST_RECORDS:,} records")
    if not isinstance(size, list):
        integer(size, 1)
        return None
    first, last = (integer(end, 0) for end in listing(size, 2))
    if last < max(first, 1):
        raise refused(size, "[from, to] with 0 ≤ from ≤ to and to ≥ 1")
    return first, last


def table_of(value: Any) -> Any:
    """A table, whatever its keys."""
    return keyed(value, (), value if isinstance(value, dict) else ())
