import type { DoubleBooking } from "./overlaps.ts";
import type { TimeZone } from "../base/dates.ts";
import { countText, whenText } from "../base/format.ts";
import type { Session, WhatIf, WhatIfBody } from "../base/wire.ts";

/** What is said about sessions before they are booked or moved: overlaps, units beyond a period, days outside a term. */

/** What sessions are to be. */
export interface Planned {
  sessions: readonly Session[];
  /** Existing sessions that are moved, and sessions that are cancelled. */
  instead: readonly string[];
  /** The authorization of one of both, by its id. */
  authorizationOf: (id: string) => string | undefined;
  zone: TimeZone;
}

/** What was found, of the planned sessions that hold their slots. */
export interface Found {
  sessions: readonly Session[];
  clashes: Map<string, DoubleBooking>;
  outcomes: WhatIf[];
  /** Whether some of it could not be asked. */
  isPartial: boolean;
}

/** What each authorization is asked: what is added to it, and taken from it. */
export function questionsOf(planned: Planned): Map<string, WhatIfBody> {
  const { sessions, instead, authorizationOf, zone: timezone } = planned;
  const questions = new Map<string, WhatIfBody>();
  for (const { publicId, startTime, endTime } of sessions) {
    const id = authorizationOf(publicId);
    if (id === undefined) continue;
    const { add = [], cancel = instead.filter((each) => authorizationOf(each) === id) } =
      questions.get(id) ?? {};
    questions.set(id, { timezone, add: [...add, { startTime, endTime }], cancel });
  }
  return questions;
}

/** The warnings in sentences. */
export function warningTexts(
  { sessions, clashes, outcomes, isPartial }: Found,
  name: (id: string) => string,
  zone: TimeZone,
): string[] {
  const sentences = sessions.flatMap((session) => {
    const when = whenText(session, zone);
    const { staff = [], isOfClient = false } = clashes.get(session.publicId) ?? {};
    return [
      ...[...staff].map((id) => `${when}: ${name(id)} has another session at this time.`),
      ...(isOfClient ? [`${when}: the patient has another session at this time.`] : []),
    ];
  });
  const periods = outcomes.flatMap((each) => [...each.periods, ...(each.poolPeriods ?? [])]);
  const over = Math.max(
    0,
    ...periods
      .filter(({ unitsAfter, unitsCommitted }) => unitsAfter > unitsCommitted)
      .map(({ unitsOver }) => unitsOver),
  );
  if (over > 0) sentences.push(`${countText(over, "unit")} more than authorized in a period.`);
  const outside = outcomes.reduce((sum, each) => sum + each.outside.length, 0);
  if (outside > 0)
    sentences.push(
      `${countText(outside, "session")} ${outside === 1 ? "is" : "are"} outside the dates of the authorization.`,
    );
  if (isPartial) sentences.push("Not everything could be checked.");
  return sentences;
}
