# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 5: an attacker who can choose what she knows, and one who cannot."""

import marimo

app = marimo.App(width="medium", app_title="5 · Active and passive", css_file="course.css")


@app.cell(hide_code=True)
def _():
    from fractions import Fraction
    from itertools import product

    import verifier as pk
    from verifier import course as kit

    return Fraction, kit, pk, product


@app.cell(hide_code=True)
def _(kit):
    kit.opening(
        5,
        "Active and passive attackers",
        [
            "What an attacker can do who decides what she knows, and not only learns it",
            "How the worst case and the average over her knowledge become two definitions, called APKDP and PPKDP",
            "When they are the same, and how far apart they can be",
        ],
        able="compute the risk from an attacker who chooses what she knows, and from one who only comes to know it, and say when the two are the same.",
        minutes=30,
        needs="after notebook 4",
        hour="down to the question about 1,000 voters (10 minutes)",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## A small referendum

    Five people vote yes or no; a yes is rare. To protect them, the clerk publishes the number of yes votes only if it is
    **above two**; else the paper says ⊥, “too few to tell”.

    The attacker knows how two of the five vote. She wonders about you, the last of the five.
    """)
    return


@app.cell
def _(kit):
    def referendum(yes, *, voters=5, known=2, above=2):
        """Independent voters; the attacker knows the first few; the last one, you, is protected."""
        rule = {"kind": "threshold-count", "value": "yes", "above": above, "otherwise": "⊥"}
        return kit.build(
            title=f"{voters} voters, {known} known, counts above {above} are shown",
            size=voters,
            values=["no", "yes"],
            distribution={"iid": {"no": 1 - yes, "yes": yes}},
            knowledge={"records": list(range(known))},
            sensitive={"records": [voters - 1]},
            mechanism=rule if above is not None else {"kind": "count", "value": "yes"},
        )

    def excess(rows, factor):
        """The smallest δ of two distributions, in both orders: the sum of all P - e^ε·Q that are above 0 (e^ε is the factor)."""
        one = sum(max(0, row.probability_a - factor * row.probability_b) for row in rows)
        other = sum(max(0, row.probability_b - factor * row.probability_a) for row in rows)
        return one, other

    return excess, referendum


@app.cell(hide_code=True)
def _(Fraction, excess, kit, pk, referendum):
    def by_knowledge(model, factor):
        """For each thing that she may know: its probability, and δ for you = no against yes, and for yes against no."""
        found = pk.loss(model, values=("no", "yes")).knowledge
        return {", ".join(one.knowledge.shown): (one.probability, *excess(one.rows, factor)) for one in found}

    _cases = by_knowledge(referendum(Fraction(1, 10)), 2)
    _best = max(_cases, key=lambda known: max(_cases[known][1:]))
    question_1 = kit.question(
        "A yes has probability 1/10. She knows two of the five votes. Which two votes would she **like** them to be?",
        {
            "no, no": "Then your vote is one of at least three yes that are still missing. The paper will nearly always say ⊥.",
            "no, yes": "Better than none. But can she hope for more?",
            "yes, yes": "Then one more yes is enough, perhaps yours, and the threshold of the clerk protects nobody.",
        },
        right=_best,
        answer=kit.show(
            kit.grid(
                ["she knows", "with probability", "δ at ε = ln(2)"],
                [[known, p, max(one, other)] for known, (p, one, other) in _cases.items()],
            ),
            "If her two say yes, and the two others say no, as they mostly do, then the paper shows 3 if you say "
            "yes, and ⊥ "
            "if you say no.",
        ),
    )
    question_1
    return by_knowledge, question_1


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## She chooses, or she learns

    - An **active** attacker *decides* what she knows. Say, she has sent two people of her own to vote, and tells them what to
      vote. She takes what is worst for you: the **maximum** over all that she may know.
    - A **passive** attacker only *learns* it. Say, she overheard two voters. She is lucky or she is not: the **average**,
      weighted by how likely it is.
    """)
    return


