"""Random programs in the common part of Python and of its interpreted subset; they return all their variables.

Every program has the same variables from its first lines on, so that none is read before it has a value: three numbers,
two that are of any kind, two lists, a dict, a set, and a tuple that holds a list. It may have helpers, nested loops
with `else`, `break`, `continue` and `return`, two names for one list, and comprehensions with draws. At the end a list
is changed once more, so that what has two names shows it.
"""

from __future__ import annotations

from random import Random

NUMBERS = ("a", "b", "c")
ANY_KIND = ("p", "q")
LISTS = ("xs", "ys")
MOST_WAYS = 600
"""About how many paths a program has at most."""
RETURNED = (
    "(a, b, c, [shown(p), shown(q)], [shown(x) for x in xs], [shown(x) for x in ys], "
    "[(shown(k), shown(d[k])) for k in list(d.keys())], [shown(x) for x in t[1]], sorted(s))"
)
SHOWN = """
def shown(x):
    return "none" if x == None else x
""".strip()


class Writer:
    """Writes one program; `ways` bounds the paths: a draw inside a loop counts once for each round."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        self.ways, self.rounds, self.names = 1, 1, 0
        self.in_loop = False
        self.helpers: list[str] = []

    def one(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, percent: int) -> bool:
        return bool(self.random.randrange(100) < percent)

    def program(self) -> str:
        helpers = [self.helper(f"h{k}") for k in range(self.random.randrange(3))]
        self.helpers = [f"h{k}" for k in range(len(helpers))]
        lines = [
            "a = db[0]",
            f"b = {self.one('db[1]', 'len(db)', 'sum(db)')}",
            f"c = {self.one('0', '1', 'F(1, 2)', '0.5')}",
            f"p = {self.one('True', '1', 'None', 'a')}",
            "q = p",
            f"xs = {self.one('[]', '[0]', '[1, True]', 'list(db)', '[2, 0, 1]')}",
            f"ys = {self.one('xs', '[0, 1]', 'list(db)', '[x for x in db if x]')}",
            f"d = {self.one('{}', '{0: 1}', '{True: 0, 2: 1}')}",
            f"s = {self.one('set()', '{0, 1}', 'set(db)')}",
            f"t = (a, {self.one('xs', 'ys', '[a, b]')})",
        ]
        lines += [f"a = {self.draw()}", f"q = {self.any_kind()} if {self.condition()} else {self.any_kind()}"]
        lines += self.block(self.random.randrange(3, 7), 0)
        lines += [f"{self.one(*LISTS)}.append({self.one('7', 'True', 'a')})", f"return {RETURNED}"]
        main = ["def m(db, rng):", *(f"    {line}" for line in lines)]
        return "\n".join([SHOWN, *helpers, "\n".join(main)]) + "\n"

    def helper(self, name: str) -> str:
        """A function of a number and a list, which it neither changes nor returns."""
        body = [
            self.one("r = x", "r = x + 1", "r = len(zs)", "r = 0"),
            *self.one(
                "if x == True:\n    r = r + 1\nelse:\n    r = r - 1",
                "for z in zs:\n    if z == x:\n        break\n    r = r + 1\nelse:\n    r = 9",
                "for z in zs:\n    if z == 1:\n        continue\n    r = r + 1",
                f"if rng.flip({self.probability()}):\n    return {self.one('x', '(r, x)[0]', 'len(zs)')}",
                "own = [z for z in zs]\nown.append(r)\nr = len(own)",
            ).split("\n"),
            self.one("return r", "return -r", f"return r if rng.flip({self.probability()}) else x"),
        ]
        return "\n".join([f"def {name}(x, zs, rng):", *(f"    {line}" for line in body)])

    # --- expressions ---

    def probability(self) -> str:
        self.ways <<= self.rounds
        return self.one('"1/3"', "1/2", "0.25", "F(2, 3)", "3/4", "1 / 3")

    def can_draw(self) -> bool:
        return self.ways << self.rounds <= MOST_WAYS

    def draw(self) -> str:
        """A draw with two results, or a number where there are many paths already."""
        if not self.can_draw():
            return self.one("a", "1", "0", "b")
        return self.one(
            f"rng.flip({self.probability()})",
            f"rng.uniform([{self.atom()}, {self.one('1', 'True', '0', 'b')}])",
            'rng.choice({0: "1/3", 2: 2/3})',
            "rng.randint(0, 1)",
            'rng.binomial(1, "1/4")',
            "rng.permutation([0, 1])[0]",
            "rng.sample([1, 2], 1)[0]",
            'rng.geometric_noise("1/2", 0, 1)',
            "rng.exponential_mechanism([0, 1], 2)",
        )

    def atom(self) -> str:
        return self.one("a", "b", "c", "0", "1", "2", "len(xs)", "len(ys)", "-a", "db[1]")

    def number(self) -> str:
        """A number, with a draw in every fourth."""
        kind = self.random.randrange(16)
        x, y = self.atom(), self.draw() if self.chance(55) else self.atom()
        if kind < 5:
            return f"{x} {self.one('+', '-', '*')} {y}"
        if kind < 7:
            return f"{x} {self.one('%', '//')} {self.one('2', '3')}"
        if kind == 7:
            return f"{x} / {self.one('2', '3')}"
        if kind == 8:
            return f"{y} if {self.condition()} else {x}"
        if kind == 9 and self.helpers:
            if not self.can_draw():
                return x
            self.ways *= 4**self.rounds
            return f"{self.random.choice(self.helpers)}({x}, {self.one(*LISTS, '[a, 1]')}, rng)"
        if kind == 10 and self.ways * 8**self.rounds <= MOST_WAYS:
            self.ways *= 8**self.rounds
            fold = self.one("sum", "max", "min", "len")
            return f"{fold}([rng.flip({self.one('1/2', '0.25')}) + x for x in db])"
        if kind == 11:
            return f"sum(1 for x in {self.one(*LISTS)} if x == {self.one('a', '1', 'True', '0')})"
        if kind == 12:
            return f"max(range(len(db)), key=lambda i: {self.one('db[i]', '-db[i]', '(db[i], -i)')})"
        if kind == 13:
            return f"sorted(db{self.one('', ', reverse=True')})[{self.one('0', '-1')}]"
        if kind == 14:
            return f"abs(min({x}, {y}))"
        return y

    def condition(self) -> str:
        kind = self.random.randrange(9)
        x, y = self.atom(), self.draw() if self.chance(55) else self.atom()
        if kind < 3:
            return f"{x} {self.one('<', '<=', '==', '!=', '>')} {y}"
        if kind == 3 and self.can_draw():
            return f"rng.flip({self.probability()})"
        if kind == 4:
            return f"{self.one('a', '1', 'True')} {self.one('in', 'not in')} {self.one('xs', 'ys', 's', 'd')}"
        if kind == 5:
            return f"{x} == {y} {self.one('and', 'or')} {self.one('p', 'q')} == {self.any_kind()}"
        if kind == 6:
            return f"{x} <= {y} < {self.atom()}"
        if kind == 7:
            return f"not ({self.one('xs == ys', 'p == q', 'xs', 'd', 'a')})"
        return f"{self.one('any', 'all')}(x {self.one('>', '==')} {self.atom()} for x in {self.one('xs', 'ys', 'db')})"

    def any_kind(self) -> str:
        return self.one("True", "1", "0", "False", "None", '"x"', '"1"', "F(1, 1)", "F(1, 2)", "(1, True)", "a")

    # --- statements ---

    def block(self, length: int, depth: int) -> list[str]:
        lines = [line for _ in range(length) for line in self.statement(depth)]
        return lines or ["pass"]

    def statement(self, depth: int) -> list[str]:
        kind = self.random.randrange(24 if depth < 3 else 15)
        name = self.one(*NUMBERS)
        if kind < 4:
            return [f"{name} = {self.number()}"]
        if kind == 4:
            return [f"{name} {self.one('+=', '-=')} {self.number()}"]
        if kind == 5:
            return [f"{self.one(*ANY_KIND)} = {self.one(self.any_kind(), self.condition(), 'p', 'q', self.draw())}"]
        if kind in (6, 7):
            xs = self.one(*LISTS)
            added = self.one(self.atom(), self.draw(), "p", "True", "1")
            return [f"if len({xs}) < 6:", f"    {xs}.append({added})"]
        if kind == 8:
            xs = self.one(*LISTS)
            return [f"if len({xs}) > 0:", f"    {xs}[{self.one('0', '-1', f'a % len({xs})')}] = {self.atom()}"]
        if kind == 9:
            return [self.one("ys = xs", "xs = ys", "xs = list(ys)", "ys = xs[1:]", "t = (a, xs)", "t = (b, t[1])",
                             "ys = sorted(db)", "xs, ys = ys, xs", "ys = [len(x) for x in (xs, ys)]")]  # fmt: skip
        if kind == 10:
            return [f"d[{self.one('a', '1', 'True', self.draw())}] = {self.one(self.atom(), 'True', self.draw())}"]
        if kind == 11:
            return [f"s.add({self.one('a', 'b', '1', self.draw())})"]
        if kind == 12:
            return [f"a, b = {self.number()}, {self.atom()}"]
        if kind == 13 and self.in_loop:
            return [f"if {self.condition()}:", f"    {self.one('break', 'continue', 'break')}"]
        if kind == 14:
            return (
                [f"if {self.condition()}:", f"    return {RETURNED}"]
                if self.chance(25)
                else [f"{name} = {self.draw()}"]
            )
        if kind < 19:
            return self.choice_of_ways(depth)
        return self.loop(depth)

    def choice_of_ways(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}:", *self.inside(self.random.randrange(1, 3), depth)]
        if self.chance(30):
            lines += [f"elif {self.condition()}:", *self.inside(1, depth)]
        if self.chance(60):
            lines += ["else:", *self.inside(self.random.randrange(1, 3), depth)]
        return lines

    def inside(self, length: int, depth: int) -> list[str]:
        return [f"    {line}" for line in self.block(length, depth + 1)]

    def loop(self, depth: int) -> list[str]:
        self.names += 1
        i = f"i{self.names}"
        kind = self.random.randrange(6)
        before: list[str] = []
        first: list[str] = []
        if kind == 5:
            before, first = [f"{i} = 0"], [f"    {i} = {i} + 1"]
            head = f"while {i} < {self.one('2', '3')}:"
        else:
            over = (f"range({self.one('2', '3')})", "db", self.one(*LISTS), "list(d.keys())", "sorted(s)")[kind]
            head = f"for {i} in {over}:"
            first = [f"    {self.one('a', 'b', 'q')} = {i}"] if self.chance(50) else []
            if kind == 0 and self.chance(30):
                head, first = f"for {i}, j{i} in enumerate(db):", [f"    c = {i} - j{i}"]
        outer, rounds = self.in_loop, self.rounds
        self.in_loop, self.rounds = True, self.rounds * 3
        body = self.inside(self.random.randrange(1, 4), depth)
        self.in_loop, self.rounds = outer, rounds
        lines = [*before, head, *first, *body]
        if self.chance(40):
            lines += ["else:", *self.inside(1, depth)]
            if outer and self.chance(60):  # it leaves the loop around this one
                lines += [f"    if {self.condition()}:", "        break"]
        return lines


def random_program(seed: int) -> str:
    """The text of a random program; the same seed gives the same text."""
    return Writer(seed).program()
