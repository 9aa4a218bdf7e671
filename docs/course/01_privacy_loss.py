# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 1: the privacy loss of one mechanism, and its profile."""

import marimo

app = marimo.App(width="medium", app_title="1 · Privacy loss", css_file="course.css")


@app.cell(hide_code=True)
def _():
    import verifier as pk
    from verifier import course as kit

    return kit, pk


@app.cell(hide_code=True)
def _(kit):
    kit.opening(
        1,
        "Privacy loss: how much does one answer give away?",
        [
            "what an attacker learns from one noisy answer, as a number: the **privacy loss**",
            "what the letters ε and δ promise, and why two letters are needed",
            "the **privacy profile**: all the promises of a mechanism in one curve",
            "two definitions that sound right and are not, each with the small model that shows it",
        ],
        able="turn one noisy answer into a number, the privacy loss, and say what ε and δ promise about it. You can read the smallest δ of a mechanism off its profile, and you know why an average, or a chance of a large loss, will not do.",
        minutes=30,
        needs="nothing needed before",
        hour="down to the third question, “once in fifty times” (15 minutes); leave out the wrong definitions and the exercises for now",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## A question that nobody likes to answer

    *Did you cheat in the exam?* A student is asked, in private, to throw dice before she answers. Mostly she then says the
    truth; sometimes she says the opposite. Whoever reads her answer cannot be sure.

    Four words for the whole course. What one person has, here *yes* or *no*, is a **record**. All records together are
    the **database** D; here it has one record, called D(0), because we count from 0. The rule that turns a database into
    what others see is the **mechanism** M; it may throw dice. What they see is the **output**.

    The **attacker** sees the output and wants to know a record. How much did she learn? Choose how often the student
    says the truth (`truth`), and what the attacker believed before (`belief`), and look.
    """)
    return


@app.cell
def _(kit):
    truth = kit.fraction("truth", "3/4", denominator=20, low="1/2", high=1)
    belief = kit.fraction("belief", "1/2", steps=["1/100", "1/10", "1/4", "1/2", "3/4", "9/10", "99/100"])
    return belief, truth


@app.cell
def _(pk):
    def survey(truth):
        """One student, who tells the truth with probability `truth`."""
        return pk.build(
            title="The survey",
            size=1,
            values=["yes", "no"],
            distribution={"iid": {"yes": "1/2", "no": "1/2"}},
            mechanism={
                "table": [
                    {"database": ["yes"], "outputs": {"says yes": truth, "says no": 1 - truth}},
                    {"database": ["no"], "outputs": {"says yes": 1 - truth, "says no": truth}},
                ]
            },
        )

    return (survey,)


@app.cell(hide_code=True)
def _(belief, kit, survey, truth):
    before = belief.value
    heard_yes = before * truth.value + (1 - before) * (1 - truth.value)
    after = before * truth.value / heard_yes
    kit.show(
        truth,
        belief,
        f"Before, the attacker believed that the student cheated with probability **{before}**. She hears *yes*. Now she "
        f"believes it with probability **{after}**.",
        "The table has a line for each output. Read “P[output | D(0) = yes]” as: how likely the output is, *if* the record "
        "is yes. The two columns on the right are explained in a moment. (“The attacker knows nothing” means: no record. She "
        "may believe what she likes.)",
        kit.losses(survey(truth.value), record=0, values=("yes", "no")),
    )
    return after, before


@app.cell(hide_code=True)
def _(kit, pk, survey):
    _model = survey(kit.number("3/4"))
    _prior = kit.number("1/100")
    _after = _prior * kit.number("3/4") / (_prior * kit.number("3/4") + (1 - _prior) * kit.number("1/4"))
    _odds = (_after / (1 - _after)) / (_prior / (1 - _prior))
    question_1 = kit.question(
        "The student says the truth with probability 3/4, and she says *yes*. The attacker first believed that she cheated "
        "with probability 1/100. What does she believe now?",
        {
            "3/4, as often as the student is honest": "That is the belief of someone who thought 1/2 before. What she "
            "believed before still counts.",
            "more than 1/100, but still very little": f"It is now {_after}.",
            "1/100: the answer is noisy, so it says nothing": "A noisy answer still says something.",
        },
        right="more than 1/100, but still very little" if _prior < _after < kit.number("1/10") else "",
        answer=kit.show(
            f"She believes it now with probability {_after}. Her **odds** (the probability of *yes* divided by that of "
            f"*no*) were {_prior / (1 - _prior)}, and are {_after / (1 - _after)}: **{_odds}** times as much. Move the "
            f"slider `belief`: her belief changes, this factor does not.",
        ),
    )
    question_1
    return (question_1,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## The privacy loss

    Each output multiplies the attacker's **odds** (the probability of *yes* divided by that of *no*) by a factor. The factor
    is how likely the output is under *yes*, divided by how likely it is under *no*. Her belief before plays no part in it.
    So the factor is the thing to measure. Its logarithm is the **privacy loss** of the output $o$; with $a$ and $b$ for the
    two truths:

    $$\mathcal{L}(o) = \ln \frac{P[M(a) = o]}{P[M(b) = o]}$$

    Why a logarithm? Two answers multiply their factors, and so add their losses.

    - Loss 0: the output is as likely either way. She learns nothing.
    - A large loss: the output speaks for $a$. Below 0: it speaks for $b$.
    - Loss ∞: only $a$ can produce the output. She is certain.

    The last two columns of the table above are the losses of the survey.

    A mechanism is **ε-differentially private** if no loss is above ε, with $a$ and $b$ in either order. Then no output can
    multiply the odds by more than $e^ε$, whatever she believed before. **Small ε: little is learned.** (Here the database has
    one record. With more, $a$ and $b$ are any two databases that differ in one record.)
    """)
    return


