"""What happens when scenes, acts and sessions begin and end, and groups that split (C1, M2, M5, P1, T5)."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from rules.campaign.scenes import act_started, ended_scenes
from rules.campaign.seats import Actor, find_characters, is_group, require_gm
from rules.cortex import gm_pools, points, rating
from rules.cortex.effects import can_recover, recoveries_applied
from rules.cortex.facts import (
    BackIn,
    Cause,
    Change,
    ContestGoesOn,
    GroupJoined,
    GroupSplit,
    RollChanged,
    TakenOut,
    TraitChanged,
    Why,
)
from rules.cortex.kinds import HARMFUL, Foe, Result, Trait, TraitKind
from rules.cortex.model import CORTEX, Closes, Roll, with_traits
from rules.cortex.outcome import total, verdict
from rules.cortex.pool_text import read_dice
from rules.cortex.push_and_challenge import closed, is_pending
from rules.cortex.roll import accept_roll, close_roll, drop_roll, ruled_on
from rules.cortex.roll_status import is_in_doubt, resolve
from rules.cortex.ruleset import Rest, Ruleset
from rules.cortex.sheet_lines import segments
from rules.cortex.trait_lookup import owners
from rules.cortex.traits import SCARRED, all_opened, gained, refreshed, removed, stepped_down
from rules.dice import down, write_dice
from rules.errors import Gone, NotAllowed, PossibleAnswer, SettingOff, Undecided
from rules.game import Step
from rules.names import SCENE, key
from rules.table import Character, Table
from rules.terms import later
from rules.text import SEMICOLON, Row, Words
from rules.values import replace


def begun(table: Table, typed: Mapping[str, str | None], agreed: Collection[str] = ()) -> Step:
    """Begin a scene: those who rest do so first (N4), then the scene gets its own distinctions."""
    if CORTEX.of(table).over:
        table = CORTEX.put(table, replace(CORTEX.of(table), over={}))
    rest, kind = CORTEX.of(table).ruleset.rest, typed.get("kind")
    is_usual = rest is not Rest.SCENE_START and not kind
    step = Step(table, ()) if is_usual else _rested_first(table, rest)
    for label, die in _distinctions(typed.get("distinctions"), CORTEX.of(table).ruleset, agreed):
        step = step.then(gained(step.table, SCENE, TraitKind.DISTINCTION, label, die))
    return step


def ending(table: Table, agreed: Collection[str] = ()) -> Step:
    """Ask which rolls stand (C4), apply open recoveries (T5), and close all rolls (N2, N3, N7).

    Who is taken out by a recovery isn't told while a scene runs, since its end brings them back. Between
    scenes, the next one's start lifts the recovery bars (T5). Raises Undecided until the GM has ruled.
    """
    step = _rule_on_rolls(table, agreed)
    step = step.then(recoveries_applied(step.table))
    for roll in CORTEX.of(step.table).rolls.values():
        step = step.then(close_roll(step.table, roll))
    for who, owner in () if table.is_scene else list(owners(step.table)):
        step = step.then(Step(step.table.with_owner(who, _lifted(owner, stay_out=HARMFUL)), ()))
    return Step(
        step.table,
        tuple(
            f
            for f in step.facts
            # As a scene ends, nobody stays out but for good (N4).
            if not isinstance(f, RollChanged | TakenOut)
            or (isinstance(f, TakenOut) and (f.for_good or not table.is_scene))
        ),
    )


def ended(before: Table, table: Table) -> Step:
    """End a scene: temporary assets go, signature assets recover, takeouts end; contests continue."""
    here = CORTEX.of(table)
    going = {number: each for number, each in here.contests.items() if not each.closing}
    kept = CORTEX.put(table, replace(here, contests=going, order=None, split=()))
    step = Step(kept, tuple(ContestGoesOn(each.sides, each.waiting) for each in going.values()))
    for who, owner in owners(step.table):
        for trait in CORTEX.has(owner).assets.values():
            step = step.then(_asset_ended(step.table, who, trait))
    stay_out = (TraitKind.TRAUMA,) if here.ruleset.rest in SCARRED else ()
    for who, owner in list(owners(step.table)):
        was_out = (
            who != SCENE and CORTEX.has(before.owner(who)).is_taken_out and CORTEX.has(owner).is_taken_out
        )
        free = _lifted(owner, stay_out)
        back = (BackIn(owner.name),) if was_out and not CORTEX.has(free).is_taken_out else ()
        step = step.then(Step(step.table.with_owner(who, free), back))
    if here.ruleset.rest is Rest.SCENE_END:
        step = step.then(rested(step.table))
    step = step.then(refreshed(step.table))
    step = step.then(all_opened(step.table))
    for kind in (TraitKind.DISTINCTION, TraitKind.COMPLICATION):
        for label in list(CORTEX.has(step.table.scenery).traits(kind)):
            step = step.then(removed(step.table, SCENE, kind, label))
    return step


def _rested_first(table: Table, rest: Rest) -> Step:
    """Who rests as a scene starts, by the setting or since the GM says so (N4)."""
    if rest not in SCARRED:
        raise SettingOff(
            "Rest at the start of {scene.a} is off in this campaign.", setting="rest", value="by hand"
        )
    return rested(table)


def rested(table: Table) -> Step:
    """Step all stress of everybody present down once (N4)."""
    step = Step(table, ())
    for who, owner in table.characters.items():
        for label in () if owner.away else CORTEX.has(owner).stress:
            step = step.then(stepped_down(step.table, who, TraitKind.STRESS, label))
    return step


def _rule_on_rolls(table: Table, agreed: Collection[str]) -> Step:
    """Let rolls without a ruling stand, or drop them, as the GM agreed. Raises Undecided for others (C4)."""
    step = Step(table, ())
    for number, roll in CORTEX.of(table).rolls.items():
        if not (roll.out and is_in_doubt(table, roll) and _does_something(step.table, roll)):
            continue
        if (sign := f"stand {number}") in agreed:
            step = step.then(accept_roll(step.table, roll))
        elif (drop := f"drop {number}") in agreed:
            step = step.then(drop_roll(step.table, roll))
        else:
            raise Undecided(
                "{who} was taken out, but rolled {dice} {aim}: {result}. Does that roll stand?",
                PossibleAnswer(Words("Let it stand"), sign),
                PossibleAnswer(Words("Drop it"), drop),
                who=roll.who,
                dice=write_dice([die.size for die in roll.hand.dice]),
                aim=_aim(step.table, roll),
                result=_result(roll),
            )
    return step


def _aim(table: Table, roll: Roll) -> Words:
    """What a roll without a ruling changes if it stands."""
    ruled = ruled_on(table, roll)
    if ruled.recovers:
        return Words("to recover {trait}", trait=ruled.recovers)
    if ruled.against:
        return Words("against {side} in a contest", side=ruled.against)
    if is_pending(roll):
        return Words("with {traits}", traits=Row([each.label for each in roll.closing]))
    return Words("for {hero_die.a}")


def _result(roll: Roll) -> Words:
    how = verdict(roll)
    if how is None:
        return Words("total {total}", total=total(roll.hand))
    match how.result:
        case Result.FAILURE:
            words = later("total {total} against {goal}, a failure")
        case Result.SUCCESS:
            words = later("total {total} against {goal}, a success")
        case Result.HEROIC:
            words = later("total {total} against {goal}, a heroic success")
        case _:
            assert_never(how.result)
    return Words(words, total=total(roll.hand), goal=how.difficulty)


def _does_something(table: Table, roll: Roll) -> bool:
    """Whether a roll changes anything as its scene ends: a recovery, a hero die, its contest (T5, Z1, T4)."""
    came, contest = resolve(table, roll), CORTEX.of(table).contests.get(roll.contest)
    is_of_contest = contest is not None and roll.number in (contest.roll, contest.closing)
    return can_recover(table, came) or bool(points.bankable(table, came)) or is_pending(roll) or is_of_contest


def require_scene(table: Table, offered: int) -> None:
    """Check that an offer belongs to the current scene. Raises Gone if that scene has ended."""
    if offered != ended_scenes(table):
        raise Gone(
            "That button is from {scene.a} that has ended. To see what's in play now: /crisis show, "
            "/challenge show, /gmc show"
        )


def split(table: Table, typed: str | None) -> Step:
    """Split the group until the scene ends or it is joined, with a player's character in each part (M5).

    The parts are typed with `;` between them; whoever isn't named forms one more part. Raises NotAllowed
    for somebody named twice, for parts without a player's character, or if the group is split like that.
    """
    here = CORTEX.of(table)
    people = [who for who, character in table.in_play.items() if not character.gmc]
    parts = [_named(table, part) for part in re.split("[;\uff1b]", typed or "") if part.strip()]
    named = [who for part in parts for who in part]
    if twice := next((who for who in named if named.count(who) > 1), None):
        raise NotAllowed(
            "{who} is named twice. Put each character in only one group.",
            who=table.characters[twice].name,
        )
    parts.append([who for who in people if who not in named])
    found = [[who for who in people if who in part] for part in parts]
    # The last part is whoever is not named: beside two others it may be empty.
    if len(found) < 2 or not all(found[:-1]) or (len(found) == 2 and not found[-1]):
        raise NotAllowed(
            'Separate the groups with ";", and put a player\'s character in each. Anyone you leave '
            "out forms the last group."
        )
    groups = tuple(tuple(table.characters[who].name for who in group) for group in found if group)
    if set(map(frozenset, groups)) == set(map(frozenset, here.split)):
        raise NotAllowed(
            "The group is already split like that: {groups}. To bring it together again: /scene join",
            groups=_parts(here.split),
        )
    return Step(CORTEX.put(table, replace(here, split=groups)), (GroupSplit(groups),))


def _parts(groups: Iterable[tuple[str, ...]]) -> Row:
    """The parts of a split group."""
    return Row([*map(Row, groups)], SEMICOLON, SEMICOLON)


def _named(table: Table, part: str) -> list[str]:
    return [*find_characters(table, part)]


def join(table: Table, actor: Actor, who: str | None = None) -> Step:
    """Join a split group, as the GM: all of it, or the parts of those who are named (M5).

    Raises NotAllowed if the group isn't split, or if the names don't mean two of its parts.
    """
    here = CORTEX.of(table)
    require_gm(table, actor, Words("bring a split group together"))
    if not here.split:
        raise NotAllowed("The group isn't split.")
    typed = "" if who is None or is_group(who) else who
    people = {table.characters[one].name for one in _named(table, typed)}
    meeting = [group for group in here.split if not people or people & set(group)]
    if missing := people - {name for group in here.split for name in group}:
        raise NotAllowed(
            "{who} isn't in any part of the split group: {groups}.",
            who=sorted(missing)[0],
            groups=_parts(here.split),
        )
    # Of two parts it is clear which meet, whoever is named.
    if len(meeting) < 2 and len(here.split) > 2:
        raise NotAllowed(
            "That's only one part ({who}). Name someone from each part that meets: {groups}.",
            who=Row(meeting[0]),
            groups=_parts(here.split),
        )
    meeting = meeting if len(meeting) > 1 else list(here.split)
    joined = tuple(name for group in meeting for name in group)
    left = [group for group in here.split if group not in meeting]
    groups = (joined, *left) if left else ()
    return Step(CORTEX.put(table, replace(here, split=groups)), (GroupJoined(joined, tuple(left)),))


def act_begun(table: Table, typed: Mapping[str, str | None]) -> Step:
    """Begin an act with its doom dice; doom that is there already stays in the pool (M2)."""
    dice = typed.get("dice")
    if dice:
        gm_pools.require_doom(table)
    here = CORTEX.of(table)
    rules = here.ruleset
    is_carried = bool(here.doom) or (rules.doom_over_acts and table.act > 1)
    if not rules.doom or (is_carried and not dice):
        return Step(table, ())
    return gm_pools.with_doom_dice(
        table, read_dice(dice, rules, asks=False) if dice else rules.doom_start, Change.SET
    )


RESET, WEAKEN = "reset", "weaken"
"""What the GM does with doom dice that are kept over acts, when an arc ends (M2)."""


def act_ended(table: Table, typed: Mapping[str, str | None]) -> Step:
    """End an act: clear the doom pool, or do what the GM typed as `arc` if doom is kept across acts (M2)."""
    here = CORTEX.of(table)
    if arc := typed.get("arc"):
        return _arc_ended(table, arc)
    if not here.doom or here.ruleset.doom_over_acts:
        return Step(table, ())
    return gm_pools.with_doom_dice(table, (), Change.CLEARED)


def _arc_ended(table: Table, arc: str) -> Step:
    """Doom is what an act starts with, or each of its dice steps down (M2)."""
    gm_pools.require_doom(table)
    rules = CORTEX.of(table).ruleset
    if not rules.doom_over_acts:
        raise NotAllowed(
            "The {doom_pool.one} is lost after each {act.one} in this campaign, so leave arc out. "
            "Example: /act end"
        )
    if arc == RESET:
        return gm_pools.with_doom_dice(table, rules.doom_start, Change.SET, Why(Cause.ARC_END))
    dice = gm_pools.doom_dice(table)
    if not dice:
        return Step(table, ())
    left = [size for die in dice if (size := down(die, 1, rules.sizes)) >= gm_pools.FOES[Foe.DOOM].least]
    return gm_pools.with_doom_dice(table, tuple(left), Change.STEPPED_DOWN, Why(Cause.ARC_END), dice)


def session_begun(table: Table) -> Step:
    """Begin a session: everybody has at least their starting PP (P1), and an act begins if doom is on."""
    here = CORTEX.of(table)
    step = Step(table, ())
    people = [who for who, character in table.in_play.items() if not character.gmc]
    for who in people:
        step = step.then(with_starting_points(step.table, who))
    missing = len(people) - here.gm_pp
    if here.ruleset.gm_pp and missing > 0:
        step = step.then(points.gm_earned(step.table, missing, Why(Cause.SESSION_START)))
    if here.ruleset.doom and not table.is_act:
        step = step.then(act_started(step.table))
    return step


def with_starting_points(table: Table, who: str) -> Step:
    """Give a character the PP that they have too few of for a session's start (P1)."""
    missing = CORTEX.of(table).ruleset.starting_pp - CORTEX.has(table.characters[who]).pp
    if missing <= 0:
        return Step(table, ())
    return points.earn_points(table, who, missing, Why(Cause.SESSION_START))


