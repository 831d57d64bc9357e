"""The examples of docs/python.md run as they stand, one after the other, as in one notebook."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "python.md"


def agent(view: Any) -> Any:
    """Stand for the reader's own agent."""
    return view.actions[0]


def test_every_example_runs(capsys: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 4
    names: dict[str, Any] = {"my_agent": agent}
    for block in blocks:
        exec(compile(block.replace("games=10_000", "games=24"), str(PAGE), "exec"), names)
    assert "Seat" in capsys.readouterr().out
    assert set(names) >= {"table", "games", "result"}
    assert len(names["result"].agents) > 0
