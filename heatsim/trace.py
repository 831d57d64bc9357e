"""The trace format, version 1: read a recorded game, replay it by the rules, and compare what is recorded.

The functions on one trace tell places inside it, such as ``heists[0].stages[2].reveal[1]``; `check_line` puts file and
line before them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from gameapi import form
from gameapi.errors import IllegalError, InconsistentError, UnreadableError, UserError
from gameapi.jsonl import as_boolean, as_integer, as_list, as_object, as_text, path_to
from gameapi.replay import Traces
from gameapi.replay import to_line as to_line
from heatsim import cards, rules
from heatsim import deck as decks
from heatsim.actions import ANNOUNCE, COVER, PASS, REVEAL, WORD, Action
from heatsim.deck import Deck, EntryError
from heatsim.reference import OVER, Reference, Setup
from heatsim.rules import ROUNDS, Rules

FORMAT = "heatsim-trace/1"

FIELDS = ("format", "players", "rules", "agents", "seed", "deck", "heists", "result")
"""The fields of a trace, in the order in which they are written."""

_REQUIRED = ("format", "players", "heists")
_HEIST_FIELDS = ("deck", "draft", "stages")
_STAGE_FIELDS = ("announce", "reveal", "add", "cover", "after")
_AFTER_FIELDS = ("money", "heat", "hands", "records", "deck")
_RESULT_FIELDS = ("money", "heat", "heat_value", "final", "winners", "arrested")
_ENTRY_FIELDS = ("title", "letters", "players")


Game = form.Game[Rules, Deck, Setup]


class Played(form.Played, Protocol):
    """A game that is over, of any engine."""

    heists: list[dict[str, Any]]


def record(game: Played, deck: Deck, agents: list[str] | None = None, seed: int | None = None) -> dict[str, Any]:
    """Record a game that is over.

    Args:
        game: The game.
        deck: Its deck list; it is written down where it is not the default.
        agents: Who sat where, for information.
        seed: What the decks came from, for information.

    Returns:
        The trace.
    """
    first = form.head(FORMAT, game, deck, decks.default(), agents, seed)
    return first | {"heists": game.heists, "result": game.result()}


# Reading: the form


def read_game(data: object) -> Game:
    """Read a trace: hold all of it against the form, and its decks against the deck list.

    Args:
        data: The parsed line.

    Returns:
        The game, ready to be followed.

    Raises:
        UnreadableError: Something is missing, unknown or of the wrong form; the rules are rejected; a heist's deck is
            not the cards of this player count; there are more heists or Stages than the rules have.
    """
    trace, players = form.read_head(data, FORMAT, _REQUIRED, FIELDS, rules.PLAYERS, _read_seed)
    deck = _read_deck(trace["deck"]) if "deck" in trace else decks.default()
    chosen_rules = form.read_rules(trace.get("rules", {}), players, deck, Rules(), rules.check)
    pack = deck.titles(players)
    heists = _as_short_list(trace["heists"], "heists", chosen_rules.heists)
    for number, heist in enumerate(heists):
        _read_heist(heist, path_to("heists", number), players, chosen_rules, pack)
    _read_fields(as_object(trace.get("result", {}), "result", optional=_RESULT_FIELDS), "result", players)
    # A replay that comes beyond the recorded heists needs a deck to see what is missing; it never plays with it.
    spare = [pack] if len(heists) < chosen_rules.heists else []
    return Game(trace, players, chosen_rules, deck, Setup([*(heist["deck"] for heist in heists), *spare]))


def _read_seed(value: object, path: str) -> None:
    """Accept an integer or a text: recorded games name by either what their decks came from."""
    if not isinstance(value, str):
        as_integer(value, path)


def _read_deck(value: object) -> Deck:
    listed = []
    for index, entry in enumerate(as_list(value, "deck")):
        path = path_to("deck", index)
        try:
            listed.append(decks.read_entry(as_object(entry, path, _ENTRY_FIELDS)))
        except EntryError as fault:
            raise UnreadableError(str(fault), path_to(path, fault.key)) from None
    return Deck("as recorded", "own", "", tuple(listed))


def _read_heist(value: object, path: str, players: int, chosen_rules: Rules, pack: list[str]) -> None:
    heist = as_object(value, path, _HEIST_FIELDS)
    read_order(heist["deck"], path_to(path, "deck"), players, pack)
    draft_path = path_to(path, "draft")
    for number, entry in enumerate(as_list(heist["draft"], draft_path, ROUNDS)):
        round_path = path_to(draft_path, number)
        passed = as_object(entry, round_path, ("pass",))["pass"]
        _read_titles(passed, path_to(round_path, "pass"), players)
    stages_path = path_to(path, "stages")
    for number, stage in enumerate(_as_short_list(heist["stages"], stages_path, chosen_rules.stages)):
        _read_stage(stage, path_to(stages_path, number), players, chosen_rules)


def read_order(value: object, path: str, players: int, pack: list[str]) -> list[str]:
    """Read the order of a heist's deck.

    Args:
        value: What stands under `deck` in a heist.
        path: Its place.
        players: The number of players.
        pack: The titles that it has to hold.

    Returns:
        The titles, topmost first.

    Raises:
        UnreadableError: It is no list of titles, or they are not the cards of this player count.
    """
    order = as_list(value, path)
    _read_titles(order, path)
    found, expected = Counter(order), Counter(pack)
    for title in cards.TITLES:
        if found[title] != expected[title]:
            copies = f"found {found[title]} of {title}, the deck has {expected[title]} for {players} players"
            raise UnreadableError(copies, path)
    return order


def _read_stage(value: object, path: str, players: int, chosen_rules: Rules) -> None:
    required = ("announce", "reveal") if chosen_rules.announce else ("reveal",)
    stage = as_object(value, path, required, ("add", "cover", "after"))
    for key in ("announce", "reveal", "cover"):
        if key in stage:
            for seat, title in enumerate(as_list(stage[key], path_to(path, key), players)):
                if title is not None:
                    _read_title(title, path_to(path_to(path, key), seat))
    _read_titles_by_seat(stage.get("add", [[]] * players), path_to(path, "add"), players)
    after_path = path_to(path, "after")
    _read_fields(as_object(stage.get("after", {}), after_path, optional=_AFTER_FIELDS), after_path, players)


def _read_fields(fields: Mapping[str, object], path: str, players: int) -> None:
    """Hold the optional fields after a Stage and of a result against their form."""
    for key, value in fields.items():
        place = path_to(path, key)
        if key in ("deck", "heat_value"):
            as_integer(value, place)
        elif key == "arrested":
            as_boolean(value, place)
        elif key in ("hands", "records"):
            _read_titles_by_seat(value, place, players)
        else:
            for index, number in enumerate(as_list(value, place, None if key == "winners" else players)):
                as_integer(number, path_to(place, index))


def _as_short_list(value: object, path: str, most: int) -> list[Any]:
    """Accept a list of at most so many entries; how many there have to be is seen when they are followed."""
    entries = as_list(value, path)
    if len(entries) > most:
        raise UnreadableError(f"found {len(entries)} entries, expected {most}, as many as the rules have", path)
    return entries


def _read_title(value: object, path: str) -> None:
    try:
        cards.parse(as_text(value, path))
    except ValueError as fault:
        raise UnreadableError(str(fault), path) from None


def _read_titles(value: object, path: str, length: int | None = None) -> None:
    for index, title in enumerate(as_list(value, path, length)):
        _read_title(title, path_to(path, index))


def _read_titles_by_seat(value: object, path: str, players: int) -> None:
    for seat, titles in enumerate(as_list(value, path, players)):
        _read_titles(titles, path_to(path, seat))


# Replaying: the rules


def follow(game: Game, faults: list[UserError]) -> Iterator[Reference]:
    """Replay a game's choices from its decks.

    Args:
        game: The game, as `read_game` gives it.
        faults: Differences in optional fields are added here; they do not stop the replay.

    Yields:
        The engine, one and the same, at the start, and after each draft and each Stage that was replayed. Stages in
        which nobody can choose anything happen by themselves, so that it may be further than the trace.

    Raises:
        UserError: A step is illegal, the game is unfinished, or goes on after its end.
    """
    engine = Reference(game.rules, game.players, game.setup)
    yield engine
    for number, heist in enumerate(game.data["heists"]):
        path = path_to("heists", number)
        if engine.phase == OVER:
            raise IllegalError("the game is over; expected no further heist", path)
        _follow_draft(engine, heist["draft"], path_to(path, "draft"))
        yield engine
        stages_path = path_to(path, "stages")
        for index, stage in enumerate(heist["stages"]):
            stage_path = path_to(stages_path, index)
            if engine.arrested:
                raise IllegalError("the game is over by arrest; expected no further Stage", stage_path)
            _follow_stage(engine, number, index, stage, stage_path)
            computed = engine.heists[number]["stages"][index]["after"]
            faults += TRACES.differences(stage.get("after", {}), computed, path_to(stage_path, "after"))
            yield engine
        if len(heist["stages"]) < game.rules.stages and not engine.arrested:
            missing = f"expected Stage {len(heist['stages']) + 1} of {game.rules.stages}"
            raise InconsistentError(f"the heist is not finished; {missing}", stages_path)
    if engine.phase != OVER:
        raise InconsistentError(
            f"the game is not finished; expected heist {engine.heist} of {game.rules.heists}", "heists"
        )


def _follow_draft(engine: Reference, draft: list[Mapping[str, Any]], path: str) -> None:
    for number, entry in enumerate(draft):
        pass_path = path_to(path_to(path, number), "pass")
        for seat, title in enumerate(entry["pass"]):
            _take(engine, Action(PASS, title), path_to(pass_path, seat))


def _follow_stage(engine: Reference, heist: int, index: int, stage: Mapping[str, Any], path: str) -> None:
    """Make the choices of a Stage; where nobody could choose anything, the engine has been there already."""
    for seat, title in enumerate(stage.get("announce", ())):
        _take(engine, Action(ANNOUNCE, title), path_to(path_to(path, "announce"), seat))
    ahead = len(engine.heists[heist]["stages"]) > index
    holding = [bool(hand) and not ahead for hand in engine.hands]
    for seat, title in enumerate(stage["reveal"]):
        place = path_to(path_to(path, "reveal"), seat)
        if holding[seat]:
            _take(engine, Action(REVEAL, title), place)
        elif title is not None:
            raise IllegalError(f"seat {seat} has no card in hand to reveal", place)
    _follow_words(engine, stage.get("add", [[]] * engine.players), path_to(path, "add"))
    _follow_covers(engine, stage.get("cover", [None] * engine.players), path_to(path, "cover"))


def _follow_words(engine: Reference, add: list[list[str]], path: str) -> None:
    used = [0] * engine.players
    while engine.phase == WORD:
        seat = engine.actor
        place = path_to(path, seat)
        if used[seat] == len(add[seat]):
            raise IllegalError(f"seat {seat} has to add a card by Word on the Street; found no further one", place)
        _take(engine, Action(WORD, add[seat][used[seat]]), path_to(place, used[seat]))
        used[seat] += 1
    for seat, titles in enumerate(add):
        if used[seat] < len(titles):
            place = path_to(path_to(path, seat), used[seat])
            raise IllegalError(f"seat {seat} has no Word on the Street to add {titles[used[seat]]}", place)


def _follow_covers(engine: Reference, cover: list[str | None], path: str) -> None:
    asked = set()
    while engine.phase == COVER:
        seat = engine.actor
        asked.add(seat)
        _take(engine, Action(COVER, cover[seat]), path_to(path, seat))
    for seat, title in enumerate(cover):
        if title is not None and seat not in asked:
            raise IllegalError(f"seat {seat} has no Cover Story to discard {title}", path_to(path, seat))


def _take(engine: Reference, action: Action, path: str) -> None:
    try:
        engine.step(action)
    except IllegalError as fault:
        raise fault.within(path) from None


def _filled(game: Game, engine: Reference) -> dict[str, Any]:
    """Give the heists as recorded, with what stands after each Stage as computed."""
    heists = []
    for heist, computed in zip(game.data["heists"], engine.heists, strict=True):
        stages = [
            stage | {"after": done["after"]} for stage, done in zip(heist["stages"], computed["stages"], strict=True)
        ]
        ordered = [{key: stage[key] for key in _STAGE_FIELDS if key in stage} for stage in stages]
        heists.append({"deck": heist["deck"], "draft": heist["draft"], "stages": ordered})
    return {"heists": heists}


TRACES = Traces(
    fields=FIELDS,
    whole=re.compile(r"(hands|records)\[[0-9]+\]$|winners$"),
    record=record,
    read=read_game,
    follow=follow,
    steps=_filled,
)
"""How traces of Heat are read and replayed."""

replay, check_line, check = TRACES.replay, TRACES.check_line, TRACES.check
