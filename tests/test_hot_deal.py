"""The chance of Hot Heads is exactly that of HH2 and HH3: in both engines' deals and in determinized worlds.

Samples are repeatable; a sound deal fails one of these tests about once in a million.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from gameapi.rng import DEAL, run_key, stream
from hotsim import deck, reference, rules
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.game import GAME
from hotsim.rules import PLAYERS, Rules
from hotsim.table import Table

RARE = 1e-6
STORMS: dict[str, tuple[int, dict[str, Any]]] = {
    "two players": (2, {}),
    "three players, stacks of 9, 9, 9, 8": (3, {}),
    "four players": (4, {}),
    "five players": (5, {}),
    "nothing combined": (3, {"combined_stacks": 0}),
    "one combined with itself": (4, {"combined_stacks": 1, "storms": 3}),
    "three of four combined": (3, {"combined_stacks": 3, "return_fraction": "8/9"}),
    "all combined": (3, {"combined_stacks": 3, "storms": 3, "return_fraction": "9/10"}),
    "one storm": (2, {"combined_stacks": 0, "storms": 1}),
    "one storm, combined": (5, {"combined_stacks": 1, "storms": 1}),
    "more stacks than cards": (4, {"combined_stacks": 2, "return_fraction": "19/20"}),
    "storms alone": (3, {"combined_stacks": 2, "return_fraction": "1"}),
}
DISTINCT = deck.from_tokens(
    {f"{t}{sign}{v}": 1 for t in "1234" for sign, most in (("+", 9), ("-", 4)) for v in range(1, most + 1)}, "distinct"
)


def p_value(
    observed: Iterable[float], expected: Iterable[float], freedom: int | None = None, scale: float = 1
) -> float:
    """Give the chance of counts as far from the expected ones, by chi-square."""
    found, meant = np.array(list(observed), float).ravel(), np.array(list(expected), float).ravel()
    assert found.sum() == pytest.approx(meant.sum())
    assert not found[meant == 0].any()
    found, meant = found[meant > 0], meant[meant > 0]
    return float(stats.chi2.sf(((found - meant) ** 2 / meant).sum() * scale, freedom or max(len(found) - 1, 1)))


def kernel_deals(the_rules: Rules, the_deck: Deck, players: int, number: int) -> Iterator[Any]:
    """Give the state after each of some deals, one and the same record."""
    record = GAME.record(the_rules, the_deck, players)[0]
    state = np.zeros(1, GAME.layout.STATE).view(np.recarray)[0]
    work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
    deal, key = GAME.call("deal"), run_key(2, players)
    for i in range(number):
        work.stream = stream(key, np.uint64(i), DEAL)
        deal(state, record, work)
        yield state


def kernel_storms(the_rules: Rules, players: int, number: int) -> list[list[int]]:
    """Deal by the kernel and give the places of the storms in each draw pile."""
    found = [s.storm_at[: the_rules.storms].tolist() for s in kernel_deals(the_rules, deck.default(), players, number)]
    return [[cards_before + k for k, cards_before in enumerate(places)] for places in found]


def reference_storms(the_rules: Rules, players: int, number: int) -> list[list[int]]:
    """Deal by the reference engine and give the places of the storms in each draw pile."""
    rng = random.Random(3)
    piles = [reference.deal(the_rules, deck.default(), players, rng).draw_pile for _ in range(number)]
    return [[place for place, card in enumerate(pile) if card is None] for pile in piles]


def storm_places(the_rules: Rules, draw_pile: int) -> Iterator[tuple[int, ...]]:
    """List every way in which the storms can lie in the draw pile; HH3 makes all of them equally likely."""
    sizes = rules.stack_sizes(the_rules, draw_pile)
    upper = the_rules.storms - the_rules.combined_stacks
    starts = list(itertools.accumulate((size + 1 for size in sizes), initial=0))
    separate = [range(start, start + size + 1) for start, size in zip(starts, sizes[:upper], strict=False)]
    bottom = range(starts[upper], starts[-1])
    for above in itertools.product(*separate):
        for below in itertools.combinations(bottom, the_rules.combined_stacks):
            yield above + below


# Setup


@pytest.mark.parametrize(("players", "size"), [(2, 32), (3, 35), (4, 40), (5, 49)])
def test_hh02_sizes_of_draw_pile_and_hands(players: int, size: int) -> None:
    setup = Table(players).setup
    assert len([card for card in setup.draw_pile if card]) == size
    assert len(setup.draw_pile) == size + 4
    assert [len(hand) for hand in setup.hands] == [10] * players
    assert (setup.dummy and [len(pile) for pile in setup.dummy]) == ([4] * 4 if players == 2 else None)
    groups = [*setup.hands, *(setup.dummy or []), setup.returned, [card for card in setup.draw_pile if card]]
    assert Counter(card for group in groups for card in group) == Counter(deck.default().copies)


@pytest.mark.parametrize("case", STORMS)
@pytest.mark.parametrize("engine", [kernel_storms, reference_storms], ids=["kernel", "reference"])
def test_hh03_storms_lie_everywhere_alike(engine: Any, case: str) -> None:
    players, changes = STORMS[case]
    the_rules = Rules().replace(**changes)
    size = rules.counts(the_rules, deck.default(), players).draw_pile
    sizes, upper = rules.stack_sizes(the_rules, size), the_rules.storms - the_rules.combined_stacks
    places = engine(the_rules, players, 2400)
    start = 0
    for k in range(upper):
        counts = Counter(storms[k] for storms in places)
        allowed = range(start, start + sizes[k] + 1)
        assert set(counts) <= set(allowed), f"storm {k} lies outside of its stack"
        assert p_value([counts[at] for at in allowed], [len(places) / len(allowed)] * len(allowed)) > RARE
        start = allowed.stop
    subsets = list(itertools.combinations(range(start, size + the_rules.storms), the_rules.combined_stacks))
    found = Counter(tuple(storms[upper:]) for storms in places)
    assert set(found) <= set(subsets)
    assert p_value([found[subset] for subset in subsets], [len(places) / len(subsets)] * len(subsets)) > RARE


@pytest.mark.parametrize("engine", [kernel_storms, reference_storms], ids=["kernel", "reference"])
def test_hh03_stacks_are_independent(engine: Any) -> None:
    the_rules = Rules().replace(return_fraction="5/6", storms=3)
    size = rules.counts(the_rules, deck.default(), 4).draw_pile
    ways = list(storm_places(the_rules, size))
    assert size == 10
    assert len(ways) == 5 * 28
    found = Counter(tuple(storms) for storms in engine(the_rules, 4, 7000))
    assert set(found) <= set(ways)
    assert p_value([found[way] for way in ways], [7000 / len(ways)] * len(ways)) > RARE


def kernel_orders(number: int) -> npt.NDArray[np.int64]:
    """Deal a deck of different cards and give each order: dummy, hands, draw pile; -1 for what no game would see."""
    the_rules = Rules().replace(hand_size=6, storms=3)
    record = GAME.record(the_rules, DISTINCT, 2)[0]
    orders = np.full((number, DISTINCT.size), -1)
    for order, state in zip(orders, kernel_deals(the_rules, DISTINCT, 2, number), strict=True):
        seen = int(record.draw_start) + int(state.storm_at[2])
        order[:seen] = state.cards[:seen]
    return orders


def setup_order(setup: reference.Setup) -> list[int]:
    """Give the order of all cards of a setup, as numbers of their faces."""
    groups = [*(setup.dummy or []), *setup.hands, [card for card in setup.draw_pile if card], setup.returned]
    return [FACES[card] for group in groups for card in group if card]


FACES = {card: i for i, card in enumerate(DISTINCT.faces)}


def table_orders(number: int) -> npt.NDArray[np.int64]:
    """Deal whole tables on the kernel."""
    some = Rules().replace(hand_size=6, storms=3)
    return np.array([setup_order(Table(2, some, DISTINCT, number=i).setup) for i in range(number)])


def reference_orders(number: int) -> npt.NDArray[np.int64]:
    """Deal by the reference engine."""
    some, rng = Rules().replace(hand_size=6, storms=3), random.Random(5)
    return np.array([setup_order(reference.deal(some, DISTINCT, 2, rng)) for _ in range(number)])


@pytest.mark.parametrize(
    ("orders_of", "number"), [(kernel_orders, 4000), (table_orders, 600), (reference_orders, 2500)]
)
def test_hh02_every_card_lies_everywhere_alike(orders_of: Any, number: int) -> None:
    orders, size = orders_of(number), DISTINCT.size
    for order in orders[:50]:
        assert len(set(order[order >= 0])) == (order >= 0).sum(), "a card lies in two places"
    for place in range(size):
        dealt = orders[:, place][orders[:, place] >= 0]
        if len(dealt) > 5 * size:
            assert p_value(np.bincount(dealt, minlength=size), [len(dealt) / size] * size) > RARE
    for one, other in ((0, 1), (15, 16), (16, 27), (27, 28)):
        pairs = orders[:, one] * size + orders[:, other]
        apart = [a * size + b for a, b in itertools.permutations(range(size), 2)]
        assert p_value(np.bincount(pairs, minlength=size * size)[apart], [number / len(apart)] * len(apart)) > RARE


def test_deals_depend_on_seed_number_and_players_alone() -> None:
    def cards_of(seed: int, number: int, players: int = 3) -> reference.Setup:
        return Table(players, seed=seed, number=number).setup

    assert cards_of(1, 0) == cards_of(1, 0)
    different = [cards_of(seed, number) for seed in (1, 2, 2**64, 2**70 + 1, -1) for number in range(3)]
    assert all(one != other for one, other in itertools.combinations(different, 2))
    assert cards_of(1, 0, 4).hands[:3] != cards_of(1, 0, 3).hands


# Determinized worlds


def midgame(the_rules: Rules, the_deck: Deck, players: int, plies: int, number: int = 0) -> Table:
    """Play a few random plies."""
    game = Table(players, the_rules, the_deck, number=number)
    rng = random.Random(number)
    for _ in range(plies):
        game.step(rng.choice(game.legal()))
    return game


def worlds(game: Table, seat: int, number: int) -> Iterator[Any]:
    """Determinize a game's state again and again; one and the same record."""
    record = GAME.record(game.rules, game.deck, game.players)[0]
    world = np.zeros(1, GAME.layout.STATE).view(np.recarray)[0]
    work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
    work.stream = stream(run_key(4, game.players), np.uint64(0), DEAL)
    copy, determinize = GAME.call("copy"), GAME.call("determinize")
    for _ in range(number):
        copy(world, game.state)
        determinize(world, record, seat, work)
        yield world


