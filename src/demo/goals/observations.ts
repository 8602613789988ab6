/** What is rated once a lesson. */
interface Rating {
  title: string;
  description: string;
  instructions: string;
}

export const ratings: readonly Rating[] = [
  {
    title: "Cooperation at mealtime",
    description:
      "Rating of one meal: 1 refuses the plate, 3 stays and eats what is preferred, 5 tries everything that is offered.",
    instructions:
      "Rate right after the meal. Offer one bite of the new food beside two familiar ones.",
  },
  {
    title: "Calm transitions",
    description:
      "Rating of the session's transitions: 1 carried or blocked, 3 with two reminders, 5 with the timer alone.",
    instructions:
      "Set the visual timer to two minutes before each change, and rate the hardest transition.",
  },
  {
    title: "Play with peers",
    description:
      "Rating of free play: 1 alone, 3 beside a peer with the same toys, 5 in a shared game with an exchange of words.",
    instructions: "Watch for ten minutes without taking part, then rate.",
  },
  {
    title: "Independence on arrival",
    description:
      "Rating of the first ten minutes: 1 with physical help, 3 with pointing, 5 without any help.",
    instructions: "Greet at the door and keep three steps behind.",
  },
];

/** What is watched in sets of `quantity` intervals of `duration` seconds. */
export interface Observation {
  title: string;
  description: string;
  instructions: string;
  type: "WHOLE" | "PARTIAL" | "MOMENTARY";
  duration: number;
  quantity: number;
  /** How many seconds around the end of an interval count as its moment. */
  window?: number;
  /** Whether there should be more of it. */
  isWanted: boolean;
}

export const intervals: readonly Observation[] = [
  {
    title: "On task during table work",
    description:
      "Eyes on the material or the therapist, hands on the material, for the whole interval.",
    instructions:
      "Start the timer with the first direction. Mark the interval only if nothing interrupted it.",
    type: "WHOLE",
    duration: 10,
    quantity: 12,
    isWanted: true,
  },
  {
    title: "Hand flapping in group",
    description:
      "Both hands moved up and down at the wrist twice or more, at any time in the interval.",
    instructions: "Sit where both hands can be seen. Do not comment on the movement.",
    type: "PARTIAL",
    duration: 15,
    quantity: 12,
    isWanted: false,
  },
  {
    title: "In seat at circle time",
    description: "Seated on the mat, feet on the floor, at the moment the interval ends.",
    instructions: "Look up at the signal only. One set is one song or story.",
    type: "MOMENTARY",
    duration: 30,
    quantity: 10,
    window: 3,
    isWanted: true,
  },
  {
    title: "Mouthing of objects",
    description: "Any object other than food past the lips, at any time in the interval.",
    instructions: "Keep the chew necklace in reach; using it does not count.",
    type: "PARTIAL",
    duration: 20,
    quantity: 9,
    isWanted: false,
  },
];
