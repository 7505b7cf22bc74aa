# What a user needs: "make demo" and "make test". They make .venv on their first run, and install again only when
# pyproject.toml or the pinned versions have changed. "make PYTHON=python3.12 demo" chooses the Python.

VENV := .venv
BIN := $(VENV)/bin
SEED := 1
MINUTES := 60
MAILS := 20000
MUTANTS := 100000
WORLDS := 10000
KILLS := 200
RESTARTS := 20
JOBS := 2
# What opens a store, and so is tried on both kinds of them.
STORES := tests/host tests/door tests/club
ifdef GAME
CHOICE := --game $(GAME)
endif

RIGHT := import sys; sys.exit(sys.version_info < (3, 11))
ifndef PYTHON
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c '$(RIGHT)' 2>/dev/null && echo $$p && break; done)
endif

.PHONY: help demo test slow test-all postgres check style types drift format words schemas docs prose pins pictures page known golden shelf dist sign counts coverage bench balance weights soak mutants worlds chaos fuzz clean

help:
	@echo "make demo     play a whole game by mail files into ./demo (GAME=… SEED=…)"
	@echo "make test     run the tests, but for those that are marked slow (five minutes)"
	@echo "make slow     run those that are: storms, kills, real servers, worlds, many games; make test-all: both (an hour or two)"
	@echo "make postgres the tests of hosts, doors and clubs with their stores in a PostgreSQL database (TESTS=…)"
	@echo "make check    style, types, and whether schemas and docs are as the code is"
	@echo "make counts   count small positions of Hammer of the Scots anew (docs/reference/counts.md)"
	@echo "make coverage which lines of Hammer's rules no fast test reaches (tests/hammer/uncovered.md)"
	@echo "make bench    measure where people wait, each figure beside its floor (a few minutes); ONLY=keys another benchmark,"
	@echo "              SIZE=all the usual ones (half an hour; the waits of 600 games are most of it; BUT=waits);"
	@echo "              SIZE=smallest runs every benchmark as small as it can be, to see that none is broken (two minutes)"
	@echo "make weights  fit anew what features of a position weigh for Hammer's players (GAMES=400; hours)"
	@echo "make balance  a thousand games of sensible players for each number of them: does a seat win too often? (half an hour)"
	@echo "make soak     play random games and look for faults (MINUTES=60 GAME=…), then make mutants"
	@echo "make mutants  remove each guard of docs/reference/attacks.md in turn, and expect its test to fail (SOME=20 NUMBER=…)"
	@echo "make worlds   play a host and all around it from seeds, with every fault there is (WORLDS=10000 JOBS=2)"
	@echo "make chaos    kill the installed host, and take its database away (KILLS=200 RESTARTS=20)"
	@echo "make fuzz     read random mails (MAILS=20000), show random nonsense in every form, verify mutants of logs (MUTANTS=100000)"
	@echo "              and let two programs verify a tenth of them"
	@echo "make words    bring the catalogues of other languages up to the program's messages"
	@echo "make schemas  write the schemas from the models"
	@echo "make known    list the rules that are here as known, if recorded games are played alike by them (GAME=…)"
	@echo "make golden   record the golden logs that are not there yet; those that are there stay"
	@echo "make shelf    pack the rules that are here for the shelf, before they change (GAME=…)"
	@echo "make docs     write the pages that follow from the program"
	@echo "make prose    count words, long sentences and phrases to avoid in the docs, per folder"
	@echo "make pictures draw the pictures of the docs: the map; with Chromium the mail and the page, too"
	@echo "make page     build the page that runs in a browser, into pbem/_data/page (needs npm)"
	@echo "make dist     make what a release has, in dist/: the wheels, the page as one file, checksums (needs npm and a C compiler);"
	@echo "              KEY=FILE signs the checksums with that SSH key; make sign does that alone"
	@echo "make pins     write requirements.txt and requirements-dev.txt, with hashes, after constraints.txt (needs uv)"
	@echo "make format   lay the code out"
	@echo "make clean    remove what these made, .venv too"

