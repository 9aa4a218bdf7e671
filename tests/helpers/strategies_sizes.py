"""Random models with databases of several sizes, as keys and as naive mechanisms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import naive_sizes
from hypothesis import strategies as st
from naive import Law
from naive_sizes import List, Mechanism, in_order, lists
from strategies import weights

RATES = [None, Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(1), Fraction(0)]
VALUES: list[list[Any]] = [["t"], ["t", "u"], [1, 0], [2, 0, 1]]
CLASSES = ["a", "b", "c"]


@dataclass(frozen=True)
class Sized:
    """A model twice: as keys, and as the naive A (without the sample), and A_m where there is one."""

    keys: dict[str, Any]
    values: list[str]
    sizes: tuple[int, int]
    rate: Fraction | None
    alone: Mechanism
    chooser: Mechanism | None = None
    tables: bool = False

    def __repr__(self) -> str:
        return f"build(**{self.keys!r})"

    @property
    def met(self) -> tuple[int, int]:
        """The sizes of the databases that A is applied to."""
        return self.sizes if self.rate is None else (0, self.sizes[1])

    @property
    def mechanism(self) -> Mechanism:
        """A^β."""
        return self.alone if self.rate is None else naive_sizes.on_sample(self.alone, self.rate)


def point(output: object) -> Law:
    return {naive_sizes.text(output): Fraction(1)}


@st.composite
def tables(
    draw: st.DrawFn, values: list[Any], met: tuple[int, int], outputs: list[Any]
) -> tuple[dict[str, Any], Mechanism]:
    """A random table of multisets; each row in a random order, some with one output."""
    texts = [str(v) for v in values]
    rows, laws = [], {}
    for database in dict.fromkeys(in_order(d, texts) for d in lists(texts, *met)):
        law = draw(weights(len(outputs)))
        laws[database] = {naive_sizes.text(o): p for o, p in zip(outputs, law, strict=True) if p}
        shuffled = draw(st.permutations(database))
        given = {naive_sizes.text(o): str(p) for o, p in zip(outputs, law, strict=True) if p}
        rows.append({"database": shuffled, "outputs": given})
    return {"rows": draw(st.permutations(rows))}, lambda d: laws[in_order(d, texts)]


def kinds(values: list[Any]) -> dict[str, tuple[dict[str, Any], Callable[[List], Any]]]:
    """Kinds that are defined on any number of tuples, with what they put out."""
    texts, one = [str(v) for v in values], str(values[0])
    numbers = all(isinstance(v, int) for v in values)
    shown = {"⊥": "⊥"}
    return {
        "count": ({"kind": "count", "value": values[0]}, lambda d: d.count(one)),
        "threshold": (
            {"kind": "threshold-count", "value": values[0], "above": 1},
            lambda d: d.count(one) if d.count(one) > 1 else shown["⊥"],
        ),
        "parity": ({"kind": "parity", "values": values}, lambda d: len(d) % 2),
        "histogram": ({"kind": "histogram"}, lambda d: [d.count(v) for v in texts]),
        "k-histogram": (
            {"kind": "k-anonymous-histogram", "k": 2},
            lambda d: [d.count(v) if d.count(v) >= 2 else "⊥" for v in texts],
        ),
        "constant": ({"kind": "constant", "output": "same"}, lambda _: "same"),
        "together": (
            {"kind": "all", "of": [{"kind": "parity", "values": values}, {"kind": "count", "value": values[0]}]},
            lambda d: [len(d) % 2, d.count(one)],
        ),
        **({"sum": ({"kind": "sum"}, lambda d: sum(map(int, d)))} if numbers else {}),
    }


@st.composite
def sized(draw: st.DrawFn, what: str | None = None, largest: int = 3) -> Sized:
    """A random model with databases of several sizes."""
    values = draw(st.sampled_from(VALUES))
    texts = [str(v) for v in values]
    last = draw(st.integers(1, largest if len(values) < 3 else largest - 1))
    sizes = draw(st.integers(0, last)), last
    rate = draw(st.sampled_from(RATES))
    met = sizes if rate is None else (0, last)
    what = what or draw(st.sampled_from(["table", "kind", "apply", "k-anonymization"]))
    keys: dict[str, Any] = {"size": list(sizes), "values": values}
    chooser, published = None, False
    if what == "table":
        given, alone = draw(tables(values, met, ["x", "y", "z"]))
    elif what == "kind":
        given, finish = draw(st.sampled_from(list(kinds(values).values())))
        alone = lambda d: point(finish(d))  # noqa: E731
    else:
        published = True
        k = draw(st.integers(1, 3))
        maps = {name: {t: draw(st.sampled_from(CLASSES)) for t in texts} for name in ("g", "h")}
        if what == "apply":
            given = {"kind": "apply", "k": k, "generalization": maps["g"]}
            chooser = lambda _: point("g")  # noqa: E731
            alone = lambda d: point(naive_sizes.apply(maps["g"], d, k))  # noqa: E731
        else:
            shows = draw(st.booleans())
            published = not shows
            choose, chooser = draw(tables(values, met, ["g", "h"]))
            given = {"kind": what, "k": k, "generalizations": maps, "choose": choose, "shows-mapping": shows}
            alone = naive_sizes.anonymized(chooser, maps, k, shows=shows)
    sample = {} if rate is None else {"sample": str(rate)}
    return Sized({**keys, "mechanism": {**given, **sample}}, texts, sizes, rate, alone, chooser, published)
