"""Agents by text, the catalogue, a user's own agents, and whether the built-in ones do what they say."""

import hashlib
import importlib
import os
import pkgutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engines
import numpy as np
import pytest
from subjects import GAMES

import agents
from agents import catalog, flat_mc, spec
from agents.base import Agent
from agents.catalog import Player, resolve, table
from experiments.match import Match
from experiments.match import Table as At
from experiments.tracing import traces
from gameapi.errors import AgentError, UnreadableError, UserError
from gameapi.game import Game
from gameapi.kernel import MAX_PARAMETERS, POLICY_PARAMETERS
from hotsim.actions import Action, decode, encode
from hotsim.game import GAME
from hotsim.reference import Setup
from hotsim.table import Table

HEAT = GAMES["heatsim"]

any_game = pytest.mark.parametrize("name", GAMES)

AGENTS = [(game, agent) for game in GAMES.values() for agent in catalog.agents_of(game).values()]

any_agent = pytest.mark.parametrize(("game", "agent"), AGENTS, ids=lambda value: getattr(value, "name", value))

# Specs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", ("random", None, {})),
        (" mc:rollouts=8:policy=greedy ", ("mc", None, {"rollouts": "8", "policy": "greedy"})),
        ("my/own.py:best", ("best", "my/own.py", {})),
        ("own.py:Best:depth=2:name=a=b", ("Best", "own.py", {"depth": "2", "name": "a=b"})),
    ],
)
def test_specs_are_taken_apart(text: str, expected: tuple[str, str | None, dict[str, str]]) -> None:
    assert spec.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "expected a name"),
        (":rollouts=8", "expected a name"),
        ("mc:rollouts", "'rollouts' is no setting"),
        ("mc:=8", "no setting"),
        ("mc:rollouts=", "no setting"),
        ("mc:", "no setting"),
        ("mc:rollouts=8:rollouts=9", "rollouts is set twice"),
        ("own.py", "path/to/file.py:attribute"),
        ("own.py:depth=2", "path/to/file.py:attribute"),
    ],
)
def test_specs_that_say_nothing_are_refused(text: str, part: str) -> None:
    with pytest.raises(UserError, match=part) as fault:
        spec.parse(text)
    assert str(fault.value).startswith(f"agent {text!r}")
    assert fault.value.exit_code == 2


def test_lists() -> None:
    assert spec.parse_list("random, greedy,mc:rollouts=8") == ["random", "greedy", "mc:rollouts=8"]
    for text in ("", "random,", ",", "random,,greedy"):
        with pytest.raises(UserError, match="separated by commas"):
            spec.parse_list(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("random", {}),
        ("mc:rollouts=8:policy=greedy", {"rollouts": 8, "policy": "greedy"}),
        ("mc:policy=greedy:rollouts=8", {"rollouts": 8, "policy": "greedy"}),
        ("mc:rollouts=64", {"rollouts": 64}),
        ("mc:margin=1e-1", {"margin": 0.1}),
    ],
)
@any_game
def test_agents_are_called_as_they_were_given_and_know_all_their_parameters(
    text: str, values: dict[str, Any], name: str
) -> None:
    game = GAMES[name]
    player = resolve(f" {text} ", game)
    assert player.text == text
    expected = catalog.agents_of(game)[text.split(":")[0]].defaults() | values
    if expected.get("policy") == "auto":
        expected["policy"] = {"hotsim": "random", "heatsim": "heuristic"}[name]
    assert player.parameters == expected
    again = resolve(player.text, game)
    assert (again.text, again.parameters) == (player.text, player.parameters)
    assert again.record.tobytes() == player.record.tobytes()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("best", ["unknown agent", "random", "mc", "path/to/file.py"]),
        ("random:rollouts=8", ["unknown parameter rollouts", "takes none"]),
        ("mc:rolouts=8", ["unknown parameter rolouts", "mc takes", "rollouts"]),
        ("mc:rollouts=0", ["rollouts=0", "an integer from 1 to"]),
        ("mc:rollouts=1.5", ["rollouts=1.5", "an integer"]),
        ("mc:rollouts=many", ["rollouts=many", "an integer"]),
        ("mc:rollouts=10000000", ["from 1 to"]),
        ("mc:margin=-1", ["margin=-1", "a number from 0 to 1"]),
        ("mc:margin=nan", ["margin=nan", "a number"]),
        ("mc:margin=inf", ["margin=inf", "a number"]),
        ("mc:policy=mc", ["policy=mc", "random or greedy or heuristic"]),
        ("mc:time=-3", ["time=-3", "a number"]),
        ("heuristic:softness=0", ["softness=0", "from 0.1"]),
    ],
)
def test_settings_out_of_range_are_refused_with_what_would_be_right(text: str, parts: list[str]) -> None:
    with pytest.raises(UserError) as fault:
        resolve(text, GAME)
    assert all(part in str(fault.value) for part in [repr(text), *parts]), str(fault.value)
    assert fault.value.exit_code == 2


