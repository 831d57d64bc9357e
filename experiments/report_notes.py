"""What a reader of a run should know before believing it: notes for its report."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agents.spec import parse
from experiments import limits
from experiments.result import Tournament

FEW_DEALS = 30  # intervals of so few clusters are rough: t quantiles help the mean, not the variance
NO_WINNER = "arrested_share"  # the column of `games` with the share of games that nobody wins, where a game has any


def notes(result: Tournament, manifest: Mapping[str, Any]) -> list[str]:
    """Return what is odd about a run, the weightiest first; nothing for a whole, repeatable run of many deals.

    Args:
        result: its tables.
        manifest: its manifest as it is now.
    """
    return [
        *_progress(result, manifest),
        *cheats_notes(manifest),
        *repeatability_notes(manifest),
        *agent_files_notes(manifest),
        *code_notes(manifest, result.game.version),
        *_forfeits(result, manifest),
        *_games_without_winner(result, manifest),
        *_few_deals(result, manifest),
        *deck_notes(manifest),
    ]


def games_there(result: Tournament) -> dict[int, tuple[int, int]]:
    """Return for each number of players the games and deals that are there."""
    games = result.tables["games"]
    counts = zip(games["n_games"], games["n_deals"], strict=True)
    return dict(zip(games["players"], counts, strict=True))


def _progress(result: Tournament, manifest: Mapping[str, Any]) -> Iterator[str]:
    there = games_there(result)
    wanted = {plan["players"]: plan["n_games"] for plan in manifest["plans"]}
    done, total = sum(n for n, _ in there.values()), sum(wanted.values())
    if done == total:
        return
    ended = {
        "interrupted": "The run was interrupted",
        "failed": "The run failed",
        "running": "The run is still going on, or its process was killed",
    }.get(manifest.get("state", ""), "Parts of the run are missing")
    each = ", ".join(f"{there.get(n, (0, 0))[0]:,} of {games:,} with {n} players" for n, games in wanted.items())
    yield f"{ended}: {done:,} of {total:,} games are there ({each}). Its command with --resume goes on."


def cheats_notes(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Tell which agents look at hidden cards."""
    unfair = [entry["agent"] for entry in manifest["agents"] if not entry.get("fair", True)]
    if unfair:
        yield f"An agent looks at hidden cards, which is no fair play: {', '.join(unfair)}."


def repeatability_notes(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Tell what makes a run depend on the machine."""
    timed = [entry["agent"] for entry in manifest["agents"] if not entry["repeatable"]]
    if limits.read(manifest["move_limit"]).milliseconds:
        timed.append(f"the limit of {manifest['move_limit']} a decision")
    if timed:
        yield f"A time budget makes the results depend on the machine; they cannot be repeated: {', '.join(timed)}."


def agent_files_notes(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Tell which agents' files are no longer what was played."""
    for entry in manifest["agents"]:
        if entry["file_sha256"] is None:
            continue
        path = Path(parse(entry["agent"]).path or "")
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() != entry["file_sha256"]:
            yield f"The file of {entry['agent']} has changed since; its digest was {entry['file_sha256'][:12]}."


def code_notes(manifest: Mapping[str, Any], version: str) -> Iterator[str]:
    """Tell where the code was not that of a revision, or the game is another one by now; `version` is the lab's."""
    revision = manifest.get("revision")
    if revision and revision.endswith("+changes"):
        yield f"The lab's code differed from revision {revision.removesuffix('+changes')[:12]} in changes not recorded."
    if manifest["version"] != version:
        yield f"Played with play version {manifest['version']} of the game; this lab has {version}."


def _forfeits(result: Tournament, manifest: Mapping[str, Any]) -> Iterator[str]:
    table = result.tables["agents"]
    by_agent: dict[str, int] = {}
    for agent, forfeits in zip(table["agent"], table["forfeits"], strict=True):
        by_agent[agent] = by_agent.get(agent, 0) + forfeits
    told = ", ".join(f"{agent} {forfeits:,}" for agent, forfeits in by_agent.items() if forfeits)
    if told:
        yield f"Decisions over the limit of {manifest['move_limit']} were forfeited and taken at random: {told}."


def _games_without_winner(result: Tournament, manifest: Mapping[str, Any]) -> Iterator[str]:
    games = result.tables["games"]
    if NO_WINNER not in games:
        return
    told = [
        f"{round(share * n_games):,} of {n_games:,} with {players} players"
        for players, n_games, share in zip(games["players"], games["n_games"], games[NO_WINNER], strict=True)
        if share > 0
    ]
    if told:
        yield f"Nobody wins an arrested game, so win shares may add up to less than 1: {', '.join(told)}."


def _few_deals(result: Tournament, manifest: Mapping[str, Any]) -> Iterator[str]:
    few = [f"{deals} with {n} players" for n, (_, deals) in games_there(result).items() if deals < FEW_DEALS]
    if few:
        yield (
            "Few deals: intervals are clustered by deal and rest on the number of deals, not of games; with fewer than "
            f"two there are none. More games, or fewer line-ups, give more: {', '.join(few)}."
        )


def deck_notes(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Tell where the deck is a guess."""
    deck = manifest["deck"]
    if deck["provenance"] == "reconstruction":
        yield f"Deck {deck['name']} is a reconstruction. {deck.get('source', '')}".strip()
