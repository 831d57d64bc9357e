"""Run folders: a manifest, raw rows in parts, tables and figures.

    manifest.json     what was played, with which versions, and how it ended
    parts/            p4-00000.parquet and so on: raw rows of a chunk of four-player games, one row a game and seat
    tables/           the tables as CSV, and columns.csv, which explains every column
    figures/          PNG and SVG

Every file is written aside and renamed, so that a run that was stopped at any moment goes on from whole parts. Parts
and tables hold neither times nor names of machines: the same run gives the same bytes.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from experiments.sums import WIN_UNIT
from experiments.tables import Table, to_csv
from gameapi.errors import UnreadableError, UserError
from gameapi.game import Game
from gameapi.jsonl import write_whole

FORMAT, FORMAT_NAME = "lab-run/1", "lab-run/"
LIBRARIES = ("numpy", "numba", "pandas", "pyarrow")
ADVICE = "delete this file and go on with --resume"  # where a part is no good
_ASIDE = ".*.part"  # how `write_whole` names what is not yet whole
STATES = ("running", "interrupted", "failed", "done")

IDENTITY = ("game", "version", "seed", "agents", "rules", "deck", "plans", "move_limit")
"""Keys of the manifest that decide every number; a run goes on only where all of them agree."""

IDENTITY_OF_SOME = ("test", "study")
"""The same, but only comparisons have the first and studies of balance the second."""

ROWS: Mapping[str, Any] = {
    "deal": np.int32,
    "seating": np.int32,
    "seat": np.int8,
    "agent": np.int16,
    "score": np.int32,
    "tiebreak": np.int32,
    "rank": np.int8,
    "win_60ths": np.int8,
    "decisions": np.int32,
    "forfeits": np.int32,
}
"""Columns of raw rows; the game's statistics (int32) follow. `seating` and `agent` index the manifest's lists."""

Columns = dict[str, npt.NDArray[Any]]
Manifest = dict[str, Any]


# ---- manifest -------------------------------------------------------------------------------------------------------


def now() -> str:
    """Return the time for a manifest, UTC in ISO form."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@functools.cache
