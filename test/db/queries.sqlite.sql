delete from "audit_entries"

delete from "audit_entries"
  where "organization_id" = ?
  and "sequence" <= ?

delete from "audit_heads"

delete from "care_team_links"
  where "organization_id" = ?
  and "clinician_id" in (select value
  from json_each(?))

delete from "goals"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))

delete from "idempotent_answers"
  where "organization_id" = ?
  and "created_at" <= ?

delete from "patient_clinicians"
  where "organization_id" = ?
  and "patient_id" in (select value
  from json_each(?))

delete from "patient_payors"
  where "organization_id" = ?
  and "patient_id" in (select value
  from json_each(?))

delete from "payor_credentialing"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))

delete from "provider_credentials"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))

delete from "provider_payors"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))

delete from "provider_specializations"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))

delete from "user_locations"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))

delete from "webhooks"
  where "organization_id" = ?
  and "id" = ?

insert into "api_keys" ("organization_id", "id", "hash", "name", "role", "user_id", "created_at", "last_used_at", "expires_at", "revoked_at", "successor_id", "is_read_only")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

insert into "api_keys" ("organization_id", "id", "hash", "name", "role", "user_id", "created_at", "last_used_at", "expires_at", "revoked_at", "successor_id", "is_read_only") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.id', value ->> '$.hash', value ->> '$.name', value ->> '$.role', value ->> '$.user_id', value ->> '$.created_at', value ->> '$.last_used_at', value ->> '$.expires_at', value ->> '$.revoked_at', value ->> '$.successor_id', value ->> '$.is_read_only'
  from each
  where true

insert into "audit_entries" ("organization_id", "sequence", "time", "request_id", "key_id", "user_id", "role", "method", "route", "status", "patient_ids", "hash", "target", "address", "operator", "requests")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

insert into "audit_entries" ("organization_id", "sequence", "time", "request_id", "key_id", "user_id", "role", "method", "route", "status", "patient_ids", "hash", "target", "address", "operator", "requests") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.sequence', value ->> '$.time', value ->> '$.request_id', value ->> '$.key_id', value ->> '$.user_id', value ->> '$.role', value ->> '$.method', value ->> '$.route', value ->> '$.status', value ->> '$.patient_ids', value ->> '$.hash', value ->> '$.target', value ->> '$.address', value ->> '$.operator', value ->> '$.requests'
  from each
  where true

insert into "audit_heads" ("organization_id", "sequence", "hash", "anchor_sequence", "anchor_hash") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.sequence', value ->> '$.hash', value ->> '$.anchor_sequence', value ->> '$.anchor_hash'
  from each
  where true

