"""The notebooks run from front to back without a warning, and changed cells take effect at once."""

import copy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
TOURNAMENT, *BALANCE = NOTEBOOKS
STRICT = (
    "import warnings\n"
    "warnings.simplefilter('error')\n"
    "warnings.filterwarnings('ignore', message='First-class function type feature is experimental')"
)
EDITS = {
    "agent": ("view.actions[0]", "view.actions[-1]"),
    "compiled-agent": ("work.legal[n - 1]", "work.legal[0]"),
    "rule": ('"storms": 3', '"storms": 2'),
    "deck": ('startswith("*+")', 'startswith("*")'),
}


def executed(notebook, folder):
    """Run a copy of a notebook in a kernel of its own, with warnings as errors; gives the cells by their ids."""
    ran = copy.deepcopy(notebook)
    ran.cells.insert(0, nbformat.v4.new_code_cell(STRICT, id="strict"))
    NotebookClient(ran, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: cell for cell in ran.cells if cell.cell_type == "code"}


def results(cell):
    return [output.data["text/plain"] for output in cell.outputs if output.output_type == "execute_result"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # of Jupyter's own machinery
def test_a_tournament_in_a_notebook_and_cells_that_change(tmp_path):
    """Each changed cell is run again in the same kernel, after the others, and then once more as it was."""
    notebook = nbformat.read(TOURNAMENT, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for name, (old, new) in EDITS.items():
        assert cells[name].source.count(old) == 1
        for end, source in (("changed", cells[name].source.replace(old, new)), ("again", cells[name].source)):
            notebook.cells.append(nbformat.v4.new_code_cell(source, id=f"{name}-{end}"))
    found = executed(notebook, tmp_path)
    for name in EDITS:
        before, changed, again = (results(found[f"{name}{end}"]) for end in ("", "-changed", "-again"))
        assert len(before) == 1
        assert before != changed, name
        assert before == again, name
    assert results(found["jobs-change-nothing"]) == ["True"]
    assert any("image/png" in output.get("data", {}) for output in found["figure"].outputs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # of Jupyter's own machinery
@pytest.mark.parametrize("path", BALANCE, ids=lambda path: path.name)
def test_a_study_of_balance_in_a_notebook_with_few_games(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    (imports,) = (cell for cell in notebook.cells if cell.id == "imports")
    assert imports.source.count("GAMES = 4000") == 1
    imports.source = imports.source.replace("GAMES = 4000", "GAMES = 80")
    found = executed(notebook, tmp_path)
    for name, cell in found.items():
        if name.endswith("-figure"):
            assert any("image/png" in output.get("data", {}) for output in cell.outputs), name
        elif name.endswith("-played") and not cell.outputs[0].get("text"):
            assert "text/html" in cell.outputs[0].data, name
        elif name.endswith("-told"):
            assert "with 3" in cell.outputs[0].text or "No card" in cell.outputs[0].text, name
