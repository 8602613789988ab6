import { type Static, Type } from "@sinclair/typebox";
import { InstantField, NameField, Nullable, PublicIdField } from "../schema/fields.ts";

export const NewCalendar = Type.Object(
  {
    userId: Type.Optional(
      PublicIdField({
        description:
          "Whose sessions; by default those of the key's own user. Required for a key without one.",
      }),
    ),
    name: Type.Optional(
      NameField(1, {
        description:
          "What it is for, such as the device that subscribes to it; by default `Calendar`.",
      }),
    ),
  },
  { $id: "NewCalendar" },
);

export const IssuedCalendar = Type.Object(
  {
    id: Type.String({ description: "The id of the calendar, which is that of its key." }),
    path: Type.String({
      description: "The secret path of the feed on this server. It cannot be read again.",
    }),
    name: Type.String({ description: "What the calendar is for." }),
    createdAt: InstantField({ description: "When it was created." }),
  },
  { $id: "IssuedCalendar" },
);

export type IssuedCalendar = Static<typeof IssuedCalendar>;

const Calendar = Type.Object(
  {
    id: Type.String({ description: "The id of the calendar, which is that of its key." }),
    userId: Type.String(),
    name: Type.String({ description: "What the calendar is for." }),
    createdAt: InstantField({ description: "When it was created." }),
    lastUsedAt: Nullable(InstantField()),
  },
  { $id: "Calendar" },
);

export const CalendarList = Type.Object(
  { data: Type.Array(Calendar) },
  { $id: "CalendarList", description: "Ordered by creation, then by id." },
);

export const CalendarPath = Type.Object({
  calendarId: PublicIdField({ description: "The id of the calendar.", examples: ["key_000001"] }),
});

export const CalendarRevoked = Type.Object(
  { message: Type.String({ description: "That it is revoked." }) },
  { $id: "CalendarRevoked", examples: [{ message: "Calendar revoked successfully" }] },
);
