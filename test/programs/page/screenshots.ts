import { join } from "node:path";
import type { Page } from "playwright-core";
import type { OverviewEntry } from "../../../src/page/app/lib/base/wire.ts";
import { launchBrowser } from "../../support/browser.ts";
import {
  endPractice,
  type Practice,
  read,
  settled,
  startPractice,
  visit,
  WEDNESDAY,
} from "./visit.ts";

/** Makes the pictures of the README from the demo practice: `bun run screenshots`. */

const FOLDER = join(import.meta.dir, "../../../docs");
const WIDTH = 1160;

const practice = await startPractice();
const browser = await launchBrowser();
try {
  await take("attention.png", { at: "#/attention", height: 760 });
  await take("schedule.png", { at: `#/schedule?date=${WEDNESDAY}`, height: 760 });
  await take("utilization.png", { at: "#/utilization", height: 760 });
  await take("authorization.png", {
    at: `#/utilization/${await busiest(practice)}`,
    height: 1160,
    before: addSessions,
  });
} finally {
  await browser.close();
  await endPractice(practice);
}

async function take(
  name: string,
  { at, height, before }: { at: string; height: number; before?: (page: Page) => Promise<void> },
): Promise<void> {
  const { page } = await visit(browser, practice.origin, {
    at,
    key: practice.adminKey,
    width: WIDTH,
  });
  await page.setViewportSize({ width: WIDTH, height });
  await settled(page);
  await before?.(page);
  await settled(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(FOLDER, name) });
  await page.close();
}

/** Adds two sessions, in the week after next and in the following one. */
async function addSessions(page: Page): Promise<void> {
  const form = page.getByRole("form", { name: "Add a session" });
  const day = Temporal.Now.plainDateISO("America/New_York").add({ days: 10 });
  await form.getByLabel("Day").fill(day.toString());
  await form.getByLabel("Weeks").fill("2");
  await form.getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "The week after" }).click();
}

/** The weekly pool with the highest share. */
async function busiest(practice: Practice): Promise<string> {
  const { data } = await read<{ data: OverviewEntry[] }>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const entry = data.find(
    ({ subject, unitFrequency }) => subject === "POOL" && unitFrequency === "WEEKLY",
  );
  return entry?.publicId ?? "";
}
