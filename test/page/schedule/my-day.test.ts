import { expect, test } from "bun:test";
import { toInstant } from "../../../src/page/app/lib/base/dates.ts";
import { serverClock } from "../../../src/page/app/lib/base/server-clock.ts";
import { isToDocument, isToRecord } from "../../../src/page/app/lib/schedule/my-day.ts";
import { shownSession } from "../../support/page/session.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (time: number) => toInstant(serverClock.now() - time);

test.each([
  ["has ended", {}, true],
  ["goes on", { endTime: ago(-HOUR) }, false],
  ["was missed", { status: "PATIENT_NO_SHOW" }, false],
  ["is not billable", { isBillable: false }, false],
])("a session that %s: to be documented", (_, given, is) => {
  expect(isToDocument(shownSession({ endTime: ago(HOUR), ...given }))).toBe(is);
});

test.each([
  ["begins in half an hour", { startTime: ago(-HOUR / 2) }, true],
  ["begins in more than an hour", { startTime: ago(-1.1 * HOUR) }, false],
  ["was two weeks ago", { startTime: ago(14 * DAY - HOUR) }, true],
  ["was earlier", { startTime: ago(14 * DAY + HOUR) }, false],
  ["supervises", { isSupervision: true }, false],
  ["is with no patient", { clientId: null }, false],
])("of a session that %s: there is data to be recorded", (_, given, is) => {
  expect(isToRecord(shownSession({ startTime: ago(HOUR), ...given }))).toBe(is);
});
