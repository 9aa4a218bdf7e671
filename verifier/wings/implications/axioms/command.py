"""`pkdp axioms`: what each definition keeps under channels, mixtures and pairs, beside DP22's Table 3."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.common import AsJson, Format, check_format, print_answer


def axioms(
    definitions: Annotated[list[str] | None, typer.Argument(help="some definitions; default: all")] = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
) -> None:
    """Derive from its parts whether a definition keeps post-processing, convexity and composition, beside Table 3.

    Exit status 0 when all verdicts were derived, 3 where one of the asked definitions has none.
    """
    from verifier.wings.implications.axioms.axioms import OPEN, verdicts
    from verifier.wings.implications.axioms.parts import keys, named
    from verifier.wings.implications.axioms.sheets import axiom_sheets, axioms_json

    check_format(kind)
    asked = list(dict.fromkeys(named(name) for name in definitions or ()))
    print_answer(lambda: axioms_json(asked, keys()), lambda: axiom_sheets(asked, keys()), kind, as_json=as_json)
    if any(verdict.verdict == OPEN for key in asked for verdict in verdicts(key)):
        raise typer.Exit(3)
