"""The routes of a guild's calendar: events outside of its channels, which have a place and an end."""

from datetime import datetime
from typing import Any

from bot.local.channel_routes import guild
from bot.local.errors import ApiError, invalid_form, unknown
from bot.local.message import Json
from bot.local.places import Event, Guild, Permission
from bot.local.server import Call, Route, Server
from bot.local.world import World

EVENTS = "guilds/{}/scheduled-events"
MOST = 100
EXTERNAL, GUILD_ONLY, SCHEDULED = 3, 2, 1


def routes(server: Server) -> list[Route]:
    """Every route of this page."""
    world = server.world

    def listed(call: Call) -> Any:
        place = guild(world, call)
        return [event_json(each, place, world) for each in place.events.values()]

    def create(call: Call) -> Any:
        place = allowed(world, call)
        if len(place.events) >= MOST:
            raise ApiError(400, 30038, f"Maximum number of guild scheduled events reached ({MOST})")
        made = Event(world.snowflake(), "", "", "", "", "")
        changed(made, call.body or {}, world)
        place.events[made.id] = made
        return event_json(made, place, world)

    def show(call: Call) -> Any:
        place = guild(world, call)
        return event_json(one(place, call), place, world)

    def change(call: Call) -> Any:
        place = allowed(world, call)
        event = one(place, call)
        changed(event, call.body or {}, world)
        return event_json(event, place, world)

    def remove(call: Call) -> None:
        place = allowed(world, call)
        del place.events[one(place, call).id]

    return [
        Route("GET", EVENTS, listed),
        Route("POST", EVENTS, create, "create_guild_scheduled_event"),
        Route("GET", f"{EVENTS}/{{}}", show),
        Route("PATCH", f"{EVENTS}/{{}}", change, "update_guild_scheduled_event"),
        Route("DELETE", f"{EVENTS}/{{}}", remove),
    ]


def allowed(world: World, call: Call) -> Guild:
    """The guild in the path, where the bot may make events.

    Raises:
        ApiError: 10004 no such guild, 50013 without the right.
    """
    place = guild(world, call)
    if Permission.CREATE_EVENTS in place.denied:
        raise ApiError(403, 50013, "Missing Permissions")
    return place


def one(place: Guild, call: Call) -> Event:
    """The event in the path.

    Raises:
        ApiError: 10070.
    """
    number = call.args[1]
    found = place.events.get(int(number)) if number.isdigit() else None
    if found is None:
        raise unknown("Guild Scheduled Event", 10070)
    return found


def changed(event: Event, body: Json, world: World) -> None:
    """Change what the body names; an event begins later than now, and ends after that.

    Raises:
        ApiError: 50035.
    """
    begins = body.get("scheduled_start_time") or event.begins
    ends = body.get("scheduled_end_time") or event.ends
    location = (body.get("entity_metadata") or {}).get("location") or event.location
    faults = []
    if not 1 <= len(location) <= 100:
        faults.append(("entity_metadata.location", "Must be between 1 and 100 in length."))
    if not begins or datetime.fromisoformat(begins) <= world.clock.now():
        faults.append(("scheduled_start_time", "Cannot schedule event in the past."))
    elif not ends or datetime.fromisoformat(ends) <= datetime.fromisoformat(begins):
        faults.append(("scheduled_end_time", "Cannot schedule event to end before the start."))
    if faults:
        raise invalid_form(faults)
    event.begins, event.ends, event.location = begins, ends, location
    event.name = body.get("name") or event.name
    event.description = body.get("description", event.description) or ""
    world.changed()


def event_json(event: Event, place: Guild, world: World) -> Json:
    """An event as Discord writes it."""
    return {
        "id": str(event.id),
        "guild_id": str(place.id),
        "channel_id": None,
        "creator_id": str(world.bot.id),
        "name": event.name,
        "description": event.description,
        "scheduled_start_time": event.begins,
        "scheduled_end_time": event.ends,
        "privacy_level": GUILD_ONLY,
        "status": SCHEDULED,
        "entity_type": EXTERNAL,
        "entity_id": None,
        "entity_metadata": {"location": event.location},
        "recurrence_rule": None,
    }
