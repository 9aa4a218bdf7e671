"""The two ways in which a re-check ends without a proof; apart, so that what only names them loads nothing else."""


class Rejected(Exception):  # noqa: N818 - it names the outcome
    """The certificate does not prove its answer; the message says why."""


class Beyond(Rejected):
    """The answer needs longer numbers than this re-check computes; that says nothing about the answer."""
