import type { Reading } from "../../lib/base/api.ts";
import { authorizationsIn } from "../../lib/authorizations/authorizations.ts";
import type { TimeZone } from "../../lib/base/dates.ts";
import { readEndings } from "../../lib/authorizations/endings.ts";
import { openedDialog } from "../../lib/base/place.ts";
import { NEW_AUTHORIZATION, renewalOf } from "../../lib/authorizations/renewals.ts";
import { mayPutOnAuthorization, mayWrite } from "../../lib/base/rights.ts";
import { readSummary } from "../../lib/authorizations/summary.ts";
import { Dialog } from "../../parts/base/dialog.tsx";
import { ReadingDialog } from "../../parts/base/reading-dialog.tsx";
import {
  EditAuthorizationDialog,
  EditPoolDialog,
  NewAuthorizationForm,
  NewPoolForm,
  RenewAllDialog,
  TakeOverDialog,
} from "../late-forms.ts";

const NEW_POOL = { isUnlimited: false, members: [NEW_AUTHORIZATION] };

/** The dialog of a patient's authorizations and pools that is open, for those who may write them. */
export function AuthorizationDialogs({ patientId }: { patientId: string }) {
  const edited = openedDialog("edit-authorization")?.id;
  const pool = openedDialog("edit-pool")?.id;
  const renewed = openedDialog("renew")?.id;
  const taking = openedDialog("take-over")?.id;
  if (taking !== undefined && mayPutOnAuthorization())
    return <TakeOverDialog key={taking} id={taking} patientId={patientId} />;
  if (!mayWrite("authorization")) return null;
  if (edited !== undefined)
    return <EditAuthorizationDialog key={edited} id={edited} patientId={patientId} />;
  if (pool !== undefined) return <EditPoolDialog key={pool} id={pool} />;
  if (renewed !== undefined) return <RenewDialog key={renewed} id={renewed} />;
  const all = openedDialog("renew-all")?.ids?.split(",");
  if (all !== undefined) return <RenewAllDialog ids={all} patientId={patientId} />;
  const made = openedDialog("new-authorization");
  if (made)
    return (
      <Dialog title="New authorization">
        <NewAuthorizationForm
          patientId={patientId}
          values={{
            ...NEW_AUTHORIZATION,
            ...(made.service && { serviceLineId: made.service }),
            ...(made.payor && { payorId: made.payor }),
          }}
        />
      </Dialog>
    );
  if (openedDialog("new-pool"))
    return (
      <Dialog title="New pool">
        <NewPoolForm patientId={patientId} values={NEW_POOL} />
      </Dialog>
    );
  return null;
}

/** A dialog for the next authorization or pool, which takes sessions behind the end along. */
function RenewDialog({ id }: { id: string }) {
  const read = async (reading: Reading) => {
    const summary = await readSummary(id, {}, reading);
    const zone = summary.timezone as TimeZone;
    const ending = authorizationsIn(summary).flatMap(({ id: publicId, serviceLine, term }) =>
      term === undefined ? [] : [{ publicId, serviceLine, ...term }],
    );
    return { summary, takeOver: { zone, endings: await readEndings(ending, zone, reading) } };
  };
  return (
    <ReadingDialog title="Renew" question={`renew ${id}`} read={read}>
      {({ summary, takeOver }) => {
        const next = { patientId: summary.patientId, values: renewalOf(summary), takeOver };
        return summary.subject === "POOL" ? (
          <NewPoolForm {...next} />
        ) : (
          <NewAuthorizationForm {...next} />
        );
      }}
    </ReadingDialog>
  );
}
