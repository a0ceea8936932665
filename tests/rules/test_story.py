"""A story is told from facts alone."""

from rules.causes import Seat, Stretch
from rules.cortex.state.facts import BackIn, PointsChanged, TakenOut, TraitChanged
from rules.cortex.state.kinds import Kind, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.table import Against, Hand, Roll, RolledDie
from rules.cortex.tools.deeds import Moments
from rules.facts import Began, OldWords, Seated
from rules.story import Story, story

DOCKS = (Began(Stretch.SCENE, 1, "The docks"),)
LAME = Trait("Lame", 8)


def roll(*kept: int) -> Roll:
    """Dice that show 3, 4, 5, of which those are kept, against 8."""
    hand = Hand((RolledDie(6, 3), RolledDie(6, 4), RolledDie(6, 5)), keep=3, total=kept)
    return Roll(3, 2, "Alice", hand, against=Against("8", 8))


def moments(told: Story) -> Moments:
    """What Cortex tells besides."""
    found = told.games[CORTEX.name]
    assert isinstance(found, Moments)
    return found


def test_a_point_that_turned_a_roll_is_told() -> None:
    paid = PointsChanged("Alice", 1, 0)
    told = story([(RollMade(roll(0, 1)),), (paid, RollChanged(roll(0, 1, 2)))])
    assert [each.number for each in moments(told).turned] == [3]
    (alice,) = told.people
    assert (alice["rolls"], alice["successes"], alice["spent"]) == (1, 1, 1)
    assert moments(story([(RollMade(roll(0, 1)),), (RollChanged(roll(0, 1, 2)),)])).turned == ()


def test_a_roll_of_the_session_before_counts_for_nothing() -> None:
    assert story([(RollChanged(roll(0, 1)),)]).people == ()


def test_a_complication_belongs_to_its_scene_until_it_goes() -> None:
    came, grew = TraitChanged("Alice", Kind.COMPLICATION, None, LAME), Trait("Lame", 10)
    grown = TraitChanged("Alice", Kind.COMPLICATION, LAME, grew)
    told = story([DOCKS, (came,), (Began(Stretch.SCENE, 2, "Roof"),), (grown,)])
    assert [each.decided for each in told.chapters] == [(), (grown,), ()]
    gone = TraitChanged("Alice", Kind.COMPLICATION, grew, None)
    assert [each.decided for each in story([DOCKS, (came,), (gone,)]).chapters] == [(), ()]


def test_who_pays_to_stay_in_was_not_taken_out() -> None:
    out = TakenOut("Alice", "Lame", Kind.COMPLICATION)
    assert story([DOCKS, (out,)]).chapters[1].decided == (out,)
    assert story([DOCKS, (out,), (BackIn("Alice", paid=True),)]).chapters[1].decided == ()


def test_who_is_renamed_stays_one() -> None:
    renamed = Seated("Zoe", Seat.RENAMED, was="Alice")
    before, later = (RollMade(roll(0)), PointsChanged("Alice", 0, 1)), (PointsChanged("Zoe", 1, 3),)
    told = story([before, (renamed,), later])
    (zoe,) = told.people
    assert (zoe.name, zoe["rolls"], zoe["gained"]) == ("Zoe", 1, 3)


def test_sentences_of_old_steps_say_nothing() -> None:
    told = story([(OldWords("Session 1 begins"), OldWords("Alice: 2 PP (+1)"))])
    assert (told.people, moments(told).rolls, told.notes) == ((), (), ())