@app.cell
def _(kit):
    yes = kit.fraction("yes", "1/10", denominator=20)
    epsilon = kit.pick("ε", ["0", "ln(2)", "ln(10)"], "ln(2)")
    as_strong = kit.guess(
        "Where does the passive attacker come near to the active one?",
        "where a yes is rare",
        "where a yes is likely",
        "nowhere",
    )
    return as_strong, epsilon, yes


@app.cell
def _(by_knowledge, epsilon, referendum, yes):
    factor = {"0": 1, "ln(2)": 2, "ln(10)": 10}[epsilon.value]  # e^ε

    def two_attackers(cases):
        """δ for the active attacker, a maximum, and for the passive one, an average; each for the worse order."""
        active = max((max(one, other) for _, one, other in cases.values()), default=0)
        no_against_yes = sum(p * one for p, one, _ in cases.values())
        yes_against_no = sum(p * other for p, _, other in cases.values())
        return active, max(no_against_yes, yes_against_no)

    small = referendum(yes.value)
    cases = by_knowledge(small, factor)
    by_hand = two_attackers(cases)
    return by_hand, cases, factor, small, two_attackers


@app.cell(hide_code=True)
def _(
    Fraction, as_strong, by_hand, by_knowledge, cases, epsilon, factor, kit, pk, referendum, small, two_attackers, yes
):
    checked = {name: pk.check(small, name, epsilon=epsilon.value) for name in ("apkdp", "ppkdp")}
    _same = [mine == answer.tight_delta.rational for mine, answer in zip(by_hand, checked.values(), strict=True)]
    _note = "By hand, from these numbers; the verifier finds " + ("the same." if all(_same) else "something else.")
    if {answer.verdict for answer in checked.values()} == {"vacuous"}:
        _note = "Your vote is certain, so that nothing is compared: the verdict is “vacuous”, and not “holds”."
    _steps = [Fraction(k, 20) for k in (1, 2, 5, 10, 15, 18)]
    kit.show(
        "**Play.** Is there a setting in which the passive attacker is as strong as the active one?",
        yes,
        epsilon,
        kit.chances(cases, ("no against yes", "yes against no")),
        kit.fold(
            "The numbers behind the picture",
            kit.grid(
                ["she knows", "with probability", "δ: no against yes", "δ: yes against no"],
                [[known, *numbers] for known, numbers in cases.items()],
                notes=[
                    (
                        "Two orders, as in notebook 1: how far your no stands out against your yes, and the reverse. Of two "
                        "maxima, or two averages, the larger one counts."
                    )
                ],
            ),
        ),
        kit.grid(
            ["attacker", "smallest δ"],
            [["active: the maximum", by_hand[0]], ["passive: the average", by_hand[1]]],
            notes=[_note],
        ),
        kit.guessed(
            as_strong,
            kit.grid(
                ["yes", "active", "passive"],
                [[one, *two_attackers(by_knowledge(referendum(one), factor))] for one in _steps],
                notes=[f"δ at ε = {epsilon.value}."],
            ),
        ),
    )
    return (checked,)


@app.cell
def _(Fraction, kit, pk, referendum):
    sizes = {  # voters: known, threshold, probability of yes
        5: (2, 2, Fraction(1, 10)),
        12: (4, 4, Fraction(1, 1000)),
        40: (8, 8, Fraction(1, 1000)),
        1000: (100, 100, Fraction(1, 10**7)),
    }

    def both_deltas(voters):
        """δ at ε = ln(2) for the active and for the passive attacker, exactly."""
        known, above, yes = sizes[voters]
        model = referendum(yes, voters=voters, known=known, above=above)
        return [pk.check(model, one, epsilon="ln(2)", replay=False).tight_delta for one in ("apkdp", "ppkdp")]

    deltas = {voters: both_deltas(voters) for voters in sizes}
    kit.show("Now larger votes. They are computed exactly, too: the number of yes votes is all that counts.")
    return deltas, sizes


