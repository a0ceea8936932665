"""A roll in words: who, the kept choice and the verdict, then all choices and all dice."""

from collections.abc import Sequence
from dataclasses import replace

from bot.language import later, say
from bot.render.parts import effects as effect_words
from bot.render.parts import listed, trait_words
from bot.render.words import against_words, followed, verdict_words
from rules.cortex import outcome
from rules.cortex.apply import open_effects, winner
from rules.cortex.exchange import is_waiting
from rules.cortex.outcome import Choice
from rules.cortex.roll import rules_of
from rules.cortex.spend import over_limit
from rules.table import SCENE, Against, Foe, Hand, Recovery, Roll, RolledDie, Table

OTHER_DICE = later("Other dice")
"""Any dice for the total and the effect, beside the choices that are listed (R1)."""


def roll_lines(table: Table, roll: Roll) -> list[str]:
    """Everything there is to say about a roll."""
    lines = [headline(roll)]
    if roll.recovery is not None:
        lines.append(say("To recover: {trait}", trait=_recovered(table, roll.recovery)))
    if roll.on:
        lines.append(say("On: {names}", names=listed(roll.on)))
    if roll.note:
        lines.append(say("For: {note}", note=roll.note))
    lines += _effect_lines(table, roll)
    lines.append(say("Dice: {dice}", dice=dice_words(roll.hand, gm=roll.gm)))
    options = outcome.choices(roll.hand)
    if len(options) > 1:
        marked = "; ".join(_marked(roll, choice, options) for choice in options[:10])
        lines.append(say("Choices: {choices}", choices=marked))
    if roll.against is not None:
        lines += _against_lines(table, roll, roll.against)
    lines += _contest_lines(table, roll)
    over = over_limit(roll, rules_of(table, roll))
    if over:
        lines.append(say("Over the usual pool by {count}; Spend pays for it.", count=over))
    return lines + [
        line for step, of in sorted(roll.after.items()) for line in followed(roll.number, step, of)
    ]


def _contest_lines(table: Table, roll: Roll) -> list[str]:
    """What a roll of a contest waits for, or who has won by it (T4)."""
    contest = table.contests.get(roll.contest)
    if contest is not None and contest.closing == roll.number:
        return [say("{who} wins the contest", who=contest.sides[contest.leader])]
    if contest is None or not is_waiting(table, roll):
        return []
    total = outcome.total(roll.hand)
    return [say("{who} is to answer: beat {total}, or give in.", who=contest.waiting, total=total)]


def headline(roll: Roll) -> str:
    """Who rolled, what is kept, and how it went."""
    said = [choice_words(outcome.kept(roll.hand)), *_verdict(roll)]
    if outcome.is_botch(roll.hand):
        said.insert(0, say("Botch"))
    return f"{roll.who}: {', '.join(said)}"


def choice_words(choice: Choice) -> str:
    """A choice: `Total 15, effect d8`."""
    return say("Total {total}, effect {effects}", total=choice.total, effects=effect_words(choice.effects))


def share_words(table: Table, roll: Roll, share: tuple[int, ...]) -> str:
    """Effect dice as a way to share R7's steps leaves them: `Effect d10 and d6` (R3)."""
    effects = outcome.effects(replace(roll, steps_to=share), rules_of(table, roll))
    sizes = [say("past d{size}", size=e.size) if e.past else f"d{e.size}" for e in effects[: len(share)]]
    return say("Effect {effects}", effects=listed(sizes))


def die_words(die: RolledDie, *, gm: bool = False) -> str:
    """A rolled die: `Mind d10 → 7`, `d6 → 1 (hitch)`."""
    label = f"{die.label} " if die.label else ""
    marks = []
    if die.removed:
        marks.append(say("removed"))
    elif die.face == 1:
        marks.append(say("opportunity") if gm else say("hitch"))
    if die.is_counted:
        marks.append(say("in the total"))
    return f"{label}d{die.size} → {die.face}" + "".join(f" ({mark})" for mark in marks)


def dice_words(hand: Hand, *, gm: bool = False) -> str:
    """All dice of a hand, as they were rolled."""
    return ", ".join(die_words(die, gm=gm) for die in hand.dice)


