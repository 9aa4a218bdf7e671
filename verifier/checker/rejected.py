"""The two ways in which a re-check ends without a proof; apart, so that what only names them loads nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager


class Rejected(Exception):  # noqa: N818 - it names the outcome
    """The certificate does not prove its answer; the message says why."""


class Beyond(Rejected):
    """The answer needs longer numbers than this re-check computes; that says nothing about the answer."""


@contextmanager
def reading(reason: str) -> Iterator[None]:
    """Reject, for this reason, what has another form than its reader expects."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Rejected(f"{reason}: {error!r}") from None
