"""Which of the program's texts a run of the tests has met: said by a printer, or raised as a refusal.

A run of all tests fails where one was met by none; any run tells how many were, at its end.
"""

from gettext import NullTranslations
from typing import Any

import pytest

from bot.language import said
from bot.store.undoable import StepRefused
from rules.errors import RuleError, Undecided
from rules.words import ENGLISH, Words
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


class Report:
    """Gathers what the processes of a run have met, and holds it against all texts there are."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._met: set[str] = set()

    def pytest_testnodedown(self, node: Any) -> None:
        """A process has ended."""
        self._met.update(getattr(node, "workeroutput", {}).get(_KEY, ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what this process has met; the first one holds it against all there are."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_KEY] = sorted(MET)
        elif self._is_whole() and self.missing() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell how many were met, and after a run of all tests which were not."""
        every, missing = catalog.texts(), self.missing()
        terminalreporter.write_line(f"{len(every) - len(missing)} of {len(every)} texts were said")
        for text in missing if self._is_whole() else ():
            terminalreporter.write_line(f"never said: {every[text]}: {text}")

    def missing(self) -> list[str]:
        """The texts that nothing met."""
        return sorted(catalog.texts().keys() - self._met - MET)

    def _is_whole(self) -> bool:
        options = self._config.option
        is_all = self._config.args_source is pytest.Config.ArgsSource.TESTPATHS
        return is_all and not (options.keyword or options.markexpr or options.collectonly or options.lf)
