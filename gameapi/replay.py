"""The replay of recorded games, for any game: a file of traces line by line, one trace, and values side by side.

Reading a trace knows its form alone and refuses what has none (exit code 2). Replaying knows the rules and refuses
steps that are illegal and values that differ (exit code 1). What a game brings for it stands in a `Traces`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TextIO, TypeVar

from gameapi.errors import InconsistentError, UnreadableError, UserError, shown
from gameapi.jsonl import parse_line, path_to, read_lines


class Finished(Protocol):
    """An engine at the end of a game."""

    def result(self) -> dict[str, Any]:
        """Give the result in the trace's form."""


class Recorded(Protocol):
    """A trace whose form is right."""

    @property
    def data(self) -> dict[str, Any]:
        """The trace as it was read."""


class Checked(NamedTuple):
    """What the check of one trace found.

    Attributes:
        trace: The trace with every optional field filled in as computed; None where it does not replay to the end.
        faults: What is wrong, in the order found; empty where the trace agrees.
    """

    trace: dict[str, Any] | None
    faults: list[UserError]

    @property
    def exit_code(self) -> int:
        """The worst code of the faults; 0 where there is none."""
        return max((fault.exit_code for fault in self.faults), default=0)


Game = TypeVar("Game", bound=Recorded)
Engine = TypeVar("Engine", bound=Finished)


@dataclass(frozen=True)
class Traces(Generic[Game, Engine]):
    """How a game's traces are read and replayed.

    Attributes:
        fields: The fields of a trace, in the order in which they are written.
        whole: Matches the places of lists whose length is part of their value; they are compared as one.
        record: Writes a finished game of any engine down as a trace: game, deck list, agents, seed.
        read: Reads a parsed line; UnreadableError where its form is not right.
        follow: Replays what has been read and yields the engine, one and the same, again and again, the last time
            at the end of the game. Adds differences in optional fields to the list of faults and raises UserError
            for all else.
        steps: Gives the fields with the steps of a game as computed.
    """

    fields: tuple[str, ...]
    whole: re.Pattern[str]
    record: Callable[[Any, Any, list[str] | None, int | None], dict[str, Any]]
    read: Callable[[object], Game]
    follow: Callable[[Game, list[UserError]], Iterator[Engine]]
    steps: Callable[[Game, Engine], dict[str, Any]]

    def replay(self, path: str | Path, emit: TextIO | None, errors: TextIO) -> int:
        """Check every trace of a file, one line at a time.

        Args:
            path: The file, or ``-`` for standard input.
            emit: Where to write each trace that replays to its end, with every optional field filled in as
                computed; None to write nothing.
            errors: Where to write what is wrong, one line a fault.

        Returns:
            0 where every game replays and agrees, 1 where a step is illegal or a value differs, 2 where something
            cannot be read as a trace or there is no game; the worst over all lines.
        """
        worst = games = 0
        try:
            for number, text in read_lines(path):
                games += 1
                checked = self.check_line(text, f"{path}: line {number}")
                for fault in checked.faults:
                    print(fault, file=errors)
                worst = max(worst, checked.exit_code)
                if emit is not None and checked.trace is not None:
                    emit.write(to_line(checked.trace) + "\n")
        except UserError as fault:  # the file itself cannot be read, or no further
            print(fault, file=errors)
            return fault.exit_code
        if not games:
            print(f"{path}: there is no game in this file; expected one trace a line", file=errors)
            return UnreadableError.exit_code
        return worst

    def check_line(self, text: str, place: str) -> Checked:
        """Check one line of a trace file.

        Args:
            text: The line.
            place: Where it stands, for example ``games.jsonl: line 3``.

        Returns:
            The trace filled in, and what is wrong with it.
        """
        try:
            data = parse_line(text, place)
        except UnreadableError as fault:
            return Checked(None, [fault])
        trace, faults = self.check(data)
        return Checked(trace, [fault.within(place) for fault in faults])

    def check(self, data: object) -> Checked:
        """Check one trace that has been parsed: its form, its setup, its steps, and what is optional and present.

        Args:
            data: The trace.

        Returns:
            The trace filled in, and what is wrong with it, with places inside the trace.
        """
        faults: list[UserError] = []
        try:
            game = self.read(data)
            for engine in self.replayed(game, faults):
                finished = engine
        except UserError as fault:
            return Checked(None, [*faults, fault])
        rules = {"rules": game.data.get("rules", {})}
        filled = game.data | rules | self.steps(game, finished) | {"result": finished.result()}
        return Checked({key: filled[key] for key in self.fields if key in filled}, faults)

    def replayed(self, game: Game, faults: list[UserError]) -> Iterator[Engine]:
        """Follow a game to its end and hold its result against what is recorded.

        Args:
            game: The game, as `read` gives it.
            faults: Differences in optional fields are added here; they do not stop the replay.

        Yields:
            What `follow` yields.

        Raises:
            UserError: A step is illegal, the game is unfinished, or goes on after its end.
        """
        for engine in self.follow(game, faults):
            yield engine
        faults += self.differences(game.data.get("result", {}), engine.result(), "result")

    def differences(self, found: object, computed: object, path: str) -> list[UserError]:
        """List where a recorded optional value differs from the computed one; fields left out are not compared."""
        pairs: list[tuple[str, object, object]]
        if isinstance(found, dict) and isinstance(computed, dict):
            pairs = [(path_to(path, key), found[key], computed[key]) for key in found]
        elif isinstance(found, list) and isinstance(computed, list) and not self.whole.search(path):
            pairs = [(path_to(path, i), *both) for i, both in enumerate(zip(found, computed, strict=True))]
        elif found == computed:
            return []
        else:
            return [InconsistentError(f"found {shown(found)}, expected {shown(computed)}", path)]
        return [fault for inner, one, other in pairs for fault in self.differences(one, other, inner)]


def to_line(trace: Mapping[str, Any]) -> str:
    """Write a trace as one line of JSON, without the line end."""
    return json.dumps(trace, separators=(",", ":"))
