"""A roll as text: who rolled, the total, all dice, the opposition, and the outcome."""

from collections.abc import Iterable, Sequence

from bot.language import later, say, say_of
from bot.language.line import BREAK, Text, aloud, code, heading, joined, small, strong, together
from bot.language.line import die as die_mark
from bot.views.card import Button, Card, Field, Form, Tone, Weight, portrait_of
from bot.views.cortex.facts import WORDS
from bot.views.cortex.labels import (
    RESULTS,
    against_words,
    doom_label,
    result_word,
    trait_words,
    verdict_words,
)
from bot.views.facts import followed
from bot.views.labels import ROLLERS, listed
from bot.views.labels import effects as effect_words
from rules.cortex import outcome
from rules.cortex.actions import RollReading
from rules.cortex.facts import (
    Contested,
    ContestWon,
    GaveIn,
    HiddenDropped,
    HiddenRolled,
    RollChanged,
    RollMade,
    VerdictChanged,
)
from rules.cortex.kinds import Foe, Rank
from rules.cortex.model import CORTEX, Against, Hand, Modifier, Roll, RolledDie
from rules.cortex.outcome import Effect, Judged, KeepChoice, Outcome
from rules.cortex.pool import Special
from rules.cortex.roll_status import ALLOWED, DROPPED
from rules.facts import Fact
from rules.names import key
from rules.table import Dice, Table

OTHER_DICE = later("Other dice")
"""Any dice for the total and the effect, beside the choices that are listed (R1)."""


def roll_card(table: Table, reading: RollReading, rows: tuple[tuple[Button, ...], ...] = ()) -> Card:
    """Return the card of a roll: its result as colour, the roller's portrait, and buttons."""
    roll = reading.came.roll
    character = table.characters.get(key(roll.who))
    return Card(
        tuple(roll_lines(table, reading)),
        rows,
        roll=roll,
        tone=tone_of(reading.came),
        is_in_words=table.settings.dice is Dice.WORDS,
        portrait=portrait_of(character) if character else None,
    )


def roll_lines(table: Table, reading: RollReading) -> list[Text]:
    """Return a roll as lines: the result as title, the kept dice, every die, the opposition, the outcome."""
    roll = reading.came.roll
    lines = [heading(_title(reading)), *_out_lines(reading), *_kept_lines(table, reading)]
    if roll.recovery is not None and not roll.applied:
        lines.append(say("To recover: {trait}", trait=_recovered(reading)))
    if roll.on:
        lines.append(say("On: {names}", names=strong(listed(roll.on))))
    lines += _dice_lines(reading)
    lines += _over_lines(reading)
    if near := reading.actions.near:
        lines.append(small(say("{label} is new. Did you mean {name}?", label=near[0], name=near[1])))
    if roll.turn and reading.is_on_table:
        lines.append(say("It was {who}'s turn.", who=strong(roll.turn)))
    lines += _contest_lines(reading)
    below = [*_against_lines(reading), *_after_lines(roll)]
    return [*lines, BREAK, *below] if below else lines


def _out_lines(reading: RollReading) -> list[Text]:
    """That whoever rolled is taken out, and whether the roll stands all the same (C4)."""
    roll = reading.came.roll
    if not roll.out:
        return []
    if reading.is_in_doubt:
        return [
            say(
                "{who} is taken out. The {gm.one} decides whether this roll stands.",
                who=strong(ROLLERS[roll.who]),
            )
        ]
    if DROPPED in roll.doers:
        return [say("{who} is taken out. The {gm.one} dropped this roll.", who=strong(ROLLERS[roll.who]))]
    if ALLOWED in roll.doers:
        return [
            say(
                "{who} is taken out. The {gm.one} lets this roll stand.",
                who=strong(ROLLERS[roll.who]),
            )
        ]
    return [say("{who} is taken out.", who=strong(ROLLERS[roll.who]))]


