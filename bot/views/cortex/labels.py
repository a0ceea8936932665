"""Names of kinds, results and reasons in Cortex, and parts of lines such as traits and pools."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.language import later, say
from bot.language.line import Text, joined, together, unrolled
from bot.language.printers import spelled
from bot.views.card import Tone
from bot.views.labels import ROLLERS
from rules.cortex import gm_pools, pool
from rules.cortex.facts import Called, Cause, Change, Why
from rules.cortex.kinds import Ending, Foe, Rank, Result, Sfx, Trait, TraitKind, Use, Verdict
from rules.cortex.model import Against
from rules.cortex.pool import NamedPool
from rules.cortex.sfx import titled
from rules.dice import SAFE_WORD, write_dice
from rules.names import GM
from rules.values import exhaustive

_NAME = "{name}"


@dataclass(frozen=True, slots=True)
class KindWords:
    """The words for a kind of trait: singular, plural, heading, and the pattern of a trait's name."""

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
        """Whether the name of a trait includes its kind."""
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
    """The words for a kind of GM pool."""

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
    """The words for what doom dice are spent on, and for what that did to a roll, if anything."""

    name: str
    offer: str
    """What they buy, as a choice in a menu."""
    bettered: str = later("{who}: {doom_pool.short} dice spent on {use}")
    example: str = ""
    """A name for what they make, if it needs one."""


USES = exhaustive(
    Use,
    {
        Use.TOTAL: UseWords(
            later("total"),
            later("Another die in the total"),
            later("{who}: another die in the {gm.one}'s total"),
        ),
        Use.EFFECT: UseWords(
            later("effect"), later("Another effect die"), later("{who}: another effect die for the {gm.one}")
        ),
        Use.DIE: UseWords(later("die"), later("Add the die to a roll")),
        Use.SFX: UseWords(later("sfx"), later("SFX")),
        Use.COMPLICATION: UseWords(
            later("{complication.one}"), later("{complication.One}"), example=later("Example: Falling beams")
        ),
        Use.ASSET: UseWords(
            later("{asset.one}"), later("{asset.One}"), example=later("Example: High ground")
        ),
        Use.DISTINCTION: UseWords(
            later("{distinction.one}"),
            later("{scene.One} {distinction.one}"),
            example=later("Example: The lights go out"),
        ),
        Use.EXTRA: UseWords(later("extra"), later("Extra"), example=later("Example: Thug: Brawler")),
        Use.GMC: UseWords(later("gmc"), later("{gmc.One}"), example=later("Example: Rex: Claws d8, 2d10")),
        Use.SPLIT: UseWords(later("split"), later("Split the group")),
        Use.END_SCENE: UseWords(later("end {scene.one}"), later("End the {scene.one}")),
    },
)


@dataclass(frozen=True, slots=True)
class ResultWords:
    """The words for how a roll went, with and without its difficulty, and the tone of its card."""

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


@dataclass(frozen=True, slots=True)
class EndingWords:
    """How something ended: in words, as the tone of its card, and the part of who brought it about."""

    words: str
    tone: Tone
    story: str
    """The words of a story."""
    by: str = ""
    did: str = ""
    """What a story says of who brought it about."""


ENDINGS = exhaustive(
    Ending,
    {
        Ending.ENDED: EndingWords(later("{what} ends"), Tone.CALM, later("{what} ended")),
        Ending.RESOLVED: EndingWords(
            later("{what} is resolved"),
            Tone.GREAT,
            later("{what} was resolved"),
            later("{who} took its last die: {total} against {difficulty}."),
            later("resolved {what}"),
        ),
        Ending.WON: EndingWords(
            later("{what} is won"),
            Tone.GREAT,
            later("{what} was won"),
            later("{who} decided it: {total} against {difficulty}."),
            later("won {what}"),
        ),
        Ending.LOST: EndingWords(later("{what} is lost"), Tone.BAD, later("{what} was lost")),
        Ending.DEFEATED: EndingWords(
            later("{what} is defeated"),
            Tone.GREAT,
            later("{what} was defeated"),
            later("{who} struck the last blow: {total} against {difficulty}."),
            later("struck the last blow against {what}"),
        ),
    },
)


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """The words for a change to dice of a pool, or to the whole pool if they name no dice."""

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
        Change.UNEARNED: ChangeWords(later("{dice} removed: no heroic success any more")),
        Change.STAYS_SPENT: ChangeWords(later("{dice} stays spent: no heroic success any more")),
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


def label_words(label: str, kind: TraitKind) -> Text:
    """Return the name of a trait: `Broken Leg`, `Physical stress`."""
    words = KINDS[kind]
    return say(words.label, name=label) if words.is_said else label


def doom_label() -> str:
    """Return the label of a rolled die from the doom pool, in the table's own term (N1)."""
    return spelled(say("{doom_pool.Short}"))


def written_dice(of: Sequence[pool.Die]) -> Text:
    """Return dice with their labels: `Mind d10, 2d6`; `empty` for none."""
    return pool.write_pool(of) if of else say("empty")


