# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 4: what may the attacker know? Normalizations, and why they have to be acceptable."""

import marimo

app = marimo.App(width="medium", app_title="4 · Normalizations", css_file="course.css")


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
        4,
        "What may the attacker know?",
        [
            "Why an attacker who knows more can look weaker, and what is wrong when she does",
            "How to take a random database apart into independent dice: a *normalization*",
            "When what she knows is *acceptable*, what that buys you, and what not",
        ],
        able="decide whether what an attacker knows is acceptable, and say what that buys you and what it does not.",
        minutes=35,
        needs="after notebook 3",
        hour="down to the box “Why acceptability matters” (10 minutes); the table “The whole table” is optional",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Couples vote

    A couple votes, 0 for no and 1 for yes. Your partner votes first. You agree with your partner more often than not. What
    the attacker wants is **your** vote.

    Your partner's vote is then published. Dora reads it; she knew nothing before. Clara reads it, too; she is a friend of
    your partner's, and knew it all along.
    """)
    return


@app.cell
def _(kit, product):
    DATABASES = list(product((0, 1), repeat=2))  # (your partner's vote, your vote)

    def couple(yes, agree):
        """Your partner says yes with one probability, and you agree with your partner with another."""
        table = []
        for partner, you in DATABASES:
            p = (yes if partner else 1 - yes) * (agree if partner == you else 1 - agree)
            table.append({"database": [partner, you], "probability": p})
        return {"table": table}

    TOPICS = {
        "nothing": lambda _: "–",
        "your partner's vote": lambda d: f"partner {d[0]}",
        "your vote": lambda d: f"you {d[1]}",
        "whether you agree": lambda d: "agree" if d[0] == d[1] else "differ",
        "both votes": lambda d: f"{d[0]}{d[1]}",
    }

    def vote(yes, agree, *, known, protected, rule):
        """The couple as a model: what the attacker knows, what is protected, and what is published."""
        return kit.build(
            title=f"known: {known}; protected: {protected}",
            size=2,
            values=[0, 1],
            distribution=couple(yes, agree),
            knowledge=TOPICS[known],
            sensitive={"rows": [{"database": list(d), "value": TOPICS[protected](d)} for d in DATABASES]},
            mechanism=rule,
        )

    return DATABASES, TOPICS, couple, vote


@app.cell(hide_code=True)
def _(Fraction, kit, pk, vote):
    THIRD, THREE_QUARTERS = Fraction(1, 3), Fraction(3, 4)

    def _knowing(known):
        return vote(THIRD, THREE_QUARTERS, known=known, protected="your vote", rule=lambda d: f"partner: {d[0]}")

    dora = pk.check(_knowing("nothing"), "np")
    clara = pk.check(_knowing("your partner's vote"), "np")
    _larger = "Dora" if clara.tight_epsilon < dora.tight_epsilon else "Clara"
    yes_before = THIRD * THREE_QUARTERS + (1 - THIRD) * (1 - THREE_QUARTERS)  # your yes, before the paper is read
    question_1 = kit.question(
        "Your partner says yes with probability 1/3, and you agree with probability 3/4. Against whom does NP ask "
        "for the larger ε?",
        {
            "Dora": "She learned something: your partner's vote says something about yours.",
            "Clara": "Clara knows more beforehand. But NP asks what is new for her.",
            "both the same": "For Clara nothing is new; for Dora something is.",
        },
        right=_larger if dora.tight_epsilon != clara.tight_epsilon else "both the same",
        answer=kit.show(
            kit.grid(
                ["attacker", "your yes: before she reads", "after she reads “partner: 1”", "smallest ε of NP"],
                [
                    ["Dora", yes_before, THREE_QUARTERS, kit.least(dora)],
                    ["Clara", THREE_QUARTERS, THREE_QUARTERS, kit.least(clara)],
                ],
                notes=["How likely your yes is for each of them, where your partner said yes."],
            ),
            "Both end up believing the same about your vote. Only Dora comes from further away. So NP calls Clara harmless, "
            "although she knows all that Dora knows, and knew it earlier. What is counted here is not what the paper does "
            "to *you*, but how one attacker catches up with another one.",
        ),
    )
    question_1
    return THIRD, THREE_QUARTERS, clara, dora, question_1, yes_before


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Dice

    What goes wrong? Clara's knowledge already says something about your vote. To see when this is so, take the database
    apart. Throw **independent dice**, and compute the votes from what they show. The dice need not be fair. If each
    possible throw gives votes of its own, this is called a **normalization**.

    For the couple two dice do: one for your partner's vote, one for whether you agree. One big die for the two votes together
    is a normalization as well. One die for each *vote* is none, as long as the votes depend on each other. Look:
    """)
    return


