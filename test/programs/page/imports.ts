import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import {
  type CalendarDate,
  endOfDay,
  type TimeZone,
} from "../../../src/page/app/lib/base/dates.ts";
import { check, expectEqual } from "../../support/checks.ts";
import {
  asExpected,
  EXAMPLE_NAMES,
  EXAMPLES,
  expectedOf,
  type Fields,
  inOrder,
  linesIn,
  stagesOf,
} from "../../page/import/expected.ts";
import { importRecords } from "./imported-practices.ts";
import { button, officeOf } from "./office.ts";
import { expectAccessible, newKey, type Practice, visit } from "./visit.ts";

/** An office's errands on its own sheets. */

export async function checkImports(browser: Browser, practice: Practice): Promise<void> {
  for (const example of EXAMPLE_NAMES) await checkExample(browser, practice, example);

  const { folder, write, person, search, opened } = await officeOf(browser, practice);

  await check(
    "a corrected file replaces the faulty one; words are chosen, and kept without names",
    async () => {
      const { page, expectClicks } = await opened("#/import");
      const head =
        "Client First Name,Client Last Name,DOB,Gender,Status,ST,BCBA,Guardian Name,Guardian Phone,Guardian Email,Shoe size";
      const ida =
        "Ida,Quist,2/29/2020,F,Active,NY,RBT Bo Lind,Maria Quist,(212) 555-0101,maria@quist.example,3";
      const ola = "Ola,Quist,3/1/2021,M,Gone,NY,Bo Lind,Maria Quist,,Maria@quist.example,4";
      await choose(page, "Our clients.csv", [head, ida, ola.replace("3/1/2021", "2/30/2021")]);
      const sheet = page.getByRole("region", { name: "Our clients.csv", exact: true });
      const mistakes = sheet.getByRole("region", { name: "Mistakes" }).getByRole("row");
      await mistakes.nth(1).waitFor();
      expectEqual((await mistakes.nth(1).innerText()).split("\t").slice(0, 2), ["3", "DOB"]);
      // What is wrong is whole, however long.
      const cut = `[...document.querySelectorAll(".notice td")].filter(
        (cell) => cell.scrollWidth > cell.clientWidth,
      ).length`;
      expectEqual(await page.evaluate(cut), 0);
      expectEqual(await button(page, /^Import \d/).isDisabled(), true);
      const saved = page.waitForEvent("download");
      await button(page, "Save the mistakes").click();
      expectEqual((await saved).suggestedFilename(), "mistakes-in-Our clients.csv");
      await page.evaluate("clicks = 0");
      await choose(page, "Our clients.csv", [head, ida, ola]);
      await page.getByText("3 new, 0 changed, 0 unchanged.").waitFor();
      await sheet.getByText("11 columns, left out: Shoe size").waitFor();
      await sheet.getByLabel("“Gone”, 1 row").selectOption("DISCHARGED");
      await sheet.getByText("Status: 2 words, all matched").waitFor();
      const first = sheet.getByRole("region", { name: "First rows" }).getByRole("row");
      await first.nth(2).getByText("Discharged").waitFor();
      await expectAccessible(page);
      expectEqual(await search("Quist"), []);
      await button(page, "Import 3 records").click();
      await page.getByText("Imported.").waitFor();
      await expectClicks(1);
      const found = new Map((await search("Quist")).map((each) => [each.firstName, each]));
      const [one, other, maria] = ["Ida", "Ola", "Maria"].map((name) => found.get(name));
      expectEqual(
        [
          one?.sex,
          one?.userStatus,
          other?.userStatus,
          one?.primaryClinicianId,
          one?.caregiverId,
          maria?.phoneNumber,
        ],
        ["FEMALE", "ACTIVE", "DISCHARGED", "usr_other", maria?.publicId, "+12125550101"],
      );
      expectEqual(other?.caregiverId, maria?.publicId);
      const kept = await page.evaluate<string>("JSON.stringify({ ...localStorage })");
      expectEqual([kept.includes("DISCHARGED"), /Quist|Lind|Maria/i.test(kept)], [true, false]);
      // The same headings: what was chosen is chosen again, until the sheet is guessed again.
      await choose(page, "Our clients.csv", [head, ida, ola.replace("Gone,NY", "Gone,VT")]);
      await page.getByText("0 new, 1 changed, 2 unchanged.").waitFor();
      const changes = page.getByRole("region", { name: "What changes" }).getByRole("row");
      await changes.filter({ hasText: "State" }).getByText("VT").waitFor();
      await sheet.getByLabel("Shoe size").selectOption("country");
      await sheet.getByText("11 columns", { exact: true }).waitFor();
      await button(page, "Guess again").click();
      await sheet.getByText("11 columns, left out: Shoe size").waitFor();
      await sheet.getByText("Status: 2 words, not matched: Gone").waitFor();
      await button(page, "Take away").click();
      await sheet.waitFor({ state: "detached" });
      await page.close();
    },
  );

  await check("next month's file adds its rows, and an undo takes them away", async () => {
    const { page } = await opened("#/import");
    const ofMonth = (month: number): string[] => [
      "Event ID,Date,Time,Client,Staff,Appointment type,Auth,Units",
      `${month}-1,${month}/3/2026,9:00 - 10:30 AM,Leo Park,Bo Lind,Therapy,,`,
      `${month}-2,${month}/4/2026,1 PM - 2 PM,"Park, Leo",Bo Lind,Therapy,,`,
    ];
    const isolated = page.getByRole("region", { name: "All sheets" });
    await choose(page, "March.csv", ofMonth(3));
    await isolated.getByText("2 new, 0 changed, 0 unchanged.").waitFor();
    await button(page, "Import 2 records").click();
    await page.getByText("Imported.").waitFor();
    await choose(page, "March and April.csv", [...ofMonth(3), ...ofMonth(4).slice(1)]);
    await isolated.getByText("2 new, 0 changed, 2 unchanged.").waitFor();
    await button(page, "Import 2 records").click();
    await page.getByText("Imported.").waitFor();
    await button(page, "Undo").click();
    await page.getByText("Undone.").waitFor();
    await choose(page, "April.csv", ofMonth(4));
    await isolated.getByText("2 new, 0 changed, 0 unchanged.").waitFor();
    // By its own id, an appointment is found on whatever day it is stored.
    const moved = ofMonth(3).map((row) => row.replace("3/3/2026", "5/3/2026"));
    await choose(page, "April.csv", moved.slice(0, 2));
    await isolated.getByText("0 new, 1 changed, 0 unchanged.").waitFor();
    await page
      .getByRole("region", { name: "What changes" })
      .getByText("Mar 3, 2026, 9:00 AM")
      .waitFor();
    await page.close();
  });

  await check("rows are pasted, files that cannot be read are refused beside others", async () => {
    const { page, observed } = await opened("#/import");
    await page
      .getByLabel("Or paste rows")
      .fill('Name\tDOB\tAddress\nUma Rey\t2/29/2020\t"1 Elm St.\nApt 2"');
    await button(page, "Take rows").click();
    const pasted = page.getByRole("region", { name: "Pasted rows", exact: true });
    await pasted.getByText("1 row", { exact: true }).waitFor();
    await page.locator("input[type=file]").setInputFiles([
      {
        name: "old.xls",
        mimeType: "application/vnd.ms-excel",
        buffer: Buffer.from("d0cf11e0a1b11ae1", "hex"),
      },
      { name: "scan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") },
      { name: "empty.csv", mimeType: "text/csv", buffer: Buffer.from("\r\n\r\n") },
    ]);
    const alertOf = (name: string) =>
      page.getByRole("region", { name, exact: true }).getByRole("alert");
    await alertOf("old.xls").getByText("Is an old or protected workbook.").waitFor();
    await alertOf("scan.pdf")
      .getByText("Is no sheet that can be read: save it as .xlsx or CSV.")
      .waitFor();
    await alertOf("empty.csv").getByText("Has no rows.").waitFor();
    await page.getByText("1 new, 0 changed, 0 unchanged.").waitFor();
    await expectAccessible(page);
    expectEqual([observed.outside, observed.complaints], [[], []]);
    // What is wrong with the lines is said in words of the sheet, and only there.
    await page
      .getByLabel("Or paste rows")
      .fill("Name\tEmail\nUma Rey\tu@rey.example\nUno Rey\tu@rey.example");
    await button(page, "Take rows").click();
    await pasted
      .getByText("Is also the email of Uma Rey in row 2: only one can have it.")
      .waitFor();
    expectEqual(await page.getByText("Not everything here could be read").count(), 0);
    await page.close();
  });

  await check("what somebody else has changed since the preview is not overwritten", async () => {
    const { page } = await opened("#/import");
    const before = await person("usr_patient_1");
    await write({ type: "user", publicId: "usr_patient_1", internalRecordId: "IMP-1" });
    await choose(page, "people.csv", ["MRN,First name,Last name", "IMP-1,Leonard,Park"]);
    await button(page, "Import 1 record").waitFor();
    await write({ type: "user", publicId: "usr_patient_1", firstName: "Leopold" });
    await button(page, "Import 1 record").click();
    await page.getByText("Somebody else has changed a record meanwhile.").waitFor();
    expectEqual((await person("usr_patient_1")).firstName, "Leopold");
    await write({
      ...{ type: "user", publicId: "usr_patient_1" },
      ...{ firstName: before.firstName, internalRecordId: before.internalRecordId ?? null },
    });
    await page.close();
  });

  await check(
    "files that are dropped on the view are one import, whatever their order",
    async () => {
      const { page } = await opened("#/import");
      const files = [
        [
          "sessions.csv",
          "Date,Start,End,Client,Staff,Service\n3/9/2026,9:00,10:00,Vic Rey,Bo Lind,Therapy",
        ],
        ["people.csv", "First name,Last name,DOB\nVic,Rey,2/29/2020"],
      ] as const;
      for (const [name, text] of files) await Bun.write(join(folder, name), text);
      // Dropped by the browser itself, as from a folder of the desktop.
      const client = await page.context().newCDPSession(page);
      const box = await page.locator(".drop").boundingBox();
      if (box === null) throw new Error("There is no place to drop files");
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await client.send("Input.dispatchDragEvent", {
          type,
          x: box.x + box.width / 2,
          y: box.y + box.height - 4,
          data: {
            items: [],
            files: files.map(([name]) => join(folder, name)),
            dragOperationsMask: 1,
          },
        });
      await page.getByText("2 new, 0 changed, 0 unchanged.").waitFor();
      await page.close();
    },
  );
}

