"""Play games of one agent against itself and watch every card: one compiled loop from deals to sums.

Each deal is played once as it is, and what becomes of each card is tallied. Then, where it is asked for, it is played
again for each card with one thing changed at one seat, all seats in turn: a random card of the opening hand is
exchanged for a copy of the card, or the seat's agent may not use the card. Cards and random streams are the same, so
what differs is what the change made. Sums over groups of deals are added up on the way: no rows are kept.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from agents.catalog import Player
from experiments import match
from experiments.balance.totals import GROUPS
from experiments.match import DEALT, LAB, PLACES, SHOWN, TRUSTED, ask, set_up, start
from experiments.sums import WIN_UNIT
from gameapi import kernel
from gameapi.errors import AgentError, UserError
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import pointer, specialise
from gameapi.kernel import MAX_SEATS, TALLY, PlayerType, TallyType
from gameapi.rng import run_key, stream

GAME, HIDDEN = 0, 3  # states: the game, and one in which a card is hidden; `match` names those between
NOBODY, EXCHANGE = -1, -1  # a change at no seat, the change that is no ban
PLAYED, NOT_CHANGED, ILLEGAL = 0, 1, 2  # how a game ended
PURPOSE = 16  # of the stream that an exchange draws from: this and the card's number
SEATS, WINS, SCORE = range(3)  # sums of a condition: seats that meet it, their wins in sixtieths, their scores
PAIRS, HELD, WINS_APART, SCORE_APART = range(4)  # sums of a change: deals, those where the card came up, differences

CHANGE = np.dtype(
    [
        ("seat", np.int64),  # whose hand or choices are changed, NOBODY
        ("card", np.int64),
        ("ban", np.int64),  # in the order of Game.bans, EXCHANGE
        ("hand", np.int64),  # which of the hands that a game deals is exchanged from
        ("stream", np.uint64),  # what an exchange draws from
    ],
    align=True,
)
RESULT = np.dtype([("win", np.int64, (MAX_SEATS,)), ("score", np.int64, (MAX_SEATS,))], align=True)


class Sums(NamedTuple):
    """Sums over groups of deals, int64; deal d is in group d % GROUPS.

    Attributes:
        seats: (GROUPS, 3), SEATS, WINS and SCORE of all seats.
        counts: (GROUPS, cards, counts), copies at all seats, in the order of `Game.counts`.
        conditions: (GROUPS, cards, conditions, 3), SEATS, WINS and SCORE of the seats that meet a condition.
        changes: (GROUPS, cards, changes, 4), PAIRS, HELD, WINS_APART and SCORE_APART of the exchange, then of the bans.
    """

    seats: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    conditions: npt.NDArray[np.int64]
    changes: npt.NDArray[np.int64]


# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def decide(states: Any, rules: Any, works: Any, agents: Any, roster: Any, places: Any, change: Any) -> int:
    """Return the action of the seat to act, whose agent a card may be hidden from; -1 where it is illegal."""
    state, work = states[GAME], works[LAB]
    seat = np.int64(state.actor)
    work.stream = places.stream[seat]
    work.rollouts = 0
    if places.kind[seat] != TRUSTED:
        action = ask(state, states[SHOWN], rules, works, agents[0], roster[0])
    elif seat == change.seat and change.ban != EXCHANGE:
        hidden = states[HIDDEN]
        kernel.copy(hidden, state)
        kernel.withhold(hidden, rules, change.card, change.ban)
        action = agents[0](hidden, rules, work, roster[0])
    else:
        action = agents[0](state, rules, work, roster[0])
    places.stream[seat] = work.stream
    return action


def play_watched(
    states: Any, rules: Any, works: Any, agents: Any, roster: Any, places: Any, change: Any, tally: Any
) -> int:
    """Play a game as it was dealt and tally it; return how it ended."""
    state = states[GAME]
    tally.n[:] = 0
    kernel.begin_tally(state, rules, tally)
    while state.actor >= 0:
        action = decide(states, rules, works, agents, roster, places, change)
        if action < 0:
            return ILLEGAL
        kernel.tally_step(state, rules, action, works[LAB], tally)
    return PLAYED


def play_changed(states: Any, rules: Any, works: Any, agents: Any, roster: Any, places: Any, change: Any) -> int:
    """Play a game with something changed; return how it ended."""
    state, work = states[GAME], works[LAB]
    to_do = change.ban == EXCHANGE
    while state.actor >= 0:
        if to_do and kernel.hand_number(state) == change.hand:
            to_do = False
            work.stream = change.stream
            if not kernel.exchange(state, rules, change.seat, change.card, work):
                return NOT_CHANGED
        action = decide(states, rules, works, agents, roster, places, change)
        if action < 0:
            return ILLEGAL
        kernel.step(state, rules, action, work)
    return NOT_CHANGED if to_do else PLAYED


def note_result(states: Any, rules: Any, work: Any, result: Any) -> None:
    """Write what each seat has won of a finished game, in sixtieths, and scored."""
    kernel.returns(states[GAME], rules, work)
    for seat in range(rules.players):
        result.win[seat] = np.int64(round(work.win[seat] * WIN_UNIT))
        result.score[seat] = work.score[seat]


def add_watched(rules: Any, result: Any, tally: Any, meets: Any, seats: Any, counts: Any, conditions: Any) -> None:
    """Add what was seen of a game to the sums of its group, see `Sums`; `meets` is that of `CardMatch`."""
    for seat in range(rules.players):
        seats[SEATS] += 1
        seats[WINS] += result.win[seat]
        seats[SCORE] += result.score[seat]
        for card in range(counts.shape[0]):
            for i in range(counts.shape[1]):
                counts[card, i] += tally.n[i, seat, card]
            for k in range(meets.shape[0]):
                for i in range(counts.shape[1]):
                    if meets[k, i] and tally.n[i, seat, card] > 0:
                        conditions[card, k, SEATS] += 1
                        conditions[card, k, WINS] += result.win[seat]
                        conditions[card, k, SCORE] += result.score[seat]
                        break


def came_up(tally: Any, seat: int, card: int, n_counts: int) -> bool:
    """Tell whether a seat had anything to do with a card."""
    n = 0
    for i in range(n_counts):
        n += tally.n[i, seat, card]
    return n > 0


def add_changed(results: Any, seat: int, change: Any) -> None:
    """Add what a change made of a seat's wins and score to the sums of the card and change."""
    change[HELD] += 1
    change[WINS_APART] += results[1].win[seat] - results[0].win[seat]
    change[SCORE_APART] += results[1].score[seat] - results[0].score[seat]


