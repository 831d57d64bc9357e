"""Each of the 22 titles, on tables set by hand with values worked out by hand."""

import functools

import heat_engines
import pytest
from heat_engines import Start, Watched, cover, drawn, gains, heat, left, money, record, reveal, stages, word

from heatsim.cards import TITLES


@pytest.fixture(params=heat_engines.STARTS)
def start(request: pytest.FixtureRequest) -> Start:
    """Give a function that starts a game from hands, deck, number of heists and options, and drafts the hands."""
    return functools.partial(heat_engines.begin, request.param)


def played(start: Start, *rows: str, deck: str = "") -> Watched:
    """Play Stages in which nobody has anything else to choose, from hands that hold exactly what is played."""
    by_seat = zip(*(heat_engines.titles(row) for row in rows), strict=True)
    return stages(start([", ".join(cards) for cards in by_seat], deck), *rows)


def test_copycat_crime(start: Start) -> None:
    game = played(start, "Break In, Copycat Crime, Bank Job, The Lift", "Copycat Crime, The Lift, Crackdown, Crackdown")
    # First seat 1 copies a Bank Job: neither pays. Then seat 0 copies The Lift. 5 Heat are worth $2.
    assert game.moneys == [[3, 0, 0, 2], [5, 2, 2, 4]]
    assert heat(game) == [1, 2, 2, 0]


def test_backup_plan(start: Start) -> None:
    game = played(start, "Crackdown, Backup Plan, The Lift", deck="Break In, Mastermind, Heavy, Diversion")
    assert record(game, 1) == "Backup Plan, Break In"
    assert (drawn(game, 1), len(game.hands[1])) == ("Heavy, Mastermind", 6)
    assert (money(game), heat(game), left(game)) == ([1, 3, 2], [0, 1, 0], 1)


def test_frame_up(start: Start) -> None:
    game = played(start, "Bank Job, The Lift, Heavy, Crackdown", "Frame Up, Bank Job, The Lift, Mastermind")
    # Heat 2, 0, 1, 0; then seat 0 gives back 1, and the two B cards get 2 + 1 and 0 + 1.
    assert heat(game) == [1, 3, 2, 0]


def test_informant(start: Start) -> None:
    game = played(start, "Crackdown, Bank Job, Break In", "Informant, Informant, The Lift", deck="Heavy, Crackdown")
    assert gains(game) == [3, 0, 2]
    assert (drawn(game, 1), len(game.hands[1])) == ("Heavy", 4)


def test_lay_low(start: Start) -> None:
    game = played(
        start,
        "Bank Job, Bank Job, Bank Job, Bank Job",
        "Heavy, Break In, Break In, Break In",
        "Lay Low, Lay Low, The Lift, The Lift",
        "The Lift, The Lift, Lay Low, The Lift",
    )
    assert game.heats[1:] == [
        [3, 3, 3, 3],
        [0, 0, 3, 3],
        [0, 0, 2, 3],
    ]


def test_the_feds(start: Start) -> None:
    game = played(
        start, "The Feds, Bank Job, Break In", "Bank Job, The Feds, Crackdown", "Bank Job, Bank Job, The Feds"
    )
    # 0, 3, 2; then seat 0 ignores 2 + 1; then seat 1 ignores 2 + 1, and seat 0 gains 3.
    assert heat(game) == [3, 3, 2]


def test_circle_back(start: Start) -> None:
    game = played(start, "Bank Job, The Lift, The Lift", "Circle Back, The Lift, Crackdown")
    assert (record(game, 0), gains(game), heat(game)) == ("Circle Back, Bank Job", [5, 2, 2], [4, 0, 0])


def test_word_on_the_street(start: Start) -> None:
    game = start(["Word on the Street, Interrogation", "Break In, The Lift", "The Lift"])
    reveal(game, "The Lift", "Break In", "The Lift")
    reveal(game, "Word on the Street", "The Lift", "The Lift").step(word("Interrogation"))
    assert record(game, 0) == "The Lift, Word on the Street, Interrogation"
    assert (gains(game), game.hands[0]) == ([0, 2, 2], ["The Lift", "The Lift"])


def test_bank_job(start: Start) -> None:
    game = played(start, "Bank Job, The Lift, The Lift", "Bank Job, Bank Job, The Lift")
    assert game.moneys == [[5, 2, 2], [5, 2, 4]]
    assert heat(game) == [4, 2, 0]


