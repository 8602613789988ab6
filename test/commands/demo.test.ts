import { describe, expect, test } from "bun:test";
import { PassThrough, Writable } from "node:stream";
import { writeDemo } from "../../src/commands/demo.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { demoText, ofType, recordsOf, TODAY } from "../support/demo/demo-file.ts";
import { temporaryFolder, TestClock } from "../support/harness.ts";
import { runInProcess, startProgram } from "../support/commands/program.ts";

/** The text that a demo command writes to its stream. */
async function written(
  clock: Clock,
  size: { sessions: number; date?: CalendarDate },
): Promise<string> {
  const stdout = new PassThrough();
  const text = new Response(stdout as never).text();
  await writeDemo({ clock, stdout }, size);
  stdout.end();
  return text;
}

describe("demo", () => {
  test("writes the practice for the clock's day in New York", async () => {
    const clock = new TestClock();
    clock.set("2026-03-12T03:30:00.000Z");
    const text = await written(clock, { sessions: 300 });
    expect(text).toBe(demoText({ sessions: 300, today: TODAY }));
  });

  test("writes a practice of about forty patients by default", async () => {
    const { status, stdout, stderr } = await runInProcess(["demo"], { cwd: temporaryFolder() });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const records = recordsOf(stdout);
    expect(records[0]?.publicId).toBe("org_maple");
    expect(ofType(records, "user").filter(({ role }) => role === "PATIENT")).toHaveLength(42);
  });

  test("accepts the minimum of sessions", async () => {
    const args = ["demo", "--sessions", "12"];
    const { status, stdout } = await runInProcess(args, { cwd: temporaryFolder() });
    expect(status).toBe(0);
    const records = recordsOf(stdout);
    expect(records[0]?.publicId).toBe("org_maple");
    expect(ofType(records, "session").length).toBeGreaterThanOrEqual(12);
  });

  test("--date gives the same bytes on any day", async () => {
    const date = "2026-03-02" as CalendarDate;
    const texts = ["2026-01-01T12:00:00.000Z", "2031-08-09T03:00:00.000Z"].map((now) => {
      const clock = new TestClock();
      clock.set(now);
      return written(clock, { sessions: 300, date });
    });
    expect(new Set(await Promise.all(texts))).toEqual(
      new Set([demoText({ sessions: 300, today: date })]),
    );
    const { stdout } = await runInProcess(["demo", "--date", date], {
      cwd: temporaryFolder(),
    });
    expect(stdout === demoText({ today: date })).toBe(true);
  });

  test("refuses an invalid number with status 2", async () => {
    for (const args of [
      ["--sessions", "many"],
      ["--sessions", "-1"],
      ["--sessions", "1.5"],
    ]) {
      const { status, stdout, stderr } = await runInProcess(["demo", ...args], {
        cwd: temporaryFolder(),
      });
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toContain("It must be a whole number below 1,000,000,000.");
    }
  });

  test("exits with status 0 and no message when its reader closes the pipe", async () => {
    const program = startProgram(["demo", "--sessions", "200000"], { cwd: temporaryFolder() });
    const reader = program.stdout.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    const [status, stderr] = await Promise.all([program.exited, program.stderr.text()]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("reports other write errors", async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(), { code: "ENOSPC" })),
    });
    const writing = writeDemo({ clock: new TestClock(), stdout }, { sessions: 100 });
    await expect(writing).rejects.toThrow(expect.objectContaining({ code: "ENOSPC" }));
  });
});
