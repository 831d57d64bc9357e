"""The page of a study: what was asked, the designer's summary, figures, tables and methods; it loads nothing.

The same study gives the same bytes, whenever it is written.
"""

from __future__ import annotations

import base64
import fnmatch
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from experiments import readable, store
from experiments.balance import kinds, panels, plots
from experiments.balance.kinds import Kind
from experiments.balance.notes import notes
from experiments.balance.panels import Panel
from experiments.balance.sentences import Sentence
from experiments.balance.study import Study
from experiments.balance.summary import sentences
from experiments.balance.thresholds import THRESHOLDS
from experiments.report_page import check_packages, destination, facts, heading, options, render, shown
from gameapi.errors import UserError
from gameapi.jsonl import write_whole

MOST_DESIGNS = 200  # listed one by one
SCALE = 1.6  # times its own size: as large as a figure is drawn at most, before it is enlarged
OWN_WIDTH = 900  # pixels: of a picture that does not tell how wide it is
PIXELS = 4 / 3  # of a point, in which SVG is measured
WHERE = "{where}"  # in titles, see `kinds`
CHANGED = "changed"  # a part of plans whose deals are played with and without changes
MEDIA = {".svg": "image/svg+xml", ".png": "image/png"}

TITLES = {
    "metrics": "Metrics of each design",
    "differences": "Differences from the base",
    "seats": "Seats",
    "tests": "Tests of seats",
    "impossible": "What cannot be played",
    "definitions": "What the metrics are",
}


class Picture(NamedTuple):
    """A figure that a kind of study has drawn itself, to be enlarged.

    Attributes:
        name: unique in a page.
        title: what it shows.
        caption: how to read it.
        source: the picture as a data URI.
        width: the most pixels it should take.
        key: nothing; other figures may number what they show.
    """

    name: str
    title: str
    caption: str
    source: str
    width: int
    key: Sequence[str] = ()


def write(study: Study, path: str | Path | None = None) -> Path:
    """Write the page of a study.

    Args:
        study: the study.
        path: the page; None for `report.html` in the run folder.

    Returns:
        The page's path.

    Raises:
        UserError: nothing was kept and no path is given, a package is missing, or the page cannot be written.
    """
    check_packages()
    place = destination(study.folder, path)
    write_whole(place, page(study))
    return place


def draw(study: Study) -> list[Path]:
    """Draw the figures that the page shows into the run folder, as PNG and SVG; return the files.

    Raises:
        UserError: nothing was kept, so there is no such folder.
    """
    if study.folder is None:
        raise UserError("nothing was kept, so there is no run folder to draw figures into", "figures")
    return plots.save_all(_panels(study), study.folder / "figures")


def page(study: Study) -> str:
    """Return the page of a study as HTML."""
    from experiments.balance.figures import figure

    manifest = study.manifest if study.folder is None else store.read_manifest(study.folder)
    kind = kinds.of(study)
    tables = kinds.tables(study)
    described = kinds.columns(kind)
    drawn = _panels(study)
    told = replace(study, tables=tables)
    designs = manifest["study"]["designs"]
    return render(
        "study.html",
        own=("study",),
        title=f"{study.game.title}: {kind.title}",
        kind=kind,
        asked=manifest["study"],
        designs=designs[:MOST_DESIGNS],
        n_designs=len(designs),
        manifest=manifest,
        plans=_plans(manifest),
        settings=_settings(manifest["study"]["settings"]),
        topics=_topics(sentences(told)),
        thresholds=THRESHOLDS,
        notes=notes(told, manifest),
        options=options(study.game, manifest["rules"]),
        cards=readable.cards(manifest["deck"]),
        figures=[*_pictures(study, kind, drawn), *map(figure, drawn)],
        tables=[
            shown(
                name, TITLES.get(name, heading(name)), table, described[name], "metric" if "metric" in table else None
            )
            for name, table in tables.items()
            if name == "impossible" or next(iter(table.values()), [])
        ],
        described=described,
        methods=kinds.methods(kind),
        facts=facts(manifest),
    )


