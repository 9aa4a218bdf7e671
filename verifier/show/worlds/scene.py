"""What a drawing of worlds shows, exactly: which worlds there are, what is published in each, and what is compared.

A *case* is a distribution, a protected value and something that the attacker may know. NP compares the laws of the
output given two protected values; CDP compares the law given one value with the law after that record alone is changed.
Of a model the case with the largest loss is drawn. Worlds become tiles: where there are many, those that the attacker
and the mechanism cannot tell apart are one tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import TypeAlias

from verifier.errors import InputError, UnsupportedError, one_of
from verifier.model import Database, Model, Secret, Theta, need_distributions
from verifier.model.mechanism import replaced
from verifier.tables import Label, collected, in_order

MOST_TILES, MOST_OUTPUTS = 16, 32
"""Most tiles of a drawing, and most outputs whose colours can be told apart."""
MOST_WORLDS, MOST_LAWS = 1 << 10, 1 << 13
"""Most worlds that are listed, and most worlds of all distributions for each protected value."""
Chances: TypeAlias = Mapping[Label, Fraction]
"""A law of outputs."""
Ratio: TypeAlias = Fraction | None
"""e^ε of a loss; None where it is infinite."""


@dataclass(frozen=True)
class Worst:
    """The largest ratio of two laws, at which output, and which law is the larger there: `why` says it in words."""

    ratio: Ratio
    output: Label | None = None
    why: str = ""

    @property
    def rank(self) -> tuple[bool, Fraction]:
        """Its place among others: by the ratio, ∞ last."""
        return self.ratio is None, self.ratio or Fraction(0)


NO_LOSS = Worst(Fraction(1))


def worst_of(first: Chances, second: Chances, only: str, more: str) -> Worst:
    """Return the output that `first` makes likelier by the largest ratio; `only` and `more` say when it comes.

    >>> from verifier.tables import label
    >>> yes = {label("yes"): Fraction(3, 4), label("no"): Fraction(1, 4)}
    >>> worst_of(yes, {label("yes"): Fraction(1, 4), label("no"): Fraction(3, 4)}, "only then", "then").ratio
    Fraction(3, 1)
    """
    found = NO_LOSS
    for output, p in first.items():
        q = second.get(output, Fraction(0))
        if p > q:
            found = largest([found, Worst(p / q, output, more) if q else Worst(None, output, only)])
    return found


def largest(found: Iterable[Worst]) -> Worst:
    """Return the largest loss, the first of equal ones; no loss where there is none."""
    return max(found, key=lambda worst: worst.rank, default=NO_LOSS)


@dataclass(frozen=True)
class Case:
    """A distribution, a protected value and B̂; `weights` has P[S = v, D = d, B = B̂] by v and d."""

    laws: Laws
    theta: Theta
    secret: Secret
    knowledge: Label
    weights: Mapping[tuple[Label, Database], Fraction]

    @cached_property
    def prior(self) -> dict[Label, Fraction]:
        """P[S = v and B = B̂] of each v that is possible."""
        return {
            value: mass
            for value in self.secret.domain
            if (mass := sum((p for (v, _), p in self.weights.items() if v == value), Fraction(0)))
        }

    @property
    def chance(self) -> Fraction:
        """P[B = B̂]."""
        return sum(self.prior.values(), Fraction(0))

    @property
    def changes(self) -> bool:
        """Whether CDP compares anything: two values of a record are possible."""
        return self.secret.record is not None and len([v for v in self.prior if v != self.laws.model.absent]) > 1

    def put(self, database: Database, value: Label) -> Database:
        """The database after the record alone is changed."""
        record = self.secret.record
        return database if record is None else replaced(database, record, self.secret.domain.index(value))

    def law(self, value: Label, to: Label | None = None) -> Chances:
        """The law of the output given S = value and B̂; with `to`, after the record alone is changed to it."""
        law: dict[Label, Fraction] = {}
        for (v, database), p in self.weights.items():
            if v == value:
                for output, q in self.laws.of(database if to is None else self.put(database, to)).items():
                    law[output] = law.get(output, Fraction(0)) + p * q / self.prior[value]
        return law

    def np(self, values: Sequence[Label] | None = None) -> Worst:
        """NP's largest loss, of all possible values or of two."""
        pairs = permutations([v for v in self.prior if values is None or v in values], 2)
        return largest(worst_of(self.law(a), self.law(b), f"only if you are {a}", f"if you are {a}") for a, b in pairs)

    def cdp(self, values: Sequence[Label] | None = None) -> Worst:
        """CDP's largest loss, of all possible values or of two."""
        if not self.changes:
            return NO_LOSS
        found, absent = list[Worst](), self.laws.model.absent
        for a, b in permutations([v for v in self.prior if v != absent and (values is None or v in values)], 2):
            stays, goes = self.law(a), self.law(a, b)
            moved = f"if you are changed from {a} to {b}"
            found.append(worst_of(stays, goes, f"only if you stay {a}", f"if you stay {a}"))
            found.append(worst_of(goes, stays, f"only {moved}", moved))
        return largest(found)

    @cached_property
    def losses(self) -> tuple[Worst, Worst]:
        """NP's and CDP's largest loss."""
        return self.np(), self.cdp()


