"""How two definitions relate: whether each implies the other, with the proof or the model, in sentences.

Pairs that the papers themselves compare are answered by the papers' table, others by the matrix of all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.definitions.answer import Answer
from verifier.definitions.registry import find_for_all
from verifier.errors import InputError, UnsupportedError
from verifier.model import Database, Model
from verifier.model.bundled import short_name
from verifier.numbers import plural
from verifier.questions.check import check
from verifier.show.sheet import ITEMS, Sheet
from verifier.show.witnesses import why
from verifier.tables import Label
from verifier.wings.implications.facts import COMPARED, LEVELS, SAME, SEARCHES, Implication, factor_text
from verifier.wings.implications.matrix.matrix import MatrixCell, pair_cell
from verifier.wings.implications.matrix.sheets import matrix_pair_sheet, pair_beyond_papers, pair_json
from verifier.wings.implications.parts import matrix_key
from verifier.wings.implications.table import Fact, PairCell, Relations, relations_json
from verifier.wings.implications.table import relations as table_of


def pair_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of the two definitions that are named, or none where none is named.

    Raises:
        InputError: for one name or more than two, for the same one twice, and for one that is not `COMPARED`.

    """
    keys = tuple(find_for_all(name).key for name in names)
    listed = ", ".join(COMPARED)
    if len(keys) == 1:
        tip = f"pkdp relations {keys[0]} {'np' if keys[0] != 'np' else 'cdp'}; without definitions: the tables of all"
        raise InputError(f"only {keys[0]} is given", where="DEFINITION", wanted="two different definitions", tip=tip)
    if outside := [key for key in keys if key not in COMPARED]:
        other = next((key for key in keys if key != outside[0]), COMPARED[0])
        tip = f'pkdp search --satisfies "{other}(e)" --violates "{outside[0]}(e)" looks for a model'
        raise InputError(f"{outside[0]} is not compared", where="DEFINITION", wanted=f"two of {listed}", tip=tip)
    if keys and (len(keys) != 2 or keys[0] == keys[1]):
        tip = "pkdp relations np cdp; without definitions: the tables of all"
        raise InputError(
            f"{', '.join(keys)} are not two definitions",
            where="DEFINITION",
            wanted="two different definitions",
            tip=tip,
        )
    return keys


def pair_sheet(relations: Relations) -> Sheet:
    """Return the sheet that says whether each of the two definitions of `relations` implies the other, and why."""
    first, second = relations.definitions
    rows = [*_direction(relations, first, second), *_direction(relations, second, first)]
    return Sheet(f"{first} and {second}", ITEMS, tuple(rows))


def _direction(relations: Relations, source: str, target: str) -> list[tuple[str, str]]:
    """Return whether one definition implies the other, why not, and under which conditions it does."""
    pure, approximate = relations.pure[source, target], relations.approximate[source, target]
    rows = [(f"{source} ⟹ {target}", _verdict(pure, approximate))]
    fact = pure.fact or approximate.fact
    if fact is not None:
        if pure.fact is not None:
            rows.append(("why", why(check(fact.model, target, replay=False))))
        search = search_command(source, target, with_delta=pure.fact is None)
        rows.append(("size", f"{size_of(fact.model)}; {search} finds the smallest of its scope"))
        at = "" if pure.fact is not None else f' --epsilon "{approximate.at}"'
        rows.append(("see", f"pkdp check {_name(fact)} --definition {source},{target}{at}"))
    if fact is not None or not pure.arrows:
        rows += [("but", f"{arrow.text} ({_proof(arrow)})") for arrow in relations.conditional(source, target)]
    return rows


def size_of(model: Model) -> str:
    """Return how large a model is: its records, the values of each, its mechanism and the number of its outputs.

    >>> from verifier.model import build
    >>> twins = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    >>> size_of(build(size=2, values=[0, 1], distribution=twins, mechanism={"kind": "parity", "value": 1}))
    '2 records of 2 values; parity of the count of 1, with 2 outputs'
    """
    outputs = len({output for database in model.mechanism.all_databases() for output in _outputs(model, database)})
    records = f"{plural(model.size, 'record')} of {plural(len(model.values), 'value')}"
    return f"{records}; {model.mechanism.title}, with {plural(outputs, 'output')}"


def _outputs(model: Model, database: Database) -> list[Label]:
    """Return the outputs on a database; none where the mechanism is not defined there."""
    try:
        return [output for output, _ in model.mechanism.law(database).items()]
    except (InputError, UnsupportedError):
        return []