@app.cell(hide_code=True)
def _(deltas, kit, sizes):
    _big = deltas[1000][1].rational
    _choices = {
        "about 1/10": (lambda d: d > 0, f"With five voters it was {deltas[5][1].text()}; here a yes is much rarer."),
        "about 1 in 10 million": (lambda d: d * 1000 < 1, "That is how likely a yes is. She needs a hundred of them."),
        "less than 1 in 10¹⁰⁰": (
            lambda d: d * 10**100 < 1,
            "A hundred of the other voters have to say yes, all by themselves.",
        ),
    }
    question_2 = kit.question(
        "Now **1,000** voters, a yes with probability 1 in 10 million, counts above 100 are shown, and she knows 100 "
        "votes (DMKB20, "
        f"Example 7). Against the active attacker δ ≈ {deltas[1000][0].decimal(4)}. And against the passive one?",
        {choice: said for choice, (_, said) in _choices.items()},
        right=[choice for choice, (test, _) in _choices.items() if test(_big)][-1],
        answer=kit.show(
            kit.grid(
                ["voters", "known", "shown above", "yes", "δ active", "δ passive"],
                [
                    [
                        f"{voters:,}",
                        str(known),
                        str(above),
                        str(yes),
                        *(one.rational if voters == 5 else f"≈ {one.decimal(4)}" for one in deltas[voters]),
                    ]
                    for voters, (known, above, yes) in sizes.items()
                ],
                notes=["At ε = ln(2). The values are exact fractions; their decimals are shown."],
            ),
            "**One release, one table of votes, two answers. Who happens to know a hundred votes learns next to nothing. Who "
            "can register a hundred voters of her own reads your vote off, unless another one says yes as well.** So before "
            "you call a release private, ask: can anybody choose some of the records?",
        ),
    )
    question_2
    return (question_2,)


@app.cell
def _(kit):
    helpers = kit.entry("how many voters of her own?", kind="a whole number")
    helpers_check = kit.check_button("how many voters must she send?")
    return helpers, helpers_check


