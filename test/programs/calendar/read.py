"""Reads a feed from standard input with the package icalendar, and prints its events as JSON."""

import json
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.read())
events = [
    {
        "id": str(event["UID"]).split(".")[0],
        "start": event.decoded("DTSTART").isoformat(),
        "end": event.decoded("DTEND").isoformat(),
        "summary": str(event["SUMMARY"]),
        "errors": event.errors,
    }
    for event in calendar.walk("VEVENT")
]
print(json.dumps({"name": str(calendar["X-WR-CALNAME"]), "errors": calendar.errors, "events": events}))
