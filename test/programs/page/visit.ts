import { AsyncLocalStorage } from "node:async_hooks";
import axe from "axe-core";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { Observed } from "../../support/browser.ts";
import { expectEqual } from "../../support/checks.ts";
import { runProgram, startServer } from "../../support/commands/program.ts";
import { importAwkwardPractices } from "./awkward-practice.ts";
import { importSmallPractice } from "./small-practice.ts";
import { importBusyPractice } from "./busy-practice.ts";

/** A server with the demo practice, and visits to its page. */

export interface Practice {
  origin: string;
  folder: string;
  adminKey: string;
  /** A key whose role may read neither users nor sessions nor utilization. */
  patientKey: string;
  stop(): Promise<void>;
  /** Starts the server again at the same address. */
  start(): Promise<void>;
}

export async function startPractice(): Promise<Practice> {
  const folder = mkdtempSync(join(tmpdir(), "caseload-page-"));
  const options = { cwd: folder, env: { DATABASE_URL: "caseload.db" } };
  let server = await startServer(["--demo"], options);
  const [adminKey] = await server.readUntil(/caseload_\w+/);
  const { port } = new URL(server.url);
  await importBusyPractice(folder);
  await importAwkwardPractices(folder);
  await importSmallPractice(folder);
  const practice: Practice = {
    origin: server.url,
    folder,
    adminKey,
    patientKey: await keyOf(folder, "PATIENT"),
    async stop() {
      server.program.kill();
      await server.program.exited;
    },
    async start() {
      server = await startServer(["--port", port], options);
    },
  };
  return practice;
}

export async function endPractice(practice: Practice): Promise<void> {
  await practice.stop();
  rmSync(practice.folder, { recursive: true, force: true });
}

const keys = new Map<string, Promise<string>>();

/** A key of a role or of a user. Repeated calls return the same key. */
export function keyOf(...of: Parameters<typeof newKey>): Promise<string> {
  const asked = JSON.stringify(of);
  const key = keys.get(asked) ?? newKey(...of);
  keys.set(asked, key);
  return key;
}

/** Creates such a key. */
export async function newKey(
  folder: string,
  role: string,
  organization = "org_maple",
  { user, isReadOnly = false }: { user?: string; isReadOnly?: boolean } = {},
): Promise<string> {
  const command = ["keys", "create", "--organization", organization, "--name", role];
  command.push(...(user === undefined ? ["--role", role] : ["--user", user]));
  if (isReadOnly) command.push("--read-only");
  const { stdout } = await runProgram(command, { cwd: folder });
  return stdout.trim();
}

/** Reads from the API with the ADMIN key. */
export async function read<Answer>({ origin, adminKey }: Practice, path: string): Promise<Answer> {
  const headers = { Authorization: `Bearer ${adminKey}` };
  return (await (await fetch(`${origin}/api/v1/${path}`, { headers })).json()) as Answer;
}

/**
 * The lines of an export, in an order that does not change, without the times of changes, since an undo is a change; of
 * all types, unless some are named.
 */
export async function practiceFileOf(
  { origin, adminKey }: Practice,
  types?: string,
): Promise<string[]> {
  const headers = { Authorization: `Bearer ${adminKey}` };
  const path = `practice-file${types === undefined ? "" : `?types=${types}`}`;
  const text = await (await fetch(`${origin}/api/v1/${path}`, { headers })).text();
  return text
    .replaceAll(/"updatedAt":"[^"]*",/g, "")
    .split("\n")
    .sort();
}

export interface Visit {
  page: Page;
  observed: Observed;
}

export interface VisitOptions {
  /** The first view, such as `#/people`. */
  at?: string;
  theme?: "light" | "dark";
  width?: number;
  /** The browser's time zone. */
  timezone?: string;
  /** The key to sign in with. */
  key?: string;
  /** Whether it has a touch screen. */
  hasTouch?: boolean;
}

/** The longest time that a test waits for something on the page, in milliseconds: other tests may use the machine. */
export const WAITING_TIME = 45_000;

const today = Temporal.Now.plainDateISO("America/New_York");
/** A day of this week on which the demo practice has sessions: on some days it has none. */
export const WEDNESDAY = String(today.add({ days: 3 - today.dayOfWeek }));

/**
 * The open pages of a lane of checks, the one that was opened or gone to last at the end: a check that fails has been on
 * it, and perhaps on the one before.
 */
export const lanePages = new AsyncLocalStorage<Page[]>();

function noteSeen(page: Page): void {
  const seen = lanePages.getStore() ?? [];
  seen.splice(0, seen.length, ...seen.filter((each) => each !== page && !each.isClosed()), page);
}

/** How many of them are kept. */
const KEPT = 2;

/** Keeps a picture and a trace of the pages on which a check has failed, in a folder that is said. */
export async function keepSights(behavior: string, folder: string): Promise<void> {
  const name = behavior.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 60);
  const seen = lanePages.getStore() ?? [];
  for (const [index, page] of seen.slice(-KEPT).entries()) {
    const path = join(folder, `${name}-${index + 1}`);
    await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => {});
    await page
      .context()
      .tracing.stopChunk({ path: `${path}.zip` })
      .then(() => page.context().tracing.startChunk())
      .catch(() => {});
    console.error(`See ${path}.png and .zip (bunx playwright show-trace)`);
  }
}

/** An address without a view. */
const NOWHERE = "#/nobody";

/** The pending requests of each page. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Signed-in pages that checks have left, by what they were opened with. */
const leftPages = new Map<string, Page[]>();
const kinds = new WeakMap<Page, string>();

