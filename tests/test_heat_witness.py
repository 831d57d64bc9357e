"""What the witness of Heat counts is what happens: counted anew with the plain engine, and by hand."""

import functools
import random
from collections import Counter
from typing import Any

import heat_engines
import heat_subjects
import pytest
from heat_engines import hand
from witnesses import Witnessed, play

from heatsim import cards
from heatsim.actions import ANNOUNCE, PASS, REVEAL, Action
from heatsim.cards import (
    BACKUP_PLAN,
    BANK_JOB,
    BREAK_IN,
    CIRCLE_BACK,
    COPYCAT_CRIME,
    COVER_STORY,
    CRACKDOWN,
    DIVERSION,
    FENCE_THE_GOODS,
    FRAME_UP,
    HEAVY,
    INFORMANT,
    INTERROGATION,
    KANSAS_CITY_SHUFFLE,
    LAY_LOW,
    LEVERAGE,
    MASTERMIND,
    SPECIALIST,
    SWITCHING,
    THE_FEDS,
    THE_LIFT,
    UNDER_THE_RADAR,
    WORD_ON_THE_STREET,
)
from heatsim.events import EVENTS
from heatsim.reference import Reference
from heatsim.rules import PLAYERS, Rules
from heatsim.table import Table

SEEN: Counter[str] = Counter()

SWITCHED = {
    BACKUP_PLAN: ("backup_plan", "backup_plan_short"),
    CIRCLE_BACK: ("circle_back", "circle_back_alone"),
    WORD_ON_THE_STREET: ("word_on_the_street", "word_without_card"),
}
BY_NAME = {FRAME_UP: "frame_up", THE_FEDS: "the_feds", INTERROGATION: "interrogation"}
BY_NAME_IN_B = {BREAK_IN: "break_in", HEAVY: "heavy", THE_LIFT: "the_lift", SPECIALIST: "specialist"}
PAID_IN_C = {
    KANSAS_CITY_SHUFFLE: "kansas_city_shuffle",
    LEVERAGE: "leverage",
    CRACKDOWN: "crackdown",
    MASTERMIND: "mastermind_paid",
    INTERROGATION: "interrogation_paid",
}
HIGH_OR_LOW = {
    DIVERSION: ("diversion_most", "diversion_other"),
    FENCE_THE_GOODS: ("fence_raised", "fence_plain"),
    UNDER_THE_RADAR: ("under_the_radar_cold", "under_the_radar_hot"),
}


