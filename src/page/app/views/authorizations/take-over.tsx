import type { Reading } from "../../lib/base/api.ts";
import { authorizationsOf } from "../../lib/authorizations/authorizations.ts";
import { dateOf, type TimeZone } from "../../lib/base/dates.ts";
import { readEndings } from "../../lib/authorizations/endings.ts";
import { countText, dateText, dayText, firstOf } from "../../lib/base/format.ts";
import { practiceZone } from "../../lib/base/me.ts";
import { readPerson } from "../../lib/person/people.ts";
import {
  endedBefore,
  rebindingLines,
  sessionsIn,
  takenOver,
} from "../../lib/authorizations/rebinding.ts";
import { mayMoveEncounters } from "../../lib/base/rights.ts";
import type { Session } from "../../lib/base/wire.ts";
import { Button } from "../../parts/base/button.tsx";
import { Empty } from "../../parts/base/notices.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { useWriting } from "../../parts/base/writing.tsx";

/** Sessions behind the end of an authorization move to the one that follows it. */

/** Those that nothing takes over, by their days. */
export function StayingSessions({
  sessions,
  zone,
}: {
  sessions: readonly Session[];
  zone: TimeZone;
}) {
  if (sessions.length === 0) return null;
  const days = sessions.map(({ startTime }) => dayText(dateOf(startTime, zone)));
  return <p class="hint">Not covered, and stay where they are: {firstOf(days).join("; ")}.</p>;
}

/** A dialog that moves the sessions of authorizations that have ended to one of the same service. */
export function TakeOverDialog({ id, patientId }: { id: string; patientId: string }) {
  return (
    <ReadingDialog
      title="Take over sessions"
      question={`take over ${id}`}
      read={(reading) => readEnded(id, patientId, reading)}
    >
      {(read) => <EndedList {...read} />}
    </ReadingDialog>
  );
}

/** The authorization as a successor, and those of the same service that end before it, by number. */
async function readEnded(id: string, patientId: string, reading?: Reading) {
  const patient = await readPerson(patientId, reading);
  const all = (patient.role === "PATIENT" ? authorizationsOf(patient) : []).map((each) => ({
    ...each,
    serviceLine: each.serviceLine.publicId,
  }));
  const { successor, ended } = endedBefore(all, id);
  const numbers = new Map(ended.map(({ publicId, number }) => [publicId, number]));
  return { numbers, successor, endings: await readEndings(ended, practiceZone(), reading) };
}

/** Below what was read, whose sequence its writes are based on. */
function EndedList({ numbers, successor, endings }: Awaited<ReturnType<typeof readEnded>>) {
  const zone = practiceZone();
  const { run, isWriting, notice } = useWriting();
  const rows = endings
    .map((ending) => ({
      ending,
      ...takenOver([ending], successor ? [successor] : [], {
        ...{ zone, withDocumented: mayMoveEncounters() },
      }),
    }))
    .filter(({ moving, staying }) => moving.length + staying.length > 0);
  return (
    <>
      {rows.length === 0 && (
        <Empty>No session of this service stands behind the end of another authorization.</Empty>
      )}
      <ul class="record-list">
        {rows.map(({ moving, staying, ending }) => {
          const sessions = sessionsIn(moving);
          const count = countText(sessions.length, "session");
          return (
            <li key={ending.publicId}>
              <p>
                {numbers.get(ending.publicId)}, ended {dateText(ending.endDate)}
              </p>
              <StayingSessions sessions={staying} zone={zone} />
              {moving.length > 0 && (
                <Button
                  disabled={isWriting}
                  onClick={() =>
                    run({ ...rebindingLines(moving), done: `${count} moved.`, sessions })
                  }
                >
                  Take over {count}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {notice}
    </>
  );
}
