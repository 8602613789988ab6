declare module "pgpass" {
  /** Looks a connection, of which host, port, database and user count, up in `~/.pgpass`, or the file of `PGPASSFILE`; gives undefined where it is not there. */
  export default function pgPass(
    connection: object,
    found: (password: string | undefined) => void,
  ): void;
}
