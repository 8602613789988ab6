import { setTimeout as sleep } from "node:timers/promises";
import { type Static, Type } from "@sinclair/typebox";
import { clientGone } from "../client-presence.ts";
import { PlainError } from "../errors.ts";
import { InvalidInput, type Issue } from "../../lib/errors.ts";

/** Faults that a test orders: refusals, delays and lost answers of its next requests. */

const FaultModel = Type.Object({
  /** `*` is any operation. */
  operationId: Type.String(),
  status: Type.Optional(Type.Integer()),
  /** In seconds. */
  retryAfter: Type.Optional(Type.Integer()),
  delayMs: Type.Optional(Type.Integer()),
  /** Whether the work is done, and half of the answer is lost. */
  cut: Type.Optional(Type.Boolean()),
  times: Type.Optional(Type.Integer()),
});

export const FaultsModel = Type.Array(FaultModel, { shortBytes: Infinity });

export type Fault = Static<typeof FaultModel>;

/** What clients are told by an answer with each status. */
const MESSAGES: Record<number, string> = {
  401: "Invalid API key",
  410: "Gone",
  429: "Too many requests",
  500: "Internal server error",
  502: "Bad gateway",
  503: "Service temporarily unavailable",
  504: "Gateway timeout",
};

const ANY = "*";
const LONGEST_DELAY = 60_000;

export class Faults {
  /** As ordered; `times` is how often each is still due. */
  list: readonly (Fault & { times: number })[] = [];

  /** @param operations the ids of all operations. */
  constructor(private readonly operations: readonly string[]) {}

  /** @throws InvalidInput that says of each fault that makes no sense why. */
  replace(faults: readonly Fault[]): void {
    const issues = faults.flatMap((fault, index) => this.#issuesOf(fault, index));
    if (issues.length > 0) throw new InvalidInput(issues);
    this.list = faults.map((fault) => ({ ...fault, times: fault.times ?? 1 }));
  }

  #issuesOf(fault: Fault, index: number): Issue[] {
    const { operationId, status, retryAfter = 0, delayMs = 0, cut = false, times = 1 } = fault;
    const rules: [field: keyof Fault, holds: boolean, message: string][] = [
      [
        "operationId",
        operationId === ANY || this.operations.includes(operationId),
        `Must be ${ANY} or one of ${this.operations.join(", ")}`,
      ],
      [
        "status",
        status === undefined || status in MESSAGES,
        `Must be one of ${Object.keys(MESSAGES).join(", ")}`,
      ],
      ["retryAfter", retryAfter >= 0, "Must not be negative"],
      ["retryAfter", fault.retryAfter === undefined || status !== undefined, "Needs a status"],
      ["delayMs", delayMs >= 0 && delayMs <= LONGEST_DELAY, `Must be 0 to ${LONGEST_DELAY}`],
      ["cut", !cut || status === undefined, "Must not be true beside a status"],
      ["times", times >= 1, "Must be at least 1"],
    ];
    return rules.flatMap(([field, holds, message]) =>
      holds ? [] : [{ code: "custom", message, path: [index, field] }],
    );
  }

  /**
   * Lets a request meet the first fault that is due for it.
   *
   * @param operationId undefined for what is no operation.
   * @returns whether its answer is to be cut.
   * @throws PlainError with the status of the fault, 499 if the client does not wait.
   */
  async meet(operationId: string | undefined, signal: AbortSignal): Promise<boolean> {
    const fault = this.list.find(
      (each) => each.times > 0 && [ANY, operationId].includes(each.operationId),
    );
    if (fault === undefined) return false;
    fault.times -= 1;
    const { status, retryAfter, delayMs = 0, cut = false } = fault;
    await sleep(delayMs, undefined, { signal }).catch(() => {
      throw clientGone();
    });
    if (status === undefined) return cut;
    throw new PlainError(status, MESSAGES[status] ?? "", {
      ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
      ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
    });
  }
}

/** The beginning of an answer, whose connection then breaks. */
export async function cutOff(response: Response): Promise<Response> {
  const bytes = await response.bytes();
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  async function* half() {
    yield bytes.subarray(0, Math.ceil(bytes.length / 2));
    // Until the half has been sent.
    await sleep(SENDING_TIME);
    throw undefined;
  }
  // An answer without a body has nothing to break.
  const status = bytes.length === 0 ? 200 : response.status;
  return new Response(half(), { status, headers });
}

const SENDING_TIME = 20;
