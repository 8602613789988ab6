import { Glob } from "bun";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** The program's source code, for tests of its architecture. */

/** An import or re-export. */
export interface Import {
  /** A path from the project's root, such as `src/lib/clock.ts`, or the name of a package. */
  target: string;
  /** Whether only types are imported, which do not exist at run time. */
  typesOnly: boolean;
  /** Whether it is loaded when the call of `import` is reached, not with the file. */
  isOnDemand: boolean;
}

export interface SourceFile {
  /** From the project's root: `src/lib/clock.ts`. */
  path: string;
  imports: Import[];
  /** Calls and constructions without arguments, such as `db.selectFrom(…)` and `new Date()`. */
  calls: string[];
  /** Properties that are read, such as `process.env`. */
  properties: string[];
  /** Functions and function types. */
  functions: { name: string; parameters: number }[];
}

const ROOT = `${import.meta.dir}/../..`;

/** Parses all TypeScript files of the program, or those that match a pattern. */
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
      // A dynamic import is not a function call, despite its syntax.
      const [argument] = node.arguments;
      if (
        node.expression.kind === ts.SyntaxKind.ImportKeyword &&
        argument &&
        ts.isStringLiteral(argument)
      )
        file.imports.push({
          target: resolved(path, argument.text),
          typesOnly: false,
          isOnDemand: true,
        });
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
  const target = resolved(file.path, moduleSpecifier.text);
  file.imports.push({ target, typesOnly, isOnDemand: false });
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
