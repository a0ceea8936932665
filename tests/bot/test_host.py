"""Whose bot it is: what `/about` and `/privacy show` say of it, and nothing that is not set."""

import json
from pathlib import Path

import pytest

from bot import VERSION, paths
from bot.settings import BadSetting, read
from bot.views.privacy import Host
from rules.values import replace
from tests.game import Game

HOST = Host(
    "Greta",
    "greta@example.org",
    "https://a.test/help",
    "https://a.test/source",
    "https://a.test/terms",
    "https://a.test/policy",
)


async def test_about_says_nothing_of_what_is_not_set(game: Game) -> None:
    said = (await game.says("alice: /about")).text
    assert "Cortex is a trademark of Dire Wolf Digital, LLC." in said
    for word in ("http", "Hosted", "Source", "Terms", "Privacy policy"):
        assert word not in said


async def test_about_and_privacy_say_whose_bot_it_is(game: Game) -> None:
    game.host = HOST
    await game.restart()
    about = (await game.says("alice: /about")).text.splitlines()
    assert about[-5:] == [
        "Help and questions: https://a.test/help",
        "Source: https://a.test/source",
        "Terms of service: https://a.test/terms",
        "Hosted by Greta. Contact: greta@example.org",
        "Privacy policy: https://a.test/policy",
    ]
    kept = (await game.says("alice: /privacy show")).text.splitlines()
    assert kept[-2:] == about[-2:]


async def test_an_address_leads_where_it_says(game: Game) -> None:
    game.host = replace(HOST, source="https://a.test/my_own_bot*", privacy="https://a.test/_policy_")
    await game.restart()
    told = (await game.says("alice: /about")).message
    assert told is not None
    sent = json.dumps(told.components)
    assert "https://a.test/my_own_bot*" in sent
    assert "https://a.test/_policy_" in sent


@pytest.mark.parametrize(
    ("host", "said"),
    [
        (Host("Greta"), "Hosted by Greta"),
        (Host(contact="@greta"), "Contact for this bot: @greta"),
    ],
)
async def test_half_of_it_is_said_as_well(game: Game, host: Host, said: str) -> None:
    game.host = host
    await game.restart()
    assert (await game.says("alice: /about")).text.splitlines()[-1] == said


def test_an_address_has_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERMS_URL", "javascript:alert(1)")
    with pytest.raises(BadSetting, match=r"^TERMS_URL: "):
        read()


HASH = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("files", "variable"),
    [
        ({"HEAD": f"{HASH}\n"}, ""),
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{HASH}\n"}, ""),
        ({"HEAD": "ref: refs/heads/main\n", "packed-refs": f"# pack-refs\n{HASH} refs/heads/main\n"}, ""),
        ({}, HASH),
    ],
)
def test_the_commit_that_runs_is_said_beside_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], variable: str
) -> None:
    for name, text in files.items():
        path = tmp_path / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(paths, "_ABOVE", tmp_path)
    monkeypatch.setenv("COMMIT", variable)
    assert paths.commit.__wrapped__() == HASH[:12]


@pytest.mark.parametrize("head", [None, "ref: refs/heads/gone\n", "no commit\n", "\xff"])
def test_where_there_is_no_commit_the_version_stands_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str | None
) -> None:
    if head is not None:
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git" / "HEAD").write_text(head)
    monkeypatch.setattr(paths, "_ABOVE", tmp_path)
    monkeypatch.delenv("COMMIT", raising=False)
    assert paths.commit.__wrapped__() == ""


async def test_about_says_the_commit(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for commit, said in (
        (HASH[:12], f"Doomkeeper {VERSION} (commit {HASH[:12]})"),
        ("", f"Doomkeeper {VERSION}"),
    ):
        monkeypatch.setattr(paths, "commit", lambda commit=commit: commit)
        assert (await game.says("alice: /about")).text.splitlines()[0] == said
