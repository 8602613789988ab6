import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { lastWriter } from "../../lib/base/api.ts";
import { differences, peopleIn } from "../../lib/base/differences.ts";
import type { Failure } from "../../lib/base/failure.ts";
import type { Values } from "../../lib/base/form-values.ts";
import { me, practiceZone } from "../../lib/base/me.ts";
import { useNames } from "../../lib/person/people.ts";
import { useResponse } from "../../lib/base/response.ts";
import { Alert } from "../base/notices.tsx";

/** A write that was refused because somebody else has changed the record: who, and what. */
export function Conflict<State extends Values>(properties: {
  failure: Failure;
  type: string;
  id: string;
  /** The record as the refused change was based on it, and as it is now. */
  before: State;
  now: State;
  /** The sequence of what it was based on. */
  since: number | undefined;
  timeOf?: (state: State) => string;
  children?: ComponentChildren;
}) {
  const { failure, type, id, before, now, since, timeOf, children } = properties;
  const name = useNames(peopleIn(before, now));
  const isTold = me().key.role === "ADMIN" && since !== undefined;
  const writer = useResponse(isTold ? `${type} ${id} ${since}` : undefined, (reading) =>
    lastWriter(type, id, since ?? 0, reading),
  ).value;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.scrollIntoView({ block: "nearest" }), [now, writer]);
  return (
    <div ref={notice}>
      <Alert failure={failure}>
        {writer && (
          <p>
            By <bdi>{writer}</bdi>:
          </p>
        )}
        <ul>
          {differences(before, now, { name, zone: practiceZone(), timeOf }).map((difference) => (
            <li key={difference}>{difference}</li>
          ))}
        </ul>
        {children}
      </Alert>
    </div>
  );
}
