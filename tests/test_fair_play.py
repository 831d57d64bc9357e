"""No agent looks at what its seat does not know; no agent's random numbers move anything but its own choices.

Built-in agents get the true state. Whatever is hidden from the actor is changed in all ways that there are, and with
the same stream the same action must come out. Agents that do look are held against the same check, which catches them.
"""

import dataclasses
import functools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import heat_spy
import hot_spy
import numpy as np
import pytest
from numba import types
from subjects import GAMES, MODULES, TABLES

from agents import catalog
from agents.base import Agent
from agents.catalog import resolve
from experiments import match
from experiments.cli import run
from experiments.cli.tournament import tell_doubts
from experiments.match import Match, Table, ask
from experiments.report_notes import notes
from experiments.tournament import prepare
from experiments.tracing import traces
from gameapi import conformance
from gameapi.conformance import Subject
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise
from gameapi.kernel import PLAYER, PlayerType
from gameapi.records import assign

Choose = Callable[[Any, Any], int]
"""(state, work) -> action."""

ROLLOUTS = 2


def fair(name: str) -> list[Agent]:
    return [agent for agent in catalog.agents_of(GAMES[name]).values() if agent.fair]


def _specs(name: str) -> Iterator[str]:
    """Give every agent of a game's catalogue that plays fair, with each of its choices, and few rollouts."""
    for agent in fair(name):
        budget = f":rollouts={ROLLOUTS}" if "rollouts" in agent.defaults() else ""
        choices = [f":{p.name}={choice}" for p in agent.parameters for choice in p.choices]
        yield from (agent.name + choice + budget for choice in choices or [""])


SPECS = [(name, spec) for name in GAMES for spec in _specs(name)]


@functools.cache
def table(name: str, players: int) -> tuple[Subject, list[Any]]:
    """Give a table and states of every kind, spread over several games."""
    module = MODULES[name]
    subject = module.fair_table(players)
    states = [s for s in conformance.positions(subject, games=4, first=players) if s.actor >= 0]
    rng = random.Random(players)
    kinds = [(n, [s for s in states if module.kind(s) == kind]) for kind, n in module.FAIR.items()]
    return subject, [state for n, of_kind in kinds for state in rng.sample(of_kind, n)]


def start(name: str, players: int, roster: list[catalog.Player], seed: int) -> Match:
    """Give a match with default rules and deck."""
    game = GAMES[name]
    return Match(game, game.load_rules(), game.load_deck(), players, roster, seed)


def check_fair(choose: Choose, subject: Subject, states: list[Any], variants: int = 3) -> None:
    """Hold that an action does not depend on what is hidden from the actor, nor on what is left in the work record."""
    for i, state in enumerate(states):
        seat, kept = int(state.actor), state.tobytes()
        action = choose(state, subject.work(i))
        assert state.tobytes() == kept, f"{subject}, state {i}: the agent changes the state"
        for start in range(variants):
            changed = MODULES[subject.game.name].scramble(subject, state, seat, 100 * i + start)
            other = choose(changed, subject.work(i, nonsense=start))
            assert other == action, f"{subject}, state {i}, seat {seat}: {action} becomes {other} with hidden cards"


def trusted(spec: str, subject: Subject) -> Choose:
    """Give a built-in agent, which gets the true state."""
    player = resolve(spec, subject.game)
    assert player.kernel
    return lambda state, work: int(player.kernel(state, subject.record, work, player.record[0]))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "spec", "players"), [(name, spec, players) for name, spec in SPECS for players in GAMES[name].seats]
)
def test_built_in_agents_do_not_look(name: str, spec: str, players: int) -> None:
    subject, states = table(name, players)
    check_fair(trusted(spec, subject), subject, states)


@pytest.mark.parametrize("name", GAMES)
def test_every_agent_of_the_catalogue_is_looked_at(name: str) -> None:
    asked = {spec.split(":")[0] for game, spec in SPECS if game == name}
    assert asked == {agent.name for agent in fair(name)} >= {"random", "greedy", "heuristic", "mc"}
    assert {agent for agent in catalog.agents_of(GAMES[name]) if agent not in asked} == {"clairvoyant"}