def play_cards(
    states: Any,
    rules: Any,
    works: Any,
    agents: Any,
    roster: Any,
    kinds: Any,
    places: Any,
    seating: Any,
    key: Any,
    deals: Any,
    change: Any,
    tally: Any,
    results: Any,
    used: Any,
    meets: Any,
    seats: Any,
    counts: Any,
    conditions: Any,
    changes: Any,
) -> int:
    """Play deals and add up what is seen; return how the last game ended.

    `deals` are the first deal, how many there are, and from which on nothing is changed; `used` is 1 for the cards that
    are in the deck, `results` scratch.
    """
    players, game = np.int64(rules.players), states[GAME]
    for deal in range(deals[0], deals[0] + deals[1]):
        group = deal % GROUPS
        set_up(states[DEALT], rules, works[LAB], key, deal)
        start(game, states[DEALT], rules, seating, kinds, key, deal, places)
        change.seat = NOBODY
        if play_watched(states, rules, works, agents, roster, places, change, tally) == ILLEGAL:
            return ILLEGAL
        note_result(states, rules, works[LAB], results[0])
        add_watched(rules, results[0], tally, meets, seats[group], counts[group], conditions[group])
        if deal >= deals[2]:
            continue
        for card in range(used.shape[0]):
            if not used[card]:
                continue
            change.card = card
            change.seat = (deal + card) % players
            change.hand = deal // players % kernel.n_hands(rules)
            change.stream = stream(key, np.uint64(deal), np.uint64(PURPOSE + card))
            for kind in range(changes.shape[2]):
                change.ban = EXCHANGE if kind == 0 else kind - 1
                sums = changes[group, card, kind]
                if kind > 0 and not came_up(tally, change.seat, card, counts.shape[2]):
                    sums[PAIRS] += 1  # the ban changes nothing
                    continue
                start(game, states[DEALT], rules, seating, kinds, key, deal, places)
                ended = play_changed(states, rules, works, agents, roster, places, change)
                if ended == ILLEGAL:
                    return ILLEGAL
                if ended == PLAYED:
                    sums[PAIRS] += 1
                    note_result(states, rules, works[LAB], results[1])
                    add_changed(results, change.seat, sums)
    return PLAYED


