"""The witness of a definition of DP22's scheme as a sentence: two laws, and how far they are apart."""

from __future__ import annotations

from verifier.definitions.divergence import measure_title
from verifier.definitions.witness import Compared, Witness
from verifier.numbers import Delta, Enclosure, Epsilon


def scheme_words(witness: Witness, amount: str, event: str, chances: tuple[str, str]) -> str:
    """Return sentences that name the two laws, then their divergence, or the event that tells them apart.

    `amount` is the value of the witness as text, `event` its outputs, `chances` their probabilities.
    """
    compared = witness.compared or Compared(f"{witness.direction or 'The two laws'}:")
    laws = compared.sentence
    if isinstance(witness.value, Epsilon | Enclosure) and not isinstance(witness.value, Delta):
        return f"{laws} The {measure_title(witness.measure)} of the first from the second is {amount}."
    if witness.event is None:
        return f"{laws} Here δ(ε) = {amount} at ε = {witness.epsilon}."
    subject, (first, second) = compared.subject or f"The output {event} has", compared.sides
    start = f"{laws} {subject} the probability P = {chances[0]} {first} and Q = {chances[1]} {second}"
    if witness.epsilon.is_infinite:
        return f"{start}: only the first can produce it."
    if witness.measure == "tail":
        return f"{start}: the loss of each output is at least ε = {witness.epsilon}."
    return f"{start}: P - e^ε·Q = {amount} at ε = {witness.epsilon}."
