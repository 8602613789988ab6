import type { Browser, Page, Response } from "playwright-core";
import type { OverviewEntry, PageOf } from "../../../src/page/app/lib/base/wire.ts";
import { check, expectEqual } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import { boxesOf, DESK, isAbove, overflowing, PHONE, TABLET } from "./boxes.ts";
import {
  expectAccessible,
  goTo,
  keyOf,
  type Practice,
  read,
  settled,
  visit,
  type Visit,
} from "./visit.ts";

/**
 * What holds for every view alike, on one walk through all of them for each theme: accessible, within every width, by
 * keyboard, on paper, the same in every time zone of the browser, without a complaint, and with a trail that names the
 * patients who are on the screen and nobody else.
 */

interface View {
  name: string;
  at: string;
  /** Whose page it is; an administrator's if left out. */
  who?: Who;
  /** Shows what is behind a button. */
  open?: (page: Page) => Promise<void>;
  /** It is only a form or a dialog, which nobody prints. */
  isForm?: boolean;
  /** It reads records of more patients than it shows. */
  readsMore?: boolean;
}

type Who = "administrator" | "technician" | "nobody";

/** The day is another one in these zones, at every time, and at least one has another day than the practice. */
const WALKS = [
  { theme: "light", timezone: "Pacific/Niue" },
  { theme: "dark", timezone: "Pacific/Kiritimati" },
] as const;

/** The widths of A4 and Letter in portrait format, with margins of 14 mm. */
const PAPERS = [688, 710];

const TECHNICIAN = "usr_technician_000001";

interface Session {
  publicId: string;
  title: string;
  startTime: string;
  clientId: string | null;
  technicianId: string | null;
  /** Only of a billable session. */
  clinicianId?: string | null;
}

async function viewsOf(practice: Practice): Promise<View[]> {
  const { data: entries } = await read<PageOf<OverviewEntry>>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const { data: sessions } = await read<PageOf<Session>>(practice, "sessions?pageSize=100&page=3");
  const session = sessions.find(
    ({ technicianId, clientId }) => technicianId !== null && clientId !== null,
  ) as Session;
  const clinician = sessions.find(({ clinicianId }) => clinicianId)?.clinicianId;
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(
    Date.parse(session.startTime),
  );
  const firstOf = (holds: (entry: OverviewEntry) => boolean) =>
    `#/utilization/${entries.find(holds)?.publicId}`;
  const pool = firstOf(({ subject }) => subject === "POOL");
  const weekOf = (whose: string, person?: string | null) =>
    `#/schedule?whose=${whose}&person=${person}&date=${day}`;
  const openSession = async (page: Page): Promise<void> => {
    await page.locator(`.slot button:has(time[datetime="${session.startTime}"])`).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).and(page.locator(":enabled")).waitFor();
  };

  return [
    // First: Access says which keys have been used.
    { name: "My day", at: `#/today?date=${day}`, who: "technician" },
    { name: "Attention", at: "#/attention" },
    { name: "Attention by provider", at: "#/attention?by=provider" },
    { name: "Utilization", at: "#/utilization" },
    { name: "Utilization as a table", at: "#/utilization?as=table&sort=endDate&page=2" },
    {
      name: "an authorization",
      at: firstOf(
        ({ subject, unitFrequency }) => subject === "AUTHORIZATION" && unitFrequency === "MONTHLY",
      ),
    },
    { name: "a total", at: firstOf(({ unitFrequency }) => unitFrequency === "TOTAL") },
    { name: "a pool", at: pool },
    { name: "a pool as a table", at: `${pool}?as=table` },
    {
      name: "a what-if question",
      at: `${pool}?of=`,
      async open(page) {
        await page.getByRole("button", { name: "Add", exact: true }).click();
        await page.locator(".fits, .fits-not").waitFor();
      },
    },
    { name: "a day", at: `#/schedule?date=${day}` },
    { name: "a day as a table", at: `#/schedule?date=${day}&as=table` },
    { name: "a week of the clinic", at: `#/schedule?date=${day}&as=week` },
    { name: "a technician's week", at: weekOf("technician", session.technicianId) },
    {
      name: "a technician's week as a table",
      at: `${weekOf("technician", session.technicianId)}&as=table`,
    },
    { name: "a clinician's week", at: weekOf("clinician", clinician) },
    { name: "a patient's week", at: weekOf("patient", session.clientId) },
    {
      name: "a session",
      at: `#/schedule?date=${day}&dialog=session`,
      open: openSession,
      isForm: true,
    },
    {
      name: "who is free",
      at: `#/schedule?date=${day}&dialog=free`,
      async open(page) {
        await openSession(page);
        await page.getByRole("button", { name: "Who is free" }).click();
        await page.getByRole("list", { name: "Who is free" }).waitFor();
      },
      isForm: true,
      readsMore: true,
    },
    {
      name: "a new session",
      at: `#/schedule?date=${day}&dialog=new`,
      async open(page) {
        await page.getByRole("button", { name: "New session" }).click();
        await page.getByRole("form", { name: "New session" }).waitFor();
      },
      isForm: true,
    },
    { name: "Delivered", at: "#/delivered" },
    { name: "Billing", at: "#/billing?state=PROBLEM" },
    { name: "Supervision", at: "#/supervision" },
    { name: "People", at: "#/people" },
    { name: "patients", at: "#/people?role=PATIENT&page=2" },
    { name: "a patient", at: `#/people/${session.clientId}` },
    { name: "a technician with calendars", at: `#/people/${TECHNICIAN}` },
    { name: "Leads", at: "#/leads" },
    { name: "Import", at: "#/import", isForm: true },
    // It has read all changes, and shows the first of each type.
    { name: "Changes", at: "#/changes", readsMore: true },
    { name: "Access", at: "#/access" },
    { name: "signing in", at: "#/", who: "nobody", isForm: true },
  ];
}

