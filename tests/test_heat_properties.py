"""What must hold in any game of Heat: decks, rules, numbers of players and play are drawn by hypothesis."""

import random
from collections import Counter
from typing import Any

import heat_subjects
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gameapi.errors import IllegalError
from gameapi.rng import DEAL, run_key, stream
from heatsim import cards, rules, trace
from heatsim.actions import ANNOUNCE, COVER, PASS, REVEAL, WORD, Action
from heatsim.cards import TITLES
from heatsim.deck import Card, Deck
from heatsim.game import GAME
from heatsim.layout import MAX_CARDS
from heatsim.reference import Reference, Report
from heatsim.reference import deal as shuffle
from heatsim.rules import HAND_SIZE, PLAYERS, Row, Rules
from heatsim.table import Table

Drawn = tuple[Table, Reference, random.Random]
"""A game on both engines, and a source of random choices for its play."""

few = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def decks(draw: st.DrawFn, players: int) -> Deck:
    """Draw a deck of some titles in some copies, with enough cards for so many players, and some that stay away."""
    listed = draw(st.lists(st.sampled_from(TITLES), min_size=1, max_size=len(TITLES), unique=True))
    weights = draw(st.lists(st.integers(1, 6), min_size=len(listed), max_size=len(listed)))
    size = draw(st.integers(HAND_SIZE * players, 60))
    pool = [title for title, n in zip(listed, weights, strict=True) for _ in range(n)]
    held = [Card(pool[i % len(pool)], (players,)) for i in range(size)]
    away = st.sampled_from([(), (5 if players < 5 else 3,)])
    box = draw(st.lists(st.builds(Card, st.sampled_from(TITLES), away), max_size=5))
    return Deck("drawn", "own", "", tuple(held + box))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Row, ...]:
    """Draw a Heat board that the simulator holds."""
    values = sorted(draw(st.sets(st.integers(1, 20), min_size=1, max_size=6)))
    return tuple(Row(value, draw(st.integers(1, 6))) for value in values)


@st.composite
def games(draw: st.DrawFn) -> Drawn:
    """Draw a dealt game on both engines, and a source of random choices for its play."""
    players = draw(st.sampled_from(PLAYERS))
    the_rules = Rules(
        feds_carry_over=draw(st.booleans()),
        debt=draw(st.booleans()),
        mastermind_tie=draw(st.booleans()),
        announce=draw(st.booleans()),
        board=draw(boards() | st.just(Rules().board)),
        heists=draw(st.integers(1, 3)),
        stages=draw(st.integers(1, 7)),
    )
    the_deck = draw(decks(players))
    rules.check(the_rules, the_deck, players)
    rng = random.Random(draw(st.integers(0, 2**32)))
    setup = shuffle(the_rules, the_deck, players, rng)
    return Table(players, the_rules, the_deck, setup=setup), Reference(the_rules, players, setup), rng


def record_of(game: Table) -> Any:
    return GAME.record(game.rules, game.deck, game.players)[0]


def whereabouts(game: Table, record: Any) -> Counter[str]:
    """Count every card of the game, wherever it lies."""
    return +Counter(heat_subjects.cards_held(game.state, record))


def worst_empty_row(board: tuple[Row, ...], taken: int) -> int:
    """Work out the Heat value token by token: rows are emptied one after the other (HT13)."""
    places = [row.value for row in board for _ in range(row.slots)]
    left = places[taken:]
    return max((row.value for row in board if row.value not in left), default=0)


# A game


@few
@given(games())
def test_cards_are_conserved_and_hands_records_and_deck_have_their_sizes(drawn: Drawn) -> None:
    game, _, rng = drawn
    pack, record = Counter(game.deck.titles(game.players)), record_of(game)
    longest, plies = heat_subjects.longest(game.rules, game.deck, game.players), 0
    while game.actor >= 0:
        assert whereabouts(game, record) == pack
        seen = game.knowledge(0)
        if game.phase != PASS and seen["stage"] == 1 and not any(seen["records"]):
            assert seen["hand_sizes"] == [HAND_SIZE] * game.players
        assert seen["deck"] + sum(seen["hand_sizes"]) + sum(map(len, seen["records"])) == pack.total()
        assert [len(held) for held in game.hands] == game.state.hand_size[: game.players].tolist()
        game.step(rng.choice(game.legal()))
        plies += 1
        assert plies <= longest
    assert whereabouts(game, record) == pack
    assert sum(game.returns()) == (0 if game.state.arrested else pytest.approx(1))


