"""The search itself: Optuna proposes settings, whoever calls tells what they are worth, until enough have been tried.

Sampler: multi-objective TPE (Ozaki and others 2020), which models good and bad settings apart and needs no gradients
and no whole generations. What it proposes depends on the seed, the trials so far and the number of the next one alone:
a new sampler is seeded for each. So a search that was killed goes on as if nothing had happened.

The journal on disk is Optuna's own (`JournalStorage`: lines of JSON, nothing pickled). Only whole trials are written to
it, each as one line; what was being played when a process died is played again.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.samplers import TPESampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, create_trial

from experiments.balance.trials import Trial, Worth, sums
from gameapi.errors import UnreadableError
from gameapi.rng import PlainStream

NAME = "search"
RANDOM_FIRST = 10  # trials before the sampler models anything, as is Optuna's default
LAST = 0.01  # weight of the last objective where all are aimed at: it decides among settings that are as good otherwise

Settings = dict[str, str]
Space = Mapping[str, Sequence[str]]
Distributions = dict[str, BaseDistribution]


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
        space: for each key the values that it may take, each once.
        n_objectives: how many numbers `worth_of` gives.
        worth_of: what is asked about settings, one after the other; the same settings must have the same worth.
        trials: how many to try, those in the journal included.
        seed: decides the proposals.
        journal: the file that keeps trials, and gives those of a former process; None keeps nothing.
        first: settings to begin with, where the space has them.
        after: is told of every new trial.

    Returns:
        The trials, in order.

    Raises:
        UnreadableError: the journal is damaged, or of another search.
    """
    distributions = _distributions(space)
    with _silence():
        kept = _kept(journal, n_objectives)
        former = kept.get_trials(deepcopy=False)[:trials] if kept else []
        tried = [_read(frozen, number, space, n_objectives, journal) for number, frozen in enumerate(former)]
        while len(tried) < min(trials, math.prod(map(len, space.values()))):
            settings = _proposal(tried, space, distributions, n_objectives, seed, first)
            tried.append(Trial(len(tried), settings, worth_of(settings)))
            if kept:
                kept.add_trial(_kept_trial(tried[-1], space, distributions, n_objectives))
            if after:
                after(tried[-1])
    return tried


def _proposal(
    tried: Sequence[Trial],
    space: Space,
    distributions: Distributions,
    n_objectives: int,
    seed: int,
    first: Mapping[str, str] | None,
) -> Settings:
    """Return settings that have not been tried: the first ones, those that the sampler wants, or others near the best.

    Every second proposal aims at all objectives at once, since a front of many dimensions has room for more good
    settings than are tried; the others look for the front.
    """
    number = len(tried)
    if number == 0 and first is not None and all(first.get(key) in values for key, values in space.items()):
        return {key: first[key] for key in space}
    aims = sums(tried, [1.0] * (n_objectives - 1) + [LAST])
    told = [[value] for value in aims] if number % 2 else [trial.worth.objectives for trial in tried]
    study = _study(1 if number % 2 else n_objectives)
    # What others are trying is no matter: trials come one after the other.
    sampler_seed = _mixed(seed, number, "sampler") % 2**32
    study.sampler = TPESampler(seed=sampler_seed, n_startup_trials=RANDOM_FIRST, constant_liar=False)
    for trial, objectives in zip(tried, told, strict=True):
        study.add_trial(_told(trial, space, distributions, objectives, len(study.directions)))
    asked = study.ask(distributions)
    settings = {key: values[asked.params[key]] for key, values in space.items()}
    seen = {tuple(trial.settings.values()) for trial in tried}
    if tuple(settings.values()) not in seen:
        return settings
    best = sorted(range(number), key=lambda place: aims[place])
    near = (
        [new for new in _neighbours(tried[place].settings, space, distributions) if new not in seen] for place in best
    )
    choice = next(filter(None, near))  # something is left, and every place of the space has a way to every other
    stream = PlainStream(_mixed(seed, number, "new settings"))
    return dict(zip(space, choice[stream.below(len(choice))], strict=True))


