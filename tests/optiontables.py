"""What the tests of any game expect of its rules: each field is an option, and rules are values."""

import dataclasses
import pickle

from gameapi.options import Choices


def table_is_whole(standard: Choices, ruling: str) -> None:
    """Make sure that every field is described, with its default where that is one value."""
    assert [option.name for option in standard.options] == [field.name for field in dataclasses.fields(standard)]
    for option in standard.options:
        if option.kind != "fraction":  # one for each number of players
            assert option.from_text(option.default) == getattr(standard, option.name)
        assert option.ruling.startswith(ruling)
        assert option.meaning
        assert option.allowed


def are_values(changed: Choices, same: Choices) -> None:
    """Make sure that rules can be compared, hashed and sent to another process; `same` are the defaults, set anew."""
    standard = type(changed)()
    assert pickle.loads(pickle.dumps(changed)) == changed != standard
    assert hash(standard) == hash(same)
