# Every target sets up what it needs: a virtual environment in .venv, the package in it, its compiled loops built in place.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python
MINUTES ?= 10
ROUNDS ?=
SEED ?= 431
WORKERS ?= auto

COMPILED := $(shell sed -n 's/^    "\(tidemill[a-z._]*\)",$$/\1/p' setup.py)
COMPILED_SOURCES := $(foreach module,$(COMPILED),src/$(subst .,/,$(module)).py) $(shell find src -name "*.pxd")

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-slow test-oracle test-pure lint format generate bench endurance packages clean

help:
	@echo "make demo       show what is here, on a captured exchange with Apache Kafka"
	@echo "make test       the tests a change must pass (under 5 minutes)"
	@echo "make lint       ruff, mypy --strict"
	@echo "make bench      the benchmarks, side by side with the peers   [ROUNDS=5]"
	@echo "make endurance  long fuzzing campaigns                        [MINUTES=$(MINUTES) ROUNDS=1 SEED=$(SEED)]"
	@echo "make generate   writes the generated code and docs anew"

$(VENV)/.installed: pyproject.toml setup.py
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tidemill needs Python 3.11 or later: make PYTHON=python3.12 …")'
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24"
	$(RUN) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# A compiled module that is older than its source would hide the change.
$(VENV)/.built: $(VENV)/.installed $(COMPILED_SOURCES)
	$(RUN) setup.py --quiet build_ext --inplace --parallel 2
	@touch $@

setup: $(VENV)/.installed
build: $(VENV)/.built

demo: build
	$(RUN) examples/decode_exchange.py

test: build
	$(RUN) -m pytest -m "not slow and not oracle" -n $(WORKERS)

test-pure: build
	TIDEMILL_PURE=1 $(RUN) -m pytest tests/unit -m "not oracle" -n $(WORKERS)

test-oracle: build
	$(RUN) -m pytest -m oracle

test-slow: build
	$(RUN) -m pytest -m "slow and not oracle" -n $(WORKERS)

packages: build
	tools/check_packages

lint: build
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

generate: build
	$(RUN) -m tools.generate

bench: build
	$(RUN) -m bench --rounds $(or $(ROUNDS),5)

# atheris, where it has a wheel; the sanitized modules are built by the fuzzer itself.
$(VENV)/.fuzz: $(VENV)/.installed
	$(RUN) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["fuzz"], sep="\n")' > $@
	$(RUN) -m pip install --quiet --disable-pip-version-check -r $@

endurance: build $(VENV)/.fuzz
	$(RUN) -m fuzz $(if $(REPORT),--report $(REPORT)) --minutes $(MINUTES) --rounds $(or $(ROUNDS),1) --seed $(SEED)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src -name '*.so' -delete
