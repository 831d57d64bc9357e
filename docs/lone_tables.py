"""Write the table of lone agents against copies of another into a page, from a run folder.

    python docs/lone_tables.py results/talk docs/talk.md --figure docs/talk.png

The page marks the place: what stands between `<!-- lone: talk -->` and `<!-- end -->`, "talk" being the name of the run
folder, is written anew. The figure shows the opponent that most agents meet alone.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from experiments import plots
from experiments.cli.printing import percent
from experiments.result import load
from experiments.tables import to_rows
from gameapi.errors import UnreadableError, UserError
from gameapi.jsonl import write_whole

Row = dict[str, Any]


def lone_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of `head_to_head` in which an agent sat alone, of a pair that met both ways the fuller half."""
    alone = [row for row in rows if row["n_games"]]
    counts = Counter((row["agent"], row["opponent"]) for row in alone)
    order = {pair: i for i, pair in enumerate(counts)}

    def is_fuller(pair: tuple[str, str]) -> bool:
        back = pair[::-1]
        return (-counts[pair], order[pair]) <= (-counts[back], order.get(back, len(order)))

    return [row for row in alone if is_fuller((row["agent"], row["opponent"]))]


def markdown(rows: Sequence[Row]) -> str:
    """Return lone rows as a Markdown table: a line for each pair, a column for each number of players."""
    counts = sorted({row["players"] for row in rows})
    lines = [
        ["one", "against copies of", *(f"{n} players" for n in counts), "games a cell"],
        ["---"] * (len(counts) + 3),
        ["equal share", "", *(f"{100 / n:.1f} %" for n in counts), ""],
    ]
    opponents = list(dict.fromkeys(row["opponent"] for row in rows))
    pairs = dict.fromkeys((row["agent"], row["opponent"]) for row in rows)
    for agent, opponent in sorted(pairs, key=lambda pair: opponents.index(pair[1])):
        cells = {row["players"]: row for row in rows if (row["agent"], row["opponent"]) == (agent, opponent)}
        shares = [share(cells.get(n)) for n in counts]
        games = dict.fromkeys(f"{cells[n]['n_games']:,}" for n in counts if n in cells)
        lines.append([f"`{agent}`", f"`{opponent}`", *shares, ", ".join(games)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def share(row: Row | None) -> str:
    """Return a row's win share with its interval, nothing where a number of players was not played."""
    return percent(*(row[f"win_share{end}"] for end in ("", "_low", "_high"))) if row else ""


def insert(page: str, name: str, table: str) -> str:
    """Return a page with the table of a run put in its place.

    Raises:
        UserError: the page does not mark the place.
    """
    start, end = f"<!-- lone: {name} -->", "<!-- end -->"
    found = re.compile(re.escape(start) + r".*?" + re.escape(end), re.DOTALL)
    if not found.search(page):
        raise UserError(f"expected a place that is marked by {start} and {end}", "page")
    return found.sub(lambda _: f"{start}\n{table}\n{end}", page, count=1)


def figure(rows: Sequence[Row]) -> bytes:
    """Return a PNG of the win shares against the opponent that most agents meet alone."""
    most = Counter(row["opponent"] for row in rows).most_common(1)[0][0]
    shown = sorted((row for row in rows if row["opponent"] == most), key=lambda row: row["players"])
    table = {name: [row[name] for row in shown] for name in shown[0]}
    height = plots.LINE * (plots.place(table["players"]).end + 0.6)
    with mpl.rc_context(plots.STYLE):
        drawn = Figure(figsize=(7.6, height + 0.6))
        plots.win_share(table, drawn.add_axes((0.36, 0.5 / (height + 0.6), 0.6, height / (height + 0.6))))
        kind, options = plots.FORMS["png"]
        out = io.BytesIO()
        kind(drawn).print_figure(out, format="png", dpi=plots.DPI, **options)
    return out.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the run, write the page and perhaps the figure; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="a run folder")
    parser.add_argument("page", type=Path, help="a Markdown file that marks the place")
    parser.add_argument("--figure", type=Path, help="a PNG to write as well")
    options = parser.parse_args(arguments)
    try:
        rows = lone_rows(to_rows(load(options.run).tables["head_to_head"]))
        if not rows:
            raise UserError("in no line-up is an agent alone against copies of one other", str(options.run))
        page = insert(read(options.page), options.run.name, markdown(rows))
    except UserError as fault:
        print(f"{Path(sys.argv[0]).name}: {fault}", file=sys.stderr)
        return fault.exit_code
    write_whole(options.page, page)
    if options.figure:
        write_whole(options.figure, figure(rows))
    return 0


def read(page: Path) -> str:
    """Return the text of a page.

    Raises:
        UnreadableError: it cannot be read.
    """
    try:
        return page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise UnreadableError(f"cannot be read: {fault}", str(page)) from None


if __name__ == "__main__":
    sys.exit(main())
