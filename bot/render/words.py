"""Facts in words, those that hold no roll: one plain line each. Nothing reads these words back."""

from collections.abc import Sequence
from typing import assert_never

from rules import facts
from rules.cortex.named_pool import words as pool_words
from rules.cortex.sfx import write as sfx_words
from rules.cortex.sfx import write_parts
from rules.cortex.traits import wording
from rules.dice import Die, write, write_pool
from rules.facts import Event
from rules.kinds import Foe, Kind, Result, Use, Verdict
from rules.names import listed, shortened
from rules.reasons import Called, Cause, Change, Ending, Fate, Seat, Stretch, Why

NOBODY = "nobody"
UNNAMED = "This table"
"""What a campaign is called that has no name."""
_FOES = {Foe.DOOM: "Doom pool", Foe.CRISIS: "Crisis", Foe.CHALLENGE: "Challenge", Foe.GMC: ""}
_ENDINGS = {
    Ending.ENDED: "ends",
    Ending.RESOLVED: "is resolved",
    Ending.WON: "is won",
    Ending.LOST: "is lost",
    Ending.DEFEATED: "is defeated",
}
_FATES = {
    Fate.ARCHIVED: "is archived",
    Fate.HERE: "is played in this channel",
    Fate.LEFT: "is no longer played in this channel",
    Fate.DELETED: "is deleted",
    Fate.RESTORED: "is brought back to this channel",
}
_LEFT = {Fate.JOINED: "This channel joined another table", Fate.REPLACED: "A new table began here"}
"""What became of a channel, told in the campaign that it left."""
_STRETCHES = {Stretch.SESSION: "Session", Stretch.ACT: "Act", Stretch.SCENE: "Scene"}
_CHANGES = {
    Change.ADDED: "added",
    Change.REMOVED: "removed",
    Change.SPENT: "spent",
    Change.KEPT: "kept",
    Change.TO_CRISIS: "to a crisis",
    Change.TO_POOL: "to a pool",
    Change.KNOCKED_OFF: "knocked off",
    Change.STEPPED_UP: "stepped up",
    Change.STEPPED_DOWN: "stepped down",
    Change.DOUBLED: "doubled",
    Change.USED: "used",
}
"""What was done to dice, behind the dice."""
_WHOLE = {
    Change.NEW: "new",
    Change.SET: "set",
    Change.CLEARED: "cleared",
    Change.SHARED: "shared",
    Change.OPPOSED: "opposed",
}
"""What was done to a pool as a whole."""
_CAUSES = {
    Cause.HITCH: "hitch",
    Cause.OPPORTUNITY: "opportunity",
    Cause.GIVING_IN: "giving in",
    Cause.DOOM_KEPT: "the GM keeps the doom dice",
    Cause.SESSION_START: "session start",
    Cause.STAYING_IN: "staying in",
    Cause.TOTAL: "another die in the total",
    Cause.EFFECT: "another effect die",
    Cause.LIMIT: "a die over the limit",
    Cause.REROLL: "a reroll",
    Cause.ELSEWHERE: "something else paid",
    Cause.LENT: "back from a roll, stepped up",
}
"""Causes that need no more words."""
_BETTERED = {
    Use.TOTAL: "another die in the GM's total",
    Use.EFFECT: "another effect die of the GM",
}


