/// <reference path="./woff2.d.ts" />
import latin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };
import latinExtended from "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2" with { type: "file" };
import vietnamese from "@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2" with { type: "file" };

/** The parts of the page's font, by the names that its style has for them: paths of files, which are in the binary. */
export const fonts = {
  "latin.woff2": latin,
  "latin-ext.woff2": latinExtended,
  "vietnamese.woff2": vietnamese,
};
