"""An empty table in the terminal: a story, some dice, or a scene to watch."""

import io

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from bot.loopback import opening
from bot.loopback.table import LocalTable, Unanswered
from bot.loopback.terminal import play_in_terminal
from tests.game import Game


async def typed(game: Game, lines: str) -> str:
    """What a terminal shows when these lines are typed."""
    screen = Console(file=io.StringIO(), width=100)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(f"{lines}\rquit\r")
        assert await play_in_terminal(LocalTable(game.discord), screen) == 0
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


async def test_the_terminal_begins_with_three_numbered_choices(game: Game) -> None:
    shown = await typed(game, "")
    assert "What do you want to do?\n[1] Start from a story\n[2] Roll some dice\n[3] Watch a scene\n" in shown


async def test_a_story_is_chosen_by_its_number(game: Game) -> None:
    shown = await typed(game, "1\r4")
    assert "Which story?\n[1] Court intrigue: Letters," in shown
    assert "The Fen Below begins" in shown


async def test_a_choice_can_be_typed_and_a_number_is_a_button_afterwards(game: Game) -> None:
    shown = await typed(game, "roll some dice\r1")
    assert len(game.discord.messages()) == 1
    assert "Form: Reroll" in shown


async def test_any_other_line_is_done_and_the_choices_go(game: Game) -> None:
    shown = await typed(game, "2d6\r2d8")
    assert len(game.discord.messages()) == 2
    assert "Not understood" not in shown


async def test_a_scene_is_watched_and_the_choices_come_back(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "PAUSE", 0.0)
    shown = await typed(game, "3")
    assert "mira: /roll dice:Mind + Talk + Reckless Pilot vs:doom" in shown
    assert shown.count("What do you want to do?") == 2
    assert "Not understood" not in shown


@pytest.mark.parametrize("face", [1, 4, 12])
async def test_a_scene_plays_to_its_end_however_the_dice_fall(
    game: Game, monkeypatch: pytest.MonkeyPatch, face: int
) -> None:
    monkeypatch.setattr(opening, "PAUSE", 0.0)
    monkeypatch.setattr(game.dice.chance, "randint", lambda least, most: min(face, most))
    place = opening.stage(game.discord)
    sights = [each async for shown in opening.played(LocalTable(game.discord), place) for each in shown]
    assert not any(isinstance(each, Unanswered) for each in sights)
    assert "Session 1" in [m for m in game.discord.messages(place) if m.text][-1].text
    assert opening.stage(game.discord).name == "a-scene-2"
