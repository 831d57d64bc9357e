"""Write the golden games anew: one for each number of players, as a trace and as text to be read in a review."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from agents.catalog import resolve
from experiments.games import get
from experiments.tracing import traces

HERE = Path(__file__).parent
SEED = 20
AGENTS = ("greedy", "random")

GOLDEN: tuple[tuple[str, str, int, Sequence[str]], ...] = (
    *(("hotheads", "hotsim", players, ()) for players in (2, 3, 4, 5)),
    *(("heat", "heatsim", players, ["announce=true"] if players == 4 else ()) for players in (3, 4, 5)),
)
"""Start of the file's name, game, number of players, options set."""


def golden() -> Iterator[tuple[str, str]]:
    """Yield the name and content of every golden file."""
    for stem, name, players, settings in GOLDEN:
        game = get(name)
        roster = [resolve(spec, game) for spec in AGENTS]
        for trace in traces(game, game.load_rules(None, settings), game.load_deck(), players, roster, 1, SEED):
            yield f"{stem}-p{players}.jsonl", json.dumps(trace, separators=(",", ":")) + "\n"
            yield f"{stem}-p{players}.txt", game.service("as_text")(trace) + "\n"


def main() -> int:
    """Write the files; return the exit code."""
    for name, content in golden():
        (HERE / name).write_text(content, encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
