"""What leaks beside an output, `[policy] leak` (DP22, Definition 40): read off the output, or drawn with it.

A table from outputs says what is read off each. Where the leak has coins in common with the mechanism, and is no
function of its output, rows have the joint law of output and leak on each database.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from verifier.errors import InputError, UnsupportedError
from verifier.model.forms import DATABASE, LABEL, LAW_OF_OUTPUTS, OUTPUT, Domain, Form, each, table, table_schema
from verifier.model.keys import Keys, Location
from verifier.model.mechanism import Database, Mechanism
from verifier.numbers import cut, exact_text, quotient
from verifier.tables import Label, Law, label


class JointLaw(NamedTuple):
    """A law of output and leak: rows (output, leak, weight), with integer weights over one denominator.

    In a family of models weights are functions of its parameters.
    """

    rows: tuple[tuple[Label, Label, Any], ...]
    denominator: int

    def probability(self, output: Label) -> Any:
        """The probability of an output, with all that leaks."""
        return quotient(sum(weight for one, _, weight in self.rows if one == output), self.denominator)

    def other(self, law: Law) -> Label | None:
        """The first output that has another probability in the law of a mechanism; None where it has the same law."""
        outputs = dict.fromkeys((*law.outcomes, *(output for output, _, _ in self.rows)))
        return next((output for output in outputs if law.probability(output) != self.probability(output)), None)


@dataclass(frozen=True)
class LeakLaws:
    """What leaks beside the output, by the coins of the mechanism (DP22, Definition 40): P(D, r) beside M(D, r).

    `laws` has the joint law of (output, leak) by the database.
    """

    laws: tuple[tuple[Database, JointLaw], ...]

    @cached_property
    def _by_database(self) -> dict[Database, JointLaw]:
        return dict(self.laws)

    def law(self, database: Database, values: Sequence[Label]) -> JointLaw:
        """The joint law of output and leak on a database.

        Raises:
            UnsupportedError: for a database that has no row.

        """
        if database not in self._by_database:
            texts = ", ".join(values[v].text for v in database)
            raise UnsupportedError(f"[policy] leak has no row for the database [{texts}]")
        return self._by_database[database]

    @property
    def outputs(self) -> tuple[Label, ...]:
        """All outputs."""
        return tuple(dict.fromkeys(output for _, law in self.laws for output, _, _ in law.rows))


def refuse_other_outputs(leak: object, mechanism: Mechanism, location: Location) -> None:
    """Refuse a law of output and leak whose outputs have not the mechanism's own law.

    Raises:
        InputError: with the first output that has another probability, or the database without a law.

    """
    if not isinstance(leak, LeakLaws):
        return
    at = location.at("[policy]", "policy").at("leak")
    for number, (database, law) in enumerate(leak.laws):
        place = str(at.at(f"{number}", number))
        if not mechanism.takes(database):
            raise InputError(
                "the mechanism has no row for this database", where=place, wanted="a row for each, or none"
            )
        own = mechanism.law(database)
        output = law.other(own)
        if output is not None:
            raise InputError(
                f"the output {cut(output.text)} has the probability {_shown(law.probability(output))} with all that "
                "leaks",
                where=place,
                wanted=f"{_shown(own.probability(output))}, as in the mechanism",
                tip="a row has the chances of pairs [output, leak]; over all leaks they sum to that of the output",
            )


def _shown(probability: Any) -> str:
    """A probability, which in a family is a function."""
    return exact_text(probability) if isinstance(probability, Fraction) else str(probability)


# --- the form of the field ------------------------------------------------------------------------------------------

OUTPUTS = table(LABEL, LABEL, "a table from outputs to labels")
BARE_PAIR = re.compile(r'\[([^][,"]+),([^][,"]+)\]')
"""A pair of labels without quotes."""
LEAK_ROWS = 'rows { database = […], outputs = { "[output, leak]" = probability } }'


def _leak_row(domain: Domain, raw: Any, location: Location) -> tuple[Database, JointLaw]:
    """The joint law of the output and the leak on one database."""
    keys = Keys(raw, location, LEAK_ROWS, ["database", "output", "outputs"])
    database, law = keys.read("database", domain.database), OUTPUT.read(keys, domain)
    keys.done()
    rows = []
    for outcome, weight in law.items():
        bare = BARE_PAIR.fullmatch(outcome.text)
        pair = outcome.entries if bare is None else tuple(label(entry.strip()) for entry in bare.groups())
        if pair is None or len(pair) != 2:
            wanted = 'an output and what leaks, such as "[yes, 1]"'
            tip = 'entries with commas, brackets or quotes stand in quotes: \'["a, b", "c"]\''
            raise InputError(f"{cut(outcome.text)} is not a pair", where=str(location), wanted=wanted, tip=tip)
        output, leaked = (domain.spelling(entry) for entry in pair)
        rows.append((output, leaked, weight))
    if len({(output, leaked) for output, leaked, _ in rows}) < len(rows):
        raise InputError("a pair is given twice", where=str(location), wanted="each output with each leak once")
    return database, JointLaw(tuple(rows), law.denominator)


LEAK_LAWS = each(
    Form(
        _leak_row,
        table_schema(
            {"database": DATABASE.schema, "output": LABEL.schema, "outputs": LAW_OF_OUTPUTS.schema}, ["database"]
        ),
    ),
    LEAK_ROWS,
).where(lambda rows: len(dict(rows)) == len(rows), "one row for each database")


def _leak(domain: Domain, raw: Any, location: Location) -> tuple[tuple[Label, Label], ...] | LeakLaws:
    """What leaks: a table from outputs, or the joint law of output and leak by the database."""
    if isinstance(raw, list | tuple):
        return LEAK_LAWS.to(LeakLaws).read(domain, raw, location)
    return OUTPUTS.read(domain, raw, location)


LEAK: Form[tuple[tuple[Label, Label], ...] | LeakLaws] = Form(_leak, {"anyOf": [OUTPUTS.schema, LEAK_LAWS.schema]})
