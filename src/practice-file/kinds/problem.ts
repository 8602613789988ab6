import type { IssueReason } from "../../lib/errors.ts";

export type Path = readonly (string | number)[];

/** An error in a line. Messages contain no values of the file; only `detail` may contain ids. */
export interface Problem {
  /** Such as `["credentials", 0, "expiresAt"]`; empty for the line as a whole. */
  path: Path;
  /** The column of a spreadsheet that is at fault, if it is not that of the field. */
  column?: string;
  /** Continues the field's name or the refused value: `is no status: CONFIRMED, …`. */
  message: string;
  /** The end of the message, if specific to the line. Ignored when grouping mistakes. */
  detail?: string;
  /** More at the end of the message, which is not for HTTP: it contains a value. */
  valueDetail?: string;
  /** Another line, which is named at the end of the message. */
  otherLine?: number;
  /** The refused value, which only the command line shows. */
  value?: unknown;
  /** Default: `invalid_value`. */
  reason?: IssueReason;
}
