# `make figures` and `make test` need Python 3.11+ and nothing before them: what runs in .venv makes it first.

PYTHON = python3
UV = uv==0.13.9
WORKBOOK = .venv/bin/workbook
PYTEST = .venv/bin/python -m pytest --numprocesses logical --maxprocesses 4 --dist worksteal -rs --durations 10
RESOLVE = pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet

# The lock alone decides which packages the figures are made with.
unexport PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help figures test test-all studio lab app claims assignments course book site bench campaign lint lock release clean \
	unusable

help:  ## List these targets
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "make %-11s  %s\n", $$1, $$2 }' Makefile

figures: .venv/ready  ## Run the notebooks of every chapter whose inputs changed, into figures/
	@$(WORKBOOK) figures

test: lint  ## Lint, then the tests that find nearly everything, in minutes; it says what it left out
	@$(PYTEST) --short

test-all: lint  ## Everything that must hold: lint, then every test that has not passed with the files as they are
	@$(PYTEST) --rest

app: .venv/ready  ## Make the front page and the explorer, and open it: for people who never saw Jupyter
	@$(WORKBOOK) site --open

studio: .venv/studio  ## Add JupyterLab, nbgrader and the like, as the next three do; `make test-all` then tests them too

lab: .venv/studio  ## Open JupyterLab on the map of everything
	@.venv/bin/python -m workbook.studio

assignments: .venv/studio  ## The lab sheets as students get them, into build/course/release
	@$(WORKBOOK) assignments

course: .venv/studio  ## A course in a box: syllabus, slides, labs, guide, a class to try, into build/course/
	@$(WORKBOOK) course

book: .venv/studio figures assignments  ## All of it as an HTML book that needs no network, into build/book/html/
	@$(WORKBOOK) book

site: .venv/ready  ## Pages with the engine in them, for any browser: a front page, the explorer, the book, the course; into build/site/
	@$(WORKBOOK) site

claims: .venv/ready  ## The scorecard: what the sources say, and what came out
	@$(WORKBOOK) claims

# The explorer's page is timed in Chromium, by a package of the studio's.
bench: $(if $(shell command -v chromium),.venv/studio,.venv/ready)  ## Time the engines, beside ns-2, ns-3 and ns.py where they are installed, and the page
	@.venv/bin/python -m benchmarks

campaign: .venv/ready  ## Look for faults for an hour: random scenarios in both engines, damaged files, kills
	@.venv/bin/python -m campaign

lint: .venv/ready  ## Check style and format (ruff) and types (mypy)
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/mypy --no-error-summary

lock:  ## Resolve pyproject.toml into the two locks again, keeping the versions that still fit (delete both to renew all)
	@$(PYTHON) -m venv build/uv
	@build/uv/bin/python -m pip install --quiet --disable-pip-version-check $(UV)
	@build/uv/bin/uv $(RESOLVE) --extra all --extra test --output-file requirements.lock
	@build/uv/bin/uv $(RESOLVE) --extra all --extra test --extra studio --constraints requirements.lock \
	    --output-file requirements-studio.lock

release: .venv/ready  ## Release VERSION, up to its tag: changelog, citation, a wheel that was tried
	@.ci/release $(VERSION)

clean:  ## Remove build/ and the caches; .venv and figures/ stay
	@rm -rf build .hypothesis .mypy_cache .pytest_cache .ruff_cache

# .venv is made from nothing whenever the lock changes. The stamps lie inside and come last, so that an interrupted
# .venv has none and is made again.
.venv/locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit("$(PYTHON) is Python %d.%d, and 3.11 or later is needed: install one and name \
	it, for example: make PYTHON=python3.12 $(MAKECMDGOALS)" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make a virtual environment: \
	install its venv module (on Debian and Ubuntu the package python3-venv)" >&2; exit 1; }
	@printf 'Making .venv from requirements.lock, which takes about a minute, once ... '
	@start=$$(date +%s) && $(PYTHON) -m venv --clear .venv && \
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock && \
	echo "done in $$(($$(date +%s) - start)) s" && pwd -P >.venv/locked

.venv/ready: .venv/locked pyproject.toml
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch .venv/ready

# JupyterLab, nbgrader, the book's and the browser tests' tools: only for who asks for them.
.venv/studio: .venv/ready requirements-studio.lock
	@printf 'Adding the packages of requirements-studio.lock, once ... '
	@start=$$(date +%s) && \
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-studio.lock && \
	echo "done in $$(($$(date +%s) - start)) s" && touch .venv/studio

# A .venv copied from another folder points back there, and one whose Python was upgraded finds no package.
ifneq ($(shell { .venv/bin/python -c 'import pip' && cat .venv/locked; } 2>/dev/null),$(shell pwd -P))
.venv/locked: unusable
endif
