import type { CalendarDate } from "../lib/calendar-date.ts";
import { patientsOf } from "../lib/patients.ts";
import type { TimeZone } from "../lib/time-zone.ts";
import type { UtilizationEntry } from "../utilization/models/overview.ts";
import { readOverview } from "../utilization/overview-service.ts";
import type { DatabaseContext } from "./context.ts";
import { tableOf } from "./output.ts";
import { readRecorded } from "./recording.ts";
import { bar, DEFAULT_WIDTH, range } from "./utilization-report.ts";

export interface OverviewOptions {
  /** Required if there are several organizations. */
  organizationId?: string | undefined;
  /** The day whose periods are shown. Default: today. */
  date?: CalendarDate | undefined;
  timezone?: TimeZone | undefined;
  minShare?: number | undefined;
  json?: boolean | undefined;
  /** Width of the terminal, in columns. */
  width?: number | undefined;
}

/**
 * Prints all current authorizations and pools of an organization, those with the highest share first.
 *
 * @throws CommandError if the organization does not exist, or if there are several and none is given.
 */
export async function overviewCommand(
  context: DatabaseContext,
  { organizationId: organization, json = false, width = DEFAULT_WIDTH, ...query }: OverviewOptions,
): Promise<void> {
  const { output } = context;
  const page = { offset: 0, pageSize: Number.MAX_SAFE_INTEGER };
  const { organizationId, entries } = await readRecorded(
    context,
    { command: "utilization", organization },
    async (db, about) => ({
      ...about,
      ...(await readOverview(db, { ...about, sort: "-share", page, ...query })),
    }),
    (overview) => patientsOf(overview.entries),
  );
  if (json) return output.result(JSON.stringify(entries, null, 2));
  if (entries.length === 0)
    return output.result(`No current authorization or pool of ${organizationId} matches.`);
  for (const line of overviewLines(entries, width)) output.result(line);
}

/**
 * One line per entry, with a bar of delivered and open units in relation to the authorized ones, and since when a later
 * period is over them:
 *
 *     ID      PATIENT   PERIOD                    DAYS  UNITS    SHARE
 *     auth_1  Leo Park  2026-03-08 to 2026-03-14   57%  5 of 32    16%  ███░░░░░░░░░░░░░░░░░
 */
function overviewLines(entries: readonly UtilizationEntry[], width: number): string[] {
  const isAnyOver = entries.some(({ overFrom }) => overFrom !== null);
  const [head = "", ...lines] = tableOf(entries, {
    ID: ({ publicId }) => publicId,
    PATIENT: ({ patientFirstName, patientLastName }) => `${patientFirstName} ${patientLastName}`,
    PERIOD: ({ period }) => range(period),
    DAYS: ({ elapsedShare }) => percent(elapsedShare),
    UNITS: ({ unitsCommitted, unitsAuthorized }) =>
      `${unitsCommitted} of ${unitsAuthorized ?? "unlimited"}`,
    SHARE: ({ share }) => (share === null ? null : percent(share)),
    ...(isAnyOver && { "OVER FROM": ({ overFrom }: UtilizationEntry) => overFrom }),
  });
  const text = Math.max(...[head, ...lines].map((line) => Bun.stringWidth(line)));
  const cells = Math.min(MAX_CELLS, Math.max(MIN_CELLS, width - text - GAP.length - 1));
  return [
    head,
    ...lines.map((line, index) => {
      const { share, unitsCommitted, unitsAuthorized } = entries[index] as UtilizationEntry;
      if (share === null || unitsAuthorized === null) return line;
      const padding = " ".repeat(text - Bun.stringWidth(line));
      const scale = { limit: unitsAuthorized, full: unitsAuthorized, cells };
      return `${line}${padding}${GAP}${bar(unitsCommitted, scale)}`;
    }),
  ];
}

const GAP = "  ";
const MIN_CELLS = 6;
const MAX_CELLS = 30;

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
