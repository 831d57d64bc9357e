"""The study of cards: counts against a plain count, hidden and exchanged cards, planted cards, fair decks, the verb."""

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import subjects

from agents.catalog import resolve
from experiments import games
from experiments.balance import card_measures
from experiments.balance.card_loop import CardMatch
from experiments.balance.card_tables import COLUMNS
from experiments.balance.cards import cards, load, prepare
from experiments.balance.estimates import Estimate
from experiments.cli import run
from experiments.match import Match, Table
from gameapi.errors import UserError
from gameapi.game import Game
from heatsim import cards as titles
from heatsim import deck as heat_decks
from heatsim.layout import COVER, PASS, REVEAL, WORD
from hotsim import actions as hot_actions
from hotsim import deck as hot_decks
from hotsim.layout import PICK

HOT, HEAT = games.get("hotsim"), games.get("heatsim")
DEALS = 12
FEW = {f"{t}+{value}": 4 for t in (1, 2, 3, 4) for value in (1, 2, 3)}
HEATLESS = {
    "Kansas City Shuffle": 3,
    "Mastermind": 2,
    "Under the Radar": 3,
    "Crackdown": 3,
    "Informant": 4,
    "Leverage": 2,
    "Diversion": 2,
    "Lay Low": 1,
    "Fence the Goods": 1,
}
"""No card brings Heat, so that a Lay Low has none to return."""


# A plain count, from the hands before and after each choice


def hands(state, players):
    return [Counter({card: int(n) for card, n in enumerate(state.count[seat]) if n}) for seat in range(players)]


def hot_use(state, action):
    """Give what a choice does with a card, and the card."""
    meant = hot_actions.decode(action, HOT.load_deck().faces)
    if meant.card is None:
        return None, None
    kind = "picked" if meant.kind == hot_actions.PICK else "played"
    assert (kind == "picked") == (state.phase == PICK)
    return kind, HOT.load_deck().faces.index(meant.card)


def heat_use(state, action):
    kinds = {PASS: f"passed_{state.draft_round + 1}", REVEAL: "played", WORD: "added", COVER: "discarded"}
    return (None, None) if action == len(titles.TITLES) else (kinds[int(state.phase)], action)


