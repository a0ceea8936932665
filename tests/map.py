"""The map of the house: which room imports which, drawn from the imports themselves.

    uv run python -m tests.map

An arrow that a longer way says already is left out.
"""

import ast
from collections.abc import Mapping
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "bot" / "guide" / "build" / "map.md"
HEAD = """# Map

Which part of the program imports which.

An arrow is left out if longer paths imply it. This page is generated from the imports:
`python3 -m uv run python -m tests.map` writes it again.
"""


def drawn() -> str:
    """The page as the imports are now."""
    rooms = imports()
    arrows = [f"  {one} --> {other}" for one in sorted(rooms) for other in sorted(_direct(rooms, one))]
    chart = "\n".join(["```mermaid", "flowchart TD", *arrows, "```"])
    rows = [f"| `{_path(room)}` | {_about(room)} |" for room in sorted(rooms)]
    return "\n".join([HEAD, chart, "", "| part | what it is |", "|---|---|", *rows, ""])


def imports() -> Mapping[str, set[str]]:
    """Every room with those that it imports: a module or a folder of the bot, and the rules."""
    graph = grimp.build_graph("bot", "rules", cache_dir=None)
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        if module != "bot":
            others = {
                _room(each) for each in graph.find_modules_directly_imported_by(module) if each != "bot"
            }
            found.setdefault(_room(module), set()).update(others - {_room(module)})
    return found


def _room(module: str) -> str:
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] if package == "bot" else package


def _direct(rooms: Mapping[str, set[str]], room: str) -> set[str]:
    """The rooms that are not reached by way of another one."""
    ways = {way: reached(rooms, way) for way in rooms[room]}
    return {each for each in ways if not any(each in way for way in ways.values())}


def reached(rooms: Mapping[str, set[str]], room: str) -> set[str]:
    """Every room that one imports, or that those import."""
    found, left = set[str](), [room]
    while left:
        fresh = rooms[left.pop()] - found
        found |= fresh
        left += fresh
    return found


def _path(room: str) -> str:
    return str(
        (_source(room).parent if _source(room).stem == "__init__" else _source(room)).relative_to(ROOT)
    )


def _about(room: str) -> str:
    """The first sentence of what a room says of itself."""
    said = ast.get_docstring(ast.parse(_source(room).read_text(encoding="utf-8"))) or ""
    return said.partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _source(room: str) -> Path:
    folder = ROOT if room == "rules" else ROOT / "bot"
    module = folder / f"{room}.py"
    return module if module.exists() else folder / room / "__init__.py"


if __name__ == "__main__":
    PAGE.write_text(drawn(), encoding="utf-8")
