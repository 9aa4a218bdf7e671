"""The independent checker: it derives an answer again from its certificate, or says why it cannot.

    python -m verifier.checker CERTIFICATE …

It imports no other room of this program and reads none of its data; its definitions were written from the papers
(DMKB20, LQS12, DP22). What it believes: the certificate file, the model file with the hash that the certificate names,
and arithmetic with whole numbers. A number is a fraction, or e^ε between two fractions that get closer; nothing is
rounded to nearest. (`flint` factors the polynomial of an ε that is the logarithm of a root, to refuse a second spelling
of it; no answer rests on that.)

The core is read in this order: `files` (the door: a file is read strictly or refused) → `shapes` (what a certificate
may hold) → `numbers` → `laws` (tables, the list of DMKB20's definitions, and the pairs of laws that they compare; it
reads labels and `[policy]` by `model.labels` and `model.policy`) → `measures` → `judge` (one judge for the definitions
of both papers). Folders beside it hold what only some answers need; `survey.definitions` lists DP22's definitions.

| rule | what it derives itself | what it takes from the certificate |
|---|---|---|
| a comparison (`laws`, `survey`) | both laws, their scale of ε, their share, by the definition | the tables |
| the largest number (`judge`) | that no comparison needs more ε, or δ, than claimed, and that one does | the claim |
| an event (`judge`) | P and Q of the event, and that none of its comparison is better | comparison, event |
| a simulator (`simulators`) | that it is enough, and none at a smaller ε: none passes tests | simulator, tests |
| a bracket (`survey.bounds`) | bounds of a number that has no closed form | the two ends |
| a recount (`search`) | how many models a scope has; in a small one, the statement on each | the scope |
| a sum (`engines.sums`) | the law of the output given B̂, without listing databases | what each record adds |
| declared (`engines.own`) | all that follows from the laws | laws, measure, both names (definition, reading) |

`dp` compares databases that differ in a protected record: it says nothing of the others. Of an answer by sums the
number of `comparisons` is only bounded, since it counts how the engine lumped them; `multiplicity` is derived.

That the tables of a certificate are those of the model file is checked by a reader of its own (`model`). Where that
does not go so far the certificate is accepted with the words "tables not compared with the file"; a scope that is too
large to go through is "counted, not re-decided". `Beyond` says that a number is longer than this checker computes: then
nothing is said about the answer. All else that does not follow is `Rejected`, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


def on_one_line(text: str) -> str:
    r"""The text with an escape for each character that ends a line, that a terminal obeys, or that hides others.

    >>> on_one_line("a\naccepted b\x1b[2K\u202e\u2028"), on_one_line("Σ ≤ 1/2")
    ('a\\naccepted b\\x1b[2K\\u202e\\u2028', 'Σ ≤ 1/2')
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class Rejected(Exception):  # noqa: N818 - it names the outcome
    """The certificate does not prove its answer; the message says why, on one line, whatever the certificate holds."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(on_one_line(reason))


class Beyond(Rejected):
    """The answer needs longer numbers than this checker computes; that says nothing about the answer."""


@contextmanager
def reading(reason: str) -> Iterator[None]:
    """Reject, for this reason, what has another form than its reader expects."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Rejected(f"{reason}: {error!r}") from None


def require(valid: object, reason: str) -> None:
    """Reject for this reason, unless a condition is true."""
    if not valid:
        raise Rejected(reason)


def require_equal(key: str, claimed: object, derived: object, source: str = "answer") -> None:
    """Reject a claimed value that is not the derived one."""
    if claimed != derived:
        raise Rejected(f"{key}: the {source} says {claimed!r}, the checker finds {derived!r}")


def require_fields(table: Mapping[str, Any], source: str = "answer", /, **derived: object) -> None:
    """Reject a table of which a field is not what is derived."""
    for key, value in derived.items():
        require_equal(key, table[key], value, source)
