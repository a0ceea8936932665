"""Mutation testing: change single places of a package at random, and see which changes the tests notice.

    uv run python -m tests.mutate --count 50 --seed 1 rules
    uv run python -m tests.mutate --count 30 --seed 1 bot --tree ../before

Each mutant is made in a copy of the tree. Equal sources and an equal seed give equal mutants, so that the
tests of two checkouts can be compared. The tests named after the module run first, then those of the nearest
folder, then all. This is quicker with a map of which test reaches which line, made once:

    uv run pytest --cov --cov-context=test --cov-report=
    uv run python -m tests.mutate --count 50 --contexts .coverage rules

Survivors are printed with their place and change; the exit code is 1 if there are any.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
PAIRS = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
)
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    one: other for pair in PAIRS for one, other in (pair, pair[::-1])
}
HANGS = 3600
"""Seconds after which a run of tests is stopped, and its mutant counts as caught."""


@dataclass(frozen=True)
class Mutant:
    """A changed place: the node as it is, and the source text that takes its place."""

    path: Path
    node: ast.expr | ast.stmt
    change: str

    def __str__(self) -> str:
        return f"{self.path}:{self.node.lineno}: {ast.unparse(self.node)}  ->  {self.change}"

    def applied(self, source: bytes) -> bytes:
        """The source of the module with the change."""
        lines = source.splitlines(keepends=True)
        node = self.node
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
        after = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
        return before + self.change.encode() + after


def mutants(tree: Path, package: str) -> list[Mutant]:
    """All mutants of a package, in the order of its files and lines."""
    return [
        Mutant(path.relative_to(tree), node, change)
        for path in sorted((tree / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.expr | ast.stmt)
        for change in changes(node)
    ]


def changes(node: ast.expr | ast.stmt) -> Iterator[str]:
    """What may stand in place of a node."""
    match node:
        case ast.Compare(left, ops, others):
            for place, op in enumerate(ops):
                flipped = [*ops[:place], COMPARED[type(op)](), *ops[place + 1 :]]
                yield text(ast.Compare(left, flipped, others))
            for place, each in enumerate(others):
                if isinstance(each, ast.Constant) and type(each.value) is int:
                    more = [*others[:place], ast.Constant(each.value + 1), *others[place + 1 :]]
                    yield text(ast.Compare(left, ops, more))
        case ast.BoolOp(op, values):
            yield text(ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values))
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right):
            yield text(ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right))
        case ast.UnaryOp(ast.Not(), operand):
            yield text(operand)
        case ast.Return(ast.expr() as value) if ast.unparse(value) != "None":
            yield "return None"


def text(node: ast.expr) -> str:
    """The source text of an expression, in parentheses."""
    return f"({ast.unparse(node)})"


def reaching(mutant: Mutant, tree: Path, contexts: Path | None) -> Iterator[Sequence[str]]:
    """The tests to run for a mutant, in rounds, the likeliest first."""
    if contexts is not None:
        data = CoverageData(str(contexts))
        data.read()
        measured = next((each for each in data.measured_files() if each.endswith(f"/{mutant.path}")), "")
        lines = data.contexts_by_lineno(measured)
        found = {each.rpartition("|")[0] for each in lines.get(mutant.node.lineno, ())} - {""}
        if found:
            yield sorted(found, key=lambda test: (mutant.path.stem not in test, test))
            return
    named = sorted((tree / "tests").rglob(f"test_{mutant.path.stem}.py"))
    if named:
        yield [str(path.relative_to(tree)) for path in named]
    folder = tree / "tests" / mutant.path.parent
    while not folder.is_dir():
        folder = folder.parent
    yield [str(folder.relative_to(tree))]
    yield ["tests"]


def is_caught(mutant: Mutant, tree: Path, contexts: Path | None, workers: int) -> bool:
    """Whether a test fails. The tree is a copy, whose module has been changed."""
    for tests in reaching(mutant, tree, contexts):
        chosen = tree / ".mutate-tests"
        chosen.write_text("\n".join(tests), encoding="utf-8")
        options = ["-x", "-q", "-n", str(workers), "-o", "timeout=60", "--hypothesis-profile=laws"]
        command = [sys.executable, "-m", "pytest", *options]
        try:
            done = subprocess.run(
                [*command, f"@{chosen}"], cwd=tree, capture_output=True, timeout=HANGS, check=False
            )
        except subprocess.TimeoutExpired:
            return True
        if done.returncode not in (0, 5):  # 5: no test was chosen
            return True
    return False


def main() -> int:
    """Run what the command line says; 1 where a mutant survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description="Mutation testing.")
    parser.add_argument("package", choices=("rules", "bot"))
    parser.add_argument("--count", type=int, default=20, help="mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tree", type=Path, default=ROOT, help="checkout to test")
    parser.add_argument("--contexts", type=Path, help="coverage data with one context per test")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    tree: Path = asked.tree.resolve()
    chosen = random.Random(asked.seed).sample(mutants(tree, asked.package), asked.count)
    survivors = 0
    with TemporaryDirectory(prefix="mutate-") as folder:
        there = Path(folder, "tree")
        shutil.copytree(tree, there, ignore=shutil.ignore_patterns(".venv", ".hypothesis", ".coverage*"))
        for number, mutant in enumerate(chosen, 1):
            path = there / mutant.path
            source, times = path.read_bytes(), path.stat()
            path.write_bytes(mutant.applied(source))
            os.utime(path, (number, number))  # or compiled code of the same second would be taken for it
            caught = is_caught(mutant, there, asked.contexts, asked.workers)
            path.write_bytes(source)
            os.utime(path, (times.st_atime, times.st_mtime))
            survivors += not caught
            sys.stdout.write(f"{'caught  ' if caught else 'SURVIVED'} {mutant}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{asked.count - survivors} of {asked.count} caught, {survivors} survived\n")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
