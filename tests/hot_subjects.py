"""Hot Heads tables for tests: rules and decks out of the ordinary, what a seat knows, and what is hidden from it."""

from collections import Counter
from typing import Any

import numpy as np

from gameapi.conformance import Subject
from hotsim import cards, deck, rules
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.game import GAME
from hotsim.layout import PICK, PLAY, TYPES
from hotsim.rules import DUMMY_PILE_SIZE, Rules
from hotsim.view import View, read_column, unseen_faces

OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "helicopter-is-top": {"helicopter_is_top": True},
    "absent-is-zero": {"absent_column_is_zero": True, "helicopter_points": -2, "extra_cards": 3},
    "six-storms": {"storms": 6, "combined_stacks": 5, "hand_size": 21, "return_fraction": "0"},
    "one-storm": {
        "storms": 1,
        "combined_stacks": 0,
        "hand_size": 3,
        "return_fraction": "9/10",
        "return_rounded_up": True,
    },
    "all-combined": {"storms": 3, "combined_stacks": 3, "hand_size": 7, "return_fraction": "2/3", "dummy": False},
}

DECKS: dict[str, Deck] = {
    "default": deck.default(),
    "wilds": deck.from_tokens({"1+1": 26, "*+2": 7, "*-9": 12, "heli": 40, "sabotage": 36}, "wilds"),
    "tall": deck.from_tokens(
        {"1+99": 30, "1-99": 15, "2+1": 14, "3-1": 30, "4+50": 20, "heli": 9, "sabotage": 20}, "tall"
    ),
}

FAIR = {"play": 11, "pick, storm 1": 2, "pick, storm 2": 3, "pick, storm 3": 4, "pick, storm 4": 4}
"""How many states of each kind the proof of fair play looks at."""

HIDDEN = {"hand", "count", "cards", "storm_at", "picks"}
"""Fields of the state that hold what somebody does not know."""


def kind(state: Any) -> str:
    """Name the kind of a state with an actor."""
    return "play" if state.phase == PLAY else f"pick, storm {int(state.storms)}"


def fair_table(players: int) -> Subject:
    """Give the table of the proof of fair play."""
    return subject(players)


def rules_of(options: str, the_deck: Deck, players: int) -> Rules:
    """Give rules with the options named, with smaller hands where the deck is too small for them."""
    the_rules = Rules().replace(**OPTIONS[options])
    if options == "six-storms" and the_deck.size < 21 * players + 16:
        the_rules = the_rules.replace(hand_size=the_deck.size // players - 3, storms=5, combined_stacks=2)
    rules.check(the_rules, the_deck, players)
    return the_rules


def subject(players: int, options: str = "default", cards_of: str | Deck = "default") -> Subject:
    """Give a table with all that the checks must be told; its games end within what `longest` works out."""
    the_deck = DECKS[cards_of] if isinstance(cards_of, str) else cards_of
    the_rules = rules_of(options, the_deck, players)

    def view(state: Any, record: Any, seat: int) -> str:
        return str(View(state, record, the_deck, seat).as_dict() | {"turns": int(state.turns)})

    def held(state: Any, record: Any) -> dict[Card, int]:
        return cards_held(state, record, the_deck)

    bound = longest(the_rules, the_deck, players)
    return Subject(GAME, the_rules, the_deck, players, view, held, bound)


def longest(the_rules: Rules, the_deck: Deck, players: int) -> int:
    """Work out the longest game: one decision for each card drawn, and 1 + ... + S picks of each player."""
    picks = the_rules.storms * (the_rules.storms + 1) // 2
    return rules.counts(the_rules, the_deck, players).draw_pile + players * picks


def cards_held(state: Any, record: Any, the_deck: Deck) -> dict[Card, int]:
    """Count the cards of a state wherever they lie; what has been discarded is no longer in it."""
    faces, players = the_deck.faces, int(record.players)
    counts = state.count[:players, : len(faces)].sum(axis=0, dtype=np.int64)
    picked = [state.picks[seat, : int(n)] for seat, n in enumerate(state.n_picked[:players])]
    for group in (unseen_faces(state, record), *picked):
        counts += np.bincount(group, minlength=len(faces))
    found = Counter(dict(zip(faces, counts.tolist(), strict=True)))
    for column in range(TYPES * int(record.seats)):
        stands = read_column(state, column, faces)
        if stands:
            found.update(stands.cards)
            found[cards.HELI] += stands.helicopters
    return found


def scramble(table: Subject, state: Any, seat: int, start: int) -> Any:
    """Change everything that a seat does not know: other hands and picks, piles, storms to come, and all dead places.

    Beyond what a determinization draws anew, the cards behind the last storm change places, and nonsense is written
    where cards lay that have since been dealt, drawn or shown.
    """
    record, random = table.record, np.random.default_rng(start)
    changed = table.determinized(state, seat, start)
    drawn_to, end = int(record.draw_start) + int(changed.drawn), int(record.n_cards)
    never = int(record.draw_start) + int(changed.storm_at[int(record.storms) - 1])
    changed.cards[never:end] = random.permutation(changed.cards[never:end])
    shown = min(DUMMY_PILE_SIZE * (int(state.storms) - (int(state.phase) == PICK)), int(record.dummy_cards))
    dead = [*range(shown), *range(int(record.dummy_cards), drawn_to)]
    changed.cards[dead] = random.integers(0, int(record.n_faces), len(dead))
    return changed
