"""Which texts of the program the tests say, and which tests were skipped.

    uv run pytest --texts=FILE
    uv run python -m tests.texts_met FILE

A run with `--texts` adds to FILE what it said and what it skipped, so several runs add up. The second command
compares them with all texts there are. It fails if no run said a text; but where a test was skipped in all
runs it does not, since that test may be the one that says it.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from bot.language import said
from bot.store.undo import StepRefused
from rules.errors import RuleError, Undecided
from rules.terms import ENGLISH
from rules.text import Words
from tests import catalog

MET: set[str] = set()
"""The texts that this process has met."""
_KEY = "texts"


class _Noting(NullTranslations):
    """English, which notes what it is asked for."""

    def gettext(self, message: str) -> str:
        MET.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        MET.update((msgid1, msgid2))  # one sentence in two forms
        return msgid1 if n == 1 else msgid2


def note_all() -> None:
    """Note what every printer says from now on, in whatever language."""
    noting: Any = _Noting()
    for name in ("gettext", "ngettext"):
        setattr(ENGLISH, name, getattr(noting, name))
    vars(said)["ENGLISH"] = None  # what is said in English is looked up as well


def note(error: RuleError) -> None:
    """Note a refusal, with all that stands in it."""
    data = error.named(lambda step: "") if isinstance(error, StepRefused) else error.data
    Words(error.sentence, **data).said(ENGLISH)
    for answer in error.answers if isinstance(error, Undecided) else ():
        answer.label.said(ENGLISH)


@dataclass
class Run:
    """What one or more runs of tests said, ran and skipped."""

    said: set[str] = field(default_factory=set)
    ran: set[str] = field(default_factory=set)
    skipped: dict[str, str] = field(default_factory=dict)
    """The reason of each test that no run has run."""

    @classmethod
    def read(cls, path: Path) -> "Run":
        """Return what earlier runs wrote; an empty run if there is no file."""
        if not path.exists():
            return cls()
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(set(kept["said"]), set(kept["ran"]), kept["skipped"])

    def write(self, path: Path) -> None:
        """Write it for a later run."""
        kept = {"said": sorted(self.said), "ran": sorted(self.ran), "skipped": self.skipped}
        path.write_text(json.dumps(kept, indent=1), encoding="utf-8")

    def add(self, other: "Run") -> "Run":
        """Return both runs as one."""
        ran, skipped = self.ran | other.ran, {**self.skipped, **other.skipped}
        left = {test: reason for test, reason in skipped.items() if test not in ran}
        return Run(self.said | other.said, ran, left)


def never_said(said: Iterable[str]) -> Mapping[str, str]:
    """Return the texts that are missing here in order, each with its place in the sources."""
    every = catalog.texts()
    return {text: every[text] for text in sorted(every.keys() - set(said))}


def summary(run: Run) -> str:
    """Return how many of all texts were said: `2901 of 2902 texts were said`."""
    count = len(catalog.texts())
    return f"{count - len(never_said(run.said))} of {count} texts were said"


def not_tried(reasons: Iterable[str]) -> str:
    """Return one line with each reason once, or "" if there are none."""
    listed = ", ".join(dict.fromkeys(reasons))
    return f"not tried: {listed}" if listed else ""


class Report:
    """Gathers what the processes of a run said and skipped, and prints it at the end."""

    def __init__(self, config: pytest.Config, *, is_whole: bool) -> None:
        self._config = config
        self._is_whole = is_whole
        self._file = Path(config.option.texts).absolute() if config.option.texts else None
        self._run = Run()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A phase of a test has ended."""
        if report.skipped and isinstance(report.longrepr, tuple):
            self._run.skipped[report.nodeid] = report.longrepr[2].removeprefix("Skipped: ")
        elif report.when == "call":
            self._run.ran.add(report.nodeid)

    def pytest_testnodedown(self, node: Any) -> None:
        """A process has ended."""
        self._run.said.update(getattr(node, "workeroutput", {}).get(_KEY, ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Hand over what this process has met; the first one writes it down."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_KEY] = sorted(MET)
            return
        self._run.said |= MET
        if self._file is not None:
            Run.read(self._file).add(self._run).write(self._file)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print how many texts were said if all tests were asked for, and what was not tried in any case."""
        if self._config.option.collectonly:
            return
        if self._is_whole:
            terminalreporter.write_line(summary(self._run))
        slow = ["slow tests (pytest tests runs them)"] if self._is_whole else []
        if line := not_tried([*slow, *self._run.skipped.values()]):
            terminalreporter.write_line(line)


def main(words: list[str]) -> int:
    """Compare what runs wrote to a file with all texts; 1 if one was not said although all tests ran."""
    run = Run.read(Path(words[0]))
    missing = never_said(run.said)
    lines = [summary(run), *(f"never said: {place}: {text}" for text, place in missing.items())]
    lines += filter(None, [not_tried(run.skipped.values())])
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if missing and not run.skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
