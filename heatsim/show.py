"""Heat for people: a recorded game Stage by Stage, and what a seat sees as text or HTML."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from gameapi import prose
from gameapi.errors import UserError
from gameapi.prose import WIDTH, wrapped
from heatsim import cards, rules
from heatsim.actions import DUE, PASS
from heatsim.cards import COPYCAT_CRIME
from heatsim.reference import Reference, Report
from heatsim.trace import TRACES, Game

_HEADS = ("", "money", "Heat", "cards", "record")


class Seen(Protocol):
    """What one seat sees of a game, of any engine; `heatsim.reference.Reference.knowledge` says what each means."""

    seat: int
    players: int
    phase: str
    heist: int
    n_heists: int
    stage: int
    n_stages: int
    hand: list[str]
    choice: str | None
    passed: list[str]
    received: list[str]
    target: int
    money: list[int]
    heat: list[int]
    heat_value: int
    records: list[list[str]]
    announced: list[str | None]
    active: list[str | None]
    ignoring: list[bool]
    hand_sizes: list[int]
    deck: int


# A recorded game


def as_text(trace: Mapping[str, Any], width: int = WIDTH) -> str:
    """Tell a recorded game: each draft, each Stage and what it left behind, and how the game ended.

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
    used = len(game.deck.titles(game.players))
    kind = ", a reconstruction: copies and icons are not public" if game.deck.reconstructed else ""
    lines = prose.opening(
        f"Heat, {game.players} players",
        rules.as_dict(game.rules, game.players),
        f"{game.deck.name}, {used} of {game.deck.size} cards for {game.players} players{kind}",
        game.data,
        width,
    )
    drafts = stages = 0
    for engine in TRACES.replayed(game, faults):
        if engine.heist > drafts and engine.phase != PASS:
            drafts = engine.heist
            lines += _draft(game, engine, width)
        for report in engine.reports[stages:]:
            lines += _stage(game, engine, report, width)
        stages = len(engine.reports)
    return "\n".join([*lines, *_ending(engine.result(), width), *prose.differing(faults)])


def _draft(game: Game, engine: Reference, width: int) -> list[str]:
    """Tell what was passed in a draft and what everybody goes into the heist with."""
    to = "left" if engine.heist % 2 else "right"
    lines = ["", f"Heist {engine.heist} of {game.rules.heists}: cards are passed to the {to}"]
    for seat in range(game.players):
        held = _list(sorted(engine.hands[seat], key=cards.number))
        told = f"passes {_list(engine.passed[seat])} to seat {engine.target(seat)}; holds {held}"
        lines += wrapped(f"  seat {seat} ", told, width)
    return lines


def _stage(game: Game, engine: Reference, report: Report, width: int) -> list[str]:
    """Tell a Stage: what everybody said, played and got, and how things stand after it."""
    entry = engine.heists[report.heist - 1]["stages"][report.stage - 1]
    lines = ["", f"  Stage {report.stage} of {game.rules.stages}"]
    for seat, title in enumerate(entry.get("announce", ())):
        lines.append(f"    seat {seat} announces {title}" if title else f"    seat {seat} stays silent")
    for seat in range(game.players):
        lines += wrapped(f"    seat {seat} ", _deed(report, entry, seat), width)
    if report.shortages:
        times = "once" if report.shortages == 1 else f"{report.shortages} times"
        lines += wrapped("    ", f"Out of Heat: {times} everybody with Heat returns 1 and loses $3", width)
    if engine.arrested and report is engine.reports[-1]:
        return [*lines, *wrapped("    ", "More Heat than the board has tokens: everybody is arrested", width)]
    after = entry["after"]
    value = game.rules.heat_value(sum(after["heat"]))
    sizes = [len(hand) for hand in after["hands"]]
    lines += [f"    {line}" for line in _table(after["money"], after["heat"], sizes, after["records"], width - 4)]
    return [*lines, f"    Heat value ${value}, {_number(after['deck'], 'card')} left in the deck"]


def _deed(report: Report, entry: Mapping[str, Any], seat: int) -> str:
    """Say what a seat played in a Stage, what that led to, and what came of it."""
    revealed = entry["reveal"][seat]
    if revealed is None:
        return "has no card to play"
    parts, last = [f"plays {revealed}"], revealed
    for title, brought in ((title, brought) for who, title, brought in report.switched if who == seat):
        it = "which" if title == last else f"which as {title}" if last == COPYCAT_CRIME else title
        parts.append(f"{it} brings {brought}" if brought else f"{it} does nothing")
        last = brought or last
    active = report.active[seat]
    if entry["after"]["records"][seat][-1] == COPYCAT_CRIME:
        parts.append("no effect" if active == COPYCAT_CRIME else f"as {active}")
    return f"{', '.join(parts)}: {', '.join(_effects(report, entry, seat)) or 'nothing'}"


