"""Bad `[parameters]`, bad `--set`, and questions about families that are none, through the command line."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, SUM, Bad, ask

HEAD = "size = 2\nvalues = [0, 1]\n"
P = '[parameters]\np = { from = "0", to = "1" }\n'
COIN = '[[distribution]]\nname = "x"\niid = { 0 = "1 - p", 1 = "p" }\n'
FAMILY = HEAD + P + COIN + SUM
TWO = (
    HEAD
    + P
    + 'q = { from = "0", to = "1 - p" }\n'
    + COIN.replace('1 = "p"', '1 = "p"').replace("1 - p", "1 - p - q + q")
    + SUM
)


def _range(given: str, more: str = "") -> str:
    """A family whose parameter p is given like this."""
    return f"{HEAD}{more}[parameters]\np = {given}\n{COIN}{SUM}"


def _law(zero: str, one: str, given: str = '{ from = "0", to = "1" }') -> str:
    return (
        f'{HEAD}[parameters]\np = {given}\n[[distribution]]\nname = "x"\niid = {{ 0 = "{zero}", 1 = "{one}" }}\n{SUM}'
    )


def _set(*values: str) -> tuple[str, ...]:
    return ask("--definition", "np", *(one for value in values for one in ("--set", value)))


SETS = (
    Bad("--set without a value", FAMILY, r'--set: given "p"; wanted a name and a value, such as p=1/7\.', _set("p")),
    Bad(
        "--set without a name", FAMILY, r'--set: given "=1/2"; wanted a name and a value, such as p=1/7\.', _set("=1/2")
    ),
    Bad("--set of no number", FAMILY, r'--set: given "x"; wanted a value for p .*', _set("p=x")),
    Bad("--set of an expression", FAMILY, r'--set: given "1 - 1/3"; wanted a value for p .*', _set("p=1 - 1/3")),
    Bad("--set of nothing", FAMILY, r'--set: given ""; wanted a value for p .*', _set("p=")),
    Bad(
        "--set of a name that is none", FAMILY, r'FILE: the parameter "q" is unknown; wanted one of p\.', _set("q=1/2")
    ),
    Bad(
        "--set of one more name",
        FAMILY,
        r'FILE: the parameter "q" is unknown; wanted one of p\.',
        _set("p=1/2", "q=1/2"),
    ),
    Bad("--set beyond the range", FAMILY, r"FILE: given p = 8/7; wanted p <= 1\.", _set("p=8/7")),
    Bad("--set below the range", FAMILY, r"FILE: given p = -1/7; wanted p >= 0\.", _set("p=-1/7")),
    Bad("--set at an open end", _range('{ above = "0", to = "1" }'), r"FILE: given p = 0; wanted p > 0\.", _set("p=0")),
    Bad("--set twice", FAMILY, r"--set: given a parameter twice; wanted one value for each\.", _set("p=1/2", "p=1/2")),
    Bad(
        "--set against a side condition",
        _range('{ from = "0" }', 'conditions = ["2*p <= 1"]\n'),
        r"FILE: given p = 3/4; wanted 2\*p <= 1\.",
        _set("p=3/4"),
    ),
    Bad("--set on a model", GOOD, r"FILE: given --set p=1/7; wanted a model with \[parameters\]\.", _set("p=1/7")),
)

RANGES = (
    Bad(
        "parameters without any",
        _range("").replace("p = \n", ""),
        r'FILE: \[parameters\]: given no parameter; wanted p = \{ from = "0", to = "1" \}\.',
    ),
    Bad(
        "a parameter that is a number",
        _range('"1/2"'),
        r"FILE: \[parameters\], p: given .*1/2.*; wanted a range such as .*",
    ),
    Bad(
        "a range from 1 to 0",
        _range('{ from = "1", to = "0" }'),
        r"FILE: \[parameters\], p: given the range from 1 to 0; wanted from < to\.",
    ),
    Bad(
        "a range with both lower ends",
        _range('{ from = "0", above = "0", to = "1" }'),
        r"FILE: \[parameters\], p: given `from` and `above`; wanted one of the two\.",
    ),
    Bad(
        "a range with an unknown key",
        _range('{ from = "0", until = "1" }'),
        r"FILE: \[parameters\], p: the key `until` is unknown; wanted one of from, above, to, below\.",
    ),
    Bad(
        "a range with an unknown name in it",
        _range('{ from = "0", to = "1 - r" }'),
        r'FILE: \[parameters\], p, to: given the name "r"; wanted .*',
    ),
    Bad(
        "a range with its own name in it",
        _range('{ from = "0", to = "1 - p" }'),
        r'FILE: \[parameters\], p, to: given the name "p"; wanted .*',
    ),
    Bad(
        "a range with a call",
        _range('{ from = "0", to = "exp(0)" }'),
        r'FILE: \[parameters\], p, to: given the function "exp"; wanted numbers, parameters, \+ - \* / \^ and parentheses\. Tip: for e\^ε take a parameter x of its own, and ask with --epsilon ln\(x\)\.',
    ),
    Bad(
        "a side condition without an order",
        _range('{ from = "0", to = "1" }', 'conditions = ["p"]\n'),
        r'FILE: conditions: given "p"; wanted an inequality such as "p \+ q <= 1"\.',
    ),
    Bad(
        "a side condition that is an equation",
        _range('{ from = "0", to = "1" }', 'conditions = ["p == 1"]\n'),
        r'FILE: conditions: given "p == 1"; wanted an inequality such as "p \+ q <= 1"\.',
    ),
    Bad(
        "side conditions that nothing meets",
        _range('{ from = "0", to = "1" }', 'conditions = ["p >= 2"]\n'),
        r"FILE: no value of the parameter meets all conditions; wanted p >= 0 and p <= 1 and p >= 2\.",
    ),
    Bad(
        "conditions without parameters",
        "conditions = []\n" + GOOD,
        r"FILE: given conditions without \[parameters\]; wanted both, or neither\.",
    ),
    Bad(
        "a parameter in no probability",
        FAMILY.replace(P, P + 'q = { from = "0", to = "1" }\n'),
        r'FILE: \[parameters\]: the parameter q stands in no probability; wanted an expression such as "1 - q"\.',
    ),
)

LAWS = (
    Bad(
        "a law with an unknown name",
        _law("1 - r", "r"),
        r'FILE: distribution, row 1, iid, 0: given the name "r"; wanted a number, or a parameter of \[parameters\]: p\.',
    ),
    Bad(
        "a law that does not sum to 1",
        _law("1 - p", "p/2"),
        r'FILE: \[\[distribution\]\] "x", iid: given probabilities that sum to 15/16 \(at p = 1/8\); wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/16; nothing is ever normalised\.',
    ),
    Bad(
        "a law that is negative somewhere",
        _law("1 - 2*p", "2*p"),
        r"FILE: distribution, row 1, iid, 0: 1 - 2\*p is no probability at p = 2/3; wanted at least 0 for 1/2 < p < 1\.",
    ),
    Bad(
        "a law with a pole in the range",
        _law("1 - p/(2*p)", "p/(2*p)"),
        r"FILE: the expression 1 - p/\(2\*p\) divides by 0 at p = 0.*",
    ),
    Bad(
        "a law with a call",
        _law("1 - sin(p)", "sin(p)"),
        r'FILE: distribution, row 1, iid, 0: given the function "sin"; wanted numbers, parameters, \+ - \* / \^ and parentheses\. Tip: for e\^ε take a parameter x of its own, and ask with --epsilon ln\(x\)\.',
    ),
    Bad(
        "a law with an unknown sign",
        _law("1 - p", "p!"),
        r'FILE: distribution, row 1, iid, 1: given "!" at position 2 of "p!"; wanted numbers, parameters, \+ - \* / \^ and parentheses\.',
    ),
    Bad(
        "a law with a large exponent",
        _law("1 - p^65", "p^65"),
        r'FILE: distribution, row 1, iid, 0: given "65" at position 7 of "1 - p\^65"; wanted an integer exponent up to 64\.',
    ),
    Bad(
        "a law with an open parenthesis",
        _law("1 - p", "(p"),
        r'FILE: distribution, row 1, iid, 1: given "\(p"; wanted "\)"\.',
    ),
)

QUESTIONS = (
    Bad(
        "a family with an epsilon of another parameter",
        FAMILY,
        r'FILE: epsilon: given the name "y"; wanted a number, or a parameter of \[parameters\]: p\.',
        ask("--definition", "np", "--epsilon", "ln(y)"),
    ),
    Bad(
        "a family with a negative epsilon",
        FAMILY,
        r"FILE: epsilon: ε = ln\(p\) is negative at p = 0; wanted ε ≥ 0\.",
        ask("--definition", "np", "--epsilon", "ln(p)"),
    ),
    Bad(
        "a family with a delta above 1",
        FAMILY,
        r"FILE: delta: given 2, which is more than 1; wanted δ in \[0, 1\]\.",
        ask("--delta", "2"),
    ),
    Bad(
        "a family with a certificate",
        FAMILY,
        r"FILE: given --certificate; wanted one model\. Tip: fix each parameter: --set p=1/7\.",
        ask("--definition", "np", "--certificate", "x.json"),
    ),
    Bad(
        "a family with a profile",
        FAMILY,
        r"FILE: given --profile; wanted one model\. Tip: fix each parameter: --set p=1/7\.",
        ask("--definition", "np", "--profile"),
    ),
    Bad(
        "a family with an engine",
        FAMILY,
        r"FILE: given --engine; wanted one model\. Tip: fix each parameter: --set p=1/7\.",
        ask("--definition", "np", "--engine", "sum"),
    ),
    Bad(
        "losses of a family with an engine",
        FAMILY,
        r"FILE: given --engine; wanted one model\. Tip: fix each parameter: --set p=1/7\.",
        ("loss", "{file}", "--engine", "sum"),
    ),
    Bad(
        "losses of a record that is none",
        FAMILY,
        r"FILE: given record 7; wanted a record and two values that are compared: record 0, 1, values 0 1, 1 0\.",
        ("loss", "{file}", "--record", "7"),
    ),
    Bad(
        "losses of values that are none",
        FAMILY,
        r"FILE: given the values 0 and 5; wanted a record and two values that are compared: record 0, 1, values 0 1, 1 0\.",
        ("loss", "{file}", "--values", "0", "5"),
    ),
    Bad(
        "losses of two parameters",
        TWO,
        r"FILE: the family has 2 parameters; wanted one\. Tip: fix the others: --set q=1/7\.",
        ("loss", "{file}"),
    ),
    Bad(
        "a family as the model of a search for the worst",
        FAMILY,
        r"FILE: the file has \[parameters\], so that it is a family of models; wanted one model\. Tip: .*",
        ("worst", "{file}", "--maximise", "cdp delta at ln(2)", "--assuming", "np(epsilon=ln(2))"),
        3,
    ),
)

ENTRIES = (*SETS, *RANGES, *LAWS, *QUESTIONS)