insert into "authorization_pools" ("organization_id", "public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.payor_id', value ->> '$.total_units', value ->> '$.unit_frequency', value ->> '$.is_unlimited', value ->> '$.sequence'
  from each
  where true

insert into "authorization_pools" ("public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.payor_id', value ->> '$.total_units', value ->> '$.unit_frequency', value ->> '$.is_unlimited', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "authorization_pools" ("public_id", "patient_id", "payor_id", "total_units", "unit_frequency", "is_unlimited", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.payor_id', value ->> '$.total_units', value ->> '$.unit_frequency', value ->> '$.is_unlimited', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true
  on conflict ("organization_id", "public_id") do update
  set "patient_id" = "excluded"."patient_id", "payor_id" = "excluded"."payor_id", "total_units" = "excluded"."total_units", "unit_frequency" = "excluded"."unit_frequency", "is_unlimited" = "excluded"."is_unlimited", "sequence" = "excluded"."sequence"

insert into "authorizations" ("organization_id", "public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.authorization_pool_id', value ->> '$.payor_id', value ->> '$.authorization_number', value ->> '$.authorization_status', value ->> '$.authorized_units_quantity', value ->> '$.authorized_unit_frequency', value ->> '$.service_line_id', value ->> '$.authorization_date', value ->> '$.authorization_expiration_date', value ->> '$.sequence'
  from each
  where true

insert into "authorizations" ("public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.authorization_pool_id', value ->> '$.payor_id', value ->> '$.authorization_number', value ->> '$.authorization_status', value ->> '$.authorized_units_quantity', value ->> '$.authorized_unit_frequency', value ->> '$.service_line_id', value ->> '$.authorization_date', value ->> '$.authorization_expiration_date', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "authorizations" ("public_id", "patient_id", "authorization_pool_id", "payor_id", "authorization_number", "authorization_status", "authorized_units_quantity", "authorized_unit_frequency", "service_line_id", "authorization_date", "authorization_expiration_date", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.authorization_pool_id', value ->> '$.payor_id', value ->> '$.authorization_number', value ->> '$.authorization_status', value ->> '$.authorized_units_quantity', value ->> '$.authorized_unit_frequency', value ->> '$.service_line_id', value ->> '$.authorization_date', value ->> '$.authorization_expiration_date', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true
  on conflict ("organization_id", "public_id") do update
  set "patient_id" = "excluded"."patient_id", "authorization_pool_id" = "excluded"."authorization_pool_id", "payor_id" = "excluded"."payor_id", "authorization_number" = "excluded"."authorization_number", "authorization_status" = "excluded"."authorization_status", "authorized_units_quantity" = "excluded"."authorized_units_quantity", "authorized_unit_frequency" = "excluded"."authorized_unit_frequency", "service_line_id" = "excluded"."service_line_id", "authorization_date" = "excluded"."authorization_date", "authorization_expiration_date" = "excluded"."authorization_expiration_date", "sequence" = "excluded"."sequence"

insert into "behavior_instances" ("organization_id", "goal_id", "public_id", "happened_at", "quantity", "antecedent", "consequence", "duration_seconds") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.happened_at', value ->> '$.quantity', value ->> '$.antecedent', value ->> '$.consequence', value ->> '$.duration_seconds'
  from each
  where true

insert into "behavior_instances" ("organization_id", "goal_id", "public_id", "quantity", "happened_at", "antecedent", "consequence", "duration_seconds") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.quantity', value ->> '$.happened_at', value ->> '$.antecedent', value ->> '$.consequence', value ->> '$.duration_seconds'
  from each
  where true

insert into "care_team_links" ("organization_id", "clinician_id", "technician_id") select "organization_id", "public_id", ? as "technician_id"
  from "users"
  where "organization_id" = ?
  and "role" in (?, ?, ?)
  and "public_id" in (select value
  from json_each(?))

insert into "care_team_links" ("organization_id", "clinician_id", "technician_id") select "organization_id", ? as "clinician_id", "public_id"
  from "users"
  where "organization_id" = ?
  and "role" in (?)
  and "public_id" in (select value
  from json_each(?))

insert into "care_team_links" ("organization_id", "clinician_id", "technician_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.clinician_id', value ->> '$.technician_id'
  from each
  where true

insert into "deletions" ("organization_id", "type", "public_id", "sequence", "deleted_at")
  values (?, ?, ?, ?, ?)

insert into "encounters" ("organization_id", "public_id", "authorization_id", "session_id", "start_time", "units", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.authorization_id', value ->> '$.session_id', value ->> '$.start_time', value ->> '$.units', value ->> '$.sequence'
  from each
  where true

insert into "encounters" ("public_id", "authorization_id", "session_id", "start_time", "units", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.authorization_id', value ->> '$.session_id', value ->> '$.start_time', value ->> '$.units', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "goal_metrics" ("organization_id", "goal_id", "purpose", "public_id", "value", "unit", "frequency_unit", "observation_period", "observation_period_unit", "success_criteria") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.purpose', value ->> '$.public_id', value ->> '$.value', value ->> '$.unit', value ->> '$.frequency_unit', value ->> '$.observation_period', value ->> '$.observation_period_unit', value ->> '$.success_criteria'
  from each
  where true

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "baseline_date", "target_achievement_date", "added_to_treatment_plan_at", "goal_statement", "title", "description", "definition", "instructions", "progress_summary", "target_maladaptive_behavior_name", "data_collection_type", "is_behavior", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "skill_acquisition_goal_type", "short_description", "skill_category", "min_trials_count", "enabled_outcomes", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.treatment_plan_id', value ->> '$.parent_goal_id', value ->> '$.order_among_siblings', value ->> '$.type', value ->> '$.status', value ->> '$.baseline_date', value ->> '$.target_achievement_date', value ->> '$.added_to_treatment_plan_at', value ->> '$.goal_statement', value ->> '$.title', value ->> '$.description', value ->> '$.definition', value ->> '$.instructions', value ->> '$.progress_summary', value ->> '$.target_maladaptive_behavior_name', value ->> '$.data_collection_type', value ->> '$.is_behavior', value ->> '$.auto_progress_to_maintenance_enabled', value ->> '$.auto_progress_to_mastered_enabled', value ->> '$.skill_acquisition_goal_type', value ->> '$.short_description', value ->> '$.skill_category', value ->> '$.min_trials_count', value ->> '$.enabled_outcomes', value ->> '$.interval_duration', value ->> '$.interval_quantity', value ->> '$.sets', value ->> '$.interval_recording_type', value ->> '$.window', value ->> '$.sequence'
  from each
  where true

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "baseline_date", "target_achievement_date", "added_to_treatment_plan_at", "goal_statement", "title", "description", "definition", "instructions", "progress_summary", "target_maladaptive_behavior_name", "data_collection_type", "is_behavior", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "skill_acquisition_goal_type", "short_description", "skill_category", "min_trials_count", "enabled_outcomes", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.treatment_plan_id', value ->> '$.parent_goal_id', value ->> '$.order_among_siblings', value ->> '$.type', value ->> '$.status', value ->> '$.baseline_date', value ->> '$.target_achievement_date', value ->> '$.added_to_treatment_plan_at', value ->> '$.goal_statement', value ->> '$.title', value ->> '$.description', value ->> '$.definition', value ->> '$.instructions', value ->> '$.progress_summary', value ->> '$.target_maladaptive_behavior_name', value ->> '$.data_collection_type', value ->> '$.is_behavior', value ->> '$.auto_progress_to_maintenance_enabled', value ->> '$.auto_progress_to_mastered_enabled', value ->> '$.skill_acquisition_goal_type', value ->> '$.short_description', value ->> '$.skill_category', value ->> '$.min_trials_count', value ->> '$.enabled_outcomes', value ->> '$.interval_duration', value ->> '$.interval_quantity', value ->> '$.sets', value ->> '$.interval_recording_type', value ->> '$.window', value ->> '$.sequence'
  from each
  where true
  on conflict ("organization_id", "public_id") do update
  set "treatment_plan_id" = "excluded"."treatment_plan_id", "parent_goal_id" = "excluded"."parent_goal_id", "order_among_siblings" = "excluded"."order_among_siblings", "type" = "excluded"."type", "status" = "excluded"."status", "baseline_date" = "excluded"."baseline_date", "target_achievement_date" = "excluded"."target_achievement_date", "added_to_treatment_plan_at" = "excluded"."added_to_treatment_plan_at", "goal_statement" = "excluded"."goal_statement", "title" = "excluded"."title", "description" = "excluded"."description", "definition" = "excluded"."definition", "instructions" = "excluded"."instructions", "progress_summary" = "excluded"."progress_summary", "target_maladaptive_behavior_name" = "excluded"."target_maladaptive_behavior_name", "data_collection_type" = "excluded"."data_collection_type", "is_behavior" = "excluded"."is_behavior", "auto_progress_to_maintenance_enabled" = "excluded"."auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled" = "excluded"."auto_progress_to_mastered_enabled", "skill_acquisition_goal_type" = "excluded"."skill_acquisition_goal_type", "short_description" = "excluded"."short_description", "skill_category" = "excluded"."skill_category", "min_trials_count" = "excluded"."min_trials_count", "enabled_outcomes" = "excluded"."enabled_outcomes", "interval_duration" = "excluded"."interval_duration", "interval_quantity" = "excluded"."interval_quantity", "sets" = "excluded"."sets", "interval_recording_type" = "excluded"."interval_recording_type", "window" = "excluded"."window", "sequence" = "excluded"."sequence"

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "data_collection_type", "added_to_treatment_plan_at", "goal_statement", "target_maladaptive_behavior_name", "definition", "skill_acquisition_goal_type", "short_description", "skill_category", "title", "description", "instructions", "progress_summary", "baseline_date", "target_achievement_date", "min_trials_count", "enabled_outcomes", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "is_behavior", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.treatment_plan_id', value ->> '$.parent_goal_id', value ->> '$.order_among_siblings', value ->> '$.type', value ->> '$.status', value ->> '$.data_collection_type', value ->> '$.added_to_treatment_plan_at', value ->> '$.goal_statement', value ->> '$.target_maladaptive_behavior_name', value ->> '$.definition', value ->> '$.skill_acquisition_goal_type', value ->> '$.short_description', value ->> '$.skill_category', value ->> '$.title', value ->> '$.description', value ->> '$.instructions', value ->> '$.progress_summary', value ->> '$.baseline_date', value ->> '$.target_achievement_date', value ->> '$.min_trials_count', value ->> '$.enabled_outcomes', value ->> '$.auto_progress_to_maintenance_enabled', value ->> '$.auto_progress_to_mastered_enabled', value ->> '$.is_behavior', value ->> '$.interval_duration', value ->> '$.interval_quantity', value ->> '$.sets', value ->> '$.interval_recording_type', value ->> '$.window'
  from each
  where true

insert into "goals" ("organization_id", "public_id", "treatment_plan_id", "parent_goal_id", "order_among_siblings", "type", "status", "data_collection_type", "added_to_treatment_plan_at", "goal_statement", "target_maladaptive_behavior_name", "definition", "skill_acquisition_goal_type", "short_description", "skill_category", "title", "description", "instructions", "progress_summary", "baseline_date", "target_achievement_date", "min_trials_count", "enabled_outcomes", "auto_progress_to_maintenance_enabled", "auto_progress_to_mastered_enabled", "is_behavior", "interval_duration", "interval_quantity", "sets", "interval_recording_type", "window", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.treatment_plan_id', value ->> '$.parent_goal_id', value ->> '$.order_among_siblings', value ->> '$.type', value ->> '$.status', value ->> '$.data_collection_type', value ->> '$.added_to_treatment_plan_at', value ->> '$.goal_statement', value ->> '$.target_maladaptive_behavior_name', value ->> '$.definition', value ->> '$.skill_acquisition_goal_type', value ->> '$.short_description', value ->> '$.skill_category', value ->> '$.title', value ->> '$.description', value ->> '$.instructions', value ->> '$.progress_summary', value ->> '$.baseline_date', value ->> '$.target_achievement_date', value ->> '$.min_trials_count', value ->> '$.enabled_outcomes', value ->> '$.auto_progress_to_maintenance_enabled', value ->> '$.auto_progress_to_mastered_enabled', value ->> '$.is_behavior', value ->> '$.interval_duration', value ->> '$.interval_quantity', value ->> '$.sets', value ->> '$.interval_recording_type', value ->> '$.window', value ->> '$.sequence'
  from each
  where true

insert into "idempotent_answers" ("organization_id", "route", "idempotency_key", "body_hash", "status", "answer", "patient_ids", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?)

insert into "intake_labels" ("organization_id", "public_id", "name", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.sequence'
  from each
  where true

insert into "intake_labels" ("public_id", "name", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "intake_lead_labels" ("organization_id", "lead_id", "label_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.lead_id', value ->> '$.label_id'
  from each
  where true

insert into "intake_leads" ("organization_id", "public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.client_id', value ->> '$.caregiver_id', value ->> '$.relationship', value ->> '$.stage_id', value ->> '$.attribution', value ->> '$.source', value ->> '$.channel', value ->> '$.campaign', value ->> '$.created_at', value ->> '$.sequence'
  from each
  where true

insert into "intake_leads" ("organization_id", "sequence", "public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

insert into "intake_leads" ("public_id", "client_id", "caregiver_id", "relationship", "stage_id", "attribution", "source", "channel", "campaign", "created_at", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.client_id', value ->> '$.caregiver_id', value ->> '$.relationship', value ->> '$.stage_id', value ->> '$.attribution', value ->> '$.source', value ->> '$.channel', value ->> '$.campaign', value ->> '$.created_at', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "intake_stages" ("organization_id", "public_id", "name", "built_in_key", "position", "is_active", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.built_in_key', value ->> '$.position', value ->> '$.is_active', value ->> '$.sequence'
  from each
  where true

insert into "intake_stages" ("public_id", "name", "built_in_key", "position", "is_active", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.built_in_key', value ->> '$.position', value ->> '$.is_active', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "interval_sets" ("organization_id", "goal_id", "public_id", "started_at", "intervals") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.started_at', value ->> '$.intervals'
  from each
  where true

insert into "key_organizations" ("hash", "key_id", "organization_id")
  values (?, ?, ?)

insert into "key_organizations" ("hash", "key_id", "organization_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.hash', value ->> '$.key_id', value ->> '$.organization_id'
  from each
  where true

insert into "locations" ("organization_id", "public_id", "name", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.sequence'
  from each
  where true

insert into "locations" ("public_id", "name", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "non_billable_codes" ("organization_id", "public_id", "name", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.sequence'
  from each
  where true

insert into "non_billable_codes" ("public_id", "name", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "organizations" ("public_id", "name", "time_zone", "week_starts_on", "created_at")
  values (?, ?, ?, ?, ?)
  on conflict ("public_id") do update
  set "name" = ?, "time_zone" = ?, "week_starts_on" = ?

insert into "organizations" ("public_id", "name", "time_zone", "week_starts_on", "created_at", "sequence", "changes_known_from")
  values (?, ?, ?, ?, ?, ?, ?)

insert into "patient_clinicians" ("organization_id", "patient_id", "clinician_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.patient_id', value ->> '$.clinician_id'
  from each
  where true

insert into "patient_payors" ("organization_id", "patient_id", "position", "payor_id", "priority", "relationship_to_patient", "insured_birth_date", "insured_address", "member_id", "group_id", "plan_holder", "effective_start_date", "effective_end_date") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.patient_id', value ->> '$.position', value ->> '$.payor_id', value ->> '$.priority', value ->> '$.relationship_to_patient', value ->> '$.insured_birth_date', value ->> '$.insured_address', value ->> '$.member_id', value ->> '$.group_id', value ->> '$.plan_holder', value ->> '$.effective_start_date', value ->> '$.effective_end_date'
  from each
  where true

insert into "payor_credentialing" ("organization_id", "user_id", "credential_position", "position", "public_id", "payor_id", "status", "start_date", "end_date", "notes") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.user_id', value ->> '$.credential_position', value ->> '$.position', value ->> '$.public_id', value ->> '$.payor_id', value ->> '$.status', value ->> '$.start_date', value ->> '$.end_date', value ->> '$.notes'
  from each
  where true

insert into "payors" ("organization_id", "public_id", "name", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.sequence'
  from each
  where true

insert into "payors" ("public_id", "name", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "provider_credentials" ("organization_id", "user_id", "position", "credential_type", "practice_area", "credential_number", "expires_at", "credential_status") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.user_id', value ->> '$.position', value ->> '$.credential_type', value ->> '$.practice_area', value ->> '$.credential_number', value ->> '$.expires_at', value ->> '$.credential_status'
  from each
  where true

insert into "provider_payors" ("organization_id", "user_id", "payor_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.user_id', value ->> '$.payor_id'
  from each
  where true

insert into "provider_payors" (organization_id, user_id, "payor_id") select organization_id, ?, public_id
  from "payors"
  where organization_id = ?
  and "public_id" in (select value
  from json_each(?))

insert into "provider_specializations" ("organization_id", "user_id", "specialization_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.user_id', value ->> '$.specialization_id'
  from each
  where true

insert into "provider_specializations" (organization_id, user_id, "specialization_id") select organization_id, ?, public_id
  from "specializations"
  where organization_id = ?
  and "public_id" in (select value
  from json_each(?))

insert into "rating_instances" ("organization_id", "goal_id", "public_id", "happened_at", "value") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.happened_at', value ->> '$.value'
  from each
  where true

insert into "rating_instances" ("organization_id", "goal_id", "public_id", "value", "happened_at") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.value', value ->> '$.happened_at'
  from each
  where true

insert into "schema_migrations" ("name", "applied_at")
  values (?, ?)

insert into "service_lines" ("organization_id", "public_id", "name", "billing_unit_minutes", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.billing_unit_minutes', value ->> '$.sequence'
  from each
  where true

insert into "service_lines" ("public_id", "name", "billing_unit_minutes", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.billing_unit_minutes', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "sessions" ("organization_id", "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.title', value ->> '$.status', value ->> '$.start_time', value ->> '$.end_time', value ->> '$.is_supervision', value ->> '$.is_client_present', value ->> '$.place_of_service', value ->> '$.location_id', value ->> '$.technician_id', value ->> '$.client_id', value ->> '$.is_billable', value ->> '$.is_telehealth', value ->> '$.clinician_id', value ->> '$.provider_location_id', value ->> '$.service_line_id', value ->> '$.non_billable_code_id', value ->> '$.authorization_id', value ->> '$.sequence'
  from each
  where true

insert into "sessions" ("public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.title', value ->> '$.status', value ->> '$.start_time', value ->> '$.end_time', value ->> '$.is_supervision', value ->> '$.is_client_present', value ->> '$.place_of_service', value ->> '$.location_id', value ->> '$.technician_id', value ->> '$.client_id', value ->> '$.is_billable', value ->> '$.is_telehealth', value ->> '$.clinician_id', value ->> '$.provider_location_id', value ->> '$.service_line_id', value ->> '$.non_billable_code_id', value ->> '$.authorization_id', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "sessions" ("public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id", "authorization_id", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.title', value ->> '$.status', value ->> '$.start_time', value ->> '$.end_time', value ->> '$.is_supervision', value ->> '$.is_client_present', value ->> '$.place_of_service', value ->> '$.location_id', value ->> '$.technician_id', value ->> '$.client_id', value ->> '$.is_billable', value ->> '$.is_telehealth', value ->> '$.clinician_id', value ->> '$.provider_location_id', value ->> '$.service_line_id', value ->> '$.non_billable_code_id', value ->> '$.authorization_id', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true
  on conflict ("organization_id", "public_id") do update
  set "title" = "excluded"."title", "status" = "excluded"."status", "start_time" = "excluded"."start_time", "end_time" = "excluded"."end_time", "is_supervision" = "excluded"."is_supervision", "is_client_present" = "excluded"."is_client_present", "place_of_service" = "excluded"."place_of_service", "location_id" = "excluded"."location_id", "technician_id" = "excluded"."technician_id", "client_id" = "excluded"."client_id", "is_billable" = "excluded"."is_billable", "is_telehealth" = "excluded"."is_telehealth", "clinician_id" = "excluded"."clinician_id", "provider_location_id" = "excluded"."provider_location_id", "service_line_id" = "excluded"."service_line_id", "non_billable_code_id" = "excluded"."non_billable_code_id", "authorization_id" = "excluded"."authorization_id", "sequence" = "excluded"."sequence"

insert into "skill_trials" ("organization_id", "goal_id", "public_id", "happened_at", "outcome") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.happened_at', value ->> '$.outcome'
  from each
  where true

insert into "skill_trials" ("organization_id", "goal_id", "public_id", "outcome", "happened_at") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.goal_id', value ->> '$.public_id', value ->> '$.outcome', value ->> '$.happened_at'
  from each
  where true

insert into "specializations" ("organization_id", "public_id", "name", "is_active", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.name', value ->> '$.is_active', value ->> '$.sequence'
  from each
  where true

insert into "specializations" ("public_id", "name", "is_active", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.name', value ->> '$.is_active', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "treatment_plans" ("organization_id", "public_id", "patient_id", "name", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.name', value ->> '$.sequence'
  from each
  where true

insert into "treatment_plans" ("public_id", "patient_id", "name", "organization_id", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.public_id', value ->> '$.patient_id', value ->> '$.name', value ->> '$.organization_id', value ->> '$.sequence'
  from each
  where true

insert into "user_locations" ("organization_id", "user_id", "location_id") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.user_id', value ->> '$.location_id'
  from each
  where true

insert into "user_locations" (organization_id, user_id, "location_id") select organization_id, ?, public_id
  from "locations"
  where organization_id = ?
  and "public_id" in (select value
  from json_each(?))

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "email_key", "phone_number", "is_active", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "npi_number", "should_send_sms", "recertification_date", "compliance_credentials", "search_text", "created_at", "updated_at", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.role', value ->> '$.first_name', value ->> '$.last_name', value ->> '$.email', value ->> '$.email_key', value ->> '$.phone_number', value ->> '$.is_active', value ->> '$.user_status', value ->> '$.sex', value ->> '$.birth_date', value ->> '$.caregiver_id', value ->> '$.address_line1', value ->> '$.address_line2', value ->> '$.city', value ->> '$.state', value ->> '$.postal_code', value ->> '$.country', value ->> '$.time_zone', value ->> '$.internal_record_id', value ->> '$.primary_clinician_id', value ->> '$.primary_location_id', value ->> '$.npi_number', value ->> '$.should_send_sms', value ->> '$.recertification_date', value ->> '$.compliance_credentials', value ->> '$.search_text', value ->> '$.created_at', value ->> '$.updated_at', value ->> '$.sequence'
  from each
  where true

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.role', value ->> '$.first_name', value ->> '$.last_name', value ->> '$.email', value ->> '$.phone_number', value ->> '$.is_active', value ->> '$.created_at', value ->> '$.updated_at', value ->> '$.npi_number', value ->> '$.should_send_sms', value ->> '$.recertification_date', value ->> '$.user_status', value ->> '$.sex', value ->> '$.birth_date', value ->> '$.caregiver_id', value ->> '$.address_line1', value ->> '$.address_line2', value ->> '$.city', value ->> '$.state', value ->> '$.postal_code', value ->> '$.country', value ->> '$.time_zone', value ->> '$.internal_record_id', value ->> '$.primary_clinician_id', value ->> '$.primary_location_id', value ->> '$.compliance_credentials', value ->> '$.email_key', value ->> '$.search_text', value ->> '$.sequence'
  from each
  where true

insert into "users" ("organization_id", "public_id", "role", "first_name", "last_name", "email", "phone_number", "is_active", "created_at", "updated_at", "npi_number", "should_send_sms", "recertification_date", "user_status", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "country", "time_zone", "internal_record_id", "primary_clinician_id", "primary_location_id", "compliance_credentials", "email_key", "search_text", "sequence") with each as materialized (select value
  from json_each(?)) select value ->> '$.organization_id', value ->> '$.public_id', value ->> '$.role', value ->> '$.first_name', value ->> '$.last_name', value ->> '$.email', value ->> '$.phone_number', value ->> '$.is_active', value ->> '$.created_at', value ->> '$.updated_at', value ->> '$.npi_number', value ->> '$.should_send_sms', value ->> '$.recertification_date', value ->> '$.user_status', value ->> '$.sex', value ->> '$.birth_date', value ->> '$.caregiver_id', value ->> '$.address_line1', value ->> '$.address_line2', value ->> '$.city', value ->> '$.state', value ->> '$.postal_code', value ->> '$.country', value ->> '$.time_zone', value ->> '$.internal_record_id', value ->> '$.primary_clinician_id', value ->> '$.primary_location_id', value ->> '$.compliance_credentials', value ->> '$.email_key', value ->> '$.search_text', value ->> '$.sequence'
  from each
  where true
  on conflict ("organization_id", "public_id") do update
  set "role" = "excluded"."role", "first_name" = "excluded"."first_name", "last_name" = "excluded"."last_name", "email" = "excluded"."email", "phone_number" = "excluded"."phone_number", "is_active" = "excluded"."is_active", "created_at" = "excluded"."created_at", "updated_at" = "excluded"."updated_at", "npi_number" = "excluded"."npi_number", "should_send_sms" = "excluded"."should_send_sms", "recertification_date" = "excluded"."recertification_date", "user_status" = "excluded"."user_status", "sex" = "excluded"."sex", "birth_date" = "excluded"."birth_date", "caregiver_id" = "excluded"."caregiver_id", "address_line1" = "excluded"."address_line1", "address_line2" = "excluded"."address_line2", "city" = "excluded"."city", "state" = "excluded"."state", "postal_code" = "excluded"."postal_code", "country" = "excluded"."country", "time_zone" = "excluded"."time_zone", "internal_record_id" = "excluded"."internal_record_id", "primary_clinician_id" = "excluded"."primary_clinician_id", "primary_location_id" = "excluded"."primary_location_id", "compliance_credentials" = "excluded"."compliance_credentials", "email_key" = "excluded"."email_key", "search_text" = "excluded"."search_text", "sequence" = "excluded"."sequence"

insert into "webhooks" ("organization_id", "id", "name", "url", "secret", "created_at", "acknowledged", "is_off", "failures", "due_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

insert into audit_heads (organization_id, sequence, hash)
  values ('', 0, '0000000000000000000000000000000000000000000000000000000000000000')

insert into intake_lead_labels (organization_id, lead_id, label_id) select organization_id, ?, public_id
  from intake_labels
  where organization_id = ?
  and "public_id" in (select value
  from json_each(?))

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
  where "authorization"."organization_id" = ?
  and "authorization"."patient_id" = ?
  and "payor"."public_id" = ?
  and (exists ( select 1
  from "sessions" as record
  where record.organization_id = ?
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= ?
  and record.start_time <= ? ) or exists ( select 1
  from "encounters" as record
  where record.organization_id = ?
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= ?
  and record.start_time <= ? ))
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
  where "authorization"."organization_id" = ?
  and "payor"."public_id" = ?
  and (exists ( select 1
  from "sessions" as record
  where record.organization_id = ?
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= ?
  and record.start_time <= ? ) or exists ( select 1
  from "encounters" as record
  where record.organization_id = ?
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= ?
  and record.start_time <= ? ))
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
  where "authorization"."organization_id" = ?
  and (exists ( select 1
  from "sessions" as record
  where record.organization_id = ?
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= ?
  and record.start_time <= ? ) or exists ( select 1
  from "encounters" as record
  where record.organization_id = ?
  and record.authorization_id = "authorization"."public_id"
  and record.start_time >= ?
  and record.start_time <= ? ))
  order by "authorization"."patient_id", "authorization"."public_id"

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_pool_id" as "poolId", "patient"."time_zone" as "patientTimeZone", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "authorization"."organization_id" = ?
  and "patient"."is_active" = ?
  and "authorization"."patient_id" = ?
  and ("authorization"."authorization_pool_id" is not null or ("authorization"."authorization_expiration_date" >= ?
  and "authorization"."authorization_date" <= ?))

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_pool_id" as "poolId", "patient"."time_zone" as "patientTimeZone", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "authorization"."organization_id" = ?
  and "patient"."is_active" = ?
  and ("authorization"."authorization_pool_id" is not null or ("authorization"."authorization_expiration_date" >= ?
  and "authorization"."authorization_date" <= ?))
  order by "authorization"."authorization_expiration_date", "authorization"."public_id"

select "authorization"."public_id" as "authorizationId", "authorization"."authorization_pool_id" as "poolId", "patient"."time_zone" as "patientTimeZone", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate"
  from "authorizations" as "authorization"
  inner
  join "users" as "patient" on "patient"."organization_id" = "authorization"."organization_id"
  and "patient"."public_id" = "authorization"."patient_id"
  left
  join "authorization_pools" as "pool" on "pool"."organization_id" = "authorization"."organization_id"
  and "pool"."public_id" = "authorization"."authorization_pool_id"
  where "authorization"."organization_id" = ?
  and "patient"."is_active" = ?
  and coalesce("pool"."payor_id", "authorization"."payor_id") = ?
  and "authorization"."patient_id" = ?
  and ("authorization"."authorization_pool_id" is not null or ("authorization"."authorization_expiration_date" >= ?
  and "authorization"."authorization_date" <= ?))

select "authorization"."public_id" as "publicId", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate", "line"."public_id" as "serviceLineId", "line"."billing_unit_minutes" as "billingUnitMinutes"
  from "authorizations" as "authorization"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  where "authorization"."organization_id" = ?
  and "authorization"."authorization_pool_id" = ?
  order by "authorization"."authorization_date", "authorization"."public_id"

select "authorization"."public_id" as "publicId", "authorization"."authorization_date" as "startDate", "authorization"."authorization_expiration_date" as "endDate", "line"."public_id" as "serviceLineId", "line"."billing_unit_minutes" as "billingUnitMinutes"
  from "authorizations" as "authorization"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  where "authorization"."organization_id" = ?
  and "authorization"."public_id" = ?
  order by "authorization"."authorization_date", "authorization"."public_id"

select "authorization"."public_id", "authorization"."patient_id", "authorization"."authorization_pool_id", "authorization"."authorization_number", "authorization"."authorization_status", "authorization"."authorized_units_quantity", "authorization"."authorized_unit_frequency", "authorization"."service_line_id", "line"."name" as "service_line_name", "authorization"."authorization_date", "authorization"."authorization_expiration_date"
  from "authorizations" as "authorization"
  inner
  join "service_lines" as "line" on "line"."organization_id" = "authorization"."organization_id"
  and "line"."public_id" = "authorization"."service_line_id"
  where "authorization"."organization_id" = ?
  and "authorization"."patient_id" in (select value
  from json_each(?))
  order by "authorization"."patient_id", "authorization"."authorization_date", "authorization"."public_id"

select "authorization_id" as "authorizationId", "start_time" as "startTime", "end_time" as "endTime", "status"
  from "sessions"
  where "organization_id" = ?
  and "authorization_id" in (select value
  from json_each(?))
  and "start_time" >= ?
  and "start_time" <= ?

select "authorization_id" as "authorizationId", "start_time" as "startTime", "status"
  from "sessions"
  where "organization_id" = ?
  and "authorization_id" in (select value
  from json_each(?))
  and "start_time" >= ?
  and "start_time" <= ?

select "authorization_id" as "authorizationId", "start_time" as "startTime", "units"
  from "encounters"
  where "organization_id" = ?
  and "authorization_id" in (select value
  from json_each(?))
  and "start_time" >= ?
  and "start_time" <= ?

select "body_hash", "status", "answer", "patient_ids"
  from "idempotent_answers"
  where "organization_id" = ?
  and "route" = ?
  and "idempotency_key" = ?
  and "created_at" > ?

select "clinician_id", "technician_id"
  from "care_team_links"
  where "organization_id" = ?
  and "clinician_id" in (select value
  from json_each(?))
  order by "clinician_id", "technician_id"

select "day", "sessions"
  from "session_counts"
  where "organization_id" = ?
  and "day" > ?
  order by "day"
  limit ?

select "day", "sessions"
  from "session_counts"
  where "organization_id" = ?
  and "day" >= ?
  order by "day"
  limit ?

select "day", "sessions"
  from "session_counts"
  where "organization_id" = ?
  order by "day"
  limit ?

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
  where "encounter"."organization_id" = ?
  and "encounter"."public_id" in (select value
  from json_each(?))
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
  where "encounter"."organization_id" = ?
  and "encounter"."start_time" >= ?
  and "encounter"."start_time" <= ?
  and "patient"."is_active" = ?
  and (substr(encounter.start_time, 1, 10) <= "authorization"."authorization_date" or substr(encounter.start_time, 1, 10) >= "authorization"."authorization_expiration_date" or "session"."status" not in (?, ?, ?))
  order by "encounter"."start_time"

select "encounters"."public_id", "encounters"."authorization_id", "encounters"."session_id", "encounters"."start_time", "encounters"."units"
  from "authorizations"
  cross
  join "encounters"
  where "authorizations"."organization_id" = ?
  and "authorizations"."patient_id" = ?
  and "encounters"."authorization_id" = "authorizations"."public_id"
  and "encounters"."organization_id" = ?
  and "encounters"."authorization_id" = ?
  and "encounters"."session_id" = ?
  order by "encounters"."start_time", "encounters"."public_id"
  limit ? offset ?

select "encounters"."public_id", "encounters"."authorization_id", "encounters"."session_id", "encounters"."start_time", "encounters"."units"
  from "encounters"
  where "encounters"."organization_id" = ?
  and "encounters"."start_time" >= ?
  and "encounters"."start_time" <= ?
  order by "encounters"."start_time", "encounters"."public_id"
  limit ? offset ?

select "entry"."patient_id", "entry"."payor_id", "payor"."name" as "payor_name", "entry"."priority", "entry"."relationship_to_patient", "entry"."insured_birth_date", "entry"."insured_address", "entry"."member_id", "entry"."group_id", "entry"."plan_holder", "entry"."effective_start_date", "entry"."effective_end_date"
  from "patient_payors" as "entry"
  inner
  join "payors" as "payor" on "payor"."organization_id" = "entry"."organization_id"
  and "payor"."public_id" = "entry"."payor_id"
  where "entry"."organization_id" = ?
  and "entry"."patient_id" in (select value
  from json_each(?))
  order by "entry"."patient_id", "entry"."position"

select "entry"."user_id", "entry"."credential_position", "entry"."public_id", "entry"."payor_id", "payor"."name" as "payor_name", "entry"."status", "entry"."start_date", "entry"."end_date", "entry"."notes"
  from "payor_credentialing" as "entry"
  inner
  join "payors" as "payor" on "payor"."organization_id" = "entry"."organization_id"
  and "payor"."public_id" = "entry"."payor_id"
  where "entry"."organization_id" = ?
  and "entry"."user_id" in (select value
  from json_each(?))
  order by "entry"."user_id", "entry"."credential_position", "entry"."position"

select "goal".*, "plan"."patient_id"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = ?
  and "goal"."parent_goal_id" is null
  and "goal"."treatment_plan_id" = ?
  and "plan"."patient_id" = ?
  and "goal"."type" = ?
  and "goal"."status" = ?
  order by "goal"."public_id"
  limit ? offset ?

select "goal".*, "plan"."patient_id"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = ?
  and "goal"."parent_goal_id" is null
  order by "goal"."public_id"
  limit ? offset ?

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
  where "user"."organization_id" = ?
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = ?
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  where "key"."organization_id" = ?
  and "key"."hash" = ?

select "key"."organization_id", "key"."id", "key"."name", "key"."role", "key"."user_id", "key"."created_at", "key"."last_used_at", "key"."expires_at", "key"."revoked_at", "key"."successor_id", "key"."is_read_only", (select "user"."role"
  from "users" as "user"
  where "user"."organization_id" = ?
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = ?
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  where "key"."organization_id" = ?
  and "key"."id" = ?

select "key"."organization_id", "key"."id", "key"."name", "key"."role", "key"."user_id", "key"."created_at", "key"."last_used_at", "key"."expires_at", "key"."revoked_at", "key"."successor_id", "key"."is_read_only", (select "user"."role"
  from "users" as "user"
  where "user"."organization_id" = ?
  and "user"."public_id" = "key"."user_id") as "user_role", (select "user"."is_active"
  from "users" as "user"
  where "user"."organization_id" = ?
  and "user"."public_id" = "key"."user_id") as "user_is_active"
  from "api_keys" as "key"
  where "key"."organization_id" = ?
  order by "key"."created_at", "key"."id"

select "lead"."public_id", "lead"."client_id", "lead"."caregiver_id", "lead"."relationship", "lead"."stage_id", "lead"."source", "lead"."channel", "lead"."campaign", "lead"."created_at", "lead"."attribution", "stage"."built_in_key" as "stage_key"
  from "intake_leads" as "lead"
  left
  join "intake_stages" as "stage" on "stage"."organization_id" = "lead"."organization_id"
  and "stage"."public_id" = "lead"."stage_id"
  where "lead"."organization_id" = ?
  and "lead"."created_at" >= ?
  and "lead"."created_at" <= ?
  order by "lead"."created_at" asc, "lead"."public_id"
  limit ? offset ?

select "lead"."public_id", "lead"."client_id", "lead"."caregiver_id", "lead"."relationship", "lead"."stage_id", "lead"."source", "lead"."channel", "lead"."campaign", "lead"."created_at", "lead"."attribution", "stage"."built_in_key" as "stage_key"
  from "intake_leads" as "lead"
  left
  join "intake_stages" as "stage" on "stage"."organization_id" = "lead"."organization_id"
  and "stage"."public_id" = "lead"."stage_id"
  where "lead"."organization_id" = ?
  and "lead"."public_id" = ?

select "lead"."public_id", "lead"."client_id", "lead"."caregiver_id", "lead"."relationship", "lead"."stage_id", "lead"."source", "lead"."channel", "lead"."campaign", "lead"."created_at", "lead"."attribution", "stage"."built_in_key" as "stage_key"
  from "intake_leads" as "lead"
  left
  join "intake_stages" as "stage" on "stage"."organization_id" = "lead"."organization_id"
  and "stage"."public_id" = "lead"."stage_id"
  where "lead"."organization_id" = ?
  and "lead"."stage_id" = ?
  and exists (select "link"."label_id"
  from "intake_lead_labels" as "link"
  where "link"."organization_id" = ?
  and "link"."lead_id" = "lead"."public_id"
  and "link"."label_id" = ?)
  and "lead"."channel" = ?
  and "lead"."source" = ?
  and "lead"."client_id" = ?
  order by "lead"."created_at" desc, "lead"."public_id"
  limit ? offset ?

select "lead_id", "label_id"
  from "intake_lead_labels"
  where "organization_id" = ?
  and "lead_id" in (select value
  from json_each(?))
  order by "lead_id", "label_id"

select "link"."user_id", "specialization"."public_id", "specialization"."name"
  from "provider_specializations" as "link"
  inner
  join "specializations" as "specialization" on "specialization"."organization_id" = "link"."organization_id"
  and "specialization"."public_id" = "link"."specialization_id"
  where "link"."organization_id" = ?
  and "link"."user_id" in (select value
  from json_each(?))
  order by "link"."user_id", "link"."specialization_id"

select "name"
  from "schema_migrations"

select "naming"."authorization_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "authorizations" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."authorization_id"
  where naming.organization_id = ?
  and "naming"."authorization_id" in (select value
  from json_each(?))
  and ("naming"."client_id" is distinct from "named"."patient_id" or "naming"."service_line_id" is distinct from "named"."service_line_id")
  group by 1

select "naming"."authorization_pool_id" as id, min("naming"."public_id") as other
  from "authorizations" as naming
  join "authorization_pools" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."authorization_pool_id"
  where naming.organization_id = ?
  and "naming"."authorization_pool_id" in (select value
  from json_each(?))
  and ("naming"."patient_id" is distinct from "named"."patient_id" or "naming"."payor_id" <> "named"."payor_id")
  group by 1

select "naming"."caregiver_id" as id, min("naming"."public_id") as other
  from "intake_leads" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."caregiver_id"
  where naming.organization_id = ?
  and "naming"."caregiver_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."caregiver_id" as id, min("naming"."public_id") as other
  from "users" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."caregiver_id"
  where naming.organization_id = ?
  and "naming"."caregiver_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."client_id" as id, min("naming"."public_id") as other
  from "intake_leads" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."client_id"
  where naming.organization_id = ?
  and "naming"."client_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."client_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."client_id"
  where naming.organization_id = ?
  and "naming"."client_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."clinician_id" as id, min("naming"."patient_id") as other
  from "patient_clinicians" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."clinician_id"
  where naming.organization_id = ?
  and "naming"."clinician_id" in (select value
  from json_each(?))
  and (named.role not in (?, ?, ?, ?))
  group by 1

select "naming"."clinician_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."clinician_id"
  where naming.organization_id = ?
  and "naming"."clinician_id" in (select value
  from json_each(?))
  and (named.role not in (?, ?, ?))
  group by 1

select "naming"."patient_id" as id, min("naming"."public_id") as other
  from "authorization_pools" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."patient_id"
  where naming.organization_id = ?
  and "naming"."patient_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."patient_id" as id, min("naming"."public_id") as other
  from "authorizations" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."patient_id"
  where naming.organization_id = ?
  and "naming"."patient_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."patient_id" as id, min("naming"."public_id") as other
  from "treatment_plans" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."patient_id"
  where naming.organization_id = ?
  and "naming"."patient_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."primary_clinician_id" as id, min("naming"."public_id") as other
  from "users" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."primary_clinician_id"
  where naming.organization_id = ?
  and "naming"."primary_clinician_id" in (select value
  from json_each(?))
  and (named.role not in (?, ?, ?, ?))
  group by 1

select "naming"."session_id" as id, min("naming"."public_id") as other
  from "encounters" as naming
  join "sessions" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."session_id"
  where naming.organization_id = ?
  and "naming"."session_id" in (select value
  from json_each(?))
  and ("naming"."authorization_id" is distinct from "named"."authorization_id")
  group by 1

select "naming"."technician_id" as id, min("naming"."clinician_id") as other
  from "care_team_links" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."technician_id"
  where naming.organization_id = ?
  and "naming"."technician_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "naming"."technician_id" as id, min("naming"."public_id") as other
  from "sessions" as naming
  join "users" as named on named.organization_id = naming.organization_id
  and named.public_id = "naming"."technician_id"
  where naming.organization_id = ?
  and "naming"."technician_id" in (select value
  from json_each(?))
  and (named.role not in (?))
  group by 1

select "organization_id"
  from "key_organizations"
  where "hash" = ?

select "organization_id"
  from "key_organizations"
  where "key_id" = ?

select "organization_id", "sequence", "time"
  from "audit_entries"
  where "time" > ?
  order by "organization_id", "sequence"
  limit ?

select "patient_id"
  from "treatment_plans"
  where "organization_id" = ?
  and "public_id" = ?

select "patient_id", "clinician_id"
  from "patient_clinicians"
  where "organization_id" = ?
  and "patient_id" in (select value
  from json_each(?))
  order by "patient_id", "clinician_id"

select "pool"."public_id" as "id", "pool"."public_id" as "other"
  from "authorization_pools" as "pool"
  inner
  join "authorizations" as "authorization" on "authorization"."organization_id" = "pool"."organization_id"
  and "authorization"."public_id" = "pool"."public_id"
  where "pool"."organization_id" = ?
  and "pool"."public_id" in (select value
  from json_each(?))

select "pool"."public_id" as "poolId", "patient"."public_id" as "patientId", "patient"."time_zone" as "patientTimeZone", "organization"."week_starts_on" as "weekStartsOn", "pool"."unit_frequency" as "unitFrequency", "pool"."total_units" as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited"
  from "authorization_pools" as "pool"
  inner
  join "users" as "patient" on "patient"."organization_id" = "pool"."organization_id"
  and "patient"."public_id" = "pool"."patient_id"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "pool"."organization_id"
  where "pool"."organization_id" = ?
  and "pool"."public_id" = ?

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
  where "authorization"."organization_id" = ?
  and "authorization"."public_id" = ?

select "pool"."public_id", "pool"."patient_id", "pool"."payor_id", "payor"."name" as "payor_name", "pool"."total_units", "pool"."unit_frequency", "pool"."is_unlimited"
  from "authorization_pools" as "pool"
  inner
  join "payors" as "payor" on "payor"."organization_id" = "pool"."organization_id"
  and "payor"."public_id" = "pool"."payor_id"
  where "pool"."organization_id" = ?
  and "pool"."patient_id" in (select value
  from json_each(?))
  order by "pool"."patient_id", "pool"."public_id"

select "public_id"
  from "authorization_pools"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "authorizations"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "encounters"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "goals"
  where "organization_id" = ?
  and parent_goal_id is null
  and "sequence" > ?

select "public_id"
  from "intake_labels"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "intake_labels"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "intake_labels"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "intake_leads"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "intake_stages"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "intake_stages"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "locations"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "locations"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "locations"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "non_billable_codes"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "non_billable_codes"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "organizations"
  order by "public_id"

select "public_id"
  from "organizations"
  where "public_id" = ?

select "public_id"
  from "payors"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "payors"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "service_lines"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "service_lines"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "sessions"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "specializations"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id"
  from "specializations"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "treatment_plans"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id"
  from "users"
  where "organization_id" = ?
  and true
  and "sequence" > ?

select "public_id" as "id", "role", "email", "time_zone" as "timezone", "birth_date" as "birthDate"
  from "users"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))
  order by "public_id"

select "public_id" as "publicId", "authorization_id" as "authorizationId", "start_time" as "startTime", "end_time" as "endTime", "status"
  from "sessions"
  where "organization_id" = ?
  and "authorization_id" in (select value
  from json_each(?))
  and "start_time" >= ?
  and "start_time" <= ?

select "public_id" as "publicId", "authorization_id" as "authorizationId", "start_time" as "startTime", "units"
  from "encounters"
  where "organization_id" = ?
  and "authorization_id" in (select value
  from json_each(?))
  and "start_time" >= ?
  and "start_time" <= ?

select "public_id" as "publicId", "first_name" as "firstName", "last_name" as "lastName"
  from "users"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))

select "public_id" as "publicId", "name"
  from "intake_labels"
  where "organization_id" = ?
  order by "name", "public_id"
  limit ? offset ?

select "public_id" as "publicId", "name"
  from "locations"
  where "organization_id" = ?
  order by "name", "public_id"
  limit ? offset ?

select "public_id" as "publicId", "name"
  from "non_billable_codes"
  where "organization_id" = ?
  order by "name", "public_id"
  limit ? offset ?

select "public_id" as "publicId", "name"
  from "payors"
  where "organization_id" = ?
  order by "name", "public_id"
  limit ? offset ?

select "public_id" as "publicId", "name", "billing_unit_minutes" as "billingUnitMinutes"
  from "service_lines"
  where "organization_id" = ?
  order by "name", "public_id"
  limit ? offset ?

select "public_id" as "publicId", "patient_id" as "patientId", "name"
  from "treatment_plans"
  where "organization_id" = ?
  and "patient_id" = ?
  order by "public_id"
  limit ? offset ?

select "public_id" as "publicId", "session_id" as "sessionId", "start_time" as "startTime", "units"
  from "encounters"
  where "organization_id" = ?
  and "session_id" in (select value
  from json_each(?))

select "public_id" as "publicId", "start_time" as "startTime"
  from "sessions"
  where "organization_id" = ?
  and "authorization_id" = ?
  and "public_id" in (select value
  from json_each(?))

select "public_id", "authorization_id"
  from "sessions"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id", "built_in_key"
  from "intake_stages"
  where "organization_id" = ?
  and "is_active" = ?
  order by "position", "public_id"
  limit ?

select "public_id", "built_in_key", "name", "position", "is_active"
  from "intake_stages"
  where "organization_id" = ?
  and "is_active" = ?
  order by "position", "public_id"
  limit ? offset ?

select "public_id", "email_key"
  from "users"
  where "organization_id" = ?
  and "email_key" in (select value
  from json_each(?))

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = ?
  and "public_id" = ?

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = ?
  order by "created_at" asc, "public_id"
  limit ? offset ?

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = ?
  order by "created_at" desc, "public_id"
  limit ? offset ?

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from "users"
  where "organization_id" = ?
  order by "updated_at" asc, "public_id"
  limit ? offset ?

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = ?
  and "role" = ?
  and "is_active" = ?
  order by "created_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = ?
  order by "created_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = ?
  order by "created_at" desc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" desc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from "users"
  where "organization_id" = ?
  order by "updated_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "updated_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users indexed by "users_by_creation"
  where "organization_id" = ?
  and "role" = ?
  and "is_active" = ?
  and "search_text" like ? escape '\'
  and "search_text" like ? escape '\'
  order by "created_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users indexed by "users_by_creation"
  where "organization_id" = ?
  and "search_text" like ? escape '\'
  order by "created_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users indexed by "users_by_creation"
  where "organization_id" = ?
  and "search_text" like ? escape '\'
  order by "created_at" desc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" desc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users indexed by "users_by_creation"
  where "organization_id" = ?
  and "search_text" like ? escape '\'
  order by "updated_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "updated_at" asc, "public_id"

select "public_id", "first_name", "last_name", "email", "phone_number", "user_status", "is_active", "role", "sex", "birth_date", "caregiver_id", "address_line1", "address_line2", "city", "state", "postal_code", "internal_record_id", "primary_clinician_id", "compliance_credentials", "primary_location_id"
  from (select "public_id" as "id"
  from users as users not indexed
  where "organization_id" = ?
  and users.rowid in (select value
  from json_each(?))
  order by "created_at" asc, "public_id"
  limit ? offset ?) as "page"
  cross
  join "users"
  where "users"."public_id" = "page"."id"
  and "users"."organization_id" = ?
  order by "created_at" asc, "public_id"

select "public_id", "name"
  from "organizations"
  order by "public_id"

select "public_id", "name"
  from "specializations"
  where "organization_id" = ?
  and "is_active" = ?
  and "public_id" in (select value
  from json_each(?))
  order by "public_id"

select "public_id", "name", "is_active"
  from "specializations"
  where "organization_id" = ?
  and "is_active" = ?
  order by "name", "public_id"
  limit ? offset ?

select "public_id", "parent_goal_id"
  from "goals"
  where "organization_id" = ?
  and "parent_goal_id" in (select value
  from json_each(?))
  order by "parent_goal_id", "order_among_siblings", "public_id"

select "public_id", "patient_id"
  from "treatment_plans"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id", "patient_id", "authorization_pool_id", "service_line_id"
  from "authorizations"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id", "patient_id", "payor_id"
  from "authorization_pools"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id", "role"
  from "users"
  where "organization_id" = ?
  and "email_key" = ?

select "public_id", "role"
  from "users"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = ?
  and "client_id" = ?
  and "status" in (?)
  order by "start_time", "public_id"
  limit ? offset ?

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = ?
  and "client_id" = ?
  and "technician_id" = ?
  and "clinician_id" = ?
  and "authorization_id" = ?
  order by "start_time", "public_id"
  limit ? offset ?

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = ?
  and "public_id" = ?

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = ?
  and "start_time" >= ?
  and "start_time" <= ?
  order by "start_time", "public_id"
  limit ? offset ?

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from "sessions"
  where "organization_id" = ?
  and "start_time" >= ?
  order by "start_time", "public_id"
  limit ? offset ?

select "public_id", "title", "status", "start_time", "end_time", "is_supervision", "is_client_present", "place_of_service", "location_id", "technician_id", "client_id", "is_billable", "is_telehealth", "clinician_id", "provider_location_id", "service_line_id", "non_billable_code_id"
  from (select "public_id" as "id", "start_time" as "start"
  from "sessions"
  where "organization_id" = ?
  and "start_time" >= ?
  and "start_time" <= ?
  and "status" = ?
  union all select "public_id" as "id", "start_time" as "start"
  from "sessions"
  where "organization_id" = ?
  and "start_time" >= ?
  and "start_time" <= ?
  and "status" = ?
  order by "start", "id"
  limit ? offset ?) as "page"
  cross
  join "sessions"
  where "sessions"."organization_id" = ?
  and "sessions"."public_id" = "page"."id"
  order by "start_time", "public_id"

select "role", "is_active"
  from "users"
  where "organization_id" = ?
  and "public_id" = ?

select "sequence", "hash"
  from "audit_entries"
  where "organization_id" = ?
  and "sequence" = ?

select "sequence", "hash"
  from "audit_entries"
  where "organization_id" = ?
  and "time" < ?
  order by "sequence" desc
  limit ?

select "sequence", "hash", time as "time"
  from "audit_entries"
  where "organization_id" = ?
  order by "sequence" desc
  limit ?

select "session"."public_id" as "id", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."is_billable" as "isBillable", "session"."client_id" as "clientId", "authorization"."authorization_date" as "firstDate", "authorization"."authorization_expiration_date" as "lastDate", "client"."time_zone" as "timezone"
  from "sessions" as "session"
  left
  join "authorizations" as "authorization" on "authorization"."organization_id" = "session"."organization_id"
  and "authorization"."public_id" = "session"."authorization_id"
  left
  join "users" as "client" on "client"."organization_id" = "session"."organization_id"
  and "client"."public_id" = "session"."client_id"
  where "session"."organization_id" = ?
  and "session"."public_id" in (select value
  from json_each(?))
  order by "session"."public_id"

select "session"."public_id" as "publicId", "session"."authorization_id" as "authorizationId", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."status"
  from "sessions" as "session"
  where "session"."organization_id" = ?
  and "session"."authorization_id" in (select value
  from json_each(?))
  and "session"."start_time" >= ?
  and "session"."start_time" <= ?
  and not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = ?
  and encounter.session_id = "session"."public_id"
  and encounter.authorization_id = "session"."authorization_id" )

select "session"."public_id" as "publicId", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."status", "session"."is_billable" as "isBillable", "session"."is_supervision" as "isSupervision", "session"."technician_id" as "technicianId", "session"."clinician_id" as "clinicianId", "session"."client_id" as "patientId", "client"."time_zone" as "patientTimeZone", "line"."billing_unit_minutes" as "billingUnitMinutes", "session"."authorization_id" as "authorizationId", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", coalesce("pool"."payor_id", "authorization"."payor_id") as "payorId", (select count(*) as "encounters"
  from "encounters" as "encounter"
  where "encounter"."organization_id" = ?
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
  where "session"."organization_id" = ?
  and ("session"."client_id" is null or "client"."is_active" = ?)
  and "session"."start_time" >= ?
  and "session"."start_time" <= ?
  order by "session"."start_time", "session"."public_id"

select "session"."public_id" as "publicId", "session"."start_time" as "startTime", "session"."end_time" as "endTime", "session"."status", "session"."is_billable" as "isBillable", "session"."is_supervision" as "isSupervision", "session"."technician_id" as "technicianId", "session"."clinician_id" as "clinicianId", "session"."client_id" as "patientId", "client"."time_zone" as "patientTimeZone", "line"."billing_unit_minutes" as "billingUnitMinutes", "session"."authorization_id" as "authorizationId", "authorization"."authorization_date" as "authorizedFrom", "authorization"."authorization_expiration_date" as "authorizedTo", "pool"."public_id" as "poolId", coalesce("pool"."payor_id", "authorization"."payor_id") as "payorId", (select count(*) as "encounters"
  from "encounters" as "encounter"
  where "encounter"."organization_id" = ?
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
  where "session"."organization_id" = ?
  and ("session"."client_id" is null or "client"."is_active" = ?)
  and substr(session.end_time, 1, 10) > substr(session.start_time, 1, 10)
  and "session"."end_time" > ?
  and "session"."start_time" < ?
  and "session"."status" in (?, ?, ?)
  order by "session"."start_time", "session"."public_id"

select "session_id"
  from "encounters"
  where "organization_id" = ?
  and "session_id" in (select value
  from json_each(?))
  group by "session_id"
  having count(*) > ?

select "subject"."organization_id"
  from "organizations" as "organization"
  inner
  join "authorizations" as "subject" on "subject"."organization_id" = "organization"."public_id"
  where "subject"."public_id" = ?
  union select "subject"."organization_id"
  from "organizations" as "organization"
  inner
  join "authorization_pools" as "subject" on "subject"."organization_id" = "organization"."public_id"
  where "subject"."public_id" = ?
  order by "organization_id"

select "technician_id", "clinician_id"
  from "care_team_links"
  where "organization_id" = ?
  and "technician_id" in (select value
  from json_each(?))
  order by "technician_id", "clinician_id"

select "time"
  from "audit_entries"
  where "organization_id" = ?
  and "method" = ?
  and "route" in (?, ?)
  and "status" = ?
  order by "sequence" desc
  limit ?

select "type", "public_id"
  from "deletions"
  where "organization_id" = ?
  and "sequence" > ?
  order by "type", "public_id"

select "user_id" as "userId", max("expires_at") as "endsAt"
  from "provider_credentials"
  where "organization_id" = ?
  group by "user_id"
  having max("expires_at") <= ?

select "user_id", "location_id"
  from "user_locations"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
  order by "user_id", "location_id"

select "user_id", "position", "credential_type", "practice_area", "credential_number", "expires_at", "credential_status"
  from "provider_credentials"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
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
  where "webhook"."id" = ?

select "webhook".*, "organization"."sequence"
  from "webhooks" as "webhook"
  inner
  join "organizations" as "organization" on "organization"."public_id" = "webhook"."organization_id"
  where "webhook"."is_off" = ?
  and "webhook"."due_at" <= ?
  and "organization"."sequence" > "webhook"."acknowledged"

select *
  from "api_keys"
  where "organization_id" = ?

select *
  from "audit_entries"
  where "organization_id" = ?

select *
  from "audit_entries"
  where "organization_id" = ?
  and "sequence" > ?
  and "key_id" = ?
  and "time" >= ?
  and "time" <= ?
  order by "sequence"
  limit ?

select *
  from "audit_entries"
  where "organization_id" = ?
  and "sequence" > ?
  order by "sequence"
  limit ?

select *
  from "audit_heads"
  order by "organization_id"

select *
  from "audit_heads"
  where "organization_id" = ?

select *
  from "authorization_pools"
  where "organization_id" = ?

select *
  from "authorization_pools"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "authorization_pools"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "authorizations"
  where "organization_id" = ?

select *
  from "authorizations"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "authorizations"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "behavior_instances"
  where "organization_id" = ?

select *
  from "behavior_instances"
  where "organization_id" = ?
  and "goal_id" in (select value
  from json_each(?))
  order by "happened_at", "public_id"

select *
  from "care_team_links"
  where "organization_id" = ?

select *
  from "care_team_links"
  where "organization_id" = ?
  and "clinician_id" in (select value
  from json_each(?))
  order by "clinician_id", "technician_id"

select *
  from "deletions"
  where "organization_id" = ?

select *
  from "encounters"
  where "organization_id" = ?

select *
  from "encounters"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "encounters"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "goal_metrics"
  where "organization_id" = ?

select *
  from "goal_metrics"
  where "organization_id" = ?
  and "goal_id" in (select value
  from json_each(?))

select *
  from "goals"
  where "organization_id" = ?

select *
  from "goals"
  where "organization_id" = ?
  and "public_id" = ?

select *
  from "goals"
  where "organization_id" = ?
  and parent_goal_id is null
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "goals"
  where "organization_id" = ?
  and parent_goal_id is null
  and "public_id" in (select value
  from json_each(?))

select *
  from "idempotent_answers"
  where "organization_id" = ?

select *
  from "intake_labels"
  where "organization_id" = ?

select *
  from "intake_labels"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "intake_labels"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "intake_lead_labels"
  where "organization_id" = ?

select *
  from "intake_lead_labels"
  where "organization_id" = ?
  and "lead_id" in (select value
  from json_each(?))
  order by "lead_id", "label_id"

select *
  from "intake_leads"
  where "organization_id" = ?

select *
  from "intake_leads"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "intake_leads"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "intake_stages"
  where "organization_id" = ?

select *
  from "intake_stages"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "intake_stages"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "interval_sets"
  where "organization_id" = ?

select *
  from "interval_sets"
  where "organization_id" = ?
  and "goal_id" in (select value
  from json_each(?))
  order by "started_at", "public_id"

select *
  from "key_organizations"
  where "organization_id" = ?

select *
  from "locations"
  where "organization_id" = ?

select *
  from "locations"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "locations"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "non_billable_codes"
  where "organization_id" = ?

select *
  from "non_billable_codes"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "non_billable_codes"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "organizations"
  order by "public_id"

select *
  from "organizations"
  where "public_id" = ?

select *
  from "patient_clinicians"
  where "organization_id" = ?

select *
  from "patient_clinicians"
  where "organization_id" = ?
  and "patient_id" in (select value
  from json_each(?))
  order by "patient_id", "clinician_id"

select *
  from "patient_payors"
  where "organization_id" = ?

select *
  from "patient_payors"
  where "organization_id" = ?
  and "patient_id" in (select value
  from json_each(?))
  order by "patient_id", "position"

select *
  from "payor_credentialing"
  where "organization_id" = ?

select *
  from "payor_credentialing"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
  order by "user_id", "credential_position", "position"

select *
  from "payors"
  where "organization_id" = ?

select *
  from "payors"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "payors"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "provider_credentials"
  where "organization_id" = ?

select *
  from "provider_credentials"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
  order by "user_id", "position"

select *
  from "provider_payors"
  where "organization_id" = ?

select *
  from "provider_payors"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
  order by "user_id", "payor_id"

select *
  from "provider_specializations"
  where "organization_id" = ?

select *
  from "provider_specializations"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
  order by "user_id", "specialization_id"

select *
  from "rating_instances"
  where "organization_id" = ?

select *
  from "rating_instances"
  where "organization_id" = ?
  and "goal_id" in (select value
  from json_each(?))
  order by "happened_at", "public_id"

select *
  from "service_lines"
  where "organization_id" = ?

select *
  from "service_lines"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "service_lines"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "sessions"
  where "organization_id" = ?

select *
  from "sessions"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "sessions"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "skill_trials"
  where "organization_id" = ?

select *
  from "skill_trials"
  where "organization_id" = ?
  and "goal_id" in (select value
  from json_each(?))
  order by "happened_at", "public_id"

select *
  from "specializations"
  where "organization_id" = ?

select *
  from "specializations"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "specializations"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "treatment_plans"
  where "organization_id" = ?

select *
  from "treatment_plans"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "treatment_plans"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "user_locations"
  where "organization_id" = ?

select *
  from "user_locations"
  where "organization_id" = ?
  and "user_id" in (select value
  from json_each(?))
  order by "user_id", "location_id"

select *
  from "users"
  where "organization_id" = ?
  and true
  and "public_id" > ?
  order by "public_id"
  limit ?

select *
  from "users"
  where "organization_id" = ?
  and true
  and "public_id" in (select value
  from json_each(?))

select *
  from "users"
  where "organization_id" = ?
  order by (caregiver_id is not null or primary_clinician_id is not null)

select *
  from "webhooks"
  where "organization_id" = ?

select case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as "subject", coalesce("member"."authorization_pool_id", "member"."public_id") as "subjectId", "patient"."time_zone" as "patientTimeZone", "member"."patient_id" as "patientId", coalesce("pool"."payor_id", "member"."payor_id") as "payorId", coalesce("pool"."unit_frequency", "member"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "member"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "member"."public_id" as "authorizationId", "member"."authorization_date" as "startDate", "member"."authorization_expiration_date" as "endDate", "line"."billing_unit_minutes" as "billingUnitMinutes", "payor"."name" as "payorName", "patient"."first_name" as "patientFirstName", "patient"."last_name" as "patientLastName", "member"."authorization_number" as "authorizationNumber", "member"."authorization_status" as "authorizationStatus", "member"."service_line_id" as "serviceLineId", ( select string_agg(record.start_time || record.units, ',')
  from encounters as record
  where record.organization_id = ?
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and true ) as "encounters", ( select string_agg(record.start_time || record.end_time || case when not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = ?
  and encounter.session_id = "record"."public_id"
  and encounter.authorization_id = "record"."authorization_id" ) then ? else '-' end || record.status, ',')
  from sessions as record
  where record.organization_id = ?
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
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
  where "member"."organization_id" = ?
  and "member"."public_id" in (select value
  from json_each(?))

select case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as "subject", coalesce("member"."authorization_pool_id", "member"."public_id") as "subjectId", "patient"."time_zone" as "patientTimeZone", "member"."patient_id" as "patientId", coalesce("pool"."payor_id", "member"."payor_id") as "payorId", coalesce("pool"."unit_frequency", "member"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "member"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "member"."public_id" as "authorizationId", "member"."authorization_date" as "startDate", "member"."authorization_expiration_date" as "endDate", "line"."billing_unit_minutes" as "billingUnitMinutes", ( select string_agg(record.start_time || record.units, ',')
  from encounters as record
  where record.organization_id = ?
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and coalesce(pool.is_unlimited, 0) = 0 ) as "encounters", ( select string_agg(record.start_time || record.end_time || ? || record.status, ',')
  from sessions as record
  where record.organization_id = ?
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and coalesce(pool.is_unlimited, 0) = 0
  and not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = ?
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
  where "member"."organization_id" = ?
  and "member"."public_id" in (select value
  from json_each(?))

select case when member.authorization_pool_id is null then 'AUTHORIZATION' else 'POOL' end as "subject", coalesce("member"."authorization_pool_id", "member"."public_id") as "subjectId", "patient"."time_zone" as "patientTimeZone", "member"."patient_id" as "patientId", coalesce("pool"."payor_id", "member"."payor_id") as "payorId", coalesce("pool"."unit_frequency", "member"."authorized_unit_frequency") as "unitFrequency", coalesce("pool"."total_units", "member"."authorized_units_quantity") as "authorizedUnits", "pool"."is_unlimited" as "isUnlimited", "member"."public_id" as "authorizationId", "member"."authorization_date" as "startDate", "member"."authorization_expiration_date" as "endDate", "line"."billing_unit_minutes" as "billingUnitMinutes", ( select string_agg(record.start_time || record.units, ',')
  from encounters as record
  where record.organization_id = ?
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and coalesce(pool.total_units, member.authorized_units_quantity) > 0
  and coalesce(pool.is_unlimited, 0) = 0 ) as "encounters", ( select string_agg(record.start_time || record.end_time || ? || record.status, ',')
  from sessions as record
  where record.organization_id = ?
  and record.authorization_id = member.public_id
  and record.start_time >= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and record.start_time <= case coalesce(pool.unit_frequency, member.authorized_unit_frequency) when ? then ? when ? then ? when ? then ? when ? then ? when ? then ? end
  and coalesce(pool.total_units, member.authorized_units_quantity) > 0
  and coalesce(pool.is_unlimited, 0) = 0
  and not exists ( select 1
  from encounters as encounter
  where encounter.organization_id = ?
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
  where "member"."organization_id" = ?
  and "member"."public_id" in (select value
  from json_each(?))

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
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "authorizations"

select count(*) as "total"
  from "authorizations"
  cross
  join "encounters"
  where "authorizations"."organization_id" = ?
  and "authorizations"."patient_id" = ?
  and "encounters"."authorization_id" = "authorizations"."public_id"
  and "encounters"."organization_id" = ?
  and "encounters"."authorization_id" = ?
  and "encounters"."session_id" = ?

select count(*) as "total"
  from "authorizations"
  where "organization_id" = ?
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
  where "encounters"."organization_id" = ?
  and "encounters"."start_time" >= ?
  and "encounters"."start_time" <= ?

select count(*) as "total"
  from "encounters"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "goal_metrics"

select count(*) as "total"
  from "goals"

select count(*) as "total"
  from "goals"
  where "organization_id" = ?
  and parent_goal_id is null

select count(*) as "total"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = ?
  and "goal"."parent_goal_id" is null

select count(*) as "total"
  from "goals" as "goal"
  inner
  join "treatment_plans" as "plan" on "plan"."organization_id" = "goal"."organization_id"
  and "plan"."public_id" = "goal"."treatment_plan_id"
  where "goal"."organization_id" = ?
  and "goal"."parent_goal_id" is null
  and "goal"."treatment_plan_id" = ?
  and "plan"."patient_id" = ?
  and "goal"."type" = ?
  and "goal"."status" = ?

select count(*) as "total"
  from "idempotent_answers"

select count(*) as "total"
  from "intake_labels"

select count(*) as "total"
  from "intake_labels"
  where "organization_id" = ?

select count(*) as "total"
  from "intake_labels"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "intake_lead_labels"

select count(*) as "total"
  from "intake_leads"

select count(*) as "total"
  from "intake_leads"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "intake_leads" as "lead"
  where "lead"."organization_id" = ?
  and "lead"."created_at" >= ?
  and "lead"."created_at" <= ?

select count(*) as "total"
  from "intake_leads" as "lead"
  where "lead"."organization_id" = ?
  and "lead"."stage_id" = ?
  and exists (select "link"."label_id"
  from "intake_lead_labels" as "link"
  where "link"."organization_id" = ?
  and "link"."lead_id" = "lead"."public_id"
  and "link"."label_id" = ?)
  and "lead"."channel" = ?
  and "lead"."source" = ?
  and "lead"."client_id" = ?

select count(*) as "total"
  from "intake_stages"

select count(*) as "total"
  from "intake_stages"
  where "organization_id" = ?
  and "is_active" = ?

select count(*) as "total"
  from "intake_stages"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "interval_sets"

select count(*) as "total"
  from "key_organizations"

select count(*) as "total"
  from "locations"

select count(*) as "total"
  from "locations"
  where "organization_id" = ?

select count(*) as "total"
  from "locations"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "non_billable_codes"

select count(*) as "total"
  from "non_billable_codes"
  where "organization_id" = ?

select count(*) as "total"
  from "non_billable_codes"
  where "organization_id" = ?
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
  where "organization_id" = ?

select count(*) as "total"
  from "payors"
  where "organization_id" = ?
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
  where "organization_id" = ?

select count(*) as "total"
  from "service_lines"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "sessions"

select count(*) as "total"
  from "sessions"
  where "organization_id" = ?
  and "client_id" = ?
  and "status" in (?)

select count(*) as "total"
  from "sessions"
  where "organization_id" = ?
  and "client_id" = ?
  and "technician_id" = ?
  and "clinician_id" = ?
  and "authorization_id" = ?

select count(*) as "total"
  from "sessions"
  where "organization_id" = ?
  and "start_time" >= ?
  and "start_time" <= ?

select count(*) as "total"
  from "sessions"
  where "organization_id" = ?
  and "start_time" >= ?
  and "start_time" <= ?
  and "status" in (?, ?)

select count(*) as "total"
  from "sessions"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "skill_trials"

select count(*) as "total"
  from "specializations"

select count(*) as "total"
  from "specializations"
  where "organization_id" = ?
  and "is_active" = ?

select count(*) as "total"
  from "specializations"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "treatment_plans"

select count(*) as "total"
  from "treatment_plans"
  where "organization_id" = ?
  and "patient_id" = ?

select count(*) as "total"
  from "treatment_plans"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "user_locations"

select count(*) as "total"
  from "users"

select count(*) as "total"
  from "users"
  where "organization_id" = ?
  and true

select count(*) as "total"
  from "webhooks"

select count(*) as "total", json_group_array(users.rowid) as "rowIds"
  from "users"
  where "organization_id" = ?
  and "email_key" = ?

select count(*) as "total", json_group_array(users.rowid) as "rowIds"
  from users as users indexed by "users_by_text"
  where "organization_id" = ?
  and "role" = ?
  and "is_active" = ?
  and "search_text" like ? escape '\'
  and "search_text" like ? escape '\'

select count(*) as "total", json_group_array(users.rowid) as "rowIds"
  from users as users indexed by "users_by_text"
  where "organization_id" = ?
  and "search_text" like ? escape '\'

select distinct "organization_id"
  from "audit_entries"
  order by "organization_id"

select distinct "patient_id"
  from "authorizations"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))

select distinct "target"
  from "audit_entries"
  where "method" = ?
  and "route" in (?)
  and "status" = ?
  and "target" is not null

select distinct "target"
  from "audit_entries"
  where "method" = ?
  and "route" in (?, ?)
  and "status" = ?
  and "target" is not null

select max(written.public_id) as id, written.authorization_pool_id as other
  from authorizations as written
  where written.organization_id = ?
  and "written"."public_id" in (select value
  from json_each(?))
  and ( select count(*)
  from authorizations as member
  where member.organization_id = ?
  and member.authorization_pool_id = written.authorization_pool_id ) > ?
  group by written.authorization_pool_id

select name
  from sqlite_schema
  where type = 'table'
  and name not like 'sqlite_%'

select sequence, hash, null as time
  from audit_heads
  where organization_id = ?

select sum("sessions") as "total"
  from "session_counts"
  where "organization_id" = ?

select sum("sessions") as "total"
  from "session_counts"
  where "organization_id" = ?
  and "day" >= ?

select sum("sessions") as "total"
  from "session_counts"
  where "organization_id" = ?
  and "day" >= ?
  and "day" <= ?

select sum("users") as "total"
  from "user_counts"
  where "organization_id" = ?

select sum("users") as "total"
  from "user_counts"
  where "organization_id" = ?
  and "role" = ?

select sum("users") as "total"
  from "user_counts"
  where "organization_id" = ?
  and "role" = ?
  and "is_active" = ?

update "api_keys"
  set "last_used_at" = ?
  where "organization_id" = ?
  and "id" = ?
  and ("last_used_at" is null or "last_used_at" < ?)

update "api_keys"
  set "revoked_at" = ?
  where "organization_id" = ?
  and "id" = ?

update "api_keys"
  set "successor_id" = ?, "expires_at" = ?
  where "organization_id" = ?
  and "id" = ?

update "audit_heads"
  set "anchor_sequence" = ?, "anchor_hash" = ?
  where "organization_id" = ?

update "audit_heads"
  set "sequence" = ?, "hash" = ?
  where "organization_id" = ?

update "goals"
  set "sequence" = ?
  where "organization_id" = ?
  and "public_id" = ?

update "organizations"
  set "sequence" = "sequence" + ?
  where "public_id" = ?
  returning "sequence"

update "users"
  set "sequence" = ?
  where "organization_id" = ?
  and "role" in (?, ?, ?)
  and "public_id" in (select value
  from json_each(?))

update "webhooks"
  set "acknowledged" = ?, "failures" = ?, "due_at" = ?
  where "organization_id" = ?
  and "id" = ?

update "webhooks"
  set "due_at" = ?
  where "organization_id" = ?
  and "id" = ?
  and "is_off" = ?
  and "due_at" <= ?
  and acknowledged < (select sequence
  from organizations
  where public_id = ?)
  returning (select sequence
  from organizations
  where public_id = ?) as "sequence"

with recursive "tree"("organization_id", "public_id") as (select "organization_id", "public_id"
  from "goals"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))
  union select "child"."organization_id", "child"."public_id"
  from "tree" as "parent"
  inner
  join "goals" as "child" on "child"."organization_id" = "parent"."organization_id"
  and "child"."parent_goal_id" = "parent"."public_id"
  where "child"."organization_id" = ?) select "goal".*
  from "goals" as "goal"
  where "goal"."organization_id" = ?
  and "goal"."public_id" in (select "public_id"
  from "tree")
  order by "goal"."order_among_siblings", "goal"."public_id"

with recursive "tree"("organization_id", "public_id") as (select "organization_id", "public_id"
  from "goals"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))
  union select "child"."organization_id", "child"."public_id"
  from "tree" as "parent"
  inner
  join "goals" as "child" on "child"."organization_id" = "parent"."organization_id"
  and "child"."parent_goal_id" = "parent"."public_id"
  where "child"."organization_id" = ?) select count(*) as "total"
  from "tree"

with recursive "tree"("organization_id", "public_id") as (select "organization_id", "public_id"
  from "goals"
  where "organization_id" = ?
  and "public_id" in (select value
  from json_each(?))
  union select "child"."organization_id", "child"."public_id"
  from "tree" as "parent"
  inner
  join "goals" as "child" on "child"."organization_id" = "parent"."organization_id"
  and "child"."parent_goal_id" = "parent"."public_id"
  where "child"."organization_id" = ?) select count(*) as "total"
  from (select "goal_id"
  from "behavior_instances"
  where "organization_id" = ?
  and "goal_id" in (select public_id
  from tree)
  union all select "goal_id"
  from "skill_trials"
  where "organization_id" = ?
  and "goal_id" in (select public_id
  from tree)
  union all select "goal_id"
  from "rating_instances"
  where "organization_id" = ?
  and "goal_id" in (select public_id
  from tree)
  union all select "goal_id"
  from "interval_sets"
  where "organization_id" = ?
  and "goal_id" in (select public_id
  from tree)
  limit ?) as "recorded"

with recursive path (id, top, parent, plan) as ( select public_id, public_id, parent_goal_id, treatment_plan_id
  from goals
  where organization_id = ?
  and "public_id" in (select value
  from json_each(?))
  union all select path.id, goals.public_id, goals.parent_goal_id, path.plan
  from path
  join goals on goals.organization_id = ?
  and goals.public_id = path.parent ) select id, top, plan as "treatmentPlanId"
  from path
  where parent is null
