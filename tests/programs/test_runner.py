"""Python functions of a database and a generator: exact numbers, hidden randomness, limits, refusals."""

# ruff: noqa: ARG001, ARG005, S307, S311 - every mechanism takes the database and the generator; what is refused

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from examined import at_least_one

import verifier as pk
from verifier.programs.draws import DRAWS
from verifier.programs.runner import MOST_PATHS, Generator, outcomes, takes_generator
from verifier.recheck import text_of

QUARTER = 0.25
SHARES = [0.5, 0.25, 0.25]
LONG = 1 / 3
THIRD = Fraction(1, 3)


def third_of(x: int) -> Any:
    return x / 3


def suppress(db: Any, rng: Any) -> Any:
    out = db[0] if rng.flip(1 / 3) else rng.uniform(["a", "b", "c"])
    return "none" if rng.flip(0.25) else out


def asked(function: Any, size: int = 1, values: Any = (0, 1)) -> Any:
    return pk.check(pk.build(size=size, values=list(values), mechanism=function), "dp")


def law(function: Any, *db: Any) -> Any:
    return pk.program(function).law(db)


# --- what is taken ----------------------------------------------------------------------------------------------------


def test_a_function_of_a_generator_is_a_mechanism() -> None:
    """programs.md: e^ε = 5/2. Decided again by the checker, from the table of its laws."""
    answer = asked(suppress, values="abc")
    assert (answer.tight_epsilon, answer.replayed) == (pk.epsilon("ln(5/2)"), True)
    model = pk.build(size=1, values=list("abc"), mechanism=pk.program(suppress))
    assert pk.check(model, "dp").tight_epsilon == answer.tight_epsilon
    assert model.mechanism.title == "Python program suppress"


@pytest.mark.parametrize(
    ("function", "program"),
    [
        (lambda db, rng: 0, True),
        (lambda db, noise: 0, True),
        (lambda db, rng=None: 0, True),
        (lambda db: 0, False),
        (lambda db, k=3: 0, False),
        (lambda *db: 0, False),
        (lambda a, b, c: 0, False),
        (sum, False),
        (min, False),
    ],
)
def test_which_functions_are_programs(function: Callable[..., object], program: Any) -> None:
    assert takes_generator(function) is program


def test_methods_partials_and_objects_are_programs() -> None:
    class Response:
        def __init__(self, keep: float) -> None:
            self.keep = keep

        def __call__(self, db: Any, rng: Any) -> Any:
            return db[0] if rng.flip(self.keep / 3) else "-"

        def run(self, db: Any, rng: Any) -> Any:
            return self(db, rng)

    def keeping(keep: float, db: Any, rng: Any) -> Any:
        return db[0] if rng.flip(keep / 3) else "-"

    expected = {"1": Fraction(1, 4), "-": Fraction(3, 4)}
    assert law(Response(0.75), 1) == law(partial(keeping, 0.75), 1) == expected


def test_the_relation_of_several_sizes_and_knowledge_take_programs() -> None:
    def count(db: Any, rng: Any) -> Any:
        return sum(db) if rng.flip("1/2") else "-"

    assert pk.check(pk.build(size=[0, 2], values=[0, 1], mechanism=count), "adp").verdict == "fails"
    with pytest.raises(pk.InputError, match="depends on the order"):
        pk.check(pk.build(size=[0, 2], values=[0, 1], mechanism=lambda db, rng: (*db, rng.flip(1))), "adp")
    known = {"size": 1, "values": [0, 1], "distribution": {"iid": "uniform"}, "mechanism": {"kind": "identity"}}
    heard = pk.build(**known, knowledge=lambda db, rng: db[0] if rng.flip("1/2") else "nothing")
    assert pk.check(heard, "ppkdp", epsilon=0).tight_delta == "1/2"


def test_composed_programs() -> None:
    def response(db: Any, rng: Any) -> Any:
        return db[0] if rng.flip("1/2") else 1 - db[0] if rng.flip("1/2") else db[0]

    assert asked(response).tight_epsilon == pk.epsilon("ln(3)")
    assert asked(pk.compose(response, response)).tight_epsilon == pk.epsilon("ln(9)")


# --- exact numbers ----------------------------------------------------------------------------------------------------


