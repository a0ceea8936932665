"""The house stays as it was planned: rooms, names, small steps."""

import ast
import re
import subprocess
from collections.abc import Iterable, Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path

import pytest

from tests.house import nodes_of

ROOT = Path(__file__).parents[1]
SOURCES = [*(ROOT / "rules").rglob("*.py"), *(ROOT / "bot").rglob("*.py")]
RULES = [path for path in SOURCES if path.is_relative_to(ROOT / "rules")]
COGS = sorted((ROOT / "bot" / "cogs").rglob("*.py"))
ROOMS = ("client", "cogs", "ops", "pictures", "services", "store", "views")
LAYOUT = {
    ".ci", ".dockerignore", ".env.example", ".gitignore", "CHANGELOG.md", "Dockerfile", "LICENSE",
    "README.md", "bot", "docker-compose.yml", "migrations", "pyproject.toml", "rules", "tests", "uv.lock",
}  # fmt: skip


def place(path: Path, node: ast.AST) -> str:
    """Where a node stands, as in `bot/cogs/table.py:12`."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


def test_no_cog_catches_an_error() -> None:
    assert [place(path, node) for path in COGS for node in nodes_of(path) if isinstance(node, ast.Try)] == []


def test_rules_need_neither_clock_nor_chance_nor_waiting() -> None:
    modules = {"random", "secrets", "time", "asyncio", "os", "sys", "pathlib"}
    imports = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in RULES
        for name in sorted({name.split(".")[0] for name in imported(nodes_of(path))} & modules)
    ]
    clocks = {"now", "today", "utcnow"}
    waits_or_clocks = [
        f"{place(path, node)}: {ast.unparse(node)}"
        for path in RULES
        for node in nodes_of(path)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await)
        or (isinstance(node, ast.Attribute) and node.attr in clocks)
    ]
    assert imports == []
    assert waits_or_clocks == []


@pytest.mark.needs("git", ".git")
def test_the_top_level_holds_what_was_agreed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split("/")[0] for line in listed.splitlines()} <= LAYOUT


def test_every_public_thing_says_what_it_is() -> None:
    rooms = ("rules", *(f"bot/{room}" for room in ROOMS))
    missing = [
        f"{place(path, node)}: {node.name}"
        for room in rooms
        for path in SOURCES
        if path.is_relative_to(ROOT / room)
        for node in ast.iter_child_nodes(nodes_of(path)[0])
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert missing == []


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The modules that a module imports anywhere in it, also for its types alone."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def test_no_class_is_named_twice() -> None:
    named: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.iter_child_nodes(nodes_of(path)[0]):
            if isinstance(node, ast.ClassDef):
                named.setdefault(node.name, []).append(place(path, node))
    assert {name: where for name, where in named.items() if len(where) > 1} == {}


def test_shared_rules_know_no_game() -> None:
    knowing = [
        f"{path.name} imports {each}"
        for path in RULES
        if (path.parent == ROOT / "rules" and path.stem != "games") or path.parent.name == "campaign"
        for each in imported(nodes_of(path))
        if each.startswith(("rules.cortex", "rules.ore"))
    ]
    assert knowing == []


RECORDS = [path for path in SOURCES if "loopback" not in path.parts]  # which knows nothing of the rules


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


def records_of(nodes: Iterable[ast.AST]) -> dict[ast.AST, str]:
    """The dictionaries that are given to `exhaustive`, each with the set that it is of."""
    return {
        node.args[1]: ast.unparse(node.args[0])
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exhaustive"
    }


def test_what_differs_by_a_closed_set_has_one_record_a_member() -> None:
    found = []
    for path in RECORDS:
        names, records = named_in(path), records_of(nodes_of(path))
        for node in nodes_of(path):
            if isinstance(node, ast.Dict) and node.keys and node not in records:
                keys = [key for key in node.keys if not (isinstance(key, ast.Constant) and key.value is None)]
                kinds = {type(member(key, names)) for key in keys}
                if len(kinds) == 1 and kinds != {type(None)}:
                    found.append(f"{place(path, node)}: records of {kinds}")
    assert found == []


def test_a_match_of_a_closed_set_has_a_case_for_each_member() -> None:
    found = []
    for path in RECORDS:
        names = named_in(path)
        for node in nodes_of(path):
            if isinstance(node, ast.Match):
                patterns = [case.pattern for case in node.cases]
                single = [each for one in patterns for each in (getattr(one, "patterns", None) or [one])]
                values = [each.value for each in single if isinstance(each, ast.MatchValue)]
                last = ast.unparse(node.cases[-1].body[-1])
                if any(member(value, names) for value in values) and not last.startswith("assert_never("):
                    found.append(place(path, node))
    assert found == []


def test_a_room_has_one_mapping_for_each_closed_set() -> None:
    found: dict[tuple[str, str], list[str]] = {}
    for path in RECORDS:
        room = "/".join(path.relative_to(ROOT).parts[: 1 if path.is_relative_to(ROOT / "rules") else 2])
        for name in records_of(nodes_of(path)).values():
            of = named_in(path).get(name)
            found.setdefault((room, f"{getattr(of, '__module__', '')}.{name}"), []).append(path.name)
    assert found
    assert {of: where for of, where in found.items() if len(where) > 1} == {}


def test_nobody_goes_to_the_ledger_through_play() -> None:
    through_play = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if path.is_relative_to(ROOT / "bot")
        and re.search(r"\bplay\._?ledger\b", path.read_text(encoding="utf-8"))
    ]
    assert through_play == []


CLOCK = ROOT / "bot" / "clock.py"
OTHER_CLOCKS = re.compile(
    r"\b(datetime\.(now|utcnow|today)|date\.today|utcnow)\("
    r"|\btime\.(time|monotonic|perf_counter|sleep)\b"
    r"|\basyncio\.(timeout|timeout_at|wait_for)\(|\basyncio\.wait\([^)]*timeout"
    r"|\basyncio\.sleep\((?!0\))"  # sleep(0) lets others go on, and waits for nothing
    r"|loop\(\)\.(time|call_later|call_at)\("
)


def test_only_the_clock_asks_for_the_time_or_waits_for_it() -> None:
    offenders = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in SOURCES
        if path != CLOCK
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if OTHER_CLOCKS.search(line)
    ]
    assert offenders == []
