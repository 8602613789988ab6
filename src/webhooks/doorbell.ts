import type { Database } from "../../db/database.ts";
import { recordCommand } from "../audit/trail.ts";
import type { Clock } from "../lib/clock.ts";
import { toInstant } from "../lib/instant.ts";
import { type CallOutcome, callEndpoint, isAcknowledged, outcomeText } from "./call.ts";
import {
  listDueWebhooks,
  takeDueCall,
  updateWebhook,
  type WebhookWithSequence,
} from "./repository.ts";

/** Interval of checking for new writes, in milliseconds; also the minimum time between two calls of an endpoint. */
const INTERVAL = 1_000;

/**
 * The wait after the first failure, and the maximum, in milliseconds. Each wait is twice as long as the previous one.
 */
const INITIAL_DELAY = 5_000;
const MAX_DELAY = 10 * 60 * 1_000;

/** The status by which an endpoint unsubscribes. */
const GONE = 410;

interface Dependencies {
  database: Database;
  clock: Clock;
  /** Logs failures in one line, without the endpoint's address and secret. */
  warn(message: string): void;
}

/**
 * Notifies the endpoints of webhooks that a practice has changed (docs/keeping-a-copy.md).
 *
 * All state is in the database: the last sequence that each endpoint acknowledged, and when its next call is due. The
 * loop compares it with the organization's sequence. So it also reports writes of other nodes and of commands, and
 * loses nothing on a restart or crash. A node reserves a call by postponing its due time; if the node dies, the call
 * becomes due again.
 */
export class Doorbell {
  #timer: Timer | undefined;
  readonly #stopped = new AbortController();
  readonly #calls = new Map<string, Promise<void>>();

  constructor(private readonly dependencies: Dependencies) {}

  start(): void {
    this.#timer = setInterval(() => void this.callDue(), INTERVAL);
  }

  /** Aborts running calls; they are due again immediately. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await Promise.all(this.#calls.values());
  }

  /**
   * Makes all due calls, and resolves when they have finished. If the database cannot be read, tries again a second
   * later; the outage is logged elsewhere.
   */
  async callDue(): Promise<void> {
    const { database, clock } = this.dependencies;
    const due = await database
      .read((db) => listDueWebhooks(db, toInstant(clock.now())))
      .catch(() => []);
    if (this.#stopped.signal.aborted) return;
    await Promise.all(due.map((webhook) => this.#callUnlessCalling(webhook)));
  }

  #callUnlessCalling(webhook: WebhookWithSequence): Promise<void> {
    const running = this.#calls.get(webhook.id);
    if (running !== undefined) return running;
    const call = this.#call(webhook)
      .catch(() => {})
      .finally(() => this.#calls.delete(webhook.id));
    this.#calls.set(webhook.id, call);
    return call;
  }

  async #call(webhook: WebhookWithSequence): Promise<void> {
    const { database, clock } = this.dependencies;
    const organizationId = webhook.organization_id;
    const now = clock.now();
    const sequence = await database.write((trx) => takeDueCall(trx, webhook, toInstant(now)), {
      organizationId,
    });
    if (sequence === undefined) return;
    const event = { type: "practice.changed", sequence, now } as const;
    const outcome = await callEndpoint(webhook, event, this.#stopped.signal);
    await this.#settle(webhook, { sequence, started: now }, outcome);
  }

  async #settle(
    webhook: WebhookWithSequence,
    { sequence, started }: { sequence: number; started: number },
    outcome: CallOutcome,
  ): Promise<void> {
    const { database, clock, warn } = this.dependencies;
    const organizationId = webhook.organization_id;
    const after = (milliseconds: number) => toInstant(started + milliseconds);
    const write = (columns: Parameters<typeof updateWebhook>[2]) =>
      database.write((trx) => updateWebhook(trx, webhook, columns), { organizationId });
    const last_status = "status" in outcome ? outcome.status : null;

    if (isAcknowledged(outcome))
      return write({ last_status, acknowledged: sequence, failures: 0, due_at: after(INTERVAL) });
    if (this.#stopped.signal.aborted) return write({ due_at: after(0) });
    if ("status" in outcome && outcome.status === GONE) {
      await database.write(
        async (trx) => {
          await updateWebhook(trx, webhook, { last_status, is_off: 1 });
          await recordCommand(trx, {
            organizationId,
            command: "webhooks off",
            operator: "caseload",
            time: toInstant(clock.now()),
            target: webhook.id,
          });
        },
        { organizationId },
      );
      return warn(`webhook ${webhook.id} responded with 410 and is off`);
    }
    const wait = Math.min(INITIAL_DELAY * 2 ** webhook.failures, MAX_DELAY);
    const dueAt = toInstant(clock.now() + wait);
    await write({ last_status, failures: webhook.failures + 1, due_at: dueAt });
    warn(
      `webhook ${webhook.id} failed (${outcomeText(outcome)}); will be retried in ${wait / 1_000} s`,
    );
  }
}
