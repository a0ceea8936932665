"""Facts in words, those that hold no roll: one plain line each. Nothing reads these words back."""

from collections.abc import Sequence
from typing import assert_never

from bot.language import later, say, say_of
from bot.render.card import Clock, moment, strong
from bot.render.illegible import illegible, said
from bot.render.parts import (
    KINDS,
    RANKS,
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
from rules import facts
from rules.cortex import doom, kept
from rules.dice import Die
from rules.facts import Event
from rules.kinds import Coming, Foe, Kind, Result, Use, Verdict
from rules.reasons import Boundary, Called, Cause, Change, Ending, Fate, Seat, Stretch, Why
from rules.table import Against

NOBODY = later("nobody")
UNNAMED = later("This table")
"""What a campaign is called that has no name."""
_FOES = {
    Foe.DOOM: later("Doom pool"),
    Foe.CRISIS: later("Crisis {name}"),
    Foe.CHALLENGE: later("Challenge {name}"),
}
_ENDINGS = {
    Ending.ENDED: later("{what} ends"),
    Ending.RESOLVED: later("{what} is resolved"),
    Ending.WON: later("{what} is won"),
    Ending.LOST: later("{what} is lost"),
    Ending.DEFEATED: later("{what} is defeated"),
}
_FATES = {
    Fate.ARCHIVED: later("{table} is archived"),
    Fate.HERE: later("{table} is played in this channel"),
    Fate.LEFT: later("{table} is no longer played in this channel"),
    Fate.JOINED: later("This channel joined another table"),
    Fate.REPLACED: later("A new table began here"),
    Fate.DELETED: later("{table} is deleted"),
    Fate.RESTORED: later("{table} is brought back to this channel"),
}
"""What became of a campaign, or of a channel, told in the campaign that it left."""
_STRETCHES = {
    Stretch.SESSION: later("Session {which}"),
    Stretch.ACT: later("Act {which}"),
    Stretch.SCENE: later("Scene {which}"),
}
_CHANGES = {
    Change.ADDED: later("{dice} added"),
    Change.REMOVED: later("{dice} removed"),
    Change.SPENT: later("{dice} spent"),
    Change.KEPT: later("{dice} kept"),
    Change.TO_CRISIS: later("{dice} to a crisis"),
    Change.TO_POOL: later("{dice} to a pool"),
    Change.KNOCKED_OFF: later("{dice} knocked off"),
    Change.STEPPED_UP: later("{dice} stepped up"),
    Change.STEPPED_DOWN: later("{dice} stepped down"),
    Change.DOUBLED: later("{dice} doubled"),
    Change.USED: later("{dice} used"),
}
"""What was done to dice."""
_WHOLE = {
    Change.NEW: later("new"),
    Change.SET: later("set"),
    Change.CLEARED: later("cleared"),
    Change.SHARED: later("shared"),
    Change.OPPOSED: later("opposed"),
}
"""What was done to a pool as a whole."""
_CAUSES = {
    Cause.HITCH: later("hitch"),
    Cause.OPPORTUNITY: later("opportunity"),
    Cause.GIVING_IN: later("giving in"),
    Cause.DOOM_KEPT: later("the GM keeps the doom dice"),
    Cause.SESSION_START: later("session start"),
    Cause.STAYING_IN: later("staying in"),
    Cause.TOTAL: later("another die in the total"),
    Cause.EFFECT: later("another effect die"),
    Cause.LIMIT: later("a die over the limit"),
    Cause.REROLL: later("a reroll"),
    Cause.ELSEWHERE: later("something else paid"),
    Cause.LENT: later("back from a roll, stepped up"),
}
"""Causes that need no more words."""
_USES = {
    Use.TOTAL: later("total"),
    Use.EFFECT: later("effect"),
    Use.DIE: later("die"),
    Use.SFX: later("sfx"),
    Use.COMPLICATION: later("complication"),
    Use.ASSET: later("asset"),
    Use.DISTINCTION: later("distinction"),
    Use.EXTRA: later("extra"),
    Use.GMC: later("gmc"),
    Use.SPLIT: later("split"),
    Use.END_SCENE: later("end scene"),
}
_BETTERED = {
    Use.TOTAL: later("{who}: another die in the GM's total"),
    Use.EFFECT: later("{who}: another effect die of the GM"),
}
_BOUNDARIES = {
    Boundary.LINE: (later("New line: {what}"), later("No line any more: {what}")),
    Boundary.VEIL: (later("New veil: {what}"), later("No veil any more: {what}")),
}
"""That a line or a veil is there, and that it is gone."""
_COMING = {
    Coming.IN: later("{who} is in for {day}"),
    Coming.MAYBE: later("{who} may come on {day}"),
    Coming.OUT: later("{who} cannot come on {day}"),
    Coming.AWAY: later("{who} is away on {day}"),
}
_RESULTS = {
    Result.FAILURE: later("vs {difficulty}: failure"),
    Result.SUCCESS: later("vs {difficulty}: success"),
    Result.HEROIC: later("vs {difficulty}: heroic success"),
}
_MARGINS = {
    Result.SUCCESS: later("vs {difficulty}: success by {margin}"),
    Result.HEROIC: later("vs {difficulty}: heroic success by {margin}"),
}


def event_line(fact: Event) -> str:
    """What a fact says that holds no roll, or that it cannot be said."""
    return said(lambda: _event(fact), type(fact).__name__, str)


def _event(fact: Event) -> str:
    match fact:
        case facts.Line():
            return fact.text
        case facts.Illegible():
            return illegible(fact.kind)
        case facts.PoolChanged():
            return _pool(fact)
        case facts.NamedPoolChanged():
            dice = pool_words(fact.pool)
            return say("Pool {name}: {dice} ({change})", name=fact.pool.name, dice=dice, change=_change(fact))
        case facts.PointsChanged():
            return _points(fact)
        case facts.XpChanged():
            return _xp(fact)
        case facts.HeroDiceChanged():
            how = say(_CHANGES[fact.change], dice=f"d{fact.die}")
            return say(
                "{who}: hero dice {dice} ({change})", who=fact.who, dice=strong(sizes(fact.after)), change=how
            )
        case facts.TraitChanged():
            return _trait(fact)
        case facts.TakenOut():
            return say("{who} is taken out by {what}", who=fact.who, what=label_words(fact.by, fact.kind))
        case facts.BackIn():
            return say("{who} stays in", who=fact.who) if fact.paid else say("{who} is back in", who=fact.who)
        case facts.Began():
            return say("{what} begins", what=stretch_words(fact.what, fact.number, fact.name))
        case facts.Ended():
            return _ended(fact)
        case facts.PortraitChanged():
            if fact.is_gone:
                return say("{who} has no portrait any more", who=fact.who)
            return say("{who} has a new portrait", who=fact.who)
        case facts.Noted():
            if fact.secret:
                return say("The GM’s note: {text}", text=fact.text)
            return say("Note: {text}", text=fact.text)
        case facts.Titled():
            return say("Session {number} is called {title}", number=fact.number, title=strong(fact.title))
        case facts.Planned():
            return _planned(fact)
        case facts.CalledOff():
            return say("The session of {day} is called off", day=moment(fact.at, Clock.DAY))
        case facts.Replied():
            return say(_COMING[fact.coming], who=fact.who, day=moment(fact.at, Clock.DAY))
        case facts.Seated():
            return _seat(fact)
        case facts.Moved():
            return say(_FATES[fact.fate], table=fact.name or say(UNNAMED))
        case facts.SettingChanged():
            return f"{fact.setting}: {fact.value}"
        case facts.SettingsKept():
            return say("kept: {settings}", settings=", ".join(map(" ".join, fact.settings)))
        case facts.GmUsed():
            return say("The GM uses {what}", what=why_words(fact.why))
        case facts.SceneCut():
            return say("How it ends: {how}", how=fact.how)
        case facts.GroupSplit():
            between = say(" from ") if len(fact.groups) == 2 else "; "
            return say("The group is split: {groups}", groups=between.join(map(listed, fact.groups)))
        case facts.GroupJoined(apart=()):
            return say("The group is together again: {names}", names=listed(fact.names))
        case facts.GroupJoined():
            apart = "; ".join(map(listed, fact.apart))
            return say("Together again: {names}. Still apart: {apart}", names=listed(fact.names), apart=apart)
        case facts.Over():
            return say(_ENDINGS[fact.ending], what=called(fact.pool))
        case facts.OrderEnded():
            return say("Turn order ends")
        case facts.TurnCame():
            return _turn(fact)
        case facts.PassedOver():
            return say("{who} is passed over ({round})", who=fact.who, round=_round(fact.of, fact.round))
        case facts.ActsAgainst():
            return say("{what} acts against {who}, who rolls first", what=called(fact.of), who=fact.who)
        case facts.Contested():
            return answer_words(fact.waiting, fact.leader, fact.total)
        case facts.ContestWon():
            return say("{who} wins the contest", who=fact.who)
        case facts.GaveIn():
            return say("{who} gives in. {winner} wins the contest", who=fact.who, winner=fact.winner)
        case facts.ContestGoesOn():
            return say(
                "Going on: the contest of {one} and {other}, in which {who} is to answer. /contest show",
                one=fact.sides[0],
                other=fact.sides[1],
                who=fact.waiting,
            )
        case facts.ResourceUsed():
            trait = f"{fact.who} · {fact.label} d{fact.die}"
            if fact.spent:
                return say("{trait} is spent until the scene ends", trait=trait)
            return say("{trait} can be used again", trait=trait)
        case facts.SfxChanged():
            return _sfx(fact)
        case facts.PoolKept():
            return _kept(fact)
        case facts.SfxUsed():
            name, gives = fact.sfx.name, sfx_parts(fact.sfx)
            if fact.on:
                return say(
                    "{who} uses {sfx} on {what}: {gives}", who=fact.who, sfx=name, what=fact.on, gives=gives
                )
            return say("{who} uses {sfx}: {gives}", who=fact.who, sfx=name, gives=gives)
        case facts.TraitShut():
            trait = f"{fact.who} · {fact.label} d{fact.die}"
            return (
                say("{trait} is shut down", trait=trait)
                if fact.shut
                else say("{trait} works again", trait=trait)
            )
        case facts.SheetChanged():
            return say("The sheet of {who} is changed", who=fact.who)
        case facts.Imported():
            people = listed(shortened(fact.names)) or say("nobody yet")
            return say("{table} is imported, with {people}", table=fact.what or say(UNNAMED), people=people)
        case facts.StepsLost():
            return lost_words(fact.number, fact.count)
        case facts.OreClosed():
            return say("A new round. Closed are the One-Roll rolls of {names}", names=listed(fact.who))
        case facts.RollBought():
            return f"{fact.who}: {why_words(fact.why)}"
        case facts.RollBettered():
            return _with_side(say(_BETTERED[fact.use], who=fact.who), is_against=fact.is_against)
        case facts.DiceJoined():
            line = say("{who}: {dice} joins", who=fact.who, dice=sizes(fact.dice))
            return _with_side(line, is_against=fact.is_against)
        case facts.DiceTakenOut():
            return say("{who}: {dice} removed", who=fact.who, dice=", ".join(map(_die, fact.dice)))
        case facts.DiceRerolled():
            rolled = zip(fact.dice, fact.faces, strict=True)
            was = [say("{die} (was {face})", die=_die(die), face=face) for die, face in rolled]
            return say("{who}: rerolled {dice}", who=fact.who, dice=listed(was))
        case facts.HeroDieUsed():
            if fact.as_effect:
                return say("{who}: hero d{die} as effect", who=fact.who, die=fact.die)
            return say("{who}: hero d{die} as total", who=fact.who, die=fact.die)
        case facts.OpportunityUsed():
            return say("{who}: an opportunity used by {sfx}", who=fact.who, sfx=fact.sfx)
        case facts.BoundaryChanged():
            added, gone = _BOUNDARIES[fact.kind]
            return say(gone if fact.is_gone else added, what=fact.what)
        case facts.RollStood():
            stands = say("{who}: the roll stands", who=fact.who)
            answers = say("{roll}. {who} is to answer", roll=stands, who=fact.waiting)
            return answers if fact.waiting else stands
        case facts.OppositionChanged():
            what = against_words(Against(fact.what, plus=fact.plus))
            if fact.plus:
                what = say("{what} with {others}", what=what, others=", ".join(fact.plus))
            return say("{who}: against {what}", who=fact.who, what=what)
        case facts.VerdictChanged():
            return say("{who}: now {verdict}", who=fact.who, verdict=verdict_words(fact.now))
        case _:
            assert_never(fact)


def followed(roll_number: int, step: int, of: Sequence[Event]) -> list[str]:
    """What followed from a roll by one step: of the step that made it line by line, later in one line."""
    lines = list(map(event_line, of))
    return lines if step == roll_number else ["; ".join(lines)]


def lost_words(number: int, count: int) -> str:
    """That the last steps up to that number cannot be read any more."""
    lost = say_of(
        count,
        "Step {number} cannot be read any more.",
        "The last {count} steps cannot be read any more.",
        number=number,
    )
    last = number - count
    now = (
        say("The table is as it was after step {number}.", number=last)
        if last
        else say("The table begins anew.")
    )
    return f"{lost} {now}"


def verdict_words(how: Verdict) -> str:
    """How a roll went: `vs 11: success by 3`."""
    if how.margin and how.result in _MARGINS:
        return say(_MARGINS[how.result], difficulty=how.difficulty, margin=how.margin)
    return say(_RESULTS[how.result], difficulty=how.difficulty)


_OUTCOMES = {
    Result.FAILURE: later("failure"),
    Result.SUCCESS: later("success"),
    Result.HEROIC: later("heroic"),
}


def result_word(result: Result) -> str:
    """How a roll would go, in a word: `heroic`."""
    return say(_OUTCOMES[result])


def answer_words(waiting: str, leader: str, total: int) -> str:
    """Who is to answer whom in a contest, and what with (T4)."""
    return say(
        "{who} is to answer {leader}: beat {total}, or give in.", who=waiting, leader=leader, total=total
    )


def called(pool: Called) -> str:
    """What a pool of the GM is called: `Doom pool`, `Crisis Fire`, `Rex`."""
    return pool.name if pool.foe is Foe.GMC else say(_FOES[pool.foe], name=pool.name)


def against_words(against: Against) -> str:
    """What is against a roll, as it is called."""
    return say(against.label) if against.label == doom.NAME else against.label


def stretch_words(what: Stretch, number: int, name: str = "") -> str:
    """A stretch of play: `Session 2`, `Scene The docks`; a scene without a name of its own has its number."""
    word = what.capitalize()
    if name in ("", f"{word} {number}"):
        return say(_STRETCHES[what], which=number)
    return name if name.startswith(word) else say(_STRETCHES[what], which=name)


def why_words(why: Why) -> str:
    """Why something changed."""
    match why.cause:
        case Cause.NOTE:
            return why.note
        case Cause.HINDRANCE:
            return say("{trait} hinders", trait=why.what)
        case Cause.DOOM_USE:
            return f"{say(_USES[why.use]) if why.use else ''} {why.what}".strip()
        case Cause.HERO_DIE:
            return say("hero {dice}", dice=sizes(why.dice))
        case Cause.GMC_SFX:
            return say("an SFX: {name}", name=why.what) if why.what else say("an SFX")
        case Cause.SFX | Cause.ASSET:
            return why.what
        case Cause.HIT:
            return say("d{die} hits d{hit}", die=why.dice[0], hit=why.dice[1])
        case _:
            return say(_CAUSES[why.cause])


def _because(why: Why | None) -> str:
    return f", {why_words(why)}" if why else ""


def _points(fact: facts.PointsChanged) -> str:
    change, points = fact.after - fact.before, strong(say("{pp} PP", pp=fact.after))
    if fact.why is None:
        return say("{who}: {points} ({change:+d})", who=fact.who, points=points, change=change)
    why = why_words(fact.why)
    return say("{who}: {points} ({change:+d}, {why})", who=fact.who, points=points, change=change, why=why)


def _xp(fact: facts.XpChanged) -> str:
    change, points = fact.after - fact.before, strong(say("{xp} XP", xp=fact.after))
    if not fact.why:
        return say("{who}: {points} ({change:+d})", who=fact.who, points=points, change=change)
    return say(
        "{who}: {points} ({change:+d}, {why})", who=fact.who, points=points, change=change, why=fact.why
    )


def _pool(fact: facts.PoolChanged) -> str:
    """A pool of the GM: `Doom pool: 2d6, d8 (d6 added). Why: it rains`."""
    dice = strong(sizes(fact.after))
    if fact.round:
        dice = say("{dice}, round {round}", dice=dice, round=fact.round)
    line = f"{called(fact.pool)}: {dice}"
    if fact.change is not Change.SET:
        line = f"{line} ({_pool_change(fact)})"
    return say("{line}. Why: {why}", line=line, why=why_words(fact.why)) if fact.why else line


def _pool_change(fact: facts.PoolChanged) -> str:
    if fact.change is Change.ENTERED:
        return say(RANKS[fact.rank]) if fact.rank else say("GMC")
    if fact.change in _WHOLE:
        return say(_WHOLE[fact.change])
    change = say(_CHANGES[fact.change], dice=sizes(fact.dice))
    if fact.steps > 1:
        return say_of(fact.steps, "{change} {count} time", "{change} {count} times", change=change)
    return change


def _change(fact: facts.NamedPoolChanged) -> str:
    if fact.change in _WHOLE:
        return say(_WHOLE[fact.change])
    return say(_CHANGES[fact.change], dice=dice_words(fact.dice))


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
    match fact.seat:
        case Seat.NEW:
            return say("{who} is a new character", who=fact.who)
        case Seat.PLAYED:
            return say("{who} is played by {player}", who=fact.who, player=fact.by or say(NOBODY))
        case Seat.GM:
            return say("{who} is GM", who=fact.who)
        case Seat.NO_GM:
            return say("{who} is no longer GM", who=fact.who)
        case Seat.STAYS_GM:
            return say("{who} stays GM", who=fact.who)
        case Seat.RENAMED:
            return say("{who} is the new name of {was}", who=fact.who, was=fact.was)
        case Seat.LEAVES:
            return say("{who} leaves the table", who=fact.who)
        case Seat.ENTERS:
            return say("{who} enters the scene", who=fact.who)
        case Seat.ENTERS_ORDER:
            return say("{who} enters the scene and joins the turn order", who=fact.who)
        case Seat.WAITS:
            return say("{who} waits to be brought in", who=fact.who)
        case Seat.IMPORTED:
            return say("{who} is imported", who=fact.who)
        case Seat.IMPORTED_PLAYED:
            return say("{who} is imported, played by {player}", who=fact.who, player=fact.by or say(NOBODY))


def _turn(fact: facts.TurnCame) -> str:
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


def _kept(fact: facts.PoolKept) -> str:
    line = say("{who} · Saved pool {pool}", who=fact.who, pool=kept.write(fact.pool))
    if fact.is_gone:
        return say("{what} (removed)", what=line)
    return say("{what} (was {before})", what=line, before=kept.text(fact.was)) if fact.was else line


def _sfx(fact: facts.SfxChanged) -> str:
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


def _trait(fact: facts.TraitChanged) -> str:
    if fact.after is None:
        gone = fact.before
        return say("{trait} is gone", trait=trait_name(fact.owner, fact.kind, gone)) if gone else ""
    said = f"{trait_name(fact.owner, fact.kind, fact.after)} {strong(f'd{fact.after.die}')}"
    if fact.before is None:
        is_plain = fact.kind in (Kind.STRESS, Kind.TRAUMA)
        lasts = say(", for the session") if fact.after.lasts else ""
        return said if is_plain else f"{said} ({say(KINDS[fact.kind])}{lasts}{_because(fact.why)})"
    if fact.before.die == fact.after.die:
        return say("{trait} (as large as it gets)", trait=said)
    return say("{trait} (was d{die})", trait=said, die=fact.before.die)
