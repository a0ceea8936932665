"""What goes wrong on the loopback Discord: answers to the bot, and refusals to a person."""

from collections.abc import Iterable
from typing import Any


class ApiError(Exception):
    """A request of the bot that Discord answers with an error.

    >>> ApiError(404, 10008, "Unknown Message").body()
    {'code': 10008, 'message': 'Unknown Message'}
    """

    def __init__(self, status: int, code: int, message: str, faults: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(f"{code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.faults = tuple(faults)

    def __str__(self) -> str:
        details = "; ".join(f"{path}: {sentence}" for path, sentence in self.faults)
        return f"{self.code} {self.message}" + (f" ({details})" if details else "")

    def body(self) -> dict[str, Any]:
        """The JSON that Discord sends with this error, every fault filed under its path."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        for path, sentence in self.faults:
            place = body.setdefault("errors", {})
            for key in path.split("."):
                place = place.setdefault(key, {})
            place.setdefault("_errors", []).append({"code": "BASE_TYPE_INVALID", "message": sentence})
        return body


def invalid_form(faults: Iterable[tuple[str, str]]) -> ApiError:
    """The error for a body that does not fit (code 50035)."""
    return ApiError(400, 50035, "Invalid Form Body", faults)


def unknown(what: str, code: int) -> ApiError:
    """The error for something that is not there (any of the 10xxx codes)."""
    return ApiError(404, code, f"Unknown {what}")


class Refused(Exception):
    """What a person typed or pressed is not possible; nothing was sent to the bot."""


class UnknownCommand(Refused):
    """There is no such command or option."""
