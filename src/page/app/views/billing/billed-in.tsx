import { readRecords } from "../../lib/base/api.ts";
import { billedIn } from "../../lib/billing/hand-overs.ts";
import { useRemembered } from "../../lib/base/response.ts";
import { PartFailure } from "../../parts/base/notices.tsx";
import type { Encounter } from "../../lib/base/wire.ts";

/**
 * In which batches encounters were handed over for billing, before somebody changes them. A request of its own, since
 * only their records know.
 */
export function BilledIn({ encounters }: { encounters: readonly Encounter[] }) {
  const ids = encounters.map(({ publicId }) => publicId);
  const response = useRemembered(ids.length === 0 ? undefined : `billed ${ids.join()}`, (reading) =>
    readRecords("encounter", ids, reading),
  );
  const batches = (response.value ?? []).flatMap(({ billed }) => billedIn(billed as never) ?? []);
  return (
    <>
      <PartFailure response={response} what="In which batch it is billed" />
      {[...new Set(batches)].map((batch) => (
        <p key={batch} class="notice">
          What was delivered is billed in batch <bdi>{batch}</bdi>.
        </p>
      ))}
    </>
  );
}
