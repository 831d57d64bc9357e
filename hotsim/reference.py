"""Hot Heads in plain Python: lists and dictionaries, one rule at a time, each with its ruling (HH1 to HH16).

This engine is a statement of the rules to be read and compared with; it is not built for speed.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gameapi.errors import IllegalError
from hotsim import cards
from hotsim.actions import BOTTOM, PASS, PICK, PLAY, SABOTAGE, TOP, Action, label
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.rules import DUMMY_PILE_SIZE, DUMMY_PILES, Rules, counts, hand_sizes, has_dummy, stack_sizes

OVER = "over"
"""The phase after the last storm; the others are ``"play"`` and ``"pick"``."""

NOBODY = -1
"""The actor of a game that is over."""


class Setup(NamedTuple):
    """What the shuffles brought.

    Attributes:
        hands: The cards dealt to each seat.
        dummy: The dummy's piles, the first to be revealed first; None where there is no dummy.
        returned: The cards that went back to the box.
        draw_pile: The cards to draw, topmost first; None is a storm.
    """

    hands: list[list[Card]]
    dummy: list[list[Card]] | None
    returned: list[Card]
    draw_pile: list[Card | None]


@dataclass
class Column:
    """A column on the table (HH7).

    Attributes:
        cards: Balloons and ballast from top to bottom.
        helicopters: The number of helicopters linked to it (HH8); they fly above the cards.
    """

    cards: list[Card] = field(default_factory=list)
    helicopters: int = 0

    @property
    def altitude(self) -> int:
        """The sum of the cards' values; helicopters carry none."""
        return sum(card.value for card in self.cards)

    def add(self, card: Card) -> None:
        """Lay a balloon at the top end or ballast at the bottom end, whatever lies there (HH7)."""
        if card.kind == "balloon":
            self.cards.insert(0, card)
        else:
            self.cards.append(card)

    def copy(self) -> "Column":
        """Give a column that can change without this one."""
        return Column(list(self.cards), self.helicopters)


def deal(rules: Rules, deck: Deck, players: int, rng: random.Random) -> Setup:
    """Shuffle and deal (HH2) and build the draw pile (HH3).

    Args:
        rules: Rules that `hotsim.rules.check` accepts.
        deck: The deck list.
        players: The number of players.
        rng: The source of all chance.

    Returns:
        The setup of one game.
    """
    shuffled = deck.cards()
    rng.shuffle(shuffled)
    shares = counts(rules, deck, players)
    hands = [_take(shuffled, size) for size in hand_sizes(rules, players)]
    dummy = [_take(shuffled, DUMMY_PILE_SIZE) for _ in range(DUMMY_PILES)] if has_dummy(rules, players) else None
    returned = _take(shuffled, shares.returned)
    stacks: list[list[Card | None]] = []
    for size in stack_sizes(rules, shares.draw_pile):
        stack: list[Card | None] = [*_take(shuffled, size), None]
        rng.shuffle(stack)
        stacks.append(stack)
    separate = rules.storms - rules.combined_stacks
    bottom = [card for stack in stacks[separate:] for card in stack]
    rng.shuffle(bottom)
    top = [card for stack in stacks[:separate] for card in stack]
    return Setup(hands, dummy, returned, top + bottom)


