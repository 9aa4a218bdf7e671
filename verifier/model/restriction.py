"""The records, or the function, that `[sensitive]` protects; every answer names them.

The definitions of the texts speak of every record of the database. A model that protects some records, or a function of
the database, decides another notion: what holds of record 3 may fail of record 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

FEW = 12
"""Most records that are named one by one."""
ROWS: Literal["rows"] = "rows"
"""The value of `Restriction.only` where a function of the world is protected, by `[sensitive] rows` or a column."""


@dataclass(frozen=True)
class Restriction:
    """The records that alone are protected, or `rows` for a function; `only` is None where every record is.

    >>> [Restriction(only).text for only in ([3], [0, 2], [0, 1, 2], None)]
    ['restricted to record 3', 'restricted to records 0, 2', 'restricted to records 0 to 2', '']
    >>> Restriction(range(500)).json, Restriction([1, 3]).json, Restriction(None).json
    ({'restricted_to': {'from': 0, 'to': 499}}, {'restricted_to': [1, 3]}, {})
    """

    only: Sequence[int] | Literal["rows"] | None

    def __bool__(self) -> bool:
        """Whether the model protects less than every record."""
        return self.only is not None

    @property
    def protected(self) -> str:
        """The text `record 3`, `records 0, 2` or `the sensitive function`; empty where every record is protected."""
        if self.only is None:
            return ""
        if isinstance(self.only, str):
            return "the sensitive function"
        if len(self.only) > 2 and self._is_run:
            return f"records {self.only[0]} to {self.only[-1]}"
        more = f", … ({len(self.only):,} records)" if len(self.only) > FEW else ""
        return f"record{'' if len(self.only) == 1 else 's'} {', '.join(map(str, self.only[:FEW]))}{more}"

    @property
    def text(self) -> str:
        """The text beside a verdict, such as `restricted to record 3`; empty where every record is protected."""
        return f"restricted to {self.protected}" if self else ""

    def beside(self, text: str) -> str:
        """A text with the restriction behind it: `holds, restricted to record 3`."""
        return f"{text}, {self.text}" if self else text

    @property
    def json(self) -> dict[str, Any]:
        """The key `restricted_to` of an answer: records as a model file lists them, or `rows`; without one, no key."""
        if self.only is None:
            return {}
        if isinstance(self.only, str):
            return {"restricted_to": self.only}
        run = len(self.only) > FEW and self._is_run
        return {"restricted_to": {"from": self.only[0], "to": self.only[-1]} if run else list(self.only)}

    @property
    def _is_run(self) -> bool:
        if self.only is None or isinstance(self.only, str):
            return False
        return isinstance(self.only, range) or all(right == left + 1 for left, right in pairwise(self.only))


def restriction_in(raw: Mapping[str, Any]) -> Restriction:
    """The restriction of a model file from its parsed tables, as a family has them."""
    sensitive = raw.get("sensitive")
    if sensitive is None:
        thetas = raw.get("distribution", ())
        tables = [theta.get("table") or [{}] for theta in ([thetas] if isinstance(thetas, Mapping) else thetas)]
        return Restriction(ROWS if any("sensitive" in table[0] for table in tables) else None)
    if "records" not in sensitive:
        return Restriction(ROWS)
    records = sensitive["records"]
    only = range(records["from"], records["to"] + 1) if isinstance(records, Mapping) else list(records)
    return Restriction(None if len(only) == raw["size"] else only)
