import { basename } from "node:path";
import { PAGE_YEARS, packedYears } from "./zone-years.ts";

/**
 * Bundles a file for browsers, and prints the texts by their names. A program of its own, which `bundle.ts` starts.
 *
 * Elements are calls of `h`, which are a tenth shorter than those of the automatic runtime: their children are
 * arguments. Types are checked with the automatic one, so that no file has to import it.
 */

const [file = "", define = "{}"] = process.argv.slice(2);

const { outputs } = await Bun.build({
  entrypoints: [file],
  target: "browser",
  format: "esm",
  minify: true,
  splitting: true,
  // Nor code that asks for the parts of a part before it has come: there are few, and they are small.
  modulePreload: false,
  // By their content: a page that was opened before an update finds none of another version.
  naming: { chunk: "part-[hash].[ext]" },
  // Fonts are files of their own.
  external: ["*.woff2"],
  jsx: { runtime: "classic", factory: "_h", fragment: "_Fragment" },
  plugins: [
    {
      name: "elements",
      setup({ onLoad }) {
        onLoad({ filter: /\.tsx$/ }, async ({ path }) => ({
          contents: `import { Fragment as _Fragment, h as _h } from "preact"; ${await Bun.file(path).text()}`,
          loader: "tsx",
        }));
      },
    },
    {
      name: "rules of time zones",
      setup({ onLoad }) {
        onLoad({ filter: /moment-timezone.*\.json$/ }, () => ({
          contents: JSON.stringify(packedYears()),
          loader: "json",
        }));
      },
    },
  ],
  define: { ...JSON.parse(define), YEARS_OF_ZONES: JSON.stringify(PAGE_YEARS) },
});
const texts = outputs.map(async (output) => {
  const name = basename(output.path);
  const text = await output.text();
  return [name, name.endsWith(".js") ? withImportPart(await shortened(name, text)) : text];
});
console.log(JSON.stringify(Object.fromEntries(await Promise.all(texts))));

/** With each part loaded by `app/lib/base/scripts.ts`, which knows what to do when it does not come. */
function withImportPart(script: string): string {
  return script.replaceAll(/\bimport\(("\.\/part-[^"]+")\)/g, "importPart($1,()=>$&)");
}

/**
 * A script by itself, with the shortest names for what it uses most instead of for what others import of it; as it is,
 * if that does not make it shorter.
 */
async function shortened(name: string, text: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [`/${name}`],
    files: { [`/${name}`]: text },
    target: "browser",
    format: "esm",
    minify: true,
    external: ["./part-*"],
  });
  const again = (await outputs[0]?.text()) ?? text;
  return again.length < text.length ? again : text;
}
