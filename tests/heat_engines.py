"""Games of Heat for the ruling tests: hands are set by hand, for any engine with the reference's interface."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from heatsim import deck as decks
from heatsim.actions import ANNOUNCE, COVER, PASS, REVEAL, WORD, Action
from heatsim.reference import Reference, Setup
from heatsim.rules import DEALT, HAND_SIZE, ROUNDS, Rules
from heatsim.table import Table

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


class Watched:
    """An engine of which it is noted how things stood after each Stage.

    Attributes:
        engine: The engine.
        moneys: The dollars of all seats after each Stage.
        heats: Their Heat after each Stage.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.moneys: list[list[int]] = []
        self.heats: list[list[int]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def step(self, action: Action) -> None:
        self.engine.step(action)
        known = self.engine.knowledge(0)
        running = known["phase"] != "over" and known["stage"] > 0
        finished = (known["heist"] - 1) * self.engine.rules.stages + known["stage"] - running
        while len(self.moneys) < finished:
            result = self.engine.result()
            self.moneys.append(result["money"])
            self.heats.append(result["heat"])


def on_kernel(rules: Rules, players: int, dealt: Setup) -> Table:
    """Start the kernel on a setup, with the deck that its first heist has."""
    used = decks.from_copies(((title, [players]) for title in dealt.decks[0]), "test")
    return Table(players, rules, used, setup=dealt)


STARTS: dict[str, Callable[[Rules, int, Setup], Any]] = {"reference": Reference, "kernel": on_kernel}
"""Every engine that states the rules: its name, and how to start a game from a setup."""


Start = Callable[..., Watched]

Game = TypeVar("Game", bound=Engine)


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


def draft(game: Game, hands: Sequence[str]) -> Game:
    """Pass so that everybody gets the given hand from a deck of `shuffled`."""
    heist = len(game.heists)
    for number in range(ROUNDS):
        for seat in range(game.players):
            game.step(Action(PASS, hand(hands[target(heist, seat, game.players)])[number]))
    for seat in range(game.players):
        assert sorted(game.hands[seat]) == sorted(hand(hands[seat]))
    return game


def begin(engine: str, hands: Sequence[str], deck: str = "", heists: int = 1, **options: Any) -> Watched:
    """Start a game on an engine and draft the first heist's hands."""
    dealt = setup(hands, deck, heists)
    return draft(watch(engine, Rules().replace(heists=heists, **options), len(hands), dealt), hands)


def watch(engine: str, rules: Rules, players: int, dealt: Setup) -> Watched:
    """Start a game on an engine."""
    return Watched(STARTS[engine](rules, players, dealt))


def reveal(game: Game, *cards: str | None) -> Game:
    """Reveal a card for each seat; None for a seat that has none."""
    assert len(cards) == game.players
    for title in cards:
        if title is not None:
            game.step(Action(REVEAL, title))
    return game


def stages(game: Game, *rows: str) -> Game:
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


def drawn(game: Engine, seat: int) -> str:
    """Give what a hand holds beside the filler, in alphabetical order, as titles separated by commas."""
    return ", ".join(sorted(title for title in game.hands[seat] if title != FILLER))


def left(game: Engine) -> int:
    """Give the number of cards left in the deck."""
    number: int = game.knowledge(0)["deck"]
    return number


def gains(game: Watched) -> list[int]:
    """Give the dollars that each seat has more after the last Stage than before."""
    before = game.moneys[-2] if len(game.moneys) > 1 else [0] * game.players
    return [now - then for now, then in zip(game.moneys[-1], before, strict=True)]


def talk_ends_a_heist(game: Any) -> bool:
    """Tell whether a heist before the last ends by talk alone, since nobody has a card in its last Stage.

    Such games do not replay yet: see `test_talk_without_cards_before_another_heist_replays`.
    """
    return bool(game.rules.announce) and not all(any(heist["stages"][-1]["reveal"]) for heist in game.heists[:-1])
