import type { Database } from "bun:sqlite";
import {
  addDays,
  type CalendarDate,
  daysBetween,
  endOfWeek,
  startOfWeek,
  type WeekDay,
} from "../../src/lib/calendar-date.ts";
import { startOfDay, type TimeZone } from "../../src/lib/time-zone.ts";
import { type FloorPage, PAGE_SIZE, pageOf } from "./page.ts";

interface Entry {
  public_id: string;
  patient_id: string;
  first_name: string;
  last_name: string;
  authorization_number: string;
  authorization_status: string;
  service_line_id: string;
  authorization_date: CalendarDate;
  authorization_expiration_date: CalendarDate;
  quantity: number;
  utilized: number;
  scheduled: number;
  open: number;
}

/** Units of the records of `a` in a week: ?2 is its first instant, and ?3 the one after its last. */
const inWeek = `r.organization_id = a.organization_id and r.authorization_id = a.public_id
  and r.start_time >= ?2 and r.start_time < ?3`;
const utilized = `(select coalesce(sum(r.units), 0) from encounters r where ${inWeek})`;
const scheduled = (condition: string) => `(
  select coalesce(sum((2 * ((unixepoch(r.end_time) - unixepoch(r.start_time)) / 60) + 15) / 30), 0)
  from sessions r where ${inWeek} and r.status in ('CONFIRMED', 'UNCONFIRMED', 'REQUESTED_TO_CANCEL')
  and ${condition})`;
const open = scheduled(`not exists (
  select 1 from encounters e where e.organization_id = r.organization_id
    and e.session_id = r.public_id and e.authorization_id = r.authorization_id)`);

/**
 * The overview and the what-if of an organization whose authorizations are all alike: standalone, by weeks that they
 * do not cut, of whole units of 15 minutes, and of active patients in one zone: the one case that is measured.
 */
export function overviewFloor(file: Database) {
  const entryOf = file.prepare<Entry, [string, string, string, string]>(
    `select a.public_id, a.patient_id, p.first_name, p.last_name, a.authorization_number, a.authorization_status,
       a.service_line_id, a.authorization_date, a.authorization_expiration_date,
       a.authorized_units_quantity as quantity,
       ${utilized} as utilized, ${scheduled("true")} as scheduled, ${open} as open
     from authorizations a
     join users p on p.organization_id = a.organization_id and p.public_id = a.patient_id
     where a.organization_id = ?1 and a.public_id = ?4`,
  );
  const byEnd = file.prepare<{ id: string }, [string, string]>(
    `select public_id as id from utilization_subjects
     where organization_id = ?1 and patient_is_active = 1 and end_date >= ?2 and start_date <= ?2
     order by end_date, public_id limit ${PAGE_SIZE}`,
  );
  const count = file.prepare<{ total: number }, [string, string]>(
    `select count(*) as total from utilization_subjects
     where organization_id = ?1 and patient_is_active = 1 and end_date >= ?2 and start_date <= ?2`,
  );
  const byShare = file.prepare<{ id: string }, [string, string, string, string]>(
    `select a.public_id as id, 10000 * (${utilized} + ${open}) / a.authorized_units_quantity as share
     from utilization_subjects s
     join authorizations a on a.organization_id = s.organization_id and a.public_id = s.public_id
     where s.organization_id = ?1 and s.patient_is_active = 1 and s.end_date >= ?4 and s.start_date <= ?4
     order by round(share) desc, a.public_id limit ${PAGE_SIZE}`,
  );
  const zoneOf = file.prepare<{ zone: TimeZone; week_starts_on: WeekDay }, [string]>(
    `select p.time_zone as zone, o.week_starts_on from organizations o
     join users p on p.organization_id = o.public_id and p.role = 'PATIENT'
     where o.public_id = ?1 limit 1`,
  );

  const weekOf = (organizationId: string, date: CalendarDate) => {
    const place = zoneOf.get(organizationId);
    if (place === null) throw new Error(`There is no patient in ${organizationId}`);
    const startDate = startOfWeek(date, place.week_starts_on);
    const endDate = endOfWeek(date, place.week_starts_on);
    return {
      zone: place.zone,
      dates: { startDate, endDate },
      from: startOfDay(startDate, place.zone),
      to: startOfDay(addDays(endDate, 1), place.zone),
    };
  };
  const readEntry = (organizationId: string, id: string, week: ReturnType<typeof weekOf>) => {
    const entry = entryOf.get(organizationId, week.from, week.to, id);
    if (entry === null) throw new Error(`There is no authorization ${id}`);
    return entry;
  };

  return {
    page(organizationId: string, date: CalendarDate, sort: string | null): FloorPage {
      const week = weekOf(organizationId, date);
      const { from, to } = week;
      const found =
        sort === "endDate"
          ? byEnd.all(organizationId, date)
          : byShare.all(organizationId, from, to, date);
      const elapsed = (daysBetween(week.dates.startDate, date) + 1) / 7;
      const data = found.map(({ id }) => {
        const entry = readEntry(organizationId, id, week);
        const committed = entry.utilized + entry.open;
        return {
          subject: "AUTHORIZATION",
          publicId: entry.public_id,
          patientId: entry.patient_id,
          patientFirstName: entry.first_name,
          patientLastName: entry.last_name,
          authorizationNumber: entry.authorization_number,
          authorizationStatus: entry.authorization_status,
          serviceLinePublicId: entry.service_line_id,
          startDate: entry.authorization_date,
          endDate: entry.authorization_expiration_date,
          timezone: week.zone,
          unitFrequency: "WEEKLY",
          period: {
            ...week.dates,
            unitsUtilized: entry.utilized,
            unitsScheduled: entry.scheduled,
          },
          unitsAuthorized: entry.quantity,
          unitsOpen: entry.open,
          unitsCommitted: committed,
          share: inTenThousandths(committed / entry.quantity),
          elapsedShare: inTenThousandths(elapsed),
        };
      });
      return pageOf(data, count.get(organizationId, date)?.total ?? 0);
    },

    /** All added sessions are in the week of the first. */
    whatIf(
      organizationId: string,
      id: string,
      { add }: { add: { startTime: string; endTime: string }[] },
    ): object {
      const [first] = add;
      const week = weekOf(organizationId, (first?.startTime ?? "").slice(0, 10) as CalendarDate);
      const { quantity, utilized, open } = readEntry(organizationId, id, week);
      const added = add.map(({ startTime, endTime }) =>
        Math.round((Date.parse(endTime) - Date.parse(startTime)) / (15 * 60_000)),
      );
      const unitsCommitted = utilized + open;
      const unitsAfter = added.reduce((sum, units) => sum + units, unitsCommitted);
      const unitsOver = Math.max(0, unitsAfter - quantity);
      return {
        authorizationPublicId: id,
        poolPublicId: null,
        timezone: week.zone,
        fits: unitsOver === 0,
        periods: [
          { ...week.dates, unitsAuthorized: quantity, unitsCommitted, unitsAfter, unitsOver },
        ],
        poolPeriods: null,
        outside: [],
      };
    },
  };
}

function inTenThousandths(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
