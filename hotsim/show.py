"""Hot Heads for people: a recorded game turn by turn, and a table of columns as text or HTML."""

import html
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from gameapi import prose
from gameapi.errors import UserError
from gameapi.prose import WIDTH, wrapped
from hotsim import cards, rules
from hotsim.actions import TOP
from hotsim.cards import Card
from hotsim.reference import NOBODY, Reference
from hotsim.trace import TRACES, Game

_INDENT = " " * 6


class Standing(Protocol):
    """A column on the table, of any engine."""

    @property
    def cards(self) -> Sequence[Card]:
        """Balloons and ballast from top to bottom."""

    @property
    def helicopters(self) -> int:
        """The number of helicopters linked to it."""

    @property
    def altitude(self) -> int:
        """The sum of the cards' values."""


Table = Sequence[Sequence[Standing | None]]
"""For each seat, the dummy last, its four columns, types 1 to 4."""


class Seen(Protocol):
    """What one seat sees of a game, of any engine."""

    seat: int
    players: int
    phase: str
    hand: list[Card]
    picks: list[Card]
    hand_sizes: list[int]
    discards: list[Card]
    storms: int
    n_storms: int
    drawn: int
    draw_pile: int

    @property
    def table(self) -> Table:
        """The columns of all seats."""


# A recorded game


def as_text(trace: Mapping[str, Any], width: int = WIDTH) -> str:
    """Tell a recorded game turn by turn: the deal, each turn, the table at each storm, and how it ended.

    Args:
        trace: The trace of a game that replays to its end; where optional fields differ from what is computed, the
            text is told as computed and says so at its end.
        width: The number of characters a line may have, at least 60.

    Returns:
        Lines of plain text, without a line end after the last.

    Raises:
        UserError: The trace cannot be read or a step is illegal; its place is inside the trace.
    """
    game = TRACES.read(trace)
    faults: list[UserError] = []
    lines = _opening(game, width)
    told = turns = 0
    for engine in TRACES.replayed(game, faults):
        for event in engine.events[told:]:
            if event["type"] == "storm":
                lines += _storm(game, engine, event, width)
            elif event["type"] == "draw" and event["card"] != cards.STORM:
                draw = f"{_seat(game, event['seat'])} draws {event['card']}"
            elif event["type"] == "draw":
                lines += [""] if lines[-1] else []
                lines.append(f"{_INDENT}{_seat(game, event['seat'])} draws a storm")
            else:
                turns += 1
                lines += wrapped(f"{turns:>4}  ", f"{draw}, {_deed(game, event)}", width)
        told = len(engine.events)
    return "\n".join([*lines, *_ending(game, engine, engine.result(), width), *prose.differing(faults)])


def _opening(game: Game, width: int) -> list[str]:
    """Say who plays what, by which rules, and what was dealt."""
    dummy = " and a dummy pilot" if game.setup.dummy else ""
    kind = ", a reconstruction: the printed values are not public" if game.deck.reconstructed else ""
    lines = prose.opening(
        f"Hot Heads, {game.players} players{dummy}",
        rules.as_dict(game.rules, game.players),
        f"{game.deck.name}, {game.deck.size} cards{kind}",
        game.data,
        width,
    )
    lines += ["", "The deal"]
    for seat, hand in enumerate(game.setup.hands):
        lines += wrapped(f"  {_seat(game, seat)}: ", _list(sorted(hand, key=cards.order)), width)
    for number, pile in enumerate(game.setup.dummy or [], start=1):
        lines += wrapped(f"  the dummy's pile {number}: ", _list(pile), width)
    storms = game.setup.draw_pile.count(None)
    to_draw = f"{len(game.setup.draw_pile) - storms} cards and {storms} storm{'s' if storms > 1 else ''}"
    lines.append(f"  draw pile: {to_draw}; {len(game.setup.returned)} cards in the box")
    return [*lines, "", "The game"]


def _deed(game: Game, event: Mapping[str, Any]) -> str:
    """Say what a seat did with its turn."""
    if event["type"] == "pass":
        return "passes"
    card = event["card"]
    if "to" not in event:
        return f"plays {card} for no effect"
    own = event["to"] == event["seat"]
    whose = "its own" if own else f"{_seat(game, event['to'])}'s"
    if "end" in event:
        end = "top" if event["end"] == TOP else "bottom"
        return f"sabotages the {end} of {whose} column {event['column']}: {' '.join(event['discarded'])} discarded"
    if "column" in event:
        return f"plays {card} on {whose} column {event['column']}"
    return f"plays {card} on {'itself' if own else _seat(game, event['to'])}"


def _storm(game: Game, engine: Reference, event: Mapping[str, Any], width: int) -> list[str]:
    """Tell a storm phase: what everybody reveals, and the table after it."""
    number, of = event["number"], game.rules.storms
    each = "1 card" if number == 1 else f"{number} cards"
    lines = [f"{_INDENT}Storm {number} of {of}: {each} each; cards in brackets are lost"]
    for seat, chosen in enumerate(event["chosen"]):
        lines += wrapped(f"{_INDENT}  {_seat(game, seat)} reveals ", _revealed(chosen), width)
    if event["dummy"]:
        lines += wrapped(f"{_INDENT}  the dummy reveals ", _revealed(event["dummy"]), width)
    elif event["dummy"] is not None:
        lines.append(f"{_INDENT}  the dummy has no pile left")
    if engine.actor == NOBODY:
        return lines
    return [*lines, "", textwrap.indent(table_text(engine.columns, game.players, width - len(_INDENT)), _INDENT), ""]


