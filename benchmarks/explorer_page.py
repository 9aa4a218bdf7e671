"""How long a person waits for the explorer: from a key press to the answer that belongs to it. For `make screens`."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

from browser.explorer import Explorer
from browser.harness import launched, missing, opened, pkdp, served

TIMES = 9


def hundred() -> str:
    """A model with a table of 128 worlds and one of 128 rows for the mechanism."""
    databases = [[k >> i & 1 for i in range(7)] for k in range(128)]
    worlds = ", ".join(f'{{ database = {one}, probability = "1/128" }}' for one in databases)
    rows = ", ".join(f'{{ database = {one}, output = "{sum(one)}" }}' for one in databases)
    return (
        f'title = "a hundred rows"\nsize = 7\nvalues = [0, 1]\n[[distribution]]\ntable = [ {worlds} ]\n'
        f"[knowledge]\nrecords = [0]\n[mechanism]\ntable = [ {rows} ]\n"
    )


def timed(what: str, work: Callable[[int], None]) -> None:
    """The median and the worst of several times, in milliseconds."""
    taken = []
    for k in range(TIMES):
        start = perf_counter()
        work(k)
        taken.append((perf_counter() - start) * 1000)
    print(f"{what:58} median {median(taken):6.0f} ms   worst {max(taken):6.0f} ms")


def main() -> None:
    """Measure."""
    reason = missing()
    if reason is not None:
        raise SystemExit(reason)
    with served(*pkdp("explore", "--no-open")) as address, launched() as browser, opened(browser) as watched:
        start = perf_counter()
        watched.page.goto(address)
        page = Explorer(watched.page)
        page.settle()
        print(f"{'the page, until its first answer':58} {(perf_counter() - start) * 1000:13.0f} ms")
        for name, text in (("4 worlds", None), ("128 worlds, 128 rows of the mechanism", hundred())):
            if text is not None:
                page.load(text, "hundred.toml")
            timed(f"{name}: another ε", lambda k: page.fill("epsilon", f"ln({k + 3}/2)"))
            timed(f"{name}: another definition", lambda k: page.click(f"row-{('np', 'cdp', 'dp')[k % 3]}"))
            timed(f"{name}: what the attacker knows", lambda k: page.click(f"known-knowledge-{k % 2}"))


if __name__ == "__main__":
    main()
