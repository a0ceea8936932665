"""A story is told from facts alone."""

import pytest

from rules.campaign.story import Appearance, Chapter, SessionStory, appearances, story
from rules.cortex.facts import (
    BackIn,
    Called,
    Change,
    ContestWon,
    Over,
    PointsChanged,
    PoolChanged,
    RollChanged,
    RollMade,
    TakenOut,
    TraitChanged,
)
from rules.cortex.kinds import Ending, Foe, Rank, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, Against, Hand, Roll, RolledDie
from rules.cortex.story import Moments
from rules.facts import (
    Began,
    Ended,
    Noted,
    OldWords,
    Quoted,
    RollNoted,
    SeatChange,
    Seated,
    SettingChanged,
    Stretch,
)
from rules.game import Attempt, AttemptResult
from rules.values import replace

DOCKS = (Began(Stretch.SCENE, 1, "The docks"),)
LAME = Trait("Lame", 8)


def roll(*kept: int, number: int = 3, who: str = "Alice", note: str = "") -> Roll:
    """Dice that show 3, 4, 5, of which those are kept, against 8."""
    hand = Hand((RolledDie(6, 3), RolledDie(6, 4), RolledDie(6, 5)), keep=3, total=kept)
    return Roll(number, 2, who, hand, against=Against("8", 8), note=note)


def moments(told: SessionStory) -> Moments:
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
    came, grew = TraitChanged("Alice", TraitKind.COMPLICATION, None, LAME), Trait("Lame", 10)
    grown = TraitChanged("Alice", TraitKind.COMPLICATION, LAME, grew)
    told = story([DOCKS, (came,), (Began(Stretch.SCENE, 2, "Roof"),), (grown,)])
    assert [each.decided for each in told.chapters] == [(), (grown,), ()]
    gone = TraitChanged("Alice", TraitKind.COMPLICATION, grew, None)
    assert [each.decided for each in story([DOCKS, (came,), (gone,)]).chapters] == [(), ()]


def test_that_somebody_paid_to_stay_in_says_that_they_were_taken_out() -> None:
    out, stays = TakenOut("Alice", "Lame", TraitKind.COMPLICATION), BackIn("Alice", paid=True)
    assert story([DOCKS, (out,)]).chapters[1].decided == (out,)
    assert story([DOCKS, (out,), (stays,)]).chapters[1].decided == (stays,)
    assert story([DOCKS, (out,), (stays,), (out,)]).chapters[1].decided == (out,), "how it ended"
    back = BackIn("Alice")
    assert story([DOCKS, (out,), (back,), (out,)]).chapters[1].decided == (out, back, out)


def test_who_is_renamed_stays_one() -> None:
    renamed = Seated("Zoe", SeatChange.RENAMED, was="Alice")
    before, later = (RollMade(roll(0)), PointsChanged("Alice", 0, 1)), (PointsChanged("Zoe", 1, 3),)
    told = story([before, (renamed,), later])
    (zoe,) = told.people
    assert (zoe.name, zoe["rolls"], zoe["gained"]) == ("Zoe", 1, 3)


def test_sentences_of_old_steps_say_nothing() -> None:
    told = story([(OldWords("Session 1 begins"), OldWords("Alice: 2 PP (+1)"))])
    assert (told.people, moments(told).rolls, told.chapters) == ((), (), (Chapter(0),))


def test_a_roll_with_a_note_is_told_and_one_without_is_counted() -> None:
    tried, other = RollMade(roll(0, 1, note="Force the door")), RollMade(roll(0, number=4))
    (_, docks) = story([DOCKS, (tried,), (other,)]).chapters
    assert docks.attempts == (Attempt(3, "Alice", "Force the door", AttemptResult.FAILURE),)
    assert (docks.untold, docks.rolls, docks.is_quiet) == ({"Alice": 1}, 1, False)


def test_what_a_roll_was_for_may_be_said_later_and_anew() -> None:
    later = (RollNoted(3, "Alice", "Calm the crowd"),)
    told = story([DOCKS, (RollMade(roll(0, 1)),), later]).chapters[1]
    assert [attempt.note for attempt in told.attempts] == ["Calm the crowd"]
    assert not told.untold


def test_a_roll_is_told_as_it_ended_and_against_whom() -> None:
    at_rex = replace(roll(0, 1), note="Hit", against=Against("Rex", 8, target=Target(Foe.GMC, "rex")))
    won = replace(at_rex, hand=replace(at_rex.hand, total=(0, 1, 2)))
    (attempt,) = story([(RollMade(at_rex),), (RollChanged(won),)]).chapters[0].attempts
    assert (attempt.went, attempt.against) == (AttemptResult.SUCCESS, "Rex")
    (renamed,) = (
        story([(RollMade(won),), (Seated("Regent", SeatChange.RENAMED, was="Rex"),)]).chapters[0].attempts
    )
    assert renamed.against == "Regent"


