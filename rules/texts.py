"""What a text in a fact says, so that names are found in facts, and forgotten."""

from enum import Enum, auto
from typing import Annotated


class Says(Enum):
    """What a text in a fact is: a name of somebody at the table, of a person, of a thing, or typed words."""

    NAME = auto()
    PERSON = auto()
    LABEL = auto()
    NOTE = auto()


Name = Annotated[str, Says.NAME]
Person = Annotated[str, Says.PERSON]
Label = Annotated[str, Says.LABEL]
Note = Annotated[str, Says.NOTE]
