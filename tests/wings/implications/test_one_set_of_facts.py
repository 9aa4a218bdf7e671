"""The ledger, the page of axioms and the matrix never disagree on a printed sign or cell.

A reading of the ledger names the signs and cells that it is about (`signs`). What it says of them is compared with the
cells of the matrix, with the verdicts on DP22's printed relations, and with the axioms; and the models of the ledger's
evidence are held against everything that the matrix proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import pytest
from scripts import script

from verifier.model import read
from verifier.model.library import models_folder
from verifier.wings.implications.axioms.axioms import AGREES as CELL_AGREES
from verifier.wings.implications.axioms.axioms import (
    ANSWERED,
    CLASHES,
    NOT_ANSWERED,
    OTHER,
    PROVED,
    REFUTED,
    derive,
    every_cell,
)
from verifier.wings.implications.axioms.axioms import cell as axiom_cell
from verifier.wings.implications.axioms.axioms import rows as table_rows
from verifier.wings.implications.axioms.facts import AXIOMS
from verifier.wings.implications.facts import SAME, SOME
from verifier.wings.implications.matrix.matrix import (
    DEPENDS_FINITE,
    FINITE,
    ONE,
    OPEN,
    VACUOUS,
    MatrixCell,
    Pair,
    matrix,
)
from verifier.wings.implications.parts import matrix_key
from verifier.wings.papers.ledger.entry import PRINTED, OfModel
from verifier.wings.papers.ledger.printed_relations import (
    AGREES,
    AT_ONE_POLICY,
    BY_READING,
    CLAIM_PROVED,
    DISAGREES,
    IN_LEDGER,
    IN_PART,
    NOT_DECIDED,
    ONE_IMPLEMENTATION,
    ONE_KEY,
    UNDER_CONDITION,
    PrintedRelation,
    printed,
)
from verifier.wings.papers.ledger.read import PAPERS, entries

IMPLIES, DOES_NOT = "⟹", "⇏"
ORDERS = {"≻": ((0, 1),), "≺": ((1, 0),), "∼": ((0, 1), (1, 0)), IMPLIES: ((0, 1),), DOES_NOT: ((0, 1),)}
"""The implications that a sign asks for; ⊂ and ⊃ ask for both orders at the same ε, with parameters of one's choice."""
EXTENDS = {"⊂", "⊃"}
TRUE, FALSE = {"proved", "checked"}, {"refuted", "misprint"}
CAN_BE_TRUE = {AGREES, ONE_KEY, IN_PART, UNDER_CONDITION, CLAIM_PROVED}


class Said(NamedTuple):
    """What a reading says of a sign or a cell, and its verdict on it."""

    name: str
    words: tuple[str, ...]
    as_printed: bool
    verdict: str

    @property
    def text(self) -> str:
        return " ".join(self.words)


def said() -> Iterator[Said]:
    for entry in (entry for paper in PAPERS for entry in entries(paper)):
        for reading in entry.readings:
            name = f"{entry.claim}, {reading.part}, {reading.reading}"
            for sign in reading.signs:
                yield Said(name, tuple(sign.split()), reading.label == PRINTED, reading.verdict)


SIGNS = [each for each in said() if each.words[1] not in AXIOMS]
CELLS = [each for each in said() if each.words[1] in AXIOMS]
Cells = Mapping[str, Mapping[Pair, MatrixCell]]


def disagreement(each: Said, cells: Cells) -> str:
    """Why the matrix says something else than a reading of the ledger; empty if it does not.

    A sign that is refuted has no proof; one that is proved has no model against it, unless a condition or a parameter
    that the sign leaves free decides.
    """
    source, sign, target = each.words
    if sign in EXTENDS:
        chains = [cells[SAME][pair].chain for pair in ((source, target), (target, source))]
        return "the two imply each other" if each.verdict in FALSE and all(chains) else ""
    asked = [cells[SOME][(source, target)[a], (source, target)[b]] for a, b in ORDERS[sign]]
    holds = (each.verdict in TRUE) is (sign != DOES_NOT)
    if each.verdict not in TRUE | FALSE:
        return ""
    if not holds:
        return "it is proved in the matrix" if all(cell.chain for cell in asked) else ""
    refuted = [cell for cell in asked if cell.separation and not cell.conditional and cell.separation.first != VACUOUS]
    free = {printed_of(each.text).verdict} & {CLAIM_PROVED, IN_PART} if sign != IMPLIES else set()
    return f"{refuted[0].separation} refutes it" if refuted and not free else ""