def _over_lines(reading: RollReading) -> list[Text]:
    """That dice go past the usual pool, while that can be paid for (D3)."""
    if not reading.over:
        return []
    if reading.can_pay:
        return [
            say_of(
                reading.over,
                "That's {count} die over the limit. Press Spend to pay.",
                "That's {count} dice over the limit. Press Spend to pay.",
            )
        ]
    if reading.came.roll.gm:
        over = say_of(
            reading.over,
            "That's {count} die over the limit, and the {gm.one} has no die to pay with.",
            "That's {count} dice over the limit, and the {gm.one} has no die to pay with.",
        )
        return [over, say("Let the roll stand, or take it back: /undo")]
    over = say_of(
        reading.over,
        "That's {count} die over the limit, and {who} has no {plot_point.short}.",
        "That's {count} dice over the limit, and {who} has no {plot_point.short}.",
        who=ROLLERS[reading.came.roll.who],
    )
    return [over, say("Ask the {gm.one} for one, or take the roll back: /undo")]


def secret_card(gm: str) -> Card:
    """Return the card that tells everybody that a GM has rolled in secret."""
    return Card((say("{gm} rolls in secret.", gm=strong(gm)),), tone=Tone.CALM)


def tone_of(came: Judged) -> Tone:
    """Return the tone of a card for how the roll went for its roller."""
    if came.is_botch:
        return Tone.WORST
    return Tone.CALM if came.verdict is None else RESULTS[came.verdict.result].tone


def _title(reading: RollReading) -> Text:
    """Who, and how it went; without opposition what is kept. A botch is told from a failure by its name."""
    came = reading.came
    if came.verdict is None:
        return together(ROLLERS[came.roll.who], ": ", joined(", ", _counted(came, came.counted)))
    verdict = verdict_words(came.verdict)
    if came.is_botch:
        return together(ROLLERS[came.roll.who], ": ", say("Botch"), ", ", verdict)
    return together(ROLLERS[came.roll.who], ", ", verdict)


def _kept(reading: RollReading) -> Text:
    """The total and the effect that counts, in bold as far as they do: a failed roll's has none."""
    came, effects = reading.came, reading.came.counted
    total = say("Total {total}", total=came.kept.total)
    if came.is_botch:
        return total
    total = strong(total)
    if not effects:
        return total
    if came.is_failed and not came.is_opposed:
        return say("{total}, effect {effects}", total=total, effects=effect_words(effects))
    return strong(total_words(came.kept.total, effects))


def _counted(came: Judged, effects: tuple[int, ...]) -> list[Text]:
    """The total, and the effect that counts, after R7's steps; none where no effect of the roller does."""
    botch = [say("Botch")] if came.is_botch else []
    total = came.kept.total
    return [*botch, total_words(total, effects) if effects else say("Total {total}", total=total)]


def _is_effective(came: Outcome) -> bool:
    """Whether the roller's own effect is one that counts."""
    return came.verdict is None or (not came.is_failed and bool(came.effects))


def _kept_lines(table: Table, reading: RollReading) -> list[Text]:
    """What is kept below a verdict, what R7 made of the effect, and what it was for, on one line."""
    note = reading.came.roll.note
    kept = [] if reading.came.verdict is None else [_kept(reading)]
    said = [*kept, *_effect_lines(table, reading)]
    line = joined(". ", [*said, *([note] if note else [])])
    return [line] if line else []


def _dice_lines(reading: RollReading) -> list[Text]:
    """The dice that counted, those left, and those that count for nothing: 1s, and removed ones."""
    roll, hand = reading.came.roll, reading.came.roll.hand
    at = [_die(die) for die in hand.dice]
    # Nothing is added to a botch, so what is beside it stands among what counts for nothing (R5).
    is_botch = bool(hand.plus or reading.beside) and reading.came.is_botch
    added = [modifier_words(each) for each in hand.plus] if hand.plus else []
    beside = () if is_botch else reading.beside
    counted = [*(at[place] for place in (*hand.total, *beside)), *([] if is_botch else added)]
    total = joined(", ", map(strong, counted))
    is_told = _is_effective(reading.came)
    effect = joined(", ", (strong(at[place]) if is_told else at[place] for place in hand.effects))
    if hand.hero:
        hero = strong(say("hero d{size}", size=hand.hero))
        effect = together(effect, ", ", hero) if effect else hero
    left = joined(", ", (at[place] for place in reading.left))
    of_effect = [say("Effect: {dice}", dice=effect)] if effect else []
    of_effect += [say("Left over: {dice}", dice=left)] if left else []
    others = [_marked(die, at[p], gm=roll.gm) for p, die in enumerate(hand.dice) if _counts_not(die)]
    if hand.has_apart:
        others += [at[p] for p, die in enumerate(hand.dice) if die.apart and p not in beside]
    rest = joined(", ", [*others, *(added if is_botch else [])])
    lines = [say("Total: {dice}", dice=total) if total else "", joined(". ", of_effect), rest]
    return [line for line in (*lines, _keep_line(hand, reading.usable)) if line]


