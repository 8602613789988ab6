import type { Db } from "../../db/database.ts";
import { addDays, type CalendarDate, type DateRange } from "../lib/calendar-date.ts";
import { type Instant, LAST_INSTANT } from "../lib/instant.ts";
import { endOfDay, startOfDay, type TimeZone } from "../lib/time-zone.ts";
import type { PracticeCalendar } from "../utilization/calendar.ts";
import { type RecordCounter, readRecords } from "../utilization/counting.ts";
import type { Subject } from "../utilization/subject.ts";
import { countsAsScheduled } from "../utilization/units.ts";
import { checks } from "./checks.ts";
import type { Finding, Sink } from "./findings.ts";
import { listLaterAuthorizations } from "./repository.ts";
import { includes } from "./session-checks.ts";

/** The check of authorizations and pools that end without a successor (docs/checks.md). */

interface Request {
  organizationId: string;
  days: DateRange;
  calendar: PracticeCalendar;
}

/** A subject that ends on one of the days, today or later. */
interface Ending {
  subject: Subject;
  term: DateRange;
  timezone: TimeZone;
  today: CalendarDate;
}

/** A subject is in use if it has records on one of this many days before today, or is booked from today on. */
const DAYS_OF_USE = 28;

/** Finds subjects that are in use, end on one of the days, today or later, and have no successor. */
export async function findRenewalsDue(
  db: Db,
  { organizationId, days, calendar }: Request,
  subjects: readonly Subject[],
  sink: Sink,
): Promise<void> {
  const ending = subjects.flatMap((subject): Ending[] => {
    const { term } = subject;
    const timezone = calendar.timeZoneOf(subject.patientTimeZone);
    const today = calendar.dateIn(timezone);
    if (term === undefined || !includes(days, term.endDate) || term.endDate < today) return [];
    return [{ subject, term, timezone, today }];
  });
  const last = (await withoutSuccessor(db, organizationId, ending)).map((one) => ({
    ...one,
    use: new Use(one),
  }));
  await readRecords(
    db,
    organizationId,
    last.flatMap(({ subject, use }) =>
      subject.members.map(({ publicId }) => ({
        authorizationId: publicId,
        spans: [{ from: use.from, to: LAST_INSTANT }],
        counters: [use],
      })),
    ),
  );
  for (const one of last) {
    if (!one.use.isInUse) continue;
    const finding = findingOf(one);
    sink.add({ ...finding, make: () => finding });
  }
}

/** The subjects that no authorization of the same patient, payor and service line follows without a gap. */
async function withoutSuccessor(
  db: Db,
  organizationId: string,
  ending: readonly Ending[],
): Promise<Ending[]> {
  const [firstEnd] = ending.map(({ term }) => term.endDate).toSorted();
  if (firstEnd === undefined) return [];
  const patientIds = [...new Set(ending.map(({ subject }) => subject.patientId))];
  const later = await listLaterAuthorizations(db, organizationId, { patientIds, after: firstEnd });
  const byKind = Map.groupBy(later, kindOf);
  return ending.filter(
    ({ subject: { patientId, payorId, members }, term: { endDate } }) =>
      !members.some(({ serviceLineId }) =>
        byKind
          .get(kindOf({ patientId, payorId, serviceLineId }))
          ?.some((next) => next.startDate <= addDays(endDate, 1) && next.endDate > endDate),
      ),
  );
}

/** Ids have no white space. */
function kindOf(kind: {
  patientId: string;
  payorId: string | null;
  serviceLineId: string;
}): string {
  return [kind.patientId, kind.payorId ?? "", kind.serviceLineId].join(" ");
}

/** Finds out whether a subject is in use, and how many sessions are booked after its end. */
class Use implements RecordCounter {
  /** From when on records are of interest. */
  readonly from: Instant;
  isInUse = false;
  sessionsBehind = 0;
  readonly #today: Instant;
  readonly #end: Instant;

  constructor({ today, timezone, term }: Ending) {
    this.from = startOfDay(addDays(today, -DAYS_OF_USE), timezone);
    this.#today = startOfDay(today, timezone);
    this.#end = endOfDay(term.endDate, timezone);
  }

  addEncounter({ startTime }: { startTime: Instant }): void {
    if (startTime < this.#today) this.isInUse = true;
  }

  addSession({ startTime, status }: { startTime: Instant; status: string }): void {
    const holdsSlot = countsAsScheduled(status);
    if (startTime < this.#today || holdsSlot) this.isInUse = true;
    if (holdsSlot && startTime > this.#end) this.sessionsBehind += 1;
  }
}

function findingOf({ subject, term, timezone, use }: Ending & { use: Use }): Finding {
  const { endDate } = term;
  const isPool = subject.kind === "POOL";
  return {
    check: "RENEWAL_DUE",
    date: endDate,
    timezone,
    patientId: subject.patientId,
    providerId: null,
    sessionIds: [],
    encounterIds: [],
    authorizationId: isPool ? null : subject.publicId,
    poolId: subject.poolId,
    payorId: subject.payorId,
    authorizationStartDate: term.startDate,
    authorizationEndDate: endDate,
    units: null,
    message: checks.RENEWAL_DUE.message({ isPool, date: endDate, sessions: use.sessionsBehind }),
  };
}
