"""Bad questions about the worst mechanism: what is assumed, what is made large, limits."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, Bad

EXAMPLE = r"such as np\(epsilon=ln\(2\), delta=1/10\)"
LINEAR = r"wanted dp, np, apkdp, ppkdp or cdp"
EVERY = r"Tip: pkdp search takes every definition\."
AT = r"wanted a definition at an ε, such as cdp delta at ln\(2\)\."
BIG = GOOD.replace("size = 2", "size = 12")
UNLIKE = f'size = 10\nvalues = [0, 1]\n[[distribution]]\nname = "x"\nindependent = [{", ".join(f"""{{ 0 = "1/{k + 2}", 1 = "{k + 1}/{k + 2}" }}""" for k in range(10))}]\n[mechanism]\nkind = "sum"\n'
HUGE = GOOD.replace("size = 2", "size = 40")
MANY = GOOD.replace("size = 2", "size = 10") + "[knowledge]\nrecords = [0, 1, 2, 3, 4, 5, 6, 7, 8]\n"
FUNCTION = (
    GOOD
    + '[sensitive]\nrows = [ { database = [0, 0], value = "s" }, { database = [0, 1], value = "t" }, { database = [1, 0], value = "t" }, { database = [1, 1], value = "t" } ]\n'
)
SIZES = 'size = [0, 2]\nvalues = ["t"]\n[mechanism]\nkind = "count"\nvalue = "t"\n'


def _ask(assuming: str, maximise: str = "cdp delta at ln(2)", *more: str) -> tuple[str, ...]:
    return ("worst", "{file}", "--assuming", assuming, "--maximise", maximise, *more)


ASSUMED = tuple(
    Bad(f"worst assuming {text}", GOOD, message, _ask(text), status)
    for text, message, status in (
        ("", r"--assuming: given nothing; wanted .*", 2),
        ("np(ln(2)", r'--assuming: "np\(ln\(2\)" ends too early; wanted .*', 2),
        ("np delta at ln(2)", r'--assuming: "np delta at ln\(2\)" ends too early; wanted `<=` and a bound\. Tip: .* is a number, not yes or no; with a bound: np delta at ln\(2\) <= 1/10\.', 2),
        ("np(ln(2)) delta at 0", r"--assuming: given at at character 17 of .*; wanted ε and δ once: .*", 2),
        ("nq(ln(2))", r"--assuming: given nq at character 1 of .*; wanted a definition .*", 2),
        ("np(ln(2), 3/2)", r"--assuming: .*3/2.*", 2),
        ("np(log(2))", r"--assuming: .*log.*", 2),
        ("np", rf"--assuming: given np without a constant ε and δ; wanted {EXAMPLE}\.", 3),
        ("np(e)", rf"--assuming: given np\(e\) without a constant ε and δ; wanted {EXAMPLE}\.", 3),
        ("np(0, d)", rf"--assuming: given np\(0, d\) without a constant ε and δ; wanted {EXAMPLE}\.", 3),
        ("acceptable", r'--assuming: given "acceptable", which is no linear bound on the mechanism; wanted definitions .*', 3),
        ("not np(0)", r'--assuming: given "not np\(0\)", which is no linear bound on the mechanism; wanted definitions .*', 3),
        ("np(0) or cdp(0)", r'--assuming: given "np\(0\) or cdp\(0\)", which is no linear bound .*', 3),
        ("twice(np(0))", r"--assuming: given twice\(np\(0\)\); wanted the default reading, of the mechanism itself\.", 3),
        ('cdp(0, reading="all-values")', r'--assuming: given cdp\(0, reading="all-values"\); wanted the default reading, of the mechanism itself\.', 3),
        ("np(1/10)", r"FILE: --assuming: given ε = 1/10, whose e\^ε is not rational; wanted ε = \"ln\(p/q\)\", for an exact linear program\. Tip: the optimum is monotone in each ε, so ask at ln\(221/200\) and ln\(553/500\)\.", 3),
        ("np(1/2*ln(2))", r"FILE: --assuming: given ε = 1/2\*ln\(2\), whose e\^ε is not rational; .* so ask at ln\(707/500\) and ln\(283/200\)\.", 3),
        ("np(inf)", r'FILE: --assuming: at ε = inf the bounds are not linear; wanted ε = "ln\(p/q\)"\.', 3),
        ("tail-apkdp(0)", rf"FILE: tail-apkdp bounds a probability of losses, which post-processing may increase and which is not linear; {LINEAR}\.", 3),
        ("ibcdp(0)", rf"FILE: ibcdp is no linear bound on the mechanism; {LINEAR}\. {EVERY}", 3),
        ("ddp(0)", rf"FILE: ddp is no linear bound on the mechanism; {LINEAR}\. {EVERY}", 3),
        ("dps(0)", rf"FILE: dps is no linear bound on the mechanism; {LINEAR}\. {EVERY}", 3),
        ("dependency(0)", rf"FILE: dependency is no linear bound on the mechanism; {LINEAR}\. {EVERY}", 3),
    )
)  # fmt: skip

MAXIMISED = tuple(
    Bad(f"worst maximise {text}", GOOD, message, _ask("np(0)", text), status)
    for text, message, status in (
        ("", rf"--maximise: given .*; {AT}", 2),
        ("cdp", rf'--maximise: given "cdp" without an ε; {AT}', 2),
        ("cdp(ln(2), 1/10)", r'--maximise: given "cdp\(ln\(2\), 1/10\)" with a δ; wanted an ε alone, such as .*', 2),
        ("cdp delta", r'--maximise: "cdp delta" ends too early; wanted `at` after delta\.', 2),
        ("cdp epsilon at 0", rf'--maximise: given "cdp epsilon at 0" without an ε; {AT}', 2),
        ("cdp and np", r'--maximise: given and at character 5 of "cdp and np"; wanted one question\. .*', 2),
        ("nope delta at 0", r'--maximise: given nope at character 1 of "nope delta at 0"; wanted a definition .*', 2),
        ("cdp delta at x", r"--maximise: given x at character 14 of .*; wanted a number: variables are for pkdp search\.", 2),
        ("cdp delta at -1", r"--maximise: epsilon at character 14: given ε = -1; wanted ε ≥ 0\.", 2),
        ("cdp delta at 1/10", r"FILE: --maximise: given ε = 1/10, whose e\^ε is not rational; wanted .*", 3),
        ("cdp delta at inf", r"FILE: --maximise: at ε = inf the bounds are not linear; wanted .*", 3),
        ("tail-cdp delta at 0", rf"FILE: tail-cdp bounds a probability of losses, .*; {LINEAR}\.", 3),
        ("ibddp delta at 0", rf"FILE: ibddp is no linear bound on the mechanism; {LINEAR}\. {EVERY}", 3),
    )
)  # fmt: skip

LIMITS = (
    Bad(
        "worst of 4,096 databases",
        BIG,
        r"FILE: the mechanism is asked for on more than 1,024 databases \([0-9,]+ are counted so far\); wanted at most 1,024\. Tip: fewer records or values; .*",
        ("worst", "{file}", "--maximise", "np delta at 0"),
        3,
    ),
    Bad(
        "worst of 1,024 databases that differ",
        UNLIKE,
        r"FILE: the linear program has 1,024 variables and [0-9,]+ constraints, a table of [0-9,]+ numbers \([0-9,]+ databases, 2 outputs\); wanted at most 600,000\. Tip: fewer records or values; .*",
        ("worst", "{file}", "--maximise", "np delta at 0"),
        3,
    ),
    Bad(
        "worst of too many worlds",
        HUGE,
        r'FILE: the distribution "x" has 1,099,511,627,776 worlds, more than the limit of 16,384 rows\. Tip: .*',
        ("worst", "{file}", "--maximise", "np delta at 0"),
        3,
    ),
    Bad(
        "worst average over 512 knowledge values",
        MANY,
        r"FILE: the objective is an average over 512 knowledge values, so that a worst mechanism may need 2\^512 outputs; wanted at most 256\. Tip: apkdp and cdp look at one B̂ at a time, and need two outputs\.",
        ("worst", "{file}", "--maximise", "ppkdp delta at 0"),
        3,
    ),
    Bad(
        "worst dp of a function",
        FUNCTION,
        r"FILE: dp replaces the value of a record, but \[sensitive\] protects a function of the database\. Tip: .*",
        _ask("dp(0)", "np delta at 0"),
        3,
    ),
    Bad("worst of several sizes", SIZES, r"FILE: this is about distributions, but this model has none: .*", _ask("np(0)"), 3),
    Bad("worst with one output", GOOD, r"Invalid value for '--outputs': .* \(given 1\)\. Tip: pkdp worst --help\.", _ask("np(0)", "cdp delta at 0", "--outputs", "1")),
    Bad("worst without an objective", GOOD, r"Missing option '--maximise'\. Tip: pkdp worst --help\.", ("worst", "{file}")),
    Bad("worst as a picture", GOOD, r"--format: given png; wanted .*", _ask("np(0)", "cdp delta at 0", "--format", "png")),
    Bad("worst without a file", None, r"FILE: .*", _ask("np(0)")),
    Bad("worst to no folder", GOOD, r"--output: the folder \S+ is not there; wanted a file in a folder that exists\.", _ask("np(0)", "cdp delta at 0", "--output", "no-such-folder/worst.toml")),
    Bad("worst with nothing compared", f'{HEAD}[[distribution]]\nname = "x"\niid = {{ 0 = "1" }}\n[mechanism]\nkind = "sum"\n', r"--output: nothing is compared, so that every mechanism is the worst; wanted no file\.", _ask("np(0)", "cdp delta at 0", "--output", "worst.toml")),
)  # fmt: skip

ENTRIES = (*ASSUMED, *MAXIMISED, *LIMITS)