def _effects(report: Report, entry: Mapping[str, Any], seat: int) -> Iterator[str]:
    if report.drawn[seat]:
        yield f"draws {report.drawn[seat]}"
    if report.returned[seat]:
        yield f"returns {report.returned[seat]} Heat"
    discarded = entry.get("cover", {seat: None})[seat]
    if discarded:
        yield f"discards {discarded}"
    money = sum(paid[seat] for paid in report.paid.values())
    if money:
        yield f"${money}"
    if report.gained_heat[seat]:
        yield f"{report.gained_heat[seat]} Heat"
    elif report.ignoring[seat]:
        yield "ignores Heat"


def _ending(result: Mapping[str, Any], width: int) -> list[str]:
    """Show what everybody pays for Heat and who wins."""
    lines = ["", f"The end: each Heat token costs ${result['heat_value']}", ""]
    lines.append(f"{'':<8}{'money':>7}{'Heat':>6}{'final':>7}")
    winners, final = result["winners"], result["final"]
    for seat, dollars in enumerate(final):
        numbers = f"{_dollars(result['money'][seat]):>7}{result['heat'][seat]:>6}{_dollars(dollars):>7}"
        lines.append(f"{f'seat {seat}':<8}{numbers}{'   ' + prose.win(winners) if seat in winners else ''}")
    if result["arrested"]:
        lines.append("All are arrested: nobody wins.")
    elif final.count(max(final)) > 1:
        lines += wrapped("", "Equal money: least Heat wins; equal again: the win is split.", width)
    return lines


def _table(
    money: Sequence[int], heat: Sequence[int], sizes: Sequence[int], records: Sequence[Sequence[str]], width: int
) -> list[str]:
    """Show how all seats stand: money, Heat, cards in hand, and the record from oldest to newest."""
    lines = ["{:<8}{:>5}{:>6}{:>7}   {}".format(*_HEADS)]
    for seat, record in enumerate(records):
        numbers = f"{_dollars(money[seat]):>5}{heat[seat]:>6}{sizes[seat]:>7}"
        lines += wrapped(f"{f'seat {seat}':<8}{numbers}   ", _list(record), width)
    return lines


def _list(titles: Sequence[str]) -> str:
    return ", ".join(titles) or "none"


def _dollars(money: int) -> str:
    return f"-${-money}" if money < 0 else f"${money}"


def _number(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# What a seat sees


def state_text(view: Seen, width: int = WIDTH) -> str:
    """Show what a seat sees: how far the game is, how all seats stand, and what it holds and knows.

    Args:
        view: The seat's view of the game.
        width: The number of characters a line may have.

    Returns:
        Lines of plain text, without a line end after the last.
    """
    records = [_record(view, seat) for seat in range(view.players)]
    table = _table(view.money, view.heat, view.hand_sizes, records, width)
    return prose.sight(_progress(view), table, _holdings(view), width)


def state_html(view: Seen) -> str:
    """Show what a seat sees as an HTML fragment, for notebooks.

    Args:
        view: The seat's view of the game.

    Returns:
        A table with a caption and header cells that screen readers can follow, and a description list.
    """
    rows = []
    for seat in range(view.players):
        cells = (_dollars(view.money[seat]), str(view.heat[seat]), str(view.hand_sizes[seat]))
        rows.append((f"seat {seat}", [*cells, html.escape(_list(_record(view, seat)))]))
    return prose.page(_progress(view), ["seat", *_HEADS[1:]], rows, _holdings(view))


def _progress(view: Seen) -> str:
    to_do = f"to {DUE[view.phase]}" if view.phase in DUE else "the game is over"
    when = f"Stage {view.stage} of {view.n_stages}" if view.stage else "draft"
    return (
        f"Seat {view.seat} of {view.players} players, heist {view.heist} of {view.n_heists}, {when}: "
        f"{to_do}. Heat value: ${view.heat_value}. Deck: {_number(view.deck, 'card')} left."
    )


def _record(view: Seen, seat: int) -> list[str]:
    """List a record; an active Copycat Crime is shown with what it counts as."""
    record, active = view.records[seat], view.active[seat]
    if not record or active is None or active == record[-1]:
        return record
    return [*record[:-1], f"{record[-1]} (as {active})"]


def _holdings(view: Seen) -> Iterator[tuple[str, str]]:
    yield "Hand", _list(view.hand)
    if view.choice:
        yield "Chosen, not yet seen by others", view.choice
    giver = (2 * view.seat - view.target) % view.players
    yield f"Passed to seat {view.target}", _list(view.passed)
    yield f"Received from seat {giver}", _list(view.received)
    said = [f"seat {seat} {title}" for seat, title in enumerate(view.announced) if title]
    if said:
        yield "Announced", ", ".join(said)
    if any(view.ignoring):
        yield "Ignoring Heat", ", ".join(f"seat {seat}" for seat, ignores in enumerate(view.ignoring) if ignores)