@app.cell
def _(kit):
    yes = kit.fraction("your partner says yes", "1/3", denominator=12)
    agree = kit.fraction("you agree", "3/4", denominator=12)
    return agree, yes


@app.cell(hide_code=True)
def _(DATABASES, Fraction, TOPICS, agree, couple, kit, yes):
    def dice(first, second, yes, agree):
        """Throw one die for each topic: the databases of each throw, with what the dice say and what is so."""
        law = {tuple(row["database"]): row["probability"] for row in couple(yes, agree)["table"]}

        def _die(topic):
            found = {}
            for d, p in law.items():
                found[TOPICS[topic](d)] = found.get(TOPICS[topic](d), Fraction(0)) + p
            return {side: p for side, p in found.items() if p}

        rows = []
        for one, p in _die(first).items():
            for two, q in _die(second).items():
                made = [d for d in DATABASES if (TOPICS[first](d), TOPICS[second](d)) == (one, two)]
                rows.append((one, two, made, p * q, sum((law[d] for d in made), Fraction(0))))
        return rows

    def _table(first, second):
        rows = dice(first, second, yes.value, agree.value)
        good = all(p == q for *_, p, q in rows)
        cells = [[f"{one}, {two}", ", ".join(f"{a}{b}" for a, b in made), p, q] for one, two, made, p, q in rows]
        title = f"{'✓' if good else '✗'} Dice for {first} and for {second}"
        return kit.grid(["throw", "votes", "by the dice", "in truth"], cells, title=title)

    kit.show(
        "**Play.** The votes are your partner's, then yours. Do the dice give each pair of votes its true probability? "
        "Is there a setting where two dice for the two *votes* do?",
        yes,
        agree,
        _table("your partner's vote", "whether you agree"),
        _table("your partner's vote", "your vote"),
    )
    return (dice,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Acceptable

    A normalization is **acceptable** if

    1. one of the dice decides alone what is protected (this die is called $\phi_0$), and
    2. what the attacker knows is what some of the **other** dice show, all of it and nothing else.

    Dice are independent. So what she knows beforehand then says nothing about what is protected. Take the two dice of the
    couple. Your partner's vote is protected, and she knows the die “whether you agree”: acceptable. Your *vote* is protected:
    no die alone decides it.
    """)
    return


@app.cell(hide_code=True)
def _(TOPICS, agree, kit, pk, vote, yes):
    known_topics = list(TOPICS)
    protected_topics = [one for one in TOPICS if one != "nothing"]

    def decide(known, protected, yes, agree):
        """Whether this choice of knowledge and of what is protected has an acceptable normalization."""
        return pk.acceptable(vote(yes, agree, known=known, protected=protected, rule=lambda _: "–"))[0]

    acceptance = {
        (known, protected): decide(known, protected, yes.value, agree.value)
        for known in known_topics
        for protected in protected_topics
    }
    acceptance_table = kit.grid(
        ["she knows", *protected_topics],
        [
            [known, *("✓ yes" if acceptance[known, one].acceptable else "✗ no" for one in protected_topics)]
            for known in known_topics
        ],
        title="Acceptable, if this is protected?",
    )
    return acceptance, acceptance_table, decide, known_topics, protected_topics


@app.cell(hide_code=True)
def _(THIRD, THREE_QUARTERS, decide, kit):
    _cases = {
        "your partner's vote": "It says something about your vote: you mostly agree. This was Clara.",
        "whether you agree": "Your partner's yes is less likely than a no, so that “they agree” makes your no more "
        "likely.",
        "nothing of the two": "Either of them says something about your vote.",
    }
    _right = [one for one in list(_cases)[:2] if decide(one, "your vote", THIRD, THREE_QUARTERS).acceptable]
    question_2 = kit.question(
        "**Your vote** is protected; yes has probability 1/3, agreement 3/4. What may the attacker know, acceptably?",
        _cases,
        right=_right[0] if _right else "nothing of the two",
        answer=kit.show(
            *(
                f"{one}: {decide(one, 'your vote', THIRD, THREE_QUARTERS).reason or 'acceptable'}."
                for one in list(_cases)[:2]
            ),
            "Here B is what she knows, and S what is protected. If your *vote* is protected, she may know nothing that says "
            "something about it. Or one protects something else.",
        ),
    )
    question_2
    return (question_2,)


@app.cell
def _(kit, known_topics, protected_topics):
    she_knows = kit.pick("she knows", known_topics, "your partner's vote")
    is_protected = kit.pick("protected", protected_topics, "your vote")
    how_many = kit.guess(
        "To know nothing is always acceptable. In how many of the other 16 cases is it acceptable what she knows?",
        "in none",
        "in one to four",
        "in more than four",
    )
    return how_many, is_protected, she_knows


@app.cell(hide_code=True)
def _(Fraction, acceptance, acceptance_table, agree, how_many, is_protected, kit, she_knows, yes):
    chosen = acceptance[she_knows.value, is_protected.value]
    if chosen.acceptable:
        _die = chosen.normalization.phi_0
        _sides = {side: Fraction(weight, _die.denominator) for side, weight in _die.items()}
        _throws = [
            [str(side), _sides[side], "–" if she_knows.value == "nothing" else str(known), f"{votes[0]}{votes[1]}"]
            for side, known, votes, _ in chosen.normalization.worlds
        ]
        _found = kit.grid(
            ["φ₀ shows", "with probability", "she knows", "votes"],
            _throws,
            title="✓ Acceptable: φ₀ is one die, what she knows another one",
        )
    else:
        _found = f"✗ **Not acceptable**: {chosen.reason}."
    kit.show(
        "**Play.** The whole table. The sliders are those of above.",
        yes,
        agree,
        kit.guessed(
            how_many,
            acceptance_table,
            she_knows,
            is_protected,
            _found,
            kit.fold(
                "Things to try",
                "- Make both votes independent (`you agree` = 1/2).\n"
                "- For which numbers does “whether you agree” say nothing about your vote?\n"
                "- Make the agreement certain. What is left to protect?\n"
                "- Make yes impossible. Your partner's vote is then nothing that one could learn.",
            ),
        ),
    )
    return (chosen,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Why it matters

    Who knows more should never look weaker. Is that so? Below are all rules that publish one thing for each of the four pairs
    of votes. For each rule, compare NP's ε for Clara, who knows your partner's vote, with that for Dora, who knows nothing.
    If Clara's is smaller, the rule **turns things upside down**.
    """)
    return


