"""The last check of a model that was found: the independent replay decides it again, from tables made of its integers.

The tables are those of a certificate; nothing here is read from the model that the checkers were asked about. Derived
mechanisms and a few properties, which the replay does not know, are decided naively here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from verifier.checker.search.statement import ReplayedStatement, Undecided, parsed
from verifier.definitions import DEFINITIONS
from verifier.questions.statement import Has, Holds
from verifier.wings.search.candidate import Candidate

Tables: TypeAlias = dict[str, Any]
"""The tables of a model as in a certificate: size, values, secrets, domain, worlds and mechanism."""
MAX_OUTPUTS = 5
"""Largest number of outputs of which all functions are tried."""


def tables_of(candidate: Candidate, absent: int | None = None) -> Tables:
    """The tables of a candidate, whose records may be `absent`.

    >>> tables_of(Candidate(1, 2, 2, 1, 2, 1, (1, 1), ((1, 0), (0, 1))))["mechanism"]
    [[['0'], {'0': '1'}], [['1'], {'1': '1'}]]
    """
    values = list(map(str, range(candidate.values)))
    databases = [list(database) for database in product(values, repeat=candidate.records)]
    worlds = [
        [databases[world // candidate.knowledge], f"B{world % candidate.knowledge}", None, weight]
        for world, weight in enumerate(_shares(candidate.law, candidate.law_total))
        if weight != "0"
    ]
    return {
        "size": candidate.records,
        "values": values,
        **({} if absent is None else {"absent": values[absent]}),
        "secrets": [0] if candidate.first_only else list(range(candidate.records)),
        "domain": values,
        "worlds": {"θ": worlds},
        "mechanism": [
            [database, {str(o): p for o, p in enumerate(_shares(row, candidate.row_total)) if p != "0"}]
            for database, row in zip(databases, candidate.mechanism, strict=True)
        ],
    }


def _shares(weights: tuple[int, ...], total: int) -> list[str]:
    return [str(Fraction(weight, total)) for weight in weights]


def verdict(tables: Tables, atom: Holds | Has) -> str | None:
    """The verdict on an atom without variables, `holds`, `fails` or `vacuous`; None where this check cannot tell.

    >>> coin = tables_of(Candidate(1, 2, 2, 1, 2, 4, (1, 1), ((3, 1), (1, 3))))
    >>> from verifier.questions.language import statement
    >>> [verdict(coin, statement(text)) for text in ("np(ln(3))", "np(ln(2))", "twice(np(ln(3)))", "reducible")]
    ['holds', 'fails', 'fails', None]
    """
    if isinstance(atom, Has):
        return _words(PROPERTIES[atom.name](tables)) if atom.name in PROPERTIES else _replayed(tables, atom)
    if atom.definition not in DEFINITIONS or DEFINITIONS[atom.definition].own:
        return None
    outputs = len({o for _, law in tables["mechanism"] for o in law}) ** (1 + atom.on.startswith("twice"))
    if "post" in atom.on and outputs > MAX_OUTPUTS:
        return None
    derived_tables = [tables]
    for name in atom.on.split():
        derived_tables = [derived for source in derived_tables for derived in TRANSFORMED[name](source)]
    plain = Holds(atom.definition, atom.epsilon, atom.delta, atom.reading)
    answers = [_replayed(derived, plain) for derived in derived_tables]
    if "fails" in answers:
        return "fails"
    return None if None in answers else "vacuous" if set(answers) == {"vacuous"} else "holds"


def _replayed(tables: Tables, atom: Holds | Has) -> str | None:
    """The replay's verdict on an atom; None where the replay does not decide it."""
    try:
        lenient, strict = ReplayedStatement(parsed(str(atom))).decided(tables, {})[0]
    except Undecided:
        return None
    return _words(lenient) if lenient == strict else "vacuous"


def _words(holds: bool) -> str:  # noqa: FBT001
    return "holds" if holds else "fails"


def _post(tables: Tables) -> Iterator[Tables]:
    """The tables with each function of the outputs, up to the names of its results."""
    outputs = sorted({o for _, law in tables["mechanism"] for o in law})
    partitions = set()
    for results in product(outputs, repeat=len(outputs)):
        alike = tuple(results.index(result) for result in results)
        if alike not in partitions:
            partitions.add(alike)
            result = dict(zip(outputs, results, strict=True))
            yield {**tables, "mechanism": [[database, _pushed(law, result)] for database, law in tables["mechanism"]]}


def _pushed(law: dict[str, str], result: dict[str, str]) -> dict[str, str]:
    total: dict[str, Fraction] = {}
    for o, p in law.items():
        total[result[o]] = total.get(result[o], Fraction(0)) + Fraction(p)
    return {o: str(p) for o, p in total.items()}


def _twice(tables: Tables) -> Iterator[Tables]:
    """The tables with two independent runs of the mechanism, both outputs shown."""
    yield {**tables, "mechanism": [[database, _squared(law)] for database, law in tables["mechanism"]]}


def _squared(law: dict[str, str]) -> dict[str, str]:
    return {f"{x} {y}": str(Fraction(p) * Fraction(q)) for (x, p), (y, q) in product(law.items(), repeat=2)}


TRANSFORMED: dict[str, Callable[[Tables], Iterator[Tables]]] = {"post": _post, "twice": _twice}


def _every_value_possible(tables: Tables) -> bool:
    worlds = tables["worlds"]["θ"]
    left = {(known, i, database[i]) for database, known, _, _ in worlds for i in tables["secrets"]}
    return len(left) == len({known for _, known, _, _ in worlds}) * len(tables["secrets"]) * len(tables["values"])


def _databases(tables: Tables) -> set[tuple[str, ...]]:
    return {tuple(database) for database, _, _, _ in tables["worlds"]["θ"]}


PROPERTIES: dict[str, Callable[[Tables], bool]] = {
    "full-support": lambda tables: len(_databases(tables)) == len(tables["values"]) ** tables["size"],
    "constant": lambda tables: all(law == tables["mechanism"][0][1] for _, law in tables["mechanism"]),
    "every-value-possible": _every_value_possible,
    "functional-knowledge": lambda tables: len(_databases(tables)) == len(tables["worlds"]["θ"]),
}
"""The properties that this module decides, since the replay does not."""
