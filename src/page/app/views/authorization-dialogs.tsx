import { openedDialog } from "../lib/place.ts";
import { NEW_AUTHORIZATION, renewalOf } from "../lib/renewals.ts";
import { useResponse } from "../lib/response.ts";
import { mayWrite } from "../lib/rights.ts";
import { readSummary } from "../lib/summary.ts";
import { Dialog } from "../parts/dialog.tsx";
import { later } from "../parts/later.tsx";
import { ResponseView } from "../parts/notices.tsx";

const EditAuthorizationDialog = later(
  async () => (await import("./authorization-form.tsx")).EditAuthorizationDialog,
);
const NewAuthorizationForm = later(
  async () => (await import("./authorization-form.tsx")).NewAuthorizationForm,
);
const EditPoolDialog = later(async () => (await import("./pool-form.tsx")).EditPoolDialog);
const NewPoolForm = later(async () => (await import("./pool-form.tsx")).NewPoolForm);

const NEW_POOL = { isUnlimited: false, members: [NEW_AUTHORIZATION] };

/** The dialog of a patient's authorizations and pools that is open, for those who may write them. */
export function AuthorizationDialogs({ patientId }: { patientId: string }) {
  const edited = openedDialog("edit-authorization")?.id;
  const pool = openedDialog("edit-pool")?.id;
  const renewed = openedDialog("renew")?.id;
  if (!mayWrite("authorization")) return null;
  if (edited !== undefined)
    return <EditAuthorizationDialog key={edited} id={edited} patientId={patientId} />;
  if (pool !== undefined) return <EditPoolDialog key={pool} id={pool} />;
  if (renewed !== undefined) return <RenewDialog key={renewed} id={renewed} />;
  if (openedDialog("new-authorization"))
    return (
      <Dialog title="New authorization">
        <NewAuthorizationForm patientId={patientId} values={NEW_AUTHORIZATION} />
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

/** A dialog for the next authorization or pool. */
function RenewDialog({ id }: { id: string }) {
  const response = useResponse(`renew ${id}`, (signal) => readSummary(id, {}, signal));
  return (
    <Dialog title="Renew">
      <ResponseView response={response}>
        {(summary) => {
          const next = { patientId: summary.patientId, values: renewalOf(summary) };
          return summary.subject === "POOL" ? (
            <NewPoolForm {...next} />
          ) : (
            <NewAuthorizationForm {...next} />
          );
        }}
      </ResponseView>
    </Dialog>
  );
}
