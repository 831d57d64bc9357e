"""A turn: draw, then play exactly one card (HH5, HH6, HH10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from hotsim.actions import TARGET_NO_EFFECT, TARGET_PASS, TARGET_PICK
from hotsim.columns import ONE, add_to_hand, lay, sabotage, see, take_from_hand
from hotsim.layout import PICK, PLAY

SIX, FACE = np.uint64(6), np.uint64(63)
NO_EFFECT, PICKED, PASS = (np.uint64(t) for t in (TARGET_NO_EFFECT, TARGET_PICK, TARGET_PASS))


@kernel()
def begin_turn(state: Any, rules: Any) -> None:
    """Draw for the actor: a card into the hand, or a storm, whose phase begins (HH5)."""
    if state.drawn == state.storm_at[state.storms]:
        state.storms += 1
        state.phase = PICK
        state.drawer = state.actor
        state.picks_left = state.storms
        return
    add_to_hand(state, state.actor, np.uint64(state.cards[rules.draw_start + state.drawn]))
    state.drawn += 1
    state.phase = PLAY


@kernel()
def place(state: Any, rules: Any, seat: Any, action: Any) -> None:
    """Do what a turn's action says: lay a card, sabotage or pass."""
    target, face = action >> SIX, action & FACE
    if target == PASS:
        state.passes[seat] += 1
        return
    take_from_hand(state, seat, face)
    see(state, face)
    if rules.sabotage >> face & ONE == np.uint64(0):
        lay(state, rules, target, face)
    elif target != NO_EFFECT:
        sabotage(state, rules, target)


@kernel()
def play(state: Any, rules: Any, action: Any) -> None:
    """Finish the actor's turn with an action and draw for the next seat."""
    seat = np.int64(state.actor)
    place(state, rules, seat, action)
    state.turns += 1
    state.actor = seat + 1 if seat + 1 < rules.players else 0
    begin_turn(state, rules)
