import type { Browser, Page } from "playwright-core";
import type { OverviewEntry, Utilization } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { BUSY_AUTHORIZATION } from "./busy-practice.ts";
import { ENDED, LATER, SMALL_ORGANIZATION } from "./small-practice.ts";
import {
  expectAccessible,
  holdBack,
  keyOf,
  leave,
  type Practice,
  read,
  settled,
  visit,
} from "./visit.ts";

/** The view of one authorization or pool: its periods, and what-if questions. */

export async function checkSubject(browser: Browser, practice: Practice): Promise<void> {
  const { origin, adminKey: key } = practice;
  const { data } = await read<{ data: OverviewEntry[] }>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const found = (holds: (entry: OverviewEntry) => boolean): OverviewEntry => {
    const entry = data.find(holds);
    if (entry === undefined) throw new Error("The demo practice has no such subject");
    return entry;
  };
  const monthly = found(
    ({ publicId, unitFrequency }) => publicId.startsWith("auth_") && unitFrequency === "MONTHLY",
  );
  const pool = found(({ publicId }) => publicId.startsWith("apool_"));
  const atOf = ({ publicId }: OverviewEntry, query = ""): string =>
    `#/utilization/${publicId}${query}`;

  await check(
    "the chart has every period of the window, marks today, and shows shortened periods",
    async () => {
      const { page } = await visit(browser, origin, { at: atOf(monthly), key });
      const { members } = await read<Utilization>(
        practice,
        `authorization-utilization/${monthly.publicId}`,
      );
      const periods = members[0]?.periods ?? [];
      expectEqual(await page.locator(".chart g > title").count(), periods.length);
      const cut = periods.filter(
        ({ startDate, endDate }) => !startDate.endsWith("-01") || !isLastOfMonth(endDate),
      );
      expectEqual(await page.locator(".chart-cut").count(), cut.length);
      expectEqual(
        await page
          .locator(".chart-today")
          .innerHTML()
          .then((html) => html.includes("Today")),
        true,
      );
      await leave(page);
    },
  );

  await check("the table has the numbers of the API", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly, "?as=table"), key });
    const { members } = await read<Utilization>(
      practice,
      `authorization-utilization/${monthly.publicId}`,
    );
    const column = async (index: number): Promise<number[]> =>
      (await page.locator(`tbody tr td:nth-child(${index})`).allInnerTexts()).map(Number);
    const periods = members[0]?.periods ?? [];
    expectEqual(
      await column(2),
      periods.map(() => monthly.unitsAuthorized),
    );
    expectEqual(
      await column(3),
      periods.map(({ unitsUtilized }) => unitsUtilized),
    );
    expectEqual(
      await column(4),
      periods.map(({ unitsScheduled }) => unitsScheduled),
    );
    await leave(page);
  });

  await check(
    "the patient is named in the view, also when it is opened by URL, but not in URL and title",
    async () => {
      const { page } = await visit(browser, origin, { at: atOf(pool), key });
      await page.getByRole("heading", { level: 1, name: pool.patientLastName }).waitFor();
      const named = `${page.url()} ${await page.title()}`;
      if (named.includes(pool.patientLastName)) throw new Error(named);
      await page.getByRole("link", { name: "Record" }).click();
      await page.waitForURL(`${origin}/#/people/${pool.patientId}`);
      await leave(page);
    },
  );

  await check("a pool shows its own numbers and those of each authorization", async () => {
    const { page } = await visit(browser, origin, { at: atOf(pool, "?as=table"), key });
    const { pool: whole, members } = await read<Utilization>(
      practice,
      `authorization-utilization/${pool.publicId}`,
    );
    const choices = page.getByRole("group", { name: "Of the pool" }).getByRole("link");
    expectEqual(await choices.count(), members.length + 1);
    expectEqual(await page.locator("tbody tr").count(), whole?.periods.length);
    await choices.nth(1).click();
    await page.waitForURL(new RegExp(`of=${members[0]?.authorizationPublicId}`));
    await page.getByText("It has no limit of its own").waitFor();
    expectEqual(await page.locator("tbody tr").count(), members[0]?.periods.length);
    await leave(page);
  });

  await check("a response does not overwrite text that is being entered", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly), key });
    const release = await holdBack(page, /authorization-utilization/);
    await page.getByLabel("From").first().fill("2026-10-01");
    await page.locator("summary", { hasText: "Filter" }).click();
    await page.getByLabel("Time zone").pressSequentially("Asia/Tok");
    release();
    await settled(page);
    await page.getByLabel("Time zone").pressSequentially("yo");
    await page.keyboard.press("Enter");
    await page.waitForURL(/timezone=Asia\/Tokyo/);
    await page.close();
  });

  await check("window and time zone can be chosen, and are in the URL", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly), key });
    await page.getByLabel("From").first().fill("2026-10-01");
    await page.waitForURL(/startDate=2026-10-01/);
    await page.locator("summary", { hasText: "Filter" }).click();
    await page.getByLabel("Time zone").fill("Asia/Tokyo");
    await page.keyboard.press("Enter");
    await page.waitForURL(/timezone=Asia/);
    await page.getByText("· Japan Standard Time").waitFor();
    await page.getByRole("link", { name: "Usual window" }).click();
    await page.waitForURL(`${origin}/${atOf(monthly)}`);
    await leave(page);
  });

  for (const [what, at, sentence] of [
    ["an unknown id", "#/utilization/auth_none", "not found"],
    ["an id of another organization", `#/utilization/${BUSY_AUTHORIZATION}`, "not found"],
    ["a malformed id", "#/utilization/no%20id", "publicId:"],
    ["a zone that does not exist", atOf(monthly, "?timezone=Mars/Olympus"), "timezone:"],
    [
      "a window that ends before it starts",
      atOf(monthly, "?startDate=2026-03-02&endDate=2026-03-01"),
      "startDate",
    ],
  ] as const)
    await check(`${what} shows the message of the API`, async () => {
      const { page } = await visit(browser, origin, { at, key });
      const alert = page.getByRole("alert");
      await alert.waitFor();
      const text = await alert.innerText();
      if (!text.includes(sentence) || !/Request [0-9a-f-]{36}/.test(text)) throw new Error(text);
      await leave(page);
    });

  await check("a window without periods shows a message", async () => {
    const at = atOf(monthly, "?startDate=2001-01-01&endDate=2001-02-01");
    const { page } = await visit(browser, origin, { at, key });
    await page.getByText("It is not in effect on any day of this window.").waitFor();
    await leave(page);
  });

  await check("a total is a line over its term, with where the usual pace leads", async () => {
    const total = found(
      ({ unitFrequency, unitsAuthorized }) =>
        unitFrequency === "TOTAL" && (unitsAuthorized ?? 0) > 100,
    );
    const { page, observed } = await visit(browser, origin, { at: atOf(total), key });
    await page.getByText(/^At the pace of the last four full weeks, [\d.]+ units a week/).waitFor();
    await page
      .getByText(/^If the usual week goes on .* (✓ it fits|✕ it does not fit)\.$/)
      .waitFor();
    await expectAccessible(page);
    expectEqual([observed.outside, observed.complaints], [[], []]);
    await leave(page);
  });

  await check(
    "what a plan adds is in the sum of the usual weeks, whose tick is that of the sum",
    async () => {
      const total = found(
        ({ unitFrequency, unitsAuthorized }) =>
          unitFrequency === "TOTAL" && (unitsAuthorized ?? 0) > 100,
      );
      const { page } = await visit(browser, origin, { at: atOf(total), key });
      const sum = page.locator(".what-if .outlook li").first();
      const numbers = async () =>
        (await sum.innerText()).match(/[\d,.]+(?= (booked|added|of))/g)?.map(numberOf) ?? [];
      const numberOf = (text: string) => Number(text.replaceAll(",", ""));
      await sum.waitFor();
      const [booked = 0, usual = 0, before = 0] = await numbers();
      expectEqual(Math.abs(booked + usual - before) < 0.2, true);
      const form = page.getByRole("form", { name: "Add a session" });
      await form.getByRole("button", { name: "Add" }).click();
      await page.getByText(/ booked \+ [\d.]+ added \+ /).waitFor();
      const [, added = 0, , after = 0] = await numbers();
      expectEqual(Math.abs(before + added - after) < 0.2, true);
      const isOver = (await sum.innerText()).includes(" over");
      expectEqual(await page.locator(".verdict .fits").count(), isOver ? 0 : 1);
      await leave(page);
    },
  );

  await check("what counts is shown with one click, and why something does not", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly), key });
    await page.locator("summary", { hasText: "What counts" }).click();
    const table = page.getByRole("region", { name: "What counts" });
    await table.getByText("as delivered").first().waitFor();
    const { ledger } = await read<{ ledger: { reason: string | null }[] }>(
      practice,
      `authorization-utilization/${monthly.publicId}/ledger`,
    );
    expectEqual(
      await table
        .locator("tbody tr")
        .filter({ has: page.locator("td") })
        .count(),
      ledger.length,
    );
    await expectAccessible(page);
    await leave(page);
  });

  const changes = (page: Page) => page.getByRole("list", { name: "Changes" }).getByRole("listitem");

  await check(
    "entered sessions are sent as a what-if question, and the result of the API is shown",
    async () => {
      const { page } = await visit(browser, origin, { at: atOf(monthly), key });
      const form = page.getByRole("form", { name: "Add a session" });
      await form.getByLabel("Weeks").fill("3");
      const asked = page.waitForResponse((response) => response.url().includes("what-if"));
      await form.getByLabel("Weeks").press("Enter");
      const answer = (await (await asked).json()) as { fits: boolean; periods: object[] };
      const verdict = page.locator(".verdict").getByText(/^. It (fits|does not fit)/);
      expectEqual((await verdict.innerText()).includes("It fits"), answer.fits);
      expectEqual(await changes(page).count(), 3);
      expectEqual(await page.locator(".effects li").count(), answer.periods.length);
      await page.getByRole("button", { name: "Remove" }).first().click();
      await changes(page).nth(2).waitFor({ state: "detached" });
      await leave(page);
    },
  );

  await check("an entered session can be repeated until the end of the authorization", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly), key });
    const form = page.getByRole("form", { name: "Add a session" });
    await form.getByLabel(/Until it ends/).check();
    const weeks = Number(await form.getByLabel("Weeks").inputValue());
    await form.getByRole("button", { name: "Add" }).click();
    await page.locator(".fits, .fits-not").waitFor();
    const day = Temporal.PlainDate.from(await form.getByLabel("Day").inputValue());
    const { days } = day.until(monthly.endDate, { largestUnit: "days" });
    expectEqual([weeks, await changes(page).count()], [Math.floor(days / 7) + 1, weeks]);
    expectEqual(await changes(page).getByText("after its end").count(), 0);
    await leave(page);
  });

  await check(
    "the result distinguishes units over the limit from days outside the authorization",
    async () => {
      const small = found(
        ({ publicId, unitFrequency, unitsAuthorized }) =>
          publicId.startsWith("auth_") &&
          unitFrequency === "WEEKLY" &&
          (unitsAuthorized ?? 99) < 90,
      );
      const { page } = await visit(browser, origin, { at: atOf(small), key });
      const form = page.getByRole("form", { name: "Add a session" });
      const reasons = page.locator(".reasons li");
      await form.getByLabel("Day").fill(small.endDate);
      await form.getByLabel("Weeks").fill("2");
      await form.getByLabel("To").fill("23:45");
      await form.getByLabel("From").fill("00:15");
      await form.getByRole("button", { name: "Add" }).click();
      await reasons.nth(1).waitFor();
      expectEqual(await reasons.allInnerTexts(), [
        "1 period of this authorization would be over the authorized units.",
        "1 session would be outside the dates of the authorization.",
      ]);
      await page.locator(".share-over", { hasText: /after its end, \w+ \d+, \d{4}/ }).waitFor();
      await leave(page);
    },
  );

  await check("a session that cannot be added shows the reason", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly), key });
    const form = page.getByRole("form", { name: "Add a session" });
    const add = form.getByRole("button", { name: "Add" });
    await form.getByLabel("Weeks").fill("105");
    await add.click();
    await form.getByText("Weeks must be a whole number from 1 to 104.").waitFor();
    await form.getByLabel("To").fill("08:00");
    await add.click();
    await form.getByText("It has to end after it begins.").waitFor();
    expectEqual(await page.locator(".verdict").count(), 0);
    await leave(page);
  });

  const smallKey = await keyOf(practice.folder, "ADMIN", SMALL_ORGANIZATION);

  await check("the periods of a patient without a time zone are in the practice's", async () => {
    const { page, observed } = await visit(browser, origin, {
      at: "#/utilization/auth_1",
      key: smallKey,
    });
    await page.getByText(/· (UTC|Coordinated Universal Time)/).waitFor();
    await page.locator(".chart").waitFor();
    expectEqual(observed.outside, []);
    await leave(page);
  });

  await check(
    "an ended authorization is marked as ended, with the sessions booked after its end",
    async () => {
      const { page } = await visit(browser, origin, { at: "#/utilization/auth_3", key: smallKey });
      await page
        .getByText(`ended ${dateText(ENDED)}`)
        .first()
        .waitFor();
      const line = page.getByText(/1 session booked or delivered after its end/);
      await line.waitFor();
      const text = await line.innerText();
      if (!text.includes(dateText(LATER))) throw new Error(text);
      for (let weeks = 0; weeks < 2; weeks += 1)
        if ((await page.locator(".what-if .slot").count()) === 0) {
          await page.getByRole("button", { name: "The week after" }).click();
          await settled(page);
        }
      await page
        .locator(".what-if .slot.double")
        .getByText(/after its end/)
        .waitFor();
      await expectAccessible(page);
      await line.getByRole("link").click();
      await page.waitForURL(new RegExp(`whose=patient&person=usr_patient_2&date=${LATER}`));
      await leave(page);
    },
  );

  await check("a session can be drawn with the mouse in the week", async () => {
    const { page } = await visit(browser, origin, { at: atOf(monthly), key });
    // Next week's Saturday has no sessions.
    await page.getByRole("button", { name: "The week after" }).click();
    await settled(page);
    const column = page.locator(".what-if .slots").last();
    await column.scrollIntoViewIfNeeded();
    const box = await column.boundingBox();
    if (box === null) throw new Error("There is no column");
    const hours = Number(await page.locator(".what-if .week-hours li").count());
    const at = (hour: number): number => box.y + ((hour - 8) / hours) * box.height;
    // From its end to its beginning.
    await page.mouse.move(box.x + box.width / 2, at(11));
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, at(10), { steps: 4 });
    await page.mouse.move(box.x + box.width / 2, at(9), { steps: 4 });
    await page.mouse.up();
    const text = await changes(page).first().innerText();
    if (!/Add Sat, .+, 9:00.–.11:00.AM/.test(text)) throw new Error(text);
    await leave(page);
  });

  await check(
    "a booked session can be marked as cancelled in the question, and unmarked",
    async () => {
      const booked = await read<{ data: { authorizationId?: string }[] }>(
        practice,
        `sessions?authorizationId=${monthly.publicId}&pageSize=1`,
      );
      expectEqual(booked.data.length, 1);
      const { page } = await visit(browser, origin, { at: atOf(monthly), key });
      const slots = page.locator(".what-if .slot button");
      for (let weeks = 0; weeks < 12 && (await slots.count()) === 0; weeks += 1) {
        await page.getByRole("button", { name: "The week before" }).click();
        await settled(page);
      }
      await slots.first().click();
      await page.locator(".slot button[aria-pressed=true]").waitFor();
      await page.locator(".fits, .fits-not").waitFor();
      await page.getByRole("button", { name: "Keep it", exact: true }).click();
      await page.locator(".slot button[aria-pressed=true]").waitFor({ state: "detached" });
      await leave(page);
    },
  );
}

/** `Nov 30, 2026` */
function dateText(date: string): string {
  const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
  return format.format(Date.parse(date));
}

function isLastOfMonth(date: string): boolean {
  return new Date(Date.parse(date) + 86_400_000).getUTCDate() === 1;
}
