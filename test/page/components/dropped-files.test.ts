import { expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent } = await useDocument();
const { watchDroppedFiles } = await import("../../../src/page/app/lib/base/dropped-files.ts");

test("a file that is dropped beside its field does not open in place of the page", async () => {
  watchDroppedFiles();
  document.body.innerHTML = `<p></p><input type="file" /><section></section>`;
  const zone = document.querySelector("section") as Element;
  zone.addEventListener("drop", (event) => event.preventDefault());
  const isLeftToTheBrowser = (selector: string) =>
    fireEvent.drop(document.querySelector(selector) as Element);
  expect(await isLeftToTheBrowser("p")).toBe(false);
  expect(await isLeftToTheBrowser("section")).toBe(false);
  expect(await isLeftToTheBrowser("input")).toBe(true);
  document.body.innerHTML = "";
});
