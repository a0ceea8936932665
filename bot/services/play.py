"""Play a step: find the campaign, apply the rule, record the entry; also find dice in messages."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import islice
from typing import Protocol

from bot.language import SPEECH, later, say, speak_as
from bot.language.line import Text, together
from bot.services.responses import Done, done, of_entry, repeated, step_card
from bot.store.history import NOBODY, Author, Draft, Entry, LogStep, NamedCampaign, Place, Sight
from bot.store.ledger import Ledger
from bot.store.places import CampaignChoice, CampaignLine, Leaving, Left, TableLine
from bot.store.recorder import GONE
from bot.store.retention import DAYS_KEPT
from bot.views.card import Card, Form, private
from bot.views.facts import summary
from bot.views.game import SHOWN, Rule
from bot.views.question import FormRequired
from bot.worker import handle_many
from rules.campaign.lifecycle import with_agreed
from rules.campaign.privacy import is_named
from rules.campaign.rolls import is_dice_only, keeps_only_pools, without_plain
from rules.campaign.seats import Actor, is_game_master, is_gm, require_gm, require_walk
from rules.dice import Throw
from rules.errors import NotAllowed, PossibleAnswer, RuleError, TableGone, TooLate, Undecided, Unknown
from rules.facts import Seated
from rules.game import Step
from rules.names import Plan, find, fold, key
from rules.table import Character, Table
from rules.terms import ENGLISH
from rules.text import Words
from rules.values import replace
from rules.visibility import apply_rule, seen_by, seen_by_all

LONG_TEXT = 300
"""Longer typed text is read beside the event loop: a sheet of 19,000 characters may take 0.2 s."""
NEEDS_SERVER = later("To use this, add the bot to the server.")
OTHERS = (
    "Those dice are someone else's. To roll your own, add the bot for yourself. Example: /roll dice:2d6 d8"
)


class Own(Enum):
    """Whose personal dice a request is about, where the bot is not on the server."""

    THEIRS = "of whoever asks"
    ANOTHERS = "of somebody else"


class NamedCommand(Protocol):
    """A command, whose name is only put together for a refusal."""

    @property
    def qualified_name(self) -> str:
        """The full name, with the groups that it belongs to."""


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, where, and by which interaction; a request from a button also names its campaign.

    `channel` is the channel's name, which becomes the name of a table that starts without one. The steps of
    an anonymous request are recorded without their author. `sight` says which other channels the person can
    see; without it, none. If `own` is set, there is no table, only somebody's personal dice: only that person
    may roll them, and only dice are stored.
    """

    actor: Actor
    place: Place
    interaction: int
    campaign: int = 0
    channel: str = ""
    is_anonymous: bool = False
    sight: Sight | None = field(default=None, compare=False)
    own: Own | None = None
    game: str = ""
    """The game that the command, button or form belongs to; "" if it belongs to any."""
    command: NamedCommand | None = None
    """The command; None for buttons and forms."""
    typed: object = field(default=None, compare=False)
    """The options of the command, or the form with its fields."""

    @property
    def where(self) -> Place | NamedCampaign:
        """The requested table: the campaign that a button names, else the one of this place."""
        return NamedCampaign(self.campaign, self.place, self.sight) if self.campaign else self.place

    def sees(self, campaign: CampaignLine) -> bool | None:
        """Return whether the person sees a channel of a campaign; None if only Discord can tell."""
        return self.sight.look(campaign.channels) if self.sight else False

    async def asks_to_see(self, campaign: CampaignLine) -> bool:
        """Return whether the person sees a channel of a campaign; asks Discord if necessary."""
        return await self.sight.ask(campaign.channels) if self.sight else False

    @property
    def author(self) -> Author:
        """The person who asks, as recorded in the log."""
        return NOBODY if self.is_anonymous else Author(self.actor.id, self.actor.name)

    def is_outside(self, table: Table) -> bool:
        """Return whether nobody has started a table here and people only roll dice."""
        return is_dice_only(table) and table.name in ("", self.channel)