# The demonstration's folder of an earlier run is replaced; a folder that is anything else is left alone.
demo: $(VENV)/.installed
	@if [ -f demo/host/host.toml ] && grep -q 'host@example.org' demo/host/host.toml; then rm -rf demo; fi
	@PBEM_GAMES=$${PBEM_GAMES:-examples} $(BIN)/pbem demo --out demo --seed $(SEED) $(CHOICE)
	@echo
	@echo "Before you type pbem:  . $(BIN)/activate"

# The tests of a file stay on one processor, or what they share would be made twice. A process that ends, as a test hangs in it, is
# not replaced: the new one would begin with that test again.
TRY := $(BIN)/python -m pytest -q -n auto --dist loadfile --max-worker-restart=0

test: $(VENV)/.installed-dev
	$(TRY) -m "not slow" $(TESTS)

slow: $(VENV)/.installed-dev
	$(TRY) -m slow $(TESTS)

test-all: $(VENV)/.installed-dev
	$(TRY) $(TESTS)

# The tests of hosts, their doors and clubs once more, each store a part of a PostgreSQL database of the tests' own.
postgres: $(VENV)/.installed-dev
	PBEM_TEST_STORE=postgres $(TRY) $(or $(TESTS),-m "not slow" $(STORES))

check: style types drift

style: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

drift: $(VENV)/.installed-dev
	$(BIN)/python -m pbem.schemas --check
	$(BIN)/python docs/make.py pages --check
	$(BIN)/python -m pbem.i18n.catalogues --check
	$(BIN)/python -m pbem.i18n.catalogues --check --games examples

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

words: $(VENV)/.installed-dev
	$(BIN)/python -m pbem.i18n.catalogues
	$(BIN)/python -m pbem.i18n.catalogues --games examples
	$(BIN)/python -m pbem.page.early

schemas: $(VENV)/.installed
	$(BIN)/python -m pbem.schemas

prose: $(VENV)/.installed-dev
	$(BIN)/python -m bench.house --prose

docs: $(VENV)/.installed
	$(BIN)/python docs/make.py pages

known: $(VENV)/.installed
	PBEM_GAMES=$${PBEM_GAMES:-examples} $(BIN)/python -m pbem.releasing known $(GAME)

golden: $(VENV)/.installed-dev
	PYTHONPATH=examples $(BIN)/python -m tests.golden_logs
	PYTHONPATH=examples $(BIN)/python -m tests.pair.golden

shelf: $(VENV)/.installed
	PBEM_GAMES=$${PBEM_GAMES:-examples} $(BIN)/python -m pbem.releasing shelve $(GAME)

pictures: $(VENV)/.installed-dev
	$(BIN)/python -m docs.pictures

page: $(VENV)/.installed
	$(BIN)/python -m pbem.page.build

# What a release has: the wheel with the page in it, that of the compiled part, the page as one file, their checksums.
SUMS := import hashlib, pathlib; [print(hashlib.sha256(one.read_bytes()).hexdigest(), "", one.name) for one in sorted(pathlib.Path("dist").iterdir())]
dist: page
	rm -rf dist
	mkdir dist
	$(BIN)/python -m hatchling build -t wheel -d dist
	cp pbem/_data/pbem.html dist
	$(BIN)/python -m pip wheel -q --no-deps -w dist pbem/extras/native
	sums=$$($(BIN)/python -c '$(SUMS)') && echo "$$sums" >dist/SHA256SUMS
	$(if $(KEY),@$(MAKE) --no-print-directory sign)
	@ls -l dist

# Sign the checksums with an SSH key; “ssh-keygen -Y verify” tries it against the public half, which must come by another way.
DIST := dist
sign:
	@test -n "$(KEY)" || { echo "Name the private key: make sign KEY=FILE"; exit 1; }
	rm -f "$(DIST)/SHA256SUMS.sig"
	ssh-keygen -q -Y sign -f "$(KEY)" -n pbem-release "$(DIST)/SHA256SUMS"

counts: $(VENV)/.installed-dev
	PBEM_GOLDEN=write $(BIN)/python -m pytest -q tests/hammer/test_counts.py

coverage: $(VENV)/.installed-dev
	$(BIN)/python -m tests.uncovered

bench: $(VENV)/.installed-dev
	$(BIN)/python -m bench $(if $(filter all smallest,$(SIZE)),--$(SIZE)) $(ONLY) $(if $(BUT),--but $(BUT))

