"""What a Heat seat knows: unseen choices stay unseen, and worlds keep what is known and are uniform over the rest."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import heat_engines
import heat_subjects
import numpy as np
import pytest
from heat_engines import reveal, word
from heat_subjects import MIXED, kind

from gameapi import conformance
from gameapi.conformance import FAR, Subject, excess
from heatsim.actions import ANNOUNCE, COVER, PASS, REVEAL, WORD, Action
from heatsim.cards import TITLES
from heatsim.game import GAME
from heatsim.layout import NOTHING
from heatsim.reference import Reference
from heatsim.rules import PLAYERS, Rules
from heatsim.table import Table
from heatsim.view import View


def stepped(subject: Subject, state: Any, action: int) -> Any:
    """Return the state after an action."""
    made = subject.copy(state)
    subject.call("step", made, subject.record, action, subject.work(0))
    return made


# Choices that are made at the same time (HT16)


def in_one_round(before: Any, after: Any) -> bool:
    """Tell whether a choice has been made that is not seen yet: another seat is asked for its own."""
    same = all(before[field] == after[field] for field in ("phase", "heist", "stage", "draft_round"))
    return bool(same and before.actor < after.actor and np.array_equal(before.record_size, after.record_size))


@pytest.mark.parametrize("players", PLAYERS)
def test_ht16_an_unseen_choice_changes_nothing_for_the_others(players: int) -> None:
    """Whatever a seat passes, reveals, adds or discards, the others have one key and view until all have chosen."""
    subject = heat_subjects.subject(players, "talk", MIXED)
    checked: Counter[str] = Counter()
    for before in conformance.positions(subject, games=5):
        if before.actor < 0 or kind(before) == ANNOUNCE:
            continue
        chooser = int(before.actor)
        after = [stepped(subject, before, action) for action in subject.legal(before)]
        if len(after) < 2 or not in_one_round(before, after[0]) or checked[kind(before)] == 12:
            continue
        checked[kind(before)] += 1
        for seat in range(players):
            keys = {int(subject.call("info_key", state, subject.record, seat)) for state in after}
            views = {subject.view(state, subject.record, seat) for state in after}
            expected = len(after) if seat == chooser else 1
            assert (len(keys), len(views)) == (expected, expected), f"{kind(before)}: seat {seat} sees seat {chooser}"
    assert set(checked) == {PASS, REVEAL, WORD, COVER}
    assert min(checked.values()) >= 5


@pytest.mark.parametrize("players", PLAYERS)
def test_ht16_an_unseen_choice_is_in_nobody_elses_knowledge(players: int) -> None:
    """The same of the plain engine, whose other seats know of the choice only whose turn it is now."""
    rng, checked = random.Random(players), Counter[str]()
    for number in range(4):
        game = Reference(Rules(heists=1), players, Table(players, Rules(heists=1), MIXED, number=number).setup)
        while game.actor >= 0:
            chooser, phase, legal = game.actor, game.phase, game.legal()
            after = [game.copy() for _ in legal]
            for made, action in zip(after, legal, strict=True):
                made.step(action)
            if len(legal) > 1 and after[0].phase == phase and after[0].actor > chooser and made.records == game.records:
                checked[phase] += 1
                for seat in set(range(players)) - {chooser}:
                    before = game.knowledge(seat) | {"actor": after[0].actor}
                    assert all(made.knowledge(seat) == before for made in after)
            game.step(rng.choice(legal))
    assert set(checked) == {PASS, REVEAL, WORD, COVER}


@pytest.mark.parametrize("players", PLAYERS)
def test_ht16_a_round_of_choices_is_seen_when_the_last_is_made(players: int) -> None:
    """In each phase what the last seat completes changes what the others see."""
    subject = heat_subjects.subject(players, "default", MIXED)
    seen: Counter[str] = Counter()
    for before in conformance.positions(subject, games=2):
        if before.actor >= 0:
            after = stepped(subject, before, subject.legal(before)[0])
            if not in_one_round(before, after):
                seat = (int(before.actor) + 1) % players
                views = {subject.view(state, subject.record, seat) for state in (before, after)}
                seen[kind(before)] += len(views) - 1
    assert min(seen[phase] for phase in (PASS, REVEAL, WORD, COVER)) >= 5


@pytest.mark.parametrize("players", PLAYERS)
def test_ht16_talk_is_heard_by_all_at_once_and_tells_nothing_else(players: int) -> None:
    """Announcements are no secret (HT17): everybody's view and key change, by the announcement alone."""
    subject = heat_subjects.subject(players, "talk", MIXED)
    heard = 0
    for before in conformance.positions(subject, games=1):
        if before.actor < 0 or kind(before) != ANNOUNCE or int(before.actor) == players - 1 or heard == 10:
            continue
        after = [stepped(subject, before, action) for action in subject.legal(before)]
        for seat in range(players):
            assert len({int(subject.call("info_key", state, subject.record, seat)) for state in after}) == len(after)
            views = [View(state, subject.record, MIXED, seat).as_dict() for state in after]
            said = [view.pop("announced") for view in views]
            assert [row[int(before.actor)] for row in said] == [*TITLES, None]
            plain = {str({k: v for k, v in view.items() if k != "actor"}) for view in views}
            assert len(plain) == 1
        heard += 1
    assert heard == 10


