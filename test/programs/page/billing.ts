import { readFileSync } from "node:fs";
import type { Browser, Locator, Page, Response } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { places, session } from "./imported-practices.ts";
import { SMALL_ORGANIZATION, YESTERDAY } from "./small-practice.ts";
import {
  expectAccessible,
  keyOf,
  type Practice,
  read,
  settled,
  undo,
  visit,
  WAITING_TIME,
  writeRecord,
} from "./visit.ts";

/**
 * A biller hands over a month: what is wrong is mended where it is found, lines are handed over, a change is seen and
 * handed over again, a line is removed and voided, proved, and taken back. What is stored is looked at after each step.
 */

interface Line {
  encounterId: string;
  state: string;
  units: number;
  problems: string[];
  changedFields: string[];
  billed: HandOver[];
}

interface HandOver {
  batch: string | null;
  takenBackAt: string | null;
  line?: { units: number; claimFrequencyCode: string | null };
}

const isCounting = ({ takenBackAt }: HandOver) => takenBackAt === null;

const AT = "#/billing";

/** The answer to a write of the page. */
const isWrite = (response: Response) =>
  response.request().method() === "POST" && response.url().includes("/v1/practice-file");

/** As a date's field is typed in the United States. */
const DIGITS = { year: "numeric", month: "2-digit", day: "2-digit" } as const;

/** Presses a key until a control, once it is enabled, has the focus. */
async function tabTo(page: Page, control: Locator, by = "Tab"): Promise<void> {
  await control.and(page.locator(":not(:disabled)")).waitFor();
  const isReached = () => control.evaluate((node) => node === node.ownerDocument.activeElement);
  for (let presses = 0; !(await isReached()); presses += 1) {
    if (presses === 100) throw new Error(`The keyboard does not reach ${control}`);
    await page.keyboard.press(by);
  }
}

