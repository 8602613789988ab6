import { describe, expect, test } from "bun:test";
import {
  type Import,
  parseSource,
  readSourceFiles,
  type SourceFile,
} from "./support/source-files.ts";

/**
 * Which module may import which: main → commands → server → app → routes → service → repository →
 * db. Each rule is checked against every import of the program, and against an example that breaks
 * it.
 */

interface Rule {
  rule: string;
  /** Whether the rule applies to a file. */
  of(path: string): boolean;
  /** The imports that are forbidden for it. */
  imports?(target: string, file: SourceFile, found: Import): boolean;
  /** The calls that are forbidden for it. */
  calls?: RegExp;
  /** The properties that it must not read. */
  properties?: RegExp;
  /** The maximum number of parameters of its functions. */
  parameters?: number;
  /** An example that breaks the rule. */
  violation: [path: string, text: string];
}

const INFRASTRUCTURE = [
  "audit",
  "callers",
  "commands",
  "http",
  "lib",
  "organizations",
  "release",
  "schema",
];

/** The feature folder of a path: `users` for `src/users/routes.ts`. */
function featureOf(path: string): string | undefined {
  const folder = /^src\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined || INFRASTRUCTURE.includes(folder) ? undefined : folder;
}

const isIn =
  (...folders: string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`));
const isRoutes = (path: string): boolean => /^src\/.*routes\.ts$/.test(path);
const isService = (path: string): boolean => /^src\/.*service\.ts$/.test(path);
const isRepository = (path: string): boolean => /^src\/.*repository\.ts$/.test(path);
const isPresentation = (path: string): boolean => /^src\/.*present\.ts$/.test(path);
const isPackage = (target: string): boolean => !/^(src|db|test)\/|^package\.json$/.test(target);
const isPure = (path: string): boolean =>
  /^src\/utilization\/(window|periods|units|counts|shares)\.ts$/.test(path);

const rules: Rule[] = [
  {
    rule: "no file imports main",
    of: () => true,
    imports: (target) => target === "src/main.ts",
    violation: ["src/server.ts", 'import "./main.ts";'],
  },
  {
    rule: "only main imports commands",
    of: (path) => path !== "src/main.ts" && !isIn("src/commands")(path),
    imports: isIn("src/commands"),
    violation: ["src/server.ts", 'import { serve } from "./commands/serve.ts";'],
  },
  {
    rule: "only commands import the server",
    of: (path) => !isIn("src/commands")(path),
    imports: (target) => target === "src/server.ts",
    violation: ["src/users/routes.ts", 'import { startServer } from "../server.ts";'],
  },
  {
    rule: "only the server, the worker, and what describes or asks the API elsewhere, import the app",
    of: (path) =>
      ![
        "src/server.ts",
        "src/worker.ts",
        "src/commands/get.ts",
        "src/commands/openapi.ts",
        "src/release/client-types.ts",
      ].includes(path),
    imports: (target) => target === "src/app.ts",
    violation: ["src/commands/serve.ts", 'import { createApp } from "../app.ts";'],
  },
  {
    rule: "only the app imports routes",
    of: (path) => path !== "src/app.ts",
    imports: isRoutes,
    violation: ["src/users/service.ts", 'import { users } from "./routes.ts";'],
  },
  {
    rule: "a feature does not import another feature's service",
    of: (path) => featureOf(path) !== undefined,
    imports: (target, { path }) => isService(target) && featureOf(target) !== featureOf(path),
    violation: ["src/goals/routes.ts", 'import { createUser } from "../users/service.ts";'],
  },
  {
    rule: "a repository does not import services, presentation or routes",
    of: isRepository,
    imports: (target) => isService(target) || isPresentation(target) || isRoutes(target),
    violation: ["src/users/repository.ts", 'import { presentUser } from "./present.ts";'],
  },
  {
    rule: "only the app, the server, http and routes import Elysia",
    of: (path) =>
      !isRoutes(path) && !isIn("src/http")(path) && !/^src\/(app|server)\.ts$/.test(path),
    imports: (target) => /^(elysia|@elysiajs)/.test(target),
    violation: ["src/schema/fields.ts", 'import { t } from "elysia";'],
  },
  {
    rule: "of a feature, only its routes import http",
    of: (path) => featureOf(path) !== undefined && !isRoutes(path),
    imports: isIn("src/http"),
    violation: ["src/users/service.ts", 'import { PlainError } from "../http/errors.ts";'],
  },
  {
    rule: "schemas import only schemas, types of tables, and lib",
    of: isIn("src/schema"),
    imports: (target) =>
      !isPackage(target) && !isIn("src/schema", "src/lib")(target) && target !== "db/schema.ts",
    violation: ["src/schema/fields.ts", 'import type { IssueCode } from "../http/errors.ts";'],
  },
  {
    rule: "the page's browser code imports only lib, the counting of units, the checks, words and columns of billing, and types of responses",
    of: isIn("src/page/app"),
    imports: (target, _, { typesOnly }) =>
      !isPackage(target) &&
      !isIn("src/page/app", "src/lib")(target) &&
      target !== "src/utilization/units.ts" &&
      target !== "src/checks/checks.ts" &&
      target !== "src/billing/problems.ts" &&
      target !== "src/billing/spreadsheet.ts" &&
      !typesOnly,
    violation: [
      "src/page/app/views/person/people-list.tsx",
      'import { permissions } from "../../../../callers/permissions.ts";',
    ],
  },
  {
    rule: "no other file imports the page's browser code",
    of: (path) => !isIn("src/page/app")(path),
    imports: isIn("src/page/app"),
    violation: ["src/page/routes.ts", 'import { addDays } from "./app/lib/dates.ts";'],
  },
  {
    rule: "http does not import features",
    of: isIn("src/http"),
    imports: (target) => featureOf(target) !== undefined,
    violation: ["src/http/authorized.ts", 'import { User } from "../users/model.ts";'],
  },
  {
    rule: "callers and audit do not import features or http",
    of: isIn("src/callers", "src/audit"),
    imports: (target) => featureOf(target) !== undefined || isIn("src/http")(target),
    violation: ["src/callers/api-keys.ts", 'import { PlainError } from "../http/errors.ts";'],
  },
  {
    rule: "the kinds of records import nothing of what reads and writes practice files",
    of: isIn("src/practice-file/kinds"),
    imports: (target) =>
      isIn("src/practice-file")(target) && !isIn("src/practice-file/kinds")(target),
    violation: ["src/practice-file/kinds/users.ts", 'import { Mistakes } from "../mistakes.ts";'],
  },
  {
    rule: "lib imports only lib and packages of pure functions",
    of: isIn("src/lib"),
    imports: (target) =>
      isPackage(target)
        ? !/^(date-fns|@date-fns|libphonenumber-js|moment-timezone\/data)/.test(target)
        : !isIn("src/lib")(target),
    violation: ["src/lib/page.ts", 'import type { Db } from "../../db/database.ts";'],
  },
  {
    rule: "db imports only db, lib and the version",
    of: isIn("db"),
    imports: (target) =>
      !isPackage(target) && !isIn("db", "src/lib")(target) && target !== "src/version.ts",
    violation: ["db/schema.ts", 'import type { Role } from "../src/callers/roles.ts";'],
  },
  {
    rule: "migration steps import only types and their own files, so that a released one never changes",
    of: (path) => path === "db/steps.ts" || isIn("db/steps")(path),
    imports: (target, _, { typesOnly }) =>
      !(target === "db/database.ts" && typesOnly) &&
      !isIn("db/steps")(target) &&
      !/^(kysely|node:crypto)$/.test(target),
    violation: ["db/steps.ts", 'import { NO_HASH } from "./tables.ts";'],
  },
  {
    rule: "only db, commands and the doctor import an engine",
    of: (path) => !isIn("db", "src/commands", "src/doctor")(path),
    imports: isIn("db/sqlite"),
    violation: ["src/users/service.ts", 'import { filePath } from "../../db/sqlite/connect.ts";'],
  },
  {
    rule: "SQL is only in repositories and db: no other file imports Kysely",
    of: (path) => !isRepository(path) && !isIn("db")(path),
    imports: (target) => target.startsWith("kysely") || /^(bun|node):sqlite$/.test(target),
    violation: ["src/users/service.ts", 'import { sql } from "kysely";'],
  },
  {
    rule: "SQL is only in repositories and db: no other file makes a query",
    of: (path) => !isRepository(path) && !isIn("db")(path),
    calls: /\.(selectFrom|insertInto|updateTable|deleteFrom|executeQuery)\(|^sql`/,
    violation: ["src/users/routes.ts", 'const rows = db.selectFrom("users").execute();'],
  },
  {
    rule: "window, periods, units and counts import only each other, their model and lib",
    of: isPure,
    imports: (target) =>
      !isPure(target) && !isIn("src/lib")(target) && target !== "src/utilization/model.ts",
    violation: ["src/utilization/periods.ts", 'import { systemClock } from "../callers/roles.ts";'],
  },
  {
    rule: "window, periods, units and counts do not read the clock",
    of: isPure,
    imports: (target) => target === "src/lib/clock.ts",
    violation: ["src/utilization/window.ts", 'import { systemClock } from "../lib/clock.ts";'],
  },
  {
    rule: "only lib/clock reads the time",
    of: (path) => path !== "src/lib/clock.ts",
    calls: /^(Date\.now|new Date|Date|Temporal\.Now\.\w+)\(\)$/,
    violation: ["src/users/service.ts", "const now = new Date();"],
  },
  {
    rule: "only the configuration reads the environment, which main passes to it",
    of: (path) => !["src/config.ts", "src/main.ts", "src/worker.ts"].includes(path),
    properties: /^(process|Bun|import\.meta)\.env\b/,
    violation: ["src/server.ts", "const port = process.env.PORT;"],
  },
  {
    rule: "a function has at most four parameters: related values are an object",
    of: () => true,
    parameters: 4,
    violation: ["src/server.ts", "const listen = (host, port, tls, fetch, log) => {};"],
  },
];

