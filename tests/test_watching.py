"""Watched matches play the games of plain ones, and the notes of flow are what a plain engine's scores say."""

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from subjects import GAMES

from agents.catalog import resolve
from experiments import flow
from experiments.flow import FLOW, FLOW_AT, note_names
from experiments.match import Match
from experiments.match import Table as At
from experiments.watching import WatchedMatch

PLAYERS = {"hotsim": 2, "heatsim": 3}
SEATINGS = {name: np.array([[0] * n, [1] + [0] * (n - 1)], np.int16) for name, n in PLAYERS.items()}
EVERY = 3

any_game = pytest.mark.parametrize("name", GAMES)


def match(name: str, kind: Any = Match, agents: Any = ("random", "greedy"), **options: Any) -> Any:
    game = GAMES[name]
    roster = [resolve(agent, game) for agent in agents]
    return kind(game, game.load_rules(), game.load_deck(), PLAYERS[name], roster, 4, **options)


def bytes_of(columns: dict[str, Any]) -> dict[str, bytes]:
    return {name: values.tobytes() for name, values in columns.items()}


@any_game
def test_games_are_those_of_a_plain_match_and_every_third_deal_is_watched(name: str) -> None:
    plain = match(name).play(4, 9, SEATINGS[name])
    watched = match(name, WatchedMatch, every=EVERY)
    columns, notes = watched.play_watched(4, 9, SEATINGS[name])
    assert bytes_of(columns) == bytes_of(plain)
    assert notes.shape == (3 * 2, len(note_names(GAMES[name])))
    alone = [watched.play_watched(deal, 1, SEATINGS[name])[1] for deal in (6, 9, 12)]
    assert np.array_equal(np.concatenate(alone), notes)
    decisions = plain["decisions"].reshape(9, 2, -1).sum(axis=2)[[2, 5, 8]].ravel()
    assert np.array_equal(notes[:, FLOW_AT.decisions], decisions)


@any_game
def test_without_deals_to_watch_there_are_no_notes(name: str) -> None:
    watched = match(name, WatchedMatch)
    columns, notes = watched.play_watched(0, 2, SEATINGS[name])
    assert notes.shape == (0, len(note_names(GAMES[name])))
    assert bytes_of(watched.play(0, 2, SEATINGS[name])) == bytes_of(columns)


@any_game
def test_plain_agents_are_watched_as_compiled_ones_are(name: str, tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "import numpy as np\n"
        f"from {name} import kernels\n\n"
        "def compiled(state, rules, work, me):\n"
        "    kernels.legal(state, rules, work)\n"
        "    return np.int64(work.legal[0])\n\n"
        "def plain(view):\n"
        "    return view.actions[0]\n",
        encoding="utf-8",
    )
    found = [
        match(name, WatchedMatch, (f"{file}:{own}", "random"), every=EVERY).play_watched(2, 3, SEATINGS[name])
        for own in ("compiled", "plain")
    ]
    assert bytes_of(found[0][0]) == bytes_of(found[1][0])
    assert found[0][1].any()
    assert np.array_equal(found[0][1], found[1][1])


@any_game
def test_coupled_matches_play_coupled_deals(name: str) -> None:
    plain, coupled = (match(name, WatchedMatch, coupled=coupled) for coupled in (False, True))
    assert (plain.record.coupled, coupled.record.coupled) == (0, 1)
    assert bytes_of(plain.play(0, 4, SEATINGS[name])) != bytes_of(coupled.play(0, 4, SEATINGS[name]))


# Flow


