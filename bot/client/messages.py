"""Send, edit and delete messages: replies, posts in channels, and notices.

An answer that all can see shows who asked, by which command, and everything that was typed into it. What is
to keep one of these from others is answered to its caller alone, and the channel is told by a message that
answers nobody.

Each kind is told at most once in a while in one channel, which is remembered by the channel alone, and not by
whom.
"""

import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
import structlog
from discord import Interaction, SelectMenu, ui

from bot.client.access import CUT, owner
from bot.client.layout import (
    NOBODY,
    contents,
    edited,
    files,
    fitting,
    gallery_item,
    layout,
    shown_files,
    with_invitation,
    with_portrait,
    with_rest,
    with_shown_portrait,
    without_file,
)
from bot.client.registry import drawn
from bot.client.request import PRESSED, Budget, custom_id
from bot.client.responder import OVER, PASSING, answered_messages_of, once_more, responder_of
from bot.client.roll_messages import shown_of
from bot.clock import clock_of
from bot.language import say
from bot.language.line import Text, spoken
from bot.language.printers import as_typed
from bot.services.jobs import Kind, NotDone
from bot.services.privacy import EDITED, FORGOTTEN, ForgetReply, Privacy
from bot.services.responses import Done
from bot.store.jobs import Job
from bot.views.card import Button, Card, Picture
from bot.views.help import right_names
from bot.views.question import STALE, Pressed
from rules.errors import NotAllowed, TooLate
from rules.values import replace

log = structlog.get_logger(__name__)

_CODE = re.compile("`([^`]+)`")
PATIENCE = 5.0
"""Seconds that a picture may take to come back from Discord, to be shared."""


async def answer(interaction: Interaction, done: Done) -> None:
    """Answer with what came of a command; its message is new, so it calls whom the news concern."""
    news = done.card.news
    card = done.card if news is None else replace(done.card, calls=news.calls)
    await reply(interaction, card, done.campaign)


async def show_again(interaction: Interaction, done: Done) -> None:
    """Answer a press or a form by showing what came of it in the pressed message itself.

    An edit calls nobody, so an ending or a takeout is told in a message of its own as well.
    """
    is_alone = interaction.message is not None and interaction.message.flags.ephemeral
    if is_alone and done.card.roll and not owner(interaction):
        await answer(
            interaction, done
        )  # a form that was asked about, or typed again: the roll is for all to see
        return
    await update(interaction, done.card, done.campaign)
    if done.card.news is not None:
        await _say(interaction, done.card.news, done.campaign)


async def reply(interaction: Interaction, card: Card, campaign: int = 0) -> None:
    """Answer an interaction with a card, in public unless the card is private.

    What does not fit into one message follows in further ones; under a roll, `Rest` shows it.
    """
    card = await with_portrait(interaction, card, campaign)
    if card.invitation is not None:
        card = await with_invitation(card, campaign, clock_of(interaction.client).now())
    first, *others = fitting(drawn(interaction, card))
    if others and card.roll:
        first, others = with_rest(first), []
    message = await _say(interaction, first, campaign)
    if message is not None and not card.private:
        answered_messages_of(interaction).note(interaction, message, campaign)
    if card.roll and message is not None:
        await shown_of(interaction).learn(interaction, campaign, card.roll, message)
    for other in others:
        await _say(interaction, other, campaign)


async def update(interaction: Interaction, card: Card, campaign: int) -> None:
    """Answer a press by showing the card in the pressed message itself, which keeps its pictures."""
    shown = [
        discord.MediaGalleryItem(each.media.url, description=each.description) for each in _shown(interaction)
    ]
    fresh = drawn(interaction, with_shown_portrait(interaction.message, card))
    if fresh.invitation is not None:
        fresh = await with_invitation(fresh, campaign, clock_of(interaction.client).now())
    pressed: Pressed | None = interaction.extras.get(PRESSED)
    job = pressed.job if pressed else 0  # a reminder that is pressed before it was noted is found as well
    try:
        await responder_of(interaction).show(partial(edited, fresh, campaign, shown, job), NOBODY)
    except discord.HTTPException as error:
        bare = without_file(fresh, error)
        await responder_of(interaction).show(partial(edited, bare, campaign, shown, job), NOBODY)
    if interaction.message is not None and not interaction.message.flags.ephemeral:
        answered_messages_of(interaction).note(interaction, interaction.message.id, campaign)
    if card.roll and interaction.message is not None:
        await shown_of(interaction).learn(interaction, campaign, card.roll, interaction.message.id)