def _panels(study: Study) -> list[Panel]:
    return [*kinds.panels(study), *panels.panels(study)]


def _topics(told: Sequence[Sentence]) -> dict[str, list[str]]:
    """Return the sentences of each topic, in the order in which topics come up first."""
    found: dict[str, list[str]] = {}
    for sentence in told:
        found.setdefault(sentence.topic, []).append(sentence.text.replace(" %", "\u00a0%"))
    return found


def _plans(manifest: Mapping[str, Any]) -> list[dict[str, int]]:
    """Return the games of each number of players, and the deals that were played again with changes."""
    found: dict[int, dict[str, int]] = {}
    for plan in manifest["plans"]:
        row = found.setdefault(plan["players"], dict.fromkeys(("cells", "deals", "games", "changed"), 0))
        if plan.get("part") == CHANGED:
            row["changed"] += plan["n_deals"]
            continue
        row["cells"] += 1
        row["deals"] = max(row["deals"], plan["n_deals"])
        row["games"] += plan["n_games"]
    return [{"players": players, **row} for players, row in found.items()]


def _settings(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a kind of study was asked for, as text; what was not asked for is left out."""
    return [
        (name.replace("_", " "), "; ".join(map(_setting, value)) if isinstance(value, list) else _setting(value))
        for name, value in settings.items()
        if value is not None and not isinstance(value, Mapping)
    ]


def _setting(value: Any) -> str:
    """Return a setting as text; what it lists, such as "storms=3; 4", is set apart by commas."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else str(value).replace("; ", ", ")


def _pictures(study: Study, kind: Kind, drawn: Sequence[Panel]) -> list[Picture]:
    """Return the figures in the run folder that the page does not draw itself, those with captions first."""
    if study.folder is None:
        return []
    files = {
        path.stem: path for ending in reversed(MEDIA) for path in sorted((study.folder / "figures").glob(f"*{ending}"))
    }
    known = kind.captions
    patterns = [*known, "*"]
    ours = {panel.name for panel in drawn}

    def rank(name: str) -> tuple[int, str]:
        return next(i for i, pattern in enumerate(patterns) if fnmatch.fnmatchcase(name, pattern)), name

    metrics = study.tables.get("definitions", {})
    titles = _short(dict(zip(metrics.get("metric", []), metrics.get("title", []), strict=True)))
    found = []
    for name in sorted(set(files) - ours, key=rank):
        pattern = patterns[rank(name)[0]]
        title, caption = known.get(pattern, ("", ""))
        rest = name.removeprefix(pattern.split("*")[0]) if "*" in pattern else ""
        if WHERE in title:
            title = title.replace(WHERE, _where(study, rest))
        else:
            title = ": ".join(filter(None, (title, titles.get(rest, rest).replace("_", " "))))
        data, ending = files[name].read_bytes(), files[name].suffix
        source = f"data:{MEDIA[ending]};base64,{base64.b64encode(data).decode()}"
        found.append(Picture(f"picture-{name}", title[:1].upper() + title[1:], caption, source, _width(data, ending)))
    return found


def _short(titles: Mapping[str, str]) -> dict[str, str]:
    """Return titles of metrics without what stands in brackets, unless two would be the same."""
    short = {metric: title.partition(" (")[0] for metric, title in titles.items()}
    alike = Counter(short.values())
    return {metric: title if alike[title] == 1 else titles[metric] for metric, title in short.items()}


def _where(study: Study, rest: str) -> str:
    """Return the players, and the agent, that the end of a file's name stands for: "3_0" is "3 players, heuristic"."""
    players, _, level = rest.partition("_")
    agent = f", {study.manifest['agents'][int(level)]['agent']}" if level else ""
    return f"{players} players{agent}"


def _width(data: bytes, ending: str) -> int:
    """Return the most pixels that a picture should take."""
    if ending == ".png":
        return int.from_bytes(data[16:20], "big")  # of its header
    points = re.search(rb'<svg[^>]*\swidth="([\d.]+)pt"', data)
    return round(SCALE * PIXELS * float(points[1])) if points else OWN_WIDTH
