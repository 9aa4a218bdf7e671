"""`python -m verifier.checker ANSWERS… [--model FILE] [--set NAME=VALUE]`: one line an answer.

Exit status: 0 all confirmed, 1 some rejected, 2 a wrong question or file, 3 some not checked.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .files import answers_of, words_on
from .numbers import Wrong, long_numbers, rational
from .reading import Models

MOST_SHOWN = 1000
STATUS = {"confirmed": 0, "rejected": 1, "not checked": 3}


def main(arguments: list[str] | None = None) -> int:
    """Check the answers, and say one word on each."""
    parser = argparse.ArgumentParser(
        prog="python -m verifier.checker", description="Decide the answers of pkdp check MODEL --json again."
    )
    parser.add_argument(
        "answers", nargs="+", type=Path, help="files with the output of pkdp check MODEL --json, or proofs"
    )
    parser.add_argument(
        "--model", action="append", default=[], type=Path, help="the model file, in place of the one that is named"
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="the value of a parameter")
    given = parser.parse_args(arguments)
    words: set[str] = set()
    try:
        with long_numbers():
            parameters = {name: rational(value) for name, _, value in (text.partition("=") for text in given.set)}
            models = Models(given.model, parameters)
            for path in given.answers:
                for word in words_on(answers_of(path), models, path.parent):
                    words.add(word.word)
                    print(f"{word.word}{': ' if word.word != 'confirmed' else ' '}{word.text[:MOST_SHOWN]}")
    except (Wrong, OSError) as error:
        print(str(error)[:MOST_SHOWN], file=sys.stderr)
        return 2
    return 1 if "rejected" in words else max((STATUS[word] for word in words), default=0)


if __name__ == "__main__":
    sys.exit(main())
