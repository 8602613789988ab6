import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { TOMORROW } from "./small-practice.ts";
import { expectAccessible, read, undo, type Practice } from "./visit.ts";
import { join } from "node:path";
import { button, officeOf } from "./office.ts";

/** An office's errands on spreadsheets. */

export async function checkImports(browser: Browser, practice: Practice): Promise<void> {
  const { folder, admin, write, person, search, opened } = await officeOf(browser, practice);

  await check(
    "a spreadsheet with an office's own headings, after a look at what changes",
    async () => {
      const before = await person("usr_patient_1");
      const { page, observed, expectClicks } = await opened("#/import");
      const choose = (name: string, rows: string[]): Promise<void> =>
        page
          .locator("input[type=file]")
          .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(rows.join("\r\n")) });
      await choose("list.csv", [
        "ID,First name,Last name,Role,DOB,Mobile,Shoe size",
        "usr_patient_1,Leonard,Park,patient,,212-555-0101,5",
        'usr_sheet,"Ida, Jr.",Quist,Patient,2/29/2020,,3',
      ]);
      await page.getByText("1 new, 1 changed, 0 unchanged.").waitFor();
      await page.getByText("7 columns, left out: Shoe size").waitFor();
      const change = page.getByRole("region", { name: "What changes" }).getByRole("rowgroup");
      await change.filter({ hasText: "First name" }).getByText("Leo", { exact: true }).waitFor();
      await change.filter({ hasText: "First name" }).getByText("Leonard").waitFor();
      await change.filter({ hasText: "Row 2, usr_patient_1" }).waitFor();
      await expectAccessible(page);
      expectEqual(await search("Quist"), []);
      await button(page, "Import 2 records").click();
      await page.getByText("list.csv was imported.").waitFor();
      await expectClicks(1);
      expectEqual(
        (await search("Quist")).map(({ firstName }) => firstName),
        ["Ida, Jr."],
      );
      expectEqual((await person("usr_patient_1")).firstName, "Leonard");

      // With an id and a name alone, the name of the file says what it has.
      await choose("payors.csv", ["ID,Name", "pay_1,Fairwind Health"]);
      await change.filter({ hasText: "pay_1" }).getByText("Fairwind", { exact: true }).waitFor();
      await change.filter({ hasText: "pay_1" }).getByText("Fairwind Health").waitFor();
      await button(page, "Import 1 record").click();
      await page.getByText("payors.csv was imported.").waitFor();

      await choose("bad.csv", [
        "ID,First name,Last name,Role,DOB",
        "usr_bad,Bo,,patient,2/30/2020",
      ]);
      const mistakes = page.getByRole("region", { name: "Mistakes" }).getByRole("row");
      await mistakes.nth(2).waitFor();
      const saved = page.waitForEvent("download");
      await button(page, "Save the mistakes").click();
      expectEqual((await saved).suggestedFilename(), "mistakes-in-bad.csv");
      expectEqual(await search("usr_bad"), []);
      // A refused request is an error in the browser's console.
      expectEqual([observed.outside, observed.complaints.length], [[], 1]);

      const loose = { type: "encounter", publicId: "enc_loose" };
      const startTime = "2026-01-05T15:00:00.000Z";
      await write({ ...loose, authorizationId: "auth_1", startTime, units: 3 });
      await page.evaluate("clicks = 0");
      await page.getByRole("link", { name: "Changes" }).click();
      const changeOf = (text: string) => page.getByRole("listitem").filter({ hasText: text });
      const patient = changeOf("Ida, Jr. Quist, patient");
      await patient.getByText("New", { exact: true }).waitFor();
      await patient.getByText(/^ADMIN, /).waitFor();
      await changeOf("Fairwind Health").waitFor();
      // The last change comes first.
      const people = page.getByRole("region", { name: "People" }).getByRole("listitem");
      expectEqual(/Quist|Leonard/.test(await people.first().innerText()), true);
      // Without a session, an encounter is shown by its authorization.
      const way = changeOf("3 units, Jan 5").getByRole("link");
      expectEqual(await way.getAttribute("href"), "#/utilization/auth_1");
      await write({ ...loose, deleted: true });
      await expectClicks(1);
      await expectAccessible(page);
      await page.getByLabel("Since").fill(TOMORROW);
      await page.getByLabel("Since").press("Tab");
      await page.getByText(/^Nothing has changed since /).waitFor();
      await write({ type: "user", publicId: "usr_sheet", deleted: true });
      const { firstName, phoneNumber } = before;
      await write({ type: "user", publicId: "usr_patient_1", firstName, phoneNumber });
      await page.close();
    },
  );

  await check(
    "an office's own list of clients: six clicks to the records, and one to undo them",
    async () => {
      const { page, expectClicks } = await opened("#/import");
      const rows = [
        "Client First Name,Client Last Name,DOB,Gender,Status,ST,BCBA,Guardian Name,Guardian Phone,Guardian Email,Relationship",
        "Ida,Quist,2/29/2020,F,Active,NY,RBT Bo Lind,Maria Quist,(212) 555-0101,maria@quist.example,Mother",
        "Ola,Quist,3/1/2021,M,Gone,NY,Bo Lind,Maria Quist,,Maria@quist.example,Mother",
      ];
      const choose = (): Promise<void> =>
        page.locator("input[type=file]").setInputFiles({
          ...{ name: "Our clients.csv", mimeType: "text/csv" },
          buffer: Buffer.from(rows.join("\n")),
        });
      await choose();
      await page.getByText("11 columns, left out: Relationship").waitFor();
      expectEqual(
        await page.getByLabel("These are").locator("option:checked").innerText(),
        "Patients",
      );
      await page.getByText("3 new, 0 changed, 0 unchanged.").waitFor();
      await page.getByText("Status: 2 words, not matched: Gone").waitFor();
      await page.getByLabel("“Gone”, 1 row").selectOption("DISCHARGED");
      await page.getByText("Status: 2 words, all matched").waitFor();
      const first = page.getByRole("region", { name: "First rows" }).getByRole("row");
      await first.nth(2).getByText("Discharged").waitFor();
      expectEqual((await first.nth(1).innerText()).split("\t").filter(Boolean), [
        "Patient",
        "Ida",
        "Quist",
        "2/29/2020",
        "Female",
        "Active",
        "NY",
        "Bo Lind",
        "Maria Quist",
      ]);
      await expectAccessible(page);
      await button(page, "Import 3 records").click();
      await page.getByText("People: 3 new, 0 changed.").waitFor();
      const quists = await search("Quist");
      const found = new Map(quists.map((each) => [each.firstName, each]));
      const [ida, ola, maria] = ["Ida", "Ola", "Maria"].map((name) => found.get(name));
      expectEqual(
        [ida?.sex, ida?.userStatus, ola?.sex, ola?.userStatus, ida?.primaryClinicianId, ida?.state],
        ["FEMALE", "ACTIVE", "MALE", "DISCHARGED", "usr_other", "NY"],
      );
      expectEqual(
        [ida?.caregiverId, ola?.caregiverId, maria?.phoneNumber],
        [maria?.publicId, maria?.publicId, "+12125550101"],
      );
      await page.getByRole("link", { name: "Ida Quist" }).click();
      await page.getByRole("heading", { level: 1, name: "Ida Quist" }).waitFor();
      // Besides the choice of the file and that of a value.
      await expectClicks(2);
      const kept = await page.evaluate<string>("JSON.stringify({ ...localStorage })");
      expectEqual([kept.includes("DISCHARGED"), /Quist|Lind|Maria/i.test(kept)], [true, false]);
      await undo(page);
      expectEqual(await search("Quist"), []);
      // The same headings: what was chosen is chosen again.
      await page.evaluate(`location.hash = "#/import"`);
      await choose();
      await page.getByText("Status: 2 words, all matched").waitFor();
      await page.close();
    },
  );

  await check("what somebody else has changed since the preview is not overwritten", async () => {
    const { page } = await opened("#/import");
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "people.csv", mimeType: "text/csv" },
      buffer: Buffer.from("ID,First name,Last name,Role\nusr_patient_1,Leonard,Park,patient"),
    });
    await button(page, "Import 1 record").waitFor();
    await write({ type: "user", publicId: "usr_patient_1", firstName: "Leopold" });
    await button(page, "Import 1 record").click();
    await page.getByText("Somebody else has changed this meanwhile.").waitFor();
    expectEqual((await person("usr_patient_1")).firstName, "Leopold");
    await write({ type: "user", publicId: "usr_patient_1", firstName: "Leo" });
    await page.close();
  });

  await check("mistakes are grouped, under the office's headings", async () => {
    const { page } = await opened("#/import");
    const rows = ["ID,First,Last,DOB", ...[1, 2, 3, 4, 5].map((at) => `usr_x${at},Ida,,2/30/2020`)];
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "clients.csv", mimeType: "text/csv" },
      buffer: Buffer.from(rows.join("\n")),
    });
    const mistakes = page.getByRole("region", { name: "Mistakes" }).getByRole("row");
    await mistakes.nth(2).waitFor();
    expectEqual(
      (await mistakes.allInnerTexts())
        .slice(1)
        .map((text) => text.split("\t"))
        .sort(),
      [
        ["2, 3, 4 and 2 more", "DOB", "Please enter a date."],
        ["2, 3, 4 and 2 more", "Last", "Please fill this in."],
      ],
    );
    await page.close();
  });

  await check("files that are dropped on the view are imported, people first", async () => {
    const { page } = await opened("#/import");
    const files = [
      ["sessions.csv", "ID,Title\napt_first,Dropped"],
      ["people.csv", "ID,First name,Last name,Role\nusr_dropped,Ida,Quist,patient"],
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
    await button(page, "Import 1 record").waitFor();
    expectEqual(await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts(), [
      "people.csv 1 row",
      "sessions.csv 1 row",
    ]);
    await button(page, "Import 1 record").click();
    await page.getByText("people.csv was imported.").waitFor();
    await page.getByText("0 new, 1 changed, 0 unchanged.").waitFor();
    await button(page, "Import 1 record").click();
    await page.getByText("sessions.csv was imported.").waitFor();
    expectEqual(
      (await search("Quist")).map(({ firstName }) => firstName),
      ["Ida"],
    );
    const { title } = await read<{ title: string }>(admin, "sessions/apt_first");
    expectEqual(title, "Dropped");
    await write({ type: "user", publicId: "usr_dropped", deleted: true });
    await write({ type: "session", publicId: "apt_first", title: "Therapy of 1" });
    await page.close();
  });
}
