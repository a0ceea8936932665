"""Settings: where they come from, and what a bad one says."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from dotenv import dotenv_values

from bot import EX_CONFIG
from bot.settings import SETTINGS, BadSetting, BotSettings, exit_when_unusable, read, settings_of
from bot.store.engine import address

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder to read settings in, and no settings around."""
    for name in SETTINGS:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_needs_to_be_set() -> None:
    settings = read()
    assert settings.discord_token is None
    assert settings.database_url == "sqlite+aiosqlite:///data/doomkeeper.db"
    assert (settings.log_level, settings.log_format, settings.dev_guild_id) == ("INFO", "text", None)


def test_settings_come_from_the_environment_before_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text("LOG_LEVEL=DEBUG\nLOG_FORMAT=json\nSOMETHING_ELSE=1\nDEV_GUILD_ID=\n")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    settings = read()
    assert (settings.log_level, settings.log_format, settings.dev_guild_id) == ("ERROR", "json", None)


def test_the_token_is_never_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "token").write_text("s3cret\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "token")
    settings = read()
    assert settings.discord_token is not None
    assert settings.discord_token.value == "s3cret"
    assert "s3cret" not in repr(settings)
    monkeypatch.setenv("DISCORD_TOKEN", "another")
    token = read().discord_token
    assert token is not None
    assert token.value == "another"


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("LOG_LEVEL", "loud", "Use DEBUG, INFO, WARNING or ERROR."),
        ("LOG_FORMAT", "xml", "Use text or json."),
        ("DICE_EMOJIS", "some", "Use on or off."),
        ("DEV_GUILD_ID", "my server", "Use a whole number of at least 1."),
        ("DEV_GUILD_ID", "-1", "Use a whole number of at least 1."),
        ("DEV_GUILD_ID", "0", "Use a whole number of at least 1."),
        ("HEALTH_PORT", "65536", "Use a whole number from 0 to 65535."),
        ("BACKUP_EVERY", "often", "Use a number of at least 0."),
        ("BACKUP_EVERY", "nan", "Use a number of at least 0."),
        ("BACKUP_EVERY", "inf", "Use a number of at least 0."),
        ("EXIT_WHEN_UNUSABLE", "256", "Use wait, or a whole number from 0 to 255."),
        ("OPERATOR", "x" * 101, "Use at most 100 characters."),
        ("SHARD_COUNT", "0", "Use auto, or a whole number from 1 to 9999."),
        ("SHARDS", "0-", "Use all, auto, or a list such as 0-3,7."),
        ("SUPPORT_URL", "discord.gg/x", "Use a link that begins with http:// or https://."),
        ("DISCORD_API_URL", "discord.com", "Use a URL that begins with http:// or https://."),
        (
            "DISCORD_GATEWAY_URL",
            "https://gateway.discord.gg",
            "Use a URL that begins with ws:// or wss://.",
        ),
        ("DISCORD_TOKEN_FILE", "nowhere", "nowhere cannot be read: No such file or directory."),
        ("DISCORD_TOKEN_FILE", "binary", "binary cannot be read: it is not a text file."),
    ],
)
def test_a_bad_setting_is_named_in_one_line_with_what_to_use(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str
) -> None:
    (folder / "binary").write_bytes(b"\xff\xfe")
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting) as told:
        read()
    assert str(told.value) == f"{name}: {why}"


def test_numbers_and_words_are_read_as_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BACKUP_EVERY", "0.5"), ("EXIT_WHEN_UNUSABLE", "wait"), ("HEALTH_PORT", "0")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BACKUP_DIR", "kept")
    settings = read()
    assert (settings.backup_every, settings.backup_dir) == (0.5, Path("kept"))
    assert (settings.exit_when_unusable, settings.health_port) == ("wait", 0)
    monkeypatch.setenv("LOG_LEVEL", "loud")
    assert exit_when_unusable() == "wait"
    monkeypatch.setenv("EXIT_WHEN_UNUSABLE", "never")
    assert exit_when_unusable() == EX_CONFIG


def test_an_empty_file_for_the_token_is_no_token(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "empty").touch()
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(folder / "empty"))
    assert read().discord_token is None


@pytest.mark.parametrize("password", ["s3cret", "a@b/c:d?e#f%20 ü", "@", "/"])
def test_a_password_of_the_database_may_hold_anything(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", password)
    for url in (
        "postgresql://anna@host:5432/game?ssl=require",
        "postgresql://anna:old@host:5432/game?ssl=require",
    ):
        monkeypatch.setenv("DATABASE_URL", url)
        settings = read()
        where = address(settings.database_url)
        assert (where.username, where.password, where.host, where.port) == ("anna", password, "host", 5432)
        assert (where.database, dict(where.query)) == ("game", {"ssl": "require"})
        assert repr(settings.database_password) == "Secret('**********')"


@pytest.mark.parametrize(
    "url", ["sqlite:///game.db", "postgresql://host/game", "postgresql:///game?host=/run"]
)
def test_a_password_of_nobody_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "s3cret")
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(BadSetting, match=r"^DATABASE_PASSWORD: .*Example: postgresql://") as told:
        read()
    assert "s3cret" not in str(told.value)


