"""Heat in plain Python: lists and dictionaries, one rule at a time, each with its ruling (HT1 to HT17).

This engine is a statement of the rules to be read and compared with; it is not built for speed.
"""

import copy
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gameapi.errors import IllegalError, shown
from heatsim import cards
from heatsim.actions import ANNOUNCE, COVER, DUE, PASS, REVEAL, WORD, Action, label
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
    TITLES,
    UNDER_THE_RADAR,
    WORD_ON_THE_STREET,
)
from heatsim.deck import Deck
from heatsim.rules import DEALT, ROUNDS, Rules

OVER = "over"
"""The phase after the last Stage or an arrest; the others have the names of the actions that are due."""

NOBODY = -1
"""The actor of a game that is over."""

BACKUP_DRAWS = 3
"""The cards that a Backup Plan takes from the deck: one for the record, two for the hand (HT6)."""

BIG_MONEY = 4
"""The gain of another seat, in dollars, that lifts Fence the Goods (HT12)."""

SHORTAGE_COST = 3
"""What returning a Heat token in a shortage costs, in dollars (HT11)."""


class Setup(NamedTuple):
    """What the shuffles brought.

    Attributes:
        decks: For each heist all cards of this player count, topmost first.
    """

    decks: list[list[str]]


@dataclass
class Laid:
    """A card in a record.

    Attributes:
        title: Its own title.
        used: Whether it is a switching card that has been used in this Stage; the mark moves with the card (HT6).
    """

    title: str
    used: bool = False


@dataclass
class Report:
    """How a Stage went, beyond what a trace tells of it. Lists have an entry for each seat.

    Attributes:
        heist: The heist's number, from 1.
        stage: The Stage's number, from 1.
        active: The title that the active card counted as once all switching was done; None for a seat without one.
        switched: Every use of a switching card in order: the seat, the title it counted as, the title of the card
            that it brought into play, or None where it did nothing.
        ignoring: Whether the seat ignored all Heat gain (HT7).
        drawn: Cards drawn into the hand.
        returned: Heat given back by cards.
        gained_heat: Heat gained in phase B.
        paid: Dollars gained in phases A, B and C.
        shortages: The times that everybody had to return a Heat token.
    """

    heist: int
    stage: int
    active: list[str | None]
    switched: list[tuple[int, str, str | None]]
    ignoring: list[bool]
    drawn: list[int]
    returned: list[int]
    gained_heat: list[int]
    paid: dict[str, list[int]]
    shortages: int = 0


def deal(rules: Rules, deck: Deck, players: int, rng: random.Random) -> Setup:
    """Shuffle all cards of the player count for each heist (HT2).

    Args:
        rules: Rules that `heatsim.rules.check` accepts.
        deck: The deck list.
        players: The number of players.
        rng: The source of all chance.

    Returns:
        The setup of one game.
    """
    decks = []
    for _ in range(rules.heists):
        shuffled = deck.titles(players)
        rng.shuffle(shuffled)
        decks.append(shuffled)
    return Setup(decks)


