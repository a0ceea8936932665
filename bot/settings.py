"""Settings from the environment, and the program's folders."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import chain
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_origin, get_type_hints
from urllib.parse import quote

from dotenv import dotenv_values

from bot import EX_CONFIG, SOURCE
from bot.paths import database, settings_file


class BadSetting(Exception):
    """A setting can't be used; the one-line message names it and says why, without its value."""


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A text that no message shows.

    >>> Secret("s3cret")
    Secret('**********')
    """

    value: str

    def __repr__(self) -> str:
        return "Secret('**********')"


_Read = Callable[[str], object]
"""Parses the text of a setting. Raises ValueError, which says what to use instead."""


def _one_of(*choices: str) -> _Read:
    """Return a parser that accepts one of these words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"Use {', '.join(choices[:-1])} or {choices[-1]}")
        return text

    return read


def _like(pattern: str, example: str) -> _Read:
    """Return a parser that accepts a text if the whole of it matches the pattern."""

    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"Use {example}")
        return text

    return read


def _short(longest: int) -> _Read:
    """Return a parser that accepts a text of at most `longest` characters."""
    return _like(f"(?s:.{{0,{longest}}})", f"at most {longest} characters")


def _number(of: type[int] | type[float], least: int = 0, most: float = inf, word: str = "") -> _Read:
    """Return a parser of numbers from `least` to `most`; it also accepts `word`, if one is given."""
    kind = "a whole number" if of is int else "a number"
    bounds = f"of at least {least}" if most == inf else f"from {least} to {most}"

    def read(text: str) -> object:
        if word and text == word:
            return word
        try:
            number = of(text)
        except ValueError:
            number = of(-1)
        # Written so that NaN is refused: each comparison with it is false.
        if not (least <= number <= most and number < inf):
            raise ValueError(f"Use {f'{word}, or ' if word else ''}{kind} {bounds}")
        return number

    return read


_LINK = _like(r"(https?://\S{1,180})?", "a link that begins with http:// or https://")
_RANGE = "[0-9]{1,4}(-[0-9]{1,4})?"
_SHARDS = _like(f"all|auto|{_RANGE}(,{_RANGE})*", "all, auto, or a list such as 0-3,7")
_SHARD_COUNT = _like("auto|[1-9][0-9]{0,3}", "auto, or a whole number from 1 to 9999")


@dataclass(frozen=True, slots=True)
class BotSettings:
    """All settings; `.env.example` shows each with its default.

    `discord_token` may come from a file instead, as containers pass secrets. Members are lower case,
    variables upper case.
    """

    discord_token: Secret | None = None
    """The bot's token."""
    discord_token_file: Path | None = None
    """File that holds the token."""
    discord_api_url: Annotated[str, _like("https?://.*", "a URL that begins with http:// or https://")] = (
        "https://discord.com/api/v10"
    )
    """URL of Discord's REST API."""
    discord_gateway_url: Annotated[str, _like("wss?://.*", "a URL that begins with ws:// or wss://")] = (
        "wss://gateway.discord.gg"
    )
    """URL of Discord's gateway."""
    database_url: str = database("doomkeeper")
    """The SQLite or PostgreSQL database."""
    database_password: Secret | None = None
    """The password for DATABASE_URL, unescaped."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Minimum level of log messages."""
    log_format: Literal["text", "json"] = "text"
    """Format of log lines."""
    start_retry_seconds: Annotated[float, _number(float)] = 300.0
    """Seconds a start waits for Discord and the database."""
    dev_guild_id: Annotated[int | None, _number(int, least=1)] = None
    """Id of a server that gets new commands immediately, for development."""
    dice_emojis: Literal["on", "off"] = "on"
    """Show dice as pictures: emojis that the bot uploads."""
    user_commands_per_10s: Annotated[int, _number(int)] = 20
    """Most commands per person in 10 seconds; 0 for no limit."""
    campaigns_per_server: Annotated[int, _number(int)] = 200
    """Most campaigns per server; 0 for no limit."""
    shard_count: Annotated[str, _SHARD_COUNT] = "auto"
    """Total number of shards; auto uses Discord's recommendation."""
    shards: Annotated[str, _SHARDS] = "all"
    """Shards of this process: all, a list such as 0-3,7, or auto for free ones."""
    shards_per_process: Annotated[int, _number(int, least=1)] = 4
    """Most shards per process with SHARDS=auto."""
    cache_mb: Annotated[int, _number(int, least=1)] = 128
    """Approximate size of the table cache in MB."""
    health_port: Annotated[int | None, _number(int, most=65535)] = None
    """Port of /live, /ready and /metrics; off by default."""
    health_host: str = "127.0.0.1"
    """Address that HEALTH_PORT listens on."""
    sentry_dsn: Secret | None = None
    """Sentry DSN for error reports; needs the extra sentry."""
    database_wait_seconds: Annotated[float, _number(float)] = 40.0
    """Seconds a command waits when PostgreSQL is unavailable."""
    database_connections: Annotated[int, _number(int, least=3)] = 10
    """Most PostgreSQL connections per process."""
    backup_dir: Path | None = None
    """Folder for database backups."""
    backup_every: Annotated[float, _number(float)] = 0.0
    """Hours between automatic backups; 0 turns them off."""
    backup_keep: Annotated[int, _number(int, least=1)] = 7
    """How many of the newest automatic backups to keep."""
    retention_days: Annotated[int, _number(int)] = 30
    """Days after the bot leaves a server until its tables are deleted; 0 for never."""
    retention_idle_days: Annotated[int, _number(int)] = 0
    """Days until an unused table is deleted; 0 for never."""
    operator: Annotated[str, _short(100)] = ""
    """Name of the bot's host, for /about."""
    contact: Annotated[str, _short(200)] = ""
    """How to reach the bot's host: an e-mail address or a page."""
    support_url: Annotated[str, _LINK] = ""
    """Link to help, such as a server invite."""
    source_url: Annotated[str, _LINK] = SOURCE
    """Link to the source code of this bot."""
    terms_url: Annotated[str, _LINK] = ""
    """Link to the terms of service."""
    privacy_url: Annotated[str, _LINK] = ""
    """Link to the privacy policy."""
    exit_when_unusable: Annotated[Literal["wait"] | int, _number(int, most=255, word="wait")] = EX_CONFIG
    """Exit code for errors that need a person; `wait` keeps running until stopped."""

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


