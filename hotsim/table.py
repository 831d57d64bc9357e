"""One game of Hot Heads on the kernel, step by step."""

from __future__ import annotations

import itertools
from typing import Any

from numba import types

from gameapi.jit import for_python
from gameapi.rng import PlainStream
from gameapi.table import GameTable
from hotsim import actions, cards, deal, layout, scoring, trace
from hotsim.actions import Action
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.game import GAME
from hotsim.layout import TYPES
from hotsim.reference import Setup
from hotsim.rules import DUMMY_PILE_SIZE, Rules, hand_sizes
from hotsim.view import PHASES, Column, View, read_column, read_hand


class Table(GameTable[Action, Setup, View]):
    """A game of Hot Heads in progress.

    Attributes:
        events: what has happened, as the events of a trace.
        discards: every discarded card, in order.
    """

    game, traces, setup_type = GAME, trace.TRACES, Setup
    rules: Rules
    deck: Deck

    def _deal(self) -> None:
        """Deal, and put the cards that the game will not see in random order too, for who looks at the whole deal."""
        super()._deal()
        source = PlainStream(int(self._work.stream))
        first = int(self._record.draw_start) + int(self.state.storm_at[int(self._record.storms) - 1])
        rest = [int(face) for face in self.state.cards[first : int(self._record.n_cards)]]
        for i in range(len(rest) - 1, 0, -1):
            j = source.below(i + 1)
            rest[i], rest[j] = rest[j], rest[i]
        self.state.cards[first : first + len(rest)] = rest

    def _lay_out(self, setup: Setup) -> None:
        setup = trace.read_setup(trace.setup_entry(setup), self.rules, self.deck, self.players)
        state, faces = self.state, self.deck.faces
        groups = [*(setup.dummy or []), *setup.hands, [card for card in setup.draw_pile if card], setup.returned]
        order = [faces.index(card) for group in groups for card in group if card is not None]
        state.cards[: len(order)] = order
        storms = [i for i, card in enumerate(setup.draw_pile) if card is None]
        state.storm_at[: len(storms)] = [at - k for k, at in enumerate(storms)]
        for_python(deal.hand_out, types.void(layout.StateType, layout.RulesType))(state, self._record)

    def _read_setup(self) -> Setup:
        state, record, faces = self.state, self._record, self.deck.faces
        order = [faces[int(face)] for face in state.cards[: int(record.n_cards)]]
        hands_at, draw_at = int(record.dummy_cards), int(record.draw_start)
        ends = itertools.accumulate(hand_sizes(self.rules, self.players), initial=hands_at)
        hands = [order[at:end] for at, end in itertools.pairwise(ends)]
        piles = [order[at : at + DUMMY_PILE_SIZE] for at in range(0, hands_at, DUMMY_PILE_SIZE)]
        pile: list[Card | None] = list(order[draw_at : draw_at + int(record.draw_size)])
        for k, at in enumerate(int(at) for at in state.storm_at[: int(record.storms)]):
            pile.insert(at + k, None)
        return Setup(hands, piles or None, order[draw_at + int(record.draw_size) :], pile)

    def _begin(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.discards: list[Card] = []
        self._note_draw()

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

    def _play(self, action: Action, number: int) -> None:
        seat, before, storms, picks = self.actor, self.columns, self.storms, self._picks()
        self._step(number)
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

    def result(self) -> dict[str, Any]:
        """Return the `result` of a trace, as if the game ended now (HH14-HH16)."""
        winners, columns = self._winners(), self.columns
        ceiling = for_python(scoring.ceiling, types.int64(layout.StateType, layout.RulesType, types.int64))
        ceilings = [int(ceiling(self.state, self._record, t)) for t in range(TYPES)]
        return {
            "columns": [[column and column.as_dict() for column in row] for row in columns],
            "altitudes": [[column and column.altitude for column in row] for row in columns],
            "flew_away": [
                [column is not None and column.altitude == ceilings[t] for t, column in enumerate(row)]
                for row in columns
            ],
            "scores": [int(score) for score in self._work.score[: self.players]],
            "balloon_cards": [int(n) for n in self._work.tiebreak[: self.players]],
            "winners": winners,
        }


def _taken(before: Column | None, after: Column | None, end: str) -> list[Card]:
    """Return what sabotage took from a column, top to bottom, helicopters first."""
    assert before is not None
    if after is None:
        return [cards.HELI] * before.helicopters + list(before.cards)
    if after.helicopters < before.helicopters:
        return [cards.HELI]
    return [before.cards[0] if end == actions.TOP else before.cards[-1]]
