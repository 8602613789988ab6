import type { Generated } from "kysely";
import type { Bit, DefaultsOf, RowOf } from "./table.ts";
import type { tables } from "./tables.ts";

/** Row types of the tables in `tables.ts`. */

export type { Bit } from "./table.ts";

export function toBit(value: boolean): Bit {
  return value ? 1 : 0;
}

export function fromBit(bit: Bit): boolean {
  return bit === 1;
}

type ColumnsOf<Name extends keyof typeof tables> = (typeof tables)[Name]["columns"];

/** All tables, for Kysely. */
export type Schema = {
  [Name in keyof typeof tables]: RowOf<ColumnsOf<Name>> & {
    [Column in keyof DefaultsOf<ColumnsOf<Name>>]: Generated<DefaultsOf<ColumnsOf<Name>>[Column]>;
  };
};

/** A complete row as features write it, without columns that have a default. */
export type Row<Name extends keyof typeof tables> = RowOf<ColumnsOf<Name>>;

export type OrganizationRow = Row<"organizations">;
export type ApiKeyRow = Row<"api_keys">;
export type PasskeyRow = Row<"passkeys">;
export type InvitationRow = Row<"invitations">;
export type SignInRow = Row<"sign_ins">;
export type WebhookRow = Row<"webhooks">;
export type IdempotentResponseRow = Row<"idempotent_responses">;
export type UserRow = Row<"users">;
export type AuthorizationPoolRow = Row<"authorization_pools">;
export type AuthorizationRow = Row<"authorizations">;
export type SessionRow = Row<"sessions">;
export type EncounterRow = Row<"encounters">;
export type IntakeLeadRow = Row<"intake_leads">;
export type GoalRow = Row<"goals">;
export type ChildGoalRow = Row<"child_goals">;
export type RecordedDataRow = Row<"recorded_data">;
export type AuditEntryRow = Row<"audit_entries">;
