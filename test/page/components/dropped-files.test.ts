import { expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

await useDocument();
const { watchDroppedFiles } = await import("../../../src/page/app/lib/base/dropped-files.ts");

test("a file that is dropped beside its field does not open in place of the page", () => {
  watchDroppedFiles();
  document.body.innerHTML = `<p></p><input type="file" /><section></section>`;
  const zone = document.querySelector("section") as Element;
  zone.addEventListener("drop", (event) => event.preventDefault());
  const isLeftToTheBrowser = (selector: string) =>
    document
      .querySelector(selector)
      ?.dispatchEvent(new Event("drop", { bubbles: true, cancelable: true }));
  expect(isLeftToTheBrowser("p")).toBe(false);
  expect(isLeftToTheBrowser("section")).toBe(false);
  expect(isLeftToTheBrowser("input")).toBe(true);
  document.body.innerHTML = "";
});
