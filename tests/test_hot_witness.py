"""What the witness of Hot Heads counts is what happens: counted anew with the plain engine, and by hand."""

import functools
import random
from collections import Counter
from typing import Any

import hot_subjects
import pytest
from engines import on_kernel as start
from engines import pick, play, rules_for, run, sabotage, setup
from witnesses import Witnessed
from witnesses import play as play_both

from hotsim import cards
from hotsim.actions import PASS, PICK, SABOTAGE, TOP, Action
from hotsim.events import EVENTS
from hotsim.reference import Reference
from hotsim.rules import PLAYERS
from hotsim.table import Table


class Counting(Reference):
    """The plain engine; counts what its events and the columns before and after them show."""

    def __init__(self, *given: Any) -> None:
        self.counts: Counter[str] = Counter()
        super().__init__(*given)

    def step(self, action: Action) -> None:
        before, seat, told = [[c and c.copy() for c in row] for row in self.columns], self.actor, len(self.events)
        super().step(action)
        if action.kind == PASS:
            self.counts["passed"] += 1
        elif action.kind == SABOTAGE:
            self._count_sabotage(action, before, seat, self.events[told].get("discarded"))
        elif action.kind != PICK:
            self._count_card(action, before, seat)
        for event in self.events[told:]:
            if event["type"] == "storm":
                self._count_storm(event, before)
        if self.actor < 0:
            self._count_end()

    def _count_card(self, action: Action, before: Any, seat: int) -> None:
        card, column = action.card, before[action.to][action.column - 1]  # type: ignore[operator]
        assert card
        if card == cards.HELI:
            self.counts["helicopter_linked"] += 1
            self.counts["helicopter_again"] += column.helicopters > 0
            return
        self.counts["laid_on_dummy"] += action.to == self.players
        self.counts["laid_on_other"] += action.to not in (seat, self.players)
        self.counts["column_started"] += column is None
        self.counts["wild_laid"] += cards.is_wild(card)
        if column:
            self.counts["balloon_added" if card.kind == "balloon" else "ballast_added"] += 1
            self.counts["laid_beneath"] += card.kind == "balloon" and column.helicopters > 0

    def _count_sabotage(self, action: Action, before: Any, seat: int, taken: list[str] | None) -> None:
        if action.to is None:
            self.counts["sabotage_no_effect"] += 1
            return
        assert taken
        whose = "own" if action.to == seat else "dummy" if action.to == self.players else "other"
        self.counts[f"sabotage_on_{whose}"] += 1
        self.counts[f"sabotage_{action.end}"] += 1
        column = before[action.to][action.column - 1]  # type: ignore[operator]
        top_helicopter = action.end == TOP and self.rules.helicopter_is_top and column.helicopters > 0
        self.counts["helicopter_taken"] += top_helicopter
        if self.columns[action.to][action.column - 1] is None:  # type: ignore[operator]
            self.counts["column_sabotaged"] += 1
            self.counts["only_wilds_left"] += len(column.cards) > 1
            self.counts["helicopter_sabotaged"] += taken.count("heli")

    def _count_storm(self, event: dict[str, Any], before: Any) -> None:
        self.counts["storm"] += 1
        chosen = [cards.parse(token) for picks in event["chosen"] for token in picks]
        self.counts["pick_laid"] += sum(map(cards.is_typed, chosen))
        self.counts["pick_discarded"] += sum(not cards.is_typed(card) for card in chosen)
        pairs = zip(before[: self.players], self.columns, strict=False)
        self.counts["pick_started"] += sum(
            old is None and new is not None for rows in pairs for old, new in zip(*rows, strict=True)
        )
        pile = event["dummy"]
        if pile is not None:
            self.counts["dummy_pile" if pile else "no_pile_left"] += 1
            self.counts["dummy_laid"] += sum(cards.is_typed(cards.parse(token)) for token in pile)
            self.counts["dummy_discarded"] += sum(not cards.is_typed(cards.parse(token)) for token in pile)

    def _count_end(self) -> None:
        result = self.result()
        self.counts["left_in_hand"] += sum(map(len, self.hands))
        self.counts["below_zero"] += sum(score < 0 for score in result["scores"])
        for t in range(4):
            column = [row[t] for row in self.columns]
            flown = [row[t] for row in result["flew_away"]]
            standing = [c for c in column if c]
            lost = [c for c, flies in zip(column, flown, strict=True) if flies and c]
            scored = [c for seat, c in enumerate(column) if c and not flown[seat] and seat < self.players]
            self.counts["flew_away"] += len(lost)
            self.counts["flew_tied"] += len(lost) * (len(lost) > 1)
            self.counts["flew_alone"] += len(lost) == len(standing) == 1
            self.counts["dummy_flew"] += any(flown[self.players :])
            self.counts["helicopter_flew"] += sum(c.helicopters for c in lost)
            self.counts["nothing_flew"] += bool(standing) and not lost
            self.counts["no_column"] += column[: self.players].count(None)
            self.counts["column_scored"] += len(scored)
            self.counts["helicopter_scored"] += sum(c.helicopters for c in scored)


