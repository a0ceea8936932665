"""Ready stories, as they are begun and played through commands."""

import json
from pathlib import Path

import pytest

from bot.language.printers import phone_lines
from bot.loopback.reply import BotReply
from bot.services.files import FOLDER, chosen_story, stories
from rules.campaign.lifecycle import Story
from rules.errors import Unknown
from rules.names import key
from tests.bot.test_buttons import is_refused
from tests.bot.test_toolkit import BLANK, written
from tests.game import Game

STORIES = tuple(stories().values())
each_story = pytest.mark.parametrize("story", STORIES, ids=[story.kind for story in STORIES])


@each_story
async def test_a_story_is_begun_joined_and_rolled(game: Game, story: Story) -> None:
    begun = await game.play(f"gm: /campaign new story:{story.kind}")
    assert begun.text.startswith(f"{story.title} begins\n{story.opening}\nReady to play: ")
    for who in story.characters:
        assert who in begun.text
    assert ("prime: " in begun.text) is (story.ruleset == "prime")
    assert sum(map(phone_lines, begun.text.splitlines())) <= 16
    assert all(each.description for each in begun.menus[0].options)
    first, text = next(iter(story.characters.items()))
    await game.alice.choose(begun, "Choose a character", [first])
    button = await game.play("gm: /session start")
    for scene in story.scenes:
        card = await filled_in(game, button)
        assert f"{scene.name} begins\n{scene.told}" in card.text
        shown = (await game.says("gm: /scene show")).text
        assert all(each in shown for each in scene.distinctions.split(", "))
        button = await game.play("gm: /scene end")
    form = (await game.gm.press(button, button.buttons[0].label)).form
    assert form is not None
    assert not form.field("Name").default
    rolled = await game.play(f"alice: {roll(story, text)}")
    assert first in rolled.text
    await game.play("gm: /undo", "gm: /session end")


async def test_a_scene_that_is_undone_is_offered_again(game: Game) -> None:
    await game.play("gm: /campaign new story:Monster hunt")
    button = await game.play("gm: /session start")
    await filled_in(game, button)
    await game.play("gm: /undo")
    assert "The mill at dusk begins" in (await filled_in(game, button)).text
    later = await game.play("gm: /scene start name:The nest under the roots distinctions:Silence")
    assert "Scene · Silence d8" in later.text
    assert "It hears everything" not in later.text
    assert "The drowned chapel begins" in (await filled_in(game, await game.play("gm: /scene end"))).text


async def filled_in(game: Game, on: BotReply) -> BotReply:
    """What comes of the form for the next scene, sent as it was opened."""
    form = (
        await game.gm.press(on, next(b.label for b in on.buttons if b.label.startswith("Start the ")))
    ).form
    assert form is not None
    return await game.gm.submit(form)


def roll(story: Story, text: str) -> str:
    """A roll of the first trait of each trait set of a sheet, by their names, or of two ratings."""
    rows = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    if story.ruleset == "one-roll":
        labels = [rows[head].split(" ")[0] for head in ("Stats", "Skills")]
        return f"/ore roll dice:{' + '.join(labels)}"
    rows.pop("Resources", "")
    sets = story.settings.get("trait sets", "Distinctions, Values, Relationships").split(", ")
    firsts = [rows[each].split(", ")[0].rpartition(" ")[0] for each in sets if each in rows]
    return f"/roll dice:{' + '.join(firsts)} vs:2d8"


async def test_a_campaign_is_called_as_it_is_told_else_as_the_story_or_the_file(
    game: Game, tmp_path: Path
) -> None:
    named = await game.play("gm: /campaign new story:School name:Deep Water")
    assert named.text.startswith("Deep Water begins\nIt's the last week ")
    title = {"id": "t", "title": "Spy <b>game</b>", "character": BLANK}
    file = await game.begin(f"gm: /campaign new file:{written(tmp_path, title)}")
    assert file.text.startswith("Spy game begins")
    sheet = BLANK | {"isTemplate": True, "name": "Grey blank"}
    file = await game.begin(f"gm: /campaign new file:{written(tmp_path, sheet)}")
    assert file.text.startswith("Grey blank begins")


async def test_what_has_no_name_or_two_beginnings_is_refused_and_nothing_begins(
    game: Game, tmp_path: Path
) -> None:
    await game.play("gm: /campaign new name:Skyfall")
    path = written(tmp_path, BLANK | {"isTemplate": True})
    for line, why in (
        (f" file:{path}", "That sheet has no title, so fill in the option name, too."),
        (f" story:School file:{path}", "Example: /campaign new story:School"),
    ):
        reply = await game.says(f"gm: /campaign new{line}")
        assert is_refused(reply)
        assert why in reply.text
    assert (await game.says("gm: /table show")).text.startswith("Skyfall")


def test_a_story_is_found_by_how_its_kind_begins_and_another_is_refused() -> None:
    assert chosen_story("ghost") == stories()["ghost story"]
    assert chosen_story("") is None
    with pytest.raises(Unknown, match='There\'s no story called "opera"\\. Try Court intrigue'):
        chosen_story("opera")


def test_each_file_says_what_a_story_has_and_nothing_else() -> None:
    for path in FOLDER.iterdir():
        form = json.loads(path.read_text("utf-8"))
        assert path.stem == key(form["kind"]).replace(" ", "_")
        assert form.keys() <= {
            "kind",
            "title",
            "told",
            "ruleset",
            "settings",
            "characters",
            "opening",
            "scenes",
        }
        assert all(isinstance(lines, list) for lines in form["characters"].values())