# ---- Python ---------------------------------------------------------------------------------------------------------


@functools.cache
def compiled_loop(game: Game) -> Callable[..., int]:
    """Return the compiled `play_cards` of a game."""
    layout, integer = game.layout, types.int64
    state, rules, work, places = layout.StateType, layout.RulesType, layout.WorkType, pointer(PLACES)
    agents: Any = types.Tuple((types.FunctionType(game.agent_signature),))
    table = (types.Array(state, 1, "C"), rules, types.Array(work, 1, "C"), agents, types.Array(PlayerType, 1, "C"))
    plan = (integer[::1], places, types.int16[::1], types.uint64, integer[::1], pointer(CHANGE), TallyType)
    sums = (integer[:, ::1], integer[:, ::1], integer[:, :, ::1], integer[:, :, :, ::1], integer[:, :, :, ::1])
    signature = integer(*table, *plan, types.Array(pointer(RESULT), 1, "C"), integer[::1], *sums)
    parts = (ask, set_up, start, decide, play_watched, play_changed, note_result, add_watched, came_up, add_changed)
    theirs = {name: vars(match)[name] for name in ("AGENT", "EMPTY", "DEAL", "assign")}  # what parts of `match` name
    bound = specialise(play_cards, game.name, parts=parts, kernel=game.kernels, **theirs)
    loop: Callable[..., int] = compiled(signature)(bound)
    return loop


class CardMatch:
    """One agent at all seats of tables of a fixed number of players, under fixed rules and deck."""

    def __init__(
        self,
        game: Game,
        rules: Any,
        deck: Any,
        players: int,
        player: Player,
        seed: int,
        conditions: Sequence[Sequence[str]] = (),
        bans: bool = True,
    ) -> None:
        """Prepare; compiles or loads the game's kernels.

        Args:
            game: the game.
            rules: its rules.
            deck: its deck.
            players: seats.
            player: who plays.
            seed: decides deals and choices.
            conditions: for each the counts of which one above 0 makes a seat meet it.
            bans: whether to play with bans too; an agent that plays games out in its head cannot.

        Raises:
            UserError: rules and deck cannot be played by so many, or the agent is a plain Python one.
        """
        if player.kernel is None:
            raise UserError("is plain Python, too slow to watch its cards; give a compiled agent", player.text)
        self.game, self.players, self.player = game, players, player
        self.record = game.record(rules, deck, players)
        self.record.coupled = 1
        self.key = run_key(seed, players)
        kinds = game.service("cards")(deck, players)
        self.used = np.array([copies > 0 for _, _, copies in kinds], np.int64)
        names = [count.name for count in game.counts]
        self.meets = np.array([[name in met for name in names] for met in conditions], np.int64).reshape(-1, len(names))
        self.n_changes = 1 + (len(game.bans) if bans else 0)
        self.loop = compiled_loop(game)

    def play(self, first_deal: int, n_deals: int, n_changed: int = 0) -> Sums:
        """Play deals first_deal .. first_deal + n_deals - 1; those below `n_changed` with changes as well.

        Raises:
            AgentError: a user's agent returned an illegal action.
        """
        layout, n_cards = self.game.layout, len(self.used)
        places = np.zeros(1, PLACES).view(np.recarray)
        made = Sums(
            np.zeros((GROUPS, 3), np.int64),
            np.zeros((GROUPS, n_cards, self.meets.shape[1]), np.int64),
            np.zeros((GROUPS, n_cards, len(self.meets), 3), np.int64),
            np.zeros((GROUPS, n_cards, self.n_changes, 4), np.int64),
        )
        ended = self.loop(
            np.zeros(4, layout.STATE).view(np.recarray),
            self.record[0],
            np.zeros(3, layout.WORK).view(np.recarray),
            (self.player.kernel,),
            self.player.record,
            np.array([TRUSTED if self.player.trusted else match.OWN], np.int64),
            places[0],
            np.zeros(self.players, np.int16),
            self.key,
            np.array([first_deal, n_deals, n_changed], np.int64),
            np.zeros(1, CHANGE).view(np.recarray)[0],
            np.zeros(1, TALLY).view(np.recarray)[0],
            np.zeros(2, RESULT).view(np.recarray),
            self.used,
            self.meets,
            *made,
        )
        if ended == ILLEGAL:
            game = int(places.game[0])
            place = f"agent {self.player.text!r}, {self.players} players, game {game}"
            raise AgentError("returned an illegal action", place)
        return made
