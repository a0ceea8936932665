"""Messages and forms as JSON for the page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from bot.loopback.completion import Completions, wants_file
from bot.loopback.driver import Loopback
from bot.loopback.errors import SELECTS
from bot.loopback.forms import FieldKind, FormField, OpenForm
from bot.loopback.model import Channel, File, Interaction, InteractionKind, Json, Message, User
from bot.loopback.people import Person
from bot.loopback.reply import read_button, read_menu
from bot.loopback.web.access import Addresses
from bot.loopback.web.markup import emoji, markup
from bot.loopback.world import DM, THREADS, World

ROW, BUTTON, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, RULE, BOX = 1, 2, 9, 10, 11, 12, 13, 14, 17
PICTURES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}
ATTACHED = "attachment://"


@dataclass(frozen=True, slots=True)
class ComponentReader:
    """Converts the components of one message to JSON for the page."""

    message: Message
    world: World
    addresses: Addresses

    def all(self) -> list[Json]:
        """Return text, components, embeds and the remaining files, in reading order."""
        found: list[Json] = []
        if self.message.content:
            found.append(self.text(self.message.content))
        found += self.read(self.message.components)
        found += (self.embed(embed) for embed in self.message.embeds)
        shown = {name for part in found for name in named_files(part)}
        return found + [self.file(file) for file in self.message.files if file.name not in shown]

    def read(self, components: Iterable[Json]) -> list[Json]:
        """Return a list of components."""
        return [self.part(component) for component in components]

    def part(self, component: Json) -> Json:
        """Return one component, with its children."""
        kind = component["type"]
        if kind == TEXT:
            return self.text(component["content"])
        if kind == BUTTON:
            return self.button(component)
        if kind in SELECTS:
            return menu(component)
        if kind == RULE:
            is_wide = component.get("spacing") == 2
            return {"kind": "rule", "is_seen": component.get("divider", True), "is_wide": is_wide}
        if kind == THUMBNAIL:
            return self.picture(component)
        if kind == GALLERY:
            return {"kind": "gallery", "inside": [self.picture(item) for item in component["items"]]}
        if kind == FILE:
            return self.attached(component)
        inside = self.read(component.get("components") or ())
        if kind == SECTION:
            return {"kind": "section", "inside": inside, "side": self.part(component["accessory"])}
        if kind == BOX:
            return {"kind": "box", "accent": colour(component.get("accent_color")), "inside": inside}
        return {"kind": "row", "inside": inside}

    def text(self, words: str) -> Json:
        """Return text with its markup."""
        return {"kind": "text", "nodes": markup(words, self.world)}

    def button(self, component: Json) -> Json:
        """Return a button; its emoji is an image or a character."""
        button = read_button(component)
        sign = component.get("emoji") or {}
        face = emoji(sign["name"], sign["id"], self.world) if sign.get("id") else button.emoji
        return {
            "kind": "button",
            "id": button.custom_id,
            "label": button.label,
            "style": button.style,
            "disabled": button.disabled,
            "url": button.url,
            "face": [face] if face else [],
        }

    def picture(self, component: Json) -> Json:
        """Return an image with its description."""
        url = component["media"]["url"]
        file = self.find(url)
        return {
            "kind": "picture",
            "name": file.name if file else "",
            "src": self.addresses.file(file) if file else url if url.startswith("https://") else "",
            "alt": component.get("description") or (file and file.description) or "",
            "is_spoiler": bool(component.get("spoiler")),
        }

    def attached(self, component: Json) -> Json:
        """Return the file that a file component offers."""
        file = self.find(component["file"]["url"])
        return self.file(file) if file else {"kind": "gone"}

    def file(self, file: File) -> Json:
        """Return a file: an image to show, or any other file to download."""
        if picture_type(file.name):
            alt = file.description or file.name
            picture = {"kind": "picture", "name": file.name, "src": self.addresses.file(file), "alt": alt}
            return {"kind": "gallery", "inside": [picture]}
        src = self.addresses.file(file)
        return {"kind": "file", "name": file.name, "size": len(file.data), "src": src}

    def find(self, url: str) -> File | None:
        """Return the message's own file with this URL, or None."""
        name = url.removeprefix(ATTACHED)
        for file in self.message.files:
            if url == file.url or name == file.name:
                return file
        return None

    def embed(self, embed: Json) -> Json:
        """Return an embed, drawn as a box."""
        words = [f"### {embed['title']}"] if embed.get("title") else []
        words += [embed["description"]] if embed.get("description") else []
        words += [f"**{field['name']}**\n{field['value']}" for field in embed.get("fields") or ()]
        return {"kind": "box", "accent": colour(embed.get("color")), "inside": [self.text(w) for w in words]}


def menu(component: Json) -> Json:
    """Return a menu with its options; the page fills in people and channels."""
    menu = read_menu(component)
    options = [
        {"label": o.label, "value": o.value, "about": o.description, "is_chosen": o.default}
        for o in menu.options
    ]
    return {
        "kind": "menu",
        "id": menu.custom_id,
        "placeholder": menu.placeholder,
        "options": options,
        "of": {3: "options", 8: "places"}.get(menu.type, "people"),
        "least": menu.least,
        "most": menu.most,
        "disabled": menu.disabled,
    }


