import { expect, expectTypeOf, test } from "bun:test";
import { newApiKey, newOrganization } from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import {
  answered,
  type Client,
  clientOf,
  type Common,
  type ErrorStatus,
  type WithBody,
} from "../support/eden/client.ts";

/**
 * Eden Treaty reads a practice file. It sends every body that is not text as JSON, so imports use
 * `fetch`. The types of an import's responses are still checked.
 */

const service = await newService();
const organization = await newOrganization(service.database);
const client = clientOf(service, await newApiKey(service.database, organization));
const clinician = clientOf(service, await newApiKey(service.database, organization, "CLINICIAN"));

test("a practice is read as a file", async () => {
  const file: unknown = answered(await client["practice-file"].get());
  expect(String(file)).toStartWith(`{"type":"organization","publicId":"${organization}"`);
});

test("other roles than ADMIN get 403", async () => {
  const { error } = await clinician["practice-file"].get();
  if (error?.status !== 403) throw new Error("It was read");
  expect(error.value.error).toBe("Insufficient permissions for this action");
});

test("responses and errors have types", () => {
  type Import = Client["practice-file"]["post"];
  type Imported = NonNullable<Awaited<ReturnType<Import>>["data"]>;
  expectTypeOf<Imported["counts"]>().toEqualTypeOf<Record<string, number>>();
  expectTypeOf<ErrorStatus<Import>>().toEqualTypeOf<WithBody | 410 | 412>();
  expectTypeOf<ErrorStatus<Client["practice-file"]["get"]>>().toEqualTypeOf<Common | 410>();
});
