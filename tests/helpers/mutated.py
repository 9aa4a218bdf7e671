"""Model files with one or two slips: of brackets, types, keys, numbers, lengths, labels, and copies in wrong places.

`mutants` makes them from the tables of a file, `slips` from its text. The same seed makes the same mutants.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

from verifier.model.write import inline
from verifier.numbers import DecimalLiteral

Path = tuple[str | int, ...]
KEYS = tuple(
    """
    size values value name database probability knowledge sensitive iid independent table rows mixture network groups
    chain start step counts histogram
    times weight record records given when kind output outputs otherwise sample then input keep k above weights ties of
    first next shown mechanism choose generalization generalizations shows-mapping p from to parameters definition
    verdict distribution expect policy normalization title source notes epsilon delta agg priv absent neighbours levels
    blocks theta-pairs identity constant truth
    """.split()  # noqa: SIM905 - a list has a line for each
)
LEAVES: tuple[Any, ...] = (
    *(0, 1, 2, -1, 7, 10**30, True, False),
    *("0", "1", "1/2", "-1/2", "1/3", "3/2", "1/0", " 1/2", "1 / 2", "1_0", "٣", "1/-2", "1e-1", "0.5", ".5", "5."),
    *("ln(9)/2", "-ln(1/3)", "1/2*ln(2)", "uniform"),
    *("a", "b", "", " ", "inf", "ln(2)", "⊥", "> 1", "< 0", "01", "+1", "-0", "[0,0]", "[0, 1]", "[1", "a\nb", "\x07"),
    *("true", "hamming", "abs-3", "count", "identity", "records", "randomized-response", "geometric-noise", "first"),
    *("constant", ">", ">=", "#1", "component", "change", "sqrt(2)", "1e400"),
    *map(DecimalLiteral, ("0.5", "1.0", "0.25", "inf", "nan", "1e-1", "1_0.5", "-0.5")),
    *([], {}, [0], [1], [0, 1], ["a"], [[0]], {"0": 1}, {"from": 0, "to": 0}, {"from": 0, "to": 1}, {"records": [0]}),
    *({"kind": "identity"}, {"kind": "constant", "output": "x"}, {"kind": "count", "value": 1}),
)  # fmt: skip


def tables_of(text: str) -> dict[str, Any]:
    """The tables of a file, each decimal as its literal text."""
    return tomllib.loads(text, parse_float=DecimalLiteral)


def written(tables: dict[str, Any]) -> str:
    """The text of some tables, whatever they hold: a line for each key."""
    return "".join(f"{_value(key)} = {_value(value)}\n" for key, value in tables.items())


def _value(raw: Any) -> str:
    if isinstance(raw, DecimalLiteral):
        return str(raw)
    if isinstance(raw, dict):
        return "{" + ", ".join(f"{_value(key)} = {_value(value)}" for key, value in raw.items()) + "}"
    if isinstance(raw, list):
        return f"[{', '.join(map(_value, raw))}]"
    if isinstance(raw, str) and not raw.isprintable():
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in raw) + '"'
    return inline(raw)


def mutants(tables: dict[str, Any], random: Random, number: int) -> Iterator[str]:
    """Texts that differ from the file in one place, or in two."""
    for _ in range(number):
        mutant = copy.deepcopy(tables)
        for _ in range(1 if random.random() < 0.75 else 2):
            _mutate(mutant, random)
        yield written(mutant)


def slips(text: str, random: Random, number: int) -> Iterator[str]:
    """Texts with one slip of the pen: a bracket of a header left out, a character too many or too few."""
    headers = list(re.finditer(r"^\[\[?[a-z]+\]\]?$", text, re.MULTILINE))
    for _ in range(number):
        kind, at = random.randrange(4), random.randrange(len(text))
        if kind == 0 and headers:
            header = random.choice(headers)
            bare = header[0].strip("[]")
            yield text[: header.start()] + random.choice((f"[{bare}]", f"[[{bare}]]")) + text[header.end() :]
        elif kind == 1:
            yield text[:at] + text[at + 1 :]
        elif kind == 2:
            yield text[:at] + random.choice("[]{}=,\"'01/.-#\n x") + text[at:]
        else:
            lines = text.splitlines(keepends=True)
            line = random.randrange(len(lines))
            yield "".join([*lines[:line], *([lines[line]] * random.choice((0, 2))), *lines[line + 1 :]])


def _places(node: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to all nodes below a table or a list."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from _places(value, (*path, key))


def _at(node: Any, path: Path) -> Any:
    for key in path:
        node = node[key]
    return node


def _mutate(tables: dict[str, Any], random: Random) -> None:
    places = list(_places(tables))
    if not places:
        return
    path = random.choice(places)
    if random.random() < 0.3:  # near the top there are few places, and most meaning
        path = random.choice([place for place in places if len(place) <= 3])
    parent, key = _at(tables, path[:-1]), path[-1]
    value = parent[key]
    kind = random.randrange(10)
    if kind == 0:
        del parent[key]
    elif kind == 1:
        parent[key] = [value]
    elif kind == 2:
        parent[key] = value[0] if isinstance(value, list) and value else _changed(value, random)
    elif kind == 3:
        parent[key] = copy.deepcopy(_at(tables, random.choice(places)))
    elif kind == 4 and isinstance(parent, dict):
        renamed = random.choice((*KEYS, f"{key}s", str(key)[:-1], str(key).upper(), *map(str, parent)))
        parent[renamed] = parent.pop(key)
    elif kind == 5 and isinstance(parent, dict):
        parent[random.choice(KEYS)] = copy.deepcopy(random.choice((value, random.choice(LEAVES))))
    elif kind == 6 and isinstance(parent, list):
        parent.insert(random.randrange(len(parent) + 1), copy.deepcopy(random.choice((value, random.choice(LEAVES)))))
    elif kind == 7 and isinstance(parent, list):
        random.shuffle(parent)
    elif kind == 8:
        parent[key] = _changed(value, random)
    else:
        parent[key] = copy.deepcopy(random.choice(LEAVES))


def _changed(value: Any, random: Random) -> Any:
    """The same in another spelling, or another value of the same type."""
    options: tuple[Any, ...]
    if isinstance(value, bool):
        options = not value, str(value).lower(), int(value)
    elif isinstance(value, int):
        options = str(value), value + 1, -value, DecimalLiteral(f"{value}.0"), f"{value}/1"
    elif isinstance(value, DecimalLiteral):
        options = str(value), DecimalLiteral(f"-{value}".replace("--", "")), int(value.partition(".")[0] or 0)
    elif isinstance(value, str):
        bare = int(value) if re.fullmatch("[0-9]{1,9}", value) else f"[{value}]"
        options = f"{value} ", f" {value}", value.upper(), f"-{value}", f"{value}0", value[:-1], [value], bare
    elif isinstance(value, list):
        options = value[:-1], value + value[:1], {str(k): v for k, v in enumerate(value)}, value[::-1], []
    else:
        first = next(iter(value.values()), 0)
        options = first, list(value), [list(pair) for pair in value.items()], {}
    return random.choice(options)
