import { useContext, useState } from "preact/hooks";
import type { Reading } from "../../lib/base/api.ts";
import { whenText } from "../../lib/base/format.ts";
import type { Change } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { getSession } from "../../lib/session/sessions.ts";
import { onTop } from "../../lib/session/session-changes.ts";
import type { Session } from "../../lib/base/wire.ts";
import { useWork } from "./work.tsx";
import { hasChanged, write } from "../../lib/base/write.ts";
import { Since } from "../../lib/base/response.ts";
import { Button } from "./button.tsx";
import { Conflict } from "../record/conflict.tsx";
import { Alert } from "./notices.tsx";

/** A change of a session that was refused because somebody else has changed it, and the session as it is now. */
interface Refused {
  change: Change;
  /** The sequence of what the change was based on. */
  based: number | undefined;
  before: Session;
  now: Session;
  since: number | undefined;
}

/** Writes a change, and shows the error if it fails; if somebody else was faster, with their change. */
export function useWriting(onDone?: () => void) {
  const { isWorking, failure, run } = useWork("The change could not be written.");
  const [refused, setRefused] = useState<Refused>();
  const shown = useContext(Since);
  /** @param planned a change, or what finds out about it first. */
  const writeChange = (planned: Change | (() => Promise<Change>), since = shown): Promise<void> =>
    run(async () => {
      setRefused(undefined);
      const change = typeof planned === "function" ? await planned() : planned;
      try {
        await write(change, since);
      } catch (error) {
        if (hasChanged(error)) setRefused(await refusedOf(change, since));
        throw error;
      }
      onDone?.();
    });
  const notice =
    failure &&
    (refused === undefined ? (
      <Alert failure={failure} />
    ) : (
      <Conflict
        {...{ failure, type: "session", id: refused.now.publicId, since: refused.based }}
        {...{ before: refused.before, now: refused.now }}
        timeOf={(session) => whenText(session, practiceZone())}
      >
        <Button
          disabled={isWorking}
          onClick={() => writeChange(onTop(refused.change, refused.now), refused.since)}
        >
          Save mine on top
        </Button>
      </Conflict>
    ));
  const isOutdated = hasChanged(failure);
  return { run: writeChange, isWriting: isWorking, isOutdated, failure, notice };
}

/** Reads what somebody else has made of a session; undefined if it is gone, or the change is not about one session. */
async function refusedOf(change: Change, based: number | undefined): Promise<Refused | undefined> {
  const { session: before } = change;
  if (before === undefined) return undefined;
  const reading: Reading = {};
  const now = await getSession(before.publicId, reading).catch(() => undefined);
  return now && { change, based, before, now, since: reading.sequence };
}
