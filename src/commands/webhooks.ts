import { Command } from "@commander-js/extra-typings";
import type { Database, Db } from "../../db/database.ts";
import { CommandError } from "../lib/command-error.ts";
import { newPublicId } from "../lib/ids.ts";
import { type Instant, toInstant } from "../lib/instant.ts";
import { getOrganization, requireOrganization } from "../organizations/repository.ts";
import { callEndpoint, isAcknowledged, newSecret, outcomeText } from "../webhooks/call.ts";
import {
  deleteWebhook,
  findWebhook,
  findWebhookByUrl,
  insertWebhook,
  isTooFarAhead,
  listWebhooks,
  makeDue,
  nextAttempt,
  updateWebhook,
  webhookState,
  type WebhookWithSequence,
  writesBehind,
} from "../webhooks/repository.ts";
import { nameArgument, webhookUrlArgument } from "./arguments.ts";
import type { CommandContext, DatabaseContext } from "./context.ts";
import { onDatabase } from "./database.ts";
import { printItems } from "./output.ts";
import { record, writeRecorded } from "./recording.ts";
import { printedOnce } from "./standard-output.ts";

const LOST = 'the secret is lost: make another with "caseload webhooks rotate".';

export function command(context: CommandContext) {
  const webhooks = new Command("webhooks").description("notify other systems of changes");
  webhooks
    .command("add")
    .argument("<url>", "the URL to call", webhookUrlArgument)
    .description("add an endpoint, https: or of this machine, and print its secret, once")
    .requiredOption("--organization <id>", "the organization whose changes are reported")
    .requiredOption("--name <text>", "what the endpoint is for", nameArgument)
    .action(printedOnce(context, LOST, onDatabase(context, addWebhookCommand)));
  webhooks
    .command("list")
    .description("list the endpoints with their state, without their secrets")
    .option("--json", "as JSON")
    .action(onDatabase(context, listWebhooksCommand));
  webhooks
    .command("remove <id>")
    .description("remove an endpoint")
    .action(onDatabase(context, removeWebhookCommand));
  webhooks
    .command("rotate <id>")
    .description("create a new secret and print it, once; for 24 hours the old one signs, too")
    .action(printedOnce(context, LOST, onDatabase(context, rotateWebhookCommand)));
  webhooks
    .command("test <id>")
    .description(
      "call an endpoint once; fails unless it acknowledges the call, else makes waiting calls due",
    )
    .action(onDatabase(context, testWebhookCommand));
  return webhooks;
}

/** Webhooks of the operator: endpoints that are called after changes of a practice. */

/** Adds an endpoint and prints its secret, once, alone on standard output. */
export async function addWebhookCommand(
  context: DatabaseContext,
  url: string,
  { organization, name }: { organization: string; name: string },
): Promise<void> {
  const { id, secret } = await addWebhook(context, url, { organizationId: organization, name });
  const { output } = context;
  output.result(secret);
  output.message(
    `Added the webhook ${id}. Its secret is not shown again. Try it with "caseload webhooks test ${id}".`,
  );
}

/**
 * Adds an endpoint, which is called after writes from now on.
 *
 * @throws CommandError for an unknown organization, and for a URL that it already has.
 */
export async function addWebhook(
  context: DatabaseContext,
  url: string,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<{ id: string; url: string; secret: string }> {
  const [id, secret] = [newPublicId("hook_", context.clock.now()), newSecret()];
  const act = { organizationId, command: "webhooks add", target: id };
  await writeRecorded(context, act, async (trx, time) => {
    await requireOrganization(trx, organizationId);
    const { sequence } = await getOrganization(trx, organizationId);
    const same = await findWebhookByUrl(trx, organizationId, url);
    if (same !== undefined)
      throw new CommandError(
        `The webhook ${same.id} of ${organizationId} has this URL already; for a new secret: "caseload webhooks rotate ${same.id}".`,
      );
    await insertWebhook(trx, {
      organization_id: organizationId,
      id,
      name,
      url,
      secret,
      created_at: time,
      acknowledged: sequence,
      is_off: 0,
      failures: 0,
      due_at: time,
      last_attempt_at: null,
      last_status: null,
      previous_secret: null,
      previous_secret_until: null,
    });
  });
  return { id, url, secret };
}

/** Lists webhooks, never their secrets. */
export async function listWebhooksCommand(
  context: DatabaseContext,
  { json }: { json?: boolean },
): Promise<void> {
  const { database, clock, output } = context;
  await record(context, { command: "webhooks list" });
  const time = toInstant(clock.now());
  const webhooks = await database.read(listWebhooks);
  const list = webhooks.map((webhook) => presentWebhook(webhook, time));
  for (const webhook of webhooks.filter((each) => isTooFarAhead(each, time)))
    output.message(
      `${webhook.id} was due at ${webhook.due_at}, by a clock that was wrong, so it is due now.`,
    );
  printItems(output, list, {
    json,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      URL: ({ url }) => url,
      ORGANIZATION: ({ organizationId }) => organizationId,
      ACKNOWLEDGED: ({ acknowledged }) => acknowledged,
      BEHIND: ({ behind }) => behind,
      STATE: ({ state }) => state,
      "LAST ATTEMPT": ({ lastAttemptAt }) => lastAttemptAt ?? "-",
      STATUS: ({ lastStatus }) => lastStatus ?? "-",
      "NEXT ATTEMPT": ({ nextAttemptAt }) => nextAttemptAt ?? "-",
    },
  });
}

