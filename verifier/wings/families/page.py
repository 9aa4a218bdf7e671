"""A page about one family: for which values each definition holds, the closed forms, and the curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from verifier.engine import MAX_ROWS
from verifier.machine.files import write_whole
from verifier.model.parameters import Family
from verifier.show.markup import anchor
from verifier.show.pages import environment
from verifier.show.sheet import Sheet
from verifier.version import VERSION
from verifier.wings.families.domain import refuse_many
from verifier.wings.families.losses import family_losses
from verifier.wings.families.passport import family_passport
from verifier.wings.families.plots import family_plots
from verifier.wings.families.sheets import family_loss_sheets, family_sheets

ASKED = {"epsilon": "ln(2)", "delta": "1/10"}
"""The ε and δ at which a page asks each definition."""


def write_families(families: Sequence[Family], output: Path, max_rows: int = MAX_ROWS) -> list[Path]:
    """Write a page for each family and return the paths; where two have the same name, the later ones are numbered.

    Raises:
        InputError: for a family that does not have exactly one parameter.

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


def write_family(family: Family, name: str, output: Path, max_rows: int = MAX_ROWS) -> Path:
    """Write `<name>.html`, self-contained, and its drawings in `plots`; return the path of the page."""
    answers = [answer for answer in family_passport(family, max_rows=max_rows, **ASKED) if not answer.reason]
    sheets: list[Sheet] = family_sheets(answers)
    losses = family_loss_sheets(family_losses(family, max_rows=max_rows))
    drawings = family_plots(answers)
    for kind, svg in drawings.items():
        write_whole(output / "plots" / f"{name}-{kind}.svg", svg + "\n")
    path = output / f"{name}.html"
    write_whole(path, _page(family, sheets, losses, drawings))
    return path


def _page(family: Family, sheets: list[Sheet], losses: list[Sheet], drawings: dict[str, str]) -> str:
    from markupsafe import Markup

    return (
        environment()
        .get_template("family.html")
        .render(
            family=family,
            version=VERSION,
            sheets=sheets,
            losses=losses,
            drawings=[Markup(svg) for svg in drawings.values()],
        )
    )
