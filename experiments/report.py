"""A run folder as one page that needs nothing else: tables to sort and search, figures to zoom, methods and notes.

The page holds all scripts and styles that it uses and loads nothing. The same run folder gives the same bytes.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from experiments import readable, store
from experiments.intervals import METHOD
from experiments.report_notes import games_there, notes
from experiments.result import Tournament, load
from experiments.significance import FAMILIES
from experiments.tables import Table, columns
from gameapi.errors import UserError
from gameapi.jsonl import write_whole

PAGES = Path(__file__).resolve().parent / "pages"
PACKAGES = ("jinja2", "plotly", "itables")
MOST_ROWS = 5000  # of a table in the page; a browser takes longer than a reader's patience for more
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


class ShownTable(NamedTuple):
    """A table of the page: its columns for people, and how many of its rows are shown."""

    name: str
    title: str
    columns: Sequence[readable.Shown]
    n_rows: int
    n_shown: int


def report(folder: str | Path, out: str | Path | None = None, anchor: str | None = None) -> Path:
    """Write the report of a run folder; an interrupted run gives a page of what is there.

    Args:
        folder: the run folder.
        out: the page; None for `report.html` in the run folder.
        anchor: "greedy=1000" gives that agent this rating; None for the anchor that the run was played with, or none.

    Returns:
        The page's path.

    Raises:
        UserError: the anchor does not play, a package is missing, or the page cannot be written.
        UnreadableError: no run folder, or one that cannot be read.
    """
    check_packages()  # before anything is read: a large run takes a while
    return write(load(folder, anchor), out)


def write(result: Tournament, out: str | Path | None = None) -> Path:
    """Write the report of a tournament; see `report`."""
    check_packages()
    if out is None and result.folder is None:
        raise UserError("nothing was kept, so there is no run folder to write to; give a path", "report")
    path = Path(out) if out is not None else Path(result.folder or ".") / "report.html"
    write_whole(path, page(result))
    return path


def check_packages() -> None:
    """Make sure that the packages which make pages are installed.

    Raises:
        UserError: one is not; says how to install them.
    """
    try:
        for package in PACKAGES:
            importlib.import_module(package)
    except ModuleNotFoundError as fault:
        raise UserError(
            f"needs {', '.join(PACKAGES)}, and {fault.name} is not installed: pip install 'hot-and-heat[report]'",
            "report",
        ) from None


def page(result: Tournament) -> str:
    """Return the report of a tournament as HTML."""
    import jinja2
    from itables.utils import read_package_file
    from plotly.offline import get_plotlyjs

    from experiments.report_figures import figures

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    manifest = result.manifest if result.folder is None else store.read_manifest(result.folder)
    described = columns(result.game)
    return environment.get_template("report.html").render(
        game=result.game,
        manifest=manifest,
        title=_title(result, manifest),
        notes=notes(result, manifest),
        plans=_plans(result, manifest),
        options=_options(result, manifest),
        cards=readable.cards(manifest["deck"]),
        figures=figures(result.tables),
        tables=[_shown(name, table, described[name]) for name, table in result.tables.items()],
        described=described,
        method=METHOD,
        families=FAMILIES,
        facts=_facts({**manifest, "anchor": result.manifest.get("anchor")}),
        plotly_js=_script(get_plotlyjs()),
        tables_js=_script(read_package_file("html/dt_bundle.js")),
        tables_css=read_package_file("html/dt_bundle.css"),
        page_js=(PAGES / "report.js").read_text(encoding="utf-8"),
        page_css=(PAGES / "report.css").read_text(encoding="utf-8"),
    )


def _script(text: str) -> str:
    """Return a script that may stand inside a page: its text must not end the element that holds it."""
    return text.replace("</script", r"<\/script").replace("<!--", r"<\!--")


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


def _options(result: Tournament, manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every option of the rules with its value, and whether that differs from the default."""
    standard = result.game.rules_json(result.game.load_rules())
    meanings = {row["option"]: row for row in result.game.rules_rows()}
    return [
        {
            "name": name,
            "value": _text(value),
            "default": _text(standard.get(name)),
            "changed": value != standard.get(name),
            "meaning": meanings[name]["meaning"] if name in meanings else "",
            "ruling": meanings[name]["ruling"] if name in meanings else "",
        }
        for name, value in manifest["rules"].items()
    ]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what made the run, as pairs of name and text; what a run without a folder does not know is left out."""
    anchor = manifest["anchor"]
    known = [
        ("Play version", manifest["version"]),
        ("Seed", str(manifest["seed"])),
        (
            "Anchor of the ratings",
            f"{anchor['agent']} = {anchor['rating']:g}" if anchor else "the mean of all agents = 0",
        ),
        ("State", manifest.get("state")),
        ("Started", manifest.get("start")),
        ("Ended", manifest.get("end")),
        ("Versions", ", ".join(f"{name} {version}" for name, version in manifest.get("versions", {}).items())),
        ("Revision", manifest.get("revision")),
        ("Digest of all that decides the numbers", manifest["identity"]),
        ("Digest of the deck", manifest["deck"]["digest"]),
    ]
    return [(name, text) for name, text in known if text]


def _shown(name: str, table: Table, described: readable.Described) -> ShownTable:
    found = readable.columns(table, described)
    n_rows = len(found[0].texts)
    cut = [
        column._replace(
            texts=column.texts[:MOST_ROWS], intervals=column.intervals[:MOST_ROWS], values=column.values[:MOST_ROWS]
        )
        for column in found
    ]
    title = TITLES.get(name, name.replace("_", " ").capitalize())
    return ShownTable(name, title, cut, n_rows, min(n_rows, MOST_ROWS))