@app.cell(hide_code=True)
def _(Fraction, helpers, helpers_check, kit, pk, referendum):
    def _active(known):
        model = referendum(Fraction(1, 10), voters=8, known=known, above=3)
        return pk.check(model, "apkdp", epsilon="ln(2)").tight_delta.rational

    def _check(text):
        known = kit.number(text)
        if known.denominator != 1 or not 0 <= known <= 7:
            raise pk.InputError(f"{known} is out of range", where="the number", wanted="a whole number from 0 to 7")
        delta = _active(int(known))
        if delta < Fraction(1, 2):
            return f"With {known} she gets δ = {kit.said(delta)}, below 1/2."
        fewer = _active(int(known) - 1) if known else None
        if fewer is not None and fewer >= Fraction(1, 2):
            return f"With {known} she gets at least 1/2, but so she does with fewer."
        return ""

    exercise_1 = kit.exercise(
        "how many voters must she send?",
        "Eight voters, a yes has probability 1/10, counts above 3 are shown. What is the smallest number of voters "
        "of her own with "
        "which the **active** attacker reaches δ ≥ 1/2 at ε = ln(2)?",
        helpers,
        helpers_check,
        check=_check,
        hints=[
            (
                "Hers all say yes. Then only the votes of the others, and yours, are left to fill the rest of the "
                "threshold."
            ),
            "When is your vote alone enough to get above the threshold?",
        ],
        solution="3",
        why="With as many as the threshold, one more yes shows. The others mostly say no, so that it is yours.",
        tempting=["2", "4", "7"],
    )
    exercise_1
    return (exercise_1,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Fix the average, and watch the worst case

    How far apart can the two be? Take a gate. A certain voter, whose vote the attacker knows, says yes with probability
    `luck`. If she does, then your vote is published with probability `shown`; else nothing is. The product of the two, the
    average, is held at 1/100: the rarer the luck, the more is shown.
    """)
    return


@app.cell
def _(Fraction, kit):
    AVERAGE = Fraction(1, 100)

    def gate_keys(luck, shown):
        """The keys of a model of two voters: the first is known, and opens the gate; your vote is a fair coin."""
        return {
            "title": "a gate",
            "size": 2,
            "values": ["no", "yes"],
            "distribution": {"independent": [{"no": 1 - luck, "yes": luck}, {"no": "1/2", "yes": "1/2"}]},
            "knowledge": {"records": [0]},
            "sensitive": {"records": [1]},
            "mechanism": lambda d: {f"you: {d[1]}": shown, "nothing": 1 - shown} if d[0] == "yes" else "nothing",
        }

    def gate(luck, shown):
        """The gate as a model."""
        return kit.build(**gate_keys(luck, shown))

    return AVERAGE, gate, gate_keys


@app.cell
def _(kit):
    luck = kit.fraction("luck", "1/10", steps=["1/100", "1/50", "1/20", "1/10", "1/5", "1/2", "1"])
    return (luck,)


@app.cell(hide_code=True)
def _(AVERAGE, gate, kit, luck, pk):
    gate_model = gate(luck.value, AVERAGE / luck.value)
    gate_answers = {name: pk.check(gate_model, name, epsilon=0) for name in ("ppkdp", "apkdp")}
    kit.show(
        "**Play.** Drag, and see which of the two numbers moves.",
        luck,
        kit.grid(
            ["shown", "passive: δ", "active: δ"],
            [[AVERAGE / luck.value, *(one.tight_delta.rational for one in gate_answers.values())]],
            notes=["At ε = 0; it is the same at every ε, since what is shown is shown for certain."],
        ),
        "The worst case is never below the average, and may be far above it. Which of the two is the risk depends on "
        "who decides about luck.",
    )
    return gate_answers, gate_model


@app.cell
def _(kit):
    gate_table = kit.table([{"luck": "1/10", "shown": "1/10"}], title="Your gate")
    gate_table_check = kit.check_button("harmless and fatal")
    return gate_table, gate_table_check


@app.cell(hide_code=True)
def _(Fraction, gate, gate_keys, gate_table, gate_table_check, kit, pk):
    def _gate(rows):
        if len(rows) != 1:
            raise pk.InputError("the table is empty", where="your gate", wanted="two probabilities")
        luck, shown = (kit.number(rows[0][one], one) for one in ("luck", "shown"))
        for name, p in (("luck", luck), ("shown", shown)):
            if not 0 <= p <= 1:
                raise pk.InputError(f"{p} is not a probability", where=name, wanted="a probability from 0 to 1")
        return luck, shown

    def _check(rows):
        luck, shown = _gate(rows)
        answers = {name: pk.check(gate(luck, shown), name, epsilon=0) for name in ("ppkdp", "apkdp")}
        passive, active = (one.tight_delta.rational for one in answers.values())
        if passive > Fraction(1, 50):
            return f"Passive: δ = {passive}, more than 1/50."
        if active < 1 and luck == 0:
            return f"Active: δ = {active}. What has probability 0 is not chosen by anybody: luck must be possible."
        if active < 1:
            return f"Passive: δ = {passive}, small enough. Active: δ = {active}, and 1 is wanted."
        return ""

    exercise_2 = kit.exercise(
        "harmless and fatal",
        "Choose `luck` and `shown`, so that δ at ε = 0 is at most **1/50** against the passive attacker and **1** "
        "against the active "
        "one.",
        gate_table,
        gate_table_check,
        check=_check,
        hints=["The active attacker opens the gate. What is then left to chance?", "Passive: luck times shown."],
        solution=[{"luck": "1/50", "shown": "1"}],
        model=lambda rows: gate_keys(*_gate(rows)),
        why="Any possible luck of at most 1/50 will do. So for each δ above 0 the one definition can hold, and the "
        "other one fail at "
        "every δ below 1.",
        tempting=[
            [{"luck": "1/10", "shown": "1/10"}],
            [{"luck": "0", "shown": "1"}],
            [{"luck": "1/2", "shown": "1"}],
        ],
    )
    exercise_2
    return (exercise_2,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## When both are the same

    Take the threshold away: the number of yes votes is always published.
    """)
    return


