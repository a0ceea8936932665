"""Print figures of the code, beside those of another commit.

    uv run python -m tests.house [--beside REV] [--passed]

Without a commit, the figures of the newest tag are printed beside them, if there is one. `--passed` also
plays five interactions, and counts the files and functions that each passes through. The figures are no
gates: each says where to look.
"""

import argparse
import ast
import io
import json
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("rules", "bot")
LOOPBACK = ("bot/loopback/", "bot/local/")
"""The stand-in for Discord under its names is no part of the bot; its lines, modules and imports count."""
LONG, SHORT, FUNCTION, BORNE, RUN = 450, 60, 60, 3, 6
"""Modules of more and of fewer lines of code, functions of more lines, names that more functions have, and
repeated runs of lines count."""
GAMES = {
    "cortex": re.compile("cortex", re.IGNORECASE),
    "ore": re.compile(r"one[-_ ]?roll|\bore\b", re.IGNORECASE),
}
"""How each game is named in code, by the name of its rooms."""
_LISTS = ("rules/games.py", "bot/games.py")
_NO_CODE = (
    tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
)  # fmt: skip
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Source:
    """A module: its text, its tree, and its lines of code, without comments."""

    text: str
    tree: ast.Module
    code: tuple[str, ...]


Sources = Mapping[str, Source]
"""Modules by their paths."""


def here(root: Path = ROOT) -> Sources:
    """The modules as they stand in the working tree."""
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    return {path.relative_to(root).as_posix(): source(path.read_text("utf-8")) for path in paths}


def at(revision: str, root: Path = ROOT) -> Sources:
    """The modules as they stood at a commit."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", revision, *ROOMS], cwd=root, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        files = {each.name: archive.extractfile(each) for each in archive if each.name.endswith(".py")}
        return {name: source(file.read().decode()) for name, file in sorted(files.items()) if file}


def newest_tag(root: Path = ROOT) -> str:
    """The newest tag before this commit; "" where there is none."""
    order = ["git", "describe", "--tags", "--abbrev=0"]
    return subprocess.run(order, cwd=root, check=False, capture_output=True, text=True).stdout.strip()


@cache
def nodes_of(path: Path) -> Sequence[ast.AST]:
    """All syntax nodes of a file, its module first; it is parsed once a process."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def source(text: str) -> Source:
    """A module read."""
    tree = ast.parse(text)
    told = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and _is_text(node.value)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines, held = text.splitlines(), set[int]()
    for each in tokenize.generate_tokens(io.StringIO(text).readline):
        if each.type == tokenize.COMMENT:
            lines[each.start[0] - 1] = each.line[: each.start[1]]
        elif each.type not in _NO_CODE:
            held.update(range(each.start[0], each.end[0] + 1))
    return Source(text, tree, tuple(lines[number - 1].strip() for number in sorted(held - told)))


def _is_text(value: ast.Constant) -> bool:
    return isinstance(value.value, str)


def code_lines(sources: Sources) -> list[str]:
    """Every line of code, by its module."""
    return [path for path, each in sources.items() for _ in each.code]


def own_lines(sources: Sources) -> list[str]:
    """Every line of code but those of the loopback Discord, by its module."""
    return [path for path, each in _own(sources) for _ in each.code]


def room_rows(now: Sources, then: Sources | None) -> list[list[str]]:
    """Return a row of lines of code for each room; what lies directly in a folder counts as its own room."""
    both = [Counter(map(_room, code_lines(each))) for each in ([now] if then is None else [now, then])]
    rooms = sorted({room for each in both for room in each})
    return [[f"lines of code in `{room}`", *(f"{each[room]:,}" for each in both)] for room in rooms]


def _room(path: str) -> str:
    first, second, *inside = path.split("/")
    return f"{first}/{second}" if inside else f"{first}/*.py"


def modules(sources: Sources) -> list[str]:
    """Return the modules that hold code: all but packages that only say what they are."""
    return [path for path, each in sources.items() if each.code]


def long_modules(sources: Sources) -> list[str]:
    """Return the modules with more than `LONG` lines of code, the longest first."""
    long = [(len(each.code), path) for path, each in sources.items()]
    return [f"{path} ({lines})" for lines, path in sorted(long, reverse=True) if lines > LONG]


def short_modules(sources: Sources) -> list[str]:
    """Return the modules with fewer than `SHORT` lines of code, the shortest first."""
    short = [(len(each.code), path) for path, each in sources.items() if each.code]
    return [f"{path} ({lines})" for lines, path in sorted(short) if lines < SHORT]


def median_lines(sources: Sources) -> str:
    """Return how many lines of code a module has: as many have more as have fewer."""
    return f"{statistics.median(len(each.code) for each in sources.values() if each.code):,.0f}"


