"""The trace format, version 1: read a recorded game, replay it by the rules, and compare what is recorded.

The functions on one trace tell places inside it, such as ``events[12].card``; `check_line` puts file and line before
them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from gameapi import form
from gameapi.errors import IllegalError, InconsistentError, UnreadableError, UserError, shown
from gameapi.jsonl import as_boolean, as_integer, as_list, as_object, as_text, path_to
from gameapi.replay import Traces
from gameapi.replay import to_line as to_line
from hotsim import cards, rules
from hotsim import deck as decks
from hotsim.actions import BOTTOM, PASS, PICK, PLAY, SABOTAGE, TOP, Action
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.reference import NOBODY, Reference, Setup
from hotsim.rules import Rules

FORMAT = "hotsim-trace/1"

FIELDS = ("format", "players", "rules", "agents", "seed", "deck", "setup", "events", "result")
"""The fields of a trace, in the order in which they are written."""

_REQUIRED = ("format", "players", "setup", "events")
_SETUP_FIELDS = ("hands", "dummy", "returned", "draw_pile")
_RESULT_FIELDS = ("columns", "altitudes", "flew_away", "scores", "balloon_cards", "winners")


Game = form.Game[Rules, Deck, Setup]


class Played(form.Played, Protocol):
    """A game that is over, of any engine."""

    setup: Setup
    events: list[dict[str, Any]]


def record(game: Played, deck: Deck, agents: list[str] | None = None, seed: int | None = None) -> dict[str, Any]:
    """Record a game that is over.

    Args:
        game: The game.
        deck: Its deck list; it is written down where it is not the default.
        agents: Who sat where, for information.
        seed: What the deal came from, for information.

    Returns:
        The trace.
    """
    first = form.head(FORMAT, game, deck, decks.default(), agents, seed)
    return first | {"setup": setup_entry(game.setup), "events": game.events, "result": game.result()}


# Reading: the form


def read_game(data: object) -> Game:
    """Read a trace: hold all of it against the form, and its setup against the deck list.

    Args:
        data: The parsed line.

    Returns:
        The game, ready to be followed.

    Raises:
        UnreadableError: Something is missing, unknown or of the wrong form; the rules are rejected; the cards dealt
            are not the deck, or not as many as the rules deal (HH2).
    """
    trace, players = form.read_head(data, FORMAT, _REQUIRED, FIELDS, rules.PLAYERS)
    deck = _read_deck(trace["deck"]) if "deck" in trace else decks.default()
    chosen_rules = form.read_rules(trace.get("rules", {}), players, deck, Rules(), rules.check)
    setup = read_setup(trace["setup"], chosen_rules, deck, players)
    for index, event in enumerate(as_list(trace["events"], "events")):
        _read_event(event, path_to("events", index), players)
    _read_result(trace.get("result", {}), players, rules.has_dummy(chosen_rules, players))
    return Game(trace, players, chosen_rules, deck, setup)


def _read_deck(value: object) -> Deck:
    copies = {}
    for token, number in as_object(value, "deck", optional=value if isinstance(value, dict) else ()).items():
        try:
            card, copies_of_it = decks.read_entry(token, number)
        except ValueError as fault:
            raise UnreadableError(str(fault), path_to("deck", token)) from None
        copies[card] = copies_of_it
    return Deck("as recorded", "own", "", copies)


def read_setup(value: object, chosen_rules: Rules, deck: Deck, players: int) -> Setup:
    """Read a setup.

    Args:
        value: What stands under `setup` in a trace.
        chosen_rules: The rules.
        deck: The deck list.
        players: The number of players.

    Returns:
        The setup.

    Raises:
        UnreadableError: It has another form, or the cards dealt are not the deck, or not as many as the rules deal.
    """
    fields = as_object(value, "setup", _SETUP_FIELDS)
    hands = as_list(fields["hands"], "setup.hands", players)
    pile = as_list(fields["draw_pile"], "setup.draw_pile")
    setup = Setup(
        hands=[_held_cards(hand, path_to("setup.hands", seat)) for seat, hand in enumerate(hands)],
        dummy=_read_dummy(fields["dummy"], rules.has_dummy(chosen_rules, players)),
        returned=_held_cards(fields["returned"], "setup.returned"),
        draw_pile=[_card(token, path_to("setup.draw_pile", index)) for index, token in enumerate(pile)],
    )
    _check_deal(setup, chosen_rules, deck, players)
    return setup


def _read_dummy(value: object, there: bool) -> list[list[Card]] | None:
    if not there:
        if value is not None:
            raise UnreadableError(f"found {shown(value)}, expected null: there is no dummy in this game", "setup.dummy")
        return None
    piles = as_list(value, "setup.dummy", rules.DUMMY_PILES)
    found = [(pile, path_to("setup.dummy", index)) for index, pile in enumerate(piles)]
    return [_held_cards(as_list(pile, path, rules.DUMMY_PILE_SIZE), path) for pile, path in found]


def _check_deal(setup: Setup, chosen_rules: Rules, deck: Deck, players: int) -> None:
    """Hold the setup against the numbers of cards dealt (HH2) and against the deck list."""
    counts = rules.counts(chosen_rules, deck, players)
    for seat, (hand, size) in enumerate(zip(setup.hands, rules.hand_sizes(chosen_rules, players), strict=True)):
        _require_size(len(hand), size, path_to("setup.hands", seat))
    _require_size(len(setup.returned), counts.returned, "setup.returned")
    storms = setup.draw_pile.count(None)
    if storms != chosen_rules.storms:
        raise UnreadableError(f"found {storms} storms, expected {chosen_rules.storms}", "setup.draw_pile")
    _require_size(len(setup.draw_pile) - storms, counts.draw_pile, "setup.draw_pile", "cards that are no storms")
    found = Counter(card for group in (*setup.hands, *(setup.dummy or []), setup.returned) for card in group)
    found.update(card for card in setup.draw_pile if card)
    for card in sorted(found.keys() | deck.copies.keys(), key=cards.order):
        copies = deck.copies.get(card, 0)
        if found[card] != copies:
            raise UnreadableError(f"found {found[card]} of {cards.format(card)}, the deck has {copies}", "setup")


def _require_size(found: int, expected: int, path: str, what: str = "cards") -> None:
    if found != expected:
        raise UnreadableError(f"found {found} {what}, expected {expected}", path)


def _read_event(value: object, path: str, players: int) -> None:
    """Hold one event against its form; whether it is a legal step is seen when it is followed."""
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == "play":
        required, optional = _play_fields(value, path)
    elif isinstance(kind, str) and kind in _EVENT_FIELDS:
        required, optional = _EVENT_FIELDS[kind], ()
    elif isinstance(value, dict) and "type" in value:
        raise UnreadableError(f"found {shown(kind)}, expected draw, play, pass or storm", path_to(path, "type"))
    else:
        required, optional = ("type",), ()
    event = as_object(value, path, required, optional)
    for key, entry in event.items():
        _EVENT_READERS[key](entry, path_to(path, key))
    if kind == "storm":
        as_list(event["chosen"], path_to(path, "chosen"), players)


_EVENT_FIELDS: dict[str, tuple[str, ...]] = {
    "draw": ("type", "seat", "card"),
    "pass": ("type", "seat"),
    "storm": ("type", "number", "chosen", "dummy"),
}
_AIM = ("to", "column", "end")


def _play_fields(value: object, path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say which fields the card played requires and which it may have."""
    fields = ("type", "seat", "card")
    event = as_object(value, path, fields, (*_AIM, "discarded"))
    card = _card(event["card"], path_to(path, "card"))
    if card is None:  # a storm is a known card that no hand holds: an illegal step, whatever comes with it
        return fields, (*_AIM, "discarded")
    if cards.is_typed(card):
        return (*fields, "to"), ()
    if card != cards.SABOTAGE:
        return (*fields, "to", "column"), ()
    if any(key in event for key in _AIM):
        return (*fields, *_AIM), ("discarded",)
    return fields, ()