/** The ways in which a file breaks a rule. */
function breaches(rule: Rule, file: SourceFile): string[] {
  if (!rule.of(file.path)) return [];
  return [
    ...file.imports
      .filter((found) => rule.imports?.(found.target, file, found) === true)
      .map(({ target }) => target),
    ...file.calls.filter((call) => rule.calls?.test(call) === true),
    ...file.properties.filter((property) => rule.properties?.test(property) === true),
    ...file.functions
      .filter(({ parameters }) => parameters > (rule.parameters ?? Number.POSITIVE_INFINITY))
      .map(({ name, parameters }) => `${name} of ${parameters} parameters`),
  ].map((what) => `${file.path}: ${what}`);
}

/**
 * Files that import each other in a circle, type imports included. Gives at least one circle of
 * each connected set.
 */
function cycles(files: SourceFile[]): string[][] {
  const imports = new Map(
    files.map(({ path, imports }) => [path, imports.map(({ target }) => target)]),
  );
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (path: string, way: string[]): void => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path]);
    if (way.includes(path) || done.has(path)) return;
    for (const target of imports.get(path) ?? []) walk(target, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return found;
}

/** All modules that are loaded together with some files. */
function loadedWith(paths: string[], files: SourceFile[]): Set<string> {
  const loaded = new Set(paths);
  for (const path of loaded)
    for (const { target, typesOnly, isOnDemand } of files.find((file) => file.path === path)
      ?.imports ?? [])
      if (!typesOnly && !isOnDemand) loaded.add(target);
  return loaded;
}

