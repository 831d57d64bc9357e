"""What the rules bring about, counted in watched games: what each count means, and its ruling, stands in `events`.

Most of it happens inside a Stage that runs on by itself once all have chosen. So the action is carried out on a copy,
`work.trial`, by the same rooms as in `kernels.step`, with a look at it between any two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from gameapi.records import assign
from heatsim import endgame, phase_a, phase_b, phase_c, stage
from heatsim.events import COUNT
from heatsim.layout import ANNOUNCE, COVER, NOTHING, PASS, REVEAL, WORD
from heatsim.piles import ONE, pass_target
from heatsim.stage import COPYCAT
from heatsim.witness_stage import watch_a2, watch_b, watch_c, watch_shortage


@kernel()
def watch(state: Any, rules: Any, action: Any, work: Any, counts: Any) -> None:
    """Count what a choice of the actor will bring about."""
    trial = work.trial
    if state.phase == PASS:
        counts[COUNT.passed_right if state.heist & 1 else COUNT.passed_left] += 1
        return
    assign(trial, state)
    if state.phase == ANNOUNCE:
        watch_talk(state, action, counts)
        stage.announce(trial, rules, action)
    elif state.phase == REVEAL:
        stage.choose_card(trial, rules, action)
    elif state.phase == COVER:
        phase_a.count_active(trial, rules, work)
        if phase_b.choose_cover(trial, rules, work, action):
            finish_stage(trial, rules, work, counts)
    elif choose_word(trial, rules, action, counts) and switch(trial, rules, counts):
        act(trial, rules, work, counts)
    settle(trial, rules, work, counts)


@kernel()
def watch_talk(state: Any, action: Any, counts: Any) -> None:
    """Count what a seat says (HT17)."""
    if action == NOTHING:
        counts[COUNT.silent] += 1
        return
    counts[COUNT.announced] += 1
    counts[COUNT.announced_other] += state.count[state.actor, action] == 0


@kernel()
def settle(trial: Any, rules: Any, work: Any, counts: Any) -> None:
    """Run on to the next choice, as `endgame.settle` does."""
    while trial.phase == REVEAL and trial.actor < 0:
        for seat in range(rules.players):
            counts[COUNT.empty_hand if trial.choice[seat] == NOTHING else COUNT.revealed] += 1
        stage.reveal(trial, rules)
        if switch(trial, rules, counts):
            act(trial, rules, work, counts)


@kernel()
def choose_word(trial: Any, rules: Any, action: Any, counts: Any) -> bool:
    """Commit a card for Word on the Street; after the last use all; return whether that is done."""
    seat = np.int64(trial.actor)
    stage.commit(trial, seat, action)
    following = phase_a.next_word(trial, rules, seat + 1)
    if following >= 0:
        trial.actor = following
        return False
    use_all(trial, rules, phase_a.switching(trial, rules), counts)
    return True


@kernel()
def switch(trial: Any, rules: Any, counts: Any) -> bool:
    """Run step A1 as far as it goes without a choice; return whether it is finished (HT6)."""
    todo = phase_a.switching(trial, rules)
    while todo != np.uint64(0):
        seat = phase_a.next_word(trial, rules, 0)
        if seat >= 0:
            trial.phase = WORD
            trial.actor = seat
            return False
        use_all(trial, rules, todo, counts)
        todo = phase_a.switching(trial, rules)
    return True


@kernel()
def use_all(trial: Any, rules: Any, todo: Any, counts: Any) -> None:
    """Use switching cards, and count what they do (HT5, HT6, HT8)."""
    reached, drawn, left = False, np.int64(trial.drawn), todo
    for other in range(rules.players):
        reached |= trial.used[other] != np.uint64(0)
    while left != np.uint64(0):
        seat = np.int64(lowest(left))
        left &= left - ONE
        last = np.int64(trial.record_size[seat]) - 1
        title = stage.active(trial, rules, seat)
        counts[COUNT.switch_reached] += reached
        counts[COUNT.switch_copied] += trial.record[seat, last] == COPYCAT
        if title == phase_a.CIRCLE:
            counts[COUNT.circle_back if last > 0 else COUNT.circle_back_alone] += 1
        elif title == phase_a.WORD_ON_THE_STREET:
            has_card = trial.choice[seat] != NOTHING
            counts[COUNT.word_on_the_street if has_card else COUNT.word_without_card] += 1
        else:
            drawn += phase_a.BACKUP_DRAWS
    backups = (drawn - np.int64(trial.drawn)) // phase_a.BACKUP_DRAWS
    counts[COUNT.backup_plan if drawn <= rules.n_cards else COUNT.backup_plan_short] += backups
    phase_a.use_all(trial, rules, todo)


@kernel()
def act(trial: Any, rules: Any, work: Any, counts: Any) -> None:
    """Do A2 and turn to phase B, as `endgame.act` does."""
    phase_a.count_active(trial, rules, work)
    for seat in range(rules.players):
        if trial.revealed[seat] != NOTHING:
            watch_active(trial, rules, seat, work.active[seat], counts)
    watch_a2(trial, rules, work, counts)
    phase_a.act_together(trial, rules, work)
    if phase_b.ask_covers(trial, rules, work):
        finish_stage(trial, rules, work, counts)


@kernel()
def watch_active(trial: Any, rules: Any, seat: int, title: Any, counts: Any) -> None:
    """Count what a seat's active card is once all switching is done (HT5, HT6)."""
    counts[COUNT.switch_used_up] += phase_a.SWITCHING >> np.uint64(title) & ONE
    if trial.record[seat, trial.record_size[seat] - 1] != COPYCAT:
        return
    counts[COUNT.copycat_late] += trial.revealed[seat] != COPYCAT
    if title == COPYCAT:
        counts[COUNT.copycat_blank] += 1
        return
    counts[COUNT.copycat] += 1
    counts[COUNT.copycat_chain] += trial.revealed[pass_target(trial, rules, seat)] == COPYCAT


@kernel()
def finish_stage(trial: Any, rules: Any, work: Any, counts: Any) -> None:
    """Judge phases B and C and go on, as `endgame.finish_stage` does."""
    phase_b.lay_covers(trial, rules, work)
    total = phase_b.reckon(trial, rules, work)
    watch_b(trial, rules, work, counts)
    endgame.note_feds(trial, work)
    if total > rules.tokens:
        counts[COUNT.arrest] += 1
        endgame.arrest(trial)
        return
    before = work.world
    assign(before, trial)
    phase_b.take_heat(trial, rules, work, total)
    watch_shortage(before, trial, rules, work, counts)
    assign(before, trial)
    phase_c.pay_all(trial, rules, work, total)
    watch_c(before, trial, rules, work, counts)
    endgame.leave_stage(trial, rules)


@kernel()
def watch_end(state: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what the end of a game brings; final money stands in `work` (HT14)."""
    for seat in range(rules.players):
        counts[COUNT.paid_for_heat] += work.score[seat] < state.money[seat]
        counts[COUNT.below_zero] += work.score[seat] < 0
