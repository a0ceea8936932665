"""What things of Cortex are called: pools, verdicts, reasons."""

from bot.language import say
from bot.language.line import Text, capital, together
from bot.language.printers import spelled
from bot.render.cortex.kinds import CAUSES, FOES, RESULTS
from bot.render.parts import ROLLERS
from rules.cortex import gm_pools
from rules.cortex.facts import Called, TurnCame, Why
from rules.cortex.kinds import Result, Verdict
from rules.cortex.model import Against
from rules.names import GM

_AND_DOOM = " and doom"
"""What a roll is called against at its end, where doom is in the way besides."""


def verdict_words(how: Verdict) -> Text:
    """How a roll went: `vs 11: success by 3`."""
    words = RESULTS[how.result]
    text = words.against if how.margin or not words.level else words.level
    return say(text, difficulty=how.difficulty, margin=how.margin)


def result_word(result: Result) -> Text:
    """How a roll would go, in a word: `heroic`."""
    return say(RESULTS[result].word)


def answer_words(waiting: str, leader: str, total: int) -> Text:
    """Who is to answer whom in a contest, and what with (T4)."""
    return say(
        "{who} needs to answer {leader}: beat {total} or give in.", who=waiting, leader=leader, total=total
    )


def called(pool: Called) -> Text:
    """What a pool of the GM is called: `Doom pool`, `Crisis Fire`, `Rex`."""
    return say(FOES[pool.foe].title, name=pool.name)


def against_words(against: Against) -> Text:
    """What is against a roll, as it is called."""
    label, target = against.label, against.target
    if target is not None:
        title = gm_pools.FOES[target.foe].title
        if not title or not label.startswith(title):  # what a roll was for is no title
            return label
        return say(FOES[target.foe].title, name=label.removeprefix(title))
    if label.endswith(_AND_DOOM):
        return say("{what} and {doom_pool.short}", what=label.removesuffix(_AND_DOOM))
    return ROLLERS[label] if label in (gm_pools.DOOM_NAME, GM) else label


def why_words(why: Why) -> Text:
    """Why something changed."""
    return CAUSES[why.cause](why)


def unnamed(*, is_asset: bool) -> str:
    """What a trait is called that nobody has named: it stays at the table under that name."""
    return spelled(say("Advantage") if is_asset else say("Trouble"))


def turn_came(fact: TurnCame) -> Text:
    """Say whose turn it is: `It's Bob's turn (Challenge Storm, round 2)`."""
    where = round_of(fact.of, fact.round)
    if fact.limit:
        where = say("{round} of {rounds}", round=where, rounds=fact.limit)
    if fact.who:
        return say("It's {who}'s turn ({round})", who=fact.who, round=where)
    where = capital(where)
    if fact.by:
        return say("{round} begins: {who} chooses who acts first", round=where, who=fact.by)
    return say("{round} begins: who is first?", round=where)


def round_of(of: Called | None, number: int) -> Text:
    """A round: `round 2`, `Challenge Storm, round 2`."""
    if of is None:
        return say("round {round}", round=number)
    return say("{what}, round {round}", what=called(of), round=number)


def because(why: Why | None) -> Text:
    """Why something changed, behind what changed; nothing where nobody says it."""
    return together(", ", why_words(why)) if why else ""