def _read_end(value: object, path: str) -> None:
    if as_text(value, path) not in (TOP, BOTTOM):
        raise UnreadableError(f'found {shown(value)}, expected "top" or "bottom"', path)


def _read_cards(value: object, path: str) -> None:
    for index, token in enumerate(as_list(value, path)):
        _card(token, path_to(path, index))


def _read_cards_or_null(value: object, path: str) -> None:
    if value is not None:
        _read_cards(value, path)


def _read_chosen(value: object, path: str) -> None:
    for seat, chosen in enumerate(as_list(value, path)):
        _read_cards(chosen, path_to(path, seat))


def _card(value: object, path: str) -> Card | None:
    """Read a token where a storm may stand; None is a storm."""
    return None if value == cards.STORM else _held_card(value, path)


def _held_card(value: object, path: str) -> Card:
    try:
        return cards.parse(as_text(value, path))
    except ValueError as fault:
        raise UnreadableError(str(fault), path) from None


def _held_cards(value: object, path: str) -> list[Card]:
    return [_held_card(token, path_to(path, index)) for index, token in enumerate(as_list(value, path))]


_EVENT_READERS: dict[str, Any] = {
    "type": as_text,
    "seat": as_integer,
    "card": _card,
    "to": as_integer,
    "column": as_integer,
    "end": _read_end,
    "discarded": _read_cards,
    "number": as_integer,
    "chosen": _read_chosen,
    "dummy": _read_cards_or_null,
}


