import { Database } from "bun:sqlite";

/**
 * Makes the users and sessions of an organization so many times as many, by copies of each under ids of their own: the
 * rows that importing as many clinics of one practice would leave, in a tenth of the time. What else hangs on users
 * is not copied.
 */
export async function multiply(path: string, organizationId: string, times: number): Promise<void> {
  const file = new Database(path, { readwrite: true, strict: true });
  // It is made anew if it fails, and it may take the memory: what is sorted is gigabytes.
  for (const pragma of ["synchronous = off", "cache_size = -4000000", "temp_store = memory"])
    file.run(`pragma ${pragma}`);
  file.transaction(() => {
    const restore = withoutIndexesAndTriggers(file, ["users", "sessions", "session_counts"]);
    copyRows(file, "users", organizationId, times, {
      public_id: suffixed("public_id"),
      email: numbered("email"),
      email_key: numbered("email_key"),
      caregiver_id: suffixed("caregiver_id"),
      primary_clinician_id: suffixed("primary_clinician_id"),
      search_text: `case when email_key is null then search_text
        else replace(search_text, email_key, ${numbered("email_key")}) end`,
    });
    copyRows(file, "sessions", organizationId, times, {
      public_id: suffixed("public_id"),
      technician_id: suffixed("technician_id"),
      client_id: suffixed("client_id"),
      clinician_id: suffixed("clinician_id"),
      authorization_id: "null",
    });
    for (const [table, column] of [
      ["user_counts", "users"],
      ["user_month_counts", "users"],
      ["session_counts", "sessions"],
      ["session_month_counts", "sessions"],
    ])
      file.run(`update ${table} set ${column} = ${column} * ? where organization_id = ?`, [
        times,
        organizationId,
      ]);
    restore();
  })();
  file.close();
}

function suffixed(column: string): string {
  return `${column} || '_c' || copy`;
}

function numbered(column: string): string {
  return `copy || '.' || ${column}`;
}

/** Copies all rows of an organization in a table, with other values in some columns. */
function copyRows(
  file: Database,
  table: string,
  organizationId: string,
  times: number,
  changed: Record<string, string>,
): void {
  const columns = file
    .query<{ name: string }, []>(`pragma table_info(${table})`)
    .all()
    .map(({ name }) => name);
  file.run(
    `insert into ${table} (${columns.join(", ")})
     with recursive copies (copy) as
       (select 1 union all select copy + 1 from copies where copy < ?)
     select ${columns.map((column) => changed[column] ?? column).join(", ")}
     from ${table} cross join copies where organization_id = ? order by public_id, copy`,
    [times - 1, organizationId],
  );
}

/** Drops what makes each new row expensive, and returns what makes it again. */
function withoutIndexesAndTriggers(file: Database, tables: string[]): () => void {
  const dropped = tables.flatMap((table) =>
    file
      .query<{ type: string; name: string; sql: string }, [string]>(
        "select type, name, sql from sqlite_master where tbl_name = ? and type in ('index', 'trigger') and sql is not null",
      )
      .all(table),
  );
  for (const { type, name } of dropped) file.run(`drop ${type} ${name}`);
  return () => {
    for (const { sql } of dropped) file.run(sql);
  };
}