def test_numbers_are_those_of_the_source() -> None:
    def branch(db: Any, rng: Any) -> Any:
        return [0.1 + 0.2 == 0.3, 1 / 3 * 3 == 1, 2**-1, 6 / 2, (0.1).__class__.__name__ == "Fraction"]

    assert law(branch) == {'[true,true,"1/2",3,true]': 1}


def test_numbers_of_globals_closures_defaults_and_helpers_are_exact() -> None:
    keep = 0.1

    def inner(db: Any, rng: Any, share: float = 0.2, *, rest: float = 0.7) -> Any:
        shares = [share, keep, rest]
        return rng.choice(dict(zip("abc", shares))), sum(shares) == 1, third_of(1), QUARTER + SHARES[1], SHARES[0]  # noqa: B905

    assert law(inner) == {f'["{x}",true,"1/3","1/2","1/2"]': Fraction(p, 10) for x, p in (("a", 2), ("b", 1), ("c", 7))}


def test_assignments_that_divide_are_exact_and_evaluate_once() -> None:
    def assign(db: Any, rng: Any) -> Any:
        x: Any = 1
        xs: list[Any] = [1, 2]
        seen: list[int] = []
        x /= 3
        xs[place(seen)] /= 3
        xs[0] **= 2
        return x, *xs, len(seen)

    assert law(assign) == {'["1/3",1,"2/3",1]': 1}


def place(seen: list[int]) -> int:
    seen.append(0)
    return 1


def test_what_is_not_a_number_divides_as_before() -> None:
    from pathlib import Path

    assert law(lambda db, rng: str(Path("a") / "b") + str(2**3)) == {"a/b8": 1}


def test_a_recursive_function_is_exact_all_the_way() -> None:
    assert law(halved, 3) == {"1/8": 1}


def halved(db: Any, rng: Any) -> Any:
    return 1 if not db[0] else halved((db[0] - 1,), rng) / 2


def test_the_globals_are_those_of_the_time_when_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    program = pk.program(lambda db, rng: QUARTER)
    assert program.law(()) == {"1/4": 1}
    monkeypatch.setitem(globals(), "QUARTER", 0.75)
    assert program.law(()) == {"3/4": 1}


def test_a_program_runs_as_it_was_verified() -> None:
    program = pk.program(suppress)
    drawn = [program(("a",), pk.sampler(seed)) for seed in range(60)]
    assert {"a", "none"} < set(drawn) <= {"a", "b", "c", "none"}
    with pytest.raises(pk.InexactError):
        suppress(("a",), pk.sampler(1))  # as Python has it, 1/3 is a float


@pytest.mark.parametrize(
    "function",
    [
        lambda db, rng: rng.flip(math.exp(-1)),
        lambda db, rng: math.exp(-1),
        lambda db, rng: int(math.exp(-1) < 1),
        lambda db, rng: math.exp(-1) / 2,
        lambda db, rng: 2 ** math.exp(-1),
        lambda db, rng: LONG,
        lambda db, rng: rng.choice({0: math.exp(-1), 1: 1}),
    ],
)
def test_floats_from_elsewhere_are_refused(function: Any) -> None:
    with pytest.raises(pk.InexactError, match=r"0\.3678794|LONG"):
        law(function)
    with pytest.raises(pk.InexactError, match=r"is a float that was computed.*Fraction\(1, 3\)"):
        asked(function)


def test_roots_are_refused() -> None:
    with pytest.raises(pk.InexactError, match=r"test_runner\.py, line [0-9]+: 2 \*\* 1/2 is a root"):
        asked(lambda db, rng: 2**0.5)


def test_without_a_source_floats_are_refused_where_they_are_seen_and_the_model_says_so() -> None:
    """The text of `eval` is not kept, as in a shell."""
    short = eval("lambda db, rng: db[0] if rng.flip(0.75) else 0.5")
    model = pk.build(size=1, values=[0, 1], mechanism=short)
    assert "its source cannot be read: branches on floats are not checked" in repr(model)
    assert pk.program(short).law([1]) == {"1": Fraction(3, 4), "1/2": Fraction(1, 4)}
    for text in ("rng.flip(1/3)", "1/3", "[1/3]", "rng.choice({0: 1/3, 1: '2/3'})"):
        with pytest.raises(pk.InexactError, match=r"0\.3333"):
            asked(eval(f"lambda db, rng: {text}"))


# --- one function of its draws ----------------------------------------------------------------------------------------

