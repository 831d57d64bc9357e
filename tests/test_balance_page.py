"""The page of a study: what it says, byte for byte again; and in a browser without a network, on a desk and a phone."""

import re
import shutil
import struct
import sys
from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, chromium, opened
from markup import Tags
from markupsafe import escape
from toystudies import toy

from experiments import cli, games, report
from experiments.balance import kinds, page, panels
from experiments.balance.designs import base, changed
from experiments.balance.study import study
from experiments.tables import read_csv, to_csv
from gameapi.errors import UserError

HOT = games.get("hotsim")
START = base(HOT)
SCRIPT = "<script>window.hit=1</script>"
FEWER = changed(HOT, START, {"storms": "3"}, SCRIPT)
TOO_MANY = changed(HOT, START, {"hand_size": "25"})
OWN = {
    "faces": [("face", "", "a <card>"), ("copies", "cards", "how many"), ("share", "", "of the deck")],
    "empty": [("nothing", "", "of this there is nothing")],
}
CAPTIONS = {"strip_*": ("Strips", "a strip each")}
FACES = {"face": ["1+1", "heli"], "copies": [3, 4], "share": [0.5, float("nan")]}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages") / "run"
    designs = [START, FEWER, TOO_MANY]
    found = study(HOT, designs, agents="random,greedy", games=120, players=[3, 4], out=folder, jobs=1)
    page.draw(found)
    return found


@pytest.fixture(scope="module")
def text(finished):
    return without_libraries(page.page(finished))


