"""What the bot makes of a card itself is what discord.py makes of it, to the letter."""

import json
from typing import Any

import discord
import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as some

from bot.client.layout import BESIDE_PORTRAIT, _parts, gallery_item, layout, marker
from bot.language.printers import in_words
from bot.language.said import width
from bot.views.card import Button, Card, Menu, Option, Picture, Portrait, Tone, Weight
from bot.views.question import Pressed
from rules.values import replace

STYLES = {
    Weight.QUIET: discord.ButtonStyle.secondary,
    Weight.MAIN: discord.ButtonStyle.primary,
    Weight.GOOD: discord.ButtonStyle.success,
    Weight.DANGER: discord.ButtonStyle.danger,
}
ACCENTS = {
    Tone.CALM: None,
    Tone.GOOD: discord.Colour(0x2FA142),
    Tone.GREAT: discord.Colour(0xAA8800),
    Tone.BAD: discord.Colour(0xE2655C),
    Tone.WORST: discord.Colour(0xE2655C),
}


def librarys(card: Card, shown: list[discord.MediaGalleryItem], job: int) -> Any:
    """The same by the library's own classes."""
    texts: list[ui.Item[Any]] = []
    for part in _parts(card):
        texts += [ui.Separator()] if texts else []
        face = card.portrait if not texts else None
        title, _, rest = part.partition("\n")
        if face and rest and len(title.removeprefix("### ")) > BESIDE_PORTRAIT:
            texts.append(ui.TextDisplay[Any](title))
            part = rest
        text = ui.TextDisplay[Any](part)
        picture = ui.Thumbnail[Any](face.address, description=in_words(face.alt)) if face else None
        texts.append(ui.Section(text, accessory=picture) if picture else text)
    if pictures := [*shown, *map(gallery_item, card.pictures)]:
        texts.append(ui.MediaGallery(*pictures))
    rows = [ui.ActionRow(select(menu)) for menu in card.menus]
    rows += [ui.ActionRow(*(press(button, job) for button in row)) for row in card.rows]
    view = ui.LayoutView(timeout=None)
    box_id: Any = {"id": marker(job)} if job else {}
    boxed: list[ui.Item[Any]] = [*texts, *rows]
    if card.tone:
        boxed = [ui.Container(*texts, *rows, accent_colour=ACCENTS[card.tone], **box_id)]
    for item in boxed:
        view.add_item(item)
    return view


def select(menu: Menu) -> ui.Select[Any]:
    return ui.Select(
        custom_id=str(Pressed(menu.verb, 5, 0, menu.subject)),
        placeholder=in_words(menu.label, 150),
        min_values=0 if menu.most > 1 else 1,
        max_values=min(menu.most, len(menu.options)),
        options=[
            discord.SelectOption(
                label=in_words(option.label, 100),
                value=option.value,
                description=in_words(option.hint, 100) or None,
                default=option.value in menu.chosen,
            )
            for option in menu.options
        ],
    )


def press(button: Button, job: int) -> ui.Button[Any]:
    label = in_words(button.label, 80) if width(button.label) <= 80 else f"{in_words(button.label, 79)}…"
    if button.address:
        return ui.Button(label=label, url=button.address)
    what = Pressed(button.verb, 5, button.number, button.subject, job)
    return ui.Button(label=label, style=STYLES[button.weight], custom_id=str(what))


WORDS = some.text("aß ٣نور*-#\n\x00", max_size=100)
BUTTONS = some.builds(
    Button,
    WORDS,
    some.sampled_from(["keep", "spend"]),
    some.integers(0, 99),
    some.sampled_from(["", "x"]),
    some.sampled_from(Weight),
    some.sampled_from(["", "https://example.org"]),
)
OPTIONS = some.lists(some.builds(Option, WORDS, some.sampled_from("abc"), WORDS), min_size=1, max_size=3)
MENUS = some.builds(
    Menu, WORDS, some.just("look"), some.just(""), OPTIONS.map(tuple), some.sampled_from([(), ("a",)])
)
CARDS = some.builds(
    Card,
    some.lists(WORDS, max_size=4).map(tuple),
    some.lists(some.lists(BUTTONS, min_size=1, max_size=5).map(tuple), max_size=3).map(tuple),
    menus=some.lists(some.builds(replace, MENUS, most=some.integers(1, 3)), max_size=2).map(tuple),
    tone=some.none() | some.sampled_from(Tone),
    calls=some.sampled_from([(), (1, 2)]),
    portrait=some.none() | some.builds(Portrait, some.just("attachment://face.png"), WORDS),
    pictures=some.lists(some.builds(Picture, some.just("a.png"), some.just(b""), WORDS), max_size=2).map(
        tuple
    ),
)


@given(CARDS, some.integers(0, 3), some.sampled_from([0, 7]))
async def test_a_card_is_sent_as_the_library_would_send_it(card: Card, kept: int, job: int) -> None:
    shown = [discord.MediaGalleryItem("https://example.org/a.png", description="x") for _ in range(kept)]
    ours: Any = layout(card, 5, shown, job)
    theirs = librarys(card, shown, job)
    assert json.loads(json.dumps(ours.to_components())) == json.loads(json.dumps(theirs.to_components()))
    assert ours.has_components_v2() == theirs.has_components_v2()


async def test_the_library_keeps_no_view_of_ours() -> None:
    view = layout(Card(("Text",), ((Button("Keep", "keep"),),)), 5)
    assert view.is_finished()
    assert not view.is_dispatchable()
    assert view.timeout is None


async def test_more_than_a_message_holds_is_not_sent() -> None:
    rows = tuple((Button("Keep", "keep"),) * 5 for _ in range(7))
    with pytest.raises(ValueError, match="40 components"):
        layout(Card(("Text",), rows), 5)
