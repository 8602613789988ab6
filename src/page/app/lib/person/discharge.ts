import { countText } from "../base/format.ts";
import type { Change, Line } from "../base/lines.ts";
import { personLine } from "./person-record.ts";
import type { User } from "../base/wire.ts";

/** A patient leaves: what becomes of them, and of their sessions to come. */

/** What becomes of the sessions; those that are left are found by the check `PATIENT_LEFT`. */
export type Fate = "CANCEL" | "DELETE" | "LEAVE";

const SAID: Record<Fate, string> = {
  CANCEL: "cancelled",
  DELETE: "deleted",
  LEAVE: "left, and found under Attention",
};

/** The sessions to come: how many there are and, unless they are left, as a practice file has them. */
interface ToCome {
  count: number;
  lines: readonly Line[];
}

/** Everything in one change, which one undo takes back. */
export function discharge(
  { publicId, userStatus, isActive }: Pick<User, "publicId" | "userStatus" | "isActive">,
  { count, lines }: ToCome,
  fate: Fate,
): Change {
  const changed = fate === "LEAVE" ? [] : lines;
  const sessions = `${countText(count, "session")} ${count === 1 ? "is" : "are"} ${SAID[fate]}`;
  return {
    done: `The patient is discharged${count === 0 ? "" : `; ${sessions}`}.`,
    lines: [
      personLine(publicId, { userStatus: "DISCHARGED", isActive: false }),
      ...changed.map(({ type, publicId: id }) => ({
        ...{ type, publicId: id },
        ...(fate === "DELETE" ? { deleted: true } : { status: "DECLINED" }),
      })),
    ],
    undo: [
      personLine(publicId, { userStatus, isActive }),
      ...changed.map((line) =>
        fate === "DELETE"
          ? line
          : { type: line.type, publicId: line.publicId, status: line.status },
      ),
    ],
  };
}
