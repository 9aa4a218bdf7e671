"""Definitions of DP22 with a simulator in SMT-LIB 2: the simulator's laws are unknowns, the laws to imitate are listed.

Zero-knowledge privacy, coupled worlds and typical stability (Definitions 41, 42 and 44) compare laws of outputs;
coupled worlds by inference (Definition 43) compare beliefs. The solver is told neither the simulator nor why there is
none, nor which databases are left out, nor which of several functions is told.
"""

from __future__ import annotations

from typing import Any

from verifier.wings.judges.centre_rows import ImitatedGroup, ImitatedRow, Imitation, imitation_of
from verifier.wings.judges.smt_beliefs import alike_beliefs
from verifier.wings.judges.smt_claims import ask
from verifier.wings.judges.smt_exists import simulator_claims, unknowns, unknowns_are_laws
from verifier.wings.judges.smt_text import (
    FINITE,
    INFINITE,
    Mode,
    call,
    condition,
    define,
    distance,
    every,
    excess,
    heading,
    real,
    smt_file,
    some,
)
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import plain


def smt_centre(certificate: dict[str, Any]) -> str:
    """The SMT-LIB 2 file of a certificate about a definition of DP22 with a simulator.

    Raises:
        UnsupportedError, LimitError: for a certificate without such an export, with the reason.

    """
    imitation = imitation_of(certificate)
    return smt_file(certificate, imitation.answer, "QF_LIRA", _Statement(imitation).lines())


class _Statement:
    """The statement of a question: rows, simulator, the condition that it imitates them, and claims."""

    def __init__(self, imitation: Imitation) -> None:
        self.imitation = imitation
        self.numbers = {id(row): k for k, row in enumerate(imitation.rows)}

    def lines(self) -> list[str]:
        """The lines of the file after its preamble."""
        imitation = self.imitation
        lines = heading("Labels are numbers")
        lines += [f"; output {o}: {plain(name)}" for o, name in enumerate(imitation.outputs)]
        lines += [f"; context {c}: {plain(name)}" for c, name in enumerate(imitation.contexts)]
        for row in imitation.rows:
            lines += self._table(row)
        size = len(imitation.contexts), len(imitation.outputs) + 1
        lines += [*self._lawful(), *unknowns(*size), unknowns_are_laws(*size), *excess(tail=False)]
        for row in imitation.rows:
            lines += self._answers(row)
        lines += self._left_out()
        title = "beliefs of each group" if imitation.believed else "law of M and the law of the simulator's answer"
        lines += heading(f"The definition: the {title} are alike, in both directions")
        for mode in (FINITE, INFINITE):
            conditions = [self._group(k, group, mode) for k, group in enumerate(imitation.groups)]
            lines.append(define(f"alike{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(conditions)))
        lines += ["", *ask("the tables are laws", "(not lawful)")]
        compared = some(map(self._compared, imitation.groups))
        if imitation.answer.verdict == "vacuous":
            return lines + ask("nothing is compared", compared)
        return lines + ask("something is compared", f"(not {compared})") + simulator_claims(imitation.answer)

    def _table(self, row: ImitatedRow) -> list[str]:
        r = self.numbers[id(row)]
        return [
            *heading(f"Row {r} ({plain(row.words)}): L_{r}_o and T_{r}_c are the chances of the row with o, with c"),
            *(define(f"L_{r}_{o}", [], "Real", real(p)) for o, p in row.law.items()),
            *(define(f"T_{r}_{c}", [], "Real", real(p)) for c, p in row.told.items()),
            define(f"mass_{r}", [], "Real", add(f"T_{r}_{c}" for c in row.told)),
            define(f"share_{r}", [], "Real", real(row.share)),
        ]

    def _lawful(self) -> list[str]:
        conditions = []
        for row in self.imitation.rows:
            r = self.numbers[id(row)]
            numbers = [*(f"L_{r}_{o}" for o in row.law), *(f"T_{r}_{c}" for c in row.told)]
            conditions += [f"(>= {name} 0.0)" for name in numbers]
            conditions += [f"(= mass_{r} {add(f'L_{r}_{o}' for o in row.law)})", f"(<= mass_{r} 1.0)"]
        for group in self.imitation.groups:
            if group.left_out is not None:
                conditions.append(f"(= 1.0 {self._shares(group)})")
        return [*heading("What is listed are laws, up to the chance of their row"), condition("lawful", conditions)]

    def _shares(self, group: ImitatedGroup) -> str:
        return add(f"share_{self.numbers[id(row)]}" for choice in group.choices for row in choice)

    def _answers(self, row: ImitatedRow) -> list[str]:
        """The probability that the simulator answers o, and the row; and the distance of both laws."""
        r = self.numbers[id(row)]
        outputs = range(len(self.imitation.outputs) + 1)
        lines = ["", f"; row {r}: the simulator's answers"]
        lines += [define(f"A_{r}_{o}", [], "Real", add(f"(* T_{r}_{c} s_{c}_{o})" for c in row.told)) for o in outputs]
        if self.imitation.believed:
            return lines
        for mode in (FINITE, INFINITE):
            for way, first, second in (("forward", "L", "A"), ("backward", "A", "L")):
                laws = ([self._cell(row, side, o) for o in outputs] for side in (first, second))
                lines.append(define(f"{way}{mode.suffix}_{r}", mode.parameters, "Real", distance(mode, *laws)))
        return lines

    def _cell(self, row: ImitatedRow, side: str, output: int) -> str:
        return "0.0" if side == "L" and output not in row.law else f"{side}_{self.numbers[id(row)]}_{output}"

    def _left_out(self) -> list[str]:
        """An unknown for each row that may be left out."""
        lines: list[str] = []
        for k, group in enumerate(self.imitation.groups):
            if group.left_out is not None:
                rows = [self.numbers[id(row)] for choice in group.choices for row in choice]
                lines += heading(f"Group {k}: rows whose shares sum to at most gamma may be left out")
                lines += [f"(declare-const left-out_{r} Bool)" for r in rows]
                missed = add(f"(ite left-out_{r} share_{r} 0.0)" for r in rows)
                lines.append(condition(f"few_{k}", [f"(<= {missed} {real(group.left_out)})"]))
        return lines

    def _group(self, k: int, group: ImitatedGroup, mode: Mode) -> str:
        if self.imitation.believed:
            return self._beliefs(group, mode)
        if group.left_out is None:
            return some(every(self._row(row, mode) for row in choice) for choice in group.choices)
        (rows,) = group.choices
        kept = [f"(or left-out_{self.numbers[id(row)]} {self._row(row, mode)})" for row in rows]
        return every([f"few_{k}", *kept])

    def _row(self, row: ImitatedRow, mode: Mode) -> str:
        """The condition that a row is imitated; both sides have the probability of the row as a factor."""
        r = self.numbers[id(row)]
        return every(
            f"(<= {call(f'{way}{mode.suffix}_{r}', *mode.arguments)} (* mass_{r} d))" for way in ("forward", "backward")
        )

    def _beliefs(self, group: ImitatedGroup, mode: Mode) -> str:
        (rows,) = group.choices
        return every(
            alike_beliefs(mode, [(self._cell(row, "L", o), self._cell(row, "A", o)) for row in rows])
            for o in range(len(self.imitation.outputs))
        )

    def _compared(self, group: ImitatedGroup) -> str:
        """Whether a group has rows that cannot all be left out."""
        if group.left_out is not None:
            return f"(> {self._shares(group)} {real(group.left_out)})"
        return "true" if any(group.choices) else "false"
