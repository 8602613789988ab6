import { useState } from "preact/hooks";
import { type Reading, readRecords } from "../../lib/base/api.ts";
import { readEndings } from "../../lib/authorizations/endings.ts";
import { Failure } from "../../lib/base/failure.ts";
import { countText } from "../../lib/base/format.ts";
import { newId } from "../../lib/base/lines.ts";
import { practiceZone } from "../../lib/base/me.ts";
import type { RecordDescription } from "../../lib/base/record-fields.ts";
import { serviceTermsIn } from "../../lib/authorizations/rebinding.ts";
import { entryLines, pathAmong, renewalsOf } from "../../lib/authorizations/renewals.ts";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import { aloneDescription } from "./authorization-form.tsx";
import { NewAuthorizations } from "./new-authorizations.tsx";

/** Authorizations of a patient that end on one day are renewed in one form, with the sessions behind their end. */

const description: RecordDescription = {
  authorizations: { isList: true, fields: aloneDescription },
};

export function RenewAllDialog({ ids, patientId }: { ids: readonly string[]; patientId: string }) {
  const zone = practiceZone();
  // The same ids each time that it is sent, so that a repeated request adds nothing twice.
  const [unique] = useState(newId);
  const read = async (reading: Reading) => {
    const stored = await readRecords("authorization", ids, reading);
    if (stored.length === 0) throw new Failure("These were deleted meanwhile.");
    const endings = await readEndings(serviceTermsIn(stored), zone, reading);
    return { stored, takeOver: { zone, endings } };
  };
  return (
    <ReadingDialog
      title={`Renew ${countText(ids.length, "authorization")}`}
      question={`renew all ${ids.join()}`}
      read={read}
    >
      {({ stored, takeOver }) => (
        <NewAuthorizations
          label="Renew"
          description={description}
          sections={[{ fields: [{ name: "authorizations", label: "Authorizations" }] }]}
          pathOf={pathAmong("authorizations", 2)}
          stored={{ authorizations: renewalsOf(stored) }}
          linesOf={({ authorizations }) => entryLines(unique, { patientId }, authorizations)}
          done={(made) => `${countText(made.length, "authorization")} added.`}
          takeOver={takeOver}
        />
      )}
    </ReadingDialog>
  );
}
