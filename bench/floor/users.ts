import type { Database } from "bun:sqlite";
import type { AuthorizationPoolRow, AuthorizationRow, UserRow } from "../../db/schema.ts";
import { credentialsIn, payorsIn } from "../../src/users/stored-entries.ts";
import { type FloorPage, pageOf, PAGE_SIZE } from "./page.ts";

type Named<Row, Column extends string> = Row & Record<Column, string>;

/** A payor to which an entry of a user refers. */
interface PayorName {
  user_id: string;
  public_id: string;
  name: string;
}

/** Rows of tables that refer to a user by a column. */
type Lookup<Row> = (user: UserRow) => Row[];

/** The first page of an organization's users, of all roles. */
export function usersFloor(file: Database): (organizationId: string) => FloorPage {
  const page = file.prepare<UserRow, [string]>(
    `select public_id, role, first_name, last_name, email, phone_number, is_active, user_status, sex,
       birth_date, caregiver_id, address_line1, address_line2, city, state, postal_code,
       internal_record_id, primary_clinician_id, primary_location_id, compliance_credentials,
       payors, credentials
     from users where organization_id = ? order by created_at, public_id limit ${PAGE_SIZE}`,
  );
  const count = file.prepare<{ total: number }, [string]>(
    "select count(*) as total from users where organization_id = ?",
  );
  const readDetails = detailsFloor(file);
  return (organizationId) => {
    const users = page.all(organizationId);
    const details = readDetails(organizationId, users);
    const shown = users.map((user) => toUser(user, details));
    return pageOf(shown, count.get(organizationId)?.total ?? 0);
  };
}

type Details = ReturnType<ReturnType<typeof detailsFloor>>;

function detailsFloor(file: Database) {
  /** One statement for all users of the page, with their ids as one parameter. */
  const lookup = <Row>(owner: keyof Row & string, select: string) => {
    const statement = file.prepare<Row, [string, string]>(select);
    return (organizationId: string, ids: string): Lookup<Row> => {
      const rows = Map.groupBy(statement.all(organizationId, ids), (row) => row[owner] as string);
      return (user) => rows.get(user.public_id) ?? [];
    };
  };
  const ids = "in (select value from json_each(?2))";
  const locations = lookup<{ user_id: string; location_id: string }>(
    "user_id",
    `select user_id, location_id from user_locations
     where organization_id = ?1 and user_id ${ids} order by user_id, location_id`,
  );
  const clinicians = lookup<{ patient_id: string; clinician_id: string }>(
    "patient_id",
    `select patient_id, clinician_id from patient_clinicians
     where organization_id = ?1 and patient_id ${ids} order by patient_id, clinician_id`,
  );
  const payors = lookup<PayorName>(
    "user_id",
    `select l.patient_id as user_id, p.public_id, p.name from patient_payors l
     join payors p on p.organization_id = l.organization_id and p.public_id = l.payor_id
     where l.organization_id = ?1 and l.patient_id ${ids}`,
  );
  const authorizations = lookup<Named<AuthorizationRow, "service_line_name">>(
    "patient_id",
    `select a.patient_id, a.public_id, a.authorization_pool_id, a.authorization_number,
       a.authorization_status, a.authorized_units_quantity, a.authorized_unit_frequency,
       a.service_line_id, l.name as service_line_name, a.authorization_date,
       a.authorization_expiration_date
     from authorizations a
     join service_lines l on l.organization_id = a.organization_id and l.public_id = a.service_line_id
     where a.organization_id = ?1 and a.patient_id ${ids}
     order by a.patient_id, a.authorization_date, a.public_id`,
  );
  const pools = lookup<Named<AuthorizationPoolRow, "payor_name">>(
    "patient_id",
    `select o.patient_id, o.public_id, o.total_units, o.unit_frequency, o.is_unlimited, o.payor_id,
       p.name as payor_name
     from authorization_pools o
     join payors p on p.organization_id = o.organization_id and p.public_id = o.payor_id
     where o.organization_id = ?1 and o.patient_id ${ids} order by o.patient_id, o.public_id`,
  );
  const credentialing = lookup<PayorName>(
    "user_id",
    `select l.user_id, p.public_id, p.name from credentialing_payors l
     join payors p on p.organization_id = l.organization_id and p.public_id = l.payor_id
     where l.organization_id = ?1 and l.user_id ${ids}`,
  );
  const specializations = lookup<{ user_id: string; public_id: string; name: string }>(
    "user_id",
    `select l.user_id, s.public_id, s.name from provider_specializations l
     join specializations s
       on s.organization_id = l.organization_id and s.public_id = l.specialization_id
     where l.organization_id = ?1 and l.user_id ${ids} order by l.user_id, l.specialization_id`,
  );
  const technicians = lookup<{ clinician_id: string; technician_id: string }>(
    "clinician_id",
    `select clinician_id, technician_id from care_team_links
     where organization_id = ?1 and clinician_id ${ids} order by clinician_id, technician_id`,
  );
  const leads = lookup<{ technician_id: string; clinician_id: string }>(
    "technician_id",
    `select technician_id, clinician_id from care_team_links
     where organization_id = ?1 and technician_id ${ids} order by technician_id, clinician_id`,
  );

  return (organizationId: string, users: UserRow[]) => {
    const idsOf = (isWanted: (role: string) => boolean): string =>
      JSON.stringify(users.filter(({ role }) => isWanted(role)).map((user) => user.public_id));
    const patients = idsOf((role) => role === "PATIENT");
    const providers = idsOf(isProvider);
    return {
      locations: locations(
        organizationId,
        idsOf((role) => role !== "CAREGIVER"),
      ),
      clinicians: clinicians(organizationId, patients),
      payors: payors(organizationId, patients),
      authorizations: authorizations(organizationId, patients),
      pools: pools(organizationId, patients),
      credentialing: credentialing(organizationId, providers),
      specializations: specializations(organizationId, providers),
      technicians: technicians(
        organizationId,
        idsOf((role) => isProvider(role) && role !== "TECHNICIAN"),
      ),
      leads: leads(
        organizationId,
        idsOf((role) => role === "TECHNICIAN"),
      ),
    };
  };
}

