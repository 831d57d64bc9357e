"""From the notes of watched games to features of deals, and from these to how often each ruling came up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.balance import estimates
from experiments.balance.estimates import Floats, Sums
from experiments.balance.totals import Features, Ints
from experiments.flow import note_names
from experiments.intervals import Interval, interval_row
from gameapi.game import Game

WATCHED = "watched"
"""The feature that counts watched games."""


def note(name: str) -> str:
    """Return the feature that sums a note over watched games."""
    return f"note_{name}"


def seen(name: str) -> str:
    """Return the feature that counts the watched games in which a note is not 0."""
    return f"seen_{name}"


def note_features(
    game: Game, notes: npt.NDArray[np.int32], first_deal: int, n_deals: int, n_seatings: int, every: int
) -> Features:
    """Return the features of each deal that its notes add; 0 for deals that are not watched.

    Args:
        game: the game.
        notes: as `experiments.watching.WatchedMatch.play_watched` gives them.
        first_deal: number of the first deal.
        n_deals: how many deals.
        n_seatings: games of a deal.
        every: deals are watched whose number is a multiple of it.
    """
    watched = np.arange(first_deal, first_deal + n_deals) % every == 0
    names = note_names(game)
    by_deal = notes.astype(np.int64).reshape(-1, n_seatings, len(names))
    table = np.zeros((2 * len(names), n_deals), np.int64)
    table[: len(names), watched] = by_deal.sum(axis=1).T
    table[len(names) :, watched] = (by_deal > 0).sum(axis=1).T
    columns: list[Ints] = list(table)
    return {WATCHED: watched * np.int64(n_seatings)} | dict(
        zip([*map(note, names), *map(seen, names)], columns, strict=True)
    )


def coverage(game: Game, sums: Sums) -> Iterator[dict[str, Any]]:
    """Give what each event of a game, and each way to decide it, came to.

    The interval of `share` is Wilson's, so that an event that was never seen has an upper bound; it has none of
    `per_game`.

    Yields:
        event, rulings, meaning, per_game and share (with the ends of their intervals), n_games.
    """
    for event in game.events:
        yield _row(event.name, event.rulings, event.meaning, sums, event.name)


def _row(name: str, rulings: str, meaning: str, sums: Sums, of: str) -> dict[str, Any]:
    per_game = estimates.estimate(_over_watched(note(of)), sums, WATCHED)
    share = estimates.estimate(_over_watched(seen(of)), sums, WATCHED)
    often = estimates.interval(per_game, False) if per_game.value else Interval(0.0, math.nan, math.nan)
    return {
        "event": name,
        "rulings": rulings,
        "meaning": meaning,
        **interval_row("per_game", often),
        **interval_row("share", estimates.interval(share, True)),
        "n_games": share.n,
    }


def _over_watched(feature: str) -> estimates.Function:
    def of(sums: Sums) -> Floats:
        return sums[feature] / sums[WATCHED]

    return of


ENDINGS = {
    "by_score": ("", "games that one seat won, with the highest score alone"),
    "by_tiebreak": ("tie_broken", "games that one seat won by the tie-break"),
    "split": ("win_split", "games whose win was split"),
    "nobody": ("nobody_won", "games that nobody won"),
}
"""How a game can end: the note that tells whose ruling it is, and the meaning."""


def endings(game: Game, sums: Sums) -> Iterator[dict[str, Any]]:
    """Give how all games ended, not only those that were watched.

    Yields:
        ending, rulings, meaning, share (with the ends of its interval), n_games.
    """
    parts = {
        "by_score": _by_score,
        "by_tiebreak": lambda sums: sums["broken"] / sums["games"],
        "split": lambda sums: sums["split"] / sums["games"],
        "nobody": lambda sums: sums["unwon"] / sums["games"],
    }
    for name, (of, meaning) in ENDINGS.items():
        found = estimates.estimate(parts[name], sums, "games")
        yield {
            "ending": name,
            "rulings": game.endings.get(of, ""),
            "meaning": meaning,
            **interval_row("share", estimates.interval(found, True)),
            "n_games": found.n,
        }


def _by_score(sums: Sums) -> Floats:
    return 1 - (sums["broken"] + sums["split"] + sums["unwon"]) / sums["games"]
