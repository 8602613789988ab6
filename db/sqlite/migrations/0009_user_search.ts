import type { Migration } from "../../migration.ts";

/** Rowids of the index that each organization has to itself, the one in their middle being its center. */
const ROWIDS_OF_AN_ORGANIZATION = 2 ** 32;

/** Users who may wait for the index: a search compares each of them. */
const MOST_WAITING = 256;

/**
 * Users who are taken out of the index one by one while it is held: that takes 4 ms each. Then the whole of it is
 * made anew in the end, with all who are still in it by mistake.
 */
const MOST_TAKEN_OUT = 250;

/** The index has no texts of its own, so it is told which to take out. Who waits is not in it. */
const takeOut = `
  insert into user_search (user_search, rowid, search_text)
    select 'delete', old.search_rowid, old.search_text from user_search_progress
    where organization_id = old.organization_id
      and old.search_rowid is not null and taken_out < ${MOST_TAKEN_OUT};
  update user_search_progress set taken_out = taken_out + is_held
    where organization_id = old.organization_id and old.search_rowid is not null;
`;

/** Whether as many users wait as may. */
const isFull = `(select is_held from user_search_progress where organization_id = new.organization_id) = 0
  and exists (
    select 1 from users where organization_id = new.organization_id and search_rowid is null
    limit 1 offset ${MOST_WAITING - 1}
  )`;

const merge = `update user_search_progress set merges = merges + 1
  where organization_id = new.organization_id;`;

/** Gives rowids of the index to those who wait, in their order of creation. */
function number(rowid: string, condition: string): string {
  return `update users set search_rowid = numbered.search_rowid from (
    select users.rowid as id, ${rowid} as search_rowid
    from user_search_progress as progress
    cross join users on users.organization_id = progress.organization_id and search_rowid is null
    where progress.organization_id = new.organization_id and ${condition}
  ) as numbered where users.rowid = numbered.id;`;
}

const place = "row_number() over (order by created_at, public_id)";

/** Users whose rowids are those given last, if they come after or before all others. */
function putIn(condition: string): string {
  return `insert into user_search (rowid, search_text)
    select search_rowid, search_text
    from user_search_progress as progress
    cross join users on users.organization_id = progress.organization_id and ${condition}
    where progress.organization_id = new.organization_id
    order by search_rowid;`;
}

/**
 * An index of the texts in which users are searched, by each three characters in a row. Triggers keep it in the
 * transaction of each write.
 *
 * To put one user into it costs more than all else that is written of one; of hundreds at once, each a tenth of that.
 * So new and changed users have no rowid in the index at first and wait, and the one with whom too many wait has all
 * of them merged. An import holds that up, and merges when it is done.
 *
 * Rowids go up in the order of creation, so that the first users whom a search finds are the first of a list. Users
 * who come out of that order, from an import or by a change, get rowids below the center, which go down.
 *
 * What is taken out of the index is overwritten at once, as is all that is deleted.
 */
export const userSearch: Migration = {
  name: "0009_user_search",
  statements: [
    `alter table users add column search_rowid integer`,

    // Texts are folded before they come here.
    `create virtual table user_search using fts5 (
      search_text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1'
    )`,
    `insert into user_search (user_search, rank) values ('secure-delete', 1)`,
    // Twice the usual: half as much is written, and what is found takes as long.
    `insert into user_search (user_search, rank) values ('automerge', 8)`,

    // An organization's rowids lie together, from the lowest to the highest, so that a search counts matches in
    // that range, and need not ask of each whose it is.
    `create table user_search_progress (
      organization_id text not null references organizations (public_id),
      center integer not null,
      lowest integer not null,
      highest integer not null,
      merges integer not null default 0,
      is_held integer not null default 0,
      taken_out integer not null default 0,
      primary key (organization_id)
    ) strict, without rowid`,
    `insert into user_search_progress (organization_id, center, lowest, highest)
      select public_id, center, center + 1, center from (
        select public_id, row_number() over (order by public_id) * ${ROWIDS_OF_AN_ORGANIZATION} as center
        from organizations
      )`,
    `create trigger organizations_search_insert after insert on organizations begin
      insert into user_search_progress (organization_id, center, lowest, highest)
      select new.public_id, center, center + 1, center from (
        select coalesce(max(center), 0) + ${ROWIDS_OF_AN_ORGANIZATION} as center
        from user_search_progress
      );
    end`,

    `create trigger user_search_merge after update of merges on user_search_progress begin
      ${number(
        `highest + ${place}`,
        `(created_at, public_id) > (coalesce((
          select created_at from users where organization_id = new.organization_id
            and search_rowid > new.center order by search_rowid desc limit 1
        ), ''), coalesce((
          select public_id from users where organization_id = new.organization_id
            and search_rowid > new.center order by search_rowid desc limit 1
        ), ''))`,
      )}
      ${number(`lowest - ${place}`, "true")}
      ${putIn("search_rowid < lowest")}
      ${putIn("search_rowid > highest")}
      update user_search_progress set
        lowest = min(lowest, coalesce((
          select min(search_rowid) from users
          where organization_id = new.organization_id and search_rowid is not null
        ), lowest)),
        highest = max(highest, coalesce((
          select max(search_rowid) from users where organization_id = new.organization_id
        ), highest))
        where organization_id = new.organization_id;
    end`,
    // Users of before.
    `update user_search_progress set merges = merges + 1`,
    // With all that lists are filtered and ordered by, so that a search reads no user but those whom it shows.
    `create index users_by_search_rowid
      on users (organization_id, search_rowid, created_at, public_id, updated_at, role, is_active)`,

    `create trigger users_search_insert after insert on users
      when ${isFull} begin
      ${merge}
    end`,
    `create trigger users_search_delete after delete on users begin
      ${takeOut}
    end`,
    `create trigger users_search_update after update of search_text, created_at on users
      when old.search_text <> new.search_text or old.created_at <> new.created_at begin
      ${takeOut}
      update users set search_rowid = null where rowid = new.rowid;
    end`,
    `create trigger users_search_wait after update of search_rowid on users
      when new.search_rowid is null and ${isFull} begin
      ${merge}
    end`,
  ],
};
