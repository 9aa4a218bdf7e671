"""Published tables of recoded records, of classes that appear often enough (LQS12, section 3.2)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from .numbers import Label, Law, certain, is_integer, label, listed, mixed

if TYPE_CHECKING:  # a mechanism is made with its kind
    from .mechanisms import Database, Mechanism, Spec


def applied(mechanism: Mechanism, database: Database, table: Spec | None = None) -> list[Label]:
    """Apply(g, D, k) of LQS12, section 3.2: classes that appear at least k times, numbers before texts."""
    classes = {label(v): label(c) for v, c in (table or mechanism.spec["generalization"]).items()}
    counts = Counter(classes[v] for v in database)
    kept = [c for c, times in counts.items() if times >= mechanism.spec["k"] for _ in range(times)]
    return sorted(kept, key=lambda c: (0, int(c), "") if is_integer(c) else (1, 0, c))


def anonymized(mechanism: Mechanism, database: Database) -> Law:
    """The table of a recoding that is chosen by the database."""
    spec, chosen = mechanism.spec, mechanism.parts["choose"].law(database)

    def table(name: Label) -> Law:
        recoding = next(g for key, g in spec["generalizations"].items() if label(key) == name)
        published = listed(applied(mechanism, database, recoding))
        return certain(listed([name, published]) if spec.get("shows-mapping") else published)

    return mixed((Fraction(c, chosen.total), table(name)) for name, c in chosen.counts.items())
