"""`sync --profile`: what people read of the bot before they add it, and the rights that it is added with."""

import re
from collections.abc import Sequence

import discord

from bot.guide import HOST
from bot.render.setup import FURTHER, RIGHTS
from bot.settings import BotSettings
from bot.ui.own import ASKED
from bot.upkeep.outcome import OrderOutcome
from bot.upkeep.quiet import logged_in
from bot.upkeep.registering import reaching

TO_SERVERS = ("applications.commands", "bot")
TO_PEOPLE = ("applications.commands",)
"""What Discord calls what the bot is added to a server with, and to a person."""


def listing() -> tuple[str, str, tuple[str, ...]]:
    """The short and the long text that the guide has for listings, and the tags."""
    page = (HOST / "listing.md").read_text(encoding="utf-8")
    section = page.partition("\n## Listings\n")[2].partition("\n## ")[0]
    short, long, tags = re.findall(r"```text\n(.*?)\n```", section, re.DOTALL)
    return " ".join(short.split()), " ".join(long.split()), tuple(tags.split("\n"))


async def profile(chosen: BotSettings, *, is_dry: bool) -> OrderOutcome:
    """Show how the bot's profile differs, and set it unless it `is_dry`. Raises OrderRefused and NotYet."""
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
