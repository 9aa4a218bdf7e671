"""Spellings of one model: numbers in quotes, lists in three ways, sections and keys in any order."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any

from twin_laws import parts, text

BARE = re.compile(r"[A-Za-z0-9_-]+")
WHOLE = re.compile(r"0|-?[1-9][0-9]*")
LABELS = {"absent", "database", "input", "knowledge", "otherwise", "output", "sensitive", "value", "values", "when"}
"""Keys of a model file at which labels stand, or lists of them."""
BY_LABEL = {"generalization", "iid", "independent", "next", "otherwise", "outputs", "table"}
"""Keys of tables whose own keys are labels."""


def toml(keys: Mapping[str, Any], draw: random.Random) -> str:
    """The text of a model file, with every label spelled anew and the sections in any order."""
    plain = [one for one in keys if not isinstance(keys[one], list | dict) or one == "values"]
    rest = [one for one in keys if one not in plain]
    inline = [one for one in rest if draw.random() < 0.5]
    first, last = shuffled([*plain, *inline], draw), shuffled([one for one in rest if one not in inline], draw)
    lines = [
        f"{one} = {spelled_values(keys[one], draw) if one == 'values' else written(keys[one], draw, one)}"
        for one in first
    ]
    for one in last:
        for part in keys[one] if isinstance(keys[one], list) else [keys[one]]:
            lines.append(f"[[{one}]]" if isinstance(keys[one], list) else f"[{one}]")
            lines += [f"{keyed(key, draw)} = {written(part[key], draw, key)}" for key in shuffled(list(part), draw)]
    return "\n".join(lines) + "\n"


def spelled_values(values: list[Any], draw: random.Random) -> str:
    """T; a value that is a list is written as its text."""
    texts = map(text, values)
    shown = (quoted(respelled(v, draw), draw) if parts(v) is not None else spelled(v, draw) for v in texts)
    return "[" + ", ".join(shown) + "]"


def shuffled(keys: list[Any], draw: random.Random) -> list[Any]:
    return draw.sample(keys, len(keys))


def written(given: Any, draw: random.Random, at: str) -> str:
    """A value in TOML, which stands at this key."""
    if isinstance(given, dict):
        labels = at in BY_LABEL and not {"kind", "rows", "table"} & given.keys()
        inside = "output" if at == "generalization" else ""
        pairs = (
            f"{keyed(respelled(key, draw) if labels else key, draw)} = "
            f"{written(given[key], draw, inside if labels else key)}"
            for key in shuffled(list(given), draw)
        )
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(given, list | tuple):
        return "[" + ", ".join(written(one, draw, at) for one in given) + "]"
    return spelled(text(given), draw) if at in LABELS else json.dumps(given)


def spelled(label: str, draw: random.Random) -> str:
    """A label as a TOML value."""
    if (WHOLE.fullmatch(label) or label in {"true", "false"}) and draw.random() < 0.5:
        return label
    entries = parts(label)
    if entries is not None and draw.random() < 0.4:
        return "[" + ", ".join(spelled(text(one), draw) for one in entries) + "]"
    return quoted(respelled(label, draw), draw)


def keyed(key: str, draw: random.Random) -> str:
    """A TOML key."""
    return key if BARE.fullmatch(key) and draw.random() < 0.7 else quoted(key, draw)


def quoted(label: str, draw: random.Random) -> str:
    return f"'{label}'" if "'" not in label and draw.random() < 0.5 else json.dumps(label, ensure_ascii=False)


def respelled(label: str, draw: random.Random) -> str:
    """Another text that is the same label: a list with spaces, and with its numbers and lists in quotes."""
    entries = parts(label)
    if entries is None:
        return label
    inside = [text(one) for one in entries]
    bare = [WHOLE.fullmatch(one) or one in {"true", "false"} or parts(one) is not None for one in inside]
    some = [
        respelled(one, draw) if free and draw.random() < 0.5 else json.dumps(respelled(one, draw), ensure_ascii=False)
        for one, free in zip(inside, bare, strict=True)
    ]
    gap = " " * draw.randint(0, 2)
    return gap + "[" + gap + ("," + gap).join(some) + gap + "]"
