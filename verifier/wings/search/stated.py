"""The model that a search found as an example to print: a sentence, a table of θ and M, and what holds, in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verifier.model import Model, database_text
from verifier.model.model import Expectation
from verifier.numbers import epsilon, latex_of, rational
from verifier.show.cells import Number, exact
from verifier.show.sheet import Sheet, tex_text
from verifier.tables import Law
from verifier.version import VERSION
from verifier.wings.search.ask import Result


def stated_tex(result: Result) -> str:
    """Return the answer of a search as LaTeX: the model as an example, or the sentence that there is none."""
    head = f"% pkdp {VERSION}; scope: {result.scope}"
    if result.model is None:
        return f"{head}\n{tex_text(f'There is no such model: {result}.')}"
    said = "; ".join(_said(result.model)) or tex_text(str(result.question))
    return "\n".join([head, _setting(result.model), "\n" + _table(result.model).tex() + "\n", f"Then {said}."])


def _setting(model: Model) -> str:
    """Return what the letters of the example are."""
    values = r",\, ".join(rf"\text{{{tex_text(value.text)}}}" for value in model.values)
    known = any(world.knowledge is not None for theta in model.thetas for world in theta.worlds())
    attacker = "the attacker knows $B$" if known else "the attacker knows nothing"
    protected = sorted({secret.record for secret in model.secrets if secret.record is not None})
    which = f"; record {protected[0]} is protected" if len(protected) < model.size and len(protected) == 1 else ""
    return rf"Let $n = {model.size}$ and $T = \{{{values}\}}$; {attacker}{which}. Databases and outputs are:"


def _table(model: Model) -> Sheet:
    """Return θ and M as one table: a row for each possible database, then the impossible ones, of probability 0."""
    (theta,) = model.thetas
    worlds = {(world.database, world.knowledge): Fraction(world.weight, theta.denominator) for world in theta.worlds()}
    possible = {database for database, _ in worlds}
    cells = dict(worlds)
    for database in model.mechanism.all_databases():
        if database not in possible:
            cells[database, None] = Fraction(0)
    rows = [
        (
            database_text(database, model.values),
            *(["–" if known is None else str(known)] if any(known for _, known in worlds) else []),
            exact(weight),
            _law(model.mechanism.law(database)),
        )
        for (database, known), weight in cells.items()
    ]
    heads = ("D", *(["B"] if any(known for _, known in worlds) else []), "θ(D)", "M(D)")
    return Sheet("", heads, tuple(rows))


def _law(law: Law) -> str:
    """Return a law of outputs as a cell: its one output, or each with its probability in math mode."""
    if len(law.outcomes) == 1:
        return law.outcomes[0].text
    chances = [(outcome.text, Fraction(weight, law.denominator)) for outcome, weight in law.items()]
    text = ", ".join(f"{outcome}: {chance}" for outcome, chance in chances)
    typeset = [rf"\text{{{tex_text(outcome)}}}: {latex_of(chance)}" for outcome, chance in chances]
    return Number(text, r",\; ".join(typeset))


def _said(model: Model) -> Iterator[str]:
    """Yield what the file promises, a sentence for each definition."""
    for promised in model.expectations:
        if promised.definition == "acceptable":
            yield f"{'an' if promised.answer['acceptable'] else 'no'} acceptable normalization exists"
            continue
        verdict = promised.answer["verdict"]
        yield f"{tex_text(promised.definition)} {verdict}{_at(promised)}{_least(promised)}"


def _at(promised: Expectation) -> str:
    """Return the ε and δ of a question in math mode."""
    asked = promised.question
    parts = []
    if "epsilon" in asked:
        parts.append(rf"\varepsilon = {epsilon(asked['epsilon']).latex}")
    if "delta" in asked:
        parts.append(rf"\delta = {latex_of(rational(asked['delta']))}")
    return f" at ${', '.join(parts)}$" if parts else ""


def _least(promised: Expectation) -> str:
    """Return the smallest ε and δ of an answer in math mode, where they are numbers with an exact form."""
    answer, parts = promised.answer, []
    if "tight_epsilon" in answer and "root" not in str(answer["tight_epsilon"]):
        parts.append(rf"the smallest $\varepsilon$ at this $\delta$ is ${epsilon(answer['tight_epsilon']).latex}$")
    if "tight_delta" in answer and "e^" not in str(answer["tight_delta"]):
        parts.append(rf"the smallest $\delta$ at this $\varepsilon$ is ${latex_of(rational(answer['tight_delta']))}$")
    return f" ({', '.join(parts)})" if parts else ""