/**
 * A visit, by default in New York's time zone: on a page that was left by `leave`, else in a new browser context. With a
 * key, it begins when the view has loaded.
 */
export async function visit(
  browser: Browser,
  origin: string,
  options: VisitOptions,
): Promise<Visit> {
  const { at = "", theme = "light", width = 1280, timezone = "America/New_York" } = options;
  const { key, hasTouch = false } = options;
  const kind = JSON.stringify([origin, theme, width, timezone, key, hasTouch]);
  // Only signing in leads from no address to a view.
  const left = at === "" ? undefined : leftPages.get(kind)?.pop();
  if (left !== undefined) {
    const observed = new Observed(left, origin);
    noteSeen(left);
    await goTo(left, at);
    return { page: left, observed };
  }
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: "en-US",
    timezoneId: timezone,
    hasTouch,
  });
  page.setDefaultTimeout(WAITING_TIME);
  // What was done and asked; pictures of each step would take a second time as long.
  await page.context().tracing.start({ screenshots: false, snapshots: false });
  await page.context().tracing.startChunk();
  noteSeen(page);
  // What was typed is thrown away; `records.ts` holds that this is asked.
  page.on("dialog", (question) => void question.accept().catch(() => {}));
  watchRequests(page);
  const observed = new Observed(page, origin);
  await page.goto(`${origin}/${at}`);
  if (key !== undefined) {
    await signIn(page, key);
    kinds.set(page, kind);
    await settled(page);
  }
  return { page, observed };
}

/**
 * Leaves a signed-in page to the next visit like it, which costs a tenth of a new one. A check that writes, or changes
 * the page beyond its view, closes it instead; so does one that fails, since it does not get here.
 */
export async function leave(page: Page): Promise<void> {
  const kind = kinds.get(page);
  if (kind === undefined) throw new Error("Nobody is signed in on this page");
  await goTo(page, NOWHERE);
  leftPages.set(kind, [...(leftPages.get(kind) ?? []), page]);
}

/** Holds back responses to requests of some paths, until what is returned is called. */
export async function holdBack(page: Page, paths: RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(paths, async (route) => {
    await released;
    // A request that is superseded meanwhile was aborted.
    await route.continue().catch(() => {});
  });
  return release;
}

/** How many elements of a selector the page prints when a button is pressed. */
export async function countPrinted(page: Page, button: string, selector: string): Promise<number> {
  const printed = Promise.withResolvers<number>();
  await page.exposeFunction("tellPrinted", printed.resolve);
  await page.evaluate(
    `print = () => { tellPrinted(document.querySelectorAll("${selector}").length); dispatchEvent(new Event("afterprint")); }`,
  );
  await page.getByRole("button", { name: button }).click();
  return printed.promise;
}

/** Undoes the last write of a page. */
export async function undo(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Undo" });
  await button.click();
  await button.waitFor({ state: "detached" });
}

/** Writes a record of a practice, and perhaps fields of the practice itself, as somebody else. */
export async function writeRecord(
  { origin, adminKey }: Pick<Practice, "origin" | "adminKey">,
  organization: string,
  record: object,
  ofPractice: object = {},
): Promise<void> {
  const lines = [{ type: "organization", publicId: organization, ...ofPractice }, record];
  const response = await fetch(`${origin}/api/v1/practice-file`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminKey}`, "Content-Type": "application/x-ndjson" },
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Notes the pending requests of a page, for `settled`. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => requests.add(request));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Views" }).waitFor();
}

/** Resolves behind the next frame with whether the page has a view without anything that is still loading. */
const DRAWN = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() =>
  resolve(document.querySelector("main") !== null && document.querySelector(".spinner, [aria-busy=true]") === null))))`;

/** The longest time for a view to settle on a machine that is busy with something else, in milliseconds. */
const SETTLING_TIME = 60_000;

/** Waits until the page has loaded and drawn all data. */
export async function settled(page: Page): Promise<void> {
  const start = performance.now();
  // What is drawn may ask for more: only after some frames without a request there is no more to come.
  for (let quietFrames = 0; quietFrames < 3;) {
    const isDrawn = await page.evaluate<boolean>(DRAWN);
    quietFrames = isDrawn && underWay.get(page)?.size === 0 ? quietFrames + 1 : 0;
    if (performance.now() - start > SETTLING_TIME) throw new Error(`${page.url()} does not settle`);
  }
}

/** Goes to another view of the page, without loading the page again, and waits until it has loaded its data. */
export async function goTo(page: Page, at: string): Promise<void> {
  // On a busy machine, frames are drawn before the page hears of its new address.
  await page.evaluate(`new Promise((heard) => {
    const before = location.href;
    addEventListener("hashchange", () => heard(), { once: true });
    location.hash = ${JSON.stringify(at)};
    if (location.href === before) heard();
  })`);
  await settled(page);
}

/** Holds that scripts can read nothing of the browser but the day of the visit, for the changes since. */
export async function expectNothingKept(page: Page): Promise<void> {
  const stores = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";
  const kept = await page.evaluate<string>(stores);
  expectEqual(
    kept.replace(/\d{4}-\d{2}-\d{2}/, "day"),
    String.raw`[{"caseload-visits-org_maple":"{\"last\":\"day\"}"},{},""]`,
  );
  expectEqual(await page.evaluate("indexedDB.databases()"), []);
}

/** @throws Error with the rules of axe-core that the page breaks, and the elements. */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(axe.source);
  const violations = await page.evaluate<{ id: string; nodes: { target: string[] }[] }[]>(
    'axe.run({ resultTypes: ["violations"] }).then((results) => results.violations)',
  );
  expectEqual(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(" "))]),
    [],
  );
}
