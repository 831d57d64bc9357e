"""`tournament`: play agents against each other."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments import games as game_table
from experiments.cli import Call, Stopped, options
from experiments.drawing import draughtsman

if TYPE_CHECKING:
    from experiments.tournament import Setup, Tournament


@click.command(
    epilog="""\b
Examples:
  GAME tournament --agents random,greedy --games 1000
  GAME tournament --agents random --players 4 --games 1000000
  GAME tournament --agents mine.py:Mine,greedy,random --lineups focus --json
  GAME tournament --lineups lineups.csv --games 500 --out results/mine --resume
  GAME tournament --agents mc,heuristic --games 100000 --dry-run
  GAME tournament --agents mc,greedy --backend dask --scheduler tcp://10.0.0.1:8786

The same command gives the same numbers, whatever --jobs, --backend and interruptions."""
)
@options.agents(required=False)
@options.games(1000)
@options.players
@options.seed
@options.jobs
@click.option(
    "--lineups",
    metavar="MODE",
    default="all",
    show_default=True,
    help="Who meets: all (every multiset of agents), focus (the first agent alone against copies of each other one), "
    "pairs (every agent alone against copies of every other one), mirror (every agent against itself), random (a "
    "balanced sample), or a CSV file with a line-up a row.",
)
@options.move_limit
@options.anchor
@options.deck
@options.rules
@options.run_folder
@click.option("--dry-run", is_flag=True, help="Tell the plan, its size and an estimate of its time; write nothing.")
@options.backend
@options.quiet
@options.as_json
@click.pass_obj
def command(
    call: Call,
    agents: str | None,
    games: int,
    players: list[int] | None,
    seed: int,
    jobs: int | None,
    lineups: str,
    move_limit: str | None,
    anchor: str | None,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    out: Path | None,
    resume: bool,
    dry_run: bool,
    backend: str,
    scheduler: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play agents against each other and print tables.

    Every line-up is played in all its seatings on the same deals, N games or a few more for each number of players.
    Rows, tables and figures go to a run folder.
    """
    game = game_table.get(call.game)
    scheduler = options.scheduler_of(backend, scheduler)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    if dry_run:
        from experiments.tournament import prepare

        setup = prepare(game, agents, games, players, seed, lineups, found_deck, found_rules, move_limit)
        _tell_forecast(setup, jobs, (out or setup.default_folder(True)) if resume else None, as_json)
        return
    with draughtsman() as draw:  # first of all, so that it is ready in time
        from experiments.cli import printing
        from experiments.tournament import InterruptedRun, prepare

        setup = prepare(game, agents, games, players, seed, lineups, found_deck, found_rules, move_limit, anchor)
        folder = out or setup.default_folder(resume)
        if not quiet:
            _tell_plan(setup)
            _tell_other_versions(folder)
        words = (game.name, *call.words)
        try:
            result = setup.play(folder, resume, jobs, quiet, shlex.join(words), draw, scheduler)
        except InterruptedRun as stopped:
            raise Stopped(go_on(stopped, words, folder, out, resume)) from None
    if as_json:
        print(json.dumps(result.json(), allow_nan=False))
    else:
        print(heading(setup) + "\n\n" + printing.tournament(result.tables))
    if not quiet:
        _tell_end(result)


def _tell_forecast(setup: Setup, jobs: int | None, folder: Path | None, as_json: bool) -> None:
    """Print what the run would take."""
    from joblib import cpu_count

    from experiments.cli import printing
    from experiments.forecast import forecast

    document = forecast(setup, jobs or cpu_count(), folder)
    print(json.dumps(document, allow_nan=False) if as_json else heading(setup) + "\n\n" + printing.plan(document))


def _tell_other_versions(folder: Path) -> None:
    """Say where a run goes on with other libraries: the numbers are the same, the bytes of parts need not be."""
    from experiments import store

    if store.is_run(folder):
        changed = store.changes(store.read_manifest(folder).get("versions", {}))
        if changed:
            print(f"note: this run began with other versions: {'; '.join(changed.values())}", file=sys.stderr)


def tell_doubts(setup: Setup) -> None:
    """Say on standard error what makes a run depend on the machine, and who cheats."""
    unfair = [player.text for player in setup.roster if not player.fair]
    if unfair:
        print(f"note: looks at hidden cards, which is no fair play: {', '.join(unfair)}", file=sys.stderr)
    timed = [player.text for player in setup.roster if not player.repeatable]
    if setup.manifest["move_limit"].endswith("ms"):
        timed.append("--move-limit " + setup.manifest["move_limit"])
    if timed:
        print(f"note: a time budget makes results depend on the machine: {', '.join(timed)}", file=sys.stderr)


def _tell_plan(setup: Setup) -> None:
    tell_doubts(setup)
    for plan in setup.plans:
        note = "" if plan.n_deals > 1 else "; one deal gives no intervals: ask for more games, or --lineups focus"
        print(
            f"{plan.players} players: line-ups {len(plan.lineups):,}, seatings {plan.n_seatings:,}, deals "
            f"{plan.n_deals:,}, games {plan.n_games:,}{note}",
            file=sys.stderr,
        )


def heading(setup: Setup) -> str:
    """Return what was played in a line or two."""
    standard, rules = setup.game.rules_json(setup.game.load_rules()), setup.manifest["rules"]
    changed = ", ".join(f"{name}={_value(value)}" for name, value in rules.items() if value != standard[name])
    deck = setup.manifest["deck"]
    return (
        f"{setup.game.title}, seed {setup.seed}, deck {deck['name']} ({deck['provenance']}, {deck['digest'][:12]}), "
        f"rules: {changed or 'as printed'}"
    )


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _tell_end(result: Tournament) -> None:
    forfeits = sum(result.tables["agents"]["forfeits"])
    if forfeits:
        print(f"note: {forfeits:,} decisions were forfeited, see the table agents", file=sys.stderr)
    print(f"rows, tables and figures: {result.folder}", file=sys.stderr)


def go_on(stopped: Any, words: tuple[str, ...], folder: Path, out: Path | None, resume: bool) -> str:
    """Return what is told after Ctrl-C."""
    more = [*words, *(() if out else ("--out", str(folder))), *(() if resume else ("--resume",))]
    return (
        f"stopped after {stopped.done:,} of {stopped.total:,} games, which are kept; go on with:\n  {shlex.join(more)}"
    )