@pytest.fixture
def home(finished, tmp_path, monkeypatch):
    shutil.copytree(finished.folder, tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def without_libraries(text):
    return re.sub(r"<(script|style)(?![^>]*data-plot).*?</\1>", "", text, flags=re.DOTALL)


def test_the_command_writes_the_page_of_a_study(home, capsys):
    assert cli.run("hotsim", ["report", "run"]) == 0
    assert capsys.readouterr().out == "run/report.html\n"
    assert cli.run("hotsim", ["report", "run", "--out", "mine.html"]) == 0
    written = (home / "run/report.html").read_bytes()
    assert (home / "mine.html").read_bytes() == written
    assert len(written) < 6_500_000
    assert cli.run("hotsim", ["report", "run", "--anchor", "greedy=0"]) == 2
    assert "a study of balance has no ratings" in capsys.readouterr().err


def test_a_fresh_study_and_its_folder_give_the_same_page(finished, tmp_path):
    assert (
        finished.report(tmp_path / "a.html").read_bytes()
        == report.report(finished.folder, tmp_path / "b.html").read_bytes()
    )
    with pytest.raises(UserError, match="give a path"):
        toy(10, {"base": (1, (0, 0, 0), 0)}).report()


def test_the_page_is_well_formed_and_loads_nothing(text):
    text = re.sub(r"<!DOCTYPE html>|<meta[^>]*>|<img[^>]*>", "", text)
    assert Tags(text.replace("<br>", "")).open == []
    assert not re.search(r'(src|href)="(?!#|data:)', text)


def test_it_says_what_was_asked_and_found(finished, text):
    for words in (
        "storms = 3",
        "Are seats fair?",
        "hand_size=25 with 4 players",
        "percentage points",
        "reconstruction",
    ):
        assert words in text
    for name, table in finished.tables.items():
        if name != "impossible" and not next(iter(table.values())):
            assert f'id="rows-{name}"' not in text
            continue
        body = text.split(f'id="rows-{name}"')[1].split("</table>")[0]
        assert body.count("<tr>") == 1 + len(next(iter(table.values())))
        for _, _, meaning in kinds.columns(kinds.OTHER)[name]:
            assert str(escape(meaning)) in text


def test_every_figure_is_drawn_twice(finished, text):
    drawn = {panel.name for panel in panels.panels(finished)}
    assert {"seats_0", "seats_1", "difference_decisions_mean", "value_skill"} <= drawn
    files = {path.name for path in (finished.folder / "figures").iterdir()}
    assert files == {f"{name}.{form}" for name in drawn for form in ("png", "svg")}
    assert {f"plot-{name.replace('_', '-')}" for name in drawn} == set(re.findall(r'data-plot="([^"]+)"', text))
    assert "picture-" not in text


def test_what_is_sure_is_filled_and_only_that(finished):
    table = finished.tables["differences"]
    sure = sum(
        p_value < 0.05
        for p_value, metric in zip(table["p_adjusted"], table["metric"], strict=True)
        if metric == "decisions_mean"
    )
    (forest,) = (panel for panel in panels.panels(finished) if panel.name == "difference_decisions_mean")
    points = [point for points in forest.series.values() for point in points]
    assert 0 < sure == sum(point.filled for point in points)
    assert len(points) == 6


def test_a_kind_adds_tables_figures_and_words(home, monkeypatch):
    mine = kinds.Kind("Faces", "Which face?", tables="test_balance_page:OWN", captions=CAPTIONS)
    monkeypatch.setitem(kinds.KINDS, "study", mine)
    (home / "run/tables/faces.csv").write_text(to_csv(FACES))
    for name in ("strip_skill", "strip_1", "odd"):
        shutil.copy(home / "run/figures/seats_0.svg", home / f"run/figures/{name}.svg")
    found = kinds.load("run")
    assert next(iter(found.tables)) == "faces"
    assert "empty" not in found.tables
    text = without_libraries(page.page(found))
    assert "Hot Heads: Faces" in text
    assert "a &lt;card&gt;" in text
    pictures = re.findall(r'id="picture-(\w+)">\s*<h2>(.*?)</h2>', text)
    assert pictures == [("strip_1", "Strips: 1"), ("strip_skill", "Strips: skill"), ("odd", "Odd")]
    assert text.count('src="data:image/svg+xml;base64,') == 3


def test_titles_of_pictures_tell_them_apart(home, monkeypatch):
    captions = {"worth_*": ("Worth: {where}", ""), "*": ("Over it", "")}
    monkeypatch.setitem(kinds.KINDS, "study", kinds.OTHER._replace(captions=captions))
    for name in ("worth_3_1", "worth_4", "luck_of_wins", "luck_of_scores"):
        shutil.copy(home / "run/figures/seats_0.svg", home / f"run/figures/{name}.svg")
    text = without_libraries(page.page(kinds.load("run")))
    titles = dict(re.findall(r'id="picture-(\w+)">\s*<h2>(.*?)</h2>', text))
    assert titles["worth_3_1"] == "Worth: 3 players, greedy"
    assert titles["worth_4"] == "Worth: 4 players"
    assert len(set(titles.values())) == 4


def test_a_picture_is_enlarged_to_no_more_than_it_bears(home):
    svg, png = ((home / f"run/figures/seats_0.{ending}").read_bytes() for ending in ("svg", "png"))
    points = float(re.search(rb'width="([\d.]+)pt"', svg)[1])
    assert page._width(svg, ".svg") == round(1.6 * points * 4 / 3)
    assert page._width(png, ".png") == struct.unpack(">I", png[16:20])[0]


def test_settings_are_told_as_text():
    asked = {"vary": ["a=1; 2", "b=3"], "confirm_games": 3000, "length": None, "cards": {"3": []}, "unit": "turns"}
    assert page._settings(asked) == [("vary", "a=1, 2; b=3"), ("confirm games", "3,000"), ("unit", "turns")]


def test_deals_with_changes_are_told_apart():
    plans = [{"players": 3, "part": part, "n_deals": n, "n_games": n} for part, n in (("watched", 50), ("changed", 7))]
    assert page._plans({"plans": plans}) == [{"players": 3, "cells": 1, "deals": 50, "games": 50, "changed": 7}]


def test_a_table_is_read_as_it_was_written():
    again = read_csv(to_csv({**FACES, "sure": [True, False], "mixed": ["1", "a"]}))
    assert repr(again) == repr({**FACES, "sure": [True, False], "mixed": ["1", "a"]})


def test_a_study_that_is_not_whole_gives_a_page_and_says_so(home):
    for part in sorted(Path("run/parts").glob("d001-*")):
        part.unlink()
    report.report("run")
    assert "The study is not whole" in Path("run/report.html").read_text()
    for path in (*Path("run/parts").iterdir(), *Path("run/figures").iterdir()):
        path.unlink()
    report.report("run")
    text = Path("run/report.html").read_text()
    assert "there is nothing to tell" in text
    assert "so there are no figures" in text


def test_a_missing_package_is_told_with_what_to_install(home, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "itables", None)
    assert cli.run("hotsim", ["report", "run"]) == 2
    assert "itables is not installed: pip install 'hot-and-heat[report]'" in capsys.readouterr().err


def test_a_verb_writes_the_page_or_says_what_to_install(tmp_path, capsys, monkeypatch):
    words = [
        "balance",
        "sweep",
        "--vary",
        "storms=3",
        "--games",
        "20",
        "--players",
        "3",
        "--agents",
        "random",
        "--quiet",
    ]
    assert cli.run("hotsim", [*words, "--out", str(tmp_path / "a")]) == 0
    assert "Hot Heads: Sweep" in (tmp_path / "a/report.html").read_text()
    assert (tmp_path / "a/figures/seats_0.svg").exists()
    assert "no page" not in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "itables", None)
    assert cli.run("hotsim", [*words, "--out", str(tmp_path / "b")]) == 0
    assert "no page: report: needs jinja2, plotly, itables" in capsys.readouterr().err
    assert not (tmp_path / "b/report.html").exists()


