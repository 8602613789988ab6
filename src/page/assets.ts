import { bundled } from "./bundle.ts" with { type: "macro" };

/** The page's script and style as browsers get them: texts in the binary, bundled on loading from a checkout. */

export const script = bundled("main.tsx");
export const style = bundled("style.css");
