import type { Generated } from "kysely";
import type { CalendarDate } from "../src/lib/calendar-date.ts";
import type { Instant } from "../src/lib/instant.ts";

/**
 * The row of every table, as the migrations make them. Every key begins with the organization, so that a
 * row cannot refer to another organization's; `public_id` is the id that the API shows.
 */

/** A boolean as it is stored. */
export type Bit = 0 | 1;

export function toBit(value: boolean): Bit {
  return value ? 1 : 0;
}

export function fromBit(bit: Bit): boolean {
  return bit === 1;
}

export interface OrganizationRow {
  public_id: string;
  name: string;
  time_zone: string | null;
  week_starts_on: string;
  created_at: Instant;
}

export interface ApiKeyRow {
  organization_id: string;
  id: string;
  hash: string;
  name: string;
  role: string;
  user_id: string | null;
  created_at: Instant;
  last_used_at: Instant | null;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  /** The key that a rotation made in the place of this one. */
  successor_id: string | null;
  is_read_only: Bit;
}

/** Whose each key is: what can be asked before the organization is known. */
export interface KeyOrganizationRow {
  hash: string;
  key_id: string;
  organization_id: string;
}

export interface IdempotentAnswerRow {
  organization_id: string;
  route: string;
  idempotency_key: string;
  body_hash: string;
  status: number;
  /** Sealed with a key that only the body gives. */
  answer: string;
  patient_ids: string;
  created_at: Instant;
}

export interface LocationRow {
  organization_id: string;
  public_id: string;
  name: string;
}

export interface PayorRow {
  organization_id: string;
  public_id: string;
  name: string;
}

export interface ServiceLineRow {
  organization_id: string;
  public_id: string;
  name: string;
  billing_unit_minutes: number | null;
}

export interface NonBillableCodeRow {
  organization_id: string;
  public_id: string;
  name: string;
}

export interface SpecializationRow {
  organization_id: string;
  public_id: string;
  name: string;
  is_active: Bit;
}

export interface IntakeStageRow {
  organization_id: string;
  public_id: string;
  name: string;
  built_in_key: string | null;
  position: number;
  is_active: Bit;
}

export interface IntakeLabelRow {
  organization_id: string;
  public_id: string;
  name: string;
}

