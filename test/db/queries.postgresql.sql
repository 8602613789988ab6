(select sequence, hash, time
  from audit_entries
  where organization_id = $1
  order by sequence desc
  limit 1)
  union all select sequence, hash, null
  from audit_heads
  where organization_id = $2

delete from "audit_entries"

delete from "audit_entries"
  where "organization_id" = $1
  and "sequence" <= $2

delete from "audit_heads"

delete from "care_team_links"
  where "organization_id" = $1
  and "clinician_id" = any($2)

delete from "goals"
  where "organization_id" = $1
  and "public_id" = any($2)

delete from "idempotent_answers"
  where "organization_id" = $1
  and "created_at" <= $2

delete from "patient_clinicians"
  where "organization_id" = $1
  and "patient_id" = any($2)

delete from "patient_payors"
  where "organization_id" = $1
  and "patient_id" = any($2)

delete from "payor_credentialing"
  where "organization_id" = $1
  and "user_id" = any($2)

delete from "provider_credentials"
  where "organization_id" = $1
  and "user_id" = any($2)

delete from "provider_payors"
  where "organization_id" = $1
  and "user_id" = any($2)

delete from "provider_specializations"
  where "organization_id" = $1
  and "user_id" = any($2)

delete from "user_locations"
  where "organization_id" = $1
  and "user_id" = any($2)

delete from "webhooks"
  where "organization_id" = $1
  and "id" = $2

insert into "api_keys" ("organization_id", "id", "hash", "name", "role", "user_id", "created_at", "last_used_at", "expires_at", "revoked_at", "successor_id", "is_read_only")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

insert into "api_keys" ("organization_id", "id", "hash", "name", "role", "user_id", "created_at", "last_used_at", "expires_at", "revoked_at", "successor_id", "is_read_only") select "organization_id", "id", "hash", "name", "role", "user_id", "created_at", "last_used_at", "expires_at", "revoked_at", "successor_id", "is_read_only"
  from json_populate_recordset(null::"api_keys", $1)

insert into "audit_entries" ("organization_id", "sequence", "time", "request_id", "key_id", "user_id", "role", "method", "route", "status", "patient_ids", "hash", "target", "address", "operator", "requests")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)

insert into "audit_entries" ("organization_id", "sequence", "time", "request_id", "key_id", "user_id", "role", "method", "route", "status", "patient_ids", "hash", "target", "address", "operator", "requests") select "organization_id", "sequence", "time", "request_id", "key_id", "user_id", "role", "method", "route", "status", "patient_ids", "hash", "target", "address", "operator", "requests"
  from json_populate_recordset(null::"audit_entries", $1)

insert into "audit_heads" ("organization_id", "sequence", "hash", "anchor_sequence", "anchor_hash") select "organization_id", "sequence", "hash", "anchor_sequence", "anchor_hash"
  from json_populate_recordset(null::"audit_heads", $1)