POSTERIORS: dict[str, dict[str, Any]] = {
    "two of three combined": {"storms": 3, "hand_size": 6, "return_fraction": "8/9"},
    "all combined": {"storms": 3, "combined_stacks": 3, "hand_size": 6, "return_fraction": "9/10"},
    "nothing combined": {"storms": 3, "combined_stacks": 0, "hand_size": 6, "return_fraction": "6/7"},
    "four storms": {"storms": 4, "combined_stacks": 2, "return_fraction": "9/10"},
}


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("case", POSTERIORS)
def test_determinized_storms_follow_the_exact_posterior(case: str, players: int) -> None:
    the_rules = Rules().replace(**POSTERIORS[case])
    size = rules.counts(the_rules, deck.default(), players).draw_pile
    ways = list(storm_places(the_rules, size))
    looked_at = 0
    game = midgame(the_rules, deck.default(), players, 0, number=players)
    rng, before = random.Random(case), -1
    while game.actor >= 0:
        drawn = int(game.state.drawn) + game.storms
        if drawn != before:
            before = drawn
            storms = [at + k for k, at in enumerate(game.state.storm_at[: game.storms].tolist())]
            open_ways = [way for way in ways if [place for place in way if place < drawn] == storms]
            looked_at += check_posterior(game, open_ways)
        game.step(rng.choice(game.legal()))
    assert looked_at >= 4, "too few states in which the storms to come can lie in more than one way"


