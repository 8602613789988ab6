import { expect, test } from "bun:test";
import { withOwnInsurance } from "../../../src/page/app/lib/person/person-record.ts";

/** A patient who holds their own insurance: what the form fills in. */

const patient = {
  ...{ firstName: "Leo", lastName: "Park", birthDate: "2019-04-02" },
  ...{ addressLine1: "4 Elm Street", addressLine2: null, city: "Springfield" },
};
const parents = { payorId: "pay_1", relationshipToPatient: "PARENT", insuredAddress: {} };
const own = { ...parents, relationshipToPatient: "SELF" };

test("whoever becomes the holder gives their name, birth date and address", () => {
  const changed = { ...patient, payors: [parents, own] };
  expect(withOwnInsurance(changed, { ...patient, payors: [parents, parents] })).toEqual({
    ...patient,
    payors: [
      parents,
      {
        ...{ ...own, planHolder: "Leo Park", insuredBirthDate: "2019-04-02" },
        insuredAddress: {
          ...{ addressLine1: "4 Elm Street", addressLine2: null, city: "Springfield" },
          ...{ state: null, postalCode: null },
        },
      },
    ],
  });
});

test("what was typed stays, and nothing is filled in again after it was emptied", () => {
  const typed = { ...own, planHolder: "L. Park", insuredAddress: { city: "York", state: "" } };
  const [entry] = withOwnInsurance({ ...patient, payors: [typed] }, patient).payors as [
    Record<string, unknown>,
  ];
  expect([entry.planHolder, entry.insuredAddress]).toEqual([
    "L. Park",
    {
      ...{ addressLine1: "4 Elm Street", addressLine2: null, city: "York" },
      ...{ state: null, postalCode: null },
    },
  ]);
  const emptied = { ...patient, payors: [{ ...own, planHolder: null }] };
  expect(withOwnInsurance(emptied, { ...patient, payors: [own] })).toBe(emptied);
});
