import { afterAll, afterEach, expect, setSystemTime, test } from "bun:test";
import { type ComponentType, options } from "preact";
import type { Role } from "../../../src/page/app/lib/base/wire.ts";
import { authorization, encounter, session } from "../../support/practice-file/lines.ts";
import { outlineOf } from "./outline.ts";
import { useDocument } from "./dom.ts";
import { recordsOfRae } from "./rae.ts";
import { beginningPractice } from "./beginning-practice.ts";
import { secondPractice } from "./second-practice.ts";

const { act, cleanup, fireEvent, render } = await useDocument();
const { acts, told, undoAct } = await import("../../../src/page/app/lib/base/acts.ts");
const { noteServerTime } = await import("../../../src/page/app/lib/base/server-clock.ts");
const { goTo } = await import("../../../src/page/app/lib/base/place.ts");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/**
 * What every view and dialog shows of a small practice, as text: each name and number, link, field and bar, what is saved
 * as CSV, and what is written, with what is said of it and what undoes it. A change that is meant is written with
 * `bun test --update-snapshots`.
 */

const VIEWS = "../../../src/page/app/views";
const views: Record<string, () => Promise<ComponentType<{ id: string }>>> = {
  access: async () => (await import(`${VIEWS}/practice/access.tsx`)).Access,
  attention: async () => (await import(`${VIEWS}/attention/attention.tsx`)).Attention,
  billing: async () => (await import(`${VIEWS}/billing/billing.tsx`)).Billing,
  "billing/": async () => (await import(`${VIEWS}/billing/support.tsx`)).PatientMonth,
  changes: async () => (await import(`${VIEWS}/practice/changes.tsx`)).Changes,
  done: async () => (await import(`${VIEWS}/practice/done.tsx`)).Done,
  delivered: async () => (await import(`${VIEWS}/billing/delivered.tsx`)).Delivered,
  goals: async () => (await import(`${VIEWS}/goals/goals.tsx`)).Goals,
  "goals/": async () => (await import(`${VIEWS}/goals/goal.tsx`)).Goal,
  import: async () => (await import(`${VIEWS}/import/import.tsx`)).Import,
  leads: async () => (await import(`${VIEWS}/person/leads.tsx`)).Leads,
  people: async () => (await import(`${VIEWS}/person/people-list.tsx`)).People,
  "people/": async () => (await import(`${VIEWS}/person/person.tsx`)).Person,
  practice: async () => (await import(`${VIEWS}/practice/practice.tsx`)).Practice,
  "record/": async () => (await import(`${VIEWS}/goals/record.tsx`)).Record,
  schedule: async () => (await import(`${VIEWS}/schedule/schedule.tsx`)).Schedule,
  "sign-out": async () => (await import(`${VIEWS}/goals/sign-out.tsx`)).SignOut,
  supervision: async () => (await import(`${VIEWS}/supervision/supervision.tsx`)).Supervision,
  today: async () => (await import(`${VIEWS}/schedule/my-day.tsx`)).MyDay,
  utilization: async () => (await import(`${VIEWS}/authorizations/overview.tsx`)).Overview,
  "utilization/": async () => (await import(`${VIEWS}/authorizations/subject.tsx`)).Subject,
};
const { SessionDialog } = await import("../../../src/page/app/views/session/session-dialog.tsx");
const { NewSessionDialog } = await import("../../../src/page/app/views/session/new-session.tsx");

// By paths that are no constants: the types of the server are none of the page's.
const SUPPORT = "../../support";
const { issueKey } = await import(`${SUPPORT}/factories.ts`);
const { TestService } = await import(`${SUPPORT}/harness.ts`);
const { databaseOfFullPractice } = await import(`${SUPPORT}/practice-file/full-practice.ts`);
const { mustImport } = await import(`${SUPPORT}/practice-file/practice-file.ts`);

const NOW = "2026-01-08T17:00:00.000Z";
const database = await databaseOfFullPractice();
const service = new TestService(database);
service.clock.set(NOW);
const own = { type: "organization", publicId: "org_maple" };
const held = (publicId: string, times: string, other: object = {}) =>
  session(publicId, times, {
    ...{ placeOfService: "OFFICE", services: "svc_97153", authorizationId: "auth_1" },
    ...{ technicianId: "usr_tech", clientId: "usr_kid", clinicianId: "usr_bcba", ...other },
  });
const authorized = (publicId: string, other: object) =>
  authorization(publicId, {
    ...{ patientId: "usr_kid2", serviceLineId: "svc_97153", payorId: "pay_acme" },
    ...{ authorizedUnitsQuantity: 40, authorizedUnitFrequency: "TOTAL", ...other },
  });
await mustImport(database, [
  own,
  held("apt_a", "2026-01-07 14:00-16:30"),
  held("apt_b", "2026-01-08 18:00-20:00", { status: "UNCONFIRMED", title: "Afternoon" }),
  held("apt_c", "2026-01-15 14:00-16:00"),
  held("apt_d", "2026-01-22 14:00-16:00", { technicianId: null, isSupervision: true }),
  held("apt_e", "2026-01-15 15:00-17:00", { clientId: "usr_kid2", authorizationId: null }),
  held("apt_f", "2026-01-07 18:00-19:00"),
  authorized("auth_3", {
    ...{ authorizationNumber: "T-1", authorizationDate: "2026-01-01" },
    authorizationExpirationDate: "2026-03-31",
  }),
  held("apt_g", "2026-01-06 14:00-16:00", {
    clientId: "usr_kid2",
    authorizationId: "auth_3",
  }),
  held("apt_h", "2026-01-29 14:00-16:00"),
  held("apt_k", "2026-01-29 15:00-16:00", {
    ...{ technicianId: "usr_tech2", clientId: "usr_kid2", authorizationId: "auth_3" },
  }),
  held("apt_l", "2026-01-06 18:00-19:00", {
    ...{ status: "DECLINED", clientId: "usr_kid2", authorizationId: "auth_3" },
  }),
  held("apt_o", "2026-01-09 14:00-15:00"),
  held("apt_i", "2026-01-14 18:00-19:00", { status: "DECLINED" }),
  ...["2026-01-16", "2026-01-23"].map((day, index) => ({
    ...{ type: "session", publicId: `apt_m${index}`, title: "Team meeting", status: "CONFIRMED" },
    ...{ startTime: `${day}T19:00:00.000Z`, endTime: `${day}T20:00:00.000Z` },
    ...{ placeOfService: "OFFICE", locationId: "loc_main", technicianId: "usr_tech" },
    ...{ isSupervision: false, isClientPresent: false, isBillable: false },
    nonBillableCode: "nbc_meeting",
  })),
  ...["auth_4", "auth_5"].map((publicId, index) =>
    authorized(publicId, {
      ...{ authorizationNumber: `T-${index + 4}`, authorizationDate: "2025-10-01" },
      authorizationExpirationDate: "2025-12-31",
    }),
  ),
  ...["auth_4", "auth_5"].map((authorizationId, index) =>
    held(`apt_j${index}`, `2026-01-2${index} 18:00-19:00`, {
      ...{ clientId: "usr_kid2", authorizationId },
    }),
  ),
  {
    ...{ type: "user", publicId: "usr_gone", role: "PATIENT", firstName: "Mia", lastName: "Stone" },
    ...{ isActive: false, userStatus: "DISCHARGED" },
  },
  encounter("enc_f", "2026-01-07 18:00", 4, { authorizationId: "auth_1", sessionId: "apt_f" }),
  ...recordsOfRae,
]);
await mustImport(database, secondPractice);
await mustImport(database, beginningPractice);
await mustImport(database, [{ type: "organization", publicId: "org_new", name: "New Leaf" }]);