def flow_of(standings: list[tuple[list[int], list[int]]], wins: list[float]) -> dict[str, float]:
    """Work out notes from scores and tie-breaks before the first and after each decision, step by step as defined."""
    n, players = len(standings) - 1, len(wins)
    ranks = [list(zip(*standing, strict=True)) for standing in standings]
    first = [[seat for seat in range(players) if rank[seat] == max(rank)] for rank in ranks]
    alone = [seats[0] for seats in first[1:] if len(seats) == 1]
    scores = [standing[0] for standing in standings]
    winners = [seat for seat in range(players) if wins[seat]]
    notes: dict[str, float] = {note.name: 0 for note in FLOW}
    notes["decisions"] = n
    notes["lead_changes"] = sum(a != b for a, b in itertools.pairwise(alone))
    notes["nobody_won"], notes["win_split"] = not winners, len(winners) > 1
    notes["tie_broken"] = 0 < len(winners) < scores[-1].count(max(scores[-1]))
    if len(winners) != 1:
        return notes
    (winner,) = winners
    leads = [score[winner] - max(s for seat, s in enumerate(score) if seat != winner) for score in scores]
    shared = [ply for ply in range(1, n + 1) if first[ply] != [winner]]
    trailing = [-lead for lead in leads[1:] if lead < 0]
    passed = [ply for ply in range(1, n + 1) if leads[ply] > max(trailing, default=0)]
    notes["lead_taken"] = 1000 * (max(shared, default=0) + 1) / n
    notes["behind_at_half"] = leads[n // 2] < 0
    notes["last_at_half"] = leads[n // 2] < 0 and scores[n // 2][winner] == min(scores[n // 2])
    notes["behind"] = 1000 * len(trailing) / n
    notes["deficit"] = max(trailing, default=0)
    notes["drama"] = 1000 * sum(lead**0.5 for lead in trailing) / len(trailing) if trailing else 0
    notes["decided"] = 1000 * min(passed, default=n) / n
    notes["margin"] = leads[-1]
    return notes


@any_game
def test_notes_of_flow_are_as_defined(name: str) -> None:
    game, players = GAMES[name], PLAYERS[name]
    watched = match(name, WatchedMatch, every=1)
    _, notes = watched.play_watched(0, 25, SEATINGS[name])
    at, row = At(game, players), iter(notes)
    for deal in range(25):
        for seating in range(2):
            standings, choices = [], []
            for _ in watched.plies(at, deal, seating, SEATINGS[name]):
                standings.append(standing(watched, at))
                choices.append(int(game.call("legal")(at.game, watched.record, at.work)))
            standings.append(standing(watched, at))
            expected = flow_of(standings, at.work.win[:players].tolist())
            expected |= {"forced": choices.count(1), "actions": sum(choices)}
            found = dict(zip(note_names(game), next(row).tolist(), strict=True))
            for note, value in expected.items():
                assert found[note] == pytest.approx(float(value), abs=0.5), note


def standing(watched: Match, at: At) -> tuple[list[int], list[int]]:
    """Give scores and tie-breaks as if the game ended now."""
    watched.game.call("returns")(at.game, watched.record, at.work)
    return at.work.score[: watched.players].tolist(), at.work.tiebreak[: watched.players].tolist()


def noted(rows: list[list[int]], firsts: list[int], wins: list[float]) -> dict[str, int]:
    """Give the notes of a game of three from scores, and seats in first place as bits, before and after decisions."""
    standings = np.array([[*row, 0, 0, first] for row, first in zip(rows, firsts, strict=True)], np.int32)
    notes = np.zeros(len(FLOW), np.int32)
    rules, work = SimpleNamespace(players=3), SimpleNamespace(win=wins)
    flow.note_end(rules, work, standings, len(rows) - 1, notes)
    return {note.name: n for note, n in zip(FLOW, notes.tolist(), strict=True) if n}


def test_a_comeback_by_hand() -> None:
    """Seat 2 is last at half-time, 9 points behind; it draws level and wins by the tie-break."""
    rows = [[0, 0, 0], [4, 0, 0], [9, 1, 0], [9, 1, 8], [9, 1, 9]]
    found = noted(rows, [7, 1, 1, 1, 4], [0.0, 0.0, 1.0])
    told = {"lead_changes": 1, "tie_broken": 1, "lead_taken": 1000, "behind_at_half": 1, "last_at_half": 1}
    assert found == told | {"behind": 750, "deficit": 9, "drama": 2000, "decided": 1000}


def test_a_walkover_by_hand() -> None:
    """Seat 0 leads from the first decision on, by more and more."""
    rows = [[0, 0, 0], [2, 0, 0], [2, 1, 0], [7, 1, 2], [7, 1, 3]]
    found = noted(rows, [7, 1, 1, 1, 1], [1.0, 0.0, 0.0])
    assert found == {"lead_taken": 250, "decided": 250, "margin": 4}


def test_a_split_and_an_arrest_by_hand() -> None:
    rows = [[0, 0, 0], [2, 0, 0], [2, 3, 3]]
    assert noted(rows, [7, 1, 6], [0.0, 0.5, 0.5]) == {"win_split": 1}
    assert noted(rows, [7, 1, 6], [0.0, 0.0, 0.0]) == {"nobody_won": 1}


def test_thousandths_are_rounded() -> None:
    assert [flow.thousandths(*pair) for pair in ((0, 3), (1, 3), (2, 3), (3, 3), (1, 2000))] == [0, 333, 667, 1000, 1]
