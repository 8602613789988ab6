import { type Static, Type } from "@sinclair/typebox";
import { completed, refusalOf } from "../../billing/hand-overs.ts";
import { Billed, type StoredHandOver } from "../../billing/line.ts";
import { highestMidnight } from "../../lib/midnights.ts";
import { EnumField, InstantField, PublicIdField, ShortTextField } from "../../schema/fields.ts";
import { encounterMap, sessionMap } from "../../schema/sessions.ts";
import { placesOfService, sessionStatuses } from "../../sessions/model.ts";
import { plainKind, type RecordRows } from "./record-kind.ts";

/** Sessions and encounters. */

const common = {
  type: Type.Literal("session"),
  publicId: PublicIdField(),
  title: ShortTextField(),
  status: EnumField(sessionStatuses),
  startTime: InstantField(),
  endTime: InstantField(),
  isSupervision: Type.Boolean(),
  isClientPresent: Type.Boolean(),
  placeOfService: EnumField(placesOfService),
  locationId: PublicIdField(),
  technicianId: Type.Optional(PublicIdField()),
  clientId: Type.Optional(PublicIdField()),
};

const BillableSessionRecord = Type.Object({
  ...common,
  isBillable: Type.Literal(true),
  isTelehealth: Type.Boolean(),
  clinicianId: Type.Optional(PublicIdField()),
  providerLocationId: Type.Optional(PublicIdField()),
  services: PublicIdField(),
  authorizationId: Type.Optional(PublicIdField()),
});

const NonBillableSessionRecord = Type.Object({
  ...common,
  isBillable: Type.Literal(false),
  nonBillableCode: PublicIdField(),
});

/** Delivered units. */
export const EncounterRecord = Type.Object({
  type: Type.Literal("encounter"),
  publicId: PublicIdField(),
  authorizationId: PublicIdField(),
  sessionId: Type.Optional(PublicIdField()),
  startTime: InstantField(),
  units: Type.Number({ minimum: 0 }),
  billed: Type.Optional(Billed),
});

export type SessionRecord = Static<typeof BillableSessionRecord | typeof NonBillableSessionRecord>;
export type EncounterRecord = Static<typeof EncounterRecord>;

export const session = plainKind(sessionMap, [BillableSessionRecord, NonBillableSessionRecord], {
  discriminator: "isBillable",
  derive: ({ startTime, endTime }) => ({ over_midnight: highestMidnight(startTime, endTime) }),
  check(record, refuse) {
    if (record.endTime < record.startTime)
      refuse({ path: ["endTime"], message: "is before startTime", value: record.endTime });
  },
});

/** More than a line of today has, whatever its texts are, and so little that a page of 1,000 has less than 50 MB. */
const MOST_BYTES_OF_LINE = 24 * 1024;

const plainEncounter = plainKind(encounterMap, [EncounterRecord], {
  links: { batches: { table: "billed_batches", owner: "encounter_id", linked: "batch" } },
  check({ billed = [] }, refuse, before) {
    for (const [index, { line = null }] of billed.entries())
      if (Buffer.byteLength(JSON.stringify(line)) > MOST_BYTES_OF_LINE)
        refuse({ path: ["billed", index, "line"], message: "must have at most 24 KiB" });
    const refusal = refusalOf(billed, (before?.billed ?? []) as StoredHandOver[]);
    if (refusal !== undefined) refuse({ ...refusal, reason: "does_not_fit" });
  },
});

export const encounter: typeof plainEncounter = {
  ...plainEncounter,
  rows(record, context) {
    const billed = completed(record.billed ?? [], storedBilled(context.stored), context.now);
    const batches = billed.flatMap(({ batch }) => batch ?? []);
    return plainEncounter.rows({ ...record, billed, batches } as EncounterRecord, context);
  },
};

/** The hand-overs of a stored encounter. */
export function storedBilled(stored: RecordRows | undefined): StoredHandOver[] {
  return JSON.parse((stored?.row.billed as string | null | undefined) ?? "[]");
}