@pytest.mark.parametrize(
    ("label", "target", "name"),
    [
        ("Crisis the Flood", Target(Foe.CRISIS, "the flood"), "the Flood"),
        ("Challenge Storm", Target(Foe.CHALLENGE, "storm"), "Storm"),
        ("doom", Target(Foe.DOOM), ""),
        ("hard", None, ""),
    ],
)
def test_what_stood_against_a_roll_is_told_where_it_has_a_name(label: str, target: Target, name: str) -> None:
    rolled = replace(roll(0, 1, note="Hit"), against=Against(label, 8, target=target))
    assert story([(RollMade(rolled),)]).chapters[0].attempts[0].against == name


def test_what_a_roll_left_stands_with_it_and_what_came_otherwise_with_its_scene() -> None:
    came = TraitChanged("Alice", TraitKind.COMPLICATION, None, LAME)
    tried = RollMade(roll(0, 1, note="Jump"))
    told = story([DOCKS, (tried,), (came, RollChanged(tried.roll))]).chapters[1]
    assert (told.attempts[0].left, told.decided) == ((came,), ())
    told = story([DOCKS, (tried,), (came,)]).chapters[1]
    assert (told.attempts[0].left, told.decided) == ((), (came,))


def test_rolls_of_a_contest_that_was_won_are_told_by_who_won_it() -> None:
    first = replace(roll(0, 1, note="the throne"), contest=3)
    won = ContestWon("Bob", "Alice", "the throne")
    told = story([DOCKS, (RollMade(first),), (won,)]).chapters[1]
    assert (told.attempts, told.decided, told.untold) == ((), (won,), {})
    assert len(story([DOCKS, (RollMade(first),)]).chapters[1].attempts) == 1, "it goes on"


def test_what_came_and_what_ended_is_told_and_what_ended_says_that_it_came() -> None:
    fire, rex = Called(Foe.CRISIS, "Fire"), Called(Foe.GMC, "Rex")
    came, over = PoolChanged(fire, (), (6,), Change.NEW), Over(fire, Ending.RESOLVED)
    boss = PoolChanged(rex, (), (8, 8), Change.ENTERED, rank=Rank.BOSS)
    told = story([DOCKS, (came,), (boss,), (over,)])
    assert told.chapters[1].decided == (over,)
    assert story([DOCKS, (came,)]).chapters[1].decided == (came,)


def test_who_comes_back_is_told_but_not_that_all_do_at_the_end_of_a_scene() -> None:
    out, back = TakenOut("Alice", "Lame", TraitKind.COMPLICATION), BackIn("Alice")
    assert story([DOCKS, (out,), (back,)]).chapters[1].decided == (out, back)
    assert story([DOCKS, (out,), (Ended(Stretch.SCENE, 1), back)]).chapters[1].decided == (out,)


def test_new_faces_renames_the_gm_and_the_ruleset_are_told_once() -> None:
    new, played = Seated("Zoe", SeatChange.NEW), Seated("Zoe", SeatChange.PLAYED, "Ana")
    gm, ruled = Seated("Greta", SeatChange.GM, "Greta"), SettingChanged("ruleset", "adept")
    away, other = Seated("Rex", SeatChange.WAITS), SettingChanged("dice", "words")
    told = story([(new, played), (gm,), (ruled,), (away,), (other,)])
    assert told.chapters[0].decided == (played, gm, ruled)


def test_who_is_renamed_has_the_new_name_in_all_that_was_decided() -> None:
    out, renamed = (
        TakenOut("Alice", "Lame", TraitKind.COMPLICATION),
        Seated("Zoe", SeatChange.RENAMED, was="Alice"),
    )
    again = Seated("Ann", SeatChange.RENAMED, was="Zoe")
    told = story([(out,), (renamed,), (again,)]).chapters[0].decided
    assert told == (
        TakenOut("Ann", "Lame", TraitKind.COMPLICATION),
        Seated("Ann", SeatChange.RENAMED, was="Alice"),
        again,
    )


def test_who_is_who_is_by_session_with_what_was_noted() -> None:
    one = story([(Noted("He lies", about="Regent"),), (RollMade(roll(0)),)])
    two = story([(Noted("He fell", about="regent"),)])
    found = appearances([(1, one), (2, two)], ["Alice", "Bob"])
    assert found == [Appearance("Alice", (1,)), Appearance("Regent", (1, 2), ("He lies", "He fell"))]


def test_who_is_quoted_is_told_until_it_is_taken_out() -> None:
    lies = Quoted("The map lies.", "Alice", "Mira", 2, 77)
    told = story([DOCKS, (lies,), (replace(lies, text="", message=78),)])
    assert [each.decided for each in told.chapters] == [(), (lies,)]
    assert [(each.name, each.sessions) for each in appearances([(1, told)], ["Mira", "Rex"])] == [
        ("Mira", (1,))
    ]


def test_a_day_of_the_story_stands_with_its_scene() -> None:
    told = story([(Began(Stretch.SCENE, 1, "The docks", "Third day of frost"),)])
    assert told.chapters[1].day == "Third day of frost"
