"""Games of any kind for the tests: what an engine is, played to its end, and two engines side by side."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol


class Engine(Protocol):
    """What the tests need of a game; the reference engine of the game says what each means."""

    players: int
    phase: str
    actor: int
    hands: list[list[Any]]

    def legal(self) -> list[Any]: ...
    def step(self, action: Any) -> None: ...
    def result(self) -> dict[str, Any]: ...
    def knowledge(self, seat: int) -> dict[str, Any]: ...


def finish(game: Any, rng: random.Random) -> Any:
    """Play random legal actions to the end."""
    while game.actor >= 0:
        game.step(rng.choice(game.legal()))
    return game


def compare(kernel: Engine, plain: Engine, seats: range | list[int]) -> None:
    """Hold two engines against each other as they stand, and what some seats know."""
    assert kernel.actor == plain.actor
    assert kernel.phase == plain.phase
    assert kernel.legal() == plain.legal()
    assert [Counter(hand) for hand in kernel.hands] == [Counter(hand) for hand in plain.hands]
    for seat in seats:
        assert kernel.knowledge(seat) == plain.knowledge(seat)


def play_side_by_side(
    kernel: Engine, plain: Engine, rng: random.Random, choose: Callable[[Any, random.Random], Any]
) -> None:
    """Play the same game on two engines, which agree before every choice and at the end."""
    while plain.actor >= 0:
        compare(kernel, plain, [rng.randrange(plain.players)])
        action = choose(plain, rng)
        kernel.step(action)
        plain.step(action)
    compare(kernel, plain, range(plain.players))
    assert kernel.result() == plain.result()