# Worlds


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_keep_what_every_seat_knows_in_every_phase(players: int) -> None:
    subject = heat_subjects.subject(players, "talk", MIXED)
    states = conformance.positions(subject, games=1)
    assert {kind(state) for state in states if state.actor >= 0} == {PASS, ANNOUNCE, REVEAL, WORD, COVER}
    conformance.check_determinize(subject, states[::5])


def test_a_card_passed_last_stays_with_the_pass_target_until_it_is_seen() -> None:
    subject, checked = heat_subjects.subject(4), 0
    for state in conformance.positions(subject, games=5):
        if state.actor < 0 or kind(state) != REVEAL:
            continue
        for seat in range(4):
            target = (seat + (1 if int(state.heist) % 2 == 0 else -1)) % 4
            passed = int(state.passed[2, seat])
            if int(state.stage) == 0:  # nothing has been seen played
                assert int(state.sure[seat]) == passed
                worlds = [subject.determinized(state, seat, start) for start in range(5)]
                assert all(passed == int(w.choice[target]) or int(w.count[target, passed]) > 0 for w in worlds)
                checked += 1
            if passed in state.record[target, : int(state.record_size[target])]:
                assert int(state.sure[seat]) != passed
    assert checked > 100


# Worlds are uniform over what is open: chi-square against all worlds that there are
#
# Everything that a seat has not seen lies anywhere with equal chance, but for the card that it passed last, which is in
# the pass target's hand (HT2, HT3); an unseen choice is any card of its hand. Hands are multisets of titles here.

Hand = tuple[int, ...]
"""How often a hand has each title."""


def divisions(unknown: Hand, size: int) -> Iterator[tuple[Hand, int]]:
    """Give every hand of a size from unknown cards, with the number of ways in which it comes about."""
    for held in itertools.product(*(range(min(n, size) + 1) for n in unknown)):
        if sum(held) == size:
            yield held, math.prod(math.comb(n, k) for n, k in zip(unknown, held, strict=True))


def choices_of(held: Hand, has_chosen: bool) -> Iterator[tuple[tuple[Hand, int], float]]:
    """Give every unseen choice from a hand, as what is left with what was chosen, and its chance; -1 for none."""
    if not has_chosen:
        yield (held, -1), 1.0
        return
    for title, n in enumerate(held):
        if n:
            yield (tuple(k - (i == title) for i, k in enumerate(held)), title), n / sum(held)


def chances(
    unknown: Hand, sizes: Sequence[int], chosen: Sequence[bool], sure: tuple[int, int]
) -> dict[tuple[Any, ...], float]:
    """Give the chance of every world, from an exhaustive list.

    Args:
        unknown: the cards that lie nobody knows where, by title.
        sizes: of the two other hands, unseen choices included.
        chosen: whether each of them has chosen.
        sure: which of the two holds a card that the seat passed to it, and its title; title -1 for none.
    """
    found: dict[tuple[Any, ...], float] = {}
    known = [tuple(int((i, title) == sure) for title in range(len(unknown))) for i in range(2)]
    first, second = (size - sum(held) for size, held in zip(sizes, known, strict=True))
    for one, ways in divisions(unknown, first):
        left = tuple(n - k for n, k in zip(unknown, one, strict=True))
        for other, more in divisions(left, second):
            whole = [tuple(map(sum, zip(*pair, strict=True))) for pair in zip((one, other), known, strict=True)]
            options = [choices_of(held, has) for held, has in zip(whole, chosen, strict=True)]
            for (a, p), (b, q) in itertools.product(*map(list, options)):
                found[a, b] = found.get((a, b), 0.0) + ways * more * p * q
    total = sum(found.values())
    return {world: weight / total for world, weight in found.items()}


