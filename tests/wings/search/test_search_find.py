"""The search against brute force without symmetry; interruptions, processes and a cluster change nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from naive import Exp, answer, families
from small_models import every_model
from strategies_search import plain

from verifier.definitions.law_names import NamedRow
from verifier.errors import InputError, LimitError, PkdpError
from verifier.questions.language import statement
from verifier.questions.statement import Statement
from verifier.wings.search import shards, workers
from verifier.wings.search.batch import measure as batch_measure
from verifier.wings.search.batch.block import BlockCase, ColumnPair
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumerate_scope import Checkpoint, Hit, Progress
from verifier.wings.search.enumerate_scope import find as look
from verifier.wings.search.enumeration import enumerate_models
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope

SMALL = Scope(2, 2, 2, 1, weights=3, mechanism_weights=2)
KNOWING = Scope(1, 2, 2, 2, weights=4, mechanism_weights=2)
FIRST = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1, first_only=True)
PAIRS = [
    ("np", Fraction(1), Fraction(0), "cdp", Fraction(1), Fraction(0)),
    ("cdp", Fraction(1), Fraction(0), "np", Fraction(1), Fraction(0)),
    ("cdp", Fraction(1), Fraction(0), "dp", None, Fraction(0)),
    ("ppkdp", Fraction(1), Fraction(1, 2), "apkdp", Fraction(1), Fraction(1, 2)),
    ("apkdp", Fraction(2), Fraction(1, 10), "tail-apkdp", Fraction(2), Fraction(1, 10)),
    ("ibcdp", Fraction(1), Fraction(0), "cdp", Fraction(2), Fraction(0)),
    ("dp", Fraction(2), Fraction(0), "np", Fraction(2), Fraction(0)),
    ("tail-ppkdp", Fraction(1), Fraction(1, 2), "tail-apkdp", Fraction(1), Fraction(1, 2)),
    ("ppkdp", Fraction(2), Fraction(1, 4), "ibcdp", Fraction(2), Fraction(1, 4)),
]


def find(
    satisfied: Sequence[Statement],
    violated: Statement | None,
    scope: Scope,
    *,
    vacuous: bool = False,
    exhaust: bool = False,
    **how: Any,
) -> Hit:
    """The smallest model in which all of `satisfied` hold and `violated` does not."""
    return look(SearchQuestion(tuple(satisfied), violated, scope, vacuous, exhaust), **how)


def verdict(one: Candidate, name: str, e: Fraction | None, delta: Fraction) -> str:
    """From the definition alone."""
    at = Exp("inf") if e is None else Exp("log", Fraction(1), e)
    return answer(families(plain(one), name), at, delta, tail=name.startswith("tail")).verdict


def text(name: str, e: Fraction | None, delta: Fraction) -> str:
    return f"{name}(epsilon={'inf' if e is None else f'ln({e})'}, delta={delta})"


@pytest.mark.sweep(6)
@pytest.mark.parametrize("scope", [SMALL, KNOWING, FIRST])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_first_hit_is_the_smallest_of_all_models(
    scope: Scope, pair: tuple[str, Fraction | None, Fraction, str, Fraction | None, Fraction]
) -> None:
    every = sorted(every_model(scope), key=lambda one: one.size)
    wanted = [
        one for one in every if verdict(one, *pair[:3]) == "holds" and verdict(one, *pair[3:]) == "fails"
    ]  # fmt: skip
    satisfied, violated = statement(text(*pair[:3])), statement(text(*pair[3:]))
    hit = find([satisfied], violated, scope)
    assert hit.candidate == (wanted[0] if wanted else None)
    assert hit.complete == (not wanted)
    listed = list(enumerate_models(scope))
    last = len(listed) if hit.complete else [one for one, _ in listed].index(wanted[0]) + 1
    assert (hit.orbits, hit.checked) == (last, sum(size for _, size in listed[:last]))
    whole = find([satisfied], violated, scope, exhaust=True)
    assert (whole.candidate, whole.checked, whole.complete) == (hit.candidate, len(every), True)
    assert whole.found == len({one for one, _ in listed} & set(wanted))


def test_true_claims_survive_and_false_ones_fall() -> None:
    scope = Scope(2, 2, 2, 2, weights=4, mechanism_weights=2)
    for claim in ("independent => np(e) iff cdp(e)", "apkdp(e, 1/3) => ppkdp(e, 1/3)", "dp(e) => cdp(e)"):
        assert find([], statement(claim), scope).candidate is None
    for claim in ("np(e) iff cdp(e)", "ppkdp(e, 1/3) => apkdp(e, 1/3)", "independent => np"):
        assert find([], statement(claim), scope).candidate is not None


def test_what_blocks_cannot_decide_is_asked_of_the_checkers() -> None:
    scope = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)
    hit = find([statement("not acceptable"), statement("np(0)")], statement("cdp(0)"), scope)
    assert hit.candidate is None
    assert hit.undecided == 0
    hit = find([statement("acceptable")], statement("twice(np(1/2))"), scope)
    assert hit.candidate is not None


def test_a_wrong_batch_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: CDP looks at the factual law alone."""
    right = batch_measure._outputs

    def factual_twice(case: BlockCase, row: NamedRow) -> Iterator[ColumnPair]:
        return right(case, row._replace(q=row.p))

    monkeypatch.setattr(batch_measure, "_outputs", factual_twice)
    with pytest.raises(PkdpError, match="checkers deny"):
        find([statement("cdp(0)")], statement("ibcdp(0)"), SMALL)


