"""`heuristic` of Heat: what each card would bring now, in dollars, by rules of thumb with named parameters.

A card is worth the money that it should bring this stage less the Heat it costs, priced by what a token is likely to
cost at the end. Bank Jobs are shunned where others may hold one: those not yet seen, one that was passed on for
certain, one that was announced and is believed. In the draft the card with the least worth over the whole heist is
passed. Where talk is played it may lie: announce a card that it does not mean to play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import Agent, Parameter, building
from gameapi.bits import lowest
from gameapi.jit import kernel as compiled
from gameapi.kernel import POLICY_PARAMETERS
from gameapi.rng import draw
from heatsim import cards
from heatsim.layout import ANNOUNCE, COVER, N_TITLES, NOTHING, PASS
from heatsim.phase_a import sole_poorest
from heatsim.phase_c import heat_value
from heatsim.piles import ONE, pass_target

(_PRICE, _FORESIGHT, _BANK, _SPITE, _CARD, _FENCE, _LEVERAGE, _NOISE, _LIE, _SILENT, _BELIEVE) = range(
    POLICY_PARAMETERS, POLICY_PARAMETERS + 11
)

PARAMETERS = (
    Parameter("price", 2.0, 0.0, 6.0, meaning="what a token of Heat is reckoned to cost at the end, in dollars"),
    Parameter("foresight", 0.5, 0.0, 1.0, meaning="how much of that price is the Heat value of the moment instead"),
    Parameter("bank", 0.25, 0.0, 1.0, meaning="chance that a seat plays a Bank Job which it may hold"),
    Parameter("spite", 0.2, 0.0, 1.0, meaning="worth of a dollar's harm to all others together"),
    Parameter("card", 0.6, 0.0, 3.0, meaning="worth of a card drawn, in dollars"),
    Parameter("fence", 0.5, 0.0, 1.0, meaning="chance that somebody else gains $4 or more in a stage"),
    Parameter("leverage", 0.6, 0.0, 2.0, meaning="Heat that another seat is reckoned to gain in a stage"),
    Parameter("noise", 0.6, 0.0, 5.0, meaning="width of a random amount added to each worth, so as not to be read"),
    Parameter("lie", 0.3, 0.0, 1.0, meaning="how often it announces a card that it does not mean to play"),
    Parameter("silent", 0.2, 0.0, 1.0, meaning="how often it says nothing"),
    Parameter("believe", 0.5, 0.0, 1.0, meaning="chance that what another seat announced is true"),
)

_T = {title: cards.number(title) for title in cards.TITLES}
COPYCAT, BACKUP, FRAME_UP, INFORMANT, LAY_LOW, FEDS, CIRCLE, WORD_STREET = range(8)
BANK, BREAK_IN, COVER_STORY, HEAVY, LIFT, SPECIALIST, DIVERSION, FENCE = range(8, 16)
SHUFFLE, LEVERAGE, RADAR, CRACKDOWN, MASTERMIND, INTERROGATION = range(16, 22)
assert (_T[cards.BANK_JOB], _T[cards.FENCE_THE_GOODS], _T[cards.INTERROGATION]) == (BANK, FENCE, INTERROGATION)

# what a card is reckoned to bring over a heist, in dollars, before anything is known of the stage
_IN_GENERAL = np.array(
    [2.0, 2.2, 1.5, 1.8, 1.2, 1.3, 1.8, 1.8, 2.6, 2.0, 2.4, 2.0, 2.0, 2.6, 1.8, 2.4, 2.2, 2.0, 1.9, 2.2, 2.4, 1.9]
)
_BYTE = np.uint64(255)


@compiled()
def price_of_heat(state: Any, rules: Any, me: Any) -> float:
    """Return what a token is reckoned to cost at the end."""
    now = float(heat_value(state, rules))
    return me.parameter[_FORESIGHT] * now + (1.0 - me.parameter[_FORESIGHT]) * me.parameter[_PRICE]


@compiled()
def letters(state: Any, rules: Any, seat: int, title: int) -> Any:
    """Return the letters of a seat's record with one more card, as a word."""
    word = rules.letters[title]
    for place in range(state.record_size[seat]):
        word += rules.letters[state.record[seat, place]]
    return word


