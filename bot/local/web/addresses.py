"""Where the page finds files: addresses that only those can know who see the message."""

from dataclasses import dataclass
from urllib.parse import quote

from bot.local.message import File
from bot.local.web.keys import Key


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses relative to the page, marked with the table's key."""

    key: Key

    def file(self, file: File) -> str:
        """The address of a file."""
        return f"files/{file.id}/{self.key.made('file', str(file.id))}/{quote(file.name, safe='')}"
