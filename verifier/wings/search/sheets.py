"""The answer of a search as a table."""

from __future__ import annotations

from verifier.show.sheet import Sheet
from verifier.wings.search.ask import Result
from verifier.wings.search.meaning import value_text


def search_sheet(result: Result, seconds: str) -> Sheet:
    """What was asked, what was found, the verdicts on it, and how far was looked."""
    rows = [("satisfies", str(one)) for one in result.question.satisfied]
    if result.question.violated is not None:
        rows.append(("violates", str(result.question.violated)))
    rows.append(("verdict", result.verdict))
    found = result.separation
    if found is not None:
        rows += [(name, value_text(value)) for name, value in found.values]
        rows += [(str(atom), verdict) for atom, verdict in found.verdicts]
        (theta,) = found.model.thetas
        for world in theta.worlds():
            known = "" if world.knowledge is None else f", B = {world.knowledge}"
            rows.append((f"θ: {found.model.shown(world.database)}{known}", f"{world.weight}/{theta.denominator}"))
        for database in found.candidate.databases:
            law = found.model.mechanism.law(database)
            told = ", ".join(
                o.text if len(law.outcomes) == 1 else f"{o}: {w}/{law.denominator}" for o, w in law.items()
            )
            rows.append((f"M({found.model.shown(database)})", told))
    rows += [
        ("scope", str(result.scope)),
        ("models in scope", f"{result.hit.size.models:,} ({result.hit.size.orbits:,} up to renaming)"),
        ("models looked at", f"{result.hit.checked:,} ({result.hit.orbits:,} up to renaming)"),
        ("seconds", seconds),
    ]
    if result.hit.undecided:
        rows.append(("not decided", f"{result.hit.undecided:,}"))
    return Sheet("Search", ("item", "answer"), tuple(rows))