def _read_result(value: object, players: int, dummy: bool) -> None:
    result = as_object(value, "result", optional=_RESULT_FIELDS)
    seats = players + dummy
    for key, found in result.items():
        path = path_to("result", key)
        if key in ("scores", "balloon_cards", "winners"):
            for index, entry in enumerate(as_list(found, path, None if key == "winners" else players)):
                as_integer(entry, path_to(path, index))
            continue
        for seat, row in enumerate(as_list(found, path, seats)):
            row_path = path_to(path, seat)
            for index, entry in enumerate(as_list(row, row_path, len(cards.TYPES))):
                _read_table_entry(key, entry, path_to(row_path, index))


def _read_table_entry(key: str, value: object, path: str) -> None:
    if key == "flew_away":
        as_boolean(value, path)
    elif value is None:
        return
    elif key == "altitudes":
        as_integer(value, path)
    else:
        column = as_object(value, path, optional=("cards", "helicopters"))
        _read_cards(column.get("cards", []), path_to(path, "cards"))
        as_integer(column.get("helicopters", 0), path_to(path, "helicopters"))


# Replaying: the rules


def follow(game: Game, faults: list[UserError]) -> Iterator[Reference]:
    """Replay a game's events from its setup.

    Args:
        game: The game, as `read_game` gives it.
        faults: Differences in optional fields are added here; they do not stop the replay.

    Yields:
        The engine, one and the same, after the setup and after each decision and storm phase that was replayed.

    Raises:
        UserError: A step is illegal, a required value differs, the game is unfinished, or goes on after its end.
    """
    engine = Reference(game.rules, game.players, game.setup)
    yield engine
    events = game.data["events"]
    position = 0
    while True:
        path = path_to("events", position)
        drawn = position < len(engine.events)  # draws need no decision: the engine is one or more events ahead
        if engine.actor == NOBODY and not drawn:
            break
        if position == len(events):
            raise InconsistentError(f"the game is not finished; expected that {_expected(engine, drawn)}", "events")
        if drawn:
            _compare_draw(events[position], engine.events[position], path)
        elif engine.phase == PICK:
            _follow_storm(engine, events[position], path)
            yield engine
        else:
            _follow_turn(engine, events[position], path, faults)
            yield engine
        position += 1
    if position < len(events):
        raise IllegalError("the game is over; expected no further event", path)


def _expected(engine: Reference, drawn: bool) -> str:
    if drawn:
        return f"seat {engine.events[-1]['seat']} draws"
    if engine.phase == PICK:
        return f"storm {engine.storms} is resolved"
    return f"seat {engine.actor} plays a card or passes"


def _require_type(event: Mapping[str, Any], types: tuple[str, ...], expected: str, path: str) -> None:
    if event["type"] not in types:
        by = f" by seat {shown(event['seat'])}" if "seat" in event else ""
        raise IllegalError(f"found a {event['type']}{by}, expected that {expected}", path)