const { fetch } = globalThis;
/** The requests that are not answered yet. */
let waiting = 0;
/** What was written, and saved as a file. Nothing is stored, so that each test finds the same. */
let written: string[] = [];
/** With which status a write is refused. */
let refusal: number | "as served" | undefined;
/** What cannot be read: a part of the paths of its requests. */
let unreadable: string | undefined;
/** Whether it is looked at what is shown while something is written. */
let isWatched = false;
/** Called once what has changed is drawn. */
let onDrawn: (() => void)[] = [];
/** What the API says of other writes than those of the practice file. */
const ANSWERS: [RegExp, object][] = [
  [/recorded-data$/, { recorded: 1, status: "IN_PROGRESS", advancedFrom: null }],
  [
    /invitation$/,
    { url: "https://caseload.example/#invited", expiresAt: "2026-01-15T17:00:00.000Z" },
  ],
  [/calendars$/, { id: "cal_new", path: "api/v1/calendars/x.ics", name: "Phone", createdAt: NOW }],
  [/intake-leads$/, { client: { publicId: "usr_kid" }, caregiver: { publicId: "usr_care" } }],
];
const PRACTICE_LINE = /^\{"type":"organization","publicId":"\w+"\}$/;

/** What an import would change is known without writing it. */
async function changesOf(path: string, request: RequestInit): Promise<unknown> {
  if (!path.includes("changes=true")) return undefined;
  const tried = new Request(`http://localhost/${path}&dryRun=true`, request);
  const answer = await service.app.handle(tried);
  return ((await answer.json()) as { changes: unknown }).changes;
}

async function answerToWrite(path: string, request: RequestInit): Promise<Response> {
  const { method, body } = request;
  const lines = String(body ?? "").split("\n");
  // Of which state it is a change, and not the number of that.
  written.push(`${method} ${path.replace(/(unchangedSince=)\d+/, "$1…")}`);
  written.push(...lines.filter((line) => line !== "" && !PRACTICE_LINE.test(line)));
  if (isWatched) {
    await new Promise<void>((resolve) => onDrawn.push(resolve));
    written.push(`Meanwhile not to be pressed: ${disabled().join(", ") || "nothing"}`);
  }
  if (refusal === "as served") return answerTo(`${path}&dryRun=true`, request);
  const usual = { sequence: 1, changes: await changesOf(path, request) };
  const [, answer = usual] = ANSWERS.find(([of]) => of.test(path)) ?? [];
  const headers = { "X-Request-Id": "1" };
  return refusal === undefined
    ? Response.json(answer, { headers })
    : Response.json({ error: "This was refused." }, { headers, status: refusal });
}

async function answerTo(path: string, request: RequestInit): Promise<Response> {
  const answer = await service.app.handle(new Request(`http://localhost/${path}`, request));
  answer.headers.set("Date", new Date().toUTCString());
  return answer;
}

Reflect.set(globalThis, "fetch", async (path: string, request: RequestInit) => {
  waiting += 1;
  try {
    const isDryRun = path.includes("dryRun") || path.endsWith("what-if");
    if (request.method !== undefined && request.method !== "GET" && !isDryRun)
      return answerToWrite(path, request);
    if (unreadable !== undefined && path.includes(unreadable)) {
      const headers = { "X-Request-Id": "1" };
      return Response.json({ error: "Something failed." }, { headers, status: 500 });
    }
    return await answerTo(path, request);
  } finally {
    waiting -= 1;
  }
});

// Pauses while somebody types are not waited for, and nothing is sent by itself while a visit goes on, however long it takes.
const TYPING = 1000;
const SENT_BY_ITSELF = 5000;
const { setTimeout } = globalThis;
Reflect.set(globalThis, "setTimeout", (run: () => void, wait = 0, ...rest: []) => {
  const own = wait < SENT_BY_ITSELF ? wait : wait * 100;
  return setTimeout(run, wait > TYPING ? own : 0, ...rest);
});
const { createObjectURL } = URL;
URL.createObjectURL = (blob: Blob) => {
  waiting += 1;
  void blob.text().then((text) => {
    written.push(text);
    waiting -= 1;
  });
  return "#";
};

/** The clock stands still, so that no text depends on how long something takes. */
function setClock(): void {
  setSystemTime(new Date(NOW));
  noteServerTime(NOW);
}
setClock();

type Who = ({ role: Role } | { userId: string }) & {
  /** Of which practice; Maple if it is not said. */
  of?: string;
  isReadOnly?: true;
};

/** Keys by holder: who has one is seen under *Access*. */
const keys = new Map<string, string>();
for (const holder of [{ userId: "usr_tech" }, { userId: "usr_bcba" }]) await keyOf(holder);

async function keyOf(who: Who): Promise<string> {
  const name = Object.values(who).join();
  const { of = "org_maple", isReadOnly = false, ...holder } = who;
  const key = keys.get(name) ?? (await issueKey(database, of, { holder, isReadOnly })).key;
  keys.set(name, key);
  return key;
}

for (const userId of ["usr_tech", "usr_bcba"])
  await service.call("POST /api/v1/calendars", {
    key: await keyOf({ role: "ADMIN" }),
    json: { userId, name: `Phone of ${userId}` },
  });

/** Who they are, by their keys. */
const known = new Map<string, never>();

async function signInAs(holder: Who): Promise<void> {
  const key = await keyOf(holder);
  const me = known.get(key) ?? (await service.call("GET /api/v1/me", { key })).body;
  known.set(key, me as never);
  signIn(key, me as never);
}

afterEach(leave);

