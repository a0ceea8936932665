"""What somebody who manages a server sees of the bot there: its rights and its tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from bot.language import later, say
from bot.language.line import BREAK, Text, channel, code, heading, joined, moment, person, small, strong
from bot.store.copies import CopyState
from rules.text import AND, COMMA, Phrase, Row, Words

RIGHTS: Mapping[str, tuple[str, str]] = {
    "view_channel": (later("View Channel"), later("the pinned table, and rolls that stay up to date")),
    "send_messages": (later("Send Messages"), later("the pinned table, X-card and open door")),
    "send_messages_in_threads": (later("Send Messages in Threads"), later("the pinned table in a thread")),
    "embed_links": (later("Embed Links"), later("links and pictures in messages")),
    "attach_files": (later("Attach Files"), later("charts, and tables and characters as files")),
    "read_message_history": (
        later("Read Message History"),
        later("finding pinned tables and reminders again"),
    ),
    "pin_messages": (later("Pin Messages"), later("pinning the table")),
}
"""The rights that the bot asks for, as Discord calls them, and what each is for."""
FURTHER: Mapping[str, tuple[str, str]] = {
    "create_public_threads": (later("Create Public Threads"), later("{scene.many} in separate threads")),
    "create_events": (later("Create Events"), later("the next {session.one} in the server's calendar")),
    "manage_webhooks": (later("Manage Webhooks"), later("speaking under a character's name with /say")),
}
"""Rights that a server need not give; what each is for works without it as far as it can."""
MANY = 10
"""So many channels of a table are named."""


def right_names(rights: Iterable[str]) -> Phrase:
    """Several, as Discord calls them: `View Channel and Send Messages`."""
    return Row([right_name(right) for right in rights], AND, AND)


def right_name(right: str) -> Phrase:
    """What Discord calls a right."""
    return Words({**RIGHTS, **FURTHER}[right][0])


def rights_lines(missing: Collection[str]) -> list[Text]:
    """Which rights are missing in a channel, and for what; those that need not be there apart."""
    further = [
        small(say("{right} is missing (optional): {what}", right=say(name), what=say(what)))
        for right, (name, what) in FURTHER.items()
        if right in missing
    ]
    return [*_needed_lines(missing), *further]


def _needed_lines(missing: Collection[str]) -> list[Text]:
    lines = [heading(say("Permissions in this channel"))]
    if not RIGHTS.keys() & set(missing):
        return [*lines, say("The bot has all {count} permissions it needs.", count=len(RIGHTS))]
    there = [say(name) for right, (name, _) in RIGHTS.items() if right not in missing]
    lines += [
        say("{right} is missing: {what}", right=strong(say(name)), what=say(what))
        for right, (name, what) in RIGHTS.items()
        if right in missing
    ]
    return (
        [*lines, small(say("The bot has these permissions: {rights}", rights=Row(there, COMMA)))]
        if there
        else lines
    )


def table_words(name: str, gms: Sequence[int], channels: Sequence[int], *, archived: bool) -> Text:
    """A table of the server: who leads it, and where it is played."""
    who = joined(", ", map(person, gms)) or say("nobody (open to everyone)")
    where = joined(", ", map(channel, channels[:MANY])) or say("in no channel")
    if len(channels) > MANY:
        where = say("{channels} and {count} more", channels=where, count=len(channels) - MANY)
    state = say("{table} (archived)", table=name) if archived else name
    return say("{table}: {gm.one} {who}; {where}", table=strong(state), who=who, where=where)


def copy_lines(failing: CopyState) -> list[Text]:
    """Return the lines that warn the bot's host of a failing automatic backup."""
    last = (
        say("The last backup is from {at}.", at=moment(failing.made))
        if failing.made
        else say("There's no backup yet.")
    )
    said = say("The automatic backup is failing; the bot's log says why. {last}", last=last)
    return [strong(said), BREAK]


def setup_lines(missing: Collection[str], tables: Sequence[Text]) -> list[Text]:
    """Rights, tables, and how GM commands are hidden."""
    begin = say("This server has no tables yet. To start one: {example}", example=code("/campaign new"))
    hide = say(
        "You can hide {gm.one} commands from other members in Server Settings > Integrations > this "
        "bot. Hiding commands doesn't change what people can do at a table."
    )
    title = strong(say("Tables of this server"))
    return [*rights_lines(missing), BREAK, title, *(tables or [begin]), BREAK, small(hide)]
