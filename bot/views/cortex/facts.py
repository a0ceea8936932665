"""Facts of Cortex as plain lines of text."""

from collections.abc import Hashable, Sequence

from bot.language import say, say_of
from bot.language.line import Text, capital, joined, strong, together
from bot.language.line import die as die_mark
from bot.views.cortex.labels import (
    CHANGES,
    ENDINGS,
    KINDS,
    RANKS,
    USES,
    answer_words,
    because,
    doom_label,
    label_words,
    pool_title,
    pool_words,
    round_of,
    sfx_parts,
    sfx_words,
    trait_name,
    verdict_words,
    why_words,
    written_dice,
)
from bot.views.facts import always
from bot.views.game import FactWords
from bot.views.labels import ROLLERS, listed, sizes
from rules.cortex import gm_pools, pool, pool_text
from rules.cortex.facts import (
    ActsAgainst,
    BackIn,
    Cause,
    Change,
    Contested,
    ContestGoesOn,
    ContestWon,
    DiceJoined,
    DiceRerolled,
    DiceTakenOut,
    EffectRolled,
    GaveIn,
    GmUsed,
    GroupJoined,
    GroupSplit,
    HeroDiceChanged,
    HeroDieUsed,
    NamedPoolChanged,
    OpportunityUsed,
    OppositionChanged,
    OrderEnded,
    Over,
    PassedOver,
    PointsChanged,
    PoolChanged,
    PoolKept,
    ResourceUsed,
    RollBettered,
    RollBought,
    RollDropped,
    RollMade,
    RollStood,
    Ruled,
    SceneCut,
    SfxChanged,
    SfxUsed,
    StatementSettled,
    TakenOut,
    TraitChanged,
    TraitShut,
    TurnCame,
    VerdictChanged,
)
from rules.cortex.kinds import Foe
from rules.cortex.pool import Special
from rules.facts import Fact
from rules.names import key

WORDS = FactWords()
"""How facts of Cortex are put into words, those that hold a roll in `bot.views.cortex.roll`."""


@WORDS.line(NamedPoolChanged)
def _named_pool_changed(fact: NamedPoolChanged) -> Text:
    dice = pool_words(fact.pool)
    return say("Pool {name}: {dice} ({change})", name=fact.pool.name, dice=dice, change=_change(fact))


@WORDS.line(HeroDiceChanged)
def _hero_dice_changed(fact: HeroDiceChanged) -> Text:
    how = say(CHANGES[fact.change].words, dice=f"d{fact.die}")
    return say(
        "{who}: {hero_die.many} {dice} ({change})", who=fact.who, dice=strong(sizes(fact.after)), change=how
    )


@WORDS.line(StatementSettled, is_news=always)
def _statement_settled(fact: StatementSettled) -> Text:
    said = together(trait_name(fact.owner, fact.kind, fact.after), " ", strong(f"d{fact.after.die}"))
    if fact.before.statement == fact.after.statement:
        return say("{trait} keeps its statement (challenged, was d{die})", trait=said, die=fact.before.was)
    return say("{trait}: {statement} (rewritten)", trait=said, statement=fact.after.statement)


def _taken_out_undone(fact: TakenOut) -> Text:
    return say("{who} is no longer taken out", who=fact.who)


@WORDS.line(TakenOut, undone=_taken_out_undone, is_news=always, whom=lambda fact: (fact.who,))
def _taken_out(fact: TakenOut) -> Text:
    if fact.for_good:
        return say(
            "{who} is taken out for good by {what}", who=fact.who, what=label_words(fact.by, fact.kind)
        )
    return say("{who} is taken out by {what}", who=fact.who, what=label_words(fact.by, fact.kind))


def _back_in_undone(fact: BackIn) -> Text:
    return say("{who} is taken out again", who=fact.who)


@WORDS.line(BackIn, undone=_back_in_undone)
def _back_in(fact: BackIn) -> Text:
    return say("{who} stays in", who=fact.who) if fact.paid else say("{who} is back in play", who=fact.who)