class Counting(Reference):
    """The plain engine; counts what each of its rules does."""

    def __init__(self, *given: Any) -> None:
        self.counts: Counter[str] = Counter()
        super().__init__(*given)

    def step(self, action: Action) -> None:
        if action.kind == ANNOUNCE:
            self.counts["silent" if action.title is None else "announced"] += 1
            self.counts["announced_other"] += action.title is not None and action.title not in self.hands[self.actor]
        super().step(action)
        if self.actor < 0:
            result = self.result()
            self.counts["paid_for_heat"] += sum(heat * result["heat_value"] > 0 for heat in result["heat"])
            self.counts["below_zero"] += sum(final < 0 for final in result["final"])

    def _pass_on(self, chosen: dict[int, str]) -> None:
        self.counts["passed_left" if self.heist % 2 else "passed_right"] += len(chosen)
        super()._pass_on(chosen)

    def _reveal(self, chosen: dict[int, str]) -> None:
        self.counts["revealed"] += len(chosen)
        self.counts["empty_hand"] += self.players - len(chosen)
        super()._reveal(chosen)

    def _switch(self, chosen: dict[int, str]) -> None:
        self._reached = any(card.used for record in self.records for card in record)
        super()._switch(chosen)

    def _use(self, seat: int, chosen: str | None, enough: bool) -> None:
        title, card = str(self._active(seat)), self.records[seat][-1]
        super()._use(seat, chosen, enough)
        self.counts[SWITCHED[title][self.records[seat][-1] is card]] += 1
        self.counts["switch_reached"] += self._reached
        self.counts["switch_copied"] += card.title == COPYCAT_CRIME

    def _phase_a(self) -> None:
        for seat in [seat for seat in range(self.players) if self.revealed[seat]]:
            title = self._active(seat)
            self.counts["switch_used_up"] += title in SWITCHING
            if self.records[seat][-1].title == COPYCAT_CRIME:
                self.counts["copycat_late"] += self.revealed[seat] != COPYCAT_CRIME
                self.counts["copycat_blank" if title == COPYCAT_CRIME else "copycat"] += 1
                chain = self.revealed[self.target(seat)] == COPYCAT_CRIME
                self.counts["copycat_chain"] += chain and title != COPYCAT_CRIME
        heat, drawn = list(self.heat), list(self._report.drawn)
        super()._phase_a()
        report = self._report
        lows = report.active.count(LAY_LOW)
        self.counts["lay_low_alone" if lows == 1 else "lay_low_together"] += lows
        self.counts["heat_returned"] += sum(heat) - sum(self.heat)
        for seat, title in enumerate(report.active):
            wants = {FRAME_UP: 1, INTERROGATION: 1, LAY_LOW: 1 if lows == 1 else 3}.get(str(title), 0)
            self.counts["returned_less"] += wants > heat[seat]
            if title in BY_NAME:
                self.counts[BY_NAME[title]] += 1
            if title == INFORMANT and report.paid["A"][seat]:
                self.counts["informant_paid"] += 1
            elif title in (INFORMANT, MASTERMIND):
                drew = report.drawn[seat] > drawn[seat]
                self.counts[f"{title.lower()}_drew" if drew else "draw_skipped"] += 1

    def _shortage(self) -> None:
        money, heat = list(self.money), list(self.heat)
        self._before.setdefault("money", money)
        super()._shortage()
        self.counts["shortage_token"] += sum(heat) - sum(self.heat)
        for seat in range(self.players):
            if heat[seat] > self.heat[seat]:
                self._lost[seat] += 3

    def _phase_b(self, chosen: dict[int, str]) -> None:
        self._before: dict[str, list[int]] = {}
        self._lost = [0] * self.players
        hands = [list(held) for held in self.hands]
        report = self._report
        active = report.active
        self._count_gains(active, report.ignoring)
        robbers = active.count(BANK_JOB)
        self.counts["bank_job_paid" if robbers == 1 else "bank_job_double"] += robbers
        for seat, title in enumerate(active):
            if title in BY_NAME_IN_B:
                self.counts[BY_NAME_IN_B[title]] += 1
            if title == COVER_STORY:
                came = "paid" if seat in chosen else "declined" if hands[seat] else "empty"
                self.counts[f"cover_story_{came}"] += 1
        super()._phase_b(chosen)
        if report.shortages:
            self.counts["shortage"] += 1
            left = [money - lost for money, lost in zip(self._before["money"], self._lost, strict=True)]
            below = sum(dollars < 0 and lost > 0 for dollars, lost in zip(left, self._lost, strict=True))
            self.counts["shortage_debt" if self.rules.debt else "shortage_forgiven"] += below

    def _count_gains(self, active: list[str | None], ignoring: list[bool]) -> None:
        for seat, title in enumerate(active):
            in_b = "B" in cards.letters(title) if title else False
            gains = title in (BANK_JOB, BREAK_IN, HEAVY) or (in_b and FRAME_UP in active)
            self.counts["framed"] += in_b and FRAME_UP in active and not ignoring[seat]
            self.counts["feds_added"] += gains and THE_FEDS in active and not ignoring[seat]
            if ignoring[seat]:
                self.counts["feds_ignored" if gains else "feds_nothing_ignored"] += 1

    def _phase_c(self) -> None:
        most = max(map(len, self.hands))
        largest = [len(held) == most for held in self.hands]
        super()._phase_c()
        for seat, title in enumerate(self._report.active):
            paid = self._report.paid["C"][seat]
            if title in HIGH_OR_LOW:
                self.counts[HIGH_OR_LOW[title][paid == 1]] += 1
            elif title in PAID_IN_C and paid:
                self.counts[PAID_IN_C[title]] += 1
            self.counts["nothing_in_c"] += title is not None and "C" in cards.letters(title) and not paid
            self.counts["mastermind_tied"] += title == MASTERMIND and largest[seat] and largest.count(True) > 1

    def _end_stage(self) -> None:
        if self.arrested:
            self.counts["arrest"] += 1
        else:
            self.counts["heat_costs"] += self._heat_value() > 0
            if self.stage == self.rules.stages:
                self.counts["left_in_hand"] += sum(map(len, self.hands))
                if self.heist < self.rules.heists:
                    name = "feds_carried" if self.rules.feds_carry_over else "feds_lapsed"
                    self.counts[name] += self._report.active.count(THE_FEDS)
        super()._end_stage()


