"""One game on the kernel, step by step: for notebooks and traces, and to hold against the reference engine."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from gameapi.errors import IllegalError
from gameapi.jit import kernel
from gameapi.rng import DEAL, PlainStream, run_key, stream
from hotsim import actions, cards, deal, layout, scoring, show
from hotsim import deck as decks
from hotsim.actions import Action
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.game import GAME
from hotsim.layout import TYPES
from hotsim.reference import Setup
from hotsim.rules import DUMMY_PILE_SIZE, Rules
from hotsim.view import PHASES, Column, View, read_column, read_hand, read_legal


class Table:
    """A game of Hot Heads in progress.

    Attributes:
        rules, deck, players: what is played.
        setup: what the shuffles brought.
        state: the kernel's state record, dtype `hotsim.layout.STATE`.
        events: what has happened, as the events of a trace.
        discards: every discarded card, in order.
    """

    def __init__(
        self,
        players: int = 4,
        rules: Rules | None = None,
        deck: Deck | None = None,
        seed: int = 1,
        number: int = 0,
        setup: Setup | None = None,
    ) -> None:
        """Deal a game and draw for seat 0.

        Args:
            players: 2 to 5.
            rules: default rules where None.
            deck: default deck where None.
            seed: of the run; deal `number` of a tournament with this seed has the same cards.
            number: of the deal.
            setup: cards to play instead of a random deal; its cards must be the deck's.

        Raises:
            UserError: rules and deck cannot be played by so many (HH4).
        """
        self.rules, self.deck, self.players = rules or Rules(), deck or decks.default(), players
        self._record = layout.record(self.rules, self.deck, players)[0]
        self._work = np.zeros(1, layout.WORK).view(np.recarray)[0]
        self.state = np.zeros(1, layout.STATE).view(np.recarray)[0]
        if setup is None:
            self._work.stream = stream(run_key(seed, players), np.uint64(number), DEAL)
            GAME.call("deal")(self.state, self._record, self._work)
            self._shuffle_rest()
        else:
            _write_setup(self.state, self._record, self.deck, setup)
        self.setup = _read_setup(self.state, self._record, self.deck)
        self.events: list[dict[str, Any]] = []
        self.discards: list[Card] = []
        self._note_draw()

    def _shuffle_rest(self) -> None:
        """Put the cards that the game will not see in random order too, for whoever looks at the whole deal."""
        source = PlainStream(int(self._work.stream))
        first = int(self._record.draw_start) + int(self.state.storm_at[int(self._record.storms) - 1])
        rest = [int(face) for face in self.state.cards[first : int(self._record.n_cards)]]
        for i in range(len(rest) - 1, 0, -1):
            j = source.below(i + 1)
            rest[i], rest[j] = rest[j], rest[i]
        self.state.cards[first : first + len(rest)] = rest

    @property
    def actor(self) -> int:
        """The seat to act, -1 when the game is over."""
        return int(self.state.actor)

    @property
    def phase(self) -> str:
        """Either "play", "pick" or "over"."""
        return PHASES[int(self.state.phase)]

    @property
    def storms(self) -> int:
        """Storms drawn so far."""
        return int(self.state.storms)

    @property
    def hands(self) -> list[list[Card]]:
        """Every player's hand, in canonical order."""
        return [read_hand(self.state, seat, self.deck.faces) for seat in range(self.players)]

    @property
    def columns(self) -> list[list[Column | None]]:
        """For each seat, the dummy last, its columns of types 1 to 4."""
        faces = self.deck.faces
        seats = range(int(self._record.seats))
        return [[read_column(self.state, TYPES * s + t, faces) for t in range(TYPES)] for s in seats]

    def legal(self) -> list[Action]:
        """Return the actor's legal actions; none when the game is over."""
        return [] if self.actor < 0 else read_legal(self.state, self._record, self.deck.faces)

    def view(self, seat: int | None = None) -> View:
        """Return what a seat sees, by default the actor, and seat 0 when the game is over."""
        return View(self.state, self._record, self.deck, max(self.actor, 0) if seat is None else seat)

    def step(self, action: Action) -> None:
        """Play an action of the actor and go on to the next decision.

        Raises:
            IllegalError: the rules do not allow it now; nothing has changed then.
        """
        if action not in self.legal():
            what = actions.label(action) if self.actor >= 0 else "cannot act, the game is over"
            raise IllegalError(f"seat {self.actor} {what}, which is not legal now")
        seat, before, storms, picks = self.actor, self.columns, self.storms, self._picks()
        GAME.call("step")(self.state, self._record, actions.encode(action, self.deck.faces), self._work)
        if action.kind == actions.PICK:
            picks[seat].append(action.card)  # type: ignore[arg-type]
            if self.phase != "pick" or self.storms != storms or not sum(self.state.n_picked):
                self._note_reveal(storms, picks)
        else:
            self._note_play(seat, action, before)
        if self.phase != "over" and not sum(self.state.n_picked) and self._drawn_since():
            self._note_draw()

    def _picks(self) -> list[list[Card]]:
        faces = self.deck.faces
        n = self.state.n_picked
        return [[faces[int(f)] for f in self.state.picks[seat, : int(n[seat])]] for seat in range(self.players)]

    def _drawn_since(self) -> bool:
        """Tell whether a card or storm has been drawn that no event notes yet."""
        noted = sum(event["type"] == "draw" for event in self.events)
        return bool(int(self.state.drawn) + self.storms > noted)

    def _note_draw(self) -> None:
        state = self.state
        if self.phase == "pick":
            seat, token = int(state.drawer), cards.STORM
        else:
            face = int(state.cards[int(self._record.draw_start) + int(state.drawn) - 1])
            seat, token = self.actor, cards.format(self.deck.faces[face])
        self.events.append({"type": "draw", "seat": seat, "card": token})

    def _note_play(self, seat: int, action: Action, before: list[list[Column | None]]) -> None:
        if action.card is None:
            self.events.append({"type": "pass", "seat": seat})
            return
        event: dict[str, Any] = {"type": "play", "seat": seat, "card": cards.format(action.card)}
        if action.kind == actions.SABOTAGE:
            self.discards.append(action.card)
        if action.to is not None and action.column is not None:
            event["to"] = action.to
            if not cards.is_typed(action.card):
                event["column"] = action.column
            if action.end is not None:
                place = action.to, action.column - 1
                taken = _taken(before[place[0]][place[1]], self.columns[place[0]][place[1]], action.end)
                self.discards += taken
                event |= {"end": action.end, "discarded": [cards.format(card) for card in taken]}
        self.events.append(event)

    def _note_reveal(self, number: int, picks: list[list[Card]]) -> None:
        piles = self.setup.dummy
        pile = piles[number - 1] if piles and number <= len(piles) else []
        shown = []
        for chosen in [*picks, pile]:
            self.discards += [card for card in chosen if not cards.is_typed(card)]
            shown.append([cards.format(card) for card in chosen])
        dummy = None if piles is None else shown[-1]
        self.events.append({"type": "storm", "number": number, "chosen": shown[: self.players], "dummy": dummy})

    def returns(self) -> list[float]:
        """Return every player's share of the win as if the game ended now: 1/n for each of n winners (HH16)."""
        GAME.call("returns")(self.state, self._record, self._work)
        return [float(share) for share in self._work.win[: self.players]]

    def result(self) -> dict[str, Any]:
        """Return the `result` of a trace, as if the game ended now (HH14-HH16)."""
        shares = self.returns()
        columns = self.columns
        ceilings = [int(_ceiling()(self.state, self._record, t)) for t in range(TYPES)]
        return {
            "columns": [[column and column.as_dict() for column in row] for row in columns],
            "altitudes": [[column and column.altitude for column in row] for row in columns],
            "flew_away": [
                [column is not None and column.altitude == ceilings[t] for t, column in enumerate(row)]
                for row in columns
            ],
            "scores": [int(score) for score in self._work.score[: self.players]],
            "balloon_cards": [int(n) for n in self._work.tiebreak[: self.players]],
            "winners": [seat for seat, share in enumerate(shares) if share],
        }

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Return what a seat knows, as `Reference.knowledge` does."""
        return self.view(seat).as_dict()

    def __str__(self) -> str:
        """Return the table as the actor sees it."""
        return str(self.view())

    def _repr_html_(self) -> str:
        return show.state_html(self.view())


def _taken(before: Column | None, after: Column | None, end: str) -> list[Card]:
    """Return what sabotage took from a column, top to bottom, helicopters first."""
    assert before is not None
    if after is None:
        return [cards.HELI] * before.helicopters + list(before.cards)
    if after.helicopters < before.helicopters:
        return [cards.HELI]
    return [before.cards[0] if end == actions.TOP else before.cards[-1]]


@functools.cache
def _ceiling() -> Callable[..., int]:
    """Return the compiled rule of HH14 for a call from Python."""
    signature = types.int64(layout.StateType, layout.RulesType, types.int64)
    return kernel(signature)(getattr(scoring.ceiling, "py_func", scoring.ceiling))  # type: ignore[no-any-return]


@functools.cache
def _hand_out() -> Callable[..., None]:
    """Return the compiled dealing of hands for a call from Python."""
    signature = types.void(layout.StateType, layout.RulesType)
    return kernel(signature)(getattr(deal.hand_out, "py_func", deal.hand_out))  # type: ignore[no-any-return]


def _read_setup(state: Any, record: Any, deck: Deck) -> Setup:
    """Return the deal that a state record starts from."""
    faces = deck.faces
    order = [faces[int(face)] for face in state.cards[: int(record.n_cards)]]
    hands_at, draw_at, size = int(record.dummy_cards), int(record.draw_start), int(record.hand_size)
    hands = [order[at : at + size] for at in range(hands_at, draw_at, size)]
    piles = [order[at : at + DUMMY_PILE_SIZE] for at in range(0, hands_at, DUMMY_PILE_SIZE)]
    pile: list[Card | None] = list(order[draw_at : draw_at + int(record.draw_size)])
    for k, at in enumerate(int(at) for at in state.storm_at[: int(record.storms)]):
        pile.insert(at + k, None)
    return Setup(hands, piles or None, order[draw_at + int(record.draw_size) :], pile)


def _write_setup(state: Any, record: Any, deck: Deck, setup: Setup) -> None:
    """Lay out a given deal and start the game."""
    faces = deck.faces
    groups = [*(setup.dummy or []), *setup.hands, [card for card in setup.draw_pile if card], setup.returned]
    order = [faces.index(card) for group in groups for card in group if card is not None]
    state.cards[: len(order)] = order
    storms = [i for i, card in enumerate(setup.draw_pile) if card is None]
    state.storm_at[: len(storms)] = [at - k for k, at in enumerate(storms)]
    _hand_out()(state, record)
