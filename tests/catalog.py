"""The texts that a catalog of another language holds, as they are found in the sources."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from gettext import NullTranslations
from pathlib import Path

from bot.guide import Section, pages
from tests.house import nodes_of

HOUSE = Path(__file__).parents[1]
REFUSALS = (
    *("RuleError", "NotAllowed", "TooLate", "Unknown", "Unreadable", "Ambiguous", "Undecided"),
    *("ZoneNeeded", "SettingOff", "OptionNeeded", "StepRefused", "Entangled"),
)
SAID = {"say": (0,), "say_of": (1, 2), "later": (0,), "Words": (0,), "counted": (1, 2)} | dict.fromkeys(
    REFUSALS, (0,)
)
"""What says a text, and the places of its texts among what it is given."""
HOLDING = {*REFUSALS, "Words", "counted", "Row", "Answer"}
"""What holds values for a text that is said later."""
_LETTERS = re.compile(r"[^\W\d_]{2}")


class Capitals(NullTranslations):
    """English in capitals; the places of values stay as they are. It keeps what it was `asked` for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        parts = re.split(r"(\{[^}]*\}|`[^`]*`)", message)  # what is typed stays, too
        return "".join(part if part.startswith(("{", "`")) else part.upper() for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked |= {msgid1, msgid2}
        return self.gettext(msgid1 if n == 1 else msgid2)


@cache
def sources() -> Sequence[Path]:
    """All sources of the program, but for the Discord of one's own, which knows no other language."""
    paths = sorted((*HOUSE.glob("bot/**/*.py"), *HOUSE.glob("rules/**/*.py")))
    return [path for path in paths if "loopback" not in path.parts]


@cache
def calls() -> Sequence[tuple[Path, ast.Call]]:
    """All calls in the sources, each with its file."""
    return [
        (path.relative_to(HOUSE), node)
        for path in sources()
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
    ]


def saying() -> Iterator[tuple[Path, ast.Call, str]]:
    """The calls that say a text, each with its file and the name of what is called."""
    for path, call in calls():
        if isinstance(call.func, ast.Name) and call.func.id in SAID:
            yield path, call, call.func.id


@cache
def texts() -> Mapping[str, str]:
    """Every text with the place where it stands: what is said, what commands are for, and the guide."""
    return {**_guide(), **commands(), **said_by(SAID)}


def commands() -> dict[str, str]:
    """What commands and their options are for."""
    about = ("command", "describe", "Group")
    return {
        # What is the GM's says so at its end.
        word.value.value + " (GM)" * (_last_name(call.func) == "gms_command"): f"{path}:{call.lineno}"
        for path, call in calls()
        if _last_name(call.func).endswith(about)
        for word in call.keywords
        # What is typed is typed in any language.
        if word.arg != "name" and isinstance(word.value, ast.Constant) and isinstance(word.value.value, str)
    }


def _last_name(func: ast.expr) -> str:
    """What is called, as in `command` for `app_commands.command`; empty where it has no name."""
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def _guide() -> dict[str, str]:
    """The pages that `/help` shows."""
    return {
        text: f"bot/guide/play/{name}.md"
        for name, page in pages().items()
        for text in (page.title, page.about, *(line for each in page.sections for line in _lines(each)))
    }


def _lines(section: Section) -> Iterator[str]:
    yield section.title
    yield from (line.removeprefix("- ") for line in section.lines)


def said_by(said: Iterable[str]) -> dict[str, str]:
    """The texts that these calls say."""
    return {
        str(text.value): f"{path}:{call.lineno}"
        for path, call, name in saying()
        for place in SAID[name]
        if name in said and place < len(call.args)
        for text in _literals(call.args[place])
    }


def _literals(text: ast.expr) -> Iterator[ast.Constant]:
    """What a text is, in either case."""
    if isinstance(text, ast.IfExp):
        yield from (*_literals(text.body), *_literals(text.orelse))
    elif isinstance(text, ast.Constant) and isinstance(text.value, str):
        yield text


def refusals() -> dict[str, str]:
    """The sentences of refusals."""
    return said_by(REFUSALS)


TYPED = {"example", "command", "option", "setting", "value", "choices"}
"""Places for what is typed, which is so in every language."""


def bare_values() -> list[str]:
    """The values of refusals and phrases that are texts in the code, each with its place."""
    holding = {path for path, call in calls() if _holds(call)}
    found = [
        f"{path}:{place}: {text}"
        for path in holding
        for function in nodes_of(HOUSE / path)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for place, text in _bare_in(function)
    ]
    return sorted(set(found))


def _holds(node: ast.AST) -> bool:
    """Whether that is a call of what holds values for a text that is said later."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in HOLDING


def _bare_in(function: ast.AST) -> Iterator[tuple[int, str]]:
    inside = list(ast.walk(function))
    holding = [node for node in inside if isinstance(node, ast.Call) and _holds(node)]
    locals_ = _assigned(inside) if holding else {}
    for call in holding:
        rest = call.args[:1] if _last_name(call.func) in ("Row", "Answer") else []
        values = rest + [each.value for each in call.keywords if each.arg not in (None, *TYPED)]
        for value in values:
            yield from ((call.lineno, text) for text in _texts_in(value, locals_, frozenset()))


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    """What each name of a function may be, by its nodes."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts, strict=False) if both else [(target, node.value)]  # type: ignore[attr-defined]
                for name, value in pairs:
                    if isinstance(name, ast.Name):
                        found.setdefault(name.id, []).append(value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name):
            found.setdefault(node.target.id, []).extend([node.value] if node.value else [])
    return found


def _texts_in(value: ast.AST, names: Mapping[str, list[ast.expr]], seen: frozenset[str]) -> Iterator[str]:
    """The texts that a value is made of: not those that are looked up by, compared with, or handed on."""
    if isinstance(value, ast.Constant):
        if isinstance(value.value, str) and _LETTERS.search(value.value) and not value.value.startswith("/"):
            yield value.value
    elif isinstance(value, ast.Name):
        for one in names.get(value.id, ()) if value.id not in seen else ():
            yield from _texts_in(one, names, seen | {value.id})
    elif isinstance(value, ast.Call):
        # What a function makes of its arguments is its own; of a method's texts the joined ones are said.
        yield from _texts_in(value.func, names, seen) if isinstance(value.func, ast.Attribute) else ()
    elif isinstance(value, ast.Subscript):
        yield from _texts_in(value.value, names, seen)
    elif isinstance(value, ast.IfExp):
        yield from _texts_in(value.body, names, seen)
        yield from _texts_in(value.orelse, names, seen)
    elif not isinstance(value, ast.Compare | ast.Dict):
        for part in ast.iter_child_nodes(value):
            yield from _texts_in(part, names, seen)