def _require_equal(found: object, expected: object, path: str, why: str = "") -> None:
    if found != expected:
        raise InconsistentError(f"found {shown(found)}, expected {shown(expected)}{why}", path)


def _compare_draw(event: Mapping[str, Any], drawn: Mapping[str, Any], path: str) -> None:
    _require_type(event, ("draw",), f"seat {drawn['seat']} draws", path)
    _require_equal(event["seat"], drawn["seat"], path_to(path, "seat"), ", whose turn it is")
    _require_equal(event["card"], drawn["card"], path_to(path, "card"), ", the top of the draw pile")


def _follow_turn(engine: Reference, event: Mapping[str, Any], path: str, faults: list[UserError]) -> None:
    _require_type(event, ("play", "pass"), _expected(engine, drawn=False), path)
    _require_equal(event["seat"], engine.actor, path_to(path, "seat"), ", whose turn it is")
    if "card" in event and _card(event["card"], path) not in engine.hands[engine.actor]:
        raise IllegalError(f"seat {engine.actor} does not hold {event['card']}", path_to(path, "card"))
    if "to" in event and not 0 <= event["to"] < engine.seats:
        seats = f"a seat from 0 to {engine.seats - 1}"
        raise IllegalError(f"found {shown(event['to'])}, expected {seats}", path_to(path, "to"))
    if "column" in event and event["column"] not in cards.TYPES:
        raise IllegalError(f"found {shown(event['column'])}, expected a type from 1 to 4", path_to(path, "column"))
    before = len(engine.events)
    try:
        engine.step(_action(event))
    except IllegalError as fault:
        raise fault.within(path) from None
    if "discarded" in event:
        computed = engine.events[before]["discarded"]
        faults += TRACES.differences(event["discarded"], computed, path_to(path, "discarded"))


def _action(event: Mapping[str, Any]) -> Action:
    if event["type"] == "pass":
        return Action(PASS)
    card = cards.parse(event["card"])
    if card == cards.SABOTAGE:
        return Action(SABOTAGE, card, event.get("to"), event.get("column"), event.get("end"))
    return Action(PLAY, card, event["to"], event.get("column", card.type))


def _follow_storm(engine: Reference, event: Mapping[str, Any], path: str) -> None:
    _require_type(event, ("storm",), _expected(engine, drawn=False), path)
    _require_equal(event["number"], engine.storms, path_to(path, "number"))
    for seat, chosen in enumerate(event["chosen"]):
        seat_path = path_to(path_to(path, "chosen"), seat)
        if len(chosen) != engine.storms:
            expected = f"as many cards as the storm's number, {engine.storms}"
            raise IllegalError(f"found {shown(chosen)}, expected {expected}", seat_path)
        left = Counter(cards.format(card) for card in engine.hands[seat])
        for index, token in enumerate(chosen):
            if not left[token]:
                raise IllegalError(f"seat {seat} does not hold {token}, or not so often", path_to(seat_path, index))
            left[token] -= 1
    before = len(engine.events)
    for _ in range(engine.players):
        for token in event["chosen"][engine.actor]:
            engine.step(Action(PICK, cards.parse(token)))
    _require_equal(event["dummy"], engine.events[before]["dummy"], path_to(path, "dummy"))


def setup_entry(setup: Setup) -> dict[str, Any]:
    """Give a setup as it stands in a trace; what is no card stays as it is, for the reader to refuse."""
    return {field: _tokens(group) for field, group in setup._asdict().items()}


def _tokens(group: object) -> Any:
    if isinstance(group, Card):
        return cards.format(group)
    if isinstance(group, list | tuple):
        return [cards.STORM if card is None else _tokens(card) for card in group]
    return group


TRACES = Traces(
    fields=FIELDS,
    whole=re.compile(r"(cards|discarded|winners)$"),
    record=record,
    read=read_game,
    follow=follow,
    steps=lambda game, engine: {"events": engine.events},
)
"""How traces of Hot Heads are read and replayed."""

replay, check_line, check = TRACES.replay, TRACES.check_line, TRACES.check