@dataclass(frozen=True, slots=True)
class OwnSight:
    """A sight that sees every channel, for people who manage their own affairs from anywhere.

    The rule then decides what is theirs.
    """

    person: int

    def look(self, channels: Collection[int]) -> bool:
        """Return True: the rule checks permission instead."""
        return True

    async def ask(self, channels: Collection[int]) -> bool:
        """Return True: the rule checks permission instead."""
        return True


def require_theirs(asked: Request) -> None:
    """Raise NotAllowed if the request is about somebody else's personal dice."""
    if asked.own is Own.ANOTHERS:
        raise NotAllowed(OTHERS)


def require_played(asked: Request, table: Table) -> None:
    """Raise NotAllowed for a command of a game that the table doesn't play."""
    if not (table.game and asked.game) or table.game == asked.game:
        return
    for own in SHOWN.games:
        if own.game.part.name == table.game and own.instead:
            raise NotAllowed("{instead}", instead=own.instead(_said(asked.command)))


def _said(command: NamedCommand | None) -> str:
    """A command as people call it: `/pp give`, `Give 1 PP`; "" for none, as behind a button."""
    name = command.qualified_name if command else ""
    return f"/{name}" if name.islower() else name  # only commands on messages and people have capitals


def require_awake(table: Table) -> None:
    """Raise TooLate if the table is archived."""
    if table.archived:
        raise TooLate(
            "{table} is archived. /campaign join wakes it.", table=table.name or Words("That table")
        )


def of_own(before: Table, step: Step) -> Step:
    """Return a step with somebody's personal dice, reduced to what may be stored.

    Raises NotAllowed if the step does more than build and roll pools.
    """
    if not keeps_only_pools(before, step):
        raise NotAllowed(NEEDS_SERVER)
    return without_plain(step)


def leaving(asked: Request) -> Leaving:
    """Return the check that runs before a table leaves its channel.

    The check raises NotAllowed unless the caller is a GM or manages the server; Undecided until they confirm.
    """

    def check(table: Table, left: Left) -> None:
        if not table.archived and not asked.actor.manages:
            require_gm(table, asked.actor, Words("switch this channel to another table"))
        if left is Left.STAYS or table.archived:
            return
        sign = f"leaves {key(table.name)}"
        if sign in asked.actor.agreed:
            return
        if left is Left.ARCHIVED:
            raise Undecided(
                "Starting a new campaign in this channel archives {table}. /campaign join brings it back.",
                PossibleAnswer(Words("Archive it"), sign),
                table=table.name or Words("this table"),
            )
        raise Undecided(
            "Going ahead takes {table} out of this channel. /campaign join brings it back.",
            PossibleAnswer(Words("Take it out of this channel"), sign),
            table=table.name or Words("this table"),
        )

    return check


def walk(asked: Request) -> Callable[[Table, Table], None]:
    """Return the check for undo and redo: neither may give somebody back what is no longer theirs."""
    return lambda before, after: require_walk(before, after, asked.actor)


def permission(table: Table, asked: Request) -> Callable[[LogStep], bool]:
    """Return a predicate for the steps that the caller may undo: their own, or any if they are a GM.

    Secret steps of others require a named GM.
    """
    may_any, may_secret = is_gm(table, asked.actor), is_game_master(table, asked.actor)
    return lambda step: step.author.id == asked.actor.id or (may_secret if step.secret else may_any)


def _steps_naming(steps: Sequence[LogStep], who: str, count: int) -> list[LogStep]:
    """The first steps that name somebody; to know that, each one's facts are decoded."""
    return [*islice((step for step in steps if is_named(step.facts, who)), count)]


def number_campaigns(lines: Iterable[CampaignLine]) -> dict[str, int]:
    """Return campaign ids by name; later campaigns of the same name get a number."""
    found: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for line in lines:
        whole = name = line.name or "Unnamed"
        while counts[fold(name)]:
            counts[fold(whole)] += 1
            # A suggestion's name has 100 characters at most.
            name = f"{whole[:94]} ({counts[fold(whole)]})"
        counts[fold(name)] = 1
        found[name] = line.id
    return found