async function leave(): Promise<void> {
  cleanup();
  // What was still to be drawn.
  await Bun.sleep(0);
  signOut("signed-out");
  localStorage.clear();
  written = [];
  refusal = undefined;
  unreadable = undefined;
  isWatched = false;
  setClock();
}

afterAll(() => {
  observer.disconnect();
  Reflect.set(options, "requestAnimationFrame", nextFrame);
  URL.createObjectURL = createObjectURL;
  Reflect.set(globalThis, "setTimeout", setTimeout);
  Reflect.set(globalThis, "fetch", fetch);
  setSystemTime();
  noteServerTime(new Date().toUTCString());
});

// Effects run at once, and not after the next frame: until then, nothing would be waited for.
const { requestAnimationFrame: nextFrame } = options;
options.requestAnimationFrame = (run) => setTimeout(run);

/** How often what is shown has changed. */
let changes = 0;
const observer = new MutationObserver(() => (changes += 1));
observer.observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
});

const BUSY = '[aria-busy="true"], .spinner, .warnings > .hint';

/** Until nothing is asked, and nothing changes any more. */
async function settle(): Promise<void> {
  for (let calm = 0, seen = changes; calm < 6; seen = changes) {
    // Effects run at its end.
    await act(() => Bun.sleep(1));
    for (const go of onDrawn) go();
    onDrawn = [];
    const isBusy = waiting > 0 || document.querySelector(BUSY) !== null || isSearching();
    calm = !isBusy && seen === changes ? calm + 1 : 0;
  }
}

function isSearching(): boolean {
  const said = document.querySelector('[role="option"][aria-disabled]')?.textContent;
  return said === "Searching…";
}

function top(): Element {
  return [...document.querySelectorAll("dialog")].at(-1) ?? document.body;
}

function shown(): string {
  return outlineOf(top());
}

/** The names of what is there and cannot be pressed. */
function disabled(): string[] {
  const all = [...top().querySelectorAll(":disabled")];
  return all.map((each) => {
    const label = document.querySelector(`label[for="${each.id}"]`) ?? each.closest("label");
    return each.getAttribute("aria-label") ?? (label ?? each).textContent ?? "";
  });
}

/** What was written or saved, what is said of it, and what undoes it. */
async function writtenText(): Promise<string> {
  const [done] = acts.value;
  isWatched = false;
  if (written.some((line) => /^[A-Z]+ api/.test(line)))
    // Where the focus goes back to depends on what was loaded before.
    written.push(`Then: ${location.hash} ${shown().split("\n")[0]}`);
  if (done !== undefined) {
    written.push(done.said, ...done.warnings, done.undo ? "Undo:" : "It cannot be undone.");
    await act(async () => {
      await undoAct(done);
      await Bun.sleep(0);
    });
  }
  return written.join("\n");
}

/** Ids of what is new are random. */
function withoutNewIds(text: string): string {
  return text.replaceAll(/_[0-9a-hjkmnp-tv-z]{26}(\d?)\b/g, "_new$1");
}

/** The lines that went (−) and came (+); all of another view or dialog. */
function differenceOf(before: string, after: string): string {
  const [left, now] = [before.split("\n"), after.split("\n")];
  if (left[0] !== now[0]) return after;
  const come = now.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...left.map((line) => `− ${line}`), ...come.map((line) => `+ ${line}`)].join("\n");
}

/** The page follows its address in `main.tsx`. */
function follow(address = location.hash): void {
  history.replaceState({}, "");
  goTo(address, "replace");
}

async function open(address: string): Promise<void> {
  follow(`#/${address}`);
  const [path = ""] = address.split("?");
  const [name, id] = path.split("/");
  const View = await views[id === undefined ? path : `${name}/`]?.();
  if (View === undefined) throw new Error(`${address} is no view`);
  render(
    <>
      <View id={id ?? ""} />
      <SessionDialog />
      <NewSessionDialog />
    </>,
  );
}

/** How often a stopwatch is drawn, in milliseconds. */
const SHOWN_EVERY = 500;

/**
 * Presses a button, or what a label names, or the second of them: `Who is free [2]`; fills the field of a label: `Units = 4`; presses a key: `Enter @ Afternoon`; has
 * presses the last hour of a day, and holds the first one, to drag: `press Wed, Jan 7`; has
 * what is written refused: `refused 412`, or `refused as served`; goes to another view: `#/done`; drops a file: `drop clients.csv`; lets time go by:
 * `after 40 s`; opens each finding: `each finding`; or, by `then`, sees what has become of the first.
 */
async function does(step: string): Promise<void> {
  if (step === "each finding") {
    for (const row of document.querySelectorAll(".sentence[aria-expanded=false]"))
      fireEvent.click(row);
    return;
  }
  if (step === "then") return;
  const [, seconds] = /^after (-?\d+) s$/.exec(step) ?? [];
  if (seconds !== undefined) {
    setSystemTime(new Date(Date.now() + Number(seconds) * 1000));
    return Bun.sleep(SHOWN_EVERY + 100);
  }
  const [, file = ""] = /^drop (.*)$/.exec(step) ?? [];
  const content = FILES[file];
  if (content !== undefined) {
    const files = [new File([new Uint8Array(content)], file)];
    const event = new Event("drop", { bubbles: true, cancelable: true });
    Reflect.set(event, "dataTransfer", { files });
    document.querySelector("main")?.dispatchEvent(event);
    return;
  }
  const [, status] = /^refused (\d+|as served)$/.exec(step) ?? [];
  if (status !== undefined) {
    refusal = status === "as served" ? status : Number(status);
    return;
  }
  const [, gesture, day] = /^(press|hold) (\w+, \w+ \d+)$/.exec(step) ?? [];
  if (gesture !== undefined) {
    const list = document.querySelector(`[aria-label="${day}"] .slots`) as Element;
    // Nothing has a height here: the first hour is above it, the last one below.
    if (gesture === "hold") await fireEvent.pointerDown(list, { clientY: -1 });
    else
      for (const end of ["pointerUp", "click"] as const) await fireEvent[end](list, { clientY: 1 });
    return;
  }
  if (step.startsWith("#/")) {
    cleanup();
    return open(step.slice(2));
  }
  const [key, slot] = step.split(" @ ");
  if (slot !== undefined) {
    const slots = [...document.querySelectorAll(".slot, .slot *")];
    const of = slots.findLast(({ textContent }) => textContent?.includes(slot));
    await fireEvent.keyDown(of ?? document.body, { key });
    return;
  }
  const [named = "", value] = step.split(" = ");
  const [, label = named, place = "1"] = /^(.*) \[(\d)\]$/.exec(named) ?? [];
  const nth = Number(place) - 1;
  const root = top();
  const of = [...root.querySelectorAll("label")].filter((each) => each.textContent === label)[nth];
  const control =
    (of && (document.getElementById(of.htmlFor) ?? of.querySelector("input"))) ??
    root.querySelector(`select[aria-label="${label}"]`);
  if (value !== undefined && control) {
    await fireEvent.input(control, { target: { value } });
    await fireEvent.change(control, { target: { value } });
    return follow();
  }
  const buttons = [...root.querySelectorAll("button, summary, a, [role=option]")].filter((each) =>
    [each.textContent, each.getAttribute("aria-label")].some((name) => name?.trim() === label),
  );
  const button = buttons[nth];
  const pressed = control ?? button;
  if (pressed === undefined) throw new Error(`${label} is not there: ${outlineOf(root)}`);
  await fireEvent.click(pressed);
  follow();
}

