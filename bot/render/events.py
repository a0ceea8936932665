"""Facts in words, those that hold no roll: one plain line each. Nothing reads these words back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.language import say, say_of
from bot.render.card import Clock, moment, strong
from bot.render.illegible import illegible, said
from bot.render.kinds import BOUNDARIES, CHANGES, COMING, ENDINGS, FATES, KINDS, RANKS, SEATS, USES
from bot.render.parts import (
    dice_words,
    label_words,
    listed,
    pool_words,
    sfx_parts,
    sfx_words,
    shortened,
    sizes,
    trait_name,
)
from bot.render.words import (
    NOBODY,
    UNNAMED,
    against_words,
    answer_words,
    called,
    lost_words,
    stretch_words,
    verdict_words,
    why_words,
)
from rules import facts
from rules.cortex.state import typed_pool
from rules.cortex.state.causes import Called, Change, Why
from rules.cortex.state.facts import (
    ActsAgainst,
    BackIn,
    Contested,
    ContestGoesOn,
    ContestWon,
    CortexEvent,
    DiceJoined,
    DiceRerolled,
    DiceTakenOut,
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
    RollStood,
    SceneCut,
    SfxChanged,
    SfxUsed,
    TakenOut,
    TraitChanged,
    TraitShut,
    TurnCame,
    VerdictChanged,
    XpChanged,
)
from rules.cortex.state.table import Against
from rules.dice import Die
from rules.every import every
from rules.fact import Event
from rules.facts import SharedEvent
from rules.ore.facts import OreClosed


def event_line(fact: Event) -> str:
    """What a fact says that holds no roll, or that it cannot be said."""
    return said(lambda: WORDS[type(fact)](fact), type(fact).__name__, str)


def followed(roll_number: int, step: int, of: Sequence[Event]) -> list[str]:
    """What followed from a roll by one step: of the step that made it line by line, later in one line."""
    lines = list(map(event_line, of))
    return lines if step == roll_number else ["; ".join(lines)]


def _line(fact: facts.Line) -> str:
    return fact.text


def _illegible(fact: facts.Illegible) -> str:
    return illegible(fact.kind)


def _named_pool_changed(fact: NamedPoolChanged) -> str:
    dice = pool_words(fact.pool)
    return say("Pool {name}: {dice} ({change})", name=fact.pool.name, dice=dice, change=_change(fact))


def _hero_dice_changed(fact: HeroDiceChanged) -> str:
    how = say(CHANGES[fact.change].words, dice=f"d{fact.die}")
    return say("{who}: hero dice {dice} ({change})", who=fact.who, dice=strong(sizes(fact.after)), change=how)


def _taken_out(fact: TakenOut) -> str:
    return say("{who} is taken out by {what}", who=fact.who, what=label_words(fact.by, fact.kind))


def _back_in(fact: BackIn) -> str:
    return say("{who} stays in", who=fact.who) if fact.paid else say("{who} is back in", who=fact.who)


def _began(fact: facts.Began) -> str:
    return say("{what} begins", what=stretch_words(fact.what, fact.number, fact.name))


def _portrait_changed(fact: facts.PortraitChanged) -> str:
    if fact.is_gone:
        return say("{who} has no portrait any more", who=fact.who)
    return say("{who} has a new portrait", who=fact.who)


def _noted(fact: facts.Noted) -> str:
    if fact.secret:
        return say("The GM’s note: {text}", text=fact.text)
    return say("Note: {text}", text=fact.text)


def _titled(fact: facts.Titled) -> str:
    return say("Session {number} is called {title}", number=fact.number, title=strong(fact.title))


def _called_off(fact: facts.CalledOff) -> str:
    return say("The session of {day} is called off", day=moment(fact.at, Clock.DAY))


def _replied(fact: facts.Replied) -> str:
    return say(COMING[fact.coming].told, who=fact.who, day=moment(fact.at, Clock.DAY))


def _moved(fact: facts.Moved) -> str:
    return say(FATES[fact.fate], table=fact.name or say(UNNAMED))


def _setting_changed(fact: facts.SettingChanged) -> str:
    return f"{fact.setting}: {fact.value}"


def _settings_kept(fact: facts.SettingsKept) -> str:
    return say("kept: {settings}", settings=", ".join(map(" ".join, fact.settings)))


def _gm_used(fact: GmUsed) -> str:
    return say("The GM uses {what}", what=why_words(fact.why))


def _scene_cut(fact: SceneCut) -> str:
    return say("How it ends: {how}", how=fact.how)


def _group_split(fact: GroupSplit) -> str:
    between = say(" from ") if len(fact.groups) == 2 else "; "
    return say("The group is split: {groups}", groups=between.join(map(listed, fact.groups)))


def _group_joined(fact: GroupJoined) -> str:
    if not fact.apart:
        return say("The group is together again: {names}", names=listed(fact.names))
    apart = "; ".join(map(listed, fact.apart))
    return say("Together again: {names}. Still apart: {apart}", names=listed(fact.names), apart=apart)


def _over(fact: Over) -> str:
    return say(ENDINGS[fact.ending], what=called(fact.pool))


def _order_ended(fact: OrderEnded) -> str:
    return say("Turn order ends")


def _passed_over(fact: PassedOver) -> str:
    return say("{who} is passed over ({round})", who=fact.who, round=_round(fact.of, fact.round))


def _acts_against(fact: ActsAgainst) -> str:
    return say("{what} acts against {who}, who rolls first", what=called(fact.of), who=fact.who)


def _contested(fact: Contested) -> str:
    return answer_words(fact.waiting, fact.leader, fact.total)


def _contest_won(fact: ContestWon) -> str:
    return say("{who} wins the contest", who=fact.who)


def _gave_in(fact: GaveIn) -> str:
    return say("{who} gives in. {winner} wins the contest", who=fact.who, winner=fact.winner)


def _contest_goes_on(fact: ContestGoesOn) -> str:
    return say(
        "Going on: the contest of {one} and {other}, in which {who} is to answer. /contest show",
        one=fact.sides[0],
        other=fact.sides[1],
        who=fact.waiting,
    )


def _resource_used(fact: ResourceUsed) -> str:
    trait = f"{fact.who} · {fact.label} d{fact.die}"
    if fact.spent:
        return say("{trait} is spent until the scene ends", trait=trait)
    return say("{trait} can be used again", trait=trait)


def _sfx_used(fact: SfxUsed) -> str:
    name, gives = fact.sfx.name, sfx_parts(fact.sfx)
    if fact.on:
        return say("{who} uses {sfx} on {what}: {gives}", who=fact.who, sfx=name, what=fact.on, gives=gives)
    return say("{who} uses {sfx}: {gives}", who=fact.who, sfx=name, gives=gives)


def _trait_shut(fact: TraitShut) -> str:
    trait = f"{fact.who} · {fact.label} d{fact.die}"
    return say("{trait} is shut down", trait=trait) if fact.shut else say("{trait} works again", trait=trait)


def _sheet_changed(fact: facts.SheetChanged) -> str:
    return say("The sheet of {who} is changed", who=fact.who)


def _imported(fact: facts.Imported) -> str:
    people = listed(shortened(fact.names)) or say("nobody yet")
    return say("{table} is imported, with {people}", table=fact.what or say(UNNAMED), people=people)


def _steps_lost(fact: facts.StepsLost) -> str:
    return lost_words(fact.number, fact.count)


def _ore_closed(fact: OreClosed) -> str:
    return say("A new round. Closed are the One-Roll rolls of {names}", names=listed(fact.who))


def _roll_bought(fact: RollBought) -> str:
    return f"{fact.who}: {why_words(fact.why)}"


def _roll_bettered(fact: RollBettered) -> str:
    return _with_side(
        say(USES[fact.use].bettered, who=fact.who, use=say(USES[fact.use].name)), is_against=fact.is_against
    )


def _dice_joined(fact: DiceJoined) -> str:
    line = say("{who}: {dice} joins", who=fact.who, dice=sizes(fact.dice))
    return _with_side(line, is_against=fact.is_against)


def _dice_taken_out(fact: DiceTakenOut) -> str:
    return say("{who}: {dice} removed", who=fact.who, dice=", ".join(map(_die, fact.dice)))


def _dice_rerolled(fact: DiceRerolled) -> str:
    rolled = zip(fact.dice, fact.faces, strict=True)
    was = [say("{die} (was {face})", die=_die(die), face=face) for die, face in rolled]
    return say("{who}: rerolled {dice}", who=fact.who, dice=listed(was))


def _hero_die_used(fact: HeroDieUsed) -> str:
    if fact.as_effect:
        return say("{who}: hero d{die} as effect", who=fact.who, die=fact.die)
    return say("{who}: hero d{die} as total", who=fact.who, die=fact.die)


def _opportunity_used(fact: OpportunityUsed) -> str:
    return say("{who}: an opportunity used by {sfx}", who=fact.who, sfx=fact.sfx)


def _boundary_changed(fact: facts.BoundaryChanged) -> str:
    words = BOUNDARIES[fact.kind]
    return say(words.gone if fact.is_gone else words.new, what=fact.what)


def _roll_stood(fact: RollStood) -> str:
    stands = say("{who}: the roll stands", who=fact.who)
    answers = say("{roll}. {who} is to answer", roll=stands, who=fact.waiting)
    return answers if fact.waiting else stands


def _opposition_changed(fact: OppositionChanged) -> str:
    what = against_words(Against(fact.what, plus=fact.plus))
    if fact.plus:
        what = say("{what} with {others}", what=what, others=", ".join(fact.plus))
    return say("{who}: against {what}", who=fact.who, what=what)


def _verdict_changed(fact: VerdictChanged) -> str:
    return say("{who}: now {verdict}", who=fact.who, verdict=verdict_words(fact.now))


def _because(why: Why | None) -> str:
    return f", {why_words(why)}" if why else ""


def _points(fact: PointsChanged) -> str:
    change, points = fact.after - fact.before, strong(say("{pp} PP", pp=fact.after))
    if fact.why is None:
        return say("{who}: {points} ({change:+d})", who=fact.who, points=points, change=change)
    why = why_words(fact.why)
    return say("{who}: {points} ({change:+d}, {why})", who=fact.who, points=points, change=change, why=why)


def _xp(fact: XpChanged) -> str:
    change, points = fact.after - fact.before, strong(say("{xp} XP", xp=fact.after))
    if not fact.why:
        return say("{who}: {points} ({change:+d})", who=fact.who, points=points, change=change)
    return say(
        "{who}: {points} ({change:+d}, {why})", who=fact.who, points=points, change=change, why=fact.why
    )


def _pool(fact: PoolChanged) -> str:
    """A pool of the GM: `Doom pool: 2d6, d8 (d6 added). Why: it rains`."""
    dice = strong(sizes(fact.after))
    if fact.round:
        dice = say("{dice}, round {round}", dice=dice, round=fact.round)
    line = f"{called(fact.pool)}: {dice}"
    if not CHANGES[fact.change].is_silent:
        line = f"{line} ({_pool_change(fact)})"
    return say("{line}. Why: {why}", line=line, why=why_words(fact.why)) if fact.why else line


def _pool_change(fact: PoolChanged) -> str:
    if fact.change is Change.ENTERED:
        return say(RANKS[fact.rank]) if fact.rank else say("GMC")
    change = say(CHANGES[fact.change].words, dice=sizes(fact.dice))
    if fact.steps > 1:
        return say_of(fact.steps, "{change} {count} time", "{change} {count} times", change=change)
    return change


def _change(fact: NamedPoolChanged) -> str:
    return say(CHANGES[fact.change].words, dice=dice_words(fact.dice))


def _ended(fact: facts.Ended) -> str:
    what = stretch_words(fact.what, fact.number, fact.name)
    if not fact.closed:
        return say("{what} ends", what=what)
    return say("{what} ends. Closed are the rolls of {names}", what=what, names=listed(fact.closed))


def _planned(fact: facts.Planned) -> str:
    day = moment(fact.at, Clock.DAY)
    if fact.was:
        before = moment(fact.was, Clock.DAY)
        return say("The session of {before} is moved to {day}", before=before, day=strong(day))
    return say("The next session is on {day}", day=strong(day))


def _seat(fact: facts.Seated) -> str:
    player = fact.by or say(NOBODY)
    return say(SEATS[fact.seat], who=fact.who, was=fact.was, player=player)


def _turn(fact: TurnCame) -> str:
    """Whose turn it is: `It is the turn of Bob (Challenge Storm, round 2)`."""
    where = _round(fact.of, fact.round)
    if fact.limit:
        where = say("{round} of {rounds}", round=where, rounds=fact.limit)
    if fact.who:
        return say("It is the turn of {who} ({round})", who=fact.who, round=where)
    where = f"{where[0].upper()}{where[1:]}"
    if fact.by:
        return say("{round} begins: {who} names who is first", round=where, who=fact.by)
    return say("{round} begins: who is first?", round=where)


def _round(of: Called | None, number: int) -> str:
    if of is None:
        return say("round {round}", round=number)
    return say("{what}, round {round}", what=called(of), round=number)


def _kept(fact: PoolKept) -> str:
    line = say("{who} · Saved pool {pool}", who=fact.who, pool=typed_pool.write(fact.pool))
    if fact.is_gone:
        return say("{what} (removed)", what=line)
    return say("{what} (was {before})", what=line, before=typed_pool.text(fact.was)) if fact.was else line


def _sfx(fact: SfxChanged) -> str:
    line = say("{who} · SFX {sfx}", who=fact.who, sfx=sfx_words(fact.sfx))
    if fact.is_gone:
        return say("{what} (removed)", what=line)
    return say("{what} (was {before})", what=line, before=sfx_parts(fact.was)) if fact.was else line


def _with_side(line: str, *, is_against: bool) -> str:
    """Whose dice it is about, where the roll is a player's."""
    return say("{line}, against this roll", line=line) if is_against else line


