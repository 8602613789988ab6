import { afterAll } from "bun:test";
import { Webhook } from "standardwebhooks";
import { unusedPort } from "../ports.ts";

/** A message received by a client's endpoint, with a verified signature. */
export interface Received {
  id: string;
  message: { type: string; timestamp: string; data: { organizationId: string; sequence: number } };
}

/**
 * A client's endpoint: verifies each call with the reference verifier of Standard Webhooks, and responds as the test
 * defines.
 */
export class Receiver {
  readonly received: Received[] = [];
  /** The number of requests not signed with any of `secrets`. */
  unsigned = 0;
  readonly secrets: string[] = [];
  /** The response to the next calls. */
  answer: (request: Request) => Response | Promise<Response> = () =>
    new Response(null, { status: 204 });
  readonly #port: number;
  #server: Bun.Server<unknown>;

  constructor() {
    this.#port = unusedPort();
    this.#server = this.#listen(this.#port);
    afterAll(() => this.#server.stop(true));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/changed`;
  }

  /** Refuses connections. */
  goDown(): Promise<void> {
    return this.#server.stop(true);
  }

  /** Listens again, at the same address. */
  comeBack(): void {
    this.#server = this.#listen(this.#port);
  }

  #listen(port: number): Bun.Server<unknown> {
    return Bun.serve({
      port,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        this.#receive(await request.clone().text(), Object.fromEntries(request.headers));
        return this.answer(request);
      },
    });
  }

  get sequences(): number[] {
    return this.received.map(({ message }) => message.data.sequence);
  }

  #receive(body: string, headers: Record<string, string>): void {
    for (const secret of this.secrets)
      try {
        // The verifier requires current timestamps, but tests have their own clock.
        const now = String(Math.floor(Date.now() / 1_000));
        const id = headers["webhook-id"] ?? "";
        const signedAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
        const webhook = new Webhook(secret);
        if (webhook.sign(id, signedAt, body) !== headers["webhook-signature"]) continue;
        const signature = webhook.sign(id, new Date(Number(now) * 1_000), body);
        const fresh = { ...headers, "webhook-timestamp": now, "webhook-signature": signature };
        const message = webhook.verify(body, fresh) as Received["message"];
        this.received.push({ id, message });
        return;
      } catch {
        continue;
      }
    this.unsigned += 1;
  }
}
