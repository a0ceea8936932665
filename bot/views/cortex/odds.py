"""Odds of Cortex rolls as text."""

from bot.language import later, say, say_of
from bot.language.line import Text, heading, joined, small, together
from bot.language.printers import spelled
from bot.language.said import width
from bot.views.card import Button, Card, Tone, Weight
from bot.views.cortex.labels import against_words, written_dice
from bot.views.cortex.roll import modifier_words
from bot.views.labels import sizes
from bot.views.stats import share
from rules.cortex.model import Against
from rules.cortex.odds import KeptChances, OddsQuestion
from rules.cortex.pool import Pool
from rules.dice import Ladder

LEAST = 0.0005
"""A smaller chance would read as 0.0%."""
LONGEST = 600
"""Dice and what is in the way are named one by one up to this length."""
MOST_TYPED = 60
"""A typed roll of at most this many characters fits into the id of a button."""
HITCH = later("{hitch.One} {chance}")


def odds_card(asked: OddsQuestion, typed: str = "") -> Card:
    """Return the odds as a private card, with buttons that roll what was `typed` and share the odds."""
    rolls = [Button(say("Roll this"), "rollodds", subject=typed, weight=Weight.MAIN)]
    row = (*(rolls if 0 < len(typed) <= MOST_TYPED else []), share())
    return Card(tuple(odds_lines(asked)), (row,), private=True, tone=Tone.CALM)


def typed_whole(dice: str, vs: str | None, keep: int) -> str:
    """Return a roll as one text in dice notation.

    >>> typed_whole("2d6 d8", "doom", 3)
    '2d6 d8 keep 3 vs doom'
    """
    kept = f" keep {keep}" if keep != 2 else ""
    against = f" vs {vs}" if vs and vs.strip() else ""
    return ", ".join(f"{dice}{kept}{against}".splitlines())


def odds_lines(asked: OddsQuestion) -> list[Text]:
    """Return the odds as lines: the most important chance as the title, then the pool and all chances."""
    found = asked.odds
    first, *others = _chances(found.kept) or _mean(found.kept)
    if asked.against is not None:
        is_changed = asked.against.hand is None and (asked.against.plus or asked.against.modifiers)
        what = str(asked.against.number) if is_changed else against_words(asked.against)
        first = say("{chance} vs {what}", chance=first, what=what)
    return [
        heading(first),
        small(_asked(asked)),
        *others,
        *(line for reach, chance in found.effects.items() for line in _effect(reach, chance, found.ladder)),
        *_told(HITCH, found.hitch),
        *_told(later("Botch {chance}"), found.botch),
        *(_mean(found.kept) if asked.against is not None else []),
        *(
            [say("With 1 more {plot_point.short}: {chances}", chances=_bought(found.more))]
            if found.more
            else []
        ),
    ]


def brief_odds(asked: OddsQuestion) -> Text:
    """Return the odds that matter while building a pool, in one line."""
    found = asked.odds
    return joined(", ", [*_chances(found.kept), *_told(HITCH, found.hitch), *_mean(found.kept)])


def _asked(asked: OddsQuestion) -> Text:
    """What the odds are of: the dice, what they are against, and how many are kept."""
    dice = joined(", ", [_pool(asked.pool), *map(modifier_words, asked.plus)])
    line = say("Odds of {dice}", dice=dice)
    if asked.against is not None:
        line = say("Odds of {dice} vs {what}", dice=dice, what=_against(asked.against))
    return line if asked.keep in (0, 2) else say("{odds}, {count} kept", odds=line, count=asked.keep)


def _pool(pool: Pool) -> Text:
    """The dice with their labels, without where these are too long for a message that is shared."""
    full = written_dice(pool)
    return full if width(full) <= LONGEST else sizes(die.size for die in pool)


def _against(against: Against) -> Text:
    what = against_words(against)
    added = against.modifiers if against.hand is None else against.hand.plus
    plus: Text = joined(", ", [*against.plus, *map(modifier_words, added)])
    if width(plus) > LONGEST:
        plus = say_of(len(against.plus), "{count} more", "{count} more")
    if plus:
        what = say("{what} with {others}", what=what, others=plus)
    if against.hand is None:
        return say("{what}, {total} in all", what=what, total=against.number) if plus else what
    dice = sizes(die.size for die in against.hand.dice)
    return what if spelled(dice) in against.label else together(what, " (", dice, ")")


def _chances(kept: KeptChances) -> list[Text]:
    """The chances against a goal, where there is one."""
    if kept.success is None or kept.heroic is None:
        return []
    if not kept.success:
        return [say("Success isn't possible")]
    success = _told(later("Success {chance}"), kept.success) or [say("Success below 0.1%")]
    heroic = _told(later("Heroic {chance}"), kept.heroic)
    ever = kept.ever_heroic or 0.0
    is_more = f"{ever:.3f}" != f"{kept.heroic:.3f}"  # as it is told
    return [
        *success,
        *heroic,
        *(_told(later("Heroic with the best choice {chance}"), ever) if is_more else []),
    ]


def _effect(reach: int, chance: float, ladder: Ladder) -> list[Text]:
    if reach == len(ladder):
        return _told(later("Effect past d{size} {chance}"), chance, size=ladder[-1])
    return _told(later("Effect d{size} or more {chance}"), chance, size=ladder[reach])


def _told(text: str, chance: float, **values: object) -> list[Text]:
    """A chance, unless it would read as 0.0%."""
    return [say(text, chance=f"{100 * chance:.1f}%", **values)] if chance >= LEAST else []


def _bought(more: KeptChances) -> Text:
    return joined(", ", _chances(more) or _mean(more))


def _mean(kept: KeptChances) -> list[Text]:
    return [] if kept.mean is None else [say("Mean total {mean:.2f}", mean=kept.mean)]
