"""Settings from the environment, and the program's folders."""

import os
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from bot import EX_CONFIG, SOURCE
from bot.paths import database, settings_file

_LINK = r"^(https?://\S{1,180})?$"
"""An address that can be opened, or none."""


class BadSetting(Exception):
    """A setting can't be used; the one-line message names it and says why, without its value."""


class BotSettings(BaseModel):
    """All settings; `.env.example` shows each with its default.

    `discord_token` may come from a file instead, as containers pass secrets. Members are lower case,
    variables upper case.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr | None = Field(default=None, description="The bot's token.")
    discord_token_file: Path | None = Field(default=None, description="File that holds the token.")
    discord_api_url: str = Field(
        default="https://discord.com/api/v10",
        pattern="^https?://",
        description="URL of Discord's REST API.",
    )
    discord_gateway_url: str = Field(
        default="wss://gateway.discord.gg", pattern="^wss?://", description="URL of Discord's gateway."
    )
    database_url: str = Field(
        default=database("doomkeeper"), description="The SQLite or PostgreSQL database."
    )
    database_password: SecretStr | None = Field(
        default=None, description="The password for DATABASE_URL, unescaped."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="Minimum level of log messages."
    )
    log_format: Literal["text", "json"] = Field(default="text", description="Format of log lines.")
    start_retry_seconds: float = Field(
        default=300.0, ge=0, description="Seconds a start waits for Discord and the database."
    )
    dev_guild_id: int | None = Field(
        default=None, gt=0, description="Id of a server that gets new commands immediately, for development."
    )
    dice_emojis: Literal["on", "off"] = Field(
        default="on", description="Show dice as pictures: emojis that the bot uploads."
    )
    user_commands_per_10s: int = Field(
        default=20, ge=0, description="Most commands per person in 10 seconds; 0 for no limit."
    )
    campaigns_per_server: int = Field(
        default=200, ge=0, description="Most campaigns per server; 0 for no limit."
    )
    shard_count: str = Field(
        default="auto",
        pattern="^(auto|[1-9][0-9]{0,3})$",
        description="Total number of shards; auto uses Discord's recommendation.",
    )
    shards: str = Field(
        default="all",
        pattern="^(all|auto|[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*)$",
        description="Shards of this process: all, a list such as 0-3,7, or auto for free ones.",
    )
    shards_per_process: int = Field(default=4, ge=1, description="Most shards per process with SHARDS=auto.")
    cache_mb: int = Field(default=128, ge=1, description="Approximate size of the table cache in MB.")
    health_port: int | None = Field(
        default=None, ge=0, le=65535, description="Port of /live, /ready and /metrics; off by default."
    )
    health_host: str = Field(default="127.0.0.1", description="Address that HEALTH_PORT listens on.")
    sentry_dsn: SecretStr | None = Field(
        default=None, description="Sentry DSN for error reports; needs the extra sentry."
    )
    database_wait_seconds: float = Field(
        default=40.0, ge=0, description="Seconds a command waits when PostgreSQL is unavailable."
    )
    database_connections: int = Field(
        default=10, ge=3, description="Most PostgreSQL connections per process."
    )
    backup_dir: Path | None = Field(default=None, description="Folder for database backups.")
    backup_every: float = Field(
        default=0.0, ge=0, description="Hours between automatic backups; 0 turns them off."
    )
    backup_keep: int = Field(default=7, ge=1, description="How many of the newest automatic backups to keep.")
    retention_days: int = Field(
        default=30,
        ge=0,
        description="Days after the bot leaves a server until its tables are deleted; 0 for never.",
    )
    retention_idle_days: int = Field(
        default=0, ge=0, description="Days until an unused table is deleted; 0 for never."
    )

    operator: str = Field(default="", max_length=100, description="Name of the bot's host, for /about.")
    contact: str = Field(
        default="",
        max_length=200,
        description="How to reach the bot's host: an e-mail address or a page.",
    )
    support_url: str = Field(default="", pattern=_LINK, description="Link to help, such as a server invite.")
    source_url: str = Field(default=SOURCE, pattern=_LINK, description="Link to the source code of this bot.")
    terms_url: str = Field(default="", pattern=_LINK, description="Link to the terms of service.")
    privacy_url: str = Field(default="", pattern=_LINK, description="Link to the privacy policy.")
    exit_when_unusable: Literal["wait"] | Annotated[int, Field(ge=0, le=255)] = Field(
        default=EX_CONFIG,
        description="Exit code for errors that need a person; `wait` keeps running until stopped.",
    )

    @property
    def fixed_shard_count(self) -> int | None:
        """The configured number of shards; None to let Discord decide."""
        return None if self.shard_count == "auto" else int(self.shard_count)

    @property
    def named_shards(self) -> tuple[int, ...] | None:
        """The shards assigned to this process, in order; None if none are."""
        if self.shards in ("all", "auto"):
            return None
        ends = [part.partition("-") for part in self.shards.split(",")]
        ranges = [range(int(first), int(last or first) + 1) for first, _, last in ends]
        return tuple(sorted(set(chain.from_iterable(ranges))))


class _Ending(BaseModel):
    """How the program ends where another setting cannot be used."""

    model_config = BotSettings.model_config
    exit_when_unusable: Literal["wait"] | Annotated[int, Field(ge=0, le=255)] = EX_CONFIG


def exit_when_unusable() -> Literal["wait"] | int:
    """Return the exit code if only a person can fix the cause, or `wait`, even if other settings are bad."""
    try:
        return _Ending.model_validate(_variables()).exit_when_unusable
    except ValidationError:  # `read` tells what is wrong with it
        return EX_CONFIG


def _variables() -> dict[str, str]:
    """What is set, by name in small letters: in the environment, else in the file. Nothing is not set.

    pydantic-settings does as much, for 0.15 s of each start.
    """
    found = [*dotenv_values(settings_file()).items(), *os.environ.items()]
    return {name.lower(): value for name, value in found if value}  # compose hands on all, set or not


def read() -> BotSettings:
    """Return the current settings. Raises BadSetting if one can't be used."""
    try:
        settings = BotSettings.model_validate(_variables())
    except ValidationError as error:
        first = error.errors()[0]
        raise BadSetting(f"{str(first['loc'][0]).upper()}: {first['msg']}.") from None
    if settings.backup_every and settings.backup_dir is None:
        raise BadSetting("BACKUP_EVERY: BACKUP_DIR is not set. Set it to a folder for backups.")
    if settings.discord_token is None and settings.discord_token_file is not None:
        token = _secret(settings.discord_token_file)
        settings = settings.model_copy(update={"discord_token": SecretStr(token) if token else None})
    _check_shards(settings)
    if settings.database_password is not None:
        secret = settings.database_password.get_secret_value()
        settings = settings.model_copy(update={"database_url": _with_password(settings.database_url, secret)})
    return settings


