"""Play a step: find the campaign, apply the rule, record the entry; and roll dice found in messages."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

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
from bot.views.question import FormRequired, Rule
from rules.campaign.lifecycle import with_agreed
from rules.campaign.privacy import is_named
from rules.campaign.rolls import is_dice_only, keeps_only_pools, without_plain
from rules.campaign.seats import Actor, is_game_master, is_gm, require_gm, require_walk
from rules.dice import Throw
from rules.errors import NotAllowed, PossibleAnswer, RuleError, TooLate, Undecided, Unknown
from rules.facts import Seated
from rules.game import Step
from rules.names import Plan, find, key
from rules.table import Character, Table
from rules.terms import ENGLISH
from rules.text import Words
from rules.values import replace
from rules.visibility import apply_step, seen_by, seen_by_all

NEEDS_SERVER = later("To use this, add the bot to the server.")
OTHERS = (
    "Those dice are someone else's. To roll your own, add the bot for yourself. Example: /roll dice:2d6 d8"
)


class Own(Enum):
    """Whose dice are asked about where the bot is not on the server."""

    THEIRS = "of whoever asks"
    ANOTHERS = "of somebody else"


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, where, and by which interaction; a button names its campaign.

    `channel` is the name of the channel: a table that begins by itself is called so. Of what is asked
    anonymously it is not kept by whom. `sight` says which other channels they see; without one, none. Dice
    that are somebody's `own` are no table: only they roll them, and only dice are kept.
    """

    actor: Actor
    place: Place
    interaction: int
    campaign: int = 0
    channel: str = ""
    is_anonymous: bool = False
    sight: Sight | None = field(default=None, compare=False)
    own: Own | None = None

    @property
    def where(self) -> Place | NamedCampaign:
        """The table that is meant: the one of the place, or one that a button names there."""
        return NamedCampaign(self.campaign, self.place, self.sight) if self.campaign else self.place

    def sees(self, campaign: CampaignLine) -> bool | None:
        """Whether they see a channel of a campaign; None where only Discord knows."""
        return self.sight.look(campaign.channels) if self.sight else False

    async def asks_to_see(self, campaign: CampaignLine) -> bool:
        """The same, where Discord is asked."""
        return await self.sight.ask(campaign.channels) if self.sight else False

    @property
    def author(self) -> Author:
        """Who asks, for the log."""
        return NOBODY if self.is_anonymous else Author(self.actor.id, self.actor.name)

    def is_outside(self, table: Table) -> bool:
        """Whether people only roll dice there, and nobody has begun a table: it is called like its place."""
        return is_dice_only(table) and table.name in ("", self.channel)


@dataclass(frozen=True, slots=True)
class OwnSight:
    """The sight of who does at a table, from anywhere, what is theirs to do there."""

    person: int

    def look(self, channels: Collection[int]) -> bool:
        """A rule says whether it is theirs."""
        return True

    async def ask(self, channels: Collection[int]) -> bool:
        """The same."""
        return True


def require_theirs(asked: Request) -> None:
    """Refuse somebody else's own dice, where there is nothing else. Raises NotAllowed."""
    if asked.own is Own.ANOTHERS:
        raise NotAllowed(OTHERS)


def require_awake(table: Table) -> None:
    """Refuse a button of a table that rests. Raises TooLate."""
    if table.archived:
        raise TooLate(
            "{table} is archived. /campaign join wakes it.", table=table.name or Words("That table")
        )


def of_own(before: Table, step: Step) -> Step:
    """A step with somebody's own dice, where there is nothing else. Raises NotAllowed for more than that."""
    if not keeps_only_pools(before, step):
        raise NotAllowed(NEEDS_SERVER)
    return without_plain(step)


def leaving(asked: Request) -> Leaving:
    """A GM's table leaves its channel only by the GM, or by who manages the server, who are asked first."""

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
    """Walking through history gives nobody back what is no longer theirs."""
    return lambda before, after: require_walk(before, after, asked.actor)


def permission(table: Table, asked: Request) -> Callable[[LogStep], bool]:
    """Who made a step may take it back, and the GM may; what is secret only a GM by name."""
    may_any, may_secret = is_gm(table, asked.actor), is_game_master(table, asked.actor)
    return lambda step: step.author.id == asked.actor.id or (may_secret if step.secret else may_any)


def number_campaigns(lines: Iterable[CampaignLine]) -> dict[str, int]:
    """Campaigns by name; of equal names the later ones are numbered."""
    found: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for line in lines:
        whole = name = line.name or "Unnamed"
        while counts[name.casefold()]:
            counts[whole.casefold()] += 1
            # A suggestion's name has 100 characters at most.
            name = f"{whole[:94]} ({counts[whole.casefold()]})"
        counts[name.casefold()] = 1
        found[name] = line.id
    return found


