"""Quiet hours, being away and muted tables in words."""

from bot.language import say
from bot.language.line import Text, TimeStyle, heading, moment
from rules.campaign.schedule import QuietHours


def rest_lines(rest: QuietHours, campaign: int) -> list[Text]:
    """When somebody is reminded of what waits for them, and when not."""
    lines = []
    if rest.has_quiet_hours:
        begins, ends = (f"{at // 60}:{at % 60:02}" for at in (rest.begins, rest.ends))
        lines.append(say("Quiet from {begins} to {ends} ({zone})", begins=begins, ends=ends, zone=rest.zone))
        if rest.by_morning:
            lines.append(say("All reminders come in one message a day, at {ends}", ends=ends))
    if rest.until:
        lines.append(say("Away until {when}", when=moment(rest.until, TimeStyle.DAY)))
    if campaign in rest.muted:
        lines.append(say("No reminders from this table"))
    lines = lines or [say("Reminders can come at any time.")]
    if rest.zone and not rest.has_quiet_hours:
        lines.append(say("Your time zone: {zone}", zone=rest.zone))
    return [heading(say("Your reminders")), *lines]
