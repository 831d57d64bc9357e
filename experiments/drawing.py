"""Has figures drawn by a process of its own, which loads the drawing library while games are played.

Loading matplotlib takes longer than a short tournament. Where it is loaded already, as in a notebook, or the process
fails, figures are drawn here; the files are the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.tables import Table

Draw = Callable[[Mapping[str, "Table"], Path], None]
_HOME = str(Path(__file__).resolve().parent.parent)
_PROGRAM = "from experiments.drawing import serve; serve()"


@contextmanager
def draughtsman() -> Iterator[Draw]:
    """Start the process and give what has it draw the figures of tables into a folder; it is called once at most."""
    if "matplotlib" in sys.modules:
        yield _draw
        return
    paths = [_HOME, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        start_new_session=True,  # Ctrl-C is ours to answer: closing its input ends it
    )

    def ask(tables: Mapping[str, Table], folder: Path) -> None:
        process.communicate(json.dumps([tables, str(folder.resolve())]).encode())
        if process.returncode:
            _draw(tables, folder)

    try:
        yield ask
    finally:
        if process.stdin and not process.stdin.closed:
            process.stdin.close()
        process.wait()


def serve() -> None:
    """Be that process: load the library, wait for tables, draw them; no tables, no figures."""
    from experiments import plots

    plots.warm_up()
    asked = sys.stdin.buffer.read()
    if asked:
        tables, folder = json.loads(asked)
        plots.save_all(tables, Path(folder))
    os._exit(0)  # somebody waits, and taking the library down takes as long as two figures


def _draw(tables: Mapping[str, Table], folder: Path) -> None:
    from experiments import plots

    plots.save_all(tables, folder)