def event_line(fact: Event) -> str:
    """What a fact says that holds no roll."""
    match fact:
        case facts.Line():
            return fact.text
        case facts.PoolChanged():
            return _pool(fact)
        case facts.NamedPoolChanged():
            how = _WHOLE.get(fact.change) or f"{write_pool(fact.dice)} {_CHANGES[fact.change]}"
            return f"Pool {fact.pool.name}: {pool_words(fact.pool)} ({how})"
        case facts.PointsChanged():
            return f"{fact.who}: {fact.after} PP ({fact.after - fact.before:+d}{_because(fact.why)})"
        case facts.XpChanged():
            why = f", {fact.why}" if fact.why else ""
            return f"{fact.who}: {fact.after} XP ({fact.after - fact.before:+d}{why})"
        case facts.HeroDiceChanged():
            return f"{fact.who}: hero dice {write(fact.after)} (d{fact.die} {_CHANGES[fact.change]})"
        case facts.TraitChanged():
            return _trait(fact)
        case facts.TakenOut():
            return f"{fact.who} is taken out by {fact.by}{_kind_word(fact.kind)}"
        case facts.BackIn():
            return f"{fact.who} stays in" if fact.paid else f"{fact.who} is back in"
        case facts.Began():
            return f"{_stretch(fact)} begins"
        case facts.Ended():
            closed = f". Closed are the rolls of {listed(fact.closed)}" if fact.closed else ""
            return f"{_stretch(fact)} ends{closed}"
        case facts.Seated():
            return f"{fact.who} {_seat(fact)}"
        case facts.Moved() if fact.fate in _LEFT:
            return _LEFT[fact.fate]
        case facts.Moved():
            return f"{fact.name or UNNAMED} {_FATES[fact.fate]}"
        case facts.SettingChanged():
            return f"{fact.setting}: {fact.value}"
        case facts.SettingsKept():
            return f"kept: {', '.join(f'{setting} {value}' for setting, value in fact.settings)}"
        case facts.GmUsed():
            return f"The GM uses {why_words(fact.why)}"
        case facts.SceneCut():
            return f"How it ends: {fact.how}"
        case facts.GroupSplit():
            return f"The group is split: {' from '.join(listed(group) for group in fact.groups)}"
        case facts.Over():
            return f"{called(fact.pool)} {_ENDINGS[fact.ending]}"
        case facts.OrderEnded():
            return "Turn order ends"
        case facts.TurnCame():
            return _turn(fact)
        case facts.PassedOver():
            return f"{fact.who} is passed over ({_round(fact.of, fact.round)})"
        case facts.ActsAgainst():
            return f"{called(fact.of)} acts against {fact.who}, who rolls first"
        case facts.Contested():
            return f"{fact.waiting} is to answer {fact.leader}: beat {fact.total}, or give in."
        case facts.ContestWon():
            return f"{fact.who} wins the contest"
        case facts.GaveIn():
            return f"{fact.who} gives in. {fact.winner} wins the contest"
        case facts.ContestGoesOn():
            sides = f"the contest of {' and '.join(fact.sides)}, in which {fact.waiting} is to answer"
            return f"Going on: {sides}. /contest show"
        case facts.ResourceUsed():
            state = "is spent until the scene ends" if fact.spent else "can be used again"
            return f"{fact.who} · {fact.label} d{fact.die} {state}"
        case facts.SfxChanged():
            was = f" (was {write_parts(fact.was)})" if fact.was else ""
            return f"{fact.who} · SFX {sfx_words(fact.sfx)}{' (removed)' if fact.is_gone else was}"
        case facts.SfxUsed():
            on = f" on {fact.on}" if fact.on else ""
            return f"{fact.who} uses {fact.sfx.name}{on}: {write_parts(fact.sfx)}"
        case facts.TraitShut():
            state = "is shut down" if fact.shut else "works again"
            return f"{fact.who} · {fact.label} d{fact.die} {state}"
        case facts.SheetChanged():
            return f"The sheet of {fact.who} is changed"
        case facts.Imported():
            people = listed(shortened(list(fact.names))) or "nobody yet"
            return f"{fact.what or UNNAMED} is imported, with {people}"
        case facts.StepsLost():
            return lost_words(fact.number, fact.count)
        case facts.OreClosed():
            return f"A new round. Closed are the One-Roll rolls of {listed(fact.who)}"
        case facts.RollBought():
            return f"{fact.who}: {why_words(fact.why)}"
        case facts.RollBettered():
            return f"{fact.who}: {_BETTERED[fact.use]}{_side(is_against=fact.is_against)}"
        case facts.DiceJoined():
            return f"{fact.who}: {write(fact.dice)} joins{_side(is_against=fact.is_against)}"
        case facts.DiceTakenOut():
            return f"{fact.who}: {', '.join(map(_die, fact.dice))} removed"
        case facts.DiceRerolled():
            dice = zip(fact.dice, fact.faces, strict=True)
            return f"{fact.who}: rerolled {listed([f'{_die(die)} (was {face})' for die, face in dice])}"
        case facts.HeroDieUsed():
            return f"{fact.who}: hero d{fact.die} as {'effect' if fact.as_effect else 'total'}"
        case facts.OpportunityUsed():
            return f"{fact.who}: an opportunity used by {fact.sfx}"
        case facts.VerdictChanged():
            return f"{fact.who}: now {verdict_words(fact.now)}"
        case _:
            assert_never(fact)


def followed(roll_number: int, step: int, of: Sequence[Event]) -> list[str]:
    """What followed from a roll by one step: of the step that made it line by line, later in one line."""
    said = list(map(event_line, of))
    return said if step == roll_number else ["; ".join(said)]


def lost_words(number: int, count: int) -> str:
    """That the last steps up to that number cannot be read any more."""
    what = f"Step {number}" if count == 1 else f"The last {count} steps"
    last = number - count
    now = f"The table is as it was after step {last}." if last else "The table begins anew."
    return f"{what} cannot be read any more. {now}"


