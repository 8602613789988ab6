// Before anything else.
import "./lib/base/scripts.ts";
import { watchInvitations } from "./lib/sign-in/invitation.ts";
import { type JSX, render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { durationText, words } from "./lib/base/format.ts";
import { mayThrowAway, watchDrafts } from "./lib/base/draft.ts";
import { watchDroppedFiles } from "./lib/base/dropped-files.ts";
import { homeAddress } from "./lib/base/home.ts";
import { hasViews, type Place, placesOffered } from "./lib/practice/places.ts";
import { me } from "./lib/base/me.ts";
import { minutesAhead } from "./lib/base/server-clock.ts";
import { addressOf, openDialog, place, scrollBack, watchPlace } from "./lib/base/place.ts";
import { mayRecord } from "./lib/base/rights.ts";
import { passkeyPerson, signedIn, watchTouches } from "./lib/sign-in/signed-in.ts";
import { watchVisits } from "./lib/practice/visits.ts";
import { askAgain, begin, noteInput, watchSharedSignIn } from "./lib/sign-in/start.ts";
import { Button } from "./parts/base/button.tsx";
import { later } from "./parts/base/later.tsx";
import { Part } from "./parts/base/part.tsx";
import { PersonLink } from "./parts/base/person-link.tsx";
import { Attention } from "./views/attention/attention.tsx";
import { MyDay } from "./views/schedule/my-day.tsx";
import { NewSessionDialog } from "./views/session/new-session.tsx";
import { Overview } from "./views/authorizations/overview.tsx";
import { People } from "./views/person/people-list.tsx";
import { Person } from "./views/person/person.tsx";
import { UndoBar } from "./parts/base/undo-bar.tsx";
import { Schedule } from "./views/schedule/schedule.tsx";
import { PasskeysDialog } from "./views/sign-in/passkeys-dialog.tsx";
import { SessionDialog } from "./views/session/session-dialog.tsx";
import { SignIn } from "./views/sign-in/sign-in.tsx";
import { SignOut } from "./views/goals/sign-out.tsx";

/** The page: the signed-in person, the current place, and its view. */

const Access = later(async () => (await import("./views/practice/access.tsx")).Access);
const Billing = later(async () => (await import("./views/billing/billing.tsx")).Billing);
const PatientMonth = later(async () => (await import("./views/billing/support.tsx")).PatientMonth);
const Changes = later(async () => (await import("./views/practice/changes.tsx")).Changes);
const Delivered = later(async () => (await import("./views/billing/delivered.tsx")).Delivered);
const Done = later(async () => (await import("./views/practice/done.tsx")).Done);
const Goals = later(async () => (await import("./views/goals/goals.tsx")).Goals);
const Goal = later(async () => (await import("./views/goals/goal.tsx")).Goal);
const Record = later(async () => (await import("./views/goals/record.tsx")).Record);
const Import = later(async () => (await import("./views/import/import.tsx")).Import);
const Leads = later(async () => (await import("./views/person/leads.tsx")).Leads);
const Practice = later(async () => (await import("./views/practice/practice.tsx")).Practice);
const Subject = later(async () => (await import("./views/authorizations/subject.tsx")).Subject);
const Supervision = later(
  async () => (await import("./views/supervision/supervision.tsx")).Supervision,
);

/** The view of each place, and of one record there, by its id. */
const VIEWS: Record<
  string,
  { View: (properties: object) => JSX.Element; One?: (properties: { id: string }) => JSX.Element }
> = {
  today: { View: MyDay },
  attention: { View: Attention },
  schedule: { View: Schedule },
  utilization: { View: Overview, One: Subject },
  delivered: { View: Delivered },
  billing: { View: Billing, One: PatientMonth },
  supervision: { View: Supervision },
  people: { View: People, One: Person },
  goals: { View: Goals, One: Goal },
  leads: { View: Leads },
  changes: { View: Changes },
  done: { View: Done },
  import: { View: Import },
  practice: { View: Practice },
  access: { View: Access },
};

function Page() {
  if (signedIn.value === undefined) return <SignIn />;
  const { first, rest } = placesOffered();
  return (
    <>
      <header class="page-header">
        {/* The fragment is the place, so no link can lead to an element. */}
        <Button class="skip" onClick={focusHeading}>
          Skip to content
        </Button>
        <a class="brand" href={homeAddress()}>
          <img src="page/icon.svg" alt="" width="22" height="22" /> Caseload
        </a>
        <nav aria-label="Views">
          <Links of={first} />
          <span class="rest">
            <Links of={rest} />
          </span>
        </nav>
        <Menu rest={rest} />
      </header>
      <WrongClock />
      <Part key={place.value.path?.join("/")}>{hasViews() ? <View /> : <NoViews />}</Part>
      <SessionDialog />
      <NewSessionDialog />
      <PasskeysDialog />
      <UndoBar />
    </>
  );
}

/** The first part of the current place. */
function currentPath(): string {
  const [current = "attention"] = place.value.path ?? [""];
  return current;
}

function Links({ of }: { of: readonly Place[] }) {
  return (
    <>
      {of.map(({ path, name }) => (
        <a
          key={path}
          href={addressOf([path])}
          aria-current={path === currentPath() ? "page" : undefined}
        >
          {name}
        </a>
      ))}
    </>
  );
}

/** Whose page it is, and, where the window has no room for all views, those that are used less often. */
function Menu({ rest }: { rest: readonly Place[] }) {
  const { key, organization } = me();
  const items = useRef<HTMLDivElement>(null);
  // Another view closes it; Escape and a click beside it, the browser.
  useEffect(() => items.current?.hidePopover(), [place.value]);
  const current = rest.find(({ path }) => path === currentPath());
  return (
    <div class="menu">
      <button
        type="button"
        class={current ? "more-views current" : "more-views"}
        popovertarget="menu-items"
      >
        {current ? `${current.name} ▾` : "More ▾"}
      </button>
      <div ref={items} id="menu-items" class="menu-items" popover="auto">
        <nav aria-label="More views">
          <Links of={rest} />
        </nav>
        <p class="who">
          <bdi>{organization.name}</bdi>
          <small>
            {key.userId === null ? (
              <bdi>{key.name}</bdi>
            ) : (
              <PersonLink id={key.userId} name={key.name} />
            )}
            {key.isReadOnly && " · reads only"}
          </small>
        </p>
        {passkeyPerson() !== undefined && (
          <Button class="quiet" onClick={() => openDialog("passkeys")}>
            Your passkeys
          </Button>
        )}
        <SignOut />
      </div>
    </div>
  );
}

function NoViews() {
  return (
    <main>
      <h1 tabIndex={-1}>This page is for the staff of the practice</h1>
      <p>
        You are signed in as {words(me().key.role).toLowerCase()}, and there is nothing here that
        this role may see.
      </p>
    </main>
  );
}

/** The page takes the server's time for now; what else is on the device may be wrong. */
function WrongClock() {
  const minutes = minutesAhead.value;
  if (minutes === 0) return null;
  return (
    <p class="notice" role="status">
      The clock of this device is {durationText(Math.abs(minutes))}{" "}
      {minutes > 0 ? "ahead of" : "behind"} the server’s. “Today” and “now” are the server’s.
    </p>
  );
}

function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

function View() {
  const { path } = place.value;
  const viewed = path?.join("/");
  useEffect(() => {
    // Browsers keep titles in their history, so they must not contain names of patients.
    document.title = `${[...(path ?? [])].reverse().join(" · ") || "attention"} · Caseload`;
    focusHeading();
  }, [viewed]);
  // Before it is seen elsewhere.
  useLayoutEffect(scrollBack, [viewed]);

  const [name = "attention", id, ...rest] = path ?? [""];
  // A session's data are recorded from one's own day.
  if (name === "record" && id !== undefined && mayRecord()) return <Record key={id} id={id} />;
  const { first, rest: others } = placesOffered();
  const isOffered = [...first, ...others].some((each) => each.path === name);
  const view = isOffered ? VIEWS[name] : undefined;
  if (view === undefined || rest.length > 0) return <NoSuchView />;
  const { View: List, One } = view;
  if (id === undefined) return <List />;
  return One === undefined ? <NoSuchView /> : <One key={id} id={id} />;
}

function NoSuchView() {
  return (
    <main>
      <h1 tabIndex={-1}>This view does not exist</h1>
      <p>
        The address of this page names none. <a href={homeAddress()}>Go to the start page</a>
      </p>
    </main>
  );
}

watchInvitations(begin);
watchPlace(mayThrowAway);
watchDrafts();
watchDroppedFiles();
watchVisits();
watchTouches(noteInput, askAgain);
watchSharedSignIn();
void begin();
render(<Page />, document.body);
