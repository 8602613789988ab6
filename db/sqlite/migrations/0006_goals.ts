import type { Migration } from "../../migration.ts";

/** Goals of all four kinds, and what was recorded on them; deleting a goal deletes all that hangs on it. */
export const goals: Migration = {
  name: "0006_goals",
  statements: [
    `create table treatment_plans (
      organization_id text not null,
      public_id text not null,
      patient_id text not null,
      name text,
      primary key (organization_id, public_id),
      foreign key (organization_id, patient_id) references users (organization_id, public_id)
    ) strict`,

    `create table goals (
      organization_id text not null,
      public_id text not null,
      treatment_plan_id text not null,
      parent_goal_id text,
      order_among_siblings integer not null,
      type text not null,
      status text not null,
      baseline_date text,
      target_achievement_date text,
      added_to_treatment_plan_at text,
      goal_statement text,
      title text,
      description text,
      definition text,
      instructions text,
      progress_summary text,
      target_maladaptive_behavior_name text,
      data_collection_type text,
      is_behavior integer,
      auto_progress_to_maintenance_enabled integer,
      auto_progress_to_mastered_enabled integer,
      skill_acquisition_goal_type text,
      short_description text,
      skill_category text,
      min_trials_count integer,
      enabled_outcomes text,
      interval_duration real,
      interval_quantity real,
      sets real,
      interval_recording_type text,
      window real,
      primary key (organization_id, public_id),
      foreign key (organization_id, treatment_plan_id)
        references treatment_plans (organization_id, public_id),
      foreign key (organization_id, parent_goal_id)
        references goals (organization_id, public_id) on delete cascade
    ) strict`,
    `create index goals_by_plan on goals (organization_id, treatment_plan_id)`,
    `create index goals_by_parent
      on goals (organization_id, parent_goal_id, order_among_siblings, public_id)
      where parent_goal_id is not null`,

    `create table goal_metrics (
      organization_id text not null,
      goal_id text not null,
      purpose text not null,
      public_id text not null,
      value real not null,
      unit text not null,
      frequency_unit text,
      observation_period real,
      observation_period_unit text,
      success_criteria text,
      primary key (organization_id, goal_id, purpose),
      foreign key (organization_id, goal_id) references goals (organization_id, public_id) on delete cascade
    ) strict`,

    recorded(
      "behavior_instances",
      "happened_at text not null, quantity real not null, antecedent text, consequence text, duration_seconds real",
    ),
    recorded("skill_trials", "happened_at text not null, outcome text not null"),
    recorded("rating_instances", "happened_at text not null, value real not null"),
    recorded("interval_sets", "started_at text not null, intervals text not null"),
  ],
};

function recorded(table: string, columns: string): string {
  return `create table ${table} (
    organization_id text not null,
    goal_id text not null,
    public_id text not null,
    ${columns},
    primary key (organization_id, goal_id, public_id),
    foreign key (organization_id, goal_id) references goals (organization_id, public_id) on delete cascade
  ) strict`;
}