def verdict_words(how: Verdict) -> str:
    """How a roll went: `vs 11: success by 3`."""
    by = "" if how.result is Result.FAILURE or not how.margin else f" by {how.margin}"
    return f"vs {how.difficulty}: {how.result}{by}"


def called(pool: Called) -> str:
    """What a pool of the GM is called: `Doom pool`, `Crisis Fire`, `Rex`."""
    return f"{_FOES[pool.foe]} {pool.name}".strip()


def why_words(why: Why) -> str:
    """Why something changed."""
    match why.cause:
        case Cause.NOTE:
            return why.note
        case Cause.HINDRANCE:
            return f"{why.what} hinders"
        case Cause.DOOM_USE:
            return f"{why.use} {why.what}".strip()
        case Cause.HERO_DIE:
            return f"hero {write(why.dice)}"
        case Cause.GMC_SFX:
            return f"an SFX{f': {why.what}' if why.what else ''}"
        case Cause.SFX | Cause.ASSET:
            return why.what
        case Cause.HIT:
            return f"d{why.dice[0]} hits d{why.dice[1]}"
        case _:
            return _CAUSES[why.cause]


def _because(why: Why | None) -> str:
    return f", {why_words(why)}" if why else ""


def _pool(fact: facts.PoolChanged) -> str:
    """A pool of the GM: `Doom pool: 2d6, d8 (d6 added). Why: it rains`."""
    at = f", round {fact.round}" if fact.round else ""
    why = f". Why: {why_words(fact.why)}" if fact.why else ""
    return f"{called(fact.pool)}: {write(fact.after)}{at} ({_pool_change(fact)}){why}"


def _pool_change(fact: facts.PoolChanged) -> str:
    if fact.change is Change.ENTERED:
        return str(fact.rank)
    if fact.change in _WHOLE:
        return _WHOLE[fact.change]
    times = f" {fact.steps} times" if fact.steps > 1 else ""
    return f"{write(fact.dice)} {_CHANGES[fact.change]}{times}"


def _seat(fact: facts.Seated) -> str:
    match fact.seat:
        case Seat.NEW:
            return "is a new character"
        case Seat.PLAYED:
            return f"is played by {fact.by}"
        case Seat.GM:
            return "is GM"
        case Seat.NO_GM:
            return "is no longer GM"
        case Seat.RENAMED:
            return f"is the new name of {fact.was}"
        case Seat.LEAVES:
            return "leaves the table"
        case Seat.ENTERS:
            return "enters the scene"
        case Seat.ENTERS_ORDER:
            return "enters the scene and joins the turn order"
        case Seat.WAITS:
            return "waits to be brought in"
        case Seat.IMPORTED:
            return "is imported"
        case Seat.IMPORTED_PLAYED:
            return f"is imported, played by {fact.by or NOBODY}"


def _turn(fact: facts.TurnCame) -> str:
    """Whose turn it is: `It is the turn of Bob (Challenge Storm, round 2)`."""
    where = _round(fact.of, fact.round) + (f" of {fact.limit}" if fact.limit else "")
    if fact.who:
        return f"It is the turn of {fact.who} ({where})"
    first = f"{fact.by} names who is first" if fact.by else "who is first?"
    return f"{where[0].upper()}{where[1:]} begins: {first}"


def _round(of: Called | None, number: int) -> str:
    return f"{called(of)}, round {number}" if of else f"round {number}"


def _stretch(fact: facts.Began | facts.Ended) -> str:
    """A stretch of play: `Session 2`, `Scene The docks`; a scene without a name of its own has its number."""
    what = _STRETCHES[fact.what]
    if not fact.name:
        return f"{what} {fact.number}"
    return fact.name if fact.name.startswith(what) else f"{what} {fact.name}"


def _side(*, is_against: bool) -> str:
    """Whose dice it is about, where the roll is a player's."""
    return ", against this roll" if is_against else ""


def _die(die: Die) -> str:
    """A die with its label: `Mind d10`."""
    return f"{die.label} d{die.size}".strip()


def _kind_word(kind: Kind) -> str:
    return f" {kind}" if kind in (Kind.STRESS, Kind.TRAUMA) else ""


def _trait(fact: facts.TraitChanged) -> str:
    if fact.after is None:
        gone = fact.before
        return f"{wording(fact.owner, fact.kind, gone).rpartition(' d')[0]} is gone" if gone else ""
    said = wording(fact.owner, fact.kind, fact.after)
    if fact.before is None:
        is_plain = fact.kind in (Kind.STRESS, Kind.TRAUMA)
        return said if is_plain else f"{said} ({fact.kind}{_because(fact.why)})"
    if fact.before.die == fact.after.die:
        return f"{said} (as large as it gets)"
    return f"{said} (was d{fact.before.die})"
