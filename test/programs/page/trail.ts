import type { Browser, Page } from "playwright-core";
import { check, expectEqual } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import { type Practice, read, settled, visit } from "./visit.ts";

/** Whom the audit trail names for each view: the patients who are on the screen, and nobody else. */

interface List<Item> {
  data: Item[];
}

interface Person {
  publicId: string;
  firstName: string;
  lastName: string;
  role: string;
}

interface Booked {
  clientId: string | null;
  technicianId: string | null;
  /** Only of a billable session. */
  clinicianId?: string | null;
}

export async function checkTrail(browser: Browser, practice: Practice): Promise<void> {
  const pages = [1, 2, 3].map((page) => `users?pageSize=100&page=${page}`);
  const people = (
    await Promise.all(pages.map((path) => read<List<Person>>(practice, path)))
  ).flatMap(({ data }) => data);
  const patients = people.filter(({ role }) => role === "PATIENT");
  /** A name that somebody else has too does not tell who is shown. */
  const isUnique = (person: Person): boolean =>
    people.filter((each) => nameOf(each) === nameOf(person)).length === 1;
  const { data: overview } = await read<List<{ subject: string; publicId: string }>>(
    practice,
    "authorization-utilization?pageSize=100",
  );
  const { data: sessions } = await read<List<Booked>>(practice, "sessions?pageSize=100&page=3");
  const someone = (field: "clientId" | "technicianId" | "clinicianId"): string | null | undefined =>
    sessions.find((each) => each[field])?.[field];
  const firstOf = (subject: string): string =>
    overview.find((entry) => entry.subject === subject)?.publicId ?? "";

  const views: [name: string, at: string][] = [
    ["Attention", "#/attention"],
    ["Attention by provider", "#/attention?by=provider"],
    ["Utilization", "#/utilization"],
    ["Utilization as a table", "#/utilization?as=table&page=2"],
    ["an authorization", `#/utilization/${firstOf("AUTHORIZATION")}`],
    ["a pool", `#/utilization/${firstOf("POOL")}`],
    ["the schedule of a day", "#/schedule"],
    ["the week of a technician", `#/schedule?whose=technician&person=${someone("technicianId")}`],
    ["the week of a clinician", `#/schedule?whose=clinician&person=${someone("clinicianId")}`],
    ["the week of a patient", `#/schedule?whose=patient&person=${someone("clientId")}`],
    ["Delivered", "#/delivered"],
    ["People", "#/people"],
    ["Patients", "#/people?role=PATIENT&page=2"],
    ["Leads", "#/leads"],
    ["Supervision", "#/supervision"],
    ["a patient", `#/people/${someone("clientId")}`],
    ["a technician", `#/people/${someone("technicianId")}`],
  ];

  const { page } = await visit(browser, practice.origin, {
    at: "#/nobody",
    key: practice.adminKey,
  });
  const seen = new Set<string>();
  for (const [name, at] of views)
    await check(`the trail names the patients who are on the screen: ${name}`, async () => {
      const before = await namedBy(practice);
      await page.goto(`${practice.origin}/${at}`);
      await settled(page);
      const named = (await namedBy(practice)).slice(before.length);
      for (const id of named) seen.add(id);
      const text = await textOf(page);
      const shown = patients.filter(
        (each) => text.includes(nameOf(each)) || text.includes(listNameOf(each)),
      );
      const others = named.filter((id) => !shown.some(({ publicId }) => publicId === id));
      const unseen = shown.filter((each) => isUnique(each) && !seen.has(each.publicId));
      expectEqual([others, unseen.map(nameOf)], [[], []]);
    });
  await page.close();
}

function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

function listNameOf({ firstName, lastName }: Person): string {
  return `${lastName}, ${firstName}`;
}

/** What a view shows, with what its fields hold. */
async function textOf(page: Page): Promise<string> {
  const main = page.locator("main");
  const values = await Promise.all(
    (await main.locator("input").all()).map((each) => each.inputValue()),
  );
  return [await main.innerText(), ...values].join(" ").replaceAll(/\s+/g, " ");
}

interface Row {
  organizationId: string;
  keyId: string | null;
  patientIds: string[] | "*";
}

/** The patients whom the trail names for requests of the page, oldest first. */
async function namedBy({ folder }: Practice): Promise<string[]> {
  const { stdout } = await runProgram(["audit", "list", "--json"], { cwd: folder });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  return rows
    .filter(({ organizationId, keyId }) => organizationId === "org_maple" && keyId !== null)
    .flatMap(({ patientIds }) => patientIds);
}