/** Links and controls that are smaller than 24 by 24 pixels and not within a line of text: WCAG 2.2, 2.5.8. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll("button, input, select, .choices a, .button")]
    // The whole place to drop files is the label of its input.
    .filter((node) => !node.closest(".skip, .slot, label.drop"))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 24 || height < 24))
    .map(([node]) => node.outerHTML)`);
}

async function expectToFit(page: Page): Promise<void> {
  for (const width of [DESK, TABLET, PHONE]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    expectEqual(await page.evaluate("document.documentElement.scrollWidth"), width);
    expectEqual([await overflowing(page), await tooSmall(page), width], [[], [], width]);
    const boxes = [
      await boxesOf(page, "main h1"),
      await boxesOf(
        page,
        "main table, main .week, main .clinic, main .inbox, main .panel, main .notice",
      ),
    ].flatMap(([first]) => first ?? []);
    expectEqual(
      boxes.slice(1).every((box, index) => isAbove(boxes[index], box)),
      true,
    );
  }
}

/** Holds Tab down from the first link or control on, until it should have been at the last. */
async function expectReached(page: Page): Promise<void> {
  await page.evaluate(`
    reached = new Set();
    addEventListener("focusin", ({ target }) => reached.add(target));
    // Behind an open dialog, nothing can be reached.
    controls = () => [...(document.querySelector("dialog[open]") ?? document)
      .querySelectorAll("a[href], button, summary, input, select, [tabindex='0']")]
      .filter((node) => !node.disabled && node.getClientRects().length > 0);
    controls()[0].focus();
  `);
  const controls = await page.evaluate<number>("controls().length");
  // A date has a stop for each of its parts.
  const dates = page.locator("input[type=date], input[type=time]");
  const presses = controls + 4 * (await dates.count());
  await Promise.all(Array.from({ length: presses }, () => page.keyboard.down("Tab")));
  await page.keyboard.up("Tab");
  const missed = await page.evaluate<string[]>(
    "controls().filter((node) => !reached.has(node)).map((node) => node.outerHTML)",
  );
  expectEqual(missed, []);
}

/** Elements whose content is wider than they are; on paper one cannot scroll. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(".scroller, main table")]
    .filter((node) => node.scrollWidth > node.clientWidth + 1)
    .map((node) => node.outerHTML.slice(0, 200))`);
}

/** Prints the page, also from a dark theme, in the colors of paper. */
async function expectPrinted(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print" });
  const ink = await page.evaluate("getComputedStyle(document.querySelector('h1')).color");
  const controls = await boxesOf(
    page,
    // What a question is booked on is said by a list.
    "button:not(.link, .sentence, .slot > *), input, select:not(.what-if *), .button, .page-header",
  );
  expectEqual([ink, controls], ["rgb(23, 38, 43)", []]);
  const broken = await page.evaluate<string[]>(`[...document.querySelectorAll("thead th")]
    .filter((node) => getComputedStyle(node).overflowWrap === "anywhere")
    .map((node) => node.textContent)`);
  expectEqual(broken, []);
  for (const width of PAPERS) {
    await page.setViewportSize({ width, height: 900 });
    expectEqual([await overflowing(page), await cutOff(page), width], [[], [], width]);
  }
}

/** What a view shows, with what its fields hold. */
async function textOf(page: Page): Promise<string> {
  const text = await page.evaluate<string>(
    `[document.body.innerText, ...[...document.querySelectorAll("input, select")].map(({ value }) => value)].join(" ")`,
  );
  return text.replaceAll(/\s+/g, " ");
}

/** What was seen on one walk of a view. */
interface Sight {
  text: string;
  /** The ids of the requests that it made. */
  requests: string[];
}

