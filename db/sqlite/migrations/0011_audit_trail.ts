import type { Migration } from "../../migration.ts";

/** What the hash of a chain without rows is, and the anchor of one that begins with its first row. */
const NO_HASH = "0".repeat(64);

/**
 * Rows say more, and every organization has a chain from its creation on, so that a chain that is gone is missed. A
 * chain may begin at an anchor, the last row that was moved to an archive.
 */
export const auditTrail: Migration = {
  name: "0011_audit_trail",
  statements: [
    // None of them is in the rows of before, whose hashes do not cover them.
    `alter table audit_entries add column target text`,
    `alter table audit_entries add column address text`,
    `alter table audit_entries add column operator text`,
    `alter table audit_entries add column requests integer`,

    `alter table audit_heads add column anchor_sequence integer not null default 0`,
    `alter table audit_heads add column anchor_hash text not null default '${NO_HASH}'`,
    `insert into audit_heads (organization_id, sequence, hash)
      select public_id, 0, '${NO_HASH}' from organizations
      where public_id not in (select organization_id from audit_heads)`,
    // Of what no key said whose it was.
    `insert into audit_heads (organization_id, sequence, hash)
      select '', 0, '${NO_HASH}'
      where not exists (select 1 from audit_heads where organization_id = '')`,
    `create trigger organizations_audit_insert after insert on organizations begin
      insert into audit_heads (organization_id, sequence, hash)
      values (new.public_id, 0, '${NO_HASH}');
    end`,

    // How much of each file of rows that could not be written at once has come into the chains.
    `create table audit_spools (
      id text not null,
      taken integer not null,
      primary key (id)
    ) strict, without rowid`,
  ],
};
