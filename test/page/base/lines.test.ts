import { expect, test } from "bun:test";
import { isAsWritten, type Line } from "../../../src/page/app/lib/base/lines.ts";

/** Whether a change may be undone although its records have changed since: only if they are again as it left them. */

const stored = (fields: object): Line => ({ type: "user", publicId: "usr_1", ...fields });
const change = stored({ lastName: "Roe" });
const before = [stored({ lastName: "Poe" })];

test.each([
  [
    "a field is as it was written",
    [change],
    before,
    [stored({ lastName: "Roe", email: "x" })],
    true,
  ],
  ["it is not", [change], before, [stored({ lastName: "Doe" })], false],
  ["the record is gone", [change], before, [], false],
  [
    "a list is as it was written",
    [stored({ payors: [{ id: 1 }] })],
    before,
    [stored({ payors: [{ id: 1 }] })],
    true,
  ],
  ["another record is there", [change], before, [{ ...change, publicId: "usr_2" }], false],
  ["a deleted record is gone", [stored({ deleted: true })], before, [], true],
  ["a deleted record is back", [stored({ deleted: true })], before, [change], false],
  [
    "a new record is as it was written",
    [change],
    [stored({ deleted: true })],
    [stored({ lastName: "Roe", email: "", locationIds: [], notes: null })],
    true,
  ],
  [
    "somebody has added to a new record",
    [change],
    [stored({ deleted: true })],
    [stored({ lastName: "Roe", email: "x" })],
    false,
  ],
] as const)("%s: %#", (_, lines, undo, now, isSo) => {
  expect(isAsWritten(lines as never, undo as never, now as never)).toBe(isSo);
});
