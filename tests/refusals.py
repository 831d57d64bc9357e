"""What the tests of any game expect of a message to the user: where the fault is, and what would be right."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gameapi.errors import UnreadableError, UserError
from gameapi.options import Choices, set_options


def file_refused(read: Callable[[Path], object], folder: Path, text: str, place: str, message: str = "") -> None:
    """Make sure that a file of this text is refused, with file, line and key as the place and these words."""
    file = folder / "mine.toml"
    file.write_text(text)
    with pytest.raises(UnreadableError) as fault:
        read(file)
    assert fault.value.place.startswith(str(file))
    assert place in str(fault.value)
    assert message in str(fault.value)


def option_refused(rules: Choices, setting: str, parts: Sequence[str]) -> None:
    """Make sure that a setting is refused as bad input, with these words."""
    with pytest.raises(UserError) as fault:
        set_options(rules, [setting])
    for part in parts:
        assert part in str(fault.value)
    assert fault.value.exit_code == 2


def values_refused(rules: Choices, wrong: Sequence[dict[str, Any]]) -> None:
    """Make sure that none of these changes is accepted."""
    for changes in wrong:
        with pytest.raises(UserError):
            rules.replace(**changes)
