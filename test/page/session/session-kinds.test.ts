import { expect, test } from "bun:test";
import { kindOfSession } from "../../../src/page/app/lib/session/session-kinds.ts";
import type { Service } from "../../../src/page/app/lib/base/wire.ts";
import { shownSession } from "../../support/page/session.ts";

/** What a session is: its own record says it first, then its service, then the code. */

const service =
  (code: string | null, kind: Service["kind"] = null) =>
  (id: string): Service => ({
    publicId: id,
    name: "97151 in its name",
    code,
    kind,
    isGroup: false,
  });

test.each([
  ["97153", "THERAPY"],
  ["97151", "ASSESSMENT"],
  ["97152", "ASSESSMENT"],
  ["0362T", "ASSESSMENT"],
  ["97155", "SUPERVISION"],
  ["97156", "FAMILY"],
  ["97157", "FAMILY"],
  ["92507", "THERAPY"],
  [null, "THERAPY"],
] as const)("by the code %p it is %s", (code, kind) => {
  const session = shownSession({ isBillable: true, isSupervision: false });
  expect(kindOfSession(session, service(code))).toBe(kind);
});

test("what the practice says of a service goes before its code, and the session's own record before both", () => {
  const billable = shownSession({ isBillable: true, isSupervision: false });
  expect(kindOfSession(billable, service("97151", "THERAPY"))).toBe("THERAPY");
  expect(kindOfSession(billable, service(null, "FAMILY"))).toBe("FAMILY");
  expect(kindOfSession(billable, () => undefined)).toBe("THERAPY");
  const other = shownSession({ isBillable: false, isSupervision: false });
  expect(kindOfSession(other, service("97151", "FAMILY"))).toBe("OTHER");
  const supervision = shownSession({ isBillable: false, isSupervision: true });
  expect(kindOfSession(supervision, service("97151"))).toBe("SUPERVISION");
});
