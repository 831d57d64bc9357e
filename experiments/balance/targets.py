"""Targets: what a metric should be, as it is typed, and whether an interval meets it.

    seat_gap<0.03                every number of players and every level played
    decisions@4=60..75           with four players
    skill@2@mc:rollouts=64>=0.4  with two players, for the level `mc:rollouts=64`

A target is met where every cell that it speaks of is met, and a cell is met where its whole 95 % interval lies inside
(Berger 1982: all of several things hold where each has been shown to, without a correction).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from experiments.intervals import Interval
from gameapi.errors import UserError, shown

MET, NOT_MET, UNDECIDED = "met", "not met", "undecided"

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_FORM = re.compile(
    rf"(?P<metric>[a-z][a-z0-9_]*)(?:@(?P<players>\d{{1,9}}))?(?:@(?P<agent>[^@\s]*[^@\s<>=]))?"
    rf"(?P<sign><=|>=|<|>|=)(?P<low>{_NUMBER})(?:\.\.(?P<high>{_NUMBER}))?"
)
_EXPECTED = "expected METRIC<X, METRIC<=X, METRIC>X, METRIC>=X or METRIC=A..B, with @PLAYERS and @AGENT behind METRIC"


@dataclass(frozen=True)
class Target:
    """A range that a metric should lie in.

    Attributes:
        text: as it was typed, without blanks.
        metric: name of the metric.
        low, high: the ends, infinite where there is none.
        strict: whether the ends themselves are outside.
        players: the number of players that it speaks of, None for every one.
        agent: the level that it speaks of, None for every one.
    """

    text: str
    metric: str
    low: float
    high: float
    strict: bool = False
    players: int | None = None
    agent: str | None = None

    def holds(self, value: float) -> bool:
        """Tell whether a number lies inside."""
        return self.low < value < self.high if self.strict else self.low <= value <= self.high

    def distance(self, value: float) -> float:
        """Return how far outside a number lies, in the metric's unit; 0 inside."""
        return max(self.low - value, value - self.high, 0.0)

    def speaks_of(self, metric: str, players: int, agent: str) -> bool:
        """Tell whether the target is about a cell of the table `metrics`."""
        return metric == self.metric and self.players in (None, players) and self.agent in (None, agent)

    def verdict(self, found: Interval) -> str:
        """Judge an interval: met where all of it lies inside, not met where none of it does.

        Without an interval (one deal alone) nothing is decided.
        """
        ends = found.low, found.high
        if any(map(math.isnan, ends)):
            return UNDECIDED
        if all(map(self.holds, ends)):
            return MET
        outside = found.high < self.low or found.low > self.high
        touches = self.strict and (found.high == self.low or found.low == self.high)
        return NOT_MET if outside or touches else UNDECIDED


def read(text: str, metrics: Collection[str] | None = None, place: str = "target") -> Target:
    """Read a target as it is typed.

    Args:
        text: such as `seat_gap<0.03`.
        metrics: names that there are, of which `_mean` and `_share` may be left out; None for any.
        place: what a message calls it.

    Raises:
        UserError: it cannot be read, or there is no such metric; says what would be right.
    """
    plain = text.replace(" ", "")
    found = _FORM.fullmatch(plain)
    if not found or (found["high"] is None) != (found["sign"] != "="):
        raise UserError(f"found {shown(text)}; {_EXPECTED}", place)
    metric = found["metric"] if metrics is None else _known(found["metric"], metrics, place)
    low, high = _ends(found["sign"], found["low"], found["high"])
    if low > high:
        raise UserError(f"found {shown(text)}: {found['low']} is above {found['high']}", place)
    players = None if found["players"] is None else int(found["players"])
    strict = found["sign"] in ("<", ">")
    return Target(plain, metric, low, high, strict, players, found["agent"])


def _known(name: str, metrics: Collection[str], place: str) -> str:
    """Return the metric of a name; `decisions` stands for `decisions_mean`, `split` for `split_share`."""
    for known in (name, f"{name}_mean", f"{name}_share"):
        if known in metrics:
            return known
    raise UserError(f"no metric {shown(name)}; the metrics are {', '.join(metrics)}", place)


def _ends(sign: str, first: str, second: str | None) -> tuple[float, float]:
    if second is not None:
        return float(first), float(second)
    return (-math.inf, float(first)) if sign.startswith("<") else (float(first), math.inf)


def together(verdicts: Iterable[str]) -> str:
    """Return the verdict of several things that should all be met; of none it is undecided."""
    found = set(verdicts)
    if NOT_MET in found:
        return NOT_MET
    return MET if found == {MET} else UNDECIDED


def check(targets: Sequence[Target], players: Collection[int], agents: Collection[str]) -> None:
    """Make sure that every target speaks of a number of players and a level that are played.

    Raises:
        UserError: names the target, and what is played.
    """
    for target in targets:
        if target.players is not None and target.players not in players:
            played = ", ".join(map(str, players))
            raise UserError(f"{target.text}: {target.players} players are not played, but {played}", "target")
        if target.agent is not None and target.agent not in agents:
            played = ", ".join(agents)
            raise UserError(f"{target.text}: {shown(target.agent)} is no level of this study: {played}", "target")
