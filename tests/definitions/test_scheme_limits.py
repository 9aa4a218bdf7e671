"""The largest models that the definitions of DP22 decide; `tests/cases/limits.toml` has those that take no time."""

from dataclasses import dataclass, replace
from itertools import islice, repeat
from types import SimpleNamespace
from typing import Any

import pytest

from verifier import build
from verifier.definitions import find
from verifier.definitions.builders import events
from verifier.definitions.builders.relations import Relation
from verifier.definitions.builders.rows import Setting
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.errors import LimitError
from verifier.model import Model
from verifier.model.distribution import Table


def setting(model: Model) -> Setting:
    return Setting("key", model, Engine(model))


@pytest.mark.parametrize(
    ("size", "values", "number"),
    [
        (10, 2, 1024),
        (2, 32, 1024),
        ((0, 1023), 1, 1024),
        ((1, 2), 3, 9),
        (11, 2, 2048),
        (2, 33, 1089),
        ((0, 1024), 1, 1025),
    ],
)
def test_a_thousand_databases_are_listed_and_no_more(size: Any, values: int, number: int) -> None:
    made = setting(build(size=size, values=list(range(values)), mechanism={"kind": "sum"}))
    assert made.number_of_databases == number
    if number <= 1024:
        assert len(set(made.databases())) == len(made.databases()) == number
        return
    with pytest.raises(LimitError, match=f"{number:,}.*at most 1,024 databases"):
        made.databases()


def uniform(size: int) -> Model:
    return build(
        size=size, values=[0, 1], distribution={"name": "even", "iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"}
    )


@dataclass(frozen=True)
class Counted(Table):
    """Two worlds that say that they are more."""

    number: int = 0

    def count(self) -> int:
        return self.number


def counted(number: int) -> Setting:
    made = uniform(1)
    shape = Counted(tuple(made.thetas[0].worlds()), 2, number)
    return setting(replace(made, thetas=(replace(made.thetas[0], shape=shape),)))


def test_more_than_sixteen_thousand_worlds_are_refused() -> None:
    assert len(next(events.backgrounds(counted(1 << 14))).worlds) == 2
    with pytest.raises(LimitError, match=r"16,385.*at most 16,384"):
        next(events.backgrounds(counted((1 << 14) + 1)))


def test_four_thousand_adversaries_are_listed() -> None:
    listed = events._all_adversaries(10, range(8))
    assert len(listed) == len(set(listed)) == 1 << 12
    assert events._all_adversaries(3, [0, 2]) == [
        (0, ()), (0, (1,)), (0, (2,)), (0, (1, 2)), (2, ()), (2, (0,)), (2, (1,)), (2, (0, 1)),
    ]  # fmt: skip
    assert events._all_adversaries(1, [0]) == [(0, ())]
    with pytest.raises(LimitError, match="4,096"):
        events._all_adversaries(10, range(9))


def test_sixty_thousand_pairs_of_distributions_are_listed_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """256 distributions have 256·255 = 65,280 ordered pairs, and 257 have 65,792, of which 65,536 are allowed."""
    model = uniform(1)
    monkeypatch.setattr(events, "combinations", lambda thetas, _: [tuple(thetas)[:2]])

    def listed(number: int) -> int:
        named = tuple(replace(model.thetas[0], name=f"#{k}") for k in range(number))
        (group,) = events.Distributions()(setting(replace(model, thetas=named)))
        return len(group.cases)

    assert listed(256) == 1
    with pytest.raises(LimitError, match=r"65,792 pairs of distributions.*at most 65,536"):
        listed(257)


def test_a_hundred_thousand_pairs_of_laws_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    model = uniform(1)
    scheme = Scheme(Relation(), "outputs", "ratio")

    def rows(number: int) -> int:
        monkeypatch.setattr(Scheme, "_of_group", lambda *_: islice(repeat(SimpleNamespace(terms=())), number))
        (listed,) = scheme.sets(find("ocdp"), Engine(model), "default")
        return len(listed.comparisons)

    assert rows(1 << 17) == 1 << 17
    with pytest.raises(LimitError, match=r"too many pairs of laws.*131,072"):
        rows((1 << 17) + 1)


def test_adversaries_attack_records_of_lists_alone() -> None:
    table = [{"database": [v], "output": "x"} for v in ("a", "b")]
    sizes = build(size=(0, 1), values=["a", "b"], mechanism={"table": [*table, {"database": [], "output": "x"}]})
    assert setting(sizes).protected() is None
    model = build(size=1, values=["a", "b"], mechanism={"table": table})
    assert setting(model).protected() == frozenset({0})