weights: $(VENV)/.installed-dev
	mkdir -p .cache
	$(BIN)/python -m bench.outlook --games $(or $(GAMES),400) --bots sensible normal hard --seed $(SEED) > .cache/hammer-rows.jsonl
	$(BIN)/python -m bench.weights .cache/hammer-rows.jsonl

balance: $(VENV)/.installed-dev
	$(BIN)/python -m bench.balance $(or $(GAME),swords) 1000 --jobs $(JOBS)

soak: $(VENV)/.installed-dev
	PBEM_GAMES=$${PBEM_GAMES:-examples} $(BIN)/python -m bench.soak --minutes $(MINUTES) $(CHOICE)
	@$(MAKE) --no-print-directory mutants

# All guards, or SOME of them, chosen by a NUMBER that the run prints: the same number chooses the same ones.
mutants: $(VENV)/.installed-dev
	$(BIN)/python -m tests.guards $(if $(SOME),--some $(SOME)) $(if $(NUMBER),--number $(NUMBER))

worlds: $(VENV)/.installed-dev
	$(BIN)/python -m tests.world --seeds 1-$(WORLDS) --jobs $(JOBS)

chaos: $(VENV)/.installed-dev
	PBEM_CHAOS_KILLS=$(KILLS) PBEM_CHAOS_RESTARTS=$(RESTARTS) $(BIN)/python -m pytest -q -s --timeout=0 -o faulthandler_timeout=0 tests/chaos

fuzz: $(VENV)/.installed-dev
	PBEM_FUZZ=$(MAILS) $(BIN)/python -m pytest -q tests/mail/test_fuzz.py tests/attacks/test_hostile.py
	PBEM_MUTANTS=$(MUTANTS) $(BIN)/python -m pytest -q tests/ledger/test_budget.py
	PBEM_MUTANTS=$$(( $(MUTANTS) / 10 )) $(BIN)/python -m pytest -q tests/ledger/test_verify_mjs.py tests/pair/test_verify_mjs.py
	PBEM_MUTANTS=$$(( $(MUTANTS) / 20 )) $(BIN)/python -m pytest -q tests/pair/test_budget.py

clean:
	@if [ -f demo/host/host.toml ] && grep -q 'host@example.org' demo/host/host.toml; then rm -rf demo; fi
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# -- the environment -------------------------------------------------------------------------------------------------

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "pbem needs Python 3.11 or newer, and finds none. Name one: make PYTHON=/path/to/python3.12 demo"; exit 1; fi
	@$(PYTHON) -c '$(RIGHT)' || { echo "$(PYTHON) is older than Python 3.11, which pbem needs, or does not run."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) comes without the modules venv and ensurepip. Install them (Debian, Ubuntu: apt install python3-venv)"; \
		echo "or name another Python: make PYTHON=python3.12 demo"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# The pinned versions, each file held against its hash. Only a Python newer than those that pbem is tried with may take the newest ones.
NEWER := import sys; sys.exit(sys.version_info < (3, 14))
define install
	@echo "Installing into $(VENV) …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r $(2) && \
		$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . || { \
		$(BIN)/python -c '$(NEWER)' || { echo "The versions of $(2) do not install here, or a file is not the one that is pinned."; exit 1; }; \
		echo "The pinned versions do not install on this Python; trying the newest ones, which nobody has looked at."; \
		$(BIN)/python -m pip install -q --disable-pip-version-check -e '$(1)'; }
	@touch $@
endef

$(VENV)/.installed: pyproject.toml requirements.txt | $(BIN)/python
	$(call install,.,requirements.txt)

$(VENV)/.installed-dev: pyproject.toml requirements-dev.txt | $(BIN)/python
	$(call install,.[dev],requirements-dev.txt)
	@touch $(VENV)/.installed

# What constraints.txt pins, for every Python from 3.11 on and every system, with the hashes of all files (needs uv).
PIN := uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
	--no-emit-find-links -c constraints.txt
pins:
	printf 'hatchling\neditables\n' >$(VENV)/build.in
	$(PIN) pyproject.toml --extra dev $(VENV)/build.in | $(BIN)/python tests/project/pins.py requirements-dev.txt
	$(PIN) pyproject.toml $(VENV)/build.in | $(BIN)/python tests/project/pins.py requirements.txt