const DAYS = "startDate=2026-01-01&endDate=2026-01-31";
const NEW = "schedule?open=new-session&open.date=2026-01-16&open.from=540&open.clientId=usr_kid";
const DAY = "schedule?date=2026-01-08";

/** One of a session of each Friday, in the second practice. */
const WEEKLY = "schedule?session=apt_auth_w1_2026-01-16";
/** What every role may see of it. */
const ROUND = ["leads", "each", `#/${WEEKLY}`, "#/people/usr_max", "#/utilization/auth_past"];

const PASTE = "Or paste rows = Client first name,Client last name,DOB\nNia,Moss,2020-02-03";

const DECEMBER = "billing?startDate=2025-12-01&endDate=2025-12-31";
/** A text in letters of Windows, as old programs save them. */
const text = (...rows: string[]) => Buffer.from(rows.join("\n"), "latin1");
const FILES: Record<string, Buffer> = {
  // With a word that is none, and a row without a name.
  "clients.csv": text(
    "Client first name,Client last name,DOB,Status,Old id",
    ...["Léa,Moss,2020-02-03,Dormant,7", ",Ray,2020-02-04,Active,8"],
  ),
  // One is of the practice already, with another phone number.
  "phones.csv": text(
    "First name,Last name,DOB,Mobile,Email",
    ...["Leo,Park,2019-04-02,415 555 2600,", "Nia,Moss,,,"],
  ),
  "calendar.csv": text(
    "Client,Provider,Service,Date,Start,End",
    "Leo Park,Ana Ruiz,Therapy,2026-01-13,9:00 AM,10:00 AM",
  ),
  // More mistakes, words and rows than are shown.
  "many.csv": text(
    "First name,Last name,Status",
    ...Array.from({ length: 100 }, (_, index) => `Nia,,Word ${index % 61}`),
  ),
  // Nothing that is new.
  "payors.csv": text("Payor", "Acme Health"),
  "utf16.csv": Buffer.from("\ufeffFirst name,Last name\nNia,Moss", "utf16le"),
  "other.csv": text("Foo,Bar", "1,2"),
  "scan.pdf": text("%PDF"),
};