class Reference:
    """One game, played action by action.

    What needs no decision happens by itself: after the last choice of a round everything is resolved up to the next
    choice. Choices that are made at the same time are taken one seat after another, seat 0 first, and nobody sees
    another's (HT16).

    Attributes:
        rules: The rules of this game.
        players: The number of players; seats are numbered from 0.
        setup: The decks.
        phase: ``"pass"``, ``"announce"``, ``"reveal"``, ``"word"``, ``"cover"`` or ``"over"``.
        actor: The seat to act, or -1 when the game is over.
        heist: The heist's number, from 1.
        stage: The Stage's number in its heist, from 1; 0 during the draft.
        money: The dollars of each seat.
        heat: The Heat tokens of each seat.
        hands: The hand of each seat, in the order in which the cards came; without a card that has been chosen.
        deck: What is left of the heist's deck, topmost first.
        records: The record of each seat, oldest card first.
        passed: What each seat has passed in this heist's draft.
        received: What each seat has been passed in this heist's draft.
        announced: What each seat has announced in this Stage; None for silence (HT17).
        revealed: What each seat has revealed in this Stage; None for nothing.
        choices: For each seat that has chosen a card that the others do not see yet, that card.
        ignoring: Whether each seat ignores all Heat gain in this Stage (HT7).
        arrested: Whether the game has ended by arrest (HT11).
        heists: What has happened, as the `heists` of a trace with `after` filled in.
        reports: A report for each Stage that has been finished.
    """

    def __init__(self, rules: Rules, players: int, setup: Setup) -> None:
        """Deal for the first heist.

        Args:
            rules: The rules.
            players: The number of players, 3 to 5.
            setup: A deck for each heist; it is not changed.
        """
        self.rules, self.players, self.setup = rules, players, setup
        self.money = [0] * players
        self.heat = [0] * players
        self.ignoring = [False] * players
        self.arrested = False
        self.heists: list[dict[str, Any]] = []
        self.reports: list[Report] = []
        self.heist = 0
        self.choices: dict[int, str] = {}
        self.actor = NOBODY
        self._waiting: list[int] = []
        self._begin_heist()
        self._go_on()

    # What can be done

    def legal(self) -> list[Action]:
        """List the distinct legal actions of the seat to act.

        Returns:
            An action for each title that can be named, in canonical order; silence, or a Cover Story that discards
            nothing, comes last. Empty when the game is over.
        """
        if self.phase == OVER:
            return []
        titles = TITLES if self.phase == ANNOUNCE else sorted(set(self.hands[self.actor]), key=cards.number)
        without = [Action(self.phase)] if self.phase in (ANNOUNCE, COVER) else []
        return [*(Action(self.phase, title) for title in titles), *without]

    def step(self, action: Action) -> None:
        """Carry out a choice of the seat to act, and all that follows up to the next choice.

        Args:
            action: What to do.

        Raises:
            IllegalError: The rules do not allow it now; says why. Nothing has changed then.
        """
        if self.phase == OVER:
            raise IllegalError("the game is over")
        seat, title = self.actor, action.title
        silent = title is None and self.phase in (ANNOUNCE, COVER)
        if action.kind != self.phase or (title is None and not silent):
            raise IllegalError(f"seat {seat} {label(action)}, but it has to {DUE[self.phase]}")
        if self.phase == ANNOUNCE:
            if not silent and title not in TITLES:
                raise IllegalError(f"seat {seat} announces {shown(title)}, which is no title")
            self.announced[seat] = title
        elif title is not None:
            if title not in self.hands[seat]:
                raise IllegalError(f"seat {seat} does not hold {title}")
            self.hands[seat].remove(title)
            self.choices[seat] = title
        self._waiting = self._waiting[1:]
        self._go_on()

    def copy(self) -> "Reference":
        """Give a game that goes on from here without touching this one."""
        return copy.deepcopy(self, {id(self.rules): self.rules, id(self.setup): self.setup})

    def target(self, seat: int) -> int:
        """Give a seat's pass target: the next seat clockwise in odd heists, the one before in even ones (HT2, HT3)."""
        return (seat + (1 if self.heist % 2 else -1)) % self.players

    # Choices

    def _ask(self, phase: str, seats: Iterable[int]) -> None:
        """Let the seats choose, one after the other; what they choose is resolved when all have."""
        self.phase = phase
        self._waiting = list(seats)

    def _go_on(self) -> None:
        """Resolve what has been chosen, until there is a seat to choose or the game is over."""
        while self.phase != OVER and not self._waiting:
            chosen, self.choices = self.choices, {}
            if self.phase == PASS:
                self._pass_on(chosen)
            elif self.phase == ANNOUNCE:
                self._ask(REVEAL, [seat for seat in range(self.players) if self.hands[seat]])
            elif self.phase == REVEAL:
                self._reveal(chosen)
            elif self.phase == WORD:
                self._switch(chosen)
            else:
                self._phase_b(chosen)
        self.actor = self._waiting[0] if self._waiting else NOBODY

    # The draft

    def _begin_heist(self) -> None:
        """Take a shuffled deck and deal each seat in order the top two cards (HT2)."""
        self.heist += 1
        self.stage = 0
        self.deck = list(self.setup.decks[self.heist - 1])
        self.heists.append({"deck": list(self.deck), "draft": [], "stages": []})
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.records: list[list[Laid]] = [[] for _ in range(self.players)]
        self.passed: list[list[str]] = [[] for _ in range(self.players)]
        self.received: list[list[str]] = [[] for _ in range(self.players)]
        self._clear_table()
        for seat in range(self.players):
            self._draw(seat, DEALT)
        self._ask(PASS, range(self.players))

    def _pass_on(self, chosen: dict[int, str]) -> None:
        """Pass all cards together, and let each seat in order draw one; three times (HT2)."""
        for seat, title in chosen.items():
            self.hands[self.target(seat)].append(title)
            self.passed[seat].append(title)
            self.received[self.target(seat)].append(title)
        for seat in range(self.players):
            self._draw(seat, 1)
        draft = self.heists[-1]["draft"]
        draft.append({"pass": [chosen[seat] for seat in range(self.players)]})
        if len(draft) < ROUNDS:
            self._ask(PASS, range(self.players))
        else:
            self._begin_stage()

    def _draw(self, seat: int, number: int) -> None:
        self.hands[seat] += self.deck[:number]
        del self.deck[:number]

    # A Stage

    def _clear_table(self) -> None:
        """Forget what belongs to the Stage before; cards of the records can be used again (HT6)."""
        self.announced: list[str | None] = [None] * self.players
        self.revealed: list[str | None] = [None] * self.players
        self._added: list[list[str]] = [[] for _ in range(self.players)]
        self._covered: list[str | None] = [None] * self.players
        for card in (card for record in self.records for card in record):
            card.used = False

    def _begin_stage(self) -> None:
        """Begin with the announcements, where they are played with (HT17); then those with a card choose (HT4)."""
        self.stage += 1
        self._clear_table()
        zeros = [[0] * self.players for _ in range(6)]
        self._report = Report(
            heist=self.heist,
            stage=self.stage,
            active=[None] * self.players,
            switched=[],
            ignoring=self.ignoring,
            drawn=zeros[0],
            returned=zeros[1],
            gained_heat=zeros[2],
            paid=dict(zip("ABC", zeros[3:], strict=True)),
        )
        self._ask(ANNOUNCE, range(self.players) if self.rules.announce else ())

    def _reveal(self, chosen: dict[int, str]) -> None:
        """Put the chosen cards at the ends of the records, all together (HT4)."""
        for seat, title in chosen.items():
            self.revealed[seat] = title
            self.records[seat].append(Laid(title))
        self._ask_for_words()

    def _active(self, seat: int) -> str | None:
        """Give what a seat's active card counts as: the last card of its record, if the seat played (HT4, HT5)."""
        if self.revealed[seat] is None:
            return None
        title = self.records[seat][-1].title
        return self._copied(seat) if title == COPYCAT_CRIME else title

    def _copied(self, seat: int) -> str:
        """Give what a seat's Copycat Crime copies: what its pass target revealed, from Copycat to Copycat (HT5).

        Returns:
            The title; Copycat Crime where it has no effect, since it leads round, or to a seat that revealed nothing.
        """
        visited = {seat}
        other = self.target(seat)
        while other not in visited:
            title = self.revealed[other]
            if title is None:
                break
            if title != COPYCAT_CRIME:
                return title
            visited.add(other)
            other = self.target(other)
        return COPYCAT_CRIME

    def _counting(self, seat: int) -> list[str]:
        """List the titles of a record as they count: a Copycat Crime is a copy only where it is active (HT5)."""
        titles = [card.title for card in self.records[seat]]
        return titles if self.revealed[seat] is None else [*titles[:-1], str(self._active(seat))]

    def _letters(self, seat: int) -> str:
        """Give the letters of a record; a card of two letters has both."""
        return "".join(cards.letters(title) for title in self._counting(seat))

    # Phase A

    def _switching(self) -> list[int]:
        """List the seats whose active card is a switching card that has not been used in this Stage (HT6)."""
        return [
            seat for seat in range(self.players) if self._active(seat) in SWITCHING and not self.records[seat][-1].used
        ]

    def _ask_for_words(self) -> None:
        """Begin a repetition of step A1 with the choices of its Word on the Street; an empty hand has none (HT6)."""
        words = [seat for seat in self._switching() if self._active(seat) == WORD_ON_THE_STREET]
        self._ask(WORD, [seat for seat in words if self.hands[seat]])

    def _switch(self, chosen: dict[int, str]) -> None:
        """Use the switching cards of a repetition in seat order; without any, go on with step A2 (HT6, HT8)."""
        seats = self._switching()
        if not seats:
            self._phase_a()
            covers = [seat for seat, title in enumerate(self._report.active) if title == COVER_STORY]
            self._ask(COVER, [seat for seat in covers if self.hands[seat]])
            return
        backups = [seat for seat in seats if self._active(seat) == BACKUP_PLAN]
        enough = BACKUP_DRAWS * len(backups) <= len(self.deck)
        for seat in seats:
            self._use(seat, chosen.get(seat), enough)
        self._ask_for_words()

    def _use(self, seat: int, chosen: str | None, enough: bool) -> None:
        """Use a seat's switching card, which is used even where it can do nothing (HT6)."""
        record, title = self.records[seat], str(self._active(seat))
        card = record[-1]
        card.used = True
        if title == BACKUP_PLAN and enough:
            record.append(Laid(self.deck.pop(0)))
            self._draw_in_stage(seat, BACKUP_DRAWS - 1)
        elif title == CIRCLE_BACK and len(record) > 1:
            record[-2], record[-1] = record[-1], record[-2]
        elif title == WORD_ON_THE_STREET and chosen is not None:
            record.append(Laid(chosen))
            self._added[seat].append(chosen)
        self._report.switched.append((seat, title, None if record[-1] is card else record[-1].title))

    def _draw_in_stage(self, seat: int, number: int) -> None:
        self._draw(seat, number)
        self._report.drawn[seat] += number

    def _phase_a(self) -> None:
        """Carry out step A2: all other A effects together, judged on the state at its start (HT7)."""
        active = self._report.active = [self._active(seat) for seat in range(self.players)]
        draws: dict[int, int] = {}
        pay = [0] * self.players
        for seat, title in enumerate(active):
            if title in (FRAME_UP, INTERROGATION):
                self._return_heat(seat, 1)
            elif title == LAY_LOW:
                self._return_heat(seat, 1 if active.count(LAY_LOW) == 1 else 3)
            elif title == MASTERMIND:
                draws[seat] = 2
            elif title == INFORMANT and all(self.money[seat] < self.money[other] for other in self._others(seat)):
                pay[seat] = 3
            elif title == INFORMANT:
                draws[seat] = 1
        if sum(draws.values()) <= len(self.deck):  # else all skip (HT8)
            for seat, number in draws.items():
                self._draw_in_stage(seat, number)
        self._pay("A", pay)

    def _return_heat(self, seat: int, number: int) -> None:
        """Give back Heat, at most what the seat has (HT9)."""
        returned = min(number, self.heat[seat])
        self.heat[seat] -= returned
        self._report.returned[seat] += returned

    # Phase B

    def _phase_b(self, chosen: dict[int, str]) -> None:
        """Lay the Cover Story discards at the starts of the records, then gain Heat and money together (HT10, HT11)."""
        for seat, title in chosen.items():
            self.records[seat].insert(0, Laid(title))
            self._covered[seat] = title
        gains = [self._heat_gain(seat) for seat in range(self.players)]
        if sum(gains) > self.rules.tokens:
            self.arrested = True
        else:
            while sum(self.heat) + sum(gains) > self.rules.tokens:
                self._shortage()
            pay = [self._phase_b_pay(seat) for seat in range(self.players)]
            self.heat = [heat + gain for heat, gain in zip(self.heat, gains, strict=True)]
            self._report.gained_heat = gains
            self._pay("B", pay)
            self._phase_c()
        self._end_stage()

    def _heat_gain(self, seat: int) -> int:
        """Give the Heat that a seat gains in phase B, were there enough of it (HT10)."""
        active = self._report.active
        title = active[seat]
        if title is None or self.ignoring[seat]:
            return 0
        gain = {BANK_JOB: 2, BREAK_IN: 1}.get(title, 0)
        if title == HEAVY:
            gain = sum(self._counting(other).count(HEAVY) for other in range(self.players))
        if "B" in cards.letters(title):
            gain += active.count(FRAME_UP)
        return gain + active.count(THE_FEDS) if gain else 0

    def _shortage(self) -> None:
        """Let every seat with Heat return 1 and lose $3 (HT11)."""
        self._report.shortages += 1
        for seat in range(self.players):
            if self.heat[seat]:
                self.heat[seat] -= 1
                left = self.money[seat] - SHORTAGE_COST
                self.money[seat] = left if self.rules.debt else max(left, 0)

    def _phase_b_pay(self, seat: int) -> int:
        """Give the dollars that a seat gains in phase B (HT10)."""
        title = self._report.active[seat]
        if title == BANK_JOB:
            return 5 if self._report.active.count(BANK_JOB) == 1 else 0
        if title == BREAK_IN:
            return 3
        if title == COVER_STORY:
            return 0 if self._covered[seat] is None else 3
        if title == HEAVY:
            return 2 * self._letters(seat).count("B")
        if title == THE_LIFT:
            return 2
        if title == SPECIALIST:
            return max(self._letters(seat).count(letter) for letter in "ABC")
        return 0

    # Phase C

    def _phase_c(self) -> None:
        """Pay for the C effects, judged together on the state after phase B (HT12)."""
        pay = [self._phase_c_pay(seat) for seat in range(self.players)]
        # What the others gain by a Fence themselves does not count, so it is paid last and all at once.
        gained = [sum(of_seat) for of_seat in zip(*self._report.paid.values(), pay, strict=True)]
        for seat, title in enumerate(self._report.active):
            if title == FENCE_THE_GOODS:
                pay[seat] = 4 if any(gained[other] >= BIG_MONEY for other in self._others(seat)) else 1
        self._pay("C", pay)

    def _phase_c_pay(self, seat: int) -> int:
        """Give the dollars that a seat gains in phase C, but for Fence the Goods (HT12)."""
        title, heat, others = self._report.active[seat], self.heat[seat], self._others(seat)
        if title == DIVERSION:
            return 4 if all(heat > self.heat[other] for other in others) else 1
        if title == KANSAS_CITY_SHUFFLE:
            return sum(held > 0 for held in self.heat)
        if title == LEVERAGE:
            return sum(self._report.gained_heat[other] for other in others)
        if title == UNDER_THE_RADAR:
            return 1 if heat else 3
        if title == CRACKDOWN:
            return self._heat_value()
        if title == MASTERMIND:
            held, most = len(self.hands[seat]), max(len(self.hands[other]) for other in others)
            return 2 if held > most or (held == most and self.rules.mastermind_tie) else 0
        if title == INTERROGATION:
            return sum(returned > 0 for returned in self._report.returned)
        return 0

    def _pay(self, phase: str, pay: list[int]) -> None:
        self._report.paid[phase] = pay
        self.money = [money + gain for money, gain in zip(self.money, pay, strict=True)]

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(self.players) if other != seat]

    def _heat_value(self) -> int:
        return self.rules.heat_value(sum(self.heat))

    # After a Stage

    def _end_stage(self) -> None:
        """Write the Stage down; then comes the next Stage, the next heist or the end (HT11, HT14)."""
        self._write_down()
        self.reports.append(self._report)
        self.ignoring = [title == THE_FEDS for title in self._report.active]
        if self.arrested or (self.heist, self.stage) == (self.rules.heists, self.rules.stages):
            self._ask(OVER, ())
        elif self.stage < self.rules.stages:
            self._begin_stage()
        else:
            if not self.rules.feds_carry_over:
                self.ignoring = [False] * self.players
            self._begin_heist()

    def _write_down(self) -> None:
        entry: dict[str, Any] = {"announce": list(self.announced)} if self.rules.announce else {}
        entry["reveal"] = list(self.revealed)
        if any(self._added):
            entry["add"] = self._added
        if any(self._covered):
            entry["cover"] = self._covered
        entry["after"] = {
            "money": list(self.money),
            "heat": list(self.heat),
            "hands": [sorted(hand) for hand in self.hands],
            "records": self._record_titles(),
            "deck": len(self.deck),
        }
        self.heists[-1]["stages"].append(entry)

    def _record_titles(self) -> list[list[str]]:
        return [[card.title for card in record] for record in self.records]

    # The end

    def result(self) -> dict[str, Any]:
        """Settle the game as it stands; its result when it is over (HT13, HT14, HT15).

        Returns:
            The `result` of a trace: `money` before paying for Heat, `heat`, `heat_value`, `final`, `winners` (none
            after an arrest) and `arrested`.
        """
        value = self._heat_value()
        final = [money - heat * value for money, heat in zip(self.money, self.heat, strict=True)]
        order = [(dollars, -heat) for dollars, heat in zip(final, self.heat, strict=True)]
        return {
            "money": list(self.money),
            "heat": list(self.heat),
            "heat_value": value,
            "final": final,
            "winners": [] if self.arrested else [seat for seat in range(self.players) if order[seat] == max(order)],
            "arrested": self.arrested,
        }

    # What a seat knows

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Give everything that a seat knows, and nothing else.

        Args:
            seat: The player's seat.

        Returns:
            `seat`; `phase`; `actor`; `heist` and `stage`; its own `hand` in canonical order, `choice` (a card chosen
            that the others do not see yet), `passed` and `received` (by round), `target` (whom it passes to); and of
            all seats `money`, `heat`, `records`, `used` (of each card in the records), `announced`, `revealed`,
            `active` (what the active card counts as), `ignoring` and `hand_sizes` (cards chosen but not yet seen
            still count); `heat_value`; `deck` (cards left).
        """
        return {
            "seat": seat,
            "phase": self.phase,
            "actor": self.actor,
            "heist": self.heist,
            "stage": self.stage,
            "hand": sorted(self.hands[seat], key=cards.number),
            "choice": self.choices.get(seat),
            "passed": list(self.passed[seat]),
            "received": list(self.received[seat]),
            "target": self.target(seat),
            "money": list(self.money),
            "heat": list(self.heat),
            "heat_value": self._heat_value(),
            "records": self._record_titles(),
            "used": [[card.used for card in record] for record in self.records],
            "announced": list(self.announced),
            "revealed": list(self.revealed),
            "active": [self._active(other) for other in range(self.players)],
            "ignoring": list(self.ignoring),
            "hand_sizes": [len(hand) + (other in self.choices) for other, hand in enumerate(self.hands)],
            "deck": len(self.deck),
        }
