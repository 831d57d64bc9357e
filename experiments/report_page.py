"""One page that needs nothing else: template, scripts, styles, and tables for people; what every report is made with.

A page holds all scripts and styles that it uses and loads nothing.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from experiments import readable
from experiments.tables import Table
from gameapi.errors import UserError
from gameapi.game import Game

PAGES = Path(__file__).resolve().parent / "pages"
PACKAGES = ("jinja2", "plotly", "itables")
MOST_ROWS = 5000  # of a table in the page; a browser takes longer than a reader's patience for more


class ShownTable(NamedTuple):
    """A table of the page: its columns for people, and how many of its rows are shown."""

    name: str
    title: str
    columns: Sequence[readable.Shown]
    n_rows: int
    n_shown: int


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


def destination(folder: Path | None, out: str | Path | None) -> Path:
    """Return where a page goes: to `out`, or to `report.html` in the run folder.

    Raises:
        UserError: there is neither.
    """
    if out is None and folder is None:
        raise UserError("nothing was kept, so there is no run folder to write to; give a path", "report")
    return Path(out) if out is not None else Path(folder or ".") / "report.html"


def render(template: str, own: Sequence[str] = (), **values: Any) -> str:
    """Return a page.

    Args:
        template: its file in `PAGES`, which extends `frame.html`.
        own: names of further styles and scripts in `PAGES`, such as `study` for `study.css` and `study.js`.
        values: what the template asks for.
    """
    import jinja2
    from itables.utils import read_package_file
    from plotly.offline import get_plotlyjs

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(
        plotly_js=_script(get_plotlyjs()),
        tables_js=_script(read_package_file("html/dt_bundle.js")),
        tables_css=read_package_file("html/dt_bundle.css"),
        page_js="".join(_read(f"{name}.js") for name in ("report", *own)),
        page_css="".join(_read(f"{name}.css") for name in ("report", *own)),
        **values,
    )


def _read(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _script(text: str) -> str:
    """Return a script that may stand inside a page: its text must not end the element that holds it."""
    return text.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def options(game: Game, rules: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every option of the rules with its value, and whether that differs from the default.

    Args:
        game: the game.
        rules: of a manifest.
    """
    standard = game.rules_json(game.load_rules())
    meanings = {row["option"]: row for row in game.rules_rows()}
    return [
        {
            "name": name,
            "value": _text(value),
            "default": _text(standard.get(name)),
            "changed": value != standard.get(name),
            "meaning": meanings[name]["meaning"] if name in meanings else "",
            "ruling": meanings[name]["ruling"] if name in meanings else "",
        }
        for name, value in rules.items()
    ]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def facts(manifest: Mapping[str, Any], more: Sequence[tuple[str, str | None]] = ()) -> list[tuple[str, str]]:
    """Return what made a run, as pairs of name and text; what a run without a folder does not know is left out.

    Args:
        manifest: of the run.
        more: what else there is to say, after the seed.
    """
    known = [
        ("Play version", manifest["version"]),
        ("Seed", str(manifest["seed"])),
        *more,
        ("Versions", ", ".join(f"{name} {version}" for name, version in manifest.get("versions", {}).items())),
        ("Revision", manifest.get("revision")),
        ("Digest of all that decides the numbers", manifest["identity"]),
        ("Digest of the deck", manifest["deck"]["digest"]),
    ]
    return [(name, text) for name, text in known if text]


def heading(name: str) -> str:
    """Return a name of a table, figure or column as a heading."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def shown(name: str, title: str, table: Table, described: readable.Described, by: str | None = None) -> ShownTable:
    """Return a table as a page shows it: for people, and no more than `MOST_ROWS` of its rows.

    Args:
        name: of its file.
        title: for people.
        table: the table.
        described: its columns with unit and meaning.
        by: as for `readable.columns`.
    """
    found = readable.columns(table, described, by)
    n_rows = len(found[0].texts)
    cut = [
        column._replace(
            texts=column.texts[:MOST_ROWS], intervals=column.intervals[:MOST_ROWS], values=column.values[:MOST_ROWS]
        )
        for column in found
    ]
    return ShownTable(name, title, cut, n_rows, min(n_rows, MOST_ROWS))
