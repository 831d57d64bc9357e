"""`balance`: the laboratory of designs, one verb a question."""

from __future__ import annotations

from experiments.cli import Verbs

VERBS: dict[str, str] = {
    "metrics": "measure one design: fairness, length, flow, luck, skill, and what came up in play",
    "cards": "tell what each card does, and which ones stand out",
    "sweep": "vary any numbers of the rules and the deck over a grid",
    "trim": "vary which cards are used at each number of players",
    "rulings": "flip every reading of the rules that leaves a choice",
    "decks": "tell what holds for every deck that could be the printed one",
    "search": "find designs that meet targets with few changes",
}
"""Every verb with what it does; its module is `balance_VERB`."""

command = Verbs(
    "balance",
    VERBS,
    prefix="balance_",
    help="Study what card counts, trimming and readings of the rules do to the game.\n\n"
    "Designs are played on the same deals by agents of several levels of skill and compared. Tables, figures and a "
    "page go to a run folder.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