def _keep_line(hand: Hand, count: int) -> Text:
    """What became of more dice to keep than the `count` there are; empty where there are as many (R1)."""
    if not count or hand.keep <= max(2, count):
        return ""
    if len(hand.total) == count:
        return say(
            "If you keep {keep}, every die that counts goes into the total, and none is left for the effect.",
            keep=hand.keep,
        )
    return say_of(
        count,
        "You can't keep {keep}: only {count} die counts.",
        "You can't keep {keep}: only {count} dice count.",
        keep=hand.keep,
    )


def _after_lines(roll: Roll) -> list[Text]:
    """What followed from a roll, the newest last; a card of its own says who gave in (T4)."""
    if not roll.after:
        return []
    told = {step: [fact for fact in of if not isinstance(fact, GaveIn)] for step, of in roll.after.items()}
    return [line for step in sorted(told) if told[step] for line in followed(roll.number, step, told[step])]


def _contest_lines(reading: RollReading) -> list[Text]:
    """What a roll of a contest waits for; a card of its own says who has won (T4)."""
    contest, came = reading.contest, reading.came
    if reading.is_in_doubt or contest is None or not reading.is_waiting:
        return []
    who, total = contest.sides[1 - contest.leader], came.kept.total
    return [say("{who}: beat {total} or give in.", who=who, total=total)]


def summed_up(came: Outcome) -> Text:
    """Return a roll in one line, like its card: who, what counts, and how it went."""
    return together(ROLLERS[came.roll.who], ": ", _came_to(came, came.counted))


def headline(roll: Roll, effects: tuple[int, ...] | None = None) -> Text:
    """Return who rolled, what counts, and how it went; `effects` replace those missing in old facts."""
    return together(ROLLERS[roll.who], ": ", _came_to(outcome.judged(roll), effects))


def changed_line(roll: Roll, effects: tuple[int, ...] | None = None) -> Text:
    """Return a roll's new result after a change: `Alice: now Total 18, effect d8`."""
    return say("{who}: now {what}", who=ROLLERS[roll.who], what=_came_to(outcome.judged(roll), effects))


def _came_to(came: Judged, effects: tuple[int, ...] | None) -> Text:
    found = came.kept.effects if effects is None else effects
    return joined(", ", [*_counted(came, found), *_verdict(came)])


def choice_words(choice: KeepChoice) -> Text:
    """Return a choice of kept dice: `Total 15, effect d8`."""
    return total_words(choice.total, choice.effects)


def total_words(total: int, effects: tuple[int, ...]) -> Text:
    """Return a total and its effect dice: `Total 15, effect d8`; without effect dice the total only (N10)."""
    if not effects:
        return say("Total {total}", total=total)
    return say("Total {total}, effect {effects}", total=total, effects=effect_words(effects))


def other_words(came: Judged, other: Outcome, price: Text = "") -> Text:
    """Return another choice of dice: `Total 18, effect d10 for 1 PP: heroic` (R4).

    It ends with the result only if that differs from the present one.
    """
    (*_, words) = _counted(other, other.counted)
    words = say("{choice} for {price}", choice=words, price=price) if price else words
    how, now = other.verdict, came.verdict
    if how is None or (now is not None and how.result is now.result):
        return words
    return say("{choice}: {result}", choice=words, result=result_word(how.result))


def share_words(share: tuple[int, ...], effects: tuple[Effect, ...]) -> Text:
    """Return the effect dice after sharing R7's steps in one way: `Effect d10 and d6` (R3)."""
    sizes = [say("past d{size}", size=e.size) if e.past else f"d{e.size}" for e in effects[: len(share)]]
    return say("Effect {effects}", effects=listed(sizes))


