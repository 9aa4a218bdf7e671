"""The definitions over a table of worlds, spelled out in SMT-LIB 2 (DMKB20, Definitions 2, 3, 5, 6, 12 and 13).

The file holds the worlds and the mechanism; every sum, every conditional law and every counterfactual one is left to
the judge. `compared` says that something is compared, `lawful` that the tables are laws, and `holds` is the definition.
"""

from __future__ import annotations

from itertools import product

from verifier.wings.judges import smt_dependency
from verifier.wings.judges.smt_text import (
    FINITE,
    INFINITE,
    Mode,
    call,
    define,
    every,
    excess,
    heading,
    integers,
    real,
    some,
)
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import NOTHING, Tables, plain


def statement(tables: Tables) -> list[str]:
    """Tables, laws and the definition."""
    lines = [*names(tables), *mechanism(tables), *worlds(tables), *_lawful(tables), *excess(tail=tables.question.tail)]
    if tables.question.base == "dp":
        return lines + _neighbours(tables)
    for theta, record in tables.places():
        lines += _laws(tables, theta, record)
    guards: list[str] = []
    for mode in (FINITE, INFINITE):
        inequalities: list[str] = []
        for theta, record in tables.places():
            lines += _apart(tables, theta, record, mode)
            found = _compared(tables, theta, record, mode)
            inequalities += [f"(=> {guard} {inequality})" for guard, inequality in found]
            guards += [guard for guard, _ in found] if mode is FINITE else []
        lines += [
            *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}"),
            define(f"holds{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)),
        ]
    return [*lines, define("compared", [], "Bool", some(guards))]


def names(tables: Tables) -> list[str]:
    """What the numbers stand for."""
    labels = tables.labels
    each = (
        ("value", labels.values),
        ("sensitive value", labels.domain if tables.secrets is None else ()),
        ("knowledge", tuple("nothing" if one == NOTHING else one for one in labels.knowledge)),
        ("output", labels.outputs),
        ("distribution", labels.thetas),
    )
    lines = [f"; {what} {k}: {plain(name)}" for what, found in each for k, name in enumerate(found)]
    return [*heading("Labels are numbers"), *lines]


def database(tables: Tables) -> list[str]:
    """The parameters d0, d1, …: a database."""
    return [f"d{i}" for i in range(tables.size)]


def mechanism(tables: Tables) -> list[str]:
    """P[M(d0, d1, …) = o] as a function; 0 outside its table."""

    def chosen(rows: list[tuple[tuple[int, ...], dict[int, str]]], depth: int) -> str:
        if depth == tables.size:
            body = "0.0"
            for o, p in reversed(rows[0][1].items()):
                body = f"(ite (= o {o}) {p} {body})"
            return body
        body = "0.0"
        for v in sorted({row[depth] for row, _ in rows}, reverse=True):
            body = f"(ite (= d{depth} {v}) {chosen([one for one in rows if one[0][depth] == v], depth + 1)} {body})"
        return body

    rows = [(row, {o: real(p) for o, p in law.items()}) for row, law in tables.mechanism.items()]
    return [
        *heading("The mechanism: the probability of output o on the database (d0, d1, ...)"),
        define("M", integers(*database(tables), "o"), "Real", chosen(rows, 0) if rows else "0.0"),
    ]


def worlds(tables: Tables) -> list[str]:
    """The rows of each θ: p is the probability, d the database, k the knowledge, s the sensitive value."""
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
    """The database of a world; a replaced record is b."""
    return ["b" if i == replaced else f"d{theta}_{world}_{i}" for i in range(tables.size)]


def _lawful(tables: Tables) -> list[str]:
    """The worlds of each θ sum to 1, and so does the mechanism on every database that is reached; nothing is < 0."""
    fine = []
    for t, rows in enumerate(tables.thetas):
        fine += [f"(= 1.0 {add(f'p{t}_{w}' for w in range(len(rows)))})"]
        fine += [f"(>= p{t}_{w} 0.0)" for w in range(len(rows))]
        reached = [of_world(tables, t, w) for w in range(len(rows))]
        if tables.question.base in {"cdp", "ibcdp"}:
            reached += [
                [str(b) if one == "b" else one for one in of_world(tables, t, w, i)]
                for w in range(len(rows))
                for i in tables.secrets or ()
                for b in tables.values
            ]
        fine += [call("lawful-at", *one) for one in reached]
    if tables.question.base == "dp":
        fine += [call("lawful-at", *one) for one in product(tables.values, repeat=tables.size)]
    there = [call("M", *database(tables), o) for o in tables.outputs]
    law = every([f"(= 1.0 {add(there)})", *(f"(>= {p} 0.0)" for p in there)])
    return [
        *heading("The tables are laws"),
        define("lawful-at", integers(*database(tables)), "Bool", law),
        define("lawful", [], "Bool", every(dict.fromkeys(fine))),
    ]


