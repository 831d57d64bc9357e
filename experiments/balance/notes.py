"""What a reader of a study should know before believing it: notes for its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from experiments.balance.study import Study
from experiments.report_notes import FEW_DEALS, agent_files_notes, code_notes, deck_notes, repeatability_notes
from experiments.tables import to_rows

MOST_NAMED = 6


def notes(study: Study, manifest: Mapping[str, Any]) -> list[str]:
    """Return what is odd about a study, the weightiest first.

    Args:
        study: its tables and where its parts lie.
        manifest: its manifest as it is now.
    """
    return [
        *_progress(study, manifest),
        *_impossible(study),
        *repeatability_notes(manifest),
        *agent_files_notes(manifest),
        *code_notes(manifest, study.game.version),
        *_games_without_winner(study),
        *_few_deals(study),
        *deck_notes(manifest),
    ]


def _progress(study: Study, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Tell where parts are missing; of a study that was not kept none is."""
    if study.folder is None:
        return
    wanted = sum(-(-plan["n_deals"] // plan["deals_per_part"]) for plan in manifest["plans"])
    there = len(list((study.folder / "parts").glob("*.parquet")))
    if there < wanted:
        yield (
            f"The study is not whole: {there:,} of {wanted:,} parts of its games are there. Designs may have been "
            "played on different deals, so differences are not to be trusted yet. Its command with --resume goes on."
        )


def _impossible(study: Study) -> Iterator[str]:
    rows = to_rows(study.tables.get("impossible", {}))
    if rows:
        named = ", ".join(f"{row['design']} with {row['players']} players" for row in rows[:MOST_NAMED])
        more = f" and {len(rows) - MOST_NAMED:,} more" if len(rows) > MOST_NAMED else ""
        yield f"What cannot be played is in no other table: {named}{more}."


def _games_without_winner(study: Study) -> Iterator[str]:
    metrics = to_rows(study.tables.get("metrics", {}))
    players = {row["players"] for row in metrics if row["metric"] == "unwon_share" and row["value"]}
    if players:
        told = ", ".join(map(str, sorted(players)))
        yield f"Some games have no winner (with {told} players), so the seats' win shares add up to less than 1."


def _few_deals(study: Study) -> Iterator[str]:
    deals = [n for table in study.tables.values() for n in table.get("n_deals", [])]
    if deals and min(deals) < FEW_DEALS:
        yield (
            f"Few deals: intervals rest on the number of deals, not of games, and some numbers on {min(deals)} "
            "only; with fewer than two there are none. More games give more."
        )
