"""Bad questions: definitions, ε, δ, readings, formats, limits, commands and options."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, IID, Bad, ask

BIG = GOOD.replace("size = 2", "size = 20")
TABLE = f'{HEAD.replace("size = 2", "size = 40")}[[distribution]]\nname = "x"\niid = {{ 0 = 1 }}\n[mechanism]\nrows = []\notherwise = "a"\n'
IDENTITY = f'{HEAD}{IID}[mechanism]\nkind = "identity"\n'
ONE_ROW = f'{HEAD}{IID}[mechanism]\nrows = [ {{ database = [0, 0], output = "a" }} ]\n'
LOSS = ("loss", "{file}")


def _epsilon(text: str) -> tuple[str, ...]:
    return ask("--definition", "np", "--epsilon", text)


def _delta(text: str) -> tuple[str, ...]:
    return ask("--definition", "np", "--epsilon", "1", "--delta", text)


EPSILONS = (
    Bad(
        "epsilon log(2)",
        GOOD,
        r'--epsilon: given ε = "log\(2\)"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: log has several bases; the natural logarithm is written ln\.',
        _epsilon("log(2)"),
    ),
    Bad("epsilon -1", GOOD, r"--epsilon: given ε = -1; wanted ε ≥ 0\.", _epsilon("-1")),
    Bad("epsilon -1/2", GOOD, r"--epsilon: given ε = -1/2; wanted ε ≥ 0\.", _epsilon("-1/2")),
    Bad(
        "epsilon ln(1/2)",
        GOOD,
        r"--epsilon: given a negative ε; wanted ε ≥ 0\. Tip: use ln\(q/p\) for -ln\(p/q\)\.",
        _epsilon("ln(1/2)"),
    ),
    Bad(
        "epsilon -ln(2)",
        GOOD,
        r"--epsilon: given a negative ε; wanted ε ≥ 0\. Tip: use ln\(q/p\) for -ln\(p/q\)\.",
        _epsilon("-ln(2)"),
    ),
    Bad("epsilon ln(0)", GOOD, r"--epsilon: given ln\(0\); wanted the ln of a positive number\.", _epsilon("ln(0)")),
    Bad("epsilon ln(-2)", GOOD, r"--epsilon: given ln\(-2\); wanted the ln of a positive number\.", _epsilon("ln(-2)")),
    Bad(
        "epsilon ln 2",
        GOOD,
        r'--epsilon: given ε = "ln 2"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: write ln\(2\)\.',
        _epsilon("ln 2"),
    ),
    Bad(
        "epsilon ln(",
        GOOD,
        r'--epsilon: given ε = "ln\("; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: a parenthesis is missing\.',
        _epsilon("ln("),
    ),
    Bad(
        "epsilon ln()",
        GOOD,
        r'--epsilon: given ""; wanted the ln of a number such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _epsilon("ln()"),
    ),
    Bad(
        "epsilon ln",
        GOOD,
        r'--epsilon: given ε = "ln"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: a parenthesis is missing\.',
        _epsilon("ln"),
    ),
    Bad(
        "epsilon ln)2(",
        GOOD,
        r'--epsilon: given ε = "ln\)2\("; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: write ln\(2\) with parentheses\.',
        _epsilon("ln)2("),
    ),
    Bad(
        "epsilon 2*",
        GOOD,
        r'--epsilon: given ε = "2\*"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("2*"),
    ),
    Bad(
        "epsilon *2",
        GOOD,
        r'--epsilon: given ε = "\*2"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("*2"),
    ),
    Bad(
        "epsilon --1",
        GOOD,
        r'--epsilon: given ε = "--1"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("--1"),
    ),
    Bad(
        "empty epsilon",
        GOOD,
        r'--epsilon: given ε = ""; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon(""),
    ),
    Bad(
        "epsilon ln(2)*ln(3)",
        GOOD,
        r'--epsilon: given ε = "ln\(2\)\*ln\(3\)"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("ln(2)*ln(3)"),
    ),
    Bad(
        "epsilon 1/ln(2)",
        GOOD,
        r'--epsilon: given ε = "1/ln\(2\)"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("1/ln(2)"),
    ),
    Bad(
        "epsilon ln(2)+1",
        GOOD,
        r'--epsilon: given ε = "ln\(2\)\+1"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("ln(2)+1"),
    ),
    Bad(
        "epsilon 1/0",
        GOOD,
        r'--epsilon: given ε = "1/0"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: the denominator is 0\.',
        _epsilon("1/0"),
    ),
    Bad(
        "epsilon ln(1/0)",
        GOOD,
        r"--epsilon: given 1/0; wanted the ln of a number with a denominator that is not 0\.",
        _epsilon("ln(1/0)"),
    ),
    Bad(
        "epsilon ln(ln(2))",
        GOOD,
        r'--epsilon: given "ln\(2"; wanted the ln of a number such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _epsilon("ln(ln(2))"),
    ),
    Bad(
        "epsilon 1.2.3",
        GOOD,
        r'--epsilon: given "1\.2\.3"; wanted ε such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _epsilon("1.2.3"),
    ),
    Bad(
        "epsilon 0.",
        GOOD,
        r'--epsilon: given "0\."; wanted ε such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _epsilon("0."),
    ),
    Bad(
        "epsilon nan",
        GOOD,
        r'--epsilon: given ε = "nan"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("nan"),
    ),
    Bad(
        "epsilon -inf",
        GOOD,
        r'--epsilon: given ε = "-inf"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("-inf"),
    ),
    Bad(
        "epsilon exp(1)",
        GOOD,
        r'--epsilon: given ε = "exp\(1\)"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("exp(1)"),
    ),
    Bad(
        "epsilon as Python code",
        GOOD,
        r'--epsilon: given ε = "__import__\(.os.\)"; wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: for example ln\(2\), 2/5\*ln\(3\), 1/10\.',
        _epsilon("__import__('os')"),
    ),
    Bad(
        "epsilon of a million digits",
        GOOD,
        r"--epsilon: given ε of 100,000 characters; wanted at most 4,300\.",
        _epsilon("9" * 100_000),
        status=3,
    ),
    Bad(
        "epsilon with a huge exponent",
        GOOD,
        r"--epsilon: given a decimal with the exponent 999,999; wanted an exponent of at most 4,300 in size\.",
        _epsilon("1e999999"),
        status=3,
    ),
    Bad(
        "epsilon with a huge power",
        GOOD,
        r'--epsilon: given an ε whose e\^ε has more than 1,048,576 bits\. Tip: use "inf"\.',
        _epsilon("1000000*ln(10)"),
        status=3,
    ),
    Bad(
        "epsilon of a thousand factors",
        GOOD,
        r"--epsilon: given ε of 80,199 characters; wanted at most 4,300\.",
        _epsilon("*".join(["9" * 400] * 200)),
        status=3,
    ),
)

DELTAS = (
    Bad("delta 2", GOOD, r"--delta: given 2, which is more than 1; wanted δ in \[0, 1\]\.", _delta("2")),
    Bad("delta -1", GOOD, r"--delta: given the negative number -1; wanted δ in \[0, 1\]\.", _delta("-1")),
    Bad(
        "delta nan",
        GOOD,
        r'--delta: given "nan"; wanted δ such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _delta("nan"),
    ),
    Bad(
        "delta 0.1x",
        GOOD,
        r'--delta: given "0\.1x"; wanted δ such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _delta("0.1x"),
    ),
    Bad(
        "delta ln(2)",
        GOOD,
        r'--delta: given "ln\(2\)"; wanted δ such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _delta("ln(2)"),
    ),
    Bad(
        "empty delta",
        GOOD,
        r'--delta: given ""; wanted δ such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
        _delta(""),
    ),
    Bad(
        "delta 1e-999999",
        GOOD,
        r"--delta: given a decimal with the exponent -999,999; wanted an exponent of at most 4,300 in size\.",
        _delta("1e-999999"),
        status=3,
    ),
)

CHOICES = (
    Bad(
        "unknown definition",
        GOOD,
        r'--definition: given the definition "npp"; wanted one of 100 names, the closest: np, .*\. Tip: is np meant\? pkdp definitions lists them\.',
        ask("--definition", "npp"),
    ),
    Bad(
        "definition that is empty",
        GOOD,
        r"--definition: given nothing; wanted a definition \(pkdp definitions\)\. Tip: .*\.",
        ask("--definition", ""),
    ),
    Bad(
        "unknown reading",
        GOOD,
        r'--reading: given the reading "loose" of np; wanted one of default, one-order\.',
        ask("--definition", "np", "--reading", "loose"),
    ),
    Bad(
        "reading without definition",
        GOOD,
        r"--reading: given without --definition; wanted the definition that is read so\.",
        ask("--reading", "loose"),
    ),
    Bad(
        "unknown format",
        GOOD,
        r"--format: given html; wanted one of table, markdown, latex, csv\.",
        ask("--format", "html"),
    ),
    Bad(
        "unknown format of loss",
        GOOD,
        r"--format: given xml; wanted one of table, markdown, latex, csv\.",
        ("loss", "{file}", "--record", "0", "--format", "xml"),
    ),
    Bad(
        "--set without parameters",
        GOOD,
        r"FILE: given --set p=1/7; wanted a model with \[parameters\]\.",
        ask("--set", "p=1/7"),
    ),
    Bad(
        "--max-rows 0",
        GOOD,
        r"Invalid value for .--max-rows.: .*\(given 0\)\. Tip: pkdp check --help\.",
        ask("--max-rows", "0"),
    ),
    Bad(
        "--max-rows as text",
        GOOD,
        r"Invalid value for .--max-rows.: .*\(given many\)\. Tip: pkdp check --help\.",
        ask("--max-rows", "many"),
    ),
    Bad(
        "--digits 0",
        GOOD,
        r"Invalid value for .--digits.: .*\(given 0\)\. Tip: pkdp check --help\.",
        ask("--digits", "0"),
    ),
    Bad("loss without record", GOOD, r"FILE: given no record; wanted --record with one of 0, 1\. Tip: .*\.", LOSS),
    Bad(
        "loss --record 99",
        GOOD,
        r"FILE: --record: given the record 99, but there are 2, counted from 0; wanted a protected record: 0, 1\.",
        (*LOSS, "--record", "99"),
    ),
    Bad(
        "loss --record -1",
        GOOD,
        r"FILE: --record: given the record -1, but there are 2, counted from 0; wanted a protected record: 0, 1\.",
        (*LOSS, "--record", "-1"),
    ),
    Bad(
        "loss --record as text",
        GOOD,
        r"Invalid value for .--record.: .*\(given first\)\. Tip: pkdp loss --help\.",
        (*LOSS, "--record", "first"),
    ),
    Bad(
        "loss with equal values",
        GOOD,
        r"FILE: given the value 1 twice; wanted two different values\.",
        (*LOSS, "--record", "0", "--values", "1", "1"),
    ),
    Bad(
        "loss with an unknown value",
        GOOD,
        r'FILE: given the value "7"; wanted one of 0, 1\.',
        (*LOSS, "--record", "0", "--values", "0", "7"),
    ),
    Bad(
        "loss with one value",
        GOOD,
        r"Option .--values. requires 2 arguments\. Tip: pkdp loss --help\.",
        (*LOSS, "--record", "0", "--values", "0"),
    ),
)

LIMITS = (
    Bad(
        "--max-rows below the number of worlds",
        IDENTITY,
        r'FILE: the distribution "x" has 4 worlds, more than the limit of 3 rows\. Tip: use fewer records or values, or raise --max-rows if you have the memory and the time\.',
        ask("--max-rows", "3"),
        status=3,
    ),
    Bad(
        "loss on too many worlds",
        BIG,
        r'FILE: the distribution "x" has 1,048,576 worlds, more than the limit of 10 rows\. Tip: use fewer records or values, or raise --max-rows if you have the memory and the time\.',
        (*LOSS, "--record", "0", "--max-rows", "10"),
        status=3,
    ),
    Bad(
        "acceptable on too many worlds",
        f'{BIG}[knowledge]\nkind = "parity"\nvalue = 1\n',
        r'FILE: the distribution "x" has 1,048,576 worlds, more than the limit of 10 rows\. Tip: use fewer records or values, or raise --max-rows if you have the memory and the time\.',
        ("acceptable", "{file}", "--max-rows", "10"),
        status=3,
    ),
    Bad(
        "dp over too large a T^n",
        TABLE,
        r"FILE: dp compares 40 times 2\^40 databases, more than the limit of 4,194,304 rows\. Tip: no machine lists so many: use fewer records or values, or a kind that adds up, such as count or sum\.",
        ask("--definition", "dp", "--epsilon", "1"),
        status=3,
        process=True,
    ),
)

COMMANDS = (
    Bad("unknown command", None, r"No such command .chek.; did you mean .check.\. Tip: .*\.", ("chek", "model.toml")),
    Bad(
        "unknown option",
        GOOD,
        r"No such option:? .?--definitoin.*--definition.*\. Tip: pkdp check --help\.",
        ask("--definitoin", "np"),
    ),
    Bad(
        "option without its value",
        GOOD,
        r"Option .--epsilon. requires an argument\. Tip: pkdp check --help\.",
        ask("--epsilon"),
    ),
    Bad(
        "check without a model",
        None,
        r"Missing argument .MODEL….\. Tip: pkdp check --help, or for instance pkdp check example-7-five-voters\.",
        ("check",),
    ),
    Bad(
        "loss of two models",
        GOOD,
        r"Got unexpected extra argument.*FILE.*\. Tip: pkdp loss --help\.",
        ("loss", "{file}", "{file}"),
    ),
)

ENTRIES = (*EPSILONS, *DELTAS, *CHOICES, *LIMITS, *COMMANDS)