def _laws(tables: Tables, theta: int, record: int | None) -> list[str]:
    """Masses and conditional laws of one θ and one secret, as functions of B̂ = k, of its value a, and of o."""
    at, count = _at(theta, record), len(tables.thetas[theta])
    secret = [f"s{theta}_{w}" if record is None else f"d{theta}_{w}_{record}" for w in range(count)]

    def summed(term: list[str]) -> str:
        return add(f"(ite (and (= k{theta}_{w} k) (= {secret[w]} a)) {term[w]} 0.0)" for w in range(count))

    plain_ = [f"(* p{theta}_{w} {call('M', *of_world(tables, theta, w), 'o')})" for w in range(count)]
    more = smt_dependency.against(tables, at) if tables.question.base == "dependency" else []
    lines = [
        *heading(f"Distribution {theta}, {'the sensitive value' if record is None else f'record {record}'} = a"),
        "; P[B = k and it is a]; P[... and M(D) = o]; P[M(D) = o given both]",
        define(f"mass{at}", integers("k", "a"), "Real", summed([f"p{theta}_{w}" for w in range(count)])),
        define(f"joint{at}", integers("k", "a", "o"), "Real", summed(plain_)),
        define(f"law{at}", integers("k", "a", "o"), "Real", f"(/ (joint{at} k a o) (mass{at} k a))"),
    ]
    if tables.question.base not in {"cdp", "ibcdp"}:
        return lines + more
    moved = [f"(* p{theta}_{w} {call('M', *of_world(tables, theta, w, record), 'o')})" for w in range(count)]
    return [
        *lines,
        f"; the same for M(D with record {record} set to b)",
        define(f"joint-set{at}", integers("k", "a", "b", "o"), "Real", summed(moved)),
        define(f"law-set{at}", integers("k", "a", "b", "o"), "Real", f"(/ (joint-set{at} k a b o) (mass{at} k a))"),
    ]


def _at(theta: int, record: int | None) -> str:
    return f"_{theta}_{'S' if record is None else record}"


def _apart(tables: Tables, theta: int, record: int | None, mode: Mode) -> list[str]:
    """How far the two laws of a comparison are apart."""
    at, base = _at(theta, record), tables.question.base

    def apart(name: str, parameters: list[str], p: list[str], q: list[str]) -> str:
        terms = [call(f"excess{mode.suffix}", *mode.arguments, x, y) for x, y in zip(p, q, strict=True)]
        return define(f"{name}{mode.suffix}{at}", [*mode.parameters, *integers(*parameters)], "Real", add(terms))

    if base == "ibcdp":
        values = tables.domain
        belief = [f"(/ (joint{at} k {v} o) {_told(tables, at, 'k', 'o')})" for v in values]
        other = [f"(/ (joint-set{at} k {v} b o) {_told(tables, at, 'k', 'o', 'b')})" for v in values]
        return [
            "; beliefs about the record after M(D) = o, and after M(D with the record set to b) = o; and the reverse",
            apart("apart", ["k", "b", "o"], belief, other),
            apart("reverse", ["k", "b", "o"], other, belief),
        ]
    p = [f"(law{at} k a {o})" for o in tables.outputs]
    if base == "cdp":
        q = [f"(law-set{at} k a b {o})" for o in tables.outputs]
        return [apart("apart", ["k", "a", "b"], p, q), apart("reverse", ["k", "a", "b"], q, p)]
    if base == "dependency":
        each = [(way, [f"(R-{way}{at} k a b {o})" for o in tables.outputs]) for way in smt_dependency.ways(tables)]
        return [apart(f"apart-{way}", ["k", "a", "b"], p, against) for way, against in each]
    return [apart("apart", ["k", "a", "b"], p, [f"(law{at} k b {o})" for o in tables.outputs])]


def _told(tables: Tables, at: str, k: object, o: object, b: object | None = None) -> str:
    """P[B = k and M(D) = o], or with the record set to b."""
    if b is None:
        return add(f"(joint{at} {k} {v} {o})" for v in tables.domain)
    return add(f"(joint-set{at} {k} {v} {b} {o})" for v in tables.domain)


