"""Small random models that publish tables of counts under a rule, as TOML: all steps, both noises, all protections."""

from __future__ import annotations

import json
import random
from typing import Any

from drawn_models import chances, toml

CERTAIN = (
    "hide 1 to 1", "hide 0 to 1, then round to base 3", "hide below 2", "hide below 3, zero shown", "round to base 5",
    "round to base 2 halves up", "round to base 4 halves even", "midpoint 3", "top-code at 2", "ons-10-5", "secondary",
    "bands 1-1:1 2+:2 halves down", "remainder-group", "hide 1 to 1, then midpoint 2", "hide below 1 with zero hidden",
)  # fmt: skip
"""Rules that publish a count in one way, in words or by their keys."""
RANDOM: tuple[str | list[dict[str, Any]], ...] = (
    "random rounding to base 2", "random rounding to base 3, then hide 1 to 3", "fixed-random-round",
    "geometric noise 1/3, then hide below 2",
    [{"kind": "geometric-noise", "p": "1/2"}, {"kind": "clamp", "low": 0, "high": 2}],
    [{"rows": [{"input": 0, "outputs": {"none": "1/2", "few": "1/2"}}], "otherwise": "some"}],
    [{"kind": "random-round", "base": 2}, {"kind": "top-code", "at": 4}],
    [{"kind": "cell-key", "table": [
        {"i": 0, "j": 0, "p": 1}, {"i": 1, "j": 0, "p": "1/3"}, {"i": 1, "j": 3, "p": "2/3"}]}],
    [{"kind": "cell-key", "rows-reused-from": 2, "table": [
        {"pcv": count, "ckey": key, "pvalue": noise}
        for count, row in ((1, (0, -1, 1)), (2, (-1, -1, 2)), (3, (0, 0, -3))) for key, noise in enumerate(row)]},
        {"kind": "hide", "from": 1, "to": 2}],
)  # fmt: skip
"""Rules with chance in them, in words or as steps."""


def model(seed: int) -> str:
    """A model file of at most five people, of whom some are known."""
    draw = random.Random(seed)  # noqa: S311
    values: list[Any] = draw.choice([["no", "yes"], ["no", "yes"], [0, 1, 2]])
    size = draw.choice([2, 3, 4, 5] if len(values) == 2 else [2, 3])
    lines = [f"size = {size}", f"values = {json.dumps(values)}", "[people]"]
    names = {"north": _stretch(draw, size), "men": _stretch(draw, size), "her": {"from": size - 1, "to": size - 1}}
    lines += [f"{name} = {toml(people)}" for name, people in names.items()]
    laws = [chances(draw, values) for _ in range(size)]
    lines += ["[[distribution]]", f"independent = {toml(laws)}" if draw.random() < 0.3 else f"iid = {toml(laws[0])}"]
    known = sorted(draw.sample(range(size - 1), draw.randrange(size)))
    lines += ["[knowledge]", f"records = {known}"] if draw.random() < 0.8 else []
    rule: Any = draw.choice(RANDOM if draw.random() < 0.4 else CERTAIN)
    small = rule in RANDOM  # the law of all cells is a product
    tables = [_table(draw, values, 1 if small else 2) for _ in range(draw.choice([1, 2, 2] if small else [1, 2, 3]))]
    tables[0].setdefault("cells", [values[-1]])
    shared = len(tables) > 1 or tables[0].get("total") == "rule"
    mechanism: dict[str, Any] = {"kind": "tables", "rule" if isinstance(rule, str) else "then": rule, "tables": tables}
    if small and rule != "fixed-random-round" and shared:
        mechanism["noise"] = draw.choice(["fresh", "kept"])
    lines += ["[mechanism]", *(f"{name} = {toml(value)}" for name, value in mechanism.items())]
    return "\n".join(lines) + "\n"


def _stretch(draw: random.Random, size: int) -> object:
    ends = sorted(draw.choices(range(size), k=2))
    one = {"from": ends[0], "to": ends[1]}
    return [one, {"from": size - 1, "to": size - 1}] if ends[1] < size - 1 and draw.random() < 0.3 else one


def _table(draw: random.Random, values: list[Any], most: int) -> dict[str, Any]:
    table: dict[str, Any] = {}
    if draw.random() < 0.6:
        table["cells"] = draw.sample(values, draw.choice([1, 2]))
    if draw.random() < 0.5:
        table["without"] = ["her"]
    crossed: list[Any] = [["rest", "men"], [["her", "rest"]], [["men", "rest"], ["rest", "north"]]]
    sides = draw.choice([None, ["north", "rest"], *(crossed if most > 1 else [None])])
    few = most > 1 or len(table.get("cells", "1")) == 1
    sides = sides if few else None
    if sides is not None:
        table["by"] = sides
    if draw.random() < 0.5:
        table["total"] = draw.choice([True, "rule"]) if most > 1 or (few and not sides) else True
    table |= draw.choice([
        {}, {}, {"secondary": "smallest"}, {"secondary": "next-smallest", "up-to": draw.randrange(3)},
        {"remainder": draw.choice([1, 2, 3])},
    ])  # fmt: skip
    return table
