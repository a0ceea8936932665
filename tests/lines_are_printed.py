"""A plugin of mypy: a line is printed, and never put into an f-string, `str()` or a refusal.

At run time that raises; here it is found before, also where no test comes.
"""

from collections.abc import Callable, Iterable

from mypy.plugin import FunctionContext, MethodContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type

LINE = "bot.language.line.Line"
OF_TEXT = ("builtins.str", "builtins.format", "builtins.print")
REFUSALS = ("rules.errors.", "bot.store.undo.")


class LinesArePrinted(Plugin):
    """Looks at what is given to what makes text, and to refusals."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """An f-string is `str.format` to mypy."""
        return _of_method if fullname == "builtins.str.format" else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """What makes text of anything, and refusals, which hold names, numbers and phrases."""
        is_one = fullname in OF_TEXT or fullname.startswith(REFUSALS)
        return _of_function if is_one else None


def plugin(version: str) -> type[Plugin]:
    """The plugin, for whichever version of mypy."""
    return LinesArePrinted


def _of_method(it: MethodContext) -> Type:
    if _has_line(each for given in it.arg_types for each in given):
        it.api.fail("a line is put beside others by together, joined or say", it.context)
    return it.default_return_type


def _of_function(it: FunctionContext) -> Type:
    if _has_line(each for given in it.arg_types for each in given):
        it.api.fail("a line is printed, or a phrase of rules.text is meant", it.context)
    return it.default_return_type


def _has_line(types: Iterable[Type]) -> bool:
    for each in map(get_proper_type, types):
        if isinstance(each, UnionType) and _has_line(each.items):
            return True
        if isinstance(each, Instance) and each.type.fullname == LINE:
            return True
    return False
