"""JSON Lines: strict parsing with places, reading line by line, writing whole files."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameapi import jsonl
from gameapi.errors import UnreadableError, UserError, shown
from gameapi.jsonl import parse_line, read_lines, write_whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        ('{"a": [1, 2.5, true, null, "\\u00e9"]}', {"a": [1, 2.5, True, None, "é"]}),
        ("3", 3),
        (" [1] ", [1]),
        ('{"a": {"k": 1}, "b": {"k": 2}}', {"a": {"k": 1}, "b": {"k": 2}}),
        ('"\\udc80"', "\udc80"),
    ],
)
def test_json(text: str, value: object) -> None:
    assert parse_line(text, "line 1") == value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("prose", "line 3", "not JSON"),
        ("", "line 3", "not JSON"),
        ("{} {}", "line 3", "not JSON"),
        ("{'a': 1}", "line 3", "not JSON"),
        ('{"a": 1,}', "line 3", "not JSON"),
        ("\ufeff{}", "line 3", "not JSON"),
        ('"a\tb"', "line 3", "not JSON"),
        ("NaN", "line 3", "NaN"),
        ("[-Infinity]", "line 3", "-Infinity"),
        ("1" * 5000, "line 3", "digits"),
        ("[" * 100_000, "line 3", "nested too deeply"),
        ('{"a":' * 100_000, "line 3", "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "line 3", "nested too deeply"),
        ('"\udcff"', "line 3", "byte 0xff at character 2"),
        ('{"a": 1, "a": 1}', "line 3: a", "twice"),
        ('{"e": [{"x": 1}, {"b": 1, "c d": {"b": 2, "b": 3}}]}', 'line 3: e[1]["c d"].b', "twice"),
    ],
)
def test_not_the_json_that_is_wanted(text: str, place: str, message: str) -> None:
    with pytest.raises(UnreadableError) as fault:
        parse_line(text, "line 3")
    assert fault.value.place == place
    assert message in fault.value.message
    assert len(str(fault.value)) < 300


def test_lines_are_numbered_and_blank_ones_skipped(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'{"a": 1}\n\n \t\n{"b": "\xc3\xa9\xe2\x80\xa8"}\r\n{"c": 3}')
    assert list(read_lines(file)) == [(1, '{"a": 1}'), (4, '{"b": "é\u2028"}'), (5, '{"c": 3}')]


def test_bytes_that_are_not_utf8_concern_their_line_alone(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'"\xff"\n"fine"\n')
    (_, broken), (_, fine) = read_lines(file)
    assert parse_line(fine, "line 2") == "fine"
    with pytest.raises(UnreadableError, match="not UTF-8"):
        parse_line(broken, "line 1")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"\n[1]\n")))
    assert list(read_lines("-")) == [(2, "[1]")]


def test_no_file_to_read(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "absent", "no such file"), (tmp_path, "folder"), ("a\0b", "cannot be read")):
        with pytest.raises(UnreadableError, match=message):
            list(read_lines(path))


def test_write_whole(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    write_whole(file, "é\n")
    assert file.read_bytes() == "é\n".encode()
    write_whole(file, b"\x00\xff")
    assert file.read_bytes() == b"\x00\xff"
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out.json"
    write_whole(file, "old")

    def fail(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(UserError, match="No space left") as fault:
        write_whole(file, "new")
    assert fault.value.place == str(file)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_write_into_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        write_whole(tmp_path / "absent" / "out.json", "x")


@pytest.mark.parametrize(
    ("reader", "good", "bad"),
    [
        (jsonl.as_integer, [0, -3, 10**30], [True, 1.0, "1", None, [1], {}]),
        (jsonl.as_boolean, [True, False], [0, 1, "true", None]),
        (jsonl.as_text, ["", "x"], [0, None, ["x"]]),
        (jsonl.as_list, [[], [1]], [{}, "ab", None]),
    ],
)
def test_forms(reader: Callable[[object, str], Any], good: list[object], bad: list[object]) -> None:
    for value in good:
        assert reader(value, "p") == value
    for value in bad:
        with pytest.raises(UnreadableError, match=r"^p: found"):
            reader(value, "p")


def test_lists_of_a_length() -> None:
    assert jsonl.as_list([1, 2], "p", 2) == [1, 2]
    with pytest.raises(UnreadableError, match="p: found 2 entries, expected 3"):
        jsonl.as_list([1, 2], "p", 3)


def test_objects() -> None:
    assert jsonl.as_object({"a": 1}, "p", ["a"], ["b"]) == {"a": 1}
    with pytest.raises(UnreadableError, match=r"^p\.a: this field is missing"):
        jsonl.as_object({}, "p", ["a"])
    with pytest.raises(UnreadableError, match=r"^c: unknown field; expected a, b$"):
        jsonl.as_object({"a": 1, "c": 2}, "", ["a"], ["a", "b"])
    with pytest.raises(UnreadableError, match=r"^p: found \[\]"):
        jsonl.as_object([], "p")


def test_what_messages_show() -> None:
    assert [shown(value) for value in (None, True, "a\nb", 1.5, [1, "x"])] == [
        "null", "true", '"a\\nb"', "1.5", '[1, "x"]'
    ]  # fmt: skip
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (10**6000, "x" * 1000, list(range(1000)), [10**6000], deep):
        assert len(shown(value)) <= 80