def session_ended(table: Table) -> Step:
    """End a session: assets bought for it go, and rolls with a challenge close, which asks questions (N7)."""
    step = Step(table, ())
    for roll in CORTEX.of(table).rolls.values():
        is_due = any(each.does is Closes.STEPS_DOWN and not each.done for each in roll.closing)
        if is_due and not is_in_doubt(table, roll):
            step = step.then(closed(step.table, roll))
    table = step.table
    for who, owner in owners(table):
        for label, trait in CORTEX.has(owner).assets.items():
            if trait.lasts:
                step = step.then(removed(step.table, who, TraitKind.ASSET, label))
    return step


def _distinctions(typed: str | None, rules: Ruleset, agreed: Collection[str]) -> list[tuple[str, int]]:
    """Scene distinctions as typed, with a comma between two; one without a die is a d8."""
    found = []
    for part in segments(typed) if typed else ():
        if not part.strip():
            continue
        label, size = rating.rated_once(part, None, rules, agreed)
        found.append((label, size or 8))
    return found


def _asset_ended(table: Table, who: str, trait: Trait) -> Step:
    """A temporary asset goes, a signature asset has its own rating again (C1)."""
    if trait.lasts:
        return Step(table, ())
    if not trait.signature:
        return removed(table, who, TraitKind.ASSET, key(trait.label))
    if (trait.die, trait.more) == (trait.signature, trait.usual):
        return Step(table, ())
    owner = table.owner(who)
    after = replace(trait, die=trait.signature, more=trait.usual)
    held = with_traits(owner, TraitKind.ASSET, {**CORTEX.has(owner).assets, key(trait.label): after})
    return Step(table.with_owner(who, held), (TraitChanged(owner.name, TraitKind.ASSET, trait, after),))


def _lifted(owner: Character, stay_out: Collection[TraitKind]) -> Character:
    """No trait is barred from recovery, and only traits of `stay_out` keep their owner out (C4, T5, N4)."""
    own = CORTEX.has(owner)
    for kind in HARMFUL:
        if held := own.traits(kind):
            free = {
                label: replace(trait, barred=False, out=trait.out and kind in stay_out)
                for label, trait in held.items()
            }
            own = own.with_traits(kind, free)
    return CORTEX.give(owner, own)
