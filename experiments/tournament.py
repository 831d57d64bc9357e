"""Tournaments from Python: plan, play or go on, and read the tables.

    from experiments.tournament import tournament
    result = tournament("hotsim", ["random", "greedy"], games=10_000, players=4)
    result.agents

The same call gives the same numbers, whatever `jobs` is and however often it was interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agents.catalog import Player, parse_list, resolve
from experiments import anchor as anchors
from experiments import games as game_table
from experiments import limits, runner, schedule, store
from experiments.drawing import Draw, draughtsman
from experiments.folders import check_folder, free_folder, open_run
from experiments.match import Match
from experiments.result import Tournament, load, sections
from experiments.runner import Backend, InterruptedRun, Section
from experiments.schedule import Lineup, Plan
from experiments.tables import Part, build, dictionary
from gameapi.errors import UserError
from gameapi.game import Game

__all__ = ["InterruptedRun", "Setup", "Tournament", "load", "prepare", "tournament"]

MOST_JOBS = 1000
MOST_GAMES = 10**10  # a few hundred thousand chunks, whose names still fit the memory

AgentsLike = str | Sequence[str | Callable[..., Any]] | None


@dataclass(frozen=True)
class Setup:
    """A tournament that is ready to be played.

    Attributes:
        game, rules, deck: what is played.
        roster: the agents.
        seed: the seed.
        plans: one for each number of players.
        lineups: the mode, or the file of line-ups.
        manifest: all that decides the numbers, and what is known before the start.
    """

    game: Game
    rules: Any
    deck: Any
    roster: Sequence[Player]
    seed: int
    plans: Sequence[Plan]
    lineups: str
    manifest: Mapping[str, Any] = field(repr=False)

    def default_folder(self, resume: bool) -> Path:
        """Return a folder in `results`, named by what decides the numbers.

        Args:
            resume: whether the run shall go on: then it is the last folder of that name, else the first free one.
        """
        names = re.sub(r"[^A-Za-z0-9]+", "-", "-".join(player.text for player in self.roster)).strip("-")
        base = f"{self.game.name}-{names[:40].strip('-')}-s{self.seed}-{self.manifest['identity'][:8]}"
        return free_folder(base, resume)

    def play(
        self,
        out: str | Path | None = None,
        resume: bool = False,
        jobs: int | None = None,
        quiet: bool = True,
        command: str = "python",
        draw: Draw | None = None,
        scheduler: str | None = None,
    ) -> Tournament:
        """Play all games, or those that are left.

        Args:
            out: the run folder; None keeps nothing.
            resume: whether to go on with the run in `out`.
            jobs: chunks in play at a time, None for one a core; changes no number.
            quiet: whether to leave out the progress bar.
            command: what the manifest says was typed.
            draw: what draws the figures, where `drawing.draughtsman` has been called already.
            scheduler: address of a Dask scheduler whose workers play; None for threads of this process.

        Raises:
            UserError, UnreadableError: the folder or the cluster cannot be used; says why and what to do.
            AgentError: an agent failed.
            DiskFullError: there is no space left; finished chunks are kept.
            InterruptedRun: Ctrl-C; with a folder, finished chunks are kept.
        """
        cores = check_jobs(jobs)
        folder = None if out is None else Path(out)
        if folder is not None:
            check_folder(folder, resume)
        with self._backend(scheduler, folder is not None, jobs, quiet) as backend:
            if folder is None:
                sums = runner.run(self.sections(None, self.manifest, backend), cores, quiet, backend)
                return self._tournament(sums, self.manifest, None)
            with open_run(folder, resume, self.manifest, command) as manifest:
                if draw is not None:
                    return self._play_in(folder, manifest, cores, quiet, draw, backend)
                with draughtsman() as draw:
                    return self._play_in(folder, manifest, cores, quiet, draw, backend)

    def _backend(
        self, scheduler: str | None, keeps_rows: bool, jobs: int | None, quiet: bool
    ) -> AbstractContextManager[Backend | None]:
        """Return what gives the backend: a cluster's, or None for threads of this process."""
        if scheduler is None:
            return nullcontext()
        from experiments import cluster

        return cluster.connected(scheduler, cluster.recipes(self, keeps_rows), jobs, quiet)

    def _play_in(
        self, folder: Path, manifest: Mapping[str, Any], jobs: int, quiet: bool, draw: Draw, backend: Backend | None
    ) -> Tournament:
        """Play, and write all but rows."""
        sums = runner.run(self.sections(folder, manifest, backend), jobs, quiet, backend)
        found = self._tournament(sums, manifest, folder)
        store.write_tables(folder, {**found.tables, "columns": dictionary(self.game)})
        draw(found.tables, folder / "figures")
        return found

    def sections(
        self, folder: Path | None, manifest: Mapping[str, Any], backend: Backend | None = None
    ) -> list[Section]:
        """Return the sections with what plays them here; one that is whole, or played elsewhere, needs no kernels."""
        found = []
        limit = limits.read(manifest["move_limit"])
        for section in sections(self.game, manifest, folder):
            match = None
            if backend is None and not section.is_whole():
                match = Match(self.game, self.rules, self.deck, section.plan.players, self.roster, self.seed, limit)
            found.append(replace(section, match=match))
        return found

    def _tournament(self, sums: Sequence[Any], manifest: Mapping[str, Any], folder: Path | None) -> Tournament:
        parts = [Part(plan, part) for plan, part in zip(self.plans, sums, strict=True)]
        tables = build(self.game, [player.text for player in self.roster], parts, anchors.place(manifest))
        return Tournament(self.game, manifest, tables, folder)


