"""Programs as users of Python write them: what each returns is compared with what a reader of its text says.

All that may change is returned: counters, lists with two names, what loops leave behind.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201, ARG001, B007, C401, C414, C416, C419, FURB110, FURB192, N817
# ruff: noqa: B905, PERF402
# ruff: noqa: PLW0120

from __future__ import annotations

from fractions import Fraction as F
from typing import Any


def counters(db, rng):
    yes = 0
    seen = {}
    for value in db:
        if rng.flip("1/3"):
            yes += value
        else:
            seen[value] = seen.get(value, 0) + 1
    return [yes, sorted(seen.items())]


def loops(db, rng):
    out = []
    for a in range(3):
        for b in db:
            if b == a:
                break
            if rng.flip("1/2"):
                continue
            out.append((a, b))
        else:
            out.append("none")
            if rng.flip("1/4"):
                break
    else:
        out.append("all")
    return out


def break_in_else(db, rng):
    seen = []
    for a in range(3):
        for b in range(2):
            seen.append(b)
        else:
            if rng.flip("1/2"):
                break
        seen.append("on")
    else:
        seen.append("end")
    return seen


def grows(db, rng):
    xs = [0]
    for x in xs:
        if len(xs) < 4 and rng.flip("1/2"):
            xs.append(x + 1)
    return xs


def two_names(db, rng):
    a = [1]
    b = a if rng.flip("1/2") else [1]
    b.append(2)
    c = a
    c += [3]
    return [a, b]


def truth_or_one(db, rng):
    x = rng.choice({"a": "1/2", "b": "1/2"})
    y = True if x == "a" else 1
    _coin = rng.flip("1/2")
    return [y, y == 1, y + 1, {True: "t"}.get(y)]


def zero_or_false(db, rng):
    x = 0 if rng.flip("1/2") else False
    _coin = rng.flip("1/3")
    return [x, not x]


def rows_shared(db, rng):
    rows = [[0], [0]]
    row = rng.uniform(rows)
    row.append(1)
    both = [row, row]
    both[0].append(2)
    return [rows, both]


def chains(db, rng):
    a = rng.randint(0, 3)
    b = rng.randint(1, 2)
    return [0 < a <= b < 3, a == b != 1, not a or b, a and b, a if a else "zero"]


def slices(db, rng):
    k = rng.randint(0, len(db))
    head, tail = db[:k], db[k:]
    return [len(head), sum(tail), db[::-1][0], db[-1]]


def tuples(db, rng):
    a, b = db[0], db[1]
    a, b = b, a + rng.randint(0, 1)
    (c, d), e = (a, b), rng.flip("1/5")
    return (a, (b, c), [d, e])


def comprehensions(db, rng):
    kept = [x for x in db if rng.flip("1/2")]
    pairs = [(x, y) for x in range(2) for y in kept if x < y]
    names = {x: kept.count(x) for x in sorted(set(db))}
    return [kept, pairs, sorted(names.items()), sum(1 for x in db if x in kept), len({x % 2 for x in kept})]


def sums(db, rng):
    return [sum(rng.randint(0, 1) for x in db), max(x + rng.randint(0, 1) for x in db), min([2 - x for x in db])]


def any_and_all(db, rng):
    return [any(rng.flip("1/4") for x in db), all([rng.flip("1/4") for x in db]), sum([x * 2 for x in db])]


def sorted_folds(db, rng):
    return [sorted(x * rng.randint(0, 1) for x in db), sorted(set(rng.randint(0, x) for x in db))]


def tuple_folds(db, rng):
    return list(tuple(min(rng.randint(0, x), 1) for x in db))


def keys(db, rng):
    noise = [rng.randint(0, 1) for x in db]
    best = max(range(len(db)), key=lambda i: db[i] + noise[i])
    first = min(enumerate(db), key=lambda pair: (-pair[1], pair[0]))
    return [best, first, sorted(db, key=lambda x: -x), sorted(db, key=db.count, reverse=True), max(db, key=abs)]


def noisy_of(x, rng):
    return x + rng.choice({-1: "1/4", 0: "1/2", 1: "1/4"})


def twice(x, rng):
    a = noisy_of(x, rng)
    return a if a > 0 else noisy_of(x, rng)


def helpers(db, rng):
    return [twice(x, rng) for x in db[:2]]


def changes_what_it_is_given(xs, rng):
    if rng.flip("1/2"):
        xs.append(9)
    return xs


def shared_with_a_helper(db, rng):
    xs = list(db)
    ys = changes_what_it_is_given(xs, rng)
    ys.append(0)
    return xs


def draws(db, rng):
    a = rng.permutation([1, 1, 2])
    b = rng.sample(db, 2)
    return [a, b, rng.binomial(2, "1/3")]


def more_draws(db, rng):
    d = rng.geometric_noise("1/2", -1, 2)
    return [d, rng.exponential_mechanism([0, 1, -1], 2), rng.uniform([[1], [1]])]


def aliases(db, rng):
    return [rng.shuffle("ab"), rng.geometric("1/3", -1, 1), rng.exponential(db, "1/2"), rng.choose({"x": 1})]


def numbers_(db, rng):
    p = F(1, 3) + F(1, 6)
    q = F(2, 3) ** 2
    n = rng.randint(-3, 3)
    return [n // 2, n % 3, -n, abs(n), n**2, p if rng.flip(p) else q, F(n, 2), round(F(n, 2)), int(F(n, 2)), 2 * n - 1]


def texts(db, rng):
    s = "ab" + str(rng.randint(9, 10))
    return [s, s[1:], len(s), "b" in s, s * 2, int(s[2:]) + 1, [c for c in s], s < "b"]


def while_(db, rng):
    n = 0
    while n < 3:
        n += 1 + rng.flip("1/2")
        if n == 2:
            continue
        if rng.flip("1/3"):
            break
    else:
        return ["end", n]
    return n


def augmented(db, rng):
    table = {"a": [0, 0]}
    table["a"][rng.randint(0, 1)] += 5
    table["b"] = table["a"]
    table["b"][0] -= 1
    n = 7
    n //= 2
    n *= 3
    n %= 5
    xs = [1]
    ys = xs
    xs += [2]
    xs *= 2
    return [table["a"], n, ys, list(table), sorted(table.keys()), [v for v in table.values()]]


def zips(db, rng):
    out = []
    for n, (a, b) in enumerate(zip(db, reversed(db)), 1):
        if rng.flip("1/2"):
            out.append(n * (a - b))
    return [out, list(zip(db, "ab")), [x for x in reversed(range(3))]]


def nothing(db, rng):
    x = None
    for v in db:
        if rng.flip("1/2"):
            x = v
    return "none" if x is None else x


def sets(db, rng):
    seen = set()
    for x in db:
        if rng.flip("1/2"):
            seen.add(x)
    return [len(seen), sorted(seen), max(seen | {7}), 0 in seen, seen == {1}, len(seen & {0, 1}), sum(seen - {1})]


def unread(db, rng):
    total = 0
    for x in db:
        dead = rng.randint(0, 3)
        total += dead > x
    return total


def scopes(db, rng):
    x = 5
    ys = [x for x in db if x]
    f = max(ys or [0], key=lambda x: -x)
    return [x, ys, f, rng.flip("1/2")]


def annotated(db: Any, rng: Any) -> Any:
    """A text that says what it does."""
    n: int = 1
    if rng.flip("1/2"):
        pass
    elif rng.flip(1):
        n = 2
    else:
        n = 3
    return n


def compared(db, rng):
    x, y = rng.geometric_noise("1/3"), rng.geometric_noise("1/4")
    return [x >= y + 1, x == 2, y < 0]


def added_up(db, rng):
    x, y = rng.geometric_noise("1/3"), rng.geometric_noise("1/4")
    return [x + y >= 2, x - 1 > -y]


def largest(db, rng):
    noisy = [x + rng.geometric_noise("1/4") for x in db[:2]]
    return [noisy.index(max(noisy)), sorted(noisy)[0] < 0]


def clamped(db, rng):
    x, y = rng.geometric_noise("1/3"), rng.geometric_noise("1/4")
    return [min(2, max(-1, sum(db) + x)), abs(y) if -2 < y < 2 else "far"]


def scaled(db, rng):
    x = rng.geometric_noise("1/3")
    return [2 * x + 1 > 4, F(x, 2) >= 1, x % 3, x // 4 >= 1, -x == 1, bool(x), round(x) > 1]


def again(db, rng):
    x = rng.geometric_noise("1/3")
    if x > 1:
        x = x - rng.geometric_noise("1/4")
    return ["low" if x < 0 else "none" if x == 0 else "high", x in db]


TOGETHER = [
    (counters,),
    (loops,),
    (break_in_else,),
    (grows,),
    (two_names,),
    (truth_or_one,),
    (zero_or_false,),
    (rows_shared,),
    (chains,),
    (slices,),
    (tuples,),
    (comprehensions,),
    (sums,),
    (any_and_all,),
    (sorted_folds,),
    (tuple_folds,),
    (keys,),
    (noisy_of, twice, helpers),
    (changes_what_it_is_given, shared_with_a_helper),
    (draws,),
    (more_draws,),
    (aliases,),
    (numbers_,),
    (texts,),
    (while_,),
    (augmented,),
    (zips,),
    (nothing,),
    (sets,),
    (unread,),
    (scopes,),
    (annotated,),
]
"""Functions, each with those that it calls; the last one is the mechanism."""
NOISY = [compared, added_up, largest, clamped, scaled, again]
"""Functions with noise that is not cut off."""
