"""A record that is absent: what each definition makes of it, in the program and in the checker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from filing import file_of
from rechecked import document_of, refused
from strategies_policy import OUTPUTS, PolicyModel

import verifier as pk
from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.atlas import atlas
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.write import inline
from verifier.recheck import fields_of
from verifier.show.parts import absence_of

ROOT = Path(__file__).parents[2]
EVERY = {**{key: atlas[key] for key in atlas}, **DEFINITIONS, **ON_REQUEST}


def gaps(seed: int, *, theta: bool = False) -> Model:
    """A random model of lists, in which the value "2" says that a record is absent; Agg is the identity."""
    drawn = PolicyModel(Random(seed), "gaps")  # noqa: S311
    head, policy = drawn.text.partition("[mechanism]")[0], drawn.text.partition("[policy]")[2]
    laws = [drawn.law(tuple(map(json.dumps, drawn.databases)), impossible=3) for _ in range(2 * theta)]
    for law in laws:
        rows = [f' {{ database = {database}, probability = "{p}" }},' for database, p in law.items()]
        head += "\n".join(["[[distribution]]", "table = [", *rows, "]", ""])
    always = {database: drawn.law(OUTPUTS, impossible=1 << 30) for database in drawn.databases}
    rows = [f" {{ database = {json.dumps(database)}, outputs = {inline(law)} }}," for database, law in always.items()]
    head += "\n".join(["[mechanism]", "table = [", *rows, "]", "[policy]"])
    return pk.loads(f'{head}{policy}agg = ["identity"]\n', "")


@pytest.mark.parametrize("key", ["bodp", "tail-dp", "attdp", "bitdp", "osdp", "iddp", "depdp"])
def test_the_answer_that_the_other_meaning_would_give_is_refused(key: str) -> None:
    assert sum(_other_meaning(gaps(seed), key) for seed in range(5)) > 1


@pytest.mark.sweep(2)
@pytest.mark.parametrize("key", ["cdp", "tail-cdp", "ibcdp", "ddp", "ibddp"])
def test_the_checker_conditions_on_the_record_being_there(key: str) -> None:
    assert sum(_other_meaning(gaps(seed, theta=True), key) for seed in range(5)) > 0


def _other_meaning(model: Model, key: str) -> bool:
    """Whether the answer for the same tables without `absent` is another one, which is then refused for this model."""
    plain = pk.loads(re.sub("(?m)^absent.*", "", model.text), "")
    answer, other = (pk.check(one, key, replay=False) for one in (model, plain))
    if "unsupported" in {answer.verdict, other.verdict} or other.tight_epsilon == answer.tight_epsilon:
        return False
    assert recheck(answer, model, model.text) is None
    assert recheck(other, plain, plain.text) is None
    assert recheck(other, plain, model.text) is not None
    return True


def recheck(answer: pk.Answer, model: Model, text: str) -> str | None:
    """Why the checker does not confirm an answer, with the simulators that it brings, about a model file."""
    return refused({**document_of(answer), **fields_of(answer, Engine(model))}, text)


@pytest.mark.parametrize("key", ["randp", "avgklpr", "wbdp", "baydp-tf"])
def test_a_record_is_not_redrawn_as_absent(key: str) -> None:
    """π is the law of a record that is there; where it is not, the program and the checker refuse."""
    rows = [{"database": [v], "outputs": {"y": f"{p}/4", "n": f"{4 - p}/4"}} for v, p in (("-", 4), ("a", 1), ("b", 2))]
    for prior in ({"a": "1/2", "b": "1/2"}, {"-": "1/2", "a": "1/2"}):
        policy = {"absent": "-", "prior": prior, "gamma": "0"}
        keys = {"size": 1, "values": ["-", "a", "b"], "mechanism": {"table": rows}, "policy": policy}
        answer = pk.check(pk.build(**keys), key, epsilon="ln(3/2)" if atlas[key].has_delta else None, replay=False)
        assert refused(answer, file_of(keys)) is None
        if "-" in prior:
            assert "the value of a record that is absent" in (answer.reason or "")
            assert refused({**document_of(answer), "verdict": "holds"}, file_of(keys)) is not None


def test_the_table_in_the_guide_has_each_definition_once() -> None:
    """models/FORMAT.md groups the definitions as their cards do."""
    text = (ROOT / "models" / "FORMAT.md").read_text(encoding="utf-8")
    rows = text.partition("### A record that is absent")[2].partition("\n\nA file without")[0].splitlines()
    groups = [row.split("|")[1] for row in rows if row.startswith("| `")]
    listed = [[name.strip("`") for name in group.replace("(", ", ").replace(")", "").split(", ")] for group in groups]
    keys = [key.strip().strip("`") for group in listed for key in group]
    assert sorted(keys) == sorted(EVERY)
    for group in listed:
        assert len({absence_of(EVERY[key.strip().strip("`")]) for key in group}) == 1, group


def test_an_own_definition_of_neighbours_leaves_absence_out() -> None:
    """A recipe that names the builder compares the databases that the engine's own list does."""
    from verifier.definitions.builders.resolve import databases, neighbouring

    for seed in range(6):
        engine = Engine(gaps(seed))
        listed = [
            {(str(c.a), str(c.b), c.multiplicity) for family in families for c in family.comparisons}
            for families in (databases(engine, neighbouring.builder, "default"), neighbouring(engine, "default"))
        ]
        assert listed[0] == listed[1]
        assert all("2" not in {a, b} for a, b, _ in listed[0])
