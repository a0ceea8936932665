"""Discord's JSON for guilds, channels, members, messages and interactions."""

from datetime import UTC, datetime

from bot.loopback.errors import kind, not_shown
from bot.loopback.model import (
    EVERYTHING,
    NO_RIGHT,
    Channel,
    File,
    Guild,
    Interaction,
    InteractionKind,
    Json,
    Message,
    Overwrite,
    Permission,
    Role,
    User,
    user_json,
)
from bot.loopback.world import DM, GROUP, THREADS, World, permissions

JOINED = "2024-01-01T00:00:00.000000+00:00"
FILE_LIMIT = 10 * 1024 * 1024


def moment(seconds: float | None) -> str | None:
    """Return a time in Discord's format (ISO 8601), or None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def member(user: User, channel: Channel | None = None) -> Json:
    """Return a guild member; with a channel, as in interactions (with roles and permissions)."""
    guild = channel.guild if channel is not None else None
    data: Json = {
        "user": user_json(user),
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": [str(role.id) for role in guild.roles_of(user)] if guild else [],
        "joined_at": JOINED,
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None,
        "unusual_dm_activity_until": None,
    }
    if channel is not None:
        data["permissions"] = str(int(permissions(user, channel)))
    return data


def channel(place: Channel, world: World | None = None) -> Json:
    """Return a channel, thread, direct message channel or group; a group has its known members."""
    data: Json = {"id": str(place.id), "type": place.kind, "last_message_id": None, "flags": 0}
    if place.recipient is not None:
        return data | {"recipients": [user_json(place.recipient)]}
    if place.kind == GROUP:
        people = [user_json(world.users[each]) for each in place.people] if world else []
        return data | {"name": place.name, "icon": None, "owner_id": None, "recipients": people}
    assert place.guild is not None
    data |= {"name": place.name, "guild_id": str(place.guild.id), "rate_limit_per_user": 0}
    if place.parent is None:
        return data | {
            "position": 0,
            "permission_overwrites": overwrites(place),
            "nsfw": False,
            "topic": None,
            "parent_id": None,
        }
    return data | {
        "parent_id": str(place.parent.id),
        "owner_id": str(place.owner.id if place.owner else place.guild.id),
        "message_count": 0,
        "total_message_sent": 0,
        "member_count": max(1, len(place.people)),
        "thread_metadata": {
            "archived": place.archived,
            "auto_archive_duration": 1440,  # minutes
            "archive_timestamp": JOINED,
            "create_timestamp": JOINED,
            "locked": place.locked,
        },
    }


def rights(place: Channel) -> Permission:
    """Return the bot's permissions in a channel; a thread has those of its parent."""
    above = place.parent or place
    return above.app_permissions & ~(place.guild.denied if place.guild else NO_RIGHT)


def overwrites(place: Channel) -> list[Json]:
    """Return a channel's permission overwrites, or else one for what the bot lacks there."""
    assert place.guild is not None
    roles = (place.guild.id, *place.guild.roles)
    denied = EVERYTHING & ~place.app_permissions
    granted = place.app_permissions & ~EVERYTHING
    if not place.overwrites and (denied or granted):
        return [_overwrite(place.guild.id, 0, Overwrite(granted, denied))]
    return [_overwrite(whose, 0 if whose in roles else 1, each) for whose, each in place.overwrites.items()]


def _overwrite(whose: int, kind: int, overwrite: Overwrite) -> Json:
    allow, deny = str(int(overwrite.allow)), str(int(overwrite.deny))
    return {"id": str(whose), "type": kind, "allow": allow, "deny": deny}


def guild(place: Guild, world: World) -> Json:
    """Return a guild as sent by GUILD_CREATE."""
    inside = list(world.in_guild(place))
    return {
        "id": str(place.id),
        "name": place.name,
        "owner_id": str(place.id),
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "vanity_url_code": None,
        "region": "local",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None if place.system_channel is None else str(place.system_channel),
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "nsfw": False,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [role(each) for each in (everyone(place), *place.roles.values())],
        "joined_at": moment(place.joined),
        "large": False,
        "unavailable": False,
        "member_count": len(world.users),
        "members": [member(world.bot) | {"joined_at": moment(place.joined)}],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "channels": [channel(c) for c in inside if c.kind not in THREADS],
        "threads": [channel(c) for c in inside if is_synced(c)],
    }