def die_words(die: RolledDie, *, gm: bool = False) -> Text:
    """Return a rolled die, with its label if nothing else names it: `Mind d10: 7`, `d6: 1 (hitch)`."""
    return aloud(_marked(die, _die(die), gm=gm))


def dice_words(hand: Hand, *, gm: bool = False) -> Text:
    """Return all dice of a hand, and the modifiers of its total."""
    dice = (_marked(each, _die(each), gm=gm) for each in hand.dice)
    return joined(", ", [*dice, *map(modifier_words, hand.plus)])


def modifier_words(one: Modifier) -> Text:
    """Return a modifier of a total with its label: `High ground +2` (N13)."""
    return f"{one.label} {one.number:+}".strip()


def _die(die: RolledDie) -> Text:
    return die_mark(die.size, die.face, doom_label() if die.source.kind is Special.FROM_DOOM else die.label)


def _marked(die: RolledDie, words: Text, *, gm: bool) -> Text:
    """A die with what it is besides: a hitch, an opportunity, removed, a hero die that counts."""
    marks = []
    if die.removed:
        marks.append(say("removed"))
    elif die.face <= die.low and not die.apart:
        marks.append(say("safe") if die.safe else say("{opportunity.one}") if gm else say("{hitch.one}"))
    if die.beside and die.face > die.low and not die.removed:
        marks.append(say("in the total"))
    return together(words, *(together(" (", mark, ")") for mark in marks))


def _counts_not(die: RolledDie) -> bool:
    return die.removed or (die.face <= die.low and not die.apart)


def seen(roll: Roll, effects: tuple[int, ...] | None) -> Text:
    """Return a roll in one line for the log: every visible die, and what the roll was for."""
    dice = aloud(dice_words(roll.hand, gm=roll.gm))
    if roll.against is not None and roll.against.hand is not None:
        theirs = aloud(dice_words(roll.against.hand, gm=not roll.against.of_player))
        dice = say("{dice} against {theirs}", dice=dice, theirs=theirs)
    line = together(headline(roll, effects), " (", dice, ")")
    return together(line, ". ", roll.note) if roll.note else line


def _verdict(came: Judged) -> list[Text]:
    return [] if came.verdict is None else [verdict_words(came.verdict)]


def _recovered(reading: RollReading) -> Text:
    """The trait that a roll tries to lose, as it is now."""
    goal, now = reading.came.roll.recovery, reading.recovering
    if goal is None:
        return ""
    if now is None:
        return say("{trait} (gone)", trait=goal.said or goal.trait)
    return trait_words(now.owner, goal.kind, now.trait)


def _effect_lines(table: Table, reading: RollReading) -> list[Text]:
    """What R7 makes of the effect, where it changes it."""
    came, roll, how = reading.came, reading.came.roll, reading.came.verdict
    if how is None and not roll.hand.raised:
        return []
    effects = came.effects
    if roll.hand.by in outcome.WITHOUT_EFFECT:
        return []
    if came.is_opposed:
        return [_counts(roll, effect_words(e.size for e in effects))] if effects else []
    if not effects or not (roll.hand.raised or (how is not None and how.steps)):
        return []
    past = sum(effect.past for effect in effects)
    if not reading.is_used_up or past > roll.outs:
        past -= roll.outs  # what is told can still be done, or was done last
    if roll.recovery is not None and past:
        return [say("Effect stepped up past d{size}", size=came.rules.sizes[-1])]
    was = came.kept.effects
    now = tuple(effect.size for effect in effects[: len(was)])
    if now == was and not past:
        return []
    line = _stepped(table, came, was, now, past)
    return [say("{line}, then used", line=line) if reading.is_used_up else line]


def _counts(roll: Roll, effects: Text) -> Text:
    """That the effect of who won against the roller counts, by name where it has one."""
    against = roll.against
    if against is not None and (roll.contest or against.target is not None):
        return say("{who} wins with effect {effects}", who=against_words(against), effects=effects)
    return say("The opposition wins with effect {effects}", effects=effects)