def _with_password(url: str, password: str) -> str:
    """The address of a database with its password, whatever is in that. Raises BadSetting."""
    kind, mark, rest = url.partition("://")
    who, at, _ = rest.partition("/")[0].rpartition("@")
    user = who.partition(":")[0]
    if kind.startswith("sqlite") or not (mark and at and user):
        raise BadSetting(
            "DATABASE_PASSWORD: DATABASE_URL must be a PostgreSQL URL with a user name. "
            "Example: postgresql://doomkeeper@database:5432/doomkeeper."
        )
    return f"{kind}://{user}:{quote(password, safe='')}@{rest[len(who) + 1 :]}"


def _check_shards(settings: BotSettings) -> None:
    """Refuse shards that cannot be had."""
    if settings.shards == "auto" and not settings.database_url.startswith("postgres"):
        raise BadSetting(
            "SHARDS: auto needs PostgreSQL, but DATABASE_URL is SQLite. "
            "Set SHARDS to all, or DATABASE_URL to a PostgreSQL database."
        )
    named, count = settings.named_shards, settings.fixed_shard_count
    if named is None:
        return
    if count is None:
        raise BadSetting(
            "SHARDS: a list of shards needs SHARD_COUNT. Set it to the same number for all processes."
        )
    if not named or named[-1] >= count:
        raise BadSetting(
            f"SHARDS: {settings.shards} must name shards from 0 to {count - 1}, because SHARD_COUNT is "
            f"{count}. Or set SHARDS to all."
        )


def _secret(path: Path) -> str:
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise BadSetting(f"DISCORD_TOKEN_FILE: {path} cannot be read: {reason}.") from None
    return secret
