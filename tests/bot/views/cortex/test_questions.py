"""All that is asked in Cortex is in its list."""

from importlib import import_module
from pkgutil import iter_modules

from bot.games import CORTEX_QUESTIONS
from bot.views import cortex


def test_no_question_of_the_room_is_left_out() -> None:
    modules = (import_module(each.name) for each in iter_modules(cortex.__path__, f"{cortex.__name__}."))
    there = {each.verb for module in modules for each in getattr(module, "QUESTIONS", ())}
    assert there <= {each.verb for each in CORTEX_QUESTIONS}