const PROVIDERS = new Set(["CLINICIAN", "TECHNICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"]);

function isProvider(role: string): boolean {
  return PROVIDERS.has(role);
}

function toUser(user: UserRow, details: Details): object {
  const base = {
    publicId: user.public_id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email ?? "",
    phoneNumber: user.phone_number ?? "",
    userStatus: user.user_status,
    isActive: user.is_active === 1,
    role: user.role,
    sex: user.sex,
    birthDate: user.birth_date,
    caregiverId: user.caregiver_id,
    addressLine1: user.address_line1,
    addressLine2: user.address_line2,
    city: user.city,
    state: user.state,
    postalCode: user.postal_code,
  };
  if (user.role === "CAREGIVER") return base;
  const locationIds = details.locations(user).map((row) => row.location_id);
  if (user.role === "PATIENT") return { ...base, ...patientFields(user, details, locationIds) };
  const places = { locationIds, primaryLocationId: user.primary_location_id };
  if (!isProvider(user.role)) return { ...base, ...places };
  return {
    ...base,
    credentials: credentialsOf(user, details),
    complianceCredentials: JSON.parse(user.compliance_credentials ?? "[]").sort(),
    specializations: details
      .specializations(user)
      .map((row) => ({ publicId: row.public_id, name: row.name })),
    ...places,
    ...(user.role === "TECHNICIAN"
      ? { careTeamLeadIds: details.leads(user).map((row) => row.clinician_id) }
      : { careTeamTechnicianIds: details.technicians(user).map((row) => row.technician_id) }),
  };
}

function credentialsOf(user: UserRow, details: Details): object[] {
  const names = nameOf(details.credentialing(user));
  return credentialsIn(user).map(({ payorCredentialing, ...credential }) => ({
    ...credential,
    payorCredentialing: payorCredentialing.map((entry) => ({
      publicId: entry.publicId,
      payor: { publicId: entry.payorId, name: names(entry.payorId) },
      status: entry.status,
      startDate: entry.startDate,
      endDate: entry.endDate,
      notes: entry.notes,
    })),
  }));
}

function nameOf(payors: readonly PayorName[]): (payorId: string) => string | undefined {
  return (payorId) => payors.find(({ public_id }) => public_id === payorId)?.name;
}

function patientFields(user: UserRow, details: Details, locationIds: string[]): object {
  const authorizations = details.authorizations(user).map((row) => ({
    row,
    head: {
      publicId: row.public_id,
      authorizationNumber: row.authorization_number,
      authorizationStatus: row.authorization_status,
    },
    scope: {
      serviceLine: { publicId: row.service_line_id, name: row.service_line_name },
      authorizationDate: row.authorization_date,
      authorizationExpirationDate: row.authorization_expiration_date,
    },
  }));
  return {
    internalRecordId: user.internal_record_id,
    payors: payorsIn(user).map(({ payorId, ...entry }) => ({
      payorName: nameOf(details.payors(user))(payorId),
      ...entry,
      groupId: entry.groupId ?? "",
    })),
    authorizations: authorizations
      .filter(({ row }) => row.authorization_pool_id === null)
      .map(({ row, head, scope }) => ({
        ...head,
        authorizedUnitsQuantity: row.authorized_units_quantity,
        authorizedUnitFrequency: row.authorized_unit_frequency,
        ...scope,
      })),
    authorizationPools: details.pools(user).map((pool) => ({
      publicId: pool.public_id,
      totalUnits: pool.total_units,
      unitFrequency: pool.unit_frequency,
      isUnlimited: pool.is_unlimited === 1,
      payor: { publicId: pool.payor_id, name: pool.payor_name },
      authorizations: authorizations
        .filter(({ row }) => row.authorization_pool_id === pool.public_id)
        .map(({ head, scope }) => ({ ...head, ...scope })),
    })),
    locationIds,
    clinicianIds: details.clinicians(user).map((row) => row.clinician_id),
    primaryClinicianId: user.primary_clinician_id,
  };
}
