"""What Schemathesis has to know of this API."""

from zoneinfo import available_timezones

import schemathesis
from hypothesis import strategies as st

schemathesis.openapi.format("time-zone", st.sampled_from(sorted(available_timezones() - {"Factory", "localtime"})))
schemathesis.openapi.format("us-phone", st.sampled_from(["+14155552671", "+18026584000", "+17875552671"]))


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")


@schemathesis.check
def only_rules_beyond_the_schema_refuse(context, response, case):
    """Instead of `positive_data_acceptance`: what the schema allows may still break a rule between values, or between
    them and the records (code `custom`), or use an `Idempotency-Key` again (422)."""
    if not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    body = response.json()
    for issue in body.get("validationErrors") or body.get("details", []):
        # For nullable instants, the phase "coverage" also sends "", which is no `date-time`.
        is_empty_instant = issue["code"] == "invalid_date" and b'""' in response.request.body
        # Required of calendars for a key without a user, and of practice files in CSV.
        is_required_by_others = issue["path"] in (["userId"], ["type"])
        # The kind of the stored goal decides which of the bodies it takes.
        is_of_another_kind = case.operation.path.endswith("/recorded-data") and issue["path"][:1] == ["entries"]
        expected = is_empty_instant or is_required_by_others or is_of_another_kind
        if issue["code"] != "custom" and not expected:
            raise AssertionError(f"The schema allows what is refused: {issue}")