@any_agent
def test_every_bound_of_every_parameter_is_kept(game: Game, agent: Agent) -> None:
    for p in agent.parameters:
        values = p.choices or (p.low, p.high)
        for value in values:
            text = f"{value:.0f}" if isinstance(p.default, int) and not p.choices else str(value)
            assert p.read(text, "here") == (value if p.choices else type(p.default)(value))
        beyond = ("none",) if p.choices else (str(p.low - 1), str(p.high * 2 + 1))
        for text in beyond:
            with pytest.raises(UserError, match=rf"{p.name}=.*expected"):
                resolve(f"{agent.name}:{p.name}={text}", game)


# The catalogue


def modules_with_an_agent() -> list[Agent]:
    modules = [importlib.import_module(f"agents.{m.name}") for m in pkgutil.iter_modules(agents.__path__)]
    return [module.AGENT for module in modules if hasattr(module, "AGENT")]


def test_every_agent_is_in_the_catalogue() -> None:
    listed = [agent for _, agent in AGENTS]
    for agent in modules_with_an_agent():
        assert agent in listed


@any_agent
def test_agents_are_documented(game: Game, agent: Agent) -> None:
    assert catalog.agents_of(game)[agent.name] is agent
    assert agent.title
    assert agent.source
    assert agent.name == agent.name.lower()
    assert "," not in agent.name
    assert agent.cost(agent.defaults()) >= 1
    names = [p.name for p in agent.parameters]
    assert len(set(names)) == len(names)
    for p in agent.parameters:
        assert p.meaning
        assert p.default in p.choices if p.choices else p.low <= float(p.default) <= p.high
        assert p.allowed
    numbers = [p for p in agent.parameters if not p.choices]
    assert len(numbers) <= (MAX_PARAMETERS - POLICY_PARAMETERS if agent.policy else POLICY_PARAMETERS)


@any_agent
def test_the_table_lists_everything(game: Game, agent: Agent) -> None:
    mine = [row for row in table(game) if row["agent"] == agent.name]
    assert [row.get("parameter") for row in mine] == ([p.name for p in agent.parameters] or [None])
    assert all(row["title"] and row["source"] for row in mine)
    assert all(row["meaning"] and row["allowed"] and "default" in row for row in mine if "parameter" in row)


def test_agents_of_another_game_are_not_offered() -> None:
    other = type("Other", (), {"name": "other"})()
    assert catalog.agents_of(GAME)["heuristic"] is not catalog.agents_of(HEAT)["heuristic"]
    assert "heuristic" not in catalog.agents_of(other)
    assert "random" in catalog.agents_of(other)
    with pytest.raises(UserError, match="unknown agent; other has random"):
        resolve("heuristic", other)


@pytest.mark.parametrize("text", ["random", "greedy", "heuristic", "mc:rollouts=2", "mc:policy=heuristic:rollouts=1"])
@any_game
def test_agents_play_whole_games_that_can_be_repeated(text: str, name: str) -> None:
    game = GAMES[name]
    player = resolve(text, game)
    assert player.repeatable
    assert player.trusted
    assert player.digest is None
    n_deals = 1 if "mc" in text else 10
    fewest, most = game.seats[0], game.seats[-1]
    rows = [play([player], players, n_deals, game=game) for players in (fewest, most, fewest)]
    assert all(np.array_equal(rows[0][column], rows[2][column]) for column in rows[0])
    assert rows[1]["win"].sum() == pytest.approx(n_deals)


def play(
    roster: list[Player],
    players: int = 3,
    n_deals: int = 5,
    seatings: list[list[int]] | None = None,
    first: int = 0,
    game: Game = GAME,
) -> dict[str, Any]:
    match = Match(game, game.load_rules(), game.load_deck(), players, roster, seed=3)
    return match.play(first, n_deals, np.array(seatings or [[i % len(roster) for i in range(players)]], np.int16))


# Agents of one's own


