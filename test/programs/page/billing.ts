import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, YESTERDAY } from "./small-practice.ts";
import { keyOf, type Practice, read, settled, undo, visit, writeRecord } from "./visit.ts";

/**
 * A biller hands over a day: what is wrong is mended where it is found, lines are handed over, a change is seen and
 * handed over again, and all is taken back; by keyboard, too. What is stored is looked at after each step.
 */

interface Line {
  encounterId: string;
  state: string;
  units: number;
  problems: string[];
  changedFields: string[];
  billed: { batch: string; line: { units: number } } | null;
}

const AT = "#/billing";

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
  const batchesOf = async () => (await stored()).map(({ billed }) => billed?.batch ?? null);
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

  await check("what is wrong in a line leads to where it is mended, and back", async () => {
    const { page } = await visit(browser, origin, { at: AT, key });
    await tab(page, "With problems 1").click();
    await page.getByRole("row", { name: /Leo Park/ }).waitFor();
    await page.getByRole("button", { name: "Units differ from the time" }).click();
    const dialog = page.getByRole("dialog", { name: "Therapy of 1" });
    await dialog.getByRole("button", { name: "Correct" }).click();
    await dialog.getByLabel("Units").fill("8");
    await dialog.getByRole("button", { name: "Save: 8 units" }).click();
    await dialog.getByText("✓ Delivered: 8 units").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page
      .getByRole("button", { name: "Units differ from the time" })
      .waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Service without code" }).waitFor();
    const lines = (await read<{ data: { publicId: string }[] }>(admin, "service-lines")).data;
    for (const { publicId } of lines)
      await write({ type: "serviceLine", publicId, code: "97153", modifiers: ["HM"] });
    await page.reload();
    await page.close();
    expectEqual(
      (await stored()).map(({ problems, units }) => [problems, units]),
      [[[], 8]],
    );
  });

  await check("lines are handed over in a batch, saved as a spreadsheet, and undone", async () => {
    const { page } = await visit(browser, origin, { at: `${AT}?payorId=pay_sun`, key });
    await page.getByText("97153 HM").waitFor();
    await page.waitForFunction(
      `/^\\d{4}-W\\d\\d Sunrise$/.test(document.querySelector("main form[aria-label='Hand over'] input").value)`,
    );
    await batch(page).fill("Week 1, Sunrise");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Hand over 1 line", exact: true }).click(),
    ]);
    expectEqual(download.suggestedFilename(), "Week-1-Sunrise.csv");
    const rows = readFileSync(await download.path(), "utf8")
      .replace("\uFEFF", "")
      .split("\r\n");
    expectEqual(
      [
        rows.length,
        rows[0]?.split(",").slice(0, 2),
        rows[1]?.startsWith(`enc_b1,${YESTERDAY},UTC,`),
      ],
      [3, ["encounterId", "date"], true],
    );
    await page.getByText("1 line is handed over in Week 1, Sunrise.").waitFor();
    expectEqual(
      (await stored()).map(({ state, billed }) => [state, billed?.batch, billed?.line.units]),
      [["BILLED", "Week 1, Sunrise", 8]],
    );
    await undo(page);
    expectEqual(await batchesOf(), [null]);
    await page.close();
  });

  await check("a change is seen as it was and is, handed over again, and taken back", async () => {
    const { page } = await visit(browser, origin, { at: AT, key });
    // By keyboard alone.
    await batch(page).focus();
    await batch(page).fill("W1");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.keyboard.press("Enter"),
    ]);
    expectEqual(download.suggestedFilename(), "W1.csv");
    await tab(page, "Billed 1").waitFor();
    await write({ type: "encounter", publicId: "enc_b1", units: 6 });
    await tab(page, "Billed 1").focus();
    await page.keyboard.press("Enter");
    await settled(page);
    await tab(page, "Changed 1").click();
    await page.getByText("Units: 8 → 6").waitFor();
    await page.getByRole("button", { name: "Leave 1 line as billed" }).click();
    await tab(page, "Billed 1").waitFor();
    expectEqual(
      (await stored()).map(({ state, billed }) => [state, billed?.batch, billed?.line.units]),
      [["BILLED", "W1", 6]],
    );
    await undo(page);
    await tab(page, "Changed 1").waitFor();
    await batch(page).fill("W2");
    const [again] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Hand over 1 line again" }).click(),
    ]);
    expectEqual(again.suggestedFilename(), "W2.csv");
    await tab(page, "Billed 1").waitFor();
    expectEqual(await batchesOf(), ["W2"]);
    const row = page.getByRole("row", { name: /^W2/ });
    await row.getByRole("button", { name: "Take back" }).click();
    await page.getByText("1 line is taken back from W2.").waitFor();
    expectEqual(await batchesOf(), [null]);
    await undo(page);
    expectEqual(await batchesOf(), ["W2"]);
    await page.close();
  });

  await check("a session says in which batch it is billed, and others see no buttons", async () => {
    const other = await keyOf(folder, "CLINICAL_ADMIN", SMALL_ORGANIZATION);
    const { page } = await visit(browser, origin, {
      at: `${AT}?state=BILLED&session=apt_past`,
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
      const { page } = await visit(browser, origin, {
        at: `${AT}?state=PROBLEM&patientId=usr_patient_2`,
        key,
      });
      let files = 0;
      await page.route(/practice-file/, async (route) => {
        files += 1;
        // Somebody else is faster with a line of the second file.
        if (files === 2) await write({ type: "encounter", publicId: "enc_m999", units: 2 });
        await route.continue();
      });
      await batch(page).fill("Month");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Hand over 5,000 lines with problems" }).click(),
      ]);
      const rows =
        readFileSync(await download.path(), "utf8")
          .trimEnd()
          .split("\r\n").length - 1;
      expectEqual([files, rows > 2_000, rows < 5_000, await billed()], [2, true, true, rows]);
      await page
        .getByText(`${rows.toLocaleString("en-US")} of 5,000 are handed over in Month.`)
        .waitFor();
      await page.unroute(/practice-file/);
      await undo(page);
      expectEqual(await billed(), 0);
      await page.close();
      await writeAll(
        admin,
        ids.map((publicId) => ({ type: "encounter", publicId, deleted: true })),
      );
    },
  );

  await write({ type: "encounter", publicId: "enc_b1", billed: null });
  await write({ type: "encounter", publicId: "enc_b1", deleted: true });
}