@app.cell
def _(DATABASES, THIRD, THREE_QUARTERS, pk, product, vote):
    def all_rules():
        """Every way to publish u, v, w or x for the four pairs of votes, up to the names of what is published."""
        for outputs in product("uvwx", repeat=4):
            if all("uvwx".index(one) <= len(set(outputs[:k])) for k, one in enumerate(outputs)):
                yield dict(zip(DATABASES, outputs, strict=True))

    def upside_down(rule, protected):
        """Whether NP asks for less against Clara, who knows more, than against Dora."""
        answers = [
            pk.check(vote(THIRD, THREE_QUARTERS, known=known, protected=protected, rule=rule.get), "np", replay=False)
            for known in ("nothing", "your partner's vote")
        ]
        return answers[1].tight_epsilon < answers[0].tight_epsilon

    RULES = list(all_rules())
    wrong_way = {
        protected: [rule for rule in RULES if upside_down(rule, protected)]
        for protected in ("your vote", "whether you agree")
    }
    return RULES, upside_down, wrong_way


@app.cell
def _(RULES, kit):
    how_often = kit.guess(
        f"Your vote is protected. How many of these {len(RULES)} rules turn things upside down?", "none", "some", "all"
    )
    return (how_often,)


@app.cell(hide_code=True)
def _(RULES, THIRD, THREE_QUARTERS, decide, how_often, kit, wrong_way):
    _rows = [
        [
            protected,
            "✓ acceptable" if decide("your partner's vote", protected, THIRD, THREE_QUARTERS).acceptable else "✗ not",
            f"{len(found)} of {len(RULES)}",
        ]
        for protected, found in wrong_way.items()
    ]
    kit.show(
        kit.guessed(
            how_often,
            kit.grid(["protected", "Clara's knowledge is", "rules that turn things upside down"], _rows),
        ),
        kit.note(
            "Why acceptability matters",
            "**If her knowledge is not acceptable, NP's ε may measure the wrong thing: how an attacker without the knowledge "
            "catches up.** A release may then look harmless against the stronger attacker, and harmful against the weaker one.",
            "**If one acceptable normalization serves both attackers, knowing more is never a weakness.** Whoever protects you "
            "from the one who knows more protects you from the other one. This is a theorem (DMKB20, Proposition 3), and not "
            "only so for these rules.",
        ),
    )
    return


