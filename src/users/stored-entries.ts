import { type Static, Type } from "@sinclair/typebox";
import type { UserRow } from "../../db/schema.ts";
import {
  AddressTextField,
  CalendarDateField,
  FreeTextField,
  PublicIdField,
  ShortTextField,
} from "../schema/fields.ts";
import { inForm } from "../schema/record-map.ts";
import { credentialFields, credentialingFields, payorEntryFields } from "./entries.ts";

/** Entries of a user's lists in practice files. They are stored as an export writes them. */

const OptionalText = Type.Optional(ShortTextField());
const OptionalAddress = Type.Optional(AddressTextField());

const InsuredAddress = Type.Object({
  addressLine1: OptionalAddress,
  addressLine2: OptionalAddress,
  city: OptionalText,
  state: OptionalText,
  postalCode: OptionalText,
});

export const PayorEntry = Type.Object({
  payorId: PublicIdField(),
  ...payorEntryFields,
  insuredAddress: InsuredAddress,
  groupId: OptionalText,
  effectiveEndDate: Type.Optional(CalendarDateField()),
});

export const CredentialingEntry = Type.Object({
  publicId: PublicIdField(),
  payorId: PublicIdField(),
  ...credentialingFields,
  endDate: Type.Optional(CalendarDateField()),
  notes: Type.Optional(FreeTextField()),
});

export const CredentialEntry = Type.Object({
  ...credentialFields,
  payorCredentialing: Type.Optional(Type.Array(CredentialingEntry)),
});

export type PayorEntry = Static<typeof PayorEntry>;
export type CredentialingEntry = Static<typeof CredentialingEntry>;
export type CredentialEntry = Static<typeof CredentialEntry>;

/** An entry with all its fields: null without a value. */
type Complete<Entry> = {
  [Field in keyof Entry]-?: undefined extends Entry[Field]
    ? Exclude<Entry[Field], undefined> | null
    : Entry[Field];
};

/** An entry of a patient's `payors`. */
export type StoredPayor = Complete<PayorEntry>;

/** An entry of a provider's `credentials`. */
export type StoredCredential = Omit<CredentialEntry, "payorCredentialing"> & {
  payorCredentialing: Complete<CredentialingEntry>[];
};

/** The columns of entries, null without any. */
export type EntryColumns = Pick<UserRow, "payors" | "credentials" | "credentials_end">;

/** The columns of a user's entries. */
export function entryColumns({
  payors = [],
  credentials = [],
}: {
  payors?: readonly PayorEntry[] | undefined;
  credentials?: readonly CredentialEntry[] | undefined;
}): EntryColumns {
  const ends = credentials.map(({ expiresAt }) => expiresAt).toSorted();
  return {
    payors: toColumn(payors.map(completePayor)),
    credentials: toColumn(credentials.map(completeCredential)),
    credentials_end: ends.at(-1) ?? null,
  };
}

function completePayor(entry: PayorEntry): object {
  const insuredAddress = inForm(InsuredAddress, entry.insuredAddress);
  return inForm(PayorEntry, { ...entry, insuredAddress });
}

function completeCredential({ payorCredentialing = [], ...credential }: CredentialEntry): object {
  const entries = payorCredentialing.map((entry) => inForm(CredentialingEntry, entry));
  return inForm(CredentialEntry, { ...credential, payorCredentialing: entries });
}

function toColumn(entries: readonly object[]): string | null {
  return entries.length === 0 ? null : JSON.stringify(entries);
}

/** The entries of a user's `payors`, in their order. */
export function payorsIn({ payors }: Pick<UserRow, "payors">): StoredPayor[] {
  return payors === null ? [] : (JSON.parse(payors) as StoredPayor[]);
}

/** The entries of a user's `credentials`, in their order. */
export function credentialsIn({ credentials }: Pick<UserRow, "credentials">): StoredCredential[] {
  return credentials === null ? [] : (JSON.parse(credentials) as StoredCredential[]);
}
