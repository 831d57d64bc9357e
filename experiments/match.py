"""Play games: deals, seatings and a roster in, rows out.

Game number deal * n_seatings + seating of a player count depends on the run's seed and that number alone: its cards
come from a stream of (seed, players, deal), each seat's choices from a stream of (seed, players, game, seat).
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from agents.catalog import Player, resolve
from experiments.limits import NO_LIMIT, MoveLimit
from gameapi import clock, kernel
from gameapi.errors import AgentError, UserError
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import pointer, specialise
from gameapi.kernel import MAX_SEATS, PLAYER, PlayerType
from gameapi.records import assign
from gameapi.rng import DEAL, PlainStream, run_key, stream

ROSTER_SIZES = (8, 64)  # the compiled loop knows as many agents; a roster is padded to the next size
TRUSTED, OWN = 0, 1  # a built-in agent, a user's compiled one
FINISHED, ILLEGAL = 0, 1  # why the loop came back
TO_THE_END = 1 << 62  # decisions
LAB, AGENT, EMPTY = 0, 1, 2  # work records: the lab's and built-in agents', a user's agent's, one that stays empty
GAME, DEALT, SHOWN, BEFORE = 0, 1, 2, 3  # states: the game, its deal, what a user's agent is shown, the last position
PLACES = np.dtype(
    [
        ("games", np.int64),  # finished so far in this chunk
        ("game", np.int64),  # number of the game in play
        ("agent", np.int64, (MAX_SEATS,)),  # index in the roster
        ("kind", np.int64, (MAX_SEATS,)),
        ("stream", np.uint64, (MAX_SEATS,)),
        ("decisions", np.int64, (MAX_SEATS,)),
        ("forfeits", np.int64, (MAX_SEATS,)),
        ("action", np.int64),  # the last
        ("limit_ns", np.int64),  # of a decision; 0: none
        ("limit_rollouts", np.int64),  # of a decision; 0: none
    ],
    align=True,
)
NUMBERS = ("score", "tiebreak", "rank", "decisions", "forfeits")  # int32 columns; the game's statistics follow


# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def ask(state: Any, shown: Any, rules: Any, works: Any, agent: Any, me: Any) -> int:
    """Return the action of a user's compiled agent, -1 where it is illegal.

    The agent is shown a state in which all that its seat does not know is drawn anew, and an empty work record: what
    others left in theirs could tell.
    """
    work, own = works[LAB], works[AGENT]
    kernel.copy(shown, state)
    kernel.determinize(shown, rules, np.int64(state.actor), work)
    assign(own, works[EMPTY])
    own.stream = work.stream
    action = agent(shown, rules, own, me)
    work.stream, work.rollouts = own.stream, own.rollouts
    for i in range(kernel.legal(state, rules, work)):
        if work.legal[i] == action:
            return action
    return -1


def is_late(work: Any, places: Any, began: int) -> bool:
    """Tell whether a decision took more time or more rollouts than it may, and so is forfeited."""
    if places.limit_rollouts and work.rollouts > places.limit_rollouts:
        return True
    return places.limit_ns != 0 and clock.nanoseconds() - began > places.limit_ns


def go_on(state: Any, shown: Any, rules: Any, works: Any, agents: Any, roster: Any, places: Any, decisions: int) -> int:
    """Play a game until it is over, for so many decisions at most, or until an action is illegal; return which."""
    work = works[LAB]
    while state.actor >= 0 and decisions > 0:
        decisions -= 1
        seat = np.int64(state.actor)
        agent = places.agent[seat]
        places.decisions[seat] += 1
        work.stream = places.stream[seat]
        work.rollouts = 0
        began = clock.nanoseconds() if places.limit_ns else 0
        if places.kind[seat] == TRUSTED:
            action = agents[agent](state, rules, work, roster[agent])
        else:
            action = ask(state, shown, rules, works, agents[agent], roster[agent])
        if action < 0:
            return ILLEGAL
        if is_late(work, places, began):
            places.forfeits[seat] += 1
            action = kernel.random_action(state, rules, work)
        places.stream[seat] = work.stream
        places.action = action
        kernel.step(state, rules, action, work)
    return FINISHED


def set_up(dealt: Any, rules: Any, work: Any, key: Any, deal: int) -> None:
    """Deal the cards of a deal."""
    work.stream = stream(key, np.uint64(deal), DEAL)
    kernel.deal(dealt, rules, work)


def start(state: Any, dealt: Any, rules: Any, seating: Any, kinds: Any, key: Any, game: int, places: Any) -> None:
    """Put a deal on the table, seat the agents and start the seats' streams."""
    kernel.copy(state, dealt)
    places.game = game
    for seat in range(rules.players):
        places.stream[seat] = stream(key, np.uint64(game), np.uint64(1 + seat))
        places.agent[seat] = seating[seat]
        places.kind[seat] = kinds[seating[seat]]
        places.decisions[seat] = 0
        places.forfeits[seat] = 0