@app.cell
def _(DATABASES, kit):
    upside = kit.table(
        [{"partner": a, "you": b, "published": a + b} for a, b in DATABASES],
        fixed=["partner", "you"],
        title="What is published",
    )
    upside_check = kit.check_button("turn it upside down")
    return upside, upside_check


@app.cell(hide_code=True)
def _(RULES, THIRD, THREE_QUARTERS, kit, pk, upside, upside_check, vote, wrong_way):
    def _check(rows):
        says = {
            (int(row["partner"]), int(row["you"])): kit.typed(row["published"], f"{row['partner']}{row['you']}")
            for row in rows
        }
        found = [
            pk.check(vote(THIRD, THREE_QUARTERS, known=known, protected="your vote", rule=says.get), "np")
            for known in ("nothing", "your partner's vote")
        ]
        dora, clara = found
        if clara.tight_epsilon < dora.tight_epsilon:
            return ""
        tells = [partner for partner in (0, 1) if says[partner, 0] != says[partner, 1]]
        why = (
            f"Where your partner votes {tells[0]}, your own vote can be read off by Clara."
            if tells
            else "Nothing that is published says anything about the couple."
        )
        return f"Dora: {kit.least(dora)}. Clara: {kit.least(clara)}. {why}"

    exercise_1 = kit.exercise(
        "turn it upside down",
        "Your vote is protected (yes 1/3, agreement 3/4). Publish something against which Clara, who knows your "
        "partner's vote, "
        "looks **weaker** for NP than Dora, who knows nothing. The number of yes votes, which stands there, does not "
        "do it.",
        upside,
        upside_check,
        check=_check,
        hints=[
            "Publish nothing that Clara does not know.",
            "Your own vote must make no difference, your partner's must.",
        ],
        solution=[
            {"partner": str(a), "you": str(b), "published": "yes" if a else "no"}
            for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))
        ],
        why=f"Of the {len(RULES)} rules above it is the only one: for 00, 01, 10, 11 it publishes "
        f"{' or '.join(''.join(rule.values()) for rule in wrong_way['your vote'])}, which is your partner's vote "
        "under other names.",
        tempting=[
            [{"partner": str(a), "you": str(b), "published": f"{a + b}"} for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))],
            [{"partner": str(a), "you": str(b), "published": "–"} for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))],
            [{"partner": str(a), "you": str(b), "published": f"{b}"} for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))],
        ],
    )
    exercise_1
    return (exercise_1,)


@app.cell
def _(DATABASES, kit):
    secret = kit.table(
        [{"partner": a, "you": b, "protected": f"you {b}"} for a, b in DATABASES],
        fixed=["partner", "you"],
        title="What is protected",
    )
    secret_check = kit.check_button("what can be protected from Clara?")
    return secret, secret_check


