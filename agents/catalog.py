"""The table of agents, and from a spec to a player that can sit down."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from agents import clairvoyant, flat_mc, greedy, own, uniform
from agents.base import AUTO, Agent, Value
from agents.spec import parse, parse_list
from gameapi.errors import UserError
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.kernel import PLAYER, POLICY_PARAMETERS

__all__ = ["Player", "agents_of", "parse_list", "resolve", "table"]

GENERIC: tuple[Agent, ...] = (uniform.AGENT, greedy.AGENT, flat_mc.AGENT, clairvoyant.AGENT)
HEURISTICS = {"hotsim": "agents.hot_heuristics", "heatsim": "agents.heat_heuristics"}  # imported for their game only

OWN_COMPILED_COST, OWN_PYTHON_COST = 50.0, 5000.0


@dataclass(frozen=True)
class Player:
    """An agent with its parameters, ready for one game.

    Attributes:
        text: what tables call it: the whole spec as it was given, of the second player of a spec with #2 behind it.
        parameters: every parameter with its value.
        cost: nominal cost of a game in random games; chunks are cut by it.
        repeatable: False where a time budget makes choices depend on the machine.
        digest: sha256 of a user's own file, else None.
        record: array of shape (1,) and dtype `gameapi.kernel.PLAYER`.
        kernel: compiled function, None for a plain Python agent.
        make: maker of the chooser of a plain Python agent, else None.
        trusted: False for a user's compiled agent, which gets a determinized state and whose actions are checked.
        twin: which of the players of this spec in a roster it is, from 1.
        fair: False for one that looks at hidden cards.
    """

    text: str
    parameters: Mapping[str, Value]
    cost: float
    repeatable: bool
    digest: str | None
    record: Any = field(repr=False)
    kernel: Callable[..., Any] | None = field(repr=False)
    make: Callable[[], Callable[[Any], Any]] | None = field(repr=False)
    trusted: bool = True
    twin: int = 1
    fair: bool = True

    @property
    def spec(self) -> str:
        """The whole spec as it was given."""
        return self.text if self.twin == 1 else self.text.removesuffix(f"#{self.twin}")

    def as_json(self) -> dict[str, Any]:
        """Return what a manifest says of the player; `fair` only where it is not."""
        said = {
            "agent": self.text,
            "parameters": dict(self.parameters),
            "file_sha256": self.digest,
            "repeatable": self.repeatable,
        }
        return said if self.fair else said | {"fair": False}


def agents_of(game: Game) -> dict[str, Agent]:
    """Return the agents that play a game, by name."""
    known = [HEURISTICS[game.name]] if game.name in HEURISTICS else []
    heuristics = [importlib.import_module(module).AGENT for module in known]
    first, second, *rest = GENERIC
    return {agent.name: agent for agent in (first, second, *heuristics, *rest)}


def resolve(spec: str | Callable[..., Any], game: Game, sources: Mapping[str, bytes] = MappingProxyType({})) -> Player:
    """Return the player that a spec, or a callable from a notebook, stands for.

    Args:
        spec: the spec, or the callable.
        game: the game.
        sources: contents of files of agents, by path, that are not to be read from this machine's disk.

    Raises:
        UserError: unknown agent or parameter, a value out of range, or a file that cannot be used.
    """
    if not isinstance(spec, str):
        return _own_player(getattr(spec, "__name__", "own"), spec, {}, None, game)
    name, path, settings = parse(spec)
    if path is not None:
        agent, digest = own.load(path, name, sources.get(path))
        return _own_player(_spelled(f"{path}:{name}", settings), agent, settings, digest, game)
    known = agents_of(game)
    if name not in known:
        raise UserError(f"unknown agent; {game.name} has {', '.join(known)}, or path/to/file.py:attribute", repr(spec))
    return _player(known[name], settings, game, place=repr(spec))


def _player(agent: Agent, settings: Mapping[str, str], game: Game, place: str) -> Player:
    values = agent.defaults()
    by_name = {p.name: p for p in agent.parameters}
    for key, text in settings.items():
        if key not in by_name:
            takes = f"{agent.name} takes {', '.join(by_name)}" if by_name else f"{agent.name} takes none"
            raise UserError(f"unknown parameter {key}; {takes}", place)
        values[key] = by_name[key].read(text, place)
    if values.get("policy") == AUTO:
        values["policy"] = game.rollout_policy
    known = agents_of(game)

    def policy_of(name: str) -> Callable[..., Any]:
        return known[name].build(game, known[name].defaults(), policy_of)

    record = np.zeros(1, PLAYER).view(np.recarray)
    if "policy" in values and str(values["policy"]) in known:
        policy = known[str(values["policy"])]
        _write(record, policy, policy.defaults())
    _write(record, agent, values)
    return Player(
        text=_spelled(agent.name, settings),
        parameters=values,
        cost=agent.cost(values),
        repeatable=not values.get("time"),
        digest=None,
        record=record,
        kernel=agent.build(game, values, policy_of),
        make=None,
        fair=agent.fair,
    )


def _write(record: Any, agent: Agent, values: Mapping[str, Value]) -> None:
    """Write an agent's numbers to its slots; a policy's lie apart from those of the search that plays it out."""
    first = POLICY_PARAMETERS if agent.policy else 0
    numbers = [float(values[p.name]) for p in agent.parameters if not p.choices]
    record.parameter[0, first : first + len(numbers)] = numbers


def _own_player(text: str, agent: Any, settings: dict[str, str], digest: str | None, game: Game) -> Player:
    record = np.zeros(1, PLAYER).view(np.recarray)
    if own.is_compiled(agent):
        if settings:
            raise UserError("a compiled agent of your own takes no parameters", text)
        plain = getattr(agent, "py_func", agent)
        try:
            kernel = compiled(game.agent_signature, cache=False)(plain)
        except NumbaError as fault:
            lines = [line.strip() for line in str(fault).splitlines()]
            reason = [line for line in lines if line and not line.startswith("Failed in nopython")]
            raise UserError("cannot be compiled: " + "; ".join(reason[:3]), text) from None
        return Player(text, {}, OWN_COMPILED_COST, True, digest, record, kernel, None, trusted=False)
    make = own.python_agent(agent, settings, text)
    return Player(text, dict(settings), OWN_PYTHON_COST, True, digest, record, None, make, trusted=False)


def _spelled(name: str, settings: Mapping[str, str]) -> str:
    return ":".join([name, *(f"{key}={value}" for key, value in settings.items())])


def table(game: Game) -> list[dict[str, Any]]:
    """Return a row for each agent and parameter.

    Its fields: agent, title, source, fair, parameter, type, default, allowed, meaning.
    """
    rows = []
    for agent in agents_of(game).values():
        head: dict[str, Any] = {"agent": agent.name, "title": agent.title, "source": agent.source, "fair": agent.fair}
        rows += [
            {
                **head,
                "parameter": p.name,
                "type": type(p.default).__name__,
                "default": p.default,
                "allowed": p.allowed,
                "meaning": p.meaning,
            }
            for p in agent.parameters
        ] or [head]
    return rows
