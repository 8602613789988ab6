import { afterAll } from "bun:test";
import { Webhook } from "standardwebhooks";

/** A message as an endpoint of a client took it, with its signature verified. */
export interface Received {
  id: string;
  message: { type: string; timestamp: string; data: { organizationId: string; sequence: number } };
}

/** An endpoint of a client: verifies each call by the verifier of Standard Webhooks, and answers as a test says. */
export class Receiver {
  readonly received: Received[] = [];
  /** Requests that no secret of `secrets` has signed. */
  unsigned = 0;
  readonly secrets: string[] = [];
  /** How the next calls are answered. */
  answer: (request: Request) => Response | Promise<Response> = () =>
    new Response(null, { status: 204 });
  readonly #server;

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        this.#receive(await request.clone().text(), Object.fromEntries(request.headers));
        return this.answer(request);
      },
    });
    afterAll(() => this.#server.stop(true));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/changed`;
  }

  get sequences(): number[] {
    return this.received.map(({ message }) => message.data.sequence);
  }

  #receive(body: string, headers: Record<string, string>): void {
    for (const secret of this.secrets)
      try {
        // The verifier refuses times that are not today's: tests have a clock of their own.
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