def _words(message: discord.Message) -> str:
    """What can be read in a message of the bot's own."""
    return "\n".join(part.content for part in parts(message) if isinstance(part, discord.TextDisplay))


def texts_in(message: discord.Message | None) -> list[str]:
    """The texts that stand apart in a message of the bot's own, as they were typed."""
    return [as_typed(part.content) for part in parts(message) if isinstance(part, discord.TextDisplay)]


def code_in(message: discord.Message | None) -> str:
    """What a message of the bot's own shows as it is typed. Raises TooLate where it is gone."""
    found = _CODE.search(_words(message)) if message else None
    if found is None:
        raise TooLate(STALE)
    return found[1]


async def say_again(interaction: Interaction) -> None:
    """Say to all, in a message without buttons, what the pressed message says to one person."""
    view = ui.LayoutView(timeout=None)
    pictures = await _fetched(interaction)
    gallery: list[ui.Item[Any]] = [ui.MediaGallery(*map(gallery_item, pictures))] if pictures else []
    for part in () if interaction.message is None else interaction.message.components:
        if isinstance(part, discord.Container):
            view.add_item(ui.Container(*_texts(part.children), *gallery, accent_colour=part.accent_colour))
        else:
            for item in _texts((part,)):
                view.add_item(item)
    view.stop()  # as in `layout`: discord.py is not to keep it
    await responder_of(interaction).say(
        lambda is_edit: {"view": view, "files": files(pictures)}, NOBODY, private=False, anew=bool(pictures)
    )


def parts(message: discord.Message | None) -> list[discord.Component]:
    """The components of a message, those inside others too."""
    found: list[discord.Component] = []
    waiting = [] if message is None else list(message.components)
    while waiting:
        part: Any = waiting.pop(0)
        found.append(part)
        waiting = [*getattr(part, "children", ()), *waiting]
    return found


def _shown(interaction: Interaction) -> list[discord.MediaGalleryItem]:
    """The pictures that the pressed message shows."""
    galleries = [
        part for part in parts(interaction.message) if isinstance(part, discord.MediaGalleryComponent)
    ]
    return [item for gallery in galleries for item in gallery.items]


async def _fetched(interaction: Interaction) -> list[Picture]:
    """The same with what is in them; none where Discord does not hand them over, and the text says it all."""
    found = []
    for each in _shown(interaction):
        name = PurePosixPath(urlsplit(each.media.url).path).name
        try:
            async with clock_of(interaction.client).timeout(PATIENCE):
                data = await interaction.client.http.get_from_cdn(each.media.url)
        except (discord.HTTPException, *CUT) as error:
            log.warning("shared without its picture", picture=name, reason=repr(error))
            return []
        found.append(Picture(name, data, each.description or ""))
    return found


def _texts(parts: Iterable[object]) -> list[ui.Item[Any]]:
    """What can be read in a message, and what parts it."""
    found: list[ui.Item[Any]] = []
    for part in parts:
        if isinstance(part, discord.TextDisplay):
            found.append(ui.TextDisplay(part.content))
        elif isinstance(part, discord.SeparatorComponent):
            found.append(ui.Separator())
    return found


async def refuse(
    interaction: Interaction, sentence: Text, rows: tuple[tuple[Button, ...], ...] = (), campaign: int = 0
) -> None:
    """Tell the caller alone why something is not done."""
    await reply(interaction, Card((sentence,), rows, private=True), campaign)


async def _say(interaction: Interaction, card: Card, campaign: int) -> int | None:
    """Send a card as one message; the id of the message, if Discord says it."""
    what, whom = partial(contents, card, campaign), only(card.calls)
    return await responder_of(interaction).say(what, whom, private=card.private, anew=_has_files(card))


def _has_files(card: Card) -> bool:
    """Whether pictures or a file go along, which an edit cannot be trusted to bring."""
    return bool(card.pictures or card.shown or (card.portrait and card.portrait.data))


