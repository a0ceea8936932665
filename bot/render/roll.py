"""A roll in words: who, the kept choice and the verdict, then all choices and all dice."""

from collections.abc import Sequence
from dataclasses import replace

from bot.render.words import followed, verdict_words
from rules.cortex import outcome
from rules.cortex.apply import open_effects, winner
from rules.cortex.exchange import is_waiting
from rules.cortex.outcome import Choice
from rules.cortex.roll import rules_of
from rules.cortex.spend import over_limit
from rules.cortex.traits import wording
from rules.names import listed
from rules.table import SCENE, Against, Foe, Hand, Recovery, Roll, RolledDie, Table

OTHER_DICE = "Other dice"
"""Any dice for the total and the effect, beside the choices that are listed (R1)."""


def roll_lines(table: Table, roll: Roll) -> list[str]:
    """Everything there is to say about a roll."""
    lines = [headline(roll)]
    if roll.recovery is not None:
        lines.append(f"To recover: {_recovered(table, roll.recovery)}")
    if roll.on:
        lines.append(f"On: {listed(roll.on)}")
    if roll.note:
        lines.append(f"For: {roll.note}")
    lines += _effect_lines(table, roll)
    lines.append(f"Dice: {dice_words(roll.hand, gm=roll.gm)}")
    options = outcome.choices(roll.hand)
    if len(options) > 1:
        lines.append(f"Choices: {'; '.join(_marked(roll, choice, options) for choice in options[:10])}")
    if roll.against is not None:
        lines += _against_lines(table, roll, roll.against)
    lines += _contest_lines(table, roll)
    over = over_limit(roll, rules_of(table, roll))
    if over:
        lines.append(f"Over the usual pool by {over}; Spend pays for it.")
    return lines + [
        line for step, of in sorted(roll.after.items()) for line in followed(roll.number, step, of)
    ]


def _contest_lines(table: Table, roll: Roll) -> list[str]:
    """What a roll of a contest waits for, or who has won by it (T4)."""
    contest = table.contests.get(roll.contest)
    if contest is not None and contest.closing == roll.number:
        return [f"{contest.sides[contest.leader]} wins the contest"]
    if contest is None or not is_waiting(table, roll):
        return []
    return [f"{contest.waiting} is to answer: beat {outcome.total(roll.hand)}, or give in."]


def headline(roll: Roll) -> str:
    """Who rolled, what is kept, and how it went."""
    said = [choice_words(outcome.kept(roll.hand)), *_verdict(roll)]
    if outcome.is_botch(roll.hand):
        said.insert(0, "Botch")
    return f"{roll.who}: {', '.join(said)}"


def choice_words(choice: Choice) -> str:
    """A choice: `Total 15, effect d8`."""
    return f"Total {choice.total}, effect {' and '.join(f'd{size}' for size in choice.effects)}"


def share_words(table: Table, roll: Roll, share: tuple[int, ...]) -> str:
    """Effect dice as a way to share R7's steps leaves them: `Effect d10 and d6` (R3)."""
    effects = outcome.effects(replace(roll, steps_to=share), rules_of(table, roll))
    sizes = [f"past d{e.size}" if e.past else f"d{e.size}" for e in effects[: len(share)]]
    return f"Effect {listed(sizes)}"


def die_words(die: RolledDie, *, gm: bool = False) -> str:
    """A rolled die: `Mind d10 → 7`, `d6 → 1 (hitch)`."""
    label = f"{die.label} " if die.label else ""
    mark = ""
    if die.removed:
        mark = " (removed)"
    elif die.face == 1:
        mark = " (opportunity)" if gm else " (hitch)"
    beside = " (in the total)" if die.is_counted else ""
    return f"{label}d{die.size} → {die.face}{mark}{beside}"


def dice_words(hand: Hand, *, gm: bool = False) -> str:
    """All dice of a hand, as they were rolled."""
    return ", ".join(die_words(die, gm=gm) for die in hand.dice)


