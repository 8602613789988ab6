import { bundled } from "./bundle.ts" with { type: "macro" };

/** The script and style of the page: included in the binary as text; bundled on first use in a checkout. */

export const script = bundled("main.tsx");
export const style = bundled("style.css");