@few
@given(games())
def test_heat_stays_on_the_board_and_its_value_is_that_of_the_worst_empty_row(drawn: Drawn) -> None:
    game, plain, rng = drawn
    while game.actor >= 0:
        assert min(game.heat) >= 0
        taken = sum(game.heat)
        assert taken <= game.rules.tokens
        value = worst_empty_row(game.rules.board, taken)
        assert game.result()["heat_value"] == value == plain.result()["heat_value"]
        assert game.result()["final"] == [
            money - value * heat for money, heat in zip(game.money, game.heat, strict=True)
        ]
        action = rng.choice(game.legal())
        game.step(action)
        plain.step(action)
    assert game.rules.debt is True or min(game.money) >= 0


PAYS: dict[str, dict[str, Any]] = {
    "A": {cards.INFORMANT: {0, 3}},
    "B": {
        cards.BANK_JOB: {0, 5},
        cards.BREAK_IN: {3},
        cards.COVER_STORY: {0, 3},
        cards.HEAVY: range(2, 2 * MAX_CARDS + 1, 2),
        cards.THE_LIFT: {2},
        cards.SPECIALIST: range(1, MAX_CARDS + 1),
    },
    "C": {
        cards.DIVERSION: {1, 4},
        cards.FENCE_THE_GOODS: {1, 4},
        cards.KANSAS_CITY_SHUFFLE: range(6),
        cards.LEVERAGE: range(121),
        cards.UNDER_THE_RADAR: {1, 3},
        cards.CRACKDOWN: range(21),
        cards.MASTERMIND: {0, 2},
        cards.INTERROGATION: range(6),
    },
}
"""What an active card may pay in each phase of a Stage (HT7, HT10, HT12); all others pay nothing."""


def stages_done(game: Table) -> int:
    """Count the Stages that have been resolved."""
    return int(game.state.heist) * game.rules.stages + int(game.state.stage) + (game.actor < 0)


def heat_wanted(report: Report, records: list[list[str]]) -> int:
    """Work out the Heat of all in phase B from the active titles and the records as they lie afterwards (HT10)."""
    active = report.active
    heavies = sum(laid[:-1].count(cards.HEAVY) for laid in records)  # a record's last card counts as what is active
    for laid, title in zip(records, active, strict=True):
        heavies += laid[-1:] == [cards.HEAVY] if title is None else title == cards.HEAVY
    own = {cards.BANK_JOB: 2, cards.BREAK_IN: 1, cards.HEAVY: heavies}
    total = 0
    for title, ignores in zip(active, report.ignoring, strict=True):
        if title is not None and not ignores:
            gain = own.get(title, 0) + active.count(cards.FRAME_UP) * ("B" in cards.letters(title))
            total += gain + (active.count(cards.THE_FEDS) if gain else 0)
    return total


@few
@given(games())
def test_money_comes_by_the_amounts_of_active_cards_and_goes_in_shortages_alone(drawn: Drawn) -> None:
    """The plain engine reports what was active; the kernel's money and Heat must be what that brings (HT7 to HT12)."""
    game, plain, rng = drawn
    done, money, heat, shortages = 0, game.money, game.heat, 0
    while game.actor >= 0:
        action = rng.choice(game.legal())
        game.step(action)
        plain.step(action)
        assert all(report.active == [None] * game.players for report in plain.reports[done + 1 :]), "nobody has a card"
        if stages_done(game) > done:
            report = plain.reports[done]
            shortages += report.shortages > 0
            arrested = plain.arrested and report is plain.reports[-1]
            check_stage(report, arrested, game, money, heat)
            done, money, heat = stages_done(game), game.money, game.heat
            assert int(game.state.shortages) == shortages
    assert done == len(plain.reports)
    assert bool(game.state.arrested) == plain.arrested


def check_stage(report: Report, arrested: bool, game: Table, money: list[int], heat: list[int]) -> None:
    """Hold the kernel's money and Heat after a Stage against the amounts that its active cards can bring."""
    pays = {"A": PAYS["A"], "B": {}, "C": {}} if arrested else PAYS
    kept = [held - back for held, back in zip(heat, report.returned, strict=True)]
    for seat, title in enumerate(report.active):
        for phase, paid in report.paid.items():
            assert paid[seat] in pays[phase].get(str(title), {0}), f"{title} pays {paid[seat]} in phase {phase}"
        pay = sum(paid[seat] for paid in report.paid.values())
        lost = min(report.shortages, kept[seat])
        change = game.money[seat] - money[seat]
        assert change == pay - 3 * lost or (not game.rules.debt and pay - 3 * lost < change <= pay)
        assert game.heat[seat] == kept[seat] - lost + report.gained_heat[seat]


