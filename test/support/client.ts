import type { Role } from "../../src/callers/roles.ts";
import { newApiKey, newOrganization } from "./factories.ts";
import type { TestService } from "./harness.ts";
import { type Fields, mustImport } from "./practice-file/practice-file.ts";

/** A practice of these records and somebody who asks, for what a transcript does not show, such as statements. */
export async function newClient(
  service: TestService,
  records: readonly Fields[],
  role: Role = "ADMIN",
) {
  const publicId = await newOrganization(service.database);
  const key = await newApiKey(service.database, publicId, role);
  const write = (...lines: Fields[]) =>
    mustImport(service.database, [{ type: "organization", publicId }, ...lines]);
  await write(...records);
  /** Of a path below /api/v1. */
  const get = (path: string) => service.call(`GET /api/v1/${path}`, { key });
  return { publicId, key, write, get };
}
