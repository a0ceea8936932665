"""`sync` and `profile`: register commands, and set the bot's profile."""

import re
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import aiohttp
import discord
from discord import app_commands

from bot.client.access import ASKED
from bot.client.registry import CommandDifferences
from bot.doomkeeper import Doomkeeper, point_at
from bot.guide import HOST
from bot.ops import logs
from bot.ops.database import require_current
from bot.ops.outcome import NotYet, OrderOutcome, OrderRefused
from bot.ops.serve import BAD_TOKEN, LoginRefused, OutOfReach, log_in
from bot.services.play import Play
from bot.settings import BotSettings
from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.views.help import FURTHER, RIGHTS

NO_TOKEN = (
    "DISCORD_TOKEN is not set. Copy the token from your application's Bot page at "
    "https://discord.com/developers/applications."
)


class Quiet(Doomkeeper):
    """A bot that loads all commands but registers none."""

    async def setup_hook(self) -> None:
        """Load the commands, and nothing else."""
        await self.load_all()


@asynccontextmanager
async def logged_in(
    chosen: BotSettings, ledger: Ledger | None = None, guild: int | None = None
) -> AsyncIterator[Quiet]:
    """Yield the logged-in bot, with commands for one server if `guild` is given.

    Raises OrderRefused if Discord rejects it; NotYet if Discord cannot be reached.
    """
    if chosen.discord_token is None:
        raise OrderRefused(NO_TOKEN)
    logs.set_up("WARNING", chosen.log_format)
    point_at(chosen.discord_api_url, chosen.discord_gateway_url)
    async with _some(ledger) as kept:
        bot = Quiet(Play(kept), kept, dev_guild=guild or chosen.dev_guild_id)
        try:
            await log_in(bot, chosen.discord_token.value)
            yield bot
        except OutOfReach as error:
            raise NotYet(str(error)) from error
        except LoginRefused as error:
            raise OrderRefused(str(error)) from error
        finally:
            await bot.close()


@asynccontextmanager
async def _some(ledger: Ledger | None) -> AsyncIterator[Ledger]:
    """That ledger, or an empty one in which nothing is looked up."""
    if ledger is not None:
        yield ledger
        return
    with tempfile.TemporaryDirectory() as folder:
        passing = Ledger(connect(f"sqlite:///{Path(folder) / 'passing.db'}"))
        try:
            yield passing
        finally:
            await passing.close()


TOO_MANY = 30034
"""Discord's code for as many new commands as an application may have in a day."""
UNKNOWN_TOKEN = 401
"""Discord's status for a token that it does not know."""
NO_SERVER = (10004, 50001)
"""Discord's codes for a server that is not there, or that the bot is not on."""


async def sync(chosen: BotSettings, guild: int | None, *, is_dry: bool) -> OrderOutcome:
    """Register the commands everywhere or on one server; if `is_dry`, only report what would change.

    Raises OrderRefused if Discord rejects them, NotYet if it cannot be reached, and the errors of the
    database.
    """
    if is_dry:
        async with logged_in(chosen, guild=guild) as bot:
            with reaching("register commands", guild):
                differences = await bot.registered.differences()
        return OrderOutcome((f"Registering would change: {difference_words(differences)}.",))
    await require_current(chosen)
    # Shared: a bot may run meanwhile, and only notes are written.
    ledger = await Ledger.open(chosen.database_url, shared=True, prunes=False)
    try:
        async with logged_in(chosen, ledger, guild) as bot:
            with reaching("register commands", guild):
                differences = await bot.registered.differences()
                await bot.registered.register()
    finally:
        await ledger.close()
    return OrderOutcome((f"Commands registered: {difference_words(differences)}.",))


def difference_words(differences: CommandDifferences) -> str:
    """Return what registering changes, as text."""
    parts = [
        f"{len(names)} {what} ({', '.join(names)})"
        for names, what in (
            (differences.added, "added"),
            (differences.changed, "changed"),
            (differences.removed, "removed"),
        )
        if names
    ]
    return ", ".join([*parts, f"{differences.same} unchanged"]) if parts else "nothing"


@contextmanager
def reaching(doing: str, guild: int | None = None) -> Iterator[None]:
    """Turn Discord's errors into one sentence.

    Raises OrderRefused if Discord rejects something; NotYet if it is unavailable.
    """
    try:
        yield
    except app_commands.CommandSyncFailure as error:
        raise OrderRefused(f"Discord rejected the commands: {' '.join(str(error).split())}") from error
    except discord.HTTPException as error:
        if error.code in NO_SERVER:
            raise OrderRefused(
                f"The bot is not on the server with id {guild}. Check the id, or invite the bot first."
            ) from error
        if error.status >= 500 or error.code == TOO_MANY:
            raise NotYet(f"Discord can't {doing} right now: {_reason(error)}. Try again later.") from error
        if error.status == UNKNOWN_TOKEN:
            raise OrderRefused(BAD_TOKEN) from error
        raise OrderRefused(f"Discord rejected the request: {_reason(error)}.") from error
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise NotYet(f"Discord cannot be reached: {type(error).__name__}.") from error


