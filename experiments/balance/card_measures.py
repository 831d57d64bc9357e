"""Every number that is told of a card, one definition each; what a game does not count is left out.

Names in capitals are those of 17Lands, where players know a number by one. There a card counts once for each copy; here
a seat counts once, so that the seats that meet a condition and those that do not are all seats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from experiments.balance.estimates import Estimate, Floats, Function, Sums
from experiments.intervals import t_probability
from experiments.sums import WIN_UNIT
from gameapi.game import Game

CAUSAL, CHANCE, CORRELATION = "causal", "chance", "correlation"
EVIDENCE = {
    CAUSAL: "nobody chose it and all else is equal on average, so a difference is what the card does",
    CHANCE: "nobody chose it, but a seat that draws more, or a game that lasts longer, meets it more often",
    CORRELATION: "somebody chose it, perhaps because the game went well or badly: it tells no effect of the card",
}
EXCHANGE = "exchange"
ALL = "all"
HELD = ("dealt", "drawn", "received_1", "received_2", "received_3")
USED_UP = ("played", "added", "picked", "discarded", "left")
"""What can become of a copy that is held and not passed on in a draft."""


@dataclass(frozen=True)
class Condition:
    """What a seat may meet in a game.

    Attributes:
        name: in the tables.
        known: what 17Lands calls the win share of those that meet it, empty where it has no name.
        counts: of which one above 0 makes a seat meet it.
        evidence: a key of `EVIDENCE`.
        meaning: in words.
    """

    name: str
    known: str
    counts: tuple[str, ...]
    evidence: str
    meaning: str


_CONDITIONS = (
    Condition("dealt", "OH WR", ("dealt",), CAUSAL, "it was in an opening hand"),
    Condition("drawn", "GD WR", ("drawn",), CHANCE, "it was drawn after the opening hand"),
    Condition(
        "received",
        "",
        ("received_1", "received_2", "received_3"),
        CORRELATION,
        "it was passed to the seat in a draft",
    ),
    Condition("in_hand", "GIH WR", HELD, CHANCE, "it was in hand at some time"),
    Condition("passed", "", ("passed_1", "passed_2", "passed_3"), CORRELATION, "the seat passed it on in a draft"),
    Condition("played", "", ("played", "added"), CORRELATION, "the seat played it"),
    Condition("picked", "", ("picked",), CORRELATION, "the seat picked it in a storm"),
    Condition("discarded", "", ("discarded",), CORRELATION, "the seat discarded it for a Cover Story"),
    Condition("left", "", ("left",), CORRELATION, "it was left in hand, unplayed"),
)
NOT_SEEN = "not_seen"
NOT_SEEN_KNOWN, IN_HAND_KNOWN = "GNS WR", "IIH"
"""What 17Lands calls the win share of those that never held it, and that of those that did less this."""


@dataclass(frozen=True)
class Rate:
    """How often something comes up.

    Attributes:
        name: in the tables.
        above: counts to add up.
        below: counts to divide by; empty for games.
        meaning: in words.
        less: counts to take off `above`.
    """

    name: str
    above: tuple[str, ...]
    below: tuple[str, ...]
    meaning: str
    less: tuple[str, ...] = ()

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return bool(self.below)

    @property
    def of(self) -> Function:
        """The definition as a function of sums."""

        def rate(sums: Sums) -> Floats:
            below = total(sums, self.below) if self.below else sums["all:seats"] / sums.players
            found: Floats = (total(sums, self.above) - total(sums, self.less)) / below
            return found

        return rate


PLAY_SHARE, PLAY_RATE = "play_share", "play_rate"
_SHARES = (
    Rate(PLAY_SHARE, ("played", "added"), USED_UP, "copies played, of those that were held and not passed on"),
    Rate("pick_share", ("picked",), USED_UP, "copies picked in a storm, of those that were held"),
    Rate("discard_share", ("discarded",), USED_UP, "copies discarded for a Cover Story, of those not passed on"),
    Rate("left_share", ("left",), USED_UP, "copies left in hand, of those that were held and not passed on"),
    Rate(PLAY_RATE, ("played",), ("offered",), "times that it was played, of those that a seat chose a card with it"),
    *(
        Rate(f"pass_share_{n}", (f"passed_{n}",), (f"draft_{n}",), f"passed on in round {n}, of those that held it")
        for n in (1, 2, 3)
    ),
    *(
        Rate(
            f"keep_share_{n}",
            (f"draft_{n}",),
            (f"draft_{n}",),
            f"kept in round {n}, of those that held it",
            less=(f"passed_{n}",),
        )
        for n in (1, 2, 3)
    ),
)


def total(sums: Sums, names: Sequence[str]) -> Floats:
    """Return the sum of several features, 0 for none."""
    return np.asarray(sum((sums[name] for name in names), np.zeros(1)), dtype=np.float64)


def conditions(game: Game) -> list[Condition]:
    """Return the conditions that a game counts; where cards are passed on, what is held is no chance alone."""
    counted = {count.name for count in game.counts}
    drafts = "received_1" in counted
    found = []
    for condition in _CONDITIONS:
        counts = tuple(name for name in condition.counts if name in counted)
        if counts:
            evidence = CORRELATION if drafts and condition.evidence == CHANCE else condition.evidence
            found.append(Condition(condition.name, condition.known, counts, evidence, condition.meaning))
    return found


def rates(game: Game) -> list[Rate]:
    """Return the rates of a game: copies a game of all that it counts, then shares."""
    counted = {count.name: count.meaning for count in game.counts}
    copies = [Rate(name, (name,), (), f"{meaning}, a game, all seats together") for name, meaning in counted.items()]
    shares = []
    for rate in _SHARES:
        above, below = (tuple(name for name in names if name in counted) for names in (rate.above, rate.below))
        if above and below:
            shares.append(Rate(rate.name, above, below, rate.meaning, rate.less))
    return copies + shares


def mean(condition: str, what: str, unit: int = 1) -> Function:
    """Return the wins or score of a seat that meets a condition."""
    return lambda sums: sums[f"{condition}:{what}"] / (sums[f"{condition}:seats"] * unit)


def mean_of_others(condition: str, what: str, unit: int = 1) -> Function:
    """Return the wins or score of a seat that does not meet a condition."""

    def of(sums: Sums) -> Floats:
        above = sums[f"{ALL}:{what}"] - sums[f"{condition}:{what}"]
        found: Floats = above / ((sums[f"{ALL}:seats"] - sums[f"{condition}:seats"]) * unit)
        return found

    return of


def contrast(condition: str, what: str, unit: int = 1) -> Function:
    """Return how much more a seat wins or scores that meets a condition than one that does not."""
    one, other = mean(condition, what, unit), mean_of_others(condition, what, unit)
    return lambda sums: one(sums) - other(sums)


def change(name: str, what: str, over: str, unit: int = 1) -> Function:
    """Return what a change made of a seat's wins or score, a game in which it came up."""
    return lambda sums: sums[f"{name}:{what}"] / (sums[f"{name}:{over}"] * unit)


