import axe from "axe-core";
import { join } from "node:path";
import puppeteer, { type Browser, type ElementHandle, type Page } from "puppeteer-core";
import type { Session, User } from "../../../src/page/app/lib/base/wire.ts";
import { EXAMPLES } from "../../page/import/expected.ts";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { SMALL_ORGANIZATION, TOMORROW } from "./small-practice.ts";
import { endPractice, keyOf, type Practice, read, startPractice, WAITING_TIME } from "./visit.ts";

/**
 * The page in Firefox, driven by WebDriver BiDi: `bun run test:firefox`. Every view by the rules that a browser can
 * break, and the errands whose controls differ from browser to browser: dates, dialogs, dragging, files, signing in.
 */

const FIREFOX = Bun.which("firefox-esr") ?? Bun.which("firefox") ?? "firefox-esr";

/** What no place leads to, besides the places. */
const FORMS = [
  ...["schedule?as=table", "schedule?as=week", "utilization?as=table"],
  ...["people?open=new-person&open.role=PATIENT", "schedule?open=new-session"],
];

const WIDTHS = [390, 1280];

interface FileInput {
  uploadFile(path: string): Promise<void>;
}

/** Firefox with access to this machine alone. */
function launchFirefox(): Promise<Browser> {
  return puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    extraPrefsFirefox: {
      "network.proxy.type": 1,
      "network.proxy.http": "127.0.0.1",
      "network.proxy.http_port": 9,
      "network.proxy.ssl": "127.0.0.1",
      "network.proxy.ssl_port": 9,
      "network.proxy.no_proxies_on": "127.0.0.1,localhost",
      "intl.accept_languages": "en-US",
    },
  });
}

/** A signed-in page, and what it complains of. */
async function visit(browser: Browser, { origin }: Practice, key: string, at: string) {
  const page = await browser.newPage();
  page.setDefaultTimeout(WAITING_TIME);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${origin}/${at}`);
  const field = await page.waitForSelector("input[type=password]");
  await field?.type(key);
  await page.keyboard.press("Enter");
  await settled(page);
  return { page, complaints };
}

/** Waits until the page has drawn what it has asked for. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    `(() => {
      const isDrawn = document.querySelector("main:not(.sign-in)") !== null && document.querySelector(".spinner, [aria-busy=true]") === null;
      globalThis.quiet = isDrawn ? (globalThis.quiet ?? 0) + 1 : 0;
      return globalThis.quiet > 5 && ((globalThis.quiet = 0), true);
    })()`,
    { polling: 40, timeout: WAITING_TIME },
  );
}

async function goTo(page: Page, at: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
  await settled(page);
}

/** The first element for which an expression holds, in the dialog in front if one is open. */
async function find(page: Page, selector: string, holds: string): Promise<ElementHandle> {
  const found = await page.waitForFunction(
    `[...([...document.querySelectorAll("dialog[open]")].at(-1) ?? document).querySelectorAll(${JSON.stringify(selector)})].find((node) => ${holds})`,
    { timeout: WAITING_TIME },
  );
  return found.asElement() as ElementHandle;
}

/** The control with a label. */
function control(page: Page, label: string): Promise<ElementHandle> {
  const text = JSON.stringify(label);
  return find(page, "input, select, textarea", `node.labels?.[0]?.innerText.trim() === ${text}`);
}

async function press(page: Page, name: string): Promise<void> {
  const holds = `node.innerText.trim() === ${JSON.stringify(name)} && node.checkVisibility()`;
  await (await find(page, "button:enabled", holds)).click();
}

async function waitForText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll("body *")].some((node) => node.checkVisibility() && node.textContent.includes(${JSON.stringify(text)}))`,
    { timeout: WAITING_TIME },
  );
}

/** Empties the parts of a date, and types others. */
async function typeDate(page: Page, label: string, keys: string): Promise<void> {
  const field = await control(page, label);
  await field.focus();
  await page.keyboard.type(keys);
}