@WORDS.line(GmUsed)
def _gm_used(fact: GmUsed) -> Text:
    return say("The {gm.one} uses {what}", what=why_words(fact.why))


@WORDS.line(SceneCut)
def _scene_cut(fact: SceneCut) -> Text:
    return say("The ending: {how}", how=fact.how)


@WORDS.line(GroupSplit)
def _group_split(fact: GroupSplit) -> Text:
    between: Text = say(" from ") if len(fact.groups) == 2 else "; "
    return say("The group is split: {groups}", groups=joined(between, map(listed, fact.groups)))


@WORDS.line(GroupJoined)
def _group_joined(fact: GroupJoined) -> Text:
    if not fact.apart:
        return say("The group is together again: {names}", names=listed(fact.names))
    apart = joined("; ", map(listed, fact.apart))
    return say("Together again: {names}. Still apart: {apart}", names=listed(fact.names), apart=apart)


def _over_undone(fact: Over) -> Text:
    return say("{what} is in play again", what=pool_title(fact.pool))


@WORDS.line(Over, undone=_over_undone, is_news=always)
def _over(fact: Over) -> Text:
    return say(ENDINGS[fact.ending].words, what=pool_title(fact.pool))


def _order_ended_undone(fact: OrderEnded) -> Text:
    return say("The turn order is running again")


@WORDS.line(OrderEnded, undone=_order_ended_undone, is_news=always)
def _order_ended(fact: OrderEnded) -> Text:
    return say("Turn order ends")


def _turn_undone(fact: TurnCame) -> Text | None:
    return say("It's no longer {who}'s turn", who=fact.who) if fact.who else None


@WORDS.line(TurnCame, undone=_turn_undone, whom=lambda fact: (fact.who, fact.by))
def _turn_came(fact: TurnCame) -> Text:
    """Whose turn it is: `It's Bob's turn (Challenge Storm, round 2)`."""
    where = round_of(fact.of, fact.round)
    if fact.limit:
        where = say("{round} of {rounds}", round=where, rounds=fact.limit)
    if fact.who:
        return say("It's {who}'s turn ({round})", who=fact.who, round=where)
    where = capital(where)
    if fact.by:
        return say("{round} begins: {who} chooses who acts first", round=where, who=fact.by)
    return say("{round} begins: who is first?", round=where)


@WORDS.line(PassedOver)
def _passed_over(fact: PassedOver) -> Text:
    return say("{who} is skipped ({round})", who=fact.who, round=round_of(fact.of, fact.round))


@WORDS.line(ActsAgainst, whom=lambda fact: (fact.who,))
def _acts_against(fact: ActsAgainst) -> Text:
    return say("{what} acts against {who}; they roll first", what=pool_title(fact.of), who=fact.who)


def _contested_in_log(fact: Contested, of: Sequence[Fact], is_told: bool) -> Text | None:
    """Return who needs to answer, unless a new roll in the same step says it."""
    return None if any(isinstance(each, RollMade) for each in of) else _contested(fact)


@WORDS.line(
    Contested, is_news=always, is_beside=True, in_log=_contested_in_log, whom=lambda fact: (fact.waiting,)
)
def _contested(fact: Contested) -> Text:
    return answer_words(fact.waiting, fact.leader, fact.total)


@WORDS.line(ContestWon, is_news=always)
def _contest_won(fact: ContestWon) -> Text:
    return say("{who} wins the contest", who=fact.who)


@WORDS.line(GaveIn, is_news=always)
def _gave_in(fact: GaveIn) -> Text:
    return say("{who} gives in. {winner} wins the contest", who=fact.who, winner=fact.winner)


@WORDS.line(ContestGoesOn)
def _contest_goes_on(fact: ContestGoesOn) -> Text:
    return say(
        "The contest between {one} and {other} goes on, and {who} needs to answer. To see the contest: "
        "/contest show",
        one=fact.sides[0],
        other=fact.sides[1],
        who=fact.waiting,
    )