def check_uniform_worlds(game: Table, seat: int, sure: str | None, drawn_next: bool = True, n: int = 2500) -> None:
    """Hold that sampled worlds are those that there are, each as often as its chance says."""
    record = GAME.record(game.rules, game.deck, game.players)[0]
    subject = Subject(GAME, game.rules, game.deck, game.players, lambda *_: None, lambda *_: {})
    titles = sorted({TITLES.index(title) for title in game.deck.titles(game.players)})
    seen = game.knowledge(seat)
    assert sure in (None, seen["passed"][-1])
    others = [other for other in range(3) if other != seat]
    held = [*seen["hand"], seen["choice"], sure, *(title for laid in seen["records"] for title in laid)]
    open_cards = Counter(game.deck.titles(3)) - Counter(title for title in held if title)
    unknown = tuple(open_cards[TITLES[title]] for title in titles)
    assert sum(unknown) == len(game.deck.titles(3)) - sum(title is not None for title in held)
    expected = chances(
        unknown,
        [seen["hand_sizes"][other] for other in others],
        [int(game.state.choice[other]) != NOTHING for other in others],
        (others.index(seen["target"]), titles.index(TITLES.index(sure)) if sure else -1),
    )

    def read(world: Any, other: int) -> tuple[Hand, int]:
        choice = int(world.choice[other])
        return tuple(world.count[other][titles].tolist()), -1 if choice == NOTHING else titles.index(choice)

    worlds = [subject.determinized(game.state, seat, start) for start in range(n)]
    found = Counter(tuple(read(world, other) for other in others) for world in worlds)
    assert set(found) <= set(expected), "a world came up that there is not"
    cells = [[0, 0.0]]
    for world, chance in expected.items():  # rare worlds are counted together, a few at a time
        if cells[-1][1] >= 5:
            cells.append([0, 0.0])
        cells[-1][0] += found[world]
        cells[-1][1] += chance * n
    assert len(cells) > 80, "too few worlds to tell anything"
    far = excess(*zip(*cells, strict=True))
    assert far < FAR, f"worlds are not uniform, by {far:.1f} sd"

    if drawn_next:  # the pass of the last seat makes everybody draw: any card that nobody has seen
        action = game.view().action_id(game.legal()[0])
        drawn = Counter[int]()
        for world in worlds:
            before = world.count[seat].astype(int)
            before[action] -= 1
            target, giver = seen["target"], next(other for other in others if other != seen["target"])
            before[int(world.choice[giver])] += 1
            assert target != giver
            GAME.call("step")(world, record, action, subject.work(0))
            drawn[int(np.flatnonzero(world.count[seat] - before)[0])] += 1
        cells = [i for i, k in enumerate(unknown) if k]
        far = excess([drawn[titles[i]] for i in cells], [n * unknown[i] / sum(unknown) for i in cells])
        assert far < FAR, f"cards to come are not uniform, by {far:.1f} sd"


FOUR = "Bank Job", "Heavy", "Break In", "The Lift"


def test_worlds_in_mid_draft_are_uniform() -> None:
    """Two have chosen their second pass, unseen; the last seat knows a card of the first round with its target."""
    cards = [FOUR[i] for i in (0, 1, 2, 3, 1, 0, 0, 2, 1, 3, 0, 2, 1, 2, 3, 0, 1, 2, 3, 3)]
    game = heat_engines.on_kernel(Rules(heists=1), 3, heat_engines.Setup([cards]))
    for title in ("Bank Job", "Break In", "Heavy", "Heavy", "Break In"):
        game.step(Action(PASS, title))
    assert (game.phase, game.actor) == (PASS, 2)
    assert [int(choice) != NOTHING for choice in game.state.choice[:3]] == [True, True, False]
    check_uniform_worlds(game, seat=2, sure="Heavy")


HANDS = (
    "Bank Job, Heavy, Break In, Bank Job, The Lift",
    "Heavy, Break In, The Lift, Bank Job, Heavy",
    "Break In, Heavy, Bank Job, The Lift, The Lift",
)
REST = "Heavy, Break In, Bank Job, The Lift, Break In"


def test_worlds_in_mid_stage_are_uniform() -> None:
    """Two have chosen what they reveal; what the last seat passed in the third round is with seat 0."""
    game = heat_engines.begin("kernel", HANDS, REST).engine
    for title in ("Bank Job", "Heavy"):
        game.step(Action(REVEAL, title))
    assert game.knowledge(2)["passed"][2] == "Break In"
    check_uniform_worlds(game, seat=2, sure="Break In", drawn_next=False)


def test_worlds_after_the_card_passed_last_was_played_are_uniform() -> None:
    game = heat_engines.begin("kernel", HANDS, REST)
    reveal(game, "Break In", "The Lift", "Bank Job")
    for title in ("Bank Job", "Heavy"):
        game.step(Action(REVEAL, title))
    check_uniform_worlds(game.engine, seat=2, sure=None, drawn_next=False)


