"""TOML files and the places of faults in them."""

import os
from pathlib import Path

import pytest

from gameapi.datafile import read_toml
from gameapi.errors import UnreadableError

TEXT = """\
# a comment with name = 1
name = "x"
inline = {deep = 1, "odd key" = 2}

[table]
"1+1" = 4
deep = 5

[table.inner]
deep = 6

[[entry]]
name = "first"

[[entry]]
name = "second"
"""


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (("name",), ":2: name"),
        (("inline", "deep"), ":3: inline.deep"),
        (("inline", "odd key"), ':3: inline."odd key"'),
        (("table",), ":5: table"),
        (("table", "1+1"), ':6: table."1+1"'),
        (("table", "deep"), ":7: table.deep"),
        (("table", "inner", "deep"), ":10: table.inner.deep"),
        (("entry", 0, "name"), ":13: entry[0].name"),
        (("entry", 1, "name"), ":16: entry[1].name"),
        (("table", "absent"), ":5: table.absent"),
        (("absent",), ":1: absent"),
        ((), ""),
    ],
)
def test_error_names_file_line_and_key(tmp_path: Path, keys: tuple[str | int, ...], place: str) -> None:
    file = tmp_path / "data.toml"
    file.write_text(TEXT)
    read = read_toml(file)
    fault = read.error("wrong", *keys)
    assert isinstance(fault, UnreadableError)
    assert fault.place == f"{file}{place}"
    assert str(fault) == f"{file}{place}: wrong"


def test_content(tmp_path: Path) -> None:
    file = tmp_path / "data.toml"
    file.write_text(TEXT)
    read = read_toml(str(file))
    assert read.path == str(file)
    assert read.text == TEXT
    assert read.data["table"]["inner"] == {"deep": 6}


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"a = 1\nb = \n", ":2", "not TOML"),
        (b"a = 1\nb = [1,\n", "", "not TOML"),
        (b"a = 1\nb = '\xff'\n", ":2", "not UTF-8"),
        (b"a = " + b"[" * 5000, "", "nested too deeply"),
        (b"a = 1" + b"0" * 5000, "", "not TOML"),
        (b"a = 2023-02-30\n", "", "not TOML"),
    ],
)
def test_not_toml(tmp_path: Path, content: bytes, place: str, message: str) -> None:
    file = tmp_path / "data.toml"
    file.write_bytes(content)
    with pytest.raises(UnreadableError) as fault:
        read_toml(file)
    assert fault.value.place.startswith(f"{file}{place}")
    assert message in fault.value.message


def test_no_file_to_read(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "absent.toml", "no such file"), (tmp_path, "folder"), ("a\0b", "cannot be read")):
        with pytest.raises(UnreadableError) as fault:
            read_toml(path)
        assert message in fault.value.message
        assert fault.value.place == str(path).replace("\0", r"\x00")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_no_permission(tmp_path: Path) -> None:
    file = tmp_path / "data.toml"
    file.write_text("a = 1")
    file.chmod(0)
    with pytest.raises(UnreadableError, match="cannot be read"):
        read_toml(file)
