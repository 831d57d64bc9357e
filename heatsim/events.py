"""What is counted in a watched game of Heat; imports no compiler. Where nothing else is said, seats are counted."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from gameapi.game import Event

EVENTS = (
    # draft and talk
    Event("passed_left", "HT2 HT3", "cards passed to the left"),
    Event("passed_right", "HT2 HT3", "cards passed to the right"),
    Event("announced", "HT17", "titles announced"),
    Event("announced_other", "HT17", "of these, titles that the seat does not hold"),
    Event("silent", "HT17", "announcements left out"),
    # the reveal
    Event("revealed", "HT4", "cards revealed"),
    Event("empty_hand", "HT4", "seats that played nothing, since they held no card"),
    # step A1
    Event("backup_plan", "HT6", "Backup Plans that brought cards"),
    Event("backup_plan_short", "HT8", "Backup Plans that did nothing, since the deck was too small"),
    Event("circle_back", "HT6", "Circle Backs that changed the last two cards"),
    Event("circle_back_alone", "HT6", "Circle Backs with no card before them"),
    Event("word_on_the_street", "HT6", "Words on the Street that added a card"),
    Event("word_without_card", "HT6", "Words on the Street with an empty hand"),
    Event("switch_reached", "HT6", "switching cards used since another one had reached them"),
    Event("switch_copied", "HT5 HT6", "switching cards used that were copies"),
    Event("switch_used_up", "HT6", "switching cards active in step A2, since they are used only once"),
    # step A2
    Event("copycat", "HT5", "Copycat Crimes active in step A2 that were a copy"),
    Event("copycat_blank", "HT5", "Copycat Crimes active in step A2 that copied nothing"),
    Event("copycat_chain", "HT5", "copies that another Copycat Crime led to"),
    Event("copycat_late", "HT5", "Copycat Crimes active in step A2 of seats that had revealed another card"),
    Event("frame_up", "HT7", "Frame Ups"),
    Event("informant_paid", "HT7", "Informants that were paid"),
    Event("informant_drew", "HT7", "Informants that drew"),
    Event("lay_low_alone", "HT7", "Lay Lows alone"),
    Event("lay_low_together", "HT7", "Lay Lows in company"),
    Event("the_feds", "HT7", "The Feds"),
    Event("mastermind_drew", "HT7", "Masterminds that drew"),
    Event("interrogation", "HT7", "Interrogations"),
    Event("draw_skipped", "HT8", "Masterminds and Informants that drew nothing, since the deck was too small"),
    Event("heat_returned", "HT9", "Heat tokens that cards returned"),
    Event("returned_less", "HT9", "seats whose card would have returned more Heat than they had"),
    # phase B
    Event("framed", "HT7 HT10", "active B cards that brought Heat for a Frame Up"),
    Event("feds_added", "HT7 HT10", "Heat gains that The Feds raised"),
    Event("feds_ignored", "HT7 HT10", "seats that ignored a Heat gain"),
    Event("feds_nothing_ignored", "HT7", "seats that would have ignored Heat gain, and had none"),
    Event("feds_carried", "HT7", "The Feds whose next Stage was in the next heist, and that still held there"),
    Event("feds_lapsed", "HT7", "The Feds that lapsed with the heist"),
    Event("bank_job_paid", "HT10", "Bank Jobs that paid"),
    Event("bank_job_double", "HT10", "Bank Jobs beside another one"),
    Event("break_in", "HT10", "Break Ins"),
    Event("cover_story_paid", "HT10", "Cover Stories with a discard"),
    Event("cover_story_declined", "HT10", "Cover Stories without a discard, though there was a card"),
    Event("cover_story_empty", "HT10", "Cover Stories with an empty hand"),
    Event("heavy", "HT10", "Heavies"),
    Event("the_lift", "HT10", "Lifts"),
    Event("specialist", "HT10", "Specialists"),
    Event("arrest", "HT11", "arrests of everyone"),
    Event("shortage", "HT11", "Stages with too few tokens"),
    Event("shortage_token", "HT11", "tokens returned in shortages"),
    Event("shortage_debt", "HT11", "seats that a shortage left below $0"),
    Event("shortage_forgiven", "HT11", "seats that a shortage would have left below $0, where there is no debt"),
    # phase C
    Event("diversion_most", "HT12", "Diversions with the most Heat"),
    Event("diversion_other", "HT12", "other Diversions"),
    Event("fence_raised", "HT12", "Fences beside a large gain"),
    Event("fence_plain", "HT12", "other Fences"),
    Event("kansas_city_shuffle", "HT12", "Kansas City Shuffles that paid"),
    Event("leverage", "HT12", "Leverages that paid"),
    Event("under_the_radar_cold", "HT12", "seats Under the Radar without Heat"),
    Event("under_the_radar_hot", "HT12", "seats Under the Radar with Heat"),
    Event("crackdown", "HT12 HT13", "Crackdowns that paid"),
    Event("mastermind_paid", "HT12", "Masterminds that were paid"),
    Event("mastermind_tied", "HT12", "Masterminds that shared the most cards with another seat"),
    Event("interrogation_paid", "HT12", "Interrogations that were paid"),
    Event("nothing_in_c", "HT12", "active C cards that were paid nothing"),
    # after a Stage, and the end
    Event("heat_costs", "HT13", "Stages at whose end a token costs money"),
    Event("left_in_hand", "HT14", "cards left in hands at the end of a heist"),
    Event("paid_for_heat", "HT14", "seats that paid for Heat at the end"),
    Event("below_zero", "HT14", "seats that ended below $0"),
)
"""Every event, in the order of the counts."""

ENDINGS = {"tie_broken": "HT15", "win_split": "HT15", "nobody_won": "HT15"}
"""The ruling behind each note of a watched game that tells how it was decided."""

COUNT: Any = namedtuple("Count", [event.name for event in EVENTS])(*range(len(EVENTS)))
"""Where each event is counted, by its name."""