@WORDS.line(ResourceUsed)
def _resource_used(fact: ResourceUsed) -> Text:
    trait = f"{fact.who} · {fact.label} {pool.write_sizes((fact.die, *fact.more))}"
    if fact.spent:
        return say("{trait} is spent until the {scene.one} ends", trait=trait)
    return say("{trait} is ready to use again", trait=trait)


@WORDS.line(SfxUsed)
def _sfx_used(fact: SfxUsed) -> Text:
    name, gives = fact.sfx.name, sfx_parts(fact.sfx)
    if fact.on:
        return say("{who} uses {sfx} on {what}: {gives}", who=fact.who, sfx=name, what=fact.on, gives=gives)
    return say("{who} uses {sfx}: {gives}", who=fact.who, sfx=name, gives=gives)


@WORDS.line(TraitShut)
def _trait_shut(fact: TraitShut) -> Text:
    trait = f"{fact.who} · {fact.label} d{fact.die}"
    return say("{trait} is shut down", trait=trait) if fact.shut else say("{trait} works again", trait=trait)


@WORDS.line(RollBought, is_of_roll=True)
def _roll_bought(fact: RollBought) -> Text:
    return together(ROLLERS[fact.who], ": ", why_words(fact.why))


@WORDS.line(RollBettered, is_of_roll=True)
def _roll_bettered(fact: RollBettered) -> Text:
    return _with_side(
        say(USES[fact.use].bettered, who=ROLLERS[fact.who], use=say(USES[fact.use].name)),
        is_against=fact.is_against,
    )


@WORDS.line(DiceJoined, is_of_roll=True)
def _dice_joined(fact: DiceJoined) -> Text:
    line = say("{who}: {dice} added", who=ROLLERS[fact.who], dice=sizes(fact.dice))
    return _with_side(line, is_against=fact.is_against)


@WORDS.line(DiceTakenOut, is_of_roll=True)
def _dice_taken_out(fact: DiceTakenOut) -> Text:
    dice = joined(", ", (written_dice([die]) for die in fact.dice))
    return say("{who}: {dice} removed", who=ROLLERS[fact.who], dice=dice)


@WORDS.line(DiceRerolled, is_of_roll=True)
def _dice_rerolled(fact: DiceRerolled) -> Text:
    rolled = zip(fact.dice, fact.faces, strict=True)
    was = [say("{die} (was {face})", die=written_dice([die]), face=face) for die, face in rolled]
    return say("{who}: rerolled {dice}", who=ROLLERS[fact.who], dice=listed(was))


@WORDS.line(EffectRolled, is_of_roll=True)
def _effect_rolled(fact: EffectRolled) -> Text:
    rolled = zip(fact.dice, fact.faces, strict=True)
    labels = [doom_label() if die.source.kind is Special.FROM_DOOM else die.label for die in fact.dice]
    dice = [die_mark(die.size, face, label) for (die, face), label in zip(rolled, labels, strict=True)]
    return say("{who}: rolled {dice} for the effect", who=ROLLERS[fact.who], dice=joined(", ", dice))


@WORDS.line(HeroDieUsed, is_of_roll=True)
def _hero_die_used(fact: HeroDieUsed) -> Text:
    if fact.as_effect:
        return say("{who}: hero d{die} used as the effect", who=fact.who, die=fact.die)
    return say("{who}: hero d{die} added to the total", who=fact.who, die=fact.die)


@WORDS.line(OpportunityUsed, is_of_roll=True)
def _opportunity_used(fact: OpportunityUsed) -> Text:
    return say("{who}: {sfx} uses {opportunity.a}", who=ROLLERS[fact.who], sfx=fact.sfx)


@WORDS.line(RollStood, is_news=lambda fact: bool(fact.waiting), whom=lambda fact: (fact.waiting,))
def _roll_stood(fact: RollStood) -> Text:
    stands = say("{who}: {roll} stands", who=fact.who, roll=_ruled(fact.ruled))
    answers = say("{roll}. {who} needs to answer", roll=stands, who=fact.waiting)
    return answers if fact.waiting else stands


