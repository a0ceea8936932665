"""The page for contributors and the map are those of the program as it is now."""

import subprocess

import pytest

from tests import map
from tests.bench import contributing

RECIPES = contributing.recipes()
MOST = {"Add a trait kind": 42}
"""So many lines a recipe adds at most, others 20; thirty of them are a group of commands."""


def test_the_map_shows_the_imports_that_there_are() -> None:
    assert map.PAGE.read_text(encoding="utf-8") == map.drawn(), "uv run python -m tests.map draws it anew"


def test_the_map_leaves_out_only_what_a_longer_way_says() -> None:
    rooms = map.imports()
    assert {"store", "rules", "views", "__main__"} <= rooms.keys()
    page = map.drawn()
    shown = {one: {other for other in rooms if f"  {one} --> {other}\n" in page} for one in rooms}
    assert all(map.reached(shown, one) == map.reached(rooms, one) for one in rooms)
    assert all(one not in map.reached(rooms, one) for one in rooms)


def test_there_are_recipes() -> None:
    assert [*RECIPES] == [
        "Run one test",
        "Change a sentence",
        "Add a fact",
        "Add a command",
        "Add a setting",
        "Add a use for doom dice",
        "Add a trait kind",
        "Add a game",
    ]


@pytest.mark.needs("git")
@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_is_short_and_its_changes_fit_the_program(title: str) -> None:
    changes = [step.text for step in RECIPES[title] if step.kind == "diff"]
    assert {step.kind for step in RECIPES[title]} <= {"diff", "sh"}
    assert sum(step.added for step in RECIPES[title]) <= MOST.get(title, 20)
    for change in changes:
        checked = ("git", "apply", "--recount", "--check")
        done = subprocess.run(checked, cwd=contributing.ROOT, input=change, capture_output=True, text=True)
        assert done.returncode == 0, f"{change}\n{done.stderr}"
