"""Games for the ruling tests: a table is set by hand, card by card, for any engine with the reference's interface."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import anygame

from hotsim import cards
from hotsim.actions import PASS as PASS_KIND
from hotsim.actions import PICK, PLAY, SABOTAGE, Action
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.reference import Reference, Setup
from hotsim.rules import DUMMY_PLAYERS, Rules
from hotsim.table import Table

PASS = Action(PASS_KIND)


class Engine(anygame.Engine, Protocol):
    """What the ruling tests need of a game beyond what they need of any."""

    storms: int
    events: list[dict[str, Any]]
    discards: list[Card]


def on_kernel(rules: Rules, players: int, dealt: Setup) -> Table:
    """Start the kernel on a setup; dummy piles that are never reached are filled up, the kernel wants all four."""
    piles = dealt.dummy
    if piles is not None:
        piles = [*piles, *([cards.SABOTAGE] * 4 for _ in range(4 - len(piles)))]
    whole = dealt._replace(dummy=piles)
    groups = [*(piles or []), *whole.hands, whole.returned, [card for card in whole.draw_pile if card]]
    deck = Deck("test", "own", "", Counter(card for group in groups for card in group))
    return Table(players, rules, deck, setup=whole)


STARTS: dict[str, Callable[[Rules, int, Setup], Any]] = {"reference": Reference, "kernel": on_kernel}
"""Every engine that states the rules: its name, and how to start a game from a setup."""


def setup(hands: Sequence[str], draw_pile: str, dummy: Sequence[str] | None = None) -> Setup:
    """Make a setup from tokens separated by blanks; nothing has been returned to the box."""
    pile = [None if token == cards.STORM else cards.parse(token) for token in draw_pile.split()]
    return Setup([hand(tokens) for tokens in hands], None if dummy is None else [hand(p) for p in dummy], [], pile)


def rules_for(dealt: Setup, **options: Any) -> Rules:
    """Give the rules by which `dealt` is a proper deal: hands, storms, dummy, nothing returned; and `options`."""
    storms = dealt.draw_pile.count(None)
    dummy = dealt.dummy is not None or len(dealt.hands) != DUMMY_PLAYERS
    sizes = {"hand_size": len(dealt.hands[0]), "storms": storms, "combined_stacks": min(2, storms)}
    return Rules().replace(return_fraction="0", dummy=dummy, **(sizes | options))


def hand(tokens: str) -> list[Card]:
    """Read tokens separated by blanks."""
    return [cards.parse(token) for token in tokens.split()]


def tokens(group: Sequence[Card]) -> str:
    """Write cards as tokens separated by blanks."""
    return " ".join(cards.format(card) for card in group)


def play(token: str, to: int, column: int | None = None) -> Action:
    """Play a balloon, ballast or helicopter; a typed card's column goes without saying."""
    card = cards.parse(token)
    return Action(PLAY, card, to, column or card.type)


def sabotage(to: int | None = None, column: int | None = None, end: str | None = None) -> Action:
    """Play a sabotage card, without arguments for no effect."""
    return Action(SABOTAGE, cards.SABOTAGE, to, column, end)


def pick(token: str) -> Action:
    """Pick a card in a storm phase."""
    return Action(PICK, cards.parse(token))


def run(game: Engine, *actions: Action) -> Engine:
    """Carry out the actions one after the other."""
    for action in actions:
        game.step(action)
    return game


def column(game: Engine, seat: int, card_type: int) -> str | None:
    """Give a column as tokens from top to bottom, with ``+ heli`` for each helicopter; None where there is none."""
    entry = game.result()["columns"][seat][card_type - 1]
    return None if entry is None else " ".join(entry["cards"]) + " + heli" * entry["helicopters"]
