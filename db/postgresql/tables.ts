import { tableStatements } from "../definitions.ts";
import { type Count, counts, NO_HASH, ordersOfUsers } from "../tables.ts";

/** The statements that create PostgreSQL's tables, indexes and triggers. */
export const baseline: readonly string[] = [
  ...tableStatements({
    types: { text: "text", integer: "bigint", real: "double precision" },
    options: () => "",
  }),

  // Trigram index of the users' search texts.
  "create extension if not exists pg_trgm",
  "create index users_by_text on users using gin (search_text gin_trgm_ops)",
  ...Object.entries(ordersOfUsers).map(
    ([name, columns]) =>
      `create index users_by_${name} on users (organization_id, ${columns.join(", ")})`,
  ),

  ...Object.entries(counts).flatMap(([table, count]) => countTriggers(table, count)),

  newFunction(
    "organizations_audit",
    `insert into audit_heads (organization_id, sequence, hash) values (new.public_id, 0, '${NO_HASH}');`,
  ),
  `create trigger organizations_audit after insert on organizations
    for each row execute function organizations_audit()`,
];

/** Statement-level triggers: they sum the changes of a statement and write each group of counters once. */
function countTriggers(table: string, count: Count): string[] {
  const { of } = count;
  return [
    newFunction(table, addChanges(table, count)),
    `create trigger ${table}_insert after insert on ${of}
      referencing new table as added for each statement execute function ${table}()`,
    `create trigger ${table}_delete after delete on ${of}
      referencing old table as removed for each statement execute function ${table}()`,
    `create trigger ${table}_update after update on ${of}
      referencing old table as removed new table as added for each statement execute function ${table}()`,
  ];
}

/** A loop that inserts single rows, the only form that Citus supports. */
function addChanges(table: string, { number, groups }: Count): string {
  const columns = ["organization_id", ...Object.keys(groups)];
  const values = Object.entries(groups).map(([column, value]) => `${value("")} as ${column}`);
  const rows = (changed: string, change: 1 | -1) =>
    `select organization_id, ${values.join(", ")}, ${change} as change from ${changed}`;
  const addAll = (changes: string) => `
        for changed in
          select ${columns.join(", ")}, sum(change) as change
          from (${changes}) as changes group by ${columns.join(", ")} having sum(change) <> 0
        loop
          insert into ${table} (${columns.join(", ")}, ${number})
          values (${columns.map((column) => `changed.${column}`).join(", ")}, changed.change)
          on conflict (${columns.join(", ")}) do update set ${number} = ${table}.${number} + excluded.${number};
        end loop;`;
  return `if tg_op = 'INSERT' then${addAll(rows("added", 1))}
      elsif tg_op = 'DELETE' then${addAll(rows("removed", -1))}
      else${addAll(`${rows("added", 1)} union all ${rows("removed", -1)}`)}
      end if;`;
}

function newFunction(name: string, body: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$
    declare changed record;
    begin
      ${body}
      return null;
    end $$`;
}
