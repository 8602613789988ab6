import type { Database } from "../../db/database.ts";
import { recordCommandAlone } from "../audit/trail.ts";
import { DeliveryEntry } from "../delivery/model.ts";
import { type Delivery, readDelivery } from "../delivery/service.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Clock } from "../lib/clock.ts";
import { patientsOf } from "../lib/patients.ts";
import { toInstant } from "../lib/instant.ts";
import { sessionStatuses } from "../sessions/model.ts";
import { organizationOf } from "./organization.ts";
import { type Output, tableLines } from "./output.ts";
import { rethrowWindowError } from "./errors.ts";

export interface DeliveryOptions {
  /** Required if there are several organizations. */
  organizationId?: string | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  payorId?: string | undefined;
  /** The API's response, without pagination; or CSV. Default: a table. */
  format?: "json" | "csv" | undefined;
}

/**
 * Prints all entries of the delivery endpoint: what was delivered, by authorization.
 *
 * @throws CommandError for an unknown organization; if there are several and none is given; for an invalid window.
 */
export async function deliveryCommand(
  {
    database,
    clock,
    operator,
    output,
  }: { database: Database; clock: Clock; operator: string; output: Output },
  { organizationId: asked, format, ...query }: DeliveryOptions,
): Promise<void> {
  const now = toInstant(clock.now());
  const { organizationId, delivery } = await database.read(async (db) => {
    const organizationId = await organizationOf(db, asked);
    const delivery = await readDelivery(db, { ...{ organizationId, now }, ...query }).catch(
      rethrowWindowError,
    );
    return { organizationId, delivery };
  });
  const { window, totals, entries } = delivery;
  await recordCommandAlone(database, {
    ...{ organizationId, command: "delivery", operator, time: now },
    patientIds: patientsOf(entries),
  });
  if (format === "json")
    return output.result(JSON.stringify({ ...window, totals, data: entries }, null, 2));
  const lines = format === "csv" ? csvLines(entries) : deliveryLines(delivery);
  for (const line of lines) output.result(line);
}

/** One line per authorization, and one with the totals. */
function deliveryLines({ window, totals, entries }: Delivery): string[] {
  const { startDate, endDate } = window;
  if (entries.length === 0)
    return [`Nothing was booked or delivered from ${startDate} to ${endDate}.`];
  const rows = entries.map((entry) => [
    `${entry.patientFirstName} ${entry.patientLastName}`,
    entry.payorName ?? "",
    entry.authorizationNumber,
    entry.serviceLinePublicId,
    ...amounts(entry),
  ]);
  return tableLines(
    ["PATIENT", "PAYOR", "NUMBER", "SERVICE", "ENCOUNTERS", "UNITS", "OUTSIDE"],
    [...rows, [`${startDate} to ${endDate}`, "", "", "", ...amounts(totals)]],
  );
}

function amounts({ encounters, unitsDelivered, unitsOutside }: Delivery["totals"]): string[] {
  return [encounters, unitsDelivered, unitsOutside].map(String);
}

const COLUMNS = Object.keys(DeliveryEntry.properties).flatMap((name) =>
  name === "sessions" ? sessionStatuses.map((status) => `sessions.${status}`) : [name],
);

/** The entries as CSV (RFC 4180), with one column per session status, such as `sessions.CONFIRMED`. */
function csvLines(entries: readonly DeliveryEntry[]): string[] {
  const rows = entries.map(({ sessions, ...entry }) => [
    ...Object.values(entry),
    ...sessionStatuses.map((status) => sessions[status]),
  ]);
  return [COLUMNS, ...rows].map((cells) => cells.map(cellOf).join(","));
}

/**
 * A CSV cell. Prevents formula injection, since names may come from a web form: an apostrophe before characters that
 * begin a formula makes spreadsheets treat the cell as text.
 */
function cellOf(value: string | number | null): string {
  if (value === null || typeof value === "number") return String(value ?? "");
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