async function writeAll(
  { origin, adminKey }: Pick<Practice, "origin" | "adminKey">,
  records: readonly object[],
): Promise<void> {
  const lines = [{ type: "organization", publicId: SMALL_ORGANIZATION }, ...records];
  const response = await fetch(`${origin}/api/v1/practice-file`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminKey}`, "Content-Type": "application/x-ndjson" },
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  if (!response.ok) throw new Error(await response.text());
}

export async function checkBilling(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  const admin = { ...practice, adminKey: await keyOf(folder, "ADMIN", SMALL_ORGANIZATION) };
  const key = await keyOf(folder, "BILLING_MANAGER", SMALL_ORGANIZATION);
  const write = (record: object): Promise<void> => writeRecord(admin, SMALL_ORGANIZATION, record);
  const stored = async (): Promise<Line[]> =>
    (await read<{ data: Line[] }>(admin, "billing-lines")).data;
  const storedLines = async () =>
    (await stored()).map(({ state, billed, units }) => {
      const last = billed.findLast(isCounting);
      return [state, last?.batch ?? null, last?.line?.units ?? units];
    });
  const takenBack = (batch: string) => ({ billed: [{ batch, takenBackAt: start }] });
  const tab = (page: Page, name: string) =>
    page.getByRole("group", { name: "States" }).getByRole("link", { name });
  const batch = (page: Page) => page.getByRole("form", { name: "Hand over" }).getByLabel("Batch");

  await write({ type: "payor", publicId: "pay_sun", name: "Sunrise" });
  await write({ type: "authorization", publicId: "auth_1", payorId: "pay_sun" });
  await write({ type: "user", publicId: "usr_technician", npiNumber: "1234567893" });
  const insurance = {
    ...{ payorId: "pay_sun", priority: "PRIMARY", relationshipToPatient: "SELF" },
    ...{ insuredBirthDate: "1990-01-01", insuredAddress: {}, memberId: "M-1" },
    ...{ planHolder: "Leo Park", effectiveStartDate: "2020-01-01" },
  };
  await write({ type: "user", publicId: "usr_patient_1", payors: [insurance] });
  const encounter = { type: "encounter", authorizationId: "auth_1" };
  const start = `${YESTERDAY}T09:00:00.000Z`;
  await write({
    ...encounter,
    publicId: "enc_b1",
    sessionId: "apt_past",
    startTime: start,
    units: 7,
  });

  const missed = session({
    ...{ publicId: "apt_missed", title: "Not documented", authorizationId: "auth_1" },
    ...{ startTime: `${YESTERDAY}T12:00:00.000Z`, endTime: `${YESTERDAY}T13:00:00.000Z` },
    ...{ technicianId: "usr_technician", clientId: "usr_patient_1" },
  });
  await write(missed);
  await write({ ...places[1], code: "97153", modifiers: ["HM"] });

  await check(
    "a biller's day by keyboard alone: mended, handed over, changed, taken back",
    async () => {
      const { page } = await visit(browser, origin, {});
      await page.evaluate(`presses = 0; addEventListener("pointerdown", () => presses++, true)`);
      const refused: string[] = [];
      page.on("response", (response) => {
        if (!response.ok()) refused.push(`${response.status()} ${response.url()}`);
      });
      const { keyboard } = page;
      const press = async (control: Locator, by = "Tab"): Promise<void> => {
        await tabTo(page, control, by);
        await keyboard.press("Enter");
      };
      const fill = async (control: Locator, text: string): Promise<void> => {
        await tabTo(page, control);
        await keyboard.press("ControlOrMeta+A");
        await keyboard.type(text);
      };
      const handOver = async (name: string, file: string): Promise<string> => {
        await press(page.getByRole("button", { name: "Hand over 1…" }));
        // A batch is named after the week and the payor, whose name is asked for.
        const isOffered = async () =>
          /^\d{4}-W\d\d Sunrise( \d)?$/.test(await batch(page).inputValue());
        for (let left = WAITING_TIME / 20; left > 0 && !(await isOffered()); left -= 1)
          await Bun.sleep(20);
        await fill(batch(page), name);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          keyboard.press("Enter"),
        ]);
        expectEqual(download.suggestedFilename(), file);
        return readFileSync(await download.path(), "utf8");
      };
      const said = (text: string): Promise<void> => page.getByText(text, { exact: true }).waitFor();

      await keyboard.type(key);
      await keyboard.press("Enter");
      await page.locator("main h1:focus").waitFor();
      await press(page.getByRole("link", { name: "Billing", exact: true }), "Shift+Tab");
      await page.locator("main h1:focus", { hasText: "Billing" }).waitFor();

      await press(page.locator("summary", { hasText: "Filter" }));
      // A month of one payor's sessions with one patient by one technician. A date is typed part by part, over the one
      // that the list has brought, also for the other date.
      const month = Temporal.PlainDate.from(YESTERDAY).toPlainYearMonth();
      for (const [label, day] of [
        ["From", month.toPlainDate({ day: 1 })],
        ["To", month.toPlainDate({ day: month.daysInMonth })],
      ] as const) {
        await tabTo(page, page.getByLabel(label, { exact: true }));
        await settled(page);
        await keyboard.type(day.toLocaleString("en-US", DIGITS).replaceAll("/", ""));
      }
      /** Waits until the address asks for something, so that the next key meets what is shown for it. */
      const asked = (part: string) => page.waitForURL((url) => url.hash.includes(part));
      const choose = async (label: string, name: string, part: string): Promise<void> => {
        const field = page.getByLabel(label);
        await field.getByRole("option", { name }).waitFor({ state: "attached" });
        await tabTo(page, field);
        const names = await field.locator("option").allInnerTexts();
        const chosen = names.indexOf(await field.locator("option:checked").innerText());
        for (let at = chosen; at < names.indexOf(name); at += 1) await keyboard.press("ArrowDown");
        await asked(part);
      };
      await choose("Payor", "Sunrise", "payorId=pay_sun");
      await asked(`startDate=${month.toPlainDate({ day: 1 }).toString()}`);
      await asked(`endDate=${month.toPlainDate({ day: month.daysInMonth }).toString()}`);
      await tabTo(page, page.getByRole("combobox", { name: "Patient" }));
      await keyboard.type("leo");
      await page.getByRole("option", { name: "Leo Park" }).waitFor();
      await keyboard.press("Enter");
      await asked("patientId=usr_patient_1");
      await choose("Delivered by", "Ana Ruiz", "providerId=usr_technician");
      await page.getByRole("link", { name: "1 not documented" }).waitFor();
      await press(tab(page, "With problems 1"));
      await press(page.getByRole("button", { name: "Units differ from the time" }));
      const dialog = page.getByRole("dialog");
      const problems = dialog.getByRole("list", { name: "Problems" });
      await press(problems.getByRole("button", { name: "Correct" }));
      // The units of its time are offered.
      await press(dialog.getByRole("button", { name: "Save 8 units" }));
      await problems.waitFor({ state: "detached" });
      await keyboard.press("Escape");
      await said("No line of these days is with problems.");
      await press(tab(page, "Ready 1"));
      await page.getByRole("row", { name: /Leo Park/ }).waitFor();
      expectEqual(await storedLines(), [["READY", null, 8]]);

      const saved = await handOver("Week 1, Sunrise", "Week-1-Sunrise.csv");
      expectEqual(saved.split("\r\n")[1]?.startsWith(`enc_b1,${YESTERDAY},UTC,`), true);
      await said("1 line is handed over in Week 1, Sunrise.");
      expectEqual(await storedLines(), [["BILLED", "Week 1, Sunrise", 8]]);

      // Before somebody changes the unit, the list has been read again.
      await tab(page, "Billed 1").waitFor();
      await write({ type: "encounter", publicId: "enc_b1", units: 6 });
      await press(tab(page, "Billed 1"));
      await press(tab(page, "Changed 1"));
      await page.getByRole("row", { name: /Units: 8 → 6/ }).waitFor();
      await page.getByText("replaces 8 units of Week 1, Sunrise").waitFor();
      await handOver("W2", "W2.csv");
      await said("1 line is handed over in W2.");
      expectEqual(await storedLines(), [["BILLED", "W2", 6]]);

      await press(
        page.getByRole("row", { name: /^W2/ }).getByRole("button", { name: "Take back" }),
      );
      await said("1 line is taken back from W2.");
      expectEqual(await storedLines(), [["CHANGED", "Week 1, Sunrise", 8]]);
      const undoing = page.getByRole("button", { name: "Undo" });
      await press(undoing);
      await undoing.waitFor({ state: "detached" });
      expectEqual(await storedLines(), [["BILLED", "W2", 6]]);
      expectEqual([refused, await page.evaluate("presses")], [[], 0]);
      await page.close();
    },
  );

  await check(
    "a changed line is left as billed; what was handed over can be saved again",
    async () => {
      await write({ type: "encounter", publicId: "enc_b1", units: 8 });
      const { page } = await visit(browser, origin, { at: `${AT}?state=CHANGED`, key });
      const row = page.getByRole("row", { name: /^W2/ });
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        row.getByRole("button", { name: "Save again" }).click(),
      ]);
      const [names = "", line = ""] = readFileSync(await download.path(), "utf8").split("\r\n");
      expectEqual(line.split(",")[names.split(",").indexOf("units")], "6");
      await page
        .getByRole("row", { name: /Leo Park/ })
        .getByRole("button", { name: "Open" })
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Leave as billed" }).click();
      await dialog.getByText("1 line is left as billed.").waitFor();
      expectEqual(await storedLines(), [["BILLED", null, 8]]);
      const written = page.waitForResponse(isWrite);
      await dialog.getByRole("button", { name: "Undo" }).click();
      await written;
      await dialog.getByRole("button", { name: "Replace" }).waitFor();
      expectEqual(await storedLines(), [["CHANGED", "W2", 6]]);
      await page.close();
    },
  );

  await check(
    "a line is proved, removed, voided and taken back, each in two clicks, and its undo is exact",
    async () => {
      const { page } = await visit(browser, origin, { at: `${AT}?state=CHANGED`, key });
      const dialog = page.getByRole("dialog");
      const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
      const list = async () => (await stored()).flatMap(({ billed }) => billed);
      await page
        .getByRole("row", { name: /Leo Park/ })
        .getByRole("button")
        .first()
        .click();
      await dialog.getByText("Nothing recorded").waitFor();
      await expectAccessible(page);
      await dialog.getByText("Changed after it was handed over").first().waitFor();
      const handOvers = dialog.getByRole("list", { name: "Hand-overs" }).getByRole("listitem");
      expectEqual(await handOvers.count(), 3);
      await press("Remove: 0 units");
      await dialog.getByText("Units: 6 → 0").waitFor();
      await dialog.getByLabel("Batch").fill("W3");
      await Promise.all([page.waitForEvent("download"), press("Void")]);
      await dialog.getByText("1 line is handed over in W3.").waitFor();
      const [last] = (await list()).slice(-1);
      expectEqual(await storedLines(), [["BILLED", "W3", 0]]);
      expectEqual([last?.line?.units, last?.line?.claimFrequencyCode], [0, "8"]);
      await press("Take back");
      await dialog.getByText("1 line is taken back.").waitFor();
      expectEqual(await storedLines(), [["CHANGED", "W2", 6]]);
      const written = page.waitForResponse(isWrite);
      await dialog.getByRole("button", { name: "Undo" }).click();
      await written;
      await dialog.getByRole("button", { name: "Void" }).waitFor({ state: "detached" });
      expectEqual((await list()).slice(-1), [last] as never);
      await press("Take back");
      await dialog.getByText("1 line is taken back.").waitFor();
      await write({ type: "encounter", publicId: "enc_b1", units: 8 });
      await page.close();
    },
  );

  await check("a patient's month is proved from the person, and may be printed", async () => {
    const { page } = await visit(browser, origin, { at: "#/people/usr_patient_1", key });
    await page.getByRole("link", { name: "Proof of a month" }).click();
    const month = Temporal.PlainDate.from(YESTERDAY).toString().slice(0, 7);
    await page.getByLabel("Month").selectOption(month);
    await page.getByRole("heading", { name: /8 units$/ }).waitFor();
    await page.getByText("Nothing recorded").waitFor();
    await expectAccessible(page);
    const printing = page.evaluate("new Promise((done) => (print = () => done(true)))");
    await page.getByRole("button", { name: /^Print/ }).click();
    expectEqual(await printing, true);
    await page.close();
  });

  await check("a session says in which batch it is billed, and others see no buttons", async () => {
    const other = await keyOf(folder, "CLINICAL_ADMIN", SMALL_ORGANIZATION);
    const { page } = await visit(browser, origin, {
      at: `${AT}?state=CHANGED&session=apt_past`,
      key: other,
    });
    await page.getByRole("dialog").getByText("is billed in batch W2").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page
      .getByRole("row", { name: /^W2/ })
      .getByRole("button", { name: "Save again" })
      .waitFor();
    expectEqual(await page.getByRole("button", { name: /Take back|Hand over/ }).count(), 0);
    await page.close();
  });

  await check(
    "of several files, those before one that is refused are written, said and undone",
    async () => {
      const ids = Array.from({ length: 5_000 }, (_, index) => `enc_m${index}`);
      const many = ids.map((publicId) => ({
        ...{ type: "encounter", publicId, authorizationId: "auth_2", startTime: start, units: 1 },
      }));
      await writeAll(admin, many);
      const ofPatient = "billing-lines?patientId=usr_patient_2&state=BILLED";
      const billed = async () =>
        (await read<{ pagination: { totalCount: number } }>(admin, ofPatient)).pagination
          .totalCount;
      const ofProblems = `${AT}?state=PROBLEM&patientId=usr_patient_2`;
      let { page } = await visit(browser, origin, { at: ofProblems, key });
      let files = 0;
      /** Somebody else writes while the second file is sent. */
      const meanwhile = async (record: object): Promise<void> => {
        files = 0;
        await page.route(/practice-file/, async (route) => {
          files += 1;
          if (files === 2) await write({ type: "encounter", ...record });
          await route.continue();
        });
      };
      // They are faster with a line of the second file.
      await meanwhile({ publicId: "enc_m999", units: 2 });
      await page.getByRole("button", { name: "Hand over 5,000…" }).click();
      await batch(page).fill("Month");
      await expectAccessible(page);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Hand over 5,000 lines with problems" }).click(),
      ]);
      const rows =
        readFileSync(await download.path(), "utf8")
          .trimEnd()
          .split("\r\n").length - 1;
      expectEqual([files, rows > 1_500, rows < 5_000, await billed()], [2, true, true, rows]);
      await page
        .getByText(`${rows.toLocaleString("en-US")} of 5,000 are handed over in Month.`)
        .waitFor();
      await page.unroute(/practice-file/);
      await undo(page);
      await page
        .getByText(
          "What was handed over in Month is taken back. The saved file is still on a disk.",
        )
        .waitFor();
      expectEqual(await billed(), 0);

      // They take a line of the first file back: then the way back is closed.
      await page.close();
      await writeAll(
        admin,
        ids.map((publicId) => ({ type: "encounter", publicId, deleted: true })),
      );
      await writeAll(admin, many);
      page = (await visit(browser, origin, { at: ofProblems, key })).page;
      await meanwhile({ publicId: "enc_m0", ...takenBack("Again") });
      await page.getByRole("button", { name: "Hand over 5,000…" }).click();
      await batch(page).fill("Again");
      await page.getByRole("button", { name: "Hand over 5,000 lines with problems" }).click();
      await page.getByText("5,000 lines are handed over in Again.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("This record has been changed since. Nothing was written.").waitFor();
      expectEqual(await billed(), 4_999);
      await page.close();
      // What is billed is not deleted.
      for (const fields of [takenBack("Again"), { deleted: true }])
        await writeAll(
          admin,
          ids.map((publicId) => ({ type: "encounter", publicId, ...fields })),
        );
    },
  );

  const [billed = []] = (await stored()).map((line) => line.billed);
  await write({
    ...{ type: "encounter", publicId: "enc_b1" },
    billed: billed.map((one) => ({ ...one, takenBackAt: one.takenBackAt ?? start })),
  });
  await write({ type: "encounter", publicId: "enc_b1", deleted: true });
  await write({ type: "session", publicId: "apt_missed", deleted: true });
}
