"""The fields of an answer by their names: which are compared, which are not, and what a witness says of its laws twice.

A field that has no line here is one that the checker does not know: its word names it, so that nobody takes it for
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .numbers import Rejected, label

FOR_PEOPLE = ("schema", "version", "reason", "note", "direction", "kind", "replayed", "unchecked", "why", "source")
"""Words that decide nothing."""
OF_THE_WAY = ("method", "comparisons", "multiplicity", "empty", "members", "checked")
"""How the program got there: what it counted, after it had joined what is equal in its own way."""
OF_THE_MODEL = ("model", "sha256", "model_text", "parameters", "observer", "distribution")
OF_THE_QUESTION = ("definition", "relation", "reading", "epsilon", "delta", "restricted_to")
NUMBERS = ("tight_delta", "tight_delta_decimal", "tight_epsilon", "tight_epsilon_decimal")
OF_AN_ANSWER = (
    *OF_THE_MODEL, *OF_THE_QUESTION, *NUMBERS, "verdict", "witness", "tightest", "laws", "proof", "rows", "left_out",
    "gain",
)  # fmt: skip
OF_A_GAIN = (*OF_THE_MODEL, "restricted_to", "gain")
OF_A_PROPERTY = (*OF_THE_MODEL, "property", "reading", "verdict", "evidence", "k", "largest", "witness")
OF_EVIDENCE = (
    "distribution", "record", "B1", "B2", "values", "value", "column", "times", "bijections", "k", "largest", "witness",
)  # fmt: skip
OF_A_WITNESS = (
    "distribution", "record", "a", "b", "knowledge", "output", "event", "probability_a", "probability_b", "at_epsilon",
    "value", "measure", "databases", "terms", "laws", "scale", "share",
)  # fmt: skip
OF_A_TERM = (
    "knowledge", "output", "weight", "delta", "divergence", "event", "probability_a", "probability_b", "left_out",
    "laws", "outputs",
)  # fmt: skip


def unknown(answer: Mapping[str, Any]) -> Iterator[str]:
    """The fields of an answer about a definition that the checker does not know, by their names."""
    yield from others(answer, OF_AN_ANSWER)
    for place in ("witness", "tightest"):
        shown = answer.get(place) or {}
        yield from (f"{place}.{name}" for name in others(shown, OF_A_WITNESS))
        for term in shown.get("terms") or ():
            yield from (f"{place}.terms.{name}" for name in others(term, OF_A_TERM))


def others(entry: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    """The fields that are none of those which are known, or which decide nothing."""
    return [name for name in entry if name not in {*FOR_PEOPLE, *OF_THE_WAY, *known}]


OF_BOTH_LAWS = ("distribution", "record", "knowledge", "output")
"""The fields of a witness that each of its laws has in common with it, where the law has them."""


def require_same_names(entry: Mapping[str, Any]) -> None:
    """Refuse a witness, or a term of it, whose own fields name other laws than `laws` does.

    Where a witness has no laws, those of its terms count. A field is null where it has no meaning.
    """
    laws, databases, record = entry.get("laws") or [], entry.get("databases") or [], entry.get("record")
    if any(len(two) not in (0, 2) for two in (laws, databases)):
        raise Rejected("the witness has laws or databases, and not two of them")
    every = laws or [law for term in entry.get("terms") or () for law in term.get("laws") or ()]
    of_databases = bool(every) and not any(law.keys() - {"databases", "about"} for law in every)
    for database, law in zip(databases, laws, strict=False):
        if law.get("databases"):
            drawn = [row["database"] for row in law["databases"]]
            _require_one(every, "databases", [database], {label(drawn)})
    allowed = {name: {label(x) for x in _of(every, name)} for name in OF_BOTH_LAWS}
    if of_databases and record is not None:
        differ = _differ_in(record, databases) if databases else _only_in(record, every)
        allowed["record"] = {label(record)} if differ else set()
    if of_databases and databases and record is not None:
        values = [{label(_at(database, record))} for database in databases]
    elif of_databases and databases:
        one, other = (Counter(map(label, database)) for database in databases)
        values = [set(one - other), set(other - one)]
    else:
        of_two = (laws[0].get("value"), *_of(laws, "set_to"), laws[1].get("value")) if laws else (None, None)
        values = [set() if x is None else {label(x)} for x in of_two[:2]]
    for name, labels in {**allowed, "a": values[0], "b": values[1]}.items():
        _require_one(every, name, entry.get(name), labels)


def _require_one(laws: Sequence[Mapping[str, Any]], name: str, said: Any, of_laws: set[str]) -> None:
    """Refuse what is said of laws, where there are any, and is none of what they have."""
    if laws and said is not None and label(said) not in of_laws:
        known = ", ".join(sorted(of_laws)) or "none"
        raise Rejected(f"the witness has the {name} {str(said)[:60]}, and its laws have {known[:60]}")


def _of(laws: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    return [law[name] for law in laws if law.get(name) is not None]


def _differ_in(record: Any, databases: Sequence[Sequence[Any]]) -> bool:
    """Whether two databases of one size have other values of a record; of two sizes they differ anyway."""
    one, other = (label(_at(database, record)) for database in databases)
    return len(databases[0]) != len(databases[1]) or one != other


def _only_in(record: Any, laws: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the two databases of each pair of laws are the same outside of a record."""
    drawn = [[row["database"] for row in law["databases"]] for law in laws]
    if any(len(databases) != 1 for databases in drawn):
        return False
    for (database,) in drawn:
        _at(database, record)
    rest = [database[:record] + database[record + 1 :] for (database,) in drawn]
    return rest[::2] == rest[1::2]


def _at(database: Sequence[Any], record: Any) -> Any:
    """The value of a record, which is counted from 0."""
    if type(record) is not int or not 0 <= record < len(database):
        raise Rejected(f"the witness is about record {str(record)[:60]}, and a database has {len(database)}")
    return database[record]
