import type { CommittedPeriod, CommittedUtilization } from "../utilization/service.ts";
import type { LedgerEntry } from "../utilization/models/ledger.ts";
import { countOf } from "./output.ts";

/** The endpoint's response, and the authorized units. */
export interface UtilizationReport extends CommittedUtilization {
  organizationId: string;
  unitFrequency: string | null;
  /** Per period; null for an unlimited pool. */
  authorizedUnits: number | null;
  /** Present if an explanation was requested. */
  ledger?: LedgerEntry[];
}

export const DEFAULT_WIDTH = 80;
const MAX_BAR = 30;
const MIN_BAR = 6;

/**
 * The periods as tables, with bars of used and scheduled units in relation to the authorized ones:
 *
 *     PERIOD                    USED           SCHEDULED       OPEN COMMITTED LEFT
 *     2026-01-07 to 2026-01-10   20 ██░░░░░░░   84 █████████+    64        84    0
 *
 * A `+` at the end of a bar means over the limit. Without a limit, the greatest number fills the bar, and LEFT is
 * empty. Narrow terminals get no bars. For pooled authorizations, LEFT is the remaining units of the pool.
 */
export function utilizationLines(report: UtilizationReport, width = DEFAULT_WIDTH): string[] {
  const { subject, publicId, startDate, endDate, timezone, pool, members } = report;
  const tables = [
    ...(pool ? [{ title: `Pool ${pool.poolPublicId}`, periods: pool.periods }] : []),
    ...members.map((member) => ({
      title: `Authorization ${member.authorizationPublicId} (${member.serviceLinePublicId})`,
      periods: member.periods,
    })),
  ];
  return [
    `${subject === "POOL" ? "Pool" : "Authorization"} ${publicId} of ${report.organizationId}`,
    `Window: ${range({ startDate, endDate })}, days in ${timezone}`,
    `Authorized: ${authorization(report)}`,
    ...tables.flatMap(({ title, periods }) => [
      "",
      title,
      ...periodLines(periods, report.authorizedUnits, width),
    ]),
  ];
}

function authorization({ authorizedUnits, unitFrequency, pool }: UtilizationReport): string {
  const units = authorizedUnits === null ? "unlimited" : `${authorizedUnits} units`;
  return `${units} (${unitFrequency})${pool ? ", shared in the pool" : ""}`;
}

function periodLines(
  periods: readonly CommittedPeriod[],
  authorized: number | null,
  width: number,
): string[] {
  if (periods.length === 0) return ["No period overlaps the window."];
  const amounts = periods.flatMap((period) => [period.unitsUtilized, period.unitsScheduled]);
  const digits = Math.max(...amounts.map((amount) => String(amount).length));
  const dates = Math.max(...periods.map((period) => range(period).length));
  const numbersOf = (heading: string, number: (period: CommittedPeriod) => number | null) =>
    numberColumn(heading, periods.map(number));
  const numbers = [
    numbersOf("OPEN", ({ unitsOpen }) => unitsOpen),
    numbersOf("COMMITTED", ({ unitsCommitted }) => unitsCommitted),
    ...(periods.some(({ unitsLeft }) => unitsLeft !== null)
      ? [numbersOf("LEFT", ({ unitsLeft }) => unitsLeft)]
      : []),
  ];
  const right = numbers.map((column) => column[0]?.length ?? 0).reduce((sum, one) => sum + one, 0);
  const room = Math.floor((width - dates - right) / 2) - digits - "   ".length;
  const scale = {
    limit: authorized,
    full: authorized ?? Math.max(...amounts),
    cells: Math.min(MAX_BAR, room) - "+".length,
  };
  const amountsOf = (heading: string, amount: (period: CommittedPeriod) => number) =>
    room < MIN_BAR
      ? numbersOf(heading, amount)
      : barColumn(heading, periods.map(amount), digits, scale);
  const columns = [
    ["PERIOD", ...periods.map(range)].map((cell) => cell.padEnd(dates)),
    amountsOf("USED", ({ unitsUtilized }) => unitsUtilized),
    amountsOf("SCHEDULED", ({ unitsScheduled }) => unitsScheduled),
    ...numbers,
  ];
  return ["", ...periods].map((_, row) =>
    columns
      .map((column) => column[row])
      .join("")
      .trimEnd(),
  );
}

/** A column of a heading and numbers, right-aligned. */
function numberColumn(heading: string, amounts: readonly (number | null)[]): string[] {
  const cells = [heading, ...amounts.map((amount) => String(amount ?? ""))];
  const width = Math.max(...cells.map((cell) => cell.length));
  return cells.map((cell) => ` ${cell.padStart(width)}`);
}

/** A column of a heading, and numbers with bars. */
function barColumn(
  heading: string,
  amounts: readonly number[],
  digits: number,
  scale: Scale,
): string[] {
  const cells = amounts.map(
    (amount) =>
      `  ${String(amount).padStart(digits)} ${bar(amount, scale).padEnd(scale.cells + 1)}`,
  );
  return [`  ${heading}`.padEnd(cells[0]?.length ?? 0), ...cells];
}

interface Scale {
  /** The authorized units, or null. */
  limit: number | null;
  full: number;
  cells: number;
}

/** Any number greater than 0 is visible: less than half a cell is a thin bar. */
export function bar(amount: number, { limit, full, cells }: Scale): string {
  if (limit !== null && amount > limit) return `${"█".repeat(cells)}+`;
  const filled = full === 0 ? 0 : Math.round((amount / full) * cells);
  const shown = amount > 0 && filled === 0 ? "▏" : "█".repeat(filled);
  return limit === null ? shown : shown.padEnd(cells, "░");
}

/** Each record in two lines: start and title; then its units and period, or why it does not count. */
export function ledgerLines({ ledger, members, pool }: UtilizationReport): string[] {
  if (ledger === undefined) return [];
  const entries = Map.groupBy(ledger, (entry) => entry.authorizationId);
  return members.flatMap(({ authorizationPublicId }) => {
    const own = entries.get(authorizationPublicId) ?? [];
    return [
      "",
      `Records of ${authorizationPublicId}${pool ? `, by the periods of ${pool.poolPublicId}` : ""}`,
      ...(own.length === 0 ? ["  None."] : own.flatMap(entryLines)),
    ];
  });
}

function entryLines(entry: LedgerEntry): string[] {
  const { type, publicId, status, rule, units } = entry;
  return [
    `  ${localText(entry)}  ${type} ${publicId}${status === null ? "" : `, ${status}`}`,
    `      ${rule}: ${countOf(units, "unit")}, ${outcome(entry)}`,
  ];
}

function outcome({ period, reason }: LedgerEntry): string {
  return period === null ? `not counted: ${reason}` : `in ${range(period)}`;
}

/** `2026-01-08 09:00 -05:00`, with seconds if not zero. */
function localText({ localStart, day }: LedgerEntry): string {
  const date = localStart.slice(0, 10);
  const time = localStart.slice(11, -6).replace(/(:00)?\.000$/, "");
  const otherDay = day === date ? "" : ` (after clocks went back, still ${day})`;
  return `${date} ${time} ${localStart.slice(-6)}${otherDay}`;
}

/** A day, or the first and last of several. */
export function range({ startDate, endDate }: { startDate: string; endDate: string }): string {
  return startDate === endDate ? startDate : `${startDate} to ${endDate}`;
}
