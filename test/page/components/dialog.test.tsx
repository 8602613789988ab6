import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen } = await useDocument();
const { Dialog } = await import("../../../src/page/app/parts/base/dialog.tsx");
const { useDraft } = await import("../../../src/page/app/lib/base/draft.ts");

/** A dialog goes with what was typed into it only when the person says so, however often they press Escape. */

let closed = 0;
let answers: boolean[] = [];
let questions: string[] = [];

beforeEach(() => {
  [closed, answers, questions] = [0, [], []];
  Reflect.set(globalThis, "confirm", (question: string) => {
    questions.push(question);
    return answers.shift() ?? false;
  });
});
afterAll(() => Reflect.deleteProperty(globalThis, "confirm"));

function Typing() {
  const [text, setText] = useDraft("typing", "");
  return <input value={text} onInput={(event) => setText(event.currentTarget.value)} />;
}

function show(): HTMLDialogElement {
  render(
    <Dialog title="Edit" onClose={() => (closed += 1)}>
      <Typing />
    </Dialog>,
  );
  return screen.getByRole("dialog");
}

const typed = () => fireEvent.input(screen.getByRole("textbox"), { target: { value: "work" } });
const escape = (at: Node = document.body) => fireEvent.keyDown(at, { key: "Escape" });

test("Escape closes it, and the browser does not do so besides", async () => {
  show();
  expect(await escape()).toBe(false);
  expect([closed, questions]).toEqual([1, []]);
});

test("Escape, answered by keep, leaves it open each time", async () => {
  const dialog = show();
  await typed();
  for (const at of [document.body, screen.getByRole("textbox"), document.body])
    expect(await escape(at)).toBe(false);
  expect([closed, questions.length, dialog.open]).toEqual([0, 3, true]);
  answers = [true];
  await escape();
  expect([closed, questions.length]).toEqual([1, 4]);
});

test("a close that the page was not asked about opens it again, and asks", async () => {
  const dialog = show();
  await typed();
  dialog.close();
  expect([closed, questions.length, dialog.open]).toEqual([0, 1, true]);
});

test("Escape that something in it has taken is not the dialog's", async () => {
  show();
  const taken = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
  taken.preventDefault();
  await fireEvent(screen.getByRole("textbox"), taken);
  expect(closed).toBe(0);
});