def search_command(source: str, target: str, *, with_delta: bool) -> str:
    """Return the command that finds a model of the first definition and not of the second.

    If every ε of the first gives one of the second at δ = 0, only a δ separates them.

    >>> search_command("ppkdp", "apkdp", with_delta=True)
    'pkdp search --satisfies "ppkdp(e, d)" --violates "apkdp(e, d)" --knowledge 2'
    """
    variables = "(e, d)" if with_delta else "(e)"
    options = SEARCHES.get((source, target), "")
    command = f'pkdp search --satisfies "{source}{variables}" --violates "{target}{variables}"'
    return f"{command} {options}" if options else command


def _name(fact: Fact) -> str:
    return short_name(fact.path.removesuffix(".toml"))


def _verdict(pure: PairCell, approximate: PairCell) -> str:
    """Return the answer for δ = 0 and, where it differs, for other δ, each with its proof or model."""
    source, target = pure.source, pure.target
    if pure.fact is not None:
        least = f"{source} with ε = {pure.fact.epsilon[source]}, and {target} with no finite ε"
        return f"No: {_name(pure.fact)} ({pure.fact.model.title}) satisfies {least} (both at δ = 0)."
    if not pure.arrows:
        return "Open: neither a proof nor a model is known here."
    factor = factor_text(pure.arrows)
    multiple = f"{factor}ε" + (", n being the number of records" if "n" in factor else "") if factor else "the same ε"
    proofs = "; ".join(dict.fromkeys(map(_proof, pure.arrows)))
    if approximate.arrows:
        return f"Yes, with the same ε and δ ({proofs})."
    at_zero = f"At δ = 0 yes, with {multiple} ({proofs})."
    if approximate.fact is None:
        return f"{at_zero} With the same ε and δ above 0 it is open."
    model = f"{_name(approximate.fact)} ({approximate.fact.model.title})"
    return f"{at_zero} With the same ε and δ above 0 no: {model} satisfies {approximate.how}."


def _proof(arrow: Implication) -> str:
    """Return where an arrow is proved: its number in a text, where it has one, and the heading of our proof."""
    return f"{arrow.in_texts}; {arrow.proof}" if arrow.in_texts else arrow.proof


@dataclass(frozen=True)
class PairRelations(Answer):
    """Whether each of two definitions implies the other, as `pkdp relations A B` says it.

    Pairs that the papers themselves compare are answered by the papers' table, others by the matrix of all pairs.
    """

    definitions: tuple[str, str]
    of_papers: bool

    @property
    def verdict(self) -> str:
        """The state of "the first implies the second with the same ε, at δ = 0" in the matrix of all pairs.

        One of `proved`, `by closure`, `same definition here`, `separated`, `complete on these shapes`, `depends` and
        `open`.
        """
        return self.cells()[SAME].state

    def cells(self, *, other_way: bool = False) -> Mapping[str, MatrixCell]:
        """The cells of "the first implies the second" (or the other way round) at `some`, `same` and `with-delta`."""
        source, target = map(matrix_key, self.definitions[::-1] if other_way else self.definitions)
        return {level: pair_cell(source, target, level) for level in LEVELS}

    @property
    def exit_status(self) -> int:
        """The exit status 0 of the command line, since every state is an answer."""
        return 0

    def sheet(self) -> Sheet:
        """The table of both orders in sentences, with the reasons."""
        return pair_sheet(table_of(self.definitions)) if self.of_papers else matrix_pair_sheet(*self.definitions)

    def __str__(self) -> str:
        return "\n".join(f"{item}: {text}" for item, text in self.sheet().rows)

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp relations A B --json`."""
        return relations_json(table_of(self.definitions)) if self.of_papers else pair_json(*self.definitions)


def relations(first: object, second: object) -> PairRelations:
    """How two definitions relate: whether each implies the other, for all models, with the proof or a model.

    >>> answer = relations("renyidp", "zcodp")
    >>> answer.verdict
    'separated'
    >>> evidence = answer.cells()["same"].separation
    >>> evidence.model, evidence.first, evidence.second
    ('atlas/one-order', 'ln(2000/1001)', '[1.18519035468, 1.18519035469]')
    >>> answer.cells(other_way=True)["some"].chain.map
    'xi+order*e'

    Raises:
        InputError: for a name that is no definition, the same one twice, and a definition that is not decided.

    """
    names = (str(getattr(first, "key", first)), str(getattr(second, "key", second)))
    beyond = pair_beyond_papers(names)
    if beyond is not None:
        return PairRelations(beyond, of_papers=False)
    one, other = pair_of(names)
    return PairRelations((one, other), of_papers=True)
