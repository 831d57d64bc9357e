"""The folder a run is kept in: which one, whether it may be used, held while it is played, gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from experiments import store
from gameapi.errors import DiskFullError, UnreadableError, UserError

RESULTS = Path("results")


def free_folder(base: str, resume: bool) -> Path:
    """Return a folder in `results` with a number behind its name where that is taken.

    Args:
        base: the name.
        resume: whether the run shall go on: then it is the last folder of that name, else the first free one.
    """
    taken = RESULTS / base
    number = 2
    while (free := RESULTS / f"{base}-{number}") and taken.exists() and free.exists():
        taken, number = free, number + 1
    if resume:
        return taken
    return free if taken.exists() else taken


@contextmanager
def open_run(folder: Path, resume: bool, new: Mapping[str, Any], command: str) -> Iterator[dict[str, Any]]:
    """Hold a run folder for what is played in the block, and keep its manifest's state true to the end of it.

    Args:
        folder: the run folder.
        resume: whether to go on with the run in it.
        new: the manifest of the run that is asked for.
        command: what the manifest says was typed.

    Yields:
        The manifest of the run as it began.

    Raises:
        UserError, UnreadableError: the folder cannot be used; says why and what to do.
    """
    check_folder(folder, resume)
    if not resume:
        store.prepare(folder)
    with store.lock(folder):
        check_folder(folder, resume)
        manifest = _go_on_with(folder, new) if resume else store.begun(new, command)
        store.tidy(folder)
        finished = manifest["state"] == "done"
        try:
            if not finished:
                store.write_manifest(folder, manifest | {"state": "running", "end": None})
            yield manifest
            ended = {} if finished else {"state": "done", "end": store.now()}
            store.write_manifest(folder, manifest | ended)  # of a finished run the anchor may be another one now
        except BaseException as fault:
            _tell_end(folder, manifest, fault)
            raise


def _tell_end(folder: Path, manifest: Mapping[str, Any], fault: BaseException) -> None:
    """Write down why a run ended before its time, and say what to do where the disk is full."""
    state = "interrupted" if isinstance(fault, KeyboardInterrupt) else "failed"
    if state == "failed" or manifest["state"] != "done":
        with suppress(DiskFullError):  # that is told already
            store.write_manifest(folder, {**manifest, "state": state, "end": store.now()})
    if isinstance(fault, DiskFullError):
        advice = "what is finished is kept: make space and go on with --resume"
        raise DiskFullError(f"{fault.message}; {advice}", fault.place) from None


def check_folder(folder: Path, resume: bool) -> None:
    """Refuse a folder that holds a run when it shall not go on, and one that holds none when it shall."""
    if store.is_run(folder) and not resume:
        state = store.read_manifest(folder)["state"]
        advice = "to see its tables" if state == "done" else "to go on with it"
        raise UserError(f"holds a run already ({state}); add --resume {advice}, or give another --out", str(folder))
    if resume and not store.is_run(folder):
        raise UnreadableError("holds no run to go on with; leave --resume out to start one", str(folder))


def _go_on_with(folder: Path, new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of the run in a folder, where it is the run that is asked for."""
    old = store.read_manifest(folder)
    if old["identity"] != new["identity"]:
        differ = "; ".join(store.differences(old, dict(new)))
        raise UserError(f"holds another run: it differs in {differ}; give another --out", str(folder))
    changed = store.changes(old.get("versions", {}))
    lab = [changed[name] for name in ("lab", "sources") if name in changed]
    if lab and old["state"] != "done":
        begun = f" (revision {old['revision']})" if old.get("revision") else ""
        advice = f"go on with the lab that it was begun with{begun}, or give another --out"
        raise UserError(f"was begun by another version of the lab: {'; '.join(lab)}; {advice}", str(folder))
    return old | ({"anchor": new["anchor"]} if new["anchor"] else {})  # it decides what is told, not what is played
