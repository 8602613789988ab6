import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Nullable } from "../../src/schema/fields.ts";
import {
  bit,
  columnsFor,
  exporter,
  field,
  json,
  presenter,
  recordMap,
  storer,
  textOrEmpty,
  textSet,
} from "../../src/schema/record-map.ts";

/**
 * One map per record type gives the functions that present, export and store it. Schemas state the
 * fields and their order.
 */

const map = recordMap("users", {
  publicId: field("public_id"),
  email: field("email", textOrEmpty),
  isActive: field("is_active", bit, true),
  shouldSendSMS: field("should_send_sms", bit),
  sex: field("sex"),
  complianceCredentials: field("compliance_credentials", textSet),
});

const Shown = Type.Object({
  email: Type.String(),
  publicId: Type.String(),
  isActive: Type.Boolean(),
  locationIds: Type.Array(Type.String()),
  sex: Nullable(Type.String()),
});

const Written = Type.Object({
  type: Type.Literal("user"),
  publicId: Type.String(),
  email: Type.Optional(Type.String()),
  isActive: Type.Optional(Type.Boolean()),
  complianceCredentials: Type.Optional(Type.Array(Type.String())),
  sex: Nullable(Type.String()),
});

describe("presenter", () => {
  test("follows the order of the schema, with additional fields", () => {
    const present = presenter(map, Shown);
    const row = { public_id: "usr_1", email: null, is_active: 1, sex: null, role: "ADMIN" };
    const user = { email: "", publicId: "usr_1", isActive: true, locationIds: ["l"], sex: null };
    expect(JSON.stringify(present(row, { locationIds: ["l"] }))).toBe(JSON.stringify(user));
  });

  test("keeps texts and numbers, and adds constants of the schema", () => {
    const Stage = Type.Object({ kind: Type.Literal("stage"), position: Type.Integer() });
    const present = presenter(recordMap("intake_stages", { position: field("position") }), Stage);
    expect(present({ position: -1.5 })).toEqual({ kind: "stage", position: -1.5 });
  });
});

describe("exporter", () => {
  test("writes every field of the schema; absent values are null or an empty list", () => {
    const write = exporter(map, Written);
    const empty = {
      public_id: "usr_1",
      email: null,
      is_active: 0,
      compliance_credentials: null,
      sex: null,
    };
    expect(JSON.stringify(write(empty))).toBe(
      '{"type":"user","publicId":"usr_1","email":null,"isActive":false,"complianceCredentials":[],"sex":null}',
    );
    const full = { ...empty, email: "a@b.example", compliance_credentials: '["BLS","CPR"]' };
    expect(JSON.stringify(write(full))).toBe(
      '{"type":"user","publicId":"usr_1","email":"a@b.example","isActive":false,"complianceCredentials":["BLS","CPR"],"sex":null}',
    );
  });
});

describe("storer", () => {
  const store = storer(map);

  test("sets every column of the map; absent values are null or the map's default", () => {
    expect(store({ publicId: "usr_1" })).toEqual({
      public_id: "usr_1",
      email: null,
      is_active: 1,
      should_send_sms: null as never,
      sex: null,
      compliance_credentials: null,
    });
  });

  test("converts values to their stored form", () => {
    expect(
      store({
        publicId: "usr_1",
        email: "",
        isActive: false,
        shouldSendSMS: true,
        sex: null,
        complianceCredentials: ["CPR", "BLS", "CPR"],
      }),
    ).toEqual({
      public_id: "usr_1",
      email: null,
      is_active: 0,
      should_send_sms: 1,
      sex: null,
      compliance_credentials: '["BLS","CPR"]',
    });
  });
});

test("columnsFor lists the columns of several schemas, each once", () => {
  expect(columnsFor(map, Shown, Written)).toEqual([
    "email",
    "public_id",
    "is_active",
    "sex",
    "compliance_credentials",
  ]);
});

test("values stored as JSON are read unchanged", () => {
  const Raw = Type.Object({ attribution: Type.Unknown() });
  const raw = recordMap("intake_leads", { attribution: field("attribution", json) });
  const attribution = { gclid: "x", nested: [1, null] };
  const row = storer(raw)({ attribution });
  expect(presenter(raw, Raw)(row)).toEqual({ attribution });
});
