import { join } from "node:path";
import { launchBrowser } from "../browser.ts";
import { endPractice, type Practice, read, settled, startPractice, visit } from "./visit.ts";

/** Makes the pictures of the README from the demo practice: `bun run screenshots`. */

const FOLDER = join(import.meta.dir, "../../docs");
const WIDTH = 1160;

const practice = await startPractice();
const browser = await launchBrowser();
try {
  await take("utilization.png", "#/utilization");
  await take("authorization.png", `#/utilization/${await busiest(practice)}`);
} finally {
  await browser.close();
  await endPractice(practice);
}

async function take(name: string, at: string): Promise<void> {
  const { page } = await visit(browser, practice.origin, {
    at,
    key: practice.adminKey,
    width: WIDTH,
  });
  await settled(page);
  await page.screenshot({
    path: join(FOLDER, name),
    clip: { x: 0, y: 0, width: WIDTH, height: 720 },
  });
  await page.close();
}

/** The pool by the week that is used the most. */
async function busiest(practice: Practice): Promise<string> {
  interface Entry {
    publicId: string;
    subject: string;
    unitFrequency: string;
  }
  const { data } = await read<{ data: Entry[] }>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const entry = data.find(
    ({ subject, unitFrequency }) => subject === "POOL" && unitFrequency === "WEEKLY",
  );
  return entry?.publicId ?? "";
}
