import { useState } from "preact/hooks";
import { sequenceOf } from "../lib/api.ts";
import { differences } from "../lib/differences.ts";
import { Failure } from "../lib/failure.ts";
import { whenText } from "../lib/format.ts";
import { practiceZone } from "../lib/me.ts";
import { useNames } from "../lib/people.ts";
import { fieldsBefore } from "../lib/session-record.ts";
import { getSession } from "../lib/session-changes.ts";
import type { Session } from "../lib/wire.ts";
import { type Change, HAS_CHANGED, write } from "../lib/write.ts";

/** A write that was refused because somebody else has changed the session, and the session as it is now. */
interface Conflict {
  change: Change;
  before: Session;
  now: Session;
  since: number | undefined;
}

/** Writes a change, and shows the error if it fails; if somebody else was faster, with their change. */
export function useWriting(onDone?: () => void) {
  const [failure, setFailure] = useState<Failure>();
  const [conflict, setConflict] = useState<Conflict>();
  const [isWriting, setWriting] = useState(false);
  const run = async (change: Change): Promise<void> => {
    setWriting(true);
    setFailure(undefined);
    setConflict(undefined);
    try {
      await write(change);
      onDone?.();
    } catch (error) {
      const refusal =
        error instanceof Failure ? error : new Failure("The change could not be written.");
      if (refusal.status === HAS_CHANGED) setConflict(await conflictOf(change));
      setFailure(refusal);
    }
    setWriting(false);
  };
  const notice = failure && (
    <Refused
      failure={failure}
      conflict={conflict}
      onRepeat={(change) => void run(change)}
      isBusy={isWriting}
    />
  );
  return { run, isWriting, isOutdated: failure?.status === HAS_CHANGED, notice };
}

/** Reads what somebody else has made of a session; undefined if it is gone, or the change is not about one session. */
async function conflictOf(change: Change): Promise<Conflict | undefined> {
  const { session: before } = change;
  if (before === undefined) return undefined;
  const { signal } = new AbortController();
  const now = await getSession(before.publicId, signal).catch(() => undefined);
  return now && { change, before, now, since: sequenceOf(signal) };
}

function Refused(properties: {
  failure: Failure;
  conflict: Conflict | undefined;
  isBusy: boolean;
  onRepeat: (change: Change) => void;
}) {
  const { failure, conflict, isBusy, onRepeat } = properties;
  const name = useNames([]);
  if (conflict === undefined)
    return (
      <div class="notice failure" role="alert">
        <p>{failure.message}</p>
      </div>
    );
  const { change, before, now, since } = conflict;
  const timeOf = (session: Session): string => whenText(session, practiceZone());
  return (
    <div class="notice failure" role="alert">
      <p>{failure.message}</p>
      <ul>
        {differences(before, now, name, timeOf).map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
      </ul>
      <button type="button" disabled={isBusy} onClick={() => onRepeat(onTop(change, now, since))}>
        Save mine on top
      </button>
    </div>
  );
}

/** The change of a session as it is now, whose undo brings that back. */
function onTop(change: Change, now: Session, since: number | undefined): Change {
  const undo = change.undo?.map((line) =>
    line.publicId === now.publicId ? { ...line, ...fieldsBefore(now, line) } : line,
  );
  return { ...change, undo, session: now, since };
}
