import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import { DESK, overflowing, PHONE, TABLET } from "./boxes.ts";
import { goTo, keyOf, type Practice, settled, visit } from "./visit.ts";

/** Names and texts that attack a browser, imported from a folder of CSV, are texts in every view. */

const ORGANIZATION = "org_hostile";
const TAG = `<img src=x onerror="window.attacked=true"><script>window.attacked=true</script>`;
const LINK = "javascript:window.attacked=true";
/** Turned around, of many marks, a formula, closing what an attribute or a list may begin, of more words than a search accepts and without a break. */
const NAMES = [
  TAG,
  LINK,
  "\u202Egnihton",
  "Z\u0335\u0321\u0327",
  '=HYPERLINK("http://evil.example")',
  `"'><b>`,
  `María del Carmen Concepción de la Santísima Trinidad y Todos los Santos ${"Wolfeschlegelsteinhausenbergerdorff".repeat(3)}`,
];

function quoted(...cells: string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}

async function importHostile(folder: string): Promise<void> {
  const path = join(folder, "hostile");
  mkdirSync(path);
  const now = Temporal.Now.plainDateISO("UTC");
  const rows = NAMES.map((name, index) => ({
    name,
    id: `usr_p${index}`,
    session: `apt_${index}`,
    authorization: `auth_${index}`,
  }));
  const files = {
    organization: ["publicId,name,timezone", quoted(ORGANIZATION, TAG, "UTC")],
    location: ["publicId,name", quoted("loc_1", TAG)],
    serviceLine: ["publicId,name,billingUnitMinutes", quoted("svc_1", TAG, "15")],
    authorization: [
      "publicId,patientId,authorizationNumber,authorizationStatus,authorizedUnitsQuantity,authorizedUnitFrequency,serviceLineId,authorizationDate,authorizationExpirationDate",
      ...rows.map(({ name, id, authorization }) =>
        quoted(
          ...[authorization, id, name, name, "10", "WEEKLY", "svc_1"],
          ...["2020-01-01", "2099-12-31"],
        ),
      ),
    ],
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
  const { page, observed } = await visit(browser, origin, { at: "#/nobody", key });
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const expectTexts = async (): Promise<void> => {
    await settled(page);
    expectEqual(await page.evaluate("window.attacked ?? false"), false);
    expectEqual(
      await page
        .locator("main :is(img, script), dialog :is(img, script), a[href^=javascript]")
        .count(),
      0,
    );
    try {
      for (const width of [DESK, TABLET, PHONE]) {
        await page.setViewportSize({ width, height: 900 });
        expectEqual([await overflowing(page), width], [[], width]);
      }
    } finally {
      await page.setViewportSize({ width: DESK, height: 900 });
    }
  };

  for (const [at, opened] of [
    ["attention"],
    ["utilization"],
    ["utilization?as=table"],
    ["utilization/auth_6?timezone=UTC"],
    ["schedule"],
    ["schedule?as=table"],
    ["schedule?as=week"],
    ["schedule?whose=patient&person=usr_p0"],
    ["schedule?dialog=session", () => page.locator(".slot button").first().click()],
    ["schedule?dialog=new", () => page.getByRole("button", { name: "New session" }).click()],
    ["people"],
    ["people?role=PATIENT"],
    ["people/usr_p0"],
    ["people/usr_p6"],
    ["people/usr_t"],
    ["delivered"],
    ["billing?state=PROBLEM"],
    ["supervision"],
    ["leads"],
    ["changes"],
    ["access"],
  ] as const)
    await check(`${at}: hostile names are texts, and long ones stay within the page`, async () => {
      await goTo(page, `#/${at}`);
      await opened?.();
      try {
        await expectTexts();
      } finally {
        if (opened !== undefined) await page.keyboard.press("Escape");
      }
      expectEqual([dialogs, observed.outside, observed.complaints.splice(0)], [[], [], []]);
    });

  await check("a hostile name, heading and cell of a file are texts in its import", async () => {
    await goTo(page, "#/import");
    await page.locator("input[type=file]").setInputFiles({
      name: `${TAG}.csv`.replaceAll("/", "_"),
      mimeType: "text/csv",
      buffer: Buffer.from(
        `publicId,${quoted(TAG)},firstName,lastName,birthDate\nusr_x,${quoted(TAG, TAG, TAG, TAG)}\n`,
      ),
    });
    await page.getByText("onerror").first().waitFor();
    await page.getByRole("region", { name: "Mistakes" }).waitFor();
    await expectTexts();
    // The page finds the mistake itself: no request is refused, which would be a complaint.
    expectEqual([dialogs, observed.outside, observed.complaints], [[], [], []]);
  });
  await page.close();
}
