import type { Static } from "@sinclair/typebox";
import { isAdmin, isClinician, isProvider, type Role } from "../callers/roles.ts";
import { authorizationMap, authorizationPoolMap } from "../schema/authorizations.ts";
import { inForm, presenter } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
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
import { credentialsIn, payorsIn } from "./stored-entries.ts";

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

type Names = UserDetails["payorNames"];

/** The payors of a user's entries, by id. */
function payorsById(id: string, names: Names) {
  return new Map(names.get(id)?.map(({ public_id, name }) => [public_id, name]));
}

function credentials(id: string, details: UserDetails): Static<typeof ProviderCredential>[] {
  const names = payorsById(id, details.credentialingNames);
  return (details.entries.get(id) ?? [])
    .flatMap(credentialsIn)
    .map(({ payorCredentialing, ...credential }) => ({
      ...credential,
      payorCredentialing: payorCredentialing.map(
        ({ payorId, ...entry }) =>
          inForm(PayorCredentialing, {
            ...entry,
            payor: { publicId: payorId, name: names.get(payorId) },
          }) as Static<typeof PayorCredentialing>,
      ),
    }));
}

function payors(id: string, details: UserDetails): Static<typeof PatientPayor>[] {
  const names = payorsById(id, details.payorNames);
  return (details.entries.get(id) ?? []).flatMap(payorsIn).map(({ payorId, groupId, ...entry }) => {
    // The specification has the group as a text, which is empty without one.
    const shown = { ...entry, payorName: names.get(payorId), groupId: groupId ?? "" };
    return inForm(PatientPayor, shown) as Static<typeof PatientPayor>;
  });
}

function payor({ payor_id, payor_name }: { payor_id: string; payor_name: string }) {
  return { publicId: payor_id, name: payor_name };
}

const presentAuthorization = presenter(authorizationMap, Authorization);

function patientLists(id: string, details: UserDetails) {
  const authorizations = details.authorizations.get(id) ?? [];
  return {
    payors: payors(id, details),
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
