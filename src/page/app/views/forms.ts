/** The forms of people and authorizations, which are loaded together when the first one is opened. */

export { EditAuthorizationDialog, NewAuthorizationForm } from "./authorization-form.tsx";
export { DischargeDialog } from "./discharge.tsx";
export { HasLeftDialog } from "./has-left.tsx";
export { EditPersonDialog, NewPersonDialog } from "./person-form.tsx";
export { EditPoolDialog, NewPoolForm } from "./pool-form.tsx";
export { PutOnDialog } from "./put-on.tsx";
export { RenewAllDialog } from "./renew-all.tsx";
export { TakeOverDialog } from "./take-over.tsx";
export { TimeOffDialog } from "./time-off.tsx";
