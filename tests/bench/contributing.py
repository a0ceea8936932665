"""Follow the guide's page for contributors in a copy of the project, recipe by recipe, as the page says.

    uv run python -m tests.bench.contributing [sentence command …]

To be run before a release. Each recipe has a fresh copy: its changes are applied and its commands run, in
the order of the page. It ends with 1 where one did not work. Printed are the files and lines of each, tests
apart, and what an import says is missing after each change.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "bot" / "guide" / "build" / "recipes.md"
_RECIPE = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """One block of the page: `diff` is a change, `sh` are commands."""

    kind: str
    text: str

    @property
    def added(self) -> int:
        """So many lines a change adds; none for commands, and for what tries it."""
        lines = self.text.splitlines() if self.kind == "diff" and "+++ b/tests/" not in self.text else ()
        return sum(line.startswith("+") and not line.startswith("+++") for line in lines)

    @property
    def files(self) -> list[str]:
        """The files that a change is to, but those that try it."""
        found = re.findall(r"^\+\+\+ b/(.+)$", self.text, re.MULTILINE) if self.kind == "diff" else []
        return [name for name in found if not name.startswith("tests/")]

    def follow(self, folder: Path) -> None:
        """Do it in a copy. Raises CalledProcessError, and ValueError for what nobody can follow."""
        if self.kind == "diff":
            _run(("git", "apply", "--recount"), folder, self.text)
        elif self.kind == "sh":
            _run(("bash", "-euo", "pipefail"), folder, self.text)
        else:
            raise ValueError(f"a block of {self.kind or 'no kind'} is neither a change nor commands")


def recipes() -> Mapping[str, list[Step]]:
    """What the page has under each title, where it has steps."""
    found = {}
    for title, text in _RECIPE.findall(PAGE.read_text(encoding="utf-8")):
        if steps := [Step(kind, block) for kind, block in _BLOCK.findall(text)]:
            found[title] = steps
    return found


def copy_to(folder: Path) -> None:
    """Copy what belongs to the project, and what mypy remembers: else it is a minute for each recipe."""
    wanted = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(wanted, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", folder / ".mypy_cache")


def _run(command: tuple[str, ...], folder: Path, typed: str) -> None:
    """Run a command in a copy, with the packages that are installed here."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    # Without this environment's own programs: `uv run` puts them first, and there is no pip among them.
    path = os.pathsep.join(each for each in os.get_exec_path() if Path(each) != Path(sys.prefix) / "bin")
    own = {"UV_PROJECT_ENVIRONMENT": str(Path(sys.prefix)), "UV_NO_SYNC": "1", "PATH": path}
    environment = {**kept, **own}
    subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )


def _missing(folder: Path) -> str:
    """What has no record yet, as the program says when it is loaded; nothing where it loads."""
    try:
        _run((sys.executable, "-"), folder, "import bot.doomkeeper")
    except subprocess.CalledProcessError as error:
        return str(error.output).strip().splitlines()[-1]
    return ""


def _follow(title: str, steps: list[Step]) -> bool:
    """Follow a recipe, and say how it went."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="doomkeeper-") as folder:
        copy_to(Path(folder))
        for number, step in enumerate(steps, 1):
            try:
                step.follow(Path(folder))
                if step.kind == "diff" and (missing := _missing(Path(folder))):
                    print(f"  {', '.join(step.files)}: {missing}")
            except subprocess.CalledProcessError as error:
                print(f"{title}: step {number} of {len(steps)} does not work:\n{step.text}\n{error.output}")
                return False
    files = list(dict.fromkeys(name for step in steps for name in step.files))
    print(
        f"{title}: {len(steps)} steps work, {time.monotonic() - began:.0f} s; "
        f"{sum(step.added for step in steps)} lines in {len(files)} files",
        flush=True,
    )
    return True


def main() -> int:
    """Follow those asked for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.contributing")
    parser.add_argument("words", nargs="*", help="only recipes with such a word in their title")
    words = parser.parse_args().words
    wanted = {
        title: steps
        for title, steps in recipes().items()
        if not words or any(word in title.lower() for word in words)
    }
    done = [_follow(title, steps) for title, steps in wanted.items()]
    return 0 if wanted and all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
