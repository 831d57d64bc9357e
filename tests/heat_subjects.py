"""Heat tables for tests: rules and decks out of the ordinary, what a seat knows, and what is hidden from it."""

from collections import Counter
from typing import Any

import numpy as np

from gameapi.conformance import Subject
from heatsim import cards, deck
from heatsim.deck import Deck
from heatsim.game import GAME
from heatsim.layout import N_TITLES, NOTHING
from heatsim.piles import NOBODY_KNOWS
from heatsim.rules import PLAYERS, ROUNDS, Row, Rules
from heatsim.view import View, read_phase

OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "talk": {"announce": True},
    "strict": {"feds_carry_over": False, "debt": False, "mastermind_tie": False},
    "long": {"heists": 5, "stages": 6},
    "hot": {"board": (Row(2, 1), Row(5, 3)), "debt": False},
    "short": {"heists": 1, "stages": 1},
}


def own(**copies: int) -> Deck:
    """Make a deck of so many copies of each title, marked for all numbers of players; blanks are written ``_``."""
    listed = [(title.replace("_", " "), PLAYERS) for title, n in copies.items() for _ in range(n)]
    return deck.from_copies(listed, "odd")


def few() -> Deck:
    """Make a deck that goes out to the last card in each draft, whatever the number of players."""
    titles = ("Break In", "Informant", "Interrogation", "Fence the Goods", "Diversion")
    return deck.from_copies(
        [(title, icons) for title in titles for icons in ([3, 4, 5], [3, 4, 5], [3, 4, 5], [4, 5], [5])], "few"
    )


DECKS: dict[str, Deck] = {
    "default": deck.default(),
    "copycats": own(Copycat_Crime=30),
    "switches": own(Copycat_Crime=10, Backup_Plan=6, Circle_Back=8, Word_on_the_Street=8, Heavy=4),
    "backups": own(Backup_Plan=14, Mastermind=8, Informant=5, Cover_Story=6, Specialist=4),
    "heat": own(Heavy=8, Bank_Job=8, Frame_Up=5, The_Feds=5, Leverage=4, Lay_Low=4),
    "words": own(Word_on_the_Street=20, Circle_Back=4, Copycat_Crime=3, Break_In=4),
    "covers": own(Cover_Story=16, Copycat_Crime=4, Word_on_the_Street=4, Backup_Plan=4),
    "few": few(),
}

MIXED = own(Word_on_the_Street=10, Cover_Story=10, Backup_Plan=4, Copycat_Crime=6, Circle_Back=4, Bank_Job=4)
"""A deck with which every phase comes up again and again."""

FAIR = {"pass": 5, "announce": 3, "reveal": 7, "word": 4, "cover": 4}
"""How many states of each kind the proof of fair play looks at."""

HIDDEN = {"hand", "count", "deck", "chance", "stream", "choice", "sure", "passed"}
"""Fields of the state that hold what somebody does not know."""


def kind(state: Any) -> str:
    """Name the kind of a state with an actor."""
    return read_phase(state)


def fair_table(players: int) -> Subject:
    """Give the table of the proof of fair play."""
    return subject(players, "talk", MIXED if players == 4 else "default")


def subject(players: int, options: str = "default", cards_of: str | Deck = "default") -> Subject:
    """Give a table with all that the checks must be told; its games end within what `longest` works out."""
    the_deck = DECKS[cards_of] if isinstance(cards_of, str) else cards_of
    the_rules = Rules().replace(**OPTIONS[options])

    def view(state: Any, record: Any, seat: int) -> str:
        seen = View(state, record, the_deck, seat).as_dict()
        gained, returned = (state[field][:players].tolist() for field in ("gained", "returned"))
        return str(seen | {"gained": gained, "returned": returned})

    return Subject(GAME, the_rules, the_deck, players, view, cards_held, longest(the_rules, the_deck, players))


def longest(the_rules: Rules, the_deck: Deck, players: int) -> int:
    """Give a bound of the decisions of one game, from what holds in each heist whatever the rest of the deck.

    A card comes into a record once, and only reveals and Word on the Street put one there by a choice: so many choices
    of both together as there are cards. Reveals are one a seat and Stage. A card is used as a Word on the Street at
    most once a Stage (HT6): by itself, or as a Copycat Crime. A seat has a Cover Story choice at most once a Stage,
    and only where it has revealed a card; each by a card of its own, which is a Cover Story or a Copycat Crime.
    """
    copies = Counter(the_deck.titles(players))
    stages, copycats = the_rules.stages, copies[cards.COPYCAT_CRIME]
    words, covers = (
        copies[title] and copies[title] + copycats for title in (cards.WORD_ON_THE_STREET, cards.COVER_STORY)
    )
    played = min(copies.total(), stages * (players + words))
    covered = min(copies.total(), stages * min(players, covers))
    talk = stages * players if the_rules.announce else 0
    return the_rules.heists * (ROUNDS * players + talk + played + covered)


def cards_held(state: Any, record: Any) -> dict[str, int]:
    """Count the cards of a state: in hands, chosen unseen, in records, and in what is left of the deck."""
    players = int(record.players)
    counts = state.count[:players, :N_TITLES].sum(axis=0, dtype=np.int64)
    chosen = [[title] for title in state.choice[:players].tolist() if title != NOTHING]
    records = [state.record[seat, : int(state.record_size[seat])].tolist() for seat in range(players)]
    for group in (*chosen, *records, state.deck[int(state.drawn) : int(record.n_cards)].tolist()):
        counts += np.bincount(np.array(group, np.int64), minlength=N_TITLES)
    return dict(zip(cards.TITLES, counts.tolist(), strict=True))


def scramble(table: Subject, state: Any, seat: int, start: int) -> Any:
    """Change everything that a seat does not know: other hands and unseen choices, this deck and those to come.

    Beyond what a determinization draws anew, the rest of the deck changes its order, what others have passed to others
    and know of each other's hands changes, and nonsense is written where cards lay that have been drawn.
    """
    record, random, players = table.record, np.random.default_rng(start), table.players
    changed = table.determinized(state, seat, start)
    drawn, end = int(changed.drawn), int(record.n_cards)
    changed.deck[drawn:end] = random.permutation(changed.deck[drawn:end])
    changed.deck[:drawn] = random.integers(0, N_TITLES, drawn)
    step = 1 if int(state.heist) % 2 == 0 else -1
    for other in range(players):
        target = (other + step) % players
        if seat in (other, target):
            continue
        rounds = min(int(state.draft_round), ROUNDS)
        changed.passed[:rounds, other] = random.integers(0, N_TITLES, rounds)
        changed.sure[other] = random.choice([NOBODY_KNOWS, *np.flatnonzero(changed.count[target, :N_TITLES])])
    return changed