def is_seen(asked: Request, offer: CampaignChoice) -> bool:
    """Return whether the person is its GM or is known to see one of the campaign's channels."""
    return offer.is_own or asked.sees(offer.campaign) is True


async def is_shown(asked: Request, offer: CampaignChoice, name: str) -> bool:
    """Return whether the person typed a campaign's full name and sees a channel of it; asks Discord."""
    is_meant = fold(offer.campaign.name or "Unnamed") == fold(name)
    # Each is a request to Discord, so only for the one that was named.
    return is_meant and await asked.asks_to_see(offer.campaign)


def joinable(offers: Iterable[CampaignChoice]) -> dict[str, int]:
    """Return the ids of the campaigns that the person can join, by name: their own or without a GM."""
    named = number_campaigns(each.campaign for each in offers)
    may = {each.campaign.id for each in offers if each.is_own or not each.is_led}
    return {name: one for name, one in named.items() if one in may}


def way_back(table: Table) -> Text:
    """Return the line that says how, and for how long, a deleted campaign can be restored."""
    example = f"/campaign restore name:{table.name or 'Unnamed'}"
    return say(
        "You can bring the campaign back for {days} days; then it's gone for good. Example: {example}",
        days=DAYS_KEPT,
        example=example,
    )


Record = Callable[[Author, int, Callable[[Table], Draft]], Awaitable[Entry]]
"""Keeps what a rule makes of the newest table."""

Forget = Callable[[int, int], Awaitable[None]]
"""What shows a campaign lets go of it, or of one channel of it; 0 stands for all."""
SEARCHED = 500
"""So many steps are searched for somebody's name."""
BLANK = Table()
NO_TABLE = "There's no table in this channel yet. Example: /campaign new name:Skyfall"


def throw(sizes: Sequence[int]) -> list[int]:
    """Roll dice with the system's random generator."""
    return [secrets.randbelow(size) + 1 for size in sizes]


_IS_RETELLING: ContextVar[bool] = ContextVar("is_retelling", default=False)
"""Whether a recorded rule is being repeated: each task has its own, since others roll meanwhile."""


class _DiceFall(Exception):
    """A rule would throw dice where it may not."""


