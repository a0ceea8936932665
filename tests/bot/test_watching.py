"""Alert rules and the dashboard load, and ask for figures and labels that there are."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import promql_parser
import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from jsonschema import Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families
from promql_parser import AggregateExpr, Expr, VectorSelector

from bot.guide import HOST
from bot.ops.metrics import Metrics, Snapshot

OPERATIONS = (HOST / "monitor.md").read_text(encoding="utf-8")
FIGURES = "\n".join(re.findall(r"^\| `doomkeeper_.*", OPERATIONS, re.MULTILINE))
RULES = yaml.safe_load((HOST / "alerts.yml").read_text(encoding="utf-8"))
DASHBOARD = json.loads((HOST / "grafana.json").read_text(encoding="utf-8"))
ALERTS = {rule["alert"]: rule for group in RULES["groups"] for rule in group["rules"]}
PANELS = {panel["title"]: panel for panel in DASHBOARD["panels"]}
FROM_PROMETHEUS = {"job", "instance"}
"""The labels that Prometheus itself puts on each figure; `up` is a figure of its own."""
WIDTH = 24
"""The columns of a dashboard."""

_TEXT = {"type": "object", "additionalProperties": {"type": "string"}}
_DURATION = {"type": "string", "format": "duration of Prometheus"}
_ALERT = {
    "type": "object",
    "required": ["alert", "expr"],
    "additionalProperties": False,
    "properties": {
        "alert": {"type": "string", "pattern": "^[A-Z][A-Za-z]+$"},
        "expr": {"type": "string"},
        "for": _DURATION,
        "keep_firing_for": _DURATION,
        "labels": _TEXT,
        "annotations": _TEXT,
    },
}
SCHEMA = {
    "type": "object",
    "required": ["groups"],
    "additionalProperties": False,
    "properties": {
        "groups": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name", "rules"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string"},
                    "interval": _DURATION,
                    "query_offset": _DURATION,
                    "limit": {"type": "integer", "minimum": 0},
                    "labels": _TEXT,
                    "rules": {"type": "array", "minItems": 1, "items": _ALERT},
                },
            },
        }
    },
}
"""What Prometheus's documentation says of a file of rules, of which ours are alerts alone."""


def faults_of_rules(rules: object) -> list[str]:
    """What is not well in a file of rules."""
    formats = Draft202012Validator.FORMAT_CHECKER.__class__(formats=())
    formats.checks("duration of Prometheus", raises=ValueError)(_is_duration)
    found = Draft202012Validator(SCHEMA, format_checker=formats).iter_errors(rules)
    return [f"{error.json_path}: {error.message}" for error in found]


def _is_duration(text: object) -> bool:
    return not isinstance(text, str) or promql_parser.parse_duration(text) is not None


def faults_of_dashboard(given: dict[str, Any]) -> list[str]:
    """What Grafana's own types do not know, or not as it stands there."""
    register_default_plugins()
    read = Dashboard.from_json(given)
    return [*_lost(given, json.loads(json.dumps(read, cls=JSONEncoder)), ""), *_mistyped(read, "")]


def _lost(given: object, kept: object, place: str) -> Iterator[str]:
    """What is not there any more once it was read: nobody knows it."""
    if isinstance(given, dict) and isinstance(kept, dict):
        for name, value in given.items():
            yield from _lost(value, kept.get(name), f"{place}/{name}")
    elif isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        for number, (one, other) in enumerate(zip(given, kept, strict=True)):
            yield from _lost(one, other, f"{place}/{number}")
    elif given != kept:
        yield f"{place}: {given!r} is read as {kept!r}"


def _mistyped(read: object, place: str) -> Iterator[str]:
    """Which values are not of the kind that the types have."""
    if isinstance(read, list):
        for number, each in enumerate(read):
            yield from _mistyped(each, f"{place}/{number}")
    elif type(read).__module__.startswith("grafana_foundation_sdk.models") and not isinstance(read, Enum):
        hints = get_type_hints(type(read))
        for name, value in vars(read).items():
            if not _fits(hints[name], value):
                yield f"{place}/{name}: {value!r} is no {hints[name]}"
            yield from _mistyped(value, f"{place}/{name}")


def _fits(hint: Any, value: object) -> bool:
    choices = [each for each in (hint, *get_args(hint)) if isinstance(each, type) and issubclass(each, Enum)]
    if choices and isinstance(value, str):
        return value in [member.value for each in choices for member in each]
    args = get_args(hint)
    if get_origin(hint) is Union:
        return any(_fits(each, value) for each in args)
    if get_origin(hint) is Literal:
        return any(type(value) is type(each) and value == each for each in args)
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(args[0], each) for each in value)
    if get_origin(hint) is dict:
        return isinstance(value, dict) and all(_fits(args[1], each) for each in value.values())
    if hint is float:
        return type(value) in (int, float)
    return type(value) is hint if hint in (int, bool) else isinstance(value, hint)


@cache
def labels() -> Mapping[str, set[str]]:
    """The labels of every figure that the bot gives, as Prometheus knows it."""
    metrics = Metrics()
    state = Snapshot({0: 0.1}, 1, 1, 1, 0, 0.0, datetime.now(UTC), timedelta(hours=1), jobs=0)
    metrics.look_at(lambda: state)
    metrics.done("command", "roll", "done", 0.1)
    metrics.pinned(is_refreshed=True)
    metrics.requested("GET", 200)
    families = text_string_to_metric_families(metrics.written().decode())
    found: dict[str, set[str]] = {"up": set()}
    for sample in (sample for family in families for sample in family.samples):
        found.setdefault(sample.name, set()).update(sample.labels)
    return found


