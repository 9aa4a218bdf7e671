"""Random models whose labels are texts, and their spellings: numbers in quotes, lists in three ways, any order.

A `Text` marks a place where a label stands. The naive twin reads the texts; the package reads a TOML file in which each
place is spelled anew.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from naive import Plain, Row
from strategies import Case, lexicographic, plain_rows
from twin_laws import Twin, parts, text

NO_ANSWER = "⊥"
POOL = ["0", "1", "2", "10", "-1", "true", "false", "yes", "no", "a", "01", "1.0", "1/2", "x y", NO_ANSWER, "> 1",
        "[]", "[1,1]", "[0]", '["a",1]', '[true,"01"]', "[[1],2]", '["[x]"]', "[x]"]  # fmt: skip
"""Texts of labels, each in its canonical form; the last is no list."""
BARE = re.compile(r"[A-Za-z0-9_-]+")
WHOLE = re.compile(r"0|-?[1-9][0-9]*")
NUMBER = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*)?")
KINDS = ["table", "constant", "identity", "records", "count", "threshold-count", "parity", "maximum", "minimum", "mode",
         "histogram", "k-anonymous-histogram", "apply", "k-anonymization", "randomized-response", "sum", "mean",
         "linear", "geometric-mean", "harmonic-mean", "quadratic-mean", "all", "adaptive", "part",
         "choice"]  # fmt: skip
ANY_SIZE = {"constant", "count", "threshold-count", "sum", "parity", "histogram", "k-anonymous-histogram", "apply"}
OF_NUMBERS, OF_POSITIVE = {"sum", "mean", "linear"}, {"geometric-mean", "harmonic-mean", "quadratic-mean"}
SMALL = 9
"""Most outputs of a mechanism that another one, or a step, is put behind."""


class Text(str):
    """The canonical text of a label, at a place of a model file where a label stands."""

    __slots__ = ()


class Maker:
    """Makes models by a seeded generator; `used` are the kinds of mechanisms and steps in them."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)  # noqa: S311 - not a secret
        self.used: set[str] = set()

    def text(self) -> Text:
        return Text(self.draw.choice(POOL))

    def texts(self, number: int) -> list[Text]:
        return [Text(one) for one in self.draw.sample(POOL, number)]

    def law(self, labels: list[Text]) -> dict[Text, str]:
        weights = [self.draw.choice([0, 1, 1, 2, 3]) for _ in labels]
        weights[self.draw.randrange(len(labels))] += 1
        return {one: str(Fraction(w, sum(weights))) for one, w in zip(labels, weights, strict=True)}

    def answer(self, labels: list[Text]) -> dict[str, Any]:
        """`output`, or `outputs`."""
        some = self.draw.sample(labels, self.draw.randint(1, len(labels)))
        return {"output": some[0]} if self.draw.random() < 0.4 else {"outputs": self.law(some)}

    def otherwise(self, labels: list[Text]) -> Any:
        return next(iter(self.answer(labels).values()))

    def table(self, values: list[Text], size: int, key: str = "table") -> dict[str, Any]:
        every, labels = list(product(values, repeat=size)), self.texts(self.draw.randint(1, 3))
        chosen = self.draw.sample(every, self.draw.randint(0, len(every)))
        rows = [{"database": list(db), **self.answer(labels)} for db in chosen]
        full = len(rows) == len(every) and self.draw.random() < 0.5
        return {key: rows} if full else {key: rows, "otherwise": self.otherwise(labels)}

    def channel(self, values: list[Text], size: int, depth: int = 2, *, noise: bool = True) -> dict[str, Any]:
        """A mechanism of any kind, perhaps with a sample and steps."""
        kinds = KINDS if depth else [one for one in KINDS if one not in {"all", "adaptive", "part", "choice"}]
        numeric = all(NUMBER.fullmatch(one) for one in values)
        positive = numeric and all(Fraction(one) > 0 for one in values)
        left_out = set() if positive else OF_POSITIVE if numeric else OF_NUMBERS | OF_POSITIVE
        kind = self.draw.choice([one for one in kinds if one not in left_out])
        spec = self.table(values, size) if kind == "table" else self.kind(kind, values, size, depth)
        if kind in ANY_SIZE and self.draw.random() < 0.15:
            spec["sample"] = self.draw.choice(["1/2", "1", "0"])
        self.used.add(kind)
        then: list[dict[str, Any]] = []
        while self.draw.random() < 0.35 and len(then) < 3:
            step = self.step({**spec, "then": then}, values, size, noise=noise)
            if step is None:
                break
            then.append(step)
        return {**spec, "then": then} if then else spec

    def kind(self, kind: str, values: list[Text], size: int, depth: int) -> dict[str, Any]:
        draw, spec = self.draw, {"kind": kind}
        some = draw.sample(values, draw.randint(1, len(values)))
        records = draw.sample(range(size), draw.randint(1, size))
        made: dict[str, Any] = {}
        if kind == "constant":
            made = {"output": self.text()}
        elif kind in {"count", "threshold-count", "parity"}:
            made = {"values": some} if draw.random() < 0.5 else {"value": some[0]}
            made |= {"above": draw.randint(0, size), "otherwise": self.text()} if kind == "threshold-count" else {}
        elif kind == "records":
            made = {"records": records}
        elif kind == "linear":
            made = {"weights": [draw.choice([0, 1, -1, 2, "1/2"]) for _ in range(size)]}
        elif kind in {"histogram", "k-anonymous-histogram"}:
            made = {"values": some} if draw.random() < 0.5 else {}
            made |= {"k": draw.randint(1, size), "keep": draw.choice([">=", ">"])} if kind != "histogram" else {}
        elif kind == "apply":
            made = {"k": draw.randint(1, size), "generalization": self.classes(values)}
        elif kind == "k-anonymization":
            made = self.recodings(values, size)
        elif kind == "randomized-response":
            made = {"keep": draw.choice(["0", "1/2", "1/3", "1"]), "records": records}
        elif kind == "all":
            made = {"of": [self.channel(values, size, depth - 1) for _ in range(draw.randint(1, 2))]}
        elif kind == "part":
            made = {"records": records, "of": self.channel(values, len(records), depth - 1)}
        elif kind == "choice":
            made = self.choice(values, size, depth)
        elif kind == "adaptive":
            made = self.adaptive(values, size, depth)
        return spec | made

    def classes(self, values: list[Text]) -> dict[Text, Text]:
        labels = self.texts(2)
        return {one: self.draw.choice(labels) for one in values}

    def recodings(self, values: list[Text], size: int) -> dict[str, Any]:
        names = self.texts(2)
        rows = [{"database": list(db), **self.answer(names)} for db in product(values, repeat=size)]
        return {
            "k": self.draw.randint(1, size),
            "generalizations": {name: self.classes(values) for name in names},
            "choose": {"table": rows},
            "shows-mapping": self.draw.random() < 0.5,
        }

    def choice(self, values: list[Text], size: int, depth: int) -> dict[str, Any]:
        names, shown = self.texts(2), self.draw.random() < 0.5
        weights = self.law(names).values()
        of = [
            {"name": n, "weight": w, "mechanism": self.quiet(values, size, depth)}
            for n, w in zip(names, weights, strict=True)
        ]
        return {"of": of, "shown": shown}

    def quiet(self, values: list[Text], size: int, depth: int) -> dict[str, Any]:
        """A mechanism without noise."""
        while True:
            spec = self.channel(values, size, depth - 1, noise=False)
            if "geometric-noise" not in json.dumps(spec):
                return spec

    def adaptive(self, values: list[Text], size: int, depth: int) -> dict[str, Any]:
        first = self.quiet(values, size, 1)
        seen = outputs(first, values, size)
        chosen = self.draw.sample(seen, min(len(seen), self.draw.randint(0, 2)))
        then = {Text(one): self.channel(values, size, depth - 1) for one in chosen}
        full = len(chosen) == len(seen) and self.draw.random() < 0.5
        return {"first": first, "next": then} | ({} if full else {"otherwise": self.channel(values, size, depth - 1)})

    def step(self, before: dict[str, Any], values: list[Text], size: int, *, noise: bool) -> dict[str, Any] | None:
        """A step that takes all that comes; None where there is none."""
        seen = outputs(before, values, size)
        noisy = "geometric-noise" in json.dumps(before)
        if noise and not noisy and all(o == NO_ANSWER or WHOLE.fullmatch(o) for o in seen) and self.draw.random() < 0.5:
            self.used.add("geometric-noise")
            return {"kind": "geometric-noise", "p": self.draw.choice(["1/2", "1/3"])}
        if not noisy and all(set(entries_of(o, values)) <= set(values) for o in seen) and self.draw.random() < 0.6:
            self.used.add("randomized-response step")
            return {"kind": "randomized-response", "keep": self.draw.choice(["1/2", "3/4", "1"])}
        if len(seen) > 4 * SMALL:
            return None
        self.used.add("rows")
        if "geometric-noise" in [one.get("kind") for one in before["then"][:-1]]:
            return {"rows": [], "otherwise": self.otherwise(self.texts(2))}  # an integer would widen the noise before
        labels, chosen = self.texts(self.draw.randint(1, 3)), self.draw.sample(seen, self.draw.randint(0, len(seen)))
        rows = [{"input": Text(one), **self.answer(labels)} for one in chosen]
        full = len(chosen) == len(seen) and self.draw.random() < 0.5
        return {"rows": rows} if full else {"rows": rows, "otherwise": self.otherwise(labels)}

    def model(self) -> Case:
        """A small model, as keys and as plain tables."""
        draw = self.draw
        values = self.texts(2) if draw.random() < 0.6 else [Text(v) for v in draw.choice([["0", "1"], ["1", "2"]])]
        size = draw.choice([1, 2, 2, 2, 3])
        keys: dict[str, Any] = {"size": size, "values": values, "mechanism": self.channel(values, size)}
        mechanism = Twin(keys["mechanism"], values, size)
        plain = Plain(size, list(values), {}, mechanism.law, list(range(size)), [])
        column, sensitive = draw.random() < 0.3, draw.random() < 0.15
        known = None if column else draw.choice([None, {"records": draw.sample(range(size), draw.randint(0, size))},
                                                 self.channel(values, size, 1), self.table(values, size)])  # fmt: skip
        if known is not None:
            keys["knowledge"] = known
        keys["distribution"] = [self.theta(values, plain, known, column=column) for _ in range(draw.randint(1, 2))]
        if not sensitive:
            return Case(keys, plain)
        labels = self.texts(2)
        function = {db: draw.choice(labels) for db in product(values, repeat=size)}
        keys["sensitive"] = {"rows": [{"database": list(db), "value": one} for db, one in function.items()]}
        worlds = {
            name: [Row(r.database, r.knowledge, function[r.database], r.p) for r in rows]  # type: ignore[index]
            for name, rows in plain.worlds.items()
        }
        return Case(
            keys, Plain(size, plain.values, worlds, mechanism.law, None, list(dict.fromkeys(function.values())))
        )

    def theta(self, values: list[Text], plain: Plain, known: dict[str, Any] | None, *, column: bool) -> dict[str, Any]:
        """One distribution; its worlds go into the plain tables."""
        size, name = plain.size, f"#{len(plain.worlds) + 1}"
        every = list(product(range(len(values)), repeat=size))
        if column or self.draw.random() < 0.4:
            heard = self.texts(2) if column else [Text("")]
            cases = list(product(every, heard))
            chosen = self.draw.sample(cases, min(len(cases), self.draw.randint(2, 6)))
            law = self.law([Text(str(k)) for k in range(len(chosen))])
            shares = [(db, one, Fraction(p)) for (db, one), p in zip(chosen, law.values(), strict=True)]
            extra = [{"knowledge": one} if column else {} for _, one, _ in shares]
            rows = [(db, p, None) for db, _, p in shares if p]
            plain.worlds[name] = plain_rows(rows, list(values), size, known)
            if column:
                plain.worlds[name] = [Row(tuple(values[v] for v in db), one, None, p) for db, one, p in shares if p]
            return {"table": [{"database": [values[v] for v in db], "probability": str(p), **more}
                              for (db, _, p), more in zip(shares, extra, strict=True)]}  # fmt: skip
        laws = [self.law(values) for _ in range(size)]
        laws = laws if self.draw.random() < 0.5 else [laws[0]] * size
        plain.worlds[name] = plain_rows(lexicographic([[Fraction(p) for p in one.values()] for one in laws]),
                                        list(values), size, known)  # fmt: skip
        return {"independent": laws} if laws[0] is not laws[-1] or self.draw.random() < 0.5 else {"iid": laws[0]}


