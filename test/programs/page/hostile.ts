import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import { keyOf, type Practice, settled, visit } from "./visit.ts";

/** Names and texts that attack a browser, imported from a folder of CSV, are texts in every view. */

const ORGANIZATION = "org_hostile";
const TAG = `<img src=x onerror="window.attacked=true"><script>window.attacked=true</script>`;
const LINK = "javascript:window.attacked=true";
/** Turned around, of many marks, a formula, and closing what an attribute or a list may begin. */
const NAMES = [
  TAG,
  LINK,
  "\u202Egnihton",
  "Z\u0335\u0321\u0327",
  '=HYPERLINK("http://evil.example")',
  `"'><b>`,
];

function quoted(...cells: string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}

async function importHostile(folder: string): Promise<void> {
  const path = join(folder, "hostile");
  mkdirSync(path);
  const now = Temporal.Now.plainDateISO("UTC");
  const rows = NAMES.map((name, index) => ({ name, id: `usr_p${index}`, session: `apt_${index}` }));
  const files = {
    organization: ["publicId,name,timezone", quoted(ORGANIZATION, TAG, "UTC")],
    location: ["publicId,name", quoted("loc_1", TAG)],
    serviceLine: ["publicId,name,billingUnitMinutes", quoted("svc_1", TAG, "15")],
    user: [
      "publicId,role,firstName,lastName,email,addressLine1,userStatus",
      ...rows.map(({ name, id }) => quoted(id, "PATIENT", name, name, "", name, LINK)),
      quoted("usr_t", "TECHNICIAN", TAG, LINK, "", "", ""),
    ],
    session: [
      "publicId,title,status,startTime,endTime,isSupervision,isClientPresent,placeOfService,locationId,technicianId,clientId,isBillable,isTelehealth,services",
      ...rows.map(({ name, id, session }) =>
        quoted(
          ...[session, name, "CONFIRMED", `${now} 09:00`, `${now} 10:00`, "no", "yes", "OFFICE"],
          ...["loc_1", "usr_t", id, "yes", "no", "svc_1"],
        ),
      ),
    ],
  };
  for (const [type, lines] of Object.entries(files))
    writeFileSync(join(path, `${type}.csv`), lines.join("\n"));
  const { status, stderr } = await runProgram(["import", path], { cwd: folder });
  if (status !== 0) throw new Error(stderr);
}

export async function checkHostile(browser: Browser, practice: Practice): Promise<void> {
  const { origin, folder } = practice;
  await importHostile(folder);
  const key = await keyOf(folder, "ADMIN", ORGANIZATION);
  const views = ["attention", "schedule", "schedule?as=table", "people", "people/usr_p0"];
  for (const at of [...views, "people/usr_t", "delivered", "supervision", "leads"])
    await check(`${at}: hostile names are texts`, async () => {
      const { page, observed } = await visit(browser, origin, { at: `#/${at}`, key });
      const dialogs: string[] = [];
      page.on("dialog", (dialog) => dialogs.push(dialog.message()));
      await settled(page);
      expectEqual(await page.evaluate("window.attacked ?? false"), false);
      expectEqual(await page.locator("main img, main script, a[href^='javascript']").count(), 0);
      expectEqual([dialogs, observed.outside, observed.complaints], [[], [], []]);
      await page.close();
    });

  await check("a hostile name, heading and cell of a file are texts in its import", async () => {
    const { page, observed } = await visit(browser, origin, { at: "#/import", key });
    await settled(page);
    await page.locator("input[type=file]").setInputFiles({
      name: `${TAG}.csv`.replaceAll("/", "_"),
      mimeType: "text/csv",
      buffer: Buffer.from(
        `publicId,${quoted(TAG)},firstName\nusr_x,${quoted(TAG)},${quoted(TAG)}\n`,
      ),
    });
    await page.getByText("onerror").first().waitFor();
    await page.getByRole("region", { name: "Mistakes" }).waitFor();
    expectEqual(await page.evaluate("window.attacked ?? false"), false);
    expectEqual(await page.locator("main img, main script").count(), 0);
    // A refused request is an error in the browser's console.
    expectEqual([observed.outside, observed.complaints.length], [[], 1]);
    await page.close();
  });
}
