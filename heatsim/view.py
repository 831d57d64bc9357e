"""What one seat sees of a game, readable: what a plain Python agent decides on, and what people are shown."""

from __future__ import annotations

from typing import Any

from gameapi.view import SeatView
from heatsim import actions
from heatsim.actions import Action
from heatsim.cards import COPYCAT_CRIME, TITLES
from heatsim.deck import Deck
from heatsim.game import GAME
from heatsim.layout import ANNOUNCE, COVER, NOTHING, PASS, REVEAL, WORD

PHASES = {
    PASS: actions.PASS,
    ANNOUNCE: actions.ANNOUNCE,
    REVEAL: actions.REVEAL,
    WORD: actions.WORD,
    COVER: actions.COVER,
}
OVER = "over"


def read_phase(state: Any) -> str:
    """Return the phase's name, "over" at the end."""
    return PHASES.get(int(state.phase), OVER)


def title_of(number: int) -> str | None:
    """Return a title, None for none."""
    return None if number == NOTHING else TITLES[number]


def read_hand(state: Any, seat: int) -> list[str]:
    """Return a hand in canonical order."""
    return [title for title, n in zip(TITLES, state.count[seat].tolist(), strict=False) for _ in range(n)]


def read_action(state: Any, deck: Deck, action: int) -> Action:
    """Return what an action id says in a state's phase."""
    return Action(read_phase(state), title_of(action))


class View(SeatView[Action]):
    """The information state of one seat; `heatsim.Reference.knowledge` says what each attribute means.

    Beside those, and what every game shows: `n_heists` and `n_stages`.
    """

    game = GAME

    def __init__(self, state: Any, rules: Any, deck: Deck, seat: int, seed: int = 0) -> None:
        """Read a state record; nothing is kept of it."""
        super().__init__(state, rules, deck, seat, seed)
        seats = range(self.players)
        self.phase = read_phase(state)
        self.heist, self.n_heists = int(state.heist) + 1, int(rules.heists)
        self.stage, self.n_stages = 0 if self.phase == actions.PASS else int(state.stage) + 1, int(rules.stages)
        self.hand = read_hand(state, seat)
        self.choice = title_of(int(state.choice[seat]))
        self.target = (seat + (1 if self.heist % 2 else -1)) % self.players
        giver = (2 * seat - self.target) % self.players
        self.passed, self.received = (_passes(state, other) for other in (seat, giver))
        self.money, self.heat = state.money[: self.players].tolist(), state.heat[: self.players].tolist()
        self.heat_value = int(rules.heat_value[sum(self.heat)])
        self.records = [_record(state, other) for other in seats]
        self.used = [[bool(int(state.used[s]) >> i & 1) for i in range(len(self.records[s]))] for s in seats]
        self.announced = [title_of(number) for number in state.announced[: self.players].tolist()]
        self.revealed = [title_of(number) for number in state.revealed[: self.players].tolist()]
        self.active = [self._active(other) for other in seats]
        self.ignoring = [bool(flag) for flag in state.ignores[: self.players].tolist()]
        self.hand_sizes = [int(state.hand_size[s]) + (int(state.choice[s]) != NOTHING) for s in seats]
        self.deck = int(rules.n_cards) - int(state.drawn)

    def _active(self, seat: int) -> str | None:
        """Return what a seat's active card counts as (HT5)."""
        if self.revealed[seat] is None:
            return None
        if self.records[seat][-1] != COPYCAT_CRIME:
            return self.records[seat][-1]
        step = 1 if self.heist % 2 else -1
        other = (seat + step) % self.players
        while other != seat and self.revealed[other] == COPYCAT_CRIME:
            other = (other + step) % self.players
        return (None if other == seat else self.revealed[other]) or COPYCAT_CRIME

    def as_dict(self) -> dict[str, Any]:
        """Return the same facts as `Reference.knowledge`."""
        names = (
            "seat phase actor heist stage hand choice passed received target money heat heat_value records used "
            "announced revealed active ignoring hand_sizes deck"
        )
        return {name: getattr(self, name) for name in names.split()}


def _record(state: Any, seat: int) -> list[str]:
    return [TITLES[number] for number in state.record[seat, : int(state.record_size[seat])].tolist()]


def _passes(state: Any, seat: int) -> list[str]:
    return [TITLES[number] for number in state.passed[:, seat].tolist() if number != NOTHING]
