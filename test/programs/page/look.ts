import type { Browser, Page } from "playwright-core";
import type { ChecksReport } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { countClicks } from "./clicks.ts";
import {
  goTo,
  leave,
  type Practice,
  practiceFileOf,
  read,
  settled,
  undo,
  visit,
  WEDNESDAY,
} from "./visit.ts";

/** What a first screen holds, one act for a cause, and the way back to where one was. */

/** Whole rows on the first screen of a laptop, and of a phone, at least. */
const ROWS: [view: string, rows: string, laptop: number, phone?: number][] = [
  ["attention", ".inbox > li", 15, 5],
  ["billing", "tbody tr", 14],
  ["billing?state=PROBLEM", "tbody tr", 14],
  ["people", "tbody tr", 16, 7],
  [`schedule?date=${WEDNESDAY}`, ".clinic-row", 14],
  ["utilization", "tbody tr", 16],
  ["leads", "tbody tr", 16],
  ["supervision", "tbody tr", 15],
  ["delivered", "tbody tr", 13],
];

/** Of each kind: its act, and the name of what is pressed then. */
const ACTS: [check: keyof ChecksReport["totals"], act: RegExp, press: RegExp][] = [
  ["NOT_DOCUMENTED", /^Delivered/, /^Delivered \d+, \d/],
  ["DELIVERED_UNHELD", /^Remove/, /^Remove \d+, \d/],
  ["DELIVERED_TWICE", /^Remove/, /^Remove \d+, \d/],
  ["PATIENT_LEFT", /^Delete/, /^Delete \d+$/],
];

const giveAway = async (page: Page): Promise<void> => {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Who is free" }).first().click();
  await dialog.getByRole("list", { name: "Who is free" }).getByRole("button").first().click();
};

/** Of kinds for which something is chosen or typed: the act, the clicks with it, and what is done behind it. */
const CHOSEN: [
  check: keyof ChecksReport["totals"],
  act: RegExp,
  clicks: number,
  mend: (page: Page) => Promise<void>,
][] = [
  [
    "NO_AUTHORIZATION",
    /^Put on authorization/,
    2,
    async (page) => {
      const offers = page.getByRole("dialog").getByRole("list", { name: "Authorizations" });
      await offers.getByRole("button").first().click();
    },
  ],
  ["PROVIDER_OVERLAP", /^Give to/, 3, giveAway],
  [
    "PATIENT_OVERLAP",
    /^Change/,
    2,
    async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Change time or people" }).click();
      await dialog.getByLabel("From").fill("19:30");
      // What it would bring is asked first.
      await settled(page);
      await page.keyboard.press("Enter");
    },
  ],
  ["PROVIDER_LEFT", /^Give to/, 3, giveAway],
  [
    "OVER_AUTHORIZED",
    /^Edit authorization/,
    1,
    async (page) => {
      await page.getByRole("dialog").getByLabel("Units").fill("5000");
      await page.keyboard.press("Enter");
    },
  ],
  [
    "CREDENTIALS_ENDED",
    /^Credentials/,
    1,
    async (page) => {
      await page.getByRole("dialog").getByLabel("Expires").first().fill("2099-12-31");
      await page.keyboard.press("Enter");
    },
  ],
];

