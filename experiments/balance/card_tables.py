"""From sums of what became of cards to tidy tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from experiments.balance import estimates
from experiments.balance.card_measures import (
    ALL,
    CAUSAL,
    EVIDENCE,
    EXCHANGE,
    IN_HAND_KNOWN,
    NOT_SEEN,
    NOT_SEEN_KNOWN,
    PLAY_RATE,
    PLAY_SHARE,
    Condition,
    change,
    conditions,
    contrast,
    flags,
    mean,
    mean_of_others,
    p_beyond,
    rates,
)
from experiments.balance.card_sums import CardSums
from experiments.balance.estimates import Estimate, Function, Sums
from experiments.balance.results import METHOD, adjust, table
from experiments.intervals import Interval, interval_row
from experiments.sums import WIN_UNIT
from experiments.tables import Table
from gameapi.game import Game

Row = dict[str, Any]
Described = tuple[str, str, str]


def _value(name: str, unit: str, meaning: str) -> tuple[Described, Described, Described]:
    """Return the three columns of an estimate with its interval."""
    low, high = (f"{end} end of its 95 % interval" for end in ("lower", "upper"))
    return (name, unit, meaning), (f"{name}_low", unit, low), (f"{name}_high", unit, high)


_CARD = (
    ("players", "", "seats at the table"),
    ("agent", "", "who plays, at all seats"),
    ("card", "", "the card: a face, a title"),
)
_N_DEALS = ("n_deals", "deals", "deals of these games, one game each; intervals are clustered by deal")
_P_VALUE = ("p_value", "probability", "of such a difference, or a larger one, if there were none (t test)")

COLUMNS: Mapping[str, Sequence[Described]] = {
    "cards": [
        *_CARD,
        ("group", "", "kind of card: of a face, or the letters of a title"),
        ("copies", "cards", "copies that are in the deck of so many players"),
        *_value("dealt", "copies / game", "copies in opening hands"),
        *_value(PLAY_SHARE, "copies / n_copies", "copies played, of those that were held and not passed on"),
        *_value(PLAY_RATE, "times / n_times", "times that it was played, of those that a seat chose a card with it"),
        *_value("dealt_effect", "wins / seat", "win share of seats that were dealt it less that of the others; causal"),
        *_value("in_hand_effect", "wins / seat", "win share of seats that held it less that of the others (IIH)"),
        *_value("exchange_effect", "wins / game", "what it brings in place of a random card of a hand; causal"),
        *_value("exchange_score", "points", "the same in points"),
        *_value("ban_effect", "wins / game", "what it costs a seat that holds it that it may not play it; causal"),
        ("flags", "", "findings, see table flags; empty for none"),
        _N_DEALS,
        ("n_pairs", "deals", "deals that were played with and without the exchange"),
    ],
    "rates": [
        *_CARD,
        ("rate", "", "which rate, see table definitions"),
        *_value("value", "copies / game, or a share", "the rate"),
        ("n", "", "what it is counted over: games, or what the share is of"),
        _N_DEALS,
    ],
    "conditions": [
        *_CARD,
        ("condition", "", "what the seats have in common, see table definitions"),
        ("known_as", "", "what players of 17Lands call the win share"),
        ("evidence", "", "causal, chance or correlation, see table definitions"),
        *_value("win_share", "wins / n_seats", "wins of these seats"),
        *_value("win_difference", "wins / seat", "their win share less that of the other seats"),
        *_value("score_mean", "points", "mean final score of these seats"),
        *_value("score_difference", "points", "their mean score less that of the other seats"),
        _P_VALUE,
        ("n_seats", "seats", "seats that meet it, over all games"),
        _N_DEALS,
    ],
    "changes": [
        *_CARD,
        ("change", "", "exchange, or what the seat may not do with the card; see table definitions"),
        ("evidence", "", "causal: the same deals, seats and random streams with and without it"),
        *_value("win_difference", "wins / n_held", "wins with the change less wins without it"),
        *_value("score_difference", "points / n_held", "score with the change less score without it"),
        _P_VALUE,
        ("p_adjusted", "probability", "p_value by Holm's method over all rows of this table"),
        ("n_pairs", "deals", "deals on which it was tried"),
        ("n_held", "deals", "those on which the card came up at the seat, so that it could change something"),
    ],
    "flags": [
        *_CARD,
        ("flag", "", "the finding, see table definitions"),
        ("measure", "", "the number that is tested"),
        *_value("value", "", "the measure"),
        ("threshold", "", "what it is beyond"),
        ("p_adjusted", "probability", "of the test that it is not, by Holm's method over all such tests of the study"),
    ],
    "definitions": [
        ("table", "", "where the name stands"),
        ("name", "", "a rate, condition, change, flag or kind of evidence"),
        ("meaning", "", "its definition"),
    ],
}
"""For each table its columns, each with unit and meaning."""

ALARM = 0.05
FAMILY = (
    "By Holm's method, so that any false alarm in a family has a probability of at most 5 %. Families: all rows of the "
    "table changes; all tests of flags: every flag of every card, number of players and agent."
)
METHODS = {"*_low, *_high": METHOD, "p_adjusted": FAMILY}


@dataclass(frozen=True)
class Card:
    """A card at a table.

    Attributes:
        game: the game.
        players: seats.
        agent: who plays.
        name, group, copies: of the card.
        sums: its sums.
    """

    game: Game
    players: int
    agent: str
    name: str
    group: str
    copies: int
    sums: Sums

    @property
    def head(self) -> Row:
        """What its rows begin with."""
        return {"players": self.players, "agent": self.agent, "card": self.name}

    @property
    def changes(self) -> list[str]:
        """The changes that were tried."""
        names = [EXCHANGE, *(ban.name for ban in self.game.bans)]
        return [name for name in names if f"{name}:pairs" in self.sums]

    @cached_property
    def n_deals(self) -> int:
        """Deals that were watched."""
        return int(self.sums["all:seats"][0]) // self.players

    def estimate(self, function: Function, size: str) -> Estimate:
        """Work out a measure."""
        return estimates.estimate(function, self.sums, size)

    def row(self, name: str, function: Function, size: str, is_share: bool = False) -> Row:
        """Return a measure with its interval."""
        return interval_row(name, estimates.interval(self.estimate(function, size), is_share))

    def p_value(self, function: Function, size: str) -> float:
        """Test that a difference is none; NaN where there is no test, as where all deals agree on some other number."""
        found = self.estimate(function, size)
        if found.variance == 0 and found.value != 0:
            return math.nan
        return estimates.difference(found, Estimate(0.0, 0.0 * found.apart, found.groups, found.n, found.deals)).p_value


def cards_of(game: Game, players: int, agent: str, kinds: Sequence[tuple[str, str, int]], sums: CardSums) -> list[Card]:
    """Return the cards of a table that are in the deck."""
    return [
        Card(game, players, agent, *kind, Sums(sums.totals(i), players)) for i, kind in enumerate(kinds) if kind[2] > 0
    ]


def tables(game: Game, cards: Sequence[Card]) -> dict[str, Table]:
    """Return all tables by name, in the order of `COLUMNS`."""
    changes = [row for card in cards for row in _changes(card)]
    adjust(changes)
    flagged = _flags(cards)
    rows: dict[str, Sequence[Row]] = {
        "cards": [_card(card, flagged) for card in cards],
        "rates": [row for card in cards for row in _rates(card)],
        "conditions": [row for card in cards for row in _conditions(card)],
        "changes": changes,
        "flags": flagged,
        "definitions": list(_definitions(game)),
    }
    return {name: table(name, rows[name], COLUMNS) for name in COLUMNS}


def _card(card: Card, flagged: Sequence[Row]) -> Row:
    rate = {rate.name: rate for rate in rates(card.game)}
    mine = [row["flag"] for row in flagged if {**row, **card.head} == row]
    ban = card.game.bans[0].name
    return {
        **card.head,
        "group": card.group,
        "copies": card.copies,
        **card.row("dealt", rate["dealt"].of, "all:seats"),
        **card.row(PLAY_SHARE, rate[PLAY_SHARE].of, "in_hand:seats", True),
        **card.row(PLAY_RATE, rate[PLAY_RATE].of, "offered", True),
        **card.row("dealt_effect", contrast("dealt", "wins", WIN_UNIT), "all:seats"),
        **card.row("in_hand_effect", contrast("in_hand", "wins", WIN_UNIT), "all:seats"),
        **_change(card, "exchange_effect", EXCHANGE, "wins", WIN_UNIT),
        **_change(card, "exchange_score", EXCHANGE, "score"),
        **_change(card, "ban_effect", ban, "wins", WIN_UNIT),
        "flags": ", ".join(mine),
        "n_deals": card.n_deals,
        "n_pairs": int(card.sums[f"{EXCHANGE}:pairs"][0]),
    }


def _change(card: Card, column: str, name: str, what: str, unit: int = 1) -> Row:
    if name not in card.changes:
        return interval_row(column, Interval(math.nan, math.nan, math.nan))
    return card.row(column, change(name, what, "held", unit), f"{name}:held")


def _rates(card: Card) -> Iterator[Row]:
    for rate in rates(card.game):
        size = int(sum(card.sums[name][0] for name in rate.below)) if rate.below else card.n_deals
        yield {
            **card.head,
            "rate": rate.name,
            **card.row("value", rate.of, "all:seats", rate.is_share),
            "n": size,
            "n_deals": card.n_deals,
        }


def _conditions(card: Card) -> Iterator[Row]:
    for condition in conditions(card.game):
        yield _condition(card, condition, condition.name, condition.known, 1)
        if condition.name == "in_hand":
            yield _condition(card, condition, NOT_SEEN, NOT_SEEN_KNOWN, -1)


def _condition(card: Card, condition: Condition, name: str, known: str, sign: int) -> Row:
    """Return the row of a condition, or of what is left where it is not met (`sign` -1)."""
    of = mean if sign > 0 else mean_of_others
    n_all, n_met = (int(card.sums[f"{which}:seats"][0]) for which in (ALL, condition.name))

    def apart(what: str, unit: int = 1) -> Function:
        less = contrast(condition.name, what, unit)
        return lambda sums: sign * less(sums)

    wins = apart("wins", WIN_UNIT)
    return {
        **card.head,
        "condition": name,
        "known_as": known,
        "evidence": condition.evidence,
        **card.row("win_share", of(condition.name, "wins", WIN_UNIT), "all:seats", True),
        **card.row("win_difference", wins, "all:seats"),
        **card.row("score_mean", of(condition.name, "score"), "all:seats"),
        **card.row("score_difference", apart("score"), "all:seats"),
        "p_value": card.p_value(wins, "all:seats"),
        "n_seats": n_met if sign > 0 else n_all - n_met,
        "n_deals": card.n_deals,
    }


def _changes(card: Card) -> Iterator[Row]:
    for name in card.changes:
        wins, size = change(name, "wins", "held", WIN_UNIT), f"{name}:held"
        yield {
            **card.head,
            "change": name if name == EXCHANGE else f"may not {name}",
            "evidence": CAUSAL,
            **card.row("win_difference", wins, size),
            **card.row("score_difference", change(name, "score", "held"), size),
            "p_value": card.p_value(wins, size),
            "n_pairs": int(card.sums[f"{name}:pairs"][0]),
            "n_held": int(card.sums[size][0]),
        }


def _flags(cards: Sequence[Card]) -> list[Row]:
    """Return the findings: of all tests of flags those that Holm's method rejects."""
    tested = []
    for card in cards:
        for flag in flags(card.game):
            if flag.size not in card.sums:  # an agent that no card can be hidden from
                continue
            found = card.estimate(flag.of, flag.size)
            tested.append(
                {
                    **card.head,
                    "flag": flag.name,
                    "measure": flag.measure,
                    **interval_row("value", estimates.interval(found, flag.is_share)),
                    "threshold": flag.threshold,
                    "p_value": p_beyond(found, flag),
                }
            )
    adjust(tested)
    return [row for row in tested if row["p_adjusted"] < ALARM]


def _definitions(game: Game) -> Iterator[Row]:
    for rate in rates(game):
        yield {"table": "rates", "name": rate.name, "meaning": rate.meaning}
    for condition in conditions(game):
        known = f" ({condition.known})" if condition.known else ""
        yield {"table": "conditions", "name": condition.name, "meaning": f"{condition.meaning}{known}"}
    not_seen = f"it was never in hand ({NOT_SEEN_KNOWN}); in_hand less this is {IN_HAND_KNOWN}"
    yield {"table": "conditions", "name": NOT_SEEN, "meaning": not_seen}
    for name, meaning in EVIDENCE.items():
        yield {"table": "conditions", "name": name, "meaning": meaning}
    exchange = "a random other card of an opening hand is exchanged for a copy that no hand holds, else another hand's"
    yield {"table": "changes", "name": EXCHANGE, "meaning": exchange}
    for ban in game.bans:
        meaning = f"the seat may not {ban.meaning} while it has another choice"
        yield {"table": "changes", "name": f"may not {ban.name}", "meaning": meaning}
    for flag in flags(game):
        meaning = f"{flag.meaning}: {flag.measure} {flag.side} {flag.threshold:g}"
        yield {"table": "flags", "name": flag.name, "meaning": meaning}
