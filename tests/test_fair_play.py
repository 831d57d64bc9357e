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

import numpy as np
import pytest
import subjects
from numba import types

from agents import catalog
from agents.catalog import resolve
from experiments import match
from experiments.match import Match, Table, ask
from experiments.tracing import traces
from gameapi import conformance, kernel
from gameapi.conformance import Subject
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise
from gameapi.kernel import PLAYER, PlayerType
from gameapi.records import assign
from hotsim import deck, kernels
from hotsim.game import GAME
from hotsim.layout import PICK, PLAY
from hotsim.rules import PLAYERS, Rules
from hotsim.view import View

Choose = Callable[[Any, Any], int]
"""(state, work) -> action."""

ROLLOUTS = 2


def _specs() -> Iterator[str]:
    """Give every agent of the catalogue, with each of its choices, and few rollouts."""
    for agent in catalog.agents_of(GAME).values():
        budget = f":rollouts={ROLLOUTS}" if "rollouts" in agent.defaults() else ""
        choices = [f":{p.name}={choice}" for p in agent.parameters for choice in p.choices]
        yield from (agent.name + choice + budget for choice in choices or [""])


SPECS = list(_specs())


@functools.cache
def table(players: int) -> tuple[Subject, list[Any]]:
    """Give a table and states of turns and storm phases, spread over several games."""
    subject = subjects.subject(players)
    states = [s for s in conformance.positions(subject, games=4, first=players) if s.actor >= 0]
    kinds = [[s for s in states if s.phase == PLAY]]
    kinds += [[s for s in states if s.phase == PICK and s.storms == k] for k in (1, 2, 3, 4)]
    rng = random.Random(players)
    return subject, [state for n, kind in zip((11, 2, 3, 4, 4), kinds, strict=True) for state in rng.sample(kind, n)]


def check_fair(choose: Choose, subject: Subject, states: list[Any], variants: int = 3) -> None:
    """Hold that an action does not depend on what is hidden from the actor, nor on what is left in the work record."""
    for i, state in enumerate(states):
        seat, kept = int(state.actor), state.tobytes()
        action = choose(state, subject.work(i))
        assert state.tobytes() == kept, f"{subject}, state {i}: the agent changes the state"
        for start in range(variants):
            changed = subjects.scramble(subject, state, seat, 100 * i + start)
            other = choose(changed, subject.work(i, nonsense=start))
            assert other == action, f"{subject}, state {i}, seat {seat}: {action} becomes {other} with hidden cards"


def trusted(spec: str, subject: Subject) -> Choose:
    """Give a built-in agent, which gets the true state."""
    player = resolve(spec, GAME)
    assert player.kernel
    return lambda state, work: int(player.kernel(state, subject.record, work, player.record[0]))  # type: ignore[misc]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("spec", SPECS)
def test_built_in_agents_do_not_look(spec: str, players: int) -> None:
    subject, states = table(players)
    check_fair(trusted(spec, subject), subject, states)


def test_every_agent_of_the_catalogue_is_looked_at() -> None:
    assert {spec.split(":")[0] for spec in SPECS} == set(catalog.agents_of(GAME))


@pytest.mark.parametrize("players", PLAYERS)
def test_states_differ_in_all_that_is_hidden(players: int) -> None:
    subject, states = table(players)
    changed_fields: set[str] = set()
    for i, state in enumerate(states):
        changed = subjects.scramble(subject, state, int(state.actor), i)
        changed_fields |= set(conformance.differing(state, changed))
    assert changed_fields >= {"hand", "count", "cards", "storm_at", "picks"}


# Agents that look

NEXT_CARD, DEALT, ORDER, STORM, HAND, COUNTS, PICKS, SCRATCH = range(8)


def stir(seen: Any, value: Any) -> Any:
    return seen * np.uint64(31) + np.uint64(value)


def look_at_cards(state: Any, rules: Any, where: int) -> Any:
    """Look at a part of the order of cards, or at storms to come."""
    seen, next_card = np.uint64(0), rules.draw_start + state.drawn
    start, end = 0, rules.n_cards
    if where == NEXT_CARD:
        start, end = next_card, next_card + 1
    elif where == DEALT:
        end = next_card
    if where == STORM:
        return np.uint64(state.storm_at[state.storms % rules.storms])
    for i in range(start, end):
        seen = stir(seen, state.cards[i])
    return seen


def look_at_scratch(rules: Any, work: Any) -> Any:
    """Look at what the agents before left in the work record."""
    seen = np.uint64(0)
    for i in range(work.legal.shape[0]):
        seen = stir(stir(seen, np.int64(work.legal[i])), np.int64(work.candidate[i]))
    for seat in range(rules.players):
        seen = stir(seen, work.trial.hand[seat] ^ work.world.hand[seat] ^ work.playout.hand[seat])
    return seen


def look_at_others(state: Any, rules: Any, where: int) -> Any:
    """Look at what another seat holds or has picked."""
    seen = np.uint64(0)
    for seat in range(rules.players):
        if seat == np.int64(state.actor):
            continue
        if where == HAND:
            seen = stir(seen, state.hand[seat])
        if where == COUNTS:
            for face in range(rules.n_faces):
                seen = stir(seen, state.count[seat, face])
        if where == PICKS:
            for i in range(state.n_picked[seat]):
                seen = stir(seen, state.picks[seat, i])
    return seen


