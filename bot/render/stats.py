"""What somebody rolled, and their luck, in words."""

from bot.language import say, say_of
from bot.render.card import heading, small
from bot.render.story import counted_line
from rules.luck import LEAST, Faces
from rules.story import Tally

RARE = 0.05
"""What happens more seldom is told with how seldom."""


def stats_lines(found: Tally, thrown: Faces, since: int = 0) -> list[str]:
    """Rolls and points in a line each, then the dice, size by size, and a sentence about luck.

    `since` is the step from which on they are counted; 0 where all are.
    """
    older = [small(counted_line(since))] if since else []
    if not found.rolls and not thrown.of:
        return [heading(found.name), *(older or [say("No dice were thrown.")])]
    return [
        heading(found.name),
        say(
            "{rolls}: {successes}, {heroic} of them heroic",
            rolls=say_of(found.rolls, "{count} roll", "{count} rolls"),
            successes=say_of(found.successes, "{count} success", "{count} successes"),
            heroic=found.heroic,
        ),
        ", ".join(
            [
                say_of(found.hitches, "{count} die with a 1", "{count} dice with a 1"),
                say_of(found.botches, "{count} botch", "{count} botches"),
            ]
        ),
        say("PP: {gained} in, {spent} out", gained=found.gained, spent=found.spent),
        *(_size(thrown, size) for size in thrown.of),
        luck_words(thrown),
        *older,
    ]


def _size(thrown: Faces, size: int) -> str:
    return say(
        "d{size}: {count} thrown, {mean:.1f} on average ({expected:.1f} expected)",
        size=size,
        count=thrown.count(size),
        mean=thrown.mean(size),
        expected=(size + 1) / 2,
    )


def luck_words(thrown: Faces) -> str:
    """Whether the dice were within what luck does, or how rarely that happens."""
    if thrown.dice < LEAST:
        return say("These are too few dice to speak of luck.")
    if thrown.chance >= RARE:
        return say("That is within what luck does.")
    often = round(1 / max(thrown.chance, 1e-6))
    if thrown.beyond > 0:
        return say("Fair dice are so far off once in {often} times; these came high.", often=often)
    return say("Fair dice are so far off once in {often} times; these came low.", often=often)
