import { firstParts, parts, script, style } from "./assets.ts";
import { fonts } from "./fonts.ts";

/**
 * The files of the page, by names that change with what is in them: browsers keep them, and an update is other files.
 * Fonts are compressed by their format.
 */

export interface PageFile {
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The same, made when it is first asked for. */
  gzipped?: Uint8Array<ArrayBuffer>;
}

const JAVASCRIPT = "text/javascript; charset=utf-8";

const named = new Map<string, PageFile>();

/** Adds a file, and returns its name: `style.css` becomes `style-1k8ay0m1j3x2d.css`. */
function add(name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer>): string {
  const hashed = name.replace(".", `-${Bun.hash(bytes).toString(36)}.`);
  named.set(hashed, { mediaType, bytes });
  return hashed;
}

function addText(name: string, mediaType: string, text: string): string {
  return add(name, mediaType, new TextEncoder().encode(text));
}

let styleText = style;
for (const [name, path] of Object.entries(fonts)) {
  const hashed = add(name, "font/woff2", await Bun.file(path).bytes());
  styleText = styleText.replaceAll(name, hashed);
}

// A part has the hash of its content in its name already.
for (const [name, text] of parts)
  named.set(name, { mediaType: JAVASCRIPT, bytes: new TextEncoder().encode(text) });

/** The names of what the page begins with. */
export const first = {
  script: addText("script.js", JAVASCRIPT, script),
  style: addText("style.css", "text/css; charset=utf-8", styleText),
  /** Without which the script does not begin. */
  parts: firstParts,
};

export const pageFiles: ReadonlyMap<string, PageFile> = named;
