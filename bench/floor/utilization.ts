import type { Database } from "bun:sqlite";
import {
  addDays,
  type CalendarDate,
  startOfWeek,
  type WeekDay,
} from "../../src/lib/calendar-date.ts";
import { startOfDay, type TimeZone } from "../../src/lib/time-zone.ts";

interface Pool {
  public_id: string;
  time_zone: TimeZone;
  week_starts_on: WeekDay;
}

interface Member {
  public_id: string;
  service_line_id: string;
  billing_unit_minutes: number;
  authorization_date: CalendarDate;
  authorization_expiration_date: CalendarDate;
}

type Encounter = [authorizationId: string, startTime: string, units: number];
type Session = [authorizationId: string, startTime: string, endTime: string, status: string];

const SCHEDULED = new Set(["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL"]);

/**
 * The utilization of a weekly pool whose members all have the dates of the window, the only case
 * that is measured. All units are whole.
 */
export function utilizationFloor(file: Database) {
  const findPool = file.prepare<Pool, [string, string]>(
    `select o.public_id, u.time_zone, g.week_starts_on from authorization_pools o
     join users u on u.organization_id = o.organization_id and u.public_id = o.patient_id
     join organizations g on g.public_id = o.organization_id
     where o.organization_id = ? and o.public_id = ?`,
  );
  const listMembers = file.prepare<Member, [string, string]>(
    `select a.public_id, a.service_line_id, l.billing_unit_minutes, a.authorization_date,
       a.authorization_expiration_date
     from authorizations a
     join service_lines l on l.organization_id = a.organization_id and l.public_id = a.service_line_id
     where a.organization_id = ? and a.authorization_pool_id = ?
     order by a.authorization_date, a.public_id`,
  );
  const ofMembers = `organization_id = ?1 and authorization_id in (select value from json_each(?2))
    and start_time >= ?3 and start_time < ?4`;
  const encounters = file.prepare<never, [string, string, string, string]>(
    `select authorization_id, start_time, units from encounters where ${ofMembers}`,
  );
  const sessions = file.prepare<never, [string, string, string, string]>(
    `select authorization_id, start_time, end_time, status from sessions where ${ofMembers}`,
  );

  return (
    organizationId: string,
    publicId: string,
    startDate: CalendarDate,
    endDate: CalendarDate,
  ): object => {
    const pool = findPool.get(organizationId, publicId);
    const members = listMembers.all(organizationId, publicId);
    if (pool === null) throw new Error(`There is no pool ${publicId}`);
    const timezone = pool.time_zone;
    const weeks = weeksOf(startDate, endDate, pool.week_starts_on);
    const starts = weeks.map((week) => startOfDay(week.startDate, timezone));
    const end = startOfDay(addDays(endDate, 1), timezone);
    const ids = JSON.stringify(members.map((member) => member.public_id));

    const zeros = () => new Array<number>(weeks.length).fill(0);
    const tallies = new Map(
      members.map((member) => [
        member.public_id,
        { unit: member.billing_unit_minutes * 60_000, utilized: zeros(), scheduled: zeros() },
      ]),
    );
    let week = 0;
    const weekOf = (time: string): number => {
      if (time < starts[week]!) week = 0;
      while (week + 1 < starts.length && starts[week + 1]! <= time) week += 1;
      return week;
    };
    const first = starts[0]!;
    for (const [id, start, units] of encounters.values(
      organizationId,
      ids,
      first,
      end,
    ) as Encounter[])
      tallies.get(id)!.utilized[weekOf(start)]! += units;
    for (const [id, start, finish, status] of sessions.values(
      organizationId,
      ids,
      first,
      end,
    ) as Session[]) {
      if (!SCHEDULED.has(status)) continue;
      const tally = tallies.get(id)!;
      const units = Math.round((Date.parse(finish) - Date.parse(start)) / tally.unit);
      tally.scheduled[weekOf(start)]! += units;
    }

    const all = [...tallies.values()];
    const total = (index: number, counter: "utilized" | "scheduled") =>
      all.reduce((sum, tally) => sum + tally[counter][index]!, 0);
    return {
      subject: "POOL",
      publicId,
      startDate,
      endDate,
      timezone,
      pool: {
        poolPublicId: pool.public_id,
        periods: weeks.map((dates, index) => ({
          ...dates,
          unitsUtilized: total(index, "utilized"),
          unitsScheduled: total(index, "scheduled"),
        })),
      },
      members: members.map((member) => ({
        authorizationPublicId: member.public_id,
        serviceLinePublicId: member.service_line_id,
        periods: weeks.map((dates, index) => ({
          ...dates,
          unitsUtilized: tallies.get(member.public_id)!.utilized[index],
          unitsScheduled: tallies.get(member.public_id)!.scheduled[index],
        })),
      })),
    };
  };
}

function weeksOf(startDate: CalendarDate, endDate: CalendarDate, weekStartsOn: WeekDay) {
  const weeks: { startDate: CalendarDate; endDate: CalendarDate }[] = [];
  for (let date = startDate; date <= endDate;) {
    const next = addDays(startOfWeek(date, weekStartsOn), 7);
    const last = addDays(next, -1);
    weeks.push({ startDate: date, endDate: last < endDate ? last : endDate });
    date = next;
  }
  return weeks;
}