def special(game: Reference, rng: random.Random) -> Action:
    """Choose an action; what is no typed card more often than its share."""
    legal = game.legal()
    others = [action for action in legal if action.card and not cards.is_typed(action.card)]
    return rng.choice(others if others and rng.random() < 0.4 else legal)


TABLES = [
    (PLAYERS[(i + j) % len(PLAYERS)], cards_of, options)
    for i, cards_of in enumerate(hot_subjects.DECKS)
    for j, options in enumerate(hot_subjects.OPTIONS)
]


@functools.cache
def counted(players: int, cards_of: str, options: str) -> list[tuple[Counter[str], Counter[str]]]:
    """Give what the witness and the plain engine count in two games."""
    the_deck = hot_subjects.DECKS[cards_of]
    the_rules = hot_subjects.rules_of(options, the_deck, players)
    rng = random.Random(f"{players} {cards_of} {options}")
    found = []
    for number in range(2):
        witnessed = Witnessed(Table(players, the_rules, the_deck, seed=3, number=number))
        plain = Counting(the_rules, players, witnessed.table.setup)
        play_both(witnessed, plain, rng, special)
        found.append((witnessed.counts, +plain.counts))
    return found


@pytest.mark.parametrize("table", TABLES)
def test_counts_are_those_of_the_plain_engine(table: tuple[int, str, str]) -> None:
    for witnessed, plain in counted(*table):
        assert witnessed == plain


def test_a_game_by_hand() -> None:
    """Seat 0 starts a column, seat 1 links a helicopter, seat 0 sabotages it away; then a storm takes a pick each."""
    dealt = setup(["1+3 sabotage 2+1", "heli 3-2 *+1"], "4+1 4+2 4+3 4+4 storm", ["1+1 1+2 heli 2-1"])
    game = Witnessed(start(rules_for(dealt), 2, dealt))
    run(game, play("1+3", 0), play("heli", 0, 1), sabotage(0, 1, "top"), play("4+2", 2))  # type: ignore[arg-type]
    told = {"column_started": 2, "helicopter_linked": 1, "sabotage_on_own": 1, "sabotage_top": 1, "laid_on_dummy": 1}
    assert game.counts == told | {"column_sabotaged": 1, "helicopter_sabotaged": 1}
    run(game, pick("2+1"), pick("*+1"))  # type: ignore[arg-type]
    told |= {"column_sabotaged": 1, "helicopter_sabotaged": 1, "storm": 1, "pick_laid": 1, "pick_started": 1}
    told |= {"pick_discarded": 1, "dummy_pile": 1, "dummy_laid": 3, "dummy_discarded": 1}
    # type 1: the dummy's 3 alone; type 2: seat 0's 1 above the dummy's -1; type 4: the dummy's 2 alone
    told |= {"flew_away": 3, "flew_alone": 2, "dummy_flew": 2, "no_column": 7, "left_in_hand": 4}
    assert game.counts == told


def test_where_a_missing_column_is_the_highest_nothing_flies() -> None:
    dealt = setup(["3-2", "heli", "sabotage"], "1+1 storm")
    game = Witnessed(start(rules_for(dealt, absent_column_is_zero=True), 3, dealt))
    run(game, play("1+1", 1), pick("heli"), pick("sabotage"), pick("3-2"))  # type: ignore[arg-type]
    told = {"column_started": 1, "laid_on_other": 1, "storm": 1, "pick_laid": 1, "pick_started": 1}
    told |= {"pick_discarded": 2, "flew_away": 1, "flew_alone": 1, "nothing_flew": 1, "no_column": 10}
    told |= {"column_scored": 1, "below_zero": 1}
    assert game.counts == told


def test_every_event_came_up_in_these_games() -> None:
    seen = {name for table in TABLES for _, plain in counted(*table) for name in plain}
    assert {event.name for event in EVENTS} - seen == {"nothing_flew"}, "which is played by hand above"
