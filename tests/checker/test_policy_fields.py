"""Each field of `[policy]` that a definition reads changes its answer, and what the checker confirms, alike."""

from __future__ import annotations

import json
import tomllib
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from rechecked import Document, checker_word, document_of, refused
from strategies_policy import OUTPUTS, PolicyModel, leak_laws, with_centres

import verifier as pk
from verifier.checker.definitions import NOT_LISTED
from verifier.definitions.atlas import atlas
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.write import inline
from verifier.recheck import fields_of
from verifier.show.axis_words import fields_read

KEYS = [key for key in atlas if atlas[key].reads_policy and not atlas[key].undecided and key not in NOT_LISTED]
THETAS = ("up", "down", "side")
ASKED: dict[str, dict[str, str]] = {"reldp": {"delta": "1/20"}, "azcodp": {"delta": "1/20"}}
AT_AN_EPSILON = {"adp", "wbdp", "baydp-tf", "advpr", "psdp", "subdp", "bldp", "zkpr", "cwpr", "typst", "pdnpr"}
KINDS = {"multisets": ("samdp",), "gaps": ("perdp", "taidp", "outpr", "pardp", "asdp", "ubodp", "sempr")}
SEEDS = 150


class Drawn:
    """A random model whose fields of `[policy]` are drawn again one by one."""

    def __init__(self, seed: int, kind: str) -> None:
        self.random = Random(seed)  # noqa: S311
        self.model = PolicyModel(self.random, kind)
        self.head = self.model.text.partition("[mechanism]")[0]
        if kind == "lists":
            self.head += self._theta("side")
        self.rows = [{"database": list(database), "outputs": self._law()} for database in self.model.databases]
        self.head += f"[mechanism]\ntable = {inline(self.rows)}\n"

    def _theta(self, name: str) -> str:
        law = self.model.law(tuple(map(json.dumps, self.model.databases)), impossible=4)
        rows = [f' {{ database = {database}, probability = "{p}" }},' for database, p in law.items()]
        return "\n".join(["[[distribution]]", f'name = "{name}"', "table = [", *rows, "]", ""])

    def _law(self) -> dict[str, str]:
        weights = [self.random.randint(1, 30) for _ in OUTPUTS]
        return {output: f"{weight}/{sum(weights)}" for output, weight in zip(OUTPUTS, weights, strict=True)}

    def fields(self) -> dict[str, Any]:
        """Every field, drawn once more."""
        random, fields = self.random, self.model.policy()
        if self.model.kind != "multisets":
            drawn = with_centres(random, self.model).removeprefix(self.model.text)
            fields |= tomllib.loads(drawn)
            blocks = fields.get("blocks", [])
            fields["views"] = [{o: random.choice("pq") for o in OUTPUTS} for _ in blocks]
        fields["leak"] = random.choice((fields["leak"], leak_laws(random, self.rows)))
        if self.model.kind == "gaps":
            fields["neighbours"] = random.choice(("change", "add-remove", "any"))
        fields["tradeoff"] = random.choice((fields["tradeoff"], [["0", "1/2"], ["1/2", "0"], ["1", "0"]]))
        fields["group"] = random.choice((1, 2, 2))
        if self.model.kind == "lists":
            pairs = [[a, b] for k, a in enumerate(THETAS) for b in THETAS[k + 1 :]]
            fields["theta-distances"] = [[*pair, random.choice(("1", "2", "1/2", "inf"))] for pair in pairs]
            fields["theta-pairs"] = random.sample(pairs, random.randint(0, 2))
        return fields

    def read(self, fields: dict[str, Any]) -> Model:
        """The model with these fields."""
        return pk.loads(f"{self.head}[policy]\n" + "\n".join(f"{k} = {inline(v)}" for k, v in fields.items()), "")


def asked(key: str) -> dict[str, Any]:
    return ASKED.get(key, {"epsilon": "ln(3/2)"} if key in AT_AN_EPSILON else {})


def answered(model: Model, key: str) -> tuple[Any, Document | None]:
    """The answer as verdict and numbers, and as a document that the checker confirms; None without one."""
    answer = pk.check(model, key, replay=False, **asked(key))
    numbers = answer.verdict, str(answer.tight_epsilon), str(answer.tight_delta)
    if answer.verdict in {"unsupported", "undecided"}:
        return numbers, None
    claimed = {**document_of(answer), **fields_of(answer, Engine(model))}
    word = checker_word(claimed, model.text)
    assert word.word == "confirmed" or word.beyond, (word, model.text)
    return numbers, claimed if word.word == "confirmed" else None


def altered(drawn: Drawn, base: dict[str, Any], field: str) -> dict[str, Any]:
    """The fields with one of them drawn again, or left out; `blocks` and `views` belong together."""
    again = drawn.fields()
    fields = deepcopy(base)
    for name in {"blocks": ("blocks", "views"), "absent": ("absent",)}.get(field, (field,)):
        fields.pop(name, None)
        if name in again and drawn.random.random() < 0.8:
            fields[name] = again[name]
    if field == "views":
        fields[field] = [{o: drawn.random.choice("pq") for o in OUTPUTS} for _ in fields.get("blocks", [])]
    if field == "absent" and "absent" in base and drawn.random.random() < 0.7:
        fields["absent"] = "1" if base["absent"] == "2" else "2"
    return fields


@pytest.mark.sweep(14)
@pytest.mark.parametrize("key", [key for key in KEYS if fields_read(atlas[key])])
def test_each_field_that_is_read_changes_both_answers(key: str) -> None:
    """A field that changes the program's answer: the old answer is refused about the new file."""
    unseen = set(fields_read(atlas[key]))
    kinds = [kind for kind, keys in KINDS.items() if key in keys] or ["lists", "gaps"]
    for seed in range(SEEDS):
        drawn = Drawn(seed, kinds[seed % len(kinds)])
        base = drawn.fields()
        try:
            first = answered(drawn.read(base), key)
        except pk.InputError:
            continue
        for field in sorted(unseen):
            fields = altered(drawn, base, field)
            try:
                other = drawn.read(fields)
                second = answered(other, key)
            except pk.InputError:
                continue
            if first[0] == second[0] or not first[1] or (first[0][0] == "vacuous" and not second[1]):
                continue
            assert refused(first[1], other.text) is not None, (seed, field, first[0], second[0])
            if second[1]:
                unseen.discard(field)
        if not unseen:
            return
    assert not unseen
