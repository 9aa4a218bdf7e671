"""Independent pieces of work on all cores, with the answers in the order of the questions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
FEW = 8
"""So few pieces are done in this process."""


def on_all_cores(
    work: Callable[[Asked], Answer], questions: Sequence[Asked], size: Callable[[Asked], int] = lambda _: 0
) -> Iterator[Answer]:
    """`work` of each question, in order; the largest are begun first, so that no core waits for a late one.

    >>> list(on_all_cores(abs, [-2, 3]))
    [2, 3]
    """
    cores = os.cpu_count() or 1
    if cores == 1 or len(questions) <= FEW:
        yield from map(work, questions)
        return
    first = sorted(range(len(questions)), key=lambda number: -size(questions[number]))
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as executor:
        running = {number: executor.submit(work, questions[number]) for number in first}
        for number in range(len(questions)):
            yield running[number].result()
