import { later } from "../parts/base/later.tsx";

/** The forms of people and authorizations, which are loaded together when the first one is opened. */

const forms = () => import("./forms.ts");

export const EditAuthorizationDialog = later(async () => (await forms()).EditAuthorizationDialog);
export const EditGoalDialog = later(async () => (await forms()).EditGoalDialog);
export const EditPersonDialog = later(async () => (await forms()).EditPersonDialog);
export const EditPoolDialog = later(async () => (await forms()).EditPoolDialog);
export const LeavingDialog = later(async () => (await forms()).LeavingDialog);
export const MendDialog = later(async () => (await forms()).MendDialog);
export const NewAuthorizationForm = later(async () => (await forms()).NewAuthorizationForm);
export const NewPersonDialog = later(async () => (await forms()).NewPersonDialog);
export const NewPoolForm = later(async () => (await forms()).NewPoolForm);
export const PutOnDialog = later(async () => (await forms()).PutOnDialog);
export const RenewAllDialog = later(async () => (await forms()).RenewAllDialog);
export const TakeOverDialog = later(async () => (await forms()).TakeOverDialog);
export const TimeOffDialog = later(async () => (await forms()).TimeOffDialog);
