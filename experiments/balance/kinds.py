"""What each kind of study adds to its page: tables, figures, and sentences of its own.

A verb is plugged in by its row of `KINDS`. What the row names is looked up in the verb's module when a page is made, so
that no page loads what it does not need:

- `tables`: a mapping from the name of a table to its columns, each (name, unit, meaning), as `results.COLUMNS` is; a
  table of `results.COLUMNS` that the kind replaces may be among them. They stand in `tables/` of the run folder.
- `captions`: title and caption for names of files in `figures/` without their endings, or patterns such as `pareto_*`.
  What stands in `figures/` is shown whether it is named here or not, in this order.
- `panels`: a function (study) -> list of `panels.Panel`; they are drawn for the page, and as PNG and SVG.
- `methods`: a mapping from names of columns to the methods behind them, in place of `results.METHODS`.
- `load`: a function (folder) -> Study, where `study.load` cannot read what the kind keeps.
- `sentences`: a function (study) -> list of `sentences.Sentence`, told before all others: they answer what was asked;
  but last where the question is about the base, which the sentences that every study has answer first.

A title of captions may hold `{where}`, for the number of players and, if there is one, the number of the level in the
file's name: `effects_3_0` is "3 players, heuristic".

Where a module is named, as in "experiments.balance.grid:COLUMNS", an empty text stands for nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments import store
from experiments.balance.results import COLUMNS
from experiments.tables import Table, read_csv

if TYPE_CHECKING:
    from experiments.balance.panels import Panel
    from experiments.balance.sentences import Sentence
    from experiments.balance.study import Study

Columns = Mapping[str, Sequence[tuple[str, str, str]]]


class Kind(NamedTuple):
    """A kind of study.

    Attributes:
        title: of the page, before the game's name.
        asked: the question that such a study answers.
        tables: see above, as the rest.
        captions: of figures that the kind draws itself.
        panels: figures that the page draws.
        sentences: of the summary.
        methods: of intervals and tests.
        load: reads its run folder.
        compares: whether its designs are changes that the summary tells of one by one.
        games: what the plan counts, where that is not all that was played.
        about_base: whether what was asked is what every study tells of the base.
    """

    title: str
    asked: str
    tables: str = ""
    captions: Mapping[str, tuple[str, str]] = {}
    panels: str = ""
    sentences: str = ""
    methods: str = "experiments.balance.results:METHODS"
    load: str = "experiments.balance.study:load"
    compares: bool = True
    games: str = "games"
    about_base: bool = False


OTHER = Kind("Study of designs", "What does each design change, played on the same deals as the base?")
_PAIRS = "A point is a design; the darker it is, the surer that no other is as good in every respect and better in one."
_OVER = {"*": ("Over what is varied", "Bars are 95 % intervals; filled or starred: surely other than the base.")}
KINDS: Mapping[str, Kind] = {
    "study": OTHER,
    "metrics": Kind(
        "One design in numbers",
        "How fair, how long and how close is a design, and how much of it is luck, how much skill?",
        tables="experiments.balance.depth:COLUMNS",
        sentences="experiments.balance.answers:metrics",
        about_base=True,
    ),
    "sweep": Kind(
        "Sweep",
        "What do other numbers in the rules or the deck do?",
        tables="experiments.balance.grid:COLUMNS",
        captions=_OVER,
    ),
    "trim": Kind(
        "Ways to trim the deck",
        "Which way to trim makes seats fairest, games closest to the wished length, and skill worth most?",
        tables="experiments.balance.trim:COLUMNS",
        captions={"pareto_*": ("Seats, length and skill against each other: {where}", _PAIRS), **_OVER},
        sentences="experiments.balance.answers:trim",
    ),
    "rulings": Kind(
        "Readings of the rules",
        "What does each doubtful reading change, the other way round?",
        tables="experiments.balance.rulings:COLUMNS",
        captions={
            "readings_*": ("What each reading changes", "Differences from the base, with intervals that all hold.")
        },
        sentences="experiments.balance.answers:rulings",
    ),
    "cards": Kind(
        "Cards",
        "What does each card do, and which ones stand out?",
        tables="experiments.balance.card_tables:COLUMNS",
        captions={
            "effects_*": (
                "What each card is worth: {where}",
                "With 95 % intervals; the table cards has the numbers.",
            ),
            "plays_*": (
                "How often each card is played: {where}",
                "Of those that hold it; the table cards has the intervals.",
            ),
        },
        sentences="experiments.balance.answers:cards",
        methods="experiments.balance.card_tables:METHODS",
        load="experiments.balance.cards:load",
        games="games watched",
    ),
    "decks": Kind(
        "Plausible decks",
        "What holds for every deck that could be the printed one, and what depends on the guess?",
        tables="experiments.balance.decks:COLUMNS",
        captions={
            "spread_*": (
                "Spread over plausible decks",
                "Points are plausible decks, the line is their middle half, the diamond is the base.",
            )
        },
        sentences="experiments.balance.answers:decks",
        compares=False,
    ),
    "search": Kind(
        "Search for designs",
        "Which designs meet the targets with the fewest changes?",
        tables="experiments.balance.search_tables:COLUMNS",
        captions={
            "front_*": ("Designs that were tried", "The front: no design that was tried is better in every respect."),
            "history": ("Trials one after the other", "How far from the targets each trial was."),
        },
        sentences="experiments.balance.answers:search",
        games="games of the base",
    ),
}


def of(study: Study) -> Kind:
    """Return the kind of a study; kinds without a row have nothing of their own."""
    return KINDS.get(study.manifest["study"]["kind"], OTHER)


def columns(kind: Kind) -> dict[str, Sequence[tuple[str, str, str]]]:
    """Return the columns of all tables of a kind, its own first: they answer what was asked."""
    own: Columns = resolved(kind.tables, {})
    return {**own, **{name: rows for name, rows in COLUMNS.items() if name not in own}}


def methods(kind: Kind) -> Mapping[str, str]:
    """Return the methods behind the columns of a kind's tables."""
    found: Mapping[str, str] = resolved(kind.methods, {})
    return found


def load(folder: str | Path) -> Study:
    """Read the run folder of a study of any kind; its tables are made anew, those that a kind adds are read.

    Raises:
        UnreadableError: no study, or one that cannot be read; says what to do.
    """
    kind = store.read_manifest(Path(folder)).get("study", {}).get("kind", "")
    found: Study = resolved(KINDS.get(kind, OTHER).load, None)(folder)
    return replace(found, tables=tables(found))


def panels(study: Study) -> list[Panel]:
    """Return the figures that the kind of a study adds."""
    make = resolved(of(study).panels, lambda study: [])
    return list(make(study))


def sentences(study: Study) -> list[Sentence]:
    """Return the sentences that the kind of a study adds."""
    make = resolved(of(study).sentences, lambda study: [])
    return list(make(study))


def tables(study: Study) -> dict[str, Table]:
    """Return all tables of a study in the order of `columns`; those that are not in memory are read from its folder.

    Tables of a kind that is not listed, and those that an interrupted run lacks, are left out.
    """
    own: Columns = resolved(of(study).tables, {})
    found = {}
    for name in columns(of(study)):
        path = None if study.folder is None else study.folder / "tables" / f"{name}.csv"
        if name in own and path is not None and path.exists():
            found[name] = read_csv(path.read_text(encoding="utf-8"))
        elif name in study.tables:
            found[name] = study.tables[name]
    return found


def resolved(name: str, nothing: Any = None) -> Any:
    """Return what a text "module:name" stands for."""
    if not name:
        return nothing
    module, attribute = name.split(":")
    return getattr(importlib.import_module(module), attribute)
