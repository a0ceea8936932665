"""The examples in docstrings run, and who raises says so."""

import ast
import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.house import nodes_of

ROOT = Path(__file__).parents[1]
SOURCES = [path for room in ("rules", "bot") for path in sorted((ROOT / room).rglob("*.py"))]
RAISING = re.compile(r"\b(raises?|refuses?)\b", re.IGNORECASE)
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in SOURCES
    if ">>> " in path.read_text(encoding="utf-8")
]
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    assert doctest.testmod(import_module(module.removesuffix(".__init__"))).failed == 0


def test_every_public_function_that_raises_says_so() -> None:
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path in SOURCES
        for node in nodes_of(path)
        if isinstance(node, _Function) and not node.name.startswith("_") and raised_by(node)
        if (said := ast.get_docstring(node)) and not RAISING.search(said)
    ]
    assert silent == []


def raised_by(function: ast.AST) -> bool:
    """Whether a function raises something itself: not again, and not in a function within it."""
    return any(
        (isinstance(node, ast.Raise) and ast.unparse(node) not in ("raise", "raise NotImplementedError"))
        or raised_by(node)
        for node in ast.iter_child_nodes(function)
        if not isinstance(node, _Function)
    )
