"""The parts of a message as plain JSON for the page: texts, boxes, pictures, buttons, menus."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from bot.local.limits import SELECTS
from bot.local.message import File, Json, Message
from bot.local.reply import read_button, read_menu
from bot.local.web.addresses import Addresses
from bot.local.web.markup import emoji, markup
from bot.local.world import World

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
class Parts:
    """Reads the components of one message."""

    message: Message
    world: World
    addresses: Addresses

    def all(self) -> list[Json]:
        """Everything in reading order: words, components, embeds, and the files not shown by them."""
        found: list[Json] = []
        if self.message.content:
            found.append(self.text(self.message.content))
        found += self.read(self.message.components)
        found += (self.embed(embed) for embed in self.message.embeds)
        shown = {name for part in found for name in named_files(part)}
        return found + [self.file(file) for file in self.message.files if file.name not in shown]

    def read(self, components: Iterable[Json]) -> list[Json]:
        """Components one after the other."""
        return [self.part(component) for component in components]

    def part(self, component: Json) -> Json:
        """One component with all that is in it."""
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
        """Text with its markup."""
        return {"kind": "text", "nodes": markup(words, self.world)}

    def button(self, component: Json) -> Json:
        """A button; its emoji is a picture or a sign."""
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
        """A picture with the words that stand for it."""
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
        """A file that the message offers at this place."""
        file = self.find(component["file"]["url"])
        return self.file(file) if file else {"kind": "gone"}

    def file(self, file: File) -> Json:
        """A file: a picture is shown, anything else is offered."""
        if picture_type(file.name):
            alt = file.description or file.name
            picture = {"kind": "picture", "name": file.name, "src": self.addresses.file(file), "alt": alt}
            return {"kind": "gallery", "inside": [picture]}
        src = self.addresses.file(file)
        return {"kind": "file", "name": file.name, "size": len(file.data), "src": src}

    def find(self, url: str) -> File | None:
        """The message's own file that an address means."""
        name = url.removeprefix(ATTACHED)
        for file in self.message.files:
            if url == file.url or name == file.name:
                return file
        return None

    def embed(self, embed: Json) -> Json:
        """An embed, drawn as a box."""
        words = [f"### {embed['title']}"] if embed.get("title") else []
        words += [embed["description"]] if embed.get("description") else []
        words += [f"**{field['name']}**\n{field['value']}" for field in embed.get("fields") or ()]
        return {"kind": "box", "accent": colour(embed.get("color")), "inside": [self.text(w) for w in words]}


def menu(component: Json) -> Json:
    """A menu with its options; those of people and places are filled in by the page."""
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
    """The names of the files that a part shows."""
    if part["kind"] in ("picture", "file"):
        yield part["name"]
    for inner in (*part.get("inside", ()), *((part["side"],) if "side" in part else ())):
        yield from named_files(inner)


def picture_type(name: str) -> str | None:
    """The type of a picture that a browser may show, by its name; nothing for any other file."""
    return PICTURES.get(PurePath(name.lower()).suffix)


def colour(number: int | None) -> str | None:
    """A colour as style sheets write it.

    >>> colour(0x2E8B57)
    '#2e8b57'
    """
    return None if number is None else f"#{number & 0xFFFFFF:06x}"