def only(players: tuple[int, ...]) -> discord.AllowedMentions:
    """Ping exactly these people, never a role or everyone."""
    users = [discord.Object(player) for player in players]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


def chosen_values(interaction: Interaction[Any]) -> tuple[str, ...]:
    """The values that are chosen in a menu, in its order; none where none is."""
    data: Mapping[str, Any] = interaction.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def offered(interaction: Interaction[Any]) -> tuple[str, ...]:
    """The values that the pressed menu had to choose of, as its message shows it; none where that is gone."""
    pressed = custom_id(interaction)
    menus = (part for part in parts(interaction.message) if isinstance(part, SelectMenu))
    return tuple(option.value for menu in menus if menu.custom_id == pressed for option in menu.options)


ANSWER = "@original"
"""What Discord calls the first answer to an interaction."""


def told_by(interaction: Interaction) -> ForgetReply:
    """The answer to an interaction, as it is edited later, perhaps by another process."""
    return ForgetReply(
        interaction.application_id, interaction.token, (interaction.created_at + EDITED).timestamp()
    )


class CompletionNotices:
    """Tells people what has become of what takes longer than an answer."""

    def __init__(self, client: discord.Client, privacy: Privacy) -> None:
        self._client = client
        self._privacy = privacy

    def kinds(self) -> Mapping[str, Kind]:
        """What is done when a job of each kind is due."""
        return {FORGOTTEN: self._tell}

    async def _tell(self, job: Job) -> None:
        """Say that what was kept about somebody is gone. Raises NotDone where it is worth another try."""
        card, told = await self._privacy.gone(job), ForgetReply.of(job.payload)
        if told.is_over(clock_of(self._client).now()):
            return
        answers = discord.Webhook.partial(told.application, told.token, client=self._client)
        shown = contents(card, 0, is_edit=True)
        try:
            await answers.edit_message(ANSWER, **shown, allowed_mentions=NOBODY)  # type: ignore[call-overload]
        except PASSING as error:
            raise NotDone(f"An answer is not edited yet: {error!r}") from error
        except discord.HTTPException as error:
            if error.code not in OVER:  # else nobody can read it any more
                log.warning("answer not edited", code=error.code, status=error.status)


async def tell_channel(interaction: Interaction, card: Card) -> int:
    """Tell the channel of an interaction; the message's id. Raises NotAllowed with what is missing."""
    place = interaction.client.get_partial_messageable(
        interaction.channel_id or 0, guild_id=interaction.guild_id
    )
    # One nonce for both tries, so that Discord takes them for one message; discord.py has another for
    # each call.
    only_these: dict[str, Any] = {"allowed_mentions": only(card.calls), "nonce": secrets.randbits(64)}
    try:
        # What is sent is made anew for another try: files are closed after the first.
        told = await once_more(lambda: place.send(**contents(card, 0), **only_these))
    except (discord.HTTPException, discord.RateLimited, *CUT) as error:
        raise _refusal(interaction, error) from error
    answered_messages_of(interaction).note(interaction, told.id)
    return told.id


async def try_telling(interaction: Interaction, card: Card) -> Text:
    """Tell the channel of an interaction, if it can be told; else why it is not."""
    try:
        await tell_channel(interaction, card)
    except NotAllowed as error:
        return spoken(error.words)
    return ""


def _refusal(interaction: Interaction, error: Exception) -> NotAllowed:
    """Why the channel is not told, and what to do."""
    if not isinstance(error, discord.Forbidden):
        return NotAllowed("Discord didn't accept the message, so the channel wasn't told. Try again.")
    write = "send_messages_in_threads" if isinstance(interaction.channel, discord.Thread) else "send_messages"
    missing = [right for right in ("view_channel", write) if not getattr(interaction.app_permissions, right)]
    return NotAllowed(
        "The channel wasn't told: the bot needs {rights} in this channel. Ask a member with Manage "
        "Server to fix this; until then, tell the {gm.one}.",
        rights=right_names(missing or [write]),
    )


LOOK = 50
"""So many messages of a channel are looked through for one that may be there already."""