@app.cell
def _(kit, pk, survey, truth):
    dp_answer = pk.check(survey(truth.value), "dp")
    kit.show(
        truth,
        kit.beside(kit.verdict(dp_answer), kit.loss_picture(survey(truth.value), record=0, values=("yes", "no"))),
        f"With the truth said with probability {truth.value}, the smallest ε: **{kit.least(dp_answer)}**.",
    )
    return (dp_answer,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## A rare accident

    This mechanism is careful, with one exception. Once in twenty times, when a student cheated, the answer is filed with
    the name and the truth: a *leak*. Edit the table. It has a row for each truth, and each row must sum to 1.
    """)
    return


@app.cell
def _(kit):
    rows = kit.table(
        [
            {"D(0)": "yes", "→ says yes": "70/100", "→ says no": "25/100", "→ leak": "5/100"},
            {"D(0)": "no", "→ says yes": "25/100", "→ says no": "75/100", "→ leak": "0"},
        ],
        fixed=["D(0)"],
        title="Probability of each output",
    )
    return (rows,)


@app.cell
def _(kit, rows):
    accident_keys = {
        "title": "The survey with a leak",
        "size": 1,
        "values": ["yes", "no"],
        "distribution": {"iid": {"yes": "1/2", "no": "1/2"}},
        "mechanism": kit.mechanism(rows.value),
    }
    return (accident_keys,)


@app.cell
def _(accident_keys, kit, pk, rows):
    accident = kit.build(**accident_keys)
    accident_answer = pk.check(accident, "dp")
    kit.show(rows, kit.losses(accident, record=0, values=("yes", "no")))
    return accident, accident_answer


@app.cell(hide_code=True)
def _(accident_answer, kit):
    _certain = accident_answer.tight_epsilon == "inf"
    _said = "No: no ε is enough" if _certain else "Yes"
    question_2 = kit.question(
        "Look at the table as it stands. Is there an ε for which this mechanism is ε-differentially private?",
        {
            "Yes": "Look for an output that one truth produces and the other cannot."
            if _certain
            else "Each output is possible under both truths.",
            "No: no ε is enough": "One output makes the attacker certain."
            if _certain
            else "Each output is possible under both truths. (Was the table changed?)",
        },
        right=_said,
        answer=kit.show(
            kit.verdict(accident_answer),
            "An output that makes her certain spoils every ε, however rare it is. To speak about such a mechanism, we need a second letter: "
            "**δ**, for what goes beyond ε.",
        ),
    )
    question_2
    return (question_2,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## δ, and the profile

    Fix ε. Each output may be $e^ε$ times as likely under $a$ as under $b$; that much is allowed. What is **beyond** it is the
    excess. Add the excesses of all outputs up:

    $$\delta(\varepsilon) = \sum_o \max\left(0,\; P[M(a)=o] - e^{\varepsilon}\, P[M(b)=o]\right)$$

    Do the same with $a$ and $b$ exchanged; the larger sum counts. A mechanism is **(ε, δ)-differentially private** if
    $δ(ε) ≤ δ$. So each ε has its smallest δ. Drawn as a curve, this is the **privacy profile**. It never rises: who
    forgives more finds less. Over $e^ε$ it is made of straight pieces. It bends only where $e^ε$ passes one of the
    factors, or where the other order becomes the larger one.
    """)
    return


@app.cell
def _(kit):
    factor = kit.fraction("$e^ε$", 2, steps=["1", "5/4", "3/2", "2", "5/2", "3", "4", "8"])
    return (factor,)


