"""Games of Heat for the ruling tests: hands are set by hand, for any engine with the reference's interface."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from heatsim.actions import ANNOUNCE, COVER, PASS, REVEAL, WORD, Action
from heatsim.reference import Reference, Setup
from heatsim.rules import DEALT, HAND_SIZE, ROUNDS, Rules

FILLER = "The Lift"
"""What fills up hands and decks whose cards do not matter."""


class Engine(Protocol):
    """What the ruling tests need of a game; `heatsim.reference.Reference` says what each means."""

    players: int
    phase: str
    actor: int
    hands: list[list[str]]
    heists: list[dict[str, Any]]

    def legal(self) -> list[Action]: ...
    def step(self, action: Action) -> None: ...
    def result(self) -> dict[str, Any]: ...
    def knowledge(self, seat: int) -> dict[str, Any]: ...


Start = Callable[..., Engine]

STARTS: dict[str, Callable[[Rules, int, Setup], Any]] = {"reference": Reference}
"""Every engine that states the rules: its name, and how to start a game from a setup."""


def titles(text: str) -> list[str]:
    """Read titles separated by commas."""
    return [title.strip() for title in text.split(",") if title.strip()]


def hand(text: str) -> list[str]:
    """Read a hand of five; what is missing is filled up."""
    held = titles(text)
    return [*held, *[FILLER] * (HAND_SIZE - len(held))]


def target(heist: int, seat: int, players: int) -> int:
    """Give the seat that a seat passes to: the left in heists 1, 3, ..., the right in the others."""
    return (seat + 1) % players if heist % 2 else (seat - 1) % players


def shuffled(hands: Sequence[Sequence[str]], rest: Sequence[str], heist: int) -> list[str]:
    """Order a deck so that everybody gets the given hand when all pass by `draft`.

    A seat's first three cards come from the seat that passes to it, which is dealt or draws them before; the other two
    it draws in the last two rounds.
    """
    players = range(len(hands))
    given = [hands[target(heist, seat, len(hands))][:ROUNDS] for seat in players]
    kept = [held[ROUNDS:] for held in hands]
    dealt = [title for seat in players for title in given[seat][:DEALT]]
    rounds = [[given[seat][DEALT] for seat in players], [held[0] for held in kept], [held[1] for held in kept]]
    return [*dealt, *(title for drawn in rounds for title in drawn), *rest]


def setup(hands: Sequence[str], deck: str = "", heists: int = 1) -> Setup:
    """Make a setup that brings the same hands and the same rest of the deck in every heist."""
    held = [hand(text) for text in hands]
    return Setup([shuffled(held, titles(deck), heist) for heist in range(1, heists + 1)])


def draft(game: Engine, hands: Sequence[str]) -> Engine:
    """Pass so that everybody gets the given hand from a deck of `shuffled`."""
    heist = len(game.heists)
    for number in range(ROUNDS):
        for seat in range(game.players):
            game.step(Action(PASS, hand(hands[target(heist, seat, game.players)])[number]))
    for seat in range(game.players):
        assert sorted(game.hands[seat]) == sorted(hand(hands[seat]))
    return game


def begin(engine: str, hands: Sequence[str], deck: str = "", heists: int = 1, **options: Any) -> Engine:
    """Start a game on an engine and draft the first heist's hands."""
    dealt = setup(hands, deck, heists)
    game: Engine = STARTS[engine](Rules().replace(heists=heists, **options), len(hands), dealt)
    return draft(game, hands)


def reveal(game: Engine, *cards: str | None) -> Engine:
    """Reveal a card for each seat; None for a seat that has none."""
    assert len(cards) == game.players
    for title in cards:
        if title is not None:
            game.step(Action(REVEAL, title))
    return game


def stages(game: Engine, *rows: str) -> Engine:
    """Play Stages in which nobody has anything else to choose: for each the titles of all seats."""
    for row in rows:
        reveal(game, *titles(row))
    return game


def word(title: str) -> Action:
    """Add a card by Word on the Street."""
    return Action(WORD, title)


def cover(title: str | None) -> Action:
    """Discard a card for Cover Story, or none."""
    return Action(COVER, title)


def announce(title: str | None) -> Action:
    """Announce a title, or stay silent."""
    return Action(ANNOUNCE, title)


def money(game: Engine) -> list[int]:
    """Give the dollars of all seats."""
    found: list[int] = game.result()["money"]
    return found


def heat(game: Engine) -> list[int]:
    """Give the Heat of all seats."""
    found: list[int] = game.result()["heat"]
    return found


def record(game: Engine, seat: int) -> str:
    """Give a record as titles separated by commas."""
    return ", ".join(game.knowledge(seat)["records"][seat])


def after(game: Engine) -> dict[str, Any]:
    """Give what the last Stage that was finished left behind."""
    finished = [stage for heist in game.heists for stage in heist["stages"]]
    left: dict[str, Any] = finished[-1]["after"]
    return left


def gains(game: Engine) -> list[int]:
    """Give the dollars that each seat has more after the last Stage than before."""
    finished = [stage["after"]["money"] for heist in game.heists for stage in heist["stages"]]
    before = finished[-2] if len(finished) > 1 else [0] * game.players
    return [now - then for now, then in zip(finished[-1], before, strict=True)]
