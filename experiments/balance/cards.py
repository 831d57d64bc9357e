"""What each card does: how often it comes up, how seats fare with it, what it is worth, and which cards stand out.

    from experiments.balance.cards import cards
    result = cards("hotsim", games=20_000, changes=1_000)
    result.frame("cards")

The same call gives the same numbers, whatever `jobs` is and however often it was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from agents.catalog import Player, agents_of
from experiments import games as game_table
from experiments import runner, schedule, store
from experiments.balance import card_sums, card_tables, designs
from experiments.balance import study as studies
from experiments.balance.card_loop import CardMatch
from experiments.balance.card_measures import EXCHANGE, conditions
from experiments.balance.card_sums import CardSums
from experiments.balance.cells import CHUNKS_PER_PART, Level
from experiments.balance.results import Found
from experiments.balance.study import Columns, Setup, Study
from experiments.columns import described
from experiments.runner import Section, Task
from experiments.tables import Table
from experiments.tournament import MOST_GAMES
from gameapi.errors import UnreadableError, UserError
from gameapi.game import Game

KIND = "cards"
AGENTS = ("heuristic",)
GAMES, CHANGES = 20_000, 1_000
WATCHED, CHANGED = "watched", "changed"


class CardKey(NamedTuple):
    """Which cell: number of players, number of the level, whether games are watched or changed."""

    players: int
    level: int
    part: str


@dataclass(frozen=True)
class CardCell(Section):
    """The games of a number of players and an agent, watched or changed; its parts hold sums.

    Attributes:
        key: which.
    """

    key: CardKey

    def path(self, number: int) -> Path | None:
        """Return the part of a chunk, None where nothing is kept."""
        if self.folder is None:
            return None
        players, level, part = self.key
        return self.folder / "parts" / f"p{players}-l{level}-{part}-{number:04d}.parquet"

    def take(self, task: Task) -> tuple[store.Columns, CardSums]:  # type: ignore[override]
        """Return the sums of a chunk, from its part or played now."""
        path = self.path(task.number)
        if path is not None and path.exists():
            return {}, card_sums.from_columns(store.read_part(path, None, self.run), task.n_deals)
        found = self._played(task)
        if path is not None:
            store.write_part(path, store.as_part(found.columns(), self.run))
        return {}, found

    def _played(self, task: Task) -> CardSums:
        match: Any = self.match
        last = task.first_deal + task.n_deals
        sums = match.play(task.first_deal, task.n_deals, last if self.key.part == CHANGED else 0)
        if self.key.part == CHANGED:
            changes = [EXCHANGE, *(ban.name for ban in self.game.bans)][: match.n_changes]
            return card_sums.changed(sums, changes, task.n_deals)
        counts = [count.name for count in self.game.counts]
        return card_sums.watched(sums, counts, [met.name for met in conditions(self.game)], task.n_deals)


@dataclass(frozen=True)
class CardSetup(Setup):
    """A study of cards that is ready to be played."""

    def dictionary(self, more: Columns) -> Table:
        """Return what the columns of the tables mean."""
        return described({**card_tables.COLUMNS, **more}, card_tables.METHODS)

    def totals(self, folder: Path | None, manifest: Mapping[str, Any], jobs: int, quiet: bool) -> dict[Any, Any]:
        """Play every cell that is not there; return the sums of all."""
        found = [self._seated(cell) for cell in cells(self.game, manifest, folder)]
        sums = runner.run(found, jobs, quiet)
        return {cell.key: part for cell, part in zip(found, sums, strict=True)}

    def _seated(self, cell: CardCell) -> CardCell:
        if cell.is_whole():
            return cell
        level, start = self.levels[cell.key.level], self.designs[0]
        met = [condition.counts for condition in conditions(self.game)]
        bans = not searches(self.game, level.agent)
        match: Any = CardMatch(
            self.game, start.rules, start.deck, cell.key.players, level.agent, self.manifest["seed"], met, bans
        )
        return replace(cell, match=match)

    def _study(self, totals: Mapping[Any, Any], manifest: Mapping[str, Any], folder: Path | None) -> Study:
        return _study(self.game, manifest, totals, folder)


def searches(game: Game, player: Player) -> bool:
    """Tell whether an agent may play games out in its head: then no card can be hidden from it."""
    known = agents_of(game).get(player.spec.split(":")[0])
    return known is None or not known.policy


def cells(game: Game, manifest: Mapping[str, Any], folder: Path | None) -> list[CardCell]:
    """Return the cells that a manifest lists, with nothing to play them."""
    found = []
    for entry in manifest["plans"]:
        key = CardKey(*(entry[name] for name in CardKey._fields))
        plan = schedule.plan(1, key.players, entry["n_games"], "mirror")
        found.append(CardCell(game, plan, entry["deals_per_part"], None, folder, manifest["identity"], key))
    return found


def _study(game: Game, manifest: Mapping[str, Any], totals: Mapping[Any, Any], folder: Path | None) -> Study:
    agents = [entry["agent"] for entry in manifest["agents"]]
    found = []
    for (players, level, part), sums in totals.items():
        both = totals.get((players, level, CHANGED))
        if part == WATCHED and sums is not None and both is not None:
            kinds = manifest["study"]["settings"]["cards"][str(players)]
            found += card_tables.cards_of(game, players, agents[level], kinds, sums.beside(both))
    tables = card_tables.tables(game, found)
    return Study(game, manifest, tables, folder, Found(game, [designs.BASE], agents, {}, []))


def cards(
    game: str | Game,
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = GAMES,
    changes: int = CHANGES,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    deck: Any = None,
    rules: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
) -> Study:
    """Study the cards of a game.

    Args:
        game: its name, such as "hotsim".
        agents: levels of skill; each plays against copies of itself. A hundredth of games and changes for those that
            search.
        games: games that are watched, for each number of players and level, a deal each.
        changes: deals on which each card is exchanged into a hand and forbidden to a seat, all seats in turn.
        players: numbers of players, None for all that the game allows.
        seed: any integer; decides deals and choices.
        jobs: chunks in play at a time, None for one a core; changes no number.
        deck: a deck, or a deck file; None for the default deck.
        rules: rules, or a rules file; None for the default ones.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        quiet: whether to leave out the progress bar.

    Returns:
        The study, with the tables of `card_tables.COLUMNS`.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        AgentError: an agent raised or returned an illegal action.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    return prepare(game, agents, games, changes, players, seed, deck, rules).play(out, resume, jobs, quiet)


