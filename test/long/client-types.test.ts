import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import packageJson from "../../package.json" with { type: "json" };
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { clientTypes, writeClientTypes } from "../../src/release/client-types.ts";

/** The package `caseload-types`, which `bun run build` creates for TypeScript clients. */

const ROOT = join(import.meta.dir, "../..");

// Within the checkout, where the compiler finds Elysia.
mkdirSync(join(ROOT, "dist"), { recursive: true });
const folder = mkdtempSync(join(ROOT, "dist/client-types-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the package exports the types App and PracticeFileRecord, and nothing else", async () => {
  writeClientTypes(folder);
  const text = await Bun.file(join(folder, "index.d.ts")).text();
  expect(text.match(/^export .*/gm)).toEqual(["export type { App, PracticeFileRecord };"]);
  expect(text.match(/^import .*/gm)).toHaveLength(1);
  expect(await Bun.file(join(folder, "package.json")).json()).toMatchObject({
    name: "caseload-types",
    version: packageJson.version,
    exports: { ".": { types: "./index.d.ts" } },
  });
});

test("each type that is named is declared once", () => {
  const { statements } = ts.createSourceFile("index.d.ts", clientTypes(), ts.ScriptTarget.Latest);
  const declared = statements.filter(ts.isTypeAliasDeclaration);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
      names.add(node.typeName.text);
    ts.forEachChild(node, visit);
  };
  declared.forEach(visit);
  const ofOthers = ["DefinitionBase", "Elysia", "MetadataBase", "Record", "SingletonBase"];
  expect([...names, "App", "PracticeFileRecord"].sort()).toEqual(
    [...declared.map(({ name }) => name.text), ...ofOthers].sort(),
  );
});

test("App has the routes of the program with their types", async () => {
  writeFileSync(join(folder, "index.d.ts"), clientTypes());
  const compilerOptions = { skipLibCheck: true };
  const project = { extends: "../../tsconfig.json", compilerOptions, include: ["compare.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const compare = (assignment: string) => {
    writeFileSync(
      join(folder, "compare.ts"),
      `
        import type { App as Declared } from "../../src/app.ts";
        import type { App as Made } from "./index.d.ts";
        type Own = Made["~Routes"]["api"]["v1"];
        type Whole = Declared["~Routes"]["api"]["v1"];
        declare const declared: { [Path in keyof Own]: Whole[Path] };
        ${assignment}
      `,
    );
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "check", "-p", "."], {
      cwd: folder,
    });
    return { exitCode, said: `${stdout.toString()}${stderr.toString()}` };
  };
  expect(compare("export const made: Own = declared;")).toMatchObject({ exitCode: 0 });
  const wrong = compare('export const made: Own["me"]["get"]["response"][404] = declared;');
  expect(wrong.exitCode).not.toBe(0);
}, 60_000);

test("PracticeFileRecord has a type for each line of an export, by its `type`", async () => {
  writeFileSync(join(folder, "index.d.ts"), clientTypes());
  const compilerOptions = { skipLibCheck: true };
  const project = { extends: "../../tsconfig.json", compilerOptions, include: ["records.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const records = [...fullPractice, { type: "goal", publicId: "goal_1", deleted: true }];
  const check = (lines: readonly object[]) => {
    writeFileSync(
      join(folder, "records.ts"),
      `import type { PracticeFileRecord } from "./index.d.ts";
       export const records: PracticeFileRecord[] = ${JSON.stringify(lines)};
       type Session = Extract<PracticeFileRecord, { type: "session" }>;
       export const start = (session: Session): string => session.startTime;`,
    );
    return Bun.spawnSync([process.execPath, "check", "-p", "."], { cwd: folder });
  };
  const { exitCode, stdout, stderr } = check(records);
  expect([exitCode, `${exitCode === 0 ? "" : stdout.toString() + stderr.toString()}`]).toEqual([
    0,
    "",
  ]);
  expect(check([{ ...fullPractice[0], publicId: 1 }]).exitCode).not.toBe(0);
  expect(check([{ type: "session", publicId: "apt_1", deleted: false }]).exitCode).not.toBe(0);
}, 60_000);