def _reason(error: discord.HTTPException) -> str:
    return " ".join(error.text.split()).rstrip(".") or f"status {error.status}"


TO_SERVERS = ("applications.commands", "bot")
TO_PEOPLE = ("applications.commands",)
"""What Discord calls what the bot is added to a server with, and to a person."""


def listing() -> tuple[str, str, tuple[str, ...]]:
    """Return the short text, the long text and the tags that the guide has for bot listings."""
    page = (HOST / "listing.md").read_text(encoding="utf-8")
    section = page.partition("\n## Listings\n")[2].partition("\n## ")[0]
    short, long, tags = re.findall(r"```text\n([^`]*)\n```", section)
    return " ".join(short.split()), " ".join(long.split()), tuple(tags.split("\n"))


async def profile(chosen: BotSettings, *, is_dry: bool) -> OrderOutcome:
    """Report how the bot's profile differs, and set it unless `is_dry`.

    Raises OrderRefused if Discord rejects it; NotYet if it cannot be reached.
    """
    async with logged_in(chosen) as bot:
        application = bot.application
        assert application is not None
        has_own_link = bool(application.custom_install_url)
        there, wanted = _there(application), _wanted()
        if has_own_link:
            del wanted["Install link"]
        changed = [name for name, words in wanted.items() if words != there[name]]
        lines = (
            [f"Keeping your custom install link: {application.custom_install_url}"] if has_own_link else []
        )
        lines += [f"{name}: now {there[name]}; should be {wanted[name]}." for name in changed]
        if not changed:
            return OrderOutcome((*lines, "The profile is up to date."))
        if is_dry:
            return OrderOutcome((*lines, f"Updating the profile would change: {', '.join(changed)}."))
        with reaching("accept the profile"):
            await _set(application, has_own_link=has_own_link)
        return OrderOutcome((*lines, f"Profile updated: {', '.join(changed)}."))


async def _set(application: discord.AppInfo, *, has_own_link: bool) -> None:
    """Let Discord know it. Raises what the library raises."""
    _, long, tags = listing()
    scopes, rights = discord.utils.MISSING, discord.utils.MISSING
    if not has_own_link:
        scopes, rights = [*TO_SERVERS], ASKED
    await application.edit(
        description=long,
        tags=[*tags],
        install_params_scopes=scopes,
        install_params_permissions=rights,
        guild_install_scopes=[*TO_SERVERS],
        guild_install_permissions=ASKED,
        user_install_scopes=[*TO_PEOPLE],
    )


def _wanted() -> dict[str, str]:
    """What is to be there, in words, by what it is."""
    _, long, tags = listing()
    servers = _way(TO_SERVERS, ASKED)
    return {
        "Description": _quoted(long),
        "Tags": _tags(tags),
        "Install link": servers,
        "For servers": servers,
        "For people": _way(TO_PEOPLE, discord.Permissions.none()),
    }


def _there(application: discord.AppInfo) -> dict[str, str]:
    """The same as it is."""
    servers, people = application.guild_integration_config, application.user_integration_config
    return {
        "Description": _quoted(application.description),
        "Tags": _tags(application.tags),
        "Install link": _given(application.install_params),
        "For servers": _given(servers.oauth2_install_params if servers else None),
        "For people": _given(people.oauth2_install_params if people else None),
    }


def _quoted(text: str) -> str:
    return f'"{text}"' if text else "none"


def _tags(tags: Sequence[str]) -> str:
    return ", ".join(sorted(tags)) or "none"


def _given(params: discord.AppInstallParams | None) -> str:
    return _way(params.scopes, params.permissions) if params else "none"


def _way(scopes: Sequence[str], rights: discord.Permissions) -> str:
    """What comes with adding the bot: scopes, and rights by Discord's names for them."""
    named = {right: name for right, (name, _) in {**RIGHTS, **FURTHER}.items()}
    ours = [name for right, name in named.items() if getattr(rights, right)]
    known = discord.Permissions(**dict.fromkeys(named, True))
    others = [right.replace("_", " ").title() for right, is_on in rights & ~known if is_on]
    return " and ".join(sorted(scopes)) + (f" with {', '.join([*ours, *others])}" if ours or others else "")