def check_posterior(game: Table, open_ways: Sequence[tuple[int, ...]]) -> bool:
    number = max(400, 10 * len(open_ways))
    seat, n = game.players - 1, game.rules.storms
    found = Counter(tuple(at + k for k, at in enumerate(w.storm_at[:n].tolist())) for w in worlds(game, seat, number))
    assert set(found) <= set(open_ways), "storms lie where the seat knows that they cannot"
    assert p_value([found[way] for way in open_ways], [number / len(open_ways)] * len(open_ways)) > RARE
    return len(open_ways) > 1


Place = tuple[str, int, int]
SOME = Rules().replace(hand_size=7, storms=3, return_fraction="1/5")
STAGES: dict[str, tuple[int, Callable[[Table], bool]]] = {
    "two, at the start": (2, lambda game: True),
    "two, amid the picks of the second storm": (2, lambda game: game.storms == 2 and picked(game) == [0, 1]),
    "two, between storms": (2, lambda game: game.storms == 1 and game.phase == "play"),
    "three, at the start": (3, lambda game: True),
    "three, amid the picks of the second storm": (3, lambda game: game.storms == 2 and picked(game) == [0, 1, 2]),
    "four, before the first storm": (4, lambda game: game.state.turns == 6),
    "four, amid the picks of the first storm": (4, lambda game: game.storms == 1 and picked(game) == [0, 0, 1, 1]),
    "five, between storms": (5, lambda game: game.storms == 2 and game.phase == "play"),
}


def picked(game: Table) -> list[int]:
    return sorted(int(n) for n in game.state.n_picked[: game.players])


def stage(name: str) -> tuple[Table, int]:
    """Play to a stage of the game and give the seat before the actor, which has picked where others are to pick."""
    players, reached = STAGES[name]
    for number in range(50):
        game, rng = Table(players, SOME, DISTINCT, number=number), random.Random(number)
        while game.actor >= 0:
            if reached(game):
                return game, (game.actor - 1) % players
            game.step(rng.choice(game.legal()))
    raise AssertionError(f"no game comes to {name!r}")


