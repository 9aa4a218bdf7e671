# make report   install what the report needs, and write the report of DMKB20's Examples 1–8 to build/report
# make check    while you work, under a minute: lint, types, the house's rules and a fast profile of the tests
# make test     install everything and run the tests; the explorer in a browser is skipped, with the reason, where there is no chromium
#               with CASES=--whole all tests with every case, before a release; with CASES=--turn=N other cases at each N, as
#               .ci/run does
# make sweeps   the tests that look at many cases of one kind, at all of them: make test looks at some of these
# make thorough   all tests with five times as many examples of each property, and every case of the sweeps (hours)
# make freeze   keep a hash of each answer to some 5,600 questions, before a change of structure (long)
# make frozen   ask them again and compare
# make transcripts   write anew what the commands of tests/transcripts print, to be read in the diff
# make habits   lower the counts of hard prose that each page may have (tests/docs/habits.json) to what it has now
# make browser  the tests in a browser alone, on a report and a site that were just built (Debian: apt install chromium)
# make screens  pictures of all pages, at three widths, light and dark, in build/screens; and how fast the explorer is
# make docs     the site: the guide, every definition, the ledger, the reference, to build/site (no network)
# make site     the same with the explorer as a page that needs no server of ours (npm is needed, and the package registries),
#               and with the report, whose models open there; with ADDRESS=https://… as it is published there
# make docs-check   builds the site, puts its source together a second time, renders a part of it again, and compares
# make lint     ruff and mypy --strict
# make generated   rebuild the files that are made by the program; make fresh fails where they differ
# make mutants  change code wrongly in 720 places; the tests must notice (half an hour, may be stopped and goes on)
# make release-check   build the source and the wheel, install both in clean environments of each Python found, try them;
#                      with TESTS=--fast a sample of the tests, with TESTS=all all of them
# make bench    the benchmarks, side by side
# make theorems   Coq checks the general theorems, and says what each file of them took and assumes (a minute or two). It
#                 installs nothing: any Python 3.11 will do, and coqc is needed (apt install coq)

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Stamps: what the report needs is installed; what the tests need; what the site needs. Each holds what stands before it.
REPORT := $(VENV)/.ready-report
SETUP  := $(VENV)/.ready
SITE   := $(VENV)/.ready-site
PIP    := $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt

.PHONY: report check test sweeps thorough mutants frozen freeze transcripts habits browser screens docs docs-check lint generated fresh release-check bench theorems clean site

report: $(REPORT)
	@echo "Deciding Examples 1–8 and the claims of the papers (about a minute) …"
	@$(BIN)/pkdp report --output build/report
	@echo "The report is ready: open build/report/index.html"

test: $(SETUP)
	$(BIN)/python -m pytest -n auto --dist loadgroup $(CASES)

sweeps: $(SETUP)
	$(BIN)/python -m pytest -n auto --dist loadgroup -m sweep --whole

thorough: $(SETUP)
	$(BIN)/python -m pytest -n auto --dist loadgroup --thorough

check: $(SETUP)
	$(BIN)/ruff check -q .
	$(BIN)/ruff format -q --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadgroup --fast

mutants: $(SETUP)
	PYTHONPATH=tests:tests/helpers $(BIN)/python -m mutants

frozen: $(SETUP)
	PYTHONPATH=tests:tests/helpers $(BIN)/python -m frozen --keep build/frozen

freeze: $(SETUP)
	PYTHONPATH=tests:tests/helpers $(BIN)/python -m frozen --write --keep build/frozen

transcripts: $(SETUP)
	PYTHONPATH=tests:tests/helpers $(BIN)/python -m transcripts

habits: $(SETUP)
	PYTHONPATH=tests/helpers $(BIN)/python -m habits

browser: $(SETUP) report docs
	$(BIN)/python docs/explorer_page/build.py || [ $$? = 4 ]
	PKDP_BROWSER=required PKDP_BUILT=build $(BIN)/python -m pytest -n auto --dist loadgroup --whole tests/browser

screens: $(SETUP) report docs
	$(BIN)/python docs/explorer_page/build.py || [ $$? = 4 ]
	PYTHONPATH=tests:tests/helpers PKDP_BUILT=build $(BIN)/python -m browser.screens
	PYTHONPATH=tests:tests/helpers $(BIN)/python benchmarks/explorer_page.py

docs: $(SITE)
	$(BIN)/python docs/build.py

site: $(SITE)
	$(BIN)/python docs/explorer_page/build.py
	@$(BIN)/pkdp report --output build/report-of-site --explorer ../explore/
	$(BIN)/python docs/build.py --explorer build/explore --report build/report-of-site $(if $(ADDRESS),--address $(ADDRESS))

docs-check: $(SITE)
	$(BIN)/python docs/build.py --again $(if $(EXPLORER),--explorer $(EXPLORER)) $(if $(MADE),--report $(MADE))

lint: $(SETUP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

generated: $(SETUP)
	$(BIN)/python -m verifier.wings.papers.ledger.build
	$(BIN)/python docs/_ext/generated.py
	$(BIN)/python docs/figures/make.py

fresh: $(SETUP)
	$(BIN)/python -m verifier.wings.papers.ledger.build --check
	$(BIN)/python docs/_ext/generated.py --check
	$(BIN)/python docs/figures/make.py --check

release-check: $(REPORT)
	$(BIN)/python tests/release.py $(if $(TESTS),--tests="$(filter-out all,$(TESTS))")

bench: $(SETUP)
	$(PIP) -e '.[bench]'
	$(BIN)/python benchmarks/explicit_tables.py
	$(BIN)/python benchmarks/referendum.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/symbolic.py

theorems:
	$(or $(wildcard $(BIN)/python),$(PYTHON)) -m verifier.wings.papers.theorems

# A virtual environment of its own, so that a system Python that refuses global installs will do.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with make PYTHON=python3.12 …"; exit 1; }
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -f $(BIN)/python; echo "python -m venv failed; on Debian and Ubuntu: apt install python3-venv"; exit 1; }

# Modules are compiled when they are first imported: the report imports few of them.
$(REPORT): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the verifier, which is all that the report needs (some 250 MB) …"
	@$(PIP) --no-compile -e .
	@touch $@

$(SETUP): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the verifier and everything that the tests need (more than a gigabyte) …"
	@$(PIP) -e '.[test,browser]'
	@touch $(REPORT) $@

$(SITE): $(SETUP)
	@echo "Installing what builds the site …"
	@$(PIP) -e '.[site]'
	@touch $@

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
