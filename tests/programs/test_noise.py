"""Noise that is infinite: sums of conjunctions, programs that draw it, outputs that are noisy numbers."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one

from verifier.errors import PkdpError
from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.numbers import Function
from verifier.programs import Interpreter, Source, may_return_noise
from verifier.programs.noise import Inequality, Weight
from verifier.programs.piecewise import Piecewise
from verifier.wings.families.decide import decide_family

pytestmark = pytest.mark.quick
HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)


def weight_of(ratios: Sequence[Any]) -> Weight:
    """The weight of independent noises with these ratios, named 0, 1, …"""
    weight = Weight()
    for noise, ratio in enumerate(ratios):
        weight = weight.with_noise(noise, ratio)
    return weight


def probability(ratios: Sequence[Any], conjunction: Sequence[Inequality]) -> Any:
    return weight_of(ratios).where(conjunction).summed().number


def in_window(ratios: Sequence[Fraction], conjunction: Sequence[Inequality], width: int) -> Fraction:
    """The same, with every noise at most `width` in size: below the probability by at most what lies outside."""
    total = Fraction(0)
    for values in product(range(-width, width + 1), repeat=len(ratios)):
        known = dict(enumerate(values))
        if all((known[x] if x is not None else 0) - (known[y] if y is not None else 0) >= c for x, y, c in conjunction):
            part = Fraction(1)
            for ratio, value in zip(ratios, values, strict=True):
                part *= (1 - ratio) / (1 + ratio) * ratio ** abs(value)
            total += part
    return total


def conjunction_of(drawn: random.Random, noises: int, longest: int) -> list[Inequality]:
    """Random inequalities, among them cycles and bounds, most of which some point near 0 meets."""
    point = [drawn.randint(-2, 2) for _ in range(noises)]
    found: list[Inequality] = []
    for _ in range(drawn.randint(0, longest)):
        x, y = drawn.sample([*range(noises), None], 2)
        gap = (0 if x is None else point[x]) - (0 if y is None else point[y])
        found.append((x, y, gap - drawn.choice([0, 0, 1, 2, 3, -1] if drawn.random() < HALF / 5 else [0, 0, 1, 2, 3])))
    return found


def test_conjunctions_are_those_of_long_windows() -> None:
    drawn = random.Random(5)  # noqa: S311 - reproducible
    positive = 0
    for _ in range(20):
        ratios = [Fraction(1, drawn.randint(3, 6)) for _ in range(drawn.randint(1, 3))]
        conjunction = conjunction_of(drawn, len(ratios), 5)
        inside, whole = in_window(ratios, conjunction, 5), in_window(ratios, [], 5)
        exact = probability(ratios, conjunction)
        assert inside <= exact <= inside + 1 - whole, (ratios, conjunction)
        positive += exact > 0
    assert positive > 12


def test_an_inequality_and_its_opposite_split_a_conjunction() -> None:
    drawn = random.Random(11)  # noqa: S311 - reproducible
    positive = 0
    for _ in range(60):
        ratios = [Fraction(1, drawn.randint(2, 4)) for _ in range(drawn.randint(2, 6))]
        conjunction = conjunction_of(drawn, len(ratios), 11)
        x, y = drawn.sample(range(len(ratios)), 2)
        c = drawn.randint(-3, 3)
        both = [probability(ratios, [*conjunction, more]) for more in ((x, y, c), (y, x, 1 - c))]
        assert sum(both) == probability(ratios, conjunction), (ratios, conjunction, x, y, c)
        positive += all(both)
    assert positive > 20


def test_a_symbolic_conjunction_is_the_rational_one_at_each_ratio() -> None:
    drawn = random.Random(7)  # noqa: S311 - reproducible
    z = Function.parameter("z")
    for _ in range(25):
        powers = [drawn.randint(1, 3) for _ in range(drawn.randint(1, 4))]
        conjunction = conjunction_of(drawn, len(powers), 6)
        symbolic = probability([z**power for power in powers], conjunction)
        for at in (HALF, Fraction(2, 7)):
            value = symbolic.at(at) if isinstance(symbolic, Function) else symbolic
            assert value == probability([at**power for power in powers], conjunction)


def test_a_cycle_of_three_noises() -> None:
    assert probability([HALF] * 3, [(0, 1, 0), (1, 2, 0), (0, 2, 2)]) == Fraction(31, 189)


def test_classes_of_a_modulus_are_all_of_the_noise() -> None:
    noise = Piecewise.noise(THIRD).shifted(2)
    for step in (1, 2, 5):
        parts = [noise.every(step, start) for start in range(step)]
        assert sum(part.total() for part in parts) == 1
        assert [parts[n % step].at(n // step) for n in range(-6, 7)] == [noise.at(n) for n in range(-6, 7)]


# --- programs --------------------------------------------------------------------------------------------------------


def law_of(text: str, database: Sequence[object], constants: Mapping[str, object] | None = None) -> dict[Any, Any]:
    law: dict[Any, Any] = {}
    for value, chance in Interpreter(Source(text, "program", constants or {})).law(database):
        key = tuple(value) if isinstance(value, list) else value
        law[key] = law.get(key, 0) + chance
    return law


SPARSE = """
def sparse(db, rng):
    threshold = 1 + rng.geometric("1/3")
    for index, answer in enumerate(db):
        if answer + rng.geometric("1/5") >= threshold:
            return index
    return "none"
