import { found, pages, shown } from "../support/pages.ts";
import type { Fields } from "../support/practice-file/practice-file.ts";
import { namedLists } from "../support/reference-data.ts";
import { transcripts } from "../support/transcript.ts";

/** Lists of an organization's reference data, whose ids other requests use. */

const practice = await transcripts();

/** Sorted by name, in the order of code points, then by id. */
const names = [
  { publicId: "x_9", name: "ABA" },
  { publicId: "x_2", name: "Main" },
  { publicId: "x_3", name: "Main" },
  { publicId: "x_1", name: "West" },
  { publicId: "x_4", name: "Ägidius" },
];
/** The record types of the lists, and the fields that their items have besides. */
const lists: Record<string, [type: string, given?: Fields, more?: Fields]> = {
  locations: ["location"],
  payors: ["payor"],
  "service-lines": [
    "serviceLine",
    { billingUnitMinutes: 15 },
    {
      ...{ billingUnitMinutes: 15, code: null, modifiers: [] },
      ...{ recordsData: false, isGroup: false, kind: null },
    },
  ],
  "non-billable-codes": ["nonBillableCode"],
  "intake-labels": ["intakeLabel"],
};

for (const list of namedLists) {
  const [type, given, more] = lists[list]!;
  practice(names.map((each) => ({ type, ...each, ...given })).toReversed(), { elsewhere: [] })(
    `${list} come by name and id`,
    [
      shown(
        `GET ${list}`,
        names.map((each) => ({ ...each, ...more })),
      ),
      ...pages(
        `GET ${list}`,
        names.map(({ publicId }) => publicId),
      ),
    ],
  );
}

const visits = { billingUnitMinutes: null, code: "H2019", modifiers: ["HO", "95"] };
practice([{ type: "serviceLine", publicId: "svc_1", name: "Visit", ...visits }])(
  "a service line that is billed by the visit has no billingUnitMinutes; it may have a code and modifiers",
  [["GET service-lines", 200, { data: [visits] }]],
);

const stages = [
  { publicId: "stage_5", position: -1, key: null, isActive: true },
  { publicId: "stage_4", position: 1, key: "LEAD", isActive: true },
  { publicId: "stage_1", position: 2, key: null, isActive: false },
  { publicId: "stage_3", position: 2, key: "WAITLIST", isActive: true },
  { publicId: "stage_2", position: 10, key: null, isActive: false },
].map((stage) => ({ ...stage, name: "Stage" }));
practice(stages.map((stage) => ({ type: "intakeStage", ...stage })).toReversed(), {
  elsewhere: [],
})("intake stages come by position, inactive ones included, or by isActive", [
  shown("GET intake-stages", stages),
  ...pages(
    "GET intake-stages",
    stages.map(({ publicId }) => publicId),
  ),
  found("GET intake-stages?isActive=false", ["stage_1", "stage_2"]),
  found("GET intake-stages?isActive=true&pageSize=2&page=2", ["stage_3"], 3),
]);
