"""Where the program lives, and where it keeps its data: in a clone, or wherever a tool has installed it."""

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
    """The first 12 digits of the commit that runs: a clone's, or the image's variable COMMIT; else empty."""
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
    """The version, with the commit where there is one: `0.3.0 (commit 4f2a91c07b3e)`."""
    return f"{VERSION} (commit {commit()})" if commit() else VERSION


def folder() -> Path:
    """Where the data live: `data` below the working folder of a clone, else the user's own folder for them.

    An installed program is called from anywhere, and finds its tables again.
    """
    if IS_CLONE:
        return Path("data")
    from platformdirs import user_data_path  # here, since a clone has no need of it

    return user_data_path("doomkeeper", appauthor=False)


def settings_file() -> Path:
    """The file of settings: `.env` where a clone is started, else beside the data.

    An installed program reads none where it is called: that may be another program's, with its database.
    """
    return Path(".env") if IS_CLONE else folder() / ".env"


def database(name: str) -> str:
    """The address of a SQLite database of that name among the data."""
    return f"sqlite+aiosqlite:///{(folder() / f'{name}.db').as_posix()}"
