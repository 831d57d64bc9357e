"""Write the golden games anew: one for each number of players, as a trace and as text to be read in a review."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from agents.catalog import resolve
from experiments.tracing import traces
from hotsim.game import GAME
from hotsim.show import as_text

HERE = Path(__file__).parent
SEED = 20


def golden() -> Iterator[tuple[str, str]]:
    """Yield the name and content of every golden file."""
    roster = [resolve(spec, GAME) for spec in ("greedy", "random")]
    for players in GAME.seats:
        for trace in traces(GAME, GAME.load_rules(), GAME.load_deck(), players, roster, 1, SEED):
            yield f"hotheads-p{players}.jsonl", json.dumps(trace, separators=(",", ":")) + "\n"
            yield f"hotheads-p{players}.txt", as_text(trace) + "\n"


def main() -> int:
    """Write the files; return the exit code."""
    for name, content in golden():
        (HERE / name).write_text(content, encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
