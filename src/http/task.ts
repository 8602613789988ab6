import type { Caller } from "../access/api-keys.ts";
import type { Content } from "../buffered-body.ts";
import type { Instant } from "../lib/instant.ts";
import type { PackedError } from "./errors.ts";

/** What the threads say to one another about a request that takes long. */

/** A request that a worker answers: authorized and validated, as plain data. */
export interface Task {
  request: { method: string; target: string; headers: [name: string, value: string][] };
  requestId: string;
  route: string;
  operation: { id: string; showsSequence: boolean; query: unknown; bytes: Uint8Array | undefined };
  caller: Caller;
  now: Instant;
  params: unknown;
  query: unknown;
  body: unknown;
  /** Where browsers open the page. */
  origin: string | undefined;
  /** The descriptor of the file for a response that is not small. */
  file: number;
}

/** What came of a task, and what its row of the audit trail says. */
export interface Outcome {
  answer:
    | { status: number; headers: Record<string, string | number>; content: Content }
    | { error: PackedError };
  row: { isDue: boolean; patientIds: string[]; concernsAll: boolean };
}

/** Who answers such requests. */
export interface LongWork {
  /** @throws PlainError 503 over the time limit, 413 for a write over that of the lock, 499 if the client has gone. */
  run(task: Omit<Task, "file">, kind: WorkKind, signal: AbortSignal): Promise<Outcome>;
}

export type WorkKind = "read" | "write" | "export";