class Count:
    """What became of the cards of a game, and the same for all seats."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        self.seats = [Counter() for _ in range(players)]

    def add(self, kind, seat, held):
        for card, n in held.items():
            self.seats[seat][kind, card] += n

    def deal(self, state):
        """Count hands as they are dealt; seat 0 of Hot Heads has drawn already, unless it drew a storm."""
        for seat, held in enumerate(hands(state, self.players)):
            self.add("dealt", seat, held)
        if self.game is HOT and state.phase != PICK:
            first = int(state.cards[self.drawn_from])
            self.add("dealt", 0, {first: -1})
            self.add("drawn", 0, {first: 1})

    def choose(self, before, action):
        """Count a choice; give the hands that it leaves."""
        seat, held = int(before.actor), hands(before, self.players)
        kind, card = (hot_use if self.game is HOT else heat_use)(before, action)
        if before.phase == PASS and self.game is HEAT:
            self.add(f"draft_{before.draft_round + 1}", seat, dict.fromkeys(held[seat], 1))
        elif kind in ("played", None) and before.phase in ((REVEAL,) if self.game is HEAT else (0,)):
            self.add("offered", seat, dict.fromkeys(held[seat], 1))
        if kind is not None:
            self.add(kind, seat, {card: 1})
            held[seat] -= Counter({card: 1})
        return held

    def settle(self, before, left, after):
        """Count what came of a choice: what was passed, drawn, or left at the end of a hand."""
        over = after.actor < 0
        if over or (self.game is HEAT and after.heist != before.heist):
            for seat, held in enumerate(left):
                self.add("left", seat, held)
            if not over:
                self.deal(after)
            return
        now = hands(after, self.players)
        if self.game is HEAT and before.phase == PASS and after.draft_round != before.draft_round:
            step = -1 if before.heist % 2 else 1
            for giver in range(self.players):
                to, card = (giver + step) % self.players, int(after.passed[before.draft_round, giver])
                self.add(f"received_{before.draft_round + 1}", to, {card: 1})
                left[to][card] += 1
        for seat, held in enumerate(left):
            self.add("drawn", seat, now[seat] - held)


def counted(game, players, deals):
    """Play deals a choice at a time and give counts of each, and wins and scores."""
    match = Match(game, game.load_rules(), game.load_deck(), players, [resolve("random", game)], 1)
    match.record.coupled = 1
    table, seatings = Table(game, players), np.zeros((1, players), np.int16)
    for deal in range(deals):
        count, before, left = Count(game, players), None, []
        if game is HOT:
            count.drawn_from = int(match.record.draw_start)
        for action in match.plies(table, deal, 0, seatings):
            if before is None:
                count.deal(table.game)
            else:
                count.settle(before, left, table.game)
            before = table.states[:1].copy()[0]
            left = count.choose(before, int(action))
        count.settle(before, left, table.game)
        game.call("returns")(table.game, match.record, table.work)
        yield count, np.rint(60 * table.work.win[:players]).astype(int), table.work.score[:players].copy()


@pytest.mark.parametrize(
    ("game", "players"), [(HOT, 2), (HOT, 4), (HEAT, 3), (HEAT, 5)], ids=lambda x: getattr(x, "name", str(x))
)
def test_a_tally_is_what_a_plain_count_finds(game: Game, players: int) -> None:
    met = [condition.counts for condition in card_measures.conditions(game)]
    match = CardMatch(game, game.load_rules(), game.load_deck(), players, resolve("random", game), 1, met)
    found = match.play(0, DEALS)
    names = [count.name for count in game.counts]
    counts, conditions = np.zeros_like(found.counts[0]), np.zeros_like(found.conditions[0])
    for count, wins, scores in counted(game, players, DEALS):
        for seat, held in enumerate(count.seats):
            for (kind, card), n in held.items():
                counts[card, names.index(kind)] += n
            for k, kinds in enumerate(met):
                for card in range(len(counts)):
                    if any(held[kind, card] > 0 for kind in kinds):
                        conditions[card, k] += [1, wins[seat], scores[seat]]
    assert (found.counts.sum(axis=0) == counts).all()
    assert (found.conditions.sum(axis=0) == conditions).all()
    assert found.seats.sum(axis=0)[0] == players * DEALS


def test_in_hot_heads_what_came_to_hands_went_out_of_them() -> None:
    found = cards("hotsim", agents="random", games=200, changes=2, players=3).frame("rates")
    wide = found.pivot(index="card", columns="rate", values="value")
    assert np.allclose(wide.dealt + wide.drawn, wide.played + wide.picked + wide.left)
    assert np.allclose(wide.dealt.sum(), 3 * HOT.load_rules().hand_size)


def test_in_heat_every_draft_deals_passes_and_keeps() -> None:
    found = cards("heatsim", agents="random", games=200, changes=2, players=4).frame("rates")
    wide = found.pivot(index="card", columns="rate", values="value")
    assert np.allclose(wide.passed_1, wide.received_1)
    assert (wide.keep_share_2 + wide.pass_share_2).dropna().round(9).eq(1).all()
    shares = wide.play_share + wide.discard_share + wide.left_share
    assert shares.dropna().round(9).eq(1).all()


# Cards hidden from an agent, and exchanged


@pytest.mark.parametrize(("name", "players"), [("hotsim", 2), ("hotsim", 5), ("heatsim", 3), ("heatsim", 5)])
def test_what_is_withheld_is_no_choice_any_more(name: str, players: int) -> None:
    subject, states = subjects.table(name, players)
    hidden = Counter()
    for number, state in enumerate(states):
        if state.actor < 0:
            continue
        before, hand = subject.legal(state), state.count[state.actor]
        card = int(np.flatnonzero(hand)[number % np.count_nonzero(hand)]) if hand.any() else 0
        for ban, what in enumerate(subject.game.bans):
            copy = subject.copy(state)
            did = bool(subject.call("withhold", copy, subject.record, card, ban))
            after = subject.legal(copy)
            assert did == (after != before)
            assert after
            assert set(after) <= set(before)
            if did and what.name == "keep":
                assert after == [card]
            elif did:
                assert all(action % 64 != card for action in after)
            assert (copy.count == state.count).all()
            hidden[what.name] += did
    assert all(hidden[ban.name] > 3 for ban in subject.game.bans)


@pytest.mark.parametrize(("name", "players"), [("hotsim", 2), ("hotsim", 5), ("heatsim", 3), ("heatsim", 5)])
def test_an_exchange_gives_a_copy_and_takes_another_card(name: str, players: int) -> None:
    subject, _ = subjects.table(name, players)
    copies = subject.game.service("cards")(subject.deck, players)
    done = 0
    for number in range(60):
        state, work = subject.deal(number), subject.work(number)
        seat, card = number % players, number * 7 % len(copies)
        before, held = subject.cards(state, subject.record), hands(state, players)
        outside = copies[card][2] - sum(hand[card] for hand in held)
        if copies[card][2] == 0 or not subject.call("exchange", state, subject.record, seat, card, work):
            continue
        done += 1
        assert subject.cards(state, subject.record) == before
        now = hands(state, players)
        if name == "heatsim" or seat:  # seat 0 of Hot Heads may have drawn what was exchanged
            assert now[seat] - held[seat] == Counter({card: 1})
            assert (held[seat] - now[seat]).total() == 1
        for other in set(range(players)) - {seat, 0 if name == "hotsim" else seat}:
            assert now[other] == held[other] or outside <= 1
    assert done > 30


# Planted cards are found, fair decks are not flagged


def flags(study) -> dict[str, set[str]]:
    return {
        card: set(text.split(", "))
        for card, text in zip(*(study.tables["cards"][k] for k in ("card", "flags")), strict=True)
        if text
    }


def test_an_overpowered_card_is_found() -> None:
    deck = hot_decks.from_tokens({**FEW, "1-1": 2, "2-1": 2, "*-9": 2}, "planted")
    found = cards("hotsim", agents="greedy", games=300, changes=1000, players=2, deck=deck)
    assert flags(found) == {"*-9": {"dominant"}}
    row = found.frame("cards").set_index("card").loc["*-9"]
    assert row.exchange_effect_low > 0.05
    assert row.ban_effect_high < -0.05


def test_a_useless_title_is_found() -> None:
    listed = [(title, [3]) for title, copies in HEATLESS.items() for _ in range(copies)]
    found = cards("heatsim", games=400, changes=1500, players=3, deck=heat_decks.from_copies(listed, "no Heat"))
    assert "no effect" in flags(found)["Lay Low"]
    useful = {"Mastermind", "Under the Radar", "Informant", "Diversion", "Fence the Goods"}
    assert not [title for title in useful if "no effect" in flags(found).get(title, set())]


def test_a_card_that_is_hardly_ever_played_is_dead() -> None:
    found = cards("hotsim", games=2000, changes=2, players=3)
    dead = {card for card, names in flags(found).items() if "dead" in names}
    assert dead == {"*+1", "*-1"}
    assert not [p for p in found.tables["changes"]["p_adjusted"] if p < 0.05]  # two deals that agree prove nothing


def test_equal_cards_are_not_told_apart() -> None:
    """Four types in equal numbers: no effect is other than 0, and 5 % of studies may say so; 7 of 40 once in 300."""
    deck = hot_decks.from_tokens({f"{t}+3": 25 for t in (1, 2, 3, 4)}, "fair")
    alarms = 0
    for seed in range(40):
        found = cards("hotsim", agents="random", games=150, changes=150, players=2, deck=deck, seed=seed)
        assert not flags(found)
        alarms += min(found.tables["changes"]["p_adjusted"]) < 0.05
    assert alarms <= 6


def test_flags_want_to_be_sure() -> None:
    by_name = {flag.name: flag for flag in card_measures.flags(HOT)}

    def p(name: str, value: float, error: float, n: int = 1000) -> float:
        apart = np.zeros(100)
        apart[0] = error * 10
        return card_measures.p_beyond(Estimate(value, apart, 100, n, n), by_name[name])

    assert p("dominant", 0.06, 0.01) < 0.001 < p("dominant", 0.03, 0.01)
    assert p("dominant", -0.06, 0.01) > 0.999 > 0.001 > p("weak", -0.06, 0.01)
    assert p("no effect", 0.0, 0.002) < 0.001 < 0.4 < p("no effect", 0.009, 0.01)
    assert p("no effect", 0.0, 0.0, n=100) == pytest.approx(0.99**100)
    assert p("dead", 0.0, 0.0) < 0.001 < 0.2 < p("dead", 0.0, 0.0, n=10)
    assert p("at once", 1.0, 0.0) < 0.001 < p("at once", 0.9, 0.01)


# Study, folder, verb


def test_jobs_parts_and_reading_change_no_digit(tmp_path) -> None:
    deck = hot_decks.from_tokens(FEW, "few")

    def play(**more):
        return cards("hotsim", agents="random", games=60, changes=12, players=[2, 3], deck=deck, **more)

    kept = play(out=tmp_path / "a", jobs=1)
    for other in (play(jobs=2), load(tmp_path / "a"), play(out=tmp_path / "a", resume=True)):
        for name in COLUMNS:
            pd.testing.assert_frame_equal(kept.frame(name), other.frame(name))
    described = pd.read_csv(tmp_path / "a" / "tables" / "columns.csv")
    for name in COLUMNS:
        read = pd.read_csv(tmp_path / "a" / "tables" / f"{name}.csv")
        assert list(read.columns) == list(described.column[described.table == name])


def test_an_agent_that_searches_is_not_banned_from_cards() -> None:
    found = cards("hotsim", agents="mc:rollouts=2", games=200, changes=2, players=2)
    assert set(found.tables["changes"]["change"]) == {"exchange"}
    assert set(found.tables["cards"]["n_deals"]) == {100}
    assert np.isnan(found.tables["cards"]["ban_effect"]).all()


@pytest.mark.parametrize(
    ("asked", "what"),
    [({"changes": 1}, "changes"), ({"changes": True}, "changes"), ({"games": 1}, "games"), ({"agents": []}, "agents")],
)
def test_what_cannot_be_is_refused(asked, what) -> None:
    with pytest.raises(UserError, match=what):
        prepare("hotsim", **asked)


def test_a_plain_python_agent_is_refused() -> None:
    with pytest.raises(UserError, match="compiled"):
        cards("hotsim", agents=[lambda view: view.actions[0]], games=2, changes=2, players=2)


def test_the_verb_prints_cards_and_draws_figures(tmp_path, capsys) -> None:
    words = ["balance", "cards", "--agents", "random", "--games", "40", "--changes", "6", "--players", "3", "--quiet"]
    assert run("heatsim", [*words, "--out", str(tmp_path / "run")]) == 0
    told = capsys.readouterr().out
    assert all(title in told for title in titles.TITLES)
    assert "3 players, random: 40 games, changes on up to 6 deals" in told
    drawn = {path.name for path in (tmp_path / "run" / "figures").iterdir()}
    assert drawn == {f"{name}_3_0.{form}" for name in ("effects", "plays") for form in ("png", "svg")}
    assert run("heatsim", [*words, "--out", str(tmp_path / "other"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "lab-balance/1"
    assert set(told["tables"]) == set(COLUMNS)
