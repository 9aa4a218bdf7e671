"""The re-check of an answer: what checker or kernel rejects, as an error that a user of Python can catch, and compares.

The tables of a certificate are compared with the text of the model file by the checker's own reader of model files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from verifier.checker import Rejected
from verifier.errors import PkdpError
from verifier.kernel.numbers import Rejected as RejectedByKernel
from verifier.kernel.numbers import Wrong

if TYPE_CHECKING:
    from verifier.engine import Engine

MAX_ROWS = 500
"""Most rows of a certificate (worlds, databases, elements and totals of a sum) that an answer's re-check compares."""


class RejectedError(PkdpError, Rejected):
    """The independent checker rejects an answer (exit status 3); `reason` is its own words."""

    exit_status = 3

    def __init__(self, message: str, *, where: str = "", wanted: str = "", tip: str = "", reason: str = "") -> None:
        """Keep the reason beside the message."""
        self.reason = reason or message
        super().__init__(message, where=where, wanted=wanted, tip=tip)


def not_shown(reason: object) -> RejectedError:
    """The error of an answer that was rejected before it was shown."""
    return RejectedError(
        f"the independent checker rejected the answer, so it is not shown: {reason}",
        tip="report it",
        reason=str(reason),
    )


@contextmanager
def rechecking(about: str = "") -> Iterator[None]:
    """Raise what checker or kernel reject as `RejectedError`; `about` names the answer.

    Of what the program itself wrote, the kernel's word that it cannot be read is a rejection too.
    """
    try:
        yield
    except RejectedError:
        raise
    except (Rejected, RejectedByKernel, Wrong) as error:
        raise not_shown(f"{about}: {error}" if about else error) from None


def uncompared(evidence: Mapping[str, Any], engine: Engine) -> str:
    """Why the tables of a certificate were not compared with the text of its model; nothing where they were.

    The engine keeps the outcome: tables that several answers share are compared once.

    Raises:
        Rejected: where the tables are not those of the text.

    """
    worlds, mechanism = evidence.get("worlds"), evidence.get("mechanism")
    return engine.memo(("compared", id(worlds), id(mechanism)), lambda: _uncompared(evidence, engine.model.text))


def _uncompared(evidence: Mapping[str, Any], text: str) -> str:
    from verifier.checker.model.file_agreement import compare
    from verifier.checker.model.labels import Uncovered

    if "parameters" in text and "parameters" in tomllib.loads(text):
        return "the file has parameters"
    rows = _rows(evidence)
    if rows > MAX_ROWS:
        return f"they have {rows:,} rows, more than {MAX_ROWS}; pkdp verify compares those of a certificate"
    try:
        compare(evidence, text.encode(), None)
    except Uncovered as why:
        return str(why)
    return ""


def _rows(evidence: Mapping[str, Any]) -> int:
    """The number of rows that are listed: worlds and databases, or what the records add and the totals."""
    mechanism = evidence.get("mechanism", ())
    listed = [*mechanism["elements"], mechanism["finish"]] if isinstance(mechanism, Mapping) else [mechanism]
    return sum(map(len, (*evidence.get("worlds", {}).values(), *listed)))
