"""The documents are true: commands, settings and transcripts are those of the program."""

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from structlog.testing import capture_logs

from bot import EX_CONFIG, SOURCE, VERSION
from bot.__main__ import main
from bot.loopback.demo import FIRST, SCENES
from bot.loopback.reply import plain_text
from bot.ops import logs
from bot.ops.sync import listing
from bot.settings import DEFAULTS
from bot.store import upgrades
from bot.views.help import FURTHER, RIGHTS
from tests.game import Game, playing

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "bot" / "guide").glob("*/*.md"))
GUIDE = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in PAGES}
COMMANDS = GUIDE["play/commands"]
SOURCES = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "rules").rglob("*.py")])
NO_COMMANDS = {"info", "live", "ready", "metrics"}
"""A command of CortexPal2000, and what is asked over HTTP."""
RULE = re.compile(r"\b[BCDHKLMOPRTXZ][0-9][a-e]?\b")
MENTIONED = re.compile(r"(?<![\w/.:*\"<])/([a-z]+)(?: ([a-z]+))?")


async def registered(tmp_path: Path) -> set[str]:
    """Every command by its full name, and every group by its own."""
    async with playing(tmp_path) as game:
        return {name for command in game.discord.commands for name in full_names(command)}


def full_names(command: dict[str, object]) -> list[str]:
    options = command.get("options") or []
    assert isinstance(options, list)
    subs = [f"{command['name']} {option['name']}" for option in options if option["type"] == 1]
    return [str(command["name"]), *subs]


async def test_the_guide_lists_every_command(tmp_path: Path) -> None:
    groups = {name.split()[0] for name in await registered(tmp_path) if name[0].islower()}
    assert {name for name in groups if f"/{name}" not in COMMANDS} == set()


async def test_the_guide_lists_every_subcommand(tmp_path: Path) -> None:
    rows = {row.split("`")[1]: row for row in COMMANDS.splitlines() if row.startswith("| `/")}
    for name in await registered(tmp_path):
        group, _, sub = name.partition(" ")
        if sub and group[0].islower():
            row = next(text for text in rows.values() if f"`/{group}`" in text)
            assert f"`{sub}`" in row or f"/{group} {sub}" in row, name


