import { countText, dateText } from "../../lib/base/format.ts";
import { addressOf } from "../../lib/base/place.ts";
import { authorizationsIn } from "../../lib/authorizations/authorizations.ts";
import type { UtilizationSummary } from "../../lib/base/wire.ts";

/** Warnings above an authorization: what is booked or delivered before its first and after its last day. */
export function OutsideLines({ summary }: { summary: UtilizationSummary }) {
  const { patientId } = summary;
  return (
    <>
      {authorizationsIn(summary).flatMap(({ name, term, series: { outside } }) =>
        (["before", "after"] as const).map((side) => {
          const records = outside?.[side];
          if (!records || term === undefined) return null;
          const edge =
            side === "before"
              ? `before it begins, ${dateText(term.startDate)}`
              : `after its end, ${dateText(term.endDate)}`;
          const { firstDate: day } = records;
          const way = addressOf(["schedule"], { whose: "patient", person: patientId, date: day });
          return (
            <p key={name + side} class="notice outside">
              <span>
                <strong>{name}:</strong> {countText(records.records, "session")} booked or delivered{" "}
                {edge}. The first on <a href={way}>{dateText(day)}</a>.
              </span>
            </p>
          );
        }),
      )}
    </>
  );
}