/** An address, perhaps with what cannot be read there, as in `goals without checks`; and what is done there. */
const visits: [Who, ...visits: string[][]][] = [
  [
    { role: "ADMIN" },
    ["attention"],
    ["attention?by=patient"],
    ["attention", "Save as CSV"],
    ["attention", "Delivered 2…"],
    ["attention", "Delivered 2…", "Delivered 2, 18 units"],
    ["attention", "Give to…", "Who is free"],
    ["attention", "Put on authorization…"],
    ["billing?" + DAYS],
    ["billing?" + DAYS + "&state=PROBLEM"],
    ["billing/usr_kid?month=2026-01"],
    ["changes"],
    ["delivered?month=2026-01"],
    ["delivered?month=2026-01", "Save as CSV"],
    ["goals?patientId=usr_kid"],
    ["goals/goal_behavior"],
    ["goals/goal_behavior", "Save as CSV"],
    ["goals/goal_behavior", "To maintenance"],
    ["goals/goal_hands"],
    ["leads"],
    ["leads", "New lead"],
    ["leads", "Make active"],
    ["people"],
    ["people", "Save as CSV"],
    ["people", "New person"],
    ["people/usr_kid"],
    ["people/usr_tech"],
    ["people/usr_kid?open=edit"],
    ["people/usr_kid?open=edit", "First name = Leon", "Save"],
    ["people/usr_kid?open=left"],
    ["people/usr_kid?open=left", "Is discharged"],
    ["people/usr_kid", "New authorization"],
    ["people/usr_kid", "New pool"],
    ["people/usr_tech?open=left"],
    ["people/usr_kid", "More ▾"],
    ["people/usr_tech", "More ▾"],
    ["people/usr_tech?open=off"],
    ["people/usr_tech?open=off", "Book time off"],
    ["practice"],
    ["access"],
    [DAY],
    [DAY + "&view=week&whose=technician&person=usr_tech"],
    [DAY + "&session=apt_1"],
    [DAY + "&session=apt_b"],
    [DAY + "&session=apt_b", "Cancelled"],
    [DAY + "&session=apt_b", "Change time or people"],
    [DAY + "&session=apt_b", "Change time or people", "From = 13:30", "Save"],
    [DAY + "&session=apt_b", "Repeat until…"],
    [DAY + "&session=apt_b", "Who is free"],
    [DAY + "&session=apt_b", "Delete", "Yes, delete it"],
    [DAY + "&session=apt_a", "Delivered: 10 units"],
    [NEW],
    [NEW, "Book"],
    ["supervision"],
    ["supervision", "Save as CSV"],
    ["utilization"],
    ["utilization", "Save as CSV"],
    ["utilization?as=table", "Save as CSV"],
    ["utilization/auth_1"],
    ["utilization/auth_1", "What counts"],
    [
      "utilization/auth_1",
      ...["Edit", "look", "From which day = later", "Day = 2026-02-02", "Units = 60", "look"],
    ],
    ["utilization/auth_1", "Renew"],
    ["utilization/auth_1", "Weeks = 0", "Add"],
    ["utilization/auth_1", "Weeks = 2", "Add"],
    ["utilization/auth_1", "Weeks = 2", "Add", "Book 2 sessions…"],
    ["utilization/auth_1", "Weeks = 2", "Add", "Book 2 sessions…", "Book 2 sessions", "then"],
    ["utilization/apool_1"],
    ["utilization/apool_1", "Edit"],
    ["attention", "Give to…", "Who is free", "Sam Reyes"],
    ["attention", "Put on authorization…", "Therapy, A-100"],
    ["billing?" + DAYS + "&state=PROBLEM", "Open"],
    ["billing?" + DAYS + "&state=PROBLEM", "Hand over 2…"],
    ["billing?" + DAYS + "&state=PROBLEM", "Take back"],
    ["billing?" + DAYS + "&state=CHANGED", "Open"],
    [DAY + "&as=table"],
    [DAY + "&as=week"],
    [DAY + "&status=UNCONFIRMED&person=usr_tech&whose=technician"],
    [DAY + "&session=apt_1", "Correct", "Units = 6", "Save: 6 units"],
    [DAY + "&session=apt_1", "Remove"],
    [DAY + "&session=apt_1", "And the 2 sessions like it, until Thu, Jan 29", "Cancelled"],
    [DAY + "&session=apt_1", "And the 2 sessions like it, until Thu, Jan 29", "Who is free"],
    [
      DAY + "&session=apt_1",
      "And the 2 sessions like it, until Thu, Jan 29",
      "Delete",
      "Yes, delete 3",
    ],
    [DAY + "&session=apt_b", "Repeat until…", "Repeat until = 2026-02-05"],
    [DAY + "&session=apt_b", "Who is free", "Sam Reyes"],
    [DAY + "&session=apt_d", "Change time or people"],
    [DAY + "&session=apt_e", "Put on authorization…"],
    [NEW, "Repeat weekly until = 2026-01-30", "Tuesday", "Book 5 sessions"],
    [NEW, "To = 08:00", "Book", "Yes: book"],
    ["access", "Invite Ana Ruiz"],
    ["practice", "Edit"],
    ["practice", "Add"],
    ["practice", "Edit Therapy"],
    ["practice", "Edit Main clinic", "Name = Center", "Save"],
    ["practice", "New lead up"],
    ["goals"],
    ["people?role=TECHNICIAN"],
    ["people/usr_tech", "New calendar"],
    ["leads", "Edit the lead of Leo Park"],
    ["utilization/auth_1?as=table"],
    ["utilization/auth_1", "Edit", "Units = 60", "Save"],
    ["utilization/auth_1", "Renew", "Number = A-200", "Add"],
    ["utilization/auth_1", "9:00 – 11:00 AM Confirmed"],
    ["utilization/auth_3"],
    ["utilization/auth_1", "Take over sessions of…"],
    ["people?sort=firstName_desc"],
    [DAY, "ArrowRight @ Afternoon", "Enter @ Afternoon"],
    [DAY, "ArrowRight @ Afternoon", "Escape @ Afternoon"],
    ["people/usr_kid2"],
    ["attention?check=NOT_DOCUMENTED"],
    ["attention?by=provider"],
    ["delivered?month=2026-01&payorId=pay_acme"],
    ["goals", "Save as CSV"],
    ["supervision?requiredShare=0.1"],
    [
      "utilization?as=table&date=2026-01-07&timezone=America%2FLos_Angeles&sort=endDate" +
        "&patientId=usr_kid&payorId=pay_acme",
    ],
    [
      "billing?" + DAYS + "&state=PROBLEM&payorId=pay_acme&problem=UNITS_DIFFER",
      "Hand over 1…",
      "Hand over 1 line with problems",
    ],
    ["billing?" + DAYS + "&state=PROBLEM", "Take back [2]"],
    ["billing?" + DAYS + "&state=PROBLEM", "Open", "Correct", "Units = 3", "Save 3 units"],
    ["billing?" + DAYS + "&state=PROBLEM", "Open", "Remove"],
    ["billing?" + DAYS + "&state=CHANGED", "Open", "Leave as billed"],
    ["billing?" + DAYS + "&state=CHANGED", "Open", "Correct", "Sessions of the day"],
    [
      "billing?" + DAYS + "&state=CHANGED",
      ...["Open", "Correct", "Sessions of the day", "Session = apt_o", "Save 0.5 units"],
    ],
    ["goals/goal_hands?open=edit-goal&open.id=goal_hands", "Target date = 2026-08-01", "Save"],
    ["import", PASTE, "Take rows"],
    ["import", PASTE, "Take rows", "refused 412", "Import 1 record"],
    ["leads?open=new-lead", "refused 409", "Add"],
    ["leads?open=new-lead", "Add"],
    ["leads", "Edit the lead of Leo Park", "Source = radio", "Save"],
    ["people", "Search = noor"],
    ["people/usr_gone", "Is back"],
    ["people/usr_kid?open=left", "From which day on = 2026-01-16"],
    ["people/usr_kid2?open=renew-all&open.ids=auth_4%2Cauth_5", "Add"],
    ["people/usr_kid2?open=new-authorization&open.service=svc_visit&open.payor=pay_birch"],
    ["people/usr_kid", "Edit Shared pool, Acme Health", "Add new authorizations", "Save"],
    ["people/usr_tech?open=edit", "Role = CLINICIAN", "Save"],
    ["people/usr_tech?open=left", "Has left"],
    ["people/usr_tech?open=left", "refused 500", "Has left"],
    ["people/usr_tech?open=left", "Delete 2"],
    ["people/usr_tech?open=left", "Who is free [3]", "Sam Reyes"],
    ["people/usr_tech", "Device = Tablet", "New calendar"],
    ["people?open=new-person", "First name = Nia", "Last name = Moss", "Add"],
    ["practice?open=new-entry&open.type=intakeStage", "Name = Visit", "Add"],
    ["practice", "Remove Staff meeting", "#/done"],
    ["practice", "refused 500", "Remove Staff meeting"],
    ["access", "Revoke Ana Ruiz"],
    [DAY + "&session=apt_i", "Repeat until…", "Repeat until = 2026-01-28", "Book 2 sessions"],
    [DAY + "&session=apt_1", "Change time or people"],
    [DAY + "&location=loc_north"],
    [DAY + "&view=week&whose=technician&person=usr_tech", "New session"],
    [NEW, "What = nbc_meeting", "Patient = Sam Reyes", "Sam Reyes"],
    ["utilization/auth_1", "9:00 – 11:00 AM Confirmed", "Cancel 1…", "Cancel 1"],
    ["utilization/auth_1", "The week after"],
    ["utilization/auth_3", "Take over sessions of…", "Take over 1 session"],
    ["utilization/apool_1", "Edit", "Units = 200", "Save"],
    ["goals?patientId=usr_rae"],
    ["goals without checks"],
    ["goals without goal-progress"],
    ["people/usr_rae"],
    ["people/usr_rae without goal-progress"],
    ["goals/goal_r_met"],
    ["goals/goal_r_met", "Save as CSV"],
    ["goals/goal_r_kept"],
    ["goals/goal_r_kept", "Take back"],
    ["goals/goal_r_chain"],
    ["goals/goal_r_silent"],
    ["goals/goal_none"],
    [
      "goals/goal_r_silent?open=edit-goal&open.id=goal_r_silent",
      ...["look", "Definition = Through the door.", "Save"],
    ],
    ["goals/goal_r_rating?open=edit-goal&open.id=goal_r_rating", "look", "Title = Calm", "Save"],
    ["goals/goal_r_met?open=edit-goal&open.id=goal_r_met", "look", "Save", "look"],
    [DECEMBER, "look", "Hand over 1…", "look", "Batch =  ", "look"],
    [DECEMBER + "&payorId=pay_acme without payors", "look", "Hand over 1…", "look"],
    [DECEMBER + "&state=BILLED", "look", "Open", "look"],
    [DECEMBER + "&state=TAKEN_BACK", "look", "Hand over 1…", "look"],
    [DECEMBER + "&state=CHANGED", "look", "Open", "look"],
    [DECEMBER + "&state=CHANGED", "Open [2]", "look", "Void"],
    [
      DECEMBER + "&state=PROBLEM",
      ...["look", "Open", "look", "NPI", "NPI = 12", "look", "NPI = 1234567893", "Save"],
    ],
    [DECEMBER + "&state=PROBLEM", "Open [2]", "look"],
    [DECEMBER + "&state=PROBLEM", "Open [3]", "look"],
    [DECEMBER, "Save again", "look", "Take back", "look"],
    [DECEMBER, "Filter · 2", "Problem = NO_NPI", "look", "To = 2025-12-08", "look"],
    ["delivered"],
    ["delivered?month=2024-01"],
    ["billing?startDate=2024-01-01&endDate=2024-01-31&state=BILLED"],
    ["schedule?date=2025-12-02&session=apt_r2", "look", "Correct", "look"],
    ["billing/usr_rae"],
    [
      ...["import", "drop clients.csv", "look", "“Dormant”, 1 row = INACTIVE", "look"],
      ...["Save the mistakes", "look", "Letters of the file = Mac OS Roman", "look"],
      ...["Old id = lastName", "look", "Guess again", "look"],
    ],
    [
      ...["import", "drop calendar.csv", "look", "Location = loc_main", "look"],
      ...["These are = patients", "look", "Take away", "look"],
    ],
    [
      ...[
        "import",
        "drop phones.csv",
        "look",
        "1 empty cell was left as it is = otherwise",
        "look",
      ],
      ...["drop utf16.csv", "drop payors.csv", "look", "Import 2 records", "look"],
    ],
    ["import", "drop many.csv"],
    [
      "import",
      "drop other.csv",
      "look",
      "These are = payors",
      "look",
      "drop scan.pdf",
      "look",
      "Take away",
      "look",
    ],
    ["import", PASTE, "Take rows", "Import 1 record", "look", "Undo", "look"],
  ],
  [
    { userId: "usr_tech" },
    ["today"],
    ["today", "Undo"],
    ["today", "No-show"],
    ["today?date=2026-01-07"],
    ["today?date=2026-01-06", "Undo"],
    ["today?date=2026-01-07", "Delivered: 10 units"],
    ["record/apt_1"],
    ["record/apt_1", "End of session"],
    ["record/apt_1", "Start", "Stop · 0 s", "Send now"],
    ["record/apt_1", "Start", "after -40 s", "Stop · 0 s", "Send now"],
    ["record/apt_1", "Start", "Stop · 0 s", "Hands", "Success", "Shouting", "Undo"],
    ["record/apt_1", "Start", "Stop · 0 s", "#/sign-out", "Sign out"],
    ["record/apt_b"],
    [
      "record/apt_r1",
      ...["look", "End of session", "look", "Did not happen", "look", "Leaves the room", "look"],
      ...["Antecedent = Noise", "Consequence = A break", "+1", "look", "refused 400", "Send now"],
      ...["look", "Save as text", "look", "Forget", "look"],
    ],
    ["record/apt_r1", "End of session", "Not watched", "look"],
    ["record/apt_r1", "Rinses", "look"],
    ["record/apt_1", "Start", "look", "#/record/apt_1", "Stop · 0 s", "look"],
    [
      "record/apt_r1",
      ...["Calm transitions", "look", "4", "A number = 5", "Record", "look", "Undo", "look"],
      ...["Send now", "look"],
    ],
    [
      "record/apt_r1",
      ...["On task", "look", "Start 3 × 20 s (partial)", "look", "Yes", "after 45 s"],
      ...["look", "No", "Yes", "after 20 s", "look", "Keep the set", "look", "Send now", "look"],
      ...["Start 3 × 20 s (partial)", "look"],
    ],
    ["goals/goal_r_met"],
    ["goals?patientId=usr_rae"],
  ],
  [{ userId: "usr_bcba" }, ["today"], ["attention"]],
  [
    { role: "BILLING_MANAGER" },
    ["attention"],
    ["people/usr_kid"],
    ["utilization/auth_1"],
    [DECEMBER + "&state=PROBLEM", "look", "Open [3]", "look", "Copy link", "look"],
  ],
  [{ role: "SCHEDULING_MANAGER" }, [DECEMBER + "&state=CHANGED"]],
  [{ role: "PAYROLL_ADMIN" }, ["delivered?month=2026-01"], ["people/usr_tech"]],
  [
    { role: "ADMIN", of: "org_cedar" },
    [
      "leads",
      "each",
      "#/utilization",
      "#/utilization?date=2026-01-01&minShare=0.8&maxShare=1&as=table",
    ],
    ["leads", "each", "#/people/usr_max", "#/people/usr_new"],
    [
      "utilization/none",
      ...["each", "#/utilization/apool_week?startDate=2025-12-28&endDate=2026-02-14"],
      ...["#/utilization/apool_week?of=auth_w1&as=table", "#/utilization/auth_w1"],
      ...["#/utilization/auth_w2", "#/utilization/auth_w2?startDate=2025-01-01&endDate=2025-02-01"],
      ...["#/utilization/auth_rest", "#/utilization/auth_year"],
      ...["#/utilization/auth_full", "#/utilization/auth_past", "#/utilization/auth_old"],
      "#/utilization/apool_free",
    ],
    [
      "utilization/apool_week",
      ...["each", "What counts", "To [2] = 09:00", "Add", "To [2] = ", "Add", "To [2] = 20:00"],
      ...["Weeks = 1.5", "Add", "Weeks = 105", "Add", "Day = ", "Add", "Day = 2026-04-04"],
      ...["Until it ends (Mar 31, 2026)", "Add", "Day = 2026-03-20", "Add", "Remove"],
      ...["Until it ends (Mar 31, 2026)", "The week after", "3:00 – 5:00 PM Confirmed"],
      ...["Book 1 session and cancel 1…", "Technician = usr_joe", "Title = Home again"],
      "Book 1 session and cancel 1",
    ],
    [
      "utilization/apool_week",
      ...["The week before", "each", "This week", "press Wed, Jan 7", "hold Wed, Jan 7"],
      ...["press Wed, Jan 7", "Remove"],
      ...["3:00 – 7:30 PM Confirmed", "Keep it"],
      ...[
        "Booked on = auth_w2",
        "Weeks = 3",
        "Day = 2026-01-20",
        "Add",
        "The week after",
        "The week after",
        "9:00 – 11:00 AM added: remove",
      ],
      "Book 2 sessions…",
    ],
    [
      "utilization/auth_also",
      ...["each", "Renew", "2 sessions behind Dec 11 move to it", "Number = N-9"],
      ...["2 sessions behind Dec 11 move to it", "Last day = 2026-01-12", "Add"],
    ],
    ["utilization/apool_week", "each", "Renew", "No limit", "Add"],
    ["utilization/auth_w2", "each", "Take over sessions of…"],
    ["utilization/auth_rest", "Add"],
    [
      "attention?open=put-on&open.patientId=usr_new&open.sessions=apt_auth_w1_2026-01-16" +
        "&open.payor=pay_delta",
      ...["look", "New authorization…", "look"],
    ],
    [
      "utilization/auth_w1",
      ...["each", "Edit", "From which day = later", "Day = 2025-12-07", "Save", "Day = 2026-01-16"],
      ...["Pool = ", "Units = 30", "Per = WEEKLY", "Payor = pay_delta", "Save"],
    ],
    ["utilization/auth_year", "each", "Edit", "Pool = apool_free", "Save"],
    ["people/usr_max", "Renew 2 authorizations, Dec 11, 2025", "each", "Add"],
    ["people/usr_new?open=new-pool", "each", "Add authorizations", "No limit", "Add"],
    ["people/usr_new?open=new-authorization", "each", "Service = svc_home", "refused 409", "Add"],
  ],
  [
    { role: "ADMIN", of: "org_cedar" },
    ROUND,
    [
      WEEKLY,
      ...["each", "And the 2 sessions like it, until Fri, Feb 13"],
      ...["Also 1 session with other people", "Delete", "Keep them", "Unconfirmed"],
    ],
    [
      WEEKLY,
      ...["each", "Change time or people", "From = 15:00", "Clinician = ", "Place = SCHOOL"],
      ...["What = nbc_drive", "What = ", "And the 2 sessions like it, until Fri, Feb 13"],
      "Save 3 sessions",
    ],
    [
      WEEKLY,
      "each",
      "Change time or people",
      "What = auth_rest",
      "To = 15:00",
      "To = 18:00",
      "Save",
    ],
    [
      WEEKLY,
      ...["each", "Repeat until…", "To the end of the authorization, Tue, Mar 31"],
      ...["Repeat until = 2026-04-10", "Book these, too", "Book 8 sessions"],
    ],
    [WEEKLY, "each", "Who is free", "Who is free", "Delete", "Keep it", "Delete", "Yes, delete it"],
    [
      "schedule?session=apt_auth_also_2026-01-12",
      ...["each", "Put on authorization…", "Home, N-auth_rest"],
    ],
    [
      "schedule?session=apt_auth_free_2026-01-02",
      ...["each", "Units = x", "Units = 3", "Delivered: 3 units"],
    ],
    ["schedule?session=apt_auth_year_2026-01-08", "each", "Confirmed"],
    [
      "schedule?session=apt_auth_year_2026-01-22",
      "each",
      "Put on authorization…",
      "Home, N-auth_w1",
    ],
    ["people/usr_ida?open=off", "Last day = 2026-01-16", "each", "Who is free [2]", "Joe Moss"],
    ["people/usr_new?open=left", "each", "Is discharged"],
    ["people/usr_max?open=left", "each", "Is discharged"],
    ["schedule?session=apt_drive", "each", "Change time or people", "Title = Way", "Save"],
    ["schedule?session=apt_watch", "each", "Change time or people", "Technician = usr_ida"],
    [
      "schedule?open=new-session&open.date=2026-01-13&open.from=900&open.to=1000",
      ...["each", "Patient = Max", "Max Moss", "Day = ", "Day = 2026-01-14", "Tuesday"],
      ...["Saturday", "Tuesday", "Repeat weekly until = 2029-12-31", "Supervision"],
      ...["Repeat weekly until = 2026-01-21", "What = nbc_drive", "Book 3 sessions"],
    ],
    [
      "schedule?open=new-session&open.clientId=usr_new&open.technicianId=usr_joe",
      "each",
      "Title = A",
    ],
  ],
  ...["SCHEDULING_MANAGER", "CLINICIAN", "BILLING_MANAGER"].map((role): [Who, ...string[][]] => [
    { role: role as Role, of: "org_cedar" },
    ROUND,
  ]),
  [
    { userId: "usr_ida", of: "org_cedar" },
    ["today", "each", `#/${WEEKLY.replace("schedule", "today")}`],
    ["today?session=apt_auth_free_2026-01-02", "each", "Delivered: 8 units"],
  ],
  [
    { role: "ADMIN", of: "org_oak" },
    ["attention"],
    ["attention?patientId=usr_meg", "Show everything"],
    [
      "attention?startDate=2026-01-07&endDate=2026-01-07&payorId=pay_none",
      "Days = 2026-01-01 2026-01-31",
    ],
    ["attention?check=NOT_DOCUMENTED&startDate=2026-01-07&endDate=2026-01-07"],
    ["changes?since=2027-01-01"],
    ["leads"],
    ["people?isActive=false&role=ADMIN", "Show everybody"],
    ["people", "Search = Nobody", "look", "Show everybody", "look"],
    ["people/usr_tom"],
    ["people/usr_meg"],
    ["people/usr_ida?open=off", "Last day = 2026-01-09"],
    ["people/usr_ida?open=left", "From which day on = 2026-01-09"],
    ["people/usr_tom?open=left", "These sessions = LEAVE", "Is discharged"],
    ["practice"],
    ["practice?open=edit-practice", "Days in a row that meet a goal = 4", "Save"],
    ["practice", "refused as served", "Remove Care"],
    [
      "practice?open=new-entry&open.type=serviceLine",
      "Name = Tea",
      "Code = h2 ",
      "Modifiers = hm",
      "Add",
    ],
    ["schedule?date=2026-01-08&as=week"],
    [
      "schedule?date=2026-02-10&as=week&status=DECLINED,PATIENT_NO_SHOW&team=usr_joe",
      "Show all sessions",
    ],
    ["schedule?date=2026-02-10&as=table"],
    ["schedule?date=2026-01-32"],
    ["schedule?date=2026-02-10&as=week", "Of = technician", "look", "Technician = usr_ida", "look"],
    ["schedule?date=2026-01-08&whose=patient&person=usr_tom&as=table"],
    ["supervision?month=2025-11&requiredShare=0.12"],
  ],
  [
    { role: "ADMIN", of: "org_new" },
    ["attention"],
    ["people"],
    ["schedule?date=2026-01-08&as=week&location=loc_none"],
    ["supervision"],
  ],
  [
    { userId: "usr_ida", of: "org_oak" },
    ["today"],
    ["today?date=2026-01-12"],
    ["today?date=2026-01-07", "Cancelled"],
    ["people/usr_ida"],
    ["people/usr_joe"],
  ],
  [
    { role: "ADMIN", isReadOnly: true },
    ["access"],
    ["leads"],
    ["people"],
    ["people/usr_tech"],
    [DAY],
    ["attention"],
  ],
  [
    { role: "CLINICAL_ADMIN" },
    ["leads?open=new-lead", "Add"],
    ["people?role=CAREGIVER&open=new-person", "First name = Nia", "Last name = Moss", "Add"],
    ["people/usr_tech?open=left", "Has left"],
    ["people/usr_tech?open=edit"],
    ["people/usr_gone"],
  ],
  [
    { role: "ADMIN" },
    ["access", "Invite Ana Ruiz", "Make a link"],
    ["access", "Invite Ana Ruiz", "Make a link", "then", "Copy"],
    ["access", "Revoke Ana Ruiz", "Revoke"],
    ["access", "See own patients only = TECHNICIANS"],
    ["attention?check=NOT_DOCUMENTED&by=patient&patientId=usr_kid"],
    ["leads?stageId=stage_lead"],
    ["people?role=TECHNICIAN&open=new-person", "Role = PATIENT"],
    ["people/usr_bcba"],
    ["people/usr_admin"],
    [
      "people?open=new-person",
      ...["Role = TECHNICIAN", "look", "Role = PATIENT", "First name = Nia", "Last name = Moss"],
      ...["First name [2] = Dee", "Last name [2] = Moss", "Add"],
    ],
    ["people/usr_x1?open=edit"],
    ["people/usr_kid?open=left", "These sessions = DELETE", "Is discharged"],
    ["people/usr_tech", "Revoke Phone of usr_tech"],
    ["people/usr_tech?open=off", "From = 09:00", "To = 12:00"],
    ["practice", "Remove Staff meeting", "#/done", "Undo"],
    ["practice", "Remove Staff meeting", "refused 412", "#/done", "Undo"],
    ["practice", "refused as served", "Remove Acme Health"],
    ["practice", "New lead up", "#/done"],
    ["practice?open=edit-practice"],
    ["schedule?date=2026-01-15"],
    ["schedule?date=2026-01-15&team=usr_bcba&status=CONFIRMED"],
    [DAY + "&whose=clinician&as=table"],
  ],
  // What is open stays open at its place.
  [{ role: "ADMIN" }, ["attention", "each finding"]],
  [{ role: "ADMIN", of: "org_cedar" }, ["attention?by=provider", "each finding"]],
];

