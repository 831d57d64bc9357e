PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
LADDER = --agents random,greedy,heuristic,mc:rollouts=64 --lineups pairs --games 3000 --anchor random=0

.PHONY: help install demo test lint bench strength talk calibration ladders golden clean
help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

install: $(BIN)/.installed  ## make the project's own virtual environment and install into it

demo: install  ## a tournament of each game: four agents, every number of players, on all cores
	rm -rf results/demo-hotheads results/demo-heat
	$(BIN)/hotsim tournament --agents random,greedy,heuristic,mc:rollouts=2 --games 5000 --out results/demo-hotheads
	$(BIN)/heatsim tournament --agents random,greedy,heuristic,mc:rollouts=2 --games 5000 --out results/demo-heat

lint: install  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: install lint  ## everything that must hold
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: install  ## rates, their ratio to hand-optimised C programs where those can be built, and what the runner adds
	$(BIN)/python bench/ratios.py --game hotsim
	$(BIN)/python bench/ratios.py --game heatsim
	$(BIN)/python bench/overhead.py

strength: install  ## who beats whom, clearly, in both games: the tables of the README
	rm -rf results/strength-hotheads results/strength-heat
	$(BIN)/hotsim tournament --lineups docs/ladder-hotheads.csv --games 4000 --out results/strength-hotheads
	$(BIN)/heatsim tournament --lineups docs/ladder-heat.csv --games 4000 --out results/strength-heat
	$(BIN)/python docs/lone_tables.py results/strength-heat README.md

talk: install  ## what lying and believing are worth in Heat: the table of docs/talk.md
	rm -rf results/talk
	$(BIN)/heatsim tournament --lineups docs/talk.csv --set announce=true --games 170000 --out results/talk
	$(BIN)/python docs/lone_tables.py results/talk docs/talk.md --figure docs/talk.png

calibration: install  ## do intervals and tests keep their word: the table of docs/statistics.md
	$(BIN)/python tests/calibration.py 2000

ladders: install  ## the published runs results/ladder-hotheads and results/ladder-heat with their reports, about 6 minutes
	rm -rf results/ladder-hotheads results/ladder-heat
	$(BIN)/hotsim tournament $(LADDER) --out results/ladder-hotheads
	$(BIN)/heatsim tournament $(LADDER) --out results/ladder-heat
	$(BIN)/hotsim report results/ladder-hotheads
	$(BIN)/heatsim report results/ladder-heat

golden: install  ## write the golden traces anew, to be reviewed as a change
	$(BIN)/python tests/golden/regenerate.py

clean:  ## remove what can be made again
	rm -rf $(VENV) bench/build .pytest_cache .mypy_cache .ruff_cache .hypothesis