def seen(roll: Roll) -> str:
    """A roll in one line, for the log: every die that was seen."""
    dice = dice_words(roll.hand, gm=roll.gm)
    if roll.against is not None and roll.against.hand is not None:
        dice = say("{dice} against {theirs}", dice=dice, theirs=dice_words(roll.against.hand, gm=True))
    return f"{headline(roll)} ({dice})"


def _verdict(roll: Roll) -> list[str]:
    how = outcome.verdict(roll)
    return [] if how is None else [verdict_words(how)]


def _marked(roll: Roll, choice: Choice, options: Sequence[Choice]) -> str:
    """A choice with what speaks for it (R4)."""
    marks = []
    if choice == outcome.kept(roll.hand):
        marks.append(say("kept"))
    if choice == options[0]:
        marks.append(say("best total"))
    if choice.effects == max(each.effects for each in options):
        marks.append(say("best effect"))
    if roll.against is not None and not roll.hand.chosen and choice == outcome.kept(roll.hand):
        marks.append(say("recommended"))
    return choice_words(choice) + (f" ({', '.join(marks)})" if marks else "")


def _recovered(table: Table, goal: Recovery) -> str:
    """The trait that a roll tries to lose, as it is now."""
    gone = say("{trait}, which is gone", trait=goal.said or goal.trait)
    if goal.owner != SCENE and goal.owner not in table.characters:
        return gone
    owner = table.owner(goal.owner)
    trait = owner.traits(goal.kind).get(goal.trait)
    return trait_words(owner.name, goal.kind, trait) if trait else gone


def _effect_lines(table: Table, roll: Roll) -> list[str]:
    """What R7 makes of the effect, where it changes it."""
    how = outcome.verdict(roll)
    rules = rules_of(table, roll)
    if how is None:
        return []
    effects = outcome.effects(roll, rules)
    if outcome.is_opposition_effective(roll, rules):
        return [_counts(roll, effect_words(e.size for e in effects))] if effects else []
    if not how.steps or not effects:
        return []
    past = sum(effect.past for effect in effects)
    if roll.recovery is not None and past:
        return [say("Effect stepped up past d12.")]
    was = outcome.kept(roll.hand).effects
    now = tuple(effect.size for effect in effects[: len(was)])
    if now == was and not past:
        return []
    is_used = bool(roll.applied) and not open_effects(table, roll)
    line = _stepped(roll, was, now, past)
    return [say("{line} (used).", line=line) if is_used else f"{line}."]


def _counts(roll: Roll, effects: str) -> str:
    """That the effect of who won against the roller counts, by name where it has one."""
    against = roll.against
    if against is not None and (roll.contest or against.target is not None):
        return say(
            "{who} wins, and that effect counts: {effects}.", who=against_words(against), effects=effects
        )
    return say("The opposition wins, and that effect counts: {effects}.", effects=effects)


def _stepped(roll: Roll, was: tuple[int, ...], now: tuple[int, ...], past: int) -> str:
    """How far effect dice were stepped up, and what each step past d12 gives (R7)."""
    if now == was:
        gives = _beyond(roll, is_one=past == 1)
        return say("Effect stepped up past d12 by {past}: {gives}", past=past, gives=gives)
    to = effect_words(now)
    if not past:
        return say("Effect stepped up to {effects}", effects=to)
    gives = _beyond(roll, is_one=False)
    return say(
        "Effect stepped up to {effects}, and {past} past it: {gives}", effects=to, past=past, gives=gives
    )


def _beyond(roll: Roll, *, is_one: bool) -> str:
    """What each step past d12 gives; dice that are hit are never taken out (R7, K3, L3)."""
    target = None if roll.against is None else roll.against.target
    if target is not None and target.foe in (Foe.CRISIS, Foe.CHALLENGE):
        return say("a further effect d6") if is_one else say("each a further effect d6")
    return say("a takeout or a further effect d6") if is_one else say("each a takeout or a further effect d6")


def _against_lines(table: Table, roll: Roll, against: Against) -> list[str]:
    line = say("Against {what}", what=against_words(against))
    if against.plus:
        line = say(
            "Against {what} with {others}", what=against_words(against), others=", ".join(against.plus)
        )
    if against.hand is None:
        return [line] if against.plus or against.label != str(against.number) else []
    gm = winner(table, roll) is None
    kept = choice_words(outcome.kept(against.hand))
    return [f"{line}: {kept}; {dice_words(against.hand, gm=gm)}"]
