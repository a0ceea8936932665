"""What the closed sets of Cortex are called: a record a member."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.language import later, say
from bot.language.line import Text, joined
from bot.render.card import Tone
from rules.cortex.facts import Cause, Change, Ending, Why
from rules.cortex.kinds import Foe, Rank, Result, TraitKind, Use
from rules.dice import write_dice
from rules.values import exhaustive

_NAME = "{name}"


@dataclass(frozen=True, slots=True)
class KindWords:
    """A kind of trait: one of them, several, what stands over them, and what one is called."""

    one: str
    many: str
    title: str
    view: str
    """The view that lists them, alone or with those of another kind."""
    label: str = _NAME
    is_headed: bool = False
    """The title stands before them in a line on the table, to tell them apart."""

    @property
    def is_said(self) -> bool:
        """What one is called says of which kind it is."""
        return self.label != _NAME


KINDS = exhaustive(
    TraitKind,
    {
        TraitKind.DISTINCTION: KindWords(
            later("{distinction.one}"), later("{distinction.many}"), later("{distinction.Many}"), "dist"
        ),
        TraitKind.TRAIT: KindWords(later("trait"), later("traits"), later("Traits"), "character"),
        TraitKind.RESOURCE: KindWords(later("resource"), later("resources"), later("Resources"), "character"),
        TraitKind.ASSET: KindWords(
            later("{asset.one}"), later("{asset.many}"), later("{asset.Many}"), "asset", is_headed=True
        ),
        TraitKind.COMPLICATION: KindWords(
            later("{complication.one}"),
            later("{complication.many}"),
            later("{complication.Many}"),
            "comp",
            is_headed=True,
        ),
        TraitKind.STRESS: KindWords(
            later("{stress.one}"),
            later("{stress.one}"),
            later("{stress.One}"),
            "stress",
            later("{name} {stress.one}"),
        ),
        TraitKind.TRAUMA: KindWords(
            later("{trauma.one}"),
            later("{trauma.one}"),
            later("{trauma.One}"),
            "stress",
            later("{name} {trauma.one}"),
        ),
    },
)
"""In the order in which they stand in a line."""

RANKS = exhaustive(
    Rank,
    {
        Rank.EXTRA: later("extra"),
        Rank.MINOR: later("minor"),
        Rank.MAJOR: later("major"),
        Rank.BOSS: later("boss"),
        Rank.MOB: later("mob"),
    },
)


@dataclass(frozen=True, slots=True)
class FoeWords:
    """A kind of pool of the GM: what one is called."""

    title: str
    name: str = ""
    """What is typed to roll against it, where it has no name of its own."""


FOES = exhaustive(
    Foe,
    {
        Foe.DOOM: FoeWords(later("{doom_pool.One}"), "doom"),
        Foe.CRISIS: FoeWords(later("{crisis.One} {name}")),
        Foe.CHALLENGE: FoeWords(later("{challenge.One} {name}")),
        Foe.GMC: FoeWords(_NAME),
    },
)


@dataclass(frozen=True, slots=True)
class UseWords:
    """What doom dice are spent for, and what it did to a roll, where it does something for one."""

    name: str
    bettered: str = later("{who}: {doom_pool.short} dice spent on {use}")


USES = exhaustive(
    Use,
    {
        Use.TOTAL: UseWords(later("total"), later("{who}: another die in the {gm.one}'s total")),
        Use.EFFECT: UseWords(later("effect"), later("{who}: another effect die for the {gm.one}")),
        Use.DIE: UseWords(later("die")),
        Use.SFX: UseWords(later("sfx")),
        Use.COMPLICATION: UseWords(later("{complication.one}")),
        Use.ASSET: UseWords(later("{asset.one}")),
        Use.DISTINCTION: UseWords(later("{distinction.one}")),
        Use.EXTRA: UseWords(later("extra")),
        Use.GMC: UseWords(later("gmc")),
        Use.SPLIT: UseWords(later("split")),
        Use.END_SCENE: UseWords(later("end {scene.one}")),
    },
)


@dataclass(frozen=True, slots=True)
class ResultWords:
    """How a roll went: in a word, against its difficulty, and how its card looks."""

    word: str
    against: str
    tone: Tone
    level: str = ""
    """Against its difficulty where it comes to just that."""


RESULTS = exhaustive(
    Result,
    {
        Result.FAILURE: ResultWords(later("failure"), later("vs {difficulty}: failure"), Tone.BAD),
        Result.SUCCESS: ResultWords(
            later("success"),
            later("vs {difficulty}: success by {margin}"),
            Tone.GOOD,
            later("vs {difficulty}: success"),
        ),
        Result.HEROIC: ResultWords(
            later("heroic"),
            later("vs {difficulty}: heroic success by {margin}"),
            Tone.GREAT,
        ),
    },
)

ENDINGS = exhaustive(
    Ending,
    {
        Ending.ENDED: later("{what} ends"),
        Ending.RESOLVED: later("{what} is resolved"),
        Ending.WON: later("{what} is won"),
        Ending.LOST: later("{what} is lost"),
        Ending.DEFEATED: later("{what} is defeated"),
    },
)


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """What was done to dice of a pool; or to the pool as a whole, where its words name no dice."""

    words: str
    is_silent: bool = False
    """The dice that are there now say enough."""


CHANGES = exhaustive(
    Change,
    {
        Change.NEW: ChangeWords(later("new")),
        Change.ENTERED: ChangeWords(later("entered")),
        Change.ADDED: ChangeWords(later("{dice} added")),
        Change.REMOVED: ChangeWords(later("{dice} removed")),
        Change.SPENT: ChangeWords(later("{dice} spent")),
        Change.KEPT: ChangeWords(later("{dice} kept")),
        Change.TO_CRISIS: ChangeWords(later("{dice} to {crisis.a}")),
        Change.TO_POOL: ChangeWords(later("{dice} moved to a pool")),
        Change.KNOCKED_OFF: ChangeWords(later("{dice} knocked off")),
        Change.STEPPED_UP: ChangeWords(later("{dice} stepped up")),
        Change.STEPPED_DOWN: ChangeWords(later("{dice} stepped down")),
        Change.DOUBLED: ChangeWords(later("{dice} doubled")),
        Change.SET: ChangeWords(later("set"), is_silent=True),
        Change.CLEARED: ChangeWords(later("cleared")),
        Change.USED: ChangeWords(later("{dice} used")),
        Change.SHARED: ChangeWords(later("shared")),
        Change.OPPOSED: ChangeWords(later("opposed")),
    },
)


def _plain(text: str) -> Callable[[Why], Text]:
    """Words for a cause that needs no more."""
    return lambda why: say(text)


def _hit(why: Why) -> Text:
    if len(why.dice) < 2:
        return say("a hit")
    return say("d{die} hits d{hit}", die=why.dice[0], hit=why.dice[1])


def _doom_use(why: Why) -> Text:
    used = [say(USES[why.use].name)] if why.use else []
    return joined(" ", [*used, *([why.what] if why.what else [])])


CAUSES: Mapping[Cause, Callable[[Why], Text]] = exhaustive(
    Cause,
    {
        Cause.NOTE: lambda why: why.note,
        Cause.HITCH: _plain(later("{hitch.one}")),
        Cause.OPPORTUNITY: _plain(later("{opportunity.one}")),
        Cause.HINDRANCE: lambda why: say("{trait} hinders", trait=why.what),
        Cause.GIVING_IN: _plain(later("giving in")),
        Cause.DOOM_KEPT: _plain(later("the {gm.one} keeps the {doom_pool.short} dice")),
        Cause.DOOM_USE: _doom_use,
        Cause.SESSION_START: _plain(later("{session.one} start")),
        Cause.ARC_END: _plain(later("an arc ends")),
        Cause.STAYING_IN: _plain(later("staying in")),
        Cause.TOTAL: _plain(later("another die in the total")),
        Cause.EFFECT: _plain(later("another effect die")),
        Cause.LIMIT: _plain(later("a die over the limit")),
        Cause.REROLL: _plain(later("a reroll")),
        Cause.HERO_DIE: lambda why: (
            say("hero {dice}", dice=write_dice(why.dice)) if why.dice else say("hero")
        ),
        Cause.HERO_BACK: lambda why: say("hero {dice} taken back", dice=write_dice(why.dice)),
        Cause.GMC_SFX: lambda why: say("an SFX: {name}", name=why.what) if why.what else say("an SFX"),
        Cause.SFX: lambda why: why.what,
        Cause.ASSET: lambda why: why.what,
        Cause.ELSEWHERE: _plain(later("something else paid")),
        Cause.LENT: _plain(later("back from a roll, stepped up")),
        Cause.HIT: _hit,
        Cause.HELP: lambda why: say("{trait} helps", trait=why.what),
        Cause.PUSH: lambda why: say("{trait} is pushed", trait=why.what),
        Cause.CHALLENGE: _plain(later("challenged")),
    },
)