function choose(page: Page, name: string, rows: string[]): Promise<void> {
  return page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(rows.join("\r\n")) });
}

const ZONE = "America/New_York" as TimeZone;

const lastInstant = (day: string): string => endOfDay(day as CalendarDate, ZONE);

/** An example in a practice of its own, stage by stage. */
async function checkExample(browser: Browser, practice: Practice, example: string): Promise<void> {
  const { folder, origin } = practice;
  const base = linesIn(example, "base.ndjson");
  await importRecords(folder, base);
  const key = await newKey(folder, "ADMIN", String(base[0]?.publicId));
  const exported = async (): Promise<Fields[]> => {
    const headers = { Authorization: `Bearer ${key}` };
    const text = await (await fetch(`${origin}/api/v1/practice-file`, { headers })).text();
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Fields);
  };
  const known = new Set(base.map(({ publicId }) => publicId));
  for (const [index, stage] of stagesOf(example).entries())
    await check(`${example}, ${index === 0 ? "as it is" : "again"}`, async () => {
      const before = new Map(
        (await exported()).map((line) => [line.publicId, JSON.stringify(line)]),
      );
      const { page, observed } = await visit(browser, origin, { at: "#/attention", key });
      // An empty practice shows what to do next.
      const steps = page.getByRole("region", { name: "First steps" });
      for (const name of stage.before ?? [])
        await steps.getByRole("link", { name, exact: true }).waitFor();
      if (stage.before) await expectAccessible(page);
      await page.evaluate(`location.hash = "#/import"`);
      await page
        .locator("input[type=file]")
        .setInputFiles(stage.files.map((file) => join(EXAMPLES, example, file)));
      const counts = page.getByText(/^\d+ new, \d+ changed, \d+ unchanged\.$/);
      await counts.waitFor();
      for (const [sheet, field, value] of stage.choose ?? [])
        await regionOf(page, sheet)
          .getByRole("group", { name: "For all rows" })
          .getByLabel(field)
          .selectOption({ label: value });
      for (const [sheet, expression] of stage.notes ?? [])
        expectEqual(
          new RegExp(expression).test(
            await regionOf(page, sheet).getByRole("list", { name: "Notes" }).innerText(),
          ) || expression,
          true,
        );
      // Tables of many columns scroll in their sheets.
      expectEqual(await page.evaluate("document.documentElement.scrollWidth"), 1280);
      if (stage.counts)
        expectEqual((await counts.innerText()).startsWith(stage.counts) || stage.counts, true);
      await expectAccessible(page);
      if (index === 0) {
        await button(page, /^Import \d+ records$/).click();
        await page.getByText("Imported.").waitFor();
        const changed = (await exported()).filter(
          (line) =>
            before.get(line.publicId) !== JSON.stringify(line) && line.type !== "organization",
        );
        expectEqual(
          inOrder(asExpected(changed, known)),
          inOrder(expectedOf(example, "expected-1.ndjson", lastInstant)),
        );
      }
      expectEqual([observed.outside, observed.complaints], [[], []]);
      if (stage.before) {
        await page.getByText("Next: Access: let people in").waitFor();
        const days = "startDate=2026-10-01&endDate=2026-10-31";
        const { page: other } = await visit(browser, origin, { at: `#/attention?${days}`, key });
        await other.getByText(/^Nothing is documented yet: \d+ sessions$/).waitFor();
        expectEqual(await other.getByRole("heading", { name: "Not documented" }).count(), 0);
        await other.close();
      }
      // What was handed over is taken back by an undo, too.
      if (stage.undo || stage.choose) {
        await button(page, "Undo").click();
        await page.getByText("Undone.").waitFor();
        expectEqual(
          (await exported()).map(({ publicId }) => publicId),
          [...before.keys()],
        );
      }
      if (stage.choose) {
        // Values for all rows are kept for the same headings.
        await page
          .locator("input[type=file]")
          .setInputFiles(stage.files.map((file) => join(EXAMPLES, example, file)));
        await button(page, /^Import \d+ records$/).click();
        await page.getByText("Imported.").waitFor();
      }
      await page.close();
    });
}

function regionOf(page: Page, sheet: string): Locator {
  return page.getByRole("region", { name: sheet, exact: true });
}