@app.cell(hide_code=True)
def _(THIRD, THREE_QUARTERS, TOPICS, couple, kit, pk, secret, secret_check):
    def _model(rows):
        table = [
            {
                "database": [int(row["partner"]), int(row["you"])],
                "value": kit.typed(row["protected"], f"{row['partner']}{row['you']}"),
            }
            for row in rows
        ]
        return {
            "title": "What is protected from Clara",
            "size": 2,
            "values": [0, 1],
            "distribution": couple(THIRD, THREE_QUARTERS),
            "knowledge": lambda d: TOPICS["your partner's vote"]((int(d[0]), int(d[1]))),
            "sensitive": {"rows": table},
            "mechanism": {"kind": "constant", "output": "–"},
        }

    def _check(rows):
        keys = _model(rows)
        protected = {row["value"] for row in keys["sensitive"]["rows"]}
        if len(protected) == 1:
            return f"“{protected.pop()}” is the same for all: nothing is protected."
        model = pk.build(**keys)
        answer = pk.acceptable(model)[0]
        return "" if answer.acceptable else f"Not acceptable: {answer.reason}."

    exercise_2 = kit.exercise(
        "what can be protected from Clara?",
        "Clara knows your partner's vote, and you cannot change that. Choose what is protected, so that it is "
        "acceptable and still "
        "says something. Your vote, which stands there, is not (yes 1/3, agreement 3/4).",
        secret,
        secret_check,
        check=_check,
        hints=[
            "It must be as likely given a partner's yes as given a partner's no.",
            "Given either vote of your partner's, one thing has the probability 3/4.",
        ],
        solution=[
            {"partner": str(a), "you": str(b), "protected": "agree" if a == b else "differ"}
            for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))
        ],
        model=_model,
        why="This is the second normalization of DMKB20, Example 6: what is protected is no longer your vote, but "
        "whether you "
        "agree with your partner.",
        tempting=[
            [{"partner": str(a), "you": str(b), "protected": f"you {b}"} for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))],
            [{"partner": str(a), "you": str(b), "protected": "secret"} for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))],
            [{"partner": str(a), "you": str(b), "protected": f"{a + b}"} for a, b in ((0, 0), (0, 1), (1, 0), (1, 1))],
        ],
    )
    exercise_2
    return (exercise_2,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## When nothing is compared

    Make the agreement certain: you always vote like your partner. Clara then knows your vote. NP compares the answers for your
    two votes *given what Clara knows*; but given that, only one of your votes is possible.
    """)
    return


@app.cell
def _(kit, pk):
    vacuous_search = pk.search(satisfies="np(0)", violates="acceptable", records=1, knowledge=2, vacuous=True)

    def holds_naively(model):
        """The tempting reading of ε = 0: each comparison that is possible finds the same distribution on both sides."""
        possible = [one for one in pk.loss(model, record=0).knowledge if not one.excludes]
        return all(row.probability_a == row.probability_b for one in possible for row in one.rows)

    confession = pk.build(
        title="a known record, published",
        size=1,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        knowledge={"records": [0]},
        mechanism={"kind": "identity"},
    )
    kit.show(f"Found, after a look at {vacuous_search.hit.checked:,} models: the smallest one where they differ.")
    return confession, holds_naively, vacuous_search


@app.cell(hide_code=True)
def _(confession, holds_naively, kit, pk, vacuous_search):
    vacuous_np = pk.check(vacuous_search.model, "np", epsilon=0)
    vacuous_acceptable = pk.acceptable(vacuous_search.model)[0]
    kit.note(
        "A tempting wrong definition: what is impossible is skipped, so all is well",
        "“For all that she may know, and all values of yours that are possible with it, the answers are alike.” If "
        "she knows your "
        "record, only one value is possible with what she knows, and the sentence is true, whatever is published.",
        kit.model_table(vacuous_search.model, "The smallest model: one record, which is known"),
        kit.grid(
            ["question", "answer"],
            [
                ["the naive reading: ε = 0?", "yes" if holds_naively(vacuous_search.model) else "no"],
                ["and if your record itself is published?", "yes" if holds_naively(confession) else "no"],
                ["how many comparisons were there?", str(vacuous_np.comparisons)],
                ["the verdict here", vacuous_np.verdict],
                ["is the knowledge acceptable?", "✓ yes" if vacuous_acceptable.acceptable else "✗ no"],
            ],
        ),
        f"Why not: {vacuous_acceptable.reason}. An acceptable normalization rules this out: what she knows "
        "then leaves every value of yours as likely as before.",
        kind="trap",
    )
    return vacuous_acceptable, vacuous_np


@app.cell
def _(kit):
    chance = kit.entry("your partner says yes with probability", kind="a fraction")
    chance_check = kit.check_button("a harmless piece of knowledge")
    return chance, chance_check


@app.cell(hide_code=True)
def _(Fraction, THREE_QUARTERS, chance, chance_check, decide, kit, pk):
    def _check(text):
        yes = kit.number(text)
        if not 0 <= yes <= 1:
            raise pk.InputError(f"{yes} is not a probability", where="the probability", wanted="a number from 0 to 1")
        answer = decide("whether you agree", "your vote", yes, THREE_QUARTERS)
        return "" if answer.acceptable else f"Not acceptable with {yes}: {answer.reason}."

    _twelfths = [Fraction(k, 12) for k in range(13)]
    _fine = [one for one in _twelfths if decide("whether you agree", "your vote", one, THREE_QUARTERS).acceptable]
    exercise_3 = kit.exercise(
        "a harmless piece of knowledge",
        "Eva knows **whether you agree** with your partner (agreement has probability 3/4), and your vote is "
        "protected. For which "
        "probability of your partner's yes is that acceptable?",
        chance,
        chance_check,
        check=_check,
        hints=[
            "If you agree, your vote is your partner's; if you differ, it is the other one.",
            "Compare how likely your yes is given that you agree, and given that you differ. When are the two equal?",
        ],
        solution="1/2",
        why=f"Then whether you agree is a die of its own, and your vote another one. Of the twelfths from 0 to 1 only "
        f"{' and '.join(str(one) for one in _fine)} will do.",
        tempting=["0", "1", "1/4", "3/4"],
    )
    exercise_3
    return (exercise_3,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Anna and Berta again

    In notebook 3 Berta knew the season, and looked weaker than Anna. The season says something about your health, so her knowledge
    is not acceptable if your *health* is protected. Protect instead whether you **follow** the season.
    """)
    return