@compiled()
def alone_at_the_bank(state: Any, rules: Any, seat: int, me: Any) -> float:
    """Return the chance that no other seat plays a Bank Job this stage."""
    unseen = 0
    for i in range(rules.n_cards):
        unseen += rules.cards[i] == BANK
    for other in range(rules.players):
        for place in range(state.record_size[other]):
            unseen -= state.record[other, place] == BANK
    unseen -= np.int64(state.count[seat, BANK])
    chance = 1.0
    target = pass_target(state, rules, seat)
    for other in range(rules.players):
        if other == seat:
            continue
        plays = me.parameter[_BANK] * min(1.0, unseen / (rules.players - 1.0))
        if other == target and state.sure[seat] == BANK:
            plays = max(plays, 0.4)
        if state.announced[other] == BANK:
            plays = max(plays, me.parameter[_BELIEVE])
        elif state.announced[other] != NOTHING:
            plays *= 1.0 - me.parameter[_BELIEVE]
        chance *= 1.0 - plays
    return chance


@compiled()
def worth_b(state: Any, rules: Any, seat: int, me: Any, title: int, price: float) -> float:
    """Return the worth of a B card: its money less its Heat."""
    cost = 0.0 if state.ignores[seat] else price
    if title == BANK:
        return 5.0 * alone_at_the_bank(state, rules, seat, me) - 2.0 * cost
    if title == BREAK_IN:
        return 3.0 - cost
    if title == COVER_STORY:
        return 3.0 if state.hand_size[seat] > 1 else 0.0
    if title == LIFT:
        return 2.0
    word = letters(state, rules, seat, title)
    if title == SPECIALIST:
        return float(max(word & _BYTE, word >> np.uint64(8) & _BYTE, word >> np.uint64(16) & _BYTE))
    heavies = 1
    for other in range(rules.players):
        for place in range(state.record_size[other]):
            heavies += state.record[other, place] == HEAVY
    return 2.0 * float(word >> np.uint64(8) & _BYTE) - heavies * cost


@compiled()
def worth_c(state: Any, rules: Any, seat: int, me: Any, title: int) -> float:
    """Return the worth of a C card."""
    others = rules.players - 1.0
    with_heat, most = 0, True
    for other in range(rules.players):
        with_heat += state.heat[other] > 0
        most = most and (other == seat or state.heat[other] < state.heat[seat])
    if title == DIVERSION:
        return 3.0 if most else 1.3
    if title == FENCE:
        return 1.0 + 3.0 * me.parameter[_FENCE]
    if title == SHUFFLE:
        return min(float(rules.players), with_heat + 0.3 * (rules.players - with_heat))
    if title == LEVERAGE:
        return others * me.parameter[_LEVERAGE]
    if title == RADAR:
        return 1.0 if state.heat[seat] > 0 else 3.0
    return float(heat_value(state, rules))


@compiled()
def worth_a(state: Any, rules: Any, seat: int, me: Any, title: int, price: float) -> float:
    """Return the worth of an A card that does not switch, or of a two-phase card."""
    back = min(1.0, float(state.heat[seat])) * price
    if title == FRAME_UP:
        return back + me.parameter[_SPITE] * 0.4 * (rules.players - 1.0) * price
    if title == INFORMANT:
        return 3.0 if sole_poorest(state, rules) == seat else me.parameter[_CARD]
    if title == LAY_LOW:
        return back + 0.1
    if title == FEDS:
        return 0.8 * price * me.parameter[_LEVERAGE] + me.parameter[_SPITE] * price
    if title == MASTERMIND:
        return 2.0 * me.parameter[_CARD] + 1.6
    return back + 0.8 + min(1.0, float(state.heat[seat]))


