"""Texts that are kept beside the tests, and read when they change."""

import difflib
import re
from collections.abc import Mapping
from pathlib import Path

_TIME = re.compile(r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{2}:[0-9]{2} UTC")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}$", re.MULTILINE)


def is_kept(path: Path, text: str, variables: Mapping[str, str]) -> None:
    """Compare a text with the one that is kept; `DOOMKEEPER_WRITE=1` keeps the new one."""
    told = _DAY.sub("DAY", _TIME.sub("TIME", text)).rstrip() + "\n"
    if variables.get("DOOMKEEPER_WRITE") == "1":
        path.write_text(told, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    differences = difflib.unified_diff(kept.splitlines(), told.splitlines(), "kept", "told", lineterm="", n=1)
    assert told == kept, "\n".join([path.name, *differences])