OWN = """
import numpy as np
from GAME import kernels

def compiled(state, rules, work, me):
    n = kernels.legal(state, rules, work)
    return np.int64(work.legal[n - 1])

def plain(view, place=-1):
    return view.actions[place]

def by_number(view, place=0):
    return place

def by_numpy(view):
    return np.argmax(np.zeros(len(view.actions)))

class Kept:
    def __init__(self, place=-1, name="none"):
        self.place, self.name = place, name

    def choose(self, view):
        return view.actions[self.place]

class Callable_:
    def __call__(self, view):
        return view.actions[-1]

called = Callable_()
number = 7
"""


Own = Callable[..., Path]
"""(source of agents for GAME, the game's name) -> the file."""


@pytest.fixture
def own(tmp_path: Path) -> Own:
    def write(text: str, name: str = GAME.name) -> Path:
        path = tmp_path / "own.py"
        path.write_text(text.replace("GAME", name), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("agent", ["compiled", "plain", "plain:place=-1", "Kept", "Kept:place=-1:name=x", "called"])
@any_game
def test_agents_from_a_file_play_what_they_say(name: str, agent: str, own: Own) -> None:
    game, path = GAMES[name], own(OWN, name)
    player = resolve(f"{path}:{agent}", game)
    assert player.text == f"{path}:{agent}"
    assert player.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not player.trusted
    match = Match(game, game.load_rules(), game.load_deck(), 3, [player, resolve("random", game)], seed=1)
    for seating in ([0, 1, 0], [1, 0, 1]):
        assert follow(match, seating) > 10


def follow(match: Match, seating: list[int]) -> int:
    """Hold that the seats of the first agent always play the last of the legal actions; return how often they chose."""
    at, work, chosen = At(match.game, 3), np.zeros(1, match.game.layout.WORK).view(np.recarray)[0], 0
    for action in match.plies(at, 2, 0, np.array([seating], np.int16)):
        if seating[int(at.game.actor)] == 0:
            n = match.game.call("legal")(at.game, match.record, work)
            assert action == work.legal[n - 1]
            chosen += n > 1
    return chosen


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("hotsim", "by_number:place=0"),
        ("hotsim", "by_numpy"),
        ("heatsim", "by_number:place=0"),
        ("heatsim", "by_numpy"),
    ],
)
def test_places_in_the_list_of_actions_are_taken_too(name: str, agent: str, own: Own) -> None:
    game, path = GAMES[name], own(OWN, name)
    one, other = (resolve(f"{path}:{which}", game) for which in (agent, "plain:place=0"))
    assert np.array_equal(play([one], game=game)["score"], play([other], game=game)["score"])


@any_game
def test_compiled_and_plain_agents_of_one_rule_play_the_same(name: str, own: Own) -> None:
    game, path = GAMES[name], own(OWN, name)
    rows = [
        play([resolve(f"{path}:{agent}", game), resolve("greedy", game)], 4, game=game)
        for agent in ("compiled", "plain")
    ]
    assert np.array_equal(rows[0]["agent"], rows[1]["agent"])
    # The compiled one draws its world from its seat's stream, the plain one its view's seed: neither draws more.
    assert np.array_equal(rows[0]["score"], rows[1]["score"])


@any_game
def test_callables_of_a_notebook(name: str) -> None:
    def cautious(view: Any) -> Any:
        return view.actions[0]

    player = resolve(cautious, GAMES[name])
    assert player.text == "cautious"
    assert player.digest is None
    assert play([player], game=GAMES[name])["win"].sum() == pytest.approx(5)


def test_a_change_of_the_file_changes_the_game_at_once(own: Own) -> None:
    rows, digests = [], []
    for place in ("0", "-1", "0"):
        player = resolve(f"{own(f'def choose(view):{chr(10)}    return view.actions[{place}]{chr(10)}')}:choose", GAME)
        digests.append(player.digest)
        rows.append(play([player])["score"].tolist())
    assert rows[0] == rows[2] != rows[1]
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.parametrize("kind", ["compiled", "plain"])
def test_a_change_of_one_letter_within_a_second_counts(kind: str, own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)  # Python's own cache of bytecode goes by second and size
    bodies = {
        "compiled": "from hotsim import kernels\ndef choose(state, rules, work, me):\n"
        "    n = kernels.legal(state, rules, work)\n    return int(work.legal[{} * (n - 1)])\n",
        "plain": "def choose(view):\n    return view.actions[{} * (len(view.actions) - 1)]\n",
    }
    rows = []
    for factor in (0, 1):
        path = own(bodies[kind].format(factor))
        os.utime(path, (1e9, 1e9))
        rows.append(play([resolve(f"{path}:choose", GAME)])["score"].tolist())
    assert rows[0] != rows[1]