@app.cell
def _(accident, factor, kit, pk, survey):
    epsilon = f"ln({factor.value})"
    accident_at = pk.check(accident, "dp", epsilon=epsilon)
    _without = pk.check(survey(kit.number("3/4")), "dp")
    kit.show(
        factor,
        kit.verdict(accident_at, witness=False),
        f"At ε = {accident_at.epsilon} the smallest δ of the mechanism with the leak is **{accident_at.tight_delta}**. "
        f"However large ε is, **{pk.check(accident, 'dp', epsilon='inf').tight_delta}** remains: outputs that make her "
        "certain.",
        kit.profile(_without, accident_at, names=["without the leak", "with the leak"], at=epsilon),
    )
    return accident_at, epsilon


@app.cell(hide_code=True)
def _(kit, pk):
    _leaky = pk.build(
        title="Complete leaks",
        size=1,
        values=["yes", "no"],
        distribution={"iid": {"yes": "1/2", "no": "1/2"}},
        mechanism={
            "table": [
                {"database": ["yes"], "outputs": {"yes": "1/50", "nothing": "49/50"}},
                {"database": ["no"], "outputs": {"no": "1/50", "nothing": "49/50"}},
            ]
        },
    )
    _answer = pk.check(_leaky, "dp", epsilon="inf")
    question_3 = kit.question(
        "A mechanism says nothing, but once in fifty times it publishes the truth. Which δ remains, however large ε is?",
        {
            "1/50": "With that probability the attacker becomes certain, and no ε covers certainty.",
            "0": "δ falls with ε, but not below the probability of outputs that make the attacker certain.",
            "1": "The truth is published only once in fifty times.",
        },
        right=_answer.tight_delta.text(),
        answer=kit.show(
            kit.verdict(_answer, conventions=False),
            "So δ = 1/n promises little: publish the whole record of one of n people, chosen at random, and you keep it.",
        ),
    )
    question_3
    return (question_3,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Two tempting wrong definitions

    Both sound like common sense. Each is a few lines of Python, and each has a model on which it tells a lie.
    """)
    return


@app.cell
def _(pk):
    def average_factor(model):
        """Tempting: what the odds are multiplied by, on average over the outputs under b."""
        (one,) = pk.loss(model, record=0, values=("yes", "no")).knowledge
        return sum(row.probability_b * row.loss.ratio for row in one.rows if row.probability_b)

    def chance_of_large_loss(model, factor):
        """Tempting: δ as the probability that the loss is above ε = ln(factor), in the worse order."""
        found = []
        for values in (("yes", "no"), ("no", "yes")):
            (one,) = pk.loss(model, record=0, values=values).knowledge
            found.append(sum(row.probability_a for row in one.rows if row.probability_a > factor * row.probability_b))
        return max(found)

    return average_factor, chance_of_large_loss


@app.cell(hide_code=True)
def _(average_factor, kit, pk, survey):
    careful, careless = survey(kit.number("11/20")), survey(kit.number("99/100"))
    averages = average_factor(careful), average_factor(careless)
    _smallest = [pk.check(one, "dp").tight_epsilon for one in (careful, careless)]
    kit.note(
        "Wrong: “the loss is small on average”",
        f"The student says the truth with probability 11/20 (careful) or 99/100 (careless). The average factor on the odds is "
        f"**{averages[0]}** for the careful one, and **{averages[1]}** for the careless one: "
        f"{'the same' if averages[0] == averages[1] else 'not the same'}. Why? Write $P(o)$ and $Q(o)$ for the probability of "
        "an output under *yes* and under *no*. The average is the sum of $Q(o) · P(o)/Q(o)$. Where both truths can give every "
        "output, this is the sum of $P(o)$, which is 1: it cannot see anything.",
        f"Their smallest ε are **{_smallest[0]}** and **{_smallest[1]}**. The definition takes the worst output, not the "
        "average one: the person to whom the worst one happens is not helped by the others.",
        kind="trap",
    )
    return averages, careful, careless


@app.cell
def _(pk):
    honest = pk.build(
        title="Three outputs",
        size=1,
        values=["yes", "no"],
        distribution={"iid": {"yes": "1/2", "no": "1/2"}},
        mechanism={
            "table": [
                {"database": ["yes"], "outputs": {"first": "1/10", "second": "4/10", "third": "5/10"}},
                {"database": ["no"], "outputs": {"second": "2/10", "third": "8/10"}},
            ]
        },
    )
    # The same, but first and second become one output: less is published.
    merge = {
        "rows": [{"input": "first", "output": "merged"}, {"input": "second", "output": "merged"}],
        "otherwise": "third",
    }
    merged = pk.build(
        title="Two outputs",
        size=1,
        values=["yes", "no"],
        distribution={"iid": {"yes": "1/2", "no": "1/2"}},
        mechanism=pk.post_process(
            {
                "table": [
                    {"database": ["yes"], "outputs": {"first": "1/10", "second": "4/10", "third": "5/10"}},
                    {"database": ["no"], "outputs": {"second": "2/10", "third": "8/10"}},
                ]
            },
            merge,
        ),
    )
    return honest, merged


@app.cell(hide_code=True)
def _(chance_of_large_loss, honest, kit, merged, pk):
    chances = chance_of_large_loss(honest, 2), chance_of_large_loss(merged, 2)
    deltas = tuple(pk.check(one, "dp", epsilon="ln(2)").tight_delta for one in (honest, merged))
    question_4 = kit.question(
        "A mechanism has three outputs. Now we publish less: two of them are shown as one. Can a good definition call the "
        "second mechanism *less* private?",
        {
            "No: whoever sees less cannot learn more": "Every attack on the second mechanism is one on the first.",
            "Yes: merged outputs may look more suspicious": "The attacker on the first one could merge them herself.",
        },
        right="No: whoever sees less cannot learn more"
        if deltas[1] <= deltas[0]
        else "Yes: merged outputs may look more suspicious",
        answer=kit.show(
            kit.losses(honest, record=0, values=("yes", "no")),
            kit.losses(merged, record=0, values=("yes", "no")),
            f"The right δ at ε = ln(2) is {deltas[0]} before and {deltas[1]} after: it did not grow.",
        ),
    )
    question_4
    return chances, deltas, question_4


@app.cell(hide_code=True)
def _(chances, deltas, kit):
    kit.note(
        "Wrong: “δ is the probability that the loss is above ε”",
        f"On these two mechanisms, at ε = ln(2), that probability is **{chances[0]}** for the one with three outputs, and "
        f"**{chances[1]}** for the one that publishes less. A promise that breaks when we publish less is not a promise about "
        "what can be learned.",
        f"The sum of the excesses is **{deltas[0]}** and **{deltas[1]}**. It counts of each output only what is *beyond* "
        "$e^ε$ times; the wrong one counts the whole output as soon as it is a little above. (The wrong one is never smaller, "
        "so it may be used as a bound. It has a name, “tail” or “probabilistic” differential privacy, and this project "
        "decides it as `tail-dp`.)",
        kind="trap",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Exercises
    """)
    return


