import { bundled } from "./bundle.ts" with { type: "macro" };

/** The script and style of the page: texts in the binary; when run from a checkout, bundled on loading. */

export const script = bundled("main.tsx");
export const style = bundled("style.css");
