import { type Static, Type } from "@sinclair/typebox";
import { Billed, type StoredBilled } from "../../billing/line.ts";
import type { Instant } from "../../lib/instant.ts";
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
  check({ billed }, refuse) {
    if (Buffer.byteLength(JSON.stringify(billed?.line ?? null)) > MOST_BYTES_OF_LINE)
      refuse({ path: ["billed", "line"], message: "must have at most 24 KiB" });
  },
});

export const encounter: typeof plainEncounter = {
  ...plainEncounter,
  rows(record, context) {
    const { billed } = record;
    if (billed === undefined) return plainEncounter.rows(record, context);
    const stored = storedBilled(context.stored);
    return plainEncounter.rows(
      { ...record, billed: wholeBilled(billed, stored, context.now) },
      context,
    );
  },
};

/** What was handed over of a stored encounter; undefined if nothing was. */
export function storedBilled(stored: RecordRows | undefined): StoredBilled | undefined {
  const billed = stored?.row.billed;
  return typeof billed === "string" ? (JSON.parse(billed) as StoredBilled) : undefined;
}

/** Completes what a line says. Within a batch, its time stays. */
export function wholeBilled(
  { batch, at, line = null }: Static<typeof Billed>,
  stored: StoredBilled | undefined,
  now: Instant,
): StoredBilled {
  return { batch, at: at ?? (stored?.batch === batch ? stored.at : now), line };
}
