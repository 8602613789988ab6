import {
  bit,
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
 * Every table, a column a line, each table after those that it refers to. Each engine makes its tables of this list and
 * adds its triggers (`sqlite/tables.ts`, `postgresql/tables.ts`); `schema.ts` has the types of the rows.
 *
 * Nothing has been released, so a table is changed here and nowhere else. After the first release a change also needs a
 * step in `steps.ts`, for the databases that there are by then.
 */

/** A row that hangs on no other row refers to its organization itself. */
const organization = reference("organizations");

/** Users may name users who are written after them. */
const otherUser = reference("users", { isDeferred: true });

/** What a deleted goal takes with it. */
const goal = reference("goals", { isCascading: true });

/** The hash of an audit trail without rows, and the anchor of one that begins with its first row. */
export const NO_HASH = "0".repeat(64);

export const tables = {
  organizations: sharedTable(
    {
      public_id: text,
      name: text,
      time_zone: nullable(text),
      week_starts_on: text,
      created_at: instant,
      // The number of the last write of the organization's records.
      sequence: withDefault(integer, 0),
      // Which records were deleted is known from this number on.
      changes_known_from: withDefault(integer, 0),
    },
    { key: ["public_id"] },
  ),

  // What an organization sets up once, and other records name.

  locations: recordTable(
    { organization_id: organization, name: text },
    { indexes: { by_name: ["name", "public_id"] } },
  ),
  payors: recordTable(
    { organization_id: organization, name: text },
    { indexes: { by_name: ["name", "public_id"] } },
  ),
  service_lines: recordTable(
    { organization_id: organization, name: text, billing_unit_minutes: nullable(integer) },
    { checks: ["billing_unit_minutes > 0"], indexes: { by_name: ["name", "public_id"] } },
  ),
  non_billable_codes: recordTable(
    { organization_id: organization, name: text },
    { indexes: { by_name: ["name", "public_id"] } },
  ),
  specializations: recordTable(
    { organization_id: organization, name: text, is_active: bit },
    { indexes: { by_name: ["name", "public_id"] } },
  ),
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
  intake_labels: recordTable(
    { organization_id: organization, name: text },
    { indexes: { by_name: ["name", "public_id"] } },
  ),

  // Users of all roles in one table, as the specification lists them together.

  users: recordTable(
    {
      organization_id: organization,
      role: text,
      first_name: text,
      last_name: text,
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
      // What a search compares, folded. Each engine has an index `users_by_text` of its own kind.
      search_text: text,
      created_at: instant,
      updated_at: instant,
    },
    {
      unique: [["email_key"]],
      checks: [
        `role in (
          'ADMIN', 'BILLING_MANAGER', 'SCHEDULING_MANAGER', 'CLINICIAN', 'TECHNICIAN', 'PATIENT', 'CAREGIVER',
          'CLINICAL_ADMIN', 'PAYROLL_ADMIN', 'CLINICAL_SUPERADMIN'
        )`,
      ],
      indexes: {
        by_creation: ["created_at", "public_id"],
        by_update: ["updated_at", "public_id"],
        by_role: ["role", "created_at", "public_id"],
      },
    },
  ),
  // How many users there are of each role, active or not (see `counts`).
  user_counts: organizationTable(
    { role: text, is_active: bit, users: integer },
    { key: ["role", "is_active"], isInKeyOrder: true },
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
    { key: ["patient_id", "clinician_id"], isInKeyOrder: true },
  ),
  care_team_links: organizationTable(
    { clinician_id: otherUser, technician_id: otherUser },
    {
      key: ["clinician_id", "technician_id"],
      indexes: { by_technician: ["technician_id", "clinician_id"] },
      isInKeyOrder: true,
    },
  ),
  patient_payors: organizationTable(
    {
      patient_id: reference("users"),
      position: integer,
      payor_id: reference("payors"),
      priority: text,
      relationship_to_patient: text,
      insured_birth_date: date,
      insured_address: text,
      member_id: text,
      group_id: nullable(text),
      plan_holder: text,
      effective_start_date: date,
      effective_end_date: nullable(date),
    },
    { key: ["patient_id", "position"] },
  ),
  provider_credentials: organizationTable(
    {
      user_id: reference("users"),
      position: integer,
      credential_type: text,
      practice_area: text,
      credential_number: text,
      expires_at: instant,
      credential_status: text,
    },
    { key: ["user_id", "position"] },
  ),
  payor_credentialing: organizationTable(
    {
      user_id: text,
      credential_position: integer,
      position: integer,
      public_id: text,
      payor_id: reference("payors"),
      status: text,
      start_date: date,
      end_date: nullable(date),
      notes: nullable(text),
    },
    {
      key: ["user_id", "credential_position", "position"],
      references: [
        {
          columns: ["user_id", "credential_position"],
          table: "provider_credentials",
          to: ["user_id", "position"],
          isCascading: true,
        },
      ],
    },
  ),

  // Who may call, and what callers were answered.

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
      // The key that a rotation made in the place of this one.
      successor_id: nullable(text),
      // Whether it may write nothing.
      is_read_only: bit,
    },
    { key: ["id"], unique: [["hash"]], checks: ["is_read_only in (0, 1)"] },
  ),
  // Whose each key is. A key is looked up before its organization is known, and where organizations are on many
  // servers, this table is on all of them.
  key_organizations: sharedTable(
    { hash: text, key_id: text, organization_id: text },
    { key: ["hash"], unique: [["key_id"]], isInKeyOrder: true },
  ),
  // Answers of POSTs that carried an Idempotency-Key.
  idempotent_answers: organizationTable(
    {
      organization_id: organization,
      route: text,
      idempotency_key: text,
      body_hash: text,
      status: integer,
      // Sealed with a key that only the body gives.
      answer: text,
      // A JSON array.
      patient_ids: text,
      created_at: instant,
    },
    { key: ["route", "idempotency_key"], indexes: { by_age: ["created_at"] } },
  ),

  // What patients may use up, and what they did.

  authorization_pools: recordTable(
    {
      patient_id: reference("users"),
      payor_id: reference("payors"),
      total_units: real,
      unit_frequency: text,
      is_unlimited: bit,
    },
    // With the patient: the members of a pool refer to both.
    { unique: [["patient_id", "public_id"]] },
  ),
  authorizations: recordTable(
    {
      patient_id: reference("users"),
      authorization_pool_id: nullable(text),
      // Of an authorization in no pool; that of the others is their pool's.
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
      // The patient is part of the reference: a pool's members are its own patient's. A pool and its members change
      // their patient together.
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
        // This one and `by_end` have all that tells which live on a day.
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
        by_status: ["status", "start_time", "public_id"],
        // Those that go on over a midnight of UTC, without a look at all that ever began before it.
        over_midnight: {
          columns: ["end_time", "start_time"],
          where: "substr(end_time, 1, 10) > substr(start_time, 1, 10)",
        },
        // With all that utilization reads of a session.
        by_authorization: {
          columns: ["authorization_id", "start_time", "public_id", "end_time", "status"],
          where: "authorization_id is not null",
        },
      },
    },
  ),
  // How many sessions start on each UTC day (see `counts`).
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
    },
    {
      checks: ["units >= 0"],
      indexes: {
        by_start: ["start_time", "public_id"],
        by_authorization: ["authorization_id", "start_time", "public_id", "units"],
        // Tells which sessions were delivered.
        by_session: {
          columns: ["session_id", "start_time", "public_id", "authorization_id"],
          where: "session_id is not null",
        },
      },
    },
  ),

  // Who may become a patient.

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
    { indexes: { by_creation: ["created_at", "public_id"] } },
  ),
  intake_lead_labels: organizationTable(
    { lead_id: reference("intake_leads"), label_id: reference("intake_labels") },
    { key: ["lead_id", "label_id"], isInKeyOrder: true },
  ),

  // Goals of all four kinds, and what was recorded on them.

  treatment_plans: recordTable(
    { patient_id: reference("users"), name: nullable(text) },
    { indexes: { by_patient: ["patient_id", "public_id"] } },
  ),
  goals: recordTable(
    {
      treatment_plan_id: reference("treatment_plans"),
      parent_goal_id: nullable(goal),
      order_among_siblings: integer,
      type: text,
      status: text,
      baseline_date: nullable(instant),
      target_achievement_date: nullable(instant),
      added_to_treatment_plan_at: nullable(instant),
      goal_statement: nullable(text),
      title: nullable(text),
      description: nullable(text),
      definition: nullable(text),
      instructions: nullable(text),
      progress_summary: nullable(text),
      target_maladaptive_behavior_name: nullable(text),
      data_collection_type: nullable(text),
      is_behavior: nullable(bit),
      auto_progress_to_maintenance_enabled: nullable(bit),
      auto_progress_to_mastered_enabled: nullable(bit),
      skill_acquisition_goal_type: nullable(text),
      short_description: nullable(text),
      skill_category: nullable(text),
      min_trials_count: nullable(integer),
      // A JSON array.
      enabled_outcomes: nullable(text),
      interval_duration: nullable(real),
      interval_quantity: nullable(real),
      sets: nullable(real),
      interval_recording_type: nullable(text),
      window: nullable(real),
    },
    {
      indexes: {
        by_plan: ["treatment_plan_id"],
        by_parent: {
          columns: ["parent_goal_id", "order_among_siblings", "public_id"],
          where: "parent_goal_id is not null",
        },
        without_parent: { columns: ["public_id"], where: "parent_goal_id is null" },
        without_parent_by_plan: {
          columns: ["treatment_plan_id", "public_id"],
          where: "parent_goal_id is null",
        },
        // A child is part of the record of the goal above all others.
        by_sequence: { columns: ["sequence"], where: "parent_goal_id is null" },
      },
    },
  ),
  goal_metrics: organizationTable(
    {
      goal_id: goal,
      purpose: text,
      public_id: text,
      value: real,
      unit: text,
      frequency_unit: nullable(text),
      observation_period: nullable(real),
      observation_period_unit: nullable(text),
      success_criteria: nullable(text),
    },
    { key: ["goal_id", "purpose"] },
  ),
  behavior_instances: organizationTable(
    {
      goal_id: goal,
      public_id: text,
      happened_at: instant,
      quantity: real,
      antecedent: nullable(text),
      consequence: nullable(text),
      duration_seconds: nullable(real),
    },
    { key: ["goal_id", "public_id"] },
  ),
  skill_trials: organizationTable(
    { goal_id: goal, public_id: text, happened_at: instant, outcome: text },
    { key: ["goal_id", "public_id"] },
  ),
  rating_instances: organizationTable(
    { goal_id: goal, public_id: text, happened_at: instant, value: real },
    { key: ["goal_id", "public_id"] },
  ),
  interval_sets: organizationTable(
    {
      goal_id: goal,
      public_id: text,
      started_at: instant,
      // A JSON array.
      intervals: text,
    },
    { key: ["goal_id", "public_id"] },
  ),

  // Records that were deleted, each with the number of the organization's write that did it.

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

  // The audit trail: one chain of rows an organization. What no key said whose it was belongs to the empty
  // organization, so nothing here refers to organizations.

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
  // Where each chain begins and ends, so that rows cut off its end are missed. Triggers add one with an organization.
  audit_heads: organizationTable(
    {
      sequence: integer,
      hash: text,
      // The last row that was moved to an archive.
      anchor_sequence: withDefault(integer, 0),
      anchor_hash: withDefault(text, NO_HASH),
    },
    { key: [], isInKeyOrder: true },
  ),
  // How much of each file of rows that could not be written at once has come into the chains.
  audit_spools: sharedTable({ id: text, taken: integer }, { key: ["id"], isInKeyOrder: true }),

  // The steps of `steps.ts` that were applied, after the list itself.
  schema_migrations: sharedTable({ name: text, applied_at: instant }, { key: ["name"] }),
} as const;

/** How many rows of a table there are in each group: a table that triggers keep in the transaction of each write. */
export interface Count {
  of: keyof typeof tables;
  /** The column of the number. */
  number: string;
  /** The columns of a group, each as SQL over a row, whose columns are given a prefix such as `new.`. */
  groups: Record<string, (row: string) => string>;
}

/** Without them each page of users and sessions would count all there are for its total. */
export const counts = {
  user_counts: {
    of: "users",
    number: "users",
    groups: { role: (row) => `${row}role`, is_active: (row) => `${row}is_active` },
  },
  session_counts: {
    of: "sessions",
    number: "sessions",
    groups: { day: (row) => `substr(${row}start_time, 1, 10)` },
  },
} satisfies Partial<Record<keyof typeof tables, Count>>;