COUNTER = itertools.count()
KEPT: list[int] = []


def kept(db: Any, rng: Any) -> Any:
    KEPT.append(0)
    return [rng.flip("1/2") for _ in KEPT[:3]]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda db, rng: random.random() < 0.5, "Python's own `random`"),
        (lambda db, rng: random.choice([0, 0]), "Python's own `random`"),
        (lambda db, rng: next(COUNTER), "run again on one path, gave"),
        (lambda db, rng: rng.flip("1/2") + next(COUNTER), "run again on one path, gave"),
        (lambda db, rng: rng.uniform([next(COUNTER), -1]) and 0, "met other draws"),
        (lambda db, rng: time.perf_counter_ns(), "run again on one path, gave"),
        (kept, "met other draws|run again on one path"),
    ],
)
def test_what_is_random_and_is_no_draw_is_caught(function: Any, message: str) -> None:
    KEPT.clear()
    with pytest.raises(pk.InputError, match=message):
        asked(function)


def test_a_hidden_coin_late_on_a_path_is_caught() -> None:
    """Some of the later paths are run again; the first ones have no part in it."""
    runs = itertools.count()

    def late(db: Any, rng: Any) -> Any:
        return sum(rng.flip("1/2") for _ in range(9)), next(runs) > 100 and runs.__reduce__()[1][0] % 2

    with pytest.raises(pk.InputError, match="run again on one path, gave"):
        law(late)


def test_lists_of_a_database_are_copied_for_each_run_and_each_record() -> None:
    def sorts(db: Any, rng: Any) -> Any:
        db[0].append(rng.flip("1/2"))
        return [len(record) for record in db]

    assert law(sorts, [0], [0]) == {"[2,1]": 1}
    shared = [0]
    assert law(sorts, shared, shared) == {"[2,1]": 1}
    assert shared == [0]


def test_results_of_draws_are_objects_of_their_own_path() -> None:
    def changes(db: Any, rng: Any) -> Any:
        rows = [[0], [1]]
        chosen, order = rng.uniform(rows), rng.permutation([1, 2])
        chosen.append(9)
        order.append(3)
        return rows, order

    assert len(law(changes)) == 4


# --- limits and refusals ----------------------------------------------------------------------------------------------


def forever(db: Any, rng: Any) -> Any:
    while rng.flip("1/2"):
        pass
    return db[0]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda db, rng: [rng.flip("1/2") for _ in range(40)],
            r"test_runner\.py, line [0-9]+: the draws have more than",
        ),
        (lambda db, rng: [rng.randint(0, 19_000) for _ in range(9)], "the draws have more than 100,000 paths"),
        (lambda db, rng: [rng.flip("1/2") for _ in range(17)], "more than (100,000 paths|500,000 draws)"),
        (forever, "a path has more than 500 draws"),
    ],
)
def test_too_many_paths_are_refused_with_the_text_as_a_way_out(function: Any, message: str) -> None:
    with pytest.raises(pk.LimitError, match=message + ".*write the text as program"):
        asked(function)


def test_long_lists_of_reports_are_refused_before_they_are_run() -> None:
    """A list counts by its entries, and the law of a draw is listed once and not on each of its paths."""

    def shuffled(db: Any, rng: Any) -> Any:
        return rng.permutation(db)

    made = 0
    known = DRAWS["permutation"]

    def counted(values: Any) -> Any:
        nonlocal made
        made += 1
        return known.plan(values)

    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(DRAWS, "permutation", replace(known, plan=counted))
        assert len(law(shuffled, *[0] * 48, 1, 1)) == math.comb(50, 2)
    assert made == 1
    for database in ([0] * 40 + [1] * 3, [0] * 47 + [1] * 3, [0] * 46 + [1] * 4):
        with pytest.raises(pk.LimitError, match='kind = "shuffle"'):
            law(shuffled, *database)


def test_paths_of_few_results_are_run_although_the_longest_looks_wide() -> None:
    """Of 60 flips on the longest path each may be the last one: there are 61 paths."""

    def first(db: Any, rng: Any) -> Any:
        return next((k for k in range(60) if not rng.flip("1/2")), 60)

    found = law(first)
    assert (len(found), found["59"], sum(found.values())) == (61, Fraction(1, 2**60), 1)


