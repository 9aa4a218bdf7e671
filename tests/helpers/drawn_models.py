"""Small random models of every kind of mechanism, step, shape and knowledge, as TOML."""

from __future__ import annotations

import json
import random
from typing import Any


def model(seed: int) -> str:
    """A model file of at most three records."""
    draw = random.Random(seed)  # noqa: S311
    many = draw.random() < 0.15
    values: list[Any] = draw.choice([[0, 1], [0, 1, 2], ["a", "b"], ["a", "b", "c"], [-1, 0, "5/2"], [1, 2]])
    numeric = not isinstance(values[0], str)
    size = draw.choice([1, 2, 2, 3] if len(values) == 2 else [1, 2])
    lines = [f"size = {[0, 2] if many else size}", f"values = {json.dumps(values)}"]
    if not many:
        for n in range(draw.choice([1, 1, 2])):
            lines += ["[[distribution]]", f'name = "t{n}"', f"{_shape(draw, size, values)}"]
        if draw.random() < 0.5:
            lines += ["[knowledge]", *_table(_known(draw, size, values))]
    mechanism = (
        _anonymous(draw, values)
        if draw.random() < 0.1
        else _mechanism(draw, 2 if many else size, values, numeric, many, 1)
    )
    lines += ["[mechanism]", *_table(mechanism)]
    if draw.random() < 0.3 and not many:
        lines += ["[policy]", f"absent = {json.dumps(values[-1])}"]
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(str(k))} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return "true" if value is True else "false" if value is False else json.dumps(value, ensure_ascii=False)


def _table(table: dict[str, Any]) -> list[str]:
    return [f"{name} = {toml(value)}" for name, value in table.items()]


def chances(draw: random.Random, labels: list[Any]) -> dict[Any, str]:
    """A random law of these labels."""
    weights = [draw.choice([0, 1, 1, 2, 3, 5]) for _ in labels]
    weights[draw.randrange(len(labels))] += 1
    return {v: f"{w}/{sum(weights)}" for v, w in zip(labels, weights, strict=True)}


def _shape(draw: random.Random, size: int, values: list[Any], depth: int = 1) -> str:
    many = ["iid", "iid", "uniform", "independent", "mixture", "network", "groups", "chain", "counts"]
    kind = draw.choice(many if depth else ["iid", "independent"])
    if kind == "iid":
        return f"iid = {toml(chances(draw, values))}"
    if kind == "uniform":
        return 'iid = "uniform"'
    if kind == "independent":
        return f"independent = {toml([chances(draw, values) for _ in range(size)])}"
    if kind == "mixture":
        parts = ", ".join(f'{{ weight = "{w}", {_shape(draw, size, values, 0)} }}' for w in ("1/3", "2/3"))
        return f"mixture = [ {parts} ]"
    if kind == "network":
        nodes: list[dict[str, Any]] = [{"record": 0, "table": chances(draw, values)}]
        for n in range(1, size):
            rows = [{"when": [v], "table": chances(draw, values)} for v in values]
            nodes.append({"record": n, "given": [n - 1], "rows": rows})
        return f"network = {toml(nodes)}"
    if kind == "chain":
        step = {v: chances(draw, values) for v in values}
        return f"chain = {toml({'start': chances(draw, values), 'step': step})}"
    if kind == "counts" and len(values) == 2:
        return f"counts = {toml({'value': values[1], 'table': chances(draw, list(range(size + 1)))})}"
    if kind == "counts":
        alike = [[size if w == v else 0 for w in values] for v in values]
        rows = [{"histogram": h, "probability": p} for h, p in zip(alike[:2], ("1/4", "3/4"), strict=True)]
        return f"counts = {toml(rows)}"
    return f"groups = [ {{ times = {size}, {_shape(draw, 1, values, 0)} }} ]"


def _known(draw: random.Random, size: int, values: list[Any]) -> dict[str, Any]:
    return draw.choice([
        {"records": [draw.randrange(size)]},
        {"kind": "count", "value": values[0]},
        {"kind": "randomized-response", "keep": "1/2", "records": [draw.randrange(size)]},
        {"kind": "parity", "values": values[:2]},
        {"kind": "all", "of": [{"kind": "count", "value": values[0]}, {"kind": "records", "records": [0]}]},
    ])  # fmt: skip


