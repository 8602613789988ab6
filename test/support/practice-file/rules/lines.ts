import type { Fields } from "../practice-file.ts";
import { behaviorGoal, organization, ratingGoal, skillGoal } from "../full-practice.ts";
import {
  NO_GOAL_ID,
  NO_ID,
  NO_LINES,
  NO_TEXT,
  REQUIRED,
  type Rule,
  rule,
  TYPES,
  CELLS_ARE_TEXTS,
} from "./rule.ts";

/** Lines, types and ids. */

const own: Fields = { type: "organization", publicId: "org_maple" };
const location: Fields = { type: "location", publicId: "loc_new", name: "New" };
const [, soap] = skillGoal.childGoals as [Fields, Fields];
const meeting: Fields = { type: "session", publicId: "apt_3" };
const SECOND = "is only the type of the first line";
const noType = (shown: string) => [2, "", "type", `is no type: ${TYPES}`, shown] as const;
const noTypeFile = { cannot: "the type of a row is the name of its file" };

export const lineRules: Rule[] = [
  rule(
    "a line is UTF-8",
    Buffer.from('{"type":"location","publicId":"loc_new","name":"Caf\xe9"}', "latin1"),
    [[2, "", "", "is not valid UTF-8"]],
    {
      files: { "location.csv": Buffer.from("publicId,name\nloc_new,Caf\xe9\n", "latin1") },
      refusal: 'F/location.csv:2: The row is not valid UTF-8; save it as "CSV UTF-8".',
    },
  ),
  rule("a line is JSON", "{", [[2, "", "", "is not valid JSON", ""]], NO_LINES),
  rule("a line is one record", "{}{}", [[2, "", "", "is not valid JSON", ""]], NO_LINES),
  ...["5", "[]", "null", '"a"'].map((line) =>
    rule(
      `a line is an object, not ${line}`,
      line,
      [[2, "", "", "is not a record: {…} is expected", ""]],
      NO_LINES,
    ),
  ),
  rule(
    "blank lines count",
    ["", " \t", { ...location, name: "" }],
    [[4, "location loc_new", "name", "must not be empty"]],
    // Rows without anything are counted, too.
    {
      files: { "location.csv": "publicId,name\n\n,\nloc_new,\n" },
      reports: ["F/location.csv:4: location loc_new: name: is required"],
    },
  ),
  rule("a line has a type", {}, [[2, "", "type", REQUIRED]], noTypeFile),
  rule("a type is a text", { type: 5 }, [[2, "", "type", NO_TEXT]], noTypeFile),
  rule("a type is one of the table", { type: "client", publicId: "c" }, [noType("client")], {
    refusal: "F/client.csv is of no record type; the files are …",
  }),
  rule("a type is in the letters of the table", { type: "Location" }, [noType("Location")], {
    refusal: "F/Location.csv is of no record type; the files are …",
  }),
  rule("API keys are in no file", { type: "apiKey" }, [noType("apiKey")], {
    refusal: "F/apiKey.csv is of no record type; the files are …",
  }),
  rule("the audit trail is in no file", { type: "auditEntry" }, [noType("auditEntry")], {
    refusal: "F/auditEntry.csv is of no record type; the files are …",
  }),

  rule("a line has an id", { type: "location", name: "New" }, [
    [2, "location", "publicId", REQUIRED],
  ]),
  rule("an id is not null", { ...location, publicId: null }, [
    [2, "location", "publicId", REQUIRED],
  ]),
  rule("an id is not empty", { ...location, publicId: "" }, [[2, "location", "publicId", NO_ID]], {
    reports: ["F/location.csv:2: location: publicId: is required"],
  }),
  rule(
    "an id is a text",
    { ...location, publicId: 5 },
    [[2, "location", "publicId", NO_TEXT]],
    CELLS_ARE_TEXTS,
  ),
  ...["loc/1", "loc 1", "loc_é", "loc.1", "l".repeat(129)].map((publicId) =>
    rule(`an id is one that a path can have, not ${publicId}`, { ...location, publicId }, [
      [2, "location", "publicId", NO_ID],
    ]),
  ),
  rule(
    "a line that deletes has an id, and no other mistake",
    { type: "location", publicId: "loc 1", deleted: true },
    [[2, "location", "publicId", NO_ID]],
  ),
  rule("the id of a goal begins with goal_", { ...ratingGoal, publicId: "rating_1" }, [
    [2, "goal", "publicId", NO_GOAL_ID],
  ]),
  rule(
    "the id of a child goal begins with goal_",
    {
      ...skillGoal,
      childGoals: [{ ...soap, publicId: "soap" }],
    },
    [[2, "goal goal_hands", "childGoals.0.publicId", NO_GOAL_ID]],
  ),
  rule(
    "the id of a metric is one that a path can have",
    {
      ...behaviorGoal,
      successMetric: { ...(behaviorGoal.successMetric as Fields), publicId: "a b" },
    },
    [[2, "goal goal_behavior", "successMetric.publicId", NO_ID]],
  ),
  rule(
    "an id stands once in a file",
    [location, { ...location, name: "Again" }],
    [[3, "location loc_new", "publicId", "is in this file twice, first on line 2"]],
  ),
  rule(
    "an id that is deleted has no other line",
    [
      { ...meeting, deleted: true },
      { ...meeting, title: "Other" },
    ],
    [[3, "session apt_3", "publicId", "is in this file twice, first on line 2"]],
  ),
  rule(
    "a child goal has no line of its own",
    [skillGoal, { ...soap, type: "goal", treatmentPlanId: "tp_1" }],
    [[2, "goal goal_hands", "childGoals.1.publicId", "is in this file twice, also on line 3"]],
  ),
  rule(
    "a child goal is in one record",
    [
      { ...skillGoal, childGoals: [soap, soap] },
      { ...skillGoal, publicId: "goal_new", childGoals: [soap] },
    ],
    [
      [2, "goal goal_hands", "childGoals.1.publicId", "is in this file twice, also on line 2"],
      [3, "goal goal_new", "childGoals.0.publicId", "is in this file twice, also on line 2"],
    ],
  ),

  rule("there is one organization", { ...own, publicId: "org_oak", name: "Oak" }, [
    [2, "organization org_oak", "type", SECOND, ""],
  ]),
  rule("the organization has one line", organization, [
    [2, "organization org_maple", "type", SECOND, ""],
  ]),
  {
    rule: "the organization's own fields are checked",
    organization: { ...own, name: "", timezone: "US/Nowhere", weekStartsOn: "Someday" },
    lines: [],
    mistakes: [
      [1, "organization org_maple", "name", "must not be empty"],
      [
        1,
        "organization org_maple",
        "timezone",
        "must be a time zone, such as America/New_York",
        "US/Nowhere",
      ],
      [
        1,
        "organization org_maple",
        "weekStartsOn",
        "is no weekStartsOn: SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY",
        "Someday",
      ],
    ],
  },
  {
    rule: "the organization is not deleted",
    organization: { ...own, deleted: true },
    lines: [],
    mistakes: [
      [
        1,
        "organization org_maple",
        "deleted",
        "is not possible: an import cannot delete an organization",
        "",
      ],
    ],
  },
];
