import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, printSum } from "../../support/checks.ts";
import { newDatabaseUrl } from "../../support/postgresql/databases.ts";
import { newTestServer } from "../../support/postgresql/server.ts";

/**
 * Runs every shell command of the README and of `docs/` as printed: `bun run test:docs`. A page is
 * followed from its first block to its last, in one shell and a new checkout, as a reader would.
 * Requires root, for a mount namespace in which programs and services are installed without
 * changing the machine.
 *
 * The differences from a reader's machine are here and in `commands.sh`: what a page presupposes,
 * values that replace its examples, and a `systemctl` that runs the unit's command, because tests
 * have no systemd.
 */

const ROOT = join(import.meta.dir, "../../..");

/** What each page presupposes before its first command: functions of `commands.sh`. */
const pages: Record<string, string> = {
  "README.md": ":",
  "docs/agents.md": "a_demo_server",
  "docs/billing.md": "a_practice",
  "docs/calendar.md": "a_demo_server",
  "docs/checks.md": "a_practice",
  "docs/clients.md": "a_demo_server",
  "docs/first-day.md": ":",
  "docs/keeping-a-copy.md": "a_practice",
  "docs/keeping-in-step.md": "a_practice",
  "docs/operations.md": "a_practice_file",
  "docs/practice-file.md": ":",
  "docs/supervision.md": "a_practice",
  "docs/testing-against-it.md": ":",
};

/** The values that replace examples on the pages. */
const personal: [example: RegExp, own: string][] = [
  [/caseload_…/g, "$DEMO_KEY"],
  [/caseload-\d{4}-\d\d-\d\d\.db/g, "caseload-$(date +%F).db"],
  [/\b1042\b/g, "1"],
  [/hook_…/g, "$(caseload webhooks list --json | grep -o 'hook_[0-9a-z]*')"],
  [/org_maple:42:3f…/g, "$(head_of org_maple)"],
  [/'postgres:\/\/caseload@db.example:5432\/caseload\b[^']*'/g, "$POSTGRESQL_URL"],
  [/'postgres:\/\/caseload@db.example:5432\/empty\b[^']*'/g, "$EMPTY_POSTGRESQL_URL"],
];

/** Commands that run until they are stopped. The shell continues meanwhile. */
const SERVES = /^(?:npx -y bun@[\d.]+ start|bun start|caseload serve)\b/gm;

/** Running the tests would run this program again. `.ci/run` runs the tests. */
const TESTS = /^(?:npx -y bun@[\d.]+|bun) run test\b.*\n/gm;

interface Block {
  line: number;
  commands: string;
}

/** The shell blocks of a page, in order. */
async function blocksOf(page: string): Promise<Block[]> {
  const text = await Bun.file(join(ROOT, page)).text();
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(({ index, 1: printed = "" }) => ({
    line: text.slice(0, index).split("\n").length + 1,
    commands: personal
      .reduce((commands, [example, own]) => commands.replaceAll(example, own), printed)
      .replaceAll(TESTS, "")
      .replaceAll(SERVES, "in_background $&"),
  }));
}

/** Runs the blocks of a page. Returns the output, and the line of the failed block, if any. */
async function follow(given: string, blocks: Block[]) {
  const folder = mkdtempSync(join(tmpdir(), "caseload-docs-"));
  const checkout = join(folder, "checkout");
  mkdirSync(checkout);
  await Bun.$`git ls-files -z | xargs -0 cp --parents -t ${checkout}`.cwd(ROOT);
  const script = [
    `source ${join(import.meta.dir, "commands.sh")}`,
    given,
    ...blocks.flatMap(({ line, commands }) => [`BLOCK=${line}`, commands]),
  ].join("\n");
  const shell = Bun.spawn(["unshare", "--mount", "--kill-child", "bash", "-c", script], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PLACE: folder,
      PRACTICE,
      ...databases,
      BUN: process.execPath,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, words] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  const status = await shell.exited;
  rmSync(folder, { recursive: true, force: true });
  return { status, printed: out + words };
}

/** The server and the databases for the page about PostgreSQL. */
const postgresql = await newTestServer();
const databases = {
  POSTGRESQL_URL: await newDatabaseUrl(postgresql.url, "caseload", "template0"),
  EMPTY_POSTGRESQL_URL: await newDatabaseUrl(postgresql.url, "empty", "template0"),
};

/** The practice that the pages import as `practice.ndjson`. */
const PRACTICE = join(import.meta.dir, "practice.ndjson");

const { length } = await Array.fromAsync(new Bun.Glob("docs/*.md").scan(ROOT));
await check("every page with commands is in the list", async () => {
  const all = ["README.md", ...new Bun.Glob("docs/*.md").scanSync(ROOT)];
  for (const page of all)
    if ((await blocksOf(page)).length > 0 && !(page in pages)) throw new Error(`${page} is not`);
  if (length === 0) throw new Error("There are no pages");
});

for (const [page, given] of Object.entries(pages))
  await check(`the commands of ${page} work as printed`, async () => {
    const { status, printed } = await follow(given, await blocksOf(page));
    if (status !== 0) throw new Error(printed.split("\n").slice(-40).join("\n"));
  });

await postgresql.remove();
printSum();
