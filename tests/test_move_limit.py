"""A decision that takes more than it may is forfeited: a random action is taken, and the tables count it."""

import pytest

from experiments import limits
from experiments.tournament import tournament
from gameapi.errors import UserError


def forfeits(agent: str, limit: str | None) -> dict[str, float]:
    found = tournament("hotsim", [agent], games=4, players=3, seed=5, move_limit=limit)
    return found.agents.iloc[0].to_dict()


def test_work_beyond_the_limit_is_forfeited_and_counted() -> None:
    free, held = forfeits("mc:rollouts=4", None), forfeits("mc:rollouts=4", "3rollouts")
    assert free["forfeits"] == 0
    assert held["forfeits"] > 100, "nearly all of 4 games with about 60 decisions each"
    assert held["score_mean"] != free["score_mean"]


def test_work_within_the_limit_is_not() -> None:
    assert forfeits("mc:rollouts=2", "100000rollouts")["forfeits"] == 0


def test_agents_that_roll_nothing_out_have_no_work_to_limit() -> None:
    assert forfeits("greedy", "1rollouts")["forfeits"] == 0


def test_time_beyond_the_limit_is_forfeited() -> None:
    assert forfeits("mc:rollouts=20", "0.001ms")["forfeits"] > 100


def slow(view: object) -> int:
    import time

    time.sleep(0.003)
    return 0


def test_a_plain_python_agent_is_held_to_it_as_well() -> None:
    found = tournament("hotsim", [slow], games=1, players=3, move_limit="1ms").agents.iloc[0]
    assert found["forfeits"] == pytest.approx(found["n_games"] * 59, rel=0.3)


def test_the_same_run_with_a_limit_on_work_gives_the_same_numbers() -> None:
    assert forfeits("mc:rollouts=4", "100rollouts") == forfeits("mc:rollouts=4", "100rollouts")


@pytest.mark.parametrize("text", ["5", "ms", "0ms", "-1ms", "1.5rollouts", "5 s", "1e3ms"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="expected a time such as 5ms"):
        limits.read(text)


@pytest.mark.parametrize("text", ["5ms", "0.25ms", "200rollouts"])
def test_limits_read_back(text: str) -> None:
    assert str(limits.read(text)) == text
