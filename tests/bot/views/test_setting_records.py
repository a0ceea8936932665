"""A new switch is one record: it is read, written, shown, put on a form and explained by nothing else."""

from collections.abc import Iterator, Mapping
from typing import Annotated

import pytest
from msgspec import field

from bot.language.printers import spelled
from bot.views.question import Fields, Pressed
from bot.views.settings import ON, change_form, page_of, read_change, setting_words, subject_lines
from rules.campaign import lifecycle
from rules.cortex.game import GAME as CORTEX_GAME
from rules.cortex.ruleset import Opposition
from rules.game import Game, played, register_games
from rules.settings import About, SettingInput, SettingSubject, settings_of
from rules.table import Part, Table
from rules.terms import later
from rules.values import Value
from tests.bot.views.asking import GM, after, begun


class LuckRoll(Value):
    """A roll of it; there are none."""

    number: int = 0


class LuckTable(Value):
    """What a table has of a made-up game."""

    luck: Annotated[
        bool,
        About(
            "luck",
            later("let everybody be lucky"),
            SettingSubject.TIME,
            old_names={"fortune": lambda typed: typed == "kind"},
        ),
    ] = False
    rolls: Mapping[int, LuckRoll] = field(default_factory=dict)


class LuckCharacter(Value):
    """What a character has of it."""


LUCK = Part("luck", LuckTable, LuckCharacter, LuckRoll)


class _Luck(Game):
    part = LUCK
    settings = settings_of(LuckTable, LUCK.of, LUCK.put, others=("rolls",))


@pytest.fixture(autouse=True)
def _playing_luck() -> Iterator[None]:
    before = played()
    register_games((CORTEX_GAME, _Luck()))
    yield
    register_games(before)


def test_a_new_switch_is_one_record() -> None:
    table = begun("prime")
    assert lifecycle.settings()["luck"].takes is SettingInput.SWITCH
    lucky = lifecycle.change(table, GM, "luck", "on").table
    assert LUCK.of(lucky).luck
    assert lifecycle.setting_value(lucky, "luck") == "on"
    assert spelled(setting_words("luck")) == "luck: let everybody be lucky"
    subject, page = page_of("luck")
    shown = [spelled(line) for line in subject_lines(table, subject, page)]
    assert "luck: off. Let everybody be lucky" in shown
    form = change_form(table, GM, Pressed("settingschange", 1, 0, f"{subject}.{page}"))
    (switches,) = [each for each in form.fields if each.key == ON]
    assert [(each.value, spelled(each.hint)) for each in switches.options] == [
        ("luck", "let everybody be lucky")
    ]
    typed = Fields({each.key: each.value for each in form.fields} | {ON: "luck"})
    assert LUCK.of(after(table, (GM, read_change(form.subject or "", typed)))).luck


def test_a_former_name_is_understood_with_its_values() -> None:
    assert LUCK.of(lifecycle.change(begun("prime"), GM, "fortune", "kind").table).luck


class Undeclared(Value):
    """Settings, one of which has no record."""

    luck: bool = False


class Unparsed(Value):
    """Settings, one of which nothing can parse."""

    luck: Annotated[int, About("luck", later("how lucky everybody is"), SettingSubject.TIME)] = 0


class Chosen(Value):
    """A setting that is one of a few values."""

    luck: Annotated[Opposition, About("luck", later("what is lucky"), SettingSubject.TIME)] = Opposition.DICE


def _nothing(table: Table, value: object) -> Table:
    return table


def test_a_setting_without_a_record_or_a_parser_does_not_import() -> None:
    with pytest.raises(LookupError, match=r"Undeclared\.luck"):
        settings_of(Undeclared, lambda table: Undeclared(), _nothing)
    with pytest.raises(LookupError, match="luck"):
        settings_of(Unparsed, lambda table: Unparsed(), _nothing)
    with pytest.raises(LookupError, match="luck"):
        About("luck", "", SettingSubject.TIME)
    with pytest.raises(TypeError, match="subject"):
        About("luck", "how lucky everybody is")  # type: ignore[call-arg]


def test_the_type_of_a_field_says_what_can_be_chosen() -> None:
    chosen = settings_of(Chosen, lambda table: Chosen(), _nothing)["luck"]
    assert (chosen.takes, chosen.values) == (SettingInput.CHOICE, ("dice", "static", "doom"))
    assert chosen.read("sta") is Opposition.STATIC
