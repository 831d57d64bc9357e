"""Rehearse the sequential test of `compare` and print, as Markdown, how many deals it takes and how often it errs.

Deal scores are drawn from those that a run folder of `compare` holds, tilted to each true strength, or from a typical
distribution of two players where no folder is named. The same command prints the same numbers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from experiments import result, store
from experiments.compare import deal_scores
from experiments.intervals import Moments, share
from experiments.sequential import BETTER, NOT_BETTER, Floats, Terms, estimate, fixed_deals, with_prior
from experiments.simulation import VERDICTS, Outcomes, rehearse, tilted

TWO_PLAYERS = (0.05, 0.22, 0.46, 0.22, 0.05)
TIMES = (-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0)  # true strengths, in elo1
MOST_DEALS = 100_000


def seen(folder: Path, players: int) -> Floats:
    """Return how often each deal score occurs in a run folder, with the deal that is added, as shares."""
    manifest = store.read_manifest(folder)
    for section in result.sections(result.game_table.get(manifest["game"]), manifest, folder):
        if section.plan.players == players:
            paths = [store.part_path(folder, players, number) for number in store.part_numbers(folder, players)]
            counts = sum(deal_scores(store.read_part(p, ["rank"], section.run), section.plan) for p in paths)
            weights = with_prior(counts)
            return weights / weights.sum()
    raise SystemExit(f"{folder}: holds no games of {players} players")


def row(true: float, found: Outcomes, fixed: int, test: Terms, look: int, n_intervals: int) -> str:
    """Return a row of the table."""
    n = len(found.deals)
    cells = [f"{true:+g}"]
    for verdict in (BETTER, NOT_BETTER):
        times = round(found.share(verdict) * n)
        cells.append(
            "{:.1f} % [{:.1f}, {:.1f}]".format(*(100 * v for v in share(Moments(times, n, times, times, n, n))))
        )
    few = zip(found.counts[:n_intervals], found.verdicts[:n_intervals], strict=True)
    intervals = [estimate(counts, test, VERDICTS[verdict], look) for counts, verdict in few]
    covered = sum(low <= true <= high for _, low, high in intervals) / len(intervals)
    mean = found.deals.mean()
    cells += [f"{mean:,.0f}", f"{np.quantile(found.deals, 0.95):,.0f}", f"{fixed:,}", f"{mean / fixed:.2f}"]
    return "| " + " | ".join([*cells, f"{100 * covered:.1f} %"]) + " |"


def main() -> None:
    """Rehearse and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, help="a run folder of compare whose deal scores are taken")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--elo1", type=float, default=10.0)
    parser.add_argument("--look", type=int, default=32, help="deals between two looks")
    parser.add_argument("--repeats", type=int, default=10_000)
    parser.add_argument("--intervals", type=int, default=2_000, help="rehearsals whose interval is computed")
    options = parser.parse_args()
    frequencies = seen(options.run, options.players) if options.run else np.array(TWO_PLAYERS)
    test, rng = Terms(elo1=options.elo1), np.random.default_rng(1)
    print("| true Elo | A is better | A is not better | deals, mean | 95th percentile | fixed size | ratio | covered |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for times in TIMES:
        drawn = tilted(frequencies, times * test.elo1)
        found = rehearse(drawn, test, options.look, MOST_DEALS, options.repeats, rng)
        fixed = fixed_deals(drawn * 1e9, test)
        print(row(times * test.elo1, found, fixed, test, options.look, options.intervals), flush=True)


if __name__ == "__main__":
    main()
