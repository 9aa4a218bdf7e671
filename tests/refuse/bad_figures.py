"""Bad questions about figures: papers, figures and formats that there are none of, a folder that is a file."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, Bad

PAPER = r"--paper: given \S+; wanted one of DMKB20, LQS12\."
NUMBERS = r"wanted one of 2, 2-text, 3, 4, 5, 6\."


def _ask(*options: str) -> tuple[str, ...]:
    return ("figures", *options)


ENTRIES = (
    Bad("figures of an unknown paper", None, PAPER, _ask("--paper", "DKM19")),
    Bad("figures of a paper in small letters", None, PAPER, _ask("--paper", "dmkb20")),
    Bad("figures of a very long paper", None, r'--paper: given "x{10,}… \(5,002 characters\); wanted one of DMKB20, LQS12\.', _ask("--paper", "x" * 5000)),
    Bad("a figure that is not drawn", None, rf'--figure: given "1"; {NUMBERS}', _ask("--figure", "1")),
    Bad("a figure of the other paper", None, r'--figure: given "2-text"; wanted one of 2, 3, 4, 5, 6\.', _ask("--paper", "LQS12", "--figure", "2-text")),
    Bad("a figure with its word", None, rf'--figure: given "?Figure 3"?; {NUMBERS}', _ask("--figure", "Figure 3")),
    Bad("figures as a terminal's table", None, r"--format: given table; wanted one of csv, markdown, latex\.", _ask("--format", "table")),
    Bad("figures in a file", GOOD, r"--output: given the file \S+; wanted a folder\.", _ask("--paper", "DMKB20", "--figure", "4", "--output", "{file}")),
    Bad("figures below a file", GOOD, r"--output: given the file \S+; wanted a folder\.", _ask("--figure", "4", "--output", "{file}/figures")),
    Bad("figures with an unknown option", None, r"No such option: --points\. Tip: pkdp figures --help\.", _ask("--points", "9")),
    Bad("figures with a model", GOOD, r"Got unexpected extra argument\(s\) \(FILE\)\. Tip: pkdp figures --help\.", _ask("{file}")),
)  # fmt: skip
