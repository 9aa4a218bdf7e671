"""The search against brute force without symmetry; interruptions, processes and a cluster change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from small_models import every_model, verdict

from verifier.definitions.law_names import NamedRow
from verifier.errors import InputError, PkdpError
from verifier.questions.language import statement
from verifier.wings.search import workers
from verifier.wings.search.batch import measure as batch_measure
from verifier.wings.search.batch.block import BlockCase, ColumnPair
from verifier.wings.search.enumerate_scope import Hit, Progress
from verifier.wings.search.enumerate_scope import find as look
from verifier.wings.search.enumeration import enumerate_models
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope

SMALL = Scope(2, 2, 2, 1, weights=3, mechanism_weights=2)
KNOWING = Scope(1, 2, 2, 2, weights=4, mechanism_weights=2)
FIRST = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1, first_only=True)
PAIRS = [
    ("np(0)", "cdp(0)"),
    ("cdp(0)", "np(0)"),
    ("cdp(0)", "dp(inf)"),
    ("ppkdp(0, 1/2)", "apkdp(0, 1/2)"),
    ("apkdp(ln(2), 1/10)", "tail-apkdp(ln(2), 1/10)"),
    ("ibcdp(0)", "cdp(ln(2))"),
    ("dp(ln(2))", "np(ln(2))"),
    ("tail-ppkdp(0, 1/2)", "tail-apkdp(0, 1/2)"),
    ("ppkdp(ln(2), 1/4)", "ibcdp(ln(2), 1/4)"),
]


def find(satisfied: str, violated: str, scope: Scope, *, exhaust: bool = False, **how: Any) -> Hit:
    """The smallest model in which `satisfied` holds, where it is given, and `violated` does not."""
    given = (statement(satisfied),) if satisfied else ()
    return look(SearchQuestion(given, statement(violated), scope, exhaust=exhaust), **how)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("scope", [SMALL, KNOWING, FIRST])
@pytest.mark.parametrize(("satisfied", "violated"), PAIRS)
def test_the_first_hit_is_the_smallest_of_all_models(scope: Scope, satisfied: str, violated: str) -> None:
    every = sorted(every_model(scope), key=lambda one: one.size)
    wanted = [one for one in every if verdict(one, satisfied) == "holds" and verdict(one, violated) == "fails"]
    hit = find(satisfied, violated, scope)
    assert hit.candidate == (wanted[0] if wanted else None)
    assert hit.complete == (not wanted)
    listed = list(enumerate_models(scope))
    last = len(listed) if hit.complete else [one for one, _ in listed].index(wanted[0]) + 1
    assert (hit.orbits, hit.checked) == (last, sum(size for _, size in listed[:last]))
    whole = find(satisfied, violated, scope, exhaust=True)
    assert (whole.candidate, whole.checked, whole.complete) == (hit.candidate, len(every), True)
    assert whole.found == len({one for one, _ in listed} & set(wanted))


def test_true_claims_survive_and_false_ones_fall() -> None:
    scope = Scope(2, 2, 2, 2, weights=4, mechanism_weights=2)
    for claim in ("independent => np(e) iff cdp(e)", "apkdp(e, 1/3) => ppkdp(e, 1/3)", "dp(e) => cdp(e)"):
        assert find("", claim, scope).candidate is None
    for claim in ("np(e) iff cdp(e)", "ppkdp(e, 1/3) => apkdp(e, 1/3)", "independent => np"):
        assert find("", claim, scope).candidate is not None


def test_what_blocks_cannot_decide_is_asked_of_the_checkers() -> None:
    scope = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)
    hit = find("not acceptable and np(0)", "cdp(0)", scope)
    assert hit.candidate is None
    assert hit.undecided == 0
    hit = find("acceptable", "twice(np(1/2))", scope)
    assert hit.candidate is not None


def test_a_wrong_batch_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: CDP looks at the factual law alone."""
    right = batch_measure._outputs

    def factual_twice(case: BlockCase, row: NamedRow) -> Iterator[ColumnPair]:
        return right(case, row._replace(q=row.p))

    monkeypatch.setattr(batch_measure, "_outputs", factual_twice)
    with pytest.raises(PkdpError, match="checkers deny"):
        find("cdp(0)", "ibcdp(0)", SMALL)


LONG = Scope(2, 3, 2, 1, weights=3, mechanism_weights=1)
ASKED = "np(ln(3/2))", "cdp(ln(3))", LONG


class StopError(Exception):
    """The interruption."""


def test_an_interrupted_search_goes_on(tmp_path: Path) -> None:
    path, whole = tmp_path / "search.json", find(*ASKED, exhaust=True)
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) % 7 == 0:
            raise StopError

    ends = 0
    while True:
        try:
            hit = find(*ASKED, exhaust=True, checkpoint=path, progress=interrupt)
            break
        except StopError:
            ends += 1
    assert ends > 2
    assert hit == whole
    assert [one.models for one in seen] == sorted({one.models for one in seen})  # nothing is asked twice
    assert seen[-1].percent == 100
    asked = len(seen)
    assert find(*ASKED, exhaust=True, checkpoint=path, progress=interrupt) == whole
    assert len(seen) == asked


def test_a_checkpoint_of_another_question_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    find("np(0)", "cdp(0)", SMALL, checkpoint=path)
    with pytest.raises(InputError, match=r"another question: violated differ"):
        find("np(0)", "dp(0)", SMALL, checkpoint=path)
    with pytest.raises(InputError, match=r"another question: scope, exhaust differ"):
        find("np(0)", "cdp(0)", FIRST, checkpoint=path, exhaust=True)


def test_two_processes_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = find(*ASKED), find(*ASKED, exhaust=True)
    monkeypatch.setattr(workers, "ALONE", 0)
    assert (find(*ASKED, jobs=2), find(*ASKED, jobs=2, exhaust=True)) == alone


@contextmanager
def cluster() -> Iterator[str]:
    """A Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made.scheduler_address.replace("tcp://", "dask://")


@pytest.mark.filterwarnings("default")
def test_a_cluster_finds_the_same(tmp_path: Path) -> None:
    alone = find(*ASKED), find(*ASKED, exhaust=True)
    with cluster() as address:
        assert find(*ASKED, workers=address) == alone[0]
        assert find(*ASKED, workers=address, exhaust=True, checkpoint=tmp_path / "c.json") == alone[1]
    assert find(*ASKED, exhaust=True, checkpoint=tmp_path / "c.json") == alone[1]


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 1)
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        find(*ASKED, workers="dask://127.0.0.1:1")


def test_wrong_numbers_of_processes_are_refused() -> None:
    for jobs in (0, -1, True, "2"):
        with pytest.raises(InputError, match="jobs"):
            find(*ASKED, jobs=jobs)
