"""Several runs of tests add up, and a text counts as missing only if every test ran."""

from pathlib import Path

import pytest

from tests import catalog, texts_met
from tests.texts_met import Run

TEXTS = {"It left {what}.": "bot/story.py:1", "Hello": "bot/greeting.py:1"}
PAGE, NO_CHROMIUM = "tests/browser/test_page.py::test_a_phone", "the page in a browser (no chromium)"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(catalog, "texts", lambda: TEXTS)
    return tmp_path / "texts.json"


def test_all_texts_that_were_said_is_a_success(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run(said={"Hello"}).add(Run(said={"It left {what}.", "made up"})).write(file)
    assert texts_met.main([str(file)]) == 0
    assert capsys.readouterr().out == "2 of 2 texts were said\n"


def test_a_text_that_no_run_said_is_a_failure(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run(said={"Hello"}).write(file)
    assert texts_met.main([str(file)]) == 1
    assert capsys.readouterr().out == (
        "1 of 2 texts were said\nnever said: bot/story.py:1: It left {what}.\n"
    )


def test_a_text_may_be_missing_if_a_test_was_skipped(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run(said={"Hello"}, skipped={PAGE: NO_CHROMIUM}).write(file)
    assert texts_met.main([str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"not tried: {NO_CHROMIUM}"


def test_a_test_that_another_run_has_run_is_not_skipped(file: Path) -> None:
    Run(said={"Hello"}, skipped={PAGE: NO_CHROMIUM}).write(file)
    assert Run.read(file).add(Run(ran={PAGE})).skipped == {}
    assert Run(ran={PAGE}).add(Run.read(file)).skipped == {}


def test_each_reason_is_given_once() -> None:
    assert texts_met.not_tried(["a (no b)", "c (no d)", "a (no b)"]) == "not tried: a (no b), c (no d)"
    assert texts_met.not_tried([]) == ""
