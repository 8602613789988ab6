import { createKey } from "../callers/api-keys.ts";
import type { KeyChoice } from "../config.ts";
import type { DemoChoice } from "../demo/practice.ts";
import { listOrganizationIds } from "../organizations/repository.ts";
import type { DatabaseContext } from "./context.ts";
import { importCommand, type PracticeSource } from "./import.ts";
import { writeRecorded } from "./recording.ts";
import { addWebhook } from "./webhooks.ts";

/** The practice of `serve`: the demo, or an imported one. */
export type ServedPractice = { demo: DemoChoice } | { source: PracticeSource };

/** The keys of a served practice. They are not stored, so each start creates its own. */
export interface ServedKeys {
  organizationId: string;
  /** An ADMIN key. */
  key: string;
  keys: (KeyChoice & { key: string })[];
  webhooks: { id: string; url: string; secret: string }[];
}

/**
 * Imports a practice into a database without organizations, and creates keys and webhooks for it. Undefined if the demo is requested
 * and the database has another practice.
 *
 * @throws CommandError if the practice cannot be imported.
 */
export async function keysOfPractice(
  context: DatabaseContext,
  practice: ServedPractice,
  {
    moreKeys = [],
    webhooks: urls = [],
  }: { moreKeys?: readonly KeyChoice[] | undefined; webhooks?: readonly string[] | undefined },
): Promise<ServedKeys | undefined> {
  const organizationId =
    "source" in practice
      ? await importFrom(practice.source, context)
      : await demoOf(practice.demo, context);
  if (organizationId === undefined) return undefined;
  const name = "source" in practice ? "import" : "demo";
  const create = (choice: KeyChoice) => newServedKey({ organizationId, name, ...choice }, context);
  const key = await create({ role: "ADMIN", readOnly: false });
  const keys: ServedKeys["keys"] = [];
  for (const choice of moreKeys) keys.push({ ...choice, key: await create(choice) });
  const webhooks: ServedKeys["webhooks"] = [];
  for (const url of urls) webhooks.push(await addWebhook(context, url, { organizationId, name }));
  return { organizationId, key, keys, webhooks };
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
  const { DEMO_ORGANIZATION, seedDemo } = await import("../demo/practice.ts");
  const existing = await database.read(listOrganizationIds);
  if (existing.length === 0) return seedDemo(database, clock.now(), operator, choice);
  if (existing.every((id) => id === DEMO_ORGANIZATION)) return DEMO_ORGANIZATION;
  output.message(
    'The database already has a practice, so there is no demo. Create a key with "caseload keys create".',
  );
  return undefined;
}

async function newServedKey(
  { organizationId, name, role, readOnly }: KeyChoice & { organizationId: string; name: string },
  context: DatabaseContext,
): Promise<string> {
  const issued = await writeRecorded(
    context,
    { organizationId, command: `serve --${name}` },
    (trx, time) =>
      createKey(
        trx,
        { organizationId, holder: { role }, name, expiresAt: null, isReadOnly: readOnly },
        time,
      ),
    ({ id }) => ({ keyId: id }),
  );
  return issued.key;
}