def versions() -> dict[str, str]:
    """Return the versions of this lab, Python and the libraries that numbers and files depend on.

    `sources` is a digest of the lab's own files: two labs of one version may differ while it is being worked on.
    """
    found = {"python": platform.python_version(), "sources": _sources()}
    for name in ("hot-and-heat", *LIBRARIES):
        try:
            found["lab" if name == "hot-and-heat" else name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:  # run from a folder that is not installed
            continue
    return found


def _sources() -> str:
    """Return the digest of all files of the lab that numbers, tables or parts depend on."""
    home, digest = Path(__file__).resolve().parent.parent, hashlib.sha256()
    for package in ("gameapi", "hotsim", "heatsim", "agents", "experiments"):
        for path in sorted(path for form in ("*.py", "*.toml") for path in (home / package).rglob(form)):
            digest.update(f"{path.relative_to(home).as_posix()} {path.stat().st_size} ".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def changes(then: Mapping[str, str]) -> dict[str, str]:
    """Return what has another version now than in `then`, as texts that tell both; pandas shows numbers only."""
    now_ = versions()
    names = [name for name in {**then, **now_} if name != "pandas" and then.get(name) != now_.get(name)]
    return {name: f"{name} {then.get(name, 'none')}, now {now_.get(name, 'none')}" for name in names}


def revision() -> str | None:
    """Return the git revision of the lab, with "+changes" where files differ from it; None outside its repository."""
    home = Path(__file__).resolve().parent.parent

    def git(*arguments: str) -> str | None:
        try:
            ran = subprocess.run(["git", "-C", home, *arguments], capture_output=True, text=True, check=False)
        except OSError:
            return None
        return ran.stdout if ran.returncode == 0 else None

    found = (git("rev-parse", "--show-toplevel", "HEAD") or "").split("\n")
    if len(found) < 2 or Path(found[0]) != home:
        return None
    changed = git("status", "--porcelain", "--untracked-files=no")
    return found[1] + ("+changes" if changed else "")


def begun(manifest: Mapping[str, Any], command: str) -> Manifest:
    """Return the manifest of a run that starts now."""
    known = {"command": command, "state": "running", "start": now(), "end": None}
    return {**manifest, **known, "versions": versions(), "revision": revision()}


def identity(manifest: Manifest) -> str:
    """Return the digest of all that decides a run's numbers."""
    kept = {key: manifest[key] for key in IDENTITY} | {"deck": manifest["deck"]["digest"]}
    kept |= {key: manifest[key] for key in IDENTITY_OF_SOME if key in manifest}
    text = json.dumps(kept, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def differences(old: Manifest, new: Manifest) -> list[str]:
    """Name what keeps two runs from being the same, with both values where they are short."""
    found = []
    for key in (*IDENTITY, *IDENTITY_OF_SOME):
        if old.get(key) != new.get(key):
            texts = [json.dumps(_brief(manifest.get(key)), sort_keys=True) for manifest in (old, new)]
            short = max(map(len, texts)) <= 120 and texts[0] != texts[1]
            edited = _edited(old[key], new[key]) if key == "agents" else []
            known = ", ".join(f"the file of {name}" for name in edited) or _WORDS[key]
            found.append(f"{known} ({texts[0]}, now {texts[1]})" if short else known)
    return found


def _edited(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the agents that are the same but for the content of their files; none, where others differ as well."""
    if [entry["agent"] for entry in old] != [entry["agent"] for entry in new]:
        return []
    return [a["agent"] for a, b in zip(old, new, strict=True) if a.get("file_sha256") != b.get("file_sha256")]


_WORDS = {key: key for key in IDENTITY} | {
    "plans": "games, players or line-ups",
    "version": "the game's play version",
    "deck": "the deck",
    "test": "the test",
    "study": "the designs or the settings of the study",
}


def _brief(value: Any) -> Any:
    """Return what is short enough to be told: names of agents and the deck, sizes of plans."""
    if isinstance(value, list):
        if all(isinstance(entry, dict) and "agent" in entry for entry in value):
            return [entry["agent"] for entry in value]
        return [{key: entry[key] for key in ("players", "n_deals") if key in entry} for entry in value]
    if isinstance(value, dict) and "digest" in value:
        return f"{value['name']} {value['digest'][:12]}"
    return value


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a run."""
    write_whole(folder / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a run folder.

    Raises:
        UnreadableError: the folder is missing, no run folder, of a newer format, or its manifest is damaged.
    """
    path = folder / "manifest.json"
    try:
        manifest: Manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        what = "holds no manifest.json, so it is no run folder" if folder.exists() else "there is no such folder"
        raise UnreadableError(f"{what}; expected the folder of a tournament", str(folder)) from None
    except NotADirectoryError:
        raise UnreadableError("is a file; expected the folder of a tournament", str(folder)) from None
    except OSError as fault:
        raise UnreadableError(f"cannot be read: {fault.strerror}", str(path)) from None
    except ValueError as fault:
        raise UnreadableError(f"damaged: {fault}; play again with another --out", str(path)) from None
    form = manifest.get("format") if isinstance(manifest, dict) else None
    if form != FORMAT:
        newer = isinstance(form, str) and form.startswith(FORMAT_NAME)
        advice = "written by another version of the lab: read it with that version" if newer else "not from this lab"
        raise UnreadableError(f"format {form!r}, expected {FORMAT!r}; {advice}", str(path))
    missing = [key for key in (*IDENTITY, "identity", "state") if key not in manifest]
    if missing:
        raise UnreadableError(f"{', '.join(missing)} missing; play again with another --out", str(path))
    if identity(manifest) != manifest["identity"]:
        raise UnreadableError("changed after it was written; play again with another --out", str(path))
    return manifest


# ---- the folder -----------------------------------------------------------------------------------------------------


def is_run(folder: Path) -> bool:
    """Tell whether a folder holds a run."""
    return (folder / "manifest.json").exists()


def prepare(folder: Path) -> None:
    """Make the folder of a new run.

    Raises:
        UserError: it cannot be made, or holds other files.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = sorted(entry.name for entry in folder.iterdir() if not _counts_as_nothing(entry))
        if foreign:
            raise UserError(f"holds other files ({foreign[0]}); give a new or an empty folder", str(folder))
        _rooms(folder)
    except OSError as fault:
        raise UserError(f"cannot be made: {fault.strerror}", str(folder)) from None


def _counts_as_nothing(entry: Path) -> bool:
    """Tell whether a process that was killed as it began may have left this."""
    return entry.name == ".lock" or entry.match(_ASIDE) or (entry.is_dir() and not any(entry.iterdir()))


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Keep other processes from writing to a folder; the system lets go of it when this process ends in any way.

    Raises:
        UserError: another process holds it, or the folder cannot be written to.
    """
    try:
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as fault:
        raise UserError(f"cannot be written to: {fault.strerror}", str(folder)) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise UserError(
            "another process is writing to this run; wait for it or give another --out", str(folder)
        ) from None
    try:
        yield
    finally:
        os.close(handle)


def tidy(folder: Path) -> None:
    """Make folders that are missing, and remove what a killed process had begun to write; only under the lock."""
    for place in (folder, *_rooms(folder)):
        for path in place.glob(_ASIDE):
            path.unlink(missing_ok=True)


def _rooms(folder: Path) -> list[Path]:
    """Return the folders inside a run folder, which are made where they are missing."""
    rooms = [folder / name for name in ("parts", "tables", "figures")]
    for room in rooms:
        room.mkdir(exist_ok=True)
    return rooms


def write_tables(folder: Path, tables: Mapping[str, Table]) -> None:
    """Write tables as CSV files."""
    for name, table in tables.items():
        write_whole(folder / "tables" / f"{name}.csv", to_csv(table))


# ---- parts ----------------------------------------------------------------------------------------------------------


def row_columns(game: Game) -> dict[str, Any]:
    """Return the columns of raw rows and their dtypes."""
    return {**ROWS, **{stat.name: np.int32 for stat in game.stats}}


def compact(rows: Mapping[str, npt.NDArray[Any]], game: Game) -> Columns:
    """Return rows as they are stored: small integers, wins in sixtieths."""
    given = {**rows, "win_60ths": np.rint(rows["win"] * WIN_UNIT)}
    return {
        name: np.ascontiguousarray(given[name]).astype(dtype, copy=False) for name, dtype in row_columns(game).items()
    }


def part_path(folder: Path, players: int, number: int) -> Path:
    """Return the file of a chunk."""
    return folder / "parts" / f"p{players}-{number:05d}.parquet"


def part_numbers(folder: Path, players: int) -> list[int]:
    """Return the numbers of the chunks that are there."""
    names = (re.fullmatch(rf"p{players}-(\d+)\.parquet", path.name) for path in (folder / "parts").glob("p*.parquet"))
    return sorted(int(name.group(1)) for name in names if name)


def as_part(columns: Columns, run: str) -> bytes:
    """Return the rows of a chunk as a Parquet file; the same rows give the same bytes.

    Integers are split into byte streams and compressed with LZ4 in a single page, which of all encodings was the
    quickest to write (0.04 us a row) at 5 bytes a row; columns that could be null take three times as long. Pages have
    checksums, so that a damaged one is not taken for other numbers.

    Args:
        columns: as `compact` gives them.
        run: identity of the run, kept in the file.
    """
    fields = [pa.field(name, pa.from_numpy_dtype(values.dtype), nullable=False) for name, values in columns.items()]
    schema = pa.schema(fields, metadata={"run": run})
    table = pa.Table.from_arrays([_arrow(values) for values in columns.values()], schema=schema)
    out = pa.BufferOutputStream()
    pq.write_table(
        table,
        out,
        compression="lz4",
        use_dictionary=False,
        column_encoding=dict.fromkeys(columns, "BYTE_STREAM_SPLIT"),
        write_statistics=False,
        write_page_checksum=True,
        data_page_size=1 << 24,
        row_group_size=1 << 24,
        write_batch_size=1 << 16,
    )
    return bytes(out.getvalue())


def write_part(path: Path, part: bytes) -> None:
    """Write the part of a chunk.

    Raises:
        DiskFullError, UserError: the file cannot be written.
    """
    # Not flushed to the disk: a part that a power cut spoils is told when it is read, and can be played again.
    write_whole(path, part, flush=False)


def _arrow(values: npt.NDArray[Any]) -> pa.Array:
    """Return an array as Arrow sees it, without a copy; `pa.array` would import pandas, which takes half a second."""
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


def read_part(path: Path, names: Sequence[str] | None, run: str, n_rows: int | None = None) -> Columns:
    """Read the rows of a chunk.

    Args:
        path: the part's file.
        names: columns wanted, None for all.
        run: identity that the file has to have.
        n_rows: rows that it has to have, None for any number.

    Raises:
        UnreadableError: damaged, of another run, or not whole.
    """
    try:
        # Without threads: those that pyarrow 26 reads with abort the process now and then as it exits.
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            metadata = file.schema_arrow.metadata or {}
            table = file.read(columns=None if names is None else list(names), use_threads=False)
    except (pa.ArrowException, OSError, EOFError) as fault:
        reason = str(fault).split("\n")[0]
        raise UnreadableError(f"damaged: {reason}; {ADVICE}", str(path)) from None
    if metadata.get(b"run", b"").decode() != run:
        raise UnreadableError(f"is a part of another run; {ADVICE}", str(path))
    names = table.column_names if names is None else names
    missing = [name for name in names if name not in table.column_names]
    if missing or (n_rows is not None and table.num_rows != n_rows):
        raise UnreadableError(f"not whole: {table.num_rows} rows, expected {n_rows}; {ADVICE}", str(path))
    return {name: table.column(name).to_numpy() for name in names}
