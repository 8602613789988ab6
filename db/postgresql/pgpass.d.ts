declare module "pgpass" {
  /**
   * Looks up the password of a connection, by host, port, database and user, in `~/.pgpass` or the file of
   * `PGPASSFILE`; undefined if it is not there.
   */
  export default function pgPass(
    connection: object,
    found: (password: string | undefined) => void,
  ): void;
}
