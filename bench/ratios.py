"""Print the lab's rates beside a hand-optimised C program that plays the same random policy, in one run.

The yardsticks want gcc and a processor with what `YARDSTICKS` names; where either is missing, that is said and the
rates are printed alone. The parts of the comparison take turns, so that a machine that slows down slows all of them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from experiments.bench import available_cores, measure
from experiments.games import get

HERE = Path(__file__).parent
ROUNDS = 3
YARDSTICKS = {"hotsim": ("hotheads", ("avx512f", "avx512vl", "bmi2")), "heatsim": ("heat", ("bmi2",))}
"""Each game's C program, and what it needs of an x86-64 processor."""


def build(game: str) -> tuple[Path | None, str]:
    """Return the program of a game's yardstick, or None and why there is none."""
    name, needed = YARDSTICKS[game]
    compiler = shutil.which("gcc")
    if compiler is None:
        return None, "gcc is not installed"
    flags = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
    missing = [flag for flag in needed if flag not in flags]
    if missing:
        return None, f"this processor has no {', '.join(missing)}"
    program = HERE / "build" / name
    program.parent.mkdir(exist_ok=True)
    command = [compiler, "-O3", "-march=native", "-o", str(program), str(HERE / f"{name}.c"), "-lm"]
    made = subprocess.run(command, capture_output=True, text=True)
    return (program, "") if made.returncode == 0 else (None, made.stderr.strip().splitlines()[0])


def yardstick(program: Path, players: int) -> float:
    """Return the C program's games a second of wall time."""
    made = subprocess.run([program, str(players), "500000"], capture_output=True, text=True, check=True)
    found = json.loads(made.stdout)
    return float(found.get("games_per_s_wall") or found["games_per_s"])


def main() -> int:
    """Measure, print, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=YARDSTICKS, default="hotsim")
    parser.add_argument("--yardstick", type=Path, help="a program that is already built, instead of building one")
    options = parser.parse_args()
    game = get(options.game)
    program, why = (options.yardstick, "") if options.yardstick else build(options.game)
    if program is None:
        print(f"no yardstick: {why}; rates alone", file=sys.stderr)
    cores = available_cores()
    rules, deck = game.load_rules(), game.load_deck()
    print(f"{'players':>7} {'what':<18} {'cores':>5} {'a second':>14} {'ns each':>9} {'of C':>6} {'speed-up':>8}")
    for players in game.seats:
        rates: dict[tuple[str, int], list[float]] = {}
        marks: list[float] = []
        for _ in range(ROUNDS):
            if program:
                marks.append(yardstick(program, players))
            for rate in measure(game, players, rules, deck, cores):
                rates.setdefault((rate.what, rate.cores), []).append(rate.per_second)
        mark = statistics.median(marks) if marks else 0.0
        if mark:
            print(f"{players:>7} {'yardstick (C)':<18} {1:>5} {mark:>14,.0f} {1e9 / mark:>9,.0f}")
        for (what, n_cores), found in rates.items():
            per_second = statistics.median(found)
            of_c = f"{per_second / mark:6.2f}" if mark and n_cores == 1 and what in ("games", "rollouts") else " " * 6
            gain = f"{per_second / statistics.median(rates[what, 1]):8.2f}" if n_cores > 1 else ""
            each = 1e9 * n_cores / per_second
            print(f"{players:>7} {what:<18} {n_cores:>5} {per_second:>14,.0f} {each:>9,.1f} {of_c} {gain}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