@app.cell
def _(Fraction, kit, product):
    def season_house(follows, *, known, protect):
        """The household of notebook 3, with a column for what is protected; the answer is true 9 times out of 10."""
        table = []
        for season, *house in product(("good", "bad"), *[("well", "ill")] * 3):
            usual = "ill" if season == "bad" else "well"
            p = Fraction(1, 2)
            for one in house:
                p *= follows if one == usual else 1 - follows
            of_you = {"your health": house[0], "whether you follow": "follow" if house[0] == usual else "do not"}
            row = {"database": house, "sensitive": of_you[protect], "probability": p}
            table.append({**row, "knowledge": season} if known else row)
        merged = {}
        for row in table:  # where the season is not part of the world, equal rows are one
            key = (tuple(row["database"]), row["sensitive"], row.get("knowledge"))
            merged[key] = {
                **row,
                "probability": row["probability"] + merged.get(key, {"probability": 0})["probability"],
            }
        true, false = Fraction(9, 10), Fraction(1, 10)
        return kit.build(
            title="a household",
            size=3,
            values=["well", "ill"],
            distribution={"table": [row for row in merged.values() if row["probability"]]},
            mechanism=lambda d: {"most": true, "few": false} if d.count("ill") > 1 else {"most": false, "few": true},
        )

    return (season_house,)


@app.cell
def _(kit):
    follow = kit.fraction("everybody follows the season", "9/10", denominator=20, low="1/2")
    return (follow,)


