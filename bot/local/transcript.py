"""Messages and forms as plain lines of text, the way a reader of Discord sees them."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from bot.local.forms import Field, FieldKind, Form
from bot.local.media import FILE, not_shown, shown
from bot.local.message import Json, Message
from bot.local.reply import Button, Menu, buttons, menus
from bot.local.world import World

LITERAL = re.compile(r"```(?:[\w+-]*\n)?(.*?)```|``(.+?)``|`([^`\n]+)`|\\([^A-Za-z0-9\s])", re.DOTALL)
# Characters that nobody types stand for what is literal until all markup is gone.
HELD = re.compile("[\ue000-\uf8ff]")
FIRST_HELD, LAST_HELD = 0xE000, 0xF8FF
EMPHASIS = [
    (re.compile(r"\[([^\]]+)\]\(<?([^)>\s]+)>?\)"), r"\1 (\2)"),
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), r"\1"),
    (re.compile(r"__(.+?)__", re.DOTALL), r"\1"),
    (re.compile(r"~~(.+?)~~", re.DOTALL), r"\1"),
    (re.compile(r"\*(?=\S)([^*]+?)(?<=\S)\*"), r"\1"),
    (re.compile(r"(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"^(?:#{1,3}|-#) +", re.MULTILINE), ""),
]
LINK = re.compile(r"https://discord\.com/channels/(?:[0-9]+|@me)/([0-9]+)/[0-9]+")
MENTION = re.compile(r"<(@&|@!?|#|/|t:|a?:)([^>\s][^>]*)>")


def plain(text: str, world: World) -> str:
    r"""Discord's markup as it is shown: no stars, no backslashes, names for mentions.

    >>> plain(r"**Doom** 2\*d6 for </roll:1> at <t:0>", World())
    'Doom 2*d6 for /roll at 1970-01-01 00:00 UTC'
    """
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        kept = next((group for group in match.groups() if group is not None), "")
        if FIRST_HELD + len(held) > LAST_HELD:
            return kept
        held.append(kept)
        return chr(FIRST_HELD + len(held) - 1)

    text = LITERAL.sub(hold, text)
    text = LINK.sub(lambda match: f"({mentioned('#', match[1], world)} › message)", text)
    text = MENTION.sub(lambda match: mentioned(match[1], match[2], world), text)
    for pattern, kept in EMPHASIS:
        text = pattern.sub(kept, text)
    return HELD.sub(lambda match: released(match[0], held), text)


def released(mark: str, held: list[str]) -> str:
    """The literal text behind a placeholder."""
    place = ord(mark) - FIRST_HELD
    return held[place] if place < len(held) else mark


def mentioned(kind: str, what: str, world: World) -> str:
    """A mention as Discord shows it."""
    if kind in ("@", "@!"):
        user = world.users.get(int(what)) if what.isdigit() else None
        return f"@{user.display}" if user else "@unknown-user"
    if kind == "#":
        place = world.channels.get(int(what)) if what.isdigit() else None
        return f"#{place.name}" if place else "#unknown"
    if kind == "/":
        return "/" + what.rpartition(":")[0]
    if kind == "t:":
        return moment(what)
    if kind == "@&":
        return "@role"
    return f":{what.partition(':')[0]}:"


def moment(stamp: str) -> str:
    """A `<t:…>` time, in UTC so that transcripts are the same everywhere; as typed, if no calendar has it.

    >>> moment("86400:R")
    '1970-01-02 00:00 UTC'
    >>> moment("86400:t")
    '00:00 UTC'
    """
    seconds, _, style = stamp.partition(":")
    if not seconds.lstrip("-").isdigit():
        return stamp
    try:
        at = datetime.fromtimestamp(int(seconds), UTC)
        return {"D": f"{at:%Y-%m-%d}", "t": f"{at:%H:%M} UTC"}.get(style, f"{at:%Y-%m-%d %H:%M} UTC")
    except (OverflowError, ValueError):
        return f"<t:{stamp}>"


def message_lines(message: Message, world: World, handle: int | None = None) -> list[str]:
    """A message, its files and its numbered buttons and menus; the handle on the last line."""
    lines = plain(message.text, world).splitlines()
    for embed in message.embeds:
        parts = [embed.get("title"), embed.get("description")]
        parts += [f"{field['name']}: {field['value']}" for field in embed.get("fields") or ()]
        lines += [line for part in parts if part for line in plain(part, world).splitlines()]
    lines += [f"[{part_words(part)}]" for part in shown(message.components)]
    lines += [
        f"[file {file.name}{': ' + file.description if file.description else ''}]"
        for file in not_shown(message.components, message.files)
    ]
    controls = list(control_lines(buttons(message), menus(message)))
    if controls and handle is not None:
        controls[-1] += f"   (message {handle})"
    return lines + controls


def part_words(part: Json) -> str:
    """A picture or a file that a message shows."""
    return f"file {part.get('name', '')}" if part.get("type") == FILE else f"picture{words(part)}"


def words(part: Json) -> str:
    """What is told of a picture to whoever does not see it."""
    return f": {part['description']}" if part.get("description") else ""


def control_lines(all_buttons: list[Button], all_menus: list[Menu]) -> Iterator[str]:
    """Buttons on one line, then one line per menu, numbered on."""
    if all_buttons:
        yield "  ".join(f"[{n}] {button_words(b)}" for n, b in enumerate(all_buttons, 1))
    for number, menu in enumerate(all_menus, len(all_buttons) + 1):
        options = " | ".join(option.label for option in menu.options)
        yield f"[{number}] {menu.placeholder or 'Choose'}: {options}".rstrip(": ")


def button_words(button: Button) -> str:
    """What stands on a button."""
    words = " ".join(part for part in (button.emoji, button.label) if part)
    if button.url:
        return f"{words} <{button.url}>"
    return f"{words} (off)" if button.disabled else words


def form_lines(form: Form, world: World) -> list[str]:
    """A form: its title, then each field with its choices and what stands in it."""
    return [
        f"Form: {form.title}",
        *("  " + line for field in form.fields for line in field_lines(field, world)),
    ]


def field_lines(field: Field, world: World) -> list[str]:
    """One field of a form."""
    if field.kind is FieldKind.NOTE:
        return plain(field.description, world).splitlines()
    notes = [field.description] if field.description else []
    notes += [] if field.required or field.kind is FieldKind.CHECKBOX else ["optional"]
    head = field.label + (f" ({', '.join(notes)})" if notes else "")
    if field.options:
        chosen = field.default if isinstance(field.default, list) else [field.default]
        return [f"{head}: {numbered((o.label, o.value in chosen) for o in field.options)}"]
    if field.kind is FieldKind.CHECKBOX:
        return [f"{head}: {'yes' if field.default else 'no'}"]
    first, *others = (field.default if isinstance(field.default, str) else "").split("\n")
    return [f"{head}: {first}".rstrip(), *(f"  {line}" for line in others)]


def numbered(choices: Iterable[tuple[str, bool]]) -> str:
    """Choices with numbers; the chosen ones marked.

    >>> numbered([("d6", True), ("d8", False)])
    '1 d6 (chosen) | 2 d8'
    """
    return " | ".join(
        f"{number} {label}{' (chosen)' if chosen else ''}"
        for number, (label, chosen) in enumerate(choices, 1)
    )
