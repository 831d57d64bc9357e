"""The records that Heat kernels work on: rules with deck, state, work.

All games of a run share one rules record; a game is one state record; a thread owns one work record. Counts are int16
or int64 and bit sets uint64, because numpy's narrow arithmetic wraps where the compiled code does not; uint8 fields are
only stored and loaded. A card is known by its title's number in `cards.TITLES`; copies are interchangeable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.coupling import names_of
from gameapi.errors import UserError
from gameapi.jit import pointer
from gameapi.kernel import MAX_SEATS, MAX_STATISTICS
from heatsim import cards, rules
from heatsim.deck import Deck
from heatsim.rules import Rules

N_TITLES = len(cards.TITLES)
NOTHING = N_TITLES  # action: stay silent, decline; as a card: none
MAX_LEGAL = N_TITLES + 2
LANES = 8  # of what every seat has: a fixed number, so that a loop over all is a vector operation; absent seats idle
MAX_CARDS = 64  # a place of a record is a bit of a word
MAX_HEISTS = 8
MAX_ROWS = 12  # of the Heat board
MAX_TOKENS = 120  # slots of the Heat board
MAX_RECORD = MAX_CARDS
ROUNDS = 3  # of a draft (HT2)

FREE, GIVEN, COUPLED = range(3)  # drawn card by card, that of `rules.given`, that of `gameapi.coupling`
PASS, ANNOUNCE, REVEAL, WORD, COVER, OVER = range(6)  # phases: what is chosen

# what a title's effect is worth by itself (HT7, HT10)
RETURNS = {cards.FRAME_UP: 1, cards.LAY_LOW: 1, cards.INTERROGATION: 1}
PAYS = {cards.BANK_JOB: 5, cards.BREAK_IN: 3, cards.THE_LIFT: 2}
GAINS = {cards.BANK_JOB: 2, cards.BREAK_IN: 1}

# letters of a title or record in one word, so that adding up is one addition
LETTER_A, LETTER_B, LETTER_C, HEAVY = (np.uint64(1 << shift) for shift in (0, 8, 16, 24))

RULES = np.dtype(
    [
        ("players", np.int64),  # 3..5
        ("heists", np.int64),
        ("stages", np.int64),
        ("feds_carry_over", np.int64),  # 0 or 1
        ("debt", np.int64),  # 0 or 1
        ("mastermind_tie", np.int64),  # 0 or 1
        ("announce", np.int64),  # 0 or 1
        ("tokens", np.int64),  # slots of the board
        ("heat_value", np.int64, (MAX_TOKENS + 1,)),  # by tokens taken (HT13)
        ("letters", np.uint64, (N_TITLES + 1,)),  # by title, 0 for NOTHING
        ("back", np.int16, (N_TITLES + 1,)),  # Heat that a title's A effect returns, a Lay Low alone (HT7)
        ("pay", np.int16, (N_TITLES + 1,)),  # dollars of a title's B effect, a Bank Job alone (HT10)
        ("gain", np.int16, (N_TITLES + 1,)),  # Heat of a title's B effect
        ("is_b", np.int16, (N_TITLES + 1,)),  # 1: has letter B
        ("n_cards", np.int64),
        ("copies", np.uint8, (N_TITLES + 2,)),  # of each title in the deck
        ("cards", np.uint8, (MAX_CARDS,)),  # the deck of this player count
        ("given", np.uint8, (MAX_HEISTS, MAX_CARDS)),  # each heist's order, where a state says that it is given
        ("coupled", np.int64),  # 1: decks are shuffled as `gameapi.coupling` has it
        ("names", np.uint64, (MAX_CARDS,)),  # what stands for each card there
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("chance", np.uint64),  # what the decks of all heists are drawn from
        ("stream", np.uint64),  # counter of this heist's deck
        ("hand", np.uint64, (LANES,)),  # distinct titles in hand
        ("used", np.uint64, (LANES,)),  # places of the record whose switching card is used (HT6)
        ("actor", np.int16),  # seat to act, -1 when the game is over
        ("phase", np.int16),
        ("heist", np.int16),  # from 0
        ("stage", np.int16),  # from 0
        ("draft_round", np.int16),  # of the draft, from 0
        ("drawn", np.int16),  # cards drawn from the deck
        ("given", np.int16),  # FREE, GIVEN or COUPLED: how the decks' order comes about
        ("arrested", np.int16),  # 1: the game ended by arrest (HT11)
        ("shortages", np.int16),  # stages with a shortage
        ("money", np.int32, (LANES,)),
        ("heat", np.int16, (LANES,)),
        ("hand_size", np.int16, (LANES,)),
        ("record_size", np.int16, (LANES,)),
        ("choice", np.int16, (LANES,)),  # hidden until all have chosen; NOTHING: none
        ("revealed", np.int16, (LANES,)),  # this stage
        ("announced", np.int16, (LANES,)),  # this stage
        ("sure", np.int16, (LANES,)),  # the title that the seat knows in its pass target's hand
        ("passed", np.int16, (ROUNDS, LANES)),  # this heist
        ("ignores", np.int16, (LANES,)),  # 1: ignores Heat gain this stage (The Feds)
        ("gained", np.int32, (LANES,)),  # money gained in phase A of this stage
        ("returned", np.int16, (LANES,)),  # 1: returned Heat by a card this stage (HT9)
        ("count", np.uint8, (MAX_SEATS, N_TITLES + 2)),  # copies of each title in hand
        ("deck", np.uint8, (MAX_CARDS,)),  # of this heist; drawn cards first
        ("record", np.uint8, (MAX_SEATS, MAX_RECORD)),
        ("letters", np.uint64, (MAX_SEATS,)),  # of all cards of the record, added up
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("stream", np.uint64),  # random stream of whoever draws
        ("n_legal", np.int64),
        ("rollouts", np.int64),  # of this decision
        ("score", np.int64, (MAX_SEATS,)),
        ("tiebreak", np.int64, (MAX_SEATS,)),  # less Heat is more (HT15)
        ("win", np.float64, (MAX_SEATS,)),
        ("statistic", np.int64, (MAX_STATISTICS, MAX_SEATS)),
        ("active", np.int16, (LANES,)),  # a stage's scratch: active titles
        ("present", np.uint64),  # titles that are active at one seat or more
        ("repeated", np.uint64),  # at two or more
        ("covered", np.uint64),  # seats that discarded for a Cover Story this stage
        ("paid_in_c", np.uint64),  # seats whose active title has a C effect
        ("letters", np.uint64, (LANES,)),  # of the records, an active copy counting as what it copies
        ("gain", np.int16, (LANES,)),  # Heat
        ("pay", np.int32, (LANES,)),
        ("total", np.float64, (MAX_LEGAL,)),
        ("legal", np.int16, (MAX_LEGAL,)),
        ("candidate", np.int16, (MAX_LEGAL,)),
        ("trial", STATE),
        ("world", STATE),
        ("playout", STATE),
    ],
    align=True,
)

StateType, RulesType, WorkType = pointer(STATE), pointer(RULES), pointer(WORK)


def letters_of(title: int) -> np.uint64:
    """Return the letters of a title as a word."""
    word = np.uint64(0)
    for letter, bit in (("A", LETTER_A), ("B", LETTER_B), ("C", LETTER_C)):
        if letter in cards.letters(cards.TITLES[title]):
            word += bit
    return word + (HEAVY if cards.TITLES[title] == cards.HEAVY else np.uint64(0))


def record(the_rules: Rules, deck: Deck, players: int) -> np.recarray[Any, Any]:
    """Return the kernel's record of rules and deck, an array of shape (1,) and dtype `RULES`.

    Raises:
        UserError: rules and deck cannot be played by so many, or are larger than the state record holds.
    """
    rules.check(the_rules, deck, players)
    pack = [cards.TITLES.index(title) for title in deck.titles(players)]
    tokens = sum(slots for _, slots in the_rules.board)
    for what, found, limit in (
        ("cards", len(pack), MAX_CARDS),
        ("heists", the_rules.heists, MAX_HEISTS),
        ("rows of the Heat board", len(the_rules.board), MAX_ROWS),
        ("slots of the Heat board", tokens, MAX_TOKENS),
    ):
        if found > limit:
            raise UserError(f"{found} {what}; the simulator holds at most {limit}")
    made = np.zeros(1, RULES).view(np.recarray)
    r = made[0]
    r.players, r.tokens, r.n_cards = players, tokens, len(pack)
    for field in ("heists", "stages", "feds_carry_over", "debt", "mastermind_tie", "announce"):
        r[field] = getattr(the_rules, field)
    taken = 0
    for value, slots in the_rules.board:  # a row counts from the moment that it is completely empty (HT13)
        taken += slots
        r.heat_value[taken:] = value
    r.letters[:N_TITLES] = [letters_of(title) for title in range(N_TITLES)]
    r.is_b[:N_TITLES] = ["B" in cards.letters(title) for title in cards.TITLES]
    for field, amounts in (("back", RETURNS), ("pay", PAYS), ("gain", GAINS)):
        r[field][:N_TITLES] = [amounts.get(title, 0) for title in cards.TITLES]
    r.cards[: len(pack)] = pack
    r.names[: len(pack)] = names_of(deck.titles(players))
    r.copies[:N_TITLES] = [pack.count(title) for title in range(N_TITLES)]
    return made
