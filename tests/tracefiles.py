"""Trace files for the tests of any game: written, replayed, and changed in one place."""

import io
import json
from pathlib import Path
from typing import Any

from gameapi.replay import Traces

Trace = dict[str, Any]

NOT_INTEGERS: list[object] = [True, 1.0, "1", None, [1]]


def replayed(traces: Traces[Any, Any], path: Path | str) -> tuple[int, str, str]:
    """Replay a file; give the exit code, what was emitted, and what was said."""
    emit, errors = io.StringIO(), io.StringIO()
    code = traces.replay(path, emit, errors)
    assert (code == 0) == (errors.getvalue() == "")
    return code, emit.getvalue(), errors.getvalue()


def written(folder: Path, *lines: str | bytes) -> Path:
    """Write a file of traces."""
    path = folder / "games.jsonl"
    path.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    return path


def verdict(traces: Traces[Any, Any], game: object) -> tuple[int, str]:
    """Check a trace that is given as data; nothing in it may lead to a traceback."""
    checked = traces.check_line(json.dumps(game), "line 1")
    for fault in checked.faults:
        assert str(fault).startswith("line 1: ")
        assert "\n" not in str(fault)
        assert len(str(fault)) < 500
    return checked.exit_code, " | ".join(str(fault) for fault in checked.faults)


def changed(game: Trace, path: str, value: object) -> Trace:
    """Copy a trace with the value at a dotted path replaced; `...` removes the entry."""
    new: Any = json.loads(json.dumps(game))
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = new
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    result: Trace = new
    return result


def no_traces(format: str) -> list[bytes]:
    """Give lines that can be read as no trace of any game."""
    named = f'{{"format": "{format}", '.encode()
    return [
        b"",
        b" \n\n",
        b"null",
        b"[" * 100_000,
        b'{"format":' * 10_000,
        named + b'"players": NaN}',
        named + named[1:-2] + b"}",
        b'{"players": ' + b"9" * 5000 + b"}",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        named + b'"players": 3, "\\ud800": 1}',
        b'{"a": "' + b"x" * 1_000_000 + b'"}',
    ]