@WORDS.line(RollDropped)
def _roll_dropped(fact: RollDropped) -> Text:
    return say("{who}: {roll} is dropped", who=fact.who, roll=_ruled(fact.ruled))


def _ruled(ruled: Ruled | None) -> Text:
    """Name the roll that the GM ruled on; facts of earlier versions don't say which it was."""
    if ruled is None:
        return say("the roll")
    if ruled.recovers:
        return say("the roll to recover {trait} (total {total})", trait=ruled.recovers, total=ruled.total)
    if ruled.against:
        return say("the roll against {side} (total {total})", side=ruled.against, total=ruled.total)
    return say("the roll with total {total}", total=ruled.total)


@WORDS.line(OppositionChanged, is_of_roll=True)
def _opposition_changed(fact: OppositionChanged) -> Text:
    what = ROLLERS[fact.what]
    if fact.plus:
        what = say("{what} with {others}", what=what, others=", ".join(fact.plus))
    return say("{who}: now against {what}", who=ROLLERS[fact.who], what=what)


@WORDS.line(VerdictChanged, is_of_roll=True)
def _verdict_changed(fact: VerdictChanged) -> Text:
    return say("{who}: now {verdict}", who=ROLLERS[fact.who], verdict=verdict_words(fact.now))


def _points_undone(fact: PointsChanged) -> Text:
    """Say what is true again after an undo: `Nova gets 1 PP back and has 1 PP`."""
    points = strong(say("{pp} {plot_point.short}", pp=fact.before))
    lost = fact.after - fact.before
    if lost > 0:
        return say(
            "{who} gives back {lost} {plot_point.short} and has {points}",
            who=ROLLERS[fact.who],
            lost=lost,
            points=points,
        )
    return say(
        "{who} gets {count} {plot_point.short} back and has {points}",
        who=ROLLERS[fact.who],
        count=-lost,
        points=points,
    )


@WORDS.line(PointsChanged, undone=_points_undone, subject=lambda fact: key(fact.who))
def _points(fact: PointsChanged) -> Text:
    change, points = fact.after - fact.before, strong(say("{pp} {plot_point.short}", pp=fact.after))
    if fact.why is None:
        return say("{who}: {points} ({change:+d})", who=ROLLERS[fact.who], points=points, change=change)
    why = why_words(fact.why)
    return say(
        "{who}: {points} ({change:+d}, {why})",
        who=ROLLERS[fact.who],
        points=points,
        change=change,
        why=why,
    )


def _pool_undone(fact: PoolChanged) -> Text | None:
    if fact.before == fact.after:
        return None
    if not fact.before and fact.pool.foe is not Foe.DOOM:
        return say("{what} is gone", what=pool_title(fact.pool))
    return say("{what}: {dice} again", what=pool_title(fact.pool), dice=strong(sizes(fact.before)))


def _trait_undone(fact: TraitChanged) -> Text | None:
    before, after = fact.before, fact.after
    if before is None:
        if after is None:
            return None
        return say("{trait} is gone", trait=trait_name(fact.owner, fact.kind, after))
    said = together(trait_name(fact.owner, fact.kind, before), " ", strong(pool.write(before)))
    if after is None:
        return say("{trait} is back", trait=said)
    is_renamed = key(before.label) != key(after.label)
    is_rated = before.label == after.label and pool.write(before) != pool.write(after)
    return say("{trait} again", trait=said) if is_renamed or is_rated else None


@WORDS.line(
    PoolChanged,
    undone=_pool_undone,
    has_parts=True,
    subject=lambda fact: fact.pool,
    setting=lambda fact: gm_pools.FOES[fact.pool.foe].setting,
)
def _pool(fact: PoolChanged) -> Text:
    """A pool of the GM: `Doom pool: 2d6, d8 (d6 added). Why: it rains`."""
    dice = strong(sizes(fact.after))
    if fact.round:
        dice = say("{dice}, round {round}", dice=dice, round=fact.round)
    line = together(pool_title(fact.pool), ": ", dice)
    if not CHANGES[fact.change].is_silent:
        line = together(line, " (", _pool_change(fact), ")")
    return say("{line}. Why: {why}", line=line, why=why_words(fact.why)) if fact.why else line