@app.cell
def _(kit):
    honesty = kit.fraction("truth", "1/2", denominator=20, low="1/2", high=1)
    honesty_check = kit.check_button("as honest as possible")
    return honesty, honesty_check


@app.cell(hide_code=True)
def _(honesty, honesty_check, kit, pk, survey):
    def check_1(truth):
        answer = pk.check(survey(truth), "dp", epsilon="ln(4)")
        if answer.verdict != "holds":
            return f"With {truth} the smallest ε is {answer.tight_epsilon}, which is more than ln(4)."
        more = truth + kit.number("1/20")
        if more <= 1 and pk.check(survey(more), "dp", epsilon="ln(4)").verdict == "holds":
            return f"With {truth} the promise is kept (smallest ε: {answer.tight_epsilon}), but a larger step keeps it too."
        return ""

    exercise_1 = kit.exercise(
        "as honest as possible",
        "The survey promises ε = ln(4). Move the slider to the largest probability of the truth that keeps the promise.",
        honesty,
        honesty_check,
        check=check_1,
        hints=[
            "The largest loss is that of an honest answer.",
            "Its factor is truth / (1 − truth). Which one gives 4?",
        ],
        solution=kit.number("4/5"),
        why="Honest answers are 4 times as likely as dishonest ones when they have 4 of 5 parts.",
        tempting=[kit.number("3/4"), kit.number("17/20")],
    )
    exercise_1
    return (exercise_1,)


@app.cell
def _(kit):
    smallest = kit.entry("smallest δ", kind="a fraction")
    smallest_check = kit.check_button("a δ by hand")
    return smallest, smallest_check


