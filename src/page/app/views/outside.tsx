import { useAnswer } from "../lib/answer.ts";
import { get, type Query, withQuery } from "../lib/api.ts";
import type { Authorization } from "../lib/authorizations.ts";
import { addDays, dateOf, type TimeZone } from "../lib/dates.ts";
import { countText, dateText } from "../lib/format.ts";
import { addressOf } from "../lib/place.ts";
import type { Session, PageOf } from "../lib/wire.ts";

/** Warnings above an authorization: what is booked or delivered before its first and after its last day. */
export function OutsideLines(properties: {
  authorizations: readonly Authorization[];
  patientId: string;
  zone: TimeZone;
}) {
  const { authorizations, patientId, zone } = properties;
  return (
    <>
      {authorizations.map((authorization) => (
        <OutsideLine
          key={authorization.publicId}
          authorization={authorization}
          patientId={patientId}
          zone={zone}
        />
      ))}
    </>
  );
}

const HOLDING = "CONFIRMED,UNCONFIRMED,REQUESTED_TO_CANCEL";

function OutsideLine(properties: {
  authorization: Authorization;
  patientId: string;
  zone: TimeZone;
}) {
  const { authorization, patientId, zone } = properties;
  const { publicId, startDate, endDate, serviceLine } = authorization;
  const before = { endDate: addDays(startDate, -1) };
  const after = { startDate: addDays(endDate, 1) };
  const found = useAnswer(`${publicId} ${startDate} ${endDate} ${zone}`, (signal) =>
    Promise.all(
      [before, after].map(async (days) => {
        const query: Query = { authorizationId: publicId, timezone: zone, pageSize: 1, ...days };
        const [sessions, encounters] = await Promise.all([
          get<PageOf<Session>>(withQuery("sessions", { ...query, status: HOLDING }), signal),
          get<PageOf<Dated>>(withQuery("encounters", query), signal),
        ]);
        return { sessions, encounters };
      }),
    ),
  ).value;
  const name = serviceLine.name;
  return (
    <>
      {found?.map((each, index) => {
        const text = countsText(each);
        const first = [...each.sessions.data, ...each.encounters.data]
          .map(({ startTime }) => startTime)
          .toSorted()[0];
        if (text === undefined || first === undefined) return null;
        const day = dateOf(first, zone);
        const edge =
          index === 0
            ? `before it begins, ${dateText(startDate)}`
            : `after its end, ${dateText(endDate)}`;
        const way = addressOf(["schedule"], { whose: "patient", person: patientId, day });
        return (
          <p key={edge} class="notice outside">
            <span>
              <strong>{name}:</strong> {text} {edge}. The first on <a href={way}>{dateText(day)}</a>
              .
            </span>
          </p>
        );
      })}
    </>
  );
}

type Dated = Pick<Session, "startTime">;

/** `3 sessions booked and 2 encounters delivered`; undefined if there are none. */
function countsText(found: {
  sessions: PageOf<Dated>;
  encounters: PageOf<Dated>;
}): string | undefined {
  const booked = found.sessions.pagination.totalCount;
  const delivered = found.encounters.pagination.totalCount;
  const parts = [
    ...(booked > 0 ? [`${countText(booked, "session")} booked`] : []),
    ...(delivered > 0 ? [`${countText(delivered, "encounter")} delivered`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(" and ");
}
