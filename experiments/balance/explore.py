"""The search itself: Optuna proposes settings, whoever calls tells what they are worth, until enough have been tried.

Sampler: multi-objective TPE (Ozaki and others 2020), which models good and bad settings apart and needs no gradients
or whole generations. What it proposes depends on the seed, the trials so far and the number of the next one alone: a
new sampler is seeded for each. So a search that was killed goes on as if nothing had happened.

The journal on disk is Optuna's own (`JournalStorage`: lines of JSON, nothing pickled). Only whole trials are written to
it, each as one line; what was being played when a process died is played again.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gameapi.errors import UnreadableError, UserError
from gameapi.rng import PlainStream

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

NAME = "search"
RANDOM_FIRST = 10  # trials before the sampler models anything, as Optuna's default
TRIES = 100  # random settings looked at for one that is new, before all are gone through in order

Settings = dict[str, str]
Space = Mapping[str, Sequence[str]]


class Worth(NamedTuple):
    """What settings are worth.

    Attributes:
        objectives: to be made small, one number each; none where the settings are impossible.
        found: JSON values that are kept with the trial.
        impossible: why they cannot be played; empty where they can.
    """

    objectives: list[float]
    found: Any
    impossible: str = ""


class Trial(NamedTuple):
    """Settings that were tried, in the order of trials."""

    number: int
    settings: Settings
    worth: Worth


def explore(
    space: Space,
    n_objectives: int,
    worth_of: Callable[[Settings], Worth],
    trials: int,
    seed: int,
    journal: Path | None = None,
    first: Mapping[str, str] | None = None,
    after: Callable[[Trial], None] | None = None,
) -> list[Trial]:
    """Try settings until there are enough trials, or none is left; no settings are tried twice.

    Args:
        space: for each key the values that it may take.
        n_objectives: how many numbers `worth_of` gives.
        worth_of: what is asked about settings, once each and one after the other; the same settings have the same worth.
        trials: how many to try, those in the journal included.
        seed: decides the proposals.
        journal: the file that keeps trials, and gives those of a former process; None keeps nothing.
        first: settings to begin with, where the space has them.
        after: told of every new trial.

    Returns:
        All trials, in order.

    Raises:
        UserError: Optuna is missing.
        UnreadableError: the journal is damaged, or of another search.
    """
    distributions = _distributions(space)
    with _quiet_optuna() as optuna:
        kept = _kept(journal, n_objectives)
        memory = optuna.create_study(directions=["minimize"] * n_objectives)
        tried = []
        for frozen in kept.get_trials(deepcopy=False) if kept else []:
            tried.append(_read(frozen, len(tried), distributions, journal))
            memory.add_trial(frozen)
        seen = {tuple(trial.settings.values()) for trial in tried}
        while len(tried) < min(trials, math.prod(map(len, space.values()))):
            settings = _proposal(memory, distributions, space, seed, len(tried), seen, first)
            trial = Trial(len(tried), settings, worth_of(settings))
            frozen = _frozen(trial, distributions, n_objectives)
            if kept:
                kept.add_trial(frozen)
            memory.add_trial(frozen)
            seen.add(tuple(settings.values()))
            tried.append(trial)
            if after:
                after(trial)
    return tried


def _proposal(
    memory: Study,
    distributions: Mapping[str, BaseDistribution],
    space: Space,
    seed: int,
    number: int,
    seen: set[tuple[str, ...]],
    first: Mapping[str, str] | None,
) -> Settings:
    """Return settings that have not been tried: the first ones, those that the sampler wants, or random ones."""
    if number == 0 and first is not None and all(first.get(key) in values for key, values in space.items()):
        return {key: first[key] for key in space}
    memory.sampler = _sampler(seed, number)
    asked = memory.ask(dict(distributions))
    memory.tell(asked, state=_states().FAIL)  # the sampler passes over it: what it was worth is told as a trial of its own
    settings = {key: space[key][asked.params[key]] for key in space}
    if tuple(settings.values()) not in seen:
        return settings
    stream = PlainStream(_mixed(seed, number, "new settings"))
    random = (tuple(values[stream.below(len(values))] for values in space.values()) for _ in range(TRIES))
    new = next(found for found in itertools.chain(random, itertools.product(*space.values())) if found not in seen)
    return dict(zip(space, new, strict=True))


def _mixed(seed: int, number: int, purpose: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {number} {purpose}".encode()).digest()[:8], "little")


def _sampler(seed: int, number: int) -> Any:
    from optuna.samplers import TPESampler

    # what is being tried by others is no matter: trials come one after the other
    return TPESampler(seed=_mixed(seed, number, "sampler") % 2**32, n_startup_trials=RANDOM_FIRST, constant_liar=False)


def _states() -> Any:
    from optuna.trial import TrialState

    return TrialState


def _distributions(space: Space) -> dict[str, BaseDistribution]:
    """Return what the sampler chooses from: places in the list of values, ordered where the values are numbers that rise.

    Values themselves stay out of it, so that any text can be one.
    """
    from optuna.distributions import CategoricalDistribution, IntDistribution

    return {
        key: IntDistribution(0, len(values) - 1)
        if _rises(values)
        else CategoricalDistribution(tuple(range(len(values))))
        for key, values in space.items()
    }


def _rises(values: Sequence[str]) -> bool:
    try:
        numbers = [Fraction(value) for value in values]
    except ValueError:
        return False
    return all(less < more for less, more in itertools.pairwise(numbers))


# ---- the journal ----------------------------------------------------------------------------------------------------


def _kept(journal: Path | None, n_objectives: int) -> Study | None:
    """Open or begin the journal; what a killed process had begun to write is dropped."""
    if journal is None:
        return None
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    # The run folder is held by this process alone, so a lock that lies here is that of a dead one.
    journal.with_name(f"{journal.name}.lock").unlink(missing_ok=True)
    if journal.exists():
        _drop_torn_line(journal)
    try:
        storage = JournalStorage(JournalFileBackend(str(journal)))
        directions = ["minimize"] * n_objectives
        return optuna.create_study(storage=storage, study_name=NAME, directions=directions, load_if_exists=True)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as fault:
        raise _damaged(journal, fault) from None


def _drop_torn_line(journal: Path) -> None:
    with open(journal, "r+b") as file:
        content = file.read()
        if not content.endswith(b"\n"):
            file.truncate(content.rfind(b"\n") + 1)


def _frozen(trial: Trial, distributions: Mapping[str, BaseDistribution], n_objectives: int) -> FrozenTrial:
    """Return a trial as Optuna keeps it."""
    from optuna.trial import create_trial

    worth = trial.worth
    places = {key: distribution.to_external_repr(0) for key, distribution in distributions.items()}
    return create_trial(
        values=worth.objectives or [math.inf] * n_objectives,
        params=places,
        distributions=dict(distributions),
        user_attrs={"settings": trial.settings, "found": worth.found, "impossible": worth.impossible},
        constraints={"impossible": 1.0 if worth.impossible else 0.0},
    )


def _read(frozen: FrozenTrial, number: int, distributions: Mapping[str, BaseDistribution], journal: Any) -> Trial:
    """Return a trial as it was kept."""
    try:
        attributes = frozen.user_attrs
        settings, impossible = dict(attributes["settings"]), str(attributes["impossible"])
        objectives = [] if impossible else [float(value) for value in frozen.values]
        if frozen.distributions != dict(distributions) or list(settings) != list(distributions):
            raise ValueError("it is of another search")
        return Trial(number, settings, Worth(objectives, attributes["found"], impossible))
    except (KeyError, TypeError, ValueError) as fault:
        raise _damaged(journal, fault) from None


def _damaged(journal: Path, fault: Exception) -> UnreadableError:
    return UnreadableError(f"damaged: {fault}; search again with another --out", str(journal))


@contextmanager
def _quiet_optuna() -> Iterator[Any]:
    """Give Optuna, which neither logs nor tells what is new in it while the block lasts."""
    try:
        import optuna
    except ImportError as fault:
        raise UserError(f"needs Optuna ({fault}); install it with: pip install 'hot-and-heat[search]'", "search") from None
    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            yield optuna
    finally:
        optuna.logging.set_verbosity(level)