def test_compose_hands_every_setting_on() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    handed = {name.lower() for name in re.findall(r"^      ([A-Z_0-9]+):", compose, re.MULTILINE)}
    assert set(SETTINGS) - handed == {"health_port", "exit_when_unusable"}, "the image's own"


def rendered(service: str, variables: Mapping[str, str | None]) -> dict[str, Any]:
    """A service of the compose file as Docker renders it with these variables: values after YAML."""

    def filled(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: filled(each) for name, each in part.items()}
        if isinstance(part, str):
            return re.sub(
                r"\$\{(\w+):-([^}]*)\}",
                lambda match: variables.get(match[1]) or match[2],
                part,
            )
        return part

    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    found: dict[str, Any] = filled(compose["services"][service])
    return found


def test_a_container_with_the_example_file_has_what_the_image_sets_and_comes_back(folder: Path) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    image = dict(re.findall(r"(?:^ENV|^   ) (\w+)=(\S+)", dockerfile[dockerfile.rindex("\nENV") :], re.M))
    assert {"LOG_FORMAT", "HEALTH_PORT", "EXIT_WHEN_UNUSABLE"} <= {*image}
    (folder / ".env").write_text((ROOT / ".env.example").read_text())
    example = dotenv_values(folder / ".env")
    for service in ("bot", "bot-postgres", "bot-cluster"):
        bare, with_example = (
            image | rendered(service, variables)["environment"] for variables in ({}, example)
        )
        assert {name: with_example[name] for name in image} == image
        assert settings_in(with_example) == settings_in(bare)
        # Docker starts it again after the machine has started, so a wrong token must not end it.
        assert rendered(service, example)["restart"] == "unless-stopped"
        assert image["EXIT_WHEN_UNUSABLE"] == "wait"


def settings_in(variables: Mapping[str, str]) -> BotSettings:
    return settings_of({name.lower(): value for name, value in variables.items() if value})


def test_the_example_file_explains_every_setting_and_shows_its_default(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = (ROOT / ".env.example").read_text()
    names = re.findall(r"^#?([A-Z_0-9]+)=", example, re.MULTILINE)
    assert names == [name.upper() for name in SETTINGS]
    for block in example.strip().split("\n\n"):
        assert block.startswith("# ")
    defaults = read()
    (folder / ".env").write_text(example.replace("\n#", "\n").replace("\n ", "\n# "))
    assert read() == defaults


def test_several_containers_share_shards_on_one_database() -> None:
    compose = (ROOT / "docker-compose.yml").read_text().partition("services:\n")[2]
    services = dict(re.findall(r"^  ([a-z-]+):\n((?:    .*\n)+)", compose, re.MULTILINE))
    alone, several = (services[name].splitlines() for name in ("bot-postgres", "bot-cluster"))
    more = ["SHARDS: auto", "SHARDS_PER_PROCESS: ${SHARDS_PER_PROCESS:-}", "- cluster"]
    assert sorted(line.strip() for line in {*several} - {*alone}) == sorted(more)
    assert [line.strip() for line in {*alone} - {*several}] == ["- postgres"], "what one of many cannot have"
    assert "      - cluster\n" in services["database"]
    in_all = [name for name, service in services.items() if "    profiles:\n" not in service]
    assert in_all == [], "what has no profile would be started beside the cluster"


def test_every_container_has_only_the_rights_that_it_needs() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    # What postgres' entrypoint does as root: it makes its folders, gives them to its user, and becomes it.
    needed = {"database": ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"]}
    written = {"database": ["/tmp", "/var/run/postgresql"]}
    for name, service in compose["services"].items():
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"]), name
        assert service.get("cap_add", []) == needed.get(name, []), name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["tmpfs"] == written.get(name, ["/tmp"]), name


def test_the_containers_use_files_and_settings_that_exist() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    dockerfile = (ROOT / "Dockerfile").read_text()
    ignored = (ROOT / ".dockerignore").read_text()
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE)
    for name in " ".join(copied).split():
        assert (ROOT / name).exists()
        assert f"!{name}\n" in ignored
    for name in re.findall(r"^      ([A-Z_]+):", compose, re.MULTILINE):
        assert name.startswith("POSTGRES_") or name.lower() in SETTINGS
