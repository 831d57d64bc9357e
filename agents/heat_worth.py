"""What a card of Heat is worth to a seat, in dollars: played now, and kept for later.

Money counts as it is, a token of Heat at its price, harm to the others at the parameter `spite`, cards drawn at `card`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.heat_guess import (
    BACKUP,
    BANK,
    BREAK_IN,
    BYTE,
    CARD,
    CIRCLE,
    COPYCAT,
    COVER_STORY,
    CRACKDOWN,
    DIVERSION,
    EIGHT,
    FEDS,
    FENCE,
    FRAME_UP,
    HEAVY,
    INFORMANT,
    INTERROGATION,
    LAY_LOW,
    LEVERAGE,
    LIFT,
    MASTERMIND,
    PRICE,
    RADAR,
    SPARE,
    SPECIALIST,
    SPITE,
    STREET,
    TWENTY_FOUR,
    Sight,
    chance,
    expected,
    gainers,
    gains_heat,
    heat_to_come,
    heavies,
    may_hold,
    most_of_a_letter,
    nobody,
    somebody_gains_much,
)
from gameapi.jit import kernel as compiled
from heatsim.hidden import public_hand
from heatsim.layout import COVER, NOTHING, WORD
from heatsim.phase_a import BACKUP_DRAWS, sole_poorest
from heatsim.phase_b import COVER_PAY, SHORTAGE_COST
from heatsim.phase_c import heat_value
from heatsim.piles import ONE, pass_target
from heatsim.stage import follow

# what a card adds to a hand over a heist, in dollars with a token at $2: a regression of what hands brought, half of it
# above what the others' hands brought, in games that only this agent plays; mean of 3 to 5 players
GENERAL = np.array(
    [1.3, 2.7, 1.2, 1.4, 1.2, 1.9, 1.9, 0.8, 1.5, 1.5, 3.2, 1.6, 2.1, 2.2, 1.5, 1.8, 1.7, 0.9, 2.5, 1.8, 3.0, 2.1, 0.0]
)
TOKENS = np.zeros(len(GENERAL))  # the Heat in it
TOKENS[BANK], TOKENS[BREAK_IN] = 2.0, 1.0
PLAYED_BEFORE = 0.6  # chance that another card of the hand comes into the record before a card that counts letters
HOTTER = ONE << np.uint64(FRAME_UP) | ONE << np.uint64(FEDS)  # titles that make others' cards bring more Heat
AFTER_REVEAL = 0.3  # dollars that it is worth to choose when the cards of the others are known
UNKNOWN = 1.7  # what a card that is not known yet brings, the mean of GENERAL weighted by copies


@compiled()
def stages_left(state: Any, rules: Any) -> int:
    """Return the stages of the heist after this one."""
    return np.int64(rules.stages) - 1 - np.int64(state.stage)


@compiled()
def drawn(state: Any, rules: Any, me: Any, n: int) -> float:
    """Return the worth of drawing n cards this stage: nothing after a heist's last stage, or without a deck (HT8)."""
    if stages_left(state, rules) == 0 or state.drawn + n > rules.n_cards:
        return 0.0
    return n * me.parameter[CARD]


@compiled()
def is_spare(state: Any, rules: Any, besides: int) -> bool:
    """Tell whether a hand has more cards than stages to come, after this stage's own card and so many besides."""
    seat = np.int64(state.actor)
    still_to_choose = 1 if state.phase != WORD and state.phase != COVER else 0
    return state.hand_size[seat] - still_to_choose - besides >= stages_left(state, rules)


@compiled()
def lost(state: Any, rules: Any, me: Any, besides: int) -> float:
    """Return what is lost by parting with one card more than a stage takes."""
    return 0.0 if is_spare(state, rules, besides) else me.parameter[SPARE]


@compiled()
def cost(state: Any, rules: Any, work: Any, me: Any, sight: Sight, tokens: float) -> float:
    """Return what a B card that brings so many tokens costs, with Frame Ups and Feds that there are signs of (HT10).

    Where it leaves the board short of tokens, whoever has Heat returns some and pays (HT11).
    """
    seat, gain = np.int64(state.actor), tokens
    if state.ignores[seat]:
        return 0.0
    if sight.told or sight.passed & HOTTER:
        gain += expected(state, rules, work, me, sight, FRAME_UP)
        gain += min(1.0, gain) * expected(state, rules, work, me, sight, FEDS)
    if gain > sight.free and state.heat[seat] > 0:
        return sight.price * (gain - 1.0) + SHORTAGE_COST
    return sight.price * gain