def _anonymous(draw: random.Random, values: list[Any]) -> dict[str, Any]:
    fine, coarse = {v: f"c{n % 2}" for n, v in enumerate(values)}, dict.fromkeys(values, "all")
    if draw.random() < 0.5:
        return {"kind": "apply", "k": 2, "generalization": fine}
    choose = {"kind": "count", "value": values[0], "then": [
        {"rows": [{"input": 0, "output": "fine"}], "otherwise": {"fine": "1/3", "coarse": "2/3"}}]}  # fmt: skip
    shown = draw.random() < 0.5
    return {
        "kind": "k-anonymization",
        "k": 1,
        "generalizations": {"fine": fine, "coarse": coarse},
        "choose": choose,
        "shows-mapping": shown,
    }


def _mechanism(
    draw: random.Random, size: int, values: list[Any], numeric: object, many: object, depth: int
) -> dict[str, Any]:
    counted: dict[str, Any] = draw.choice([{"value": values[0]}, {"values": values[:2]}])
    kinds: list[dict[str, Any]] = [
        {"kind": "constant", "output": "ok"},
        {"kind": "count", **counted},
        {"kind": "threshold-count", **counted, "above": draw.randrange(2)},
        {"kind": "parity", **counted},
        {"kind": "histogram"},
        {"kind": "k-anonymous-histogram", "k": max(1, draw.randrange(3)), "keep": draw.choice([">", ">="])},
    ]
    if not many:
        kinds += [
            {"kind": "identity"}, {"kind": "records", "records": [0]}, {"kind": "maximum"},
            {"kind": "minimum"}, {"kind": "mode"},
            {"kind": "randomized-response", "keep": "1/3"}, {"kind": "randomized-response", "epsilon": "ln(3)"},
        ]  # fmt: skip
    if numeric and not many:
        kinds += [
            {"kind": "sum"},
            {"kind": "mean"},
            {"kind": "quadratic-mean"},
            {"kind": "linear", "weights": ["1/2"] * size},
        ]
        if min(map(_number, values)) > 0:
            kinds += [{"kind": "geometric-mean"}, {"kind": "harmonic-mean"}]
    if depth:
        inner = [_mechanism(draw, size, values, numeric, many, 0) for _ in range(2)]
        kinds += [{"kind": "all", "of": inner}] * 2
        kinds += [
            {
                "kind": "adaptive",
                "first": {"kind": "count", "value": values[0]},
                "next": {"1": inner[0]},
                "otherwise": inner[1],
            }
        ]
        weights = [{"weight": w, "mechanism": m} for w, m in zip(["1/4", "3/4"], inner, strict=True)]
        kinds += [{"kind": "choice", "of": weights, "shown": True}]
        if not many:
            kinds += [{"kind": "part", "records": [size - 1], "of": _mechanism(draw, 1, values, numeric, many, 0)}]
    out = dict(draw.choice(kinds))
    if many and draw.random() < 0.5:
        out["sample"] = "1/3"
    chance = draw.random()
    if out["kind"] in ("count", "histogram", "parity", "threshold-count", "k-anonymous-histogram") and chance < 0.5:
        noise = {"kind": "geometric-noise", **draw.choice([{"p": "1/2"}, {"p": "2/3"}, {"epsilon": "ln(3)"}])}
        out["then"] = [noise]
        if out["kind"] == "count" and chance < 0.2:
            out["then"].append(
                {"rows": [{"input": n, "output": n} for n in range(2)], "otherwise": {"far": "1/2", "1": "1/2"}}
            )
    elif out["kind"] == "constant" and chance < 0.5:
        out["then"] = [{"rows": [{"input": "ok", "outputs": {"x": "1/3", "y": "2/3"}}]}]
    return out


def _number(value: Any) -> float:
    return 0 if isinstance(value, str) else value