class Play:
    """Shows tables, changes them by rules, and walks through their history."""

    def __init__(self, ledger: Ledger, throw: Throw = throw) -> None:
        self._ledger = ledger
        self.past = ledger.past
        """What has happened at campaigns."""
        self._dice = throw
        self._telling = asyncio.Lock()
        self.changed: Callable[[int], None] = lambda campaign: None
        self.forget: Forget = _forget_nothing
        self.reads: Sequence[Reads] = ()
        """How the games find dice in messages."""

    def throw(self, sizes: Sequence[int]) -> Sequence[int]:
        """Roll dice. Raises _DiceFall while a recorded rule is being repeated, which must not roll again."""
        if _IS_RETELLING.get():
            raise _DiceFall
        return self._dice(sizes)

    async def look(self, asked: Request) -> Table:
        """Return the table as the caller may see it; a blank one if nothing has been played here."""
        return (await self.see(asked))[1]

    async def campaign(self, asked: Request) -> int:
        """Return the campaign of this place, or 0 if there is none."""
        return (await self.see(asked))[0]

    async def awake(self, asked: Request) -> int:
        """Return the campaign of this place, or 0 if there is none or it is archived."""
        campaign, table = await self.see(asked)
        return 0 if table.archived else campaign

    async def see(self, asked: Request, *, is_public: bool = False) -> tuple[int, Table]:
        """Return the campaign of this place and its table; 0 and a blank one if nothing has been played.

        The table is as the caller may see it or, if `is_public`, as everybody may. Raises TooLate if a button
        names a campaign that was deleted or is not here; NotAllowed for somebody else's personal dice.
        """
        require_theirs(asked)
        entry = await self._newest(asked)
        if entry is None:
            return 0, BLANK
        require_played(asked, entry.table)
        seen = seen_by_all(entry.table) if is_public else seen_by(entry.table, asked.actor)
        return entry.campaign, seen

    async def change(self, asked: Request, rule: Rule, build: object = None) -> Done:
        """Apply a rule to the newest table and record the result, together with the caller's new build.

        Raises whatever the rule raises.
        """
        is_long = len(str(asked.typed)) > LONG_TEXT
        record = partial(self._ledger.append, asked.where, build=build, is_long=is_long)
        return await self._apply(asked, rule, record)

    async def press(self, asked: Request, rule: Rule) -> Done | Form:
        """Apply a rule like `change`, or return the form that the rule needs to have filled in first."""
        try:
            return await self.change(asked, rule)
        except FormRequired as asks:
            return asks.form

    async def come_round(self, campaign: int, place: Place, rule: Callable[[Table], Step]) -> Done:
        """Change a campaign because time has passed, in nobody's name.

        Raises TooLate if the campaign is gone.
        """
        nobody = Request(
            Actor(NOBODY.id, NOBODY.name), place, 0, campaign, is_anonymous=True, sight=OwnSight(NOBODY.id)
        )
        return await self.change(nobody, lambda table, actor: rule(table))

    async def found(self, asked: Request, rule: Rule) -> Done:
        """Start a new campaign here; if a GM has a table here, only they or server managers may.

        Raises NotAllowed for others; Undecided until they confirm.
        """
        record = partial(self._ledger.places.found, asked.place, leaving=leaving(asked))
        return await self._apply(asked, rule, record)

    async def bind(self, asked: Request, name: str, rule: Rule) -> Done:
        """Bring a campaign of this server to this channel.

        Raises Unknown or Ambiguous if the name is not clear.
        """
        offers = await self._ledger.servers.offers(asked.place.guild, asked.actor.id)
        seen = [each for each in offers if is_seen(asked, each) or await is_shown(asked, each, name)]
        known = {fold(each): one for each, one in number_campaigns(each.campaign for each in seen).items()}
        offered = joinable(seen)
        wanted = known.get(fold(name)) or offered[find(name, offered, Words("campaign"))]
        record = partial(self._ledger.places.bind, asked.place, wanted, leaving=leaving(asked))
        try:
            return await self._apply(asked, rule, record)
        except NotAllowed as refusal:
            refusal.campaign = wanted
            raise

    async def wake(self, asked: Request, campaign: int, rule: Rule) -> Done:
        """Wake the archived campaign of this channel.

        Raises TooLate if it is no longer in this channel or no longer archived.
        """
        here, table = await self.see(asked)
        if here != campaign:
            raise TableGone(GONE)
        if not table.archived:
            raise TooLate("{table} is no longer archived.", table=table.name or Words("This table"))
        record = partial(self._ledger.places.bind, asked.place, campaign, leaving=leaving(asked))
        return await self._apply(asked, rule, record)

    async def campaigns(self, asked: Request) -> dict[str, int]:
        """Return the ids of this server's campaigns that the caller may join, by name.

        Does not ask Discord, so some may be missing.
        """
        offers = await self._ledger.servers.offers(asked.place.guild, asked.actor.id)
        return joinable([each for each in offers if is_seen(asked, each)])

    async def played(self, asked: Request) -> dict[str, int]:
        """Return the ids of this server's campaigns that know the caller, by name, visible or not."""
        return number_campaigns(await self._ledger.servers.known_to(asked.place.guild, asked.actor.id))

    async def stand_up(self, asked: Request, name: str | None, rule: Rule) -> Done:
        """Change the campaign of this place, or a named one that the caller plays in.

        Raises Unknown or Ambiguous if the name is not clear.
        """
        if name is None:
            return await self.change(asked, rule)
        played = await self.played(asked)
        where = NamedCampaign(
            played[find(name, played, Words("campaign"))], asked.place, OwnSight(asked.actor.id)
        )
        return await self._apply(asked, rule, partial(self._ledger.append, where))

    async def own(self, asked: Request, name: str) -> tuple[int, Table, Character]:
        """Return a campaign, its table and the caller's character there, from any channel.

        Raises Unknown or Ambiguous if the name is not clear; NotAllowed if they play no character there.
        """
        played = await self.played(asked)
        campaign = played[find(name, played, Words("campaign"))]
        entry = await self._ledger.newest(campaign)
        found = entry.table.played_by(asked.actor.id) if entry else None
        if entry is None or found is None:
            raise NotAllowed("You don't play a character at that table. To see your tables: /privacy show")
        return campaign, seen_by(entry.table, asked.actor), found

    async def tables(self, asked: Request) -> list[TableLine]:
        """Return the tables of this server. Raises NotAllowed if the caller does not manage the server."""
        if not asked.actor.manages:
            raise NotAllowed(
                "Only members with Manage Server can see the server's tables. To see this table: /table show"
            )
        return await self._ledger.servers.tables(asked.place.guild)

    async def restore(self, asked: Request, name: str, rule: Rule) -> Done:
        """Restore a deleted campaign to this channel.

        Raises Unknown if the caller can restore none or the name is unknown; Ambiguous if several match.
        """
        lines = await self._deleted(asked)
        known = number_campaigns(
            [line for line in lines if asked.sees(line) or await asked.asks_to_see(line)]
        )
        if not known:
            raise Unknown(
                "There's no deleted campaign you can bring back to this channel. You can bring one "
                "back within {days_kept} days if you have Manage Server, or deleted it and see its "
                "channel.",
                days_kept=DAYS_KEPT,
            )
        wanted = known[find(name, known, Words("deleted campaign"))]
        record = partial(self._ledger.places.bind, asked.place, wanted, leaving=leaving(asked), deleted=True)
        return await self._apply(asked, rule, record)

    async def restorable(self, asked: Request) -> dict[str, int]:
        """Return the ids of the deleted campaigns that the caller can restore here, by name."""
        return number_campaigns(line for line in await self._deleted(asked) if asked.sees(line))

    async def _deleted(self, asked: Request) -> list[CampaignLine]:
        """The deleted campaigns that are somebody's to bring back, if they see where they were played.

        Direct messages have none but their own.
        """
        place, actor = asked.place, asked.actor
        found = await self._ledger.servers.deleted(place.guild)
        mine = [line for line in found if actor.manages or line.deleted_by == actor.id]
        return [line for line in mine if place.guild or place.channel in line.channels]

    async def unbind(self, asked: Request, rule: Rule) -> Done:
        """Take this channel out of its campaign."""
        left = await self._apply(asked, rule, partial(self._ledger.places.unbind, asked.place))
        await self.forget(left.campaign, asked.place.channel)
        return left

    async def deletable(self, asked: Request, rule: Rule) -> Done:
        """Return the question whether to delete the campaign.

        Raises what the rule raises if the caller may not.
        """
        newest = await self._known(asked)
        rule(newest.table, asked.actor)
        name = newest.table.name or say("this table")
        question = say("Delete {table} and its whole history?", table=name)
        return Done(newest.campaign, newest.table, private(together(question, " ", way_back(newest.table))))

    async def delete(self, asked: Request, rule: Rule) -> Done:
        """Delete the campaign with its whole history; it can be restored for a time."""
        newest = await self._known(asked)
        rule(newest.table, asked.actor)
        # Before its channels are gone: by these its pinned messages are found.
        await self.forget(newest.campaign, 0)
        done = await self._apply(asked, rule, partial(self._ledger.places.delete, newest.campaign))
        return replace(done, card=replace(done.card, lines=(*done.card.lines, way_back(newest.table))))

    async def undo(self, asked: Request, step: int | None = None) -> Done:
        """Undo the newest step that the caller may undo, or only the step with that number."""
        newest = await self._known(asked)
        who = (asked.author, asked.interaction, permission(newest.table, asked))
        entry = await self._ledger.undo(newest.campaign, *who, step, check=walk(asked))
        return await self._kept(entry, [])

    async def undo_made_by(self, asked: Request, interaction: int) -> Done:
        """Undo only the step that an interaction made. Raises Unknown if it made no step at this table."""
        newest = await self._known(asked)
        entry = await self._ledger.past.made_by(interaction) if interaction else None
        if entry is None or entry.campaign != newest.campaign:
            raise Unknown(
                "That message doesn't show a step from this table's log. To take back the last step: /undo"
            )
        return await self.undo(asked, entry.number)

    async def undo_back(self, asked: Request, step: int) -> Done:
        """Undo a step and everything after it; the card lists every undone step."""
        # Looked up before: afterwards they are undone.
        steps = await self._since(asked, step)
        newest = await self._known(asked)
        who = (asked.author, asked.interaction, permission(newest.table, asked))
        entry = await self._ledger.undo(newest.campaign, *who, step, back=True, check=walk(asked))
        open_ = [s for s in steps if not s.secret]
        lines = [say("Undone: {what}", what=summary(s.facts)) for s in open_ or steps]
        lines += [summary((fact,)) for fact in entry.facts if isinstance(fact, Seated)]
        return replace(await self._kept(entry, []), card=Card(tuple(lines), private=not open_))

    async def may_undo_back(self, asked: Request, step: int) -> bool:
        """Return whether the caller may undo a step and everything after it."""
        newest = await self._known(asked)
        return all(map(permission(newest.table, asked), await self._since(asked, step)))

    async def _since(self, asked: Request, step: int) -> list[LogStep]:
        """What was done from a step on and is not undone, newest first."""
        steps = await self.log(asked, SEARCHED)
        return [each for each in steps if each.number >= step and each.is_play and not each.undone]

    async def redo(self, asked: Request, step: int | None = None) -> Done:
        """Redo what was undone last, or only the step with that number."""
        newest = await self._known(asked)
        who = (asked.author, asked.interaction, permission(newest.table, asked))
        entry = await self._ledger.redo(newest.campaign, *who, step, check=walk(asked))
        return await self._kept(entry, [])

    async def log(
        self,
        asked: Request,
        count: int,
        who: str | None = None,
        *,
        before: int = 0,
        is_public: bool = False,
    ) -> list[LogStep]:
        """Return the last steps at the table, newest first; with `who`, only those that name them.

        With `before`, only steps with smaller numbers.

        Of steps that the caller may not see, only the number is filled in. If `is_public`, the steps hold
        what players may see, even if a GM asks.
        """
        newest = await self._newest(asked)
        if newest is None:
            return []
        secrets = not is_public and is_game_master(newest.table, asked.actor)
        wanted = SEARCHED if who else count
        past = self._ledger.past
        steps = await past.log(newest.campaign, count=wanted, before=before or None, secrets=secrets)
        return await handle_many(steps, _steps_naming, who, count) if who else steps

    async def _apply(self, asked: Request, rule: Rule, record: Record) -> Done:
        """Apply a rule to the newest table and record the step; the rule may run again on a newer one."""
        made: list[Step] = []

        def apply(table: Table) -> Draft:
            if table.settings.words:  # a refusal has them, too
                speak_as(table.settings.words)
            require_theirs(asked)
            require_played(asked, table)
            if asked.campaign and table.archived:
                require_awake(table)
            begun = table if table.number or table.name else replace(table, name=asked.channel)
            acts = partial(with_agreed, rule=rule) if asked.actor.agreed else rule
            applied = apply_rule(begun, asked.actor, acts, of_own if asked.own is not None else None)
            made.append(applied.shown)
            return Draft(applied.stored.table, applied.stored.facts, applied.secret, applied.rolls_only)

        entry = await record(asked.author, asked.interaction, apply)
        if entry.repeated:
            return await self._repeated(entry, apply, made)
        return await self._kept(entry, made)

    async def _repeated(self, entry: Entry, apply: Callable[[Table], Draft], made: list[Step]) -> Done:
        """What was told of a step that had been kept before, in full.

        A rule is pure: on the same table it says the same again. Where it would throw dice, the roll that it
        made then says all.
        """
        self.changed(entry.campaign)
        speak_as(entry.table.settings.words)
        before = await self._ledger.past.before(entry)
        if before is not None:
            token = _IS_RETELLING.set(True)
            try:
                again = replace(apply(before).table, number=entry.number)
            except (RuleError, _DiceFall):
                again = BLANK
            finally:
                _IS_RETELLING.reset(token)
            if again == entry.table:
                return of_entry(entry, step_card(entry.table, made[-1]))
        return repeated(entry, before)

    async def done_by(self, interaction: int) -> Done | None:
        """Return the outcome of an earlier interaction, to show it again; None if it changed nothing."""
        entry = await self._ledger.past.made_by(interaction)
        return repeated(entry, await self._ledger.past.before(entry)) if entry else None

    async def _kept(self, entry: Entry, made: list[Step]) -> Done:
        """What came of a step, once it is kept; the pinned table hears of it."""
        self.changed(entry.campaign)
        if entry.table.settings.words or SPEECH.get() is not ENGLISH:
            speak_as(entry.table.settings.words)
        told = done(entry, made)
        # Who is away is asked of the database, and only a session's card says it.
        if not (isinstance(told.card.roll, Plan) or (told.card.calls and not made)):
            return told
        async with self._telling:  # in the order in which it happened: what is shown last stays
            table = await self._ledger.quiet_hours.told(entry.table)
        return done(replace(entry, table=table), made)

    async def _known(self, asked: Request) -> Entry:
        newest = await self._newest(asked)
        if newest is None:
            raise Unknown(NO_TABLE)
        return newest

    async def _newest(self, asked: Request) -> Entry | None:
        """The newest entry of the table that is meant. Raises TooLate where none is that is named."""
        newest = await self._ledger.look(asked.where)
        if newest is None and asked.campaign:
            raise await self._ledger.missing(asked.campaign)
        return newest