def is_synced(place: Channel) -> bool:
    """Return whether Discord lists a channel among the active threads that the bot can see."""
    return place.kind in THREADS and not place.archived and bool(rights(place) & Permission.VIEW_CHANNEL)


def everyone(place: Guild) -> Role:
    """Return the role that everybody in a guild has, with what the bot may do in all of it."""
    return Role(place.id, "@everyone", EVERYTHING & ~place.denied)


def role(one: Role) -> Json:
    """Return a role of a guild."""
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(int(one.permissions)),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def attachment(file: File) -> Json:
    """Return a file as listed in a message."""
    data: Json = {
        "id": str(file.id),
        "filename": file.name,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
        "content_type": kind(file),
    }
    return data if file.description is None else data | {"description": file.description}


def message(stored: Message) -> Json:
    """Return a message as sent by responses, edits and channel routes."""
    data: Json = {
        "id": str(stored.id),
        "type": 20 if stored.interaction else 0,  # 20: what answers a command
        "channel_id": str(stored.channel.id),
        "author": user_json(stored.author),
        "content": stored.content,
        "components": stored.components,
        "embeds": stored.embeds,
        "attachments": [attachment(file) for file in not_shown(stored.components, stored.files)],
        "flags": stored.flags,
        "timestamp": moment(stored.created),
        "edited_timestamp": moment(stored.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "pinned": stored.pinned,
    }
    if stored.nonce is not None:
        data["nonce"] = stored.nonce
    if stored.webhook is not None:
        data["webhook_id"] = str(stored.webhook)
        data |= {"application_id": str(stored.application)} if stored.application else {}
    if stored.interaction:
        data["application_id"] = data["webhook_id"] = str(stored.author.id)
        data["interaction_metadata"] = stored.interaction_metadata
    return data


def interaction(world: World, opened: Interaction, data: Json) -> Json:
    """Return an interaction as sent by INTERACTION_CREATE."""
    place = opened.channel
    payload: Json = {
        "id": str(opened.id),
        "application_id": str(world.bot.id),
        "type": int(opened.kind),
        "token": opened.token,
        "version": 1,
        "channel_id": str(place.id),
        "channel": channel(place, world) | {"permissions": str(int(permissions(opened.user, place)))},
        "locale": "en-US",
        "app_permissions": str(int(rights(place))),
        "entitlements": [],
        "entitlement_sku_ids": [],
        "attachment_size_limit": FILE_LIMIT,
        "data": data,
    }
    payload["authorizing_integration_owners"] = owners(world, opened)
    if place.guild is None:
        payload |= {"user": user_json(opened.user), "context": 1 if place.kind == DM else 2}
    else:
        home = str(place.guild.id)
        payload |= {
            "member": member(opened.user, place),
            "guild_id": home,
            "guild": {"id": home, "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "context": 0,
        }
    if opened.source is not None and opened.kind in (InteractionKind.COMPONENT, InteractionKind.FORM):
        payload["message"] = message(opened.source)
    return payload


def owners(world: World, opened: Interaction) -> Json:
    """Return who installed the bot for an interaction: the server (0 in direct messages), a person, or both.

    A press has the owners of the command that created its message.
    """
    place = opened.channel
    if opened.source is not None and opened.source.interaction_metadata is not None:
        return dict(opened.source.interaction_metadata["authorizing_integration_owners"])
    found = {"0": str(place.guild.id) if place.guild else "0"} if world.has_bot(place) else {}
    return found | ({"1": str(opened.user.id)} if opened.user.id in world.installed else {})


def callback(opened: Interaction, answer_type: int, made: Message | None) -> Json:
    """Return the body that `with_response` requests for a first response."""
    told: Json = {"id": str(opened.id), "type": int(opened.kind)}
    resource: Json = {"type": answer_type}
    if made is not None:
        told |= {
            "response_message_id": str(made.id),
            "response_message_loading": made.is_loading,
            "response_message_ephemeral": made.is_private,
        }
        resource["message"] = message(made)
    return {"interaction": told, "resource": resource}
