"""What the other seats of Heat may play this stage, from all that a seat knows.

Cards that a seat has not seen are likely to be played by how many copies there are and how eagerly people play them. A
card passed in the draft is likelier at the pass target: there for certain where it was passed last and not seen since,
perhaps where it was passed earlier. What a seat announces counts as much as it is believed. What is revealed is known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gameapi.jit import kernel as compiled
from gameapi.kernel import POLICY_PARAMETERS
from heatsim import cards
from heatsim.hidden import public_hand
from heatsim.layout import COVER, N_TITLES, NOTHING, ROUNDS, WORD
from heatsim.piles import ONE, pass_target
from heatsim.stage import active

(PRICE, FORESIGHT, SPITE, CARD, SPARE, FEED, PATIENCE, NOISE, LIE, SILENT, BELIEVE) = range(
    POLICY_PARAMETERS, POLICY_PARAMETERS + 11
)
"""Places of the parameters in the player record."""

# numpy's integers: functions would be compiled anew for every plain one that they are called with
_NUMBERS = tuple(np.int64(number) for number in range(N_TITLES))
COPYCAT, BACKUP, FRAME_UP, INFORMANT, LAY_LOW, FEDS, CIRCLE, STREET = _NUMBERS[:8]
BANK, BREAK_IN, COVER_STORY, HEAVY, LIFT, SPECIALIST, DIVERSION, FENCE = _NUMBERS[8:16]
SHUFFLE, LEVERAGE, RADAR, CRACKDOWN, MASTERMIND, INTERROGATION = _NUMBERS[16:]
assert cards.TITLES[STREET] == cards.WORD_ON_THE_STREET
assert cards.TITLES[FENCE] == cards.FENCE_THE_GOODS
assert cards.TITLES[INTERROGATION] == cards.INTERROGATION

# how often a copy in hand is played, against the mean of all, where this agent plays alone; 3 to 5 players
EAGER = np.array(
    [0.8, 1.2, 1.0, 0.8, 0.8, 1.2, 1.3, 1.5, 0.6, 0.9, 1.3, 0.8, 1.2, 1.2, 0.9, 1.3, 1.2, 0.8, 1.2, 1.0, 1.2, 1.0, 0.0]
)
MUCH = np.zeros(N_TITLES)  # how often a card brings $4 or more: a bank robbed alone, a Heavy after another B card
MUCH[BANK], MUCH[HEAVY], MUCH[SPECIALIST], MUCH[DIVERSION] = 0.75, 0.7, 0.25, 0.3
PASSED_ON = 0.5  # a card passed in an earlier round has left the pass target as likely as not
BYTE, EIGHT, SIXTEEN, TWENTY_FOUR = np.uint64(255), np.uint64(8), np.uint64(16), np.uint64(24)


class Sight(NamedTuple):
    """What the actor reckons with.

    Attributes:
        price: what a token of Heat is reckoned to cost at the end, in dollars.
        rate: one over the number of cards that the actor has not seen, and cannot be sure of.
        free: tokens on the board.
        told: whether cards are revealed, or announced by anybody and believed.
        passed: the titles that the actor passed this heist, as a bit set.
    """

    price: float
    rate: float
    free: int
    told: bool
    passed: Any


@compiled()
def tokens_taken(state: Any, rules: Any) -> int:
    """Return the tokens that all seats hold."""
    taken = 0
    for seat in range(rules.players):
        taken += np.int64(state.heat[seat])
    return taken


@compiled()
def price_of_heat(state: Any, rules: Any, me: Any, taken: int) -> float:
    """Return what one more token is reckoned to cost the actor: at first an expectation, at the end what it does.

    At the end of the game that is the Heat value with it, and the rise of the value for each token held (HT13, HT14).
    """
    after = min(taken + 1, np.int64(rules.tokens))
    rise = rules.heat_value[after] - rules.heat_value[taken]
    now = float(rules.heat_value[after] + rise * np.int64(state.heat[state.actor]))
    done = float(np.int64(state.heist) * rules.stages + np.int64(state.stage) + 1)
    trust = me.parameter[FORESIGHT] * (1.0 - done / float(rules.heists * rules.stages))
    return trust * me.parameter[PRICE] + (1.0 - trust) * now


@compiled()
def count_unseen(state: Any, rules: Any, work: Any, seat: int) -> None:
    """Write the copies of each title that a seat has not seen, nor is sure of, to `work.trial.count[0]`."""
    unseen, copies, held = work.trial.count[0], rules.copies, state.count[seat]
    for title in range(N_TITLES):
        unseen[title] = copies[title] - held[title]
    for other in range(rules.players):
        for place in range(state.record_size[other]):
            unseen[state.record[other, place]] -= 1
    if state.sure[seat] >= 0:
        unseen[state.sure[seat]] -= 1


@compiled()
def look(state: Any, rules: Any, work: Any, me: Any) -> Sight:
    """Return what the actor reckons with; writes its unseen cards to the work record."""
    seat = np.int64(state.actor)
    count_unseen(state, rules, work, seat)
    pool = np.int64(rules.n_cards) - np.int64(state.hand_size[seat]) - (state.sure[seat] >= 0)
    told, listens = state.phase == WORD or state.phase == COVER, me.parameter[BELIEVE] > 0.0
    for other in range(rules.players):
        pool -= np.int64(state.record_size[other])
        told = told or (listens and state.announced[other] != NOTHING)
    taken = tokens_taken(state, rules)
    free, passed = np.int64(rules.tokens) - taken, np.uint64(0)
    for number in range(ROUNDS):
        passed |= ONE << np.uint64(state.passed[number, seat])
    return Sight(price_of_heat(state, rules, me, taken), 1.0 / float(max(1, pool)), free, told, passed)


@compiled()
def usual(work: Any, sight: Sight, title: int) -> float:
    """Return the chance that a seat of which nothing else is known plays a title."""
    return float(work.trial.count[0, title]) * EAGER[title] * sight.rate


@compiled()
def at_target(state: Any, rules: Any, work: Any, title: int, prior: float) -> float:
    """Return the chance that the pass target plays a title, talk apart, from that of any seat."""
    seat, unseen = np.int64(state.actor), work.trial.count[0, title] > 0
    sure = state.sure[seat] == title
    if not sure and not (unseen and (state.passed[0, seat] == title or state.passed[1, seat] == title)):
        return prior
    rest = max(0.0, float(public_hand(state, pass_target(state, rules, seat))) - 1.0)
    plays = EAGER[title] / (EAGER[title] + rest)
    return plays if sure else max(prior, PASSED_ON * plays)


@compiled()
def chance(state: Any, rules: Any, work: Any, me: Any, sight: Sight, other: int, title: int) -> float:
    """Return the chance that another seat's card of this stage is a title."""
    prior = usual(work, sight, title)
    if other == pass_target(state, rules, np.int64(state.actor)):
        prior = at_target(state, rules, work, title, prior)
    if not sight.told:
        return prior
    if state.phase == WORD or state.phase == COVER:
        shown = active(state, rules, other)
        if shown != STREET and shown != BACKUP:
            return 1.0 if shown == title else 0.0
    belief, said = me.parameter[BELIEVE], np.int64(state.announced[other])
    if title == BANK and state.announced[state.actor] == BANK:
        prior *= 1.0 - belief  # it has heard of ours
    if said == NOTHING or not may_hold(state, rules, work, other, said):
        return prior
    return (1.0 - belief) * prior + (belief if said == title else 0.0)