# ---- flags ----------------------------------------------------------------------------------------------------------

ABOVE, BELOW, WITHIN = "above", "below", "within"


@dataclass(frozen=True)
class Flag:
    """A finding about a card, and the test that makes it one.

    Attributes:
        name: of the flag.
        measure: the number that is tested.
        side: where it has to be: `ABOVE` or `BELOW` the threshold, or `WITHIN` it on either side of 0.
        threshold: beyond which it is a finding.
        meaning: in words.
        of: the measure as a function of sums.
        size: the feature that counts its observations.
        is_share: whether the measure is a share.
    """

    name: str
    measure: str
    side: str
    threshold: float
    meaning: str
    of: Function = field(repr=False)
    size: str
    is_share: bool = False


STRONG, NOTHING, DEAD_SHARE, AT_ONCE_RATE = 0.02, 0.01, 0.05, 0.9


def flags(game: Game) -> list[Flag]:
    """Return the flags that a card of a game may get."""
    shares = {rate.name: rate for rate in rates(game)}
    exchange, exchanged = change(EXCHANGE, "wins", "held", WIN_UNIT), f"{EXCHANGE}: wins"
    played, rate = shares[PLAY_SHARE], shares[PLAY_RATE]
    ban = game.bans[0].name
    strong = "in an opening hand, in place of another card, it brings many wins"
    weak = "in an opening hand, in place of another card, it costs many wins"
    dead = "those that hold it hardly ever play it"
    idle = "a seat that holds it wins as often where it may not play it"
    at_once = "played nearly whenever a seat that holds it chooses: there is nothing to decide"
    return [
        Flag("dominant", exchanged, ABOVE, STRONG, strong, exchange, f"{EXCHANGE}:held"),
        Flag("weak", exchanged, BELOW, -STRONG, weak, exchange, f"{EXCHANGE}:held"),
        Flag("dead", PLAY_SHARE, BELOW, DEAD_SHARE, dead, played.of, "in_hand:seats", is_share=True),
        Flag(
            "no effect",
            f"may not {ban}: wins",
            WITHIN,
            NOTHING,
            idle,
            change(ban, "wins", "held", WIN_UNIT),
            f"{ban}:held",
        ),
        Flag("at once", PLAY_RATE, ABOVE, AT_ONCE_RATE, at_once, rate.of, "offered", is_share=True),
    ]


def p_beyond(found: Estimate, flag: Flag) -> float:
    """Return the p-value of the test that a measure is not where a flag wants it, NaN where there is no test.

    One-sided t tests, two of them for `WITHIN` (Schuirmann, A comparison of the two one-sided tests procedure, 1987);
    of a share by the spread that it would have at the threshold, as Wilson's interval is.
    """
    if math.isnan(found.value) or found.groups < 2:
        return math.nan
    if flag.side == WITHIN:
        return max(_p_value(found, flag, BELOW, flag.threshold), _p_value(found, flag, ABOVE, -flag.threshold))
    return _p_value(found, flag, flag.side, flag.threshold)


def _p_value(found: Estimate, flag: Flag, side: str, threshold: float) -> float:
    variance = found.variance
    if flag.is_share:
        size = found.value * (1 - found.value) / variance if variance > 0 else found.n
        variance = threshold * (1 - threshold) / size
    elif variance == 0:  # no game came out otherwise: were one in 1 / threshold to do so, this would be the chance
        return (1 - abs(threshold)) ** found.n if flag.side == WITHIN else 1.0
    t = (found.value - threshold) / math.sqrt(variance)
    return t_probability(-t if side == ABOVE else t, found.groups - 1)
