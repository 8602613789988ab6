import { fromBit } from "../../db/schema.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { remembered } from "../lib/remembered.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { countsAsScheduled } from "../utilization/units.ts";
import type { SupervisionSession } from "./repository.ts";
import {
  contactsOf,
  duration,
  extend,
  intersection,
  portionsOf,
  type Stretch,
  SummedSupervision,
  union,
} from "./stretches.ts";

/** Service and supervision of a technician; of everything that is booked, or of what was delivered. */
export interface Figures {
  /** In milliseconds. */
  service: number;
  supervision: number;
  /** Stretches of supervision with gaps between them. */
  contacts: number;
  /** Contacts in which a client is present. */
  observed: number;
}

export interface TechnicianFigures {
  booked: Figures;
  delivered: Figures;
}

/** Stretches with gaps; `delivered` is part of `booked`. */
interface Time {
  booked: Stretch[];
  delivered: Stretch[];
}

/** Supervision, and the part of it in which a client is present. */
interface SupervisionTime {
  all: Time;
  observed: Time;
}

interface TechnicianTime {
  service: Time;
  serviceByClient: Map<string, Time>;
  supervision: SupervisionTime;
}

const newTime = (): Time => ({ booked: [], delivered: [] });
const newSupervision = (): SupervisionTime => ({ all: newTime(), observed: newTime() });
const newTechnician = (): TechnicianTime => ({
  service: newTime(),
  serviceByClient: new Map(),
  supervision: newSupervision(),
});

/** So many clients at a time are a few, with the technician's own supervision. */
const FEW = 4;
/** Sets of clients whose supervision is kept as one list. */
const SETS_REMEMBERED = 50;

/** Without an authorization, a session can have no encounter; it is delivered when it is confirmed and over. */
export function wasDelivered(
  { encounters, authorizationId, status, endTime }: SupervisionSession,
  now: Instant,
): boolean {
  if ((encounters ?? 0) > 0) return true;
  return authorizationId === null && status === "CONFIRMED" && endTime <= now;
}

/**
 * What the schedule knows of the supervision of technicians in a month. Sessions must be added in order of start. Time
 * is what sessions cover, so several at once count once; only stretches are kept.
 */
export class SupervisionSchedule {
  readonly #technicians = new Map<string, TechnicianTime>();
  /** Supervision without a technician, by client. It is that of every technician who has service with the client. */
  readonly #byClient = new Map<string, SupervisionTime>();
  readonly #sums = {
    booked: new Map<string, SummedSupervision>(),
    delivered: new Map<string, SummedSupervision>(),
  };
  readonly #together = new Map<string, SummedSupervision>();
  #lastEnd = "" as Instant;

  constructor(private readonly scope: { now: Instant; month: InstantRange }) {}

  /** The last end of a supervision without a technician. Service until then may be supervised by it. */
  get lastEnd(): Instant {
    return this.#lastEnd;
  }

  /**
   * Adds a session. Those that start in the month count; others only show with whom a technician has service meanwhile.
   */
  add(session: SupervisionSession): void {
    const { startTime, endTime, technicianId, clientId } = session;
    if (startTime === endTime || !countsAsScheduled(session.status)) return;
    const isInMonth = this.scope.month.from <= startTime && startTime <= this.scope.month.to;
    const stretch = { start: epochMilliseconds(startTime), end: epochMilliseconds(endTime) };
    const isDelivered = wasDelivered(session, this.scope.now);
    const addTo = (time: Time) => {
      extend(time.booked, stretch);
      if (isDelivered) extend(time.delivered, stretch);
    };
    const addSupervision = ({ all, observed }: SupervisionTime) => {
      addTo(all);
      if (clientId !== null && fromBit(session.isClientPresent)) addTo(observed);
    };

    if (technicianId !== null) {
      const technician = remembered(this.#technicians, technicianId, newTechnician);
      if (fromBit(session.isBillable) && clientId !== null) {
        if (isInMonth) addTo(technician.service);
        addTo(remembered(technician.serviceByClient, clientId, newTime));
      }
      if (fromBit(session.isSupervision) && isInMonth) addSupervision(technician.supervision);
    } else if (fromBit(session.isSupervision) && clientId !== null && isInMonth) {
      addSupervision(remembered(this.#byClient, clientId, newSupervision));
      if (endTime > this.#lastEnd) this.#lastEnd = endTime;
    }
  }

  /** The figures of each technician who has service or supervision in the month. */
  figures(): Map<string, TechnicianFigures> {
    const figures = new Map<string, TechnicianFigures>();
    for (const [technicianId, technician] of this.#technicians) {
      const booked = this.#figuresOf(technician, "booked");
      if (booked.service > 0 || booked.supervision > 0)
        figures.set(technicianId, { booked, delivered: this.#figuresOf(technician, "delivered") });
    }
    return figures;
  }

  /**
   * While a technician has service with one client or a few, that of the clients is taken from sums: many technicians may
   * have service with clients who are supervised many times.
   */
  #figuresOf({ service, serviceByClient, supervision }: TechnicianTime, kind: keyof Time): Figures {
    const own = new SummedSupervision(supervision.all[kind], supervision.observed[kind]).stretches;
    const clients = [...serviceByClient].flatMap(([id, time]) => {
      const joint = this.#summed(id, kind);
      return joint === undefined ? [] : [{ id, time: time[kind], joint }];
    });
    const lists = [own, ...clients.map(({ time }) => time)];
    const { portions, others } = portionsOf(lists, FEW);
    const supervised = [...own];
    for (const { time, joint } of clients)
      for (const portion of intersection(time, others)) supervised.push(...joint.within(portion));
    let [time, contacts, observed] = [0, 0, 0];
    for (const portion of portions) {
      const present = portion.indexes.flatMap((index) => clients[index - 1] ?? []);
      if (present.length === portion.indexes.length) {
        const sums = this.#summedOfAll(present, kind).sumsWithin(portion);
        supervised.push(...sums.edges);
        time += sums.supervision;
        contacts += sums.contacts;
        observed += sums.observed;
      } else if (present.some(({ joint }) => joint.isObservedIn(portion)))
        // All of it is supervised anyway.
        supervised.push({ ...portion, isObserved: true });
    }
    const all = contactsOf(supervised);
    return {
      service: duration(service[kind]),
      supervision: time + duration(all),
      contacts: contacts + all.length,
      observed: observed + all.filter(({ isObserved }) => isObserved).length,
    };
  }

  /** The supervision of one client or of several together. */
  #summedOfAll(
    clients: readonly { id: string; joint: SummedSupervision }[],
    kind: keyof Time,
  ): SummedSupervision {
    const [first] = clients as [(typeof clients)[number]];
    if (clients.length === 1) return first.joint;
    // Ids have no white space.
    const key = [kind, ...clients.map(({ id }) => id).sort()].join(" ");
    return remembered(
      this.#together,
      key,
      () =>
        new SummedSupervision(
          union(clients.map(({ joint }) => joint.stretches)),
          union(clients.map(({ joint }) => joint.observed)),
        ),
      SETS_REMEMBERED,
    );
  }

  /** The supervision of a client without a technician; undefined if there is none. */
  #summed(clientId: string, kind: keyof Time): SummedSupervision | undefined {
    const joint = this.#byClient.get(clientId);
    if (joint === undefined) return undefined;
    return remembered(this.#sums[kind], clientId, () => {
      const { all, observed } = joint;
      return new SummedSupervision(all[kind], observed[kind]);
    });
  }
}
