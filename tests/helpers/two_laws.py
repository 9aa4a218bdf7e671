"""Pairs of laws of a few outputs, for measures that are worked out by hand, and the setting that gives a measure."""

from verifier import build
from verifier.definitions.builders.rows import Setting
from verifier.definitions.comparison import MeasurePair
from verifier.engine import Engine
from verifier.tables import label


def pair(p: list[int], q: list[int], total: int) -> MeasurePair:
    """P against Q, as weights over a total, on the outputs o0, o1, ..."""
    return MeasurePair(None, tuple(label(f"o{k}") for k in range(len(p))), tuple(p), tuple(q), total=total)


def setting(**policy: object) -> Setting:
    """A model of one bit, told as o0 or o1, with these parameters."""
    table = [{"database": [k], "output": f"o{k}"} for k in (0, 1)]
    model = build(size=1, values=[0, 1], mechanism={"table": table}, policy=policy)
    return Setting("key", model, Engine(model))


COIN = pair([3, 1], [1, 3], 4)
NEAR = pair([3, 1], [2, 2], 4)
SAME = pair([1, 2], [1, 2], 3)
GIVEN = pair([2, 0], [1, 1], 2)
"""P is Q given the first output."""
APART = pair([1, 1, 0], [1, 0, 1], 2)
"""Each law has an output that the other cannot produce."""
NOWHERE = pair([3, 1, 0], [1, 3, 0], 4)
"""A coin, and an output that neither law can produce."""