def named_files(part: Json) -> Iterator[str]:
    """Yield the names of the files that a component shows."""
    if part["kind"] in ("picture", "file"):
        yield part["name"]
    for inner in (*part.get("inside", ()), *((part["side"],) if "side" in part else ())):
        yield from named_files(inner)


def picture_type(name: str) -> str | None:
    """Return the MIME type of an image that browsers may show, by file name; None for any other file."""
    return PICTURES.get(PurePath(name.lower()).suffix)


def colour(number: int | None) -> str | None:
    """Return a colour in CSS notation.

    >>> colour(0x2E8B57)
    '#2e8b57'
    """
    return None if number is None else f"#{number & 0xFFFFFF:06x}"


SHOWN = 100
"""Messages that a page shows at first, and more each time it asks."""


def message_view(message: Message, world: World, addresses: Addresses, viewer: User) -> Json:
    """Return a message as one person sees it."""
    opened = world.interactions.get(message.interaction or 0)
    return {
        "id": str(message.id),
        "place": str(message.channel.id),
        "author": person_view(message.author),
        "used": used(opened) if opened else None,
        "at": message.created,
        "is_edited": message.edited is not None,
        "is_pinned": message.pinned,
        "is_private": message.is_private,
        "is_loading": message.is_loading,
        "is_to_me": viewer.id in message.pings,
        "parts": ComponentReader(message, world, addresses).all(),
    }


def used(opened: Interaction) -> Json:
    """Return who did what to get a message: `/asset add`, or "" for a press."""
    words = ""
    if opened.kind is InteractionKind.COMMAND:
        data = opened.payload["data"]
        words = " ".join(command_words(data))
        words = f"/{words}" if data["type"] == 1 else words
    return {"by": person_view(opened.user), "what": words}


def command_words(data: Json) -> Iterable[str]:
    """Yield the name of a command, then the names of its subcommands."""
    yield data["name"]
    for option in data.get("options") or ():
        if option["type"] in (1, 2):
            yield from command_words(option)


def person_view(user: User) -> Json:
    """Return a person."""
    return {"id": str(user.id), "name": user.display, "is_bot": user.is_bot}


def sees(user: User, message: Message) -> bool:
    """Return whether a user can see a message."""
    if message.deleted or message.viewer not in (None, user):
        return False
    return message.channel.kind != DM or message.channel.recipient is user


def seen_in(place: Channel, user: User, before: int | None = None) -> list[Message]:
    """Return the newest messages a user sees in a place (older than the id `before`), oldest first."""
    seen = [m for m in place.messages.values() if sees(user, m) and (before is None or m.id < before)]
    return seen[-SHOWN:]


def table_of(place: Channel, bot: User) -> Message | None:
    """Return the newest message the bot pinned in a place or in a thread's parent channel."""
    pinned = [message for message in place.pins() if message.author is bot and not message.is_private]
    if pinned or place.parent is None:
        return pinned[0] if pinned else None
    return table_of(place.parent, bot)


def places(loopback: Loopback, who: Person) -> list[Json]:
    """Return the places a person can open: channels with their threads, and the bot's direct messages."""
    home = [place for place in loopback.world.in_guild(loopback.world.home) if not place.archived]
    found = []
    for channel in (place for place in home if place.kind not in THREADS):
        found.append(place_view(channel, f"#{channel.name}"))
        found += [place_view(place, place.name) for place in home if place.parent is channel]
    return [*found, place_view(loopback.dm(who), loopback.world.bot.display)]


def place_view(place: Channel, name: str) -> Json:
    """Return a place under a name."""
    kind = {DM: "talk", **dict.fromkeys(THREADS, "thread")}.get(place.kind, "channel")
    return {"id": str(place.id), "name": name, "kind": kind}


def long_presses(who: Person, place: Channel) -> Json:
    """Return the message and user commands."""
    offered = who.offered(place)
    return {
        "message": [command["name"] for command in offered if command["type"] == 3],
        "person": [command["name"] for command in offered if command["type"] == 2],
    }


def form_view(form: OpenForm, number: str, world: World) -> Json:
    """Return a form to fill in."""
    fields = [field_view(field, world) for field in form.fields]
    return {"id": number, "key": form.custom_id, "title": form.title, "fields": fields}


def field_view(field: FormField, world: World) -> Json:
    """Return a form field with its choices and current value; a note is text with markup."""
    if field.kind is FieldKind.NOTE:
        return {"kind": field.kind, "nodes": markup(field.description, world)}
    options = [{"label": o.label, "value": o.value, "about": o.description} for o in field.options]
    return {
        "id": field.custom_id,
        "label": field.label,
        "about": field.description,
        "kind": field.kind,
        "options": options,
        "value": field.default,
        "is_required": field.required,
        "least": field.least,
        "most": field.most,
        "placeholder": field.placeholder,
        "is_long": field.is_long,
    }


def offers_view(found: Completions) -> Json:
    """Return the completions, and the option being typed."""
    option = found.option
    missing = [
        {"name": o["name"], "about": o["description"], "is_file": wants_file(o)} for o in found.missing
    ]
    return {
        "offers": [
            {"words": o.words, "length": o.length, "label": o.label, "about": o.about} for o in found.all
        ],
        "is_whole": found.is_whole,
        "path": found.path,
        "option": option and option["name"],
        "about": option and option["description"],
        "wants_file": wants_file(option),
        "missing": missing,
    }