export interface UserRow {
  organization_id: string;
  public_id: string;
  role: string;
  first_name: string;
  last_name: string;
  email: string | null;
  email_key: string | null;
  phone_number: string | null;
  is_active: Bit;
  user_status: string | null;
  sex: string | null;
  birth_date: CalendarDate | null;
  caregiver_id: string | null;
  address_line1: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  postal_code: string | null;
  country: string | null;
  time_zone: string | null;
  internal_record_id: string | null;
  primary_clinician_id: string | null;
  primary_location_id: string | null;
  npi_number: string | null;
  should_send_sms: Bit;
  recertification_date: Instant | null;
  compliance_credentials: string | null;
  search_text: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface UserLocationRow {
  organization_id: string;
  user_id: string;
  location_id: string;
}

export interface ProviderSpecializationRow {
  organization_id: string;
  user_id: string;
  specialization_id: string;
}

export interface ProviderPayorRow {
  organization_id: string;
  user_id: string;
  payor_id: string;
}

export interface PatientClinicianRow {
  organization_id: string;
  patient_id: string;
  clinician_id: string;
}

export interface CareTeamLinkRow {
  organization_id: string;
  clinician_id: string;
  technician_id: string;
}

export interface PatientPayorRow {
  organization_id: string;
  patient_id: string;
  position: number;
  payor_id: string;
  priority: string;
  relationship_to_patient: string;
  insured_birth_date: CalendarDate;
  insured_address: string;
  member_id: string;
  group_id: string;
  plan_holder: string;
  effective_start_date: CalendarDate;
  effective_end_date: CalendarDate | null;
}

export interface ProviderCredentialRow {
  organization_id: string;
  user_id: string;
  position: number;
  credential_type: string;
  practice_area: string;
  credential_number: string;
  expires_at: Instant;
  credential_status: string;
}

export interface PayorCredentialingRow {
  organization_id: string;
  user_id: string;
  credential_position: number;
  position: number;
  public_id: string;
  payor_id: string;
  status: string;
  start_date: CalendarDate;
  end_date: CalendarDate | null;
  notes: string | null;
}

export interface UserCountRow {
  organization_id: string;
  role: string;
  is_active: Bit;
  users: number;
}

export interface UserMonthCountRow {
  organization_id: string;
  /** `YYYY-MM`. */
  month: string;
  role: string;
  is_active: Bit;
  users: number;
}

export interface AuthorizationPoolRow {
  organization_id: string;
  public_id: string;
  patient_id: string;
  payor_id: string;
  total_units: number;
  unit_frequency: string;
  is_unlimited: Bit;
}

export interface AuthorizationRow {
  organization_id: string;
  public_id: string;
  patient_id: string;
  authorization_pool_id: string | null;
  /** Of a standalone authorization; a member's payor is its pool's. */
  payor_id: string | null;
  authorization_number: string;
  authorization_status: string;
  authorized_units_quantity: number | null;
  authorized_unit_frequency: string | null;
  service_line_id: string;
  authorization_date: CalendarDate;
  authorization_expiration_date: CalendarDate;
}

/** What has units of its own to use up, kept by triggers on `authorizations` and `users` (migration 0013). */
export interface UtilizationSubjectRow {
  organization_id: string;
  subject: "AUTHORIZATION" | "POOL";
  public_id: string;
  patient_id: string;
  patient_is_active: Bit;
  patient_time_zone: string | null;
  start_date: CalendarDate;
  end_date: CalendarDate;
}

export interface SessionRow {
  organization_id: string;
  public_id: string;
  title: string;
  status: string;
  start_time: Instant;
  end_time: Instant;
  is_supervision: Bit;
  is_client_present: Bit;
  place_of_service: string;
  location_id: string;
  technician_id: string | null;
  client_id: string | null;
  is_billable: Bit;
  is_telehealth: Bit | null;
  clinician_id: string | null;
  provider_location_id: string | null;
  service_line_id: string | null;
  non_billable_code_id: string | null;
  authorization_id: string | null;
}

export interface EncounterRow {
  organization_id: string;
  public_id: string;
  authorization_id: string;
  session_id: string | null;
  start_time: Instant;
  units: number;
}

export interface SessionCountRow {
  organization_id: string;
  day: CalendarDate;
  sessions: number;
}

export interface SessionMonthCountRow {
  organization_id: string;
  /** `YYYY-MM`. */
  month: string;
  sessions: number;
}

export interface IntakeLeadRow {
  organization_id: string;
  public_id: string;
  client_id: string;
  caregiver_id: string;
  relationship: string;
  stage_id: string | null;
  attribution: string | null;
  source: string | null;
  channel: string | null;
  campaign: string | null;
  created_at: Instant;
}

export interface IntakeLeadLabelRow {
  organization_id: string;
  lead_id: string;
  label_id: string;
}

export interface TreatmentPlanRow {
  organization_id: string;
  public_id: string;
  patient_id: string;
  name: string | null;
}

export interface GoalRow {
  organization_id: string;
  public_id: string;
  treatment_plan_id: string;
  parent_goal_id: string | null;
  order_among_siblings: number;
  type: string;
  status: string;
  baseline_date: Instant | null;
  target_achievement_date: Instant | null;
  added_to_treatment_plan_at: Instant | null;
  goal_statement: string | null;
  title: string | null;
  description: string | null;
  definition: string | null;
  instructions: string | null;
  progress_summary: string | null;
  target_maladaptive_behavior_name: string | null;
  data_collection_type: string | null;
  is_behavior: Bit | null;
  auto_progress_to_maintenance_enabled: Bit | null;
  auto_progress_to_mastered_enabled: Bit | null;
  skill_acquisition_goal_type: string | null;
  short_description: string | null;
  skill_category: string | null;
  min_trials_count: number | null;
  enabled_outcomes: string | null;
  interval_duration: number | null;
  interval_quantity: number | null;
  sets: number | null;
  interval_recording_type: string | null;
  window: number | null;
}

export interface GoalMetricRow {
  organization_id: string;
  goal_id: string;
  purpose: string;
  public_id: string;
  value: number;
  unit: string;
  frequency_unit: string | null;
  observation_period: number | null;
  observation_period_unit: string | null;
  success_criteria: string | null;
}

export interface BehaviorInstanceRow {
  organization_id: string;
  goal_id: string;
  public_id: string;
  happened_at: Instant;
  quantity: number;
  antecedent: string | null;
  consequence: string | null;
  duration_seconds: number | null;
}

export interface SkillTrialRow {
  organization_id: string;
  goal_id: string;
  public_id: string;
  happened_at: Instant;
  outcome: string;
}

export interface RatingInstanceRow {
  organization_id: string;
  goal_id: string;
  public_id: string;
  happened_at: Instant;
  value: number;
}

export interface IntervalSetRow {
  organization_id: string;
  goal_id: string;
  public_id: string;
  started_at: Instant;
  intervals: string;
}

export interface AuditEntryRow {
  organization_id: string;
  sequence: number;
  time: Instant;
  request_id: string;
  key_id: string | null;
  user_id: string | null;
  role: string | null;
  method: string;
  route: string;
  status: number;
  patient_ids: string;
  hash: string;
  target: string | null;
  address: string | null;
  operator: string | null;
  requests: number | null;
}

export interface AuditHeadRow {
  organization_id: string;
  sequence: number;
  hash: string;
  anchor_sequence: Generated<number>;
  anchor_hash: Generated<string>;
}

export interface AuditSpoolRow {
  id: string;
  taken: number;
}

export interface SchemaMigrationRow {
  name: string;
  applied_at: Instant;
}

/** Every table, for Kysely. */
export interface Schema {
  organizations: OrganizationRow;
  api_keys: ApiKeyRow;
  key_organizations: KeyOrganizationRow;
  idempotent_answers: IdempotentAnswerRow;
  locations: LocationRow;
  payors: PayorRow;
  service_lines: ServiceLineRow;
  non_billable_codes: NonBillableCodeRow;
  specializations: SpecializationRow;
  intake_stages: IntakeStageRow;
  intake_labels: IntakeLabelRow;
  users: UserRow;
  user_locations: UserLocationRow;
  provider_specializations: ProviderSpecializationRow;
  provider_payors: ProviderPayorRow;
  patient_clinicians: PatientClinicianRow;
  care_team_links: CareTeamLinkRow;
  patient_payors: PatientPayorRow;
  provider_credentials: ProviderCredentialRow;
  payor_credentialing: PayorCredentialingRow;
  user_counts: UserCountRow;
  user_month_counts: UserMonthCountRow;
  authorization_pools: AuthorizationPoolRow;
  authorizations: AuthorizationRow;
  utilization_subjects: UtilizationSubjectRow;
  sessions: SessionRow;
  encounters: EncounterRow;
  session_counts: SessionCountRow;
  session_month_counts: SessionMonthCountRow;
  intake_leads: IntakeLeadRow;
  intake_lead_labels: IntakeLeadLabelRow;
  treatment_plans: TreatmentPlanRow;
  goals: GoalRow;
  goal_metrics: GoalMetricRow;
  behavior_instances: BehaviorInstanceRow;
  skill_trials: SkillTrialRow;
  rating_instances: RatingInstanceRow;
  interval_sets: IntervalSetRow;
  audit_entries: AuditEntryRow;
  audit_heads: AuditHeadRow;
  audit_spools: AuditSpoolRow;
  schema_migrations: SchemaMigrationRow;
}
