import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { useDocument } from "./dom.ts";

await useDocument();
const { postOnce, remove, get, readPractice } =
  await import("../../../src/page/app/lib/base/api.ts");
const { signedIn, signIn, signOut } =
  await import("../../../src/page/app/lib/sign-in/signed-in.ts");
const { revision } = await import("../../../src/page/app/lib/base/revision.ts");

/** Writes over a network that loses answers, and whose proxies answer themselves. */

type Answer = Response | Error;
interface Sent {
  path: string;
  key: string | null;
  person: string | null;
}

const own = (body: object, status = 200) =>
  Response.json(body, { status, headers: { "X-Request-Id": "req_1" } });
const refusal = (status: number, error: string) => own({ error, statusCode: status }, status);
const proxys504 = () => new Response("<h1>504</h1>", { status: 504 });
const portals = () => Response.json({});
const portalsPage = () =>
  new Response("<h1>Portal</h1>", { headers: { "Content-Type": "text/html" } });
const lost = () => new TypeError("network");

let answers: Answer[] = [];
let sent: Sent[] = [];
const { fetch, setTimeout } = globalThis;

function signInAs(organization: string, userId = "usr_admin"): void {
  signIn(undefined, {
    organization: { publicId: organization, name: "Maple", timezone: null, weekStartsOn: "SUNDAY" },
    key: { id: "signin_1", role: "ADMIN", userId, name: "Test", isReadOnly: false },
    writes: [],
  } as never);
}

beforeEach(() => {
  signOut("signed-out");
  signInAs("org_a");
  [answers, sent] = [[], []];
  globalThis.fetch = (async (path: string, request: RequestInit) => {
    const headers = new Headers(request.headers);
    sent.push({
      path,
      key: headers.get("Idempotency-Key"),
      person: headers.get("Caseload-User"),
    });
    const answer = answers.shift() ?? own({ sequence: 7 });
    if (answer instanceof Error) throw answer;
    return answer;
  }) as unknown as typeof globalThis.fetch;
  // The pause before a write is sent again is not waited for.
  Reflect.set(globalThis, "setTimeout", (run: () => void) => setTimeout(run));
});
afterAll(() => {
  globalThis.fetch = fetch;
  Reflect.set(globalThis, "setTimeout", setTimeout);
  signOut("signed-out");
});

const keys = () => sent.map(({ key }) => key);
const said = (work: Promise<unknown>) =>
  work.then(
    (value) => value,
    (error: Error) => error.message,
  );

describe("a write whose answer is not the API's", () => {
  test.each([
    ["a proxy's 504", proxys504],
    ["a portal's {}", portals],
    ["nothing", lost],
  ])("(%s) is sent once more with its key", async (_, answer) => {
    answers = [answer()];
    const before = revision.value;
    expect(await postOnce("intake-leads", "{}")).toEqual({ sequence: 7 });
    expect(sent.length).toBe(2);
    expect(new Set(keys()).size).toBe(1);
    expect(revision.value).toBe(before + 1);
  });

  test("twice keeps its key, and the sequence on which it is based, until the API has answered", async () => {
    answers = [proxys504(), proxys504(), lost(), lost()];
    const write = (since: number) =>
      said(postOnce(`practice-file?unchangedSince=${since}`, "lines"));
    expect(await write(5)).toBe(
      "The server cannot be reached: what is before it answered 504. It is not known whether this was written. Do it again: it is written once.",
    );
    expect(await write(6)).toStartWith("The server cannot be reached. It is not known");
    // Another one in between has a key of its own.
    await postOnce("practice-file?unchangedSince=6", "others");
    expect(await write(7)).toEqual({ sequence: 7 });
    const [first, ...rest] = sent.filter(({ key }) => key === sent[0]?.key);
    expect(rest).toEqual([first, first, first, first] as Sent[]);
    expect(first?.path).toBe("api/v1/practice-file?unchangedSince=5");
    await write(8);
    expect(sent.at(-1)?.key).not.toBe(first?.key ?? null);
  });

  test.each([
    [503, "Service temporarily unavailable"],
    [412, "Precondition Failed"],
  ])("a refusal (%p) is an answer: what is sent next is another write", async (status, error) => {
    answers = [refusal(status, error)];
    expect(await said(postOnce("intake-leads", "{}"))).toBe(error);
    await postOnce("intake-leads", "{}");
    expect(new Set(keys()).size).toBe(2);
  });

  test("its key goes with the person, also where another practice has somebody of the same id", async () => {
    answers = [lost(), lost()];
    await said(postOnce("intake-leads", "{}"));
    signOut("locked");
    signInAs("org_a");
    await postOnce("intake-leads", "{}");
    answers = [lost(), lost()];
    await said(postOnce("intake-leads", "{}"));
    signOut("locked");
    signInAs("org_b");
    await postOnce("intake-leads", "{}");
    expect(keys().map((key) => keys().indexOf(key))).toEqual([0, 0, 0, 3, 3, 5]);
    expect(sent.map(({ person }) => person)).toEqual([
      ...Array(5).fill("org_a.usr_admin"),
      "org_b.usr_admin",
    ]);
  });
});

