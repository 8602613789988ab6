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

/** One map of a record gives what presents, exports and stores it; schemas say which fields, in which order. */

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

describe("a row is presented", () => {
  test("in the order of the schema, with additional fields", () => {
    const present = presenter(map, Shown);
    const row = { public_id: "usr_1", email: null, is_active: 1, sex: null, role: "ADMIN" };
    const user = { email: "", publicId: "usr_1", isActive: true, locationIds: ["l"], sex: null };
    expect(JSON.stringify(present(row, { locationIds: ["l"] }))).toBe(JSON.stringify(user));
  });

  test("with a text or a number as it stands, and constants of the schema", () => {
    const Stage = Type.Object({ kind: Type.Literal("stage"), position: Type.Integer() });
    const present = presenter(recordMap("intake_stages", { position: field("position") }), Stage);
    expect(present({ position: -1.5 })).toEqual({ kind: "stage", position: -1.5 });
  });
});

describe("a row is exported", () => {
  test("with every field of the schema; without a value null or an empty list", () => {
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

describe("a record is stored", () => {
  const store = storer(map);

  test("in every column of the map; without a value null, or the map's default", () => {
    expect(store({ publicId: "usr_1" })).toEqual({
      public_id: "usr_1",
      email: null,
      is_active: 1,
      should_send_sms: null as never,
      sex: null,
      compliance_credentials: null,
    });
  });

  test("with its values turned", () => {
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

test("a query selects the columns of all kinds of a record, each once", () => {
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