def looking(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Choose by something that an agent must not know."""
    where = np.int64(me.parameter[0])
    if where == SCRATCH:
        seen = look_at_scratch(rules, work)
    elif where <= STORM:
        seen = look_at_cards(state, rules, where)
    else:
        seen = look_at_others(state, rules, where)
    n = kernel.legal(state, rules, work)
    return np.int64(work.legal[np.int64((seen ^ (seen >> np.uint64(7))) % np.uint64(n))])


PARTS = (stir, look_at_cards, look_at_others, look_at_scratch)


def ask_one(states: Any, rules: Any, works: Any, agents: Any, me: Any) -> int:
    """Ask a user's compiled agent as a match does."""
    return ask(states[0], states[1], rules, works, agents[0], me)  # type: ignore[no-any-return]


PLACES = {
    "the next card": NEXT_CARD,
    "places of cards that have been dealt": DEALT,
    "the whole order of cards": ORDER,
    "the next storm": STORM,
    "faces in other hands": HAND,
    "counts in other hands": COUNTS,
    "picks of others": PICKS,
    "what others left in the work record": SCRATCH,
}


@functools.cache
def spy() -> Callable[..., int]:
    return compiled(GAME.agent_signature, cache=False)(specialise(looking, "spy", parts=PARTS, kernel=kernels))  # type: ignore[no-any-return]


@functools.cache
def asker() -> Callable[..., int]:
    layout = GAME.layout
    agents = types.UniTuple(types.FunctionType(GAME.agent_signature), 1)
    records = types.Array(layout.StateType, 1, "C"), layout.RulesType, types.Array(layout.WorkType, 1, "C")
    bound = specialise(
        ask_one,
        GAME.name,
        parts=(ask,),
        kernel=kernels,
        LAB=match.LAB,
        AGENT=match.AGENT,
        EMPTY=match.EMPTY,
        assign=assign,
    )
    return compiled(types.int64(*records, agents, PlayerType))(bound)  # type: ignore[no-any-return]


def parameter(where: str) -> Any:
    record = np.zeros(1, PLAYER).view(np.recarray)
    record.parameter[0, 0] = PLACES[where]
    return record[0]


@pytest.mark.parametrize("where", PLACES)
def test_the_check_catches_an_agent_that_looks_at(where: str) -> None:
    me = parameter(where)

    def check_all() -> None:
        for players in PLAYERS:
            subject, states = table(players)
            record = subject.record
            check_fair(lambda state, work, record=record: int(spy()(state, record, work, me)), subject, states)  # type: ignore[misc]

    with pytest.raises(AssertionError, match="with hidden cards"):
        check_all()


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("where", PLACES)
def test_agents_of_ones_own_find_nothing_to_look_at(where: str, players: int) -> None:
    subject, states = table(players)
    both, me = np.zeros(2, GAME.layout.STATE).view(np.recarray), parameter(where)

    works = np.zeros(3, GAME.layout.WORK).view(np.recarray)

    def choose(state: Any, work: Any) -> int:
        both[0] = state
        works[match.LAB] = work
        return int(asker()(both, subject.record, works, (spy(),), me))

    check_fair(choose, subject, states)


@pytest.mark.parametrize("where", PLACES)
def test_agents_of_ones_own_find_nothing_beside_plain_ones_either(where: str) -> None:
    subject, states = table(3)
    own = dataclasses.replace(resolve("random", GAME), kernel=spy(), trusted=False)
    played, at = Match(GAME, Rules(), deck.default(), 3, [own], seed=1), Table(GAME, 3)
    played.parameters[0] = parameter(where)

    def choose(state: Any, work: Any) -> int:
        at.work = work
        at.places.stream[:] = work.stream
        GAME.call("copy")(at.game, state)
        return played._ask(at, [None])

    check_fair(choose, subject, states)


@pytest.mark.parametrize("players", PLAYERS)
def test_views_show_nothing_hidden(players: int) -> None:
    subject, states = table(players)
    for i, state in enumerate(states):
        seat = int(state.actor)
        changed = subjects.scramble(subject, state, seat, i)
        one, other = (vars(View(s, subject.record, subject.deck, seat, seed=i)) for s in (state, changed))
        assert one.pop("random").getstate() == other.pop("random").getstate()
        assert one == other


# Streams

OWN = """
import numpy as np
from gameapi.rng import draw
from hotsim import kernels

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


@pytest.mark.parametrize("players", [2, 3, 5])
def test_draws_move_neither_the_deal_nor_other_agents(players: int, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN, encoding="utf-8")
    seatings = np.array([np.roll([0, 1, 1, 2, 1][:players], i) for i in range(2)], np.int16)
    rows = []
    for name in ("first", "wasteful", "calm", "restless"):
        roster = [resolve(spec, GAME) for spec in (f"{file}:{name}", "random", "mc:rollouts=1")]
        match = Match(GAME, Rules(), deck.default(), players, roster, seed=5)
        rows.append(match.play(3, 4, seatings))
    for other in rows[1:]:
        for column, values in rows[0].items():
            assert np.array_equal(values, other[column]), column


def test_the_deal_is_the_same_whoever_plays() -> None:
    setups = []
    for spec in ("random", "greedy", "mc:rollouts=1"):
        games = traces(GAME, Rules(), deck.default(), 3, [resolve(spec, GAME)], games=3, seed=9)
        setups.append([game["setup"] for game in games])
    assert setups[0] == setups[1] == setups[2]
    assert setups[0][0] != setups[0][1]


def test_equal_agents_at_two_seats_do_not_share_a_stream() -> None:
    match = Match(GAME, Rules(), deck.default(), 4, [resolve("random", GAME)], seed=1)
    at, streams = Table(GAME, 4), set()
    for number in range(3):
        next(match.plies(at, number, 0, np.zeros((1, 4), np.int16)))
        streams.update(int(start) for start in at.places.stream[1:4])
    assert len(streams) == 9
