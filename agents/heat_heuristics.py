"""`heuristic` of Heat: what each card would bring now against what it would bring later, with named parameters.

A card is worth the money that it should bring this stage less the Heat that it costs, by what the other seats may play
(`agents.heat_guess`, `agents.heat_worth`). It is played where that is most above what it would be worth later in the
heist. In the draft the card of least worth is passed. Where talk is played it may lie: announce a card that it does not
mean to play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import Agent, Parameter, building
from agents.heat_guess import (
    BANK,
    FEED,
    FRAME_UP,
    HEAVY,
    LIE,
    NOISE,
    PATIENCE,
    SILENT,
    SPARE,
    SPECIALIST,
    STREET,
    count_unseen,
    look,
    price_of_heat,
    tokens_taken,
)
from agents.heat_worth import GENERAL, in_general, is_spare, stages_left, worth, worth_street
from gameapi.bits import lowest
from gameapi.jit import kernel as compiled
from gameapi.rng import GAMMA, draw, mix
from heatsim.layout import ANNOUNCE, COVER, N_TITLES, NOTHING, PASS
from heatsim.phase_b import BY_LETTERS, COVER_PAY
from heatsim.piles import ONE

PARAMETERS = (
    Parameter("price", 1.6, 0.0, 6.0, meaning="what a token of Heat is expected to cost at the end, in dollars"),
    Parameter("foresight", 0.8, 0.0, 1.0, meaning="how much that counts at the start, and not the Heat board"),
    Parameter("spite", 0.15, 0.0, 1.0, meaning="worth of a dollar that another seat loses"),
    Parameter("card", 1.0, 0.0, 3.0, meaning="worth of a card drawn, in dollars"),
    Parameter("spare", 1.0, 0.0, 5.0, meaning="worth of the card that a later stage would lack, in dollars"),
    Parameter("feed", 0.2, 0.0, 1.0, meaning="how much it minds what the pass target gets"),
    Parameter("patience", 0.55, 0.0, 1.0, meaning="how much the worth later in the heist counts"),
    Parameter("noise", 0.2, 0.0, 5.0, meaning="width of a whim added to each worth, so as not to be read"),
    Parameter("lie", 0.3, 0.0, 1.0, meaning="how often it announces a card that it does not mean to play"),
    Parameter("silent", 0.2, 0.0, 1.0, meaning="how often it says nothing"),
    Parameter("believe", 0.5, 0.0, 1.0, meaning="chance that what another seat announced is true"),
)

COMPANY = 0.7  # dollars that a B card is worth to a Heavy, which pays $2 for each that is played before it
_TO_ONE = 2.0**-24


@compiled()
def toss(work: Any) -> float:
    """Return a uniform number between 0 and 1."""
    return float(draw(work) >> np.uint64(40)) * _TO_ONE


@compiled()
def mood(state: Any, seat: int) -> Any:
    """Return what a seat's whims of this stage come from: its hand, so that a plan stays the same while others talk."""
    return mix(state.hand[seat] + np.uint64(state.drawn) * GAMMA + np.uint64(state.stage))


@compiled()
def whim(me: Any, mood: Any, title: int) -> float:
    """Return the random amount that is added to a card's worth."""
    return me.parameter[NOISE] * float(mood * np.uint64(2 * title + 1) >> np.uint64(40)) * _TO_ONE


@compiled()
def hand_letters(state: Any, rules: Any, seat: int) -> Any:
    """Return the letters of a hand as a word, if there is a card that wants to know them."""
    word, titles = np.uint64(0), state.hand[seat]
    if not titles & BY_LETTERS:
        return word
    while titles != np.uint64(0):
        title = lowest(titles)
        titles &= titles - ONE
        word += rules.letters[title] * np.uint64(state.count[seat, title])
    return word


@compiled()
def best_card(state: Any, rules: Any, work: Any, me: Any, seat: int) -> int:
    """Return the card of the hand whose worth this stage is most above its worth in a later one."""
    sight, mood_now = look(state, rules, work, me), mood(state, seat)
    record, hand = state.letters[seat], hand_letters(state, rules, seat)
    patience = me.parameter[PATIENCE] if stages_left(state, rules) > 0 else 0.0
    best, choice = -1.0e9, STREET
    titles = state.hand[seat] & ~(ONE << np.uint64(STREET))
    while titles != np.uint64(0):
        title = np.int64(lowest(titles))
        titles &= titles - ONE
        value = worth(state, rules, work, me, sight, title, record) + whim(me, mood_now, title)
        if patience > 0.0:
            value -= patience * in_general(rules, me, title, sight.price, record, hand)
        if value > best:
            best, choice = value, title
    if state.hand[seat] >> np.uint64(STREET) & ONE and worth_street(state, rules, me, best) > best:
        return STREET
    return choice


@compiled()
def poorest_card(state: Any, rules: Any, me: Any, seat: int, feed: float) -> int:
    """Return the card of the hand with the least worth later, and little worth to whoever gets it.

    A B card keeps a Heavy of the hand company.
    """
    price = price_of_heat(state, rules, me, tokens_taken(state, rules))
    record, hand = state.letters[seat], hand_letters(state, rules, seat)
    least, choice, mood_now = 1.0e9, NOTHING, mood(state, seat)
    titles = state.hand[seat]
    heavy = titles >> np.uint64(HEAVY) & ONE
    while titles != np.uint64(0):
        title = np.int64(lowest(titles))
        titles &= titles - ONE
        value = in_general(rules, me, title, price, record, hand) + feed * GENERAL[title]
        value += whim(me, mood_now, title)
        if heavy and BANK <= title <= SPECIALIST:
            value += COMPANY
        if value < least:
            least, choice = value, title
    return choice


@compiled()
def lie(state: Any, rules: Any, work: Any, seat: int) -> int:
    """Return what to announce instead: what scares others most and is not in the hand, though it could be.

    A Bank Job keeps others from the bank, a Frame Up from all B cards; else the last title that may yet be played.
    """
    count_unseen(state, rules, work, seat)
    unseen = work.trial.count[0]
    for title in (BANK, FRAME_UP):
        if state.count[seat, title] == 0 and unseen[title] > 0:
            return title
    for reverse in range(N_TITLES):
        title = N_TITLES - 1 - reverse
        if state.count[seat, title] == 0 and unseen[title] > 0:
            return title
    return NOTHING


@compiled()
def talk(state: Any, rules: Any, work: Any, me: Any, seat: int) -> int:
    """Return what to announce: nothing, the card that it means to play, or a lie (HT17)."""
    silent, false = toss(work) < me.parameter[SILENT], toss(work) < me.parameter[LIE]
    if silent or state.hand_size[seat] == 0:
        return NOTHING
    return lie(state, rules, work, seat) if false else best_card(state, rules, work, me, seat)


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return the actor's choice."""
    seat = np.int64(state.actor)
    if state.phase == PASS:
        return poorest_card(state, rules, me, seat, me.parameter[FEED])
    if state.phase == ANNOUNCE:
        return talk(state, rules, work, me, seat)
    if state.phase == COVER:
        worth_it = is_spare(state, rules, 1) or me.parameter[SPARE] < COVER_PAY
        return poorest_card(state, rules, me, seat, 0.0) if worth_it else NOTHING
    return best_card(state, rules, work, me, seat)


AGENT = Agent(
    "heuristic",
    "What each card would bring now against later, by what the others may play and say; may lie",
    "our own",
    building(choose),
    PARAMETERS,
    cost=lambda values: 4.0,
    policy=True,
)
