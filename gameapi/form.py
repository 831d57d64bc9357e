"""The fields that the traces of all games have, read and written."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from gameapi.decklist import DeckList
from gameapi.errors import UnreadableError, UserError, shown
from gameapi.jsonl import as_integer, as_list, as_object, as_text, path_to
from gameapi.options import Choices, as_dict

Deck = TypeVar("Deck")
Rules = TypeVar("Rules", bound=Choices)
Setup = TypeVar("Setup")


class Game(NamedTuple, Generic[Rules, Deck, Setup]):
    """A trace whose form is right and whose setup holds the deck; nothing of it has been replayed.

    Attributes:
        data: The trace as it was read.
        players: The number of players.
        rules: The rules.
        deck: The deck list.
        setup: What was dealt.
    """

    data: dict[str, Any]
    players: int
    rules: Rules
    deck: Deck
    setup: Setup


class Played(Protocol):
    """A game that is over, of any engine."""

    players: int

    @property
    def rules(self) -> Choices:
        """The rules that it was played by."""

    def result(self) -> dict[str, Any]:
        """Give the result in the form of a trace."""


def head(
    format: str, game: Played, deck: DeckList, default: DeckList, agents: list[str] | None, seed: int | None
) -> dict[str, Any]:
    """Give the first fields of a trace.

    Args:
        format: The format's name.
        game: The game.
        deck: Its deck list; it is written down where it is not the default.
        default: The default deck list.
        agents: Who sat where, for information.
        seed: What the deal came from, for information.

    Returns:
        The fields that are given.
    """
    fields = {
        "format": format,
        "players": game.players,
        "rules": as_dict(game.rules, game.players),
        "agents": agents,
        "seed": seed,
        "deck": None if deck.digest() == default.digest() else deck.entries(),
    }
    return {key: value for key, value in fields.items() if value is not None}


def read_head(
    data: object,
    format: str,
    required: Sequence[str],
    fields: Sequence[str],
    seats: range,
    read_seed: Callable[[object, str], object] = as_integer,
) -> tuple[dict[str, Any], int]:
    """Read what all traces have, apart from rules and deck.

    Args:
        data: The parsed line.
        format: The format's name.
        required: The fields that must be there.
        fields: All fields.
        seats: The numbers of players that the game allows.
        read_seed: Accepts a seed found at a path; UnreadableError where it is none.

    Returns:
        The trace, which has all required fields and no unknown one, and the number of players.

    Raises:
        UnreadableError: It is another format or no trace at all; too few or too many play.
    """
    if isinstance(data, dict) and data.get("format", format) != format:
        raise UnreadableError(f"found {shown(data['format'])}, expected {shown(format)}", "format")
    trace = as_object(data, "", required, fields)
    players = as_integer(trace["players"], "players")
    if players not in seats:
        raise UnreadableError(f"found {shown(players)}, expected {seats[0]} to {seats[-1]}", "players")
    read_seed(trace.get("seed", 0), "seed")
    for index, agent in enumerate(as_list(trace.get("agents", []), "agents")):
        as_text(agent, path_to("agents", index))
    return trace, players


def read_rules(
    value: object, players: int, deck: Deck, rules: Rules, check: Callable[[Rules, Deck, int], None]
) -> Rules:
    """Read the rules of a trace and make sure that they can be played.

    Args:
        value: The fields that differ.
        players: The number of players.
        deck: The deck list.
        rules: The rules to start from.
        check: Raises UserError where rules and deck cannot be played by so many; its place is a field of the rules,
            or ``deck``.

    Returns:
        The rules.

    Raises:
        UnreadableError: A field is unknown or none of its values, or `check` refuses.
    """
    fields = as_object(value, "rules", optional=[option.name for option in rules.options])
    given = {}
    for option in rules.options:
        if option.name in fields:
            try:
                given[option.name] = option.from_trace(fields[option.name])
            except ValueError as fault:
                raise UnreadableError(str(fault), path_to("rules", option.name)) from None
    try:
        rules = rules.replace(**given)
        check(rules, deck, players)
    except UserError as fault:
        place = fault.place if fault.place == "deck" else path_to("rules", fault.place)
        raise UnreadableError(fault.message, place) from None
    return rules
