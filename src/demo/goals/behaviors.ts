/** A behavior as a treatment plan words it. `{name}` stands for the child's first name. */
export interface Behavior {
  name: string;
  statement: string;
  definition: string;
  instructions: string;
  dataCollectionType: "FREQUENCY_ONLY" | "DURATION_ONLY" | "FREQUENCY_AND_DURATION";
  /** Whether it is a problem, to become rarer; if not, there should be more of it. */
  isBehavior: boolean;
  /** Times a week, or minutes an hour where only the duration is measured. */
  baseline: number;
  success: number;
  antecedents: readonly string[];
  consequences: readonly string[];
}

export const behaviors: readonly Behavior[] = [
  {
    name: "Elopement",
    statement:
      "{name} will stay within five feet of the supervising adult in the community, with no more than one elopement a week for four weeks.",
    definition:
      "Moving more than five feet away from the supervising adult, or leaving the room, without permission.",
    instructions:
      "Stand between {name} and the exit. Prompt the request for a walk at the first sign, and walk together when it is asked for.",
    dataCollectionType: "FREQUENCY_ONLY",
    isBehavior: true,
    baseline: 6,
    success: 1,
    antecedents: [
      "Told that it was time to go inside",
      "Adult talked to another parent",
      "Noise from the street",
    ],
    consequences: [
      "Walked back without talking",
      "Prompted to ask for a walk",
      "Blocked at the door",
    ],
  },
  {
    name: "Physical aggression",
    statement:
      "{name} will express frustration with words or a card instead of aggression, with no more than two instances a week for four weeks.",
    definition:
      "Hitting, kicking, biting, scratching or pushing another person with an open hand, fist, foot or mouth, attempts included.",
    instructions:
      "Keep the break card in reach. Honor the first calm request within ten seconds, and block without comment.",
    dataCollectionType: "FREQUENCY_ONLY",
    isBehavior: true,
    baseline: 9,
    success: 2,
    antecedents: ["Tablet put away", "Another child took the toy", "Asked to clean up"],
    consequences: [
      "Blocked, then prompted to use the break card",
      "Task presented again",
      "Peer moved to another table",
    ],
  },
  {
    name: "Tantrum",
    statement:
      "{name} will recover from disappointment within two minutes, with no more than three tantrums a week for four weeks.",
    definition:
      "Crying or screaming for more than ten seconds, with or without dropping to the floor. A new one begins after a minute of calm.",
    instructions:
      "Announce the end of preferred activities twice. Stay near, say little, and praise the first quiet breath.",
    dataCollectionType: "FREQUENCY_AND_DURATION",
    isBehavior: true,
    baseline: 11,
    success: 3,
    antecedents: [
      "Told to wait for a turn",
      "Favorite snack was finished",
      "Change of the daily schedule",
    ],
    consequences: [
      "Waited nearby until calm",
      "Reminded of the visual schedule",
      "Offered a choice of two",
    ],
  },
  {
    name: "Self-injury",
    statement:
      "{name} will ask for help or a break instead of hand biting, with no more than one instance a week for eight weeks.",
    definition: "Closing the teeth on the own hand or wrist, whether or not a mark is left.",
    instructions:
      "Redirect the hand gently to the chew necklace. Reduce demands for one minute, then go back to the last step that was mastered.",
    dataCollectionType: "FREQUENCY_ONLY",
    isBehavior: true,
    baseline: 7,
    success: 1,
    antecedents: [
      "Hand dryer in the bathroom",
      "Third wrong answer in a row",
      "Long wait at the table",
    ],
    consequences: [
      "Redirected to the chew necklace",
      "One minute without demands",
      "Moved to the quiet room",
    ],
  },
  {
    name: "Vocal stereotypy",
    statement:
      "{name} will keep vocal stereotypy under four minutes an hour during group work, for three weeks.",
    definition:
      "Sounds or phrases without a listener that last longer than three seconds, singing along to music excluded.",
    instructions:
      "Interrupt with a question that {name} can answer, then give a minute of free time for quiet work.",
    dataCollectionType: "DURATION_ONLY",
    isBehavior: true,
    baseline: 14,
    success: 4,
    antecedents: ["Group listened to a story", "Waiting in line", "Worksheet without pictures"],
    consequences: [
      "Asked a question about the story",
      "Praised for a quiet minute",
      "Given a turn with the picture book",
    ],
  },
  {
    name: "Requests for a break",
    statement:
      "{name} will ask for a break without a prompt at least ten times a week for four weeks.",
    definition:
      "Handing over the break card, signing or saying “break” before any problem behavior.",
    instructions:
      "Grant every request at once for one minute, and count only those without a prompt.",
    dataCollectionType: "FREQUENCY_ONLY",
    isBehavior: false,
    baseline: 2,
    success: 10,
    antecedents: ["New worksheet", "Loud room", "Second puzzle in a row"],
    consequences: [
      "One minute of break",
      "Praised, then one minute of break",
      "Break with a walk to the window",
    ],
  },
];
