"""Days as they are said: of the week, of a month, of a year; in full, or short enough for a button."""

from datetime import date, datetime

from rules.words import Phrase, Words

MONTHS = (
    *(Words("January"), Words("February"), Words("March"), Words("April"), Words("May"), Words("June")),
    *(Words("July"), Words("August"), Words("September"), Words("October"), Words("November")),
    Words("December"),
)
"""What the months are called where a day is said; they are typed in English."""
WEEKDAYS = (
    *(Words("Monday"), Words("Tuesday"), Words("Wednesday"), Words("Thursday")),
    *(Words("Friday"), Words("Saturday"), Words("Sunday")),
)
"""What the days of the week are called."""
_SHORT_MONTHS = (
    *(Words("Jan"), Words("Feb"), Words("Mar"), Words("Apr"), Words("May"), Words("Jun"), Words("Jul")),
    *(Words("Aug"), Words("Sep"), Words("Oct"), Words("Nov"), Words("Dec")),
)
_SHORT_WEEKDAYS = (
    *(Words("Mon"), Words("Tue"), Words("Wed"), Words("Thu"), Words("Fri"), Words("Sat"), Words("Sun")),
)


def day_words(at: date, *, with_year: bool = False) -> Phrase:
    """A day as one says it: `5 June`, `5 June 2026`."""
    month = MONTHS[at.month - 1]
    if with_year:
        return Words("{day} {month} {year}", day=at.day, month=month, year=at.year)
    return Words("{day} {month}", day=at.day, month=month)


def short_time(at: datetime) -> Phrase:
    """A time as it stands on a button: `Sat 28 Nov 19:30`."""
    return Words(
        "{weekday} {day} {month} {time}",
        weekday=_SHORT_WEEKDAYS[at.weekday()],
        day=at.day,
        month=_SHORT_MONTHS[at.month - 1],
        time=f"{at:%H:%M}",
    )