@pytest.mark.parametrize(
    ("text", "name", "error", "parts"),
    [
        ("def choose(view)\n    return 0\n", "choose", UnreadableError, [":1: SyntaxError"]),
        ("\n\nx = 1 / 0\n", "choose", UnreadableError, [":3: ZeroDivisionError: division by zero"]),
        ("import no_such_module_at_all\n", "choose", UnreadableError, [":1: ModuleNotFoundError", "no_such_module"]),
        (OWN, "missing", UnreadableError, ["own.py", "'missing'"]),
        (OWN, "number", UserError, ["own.py:number", "no function or class"]),
        (OWN, "plain:speed=3", UserError, ["own.py:plain", "speed"]),
        (OWN, "compiled:speed=3", UserError, ["own.py:compiled", "no parameters"]),
        ("class Empty:\n    pass\n", "Empty", UserError, ["own.py:Empty", "choose"]),
        (
            "def choose(state, rules, work, me):\n    return no_such_name\n",
            "choose",
            UserError,
            ["own.py", "no_such_name"],
        ),
        ("def choose(state, rules, work, me):\n    return 'a'\n", "choose", UserError, ["own.py"]),
        ("import sys\nsys.exit(3)\n", "choose", UserError, ["own.py:2", "SystemExit"]),
    ],
    ids=[
        "syntax",
        "raises",
        "import",
        "attribute",
        "no function",
        "no such setting",
        "compiled with settings",
        "class without choose",
        "compiled, unknown name",
        "compiled, returns text",
        "exits",
    ],
)
def test_files_that_cannot_be_used(text: str, name: str, error: type[UserError], parts: list[str], own: Own) -> None:
    path = own(text)
    with pytest.raises(error) as fault:
        resolve(f"{path}:{name}", GAME)
    assert all(part in str(fault.value) for part in parts), str(fault.value)
    assert fault.value.exit_code == 2


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"none\.py: cannot be read: No such file"):
        resolve(f"{tmp_path / 'none.py'}:choose", GAME)
    folder = tmp_path / "folder.py"
    folder.mkdir()
    with pytest.raises(UnreadableError, match=r"folder\.py: cannot be read"):
        resolve(f"{folder}:choose", GAME)


FAILING = """
import numpy as np
from GAME import kernels
from GAME import layout

def raises(view):
    if VIEW:
        raise KeyError("lost")
    return view.actions[0]

def leaves(view):
    if VIEW:
        raise SystemExit(0)
    return view.actions[0]

def illegal(view):
    return "the best one" if VIEW else view.actions[0]

def too_far(view):
    return len(view.actions) if VIEW else 0

def compiled_illegal(state, rules, work, me):
    kernels.legal(state, rules, work)
    return np.int64(-1 if STATE else work.legal[0])

def compiled_wrong(state, rules, work, me):
    kernels.legal(state, rules, work)
    return np.int64(3000 if STATE else work.legal[0])

def compiled_raises(state, rules, work, me):
    if STATE:
        raise ValueError("lost")
    kernels.legal(state, rules, work)
    return np.int64(work.legal[0])

class Broken:
    def __init__(self, when=0):
        raise RuntimeError("not today")

    def choose(self, view):
        return view.actions[0]
"""


@pytest.mark.parametrize(
    ("agent", "what"),
    [
        ("raises", "raised KeyError: 'lost'"),
        ("leaves", "raised SystemExit: 0"),
        ("illegal", "returned 'the best one'"),
        ("too_far", "returned "),
        ("compiled_illegal", "returned "),
        ("compiled_wrong", "returned "),
        ("compiled_raises", "raised ValueError: lost"),
    ],
)
@pytest.mark.parametrize(
    ("name", "in_view", "in_state", "ply"),
    [
        ("hotsim", "view.turns >= 2", "state.turns >= 2", 3),
        ("heatsim", "view.stage == 1", "state.phase == layout.REVEAL", 12),
    ],
)
def test_an_agent_that_fails_stops_with_agent_game_seat_and_ply(
    agent: str, what: str, name: str, in_view: str, in_state: str, ply: int, own: Own
) -> None:
    text = FAILING.replace("VIEW", in_view).replace("STATE", in_state)
    player = resolve(f"{own(text, name)}:{agent}", GAMES[name])
    first = resolve("random", GAMES[name])
    # In deal 4 of Hot Heads no storm comes in the first two turns: seat 2 is the third to act, at ply 3; in Heat it is
    # the third to reveal a card after three rounds of passes. The game's number is 4 * 2 + 0.
    with pytest.raises(AgentError) as fault:
        play([first, player], 3, seatings=[[0, 0, 1], [0, 1, 0]], first=4, game=GAMES[name])
    text = str(fault.value)
    assert what in text
    assert player.text in text
    assert f"3 players, game 8, seat 2, ply {ply}" in text
    assert fault.value.exit_code == 2