def is_seen(asked: Request, offer: CampaignChoice) -> bool:
    """Whether somebody is known to find a campaign: its GM, and who sees a channel of it."""
    return offer.is_own or asked.sees(offer.campaign) is True


async def is_shown(asked: Request, offer: CampaignChoice, name: str) -> bool:
    """Whether Discord says that somebody sees a campaign whose whole name they typed."""
    is_meant = key(offer.campaign.name or "Unnamed") == key(name.strip())
    # Each is a request to Discord, so only for the one that was named.
    return is_meant and await asked.asks_to_see(offer.campaign)


def joinable(offers: Iterable[CampaignChoice]) -> dict[str, int]:
    """By name those that have no GM, and those of who asks."""
    named = number_campaigns(each.campaign for each in offers)
    may = {each.campaign.id for each in offers if each.is_own or not each.is_led}
    return {name: one for name, one in named.items() if one in may}


def way_back(table: Table) -> Text:
    """How a deleted campaign is brought back, and until when."""
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
    """Throw dice with the system's generator."""
    return [secrets.randbelow(size) + 1 for size in sizes]


class _DiceFall(Exception):
    """A rule would throw dice where it may not."""


class Play:
    """Looks at tables, changes them by rules, walks back and forward."""

    def __init__(self, ledger: Ledger, throw: Throw = throw) -> None:
        self._ledger = ledger
        self.past = ledger.past
        """What has happened at campaigns."""
        self._dice = throw
        self._is_retelling = False
        self._telling = asyncio.Lock()
        self.changed: Callable[[int], None] = lambda campaign: None
        self.forget: Forget = _forget_nothing

    def throw(self, sizes: Sequence[int]) -> Sequence[int]:
        """Throw dice. Raises _DiceFall where a rule only tells again what it did."""
        if self._is_retelling:
            raise _DiceFall
        return self._dice(sizes)

    async def look(self, asked: Request) -> Table:
        """The table as whoever asks sees it; a blank one where nothing has been played."""
        return (await self.see(asked))[1]

    async def campaign(self, asked: Request) -> int:
        """The campaign of the place, 0 where there is none."""
        return (await self.see(asked))[0]

    async def awake(self, asked: Request) -> int:
        """Return the campaign of the place, or 0 if there is none or it is archived."""
        campaign, table = await self.see(asked)
        return 0 if table.archived else campaign

    async def see(self, asked: Request, *, is_public: bool = False) -> tuple[int, Table]:
        """The campaign of the place and its table; 0 and a blank one where nothing has been played.

        The table is as whoever asks sees it, or as everybody may see it if that is public. Raises TooLate
        where a button names a campaign that has been deleted, or is not of this place.
        """
        require_theirs(asked)
        entry = await self._newest(asked)
        if entry is None:
            return 0, BLANK
        seen = seen_by_all(entry.table) if is_public else seen_by(entry.table, asked.actor)
        return entry.campaign, seen

    async def change(self, asked: Request, rule: Rule, build: object = None) -> Done:
        """Apply a rule to the newest table and keep what it makes, and what the caller builds then."""
        return await self._record(asked, rule, partial(self._ledger.append, asked.where, build=build))

    async def press(self, asked: Request, rule: Rule) -> Done | Form:
        """The same, or the form that the rule asks for first; the table is looked at once for both."""
        try:
            return await self.change(asked, rule)
        except FormRequired as asks:
            return asks.form

    async def come_round(self, campaign: int, place: Place, rule: Callable[[Table], Step]) -> Done:
        """Change a campaign by what time brings: nobody does it. Raises TooLate where it is gone."""
        nobody = Request(
            Actor(NOBODY.id, NOBODY.name), place, 0, campaign, is_anonymous=True, sight=OwnSight(NOBODY.id)
        )
        return await self.change(nobody, lambda table, actor: rule(table))

    async def found(self, asked: Request, rule: Rule) -> Done:
        """Begin a new campaign here; where a GM has a table, only they may (or who manages the server)."""
        record = partial(self._ledger.places.found, asked.place, leaving=leaving(asked))
        return await self._record(asked, rule, record)

    async def bind(self, asked: Request, name: str, rule: Rule) -> Done:
        """Bring a campaign of this server to this channel. Raises Unknown or Ambiguous."""
        offers = await self._ledger.servers.offers(asked.place.guild, asked.actor.id)
        seen = [each for each in offers if is_seen(asked, each) or await is_shown(asked, each, name)]
        known = {key(each): one for each, one in number_campaigns(each.campaign for each in seen).items()}
        offered = joinable(seen)
        wanted = known.get(key(name.strip())) or offered[find(name, offered, Words("campaign"))]
        record = partial(self._ledger.places.bind, asked.place, wanted, leaving=leaving(asked))
        return await self._record(asked, rule, record)

    async def wake(self, asked: Request, campaign: int, rule: Rule) -> Done:
        """Wake the archived campaign of this channel. Raises TooLate where it is no longer there."""
        here, table = await self.see(asked)
        if here != campaign:
            raise TooLate(GONE)
        if not table.archived:
            raise TooLate("{table} is no longer archived.", table=table.name or Words("This table"))
        record = partial(self._ledger.places.bind, asked.place, campaign, leaving=leaving(asked))
        return await self._record(asked, rule, record)

    async def campaigns(self, asked: Request) -> dict[str, int]:
        """The campaigns of this server that somebody may join, as far as that is known, by name."""
        offers = await self._ledger.servers.offers(asked.place.guild, asked.actor.id)
        return joinable([each for each in offers if is_seen(asked, each)])

    async def played(self, asked: Request) -> dict[str, int]:
        """The campaigns of this server that know somebody, by name, whether they see them or not."""
        return number_campaigns(await self._ledger.servers.known_to(asked.place.guild, asked.actor.id))

    async def stand_up(self, asked: Request, name: str, rule: Rule) -> Done:
        """Change a campaign that somebody plays in, from wherever they are. Raises Unknown or Ambiguous."""
        played = await self.played(asked)
        where = NamedCampaign(
            played[find(name, played, Words("campaign"))], asked.place, OwnSight(asked.actor.id)
        )
        return await self._record(asked, rule, partial(self._ledger.append, where))

    async def own(self, asked: Request, name: str) -> tuple[int, Table, Character]:
        """The character that somebody plays in a campaign, wherever they are. Raises what `stand_up` does."""
        played = await self.played(asked)
        campaign = played[find(name, played, Words("campaign"))]
        entry = await self._ledger.newest(campaign)
        found = entry.table.played_by(asked.actor.id) if entry else None
        if entry is None or found is None:
            raise NotAllowed("You don't play a character at that table. To see your tables: /privacy show")
        return campaign, seen_by(entry.table, asked.actor), found

    async def tables(self, asked: Request) -> list[TableLine]:
        """The tables of this server, for who manages it. Raises NotAllowed for others."""
        if not asked.actor.manages:
            raise NotAllowed(
                "Only members with Manage Server can see the server's tables. To see this table: /table show"
            )
        return await self._ledger.servers.tables(asked.place.guild)

    async def restore(self, asked: Request, name: str, rule: Rule) -> Done:
        """Bring a deleted campaign back, to this channel. Raises Unknown or Ambiguous."""
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
        return await self._record(asked, rule, record)

    async def restorable(self, asked: Request) -> dict[str, int]:
        """The deleted campaigns that somebody can bring back here, by name, as in `campaigns`."""
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
        left = await self._record(asked, rule, partial(self._ledger.places.unbind, asked.place))
        await self.forget(left.campaign, asked.place.channel)
        return left

    async def deletable(self, asked: Request, rule: Rule) -> Done:
        """The question whether the campaign shall be deleted, for whom the rule lets."""
        newest = await self._known(asked)
        rule(newest.table, asked.actor)
        name = newest.table.name or say("this table")
        question = say("Delete {table} and its whole history?", table=name)
        return Done(newest.campaign, newest.table, private(together(question, " ", way_back(newest.table))))

    async def delete(self, asked: Request, rule: Rule) -> Done:
        """Delete the campaign with its whole history; for a time it can be brought back."""
        newest = await self._known(asked)
        rule(newest.table, asked.actor)
        # Before its channels are gone: by these its pinned messages are found.
        await self.forget(newest.campaign, 0)
        done = await self._record(asked, rule, partial(self._ledger.places.delete, newest.campaign))
        return replace(done, card=replace(done.card, lines=(*done.card.lines, way_back(newest.table))))

    async def undo(self, asked: Request, step: int | None = None) -> Done:
        """Take back the newest step that the caller may, or one step alone."""
        newest = await self._known(asked)
        who = (asked.author, asked.interaction, permission(newest.table, asked))
        entry = await self._ledger.undo(newest.campaign, *who, step, check=walk(asked))
        return await self._kept(entry, [])

    async def undo_made_by(self, asked: Request, interaction: int) -> Done:
        """Take back, alone, the step that an interaction made here."""
        newest = await self._known(asked)
        entry = await self._ledger.past.made_by(interaction) if interaction else None
        if entry is None or entry.campaign != newest.campaign:
            raise Unknown(
                "That message doesn't show a step from this table's log. To take back the last step: /undo"
            )
        return await self.undo(asked, entry.number)

    async def undo_back(self, asked: Request, step: int) -> Done:
        """Take back a step and everything that was done since; tells every step that it takes back."""
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
        """Whether everything since a step is the caller's to take back."""
        newest = await self._known(asked)
        return all(map(permission(newest.table, asked), await self._since(asked, step)))

    async def _since(self, asked: Request, step: int) -> list[LogStep]:
        """What was done from a step on and is not undone, newest first."""
        steps = await self.log(asked, SEARCHED)
        return [each for each in steps if each.number >= step and each.is_play and not each.undone]

    async def redo(self, asked: Request, step: int | None = None) -> Done:
        """Put back what was undone last, or one step alone."""
        newest = await self._known(asked)
        who = (asked.author, asked.interaction, permission(newest.table, asked))
        entry = await self._ledger.redo(newest.campaign, *who, step, check=walk(asked))
        return await self._kept(entry, [])

    async def log(
        self, asked: Request, count: int, who: str | None = None, *, is_public: bool = False
    ) -> list[LogStep]:
        """The last steps at the table, newest first, or of those that name somebody.

        Of what whoever asks may not see they are told the number alone; what is told to all has only what
        players may see, whoever asks.
        """
        newest = await self._newest(asked)
        if newest is None:
            return []
        secrets = not is_public and is_game_master(newest.table, asked.actor)
        wanted = SEARCHED if who else count
        steps = await self._ledger.past.log(newest.campaign, count=wanted, secrets=secrets)
        return [s for s in steps if who is None or is_named(s.facts, who)][:count]

    async def _record(self, asked: Request, rule: Rule, record: Record) -> Done:
        """Keep what the rule makes of the newest table; the rule may run again on a newer one."""
        made: list[Step] = []

        def draft(table: Table) -> Draft:
            if table.settings.words:  # a refusal has them, too
                speak_as(table.settings.words)
            require_theirs(asked)
            if asked.campaign and table.archived:
                require_awake(table)
            begun = table if table.number or table.name else replace(table, name=asked.channel)
            acts = partial(with_agreed, rule=rule) if asked.actor.agreed else rule
            taken = apply_step(begun, asked.actor, acts, of_own if asked.own is not None else None)
            made.append(taken.step)
            return Draft(taken.table, taken.facts, taken.secret, taken.rolls_only)

        entry = await record(asked.author, asked.interaction, draft)
        if entry.repeated:
            return await self._repeated(entry, draft, made)
        return await self._kept(entry, made)

    async def _repeated(self, entry: Entry, draft: Callable[[Table], Draft], made: list[Step]) -> Done:
        """What was told of a step that had been kept before, in full.

        A rule is pure: on the same table it says the same again. Where it would throw dice, the roll that it
        made then says all.
        """
        self.changed(entry.campaign)
        speak_as(entry.table.settings.words)
        before = await self._ledger.past.before(entry)
        if before is not None:
            # Nothing is awaited while it is set, so nobody else's dice are refused.
            self._is_retelling = True
            try:
                again = replace(draft(before).table, number=entry.number)
            except (RuleError, _DiceFall):
                again = BLANK
            finally:
                self._is_retelling = False
            if again == entry.table:
                return of_entry(entry, step_card(entry.table, made[-1]))
        return repeated(entry, before)

    async def done_by(self, interaction: int) -> Done | None:
        """What came of an interaction that is answered elsewhere too; None if it has changed nothing."""
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
            raise TooLate(GONE)
        return newest