const files = await readSourceFiles();

test("source files are found, and their imports lead to source files", () => {
  const paths = new Set(files.map(({ path }) => path));
  expect(paths.size).toBeGreaterThan(60);
  const lost = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => !isPackage(target) && target.endsWith(".ts") && !paths.has(target))
      .map(({ target }) => `${path}: ${target}`),
  );
  expect(lost).toEqual([]);
});

describe.each(rules)("$rule", (rule) => {
  test("no file breaks it", () => {
    expect(files.flatMap((file) => breaches(rule, file))).toEqual([]);
  });

  test("its example breaks it", () => {
    expect(breaches(rule, parseSource(...rule.violation))).not.toEqual([]);
  });
});

describe("circular imports", () => {
  test("the program has none", () => {
    expect(cycles(files)).toEqual([]);
  });

  test("circles of values and of types are detected", () => {
    const circle = [
      parseSource("src/a.ts", 'import { b } from "./b.ts";'),
      parseSource("src/b.ts", 'export { c } from "./c.ts";'),
      parseSource("src/c.ts", 'import { a } from "./a.ts";'),
    ];
    expect(cycles(circle)).toEqual([["src/a.ts", "src/b.ts", "src/c.ts", "src/a.ts"]]);
    const types = [
      parseSource("src/a.ts", 'import type { B } from "./b.ts";'),
      parseSource("src/b.ts", 'export type { A } from "./a.ts";'),
    ];
    expect(cycles(types)).toEqual([["src/a.ts", "src/b.ts", "src/a.ts"]]);
  });
});

test("a start of the server loads only what its requests need", () => {
  const loaded = loadedWith(["src/main.ts", "src/commands/serve.ts"], files);
  const onDemand = [
    ...["src/practice-file/import.ts", "src/demo/practice.ts", "db/tables.ts"],
    ...["src/http/document/openapi.ts", "db/postgresql/connect.ts", "@elysiajs/swagger", "pg"],
    ...["prom-client", "csv-parse", "cli-progress", "libphonenumber-js/max", "node:http"],
    ...["@modelcontextprotocol/server", "@simplewebauthn/server"],
  ];
  expect(onDemand.filter((target) => loaded.has(target))).toEqual([]);
  expect(loaded).toContain("src/sessions/repository.ts");
});