class Laws:
    """A model with its cases, and the laws of its mechanism, each made once."""

    def __init__(self, model: Model) -> None:
        """Refuse a model that has no worlds, or too many to be listed."""
        need_distributions(model, "a drawing of worlds")
        self.model = model
        self._made: dict[Database, Chances] = {}
        worlds = sum(theta.count() for theta in model.thetas)
        if max(theta.count() for theta in model.thetas) > MOST_WORLDS or worlds * len(model.secrets) > MOST_LAWS:
            raise not_drawn("it has too many", f"at most {MOST_WORLDS:,} worlds")

    def of(self, database: Database) -> Chances:
        """The law of the output for one database, drawn or not."""
        if database not in self._made:
            law = self.model.mechanism.law(database)
            self._made[database] = dict(law.chances())
        return self._made[database]

    @cached_property
    def cases(self) -> list[Case]:
        """Every case of the model, in the order of the file."""
        return [
            case for theta in self.model.thetas for secret in self.model.secrets for case in self._cases(theta, secret)
        ]

    def _cases(self, theta: Theta, secret: Secret) -> Iterator[Case]:
        weights: dict[Label, dict[tuple[Label, Database], Fraction]] = {}
        for world, known, p in theta.known_worlds():
            place, here = (secret.of(world), world.database), weights.setdefault(known, {})
            if p:
                here[place] = here.get(place, Fraction(0)) + p
        for known, here in ((known, here) for known, here in weights.items() if here):
            yield Case(self, theta, secret, known, here)


def not_drawn(reason: str, wanted: str) -> UnsupportedError:
    """Return the refusal of a drawing, with its reason."""
    return UnsupportedError(f"the worlds of this model are not drawn: {reason}", wanted=wanted)


@dataclass(frozen=True)
class Tile:
    """One world, or some that nobody tells apart: databases, the protected value, P, and P with B = B̂."""

    databases: tuple[Database, ...]
    value: Label
    probability: Fraction
    possible: Fraction
    law: Chances
    goes: int | None = None
    """The position of the tile to which CDP's arrow goes."""