def write_rows(state: Any, rules: Any, work: Any, places: Any, numbers: Any, wins: Any) -> None:
    """Write a row for each seat of a finished game."""
    kernel.returns(state, rules, work)
    kernel.statistics(state, rules, work)
    row = places.games * rules.players
    for seat in range(rules.players):
        rank = 1
        for other in range(rules.players):
            ahead = work.score[other] - work.score[seat]
            if ahead > 0 or (ahead == 0 and work.tiebreak[other] > work.tiebreak[seat]):
                rank += 1
        numbers[0, row + seat] = work.score[seat]
        numbers[1, row + seat] = work.tiebreak[seat]
        numbers[2, row + seat] = rank
        numbers[3, row + seat] = places.decisions[seat]
        numbers[4, row + seat] = places.forfeits[seat]
        for i in range(5, numbers.shape[0]):
            numbers[i, row + seat] = work.statistic[i - 5, seat]
        wins[row + seat] = work.win[seat]
    places.games += 1


def play_games(
    states: Any,
    rules: Any,
    works: Any,
    agents: Any,
    roster: Any,
    kinds: Any,
    places: Any,
    seatings: Any,
    key: Any,
    first: int,
    n_deals: int,
    numbers: Any,
    wins: Any,
) -> int:
    """Play every seating on every deal; `places.games` is the number of games finished, also when one stopped."""
    n_seatings = seatings.shape[0]
    for deal in range(first, first + n_deals):
        set_up(states[DEALT], rules, works[LAB], key, deal)
        for i in range(n_seatings):
            start(states[GAME], states[DEALT], rules, seatings[i], kinds, key, deal * n_seatings + i, places)
            stopped = go_on(states[GAME], states[SHOWN], rules, works, agents, roster, places, TO_THE_END)
            if stopped != FINISHED:
                return stopped
            write_rows(states[GAME], rules, works[LAB], places, numbers, wins)
    return FINISHED


PARTS = (ask, is_late, go_on, set_up, start, write_rows)
"""What a loop over games is made of, in the order in which they call each other."""


# ---- Python ---------------------------------------------------------------------------------------------------------


@functools.cache
def compiled_loop(game: Game, size: int) -> Callable[..., int]:
    """Return the compiled `play_games` of a game for rosters padded to `size`."""
    bound = specialise(play_games, f"{game.name}-{size}", parts=PARTS, kernel=game.kernels)
    return compiled(loop_signature(game, size))(bound)


def loop_signature(game: Game, size: int, *more: Any) -> Any:
    """Return the numba signature of a loop over games with the arguments of `play_games`, and `more` behind them."""
    layout = game.layout
    state, rules, work, places = layout.StateType, layout.RulesType, layout.WorkType, pointer(PLACES)
    agents = types.UniTuple(types.FunctionType(game.agent_signature), size)
    roster, kinds, integer = types.Array(PlayerType, 1, "C"), types.int64[::1], types.int64
    table = (types.Array(state, 1, "C"), rules, types.Array(work, 1, "C"), agents, roster, kinds, places)
    plan = (types.int16[:, ::1], types.uint64, integer, integer)
    return integer(*table, *plan, types.int32[:, ::1], types.float64[::1], *more)


@functools.cache
def _write_rows(game: Game) -> Callable[..., None]:
    """Return the compiled `write_rows` for a call from Python."""
    layout = game.layout
    records = (layout.StateType, layout.RulesType, layout.WorkType, pointer(PLACES))
    signature = types.void(*records, types.int32[:, ::1], types.float64[::1])
    return compiled(signature)(specialise(write_rows, game.name, kernel=game.kernels))


@functools.cache
def _stand_in(game: Game) -> Callable[..., Any]:
    """Return the agent that fills the places of a roster which nobody takes."""
    kernel_of_random = resolve("random", game).kernel
    assert kernel_of_random
    return kernel_of_random


def _chooser(player: Player) -> Callable[[Any], Any] | None:
    """Make the chooser of a plain Python agent, None for a compiled one."""
    if player.make is None:
        return None
    try:
        return player.make()
    except Exception as fault:  # a user's class may raise anything
        raise AgentError(f"could not be made: {type(fault).__name__}: {fault}", f"agent {player.text!r}") from fault


class _NotLegal(Exception):
    """A user's agent returned something that is no legal action."""


