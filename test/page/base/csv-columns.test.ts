import { expect, test } from "bun:test";
import { csvColumns, recordDescriptions } from "../../../src/page/record-fields.ts";
import { csvFiles, OFFICE_TIMES } from "../../../src/practice-file/csv/columns.ts";

/** The columns that the page offers for a spreadsheet: those of its fields, and those that are added to them. */

const descriptions: Partial<ReturnType<typeof recordDescriptions>> = recordDescriptions();

test.each(Object.entries(csvColumns()))("%s has all columns of its file", (type, others) => {
  const fields = descriptions[type as keyof typeof descriptions]?.fields ?? {};
  const own = Object.keys(fields).filter((name) => fields[name]?.fields === undefined);
  const times = type === "session" ? Object.values(OFFICE_TIMES) : [];
  const expected = [...(csvFiles.get(`${type}.csv`) ?? []), ...times];
  expect([...own, ...others].sort()).toEqual(expected.sort());
});
