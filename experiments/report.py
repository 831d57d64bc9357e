"""A run folder as one page that needs nothing else: tables to sort and search, figures to zoom, methods and notes.

The page holds all scripts and styles that it uses and loads nothing. The same run folder gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments import readable, store
from experiments.intervals import METHOD
from experiments.report_notes import games_there, notes
from experiments.report_page import check_packages, destination, facts, heading, options, render, shown
from experiments.result import Tournament, load
from experiments.significance import FAMILIES
from experiments.tables import columns
from gameapi.errors import UserError
from gameapi.jsonl import write_whole

MOST_LINEUPS = 200  # of one number of players

TITLES = {
    "agents": "Agents",
    "seats": "Seats",
    "games": "Games",
    "ratings": "Ratings",
    "ratings_all": "Ratings over all numbers of players",
    "head_to_head": "Head to head",
    "scores": "How often each score occurred",
}


def report(folder: str | Path, out: str | Path | None = None, anchor: str | None = None) -> Path:
    """Write the report of a run folder, of a tournament or of a study of balance.

    An interrupted run gives a page of what is there.

    Args:
        folder: the run folder.
        out: the page; None for `report.html` in the run folder.
        anchor: "greedy=1000" gives that agent this rating; None for the anchor that the run was played with, or none.

    Returns:
        The page's path.

    Raises:
        UserError: the anchor does not play, a study has none, a package is missing, or the page cannot be written.
        UnreadableError: no run folder, or one that cannot be read.
    """
    check_packages()  # before anything is read: a large run takes a while
    if "study" not in store.read_manifest(Path(folder)):
        return write(load(folder, anchor), out)
    if anchor:
        raise UserError("a study of balance has no ratings; leave --anchor out", "anchor")
    from experiments.balance import kinds, page

    return page.write(kinds.load(folder), out)


def write(result: Tournament, out: str | Path | None = None) -> Path:
    """Write the report of a tournament; see `report`."""
    check_packages()
    path = destination(result.folder, out)
    write_whole(path, page(result))
    return path


def page(result: Tournament) -> str:
    """Return the report of a tournament as HTML."""
    from experiments.report_figures import figures

    manifest = result.manifest if result.folder is None else store.read_manifest(result.folder)
    described = columns(result.game)
    return render(
        "report.html",
        game=result.game,
        manifest=manifest,
        title=_title(result, manifest),
        notes=notes(result, manifest),
        plans=_plans(result, manifest),
        options=options(result.game, manifest["rules"]),
        cards=readable.cards(manifest["deck"]),
        figures=figures(result.tables),
        tables=[
            shown(name, TITLES.get(name, heading(name)), table, described[name])
            for name, table in result.tables.items()
        ],
        described=described,
        method=METHOD,
        families=FAMILIES,
        facts=facts(manifest, _facts(result, manifest)),
    )


def _title(result: Tournament, manifest: Mapping[str, Any]) -> str:
    names = [entry["agent"] for entry in manifest["agents"]]
    told = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"{result.game.title}: {told}"


def _plans(result: Tournament, manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what was planned for each number of players, and how much of it is there."""
    names, there = [entry["agent"] for entry in manifest["agents"]], games_there(result)
    return [
        {
            **plan,
            "n_lineups": len(plan["lineups"]),
            "lineups": [[names[agent] for agent in lineup] for lineup in plan["lineups"][:MOST_LINEUPS]],
            "games_there": there.get(plan["players"], (0, 0))[0],
        }
        for plan in manifest["plans"]
    ]


def _facts(result: Tournament, manifest: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    anchor = result.manifest.get("anchor")
    named = f"{anchor['agent']} = {anchor['rating']:g}" if anchor else "the mean of all agents = 0"
    return [
        ("Anchor of the ratings", named),
        ("State", manifest.get("state")),
        ("Started", manifest.get("start")),
        ("Ended", manifest.get("end")),
    ]
