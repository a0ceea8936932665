"""Whether somebody comes to this machine by its own name, and from a page of its own."""

import ipaddress
import socket
from collections.abc import Collection, Mapping


def own_names(host: str = "") -> frozenset[str]:
    """The names by which this machine is called, that of `--host` included."""
    machine = socket.gethostname().lower()
    return frozenset({"localhost", machine, f"{machine}.local", host.lower()} - {""})


def is_own_name(host: str, names: Collection[str]) -> bool:
    """The name, with or without a port, is a number or a name of this machine.

    A page elsewhere that lets its name point here (DNS rebinding) comes by a foreign name; a number cannot be
    pointed anywhere.

    >>> [is_own_name(host, {"localhost"}) for host in ("127.0.0.1:80", "[::1]", "localhost", "evil.net")]
    [True, True, True, False]
    """
    name = host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() in names
    return True


def is_own_page(headers: Mapping[str, str], host: str) -> bool:
    """A page that sends or connects here is of this very host and port; what is no page says no origin."""
    origin = headers.get("Origin")
    return origin is None or origin.partition("://")[2] == host
