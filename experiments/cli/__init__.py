"""The command line: one command a game, one file a verb.

Verbs are imported when they are called, so that `--help`, `deck` and `rules` come at once. A verb's module has a click
command named `command`; it declares options, translates them and calls a plain function. What the person did wrong is
told in one line on standard error, in one place: here.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import click

from experiments import games
from gameapi.errors import UserError

VERBS = {
    "tournament": "play agents against each other and print tables",
    "compare": "test whether one agent is better than another, until it is decided",
    "metagame": "rank the agents of a run as strategies of a game among them",
    "trace": "write games of agents as traces, one JSON object a line",
    "replay": "check traces: is every step legal, does every value agree",
    "show": "tell a trace turn by turn",
    "deck": "list the deck with counts and provenance",
    "rules": "list the options of the rules with defaults and rulings",
    "agents": "list the agents with their parameters and sources",
    "balance": "study what card counts, trimming and readings of the rules do to the game",
    "report": "write a run folder's tables and figures as one page",
    "compare-runs": "tell what differs between two run folders",
    "bench": "measure games and decisions a second",
}
"""Every verb with what it does, for the list that `--help` shows without importing any."""

INTERRUPTED = 130
BROKEN_PIPE = 141


class Call(NamedTuple):
    """What click hands to every verb: the game, and the words that were typed."""

    game: str
    words: tuple[str, ...]


class Stopped(UserError):
    """A run was stopped by Ctrl-C and has something to say about going on; click keeps no words of an interrupt."""

    exit_code = INTERRUPTED


class Verbs(click.Group):
    """A group whose verbs are imported when they are called."""

    def __init__(self, name: str, verbs: Mapping[str, str], prefix: str = "", **known: Any) -> None:
        """Take the verbs, each with what it does, and what the names of their modules begin with."""
        super().__init__(name, **known)
        self.verbs, self.prefix = verbs, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all verbs."""
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb."""
        if cmd_name not in self.verbs:
            return None
        module = self.prefix + cmd_name.replace("-", "_")
        found: click.Command = importlib.import_module(f"experiments.cli.{module}").command
        found.epilog = (found.epilog or "").replace("GAME", ctx.obj.game)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs from the table."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(self.verbs.items()))


def _version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib import metadata  # not at once: it is slow to import

        game = games.get(ctx.obj.game)
        try:
            lab = metadata.version("hot-and-heat")
        except metadata.PackageNotFoundError:  # run from a folder that is not installed
            lab = "(not installed)"
        click.echo(f"{game.name} {lab}, play version {game.version}")
        ctx.exit()


def _group(name: str) -> Verbs:
    """Return the command of a game."""
    title = games.get(name).title
    return Verbs(
        name,
        VERBS,
        help=f"{title}: a simulator and its laboratory.\n\n`{name} VERB --help` tells a verb's options, with examples.",
        epilog="\b\nExamples:\n"
        f"  {name} tournament --agents random,greedy --games 1000\n"
        f"  {name} trace --agents greedy --players 4 > game.jsonl && {name} show game.jsonl\n"
        "\b\nShell completion (bash; zsh and fish likewise):\n"
        f'  eval "$(_{name.upper()}_COMPLETE=bash_source {name})"',
        params=[
            click.Option(
                ["--version"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_version,
                help="Tell the version.",
            )
        ],
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def run(game: str, words: Sequence[str]) -> int:
    """Do what was typed and return the exit code; faults of the person are told on standard error."""
    try:
        code: Any = _group(game).main(list(words), prog_name=game, standalone_mode=False, obj=Call(game, tuple(words)))
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as fault:
        print(fault.format_message(), file=sys.stderr)
        return fault.exit_code
    except click.UsageError as fault:
        path = fault.ctx.command_path if fault.ctx else game
        print(f"{path}: {fault.format_message().rstrip('.')}. See `{path} --help`.", file=sys.stderr)
        return fault.exit_code
    except click.ClickException as fault:
        print(f"{game}: {fault.format_message()}", file=sys.stderr)
        return UserError.exit_code
    except UserError as fault:
        print(f"{game}: {fault}", file=sys.stderr)
        return fault.exit_code
    except (KeyboardInterrupt, click.Abort):
        print(f"{game}: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever reads us has gone, as `head` does: nothing more to say, also not when Python closes its streams.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def hotsim() -> None:
    """Run the command `hotsim`."""
    _leave(run("hotsim", sys.argv[1:]))


def heatsim() -> None:
    """Run the command `heatsim`."""
    _leave(run("heatsim", sys.argv[1:]))


def _leave(code: int) -> NoReturn:
    """End the process at once: taking the compiler's machinery down piece by piece would take half a second."""
    sys.stderr.flush()
    os._exit(code)
