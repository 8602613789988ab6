import { describe, expect, test } from "bun:test";
import type { Choices } from "../../../src/page/app/lib/import/sheet.ts";
import { importOf, practiceOf, sheetsIn } from "./sheets.ts";

const { withField } = await import("../../../src/page/app/lib/import/sheet.ts");
const { choicesIn, keyOf, withEarlierChoices } =
  await import("../../../src/page/app/lib/import/choices.ts");

/** What was chosen for a sheet, kept for the next one with the same headings. */

const practice = practiceOf(
  [
    { type: "organization", publicId: "org_1" },
    { type: "location", publicId: "loc_1", name: "Main clinic" },
    { type: "location", publicId: "loc_2", name: "North" },
  ],
  "America/New_York" as never,
);

const text = "Name,DOB,Shoe size,Status\nPo Nez,5/6/2017,4,Gone";

async function sheet() {
  const [read] = await sheetsIn([["clients.csv", text]]);
  return read as NonNullable<typeof read>;
}

/** What comes back of something that a browser kept. */
async function kept(choices: unknown): Promise<Choices> {
  return choicesIn(JSON.parse(JSON.stringify(choices)), await sheet());
}

describe("kept choices", () => {
  test("are what was chosen, with columns that are left out", async () => {
    const chosen = {
      ...{ type: "patients", fields: ["name", "birthDate", undefined, "userStatus"] },
      ...{ constants: { userStatus: "WAITLIST" }, words: { userStatus: { Gone: "DISCHARGED" } } },
      answers: { "empty cells": "otherwise" },
    };
    // What is answered at notes is for one sheet alone: next month's empties nothing unasked.
    expect(await kept(chosen)).toEqual({ ...chosen, answers: {} } as never);
    const again = { ...(await sheet()), ...(await kept(chosen)) };
    const { changed, mistakes } = await importOf(practice, [["clients.csv", text]], again);
    expect([mistakes, changed[0]?.userStatus]).toEqual([[], "DISCHARGED"]);
  });

  test.each([
    ["nothing", null],
    ["a text", "patients"],
    ["a type that is unknown", { type: "goals", fields: [null, null, null, null] }],
    ["a type of every object", { type: "constructor", fields: [null, null, null, null] }],
    ["other headings", { type: "patients", fields: ["name"] }],
    ["no fields", { type: "patients" }],
  ])("that are %s are as if nothing was chosen", async (_, choices) => {
    expect((await kept(choices)).fields).toEqual(["name", "birthDate", undefined, "userStatus"]);
  });

  test("lose what is unknown today, and no more", async () => {
    const choices = {
      ...{ type: "patients", fields: ["name", "shoeSize", 7, "__proto__"] },
      constants: { userStatus: "ACTIVE", "insurance.from": 3 },
      words: {
        userStatus: { Gone: "MOON", Held: "SERVICES_PAUSED" },
        primaryClinicianId: { "Bo Lind": "usr_1" },
      },
      answers: ["x"],
    };
    expect(await kept(choices)).toMatchObject({
      ...{ type: "patients", fields: ["name", undefined, undefined, undefined] },
      ...{
        constants: { userStatus: "ACTIVE" },
        words: { userStatus: { Held: "SERVICES_PAUSED" } },
      },
    });
  });

  test("of a file that is replaced by its corrected form are all of them, names, too", async () => {
    const chosen = {
      ...{ type: "patients", fields: ["name", undefined, undefined, "userStatus"], constants: {} },
      ...{ words: { primaryClinicianId: { Bo: "usr_1" } }, answers: { "name x": "otherwise" } },
    } as const;
    const before = { ...(await sheet()), ...chosen } as never;
    const [corrected, other] = await sheetsIn([
      ["clients.csv", text.replace("5/6", "5/7")],
      ["clients.csv", text.replace("Shoe", "Hat")],
    ]);
    expect(withEarlierChoices("org_1", corrected as never, [before])).toEqual({
      ...corrected,
      ...chosen,
    } as never);
    expect(withEarlierChoices("org_1", other as never, [before])).toEqual(other as never);
  });

  test("of records that are gone are as if they had not been chosen", async () => {
    const visits = "Date,Start,End,Client,Staff,Service\n7/6/2026,9:00,10:00,,,";
    const { constants } = await importOf(practice, [["x.csv", visits]], {
      constants: { locationId: "loc_gone" },
    });
    expect(constants.find(([, label]) => label === "Location")).toEqual([
      "x.csv",
      "Location",
      "",
      true,
    ]);
  });

  test("that are no day are as if they had not been chosen", async () => {
    const clients = "Name,DOB,Insurance,Member ID\nOla Roe,1/2/2019,Fairwind,M1";
    const from = async (day: string) => {
      const chosen = { constants: { "insurance.from": day } };
      return (await importOf(practice, [["clients.csv", clients]], chosen)).constants[1]?.[2];
    };
    expect(await from("2026-04-01")).toBe("2026-04-01");
    expect(await from("soon")).toMatch(/^\d{4}-01-01$/);
  });

  test("are told apart by practice and headings, of which none is kept", () => {
    const keys = [keyOf("org_1", ["Name"]), keyOf("org_2", ["Name"]), keyOf("org_1", ["Names"])];
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^caseload-sheet-[0-9a-f]+$/);
  });
});

test("a field is that of one column; phones may be several", () => {
  const fields = ["firstName", undefined, "phoneNumber"];
  const choices = { type: "patients", fields, constants: {}, words: {}, answers: {} } as const;
  const at = (index: number, field: string | undefined) => withField(choices, index, field);
  expect(at(1, "firstName")).toEqual([undefined, "firstName", "phoneNumber"]);
  expect(at(1, "phoneNumber")).toEqual(["firstName", "phoneNumber", "phoneNumber"]);
  expect(at(0, undefined)).toEqual([undefined, undefined, "phoneNumber"]);
});

test("values for all rows are proposed, and those of which nothing is are asked", async () => {
  const visits = "Date,Start,End,Client,Staff,Service\n7/6/2026,9:00,10:00,,,";
  const { constants } = await importOf(practice, [["x.csv", visits]]);
  expect(constants.map(([, label, value, isAsked]) => [label, value, isAsked])).toEqual([
    ["Status", "CONFIRMED", false],
    ["Location", "", true],
    ["Place of service", "OFFICE", false],
    ["Authorization", "force", false],
    ["Code of what is not billed", "", true],
    ["Delivered", "nothing", false],
  ]);
  const staff = await importOf(practice, [
    ["x.csv", "Name,Role,Cert number,Cert exp\nPo Nez,RBT,R1,3/1/2027"],
  ]);
  expect(staff.constants.map(([, label, value]) => [label, value])).toEqual([
    ["Credential", "role"],
    ["Practice area", "ABA"],
    ["Credential’s status", "ACTIVE"],
  ]);
});
