"""The vocabulary: every token there can be, and its order."""

import pytest

from hotsim import cards, deck
from hotsim.cards import HELI, SABOTAGE, Card

TYPED = [
    Card(kind, t, sign * v)
    for t in cards.TYPES
    for kind, sign in (("balloon", 1), ("ballast", -1))
    for v in range(1, 100)
]
WILD = [Card(kind, 0, sign * v) for kind, sign in (("balloon", 1), ("ballast", -1)) for v in range(1, 100)]
ALL = [*TYPED, *WILD, HELI, SABOTAGE]


def test_round_trip_over_all_cards() -> None:
    tokens = [cards.format(card) for card in ALL]
    assert len(set(tokens)) == len(ALL) == 4 * 198 + 198 + 2
    assert [cards.parse(token) for token in tokens] == ALL


@pytest.mark.parametrize(
    ("token", "card"),
    [
        ("1+3", Card("balloon", 1, 3)),
        ("2-4", Card("ballast", 2, -4)),
        ("*+2", Card("balloon", 0, 2)),
        ("*-1", Card("ballast", 0, -1)),
        ("4+99", Card("balloon", 4, 99)),
        ("heli", HELI),
        ("sabotage", SABOTAGE),
    ],
)
def test_tokens(token: str, card: Card) -> None:
    assert cards.parse(token) == card
    assert cards.format(card) == token


@pytest.mark.parametrize(
    "token",
    ["", "1", "1+", "+3", "0+1", "5+1", "1+0", "1-0", "1+03", "1+100", "1*2", "**1", " 1+3", "1+3 ", "1+3\n", "1 + 3",
     "\uff11+3", "1+\uff13", "1\u22123", "Heli", "SABOTAGE", "storms", "1+3.0", "1++3", "*+0"],
)  # fmt: skip
def test_what_is_no_card(token: str) -> None:
    with pytest.raises(ValueError, match=r"no card: .*1\+3"):
        cards.parse(token)


def test_a_storm_is_no_card_to_hold() -> None:
    with pytest.raises(ValueError, match="storm"):
        cards.parse(cards.STORM)


def test_a_long_text_is_cut_short_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"no card: .*\.\.\.") as fault:
        cards.parse("x" * 10_000)
    assert len(str(fault.value)) < 300


def test_kinds_do_not_overlap() -> None:
    assert [card for card in ALL if cards.is_typed(card)] == TYPED
    assert [card for card in ALL if cards.is_wild(card)] == WILD


def test_order() -> None:
    mixed = ["sabotage", "heli", "*-2", "*-1", "*+2", "*+1", "2-1", "2+1", "1-10", "1-2", "1+10", "1+2"]
    ordered = sorted((cards.parse(token) for token in mixed), key=cards.order)
    assert [cards.format(card) for card in ordered] == (
        ["1+2", "1+10", "1-2", "1-10", "2+1", "2-1", "*+1", "*+2", "*-1", "*-2", "heli", "sabotage"]
    )
    assert deck.default().cards() == sorted(deck.default().cards(), key=cards.order)
