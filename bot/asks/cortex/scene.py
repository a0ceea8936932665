"""What is asked of a scene: a split group is joined again (M5)."""

from bot.asks.question import Answer, Question, Rule
from bot.language import say
from bot.render.card import Button
from rules.campaign import scenes
from rules.campaign.seats import Actor
from rules.cortex import scenes as cortex_scenes
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table


def join_button(table: Table) -> Button:
    """A split group together again, as long as this scene runs."""
    return Button(say("Join again"), "joinagain", scenes.ended_scenes(table))


def _join(answer: Answer) -> Rule:
    def joined(table: Table, actor: Actor) -> Step:
        if scenes.ended_scenes(table) != answer.number:
            raise TooLate("That {scene.one} has ended. To bring a split group back together: /scene join")
        return cortex_scenes.join(table, actor)

    return joined


QUESTIONS = (Question("joinagain", press=_join, apart=True),)
