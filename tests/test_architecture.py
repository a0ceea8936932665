"""The house stays as it was planned: rooms, names, small steps."""

import ast
import re
import subprocess
from collections.abc import Iterator
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [*(ROOT / "rules").rglob("*.py"), *(ROOT / "bot").rglob("*.py")]
COGS = sorted((ROOT / "bot" / "cogs").rglob("*.py"))
ASKS = sorted((ROOT / "bot" / "asks").rglob("[!_]*.py"))
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
    return any(
        mark.startswith(("app_commands.command", "gms_command", "on_press", "on_form")) for mark in marks
    )


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
    assert (ROOT / "tests" / path.relative_to(ROOT).with_name(f"test_{path.name}")).exists()


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
        if "local" not in path.parts
        and re.search(r"ui\.Button|ready\.(button|link)\b", path.read_text(encoding="utf-8"))
    ]
    assert makers == ["layout.py"]


@pytest.mark.needs("git", ".git")
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


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*.py")), ids=lambda path: path.stem)
def test_shared_rules_know_no_game(path: Path) -> None:
    if path.stem != "games":
        assert not [each for each in imported(path) if each.startswith(("rules.cortex", "rules.ore"))]


RECORDS = [path for path in SOURCES if "local" not in path.parts]  # which knows nothing of the rules


def member(node: ast.expr | None, names: dict[str, object]) -> Enum | None:
    """The member of an enum that an expression names, where those names mean what they do in its module."""
    if not isinstance(node, ast.Attribute) or not node.attr.isupper():
        return None
    try:
        found = eval(compile(ast.Expression(node), "", "eval"), names)
    except NameError:
        return None
    return found if isinstance(found, Enum) else None


def named_in(path: Path) -> dict[str, object]:
    """What names mean in a module."""
    return dict(vars(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))))


def records_of(tree: ast.Module) -> dict[ast.AST, str]:
    """The dictionaries that are given to `every`, each with the set that it is of."""
    return {
        node.args[1]: ast.unparse(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "every"
    }


def uses_members(path: Path) -> bool:
    return "every" in path.read_text() or bool(re.search(r"\b[A-Z]\w*\.[A-Z_]+\b", path.read_text()))


@pytest.mark.parametrize("path", [path for path in RECORDS if uses_members(path)], ids=lambda path: path.stem)
def test_what_differs_by_a_closed_set_has_one_record_a_member(path: Path) -> None:
    tree, names = ast.parse(path.read_text(encoding="utf-8")), named_in(path)
    records = records_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and node.keys and node not in records:
            keys = [key for key in node.keys if not (isinstance(key, ast.Constant) and key.value is None)]
            kinds = {type(member(key, names)) for key in keys}
            assert len(kinds) != 1 or kinds == {type(None)}, f"line {node.lineno}: records of {kinds}"


@pytest.mark.parametrize("path", [path for path in RECORDS if uses_members(path)], ids=lambda path: path.stem)
def test_a_match_of_a_closed_set_has_a_case_for_each_member(path: Path) -> None:
    tree, names = ast.parse(path.read_text(encoding="utf-8")), named_in(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Match):
            patterns = [case.pattern for case in node.cases]
            found = [each for one in patterns for each in (getattr(one, "patterns", None) or [one])]
            values = [each.value for each in found if isinstance(each, ast.MatchValue)]
            if any(member(value, names) for value in values):
                last = ast.unparse(node.cases[-1].body[-1])
                assert last.startswith("assert_never("), f"line {node.lineno}"


def test_a_room_has_one_mapping_for_each_closed_set() -> None:
    found: dict[tuple[str, str], list[str]] = {}
    for path in RECORDS:
        room = "/".join(path.relative_to(ROOT).parts[: 1 if path.is_relative_to(ROOT / "rules") else 2])
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name in records_of(tree).values():
            of = named_in(path).get(name)
            found.setdefault((room, f"{getattr(of, '__module__', '')}.{name}"), []).append(path.name)
    assert found
    assert {of: where for of, where in found.items() if len(where) > 1} == {}


@pytest.mark.parametrize("path", sorted((ROOT / "bot").rglob("*.py")), ids=lambda path: path.stem)
def test_nobody_goes_to_the_ledger_through_play(path: Path) -> None:
    assert not re.search(r"\bplay\._?ledger\b", path.read_text(encoding="utf-8"))