def test_break_in(start: Start) -> None:
    game = played(start, "Break In, Break In, The Lift")
    assert (money(game), heat(game)) == ([3, 3, 2], [1, 1, 0])


def test_cover_story(start: Start) -> None:
    game = start(["Cover Story, Diversion, Specialist", "Cover Story", "The Lift"])
    reveal(game, "Cover Story", "Cover Story", "The Lift")
    game.step(cover("Diversion"))
    game.step(cover(None))
    assert (money(game), record(game, 0), record(game, 1)) == ([3, 0, 2], "Diversion, Cover Story", "Cover Story")
    stages(game, "Specialist, The Lift, The Lift")
    assert gains(game) == [2, 2, 2], "C, B, B"


def test_heavy(start: Start) -> None:
    game = played(start, "The Lift, Heavy, Crackdown", "Heavy, Break In, Heavy")
    # Seat 1: one B, one Heavy. Then three Heavies lie in the records; seat 0 has two Bs, seat 2 one.
    assert (gains(game), heat(game)) == ([4, 3, 2], [3, 2, 3])


def test_the_lift(start: Start) -> None:
    game = played(start, "The Lift, The Lift, The Lift")
    assert (money(game), heat(game)) == ([2, 2, 2], [0, 0, 0])


def test_specialist(start: Start) -> None:
    game = played(
        start,
        "Mastermind, Leverage, Specialist",
        "Interrogation, Frame Up, The Lift",
        "Leverage, Lay Low, Specialist",
        "Specialist, Specialist, Crackdown",
    )
    # A2 B1 C3; A2 B1 C1. The last Specialist before had three Bs.
    assert (gains(game)[:2], [row[2] for row in game.moneys[:3]]) == (
        [3, 2],
        [1, 3, 6],
    )


def test_diversion(start: Start) -> None:
    game = played(start, "Bank Job, Break In, Diversion", "Diversion, Diversion, The Lift")
    assert (money(game), heat(game)) == ([9, 4, 3], [2, 1, 0])


def test_fence_the_goods(start: Start) -> None:
    game = played(start, "The Lift, Break In, The Lift", "Fence the Goods, Heavy, Fence the Goods")
    assert gains(game) == [4, 4, 4], "two Bs bring the Heavy $4"
    game = played(start, "Crackdown, Fence the Goods, Break In")
    assert gains(game) == [1, 1, 3]


def test_kansas_city_shuffle(start: Start) -> None:
    game = played(start, "Kansas City Shuffle, Break In, Bank Job, The Lift")
    assert money(game) == [2, 3, 5, 2]


def test_leverage(start: Start) -> None:
    game = played(start, "Leverage, Break In, Bank Job, Leverage")
    assert money(game) == [3, 3, 5, 3]


def test_under_the_radar(start: Start) -> None:
    game = played(start, "Under the Radar, Break In, The Lift", "The Lift, Under the Radar, The Lift")
    assert money(game) == [5, 4, 4]


def test_crackdown(start: Start) -> None:
    game = played(start, "Crackdown, Bank Job, Bank Job", "Crackdown, Bank Job, Bank Job")
    # 4 Heat are worth $2, 8 Heat $3.
    assert money(game) == [5, 0, 0]


def test_mastermind(start: Start) -> None:
    game = played(start, "The Lift, Mastermind, Mastermind", deck="Heavy, Heavy, Heavy, Heavy")
    assert (money(game), [len(held) for held in game.hands]) == ([2, 2, 2], [4, 6, 6])
    game = played(start, "The Lift, Informant, The Lift", "The Lift, The Lift, Mastermind", deck="Heavy")
    assert gains(game) == [2, 2, 0], "no card is left to draw, and seat 1 holds one more"


def test_interrogation(start: Start) -> None:
    game = played(start, "Break In, Break In, The Lift, Bank Job", "Interrogation, Lay Low, Interrogation, Frame Up")
    # Three give back 1, which seat 2 cannot.
    assert (gains(game), heat(game)) == ([3, 0, 3, 0], [0, 0, 0, 1])


def test_every_title_has_a_test() -> None:
    for title in TITLES:
        assert f"test_{title.lower().replace(' ', '_')}" in globals()