def outputs(spec: Mapping[str, Any], values: list[Text], size: int) -> list[str]:
    """The texts of all outputs on all databases."""
    naive = Twin(spec, values, size)
    return sorted({o for db in product(values, repeat=size) for o in naive.law(db)})


def entries_of(output: str, values: list[Text]) -> list[str]:
    entries = None if output in values else parts(output)
    return [output] if entries is None else [text(one) for one in entries]


# --- spellings --------------------------------------------------------------------------------------------


def toml(keys: Mapping[str, Any], draw: random.Random) -> str:
    """The text of a model file, with every label spelled anew and the sections in any order."""
    plain = [one for one in keys if not isinstance(keys[one], list | dict) or one == "values"]
    rest = [one for one in keys if one not in plain]
    inline = [one for one in rest if draw.random() < 0.5]
    first, last = shuffled([*plain, *inline], draw), shuffled([one for one in rest if one not in inline], draw)
    lines = [
        f"{one} = {spelled_values(keys[one], draw) if one == 'values' else written(keys[one], draw)}" for one in first
    ]
    for one in last:
        for part in keys[one] if isinstance(keys[one], list) else [keys[one]]:
            lines.append(f"[[{one}]]" if isinstance(keys[one], list) else f"[{one}]")
            lines += [f"{spelled_key(key, draw)} = {written(part[key], draw)}" for key in shuffled(list(part), draw)]
    return "\n".join(lines) + "\n"


