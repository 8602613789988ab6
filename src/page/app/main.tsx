import { render } from "preact";
import { useEffect } from "preact/hooks";
import { homeAddress } from "./lib/home.ts";
import { me } from "./lib/me.ts";
import { addressOf, place, watchPlace } from "./lib/place.ts";
import { signedIn, signOut, watchTouches } from "./lib/signed-in.ts";
import { Attention } from "./views/attention.tsx";
import { Delivered } from "./views/delivered.tsx";
import { NewSessionDialog } from "./views/new-session.tsx";
import { Overview } from "./views/overview.tsx";
import { People } from "./views/people.tsx";
import { Person } from "./views/person.tsx";
import { UndoBar } from "./parts/undo-bar.tsx";
import { Schedule } from "./views/schedule.tsx";
import { SessionDialog } from "./views/session-dialog.tsx";
import { Subject } from "./views/subject.tsx";
import { SignIn } from "./views/sign-in.tsx";

/** The page: the signed-in person, the current place, and its view. */

/** The views by the first part of their path. */
const sections = [
  { path: "attention", name: "Attention" },
  { path: "utilization", name: "Utilization" },
  { path: "schedule", name: "Schedule" },
  { path: "delivered", name: "Delivered" },
  { path: "people", name: "People" },
] as const;

function Page() {
  if (signedIn.value === undefined) return <SignIn />;
  return (
    <>
      <header class="page-header">
        {/* The fragment is the place, so no link can lead to an element. */}
        <button type="button" class="skip" onClick={focusHeading}>
          Skip to content
        </button>
        <a class="brand" href={homeAddress()}>
          <img src="page/icon.svg" alt="" width="24" height="24" /> Caseload
        </a>
        <nav aria-label="Views">
          {sections.map(({ path, name }) => (
            <a key={path} href={addressOf([path])} aria-current={isIn(path) ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <p class="who">
          <bdi>{me().organization.name}</bdi>
          <small>
            <bdi>{me().key.name}</bdi>
            {me().key.isReadOnly && " · reads only"}
          </small>
        </p>
        <button type="button" onClick={() => signOut("signed-out")}>
          Sign out
        </button>
      </header>
      <View />
      <SessionDialog />
      <NewSessionDialog />
      <UndoBar />
    </>
  );
}

function isIn(section: string): boolean {
  const [first = "attention"] = place.value.path ?? [""];
  return first === section;
}

function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}

function View() {
  const { path } = place.value;
  const viewed = path?.join("/");
  useEffect(() => {
    // Browsers keep titles in their history, so they must not contain names of patients.
    document.title = `${[...(path ?? [])].reverse().join(" · ") || "attention"} · Caseload`;
    focusHeading();
    scrollTo(0, 0);
  }, [viewed]);

  const [section = "attention", id, ...rest] = path ?? [""];
  if (rest.length === 0) {
    if (section === "utilization")
      return id === undefined ? <Overview /> : <Subject key={id} id={id} />;
    if (section === "attention" && id === undefined) return <Attention />;
    if (section === "delivered" && id === undefined) return <Delivered />;
    if (section === "schedule" && id === undefined) return <Schedule />;
    if (section === "people") return id === undefined ? <People /> : <Person key={id} id={id} />;
  }
  return <NoSuchView />;
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

watchTouches();
watchPlace();
render(<Page />, document.body);
