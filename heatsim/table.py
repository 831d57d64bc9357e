"""One game of Heat on the kernel, step by step."""

from __future__ import annotations

from typing import Any

from numba import types

from gameapi.jit import for_python
from gameapi.jsonl import as_list, path_to
from gameapi.table import GameTable
from heatsim import actions, draft, endgame, layout, piles, trace
from heatsim.actions import Action
from heatsim.cards import TITLES
from heatsim.deck import Deck
from heatsim.game import GAME
from heatsim.reference import Setup
from heatsim.rules import Rules
from heatsim.view import View, read_hand, read_phase


class Table(GameTable[Action, Setup, View]):
    """A game of Heat in progress.

    Attributes:
        heists: what has happened, as the `heists` of a trace without `after`.
    """

    game, traces, setup_type = GAME, trace.TRACES, Setup
    rules: Rules
    deck: Deck

    def _lay_out(self, setup: Setup) -> None:
        pack = self.deck.titles(self.players)
        for heist, given in enumerate(as_list(setup.decks, "setup.decks", self.rules.heists)):
            order = trace.read_order(given, path_to("setup.decks", heist), self.players, pack)
            self._record.given[heist, : len(order)] = [TITLES.index(title) for title in order]
        self.state.given = layout.GIVEN
        for_python(endgame.begin_game, types.void(layout.StateType, layout.RulesType))(self.state, self._record)

    def _read_setup(self) -> Setup:
        lay = for_python(lay_open, types.void(layout.StateType, layout.RulesType, types.int64))
        decks, copy = [], self._blank("STATE")
        for heist in range(self.rules.heists):
            GAME.call("copy")(copy, self.state)
            lay(copy, self._record, heist)
            decks.append([TITLES[number] for number in copy.deck[: int(self._record.n_cards)].tolist()])
        return Setup(decks)

    def _begin(self) -> None:
        self.heists: list[dict[str, Any]] = []
        self._begin_heist()

    def _begin_heist(self) -> None:
        self.heists.append({"deck": self.setup.decks[len(self.heists)], "draft": [], "stages": []})

    @property
    def phase(self) -> str:
        """Either "pass", "announce", "reveal", "word", "cover" or "over"."""
        return read_phase(self.state)

    @property
    def hands(self) -> list[list[str]]:
        """Every player's hand, in canonical order."""
        return [read_hand(self.state, seat) for seat in range(self.players)]

    @property
    def money(self) -> list[int]:
        """Every player's dollars."""
        return self.state.money[: self.players].tolist()  # type: ignore[no-any-return]

    @property
    def heat(self) -> list[int]:
        """Every player's Heat tokens."""
        return self.state.heat[: self.players].tolist()  # type: ignore[no-any-return]

    @property
    def records(self) -> list[list[str]]:
        """Every player's record, oldest card first."""
        return self.view(0).records

    def _play(self, action: Action, number: int) -> None:
        self._note(action)
        heist = int(self.state.heist)
        self._step(number)
        if int(self.state.heist) != heist:
            self._fill_stages(self.rules.stages)
            self._begin_heist()
        elif self.actor < 0:
            self._fill_stages(int(self.state.stage) + 1)

    def _note(self, action: Action) -> None:
        """Write a choice down where a trace has it."""
        heist, seat = self.heists[-1], self.actor
        nobody: list[Any] = [None] * self.players
        if action.kind == actions.PASS:
            number = int(self.state.draft_round)
            if len(heist["draft"]) == number:
                heist["draft"].append({"pass": nobody})
            heist["draft"][number]["pass"][seat] = action.title
            return
        self._fill_stages(int(self.state.stage) + 1)
        stage = heist["stages"][-1]
        if action.kind == actions.WORD:
            stage.setdefault("add", [[] for _ in range(self.players)])[seat].append(action.title)
        elif action.kind != actions.COVER:
            stage[action.kind][seat] = action.title
        elif action.title is not None:
            stage.setdefault("cover", nobody)[seat] = action.title

    def _fill_stages(self, number: int) -> None:
        """Have an entry for so many stages of the heist; in some nobody may have held a card."""
        stages = self.heists[-1]["stages"]
        while len(stages) < number:
            talk = {"announce": [None] * self.players} if self.rules.announce else {}
            stages.append({**talk, "reveal": [None] * self.players})

    def result(self) -> dict[str, Any]:
        """Return the `result` of a trace, as if the game ended now (HT14, HT15)."""
        winners = self._winners()
        return {
            "money": self.money,
            "heat": self.heat,
            "heat_value": self.view(0).heat_value,
            "final": [int(score) for score in self._work.score[: self.players]],
            "winners": winners,
            "arrested": bool(self.state.arrested),
        }


def lay_open(state: Any, rules: Any, heist: int) -> None:
    """Draw a heist's whole deck, so that it lies in `state.deck` in order."""
    state.heist = heist
    draft.begin_heist(state, rules)
    while state.drawn < rules.n_cards:
        piles.draw_top(state, rules)
