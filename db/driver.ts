import type { DatabaseConnection, Driver } from "kysely";

/** Kysely's driver over one connection. Transactions are those of `Database.read` and `Database.write`. */
export function driverOver(connection: DatabaseConnection): Driver {
  const notSupported = async (): Promise<never> => {
    throw new Error("Transactions are those of Database.read and Database.write");
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: notSupported,
    commitTransaction: notSupported,
    rollbackTransaction: notSupported,
    destroy: async () => {},
  };
}
