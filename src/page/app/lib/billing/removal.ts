import { Failure } from "../base/failure.ts";
import { countText } from "../base/format.ts";
import type { Change, Line } from "../base/lines.ts";
import type { BillingLine } from "../base/wire.ts";
import { lastCounting } from "./hand-overs.ts";

/** Changes of deliveries, for whoever bills them. */

/**
 * Takes a delivery out: removes it, or while a hand-over of it counts gives it 0 units, so that the claim can be voided.
 *
 * @param record as it is stored; undefined if it is gone.
 */
export function removalOf(record: Line | undefined): Change {
  const { type, publicId, units, billed } = found(record);
  return lastCounting(billed as BillingLine["billed"]) !== undefined
    ? {
        done: "It has 0 units now: the claim is to be voided.",
        lines: [{ type, publicId, units: 0 }],
        undo: [{ type, publicId, units }],
      }
    : {
        done: "The delivery was removed.",
        lines: [{ type, publicId, deleted: true }],
        undo: [found(record)],
      };
}

/** Gives a delivery other units, and puts it on a session, with the session's authorization. */
export function correctionOf(record: Line | undefined, units: number, session?: Line): Change {
  const { type, publicId, ...before } = found(record);
  const sessionId = session?.publicId;
  const { authorizationId } = session ?? before;
  const moved = sessionId === undefined ? {} : { sessionId, authorizationId };
  const undone = {
    ...{ units: before.units, sessionId: before.sessionId },
    authorizationId: before.authorizationId,
  };
  return {
    done: `Corrected: ${countText(units, "unit")}.`,
    lines: [{ type, publicId, units, ...moved }],
    undo: [{ type, publicId, ...undone }],
  };
}

function found(record: Line | undefined): Line {
  if (record === undefined) throw new Failure("This was deleted meanwhile.");
  return record;
}