const mistakes = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll(".mistake")].map((node) => node.textContent)`);

async function checkViews(browser: Browser, practice: Practice): Promise<void> {
  const { page, complaints } = await visit(browser, practice, practice.adminKey, "#/attention");
  const places = (await page.evaluate(
    `[...new Set([...document.querySelectorAll("nav a[href^='#/']")].map((link) => link.hash.slice(2)))]`,
  )) as string[];
  expectEqual(places.length > 10, true);
  for (const view of [...places, ...FORMS])
    await check(
      `Firefox: ${view} is accessible, within its width, and without a complaint`,
      async () => {
        for (const width of WIDTHS) {
          await page.setViewport({ width, height: 900 });
          await goTo(page, `#/${view}`);
          const [own, shown] = (await page.evaluate(
            "[innerWidth, document.documentElement.scrollWidth]",
          )) as [number, number];
          expectEqual([view, width, shown > own], [view, width, false]);
        }
        if (await page.evaluate("!('axe' in window)")) await page.evaluate(axe.source);
        const violations = (await page.evaluate(
          'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id }) => id))',
        )) as string[];
        expectEqual([violations, complaints.splice(0)], [[], []]);
      },
    );
  await page.close();
}

async function checkErrands(browser: Browser, practice: Practice): Promise<void> {
  const key = await keyOf(practice.folder, "ADMIN", SMALL_ORGANIZATION);
  const admin = { ...practice, adminKey: key };
  const { page, complaints } = await visit(browser, practice, key, "#/people");
  let answers: boolean[] = [];
  let questions = 0;
  page.on("dialog", (question) => {
    questions += 1;
    void (answers.shift() ? question.accept() : question.dismiss());
  });
  const search = async (text: string) =>
    (await read<{ data: User[] }>(admin, `users?search=${text}`)).data;

  await check(
    "Firefox: half a date, and a day that does not exist, are mistakes at their field",
    async () => {
      await goTo(page, "#/people?open=new-person&open.role=PATIENT");
      for (const name of ["First name", "Last name"])
        await (await control(page, name)).type("Foxe");
      for (const keys of ["02", "02312019"]) {
        await typeDate(page, "Birth date", keys);
        await press(page, "Add");
        await waitForText(page, "This is no complete date, or a day that does not exist.");
      }
      expectEqual(await search("Foxe"), []);
      await typeDate(page, "Birth date", "02282019");
      expectEqual(await mistakes(page), []);
      await press(page, "Add");
      await waitForText(page, "Foxe Foxe");
      expectEqual((await search("Foxe"))[0]?.birthDate, "2019-02-28");
    },
  );

  await check("Firefox: one Backspace in a stored birth date does not erase it", async () => {
    const [person] = await search("Foxe");
    await goTo(page, `#/people/${person?.publicId}`);
    await press(page, "Edit");
    await typeDate(page, "Birth date", "");
    await page.keyboard.press("Backspace");
    await press(page, "Save");
    await waitForText(page, "This is no complete date");
    expectEqual((await search("Foxe"))[0]?.birthDate, "2019-02-28");
  });

  await check(
    "Firefox: Escape, answered by keep, keeps what was typed, however often",
    async () => {
      await (await control(page, "Last name")).type("x");
      [questions, answers] = [0, []];
      for (let count = 1; count <= 3; count += 1) {
        await page.keyboard.press("Escape");
        await page.waitForFunction("document.querySelector('dialog[open]') !== null");
        expectEqual(questions, count);
      }
      answers = [true];
      await page.keyboard.press("Escape");
      await page.waitForFunction("document.querySelector('dialog[open]') === null");
    },
  );

  await check("Firefox: a session of the year 26 is not booked", async () => {
    await goTo(page, "#/schedule?open=new-session");
    await typeDate(page, "Day", "12020026");
    await (await control(page, "Title")).focus();
    await waitForText(page, "This is the year 26. Please type all four digits.");
    answers = [true];
    await page.keyboard.press("Escape");
    await page.waitForFunction("document.querySelector('dialog[open]') === null");
  });

  await check("Firefox: a session is dragged to another time, and back", async () => {
    const before = await read<Session>(admin, "sessions/apt_first");
    await goTo(page, `#/schedule?date=${TOMORROW}`);
    const slot = await find(page, ".slot", `node.innerText.includes("Therapy of 1")`);
    const box = await slot.boundingBox();
    if (!box) throw new Error("no slot");
    await page.mouse.move(box.x + 10, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 10 + box.width / 2, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await waitForText(page, "Moved to ");
    const { startTime } = await read<Session>(admin, "sessions/apt_first");
    expectEqual(startTime, `${TOMORROW}T10:00:00.000Z`);
    // A press right after a write is without effect.
    await Bun.sleep(1_200);
    await press(page, "Undo");
    await page.waitForFunction("document.querySelector('.undo-bar').hidden");
    expectEqual((await read<Session>(admin, "sessions/apt_first")).startTime, before.startTime);
  });

  await check("Firefox: a sheet is imported", async () => {
    await goTo(page, "#/import");
    const file = `${practice.folder}/clients.csv`;
    await Bun.write(file, "Client First Name,Client Last Name,DOB\nIda,Vixen,2/29/2020\n");
    const input = (await page.waitForSelector("input[type=file]")) as FileInput;
    await input.uploadFile(file);
    await waitForText(page, "1 new, 0 changed, 0 unchanged.");
    await press(page, "Import 1 record");
    await page.waitForFunction("document.body.innerText.includes('1 new')");
    for (let tries = 0; tries < 50 && (await search("Vixen")).length === 0; tries += 1)
      await Bun.sleep(100);
    expectEqual((await search("Vixen"))[0]?.birthDate, "2020-02-29");
  });

  await check("Firefox: a workbook is read, and a file of Windows-1252", async () => {
    await goTo(page, "#/people");
    await goTo(page, "#/import");
    const files = ["first_day/Our practice.xlsx", "clients_windows/clients.csv"];
    const input = (await page.waitForSelector("input[type=file]")) as FileInput;
    for (const file of files) await input.uploadFile(join(EXAMPLES, file));
    await waitForText(page, "Our practice.xlsx · October");
    await waitForText(page, "Read as Windows-1252.");
    await waitForText(page, "new payor “Maple Mutual”");
    // Letters and typed days are shown as they will be.
    for (const text of ["L’Heureux", "Åkesson", "Dec 12, 2019"]) await waitForText(page, text);
    // What is chosen and not imported is asked about.
    answers = [true];
    await goTo(page, "#/people");
  });

  await check("Firefox: another month is chosen by its name, and its rows are shown", async () => {
    await goTo(page, "#/delivered");
    const [, first = ""] = (await page.evaluate(
      `[...document.querySelectorAll("select option")].map((option) => option.value).filter((value) => /^\\d{4}-\\d\\d$/.test(value))`,
    )) as string[];
    const asked = page.waitForRequest((request) =>
      request.url().includes(`delivery?month=${first}`),
    );
    const id = await (
      await control(page, "Month")
    ).evaluate((node) => (node as unknown as { id: string }).id);
    await page.select(`[id="${id}"]`, first);
    await asked;
    await settled(page);
    expectEqual(await page.evaluate("location.hash"), `#/delivered?month=${first}`);
  });

  await check("Firefox: signing out removes all data; nothing was complained of", async () => {
    expectEqual(complaints, []);
    await press(page, "Sign out");
    await waitForText(page, "You are signed out.");
    expectEqual(await page.evaluate("document.querySelector('table') === null"), true);
  });
  await page.close();
}

const [browser, practice] = await Promise.all([launchFirefox(), startPractice()]);
try {
  const start = performance.now();
  await checkErrands(browser, practice);
  await checkViews(browser, practice);
  console.log(`firefox: ${Math.round((performance.now() - start) / 1000)} s`);
} finally {
  await browser.close();
  await endPractice(practice);
}
printSum();
