"""The privacy loss of every output between the two laws of which a definition demands the largest ε."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.definitions import Definition, find
from verifier.definitions.answer import MOST_ROWS, Valued, columns, header, left_out, lines, number
from verifier.definitions.comparison import Pair
from verifier.definitions.decide import largest_epsilon, largest_number, pools_of
from verifier.definitions.measures.divergence import Condition, Divergence
from verifier.definitions.own import law_pair
from verifier.definitions.scheme import Scheme
from verifier.definitions.verdict import Verdict
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.model import Model, need_model
from verifier.numbers import Loss, delta_bound, plural
from verifier.questions.check import check
from verifier.questions.losses import LossTable, OutputLoss, loss


@dataclass(frozen=True)
class PairLoss(Valued):
    """The losses between the two laws that need the largest ε of a definition; `words` name them, P first."""

    model: Model
    answer: Verdict
    words: str
    rows: tuple[OutputLoss, ...]

    def __repr__(self) -> str:
        return f"<PairLoss of {self.answer.definition}: {plural(len(self.rows), 'output')}, {self.words}>"

    def __str__(self) -> str:
        """Plain text: the two laws, and a table of the outputs with their probabilities and losses."""
        rows = [
            [row.output.text, number(row.probability_a), number(row.probability_b), number(row.loss)]
            for row in self.rows[:MOST_ROWS]
        ]
        heads = ["output", "P, first law", "Q, second law", "loss"]
        parts = [*lines(self.answer.restriction.beside(self.model.title)), *lines(self.words)]
        return "\n".join([*parts, columns(heads, rows), *left_out(len(self.rows) - MOST_ROWS, "output")])

    def fields(self) -> dict[str, Any]:
        """The table as `pkdp loss --definition --json` prints it."""
        return {
            **header(self.model),
            **self.answer.restriction.json,
            "definition": self.answer.definition,
            "delta": self.answer.delta,
            "tight_epsilon": self.answer.tight_epsilon,
            "laws": self.words,
            "outputs": self.rows,
        }


def losses_of(
    model: Model, definition: Definition | str, *, delta: object = 0, engine: Engine | None = None
) -> LossTable | PairLoss:
    """The exact losses ln(P/Q), in nats, of the comparison of a definition that needs the smallest ε at δ.

    For a definition that compares conditional laws it is the table of `loss` for this record and these two values, for
    one that compares databases, or one of DP22's scheme, the losses between the two laws.

    >>> from verifier.model import build
    >>> coin = build(size=1, values=[0, 1], mechanism={"kind": "randomized-response", "keep": "1/2"})
    >>> print(losses_of(coin, "klpr"))
    model
    M([0]) against M([1])
    output  P, first law  Q, second law  loss
    [0]     3/4 (0.75)    1/4 (0.25)     ln(3) (1.09861)
    [1]     1/4 (0.25)    3/4 (0.75)     ln(1/3) (-1.09861)

    Raises:
        UnsupportedError: where the definition compares no two laws of outputs, or nothing is compared.

    """
    need_model(model)
    engine, asked = engine or Engine(model), find(definition)
    answer = check(model, asked, delta=delta, engine=engine)
    witness = answer.witness or answer.tightest
    if isinstance(asked.compare, Scheme):
        words, pair = _worst_laws(engine, asked, asked.compare, delta_bound(delta))
        return PairLoss(model, answer, words, _rows(pair))
    if answer.reason:
        raise UnsupportedError(f"there are no losses of {asked.key}: {answer.reason}")
    if witness is not None and witness.kind == "conditional":
        return loss(model, record=witness.record, values=(witness.a, witness.b), engine=engine)
    if witness is not None and witness.databases is not None and not asked.recodes:
        first, second = (tuple(model.values.index(v) for v in database) for database in witness.databases)
        pair = law_pair(model.mechanism.law(first), model.mechanism.law(second))
        words = " against ".join(f"M([{', '.join(v.text for v in database)}])" for database in witness.databases)
        return PairLoss(model, answer, words, _rows(pair))
    raise UnsupportedError(
        f"{asked.key} is not about two laws of outputs that one comparison has",
        wanted="a definition of conditional laws such as np, of two databases such as dp, or of DP22's scheme",
        tip=f"pkdp loss without --definition; pkdp check MODEL --definition {asked.key} has its worst comparison",
    )


def _rows(pair: Pair) -> tuple[OutputLoss, ...]:
    return tuple(OutputLoss(output, p, q, Loss.between(p, q)) for output, p, q in pair.rows())


def _worst_laws(engine: Engine, definition: Definition, scheme: Scheme, delta: Fraction) -> tuple[str, Pair]:
    """The two laws that need the largest ε of a definition at δ, with their names.

    Raises:
        UnsupportedError: where no one pair of laws counts, or nothing is compared.

    """
    key, measure = definition.key, definition.measure_in(engine)
    if isinstance(measure, Condition):
        raise UnsupportedError(f"{key} holds or not, so that no pair of laws is the worst")
    if scheme.aggregation != "worst":
        raise UnsupportedError(f"{key} bounds many pairs of laws together, of which no one counts alone")
    pools = pools_of(definition.sets(engine, "default"))
    if not pools:
        raise UnsupportedError(f"{key}: {definition.about.nothing}")
    if isinstance(measure, Divergence):
        comparison, _ = largest_number(measure, pools, delta)
    else:
        comparison, _ = largest_epsilon(pools, delta)
    pair = comparison.terms[0].pair
    if comparison.row is None or not isinstance(pair, Pair):
        raise TypeError(f"{key} lists no rows")
    if sum(pair.p) != pair.totals[0] or sum(pair.q or ()) != pair.totals[1]:
        raise UnsupportedError(f"{key} compares chances of one event or value, which are not two distributions")
    return comparison.row.words, pair
