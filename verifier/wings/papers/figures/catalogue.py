"""The list of the papers' figures that are computed anew, and the search in it by paper and number."""

from verifier.errors import InputError
from verifier.numbers import shorten
from verifier.wings.papers.figures import counting, noise, sampling, thresholding
from verifier.wings.papers.figures.figure import Figure, Panel, PanelValues, Series, Value, smaller, values

FIGURES: tuple[Figure, ...] = (
    counting.FIGURE_2,
    counting.FIGURE_2_TEXT,
    counting.FIGURE_3,
    thresholding.FIGURE_4,
    noise.FIGURE_5,
    noise.FIGURE_6,
    sampling.FIGURE_2,
    sampling.FIGURE_3,
    sampling.FIGURE_4,
    sampling.FIGURE_5,
    sampling.FIGURE_6,
)


def find_figures(paper: str | None = None, number: str | None = None) -> tuple[Figure, ...]:
    """The figures of a paper with a number; of all papers where none is named, of all numbers likewise.

    >>> [figure.name for figure in find_figures("LQS12", "6")]
    ['LQS12-figure-6']

    Raises:
        InputError: for an unknown paper or figure.

    """
    papers = list(dict.fromkeys(figure.paper for figure in FIGURES))
    if paper is not None and paper not in papers:
        raise InputError(f"{shorten(paper)} is unknown", where="paper=", wanted=f"one of {', '.join(papers)}")
    chosen = [figure for figure in FIGURES if paper in {None, figure.paper}]
    known = list(dict.fromkeys(figure.number for figure in chosen))
    if number is not None and number not in known:
        raise InputError(
            f"the figure {shorten(number)} is unknown", where="figure=", wanted=f"one of {', '.join(known)}"
        )
    return tuple(figure for figure in chosen if number in {None, figure.number})


__all__ = ["FIGURES", "Figure", "Panel", "PanelValues", "Series", "Value", "find_figures", "smaller", "values"]
