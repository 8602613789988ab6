import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../../support/browser.ts";
import { atFailure, checkOnly, printSum } from "../../support/checks.ts";
import { checkAttention } from "./attention.ts";
import { checkBiller } from "./biller.ts";
import { checkBilling } from "./billing.ts";
import { checkDelivered } from "./delivered.ts";
import { checkFaults } from "./faults.ts";
import { checkHostile } from "./hostile.ts";
import { checkLayout } from "./layout.ts";
import { checkOwnPatients } from "./own-patients.ts";
import { checkPasskeys } from "./passkeys.ts";
import { checkMending } from "./mending.ts";
import { checkGoals } from "./goals.ts";
import { checkMyDay } from "./my-day.ts";
import { checkPeople } from "./people.ts";
import { checkRecords } from "./records.ts";
import { checkLook } from "./look.ts";
import { checkLeads } from "./leads.ts";
import { checkAuthorizations } from "./authorizations.ts";
import { checkLeaving } from "./leaving.ts";
import { checkImports } from "./imports.ts";
import { checkPractice } from "./practice.ts";
import { checkSchedule } from "./schedule.ts";
import { checkScheduleErrands } from "./schedule-errands.ts";
import { checkScheduler } from "./scheduler.ts";
import { checkSigningIn } from "./signing-in.ts";
import { checkSubject } from "./subject.ts";
import { checkTogether } from "./together.ts";
import { checkTwoPractices } from "./two-practices.ts";
import { checkUtilization } from "./utilization.ts";
import { checkViews } from "./views.ts";
import { checkWidths } from "./widths.ts";
import { endPractice, keepSights, startPractice } from "./visit.ts";

/**
 * The page for the people of the practice in a real browser that can reach this machine alone, on the demo practice:
 * `bun run test:browser`, or some parts of it, or one check, by their names. A check that fails leaves a picture and a trace. It needs Debian's chromium, which is why it is no part of `bun run test`.
 */

/** What goes on at once, each with a server and data of its own; in each, one part after the other. */
const lanes = [
  {
    "signing-in": checkSigningIn,
    passkeys: checkPasskeys,
    faults: checkFaults,
    "two-practices": checkTwoPractices,
    attention: checkAttention,
    delivered: checkDelivered,
    utilization: checkUtilization,
    schedule: checkSchedule,
    people: checkPeople,
    practice: checkPractice,
    "own-patients": checkOwnPatients,
  },
  {
    subject: checkSubject,
    records: checkRecords,
    leads: checkLeads,
    authorizations: checkAuthorizations,
    leaving: checkLeaving,
    imports: checkImports,
    scheduler: checkScheduler,
    "schedule-errands": checkScheduleErrands,
    "my-day": checkMyDay,
    goals: checkGoals,
    biller: checkBiller,
    billing: checkBilling,
    together: checkTogether,
    mending: checkMending,
  },
  {
    views: checkViews,
    hostile: checkHostile,
    layout: checkLayout,
    look: checkLook,
    widths: checkWidths,
  },
];
/** Those that are named on the command line, else all; any other text is part of the names of the checks that are run. */
const isPart = (name: string): boolean => lanes.some((parts) => name in parts);
const wanted = process.argv.slice(2).filter(isPart);
checkOnly(process.argv.slice(2).find((name) => !isPart(name)) ?? "");
const browser = await launchBrowser();
atFailure((behavior) => keepSights(behavior, join(tmpdir(), "caseload-page-failures")));

async function runLane(parts: (typeof lanes)[number]): Promise<void> {
  const chosen = Object.entries(parts).filter(
    ([name]) => wanted.length === 0 || wanted.includes(name),
  );
  if (chosen.length === 0) return;
  const practice = await startPractice();
  try {
    for (const [name, checkPart] of chosen) {
      const start = performance.now();
      await checkPart(browser, practice);
      console.log(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
    }
  } finally {
    await endPractice(practice);
  }
}

try {
  await Promise.all(lanes.map(runLane));
} finally {
  await browser.close();
}
printSum();