def trait_name(owner: str, kind: TraitKind, trait: Trait) -> Text:
    """Return a trait with its owner: `Alice · Broken Leg`, `Alice · Physical stress`."""
    whose = say("{scene.One}") if owner == "Scene" else owner
    return together(whose, " · ", label_words(trait.label, kind))


def rating(trait: Trait) -> Text:
    """Return the dice of a trait, largest first: pictures, or `d10 2d6` in words."""
    dice = unrolled(tuple(sorted(pool.sizes_of(trait), reverse=True)))
    return together(SAFE_WORD, " ", dice) if trait.safe else dice


def trait_words(owner: str, kind: TraitKind, trait: Trait) -> Text:
    """Return a trait with its owner and die: `Alice · Broken Leg d8`."""
    return together(trait_name(owner, kind, trait), " ", pool.write(trait))


_TERMS: Mapping[str, str] = {
    "pp": later("{before}{plot_point.short}{after}"),
    "asset": later("{before}{asset.one}{after}"),
    "complication": later("{before}{complication.one}{after}"),
    "doom": later("{before}{doom_pool.short}{after}"),
    "hitch": later("{before}{hitch.one}{after}"),
    "opportunity": later("{before}{opportunity.one}{after}"),
}
_TERM = re.compile(rf"((?:(?:[0-9]+|up|down|from|to) )?)({'|'.join(_TERMS)})(?!\w)(.*)", re.IGNORECASE)


def _part_words(typed: str) -> Text:
    """A cost or a benefit as it was typed, its term as the table calls it."""
    found = _TERM.fullmatch(typed)
    return say(_TERMS[found[2].lower()], before=found[1], after=found[3]) if found else typed


def sfx_parts(sfx: Sfx) -> Text:
    """Return an SFX's benefit, cost and condition: `double Mind, for 1 PP, when angry`."""
    parts: list[Text] = [joined(", ", map(_part_words, sfx.benefit))]
    parts += [say("for {cost}", cost=joined(", ", map(_part_words, sfx.cost)))] if sfx.cost else []
    parts += [say("when {condition}", condition=sfx.when)] if sfx.when else []
    return joined(", ", parts)


def sfx_words(sfx: Sfx) -> Text:
    """Return an SFX with the trait it belongs to: `Focus (Mind): double Mind, for 1 PP`."""
    return together(titled(sfx), ": ", sfx_parts(sfx))


def pool_words(pool: NamedPool) -> Text:
    """Return a named pool: its dice, the cost of rolling it, and its opposition."""
    paid = [say("{trait} hinders", trait=label) for label in pool.hindered]
    paid += [say("SFX {name}", name=name) for name in pool.sfx]
    against = [say("against {what}", what=pool.vs)] if pool.vs else []
    return joined("; ", [written_dice(pool.dice), *paid, *against])


_AND_DOOM = " and doom"
"""What a roll is called against at its end, where doom is in the way besides."""


def verdict_words(how: Verdict) -> Text:
    """Return how a roll went: `vs 11: success by 3`."""
    words = RESULTS[how.result]
    text = words.against if how.margin or not words.level else words.level
    return say(text, difficulty=how.difficulty, margin=how.margin)


def result_word(result: Result) -> Text:
    """Return how a roll went in one word: `heroic`."""
    return say(RESULTS[result].word)


def answer_words(waiting: str, leader: str, total: int) -> Text:
    """Return who has to answer whom in a contest, and the total to beat (T4)."""
    return say(
        "{who} needs to answer {leader}: beat {total} or give in.", who=waiting, leader=leader, total=total
    )


def pool_title(pool: Called) -> Text:
    """Return the name of a GM pool: `Doom pool`, `Crisis Fire`, `Rex`."""
    return say(FOES[pool.foe].title, name=pool.name)


def against_words(against: Against) -> Text:
    """Return the name of a roll's opposition."""
    label, target = against.label, against.target
    if target is not None:
        title = gm_pools.FOES[target.foe].title
        if not title or not label.startswith(title):  # what a roll was for is no title
            return label
        return say(FOES[target.foe].title, name=label.removeprefix(title))
    if label.endswith(_AND_DOOM):
        return say("{what} and {doom_pool.short}", what=label.removesuffix(_AND_DOOM))
    return ROLLERS[label] if label in (gm_pools.DOOM_NAME, GM) else label


def why_words(why: Why) -> Text:
    """Return the reason for a change."""
    return CAUSES[why.cause](why)


def unnamed(*, is_asset: bool) -> str:
    """Return what a trait is called that nobody names."""
    return spelled(say("Advantage") if is_asset else say("Trouble"))


def round_of(of: Called | None, number: int) -> Text:
    """Return a round: `round 2`, `Challenge Storm, round 2`."""
    if of is None:
        return say("round {round}", round=number)
    return say("{what}, round {round}", what=pool_title(of), round=number)


def because(why: Why | None) -> Text:
    """Return the reason for a change, to append to it; empty if none is given."""
    return together(", ", why_words(why)) if why else ""
