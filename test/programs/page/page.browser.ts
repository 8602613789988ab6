import { launchBrowser } from "../../support/browser.ts";
import { printSum } from "../../support/checks.ts";
import { checkAttention } from "./attention.ts";
import { checkBiller } from "./biller.ts";
import { checkDelivered } from "./delivered.ts";
import { checkHostile } from "./hostile.ts";
import { checkLayout } from "./layout.ts";
import { checkPasskeys } from "./passkeys.ts";
import { checkMyDay } from "./my-day.ts";
import { checkPeople } from "./people.ts";
import { checkRecords } from "./records.ts";
import { checkSchedule } from "./schedule.ts";
import { checkScheduleErrands } from "./schedule-errands.ts";
import { checkScheduler } from "./scheduler.ts";
import { checkSigningIn } from "./signing-in.ts";
import { checkSubject } from "./subject.ts";
import { checkUtilization } from "./utilization.ts";
import { checkViews } from "./views.ts";
import { endPractice, startPractice } from "./visit.ts";

/**
 * The page for the people of the practice in a real browser that can reach this machine alone, on the demo practice:
 * `bun run test:browser`, or some parts of it by their names. It needs Debian's chromium, which is why it is no part of `bun run test`.
 */

const practice = await startPractice();
const browser = await launchBrowser();

const parts = {
  "signing-in": checkSigningIn,
  passkeys: checkPasskeys,
  attention: checkAttention,
  delivered: checkDelivered,
  utilization: checkUtilization,
  subject: checkSubject,
  schedule: checkSchedule,
  people: checkPeople,
  records: checkRecords,
  scheduler: checkScheduler,
  "schedule-errands": checkScheduleErrands,
  "my-day": checkMyDay,
  biller: checkBiller,
  hostile: checkHostile,
  views: checkViews,
  layout: checkLayout,
};
/** Those that are named on the command line, else all. */
const wanted = process.argv.slice(2);
try {
  for (const [name, checkPart] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) {
      const start = performance.now();
      await checkPart(browser, practice);
      console.log(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
    }
} finally {
  await browser.close();
  await endPractice(practice);
}
printSum();