def printed_of(text: str) -> PrintedRelation:
    return next(relation for relation in printed() if relation.text == text)


def test_the_ledger_is_about_something() -> None:
    assert len(SIGNS) > 40
    assert len(CELLS) > 15
    assert {word for each in SIGNS for word in each.words[1:2]} <= {*ORDERS, *EXTENDS}


@pytest.mark.parametrize("each", SIGNS, ids=lambda each: f"{each.text} ({each.name})")
def test_ledger_and_matrix_agree(each: Said) -> None:
    assert disagreement(each, matrix().cells) == ""


@pytest.mark.parametrize("each", [each for each in SIGNS if each.words[1] not in {IMPLIES, DOES_NOT}],
                         ids=lambda each: f"{each.text} ({each.name})")  # fmt: skip
def test_the_verdict_on_a_printed_sign_is_the_ledgers(each: Said) -> None:
    """Each sign that the ledger names is printed in Table 3, and its page has the ledger's verdict."""
    found = printed_of(each.text)
    if not each.as_printed:
        return
    if each.verdict in FALSE:
        assert found.verdict == IN_LEDGER
        assert each.name.split(", ", 1)[0] in found.because
    elif each.verdict == "ambiguous":
        assert found.verdict == BY_READING
    else:
        assert found.verdict in CAN_BE_TRUE


def unsettled(each: Said, cells: Cells) -> str:
    """The state of a cell that says less of a sign than the ledger proves; empty if none does."""
    source, sign, target = each.words
    states = [cells[SOME][(source, target)[a], (source, target)[b]].state for a, b in ORDERS.get(sign, ())]
    return next((state for state in states if state in {OPEN, FINITE, DEPENDS_FINITE}), "")


PROVED_SIGNS = [each for each in SIGNS if each.verdict in TRUE and each.words[1] != DOES_NOT]


@pytest.mark.parametrize("each", PROVED_SIGNS, ids=lambda each: f"{each.text} ({each.name})")
def test_what_the_ledger_proves_is_nowhere_open(each: Said) -> None:
    """Neither open nor without a bound in the matrix, and not undecided beside a printed sign."""
    assert unsettled(each, matrix().cells) == ""
    assert all(found.verdict not in {NOT_DECIDED, AT_ONE_POLICY} for found in printed() if found.text == each.text)


REPAIRS = {
    "section 3.4, the powers of |e^L - 1|": ("dp-any ⟹ kdivdp", "power(e)"),
    "Definition 41": ("zkpr ⟹ bodp", "2*e"),
}
"""What a reading's repair proves, by its claim: it has no sign of its own."""


@pytest.mark.parametrize("claim", sorted(REPAIRS))
def test_what_a_repair_proves_is_in_the_matrix(claim: str) -> None:
    assert any(reading.repaired for entry in entries("DP22") if entry.claim == claim for reading in entry.readings)
    text, bound = REPAIRS[claim]
    source, _, target = text.split()
    chain = matrix().cells[SOME][source, target].chain
    assert chain is not None
    assert chain.map == bound


def test_less_than_the_ledger_would_be_seen() -> None:
    """Planted: a cell without a bound, and one that is open."""
    cells = matrix().cells
    each = next(one for one in SIGNS if one.text == "distdp ⟹ ibddp")
    for state in (OPEN, FINITE, DEPENDS_FINITE):
        pair = (each.words[0], each.words[2])
        wrong = {**cells[SOME], pair: replace(cells[SOME][pair], state=state)}
        assert unsettled(each, {**cells, SOME: wrong}) == state


def test_one_implementation_is_no_agreement() -> None:
    """Two keys with the same parts are not counted as evidence for a printed sign."""
    same = [found for found in printed() if ONE_IMPLEMENTATION in found.because]
    assert {"cldp ≻ eldp", "apkdp ≺ npr"} <= {found.text for found in same}
    assert {found.verdict for found in same} == {ONE_KEY, CLAIM_PROVED}
    for found in printed():
        if matrix().cells[SOME][found.source, found.target].state == ONE and found.sign != "weaker":
            assert found in same


def test_no_printed_sign_is_refuted_that_the_ledger_does_not_know() -> None:
    assert [each.text for each in printed() if each.verdict == DISAGREES] == []


def truth(each: Said) -> str:
    """What is true of a cell by a reading: yes, no, or empty for a question mark."""
    value = each.words[2]
    if value == "?":
        return ""
    return value if each.verdict in TRUE else {"yes": "no", "no": "yes"}[value]


