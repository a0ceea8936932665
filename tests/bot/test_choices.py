"""Choices say what they mean, and give what was registered."""

from bot.language.said import width
from bot.views.settings import LOG, ruleset_words, setting_words
from rules.campaign.lifecycle import names, rulesets
from rules.cortex.ruleset import PROFILES
from tests.game import Game


def test_each_setting_and_ruleset_has_a_sentence_that_fits_a_suggestion() -> None:
    said = (*map(setting_words, (*names(), LOG)), *map(ruleset_words, rulesets()))
    assert max(map(width, said)) <= 100


async def test_the_rulesets_of_a_new_campaign_say_what_they_mean(game: Game) -> None:
    (command,) = (each for each in game.discord.commands if each["name"] == "campaign")
    (new,) = (each for each in command["options"] if each["name"] == "new")
    (ruleset,) = (each for each in new["options"] if each["name"] == "ruleset")
    offered = {choice["value"]: choice["name"] for choice in ruleset["choices"]}
    assert list(offered) == [*PROFILES, "one-roll"]
    assert offered["adept"].startswith("adept: a doom pool")


async def test_settings_are_suggested_with_what_they_are_about(table: Game) -> None:
    (offered,) = await table.gm.complete("/campaign set setting:hitches")
    assert offered.value == "hitches buy"
    assert offered.name == "hitches buy: what the GM can buy with hitches"


async def test_rulesets_are_suggested_with_what_they_mean(table: Game) -> None:
    (offered,) = await table.gm.complete("/campaign set setting:ruleset value:emp")
    assert offered.value == "empire"
    assert offered.name.startswith("empire: fixed difficulties")
