"""Storage of tables; the only package that contains SQL."""

import sys
from types import ModuleType


class _Unused(ModuleType):
    """A module of SQLAlchemy's of which nothing is used."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):  # what Python itself asks of modules
            raise AttributeError(name)


# What reaches a database asynchronously brings its sessions along, and they the ORM: 6.2 MiB and 40 ms of
# each start for what nothing uses. `test_a_start_imports_only_what_serving_needs` says where it changes.
for _name in ("sqlalchemy.ext.asyncio.scoping", "sqlalchemy.ext.asyncio.session"):
    sys.modules.setdefault(_name, _Unused(_name))
