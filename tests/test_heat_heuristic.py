"""What the heuristic of Heat is said to do: drafting, dodging, reckoning with what it knows, talking and listening."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from heat_engines import announce, begin, cover, reveal, watch

from agents import heat_guess
from agents.catalog import resolve
from experiments.match import Match
from heatsim import deck
from heatsim.cards import TITLES
from heatsim.game import GAME
from heatsim.layout import ANNOUNCE, NOTHING, REVEAL, WORK, record
from heatsim.reference import Setup
from heatsim.rules import Rules
from heatsim.table import Table

TALK = Rules().replace(announce=True)
PLAIN = "heuristic:noise=0"
CARELESS = "heuristic:noise=0:price=0:foresight=1"
"""Reckons that Heat costs next to nothing, so that only money and other people's cards count."""


def chosen(spec: str, state: Any, rules: Any, stream: int = 1) -> str | None:
    """Give the title that an agent chooses."""
    player, work = resolve(spec, GAME), np.zeros(1, WORK).view(np.recarray)[0]
    work.stream = stream
    assert player.kernel
    action = int(player.kernel(state, rules, work, player.record[0]))
    return None if action == NOTHING else TITLES[action]


def choice(spec: str, game: Any) -> str | None:
    """Give the title that an agent chooses for whoever is to act in a game of the ruling tests' kind."""
    table: Table = game.engine
    return chosen(spec, table.state, record(table.rules, table.deck, table.players)[0])


# The draft


def passed(*dealt: str, spec: str = PLAIN) -> str | None:
    """Give what seat 0 passes from the two cards that it is dealt."""
    order = [*dealt, *["The Lift"] * 20]
    return choice(spec, watch("kernel", Rules(), 3, Setup([order] * 3)))


@pytest.mark.parametrize("least", ["Leverage", "Word on the Street", "Lay Low"])
@pytest.mark.parametrize("most", ["Cover Story", "Mastermind", "Under the Radar"])
def test_it_passes_what_is_worth_least(least: str, most: str) -> None:
    assert passed(least, most) == passed(most, least) == least


def test_it_keeps_what_a_heavy_counts() -> None:
    assert passed("Break In", "Kansas City Shuffle") == "Break In"
    game = watch("kernel", Rules(), 3, Setup([["Heavy", "Break In", *["The Lift"] * 20]] * 3))
    state, rules = game.engine.state, record(game.engine.rules, game.engine.deck, 3)[0]
    kansas = TITLES.index("Kansas City Shuffle")
    state.hand[0] |= np.uint64(1 << kansas)
    state.count[0, kansas], state.hand_size[0] = 1, 3
    assert chosen(PLAIN, state, rules) != "Break In"


def test_heat_makes_it_pass_a_bank_job_that_it_would_keep() -> None:
    assert passed("Bank Job", "Specialist", spec="heuristic:noise=0:price=1") == "Bank Job"
    cool = "heuristic:noise=0:price=6:foresight=0"  # the board is empty: a token costs little now
    assert passed("Bank Job", "Leverage", spec=cool) == "Leverage"


# A stage

HANDS = ["Bank Job, Lay Low", "Bank Job", "Break In", "Heavy"]


def told(spec: str, said: str | None, hands: list[str] | None = None) -> str | None:
    """Give what seat 0 plays after seat 2 announced a title and the others kept silent."""
    game = begin("kernel", hands or HANDS, announce=True)
    for title in (None, None, said, None):
        game.step(announce(title))
    return choice(spec, game)


def test_it_shuns_a_bank_that_was_announced_and_is_believed() -> None:
    assert told(CARELESS + ":believe=1", None) == "Bank Job"
    assert told(CARELESS + ":believe=1", "Bank Job") != "Bank Job"
    assert told(CARELESS + ":believe=0", "Bank Job") == "Bank Job"


def test_it_does_not_believe_what_cannot_be() -> None:
    hands = ["Bank Job, Bank Job", "The Lift", "Break In", "Heavy"]
    assert told(CARELESS + ":believe=1", "Bank Job", hands) == "Bank Job", "both copies are in its own hand"