def _stepped(table: Table, came: Outcome, was: tuple[int, ...], now: tuple[int, ...], past: int) -> Text:
    """Which effect dice were stepped up, and what the steps past d12 give (R7)."""
    of = effect_words(was)
    if not past:
        return say("Effect {effects} stepped up", effects=of)
    sizes = came.rules.sizes
    gives = _beyond(table, came.roll, past, effect_words(outcome.further(past, sizes)))
    beyond = say_of(
        past,
        "{count} step past d{size}: {gives}",
        "{count} steps past d{size}: {gives}",
        size=sizes[-1],
        gives=gives,
    )
    if now == was:
        return beyond
    return say("Effect {effects} stepped up. {beyond}", effects=of, beyond=beyond)


def _beyond(table: Table, roll: Roll, past: int, begun: Text) -> Text:
    """What steps past d12 give; dice that are hit are never taken out (R7, K3, L3, B2)."""
    target = None if roll.against is None else roll.against.target
    foe = table.characters.get(target.key) if target is not None and target.foe is Foe.GMC else None
    is_mob = foe is not None and CORTEX.has(foe).rank is Rank.MOB
    if target is not None and (is_mob or target.foe in (Foe.CRISIS, Foe.CHALLENGE)):
        return say("one more effect of {dice}", dice=begun)
    return say_of(
        past,
        "a takeout, or one more effect of {dice}",
        "{count} takeouts, or one more effect of {dice}",
        dice=begun,
    )


def _against_lines(reading: RollReading) -> list[Text]:
    """What the roll was against, small: `Doom pool: Total 10, effect d4. d6: 4, d6: 6`."""
    against = reading.came.roll.against
    if against is None:
        return []
    helping = _helping_lines(against) if against.helps else []
    what = against_words(against)
    if others := [*against.plus, *map(modifier_words, against.modifiers)]:
        what = say("{what} with {others}", what=what, others=joined(", ", others))
    if against.hand is None or reading.theirs is None:
        is_more = others or against.label != str(against.number)
        return [*([small(say("Against {what}", what=what))] if is_more else []), *helping]
    dice = dice_words(against.hand, gm=not against.of_player)
    return [small(together(what, ": ", choice_words(reading.theirs), ". ", dice)), *helping]


def _helping_lines(against: Against) -> list[Text]:
    """What was named and stands in nobody's way, small (N2, N3)."""
    return [small(say("{trait} isn't in the way", trait=each)) for each in against.helps]


@WORDS.line(HiddenRolled)
def _hidden(fact: HiddenRolled) -> Text:
    return say("In secret: {roll}", roll=seen(fact.roll, fact.effects))


@WORDS.line(HiddenDropped)
def _dropped(fact: HiddenDropped) -> Text:
    return say("Dropped unseen: {roll}", roll=headline(fact.roll))


def _concerned(fact: RollMade) -> Iterable[str]:
    return fact.roll.on


@WORDS.in_log(RollMade, whom=_concerned)
def _made_in_log(fact: RollMade, of: Sequence[Fact], is_told: bool) -> Text:
    return seen(fact.roll, fact.effects)


@WORDS.in_log(RollChanged)
def _changed_in_log(fact: RollChanged, of: Sequence[Fact], is_told: bool) -> Text | None:
    """Return the whole roll after a line about it, or what it is now if no other fact says what was done."""
    if is_told:
        return seen(fact.roll, fact.effects)
    is_cause = all(isinstance(each, _RESULTS) for each in of)
    return changed_line(fact.roll, fact.effects) if is_cause else None


_RESULTS = (RollChanged, VerdictChanged, Contested, ContestWon)
"""Facts that follow from a change of dice, and don't say what was changed."""


def read_card(dice: str, game: str, left: Sequence[str] = ()) -> Card:
    """Return a private card with the dice found in a message, and the parts that could not be read."""
    roll = Button(say("Roll"), "rollthis", subject=game, weight=Weight.MAIN)
    change = Button(say("Change"), "changethis", subject=game)
    lines = [say("Dice in that message: {dice}", dice=code(dice))]
    if left:
        lines.append(say("Left out: {names}", names=", ".join(left)))
    return Card(tuple(lines), ((roll, change),), private=True, tone=Tone.CALM)


def change_form(dice: str) -> Form:
    """Return a form to correct the dice found in a message before rolling."""
    field = Field("dice", say("Dice"), dice)
    return Form(say("Roll these dice"), (field,))
