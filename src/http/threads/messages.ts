import type { DatabaseSource } from "../../../db/database.ts";
import type { Caller } from "../../callers/api-keys.ts";
import type { Content, FileForBody } from "../../buffered-body.ts";
import type { Instant } from "../../lib/instant.ts";
import type { PackedError } from "../errors.ts";

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
  /** The file for a response that is not small. */
  file: FileForBody;
}

/** What came of a task, and what its row of the audit trail says. */
export interface Outcome {
  answer:
    | { status: number; headers: Record<string, string | number>; content: Content }
    | { error: PackedError };
  row: { isDue: boolean; patientIds: string[]; concernsAll: boolean };
}

export type TaskKind = "read" | "write" | "export";

/** What a worker is started with. */
export interface WorkerSetup {
  source: DatabaseSource;
  /** The time of a clock that clients move; undefined for the clock of the machine. */
  clock: SharedArrayBuffer | undefined;
  /** The phase of its task. */
  phase: SharedArrayBuffer;
}

/** Both threads compare and set the phase, so that no write is committed after its request was refused. */
export const phases = { running: 0, committing: 1, ended: 2 } as const;

export type ToWorker = { setup: WorkerSetup } | { task: Task };
/** A worker says when it has the lock of the database. */
export type FromWorker = { outcome: Outcome } | { hasLock: true };

/** The buffers that can be passed to another thread without a copy: no other value is in them. */
export function wholeBuffers(all: readonly Uint8Array[]): ArrayBuffer[] {
  const whole = all.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
  return whole.map(({ buffer }) => buffer as ArrayBuffer);
}
