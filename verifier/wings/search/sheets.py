"""The answers of the search as tables: the smallest model, and the worst mechanism; and a model as a LaTeX example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.model import Model, database_text
from verifier.model.model import Expectation
from verifier.numbers import DIGITS, epsilon, exact_text, latex_of, plural, rational, with_decimal
from verifier.show.sheet import ITEMS, Number, Sheet, decimal, exact, tex_text
from verifier.tables import Law
from verifier.version import VERSION
from verifier.wings.search.statement_truth import value_text

if TYPE_CHECKING:
    from verifier.wings.search.api import Result
    from verifier.wings.search.worst.best import Best
    from verifier.wings.search.worst.decide import Worst


def seconds(result: Result) -> str:
    """How long a search took, in seconds."""
    return f"{result.milliseconds // 1000}.{result.milliseconds % 1000:03}"


def search_sheet(result: Result) -> Sheet:
    """The table of a search: question, model with its verdicts, scope, and how many models were looked at."""
    rows = [("satisfies", str(statement)) for statement in result.question.satisfied]
    if result.question.violated is not None:
        rows.append(("violates", str(result.question.violated)))
    rows.append(("verdict", result.verdict))
    separation = result.separation
    if separation is not None:
        rows += [(name, value_text(value)) for name, value in separation.values]
        rows += [(str(atom), verdict) for atom, verdict in separation.verdicts]
        (theta,), values = separation.model.thetas, separation.model.values
        for world in theta.worlds():
            known = "" if world.knowledge is None else f", B = {world.knowledge}"
            rows.append((f"θ: {database_text(world.database, values)}{known}", f"{world.weight}/{theta.denominator}"))
        for database in separation.candidate.databases:
            law = separation.model.mechanism.law(database)
            law_words = ", ".join(
                o.text if len(law.outcomes) == 1 else f"{o}: {w}/{law.denominator}" for o, w in law.items()
            )
            rows.append((f"M({database_text(database, values)})", law_words))
    rows += [
        ("scope", str(result.scope)),
        ("models in scope", f"{result.hit.size.models:,} ({result.hit.size.orbits:,} up to renaming)"),
        ("models looked at", f"{result.hit.checked:,} ({result.hit.orbits:,} up to renaming)"),
        ("seconds", seconds(result)),
    ]
    if result.hit.undecided:
        rows.append(("not decided", f"{result.hit.undecided:,}"))
    return Sheet("Search", ITEMS, tuple(rows))


def worst_sheet(answer: Worst, digits: int = DIGITS) -> Sheet:
    """The worst mechanism as a table, with the optimum and its proof in notes below."""
    assumptions = " and ".join(map(str, answer.assuming)) or "nothing"
    title, asked = (
        "The worst mechanism",
        f"{answer.model.title}: the largest δ of {answer.definition} at {answer.epsilon}",
    )
    asked += f", assuming {assumptions}"
    if answer.form is None:
        note = f"{answer.definition} compares nothing for this θ: it is vacuous for every mechanism."
        return Sheet(title, ("database",), (), notes=(asked, note))
    rows = tuple(
        (database_text(d, answer.model.values), *(exact_text(x, 60) for x in law))
        for d, law in answer.mechanism.items()
    )
    theta, record, a, b, known, direction, first = answer.form.place
    words = [f'"{theta}"' if theta is not None else "", f"record {record}" if record is not None else "S"]
    words += [f"{a} against {b}", f"B = {known}" if known is not None else "", str(direction or "")]
    words += [f"from the database {first}" if first else ""]
    if a is None:  # a row of DP22's scheme is named by its words
        words = [str(direction)]
    compared = "; ".join(
        f"{statement} compares nothing" if not number else f"{statement}: {plural(number, 'comparison')}"
        for statement, number in zip(answer.assuming, answer.compared, strict=True)
    )
    average = len(answer.form.parts) > 1
    digits_say = "the k-th digit of an output says" if average else "output 1 says"
    at = f"at {', '.join(word for word in words if word)}"
    used = plural(sum(len(program.multipliers) for program in answer.proofs), "multiplier")
    programs = plural(len(answer.proofs), "linear program")
    notes = (
        asked,
        f"{digits_say} whether it is in the event that the comparison {'has for the k-th B̂' if average else 'counts'}",
        f"optimum: {with_decimal(answer.optimum, digits=digits)}, {at}",
        *([f"assumed: {compared}"] if compared else []),
        f"proof: {programs}, {used}, added up again by the independent checker",
        answer.claim,
    )
    return Sheet(title, ("database", *(f"P[{label}]" for label in answer.labels)), rows, notes=notes)


def best_sheet(answer: Best, digits: int = DIGITS) -> Sheet:
    """The mechanism with the least loss as a table, by the statistic where that is enough, with its proof."""
    assumptions = " and ".join(map(str, answer.assuming)) or "nothing"
    by_value = answer.by_value
    if by_value is None:
        rows = [(database_text(d, answer.model.values), law) for d, law in answer.mechanism.items()]
    else:
        rows = [(exact_text(value), law) for value, law in by_value]
    used = plural(len(answer.multipliers), "multiplier")
    notes = (
        f"{answer.model.title}, assuming {assumptions}",
        f"proof: a linear program, {used}, added up again by the independent checker",
        answer.claim,
    )
    title = f"The least {answer.named}: {with_decimal(answer.optimum, digits=digits)}"
    heads = ("database" if by_value is None else answer.of["kind"], *(f"P[{label}]" for label in answer.labels))
    return Sheet(title, heads, tuple((first, *(exact_text(x, 60) for x in law)) for first, law in rows), notes=notes)


def price_sheet(answers: Sequence[Best], digits: int = DIGITS) -> Sheet:
    """The price of privacy: the least loss at each ε."""
    first = answers[0]
    rows = tuple((str(answer.epsilon), exact(answer.optimum), decimal(answer.optimum, digits)) for answer in answers)
    definitions = " and ".join(one.definition for one in first.assuming)
    notes = (first.model.title, f"assuming {definitions} at each ε; no other mechanism does better")
    return Sheet(f"The least {first.named}", ("ε", "loss", "decimal"), rows, notes=notes)


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
    protected = sorted(set(model.protected_records))
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
    chances = [(outcome.text, chance) for outcome, chance in law.chances()]
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