@app.cell(hide_code=True)
def _(Fraction, kit, pk, referendum):
    count_model = referendum(Fraction(1, 10), above=None)
    count_answers = {name: pk.check(count_model, name, epsilon="ln(2)") for name in ("apkdp", "ppkdp")}
    _active, _passive = (one.tight_delta.rational for one in count_answers.values())
    reducible_count, reducible_threshold = (
        pk.reducible(one).verdict for one in (count_model, referendum(Fraction(1, 10)))
    )
    question_3 = kit.question(
        "Five voters, two known, yes with probability 1/10; the count is **always** published. How much larger is δ "
        "against the active "
        "attacker than against the passive one (ε = ln(2))?",
        {
            "much larger": "She could send two voters who say yes. But what does it help her?",
            "not at all": "Whatever her two say, she takes it off the count.",
            "it is smaller": "A maximum is never below an average.",
        },
        right="not at all" if _active == _passive else "much larger" if _active > _passive else "it is smaller",
        answer=kit.show(
            kit.grid(["attacker", "smallest δ"], [["active", _active], ["passive", _passive]]),
            "Her own votes only move the count by a number that she knows. What is left is the same for everything "
            "that she may "
            "know, so that there is nothing to choose. This is called Θ-*reducible* (DMKB20, Definition 14 and "
            "Theorem 2). This "
            f"**{reducible_count}** for the count, and **{reducible_threshold}** for the count with a threshold. "
            "Note how large δ is: the count of so few votes protects little by itself.",
        ),
    )
    question_3
    return count_answers, question_3, reducible_count, reducible_threshold


@app.cell
def _(Fraction, kit, pk):
    noisy = kit.build(
        title="above two? told truthfully 9 times out of 10",
        size=5,
        values=["no", "yes"],
        distribution={"iid": {"no": "9/10", "yes": "1/10"}},
        knowledge={"records": [0, 1]},
        sensitive={"records": [4]},
        mechanism=lambda d: {"many": "9/10", "few": "1/10"} if d.count("yes") > 2 else {"many": "1/10", "few": "9/10"},
    )
    noisy_rows = [
        [delta, *(kit.least(pk.check(noisy, name, delta=delta)) for name in ("apkdp", "ppkdp"))]
        for delta in (Fraction(0), Fraction(1, 100), Fraction(1, 10))
    ]
    return noisy, noisy_rows


@app.cell(hide_code=True)
def _(kit, noisy, noisy_rows, pk):
    kit.show(
        "There is a second case in which both are the same, for *every* release: **δ = 0**. An average of numbers that are "
        "never negative is 0 only if each of them is (DMKB20, Theorem 1). Here only “more than two?” is published, told "
        "truthfully 9 times out of 10:",
        kit.grid(["δ", "smallest ε, active", "smallest ε, passive"], noisy_rows),
        kit.profile(pk.check(noisy, "apkdp"), pk.check(noisy, "ppkdp"), names=["active", "passive"]),
        f"The curves show the smallest δ for each ε. They reach 0 at the same ε, {noisy_rows[0][1]}.",
    )
    return


@app.cell
def _():
    OFFERS = {
        "the count, if it is above 2": lambda d: str(d.count("yes")) if d.count("yes") > 2 else "⊥",
        "whether the count is above 2": lambda d: "many" if d.count("yes") > 2 else "few",
        "the count, always": lambda d: str(d.count("yes")),
        "whether anybody said yes": lambda d: "somebody" if "yes" in d else "nobody",
        "nothing": lambda _: "–",
    }
    return (OFFERS,)


@app.cell
def _(OFFERS, kit):
    offer = kit.pick("published", list(OFFERS), "the count, if it is above 2")
    offer_check = kit.check_button("nothing to choose")
    return offer, offer_check


