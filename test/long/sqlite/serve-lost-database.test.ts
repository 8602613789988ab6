import { describe, expect, spyOn, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../db/database.ts";
import { Outage } from "../../../src/outage.ts";
import { issueKey } from "../../support/factories.ts";
import { makeDatabase, newPractice, onDatabase } from "../../support/commands/practice.ts";
import { runProgram, startServer } from "../../support/commands/program.ts";
import { TestClock } from "../../support/harness.ts";

/** The database of a running server is removed or replaced. Further writes would be lost. */

const LOST =
  "The database file was removed or replaced while the server had it open; nothing can be read or written safely.";

/** How long a busy machine may take to notice, in milliseconds. An idle one needs a quarter of a second. */
const NOTICED = 10_000;

async function newServedPractice() {
  const { cwd, url: path, organization } = await newPractice();
  const { key } = await onDatabase(path, (database) => issueKey(database, organization));
  const { program, url } = await startServer([], { cwd });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const ask = async (route: string, init: RequestInit = {}) => {
    const response = await fetch(url + route, { headers, ...init });
    return [response.status, await response.json()];
  };
  const addUser = (firstName: string) =>
    ask("/api/v1/users", {
      method: "POST",
      body: JSON.stringify({ firstName, lastName: "Ruiz" }),
    });
  expect((await addUser("Ana"))[0]).toBe(200);
  return { cwd, path, program, ask, addUser };
}

type Place = Pick<Awaited<ReturnType<typeof newServedPractice>>, "cwd" | "path">;

/** A change of the database, and the state that is found when the server has exited. */
const actions: [string, (place: Place) => unknown, (place: Place) => unknown][] = [
  ["was removed", ({ path }) => rmSync(path), isRefused],
  [
    "was moved away",
    ({ cwd, path }) => renameSync(path, join(cwd, "elsewhere.db")),
    async (place) => {
      await isRefused(place);
      const elsewhere = join(place.cwd, "elsewhere.db");
      expect(await firstNames(elsewhere)).toEqual(["Ana"]);
      renameSync(elsewhere, place.path);
      const again = await startServer([], place);
      again.program.kill();
      expect(await again.program.exited).toBe(0);
    },
  ],
  [
    "was replaced by another",
    async ({ cwd, path }) => {
      await makeDatabase(join(cwd, "other.db"), "org_other");
      renameSync(join(cwd, "other.db"), path);
    },
    async ({ cwd, path }) => {
      expect(await firstNames(path)).toEqual([]);
      expect((await runProgram(["doctor"], { cwd })).stdout).toContain("the file is intact");
    },
  ],
  [
    "lost its log",
    ({ path }) => rmSync(`${path}-wal`),
    async ({ path }) => expect(await firstNames(path)).toEqual(["Ana"]),
  ],
];

const firstNames = (path: string): Promise<string[]> =>
  onDatabase(path, async (database) => {
    const users = await database.read((db) =>
      db.selectFrom("users").select("first_name").execute(),
    );
    return users.map(({ first_name }) => first_name);
  });

/** No database is created beside the log of a missing one. */
async function isRefused({ cwd }: Place): Promise<void> {
  expect(await runProgram(["serve", "--port", "0"], { cwd })).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "error: There is no database at caseload.db, but the log of one, caseload.db-wal: the database was moved or removed while it was in use. Put it back, or move the log away and restore a backup.\n",
  });
}

describe("a server whose database", () => {
  test.each(actions)(
    "%s responds 503 everywhere soon afterwards, logs why, and exits with status 1",
    async (_, act, expectLeft) => {
      const practice = await newServedPractice();
      await act(practice);
      for (const started = performance.now(); performance.now() - started < NOTICED;) {
        if ((await practice.ask("/livez"))[0] === 503) break;
        await Bun.sleep(50);
      }
      const unavailable = { error: "Service temporarily unavailable" };
      const why = { error: LOST, statusCode: 503 };
      expect(
        await Promise.all(["/livez", "/readyz", "/metrics", "/"].map((path) => practice.ask(path))),
      ).toEqual(Array(4).fill([503, why]));
      expect(await practice.ask("/api/v1/users")).toEqual([
        503,
        { ...unavailable, statusCode: 503 },
      ]);
      expect(await practice.addUser("Bea")).toEqual([503, { ...unavailable, statusCode: 503 }]);
      expect(await practice.ask("/api/v1/goals", { method: "POST", body: "{}" })).toEqual([
        503,
        unavailable,
      ]);

      expect(await practice.program.exited).toBe(1);
      const lines = (await practice.program.stderr.text()).trim().split("\n");
      expect(lines.pop()).toBe(`error: ${LOST}`);
      const logged = lines.map((line) => JSON.parse(line));
      expect(logged.filter(({ message }) => message === LOST)).toEqual([
        { time: expect.any(String), level: "error", message: LOST },
      ]);
      await expectLeft(practice);
    },
    60_000,
  );

  test("notices it within a second, because it checks more than once a second", () => {
    const timer = spyOn(globalThis, "setInterval");
    const outage = new Outage({ database: {} as Database, clock: new TestClock(), log() {} });
    outage.watch();
    outage.stopWatching();
    const delays = timer.mock.calls.map(([, delay]) => delay);
    timer.mockRestore();
    expect(delays).toEqual([250]);
  });

  test("was removed acknowledges no further write", async () => {
    const { path, addUser, program } = await newServedPractice();
    rmSync(path);
    expect((await addUser("Bea"))[0]).toBe(503);
    program.kill();
    await program.exited;
  });
});
