"""Folders and files of the program, its version, and the command that runs it. Standard library only."""

import os
import re
from functools import cache
from pathlib import Path

from bot import VERSION

_ABOVE = Path(__file__).parents[1]
IS_CLONE = (_ABOVE / "pyproject.toml").is_file()
"""Whether this is a clone of the source (or the image, which is laid out as one)."""
COMMAND = "python -m bot" if IS_CLONE else "doomkeeper"
"""How the program is called on the command line."""


@cache
def commit() -> str:
    """Return the first 12 digits of the running commit, from the clone or the COMMIT variable; else ""."""
    git = _ABOVE / ".git"
    try:
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        name = head.removeprefix("ref: ")
        if name != head and (git / name).is_file():
            head = (git / name).read_text(encoding="ascii").strip()
        elif name != head:
            packed = (git / "packed-refs").read_text(encoding="ascii").splitlines()
            head = next(line.partition(" ")[0] for line in packed if line.endswith(f" {name}"))
    except (OSError, UnicodeDecodeError, StopIteration):
        head = os.environ.get("COMMIT", "")
    return head[:12] if re.fullmatch("[0-9a-f]{7,64}", head) else ""


def full_version() -> str:
    """Return the version, with the commit if known: `0.4.0 (commit 4f2a91c07b3e)`."""
    return f"{VERSION} (commit {commit()})" if commit() else VERSION


def folder() -> Path:
    """Return the data folder: `data` in the working folder of a clone, else the user's data folder.

    An installed program can be run from anywhere, and must find its tables again.
    """
    if IS_CLONE:
        return Path("data")
    from platformdirs import user_data_path  # here, since a clone has no need of it

    return user_data_path("doomkeeper", appauthor=False)


def settings_file() -> Path:
    """Return the settings file: `.env` when a clone is started, else one next to the data.

    An installed program reads no `.env` where it is run, since that may belong to another program.
    """
    return Path(".env") if IS_CLONE else folder() / ".env"


def database(name: str) -> str:
    """Return the URL of a SQLite database of that name in the data folder."""
    return f"sqlite+aiosqlite:///{(folder() / f'{name}.db').as_posix()}"
