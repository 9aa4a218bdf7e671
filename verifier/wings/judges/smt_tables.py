"""Tables of worlds and the mechanism in SMT-LIB 2: constants, functions, and the condition that they are laws."""

from __future__ import annotations

from itertools import product

from verifier.wings.judges.smt_text import call, condition, define, every, heading, integers, looked_up, real
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import Tables


def names(tables: Tables) -> list[str]:
    """Comments that say which label each number stands for."""
    return [*heading("Labels are numbers"), *(f"; {line}" for line in tables.names())]


def database(tables: Tables) -> list[str]:
    """The parameters d0, d1, … that stand for a database."""
    return [f"d{i}" for i in range(tables.size)]


def mechanism(tables: Tables) -> list[str]:
    """The lines that define P[M(d0, d1, …) = o] as a function, which is 0 outside its table."""

    def chosen(rows: list[tuple[tuple[int, ...], dict[int, str]]], depth: int) -> str:
        if depth == tables.size:
            return looked_up("o", rows[0][1])
        by_value: dict[int, list[tuple[tuple[int, ...], dict[int, str]]]] = {}
        for entry in sorted(rows, key=lambda entry: entry[0][depth]):
            by_value.setdefault(entry[0][depth], []).append(entry)
        return looked_up(f"d{depth}", {v: chosen(alike, depth + 1) for v, alike in by_value.items()})

    rows = [(row, {o: real(p) for o, p in law.items()}) for row, law in tables.mechanism.items()]
    return [
        *heading("The mechanism: the probability of output o on the database (d0, d1, ...)"),
        define("M", integers(*database(tables), "o"), "Real", chosen(rows, 0) if rows else "0.0"),
    ]


def worlds(tables: Tables) -> list[str]:
    """The lines of the worlds of each θ: p is the probability, d the database, k the knowledge, s the value of S."""
    lines: list[str] = []
    for t, rows in enumerate(tables.thetas):
        lines += heading(
            f"Distribution {t}: in world w, p{t}_w is the probability, d{t}_w_i record i, k{t}_w the knowledge"
        )
        for w, world in enumerate(rows):
            lines += [
                define(f"p{t}_{w}", [], "Real", real(world.probability)),
                define(f"k{t}_{w}", [], "Int", str(world.knowledge)),
                *(define(f"d{t}_{w}_{i}", [], "Int", str(v)) for i, v in enumerate(world.database)),
            ]
            if tables.secrets is None:
                lines.append(define(f"s{t}_{w}", [], "Int", str(world.secret)))
    return lines


def of_world(tables: Tables, theta: int, world: int, replaced: int | None = None) -> list[str]:
    """The records of a world's database as terms; a replaced record is b."""
    return ["b" if i == replaced else f"d{theta}_{world}_{i}" for i in range(tables.size)]


def lawful(tables: Tables) -> list[str]:
    """The lines that define `lawful`: each θ, and the mechanism on each reached database, sums to 1; nothing is < 0."""
    conditions = []
    for t, rows in enumerate(tables.thetas):
        conditions += [f"(= 1.0 {add(f'p{t}_{w}' for w in range(len(rows)))})"]
        conditions += [f"(>= p{t}_{w} 0.0)" for w in range(len(rows))]
        reached = [of_world(tables, t, w) for w in range(len(rows))]
        if tables.question.reach == "change":
            reached += [
                [str(b) if label == "b" else label for label in of_world(tables, t, w, i)]
                for w in range(len(rows))
                for i in tables.secrets or ()
                for b in tables.values
            ]
        conditions += [call("lawful-at", *arguments) for arguments in reached]
    if tables.question.reach == "all":
        conditions += [call("lawful-at", *arguments) for arguments in product(tables.values, repeat=tables.size)]
    probabilities = [call("M", *database(tables), o) for o in tables.outputs]
    law = every([f"(= 1.0 {add(probabilities)})", *(f"(>= {p} 0.0)" for p in probabilities)])
    return [
        *heading("The tables are laws"),
        define("lawful-at", integers(*database(tables)), "Bool", law),
        condition("lawful", dict.fromkeys(conditions)),
    ]