async def _forget_nothing(campaign: int, channel: int) -> None:
    """What shows a campaign forgets it before it is deleted; here nothing shows any."""


GAME = "[a-z]*"
"""The subject of a button: the game whose dice were read, nothing for those that `/roll` rolls."""


@dataclass(frozen=True, slots=True)
class Read:
    """Dice that were read in a message, their game, and what of it could not be read.

    `is_sure` says that no other game has such dice.
    """

    dice: str
    left: tuple[str, ...] = ()
    is_sure: bool = False
    game: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """How a game reads dice in a text: None, or a refusal, where it has none; and how they are rolled."""

    game: str
    understood: Callable[[Table, Actor, str], Read | None]
    roll: Callable[..., Step]


_known: list[Reads] = []


def learn(*games: Reads) -> None:
    """Let these games read dice; where several can, the first does, but for dice that are another's alone."""
    _known[:] = games


def rolls(game: str) -> Callable[..., Step]:
    """How the dice of a game are rolled. Raises TooLate for one that is not played."""
    found = next((each.roll for each in _known if each.game == game), None)
    if found is None:
        raise TooLate("The bot doesn't play that game any more.")
    return found


def find_dice(table: Table, actor: Actor, text: str) -> Read:
    """The dice in a text. Raises Unknown where there are none, NotAllowed for too many."""
    found: list[Read] = []
    refused: RuleError | None = None
    for each in _known:
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
