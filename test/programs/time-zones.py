"""Writes test/support/lib/time-zones.txt, the vectors of rules of time zones:

    python3 -m venv /tmp/vectors && /tmp/vectors/bin/pip install tzdata==2026.6
    PYTHONTZPATH= /tmp/vectors/bin/python test/programs/time-zones.py > test/support/lib/time-zones.txt

The program's rules are those that moment-timezone compiles. PyPI's tzdata is another compiler's work on the same source,
and Python continues the last rules by itself. The version of both is to be the same.
"""

from datetime import datetime, timedelta, timezone
from importlib import resources
from zoneinfo import ZoneInfo, available_timezones

import tzdata

# All changes of these years are listed, and those of single years long after them: before and behind the page's last
# listed year and the server's, with and without a leap day.
FIRST, LAST = 1970, 2045
LATER = [2059, 2060, 2061, 2086, 2087, 2100, 2499, 2500, 2504, 2509, 4000, 9989]

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
STEP = 6 * 3600


def seconds(year: int) -> int:
    return int((datetime(year, 1, 1, tzinfo=timezone.utc) - EPOCH).total_seconds())


def offset(zone: ZoneInfo, moment: int) -> int:
    return int((EPOCH + timedelta(seconds=moment)).astimezone(zone).utcoffset().total_seconds())


def changes(zone: ZoneInfo, first: int, last: int) -> list[str]:
    """`moment offset`, in seconds, at the beginning of the first year and at each change until the end of the last."""
    before, end = seconds(first), seconds(last + 1)
    found = [f"{before} {offset(zone, before)}"]
    while before < end:
        after = min(before + STEP, end)
        if offset(zone, before) != offset(zone, after):
            low, high = before, after
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
            if high < end:
                found.append(f"{high} {offset(zone, high)}")
        before = after
    return found


print(f"""# The rules of time zones, version {tzdata.IANA_VERSION}, written by test/programs/time-zones.py. Each line:
# the names of a zone | epoch seconds and offset in seconds, at the first moment of {FIRST} and at each change to {LAST}
# | the same of each of the years {' '.join(map(str, LATER))}""")
alike: dict[str, list[str]] = {}
for name in sorted(available_timezones() - {"Factory", "localtime", "posixrules"}):
    zone = ZoneInfo(name)
    later = [" ".join(changes(zone, year, year)) for year in LATER]
    alike.setdefault(f"{' '.join(changes(zone, FIRST, LAST))}|{','.join(later)}", []).append(name)
for listed, names in alike.items():
    print(f"{' '.join(names)}|{listed}")
