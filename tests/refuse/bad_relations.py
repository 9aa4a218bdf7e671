"""Bad questions about exchange rates and about several runs: definitions, ε, parameters, certificates, limits."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, IID, SUM, Bad

BIG = GOOD.replace("size = 2", "size = 9")
HUGE = GOOD.replace("size = 2", "size = 40")
FAMILY = f'{HEAD}[parameters]\np = {{ from = "0", to = "1" }}\n[[distribution]]\nname = "x"\niid = {{ 0 = "1 - p", 1 = "p" }}\n{SUM}'
RESPONSE = f'{HEAD.replace("2", "6", 1)}{IID}[mechanism]\nkind = "randomized-response"\nkeep = "1/2"\n'
ABOVE = r'wanted a finite ε above 0, as "ln\(p/q\)"\.'


def _ask(source: str = "np", target: str = "cdp", *more: str, at: str = "ln(2)") -> tuple[str, ...]:
    return ("exchange", source, target, "{file}", "--epsilon", at, *more)


RATES = (
    Bad(
        "exchange without a model",
        None,
        r"Missing argument .MODEL.\. Tip: pkdp exchange --help, or for instance pkdp exchange np cdp two-bits-that-agree "
        r"--epsilon \"ln\(2\)\" --set agree=3/4\.",
        ("exchange", "np", "cdp"),
    ),
    Bad("exchange at 0", GOOD, rf"--epsilon: given ε = 0; {ABOVE}", _ask(at="0")),
    Bad("exchange at inf", GOOD, rf"--epsilon: given ε = inf; {ABOVE}", _ask(at="inf")),
    Bad("exchange at a float", GOOD, r"--epsilon: .*log.*", _ask(at="log(2)")),
    Bad("exchange from nothing", GOOD, r'given the definition "nq"; wanted .*', _ask("nq")),
    Bad("exchange to nothing", GOOD, r'given the definition "nq"; wanted .*', _ask("np", "nq")),
    Bad("exchange without ε", GOOD, r"Missing option '--epsilon'\. Tip: pkdp exchange --help\.", ("exchange", "np", "cdp", "{file}")),
    Bad("exchange without a file", None, r"FILE: .*", _ask()),
    Bad("exchange as a picture", GOOD, r"--format: given png; wanted .*", _ask("np", "cdp", "--format", "png")),
    Bad("exchange of a family", FAMILY, r"the file is a family of models: p has no value; wanted one model\. Tip: --set p=1/7, again for one row each\.", _ask(), 3),
    Bad("exchange at a wrong parameter", FAMILY, r"FILE: given p = 2; wanted .*", _ask("np", "cdp", "--set", "p=2")),
    Bad("exchange with a parameter of a model", GOOD, r"FILE: given --set p=1/2; wanted a model with \[parameters\]\.", _ask("np", "cdp", "--set", "p=1/2")),
    Bad("exchange among too many databases", BIG, r"FILE: flpr looks at pairs of 512 databases; wanted at most 256 for exchange rates\. Tip: .*", _ask("flpr"), 3),
    Bad("exchange in a large program", BIG, r"FILE: the linear program has 512 databases and 4,608 rows, a table of 2,364,930 numbers; wanted at most 60,000\. Tip: .*", _ask("dp", "np"), 3),
    Bad("exchange of too many worlds", HUGE, r'FILE: the distribution "x" has 1,099,511,627,776 worlds, more than the limit of 16,384 rows\. Tip: .*', _ask(), 3),
    Bad("exchange to no folder", GOOD, r"--certificate: the folder \S+ is not there; wanted a file in a folder that exists\.", _ask("np", "cdp", "--certificate", "no-such-folder/rate.json")),
    Bad("exchange as a drawing of one", GOOD, r"--plot: given 1 question; wanted several ε, or several values of one parameter, such as --set p=1/4 --set p=1/2\.", _ask("np", "cdp", "--plot", "rate.svg")),
    Bad("exchange as a curve and at ε", GOOD, r"given --curve; wanted no --epsilon\.", _ask("np", "cdp", "--curve", "all")),
    Bad("exchange as two curves", FAMILY, r"given --curve; wanted no --over\.", ("exchange", "np", "cdp", "{file}", "--curve", "all", "--over", "p")),
    Bad("exchange in no range", GOOD, r'--curve: given most; wanted "all", or a range "ln\(3/2\)\.\.ln\(4\)"\.', ("exchange", "np", "cdp", "{file}", "--curve", "most")),
    Bad("exchange in a range backwards", GOOD, r"FILE: --curve: given ln\(4\) to ln\(2\); wanted .*", ("exchange", "np", "cdp", "{file}", "--curve", "ln(4)..ln(2)")),
    Bad("exchange in a range from 0", GOOD, rf"FILE: --curve: given ε = 0; {ABOVE}", ("exchange", "np", "cdp", "{file}", "--curve", "0..ln(2)")),
    Bad("exchange by curves of two models", FAMILY, r"--set: given 2 models; wanted one value of each parameter for a curve\.", ("exchange", "np", "cdp", "{file}", "--curve", "all", "--set", "p=1/2", "--set", "p=1/3")),
    Bad("exchange over nothing", GOOD, r"--over: given p; wanted the one parameter without a value \(none\)\.", _ask("np", "cdp", "--over", "p")),
    Bad("exchange over another parameter", FAMILY, r"--over: given q; wanted the one parameter without a value \(p\)\.", _ask("np", "cdp", "--over", "q")),
    Bad("exchange over a parameter without ε", FAMILY, r"--over: given 0 ε; wanted one --epsilon\.", ("exchange", "np", "cdp", "{file}", "--over", "p")),
    Bad("exchange as a drawing of nothing", GOOD, r"--plot: no drawing: .*; wanted a rate that is computed\.", ("exchange", "ibcdp", "np", "{file}", "--curve", "all", "--plot", "rate.svg")),
    Bad("exchange as a curve in a large program", BIG, r"FILE: a linear program with a parameter has 512 databases and 4,608 rows, a table of 2,365,443 numbers; wanted at most 8,000\. Tip: .*", ("exchange", "dp", "np", "{file}", "--curve", "all"), 3),
    Bad("exchange with δ at two ε", GOOD, r"--delta: given 2 ε; wanted one --epsilon\.", _ask("np", "cdp", "--delta", "0", "--epsilon", "ln(3)")),
    Bad("exchange with a δ that is none", GOOD, r"--delta: given .*2.*; wanted .*", _ask("np", "cdp", "--delta", "2")),
    Bad("exchange with δ at inf", GOOD, r"--epsilon: given ε = inf; wanted a finite ε, as \"ln\(p/q\)\"\.", _ask("np", "cdp", "--delta", "0", at="inf")),
    Bad("exchange with δ and without ε", GOOD, r"Missing option '--epsilon'\. Tip: pkdp exchange --help\.", ("exchange", "np", "cdp", "{file}", "--delta", "0")),
    Bad("exchange at another ε without δ", GOOD, r"given --epsilon-b; wanted --delta too\. Tip: --delta 0 asks about A without a δ\.", _ask("np", "cdp", "--epsilon-b", "ln(3)")),
    Bad("exchange with δ at another ε that is none", GOOD, r"--epsilon-b: .*log.*", _ask("np", "cdp", "--delta", "0", "--epsilon-b", "log(3)")),
    Bad("exchange with δ and as a curve", GOOD, r"given --delta; wanted no --curve\.", ("exchange", "np", "cdp", "{file}", "--delta", "0", "--curve", "all")),
    Bad("exchange with δ of two models", FAMILY, r"--set: given 2 models; wanted one value of each parameter with --delta\.", _ask("np", "cdp", "--delta", "0", "--set", "p=1/2", "--set", "p=1/3")),
    Bad("exchange with δ in a large program", BIG, r"FILE: the linear program has 512 databases and 9,216 bounds of events, a table of 4,990,977 numbers; wanted at most 60,000\. Tip: .*", _ask("dp", "np", "--delta", "0"), 3),
    Bad("exchange with δ as a drawing of nothing", GOOD, r"--plot: no drawing: .*; wanted a δ′ that is computed\.", _ask("np", "ppkdp", "--delta", "0", "--plot", "curve.svg")),
    Bad("exchange with a certificate of two", GOOD, r"--certificate: given several questions; wanted one ε and one model\.", _ask("np", "cdp", "--certificate", "rate.json", "--epsilon", "ln(3)")),
)  # fmt: skip

RUNS = (
    Bad("compose once", GOOD, r"Invalid value for '--times': .* \(given 1\)\. Tip: pkdp compose --help\.", ("compose", "{file}", "--times", "1")),
    Bad("compose too often", GOOD, r"FILE: times: given 65; wanted an integer from 2 to 64\.", ("compose", "{file}", "--times", "65")),
    Bad("compose without times", GOOD, r"Missing option '--times'\. Tip: pkdp compose --help\.", ("compose", "{file}")),
    Bad("compose a family", FAMILY, r"FILE: the file is a family of models; wanted one model\. Tip: --set p=1/7\.", ("compose", "{file}", "--times", "2"), 3),
    Bad("compose on too many databases", HUGE, r"FILE: the model has more than 4,096 databases; wanted at most 4,096\. Tip: .*", ("compose", "{file}", "--times", "2"), 3),
    Bad("compose with too many outputs", RESPONSE, r"FILE: 6 runs have [0-9,]+ probabilities on 64 databases; wanted at most 262,144\. Tip: .*", ("compose", "{file}", "--times", "6"), 3),
    Bad("compose without a definition", GOOD, r'given the definition "nq"; wanted .*', ("compose", "{file}", "--times", "2", "--definition", "nq")),
    Bad("compose below 0", GOOD, r"--epsilon: given .*; wanted .*", ("compose", "{file}", "--times", "2", "--epsilon", "-1")),
)  # fmt: skip

ENTRIES = (*RATES, *RUNS)
