"""Who may do what in a channel: roles, what the channel itself allows and denies, private threads. Pure."""

from bot.local.message import Channel
from bot.local.places import NO_RIGHT, Overwrite, Permission, User
from bot.local.world import DM, GROUP, PRIVATE_THREAD


def permissions(user: User, place: Channel) -> Permission:
    """What somebody may do in a channel, or in a thread as in the channel above it."""
    guild = place.guild
    if guild is None:
        return user.permissions
    above, roles = place.parent or place, guild.roles_of(user)
    may = user.permissions
    for role in roles:
        may |= role.permissions
    may = _with(may, [above.overwrites.get(guild.id)])
    may = _with(may, [above.overwrites.get(role.id) for role in roles])
    may = _with(may, [above.overwrites.get(user.id)])
    is_apart = place.kind == PRIVATE_THREAD and user.id not in place.people
    return may & ~Permission.VIEW_CHANNEL if is_apart and not may & Permission.MANAGE_THREADS else may


def sees(user: User, place: Channel) -> bool:
    """Whether somebody sees a channel or a thread."""
    if place.kind == DM:
        return place.recipient is user
    if place.kind == GROUP:
        return user.id in place.people
    return bool(permissions(user, place) & Permission.VIEW_CHANNEL)


def _with(may: Permission, overwrites: list[Overwrite | None]) -> Permission:
    """What is left by overwrites of one rank: what any of them allows goes before what others deny."""
    allow = deny = NO_RIGHT
    for each in overwrites:
        if each is not None:
            allow, deny = allow | each.allow, deny | each.deny
    return (may & ~deny) | allow


def may(user: User, needed: int) -> bool:
    """The person has all the permissions (0: administrators only)."""
    if user.permissions & Permission.MANAGE_GUILD:
        return True
    return needed != 0 and (user.permissions & needed) == needed
