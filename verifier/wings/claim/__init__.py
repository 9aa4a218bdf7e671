"""Claims of privacy, as a test of a library writes them: `pk.claim`, files of claims, and what pytest is told.

A claim is a question about a model or a pair, and what is compared with its answer. The claims of the papers, with
their proofs, are another thing: `pkdp claims`, in `verifier.wings.papers.ledger`.
"""
