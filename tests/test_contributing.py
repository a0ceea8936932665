"""The page for contributors and the map are those of the program as it is now."""

import subprocess

import pytest

from tests import map as house
from tests.bench import contributing

RECIPES = contributing.recipes()
MOST = 20
"""So many lines a recipe adds at most."""


def test_the_map_shows_the_imports_that_there_are() -> None:
    assert house.PAGE.read_text(encoding="utf-8") == house.drawn(), "uv run python -m tests.map draws it anew"


def test_the_map_leaves_out_only_what_a_longer_way_says() -> None:
    rooms = house.imports()
    assert {"store", "rules", "render", "__main__"} <= rooms.keys()
    page = house.drawn()
    shown = {one: {other for other in rooms if f"  {one} --> {other}\n" in page} for one in rooms}
    assert all(house.reached(shown, one) == house.reached(rooms, one) for one in rooms)
    assert all(one not in house.reached(rooms, one) for one in rooms)


def test_there_are_recipes() -> None:
    assert [*RECIPES] == ["Run one test", "Change a sentence", "Add a command", "Add a switch"]


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_is_short_and_its_changes_fit_the_program(title: str) -> None:
    changes = [step.text for step in RECIPES[title] if step.kind == "diff"]
    assert {step.kind for step in RECIPES[title]} <= {"diff", "sh"}
    lines = [line for change in changes for line in change.splitlines()]
    assert sum(line.startswith("+") and not line.startswith("+++") for line in lines) <= MOST
    for change in changes:
        checked = ("git", "apply", "--recount", "--check")
        done = subprocess.run(checked, cwd=contributing.ROOT, input=change, capture_output=True, text=True)
        assert done.returncode == 0, f"{change}\n{done.stderr}"