@app.cell(hide_code=True)
def _(OFFERS, kit, offer, offer_check, pk):
    def _check(name):
        if name not in OFFERS:
            raise pk.InputError(f"{name} is unknown", where="what is published", wanted=f"one of {', '.join(OFFERS)}")
        model = pk.build(
            size=5,
            values=["no", "yes"],
            distribution={"iid": {"no": "9/10", "yes": "1/10"}},
            knowledge={"records": [0, 1]},
            sensitive={"records": [4]},
            mechanism=OFFERS[name],
        )
        for epsilon in ("0", "ln(2)", "ln(10)"):
            active, passive = (pk.check(model, one, epsilon=epsilon).tight_delta for one in ("apkdp", "ppkdp"))
            if active.rational != passive.rational:
                return f"At ε = {epsilon} the active attacker has δ = {active}, the passive one {passive}."
        if not active.rational:
            return f"Both have δ = {active}: there is nothing to learn. Publish something."
        return ""

    exercise_3 = kit.exercise(
        "nothing to choose",
        "Five voters, two known, yes with probability 1/10. Publish something about the votes for which the active "
        "attacker is "
        "no stronger than the passive one, at any ε.",
        offer,
        offer_check,
        check=_check,
        hints=[
            "Can she undo what her two voters did to the release?",
            "She can, if she can compute what is published without them.",
        ],
        solution="the count, always",
        why="From the count she takes off what hers said. From “somebody said yes” she cannot, if hers said yes.",
        tempting=[
            "the count, if it is above 2",
            "whether the count is above 2",
            "whether anybody said yes",
            "nothing",
        ],
    )
    exercise_3
    return (exercise_3,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## With symbols
    """)
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(
        "APKDP is *active partial knowledge differential privacy*, PPKDP the passive one. "
        "$\\mathcal{L}(O, \\hat{B})$ is the privacy loss of the output $O$, given what she knows. $\\mathbb{E}$ is the "
        "average. What is averaged is the part of an output that is beyond ε: it is 0 where the loss is at most ε.",
        "**APKDP**, for all $\\hat{B}$, $a$, $b$:",
        kit.formula(
            r"\mathbb{E}_{O \sim M(D) \mid D(i) = a, \hat{B}} \left[ \max(0, 1 - e^{\varepsilon - \mathcal{L}(O, "
            r"\hat{B})}) \right] \le \delta"
        ),
        "**PPKDP**, the passive one, for all $a$, $b$, on average over $B$ as well:",
        kit.formula(
            r"\mathbb{E}_{O, B \mid D(i) = a} \left[ \max(0, 1 - e^{\varepsilon - \mathcal{L}(O, B)}) \right] \le "
            r"\delta"
        ),
        "(DMKB20, Definitions 12 and 13.) What she knows is assumed to be acceptable, as in notebook 4. NP with a δ "
        "is APKDP. A $\\hat{B}$ "
        "that excludes a value is not compared by the first, and adds 0 to the second.",
    )
    return


@app.cell
def _(kit, pk, product):
    def coins(rule, *, remembers):
        """Two fair coins: she knows the first, or has forgotten it; the second one is yours."""
        return pk.build(
            title="two coins",
            size=2,
            values=[0, 1],
            distribution={"iid": {0: "1/2", 1: "1/2"}},
            **({"knowledge": {"records": [0]}} if remembers else {}),
            sensitive={"records": [1]},
            mechanism=rule.get,
        )

    def too_early(rule):
        """The tempting one: average the distributions over what she knows, then compare them. She forgets what she knew."""
        return pk.check(coins(rule, remembers=False), "ppkdp", epsilon=0, replay=False).tight_delta.rational

    def on_average(rule):
        """The right one: compare the distributions given what she knows, then average."""
        return pk.check(coins(rule, remembers=True), "ppkdp", epsilon=0, replay=False).tight_delta.rational

    COIN_RULES = [
        dict(zip(product((0, 1), repeat=2), outputs, strict=True))
        for outputs in sorted(product("uvwx", repeat=4), key=lambda one: (len(set(one)), one))
        if all("uvwx".index(one) <= len(set(outputs[:k])) for k, one in enumerate(outputs))
    ]
    apart = next(rule for rule in COIN_RULES if too_early(rule) != on_average(rule))
    kit.show(f"{len(COIN_RULES)} rules in the order of their number of outputs; the first one that separates them:")
    return COIN_RULES, apart, coins, on_average, too_early


@app.cell(hide_code=True)
def _(apart, coins, kit, on_average, too_early):
    kit.note(
        "A tempting wrong definition: average first",
        "“She does not choose what she knows, so take the average of what she sees, and compare.” That is, first the "
        "average over what she "
        "knows, then the comparison, instead of the other way round.",
        kit.model_table(
            coins(apart, remembers=True), "She knows the first coin. The smallest rule that separates them"
        ),
        kit.grid(
            ["the order", "δ at ε = 0"],
            [["average first, then compare", too_early(apart)], ["compare, then average (PPKDP)", on_average(apart)]],
        ),
        "It is published whether the two coins are alike. On average over the first coin that says nothing about the "
        "second. But "
        "she *knows* the first one, and reads yours off, whichever it was. Averaging first is an attacker who forgets.",
        kind="trap",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What the paper says, and what comes out
    """)
    return


