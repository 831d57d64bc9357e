"""What the verbs of `balance` share: their options, and playing a study and telling what it found."""

from __future__ import annotations

import functools
import json
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from experiments import games as game_table
from experiments.cli import Call, Stopped, options
from experiments.cli.tournament import go_on
from gameapi.errors import UserError

if TYPE_CHECKING:
    from experiments.balance.planned import Planned
    from experiments.balance.study import Columns, Setup, Study
    from experiments.tables import Table

F = TypeVar("F", bound=Callable[..., object])
ASKED = ("agents", "games", "search_games", "players", "seed")
RUN = ("out", "resume", "jobs", "quiet", "as_json")


def study_verb(games: int, agents: str = "greedy,heuristic") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what makes a verb of a function (call, rules, deck, asked, run, and the verb's own options).

    It is called with the base's rules and deck, with what was asked of the study (`ASKED`) and with how it shall be
    played (`RUN`, for `play` and `play_planned`).

    Args:
        games: the default of --games.
        agents: the default of --agents.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @click.pass_obj
        @functools.wraps(function)
        def verb(call: Call, /, deck: Path | None, rules: Path | None, settings: tuple[str, ...], **given: Any) -> None:
            found_deck, found_rules = options.load(game_table.get(call.game), deck, rules, settings)
            if not given["quiet"]:
                options.tell_of_compiling()
            asked, run = ({name: given.pop(name) for name in names} for names in (ASKED, RUN))
            function(call, found_rules, found_deck, asked, run, **given)

        return _study_options(games, agents)(verb)

    return decorate


def _study_options(games: int, agents: str) -> Callable[[F], F]:
    """Return the options of every study."""

    def decorate(function: F) -> F:
        for option in reversed(
            [
                click.option(
                    "--agents",
                    metavar="A,B,...",
                    default=agents,
                    show_default=True,
                    help="Levels of skill, ascending: each plays against copies of itself, and alone against copies of "
                    "the one before it (the first against random).",
                ),
                click.option(
                    "--games",
                    metavar="N",
                    type=click.IntRange(min=2),
                    default=games,
                    show_default=True,
                    help="Games of each design, number of players and level.",
                ),
                click.option(
                    "--search-games",
                    metavar="N",
                    type=click.IntRange(min=2),
                    help="The same for agents that search, such as mc.  [default: a hundredth, 100 at least]",
                ),
                options.players,
                options.seed,
                options.jobs,
                options.deck,
                options.rules,
                options.run_folder,
                options.quiet,
                options.as_json,
            ]
        ):
            function = option(function)
        return function

    return decorate


def play(
    call: Call,
    setup: Setup,
    out: Path | None,
    resume: bool,
    jobs: int | None,
    quiet: bool,
    as_json: bool,
    show: Callable[[Study], str],
    more: Callable[[Study], Mapping[str, Table]] | None = None,
    finish: Callable[[Study], None] | None = None,
    columns: Columns | None = None,
) -> None:
    """Play a study in its run folder and print what it found; what is optional is as in `Setup.play`."""
    from experiments.runner import InterruptedRun

    finish = _with_page(finish)
    folder = out or setup.default_folder(resume)
    if not quiet:
        _tell_plan(setup)
    words = (setup.game.name, *call.words)
    try:
        found = setup.play(folder, resume, jobs, quiet, shlex.join(words), more, finish, columns)
    except InterruptedRun as stopped:
        raise Stopped(go_on(stopped, words, folder, out, resume)) from None
    print(json.dumps(found.json(), allow_nan=False) if as_json else show(found))
    if not quiet:
        print(f"tables, figures and page: {folder}", file=sys.stderr)


def play_planned(
    call: Call,
    planned: Planned,
    show: Callable[[Study], str],
    out: Path | None,
    resume: bool,
    jobs: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play a study with all that its kind adds, and print what it found."""
    setup, more, columns, finish = planned
    play(call, setup, out, resume, jobs, quiet, as_json, show, more, finish, columns)


def _tell_plan(setup: Setup) -> None:
    plans = setup.manifest["plans"]
    games = sum(entry["n_games"] for entry in plans)
    impossible = len(setup.manifest["study"]["impossible"])
    more = f"; {impossible} of them cannot be played" if impossible else ""
    print(
        f"designs {len(setup.designs):,}{more}, levels {len(setup.levels)}, games {games:,}",
        file=sys.stderr,
    )


def _with_page(finish: Callable[[Study], None] | None) -> Callable[[Study], None]:
    """Return what draws a study's own figures and those of all studies, and writes the page where that can be done."""

    def whole(found: Study) -> None:
        from experiments.balance import page
        from experiments.report_page import check_packages

        if finish is not None:
            finish(found)
        page.draw(found)
        try:
            check_packages()
        except UserError as fault:
            print(f"no page: {fault}", file=sys.stderr)
            return
        page.write(found)

    return whole
