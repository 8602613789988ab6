import { useContext, useState } from "preact/hooks";
import { sequenceOf } from "../lib/api.ts";
import type { Failure } from "../lib/failure.ts";
import { whenText } from "../lib/format.ts";
import type { Change } from "../lib/lines.ts";
import { practiceZone } from "../lib/me.ts";
import { getSession } from "../lib/session-changes.ts";
import { fieldsBefore } from "../lib/session-record.ts";
import { Since } from "../lib/since.ts";
import type { Session } from "../lib/wire.ts";
import { useWork } from "../lib/work.ts";
import { hasChanged, write } from "../lib/write.ts";
import { Button } from "./button.tsx";
import { Differences } from "./differences.tsx";
import { Alert } from "./notices.tsx";

/** A write that was refused because somebody else has changed the session, and the session as it is now. */
interface Conflict {
  change: Change;
  before: Session;
  now: Session;
  since: number | undefined;
}

/** Writes a change, and shows the error if it fails; if somebody else was faster, with their change. */
export function useWriting(onDone?: () => void) {
  const { isWorking, failure, run } = useWork("The change could not be written.");
  const [conflict, setConflict] = useState<Conflict>();
  const shown = useContext(Since);
  const writeChange = (change: Change, since = shown): Promise<void> =>
    run(async () => {
      setConflict(undefined);
      try {
        await write(change, since);
      } catch (error) {
        if (hasChanged(error)) setConflict(await conflictOf(change));
        throw error;
      }
      onDone?.();
    });
  const notice = failure && (
    <Refused failure={failure} conflict={conflict} onRepeat={writeChange} isBusy={isWorking} />
  );
  return { run: writeChange, isWriting: isWorking, isOutdated: hasChanged(failure), notice };
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
  onRepeat: (change: Change, since: number | undefined) => Promise<void>;
}) {
  const { failure, conflict, isBusy, onRepeat } = properties;
  if (conflict === undefined) return <Alert failure={failure} />;
  const { change, before, now, since } = conflict;
  const timeOf = (session: Session): string => whenText(session, practiceZone());
  return (
    <Alert failure={failure}>
      <Differences before={before} now={now} timeOf={timeOf} />
      <Button disabled={isBusy} onClick={() => onRepeat(onTop(change, now), since)}>
        Save mine on top
      </Button>
    </Alert>
  );
}

/** The change of a session as it is now, whose undo brings that back. */
function onTop(change: Change, now: Session): Change {
  const undo = change.undo?.map((line) =>
    line.publicId === now.publicId ? { ...line, ...fieldsBefore(now, line) } : line,
  );
  return { ...change, undo, session: now };
}