async def post(client: discord.Client, channel: int, card: Card, job: Job, about: str) -> int:
    """Post a card for a job, which calls whom it names; its id, or 0 where the bot cannot write there.

    What it is `about` is posted once. Discord sees to that for some minutes; after that, one that was posted
    before a kill is found by its buttons. Raises NotDone where it is worth another try.
    """
    people = [discord.Object(player) for player in card.calls]
    only = discord.AllowedMentions(everyone=False, roles=False, users=people)
    where, campaign = client.get_partial_messageable(channel), job.campaign or 0
    number = _number(campaign, about)
    try:
        if job.is_begun_before and (there := await _found(client, where, number)):
            return there
        card = await with_invitation(card, campaign, clock_of(client).now())
        try:
            message = await where.send(**_held(card, campaign, number), allowed_mentions=only)
        except discord.HTTPException as error:
            bare = without_file(card, error)
            message = await where.send(**_held(bare, campaign, number), allowed_mentions=only)
    except PASSING as error:
        raise NotDone(f"People are not reminded yet: {error!r}") from error
    except discord.HTTPException as error:
        log.warning("people not reminded", channel=channel, code=error.code, status=error.status)
        return 0
    return message.id


def _held(card: Card, campaign: int, number: int) -> dict[str, Any]:
    """What is posted for a job."""
    view = layout(card, campaign, job=number)
    return {"view": view, "files": shown_files(card), "nonce": str(number)}


async def alone_with(client: discord.Client, person: int) -> int:
    """The channel of the direct messages with somebody; 0 where they take none. Raises NotDone."""
    try:
        return (await client.create_dm(discord.Object(person))).id
    except PASSING as error:
        raise NotDone(f"The GM is not told yet: {error!r}") from error
    except discord.HTTPException as error:
        log.info("no direct messages", code=error.code, status=error.status)
        return 0


async def _found(client: discord.Client, where: discord.PartialMessageable, number: int) -> int:
    """The message that a job with that number has posted; 0 where there is none, or it may not be read."""
    try:
        async for message in where.history(limit=LOOK):
            if message.author == client.user and number in _numbers(message):
                return message.id
    except PASSING:
        raise
    except discord.HTTPException as error:  # then it is rather posted twice than never
        log.info("earlier reminders not checked", channel=where.id, code=error.code)
    return 0


def _numbers(message: discord.Message) -> set[int]:
    """The numbers of the jobs that a message is of, by its buttons."""
    buttons = [part for part in parts(message) if isinstance(part, discord.Button)]
    pressed = [Pressed.read(each.custom_id or "") for each in buttons]
    return {each.job for each in pressed if each is not None}


def _number(campaign: int, about: str) -> int:
    """The number of what is posted: the same each time, and nothing else's."""
    return int.from_bytes(sha256(f"{campaign} {about}".encode()).digest()[:7])  # a nonce has 25 characters


PAUSE = 30.0
"""Seconds in which a channel is told the same kind of thing once."""


class AnonymousNotices:
    """Tells channels; refuses what would come too often, and says which right is missing."""

    def __init__(self) -> None:
        self._budgets: defaultdict[str, Budget] = defaultdict(lambda: Budget(1, PAUSE))

    async def tell(self, interaction: Interaction, kind: str, card: Card) -> None:
        """Tell the channel. Raises TooLate where it was told just now, NotAllowed where it cannot be."""
        if not self._allows(interaction, kind):
            raise TooLate(
                "The channel was told less than {seconds} seconds ago. Wait a moment, or tell everyone "
                "yourself.",
                seconds=round(PAUSE),
            )
        await self._send(interaction, kind, card)

    async def mention(self, interaction: Interaction, kind: str, card: Card) -> Text:
        """Tell the channel if it can be; else why it is not told."""
        if not self._allows(interaction, kind):
            return say(
                "The channel wasn't told, because another change was announced a moment ago. To see "
                "your change in the list: /safety show"
            )
        try:
            await self._send(interaction, kind, card)
        except NotAllowed as error:
            return spoken(error.words)
        return ""

    def _allows(self, interaction: Interaction, kind: str) -> bool:
        return self._budgets[kind].allows(
            interaction.channel_id or 0, clock_of(interaction.client).monotonic()
        )

    async def _send(self, interaction: Interaction, kind: str, card: Card) -> None:
        try:
            await tell_channel(interaction, card)
        except NotAllowed:
            self._budgets[kind].give_back(interaction.channel_id or 0)
            raise
