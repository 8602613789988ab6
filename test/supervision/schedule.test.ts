import { expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant } from "../../src/lib/instant.ts";
import { SupervisionSchedule } from "../../src/supervision/schedule.ts";
import type { SupervisionSession } from "../../src/supervision/repository.ts";

/** The figures of one technician's month, compared with a look at each minute of it. */

const MINUTES = 60;
const START = Date.parse("2026-03-02T14:00:00Z");
const minute = (minutes: number) => toInstant(START + minutes * 60_000);
const CLIENTS = ["usr_leo", "usr_mia", "usr_zoe", "usr_ida", "usr_kai", "usr_sam"];

interface Planned {
  kind: "service" | "own" | "joint";
  start: number;
  minutes: number;
  client: string;
  isObserved: boolean;
  isDelivered: boolean;
}

const plans = fc.array(
  fc.record({
    kind: fc.constantFrom<Planned["kind"]>("service", "service", "own", "joint", "joint", "joint"),
    start: fc.nat(MINUTES - 1),
    minutes: fc.oneof(fc.nat(3), fc.nat(40)),
    client: fc.oneof(fc.constantFrom(...CLIENTS), fc.constantFrom(...CLIENTS.slice(0, 2))),
    isObserved: fc.boolean(),
    isDelivered: fc.boolean(),
  }),
  { maxLength: 40 },
);

function sessionOf({
  kind,
  start,
  minutes,
  client,
  isObserved,
  isDelivered,
}: Planned): SupervisionSession {
  return {
    startTime: minute(start),
    endTime: minute(start + minutes),
    status: "CONFIRMED",
    isBillable: kind === "service" ? 1 : 0,
    isSupervision: kind === "service" ? 0 : 1,
    isClientPresent: isObserved ? 1 : 0,
    technicianId: kind === "joint" ? null : "usr_ana",
    clientId: kind === "own" && !isObserved ? null : client,
    authorizationId: "auth_1",
    encounters: isDelivered ? 1 : 0,
  };
}

function expected(all: readonly Planned[]) {
  const at = (kind: Planned["kind"], time: number, client?: string) =>
    all.filter(
      (one) =>
        one.kind === kind &&
        one.start <= time &&
        time < one.start + one.minutes &&
        (client === undefined || one.client === client),
    );
  const cells = Array.from({ length: 2 * MINUTES }, (_, time) => {
    const supervising = [
      ...at("own", time),
      ...CLIENTS.filter((client) => at("service", time, client).length > 0).flatMap((client) =>
        at("joint", time, client),
      ),
    ];
    return {
      service: at("service", time).length > 0,
      supervision: supervising.length > 0,
      observed: supervising.some(({ isObserved }) => isObserved),
    };
  });
  let [contacts, observed, isSeen] = [0, 0, false];
  for (const [time, cell] of cells.entries()) {
    if (!cell.supervision) continue;
    if (cells[time - 1]?.supervision !== true) {
      contacts += 1;
      isSeen = false;
    }
    if (cell.observed && !isSeen) observed += 1;
    isSeen ||= cell.observed;
  }
  const minutesOf = (name: "service" | "supervision") =>
    60_000 * cells.filter((cell) => cell[name]).length;
  return {
    service: minutesOf("service"),
    supervision: minutesOf("supervision"),
    contacts,
    observed,
  };
}

test("service, supervision and contacts are those of each minute, whoever has service with several clients", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (all) => {
      const month = { from: minute(0), to: minute(MINUTES) };
      const schedule = new SupervisionSchedule({ now: minute(0), month });
      for (const one of all.toSorted((a, b) => a.start - b.start)) schedule.add(sessionOf(one));
      const figures = (await schedule.figures()).get("usr_ana");
      const booked = expected(all);
      if (booked.service === 0 && booked.supervision === 0) return expect(figures).toBeUndefined();
      expect(figures).toEqual({
        booked,
        delivered: expected(all.filter(({ isDelivered }) => isDelivered)),
      });
    }),
    { numRuns: 1_000 },
  );
});
