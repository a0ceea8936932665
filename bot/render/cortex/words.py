"""What things of Cortex are called: pools, verdicts, reasons."""

from bot.language import say
from bot.language.line import Text
from bot.language.printers import spelled
from bot.render.cortex.kinds import CAUSES, FOES, RESULTS
from rules.cortex.state.causes import Called, Why
from rules.cortex.state.kinds import Result, Verdict
from rules.cortex.state.table import Against
from rules.cortex.traits import doom


def verdict_words(how: Verdict) -> Text:
    """How a roll went: `vs 11: success by 3`."""
    words = RESULTS[how.result]
    if how.margin and words.by:
        return say(words.by, difficulty=how.difficulty, margin=how.margin)
    return say(words.against, difficulty=how.difficulty)


def result_word(result: Result) -> Text:
    """How a roll would go, in a word: `heroic`."""
    return say(RESULTS[result].word)


def answer_words(waiting: str, leader: str, total: int) -> Text:
    """Who is to answer whom in a contest, and what with (T4)."""
    return say(
        "{who} is to answer {leader}: beat {total}, or give in.", who=waiting, leader=leader, total=total
    )


def called(pool: Called) -> Text:
    """What a pool of the GM is called: `Doom pool`, `Crisis Fire`, `Rex`."""
    return say(FOES[pool.foe].title, name=pool.name)


def against_words(against: Against) -> Text:
    """What is against a roll, as it is called."""
    return say(against.label) if against.label == doom.NAME else against.label


def why_words(why: Why) -> Text:
    """Why something changed."""
    return CAUSES[why.cause](why)


def unnamed(*, is_asset: bool) -> str:
    """What a trait is called that nobody has named: it stays at the table under that name."""
    return spelled(say("Advantage") if is_asset else say("Trouble"))