function presentWebhook(webhook: WebhookWithSequence, now: Instant) {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    organizationId: webhook.organization_id,
    acknowledged: webhook.acknowledged,
    state: webhookState(webhook),
    behind: writesBehind(webhook),
    lastAttemptAt: webhook.last_attempt_at,
    lastStatus: webhook.last_status,
    nextAttemptAt: nextAttempt(webhook, now),
  };
}

/** Removes a webhook; its endpoint is not called any more. */
export async function removeWebhookCommand(context: DatabaseContext, id: string): Promise<void> {
  const { database, output } = context;
  const webhook = await requireWebhook(database, id);
  const act = { organizationId: webhook.organization_id, command: "webhooks remove", target: id };
  await writeRecorded(context, act, (trx) => deleteWebhook(trx, webhook));
  output.message(`Removed the webhook ${id}.`);
}

/** How long calls are also signed with the previous secret, in milliseconds. */
const OVERLAP = 24 * 60 * 60 * 1_000;

/** Replaces a webhook's secret and prints the new one, alone on standard output. */
export async function rotateWebhookCommand(context: DatabaseContext, id: string): Promise<void> {
  const { database, clock, output } = context;
  const { organization_id: organizationId } = await requireWebhook(database, id);
  const secret = newSecret();
  const until = toInstant(clock.now() + OVERLAP);
  const act = { organizationId, command: "webhooks rotate", target: id };
  await writeRecorded(context, act, async (trx) => {
    const webhook = await getWebhook(trx, id);
    const previous = { previous_secret: webhook.secret, previous_secret_until: until };
    await updateWebhook(trx, webhook, { secret, ...previous });
  });
  output.result(secret);
  output.message(
    `The secret of ${id} is replaced. It is not shown again. Calls are also signed with the previous one until ${until}.`,
  );
}

/**
 * Calls the endpoint once with the type `practice.test`. If it acknowledges the call, those that wait after failures
 * are due.
 *
 * @throws CommandError unless the endpoint answers with success.
 */
export async function testWebhookCommand(context: DatabaseContext, id: string): Promise<void> {
  const { database, clock, output } = context;
  const webhook = await requireWebhook(database, id);
  const { organization_id: organizationId, sequence } = webhook;
  const call = { type: "practice.test", sequence, now: clock.now() } as const;
  const outcome = await callEndpoint(webhook, call);
  const status = isAcknowledged(outcome) ? 0 : 1;
  await record(context, { organizationId, command: "webhooks test", target: id, status });
  if (status === 1)
    throw new CommandError(
      `The endpoint of ${id} did not acknowledge the call (${outcomeText(outcome)}); check its address, and that it answers 2xx.`,
    );
  const due = toInstant(clock.now());
  await database.write((trx) => makeDue(trx, id, due), { organizationId });
  output.message(`The endpoint of ${id} acknowledged the call (${outcomeText(outcome)}).`);
}

function requireWebhook(database: Database, id: string): Promise<WebhookWithSequence> {
  return database.read((db) => getWebhook(db, id));
}

async function getWebhook(db: Db, id: string): Promise<WebhookWithSequence> {
  const webhook = await findWebhook(db, id);
  if (webhook === undefined)
    throw new CommandError(`There is no webhook ${id}; "caseload webhooks list" shows them.`);
  return webhook;
}
