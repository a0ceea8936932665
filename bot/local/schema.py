"""Bodies held against Discord's own description of its API, where a copy of it is at hand."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


class Validator(Protocol):
    """The part of a validator that is used here."""

    def is_valid(self, instance: Any) -> bool:
        """Whether the instance fits."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A body of the bot that does not fit Discord's description."""

    operation: str
    sentence: str
    body: Any = field(repr=False)


class Schemas:
    """The request bodies of Discord's OpenAPI description, compiled one by one when first needed."""

    def __init__(self, path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        self.components = document["components"]
        # Discord takes ids as numbers too, which its description does not say.
        self.components["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
        # An application's description is text, as the documentation has it.
        if form := self.components["schemas"].get("ApplicationFormPartial"):
            form["properties"]["description"] = {"type": ["string", "null"], "maxLength": 400}
        self.bodies: dict[str, Any] = {}
        for operations in document["paths"].values():
            for operation in operations.values():
                if not isinstance(operation, dict) or "requestBody" not in operation:
                    continue
                body = operation["requestBody"]["content"].get("application/json")
                if body:
                    self.bodies[operation["operationId"]] = body["schema"]
        self.compiled: dict[str, Validator] = {}

    def check(self, operation: str, body: Any) -> Violation | None:
        """The violation of the description, if the body does not fit the operation.

        What fits, and nearly all does, is found by a quick validator; what does not is explained by another.
        """
        if operation not in self.compiled:
            if operation not in self.bodies:
                return None
            self.compiled[operation] = self._compile(operation)
        if self.compiled[operation].is_valid(body):
            return None
        error = closest(self._explain(operation, body))
        if error is None:
            return Violation(operation, "does not fit", body)
        place = "/".join(str(step) for step in error.absolute_path)
        return Violation(operation, f"{place}: {error.message[:300]}", body)

    def _compile(self, operation: str) -> Validator:
        from jsonschema_rs import Draft202012Validator

        return Draft202012Validator(self._described(operation))

    def _explain(self, operation: str, body: Any) -> "Iterable[ValidationError]":
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self._described(operation)).iter_errors(body)

    def _described(self, operation: str) -> dict[str, Any]:
        return {"components": self.components, **self.bodies[operation]}


@lru_cache(maxsize=4)
def described(path: Path) -> Schemas:
    """The schemas of a description, read and compiled once."""
    return Schemas(path)


def closest(errors: "Iterable[ValidationError]") -> "ValidationError | None":
    """The first error; inside a union, the one of the branch that was meant."""
    error = next(iter(errors), None)
    while error is not None and error.context:
        branches: dict[Any, list[ValidationError]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = min(branches.values(), key=lambda branch: (any(map(is_about_kind, branch)), len(branch)))
        error = meant[0]
    return error


def is_about_kind(error: "ValidationError") -> bool:
    """The branch of a union is for another kind of thing: another `type`, or null."""
    return list(error.path) == ["type"] or (error.validator == "type" and not error.path)
