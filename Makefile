# Everything a newcomer needs: `make demo`, `make test`. Both install into .venv and need only Python and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test test-long lint format bench clean

demo: $(STAMP)
	$(BIN)/lawspeaker outcomes baratheon_challenges_lannister

test: $(STAMP)
	$(BIN)/python -m pytest -m alone
	$(BIN)/python -m pytest -n auto -m "not alone"

# the same with ten times the random positions; takes half an hour
test-long: export LAWSPEAKER_EFFORT = 10
test-long: test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/asp -k "nothing_to_say or silent"

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)
	$(BIN)/python -m bench

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,viz]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
