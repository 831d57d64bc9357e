"""What an agent is: its name, its parameters with ranges, and how it is built for a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gameapi.errors import UserError
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise

Value = int | float | str
PolicyOf = Callable[[str], Callable[..., Any]]
"""The name of a policy agent -> its compiled function for the game at hand."""
Build = Callable[[Game, Mapping[str, Value], PolicyOf], Callable[..., Any]]
"""(game, values, policy_of) -> compiled function of the game's agent signature."""


AUTO = "auto"
"""The choice of a parameter `policy` that stands for the game's `rollout_policy`."""


@dataclass(frozen=True)
class Parameter:
    """A number or choice that a spec may set.

    Attributes:
        name: as in `name=value`.
        default: its type decides what the parameter takes: int, float or one of `choices`.
        low, high: range of a number, both included.
        choices: the words allowed, empty for a number.
        meaning: a line for people.
    """

    name: str
    default: Value
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    meaning: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return " or ".join(self.choices)
        kind = "an integer" if isinstance(self.default, int) else "a number"
        low, high = (f"{bound:,.0f}" if bound == int(bound) else f"{bound:g}" for bound in (self.low, self.high))
        return f"{kind} from {low} to {high}"

    def read(self, text: str, place: str) -> Value:
        """Return the value that a text gives.

        Raises:
            UserError: the text is no allowed value; says what is.
        """
        if self.choices:
            if text not in self.choices:
                raise UserError(f"{self.name}={text}: expected {self.allowed}", place)
            return text
        try:
            value = int(text) if isinstance(self.default, int) else float(text)
        except ValueError:
            raise UserError(f"{self.name}={text}: expected {self.allowed}", place) from None
        if not self.low <= value <= self.high:
            raise UserError(f"{self.name}={text}: expected {self.allowed}", place)
        return value


@dataclass(frozen=True)
class Agent:
    """An agent of the catalogue.

    Attributes:
        name: as in a spec.
        title: a line for people.
        source: paper or idea it comes from.
        parameters: in the order of the player record's slots, after the choices.
        build: makes the compiled function.
        cost: nominal cost of a game that only this agent plays, in random games.
        policy: whether its numbers lie in the policy slots, so that a search can play it out.
        fair: whether it plays by what its seat knows alone; another one is for measuring, and cheats.
    """

    name: str
    title: str
    source: str
    build: Build = field(repr=False)
    parameters: Sequence[Parameter] = ()
    cost: Callable[[Mapping[str, Value]], float] = field(default=lambda values: 1.0, repr=False)
    policy: bool = False
    fair: bool = True

    def defaults(self) -> dict[str, Value]:
        """Return every parameter at its default."""
        return {p.name: p.default for p in self.parameters}


def building(choose: Callable[..., Any]) -> Build:
    """Return the `build` of an agent that is one function over the contract, bound to nothing but the game."""

    def build(game: Game, values: Mapping[str, Value], policy_of: PolicyOf) -> Callable[..., Any]:
        return compiled(game.agent_signature)(specialise(choose, game.name, kernel=game.kernels))

    return build