def spelled_values(values: list[Text], draw: random.Random) -> str:
    """T; a value that is a list is written as its text."""
    return (
        "["
        + ", ".join(
            quoted(respelled(one, draw), draw) if parts(one) is not None else spelled(one, draw) for one in values
        )
        + "]"
    )


def shuffled(keys: list[Any], draw: random.Random) -> list[Any]:
    return draw.sample(keys, len(keys))


def written(given: Any, draw: random.Random) -> str:
    """A value in TOML."""
    if isinstance(given, Text):
        return spelled(given, draw)
    if isinstance(given, dict):
        pairs = (f"{spelled_key(key, draw)} = {written(given[key], draw)}" for key in shuffled(list(given), draw))
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(given, list):
        return "[" + ", ".join(written(one, draw) for one in given) + "]"
    return json.dumps(given)


def spelled(label: str, draw: random.Random) -> str:
    """A label as a TOML value."""
    if (WHOLE.fullmatch(label) or label in {"true", "false"}) and draw.random() < 0.5:
        return label
    entries = parts(label)
    if entries is not None and draw.random() < 0.4:
        return "[" + ", ".join(spelled(text(one), draw) for one in entries) + "]"
    return quoted(respelled(label, draw), draw)


def spelled_key(label: str, draw: random.Random) -> str:
    """A label, or the name of a key, as a TOML key."""
    key = respelled(label, draw) if isinstance(label, Text) else label
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


__all__ = ["POOL", "Maker", "Text", "spelled", "toml"]
