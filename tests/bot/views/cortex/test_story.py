"""Who fell and who won, as a recap tells it: a sentence a person."""

import pytest

from bot.language.printers import spelled
from bot.views.story import whole_story
from rules.campaign.story import story
from rules.cortex.facts import BackIn, Called, ContestWon, GaveIn, Over, SceneCut, TakenOut
from rules.cortex.kinds import Ending, Foe, TraitKind
from rules.facts import Began, Fact, Stretch
from rules.table import Table

FLOOD, STORM, REGENT = (
    Called(foe, name)
    for foe, name in ((Foe.CRISIS, "Flood"), (Foe.CHALLENGE, "Storm"), (Foe.GMC, "The Regent"))
)


def fell(who: str, *, for_good: bool = False) -> TakenOut:
    return TakenOut(who, "Physical", TraitKind.STRESS, for_good)


@pytest.mark.parametrize(
    ("facts", "fates"),
    [
        (
            (fell("Rook"), BackIn("Rook"), Over(REGENT, Ending.DEFEATED, "Corvin")),
            [
                "Rook was taken out by Physical stress and came back.",
                "Corvin struck the last blow against The Regent.",
            ],
        ),
        (
            (fell("Rook"), BackIn("Rook", paid=True), fell("Mira", for_good=True)),
            ["Rook was nearly taken out, but stayed in.", "Mira was taken out for good by Physical stress."],
        ),
        (
            (fell("Rook"), TakenOut("Rook", "Mental", TraitKind.STRESS)),
            ["Rook was taken out by Physical stress and by Mental stress."],
        ),
        (
            (Over(FLOOD, Ending.RESOLVED, "Mira"), Over(STORM, Ending.WON, "Mira")),
            ["Mira resolved Crisis Flood and won Challenge Storm."],
        ),
        (
            (Over(FLOOD, Ending.RESOLVED), Over(STORM, Ending.WON), Over(REGENT, Ending.DEFEATED)),
            ["Crisis Flood was resolved.", "Challenge Storm was won.", "The Regent was defeated."],
        ),
        (
            (Over(FLOOD, Ending.ENDED), Over(STORM, Ending.LOST)),
            ["Crisis Flood ended.", "Challenge Storm was lost."],
        ),
        (
            (ContestWon("Mira", "Rex", "the map"), GaveIn("Rex", "Ilse"), SceneCut("The roof falls in")),
            [
                "Mira won against Rex (the map).",
                "Rex gave in to Ilse.",
                "The GM ended the scene: The roof falls in.",
            ],
        ),
    ],
)
def test_who_fell_and_who_won_is_a_sentence_a_person(facts: tuple[Fact, ...], fates: list[str]) -> None:
    told = story([(Began(Stretch.SCENE, 1, "The docks"),), *((fact,) for fact in facts)])
    ((scene,), _) = whole_story(told, Table(), is_last=False)
    assert [spelled(line) for line in scene.fates] == fates
