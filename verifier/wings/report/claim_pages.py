"""A page per claim of the ledger, with the counterexample as small tables, and an index of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from verifier.engine import Engine
from verifier.machine.files import write_whole
from verifier.model import Model
from verifier.model.library import LISTED
from verifier.questions.expect import answered
from verifier.questions.normalization import acceptable
from verifier.questions.properties import PROPERTIES
from verifier.show.acceptance import acceptance_sheets
from verifier.show.facts import model_facts
from verifier.show.layout import environment, smaller
from verifier.show.shapes import file_text, step_sheets, world_sheets
from verifier.show.sheet import Sheet
from verifier.show.witnesses import Refuted, refutations
from verifier.version import VERSION
from verifier.wings.papers.ledger.decide import engine_of
from verifier.wings.papers.ledger.entry import VERDICTS, Entry, Evidence, OfModel
from verifier.wings.papers.ledger.sheets import tally_text
from verifier.wings.papers.ledger.table import STALE, Row
from verifier.wings.report.findings import CLASSES
from verifier.wings.report.site import bar

Places: TypeAlias = dict[object, str]
"""A piece of evidence to the place where it stands in full, as seen from the page of a claim."""


@dataclass(frozen=True)
class Drawn:
    """One piece of evidence, laid out: for a model its tables, the answers, and who sees what where it fails."""

    shows: str
    title: str
    said: tuple[str, ...]
    name: str = ""
    given: str = ""
    """The mechanism and what is known, in a line."""
    notes: str = ""
    sheets: tuple[Sheet, ...] = ()
    more: tuple[Sheet, ...] = ()
    """Tables that stand only where the model is shown in full."""
    refuted: tuple[Refuted, ...] = ()
    file: str = ""
    id: str = ""
    at: str = ""
    """Where the piece stands in full, if not here: a page, or a place above."""

    @property
    def short(self) -> bool:
        """Whether a line is enough: all else stands elsewhere, or there is no more to say."""
        return not (self.id or self.sheets or self.refuted)


def write_claims(found: Sequence[Row], output: Path, paged: Mapping[str, str] | None = None) -> list[Path]:
    """Write `claims/index.html` and `claims/<paper>/<claim>.html` below a folder.

    `paged` has the names of the pages of models that have one, by the models' names in the ledger. What several
    claims rest on stands in full on the first page that needs it; the others lead there.
    """
    folder = output / "claims"
    places = first_places(paged)
    written = {folder / "index.html": index_html(found)}
    for entry, rows in groupby(found, lambda row: row.entry):
        written[folder / entry.paper / f"{entry.slug}.html"] = claim_html(entry, tuple(rows), places)
    for path, text in written.items():
        write_whole(path, smaller(text))
    return list(written)


def first_places(paged: Mapping[str, str] | None = None) -> Places:
    """The pages that models have of their own, as the places where they stand in full."""
    return {model: f"../../models/{name}.html" for model, name in (paged or {}).items()}


def index_html(found: Sequence[Row]) -> str:
    """All claims with the verdicts on their readings, each a link to its page."""
    papers = {
        paper: [(entry, tuple(rows)) for entry, rows in groupby(of_paper, lambda row: row.entry)]
        for paper, of_paper in groupby(found, lambda row: row.entry.paper)
    }
    return _render("claims.html", "../", papers=papers, tally=tally_text(found), meanings={**VERDICTS, STALE: _STALE})


_STALE = "its words or its evidence changed since it was decided"


def claim_html(entry: Entry, rows: Sequence[Row], places: Places | None = None) -> str:
    """One claim with all its readings and what they rest on; each piece stands in full once, on its first page.

    `places` knows the pieces that other pages show, and learns those of this one.
    """
    here, known, seen = f"../{entry.paper}/{entry.slug}.html", {} if places is None else places, set[object]()
    shown = []
    for row in rows:
        pieces = []
        for one in row.reading.evidence:
            drawn = drawing(one, row)
            key = one.model if isinstance(one, OfModel) else (drawn.title, drawn.said)
            if key in known:
                pieces.append(_elsewhere(drawn, known[key].removeprefix(here), seen))
            elif drawn.name or drawn.said:
                drawn = replace(drawn, id=f"e{len(seen) + 1}")
                known[key] = f"{here}#{drawn.id}"
                pieces.append(drawn)
            else:
                pieces.append(drawn)
            seen |= {drawn.title, *drawn.sheets, *drawn.refuted}
        shown.append((row, [(shows, list(same)) for shows, same in groupby(pieces, lambda one: one.shows)]))
    return _render("claim.html", "../../", entry=entry, shown=shown)


def _elsewhere(drawn: Drawn, at: str, seen: set[object]) -> Drawn:
    """A piece that stands in full elsewhere: where a model shows a failure, its worlds are said again, once a page."""
    fails = drawn.shows == "failure"
    return replace(
        drawn,
        at=at,
        title=drawn.title if drawn.name else drawn.title.removeprefix("proofs/"),
        said=drawn.said if drawn.name else (),
        notes="",
        sheets=tuple(sheet for sheet in drawn.sheets if sheet not in seen) if fails else (),
        more=(),
        refuted=tuple(replace(one, words=one.sentence) for one in drawn.refuted if one not in seen) if fails else (),
        file="",
    )


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
        tuple(map(in_words, said)),
        name=model.title,
        given=_given(model),
        notes=model.notes.strip(),
        sheets=(*world_sheets(model), *step_sheets(model)) if small else (),
        more=tuple(_parameters(evidence, model)) if small else (),
        refuted=tuple(_refuted(evidence, model, engine)) if small else (),
        file=file_text(model),
    )


def _given(model: Model) -> str:
    facts = dict(model_facts(model))
    return f"M: {facts['mechanism']}; the attacker knows: {facts['the attacker knows']}."


def in_words(said: str) -> str:
    """An answer of the evidence without the keys of the model file.

    >>> in_words("np: verdict fails, tight_epsilon inf"), in_words("acceptable: acceptable true")
    ('np: fails, smallest ε inf', 'acceptable: yes')
    """
    for key, words in _WORDS:
        said = said.replace(key, words)
    return said


_WORDS = (
    ("acceptable true", "yes"),
    ("acceptable false", "no"),
    ("verdict ", ""),
    ("tight_epsilon ", "smallest ε "),
    ("tight_delta ", "smallest δ "),
    (" epsilon=", " at ε = "),
    (" delta=", ", δ = "),
)


def certificate_folders(names: Sequence[str]) -> list[str]:
    """Folders that `pkdp replay` takes, one for all certificates of a model; a search is named itself.

    >>> certificate_folders(["proofs/certificates/A/b/cdp.json", "proofs/certificates/A/b/np.json"])
    ['proofs/certificates/A/b']
    """
    return list(dict.fromkeys(name if "/search/" in name else name.rpartition("/")[0] for name in names))


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
    helps = {"folders": certificate_folders, "classes": CLASSES, "version": VERSION}
    return environment().get_template(template).render(**helps, **named, **given)
