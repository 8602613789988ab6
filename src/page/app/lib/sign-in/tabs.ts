/** What the tabs of a browser tell each other about the sign-in that they share. */
interface TabMessage {
  /** `input`: the person is there. `in`, `out`: somebody has signed in or out. */
  type: "input" | "in" | "out";
  /** Who, with their practice. */
  person: string;
}

const channel = new BroadcastChannel("caseload");

/** How often input is told to other tabs, in milliseconds. */
const INPUT_INTERVAL = 1_000;

export function tellTabs(message: TabMessage): void {
  channel.postMessage(message);
}

let lastNotice = Number.NEGATIVE_INFINITY;

/** Tells other tabs of input, at most once a second. */
export function tellInput(person: string, now: number): void {
  if (now - lastNotice < INPUT_INTERVAL) return;
  lastNotice = now;
  tellTabs({ type: "input", person });
}

export function watchTabs(onMessage: (message: TabMessage) => void): void {
  channel.addEventListener("message", ({ data }) => onMessage(data as TabMessage));
}