def test_the_most_paths_are_run() -> None:
    found = list(outcomes(lambda rng: rng.randint(1, 316) * rng.randint(1, 316)))
    assert len(found) == 316**2 <= MOST_PATHS < 317**2
    assert sum(p for _, p in found) == 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: a + b, "raised TypeError .*a program takes the database and the generator"),
        (lambda a, b, c: 0, r"takes \"\(a, b, c\)\".*of the database .*or of it and a generator"),
        (lambda db, rng: None, "returned None"),
        (lambda db, rng: 1 / 0, "raised ZeroDivisionError"),
        (lambda db, rng: {1, 2}, "a set, which has no order"),
        (lambda db, rng: {0: "1/2", 1: "1/2"}, "cannot be a label"),
        (lambda db, rng: rng.laplace(0, 1), r"test_runner\.py, line [0-9]+: rng\.laplace: laplace draws real numbers"),
        (lambda db, rng: rng.integers(2), r"rng\.randint\(a, b\) has both ends"),
        (lambda db, rng: rng.flipp(1), "is not a draw"),
    ],
)
def test_what_is_refused(function: Any, message: str) -> None:
    with pytest.raises(pk.InputError, match=message) as error:
        asked(function)
    assert str(error.value).count("model: [mechanism]") == 1


def test_a_refusal_that_the_function_catches_is_one_all_the_same() -> None:
    def catches(db: Any, rng: Any) -> Any:
        try:
            return rng.flip(2)
        except ValueError:
            return 0

    with pytest.raises(pk.InputError, match="2 is more than 1"):
        asked(catches)


@pytest.mark.parametrize("given", [sum, 3, None, lambda db: 0])
def test_what_is_not_a_program_is_refused(given: Any) -> None:
    with pytest.raises(pk.InputError, match="is not a program"):
        pk.program(given)


def test_the_generator_lists_its_draws() -> None:
    assert {"flip", "permutation", "geometric_noise"} <= set(dir(Generator([], {})))


# --- what is written --------------------------------------------------------------------------------------------------


def test_a_model_that_is_written_has_the_table() -> None:
    keys = {"size": 1, "values": ["a", "b", "c"], "mechanism": suppress}
    text, _ = text_of(pk.build(**keys))
    assert "program" not in text
    assert pk.check(pk.loads(text), "dp").tight_epsilon == asked(suppress, values="abc").tight_epsilon


def test_a_shuffle_whose_list_is_lost_is_refused() -> None:
    """As in `random` it would change its list; here a record would be told by a list that nobody shuffled."""

    def told(db: Any, rng: Any) -> object:
        order = [0, 1]
        rng.shuffle(order)
        return db[0] if order[0] else "none"

    with pytest.raises(pk.InputError, match=r"rng\.shuffle\(xs\) gives a new list, which is used nowhere"):
        asked(told)
    with pytest.raises(pk.InputError, match="used nowhere"):
        told((1,), pk.sampler(1))


def test_a_function_of_the_database_that_draws_rarely_is_refused() -> None:
    def rarely(draw: Callable[[], float], db: Any) -> object:
        return db[0] if draw() < 0 else 0

    draws: tuple[Callable[[], float], ...] = (random.random, np.random.random)
    for draw in at_least_one(draws):
        with pytest.raises(pk.InputError, match="draws from Python's own `random`, or numpy's"):
            asked(partial(rarely, draw))


def test_a_function_is_no_model_and_the_refusal_says_how_to_make_one() -> None:
    builds = r"pk.build\(size=1, values=\[0, 1\], mechanism="
    for function in (suppress, pk.program(suppress), lambda db: db[0]):
        asks: tuple[Any, ...] = pk.check, lambda model, _: pk.overview(model)
        for ask in asks:
            with pytest.raises(pk.InputError, match=f"is not a model.*{builds}"):
                ask(function, "dp")
        with pytest.raises(TypeError, match=f"check: got an unexpected.*{builds}"):
            pk.check(function, "dp", values=[0, 1], size=1)  # type: ignore[call-arg, arg-type]
        with pytest.raises(TypeError, match=f"check: missing a required argument.*{builds}"):
            pk.check(function)  # type: ignore[call-arg, arg-type]


# --- noise without ends: the source is interpreted ------------------------------------------------------------------

count = 7
"""A global that has the name of a method, and of variables of the functions below."""
BASE: Any = Fraction(1, 2)
STEP = 0.5


