import type { IssueCode } from "../../../src/lib/errors.ts";
import { type Kind, matching } from "./kinds.ts";

/** Kinds of parameters, and the values that each refuses. */

export type Refusal = readonly [code: IssueCode, message: string];

/** Texts that are no integer. */
const noInteger = [
  ...["", "abc", "1.5", "1.0", "1e3", "0x10", " 5", "5 ", "+5", "--5", "-", "5n", "1_000", "1,000"],
  ...["NaN", "Infinity", "null", "true", "٣", "\0", "5\0", "%"],
];

export const noIntegerIssue: Refusal = ["invalid_type", "Expected integer, received string"];

export function integerIn(least: number, most = Infinity): Kind {
  const tooSmall = [`${least - 1}`, "-1", "-00001", `-${"9".repeat(400)}`];
  const tooBig = most === Infinity ? [] : [`${most + 1}`, "9".repeat(400)];
  return {
    type: "integer",
    refused: [
      ...noInteger.map((value) => [value, ...noIntegerIssue] as const),
      ...tooSmall.map(
        (value) =>
          [value, "too_small", `Number must be greater than or equal to ${least}`] as const,
      ),
      ...tooBig.map(
        (value) => [value, "too_big", `Number must be less than or equal to ${most}`] as const,
      ),
    ],
  };
}

export const goalId = matching(
  'Must be a goal id: "goal_" and letters, digits, underscores or hyphens',
  [
    ...["gol_1", "1", "goal", "goal-1", "GOAL_1", "Goal_1", "tp_1", "_goal_1", "agoal_1"],
    ...["goal_/1", "goal_ ", " goal_1", "goal_1\n", "goal_a.b", "goal_../", "goal_%", "goal_ü"],
    ...["goal_*", `goal_${"x".repeat(124)}`],
  ],
);

export const someIds: Kind = {
  type: "string",
  isSeveral: true,
  refused: [
    ...["a,", ",", ",a", "a,,b", "a b", "a, b", "a;b", "é", "x".repeat(129)].map(
      (value) =>
        [
          ...[value, "custom"],
          "Must be ids of 1 to 128 letters, digits, underscores or hyphens, with commas between them",
        ] as const,
    ),
    ["", "invalid_type", "Required"],
    [
      Array.from({ length: 101 }, (_, index) => `a${index}`).join(),
      ...(["too_big", "Must have at most 100 different ids"] as const),
    ],
  ],
};

export const share = matching("Must be a decimal number, 0 or more, such as 0.85", [
  ...["", "-1", "-0", "+1", ".5", "1.", "1e3", "0x10", "NaN", "Infinity", "1,5", " 1", "1 ", "1\n"],
  ...["٣", "null", "1.2.3"],
]);

export const shareOfHours = matching("Must be a decimal number from 0 to 1, such as 0.05", [
  ...["1.01", "2", "-0.1", ".5", "1.", "5%", "0,1", "1e-1", ""],
]);

export const orderBy = (first: string, second: string) =>
  matching(`Must be ${first} or ${second}`, [
    ...["", first.slice(0, first.indexOf("_")), `${first}_up`, `${first},${second}`],
    "publicId_asc",
  ]);

export const usersSort = matching(
  "Must be createdAt, updatedAt or lastName, each at most once, with _asc or _desc, such as createdAt_desc,updatedAt_asc",
  [
    ...["", ",", "createdAt", "createdAt_", "_asc", "createdAt-asc", "createdAt_asc,"],
    ...["createdat_asc", ",createdAt_asc", "createdAt_asc,,updatedAt_asc"],
    ...["createdAt_asc ,updatedAt_asc", "createdAt_asc;updatedAt_asc", "createdAt_asc\n"],
    ...["createdAt_ASC", "createdAt_asc_asc", "firstName_asc", "created_at_asc"],
    ...["createdAt_asc,firstName_desc", "__proto___asc"],
    ...["createdAt_asc,createdAt_asc", "createdAt_asc,updatedAt_asc,createdAt_desc"],
  ],
);

export const unitsSort = matching("Must be one of share, -share, endDate and -endDate", [
  ...["", "Share", "+share", "--share", "enddate", "share,endDate", "share_asc", "publicId"],
]);
