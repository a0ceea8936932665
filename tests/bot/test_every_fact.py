"""The law of all facts: whatever one holds, it can be kept, said, logged, undone, told and handed on."""

from datetime import UTC, datetime
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.language.printers import spelled
from bot.pictures.charts import session_drawings
from bot.pictures.cortex.session import flow
from bot.services.responses import step_card
from bot.store import codec, files
from bot.store.history import Author, LogStep
from bot.views import chronicle
from bot.views.facts import (
    concerned,
    fact_lines,
    log_lines,
    news,
    recap_lines,
    rolls_now,
    step_words,
    summary,
    told_line,
)
from bot.views.stats import stats_lines
from bot.views.story import person_lines, story_lines, whole_story
from rules import facts
from rules.campaign.rolls import faces
from rules.campaign.story import appearances, story, together
from rules.cortex.facts import Contested, HiddenDropped, HiddenRolled, RollChanged, RollMade
from rules.cortex.model import CORTEX, CortexTable
from rules.facts import Fact, Redone, Stretch, Told, Undone
from rules.game import Step, played
from rules.ore.model import ORE, OreRolled, OreTable
from rules.table import Character, Table
from rules.values import members
from rules.visibility import stored_step, with_newcomers
from tests import every_fact

TABLE = ORE.put(
    CORTEX.put(
        Table(
            8,
            gms={1: "Greta"},
            characters={"alice": Character("Alice", player=2), "rain": Character("Rain", player=3)},
        ),
        CortexTable(rolls={8: every_fact.ROLL}),
    ),
    OreTable(rolls={8: every_fact.ORE_ROLL}),
)
SILENT = (RollMade, RollChanged, OreRolled, Contested)
"""What a card says, and no line."""

DEEP = 3
"""So many classes deep any two parts of a fact differ at once in `.ci/run`."""
ROLL_AGAIN = (RollChanged, HiddenRolled, HiddenDropped)
"""Facts that hold a roll, whose parts differ at once in `RollMade` already."""
PAIRS = [
    *(pytest.param(kind, 1, id=kind.__name__) for kind in every_fact.KINDS),
    *(
        pytest.param(kind, DEEP, id=f"{kind.__name__} deep", marks=pytest.mark.slow)
        for kind in every_fact.KINDS
        if kind not in ROLL_AGAIN
    ),
]
UNDOABLE = set(members(Told))


def logged(number: int, *of: Fact) -> LogStep:
    """A step as the log has it."""
    when = datetime(2026, 11, 24, tzinfo=UTC)
    return LogStep(number, Author(2, "Alice"), when, codec.write_facts(of), number, number - 1, number)


def at_a_table(fact: Fact) -> Table:
    """A table on which lies what a fact is about."""
    roll = getattr(fact, "roll", None)
    for game in played():
        if game.part.rolls is not None and isinstance(roll, game.part.rolls):
            made: Any = roll
            return game.part.with_rolls(TABLE, {made.number: made})
    return TABLE


@pytest.mark.parametrize(("kind", "pairs"), PAIRS)
def test_every_fact_can_be_kept_said_taken_back_and_told_again(kind: type, pairs: int) -> None:
    found = every_fact.every(kind, pairs=pairs)
    assert len({repr(each) for each in found}) == len(found)
    with capture_logs() as unsaid:
        for fact in found:
            said = [*map(spelled, fact_lines(fact))]
            assert all(said), fact
            assert said or isinstance(fact, SILENT), fact
            is_told_in_the_log(fact, is_legible=kind is not facts.Illegible)
            [*map(spelled, news(TABLE, [fact])[0])]
            concerned(TABLE, [fact])
        for fact in every_fact.every(kind, pairs=0) if kind in UNDOABLE else ():
            is_told_in_the_log(Undone(3, (fact,)))
            is_told_in_the_log(Redone(3, (fact,)))
    assert unsaid == []


def is_told_in_the_log(fact: Fact, is_legible: bool = True) -> None:
    """A step with this fact is read again as it was written, and has its lines in the log."""
    step = logged(4, fact)
    assert step.facts == (fact,) or not is_legible, fact
    assert all(spelled(line).strip() for line in (*log_lines([step]), *recap_lines([step]), step_words(step)))
    assert spelled(summary((fact,))), fact
    assert spelled(told_line(step, rolls_now(TABLE, [step]), "", 300))


@pytest.mark.parametrize("kind", every_fact.KINDS, ids=lambda kind: kind.__name__)
def test_every_fact_has_a_place_in_story_chronicle_charts_and_files(kind: type) -> None:
    begun = logged(1, facts.Began(Stretch.SCENE, 1, "Docks"))
    with capture_logs() as unsaid:
        for fact in every_fact.every(kind, pairs=0):
            table = at_a_table(fact)
            steps = [begun.facts, (fact,), *([(Undone(2, (fact,)),)] if kind in UNDOABLE else [])]
            found = story(steps)
            assert story_lines(found, table, 1, is_last=True)
            scenes, more = whole_story(found, table, is_last=True)
            charts = session_drawings(steps, table, is_last=True)
            shown = chronicle.ToldSession("Session 1", (), scenes, more, person_lines(found), charts)
            whole = chronicle.Chronicle(
                "Skyfall",
                ("Greta",),
                (),
                (shown, shown),
                person_lines(found),
                chronicle.who_is_who(appearances([(1, found)], ["Alice"])),
            )
            assert chronicle.markdown(whole)
            assert chronicle.page(whole)
            assert stats_lines(Table(), together("Everybody", found.people), faces(steps))
            flow(steps, table)
            step = with_newcomers(table, Step(table, (fact,)))
            assert step_card(table, step)
            kept = stored_step(step).table
            if getattr(fact, "roll", None) is not None:
                continue  # made-up rolls do not fit their verdicts, and files are checked
            again = files.read(files.write_table(kept, 1, 2).decode())
            assert isinstance(again, files.TableFile)
    assert unsaid == []