def import_share(sources: Sources) -> str:
    """Return how many of a hundred lines of code are imports."""
    lines = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for each in sources.values()
        for node in ast.walk(each.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return f"{100 * lines / sum(len(each.code) for each in sources.values()):.1f} %"


def long_functions(sources: Sources) -> list[str]:
    """The functions that are long, the longest first."""
    long = [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{path}: {node.name}")
        for path, each in sources.items()
        for node in ast.walk(each.tree)
        if isinstance(node, _Function)
    ]
    return [f"{name} ({lines})" for lines, name in sorted(long, reverse=True) if lines > FUNCTION]


def shared_classes(sources: Sources) -> list[str]:
    """The names that several classes bear, those of private ones apart."""
    classes = (node for _, node in _nodes(sources) if isinstance(node, ast.ClassDef))
    return _borne_by_more_than(1, (node.name for node in classes if _is_public(node)))


def shared_methods(sources: Sources) -> list[str]:
    """The names that many methods and functions bear, those of private ones and of commands apart."""
    names = (
        node.name
        for path, node in _nodes(sources)
        if isinstance(node, _Function) and _is_public(node) and "/cogs/" not in path
    )
    return _borne_by_more_than(BORNE, names)


def games_outside(sources: Sources) -> list[str]:
    """Where a game is named outside its rooms and the lists of games, with how often."""
    found: Counter[str] = Counter()
    for path, each in _own(sources):
        for game, named in GAMES.items():
            if f"/{game}/" not in path and path not in _LISTS:
                found[path] += sum(len(named.findall(line)) for line in each.code)
    return [path for path, count in found.most_common() for _ in range(count)]


def handed_on(sources: Sources) -> list[str]:
    """What a module imports as itself, so that others import it from there."""
    return [
        f"{path}: {name.name}"
        for path, node in _nodes(sources)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.asname == name.name
    ]


def repeated(sources: Sources) -> list[str]:
    """The pairs of modules in which the same run of lines stands, imports apart."""
    places: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for path, each in _own(sources):
        lines = [line for line in each.code if len(line) > 2 and not line.startswith(("import ", "from "))]
        for first in range(len(lines) - RUN + 1):
            places[tuple(lines[first : first + RUN])].add(path)
    runs = [sorted(paths) for paths in places.values() if len(paths) > 1]
    return sorted({f"{one} ~ {other}" for paths in runs for one in paths for other in paths if one < other})


MEASURES: Mapping[str, Callable[[Sources], str]] = {
    "lines of code of a module (median)": median_lines,
    "lines of code that are imports": import_share,
}
"""Figures that count nothing which could be listed."""
FIGURES: Mapping[str, Callable[[Sources], list[str]]] = {
    "lines of code": code_lines,
    "lines of code without the loopback": own_lines,
    "modules": modules,
    f"modules over {LONG} lines of code": long_modules,
    f"modules under {SHORT} lines of code": short_modules,
    f"functions over {FUNCTION} lines": long_functions,
    "names that several classes bear": shared_classes,
    f"names that more than {BORNE} functions bear": shared_methods,
    "a game named outside its rooms": games_outside,
    "names imported as themselves": handed_on,
    f"pairs of modules that share {RUN} lines": repeated,
}
"""What is counted: each figure is how much it finds."""


def passed(root: Path) -> Mapping[str, Sequence[int]]:
    """Return the files and functions that interactions pass through, in the program at `root`."""
    order = [sys.executable, "-m", "tests.bench.passed"]
    done = subprocess.run(order, cwd=root, check=True, capture_output=True, text=True)
    found: Mapping[str, Sequence[int]] = json.loads(done.stdout.splitlines()[-1])
    return found


def passed_at(revision: str, root: Path = ROOT) -> Mapping[str, Sequence[int]]:
    """Return the same for another commit, counted as it is counted here."""
    with tempfile.TemporaryDirectory(prefix="doomkeeper-") as folder:
        packed = subprocess.run(
            ["git", "archive", "--format=tar", revision], cwd=root, check=True, capture_output=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        shutil.copy(root / "tests" / "bench" / "passed.py", Path(folder) / "tests" / "bench")
        return passed(Path(folder))


def passed_rows(
    now: Mapping[str, Sequence[int]], then: Mapping[str, Sequence[int]] | None
) -> list[list[str]]:
    """Return a row of files and a row of functions for each interaction."""
    both = [now] if then is None else [now, then]
    return [
        [f"{what} that `{name}` passes through", *(f"{each[name][at]:,}" for each in both)]
        for name in now
        for at, what in enumerate(("files", "functions"))
    ]


def table(now: Sources, then: Sources | None, beside: str = "", more: Sequence[Sequence[str]] = ()) -> str:
    """Return the figures as a Markdown table, those of another commit beside them."""
    rows = [["", "here", *([beside] if then is not None else [])], ["---"] * (2 + (then is not None))]
    both = [now] if then is None else [now, then]
    rows += [[name, *(f"{len(found(each)):,}" for each in both)] for name, found in FIGURES.items()]
    rows += [[name, *map(measure, both)] for name, measure in MEASURES.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*rows, *more])


def details(now: Sources) -> str:
    """Return what was found for each figure but lines and modules, with how often."""
    lines: list[str] = []
    for name, found in [*FIGURES.items()][3:]:
        counts = Counter(found(now))
        lines += ["", f"{name}:", *(f"- {what}" + (f" × {n}" if n > 1 else "") for what, n in counts.items())]
    return "\n".join(lines)


def _own(sources: Sources) -> Iterator[tuple[str, Source]]:
    return ((path, each) for path, each in sources.items() if not path.startswith(LOOPBACK))


def _nodes(sources: Sources) -> Iterator[tuple[str, ast.AST]]:
    return ((path, node) for path, each in _own(sources) for node in ast.walk(each.tree))


def _is_public(node: ast.ClassDef | _Function) -> bool:
    return not node.name.startswith("_")


def _borne_by_more_than(most: int, names: Iterator[str]) -> list[str]:
    return [f"{name} ({count})" for name, count in Counter(names).most_common() if count > most]


def main() -> None:
    """Print the figures, and what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.house", description="The house in figures")
    parser.add_argument("--beside", metavar="REV", help="another commit; the newest tag if left out")
    parser.add_argument("--passed", action="store_true", help="play five interactions, too")
    chosen = parser.parse_args()
    beside, now = chosen.beside or newest_tag(), here()
    then = at(beside) if beside else None
    more = room_rows(now, then)
    if chosen.passed:
        more += passed_rows(passed(ROOT), passed_at(beside) if beside else None)
    sys.stdout.write(f"{table(now, then, beside, more)}\n{details(now)}\n")


if __name__ == "__main__":
    main()
