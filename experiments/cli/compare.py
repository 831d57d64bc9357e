"""`compare`: test whether one agent is better than another."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from experiments import games as game_table
from experiments.cli import Call, Stopped, options
from experiments.cli.tournament import go_on, heading, tell_doubts
from experiments.drawing import draughtsman

if TYPE_CHECKING:
    from experiments.compare import Comparison, Trial
    from experiments.tournament import Setup

NO = 1


@click.command(
    epilog="""\b
Examples:
  GAME compare heuristic greedy
  GAME compare mc:rollouts=16 mc:rollouts=8 --players 4 --elo1 20
  GAME compare mine.py:new mine.py:old --games 200000 --json
  GAME compare heuristic greedy --out results/mine --resume

Exit code: 0 where A is better at every number of players, 1 where it is not or it is undecided.
The same command gives the same numbers, whatever --jobs and interruptions."""
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@options.games(50_000)
@options.players
@click.option(
    "--elo0", metavar="ELO", type=float, default=0.0, show_default=True, help="H0: A is so much better, or less."
)
@click.option(
    "--elo1", metavar="ELO", type=float, default=10.0, show_default=True, help="H1: A is so much better, or more."
)
@click.option(
    "--alpha", metavar="P", type=float, default=0.05, show_default=True, help="Chance to call A better at elo0."
)
@click.option(
    "--beta", metavar="P", type=float, default=0.05, show_default=True, help="Chance to call A not better at elo1."
)
@options.seed
@options.jobs
@options.move_limit
@options.deck
@options.rules
@options.run_folder
@options.quiet
@options.as_json
@click.pass_obj
def command(
    call: Call,
    a: str,
    b: str,
    games: int,
    players: list[int] | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    seed: int,
    jobs: int | None,
    move_limit: str | None,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    out: Path | None,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Test whether agent A is better than agent B, and stop as soon as it is decided.

    Each deal is played in all seatings of A alone among copies of B and of B alone among copies of A; what counts is
    how often A ranks above B. A sequential test (GSPRT) holds H0 against H1 after every few deals. Each number of
    players is a test of its own, of N games at most. Rows, tables and a figure go to a run folder.
    """
    game = game_table.get(call.game)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    with draughtsman() as draw:  # first of all, so that it is ready in time
        from experiments.cli import printing
        from experiments.compare import play, prepare
        from experiments.sequential import Terms
        from experiments.tournament import InterruptedRun

        test = Terms(elo0, elo1, alpha, beta)
        setup = prepare(game, a, b, test, games, players, seed, found_deck, found_rules, move_limit)
        folder = out or setup.default_folder(resume)
        if not quiet:
            _tell_plan(setup)
        words = (game.name, *call.words)
        tell = _tell if not quiet and sys.stderr.isatty() else None
        try:
            found = play(setup, folder, resume, jobs, shlex.join(words), draw, tell)
        except InterruptedRun as stopped:
            raise Stopped(go_on(stopped, words, folder, out, resume)) from None
        finally:
            if tell:
                print("\r\x1b[K", end="", file=sys.stderr)
    if as_json:
        print(json.dumps(found.json(), allow_nan=False))
    else:
        print(heading(setup) + "\n" + _hypotheses(setup, test) + "\n\n" + printing.comparison(found.tables))
    if not quiet:
        _tell_end(found)
    return 0 if found.better else NO


def _tell_plan(setup: Setup) -> None:
    from experiments.sequential import LEAST_DEALS

    tell_doubts(setup)
    for plan in setup.plans:
        few = f"; nothing is decided before {LEAST_DEALS} deals" if plan.n_deals < LEAST_DEALS else ""
        print(
            f"{plan.players} players: seatings {plan.n_seatings:,}, at most {plan.n_deals:,} deals and "
            f"{plan.n_games:,} games{few}",
            file=sys.stderr,
        )
    if setup.roster[0].text == setup.roster[1].text:
        print("note: A and B are the same agent: a verdict that A is better would be an error", file=sys.stderr)


def _tell(trial: Trial) -> None:
    step, (low, high) = trial.steps[-1], trial.test.bounds
    print(
        f"\r{step.players} players: {step.n_deals:,} deals, A above B {100 * step.x:.1f} %, "
        f"log likelihood ratio {step.llr:+.2f} of {low:+.2f} to {high:+.2f}\x1b[K",
        end="",
        file=sys.stderr,
        flush=True,
    )


def _hypotheses(setup: Setup, test: tuple[float, float, float, float]) -> str:
    a, b = (player.text for player in setup.roster)
    elo0, elo1, alpha, beta = test
    return f"A {a}, B {b}; H0: A {elo0:+g} Elo or less (alpha {alpha:g}), H1: {elo1:+g} Elo or more (beta {beta:g})"


def _tell_end(found: Comparison) -> None:
    table = found.tables["compare"]
    forfeits = sum(table["a_forfeits"]) + sum(table["b_forfeits"])
    if forfeits:
        print(f"note: {forfeits:,} decisions were forfeited, see the table compare", file=sys.stderr)
    if len(table["players"]) > 1:
        print("note: each number of players is a test of its own; alpha and beta hold for each alone", file=sys.stderr)
    print(f"rows, tables and figure: {found.folder}", file=sys.stderr)
