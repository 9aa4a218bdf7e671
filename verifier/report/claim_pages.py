"""A page per claim of the ledger, with the counterexample as small tables, and an index of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from verifier.engine import Engine
from verifier.expect import answered
from verifier.ledger.decide import engine_of
from verifier.ledger.entry import VERDICTS, Entry, Evidence, OfModel
from verifier.ledger.table import STALE, Row
from verifier.library import LISTED
from verifier.model import Model
from verifier.normalization import acceptable
from verifier.properties import PROPERTIES
from verifier.report.acceptance import acceptance_sheets
from verifier.report.findings import CLASSES, MARKS
from verifier.report.layout import environment
from verifier.report.ledger_sheets import tally_text
from verifier.report.shapes import file_text, step_sheets, world_sheets
from verifier.report.sheet import Sheet
from verifier.report.site import bar
from verifier.report.witnesses import Refuted, refutations
from verifier.version import VERSION


@dataclass(frozen=True)
class Drawn:
    """One piece of evidence, laid out: for a model its tables, the answers, and who sees what where it fails."""

    shows: str
    title: str
    said: tuple[str, ...]
    name: str = ""
    notes: str = ""
    sheets: tuple[Sheet, ...] = ()
    refuted: tuple[Refuted, ...] = ()
    file: str = ""
    page: str = ""
    """The model's own page of the report, where it has one; then its file stands there."""


def write_claims(found: Sequence[Row], output: Path, paged: Mapping[str, str] | None = None) -> list[Path]:
    """Write `claims/index.html` and `claims/<paper>/<claim>.html` below a folder.

    `paged` has the names of the pages of models that have one, by the models' names in the ledger.
    """
    folder = output / "claims"
    written = {folder / "index.html": index_html(found)}
    for entry, rows in groupby(found, lambda row: row.entry):
        written[folder / entry.paper / f"{entry.slug}.html"] = claim_html(entry, tuple(rows), paged)
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(written)


def index_html(found: Sequence[Row]) -> str:
    """All claims with the verdicts on their readings, each a link to its page."""
    papers = {
        paper: [(entry, tuple(rows)) for entry, rows in groupby(of_paper, lambda row: row.entry)]
        for paper, of_paper in groupby(found, lambda row: row.entry.paper)
    }
    return _render("claims.html", "../", papers=papers, tally=tally_text(found), meanings={**VERDICTS, STALE: _STALE})


_STALE = "its words or its evidence changed since it was decided"


def claim_html(entry: Entry, rows: Sequence[Row], paged: Mapping[str, str] | None = None) -> str:
    """One claim with all its readings and what they rest on; a model's tables and its file stand on a page once."""
    shown, seen = [], dict[str, set[Sheet]]()
    for row in rows:
        pieces = []
        for one in row.reading.evidence:
            drawn = drawing(one, row)
            if isinstance(one, OfModel):
                drawn = _once(replace(drawn, page=(paged or {}).get(one.model, "")), seen, one.model)
            pieces.append(drawn)
        shown.append((row, pieces))
    return _render("claim.html", "../../", entry=entry, shown=shown)


def _once(drawn: Drawn, seen: dict[str, set[Sheet]], model: str) -> Drawn:
    """The piece without what stands further up of the same model, and without the file of a model with a page."""
    known = set(seen[model]) if model in seen else None
    seen.setdefault(model, set()).update(drawn.sheets)
    if known is None:
        return replace(drawn, file="" if drawn.page else drawn.file)
    left = tuple(sheet for sheet in drawn.sheets if sheet not in known)
    return replace(drawn, file="", notes="The tables of this model stand further up.", sheets=left)


def drawing(evidence: Evidence, row: Row) -> Drawn:
    """A piece of evidence with what was said when it was decided."""
    number = row.reading.evidence.index(evidence)
    said = row.bound.said[number] if row.bound and number < len(row.bound.said) else ()
    if not isinstance(evidence, OfModel):
        return Drawn(evidence.shows, evidence.title, said)
    model, engine = engine_of(evidence.model)
    small = model.size <= LISTED
    return Drawn(
        evidence.shows,
        evidence.title,
        said,
        name=model.title,
        notes=model.notes.strip(),
        sheets=(*world_sheets(model), *step_sheets(model), *_parameters(evidence, model)) if small else (),
        refuted=tuple(_refuted(evidence, model, engine)) if small else (),
        file=file_text(model),
    )


def _parameters(evidence: OfModel, model: Model) -> list[Sheet]:
    """The normalizations, where acceptability was asked."""
    asked = any(promised.definition == "acceptable" for promised in evidence.asks)
    return acceptance_sheets(acceptable(model)) if asked else []


def _refuted(evidence: OfModel, model: Model, engine: Engine) -> list[Refuted]:
    """What fails, in words, for the definitions that were asked."""
    answers = [
        answered(model, promised, engine)[0]
        for promised in evidence.asks
        if promised.definition not in {"acceptable", *PROPERTIES} and promised.answer.get("verdict") == "fails"
    ]
    return refutations(answers)


def _render(template: str, up: str, **given: object) -> str:
    named = {"up": up, "bar": bar(claims=True), "here": "claims/index.html"}
    return environment().get_template(template).render(version=VERSION, classes=CLASSES, marks=MARKS, **named, **given)