"""
LARGEST = """
def largest(db, rng):
    noisy = [x + rng.geometric_noise(1/2) for x in db]
    return max(range(len(db)), key=lambda i: noisy[i])
"""
RUNNING = """
def largest(db, rng):
    best = None
    for i, x in enumerate(db):
        v = x + rng.geometric_noise(1/2)
        if best is None or v > best:
            best, at = v, i
    return at
"""


def test_sparse_vector_of_two_queries() -> None:
    law = law_of(SPARSE, (0, 0))
    assert law == {0: Fraction(13, 42), 1: Fraction(935, 9324), "none": Fraction(5503, 9324)}
    assert law[1] / law_of(SPARSE, (2, 0))[1] == Fraction(935, 47)


def test_noisy_max_of_a_list_and_of_a_loop() -> None:
    first, second = law_of(LARGEST, (0, 0)), law_of(LARGEST, (1, -1))
    assert max(first[output] / second[output] for output in (0, 1)) == Fraction(44, 17)
    for database in ((0, 0), (1, -1), (1, 0, 2), (0, 2, 2, 1)):
        assert law_of(RUNNING, database) == law_of(LARGEST, database)


def test_states_that_differ_in_their_history_alone_are_one() -> None:
    """2^19 paths."""
    assert sum(law_of(SPARSE, [1, 0] * 10).values()) == 1
    assert sum(law_of(RUNNING, [1, 0] * 5).values()) == 1


PARTS = """
def f(db, rng):
    x = db[0] + rng.geometric_noise(1/3)
    y = rng.geometric_noise(1/2)
    low = min(max(x, -1), 2)
    parts = sorted([low, y, db[0]])
    return {}
"""


@pytest.mark.parametrize(
    "shown",
    [
        "(x >= y, x == 2, y != 0, abs(x) > 1)",
        "(low, low * 2, low + y >= 1, [5, 6, 7][max(low, 0)])",
        "(parts[0] < 0, parts[1] == db[0], max(x, y) > 1, min(x, y, 0) < 0)",
        "(-x > 0, 1 - y >= 0, bool(y), x in [0, 1])",
        "sum(1 for t in [0, 1, 2] if x >= t)",
    ],
)
def test_programs_are_those_with_noise_that_is_clamped_far_out(shown: str) -> None:
    """Beyond ±12 noise of ratio 1/3 or 1/2 has less than 2^-11 of the probability."""
    text = PARTS.replace("{}", shown)
    clamped = text.replace("(1/3)", "(1/3, -12, 12)").replace("(1/2)", "(1/2, -12, 12)")
    for database in ((0,), (1,)):
        exact, near = law_of(text, database), law_of(clamped, database)
        assert sum(exact.values()) == 1
        distance = sum(abs(exact.get(output, 0) - near.get(output, 0)) for output in {*exact, *near})
        assert distance < Fraction(1, 500)
        assert len(exact) > 1


def test_a_function_of_the_program_sees_the_noises_that_it_is_given() -> None:
    helpers = """
def above(x, t):
    return x >= t
def noisier(x, t, rng):
    y = t + rng.geometric_noise(1/2)
    return (x >= y, y)
