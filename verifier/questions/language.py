"""The language of questions and statements, read here and nowhere evaluated by Python.

    statement  = equivalence [ "=>" statement ]                 a => b => c is a => (b => c)
    equivalence = disjunction [ "iff" disjunction ]              a iff b iff c needs parentheses
    disjunction = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation   = "not" negation | "(" statement ")" | question | property
    question   = ("post" | "twice") "(" question ")" | instance | number "<=" bound
    instance   = definition [ "(" [ argument { "," argument } ] ")" ]
    argument   = [ "epsilon" "=" ] ε | [ "delta" "=" ] δ | "reading" "=" "a name in quotes"
    number     = instance "delta" "at" ε | instance "epsilon" "at" δ

`not` binds most, then `and`, `or`, `iff`, and `=>` least: `independent => np iff cdp` is about independence. ε and δ
are numbers as everywhere (`ln(2)`, `2/5*ln(3)`, `1/10`, `inf`), or a variable, perhaps times a positive rational; a δ
also plus a rational that is not negative. Without ε the question is "for some finite ε?", δ is 0 where it is left out.

`cdp delta at ln(2)` is a number, the smallest δ at this ε: what `worst` maximises, and for `check` the question
`cdp(ln(2))`. With a bound it is a statement: `cdp delta at ln(2) <= 1/10` is `cdp(ln(2), 1/10)`.

Every name that is neither a definition nor a word of the language is a variable. A statement with variables is claimed
for every finite ε ≥ 0 and every δ in [0, 1]: `np(e) => cdp(2*e)` says that ε-NP implies 2ε-CDP, whatever ε is. The
same name is the same number in the whole statement, and in all statements of one search.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from verifier.definitions.registry import DEFINITIONS, ON_REQUEST, find, find_for_all, is_known
from verifier.errors import InputError, PkdpError, one_of
from verifier.model import arguments
from verifier.model.arguments import takes
from verifier.model.keys import closest, meant
from verifier.numbers import Epsilon, cut, delta_bound, rational, reader, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.reader import Reader, Token
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import TRANSFORMS, And, Has, Holds, Not, Or, Scaled, Statement, iff, implies

MAX_LENGTH = 10_000
EXAMPLE = "np(e) => cdp(2*e)"
_TOKEN = re.compile(
    r'\s*(?:("[^"]*")|([^\W\d]\w*(?:-\w+)*)|(10\^[+-]?[0-9]+|[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)|(=>|<=|[-+*/(),=∞≤]))'
)
_TIPS = {
    "&": "write `and`", "|": "write `or`", "!": "write `not`", "<": "a bound is written <=, and both ways are `iff`",
    "⇒": "write =>", "→": "write =>", "⟹": "write =>", "⇔": "write `iff`", "∧": "write `and`", "∨": "write `or`",
    "¬": "write `not`", "'": 'write a reading in double quotes: reading="all-values"',
    ">": "an implication is written =>",
}  # fmt: skip


def tokens_of(text: str, where: str) -> list[Token]:
    """The tokens of a text, from left to right.

    >>> [token.text for token in tokens_of("np delta at ln(2) <= 1/10", "question")]
    ['np', 'delta', 'at', 'ln', '(', '2', ')', '<=', '1', '/', '10']

    Raises:
        InputError: for a text that is too long, and for a mark that the language does not have.

    """
    if len(text) > MAX_LENGTH:
        raise InputError(
            f"the text is too long: {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}"
        )

    def stranger(at: int) -> InputError:
        return InputError(
            f'"{text[at]}" at character {at + 1} of {shorten(text)} is unknown',
            where=where,
            wanted="names, numbers, parentheses, commas and =>",
            tip=_TIPS.get(text[at], EXAMPLE),
        )

    return reader.tokens_of(_TOKEN, text, stranger)


MAX_DEPTH, MAX_TRANSFORMS = 60, 2
WORDS = ("not", "and", "or", "iff")
ENDS = frozenset({",", ")", "<=", "≤", "=>", *WORDS})
"""The marks and words before which the text of an ε or a δ ends."""
RESERVED = (*WORDS, *TRANSFORMS, "ln", "log", "exp", "inf")
_QUESTION = "np(ln(2), 1/10)"


@takes(where=arguments.text)
def statement(text: object, where: str = "statement") -> Statement:
    """Read a statement from its text; a `Statement` is returned as it is. `str` prints a text that reads the same.

    >>> print(statement("independent => np iff cdp"))
    independent => np iff cdp
    >>> print(statement("not(ppkdp(epsilon=2*ln(3), delta=0.5) and acceptable) or twice(np(e, 2*d))"))
    ppkdp(ln(9), 1/2) and acceptable => twice(np(e, 2*d))

    Raises:
        InputError: for a text that is no statement, with the position of the first wrong character.

    """
    if isinstance(text, Statement):
        return text
    if not isinstance(text, str):
        raise InputError(f"{shorten(text)} is not a text", where=where, wanted="a statement as text", tip=EXAMPLE)
    reader = _Reader(text, where)
    tree = reader.implication()
    if reader.next():
        word = reader.tokens[reader.place].text.lower()
        tip = "an implication is written =>" if word in {"implies", "entails", "then"} else ""
        raise reader.refuse("`and`, `or`, `=>`, `iff`, or the end", tip)
    _one_kind(reader)
    return tree


@dataclass(frozen=True)
class ParsedQuestion:
    """One question as it was read: a definition with its parameters; a parameter that was left out is None.

    `sought` is `delta` or `epsilon` where the question is for that number, and empty where it is for yes or no. `on`
    lists the transformations (`post`, `twice`) around the definition, the outermost first.
    """

    definition: str
    epsilon: Epsilon | Scaled | None = None
    delta: Fraction | Scaled | None = None
    reading: str | None = None
    on: tuple[str, ...] = ()
    sought: str = ""


def question(text: object, where: str = "question") -> ParsedQuestion:
    """Read one question, for yes or no or for a number, about the model's own mechanism and without variables.

    >>> question("np(ln(2), 1/10)") == question("np delta at ln(2) <= 1/10")
    True
    >>> question("cdp delta at ln(2)").sought, question("cdp(ln(2))").sought
    ('delta', '')

    Raises:
        InputError: for a text that is no question, with the position of the first wrong character.

    """
    if not isinstance(text, str):
        raise InputError(f"{shorten(text)} is not a text", where=where, wanted="a question as text", tip=_QUESTION)
    reader = _Reader(text, where, one_question=True)
    parsed = reader.instance()
    if reader.next():
        raise reader.refuse("one question", "statements with `and`, `or`, `=>` are for pk.search")
    if reader.variables:
        raise reader.refuse("a number: variables are for pk.search", at=reader.tokens.index(reader.variables[0][2]))
    if parsed.on:
        raise reader.refuse("the mechanism itself", f"{parsed.on[0]}(…) is for pk.search", 0)
    return parsed


class _Reader(Reader):
    """The parser of statements and questions: one pass over the tokens from left to right."""

    def __init__(self, text: str, where: str, *, one_question: bool = False) -> None:
        super().__init__(tokens_of(text, where))
        self.text, self.where, self.one_question, self.depth = text, where, one_question, 0
        self.variables: list[tuple[str, str, Token]] = []

    def need(self, wanted: str, after: str) -> None:
        """Consume the wanted token, or refuse the text."""
        if not self.take(wanted):
            raise self.refuse(f"`{wanted}` {after}")

    def refuse(self, wanted: str, tip: str = "", at: int | None = None) -> InputError:
        """The error at the token with index `at`; at the next token where none is named."""
        position = self.place if at is None else at
        if position < len(self.tokens):
            token = self.tokens[position]
            problem = f"`{cut(token.text)}` at character {token.at + 1} of {shorten(self.text)} is out of place"
        else:
            problem = f"{shorten(self.text)} ends too early" if self.text.strip() else "the text is empty"
        return InputError(problem, where=self.where, wanted=wanted, tip=tip or ("" if self.text.strip() else EXAMPLE))

    def deeper(self) -> None:
        """Refuse a text that is nested more deeply than `MAX_DEPTH`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refuse(f"at most {MAX_DEPTH} parts inside of each other")

    def implication(self) -> Statement:
        """Parse `a => b`, which binds least and groups to the right."""
        self.deeper()
        tree = self.equivalence()
        if self.take("=>"):
            tree = implies(tree, self.implication())
        self.depth -= 1
        return tree

    def equivalence(self) -> Statement:
        """Parse `a iff b`."""
        tree = self.disjunction()
        if self.take("iff"):
            tree = iff(tree, self.disjunction())
            if self.next() == "iff":
                raise self.refuse("one `iff`", "put one of the two in parentheses")
        return tree

    def disjunction(self) -> Statement:
        """Parse `a or b or …`."""
        operands = [self.conjunction()]
        while self.take("or"):
            operands.append(self.conjunction())
        return operands[0] if len(operands) == 1 else Or(tuple(operands))

    def conjunction(self) -> Statement:
        """Parse `a and b and …`."""
        operands = [self.negation()]
        while self.take("and"):
            operands.append(self.negation())
        return operands[0] if len(operands) == 1 else And(tuple(operands))

    def negation(self) -> Statement:
        """Parse what binds most: `not a`, parentheses, a property or a question."""
        if self.take("not"):
            self.deeper()
            tree = Not(self.negation())
            self.depth -= 1
            return tree
        if self.take("("):
            inside = self.implication()
            self.need(")", "after what stands in parentheses")
            return inside
        name = self.next()
        if name in PROPERTIES:
            self.place += 1
            if self.next() == "(":
                raise self.refuse("no arguments", f"{name} is a property of the model")
            return Has(name)
        return self.question()

    def question(self) -> Holds:
        """Parse a definition that is to hold, of the model's mechanism or of `post(…)` or `twice(…)` of it."""
        start, instance = self.place, self.instance()
        if instance.sought:
            words = self.text[self.tokens[start].at : self.tokens[self.place - 1].end]
            raise self.refuse(
                "`<=` and a bound", f"{shorten(words)} is a number, not yes or no; with a bound: {words} <= 1/10"
            )
        delta = Fraction(0) if instance.delta is None else instance.delta
        return Holds(instance.definition, instance.epsilon, delta, instance.reading or "default", " ".join(instance.on))

    def instance(self, on: tuple[str, ...] = ()) -> ParsedQuestion:
        """Parse a definition with its arguments, and `delta at ε` or `epsilon at δ` after it."""
        at, name = self.place, self.next()
        if name in TRANSFORMS:
            if len(on) == MAX_TRANSFORMS:
                raise self.refuse(f"at most {MAX_TRANSFORMS} of {', '.join(TRANSFORMS)} inside of each other")
            self.place += 1
            self.need("(", f"and a definition after {name}")
            instance = self.instance((*on, name))
            self.need(")", f"after the definition in {name}(…)")
            return instance
        if not self.token.is_name or name in RESERVED or (on and name in PROPERTIES):
            raise self._no_statement(on)
        try:
            definition = find(name)
        except InputError as error:
            raise self._unknown(error, () if on or self.one_question else PROPERTIES) from None
        find_for_all(name)
        self.place += 1
        arguments = self.arguments() if self.take("(") else {}
        reading = arguments.get("reading")
        if reading and reading == definition.default_reading:
            arguments["reading"] = "default"
        elif reading not in {None, *definition.readings}:
            named = f"{definition.key} at character {self.tokens[at].at + 1} has no reading {shorten(reading)}"
            raise InputError(named, where=self.where, wanted=f"one of {', '.join(definition.readings)}")
        sought = self.sought(arguments)
        return ParsedQuestion(definition.key, **arguments, on=on, sought=sought)  # type: ignore[arg-type]

    def sought(self, arguments: dict[str, object]) -> str:
        """Parse `delta at ε` or `epsilon at δ`: the number that is sought; empty where a bound `<= …` follows."""
        for number, second in (("delta", "epsilon"), ("epsilon", "delta")):
            if not self.take(number):
                continue
            self.need("at", f"after {number}")
            if arguments.keys() & {number, second}:
                raise self.refuse(f"ε and δ once: {number} at …, without them in parentheses", at=self.place - 1)
            arguments[second] = self.amount(second)
            if not self.take("<=", "≤"):
                return number
            arguments[number] = self.amount(number)
        return ""

    def _no_statement(self, on: tuple[str, ...]) -> InputError:
        wanted = "a definition (pk.DEFINITIONS)"
        if on:
            stands = self.next() in {*PROPERTIES, *WORDS, "("}
            return self.refuse(wanted, f"{on[-1]}(…) takes one definition: {on[-1]}(np(e))" if stands else "")
        if self.one_question:
            return self.refuse(wanted, _QUESTION)
        return self.refuse(f"{wanted} or a property, such as acceptable")

    def _unknown(self, error: InputError, properties: Collection[str]) -> InputError:
        """The error for an unknown name: of a property if that is closest, else what is said of a definition."""
        name = self.next()
        is_property = closest(name, [*properties, *DEFINITIONS, *ON_REQUEST]) in properties
        known = "neither a definition nor a property" if properties else "not a definition"
        return InputError(
            f"`{cut(name)}` at character {self.token.at + 1} of {shorten(self.text)} is {known}",
            where=self.where,
            wanted=one_of(properties, name) if is_property else error.wanted,
            tip=meant(name, properties) if is_property else error.tip,
        )

    def arguments(self) -> dict[str, object]:
        """Parse the arguments between the parentheses of a definition."""
        arguments: dict[str, object] = {}
        while not self.take(")"):
            if arguments:
                self.need(",", "or `)` after an argument")
            name = self.next()
            named = self.place + 1 < len(self.tokens) and self.tokens[self.place + 1].text == "="
            if not named:
                name = "epsilon" if not arguments else "delta"
                if name in arguments or "reading" in arguments or len(arguments) > 1:
                    raise self.refuse("epsilon=…, delta=… or reading=…", "at most ε, δ and a reading")
            elif name in arguments:
                raise self.refuse(f"{name} once")
            elif name not in {"epsilon", "delta", "reading"}:
                raise self.refuse("epsilon=…, delta=… or reading=…")
            self.place += 2 * named
            arguments[name] = self.reading() if name == "reading" else self.amount(name)
        return arguments

    def reading(self) -> str:
        """Parse the name of a reading in quotes."""
        name = self.next()
        if not name.startswith('"'):
            raise self.refuse('a reading in quotes, such as "all-values"', "pk.DEFINITIONS lists them")
        self.place += 1
        return name.strip('"')

    def amount(self, kind: str) -> Epsilon | Fraction | Scaled:
        """Parse an ε or a δ: a number, or a variable with a factor (a δ also with a summand)."""
        start, depth = self.place, 0
        while (mark := self.next()) and (depth or mark not in ENDS):
            depth += (mark == "(") - (mark == ")")
            self.place += 1
        tokens = self.tokens[start : self.place]
        if not tokens:
            raise self.refuse("a number or a variable")
        names = [k for k, token in enumerate(tokens) if token.is_name and token.text not in {"ln", "log", "exp", "inf"}]
        text = self.text[tokens[0].at : tokens[-1].end]
        try:
            if not names:
                where = f"{self.where}: {kind} at character {tokens[0].at + 1}"
                return read_epsilon(text, where) if kind == "epsilon" else delta_bound(text, where)
            return self.scaled(kind, tokens, names, start)
        except PkdpError as error:
            raise error.within(self.where) from None

    def scaled(self, kind: str, tokens: Sequence[Token], names: list[int], start: int) -> Scaled:
        """Parse a scaled variable: `e`, `2*e`, `e*2`, `e/3`, `2/3*e`, and for δ with `+ 1/10` or `1/10 +`."""
        name = tokens[names[0]]
        if len(names) > 1:
            raise self.refuse("one variable in an argument", at=start + names[1])
        if "-" in name.text:
            raise self.refuse(
                "a variable times a positive rational, such as 2*e",
                "names of variables have no hyphen",
                start + names[0],
            )
        if name.text in {*RESERVED, *PROPERTIES} or is_known(name.text):
            raise self.refuse(
                "a variable, which no definition, property or word of the language is called",
                "e, d, x",
                start + names[0],
            )
        factor, plus, signs = Fraction(1), Fraction(0), [k for k, token in enumerate(tokens) if token.text == "+"]
        if signs and kind == "epsilon":
            raise self.refuse("a variable times a rational", "a sum is read for δ alone", start + signs[0])
        ends = [-1, *signs, len(tokens)]
        for left, right in pairwise(ends):
            value = Fraction(1)
            for k in range(left + 1, right):
                token, is_value = tokens[k], (k - left) % 2 == 1
                fits = (token.is_name or token.text[0].isdigit()) if is_value else token.text in {"*", "/"}
                divides = is_value and k > left + 1 and tokens[k - 1].text == "/"
                if not fits or (divides and (token.is_name or rational(token.text) == 0)):
                    raise self.refuse("a variable times a positive rational, such as 2*e or e/3", at=start + k)
                if is_value and not token.is_name:
                    value = value / rational(token.text) if divides else value * rational(token.text)
            if (right - left) % 2 == 1 or right == left + 1:
                raise self.refuse("a number or a variable", at=start + right)
            if left < names[0] < right:
                factor = value
            else:
                plus += value
        if factor == 0:
            raise self.refuse("a variable times a positive rational", at=start)
        self.variables.append((name.text, kind, name))
        return Scaled(name.text, factor, plus)


def _one_kind(reader: _Reader) -> None:
    """Refuse a variable that is both an ε and a δ."""
    kinds: dict[str, str] = {}
    for name, kind, token in reader.variables:
        if kinds.setdefault(name, kind) != kind:
            position = f"at character {token.at + 1} of {shorten(reader.text)}"
            raise InputError(
                f"{name} is {kind} {position}, and {kinds[name]} before",
                where=reader.where,
                wanted="one name for each",
                tip="np(e, d)",
            )