def test_worlds_after_a_backup_plan_are_uniform() -> None:
    """Seat 1 has drawn two cards unseen and holds what seat 0 passed to it; nobody has chosen."""
    game = heat_engines.begin(
        "kernel",
        ["Bank Job, Heavy, Break In, Bank Job, The Lift", "Backup Plan, Heavy, Break In", "Break In, Heavy, Bank Job"],
        "Heavy, Break In, Bank Job, The Lift, Break In",
    )
    reveal(game, "Bank Job", "Backup Plan", "Heavy")
    seen = game.knowledge(0)
    assert (seen["hand_sizes"], seen["records"][1], seen["passed"][2]) == (
        [4, 6, 4],
        ["Backup Plan", "Heavy"],
        "Break In",
    )
    check_uniform_worlds(game.engine, seat=0, sure="Break In", drawn_next=False)


def test_worlds_with_a_word_on_the_street_chosen_unseen_are_uniform() -> None:
    game = heat_engines.begin(
        "kernel",
        ["Word on the Street, Heavy, Break In", "Word on the Street, Bank Job, Heavy", "Bank Job, Break In"],
        REST,
    )
    reveal(game, "Word on the Street", "Word on the Street", "Bank Job").step(word("Heavy"))
    assert (game.phase, game.actor) == (WORD, 1)
    check_uniform_worlds(game.engine, seat=1, sure="The Lift", drawn_next=False)


def test_an_unseen_cover_story_may_have_discarded_anything_or_nothing() -> None:
    game = heat_engines.begin("kernel", ["Cover Story, Heavy", "Cover Story, Break In", "Bank Job"], REST)
    reveal(game, "Cover Story", "Cover Story", "Bank Job").step(heat_engines.cover(None))
    subject = Subject(GAME, game.engine.rules, game.engine.deck, 3, lambda *_: None, lambda *_: {})
    worlds = [subject.determinized(game.engine.state, 1, start) for start in range(400)]
    chosen = Counter(int(world.choice[0]) for world in worlds)
    open_titles = {"Heavy", "Break In", "Bank Job", "The Lift"}
    assert set(chosen) == {TITLES.index(title) for title in open_titles} | {NOTHING}
    sizes = {int(world.hand_size[0]) + (int(world.choice[0]) != NOTHING) for world in worlds}
    assert sizes == {4}


# Keys


def two_ways_to_one_record() -> list[Table]:
    """Give two games that differ, to the eye of anyone, only in which card of a record has been used (HT6).

    Seat 0 has a Circle Back and two Words on the Street in its record and is to choose for the last of them. In the
    first game the other Word is of the Stage before; in the second it has brought the last one in this Stage.
    """
    games = []
    for first, added, then, more in (
        ("Word on the Street", ["Circle Back"], "Word on the Street", []),
        ("Circle Back", [], "Word on the Street", ["Word on the Street"]),
    ):
        game = heat_engines.begin("kernel", ["Word on the Street, Word on the Street, Circle Back", "", ""])
        for title, words in ((first, added), (then, more)):
            reveal(game, title, heat_engines.FILLER, heat_engines.FILLER)
            for chosen in words:
                game.step(word(chosen))
        games.append(game.engine)
    return games


def test_the_same_record_with_other_cards_used_is_another_view() -> None:
    one, other = (game.knowledge(1) for game in two_ways_to_one_record())
    assert one != other
    assert {name for name in one if one[name] != other[name]} == {"used"}


def test_keys_tell_which_cards_have_been_used() -> None:
    keys = [
        [
            int(GAME.call("info_key")(game.state, GAME.record(game.rules, game.deck, 3)[0], seat))
            for game in two_ways_to_one_record()
        ]
        for seat in range(3)
    ]
    assert all(one != other for one, other in keys)


@pytest.mark.parametrize("players", PLAYERS)
def test_ht16_looking_ahead_takes_no_unseen_choice_for_a_discard(players: int) -> None:
    """What an action does by itself is the same whatever others have chosen unseen for Word on the Street."""
    subject, looked = heat_subjects.subject(players, "default", MIXED), 0
    for state in conformance.positions(subject, games=12):
        others = [seat for seat in range(players) if seat != state.actor and state.choice[seat] != NOTHING]
        if state.actor < 0 or kind(state) != WORD or not others:
            continue
        looked += 1
        blind = subject.copy(state)
        blind.choice[others] = NOTHING
        for action in subject.legal(state):
            ahead = [subject.copy(known) for known in (state, blind)]
            for known in ahead:
                subject.call("foresee", known, subject.record, action, subject.work(0))
            assert np.array_equal(ahead[0].money, ahead[1].money)
            assert np.array_equal(ahead[0].heat, ahead[1].heat)
    assert looked >= 5