@pytest.mark.parametrize("name", GAMES)
def test_the_check_catches_the_clairvoyant(name: str) -> None:
    subject, states = table(name, 3)
    with pytest.raises(AssertionError, match="with hidden cards"):
        check_fair(trusted("clairvoyant:policy=random:rollouts=8", subject), subject, states)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_states_differ_in_all_that_is_hidden(name: str, players: int) -> None:
    subject, states = table(name, players)
    changed_fields: set[str] = set()
    for i, state in enumerate(states):
        changed = MODULES[name].scramble(subject, state, int(state.actor), i)
        changed_fields |= set(conformance.differing(state, changed))
    assert changed_fields >= MODULES[name].HIDDEN


# Agents that look

SPIES: dict[str, Any] = {"hotsim": hot_spy, "heatsim": heat_spy}

LOOKS = [(name, where) for name, spy in SPIES.items() for where in spy.PLACES]


def ask_one(states: Any, rules: Any, works: Any, agents: Any, me: Any) -> int:
    """Ask a user's compiled agent as a match does."""
    return ask(states[0], states[1], rules, works, agents[0], me)  # type: ignore[no-any-return]


@functools.cache
def spy(name: str) -> Callable[..., int]:
    """Compile the agent of a game that looks."""
    looking, parts = SPIES[name].looking, SPIES[name].PARTS
    bound = specialise(looking, f"{name}-spy", parts=parts, kernel=GAMES[name].kernels)
    return compiled(GAMES[name].agent_signature, cache=False)(bound)  # type: ignore[no-any-return]


@functools.cache
def asker(name: str) -> Callable[..., int]:
    """Compile what asks a user's compiled agent of a game."""
    game = GAMES[name]
    layout = game.layout
    agents = types.UniTuple(types.FunctionType(game.agent_signature), 1)
    records = types.Array(layout.StateType, 1, "C"), layout.RulesType, types.Array(layout.WorkType, 1, "C")
    bound = specialise(
        ask_one,
        name,
        parts=(ask,),
        kernel=game.kernels,
        LAB=match.LAB,
        AGENT=match.AGENT,
        EMPTY=match.EMPTY,
        assign=assign,
    )
    return compiled(types.int64(*records, agents, PlayerType))(bound)  # type: ignore[no-any-return]


def parameter(name: str, where: str) -> Any:
    record = np.zeros(1, PLAYER).view(np.recarray)
    record.parameter[0, 0] = SPIES[name].PLACES[where]
    return record[0]


@pytest.mark.parametrize(("name", "where"), LOOKS)
def test_the_check_catches_an_agent_that_looks_at(name: str, where: str) -> None:
    me = parameter(name, where)

    def check_all() -> None:
        for players in GAMES[name].seats:
            subject, states = table(name, players)
            record = subject.record
            check_fair(lambda state, work, record=record: int(spy(name)(state, record, work, me)), subject, states)  # type: ignore[misc]

    with pytest.raises(AssertionError, match="with hidden cards"):
        check_all()


@pytest.mark.parametrize(
    ("name", "where", "players"), [(name, where, players) for name, where in LOOKS for players in GAMES[name].seats]
)
def test_agents_of_ones_own_find_nothing_to_look_at(name: str, where: str, players: int) -> None:
    subject, states = table(name, players)
    both, me = np.zeros(2, subject.game.layout.STATE).view(np.recarray), parameter(name, where)

    works = np.zeros(3, subject.game.layout.WORK).view(np.recarray)

    def choose(state: Any, work: Any) -> int:
        both[0] = state
        works[match.LAB] = work
        return int(asker(name)(both, subject.record, works, (spy(name),), me))

    check_fair(choose, subject, states)