@few
@given(games())
def test_arrest_and_shortage_come_only_where_the_heat_is_too_much(drawn: Drawn) -> None:
    """HT11: arrest for more Heat than the board has tokens, shortage for more than are left; both worked out anew."""
    game, plain, rng = drawn
    heat = game.heat
    while game.actor >= 0:
        action, done, shortages = rng.choice(plain.legal()), len(plain.reports), int(game.state.shortages)
        plain.step(action)
        game.step(action)
        if len(plain.reports) == done:
            continue
        report = plain.reports[done]
        records = plain.heists[report.heist - 1]["stages"][report.stage - 1]["after"]["records"]
        total = heat_wanted(report, records)
        left = game.rules.tokens - sum(heat) + sum(report.returned)
        assert bool(game.state.arrested) == (total > game.rules.tokens)
        assert int(game.state.shortages) - shortages == (left < total <= game.rules.tokens)
        heat = game.heat
    if game.state.arrested:
        assert game.result()["winners"] == []
        assert game.returns() == [0.0] * game.players


@few
@given(games())
def test_setup_to_state_to_setup_and_traces_replay(drawn: Drawn) -> None:
    game, plain, rng = drawn
    while game.actor >= 0:
        assert game.legal() == plain.legal()
        action = rng.choice(game.legal())
        game.step(action)
        plain.step(action)
    assert [heist["deck"] for heist in game.heists] == plain.setup.decks[: len(game.heists)]
    assert game.result() == plain.result()
    written = trace.record(game, game.deck, ["a"] * game.players, 1)
    checked = trace.check_line(trace.to_line(written), "here")
    assert checked.faults == []
    assert checked.trace is not None
    assert checked.trace["heists"] == plain.heists
    assert trace.check_line(trace.to_line(checked.trace), "here").trace == checked.trace


# Actions


@few
@given(games(), st.data())
def test_legal_is_what_is_accepted(drawn: Drawn, data: st.DataObject) -> None:
    game, plain, rng = drawn
    for _ in range(data.draw(st.integers(0, 40))):
        if game.actor >= 0:
            action = rng.choice(game.legal())
            game.step(action)
            plain.step(action)
    kinds = st.sampled_from([PASS, ANNOUNCE, REVEAL, WORD, COVER, "bribe"])
    titles = st.none() | st.sampled_from(TITLES) | st.just("Gold")
    some = st.builds(Action, kinds | st.just(game.phase), titles)
    for mutant in data.draw(st.lists(some, max_size=12)):
        for engine in (game, plain):
            if mutant in game.legal():
                assert mutant in engine.legal()
                continue
            before = [engine.knowledge(seat) for seat in range(game.players)], engine.result(), str(engine.heists)
            with pytest.raises(IllegalError, match=r"\w"):
                engine.step(mutant)
            after = [engine.knowledge(seat) for seat in range(game.players)], engine.result(), str(engine.heists)
            assert before == after
    for action in game.legal():
        number = game.view().action_id(action)
        assert game.read_action(number) == action
        assert 0 <= number < GAME.n_actions
        plain.copy().step(action)


# Worlds


@few
@given(games(), st.integers(0, 60), st.integers(0, 2**32))
def test_worlds_keep_what_the_seat_knows(drawn: Drawn, plies: int, start: int) -> None:
    game, _, rng = drawn
    for _ in range(plies):
        if game.actor >= 0:
            game.step(rng.choice(game.legal()))
    if game.actor < 0:
        return
    work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
    work.stream = stream(run_key(start, game.players), np.uint64(0), DEAL)
    record = record_of(game)
    for seat in range(game.players):
        other = Table(game.players, game.rules, game.deck)
        GAME.call("copy")(other.state, game.state)
        GAME.call("determinize")(other.state, record, seat, work)
        assert other.knowledge(seat) == game.knowledge(seat)
        assert seat != game.actor or other.legal() == game.legal()
        assert whereabouts(other, record) == Counter(game.deck.titles(game.players))
        sure = int(game.state.sure[seat])
        target = game.knowledge(seat)["target"]
        if sure >= 0:
            held = other.hands[target] + [TITLES[t] for t in [int(other.state.choice[target])] if t < len(TITLES)]
            assert TITLES[sure] in held
