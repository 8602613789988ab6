import { delivererOf } from "../../../../lib/presence.ts";
import { whenText } from "../base/format.ts";
import type { Line } from "../base/lines.ts";
import { peopleOf } from "../session/overlaps.ts";
import type { TimeZone } from "../base/dates.ts";
import type { Finding, Session } from "../base/wire.ts";

/** What findings are about besides their own session: the one that it overlaps, or what has to be renewed. */

/** The session that a finding's own overlaps: the first of those that the API names. */
export function overlappedBy({ check, sessionIds }: Finding): string | undefined {
  const isOverlap = check === "PROVIDER_OVERLAP" || check === "PATIENT_OVERLAP";
  return isOverlap && sessionIds.length > 1 ? sessionIds[0] : undefined;
}

/** The authorization that ends without a successor; undefined for a pool, which has no number. */
export function renewedBy({ check, authorizationId }: Finding): string | undefined {
  return check === "RENEWAL_DUE" ? (authorizationId ?? undefined) : undefined;
}

/** The ids of sessions and authorizations that must be read to name these. */
export function namedBy(findings: readonly Finding[]): string[] {
  return [...new Set(findings.flatMap((each) => overlappedBy(each) ?? renewedBy(each) ?? []))];
}

/** `Mon, Nov 23, 3:30 – 5:30 PM, Leo Park, with Ana Ruiz` */
export function sessionText(line: Line, zone: TimeZone, name: (id: string) => string): string {
  const session = line as unknown as Session;
  const { clientId, title } = session;
  const deliverer = delivererOf(session);
  const who = clientId === null ? title : name(clientId);
  const staff = deliverer === null ? "" : `, with ${name(deliverer)}`;
  return `${whenText(session, zone)}, ${who}${staff}`;
}

/** The people of a line, if it is a session's. */
export function peopleIn(line: Line): string[] {
  return line.type === "session" ? peopleOf(line as unknown as Session) : [];
}

/** `Direct therapy (97153), A-100` */
export function authorizationText(line: Line, service: (id: string) => string): string {
  return [service(String(line.serviceLineId)), line.authorizationNumber].join(", ");
}
