import { beforeEach, describe, expect, test } from "bun:test";
import { useState } from "preact/hooks";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen } = await useDocument();
const { Field } = await import("../../../src/page/app/parts/base/field.tsx");
const { Form } = await import("../../../src/page/app/parts/base/form.tsx");

/** A field tells its form what its control cannot say: then nothing is sent, and the mistake stands at the field. */

type Type = Parameters<typeof Field>[0]["type"];

let sent: string[] = [];

beforeEach(() => {
  sent = [];
});

/** A form with one field. */
function Example(properties: {
  type?: Type;
  stored?: string;
  isRequired?: boolean;
  maxLength?: number;
  leavesRequired?: boolean;
}) {
  const { stored = "", leavesRequired = false, ...field } = properties;
  const [value, setValue] = useState(stored);
  return (
    <Form aria-label="Example" noValidate={leavesRequired} onSubmit={() => sent.push(value)}>
      <Field label="Field" value={value} onType={setValue} {...field} />
      <button type="submit">Save</button>
    </Form>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>("Field");
const said = () => document.querySelector(".mistake")?.textContent;
const type = (text: string) => fireEvent.input(field(), { target: { value: text } });
const save = () => fireEvent.click(screen.getByText("Save"));

/** What browsers say of half a date: there is no way to type one here. */
function setIncomplete(isIncomplete: boolean): void {
  const { validity } = field();
  Object.defineProperty(validity, "badInput", { configurable: true, get: () => isIncomplete });
}

describe("a number", () => {
  test("with a decimal comma is one, and stays as it is typed until the field is left", async () => {
    render(<Example type="number" stored="8" />);
    for (const text of ["7", "7,", "7,5", "7,50"]) {
      await type(text);
      expect(field().value).toBe(text);
    }
    await save();
    expect(sent).toEqual(["7.5"]);
    await fireEvent.blur(field());
    expect(field().value).toBe("7.5");
  });

  test("that is none is a mistake at the field, and nothing is sent until it is mended", async () => {
    render(<Example type="number" stored="8" />);
    await type("eight");
    expect(said()).toBeUndefined();
    await save();
    expect([sent, said(), field().value]).toEqual([
      [],
      "Please enter a number, such as 7.5.",
      "eight",
    ]);
    expect(document.activeElement).toBe(field());
    await type("9");
    expect(said()).toBeUndefined();
    await save();
    expect(sent).toEqual(["9"]);
  });
});

describe("a date", () => {
  test("that is half typed is a mistake; the stored one is not lost", async () => {
    render(<Example type="date" stored="2019-03-04" />);
    // One Backspace in the day of it.
    setIncomplete(true);
    await type("");
    await save();
    expect([sent, said()]).toEqual([[], "This is no complete date, or a day that does not exist."]);
  });

  test("that was half typed and is then emptied is none", async () => {
    render(<Example type="date" stored="2019-03-04" />);
    setIncomplete(true);
    await type("");
    setIncomplete(false);
    // Browsers say of this step that nothing has changed.
    await fireEvent.keyUp(field(), { key: "Backspace" });
    await save();
    expect(sent).toEqual([""]);
  });

  test("of the year 26 is a mistake when the field is left", async () => {
    render(<Example type="date" />);
    await type("0026-12-02");
    await fireEvent.blur(field());
    expect(said()).toBe("This is the year 26. Please type all four digits.");
    await save();
    expect(sent).toEqual([]);
    await type("2026-12-02");
    await save();
    expect(sent).toEqual(["2026-12-02"]);
  });

  test("before 1900 that is stored is no mistake as long as it stays", async () => {
    render(<Example type="date" stored="0019-04-05" />);
    await fireEvent.focus(field());
    await fireEvent.blur(field());
    await save();
    expect([sent, said()]).toEqual([["0019-04-05"], undefined]);
  });
});

test("a text that is pasted and too long is not cut, and not sent", async () => {
  render(<Example maxLength={200} />);
  await type("x".repeat(301));
  await fireEvent.blur(field());
  expect([field().value.length, said()]).toEqual([301, "At most 200 characters: these are 301."]);
  await save();
  expect(sent).toEqual([]);
});

test("the last word of a list counts, though no comma ends it", async () => {
  render(<Example type="list" stored="97153" />);
  await type("97153, 97155");
  expect(field().value).toBe("97153, 97155");
  await save();
  expect(sent).toEqual(["97153, 97155"]);
});

test("a phone number is formatted when the field is left, not while it is typed", async () => {
  render(<Example type="tel" />);
  await type("2125550123");
  expect(field().value).toBe("2125550123");
  await fireEvent.blur(field());
  expect(field().value).toBe("(212) 555-0123");
  await type("+44 20 7946 0958");
  await fireEvent.blur(field());
  expect(field().value).toBe("+44 20 7946 0958");
  await save();
  expect(sent).toEqual(["+44 20 7946 0958"]);
});

test("what is required is asked for by the form, or by the API", async () => {
  const { unmount } = render(<Example isRequired />);
  await save();
  expect([sent, said()]).toEqual([[], "Please fill this in."]);
  unmount();
  render(<Example isRequired leavesRequired />);
  await save();
  expect([sent, said()]).toEqual([[""], undefined]);
});

test("what is wrong with a field, and its hint, are said with it", () => {
  const shown = render(<Field label="Field" value="" hint="As on the card." mistake="Is taken." />);
  const texts = () =>
    (field().getAttribute("aria-describedby") ?? "")
      .split(" ")
      .filter(Boolean)
      .map((id) => document.getElementById(id)?.textContent);
  expect(texts()).toEqual(["Is taken.", "As on the card."]);
  shown.rerender(<Field label="Field" value="" hint="As on the card." />);
  expect(texts()).toEqual(["As on the card."]);
  shown.rerender(<Field label="Field" value="" />);
  expect(field().hasAttribute("aria-describedby")).toBe(false);
});
