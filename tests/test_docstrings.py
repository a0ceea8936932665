"""The examples in docstrings run, and say what comes back."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ("rules", "bot")
    for path in sorted((ROOT / room).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    assert doctest.testmod(import_module(module.removesuffix(".__init__"))).failed == 0
