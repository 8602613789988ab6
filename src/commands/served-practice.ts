import { createKey } from "../access/api-keys.ts";
import { recordCommand } from "../audit/trail.ts";
import { DEFAULT_SEED } from "../demo/clinic.ts";
import { organizationId as demoOrganizationId } from "../demo/organization.ts";
import type { DemoChoice } from "../demo/practice.ts";
import { toInstant } from "../lib/instant.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import type { DatabaseContext } from "./context.ts";
import { importCommand, type PracticeSource } from "./import.ts";

/** The practice of `serve`: the demo, or an imported one. */
export type ServedPractice = { demo: DemoChoice } | { source: PracticeSource };

/**
 * Imports a practice into a database without organizations, and creates an ADMIN key for it. Keys are not stored, so
 * each start creates its own. Undefined if the demo is requested and the database has another practice.
 *
 * @throws CommandError if the practice cannot be imported.
 */
export async function keyOfPractice(
  context: DatabaseContext,
  practice: ServedPractice,
): Promise<string | undefined> {
  const organizationId =
    "source" in practice
      ? await importFrom(practice.source, context)
      : await demoOf(practice.demo, context);
  const name = "source" in practice ? "import" : "demo";
  return organizationId && newAdminKey({ organizationId, name }, context);
}

async function importFrom(
  source: PracticeSource,
  context: DatabaseContext,
): Promise<string | undefined> {
  await importCommand({ ...context, terminal: process.stderr }, source, {});
  return (await context.database.read(listOrganizationIds))[0];
}

async function demoOf(
  choice: DemoChoice,
  { database, clock, operator, output }: DatabaseContext,
): Promise<string | undefined> {
  const { seedDemo } = await import("../demo/practice.ts");
  const demoId = demoOrganizationId(choice.seed ?? DEFAULT_SEED);
  const existing = await database.read(listOrganizationIds);
  if (existing.length === 0) return seedDemo(database, clock.now(), operator, choice);
  if (existing.every((id) => id === demoId)) return demoId;
  output.message(
    'The database already has a practice, so there is no demo. Create a key with "caseload keys create".',
  );
  return undefined;
}

function newAdminKey(
  { organizationId, name }: { organizationId: string; name: string },
  { database, clock, operator }: DatabaseContext,
): Promise<string> {
  const time = toInstant(clock.now());
  const key = { organizationId, holder: { role: "ADMIN" }, name, expiresAt: null } as const;
  return database.write(
    async (trx) => {
      const issued = await createKey(trx, key, time);
      await recordCommand(trx, {
        organizationId,
        command: `serve --${name}`,
        operator,
        keyId: issued.id,
        time,
      });
      return issued.key;
    },
    { organizationId },
  );
}
