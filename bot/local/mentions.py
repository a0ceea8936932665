"""Whom a new message notifies: its mentions, cut down by `allowed_mentions`."""

import re

from bot.local.message import Json

CODE = re.compile(r"```.*?```|``.*?``|`[^`]*`", re.DOTALL)
USER = re.compile(r"<@!?(\d+)>")
ROLE = re.compile(r"<@&(\d+)>")


def pinged(text: str, allowed: Json | None) -> frozenset[int | str]:
    """The ids of users and roles that are notified, and "everyone" or "here".

    >>> sorted(pinged("<@1> and <@2>", {"users": ["2"]}))
    [2]
    >>> pinged("`<@1>`", None)
    frozenset()
    """
    if "@" not in text:
        return frozenset()
    text = CODE.sub(" ", text)
    users = {int(found) for found in USER.findall(text)}
    roles = {int(found) for found in ROLE.findall(text)}
    all_of_them = {word for word in ("everyone", "here") if f"@{word}" in text}
    if allowed is None:
        return frozenset(users | roles | all_of_them)
    parse = allowed.get("parse") or ()
    if "users" not in parse:
        users &= {int(one) for one in allowed.get("users") or ()}
    if "roles" not in parse:
        roles &= {int(one) for one in allowed.get("roles") or ()}
    return frozenset(users | roles | (all_of_them if "everyone" in parse else set()))


def named(text: str) -> list[int]:
    """The ids of the users whom a text mentions, each once."""
    return [int(found) for found in dict.fromkeys(USER.findall(text))]
