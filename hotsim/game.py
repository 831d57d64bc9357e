"""Hot Heads as the lab sees it."""

from __future__ import annotations

from gameapi.game import Game, GameColumn, Stat
from hotsim.actions import N_TARGETS
from hotsim.events import ENDINGS, EVENTS
from hotsim.rules import PLAYERS

GAME = Game(
    name="hotsim",
    title="Hot Heads",
    version="1",
    seats=PLAYERS,
    n_actions=N_TARGETS * 64,
    longest=99,
    stats=(
        Stat("turns", "turns the seat finished, passes included; the draw that ends the game is no turn"),
        Stat("passes", "turns in which no card could be played (HH10)"),
    ),
    columns=(
        GameColumn("turns_mean", "turns", "mean", meaning="turns of all players, a game"),
        GameColumn("turns_sd", "turns", "sd", meaning="standard deviation of turns between games"),
        GameColumn("pass_share", "passes", "share", over="turns", meaning="passes over turns"),
    ),
    counts=(
        Stat("dealt", "copies in the opening hand"),
        Stat("drawn", "copies drawn on the seat's turns"),
        Stat("offered", "turns that the seat finished with the card in its hand at the start, passes included"),
        Stat("played", "copies played on a turn"),
        Stat("picked", "copies picked in a storm"),
        Stat("left", "copies in the hand at the end"),
    ),
    bans=(Stat("play", "play or pick the card"),),
    services={
        "load_deck": "hotsim.deck:load",
        "with_copies": "hotsim.deck:with_copies",
        "trims": "hotsim.trimming:trims",
        "default_deck": "hotsim.deck:default",
        "rules": "hotsim.rules:Rules",
        "check": "hotsim.rules:check",
        "cards": "hotsim.listing:kinds",
        "record": "hotsim.layout:record",
        "plausible_deck": "hotsim.plausible:deck",
        "deck_json": "hotsim.listing:deck_json",
        "deck_text": "hotsim.listing:deck_text",
        "replay": "hotsim.trace:replay",
        "as_text": "hotsim.show:as_text",
        "state_text": "hotsim.show:state_text",
        "state_html": "hotsim.show:state_html",
        "table": "hotsim.table:Table",
        "view": "hotsim.view:View",
        "read_action": "hotsim.view:read_action",
    },
    events=EVENTS,
    endings=ENDINGS,
)

batch = GAME.batch
"""Deals many games at once."""
