"""`python -m verifier.checker CERTIFICATE …`: check certificate files, with nothing but this folder.

The exit status is 0 where all are accepted, 1 where one is rejected, 2 where a file cannot be read. A model file is
looked for below the current folder, then below the certificate's own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from verifier.checker import Rejected
from verifier.checker.files import Unreadable, replay_file


def main(paths: list[str]) -> int:
    """Check each file, and print a line for each."""
    if not paths:
        sys.stderr.write("no certificate is named; usage: python -m verifier.checker CERTIFICATE …\n")
        return 2
    status = 0
    for path in paths:
        try:
            checked = replay_file(Path(path), [Path()])
        except Rejected as error:
            status = max(status, 2 if isinstance(error, Unreadable) else 1)
            sys.stdout.write(f"rejected {path}: {str(error)[:400]}\n")
            continue
        not_compared = f"; tables not compared with the model file: {checked.uncompared}" if checked.uncompared else ""
        left_out = f"; {checked.counted}" if checked.counted else ""
        sys.stdout.write(f"accepted {path}: {checked.title}{not_compared}{left_out}\n")
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # who reads the lines has seen enough
        sys.stderr.close()
        sys.exit(1)
