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
  const options = { cwd: folder };
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
}

/** The pending requests of each page. */
const underWay = new WeakMap<Page, Set<Request>>();

/** A visit with a new browser context, by default in New York's time zone. */
export async function visit(
  browser: Browser,
  origin: string,
  { at = "", theme = "light", width = 1280, timezone = "America/New_York", key }: VisitOptions,
): Promise<Visit> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: "en-US",
    timezoneId: timezone,
  });
  page.setDefaultTimeout(20_000);
  watchRequests(page);
  const observed = new Observed(page, origin);
  await page.goto(`${origin}/${at}`);
  if (key !== undefined) await signIn(page, key);
  return { page, observed };
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

/** Waits until the page has loaded and drawn all data. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main").waitFor();
  const loading = page.locator(".spinner, [aria-busy=true]");
  // What is drawn may ask for more: only after some frames without a request there is no more to come.
  for (let quietFrames = 0; quietFrames < 3;) {
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))");
    const isQuiet = underWay.get(page)?.size === 0 && (await loading.count()) === 0;
    quietFrames = isQuiet ? quietFrames + 1 : 0;
  }
}

/** @throws Error with the rules of axe-core that the page breaks, and the elements. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<{ id: string; nodes: { target: string[] }[] }[]>(
    "axe.run().then((results) => results.violations)",
  );
  expectEqual(
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(" "))]),
    [],
  );
}
