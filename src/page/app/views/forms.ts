/** What `late-forms.ts` loads. */

export {
  EditAuthorizationDialog,
  NewAuthorizationForm,
} from "./authorizations/authorization-form.tsx";
export { EditGoalDialog } from "./goals/edit-goal.tsx";
export { LeavingDialog } from "./person/leaving.tsx";
export { EditPersonDialog, NewPersonDialog } from "./person/person-form.tsx";
export { EditPoolDialog, NewPoolForm } from "./authorizations/pool-form.tsx";
export { MendDialog } from "./attention/mend.tsx";
export { PutOnDialog } from "./authorizations/put-on.tsx";
export { RenewAllDialog } from "./authorizations/renew-all.tsx";
export { TakeOverDialog } from "./authorizations/take-over.tsx";
export { TimeOffDialog } from "./person/time-off.tsx";
