"""The answer of a search as a table."""

from __future__ import annotations

from verifier.model import database_text
from verifier.show.sheet import ITEMS, Sheet
from verifier.wings.search.ask import Result
from verifier.wings.search.meaning import value_text


def search_sheet(result: Result, seconds: str) -> Sheet:
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
        ("seconds", seconds),
    ]
    if result.hit.undecided:
        rows.append(("not decided", f"{result.hit.undecided:,}"))
    return Sheet("Search", ITEMS, tuple(rows))