insert into "authorization_pools" ("organization_id", "public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "sequence") select "organization_id", "public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "sequence"
  from json_populate_recordset(null::"authorization_pools", $1)

insert into "authorization_pools" ("public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "organization_id", "sequence") select "public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "organization_id", "sequence"
  from json_populate_recordset(null::"authorization_pools", $1)

insert into "authorization_pools" ("public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "organization_id", "sequence") select "public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "organization_id", "sequence"
  from json_populate_recordset(null::"authorization_pools", $1)
  on conflict ("organization_id", "public_id") do update
  set "patient_id" = "excluded"."patient_id", "payor_id" = "excluded"."payor_id", "total_units" = "excluded"."total_units", "unit_frequency" = "excluded"."unit_frequency", "is_unlimited" = "excluded"."is_unlimited", "sequence" = "excluded"."sequence"

insert into "authorizations" ("organization_id", "public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "sequence") select "organization_id", "public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "sequence"
  from json_populate_recordset(null::"authorizations", $1)

insert into "authorizations" ("public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "organization_id", "sequence") select "public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "organization_id", "sequence"
  from json_populate_recordset(null::"authorizations", $1)

insert into "authorizations" ("public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "organization_id", "sequence") select "public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "organization_id", "sequence"
  from json_populate_recordset(null::"authorizations", $1)
  on conflict ("organization_id", "public_id") do update
  set "patient_id" = "excluded"."patient_id", "authorization_pool_id" = "excluded"."authorization_pool_id", "payor_id" = "excluded"."payor_id", "authorization_number" = "excluded"."authorization_number", "authorization_status" = "excluded"."authorization_status", "authorized_units_quantity" = "excluded"."authorized_units_quantity", "authorized_unit_frequency" = "excluded"."authorized_unit_frequency", "service_line_id" = "excluded"."service_line_id", "authorization_date" = "excluded"."authorization_date", "authorization_expiration_date" = "excluded"."authorization_expiration_date", "sequence" = "excluded"."sequence"

insert into "behavior_instances" ("organization_id", "goal_id", "public_id", "happened_at", "quantity", "antecedent", "consequence", "duration_seconds") select "organization_id", "goal_id", "public_id", "happened_at", "quantity", "antecedent", "consequence", "duration_seconds"
  from json_populate_recordset(null::"behavior_instances", $1)

insert into "behavior_instances" ("organization_id", "goal_id", "public_id", "quantity", "happened_at", "antecedent", "consequence", "duration_seconds") select "organization_id", "goal_id", "public_id", "quantity", "happened_at", "antecedent", "consequence", "duration_seconds"
  from json_populate_recordset(null::"behavior_instances", $1)

insert into "care_team_links" ("organization_id", "clinician_id", "technician_id") select "organization_id", "clinician_id", "technician_id"
  from json_populate_recordset(null::"care_team_links", $1)

insert into "care_team_links" ("organization_id", "clinician_id", "technician_id") select "organization_id", "public_id", $1 as "technician_id"
  from "users"
  where "organization_id" = $2
  and "role" in ($3, $4, $5)
  and "public_id" = any($6)

insert into "care_team_links" ("organization_id", "clinician_id", "technician_id") select "organization_id", $1 as "clinician_id", "public_id"
  from "users"
  where "organization_id" = $2
  and "role" in ($3)
  and "public_id" = any($4)

insert into "deletions" ("organization_id", "type", "public_id", "sequence", "deleted_at")
  values ($1, $2, $3, $4, $5)

insert into "encounters" ("organization_id", "public_id", "authorization_id", "session_id", "start_time", "units", "sequence") select "organization_id", "public_id", "authorization_id", "session_id", "start_time", "units", "sequence"
  from json_populate_recordset(null::"encounters", $1)

insert into "encounters" ("public_id", "authorization_id", "session_id", "start_time", "units", "organization_id", "sequence") select "public_id", "authorization_id", "session_id", "start_time", "units", "organization_id", "sequence"
  from json_populate_recordset(null::"encounters", $1)

insert into "goal_metrics" ("organization_id", "goal_id", "purpose", "public_id", "value", "unit", "frequency_unit", "observation_period", "observation_period_unit", "success_criteria") select "organization_id", "goal_id", "purpose", "public_id", "value", "unit", "frequency_unit", "observation_period", "observation_period_unit", "success_criteria"
  from json_populate_recordset(null::"goal_metrics", $1)

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "baseline_date", "target_achievement_date", "added_to_treatment_plan_at", "goal_statement", "title", "description", "definition", "instructions", "progress_summary", "target_maladaptive_behavior_name", "data_collection_type", "is_behavior", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "skill_acquisition_goal_type", "short_description", "skill_category", "min_trials_count", "enabled_outcomes", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence") select "organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "baseline_date", "target_achievement_date", "added_to_treatment_plan_at", "goal_statement", "title", "description", "definition", "instructions", "progress_summary", "target_maladaptive_behavior_name", "data_collection_type", "is_behavior", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "skill_acquisition_goal_type", "short_description", "skill_category", "min_trials_count", "enabled_outcomes", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence"
  from json_populate_recordset(null::"goals", $1)

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "baseline_date", "target_achievement_date", "added_to_treatment_plan_at", "goal_statement", "title", "description", "definition", "instructions", "progress_summary", "target_maladaptive_behavior_name", "data_collection_type", "is_behavior", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "skill_acquisition_goal_type", "short_description", "skill_category", "min_trials_count", "enabled_outcomes", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence") select "organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "baseline_date", "target_achievement_date", "added_to_treatment_plan_at", "goal_statement", "title", "description", "definition", "instructions", "progress_summary", "target_maladaptive_behavior_name", "data_collection_type", "is_behavior", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "skill_acquisition_goal_type", "short_description", "skill_category", "min_trials_count", "enabled_outcomes", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence"
  from json_populate_recordset(null::"goals", $1)
  on conflict ("organization_id", "public_id") do update
  set "treatment_plan_id" = "excluded"."treatment_plan_id", "parent_goal_id" = "excluded"."parent_goal_id", "order_among_siblings" = "excluded"."order_among_siblings", "type" = "excluded"."type", "status" = "excluded"."status", "baseline_date" = "excluded"."baseline_date", "target_achievement_date" = "excluded"."target_achievement_date", "added_to_treatment_plan_at" = "excluded"."added_to_treatment_plan_at", "goal_statement" = "excluded"."goal_statement", "title" = "excluded"."title", "description" = "excluded"."description", "definition" = "excluded"."definition", "instructions" = "excluded"."instructions", "progress_summary" = "excluded"."progress_summary", "target_maladaptive_behavior_name" = "excluded"."target_maladaptive_behavior_name", "data_collection_type" = "excluded"."data_collection_type", "is_behavior" = "excluded"."is_behavior", "auto_progress_to_maintenance_enabled" = "excluded"."auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled" = "excluded"."auto_progress_to_mastered_enabled", "skill_acquisition_goal_type" = "excluded"."skill_acquisition_goal_type", "short_description" = "excluded"."short_description", "skill_category" = "excluded"."skill_category", "min_trials_count" = "excluded"."min_trials_count", "enabled_outcomes" = "excluded"."enabled_outcomes", "interval_duration" = "excluded"."interval_duration", "interval_quantity" = "excluded"."interval_quantity", "sets" = "excluded"."sets", "interval_recording_type" = "excluded"."interval_recording_type", "window" = "excluded"."window", "sequence" = "excluded"."sequence"

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "data_collection_type", "added_to_treatment_plan_at", "goal_statement", "target_maladaptive_behavior_name", "definition", "skill_acquisition_goal_type", "short_description", "skill_category", "title", "description", "instructions", "progress_summary", "baseline_date", "target_achievement_date", "min_trials_count", "enabled_outcomes", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "is_behavior", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window") select "organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "data_collection_type", "added_to_treatment_plan_at", "goal_statement", "target_maladaptive_behavior_name", "definition", "skill_acquisition_goal_type", "short_description", "skill_category", "title", "description", "instructions", "progress_summary", "baseline_date", "target_achievement_date", "min_trials_count", "enabled_outcomes", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "is_behavior", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window"
  from json_populate_recordset(null::"goals", $1)

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "data_collection_type", "added_to_treatment_plan_at", "goal_statement", "target_maladaptive_behavior_name", "definition", "skill_acquisition_goal_type", "short_description", "skill_category", "title", "description", "instructions", "progress_summary", "baseline_date", "target_achievement_date", "min_trials_count", "enabled_outcomes", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "is_behavior", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence") select "organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "data_collection_type", "added_to_treatment_plan_at", "goal_statement", "target_maladaptive_behavior_name", "definition", "skill_acquisition_goal_type", "short_description", "skill_category", "title", "description", "instructions", "progress_summary", "baseline_date", "target_achievement_date", "min_trials_count", "enabled_outcomes", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "is_behavior", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence"
  from json_populate_recordset(null::"goals", $1)

insert into "idempotent_answers" ("organization_id", "route", "idempotency_key", "body_hash", "status", "answer", "patient_ids", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8)

insert into "intake_labels" ("organization_id", "public_id", "name", "sequence") select "organization_id", "public_id", "name", "sequence"
  from json_populate_recordset(null::"intake_labels", $1)

insert into "intake_labels" ("public_id", "name", "organization_id", "sequence") select "public_id", "name", "organization_id", "sequence"
  from json_populate_recordset(null::"intake_labels", $1)

insert into "intake_lead_labels" ("organization_id", "lead_id", "label_id") select "organization_id", "lead_id", "label_id"
  from json_populate_recordset(null::"intake_lead_labels", $1)

insert into "intake_leads" ("organization_id", "public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at", "sequence") select "organization_id", "public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at", "sequence"
  from json_populate_recordset(null::"intake_leads", $1)

insert into "intake_leads" ("organization_id", "sequence", "public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

insert into "intake_leads" ("public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at", "organization_id", "sequence") select "public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at", "organization_id", "sequence"
  from json_populate_recordset(null::"intake_leads", $1)

insert into "intake_stages" ("organization_id", "public_id", "name", "built_in_key", "position", "is_active", "sequence") select "organization_id", "public_id", "name", "built_in_key", "position", "is_active", "sequence"
  from json_populate_recordset(null::"intake_stages", $1)

insert into "intake_stages" ("public_id", "name", "built_in_key", "position", "is_active", "organization_id", "sequence") select "public_id", "name", "built_in_key", "position", "is_active", "organization_id", "sequence"
  from json_populate_recordset(null::"intake_stages", $1)

insert into "interval_sets" ("organization_id", "goal_id", "public_id", "started_at", "intervals") select "organization_id", "goal_id", "public_id", "started_at", "intervals"
  from json_populate_recordset(null::"interval_sets", $1)

insert into "key_organizations" ("hash", "key_id", "organization_id")
  values ($1, $2, $3)

insert into "key_organizations" ("hash", "key_id", "organization_id") select "hash", "key_id", "organization_id"
  from json_populate_recordset(null::"key_organizations", $1)

insert into "locations" ("organization_id", "public_id", "name", "sequence") select "organization_id", "public_id", "name", "sequence"
  from json_populate_recordset(null::"locations", $1)

insert into "locations" ("public_id", "name", "organization_id", "sequence") select "public_id", "name", "organization_id", "sequence"
  from json_populate_recordset(null::"locations", $1)

insert into "non_billable_codes" ("organization_id", "public_id", "name", "sequence") select "organization_id", "public_id", "name", "sequence"
  from json_populate_recordset(null::"non_billable_codes", $1)

insert into "non_billable_codes" ("public_id", "name", "organization_id", "sequence") select "public_id", "name", "organization_id", "sequence"
  from json_populate_recordset(null::"non_billable_codes", $1)

insert into "organizations" ("public_id", "name", "time_zone", "week_starts_on", "created_at")
  values ($1, $2, $3, $4, $5)
  on conflict ("public_id") do update
  set "name" = $6, "time_zone" = $7, "week_starts_on" = $8

insert into "organizations" ("public_id", "name", "time_zone", "week_starts_on", "created_at", "sequence", "changes_known_from")
  values ($1, $2, $3, $4, $5, $6, $7)

insert into "patient_clinicians" ("organization_id", "patient_id", "clinician_id") select "organization_id", "patient_id", "clinician_id"
  from json_populate_recordset(null::"patient_clinicians", $1)

insert into "patient_payors" ("organization_id", "patient_id", "position", "payor_id", "priority", "relationship_to_patient", "insured_birth_date", "insured_address", "member_id", "group_id", "plan_holder", "effective_start_date", "effective_end_date") select "organization_id", "patient_id", "position", "payor_id", "priority", "relationship_to_patient", "insured_birth_date", "insured_address", "member_id", "group_id", "plan_holder", "effective_start_date", "effective_end_date"
  from json_populate_recordset(null::"patient_payors", $1)

insert into "payor_credentialing" ("organization_id", "user_id", "credential_position", "position", "public_id", "payor_id", "status", "start_date", "end_date", "notes") select "organization_id", "user_id", "credential_position", "position", "public_id", "payor_id", "status", "start_date", "end_date", "notes"
  from json_populate_recordset(null::"payor_credentialing", $1)

insert into "payors" ("organization_id", "public_id", "name", "sequence") select "organization_id", "public_id", "name", "sequence"
  from json_populate_recordset(null::"payors", $1)

insert into "payors" ("public_id", "name", "organization_id", "sequence") select "public_id", "name", "organization_id", "sequence"
  from json_populate_recordset(null::"payors", $1)

insert into "provider_credentials" ("organization_id", "user_id", "position", "credential_type", "practice_area", "credential_number", "expires_at", "credential_status") select "organization_id", "user_id", "position", "credential_type", "practice_area", "credential_number", "expires_at", "credential_status"
  from json_populate_recordset(null::"provider_credentials", $1)

insert into "provider_payors" ("organization_id", "user_id", "payor_id") select "organization_id", "user_id", "payor_id"
  from json_populate_recordset(null::"provider_payors", $1)

insert into "provider_payors" (organization_id, user_id, "payor_id") select organization_id, $1, public_id
  from "payors"
  where organization_id = $2
  and "public_id" = any($3)

insert into "provider_specializations" ("organization_id", "user_id", "specialization_id") select "organization_id", "user_id", "specialization_id"
  from json_populate_recordset(null::"provider_specializations", $1)

insert into "provider_specializations" (organization_id, user_id, "specialization_id") select organization_id, $1, public_id
  from "specializations"
  where organization_id = $2
  and "public_id" = any($3)

insert into "rating_instances" ("organization_id", "goal_id", "public_id", "happened_at", "value") select "organization_id", "goal_id", "public_id", "happened_at", "value"
  from json_populate_recordset(null::"rating_instances", $1)

insert into "rating_instances" ("organization_id", "goal_id", "public_id", "value", "happened_at") select "organization_id", "goal_id", "public_id", "value", "happened_at"
  from json_populate_recordset(null::"rating_instances", $1)

insert into "service_lines" ("organization_id", "public_id", "name", "billing_unit_minutes", "sequence") select "organization_id", "public_id", "name", "billing_unit_minutes", "sequence"
  from json_populate_recordset(null::"service_lines", $1)

insert into "service_lines" ("public_id", "name", "billing_unit_minutes", "organization_id", "sequence") select "public_id", "name", "billing_unit_minutes", "organization_id", "sequence"
  from json_populate_recordset(null::"service_lines", $1)

insert into "sessions" ("organization_id", "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "sequence") select "organization_id", "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "sequence"
  from json_populate_recordset(null::"sessions", $1)

insert into "sessions" ("public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "organization_id", "sequence") select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "organization_id", "sequence"
  from json_populate_recordset(null::"sessions", $1)

insert into "sessions" ("public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "organization_id", "sequence") select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "organization_id", "sequence"
  from json_populate_recordset(null::"sessions", $1)
  on conflict ("organization_id", "public_id") do update
  set "title" = "excluded"."title", "status" = "excluded"."status", "start_time" = "excluded"."start_time", "end_time" = "excluded"."end_time", "is_supervision" = "excluded"."is_supervision", "is_client_present" = "excluded"."is_client_present", "place_of_service" = "excluded"."place_of_service", "location_id" = "excluded"."location_id", "technician_id" = "excluded"."technician_id", "client_id" = "excluded"."client_id", "is_billable" = "excluded"."is_billable", "is_telehealth" = "excluded"."is_telehealth", "clinician_id" = "excluded"."clinician_id", "provider_location_id" = "excluded"."provider_location_id", "service_line_id" = "excluded"."service_line_id", "non_billable_code_id" = "excluded"."non_billable_code_id", "authorization_id" = "excluded"."authorization_id", "sequence" = "excluded"."sequence"

insert into "skill_trials" ("organization_id", "goal_id", "public_id", "happened_at", "outcome") select "organization_id", "goal_id", "public_id", "happened_at", "outcome"
  from json_populate_recordset(null::"skill_trials", $1)

insert into "skill_trials" ("organization_id", "goal_id", "public_id", "outcome", "happened_at") select "organization_id", "goal_id", "public_id", "outcome", "happened_at"
  from json_populate_recordset(null::"skill_trials", $1)

insert into "specializations" ("organization_id", "public_id", "name", "is_active", "sequence") select "organization_id", "public_id", "name", "is_active", "sequence"
  from json_populate_recordset(null::"specializations", $1)

insert into "specializations" ("public_id", "name", "is_active", "organization_id", "sequence") select "public_id", "name", "is_active", "organization_id", "sequence"
  from json_populate_recordset(null::"specializations", $1)

insert into "treatment_plans" ("organization_id", "public_id", "patient_id", "name", "sequence") select "organization_id", "public_id", "patient_id", "name", "sequence"
  from json_populate_recordset(null::"treatment_plans", $1)

insert into "treatment_plans" ("public_id", "patient_id", "name", "organization_id", "sequence") select "public_id", "patient_id", "name", "organization_id", "sequence"
  from json_populate_recordset(null::"treatment_plans", $1)

insert into "user_locations" ("organization_id", "user_id", "location_id") select "organization_id", "user_id", "location_id"
  from json_populate_recordset(null::"user_locations", $1)

insert into "user_locations" (organization_id, user_id, "location_id") select organization_id, $1, public_id
  from "locations"
  where organization_id = $2
  and "public_id" = any($3)

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "email_key", "phone_number", "is_active", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "npi_number", "should_send_sms", "recertification_date", "compliance_credentials", "search_text", "created_at", "updated_at", "sequence") select "organization_id", "public_id", "role", "first_name", "last_name", "email", "email_key", "phone_number", "is_active", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "npi_number", "should_send_sms", "recertification_date", "compliance_credentials", "search_text", "created_at", "updated_at", "sequence"
  from json_populate_recordset(null::"users", $1)

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31)

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence") select "organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence"
  from json_populate_recordset(null::"users", $1)

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence") select "organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence"
  from json_populate_recordset(null::"users", $1)
  on conflict ("organization_id", "public_id") do update
  set "role" = "excluded"."role", "first_name" = "excluded"."first_name", "last_name" = "excluded"."last_name", "email" = "excluded"."email", "phone_number" = "excluded"."phone_number", "is_active" = "excluded"."is_active", "created_at" = "excluded"."created_at", "updated_at" = "excluded"."updated_at", "npi_number" = "excluded"."npi_number", "should_send_sms" = "excluded"."should_send_sms", "recertification_date" = "excluded"."recertification_date", "user_status" = "excluded"."user_status", "sex" = "excluded"."sex", "birth_date" = "excluded"."birth_date", "caregiver_id" = "excluded"."caregiver_id", "address_line1" = "excluded"."address_line1", "address_line2" = "excluded"."address_line2", "city" = "excluded"."city", "state" = "excluded"."state", "postal_code" = "excluded"."postal_code", "country" = "excluded"."country", "time_zone" = "excluded"."time_zone", "internal_record_id" = "excluded"."internal_record_id", "primary_clinician_id" = "excluded"."primary_clinician_id", "primary_location_id" = "excluded"."primary_location_id", "compliance_credentials" = "excluded"."compliance_credentials", "email_key" = "excluded"."email_key", "search_text" = "excluded"."search_text", "sequence" = "excluded"."sequence"

insert into "webhooks" ("organization_id", "id", "name", "url", "secret", "created_at", "acknowledged", "is_off", "failures", "due_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

insert into intake_lead_labels (organization_id, lead_id, label_id) select organization_id, $1, public_id
  from intake_labels
  where organization_id = $2
  and "public_id" = any($3)

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_number" as "authorizationNumber", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", "payor"."public_id" as "payorId", "payor"."name" as "payorName", "patient"."public_id" as "patientId", "patient"."first_name" as "patientFirstName", "patient"."last_name" as "patientLastName", "patient"."internal_record_id" as "internalRecordId", "patient"."time_zone" as "patientTimeZone", "authorization"."service_line_id" as "serviceLinePublicId"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  left
  join "payors" as "payor" on "payor"."organization_id" = "authorization"."organization_id"
  and "payor"."public_id" = coalesce("pool"."payor_id", "authorization"."payor_id")
  where "authorization"."organization_id" = $1
  and "authorization"."patient_id" = $2
  and "payor"."public_id" = $3
  and (exists ( select 1
  from "sessions" as record
  where record.organization_id = $4
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= $5
  and record.start_time <= $6 ) or exists ( select 1
  from "encounters" as record
  where record.organization_id = $7
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= $8
  and record.start_time <= $9 ))
  order by "authorization"."patient_id", "authorization"."public_id"

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_number" as "authorizationNumber", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", "payor"."public_id" as "payorId", "payor"."name" as "payorName", "patient"."public_id" as "patientId", "patient"."first_name" as "patientFirstName", "patient"."last_name" as "patientLastName", "patient"."internal_record_id" as "internalRecordId", "patient"."time_zone" as "patientTimeZone", "authorization"."service_line_id" as "serviceLinePublicId"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  left
  join "payors" as "payor" on "payor"."organization_id" = "authorization"."organization_id"
  and "payor"."public_id" = coalesce("pool"."payor_id", "authorization"."payor_id")
  where "authorization"."organization_id" = $1
  and "payor"."public_id" = $2
  and (exists ( select 1
  from "sessions" as record
  where record.organization_id = $3
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= $4
  and record.start_time <= $5 ) or exists ( select 1
  from "encounters" as record
  where record.organization_id = $6
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= $7
  and record.start_time <= $8 ))
  order by "authorization"."patient_id", "authorization"."public_id"

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_number" as "authorizationNumber", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", "payor"."public_id" as "payorId", "payor"."name" as "payorName", "patient"."public_id" as "patientId", "patient"."first_name" as "patientFirstName", "patient"."last_name" as "patientLastName", "patient"."internal_record_id" as "internalRecordId", "patient"."time_zone" as "patientTimeZone", "authorization"."service_line_id" as "serviceLinePublicId"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  left
  join "payors" as "payor" on "payor"."organization_id" = "authorization"."organization_id"
  and "payor"."public_id" = coalesce("pool"."payor_id", "authorization"."payor_id")
  where "authorization"."organization_id" = $1
  and (exists ( select 1
  from "sessions" as record
  where record.organization_id = $2
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= $3
  and record.start_time <= $4 ) or exists ( select 1
  from "encounters" as record
  where record.organization_id = $5
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= $6
  and record.start_time <= $7 ))
  order by "authorization"."patient_id", "authorization"."public_id"

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_pool_id" as "poolId", "patient"."time_zone" as "patientTimeZone", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "authorization"."organization_id" = $1
  and "patient"."is_active" = $2
  and "authorization"."patient_id" = $3
  and ("authorization"."authorization_pool_id" is not null or ("authorization"."authorization_expiration_date" >= $4
  and "authorization"."authorization_date" <= $5))

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_pool_id" as "poolId", "patient"."time_zone" as "patientTimeZone", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "authorization"."organization_id" = $1
  and "patient"."is_active" = $2
  and ("authorization"."authorization_pool_id" is not null or ("authorization"."authorization_expiration_date" >= $3
  and "authorization"."authorization_date" <= $4))
  order by "authorization"."authorization_expiration_date", "authorization"."public_id"

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_pool_id" as "poolId", "patient"."time_zone" as "patientTimeZone", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "authorization"."organization_id" = $1
  and "patient"."is_active" = $2
  and coalesce("pool"."payor_id", "authorization"."payor_id") = $3
  and "authorization"."patient_id" = $4
  and ("authorization"."authorization_pool_id" is not null or ("authorization"."authorization_expiration_date" >= $5
  and "authorization"."authorization_date" <= $6))

select "authorization"."public_id" as "publicId", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate", "line"."public_id" as "serviceLineId", "line"."billing_unit_minutes" as "billingUnitMinutes"
  from "authorizations" as "authorization"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  where "authorization"."organization_id" = $1
  and "authorization"."authorization_pool_id" = $2
  order by "authorization"."authorization_date", "authorization"."public_id"

select "authorization"."public_id" as "publicId", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate", "line"."public_id" as "serviceLineId", "line"."billing_unit_minutes" as "billingUnitMinutes"
  from "authorizations" as "authorization"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  where "authorization"."organization_id" = $1
  and "authorization"."public_id" = $2
  order by "authorization"."authorization_date", "authorization"."public_id"

select "authorization"."public_id", "authorization"."patient_id", "authorization"."authorization_pool_id", "authorization"."authorization_number", "authorization"."authorization_status", "authorization"."authorized_units_quantity", "authorization"."authorized_unit_frequency", "authorization"."service_line_id", "line"."name" as "service_line_name", "authorization"."authorization_date", "authorization"."authorization_expiration_date"
  from "authorizations" as "authorization"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  where "authorization"."organization_id" = $1
  and "authorization"."patient_id" = any($2)
  order by "authorization"."patient_id", "authorization"."authorization_date", "authorization"."public_id"

select "authorization_id" as "authorizationId", "start_time" as "startTime", "end_time" as "endTime", "status"
  from "sessions"
  where "organization_id" = $1
  and "authorization_id" = any($2)
  and "start_time" >= $3
  and "start_time" <= $4

select "authorization_id" as "authorizationId", "start_time" as "startTime", "status"
  from "sessions"
  where "organization_id" = $1
  and "authorization_id" = any($2)
  and "start_time" >= $3
  and "start_time" <= $4

select "authorization_id" as "authorizationId", "start_time" as "startTime", "units"
  from "encounters"
  where "organization_id" = $1
  and "authorization_id" = any($2)
  and "start_time" >= $3
  and "start_time" <= $4

select "body_hash", "status", "answer", "patient_ids"
  from "idempotent_answers"
  where "organization_id" = $1
  and "route" = $2
  and "idempotency_key" = $3
  and "created_at" > $4

select "clinician_id", "technician_id"
  from "care_team_links"
  where "organization_id" = $1
  and "clinician_id" = any($2)
  order by "clinician_id", "technician_id"

select "day", "sessions"
  from "session_counts"
  where "organization_id" = $1
  and "day" > $2
  order by "day"
  limit $3

select "day", "sessions"
  from "session_counts"
  where "organization_id" = $1
  and "day" >= $2
  order by "day"
  limit $3

select "day", "sessions"
  from "session_counts"
  where "organization_id" = $1
  order by "day"
  limit $2

select "encounter"."public_id" as "id", "encounter"."start_time" as "startTime", "encounter"."units", "encounter"."session_id" as "sessionId", "session"."status", "session"."start_time" as "sessionStart", "session"."end_time" as "sessionEnd", "authorization"."authorization_date" as "firstDate", "authorization"."authorization_expiration_date" as "lastDate", "line"."billing_unit_minutes" as "billingUnitMinutes", "patient"."time_zone" as "timezone"
  from "encounters" as "encounter"
  inner
  join "authorizations" as "authorization" on "authorization"."organization_id" = "encounter"."organization_id"
  and "authorization"."public_id" = "encounter"."authorization_id"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  left
  join "sessions" as "session" on "session"."organization_id" = "encounter"."organization_id"
  and "session"."public_id" = "encounter"."session_id"
  where "encounter"."organization_id" = $1
  and "encounter"."public_id" = any($2)
  order by "encounter"."public_id"

select "encounter"."public_id" as "publicId", "encounter"."start_time" as "startTime", "encounter"."units", "authorization"."patient_id" as "patientId", "patient"."time_zone" as "patientTimeZone", "authorization"."public_id" as "authorizationId", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", coalesce("pool"."payor_id", "authorization"."payor_id") as "payorId", "session"."public_id" as "sessionId", "session"."status", "session"."is_supervision" as "isSupervision", "session"."technician_id" as "technicianId", "session"."clinician_id" as "clinicianId"
  from "encounters" as "encounter"
  inner
  join "authorizations" as "authorization" on "authorization"."organization_id" = "encounter"."organization_id"
  and "authorization"."public_id" = "encounter"."authorization_id"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "sessions" as "session" on "session"."organization_id" = "encounter"."organization_id"
  and "session"."public_id" = "encounter"."session_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "encounter"."organization_id" = $1
  and "encounter"."start_time" >= $2
  and "encounter"."start_time" <= $3
  and "patient"."is_active" = $4
  and (substr(encounter.start_time, 1, 10) <= "authorization"."authorization_date" or substr(encounter.start_time, 1, 10) >= "authorization"."authorization_expiration_date" or "session"."status" not in ($5, $6, $7))
  order by "encounter"."start_time"

select "encounters"."public_id", "encounters"."authorization_id", "encounters"."session_id", "encounters"."start_time", "encounters"."units"
  from "authorizations"
  cross
  join "encounters"
  where "authorizations"."organization_id" = $1
  and "authorizations"."patient_id" = $2
  and "encounters"."authorization_id" = "authorizations"."public_id"
  and "encounters"."organization_id" = $3
  and "encounters"."authorization_id" = $4
  and "encounters"."session_id" = $5
  order by "encounters"."start_time", "encounters"."public_id"
  limit $6 offset $7

select "encounters"."public_id", "encounters"."authorization_id", "encounters"."session_id", "encounters"."start_time", "encounters"."units"
  from "encounters"
  where "encounters"."organization_id" = $1
  and "encounters"."start_time" >= $2
  and "encounters"."start_time" <= $3
  order by "encounters"."start_time", "encounters"."public_id"
  limit $4 offset $5

select "entry"."patient_id", "entry"."payor_id", "payor"."name" as "payor_name", "entry"."priority", "entry"."relationship_to_patient", "entry"."insured_birth_date", "entry"."insured_address", "entry"."member_id", "entry"."group_id", "entry"."plan_holder", "entry"."effective_start_date", "entry"."effective_end_date"
  from "patient_payors" as "entry"
  inner
  join "payors" as "payor" on "payor"."organization_id" = "entry"."organization_id"
  and "payor"."public_id" = "entry"."payor_id"
  where "entry"."organization_id" = $1
  and "entry"."patient_id" = any($2)
  order by "entry"."patient_id", "entry"."position"

select "entry"."user_id", "entry"."credential_position", "entry"."public_id", "entry"."payor_id", "payor"."name" as "payor_name", "entry"."status", "entry"."start_date", "entry"."end_date", "entry"."notes"
  from "payor_credentialing" as "entry"
  inner
  join "payors" as "payor" on "payor"."organization_id" = "entry"."organization_id"
  and "payor"."public_id" = "entry"."payor_id"
  where "entry"."organization_id" = $1
  and "entry"."user_id" = any($2)
  order by "entry"."user_id", "entry"."credential_position", "entry"."position"

select "goal".*, "plan"."patient_id"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = $1
  and "goal"."parent_goal_id" is null
  and "goal"."treatment_plan_id" = $2
  and "plan"."patient_id" = $3
  and "goal"."type" = $4
  and "goal"."status" = $5
  order by "goal"."public_id"
  limit $6 offset $7

select "goal".*, "plan"."patient_id"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = $1
  and "goal"."parent_goal_id" is null
  order by "goal"."public_id"
  limit $2 offset $3

select "key"."organization_id", "key"."id", "key"."name", "key"."role", "key"."user_id", "key"."created_at", "key"."last_used_at", "key"."expires_at", "key"."revoked_at", "key"."successor_id", "key"."is_read_only", (select "user"."role"
  from "users" as "user"
  where "user"."organization_id" = "key"."organization_id"
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = "key"."organization_id"
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  order by "key"."created_at", "key"."id"

select "key"."organization_id", "key"."id", "key"."name", "key"."role", "key"."user_id", "key"."created_at", "key"."last_used_at", "key"."expires_at", "key"."revoked_at", "key"."successor_id", "key"."is_read_only", (select "user"."role"
  from "users" as "user"
  where "user"."organization_id" = $1
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = $2
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  where "key"."organization_id" = $3
  and "key"."hash" = $4

select "key"."organization_id", "key"."id", "key"."name", "key"."role", "key"."user_id", "key"."created_at", "key"."last_used_at", "key"."expires_at", "key"."revoked_at", "key"."successor_id", "key"."is_read_only", (select "user"."role"
  from "users" as "user"
  where "user"."organization_id" = $1
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = $2
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  where "key"."organization_id" = $3
  and "key"."id" = $4

select "key"."organization_id", "key"."id", "key"."name", "key"."role", "key"."user_id", "key"."created_at", "key"."last_used_at", "key"."expires_at", "key"."revoked_at", "key"."successor_id", "key"."is_read_only", (select "user"."role"
  from "users" as "user"
  where "user"."organization_id" = $1
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = $2
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  where "key"."organization_id" = $3
  order by "key"."created_at", "key"."id"

select "lead"."public_id", "lead"."client_id", "lead"."caregiver_id", "lead"."relationship", "lead"."stage_id", "lead"."source", "lead"."channel", "lead"."campaign", "lead"."created_at", "lead"."attribution", "stage"."built_in_key" as "stage_key"
  from "intake_leads" as "lead"
  left
  join "intake_stages" as "stage" on "stage"."organization_id" = "lead"."organization_id"
  and "stage"."public_id" = "lead"."stage_id"
  where "lead"."organization_id" = $1
  and "lead"."created_at" >= $2
  and "lead"."created_at" <= $3
  order by "lead"."created_at" asc, "lead"."public_id"
  limit $4 offset $5

select "lead"."public_id", "lead"."client_id", "lead"."caregiver_id", "lead"."relationship", "lead"."stage_id", "lead"."source", "lead"."channel", "lead"."campaign", "lead"."created_at", "lead"."attribution", "stage"."built_in_key" as "stage_key"
  from "intake_leads" as "lead"
  left
  join "intake_stages" as "stage" on "stage"."organization_id" = "lead"."organization_id"
  and "stage"."public_id" = "lead"."stage_id"
  where "lead"."organization_id" = $1
  and "lead"."public_id" = $2

select "lead"."public_id", "lead"."client_id", "lead"."caregiver_id", "lead"."relationship", "lead"."stage_id", "lead"."source", "lead"."channel", "lead"."campaign", "lead"."created_at", "lead"."attribution", "stage"."built_in_key" as "stage_key"
  from "intake_leads" as "lead"
  left
  join "intake_stages" as "stage" on "stage"."organization_id" = "lead"."organization_id"
  and "stage"."public_id" = "lead"."stage_id"
  where "lead"."organization_id" = $1
  and "lead"."stage_id" = $2
  and exists (select "link"."label_id"
  from "intake_lead_labels" as "link"
  where "link"."organization_id" = $3
  and "link"."lead_id" = "lead"."public_id"
  and "link"."label_id" = $4)
  and "lead"."channel" = $5
  and "lead"."source" = $6
  and "lead"."client_id" = $7
  order by "lead"."created_at" desc, "lead"."public_id"
  limit $8 offset $9

select "lead_id", "label_id"
  from "intake_lead_labels"
  where "organization_id" = $1
  and "lead_id" = any($2)
  order by "lead_id", "label_id"

select "link"."user_id", "specialization"."public_id", "specialization"."name"
  from "provider_specializations" as "link"
  inner
  join "specializations" as "specialization" on "specialization"."organization_id" = "link"."organization_id"
  and "specialization"."public_id" = "link"."specialization_id"
  where "link"."organization_id" = $1
  and "link"."user_id" = any($2)
  order by "link"."user_id", "link"."specialization_id"

select "name"
  from "schema_migrations"

select "naming"."authorization_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "authorizations" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."authorization_id"
  where naming.organization_id = $1
  and "naming"."authorization_id" = any($2)
  and ("naming"."client_id" is distinct from "named"."patient_id" or "naming"."service_line_id" is distinct from "named"."service_line_id")
  group by 1

select "naming"."authorization_pool_id" as id, min("naming"."public_id") as other
  from "authorizations" as naming
  join "authorization_pools" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."authorization_pool_id"
  where naming.organization_id = $1
  and "naming"."authorization_pool_id" = any($2)
  and ("naming"."patient_id" is distinct from "named"."patient_id" or "naming"."payor_id" <> "named"."payor_id")
  group by 1

select "naming"."caregiver_id" as id, min("naming"."public_id") as other
  from "intake_leads" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."caregiver_id"
  where naming.organization_id = $1
  and "naming"."caregiver_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."caregiver_id" as id, min("naming"."public_id") as other
  from "users" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."caregiver_id"
  where naming.organization_id = $1
  and "naming"."caregiver_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."client_id" as id, min("naming"."public_id") as other
  from "intake_leads" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."client_id"
  where naming.organization_id = $1
  and "naming"."client_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."client_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."client_id"
  where naming.organization_id = $1
  and "naming"."client_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."clinician_id" as id, min("naming"."patient_id") as other
  from "patient_clinicians" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."clinician_id"
  where naming.organization_id = $1
  and "naming"."clinician_id" = any($2)
  and (named.role not in ($3, $4, $5, $6))
  group by 1

select "naming"."clinician_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."clinician_id"
  where naming.organization_id = $1
  and "naming"."clinician_id" = any($2)
  and (named.role not in ($3, $4, $5))
  group by 1

select "naming"."patient_id" as id, min("naming"."public_id") as other
  from "authorization_pools" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."patient_id"
  where naming.organization_id = $1
  and "naming"."patient_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."patient_id" as id, min("naming"."public_id") as other
  from "authorizations" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."patient_id"
  where naming.organization_id = $1
  and "naming"."patient_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."patient_id" as id, min("naming"."public_id") as other
  from "treatment_plans" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."patient_id"
  where naming.organization_id = $1
  and "naming"."patient_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."primary_clinician_id" as id, min("naming"."public_id") as other
  from "users" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."primary_clinician_id"
  where naming.organization_id = $1
  and "naming"."primary_clinician_id" = any($2)
  and (named.role not in ($3, $4, $5, $6))
  group by 1

select "naming"."session_id" as id, min("naming"."public_id") as other
  from "encounters" as naming
  join "sessions" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."session_id"
  where naming.organization_id = $1
  and "naming"."session_id" = any($2)
  and ("naming"."authorization_id" is distinct from "named"."authorization_id")
  group by 1

select "naming"."technician_id" as id, min("naming"."clinician_id") as other
  from "care_team_links" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."technician_id"
  where naming.organization_id = $1
  and "naming"."technician_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "naming"."technician_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."technician_id"
  where naming.organization_id = $1
  and "naming"."technician_id" = any($2)
  and (named.role not in ($3))
  group by 1

select "organization_id"
  from "key_organizations"
  where "hash" = $1

select "organization_id"
  from "key_organizations"
  where "key_id" = $1

select "organization_id", "sequence", "time"
  from "audit_entries"
  where "time" > $1
  order by "organization_id", "sequence"
  limit $2

select "patient_id"
  from "treatment_plans"
  where "organization_id" = $1
  and "public_id" = $2

select "patient_id", "clinician_id"
  from "patient_clinicians"
  where "organization_id" = $1
  and "patient_id" = any($2)
  order by "patient_id", "clinician_id"

select "pool"."public_id" as "id", "pool"."public_id" as "other"
  from "authorization_pools" as "pool"
  inner
  join "authorizations" as "authorization" on "authorization"."organization_id" = "pool"."organization_id"
  and "authorization"."public_id" = "pool"."public_id"
  where "pool"."organization_id" = $1
  and "pool"."public_id" = any($2)

select "pool"."public_id" as "poolId", "patient"."public_id" as "patientId", "patient"."time_zone" as "patientTimeZone", "organization"."week_starts_on" as "weekStartsOn", "pool"."unit_frequency" as "unitFrequency", "pool"."total_units" as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited"
  from "authorization_pools" as "pool"
  inner
  join "users" as "patient" on "patient"."organization_id" = "pool"."organization_id"
  and "patient"."public_id" = "pool"."patient_id"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "pool"."organization_id"
  where "pool"."organization_id" = $1
  and "pool"."public_id" = $2

select "pool"."public_id" as "poolId", "patient"."public_id" as "patientId", "patient"."time_zone" as "patientTimeZone", "organization"."week_starts_on" as "weekStartsOn", coalesce("pool"."unit_frequency", "authorization"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "authorization"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "authorization"."authorized_units_quantity" as "ownUnits", "authorization"."authorized_unit_frequency" as "ownUnitFrequency"
  from "authorizations" as "authorization"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "authorization"."organization_id"
  where "authorization"."organization_id" = $1
  and "authorization"."public_id" = $2

select "pool"."public_id", "pool"."patient_id", "pool"."payor_id", "payor"."name" as "payor_name", "pool"."total_units", "pool"."unit_frequency", "pool"."is_unlimited"
  from "authorization_pools" as "pool"
  inner
  join "payors" as "payor" on "payor"."organization_id" = "pool"."organization_id"
  and "payor"."public_id" = "pool"."payor_id"
  where "pool"."organization_id" = $1
  and "pool"."patient_id" = any($2)
  order by "pool"."patient_id", "pool"."public_id"

select "public_id"
  from "authorization_pools"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "authorizations"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "encounters"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "goals"
  where "organization_id" = $1
  and parent_goal_id is null
  and "sequence" > $2

select "public_id"
  from "intake_labels"
  where "organization_id" = $1
  and "public_id" = any($2)

select "public_id"
  from "intake_labels"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "intake_labels"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "intake_leads"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "intake_stages"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "intake_stages"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "locations"
  where "organization_id" = $1
  and "public_id" = any($2)

select "public_id"
  from "locations"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "locations"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "non_billable_codes"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "non_billable_codes"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "organizations"
  order by "public_id"

select "public_id"
  from "organizations"
  where "public_id" = $1

select "public_id"
  from "payors"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "payors"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "service_lines"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "service_lines"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "sessions"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "specializations"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id"
  from "specializations"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "treatment_plans"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id"
  from "users"
  where "organization_id" = $1
  and true
  and "sequence" > $2

select "public_id" as "id", "role", "email", "time_zone" as "timezone", "birth_date" as "birthDate"
  from "users"
  where "organization_id" = $1
  and "public_id" = any($2)
  order by "public_id"

select "public_id" as "publicId", "authorization_id" as "authorizationId", "start_time" as "startTime", "end_time" as "endTime", "status"
  from "sessions"
  where "organization_id" = $1
  and "authorization_id" = any($2)
  and "start_time" >= $3
  and "start_time" <= $4

select "public_id" as "publicId", "authorization_id" as "authorizationId", "start_time" as "startTime", "units"
  from "encounters"
  where "organization_id" = $1
  and "authorization_id" = any($2)
  and "start_time" >= $3
  and "start_time" <= $4

select "public_id" as "publicId", "first_name" as "firstName", "last_name" as "lastName"
  from "users"
  where "organization_id" = $1
  and "public_id" = any($2)

select "public_id" as "publicId", "name"
  from "intake_labels"
  where "organization_id" = $1
  order by "name", "public_id"
  limit $2 offset $3

select "public_id" as "publicId", "name"
  from "locations"
  where "organization_id" = $1
  order by "name", "public_id"
  limit $2 offset $3

select "public_id" as "publicId", "name"
  from "non_billable_codes"
  where "organization_id" = $1
  order by "name", "public_id"
  limit $2 offset $3

select "public_id" as "publicId", "name"
  from "payors"
  where "organization_id" = $1
  order by "name", "public_id"
  limit $2 offset $3

select "public_id" as "publicId", "name", "billing_unit_minutes" as "billingUnitMinutes"
  from "service_lines"
  where "organization_id" = $1
  order by "name", "public_id"
  limit $2 offset $3

select "public_id" as "publicId", "patient_id" as "patientId", "name"
  from "treatment_plans"
  where "organization_id" = $1
  and "patient_id" = $2
  order by "public_id"
  limit $3 offset $4

select "public_id" as "publicId", "session_id" as "sessionId", "start_time" as "startTime", "units"
  from "encounters"
  where "organization_id" = $1
  and "session_id" = any($2)

select "public_id" as "publicId", "start_time" as "startTime"
  from "sessions"
  where "organization_id" = $1
  and "authorization_id" = $2
  and "public_id" = any($3)

select "public_id", "authorization_id"
  from "sessions"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id", "built_in_key"
  from "intake_stages"
  where "organization_id" = $1
  and "is_active" = $2
  order by "position", "public_id"
  limit $3

select "public_id", "built_in_key", "name", "position", "is_active"
  from "intake_stages"
  where "organization_id" = $1
  and "is_active" = $2
  order by "position", "public_id"
  limit $3 offset $4

select "public_id", "email_key"
  from "users"
  where "organization_id" = $1
  and "email_key" = any($2)

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = $1
  and "email_key" = $2
  order by "created_at" asc, "public_id"
  limit $3 offset $4

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = $1
  and "public_id" = $2

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = $1
  order by "created_at" asc, "public_id"
  limit (select cast($2 as bigint)) offset (select cast($3 as bigint))

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = $1
  order by "created_at" desc, "public_id"
  limit (select cast($2 as bigint)) offset (select cast($3 as bigint))

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = $1
  order by "updated_at" asc, "public_id"
  limit (select cast($2 as bigint)) offset (select cast($3 as bigint))

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = $1
  and "role" = $2
  and "is_active" = $3
  order by "created_at" asc, "public_id"
  limit $4 offset $5) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $6
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = $1
  order by "created_at" asc, "public_id"
  limit $2 offset $3) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $4
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = $1
  order by "created_at" desc, "public_id"
  limit $2 offset $3) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $4
  order by "created_at" desc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = $1
  order by "updated_at" asc, "public_id"
  limit $2 offset $3) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $4
  order by "updated_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users
  where "organization_id" = $1
  and "role" = $2
  and "is_active" = $3
  and "search_text" like $4 escape '\'
  and "search_text" like $5 escape '\'
  order by "created_at" asc, "public_id"
  limit $6 offset $7) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $8
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users
  where "organization_id" = $1
  and "search_text" like $2 escape '\'
  order by "created_at" asc, "public_id"
  limit $3 offset $4) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $5
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users
  where "organization_id" = $1
  and "search_text" like $2 escape '\'
  order by "created_at" desc, "public_id"
  limit $3 offset $4) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $5
  order by "created_at" desc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users
  where "organization_id" = $1
  and "search_text" like $2 escape '\'
  order by "updated_at" asc, "public_id"
  limit $3 offset $4) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = $5
  order by "updated_at" asc, "public_id"

select "public_id", "name"
  from "organizations"
  order by "public_id"

select "public_id", "name"
  from "specializations"
  where "organization_id" = $1
  and "is_active" = $2
  and "public_id" = any($3)
  order by "public_id"

select "public_id", "name", "is_active"
  from "specializations"
  where "organization_id" = $1
  and "is_active" = $2
  order by "name", "public_id"
  limit $3 offset $4

select "public_id", "parent_goal_id"
  from "goals"
  where "organization_id" = $1
  and "parent_goal_id" = any($2)
  order by "parent_goal_id", "order_among_siblings", "public_id"

select "public_id", "patient_id"
  from "treatment_plans"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id", "patient_id", "authorization_pool_id", "service_line_id"
  from "authorizations"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id", "patient_id", "payor_id"
  from "authorization_pools"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id", "role"
  from "users"
  where "organization_id" = $1
  and "email_key" = $2

select "public_id", "role"
  from "users"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = $1
  and "client_id" = $2
  and "status" in ($3)
  order by "start_time", "public_id"
  limit $4 offset $5

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = $1
  and "client_id" = $2
  and "technician_id" = $3
  and "clinician_id" = $4
  and "authorization_id" = $5
  order by "start_time", "public_id"
  limit $6 offset $7

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = $1
  and "public_id" = $2

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = $1
  and "start_time" >= $2
  and "start_time" <= $3
  order by "start_time", "public_id"
  limit (select cast($4 as bigint)) offset (select cast($5 as bigint))

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = $1
  and "start_time" >= $2
  order by "start_time", "public_id"
  limit (select cast($3 as bigint)) offset (select cast($4 as bigint))

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from (select "public_id" as "id", "start_time" as "start"
  from "sessions"
  where "organization_id" = $1
  and "start_time" >= $2
  and "start_time" <= $3
  and "status" = $4
  union all select "public_id" as "id", "start_time" as "start"
  from "sessions"
  where "organization_id" = $5
  and "start_time" >= $6
  and "start_time" <= $7
  and "status" = $8
  order by "start", "id"
  limit $9 offset $10) as "page"
  cross
  join "sessions"
  where "sessions"."organization_id" = $11
  and "sessions"."public_id" = "page"."id"
  order by "start_time", "public_id"

select "role", "is_active"
  from "users"
  where "organization_id" = $1
  and "public_id" = $2

select "sequence", "hash"
  from "audit_entries"
  where "organization_id" = $1
  and "sequence" = $2

select "sequence", "hash"
  from "audit_entries"
  where "organization_id" = $1
  and "time" < $2
  order by "sequence" desc
  limit $3

select "sequence", "hash", time as "time"
  from "audit_entries"
  where "organization_id" = $1
  order by "sequence" desc
  limit $2

select "session"."public_id" as "id", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."is_billable" as "isBillable", "session"."client_id" as "clientId", "authorization"."authorization_date" as "firstDate", "authorization"."authorization_expiration_date" as "lastDate", "client"."time_zone" as "timezone"
  from "sessions" as "session"
  left
  join "authorizations" as "authorization" on "authorization"."organization_id" = "session"."organization_id"
  and "authorization"."public_id" = "session"."authorization_id"
  left
  join "users" as "client" on "client"."organization_id" = "session"."organization_id"
  and "client"."public_id" = "session"."client_id"
  where "session"."organization_id" = $1
  and "session"."public_id" = any($2)
  order by "session"."public_id"

select "session"."public_id" as "publicId", "session"."authorization_id" as "authorizationId", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."status"
  from "sessions" as "session"
  where "session"."organization_id" = $1
  and "session"."authorization_id" = any($2)
  and "session"."start_time" >= $3
  and "session"."start_time" <= $4
  and not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = $5
  and encounter.session_id = "session"."public_id"
  and encounter.authorization_id = "session"."authorization_id" )

select "session"."public_id" as "publicId", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."status", "session"."is_billable" as "isBillable", "session"."is_supervision" as "isSupervision", "session"."technician_id" as "technicianId", "session"."clinician_id" as "clinicianId", "session"."client_id" as "patientId", "client"."time_zone" as "patientTimeZone", "line"."billing_unit_minutes" as "billingUnitMinutes", "session"."authorization_id" as "authorizationId", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", coalesce("pool"."payor_id", "authorization"."payor_id") as "payorId", (select count(*) as "encounters"
  from "encounters" as "encounter"
  where "encounter"."organization_id" = $1
  and "encounter"."session_id" = "session"."public_id") as "encounters"
  from "sessions" as "session"
  left
  join "users" as "client" on "client"."organization_id" = "session"."organization_id"
  and "client"."public_id" = "session"."client_id"
  left
  join "service_lines" as "line" on "line"."organization_id" = "session"."organization_id"
  and "line"."public_id" = "session"."service_line_id"
  left
  join "authorizations" as "authorization" on "authorization"."organization_id" = "session"."organization_id"
  and "authorization"."public_id" = "session"."authorization_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "session"."organization_id" = $2
  and ("session"."client_id" is null or "client"."is_active" = $3)
  and "session"."start_time" >= $4
  and "session"."start_time" <= $5
  order by "session"."start_time", "session"."public_id"

select "session"."public_id" as "publicId", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."status", "session"."is_billable" as "isBillable", "session"."is_supervision" as "isSupervision", "session"."technician_id" as "technicianId", "session"."clinician_id" as "clinicianId", "session"."client_id" as "patientId", "client"."time_zone" as "patientTimeZone", "line"."billing_unit_minutes" as "billingUnitMinutes", "session"."authorization_id" as "authorizationId", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", coalesce("pool"."payor_id", "authorization"."payor_id") as "payorId", (select count(*) as "encounters"
  from "encounters" as "encounter"
  where "encounter"."organization_id" = $1
  and "encounter"."session_id" = "session"."public_id") as "encounters"
  from "sessions" as "session"
  left
  join "users" as "client" on "client"."organization_id" = "session"."organization_id"
  and "client"."public_id" = "session"."client_id"
  left
  join "service_lines" as "line" on "line"."organization_id" = "session"."organization_id"
  and "line"."public_id" = "session"."service_line_id"
  left
  join "authorizations" as "authorization" on "authorization"."organization_id" = "session"."organization_id"
  and "authorization"."public_id" = "session"."authorization_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "session"."organization_id" = $2
  and ("session"."client_id" is null or "client"."is_active" = $3)
  and substr(session.end_time, 1, 10) > substr(session.start_time, 1, 10)
  and "session"."end_time" > $4
  and "session"."start_time" < $5
  and "session"."status" in ($6, $7, $8)
  order by "session"."start_time", "session"."public_id"

select "session_id"
  from "encounters"
  where "organization_id" = $1
  and "session_id" = any($2)
  group by "session_id"
  having count(*) > $3

select "subject"."organization_id"
  from "organizations" as "organization"
  inner
  join "authorizations" as "subject" on "subject"."organization_id" = "organization"."public_id"
  where "subject"."public_id" = $1
  union select "subject"."organization_id"
  from "organizations" as "organization"
  inner
  join "authorization_pools" as "subject" on "subject"."organization_id" = "organization"."public_id"
  where "subject"."public_id" = $2
  order by "organization_id"

select "technician_id", "clinician_id"
  from "care_team_links"
  where "organization_id" = $1
  and "technician_id" = any($2)
  order by "technician_id", "clinician_id"

select "type", "public_id"
  from "deletions"
  where "organization_id" = $1
  and "sequence" > $2
  order by "type", "public_id"

select "user_id" as "userId", max("expires_at") as "endsAt"
  from "provider_credentials"
  where "organization_id" = $1
  group by "user_id"
  having max("expires_at") <= $2

select "user_id", "location_id"
  from "user_locations"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "location_id"

select "user_id", "position", "credential_type", "practice_area", "credential_number", "expires_at", "credential_status"
  from "provider_credentials"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "position"

select "webhook".*, "organization"."sequence"
  from "webhooks" as "webhook"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "webhook"."organization_id"
  order by "webhook"."organization_id", "webhook"."created_at", "webhook"."id"

select "webhook".*, "organization"."sequence"
  from "webhooks" as "webhook"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "webhook"."organization_id"
  where "webhook"."id" = $1

select "webhook".*, "organization"."sequence"
  from "webhooks" as "webhook"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "webhook"."organization_id"
  where "webhook"."is_off" = $1
  and "webhook"."due_at" <= $2
  and "organization"."sequence" > "webhook"."acknowledged"

select *
  from "api_keys"
  where "organization_id" = $1

select *
  from "audit_entries"
  where "organization_id" = $1

select *
  from "audit_entries"
  where "organization_id" = $1
  and "sequence" > $2
  and "key_id" = $3
  and "time" >= $4
  and "time" <= $5
  order by "sequence"
  limit $6

select *
  from "audit_entries"
  where "organization_id" = $1
  and "sequence" > $2
  order by "sequence"
  limit $3

select *
  from "audit_heads"
  order by "organization_id"

select *
  from "audit_heads"
  where "organization_id" = $1

select *
  from "authorization_pools"
  where "organization_id" = $1

select *
  from "authorization_pools"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "authorization_pools"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "authorizations"
  where "organization_id" = $1

select *
  from "authorizations"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "authorizations"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "behavior_instances"
  where "organization_id" = $1

select *
  from "behavior_instances"
  where "organization_id" = $1
  and "goal_id" = any($2)
  order by "happened_at", "public_id"

select *
  from "care_team_links"
  where "organization_id" = $1

select *
  from "care_team_links"
  where "organization_id" = $1
  and "clinician_id" = any($2)
  order by "clinician_id", "technician_id"

select *
  from "deletions"
  where "organization_id" = $1

select *
  from "encounters"
  where "organization_id" = $1

select *
  from "encounters"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "encounters"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "goal_metrics"
  where "organization_id" = $1

select *
  from "goal_metrics"
  where "organization_id" = $1
  and "goal_id" = any($2)

select *
  from "goals"
  where "organization_id" = $1

select *
  from "goals"
  where "organization_id" = $1
  and "public_id" = $2

select *
  from "goals"
  where "organization_id" = $1
  and parent_goal_id is null
  and "public_id" = any($2)

select *
  from "goals"
  where "organization_id" = $1
  and parent_goal_id is null
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "idempotent_answers"
  where "organization_id" = $1

select *
  from "intake_labels"
  where "organization_id" = $1

select *
  from "intake_labels"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "intake_labels"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "intake_lead_labels"
  where "organization_id" = $1

select *
  from "intake_lead_labels"
  where "organization_id" = $1
  and "lead_id" = any($2)
  order by "lead_id", "label_id"

select *
  from "intake_leads"
  where "organization_id" = $1

select *
  from "intake_leads"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "intake_leads"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "intake_stages"
  where "organization_id" = $1

select *
  from "intake_stages"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "intake_stages"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "interval_sets"
  where "organization_id" = $1

select *
  from "interval_sets"
  where "organization_id" = $1
  and "goal_id" = any($2)
  order by "started_at", "public_id"

select *
  from "key_organizations"
  where "organization_id" = $1

select *
  from "locations"
  where "organization_id" = $1

select *
  from "locations"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "locations"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "non_billable_codes"
  where "organization_id" = $1

select *
  from "non_billable_codes"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "non_billable_codes"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "organizations"
  order by "public_id"

select *
  from "organizations"
  where "public_id" = $1

select *
  from "patient_clinicians"
  where "organization_id" = $1

select *
  from "patient_clinicians"
  where "organization_id" = $1
  and "patient_id" = any($2)
  order by "patient_id", "clinician_id"

select *
  from "patient_payors"
  where "organization_id" = $1

select *
  from "patient_payors"
  where "organization_id" = $1
  and "patient_id" = any($2)
  order by "patient_id", "position"

select *
  from "payor_credentialing"
  where "organization_id" = $1

select *
  from "payor_credentialing"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "credential_position", "position"

select *
  from "payors"
  where "organization_id" = $1

select *
  from "payors"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "payors"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "provider_credentials"
  where "organization_id" = $1

select *
  from "provider_credentials"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "position"

select *
  from "provider_payors"
  where "organization_id" = $1

select *
  from "provider_payors"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "payor_id"

select *
  from "provider_specializations"
  where "organization_id" = $1

select *
  from "provider_specializations"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "specialization_id"

select *
  from "rating_instances"
  where "organization_id" = $1

select *
  from "rating_instances"
  where "organization_id" = $1
  and "goal_id" = any($2)
  order by "happened_at", "public_id"

select *
  from "service_lines"
  where "organization_id" = $1

select *
  from "service_lines"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "service_lines"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "sessions"
  where "organization_id" = $1

select *
  from "sessions"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "sessions"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "skill_trials"
  where "organization_id" = $1

select *
  from "skill_trials"
  where "organization_id" = $1
  and "goal_id" = any($2)
  order by "happened_at", "public_id"

select *
  from "specializations"
  where "organization_id" = $1

select *
  from "specializations"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "specializations"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "treatment_plans"
  where "organization_id" = $1

select *
  from "treatment_plans"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "treatment_plans"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "user_locations"
  where "organization_id" = $1

select *
  from "user_locations"
  where "organization_id" = $1
  and "user_id" = any($2)
  order by "user_id", "location_id"

select *
  from "users"
  where "organization_id" = $1
  and true
  and "public_id" = any($2)

select *
  from "users"
  where "organization_id" = $1
  and true
  and "public_id" > $2
  order by "public_id"
  limit $3

select *
  from "users"
  where "organization_id" = $1
  order by (caregiver_id is not null or primary_clinician_id is not null)

select *
  from "webhooks"
  where "organization_id" = $1

select 1
  from organizations
  where public_id = $1 for no key update

select case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as "subject", coalesce("member"."authorization_pool_id", "member"."public_id") as "subjectId", "patient"."time_zone" as "patientTimeZone", "member"."patient_id" as "patientId", coalesce("pool"."payor_id", "member"."payor_id") as "payorId", coalesce("pool"."unit_frequency", "member"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "member"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "member"."public_id" as "authorizationId", "member"."authorization_date" as "startDate", "member"."authorization_expiration_date" as "endDate", "line"."billing_unit_minutes" as "billingUnitMinutes", "payor"."name" as "payorName", "patient"."first_name" as "patientFirstName", "patient"."last_name" as "patientLastName", "member"."authorization_number" as "authorizationNumber", "member"."authorization_status" as "authorizationStatus", "member"."service_line_id" as "serviceLineId", ( select string_agg(record.start_time || record.units, ',')
  from encounters as record
  where record.organization_id = $1
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $2 then $3 when $4 then $5 when $6 then $7 when $8 then $9 when $10 then $11 end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $12 then $13 when $14 then $15 when $16 then $17 when $18 then $19 when $20 then $21 end
  and true ) as "encounters", ( select string_agg(record.start_time || record.end_time || case when not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = $22
  and encounter.session_id = "record"."public_id"
  and encounter.authorization_id = "record"."authorization_id" ) then $23 else '-' end || record.status, ',')
  from sessions as record
  where record.organization_id = $24
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $25 then $26 when $27 then $28 when $29 then $30 when $31 then $32 when $33 then $34 end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $35 then $36 when $37 then $38 when $39 then $40 when $41 then $42 when $43 then $44 end
  and true ) as "sessions"
  from "authorizations" as "member"
  inner
  join "users" as "patient" on "patient"."organization_id" = "member"."organization_id"
  and "patient"."public_id" = "member"."patient_id"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "member"."organization_id"
  and "line"."public_id" = "member"."service_line_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "member"."organization_id"
  and "pool"."public_id" = "member"."authorization_pool_id"
  left
  join "payors" as "payor" on "payor"."organization_id" = "member"."organization_id"
  and "payor"."public_id" = coalesce("pool"."payor_id", "member"."payor_id")
  where "member"."organization_id" = $45
  and "member"."public_id" = any($46)

select case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as "subject", coalesce("member"."authorization_pool_id", "member"."public_id") as "subjectId", "patient"."time_zone" as "patientTimeZone", "member"."patient_id" as "patientId", coalesce("pool"."payor_id", "member"."payor_id") as "payorId", coalesce("pool"."unit_frequency", "member"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "member"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "member"."public_id" as "authorizationId", "member"."authorization_date" as "startDate", "member"."authorization_expiration_date" as "endDate", "line"."billing_unit_minutes" as "billingUnitMinutes", ( select string_agg(record.start_time || record.units, ',')
  from encounters as record
  where record.organization_id = $1
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $2 then $3 when $4 then $5 when $6 then $7 when $8 then $9 when $10 then $11 end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $12 then $13 when $14 then $15 when $16 then $17 when $18 then $19 when $20 then $21 end
  and coalesce(pool.is_unlimited, 0) = 0 ) as "encounters", ( select string_agg(record.start_time || record.end_time || $22 || record.status, ',')
  from sessions as record
  where record.organization_id = $23
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $24 then $25 when $26 then $27 when $28 then $29 when $30 then $31 when $32 then $33 end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $34 then $35 when $36 then $37 when $38 then $39 when $40 then $41 when $42 then $43 end
  and coalesce(pool.is_unlimited, 0) = 0
  and not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = $44
  and encounter.session_id = "record"."public_id"
  and encounter.authorization_id = "record"."authorization_id" ) ) as "openSessions"
  from "authorizations" as "member"
  inner
  join "users" as "patient" on "patient"."organization_id" = "member"."organization_id"
  and "patient"."public_id" = "member"."patient_id"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "member"."organization_id"
  and "line"."public_id" = "member"."service_line_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "member"."organization_id"
  and "pool"."public_id" = "member"."authorization_pool_id"
  where "member"."organization_id" = $45
  and "member"."public_id" = any($46)

select case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as "subject", coalesce("member"."authorization_pool_id", "member"."public_id") as "subjectId", "patient"."time_zone" as "patientTimeZone", "member"."patient_id" as "patientId", coalesce("pool"."payor_id", "member"."payor_id") as "payorId", coalesce("pool"."unit_frequency", "member"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "member"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "member"."public_id" as "authorizationId", "member"."authorization_date" as "startDate", "member"."authorization_expiration_date" as "endDate", "line"."billing_unit_minutes" as "billingUnitMinutes", ( select string_agg(record.start_time || record.units, ',')
  from encounters as record
  where record.organization_id = $1
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $2 then $3 when $4 then $5 when $6 then $7 when $8 then $9 when $10 then $11 end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $12 then $13 when $14 then $15 when $16 then $17 when $18 then $19 when $20 then $21 end
  and coalesce(pool.total_units, member.authorized_units_quantity) > 0
  and coalesce(pool.is_unlimited, 0) = 0 ) as "encounters", ( select string_agg(record.start_time || record.end_time || $22 || record.status, ',')
  from sessions as record
  where record.organization_id = $23
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $24 then $25 when $26 then $27 when $28 then $29 when $30 then $31 when $32 then $33 end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when $34 then $35 when $36 then $37 when $38 then $39 when $40 then $41 when $42 then $43 end
  and coalesce(pool.total_units, member.authorized_units_quantity) > 0
  and coalesce(pool.is_unlimited, 0) = 0
  and not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = $44
  and encounter.session_id = "record"."public_id"
  and encounter.authorization_id = "record"."authorization_id" ) ) as "openSessions"
  from "authorizations" as "member"
  inner
  join "users" as "patient" on "patient"."organization_id" = "member"."organization_id"
  and "patient"."public_id" = "member"."patient_id"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "member"."organization_id"
  and "line"."public_id" = "member"."service_line_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "member"."organization_id"
  and "pool"."public_id" = "member"."authorization_pool_id"
  where "member"."organization_id" = $45
  and "member"."public_id" = any($46)

select count(*) as "total"
  from "api_keys"

select count(*) as "total"
  from "audit_entries"

select count(*) as "total"
  from "audit_heads"

select count(*) as "total"
  from "authorization_pools"

select count(*) as "total"
  from "authorization_pools"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "authorizations"

select count(*) as "total"
  from "authorizations"
  cross
  join "encounters"
  where "authorizations"."organization_id" = $1
  and "authorizations"."patient_id" = $2
  and "encounters"."authorization_id" = "authorizations"."public_id"
  and "encounters"."organization_id" = $3
  and "encounters"."authorization_id" = $4
  and "encounters"."session_id" = $5

select count(*) as "total"
  from "authorizations"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "behavior_instances"

select count(*) as "total"
  from "care_team_links"

select count(*) as "total"
  from "deletions"

select count(*) as "total"
  from "encounters"

select count(*) as "total"
  from "encounters"
  where "encounters"."organization_id" = $1
  and "encounters"."start_time" >= $2
  and "encounters"."start_time" <= $3

select count(*) as "total"
  from "encounters"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "goal_metrics"

select count(*) as "total"
  from "goals"

select count(*) as "total"
  from "goals"
  where "organization_id" = $1
  and parent_goal_id is null

select count(*) as "total"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = $1
  and "goal"."parent_goal_id" is null

select count(*) as "total"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = $1
  and "goal"."parent_goal_id" is null
  and "goal"."treatment_plan_id" = $2
  and "plan"."patient_id" = $3
  and "goal"."type" = $4
  and "goal"."status" = $5

select count(*) as "total"
  from "idempotent_answers"

select count(*) as "total"
  from "intake_labels"

select count(*) as "total"
  from "intake_labels"
  where "organization_id" = $1

select count(*) as "total"
  from "intake_labels"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "intake_lead_labels"

select count(*) as "total"
  from "intake_leads"

select count(*) as "total"
  from "intake_leads"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "intake_leads" as "lead"
  where "lead"."organization_id" = $1
  and "lead"."created_at" >= $2
  and "lead"."created_at" <= $3

select count(*) as "total"
  from "intake_leads" as "lead"
  where "lead"."organization_id" = $1
  and "lead"."stage_id" = $2
  and exists (select "link"."label_id"
  from "intake_lead_labels" as "link"
  where "link"."organization_id" = $3
  and "link"."lead_id" = "lead"."public_id"
  and "link"."label_id" = $4)
  and "lead"."channel" = $5
  and "lead"."source" = $6
  and "lead"."client_id" = $7

select count(*) as "total"
  from "intake_stages"

select count(*) as "total"
  from "intake_stages"
  where "organization_id" = $1
  and "is_active" = $2

select count(*) as "total"
  from "intake_stages"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "interval_sets"

select count(*) as "total"
  from "key_organizations"

select count(*) as "total"
  from "locations"

select count(*) as "total"
  from "locations"
  where "organization_id" = $1

select count(*) as "total"
  from "locations"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "non_billable_codes"

select count(*) as "total"
  from "non_billable_codes"
  where "organization_id" = $1

select count(*) as "total"
  from "non_billable_codes"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "organizations"

select count(*) as "total"
  from "patient_clinicians"

select count(*) as "total"
  from "patient_payors"

select count(*) as "total"
  from "payor_credentialing"

select count(*) as "total"
  from "payors"

select count(*) as "total"
  from "payors"
  where "organization_id" = $1

select count(*) as "total"
  from "payors"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "provider_credentials"

select count(*) as "total"
  from "provider_payors"

select count(*) as "total"
  from "provider_specializations"

select count(*) as "total"
  from "rating_instances"

select count(*) as "total"
  from "service_lines"

select count(*) as "total"
  from "service_lines"
  where "organization_id" = $1

select count(*) as "total"
  from "service_lines"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "sessions"

select count(*) as "total"
  from "sessions"
  where "organization_id" = $1
  and "client_id" = $2
  and "status" in ($3)

select count(*) as "total"
  from "sessions"
  where "organization_id" = $1
  and "client_id" = $2
  and "technician_id" = $3
  and "clinician_id" = $4
  and "authorization_id" = $5

select count(*) as "total"
  from "sessions"
  where "organization_id" = $1
  and "start_time" >= $2
  and "start_time" <= $3

select count(*) as "total"
  from "sessions"
  where "organization_id" = $1
  and "start_time" >= $2
  and "start_time" <= $3
  and "status" in ($4, $5)

select count(*) as "total"
  from "sessions"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "skill_trials"

select count(*) as "total"
  from "specializations"

select count(*) as "total"
  from "specializations"
  where "organization_id" = $1
  and "is_active" = $2

select count(*) as "total"
  from "specializations"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "treatment_plans"

select count(*) as "total"
  from "treatment_plans"
  where "organization_id" = $1
  and "patient_id" = $2

select count(*) as "total"
  from "treatment_plans"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "user_locations"

select count(*) as "total"
  from "users"

select count(*) as "total"
  from "users"
  where "organization_id" = $1
  and true

select count(*) as "total"
  from "webhooks"

select count(*) as "total", null as "rowIds"
  from "users"
  where "organization_id" = $1
  and "email_key" = $2

select count(*) as "total", null as "rowIds"
  from users as users
  where "organization_id" = $1
  and "role" = $2
  and "is_active" = $3
  and "search_text" like $4 escape '\'
  and "search_text" like $5 escape '\'

select count(*) as "total", null as "rowIds"
  from users as users
  where "organization_id" = $1
  and "search_text" like $2 escape '\'

select current_setting('server_version') as version, current_setting('fsync') as fsync

select current_setting('server_version_num')::integer / 10000 as version, current_setting('synchronous_commit') as synchronous_commit, pg_encoding_to_char(encoding) as encoding, to_jsonb(pg_database) as database
  from pg_database
  where datname = current_database()

select distinct "organization_id"
  from "audit_entries"
  order by "organization_id"

select distinct "patient_id"
  from "authorizations"
  where "organization_id" = $1
  and "public_id" = any($2)

select distinct "target"
  from "audit_entries"
  where "method" = $1
  and "route" in ($2)
  and "status" = $3
  and "target" is not null

select distinct "target"
  from "audit_entries"
  where "method" = $1
  and "route" in ($2, $3)
  and "status" = $4
  and "target" is not null

select greatest(reltuples, 0) as rows
  from pg_class
  where oid = $1::regclass
  and not exists (select 1
  from pg_extension
  where extname = 'citus')

select max(written.public_id) as id, written.authorization_pool_id as other
  from authorizations as written
  where written.organization_id = $1
  and "written"."public_id" = any($2)
  and ( select count(*)
  from authorizations as member
  where member.organization_id = $3
  and member.authorization_pool_id = written.authorization_pool_id ) > $4
  group by written.authorization_pool_id

select pg_advisory_xact_lock($1)

select pg_advisory_xact_lock(hashtextextended($1, 0))

select pg_advisory_xact_lock(hashtextextended($1, 1))

select pg_try_advisory_lock(1128354639, 1) as taken

select pg_try_advisory_lock_shared(1128354639, 1) as taken

select sum("sessions") as "total"
  from "session_counts"
  where "organization_id" = $1

select sum("sessions") as "total"
  from "session_counts"
  where "organization_id" = $1
  and "day" >= $2

select sum("sessions") as "total"
  from "session_counts"
  where "organization_id" = $1
  and "day" >= $2
  and "day" <= $3

select sum("users") as "total"
  from "user_counts"
  where "organization_id" = $1

select sum("users") as "total"
  from "user_counts"
  where "organization_id" = $1
  and "role" = $2

select sum("users") as "total"
  from "user_counts"
  where "organization_id" = $1
  and "role" = $2
  and "is_active" = $3

select tablename as name
  from pg_tables
  where schemaname = current_schema()

select version
  from pg_stat_ssl
  where pid = pg_backend_pid()

update "api_keys"
  set "last_used_at" = $1
  where "organization_id" = $2
  and "id" = $3
  and ("last_used_at" is null or "last_used_at" < $4)

update "api_keys"
  set "revoked_at" = $1
  where "organization_id" = $2
  and "id" = $3

update "api_keys"
  set "successor_id" = $1, "expires_at" = $2
  where "organization_id" = $3
  and "id" = $4

update "audit_heads"
  set "anchor_sequence" = $1, "anchor_hash" = $2
  where "organization_id" = $3

update "audit_heads"
  set "sequence" = $1, "hash" = $2
  where "organization_id" = $3

update "goals"
  set "sequence" = $1
  where "organization_id" = $2
  and "public_id" = $3

update "organizations"
  set "sequence" = "sequence" + $1
  where "public_id" = $2
  returning "sequence"

update "users"
  set "sequence" = $1
  where "organization_id" = $2
  and "role" in ($3, $4, $5)
  and "public_id" = any($6)

update "webhooks"
  set "acknowledged" = $1, "failures" = $2, "due_at" = $3
  where "organization_id" = $4
  and "id" = $5

update "webhooks"
  set "due_at" = $1
  where "organization_id" = $2
  and "id" = $3
  and "is_off" = $4
  and "due_at" <= $5
  and acknowledged < (select sequence
  from organizations
  where public_id = $6)
  returning (select sequence
  from organizations
  where public_id = $7) as "sequence"

with recursive "tree"("organization_id", "public_id") as (select "organization_id", "public_id"
  from "goals"
  where "organization_id" = $1
  and "public_id" = any($2)
  union select "child"."organization_id", "child"."public_id"
  from "tree" as "parent"
  inner
  join "goals" as "child" on "child"."organization_id" = "parent"."organization_id"
  and "child"."parent_goal_id" = "parent"."public_id"
  where "child"."organization_id" = $3) select "goal".*
  from "goals" as "goal"
  where "goal"."organization_id" = $4
  and "goal"."public_id" in (select "public_id"
  from "tree")
  order by "goal"."order_among_siblings", "goal"."public_id"

with recursive "tree"("organization_id", "public_id") as (select "organization_id", "public_id"
  from "goals"
  where "organization_id" = $1
  and "public_id" = any($2)
  union select "child"."organization_id", "child"."public_id"
  from "tree" as "parent"
  inner
  join "goals" as "child" on "child"."organization_id" = "parent"."organization_id"
  and "child"."parent_goal_id" = "parent"."public_id"
  where "child"."organization_id" = $3) select count(*) as "total"
  from "tree"

with recursive "tree"("organization_id", "public_id") as (select "organization_id", "public_id"
  from "goals"
  where "organization_id" = $1
  and "public_id" = any($2)
  union select "child"."organization_id", "child"."public_id"
  from "tree" as "parent"
  inner
  join "goals" as "child" on "child"."organization_id" = "parent"."organization_id"
  and "child"."parent_goal_id" = "parent"."public_id"
  where "child"."organization_id" = $3) select count(*) as "total"
  from (select "goal_id"
  from "behavior_instances"
  where "organization_id" = $4
  and "goal_id" in (select public_id
  from tree)
  union all select "goal_id"
  from "skill_trials"
  where "organization_id" = $5
  and "goal_id" in (select public_id
  from tree)
  union all select "goal_id"
  from "rating_instances"
  where "organization_id" = $6
  and "goal_id" in (select public_id
  from tree)
  union all select "goal_id"
  from "interval_sets"
  where "organization_id" = $7
  and "goal_id" in (select public_id
  from tree)
  limit $8) as "recorded"

with recursive path (id, top, parent, plan) as ( select public_id, public_id, parent_goal_id, treatment_plan_id
  from goals
  where organization_id = $1
  and "public_id" = any($2)
  union all select path.id, goals.public_id, goals.parent_goal_id, path.plan
  from path
  join goals on goals.organization_id = $3
  and goals.public_id = path.parent ) select id, top, plan as "treatmentPlanId"
  from path
  where parent is null