def test_it_knows_what_it_passed() -> None:
    # Seat 0 passes seat 1 the first three cards of seat 1's hand, the third of them last.
    bank, player = TITLES.index("Bank Job"), resolve(PLAIN, GAME)
    for place, expected in ((2, [0.6 / 4.6, 0.0]), (1, [0.5 * 0.6 / 4.6, 0.6 / 29]), (3, [0.6 / 29] * 2)):
        held = ["The Lift"] * 5
        held[place] = "Bank Job"
        game = begin("kernel", ["The Lift", ", ".join(held), "The Lift"], deck=", ".join(["The Lift"] * 20))
        work = np.zeros(1, WORK).view(np.recarray)[0]
        state, rules, me = game.engine.state, record(game.engine.rules, game.engine.deck, 3)[0], player.record[0]
        sight = heat_guess.look(state, rules, work, me)
        found = [heat_guess.chance(state, rules, work, me, sight, other, np.int64(bank)) for other in (1, 2)]
        assert found == pytest.approx(expected), place


def with_heat(tokens: int, hands: list[str], said: str | None = None) -> Any:
    """Give a game in which seat 0 has some Heat and seat 1 has announced a title."""
    game = begin("kernel", hands, announce=True)
    for title in (None, said, None):
        game.step(announce(title))
    game.engine.state.heat[0] = tokens
    return game


def test_lying_low_together_is_worth_more() -> None:
    hands = ["Lay Low, Cover Story", "Lay Low", "The Lift"]
    assert choice(PLAIN + ":believe=1:patience=0", with_heat(3, hands)) != "Lay Low"
    assert choice(PLAIN + ":believe=1:patience=0", with_heat(3, hands, "Lay Low")) == "Lay Low"
    assert choice(PLAIN + ":believe=1:patience=0", with_heat(0, hands, "Lay Low")) != "Lay Low"


def test_a_fence_and_leverage_wait_for_what_others_bring() -> None:
    hands = ["Fence the Goods, Leverage", "Bank Job", "The Lift"]
    assert choice(CARELESS + ":believe=1:patience=0", with_heat(0, hands, "Bank Job")) == "Fence the Goods"
    assert choice(CARELESS + ":believe=1:patience=0", with_heat(0, hands, "The Lift")) == "The Lift"


def test_a_copycat_copies_what_the_pass_target_says() -> None:
    hands = ["Copycat Crime, Break In, Break In, Break In, Break In", "Cover Story, Bank Job", "The Lift"]
    spec = PLAIN + ":believe=1:patience=0:price=2:foresight=1"
    assert choice(spec, with_heat(0, hands, "Cover Story")) == "Copycat Crime"
    assert choice(spec, with_heat(0, hands, "Bank Job")) == "Break In", "nobody is alone with a copied Bank Job"


def test_cards_drawn_are_worth_nothing_in_the_last_stage() -> None:
    game = begin(
        "kernel", ["Informant, Kansas City Shuffle, Break In, Break In, Break In", "Bank Job", "The Lift"], "Heavy"
    )
    greedy_for_cards = "heuristic:noise=0:card=3:patience=0:price=6:foresight=1"
    assert choice(greedy_for_cards, game) == "Informant"
    for _ in range(3):
        reveal(game, "Break In", "The Lift", "The Lift")
    assert choice(greedy_for_cards, game) == "Kansas City Shuffle", "$1 for each with Heat, its own as well"


def test_circle_back_plays_a_good_card_again() -> None:
    hands = ["Circle Back, Cover Story, Leverage, Leverage, Leverage", "The Lift", "The Lift"]
    first = begin("kernel", hands)
    assert choice(PLAIN + ":patience=0", first) == "Cover Story", "there is nothing to circle back to"
    reveal(first, "Cover Story", "The Lift", "The Lift")
    first.step(cover("Leverage"))
    assert choice(PLAIN + ":patience=0", first) == "Circle Back"