TABLES = [
    (PLAYERS[(i + j) % len(PLAYERS)], cards_of, options)
    for i, cards_of in enumerate(heat_subjects.DECKS)
    for j, options in enumerate(heat_subjects.OPTIONS)
]


@functools.cache
def counted(players: int, cards_of: str, options: str) -> tuple[Counter[str], Counter[str]]:
    """Give what the witness and the plain engine count in a game."""
    the_rules, the_deck = Rules().replace(**heat_subjects.OPTIONS[options]), heat_subjects.DECKS[cards_of]
    rng = random.Random(f"{players} {cards_of} {options}")
    witnessed = Witnessed(Table(players, the_rules, the_deck, seed=5))
    plain = Counting(the_rules, players, witnessed.table.setup)
    play(witnessed, plain, rng, lambda game, rng: rng.choice(game.legal()))
    return witnessed.counts, +plain.counts


@pytest.mark.parametrize("table", TABLES)
def test_counts_are_those_of_the_plain_engine(table: tuple[int, str, str]) -> None:
    witnessed, plain = counted(*table)
    assert witnessed == plain


def test_every_event_came_up_in_these_games() -> None:
    seen = {name for table in TABLES for name in counted(*table)[1]}
    assert {event.name for event in EVENTS} - seen == set()


@pytest.mark.parametrize("players", PLAYERS)
def test_the_witness_carries_an_action_out_as_the_kernel_does(players: int) -> None:
    rng, followed = random.Random(players), 0
    for number, options in enumerate(heat_subjects.OPTIONS):
        the_rules = Rules().replace(**heat_subjects.OPTIONS[options])
        game = Witnessed(Table(players, the_rules, heat_subjects.MIXED, seed=players, number=number))
        while game.table.actor >= 0:
            action = rng.choice(game.table.legal())
            game.step(action)
            if action.kind != PASS:
                followed += 1
                assert game.work.trial.tobytes() == game.table.state.tobytes(), action
    assert followed > 100


def test_a_stage_by_hand() -> None:
    """Seat 0's Copycat copies seat 1's Bank Job, so neither is paid; seat 2 frames them both; the fourth lies low."""
    hands = ["Copycat Crime", "Bank Job", "Frame Up", "Lay Low"]
    dealt = heat_engines.setup(hands)
    game = Witnessed(heat_engines.on_kernel(Rules().replace(heists=1), 4, dealt))
    for number in range(3):
        for seat in range(4):
            game.step(Action(PASS, hand(hands[heat_engines.target(1, seat, 4)])[number]))
    assert game.counts == {"passed_left": 12}
    for title in hands:
        game.step(Action(REVEAL, title))
    told = {"passed_left": 12, "revealed": 4, "copycat": 1, "frame_up": 1, "lay_low_alone": 1, "returned_less": 2}
    told |= {"bank_job_double": 2, "framed": 2, "heat_costs": 1}
    assert game.counts == told
