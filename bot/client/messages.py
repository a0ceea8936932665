"""Send, edit and delete messages: replies, posts in channels, and notices.

A public answer shows who asked, by which command, and everything typed into it. If one of these must stay
hidden, the caller gets a private answer, and the channel a separate message that is no reply.

Each kind of notice is sent at most once per interval and channel. Only the channel is stored, not the person.
"""

import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
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
    with_invitation,
    with_portrait,
    with_rest,
    with_shown_portrait,
    without_buttons,
    without_file,
)
from bot.client.registry import drawn
from bot.client.request import PRESSED, Budget, asked, custom_id
from bot.client.responder import (
    OVER,
    PASSING,
    Undelivered,
    answered_messages_of,
    edit,
    once_more,
    responder_of,
)
from bot.client.roll_messages import shown_of
from bot.clock import clock_of
from bot.language import later, say
from bot.language.line import Text, channel, small, spoken
from bot.language.printers import as_typed
from bot.services.jobs import Kind, NotDone
from bot.services.privacy import EDITED, FORGOTTEN, ForgetReply, Privacy
from bot.services.responses import Done
from bot.store.jobs import Job
from bot.views.card import Button, Card, Picture
from bot.views.facts import summed_up
from bot.views.help import right_names
from bot.views.question import STALE, WHAT_FOR, Pressed
from rules.errors import Closed, Gone, NotAllowed, TableGone, TooLate
from rules.names import Plan
from rules.table import Table
from rules.values import replace

log = structlog.get_logger(__name__)

_CODE = re.compile("`([^`]+)`")
PATIENCE = 5.0
"""Seconds that a picture may take to come back from Discord, to be shared."""


async def answer(interaction: Interaction, done: Done) -> None:
    """Answer with the outcome of a command, as a new message that pings the people concerned once."""
    news = done.card.news
    if news is not None and news.tone is None:
        await reply(interaction, replace(done.card, calls=news.calls), done.campaign)
        return
    await reply(interaction, done.card, done.campaign)
    if news is not None:  # a big moment, with a card of its own that calls people itself
        await _say(interaction, news, done.campaign)


async def show_again(interaction: Interaction, done: Done) -> None:
    """Answer a press or form by updating the pressed message.

    If that message is private, a roll becomes a new public answer instead, where the bot is on the server. An
    edit pings nobody, so important news also gets a message of its own. A roll that another message shows is
    not shown twice: that one follows by itself, and what happened is the answer.
    """
    if (happened := await _beside(interaction, done)) is not None:
        await reply(interaction, happened, done.campaign)
        return
    is_alone = interaction.message is not None and interaction.message.flags.ephemeral
    if is_alone and done.card.roll and not owner(interaction):
        await answer(
            interaction, done
        )  # a form that was asked about, or typed again: the roll is for all to see
        return
    await update(interaction, done.card, done.campaign)
    if done.card.news is not None:
        await _say(interaction, done.card.news, done.campaign)


async def _beside(interaction: Interaction, done: Done) -> Card | None:
    """The news of a roll that another message than the pressed one shows; None if no other does."""
    roll, message = done.card.roll, interaction.message
    if roll is None or isinstance(roll, Plan) or message is None or owner(interaction):
        return None
    pressed: Pressed | None = interaction.extras.get(PRESSED)
    if not message.flags.ephemeral and pressed and pressed.number == roll.number:
        return None  # a button of the roll's own message
    link = (await shown_of(interaction).of(done.campaign)).get(roll.number, "")
    if not link or link.endswith(f"/{message.id}"):
        return None
    line, calls = summed_up(done.table, done.facts)
    return done.card.news or Card((line,), calls=calls)


async def reply(interaction: Interaction, card: Card, campaign: int = 0) -> None:
    """Answer an interaction with a card, publicly unless the card is private.

    What does not fit follows in further messages; under a roll, a button shows it.
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
        await shown_of(interaction).learn(interaction, campaign, card, message)
    for other in others:
        await _say(interaction, other, campaign)


async def update(interaction: Interaction, card: Card, campaign: int) -> None:
    """Answer a press by showing a card in the pressed message, which keeps its pictures."""
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
        await shown_of(interaction).learn(interaction, campaign, card, interaction.message.id)


def _words(message: discord.Message) -> str:
    """What can be read in a message of the bot's own."""
    return "\n".join(part.content for part in parts(message) if isinstance(part, discord.TextDisplay))


