import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, expectEqual, printSum } from "../../support/checks.ts";

/**
 * Checks the systemd unit with systemd itself: `bun run test:systemd`. It needs systemd-analyze of
 * Debian's package systemd, and is therefore not part of `bun run test`.
 */

const UNIT = join(import.meta.dir, "../../../src/systemd/caseload.service");
const NODE = join(import.meta.dir, "../../../src/systemd/caseload-node.conf");
const INSTALLED = "/usr/local/bin/caseload";

/** The maximum exposure of the unit in tenths. 100 is a service without any protection. */
const MAX_EXPOSURE = 30;

function analyze(...args: string[]): { status: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["systemd-analyze", "--no-pager", ...args]);
  return { status: exitCode, said: `${stdout}${stderr}` };
}

const folder = mkdtempSync(join(tmpdir(), "caseload-systemd-"));
const text = await Bun.file(UNIT).text();

await check("systemd-analyze verify accepts the unit", async () => {
  // systemd-analyze also checks that the program exists. Test machines need not have it installed.
  const installed = join(folder, "caseload.service");
  await Bun.write(installed, text.replace(INSTALLED, process.execPath));
  expectEqual(text.includes(INSTALLED), true);
  expectEqual(analyze("verify", installed), { status: 0, said: "" });
});

await check("systemd-analyze verify accepts the node template with its drop-in", async () => {
  const template = join(folder, "caseload@.service");
  await Bun.write(template, text.replace(INSTALLED, process.execPath));
  const dropIn = await Bun.file(NODE).text();
  expectEqual(dropIn.includes(INSTALLED), true);
  await Bun.write(join(`${template}.d`, "node.conf"), dropIn.replace(INSTALLED, process.execPath));
  expectEqual(analyze("verify", template), { status: 0, said: "" });
  await Bun.write(join(`${template}.d`, "node.conf"), "[Service]\nProtectHouse=yes\n");
  expectEqual(analyze("verify", template).said.includes("ProtectHouse"), true);
});

await check("systemd-analyze verify reports an invalid unit", async () => {
  const wrong = join(folder, "wrong.service");
  await Bun.write(wrong, text.replace("ProtectHome=yes", "ProtectHouse=yes"));
  expectEqual(analyze("verify", wrong).said.includes("ProtectHouse"), true);
});

await check("systemd rates the unit's exposure 3.0 or better", () => {
  const rated = analyze("security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, UNIT);
  console.log(rated.said.trim().split("\n").at(-1));
  expectEqual(rated.status, 0);
});

await check("the unit's stop timeout is longer than the server's shutdown", async () => {
  const source = await Bun.file(join(import.meta.dir, "../../../src/server.ts")).text();
  const draining = Number(/DRAINING_TIME = ([\d_]+)/.exec(source)?.[1]?.replaceAll("_", ""));
  const stopping = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1000;
  expectEqual(stopping > draining, true);
});

rmSync(folder, { recursive: true, force: true });
printSum();
