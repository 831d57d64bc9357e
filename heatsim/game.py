"""Heat as the lab sees it."""

from __future__ import annotations

from gameapi.game import Game, GameColumn, Stat
from heatsim.cards import TITLES
from heatsim.events import ENDINGS, EVENTS
from heatsim.rules import PLAYERS

GAME = Game(
    name="heatsim",
    title="Heat",
    version="1",
    seats=PLAYERS,
    n_actions=len(TITLES) + 1,
    longest=117,  # 3 heists of 5 x (3 passes + 4 reveals) + 4 for Word on the Street, Cover Story and their copies
    stats=(
        Stat("heat", "Heat tokens held at the end"),
        Stat("heat_value", "dollars that each token costs at the end (HT13); of the game, with seat 0"),
        Stat("arrested", "1 where the game ended by arrest (HT11); of the game, with seat 0"),
        Stat("shortage", "1 where a stage was short of Heat tokens (HT11); of the game, with seat 0"),
    ),
    columns=(
        GameColumn("arrested_share", "arrested", "game_share", meaning="games that ended by arrest"),
        GameColumn("shortage_share", "shortage", "game_share", meaning="games with at least one shortage"),
        GameColumn("heat_value_mean", "heat_value", "mean", meaning="Heat value at the end, dollars"),
        GameColumn("heat_mean", "heat", "seat_mean", meaning="Heat tokens held at the end, a player"),
    ),
    counts=(
        Stat("dealt", "copies in the two cards that begin a draft"),
        Stat("drawn", "copies drawn from the deck into the hand, in the draft and by cards"),
        *(Stat(f"draft_{n}", f"drafts with the card in the hand in round {n}, before it is passed") for n in (1, 2, 3)),
        *(Stat(f"passed_{n}", f"copies passed on in round {n}") for n in (1, 2, 3)),
        *(Stat(f"received_{n}", f"copies received in round {n}") for n in (1, 2, 3)),
        Stat("offered", "Stages in which the seat chose with the card in its hand"),
        Stat("played", "copies played as the card of a Stage"),
        Stat("added", "copies added by Word on the Street"),
        Stat("discarded", "copies discarded for a Cover Story"),
        Stat("left", "copies in the hand after the last choice of a heist, or of the game"),
    ),
    bans=(
        Stat("play", "play the card in a Stage, add it or discard it"),
        Stat("pass", "pass the card on in the draft"),
        Stat("keep", "keep the card in a round of the draft in which it holds it"),
    ),
    services={
        "load_deck": "heatsim.deck:load",
        "with_copies": "heatsim.deck:with_copies",
        "trims": "heatsim.trimming:trims",
        "default_deck": "heatsim.deck:default",
        "rules": "heatsim.rules:Rules",
        "check": "heatsim.rules:check",
        "cards": "heatsim.listing:kinds",
        "record": "heatsim.layout:record",
        "plausible_deck": "heatsim.plausible:deck",
        "deck_json": "heatsim.listing:deck_json",
        "deck_text": "heatsim.listing:deck_text",
        "replay": "heatsim.trace:replay",
        "as_text": "heatsim.show:as_text",
        "state_text": "heatsim.show:state_text",
        "state_html": "heatsim.show:state_html",
        "table": "heatsim.table:Table",
        "view": "heatsim.view:View",
        "read_action": "heatsim.view:read_action",
    },
    events=EVENTS,
    endings=ENDINGS,
    rollout_policy="heuristic",  # who plays at random squanders cards, and a rollout then tells little
)

batch = GAME.batch
"""Deals many games at once."""
