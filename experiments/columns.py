"""What every column of every table means, with its unit or its numerator and denominator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.intervals import METHOD
from experiments.significance import FAMILIES
from gameapi.game import Game

Table = dict[str, list[Any]]

_LOW, _HIGH = "lower end of its 95 % interval", "upper end of its 95 % interval"
_PLAYERS, _AGENT = (("players", "", "seats at the table"), ("agent", "", "the agent's whole spec"))
_N_GAMES = ("n_games", "games", "games of this number of players")
_N_DEALS = ("n_deals", "deals", "deals, each played in all seatings; the unit that intervals are clustered by")

_RATING = (
    (
        "rating",
        "Elo points",
        "strength by the finishing orders of all games, the mean of all agents (or the anchor) fixed",
    ),
    ("rating_low", "Elo points", _LOW),
    ("rating_high", "Elo points", _HIGH),
)

COLUMNS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "agents": [
        _PLAYERS,
        _AGENT,
        ("n_games", "games", "games in which the agent has a seat or more"),
        _N_DEALS,
        (
            "win_share",
            "wins / n_seats",
            "wins for each seat occupied, n winners having 1/n each; the equal share is 1/players",
        ),
        ("win_share_low", "wins / n_seats", _LOW),
        ("win_share_high", "wins / n_seats", _HIGH),
        ("score_mean", "points", "mean of the final score over seats occupied"),
        ("score_sd", "points", "standard deviation of the final score over seats occupied (divisor n_seats - 1)"),
        (
            "rank_mean",
            "rank",
            "mean over seats occupied, 1 being best; equal score and tie-break share the better rank",
        ),
        ("n_seats", "seats", "seats occupied, over all games: the denominator of this row"),
        ("forfeits", "decisions", "decisions that the agent forfeited"),
    ],
    "seats": [
        _PLAYERS,
        ("seat", "", "0 starts"),
        _N_GAMES,
        ("win_share", "wins / n_games", "wins of whoever has this seat; the equal share is 1/players"),
        ("win_share_low", "wins / n_games", _LOW),
        ("win_share_high", "wins / n_games", _HIGH),
        ("score_mean", "points", "mean of the final score in this seat"),
        ("score_sd", "points", "standard deviation of the final score in this seat (divisor n_games - 1)"),
        _N_DEALS,
    ],
    "games": [
        _PLAYERS,
        _N_GAMES,
        ("decisions_mean", "decisions / game", "decisions of all seats together"),
        ("split_share", "games / n_games", "games whose win is split among several winners"),
        ("score_spread_mean", "points", "best score less worst, mean over games"),
        ("split_share_low", "games / n_games", _LOW),
        ("split_share_high", "games / n_games", _HIGH),
        _N_DEALS,
    ],
    "ratings": [
        _PLAYERS,
        _AGENT,
        *_RATING,
        ("n_pairs", "pairs of seats", "comparisons with seats of other agents"),
        _N_DEALS,
    ],
    "ratings_all": [
        _AGENT,
        *_RATING,
        ("n_pairs", "pairs of seats", "comparisons with seats of other agents, over all numbers of players"),
        ("n_deals", "deals", "deals of all numbers of players; the unit that intervals are clustered by"),
    ],
    "head_to_head": [
        _PLAYERS,
        _AGENT,
        ("opponent", "", "the other agent's whole spec"),
        ("n_games", "games", "games of the agent alone against copies of the opponent"),
        ("n_deals", "deals", "deals of these games"),
        ("win_share", "wins / n_games", "the agent alone against copies of the opponent; the equal share is 1/players"),
        ("win_share_low", "wins / n_games", _LOW),
        ("win_share_high", "wins / n_games", _HIGH),
        (
            "n_pairs",
            "pairs of seats",
            "seats of the agent compared with seats of the opponent, over all games with both",
        ),
        ("beats", "pairs / n_pairs", "pairs in which the agent ranks above the opponent, equal ranks counting a half"),
        ("beats_low", "pairs / n_pairs", _LOW),
        ("beats_high", "pairs / n_pairs", _HIGH),
        (
            "better",
            "probability",
            "that the agent is better than the opponent: t approximation of the difference of their ratings (table "
            "ratings) over its standard error",
        ),
        ("p_value", "probability", "of beats so far from 1/2, or farther, if it were 1/2 (table tests)"),
        ("p_adjusted", "probability", "p_value by Holm's method, the family being all pairs of this number of players"),
    ],
    "payoffs": [
        _PLAYERS,
        ("lineup", "", "who meets, separated by commas: a multiset, played in all its seatings"),
        _AGENT,
        ("n_copies", "seats / game", "seats that the agent has in the line-up"),
        ("n_games", "games", "games of the line-up"),
        _N_DEALS,
        ("win_share", "wins / n_seats", "wins of the agent for each seat that it has in the line-up"),
        ("win_share_low", "wins / n_seats", _LOW),
        ("win_share_high", "wins / n_seats", _HIGH),
        ("score_mean", "points", "mean of the agent's final score in the line-up"),
        ("n_seats", "seats", "seats occupied, n_copies * n_games: the denominator of this row"),
    ],
    "ranks": [
        _PLAYERS,
        _AGENT,
        ("rank", "rank", "1 is best; equal score and tie-break share the better rank"),
        ("share", "seats / n_seats", "seats of the agent that end with this rank"),
        ("share_low", "seats / n_seats", _LOW),
        ("share_high", "seats / n_seats", _HIGH),
        ("n_seats", "seats", "seats occupied by the agent, over all games"),
        _N_DEALS,
    ],
    "tests": [
        _PLAYERS,
        ("test", "", "seats: all seats win equally often; pair: two agents rank above each other equally often"),
        ("what", "", "what is compared"),
        ("statistic", "F", "of an F test, clustered by deal"),
        ("df", "", "degrees of freedom of the numerator"),
        ("df_error", "", "degrees of freedom of the denominator"),
        ("p_value", "probability", "of such a statistic, or a larger one, if there were no difference"),
        (
            "p_adjusted",
            "probability",
            "p_value by Holm's method; families: the seats tests of all numbers of players, and the pair tests of each "
            "number of players",
        ),
        ("n_deals", "deals", "deals that the test is clustered by"),
        ("n_games", "games", "games that it takes in"),
    ],
    "cycles": [
        _PLAYERS,
        ("first", "", "an agent that ranks above the second more often than not (head_to_head.beats > 1/2)"),
        ("second", "", "one that ranks above the third"),
        ("third", "", "one that ranks above the first: the three are not transitive"),
        ("agent", "", "the stronger one of the weakest link"),
        ("opponent", "", "the other one of the weakest link"),
        ("margin", "pairs / n_pairs", "beats of the weakest link less 1/2"),
        ("margin_low", "pairs / n_pairs", _LOW),
        ("margin_high", "pairs / n_pairs", _HIGH),
        ("p_adjusted", "probability", "the largest of the three links: there is a cycle only if all of them hold"),
        ("n_pairs", "pairs of seats", "comparisons of the weakest link"),
        _N_DEALS,
    ],
    "scores": [
        _PLAYERS,
        _AGENT,
        ("score", "points", "a final score"),
        ("n", "seats", "seats occupied by the agent that ended with this score"),
    ],
}
"""For each table its columns, each with unit (or numerator / denominator) and meaning."""


def columns(game: Game) -> dict[str, list[tuple[str, str, str]]]:
    """Return `COLUMNS` with the columns that a game adds to `games`."""
    found = {name: list(rows) for name, rows in COLUMNS.items()}
    for column in game.columns:
        unit = _UNITS.get(column.how, "{stat}").format(stat=column.stat, over=column.over)
        found["games"].append((column.name, unit, column.meaning))
        if column.how in ("share", "game_share"):
            found["games"] += [(f"{column.name}_low", unit, _LOW), (f"{column.name}_high", unit, _HIGH)]
    return found


_UNITS = {
    "share": "{stat} / {over}",
    "mean": "{stat} / game",
    "game_share": "games with {stat} / games",
    "seat_mean": "{stat} / player and game",
}


def dictionary(game: Game) -> Table:
    """Return the column dictionary as a table: table, column, unit, meaning; the methods stand at its end."""
    return described(columns(game), {"*_low, *_high": METHOD, "p_value, p_adjusted": FAMILIES})


def described(columns: Mapping[str, Sequence[tuple[str, str, str]]], methods: Mapping[str, str]) -> Table:
    """Return what columns mean as a table, and at its end the methods of those that stand in several tables."""
    rows = [(table, *column) for table, listed in columns.items() for column in listed]
    rows += [("(all)", name, "", method) for name, method in methods.items()]
    return {
        name: list(values)
        for name, values in zip(("table", "column", "unit", "meaning"), zip(*rows, strict=True), strict=True)
    }