async function walk(
  browser: Browser,
  practice: Practice,
  views: readonly View[],
  { theme, timezone }: (typeof WALKS)[number],
): Promise<Map<View, Sight>> {
  const keys = {
    administrator: practice.adminKey,
    technician: await keyOf(practice.folder, "TECHNICIAN", "org_maple", { user: TECHNICIAN }),
    nobody: undefined,
  };
  const sights = new Map<View, Sight>();
  let open: (Visit & { who: Who }) | undefined;
  for (const view of views) {
    const { name, at, who = "administrator" } = view;
    const holds = (behavior: string, look: () => Promise<void>) =>
      check(`${name} (${theme}, in ${timezone}): ${behavior}`, look);
    if (open?.who !== who) {
      await open?.page.close();
      const key = keys[who];
      open = {
        who,
        ...(await visit(browser, practice.origin, {
          at: "#/nobody",
          theme,
          timezone,
          ...(key && { key }),
        })),
      };
      await settled(open.page);
    }
    const { page, observed } = open;
    const requests: string[] = [];
    const paths: string[] = [];
    const note = (response: Response): void => {
      const id = response.headers()["x-request-id"];
      if (id !== undefined) requests.push(id);
      if (response.url().includes("/api/v1/")) paths.push(response.url());
    };
    page.on("response", note);
    await holds("it can be opened", async () => {
      await goTo(page, at);
      await view.open?.(page);
      await settled(page);
      sights.set(view, { text: await textOf(page), requests });
    });
    page.off("response", note);
    await holds("nothing is asked for twice", async () =>
      expectEqual(
        paths.filter((path, index) => paths.indexOf(path) !== index),
        [],
      ),
    );
    await holds("no violation by axe-core", () => expectAccessible(page));
    await holds("the Tab key reaches every link and control", () => expectReached(page));
    await holds("it fits into every width, and its controls are large enough", () =>
      expectToFit(page),
    );
    await holds("no violation by axe-core on a phone", () => expectAccessible(page));
    if (view.isForm !== true)
      await holds("printed, it has no controls, and is light", () => expectPrinted(page));
    await page.emulateMedia({ media: null, colorScheme: theme });
    await page.setViewportSize({ width: DESK, height: 900 });
    await holds("no other host is asked, and the browser has no complaint", async () =>
      expectEqual([observed.outside, observed.complaints], [[], []]),
    );
    if (view.isForm === true) {
      await page.keyboard.press("Escape");
      // It closes by going back, which the browser does later, and would undo going to the next view.
      await page.waitForURL(({ hash }) => hash === at);
    }
  }
  await open?.page.close();
  return sights;
}

interface Person {
  publicId: string;
  firstName: string;
  lastName: string;
  role: string;
}

interface Row {
  requestId: string;
  patientIds: string[] | "*";
}

/** Holds that the trail names the patients who were on the screen, and nobody else. */
async function expectNamed(
  practice: Practice,
  sights: ReadonlyMap<View, Sight>,
  theme: string,
): Promise<void> {
  const pages = [1, 2, 3].map((page) => `users?pageSize=100&page=${page}`);
  const people = (
    await Promise.all(pages.map((path) => read<PageOf<Person>>(practice, path)))
  ).flatMap(({ data }) => data);
  const patients = people.filter(({ role }) => role === "PATIENT");
  /** A name that somebody else has too does not tell who is shown. */
  const isUnique = (person: Person): boolean =>
    people.filter((each) => nameOf(each) === nameOf(person)).length === 1;
  const { stdout } = await runProgram(["audit", "list", "--json"], { cwd: practice.folder });
  const trail = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  const namedBy = new Map(trail.map(({ requestId, patientIds }) => [requestId, patientIds]));

  // What one page has read once it need not read again.
  const seen = new Set<string>();
  for (const [{ name, readsMore }, { text, requests }] of sights)
    await check(
      `${name} (${theme}): the trail names the patients who are on the screen`,
      async () => {
        const named = requests.flatMap((id) => namedBy.get(id) ?? []);
        for (const id of named) seen.add(id);
        const shown = patients.filter(
          ({ firstName, lastName }) =>
            text.includes(`${firstName} ${lastName}`) || text.includes(`${lastName}, ${firstName}`),
        );
        const others = named.filter((id) => !shown.some(({ publicId }) => publicId === id));
        const unseen = shown.filter((each) => isUnique(each) && !seen.has(each.publicId));
        expectEqual([readsMore ? [] : others, unseen.map(nameOf)], [[], []]);
      },
    );
}

function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

export async function checkViews(browser: Browser, practice: Practice): Promise<void> {
  const views = await viewsOf(practice);
  const [light, dark] = await Promise.all(
    WALKS.map((each) => walk(browser, practice, views, each)),
  );
  for (const view of views)
    await check(`${view.name} says the same wherever the browser is`, async () =>
      expectEqual(light?.get(view)?.text, dark?.get(view)?.text),
    );
  if (light !== undefined) await expectNamed(practice, light, "light");
  if (dark !== undefined) await expectNamed(practice, dark, "dark");
}