@app.cell(hide_code=True)
def _(kit, pk, smallest, smallest_check, survey):
    def check_2(text):
        given = kit.number(text, "δ")
        answer = pk.check(survey(kit.number("3/4")), "dp", epsilon="ln(2)", delta=given)
        if answer.verdict != "holds":
            return (
                f"δ = {given} is too small: the output *{answer.witness.event[0]}* is more than twice as likely under one "
                "truth as under the other, by more than this δ."
            )
        if answer.tight_delta == given:
            return ""
        rows = pk.loss(survey(kit.number("3/4")), record=0, values=("yes", "no")).knowledge[0].rows
        if any(given == row.probability_a for row in rows):
            return (
                f"{given} is the whole probability of an output. Only what is beyond $e^ε$ times the other one counts."
            )
        return f"δ = {given} is enough, but a smaller one is enough as well."

    exercise_2 = kit.exercise(
        "a δ by hand",
        "The student says the truth with probability 3/4. What is the smallest δ at ε = ln(2)? (Here $e^ε = 2$.)",
        smallest,
        smallest_check,
        check=check_2,
        hints=[
            "Take the output *says yes*: its probability is 3/4 for a student who cheated. And for one who did not?",
            "From 3/4 take away $e^ε$ times that other probability. The output *says no* adds nothing in this order.",
        ],
        solution="1/4",
        why="3/4 − 2 · 1/4 = 1/4.",
        tempting=["3/4", "0", "1/3"],
    )
    exercise_2
    return (exercise_2,)


@app.cell
def _(kit):
    own = kit.table(
        [
            {"D(0)": "yes", "→ up": "1/2", "→ down": "1/2", "→ silence": "0"},
            {"D(0)": "no", "→ up": "1/2", "→ down": "1/2", "→ silence": "0"},
        ],
        fixed=["D(0)"],
        title="Your mechanism",
    )
    own_check = kit.check_button("only with a δ")
    return own, own_check


@app.cell(hide_code=True)
def _(kit, own, own_check, pk):
    def own_model(rows):
        """The keys of the model that the table makes."""
        return {
            "title": "Your mechanism",
            "size": 1,
            "values": ["yes", "no"],
            "distribution": {"iid": {"yes": "1/2", "no": "1/2"}},
            "mechanism": kit.mechanism(rows),
        }

    def check_3(rows):
        model = pk.build(**own_model(rows))
        answer = pk.check(model, "dp", epsilon="ln(3)", delta="1/10")
        if answer.verdict != "holds":
            return f"It does not keep (ln(3), 1/10): at ε = ln(3) its smallest δ is {answer.tight_delta}."
        pure = pk.check(model, "dp")
        if pure.tight_epsilon != "inf":
            return f"It even keeps δ = 0, with ε = {pure.tight_epsilon}. An output that only one truth can produce is missing."
        return ""

    exercise_3 = kit.exercise(
        "only with a δ",
        "Fill in a mechanism that is (ln(3), 1/10)-differentially private, but ε-differentially private for no ε.",
        own,
        own_check,
        check=check_3,
        hints=[
            "Some output must be impossible for one of the truths: put a 0 in one row and more than 0 in the other.",
            "Give *silence* a small probability in one row only, take it from *up*, and leave the rest.",
        ],
        solution=[
            {"D(0)": "yes", "→ up": "9/20", "→ down": "1/2", "→ silence": "1/20"},
            {"D(0)": "no", "→ up": "1/2", "→ down": "1/2", "→ silence": "0"},
        ],
        why="Silence makes the attacker certain, with probability 1/20; nothing else is beyond ε.",
        model=own_model,
        tempting=[
            [
                {"D(0)": "yes", "→ up": "1/2", "→ down": "1/2", "→ silence": "0"},
                {"D(0)": "no", "→ up": "1/2", "→ down": "1/2", "→ silence": "0"},
            ],
            [
                {"D(0)": "yes", "→ up": "0", "→ down": "1/2", "→ silence": "1/2"},
                {"D(0)": "no", "→ up": "1/2", "→ down": "1/2", "→ silence": "0"},
            ],
        ],
    )
    exercise_3
    return (exercise_3,)


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(accident_keys, exercise_1, exercise_2, exercise_3, kit, student):
    handed_in = kit.hand_in(1, student, [exercise_1, exercise_2, exercise_3], {"the survey with a leak": accident_keys})
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - [The one-page glossary](guide:glossary.html), and [differential privacy](guide:definitions/dp.html) with its conventions.
    - In the explorer: [a machine with an output that one answer alone can give](explorer:example=course/one-order). Change its
      table, and watch every definition.
    - Desfontaines, Mohammadi, Krahmer, Basin, *Differential privacy with partial knowledge*: Definition 2 (differential
      privacy), Definition 11 (privacy loss), section 3.3 and 3.4 (mean excess against tail).
    - On the command line: write a model file, then `pkdp check FILE --definition dp --profile` and `pkdp loss FILE`.

    **Next:** [notebook 2, uncertainty instead of noise](2.html). The noise can be left out where the attacker does not know everything.
    """)
    return


if __name__ == "__main__":
    app.run()