describe("an answer that comes after the sign-in has ended", () => {
  const afterwards = (then: () => void) => {
    globalThis.fetch = (async () => {
      then();
      return own({ sequence: 7 });
    }) as unknown as typeof globalThis.fetch;
  };

  test("is shown to nobody, and no view reloads", async () => {
    for (const ask of [() => get("users"), () => postOnce("practice-file", "line")])
      for (const then of [() => signOut("signed-out"), () => signInAs("org_b")]) {
        signInAs("org_a");
        afterwards(then);
        const before = revision.value;
        expect(await said(ask())).toBe("Nobody is signed in.");
        expect(revision.value).toBe(before);
      }
  });

  test("is given to the person who comes back after a lock and writes the same: it is written once", async () => {
    const send = globalThis.fetch;
    const keyOf = async (then: () => void): Promise<string | null | undefined> => {
      globalThis.fetch = ((...request: Parameters<typeof send>) => {
        then();
        return send(...request);
      }) as typeof send;
      await said(postOnce("practice-file", "line"));
      return keys().at(-1);
    };
    const key = await keyOf(() => signOut("locked"));
    signInAs("org_a");
    expect(await keyOf(() => {})).toBe(key as string);
    expect(await keyOf(() => signOut("signed-out"))).not.toBe(key as string);
  });
});

test("what is gone when its removal is asked for again was removed; what was never there was not", async () => {
  answers = [lost(), refusal(404, "Passkey not found")];
  expect(await said(remove("passkeys/passkey_1"))).toBeUndefined();
  answers = [refusal(404, "Passkey not found")];
  expect(await said(remove("passkeys/passkey_2"))).toBe("Passkey not found");
});

test("a read is not sent again by itself, and says who has answered", async () => {
  for (const [answer, sentence] of [
    [proxys504(), "The server cannot be reached: what is before it answered 504."],
    [portals(), "The server cannot be reached: something else answered in its place."],
    [own({}, 200), {}],
  ] as const) {
    answers = [answer];
    expect<unknown>(await said(get("users"))).toEqual(sentence);
  }
  expect(sent.length).toBe(3);
});

test("a 401 of something in between does not sign out", async () => {
  answers = [new Response("<h1>Please sign in to the network</h1>", { status: 401 })];
  await said(get("users"));
  expect(signedIn.value).toBeDefined();
  answers = [refusal(401, "Sign-in has ended")];
  await said(get("users"));
  expect(signedIn.value).toBeUndefined();
});

test("a sign-out that a network's portal answers is not heard yet", async () => {
  const { endSignIn } = await import("../../../src/page/app/lib/sign-in/passkeys.ts");
  for (const answer of [portals(), proxys504(), portalsPage()]) {
    answers = [answer];
    expect(await said(endSignIn())).toStartWith("The server cannot be reached: ");
  }
  answers = [own({ success: true })];
  expect(await said(endSignIn())).toBeUndefined();
});

test("practice files are read one after the other, also behind one that fails", async () => {
  const running: number[] = [];
  let reads = 0;
  globalThis.fetch = (async () => {
    reads += 1;
    running.push(reads);
    await Bun.sleep(1);
    reads -= 1;
    if (running.length === 1) throw lost();
    const headers = { "X-Request-Id": "req_1", "Content-Type": "application/x-ndjson" };
    return new Response('{"type":"organization","publicId":"org_a"}\n', { headers });
  }) as unknown as typeof globalThis.fetch;
  const files = ["payor", "location", "user"].map((type) => readPractice([type]));
  const states = (await Promise.allSettled(files)).map(({ status }) => status);
  expect(states).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(running).toEqual([1, 1, 1]);
});
