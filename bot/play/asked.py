"""Who asks, where, and what is theirs to do there."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import Enum

from bot.language import later
from bot.store.history import NOBODY, Author, LogStep, NamedCampaign, Place, Sight
from bot.store.places import Leaving, Left
from bot.store.servers import CampaignLine
from rules.campaign.rolls import is_dice_only, keeps_only_pools, without_plain
from rules.campaign.seats import Actor, is_game_master, is_gm, require_gm, require_walk
from rules.errors import NotAllowed, PossibleAnswer, TooLate, Undecided
from rules.game import Step
from rules.names import key
from rules.table import Table
from rules.text import Words

NEEDS_SERVER = later("To use this, add the bot to the server.")
OTHERS = (
    "Those dice are someone else's. To roll your own, add the bot for yourself. Example: /roll dice:2d6 d8"
)


class Own(Enum):
    """Whose dice are asked about where the bot is not on the server."""

    THEIRS = "of whoever asks"
    ANOTHERS = "of somebody else"


@dataclass(frozen=True, slots=True)
class Asked:
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


def require_theirs(asked: Asked) -> None:
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


def leaving(asked: Asked) -> Leaving:
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


def walk(asked: Asked) -> Callable[[Table, Table], None]:
    """Walking through history gives nobody back what is no longer theirs."""
    return lambda before, after: require_walk(before, after, asked.actor)


def permission(table: Table, asked: Asked) -> Callable[[LogStep], bool]:
    """Who made a step may take it back, and the GM may; what is secret only a GM by name."""
    may_any, may_secret = is_gm(table, asked.actor), is_game_master(table, asked.actor)
    return lambda step: step.author.id == asked.actor.id or (may_secret if step.secret else may_any)