@compiled()
def may_hold(state: Any, rules: Any, work: Any, other: int, title: int) -> bool:
    """Tell whether another seat can hold a title: a copy is unseen, or known to be there."""
    if work.trial.count[0, title] > 0:
        return True
    seat = np.int64(state.actor)
    return state.sure[seat] == title and other == pass_target(state, rules, seat)


@compiled()
def expected(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int) -> float:
    """Return how many other seats are expected to play a title."""
    if not sight.told and not sight.passed >> np.uint64(title) & ONE:
        return usual(work, sight, title) * (rules.players - 1)
    total = 0.0
    for other in range(rules.players):
        if other != state.actor:
            total += chance(state, rules, work, me, sight, other, title)
    return total


@compiled()
def nobody(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int) -> float:
    """Return the chance that no other seat plays a title."""
    none = 1.0
    if not sight.told and not sight.passed >> np.uint64(title) & ONE:
        not_one = 1.0 - usual(work, sight, title)
        for _ in range(rules.players - 1):
            none *= not_one
        return none
    for other in range(rules.players):
        if other != state.actor:
            none *= 1.0 - chance(state, rules, work, me, sight, other, title)
    return none


@compiled()
def heavies(state: Any, rules: Any, work: Any) -> int:
    """Return the number of Heavies in all records: those that are neither in the hand, nor unseen, nor passed last."""
    seat = np.int64(state.actor)
    elsewhere = np.int64(state.count[seat, HEAVY]) + np.int64(work.trial.count[0, HEAVY]) + (state.sure[seat] == HEAVY)
    return np.int64(rules.copies[HEAVY]) - elsewhere


@compiled()
def gains_heat(state: Any, rules: Any, work: Any, me: Any, sight: Sight, other: int) -> float:
    """Return the chance that another seat gains Heat this stage."""
    if state.ignores[other]:
        return 0.0
    total = 0.0
    for title in (BANK, BREAK_IN, HEAVY):
        total += chance(state, rules, work, me, sight, other, title)
    return min(1.0, total)


@compiled()
def gainers(state: Any, rules: Any, work: Any, me: Any, sight: Sight) -> float:
    """Return how many other seats are expected to play a card that brings Heat."""
    total = 0.0
    for title in (BANK, BREAK_IN, HEAVY):
        total += expected(state, rules, work, me, sight, title)
    return total


@compiled()
def heat_to_come(state: Any, rules: Any, work: Any, me: Any, sight: Sight) -> float:
    """Return the Heat that the other seats are expected to gain this stage, all together."""
    bank = 2.0 * expected(state, rules, work, me, sight, BANK)
    heavy = expected(state, rules, work, me, sight, HEAVY) * (1.0 + heavies(state, rules, work))
    return bank + heavy + expected(state, rules, work, me, sight, BREAK_IN)


@compiled()
def somebody_gains_much(state: Any, rules: Any, work: Any, me: Any, sight: Sight) -> float:
    """Return the chance that another seat gains $4 or more this stage, as a Fence wants it (HT12)."""
    total = 0.0
    for title in (BANK, HEAVY, SPECIALIST, DIVERSION):
        total += MUCH[title] * expected(state, rules, work, me, sight, title)
    return 1.0 - 1.0 / (1.0 + total + 0.5 * total * total)  # by independent chances, e**total to second order


@compiled()
def most_of_a_letter(word: Any) -> int:
    """Return the largest of the counts of A, B and C."""
    return np.int64(max(word & BYTE, word >> EIGHT & BYTE, word >> SIXTEEN & BYTE))
