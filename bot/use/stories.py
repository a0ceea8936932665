"""Stories that are ready to play, read from the folder in which they are kept."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules.campaign.lifecycle import Story
from rules.errors import NotAllowed
from rules.names import find, key
from rules.text import Words

FOLDER = Path(__file__).parents[1] / "stories"


@cache
def stories() -> Mapping[str, Story]:
    """All of them, by the keys of their kinds; each is a file."""
    read = (json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json")))
    return {key(form["kind"]): _story(form) for form in read}


def chosen_story(typed: str, *, has_file: bool = False) -> Story | None:
    """The story that a campaign begins with, by its kind, if any. Raises Unknown, Ambiguous, NotAllowed."""
    if not typed:
        return None
    kind = find(typed, [each.kind for each in stories().values()], Words("story"))
    if has_file:
        raise NotAllowed(
            "Start a campaign with a story or with a file, not both. Example: /campaign new story:{kind}",
            kind=kind,
        )
    return stories()[key(kind)]


def _story(form: dict[str, Any]) -> Story:
    """A story of a file, in which a sheet is a list of lines."""
    sheets = {who: "\n".join(lines) for who, lines in form["characters"].items()}
    return Story(**form | {"characters": sheets})
