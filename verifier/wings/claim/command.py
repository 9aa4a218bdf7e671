"""`pkdp check --claims FILE`: a line for each claim of the files, and one exit status for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from verifier.cli.common import Several, as_text, echo
from verifier.cli.waiting import counting, is_silent
from verifier.wings.claim.files import AGREES, DIFFERS, outcomes, read_claims


def check_claims(files: Sequence[str], *, as_json: bool) -> int:
    """Ask every claim of some files, and print a line for each; without news alone what is not as expected.

    The exit status is 0 where all are as expected, 1 where one is not, 3 where one is undecided and none is wrong.

    Raises:
        InputError: for a wrong file, before any claim is asked.

    """
    several = Several(alone=len(files) == 1, as_json=as_json)
    claims = []
    for file in files:
        with several.file(file):
            claims += read_claims(file)
    if several.statuses:
        return several.status
    marks = []
    with counting("claims", len(claims)) as tick:
        for outcome in outcomes(claims, tick):
            marks.append(outcome.mark)
            if as_json:
                typer.echo(as_text(outcome.to_json()))
            elif outcome.mark != AGREES or not is_silent():
                echo(str(outcome))
    return 1 if DIFFERS in marks else 0 if set(marks) == {AGREES} else 3
