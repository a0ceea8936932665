"""The tests that a change touches: what is not committed yet, or all that differs from another commit.

    uv run python -m tests.touched
    uv run python -m tests.touched --since main -x

What follows goes to pytest. A change touches the tests whose imports lead to it. The whole bot imports
everything: of the tests that start it, a change of one thing (a rule, a command, its words) touches those
that say its name, and any other change touches them all. What is no Python touches the tests that name it.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
THE_BOT = "bot.doomkeeper"
THINGS = ("rules/", "bot/cogs/", "bot/pictures/", "bot/views/")
"""Where a module has the name of what it is about, which its commands and tests have too."""
EVERYTHING = ("tests/conftest.py", "pyproject.toml", "uv.lock")
ALWAYS = {"tests/test_architecture.py", "tests/test_contributing.py", "tests/test_docs.py"}
"""They read every source and every page."""


def changed(since: str = "HEAD") -> list[str]:
    """The files that differ from a commit, those that git does not know yet among them."""
    asked = (("diff", "--name-only", since), ("ls-files", "--others", "--exclude-standard"))
    return sorted({line for words in asked for line in _git(*words).splitlines()})


def touched(paths: Iterable[str]) -> list[str]:
    """The files of tests that changes of these files touch."""
    graph, apart = _imports(), _imports(without=THE_BOT)
    tests = _texts()
    whole = {each: tests[each] for each in graph.find_downstream_modules(THE_BOT) & tests.keys()}
    found: set[str] = set()
    for path in map(Path, paths):
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if str(path) in EVERYTHING:
            found |= tests.keys()
        elif path.suffix != ".py" or path.parts[0] == "migrations":
            name = (
                r"migrat\w*" if path.parts[0] == "migrations" else f"{path.name}|{path.parent.name or '$^'}"
            )
            found |= _saying(rf"\b({name})\b", tests)
        elif module in graph.modules:
            is_thing = str(path).startswith(THINGS)
            found |= {module} | (apart if is_thing else graph).find_downstream_modules(module)
            found |= _saying(rf"(?<![a-z]){path.stem.rstrip('s')}", whole) if is_thing else set()
    files = {str(_path(each).relative_to(ROOT)) for each in found & tests.keys()}
    return sorted(files | ALWAYS if files else files)


@cache
def _imports(without: str = "tests.conftest") -> grimp.ImportGraph:
    """What imports what; what all tests share by pytest counts for none."""
    graph = grimp.build_graph("bot", "rules", "tests", cache_dir=None)
    for module in {"tests.conftest", without}:
        graph.remove_module(module)
    return graph


@cache
def _texts() -> Mapping[str, str]:
    """What stands in each file of tests."""
    return {each: _path(each).read_text(encoding="utf-8") for each in _imports().modules if ".test_" in each}


def _saying(name: str, tests: Mapping[str, str]) -> set[str]:
    return {each for each, text in tests.items() if re.search(name, text, re.IGNORECASE)}


def _path(module: str) -> Path:
    return ROOT.joinpath(*module.split(".")).with_suffix(".py")


def _git(*words: str) -> str:
    return subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main(words: list[str]) -> int:
    """Run them; 0 where there are none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--since", default="HEAD", help="the commit to compare with")
    chosen, more = parser.parse_known_args(words)
    files = touched(changed(chosen.since))
    return (
        subprocess.run((sys.executable, "-m", "pytest", *files, *more), cwd=ROOT).returncode if files else 0
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