def cell_disagreement(each: Said, derived: str, state: str) -> str:
    """Why a cell of the page of axioms says something else than a reading of the ledger; empty if it does not."""
    is_true = {PROVED: "yes", REFUTED: "no"}[derived]
    if each.as_printed and state != OTHER:
        wanted = {"": {ANSWERED}, each.words[2]: {CELL_AGREES}}.get(truth(each), {CLASHES})
        if state not in wanted or truth(each) not in {"", is_true}:
            return f"the ledger has {truth(each) or 'an answer'}, and the page {is_true}, which is {state}"
    if not each.as_printed and truth(each) not in {"", is_true}:
        return f"of this reading the ledger has {truth(each)}, and the page {is_true}"
    return ""


@pytest.mark.parametrize("each", CELLS, ids=lambda each: f"{each.text} ({each.name})")
def test_ledger_and_axioms_agree(each: Said) -> None:
    key, axiom, value = each.words
    found = axiom_cell(key, axiom)
    assert found is not None
    if each.as_printed and "Proposition" not in each.name:
        assert found.printed.startswith(value)
    assert cell_disagreement(each, derive(key, axiom).verdict, found.state) == ""


def test_each_cell_that_differs_has_a_reading_in_the_ledger() -> None:
    """A clash is refuted there; a cell about another reading has a reading whose truth is what is derived here."""
    by_cell: dict[tuple[str, str], list[Said]] = {}
    for each in CELLS:
        by_cell.setdefault((each.words[0], each.words[1]), []).append(each)
    for found in every_cell():
        readings = by_cell.get((found.row.key, found.verdict.axiom), [])
        if found.state == CLASHES:
            assert any(each.as_printed and each.verdict in FALSE for each in readings), found.row.key
        if found.state == OTHER and not found.printed.startswith("?"):
            is_true = {PROVED: "yes", REFUTED: "no"}[found.verdict.verdict]
            assert any(not each.as_printed and truth(each) == is_true for each in readings), found.row.key
        assert found.state != NOT_ANSWERED or not readings
    assert {each.words[0] for each in CELLS} <= set(table_rows())


def asked_models() -> dict[str, dict[str, str]]:
    """The smallest ε at δ = 0 that the ledger's evidence names, by model and definition."""
    found: dict[str, dict[str, str]] = {}
    for entry in entries("DP22"):
        for reading in entry.readings:
            for evidence in reading.evidence:
                if not isinstance(evidence, OfModel) or evidence.restricted:
                    continue
                for asks in evidence.asks:
                    smallest = asks.answer.get("tight_epsilon")
                    if smallest is not None and set(asks.question) <= {"epsilon"}:
                        found.setdefault(evidence.model, {})[matrix_key(asks.definition)] = str(smallest)
    return {name: values for name, values in found.items() if len(values) > 1}


@pytest.mark.parametrize("name", sorted(asked_models()))
def test_no_model_of_the_ledger_contradicts_the_matrix(name: str) -> None:
    model = read(models_folder() / f"{name}.toml")
    assert not list(map(str, script("docs/matrix/build.py").contradictions(model, {"0": asked_models()[name]})))


def test_the_seven_contradictions_would_be_seen() -> None:
    """A proof of a sign that is refuted is one, and a cell about another reading that is called a clash."""
    cells = matrix().cells
    chain = next(cell.chain for cell in cells[SOME].values() if cell.chain is not None)
    for text in ("bodp ⇏ dp-any", "zkpr ≻ dp-any", "infpr ≻ dp-any"):
        each = next(one for one in SIGNS if one.text == text)
        pair = (each.words[0], each.words[2])
        wrong = {**cells[SOME], pair: replace(cells[SOME][pair], chain=chain)}
        assert disagreement(each, {**cells, SOME: wrong}) == "it is proved in the matrix"
    for text, derived in (("azcodp post-processing no", PROVED), ("absdp convexity no", PROVED)):
        each = next(one for one in CELLS if one.text == text and one.as_printed)
        assert cell_disagreement(each, derived, OTHER) == ""
        assert cell_disagreement(each, derived, CLASHES).startswith("the ledger has no")
    each = next(one for one in CELLS if one.text == "azcodp post-processing no" and not one.as_printed)
    assert cell_disagreement(each, REFUTED, OTHER).startswith("of this reading the ledger has yes")
