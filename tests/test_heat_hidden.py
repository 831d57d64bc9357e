"""What a Heat seat knows: worlds keep it, nothing else shows through them, and no agent acts on more."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.catalog import agents_of, resolve
from gameapi.kernel import fulfils
from heatsim import cards
from heatsim.deck import Deck, default, from_copies
from heatsim.game import GAME
from heatsim.layout import STATE, WORK, record
from heatsim.rules import PLAYERS, Rules
from heatsim.view import View, read_hand

TALK = Rules().replace(announce=True)
SWITCHES = from_copies(
    [
        (title, PLAYERS)
        for title in ("Word on the Street", "Cover Story", "Backup Plan", "Copycat Crime", "Circle Back", "Bank Job")
        for _ in range(6)
    ],
    "switches",
)


def blank(dtype: Any) -> Any:
    return np.zeros(1, dtype).view(np.recarray)[0]


def copy(state: Any) -> Any:
    made = blank(STATE)
    GAME.call("copy")(made, state)
    return made


def world(state: Any, rules: Any, seat: int, stream: int) -> Any:
    """Return a determinization."""
    made, work = copy(state), blank(WORK)
    work.stream = stream
    GAME.call("determinize")(made, rules, seat, work)
    return made


def states(players: int, rules: Rules, deck: Deck, games: int = 3) -> Iterator[tuple[Any, Any]]:
    """Yield the rules record and the states of random games, one before each choice."""
    rule, state, work = record(rules, deck, players)[0], blank(STATE), blank(WORK)
    for game in range(games):
        work.stream = 1000 + game
        GAME.call("deal")(state, rule, work)
        while state.actor >= 0:
            yield rule, copy(state)
            GAME.call("step")(state, rule, GAME.call("random_action")(state, rule, work), work)


CASES = [(players, deck) for players in PLAYERS for deck in (default(), SWITCHES)]


def test_the_contract_is_whole() -> None:
    assert fulfils(GAME.kernels) == []


@pytest.mark.parametrize(("players", "deck"), CASES, ids=lambda case: getattr(case, "name", case))
def test_worlds_keep_what_the_seat_knows_and_each_card_once(players: int, deck: Deck) -> None:
    pack = Counter(deck.titles(players))
    for i, (rule, state) in enumerate(states(players, TALK, deck)):
        for seat in range(players):
            made = world(state, rule, seat, 7 * i + seat)
            assert View(made, rule, deck, seat).as_dict() == View(state, rule, deck, seat).as_dict()
            assert GAME.call("info_key")(made, rule, seat) == GAME.call("info_key")(state, rule, seat)
            held = [title for other in range(players) for title in read_hand(made, other)]
            held += [title for view in [View(made, rule, deck, seat)] for one in view.records for title in one]
            held += [cards.TITLES[int(choice)] for choice in made.choice[:players] if choice < len(cards.TITLES)]
            held += [cards.TITLES[number] for number in made.deck[int(made.drawn) : int(rule.n_cards)].tolist()]
            assert Counter(held) == pack


@pytest.mark.parametrize(("players", "deck"), CASES, ids=lambda case: getattr(case, "name", case))
def test_nothing_hidden_shows_through_a_world(players: int, deck: Deck) -> None:
    """HT16: in every phase, two states that a seat cannot tell apart give the same worlds from the same stream."""
    phases = set()
    for i, (rule, state) in enumerate(states(players, TALK, deck)):
        seat = i % players
        phases.add(int(state.phase))
        other = world(state, rule, seat, 100 + i)
        assert world(state, rule, seat, i).tobytes() == world(other, rule, seat, i).tobytes()
    assert phases == {0, 1, 2, 3, 4}, "pass, announce, reveal, word and cover all came up"


def test_a_card_passed_last_stays_with_the_pass_target_until_it_is_seen() -> None:
    checked = 0
    for rule, state in states(4, Rules(), default(), games=5):
        for seat in range(4):
            sure = int(state.sure[seat])
            if int(state.stage) == 0 and int(state.phase) == 2 and sure >= 0:
                target = (seat + (1 if int(state.heist) % 2 == 0 else -1)) % 4
                assert sure == int(state.passed[2, seat])
                for stream in range(5):
                    made = world(state, rule, seat, stream)
                    chosen = int(made.choice[target]) == sure
                    assert chosen or int(made.count[target, sure]) > 0
                    checked += 1
    assert checked > 100


def test_unknown_cards_are_uniform_over_unknown_places() -> None:
    rule, state = next(pair for i, pair in enumerate(states(3, Rules(), default())) if i == 12)
    seat, n = int(state.actor), 6000
    worlds = [world(state, rule, seat, stream) for stream in range(n)]
    target = (seat + 1) % 3
    other = next(s for s in range(3) if s not in (seat, target))
    unknown = Counter(default().titles(3)) - Counter(read_hand(state, seat))
    unknown -= Counter(title for record_of in View(state, rule, default(), seat).records for title in record_of)
    if int(state.sure[seat]) >= 0:
        unknown[cards.TITLES[int(state.sure[seat])]] -= 1
    total, size = sum(unknown.values()), len(read_hand(state, other)) + (int(state.choice[other]) < 22)
    found: Counter[str] = Counter()
    for made in worlds:
        found.update(read_hand(made, other))
        if int(made.choice[other]) < 22:
            found[cards.TITLES[int(made.choice[other])]] += 1
    for title, copies in unknown.items():
        expected = n * size * copies / total
        assert abs(found[title] - expected) < 6 * expected**0.5 + 1, title


@pytest.mark.parametrize("spec", ["random", "greedy", "heuristic", "mc:rollouts=1", "mc:rollouts=1:policy=heuristic"])
def test_agents_act_on_what_their_seat_knows(spec: str) -> None:
    player = resolve(spec, GAME)
    assert player.kernel
    for players in PLAYERS:
        for i, (rule, state) in enumerate(states(players, TALK, SWITCHES if players == 4 else default(), games=1)):
            seat, chosen = int(state.actor), set()
            for hidden in (state, world(state, rule, seat, 11 * i), world(state, rule, seat, 11 * i + 1)):
                work = blank(WORK)
                work.stream = i
                chosen.add(int(player.kernel(copy(hidden), rule, work, player.record[0])))
            assert len(chosen) == 1, f"{spec}, {players} players, state {i}: {chosen}"


def test_the_check_would_catch_an_agent_that_looks() -> None:
    def peek(state: Any, seat: int) -> str:
        return str([read_hand(state, other) for other in range(3) if other != seat])

    caught = 0
    for i, (rule, state) in enumerate(states(3, Rules(), default(), games=1)):
        seat = int(state.actor)
        caught += peek(state, seat) != peek(world(state, rule, seat, i), seat)
    assert caught > 20


def test_every_agent_was_asked() -> None:
    assert list(agents_of(GAME)) == ["random", "greedy", "heuristic", "mc"]
