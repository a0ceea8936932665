"""What somebody rolled, and their luck."""

from bot.language import say
from bot.language.line import Text, heading, small, together
from bot.views.card import Button
from bot.views.labels import roller_words
from bot.views.story import counted_line, figures
from rules.campaign.story import Tally
from rules.dice import LEAST, Faces
from rules.table import Table

RARE = 0.05
"""What happens more seldom is told with how seldom."""


def stats_lines(table: Table, found: Tally, thrown: Faces, since: int = 0) -> list[Text]:
    """Return rolls and points in a line each, then the dice by size, and a sentence about luck.

    `since` is the first step that is counted; 0 for all.
    """
    older = [small(counted_line(since))] if since else []
    if not found["rolls"] and not thrown.of:
        return [heading(roller_words(found.name)), *(older or [say("No dice were rolled.")])]
    return [
        heading(roller_words(found.name)),
        *figures(found, table),
        *(_size(thrown, size) for size in thrown.of),
        luck_words(thrown),
        *older,
    ]


def _size(thrown: Faces, size: int) -> Text:
    return say(
        "d{size}: {count} rolled, {mean:.1f} on average ({expected:.1f} expected)",
        size=size,
        count=thrown.count(size),
        mean=thrown.mean(size),
        expected=(size + 1) / 2,
    )


def luck_words(thrown: Faces) -> Text:
    """Return whether the total and the spread of the dice are normal, or how rare they are."""
    if thrown.dice < LEAST:
        return say("Too few dice were rolled to judge luck.")
    found, expected = f"{thrown.uneven:.1f}", thrown.uneven_expected
    if min(thrown.chance, thrown.uneven_chance) >= RARE:
        return say(
            "The dice look fair (chi-square {found}; about {expected} is normal).",
            found=found,
            expected=expected,
        )
    return together(_sum(thrown), " ", _spread(thrown))


def _sum(thrown: Faces) -> Text:
    if thrown.chance >= RARE:
        return say("The total looks fair.")
    often = _once_in(thrown.chance)
    if thrown.beyond > 0:
        return say(
            "The total is high: fair dice would be this far off only once in {often:,} tries.", often=often
        )
    return say("The total is low: fair dice would be this far off only once in {often:,} tries.", often=often)


def _spread(thrown: Faces) -> Text:
    """How evenly the faces came, beside what that comes to for fair dice."""
    found, expected = f"{thrown.uneven:.1f}", thrown.uneven_expected
    if thrown.uneven_chance >= RARE:
        return say(
            "The faces look fair (chi-square {found}; about {expected} is normal).",
            found=found,
            expected=expected,
        )
    return say(
        "The faces are uneven: fair dice would be this uneven once in {often:,} tries (chi-square "
        "{found}; about {expected} is normal).",
        often=_once_in(thrown.uneven_chance),
        found=found,
        expected=expected,
    )


def _once_in(chance: float) -> int:
    return round(1 / max(chance, 1e-6))


def share() -> Button:
    """Return the button that shows odds to everybody."""
    return Button(say("Share"), "shareodds")