def prepare(
    game: str | Game,
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = GAMES,
    changes: int = CHANGES,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    deck: Any = None,
    rules: Any = None,
) -> CardSetup:
    """Resolve and check everything, and play nothing; arguments as in `cards`."""
    the_game = game_table.get(game)
    if isinstance(changes, bool) or not isinstance(changes, int) or not 2 <= changes <= MOST_GAMES:
        raise UserError(f"found {changes!r}, expected an integer from 2 to {MOST_GAMES:,}", "changes")
    start = designs.base(
        the_game,
        the_game.load_rules(rules) if isinstance(rules, str | Path) else rules,
        the_game.load_deck(deck) if isinstance(deck, str | Path) else deck,
    )
    made = studies.prepare(the_game, [start], KIND, agents, games, None, players, seed)
    counts = sorted({entry["players"] for entry in made.manifest["plans"]})
    kinds = {str(n): [list(kind) for kind in the_game.service("cards")(start.deck, n)] for n in counts}
    manifest = {
        **made.manifest,
        "lineups": "mirror",
        "plans": [entry for n in counts for entry in _entries(the_game, n, made.levels, changes, games, kinds[str(n)])],
        "study": {**made.manifest["study"], "settings": {"changes": changes, "cards": kinds}},
    }
    manifest["identity"] = store.identity(manifest)
    return CardSetup(made.game, made.designs, made.levels, manifest)


def _entries(
    game: Game, players: int, levels: Sequence[Level], changes: int, games: int, kinds: Sequence[Sequence[Any]]
) -> list[dict[str, Any]]:
    """Return what a manifest says of the cells of a number of players."""
    found = []
    for number, level in enumerate(levels):
        bans = 0 if searches(game, level.agent) else len(game.bans)
        replays = 1 + (1 + bans) * sum(copies > 0 for _, _, copies in kinds)
        for part, n_deals, each in (
            (WATCHED, level.games, 1),
            (CHANGED, max(2, changes * level.games // games), replays),
        ):
            plan = schedule.plan(1, players, n_deals, "mirror")
            by_cost = CHUNKS_PER_PART * schedule.deals_per_chunk(plan, [level.agent.cost * each])
            sizes = {"n_deals": n_deals, "n_seatings": 1, "n_games": n_deals, "deals_per_part": min(n_deals, by_cost)}
            found.append({**CardKey(players, number, part)._asdict(), **sizes})
    return found


def load(folder: str | Path) -> Study:
    """Read the folder of a study of cards; the tables are made anew from the sums that are there.

    Raises:
        UnreadableError: no such study, or a part that cannot be read; says which and what to do.
    """
    folder = Path(folder)
    manifest = store.read_manifest(folder)
    if manifest.get("study", {}).get("kind") != KIND:
        raise UnreadableError("holds no study of cards", str(folder))
    game = game_table.get(manifest["game"])
    found = cells(game, manifest, folder)
    totals = {cell.key: part for cell, part in zip(found, runner.run(found, 1, True), strict=True)}
    return _study(game, manifest, totals, folder)
