import { countText } from "../base/format.ts";
import { type Change, deletionOf, type Line } from "../base/lines.ts";
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

/**
 * Everything in one change, which one undo takes back.
 *
 * @param chosen the sessions of which that becomes, of so many to come; the others are left.
 */
export function discharge(
  { publicId, userStatus, isActive }: Pick<User, "publicId" | "userStatus" | "isActive">,
  chosen: readonly { line: Line }[],
  fate: Fate,
  toCome: number,
): Change {
  const changed = fate === "LEAVE" ? [] : chosen.map(({ line }) => line);
  const said = (number: number, what: Fate): string[] =>
    number === 0
      ? []
      : [`${countText(number, "session")} ${number === 1 ? "is" : "are"} ${SAID[what]}`];
  const sessions = [...said(changed.length, fate), ...said(toCome - changed.length, "LEAVE")];
  const withStatus = ({ type, publicId: id }: Line, status: unknown) => ({
    ...{ type, publicId: id, status },
  });
  return {
    done: `${["The patient is discharged", ...sessions].join("; ")}.`,
    lines: [
      personLine(publicId, { userStatus: "DISCHARGED", isActive: false }),
      ...(fate === "DELETE"
        ? deletionOf(changed)
        : changed.map((line) => withStatus(line, "DECLINED"))),
    ],
    undo: [
      personLine(publicId, { userStatus, isActive }),
      ...(fate === "DELETE" ? changed : changed.map((line) => withStatus(line, line.status))),
    ],
  };
}
