PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
LADDER = --agents random,greedy,heuristic,mc:rollouts=64 --lineups pairs --games 3000 --anchor random=0

.PHONY: help install demo test lint bench strength talk calibration ladders balance studies golden clean
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

balance: install  ## small versions of the seven studies of balance, for both games, about 5 minutes
	rm -rf results/small-*
	$(BIN)/hotsim balance metrics --games 400 --search-games 40 --duel-games 40 --doublings 1 --out results/small-hotheads-metrics
	$(BIN)/hotsim balance sweep --vary storms=3,4,5 --games 400 --out results/small-hotheads-sweep
	$(BIN)/hotsim balance trim --length 60 --games 200 --out results/small-hotheads-trim
	$(BIN)/hotsim balance cards --games 400 --changes 20 --out results/small-hotheads-cards
	$(BIN)/hotsim balance rulings --games 400 --out results/small-hotheads-rulings
	$(BIN)/hotsim balance decks --decks 4 --games 400 --out results/small-hotheads-decks
	$(BIN)/hotsim balance search --target decisions@4=50..60 --target 'seat_gap<0.2' --vary storms=3..5 \
		--vary return_fraction=1/4,1/2 --games 100 --trials 6 --out results/small-hotheads-search
	$(BIN)/heatsim balance metrics --games 400 --search-games 40 --duel-games 40 --doublings 1 --out results/small-heat-metrics
	$(BIN)/heatsim balance sweep --vary heists=2,3 --games 400 --out results/small-heat-sweep
	$(BIN)/heatsim balance trim --games 200 --out results/small-heat-trim
	$(BIN)/heatsim balance cards --games 400 --changes 20 --out results/small-heat-cards
	$(BIN)/heatsim balance rulings --games 400 --out results/small-heat-rulings
	$(BIN)/heatsim balance decks --decks 4 --games 400 --out results/small-heat-decks
	$(BIN)/heatsim balance search --target 'seat_gap<0.2' --vary heists=2..4 --vary deck.Heavy=1..3 --games 100 --trials 6 \
		--out results/small-heat-search

studies: install  ## the published studies of balance, results/balance-*, about an hour on two cores
	rm -rf results/balance-*
	$(BIN)/hotsim balance metrics --games 6000 --search-games 100 --duel-games 100 --out results/balance-hotheads-metrics
	$(BIN)/hotsim balance sweep --vary storms=3,4,5 --vary deck.sabotage=0..8..2 --games 10000 --out results/balance-hotheads-sweep
	$(BIN)/hotsim balance trim --length 60 --games 100000 --out results/balance-hotheads-trim
	$(BIN)/hotsim balance cards --games 20000 --changes 1000 --out results/balance-hotheads-cards
	$(BIN)/hotsim balance rulings --players 4 --agents greedy --games 300000 --out results/balance-hotheads-rulings
	$(BIN)/hotsim balance decks --decks 30 --games 2000 --out results/balance-hotheads-decks
	$(BIN)/hotsim balance search --target 'seat_gap<0.05' --target decisions=55..65 --target 'skill@heuristic>0.15' \
		--vary return_fraction=0..3/4..1/8 --vary storms=3,4 --vary hand_size=10..12 --players 3,4 --games 500 --trials 40 \
		--out results/balance-hotheads-search
	$(BIN)/heatsim balance metrics --games 10000 --search-games 100 --duel-games 100 --out results/balance-heat-metrics
	$(BIN)/heatsim balance sweep --vary heists=2,3,4 --vary "deck.Bank Job=1..4" --games 20000 --out results/balance-heat-sweep
	$(BIN)/heatsim balance trim --games 20000 --out results/balance-heat-trim
	$(BIN)/heatsim balance cards --games 40000 --changes 2000 --out results/balance-heat-cards
	$(BIN)/heatsim balance rulings --players 4 --agents greedy --games 1000000 --out results/balance-heat-rulings
	$(BIN)/heatsim balance decks --decks 40 --games 10000 --out results/balance-heat-decks
	$(BIN)/heatsim balance search --target 'seat_gap<0.03' --target 'skill@heuristic>0.6' --target 'split<0.1' \
		--vary heists=2..4 --vary deck.Heavy=1..4 --vary "deck.Lay Low=1..4" --games 4000 --trials 60 \
		--out results/balance-heat-search

golden: install  ## write the golden traces anew, to be reviewed as a change
	$(BIN)/python tests/golden/regenerate.py

clean:  ## remove what can be made again
	rm -rf $(VENV) bench/build .pytest_cache .mypy_cache .ruff_cache .hypothesis