@compiled()
def worth_plain(state: Any, rules: Any, seat: int, me: Any, title: int, price: float) -> float:
    """Return the worth of a card this stage, switching cards at their general worth."""
    if BANK <= title <= SPECIALIST:
        return worth_b(state, rules, seat, me, title, price)
    if DIVERSION <= title <= CRACKDOWN:
        return worth_c(state, rules, seat, me, title)
    if title in (COPYCAT, BACKUP, CIRCLE, WORD_STREET):
        return _IN_GENERAL[title]
    return worth_a(state, rules, seat, me, title, price)


@compiled()
def worth(state: Any, rules: Any, seat: int, me: Any, title: int, price: float) -> float:
    """Return the worth of a card this stage, in dollars."""
    if title == CIRCLE:
        size = np.int64(state.record_size[seat])
        if size == 0:
            return 0.0
        return worth_plain(state, rules, seat, me, np.int64(state.record[seat, size - 1]), price)
    if title == WORD_STREET:
        best = 0.0
        titles = state.hand[seat]
        while titles != np.uint64(0):
            other = np.int64(lowest(titles))
            titles &= titles - ONE
            if other != WORD_STREET:
                best = max(best, worth_plain(state, rules, seat, me, other, price))
        return best - 0.5
    return worth_plain(state, rules, seat, me, title, price)


@compiled()
def jitter(work: Any, width: float) -> float:
    """Return a uniform amount between 0 and a width."""
    return width * float(draw(work) >> np.uint64(40)) / float(1 << 24)


@compiled()
def best_card(state: Any, rules: Any, work: Any, me: Any, seat: int) -> int:
    """Return the card of the hand with the best worth this stage."""
    price = price_of_heat(state, rules, me)
    best, choice = -1.0e9, NOTHING
    titles = state.hand[seat]
    while titles != np.uint64(0):
        title = np.int64(lowest(titles))
        titles &= titles - ONE
        value = worth(state, rules, seat, me, title, price) + jitter(work, me.parameter[_NOISE])
        if value > best:
            best, choice = value, title
    return choice


@compiled()
def poorest_card(state: Any, work: Any, me: Any, seat: int) -> int:
    """Return the card of the hand with the least worth in general."""
    least, choice = 1.0e9, NOTHING
    titles = state.hand[seat]
    while titles != np.uint64(0):
        title = np.int64(lowest(titles))
        titles &= titles - ONE
        value = _IN_GENERAL[title] + 0.5 * (state.count[seat, title] < 2) + jitter(work, me.parameter[_NOISE])
        if value < least:
            least, choice = value, title
    return choice


@compiled()
def talk(state: Any, rules: Any, work: Any, me: Any, seat: int) -> int:
    """Return what to announce: nothing, the card that it means to play, or a lie (HT17)."""
    if jitter(work, 1.0) < me.parameter[_SILENT] or state.hand_size[seat] == 0:
        return NOTHING
    if jitter(work, 1.0) < me.parameter[_LIE]:
        return BANK if state.count[seat, BANK] == 0 else LIFT
    return best_card(state, rules, work, me, seat)


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return the actor's choice."""
    seat = np.int64(state.actor)
    if state.phase == PASS:
        return poorest_card(state, work, me, seat)
    if state.phase == ANNOUNCE:
        return talk(state, rules, work, me, seat)
    if state.phase == COVER:
        surplus = state.hand_size[seat] > rules.stages - 1 - state.stage
        card = poorest_card(state, work, me, seat)
        return card if surplus or _IN_GENERAL[card] < 3.0 else NOTHING
    return best_card(state, rules, work, me, seat)


AGENT = Agent(
    "heuristic",
    "What each card would bring now, its Heat priced; shy of crowded banks; may lie",
    "our own",
    building(choose),
    PARAMETERS,
    cost=lambda values: 4.0,
    policy=True,
)
assert N_TITLES == 22