/** With a look between those behind `each`. */
function withLooks(steps: string[]): string[] {
  const at = steps.indexOf("each");
  if (at < 0) return steps;
  const walk = steps.slice(at + 1).flatMap((step) => [step, "look"]);
  return [...steps.slice(0, at), ...walk.slice(0, -1)];
}

/**
 * What is shown at the end of a visit: of a step what it changes, and of what is written or saved that alone. After each
 * `look`, what was written, and how the view or dialog is not as it was when one looked at it last.
 */
async function seenBy(who: Who, [visit = "", ...of]: string[]): Promise<string> {
  const steps = withLooks(of);
  await signInAs(who);
  const [address = "", without] = visit.split(" without ");
  unreadable = without;
  await open(address);
  await settle();
  const isLooking = steps.includes("look");
  let before = steps[0] !== "look" && (isLooking || steps.at(-1) === "then") ? shown() : "";
  const seen: string[] = [];
  const known = new Map<string | undefined, string>();
  let said = told.value;
  for (const [index, step] of steps.entries()) {
    if (step === "look") {
      seen.push(`${steps[index - 1] ?? address}:`, ...written.splice(0));
      if (told.value !== said) seen.push(told.value?.said ?? "");
      said = told.value;
      const now = shown();
      const [title] = now.split("\n");
      seen.push(differenceOf(known.get(title) ?? before, now), "");
      known.set(title, now);
      before = now;
      continue;
    }
    const next = steps[index + 1];
    if (next === undefined && !isLooking && step !== "then") before = shown();
    isWatched = next === undefined || next === "look";
    await act(() => does(step));
    await settle();
  }
  if (steps.at(-1) === "look") return seen.join("\n");
  const isView = /^(#|then$)/.test(steps.at(-1) ?? "");
  if (written.length > 0 && refusal === undefined && !isView)
    return [...seen, await writtenText()].join("\n");
  const refused = refusal === undefined ? [] : written.filter((line) => /^[A-Z]+ api/.test(line));
  return [...seen, ...refused, differenceOf(before, shown())].join("\n");
}

/** The administrators of the same practice, if they have the same visit. */
function administrators({ of }: Who, visit: string[]): Who | undefined {
  const name = visit.join();
  return visits.find(
    ([who, ...all]) =>
      who.of === of &&
      who.isReadOnly === undefined &&
      "role" in who &&
      who.role === "ADMIN" &&
      all.some((other) => other.join() === name),
  )?.[0];
}

const seenByAdmin = new Map<string, string>();

for (const [who, ...all] of visits)
  for (const visit of all) {
    const name = visit.join(", ").replace("\n", " / ");
    test(`${Object.values(who).join(" of ").replace("true", "read-only")}: #/${name}`, async () => {
      const admin = administrators(who, visit);
      const key = `${who.of} ${name}`;
      if (admin !== undefined && admin !== who && !seenByAdmin.has(key)) {
        seenByAdmin.set(key, withoutNewIds(await seenBy(admin, visit)));
        await leave();
      }
      const seen = withoutNewIds(await seenBy(who, visit));
      // Of what an administrator sees, what others see otherwise.
      expect(differenceOf(seenByAdmin.get(key) ?? "", seen)).toMatchSnapshot();
      if (admin === who) seenByAdmin.set(key, seen);
    });
  }
