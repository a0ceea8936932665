"""What the looks aim at, and what is: `python -m tests.looks` prints the lines of help and the taps of flows.

The lines of cards are printed by `python -m tests.pictures`, which takes pictures of them as well.
"""

import contextlib
import io
from pathlib import Path

import pytest

from bot.guide import SectionRef, pages
from bot.language.printers import phone_lines
from bot.views.help import topic_card
from rules.table import Table

FLOWS = Path(__file__).parent / "bot" / "test_flows.py"
MOST = 12
"""Lines of a phone that a page of help may take."""


class Counted:
    """The taps that each flow took, by the name of its test, which ends with what it may take."""

    def __init__(self) -> None:
        self.taps: dict[str, int] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a test has counted."""
        for name, value in report.user_properties:
            if name == "taps":
                test = report.nodeid.rpartition("::")[2]
                assert isinstance(value, int)
                self.taps[test] = value


def main() -> None:
    """Print all of it."""
    for page in pages().values():
        for place, section in enumerate(page.sections):
            card = topic_card(SectionRef(page.name, place), Table(), {})
            lines = sum(map(phone_lines, card.text.splitlines()))
            print(f"{lines:3} lines of at most {MOST}: help, {page.title}, {section.title}")
    counted = Counted()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", str(FLOWS)], plugins=[counted])
    for test, taps in counted.taps.items():
        print(f"{taps:3} taps: {test.removeprefix('test_').replace('_', ' ')}")


if __name__ == "__main__":
    main()
