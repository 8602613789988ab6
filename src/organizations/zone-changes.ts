import { tzOffset } from "@date-fns/tz/tzOffset";
import type { Db, OpenDatabase } from "../../db/database.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import { changeBetween, localDate, parseTimeZone, type TimeZone } from "../lib/time-zone.ts";
import { differences, isWithin, LAST_YEAR, pack, rulesOf, unpack } from "../lib/zone-rules.ts";
import {
  forgetRulesInForce,
  listOlderRules,
  listOutdated,
  listTimesToCome,
  noteRules,
  writeRules,
} from "./zone-rules-repository.ts";

/**
 * Rules of time zones change with versions of the program. Nobody can tell from an instant by which rules it was made,
 * so no session is moved; it is noticed up to which write sessions were written by older rules, and `caseload doctor`
 * counts them.
 */

/**
 * Notices that the program's rules are others than those by which sessions were written until now, if their offsets
 * differ from now on. To be called at the start, before anything is written.
 */
export async function noticeChangedRules(database: OpenDatabase, now: Instant): Promise<void> {
  const outdated = (await database.read(listOutdated)).some(({ time_zone }) => zoneOf(time_zone));
  if (!outdated) return;
  await database.changeSchema(async (trx) => {
    const ofRuntime = new Map<TimeZone, OlderRules>();
    for (const { public_id, time_zone, sequence, version, rules } of await listOutdated(trx)) {
      const zone = zoneOf(time_zone);
      if (zone === undefined) continue;
      const older =
        rules === null || version === null
          ? remembered(ofRuntime, zone, () => rulesOfRuntime(zone))
          : { version, rules };
      await forgetRulesInForce(trx, public_id);
      const changed = differences(unpack(older.rules), rulesOf(zone));
      if (changed.some(({ until }) => until > epochMilliseconds(now)))
        await writeRules(trx, {
          ...{ organization_id: public_id, zone, last_sequence: sequence },
          ...older,
        });
      await noteRules(trx, public_id, zone);
    }
  });
}

interface OlderRules {
  version: string;
  /** Packed. */
  rules: string;
}

const zoneOf = (text: string | null): TimeZone | undefined => parseTimeZone(text ?? "");

/**
 * The runtime's rules of a zone from 2007 on. A database that knows none was written by the program of commit 2085c87d,
 * which had those of Bun 1.4.5.
 */
function rulesOfRuntime(zone: TimeZone): OlderRules {
  const offsetOf = (moment: number) => Math.round(tzOffset(zone, new Date(moment)) * MINUTE);
  const [changes, offsets] = [[] as number[], [offsetOf(FIRST)]];
  for (let before = FIRST; before < END; before += WEEK) {
    const after = before + WEEK;
    if (offsetOf(before) === offsetOf(after)) continue;
    changes.push(changeBetween(before, after, offsetOf));
    offsets.push(offsetOf(after));
  }
  return { version: RUNTIME_VERSION, rules: pack({ changes, offsets }) };
}

/** The version of the rules of ICU 78.3, which Bun 1.4.5 has. */
const RUNTIME_VERSION = "2026a";
const FIRST = Date.UTC(2007);
const END = Date.UTC(LAST_YEAR + 1);
const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

/** Sessions to come whose local times are others by the rules of today than by those when they were written. */
export interface SessionsByOlderRules {
  organizationId: string;
  zone: TimeZone;
  /** Of the older rules. */
  version: string;
  /** The day from which the rules differ; it may be in the past. */
  since: CalendarDate;
  sessions: number;
}

/** Those of all organizations; none where all have begun, or were written again. */
export async function sessionsByOlderRules(db: Db, now: Instant): Promise<SessionsByOlderRules[]> {
  const found: SessionsByOlderRules[] = [];
  let before = { organization_id: "", last_sequence: -1 };
  for (const row of await listOlderRules(db)) {
    const organizationId = row.organization_id;
    const last = row.last_sequence ?? 0;
    const after = before.organization_id === organizationId ? before.last_sequence : -1;
    before = { organization_id: organizationId, last_sequence: last };
    const zone = zoneOf(row.zone);
    if (zone === undefined) continue;
    const stretches = differences(unpack(row.rules), rulesOf(zone));
    const times = await listTimesToCome(db, organizationId, { now, after, last });
    const isOther = (instant: Instant) => isWithin(epochMilliseconds(instant), stretches);
    const sessions = times
      .filter(({ start_time, end_time }) => isOther(start_time) || isOther(end_time))
      .reduce((sum, each) => sum + Number(each.sessions), 0);
    const first = stretches.find(({ until }) => until > epochMilliseconds(now));
    if (sessions === 0 || first === undefined) continue;
    const since = localDate(toInstant(first.from), zone);
    found.push({ organizationId, zone, version: row.version, since, sessions });
  }
  return found;
}
