import { expect, test } from "bun:test";
import { jsonLog, textLog } from "../../src/commands/log.ts";

test("lines of one turn of the event loop are written together, in order, as one line of JSON each", async () => {
  const written: string[] = [];
  const log = jsonLog((text) => written.push(text));
  const line = (message: string) =>
    ({ time: "2026-01-08T14:00:00.000Z", level: "info", message }) as const;
  log(line("first"));
  log(line("second\nof two"));
  expect(written).toEqual([]);
  await Bun.sleep(1);
  log(line("third"));
  await Bun.sleep(1);
  expect(written).toEqual([
    `${JSON.stringify(line("first"))}\n${JSON.stringify(line("second\nof two"))}\n`,
    `${JSON.stringify(line("third"))}\n`,
  ]);
  expect(written.join("").trimEnd().split("\n")).toHaveLength(3);
});

test("pending lines are written when the process exits", async () => {
  const program = `
    import { jsonLog, textLog } from "./src/commands/log.ts";
    const log = jsonLog((text) => process.stderr.write(text));
    log({ time: "2026-01-08T14:00:00.000Z", level: "error", message: "last" });
    process.exit(3);
  `;
  const child = Bun.spawn([process.execPath, "--eval", program], { stderr: "pipe" });
  expect(JSON.parse(await new Response(child.stderr).text())).toMatchObject({ message: "last" });
  expect(await child.exited).toBe(3);
});

test("if nobody reads, lines beyond one megabyte are dropped, and their number is logged later", async () => {
  const texts: string[] = [];
  const read: (() => void)[] = [];
  const log = jsonLog((text, written) => {
    texts.push(text);
    read.push(written);
  });
  const line = { time: "t", level: "info", message: "x".repeat(100_000) } as const;
  for (let number = 0; number < 30; number++) {
    log(line);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(texts.join("").length).toBeLessThan(1_200_000);
  for (const written of read) written();
  log({ ...line, message: "again" });
  await new Promise((resolve) => setImmediate(resolve));
  const lines = texts
    .join("")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(lines.slice(-2)).toEqual([
    {
      time: "t",
      level: "error",
      message: "log lines were dropped",
      lines: 30 - (lines.length - 2),
    },
    { time: "t", level: "info", message: "again" },
  ]);
});

test("the text log has one line per request, the stack frames of a failure, and no audit heads", async () => {
  const written: string[] = [];
  const log = textLog((text) => written.push(text));
  const time = "2026-01-08T14:00:01.000Z";
  const request = { requestId: "r-1", method: "GET", route: "/v1/users", milliseconds: 3.21 };
  log({ time, level: "info", message: "request", ...request, status: 200 });
  log({ time, level: "error", message: "request", ...request, status: 500 });
  log({ time, level: "info", message: "request", ...request, status: 400, issues: ["custom a"] });
  const failure = { error: "TypeError", code: undefined, frames: ["at a.ts:1", "at b.ts:2"] };
  log({ time, level: "error", message: "failure", ...failure });
  log({ time, level: "info", message: "audit heads", heads: ["org_maple:1:ab"] });
  log({ time, level: "info", message: "the TLS certificate was reloaded" });
  await Bun.sleep(1);
  expect(written.join("")).toBe(
    [
      "14:00:01 GET /v1/users: 200 OK, 3.21 ms",
      "14:00:01 error: GET /v1/users: 500 Internal Server Error, 3.21 ms",
      "14:00:01 GET /v1/users: 400 Bad Request, 3.21 ms (custom a)",
      "14:00:01 error: failure",
      "  error: TypeError",
      "  frames: at a.ts:1",
      "    at b.ts:2",
      "14:00:01 the TLS certificate was reloaded\n",
    ].join("\n"),
  );
});
