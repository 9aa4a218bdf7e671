"""`python -m verifier.checker CERTIFICATE …`: check certificate files, with nothing but this folder.

The exit status is 0 where all are accepted, 1 where one is rejected, 2 where a file is no certificate or its model file
is not there, 3 where one is beyond the limits. A model file is looked for below the current folder, then below the
certificate's own, then below those that this is in.
"""

from __future__ import annotations

import sys
from pathlib import Path

from verifier.checker import Beyond, Rejected, on_one_line
from verifier.checker.files import Unreadable, replay_file


def main(paths: list[str]) -> int:
    """Check each file, and print one line for each, whatever it holds and whatever its name is."""
    if not paths:
        sys.stderr.write("no certificate is named; usage: python -m verifier.checker CERTIFICATE …\n")
        return 2
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without ε gets \\u03b5, not a traceback
    status = 0
    for path in paths:
        outcome, found = _outcome(path)
        status = max(status, outcome, key=SEVERITY.index)
        sys.stdout.write(on_one_line(f"{WORDS[outcome]} {path}: {found}") + "\n")
    return status


SEVERITY = (0, 1, 3, 2)
"""The exit statuses, the worst one last."""
WORDS = ("accepted", "rejected", "unreadable", "beyond limits")
"""The first word of a line, by the exit status."""


def _outcome(path: str) -> tuple[int, str]:
    """The exit status of one file, and what is found."""
    try:
        checked = replay_file(Path(path), [Path()])
    except Rejected as error:
        status = 2 if isinstance(error, Unreadable) else 3 if isinstance(error, Beyond) else 1
        return status, str(error)[:400]
    not_compared = f"; tables not compared with the model file: {checked.uncompared}" if checked.uncompared else ""
    left_out = f"; {checked.counted}" if checked.counted else ""
    return 0, f"{checked.title}{not_compared}{left_out}"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # who reads the lines has seen enough
        sys.stderr.close()
        sys.exit(1)
