"""`pkdp anonymity`: k-anonymity of the outputs, and whether the recoding is strongly safe."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.common import File, Format, about, as_text, check_format, print_sheets


def anonymity(
    file: File,
    k: Annotated[int | None, typer.Option("--k", help="default: the mechanism's own, else 2")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list on standard output")] = False,  # noqa: FBT002
    kind: Format = "table",
) -> int:
    """Decide whether all outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7).

    `pkdp check --definition safe` decides ε-safety. Exit status: 1 where one of the two fails, 3 where both are
    unsupported.
    """
    from verifier.model import read
    from verifier.questions.properties.anonymity import k_anonymity, strongly_safe
    from verifier.show.sheet import Sheet

    check_format(kind)
    model = read(file)
    with about(file):
        answers = [k_anonymity(model, k), strongly_safe(model)]
    if as_json:
        typer.echo(as_text([one.to_json() for one in answers]))
    else:
        rows = tuple(
            (
                one.name if one.k is None else f"{one.name}, k = {one.k}",
                one.source,
                one.verdict,
                "–" if one.largest is None else str(one.largest),
                one.reason or (str(one.witness) if one.witness else ""),
            )
            for one in answers
        )
        columns = ("property", "source", "verdict", "largest k", "why")
        print_sheets([Sheet(model.title, columns, rows)], kind)
    found = {one.verdict for one in answers}
    return 1 if "fails" in found else 3 if found == {"unsupported"} else 0
