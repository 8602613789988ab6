import { useState } from "preact/hooks";
import { authorizationsOf } from "../lib/authorizations.ts";
import { type CalendarDate, type DateRange, dateOf, type TimeZone } from "../lib/dates.ts";
import { readEndings } from "../lib/endings.ts";
import type { Values } from "../lib/form-values.ts";
import { countText, dateText, dayText } from "../lib/format.ts";
import type { Change, Line } from "../lib/lines.ts";
import { practiceZone } from "../lib/me.ts";
import { readPerson } from "../lib/people.ts";
import {
  type Ending,
  rebindingLines,
  sessionsIn,
  type Successor,
  takenOver,
} from "../lib/rebinding.ts";
import { useResponse } from "../lib/response.ts";
import { mayMoveEncounters, mayPutOnAuthorization } from "../lib/rights.ts";
import type { Session } from "../lib/wire.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Check } from "../parts/field.tsx";
import { Empty, ResponseView } from "../parts/notices.tsx";
import { useWriting } from "../parts/writing.tsx";

/** Sessions behind the end of an authorization move to the one that follows it. */

/** What a renewal takes along, from what ends. */
export interface TakeOver {
  endings: readonly Ending[];
  zone: TimeZone;
}

/** The part of a renewal's form about sessions, and what it adds to the file. */
export function useTakeOver(takeOver: TakeOver | undefined) {
  const [isOn, setOn] = useState(true);
  const { endings, zone } = takeOver ?? { endings: [], zone: practiceZone() };
  const found = (successors: readonly Successor[]) =>
    takenOver(mayPutOnAuthorization() ? endings : [], successors, {
      ...{ zone, withDocumented: mayMoveEncounters() },
    });
  return {
    /** The file that makes records and takes sessions along. */
    changeOf(done: string, made: readonly Line[], successors: readonly Successor[]): Change {
      const { moving } = isOn ? found(successors) : { moving: [] };
      const { lines, undo } = rebindingLines(moving);
      const also =
        moving.length === 0
          ? ""
          : ` ${countText(sessionsIn(moving).length, "session")} moved to it.`;
      return {
        done: done + also,
        sessions: sessionsIn(moving),
        lines: [...made, ...lines],
        undo: [...undo, ...made.map(({ type, publicId }) => ({ type, publicId, deleted: true }))],
      };
    },
    notice(successors: readonly Successor[]) {
      const { moving, staying } = found(successors);
      const [end] = endings.map(({ endDate }) => endDate).toSorted();
      if (end === undefined || moving.length + staying.length === 0) return null;
      return (
        <>
          {moving.length > 0 && (
            <Check
              label={`${countText(sessionsIn(moving).length, "session")} behind ${dateText(end)} ${sessionsIn(moving).length === 1 ? "moves" : "move"} to it`}
              isChecked={isOn}
              onChange={setOn}
            />
          )}
          <StayingSessions sessions={isOn ? staying : []} zone={zone} />
        </>
      );
    },
  };
}

const NAMED = 5;

function StayingSessions({ sessions, zone }: { sessions: readonly Session[]; zone: TimeZone }) {
  if (sessions.length === 0) return null;
  const days = sessions.slice(0, NAMED).map(({ startTime }) => dayText(dateOf(startTime, zone)));
  const more = sessions.length - NAMED;
  return (
    <p class="hint">
      Not covered, and stay where they are: {days.join("; ")}
      {more > 0 && `; and ${more} more`}.
    </p>
  );
}

/** What a form says of a new authorization, as one that sessions can move to; none until its dates are there. */
export function successorOf(publicId: string, values: Values): Successor[] {
  const { serviceLineId, authorizationDate, authorizationExpirationDate } = values;
  if (typeof authorizationDate !== "string" || typeof authorizationExpirationDate !== "string")
    return [];
  return [
    {
      ...{ publicId, serviceLine: String(serviceLineId) },
      startDate: authorizationDate as CalendarDate,
      endDate: authorizationExpirationDate as CalendarDate,
    },
  ];
}

/** A dialog that moves the sessions of authorizations that have ended to one of the same service. */
export function TakeOverDialog({ id, patientId }: { id: string; patientId: string }) {
  const zone = practiceZone();
  const { run, isWriting, notice } = useWriting();
  const response = useResponse(`take over ${id}`, async (signal) => {
    const patient = await readPerson(patientId, signal);
    const all = patient.role === "PATIENT" ? authorizationsOf(patient) : [];
    const asEnding = (each: (typeof all)[number]): Successor & DateRange & { number: string } => ({
      ...each,
      serviceLine: each.serviceLine.publicId,
    });
    const own = all.find(({ publicId }) => publicId === id);
    const successor = own && asEnding(own);
    const ended = all
      .filter(({ publicId }) => publicId !== id)
      .filter(({ endDate }) => successor !== undefined && endDate < successor.endDate)
      .map(asEnding)
      .filter(({ serviceLine }) => serviceLine === successor?.serviceLine);
    return { ended, successor, endings: await readEndings(ended, zone, signal) };
  });
  return (
    <Dialog title="Take over sessions">
      <ResponseView response={response}>
        {({ ended, successor, endings }) => {
          const rows = endings.flatMap((ending) => {
            const found = takenOver([ending], successor ? [successor] : [], {
              ...{ zone, withDocumented: mayMoveEncounters() },
            });
            const number = ended.find(({ publicId }) => publicId === ending.publicId)?.number;
            return found.moving.length + found.staying.length === 0
              ? []
              : [{ ...found, ending, number }];
          });
          if (rows.length === 0)
            return (
              <Empty>
                No session of this service stands behind the end of another authorization.
              </Empty>
            );
          return (
            <ul class="record-list">
              {rows.map(({ moving, staying, ending, number }) => (
                <li key={ending.publicId}>
                  <p>
                    {number}, ended {dateText(ending.endDate)}
                  </p>
                  <StayingSessions sessions={staying} zone={zone} />
                  {moving.length > 0 && (
                    <Button
                      disabled={isWriting}
                      onClick={() =>
                        run({
                          ...rebindingLines(moving),
                          done: `${countText(sessionsIn(moving).length, "session")} moved.`,
                          sessions: sessionsIn(moving),
                        })
                      }
                    >
                      Take over {countText(sessionsIn(moving).length, "session")}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </ResponseView>
      {notice}
    </Dialog>
  );
}
