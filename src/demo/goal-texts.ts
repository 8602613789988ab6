/** A behavior as described in a treatment plan. `{name}` is replaced by the child's first name. */
export interface Behavior {
  name: string;
  statement: string;
  definition: string;
  instructions: string;
  dataCollectionType: "FREQUENCY_ONLY" | "DURATION_ONLY" | "FREQUENCY_AND_DURATION";
  /** Whether the behavior should decrease. False for behaviors that should increase. */
  isBehavior: boolean;
  /** Occurrences per week, or minutes per hour for behaviors measured by duration only. */
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

/** A skill as described in a treatment plan. `{name}` is replaced by the child's first name. */
interface Skill {
  category: string;
  short: string;
  statement: string;
  instructions: string;
}

/** A skill with a task analysis: it is taught step by step. */
interface ChainedSkill extends Skill {
  steps: readonly string[];
}

export const singleSkills: readonly Skill[] = [
  {
    category: "Communication",
    short: "Two-word requests",
    statement:
      "{name} will ask for items and activities with two words, such as “more juice”, in 80% of opportunities over three sessions.",
    instructions:
      "Wait five seconds before a prompt. Model the two words once, then give what was asked for.",
  },
  {
    category: "Receptive language",
    short: "One-step directions",
    statement:
      "{name} will follow one-step directions given to the group in 80% of opportunities over three sessions.",
    instructions:
      "Say it once. Prompt from least to most after five seconds; no gestures in test trials.",
  },
  {
    category: "Social skills",
    short: "Turn taking",
    statement:
      "{name} will hand over the dice and wait for the next turn at 80% of turns in a board game with a peer.",
    instructions:
      "Use games of five minutes or less. Prompt the peer, not {name}, to remind of the turn.",
  },
  {
    category: "Joint attention",
    short: "Responding to a point",
    statement:
      "{name} will look at what another person points to within three seconds in 80% of opportunities.",
    instructions: "Point across the room, not at the table. Comment on what is seen as the reward.",
  },
  {
    category: "Self-advocacy",
    short: "Asking for help",
    statement:
      "{name} will ask an adult for help with a hard task within one minute in 80% of opportunities.",
    instructions:
      "Set up one task a session with a missing piece. Fade the help card from the table to the shelf.",
  },
  {
    category: "Safety",
    short: "Stopping at the curb",
    statement:
      "{name} will stop at the curb and look both ways without a reminder at 8 of 10 crossings.",
    instructions:
      "Practice on the same quiet street first. Hold hands until the stop is reliable with a gesture.",
  },
];

export const chainedSkills: readonly ChainedSkill[] = [
  {
    category: "Daily living",
    short: "Hand washing",
    statement: "{name} will wash hands without help, all steps in order, in 80% of opportunities.",
    instructions:
      "Teach from the last step backward. Prompt from behind, and fade from hand over hand to a touch of the elbow.",
    steps: [
      "Turns on the water",
      "Wets both hands",
      "Takes one push of soap",
      "Rubs palms and backs for ten seconds",
      "Rinses until the foam is gone",
      "Turns off the water",
      "Dries both hands with the towel",
    ],
  },
  {
    category: "Daily living",
    short: "Tooth brushing",
    statement:
      "{name} will brush teeth without help in 80% of opportunities, mornings and evenings, for two weeks.",
    instructions:
      "Use the two-minute song. Let {name} hold the mirror, and accept any order of the sides.",
    steps: [
      "Puts toothpaste on the brush",
      "Brushes the upper teeth",
      "Brushes the lower teeth",
      "Spits and rinses",
      "Puts the brush back",
    ],
  },
  {
    category: "School readiness",
    short: "Unpacking the backpack",
    statement:
      "{name} will unpack the backpack within three minutes and without a prompt on 80% of mornings.",
    instructions:
      "Hang the picture strip inside the locker. Point to the strip instead of saying the step.",
    steps: [
      "Hangs the coat on the hook",
      "Takes out the folder",
      "Puts the folder in the tray",
      "Puts the lunch box on the shelf",
      "Sits down on the carpet",
    ],
  },
  {
    category: "Daily living",
    short: "Making a snack",
    statement:
      "{name} will make a snack of two ingredients with the picture recipe, in 80% of opportunities.",
    instructions:
      "Chain forward. Lay out everything for the first weeks, then leave out one thing to be fetched.",
    steps: [
      "Washes hands",
      "Takes the plate and the knife",
      "Spreads on both slices",
      "Puts the slices together",
      "Puts everything back",
    ],
  },
];

/** Something that is rated once per lesson. */
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

/** An interval recording: sets of `quantity` intervals of `duration` seconds. */
export interface Observation {
  title: string;
  description: string;
  instructions: string;
  type: "WHOLE" | "PARTIAL" | "MOMENTARY";
  duration: number;
  quantity: number;
  /** For momentary recording: the number of seconds around the end of an interval. */
  window?: number;
  /** Whether the behavior should increase. */
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
