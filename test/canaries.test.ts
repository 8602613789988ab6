import { describe, expect, spyOn, test } from "bun:test";
import { canariesIn, forget, plant, textsIn } from "./support/canaries.ts";
import { newApiKey, newGoal, newOrganization, newPatient } from "./support/factories.ts";
import { newDatabase, newService } from "./support/harness.ts";

/**
 * The harness searches every response and log line for canaries. These tests show that it finds
 * leaks.
 */

const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

describe("canaries are", () => {
  test("texts that factories store in personal columns, and keys", async () => {
    await newPatient(database, organization, {
      first_name: "Zephyrine",
      email: "zephyrine@canary.example",
      phone_number: "+12025550187",
      address_line1: "1 Canary Row",
    });
    await newGoal(database, organization, { title: "Feeds the canary" });
    const text = `Zephyrine of 1 Canary Row, zephyrine@canary.example, +12025550187. Feeds the canary. ${key}`;
    expect(canariesIn(text).toSorted()).toEqual(
      [
        "Zephyrine",
        "1 Canary Row",
        "zephyrine@canary.example",
        "+12025550187",
        "Feeds the canary",
        key,
      ].toSorted(),
    );
  });

  test("personal fields of a body at any depth, and no other fields", () => {
    const body = {
      client: { firstName: "Deep", selectedLocations: ["loc_1"] },
      childGoals: [{ goalStatement: "Deeper", type: "rating" }],
      attribution: { utm_campaign: "Deepest" },
    };
    expect(textsIn(body)).toEqual({
      personal: ["Deep", "Deeper", "Deepest"],
      other: ["loc_1", "rating"],
    });
  });

  test("forgotten with the last database that has them", async () => {
    const [one, other] = [await newDatabase(), await newDatabase()];
    for (const each of [one, other]) plant(each, ["Of both databases"]);
    plant(other, ["Of the other database"]);
    const text = "Of both databases, Of the other database";
    forget(other);
    expect(canariesIn(text)).toEqual(["Of both databases"]);
    forget(one);
    expect(canariesIn(text)).toEqual([]);
  });

  test("found in the form of JSON strings", () => {
    plant(database, ['Quo "te"\n']);
    expect(canariesIn(JSON.stringify({ error: 'a Quo "te"\n' }))).toEqual(['Quo \\"te\\"\\n']);
  });

  test("not short texts, parts of ids or the service's own words", () => {
    plant(database, ["Al", "\u0000", "calm", "1234", "Validation Error", "PATIENT"]);
    const text = '{"message":"Validation Error"} Al \\u0000 calm 1234 PATIENT';
    expect(canariesIn(text)).toEqual([]);
  });
});

describe("a test fails", () => {
  const answering = (status: number, body: object) =>
    spyOn(service.app, "handle").mockImplementation(async () =>
      Response.json(body, {
        status,
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "X-Request-Id": "r-1",
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
        },
      }),
    );

  test("if an error message names a person", async () => {
    await newPatient(database, organization, { last_name: "Xanthopoulou" });
    const handle = answering(404, { error: "Mr Xanthopoulou was not found", statusCode: 404 });
    const call = service.call("GET /api/v1/sessions/apt_1", { key });
    await expect(call).rejects.toThrow("Xanthopoulou leaked into the refusal");
    handle.mockRestore();
  });

  test("if an error message repeats input other than ids", async () => {
    const handle = answering(400, { error: "Unknown Refused spec_Refused", statusCode: 400 });
    const sent = { firstName: "Ana", lastName: "Ruiz", specializations: ["spec_Refused"] };
    const call = (json: object) => service.call("POST /api/v1/users", { key, json });
    expect((await call(sent)).status).toBe(400);
    await expect(call({ ...sent, lastName: "Refused" })).rejects.toThrow("leaked");
    handle.mockRestore();
  });

  test("if a log line has a name, a key or a search text", async () => {
    plant(database, ["Xenophontos"]);
    // An id that a client gives its request is logged.
    const logged = (id: string) =>
      service.call("GET /livez?search=Xerxes", { key, headers: { "X-Request-Id": id } });
    expect((await logged("r-1")).status).toBe(200);
    for (const leak of ["Xenophontos", "Xerxes", key])
      await expect(logged(leak)).rejects.toThrow(`${leak} leaked into the log`);
  });
});
