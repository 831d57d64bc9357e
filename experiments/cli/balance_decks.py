"""`balance decks`: what holds for every deck that could be the printed one."""

from __future__ import annotations

from pathlib import Path

import click

from experiments import games as game_table
from experiments.cli import Call, balance_play, options


@click.command(
    epilog="""\b
Examples:
  GAME balance decks
  GAME balance decks --decks 100 --games 10000 --players 3,4
  GAME balance decks --claim 'seat_gap<0.03' --claim 'skill@4@heuristic>0.2'"""
)
@click.option(
    "--decks",
    metavar="N",
    type=click.IntRange(1, 999),
    default=24,
    show_default=True,
    help="Plausible decks. Deck k depends on --seed and k alone.",
)
@click.option(
    "--claim",
    "claims",
    metavar="METRIC<X",
    multiple=True,
    help="What else to judge: METRIC<X, METRIC>X or METRIC=A..B, where wanted with @PLAYERS and @AGENT behind METRIC; "
    "repeatable.",
)
@balance_play.study_options(4000)
@click.pass_obj
def command(
    call: Call,
    decks: int,
    claims: tuple[str, ...],
    agents: str,
    games: int,
    search_games: int | None,
    players: list[int] | None,
    seed: int,
    jobs: int | None,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    out: Path | None,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Tell what holds for every deck that could be the printed one, and what depends on the guess.

    The printed values and icons are not public. Many decks are drawn that fit what the rulebook tells, each is played on
    the same deals, and what can be said of the game with the base's deck is held against all of them.
    """
    game = game_table.get(call.game)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    from experiments.balance.decks import plan
    from experiments.cli import printing

    made = plan(game.name, decks, claims, found_rules, found_deck, agents, games, search_games, players, seed)
    balance_play.play(
        call,
        made.setup,
        out,
        resume,
        jobs,
        quiet,
        as_json,
        lambda study: printing.conclusions(study.tables["conclusions"]),
        made.more,
        made.finish,
        made.columns,
    )
