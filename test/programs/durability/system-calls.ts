/**
 * The order in which a server writes to its clients and to its disk, read from a trace of strace.
 */

/** The options of strace for such a trace, which is written to `file`. */
export function straceOptions(file: string): string[] {
  const calls = "fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg,sendfile";
  return ["-f", "-y", "-s", "512", "-e", `trace=${calls}`, "-o", file];
}

export type Event =
  | { kind: "log written" }
  | { kind: "log synced" }
  | { kind: "answer"; requestId: string; status: number };

/**
 * The events in a trace: writes to the write-ahead log when they begin, syncs of it when they have
 * succeeded, and responses when they begin.
 */
export function eventsIn(trace: string): Event[] {
  const events: Event[] = [];
  /** Calls that are split by a line of another thread, by thread. */
  const unfinished = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, thread = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const call = resumed === null ? text : `${unfinished.get(thread) ?? ""}${resumed[1]}`;
    const isCut = text.endsWith("<unfinished ...>");
    if (isCut) unfinished.set(thread, call.replace(" <unfinished ...>", ""));
    const event = isCut || resumed === null ? beginningOf(call) : undefined;
    if (event !== undefined) events.push(event);
    if (!isCut && /^f(data)?sync\(\d+<[^>]*-wal>\) += 0$/.test(call))
      events.push({ kind: "log synced" });
  }
  return events;
}

function beginningOf(call: string): Event | undefined {
  if (/^p?writev?(64)?\(\d+<[^>]*-wal>/.test(call)) return { kind: "log written" };
  const answer = /"HTTP\/1\.1 (\d{3}) .*?X-Request-Id: ([\w.-]+)/i.exec(call);
  if (answer === null || !/^(write|send)/.test(call)) return undefined;
  return { kind: "answer", requestId: answer[2] ?? "", status: Number(answer[1]) };
}

/**
 * The responses that were sent too early: before the write-ahead log was synced or, if requests are
 * sent one by one, without any write for them.
 */
export function earlyAnswers(events: readonly Event[], oneByOne: boolean): string[] {
  const early: string[] = [];
  let isWritten = false;
  let isSynced = true;
  for (const event of events) {
    if (event.kind === "log written") [isWritten, isSynced] = [true, false];
    if (event.kind === "log synced") isSynced = true;
    if (event.kind !== "answer") continue;
    if (!isSynced) early.push(`${event.requestId} before the sync`);
    else if (oneByOne && !isWritten) early.push(`${event.requestId} without a row`);
    isWritten = false;
  }
  return early;
}
