"""The settings of the program, read from the environment and from a file `.env`."""

import os
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from bot import EX_CONFIG, SOURCE, home

_LINK = r"^(https?://\S{1,180})?$"
"""An address that can be opened, or none."""


class BadSetting(Exception):
    """A setting cannot be used; one line that names it and says why, without its value."""


class BotSettings(BaseModel):
    """Everything that can be set. `.env.example` shows each with its default.

    `discord_token` may come from a file instead, as containers pass secrets. Members are written in
    small letters, variables in capitals.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    discord_token: SecretStr | None = Field(default=None, description="The bot's token.")
    discord_token_file: Path | None = Field(default=None, description="A file that holds the token.")
    discord_api_url: str = Field(
        default="https://discord.com/api/v10",
        pattern="^https?://",
        description="Where Discord's REST API is.",
    )
    discord_gateway_url: str = Field(
        default="wss://gateway.discord.gg", pattern="^wss?://", description="Where Discord's gateway is."
    )
    database_url: str = Field(
        default=home.database("doomkeeper"), description="The database: SQLite or PostgreSQL."
    )
    database_password: SecretStr | None = Field(
        default=None, description="The password in the database's address, as it is."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="How much is logged."
    )
    log_format: Literal["text", "json"] = Field(default="text", description="How log lines look.")
    start_retry_seconds: float = Field(
        default=300.0, ge=0, description="How long a start waits for Discord and the database."
    )
    dev_guild_id: int | None = Field(
        default=None, gt=0, description="A server that gets new commands at once, for development."
    )
    dice_emojis: Literal["on", "off"] = Field(
        default="on", description="Whether dice are shown as pictures, which are emojis of the bot's own."
    )
    user_commands_per_10s: int = Field(
        default=20, ge=0, description="What one person may send in 10 seconds; 0 is no limit."
    )
    campaigns_per_server: int = Field(
        default=200, ge=0, description="Campaigns that a server can have; 0 is no limit."
    )
    shard_count: str = Field(
        default="auto",
        pattern="^(auto|[1-9][0-9]{0,3})$",
        description="How many shards there are; auto is as many as Discord recommends.",
    )
    shards: str = Field(
        default="all",
        pattern="^(all|auto|[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?)*)$",
        description="The shards of this process: all, some such as 0-3,7, or those that are free.",
    )
    shards_per_process: int = Field(
        default=4, ge=1, description="How many shards a process has at most where SHARDS is auto."
    )
    cache_mb: int = Field(default=128, ge=1, description="About how many MB of tables are kept in memory.")
    health_port: int | None = Field(
        default=None, ge=0, le=65535, description="The port of /live, /ready and /metrics; none by default."
    )
    health_host: str = Field(default="127.0.0.1", description="Who may ask there: this machine, by default.")
    sentry_dsn: SecretStr | None = Field(
        default=None, description="Where Sentry is told of faults; needs the extra sentry."
    )
    database_wait_seconds: float = Field(
        default=40.0, ge=0, description="How long a command waits for PostgreSQL where it is away."
    )
    database_connections: int = Field(
        default=10, ge=3, description="How many connections to PostgreSQL one process has at most."
    )
    backup_dir: Path | None = Field(default=None, description="The folder for copies of the database.")
    backup_every: float = Field(
        default=0.0, ge=0, description="Hours between two copies that are made by themselves; 0 is none."
    )
    backup_keep: int = Field(default=7, ge=1, description="How many of these are kept, the newest.")
    retention_days: int = Field(
        default=30,
        ge=0,
        description="Days until a server's tables are deleted after the bot has left it; 0 is never.",
    )
    retention_idle_days: int = Field(
        default=0, ge=0, description="Days until a table that nobody touches is deleted; 0 is never."
    )

    operator: str = Field(default="", max_length=100, description="Who hosts the bot: a name for /about.")
    contact: str = Field(
        default="",
        max_length=200,
        description="How whoever hosts the bot is reached: an e-mail address, a page.",
    )
    support_url: str = Field(
        default="", pattern=_LINK, description="Where people ask for help, such as a server."
    )
    source_url: str = Field(
        default=SOURCE, pattern=_LINK, description="Where the source is that this bot runs."
    )
    terms_url: str = Field(default="", pattern=_LINK, description="Where the terms of service are published.")
    privacy_url: str = Field(default="", pattern=_LINK, description="Where the privacy policy is published.")
    exit_when_unusable: Literal["wait"] | Annotated[int, Field(ge=0, le=255)] = Field(
        default=EX_CONFIG,
        description="The exit code when only a person can fix the cause; `wait` stays until it is stopped.",
    )

    @property
    def fixed_shard_count(self) -> int | None:
        """How many shards there are; None where Discord says it."""
        return None if self.shard_count == "auto" else int(self.shard_count)

    @property
    def named_shards(self) -> tuple[int, ...] | None:
        """The shards that are named for this process, in their order; None where none are."""
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
    """The exit code when only a person can fix the cause, or `wait`, whatever the other settings are."""
    try:
        return _Ending.model_validate(_variables()).exit_when_unusable
    except ValidationError:  # `read` tells what is wrong with it
        return EX_CONFIG


def _variables() -> dict[str, str]:
    """What is set, by name in small letters: in the environment, else in the file. Nothing is not set.

    pydantic-settings does as much, for 0.15 s of each start.
    """
    found = [*dotenv_values(home.settings_file()).items(), *os.environ.items()]
    return {name.lower(): value for name, value in found if value}  # compose hands on all, set or not


def read() -> BotSettings:
    """The settings as they are now. Raises BadSetting."""
    try:
        settings = BotSettings.model_validate(_variables())
    except ValidationError as error:
        first = error.errors()[0]
        raise BadSetting(f"{str(first['loc'][0]).upper()}: {first['msg']}.") from None
    if settings.backup_every and settings.backup_dir is None:
        raise BadSetting("BACKUP_EVERY: BACKUP_DIR is not set. Set it to the folder for the copies.")
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
            "DATABASE_PASSWORD: DATABASE_URL names nobody whose it could be. "
            "Example: postgresql://doomkeeper@database:5432/doomkeeper."
        )
    return f"{kind}://{user}:{quote(password, safe='')}@{rest[len(who) + 1 :]}"


def _check_shards(settings: BotSettings) -> None:
    """Refuse shards that cannot be had."""
    if settings.shards == "auto" and not settings.database_url.startswith("postgres"):
        raise BadSetting(
            "SHARDS: auto is for several processes on one PostgreSQL database, and DATABASE_URL is SQLite. "
            "Set SHARDS to all, or DATABASE_URL to a PostgreSQL database."
        )
    named, count = settings.named_shards, settings.fixed_shard_count
    if named is None:
        return
    if count is None:
        raise BadSetting(
            "SHARDS: it names shards, so SHARD_COUNT has to be a number, the same one for all processes."
        )
    if not named or named[-1] >= count:
        raise BadSetting(
            f"SHARDS: {settings.shards} are no shards of {count}: these are 0 to {count - 1}. Try SHARDS=all."
        )


def _secret(path: Path) -> str:
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadSetting(f"DISCORD_TOKEN_FILE: {path} cannot be read: {reason}.") from None
    return secret