def texts_in(message: discord.Message | None) -> list[str]:
    """Return the text components of one of the bot's own messages, as they were typed."""
    return [as_typed(part.content) for part in parts(message) if isinstance(part, discord.TextDisplay)]


def code_in(message: discord.Message | None) -> str:
    """Return the code span in one of the bot's own messages. Raises TooLate if there is none."""
    found = _CODE.search(_words(message)) if message else None
    if found is None:
        raise TooLate(STALE)
    return found[1]


async def say_again(interaction: Interaction) -> None:
    """Post the content of the pressed private message publicly, without buttons."""
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
    """Return the components of a message, including nested ones."""
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
    """Tell the caller privately why something is not done."""
    await reply(interaction, Card((sentence,), rows, private=True), campaign)


async def take_buttons(interaction: Interaction, why: Text, error: Closed | Gone) -> None:
    """Take the buttons from the pressed message, which shows something closed or gone.

    A message that also has buttons for other things keeps them all. A closed roll's message is edited soon.
    If the bot can't see the channel, only the answer to the press can edit the message.
    """
    press: Pressed | None = interaction.extras.get(PRESSED)
    message, presses = interaction.message, _presses(interaction.message)
    if press is None or message is None or message.flags.ephemeral:
        return
    if isinstance(error, Gone):
        is_all = isinstance(error, TableGone)
        if any(
            each.campaign != press.campaign or not (is_all or _thing(each) == _thing(press))
            for each in presses
        ):
            return
    elif not all(each.number and not each.job for each in presses) or not any(
        each.number == press.number and each.verb != WHAT_FOR for each in presses
    ):
        return
    elif interaction.app_permissions.view_channel:
        await shown_of(interaction).close_message(interaction, press, message.id)
        return
    if (view := without_buttons(message, why)) is None:
        return
    try:
        if interaction.app_permissions.view_channel and not owner(interaction):
            await edit(interaction.client, interaction.channel_id or 0, message.id, view)
        else:
            await responder_of(interaction).show(lambda: {"view": view}, NOBODY)
    except (discord.DiscordException, Undelivered, *CUT) as failure:
        log.info("buttons not taken", channel=interaction.channel_id, reason=repr(failure))


def _thing(press: Pressed) -> tuple[int, str]:
    """Return what a button is about: the number and the first part of its subject, else what it does."""
    return press.number, press.subject.partition(":")[0] or press.verb


async def _say(interaction: Interaction, card: Card, campaign: int) -> int | None:
    """Send a card as one message; the id of the message, if Discord says it."""
    what, whom = partial(contents, card, campaign), only(card.calls)
    return await responder_of(interaction).say(what, whom, private=card.private, anew=_has_files(card))


def _has_files(card: Card) -> bool:
    """Whether pictures or a file go along, which an edit cannot be trusted to bring."""
    return bool(card.pictures or card.shown or (card.portrait and card.portrait.data))


def only(players: tuple[int, ...]) -> discord.AllowedMentions:
    """Return mentions that ping exactly these people, never a role or everyone."""
    users = [discord.Object(player) for player in players]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


def chosen_values(interaction: Interaction[Any]) -> tuple[str, ...]:
    """Return the values chosen in a menu, in its order."""
    data: Mapping[str, Any] = interaction.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def offered(interaction: Interaction[Any]) -> tuple[str, ...]:
    """Return the values that the pressed menu offered; none if its message is gone."""
    pressed = custom_id(interaction)
    menus = (part for part in parts(interaction.message) if isinstance(part, SelectMenu))
    return tuple(option.value for menu in menus if menu.custom_id == pressed for option in menu.options)


ANSWER = "@original"
"""What Discord calls the first answer to an interaction."""


def told_by(interaction: Interaction) -> ForgetReply:
    """Return a reference to an interaction's answer, by which any process can edit it later."""
    return ForgetReply(
        interaction.application_id, interaction.token, (interaction.created_at + EDITED).timestamp()
    )