def test_a_cover_story_discards_what_is_worth_least_or_what_no_stage_wants() -> None:
    game = begin("kernel", ["Cover Story, Leverage, Mastermind, Under the Radar", "", ""])
    reveal(game, "Cover Story", "The Lift", "The Lift")
    assert choice(PLAIN, game) == "Leverage"
    assert choice(PLAIN + ":spare=5", game) == "Leverage", "there is a card more than stages"
    game = begin("kernel", ["Cover Story, Cover Story, Mastermind, Under the Radar", "", ""])
    reveal(game, "Cover Story", "The Lift", "The Lift").step(cover("The Lift"))
    reveal(game, "Cover Story", "The Lift", "The Lift")
    assert choice(PLAIN + ":spare=5", game) is None, "two cards for two stages"
    assert choice(PLAIN + ":spare=1", game) is not None


# Talk


def talked(spec: str, games: int = 12, players: int = 4) -> Iterator[tuple[int, int]]:
    """Yield what each seat announced and then played, in games of one agent."""
    player, work = resolve(spec, GAME), np.zeros(1, WORK).view(np.recarray)[0]
    rules, state = record(TALK, deck.default(), players)[0], Table(players, TALK).state
    assert player.kernel
    for game in range(games):
        work.stream = 77 + game
        GAME.call("deal")(state, rules, work)
        while state.actor >= 0:
            action = player.kernel(state, rules, work, player.record[0])
            if state.phase == REVEAL:
                yield int(state.announced[state.actor]), int(action)
            GAME.call("step")(state, rules, action, work)


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_a_liar_plays_another_card_than_announced_as_often_as_asked(rate: float) -> None:
    found = [said != played for said, played in talked(f"heuristic:silent=0:believe=0:lie={rate}")]
    assert len(found) > 500
    assert abs(np.mean(found) - rate) < 4 * np.sqrt(rate * (1 - rate) / len(found)) + 1e-9


def test_honest_talk_is_kept_unless_others_change_its_mind() -> None:
    kept = [said == played for said, played in talked("heuristic:silent=0:lie=0:believe=1")]
    assert 0.8 < np.mean(kept) < 1.0


def test_lies_are_titles_that_could_be_but_are_not_in_the_hand() -> None:
    said = {title for title, _ in talked("heuristic:silent=0:lie=1")}
    assert NOTHING not in said
    assert TITLES.index("Bank Job") in said


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
def test_it_keeps_silent_as_often_as_asked(rate: float) -> None:
    found = [said == NOTHING for said, _ in talked(f"heuristic:silent={rate}")]
    assert abs(np.mean(found) - rate) < 4 * np.sqrt(rate * (1 - rate) / len(found)) + 1e-9


def states(spec: str, games: int) -> Iterator[tuple[Any, Any]]:
    """Yield rules and states in which a seat chooses its card after talk."""
    player, work = resolve(spec, GAME), np.zeros(1, WORK).view(np.recarray)[0]
    rules, state = record(TALK, deck.default(), 4)[0], Table(4, TALK).state
    assert player.kernel
    for game in range(games):
        work.stream = 5 + game
        GAME.call("deal")(state, rules, work)
        while state.actor >= 0:
            if state.phase in (ANNOUNCE, REVEAL):
                yield rules, state
            GAME.call("step")(state, rules, player.kernel(state, rules, work, player.record[0]), work)


@pytest.mark.parametrize(("belief", "changes"), [(0, False), (1, True)])
def test_belief_0_ignores_talk(belief: int, changes: bool) -> None:
    spec, rng, n_changed = f"heuristic:believe={belief}:lie=0:silent=0", random.Random(3), 0
    for rules, state in states("heuristic", 3):
        kept, seen = state.announced.copy(), set()
        for _ in range(4):
            seen.add(chosen(spec, state, rules))
            state.announced[:4] = [rng.randrange(NOTHING + 1) for _ in range(4)]
        state.announced[:] = kept
        n_changed += len(seen) > 1
    assert (n_changed > 0) is changes


# Strength


@pytest.mark.parametrize("players", [3, 4, 5])
def test_it_beats_greedy(players: int) -> None:
    roster = [resolve("heuristic", GAME), resolve("greedy", GAME)]
    seatings = np.array([[int(seat != own) for seat in range(players)] for own in range(players)], np.int16)
    rows = Match(GAME, Rules(), deck.default(), players, roster, seed=3).play(0, 60, seatings)
    assert rows["win"][rows["agent"] == 0].mean() > 1.6 / players
