import type { Static } from "@sinclair/typebox";
import { isAdmin, isClinician, isProvider, type Role } from "../access/roles.ts";
import { authorizationMap, authorizationPoolMap } from "../schema/authorizations.ts";
import { presenter } from "../schema/record-map.ts";
import { credentialingMap, credentialMap, patientPayorMap, userMap } from "../schema/users.ts";
import type { UserDetails } from "./details.ts";
import {
  Authorization,
  AuthorizationPool,
  PatientPayor,
  PayorCredentialing,
  PooledAuthorization,
  ProviderCredential,
} from "./entries.ts";
import {
  AdministratorUser,
  CaregiverUser,
  ClinicianUser,
  PatientUser,
  NamedUser,
  TechnicianUser,
  type User,
} from "./model.ts";
import type { ShownUserRow } from "./repository.ts";

const presentPatient = presenter(userMap, PatientUser);
const presentClinician = presenter(userMap, ClinicianUser);
const presentTechnician = presenter(userMap, TechnicianUser);
const presentAdministrator = presenter(userMap, AdministratorUser);
const presentCaregiver = presenter(userMap, CaregiverUser);

/** Converts a user to who it is. */
export const presentName = presenter(userMap, NamedUser);

/** Converts a user to its API model: the base fields and those of the role. */
export function presentUser(row: ShownUserRow, details: UserDetails): User {
  const role = row.role as Role;
  const id = row.public_id;
  if (role === "PATIENT") return presentPatient(row, patientLists(id, details));
  if (isClinician(role))
    return presentClinician(row, {
      ...providerLists(id, details),
      careTeamTechnicianIds: linkedIds(id, details.technicians),
    });
  if (isProvider(role))
    return presentTechnician(row, {
      ...providerLists(id, details),
      careTeamLeadIds: linkedIds(id, details.leads),
    });
  if (isAdmin(role))
    return presentAdministrator(row, { locationIds: linkedIds(id, details.locations) });
  return presentCaregiver(row);
}

function linkedIds(id: string, links: UserDetails["locations"]): string[] {
  return (links.get(id) ?? []).map((link) => link.linked_id);
}

function providerLists(id: string, details: UserDetails) {
  return {
    credentials: credentials(id, details),
    specializations: (details.specializations.get(id) ?? []).map((link) => ({
      publicId: link.public_id,
      name: link.name,
    })),
    locationIds: linkedIds(id, details.locations),
  };
}

const presentCredential = presenter(credentialMap, ProviderCredential);
const presentCredentialing = presenter(credentialingMap, PayorCredentialing);

function credentials(id: string, details: UserDetails): Static<typeof ProviderCredential>[] {
  const credentialing = Map.groupBy(
    details.credentialing.get(id) ?? [],
    (entry) => entry.credential_position,
  );
  return (details.credentials.get(id) ?? []).map((credential) =>
    presentCredential(credential, {
      payorCredentialing: (credentialing.get(credential.position) ?? []).map((entry) =>
        presentCredentialing(entry, { payor: payor(entry) }),
      ),
    }),
  );
}

function payor({ payor_id, payor_name }: { payor_id: string; payor_name: string }) {
  return { publicId: payor_id, name: payor_name };
}

const presentPayor = presenter(patientPayorMap, PatientPayor);
const presentAuthorization = presenter(authorizationMap, Authorization);

function patientLists(id: string, details: UserDetails) {
  const authorizations = details.authorizations.get(id) ?? [];
  return {
    payors: (details.payors.get(id) ?? []).map((entry) =>
      presentPayor(entry, { payorName: entry.payor_name }),
    ),
    authorizations: authorizations
      .filter((authorization) => authorization.authorization_pool_id === null)
      .map((row) => presentAuthorization(row, { serviceLine: serviceLine(row) })),
    authorizationPools: pools(id, details),
    locationIds: linkedIds(id, details.locations),
    clinicianIds: linkedIds(id, details.clinicians),
  };
}

type AuthorizationRow = NonNullable<ReturnType<UserDetails["authorizations"]["get"]>>[number];

function serviceLine({ service_line_id, service_line_name }: AuthorizationRow) {
  return { publicId: service_line_id, name: service_line_name };
}

const presentPool = presenter(authorizationPoolMap, AuthorizationPool);
const presentPooled = presenter(authorizationMap, PooledAuthorization);

function pools(patientId: string, details: UserDetails): Static<typeof AuthorizationPool>[] {
  const members = Map.groupBy(
    details.authorizations.get(patientId) ?? [],
    (authorization) => authorization.authorization_pool_id,
  );
  return (details.pools.get(patientId) ?? []).map((pool) =>
    presentPool(pool, {
      payor: payor(pool),
      authorizations: (members.get(pool.public_id) ?? []).map((row) =>
        presentPooled(row, { serviceLine: serviceLine(row) }),
      ),
    }),
  );
}
