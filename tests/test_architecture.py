"""The house stays as it was planned: rooms, names, small steps."""

import ast
import subprocess
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [*(ROOT / "rules").rglob("*.py"), *(ROOT / "bot").rglob("*.py")]
COGS = sorted((ROOT / "bot" / "cogs").glob("*.py"))
ASKS = sorted((ROOT / "bot" / "asks").glob("[!_]*.py"))
ROOMS = ("render", "asks", "use", "ui", "store", "cogs")
LAYOUT = {
    ".ci", ".dockerignore", ".env.example", ".gitignore", "CHANGELOG.md", "Dockerfile", "LICENSE",
    "README.md", "bot", "docker-compose.yml", "migrations", "pyproject.toml", "rules", "tests", "uv.lock",
}  # fmt: skip


def functions(path: Path) -> Iterator[ast.AsyncFunctionDef | ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def answers_somebody(function: ast.AsyncFunctionDef | ast.FunctionDef) -> bool:
    marks = [ast.unparse(decorator) for decorator in function.decorator_list]
    return any(mark.startswith(("app_commands.command", "on_press", "on_form")) for mark in marks)


@pytest.mark.parametrize("path", COGS, ids=lambda path: path.stem)
def test_what_answers_a_command_a_press_or_a_form_is_two_statements(path: Path) -> None:
    for function in functions(path):
        if answers_somebody(function):
            body = function.body[1:] if ast.get_docstring(function) else function.body
            assert len(body) <= 2, f"{path.name}: {function.name}"


@pytest.mark.parametrize("path", COGS, ids=lambda path: path.stem)
def test_no_cog_catches_an_error(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Try)]


@pytest.mark.parametrize("path", ASKS, ids=lambda path: path.stem)
def test_each_question_is_tried_beside_the_others(path: Path) -> None:
    assert (ROOT / "tests" / "bot" / "asks" / f"test_{path.stem}.py").exists()


@pytest.mark.parametrize("path", sorted((ROOT / "rules").rglob("*.py")), ids=lambda path: path.stem)
def test_rules_need_neither_clock_nor_chance_nor_waiting(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        )
    }
    assert not imported & {"random", "secrets", "time", "asyncio", "os", "sys", "pathlib"}
    clocks = {"now", "today", "utcnow"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in clocks]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef | ast.Await)]


def test_only_one_module_makes_buttons() -> None:
    makers = [
        path.name
        for path in (ROOT / "bot").rglob("*.py")
        if "local" not in path.parts and "ui.Button" in path.read_text(encoding="utf-8")
    ]
    assert makers == ["layout.py"]


def test_the_top_level_holds_what_was_agreed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split("/")[0] for line in listed.splitlines()} <= LAYOUT


@pytest.mark.parametrize(
    "room",
    [
        "rules",
        "bot/pictures",
        "bot/render",
        "bot/asks",
        "bot/use",
        "bot/ui",
        "bot/store",
        "bot/cogs",
        "bot/upkeep",
    ],
)
def test_every_public_thing_says_what_it_is(room: str) -> None:
    missing = [
        f"{path.name}: {node.name}"
        for path in (ROOT / room).rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert missing == []


def test_no_modules_import_each_other_in_a_ring() -> None:
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in SOURCES}
    graph = {name: {each for each in imported(path) if each in modules} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a ring of imports: {' imports '.join(error.args[1][::-1])}")


def imported(path: Path) -> Iterator[str]:
    """The modules that a module imports anywhere in it, also for its types alone."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
