"""The description by which agents and the lab handle any game; imports no compiler: light commands stay light."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gameapi import options

if TYPE_CHECKING:
    from gameapi.batch import Batch


@dataclass(frozen=True)
class Stat:
    """A per-seat statistic that every raw row carries: a column of the rows."""

    name: str
    meaning: str


@dataclass(frozen=True)
class GameColumn:
    """A column of the `games` table made from a statistic.

    `how` is "mean" or "sd" (of the sum over seats, a game), "share" (sum of `stat` over sum of `over`), "game_share"
    (sum of `stat`, 0 or 1 a game, over games) or "seat_mean" (sum of `stat` over players of all games).
    """

    name: str
    stat: str
    how: str
    over: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class Event:
    """Something that the rules bring about; a game that is watched counts how often.

    Attributes:
        name: of its column.
        rulings: the numbers of the rulings that it shows at work, separated by blanks.
        meaning: what is counted.
    """

    name: str
    rulings: str
    meaning: str


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the lab sees it.

    Attributes:
        name: of the command and the package.
        title: of the box.
        version: raised when the same seed plays other games.
        seats: numbers of players.
        n_actions: action ids are 0..n_actions - 1.
        longest: the most decisions that one game can have under default rules and deck.
        stats: per-seat statistics, written by `statistics`.
        columns: what the `games` table shows beside what every game has.
        services: "module:attribute" of everything that needs no kernel, by the names used in `service`.
        rollout_policy: the agent by whose choices a random playout tells most for the time it takes.
        counts: what a tally counts of each card and seat, written by `begin_tally` and `tally_step`.
        bans: what `withhold` can keep an agent from doing with a card.
        events: what the witnesses count, in their order.
        endings: the ruling behind each of the notes of a watched game that tell how it was decided.
    """

    name: str
    title: str
    version: str
    seats: range
    n_actions: int
    longest: int
    stats: Sequence[Stat]
    columns: Sequence[GameColumn]
    services: Mapping[str, str] = field(repr=False)
    rollout_policy: str = "random"
    counts: Sequence[Stat] = ()
    bans: Sequence[Stat] = ()
    events: Sequence[Event] = ()
    endings: Mapping[str, str] = field(default_factory=dict)

    def service(self, name: str) -> Callable[..., Any]:
        """Return a function of the game's package, imported when it is first asked for."""
        module, attribute = self.services[name].split(":")
        return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]

    @property
    def kernels(self) -> ModuleType:
        """The module of jitted functions; they are compiled into their callers."""
        return importlib.import_module(f"{self.name}.kernels")

    @property
    def layout(self) -> ModuleType:
        """The module with the dtypes STATE, RULES and WORK."""
        return importlib.import_module(f"{self.name}.layout")

    def call(self, name: str) -> Callable[..., Any]:
        """Return a function of the contract, compiled for being called from Python."""
        return _call(self, name)

    @property
    def agent_signature(self) -> Any:
        """Numba signature of an agent: (state, rules, work, player record) -> action."""
        from numba import types

        from gameapi.kernel import PlayerType

        layout = self.layout
        return types.int64(layout.StateType, layout.RulesType, layout.WorkType, PlayerType)

    def load_deck(self, path: Any = None) -> Any:
        """Return a deck from a file, or the default deck."""
        return self.service("default_deck")() if path is None else self.service("load_deck")(path)

    def load_rules(self, path: Any = None, settings: Sequence[str] = ()) -> Any:
        """Return rules from a file (default rules without one) with options set from `name=value` texts."""
        return self.service("rules")().load(path, settings)

    def check(self, rules: Any, deck: Any, players: int) -> None:
        """Raise UserError where rules and deck cannot be played by so many."""
        self.service("check")(rules, deck, players)

    def record(self, rules: Any, deck: Any, players: int) -> Any:
        """Return the kernel's rules record, an array of shape (1,)."""
        return self.service("record")(rules, deck, players)

    def rules_json(self, rules: Any) -> dict[str, Any]:
        """Return every option of the rules as JSON values."""
        return options.as_json(rules)

    def rules_rows(self) -> list[dict[str, str]]:
        """Return a row of texts for each option of the rules."""
        return options.rows(self.service("rules")().options)

    def batch(self, n: int, players: int = 4, rules: Any = None, deck: Any = None, seed: int = 1) -> Batch:
        """Deal n games at once; see `gameapi.batch.Batch`."""
        from gameapi.batch import Batch

        return Batch(self, n, players, rules, deck, seed)


@functools.cache
def _call(game: Game, name: str) -> Callable[..., Any]:
    from gameapi.jit import for_python
    from gameapi.kernel import signature

    return for_python(getattr(game.kernels, name), signature(name, game.layout))
