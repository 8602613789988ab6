import { Type } from "@sinclair/typebox";

/** The header of responses with the sequence of the organization's last write. */
export const SEQUENCE = "Caseload-Sequence";

/** The query parameter of writes that are refused if what they change has been changed by others. */
export const unchangedSince = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      "The `Caseload-Sequence` with which the records were read. If one of them has been created, changed or deleted since, nothing is written.",
  }),
);
