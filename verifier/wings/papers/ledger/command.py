"""`pkdp ledger`: the claims of the papers, their readings and verdicts."""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import Format, as_text, check_format, echo, print_sheets
from verifier.cli.waiting import counting
from verifier.errors import InputError

if TYPE_CHECKING:
    from verifier.wings.papers.ledger.table import Row

RECORDED = "recorded, with unchanged evidence; not re-checked here: pkdp ledger --replay"


def ledger(
    claims: Annotated[
        list[str] | None, typer.Argument(help='claims in full, such as "Theorem 3"; default: all')
    ] = None,
    paper: Annotated[str | None, typer.Option(help="DMKB20, DKM19, D20 or LQS12")] = None,
    verdict: Annotated[str | None, typer.Option(help="only readings with this verdict")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="re-check the certificates (two minutes)")] = False,  # noqa: FBT002
    again: Annotated[bool, typer.Option("--again", help="decide everything again (minutes)")] = False,  # noqa: FBT002
    latex: Annotated[bool, typer.Option("--latex", help="short for --format latex")] = False,  # noqa: FBT002
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list on standard output")] = False,  # noqa: FBT002
    kind: Format = "table",
) -> int:
    """List every numbered claim of the papers, with a verdict for each reading and what it rests on.

    What was decided is printed at once; a verdict is shown only while its words and its evidence are those that were
    decided, by their hashes. With --replay its certificates are re-checked by the independent replay, with the time
    that this takes. Exit status 1 where something is stale.
    """
    from verifier.wings.papers.ledger.entry import VERDICTS
    from verifier.wings.papers.ledger.sheets import claim_lines, ledger_sheets, tally_text
    from verifier.wings.papers.ledger.table import STALE, rows

    kind = check_format("latex" if latex else kind)
    if verdict not in {None, STALE, *VERDICTS}:
        raise InputError(f"given {verdict}", where="--verdict", wanted=f"one of {', '.join(VERDICTS)}")
    unknown = [claim for claim in claims or () if not rows(paper, [claim])]
    if unknown:
        raise InputError(
            f"given {', '.join(unknown)}", wanted="the name of a claim, or of its file", tip="pkdp ledger lists them"
        )
    if replay and again:
        raise InputError("given --replay and --again", where="pkdp ledger", wanted="one of the two")
    found = rows(paper, claims or (), verdict)
    times = _times(found, again=again) if replay or again else None
    status = int(any(not row.fresh for row in found))
    if as_json:
        listed: list[int | None] = [None] * len(found) if times is None else [*times]
        typer.echo(as_text([{**row.to_json(), "milliseconds": ms} for row, ms in zip(found, listed, strict=True)]))
        return status
    said = RECORDED if times is None else f"{sum(times):,} ms to {'decide' if again else 're-check'}"
    if claims and kind == "table":
        echo("\n\n".join([*claim_lines(found), f"({said})"]))
        return status
    shown = None if times is None else {number: f"{ms:,} ms" for number, ms in enumerate(times)}
    print_sheets(ledger_sheets(found, shown), kind)
    if kind == "table":
        echo(f"{tally_text(found)}; {said}")
    return status


def _times(found: tuple[Row, ...], *, again: bool) -> list[int]:
    """Milliseconds that the re-check of each row takes; what does not pass it stops the command."""
    from verifier.wings.papers.ledger.build import decided
    from verifier.wings.papers.ledger.recheck import recheck

    times = []
    with counting("readings", len(found)) as tick:
        for number, row in enumerate(found):
            started = monotonic_ns()
            if again:
                decided(row.entry, row.reading)
            else:
                recheck(row)
            times.append((monotonic_ns() - started) // 10**6)
            tick(number + 1, len(found))
    return times
