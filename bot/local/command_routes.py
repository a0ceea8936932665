"""The routes of application commands, global and per guild."""

from collections.abc import Iterable
from typing import Any

from bot.local.command_limits import SLASH, check_commands
from bot.local.errors import unknown
from bot.local.message import Json
from bot.local.server import Call, Route, Server
from bot.local.world import World

GLOBAL = "applications/{}/commands"
IN_GUILD = "applications/{}/guilds/{}/commands"


def routes(server: Server) -> list[Route]:
    """Every route of this page."""
    world = server.world

    def listed(call: Call) -> Any:
        return list(shelf(world, call).values())

    def replace_all(call: Call) -> Any:
        wanted = call.body or []
        check_commands(wanted)
        kept = shelf(world, call)
        fresh = registered(world, call, wanted, kept)
        kept.clear()
        kept.update(fresh)
        world.command_puts += 1
        world.changed()
        return list(kept.values())

    def create(call: Call) -> Any:
        kept = shelf(world, call)
        key = (call.body.get("type") or SLASH, call.body.get("name"))
        check_commands([*(command for other, command in kept.items() if other != key), call.body])
        fresh = registered(world, call, [call.body], kept)
        kept.update(fresh)
        return next(iter(fresh.values()))

    def show(call: Call) -> Any:
        return one(shelf(world, call), call.args[-1])

    def change(call: Call) -> Any:
        kept = shelf(world, call)
        command = one(kept, call.args[-1])
        changed = command | call.body
        others = [c for c in kept.values() if c is not command]
        check_commands([*others, changed])
        command |= call.body | {"version": str(world.snowflake())}
        del kept[next(key for key, c in kept.items() if c is command)]
        kept[command["type"], command["name"]] = command
        return command

    def remove(call: Call) -> None:
        kept = shelf(world, call)
        command = one(kept, call.args[-1])
        del kept[command["type"], command["name"]]

    found: list[Route] = []
    for path, word in ((GLOBAL, ""), (IN_GUILD, "guild_")):
        found += [
            Route("GET", path, listed),
            Route("PUT", path, replace_all, f"bulk_set_{word}application_commands"),
            Route("POST", path, create, f"create_{word}application_command"),
            Route("GET", f"{path}/{{}}", show),
            Route("PATCH", f"{path}/{{}}", change, f"update_{word}application_command"),
            Route("DELETE", f"{path}/{{}}", remove),
        ]
    return found


def shelf(world: World, call: Call) -> dict[tuple[int, str], Json]:
    """The commands of the application, or of the guild in the path.

    Raises:
        ApiError: 10002 or 10004 for an application or guild that is not there.
    """
    if call.args[0] != str(world.bot.id):
        raise unknown("Application", 10002)
    guild_id = int(call.args[1]) if "/guilds/" in call.request.path else None
    if guild_id is not None and not (guild_id in world.guilds and world.guilds[guild_id].has_bot):
        raise unknown("Guild", 10004)
    return world.commands.setdefault(guild_id, {})


def one(kept: dict[tuple[int, str], Json], command_id: str) -> Json:
    """A command by id.

    Raises:
        ApiError: 10063 if there is none.
    """
    for command in kept.values():
        if command["id"] == command_id:
            return command
    raise unknown("application command", 10063)


def registered(
    world: World, call: Call, wanted: Iterable[Json], kept: dict[tuple[int, str], Json]
) -> dict[tuple[int, str], Json]:
    """Commands as Discord returns them; a name that was there before keeps its id."""
    fresh: dict[tuple[int, str], Json] = {}
    for body in wanted:
        key = (body.get("type") or SLASH, body["name"])
        command: Json = {
            "id": kept[key]["id"] if key in kept else str(world.snowflake()),
            "application_id": str(world.bot.id),
            "version": str(world.snowflake()),
            "default_member_permissions": None,
            "nsfw": False,
            "options": [],
            "contexts": None,
            "integration_types": [0],
            **body,
            "type": key[0],
            "description": body.get("description") or "",
        }
        if "/guilds/" in call.request.path:
            command["guild_id"] = call.args[1]
        fresh[key] = command
    return fresh
