"""The choices of a definition on DP22's axes in words, and the fields of `[policy]` that they read.

The axes are builder, view, measure and aggregation (`verifier.definitions.scheme`); what is said of a measure, its
declaration has. A test asks each definition with the fields that are listed here, and without each of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.definitions import Definition, Verdict, find
from verifier.definitions.builders.events import Adversaries, Distributions, Secrets
from verifier.definitions.builders.posteriors import Beliefs, Clients, EventsOfOutputs, Membership
from verifier.definitions.builders.random_pairs import RandomDatabases, RandomPair, RedrawnRecord, Sampled
from verifier.definitions.builders.relations import Relation
from verifier.definitions.centres.centre import Centre, InferredCentre
from verifier.definitions.measures.divergence import policy_names
from verifier.definitions.scheme import MEASURES, Scheme, declared_measure
from verifier.model import Model
from verifier.model.policy import FIELDS

AXES = {
    "builder": "compares",
    "view": "attacker sees",
    "measure": "measures",
    "aggregation": "combined by",
}
"""The axes by their names in entries and in JSON, each with its label on a card."""
STEPS = {
    "neighbours": "two neighbours, which differ in one record or as `neighbours` in [policy] says",
    "change": "two databases that differ in the value of one record",
    "change add remove": "two databases that differ in one record, which may be absent from one of them",
    "add": "a database, and the same with one record more, in this order",
    "remove": "a database, and the same without one record, in this order",
    "add remove": "two databases of which one has a record more",
    "any": "any two databases",
    "pairs": "the listed pairs of databases, in both orders",
}
RESTRICTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "sensitive": ("the record that differs has a sensitive value in the first", ("sensitive",)),
    "graph": ("an edge joins its two values", ("graph",)),
    "attributes": ("its values differ in one attribute", ("attributes",)),
    "bits": ("its values differ in one bit", ("bits",)),
    "databases": ("both are listed", ("databases",)),
    "inside": ("both are listed, where the file lists databases", ()),
    "induced": ("both are listed, and no third listed one is between them", ("databases",)),
    "fixed": ("one of them is the database at hand", ("fixed",)),
    "record": ("only the record at hand differs", ("record",)),
    "blocks": ("all records that differ are in one block", ("blocks",)),
    "dependence": ("the other records that are changed depend on one of them", ("dependence", "group")),
    "at-most": ("their distance is at most Δ", ("distance", "at-most")),
    "statistic": ("a statistic of them differs by at most s", ("statistic", "at-most")),
    "shared": ("they have a value in common", ()),
}
"""Restrictions by their names in entries: in words, and the fields that they read."""
SCALES: dict[str, tuple[str, tuple[str, ...]]] = {
    "": ("", ()),
    "levels": ("ε is multiplied by the level of the record", ("levels",)),
    "values": ("ε is multiplied by the factor of the two values", ("scale",)),
    "tailored": ("ε is multiplied by the level of the value in its database", ("tailored",)),
    "distance": ("ε is multiplied by the distance", ("distance",)),
}
VIEWS: dict[str, tuple[str, tuple[str, ...]]] = {
    "outputs": ("The attacker sees the outputs of the mechanism", ()),
    "leaked": (
        "The attacker sees the outputs given what leaks with them, by coins of the mechanism or read off them",
        ("leak",),
    ),
    "images": ("The attacker sees a function of the outputs", ("image",)),
}
AGGREGATIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "worst": ("Each pair must be within the bound, so that the worst one decides", ()),
    "average": ("The average over the pairs must be within the bound, of each order by itself", ()),
    "all-but": ("Each pair must be within the bound, but for a share γ of them", ("gamma",)),
}
CELLS = {
    "in-upper": "t ∈ D is at most e^ε times as likely",
    "in-lower": "t ∈ D is at least e^-ε times as likely",
    "out-upper": "t ∉ D is at most e^ε times as likely",
    "out-lower": "t ∉ D is at least e^-ε times as likely",
}
CENTRES: dict[str, tuple[str, tuple[str, ...], bool]] = {
    "without-a-record": ("M(D) with a simulator that is told agg of D without a record", ("agg",), False),
    "coupled-worlds": ("M(D), given θ, priv(D) and B̂, with a simulator that is told agg(D)", ("coupled",), True),
    "typical": ("M(D) with one output distribution that a simulator chooses for θ", ("gamma",), True),
}
"""Centres by their names in entries: what is imitated in words, the fields that are read, and whether θ is needed."""
INFERRED = "The attacker believes something of priv(D) after an output of M, or after the same one of the simulator"


@dataclass(frozen=True)
class Choices:
    """The choices of a definition on the four axes, in words, and what a file must give.

    `fields` are the fields of `[policy]` that must be given, `optional` the ones that may be given. `records` says
    whether a record may be missing from a database: `same` (none may), `missing` (one may), `absent` (one may, and has
    an index), or `sampled`.
    """

    builder: str
    view: str
    measure: str
    aggregation: str
    fields: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    needs_theta: bool = False
    records: str = "same"


def choices_of(definition: Definition) -> Choices | None:
    """The choices of a definition on the four axes; None where it is not decided, or has no such choices.

    >>> from verifier.definitions.atlas import atlas
    >>> choices_of(atlas["renyidp"]).fields
    ('order',)
    """
    scheme = definition.compare
    if isinstance(scheme, Scheme):
        return _of_scheme(scheme)
    if isinstance(scheme, Centre):
        builder, fields, needs_theta = CENTRES[scheme.centre]
        kept = "all-but" if scheme.centre == "typical" else "worst"
        sentences = _sentences(builder, VIEWS["outputs"][0], MEASURES["hockey-stick"].said, AGGREGATIONS[kept][0])
        return Choices(*sentences, fields, needs_theta=needs_theta)
    if isinstance(scheme, InferredCentre):
        builder, fields, _ = CENTRES["coupled-worlds"]
        said = _sentences(builder, INFERRED, MEASURES["ratio"].said, AGGREGATIONS["worst"][0])
        return Choices(*said, fields, needs_theta=True)
    if not definition.about.words or definition.own:
        return None
    said = _sentences(
        definition.about.words,
        "The attacker believes something of the record after an output" if definition.kind == "posterior"
        else VIEWS["outputs"][0],
        declared_measure(definition.measure.key).said,
        f"Each pair must be within the bound, {definition.aggregation.formula}",
    )  # fmt: skip
    return Choices(*said, needs_theta=definition.needs_theta)


def _sentences(builder: str, view: str, measure: str, aggregation: str) -> tuple[str, str, str, str]:
    """The choices on the four axes as sentences, whose subject is the definition, the attacker or a pair of laws."""
    verb = "It asks" if measure.startswith("whether ") else "It bounds"
    return f"It compares {builder}.", f"{view}.", f"{verb} {measure}.", f"{aggregation}."


def fields_read(definition: Definition) -> dict[str, bool]:
    """The fields of `[policy]` that a definition reads, each with whether it must be given.

    >>> from verifier.definitions.atlas import atlas
    >>> fields_read(atlas["zcodp"]), fields_read(atlas["perdp"])
    ({'neighbours': False, 'xi': False}, {'levels': True, 'absent': True})
    """
    choices = choices_of(definition)
    if choices is None:
        return {}
    needed = dict.fromkeys(choices.fields, True)
    if choices.records in {"missing", "absent"}:
        needed["absent"] = choices.records == "absent"
    return {**dict.fromkeys(choices.optional, False), **needed}


def meaning_of(field: str) -> str:
    """What a field of `[policy]` means; of the one that names a divergence with all names."""
    meaning = FIELDS[field].meaning
    listed = f" All names: {', '.join(policy_names())}; any larger number." if field == "divergence" else ""
    return f"{meaning}{listed}"


def missing_fields(model: Model, answer: Verdict) -> tuple[str, ...]:
    """The fields of `[policy]` whose absence makes an answer `unsupported`; none where the reason is another."""
    if answer.verdict != "unsupported" or "in [policy], which the file does not give" not in (answer.reason or ""):
        return ()
    fields = fields_read(find(answer.definition))
    return tuple(field for field, needed in fields.items() if needed and not model.policy.has(field))


def _of_scheme(scheme: Scheme) -> Choices:
    builder, fields, optional = _builder(scheme.builder)
    beliefs = isinstance(scheme.builder, Beliefs | Membership)
    view, of_view = VIEWS.get(scheme.view, (scheme.view, ()))
    measure = declared_measure(scheme.measure)
    aggregation, of_aggregation = AGGREGATIONS.get(scheme.aggregation, (scheme.aggregation, ()))
    needed = tuple(dict.fromkeys((*fields, *of_view, *measure.fields, *of_aggregation)))
    view = "The attacker believes something before each output, and after it" if beliefs else view
    return Choices(
        *_sentences(builder, view, measure.said, aggregation),
        needed,
        (*optional, *measure.optional),
        isinstance(scheme.builder, Secrets | Distributions | Adversaries | Beliefs | Membership),
        _records(scheme.builder),
    )


def _records(builder: object) -> str:
    if isinstance(builder, Sampled):
        return "sampled"
    if isinstance(builder, EventsOfOutputs):
        return "absent"
    if isinstance(builder, Relation) and builder.steps in {"add", "remove", "add remove"}:
        return "absent" if builder.scale == "levels" else "missing"
    return "same"


BuilderWords = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A builder in words, the fields that it needs, and the fields that it may read."""


