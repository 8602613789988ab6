import { Glob } from "bun";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** The program's own source as the tests of its architecture see it. */

/** One import, or export from elsewhere. */
export interface Import {
  /** A path from the root of the project, such as `src/lib/clock.ts`, or the name of a package. */
  target: string;
  /** Whether it brings nothing but types, which are gone when the program runs. */
  typesOnly: boolean;
}

export interface SourceFile {
  /** From the root of the project: `src/lib/clock.ts`. */
  path: string;
  imports: Import[];
  /** Calls and constructions without the arguments' text, such as `db.selectFrom(…)` and `new Date()`. */
  calls: string[];
  /** Properties that are read, such as `process.env`. */
  properties: string[];
  /** Functions, and types of functions. */
  functions: { name: string; parameters: number }[];
}

const ROOT = `${import.meta.dir}/../..`;

/** Every TypeScript file of the program, or of the paths that a pattern names. */
export async function readSourceFiles(pattern = "{src,db}/**/*.{ts,tsx}"): Promise<SourceFile[]> {
  const paths = (await Array.fromAsync(new Glob(pattern).scan(ROOT))).sort();
  return Promise.all(
    paths.map(async (path) => parseSource(path, await Bun.file(`${ROOT}/${path}`).text())),
  );
}

export function parseSource(path: string, text: string): SourceFile {
  const file: SourceFile = { path, imports: [], calls: [], properties: [], functions: [] };
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) addImport(file, node);
    if (ts.isCallExpression(node)) {
      // `import("…")` is a function only by its looks.
      const [argument] = node.arguments;
      if (
        node.expression.kind === ts.SyntaxKind.ImportKeyword &&
        argument &&
        ts.isStringLiteral(argument)
      )
        file.imports.push({ target: resolved(path, argument.text), typesOnly: false });
      file.calls.push(`${node.expression.getText()}(${argument ? "…" : ""})`);
    }
    if (ts.isNewExpression(node))
      file.calls.push(`new ${node.expression.getText()}(${node.arguments?.length ? "…" : ""})`);
    if (ts.isTaggedTemplateExpression(node)) file.calls.push(`${node.tag.getText()}\`…\``);
    if (ts.isFunctionLike(node))
      file.functions.push({
        name: node.name?.getText() ?? "",
        parameters: node.parameters.length,
      });
    if (ts.isPropertyAccessExpression(node)) file.properties.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return file;
}

function addImport(file: SourceFile, node: ts.ImportDeclaration | ts.ExportDeclaration): void {
  const { moduleSpecifier } = node;
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return;
  const typesOnly = ts.isImportDeclaration(node)
    ? bringsTypesOnly(node.importClause)
    : node.isTypeOnly;
  file.imports.push({ target: resolved(file.path, moduleSpecifier.text), typesOnly });
}

function bringsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings))
    return false;
  return (
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function resolved(from: string, specifier: string): string {
  return specifier.startsWith(".") ? join(dirname(from), specifier) : specifier;
}