def _compared(tables: Tables, theta: int, record: int | None, mode: Mode) -> list[tuple[str, str]]:
    """When something is compared, and the inequality that is asked then."""
    at, base, reading = _at(theta, record), tables.question.base, tables.question.reading
    heard = tables.heard(theta)

    def possible(k: int, a: int) -> str:
        return f"(> (mass{at} {k} {a}) 0.0)"

    def within(name: str, *arguments: int) -> str:
        return f"(<= {call(name + mode.suffix + at, *mode.arguments, *arguments)} d)"

    def both(*arguments: int) -> str:
        one, other = within("apart", *arguments), within("reverse", *arguments)
        return one if reading == "one-order" else every([one, other])

    if base == "ibcdp":
        asked = product(heard, tables.domain, tables.outputs)
        guards = {
            (k, b, o): [f"(> {_told(tables, at, k, o)} 0.0)", f"(> {_told(tables, at, k, o, b)} 0.0)"]
            + ([possible(k, b)] if reading == "possible-values" else [])
            for k, b, o in asked
        }
        return [(every(guard), both(*place)) for place, guard in guards.items()]
    pairs = [(a, b) for a, b in product(tables.domain, repeat=2) if a != b]
    if base == "cdp":
        needs = (0,) if reading == "all-values" else (0, 1)
        return [(every(possible(k, pair[n]) for n in needs), both(k, *pair)) for pair in pairs for k in heard]
    pairs = [(a, b) for a, b in pairs if reading != "one-order" or a < b]
    if base == "ppkdp":
        return [_averaged(tables, theta, record, pair, mode) for pair in pairs]
    names = [f"apart-{way}" for way in smt_dependency.ways(tables)] if base == "dependency" else ["apart"]
    return [
        (every([possible(k, a), possible(k, b)]), every(within(name, k, a, b) for name in names))
        for a, b in pairs
        for k in heard
    ]


def _averaged(tables: Tables, theta: int, record: int | None, pair: tuple[int, int], mode: Mode) -> tuple[str, str]:
    """The average over B̂ given a; what is impossible with b adds nothing (`infinite-loss`: its whole mass)."""
    at, (a, b), heard = _at(theta, record), pair, tables.heard(theta)
    everything = tables.question.reading == "infinite-loss"
    can = {(k, v): f"(> (mass{at} {k} {v}) 0.0)" for k in heard for v in pair}
    whole = add(f"(mass{at} {k} {a})" for k in heard)
    terms = []
    for k in heard:
        share = f"(/ (mass{at} {k} {a}) {whole})"
        apart = call(f"apart{mode.suffix}{at}", *mode.arguments, k, a, b)
        otherwise = share if everything else "0.0"
        terms.append(f"(ite {can[k, a]} (ite {can[k, b]} (* {share} {apart}) {otherwise}) 0.0)")
    met = some(every([can[k, a], can[k, b]]) for k in heard)
    if everything:
        met = every([some(can[k, v] for k in heard) for v in pair])
    return met, f"(<= {add(terms)} d)"


def _neighbours(tables: Tables) -> list[str]:
    """Differential privacy: all databases of T^n, one record replaced, both orders."""
    lines: list[str] = []
    d = database(tables)
    for mode in (FINITE, INFINITE):
        inequalities = []
        for i in tables.secrets or ():
            other = [*d[:i], "b", *d[i + 1 :]]
            terms = [
                call(f"excess{mode.suffix}", *mode.arguments, call("M", *d, o), call("M", *other, o))
                for o in tables.outputs
            ]
            lines += [
                *heading(f"Record {i} of (d0, d1, ...) set to b"),
                define(f"apart{mode.suffix}_{i}", [*mode.parameters, *integers(*d, "b")], "Real", add(terms)),
            ]
            inequalities += [
                f"(<= {call(f'apart{mode.suffix}_{i}', *mode.arguments, *one, b)} d)"
                for one in product(tables.values, repeat=tables.size)
                for b in tables.values
                if b != one[i] and (tables.question.reading != "one-order" or one[i] < b)
            ]
        lines += [
            *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}: all databases of T^n"),
            define(f"holds{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)),
        ]
    met = "true" if len(tables.values) > 1 else "false"
    return [*lines, define("compared", [], "Bool", met)]
