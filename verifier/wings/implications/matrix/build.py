"""The pass over the scope: `python -m verifier.wings.implications.matrix.build` makes `data/cover.json`.

It decides every definition on every model of the scope, stops at a contradiction with what is proved, and keeps a small
set of models that separates every pair that some model separates. For pairs of linear ratio definitions that are still
open, exchange rates look at all mechanisms on the θ, knowledge and [policy] of a few drawn models; the mechanisms that
an earlier pass found in this way are part of the scope. It takes some minutes; the tests decide the kept models again,
with the replay.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain as chained
from itertools import permutations, product
from pathlib import Path

from verifier.definitions import find
from verifier.engine import Engine
from verifier.errors import PkdpError
from verifier.model import Model, loads
from verifier.model.library import models_folder
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.exchange.pairs import pair_rates, rows_by_definition
from verifier.wings.exchange.rate import NO, YES, Exchange, exchange
from verifier.wings.implications.matrix.check import contradictions
from verifier.wings.implications.matrix.facts import LEVELS, SAME, SOME
from verifier.wings.implications.matrix.matrix import COVER, OPEN, Cover, CoverModel, Pair, matrix_of, separated
from verifier.wings.implications.matrix.parts import decided, passport_key
from verifier.wings.implications.matrix.scope import OUTPUTS, bundled, drawn, every_drawn, families, scope
from verifier.wings.implications.matrix.values import VACUOUS, values_of

FOLDER = "matrix"
"""The folder under `models` for kept models that are not bundled elsewhere."""
EXTREME = "extreme-"
"""The prefix of the names of models with a mechanism that an exchange rate found."""
OF_SCOPE = dict(zip((YES, NO), OUTPUTS, strict=False))
"""The outputs of an extreme mechanism as those of the scope, which [policy] names."""
RATE = "ln(2)"
"""The ε at which exchange rates are asked."""
Tick = Callable[[str], object]


def looked_at(models: Iterable[tuple[str, Model]], tick: Tick = str) -> Iterator[CoverModel]:
    """The smallest ε of every definition on each model.

    Raises:
        ArithmeticError: for a model that contradicts what is proved.

    """
    for name, model in models:
        engine = Engine(model)
        try:
            values = {delta: values_of(model, delta, engine=engine) for delta in scope()["deltas"]}
        except PkdpError as refusal:
            tick(f"{name}: left out, {refusal}")
            continue
        wrong = next(contradictions(model, values), None)
        if wrong is not None:
            raise ArithmeticError(f"{name} contradicts {wrong}")
        tick(name)
        yield CoverModel(name, values)


def small_cover(listed: Iterable[CoverModel], preferred: Callable[[str], bool]) -> list[CoverModel]:
    """A subset of models that separates all pairs that the listed ones separate, vacuously if nothing else does.

    It is chosen greedily: the model that separates most further pairs, of equal ones a preferred one.
    """
    number = {each: k for k, each in enumerate(product(LEVELS, permutations(decided(), 2), (False, True)))}
    by_name = {model.name: model for model in listed}
    masks: dict[str, int] = {}
    for name, model in by_name.items():
        covered = bytearray(len(number))
        for level, vacuous in product(LEVELS, (False, True)):
            for pair in separated(model.values, level, vacuous=vacuous):
                covered[number[level, pair, vacuous]] = 1
        masks[name] = int("".join(map(str, covered)), 2)
    missing = 0
    for bits in masks.values():
        missing |= bits
    chosen: list[CoverModel] = []
    while missing:
        name = max(masks, key=lambda each: ((masks[each] & missing).bit_count(), preferred(each)))
        chosen.append(by_name[name])
        missing &= ~masks[name]
    for model in reversed(tuple(chosen)):
        others = 0
        for other in chosen:
            others |= masks[other.name] if other is not model else 0
        if not masks[model.name] & ~others:
            chosen.remove(model)
    return chosen


def shapes() -> list[tuple[str, str]]:
    """The names and texts of the drawn models on whose θ, knowledge and [policy] all mechanisms are looked at."""
    numbers = scope()["shapes"]
    return [(f"{family.name}-{k}", drawn(family, k)) for family in families() for k in numbers[family.name]]


def earlier() -> dict[str, str]:
    """The texts, without `[[expect]]`, of the models that an earlier pass found by exchange rates, by their names.

    >>> all(name.startswith("extreme-") and "[[expect]]" not in text for name, text in earlier().items())
    True
    """
    paths = sorted((models_folder() / FOLDER).glob(f"{EXTREME}*.toml"))
    return {path.stem: path.read_text(encoding="utf-8").partition("\n[[expect]]")[0] for path in paths}


@dataclass
class AllMechanisms:
    """The open pairs after exchange rates, by question: those that were open (`missing`), and those that have `failed`.

    A pair has failed if a mechanism refutes it, or its rate is not computed. `found` has the texts of models whose
    mechanism refutes a pair, numbered from `first` on, and `values` their smallest ε; `seen` has the pairs with a rate.
    """

    missing: dict[str, set[Pair]]
    first: int = 0
    seen: set[Pair] = field(default_factory=set)
    failed: dict[str, set[Pair]] = field(default_factory=lambda: {SOME: set(), SAME: set()})
    found: dict[str, str] = field(default_factory=dict)
    values: list[CoverModel] = field(default_factory=list)

    @property
    def complete(self) -> dict[str, set[Pair]]:
        """The pairs that hold for all mechanisms on every shape on which both are linear."""
        return {level: (self.missing[level] & self.seen) - self.failed[level] for level in (SOME, SAME)}

    def look(self, name: str, text: str, tick: Tick = str) -> None:
        """Compute the rate of every missing pair on one shape, and keep models that refute one."""
        model = loads(text)
        linear = rows_by_definition(model, map(passport_key, decided()))
        asked = {
            (passport_key(source), passport_key(target)): (source, target)
            for source, target in sorted(self.missing[SOME] | self.missing[SAME])
        }
        sources = {source for source, _ in asked if source in linear}
        rates = {(source, target): rate for source, target, rate in pair_rates(linear, RATE, sources)}
        for names, pair in asked.items():
            if names not in rates or pair in self.failed[SOME]:
                continue
            rate = rates[names]
            if rate is None:
                for level in (SOME, SAME):
                    self.failed[level].add(pair)  # not decided, so not complete
                continue
            self.seen.add(pair)
            refuted = [SOME] if rate.is_infinite else []
            refuted += [SAME] if read_epsilon(RATE) < rate else []
            if any(pair in self.missing[level] - self.failed[level] for level in refuted):
                answer = exchange(model, *names, epsilon=RATE)
                self._keep(f"{EXTREME}{self.first + len(self.found)}", _with_extreme(text, answer), tick)
            for level in refuted:
                self.failed[level].add(pair)
        tick(f"{name}: {len(linear)} linear definitions, {len(self.found)} models found")

    def _keep(self, name: str, text: str, tick: Tick) -> None:
        """Keep a model, and all pairs that it separates."""
        for values in looked_at([(name, loads(text))], tick):
            self.found[name] = text
            self.values.append(values)
            for level in (SOME, SAME):
                self.failed[level] |= separated(values.values, level) & self.missing[level]


def _with_extreme(text: str, answer: Exchange) -> str:
    """The text of a drawn model with the mechanism that needs the whole exchange rate."""
    before, after = text.split("[mechanism]")
    policy = after.partition("[policy]")[2]
    laws = (({OF_SCOPE[o]: p for o, p in row["outputs"].items()}, row["database"]) for row in answer.table())
    rows = [
        f" {{ database = {json.dumps(database)}, outputs = {json.dumps(law).replace(': ', ' = ')} }},"
        for law, database in laws
    ]
    head = before.partition("\n")[2]
    title = f'title = "Every mechanism that is {answer.source}: one that is worst for {answer.target}"\n'
    last = f'otherwise = "{OF_SCOPE[NO]}"'
    return "\n".join([f"{title}{head}[mechanism]", "table = [", *rows, "]", last, "", f"[policy]{policy}"])


def build(tick: Tick = str) -> str:
    """The text of `cover.json`; the models that are bundled nowhere else are written to `models/matrix`."""
    others = ((name, model) for name, model in bundled() if not name.startswith(f"{FOLDER}/"))
    texts = ((name, loads(text)) for name, text in chained(every_drawn(), earlier().items()))
    return assembled(list(looked_at(chained(others, texts), tick)), tick)


def assembled(listed: list[CoverModel], tick: Tick = str) -> str:
    """The text of `cover.json`, from the smallest ε on every model of the scope."""
    found_before = earlier()
    texts = {**dict(every_drawn()), **found_before}
    opened = _open_pairs(listed)
    asked = AllMechanisms(opened, 1 + max((int(name.removeprefix(EXTREME)) for name in found_before), default=-1))
    for name, text in shapes():
        asked.look(name, text, tick)
    complete = asked.complete
    texts |= asked.found
    listed += asked.values
    kept = small_cover(listed, lambda name: name not in texts)
    for old in (models_folder() / FOLDER).glob("*.toml"):
        old.unlink()
    written: list[dict[str, object]] = []
    for model in kept:
        name = f"{FOLDER}/{model.name}" if model.name in texts else model.name
        if model.name in texts:
            _write(models_folder() / f"{name}.toml", texts[model.name] + promises(model))
        written.append({"name": name, "values": model.values})
    still_open = sorted(set().union(*_open_pairs(kept).values()))
    content = {
        "looked": len(listed),
        "shapes": [name for name, _ in shapes()],
        "complete": {level: sorted(" ".join(pair) for pair in pairs) for level, pairs in complete.items()},
        "checked": {" ".join(pair): number for pair, number in _checked(still_open, listed).items()},
        "models": written,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def promises(model: CoverModel) -> str:
    """The `[[expect]]` lines of a kept model: its first and last definition with a finite smallest ε, and one without.

    >>> print(promises(CoverModel("a", {"0": {"dp-any": "inf", "osdp": "ln(2)"}})))
    <BLANKLINE>
    [[expect]]
    definition = "osdp"
    tight_epsilon = "ln(2)"
    <BLANKLINE>
    [[expect]]
    definition = "dp-any"
    tight_epsilon = "inf"
    <BLANKLINE>
    """
    exact = {
        key: text
        for key, text in model.values["0"].items()
        if text != VACUOUS and not text.startswith("[") and find(passport_key(key)).has_epsilon
    }
    finite = [key for key, text in exact.items() if text != "inf" and "root" not in text]
    without = [key for key, text in exact.items() if text == "inf"]
    shown = dict.fromkeys((*finite[:1], *finite[-1:], *without[:1]))
    return "".join(
        f'\n[[expect]]\ndefinition = "{passport_key(key)}"\ntight_epsilon = "{exact[key]}"\n' for key in shown
    )


def _open_pairs(listed: list[CoverModel]) -> dict[str, set[Pair]]:
    """The pairs that are neither proved nor separated by these models, by question."""
    known = matrix_of(Cover(len(listed), tuple(listed)))
    return {level: {pair for pair, cell in cells.items() if cell.state == OPEN} for level, cells in known.cells.items()}


def _checked(pairs: Iterable[Pair], listed: Iterable[CoverModel]) -> dict[Pair, int]:
    """The number of models on which both definitions of a pair are decided, and the first is not vacuous."""
    number = dict.fromkeys(pairs, 0)
    for model in listed:
        at_zero = model.values["0"]
        for pair in number:
            first, second = at_zero.get(pair[0]), at_zero.get(pair[1])
            number[pair] += first not in {None, VACUOUS} and second is not None
    return number


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Write `cover.json`; the names of the models go to standard error as they are decided."""
    text = build(lambda said: sys.stderr.write(f"{said}\n"))
    COVER.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
