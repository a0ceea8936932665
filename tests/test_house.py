"""The figures of the house count what they say."""

import subprocess
from pathlib import Path

import pytest

from tests import house

RULE = '''"""A rule."""

from rules.dice import throw as throw

LEAST = 4
"""The least die."""


class Roll:
    """A roll."""  # of dice

    def told(self) -> str:
        """What it says."""
        return """one
two"""
'''
RUN = "".join(f"number_{each} = {each}\n" for each in range(6))


def found(figure: str, **texts: str) -> list[str]:
    paths = {f"{name.replace('__', '/')}.py": house.source(text) for name, text in texts.items()}
    return house.FIGURES[figure](paths)


def test_blank_lines_comments_and_docstrings_are_no_code() -> None:
    assert len(found("lines of code", rules__roll=RULE)) == 6


def test_modules_are_counted_by_their_lines_of_code() -> None:
    texts = {
        "bot__loopback__world": "x = 1\n" * 451,
        "rules__dice": '"""Dice."""\nx = 1\n',
        "bot__cogs": '"""."""',
    }
    assert found("modules", **texts) == ["bot/loopback/world.py", "rules/dice.py"]
    assert found("modules over 450 lines of code", **texts) == ["bot/loopback/world.py (451)"]
    assert found("modules under 60 lines of code", **texts) == ["rules/dice.py (1)"]


def test_lines_are_counted_by_room_and_without_the_loopback() -> None:
    now = {
        name: house.source("x = 1\n" * n) for n, name in enumerate(("rules/dice.py", "bot/loopback/a.py"), 2)
    }
    then = {"rules/dice.py": house.source("x = 1\n"), "bot/views/cortex/doom.py": house.source("x = 1\n")}
    assert len(house.FIGURES["lines of code without the loopback"](now)) == 2
    assert house.room_rows(now, then) == [
        ["lines of code in `bot/loopback`", "3", "0"],
        ["lines of code in `bot/views`", "0", "1"],
        ["lines of code in `rules/*.py`", "2", "1"],
    ]


def test_the_median_and_the_share_of_imports_are_those_of_all_modules() -> None:
    one, three = house.source("import re\n"), house.source("x = 1\ny = 2\nfrom os import (\n    path,\n)\n")
    sources = {"bot/a.py": one, "bot/b.py": three, "bot/c.py": house.source("x = 1\n" * 4)}
    assert house.median_lines(sources) == "4"
    assert house.import_share(sources) == "40.0 %"


def test_what_interactions_pass_through_stands_beside_that_of_another_commit() -> None:
    rows = house.passed_rows({"/undo": (44, 267)}, {"/undo": (67, 267)})
    assert rows == [
        ["files that `/undo` passes through", "44", "67"],
        ["functions that `/undo` passes through", "267", "267"],
    ]


def test_a_long_function_is_named_with_its_lines() -> None:
    text = "def short() -> None: ...\ndef long() -> None:\n" + "    x = 1\n" * 60
    assert found("functions over 60 lines", bot__tell=text) == ["bot/tell.py: long (61)"]


def test_names_that_are_borne_twice_are_counted_but_private_ones() -> None:
    private = RULE.replace("Roll", "_Roll")
    assert found("names that several classes bear", rules__a=RULE, rules__b=RULE, rules__c=private) == [
        "Roll (2)"
    ]
    five = {f"rules__{each}": RULE for each in "abcde"}
    assert found("names that more than 3 functions bear", **five) == ["told (5)"]
    assert (
        found(
            "names that more than 3 functions bear", **five | dict.fromkeys(("rules__d", "rules__e"), "x = 1")
        )
        == []
    )


@pytest.mark.parametrize(
    ("path", "times"),
    [("bot__play", 2), ("bot__cogs__cortex__doom", 0), ("rules__games", 0), ("bot__cogs__ore__a", 2)],
)
def test_a_game_is_named_where_others_are_at_home(path: str, times: int) -> None:
    text = '"""Cortex."""\nfrom rules.cortex.part import CORTEX  # of Cortex\nscore = more = 1\n'
    assert len(found("a game named outside its rooms", **{path: text})) == times


def test_what_is_imported_as_itself_is_named() -> None:
    assert found("names imported as themselves", rules__a=RULE) == ["rules/a.py: throw"]


def test_six_lines_that_stand_twice_are_a_pair() -> None:
    shared = f"first = 1\n{RUN}"
    assert found("pairs of modules that share 6 lines", bot__a=RUN, bot__b=shared) == ["bot/a.py ~ bot/b.py"]
    assert found("pairs of modules that share 6 lines", bot__a=RUN, bot__b=RUN[12:]) == []


@pytest.mark.needs("git")
def test_the_figures_stand_beside_those_of_another_commit(tmp_path: Path) -> None:
    def git(*order: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *order], cwd=tmp_path, check=True, capture_output=True)

    for room in house.ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("x = 1\n", encoding="utf-8")
    git("init")
    git("add", ".")
    git("commit", "-m", "One")
    assert house.newest_tag(tmp_path) == ""
    git("tag", "v1")
    (tmp_path / "bot" / "more.py").write_text(RULE, encoding="utf-8")
    tag = house.newest_tag(tmp_path)
    page = house.table(house.here(tmp_path), house.at(tag, tmp_path), tag)
    assert page.splitlines()[0] == "|  | here | v1 |"
    assert "| lines of code | 8 | 2 |" in page
