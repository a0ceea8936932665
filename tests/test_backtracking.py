"""No regular expression of the program takes more than linear time on what somebody types."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot.cogs.base import Group
from bot.games import GAMES, SHARED_QUESTIONS
from tests.backtracking import Use, find_backtracking
from tests.house import nodes_of
from tests.test_architecture import ROOT, SOURCES

USES = {"fullmatch": Use.FULL, "match": Use.MATCH} | dict.fromkeys(
    ("search", "sub", "subn", "split", "findall", "finditer"), Use.SEARCH
)
ALLOWED = {
    "bot/loopback/web/markup.py:INLINE": "the local page draws emphasis in emphasis for whoever runs it",
}
FILES = [path for path in SOURCES if "re." in path.read_text(encoding="utf-8")]


OLD_DICE = r"(?:[0-9]{0,12}[dw][0-9]{1,12})+"
OLD_TRAIT = r'\s?[^\s:=,;/|"][^:=,;/|"]*?\s?[:=]\s?\(?[0-9]{0,2}d[0-9]{1,3}\)?\s?[,;/|•·]?'
BAD = (
    ("(?:a+)+", Use.FULL, "exponential"),
    ("(?:a*)*b", Use.FULL, "exponential"),
    ("(?:a|a)*b", Use.MATCH, "exponential"),
    ("(?:a?b?)*c", Use.MATCH, "exponential"),
    ("(?:a|ab|b)*c", Use.MATCH, "exponential"),
    (r"(?:\w+\s?)+:", Use.MATCH, "exponential"),
    (r"(?:[a-z]{1,50}){1,50}-", Use.MATCH, "exponential"),
    (f"{OLD_DICE}(?:x[0-9])?", Use.FULL, "exponential"),
    (f"(?:{OLD_TRAIT}){{2,}}", Use.FULL, "exponential"),
    (r"(?P<dice>(?:(?:[0-9]+d)?[0-9]+)+)!", Use.FULL, "exponential"),
    (" +$", Use.SEARCH, "polynomial"),
    ("[0-9]+d", Use.SEARCH, "polynomial"),
    ("a*+b", Use.SEARCH, "polynomial"),
    (r"\s*[,;]\s*", Use.SEARCH, "polynomial"),
    (r"[ ,]*(?:\bat)?[ ,]*$", Use.SEARCH, "polynomial"),
    (r"(?m)^\s*-", Use.SEARCH, "polynomial"),
    (r"(?m)^(\s*[0-9]+)\.(?=\s)", Use.SEARCH, "polynomial"),
    (r"(.+?)\s+(.*)", Use.FULL, "polynomial"),
    ("[a-z]+[a-z0-9]+x", Use.MATCH, "polynomial"),
    (r"(\*{1,3})(?=\S)([^\n]*?\S)\1", Use.SEARCH, "polynomial"),
    ("(?=a*b)|c", Use.SEARCH, "polynomial"),
    ("(?!a*b)c", Use.SEARCH, "polynomial"),
    ("~~.*?~~", Use.SEARCH, "polynomial"),
)
"""Patterns with a text on which they freeze: those that the program had, and others of their kinds."""
GOOD = (
    (" +$", Use.MATCH),
    ("(?<! ) +$", Use.SEARCH),
    ("[0-9]*", Use.SEARCH),
    ("(?:a|b)*c", Use.FULL),
    ("(?:a+b)+", Use.FULL),
    ("(?>a|ab)*c", Use.MATCH),
    ("[a-z]++[a-z0-9]+x", Use.MATCH),
    (r"[0-9]{0,12}(?:[dw][0-9]{1,12}+)+", Use.FULL),
    ('"[^"]*"', Use.SEARCH),
    (r"~~(?:[^~]|~(?!~))*+~~", Use.SEARCH),
    (r"(?<!\w)[a-z]+(?!\w)", Use.SEARCH),
    (r"\b[a-z]+\b!", Use.SEARCH),
    (r"(?<=[0-9])[a-z]+!", Use.SEARCH),
    (r"(?m)^[^\S\n]*-", Use.SEARCH),
    (r"(?s)(.+?):(.*)", Use.FULL),
    (r"[^:]+:.*", Use.FULL),
    (r"(?P<a>x)?(?(a)y+|z+)!", Use.FULL),
)


def evaluate(node: ast.expr, module: Any) -> Any:
    """The value of an expression in a module; what is known only when it runs is a word."""
    try:
        return eval(compile(ast.Expression(node), "", "eval"), vars(module))
    except (NameError, TypeError):  # a name of the function, not of the module
        pass
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(evaluate(part.value if isinstance(part, ast.FormattedValue) else part, module))
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return evaluate(node.left, module)
    return "word"


@pytest.mark.parametrize(("pattern", "use", "fault"), BAD)
def test_a_pattern_that_freezes_is_found(pattern: str, use: Use, fault: str) -> None:
    assert find_backtracking(re.compile(pattern), use).startswith(fault)


@pytest.mark.parametrize(("pattern", "use"), GOOD)
def test_a_pattern_of_linear_time_is_allowed(pattern: str, use: Use) -> None:
    assert find_backtracking(re.compile(pattern), use) == ""


def flags_of(call: ast.Call, module: Any) -> int:
    given = [*call.args[1:], *(word.value for word in call.keywords if word.arg == "flags")]
    values = [evaluate(each, module) for each in given]
    return sum(value for value in values if isinstance(value, re.RegexFlag))


@cache
def uses_of(name: str) -> set[Use]:
    """How a name is used in the program, `NAME.search(text)`; as in a search where nobody can say."""
    return {use for path in FILES for use in uses_in(path).get(name, ())} or {Use.SEARCH}


@cache
def uses_in(path: Path) -> dict[str, set[Use]]:
    found: dict[str, set[Use]] = {}
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and node.attr in USES and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(USES[node.attr])
    return found


def patterns(path: Path) -> Iterator[tuple[str, str, int, set[Use]]]:
    """Yield the patterns of a module: their name or line, text, flags and uses."""
    where = path.relative_to(ROOT)
    module = import_module(".".join(where.with_suffix("").parts).removesuffix(".__init__"))
    names: dict[ast.AST, str] = {}
    for node in nodes_of(path):
        if isinstance(node, ast.Assign):
            to, value = node.targets[0], node.value
            if isinstance(to, ast.Tuple) and isinstance(value, ast.Tuple):
                names |= {each: ast.unparse(name) for name, each in zip(to.elts, value.elts, strict=False)}
            else:
                names[value] = ast.unparse(to)
    for call in nodes_of(path):
        if not isinstance(call, ast.Call) or not ast.unparse(call.func).startswith("re."):
            continue
        how = ast.unparse(call.func).removeprefix("re.")
        if how != "compile" and how not in USES:
            continue
        text = evaluate(call.args[0], module)
        name = names.get(call, str(call.lineno))
        own = uses_in(path).get(name) if name.startswith("_") else uses_of(name)
        uses = {USES[how]} if how in USES else own or {Use.SEARCH}
        yield (
            f"{where}:{name}",
            text.decode() if isinstance(text, bytes) else text,
            flags_of(call, module),
            uses,
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_patterns_of_linear_time(path: Path) -> None:
    slow = {
        f"{name} {use.value}: {fault}"
        for name, text, flags, uses in patterns(path)
        for use in uses
        if (fault := find_backtracking(re.compile(text, flags), use)) and name not in ALLOWED
    }
    assert slow == set()


def test_the_patterns_of_buttons_and_forms_take_linear_time() -> None:
    subjects = {question.subject for question in SHARED_QUESTIONS}
    subjects |= {question.subject for game in GAMES for question in game.questions}
    groups = [*Group.__subclasses__()]
    for group in groups:
        groups += group.__subclasses__()
        for method in vars(group).values():
            held = {**getattr(method, "__press__", {}), **getattr(method, "__form__", {})}
            subjects |= {pattern.pattern for pattern in held.values()}
    assert len(subjects) > 20
    slow = {subject for subject in subjects if find_backtracking(re.compile(subject), Use.FULL)}
    assert slow == set()
