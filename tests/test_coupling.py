"""Coupled deals: every deck shuffled uniformly by itself, and two decks alike in what they share."""

import numpy as np
import pytest
from scipy import stats

from gameapi.coupling import names_of
from gameapi.rng import DEAL, run_key, stream
from heatsim.game import GAME as HEAT
from hotsim.game import GAME as HOT

DEALS = 4000
RARE = 1e-6


def dealt(game, deck, players, deals, rules=None):
    """Give the deck's order in each deal, as names of cards, and the state."""
    record = game.record(rules or game.load_rules(), deck, players)[0]
    record.coupled = 1
    state = np.zeros(1, game.layout.STATE).view(np.recarray)[0]
    work = np.zeros(1, game.layout.WORK).view(np.recarray)[0]
    for deal in range(deals):
        work.stream = stream(run_key(1, players), np.uint64(deal), DEAL)
        game.call("deal")(state, record, work)
        yield state, record


def hot_orders(deck, deals, rules=None):
    faces = deck.faces
    for state, record in dealt(HOT, deck, 4, deals, rules):
        yield [faces[face] for face in state.cards[: record.n_cards]]


def test_names_do_not_depend_on_the_deck_around_them():
    few, many = names_of(["a", "b", "b"]), names_of(["b", "a", "c", "b"])
    assert few.tolist() == [many[1], many[0], many[3]]
    assert len(set(many.tolist())) == 4


@pytest.mark.parametrize("game", [HOT, HEAT], ids=["hotsim", "heatsim"])
def test_every_card_comes_first_equally_often(game):
    deck = game.load_deck()
    record = game.record(game.load_rules(), deck, 4)[0]
    first = np.zeros(64)
    for state, _ in dealt(game, deck, 4, DEALS):
        pile = state.cards if game is HOT else state.deck
        first[pile[0]] += 1
    cards = np.bincount(record.cards[: record.n_cards], minlength=64)
    assert not first[cards == 0].any()
    expected = DEALS * cards / record.n_cards
    there = cards > 0
    missed = ((first - expected)[there] ** 2 / expected[there]).sum()
    assert stats.chi2.sf(missed, there.sum() - 1) > RARE


def test_first_and_last_place_are_independent():
    deck = HOT.load_deck()
    seen = np.zeros((2, 2))
    half = deck.faces[: len(deck.faces) // 2]
    for order in hot_orders(deck, DEALS):
        seen[int(order[0] in half), int(order[-1] in half)] += 1
    assert stats.chi2_contingency(seen).pvalue > RARE


def test_a_deck_without_a_card_keeps_the_order_of_the_others():
    base = HOT.load_deck()
    fewer = HOT.service("with_copies")(base, "heli", 0)
    heli = next(card for card in base.faces if card.kind == "heli")
    for order, other in zip(hot_orders(base, 20), hot_orders(fewer, 20), strict=True):
        assert [card for card in order if card != heli] == other


def test_another_trimming_leaves_hands_and_draw_pile_alone():
    deck = HOT.load_deck()
    whole, trimmed = HOT.load_rules(), HOT.load_rules().replace(return_fraction="3/4")
    assert list(hot_orders(deck, 5, whole)) == list(hot_orders(deck, 5, trimmed))


def heat_decks(deck, deals):
    for state, record in dealt(HEAT, deck, 4, deals):
        yield state.deck[: record.n_cards].tolist()


def test_a_heat_deck_without_a_title_keeps_the_order_of_the_others():
    base = HEAT.load_deck()
    fewer = HEAT.service("with_copies")(base, "Heavy", 0)
    from heatsim.cards import TITLES

    heavy = TITLES.index("Heavy")
    for order, other in zip(heat_decks(base, 20), heat_decks(fewer, 20), strict=True):
        assert [title for title in order if title != heavy] == other


def test_a_coupled_heist_is_dealt_from_the_deck_as_it_lies():
    for state, _ in dealt(HEAT, HEAT.load_deck(), 4, 20):
        hands = [state.count[seat, title] for seat in range(4) for title in range(22)]
        assert sum(hands) == state.drawn == 8
        for seat in range(4):
            first, second = state.deck[2 * seat], state.deck[2 * seat + 1]
            assert state.count[seat, first] >= 1
            assert state.count[seat, second] >= 1
