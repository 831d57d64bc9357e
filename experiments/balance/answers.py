"""What each kind of study answers, in sentences from the tables that it adds; see `kinds`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experiments.balance.designs import BASE
from experiments.balance.metrics import SEAT_GAP
from experiments.balance.sentences import (
    PERCENT,
    PLAIN,
    POINTS,
    Number,
    Sentence,
    count,
    listed,
    sentence,
    separated,
    told,
)
from experiments.balance.study import Study
from experiments.balance.targets import MET
from experiments.tables import Table

MOST_NAMED = 8
"""Of what a table lists, so much is named in a sentence."""

SURELY, PERHAPS = 0.95, 0.5
"""Shares of draws from which on something is called the best, or perhaps the best."""

MOST_WORTH = 5
"""Cards that are named as bringing most, and as costing most."""

FOUND, WORTH = "What was found?", "What are cards worth?"
UNDECIDED = "undecided"


DEPTH = {
    "budget": "Thinking twice as long",
    "order": "The next stronger agent",
    "clairvoyance": "Seeing all cards",
}
"""What duels are about, by the word in the table `depth`."""


def metrics(study: Study) -> Iterator[Sentence]:
    """Give how deep the game is: what duels brought, where they were played."""
    table = study.tables.get("depth", {"question": []})
    duels: dict[tuple[str, str, str], dict[str, list[int]]] = {}
    for row, question in enumerate(table["question"]):
        duel = question, table["agent"][row], table["opponent"][row]
        duels.setdefault(duel, {}).setdefault(_duel_verdict(table, row), []).append(row)
    for (question, agent, opponent), verdicts in duels.items():
        named = [
            [*listed([_wins(study.tables, row) for row in rows]), f": {verdict}"] for verdict, rows in verdicts.items()
        ]
        games = _range(study.tables, "depth", "n_games", [row for rows in verdicts.values() for row in rows])
        template = "{}, in duels of their own, {} games each: one {} among copies of {} wins {}."
        opening = DEPTH.get(question, question)
        yield sentence("What is skill worth?", template, opening, games, agent, opponent, separated(named))


def _duel_verdict(table: Table, row: int) -> str:
    """Return on which side of an equal share a win share is: that on which its whole interval lies."""
    equal = 1 / table["players"][row]
    if table["win_share_low"][row] > equal:
        return "surely more than its equal share"
    if table["win_share_high"][row] < equal:
        return "surely less than its equal share"
    return "whether that is more than its equal share is not clear"


def _wins(tables: Mapping[str, Table], row: int) -> list[Any]:
    share, players = told(tables, "depth", row, "win_share", PERCENT), tables["depth"]["players"][row]
    return [share, f" with {players} players (equal share {100 / players:.1f} %)"]


def _range(tables: Mapping[str, Table], name: str, column: str, rows: Sequence[int]) -> list[Any]:
    """Return the least and the greatest of whole numbers: "19 to 152"."""
    ends = [end(rows, key=tables[name][column].__getitem__) for end in (min, max)]
    least, most = (_whole(tables, name, row, column) for row in ends)
    return [least] if least.text == most.text else [least, " to ", most]


def trim(study: Study) -> Iterator[Sentence]:
    """Give the best way to trim by each aim, and which others it may be."""
    tables, table = study.tables, study.tables["answers"]
    for row, metric in enumerate(table["metric"]):
        form, best = POINTS if metric == SEAT_GAP else PLAIN, table["design"][row]
        where = f"{table['players'][row]} players ({table['agent'][row]})"
        value, drawn = told(tables, "answers", row, "value", form), told(tables, "answers", row, "p_best", PERCENT)
        base = [", the base has ", told(tables, "answers", row, "base", form)] if best != BASE else ""
        others = [name for name in table["candidates"][row].split("; ") if name != best]
        rest = ["; it may also be ", *listed(others, "or")] if others else ""
        template = "{} with {}: {} {} with {}{}. It is the best in {} of draws of what other deals could bring{}."
        question, sure = table["question"][row], _how_sure(table["p_best"][row])
        yield sentence(
            FOUND, template, question[:1].upper() + question[1:], where, sure, best, value, base, drawn, rest
        )


def _how_sure(share: float) -> str:
    """Return what a share of draws in which something is the best allows to say of it."""
    return "it is" if share >= SURELY else "it may be" if share >= PERHAPS else "not clear; the best here is"


def rulings(study: Study) -> Iterator[Sentence]:
    """Give what each other reading of the rules changes; those without effect together."""
    tables, table = study.tables, study.tables["verdicts"]
    idle: dict[str, list[str]] = {}
    for row, verdict in enumerate(table["verdict"]):
        name, players = f"{table['design'][row]} ({table['ruling'][row]})", table["players"][row]
        if table["n_changed"][row]:
            counts = [
                _whole(tables, "verdicts", row, "n_changed"),
                " of ",
                _whole(tables, "verdicts", row, "n_numbers"),
            ]
            template = "{} with {} players surely changes {} numbers: {}."
            yield sentence(FOUND, template, name, str(players), counts, _in_words(tables, table["changed"][row]))
        else:
            idle.setdefault(verdict, []).append(f"{name} with {players} players")
    for verdict, names in idle.items():
        yield sentence(FOUND, "{}: {}.", verdict[:1].upper() + verdict[1:], separated(names))


def _in_words(tables: Mapping[str, Table], names: str) -> str:
    """Return a list of metrics, such as "score_mean (greedy); best_mean (greedy)", with their titles."""
    titles = dict(zip(tables["definitions"]["metric"], tables["definitions"]["title"], strict=True))
    parts = [name.partition(" ") for name in names.split("; ")]
    return "; ".join(f"{titles.get(name, name).partition(' (')[0]} {rest}".strip() for name, _, rest in parts)


def cards(study: Study) -> Iterator[Sentence]:
    """Give the cards that stand out, by what makes them do so."""
    tables, table = study.tables, study.tables["flags"]
    meanings = dict(zip(tables["definitions"]["name"], tables["definitions"]["meaning"], strict=True))
    found: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(table["flag"], table["measure"], strict=True)):
        found.setdefault(key, []).append(row)
    for (flag, measure), rows in found.items():
        form = POINTS if "wins" in measure else PERCENT
        named = [
            [_card(table, row), told(tables, "flags", row, "value", form, signed=form == POINTS)]
            for row in rows[:MOST_NAMED]
        ]
        template = "Surely “{}”, {}: {}{}."
        meaning = meanings.get(flag, measure).partition(f": {measure} ")[0]
        yield sentence(FOUND, template, flag, meaning, separated(named), _more(rows))
    if not found:
        n = count(tables, "cards", range(len(tables["cards"]["card"])))
        yield sentence(FOUND, "No card stands out for sure, of {}, each number of players and level counted apart.", n)
    yield from _worth(tables)


def _worth(tables: Mapping[str, Table]) -> Iterator[Sentence]:
    """Give the cards that bring or cost most in place of another, as far as their intervals leave no doubt."""
    table = tables["cards"]
    cells = list(zip(table["players"], table["agent"], strict=True))
    for players, agent in dict.fromkeys(cells):
        here = [row for row, cell in enumerate(cells) if cell == (players, agent)]
        here.sort(key=table["exchange_effect"].__getitem__)
        brings = [row for row in reversed(here) if table["exchange_effect_low"][row] > 0][:MOST_WORTH]
        costs = [row for row in here if table["exchange_effect_high"][row] < 0][:MOST_WORTH]
        parts = [
            [f"{words} ", *listed([_effect(tables, row) for row in rows])]
            for words, rows in (("these bring most:", brings), ("these cost most:", costs))
            if rows
        ]
        template = (
            "Wins that a card brings in place of a random one of a hand, with {} players ({}): {}. Their 95 % "
            "intervals lie on one side of 0, but are not corrected for how many cards were looked at."
        )
        if parts:
            yield sentence(WORTH, template, str(players), agent, separated(parts))


def _effect(tables: Mapping[str, Table], row: int) -> list[Any]:
    return [f"{tables['cards']['card'][row]} ", told(tables, "cards", row, "exchange_effect", POINTS, signed=True)]


def _card(table: Table, row: int) -> str:
    return f"{table['card'][row]} with {table['players'][row]} players ({table['agent'][row]}), "


def decks(study: Study) -> Iterator[Sentence]:
    """Give what holds for all decks that could be the printed one, for none, and what depends on the guess."""
    tables, table = study.tables, study.tables["conclusions"]
    found: dict[str, list[int]] = {}
    for row, verdict in enumerate(table["verdict"]):
        found.setdefault(verdict, []).append(row)
    for verdict, rows in sorted(found.items(), key=lambda item: item[0] == UNDECIDED):
        named = [
            f"{table['statement'][row]}, with {table['players'][row]} players ({table['agent'][row]})"
            for row in rows[:MOST_NAMED]
        ]
        n = count(tables, "conclusions", rows)
        opening = f"{verdict[:1].upper()}{verdict[1:]}"
        yield sentence(FOUND, "{} ({} of the conclusions): {}{}.", opening, n, separated(named), _more(rows))


def search(study: Study) -> Iterator[Sentence]:
    """Give the smallest changes that meet the targets, and whether they did so again on fresh deals."""
    tables, table = study.tables, study.tables["smallest"]
    for row, design in enumerate(table["design"]):
        changes = _whole(tables, "smallest", row, "changes")
        settings = "setting" if table["changes"][row] == 1 else "settings"
        template = "{} (place {}, {} {} changed): targets {} in the search, {} on fresh deals{}."
        place = _whole(tables, "smallest", row, "place")
        again = separated(_confirmed(tables, table["trial"][row]))
        values = [": ", *again] if again else ""
        verdicts = table["verdict"][row], table["confirmed"][row] or "not tried"
        yield sentence(FOUND, template, design, place, changes, settings, *verdicts, values)
    if not table["design"]:
        n = count(tables, "trials", range(len(tables["trials"]["trial"])))
        yield sentence(FOUND, "None of {} designs that were tried meets the targets.", n)


def _confirmed(tables: Mapping[str, Table], trial: int) -> list[Any]:
    """Return what fresh deals brought for each target: where it is met, its least and its greatest value."""
    table, parts = tables.get("confirmation", {"trial": []}), []
    by_target: dict[str, list[int]] = {}
    for row, number in enumerate(table["trial"]):
        if number == trial and not math.isnan(table["value"][row]):
            by_target.setdefault(table["target"][row], []).append(row)
    for target, rows in by_target.items():
        met = count(tables, "confirmation", [row for row in rows if table["verdict"][row] == MET])
        least, most = (end(rows, key=table["value"].__getitem__) for end in (min, max))
        values = [[_reached(tables, row), _of_cell(table, row)] for row in dict.fromkeys([least, most])]
        opening = ["from " if len(values) > 1 else "", *listed(values, "to")]
        parts.append([f"{target} surely met in ", met, " of ", count(tables, "confirmation", rows), ", ", *opening])
    return parts


def _reached(tables: Mapping[str, Table], row: int) -> Number:
    """Return what fresh deals brought for a target: a whole number where it is a count."""
    table = tables["confirmation"]
    counted = math.isnan(table["value_low"][row]) and float(table["value"][row]).is_integer()
    return (
        Number(f"{table['value'][row]:,.0f}", "confirmation", (row,), "value")
        if counted
        else told(tables, "confirmation", row, "value")
    )


def _of_cell(table: Table, row: int) -> str:
    """Return where a target was looked at; nothing where it is about all numbers of players."""
    players, agent = table["players"][row], table["agent"][row]
    return f" ({', '.join(filter(None, (f'{players} players' if players else '', agent)))})" if players or agent else ""


def _whole(tables: Mapping[str, Table], name: str, row: int, column: str) -> Number:
    """Return a whole number of a table."""
    return Number(f"{tables[name][column][row]:,}", name, (row,), column)


def _more(rows: Sequence[Any]) -> str:
    left = len(rows) - MOST_NAMED
    return f"; and {left:,} more, in the table" if left > 0 else ""
