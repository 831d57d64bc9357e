"""How a watched game went, in notes taken after each decision: choices, leads, and how it was decided.

The table is judged by its score as if the game ended there, as players see it. What is said of flow follows Browne,
Automatic Generation and Evaluation of Recombination Games (2008), who judges positions by an evaluation of them. A lead
is of points; who is in first place the tie-break decides where points are level.
"""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from gameapi import kernel, ranking
from gameapi.game import Game
from gameapi.kernel import MAX_SEATS


class Note(NamedTuple):
    """What a column of notes tells of a game."""

    name: str
    unit: str
    meaning: str


FLOW = (
    Note("decisions", "decisions", "decisions of the game"),
    Note("forced", "decisions", "decisions with one legal action"),
    Note("actions", "actions", "legal actions, summed over decisions; over decisions: the branching factor"),
    Note(
        "lead_changes", "changes", "times a seat was alone in first place that was not the last one to be so (Browne)"
    ),
    Note("tie_broken", "0 or 1", "1 where several seats had the highest score and the tie-break left fewer winners"),
    Note("win_split", "0 or 1", "1 where the win was split"),
    Note("nobody_won", "0 or 1", "1 where nobody won"),
    # of games that one seat won alone, else 0
    Note("lead_taken", "parts per 1,000", "part of the decisions after which the winner was alone in first for good"),
    Note("behind_at_half", "0 or 1", "1 where the winner had fewer points than another after half of the decisions"),
    Note("last_at_half", "0 or 1", "1 where moreover nobody had fewer points than the winner then"),
    Note("behind", "parts per 1,000", "part of the decisions after which another had more points than the winner"),
    Note("deficit", "points", "most points that the winner was behind the leader"),
    Note(
        "drama",
        "1/1,000 root points",
        "mean root of the points behind, over the decisions after which it was behind; "
        "0 where never (Browne's drama, of points)",
    ),
    Note(
        "decided",
        "parts per 1,000",
        "part of the decisions after which the winner's lead was first larger than any "
        "that another had had over it; 1,000 where never (Browne's decisive threshold)",
    ),
    Note("margin", "points", "points between the winner and the best other seat at the end"),
)
"""The notes of every game, which come first; the counts of its events follow."""

FLOW_AT: Any = namedtuple("FlowAt", [note.name for note in FLOW])(*range(len(FLOW)))
N_FLOW = len(FLOW)
FIRST = MAX_SEATS  # of a row of standings: who is in first place, a bit a seat; the scores stand before it
PLIES = 256  # that standings have room for at first


def note_names(game: Game) -> tuple[str, ...]:
    """Return what the columns of a game's notes are called."""
    return (*(note.name for note in FLOW), *(event.name for event in game.events))


# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def note_choice(state: Any, rules: Any, action: int, work: Any, notes: Any) -> None:
    """Note what there was to choose from, and what the choice brings about."""
    n = kernel.legal(state, rules, work)
    notes[FLOW_AT.decisions] += 1
    notes[FLOW_AT.forced] += n == 1
    notes[FLOW_AT.actions] += n
    kernel.witness(state, rules, action, work, notes[N_FLOW:])


def note_standing(state: Any, rules: Any, work: Any, standing: Any) -> None:
    """Write every seat's score as if the game ended now, and who would be in first place."""
    kernel.returns(state, rules, work)
    best, first = 0, 0
    for seat in range(rules.players):
        standing[seat] = work.score[seat]
        ahead = ranking.compare(work, seat, best)
        if ahead > 0:
            best, first = seat, 0
        if ahead >= 0:
            first |= 1 << seat
    standing[FIRST] = first


def longer(standings: Any) -> Any:
    """Return a copy of standings with twice the room."""
    room = np.zeros((2 * standings.shape[0], standings.shape[1]), np.int32)
    room[: standings.shape[0]] = standings
    return room


def thousandths(part: int, whole: int) -> int:
    """Return a part of a whole in thousandths, rounded to the nearest, halves up."""
    return (2000 * part + whole) // (2 * whole)


def note_end(rules: Any, work: Any, standings: Any, n: int, notes: Any) -> None:
    """Note how a game of n decisions went, once `work` has its returns."""
    leader, winner, winners, level = 0, -1, 0, 0
    for ply in range(1, n + 1):
        first = standings[ply, FIRST]
        if first & (first - 1) == 0 and first != leader:
            notes[FLOW_AT.lead_changes] += leader != 0
            leader = first
    best = standings[n, : rules.players].max()
    for seat in range(rules.players):
        level += standings[n, seat] == best
        if work.win[seat] > 0.0:
            winner = seat
            winners += 1
    notes[FLOW_AT.nobody_won] = winners == 0
    notes[FLOW_AT.win_split] = winners > 1
    notes[FLOW_AT.tie_broken] = 0 < winners < level
    if winners == 1:
        note_winner(rules, standings, n, winner, notes)


def lead_of(rules: Any, standing: Any, seat: int) -> int:
    """Return how many points a seat has more than the best other, below 0 where it has fewer."""
    lead = 1 << 40
    for other in range(rules.players):
        if other != seat:
            lead = min(lead, standing[seat] - standing[other])
    return lead


def note_winner(rules: Any, standings: Any, n: int, winner: int, notes: Any) -> None:
    """Note how the seat that won alone came to it."""
    alone_from, behind, deficit, drama = 1, 0, 0, 0.0
    for ply in range(1, n + 1):
        if standings[ply, FIRST] != 1 << winner:
            alone_from = ply + 1
        lead = lead_of(rules, standings[ply], winner)
        if lead < 0:
            behind += 1
            deficit = max(deficit, -lead)
            drama += math.sqrt(-lead)
    decided = 1
    while decided < n and lead_of(rules, standings[decided], winner) <= deficit:
        decided += 1
    half = standings[n // 2]
    trails, least = lead_of(rules, half, winner) < 0, half[: rules.players].min()
    notes[FLOW_AT.lead_taken] = thousandths(alone_from, n)
    notes[FLOW_AT.behind_at_half] = trails
    notes[FLOW_AT.last_at_half] = trails and half[winner] == least
    notes[FLOW_AT.behind] = thousandths(behind, n)
    notes[FLOW_AT.deficit] = deficit
    notes[FLOW_AT.drama] = math.floor(1000.0 * drama / behind + 0.5) if behind else 0
    notes[FLOW_AT.decided] = thousandths(decided, n)
    notes[FLOW_AT.margin] = lead_of(rules, standings[n], winner)


PARTS = (note_choice, note_standing, longer, thousandths, lead_of, note_winner, note_end)
"""What takes notes, in the order in which they call each other."""
