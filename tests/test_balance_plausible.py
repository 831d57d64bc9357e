"""Plausible decks: what the rulebook tells holds for every one, the default is one of them, files bring them back."""

from collections import Counter

import pytest

from experiments import games
from experiments.balance import files
from experiments.balance.plausible import sample
from gameapi.errors import UserError
from hotsim.plausible import SLOPES, TOP_BALLAST, TOP_BALLOON, WILD_BALLAST, WILD_BALLOONS

HOT, HEAT = games.get("hotsim"), games.get("heatsim")
N = 120
DECKS = {game.name: [sample(game, 1, number) for number in range(1, N + 1)] for game in (HOT, HEAT)}


def hot_fits(deck):
    kinds = Counter(card.kind for card in deck.cards())
    assert kinds == {"balloon": 69, "ballast": 21, "sabotage": 5, "heli": 4}
    for kind, n_wild, tops in (("balloon", WILD_BALLOONS, TOP_BALLOON), ("ballast", WILD_BALLAST, TOP_BALLAST)):
        by_type = {
            t: sorted(abs(card.value) for card in deck.cards() if (card.kind, card.type) == (kind, t)) for t in range(5)
        }
        assert len(by_type[0]) in n_wild
        assert by_type[1] == by_type[2] == by_type[3] == by_type[4]
        assert sorted(set(by_type[1])) == list(range(1, max(by_type[1]) + 1))
        assert max(by_type[1]) in tops
        assert max(by_type[0]) <= max(by_type[1])


def heat_fits(deck):
    assert deck.size == 34
    assert len({card.title for card in deck.cards}) == 22
    assert max(Counter(card.title for card in deck.cards).values()) <= 4
    assert {card.players for card in deck.cards} <= {(3, 4, 5), (4, 5), (5,)}
    assert (4, 5) in {card.players for card in deck.cards}
    for players in HEAT.seats:
        assert len(deck.titles(players)) >= 5 * players + 3
        for title in ("Bank Job", "Lay Low", "Heavy"):
            assert deck.titles(players).count(title) >= 2


FITS = {"hotsim": hot_fits, "heatsim": heat_fits}


@pytest.mark.parametrize("game", [HOT, HEAT], ids=lambda game: game.name)
def test_every_deck_fits_what_is_told_and_can_be_played_by_all(game):
    rules = game.load_rules()
    for deck in DECKS[game.name]:
        FITS[game.name](deck)
        for players in game.seats:
            game.check(rules, deck, players)
    for deck in DECKS[game.name][:12]:
        for players in game.seats:
            game.record(rules, deck, players)  # what the simulator holds is enough


@pytest.mark.parametrize("game", [HOT, HEAT], ids=lambda game: game.name)
def test_the_default_deck_is_a_plausible_one(game):
    FITS[game.name](game.load_deck())


@pytest.mark.parametrize("game", [HOT, HEAT], ids=lambda game: game.name)
def test_a_deck_depends_on_seed_and_number_alone(game):
    again = sample(game, 1, 7)
    assert again == DECKS[game.name][6]
    assert len({deck.digest() for deck in DECKS[game.name]}) == N
    assert sample(game, 2, 7).digest() != again.digest()


def test_decks_are_the_same_on_every_machine_and_in_every_version():
    assert [sample(game, 1, 1).digest()[:12] for game in (HOT, HEAT)] == ["59afcc641ade", "d65c92b213b0"]


def test_what_is_not_told_varies_as_the_prior_says():
    """Each count within four standard errors of what even odds make of it."""
    wilds = Counter(sum(card.type == 0 for card in d.cards() if card.kind == "balloon") for d in DECKS["hotsim"])
    assert set(wilds) == set(WILD_BALLOONS)
    assert all(abs(n - N / 4) < 4 * (N * 3 / 16) ** 0.5 for n in wilds.values())
    every_title = sum(len(set(deck.titles(3))) == 22 for deck in DECKS["heatsim"])
    assert abs(every_title - N / 2) < 4 * (N / 4) ** 0.5
    assert len(SLOPES) == len(set(SLOPES))


@pytest.mark.parametrize("game", [HOT, HEAT], ids=lambda game: game.name)
def test_decks_and_rules_come_back_from_their_files(game, tmp_path):
    settings = {
        "hotsim": ["storms=3", "helicopter_is_top=true", "return_fraction=1/3"],
        "heatsim": ["board=1x2,3x3", "debt=false", "heists=2"],
    }[game.name]
    rules = game.load_rules(None, settings)
    files.write(tmp_path / "designs" / "deck.toml", files.deck_text(DECKS[game.name][0]))
    files.write(tmp_path / "designs" / "rules.toml", files.rules_text(game, rules))
    assert game.load_deck(tmp_path / "designs" / "deck.toml") == DECKS[game.name][0]
    assert game.load_rules(tmp_path / "designs" / "rules.toml") == rules
    assert "storms" not in files.rules_text(game, game.load_rules())


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "designs" / "deck.toml").mkdir(parents=True)
    with pytest.raises(UserError, match="cannot be written"):
        files.write(tmp_path / "designs" / "deck.toml", "")
