"""Every component of a message as data for the page."""

from typing import Any

from bot.loopback.model import Emoji, Message
from bot.loopback.web.access import Addresses
from bot.loopback.web.views import ComponentReader, picture_type
from bot.loopback.world import World
from tests.bot.loopback.web.conftest import KEY

Json = dict[str, Any]


def message(world: World, *components: Json, files: tuple[str, ...] = (), **more: Any) -> Message:
    place = next(iter(world.channels.values()))
    made = Message(1, place, world.bot, components=list(components), **more)
    made.files = [world.add_file(place, name, b"x" * 10, f"About {name}") for name in files]
    return made


def parts(made: Message, world: World) -> list[Json]:
    return ComponentReader(made, world, Addresses(KEY)).all()


def test_a_box_with_everything_in_it() -> None:
    world = World()
    thumbnail = {"type": 11, "media": {"url": "attachment://face.png"}, "description": "Nova"}
    gallery = {"type": 12, "items": [{"media": {"url": "https://a.b/c.png"}, "spoiler": True}]}
    inside = [
        {"type": 9, "components": [{"type": 10, "content": "hi"}], "accessory": thumbnail},
        {"type": 14, "divider": True, "spacing": 2},
        gallery,
        {"type": 13, "file": {"url": "attachment://log.txt"}},
        {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]},
    ]
    box = {"type": 17, "accent_color": 0x2E8B57, "components": inside}
    made = message(world, box, files=("face.png", "log.txt", "table.json"))
    (drawn, rest) = parts(made, world)
    assert (drawn["kind"], drawn["accent"]) == ("box", "#2e8b57")
    section, rule, shown, file, row = drawn["inside"]
    assert section["side"]["alt"] == "Nova"
    assert section["side"]["src"] == Addresses(KEY).file(made.files[0])
    assert rule == {"kind": "rule", "is_seen": True, "is_wide": True}
    assert shown["inside"][0]["src"] == "https://a.b/c.png"
    assert shown["inside"][0]["is_spoiler"]
    assert (file["name"], file["size"]) == ("log.txt", 10)
    assert row["inside"][0]["label"] == "Go"
    assert (rest["kind"], rest["name"]) == ("file", "table.json")


def test_a_picture_from_elsewhere_than_the_web_is_not_fetched() -> None:
    world = World()
    for url in ("javascript:alert(1)", "data:image/svg+xml,x", "http://a.b/c.png", "attachment://none.png"):
        (shown,) = parts(message(world, {"type": 12, "items": [{"media": {"url": url}}]}), world)
        assert shown["inside"][0]["src"] == ""


def test_a_file_that_is_gone() -> None:
    world = World()
    assert parts(message(world, {"type": 13, "file": {"url": "attachment://x"}}), world) == [{"kind": "gone"}]


def test_an_embed_is_a_box() -> None:
    world = World()
    embed = {"title": "T", "description": "D", "color": 255, "fields": [{"name": "N", "value": "V"}]}
    (box,) = parts(message(world, embeds=[embed]), world)
    assert (box["kind"], box["accent"], len(box["inside"])) == ("box", "#0000ff", 3)


def test_a_button_may_have_an_emoji() -> None:
    world = World()
    world.emojis[5] = Emoji(5, "d6_1", b"", "image/png")
    signs = [{"name": "d6: 1", "id": "5"}, {"name": "d6_2", "id": "6"}, {"name": "★"}]
    buttons = [{"type": 2, "style": 2, "custom_id": str(n), "emoji": sign} for n, sign in enumerate(signs)]
    (row,) = parts(message(world, {"type": 1, "components": buttons}), world)
    faces = [button["face"] for button in row["inside"]]
    assert faces == [[{"tag": "emoji", "name": "d6: 1", "id": "5"}], [":d6_2:"], ["★"]]


def test_menus_of_people_are_filled_in_by_the_page() -> None:
    world = World()
    rows = [{"type": 1, "components": [{"type": kind, "custom_id": str(kind)}]} for kind in (5, 8)]
    of = [row["inside"][0]["of"] for row in parts(message(world, *rows), world)]
    assert of == ["people", "places"]


def test_only_pictures_are_shown() -> None:
    names = ("a.png", "a.JPG", "a.svg", "a.html", "png", "a.webp.exe")
    assert [picture_type(name) for name in names] == ["image/png", "image/jpeg", None, None, None, None]
