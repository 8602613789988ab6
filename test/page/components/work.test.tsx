import { afterAll, beforeEach, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

const { fireEvent, render, screen, waitFor } = await useDocument();
const { noteAct, say, told } = await import("../../../src/page/app/lib/base/acts.ts");
const { Failure } = await import("../../../src/page/app/lib/base/failure.ts");
const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
const { signedIn, signIn } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { UndoBar } = await import("../../../src/page/app/parts/base/undo-bar.tsx");
const { useWork } = await import("../../../src/page/app/parts/base/work.tsx");

/** A failure stays where it belongs, and goes to the bar with the part in which it stood. */

beforeEach(() => {
  signIn("key", {
    organization: { publicId: "org_1", name: "Maple", timezone: null, weekStartsOn: "SUNDAY" },
    key: { id: "key_1", role: "ADMIN", userId: null, name: "Test", isReadOnly: false },
    writes: [],
  } as never);
  told.value = undefined;
});
afterAll(() => {
  signedIn.value = undefined;
});

const REFUSED = "Somebody else has changed this record meanwhile. Nothing was written.";
const refuse = () => Promise.reject(new Failure(REFUSED, 412));

function HandOver({ work }: { work: () => Promise<unknown> }) {
  const { run, notice } = useWork();
  return (
    <>
      <button onClick={() => run(work)}>Hand over</button>
      {notice}
    </>
  );
}
const press = () => fireEvent.click(screen.getByText("Hand over"));

test("a refusal stands at its part, and goes to the bar when the part goes by itself", async () => {
  const { unmount } = render(<HandOver work={refuse} />);
  await press();
  await screen.findByText(REFUSED);
  expect(told.value).toBeUndefined();
  unmount();
  await waitFor(() => expect(told.value?.said).toBe(REFUSED));
});

test("a refusal that comes when its part is gone already goes to the bar", async () => {
  const answer = Promise.withResolvers<void>();
  const { unmount } = render(<HandOver work={() => answer.promise} />);
  await press();
  unmount();
  answer.reject(new Failure(REFUSED, 412));
  await waitFor(() => expect(told.value?.said).toBe(REFUSED));
});

test("who goes to another place has seen it; who has signed out sees nothing", async () => {
  for (const leave of [() => goTo("#/people", "replace"), () => (signedIn.value = undefined)]) {
    const { unmount } = render(<HandOver work={refuse} />);
    await press();
    await screen.findByText(REFUSED);
    leave();
    unmount();
    await Bun.sleep(50);
    expect(told.value).toBeUndefined();
  }
});

test("an undo that was refused is said of its act alone", async () => {
  render(<UndoBar />);
  noteAct({ said: "The first.", undo: refuse });
  await fireEvent.click(await screen.findByText("Undo"));
  await screen.findByText(/Not undone/);
  noteAct({ said: "The second.", undo: refuse });
  await screen.findByText("The second.");
  expect(screen.queryByText(/Not undone/)).toBeNull();
  say("Nothing else.");
  await screen.findByText("Nothing else.");
});