def seen(roll: Roll) -> str:
    """A roll in one line, for the log: every die that was seen."""
    against = "" if roll.against is None or roll.against.hand is None else f" against {_pool(roll.against)}"
    return f"{headline(roll)} ({dice_words(roll.hand, gm=roll.gm)}{against})"


def _pool(against: Against) -> str:
    return "" if against.hand is None else dice_words(against.hand, gm=True)


def _verdict(roll: Roll) -> list[str]:
    how = outcome.verdict(roll)
    return [] if how is None else [verdict_words(how)]


def _marked(roll: Roll, choice: Choice, options: Sequence[Choice]) -> str:
    """A choice with what speaks for it (R4)."""
    marks = []
    if choice == outcome.kept(roll.hand):
        marks.append("kept")
    if choice == options[0]:
        marks.append("best total")
    if choice.effects == max(each.effects for each in options):
        marks.append("best effect")
    if roll.against is not None and not roll.hand.chosen and choice == outcome.kept(roll.hand):
        marks.append("recommended")
    return choice_words(choice) + (f" ({', '.join(marks)})" if marks else "")


def _recovered(table: Table, goal: Recovery) -> str:
    """The trait that a roll tries to lose, as it is now."""
    gone = f"{goal.said or goal.trait}, which is gone"
    if goal.owner != SCENE and goal.owner not in table.characters:
        return gone
    owner = table.owner(goal.owner)
    trait = owner.traits(goal.kind).get(goal.trait)
    return wording(owner.name, goal.kind, trait) if trait else gone


def _effect_lines(table: Table, roll: Roll) -> list[str]:
    """What R7 makes of the effect, where it changes it."""
    how = outcome.verdict(roll)
    rules = rules_of(table, roll)
    if how is None:
        return []
    if outcome.is_opposition_effective(roll, rules):
        sizes = " and ".join(f"d{e.size}" for e in outcome.effects(roll, rules))
        return [f"{_winner(roll)} wins, and that effect counts: {sizes}."] if sizes else []
    effects = outcome.effects(roll, rules)
    if not how.steps or not effects:
        return []
    past = sum(effect.past for effect in effects)
    if roll.recovery is not None and past:
        return ["Effect stepped up past d12."]
    was = outcome.kept(roll.hand).effects
    now = tuple(effect.size for effect in effects[: len(was)])
    if now == was and not past:
        return []
    used = " (used)" if roll.applied and not open_effects(table, roll) else ""
    return [f"Effect stepped up {_stepped(was, now, past, _beyond(roll))}{used}."]


def _winner(roll: Roll) -> str:
    """Who won against the roller, by name where it has one."""
    is_named = roll.against is not None and (roll.contest or roll.against.target is not None)
    return roll.against.label if is_named and roll.against is not None else "The opposition"


def _beyond(roll: Roll) -> str:
    """What each step past d12 gives; dice that are hit are never taken out (R7, K3, L3)."""
    target = None if roll.against is None else roll.against.target
    is_pool = target is not None and target.foe in (Foe.CRISIS, Foe.CHALLENGE)
    return "each a further effect d6" if is_pool else "each a takeout or a further effect d6"


def _stepped(was: tuple[int, ...], now: tuple[int, ...], past: int, beyond: str) -> str:
    """How far effect dice were stepped up, and what each step past d12 gives (R7)."""
    if now == was:
        return f"past d12 by {past}: {beyond if past > 1 else beyond.removeprefix('each ')}"
    more = f", and {past} past it: {beyond}" if past else ""
    return f"to {' and '.join(f'd{size}' for size in now)}{more}"


def _against_lines(table: Table, roll: Roll, against: Against) -> list[str]:
    plus = f" with {', '.join(against.plus)}" if against.plus else ""
    if against.hand is None:
        return [f"Against {against.label}{plus}"] if plus or against.label != str(against.number) else []
    gm = winner(table, roll) is None
    kept = choice_words(outcome.kept(against.hand))
    return [f"Against {against.label}{plus}: {kept}; {dice_words(against.hand, gm=gm)}"]
