"""Every number by which designs are judged, one definition each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from experiments.balance.estimates import Floats, Function, Sums
from experiments.balance.luck import share as luck_share
from experiments.balance.totals import ALONE, MIRROR
from experiments.balance.watched import WATCHED, note
from experiments.sums import WIN_UNIT
from gameapi.game import Game, GameColumn


@dataclass(frozen=True)
class Metric:
    """A number that a design has with some number of players, played by some agent.

    Attributes:
        name: its column or row in tables.
        title: for axes and sentences, with the unit.
        meaning: the definition.
        lineup: the line-up whose games it is worked out from.
        of: the definition as a function of sums.
        size: the feature that counts its observations; a study without it does not have the metric.
        is_share: whether it lies between 0 and 1 and has a Wilson interval.
        looks: among how many numbers it picks the largest, from the number of players; 0 where it picks none.
    """

    name: str
    title: str
    meaning: str
    lineup: str
    of: Function = field(repr=False)
    size: str = "games"
    is_share: bool = False
    looks: Callable[[int], int] = field(default=lambda players: 0, repr=False)


def ratio(numerator: str, denominator: str = "games", unit: float = 1.0) -> Function:
    """Return the metric that divides one feature by another, counted in parts of `unit`."""
    return lambda sums: sums[numerator] / (sums[denominator] * unit)


def _deviation(name: str) -> Function:
    """Return the standard deviation between games of a number whose squares are summed as well."""

    def of(sums: Sums) -> Floats:
        n = sums["games"]
        mean = sums[name] / n
        return np.sqrt(np.maximum(sums[f"{name}_squares"] / n - mean * mean, 0.0) * n / (n - 1))

    return of


def seat_shares(sums: Sums) -> Floats:
    """Return the win share of each seat, (players, 1 + GROUPS)."""
    return np.stack([sums[f"wins_{seat}"] for seat in range(sums.players)]) / (sums["games"] * WIN_UNIT)


def _seat_gap(sums: Sums) -> Floats:
    # which seats are best and worst is settled by all deals: left to each group of deals, an even count of wins would
    # give a gap of 0 whatever is left out, and so no error at all
    shares = seat_shares(sums)
    best, worst = shares[:, 0].argmax(), shares[::-1, 0].argmin()
    return np.asarray(shares[best] - shares[::-1][worst], dtype=np.float64)


def _first_seat(sums: Sums) -> Floats:
    return np.asarray(seat_shares(sums)[0] - 1 / sums.players, dtype=np.float64)


def _scores(sums: Sums) -> Floats:
    return np.asarray(sum(sums[f"score_{seat}"] for seat in range(sums.players)), dtype=np.float64)


def _score_mean(sums: Sums) -> Floats:
    return _scores(sums) / (sums["games"] * sums.players)


def _score_sd(sums: Sums) -> Floats:
    n = sums["games"] * sums.players
    mean = _scores(sums) / n
    return np.sqrt(np.maximum(sums["score_squares"] / n - mean * mean, 0.0) * n / (n - 1))


def _skill(sums: Sums) -> Floats:
    equal = 1 / sums.players
    return (sums["lone_wins"] / (sums["games"] * WIN_UNIT) - equal) / (1 - equal)


def _score_edge(sums: Sums) -> Floats:
    games = sums["games"]
    return sums["lone_score"] / games - sums["other_score"] / (games * (sums.players - 1))


def _share(name: str, title: str, meaning: str, feature: str) -> Metric:
    return Metric(name, title, meaning, MIRROR, ratio(feature), is_share=True)


SEAT_GAP, DECISIONS, SKILL = "seat_gap", "decisions_mean", "skill"

METRICS: Sequence[Metric] = (
    Metric(
        SEAT_GAP,
        "gap between seats (win share)",
        "win share of the seat that wins most less that of the seat that wins least, everybody being equally strong; "
        "chance alone makes it more than 0, so its interval is one of those of all pairs of seats, which hold at once",
        MIRROR,
        _seat_gap,
        looks=lambda players: players * (players - 1) // 2,
    ),
    Metric(
        "first_seat",
        "first seat's advantage (win share)",
        "win share of seat 0, which starts, less the equal share 1/players",
        MIRROR,
        _first_seat,
    ),
    Metric("score_mean", "score (points)", "mean final score of all seats", MIRROR, _score_mean),
    Metric(
        "score_sd", "spread of scores (points)", "standard deviation of final scores of all seats", MIRROR, _score_sd
    ),
    Metric("best_mean", "best score (points)", "mean of the best final score of a game", MIRROR, ratio("best")),
    Metric("spread_mean", "best less worst score (points)", "best final score less the worst", MIRROR, ratio("spread")),
    Metric(
        "margin_mean", "best less second score (points)", "best final score less the second", MIRROR, ratio("margin")
    ),
    _share(
        "tied_share", "games with a tie for the best score", "games in which two or more have the best score", "tied"
    ),
    _share(
        "tiebreak_share", "games decided by the tie-break", "games tied for the best score that one seat wins", "broken"
    ),
    _share("split_share", "games with a split win", "games whose win is split", "split"),
    _share("unwon_share", "games that nobody wins", "games without a winner", "unwon"),
    Metric(DECISIONS, "length (decisions)", "decisions of all seats, a game", MIRROR, ratio("decisions")),
    Metric(
        "decisions_sd",
        "spread of the length (decisions)",
        "standard deviation between games of the decisions of all seats",
        MIRROR,
        _deviation("decisions"),
    ),
    Metric(
        "lone_share",
        "win share of the stronger agent",
        "win share of the agent alone among copies of the level before it; the equal share is 1/players",
        ALONE,
        ratio("lone_wins", unit=WIN_UNIT),
        is_share=True,
    ),
    Metric(
        SKILL,
        "skill (0 to 1)",
        "(lone_share - 1/players) / (1 - 1/players): 0 where the stronger agent wins its equal share, 1 where it "
        "always wins",
        ALONE,
        _skill,
    ),
    Metric(
        "score_edge",
        "lead of the stronger agent (points)",
        "mean final score of the agent alone less that of the others",
        ALONE,
        _score_edge,
    ),
    Metric(
        "luck_of_wins",
        "luck of the deal (share of the variance of wins)",
        "correlation of the wins of the same seat of the same deal when other agents play it: 1 where the deal decides "
        "who wins, 0 where it does not (intraclass correlation, with what the agents differ in taken off; see "
        "experiments.balance.luck)",
        ALONE,
        luck_share("win", "lone_wins"),
    ),
    Metric(
        "luck_of_scores",
        "luck of the deal (share of the variance of scores)",
        "the same correlation of final scores",
        ALONE,
        luck_share("score", "lone_score"),
    ),
)
"""The metrics of every game."""


def _won_alone(sums: Sums) -> Floats:
    return sums[WATCHED] - sums[note("win_split")] - sums[note("nobody_won")]


def _flow(name: str, title: str, meaning: str, of: str, over: str | Function = WATCHED, unit: float = 1.0) -> Metric:
    """Return a metric of watched games: a note over a feature, or over a function of sums, in parts of `unit`."""

    def function(sums: Sums) -> Floats:
        return sums[note(of)] / ((sums[over] if isinstance(over, str) else over(sums)) * unit)

    share = title.endswith("(share)")
    return Metric(name, title, meaning, MIRROR, function, WATCHED, is_share=share)


FLOW: Sequence[Metric] = (
    _flow(
        "forced_share",
        "forced decisions (share)",
        "decisions with one legal action, over decisions",
        "forced",
        note("decisions"),
    ),
    _flow(
        "branching",
        "legal actions of a decision",
        "legal actions, over decisions",
        "actions",
        note("decisions"),
    ),
    _flow(
        "lead_changes",
        "lead changes a game",
        "times that a seat was alone in first place, were the game scored then, that was not the last one to be so",
        "lead_changes",
    ),
    _flow(
        "lead_taken",
        "when the winner took the lead (part of the game)",
        "part of the decisions after which the winner was alone in first place to the end, mean of games won alone",
        "lead_taken",
        _won_alone,
        1000.0,
    ),
    _flow(
        "comeback_share",
        "comebacks (share)",
        "games in which the winner had fewer points than another after half of the decisions, of games won alone",
        "behind_at_half",
        _won_alone,
    ),
    _flow(
        "last_comeback_share",
        "comebacks from the last place (share)",
        "games in which moreover nobody had fewer points then, of games won alone",
        "last_at_half",
        _won_alone,
    ),
    _flow(
        "behind",
        "how long the winner was behind (part of the game)",
        "part of the decisions after which another had more points than the winner, mean of games won alone",
        "behind",
        _won_alone,
        1000.0,
    ),
    _flow(
        "deficit",
        "how far the winner was behind (points)",
        "most points that the winner was ever behind, mean of games won alone",
        "deficit",
        _won_alone,
    ),
    _flow(
        "drama",
        "drama (root points)",
        "mean root of the points that the winner was behind, while it was behind, 0 where it never was; mean of games "
        "won alone (after Browne 2008, of points instead of evaluations)",
        "drama",
        _won_alone,
        1000.0,
    ),
    _flow(
        "decided",
        "when the game was decided (part of the game)",
        "part of the decisions after which the winner's lead first passed every lead that another had over it, 1 where "
        "never; mean of games won alone (after the decisive threshold of Browne 2008)",
        "decided",
        _won_alone,
        1000.0,
    ),
)
"""The metrics of watched games."""


def unwatched(game: Game) -> list[str]:
    """Return the names of the metrics that need no games watched: those of every study."""
    return [name for name, metric in metrics(game).items() if metric.size != WATCHED]


def metrics(game: Game) -> dict[str, Metric]:
    """Return the metrics of a game by name: `METRICS`, those of watched games, and what its statistics add."""
    found = [*METRICS, *FLOW, *(_of_column(column) for column in game.columns)]
    return {metric.name: metric for metric in found}


def _of_column(column: GameColumn) -> Metric:
    """Return the metric that a column of the table `games` is."""
    made: Mapping[str, Function] = {
        "mean": ratio(column.stat),
        "game_share": ratio(column.stat),
        "share": ratio(column.stat, column.over),
        "seat_mean": lambda sums: sums[column.stat] / (sums["games"] * sums.players),
        "sd": _deviation(column.stat),
    }
    is_share = column.how in ("share", "game_share")
    return Metric(column.name, column.meaning, column.meaning, MIRROR, made[column.how], is_share=is_share)
