"""What the checker rejects, as an error that a user of Python can catch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from verifier.errors import PkdpError
from verifier.kernel.numbers import Rejected, Wrong


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
    """Raise what the checker rejects as `RejectedError`; `about` names the answer.

    Of what the program itself wrote, the checker's word that it cannot be read is a rejection too.
    """
    try:
        yield
    except RejectedError:
        raise
    except (Rejected, Wrong) as error:
        raise not_shown(f"{about}: {error}" if about else error) from None
