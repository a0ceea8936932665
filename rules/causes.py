"""What the facts of any table are said with: closed sets."""

from enum import StrEnum


class Stretch(StrEnum):
    """The stretches of play that begin and end."""

    SESSION = "session"
    ACT = "act"
    SCENE = "scene"


class Seat(StrEnum):
    """What becomes of somebody's seat at the table."""

    NEW = "new"
    PLAYED = "played"
    GM = "gm"
    NO_GM = "no gm"
    STAYS_GM = "stays gm"
    RENAMED = "renamed"
    LEAVES = "leaves"
    ENTERS = "enters"
    ENTERS_ORDER = "enters order"
    WAITS = "waits"
    IMPORTED = "imported"
    IMPORTED_PLAYED = "imported played"


class Fate(StrEnum):
    """What becomes of a campaign as a whole."""

    ARCHIVED = "archived"
    HERE = "here"
    LEFT = "left"
    JOINED = "joined"
    REPLACED = "replaced"
    DELETED = "deleted"
    RESTORED = "restored"


class Boundary(StrEnum):
    """What a table keeps out of play, or out of sight."""

    LINE = "line"
    VEIL = "veil"
