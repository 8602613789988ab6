import { AsyncLocalStorage } from "node:async_hooks";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser.ts";
import { atFailure, checkOnly, forgetFailures, printSum } from "../../support/checks.ts";
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
import { endPractice, keepSights, lanePages, type Practice, startPractice } from "./visit.ts";

/**
 * The page for the people of the practice in a real browser that can reach this machine alone, on the demo practice:
 * `bun run test:browser`, or some parts of it, or one check, by their names. A check that fails leaves a picture and a trace. It needs Debian's chromium, which is why it is no part of `bun run test`.
 */

type Part = (browser: Browser, practice: Practice) => Promise<void>;

/** What goes on at once, each with a server and data of its own; in each, one part after the other. */
const lanes: Record<string, Part>[] = [
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
/** The part that goes on, and those of which a check failed. */
const going = new AsyncLocalStorage<[string, Part]>();
const failed = new Map<string, Part>();
atFailure(async (behavior) => {
  failed.set(...(going.getStore() as [string, Part]));
  await keepSights(behavior, join(tmpdir(), "caseload-page-failures"));
});

/** Runs parts one after the other, with a server and data of their own. */
async function run(parts: [string, Part][]): Promise<void> {
  if (parts.length === 0) return;
  const practice = await startPractice();
  try {
    for (const [name, checkPart] of parts) {
      const start = performance.now();
      await going.run([name, checkPart], () => checkPart(browser, practice));
      console.log(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
    }
  } finally {
    await endPractice(practice);
  }
}

/**
 * A part that failed is tried once more, alone: three lanes on a busy machine meet moments that no user meets. What
 * fails in one or two parts may be such a moment, and stays in the log; what fails twice counts, and so do more parts.
 */
async function tryAgain(): Promise<void> {
  const parts = [...failed];
  if (parts.length === 0 || parts.length > 2) return;
  console.log(`Once more, alone: ${parts.map(([name]) => name).join(", ")}`);
  forgetFailures();
  for (const part of parts) await lanePages.run([], () => run([part]));
}

try {
  const isWanted = ([name]: [string, Part]): boolean =>
    wanted.length === 0 || wanted.includes(name);
  const parts = lanes.map((lane) => Object.entries(lane).filter(isWanted));
  await Promise.all(parts.map((each) => lanePages.run([], () => run(each))));
  await tryAgain();
} finally {
  await browser.close();
}
printSum();