@compiled()
def worth_b(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int, word: Any) -> float:
    """Return the worth of a B card; `word` has the letters of the record with it."""
    seat = np.int64(state.actor)
    if title == BANK:
        return 5.0 * nobody(state, rules, work, me, sight, BANK) - cost(state, rules, work, me, sight, 2.0)
    if title == BREAK_IN:
        return 3.0 - cost(state, rules, work, me, sight, 1.0)
    if title == LIFT:
        return 2.0 - cost(state, rules, work, me, sight, 0.0)
    if title == SPECIALIST:
        return float(most_of_a_letter(word)) - cost(state, rules, work, me, sight, 0.0)
    if title == COVER_STORY:
        pay = max(0.0, COVER_PAY - lost(state, rules, me, 1)) if state.hand_size[seat] > 1 else 0.0
        return pay - cost(state, rules, work, me, sight, 0.0)
    own = np.int64(word >> TWENTY_FOUR) - np.int64(state.letters[seat] >> TWENTY_FOUR)
    total = heavies(state, rules, work) + own + expected(state, rules, work, me, sight, HEAVY)
    return 2.0 * float(word >> EIGHT & BYTE) - cost(state, rules, work, me, sight, total)


@compiled()
def stays_ahead(state: Any, rules: Any, work: Any, me: Any, sight: Sight) -> float:
    """Return the chance that a seat has strictly the most Heat after phase B, as a Diversion wants it."""
    seat = np.int64(state.actor)
    ahead = 1.0
    for other in range(rules.players):
        if other == seat:
            continue
        lead = np.int64(state.heat[seat]) - np.int64(state.heat[other])
        if lead <= 0:
            return 0.0
        if lead == 1:
            ahead *= 1.0 - gains_heat(state, rules, work, me, sight, other)
        elif lead == 2 and not state.ignores[other]:
            ahead *= 1.0 - chance(state, rules, work, me, sight, other, BANK)
    return ahead


@compiled()
def worth_c(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int) -> float:
    """Return the worth of a C card, by expected numbers."""
    seat = np.int64(state.actor)
    if title == DIVERSION:
        return 1.0 + 3.0 * stays_ahead(state, rules, work, me, sight)
    if title == RADAR:
        return 1.0 if state.heat[seat] > 0 else 3.0
    if title == CRACKDOWN:
        return float(heat_value(state, rules))
    if title == LEVERAGE:
        return heat_to_come(state, rules, work, me, sight)
    if title == FENCE:
        return 1.0 + 3.0 * somebody_gains_much(state, rules, work, me, sight)
    with_heat, others = others_with_heat(state, rules, seat), rules.players - 1
    fresh = float(others - with_heat) / others
    own = 1.0 if state.heat[seat] > 0 else 0.0
    return own + with_heat + fresh * gainers(state, rules, work, me, sight)


@compiled()
def others_with_heat(state: Any, rules: Any, seat: int) -> int:
    """Return how many other seats have Heat."""
    n = 0
    for other in range(rules.players):
        n += other != seat and state.heat[other] > 0
    return n


@compiled()
def harm(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int) -> float:
    """Return the worth of the Heat that a Frame Up or The Feds brings others."""
    tokens = gainers(state, rules, work, me, sight)
    if title == FRAME_UP:
        for quiet in (COVER_STORY, LIFT, SPECIALIST):
            tokens += expected(state, rules, work, me, sight, quiet)
    return me.parameter[SPITE] * sight.price * tokens


@compiled()
def shelter(state: Any, rules: Any, work: Any, sight: Sight) -> float:
    """Return what ignoring all Heat gain of the next stage is worth: that of the hand's hottest card."""
    seat = np.int64(state.actor)
    last = stages_left(state, rules) == 0 and state.heist + 1 == rules.heists
    if last or (stages_left(state, rules) == 0 and not rules.feds_carry_over):
        return 0.0
    if stages_left(state, rules) == 0:
        return 0.5 * sight.price  # the hand is not known yet: half a token
    hand = state.hand[seat]
    if hand >> np.uint64(BANK) & ONE:
        return 2.0 * sight.price
    if hand >> np.uint64(HEAVY) & ONE:
        return (1.0 + heavies(state, rules, work)) * sight.price
    return sight.price if hand >> np.uint64(BREAK_IN) & ONE else 0.0


@compiled()
def has_most(state: Any, rules: Any, more: int) -> bool:
    """Tell whether the hand is the largest after this stage's cards, with so many more (HT12)."""
    seat = np.int64(state.actor)
    still_to_choose = 1 if state.phase != WORD else 0
    own = state.hand_size[seat] - still_to_choose + more
    for other in range(rules.players):
        theirs = max(0, public_hand(state, other) - still_to_choose)
        if other != seat and (theirs > own or (theirs == own and not rules.mastermind_tie)):
            return False
    return True


@compiled()
def worth_a(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int) -> float:
    """Return the worth of an A card that does not switch, or of a two-phase card."""
    seat = np.int64(state.actor)
    heat = float(state.heat[seat])
    back = min(1.0, heat) * sight.price
    if title == FRAME_UP:
        return back + harm(state, rules, work, me, sight, FRAME_UP)
    if title == INFORMANT:
        return 3.0 if sole_poorest(state, rules) == seat else drawn(state, rules, me, 1)
    if title == LAY_LOW:
        if heat == 0.0:
            return 0.0
        alone = nobody(state, rules, work, me, sight, LAY_LOW)
        return back * alone + min(3.0, heat) * sight.price * (1.0 - alone)
    if title == FEDS:
        return harm(state, rules, work, me, sight, FEDS) + shelter(state, rules, work, sight)
    if title == MASTERMIND:
        more = 2 if state.drawn + 2 <= rules.n_cards else 0
        return drawn(state, rules, me, 2) + (2.0 if has_most(state, rules, more) else 0.0)
    givers = 0.0
    for giving in (FRAME_UP, LAY_LOW, INTERROGATION):
        givers += expected(state, rules, work, me, sight, giving)
    share = float(others_with_heat(state, rules, seat)) / (rules.players - 1)
    return back + min(1.0, heat) + share * givers


