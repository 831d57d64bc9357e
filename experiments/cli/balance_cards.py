"""`balance cards`: what each card does, and which ones stand out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from experiments import games as game_table
from experiments.cli import Call, balance_play, options

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance cards
  GAME balance cards --players 4 --games 100000 --changes 5000
  GAME balance cards --agents greedy,heuristic --deck mine.toml --json

Effects are in percentage points of wins; docs/balance/cards.md defines every number."""
)
@click.option(
    "--agents",
    metavar="A,B,...",
    default="heuristic",
    show_default=True,
    help="Levels of skill; each plays against copies of itself.",
)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(min=2),
    default=20_000,
    show_default=True,
    help="Games to watch, for each number of players and level; a hundredth for agents that search, 100 at least.",
)
@click.option(
    "--changes",
    metavar="N",
    type=click.IntRange(min=2),
    default=1_000,
    show_default=True,
    help="Deals on which each card is exchanged into a hand, and forbidden to a seat; some 50 to 100 games each.",
)
@options.players
@options.seed
@options.jobs
@options.deck
@options.rules
@options.run_folder
@options.quiet
@options.as_json
@click.pass_obj
def command(
    call: Call,
    agents: str,
    games: int,
    changes: int,
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
    """Tell of each card how often it comes up, what it is worth, and whether it stands out.

    Games are watched as they are dealt. Then deals are played again with one thing changed: a card of an opening hand
    is exchanged for the card in question, or a seat may not use the card. Which cards are dominant, weak, dead,
    without effect or played at once is tested, corrected for all cards together.
    """
    game = game_table.get(call.game)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    from experiments.balance import card_figures
    from experiments.balance import cards as study

    setup = study.prepare(game, agents, games, changes, players, seed, found_deck, found_rules)
    balance_play.play(call, setup, out, resume, jobs, quiet, as_json, _show, finish=card_figures.finish)


def _show(study: Study) -> str:
    from experiments.cli.printing import aligned
    from experiments.readable import percent

    table, parts = study.tables["cards"], []

    def points(rows: list[int], name: str) -> list[str]:
        return [_points(*(table[f"{name}{end}"][i] for end in ("", "_low", "_high"))) for i in rows]

    for players, agent in dict.fromkeys(zip(table["players"], table["agent"], strict=True)):
        pairs = enumerate(zip(table["players"], table["agent"], strict=True))
        rows = [i for i, key in pairs if key == (players, agent)]
        columns = [
            ("card", [table["card"][i] for i in rows]),
            ("copies", [f"{table['copies'][i]}" for i in rows]),
            ("played", [percent(table["play_share"][i]) for i in rows]),
            ("at once", [percent(table["play_rate"][i]) for i in rows]),
            ("dealt", points(rows, "dealt_effect")),
            ("in hand", points(rows, "in_hand_effect")),
            ("exchanged in", points(rows, "exchange_effect")),
            ("may not play", points(rows, "ban_effect")),
            ("flags", [table["flags"][i] for i in rows]),
        ]
        n_deals, n_pairs = table["n_deals"][rows[0]], max(table["n_pairs"][i] for i in rows)
        title = f"{players} players, {agent}: {n_deals:,} games, changes on up to {n_pairs:,} deals"
        parts.append(f"{title}\n{aligned(columns)}")
    legend = (
        "played: copies played of those held; at once: played when a seat with it chose a card; the rest in points of "
        "win share:\nseats dealt it less others, seats that held it less others (no proof of an effect), exchanged "
        "into an opening hand,\nforbidden to a seat that holds it"
    )
    return "\n\n".join([*parts, legend])


def _points(value: float, low: float, high: float) -> str:
    """Return a difference of win shares in percentage points."""
    if math.isnan(value):
        return "-"
    interval = "" if math.isnan(low) else f" [{100 * low:+.1f}, {100 * high:+.1f}]"
    return f"{100 * value:+.1f}{interval}"
