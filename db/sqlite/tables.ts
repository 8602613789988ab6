import { tableStatements } from "../definitions.ts";
import { type Count, counts, NO_HASH, ordersOfUsers } from "../tables.ts";

/** The statements that create SQLite's tables, indexes and triggers. */
export const baseline: readonly string[] = [
  ...tableStatements({
    types: { text: "text", integer: "integer", real: "real" },
    options: ({ isInKeyOrder }) => (isInKeyOrder ? " strict, without rowid" : " strict"),
  }),

  // A page is read in the order of one of these indexes until it is full, and a total is counted in one. Each has all
  // columns by which users are filtered, so that only the users of the page are read. A trigram index would be faster
  // for some searches, but make each write of a user several times as expensive.
  ...Object.entries(ordersOfUsers).map(
    ([name, columns]) =>
      `create index users_by_${name} on users
        (organization_id, ${columns.join(", ")}, role, is_active, search_text)`,
  ),

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
