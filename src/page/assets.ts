import { bundled } from "./bundle.ts" with { type: "macro" };

/** The scripts and the style of the page: included in the binary as texts; bundled on first use in a checkout. */

const { "main.js": first = "", ...others } = bundled("main.tsx");

/** The script that the page begins with. */
export const script = first;
export const style = bundled("style.css")["style.css"] ?? "";

/** The other scripts, by their names: what `script` shares with the views that are loaded later, and these. */
export const parts: ReadonlyMap<string, string> = new Map(Object.entries(others));

/** The parts without which `script` does not begin, so that browsers ask for them at once. */
export const firstParts: readonly string[] = [...parts.keys()].filter((name) =>
  script.includes(`from"./${name}"`),
);