def tournament(
    game: str | Game,
    agents: AgentsLike = None,
    games: int = 1000,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    lineups: str | Path = "all",
    deck: Any = None,
    rules: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
    move_limit: str | None = None,
    anchor: str | None = None,
    scheduler: str | None = None,
) -> Tournament:
    """Play a tournament.

    Args:
        game: its name, such as "hotsim".
        agents: specs such as ["random", "mc:rollouts=64"], or callables of your own; also one text with commas. One
            agent alone plays itself.
        games: games for each number of players, rounded up to whole deals in all seatings.
        players: numbers of players, None for all that the game allows.
        seed: any integer; decides deals and choices.
        jobs: chunks in play at a time, None for one a core; changes no number.
        lineups: "all", "focus", "pairs", "mirror", "random", or a CSV file with a line-up a row (then `agents` may be
            None).
        deck: a deck, or a deck file; None for the default deck.
        rules: rules, a rules file, or a dict of options that differ from the default.
        out: the run folder; None keeps no rows and writes nothing.
        resume: whether to go on with the run in `out`.
        quiet: whether to leave out the progress bar.
        move_limit: "5ms" or "200rollouts" a decision; one that takes more is forfeited: a random action is taken, and
            the table of agents counts it. A run with a time limit cannot be repeated.
        anchor: "greedy=1000" gives the agent that rating and all others theirs in relation to it; None: the mean is 0.
        scheduler: address of a Dask scheduler whose workers play; None for threads of this process.

    Returns:
        The tables, see `Tournament`.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        AgentError: an agent raised or returned an illegal action.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    setup = prepare(game, agents, games, players, seed, lineups, deck, rules, move_limit, anchor)
    return setup.play(out, resume, jobs, quiet, scheduler=scheduler)


def prepare(
    game: str | Game,
    agents: AgentsLike = None,
    games: int = 1000,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    lineups: str | Path | Callable[[int], Sequence[Lineup]] = "all",
    deck: Any = None,
    rules: Any = None,
    move_limit: str | None = None,
    anchor: str | None = None,
) -> Setup:
    """Resolve and check everything a tournament needs, and play nothing; arguments as in `tournament`.

    Line-ups may also be a function from a number of players to line-ups of places in the list of agents; that list may
    then have an agent twice.
    """
    the_game = game_table.get(game)
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise UserError(f"found {games!r}, expected an integer of at least 1", "games")
    if games > MOST_GAMES:
        raise UserError(f"found {games:,}, expected at most {MOST_GAMES:,}", "games")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise UserError(f"found {seed!r}, expected an integer", "seed")
    the_deck = the_game.load_deck(deck) if deck is None or isinstance(deck, str | Path) else deck
    the_rules = _load_rules(the_game, rules)
    roster = [] if agents is None else _roster(agents, the_game, twins=callable(lineups))
    by_players: dict[int, Any] = {}
    if callable(lineups):
        by_players, lineups = {n: lineups(n) for n in the_game.seats}, "given"
    elif str(lineups) not in schedule.MODES:
        roster, by_players = _read_lineups(lineups, roster, the_game)
    if not roster:
        raise UserError("none; name at least one, such as random,greedy", "agents")
    counts = player_counts(players, the_game, by_players)
    for count in counts:
        the_game.check(the_rules, the_deck, count)
    plans = [schedule.plan(len(roster), n, games, by_players.get(n, str(lineups)), seed) for n in counts]
    limit = limits.read(move_limit)
    manifest = _manifest(the_game, the_rules, the_deck, roster, seed, games, plans, str(lineups)) | {
        "move_limit": str(limit),
        "anchor": anchors.read(anchor, [player.text for player in roster]),
    }
    manifest["identity"] = store.identity(manifest)
    return Setup(the_game, the_rules, the_deck, roster, seed, plans, str(lineups), manifest)


def _load_rules(game: Game, rules: Any) -> Any:
    if rules is None or isinstance(rules, str | Path):
        return game.load_rules(rules)
    if isinstance(rules, Mapping):
        return game.load_rules().replace(**rules)
    return rules


def _roster(agents: AgentsLike, game: Game, twins: bool) -> list[Player]:
    """Return the agents in the order in which they are named; one that is named twice plays twice, as random#2.

    Args:
        agents: what was named.
        game: the game.
        twins: whether the second of two keeps the name of the first.
    """
    specs = parse_list(agents) if isinstance(agents, str) else list(agents or ())
    roster: list[Player] = []
    for player in (resolve(spec, game) for spec in specs):
        number = 1 + sum(other.spec == player.text for other in roster)
        second = number > 1 and not twins
        roster.append(replace(player, text=f"{player.text}#{number}", twin=number) if second else player)
    return roster


def _read_lineups(
    path: str | Path, roster: Sequence[Player], game: Game
) -> tuple[list[Player], dict[int, list[tuple[int, ...]]]]:
    """Read line-ups of agents; those that the roster lacks join it in the order in which they appear."""
    known = {player.text: player for player in roster}
    if not Path(path).suffix and not Path(path).exists():
        modes = ", ".join(schedule.MODES)
        raise UserError(f"found {str(path)!r}, expected {modes} or a CSV file", "lineups")

    def name_of(spec: str) -> str:
        player = known.get(spec) or resolve(spec, game)
        return known.setdefault(player.text, player).text

    found = schedule.read_lineups(path, name_of)
    seated = {name for lineups in found.values() for lineup in lineups for name in lineup}
    idle = [name for name in known if name not in seated]
    if idle:
        raise UserError(f"no line-up has {', '.join(idle)}", str(path))
    numbers = {name: number for number, name in enumerate(known)}
    by_players = {
        players: [tuple(numbers[name] for name in lineup) for lineup in lineups]
        for players, lineups in sorted(found.items())
    }
    return list(known.values()), by_players


def player_counts(players: int | Sequence[int] | None, game: Game, by_players: Mapping[int, Any]) -> list[int]:
    """Return the numbers of players to play, ascending: those asked for, else those of the line-ups, else all.

    Raises:
        UserError: the game is not played by so many, or no line-up has so many agents.
    """
    if players is None:
        asked = sorted(by_players or game.seats)
    else:
        asked = sorted({players} if isinstance(players, int) else set(players))
    wrong = [n for n in asked if isinstance(n, bool) or n not in game.seats]
    if wrong or not asked:
        first, last = game.seats[0], game.seats[-1]
        found = wrong[0] if wrong else "none"
        raise UserError(f"found {found}; {game.title} is played by {first} to {last}", "players")
    lacking = [n for n in asked if by_players and n not in by_players]
    if lacking:
        raise UserError(f"no line-up has {lacking[0]} agents", "players")
    return asked


def _manifest(
    game: Game,
    rules: Any,
    deck: Any,
    roster: Sequence[Player],
    seed: int,
    games: int,
    plans: Sequence[Plan],
    lineups: str,
) -> dict[str, Any]:
    costs = [player.cost for player in roster]
    manifest: dict[str, Any] = {
        "format": store.FORMAT,
        "identity": "",
        "game": game.name,
        "version": game.version,
        "seed": seed,
        "games": games,
        "lineups": lineups,
        "agents": [player.as_json() for player in roster],
        "rules": game.rules_json(rules),
        "deck": {key: value for key, value in game.service("deck_json")(deck).items() if key != "groups"},
        "plans": [
            {
                "players": plan.players,
                "n_games": plan.n_games,
                "n_deals": plan.n_deals,
                "n_seatings": plan.n_seatings,
                "lineups": [list(lineup) for lineup in plan.lineups],
            }
            for plan in plans
        ],
        "deals_per_part": {str(plan.players): schedule.deals_per_chunk(plan, costs) for plan in plans},
    }
    return manifest


def check_jobs(jobs: int | None) -> int:
    """Return the chunks in play at a time, one a core for None; refuse what is no such number."""
    if jobs is None:
        from joblib import cpu_count

        return int(cpu_count())
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise UserError(f"found {jobs!r}, expected an integer from 1 to {MOST_JOBS:,}", "jobs")
    return jobs
