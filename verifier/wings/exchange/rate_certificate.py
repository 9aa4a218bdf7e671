"""The certificate of an exchange rate: worlds and policy, all multipliers, and the mechanism, as plain data."""

from __future__ import annotations

from typing import Any

from verifier.checker.exchange import replay_exchange
from verifier.evidence.texts import number_text
from verifier.wings.exchange.certificates import Certificates, law_entry, row_entry, tables, too_large
from verifier.wings.exchange.rate import Exchange


def certificate_of(answer: Exchange) -> dict[str, Any]:
    """The certificate of a rate as plain data; rows of the source are named by their numbers in `assumed`."""
    model = answer.model
    used = sorted({number for rate in answer.rates for number, _ in rate.multipliers})
    places = {number: place for place, number in enumerate(used)}
    return {
        "schema": "pkdp exchange 1",
        **tables(model, number_text),
        "from": answer.source,
        "to": answer.target,
        "epsilon": answer.epsilon.text(10**9),
        "tight_epsilon": "0" if answer.tight_epsilon is None else answer.tight_epsilon.text(10**9),
        "assumed": [row_entry(model, answer.assumed[number]) for number in used],
        "rates": [
            {
                "row": row_entry(model, rate.row),
                "factor": number_text(rate.factor),
                "multipliers": [[places[number], number_text(times)] for number, times in rate.multipliers],
            }
            for rate in answer.rates
            if rate.factor is not None
        ],
        "extreme": law_entry(model, (answer.chances or {}).items()),
    }


RATES: Certificates[Exchange] = Certificates(
    kind="exchange",
    entry=certificate_of,
    replay=replay_exchange,
    beyond=lambda answer: too_large(answer.model),
    model=lambda answer: answer.model,
)
"""The certificates of exchange rates at one ε."""