def _neighbours(settings: Settings, space: Space, distributions: Distributions) -> list[tuple[str, ...]]:
    """Return settings that differ in one key, by one place in its list where values rise, else by any."""
    found = []
    for key, values in space.items():
        here = values.index(settings[key])
        rising = isinstance(distributions[key], IntDistribution)
        others = [here - 1, here + 1] if rising else range(len(values))
        for place in others:
            if 0 <= place < len(values) and place != here:
                found.append(tuple((settings | {key: values[place]}).values()))
    return found


def _study(n_objectives: int, **kept: Any) -> optuna.Study:
    return optuna.create_study(directions=[StudyDirection.MINIMIZE] * n_objectives, **kept)


def _mixed(seed: int, number: int, purpose: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {number} {purpose}".encode()).digest()[:8], "little")


def _distributions(space: Space) -> Distributions:
    """Return what the sampler chooses from: places in the list of values, ordered where the values are rising numbers.

    Values themselves stay out of it, so that any text can be one.
    """
    return {
        key: IntDistribution(0, len(values) - 1) if _rise(values) else CategoricalDistribution(range(len(values)))
        for key, values in space.items()
    }


def _rise(values: Sequence[str]) -> bool:
    try:
        numbers = [Fraction(value) for value in values]
    except ValueError:
        return False
    return all(less < more for less, more in itertools.pairwise(numbers))


# ---- the journal ----------------------------------------------------------------------------------------------------


def _kept(journal: Path | None, n_objectives: int) -> optuna.Study | None:
    """Open or begin the journal; what a killed process had begun to write is dropped."""
    if journal is None:
        return None
    # The run folder is held by this process alone, so a lock that lies here is that of a dead one.
    journal.with_name(f"{journal.name}.lock").unlink(missing_ok=True)
    if journal.exists():
        _drop_torn_line(journal)
    try:
        storage = JournalStorage(JournalFileBackend(str(journal)))
        return _study(n_objectives, storage=storage, study_name=NAME, load_if_exists=True)
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as fault:  # as Optuna reads its lines
        raise _damaged(journal, fault) from None


def _drop_torn_line(journal: Path) -> None:
    with open(journal, "r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)


def _told(
    trial: Trial,
    space: Space,
    distributions: Distributions,
    objectives: Sequence[float],
    n_objectives: int,
    attributes: dict[str, Any] | None = None,
) -> FrozenTrial:
    """Return a trial as the sampler is told of it, with these numbers for its worth."""
    impossible = bool(trial.worth.impossible)
    return create_trial(
        values=[math.inf] * n_objectives if impossible else objectives,
        params={key: values.index(trial.settings[key]) for key, values in space.items()},
        distributions=distributions,
        user_attrs=attributes,
        constraints={"impossible": float(impossible)},
    )


def _kept_trial(trial: Trial, space: Space, distributions: Distributions, n_objectives: int) -> FrozenTrial:
    """Return a trial as the journal keeps it, with all that `_read` needs."""
    worth = trial.worth
    attributes = {"settings": trial.settings, "found": worth.found, "impossible": worth.impossible}
    return _told(trial, space, distributions, worth.objectives, n_objectives, attributes)


def _read(frozen: FrozenTrial, number: int, space: Space, n_objectives: int, journal: Path | None) -> Trial:
    """Return a trial as it was kept."""
    try:
        attributes = frozen.user_attrs
        settings, impossible = dict(attributes["settings"]), str(attributes["impossible"])
        known = {key: values.index(settings[key]) for key, values in space.items() if settings[key] in values}
        if known != frozen.params or list(settings) != list(space) or len(frozen.values) != n_objectives:
            raise ValueError("its trials are of another search")
        objectives = [] if impossible else [float(value) for value in frozen.values]
        return Trial(number, settings, Worth(objectives, attributes["found"], impossible))
    except (LookupError, TypeError, ValueError) as fault:
        raise _damaged(journal, fault) from None


def _damaged(journal: Path | None, fault: Exception) -> UnreadableError:
    return UnreadableError(f"damaged: {fault}; search again with another --out", str(journal))


@contextmanager
def _silence() -> Iterator[None]:
    """Keep Optuna from telling of every trial."""
    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(level)
