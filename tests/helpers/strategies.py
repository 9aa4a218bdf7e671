"""Random small models: the keys for `verifier.build`, and beside them the same model as plain tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from hypothesis import strategies as st
from naive import Plain, Row
from twin_laws import Spec, Twin, label_order, text

import verifier as pk
from verifier.model.read_mechanism import ANY_SIZE, KINDS

VALUES: list[list[Any]] = [
    [0, 1],
    [0, 1, 2],
    ["a", "b"],
    [2, 1],
    [1, 2, 4],
    ["no", "yes", "blank"],
    [False, True],
]
ODD: list[list[Any]] = [
    ["[1,1]", "x y"],
    ["1", "01"],
    ["true", "⊥"],
    ['["a",1]', "[]", "1/2"],
    ["[[1],2]", "[x]"],
    [-1, "1.0"],
]
"""Values, each by its canonical text, that other spellings may be taken for; all labels are odd beside these."""
ODD_LABELS = {
    **dict(zip("pqr", ("[0]", "10", '[true,"01"]'), strict=True)),
    **dict(zip("uv", ("> 1", "[1,1]"), strict=True)),
    **dict(zip("klm", ('["[x]"]', "false", "no"), strict=True)),
    **dict(zip("xyz", ("[1,1]", "11", "[]"), strict=True)),
    **dict(zip("stabc", ('["s"]', "[s]", "2", "[2]", "+1"), strict=True)),
}
COMPOSED = ["adaptive", "part", "choice"]
RANDOM = ["randomized-response", "shuffle"]
APART = {*COMPOSED, *RANDOM, "all", "k-anonymization"}
"""Kinds that are made of others, and those with coins; each has a strategy of its own below, or elsewhere."""
NAMED = [name for name, kind in KINDS.items() if name not in APART and not kind.needs]
OF_NUMBERS = [name for name, kind in KINDS.items() if kind.needs == "numbers"]
OF_POSITIVE = [name for name, kind in KINDS.items() if kind.needs == "positive numbers"]
AMOUNTS = st.one_of(
    st.sampled_from(["0", "1/2", "1/3", "1"]).map(lambda keep: {"keep": keep}),
    st.sampled_from(["1/2", "1/4", "9/10"]).map(lambda truth: {"truth": truth}),
    st.sampled_from(["0", "ln(3)", "2*ln(2)", "ln(25/4)/2"]).map(lambda epsilon: {"epsilon": epsilon}),
)
"""How often randomized response keeps a value, in one of the three ways."""
RATIOS = st.one_of(
    st.sampled_from(["1/2", "1/3"]).map(lambda p: {"p": p}),
    st.sampled_from(["ln(2)", "ln(9)/2"]).map(lambda epsilon: {"epsilon": epsilon}),
)
"""How wide geometric noise is, in one of the two ways."""
DRAWN = {
    *("constant", "records", "count", "threshold-count", "parity", "linear", "histogram", "k-anonymous-histogram"),
    *("apply", *RANDOM),
}
"""Kinds whose keys are drawn; all others have those of their example."""
NOTHING = "\x00"
"""The text of the knowledge of an attacker who knows nothing."""
Indexed = tuple[tuple[int, ...], Fraction, str | None]
"""A database as positions in T, its probability, and the component."""


@dataclass(frozen=True)
class Case:
    """A model twice: as keys, and as plain tables."""

    keys: dict[str, Any]
    plain: Plain

    def __repr__(self) -> str:
        return f"build(**{self.keys!r})"

    @property
    def unordered(self) -> bool:
        """Whether a function is protected whose values the file does not order, so that one-order has no meaning."""
        return self.plain.secrets is None and "values" not in self.keys.get("sensitive", {})


def weights(length: int, most: int = 4) -> st.SearchStrategy[list[Fraction]]:
    """A law as exact fractions; zeros are possible but not the rule."""
    full = st.lists(st.integers(1, most), min_size=length, max_size=length)
    holes = st.lists(st.integers(0, 2), min_size=length, max_size=length).filter(any)
    return (
        st.sampled_from([full, full, holes]).flatmap(lambda ws: ws).map(lambda ws: [Fraction(w, sum(ws)) for w in ws])
    )


def beside(values: list[Any], labels: Sequence[str]) -> list[str]:
    """These labels; beside odd values others, which are odd too."""
    return [ODD_LABELS.get(one, one) for one in labels] if values in ODD else list(labels)


def table_of(labels: Sequence[Any], law: Sequence[Fraction]) -> dict[str, str]:
    """A law as a table of a model file; outcomes of probability 0 may be left out."""
    return {text(v): str(p) for v, p in zip(labels, law, strict=True) if p or text(v) < "b"}


def law_of_record(values: Sequence[Any], law: Sequence[Fraction]) -> dict[str, str] | str:
    """The law of a record in a network or a list, in a word where all values are alike."""
    return "uniform" if len(set(law)) == 1 else table_of(values, law)


def lexicographic(laws: Sequence[Sequence[Fraction]]) -> list[Indexed]:
    """The worlds of independent records."""
    found: list[Indexed] = []
    for db in product(*(range(len(law)) for law in laws)):
        p = Fraction(1)
        for i, v in enumerate(db):
            p *= laws[i][v]
        if p:
            found.append((db, p, None))
    return found


@st.composite
def shapes(draw: st.DrawFn, values: list[Any], size: int, kinds: Sequence[str]) -> tuple[dict[str, Any], list[Indexed]]:
    """A distribution without row columns, and its worlds in order."""
    kind = draw(st.sampled_from(kinds))
    law = weights(len(values))
    if kind == "iid":
        if draw(st.integers(0, 3)) == 0:
            return {"iid": "uniform"}, lexicographic([[Fraction(1, len(values))] * len(values)] * size)
        one = draw(law)
        return {"iid": table_of(values, one)}, lexicographic([one] * size)
    if kind == "independent":
        laws = [draw(law) for _ in range(size)]
        return {"independent": [law_of_record(values, one) for one in laws]}, lexicographic(laws)
    if kind == "mixture":
        shares = draw(weights(2))
        names = draw(st.sampled_from([["up", "down"], ["B", "A"]]))
        parts = [
            draw(shapes(values, size, ("iid", "independent", "table", "network", "chain", "counts"))) for _ in shares
        ]
        keys = [{"name": n, "weight": str(w), **k} for n, w, (k, _) in zip(names, shares, parts, strict=True)]
        rows: list[Indexed] = [
            (db, w * p, n) for n, w, (_, part) in zip(names, shares, parts, strict=True) for db, p, _ in part if w
        ]
        return {"mixture": keys}, rows
    if kind == "network":
        return draw(networks(values, size))
    if kind == "chain":
        return draw(chains(values, size))
    if kind == "counts":
        return draw(counted_people(values, size))
    every = list(product(range(len(values)), repeat=size))
    chosen = draw(st.lists(st.sampled_from(every), unique=True, min_size=min(4, len(every)), max_size=7))
    shares = draw(weights(len(chosen)))
    keys = [{"database": [values[v] for v in db], "probability": str(p)} for db, p in zip(chosen, shares, strict=True)]
    return {"table": keys}, [(db, p, None) for db, p in zip(chosen, shares, strict=True) if p]


@st.composite
def networks(draw: st.DrawFn, values: list[Any], size: int) -> tuple[dict[str, Any], list[Indexed]]:
    """Records drawn one after the other, in any order, each given some earlier ones."""
    order = draw(st.permutations(range(size)))
    law = weights(len(values), 2)
    nodes, tables = [], {}
    for place, record in enumerate(order):
        given = draw(st.lists(st.sampled_from(order[:place]), unique=True, max_size=2)) if place else []
        cases = list(product(range(len(values)), repeat=len(given)))
        rows = {case: draw(law) for case in cases}
        tables[record] = (given, rows)
        if given:
            nodes.append(
                {
                    "record": record,
                    "given": given,
                    "rows": [{"when": [values[v] for v in c], "table": law_of_record(values, rows[c])} for c in cases],
                }
            )
        else:
            nodes.append({"record": record, "table": law_of_record(values, rows[()])})
    found: list[Indexed] = []
    for db in product(range(len(values)), repeat=size):
        p = Fraction(1)
        for record, (given, rows) in tables.items():
            p *= rows[tuple(db[g] for g in given)][db[record]]
        if p:
            found.append((db, p, None))
    return {"network": nodes}, found


@st.composite
def chains(draw: st.DrawFn, values: list[Any], size: int) -> tuple[dict[str, Any], list[Indexed]]:
    """A Markov chain over the records in their order."""
    start, *step = (draw(weights(len(values), 2)) for _ in range(len(values) + 1))
    found: list[Indexed] = []
    for db in product(range(len(values)), repeat=size):
        p = start[db[0]]
        for before, after in pairwise(db):
            p *= step[before][after]
        if p:
            found.append((db, p, None))
    rows = {text(v): law_of_record(values, law) for v, law in zip(values, step, strict=True)}
    return {"chain": {"start": law_of_record(values, start), "step": rows}}, found


@st.composite
def counted_people(draw: st.DrawFn, values: list[Any], size: int) -> tuple[dict[str, Any], list[Indexed]]:
    """Exchangeable people: the law of how many have a value, or of histograms that are listed."""
    every = list(product(range(len(values)), repeat=size))
    histograms = list(dict.fromkeys(tuple(db.count(v) for v in range(len(values))) for db in every))
    law = draw(weights(len(histograms)))
    chances = dict(zip(draw(st.permutations(histograms)), law, strict=True))
    alike = Counter(tuple(db.count(v) for v in range(len(values))) for db in every)
    found: list[Indexed] = []
    for db in every:
        histogram = tuple(db.count(v) for v in range(len(values)))
        if chances[histogram]:
            found.append((db, chances[histogram] / alike[histogram], None))
    if len(values) == 2 and draw(st.booleans()):
        k = draw(st.integers(0, 1))
        table = {str(histogram[k]): str(p) for histogram, p in chances.items() if p or histogram[k] % 2}
        return {"counts": {"value": values[k], "table": table}}, found
    listed = [{"histogram": list(histogram), "probability": str(p)} for histogram, p in chances.items()]
    return {"counts": listed}, found


@st.composite
def random_tables(draw: st.DrawFn, values: list[Any], size: int, labels: Sequence[str]) -> dict[str, Any]:
    """A stochastic table from databases to labels, the rest by `otherwise`."""
    every = list(product(values, repeat=size))
    rows: list[dict[str, Any]] = []
    chosen = every if draw(st.booleans()) else draw(st.lists(st.sampled_from(every), unique=True, max_size=6))
    for db in chosen:
        if draw(st.integers(0, 3)) == 0:
            rows.append({"database": list(db), "output": draw(st.sampled_from(labels))})
        else:
            rows.append({"database": list(db), "outputs": table_of(labels, draw(weights(len(labels))))})
    other: Any = draw(st.sampled_from(labels))
    if draw(st.booleans()):
        other = table_of(labels, draw(weights(len(labels))))
    return {"rows": rows, "otherwise": other}


@st.composite
def reports(draw: st.DrawFn, values: list[Any]) -> dict[str, Any]:
    """A local randomizer: the law of the report of each value, some of which may be alike."""
    labels = beside(values, "ab")[: draw(st.integers(1, 3))]
    return {text(v): table_of(labels, draw(weights(len(labels), 3))) for v in values}


@st.composite
def kinds(draw: st.DrawFn, values: list[Any], size: int, *, deterministic: bool = False) -> dict[str, Any]:
    """One of the named kinds, without steps."""
    numbers = all(type(v) is int for v in values)
    names = [*NAMED] if deterministic else [*NAMED, *RANDOM]
    if numbers:
        names += OF_NUMBERS + (OF_POSITIVE if min(values) > 0 else [])
    kind = draw(st.sampled_from(names))
    spec: dict[str, Any] = {"kind": kind, **(KINDS[kind].example(values, size) if kind not in DRAWN else {})}
    some = st.lists(st.sampled_from(values), unique=True, min_size=1)
    some_records = st.lists(st.sampled_from(range(size)), unique=True, max_size=size)
    if kind == "constant":
        spec["output"] = beside(values, "c")[0]
    elif kind == "records":
        spec["records"] = draw(some_records)
    elif kind in {"count", "threshold-count", "parity"}:
        spec |= {"values": draw(some)} if draw(st.booleans()) else {"value": draw(st.sampled_from(values))}
    elif kind == "linear":
        spec["weights"] = [draw(st.sampled_from([0, 1, 2, -1, "1/2"])) for _ in range(size)]
    elif kind in {"histogram", "k-anonymous-histogram"} and draw(st.booleans()):
        spec["values"] = draw(some)
    elif kind == "randomized-response":
        spec |= draw(AMOUNTS)
        if draw(st.booleans()):
            spec["records"] = draw(some_records)
    elif kind == "shuffle":
        spec |= draw(st.one_of(AMOUNTS, reports(values).map(lambda laws: {"reports": laws})))
    if kind == "threshold-count":
        spec["above"] = draw(st.integers(0, size))
        if draw(st.booleans()):
            spec["otherwise"] = "few"
    if kind == "k-anonymous-histogram":
        spec |= {"k": draw(st.integers(1, size)), "keep": draw(st.sampled_from([">=", ">"]))}
    if kind == "apply":
        classes = {v: draw(st.sampled_from(beside(values, "ba"))) for v in map(text, values)}
        spec |= {"k": draw(st.integers(1, size)), "generalization": classes}
    if kind in set(ANY_SIZE) - {"constant"} and not deterministic and draw(st.integers(0, 4)) == 0:
        spec["sample"] = draw(st.sampled_from(["1/2", "1/10", "0", "1"]))
    return spec


@st.composite
def steps(draw: st.DrawFn, spec: dict[str, Any], values: list[Any], size: int) -> dict[str, Any]:
    """The mechanism followed by one or two steps that fit it."""
    then: list[dict[str, Any]] = []
    if spec.get("kind") in {"count", "threshold-count", "parity"} and "otherwise" not in spec:
        if draw(st.booleans()):
            then.append({"kind": "geometric-noise", **draw(RATIOS)})
    elif spec.get("kind") in {"histogram", "k-anonymous-histogram"} and len(values) * size < 5 and draw(st.booleans()):
        then.append({"kind": "geometric-noise", **draw(RATIOS)})
    elif spec.get("kind") in {"identity", "records", "maximum", "minimum", "mode"} and draw(st.booleans()):
        then.append({"kind": "randomized-response", **draw(AMOUNTS)})
    if not then or draw(st.booleans()):
        then.append(draw(channels({**spec, "then": then}, values, size)))
    return {**spec, "then": then}


@st.composite
def noisy(draw: st.DrawFn, values: list[Any], size: int) -> dict[str, Any]:
    """Randomized response, or geometric noise on a count or a short histogram, perhaps with rows behind."""
    if draw(st.booleans()):
        amount = draw(AMOUNTS)
        step = {"kind": "identity", "then": [{"kind": "randomized-response", **amount}]}
        return draw(st.sampled_from([step, {"kind": "randomized-response", **amount}]))
    counted = draw(st.lists(st.sampled_from(values), unique=True, min_size=1, max_size=4 // size))
    kind: dict[str, Any] = draw(
        st.sampled_from([{"kind": "count"}, {"kind": "histogram"}, {"kind": "k-anonymous-histogram", "k": 1}])
    )
    spec = {**kind, "values": counted, "then": [{"kind": "geometric-noise", **draw(RATIOS)}]}
    if draw(st.integers(0, 2)) == 0:
        spec["then"].append(draw(channels(spec, values, size)))
    return spec


@st.composite
def channels(draw: st.DrawFn, spec: Spec, values: list[Any], size: int) -> dict[str, Any]:
    """A table step on the outputs of a mechanism, as the program cuts the tails of noise."""
    before = pk.build(size=size, values=values, mechanism=spec).mechanism
    rows_of_t = product(range(len(values)), repeat=size)
    seen = sorted({o.text for row in rows_of_t for o, weight in before.law(row).items() if weight})
    labels = beside(values, "uv⊥")
    chosen = draw(st.lists(st.sampled_from(seen), unique=True, max_size=4))
    rows: list[dict[str, Any]] = []
    for one in chosen:
        if draw(st.booleans()):
            rows.append({"input": one, "output": draw(st.sampled_from(labels))})
        else:
            rows.append({"input": one, "outputs": table_of(labels, draw(weights(3)))})
    return {"rows": rows, "otherwise": draw(st.sampled_from(labels))}


@st.composite
def mechanisms(draw: st.DrawFn, values: list[Any], size: int) -> dict[str, Any]:
    """A table, a kind, several kinds at once; perhaps with steps."""
    which = draw(st.sampled_from(["table", "table", "kind", "kind", "all", "composed", "noisy"]))
    if which == "noisy":
        return draw(noisy(values, size))
    if which == "composed":
        spec = draw(composed(values, size, mechanisms))
    elif which == "table":
        spec = draw(random_tables(values, size, beside(values, "pqr")))
    elif which == "kind":
        spec = draw(kinds(values, size))
    else:
        small = ["count", "parity"]
        parts = [{"kind": draw(st.sampled_from(small)), "value": draw(st.sampled_from(values))} for _ in "12"]
        parts[0]["sample"] = draw(st.sampled_from(["1/2", "1"]))
        if draw(st.booleans()):
            parts[1] = draw(random_tables(values, size, beside(values, "pq")))
        spec = {"kind": "all", "of": parts}
    return draw(steps(spec, values, size)) if draw(st.integers(0, 2)) == 0 else spec


@st.composite
def composed(draw: st.DrawFn, values: list[Any], size: int, parts: Any) -> dict[str, Any]:
    """A mechanism made of others: adaptive, on some records, or one at random."""
    which = draw(st.sampled_from(COMPOSED))
    if which == "part":
        records = draw(st.lists(st.sampled_from(range(size)), unique=True, min_size=1))
        spec = {"kind": "part", "of": draw(parts(values, len(records)))}
        return spec if records == list(range(size)) and draw(st.booleans()) else {**spec, "records": records}
    if which == "choice":
        shares, shown = draw(weights(draw(st.integers(1, 3)))), draw(st.booleans())
        quiet = parts(values, size) if shown else parts(values, size).filter(lambda one: "noise" not in str(one))
        of = [{"weight": str(w), "mechanism": draw(quiet)} for w in shares]
        if draw(st.booleans()):
            of[0]["name"] = "first"
        return {"kind": "choice", "of": of, **({"shown": shown} if shown or draw(st.booleans()) else {})}
    first = draw(st.one_of(kinds(values, size), random_tables(values, size, beside(values, "pq"))))
    naive = Twin(first, values, size)
    seen = sorted({o for d in product(values, repeat=size) for o in naive.law(d)})
    chosen = draw(st.lists(st.sampled_from(seen), unique=True, max_size=2))
    then = {o: draw(parts(values, size)) for o in chosen}
    if set(chosen) == set(seen) and draw(st.booleans()):
        return {"kind": "adaptive", "first": first, "next": then}
    return {"kind": "adaptive", "first": first, "next": then, "otherwise": draw(parts(values, size))}


@st.composite
def knowledges(draw: st.DrawFn, values: list[Any], size: int, *, deterministic: bool = False) -> dict[str, Any] | None:
    """[knowledge] as a channel of the database; None for nothing."""
    some_records = st.lists(st.sampled_from(range(size)), unique=True, max_size=size)
    which = draw(st.sampled_from(["none", "records", "records", "kind", "table"][: 4 if deterministic else 5]))
    if which == "none":
        return None
    if which == "records":
        return {"records": draw(some_records)}
    if which == "kind":
        return draw(kinds(values, size, deterministic=deterministic))
    return draw(random_tables(values, size, beside(values, "klm")))


def plain_rows(rows: Sequence[Indexed], values: list[Any], size: int, knowledge: dict[str, Any] | None) -> list[Row]:
    """The worlds with what is known in each."""
    channel = None
    if knowledge is not None and knowledge.get("kind") != "component":
        channel = Twin(knowledge, values, size, known=True)
    found = []
    for db, p, component in rows:
        database = tuple(text(values[v]) for v in db)
        if knowledge is not None and channel is None:
            known = {str(component): Fraction(1)}
        else:
            known = channel.law(tuple(values[v] for v in db)) if channel else {NOTHING: Fraction(1)}
        found += [Row(database, heard, None, p * known[heard]) for heard in sorted(known, key=label_order)]
    return found


@st.composite
def cases(draw: st.DrawFn, *, max_size: int = 3, secrets: bool = True, among: list[list[Any]] = VALUES) -> Case:
    """A small model of any shape, with one of these lists of values."""
    values = draw(st.sampled_from(among))
    size = draw(st.sampled_from([s for s in (2, 3, 1) if s <= max_size and (len(values) < 3 or s < 3)]))
    keys: dict[str, Any] = {"size": size, "values": values, "mechanism": draw(mechanisms(values, size))}
    naive = Twin(keys["mechanism"], values, size)
    named = {text(v): v for v in values}
    plain = Plain(
        size,
        [text(v) for v in values],
        {},
        lambda db: naive.law(tuple(named[v] for v in db)),
        list(range(size)),
        [],
        draw(st.sampled_from([None, None, None, *map(text, values)])),
    )
    if plain.absent is not None:
        keys["policy"] = {"absent": named[plain.absent]}
    if draw(st.integers(0, 3)) == 0:
        return draw(column_cases(keys, plain, secrets=secrets))
    mixtures_only = draw(st.integers(0, 4)) == 0
    allowed = ("mixture",) if mixtures_only else (
        "table", "iid", "independent", "mixture", "network", "chain", "counts"
    )  # fmt: skip
    family: dict[str, dict[str, Any] | None] = {
        "": {"kind": "component"} if mixtures_only else draw(knowledges(values, size))
    }
    if draw(st.integers(0, 3)) == 0:
        some = knowledges(values, size).map(lambda one: one or {"records": []})
        family = {" / some": family[""] or {"records": [0]}, " / #2": draw(some)}
        keys["knowledge"] = [{"name": "some", **family[" / some"]}, family[" / #2"]]  # type: ignore[dict-item]
    elif family[""] is not None:
        keys["knowledge"] = family[""]
    keys["distribution"] = []
    for number in range(draw(st.integers(1, 2))):
        shape, rows = draw(shapes(values, size, allowed))
        keys["distribution"].append({"name": f"θ{number}", **shape})
        for name, one in family.items():
            plain.worlds[f"θ{number}{name}"] = plain_rows(rows, values, size, one)
    if secrets and draw(st.integers(0, 3)) == 0:
        return draw(restricted(keys, plain))
    return Case(keys, plain)


@st.composite
def restricted(draw: st.DrawFn, keys: dict[str, Any], plain: Plain) -> Case:
    """[sensitive]: some records, or a function of the database."""
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(range(plain.size)), unique=True, min_size=1))
        keys["sensitive"] = {"records": chosen}
        return Case(keys, replace(plain, secrets=chosen))
    named = {text(v): v for v in keys["values"]}
    function = {
        db: draw(st.sampled_from(beside(keys["values"], "st"))) for db in product(plain.values, repeat=plain.size)
    }
    keys["sensitive"] = {"rows": [{"database": [named[v] for v in db], "value": s} for db, s in function.items()]}
    worlds = {
        name: [Row(r.database, r.knowledge, function[r.database], r.p) for r in rows]
        for name, rows in plain.worlds.items()
    }
    domain = draw(orders(keys, list(dict.fromkeys(function.values()))))
    return Case(keys, replace(plain, worlds=worlds, secrets=None, domain=domain))


@st.composite
def orders(draw: st.DrawFn, keys: dict[str, Any], domain: list[str]) -> list[str]:
    """The values of a protected function; in half of the files in an order that these name."""
    if draw(st.booleans()):
        return domain
    order = draw(st.permutations(domain))
    keys.setdefault("sensitive", {})["values"] = order
    return order


@st.composite
def column_cases(draw: st.DrawFn, keys: dict[str, Any], plain: Plain, *, secrets: bool) -> Case:
    """Tables whose rows carry what is known, and perhaps the sensitive value."""
    values, named = plain.values, {text(v): v for v in keys["values"]}
    sensitive = secrets and draw(st.integers(0, 2)) == 0
    every = list(
        product(
            product(values, repeat=plain.size),
            beside(keys["values"], "xyz"),
            beside(keys["values"], "st") if sensitive else [None],
        )
    )
    keys["distribution"] = []
    for number in range(draw(st.integers(1, 2))):
        chosen = draw(st.lists(st.sampled_from(every), unique=True, min_size=3, max_size=8))
        shares = draw(weights(len(chosen)))
        table, rows = [], []
        for (db, known, secret), p in zip(chosen, shares, strict=True):
            row = {"database": [named[v] for v in db], "knowledge": known, "probability": str(p)}
            table.append({**row, "sensitive": secret} if sensitive else row)
            if p:
                rows.append(Row(db, known, secret, p))
        keys["distribution"].append({"table": table})
        plain.worlds[f"#{number + 1}"] = rows
    if not sensitive:
        return Case(keys, plain)
    occurring = list(dict.fromkeys(str(row.sensitive) for rows in plain.worlds.values() for row in rows))
    domain = draw(orders(keys, occurring))
    return Case(keys, replace(plain, secrets=None, domain=domain))


__all__ = ["NOTHING", "Case", "cases", "shapes", "weights"]
