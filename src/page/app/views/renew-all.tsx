import { useState } from "preact/hooks";
import { readRecords } from "../lib/api.ts";
import type { DateRange } from "../lib/dates.ts";
import { readEndings } from "../lib/endings.ts";
import { Failure } from "../lib/failure.ts";
import { countText } from "../lib/format.ts";
import { type Line, newId } from "../lib/lines.ts";
import { practiceZone } from "../lib/me.ts";
import type { Path } from "../lib/mistakes.ts";
import type { RecordDescription } from "../lib/record-fields.ts";
import { type Successor, successorOf } from "../lib/rebinding.ts";
import { renewalsOf } from "../lib/renewals.ts";
import { useResponse } from "../lib/response.ts";
import { write } from "../lib/write.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ResponseView } from "../parts/notices.tsx";
import { RecordForm } from "../parts/record-form.tsx";
import { aloneDescription } from "./authorization-form.tsx";
import { type TakeOver, useTakeOver } from "./take-over.tsx";

/** Authorizations of a patient that end on one day are renewed in one form, with the sessions behind their end. */

const description: RecordDescription = {
  authorizations: { isList: true, fields: aloneDescription },
};

export function RenewAllDialog({ ids, patientId }: { ids: readonly string[]; patientId: string }) {
  const zone = practiceZone();
  const response = useResponse(`renew all ${ids.join()}`, async (signal) => {
    const stored = await readRecords("authorization", ids, signal);
    if (stored.length === 0) throw new Failure("These were deleted meanwhile.");
    const ending = stored.map((line) => ({
      publicId: line.publicId,
      serviceLine: String(line.serviceLineId),
      ...({
        startDate: line.authorizationDate,
        endDate: line.authorizationExpirationDate,
      } as DateRange),
    }));
    return { stored, takeOver: { zone, endings: await readEndings(ending, zone, signal) } };
  });
  return (
    <Dialog title={`Renew ${countText(ids.length, "authorization")}`}>
      <ResponseView response={response}>
        {({ stored, takeOver }) => (
          <RenewAllForm patientId={patientId} stored={stored} takeOver={takeOver} />
        )}
      </ResponseView>
    </Dialog>
  );
}

function RenewAllForm(properties: {
  patientId: string;
  stored: readonly Line[];
  takeOver: TakeOver;
}) {
  const { patientId, stored } = properties;
  const takeOver = useTakeOver(properties.takeOver);
  // The same ids each time that it is sent, so that a repeated request adds nothing twice.
  const [unique] = useState(newId);
  const linesOf = (authorizations: unknown): Line[] =>
    ((authorizations ?? []) as object[]).map((values, index) => ({
      ...{ type: "authorization", publicId: `auth_${unique}${index}`, patientId },
      ...values,
    }));
  const successorsIn = (lines: readonly Line[]): Successor[] =>
    lines.flatMap((line) => successorOf(line.publicId, line));
  return (
    <RecordForm
      label="Renew"
      description={description}
      sections={[{ fields: [{ name: "authorizations", label: "Authorizations" }] }]}
      // Each is a record behind the practice's own line.
      pathOf={([line, ...path]: Path) => ["authorizations", Number(line) - 2, ...path]}
      stored={{ authorizations: renewalsOf(stored) }}
      save="Add"
      onSave={async ({ values: { authorizations }, since }) => {
        const made = linesOf(authorizations);
        const done = `${countText(made.length, "authorization")} added.`;
        await write(takeOver.changeOf(done, made, successorsIn(made)), since);
      }}
    >
      {({ authorizations }) => takeOver.notice(successorsIn(linesOf(authorizations)))}
    </RecordForm>
  );
}
