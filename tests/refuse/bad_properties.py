"""Bad questions about properties: formulas, readings, pairs of models that cannot be compared, limits."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, IID, Bad

BIG = GOOD.replace("size = 2", "size = 20")
KNOWN = f'{HEAD}{IID}[mechanism]\nkind = "sum"\n[knowledge]\nrecords = [0]\n'
MODE = f'{HEAD}{IID}[mechanism]\nkind = "maximum"\n[knowledge]\nrecords = [0]\n'
WORDS = KNOWN.replace("values = [0, 1]", 'values = [0, 1, "yes"]').replace('kind = "sum"', 'kind = "count"\nvalue = 0')
TIP = r"\. Tip: use fewer records or values, or raise --max-rows if you have the memory and the time\."


def _formula(text: str, *more: str) -> tuple[str, ...]:
    return ("reducible", "{file}", "--bijection", text, *more)


FORMULAS = tuple(
    Bad(f"bijection {number}: {text[:20]}", KNOWN, rf"--bijection: {message}", _formula(text))
    for number, (text, message) in enumerate((
        ("", r"given nothing; wanted a number, a name or a parenthesis\."),
        ("O +", r"given a formula that ends too early; wanted a number, a name or a parenthesis\."),
        ("O O", r'given "O" at position 3; wanted an operation, or the end\.'),
        ("(O", r"given a formula that ends too early; wanted a closing parenthesis\."),
        ("O)", r'given "\)" at position 2; wanted an operation, or the end\.'),
        ("sum x", r'given "x" at position 5; wanted a parenthesis after sum\.'),
        ("O + x", r'given "x" at position 5; wanted x, y and w inside of sum\(…\) or prod\(…\)\. Tip: they are of one known record\.'),
        ("sum(prod(x))", r'given "prod" at position 5; wanted no sum or prod inside of another\.'),
        ("O + z", r'given "z" at position 5; wanted one of O, n, k, M1, M2, x, y, w, sum, prod, sqrt\.'),
        ("O = 1", r'given "=" at position 3; wanted numbers, names, \+ - \* / \^ and parentheses\. Tip: the right side alone: O \+ sum\(w\*\(y - x\)\)\.'),
        ("O % 2", r'given "%" at position 3; wanted numbers, names, \+ - \* / \^ and parentheses\. Tip: O \+ sum\(w\*\(y - x\)\)\.'),
        ("O.real", r'given "\." at position 2; wanted numbers.*'),
        ("__import__(1)", r'given "__import__" at position 1; wanted one of .*'),
        ("(" * 2000, r"given 2,000 characters; wanted at most 1,000\."),
        ("(" * 500, r"given a formula that is nested too deeply; wanted at most 60\."),
        ("-" * 500 + "1", r'given "-" at position 61; wanted at most 60 signs and parentheses inside of each other\.'),
    ))
)  # fmt: skip

QUESTIONS = (
    Bad(
        "bijection with w of a maximum",
        MODE,
        r"FILE: --bijection: given w for maximum of the records; wanted a mechanism that adds up a weight times the value of each record\. Tip: sum, mean and linear do\.",
        _formula("O + sum(w)"),
    ),
    Bad(
        "bijection with M1 of a maximum",
        MODE,
        r"FILE: --bijection: given M1 or M2 for maximum of the records; wanted a mechanism that is defined on the known records alone\. Tip: constant, count, threshold-count, sum, parity, histogram, k-anonymous-histogram and apply are\.",
        _formula("O - M1 + M2"),
    ),
    Bad(
        "bijection with x of a word",
        WORDS,
        r"FILE: --bijection: given x, y or w with the value yes; wanted values that are numbers\.",
        _formula("O + sum(x)"),
    ),
    Bad(
        "reducible in an unknown reading",
        KNOWN,
        r'FILE: given the reading "mine" of reducible; wanted one of default, ignore-impossible, one-bijection\.',
        ("reducible", "{file}", "--reading", "mine"),
    ),
    Bad(
        "an unknown property",
        KNOWN,
        r"--name: given beauty; wanted one of .*reducible.*\.",
        ("property", "{file}", "--name", "beauty"),
    ),
    Bad(
        "stronger in an unknown reading",
        KNOWN,
        r'FILE and FILE: given the reading "mine" of stronger; wanted one of default, joint, one-for-all\.',
        ("stronger", "{file}", "{file}", "--reading", "mine"),
    ),
    Bad(
        "stronger with one model",
        KNOWN,
        r"Missing argument .MODEL_2.\. Tip: pkdp stronger --help\.",
        ("stronger", "{file}"),
    ),
    Bad(
        "property with an unknown format",
        KNOWN,
        r"--format: given xml; wanted one of table, markdown, latex, csv\.",
        ("property", "{file}", "--format", "xml"),
    ),
    Bad(
        "dependency in an unknown reading",
        KNOWN,
        r'--reading: given the reading "mine" of dependency; wanted one of default, one-order, no-loss, infinite-loss, equal-infinities, both-ways\.',
        ("check", "{file}", "--definition", "dependency", "--reading", "mine"),
    ),
    Bad(
        "an expectation of a property with an epsilon",
        f'{KNOWN}[[expect]]\ndefinition = "reducible"\nepsilon = "1"\nverdict = "holds"\n',
        r"FILE: \[\[expect\]\]: FILE: \[\[expect\]\] asks for reducible with epsilon; wanted `record` and `distribution` at most, for a property\.",
        ("check", "{file}", "--expect"),
    ),
)

LIMITS = (
    Bad(
        "reducible on too many worlds",
        f'{BIG}[knowledge]\nkind = "parity"\nvalue = 1\n',
        r'FILE: the distribution "x" has 1,048,576 worlds, more than the limit of 10 rows' + TIP,
        ("reducible", "{file}", "--max-rows", "10"),
        status=3,
    ),
    Bad(
        "stronger on too many worlds",
        BIG,
        r'FILE and FILE: the distribution "x" has 1,048,576 worlds, for 20 protected values, more than the limit of 10 rows'
        + TIP,
        ("stronger", "{file}", "{file}", "--max-rows", "10"),
        status=3,
    ),
    Bad(
        "a formula on too many knowledge values",
        KNOWN.replace("size = 2", "size = 8").replace("records = [0]", "records = { from = 0, to = 6 }"),
        r"FILE: the formula has [0-9,]+ values, more than the limit of 1,000 rows" + TIP,
        _formula("O", "--max-rows", "1000"),
        status=3,
    ),
)

ENTRIES = (*FORMULAS, *QUESTIONS, *LIMITS)