def _die(die: Die) -> str:
    """A die with its label: `Mind d10`."""
    return f"{die.label} d{die.size}".strip()


def _trait(fact: TraitChanged) -> str:
    if fact.after is None:
        gone = fact.before
        if gone is None:  # no rule says so, but a file may
            return say("{who}: nothing has changed", who=fact.owner)
        return say("{trait} is gone", trait=trait_name(fact.owner, fact.kind, gone))
    said = f"{trait_name(fact.owner, fact.kind, fact.after)} {strong(f'd{fact.after.die}')}"
    if fact.before is None:
        kind = KINDS[fact.kind]
        lasts = say(", for the session") if fact.after.lasts else ""
        return said if kind.is_said else f"{said} ({say(kind.one)}{lasts}{_because(fact.why)})"
    if fact.before.die == fact.after.die:
        return say("{trait} (as large as it gets)", trait=said)
    return say("{trait} (was d{die})", trait=said, die=fact.before.die)


WORDS: Mapping[type, Callable[[Any], str]] = every(
    SharedEvent | CortexEvent | OreClosed,
    {
        facts.Line: _line,
        facts.Illegible: _illegible,
        PoolChanged: _pool,
        NamedPoolChanged: _named_pool_changed,
        PointsChanged: _points,
        XpChanged: _xp,
        HeroDiceChanged: _hero_dice_changed,
        TraitChanged: _trait,
        TakenOut: _taken_out,
        BackIn: _back_in,
        facts.Began: _began,
        facts.Ended: _ended,
        facts.PortraitChanged: _portrait_changed,
        facts.Noted: _noted,
        facts.Titled: _titled,
        facts.Planned: _planned,
        facts.CalledOff: _called_off,
        facts.Replied: _replied,
        facts.Seated: _seat,
        facts.Moved: _moved,
        facts.SettingChanged: _setting_changed,
        facts.SettingsKept: _settings_kept,
        GmUsed: _gm_used,
        SceneCut: _scene_cut,
        GroupSplit: _group_split,
        GroupJoined: _group_joined,
        Over: _over,
        OrderEnded: _order_ended,
        TurnCame: _turn,
        PassedOver: _passed_over,
        ActsAgainst: _acts_against,
        Contested: _contested,
        ContestWon: _contest_won,
        GaveIn: _gave_in,
        ContestGoesOn: _contest_goes_on,
        ResourceUsed: _resource_used,
        SfxChanged: _sfx,
        PoolKept: _kept,
        SfxUsed: _sfx_used,
        TraitShut: _trait_shut,
        facts.SheetChanged: _sheet_changed,
        facts.Imported: _imported,
        facts.StepsLost: _steps_lost,
        OreClosed: _ore_closed,
        RollBought: _roll_bought,
        RollBettered: _roll_bettered,
        DiceJoined: _dice_joined,
        DiceTakenOut: _dice_taken_out,
        DiceRerolled: _dice_rerolled,
        HeroDieUsed: _hero_die_used,
        OpportunityUsed: _opportunity_used,
        facts.BoundaryChanged: _boundary_changed,
        RollStood: _roll_stood,
        OppositionChanged: _opposition_changed,
        VerdictChanged: _verdict_changed,
    },
)
"""What each kind of fact says. A new one is a class in `facts`, a tag in the store, and its words here."""