LONG = Scope(2, 3, 2, 1, weights=3, mechanism_weights=1)
ASKED = [statement("np(ln(3/2))")], statement("cdp(ln(3))"), LONG


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
    find([statement("np(0)")], statement("cdp(0)"), SMALL, checkpoint=path)
    with pytest.raises(InputError, match=r"another question: violated differ"):
        find([statement("np(0)")], statement("dp(0)"), SMALL, checkpoint=path)
    with pytest.raises(InputError, match=r"another question: scope, exhaust differ"):
        find([statement("np(0)")], statement("cdp(0)"), FIRST, checkpoint=path, exhaust=True)
    kept = json.loads(path.read_text(encoding="utf-8"))
    for broken in ("", "[]", "{}", json.dumps({**kept, "done": {}}), json.dumps({**kept, "question": 3})):
        path.write_text(broken, encoding="utf-8")
        with pytest.raises(InputError):
            find([statement("np(0)")], statement("cdp(0)"), SMALL, checkpoint=path)
    with pytest.raises(InputError, match="is not there"):
        find([statement("np(0)")], statement("cdp(0)"), SMALL, checkpoint=tmp_path / "no" / "file.json")


def test_shards_are_the_same_each_time() -> None:
    question = SearchQuestion(tuple(ASKED[0]), ASKED[1], LONG)
    listed = list(shards.shards(question))
    assert listed == list(shards.shards(question))
    assert [one.number for one in listed] == list(range(len(listed)))
    assert Checkpoint(None, question).load().shards == 0


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
def test_workers_that_are_none_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 1)
    for wrong in ("127.0.0.1:8786", "dask://", "dask://host", "dask://host:port", "spark://host:1"):
        with pytest.raises(InputError, match="dask://host:port"):
            find(*ASKED, workers=wrong)
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        find(*ASKED, workers="dask://127.0.0.1:1")


def test_wrong_questions_are_refused() -> None:
    for jobs in (0, -1, True, "2"):
        with pytest.raises(InputError, match="jobs"):
            find(*ASKED, jobs=jobs)
    with pytest.raises(InputError, match="no statement"):
        find([], None, SMALL)
    with pytest.raises(LimitError, match="models"):
        find(*ASKED, max_models=100)
    assert isinstance(find([statement("np(0)")], None, SMALL), Hit)
