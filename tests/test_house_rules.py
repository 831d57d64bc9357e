"""The rules of the house, read from the sources: imports, names, sizes, docstrings, a test for each ruling."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("gameapi", "hotsim", "heatsim", "agents", "experiments")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}

MAY_IMPORT = {
    "gameapi": {"gameapi"},
    "hotsim": {"gameapi", "hotsim"},
    "heatsim": {"gameapi", "heatsim"},
    "agents": {"gameapi", "agents"},
    "experiments": set(PACKAGES),
}
KNOWS_A_GAME = {"agents/hot_heuristics.py": "hotsim"} | {
    f"agents/heat_{name}.py": "heatsim" for name in ("guess", "worth", "heuristics")
}
EVERYWHERE = {"numpy", "numba", "llvmlite"}
LAB_ONLY = {"pandas", "matplotlib", "joblib", "pyarrow", "click", "scipy", "choix", "tqdm"}
LAB_ONLY |= {"open_spiel", "pyspiel", "distributed", "optuna"}  # of the extras [metagame], [dask] and [search]
PAGES_ONLY = {"jinja2", "plotly", "itables"}  # of the extra [report]
WRITES_PAGES = ("experiments/report", "experiments/balance/page.py", "experiments/balance/figures.py")
GAMEAPI = {
    "__init__": "",
    "batch": "many games at once",
    "bits": "bit operations that numba lacks",
    "clock": "the clock for compiled code",
    "conformance": "checks for any game",
    "coupling": "the same cards for different decks",
    "datafile": "data files with the place of an error",
    "decklist": "what deck files of any game share",
    "doors": "public names of a game's package",
    "errors": "faults that are told to a person",
    "form": "fields that traces of any game share",
    "game": "the description of a game",
    "jit": "the compiler and its cache",
    "jsonl": "JSON Lines",
    "kernel": "the contract",
    "options": "tables of rules options",
    "prose": "text and HTML for people",
    "ranking": "who wins",
    "records": "copying records",
    "replay": "the check of trace files",
    "rng": "random numbers",
    "table": "one game step by step",
    "view": "what a seat sees",
}
RULINGS = {"hotsim": ("HH", 16), "heatsim": ("HT", 18)}
"""The letters of each game's rulings, and how many there are."""

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 450, 60
MOST_LINES_OF_RULES = 700  # a rulebook is read from front to back in one file
NO_NAMES = {"core", "utils", "util", "helpers", "helper", "common", "misc"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.AST) -> Iterator[str]:
    """Give the full name of every module imported anywhere in a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


def at_top(module: str) -> str:
    return module.split(".")[0]


# What imports what


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_imports_go_one_way(path: Path) -> None:
    package = name(path).split("/")[0]
    allowed = MAY_IMPORT[package] | {KNOWS_A_GAME.get(name(path), package)}
    for module in imports(TREES[path]):
        top = at_top(module)
        assert top not in PACKAGES or top in allowed, f"{name(path)} imports {module}"
        assert top != "tests", f"{name(path)} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_what_is_imported_from_outside(path: Path) -> None:
    allowed = set(sys.stdlib_module_names) | set(PACKAGES) | EVERYWHERE
    if name(path).startswith("experiments/"):
        allowed |= LAB_ONLY
    if name(path).startswith(WRITES_PAGES):
        allowed |= PAGES_ONLY
    foreign = {at_top(module) for module in imports(TREES[path])} - allowed
    assert not foreign, f"{name(path)} imports {', '.join(sorted(foreign))}"


def test_click_is_for_the_command_line_alone() -> None:
    users = {name(path) for path in SOURCES if "click" in map(at_top, imports(TREES[path]))}
    assert all(user.startswith("experiments/cli/") for user in users)


@pytest.mark.parametrize("game", RULINGS)
def test_the_plain_engine_shares_nothing_with_the_kernels(game: str) -> None:
    code = (
        f"import sys, {game}.reference, {game}.trace; "
        "print(*(m for m in sys.modules if m.startswith(('numba', 'numpy', 'llvmlite', 'hotsim', 'heatsim'))))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not [m for m in loaded if at_top(m) in ("numba", "numpy", "llvmlite")]
    jitted = {path.stem for path in SOURCES if path.parent.name == game and "gameapi.jit" in imports(TREES[path])}
    assert {"kernels", "layout", "choices", "hidden"} <= jitted
    assert not {f"{game}.{module}" for module in jitted | {"table", "view"}} & set(loaded)
    assert {f"{game}.reference", f"{game}.trace"} <= set(loaded)


@pytest.mark.parametrize("game", RULINGS)
def test_light_commands_load_no_compiler(game: str) -> None:
    light = ("game", "rules", "deck", "listing", "trace", "show")
    code = f"import sys, {', '.join(f'{game}.{name}' for name in light)}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_only_one_file_decorates() -> None:
    for path in SOURCES:
        if name(path) == "gameapi/jit.py":
            continue
        for node in ast.walk(TREES[path]):
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("njit", "jit", "vectorize", "cfunc"), f"{name(path)}:{node.lineno}"
            if isinstance(node, ast.ImportFrom) and node.module == "numba":
                assert not {alias.name for alias in node.names} & {"njit", "jit", "prange"}, (
                    f"{name(path)}:{node.lineno}"
                )


# Names and sizes


def test_gameapi_is_a_closed_list() -> None:
    assert {path.stem for path in SOURCES if path.parent.name == "gameapi"} == set(GAMEAPI)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_files_are_named_for_a_duty(path: Path) -> None:
    assert not {part.removesuffix(".py") for part in path.relative_to(ROOT).parts} & NO_NAMES


def test_games_have_no_door_of_their_own() -> None:
    assert not [path for path in SOURCES if path.name == "__main__.py"]


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_files_are_not_long(path: Path) -> None:
    most = MOST_LINES_OF_RULES if path.name == "reference.py" else MOST_LINES
    assert len(path.read_text(encoding="utf-8").splitlines()) <= most


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_functions_fit_a_screen(path: Path) -> None:
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            lines = (node.end_lineno or 0) - body[0].lineno + 1
            assert lines <= MOST_LINES_OF_A_FUNCTION, f"{name(path)}:{node.lineno}: {node.name} has {lines} lines"


# Docstrings


def public(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Give every public function and class of a module, and every public method of these."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
                yield from (method for method in methods if not method.name.startswith("_"))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_everything_public_has_a_docstring(path: Path) -> None:
    assert ast.get_docstring(TREES[path]), f"{name(path)} says nothing of itself"
    for node in public(TREES[path]):
        doc = ast.get_docstring(node)
        assert doc, f"{name(path)}:{node.lineno}: {node.name} has no docstring"
        first = doc.splitlines()[0]
        assert first.endswith((".", ":", "?")), f"{name(path)}:{node.lineno}: {node.name}: {first!r}"


# Rulings


@pytest.mark.parametrize(
    ("letters", "number"), [(letters, number) for letters, last in RULINGS.values() for number in range(1, last + 1)]
)
def test_each_ruling_has_a_test_named_after_it(letters: str, number: int) -> None:
    named = re.compile(rf"^def test_{letters.lower()}{number:02d}_\w+\(", re.MULTILINE)
    found = [path for path in (ROOT / "tests").glob("test_*.py") if named.search(path.read_text(encoding="utf-8"))]
    assert found, f"no test is called test_{letters.lower()}{number:02d}_..."


def test_no_ruling_is_cited_that_there_is_not() -> None:
    for letters, last in RULINGS.values():
        for path in [*SOURCES, *(ROOT / "tests").glob("*.py"), *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
            assert cited(letters, path) <= set(range(1, last + 1)), name(path)


def cited(letters: str, path: Path) -> set[int]:
    """Give the numbers of the rulings that a file cites; a range such as HT1 to HT17 cites its ends."""
    return {int(number) for number in re.findall(rf"\b{letters}(\d+)\b", path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(("game", "elsewhere"), [("hotsim", {4: "rules.py"}), ("heatsim", {18: ""})])
def test_the_plain_engine_cites_the_rulings(game: str, elsewhere: dict[int, str]) -> None:
    """Limits are cited where they are checked; that of HT18 is no matter of a game but of the lab."""
    letters, last = RULINGS[game]
    assert cited(letters, ROOT / game / "reference.py") >= set(range(1, last + 1)) - set(elsewhere)
    for number, file in elsewhere.items():
        assert not file or number in cited(letters, ROOT / game / file)