def _reader(hint: Any) -> _Read:
    """Return the parser of a type hint: its annotation, else one for its choices, else its class."""
    for mark in getattr(hint, "__metadata__", ()):
        return cast("_Read", mark)
    if get_origin(hint) is Literal:
        return _one_of(*get_args(hint))
    return cast("_Read", next(iter(get_args(hint)), hint))


SETTINGS: Mapping[str, _Read] = {
    name: _reader(hint) for name, hint in get_type_hints(BotSettings, include_extras=True).items()
}
"""The parser of each setting, by name."""
DEFAULTS: Mapping[str, Any] = {each.name: each.default for each in fields(BotSettings)}
"""The default of each setting, by name."""


def exit_when_unusable() -> Literal["wait"] | int:
    """Return the exit code if only a person can fix the cause, or `wait`, even if other settings are bad."""
    text = _variables().get("exit_when_unusable")
    try:
        return settings_of({"exit_when_unusable": text} if text else {}).exit_when_unusable
    except BadSetting:  # `read` tells what is wrong with it
        return EX_CONFIG


def settings_of(variables: Mapping[str, str]) -> BotSettings:
    """Return settings from texts by name; other names are ignored. Raises BadSetting if one can't be used."""
    chosen = dict[str, Any]()
    for name, reader in SETTINGS.items():
        try:
            if name in variables:
                chosen[name] = reader(variables[name])
        except ValueError as error:
            raise BadSetting(f"{name.upper()}: {error}.") from None
    return BotSettings(**chosen)


def _variables() -> dict[str, str]:
    """Return the texts that are set, by lower-case name; the environment takes precedence over the file."""
    found = [*dotenv_values(settings_file()).items(), *os.environ.items()]
    # Docker Compose passes every variable, with an empty text if it isn't set.
    return {name.lower(): value for name, value in found if value}


def read() -> BotSettings:
    """Return the current settings. Raises BadSetting if one can't be used."""
    settings = settings_of(_variables())
    if settings.backup_every and settings.backup_dir is None:
        raise BadSetting("BACKUP_EVERY: BACKUP_DIR is not set. Set it to a folder for backups.")
    if settings.discord_token is None and settings.discord_token_file is not None:
        token = _secret(settings.discord_token_file)
        settings = replace(settings, discord_token=Secret(token) if token else None)
    _check_shards(settings)
    if settings.database_password is not None:
        url = _with_password(settings.database_url, settings.database_password.value)
        settings = replace(settings, database_url=url)
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
