"""What each definition of the texts compares, how, and in which readings: the replay's own table, from the papers.

Nothing else in the replay knows a definition by its name. (DMKB20, Definitions 2 to 6, 12, 13, 17 and 18, and section
3.4 for the tail forms; LQS12, Definitions 2, 3.1 and 3.10.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

DATABASES, GIVEN, CHANGED, BELIEFS = "neighbouring databases", "given values", "a changed record", "beliefs"
SIMULATOR, DEPENDENCY = "a simulator", "two mechanisms"
SIMULATED_BELIEFS = "a simulator, by beliefs"
ONE_MORE, RECODINGS = "databases with a tuple more", "the recodings of databases with a tuple more"
HOCKEY_STICK, TAIL = "hockey-stick", "tail"
IN_STATEMENTS = (DATABASES, GIVEN, CHANGED, BELIEFS)
"""What a statement about one model may ask for: pairs of laws in the tables of the model."""
BY_SUMS = (GIVEN, CHANGED)
"""Comparisons about which a certificate may have sums in place of tables."""
OF_SIZES = (ONE_MORE, RECODINGS)
"""Comparisons of databases of several sizes; all others are of one size."""
REPLACING = (DATABASES, CHANGED, BELIEFS, SIMULATOR, SIMULATED_BELIEFS)
"""Comparisons that replace a record, or give a simulator all other records: where S is a function of the database,
they do not apply, not even vacuously."""


class Definition(NamedTuple):
    """One definition: what it compares, its readings, its measure, and whether δ bounds the average over B̂."""

    compares: str
    readings: tuple[str, ...]
    measure: str = HOCKEY_STICK
    averages: bool = False


def values_of(definition: Definition, values: Sequence[str], absent: str | None) -> list[str]:
    """The values of a record that a definition speaks of: all, or those of a record that is there, if it replaces it.

    To replace a record that is absent, or to replace one by nothing, would add or remove a record. DP22's Definition 14
    keeps that apart from a change, and a simulator that is told n - 1 records imitates M on a database that has n.
    """
    return [v for v in values if v != absent or definition.compares not in REPLACING]


ORDERS = ("default", "one-order")
DEFINITIONS = {
    "dp": Definition(DATABASES, ORDERS),
    "np": Definition(GIVEN, ORDERS),
    "apkdp": Definition(GIVEN, ORDERS),
    "ppkdp": Definition(GIVEN, (*ORDERS, "infinite-loss"), averages=True),
    "cdp": Definition(CHANGED, (*ORDERS, "all-values")),
    "ibcdp": Definition(BELIEFS, (*ORDERS, "possible-values")),
    "ddp": Definition(SIMULATOR, ("default", "index-free", "per-distribution", "per-knowledge")),
    "ibddp": Definition(SIMULATED_BELIEFS, ("default",)),
    "dependency": Definition(DEPENDENCY, (*ORDERS, "no-loss", "infinite-loss", "equal-infinities", "both-ways")),
    "dps": Definition(ONE_MORE, ("default", "any-delta")),
    "safe": Definition(RECODINGS, ("default",)),
}
DEFINITIONS |= {f"tail-{name}": DEFINITIONS[name]._replace(measure=TAIL) for name in ("dp", "apkdp", "ppkdp", "cdp")}
"""The definitions that this checker derives, by their keys; it rejects all others."""


def linear(key: str) -> bool:
    """Whether a definition bounds sums of the mechanism's probabilities: no beliefs, and no tails."""
    definition = DEFINITIONS.get(key)
    return (
        definition is not None
        and definition.compares in {DATABASES, GIVEN, CHANGED}
        and definition.measure == HOCKEY_STICK
    )