class CompletionNotices:
    """Tells people the outcome of jobs that take longer than an answer may."""

    def __init__(self, client: discord.Client, privacy: Privacy) -> None:
        self._client = client
        self._privacy = privacy

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {FORGOTTEN: self._tell}

    async def _tell(self, job: Job) -> None:
        """Tell somebody that their data is deleted. Raises NotDone if another try may help."""
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
    """Post a card in the channel of an interaction; return the message's id.

    Raises NotAllowed if the bot cannot post there; it says which permission is missing.
    """
    place = interaction.client.get_partial_messageable(
        interaction.channel_id or 0, guild_id=interaction.guild_id
    )
    # One nonce for both tries, so that Discord takes them for one message; discord.py has another for
    # each call.
    only_these: dict[str, Any] = {"allowed_mentions": only(card.calls), "nonce": secrets.randbits(64)}
    try:
        # Make the message again for each try: the first one closes its files.
        told = await once_more(lambda: place.send(**contents(card, 0), **only_these))
    except (discord.HTTPException, discord.RateLimited, *CUT) as error:
        raise _refusal(interaction, error) from error
    answered_messages_of(interaction).note(interaction, told.id)
    return told.id


async def tell_table(interaction: Interaction[Any], card: Card, *, is_for_gms: bool = False) -> Text:
    """Post a notice in the channel of an interaction, else elsewhere; return where, or empty for the channel.

    If the bot cannot post there, another channel of the table gets the notice; else those called and, with
    `is_for_gms`, the GMs get it by direct message. Raises NotAllowed if nobody took it.
    """
    bot, is_alone = interaction.client, interaction.guild_id is None and bool(card.calls)
    try:
        if not is_alone:  # those called are not in the caller's direct messages
            await tell_channel(interaction, card)
            return ""
        campaign, table, refused = 0, Table(), NotAllowed(_UNREACHED)
    except NotAllowed as error:
        if isinstance(error.__cause__, PASSING):
            raise
        (campaign, table), refused = await bot.play.see(asked(interaction)), error
    job = Job(f"told:{interaction.id}", "told", clock_of(bot).now(), campaign or None)
    try:
        place = await bot.notices.send(job, table if is_for_gms else replace(table, gms={}), card)
    except NotDone:
        raise refused from None
    if is_alone:
        return ""
    if place:
        where = say("The bot can't post in this channel, so it told {place}.", place=channel(place))
    else:
        where = say("The bot can't post in this channel, so it sent a direct message.")
    return small(where)


_UNREACHED = later("Discord didn't deliver your whisper. Try again in a channel that you share.")


async def try_telling(interaction: Interaction, card: Card) -> Text:
    """Post a notice; return why that was impossible, or where else it was told, else empty."""
    try:
        return await tell_table(interaction, card)
    except NotAllowed as error:
        return spoken(error.words)


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


def _presses(message: discord.Message | None) -> list[Pressed]:
    buttons = [part for part in parts(message) if isinstance(part, discord.Button)]
    pressed = [Pressed.read(each.custom_id or "") for each in buttons]
    return [each for each in pressed if each is not None]


PAUSE = 30.0
"""Seconds in which a channel is told the same kind of thing once."""


class AnonymousNotices:
    """Sends anonymous notices to channels, limited in frequency."""

    def __init__(self) -> None:
        self._budgets: defaultdict[str, Budget] = defaultdict(lambda: Budget(1, PAUSE))

    async def tell(self, interaction: Interaction, kind: str, card: Card) -> Text:
        """Send a notice; return where, if not in this channel.

        Raises TooLate if one was sent recently; NotAllowed if nobody took it.
        """
        if not self._allows(interaction, kind):
            raise TooLate(
                "The channel was told less than {seconds} seconds ago. Wait a moment, or tell everyone "
                "yourself.",
                seconds=round(PAUSE),
            )
        return await self._send(interaction, kind, card)

    async def mention(self, interaction: Interaction, kind: str, card: Card) -> Text:
        """Send a notice if possible; return why it was not sent, or where else it was, else empty."""
        if not self._allows(interaction, kind):
            return say(
                "The channel wasn't told, because another change was announced a moment ago. To see "
                "your change in the list: /safety show"
            )
        try:
            return await self._send(interaction, kind, card)
        except NotAllowed as error:
            return spoken(error.words)

    def _allows(self, interaction: Interaction, kind: str) -> bool:
        return self._budgets[kind].allows(
            interaction.channel_id or 0, clock_of(interaction.client).monotonic()
        )

    async def _send(self, interaction: Interaction, kind: str, card: Card) -> Text:
        try:
            return await tell_table(interaction, card, is_for_gms=True)
        except NotAllowed:
            self._budgets[kind].give_back(interaction.channel_id or 0)
            raise