def faults_of_expression(written: str) -> list[str]:
    """What an expression asks for that there is not. Raises ValueError for what is none."""
    found: list[str] = []
    names: set[str] = set()

    def look(part: Expr) -> None:
        if isinstance(part, VectorSelector):
            name = str(part.name)
            names.update(labels().get(name, ()), FROM_PROMETHEUS)
            found.extend([] if name in labels() else [f"there is no figure {name}"])
            for each in part.matchers.matchers:
                if each.name not in labels().get(name, set()) | FROM_PROMETHEUS:
                    found.append(f"{name} has no label {each.name}")
                values = each.value.split("|")
                found.extend(
                    f"the guide knows no {each.name} {value}" for value in values if value not in FIGURES
                )

    expression = promql_parser.parse(written)
    promql_parser.walk(expression, look)

    def look_again(part: Expr) -> None:
        if isinstance(part, AggregateExpr) and part.modifier:
            found.extend(f"nothing has the label {each}" for each in {*part.modifier.labels} - names)

    promql_parser.walk(expression, look_again)
    return found


def test_the_rules_have_the_shape_that_prometheus_reads() -> None:
    assert faults_of_rules(RULES) == []
    assert len(ALERTS) == sum(len(group["rules"]) for group in RULES["groups"]), "two have one name"
    assert "job_name: doomkeeper" in OPERATIONS


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_asks_for_what_there_is_and_says_what_to_do(name: str) -> None:
    rule = ALERTS[name]
    assert faults_of_expression(rule["expr"]) == []
    assert rule["labels"]["severity"] in ("page", "ticket")
    told = rule["annotations"]["summary"]
    asked = {each for known, of in labels().items() if known in rule["expr"] for each in of}
    assert set(re.findall(r"\$labels\.(\w+)", told)) <= asked | FROM_PROMETHEUS
    assert told[0].isupper()


def test_the_dashboard_is_one_that_grafana_reads() -> None:
    assert faults_of_dashboard(DASHBOARD) == []
    assert len(PANELS) == len(DASHBOARD["panels"]), "two have one title"
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    taken = [place for panel in DASHBOARD["panels"] for place in squares(panel["gridPos"])]
    assert len(set(taken)) == len(taken), "one panel lies on another"
    assert all(0 <= x < WIDTH for x, _ in taken)
    sources = {each["name"] for each in DASHBOARD["templating"]["list"]}
    assert set(re.findall(r"\$\{?(\w+)", json.dumps(DASHBOARD))) <= sources


def squares(place: dict[str, int]) -> Iterator[tuple[int, int]]:
    for x in range(place["x"], place["x"] + place["w"]):
        for y in range(place["y"], place["y"] + place["h"]):
            yield x, y


@pytest.mark.parametrize("title", PANELS)
def test_a_panel_is_of_a_kind_that_there_is_and_asks_for_what_there_is(title: str) -> None:
    panel = PANELS[title]
    assert find_spec(f"grafana_foundation_sdk.models.{panel['type']}")
    assert panel["targets"]
    marks = [target["refId"] for target in panel["targets"]]
    assert len(set(marks)) == len(marks)
    for target in panel["targets"]:
        assert faults_of_expression(target["expr"]) == [], target["expr"]


def test_every_figure_of_ours_is_in_the_guide_and_the_guide_has_no_other() -> None:
    named = set(re.findall(r"^\| `(\w+)`", FIGURES, re.MULTILINE))
    families = {name for name in labels() if name.startswith("doomkeeper_")}
    plain = {re.sub(r"_(bucket|sum|count)$", "", name) for name in families}
    assert named == plain


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("sum(doomkeeper_servres)", ["there is no figure doomkeeper_servres"]),
        ('doomkeeper_pins_total{outcom="failed"}', ["doomkeeper_pins_total has no label outcom"]),
        ('doomkeeper_pins_total{outcome="lost"}', ["the guide knows no outcome lost"]),
        ("sum by (comand) (doomkeeper_pins_total)", ["nothing has the label comand"]),
    ],
)
def test_what_there_is_not_is_found(written: str, says: list[str]) -> None:
    assert faults_of_expression(written) == says
    with pytest.raises(ValueError, match=r"\S"):
        promql_parser.parse(f"{written} >")


@pytest.mark.parametrize(
    ("name", "value"), [("for", "5 minutes"), ("fro", "5m"), ("labels", {"severity": 1}), ("expr", None)]
)
def test_a_rule_that_prometheus_refuses_is_found(name: str, value: object) -> None:
    rule = {"alert": "Up", "expr": "up == 0", name: value}
    assert len(faults_of_rules({"groups": [{"name": "ours", "rules": [rule]}]})) == 1


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        ((), "titel", "Doomkeeper"),
        (("panels", 0, "gridPos"), "h", "8"),
        (("panels", 0, "targets", 0), "exp", "up"),
        (("panels", 0, "targets", 0), "expr", 5),
        (("panels", 0, "fieldConfig", "defaults"), "units", "s"),
        (("templating", "list", 0), "type", "source"),
    ],
)
def test_a_dashboard_that_grafana_does_not_know_is_found(
    place: tuple[str | int, ...], name: str, value: object
) -> None:
    broken = json.loads(json.dumps(DASHBOARD))
    part: Any = broken
    for step in place:
        part = part[step]
    part[name] = value
    assert len(faults_of_dashboard(broken)) == 1
