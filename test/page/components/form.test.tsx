import { expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen } = await useDocument();
const { Form } = await import("../../../src/page/app/parts/base/form.tsx");

test("a form is sent by the page, not by the browser", () => {
  let sent = 0;
  render(
    <Form aria-label="Filter" onSubmit={() => (sent += 1)}>
      <button type="submit">Show</button>
    </Form>,
  );
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true });
  fireEvent(screen.getByRole("form", { name: "Filter" }), event);
  expect([sent, event.defaultPrevented]).toEqual([1, true]);
});
