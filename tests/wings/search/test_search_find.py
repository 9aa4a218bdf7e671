"""The search against brute force without symmetry; interruptions, processes and a cluster change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from model_ways import enumerate_models
from small_models import every_model, needed, verdict

import verifier as pk
from verifier.definitions.builders.resolve import NamedRow
from verifier.errors import InputError, PkdpError
from verifier.numbers import epsilon
from verifier.questions.language import statement
from verifier.questions.statement import And, Holds, Not
from verifier.wings.search import finer, workers
from verifier.wings.search.api import read_question
from verifier.wings.search.batch import measure as batch_measure
from verifier.wings.search.batch.block import BlockCase, ColumnPair
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumerate_scope import Hit, Progress
from verifier.wings.search.enumerate_scope import find as look
from verifier.wings.search.finer import Finer, finer_grids, look_finer
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope
from verifier.wings.search.statement_truth import decide

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


@pytest.mark.sweep(0)
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
    with pytest.raises(InputError, match="there is no Dask scheduler"):
        find(*ASKED, workers="dask://127.0.0.1:1")


def test_wrong_numbers_of_processes_are_refused() -> None:
    for jobs in (0, -1, True, "2"):
        with pytest.raises(InputError, match="jobs"):
            find(*ASKED, jobs=jobs)


# --- finer grids -----------------------------------------------------------------------------------------------------


ONE = Fraction(1)
TWO = Scope(2, 2, 2, 1)
COARSE = Scope(2, 2, 2, 1, 1, 1)


def find_finer(satisfied: Any, violated: Any, scope: Scope) -> Finer:
    return look_finer(read_question(satisfied, violated, None, scope), look)


FINER = [
    ("np(ln(2))", "cdp(ln(2))", COARSE),
    ("cdp(ln(2))", "np(ln(2))", COARSE),
    ("np(ln(2))", "dp(ln(2))", COARSE),
    ("cdp(ln(3/2), 1/10)", "dp(ln(3/2), 1/10)", COARSE),
    ("tail-apkdp(ln(2), 1/3)", "tail-cdp(ln(2), 1/3)", COARSE),
    ("apkdp(ln(2), 1/4)", "tail-apkdp(ln(2), 1/4)", Scope(1, 2, 2, 1, 1, 1)),
    ("ppkdp(0, 1/2)", "apkdp(0, 1/2)", Scope(2, 2, 2, 2, 1, 1)),
    ("ppkdp(ln(2), 1/5)", "cdp(ln(2), 1/5)", COARSE),
    ("np(0)", "cdp(0, 1/3)", Scope(2, 3, 2, 1, 1, 1)),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("satisfied", "violated", "scope"), FINER)
def test_what_is_found_separates(satisfied: str, violated: str, scope: Scope) -> None:
    """From a grid of whole numbers alone on, which holds next to nothing."""
    hit = find_finer(satisfied, violated, scope)
    assert hit.candidate is not None
    assert hit.grid in list(finer_grids(scope))
    assert [verdict(hit.candidate, text) for text in (satisfied, violated)] == ["holds", "fails"]


def test_what_is_implied_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finer, "FINEST", 6)
    hit = find_finer(["np(ln(2))", "independent"], "cdp(ln(2))", TWO)
    assert (hit.candidate, hit.grid, hit.grids, hit.passed) == (None, None, 8, 0)
    assert str(hit) == "none found on 8 finer grids"
    monkeypatch.setattr(finer, "MAX_MODELS", 100_000)
    assert str(find_finer("np(ln(2))", "np(ln(4))", TWO)) == (
        "none found on 7 finer grids; 1 grid had more than 100,000 models"
    )


@pytest.mark.sweep(0)
def test_a_weight_that_no_grid_up_to_six_holds() -> None:
    """δ above 14/99 and at most 1/7 needs conditional probabilities such as 6/7: no θ in multiples of 1/6 has them."""
    satisfied, violated = ["deterministic", "np(0, 1/7)", "not np(0, 14/99)"], "cdp(0, 1/7)"
    hit = find_finer(satisfied, violated, TWO)
    assert hit.candidate is not None
    assert hit.grid is not None
    assert hit.grid.weights == 13
    question = And((*map(statement, satisfied), Not(statement(violated))))
    assert decide(question, hit.candidate.model()).value is True
    assert needed(hit.candidate, "np", ONE) == Fraction(1, 7)
    assert decide(statement("cdp(0, 1/7)"), hit.candidate.model()).value is False
    for total in (4, 5, 6):  # sixths are among them as they are, halves and thirds as sixths
        for law in (w for w in product(range(total + 1), repeat=4) if sum(w) == total):
            for outputs in product((0,), *[(0, 1)] * 3):  # the other half has the names of the outputs exchanged
                rows = tuple((1, 0) if o else (0, 1) for o in outputs)
                one = Candidate(2, 2, 2, 1, total, 1, law, rows)
                assert not Fraction(14, 99) < (needed(one, "np", ONE) or 0) <= Fraction(1, 7)


def test_variables_and_powers() -> None:
    hit = find_finer("cdp(e)", "np(3/2*e)", TWO)
    assert hit.candidate is not None
    assert decide(statement("cdp(e) => np(3/2*e)"), hit.candidate.model()).value is False
    root = find_finer(["np(1/2*ln(2))", "not np(1/3*ln(2))"], "dp(1/2*ln(2))", TWO)
    assert root.candidate is not None
    model = root.candidate.model()
    assert pk.check(model, "np", epsilon="1/2*ln(2)").verdict == "holds"
    assert pk.check(model, "np", epsilon="1/3*ln(2)").verdict == "fails"


def test_a_root_of_a_polynomial_is_between_its_neighbours() -> None:
    """1.6 < e^ε = (1 + √5)/2 < 1.625: quotients of Fibonacci numbers come close; 21/13 needs a grid of 34ths."""
    golden = "ln(root of x^2 - x - 1 in [1, 2])"
    hit = find_finer(Holds("np", epsilon(golden)), "np(ln(8/5))", Scope(1, 2, 2, 1))
    assert hit.candidate is not None
    assert hit.grid is not None
    assert hit.grid.mechanism_weights == 34
    model = hit.candidate.model()
    assert pk.check(model, "np", epsilon=golden).verdict == "holds"
    assert pk.check(model, "np", epsilon="ln(8/5)").verdict == "fails"


def test_only_the_first_record() -> None:
    hit = find_finer("cdp(ln(2))", "np(ln(2))", Scope(2, 2, 2, 1, first_only=True))
    assert hit.candidate is not None
    assert hit.candidate.first_only
    assert needed(hit.candidate, "cdp", Fraction(2)) == 0
    assert needed(hit.candidate, "np", Fraction(2)) not in {None, 0}
