"""`report`: a run folder as one page."""

from __future__ import annotations

from pathlib import Path

import click

from experiments.cli import Call, options


@click.command(
    epilog="""\b
Examples:
  GAME report results/mine
  GAME report results/mine --out mine.html

The page holds everything that it needs and loads nothing. The same run folder gives the same bytes."""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="The page.  [default: RUN/report.html]")
@options.anchor
@click.pass_obj
def command(call: Call, run: Path, out: Path | None, anchor: str | None) -> None:
    """Write the tables and figures of the run folder RUN as one page, and print where it is.

    An interrupted run gives a page of what is there.
    """
    from experiments.report import report

    options.check_run(call.game, run)
    print(report(run, out, anchor))