export async function checkLook(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;
  const { page } = await visit(browser, origin, { at: "#/attention", key });

  for (const [view, rows, laptop, phone] of ROWS)
    await check(`${view} has at least ${laptop} whole rows on a laptop`, async () => {
      await goTo(page, `#/${view}`);
      for (const [width, height, least] of [
        [1280, 800, laptop],
        ...(phone === undefined ? [] : [[390, 844, phone] as const]),
      ] as const) {
        await page.setViewportSize({ width, height });
        await settled(page);
        const shown = await wholeRows(page, rows);
        if (shown < least) throw new Error(`${shown} of ${least} rows at ${width} × ${height}`);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    });

  await check(
    "Back leads to where one was, what was open is open, before anything is asked",
    async () => {
      await goTo(page, "#/attention");
      const sentence = page.locator(".sentence").nth(12);
      await sentence.click();
      await page.evaluate("scrollTo(0, 700)");
      const at = await page.evaluate<number>("scrollY");
      await page.locator(".inbox > li").nth(20).getByRole("link").first().click();
      await page.locator("main h1:focus").waitFor();
      await settled(page);
      await page.route("**/api/**", () => {});
      await page.goBack();
      await page.locator(".inbox > li").nth(20).waitFor();
      expectEqual(
        [await page.evaluate("scrollY"), await page.locator(".spinner").count()],
        [at, 0],
      );
      expectEqual(await page.locator(".sentence").nth(12).getAttribute("aria-expanded"), "true");
      await page.unroute("**/api/**");
      await page.reload();
      await page.close();
    },
  );

  await check("in forced colors, bars, marks, sessions and the current place differ", async () => {
    const { page } = await visit(browser, origin, { at: "#/utilization", key });
    await page.emulateMedia({ forcedColors: "active" });
    /** How many of some elements differ in how they are painted. */
    const differing = (elements: string) =>
      page.evaluate<number>(`new Set([...document.querySelectorAll("${elements}")].map((one) => {
        const { backgroundColor, backgroundImage, borderColor } = getComputedStyle(one);
        return [backgroundColor, backgroundImage, borderColor].join();
      })).size`);
    const outlineOf = (element: string) =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll("${element}")].find((one) => one.checkVisibility())).outlineStyle`,
      );
    expectEqual(await differing(".legend i"), await page.locator(".legend i").count());
    expectEqual(
      [await outlineOf(".bar"), await outlineOf(".page-header [aria-current]")],
      ["solid", "solid"],
    );
    await goTo(page, "#/attention");
    expectEqual(await differing(".stakes > .stake"), 3);
    await goTo(page, `#/schedule?date=${WEDNESDAY}`);
    const kinds = await page.locator(".legend i").count();
    expectEqual([kinds > 1, await differing(".legend i")], [true, kinds]);
    expectEqual(await page.locator(".slot .kind-mark").first().innerText(), "S");
    await page.close();
  });

  for (const [kind, act, press] of ACTS)
    await check(`${kind} is mended by two clicks, and undone`, async () => {
      const { page } = await visit(browser, origin, { at: `#/attention?check=${kind}`, key });
      const before = await read<ChecksReport>(practice, `checks?check=${kind}`);
      const stored = await practiceFileOf(practice);
      const row = page.locator(".inbox > li").nth(await mendable(page, act, press));
      const asked = await row.getByRole("button", { name: act }).innerText();
      const several = Number(/\d+/.exec(asked)?.[0] ?? 1);

      const clicks = await countClicks(page);
      await row.getByRole("button", { name: act }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: press }).click();
      await dialog.waitFor({ state: "detached" });
      await settled(page);
      expectEqual(await clicks(), 2);
      const after = await read<ChecksReport>(practice, `checks?check=${kind}`);
      expectEqual(after.totals[kind], (before.totals[kind] ?? 0) - several);
      await undo(page);
      await settled(page);
      expectEqual(await practiceFileOf(practice), stored);
      await page.close();
    });

  for (const [kind, act, most, mend] of CHOSEN)
    await check(`${kind} is mended in clicks: ${most}, and undone`, async () => {
      const { page } = await visit(browser, origin, { at: `#/attention?check=${kind}`, key });
      const numberOf = async () =>
        (await read<ChecksReport>(practice, `checks?check=${kind}`)).totals[kind] ?? 0;
      const [before, stored] = [await numberOf(), await practiceFileOf(practice)];
      const clicks = await countClicks(page);
      await page.locator(".inbox").getByRole("button", { name: act }).first().click();
      await mend(page);
      await page.getByRole("button", { name: "Undo" }).waitFor();
      expectEqual([await clicks(), (await numberOf()) < before], [most, true]);
      await undo(page);
      expectEqual(await practiceFileOf(practice), stored);
      await page.close();
    });

  await check("from a row, Tab reaches its act, and Enter opens it", async () => {
    const { page } = await visit(browser, origin, { at: "#/attention?check=PATIENT_LEFT", key });
    await page.locator(".sentence").first().focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /^Delete sessions: / }).waitFor();
    await page.keyboard.press("Escape");
    await leave(page);
  });
}

/** The first row of which something can be chosen: what is billed cannot. */
async function mendable(page: Page, act: RegExp, press: RegExp): Promise<number> {
  const rows = page.locator(".inbox > li");
  for (let index = 0; index < (await rows.count()); index += 1) {
    await rows.nth(index).getByRole("button", { name: act }).click();
    const button = page.getByRole("dialog").getByRole("button", { name: press });
    await button.waitFor();
    const isOffered = await button.isEnabled();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    if (isOffered) return index;
  }
  throw new Error("No row can be mended");
}

/** How many rows of a selector are whole on the screen. */
function wholeRows(page: Page, rows: string): Promise<number> {
  return page.evaluate<number>(`[...document.querySelectorAll("main ${rows}")].filter((row) => {
    const { top, bottom, height } = row.getBoundingClientRect();
    const bar = document.querySelector(".page-header").getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= (bar.top > 100 ? bar.top : innerHeight);
  }).length`);
}
