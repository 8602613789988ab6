import { Type } from "@sinclair/typebox";
import {
  CalendarDateField,
  FreeTextField,
  InstantField,
  Nullable,
  ShortTextField,
} from "../schema/fields.ts";

/** Entries of a user's lists in the API: payors, authorizations, credentials. */

const NullableString = Nullable(Type.String());
const ShortText = ShortTextField();

/** A reference to a payor, service line or specialization: id and name. */
function reference($id: string) {
  return Type.Object({ publicId: Type.String(), name: Type.String() }, { $id });
}

export const PayorReference = reference("PayorReference");
export const ServiceLineReference = reference("ServiceLineReference");
export const SpecializationReference = reference("SpecializationReference");

export const PostalAddress = Type.Object(
  {
    addressLine1: NullableString,
    addressLine2: NullableString,
    city: NullableString,
    state: NullableString,
    postalCode: NullableString,
  },
  { $id: "PostalAddress" },
);

/** Fields of a patient's payor entry other than the payor; also used by the practice file. */
export const payorEntryFields = {
  priority: ShortTextField({ examples: ["PRIMARY"] }),
  relationshipToPatient: ShortTextField({ examples: ["SELF", "PARENT"] }),
  insuredBirthDate: CalendarDateField(),
  insuredAddress: PostalAddress,
  memberId: ShortText,
  groupId: ShortText,
  planHolder: ShortText,
  effectiveStartDate: CalendarDateField(),
  effectiveEndDate: Nullable(CalendarDateField()),
};

export const PatientPayor = Type.Object(
  { payorName: Type.String(), ...payorEntryFields },
  { $id: "PatientPayor" },
);

const authorizationFields = {
  publicId: Type.String(),
  authorizationNumber: Type.String(),
  authorizationStatus: Type.String({ examples: ["AUTHORIZED"] }),
};

const authorizationScope = {
  serviceLine: ServiceLineReference,
  authorizationDate: CalendarDateField(),
  authorizationExpirationDate: CalendarDateField(),
};

export const Authorization = Type.Object(
  {
    ...authorizationFields,
    authorizedUnitsQuantity: Type.Number(),
    authorizedUnitFrequency: Type.String({ examples: ["DAILY", "WEEKLY"] }),
    ...authorizationScope,
  },
  { $id: "Authorization", description: "A standalone authorization." },
);

export const PooledAuthorization = Type.Object(
  { ...authorizationFields, ...authorizationScope },
  { $id: "PooledAuthorization", description: "An authorization that uses the units of its pool." },
);

export const AuthorizationPool = Type.Object(
  {
    publicId: Type.String(),
    totalUnits: Type.Number(),
    unitFrequency: Type.String({ examples: ["DAILY", "WEEKLY"] }),
    isUnlimited: Type.Boolean(),
    payor: PayorReference,
    authorizations: Type.Array(PooledAuthorization),
  },
  {
    $id: "AuthorizationPool",
    description: "Units shared by several authorizations, possibly of different service lines.",
  },
);

/** Fields of a credentialing entry other than the payor; also used by the practice file. */
export const credentialingFields = {
  status: ShortTextField({ examples: ["APPROVED"] }),
  startDate: CalendarDateField(),
  endDate: Nullable(CalendarDateField()),
  notes: Nullable(FreeTextField()),
};

export const PayorCredentialing = Type.Object(
  { publicId: Type.String(), payor: PayorReference, ...credentialingFields },
  { $id: "PayorCredentialing" },
);

/** Fields of a credential other than its credentialing; also used by the practice file. */
export const credentialFields = {
  credentialType: ShortTextField({ examples: ["BCBA"] }),
  practiceArea: ShortTextField({ examples: ["ABA"] }),
  credentialNumber: ShortText,
  expiresAt: InstantField(),
  credentialStatus: ShortTextField({ examples: ["active"] }),
};

export const ProviderCredential = Type.Object(
  { ...credentialFields, payorCredentialing: Type.Array(PayorCredentialing) },
  { $id: "ProviderCredential" },
);