def _builder(builder: object) -> BuilderWords:
    match builder:
        case Relation():
            return _relation(builder)
        case Clients():
            others = "all other clients together" if builder.together else "another client"
            words = f"two neighbours of the file that differ in a record of one client, as seen by {others}"
            return words, ("blocks", "views"), ("neighbours",)
        case Sampled():
            words, fields, optional = _relation(builder.relation)
            return f"{words}, of each of which a sample is taken at the rate β", (*fields, "rate"), optional
        case Secrets():
            return "θ given B̂ and each of two listed predicates, in both orders", ("secrets",), ()
        case Distributions():
            scaled = "; ε is multiplied by their distance" if builder.scaled else ""
            words = f"the databases of two distributions, in both orders{scaled}"
            return words, ("theta-distances",) if builder.scaled else (), ("theta-pairs",)
        case Adversaries():
            words = "θ given each of two values of a record, and the values of the records that an adversary knows"
            return words, (), ("adversaries",)
        case RandomPair():
            words = "a database drawn from π, and the same with one record redrawn"
            return words, ("prior",), ()
        case RandomDatabases():
            return "two databases drawn from π", ("prior",), ()
        case RedrawnRecord():
            return "a database, and the same with one record redrawn from π", ("prior",), ()
        case Beliefs():
            about = "a record" if builder.about == "record" else "the database"
            return f"the belief about {about} after an output with that before, given B̂, in both orders", (), ()
        case Membership():
            cells = "; ".join(CELLS[cell] for cell in builder.cells)
            return f"the belief that a value t is in the database after an output with that before: {cells}", (), ()
        case EventsOfOutputs():
            return "a database and the same without a record, for every set of outputs and every prior", (), ()
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(builder).__name__).lower(), (), ()


def _relation(relation: Relation) -> BuilderWords:
    words, fields = [STEPS[relation.steps]], []
    if relation.steps == "pairs":
        fields.append("pairs")
    if relation.within.isdigit() and relation.within != "1":
        words[0] = words[0].replace("one record", f"at most {relation.within} records")
    if not relation.within.isdigit():
        words[0] = words[0].replace("one record", "at most c records")
        fields.append(relation.within)
    for name in relation.restrict:
        restriction, fields_read_by = RESTRICTIONS[name]
        words.append(restriction)
        fields += fields_read_by
    scale, fields_read_by = SCALES[relation.scale]
    words += [scale] if scale else []
    optional = ["neighbours"] if relation.steps == "neighbours" else []
    optional += ["databases"] if "inside" in relation.restrict else []
    return "; ".join(words), tuple(dict.fromkeys((*fields, *fields_read_by))), tuple(optional)
