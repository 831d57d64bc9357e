"""Tables as aligned text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.readable import number, percent
from experiments.tables import Table, to_rows

Cells = Sequence[tuple[str, Sequence[str]]]


def aligned(columns: Cells) -> str:
    """Return columns below their headings; numbers stand at the right, other text at the left."""
    lines = [[name for name, _ in columns], *([*row] for row in zip(*(cells for _, cells in columns), strict=True))]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    left = [all(not cell or not (cell[0].isdigit() or cell[0] in "-+") for cell in cells) for _, cells in columns]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if flush else cell.rjust(width)
            for cell, width, flush in zip(line, widths, left, strict=True)
        ).rstrip()
        for line in lines
    )


def rating(value: float, low: float, high: float) -> str:
    """Return a rating in Elo points with its interval."""
    if math.isnan(value):
        return "-"
    interval = "" if math.isnan(low) else f" [{low:+.0f}, {high:+.0f}]"
    return f"{value:+.0f}{interval}"


def _shares(table: Table, name: str) -> list[str]:
    return [percent(*values) for values in zip(*(table[f"{name}{end}"] for end in ("", "_low", "_high")), strict=True)]


def _counts(table: Table, name: str) -> list[str]:
    return [f"{value:,}" for value in table[name]]


def _scores(table: Table) -> list[tuple[str, Sequence[str]]]:
    return [("score", [number(v) for v in table["score_mean"]]), ("sd", [number(v) for v in table["score_sd"]])]


def tournament(tables: Mapping[str, Table]) -> str:
    """Return the tables of a tournament as text."""
    agents, seats, games, beaten = (tables[name] for name in ("agents", "seats", "games", "head_to_head"))
    ratings = zip(*(tables["ratings"][f"rating{end}"] for end in ("", "_low", "_high")), strict=True)
    parts: list[tuple[str, Cells]] = [
        (
            "Agents (wins for each seat occupied; rating in Elo points)",
            [
                ("players", _counts(agents, "players")),
                ("agent", agents["agent"]),
                ("games", _counts(agents, "n_games")),
                ("wins", _shares(agents, "win_share")),
                *_scores(agents),
                ("rank", [number(value, 2) for value in agents["rank_mean"]]),
                ("rating", [rating(*row) for row in ratings]),
                *([("forfeits", _counts(agents, "forfeits"))] if any(agents["forfeits"]) else []),
            ],
        ),
        (
            "Seats",
            [
                ("players", _counts(seats, "players")),
                ("seat", _counts(seats, "seat")),
                ("wins", _shares(seats, "win_share")),
                *_scores(seats),
            ],
        ),
        ("Games", _games(games)),
    ]
    if beaten["agent"]:
        parts.append(
            (
                "Head to head (wins of the agent alone among copies of the opponent; seats ranking above its)",
                [
                    ("players", _counts(beaten, "players")),
                    ("agent", beaten["agent"]),
                    ("opponent", beaten["opponent"]),
                    ("games", _counts(beaten, "n_games")),
                    ("wins", _shares(beaten, "win_share")),
                    ("ranks above", _shares(beaten, "beats")),
                ],
            )
        )
    told = {"Seats": _seats_test(tables["tests"])}
    texts = [
        "\n".join([title, aligned(columns), *([told[title]] if title in told else [])]) for title, columns in parts
    ]
    if len(set(beaten["agent"])) > 2:
        texts[-1] += "\n" + _cycles(tables["cycles"])
    return "\n\n".join(texts)


def p_value(value: float) -> str:
    """Return a p-value to three decimals."""
    return "< 0.001" if value < 0.0005 else number(value, 3)


def _seats_test(tests: Table) -> str:
    """Say whether seats differ, in a line."""
    rows = zip(*(tests[name] for name in ("players", "test", "p_adjusted")), strict=True)
    found = ", ".join(f"{p_value(p)} at {players}" for players, test, p in rows if test == "seats")
    return f"Do all seats win equally often? p, adjusted: {found} players"


def _cycles(cycles: Table) -> str:
    """Say in a line whether three agents beat each other in a circle, and where that is clearest."""
    rows = to_rows(cycles)
    if not rows:
        return "No cycle: no three agents of which each ranks above the next more often than not"
    best = min(rows, key=lambda row: (1.0 if row["p_adjusted"] is None else row["p_adjusted"], -row["margin"]))
    names = " > ".join(best[name] for name in ("first", "second", "third", "first"))
    p = math.nan if best["p_adjusted"] is None else best["p_adjusted"]
    return f"Cycles: {len(rows):,}; the clearest, at {best['players']} players: {names}, p, adjusted: {p_value(p)}"


def _games(games: Table) -> list[tuple[str, Sequence[str]]]:
    """Return the columns of the table `games`, whatever the game adds; shares have intervals, numbers two digits."""
    columns: list[tuple[str, Sequence[str]]] = []
    for name in games:
        if name.endswith(("_low", "_high")):
            continue
        heading = name.removeprefix("n_").replace("_", " ").removesuffix(" mean").removesuffix(" share")
        if name.endswith("_share"):
            columns.append((heading, _shares(games, name)))
        elif name.startswith("n_") or name == "players":
            columns.append((heading, _counts(games, name)))
        else:
            columns.append((heading, [number(value, 2) for value in games[name]]))
    return columns


def metagame(table: Table) -> str:
    """Return the table of a meta-game as text."""
    title = f"{table['method'][0]} at {table['players'][0]} players, {table['n_deals'][0]:,} deals"
    columns: list[tuple[str, Sequence[str]]] = [("agent", table["agent"]), ("mass", _shares(table, "mass"))]
    if not all(map(math.isnan, table["value"])):
        columns.append(("value", [percent(value) for value in table["value"]]))
    return f"{title}\n{aligned(columns)}"


def records(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows of text as aligned columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return aligned([(name, [str(row.get(name, "")) for row in rows]) for name in names])


def comparison(tables: Mapping[str, Table]) -> str:
    """Return what a comparison found as text."""
    found = tables["compare"]
    elo, plain = (
        [rating(*row) for row in zip(*(found[f"{name}{end}"] for end in ("", "_low", "_high")), strict=True)]
        for name in ("elo", "elo_plain")
    )
    bounds = zip(found["llr"], found["llr_lower"], found["llr_upper"], strict=True)
    verdicts: Cells = [
        ("players", _counts(found, "players")),
        ("verdict", found["verdict"]),
        ("deals", _counts(found, "n_deals")),
        ("games", _counts(found, "n_games")),
        ("A above B", _shares(found, "x")),
        ("Elo", elo),
        ("LLR", [f"{value:+.2f} of {low:+.2f}, {high:+.2f}" for value, low, high in bounds]),
    ]
    more: Cells = [
        ("players", _counts(found, "players")),
        ("Elo, plain", plain),
        ("A alone wins", _shares(found, "a_alone")),
        ("B alone wins", _shares(found, "b_alone")),
        ("deals needed", [number(value, 0) for value in found["deals_needed"]]),
        ("of a fixed size", [number(value, 0) for value in found["deals_fixed"]]),
    ]
    return (
        "Verdicts (A above B: pairs of seats, ties a half; Elo with an interval that accounts for stopping early)\n"
        f"{aligned(verdicts)}\n\n"
        "Beside it (Elo as if the number of deals had been fixed; wins of one alone among copies of the other)\n"
        f"{aligned(more)}"
    )


MOST_LINEUPS_SHOWN = 20


def plan(document: Mapping[str, Any]) -> str:
    """Return a forecast (`experiments.forecast`) as text; of many line-ups the first only."""
    lineups = [(entry["players"], lineup) for entry in document["plans"] for lineup in entry["lineups"]]
    shown = lineups[:MOST_LINEUPS_SHOWN]
    parts = [
        "Agents (nominal cost of a game, a random one being 1)\n"
        + records([{"agent": a["agent"], "cost": _brief(a["nominal_cost"])} for a in document["agents"]]),
        "Line-ups\n" + records([_lineup(players, lineup) for players, lineup in shown]),
        "Numbers of players\n" + records([_size(entry) for entry in document["plans"]]),
    ]
    if len(shown) < len(lineups):
        parts[1] += f"\n... and {len(lineups) - len(shown):,} more; --json lists all"
    total = document["total"]
    there = f" ({total['games_there']:,} of them are there)" if total["games_there"] else ""
    nominal = [str(entry["players"]) for entry in document["plans"] if entry["basis"] == "nominal"]
    basis = "from a short sample of each line-up's play"
    if nominal:
        some = "" if len(nominal) == len(document["plans"]) else f"{basis}; with {', '.join(nominal)} players "
        basis = some + "from nominal costs and the measured rate of random play"
    parts.append(
        f"In all {total['games']:,} games{there}, {total['rows']:,} rows, {size(total['bytes'])} of parts; about "
        f"{duration(total['seconds_left'])} on {document['cores']} cores, {basis}."
    )
    return "\n\n".join(parts)


def _lineup(players: int, entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "players": players,
        "line-up": ",".join(entry["lineup"]),
        "seatings": f"{entry['seatings']:,}",
        "games": f"{entry['games']:,}",
        "cost": _brief(entry["nominal_cost"]),
        "time a game": duration(entry["seconds_a_game"]),
    }


def _size(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "players": entry["players"],
        "line-ups": f"{len(entry['lineups']):,}",
        **{name: f"{entry[name]:,}" for name in ("seatings", "deals", "games", "chunks", "rows")},
        "parts": size(entry["bytes"]),
        "a row": f"{entry['bytes_a_row']:.1f} B",
        "core time": duration(entry["core_seconds"]),
        "basis": entry["basis"],
    }


def size(n: float) -> str:
    """Return a number of bytes with two or three digits."""
    for unit in ("B", "kB", "MB", "GB"):
        if n < 1000:
            return f"{_brief(n)} {unit}"
        n /= 1000
    return f"{_brief(n)} TB"


def duration(seconds: float) -> str:
    """Return a time with two or three digits."""
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1, 1e3, "ms"), (120, 1, "s"), (7200, 1 / 60, "min")):
        if seconds < limit:
            return f"{_brief(seconds * factor)} {unit}"
    hours = seconds / 3600
    return f"{_brief(hours)} h" if hours < 48 else f"{_brief(hours / 24)} days"


def _brief(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
