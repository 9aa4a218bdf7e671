"""Load all that answers need, and answer the page's first questions: run by the page's interpreter when it is built."""

import gc
import json
import shutil  # noqa: F401  # unpacks the program's files

from flint import arb, arb_poly, ctx, fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_poly  # noqa: F401  # used by most answers

import verifier.wings.explore.ready  # noqa: F401  # formulas
from verifier.wings.course import cells, toolkit  # noqa: F401  # of the notebooks
from verifier.wings.course.files import notebooks, source_of
from verifier.wings.explore.routes import Session

session = Session()
for name, body in json.loads(questions):  # type: ignore[name-defined]  # noqa: F821
    if "problems" in json.loads(session.reply(name, json.dumps(body))):
        raise ValueError(name)
session = Session()
for path in notebooks():
    source_of(path)
del path
del body, name, questions  # type: ignore[name-defined]  # noqa: F821
gc.collect()
