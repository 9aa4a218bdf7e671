"""`pkdp report`: the counterexample report of the papers, or of one's own models and families."""

from __future__ import annotations

from verifier.cli.common import Several, echo, read_own
from verifier.cli.reading import read_files
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.machine.files import refuse_folder
from verifier.wings.families.page import write_families
from verifier.wings.report.options import Report
from verifier.wings.report.try_it import explorer_page
from verifier.wings.report.write import write_report


def report(typed: Report) -> int:
    """Answer what was typed."""
    read_own(typed.own)
    refuse_folder(typed.output, "--output")
    page = "" if typed.explorer is None else explorer_page(typed.explorer)
    several = Several(alone=len(typed.files or ()) == 1)
    families, models = read_files(typed.files or [], typed.sets or (), several)
    if typed.files and not families and not models:
        return several.status
    if families and page:
        raise InputError(
            "this is a family", where="--explorer", wanted="models without parameters", tip="fix them with --set"
        )
    with counting("pages of models") as tick:
        written = (
            write_families(families, typed.output, typed.max_rows)
            if families
            else write_report(models or None, typed.output, typed.max_rows, tick, page)
        )
    for path in written:
        echo(f"wrote {path}")
    return several.status