def hidden(x: int, rng: Any) -> Any:
    return x + rng.geometric_noise(BASE)


def noisy_count(db: Any, rng: Any) -> Any:
    return db.count(1) + rng.geometric_noise(STEP)


def noisy_choice(db: Any, rng: Any) -> Any:
    return "many" if hidden(sum(db), rng) > 1 else "few"


def shadowed(db: Any, rng: Any) -> Any:
    count = db.count(1)
    return min([count, count + 1], key=lambda count: -count) + rng.geometric_noise("1/2")


def seen_noise(db: Any, rng: Any) -> Any:
    return sum(db) + rng.geometric_noise("1/2", seen_by="insider") > 0


TEXTS = {
    noisy_count: "return db.count(1) + rng.geometric_noise(1/2)",
    noisy_choice: 'return "many" if sum(db) + rng.geometric_noise(1/2) > 1 else "few"',
    shadowed: "return db.count(1) + 1 + rng.geometric_noise(1/2)",
    seen_noise: 'return sum(db) + rng.geometric_noise(1/2, seen_by="insider") > 0',
}


@pytest.mark.parametrize("function", TEXTS, ids=lambda function: function.__name__)
def test_a_function_with_noise_without_ends_is_interpreted(function: Any) -> None:
    """Its law is that of the text; clamped noise leaves a function to be run."""
    text = {"program": f"def m(db, rng): {TEXTS[function]}"}
    for given in (function, pk.program(function)):
        model, other = (pk.build(size=2, values=[0, 1], mechanism=one) for one in (given, text))
        databases = list(itertools.product((0, 1), repeat=2))
        assert [model.mechanism.law(d) for d in databases] == [other.mechanism.law(d) for d in databases]
        assert model.mechanism.title == f"Python program {function.__name__}, interpreted"
        observer = "insider" if function is seen_noise else ""
        answers = [pk.check(one, "dp", epsilon="ln(2)", observer=observer) for one in (model, other)]
        assert [one.replayed for one in answers] == [True, True]
        assert answers[0].tight_epsilon == answers[1].tight_epsilon


def test_a_lambda_and_the_law_of_one_database() -> None:
    given = lambda db, rng: "yes" if db[0] + rng.geometric_noise("1/2") >= 1 else "no"  # noqa: E731
    assert pk.program(given).law([0]) == {"yes": Fraction(1, 3), "no": Fraction(2, 3)}
    assert pk.program(noisy_choice).law([1, 1]) == {"many": Fraction(2, 3), "few": Fraction(1, 3)}
    with pytest.raises(pk.PkdpError, match=r"noisy number.*clamp"):
        pk.program(noisy_count).law([1, 1])


def test_what_no_program_has_is_refused_with_its_place() -> None:
    def tried(db: Any, rng: Any) -> Any:
        return math.floor(db[0]) + rng.geometric_noise("1/2")

    with pytest.raises(pk.InputError, match=r"the source of tried, line 2.*math\.floor.*write x // 1"):
        asked(tried)
    space: dict[str, Any] = {}
    exec("def unread(db, rng):\n    return rng.geometric_noise('1/2')", space)  # noqa: S102 - without a source
    with pytest.raises(pk.InputError, match=r"infinitely many results.*clamped.*its source is then interpreted"):
        asked(space["unread"])


THIRTEEN = """
size = 13
values = [0, 1]
[mechanism]
kind = "identity"
[[distribution]]
table = [
    { database = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], probability = "1/2" },
    { database = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], probability = "1/2" },
]
"""


def test_a_definition_over_all_databases_is_not_rejected_where_some_are_written() -> None:
    """Thirteen records under a θ of two worlds: the checker gets the rows near them, and `dp` asks for all."""
    model = pk.with_mechanism(pk.loads(THIRTEEN), pk.symmetric(lambda rows: sum(rows) >= 6))
    answers = {key: pk.check(model, key, epsilon="ln(2)") for key in ("np", "cdp", "dp")}
    assert {key: answer.verdict for key, answer in answers.items()} == {"np": "fails", "cdp": "holds", "dp": "fails"}
    assert {key: answer.replayed for key, answer in answers.items()} == {"np": True, "cdp": True, "dp": None}
    assert "no row for the database" in answers["dp"].unchecked