@dataclass(frozen=True)
class Scene:
    """One case of a model, with its two likeliest values and their tiles.

    Raises:
        UnsupportedError: where there are more tiles or outputs than can be told apart.

    """

    case: Case

    @property
    def model(self) -> Model:
        """The model that is drawn."""
        return self.case.laws.model

    @cached_property
    def joint(self) -> dict[tuple[Label, Database], Fraction]:
        """P[S = v and D = d], whatever is known."""
        found: dict[tuple[Label, Database], Fraction] = {}
        for case in self.case.laws._cases(self.case.theta, self.case.secret):  # noqa: SLF001
            for place, p in case.weights.items():
                found[place] = found.get(place, Fraction(0)) + p
        return found

    @cached_property
    def total(self) -> dict[Label, Fraction]:
        """P[S = v], whatever is known."""
        return {
            value: mass
            for value in self.case.secret.domain
            if (mass := sum((p for (v, _), p in self.joint.items() if v == value), Fraction(0)))
        }

    @cached_property
    def values(self) -> tuple[Label, ...]:
        """The values that have a band: the two likeliest given B̂, in the order of the domain."""
        prior, nothing = self.case.prior, Fraction(0)
        likely = sorted(self.total, key=lambda v: (-prior.get(v, nothing), -self.total[v]))[:2]
        return tuple(value for value in self.total if value in likely)

    def other(self, value: Label) -> Label | None:
        """The value of the other band; None where nothing is changed."""
        possible = [v for v in self.values if v in self.case.prior and v != self.model.absent]
        if not self.case.changes or value not in possible or len(possible) < 2:
            return None
        return next(v for v in possible if v != value)

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles, each band in the same order of what the other records are; `goes` leads from one to another."""
        places = dict.fromkeys(place for place in sorted(self.joint, key=lambda one: one[1]) if place[0] in self.values)
        for value, database in list(places):
            other = self.other(value)
            if other is not None and (value, database) in self.case.weights:
                places.setdefault((other, self.case.put(database, other)), None)
        merged = len(places) > MOST_TILES
        groups = collected((self._alike(place) if merged else place, place) for place in places)
        if len(groups) > MOST_TILES:
            many = f"{len(groups)} kinds of worlds can be told apart" if merged else f"it has {len(groups)} worlds"
            raise not_drawn(many, f"at most {MOST_TILES}")
        of = {place: number for number, members in enumerate(groups.values()) for place in members}
        tiles = []
        for members in groups.values():
            value, database = members[0]
            other = self.other(value)
            goes = of.get((other, self.case.put(database, other))) if other is not None else None
            tiles.append(
                Tile(
                    tuple(d for _, d in members),
                    value,
                    sum((self.joint.get(place, Fraction(0)) for place in members), Fraction(0)),
                    sum((self.case.weights.get(place, Fraction(0)) for place in members), Fraction(0)),
                    self.case.laws.of(database),
                    goes if any(place in self.case.weights for place in members) else None,
                )
            )
        return tuple(tiles)

    def _alike(self, place: tuple[Label, Database]) -> object:
        """What attacker and mechanism tell of a world, and of the world to which the arrow goes."""
        value, database = place
        other = self.other(value)
        ends = [place] if other is None else [place, (other, self.case.put(database, other))]
        return value, tuple(
            (end in self.joint, end in self.case.weights, tuple(sorted(self._shares(end[1])))) for end in ends
        )

    def _shares(self, database: Database) -> list[tuple[str, Fraction]]:
        return [(output.text, p) for output, p in self.case.laws.of(database).items()]

    @cached_property
    def outputs(self) -> tuple[Label, ...]:
        """The outputs of all tiles, in order."""
        found = in_order(dict.fromkeys(output for tile in self.tiles for output in tile.law))
        if len(found) > MOST_OUTPUTS:
            raise not_drawn(f"it has {len(found)} outputs", f"at most {MOST_OUTPUTS}")
        return tuple(found)

    @cached_property
    def sure(self) -> dict[int, Label]:
        """The records that she knows for sure, with their values: all that she thinks possible agree on them."""
        here = [database for _, database in self.case.weights]
        everywhere = [database for _, database in self.joint]
        return {
            i: self.model.values[here[0][i]]
            for i in range(self.model.size)
            if len({d[i] for d in here}) == 1 < len({d[i] for d in everywhere})
        }

    def beliefs(self) -> list[tuple[Label | None, dict[Label, Fraction]]]:
        """What she believes of the bands' values, before (None) and after each output that she can see."""
        prior, total = self.case.prior, self.case.chance
        rows: list[tuple[Label | None, dict[Label, Fraction]]] = [(None, {v: p / total for v, p in prior.items()})]
        laws = {value: self.case.law(value) for value in prior}
        for output in self.outputs:
            joint = {value: p * laws[value].get(output, Fraction(0)) for value, p in prior.items()}
            seen = sum(joint.values())
            if seen:
                rows.append((output, {value: p / seen for value, p in joint.items()}))
        return rows


def scene_of(
    model: Model,
    *,
    distribution: str | None = None,
    record: int | None = None,
    knowledge: str | None = None,
) -> Scene:
    """Return the scene of a model: of the named distribution, record and knowledge, the case with the largest loss.

    >>> from verifier.model import build
    >>> twins = {"table": [{"database": [0, 0], "probability": "1/2"}, {"database": [1, 1], "probability": "1/2"}]}
    >>> pair = build(size=2, values=[0, 1], distribution=twins, mechanism={"kind": "parity", "value": 1})
    >>> [(str(tile.value), tile.databases[0], str(tile.probability)) for tile in scene_of(pair).tiles]
    [('0', (0, 0), '1/2'), ('1', (1, 1), '1/2'), ('1', (1, 0), '0'), ('0', (0, 1), '0')]

    Raises:
        InputError: where no case has the names.
        UnsupportedError: for a model that cannot be drawn; the message says why.

    """
    cases = Laws(model).cases
    named: list[tuple[str, object, Callable[[Case], object]]] = [
        ("distribution", distribution, lambda case: case.theta.name),
        ("record", record, lambda case: case.secret.record),
        ("knowledge", knowledge, lambda case: case.knowledge.text),
    ]
    for name, given, of in named:
        if given is not None:
            names = dict.fromkeys(of(case) for case in cases)
            cases = [case for case in cases if of(case) == given]
            if not cases:
                raise InputError(f"there is no {name} {given}", where=name, wanted=one_of(list(map(str, names))))
    return Scene(max(cases, key=lambda case: (*sorted((loss.rank for loss in case.losses), reverse=True), case.chance)))