def test_the_guide_has_every_setting_and_no_other_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_0-9]+)` \| (\S+) \|", GUIDE["host/settings"], re.MULTILINE)
    defaults = {name.upper(): default for name, default in DEFAULTS.items()}
    assert rows == [(name, shown(default)) for name, default in defaults.items()]


def shown(default: object) -> str:
    """A default as the guide has it."""
    return (
        "none"
        if default in (None, "")
        else f"`{default:g}`"
        if isinstance(default, float)
        else f"`{default}`"
    )


async def test_every_command_that_a_message_names_exists(tmp_path: Path) -> None:
    known = await registered(tmp_path)
    groups = {name.split()[0] for name in known if " " in name}
    missing = set()
    for path in SOURCES:
        if "loopback" in path.parts:
            continue
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8")):
            for command, sub in MENTIONED.findall(text):
                full = f"{command} {sub}" if command in groups and sub else command
                if full not in known and full not in NO_COMMANDS:
                    missing.add((path.name, full))
    assert missing == set()


@pytest.mark.parametrize("scene", SCENES)
def test_each_scene_of_the_demo_plays_and_the_guide_shows_the_first(
    scene: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    with capture_logs() as logged:
        assert main(["play", "--demo", scene]) == 0
    assert {entry["log_level"] for entry in logged} <= {"debug", "info"}
    printed = capsys.readouterr().out.rstrip()
    assert "not understood" not in printed
    if scene == FIRST:
        assert f"```text\n{printed}\n```" in GUIDE["play/start"]


def test_the_first_roll_in_the_readme_is_the_demos() -> None:
    first = next(block for block in re.findall(r"```text\n(.*?)```", README, re.DOTALL) if "alice>" in block)
    assert "\n".join(line.strip() for line in first.splitlines()).strip() in "\n".join(
        line.strip() for line in GUIDE["play/start"].splitlines()
    )


def test_the_readme_is_short_and_leads_to_every_page_of_the_guide() -> None:
    assert len(README.splitlines()) <= 150
    assert {page for page in GUIDE if f"(bot/guide/{page}.md)" not in README} == set()


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=str)
def test_every_link_to_a_file_leads_there(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_source_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project.get("urls", {}).get("Source", "") == SOURCE


def test_the_readme_is_honest_about_what_it_is() -> None:
    assert "unofficial" in README


def test_the_guide_has_a_small_and_a_full_invite_link() -> None:
    small = discord.Permissions(**dict.fromkeys(RIGHTS, True)).value
    full = discord.Permissions(**dict.fromkeys((*RIGHTS, *FURTHER), True)).value
    for number in (small, full):
        assert f"scope=bot+applications.commands&permissions={number}" in GUIDE["host/install"]
    assert f"scope=bot+applications.commands&permissions={small}" in README
    for name, _ in RIGHTS.values():
        assert name in " ".join(README.split()), name
    for name, _ in FURTHER.values():
        assert name in " ".join(GUIDE["host/install"].split()), name


def test_the_texts_for_listings_fit_them() -> None:
    short, long, tags = listing()
    assert 100 < len(short) <= 200 < len(long) <= 400
    assert 0 < len(tags) <= 5
    assert all(0 < len(tag) <= 20 for tag in tags)
    assert len({tag.casefold() for tag in tags}) == len(tags)


def test_the_version_is_the_same_everywhere() -> None:
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert VERSION in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_changelog_says_last_of_which_version_files_are() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    of = re.findall(r"^- Files of tables and characters (?:are of|have) version ([0-9]+)", changes, re.M)
    assert int(of[0]) == upgrades.VERSION


async def test_help_names_every_command(table: Game) -> None:
    for command in table.discord.commands:
        if command["type"] == 1:
            text = await all_help(table, str(command["name"]))
            for name in full_names(command)[1:] or [str(command["name"])]:
                assert f"/{name}: " in text, name


async def all_help(game: Game, group: str) -> str:
    """All pages of what help says of a command or a group."""
    reply = await game.alice.slash(f"/help topic:{group}")
    for label in {f"All /{group} commands", f"Options of /{group}"} & {
        button.label for button in reply.buttons
    }:
        reply = await game.alice.press(reply, label)
    assert reply.message is not None
    shown = plain_text(reply.message.text, game.discord.world)
    for _ in range(6):
        page = [button for button in reply.buttons if button.label.startswith("Page")]
        if not page or page[0].label.startswith("Page 1 "):
            break
        reply = await game.alice.press(reply, page[0].label)
        shown += plain_text(reply.message.text if reply.message else "", game.discord.world)
    return shown


def test_every_rule_that_is_cited_stands_on_the_page_of_rules() -> None:
    known = set(re.findall(r"\*\*([A-Z][0-9][a-e]?)\*\*", (ROOT / "rules" / "RULES.md").read_text()))
    unknown = {
        rule
        for room in ("rules", "bot", "tests")
        for path in (ROOT / room).rglob("*.py")
        for rule in unknown_rules(path.read_text(encoding="utf-8"), known)
    }
    assert unknown == set()


def unknown_rules(source: str, known: set[str]) -> set[str]:
    """The rules that the docstrings of a module cite and that are not known."""

    def cited(text: str) -> set[str]:
        return set(RULE.findall(text)) - known

    # Parsing takes long, and what stands in no line stands in no docstring.
    return {rule for text in docstrings(source) for rule in cited(text)} if cited(source) else set()


def docstrings(source: str) -> Iterator[str]:
    """What a module, its classes and its functions say of themselves."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        waiting += [
            each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt | ast.match_case)
        ]


def test_playing_and_serving_install_no_tools_for_development() -> None:
    said = "\n".join((README, *GUIDE.values()))
    assert re.findall(r".*uv run python -m bot\b.*", said) == []
    assert len(re.findall(r"uv run --no-dev (?:--extra \w+ )?python -m bot\b", said)) > 5


def test_the_systemd_unit_in_the_guide_is_whole() -> None:
    page = GUIDE["host/install"]
    unit = configparser.ConfigParser()
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(page.partition("```ini\n")[2].partition("```")[0])
    assert unit["Unit"]["After"] == unit["Unit"]["Wants"] == "network-online.target"
    service = dict(unit["Service"])
    assert service.pop("ExecStart") == f"{service['WorkingDirectory']}/.venv/bin/python -m bot"
    assert service == {
        "User": "doomkeeper",
        "WorkingDirectory": "/opt/doomkeeper",
        "Restart": "on-failure",
        "RestartPreventExitStatus": str(EX_CONFIG),
        "TimeoutStopSec": "90",
        "UMask": "0077",
    }
    assert unit["Install"]["WantedBy"] == "multi-user.target"