async def _forget_nothing(campaign: int, channel: int) -> None:
    """What shows a campaign forgets it before it is deleted; here nothing shows any."""


GAME = "[a-z]*"
"""The subject of a button: the game whose dice were read, nothing for those that `/roll` rolls."""


@dataclass(frozen=True, slots=True)
class Read:
    """Dice found in a message, the game that they belong to, and the parts that could not be read.

    `is_sure` means that no other game has dice like these.
    """

    dice: str
    left: tuple[str, ...] = ()
    is_sure: bool = False
    game: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """How a game finds dice in a text, and how it rolls them.

    `understood` returns None, or raises Unknown or NotAllowed, if the text has no dice of that game.
    """

    game: str
    understood: Callable[[Table, Actor, str], Read | None]
    roll: Callable[..., Step]


def rolls(games: Iterable[Reads], game: str) -> Callable[..., Step]:
    """Return the function that rolls a game's dice. Raises TooLate if the game is no longer played."""
    found = next((each.roll for each in games if each.game == game), None)
    if found is None:
        raise TooLate("The bot doesn't play that game any more.")
    return found


def find_dice(games: Iterable[Reads], table: Table, actor: Actor, text: str) -> Read:
    """Return the dice in a text. Raises Unknown if there are none; NotAllowed if there are too many.

    If several games can read it, the first wins, unless the dice belong to another game only.
    """
    found: list[Read] = []
    refused: RuleError | None = None
    for each in (each for each in games if not table.game or each.game == table.game):
        try:
            read = each.understood(table, actor, text)
        except (Unknown, NotAllowed) as error:
            refused = refused or error
        else:
            found += [read] if read else []
    if not found:
        raise refused or Unknown("That message has no dice to roll.")
    best = next((each for each in found if each.is_sure), found[0])
    others = [each for each in found if each is not best]
    more = [part for each in others for part in (each.dice, *(() if best.is_sure else each.left))]
    return Read(best.dice, tuple(dict.fromkeys((*best.left, *more))), best.is_sure, best.game)