@app.cell(hide_code=True)
def _(follow, kit, pk, season_house):
    season_rows = []
    for _protect in ("your health", "whether you follow"):
        for _name, _known in (("Anna, who knows nothing", False), ("Berta, who knows the season", True)):
            _model = season_house(follow.value, known=_known, protect=_protect)
            _fine = pk.acceptable(_model)[0].acceptable
            season_rows.append(
                [_protect, _name, kit.least(pk.check(_model, "np")), "✓ acceptable" if _fine else "✗ not"]
            )
    kit.show(
        "**Play.** The household once more; the answer is true 9 times out of 10.",
        follow,
        kit.grid(["protected", "attacker", "smallest ε of NP", "her knowledge is"], season_rows),
        "Where both are acceptable, who knows more is never the weaker one. The price is honest: it is said which "
        "part of your record is protected, and which is not.",
    )
    return (season_rows,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What acceptability does not buy
    """)
    return


@app.cell(hide_code=True)
def _(kit, pk):
    apart = pk.search(satisfies="acceptable", violates="np iff cdp")
    together = pk.search(claim="independent => np iff cdp")
    _none = "no counterexample" if together.verdict == "none in scope" else "but there is a counterexample"
    five_voters = pk.read({path.stem: path for path in pk.examples("DMKB20")}["example-7-five-voters"])
    known_record = pk.acceptable(
        pk.build(
            size=2,
            values=[0, 1],
            distribution={"iid": {0: "1/2", 1: "1/2"}},
            knowledge={"records": [0]},
            mechanism={"kind": "count", "value": 1},
        )
    )
    kit.show(
        "**NP and CDP do not become one.** DMKB20, Proposition 4, states that for acceptable distributions they are "
        "equivalent. "
        f"A search finds a counterexample after {apart.hit.checked:,} models, the twins of notebook 3:",
        kit.model_table(apart.model),
        kit.grid(
            ["definition", "smallest ε"],
            [[one.upper(), kit.least(pk.check(apart.model, one))] for one in ("np", "cdp")],
        ),
        "Nothing is known here, and then everything is acceptable: one big die is the whole database. What makes NP "
        "and CDP "
        f"one is that your record is independent of the others, given what is known: {_none} among "
        f"{together.hit.checked:,} models (and proved: proofs/relations.md).",
        "**Not at every record.** Definition 8 asks for an acceptable normalization at *all* records. Read "
        "literally, no attacker "
        "may know a random record: two fair coins, the first one known:",
        kit.grid(
            ["protected", "acceptable?"],
            [[f"record {one.record}", "✓ yes" if one.acceptable else f"✗ no: {one.reason}"] for one in known_record],
        ),
        f"So it is asked at the records that are protected: at record {pk.acceptable(five_voters)[0].record} of "
        "Example 7 with five "
        f"voters it is {'acceptable' if pk.acceptable(five_voters)[0].acceptable else 'not acceptable'}.",
    )
    return apart, together


@app.cell(hide_code=True)
def _(kit, pk):
    uneven = pk.build(
        title="as likely, but not as many",
        size=2,
        values=[0, 1, 2],
        distribution={
            "table": [
                {"database": [0, 0], "knowledge": "x", "probability": "1/4"},
                {"database": [1, 0], "knowledge": "x", "probability": "1/4"},
                {"database": [0, 1], "knowledge": "y", "probability": "1/4"},
                {"database": [1, 1], "knowledge": "y", "probability": "1/8"},
                {"database": [1, 2], "knowledge": "y", "probability": "1/8"},
            ]
        },
        sensitive={"records": [0]},
        mechanism={"kind": "constant", "output": "–"},
    )
    kit.fold(
        "For careful readers: how it is decided, and independence is not quite enough",
        "List, for each thing that she may know, the worlds that are left, each with what is protected and its "
        "probability given what "
        "she knows. There is an acceptable normalization exactly if these lists are the same "
        "(proofs/acceptability.md): then one die "
        "says which entry of the list it is.",
        "So what is protected is independent of what she knows. The reverse is not true. Here record 0 is a fair "
        "coin, given x "
        "and given y; but x leaves two worlds, y three, and no die of its own can count both:",
        kit.show(pk.acceptable(uneven)),
        "For “more knowledge is never a weakness” independence would do.",
    )
    return (uneven,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## With symbols
    """)
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(
        "A normalization of θ: independent $\\phi_0, \\dots, \\phi_k$ and an injective $\\hat{\\theta}$ with",
        kit.formula(r"\theta = \hat{\theta}(\phi_0, \dots, \phi_k)"),
        "It is acceptable at $i$ if $D(i) = f(\\phi_0)$ and $B = g((\\phi_j)_{j \\in I})$ for some $f$, some $I "
        "\\subseteq \\{1, \\dots, k\\}$ "
        "and an injective $g$ (DMKB20, Definitions 7 and 8). Values of probability 0 play no part.",
    )
    return


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(exercise_1, exercise_2, exercise_3, kit, student):
    handed_in = kit.hand_in(4, student, [exercise_1, exercise_2, exercise_3])
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - The couple in the explorer: [Dora, who knows nothing](explorer:example=course/partner-published), and
      [Clara, who knows your partner's vote](explorer:example=course/partner-published-known).
    - DMKB20, section 2.3: Definitions 7 to 9, Proposition 3, Example 6. The claims, with what was found:
      [Definition 8](guide:proofs/ledger.html#dmkb20-definition-8), [Proposition 4](guide:proofs/ledger.html#dmkb20-proposition-4).
    - [How acceptability is decided](guide:proofs/acceptability.html), with the proof.
    - Is a model of yours acceptable? On the command line `pkdp acceptable MODEL` prints the dice, or the reason why there are none.

    **Next:** [notebook 5, active and passive attackers](5.html). An attacker who can *choose* what she knows.
    """)
    return


if __name__ == "__main__":
    app.run()