def f(db, rng):
    t = rng.geometric_noise(1/2)
    u = rng.geometric_noise(1/2)
    x = db[0] - rng.geometric_noise(1/3)
    a = above(1 + x, t)
    p, y = noisier(x, 1, rng)
    return (a, above(u, y), p, t >= u)
"""
    inline = """
def f(db, rng):
    t = rng.geometric_noise(1/2)
    u = rng.geometric_noise(1/2)
    x = db[0] + rng.geometric_noise(1/3)
    y = 1 + rng.geometric_noise(1/2)
    return (x + 1 >= t, u >= y, x >= y, t >= u)
"""
    assert law_of(helpers, (1,)) == law_of(inline, (1,))
    assert len(law_of(inline, (1,))) > 8


def test_noise_is_drawn_again_until_it_fits() -> None:
    text = """
def f(db, rng):
    while True:
        x = rng.geometric_noise(1/2)
        if 0 <= x <= 2:
            return min(max(x, 0), 2) % 10
"""
    assert law_of(text, ()) == {0: Fraction(4, 7), 1: Fraction(2, 7), 2: Fraction(1, 7)}


def test_a_quotient_of_noise_is_a_noise() -> None:
    text = "def f(db, rng):\n    x = rng.geometric_noise(1/3)\n    y = (x + db[0]) // 3\n    return (y >= 1, y == -1)"
    law = law_of(text, (1,))
    beyond = THIRD**2 / (1 + THIRD)
    assert law[True, False] == beyond
    assert law[False, True] == THIRD**2 / (1 + THIRD) - THIRD**5 / (1 + THIRD)


def test_modulo_of_noise_is_a_sum_of_series() -> None:
    law = law_of("def f(db, rng):\n    return (db[0] + rng.geometric_noise(1/3)) % 5", (3,))
    share = Fraction(1, 2) / (1 - Fraction(1, 243))
    assert law == {(3 + k) % 5: share * (THIRD**k + THIRD ** (5 - k)) for k in range(1, 5)} | {
        3: share * (1 + THIRD**5)
    }


REFUSED = [
    ("return x + y >= 1", "the sum of two noises", "line 2 and line 3"),
    ("return x - y >= 1", "the difference of two noises", "compare them: x >= y + 1"),
    ("return 2 * x", "a multiple of a noise", "clamp one"),
    ("return {x: 1}", "cannot be a key", "line 2"),
    ("return [x % 3, x >= 1]", "used again after % or //", "line 2"),
    ("return db[x]", "a place in a list", "clamp one"),
    ("return rng.flip(x)", "the noisy number of line 2 is not a number", "flip"),
    ("while rng.flip(1/2):\n        pass\n    return x >= 1", "in use in the next round", "clamped"),
    ("return x >= db", "not supported", "line 4"),
]


@pytest.mark.parametrize(("body", "problem", "hint"), REFUSED)
def test_what_cannot_be_decided_is_refused(body: str, problem: str, hint: str) -> None:
    text = f"def f(db, rng):\n    x = rng.geometric_noise(1/2)\n    y = rng.geometric_noise(1/3)\n    {body}\n"
    text = text.replace("def f(db, rng):\n    x", "def f(db, rng):\n    x")
    with pytest.raises(PkdpError) as error:
        law_of(text, (0, 1))
    assert problem in str(error.value)
    assert hint in str(error.value)


# --- outputs ---------------------------------------------------------------------------------------------------------


def model_of(body: str, values: str = "[0, 1]", size: int = 3, more: str = "") -> Any:
    program = f'program = """def f(db, rng):\n    {body}"""'
    mechanism = program if body.startswith(("return", "n =", "if", "x =")) else body
    return loads_any(f"size = {size}\nvalues = {values}\n{more}\n[mechanism]\n{mechanism}\n")


def laws(model: Any) -> dict[tuple[int, ...], dict[str, Fraction]]:
    found = {}
    for database in product(range(len(model.values)), repeat=model.size):
        law = model.mechanism.law(database)
        found[database] = {output.text: law.probability(output) for output in law.outcomes}
    return found


STEPS = [
    ("return sum(db) + rng.geometric_noise(1/2)", "count", "1/2"),
    ("return [db.count(0) + rng.geometric_noise(1/3), db.count(1) + rng.geometric_noise(1/3)]", "histogram", "1/3"),
]


@pytest.mark.parametrize(("body", "kind", "p"), STEPS)
@pytest.mark.parametrize("more", ["", '[policy]\ndivergence = "abs-1"\ntests = [{ 7 = "1" }]'])
def test_a_noisy_count_is_the_step_of_noise(body: str, kind: str, p: str, more: str) -> None:
    """With the same labels of tails, and the integers kept apart that the file names."""
    counted = "value = 1\n" if kind == "count" else ""
    more = more if kind == "count" else ""
    step = model_of(f'kind = "{kind}"\n{counted}then = [{{ kind = "geometric-noise", p = "{p}" }}]', more=more)
    program = model_of(body, more=more)
    assert laws(program) == laws(step)
    assert program.mechanism.tails == step.mechanism.tails


def test_a_count_that_is_shown_from_two_on() -> None:
    found = laws(model_of('n = sum(db) + rng.geometric_noise(1/2)\n    return n if n >= 2 else "none"'))
    assert {output for law in found.values() for output in law} == {"none", "2", "3", "> 3"}
    assert found[0, 0, 0]["none"] / found[0, 0, 1]["none"] == Fraction(5, 4)
    assert found[0, 0, 1]["none"] / found[0, 1, 1]["none"] == 2


def test_a_known_output_is_no_part_of_a_tail() -> None:
    found = laws(
        model_of("if rng.flip(1/2):\n        return 5 + db[0]\n    return db[0] + rng.geometric_noise(1/2)", size=1)
    )
    assert found[1,]["6"] == Fraction(97, 192)
    assert found[0,]["6"] == Fraction(1, 384)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return max([x + rng.geometric_noise(1/2) for x in db])", "not a single geometric series"),
        ("return sorted([x + rng.geometric_noise(1/2) for x in db])", "returned together"),
        ("return db[0] / 2 + rng.geometric_noise(1/2)", "a noisy fraction"),
        ('x = db[0] + rng.geometric_noise(1/2)\n    return x if x >= 0 else "> 1"', "is also a tail"),
        ("return db[0] + rng.geometric_noise(1/2 if db[1] else 1/3)", "another ratio elsewhere"),
    ],
)
def test_noisy_outputs_without_finitely_many_outcomes_are_refused(body: str, problem: str) -> None:
    with pytest.raises(PkdpError, match=problem):
        laws(model_of(body, size=2))


COMPARED = """x = rng.geometric_noise(1/2)
    y = db[0] + rng.geometric_noise(1/3)
    low, high = min(max(x, -1), 1), min(max(y, 0), 2)
    return "none" if x < y else {}"""


def test_clamped_numbers_that_were_compared_are_returned_by_their_values() -> None:
    """As if the program had looked them up, which needs their values."""
    looked_up = laws(model_of(COMPARED.format("[[-1, 0, 1][low + 1], [0, 1, 2][high]]"), size=1))
    assert laws(model_of(COMPARED.format("[low, high]"), size=1)) == looked_up
    assert set(looked_up[0,]) == {"none", "[-1,0]", "[0,0]", "[1,0]", "[1,1]", "[1,2]"}
    with pytest.raises(PkdpError, match="that were compared have too many values"):
        laws(model_of(COMPARED.replace("1), min", "9999), min").format("[low, high]"), size=1))


MAY_RETURN = [
    ("return rng.geometric_noise(1/2)", True),
    ("return rng.geometric_noise(1/2, 0, 1)", False),
    ("x = rng.geometric_noise(1/2)\n    return x >= 0", False),
    ("x = [rng.geometric_noise(1/2)]\n    y = x\n    return y[0]", True),
    ("x = []\n    x.append(rng.geometric_noise(1/2))\n    return max(x)", True),
    ("x = [rng.geometric_noise(1/2)]\n    return max(range(1), key=lambda i: x[i])", False),
    ("for x in [rng.geometric_noise(1/2)]:\n        return x", True),
    ("return rng.geometric_noise(1/2) % 3", False),
]


@pytest.mark.parametrize(("body", "may"), MAY_RETURN)
def test_whether_a_noisy_number_may_be_returned_is_read_from_the_text(body: str, may: bool) -> None:  # noqa: FBT001
    assert may_return_noise(Source(f"def f(db, rng):\n    {body}", "program")) is may


# --- every value of a parameter --------------------------------------------------------------------------------------

CLASSICS = tomllib.loads((Path(__file__).parent / "classics.toml").read_text(encoding="utf-8"))
MODEL = CLASSICS.pop("model")
BROKEN = [name for name, classic in CLASSICS.items() if "smallest" in classic]
BITS = ("SVT1", "SVT4", "SVT5", "SVT6")


@cache
def classic(name: str, database: tuple[int, ...], z: object) -> dict[Any, Any]:
    return law_of(CLASSICS[name]["program"], database, {"z": z})


def fails_at(name: str, first: tuple[int, ...], second: tuple[int, ...], z: Fraction) -> list[Any]:
    """The outputs that are more than e^ε times as likely on the first database."""
    p, q = classic(name, first, z), classic(name, second, z)
    return [output for output in p if p[output] * z ** CLASSICS[name]["claim"] > q.get(output, 0)]


@pytest.mark.parametrize("name", BROKEN)
def test_broken_sparse_vector_fails_at_the_published_smallest_pairs(name: str) -> None:
    """DiPC, its smallest counterexamples: on them, and on no smaller number of queries."""
    output, first, second = (tuple(CLASSICS[name]["smallest"][key]) for key in ("output", "first", "second"))
    ratios = [Fraction(k, 10) for k in range(1, 10)]
    assert any(output in fails_at(name, first, second, z) for z in ratios)
    for size in range(1, len(first)):
        for a, b in at_least_one(product(product((-1, 0, 1), repeat=size), repeat=2)):
            if all(abs(x - y) <= 1 for x, y in zip(a, b, strict=True)):
                assert not any(fails_at(name, a, b, z) for z in (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)))


def test_laws_of_classics_sum_to_one_for_every_ratio() -> None:
    z = Function.parameter("z")
    for name, database in at_least_one(product(BITS, ((0, 1), (1, -1, 0)))):
        law = classic(name, database, z)
        assert sum(law.values()) == 1
        at_half = {output: p.at(HALF) if isinstance(p, Function) else p for output, p in law.items()}
        assert at_half == classic(name, database, HALF)


def family_of(program: str, size: int = 1) -> Family:
    family = loads_any(MODEL.format(size=size, neighbours="every-entry-by-one", program=program))
    assert isinstance(family, Family)
    return family


@pytest.mark.parametrize(
    ("name", "size", "verdict"),
    [("SVT1", 2, "holds"), ("SVT3", 2, "holds"), ("SVT4", 1, "holds"), ("SVT4", 2, "fails")],
)
def test_sparse_vector_is_decided_for_every_epsilon_at_once(name: str, size: int, verdict: str) -> None:
    answer = decide_family(
        family_of(CLASSICS[name]["program"], size), "dp", epsilon=f"{CLASSICS[name]['claim']}*ln(1/z)"
    )
    assert answer.verdict == verdict
    assert str(answer.factor) == "ln(1/z^4)"
    if verdict == "fails":
        assert answer.witness is not None
        assert not answer.where["holds"]


def test_without_noise_on_queries_no_epsilon_is_enough() -> None:
    answer = decide_family(family_of(CLASSICS["SVT5"]["program"], 2), "dp")
    assert answer.verdict == "fails"
    assert answer.text("fails") == "0 < z < 1"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("return rng.flip(2*z)", "2*z is not a probability at z = "),
        ("return rng.geometric_noise(2*z) >= 0", "2*z is no ratio at z = "),
        ("return rng.flip(z) and z > 1/2", "a comparison with a parameter"),
        ("return db[0] + z", "cannot be a label"),
        ("z = 1/2\n    return rng.flip(z)", "z is the name of a parameter"),
    ],
)
def test_what_a_program_makes_of_a_parameter_is_looked_at(line: str, problem: str) -> None:
    with pytest.raises(PkdpError) as error:
        decide_family(family_of(f"def f(db, rng):\n    {line}\n"), "dp", epsilon="1")
    assert problem in str(error.value)


def test_where_a_draw_of_a_program_is_certain_is_a_case_of_its_own() -> None:
    """At z = 1/2 the answer is never noisy, and no ε is enough there; elsewhere one is."""
    program = "def f(db, rng):\n    return db[0] if rng.flip(4*z*(1 - z)) else rng.uniform([-1, 0, 1])\n"
    answer = decide_family(family_of(program), "dp")
    assert answer.text("fails") == "z = 1/2"
