import { tableStatements } from "../definitions.ts";
import { type Count, counts, NO_HASH } from "../tables.ts";

/** The statements that create SQLite's tables, indexes and triggers. */
export const baseline: readonly string[] = [
  ...tableStatements({
    types: { text: "text", integer: "integer", real: "real" },
    options: ({ isInKeyOrder }) => (isInKeyOrder ? " strict, without rowid" : " strict"),
  }),

  // A search compares the texts of all users, in an index with little else, since much of the time is reading it. If
  // very many match, it reads the list until its page is full. Both indexes cover all columns by which users are filtered
  // and ordered. A trigram index would be faster for some searches, but make each write of a user several times as
  // expensive.
  "create index users_by_text on users (organization_id, search_text, role, is_active)",
  `create index users_by_creation on users
    (organization_id, created_at, public_id, role, is_active, updated_at, search_text)`,

  ...Object.entries(counts).flatMap(([table, count]) => countTriggers(table, count)),

  `create trigger organizations_audit after insert on organizations begin
    insert into audit_heads (organization_id, sequence, hash) values (new.public_id, 0, '${NO_HASH}');
  end`,
];

function countTriggers(table: string, { of, number, groups }: Count): string[] {
  const columns = ["organization_id", ...Object.keys(groups)];
  const valuesOf = (row: string) => [
    `${row}organization_id`,
    ...Object.values(groups).map((value) => value(row)),
  ];
  const add = (row: string, change: 1 | -1) => `
    insert into ${table} (${columns.join(", ")}, ${number}) values (${valuesOf(row).join(", ")}, ${change})
      on conflict do update set ${number} = ${number} + excluded.${number};`;
  const differences = valuesOf("old.").map(
    (value, index) => `${value} <> ${valuesOf("new.")[index]}`,
  );
  return [
    `create trigger ${table}_insert after insert on ${of} begin${add("new.", 1)}
    end`,
    `create trigger ${table}_delete after delete on ${of} begin${add("old.", -1)}
    end`,
    `create trigger ${table}_update after update on ${of}
      when ${differences.join(" or ")} begin${add("old.", -1)}${add("new.", 1)}
    end`,
  ];
}
