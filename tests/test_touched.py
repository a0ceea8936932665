"""The tests that a change touches are found by imports, and by name where the whole bot is started."""

from pathlib import Path

import pytest

from tests import touched

RULE, ITS_TEST = "rules/cortex/contest.py", "tests/rules/cortex/test_contest.py"
COMMANDS, THREADS = "tests/bot/test_every_command.py", "tests/bot/test_threads.py"
ALL = "tests/bot/pictures/test_portrait.py", ITS_TEST, "tests/bot/test_buttons.py", "tests/test_release.py"


@pytest.mark.parametrize(
    ("path", "these", "not_those"),
    [
        (RULE, (ITS_TEST, COMMANDS), (THREADS, *ALL[::3])),
        ("bot/cogs/cortex/challenge.py", (COMMANDS, "tests/test_docs.py"), (THREADS,)),
        ("bot/client/layout.py", (THREADS, "tests/bot/test_buttons.py"), (ITS_TEST,)),
        ("bot/pictures/portrait.py", (ALL[0], "tests/bot/test_portraits.py"), (ITS_TEST,)),
        (ITS_TEST, (ITS_TEST,), (ALL[0],)),
        ("tests/forked.py", ("tests/bot/test_process.py",), (ITS_TEST,)),
        ("bot/guide/play/hitches.md", ("tests/test_docs.py", "tests/bot/test_guide.py"), (ITS_TEST,)),
        ("README.md", ("tests/test_docs.py",), (ITS_TEST,)),
        ("migrations/versions/new.py", ("tests/bot/store/test_migrate.py",), (ITS_TEST,)),
        ("tests/conftest.py", ALL, ()),
        ("uv.lock", ALL, ()),
    ],
)  # fmt: skip
def test_a_change_touches_these_tests_and_not_those(
    path: str, these: tuple[str, ...], not_those: tuple[str, ...]
) -> None:
    found = touched.touched([path])
    assert {*these} <= {*found}
    assert not {*not_those} & {*found}
    assert all((touched.ROOT / each).exists() for each in found)


def test_nothing_changed_touches_nothing() -> None:
    assert touched.touched([]) == []
    assert touched.touched(["rules/gone.py"]) == []


@pytest.mark.needs("git")
def test_what_differs_from_a_commit_has_changed_and_what_git_does_not_know_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(touched, "ROOT", tmp_path)
    for name in ("kept", "edited", "ignored"):
        (tmp_path / name).write_text("")
    (tmp_path / ".gitignore").write_text("ignored")
    touched._git("init", "-q")
    touched._git("add", ".")
    touched._git("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x")
    for name in ("edited", "new", "ignored"):
        (tmp_path / name).write_text("more")
    assert touched.changed() == ["edited", "new"]