@pytest.mark.parametrize(("name", "where"), LOOKS)
def test_agents_of_ones_own_find_nothing_beside_plain_ones_either(name: str, where: str) -> None:
    subject, states = table(name, 3)
    game = subject.game
    own = dataclasses.replace(resolve("random", game), kernel=spy(name), trusted=False)
    played, at = Match(game, subject.rules, subject.deck, 3, [own], seed=1), Table(game, 3)
    played.parameters[0] = parameter(name, where)

    def choose(state: Any, work: Any) -> int:
        at.work = work
        at.places.stream[:] = work.stream
        game.call("copy")(at.game, state)
        return played._ask(at, [None])

    check_fair(choose, subject, states)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_views_show_nothing_hidden(name: str, players: int) -> None:
    subject, states = table(name, players)
    view = subject.game.service("view")
    for i, state in enumerate(states):
        seat = int(state.actor)
        changed = MODULES[name].scramble(subject, state, seat, i)
        one, other = (vars(view(s, subject.record, subject.deck, seat, seed=i)) for s in (state, changed))
        assert one.pop("random").getstate() == other.pop("random").getstate()
        assert one == other


# Streams

OWN = """
import numpy as np
from gameapi.rng import draw
from GAME import kernels

def first(state, rules, work, me):
    kernels.legal(state, rules, work)
    return np.int64(work.legal[0])

def wasteful(state, rules, work, me):
    for _ in range(7):
        draw(work)
    kernels.legal(state, rules, work)
    return np.int64(work.legal[0])

def calm(view):
    return view.actions[0]

def restless(view):
    for _ in range(7):
        view.random.random()
    return view.actions[0]
"""


@pytest.mark.parametrize(
    ("name", "players"), [("hotsim", 2), ("hotsim", 3), ("hotsim", 5), ("heatsim", 3), ("heatsim", 5)]
)
def test_draws_move_neither_the_deal_nor_other_agents(name: str, players: int, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN.replace("GAME", name), encoding="utf-8")
    seatings = np.array([np.roll([0, 1, 1, 2, 1][:players], i) for i in range(2)], np.int16)
    rows = []
    for own in ("first", "wasteful", "calm", "restless"):
        roster = [resolve(spec, GAMES[name]) for spec in (f"{file}:{own}", "random", "mc:rollouts=1")]
        rows.append(start(name, players, roster, seed=5).play(3, 4, seatings))
    for other in rows[1:]:
        for column, values in rows[0].items():
            assert np.array_equal(values, other[column]), column


def test_the_deal_is_the_same_whoever_plays() -> None:
    deals = {"hotsim": lambda game: game["setup"], "heatsim": lambda game: [heist["deck"] for heist in game["heists"]]}
    for name, game in GAMES.items():
        setups = []
        for spec in ("random", "greedy", "mc:rollouts=1"):
            played = traces(game, game.load_rules(), game.load_deck(), 3, [resolve(spec, game)], games=3, seed=9)
            setups.append([deals[name](trace) for trace in played])
        assert setups[0] == setups[1] == setups[2]
        assert setups[0][0] != setups[0][1]


@pytest.mark.parametrize("name", GAMES)
def test_equal_agents_at_two_seats_do_not_share_a_stream(name: str) -> None:
    match = start(name, 4, [resolve("random", GAMES[name])], seed=1)
    at, streams = Table(GAMES[name], 4), set()
    for number in range(3):
        next(match.plies(at, number, 0, np.zeros((1, 4), np.int16)))
        streams.update(int(start) for start in at.places.stream[1:4])
    assert len(streams) == 9


# Who cheats says so


def test_whoever_plays_the_clairvoyant_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("hotsim", ["agents"]) == 0
    assert capsys.readouterr().out.count("CHEATS") == 1
    setup = prepare("hotsim", "random,clairvoyant:rollouts=1", games=2, players=2)
    assert [entry.get("fair", True) for entry in setup.manifest["agents"]] == [True, False]
    tell_doubts(setup)
    assert "hidden cards, which is no fair play: clairvoyant:rollouts=1" in capsys.readouterr().err
    result = setup.play(jobs=1)
    assert any("no fair play: clairvoyant" in note for note in notes(result, result.manifest | {"state": "done"}))