class Table:
    """What one thread plays on."""

    def __init__(self, game: Game, rows: int, limit: MoveLimit = NO_LIMIT) -> None:
        """Set out empty records, and columns for the rows of a chunk."""
        self.states = np.zeros(4, game.layout.STATE).view(np.recarray)
        self.game, self.dealt, self.shown, _ = self.states
        self.works = np.zeros(3, game.layout.WORK).view(np.recarray)
        self.work = self.works[LAB]
        self.places = np.zeros(1, PLACES).view(np.recarray)[0]
        self.places.limit_ns = round(limit.milliseconds * 1e6)
        self.places.limit_rollouts = limit.rollouts
        self.numbers = np.zeros((len(NUMBERS) + len(game.stats), rows), np.int32)
        self.wins = np.zeros(rows, np.float64)


class Match:
    """A roster at tables of a fixed number of players, under fixed rules and deck."""

    def __init__(
        self,
        game: Game,
        rules: Any,
        deck: Any,
        players: int,
        roster: Sequence[Player],
        seed: int,
        limit: MoveLimit = NO_LIMIT,
        coupled: bool = False,
    ) -> None:
        """Prepare; compiles or loads the game's kernels. A decision beyond the limit is forfeited: it becomes random.

        With `coupled` the deals are those that other rules and decks get too, as far as they have the cards.

        Raises:
            UserError: rules and deck cannot be played by so many, or the roster is larger than `ROSTER_SIZES` allow.
        """
        if len(roster) > ROSTER_SIZES[-1]:
            raise UserError(f"{len(roster)} agents; a run takes at most {ROSTER_SIZES[-1]}", "agents")
        self.game, self.deck, self.players, self.roster = game, deck, players, tuple(roster)
        self.limit = limit
        self.record = game.record(rules, deck, players)[0]
        self.record.coupled = coupled
        self.key = run_key(seed, players)
        size = next(size for size in ROSTER_SIZES if len(roster) <= size)
        self.stepwise = any(player.make for player in roster)
        self.play_games = self._loop(size)
        empty = [_stand_in(game)] * (size - len(roster))
        self.agents = tuple([player.kernel or _stand_in(game) for player in roster] + empty)
        self.kinds = np.full(size, TRUSTED, np.int64)
        self.parameters = np.zeros(size, PLAYER).view(np.recarray)
        for i, player in enumerate(roster):
            self.kinds[i] = TRUSTED if player.trusted else OWN
            self.parameters[i] = player.record[0]

    def play(self, first_deal: int, n_deals: int, seatings: npt.NDArray[np.int16]) -> dict[str, npt.NDArray[Any]]:
        """Play every seating on deals first_deal .. first_deal + n_deals - 1.

        Args:
            first_deal: number of the first deal.
            n_deals: how many deals.
            seatings: (n_seatings, players), the roster index of each seat's agent.

        Returns:
            Columns with one entry a game and seat, ordered by deal, seating, seat: deal int64, seating int32, seat
            int8, agent int16, win float64, and int32 score, tiebreak, rank, decisions, forfeits and the game's
            statistics.

        Raises:
            AgentError: a user's agent raised or returned an illegal action.
        """
        seatings = np.ascontiguousarray(seatings, np.int16)
        table = Table(self.game, n_deals * len(seatings) * self.players, self.limit)
        if self.stepwise:
            self._play_stepwise(table, first_deal, n_deals, seatings)
        else:
            self._play_compiled(table, first_deal, n_deals, seatings)
        return self._columns(table, first_deal, n_deals, seatings)

    def _columns(
        self, table: Table, first_deal: int, n_deals: int, seatings: npt.NDArray[np.int16]
    ) -> dict[str, npt.NDArray[Any]]:
        """Return the columns of what has been played at a table."""
        n_seatings = len(seatings)
        deals = np.arange(first_deal, first_deal + n_deals, dtype=np.int64)
        columns: dict[str, npt.NDArray[Any]] = {
            "deal": np.repeat(deals, n_seatings * self.players),
            "seating": np.tile(np.repeat(np.arange(n_seatings, dtype=np.int32), self.players), n_deals),
            "seat": np.tile(np.arange(self.players, dtype=np.int8), n_deals * n_seatings),
            "agent": np.tile(seatings.ravel(), n_deals),
            "win": table.wins,
        }
        names = (*NUMBERS, *(stat.name for stat in self.game.stats))
        return columns | dict(zip(names, table.numbers, strict=True))

    def _loop(self, size: int) -> Callable[..., int]:
        """Return the compiled loop over games for rosters padded to `size`."""
        return compiled_loop(self.game, size)

    def _play_compiled(
        self, table: Table, first: int, n_deals: int, seatings: npt.NDArray[np.int16], *more: Any
    ) -> None:
        """Let the compiled loop play at a table; `more` are arguments that it takes beyond those of `play_games`."""
        with self._failing(table):
            stopped = self.play_games(
                table.states,
                self.record,
                table.works,
                self.agents,
                self.parameters,
                self.kinds,
                table.places,
                seatings,
                self.key,
                first,
                n_deals,
                table.numbers,
                table.wins,
                *more,
            )
        if stopped == ILLEGAL:
            raise self._failed(table, "returned an illegal action")

    def _play_stepwise(self, table: Table, first: int, n_deals: int, seatings: npt.NDArray[np.int16]) -> None:
        """Play as the compiled loop does, one ply at a time: where plain Python agents sit at the table."""
        for deal in range(first, first + n_deals):
            for i in range(len(seatings)):
                for _ in self.plies(table, deal, i, seatings):
                    pass
                self._write_rows(table)

    def _write_rows(self, table: Table) -> None:
        """Write the rows of the finished game at a table."""
        _write_rows(self.game)(table.game, self.record, table.work, table.places, table.numbers, table.wins)

    def plies(self, table: Table, deal: int, number: int, seatings: npt.NDArray[np.int16]) -> Iterator[int]:
        """Play seating `number` on a deal and yield every action just before it is carried out.

        The game is the one that `play` plays: same cards, same random streams, same choices.
        """
        state, work, places = table.game, table.work, table.places
        work.stream = stream(self.key, np.uint64(deal), DEAL)
        self.game.call("deal")(state, self.record, work)
        choosers = [_chooser(player) for player in self.roster]
        game = places.game = deal * len(seatings) + number
        places.decisions[:] = 0
        places.forfeits[:] = 0
        places.agent[: self.players] = seatings[number]
        for seat in range(self.players):
            places.stream[seat] = stream(self.key, np.uint64(game), np.uint64(1 + seat))
        while state.actor >= 0:
            work.rollouts = 0
            began = clock.nanoseconds()
            with self._failing(table):
                action = self._ask(table, choosers)
            if is_late(work, places, began):
                action = self._forfeit(table)
            yield action
            self.game.call("step")(state, self.record, action, work)

    def _forfeit(self, table: Table) -> int:
        """Count the forfeited decision of the seat to act and return a random action for it."""
        seat = int(table.game.actor)
        table.places.forfeits[seat] += 1
        table.work.stream = table.places.stream[seat]
        action = int(self.game.call("random_action")(table.game, self.record, table.work))
        table.places.stream[seat] = table.work.stream
        return action

    def _ask(self, table: Table, choosers: Sequence[Callable[[Any], Any] | None]) -> int:
        """Return the action of the seat to act."""
        state, work, places = table.game, table.work, table.places
        seat = int(state.actor)
        agent = int(places.agent[seat])
        places.decisions[seat] += 1
        chooser = choosers[agent]
        if chooser:
            source = PlainStream(int(places.stream[seat]))
            view = self.game.service("view")(state, self.record, self.deck, seat, source.draw())
            places.stream[seat] = source.state
            choice = chooser(view)
            action = view.action_id(choice)
            if action is None:
                raise _NotLegal(f"returned {choice!r}, which is none of the view's actions")
            return int(action)
        work.stream = places.stream[seat]
        shown, own = state, work
        if self.kinds[agent] == OWN:
            shown, own = table.shown, table.works[AGENT]
            self.game.call("copy")(shown, state)
            self.game.call("determinize")(shown, self.record, seat, work)
            table.works[AGENT : AGENT + 1] = 0
            own.stream = work.stream
        action = int(self.agents[agent](shown, self.record, own, self.parameters[agent]))
        places.stream[seat], work.rollouts = own.stream, own.rollouts
        n = int(self.game.call("legal")(state, self.record, work))
        if action not in work.legal[:n]:
            raise _NotLegal(f"returned {action}, which is no legal action")
        return action

    @contextlib.contextmanager
    def _failing(self, table: Table) -> Iterator[None]:
        """Turn whatever a user's agent raises into an error that says which agent raised it, and where."""
        try:
            yield
        except _NotLegal as fault:
            raise self._failed(table, str(fault)) from None
        except (Exception, SystemExit) as fault:  # an agent must not end the run as if it had an answer
            raise self._failed(table, f"raised {type(fault).__name__}: {fault}") from fault

    def _failed(self, table: Table, what: str) -> AgentError:
        """Word a fault: which agent, in which game, at which seat and ply."""
        seat = int(table.game.actor)
        agent = self.roster[int(table.places.agent[seat])]
        ply = int(table.places.decisions[: self.players].sum())
        game = int(table.places.game)
        return AgentError(what, f"agent {agent.text!r}, {self.players} players, game {game}, seat {seat}, ply {ply}")
