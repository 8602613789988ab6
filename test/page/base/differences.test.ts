import { expect, test } from "bun:test";
import { differences, peopleIn } from "../../../src/page/app/lib/base/differences.ts";
import type { Values } from "../../../src/page/app/lib/base/form-values.ts";

/** What somebody else has changed, in words. */

const name = (id: string): string => (id === "usr_ana" ? "Ana Ruiz" : id);
const texts = { name, zone: "America/New_York" as never };

test("each field that differs, in the page's words; not when it was stored", () => {
  const before: Values = {
    ...{ city: null, isActive: true, clinicianIds: ["usr_ana"], updatedAt: "2026-11-01" },
    ...{ status: "CONFIRMED", payors: [{ memberId: "1" }], email: "a@b.example" },
  };
  const after = {
    ...{ city: "Fern", isActive: false, clinicianIds: [], updatedAt: "2026-11-02" },
    ...{ status: "DECLINED", payors: [{ memberId: "1" }, { memberId: "2" }], email: "a@b.example" },
  };
  expect(differences(before, after, texts)).toEqual([
    "City: none → Fern",
    "Active: yes → no",
    "Clinicians: Ana Ruiz → none",
    "Status: Confirmed → Cancelled",
    "Insurance: 1 → 2",
  ]);
});

test("what is a date is one, also where it is stored with a time", () => {
  const at = (recertificationDate: string) => ({ recertificationDate });
  expect(
    differences(at("2026-12-31T00:00:00.000Z"), at("2027-02-01T04:59:59.999Z"), texts),
  ).toEqual(["Recertification date: Dec 31, 2026 → Jan 31, 2027"]);
});

test("start and end are one difference", () => {
  const at = (startTime: string, endTime: string) => ({ startTime, endTime });
  const timeOf = (state: { startTime: string }) => state.startTime;
  expect(differences(at("9", "10"), at("10", "11"), { ...texts, timeOf })).toEqual([
    "Time: 9 → 10",
  ]);
});

test("whom the differences name", () => {
  expect(
    peopleIn({ technicianId: "usr_a", title: "Therapy" }, { clinicianIds: ["usr_b", "x"] }),
  ).toEqual(["usr_a", "usr_b"]);
});
