"""What is stored about a person, and who is responsible for this bot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.language import later, say, say_of
from bot.language.line import Text, address, joined, together
from bot.language.said import cut
from bot.views.labels import listed, shortened
from bot.views.voices import kept_line
from rules.campaign.schedule import QuietHours

NOTHING = later("The bot stores nothing about you.")
KEPT = later(
    "The bot stores your Discord id, your names, and what you did with the bot at these tables and "
    "when. It reads other messages only if someone hands them over with a long press. It keeps a "
    "message's text only if the author agrees."
)


BEING = later("Your data is being deleted. Anything you do until that's done may be deleted, too.")
"""What is said until it is done."""
LONGEST_QUOTE = 60
"""So much is shown of each quotation."""
SHOWN = 25
"""So many tables are shown, the latest."""


@dataclass(frozen=True, slots=True)
class KeptAtTable:
    """What a table stores about a person: seat, characters, and the number of steps under each name."""

    name: Text
    gm: bool
    played: Sequence[str]
    owned: Sequence[str]
    steps: Mapping[str, int]
    saved: Sequence[str] = ()
    """The pools that they saved where the bot is not on the server; elsewhere their characters have them."""
    quotes: Sequence[str] = ()
    """What they wrote, as it is kept for the chronicle."""


def rest_lines(rest: QuietHours) -> list[Text]:
    """Return when somebody doesn't get reminders, if they have set that."""
    if rest == QuietHours():
        return []
    return [say("Your quiet hours are stored, too: /quiet shows them.")]


def intro_lines(*, knows: bool) -> list[Text]:
    """Return that somebody isn't offered the introduction any more, if that is so."""
    return [say("You've seen the introduction, so it isn't offered again.")] if knows else []


def kept_lines(
    tables: Sequence[KeptAtTable], count: int, retention: int | None = None, whispers: int = 0
) -> list[Text]:
    """Return what is stored: a line for each of the latest tables out of `count`, and the `whispers`.

    `retention` is for how many days a server's tables are kept after the bot has left; None for ever.
    """
    if not count and not whispers:
        return [say(NOTHING)]
    older = count - len(tables)
    lines = [_older(older)] if older else []
    lines += [_line(table) for table in tables]
    lines += [kept_line(whispers)] if whispers else []
    then = say("To get your data as a file: /privacy export. To delete it permanently: /privacy delete.")
    left = [] if retention is None else [_left(retention)]
    return [*lines, say(KEPT), *left, then]


def question_lines(
    names: list[Text], alone: list[Text], whispers: int = 0, *, own: bool = False
) -> list[Text]:
    """Return the question whether to delete everything; `alone` lists tables that lose their only GM.

    With `own`, their private dice are among it.
    """
    if not names:
        return [say("Delete the whispers you sent and received? This can't be undone.")]
    asks = say_of(
        len(names),
        "Delete everything the bot stores about you at {count} table ({tables})? This can't be undone.",
        "Delete everything the bot stores about you at {count} tables ({tables})? This can't be undone.",
        tables=listed(shortened(names)),
    )
    stays = say(
        "Your id, names, notes (including those on rolls), quotes and portraits will be deleted. Your "
        "characters and their sheets will stay, without a player. The log will still show what you "
        "did, under the name Somebody."
    )
    if own and len(names) == 1:
        stays = say(
            "Your own dice and the pools you saved with them will be deleted, as will your id and names."
        )
    elif own:
        stays = say("{stays} Your own dice and the pools you saved with them will be deleted.", stays=stays)
    if whispers:
        stays = say("{stays} Whispers you sent or received will be deleted.", stays=stays)
    if not alone:
        return [asks, stays]
    is_open = say_of(
        len(alone),
        "{tables} will have no {gm.one}, so everyone can do everything there.",
        "{tables} will have no {gm.one}, so everyone can do everything there.",
        tables=listed(shortened(alone)),
    )
    return [asks, stays, is_open]


def deleted_line(count: int) -> Text:
    """Return that the data is deleted."""
    return say_of(
        count,
        "Your data at {count} table has been deleted. Anything you do from now on will be stored again.",
        "Your data at {count} tables has been deleted. Anything you do from now on will be stored again.",
    )


def deleted_whispers_line() -> Text:
    """Return that whispers are deleted, if nothing else was stored."""
    return say("Your whispers have been deleted. Anything you do from now on will be stored again.")


def _left(days: int) -> Text:
    return say_of(
        days,
        "If the bot is removed from a server, the server's tables are deleted {count} day later, "
        "unless the bot returns.",
        "If the bot is removed from a server, the server's tables are deleted {count} days later, "
        "unless the bot returns.",
    )


def _older(count: int) -> Text:
    return say_of(
        count,
        "{count} older table isn't listed; /privacy export includes everything",
        "{count} older tables aren't listed; /privacy export includes everything",
    )


def _line(table: KeptAtTable) -> Text:
    """One table: `Skyfall: you are GM, you play Alice, 12 steps as alice`."""
    parts = [say("you are {gm.one}")] if table.gm else []
    parts += [say("you play {names}", names=listed(table.played))] if table.played else []
    if table.owned:
        names = listed(table.owned)
        parts.append(say_of(len(table.owned), "{names} is yours", "{names} are yours", names=names))
    if table.saved:
        parts.append(say("saved pools: {names}", names=listed(table.saved)))
    if table.quotes:
        texts = listed(shortened([say("“{text}”", text=cut(each, LONGEST_QUOTE)) for each in table.quotes]))
        parts.append(say("you are quoted: {texts}", texts=texts))
    steps = say_of(sum(table.steps.values()), "{count} step", "{count} steps")
    parts.append(say("{steps} as {names}", steps=steps, names=listed(table.steps)) if table.steps else steps)
    return together(table.name, ": ", joined(", ", parts))


@dataclass(frozen=True, slots=True)
class Host:
    """Who hosts the bot, their contact, and URLs; empty members aren't shown."""

    operator: str = ""
    contact: str = ""
    support: str = ""
    source: str = ""
    terms: str = ""
    privacy: str = ""


UNNAMED = Host()
"""A bot whose host has named nothing."""


def about_lines(host: Host) -> list[Text]:
    """Return where to find the source, help and terms, and who hosts the bot."""
    support = say("Help and questions: {address}", address=address(host.support))
    source = say("Source: {address}", address=address(host.source))
    terms = say("Terms of service: {address}", address=address(host.terms))
    links = [(host.support, support), (host.source, source), (host.terms, terms)]
    return [*(line for address, line in links if address), *responsible_lines(host)]


def responsible_lines(host: Host) -> list[Text]:
    """Return who is responsible for the stored data, and the privacy policy."""
    lines = []
    if host.operator and host.contact:
        lines.append(say("Hosted by {who}. Contact: {contact}", who=host.operator, contact=host.contact))
    elif host.operator:
        lines.append(say("Hosted by {who}", who=host.operator))
    elif host.contact:
        lines.append(say("Contact for this bot: {contact}", contact=host.contact))
    if host.privacy:
        lines.append(say("Privacy policy: {address}", address=address(host.privacy)))
    return lines
