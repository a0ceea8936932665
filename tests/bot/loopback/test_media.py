"""Pictures in messages on the loopback Discord: named in a component, sent with the message."""

from io import BytesIO

import aiohttp
import discord
import pytest
from discord import ui

from bot.loopback.driver import Loopback
from bot.loopback.model import Message
from bot.loopback.reply import message_lines
from bot.pictures.faces import picture
from tests.bot.loopback.small_bot import SmallBot
from tests.bot.loopback.test_server import V2, call, code_for


def view(*pictures: tuple[str, str | None]) -> ui.LayoutView:
    """A text and a gallery of pictures with their words."""
    made = ui.LayoutView(timeout=None)
    made.add_item(ui.TextDisplay("A die"))
    made.add_item(ui.MediaGallery(*(discord.MediaGalleryItem(url, description=alt) for url, alt in pictures)))
    made.stop()
    return made


def die() -> discord.File:
    return discord.File(BytesIO(picture("d6_6")), "die.png")


async def sent(discord_: Loopback, bot: SmallBot) -> tuple[Message, discord.Message]:
    """A message with a picture, as Discord has it and as the bot does."""
    channel = bot.get_channel(discord_.table.id)
    assert isinstance(channel, discord.TextChannel)
    told = await channel.send(view=view(("attachment://die.png", "A six")), file=die())
    (kept,) = discord_.messages()
    return kept, told


async def test_a_picture_is_where_the_component_says(discord_: Loopback, bot: SmallBot) -> None:
    kept, told = await sent(discord_, bot)
    assert told.attachments == []
    gallery = told.components[1]
    assert isinstance(gallery, discord.MediaGalleryComponent)
    (item,) = gallery.items
    assert (item.description, item.media.width, item.media.height) == ("A six", 128, 128)
    assert item.media.attachment_id == kept.files[0].id
    assert await bot.http.get_from_cdn(item.media.url) == picture("d6_6")


async def test_whoever_reads_text_has_the_words_of_a_picture(discord_: Loopback, bot: SmallBot) -> None:
    kept, _ = await sent(discord_, bot)
    assert message_lines(kept, discord_.world) == ["A die", "[picture: A six]"]


async def test_an_edit_that_names_the_address_keeps_the_picture(discord_: Loopback, bot: SmallBot) -> None:
    kept, told = await sent(discord_, bot)
    await told.edit(view=view((kept.files[0].url, "Still a six")))
    assert message_lines(kept, discord_.world) == ["A die", "[picture: Still a six]"]
    async with aiohttp.ClientSession() as session, session.get(kept.files[0].url) as answer:
        assert (answer.content_type, await answer.read()) == ("image/png", picture("d6_6"))


async def test_a_picture_that_comes_with_an_edit_is_not_found(discord_: Loopback, bot: SmallBot) -> None:
    kept, told = await sent(discord_, bot)
    with pytest.raises(discord.HTTPException, match="referenced attachment was not found"):
        await told.edit(
            view=view(("attachment://new.png", None)), attachments=[discord.File(die().fp, "new.png")]
        )
    assert [file.name for file in kept.files] == ["die.png"]
    assert len(discord_.world.files) == 1


@pytest.mark.parametrize(
    "item",
    [
        {"media": {"url": "attachment://die.png"}},
        {"media": {"url": ""}},
        {"media": {"url": "https://example.com/a.png"}, "description": "x" * 1025},
    ],
)
async def test_a_gallery_that_discord_would_not_take(discord_: Loopback, item: dict[str, object]) -> None:
    discord_.server.schemas = None
    assert await code_for(discord_, {"flags": V2, "components": [{"type": 12, "items": [item]}]}) == 50035


async def test_a_picture_from_elsewhere_is_shown_as_it_is(discord_: Loopback) -> None:
    item = {"media": {"url": "https://example.com/a.png"}}
    path = f"/channels/{discord_.table.id}/messages"
    _, told = await call(discord_, "POST", path, {"flags": V2, "components": [{"type": 12, "items": [item]}]})
    assert told["components"][0]["items"][0]["media"]["proxy_url"] == "https://example.com/a.png"


def filed(name: str = "plan.ics") -> discord.ui.LayoutView:
    view = discord.ui.LayoutView()
    view.add_item(discord.ui.TextDisplay("A plan"))
    view.add_item(discord.ui.File(f"attachment://{name}"))
    return view


def plan(text: bytes) -> discord.File:
    return discord.File(BytesIO(text), "plan.ics")


async def test_a_file_that_an_edit_lists_takes_the_place_of_the_one_before(
    discord_: Loopback, bot: SmallBot
) -> None:
    told = await bot.get_partial_messageable(discord_.table.id).send(view=filed(), file=plan(b"one"))
    kept = discord_.messages()[-1]
    assert message_lines(kept, discord_.world) == ["A plan", "[file plan.ics]"]
    await told.edit(view=filed(), attachments=[plan(b"other")])
    assert [file.data for file in kept.files] == [b"other"]
    assert len(discord_.world.files) == 1
    shown = told.components[1]
    assert isinstance(shown, discord.FileComponent)
    assert (shown.name, shown.size) == ("plan.ics", 3)


@pytest.mark.parametrize("name", ["other.ics", "https://example.com/plan.ics"])
async def test_a_file_that_is_not_attached_is_refused(discord_: Loopback, bot: SmallBot, name: str) -> None:
    told = await bot.get_partial_messageable(discord_.table.id).send(view=filed(), file=plan(b"one"))
    with pytest.raises(discord.HTTPException, match="attachment"):
        await told.edit(view=filed("plan.ics"), attachments=[])
    shown = filed()
    shown.children[1].media = name if name.startswith("https") else f"attachment://{name}"  # type: ignore[attr-defined]
    with pytest.raises(discord.HTTPException, match="attachment"):
        await told.edit(view=shown, attachments=[plan(b"other")])
