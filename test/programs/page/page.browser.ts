import { launchBrowser } from "../../support/browser.ts";
import { printSum } from "../../support/checks.ts";
import { checkLayout } from "./layout.ts";
import { checkPeople } from "./people.ts";
import { checkSchedule } from "./schedule.ts";
import { checkSigningIn } from "./signing-in.ts";
import { checkSubject } from "./subject.ts";
import { checkUtilization } from "./utilization.ts";
import { endPractice, startPractice } from "./visit.ts";

/**
 * The page for the people of the practice in a real browser that can reach this machine alone, on the demo practice:
 * `bun run test:browser`. It needs Debian's chromium, which is why it is no part of `bun run test`.
 */

const practice = await startPractice();
const browser = await launchBrowser();
try {
  await checkSigningIn(browser, practice);
  await checkUtilization(browser, practice);
  await checkSubject(browser, practice);
  await checkSchedule(browser, practice);
  await checkPeople(browser, practice);
  await checkLayout(browser, practice);
} finally {
  await browser.close();
  await endPractice(practice);
}
printSum();