class Reference:
    """One game, played action by action.

    The draws that need no decision happen by themselves: the game begins with seat 0's first draw (HH1), and every
    turn that ends is followed by the next seat's draw (HH5).

    Attributes:
        rules: The rules of this game.
        players: The number of players; seats are numbered from 0.
        setup: What was dealt.
        seats: The number of seats with columns: the players, and the dummy last where there is one.
        phase: ``"play"``, ``"pick"`` or ``"over"``.
        actor: The seat to act, or -1 when the game is over.
        hands: The hand of each player, in the order in which the cards came.
        columns: For each seat, the dummy last, the four columns, types 1 to 4; None where there is none.
        picks: What each player has picked in the running storm phase, in order; empty outside of one.
        discards: Every discarded card, in order.
        storms: The number of storms drawn.
        drawn: The number of cards drawn, storms included.
        dummy: The dummy's piles; None where there is no dummy.
        draw_pile: The whole draw pile, topmost first, with what has been drawn; None is a storm.
        events: What has happened, as the events of a trace with `discarded` filled in.
    """

    def __init__(self, rules: Rules, players: int, setup: Setup) -> None:
        """Set the table and draw for seat 0.

        Args:
            rules: The rules; storms in the draw pile must be as many as they say.
            players: The number of players, 2 to 5.
            setup: What was dealt; it is copied.
        """
        self.rules = rules
        self.players = players
        self.setup = setup
        self.seats = players + has_dummy(rules, players)
        self.hands = [list(hand) for hand in setup.hands]
        self.dummy = None if setup.dummy is None else [list(pile) for pile in setup.dummy]
        self.draw_pile = list(setup.draw_pile)
        self.columns: list[list[Column | None]] = [[None] * len(cards.TYPES) for _ in range(self.seats)]
        self.picks: list[list[Card]] = [[] for _ in range(players)]
        self.discards: list[Card] = []
        self.storms = 0
        self.drawn = 0
        self.events: list[dict[str, Any]] = []
        self.phase = PLAY
        self.actor = 0
        self._turn = 0  # the seat whose turn it is; during a storm phase the seat that drew the storm
        self._draw()

    # What can be done

    def legal(self) -> list[Action]:
        """List the distinct legal actions of the seat to act.

        Returns:
            Actions by card, then seat, column, and top before bottom; a sabotage without effect comes before the
            others; a pass stands alone (HH10). Empty when the game is over.
        """
        if self.phase == OVER:
            return []
        faces = sorted(set(self.hands[self.actor]), key=cards.order)
        if self.phase == PICK:
            return [Action(PICK, card) for card in faces]
        return [action for card in faces for action in self._uses(card)] or [Action(PASS)]

    def step(self, action: Action) -> None:
        """Carry out an action of the seat to act, and all draws and reveals up to the next decision.

        Args:
            action: What to do.

        Raises:
            IllegalError: The rules do not allow it now; says why. Nothing has changed then.
        """
        if self.phase == OVER:
            raise IllegalError("the game is over")
        _require_form(action)
        if self.phase == PICK:
            self._pick(action)
        else:
            self._turn_action(action)

    def copy(self) -> "Reference":
        """Give a game that goes on from here without touching this one."""
        new = object.__new__(Reference)
        new.__dict__.update(self.__dict__)
        new.hands = [list(hand) for hand in self.hands]
        new.columns = [[column and column.copy() for column in row] for row in self.columns]
        new.picks = [list(picks) for picks in self.picks]
        new.discards = list(self.discards)
        new.events = list(self.events)
        return new

    # A turn

    def _draw(self) -> None:
        """Draw for the seat whose turn it is; a storm begins its phase (HH5)."""
        card = self.draw_pile[self.drawn]
        self.drawn += 1
        token = cards.STORM if card is None else cards.format(card)
        self.events.append({"type": "draw", "seat": self._turn, "card": token})
        self.actor = self._turn
        if card is None:
            self.storms += 1
            self.phase = PICK
        else:
            self.hands[self._turn].append(card)
            self.phase = PLAY

    def _uses(self, card: Card) -> list[Action]:
        """List what can be done with a card of the hand on a turn."""
        if cards.is_typed(card):
            return [Action(PLAY, card, seat, card.type) for seat in range(self.seats)]
        if card != cards.SABOTAGE:
            return [Action(PLAY, card, seat, card_type) for seat, card_type in self._standing()]
        hits = [Action(SABOTAGE, card, *place, end) for place in self._standing() for end in (TOP, BOTTOM)]
        return [Action(SABOTAGE, card), *hits]

    def _standing(self) -> list[tuple[int, int]]:
        """List seat and type of every column on the table."""
        places = [(seat, card_type) for seat in range(self.seats) for card_type in cards.TYPES]
        return [place for place in places if self._at(*place)]

    def _at(self, seat: int, card_type: int) -> Column | None:
        return self.columns[seat][card_type - 1]

    def _turn_action(self, action: Action) -> None:
        """Play exactly one card, or pass where none can be played; then the next seat draws (HH5, HH10)."""
        if action.kind == PASS:
            self._require_pass()
            self.events.append({"type": "pass", "seat": self.actor})
        elif action.kind == PLAY:
            self._play(action)
        elif action.kind == SABOTAGE:
            self._sabotage(action)
        else:
            raise IllegalError(f"seat {self.actor} {label(action)}, but this is no storm phase; it has to play a card")
        self._turn = (self._turn + 1) % self.players
        self._draw()

    def _require_pass(self) -> None:
        playable = next((card for card in self.hands[self.actor] if self._uses(card)), None)
        if playable is not None:
            raise IllegalError(f"seat {self.actor} passes, but it can play {cards.format(playable)}")

    def _play(self, action: Action) -> None:
        """Lay a card: typed cards start their column, wilds and helicopters need one that stands (HH6, HH8)."""
        card = self._held(action)
        if card == cards.SABOTAGE:
            raise IllegalError("a sabotage card is no card to lay down")
        seat, card_type = self._target(action)
        if cards.is_typed(card) and card_type != card.type:
            raise IllegalError(f"{cards.format(card)} goes to column {card.type}, not to column {card_type}")
        column = self._at(seat, card_type)
        if column is None:
            if not cards.is_typed(card):
                raise IllegalError(
                    f"{cards.format(card)} cannot start a column, and seat {seat} has no column {card_type}"
                )
            column = self.columns[seat][card_type - 1] = Column()
        if card == cards.HELI:
            column.helicopters += 1
        else:
            column.add(card)
        self.hands[self.actor].remove(card)
        event = {"type": "play", "seat": self.actor, "card": cards.format(card), "to": seat}
        self.events.append(event if cards.is_typed(card) else event | {"column": card_type})

    def _sabotage(self, action: Action) -> None:
        """Discard the sabotage card, and the top or bottom card of a column if its player likes (HH9)."""
        card = self._held(action)
        if card != cards.SABOTAGE:
            raise IllegalError(f"{cards.format(card)} is no sabotage card")
        event: dict[str, Any] = {"type": "play", "seat": self.actor, "card": cards.format(card)}
        taken: list[Card] = []
        if (action.to, action.column, action.end) != (None, None, None):
            seat, card_type = self._target(action)
            if action.end not in (TOP, BOTTOM):
                raise IllegalError(f"a sabotage hits the top or the bottom of a column, not {action.end!r}")
            taken = self._hit(seat, card_type, action.end)
            discarded = [cards.format(card) for card in taken]
            event |= {"to": seat, "column": card_type, "end": action.end, "discarded": discarded}
        self.hands[self.actor].remove(cards.SABOTAGE)
        self.discards += [cards.SABOTAGE, *taken]
        self.events.append(event)

    def _hit(self, seat: int, card_type: int, end: str) -> list[Card]:
        """Take a column's top or bottom card, and all of it where only wilds or nothing is left (HH8, HH9).

        Returns:
            What is discarded, from top to bottom, helicopters first.
        """
        column = self._at(seat, card_type)
        if column is None:
            raise IllegalError(f"seat {seat} has no column {card_type} to sabotage")
        if end == TOP and self.rules.helicopter_is_top and column.helicopters:
            column.helicopters -= 1
            return [cards.HELI]
        whole = [cards.HELI] * column.helicopters + column.cards
        taken = column.cards[0] if end == TOP else column.cards[-1]
        left = column.cards[1:] if end == TOP else column.cards[:-1]
        if not any(cards.is_typed(card) for card in left):
            self.columns[seat][card_type - 1] = None
            return whole
        column.cards = left
        return [taken]

    def _held(self, action: Action) -> Card:
        card = action.card
        if card is None:
            raise IllegalError(f"a {action.kind} names a card")
        if card not in self.hands[self.actor]:
            raise IllegalError(f"seat {self.actor} does not hold {cards.format(card)}")
        return card

    def _target(self, action: Action) -> tuple[int, int]:
        seat, card_type = action.to, action.column
        if seat is None or not 0 <= seat < self.seats:
            raise IllegalError(f"there is no seat {seat}; expected 0 to {self.seats - 1}")
        if card_type is None or card_type not in cards.TYPES:
            raise IllegalError(f"there is no column {card_type}; expected 1 to {len(cards.TYPES)}")
        return seat, card_type

    # A storm phase

    def _pick(self, action: Action) -> None:
        """Pick one card, seat after seat from the one that drew the storm; the last pick reveals all (HH11, HH13)."""
        if action.kind != PICK:
            raise IllegalError(f"seat {self.actor} {label(action)}, but this is a storm phase; it has to pick a card")
        card = self._held(action)
        self.hands[self.actor].remove(card)
        self.picks[self.actor].append(card)
        if len(self.picks[self.actor]) < self.storms:
            return
        self.actor = (self.actor + 1) % self.players
        if self.actor == self._turn:
            self._reveal()

    def _reveal(self) -> None:
        """Resolve the picks and the dummy's pile; then the game ends or the turn goes on with a draw (HH5, HH12)."""
        pile = None if self.dummy is None else self._pile()
        event = {"type": "storm", "number": self.storms, "chosen": [_tokens(picks) for picks in self.picks]}
        self.events.append(event | {"dummy": None if pile is None else _tokens(pile)})
        for seat, chosen in enumerate([*self.picks, pile or []][: self.seats]):
            for card in chosen:
                self._place(seat, card)
        self.picks = [[] for _ in range(self.players)]
        if self.storms == self.rules.storms:
            self.phase, self.actor = OVER, NOBODY
        else:
            self._draw()

    def _pile(self) -> list[Card]:
        """Give the dummy's pile for this storm; there may be more storms than piles (HH12)."""
        piles = self.dummy or []
        return piles[self.storms - 1] if self.storms <= len(piles) else []

    def _place(self, seat: int, card: Card) -> None:
        """Lay a typed card into the seat's own column; discard any other without effect (HH11)."""
        if not cards.is_typed(card):
            self.discards.append(card)
            return
        column = self._at(seat, card.type)
        if column is None:
            column = self.columns[seat][card.type - 1] = Column()
        column.add(card)

    # The end

    def result(self) -> dict[str, Any]:
        """Score the table as it stands; the game's result when it is over (HH14, HH15, HH16).

        Returns:
            The `result` of a trace: `columns` before the highest fly away, `altitudes`, `flew_away`, and for players
            only `scores`, `balloon_cards` and `winners`.
        """
        flown = [[self._flies(seat, card_type) for card_type in cards.TYPES] for seat in range(self.seats)]
        left = [
            [column for column, gone in zip(self.columns[seat], flown[seat], strict=True) if column and not gone]
            for seat in range(self.players)
        ]
        points = self.rules.helicopter_points
        scores = [sum(column.altitude + points * column.helicopters for column in row) for row in left]
        balloons = [sum(card.kind == "balloon" for column in row for card in column.cards) for row in left]
        best = max(zip(scores, balloons, strict=True))
        return {
            "columns": [[_column_entry(column) for column in row] for row in self.columns],
            "altitudes": [[column and column.altitude for column in row] for row in self.columns],
            "flew_away": flown,
            "scores": scores,
            "balloon_cards": balloons,
            "winners": [seat for seat in range(self.players) if (scores[seat], balloons[seat]) == best],
        }

    def _flies(self, seat: int, card_type: int) -> bool:
        """Say whether a column is among the highest of its type, over all seats and the dummy (HH14)."""
        column = self._at(seat, card_type)
        if column is None:
            return False
        rivals = [self._at(seat, card_type) for seat in range(self.seats)]
        altitudes = [rival.altitude for rival in rivals if rival]
        if self.rules.absent_column_is_zero and None in rivals:
            altitudes.append(0)
        return column.altitude == max(altitudes)

    # What a seat knows

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Give everything that a seat knows, and nothing else.

        Args:
            seat: The player's seat.

        Returns:
            `seat`; `hand` and `discards` as sorted tokens; `picks` (its own so far, in order); `table` (as `columns` of
            a result); `hand_sizes` (cards picked but not yet revealed are no longer in the hand); `storms` drawn;
            `drawn` cards with storms; `turn` (the seat whose turn it is); `actor`; `phase`.
        """
        return {
            "seat": seat,
            "hand": _tokens(sorted(self.hands[seat], key=cards.order)),
            "picks": _tokens(self.picks[seat]),
            "table": [[_column_entry(column) for column in row] for row in self.columns],
            "discards": _tokens(sorted(self.discards, key=cards.order)),
            "hand_sizes": [len(hand) for hand in self.hands],
            "storms": self.storms,
            "drawn": self.drawn,
            "turn": self._turn,
            "actor": self.actor,
            "phase": self.phase,
        }


def _require_form(action: Action) -> None:
    """Refuse what says too little or too much for its kind: a pass with a card, a play without one."""
    kind, card, to, column, end = action
    if kind in (PLAY, PICK) and card is None:
        raise IllegalError(f"a {kind} names a card")
    needless = {PASS: (card, to, column, end), PICK: (to, column, end), PLAY: (end,)}.get(kind, ())
    if any(field is not None for field in needless):
        raise IllegalError(f"a {kind} has no such fields: {action}")


def _take(source: list[Card], number: int) -> list[Card]:
    taken, source[:number] = source[:number], []
    return taken


def _tokens(group: Iterable[Card]) -> list[str]:
    return [cards.format(card) for card in group]


def _column_entry(column: Column | None) -> dict[str, Any] | None:
    return {"cards": _tokens(column.cards), "helicopters": column.helicopters} if column else None