def _revealed(chosen: Sequence[str]) -> str:
    return " ".join(token if cards.is_typed(cards.parse(token)) else f"({token})" for token in chosen)


def _ending(game: Game, engine: Reference, result: Mapping[str, Any], width: int) -> list[str]:
    """Show the table, what flies away, and the scores."""
    lines = ["", "The end: the highest column of each type flies away", ""]
    lines += [table_text(engine.columns, game.players, width, result["flew_away"]), ""]
    lines.append(f"{'':<10}{'score':>7}{'balloon cards':>15}{'cards in hand':>15}")
    winners = result["winners"]
    for seat in range(game.players):
        numbers = f"{result['scores'][seat]:>7}{result['balloon_cards'][seat]:>15}{len(engine.hands[seat]):>15}"
        lines.append(f"{_seat(game, seat):<10}{numbers}{'   ' + prose.win(winners) if seat in winners else ''}")
    if len({result["scores"][seat] for seat in range(game.players)}) < game.players:
        rule = "Equal scores: most balloon cards win; equal again: the win is split."
        lines += wrapped("", rule, width)
    return lines


def _seat(game: Game, seat: int) -> str:
    return _name(seat, game.players)


def _name(seat: int, players: int | None) -> str:
    return "the dummy" if seat == players else f"seat {seat}"


def _list(hand: Sequence[Card]) -> str:
    return " ".join(cards.format(card) for card in hand)


# A table of columns


def table_text(
    table: Table, players: int | None = None, width: int = WIDTH, flew_away: Sequence[Sequence[bool]] | None = None
) -> str:
    """Show the columns of all seats: a line of altitudes and the cards from top to bottom below it.

    Args:
        table: For each seat four columns or None.
        players: The number of players, so that the seat behind them is called the dummy.
        width: The number of characters a line may have.
        flew_away: The same shape, for a table at the end: whether a column flies away.

    Returns:
        Lines of text without a line end after the last. ``altitude 5, 2 heli`` says that two helicopters are linked.
    """
    left = 11
    cell = (width - left) // len(cards.TYPES)
    lines = [" " * left + "".join(f"type {card_type}".ljust(cell) for card_type in cards.TYPES).rstrip()]
    for seat, row in enumerate(table):
        gone = flew_away[seat] if flew_away else [False] * len(row)
        cells = [_cell(column, away, cell - 2) for column, away in zip(row, gone, strict=True)]
        height = max(len(text) for text in cells)
        for line in range(height):
            head = _name(seat, players) if line == 0 else ""
            parts = [text[line] if line < len(text) else "" for text in cells]
            lines.append((head.ljust(left) + "".join(part.ljust(cell) for part in parts)).rstrip())
    return "\n".join(lines)


def _cell(column: Standing | None, away: bool, width: int) -> list[str]:
    if column is None:
        return ["-"]
    notes = [f"{column.altitude}"]
    if column.helicopters:
        notes.append(f"{column.helicopters} heli")
    if away:
        notes.append("flies away")
    return [*textwrap.wrap(", ".join(notes), width), *textwrap.wrap(_faces(column), width, break_on_hyphens=False)]


def _faces(column: Standing) -> str:
    """List a column's cards from top to bottom; the type goes without saying, wilds keep their star."""
    tokens = [cards.format(card) for card in column.cards]
    return " ".join(token if token.startswith("*") else token[1:] for token in tokens)


# What a seat sees


def state_text(view: Seen, width: int = WIDTH) -> str:
    """Show what a seat sees: storms and draws, the table, its hand, and what has been discarded.

    Args:
        view: The seat's view of the game.
        width: The number of characters a line may have.

    Returns:
        Lines of plain text, without a line end after the last.
    """
    table = table_text(view.table, view.players, width).splitlines()
    return prose.sight(_progress(view), table, _holdings(view), width)


def state_html(view: Seen) -> str:
    """Show what a seat sees as an HTML fragment, for notebooks.

    Args:
        view: The seat's view of the game.

    Returns:
        A table with a caption and header cells that screen readers can follow, and a description list.
    """
    rows = ((_name(seat, view.players), [_html_cell(column) for column in row]) for seat, row in enumerate(view.table))
    columns = ["seat", *(f"type {card_type}" for card_type in cards.TYPES)]
    return prose.page(_progress(view), columns, rows, _holdings(view))


def _html_cell(column: Standing | None) -> str:
    if column is None:
        return '<span aria-label="no column">-</span>'
    helicopters = f", {column.helicopters} heli" if column.helicopters else ""
    return f"<strong>{column.altitude}</strong>{helicopters}<br>{html.escape(_faces(column))}"


def _progress(view: Seen) -> str:
    what = {"play": "to play a card", "pick": f"storm {view.storms}: to pick cards", "over": "the game is over"}
    left = view.draw_pile - view.drawn
    return (
        f"Seat {view.seat} of {view.players} players, {what[view.phase]}. "
        f"Storms: {view.storms} of {view.n_storms}. Draw pile: {left} cards left."
    )


def _holdings(view: Seen) -> Iterator[tuple[str, str]]:
    yield "Hand", _list(view.hand) or "none"
    if view.picks:
        yield "Picked", _list(view.picks)
    others = [f"{_name(seat, None)} {size}" for seat, size in enumerate(view.hand_sizes) if seat != view.seat]
    yield "Cards in other hands", ", ".join(others)
    yield "Discarded", _list(view.discards) or "none"
