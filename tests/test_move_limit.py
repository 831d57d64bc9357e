"""A decision that takes more than it may is forfeited: a random action is taken, and the tables count it (HT18)."""

import pytest

from experiments import limits
from experiments.games import GAMES
from experiments.tournament import tournament
from gameapi.errors import UserError

game = pytest.mark.parametrize("game", GAMES)


def forfeits(game: str, agent: str, limit: str | None) -> dict[str, float]:
    found = tournament(game, [agent], games=4, players=3, seed=5, move_limit=limit)
    return found.agents.iloc[0].to_dict()


@game
def test_ht18_work_beyond_the_limit_is_forfeited_and_counted(game: str) -> None:
    free, held = forfeits(game, "mc:rollouts=4", None), forfeits(game, "mc:rollouts=4", "3rollouts")
    assert free["forfeits"] == 0
    assert held["forfeits"] > 100, "nearly all of 4 games with about 60 decisions each"
    assert held["score_mean"] != free["score_mean"]


@game
def test_ht18_a_forfeited_decision_is_a_random_legal_one(game: str) -> None:
    """Where every decision is forfeited, an agent that else beats the random one by far is its equal."""
    shares = []
    for limit in (None, "1rollouts"):
        found = tournament(game, ["mc:rollouts=8", "random"], games=400, players=3, seed=5, move_limit=limit).agents
        shares.append(found.set_index("agent").loc["mc:rollouts=8"])
    assert shares[0]["win_share_low"] > 0.4
    assert shares[1]["win_share_low"] < 1 / 3 < shares[1]["win_share_high"]


@game
def test_ht18_work_within_the_limit_is_not(game: str) -> None:
    assert forfeits(game, "mc:rollouts=2", "100000rollouts")["forfeits"] == 0


@game
def test_agents_that_roll_nothing_out_have_no_work_to_limit(game: str) -> None:
    assert forfeits(game, "greedy", "1rollouts")["forfeits"] == 0


@game
def test_ht18_time_beyond_the_limit_is_forfeited(game: str) -> None:
    assert forfeits(game, "mc:rollouts=20", "0.001ms")["forfeits"] > 100


def slow(view: object) -> int:
    import time

    time.sleep(0.003)
    return 0


@game
def test_ht18_a_plain_python_agent_is_held_to_it_as_well(game: str) -> None:
    found = tournament(game, [slow], games=1, players=3, move_limit="1ms")
    decisions = found.games.iloc[0]["decisions_mean"] * found.games.iloc[0]["n_games"]
    assert found.agents.iloc[0]["forfeits"] == decisions > 50


@game
def test_the_same_run_with_a_limit_on_work_gives_the_same_numbers(game: str) -> None:
    assert forfeits(game, "mc:rollouts=4", "100rollouts") == forfeits(game, "mc:rollouts=4", "100rollouts")


@pytest.mark.parametrize("text", ["5", "ms", "0ms", "-1ms", "1.5rollouts", "5 s", "1e3ms"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="expected a time such as 5ms"):
        limits.read(text)


@pytest.mark.parametrize("text", ["5ms", "0.25ms", "200rollouts"])
def test_limits_read_back(text: str) -> None:
    assert str(limits.read(text)) == text