def test_a_class_that_cannot_be_made_is_told_as_the_agents_fault(own: Own) -> None:
    with pytest.raises(UserError, match="RuntimeError: not today"):
        play([resolve(f"{own(FAILING)}:Broken", GAME)])


@any_game
def test_traces_tell_the_game_in_which_an_agent_fails(name: str, own: Own) -> None:
    game = GAMES[name]
    path = own("def choose(view):\n    return None if view.seat == 2 else view.actions[0]\n")
    roster = [resolve(f"{path}:choose", game), *[resolve("random", game)] * 4]
    with pytest.raises(AgentError, match=r"game 3, seat 2, ply "):
        # Going round, agent 0 comes to sit at seat 2 in the game with number 3: (2 + 3) % 5 == 0.
        list(traces(game, game.load_rules(), game.load_deck(), 3, roster, games=5, seed=1))


# Strength and budgets


def share(first: str, second: str, deals: int, players: int, game: Game) -> float:
    """Give the win share of the first agent against copies of the second, over all seats."""
    roster = [resolve(first, game), resolve(second, game)]
    seatings = [[int(seat != own) for seat in range(players)] for own in range(players)]
    rows = play(roster, players, deals, seatings, game=game)
    return float(rows["win"][rows["agent"] == 0].mean())


@pytest.mark.parametrize(
    ("name", "players", "first", "second", "deals", "least"),
    [
        ("hotsim", 2, "mc:rollouts=8", "random", 60, 0.75),
        ("hotsim", 4, "mc:rollouts=8", "random", 30, 0.5),
        ("hotsim", 2, "greedy", "random", 150, 0.6),
        ("hotsim", 2, "heuristic", "random", 150, 0.65),
        ("hotsim", 2, "mc:rollouts=32", "mc:rollouts=1", 60, 0.55),
        ("heatsim", 3, "mc:rollouts=8", "random", 60, 0.5),
        ("heatsim", 5, "mc:rollouts=8", "random", 30, 0.3),
        ("heatsim", 3, "greedy", "random", 150, 0.4),
        ("heatsim", 3, "heuristic", "random", 150, 0.45),
        ("heatsim", 3, "mc:rollouts=32", "mc:rollouts=1", 60, 0.4),
    ],
)
def test_stronger_agents_win_more(name: str, players: int, first: str, second: str, deals: int, least: float) -> None:
    assert share(first, second, deals, players, GAMES[name]) > least


def test_a_time_budget_is_kept_and_said_to_be_unrepeatable() -> None:
    player = resolve("mc:time=30", GAME)
    assert not player.repeatable
    assert resolve("mc", GAME).repeatable
    game = Table(3)
    choose(player, game)
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        choose(player, game)
        taken.append(time.perf_counter() - start)
    assert min(taken) >= 0.030
    assert sorted(taken)[2] < 0.150


def choose(player: Player, game: Table, stream: int = 1) -> Action:
    record = GAME.record(game.rules, game.deck, game.players)[0]
    work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
    work.stream = np.uint64(stream)
    assert player.kernel
    return decode(player.kernel(game.state, record, work, player.record[0]), game.deck.faces)


def hand_made(hands: list[str], draw_pile: str, **options: Any) -> Table:
    dealt: Setup = engines.setup(hands, draw_pile)
    return engines.on_kernel(engines.rules_for(dealt, **options), len(hands), dealt)


