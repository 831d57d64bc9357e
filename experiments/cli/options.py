"""The options that several verbs share, and the notices that go with them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from experiments import games as game_table
from gameapi.errors import UserError
from gameapi.game import Game

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


class PlayerCounts(click.ParamType):  # type: ignore[type-arg]
    """Numbers of players: "3", "2,4" or "2-5"."""

    name = "players"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """Read numbers of players and hold them against what the game allows."""
        if isinstance(value, list):
            return value
        assert ctx is not None
        game = game_table.get(ctx.find_root().obj.game)
        first, last = game.seats[0], game.seats[-1]
        expected = (
            f"expected a number from {first} to {last}, a list such as {first},{last} or a range such as {first}-{last}"
        )
        found: set[int] = set()
        for part in str(value).split(","):
            numbers = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", part)
            if not numbers:
                self.fail(f"{value!r}: {expected}", param, ctx)
            low = int(numbers.group(1))
            high = int(numbers.group(2) or low)
            if not first <= low <= high <= last:
                self.fail(f"{value!r}: {expected}; {game.title} is played by {first} to {last}", param, ctx)
            found |= set(range(low, high + 1))
        return sorted(found)


PLAYERS = PlayerCounts()


def agents(required: bool = True) -> Decorator[Any]:
    """Return the option --agents."""
    return click.option(
        "--agents",
        metavar="A,B,...",
        required=required,
        help="Agents separated by commas: name or name:key=value:key=value, or path/to/file.py:attribute for your own.",
    )


def games(default: int) -> Decorator[Any]:
    """Return the option --games."""
    return click.option(
        "--games", metavar="N", type=click.IntRange(min=1), default=default, show_default=True, help="Games to play."
    )


players = click.option(
    "--players", metavar="P", type=PLAYERS, help="Numbers of players: 3, 2,4 or 2-5.  [default: all the game allows]"
)
seed = click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="Decides all cards and choices; any integer."
)
jobs = click.option(
    "--jobs", metavar="N", type=click.IntRange(1, 1000), help="Cores to use; changes no number.  [default: all]"
)
anchor = click.option(
    "--anchor",
    metavar="AGENT=RATING",
    help="Give an agent this rating and all others theirs in relation to it.  [default: the mean of all is 0]",
)
deck = click.option("--deck", metavar="FILE", type=click.Path(path_type=Path), help="A deck file of your own.")
quiet = click.option("--quiet", is_flag=True, help="No progress and no notices of the run.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")


move_limit = click.option(
    "--move-limit",
    metavar="LIMIT",
    help="What a decision may take: a time such as 5ms, or work such as 200rollouts. One that takes more is forfeited: "
    "a random action is taken and counted. Runs with a time limit cannot be repeated.",
)


def run_folder(function: F) -> F:
    """Add the options --out and --resume."""
    function = click.option(
        "--resume", is_flag=True, help="Go on with the run in --out, or print the tables of a finished one."
    )(function)
    return click.option(
        "--out",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="The run folder.  [default: a new one in results/]",
    )(function)


def rules(function: F) -> F:
    """Add the options --rules and --set."""
    function = click.option(
        "--set", "settings", metavar="OPTION=VALUE", multiple=True, help="Change an option of the rules; repeatable."
    )(function)
    return click.option("--rules", metavar="FILE", type=click.Path(path_type=Path), help="A rules file of your own.")(
        function
    )


def backend(function: F) -> F:
    """Add the options --backend and --scheduler; `scheduler_of` makes one of them."""
    function = click.option(
        "--scheduler", metavar="ADDRESS", help="The Dask scheduler for --backend dask, such as tcp://10.0.0.1:8786."
    )(function)
    return click.option(
        "--backend",
        type=click.Choice(["threads", "dask"]),
        default="threads",
        show_default=True,
        help="What plays: threads of this machine, or a Dask cluster; changes no number.",
    )(function)


def scheduler_of(backend: str, scheduler: str | None) -> str | None:
    """Return the address of the scheduler, None for threads; refuse one option without the other."""
    if backend == "dask" and not scheduler:
        raise click.UsageError("--backend dask needs --scheduler ADDRESS, such as tcp://10.0.0.1:8786")
    if scheduler and backend != "dask":
        raise click.UsageError("--scheduler goes with --backend dask")
    return scheduler


def load(game: Game, deck_file: Path | None, rules_file: Path | None, settings: Sequence[str]) -> tuple[Any, Any]:
    """Load deck and rules; a reconstructed deck is announced."""
    found_rules = game.load_rules(rules_file, settings)
    found_deck = game.load_deck(deck_file)
    announce(found_deck)
    return found_deck, found_rules


def announce(found: Any) -> None:
    """Say on standard error that a deck's values are a reconstruction, where they are."""
    if found.reconstructed:
        print(
            f"note: deck {found.name!r} is a reconstruction: its printed values are not public (--deck takes your own)",
            file=sys.stderr,
        )


def check_run(game: str, folder: Path) -> None:
    """Make sure that a folder holds a run of this command's game.

    Raises:
        UserError: it is a run of another game.
        UnreadableError: it is no run folder.
    """
    from experiments import store

    played = store.read_manifest(folder)["game"]
    if played != game:
        raise UserError(f"is a run of {played}; use the command {played}", str(folder))


def tell_of_compiling() -> None:
    """Say on standard error that kernels are being compiled, as soon as one has to be."""
    from gameapi import jit

    def tell() -> None:
        print(
            "note: compiling what is played for the first time; it takes up to half a minute and is kept",
            file=sys.stderr,
        )

    jit.when_compiling(tell)
