import itertools
import subprocess
import sys

import numpy as np
import pytest
from lab import tables
from matplotlib.backends.backend_agg import FigureCanvasAgg

from experiments import drawing, plots

LONG = [
    "random",
    "mc:policy=heuristic:rollouts=64:margin=0.05",
    "mc:policy=heuristic:rollouts=256:margin=0.05",
    "a/long/way/to/my/own/folder/with/agents/agent.py:Attribute:depth=3",
    "a/long/way/to/my/own/folder/with/agents/agent.py:Attribute:depth=4",
]
CASES = {
    "one": (["random"], {}),
    "two": (["random", "greedy"], {}),
    "long": (LONG, {"lineups": "focus"}),
    "one deal": (["random", "greedy"], {"games": 1}),
    "many": ([f"agent{i}" for i in range(14)], {"lineups": "random"}),
    "mirror": (["random", "greedy"], {"lineups": "mirror"}),
}


@pytest.fixture(scope="module", params=CASES)
def made(request):
    specs, options = CASES[request.param]
    return tables(specs, [2, 4], **{"games": 400, **options})


def test_every_figure_is_written_twice_over(made, tmp_path):
    names = {"win_share", "seat_advantage", "scores", "ranks"}
    names |= {"head_to_head", "ratings"} if made["head_to_head"]["agent"] else set()
    names |= {"payoffs"} if any(made["head_to_head"]["n_games"]) else set()
    found = plots.save_all(made, tmp_path)
    assert {path.name for path in found} == {f"{name}.{form}" for name in names for form in ("png", "svg")}
    for path in found:
        assert path.read_bytes().startswith(b"\x89PNG" if path.suffix == ".png" else b"<?xml")


def off_the_axes(axes):
    """Return labels of ticks that lie beyond the ends of the axes and so are not drawn."""
    found = []
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        found += [tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]
    return found


def test_no_two_texts_overlap_and_none_leaves_the_figure(made):
    with plots.mpl.rc_context(plots.STYLE):
        for name, figure in plots.figures(made).items():
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            beyond = off_the_axes(figure.axes[0])
            boxes = [
                (text.get_text(), text.get_window_extent(canvas.get_renderer()))
                for text in figure.findobj(plots.mpl.text.Text)
                if text.get_visible() and text.get_text().strip() and text not in beyond
            ]
            for (one, a), (other, b) in itertools.combinations(boxes, 2):
                apart = a.x1 <= b.x0 + 1 or b.x1 <= a.x0 + 1 or a.y1 <= b.y0 + 1 or b.y1 <= a.y0 + 1
                assert apart or one == other, (name, one, other)
            for text, box in boxes:
                assert box.x0 >= -1, (name, text)
                assert box.x1 <= figure.bbox.x1 + 1, (name, text)
                assert -1 <= box.y0 <= box.y1 <= figure.bbox.y1 + 1, (name, text)


def test_axes_have_labels(made):
    for figure in plots.figures(made).values():
        (axes,) = figure.axes
        assert axes.get_xlabel()
        assert axes.get_yticklabels() or axes.get_ylabel()


def test_frames_will_do_as_well_as_tables():
    pandas = pytest.importorskip("pandas")
    made = tables(["a", "b"], [2, 3], games=200)
    draw = {
        "agents": plots.win_share,
        "seats": plots.seat_advantage,
        "scores": plots.score_distribution,
        "head_to_head": plots.head_to_head,
        "ratings": plots.ratings,
        "ranks": plots.rank_distribution,
        "payoffs": plots.payoff_matrix,
    }
    for name, function in draw.items():
        images = []
        for table in (made[name], pandas.DataFrame(made[name])):
            figure = plots.Figure()
            function(table, figure.add_axes((0.2, 0.2, 0.7, 0.7)))
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            images.append(np.asarray(canvas.buffer_rgba()).copy())
        assert (images[0] == images[1]).all()


def test_the_same_tables_give_the_same_bytes_in_this_process_and_in_another(tmp_path, monkeypatch):
    made = tables(["a", "b"], [2, 3], games=200)
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    plots.save_all(made, here)
    monkeypatch.delitem(sys.modules, "matplotlib")  # so that a process of its own is asked
    with drawing.draughtsman() as draw:
        draw(made, there)
    assert {p.name: p.read_bytes() for p in here.iterdir()} == {p.name: p.read_bytes() for p in there.iterdir()}
    assert len(list(here.iterdir())) == 14


def test_a_drawing_process_that_fails_is_stood_in_for(tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "_PROGRAM", "raise SystemExit(3)")
    monkeypatch.delitem(sys.modules, "matplotlib")
    with drawing.draughtsman() as draw:
        draw(tables(["a"], [2], games=50), tmp_path)
    assert len(list(tmp_path.iterdir())) == 8


def test_a_drawing_process_that_is_not_asked_ends(monkeypatch):
    asked = []
    start = subprocess.Popen
    monkeypatch.setattr(drawing.subprocess, "Popen", lambda *a, **k: asked.append(start(*a, **k)) or asked[0])
    monkeypatch.delitem(sys.modules, "matplotlib")
    with drawing.draughtsman():
        pass
    assert asked[0].returncode == 0


def test_labels_are_short_and_different():
    found = plots.labels(LONG)
    assert all(len(label) <= plots.NAME_LENGTH + 5 for label in found.values())
    assert len(set(found.values())) == len(LONG)
    assert found["random"] == "random"