@app.cell(hide_code=True)
def _(kit, pk):
    _tail = pk.read({path.stem: path for path in pk.examples("DMKB20")}["section-3.4-tail"])
    tail_answers = {name: pk.check(_tail, name, epsilon=0).tight_delta.rational for name in ("apkdp", "tail-apkdp")}
    _five = pk.read({path.stem: path for path in pk.examples("DMKB20")}["example-7-five-voters"])
    _published = pk.read({path.stem: path for path in pk.examples("DMKB20")}["section-3.3-knowledge-published"])
    _pair = [
        pk.check(_five, "ppkdp", epsilon="ln(2)").tight_delta.rational,
        pk.check(_published, "apkdp", epsilon="ln(2)").tight_delta.rational,
    ]
    kit.show(
        "- Theorem 1 (active implies passive, and both are one at δ = 0) and Theorem 2 (Θ-reducible) are proved "
        "(proofs/relations.md).\n"
        "- “δ is the probability that the loss is above ε”: not so. For one bit, answered by u, or by u or v, δ at "
        "ε = 0 is "
        f"{tail_answers['apkdp']}, and the loss is above 0 with probability {tail_answers['tail-apkdp']}. It is at "
        "most that "
        "probability: each such output counts by how far it is above.\n"
        "- “PPKDP cannot easily be said by indistinguishability”: it can. It is (ε, δ)-indistinguishability of what "
        "is published "
        f"**together with what she knows**, where that by itself says nothing about you. For the five voters: "
        f"δ = {_pair[0]} for PPKDP, and δ = {_pair[1]} if the two known votes are published beside the count and nobody "
        "knows anything.",
    )
    return (tail_answers,)


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(exercise_1, exercise_2, exercise_3, kit, student):
    handed_in = kit.hand_in(5, student, [exercise_1, exercise_2, exercise_3])
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - In the explorer: [the five voters](explorer:example=DMKB20/example-7-five-voters), and
      [the gate](explorer:example=course/lucky-once-in-a-hundred).
    - DMKB20, section 3, from Example 7 on. The claims, with what was found:
      [Theorem 1](guide:proofs/ledger.html#dmkb20-theorem-1), [Example 7](guide:proofs/ledger.html#dmkb20-example-7).
    - On the command line, the thousand voters:
      `pkdp check models/DMKB20/example-7-thousand-voters.toml --definition ppkdp --epsilon "ln(2)"`; and a search for the smallest model:
      `pkdp search --satisfies "ppkdp(0, 1/2)" --violates "apkdp(0, 1/2)" --knowledge 2`.

    **Next:** [notebook 6, counting, thresholds and k-anonymity](6.html). How much can a count, a threshold and a k-anonymous table protect?
    """)
    return


if __name__ == "__main__":
    app.run()