def _pool_change(fact: PoolChanged) -> Text:
    if fact.change is Change.ENTERED:
        return say(RANKS[fact.rank]) if fact.rank else say("{gmc.One}")
    change = say(CHANGES[fact.change].words, dice=sizes(fact.dice))
    if fact.steps > 1:
        return say_of(fact.steps, "{change} {count} time", "{change} {count} times", change=change)
    return change


def _change(fact: NamedPoolChanged) -> Text:
    return say(CHANGES[fact.change].words, dice=written_dice(fact.dice))


@WORDS.line(PoolKept)
def _kept(fact: PoolKept) -> Text:
    line = say("{who} · Saved pool {pool}", who=fact.who, pool=pool_text.write_saved_pool(fact.pool))
    if fact.is_gone:
        return say("{what} (removed)", what=line)
    return (
        say("{what} (was {before})", what=line, before=pool_text.saved_pool_text(fact.was))
        if fact.was
        else line
    )


@WORDS.line(SfxChanged)
def _sfx(fact: SfxChanged) -> Text:
    line = say("{who} · SFX {sfx}", who=fact.who, sfx=sfx_words(fact.sfx))
    if fact.is_gone:
        return say("{what} (removed)", what=line)
    return say("{what} (was {before})", what=line, before=sfx_parts(fact.was)) if fact.was else line


def _with_side(line: Text, *, is_against: bool) -> Text:
    """Whose dice it is about, where the roll is a player's."""
    return say("{line}, against this roll", line=line) if is_against else line


def _trait_changed(fact: TraitChanged) -> Hashable:
    """Return the key of the trait that a fact changed; a rename doesn't change the key."""
    trait = fact.before or fact.after
    return key(fact.owner), fact.kind, "" if trait is None else key(trait.label)


@WORDS.line(TraitChanged, undone=_trait_undone, subject=_trait_changed)
def _trait(fact: TraitChanged) -> Text:
    if fact.after is None:
        gone = fact.before
        if gone is None:  # no rule says so, but a file may
            return say("{who}: nothing has changed", who=fact.owner)
        return say("{trait} is gone", trait=trait_name(fact.owner, fact.kind, gone))
    said = together(trait_name(fact.owner, fact.kind, fact.after), " ", strong(pool.write(fact.after)))
    if fact.before is None:
        kind = KINDS[fact.kind]
        lasts = say(", for the {session.one}") if fact.after.lasts else ""
        one = say("part of {whole}", whole=fact.after.part_of) if fact.after.part_of else say(kind.one)
        return said if kind.is_said else together(said, " (", one, lasts, because(fact.why), ")")
    if key(fact.before.label) != key(fact.after.label):
        return say("{trait} (was {before})", trait=said, before=fact.before.label)
    if fact.before.statement != fact.after.statement:
        return together(said, ": ", fact.after.statement or say("statement removed"))
    before = pool.write(fact.before)
    if fact.why is not None and fact.why.cause is Cause.CHALLENGE:
        return say("{trait} (challenged, was {dice})", trait=said, dice=before)
    if fact.before.part_of != fact.after.part_of:
        whole = fact.after.part_of
        return say("{trait}, now part of {whole}", trait=said, whole=whole) if whole else _own(said)
    if before == pool.write(fact.after):
        return say("{trait} (as large as it gets)", trait=said)
    if before != f"d{fact.before.die}":
        return say("{trait} (was {dice})", trait=said, dice=before)
    return say("{trait} (was d{die})", trait=said, die=fact.before.die)


def _own(said: Text) -> Text:
    """A part that is a trait of its own from now on (N23)."""
    return say("{trait}, now a separate trait", trait=said)
