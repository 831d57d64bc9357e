"""What must hold in any game of Hot Heads: decks, rules, numbers of players and play are drawn by hypothesis."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from anygame import finish
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gameapi.errors import IllegalError
from gameapi.rng import DEAL, run_key, stream
from hotsim import actions, cards, rules, trace
from hotsim.actions import Action
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.game import GAME
from hotsim.layout import COLUMN_PLACES, MAX_CARDS
from hotsim.reference import Reference
from hotsim.rules import PLAYERS, Rules
from hotsim.table import Table
from hotsim.view import unseen_faces

few = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

typed_cards = st.builds(
    lambda card_type, value: Card("balloon" if value > 0 else "ballast", card_type, value),
    st.integers(1, 4),
    st.integers(1, cards.MAX_VALUE) | st.integers(-cards.MAX_VALUE, -1) | st.integers(-3, 3).filter(bool),
)
wild_cards = typed_cards.map(lambda card: card._replace(type=0))
any_card = typed_cards | typed_cards | wild_cards | st.sampled_from([cards.HELI, cards.SABOTAGE])


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """Draw a deck that a simulator's column can hold, filled up with helicopters and sabotage."""
    copies: Counter[Card] = Counter()
    for card in draw(st.lists(any_card, min_size=3, max_size=24, unique=True)):
        room = COLUMN_PLACES - 2 - tallest(copies) if card.value else 30
        copies[card] += draw(st.integers(min(1, room), min(room, 12)))
    fill = draw(st.integers(60, 110)) - copies.total()
    for card in (cards.SABOTAGE, cards.HELI):
        copies[card] += max(1, min(fill // 2, MAX_CARDS - 2 - copies.total()))
    return Deck("drawn", "own", "", copies)


def tallest(copies: Counter[Card]) -> int:
    """Give how many cards can lie in one column at most."""
    by_type = [sum(n for card, n in copies.items() if card.value and card.type == t) for t in range(5)]
    return by_type[0] + max(by_type[1:])


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, Rules, Deck]:
    """Draw a number of players, and rules and a deck that they can play with."""
    players, the_deck = draw(st.sampled_from(PLAYERS)), draw(decks())
    most = (the_deck.size - 16) // players
    storms = draw(st.integers(1, max(k for k in range(1, 6) if k * (k + 1) // 2 <= most)))
    the_rules = Rules().replace(
        storms=storms,
        combined_stacks=draw(st.integers(0, storms)),
        hand_size=draw(st.integers(storms * (storms + 1) // 2, min(most, 20))),
        return_fraction=draw(st.fractions(0, 1, max_denominator=7)),
        helicopter_points=draw(st.integers(-4, 5)),
        helicopter_is_top=draw(st.booleans()),
        absent_column_is_zero=draw(st.booleans()),
        dummy=draw(st.booleans()),
        return_rounded_up=draw(st.booleans()),
    )
    rules.check(the_rules, the_deck, players)
    return players, the_rules, the_deck


@st.composite
def games(draw: st.DrawFn) -> tuple[Table, random.Random]:
    """Draw a dealt game, and a chooser for its play that likes wilds, helicopters and sabotage more or less."""
    players, the_rules, the_deck = draw(tables())
    seed = draw(st.integers(0, 2**32))
    return Table(players, the_rules, the_deck, seed=seed, number=draw(st.integers(0, 10**6))), random.Random(seed)


def choose(game: Table, rng: random.Random) -> Action:
    legal = game.legal()
    special = [action for action in legal if action.card and not cards.is_typed(action.card)]
    return rng.choice(special if special and rng.random() < 0.3 else legal)


def record_of(game: Table) -> Any:
    return GAME.record(game.rules, game.deck, game.players)[0]


def whereabouts(game: Table) -> Counter[Card]:
    """Count every card of the game, wherever it lies."""
    faces = game.deck.faces
    found = Counter(faces[int(face)] for face in unseen_faces(game.state, record_of(game)))
    found.update(game.discards)
    for seat, hand in enumerate(game.hands):
        found.update(hand)
        found.update(faces[int(face)] for face in game.state.picks[seat, : int(game.state.n_picked[seat])])
    for column in (column for row in game.columns for column in row if column):
        found.update([*column.cards, *[cards.HELI] * column.helicopters])
    return found


def longest(game: Table) -> int:
    counts = rules.counts(game.rules, game.deck, game.players)
    return counts.draw_pile + game.players * game.rules.storms * (game.rules.storms + 1) // 2


# A game


@few
@given(games())
def test_cards_are_conserved_at_every_ply_and_games_end(drawn: tuple[Table, random.Random]) -> None:
    game, rng = drawn
    plies = 0
    while game.actor >= 0:
        assert whereabouts(game) == Counter(game.deck.copies)
        game.step(choose(game, rng))
        plies += 1
        assert plies <= longest(game)
    assert whereabouts(game) == Counter(game.deck.copies)
    assert game.storms == game.rules.storms
    assert sum(game.returns()) == 1


@few
@given(games())
def test_columns_keep_their_form(drawn: tuple[Table, random.Random]) -> None:
    game, rng = drawn
    while game.actor >= 0:
        game.step(choose(game, rng))
        for row in game.columns:
            for card_type, column in enumerate(row, start=1):
                if column:
                    assert any(cards.is_typed(card) for card in column.cards)
                    assert {card.type for card in column.cards} <= {0, card_type}
                    assert column.altitude == sum(card.value for card in column.cards)
        for event in game.events[-3:]:
            assert "discarded" not in event or event["discarded"]


@few
@given(games())
def test_setup_to_state_to_setup(drawn: tuple[Table, random.Random]) -> None:
    game, rng = drawn
    again = Table(game.players, game.rules, game.deck, setup=game.setup)
    assert again.setup == game.setup
    plain = Reference(game.rules, game.players, game.setup)
    while game.actor >= 0:
        assert again.legal() == game.legal() == plain.legal()
        action = choose(game, rng)
        for engine in (game, again, plain):
            engine.step(action)
    assert again.events == game.events == plain.events
    assert again.result() == game.result() == plain.result()


@few
@given(games())
def test_recorded_games_replay_without_a_fault(drawn: tuple[Table, random.Random]) -> None:
    game, rng = drawn
    while game.actor >= 0:
        game.step(choose(game, rng))
    written = trace.record(game, game.deck, ["a"] * game.players, 1)
    checked = trace.check(written)
    assert checked.faults == []
    assert checked.trace == written | {"rules": written["rules"]}
    assert trace.check_line(trace.to_line(written), "here").faults == []


@few
@given(games(), st.integers(0, 2**70))
def test_the_game_of_action_ids_replays(drawn: tuple[Table, random.Random], seed: int) -> None:
    game, rng = drawn
    own = Table(game.players, game.rules, game.deck, seed=seed, number=5)
    again = Table(game.players, game.rules, game.deck, seed=seed, number=5)
    while own.actor >= 0:
        action = choose(own, rng)
        again.step(again.read_action(actions.encode(action, own.deck.faces)))
        own.step(action)
    written = again.trace(["a"] * game.players, seed)
    assert written == trace.record(own, own.deck, ["a"] * game.players, seed)
    assert trace.check(written).faults == []


# Actions


@few
@given(games(), st.data())
def test_legal_is_what_is_accepted(drawn: tuple[Table, random.Random], data: st.DataObject) -> None:
    game, rng = drawn
    plain = Reference(game.rules, game.players, game.setup)
    for _ in range(data.draw(st.integers(0, 25))):
        if game.actor >= 0:
            action = choose(game, rng)
            game.step(action)
            plain.step(action)
    for mutant in data.draw(st.lists(mutants(game), max_size=12)):
        accepted = mutant in game.legal()
        for engine in (game, plain):
            before = engine.knowledge(0), [sorted(hand) for hand in engine.hands], list(engine.events)
            if accepted:
                assert mutant in engine.legal()
                continue
            with pytest.raises(IllegalError, match=r"\w"):
                engine.step(mutant)
            assert before == (engine.knowledge(0), [sorted(hand) for hand in engine.hands], list(engine.events))
    for action in game.legal():
        plain.copy().step(action)


def mutants(game: Table) -> st.SearchStrategy[Action]:
    """Draw actions, most of them a legal one with one or two fields changed."""
    held = [*game.deck.faces, None, Card("balloon", 1, 98), Card("heli", 2, 0)]
    changes = st.fixed_dictionaries(
        {},
        optional={
            "kind": st.sampled_from([actions.PLAY, actions.SABOTAGE, actions.PASS, actions.PICK]),
            "card": st.sampled_from(held),
            "to": st.sampled_from([None, -1, 0, 1, 2, 3, 4, 5, 6]),
            "column": st.sampled_from([None, 0, 1, 2, 3, 4, 5]),
            "end": st.sampled_from([None, actions.TOP, actions.BOTTOM, "middle"]),
        },
    )
    some = st.sampled_from(game.legal() or [Action(actions.PASS)])
    return st.builds(lambda action, change: action._replace(**change), some, changes)


@few
@given(games(), st.integers(0, 40))
def test_action_ids_round_trip(drawn: tuple[Table, random.Random], plies: int) -> None:
    game, rng = drawn
    faces = game.deck.faces
    for _ in range(plies):
        if game.actor >= 0:
            ids = [actions.encode(action, faces) for action in game.legal()]
            assert len(set(ids)) == len(ids)
            assert all(0 <= number < GAME.n_actions for number in ids)
            assert [actions.decode(number, faces) for number in ids] == game.legal()
            game.step(choose(game, rng))


@few
@given(decks(), st.integers(-5, GAME.n_actions + 5))
def test_every_id_says_something_or_is_refused(the_deck: Deck, number: int) -> None:
    try:
        action = actions.decode(number, the_deck.faces)
    except ValueError:
        return
    assert actions.decode(actions.encode(action, the_deck.faces), the_deck.faces) == action


# Copies and worlds


@few
@given(games())
def test_copies_are_independent(drawn: tuple[Table, random.Random]) -> None:
    game, rng = drawn
    kept: list[tuple[Any, bytes]] = []
    copy = GAME.call("copy")
    while game.actor >= 0:
        made = np.zeros(1, GAME.layout.STATE).view(np.recarray)[0]
        copy(made, game.state)
        kept.append((made, game.state.tobytes()))
        game.step(choose(game, rng))
    assert all(made.tobytes() == content for made, content in kept)


@few
@given(games(), st.integers(0, 60), st.integers(0, 2**32))
def test_worlds_keep_what_the_seat_knows(drawn: tuple[Table, random.Random], plies: int, start: int) -> None:
    game, rng = drawn
    for _ in range(plies):
        if game.actor >= 0 and len(game.legal()):
            action = choose(game, rng)
            if game.storms < game.rules.storms or game.phase == "pick":
                game.step(action)
    if game.actor < 0:
        return
    work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
    work.stream = stream(run_key(start, game.players), np.uint64(0), DEAL)
    for seat in range(game.players):
        known, legal, discards = game.knowledge(seat), game.legal(), list(game.discards)
        other = Table(game.players, game.rules, game.deck, setup=game.setup)
        GAME.call("copy")(other.state, game.state)
        GAME.call("determinize")(other.state, record_of(game), seat, work)
        other.discards = discards
        assert other.knowledge(seat) == known
        assert seat != game.actor or other.legal() == legal
        assert other.columns == game.columns
        assert [len(hand) for hand in other.hands] == [len(hand) for hand in game.hands]
        assert other.state.n_picked.tolist() == game.state.n_picked.tolist()
        assert other.state.storm_at[: game.storms].tolist() == game.state.storm_at[: game.storms].tolist()
        assert whereabouts(other) == Counter(game.deck.copies)
        storms = other.state.storm_at[: game.rules.storms].tolist()
        assert storms == sorted(storms)
        assert all(at >= int(other.state.drawn) for at in storms[game.storms :])


@few
@given(tables())
def test_traces_are_read_from_files_too(
    drawn: tuple[int, Rules, Deck],
) -> None:
    players, the_rules, the_deck = drawn
    game = finish(Table(players, the_rules, the_deck), random.Random(1))
    checked = trace.check_line(trace.to_line(trace.record(game, the_deck)), "line 1")
    assert checked.exit_code == 0
    assert trace.to_line(checked.trace or {}) == trace.to_line(trace.record(game, the_deck))
