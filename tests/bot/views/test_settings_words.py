"""What is said of settings: what differs from the ruleset in few lines, subject by subject, all of them."""

from functools import partial

import pytest

from bot.language.line import BREAK
from bot.language.printers import phone_lines, spelled
from bot.language.said import width
from bot.views.settings import (
    LOG,
    MOST_FIELDS,
    MOST_LINES,
    SUBJECTS,
    about_setting,
    campaign_lines,
    page_of,
    pages_of,
    subject_lines,
)
from rules.campaign import lifecycle, seats
from rules.campaign.lifecycle import NAME, RULESET, differences, names, settings
from rules.campaign.seats import Actor
from rules.cortex.ruleset import PROFILES
from rules.settings import SettingInput, SettingSubject
from rules.table import Table
from tests.bot.views.asking import GM, after, begun

LONG = ", ".join(f"A very long name of something {n}" for n in range(10))
OTHER = {
    "trait sets": LONG,
    "assets in one pool": "7",
    "doom at the start of an act": "2d8 d10 d12",
    "stress tracks": LONG,
    "PP at a session's start": "3",
    "deadline": "720",
    "time zone": "America/Argentina/Buenos_Aires",
}


def all_changed() -> Table:
    """A table in which no setting is as its ruleset has it."""
    table = after(Table(), (GM, partial(lifecycle.found, name="The long way home", ruleset="adept")))
    known = settings()
    for name in names(table):
        if name in (NAME, RULESET):
            continue
        was = lifecycle.setting_value(table, name)
        value = OTHER.get(name) or next(each for each in known[name].values if each != was)
        table = known[name].put(table, known[name].read(value))
    return after(table, (GM, partial(seats.name_gm, player=Actor(9, "somebody else"))))


def lines(table: Table) -> list[str]:
    return [spelled(line) for line in campaign_lines(table) if line != BREAK]


def taken(table: Table) -> int:
    return sum(phone_lines(line) for line in campaign_lines(table) if line != BREAK)


def test_where_everything_differs_it_takes_sixteen_lines_of_a_phone_with_the_log() -> None:
    table = all_changed()
    assert len(differences(table)) == len(names(table)) - 2
    assert taken(table) <= MOST_LINES - 1  # the last one says where the log is
    shown = len(lines(table)[3:-1])
    assert lines(table)[-1] == f"and {len(differences(table)) - shown} more"
    assert shown >= 8


@pytest.mark.parametrize("count", range(1, 28))
def test_however_many_differ_they_take_no_more(count: int) -> None:
    whole, known = all_changed(), settings()
    table = after(Table(), (GM, partial(lifecycle.found, name="Skyfall", ruleset="adept")))
    for name in differences(whole)[-count:]:
        table = known[name].put(table, known[name].of(whole))
    assert taken(table) <= MOST_LINES - 1
    said = [line.partition(". ")[2] != "" for line in lines(table)[3:]]
    assert said == sorted(said, reverse=True)  # the first ones say what they do
    assert sum(said) >= min(count, 3) or count > 8


def test_what_differs_says_what_it_does() -> None:
    table = after(begun("adept"), (GM, partial(lifecycle.change, setting="opposition", value="static")))
    assert lines(table) == [
        "Skyfall",
        "GM: gm. Ruleset: adept",
        "Different from the ruleset:",
        "opposition: static. What opposes a roll: dice, a number, or doom",
    ]


def test_each_setting_says_in_60_characters_what_it_does() -> None:
    assert {
        name: width(about_setting(name)) for name in (*names(), LOG) if width(about_setting(name)) > 60
    } == {}


def test_each_setting_stands_in_one_subject_on_one_page() -> None:
    there = [name for each in SettingSubject for page in pages_of(each) for name in page]
    assert sorted(there) == sorted(names())
    assert {*SUBJECTS} == {*SettingSubject}
    for name in names():
        subject, page = page_of(name)
        assert name in pages_of(subject)[page]
    assert page_of(LOG) == (SettingSubject.LOOKS, 0)


def test_a_page_is_a_form_of_at_most_five_fields() -> None:
    known = settings()
    for page in (page for each in SettingSubject for page in pages_of(each)):
        takes = [known[name].takes for name in page]
        assert (
            len([each for each in takes if each is not SettingInput.SWITCH]) + (SettingInput.SWITCH in takes)
            <= MOST_FIELDS
        )
        assert takes.count(SettingInput.SWITCH) <= 10


def test_a_page_takes_sixteen_lines_of_a_phone_by_each_ruleset() -> None:
    for ruleset in PROFILES:
        table = after(Table(), (GM, partial(lifecycle.found, name="Skyfall", ruleset=ruleset)))
        for subject in SettingSubject:
            for page in range(len(pages_of(subject))):
                assert sum(map(phone_lines, subject_lines(table, subject, page))) <= MOST_LINES
