import {
  bit,
  type Columns,
  date,
  instant,
  integer,
  nullable,
  organizationTable,
  real,
  recordTable,
  reference,
  sharedTable,
  text,
  withDefault,
} from "./table.ts";

/**
 * All tables, one column per line, each table after those it refers to. Each engine creates its tables from this list
 * and adds its triggers (`sqlite/tables.ts`, `postgresql/tables.ts`). The row types are in `schema.ts`.
 *
 * A change also needs a step in `steps.ts`, for existing databases: until 1.0.0 is tagged, the one that is there.
 */

/** Tables without another reference refer to their organization directly. */
const organization = reference("organizations");

/** Deferred: users may refer to users who are inserted after them. */
const otherUser = reference("users", { isDeferred: true });

/** Rows that are deleted with their goal. */
const goal = reference("goals", { isCascading: true });

/** Rows that are deleted with their user. */
const ownUser = reference("users", { isCascading: true });

/** Records that are listed by name. */
function namedTable<const Of extends Columns>(columns: Of, checks: readonly string[] = []) {
  return recordTable(
    { organization_id: organization, name: text, ...columns },
    { checks, indexes: { by_name: ["name", "public_id"] } },
  );
}

/** The hash of an empty audit trail, and the anchor of one that begins with its first row. */
export const NO_HASH = "0".repeat(64);