def count_places(game: Table, seat: int, number: int) -> dict[Place, tuple[int, npt.NDArray[np.int64]]]:
    """Give for each place of which a seat does not know the cards how many lie there, and how often each face does."""
    record, state = GAME.record(game.rules, game.deck, game.players)[0], game.state
    made = np.zeros(number, GAME.layout.STATE)
    for i, world in enumerate(worlds(game, seat, number)):
        made[i] = world
    found: dict[Place, tuple[int, npt.NDArray[np.int64]]] = {}
    others = [other for other in range(game.players) if other != seat]
    for other in others:
        held = made["count"][:, other, : DISTINCT.size].astype(np.int64)
        assert (held.sum(axis=1) == len(game.hands[other])).all()
        found["hand", other, 0] = len(game.hands[other]), held.sum(axis=0)
        for i in range(int(state.n_picked[other])):
            found["pick", other, i] = 1, np.bincount(made["picks"][:, other, i], minlength=DISTINCT.size)
    revealed = game.storms - (game.phase == "pick")
    for i in range(min(4 * revealed, int(record.dummy_cards)), int(record.dummy_cards)):
        found["dummy", i, 0] = 1, np.bincount(made["cards"][:, i], minlength=DISTINCT.size)
    for at in range(int(state.drawn), int(record.draw_size)):
        seen = made["storm_at"][:, game.rules.storms - 1] > at
        drawn = made["cards"][seen, int(record.draw_start) + at]
        found["pile", at, 0] = 1, np.bincount(drawn, minlength=DISTINCT.size)
    return found


@pytest.mark.parametrize("name", STAGES)
def test_determinized_cards_are_uniform_over_the_unknown_places(name: str) -> None:
    game, seat = stage(name)
    # What the seat knows, from the course of the game and its own hand alone:
    known = {FACES[card] for card in [*game.hands[seat], *game.discards, *own_picks(game, seat)]}
    known |= {FACES[card] for row in game.columns for column in row if column for card in column.cards}
    unknown = [face for face in range(DISTINCT.size) if face not in known]
    places, total = count_places(game, seat, 2500), len(unknown)
    for place, (n, found) in places.items():
        assert found.sum() == found[unknown].sum(), f"{place} holds a card that the seat knows to be elsewhere"
        if found.sum() >= 5 * total:
            # A hand is drawn without replacement, which makes its counts more even than single draws by this factor:
            scale = (total - 1) / (total - n)
            assert p_value(found[unknown], [found.sum() / total] * total, scale=scale) > RARE, place
    kinds = {kind for kind, *_ in places}
    assert kinds == {"hand", "pile"} | ({"pick"} if "amid" in name else set()) | (
        {"dummy"} if game.players == 2 else set()
    )


def own_picks(game: Table, seat: int) -> list[Card]:
    return [game.deck.faces[int(face)] for face in game.state.picks[seat, : int(game.state.n_picked[seat])]]


def test_determinized_cards_are_independent() -> None:
    game = midgame(SOME, DISTINCT, 4, 5)
    seat, number, start = game.actor, 6000, int(GAME.record(game.rules, DISTINCT, 4)[0].draw_start)
    at = start + int(game.state.drawn)
    found = Counter((int(world.cards[at]), int(world.cards[at + 1])) for world in worlds(game, seat, number))
    faces = {face for pair in found for face in pair}
    pairs = list(itertools.permutations(sorted(faces), 2))
    # The next two draws are seen unless the last storm lies before them, which cannot be so early.
    assert p_value([found[pair] for pair in pairs], [number / len(pairs)] * len(pairs)) > RARE


def test_determinized_cards_come_up_as_often_as_there_are_copies() -> None:
    game = midgame(Rules(), deck.default(), 3, 9)
    seat, number = game.actor, 5000
    at = int(GAME.record(game.rules, game.deck, 3)[0].draw_start) + int(game.state.drawn)
    left = Counter(deck.default().cards())
    left.subtract([*game.hands[seat], *game.discards, *(c for row in game.columns for k in row if k for c in k.cards)])
    left[reference.cards.HELI] -= sum(column.helicopters for row in game.columns for column in row if column)
    found = Counter(game.deck.faces[int(world.cards[at])] for world in worlds(game, seat, number))
    total = sum(left.values())
    assert p_value([found[card] for card in left], [number * n / total for n in left.values()]) > RARE


@pytest.mark.parametrize("players", PLAYERS)
def test_deal_hands_out_what_the_setup_says(players: int) -> None:
    game = Table(players, number=3)
    first = game.setup.draw_pile[0]
    for seat, hand in enumerate(game.hands):
        drawn = [first] if seat == 0 and first else []
        assert Counter(hand) == Counter([*game.setup.hands[seat], *drawn])