@compiled()
def worth_plain(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int, word: Any) -> float:
    """Return the worth this stage of a card that brings no other; of one that does, what is drawn or usual."""
    if BANK <= title <= SPECIALIST:
        return worth_b(state, rules, work, me, sight, title, word)
    if DIVERSION <= title <= CRACKDOWN:
        return worth_c(state, rules, work, me, sight, title)
    if title == BACKUP:
        if state.drawn + BACKUP_DRAWS > rules.n_cards:
            return 0.0
        return UNKNOWN + drawn(state, rules, me, 2)
    if title in (COPYCAT, CIRCLE, STREET):
        return GENERAL[title]
    return worth_a(state, rules, work, me, sight, title)


@compiled()
def worth_copy(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int, word: Any) -> float:
    """Return the worth of a copy of a title: nobody is alone with it, neither at the bank nor lying low."""
    seat = np.int64(state.actor)
    if title == BANK:
        return -cost(state, rules, work, me, sight, 2.0)
    if title == LAY_LOW:
        return min(3.0, float(state.heat[seat])) * sight.price
    if title == COPYCAT:
        return 0.0
    copied = word + rules.letters[title] - rules.letters[COPYCAT]
    return worth_plain(state, rules, work, me, sight, title, copied)


@compiled()
def worth_copycat(state: Any, rules: Any, work: Any, me: Any, sight: Sight, word: Any) -> float:
    """Return the worth of a Copycat Crime: of what the pass target shows, announced, or surely holds."""
    seat = np.int64(state.actor)
    if state.phase == WORD:
        return worth_copy(state, rules, work, me, sight, follow(state, rules, seat), word)
    total, known, target = 0.0, 0.0, pass_target(state, rules, seat)
    sure = np.int64(state.sure[seat])
    said = np.int64(state.announced[target]) if sight.told else np.int64(NOTHING)
    for title in (said, sure):
        if 0 <= title < NOTHING and (title == sure or may_hold(state, rules, work, target, title)):
            if title == said and title == sure and known > 0.0:
                continue
            likely = min(1.0 - known, chance(state, rules, work, me, sight, target, title))
            total += likely * worth_copy(state, rules, work, me, sight, title, word)
            known += likely
    return total + (1.0 - known) * GENERAL[COPYCAT]


@compiled()
def worth_circle(state: Any, rules: Any, work: Any, me: Any, sight: Sight, word: Any) -> float:
    """Return the worth of a Circle Back: of the card before it in the record."""
    seat = np.int64(state.actor)
    size = np.int64(state.record_size[seat])
    before = size - 1
    if before >= 0 and state.phase == WORD and state.record[seat, before] == CIRCLE:
        before -= 1
    if before < 0:
        return 0.0
    title = np.int64(state.record[seat, before])
    if title == COPYCAT:
        return worth_copycat(state, rules, work, me, sight, word)
    if title == CIRCLE:
        return 0.0
    return worth_plain(state, rules, work, me, sight, title, word)


@compiled()
def worth(state: Any, rules: Any, work: Any, me: Any, sight: Sight, title: int, record: Any) -> float:
    """Return the worth of a card this stage, in dollars; `record` has the letters of the seat's record.

    A Word on the Street is worth what the best other card is, see `worth_street`.
    """
    word = record + rules.letters[title]
    if title == COPYCAT:
        return worth_copycat(state, rules, work, me, sight, word)
    if title == CIRCLE:
        return worth_circle(state, rules, work, me, sight, word)
    return worth_plain(state, rules, work, me, sight, title, word)


@compiled()
def worth_street(state: Any, rules: Any, me: Any, best: float) -> float:
    """Return the worth of a Word on the Street, from that of the hand's best other card, which it plays as well."""
    if state.hand_size[state.actor] < 2:
        return 0.0
    return best + AFTER_REVEAL - lost(state, rules, me, 1)


@compiled()
def in_general(rules: Any, me: Any, title: int, price: float, record: Any, hand: Any) -> float:
    """Return the worth of a card that is kept for a later stage, from the letters of the record and of the hand."""
    if title == HEAVY:
        others = float(record >> EIGHT & BYTE) + PLAYED_BEFORE * (float(hand >> EIGHT & BYTE) - 1.0)
        return 2.0 + 2.0 * others - price
    if title == SPECIALIST:
        return 1.0 + PLAYED_BEFORE * float(most_of_a_letter(record + hand) - 1)
    return GENERAL[title] + TOKENS[title] * (me.parameter[PRICE] - price)
