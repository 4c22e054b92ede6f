# Nothing but make and python3 is needed beforehand: every target sets up what it uses (scripts/bootstrap).

PYTHON_IN_VENV = .venv/bin/python
ARGS =

.DEFAULT_GOAL = help
.PHONY: help demo test lint bench docs clean

help:
	@echo 'make demo    see an archived run regraded from end to end; ARGS="--keep DIR" keeps what it makes'
	@echo 'make test    run the tests with their coverage gates; ARGS="-k NAME" passes options to pytest'
	@echo 'make lint    run ruff, mypy and the import contracts'
	@echo 'make bench   measure the speed promises'
	@echo 'make docs    write docs/reference.md and docs/rules.md anew from the program itself'
	@echo 'make clean   remove everything that these targets made'

demo:
	@scripts/bootstrap run
	@$(PYTHON_IN_VENV) -P -m opvalue demo $(ARGS)

test:
	@scripts/bootstrap dev
	@scripts/test $(ARGS)

lint:
	@scripts/bootstrap dev
	@scripts/lint

bench:
	@scripts/bootstrap dev
	@$(PYTHON_IN_VENV) -m benchmarks $(ARGS)

docs:
	@scripts/bootstrap dev
	@$(PYTHON_IN_VENV) scripts/reference.py
	@$(PYTHON_IN_VENV) -m scripts.rules

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.* coverage.json
	find opvalue tests scripts benchmarks fixtures -name __pycache__ -type d -prune -exec rm -rf {} +