# In a browser


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_file(finished, tmp_path_factory):
    """The page, with a figure that the study drew itself."""
    folder = tmp_path_factory.mktemp("browser") / "run"
    shutil.copytree(finished.folder, folder)
    shutil.copy(folder / "figures/seats_0.svg", folder / "figures/own.svg")
    return report.report(folder)


@pytest.fixture(scope="module")
def desktop(browser, page_file):
    with opened(browser, page_file, DESKTOP) as (shown, faults):
        yield shown, faults


def test_nothing_is_asked_for_and_nothing_fails(desktop):
    _, faults = desktop
    assert faults == []


def test_every_figure_holds_something(desktop):
    shown, _ = desktop
    drawn = shown.evaluate(
        "[...document.querySelectorAll('.plot')].map(plot => plot.querySelectorAll('.scatterlayer path').length)"
    )
    assert len(drawn) > 8
    assert min(drawn) > 0
    assert shown.evaluate("document.querySelector('.enlarge img').naturalWidth") > 100


def test_a_picture_is_enlarged_and_closed_by_keys_alone(desktop):
    shown, _ = desktop
    shown.focus(".enlarge")
    shown.keyboard.press("Enter")
    shown.wait_for_selector("dialog[open] img")
    small, large = (shown.locator(f"{place} img").bounding_box()["width"] for place in (".enlarge", "dialog"))
    assert large > 1.2 * small
    shown.keyboard.press("Escape")
    shown.wait_for_selector("dialog:not([open])", state="attached")


def test_tables_sort_by_the_number_behind_the_text(desktop):
    shown, _ = desktop
    heads = shown.locator("#rows-differences thead th")
    column = [text.split()[0] for text in heads.all_inner_texts()].index("difference")
    values = f"[...document.querySelectorAll('#rows-differences tbody tr')].map(r => +r.cells[{column}].dataset.order)"
    heads.nth(column).click()
    shown.wait_for_function(f"(v => v.every((x, i) => i === 0 || v[i - 1] <= x))({values})")


def test_a_name_that_is_a_script_shows_as_text(desktop):
    shown, _ = desktop
    assert shown.evaluate("window.hit") is None
    for place in ("#summary", "#plan", "#rows-seats"):
        assert SCRIPT in shown.inner_text(place)
    assert SCRIPT in shown.evaluate("document.querySelector('#plot-seats-0').textContent")


def test_a_phone_shows_it_without_scrolling_sideways(browser, page_file):
    with opened(browser, page_file, PHONE) as (shown, faults):
        assert faults == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= 390
        for place in shown.locator(".plot").all():
            frame = place.bounding_box()
            bar, legend, title = (
                place.locator(part).first.bounding_box() for part in (".modebar-group", ".legend", ".xtitle")
            )
            assert bar["y"] >= max(legend["y"] + legend["height"], title["y"] + title["height"])
            assert frame["x"] <= title["x"]
            assert title["x"] + title["width"] <= frame["x"] + frame["width"]
        shown.locator(".enlarge").tap()
        shown.wait_for_selector("dialog[open] img")
        assert shown.evaluate("document.documentElement.scrollWidth") <= 390
