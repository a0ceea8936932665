"""The form of a page of settings: what is sent changes what whoever sent it has changed, and nothing else."""

import re
from functools import partial

import pytest

from bot.client.forms import MOST_RADIOS
from bot.views import settings
from bot.views.card import Form
from bot.views.question import Fields, Pressed
from bot.views.settings import pages_of
from rules.campaign import lifecycle
from rules.campaign.lifecycle import NAME, setting_value
from rules.errors import NotAllowed, SettingOff, TooLate
from rules.settings import SettingInput, SettingSubject
from rules.table import Table
from rules.values import replace
from tests.bot.views.asking import ALICE, GM, after, begun

PAGES = [f"{subject}.{page}" for subject in SettingSubject for page in range(len(pages_of(subject)))]


def opened(table: Table, page: str) -> Form:
    return settings.change_form(table, GM, Pressed("settingschange", 1, 0, page))


def home(page: str) -> Table:
    """A table that has the settings of a page: of Cortex, else of One-Roll."""
    table = begun("prime")
    return table if settings.settings_on(table, *settings.read_page(page)) else begun("one-roll")


def filled(form: Form, **changes: str) -> Fields:
    return Fields({field.key: field.value for field in form.fields} | changes)


def sent(table: Table, form: Form, fields: Fields) -> Table:
    assert form.subject is not None
    return settings.read_change(form.subject, fields)(table, GM).table


def sent_with_needed(table: Table, page: str, **changes: str) -> Table:
    """The table after a page is sent; what a value needs of another setting is turned on first."""
    form = opened(table, page)
    try:
        return sent(table, form, filled(form, **changes))
    except SettingOff as off:
        change = partial(lifecycle.change, setting=off.setting, value=off.value)
        return sent_with_needed(after(table, (GM, change)), page, **changes)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_sent_as_it_was_opened_changes_nothing(page: str) -> None:
    form = opened(home(page), page)
    with pytest.raises(NotAllowed, match="as it was"):
        sent(home(page), form, filled(form))


@pytest.mark.parametrize("page", PAGES)
def test_every_option_of_every_page_is_understood(page: str) -> None:
    table, known = home(page), lifecycle.settings()
    form = opened(table, page)
    assert re.fullmatch(settings.OPENED, form.subject or "")
    assert len(str(Pressed("settingschange", 2**40, 0, form.subject or ""))) <= 100
    for field in form.fields:
        if field.key == settings.ON:
            for option in field.options:
                ticked = {*field.value.split(","), ""} ^ {option.value}
                if option.value == "doom over acts":  # which goes with the doom pool, or does nothing
                    ticked |= {"doom pool"}
                changed = sent_with_needed(table, page, on=",".join(ticked))
                assert setting_value(changed, option.value) != setting_value(table, option.value)
            continue
        assert len(field.options) <= MOST_RADIOS
        more = [*known[field.key].values, f"{field.value}, Skyward"]
        values = [each.value for each in field.options] or more[:1]
        for value in values:
            if value != field.value:
                changed = sent_with_needed(table, page, **{field.key: value})
                assert setting_value(changed, field.key) == value


def test_two_forms_at_once_change_each_what_was_changed_in_it() -> None:
    table = begun()
    first, second = opened(table, "doom.0"), opened(table, "doom.0")
    table = sent(
        table, first, filled(first, **{"hitches buy": "doom", "on": "doom pool,crisis pools,challenges"})
    )
    table = sent(
        table, second, filled(second, opportunities="SFX only", on="doom pool,doom over acts,challenges")
    )
    values = {name: setting_value(table, name) for name in pages_of(SettingSubject.DOOM)[0]}
    assert values == {
        "hitches buy": "doom",
        "opportunities": "SFX only",
        "doom pool": "on",
        "doom at the start of an act": "2d6",
        "doom over acts": "off",
        "crisis pools": "off",
        "challenges": "on",
    }


def test_a_form_that_is_opened_again_is_held_against_what_it_was_opened_with_at_first() -> None:
    form = opened(begun(), "doom.0")
    changed = after(begun(), (GM, partial(lifecycle.change, setting="hitches buy", value="doom")))
    assert opened(changed, form.subject or "").subject == form.subject


def test_a_change_of_capitals_alone_is_one() -> None:
    form = opened(begun(), "looks.0")
    assert sent(begun(), form, filled(form, **{NAME: "SKYFALL"})).name == "SKYFALL"


def test_a_table_without_a_name_is_not_asked_for_one() -> None:
    table = replace(begun(), name="")
    form = opened(table, "looks.0")
    assert [field.key for field in form.fields if not field.required] == [NAME]
    assert sent(table, form, filled(form, dice="words")).name == ""


@pytest.mark.parametrize(
    "subject", ["luck.0", "doom.9", "doom.0.1", "doom.0.1.1.1.1", "rolling.0.1.1.1.1.1.1", "doom.0.1.1.1.fff"]
)
def test_a_form_of_another_version_of_the_bot_is_refused(subject: str) -> None:
    form = opened(begun(), "doom.0")
    with pytest.raises(TooLate):
        settings.read_change(subject, filled(form))(begun(), GM)


@pytest.mark.parametrize("chosen", [(), ("settings.luck.0",), ("settings.doom.7",), ("table",)])
def test_what_is_in_no_menu_is_refused(chosen: tuple[str, ...]) -> None:
    with pytest.raises(TooLate):
        settings.chosen_view(chosen)


def test_players_have_no_button_that_changes() -> None:
    table = after(begun(), (GM, partial(lifecycle.change, setting="opposition", value="static")))
    verbs = [
        [each.verb for each in settings.page_buttons(table, "settings.rolling.0", who)]
        for who in (GM, ALICE, None)
    ]
    assert verbs == [["settingschange", "settingsreset", "page"], ["page"], ["page"]]
    with pytest.raises(NotAllowed, match="Only the GM can change settings"):
        settings.change_form(table, ALICE, Pressed("settingschange", 1, 0, "doom.0"))


def test_the_boxes_are_those_that_are_on_or_off() -> None:
    known = lifecycle.settings()
    for page in PAGES:
        subject, place = settings.read_page(page)
        switches = [name for name in pages_of(subject)[place] if known[name].takes is SettingInput.SWITCH]
        boxes = [
            [each.value for each in field.options]
            for field in opened(home(page), page).fields
            if field.key == "on"
        ]
        assert boxes == ([switches] if switches else [])
        assert not any("," in name for name in switches)
