"""Studies of a toy game for the tests: outcomes are drawn at once, nothing is played."""

import numpy as np
from lab import GAME

from experiments.balance.cells import Key
from experiments.balance.results import Found, tables
from experiments.balance.study import Study
from experiments.balance.totals import ALONE, MIRROR, add_up, features

MIRRORED = np.zeros((1, 3), np.int16)
WITH_SEATS = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], np.int16)
LINEUPS = ((MIRROR, MIRRORED), (ALONE, WITH_SEATS))


def drawn(seed, seatings, deals, bonus=(0, 0, 0), longer=0):
    """Rows of a game between equals; `bonus` goes to each seat's score, `longer` to each seat's decisions."""
    rng = np.random.default_rng(seed)
    shape = (deals, *seatings.shape)
    score = np.rint(rng.normal(0, 4, (deals, 1, shape[2])) + rng.normal(0, 10, shape)).astype(np.int64)
    score += np.asarray(bonus)
    best = score == score.max(axis=2, keepdims=True)
    columns = {"score": score, "tiebreak": np.zeros(shape, np.int64), "win": best / best.sum(axis=2, keepdims=True)}
    columns |= {name: rng.integers(5, 12, shape) for name in ("decisions", "turns", "passes")}
    columns["decisions"] += longer
    return {name: values.ravel() for name, values in columns.items()}


def toy(deals, designs, impossible=()):
    """Return a study of three seats and two equal levels.

    Args:
        deals: of each cell.
        designs: for each label seed, bonus and longer of `drawn`, the base first.
        impossible: rows of that table.
    """
    totals = {}
    for number, (seed, bonus, longer) in enumerate(designs.values()):
        for level in range(2):
            for lineup, seatings in LINEUPS:
                rows = drawn([seed, level, len(seatings)], seatings, deals, bonus, longer)
                totals[Key(number, 3, level, lineup)] = add_up(features(GAME, rows, seatings, lineup), 0)
    agents = ["plain", "clever"]
    manifest = {
        "agents": [{"agent": "plain", "weaker": "random"}, {"agent": "clever", "weaker": "plain"}],
        "study": {"kind": "study", "designs": [{"label": label, "changes": {}} for label in designs]},
    }
    found = Found(GAME, list(designs), agents, totals, list(impossible))
    return Study(GAME, manifest, tables(found), None, found)