def test_greedy_takes_an_obviously_best_action() -> None:
    # Seat 2's 1+5 flies highest, so the scores are 3, 4, 0. Without the column of seat 1 or 2 seat 0 leads by 3.
    hands = ["1+3 sabotage 2+1", "1+4 2+2 2+3", "1+5 3+1 3+2"]
    game = hand_made(hands, "4+1 4+2 4+3 4+4 storm")
    engines.run(game, engines.play("1+3", to=0), engines.play("1+4", to=1), engines.play("1+5", to=2))
    best = {engines.sabotage(seat, 1, end) for seat in (1, 2) for end in ("top", "bottom")}
    assert {choose(resolve("greedy", GAME), game, stream) for stream in range(40)} == best, "a uniform one of equals"


def test_greedy_stays_below_the_highest() -> None:
    game = hand_made(["2+1 2+2", "1+3 2+3", "1+2 1+5"], "4+1 4+2 1+4 storm")
    engines.run(game, engines.play("2+1", to=0), engines.play("1+3", to=1))
    # 1+2 at home scores 2 while 1+3 flies away; anything higher flies itself, and leaves 3 points to seat 1.
    assert {choose(resolve("greedy", GAME), game, stream) for stream in range(20)} == {engines.play("1+2", to=2)}


def test_greedy_foresees_its_own_picks_but_no_others() -> None:
    game = hand_made(["1+1 2+1", "1+3 3+3", "1+2 4+2"], "2+2 storm")
    engines.run(game, engines.play("2+2", to=2))
    # In the storm seat 1 picks first; what the others pick is not there yet, so whatever it lays is highest: all equal.
    assert game.phase == "pick"
    picks = {choose(resolve("greedy", GAME), game, stream) for stream in range(40)}
    assert picks == set(game.legal())


class Toy:
    """Arms with known figures, as `keep_best` sees them."""

    def __init__(self, totals: list[float]) -> None:
        self.work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
        self.work.total[: len(totals)] = totals
        self.work.candidate[: len(totals)] = range(len(totals))
        self.n = len(totals)

    def keep(self, keep: int) -> list[int]:
        flat_mc.keep_best(self.work, self.n, keep)
        assert self.work.total[:keep].tolist() == sorted(self.work.total[: self.n].tolist(), reverse=True)[:keep]
        return [int(arm) for arm in self.work.candidate[:keep]]


def test_keep_best_keeps_the_best_in_order() -> None:
    assert Toy([1, 5, 3, 4, 2]).keep(3) == [1, 3, 2]
    assert Toy([2, 2, 2, 2]).keep(2) == [0, 1], "equal ones keep their order"
    assert Toy([1, 3, 3, 2]).keep(2) == [1, 2]
    assert Toy([-1]).keep(1) == [0]


def test_halving_finds_the_best_of_noisy_arms() -> None:
    rng = np.random.default_rng(1)
    values, found = np.linspace(0, 1, 13), 0
    for _ in range(20):
        toy = Toy([0.0] * 13)
        n = 13
        while n > 1:
            for _ in range(200 // n):
                toy.work.total[:n] += values[toy.work.candidate[:n]] + rng.normal(0, 0.5, n)
            toy.n, n = n, (n + 1) // 2
            toy.keep(n)
        found += int(toy.work.candidate[0]) >= 11
    assert found >= 18


def test_mc_takes_about_the_best_action_where_the_outcome_can_be_worked_out() -> None:
    # One card is played, then the storm takes one of each hand; all cards are known but who holds which.
    game = hand_made(["1+1 1+2", "1+3 2+1", "1+4 2+2"], "1+5 storm")
    wins = expected_wins(game)
    assert max(wins.values()) > min(wins.values()) + 0.3
    for policy in ("random", "greedy", "heuristic"):
        action = choose(resolve(f"mc:rollouts=300:margin=0:policy={policy}", GAME), game)
        assert policy != "random" or wins[action] > max(wins.values()) - 0.08, wins


def expected_wins(game: Table) -> dict[Action, float]:
    """Give seat 0's win share after each action when everybody goes on at random, over the worlds it cannot tell."""
    record = GAME.record(game.rules, game.deck, game.players)[0]
    work = np.zeros(1, GAME.layout.WORK).view(np.recarray)[0]
    state = np.zeros(1, GAME.layout.STATE).view(np.recarray)[0]
    found = {}
    for action in game.legal():
        total = 0.0
        for _ in range(600):
            GAME.call("copy")(state, game.state)
            GAME.call("determinize")(state, record, 0, work)
            GAME.call("step")(state, record, encode(action, game.deck.faces), work)
            GAME.call("rollout")(state, record, work)
            total += float(work.win[0])
        found[action] = total / 600
    return found
