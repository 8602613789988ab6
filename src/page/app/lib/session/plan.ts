import { type Bookable, outsideText } from "../authorizations/authorizations.ts";
import {
  type CalendarDate,
  coversDay,
  dateOf,
  instantAt,
  type Slot,
  type TimeZone,
} from "../base/dates.ts";
import { countText } from "../base/format.ts";
import type { Session, WhatIf, WhatIfBody } from "../base/wire.ts";

/** A time span of a day, in minutes from midnight. */
export interface Stretch {
  day: CalendarDate;
  from: number;
  to: number;
}

/** What is planned on an authorization, before it is booked. */
export interface Plan {
  authorization: Bookable;
  patientId: string;
  zone: TimeZone;
  /** Sessions that are not booked. */
  added: readonly Slot[];
  /** Booked ones that are to be cancelled. */
  cancelled: readonly Session[];
  /** The smallest sequence of the weeks that showed these; undefined without any. */
  since: number | undefined;
}

export const NOTHING = { added: [], cancelled: [], since: undefined } as const;

export function isPlanned({ added, cancelled }: Plan): boolean {
  return added.length + cancelled.length > 0;
}

export function withAdded(plan: Plan, stretches: readonly Stretch[]): Plan {
  const { added, zone } = plan;
  const more = stretches.map(({ day, from, to }) => ({
    startTime: instantAt(day, from, zone),
    endTime: instantAt(day, to, zone),
  }));
  return { ...plan, added: [...added, ...more] };
}

export function withoutAdded(plan: Plan, index: number): Plan {
  return { ...plan, added: plan.added.toSpliced(index, 1) };
}

/** Cancels a booked session that a response with a sequence showed, or keeps it after all. */
export function withToggled(plan: Plan, session: Session, sequence?: number): Plan {
  const { cancelled, since } = plan;
  const rest = cancelled.filter(({ publicId }) => publicId !== session.publicId);
  const chosen = rest.length < cancelled.length ? rest : [...cancelled, session];
  const smallest = sequence === undefined ? since : Math.min(since ?? sequence, sequence);
  return { ...plan, cancelled: chosen, since: chosen.length > 0 ? smallest : undefined };
}

/** On another authorization, whose booked sessions are others. */
export function onAuthorization(plan: Plan, authorization: Bookable): Plan {
  return { ...plan, ...NOTHING, authorization, added: plan.added };
}

/** The body of its what-if. */
export function whatIfOf({ zone, added, cancelled }: Plan): WhatIfBody {
  const cancel = cancelled.map(({ publicId }) => publicId);
  return { timezone: zone, add: [...added], cancel };
}

/** `Book 3 sessions and cancel 1` */
export function bookText({ added, cancelled }: Plan): string {
  const parts = [
    ...(added.length > 0 ? [`book ${countText(added.length, "session")}`] : []),
    ...(cancelled.length > 0 ? [`cancel ${cancelled.length}`] : []),
  ];
  const text = parts.join(" and ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where a session outside the authorization's dates is: `after its end, Nov 30, 2026`; undefined within them. */
export function outsideOf({ authorization, zone }: Plan, { startTime }: Slot): string | undefined {
  const { term } = authorization;
  const day = dateOf(startTime, zone);
  return term === undefined || coversDay(term, day) ? undefined : outsideText(day, term);
}

/** Why it does not fit: exceeded units, days outside the dates, or both. */
export function reasonsOf({ outside, periods, poolPeriods }: WhatIf): string[] {
  const worse = (each: WhatIf["periods"]): number =>
    each.filter(
      ({ unitsOver, unitsAfter, unitsCommitted }) => unitsOver > 0 && unitsAfter > unitsCommitted,
    ).length;
  const over = (number: number, whose: string): string =>
    `${countText(number, "period")} of ${whose} would be over the authorized units.`;
  const own = worse(periods);
  const ofPool = worse(poolPeriods ?? []);
  return [
    ...(own > 0 ? [over(own, "this authorization")] : []),
    ...(ofPool > 0 ? [over(ofPool, "the pool")] : []),
    ...(outside.length > 0
      ? [`${countText(outside.length, "session")} would be outside the dates of the authorization.`]
      : []),
  ];
}
