"""A page about one family: for which values each definition holds, the closed forms, and the curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from verifier.machine.files import write_whole
from verifier.model.parameters import Family
from verifier.show.pages import page_html
from verifier.show.sections import Document, Paragraph, Picture, Pictures, Section
from verifier.show.sheet import anchor
from verifier.wings.families.decide import family_passport
from verifier.wings.families.domain import refuse_many
from verifier.wings.families.losses import family_losses
from verifier.wings.families.plots import family_plots
from verifier.wings.families.sheets import family_loss_sheets, family_sheets

ASKED = {"epsilon": "ln(2)", "delta": "1/10"}
"""The ε and δ at which a page asks each definition."""


def write_families(families: Sequence[Family], output: Path, max_rows: int) -> list[Path]:
    """Write a page for each family and return the paths; where two have the same name, the later ones are numbered.

    Raises:
        InputError: for a family in which more than one parameter is free.

    """
    for family in families:
        refuse_many(family)
    written: dict[str, Path] = {}
    for family in families:
        wanted = anchor(Path(family.location.file).stem or family.title)
        names = (f"{wanted}-{number}" if number > 1 else wanted for number in count(1))
        name = next(candidate for candidate in names if candidate not in written)
        written[name] = write_family(family, name, output, max_rows)
    return list(written.values())


def write_family(family: Family, name: str, output: Path, max_rows: int) -> Path:
    """Write `<name>.html`, self-contained, and its drawings in `plots`; return the path of the page."""
    answers = [answer for answer in family_passport(family, max_rows=max_rows, **ASKED) if not answer.reason]
    losses = family_loss_sheets(family_losses(family, max_rows=max_rows))
    values = f"{', '.join(map(str, family.conditions))}. Every number is exact, digits end with …"
    drawings = family_plots(answers)
    for kind, drawing in drawings.items():
        write_whole(output / "plots" / f"{name}-{kind}.svg", drawing.alone)
    pictures = Pictures(tuple(map(Picture, drawings.values())))
    document = Document(
        path=f"{name}.html",
        title=family.title,
        below=(Paragraph(values, "source"),),
        sections=(
            Section(
                "For which values what holds",
                (*family_sheets(answers), pictures),
            ),
            Section("Privacy losses", tuple(losses)),
        ),
        foot="Why the answers are exact: `proofs/symbolic.md`.",
    )
    path = output / document.path
    write_whole(path, page_html(document, (), copy=False))
    return path
