"""What is counted in a watched game of Hot Heads; imports no compiler."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from gameapi.game import Event

EVENTS = (
    # turns
    Event("column_started", "HH6", "typed cards of turns that started a column"),
    Event("laid_on_other", "HH6", "balloons and ballast of turns that went to another player's column"),
    Event("laid_on_dummy", "HH6", "balloons and ballast of turns that went to a column of the dummy"),
    Event("wild_laid", "HH6", "wilds laid on a standing column"),
    Event("balloon_added", "HH7", "balloons laid in turns at the top of a standing column"),
    Event("ballast_added", "HH7", "ballast laid in turns at the bottom of a standing column"),
    Event("helicopter_linked", "HH8", "helicopters linked to a column"),
    Event("helicopter_again", "HH8", "helicopters linked to a column that had one"),
    Event("laid_beneath", "HH8", "balloons laid in turns beneath a helicopter"),
    Event("helicopter_taken", "HH8", "helicopters that sabotage took as their column's top card"),
    Event("sabotage_no_effect", "HH9", "sabotage played for no effect"),
    Event("sabotage_on_own", "HH9", "sabotage of a column of one's own"),
    Event("sabotage_on_other", "HH9", "sabotage of another player's column"),
    Event("sabotage_on_dummy", "HH9", "sabotage of a column of the dummy"),
    Event("sabotage_top", "HH9", "sabotage at a top"),
    Event("sabotage_bottom", "HH9", "sabotage at a bottom"),
    Event("column_sabotaged", "HH9", "columns that sabotage took whole"),
    Event("only_wilds_left", "HH9", "of these, columns of which wilds were left"),
    Event("helicopter_sabotaged", "HH8 HH9", "helicopters that went with them"),
    Event("passed", "HH10", "turns without a card that could be played"),
    # storms
    Event("storm", "HH5 HH11", "storm phases"),
    Event("pick_laid", "HH11", "picks laid into columns"),
    Event("pick_started", "HH11", "of these, cards that started a column"),
    Event("pick_discarded", "HH11", "picks discarded: wilds, helicopters, sabotage"),
    Event("dummy_pile", "HH12", "piles of the dummy resolved"),
    Event("dummy_laid", "HH12", "cards of these laid into columns"),
    Event("dummy_discarded", "HH12", "cards of these discarded"),
    Event("no_pile_left", "HH12", "storms for which the dummy had no pile left"),
    # the end
    Event("left_in_hand", "HH4", "cards still in hand at the end"),
    Event("flew_away", "HH14", "columns removed as the highest of their type"),
    Event("flew_tied", "HH14", "of these, columns that were level with another"),
    Event("flew_alone", "HH14", "of these, columns that had no other of their type beside them"),
    Event("dummy_flew", "HH14", "of these, columns of the dummy"),
    Event("helicopter_flew", "HH14", "helicopters that went with them"),
    Event("nothing_flew", "HH14", "types of which columns stood and missing ones alone were highest"),
    Event("no_column", "HH14", "players without a column of a type, over players and types"),
    Event("column_scored", "HH15", "columns that scored"),
    Event("helicopter_scored", "HH15", "helicopters that scored"),
    Event("below_zero", "HH15", "players with a score below 0"),
)
"""Every event, in the order of the counts."""

ENDINGS = {"tie_broken": "HH16", "win_split": "HH16"}
"""The ruling behind each note of a watched game that tells how it was decided."""

COUNT: Any = namedtuple("Count", [event.name for event in EVENTS])(*range(len(EVENTS)))
"""Where each event is counted, by its name."""
