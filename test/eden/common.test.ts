import { describe, expect, spyOn, test } from "bun:test";
import { ConnectionLost } from "../../db/postgresql/errors.ts";
import { newRateLimits } from "../../src/http/rate-limits.ts";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { clientOf } from "../support/eden/client.ts";

/** Eden Treaty: the errors that all calls have in common. */

const service = await newService({ limits: newRateLimits(10) });
const organization = await newOrganization(service.database);
const key = await newApiKey(service.database, organization);
const client = clientOf(service, key);
const ana = { firstName: "Ana", lastName: "Ruiz" };

describe("a call returns", () => {
  test("401 without a key", async () => {
    const { error } = await clientOf(service, undefined).users.get();
    if (error?.status !== 401) throw new Error("It was let in");
    expect(error.value).toEqual({ error: "API key required", statusCode: 401 });
  });

  test("413 for a body that is too large", async () => {
    const { error } = await client.users.post({ ...ana, npiNumber: "x".repeat(1024 * 1024) });
    if (error?.status !== 413) throw new Error("It was taken");
    expect(error.value.error).toBe("Request body must not be larger than 1 MiB");
  });

  test("415 for another media type", async () => {
    const headers = { "content-type": "text/plain" };
    const { error } = await client.users.post(ana, { headers });
    if (error?.status !== 415) throw new Error("It was taken");
    expect(error.value.error).toBe("Content-Type must be application/json");
  });

  test("500 for an unexpected error", async () => {
    const read = spyOn(service.database, "read").mockRejectedValueOnce(new Error("broken"));
    const { error } = await client.users.get();
    read.mockRestore();
    if (error?.status !== 500) throw new Error("It was answered");
    expect(error.value).toEqual({ error: "Internal server error", statusCode: 500 });
  });

  test("503 while the database is unavailable", async () => {
    const away = spyOn(service.database, "write").mockRejectedValue(new ConnectionLost("away"));
    const { error } = await client.users.post(ana);
    away.mockRestore();
    if (error?.status !== 503) throw new Error("It was answered");
    expect(error.value.error).toBe("Service temporarily unavailable");
  });

  test("429 beyond the rate limit", async () => {
    const limited = clientOf(await newService({ limits: newRateLimits(0) }), undefined);
    for (let count = 0; count < 10; count++) await client.specializations.get();
    const { error } = await client.specializations.get();
    if (error?.status !== 429) throw new Error("It was let in");
    expect(error.value.error).toBe("Too many requests");
    expect((await limited.users.get()).error?.status).toBe(401);
  });
});
