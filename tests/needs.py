"""Programs that some tests need, and that a machine may not have.

A test that is marked `needs("git")` is skipped where git is missing. `.ci/run` runs the tests without these
programs first, so a test without its mark fails there.
"""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTED_WITH = {
    ".git": "what belongs to a clone",
    "/proc/self": "processes as Linux shows them",
    "/proc/self/clear_refs": "the memory that pictures take",
    "bash": "the release script",
    "chromium": "the page in a browser",
    "git": "clones, diffs and releases",
    "unshare": "files on a mount that is only read",
    "uv": "wheels and releases",
}
"""What is tested with each program or path; a path is relative to the root of the clone."""
_OTHER_NAMES = {"chromium": ("chromium-browser",)}


def found(name: str) -> str | None:
    """Return the path of a program or file that tests need, or None if it is missing."""
    if name.startswith((".", "/")):
        path = ROOT / name
        return str(path) if path.exists() else None
    if name == "uv" and "UV" in os.environ:  # set by `uv run`, which need not be in PATH
        return os.environ["UV"]
    paths = (shutil.which(each) for each in (name, *_OTHER_NAMES.get(name, ())))
    return next(filter(None, paths), None)


def reason(name: str) -> str:
    """Return what is not tested without a program, as a skipped test says it."""
    return f"{TESTED_WITH[name]} (no {name})"


def skip_if_missing(item: pytest.Item) -> None:
    """Skip a test if a program that it is marked with is missing."""
    for mark in item.iter_markers("needs"):
        for name, text in zip(mark.args, map(reason, mark.args), strict=True):
            if found(name) is None:
                pytest.skip(text)