export const tables = {
  organizations: sharedTable(
    {
      public_id: text,
      name: text,
      time_zone: nullable(text),
      week_starts_on: text,
      // Whose reads are limited to their own patients: `TECHNICIANS`, `TECHNICIANS_AND_CLINICIANS`, or nobody's.
      own_patients_only: nullable(text),
      // The points that meet a goal's criterion in a row before it is met, where the goal does not say; null for 3.
      goal_days_in_a_row: nullable(integer),
      created_at: instant,
      // The number of the last write to the organization's records.
      sequence: withDefault(integer, 0),
      // Deletions are known from this number on.
      changes_known_from: withDefault(integer, 0),
    },
    { key: ["public_id"] },
  ),

  // By which rules of its time zone an organization's sessions were written: those in force, and older ones that differ
  // from them in what was to come.
  zone_rules: organizationTable(
    {
      organization_id: organization,
      zone: text,
      // The version of the IANA database.
      version: text,
      // As `lib/zone-rules.ts` packs them.
      rules: text,
      // The number of the last write with older rules; null of those in force.
      last_sequence: nullable(integer),
    },
    { key: ["zone", "version"] },
  ),

  // Organizations and their reference data.

  locations: namedTable({}),
  payors: namedTable({}),
  service_lines: namedTable(
    {
      billing_unit_minutes: nullable(integer),
      code: nullable(text),
      modifiers: text,
      records_data: withDefault(bit, 0),
      is_group: withDefault(bit, 0),
      kind: nullable(text),
    },
    ["billing_unit_minutes > 0"],
  ),
  non_billable_codes: namedTable({}),
  specializations: namedTable({ is_active: bit }),
  intake_stages: recordTable(
    {
      organization_id: organization,
      name: text,
      built_in_key: nullable(text),
      position: integer,
      is_active: bit,
    },
    { indexes: { by_position: ["position", "public_id"] } },
  ),
  intake_labels: namedTable({}),

  // Users of all roles share a table, since the specification lists them together.

  users: recordTable(
    {
      organization_id: organization,
      role: text,
      first_name: text,
      last_name: text,
      // Folded names, by which lists are sorted.
      last_name_key: text,
      first_name_key: text,
      email: nullable(text),
      email_key: nullable(text),
      phone_number: nullable(text),
      is_active: bit,
      user_status: nullable(text),
      sex: nullable(text),
      birth_date: nullable(date),
      caregiver_id: nullable(otherUser),
      address_line1: nullable(text),
      address_line2: nullable(text),
      city: nullable(text),
      state: nullable(text),
      postal_code: nullable(text),
      country: nullable(text),
      time_zone: nullable(text),
      internal_record_id: nullable(text),
      primary_clinician_id: nullable(otherUser),
      primary_location_id: nullable(reference("locations")),
      npi_number: nullable(text),
      should_send_sms: bit,
      recertification_date: nullable(instant),
      // A JSON array.
      compliance_credentials: nullable(text),
      // The last of the ends of `credentials`.
      credentials_end: nullable(instant),
      // Folded text for searches. Each engine has its own indexes for searches and orders (see `ordersOfUsers`).
      search_text: text,
      created_at: instant,
      updated_at: instant,
      // JSON arrays of entries, as an export writes them. What they refer to is in tables of links, too.
      payors: nullable(text),
      credentials: nullable(text),
    },
    {
      unique: [["email_key"]],
      indexes: {
        by_primary_clinician: {
          columns: ["primary_clinician_id", "public_id"],
          where: "primary_clinician_id is not null",
        },
        by_end_of_credentials: {
          columns: ["credentials_end", "public_id"],
          where: "credentials_end is not null",
        },
      },
      checks: [
        `role in (
          'ADMIN', 'BILLING_MANAGER', 'SCHEDULING_MANAGER', 'CLINICIAN', 'TECHNICIAN', 'PATIENT', 'CAREGIVER',
          'CLINICAL_ADMIN', 'PAYROLL_ADMIN', 'CLINICAL_SUPERADMIN'
        )`,
      ],
    },
  ),
  user_locations: organizationTable(
    { user_id: reference("users"), location_id: reference("locations") },
    { key: ["user_id", "location_id"], isInKeyOrder: true },
  ),
  provider_specializations: organizationTable(
    { user_id: reference("users"), specialization_id: reference("specializations") },
    { key: ["user_id", "specialization_id"], isInKeyOrder: true },
  ),
  provider_payors: organizationTable(
    { user_id: reference("users"), payor_id: reference("payors") },
    { key: ["user_id", "payor_id"], isInKeyOrder: true },
  ),
  patient_clinicians: organizationTable(
    { patient_id: otherUser, clinician_id: otherUser },
    {
      key: ["patient_id", "clinician_id"],
      indexes: { by_clinician: ["clinician_id", "patient_id"] },
      isInKeyOrder: true,
    },
  ),
  care_team_links: organizationTable(
    { clinician_id: otherUser, technician_id: otherUser },
    {
      key: ["clinician_id", "technician_id"],
      indexes: { by_technician: ["technician_id", "clinician_id"] },
      isInKeyOrder: true,
    },
  ),
  // The payors of `payors`, and of `payorCredentialing` in `credentials`.
  patient_payors: organizationTable(
    { patient_id: reference("users"), payor_id: reference("payors") },
    { key: ["patient_id", "payor_id"], isInKeyOrder: true },
  ),
  credentialing_payors: organizationTable(
    { user_id: reference("users"), payor_id: reference("payors") },
    { key: ["user_id", "payor_id"], isInKeyOrder: true },
  ),

  // API keys, and responses stored for retries.

  api_keys: organizationTable(
    {
      organization_id: organization,
      id: text,
      hash: text,
      name: text,
      role: text,
      user_id: nullable(reference("users")),
      created_at: instant,
      last_used_at: nullable(instant),
      expires_at: nullable(instant),
      revoked_at: nullable(instant),
      // The key created by rotating this one.
      successor_id: nullable(text),
      // Whether the key may only read.
      is_read_only: bit,
      kind: text,
    },
    {
      key: ["id"],
      unique: [["hash"]],
      checks: ["is_read_only in (0, 1)", "kind in ('API', 'AGENT', 'CALENDAR')"],
      indexes: { by_user: ["user_id", "created_at", "id"] },
    },
  ),
  // The organization of each key and passkey, for the lookup before the organization is known: by the hash of a key, or
  // of a passkey's credential id. In a cluster, every server has it.
  key_organizations: sharedTable(
    { hash: text, key_id: text, organization_id: text },
    { key: ["hash"], unique: [["key_id"]], isInKeyOrder: true },
  ),

  // Passkeys, invitations to register one, and sign-ins. Tokens are stored as hashes.

  passkeys: organizationTable(
    {
      user_id: ownUser,
      id: text,
      // In base64url, as browsers write it.
      credential_id: text,
      // COSE in base64url.
      public_key: text,
      // The RP id: the host for which it was registered, and of whose pages alone it can be used.
      host: text,
      name: text,
      // Whether its provider may copy it to other devices.
      is_synced: bit,
      // The authenticator's signature counter at the last use.
      signature_count: integer,
      created_at: instant,
      last_used_at: nullable(instant),
    },
    {
      key: ["id"],
      unique: [["credential_id"]],
      checks: ["is_synced in (0, 1)"],
      indexes: { by_user: ["user_id", "created_at", "id"] },
    },
  ),
  invitations: organizationTable(
    { user_id: ownUser, hash: text, created_at: instant, expires_at: instant },
    { key: ["user_id"], unique: [["hash"]] },
  ),
  sign_ins: organizationTable(
    {
      user_id: ownUser,
      id: text,
      passkey_id: text,
      hash: text,
      // Unique, so that no use of a passkey counts twice. The row stays after signing out, until it expires.
      challenge: text,
      created_at: instant,
      last_used_at: instant,
      expires_at: instant,
      ended_at: nullable(instant),
    },
    {
      key: ["id"],
      unique: [["hash"], ["challenge"]],
      references: [{ columns: ["passkey_id"], table: "passkeys", to: ["id"], isCascading: true }],
      indexes: {
        by_user: ["user_id", "created_at", "id"],
        by_passkey: ["passkey_id"],
        by_expiry: ["expires_at"],
      },
    },
  ),
  // Secrets of the database by name, created on first use and shared by all servers.
  secrets: sharedTable({ name: text, value: text }, { key: ["name"], isInKeyOrder: true }),

  // Responses to POSTs with an Idempotency-Key.
  idempotent_responses: organizationTable(
    {
      organization_id: organization,
      route: text,
      idempotency_key: text,
      body_hash: text,
      query_hash: text,
      status: integer,
      // Encrypted with a key derived from the request body.
      body: text,
      // A JSON array.
      patient_ids: text,
      // Of responses that show the organization's sequence.
      sequence: nullable(integer),
      created_at: instant,
      // To whom it was sent: `user ID`, or `key ID` of a key of nobody. Null before there was this column.
      caller: nullable(text),
    },
    { key: ["route", "idempotency_key"], indexes: { by_age: ["created_at"] } },
  ),

  // Authorizations, sessions and encounters.

  authorization_pools: recordTable(
    {
      patient_id: reference("users"),
      payor_id: reference("payors"),
      total_units: real,
      unit_frequency: text,
      is_unlimited: bit,
    },
    // Includes the patient, since the members of a pool refer to both.
    { unique: [["patient_id", "public_id"]] },
  ),
  authorizations: recordTable(
    {
      patient_id: reference("users"),
      authorization_pool_id: nullable(text),
      // For standalone authorizations; pooled ones have the payor of their pool.
      payor_id: nullable(reference("payors")),
      authorization_number: text,
      authorization_status: text,
      authorized_units_quantity: nullable(real),
      authorized_unit_frequency: nullable(text),
      service_line_id: reference("service_lines"),
      authorization_date: date,
      authorization_expiration_date: date,
    },
    {
      // The reference includes the patient, so that a pool and its members have the same one. Deferred, so that they
      // can change it together.
      references: [
        {
          columns: ["patient_id", "authorization_pool_id"],
          table: "authorization_pools",
          to: ["patient_id", "public_id"],
          isDeferred: true,
        },
      ],
      checks: ["authorization_date <= authorization_expiration_date"],
      indexes: {
        // This index and `by_end` cover the query for authorizations that are valid on a day.
        by_patient: [
          "patient_id",
          "authorization_date",
          "public_id",
          "authorization_expiration_date",
          "authorization_pool_id",
        ],
        by_pool: {
          columns: ["authorization_pool_id", "authorization_date", "public_id"],
          where: "authorization_pool_id is not null",
        },
        by_end: [
          "authorization_expiration_date",
          "public_id",
          "authorization_date",
          "authorization_pool_id",
          "patient_id",
        ],
      },
    },
  ),
  sessions: recordTable(
    {
      title: text,
      status: text,
      start_time: instant,
      end_time: instant,
      is_supervision: bit,
      is_client_present: bit,
      place_of_service: text,
      location_id: reference("locations"),
      technician_id: nullable(reference("users")),
      client_id: nullable(reference("users")),
      is_billable: bit,
      is_telehealth: nullable(bit),
      clinician_id: nullable(reference("users")),
      provider_location_id: nullable(reference("locations")),
      service_line_id: nullable(reference("service_lines")),
      non_billable_code_id: nullable(reference("non_billable_codes")),
      authorization_id: nullable(reference("authorizations")),
      // The `highestMidnight` that the session continues past; null if it ends on the UTC day on which it starts.
      over_midnight: nullable(integer),
    },
    {
      checks: [
        "start_time <= end_time",
        "(service_line_id is not null) = (is_billable = 1)",
        "(non_billable_code_id is null) = (is_billable = 1)",
      ],
      indexes: {
        by_start: ["start_time", "public_id"],
        by_client: {
          columns: ["client_id", "start_time", "public_id"],
          where: "client_id is not null",
        },
        by_technician: {
          columns: ["technician_id", "start_time", "public_id"],
          where: "technician_id is not null",
        },
        by_clinician: {
          columns: ["clinician_id", "start_time", "public_id"],
          where: "clinician_id is not null",
        },
        // These find own patients, from one client to the next.
        clients_of_technician: {
          columns: ["technician_id", "client_id", "start_time"],
          where: "technician_id is not null",
        },
        clients_of_clinician: {
          columns: ["clinician_id", "client_id", "start_time"],
          where: "clinician_id is not null",
        },
        by_status: ["status", "start_time", "public_id"],
        // These find the sessions that go on at an instant (see `goesOnAt`).
        over_midnight_by_start: {
          columns: ["over_midnight", "start_time"],
          where: "over_midnight is not null",
        },
        over_midnight_by_end: {
          columns: ["over_midnight", "end_time"],
          where: "over_midnight is not null",
        },
        // Covers all columns that utilization reads of a session.
        by_authorization: {
          columns: ["authorization_id", "start_time", "public_id", "end_time", "status"],
          where: "authorization_id is not null",
        },
      },
    },
  ),
  // The number of sessions that start on each UTC day (see `counts`).
  session_counts: organizationTable(
    { day: date, sessions: integer },
    { key: ["day"], isInKeyOrder: true },
  ),
  encounters: recordTable(
    {
      authorization_id: reference("authorizations"),
      session_id: nullable(reference("sessions")),
      start_time: instant,
      units: real,
      // The hand-overs for billing, as in a practice file; null without any.
      billed: nullable(text),
    },
    {
      checks: ["units >= 0"],
      indexes: {
        by_start: ["start_time", "public_id"],
        by_authorization: ["authorization_id", "start_time", "public_id", "units"],
        // Finds which sessions were delivered.
        by_session: {
          columns: ["session_id", "start_time", "public_id", "authorization_id", "units"],
          where: "session_id is not null",
        },
        // Finds the first of a session that delivers something, however many of its others have no units.
        first_of_session: {
          columns: ["session_id", "start_time", "public_id"],
          where: "session_id is not null and units > 0",
        },
      },
    },
  ),
  // The batches of `billed`.
  billed_batches: organizationTable(
    { batch: text, encounter_id: reference("encounters") },
    { key: ["batch", "encounter_id"], isInKeyOrder: true },
  ),

  // Intake leads.

  intake_leads: recordTable(
    {
      client_id: reference("users"),
      caregiver_id: reference("users"),
      relationship: text,
      stage_id: nullable(reference("intake_stages")),
      attribution: nullable(text),
      source: nullable(text),
      channel: nullable(text),
      campaign: nullable(text),
      created_at: instant,
    },
    {
      indexes: {
        by_creation: ["created_at", "public_id"],
        by_client: ["client_id", "created_at", "public_id"],
        by_stage: ["stage_id", "created_at", "public_id"],
        by_channel: ["channel", "created_at", "public_id"],
        by_source: ["source", "created_at", "public_id"],
      },
    },
  ),
  intake_lead_labels: organizationTable(
    { lead_id: reference("intake_leads"), label_id: reference("intake_labels") },
    {
      key: ["lead_id", "label_id"],
      indexes: { by_label: ["label_id", "lead_id"] },
      isInKeyOrder: true,
    },
  ),

  // Goals of all four types, and data recorded on them.

  treatment_plans: recordTable(
    { patient_id: reference("users"), name: nullable(text) },
    { indexes: { by_patient: ["patient_id", "public_id"] } },
  ),
  // A goal is one row with all goals below it.
  goals: recordTable(
    {
      treatment_plan_id: reference("treatment_plans"),
      type: text,
      status: text,
      // The number of the last write that changed more than what is recorded.
      changed_sequence: withDefault(integer, 0),
      // JSON: the goal as an export writes it, without what is below it and recorded.
      document: text,
      // JSON: the goals below it, likewise. Last, so that lists of goals do not read it.
      child_goals: text,
    },
    {
      indexes: {
        by_plan: ["treatment_plan_id", "public_id"],
        by_type: ["type", "public_id"],
        by_status: ["status", "public_id"],
      },
    },
  ),
  // Which goal has each goal below it, at any depth.
  child_goals: organizationTable(
    {
      public_id: text,
      goal_id: goal,
      status: text,
      // Among the goal's own children; null for those below them.
      position: nullable(integer),
    },
    { key: ["public_id"], indexes: { by_goal: ["goal_id", "position"] } },
  ),
  // What was recorded on a goal, or on one below it, on a UTC day: few rows to add to, and to read back to some day.
  recorded_data: organizationTable(
    {
      goal_id: goal,
      day: date,
      recorded_on: text,
      // The number of entries.
      amount: integer,
      // When the first and the last one happened: so that it is known without them whether one happened at some time.
      first_at: instant,
      last_at: instant,
      // A JSON array of the entries as an export writes them, in chronological order.
      entries: text,
    },
    { key: ["goal_id", "day", "recorded_on"], isInKeyOrder: true },
  ),

  // Deleted records, each with the number of the organization's write that deleted it.

  deletions: organizationTable(
    {
      organization_id: organization,
      // The type of the record in a practice file.
      type: text,
      public_id: text,
      sequence: integer,
      deleted_at: instant,
    },
    { key: ["type", "public_id"], indexes: { by_sequence: ["sequence"] } },
  ),

  // The organization's writes that changed something, each with its number and who made it.

  writes: organizationTable(
    {
      organization_id: organization,
      sequence: integer,
      time: instant,
      // Null for a command.
      key_id: nullable(text),
      user_id: nullable(text),
      // The operating system user of a command.
      operator: nullable(text),
    },
    { key: ["sequence"], isInKeyOrder: true, indexes: { by_time: ["time", "sequence"] } },
  ),

  // Endpoints that are called when the organization's sequence has grown.
  webhooks: organizationTable(
    {
      organization_id: organization,
      id: text,
      name: text,
      url: text,
      // Not hashed, because calls are signed with it.
      secret: text,
      // The secret before the last rotation, with which calls are signed, too, until that instant.
      previous_secret: nullable(text),
      previous_secret_until: nullable(instant),
      created_at: instant,
      // The last sequence that the endpoint has acknowledged.
      acknowledged: integer,
      // Whether the endpoint has answered that it is gone.
      is_off: bit,
      // Calls in a row that were not acknowledged.
      failures: integer,
      // No call is made before. A node that has taken the call moves it on.
      due_at: instant,
      last_attempt_at: nullable(instant),
      // Null if nothing answered.
      last_status: nullable(integer),
    },
    { key: ["id"], unique: [["url"]] },
  ),

  // The audit trail: one chain of rows per organization. Rows without an organization are in the chain of the empty
  // organization id, so these tables do not refer to organizations.

  audit_entries: organizationTable(
    {
      sequence: integer,
      time: instant,
      request_id: text,
      key_id: nullable(text),
      user_id: nullable(text),
      role: nullable(text),
      method: text,
      route: text,
      status: integer,
      // A JSON array.
      patient_ids: text,
      hash: text,
      target: nullable(text),
      address: nullable(text),
      operator: nullable(text),
      requests: nullable(integer),
    },
    { key: ["sequence"], isInKeyOrder: true },
  ),
  // The ends of each chain, so that truncation is detected. Triggers insert a row with each organization.
  audit_heads: organizationTable(
    {
      sequence: integer,
      hash: text,
      // The last row that was archived.
      anchor_sequence: withDefault(integer, 0),
      anchor_hash: withDefault(text, NO_HASH),
    },
    { key: [], isInKeyOrder: true },
  ),
  // How many bytes of each spool file are already in the chains.
  audit_spools: sharedTable({ id: text, taken: integer }, { key: ["id"], isInKeyOrder: true }),

  // The version of the program that made the database, and each that has brought it up to date since.
  versions: sharedTable(
    { position: integer, version: text, commit_id: text, since: instant },
    { key: ["position"] },
  ),
  // Applied steps of `steps.ts`, after the creation from the list.
  schema_migrations: sharedTable({ name: text, applied_at: instant }, { key: ["name"] }),
} as const;

/** The orders in which users are listed. */
export const ordersOfUsers = {
  creation: ["created_at", "public_id"],
  update: ["updated_at", "public_id"],
  name: ["last_name_key", "first_name_key", "public_id"],
} as const;

/** Counters: the number of rows of a table by group. Triggers maintain them in the transaction of each write. */
export interface Count {
  of: keyof typeof tables;
  /** The column of the counter. */
  number: string;
  /** The columns of a group, each as SQL over a row; column names get a prefix such as `new.`. */
  groups: Record<string, (row: string) => string>;
}

/** They make the totals of pages of sessions fast, without counting all rows. */
export const counts = {
  session_counts: {
    of: "sessions",
    number: "sessions",
    groups: { day: (row) => `substr(${row}start_time, 1, 10)` },
  },
} satisfies Partial<Record<keyof typeof tables, Count>>;
